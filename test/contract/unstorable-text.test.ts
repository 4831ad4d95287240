// Texts that the database cannot hold, wherever they come from. NUL characters and unpaired surrogates are rejected by name, or replaced where they
// are text for people. No response is an internal error, and no work is left open.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getNamedType, getNullableType, isInputObjectType, isListType } from 'graphql';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { coercerFor, namingStrategies } from '../../src/graphql/input/input-coercion.ts';
import { buildGatewaySchema } from '../../src/graphql/schema.ts';
import { demoLedger } from '../../src/integrations/connectors/demo/demo-connector.ts';
import { recordOf } from '../../src/integrations/ledger/ledger-record.ts';
import { Gathering } from '../../src/records/checked.ts';
import { modelOf } from '../../src/records/metadata.ts';
import { snakeCase } from '../../src/records/naming.ts';
import { orphanTypes, resolvers } from '../../src/registry.ts';
import {
  agentOperations,
  argumentsFor,
  graphqlOperations,
  type Operation,
  type Place,
  placesOf,
  restOperations,
} from '../suites/operations.ts';
import { isCompanion, sampleOf } from '../suites/places.ts';
import { type Call, callOf } from '../suites/requests.ts';
import { ownRun } from '../support/connections.ts';
import { useGateway } from '../support/gateway.ts';
import { platformCaller } from '../support/platform.ts';
import { startReceiver } from '../support/receiver.ts';
import { buildCompany, type TestCompany } from '../support/records.ts';
import { credentialHeader } from '../support/routes.ts';
import type { SeenJob } from '../support/syncs.ts';

const gateway = useGateway({ connectorPrivateHosts: ['127.0.0.1'], webhookAllowPrivate: true });
const schema = buildGatewaySchema(resolvers, orphanTypes);
const TEXTS = ['a\u0000b', 'a\ud800b', '\udc00'];
const NAMED = /NUL character or an unpaired surrogate/;

/** The request of an operation with a text in one place. Half a pair has no form in UTF-8, so paths, parameters and forms carry a NUL; undefined for a place without texts. */
async function callWith(operation: Operation, place: Place, turn: number): Promise<Call | undefined> {
  for (const text of [TEXTS[turn % TEXTS.length]!, TEXTS[0]!]) {
    const fill = (each: Place): unknown => (each.path.join() === place.path.join() ? text : sampleOf(each));
    const call = await callOf(operation, argumentsFor(operation, { wanted: [place], always: isCompanion, fill }));
    if (/\\u0000|\\ud[8c]00|%00/.test(`${call.path} ${JSON.stringify(call.body)}`)) return call;
  }
  return undefined;
}

describe('requests', () => {
  let key: string;
  beforeAll(async () => {
    key = await gateway.key(['PLATFORM', 'ENTITIES', 'GEOCODE', 'MANAGE_CONTENT', 'INTEGRATIONS', 'ADMIN', 'AGENT_WRITE']);
  });

  it('each member of each input rejects them, in every way in which inputs are read', () => {
    let tried = 0;
    const taken: string[] = [];
    for (const type of Object.values(schema.getTypeMap()).filter(isInputObjectType))
      for (const strategy of Object.values(namingStrategies))
        for (const field of Object.values(type.getFields())) {
          const nullable = getNullableType(field.type);
          if (isInputObjectType(getNamedType(nullable)) || (field.extensions.graphqlOnly && !('isGraphql' in strategy))) continue;
          const text = TEXTS[tried++ % TEXTS.length]!;
          const issues = new Gathering();
          coercerFor(type, strategy)({ [strategy.fieldName(field.name, field)]: isListType(nullable) ? [text] : text }, 'data', issues);
          if (issues.count === 0) taken.push(`${type.name}.${field.name} ${strategy.name}`);
        }
    expect(taken).toEqual([]);
    expect(tried).toBeGreaterThan(5_000);
  });

  it.each([
    ['a route', restOperations(schema)],
    ['/graphql', graphqlOperations(schema).filter(({ fields }) => fields.length === 1)],
    ['an agent', agentOperations(schema)],
  ] as const)('each operation rejects them: %s', { timeout: 300_000 }, async (_endpoint, operations) => {
    const wrong: string[] = [];
    let [tried, sent, named] = [0, 0, 0];
    for (const operation of operations) {
      // The last text, which is of a member where there is an input; a route has its path as well.
      const places = placesOf(operation);
      const last = places.findLast(({ type }) => ['String', 'ID'].includes(type.name)) ?? places.at(-1);
      for (const place of new Set(operation.route ? [places[0], last] : [last])) {
        if (!place) continue;
        const call = await callWith(operation, place, tried++);
        if (!call) continue;
        const headers = { ...credentialHeader(operation.route?.credential ?? 'bearer', key), ...call.headers };
        const response = await gateway.send(call.method, call.path, { ...call, headers });
        sent += 1;
        // Payloads are asked for codes alone.
        if (NAMED.test(response.text) || response.text.includes('INVALID_')) named += 1;
        const isRefused = response.status >= 400 || /"errors":\s*\[\s*\{|\\"errors\\"|"isError":true/.test(response.text);
        if (response.status >= 500 || response.text.includes('INTERNAL_ERROR') || !isRefused)
          wrong.push(`${operation.title} ${place.path.join('.')} -> ${response.status} ${response.text.slice(0, 200)}`);
      }
    }
    console.log(`${sent} requests, ${named} refused for a value`);
    expect(wrong).toEqual([]);
    expect(named).toBeGreaterThan(sent / 3);
  });
});

describe('documents and messages', () => {
  const NUL = String.raw`a\u0000b`;
  let company: TestCompany;
  beforeAll(async () => {
    company = await buildCompany(gateway, { key: await gateway.key(['PLATFORM', 'INTEGRATIONS', 'AGENT_WRITE']) });
  });
  const graphql = (body: object) => gateway.send('POST', '/graphql', { headers: { authorization: `Bearer ${company.key}` }, body });

  it.each([
    [
      'in an input',
      (): string => `mutation { createCorporation(input: { legalName: "${NUL}", jurisdiction: "GB" }) { errors { message } } }`,
    ],
    ['in a filter', (): string => `{ corporations(filter: { legalName: { eq: "${NUL}" } }) { nodes { id } } }`],
    ['in a search', (): string => `{ corporations(filter: { search: "${NUL}" }) { nodes { id } } }`],
    ['in an id', (): string => `{ node(id: "${NUL}") { id } }`],
    ['in a cursor', (): string => `{ corporations(after: "${NUL}") { nodes { id } } }`],
    [
      'in free-form JSON',
      (): string =>
        `mutation { upsertContact(input: { companyId: ${company.id}, platformId: "odd", rawData: { a: [{ b: "${NUL}" }] } }) { errors { message } } }`,
    ],
    ['as half a pair', (): string => String.raw`{ node(id: "\ud800") { id } }`],
  ])('a literal %s is rejected, or names nothing', async (_, query) => {
    const { status, text } = await graphql({ query: query() });
    expect(status, text).toBeLessThan(500);
    expect(text).toMatch(/"message":"[^"]|"node":null/);
    expect(text).not.toContain('INTERNAL_ERROR');
  });

  it.each(TEXTS)('what names an operation, a variable, a document, a tool or a client may not be %j, or does not matter', async (odd) => {
    const query = 'query Named { viewer { roles } }';
    const message = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params });
    const headers = { authorization: `Bearer ${company.key}`, accept: 'application/json, text/event-stream' };
    const agent = (body: object) => gateway.send('POST', '/mcp', { headers, body });
    const responses = await Promise.all([
      graphql({ query, operationName: odd }),
      graphql({ query, variables: { [odd]: odd } }),
      graphql({ query, extensions: { persistedQuery: { version: 1, sha256Hash: odd }, [odd]: odd } }),
      graphql({ query: `# ${odd}\n${query}` }),
      graphql({ query: `{ ${odd} }` }),
      agent(message('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: odd, version: odd } })),
      agent(message('tools/call', { name: odd, arguments: {} })),
      agent(message('tools/call', { name: 'search', arguments: { query: odd } })),
      agent(message('tools/call', { name: 'describe', arguments: { name: odd } })),
      agent(message('tools/call', { name: 'run', arguments: { operation: `{ ${odd} }`, variables: { [odd]: odd } } })),
      agent(message(odd, {})),
    ]);
    expect(responses.map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);
    expect(responses.map(({ text }) => text).filter((text) => text.includes('INTERNAL_ERROR'))).toEqual([]);
    // What of them is kept for the list of requests can be stored.
    await gateway.storeRequests();
    const kept = await graphql({ query: '{ requests(first: 100) { nodes { operation errorCode } } }' });
    expect(kept.body.errors, kept.text).toBeUndefined();
  });
});

describe('a source', () => {
  /** The data models of which it has records: all are pulled in one way. */
  const MODELS = demoLedger.capabilities.map(({ dataModel }) => dataModel).filter((_, index) => index % 3 === 0);
  /** The texts of what a source sends of a record: those of its fields by name, of children too. */
  function records(dataModel: string): Record<string, unknown>[] {
    const input = schema.getType(`${modelOf(recordOf(dataModel)!).name}Input`);
    if (!isInputObjectType(input)) throw new Error(`${dataModel} has no input`);
    let count = 0;
    const next = (): string => TEXTS[count++ % TEXTS.length]!;
    const all = Object.values(input.getFields()).map(({ name, extensions }) => extensions.jsonName ?? snakeCase(name));
    // How each member is read is tried above; here a few of each record are enough.
    const fields = all.filter((name, index) => name === 'platform_id' || index % 6 === 0);
    return [
      ...fields.map((field) => ({ platform_id: `in ${field}`, [field]: field === 'platform_id' ? `id ${next()}` : next() })),
      { platform_id: 'in a member', [`odd${next()}`]: 'x' },
      // Members that a read shows are skipped.
      { platform_id: 'in a skipped member', ledger_note: { deep: [{ [next()]: next() }] } },
      { platform_id: 'in another id', id: next(), raw_data: { [next()]: next() } },
      { platform_id: 'whole', ...(dataModel === 'CURRENCY' ? { code: 'EUR' } : {}) },
    ];
  }

  /** Connects a company to a source that responds so, and waits for its run. */
  async function pulled(respond: (dataModel: string, cursor: string | null) => object) {
    const server = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url!, 'http://source');
      const [, name = ''] = pathname.split('/');
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(respond(name.toUpperCase(), searchParams.get('cursor'))));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void server.close().closeAllConnections());
    const company = await buildCompany(gateway);
    const settings = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, apiKey: 'any' };
    const made = await gateway.send('POST', `${company.base}/connections`, {
      headers: company.headers,
      body: { data: { source: 'DEMO', settings, interval_minutes: 43_200, keeps_raw_data: true } },
    });
    expect(made.status, made.text).toBe(201);
    const id = made.body.data.id as string;
    const [sync] = await ownRun(gateway, company, id);
    return { company, id, sync: sync! };
  }

  async function allJobs(company: TestCompany, syncId: string): Promise<SeenJob[]> {
    const jobs: SeenJob[] = [];
    for (let next = ''; ; ) {
      const { body } = await gateway.send('GET', `/v4/core/syncs/${syncId}/jobs?limit=100${next && `&next=${next}`}`, company);
      jobs.push(...body.jobs);
      next = body.pagination?.next ?? '';
      if (!next) return jobs;
    }
  }

  it('whose records have them is pulled to the end, and each such record is rejected by name', { timeout: 120_000 }, async () => {
    const sent = new Map(MODELS.map((dataModel) => [dataModel, records(dataModel)]));
    const { company, sync, id } = await pulled((dataModel) => ({
      records: sent.get(dataModel) ?? [],
      deleted: TEXTS.map((text) => `gone ${text}`),
      cursor: 'end',
      has_more: false,
    }));
    expect(sync.status).toBe('PARTIAL_SUCCESS');
    const jobs = await allJobs(company, sync.id);
    for (const [dataModel, all] of sent) {
      const refusals = jobs.filter((job) => job.dataModel === dataModel && job.parentJobId !== null);
      // Each but the one that is whole.
      expect(refusals.map(({ errorMessage }) => errorMessage).filter((message) => !NAMED.test(message!))).toEqual([]);
      expect([dataModel, refusals.length]).toEqual([dataModel, all.length - 1]);
    }
    const { body } = await gateway.send('GET', `${company.base}/connections/${id}`, { headers: company.headers });
    expect(body.data.status_reason).toMatch(/^\d+ of the \w+ records cannot be stored; /);
  });
});

describe('a receiver', () => {
  it('whose response has them is shown with the replacement character in their place', async () => {
    const platform = await platformCaller(gateway, '/api/v1');
    const receiver = await startReceiver(
      (_request, response) => void response.writeHead(400).end(Buffer.from('a\u0000b\xed\xa0\x80c', 'latin1')),
    );
    onTestFinished(() => receiver.stop());
    const hook = await platform.send('POST', '/webhooks', { url: receiver.url, topics: ['*'] });
    await platform.corporation();
    await receiver.arrived(1);
    const query = `{ webhookDeliveries(first: 5) { nodes { attempts { responseBody } } } }`;
    for (;;) {
      const { body } = await gateway.graphql(platform.key, query);
      const attempt = body.data?.webhookDeliveries.nodes.flatMap(({ attempts }: { attempts: unknown[] }) => attempts)[0];
      expect([hook.status, body.errors]).toEqual([hook.status, undefined]);
      if (!attempt) continue;
      expect(attempt.responseBody).toBe('a\ufffdb\ufffd\ufffd\ufffdc');
      return;
    }
  });
});

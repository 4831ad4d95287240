// The requests of an organisation: what is kept of each, who may read it, its pages and filters, that it is stored in batches, and what retention
// removes.
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { systemTransaction } from '../../src/database/transaction.ts';
import { operationLimits } from '../../src/graphql/query-cost.ts';
import { RequestHistory, requestRetention } from '../../src/http/request-history.ts';
import { MAX_OF_PART, RequestPart } from '../../src/http/request-part.ts';
import { newId } from '../../src/records/ids.ts';
import { execute } from '../support/audit.ts';
import { useGateway } from '../support/gateway.ts';
import { statementsOf } from '../support/statements.ts';

const gateway = useGateway({ worker: false });
const SECRET = `nobody may read this ${randomUUID()}`;

interface Entry {
  requestId: string;
  at: string;
  operation: string | null;
  status: number;
  errorCode: string | null;
  actor: { kind: string; id: string };
  duration: number;
  deprecatedFields: string[];
}

const LIST = `query Requests($first: Int, $after: String, $filter: RequestLogFilter) { requests(first: $first, after: $after, filter: $filter) {
  nodes { requestId at operation status errorCode actor { kind id } duration deprecatedFields } pageInfo { hasNextPage hasPreviousPage endCursor } } }`;

const list = async (key: string, variables: Record<string, unknown> = {}) => {
  const { body } = await gateway.graphql(key, LIST, variables);
  expect(body.errors).toBeUndefined();
  return body.data.requests as { nodes: Entry[]; pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; endCursor: string | null } };
};

/** Every request of a list, page by page, without the requests that read it. */
async function walked(key: string, first: number, filter: Record<string, unknown> = {}): Promise<Entry[]> {
  const entries: Entry[] = [];
  let after: string | null = null;
  do {
    const { nodes, pageInfo }: Awaited<ReturnType<typeof list>> = await list(key, { first, after, filter });
    expect(nodes.length).toBeLessThanOrEqual(first);
    entries.push(...nodes);
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
  } while (after !== null);
  return entries.filter(({ operation }) => operation !== 'Requests');
}

async function stored(key: string, requestId: string): Promise<Entry> {
  // A response is read before its connection reports that all of it was sent.
  return vi.waitFor(async () => {
    await gateway.storeRequests();
    const { nodes } = await list(key, { filter: { requestId } });
    expect(nodes).toHaveLength(1);
    return nodes[0]!;
  }, 20_000);
}

describe('what is kept', () => {
  let key: string;
  let identity: string;
  const ids: Record<'rest' | 'missing' | 'named' | 'failed' | 'old', string> = {} as never;

  beforeAll(async () => {
    key = await gateway.key(['PLATFORM']);
    identity = (await gateway.services.keys.find(key))!.identity;
    const headers = { authorization: `Bearer ${key}` };
    const idOf = async (sent: Promise<{ headers: Headers }>): Promise<string> => (await sent).headers.get('x-request-id')!;
    const body = { legal_name: SECRET, jurisdiction: 'GB' };
    ids.rest = await idOf(gateway.send('POST', '/api/v1/corporations', { headers, body }));
    ids.missing = await idOf(gateway.send('GET', '/api/v1/corporations/corp_00000000000000000000000000', { headers }));
    ids.named = await idOf(gateway.graphql(key, 'query CallersOwnName { corporations(first: 1) { nodes { legalName } } }'));
    ids.failed = await idOf(gateway.graphql(key, 'query ($id: ID!) { corporation(id: $id) { id } }', { id: SECRET }));
    ids.old = await idOf(gateway.graphql(key, 'query Old { taxIdKinds(country: "SE") { name displayName } }'));
    await stored(key, ids.old);
  });

  it('of each request operation, status, first error, caller, duration and deprecated fields, and nothing that was sent', async () => {
    const entries = new Map((await walked(key, 100)).map((entry) => [entry.requestId, entry]));
    const shape = (id: string) => {
      const { operation, status, errorCode, deprecatedFields, actor, duration, at } = entries.get(id)!;
      expect(actor).toEqual({ kind: 'KEY', id: identity });
      expect(duration).toBeGreaterThan(0);
      expect(new Date(at).toISOString()).toBe(at);
      return [operation, status, errorCode, deprecatedFields];
    };
    expect(Object.values(ids).map(shape)).toEqual([
      ['CreateCorporation', 200, null, []],
      ['Corporation', 404, 'CORPORATION_NOT_FOUND', []],
      ['CallersOwnName', 200, null, []],
      [null, 200, 'CORPORATION_NOT_FOUND', []],
      ['Old', 200, null, ['TaxIdKind.displayName']],
    ]);
    const rows = await execute(gateway, 'select t::text as row from request_part t');
    expect(JSON.stringify(rows)).not.toContain(SECRET);
  });

  it('a second run of a query, which takes the short way, names its deprecated fields too', async () => {
    const query = 'query Again { taxIdKinds(country: "SE") { displayName key } }';
    for (let run = 0; run < 2; run++) await stored(key, (await gateway.graphql(key, query)).headers.get('x-request-id')!);
    const uses = (await walked(key, 100, { operation: 'Again' })).map(({ deprecatedFields }) => deprecatedFields);
    const both = ['TaxIdKind.displayName', 'TaxIdKind.key'];
    expect(uses).toEqual([both, both]);
  });

  it.each([
    ['operation', { operation: 'CallersOwnName' }, ['named']],
    ['status', { status: 404 }, ['missing']],
    ['error code', { errorCode: 'CORPORATION_NOT_FOUND' }, ['failed', 'missing']],
    ['use of deprecated fields', { usesDeprecated: true, operation: 'Old' }, ['old']],
    ['caller', { actorId: 'key_of_nobody' }, []],
    ['time', { until: '2001-01-01T00:00:00Z' }, []],
    ['time to come', { since: '2999-01-01T00:00:00Z' }, []],
  ] as const)('filters by %s', async (_, filter, names) => {
    const found = (await walked(key, 2, filter)).map(({ requestId }) => requestId);
    expect(found).toEqual(names.map((name) => ids[name]));
  });

  it('a filter by caller and a span of time finds those of both', async () => {
    const { at } = await stored(key, ids.named);
    const until = new Date(Date.parse(at) + 1).toISOString();
    const found = await walked(key, 100, { actorId: identity, since: at, until, operation: 'CallersOwnName' });
    expect(found.map(({ requestId }) => requestId)).toEqual([ids.named]);
  });

  it('the same order, without gaps or duplicates, by pages of any size', async () => {
    const until = new Date().toISOString();
    const all = (await walked(key, 100, { until })).map(({ requestId }) => requestId);
    expect(all.length).toBeGreaterThan(4);
    for (const first of [1, 2, 3]) expect((await walked(key, first, { until })).map(({ requestId }) => requestId)).toEqual(all);
  });

  it('a cursor belongs to its filter, and a page has 1 to 100 requests', async () => {
    const { pageInfo } = await list(key, { first: 1 });
    const foreign = await gateway.graphql(key, LIST, { first: 1, after: pageInfo.endCursor, filter: { status: 200 } });
    expect(foreign.body.errors[0].extensions.code).toBe('INVALID_CURSOR');
    const code = async (first: number) => (await gateway.graphql(key, LIST, { first })).body.errors[0].extensions.code;
    expect([await code(0), await code(101), await code(-1)]).toEqual(['INVALID_PARAMS', 'INVALID_PARAMS', 'INVALID_PARAMS']);
  });

  it('as many pages at once as the limits allow fields cost too much', async () => {
    const fields = Array.from(
      { length: operationLimits.rootFields },
      (_, at) => `p${at}: requests(filter: { requestId: "${at}" }) { nodes { at } }`,
    );
    const { body } = await gateway.graphql(key, `{ ${fields.join(' ')} }`);
    expect(body.errors[0].extensions.code).toBe('QUERY_TOO_COMPLEX');
  });

  it('another organisation sees none of them, a key limited to companies nothing, and other roles may not ask', async () => {
    const other = await gateway.key(['PLATFORM']);
    expect(await walked(other, 100)).toEqual([]);
    const limited = await gateway.key(['PLATFORM'], undefined, [1]);
    expect((await gateway.graphql(limited, LIST)).body.errors[0].extensions.code).toBe('FORBIDDEN');
    const geocoder = await gateway.key(['GEOCODE']);
    expect((await gateway.graphql(geocoder, LIST)).body.errors[0].extensions.code).toBe('FORBIDDEN');
  });
});

describe('how it is kept', () => {
  const organisation = async (): Promise<{ key: string; id: number }> => {
    const key = await gateway.key(['PLATFORM']);
    return { key, id: (await gateway.services.keys.find(key))!.organisationId! };
  };
  const requestOf = (organisationId: number, id = randomUUID()) =>
    ({ id, originalUrl: '/graphql', context: { principal: { kind: 'KEY', identity: 'key_1', organisationId } }, operation: 'Op' }) as never;
  const response = { writableFinished: true, statusCode: 200 } as never;
  const sizesOf = (id: number): Promise<{ size: number }[]> =>
    execute(gateway, `select size from request_part where organisation_id = ${id} order by id`);

  it('2,500 requests are a few rows, and no statement is sent for one of them', async () => {
    const { id } = await organisation();
    const history = new RequestHistory(gateway.services);
    gateway.clock.stop();
    const sent = await statementsOf(gateway.services.database, async () => {
      for (let at = 0; at < 2_500; at++) history.observe(requestOf(id), response, 1);
    });
    expect(sent).toBe(0);
    await history.store();
    const sizes = (await sizesOf(id)).map(({ size }) => size);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(2_500 * 4);
    expect(sizes.length).toBe(Math.ceil((2_500 * 4) / MAX_OF_PART));
  });

  it('a transaction stores a thousand requests at most, of however many organisations', async () => {
    const owners = await Promise.all(Array.from({ length: 8 }, async () => (await organisation()).id));
    const history = new RequestHistory(gateway.services);
    gateway.clock.stop();
    for (let at = 0; at < 450; at++) for (const owner of owners) history.observe(requestOf(owner), response, 1);
    await history.store();
    const stored = await execute<{ size: number; requests: number }>(
      gateway,
      `select sum(size)::int as size, sum(json_array_length(requests::json))::int as requests from request_part
       where organisation_id in (${owners.join()}) group by xmin`,
    );
    for (const { size } of stored) expect(size).toBeLessThanOrEqual(MAX_OF_PART);
    expect(stored.reduce((sum, { requests }) => sum + requests, 0)).toBe(450 * 8);
  });

  it('what cannot be stored is kept and stored with the next', async () => {
    const { key, id } = await organisation();
    const history = new RequestHistory(gateway.services);
    const failures = () => gateway.services.failures.tally.entries().find(([[task]]) => task === 'request-history')?.[1] ?? 0;
    const before = failures();
    await execute(gateway, 'alter table request_part rename to request_part_away');
    const [first, second] = [randomUUID(), randomUUID()];
    try {
      history.observe(requestOf(id, first), response, 1);
      await history.store();
      expect(failures()).toBeGreaterThan(before);
    } finally {
      await execute(gateway, 'alter table request_part_away rename to request_part');
    }
    history.observe(requestOf(id, second), response, 1);
    await history.store();
    expect((await walked(key, 10)).map(({ requestId }) => requestId)).toEqual([second, first]);
  });

  it('a page looks at some 10,000 requests at most and says where to continue', async () => {
    const { key, id } = await organisation();
    const kept = (requestId: string) => [Date.parse('2026-01-01T00:00:00Z'), requestId, 'Op', 200, null, 'KEY', 'key_1', 1, []];
    const rows = Array.from({ length: 12 }, (_, at) => ({
      id: newId('reqpart'),
      organisationId: id,
      second: new Date('2026-01-01T00:00:00Z'),
      size: MAX_OF_PART,
      usesDeprecated: false,
      requests: JSON.stringify(Array.from({ length: MAX_OF_PART }, (_, index) => kept(at === 0 && index === 0 ? 'the oldest' : 'another'))),
    }));
    await systemTransaction(gateway.services.database, (em) => em.insertMany(RequestPart, rows));
    const page = await list(key, { filter: { requestId: 'the oldest' } });
    expect([page.nodes.length, page.pageInfo.hasNextPage]).toEqual([0, true]);
    expect((await walked(key, 10, { requestId: 'the oldest' })).length).toBe(1);
  });

  it('retention removes what is older than its days', async () => {
    const { key, id } = await organisation();
    const history = new RequestHistory(gateway.services);
    history.observe(requestOf(id, randomUUID()), response, 1);
    await history.store();
    await execute(gateway, `update request_part set second = second - interval '8 days' where organisation_id = ${id}`);
    const kept = randomUUID();
    history.observe(requestOf(id, kept), response, 1);
    await history.store();
    while (await systemTransaction(gateway.services.database, (em) => requestRetention.batch(em, gateway.services)));
    expect((await walked(key, 10)).map(({ requestId }) => requestId)).toEqual([kept]);
  });
});

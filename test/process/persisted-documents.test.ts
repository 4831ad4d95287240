// Documents that callers name instead of sending, GET with tags, and the report of what a request cost.
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type GraphQLNamedType, getNamedType, isInterfaceType, isObjectType, isUnionType } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Manifest } from '../../src/graphql/documents/documents.ts';
import { type GatewayResponse, startGateway, useGateway } from '../support/gateway.ts';
import { rawRequest } from '../support/raw-http.ts';
import { buildCompany, type TestCompany } from '../support/records.ts';

const gateway = useGateway({ rateLimitPerMinute: 60_000, rateLimitBurst: 10_000 });
const sha = (text: string): string => createHash('sha256').update(text).digest('hex');
const named = (hash: string): object => ({ persistedQuery: { version: 1, sha256Hash: hash } });

let company: TestCompany;
beforeAll(async () => {
  company = await buildCompany(gateway);
});

const post = (body: object, key: string | null = company.key, headers: Record<string, string> = {}): Promise<GatewayResponse> =>
  gateway.send('POST', '/graphql', { headers: { ...(key ? { api_key: key } : {}), ...headers }, body });
const codeOf = ({ body }: GatewayResponse): string => body.errors[0].extensions.code;

describe('persisted documents', () => {
  const query = (id: number): string => `query Company { company(id: ${id}) { name ledgerId } }`;

  it('an unknown hash is rejected as clients expect, learned with its text, and then known', async () => {
    const text = query(company.id);
    const unknown = await post({ extensions: named(sha(text)) });
    expect([unknown.status, unknown.body.errors[0].message, codeOf(unknown)]).toEqual([
      200,
      'PersistedQueryNotFound',
      'PERSISTED_QUERY_NOT_FOUND',
    ]);
    const learned = await post({ query: text, extensions: named(sha(text)) });
    expect(learned.body.data.company.ledgerId).toBe(company.id);
    // The first goes through Apollo and the second does not.
    for (let sent = 0; sent < 2; sent++) {
      const again = await post({ extensions: named(sha(text)), operationName: 'Company', variables: {} });
      expect([again.status, again.body.data?.company.name]).toEqual([200, 'Test company']);
    }
  });

  it('a hash of another text teaches nothing', async () => {
    const [mine, theirs] = [query(company.id), `{ __typename a: __typename }`];
    const refused = await post({ query: theirs, extensions: named(sha(`${mine} `)) });
    expect([refused.status, codeOf(refused)]).toEqual([400, 'INVALID_PARAMS']);
    expect(codeOf(await post({ extensions: named(sha(`${mine} `)) }))).toBe('PERSISTED_QUERY_NOT_FOUND');
  });

  it('callers without a key, and documents that are rejected, teach nothing', async () => {
    const open = '{ service { status } open: __typename }';
    expect((await post({ query: open, extensions: named(sha(open)) }, null)).body.data.service.status).toBe('ok');
    expect(codeOf(await post({ extensions: named(sha(open)) }))).toBe('PERSISTED_QUERY_NOT_FOUND');
    const wrong = '{ nothing }';
    expect((await post({ query: wrong, extensions: named(sha(wrong)) })).status).toBe(400);
    expect(codeOf(await post({ extensions: named(sha(wrong)) }))).toBe('PERSISTED_QUERY_NOT_FOUND');
  });

  it('a document that one caller taught opens to another what that one may see, and nothing else', async () => {
    const text = query(company.id);
    await post({ query: text, extensions: named(sha(text)) });
    const other = await post({ extensions: named(sha(text)) }, await gateway.key(['INTEGRATIONS']));
    expect([other.body.data.company, codeOf(other)]).toEqual([null, 'COMPANY_NOT_FOUND']);
    const without = await post({ extensions: named(sha(text)) }, null);
    expect([without.status, codeOf(without)]).toEqual([401, 'UNAUTHENTICATED']);
  });

  it('an idempotency key belongs to the document, whether its text or its hash is sent', async () => {
    const [one, two] = ['one', 'two'].map(
      (alias) => `mutation ($input: CreateAccountInput!) { ${alias}: createAccount(input: $input) { account { id } } }`,
    ) as [string, string];
    const send = (text: string, name: string, more: object = {}): Promise<GatewayResponse> => {
      const variables = { input: { companyId: company.id, name, idempotencyKey: `key of ${name}` } };
      return post({ variables, extensions: named(sha(text)), ...more });
    };
    const first = await send(one, 'A', { query: one });
    expect(first.body.data.one.account.id).toEqual(expect.any(String));
    const again = await send(one, 'A');
    expect([again.headers.get('idempotency-replayed'), again.body]).toEqual(['true', first.body]);
    await send(two, 'B', { query: two });
    expect(codeOf(await send(two, 'A'))).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  it.each([[{ version: 2, sha256Hash: 'x' }], [{ version: 1, sha256Hash: 7 }], [{ version: 1 }], ['text'], [null]])(
    'extensions.persistedQuery %j is rejected with a message',
    async (persistedQuery) => {
      const response = await post({ extensions: { persistedQuery } });
      expect([200, 400]).toContain(response.status);
      expect(['INVALID_PARAMS', 'PERSISTED_QUERY_NOT_FOUND']).toContain(codeOf(response));
    },
  );
});

describe('GET', () => {
  const preflight = { 'apollo-require-preflight': 'true' };
  const get = (query: string, headers: Record<string, string> = {}, method = 'GET'): ReturnType<typeof rawRequest> =>
    rawRequest(gateway.origin, method, `/graphql?query=${encodeURIComponent(query)}`, {
      headers: { api_key: company.key, ...preflight, ...headers },
    });
  const own = (): string => `{ company(id: ${company.id}) { name } }`;

  it('a query has a tag, 304 while it is the same, and another tag afterwards', async () => {
    const first = await get(own());
    expect([first.status, first.headers['cache-control']]).toEqual([200, 'private, no-cache']);
    const same = await get(own(), { 'if-none-match': first.headers.etag! });
    expect([same.status, same.bytes.length, same.headers.etag]).toEqual([304, 0, first.headers.etag]);
    const head = await get(own(), {}, 'HEAD');
    expect([head.status, head.bytes.length, head.headers.etag]).toEqual([200, 0, first.headers.etag]);
    const rename = { headers: company.headers, body: { data: { name: 'Renamed' } } };
    expect((await gateway.send('PATCH', `/v4/core/companies/${company.id}`, rename)).status).toBeLessThan(500);
    await gateway.send('PUT', `/v4/core/companies/${company.id}`, rename);
    const changed = await get(own(), { 'if-none-match': first.headers.etag! });
    expect([changed.status, JSON.parse(changed.text).data.company.name]).toEqual([200, 'Renamed']);
  });

  it('it varies by every credential, so that a cache keeps a response per caller', async () => {
    const names = (await get(own())).headers.vary!.split(', ');
    expect(names).toEqual(expect.arrayContaining(['authorization', 'x-api-key', 'x-service-key', 'api_key', 'accept', 'origin']));
  });

  it('reference data is public, with or without a key; next to own data it is not', async () => {
    const platform = { api_key: await gateway.key(['PLATFORM']), 'accept-encoding': 'br' };
    const shared = await get('{ taxIdKinds(country: "DE") { key } }', platform);
    expect([shared.status, shared.headers['cache-control']]).toEqual([200, 'public, max-age=300']);
    const countries = await get('{ countries { alpha2 } }', { ...platform, api_key: await gateway.key(['GEOCODE']) });
    expect([countries.status, countries.headers['cache-control'], countries.headers['content-encoding']]).toEqual([
      200,
      'public, max-age=300',
      'br',
    ]);
    expect([countries.headers.etag?.slice(0, 3), countries.headers.vary]).toEqual(['W/"', expect.stringContaining('Accept-Encoding')]);
    const service = await get('{ service { status } __typename }', { api_key: '' });
    expect([service.status, service.headers['cache-control']]).toEqual([200, 'public, max-age=300']);
    const mixed = await get(`{ service { status } company(id: ${company.id}) { name } }`);
    expect(mixed.headers['cache-control']).toBe('private, no-cache');
    const inFragment = await get(`query { service { status } ...More } fragment More on Query { company(id: ${company.id}) { name } }`);
    expect(inFragment.headers['cache-control']).toBe('private, no-cache');
  });

  it('no reference field leads to a record of an organisation', () => {
    const { schema } = gateway.services;
    const seen = new Set<GraphQLNamedType>();
    const walk = (type: GraphQLNamedType): void => {
      if (seen.has(type)) return;
      seen.add(type);
      if (isUnionType(type)) type.getTypes().forEach(walk);
      if (isObjectType(type) || isInterfaceType(type)) for (const field of Object.values(type.getFields())) walk(getNamedType(field.type));
    };
    const fields = Object.values(schema.getQueryType()!.getFields()).filter((field) => field.extensions.isReference);
    expect(fields.length).toBeGreaterThan(5);
    for (const field of fields) walk(getNamedType(field.type));
    const records = [...seen].filter((type) => isObjectType(type) && type.getInterfaces().some(({ name }) => name === 'Node'));
    expect(records.map(({ name }) => name)).toEqual([]);
  });

  it('errors and mutations have no tag and are not kept; a mutation is rejected', async () => {
    const failed = await get('{ company(id: 999999) { name } }');
    expect([failed.headers.etag, failed.headers['cache-control']]).toEqual([undefined, 'no-store']);
    const mutation = await get('mutation { createFile(input: { content: "x" }) { file { id } } }');
    expect([mutation.status, mutation.headers.etag, mutation.headers['cache-control']]).toEqual([405, undefined, 'no-store']);
  });

  it('a persisted document is read by GET with its hash', async () => {
    const text = `query Named { company(id: ${company.id}) { ledgerId } }`;
    await post({ query: text, extensions: named(sha(text)) });
    const path = `/graphql?extensions=${encodeURIComponent(JSON.stringify(named(sha(text))))}`;
    const response = await rawRequest(gateway.origin, 'GET', path, { headers: { api_key: company.key, ...preflight } });
    expect([response.status, JSON.parse(response.text).data.company.ledgerId]).toEqual([200, company.id]);
    const simple = await rawRequest(gateway.origin, 'GET', path, { headers: { api_key: company.key } });
    expect([simple.status, simple.text]).toEqual([400, expect.stringContaining('Cross-Site Request Forgery')]);
  });
});

describe('usage', () => {
  const asked = { 'x-graphql-usage': '1' };

  it('by its header a response says cost, allowance, statements and milliseconds, however it was run', async () => {
    const query = `{ company(id: ${company.id}) { accounts(first: 20) { nodes { name } } } }`;
    for (let sent = 0; sent < 3; sent++) {
      const { body } = await post({ query }, company.key, asked);
      const { usage } = body.extensions;
      expect(usage).toEqual({
        cost: expect.any(Number),
        costLimit: 20_000,
        requestsLeft: expect.any(Number),
        requestsLimit: 10_000,
        statements: expect.any(Number),
        milliseconds: expect.any(Number),
      });
      expect(usage.cost).toBeGreaterThan(19);
      expect(usage.statements).toBeGreaterThan(0);
      expect(usage.statements).toBeLessThan(5);
      expect(usage.milliseconds).toBeGreaterThan(0);
    }
    expect((await post({ query })).body.extensions).toBeUndefined();
  });

  it('statements of requests at the same time are counted apart', async () => {
    const one = { query: '{ service { status } }' };
    const many = {
      query: `{ ${Array.from({ length: 8 }, (_, at) => `c${at}: company(id: ${company.id}) { accounts(first: ${at + 1}) { nodes { name } } }`).join(' ')} }`,
    };
    const responses = await Promise.all(Array.from({ length: 20 }, (_, at) => post(at % 2 === 0 ? one : many, company.key, asked)));
    for (const [at, { body }] of responses.entries())
      if (at % 2 === 0) expect(body.extensions.usage.statements).toBe(0);
      else expect(body.extensions.usage.statements).toBeGreaterThan(4);
  });

  it('a mutation repeated by its key does not repeat the usage of the first', async () => {
    const platform = await gateway.key(['PLATFORM']);
    const headers = { 'idempotency-key': `usage-${Math.random()}` };
    const body = { query: 'mutation { createFile(input: { content: "name\\nA\\n", name: "a.csv" }) { file { id } } }' };
    const first = await post(body, platform, { ...headers, ...asked });
    expect(first.body.extensions.usage.statements).toBeGreaterThan(1);
    const again = await post(body, platform, headers);
    expect([again.headers.get('idempotency-replayed'), again.body]).toEqual(['true', { data: first.body.data }]);
  });
});

describe('trusted documents', () => {
  const folder = mkdtempSync(join(tmpdir(), 'manifest-'));
  const path = join(folder, 'manifest.json');
  const text = 'query Name($id: CompanyId!) { __typename }';
  const good = 'query Service { service { status } }';
  const reading = 'query Viewer { viewer { __typename } }';
  writeFileSync(
    path,
    JSON.stringify({
      format: 'apollo-persisted-query-manifest',
      version: 1,
      operations: [
        { id: 'service-1', name: 'Service', type: 'query', body: good },
        { id: sha(reading), name: 'Viewer', type: 'query', body: reading },
      ],
    }),
  );
  const trusting = useGateway({ trustedDocuments: path });
  let key: string;
  beforeAll(async () => {
    key = await trusting.key(['PLATFORM']);
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const send = (body: unknown): Promise<GatewayResponse> =>
    trusting.send('POST', '/graphql', { headers: { authorization: `Bearer ${key}` }, body });

  it('a document of the manifest runs by its hash, its id or its text', async () => {
    const bodies = [
      { extensions: named(sha(good)) },
      { documentId: `sha256:${sha(good)}` },
      { documentId: 'service-1' },
      { query: good },
      { query: good, extensions: named(sha(good)), operationName: 'Service', variables: {} },
    ];
    for (const body of [...bodies, ...bodies]) {
      const response = await send(body);
      expect([response.status, response.body.data?.service.status], JSON.stringify(body)).toEqual([200, 'ok']);
    }
  });

  it.each<[unknown]>([
    [{ query: text }],
    [{ query: `${good} ` }],
    [{ query: good, documentId: 'another' }],
    [{ extensions: named(sha(text)) }],
    [{ query: '{ __schema { queryType { name } } }' }],
    [{}],
    [[{ query: good }]],
  ])('%j is rejected with a message', async (body) => {
    const response = await send(body);
    expect([response.status, codeOf(response)]).toEqual([403, 'DOCUMENT_NOT_TRUSTED']);
    expect(response.body.errors[0].message).toMatch(/manifest/);
  });

  it('GET runs the documents of the manifest and no other', async () => {
    const get = (parameters: Record<string, string>): Promise<GatewayResponse> =>
      trusting.send('GET', `/graphql?${new URLSearchParams(parameters)}`, {
        headers: { authorization: `Bearer ${key}`, 'apollo-require-preflight': '1' },
      });
    expect((await get({ documentId: 'service-1' })).body.data.service.status).toBe('ok');
    expect((await get({ extensions: JSON.stringify(named(sha(good))) })).body.data.service.status).toBe('ok');
    expect((await get({ query: text })).status).toBe(403);
    expect((await get({ extensions: '{' })).status).toBe(403);
    expect((await get({})).status).toBe(403);
  });

  it('REST is not a document of a caller', async () => {
    expect((await trusting.send('GET', '/api/v1/corporations', { headers: { authorization: `Bearer ${key}` } })).status).toBe(200);
  });

  it.each([
    ['not JSON', 'no JSON'],
    ['{}', 'no manifest'],
    ['{"operations":[{"id":"x"}]}', 'no manifest'],
    ['[]', 'no manifest'],
    ['null', 'no manifest'],
  ])('a gateway does not start with a manifest %s', async (content) => {
    writeFileSync(join(folder, 'bad.json'), content);
    expect(() => Manifest.read(join(folder, 'bad.json'))).toThrow(/^TRUSTED_DOCUMENTS names .*bad\.json/);
  });

  it('nor with one that is not there', async () => {
    await expect(startGateway({ trustedDocuments: join(folder, 'none.json') })).rejects.toThrow(/TRUSTED_DOCUMENTS names/);
  });

  it('the map of hashes that other compilers write is a manifest too', () => {
    writeFileSync(path.replace('manifest.json', 'map.json'), JSON.stringify({ [sha(good)]: good }));
    expect(Manifest.read(join(folder, 'map.json')).textFor({ documentId: sha(good) })).toBe(good);
  });
});

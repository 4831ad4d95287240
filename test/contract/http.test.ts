// Requests that no route can serve: each surface responds in its own body, names the field, and stores nothing.
import { connect } from 'node:net';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { useGateway } from '../support/gateway.ts';
import { buildCompany, type TestCompany } from '../support/records.ts';

const gateway = useGateway();
let company: TestCompany;
let bearer: { authorization: string };

beforeAll(async () => {
  company = await buildCompany(gateway);
  bearer = { authorization: `Bearer ${await gateway.key(['PLATFORM'])}` };
});

const accounts = (suffix = ''): string => `${company.base}/accounts${suffix}`;
const post = (raw: string | Uint8Array, type = 'application/json') =>
  gateway.send('POST', accounts(), { headers: { ...company.headers, 'content-type': type }, raw });
const stored = async (): Promise<number> =>
  (await gateway.send('GET', accounts('?return_count=true'), { headers: company.headers })).body.pagination.total_count;

describe('unknown paths and methods', () => {
  it.each([
    ['/v4/core/nothing', 'error.error_code', 'ROUTE_NOT_FOUND'],
    ['/api/v1/nothing', 'error.code', 'ROUTE_NOT_FOUND'],
    ['/tax/api/v1/nothing', 'error.code', 'ROUTE_NOT_FOUND'],
    ['/nothing', 'error.type', 'CLIENT_NOT_FOUND'],
  ])('GET %s returns 404 in the body of its surface', async (path, member, code) => {
    const response = await gateway.send('GET', path);
    expect(response.status).toBe(404);
    expect(member.split('.').reduce((value, name) => value[name], response.body)).toBe(code);
  });

  it('a known path with another method returns 405 and the methods it has', async () => {
    const response = await gateway.send('PATCH', accounts(), { headers: company.headers });
    expect([response.status, response.headers.get('allow'), response.body.error.error_code]).toEqual([
      405,
      'GET, POST, PUT',
      'METHOD_NOT_ALLOWED',
    ]);
  });

  it.each(['PUT', 'DELETE', 'PATCH'])('%s /graphql returns 405 with the methods it has and the id of the request', async (method) => {
    const response = await gateway.send(method, '/graphql', { headers: { 'x-request-id': 'caller-id-1234' } });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
    expect(response.body.errors[0].extensions).toMatchObject({ code: 'METHOD_NOT_ALLOWED', requestId: 'caller-id-1234' });
  });

  it('every response has a request id: a valid one of the caller, else a new one', async () => {
    const own = await gateway.send('GET', accounts('/999999'), { headers: { ...company.headers, 'x-request-id': 'caller-id-1234' } });
    expect([own.headers.get('x-request-id'), own.body.error.request_id]).toEqual(['caller-id-1234', 'caller-id-1234']);
    const made = await gateway.send('GET', '/nothing', { headers: { 'x-request-id': 'bad id' } });
    expect(made.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });
});

it.each([
  ...[
    '/',
    '/docs',
    '/limits',
    '/livez',
    '/readyz',
    '/healthz',
    '/metrics',
    '/schema.graphql',
    '/docs/errors.json',
    '/favicon.ico',
    '/nothing',
  ],
  ...['/connect/unknown', '/incorporate/us/unknown', '/hooks/unknown', '/api/v1/downloads/file/unknown', '/v4/core/companies'],
  ...['/graphql?query={__typename}', '/graphql', '/api/v1/nothing', '/apps', '/assets/nothing'],
])('every response forbids to guess its type, and asks for TLS from then on: %s', async (path) => {
  for (const [method, headers] of [
    ['GET', { accept: 'text/html' }],
    ['GET', {}],
    ['GET', { accept: 'text/event-stream', 'apollo-require-preflight': '1' }],
    ['POST', {}],
    ['OPTIONS', { origin: 'http://localhost:3000', 'access-control-request-method': 'POST' }],
  ] as const) {
    const response = await gateway.send(method, path, { headers });
    expect(
      [response.headers.get('x-content-type-options'), response.headers.get('strict-transport-security')],
      `${method} ${response.status}`,
    ).toEqual(['nosniff', 'max-age=31536000; includeSubDomains']);
  }
});

describe('bodies', () => {
  it.each([
    ['malformed JSON', '{"data":', 'application/json', 400, 'INVALID_JSON', null],
    ['a JSON array', '[]', 'application/json', 400, 'INVALID_JSON', 'body'],
    ['a JSON text', '"data"', 'application/json', 400, 'INVALID_JSON', 'body'],
    ['no data', '{}', 'application/json', 400, 'MISSING_PARAMS', 'data'],
    ['data of a wrong type', '{"data":"x"}', 'application/json', 400, 'INVALID_PARAMS', 'data'],
    ['an empty record', '{"data":{}}', 'application/json', 400, 'MISSING_PARAMS', 'data'],
    ['another content type', '{"data":{"name":"x"}}', 'text/plain', 415, 'UNSUPPORTED_MEDIA_TYPE', null],
    ['a NUL character', '{"data":{"name":"a\\u0000b"}}', 'application/json', 400, 'INVALID_PARAMS', 'data.name'],
    ['an unpaired surrogate', '{"data":{"name":"\\ud800"}}', 'application/json', 400, 'INVALID_PARAMS', 'data.name'],
    [
      'a number that is not exact',
      '{"data":{"current_balance":0.1234567890123456}}',
      'application/json',
      400,
      'INVALID_PARAMS',
      'data.current_balance',
    ],
    ['a number that is too large', '{"data":{"current_balance":1e300}}', 'application/json', 400, 'INVALID_PARAMS', 'data.current_balance'],
    ['a currency outside the set', '{"data":{"currency_id":"XYZ"}}', 'application/json', 400, 'INVALID_PARAMS', 'data.currency_id'],
    ['a day that does not exist', '{"data":{"updated_at":"2026-02-30"}}', 'application/json', 400, 'INVALID_PARAMS', 'data.updated_at'],
    ['an unknown field', '{"data":{"nme":"x"}}', 'application/json', 400, 'INVALID_PARAMS', 'data.nme'],
    ['a prototype key', '{"data":{"__proto__":{"name":"x"}}}', 'application/json', 400, 'INVALID_PARAMS', 'data.__proto__'],
  ])('%s is rejected and nothing is stored', async (_, raw, type, status, code, field) => {
    const before = await stored();
    const response = await post(raw, type);
    expect([response.status, response.body.error.error_code, response.body.error.field]).toEqual([status, code, field]);
    expect(await stored()).toBe(before);
  });

  it.each([
    ['gzip', 'application/json', gzipSync, 201],
    ['zstd', 'application/json; charset=UTF-8', zstdCompressSync, 201],
    ['compress', 'application/json', Buffer.from, 415],
    ['identity', 'application/json; charset=utf-16', Buffer.from, 415],
  ])('a body in content encoding %s and of type %s responds as it can be read', async (encoding, type, pack, status) => {
    const headers = { ...company.headers, 'content-type': type, 'content-encoding': encoding };
    const response = await gateway.send('POST', accounts(), { headers, raw: pack(Buffer.from('{"data":{"name":"Packed"}}')) });
    expect(response.status).toBe(status);
  });

  it('a body over 10 MB returns 413', async () => {
    const response = await post(JSON.stringify({ data: { name: 'x'.repeat(10 * 1_048_576) } }));
    expect([response.status, response.body.error.error_code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });

  it('`ledger_*` members are ignored, so that clients can send records back', async () => {
    const response = await post('{"data":{"name":"Echo","ledger_id":5,"ledger_created_at":"never"}}');
    expect(response.status).toBe(201);
    expect(response.body.data.data.ledger_id).not.toBe(5);
  });

  it('every digit of an amount of 15 comes back', async () => {
    const response = await post('{"data":{"name":"Exact","current_balance":-1234567890.12345}}');
    expect(response.text).toContain('"current_balance":-1234567890.12345,');
  });
});

describe('addresses', () => {
  it.each([
    ['/v4/core/companies', 'error.error_code', 'HEADERS_TOO_LARGE'],
    ['/api/v1/products', 'error.code', 'HEADERS_TOO_LARGE'],
    ['/api/v1/geoencode', 'error.title', 'Headers too large'],
    ['/graphql', 'errors.0.extensions.code', 'HEADERS_TOO_LARGE'],
  ])('a URL or headers of more than 16 KB at %s return 431 in the form of the surface', async (path, member, value) => {
    const long = 'x'.repeat(16_385);
    const responses = [
      await gateway.send('GET', `${path}?search=${long}`, { headers: company.headers }),
      await gateway.send('GET', path, { headers: { ...company.headers, cookie: long } }),
    ];
    for (const { status, body } of responses) {
      expect([status, member.split('.').reduce((inside, name) => inside[name], body)]).toEqual([431, value]);
      expect(JSON.stringify(body)).toMatch(/the URL and the headers have 16\d{3} bytes, at most 16384 are allowed/);
    }
  });

  it.each([
    ['a malformed percent-encoding in the path', '/%E0%A4%A/accounts', 'companyId'],
    ['a company that is not a number', '/abc/accounts', 'companyId'],
    ['a company that is zero', '/0/accounts', 'companyId'],
    ['a company beyond all numbers', '/99999999999999999999/accounts', 'companyId'],
  ])('%s returns 400 naming it', async (_, suffix, field) => {
    const response = await gateway.send('GET', `/v4/core/companies${suffix}`, { headers: company.headers });
    expect([response.status, response.body.error.error_code, response.body.error.field]).toEqual([400, 'INVALID_PARAMS', field]);
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=ten', 'limit'],
    ['limit=5&limit=6', 'limit'],
    ['unknown=1', 'unknown'],
    ['expand=nothing', 'expand'],
    ['next=x&prev=y', 'prev'],
    ['status[eq]=NOPE', 'status[eq]'],
    ['status[gte]=ACTIVE', 'status[gte]'],
    ['updated_at[gte]=yesterday', 'updated_at[gte]'],
    ['return_count=yes', 'return_count'],
    ['sort[name]=ASC', 'sort[name]'],
    ['%ff=1', 'query'],
  ])('the query %s returns 400 naming it', async (search, field) => {
    const response = await gateway.send('GET', accounts(`?${search}`), { headers: company.headers });
    expect([response.status, response.body.error.field]).toEqual([400, field]);
  });

  it('a cursor that is damaged, or of another list or filter, is rejected', async () => {
    for (const name of ['one', 'two', 'three']) await post(JSON.stringify({ data: { name } }));
    const first = await gateway.send('GET', accounts('?limit=1'), { headers: company.headers });
    const { next } = first.body.pagination;
    const refused = [
      `?limit=1&next=${next.slice(0, -1)}${next.endsWith('A') ? 'B' : 'A'}`,
      `?limit=1&status=ACTIVE&next=${next}`,
      '?next=x',
    ].map((search) => accounts(search));
    for (const path of [...refused, `${company.base}/contacts?next=${next}`]) {
      const response = await gateway.send('GET', path, { headers: company.headers });
      expect([response.status, response.body.error.error_code]).toEqual([400, 'INVALID_CURSOR']);
    }
  });
});

describe('the platform error object', () => {
  it('message on top; code, status, details and request id below', async () => {
    const response = await gateway.send('POST', '/api/v1/corporations', { headers: bearer, body: {} });
    expect(response.status).toBe(400);
    expect(response.body.message).toEqual(expect.any(String));
    expect(response.body.error).toMatchObject({ code: 'MISSING_PARAMS', status: 400, request_id: response.headers.get('x-request-id') });
    expect(response.body.error.details[0]).toEqual({ field: expect.any(String), code: 'REQUIRED', message: expect.any(String) });
  });
});

describe('connections', () => {
  it('a request that is not HTTP is closed with 400', async () => {
    const { port } = new URL(gateway.origin);
    const text = await new Promise<string>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1', () => socket.write('NOT HTTP\r\n\r\n'));
      let received = '';
      socket.on('data', (data) => {
        received += data;
      });
      socket.on('close', () => resolve(received));
    });
    expect(text).toMatch(/^HTTP\/1.1 400/);
  });
});

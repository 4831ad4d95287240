// One request in any spelling: addresses, media types, credentials of sockets, paths, idempotency keys and conditions, each by its grammar.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { request as rawRequest } from 'undici';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Route } from '../../rest-compat/routes/route.ts';
import { routes } from '../../rest-compat/routes/routes.ts';
import { entityTagOf, isVersioned } from '../../rest-compat/runtime/record-versions.ts';
import { rootFields } from '../../rest-compat/runtime/stored-operation.ts';
import { addressOf, credentialsIn } from '../../src/http/authentication.ts';
import { eventsWanted } from '../../src/http/event-stream.ts';
import { useGateway } from '../support/gateway.ts';
import { buildCompany, type TestCompany } from '../support/records.ts';
import { credentialHeader, pathOf } from '../support/routes.ts';

const BURST = 5;
const gateway = useGateway();
const limited = useGateway({ trustedProxies: 1, rateLimitPerMinute: 60, rateLimitBurst: BURST });
let company: TestCompany;
let platform: string;
let service: string;

beforeAll(async () => {
  company = await buildCompany(gateway);
  platform = await gateway.key(['PLATFORM', 'ADMIN', 'ENTITIES', 'MANAGE_CONTENT']);
  service = await gateway.key(['GEOCODE', 'MANAGE_CONTENT']);
});

const keyOf = ({ surface, credential }: Route): Record<string, string> =>
  credential === 'none'
    ? {}
    : credentialHeader(credential, surface === 'integrations' ? company.key : surface === 'address' ? service : platform);

describe('the address of a caller', () => {
  const of = (forwarded: string | undefined, proxies: number): string =>
    addressOf(
      {
        headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
        socket: { remoteAddress: '10.0.0.1' },
      } as IncomingMessage,
      proxies,
    );
  it.each([
    [undefined, 1, '10.0.0.1'],
    ['198.51.100.8', 0, '10.0.0.1'],
    ['198.51.100.8', 1, '198.51.100.8'],
    ['198.51.100.8:40000', 1, '198.51.100.8'],
    ['"198.51.100.8:40000"', 1, '198.51.100.8'],
    ['2001:db8:1::7', 1, '2001:db8:1::7'],
    ['[2001:db8:1::7]', 1, '2001:db8:1::7'],
    ['[2001:db8:1::7]:40001', 1, '2001:db8:1::7'],
    ['"[2001:db8:1::7]:40001"', 1, '2001:db8:1::7'],
    ['::ffff:198.51.100.8', 1, '::ffff:198.51.100.8'],
    ['203.0.113.9, 198.51.100.8:1', 1, '198.51.100.8'],
    ['203.0.113.9:5, 198.51.100.8:1', 2, '203.0.113.9'],
    ['203.0.113.9', 3, '203.0.113.9'],
    ['unknown', 1, '10.0.0.1'],
    ['_hidden:80', 1, '10.0.0.1'],
    ['203.0.113.9, unknown', 2, '10.0.0.1'],
    [' , ', 1, '10.0.0.1'],
    ['198.51.100.8:port', 1, '10.0.0.1'],
  ])('%s behind %i proxies is %s', (forwarded, proxies, expected) => expect(of(forwarded, proxies)).toBe(expected));
});

describe('the allowance of a caller without a key', () => {
  it.each([
    [1, '/graphql?query={__typename}'],
    [2, '/hooks/unknown'],
    [3, '/incorporate/us/unknown'],
    [4, '/connect/unknown'],
  ])('is one for an IPv6 network of 64 bits, whatever the ports (%i: %s)', async (own, path) => {
    limited.clock.stop();
    const statusFrom = async (address: string): Promise<number> => {
      const headers = { 'x-forwarded-for': address, 'apollo-require-preflight': '1' };
      return (await limited.send(path.startsWith('/hooks') ? 'POST' : 'GET', path, { headers })).status;
    };
    const network = `2001:db8:${own}:1`;
    const statuses: number[] = [];
    for (let index = 0; index < BURST; index++) statuses.push(await statusFrom(`[${network}::${index + 1}]:${4_000 + index}`));
    expect(statuses).not.toContain(429);
    expect(await statusFrom(`${network}:ffff::1`)).toBe(429);
    expect(await statusFrom(`2001:db8:${own}:2::1`)).toBe(statuses[0]);
  });
});

describe('a caller who reads events', () => {
  it.each([
    [undefined, undefined],
    ['*/*', undefined],
    ['text/*', undefined],
    ['text/event-stream', 'only'],
    ['Text/Event-Stream', 'only'],
    ['text/event-stream;q=0', undefined],
    ['text/event-stream; q=0.0, application/json', undefined],
    ['text/event-stream;q=0.1', 'only'],
    ['text/event-stream, application/json;q=0', 'only'],
    ['application/json, text/event-stream', 'also'],
    ['application/graphql-response+json, text/event-stream', 'also'],
    ['text/event-stream, */*;q=0.1', 'also'],
    ['application/vnd.json-like, text/event-stream', 'only'],
  ] as const)('%s is asked %s', (accept, expected) => expect(eventsWanted(accept)).toBe(expected));
});

describe('the parameters of a connection', () => {
  it('name credentials alone, in any case', () => {
    const given = { Authorization: 'Bearer k', 'X-Forwarded-For': '192.0.2.1', 'x-api-key': null, host: 'elsewhere', cookie: 'a=b' };
    expect(credentialsIn(given)).toEqual({ authorization: 'Bearer k' });
  });
  it.each([[{ authorization: 5 }], [{ Authorization: 'Bearer a', authorization: 'Bearer b' }], [{ api_key: ['k'] }]])(
    '%j are rejected',
    (given) => expect(() => credentialsIn(given)).toThrow('must be one text'),
  );
});

describe('a path', () => {
  it('of any route has no second spelling with a slash behind it, or zeros before a number', async () => {
    const served: string[] = [];
    let zeros = 0;
    for (const route of routes) {
      const path = pathOf(route, () => '1');
      const spellings = [
        `${path}/`,
        ...(route.path.includes('{companyId}') ? [pathOf(route, (name) => (name === 'companyId' ? `0${company.id}` : '1'))] : []),
      ];
      zeros += spellings.length - 1;
      for (const spelling of route.path === '/' ? [] : spellings) {
        const body = ['GET', 'DELETE'].includes(route.method) ? {} : { body: { data: {} } };
        const { status, text } = await gateway.send(route.method, spelling, { headers: keyOf(route), ...body });
        if (status < 400 || status >= 500) served.push(`${route.method} ${spelling} ${status} ${text.slice(0, 80)}`);
      }
    }
    expect(served).toEqual([]);
    expect(zeros).toBeGreaterThan(100);
  }, 120_000);
});

describe('an idempotency key', () => {
  const corporations = '/api/v1/corporations';
  const send = (path: string, raw: string, key: string, more: Record<string, string> = {}) =>
    gateway.send('POST', path, {
      headers: { authorization: `Bearer ${platform}`, 'idempotency-key': key, 'content-type': 'application/json', ...more },
      raw,
    });

  it('is one claim however path and body are spelt', async () => {
    const key = randomUUID();
    const write = (path: string, raw: string) =>
      gateway.send('PUT', path, { headers: { ...company.headers, 'idempotency-key': key, 'content-type': 'application/json' }, raw });
    const first = await write(`${company.base}/tax_rates?strict=true&wait=0`, '{"data":{"name":"Once","code":"O1"}}');
    expect(first.status, first.text).toBe(200);
    const encoded = [...String(company.id)].map((digit) => `%3${digit}`).join('');
    const spellings = [
      [`/v4/core/companies/${encoded}/tax_rates?strict=true&wait=0`, '{"data":{"name":"Once","code":"O1"}}'],
      [`${company.base}/tax_rates?wait=0&stric%74=true`, ' { "data" : { "code" : "O1", "name" : "Once" } } '],
    ] as const;
    for (const [path, raw] of spellings) {
      const again = await write(path, raw);
      expect([again.text, again.headers.get('idempotency-replayed')]).toEqual([first.text, 'true']);
    }
    const found = await gateway.send('GET', `${company.base}/tax_rates?name[eq]=Once&return_count=true`, { headers: company.headers });
    expect(found.body.pagination.total_count).toBe(1);
  });

  it('is one claim on the host of the platform and on that of taxes', async () => {
    const key = randomUUID();
    const body = '{"legal_name":"Two Hosts Ltd","jurisdiction":"GB"}';
    const responses = [await send(corporations, body, key), await send(`/tax${corporations}`, body, key)];
    expect(responses.map(({ status, text }) => [status, text])).toEqual([
      [200, responses[0]!.text],
      [200, responses[0]!.text],
    ]);
  });

  it('is not used up by a request that was rejected, on REST and GraphQL', async () => {
    const key = randomUUID();
    expect((await send(corporations, '{"legal_name":5}', key)).status).toBe(400);
    const rest = await send(corporations, '{"legal_name":"Corrected Ltd","jurisdiction":"GB"}', key);
    expect([rest.status, rest.headers.get('idempotency-replayed')]).toEqual([200, null]);
    const graphql = (input: object) =>
      gateway.send('POST', '/graphql', {
        headers: { authorization: `Bearer ${company.key}`, 'idempotency-key': key },
        body: {
          query: 'mutation ($input: CreateAccountInput!) { createAccount(input: $input) { account { name } errors { code } } }',
          variables: { input },
        },
      });
    const refused = await graphql({ companyId: company.id, name: 'Child', parentAccountId: 999_999_999 });
    expect(refused.body.data.createAccount.errors, refused.text).toHaveLength(1);
    const fixed = await graphql({ companyId: company.id, name: 'Child' });
    expect(fixed.body.data?.createAccount, fixed.text).toEqual({ account: { name: 'Child' }, errors: [] });
    // What was written stays with its key.
    expect((await graphql({ companyId: company.id, name: 'Other' })).body.errors[0].extensions.code).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  it('is not that of a write under another condition, which the response to the first one would pass over', async () => {
    const { headers, base } = company;
    const replays: string[] = [];
    for (const method of ['PUT', 'DELETE']) {
      const made = await gateway.send('POST', `${base}/accounts`, { headers, body: { data: { name: 'Conditional' } } });
      const path = `${base}/accounts/${made.body.data.data.ledger_id}`;
      const tag = (await gateway.send('GET', path, { headers })).headers.get('etag')!;
      const key = { ...headers, 'idempotency-key': randomUUID() };
      const write = (condition: Record<string, string>) =>
        gateway.send(method, path, {
          headers: { ...key, ...condition },
          ...(method === 'PUT' ? { body: { data: { name: 'Changed' } } } : {}),
        });
      expect((await write({ 'if-match': tag })).status).toBeLessThan(300);
      expect((await write({ 'if-match': tag })).headers.get('idempotency-replayed')).toBe('true');
      for (const condition of [{}, { 'if-match': '"other"' }, { 'if-match': '*' }]) {
        const { status, text } = await write(condition as Record<string, string>);
        if (status !== 422) replays.push(`${method} ${JSON.stringify(condition)} ${status} ${text.slice(0, 80)}`);
      }
    }
    expect(replays).toEqual([]);
  });

  it('is rejected where two are sent', async () => {
    const { statusCode, body } = await rawRequest(`${gateway.origin}${corporations}`, {
      method: 'POST',
      headers: ['authorization', `Bearer ${platform}`, 'content-type', 'application/json', 'idempotency-key', 'a', 'idempotency-key', 'b'],
      body: '{"legal_name":"Two Keys Ltd","jurisdiction":"GB"}',
    });
    expect([statusCode, await body.text()]).toEqual([400, expect.stringContaining('Idempotency-Key may be sent once')]);
  });
});

describe('a condition', () => {
  const isMutation = (route: Route): boolean => rootFields(gateway.services.schema, route).kind === 'mutation';
  const takes = (route: Route): boolean => isVersioned(gateway.services.schema, route);

  it('is rejected by name by every write that takes none', async () => {
    const ignored: string[] = [];
    const without = routes.filter((route) => isMutation(route) && !takes(route) && route.credential !== 'none');
    for (const route of without) {
      const { fields } = rootFields(gateway.services.schema, route);
      if (
        fields.some(({ args }) => args.some(({ name }) => name === 'content')) ||
        Object.values(route.args).some(({ from }) => from === 'upload')
      )
        continue;
      const headers = { ...keyOf(route), 'if-match': '"nonsense"' };
      const body = route.method === 'DELETE' ? {} : { body: { data: {} } };
      const response = await gateway.send(
        route.method,
        pathOf(route, (name) => (name === 'companyId' ? String(company.id) : '1')),
        { headers, ...body },
      );
      if (response.status !== 400 || !response.text.includes('If-Match'))
        ignored.push(`${route.method} ${route.path} ${response.status} ${response.text.slice(0, 120)}`);
    }
    expect(without.length).toBeGreaterThan(50);
    expect(ignored).toEqual([]);
  }, 120_000);

  it('is kept by the writes of records that show their version', async () => {
    const bearer = { authorization: `Bearer ${platform}` };
    const made = await gateway.send('POST', '/api/v1/corporations', {
      headers: bearer,
      body: { legal_name: 'Versions Ltd', jurisdiction: 'GB' },
    });
    const path = `/api/v1/corporations/${made.body.data?.id ?? made.body.id}`;
    const read = await gateway.send('GET', path, { headers: bearer });
    const tag = read.headers.get('etag')!;
    expect(tag, read.text).toMatch(/^(W\/)?".+"$/);
    const change = (match: string) =>
      gateway.send('POST', path, { headers: { ...bearer, 'if-match': match }, body: { legal_name: 'Changed Ltd' } });
    expect([(await change('"other"')).status, (await change('')).status, (await change('"a", *')).status]).toEqual([412, 400, 412]);
    expect((await gateway.send('GET', path, { headers: bearer })).text).toContain('Versions Ltd');
    const changed = await change(tag);
    expect([changed.status, changed.headers.get('etag')], changed.text).toEqual([200, expect.not.stringContaining(tag)]);
    expect((await change(tag)).status).toBe(412);
  });

  it('in a header of /graphql is rejected by every mutation, and stays without effect on queries', async () => {
    const { body } = await gateway.send('POST', `${company.base}/accounts`, {
      headers: company.headers,
      body: { data: { name: 'Before' } },
    });
    const id = body.data.data.ledger_id;
    const change = `mutation { updateAccount(input: { companyId: ${company.id}, id: ${id}, name: "After" }) { account { name } errors { code } } }`;
    const run = (query: string, more: Record<string, string>) =>
      gateway.send('POST', '/graphql', { headers: { authorization: `Bearer ${company.key}`, ...more }, body: { query } });
    for (const name of ['If-Match', 'If-None-Match'])
      for (const value of ['"other"', '*', ''])
        for (const accept of ['application/json', 'text/event-stream', 'application/graphql-response+json']) {
          const { status, text } = await run(change, { [name]: value, accept });
          expect(text, `${name}: ${value} ${accept}`).toContain(`${name} is not supported on this path`);
          // The other two return what they reject with 200, as for every operation.
          if (accept.includes('graphql-response')) expect(status).toBe(400);
        }
    const query = `{ company(id: ${company.id}) { account(ledgerId: ${id}) { name } } }`;
    expect((await run(query, { 'if-none-match': '"x"' })).body.data.company.account).toEqual({ name: 'Before' });
    expect((await run(change, {})).body.data.updateAccount).toEqual({ account: { name: 'After' }, errors: [] });
  });

  it('If-None-Match: * lets no PUT change a record, and other writes reject it', async () => {
    const { headers, base } = company;
    const { body } = await gateway.send('POST', `${base}/accounts`, { headers, body: { data: { name: 'There' } } });
    const none = { ...headers, 'if-none-match': '*' };
    const single = `${base}/accounts/${body.data.data.ledger_id}`;
    const known = await gateway.send('PUT', single, { headers: none, body: { data: { name: 'Changed' } } });
    expect([known.status, known.body.error.field], known.text).toEqual([412, 'If-None-Match']);
    expect(known.body.error.message).toBe('the record exists already, which If-None-Match rules out');
    expect((await gateway.send('PUT', `${base}/accounts`, { headers: none, body: { data: { name: 'New' } } })).status).toBe(400);
    expect((await gateway.send('GET', single, { headers })).body.data.name).toBe('There');
  });

  it('every route that shows a record with versions shows its tag, and its writes take it', () => {
    const shown = routes.filter((route) => entityTagOf(gateway.services.schema, route));
    expect(new Set(shown.map(({ surface }) => surface))).toEqual(new Set(['platform', 'integrations']));
  });
});

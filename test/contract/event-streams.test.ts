// GraphQL over SSE (distinct connections) and all operations over WebSocket, with the clients of their protocols and with raw connections.
import { connect as connectTcp, type Socket } from 'node:net';
import type { ExecutionResult } from 'graphql';
import { createClient, type Client as EventClient } from 'graphql-sse';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { socketLimits } from '../../src/graphql/subscriptions/messages.ts';
import { ADMIN_TOKEN, startGateway, useGateway } from '../support/gateway.ts';
import { type RawResponse, rawRequest } from '../support/raw-http.ts';
import { buildCompany } from '../support/records.ts';
import { closeClients, connectWithKey } from '../support/subscriber.ts';
import { emitAs } from '../support/webhooks.ts';

const gateway = useGateway();
closeClients();
let key: string;
/** Notifications that someone waits for. */
let waiting = 0;

beforeAll(async () => {
  key = await gateway.key(['PLATFORM']);
  const { notifications } = gateway.services;
  const subscribe = notifications.subscribe.bind(notifications);
  notifications.subscribe = (name, listener) => {
    const unsubscribe = subscribe(name, listener);
    waiting++;
    let isOpen = true;
    return () => {
      if (isOpen) waiting--;
      isOpen = false;
      unsubscribe();
    };
  };
});

const clients: EventClient[] = [];
const sockets: Socket[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.dispose();
  for (const socket of sockets.splice(0)) socket.destroy();
});
const client = (own = key, origin = gateway.origin): EventClient => {
  const made = createClient({ url: `${origin}/graphql`, headers: { authorization: `Bearer ${own}` }, retryAttempts: 0 });
  clients.push(made);
  return made;
};

const until = async (is: () => boolean): Promise<void> => {
  while (!is()) await new Promise((resolve) => setTimeout(resolve, 5));
};

const STREAM = 'subscription { eventStream(topics: [PRODUCTS_CREATED]) { topic data } }';
const ANY = 'subscription { eventStream { id data } }';
const emit = (n: number): Promise<void> => emitAs(gateway, key, { topic: 'PRODUCTS.CREATED', data: { n } });

/** A stream over a bare connection, so that the test can stop reading and break it. */
function raw(query = ANY, method: 'GET' | 'POST' = 'POST'): Socket {
  const socket = connectTcp(Number(new URL(gateway.origin).port), '127.0.0.1');
  sockets.push(socket);
  const body = JSON.stringify({ query });
  const path = method === 'GET' ? `/graphql?query=${encodeURIComponent(query)}` : '/graphql';
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: test', `Authorization: Bearer ${key}`, 'Accept: text/event-stream'];
  if (method === 'POST') lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`);
  socket.on('error', () => {});
  socket.write(`${lines.join('\r\n')}\r\n\r\n${method === 'POST' ? body : ''}`);
  return socket;
}
const textOf = (socket: Socket): { text: string } => {
  const seen = { text: '' };
  socket.on('data', (data) => {
    seen.text += data.toString();
  });
  return seen;
};

describe('over SSE', () => {
  it('a query and a mutation are one event and the end', async () => {
    const results: unknown[] = [];
    for await (const result of client().iterate({ query: '{ service { status } }' })) results.push(result);
    expect(results).toEqual([{ data: { service: { status: 'ok' } } }]);
    const create = client().iterate({
      query: 'mutation Create($content: Upload!) { createFile(input: { content: $content, name: "a.csv" }) { file { id name } } }',
      variables: { content: 'name\nA\n' },
    });
    expect(await create.next()).toMatchObject({ value: { data: { createFile: { file: { name: 'a.csv' } } } } });
    expect((await create.next()).done).toBe(true);
  });

  it('a subscription has an event per result', async () => {
    const stream = client().iterate<{ eventStream: { data: { n: number } } }>({ query: ANY });
    const first = stream.next();
    await until(() => waiting > 0);
    await emit(1);
    expect((await first).value?.data?.eventStream.data.n).toBe(1);
    await emit(2);
    expect((await stream.next()).value?.data?.eventStream.data.n).toBe(2);
    await stream.return?.();
    await until(() => waiting === 0);
  });

  it('an event stream is neither compressed nor stored, and begins at once, by GET too', async () => {
    for (const method of ['POST', 'GET'] as const) {
      const socket = raw(ANY, method);
      const seen = textOf(socket);
      await until(() => seen.text.includes(':\n\n'));
      expect(seen.text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
      expect(seen.text).toMatch(/Content-Type: text\/event-stream; charset=utf-8\r\n/);
      expect(seen.text).toMatch(/Cache-Control: no-store, no-transform\r\n/);
      expect(seen.text).not.toMatch(/Content-Encoding|Content-Length/i);
      socket.destroy();
    }
    await until(() => waiting === 0);
  });

  it('errors of an operation are its event', async () => {
    const errorsOf = async (query: string, variables: Record<string, unknown> = {}): Promise<string[]> => {
      const { value } = await client().iterate({ query, variables }).next();
      return ((value as { errors: { extensions: { code: string } }[] }).errors ?? []).map(({ extensions }) => extensions.code);
    };
    expect(await errorsOf('subscription { nothing }')).toEqual(['INVALID_PARAMS']);
    expect(await errorsOf('{ nothing }')).toEqual(['INVALID_PARAMS']);
    expect(await errorsOf('subscription ($id: ID!) { importJobProgress(jobId: $id) { id } }')).toEqual(['MISSING_PARAMS']);
    expect(await errorsOf('subscription {')).toEqual(['INVALID_PARAMS']);
    expect(waiting).toBe(0);
  });

  const refused: [what: string, headers: Record<string, string>, body: unknown, status: number, code: string][] = [
    ['no key', {}, { query: STREAM }, 401, 'UNAUTHENTICATED'],
    ['a wrong key', { authorization: 'Bearer ent_wrong' }, { query: STREAM }, 401, 'UNAUTHENTICATED'],
    ['no document', {}, { variables: {} }, 400, 'MISSING_PARAMS'],
  ];
  it.each(refused)('with %s the response is an error of HTTP', async (_, headers, body, status, code) => {
    const response = await rawRequest(gateway.origin, 'POST', '/graphql', { headers: { accept: 'text/event-stream', ...headers }, body });
    expect([response.status, JSON.parse(response.text).errors[0].extensions.code]).toEqual([status, code]);
    expect(response.headers['content-type']).toContain('json');
  });

  it('a mutation by GET is rejected', async () => {
    const response: RawResponse = await rawRequest(
      gateway.origin,
      'GET',
      `/graphql?query=${encodeURIComponent('mutation { createFile(input: { content: "x" }) { file { id } } }')}`,
      { headers: { accept: 'text/event-stream', authorization: `Bearer ${key}`, 'apollo-require-preflight': '1' } },
    );
    expect(response.status).toBe(405);
  });

  it('streams that break off free everything, and their places', { timeout: 120_000 }, async () => {
    for (let round = 0; round < 2; round++) {
      const open = Array.from({ length: socketLimits.connections }, () => raw());
      const seen = open.map(textOf);
      await until(() => seen.every(({ text }) => text.includes(':\n\n')));
      const beyond = textOf(raw());
      await until(() => beyond.text.includes('\r\n\r\n'));
      expect(beyond.text).toMatch(/^HTTP\/1\.1 429 /);
      for (const [at, socket] of open.entries())
        if (at % 2 === 0) socket.resetAndDestroy();
        else socket.end();
      await until(() => waiting === 0);
    }
  });

  it('a stream whose key is revoked ends with the reason', async () => {
    const issue = await gateway.services.keys.issue({ organisationName: 'Revoked', roles: ['PLATFORM'], companyIds: null });
    const other = await gateway.key(['PLATFORM'], 'Revoked');
    const stream = client(issue.key).iterate({ query: ANY });
    const first = stream.next();
    await until(() => waiting > 0);
    const revoke = 'mutation ($id: ID!) { revokeAccessKey(input: { id: $id }) { accessKey { id } } }';
    expect((await gateway.graphql(ADMIN_TOKEN, revoke, { id: issue.id })).body.errors).toBeUndefined();
    await emitAs(gateway, other, { topic: 'PRODUCTS.CREATED', data: { n: 1 } });
    expect((await first).value).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
    expect((await stream.next()).done).toBe(true);
    await until(() => waiting === 0);
  });

  it('a stop of the gateway ends the streams', { timeout: 120_000 }, async () => {
    const other = await startGateway();
    const own = await other.key(['PLATFORM']);
    const stream = client(own, other.origin).iterate({ query: ANY });
    const first = stream.next().then(
      ({ done }) => done === true,
      () => true,
    );
    await new Promise((resolve) => setTimeout(resolve, 100));
    await other.stop();
    expect(await first).toBe(true);
  });
});

describe('over WebSocket', () => {
  it('queries and mutations run too, with their errors', async () => {
    const socket = connectWithKey(gateway.origin, key);
    const run = async (query: string, variables: Record<string, unknown> = {}): Promise<unknown> =>
      (await socket.iterate({ query, variables }).next()).value;
    expect(await run('query ($c: CountryCode) { service { status } taxIdKinds(country: $c) { key } }', { c: 'GB' })).toMatchObject({
      data: { service: { status: 'ok' }, taxIdKinds: expect.any(Array) },
    });
    expect(await run('mutation { createFile(input: { content: "name\\nA\\n", name: "b.csv" }) { file { name } } }')).toEqual({
      data: { createFile: { file: { name: 'b.csv' } } },
    });
    expect(await run('{ corporation(id: "corp_none") { id } }')).toMatchObject({
      data: { corporation: null },
      errors: [{ extensions: { code: 'CORPORATION_NOT_FOUND' } }],
    });
    expect(await run('{ __schema { queryType { name } } }')).toEqual({ data: { __schema: { queryType: { name: 'Query' } } } });
  });

  it('values that an operation rejects are its result, and the connection and its other operations continue', async () => {
    const socket = connectWithKey(gateway.origin, key);
    const stream = socket.iterate<{ eventStream: { data: { n: number } } }>({ query: ANY });
    const event = stream.next();
    await until(() => waiting > 0);
    for (const input of [5, { name: 7 }]) {
      const query = 'mutation ($input: CreateCompanyInput!) { createCompany(input: $input) { company { id } } }';
      const { value } = await socket.iterate({ query, variables: { input } }).next();
      expect(value).toMatchObject({ errors: [{ extensions: { code: 'INVALID_PARAMS' } }] });
      expect(value).not.toHaveProperty('data');
    }
    await emit(3);
    expect((await event).value?.data?.eventStream.data.n).toBe(3);
  });

  it.each(['WebSocket', 'SSE'])('a mutation over %s is repeated by the key in its input, over POST too', async (transport) => {
    const { id, key: own } = await buildCompany(gateway);
    const over = transport === 'SSE' ? client(own) : connectWithKey(gateway.origin, own);
    const query = 'mutation ($input: CreateAccountInput!) { createAccount(input: $input) { account { id } errors { code path } } }';
    const create = async (given: object): Promise<ExecutionResult> => {
      const variables = { input: { companyId: id, idempotencyKey: `sent by ${transport}`, ...given } };
      return (await over.iterate({ query, variables }).next()).value as ExecutionResult;
    };
    const first = await create({ name: 'A' });
    expect(first).toMatchObject({ data: { createAccount: { account: { id: expect.any(String) }, errors: [] } } });
    expect(await create({ name: 'A' })).toEqual(first);
    const input = { companyId: id, idempotencyKey: `sent by ${transport}`, name: 'A' };
    expect((await gateway.graphql(own, query, { input })).body).toEqual(first);
    expect(await create({ name: 'B' })).toMatchObject({ errors: [{ extensions: { code: 'IDEMPOTENCY_KEY_REUSED' } }] });
    const refused = { name: 'A', parentAccountId: 'account_999999999', strict: true, idempotencyKey: `refused by ${transport}` };
    const refusal = await create(refused);
    expect(refusal).toMatchObject({ data: { createAccount: { account: null, errors: [{ path: ['parentAccountId'] }] } } });
    expect(await create(refused)).toEqual(refusal);
    const list = await gateway.graphql(own, `{ company(id: ${id}) { accounts(first: 5) { nodes { name } } } }`);
    expect(list.body.data.company.accounts.nodes).toEqual([{ name: 'A' }]);
  });

  it('two of one key at once are carried out once', async () => {
    const { id, key: own } = await buildCompany(gateway);
    const input = { companyId: id, name: 'Once', idempotencyKey: 'at once' };
    const query = 'mutation ($input: CreateAccountInput!) { createAccount(input: $input) { account { id } } }';
    const responses = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const { value } = await connectWithKey(gateway.origin, own).iterate({ query, variables: { input } }).next();
        return (value as { errors?: { extensions: { code: string } }[] }).errors?.[0]?.extensions.code ?? 'stored';
      }),
    );
    expect(responses).toContain('stored');
    expect(['stored', 'IDEMPOTENCY_IN_PROGRESS']).toEqual(expect.arrayContaining(responses));
    const list = await gateway.graphql(own, `{ company(id: ${id}) { accounts(first: 5) { totalCount } } }`);
    expect(list.body.data.company.accounts.totalCount).toBe(1);
  });
});

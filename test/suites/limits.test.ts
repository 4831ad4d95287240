// Limits apply at their exact value, and a rejection beyond them is cheap: rates, sizes of operations and bodies, slow connections.
import { connect, type Socket } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { operationLimits } from '../../src/graphql/query-cost.ts';
import { type GatewayResponse, useGateway } from '../support/gateway.ts';
import { buildCompany, type TestCompany } from '../support/records.ts';

const BURST = 5;
const gateway = useGateway();
const limited = useGateway({ rateLimitPerMinute: 60, rateLimitBurst: BURST });
const rounds = Number(process.env.SUITE_ROUNDS ?? 1);
let company: TestCompany;
let key: string;

beforeAll(async () => {
  key = await gateway.key(['PLATFORM', 'GEOCODE', 'MANAGE_CONTENT', 'INTEGRATIONS']);
  company = await buildCompany(gateway, { key });
});

const codeOf = (response: GatewayResponse): string =>
  response.body?.errors?.[0]?.extensions?.code ?? response.body?.error?.error_code ?? response.body?.error?.code ?? 'OK';

/** A raw connection and everything it received; `closed` resolves when the server has closed it. */
function open(): { socket: Socket; received: () => string; closed: Promise<void> } {
  const socket = connect(Number(new URL(gateway.origin).port), '127.0.0.1');
  let text = '';
  socket.on('data', (data) => (text += data.toString('latin1')));
  // A server that closes while we still write resets the connection.
  socket.on('error', () => {});
  return { socket, received: () => text, closed: new Promise((resolve) => socket.once('close', () => resolve())) };
}

describe('the rate of a key', () => {
  it.each(['REST', 'GraphQL'])('%s counts down in its headers and returns 429 with the time until a retry', async (endpoint) => {
    const own = await limited.key(['INTEGRATIONS']);
    const ask = (): Promise<GatewayResponse> =>
      endpoint === 'REST'
        ? limited.send('GET', '/v4/core/companies', { headers: { api_key: own } })
        : limited.graphql(own, '{ __typename }');
    limited.clock.stop();
    const responses: GatewayResponse[] = [];
    for (let index = 0; index < BURST + 2; index++) responses.push(await ask());
    expect(responses.map(({ status }) => status)).toEqual([...Array<number>(BURST).fill(200), 429, 429]);
    expect(responses.map(({ headers }) => Number(headers.get('x-ratelimit-remaining')))).toEqual([4, 3, 2, 1, 0, 0, 0]);
    const refused = responses.at(-1)!;
    expect([codeOf(refused), refused.headers.get('x-ratelimit-limit')]).toEqual(['RATE_LIMIT_EXCEEDED', String(BURST)]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(refused.headers.get('x-ratelimit-reset'))).toBeGreaterThan(limited.clock.now().getTime() / 1_000);
    expect((await limited.graphql(await limited.key(['INTEGRATIONS']), '{ __typename }')).status).toBe(200);
  });
});

describe('the size of an operation', () => {
  const repeat = (count: number, part: (index: number) => string): string =>
    Array.from({ length: count }, (_, index) => part(index)).join(' ');
  const { tokens, depth, aliases, rootFields, directives } = operationLimits;
  const parents = (levels: number): string => (levels === 0 ? 'name' : `parentAccount { ${parents(levels - 1)} }`);
  const account = (text: string): string => `{ company(id: 1) { account(ledgerId: 1) { ${text} } } }`;
  /** Objects of a page of companies with a page of accounts each: `first` + `first` x 100. */
  const pages = (first: number): string =>
    `{ companies(first: ${first}) { nodes { accounts(first: 100) { nodes { name currency { code } } } } } }`;

  it.each<[string, number, (size: number) => string]>([
    ['tokens', tokens, (size) => `{ nodes(ids: [${'"x" '.repeat(size - 12)}]) { id } }`],
    ['levels', depth, (size) => account(parents(size - 3))],
    ['aliases', aliases, (size) => account(`${repeat(size, (index) => `a${index}: name`)}`)],
    ['root fields', rootFields, (size) => `{ ${repeat(size, (index) => `f${index}: __typename`)} }`],
    ['directives', directives, (size) => account(repeat(size, (index) => `... @include(if: true) { n${index}: ledgerId }`))],
    ['objects', 66, (size) => pages(size)],
  ])('%s are taken up to the limit and rejected above', async (_, limit, text) => {
    const [at, above] = [await gateway.graphql(key, text(limit)), await gateway.graphql(key, text(limit + 1))];
    expect([at.status, at.body.errors?.[0]?.extensions.code ?? 'OK']).toEqual([
      200,
      expect.stringMatching(/^(OK|COMPANY_NOT_FOUND|RECORD_NOT_FOUND|INVALID_PARAMS)$/),
    ]);
    expect([above.status, codeOf(above)]).toEqual([400, expect.stringMatching(/^(QUERY_TOO_COMPLEX|INVALID_PARAMS)$/)]);
  });

  it('fragments that double at every level cost no more than their text', async () => {
    const levels = 60;
    const chain = repeat(levels, (index) => `fragment f${index} on Account { ...f${index + 1} ...f${index + 1} }`);
    const response = await gateway.graphql(key, `${account('...f0')} ${chain} fragment f${levels} on Account { name }`);
    expect([response.status, codeOf(response)]).toEqual([400, 'QUERY_TOO_COMPLEX']);
    const nested = repeat(levels, (index) => `fragment f${index} on Account { parentAccount { ...f${index + 1} ...f${index + 1} } }`);
    const deep = await gateway.graphql(key, `${account('...f0')} ${nested} fragment f${levels} on Account { name }`);
    expect([deep.status, codeOf(deep)]).toEqual([400, 'QUERY_TOO_COMPLEX']);
  });
});

describe('the size of a body', () => {
  const megabyte = 1_048_576;
  const head = (path: string, framing: string, type = 'application/json', own = key): string =>
    `POST ${path} HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer ${own}\r\napi_key: ${own}\r\nx-service-key: ${own}\r\nContent-Type: ${type}\r\n${framing}\r\n\r\n`;
  const chunk = (bytes: Buffer): Buffer => Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);

  it.each([
    ['/api/v1/corporations', 1],
    ['/api/v1/geoencode', 1],
    ['/graphql', 1],
    ['/api/v1/internal/iso_3166/ingest/json', 10],
    ['/v4/core/companies/COMPANY/accounts', 10],
  ])('%s takes %i MB; more is 413 and the end of the connection, announced or not', async (template, megabytes) => {
    const path = template.replace('COMPANY', String(company.id));
    const announced = open();
    announced.socket.write(head(path, `Content-Length: ${megabytes * megabyte + 1}`));
    const chunked = open();
    chunked.socket.write(head(path, 'Transfer-Encoding: chunked'));
    for (let sent = 0; sent <= megabytes; sent++) chunked.socket.write(chunk(Buffer.alloc(megabyte, ' ')));
    for (const { received, closed } of [announced, chunked]) {
      await closed;
      expect(received()).toMatch(/^HTTP\/1\.1 413 .*\r\nConnection: close\r\n/s);
    }
    const text = JSON.stringify({ data: 1 });
    const full = await gateway.send('POST', path, {
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      raw: text + ' '.repeat(megabytes * megabyte - text.length),
    });
    expect(full.status).not.toBe(413);
  });

  it('of a body without a key little is read', async () => {
    const query = JSON.stringify({ query: '{ __typename }' });
    const sent = async (bytes: number, headers: Record<string, string> = {}): Promise<[number, string | undefined]> => {
      const raw = query + ' '.repeat(bytes - query.length);
      const response = await gateway.send('POST', '/graphql', { headers: { 'content-type': 'application/json', ...headers }, raw });
      return [response.status, response.body.errors?.[0].message];
    };
    const most = operationLimits.bodyKilobytesWithoutKey * 1_024;
    expect(await sent(most)).toEqual([200, undefined]);
    expect(await sent(most + 1)).toEqual([401, 'a key is required with a body of more than 64 kB']);
    expect(await sent(most + 1, company.headers)).toEqual([200, undefined]);
  });

  const multipart = 'multipart/form-data; boundary=b';
  const part = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n';
  it.each<[string, string, string, Record<string, string>, () => Buffer, number]>([
    ['JSON', '/api/v1/corporations', 'application/json', {}, () => Buffer.alloc(megabyte, ' '), 413],
    ['a query', '/graphql', 'application/json', {}, () => Buffer.alloc(megabyte, ' '), 413],
    [
      'JSON that unpacks to a thousand times its size',
      '/graphql',
      'application/json',
      { gzip: '' },
      () => gzipSync(Buffer.alloc(2 * megabyte)),
      413,
    ],
    ['a file', '/api/v1/files', multipart, { first: part }, () => Buffer.alloc(megabyte, 'x'), 413],
    ['the preamble of a form', '/api/v1/files', multipart, {}, () => Buffer.alloc(megabyte, 'x'), 413],
    ['JSON of a stranger', '/graphql', 'application/json', { key: 'stranger' }, () => Buffer.alloc(megabyte, ' '), 401],
  ])('%s that never ends gets its response while it is sent, and is cut off', async (_, path, type, more, piece, status) => {
    const { socket, received, closed } = open();
    const encoding = more.gzip === undefined ? '' : '\r\nContent-Encoding: gzip';
    socket.write(head(path, `Transfer-Encoding: chunked${encoding}`, type, more.key ?? key));
    if (more.first) socket.write(chunk(Buffer.from(more.first)));
    const bytes = chunk(piece());
    const timer = setInterval(() => socket.write(bytes), 20);
    await closed;
    clearInterval(timer);
    expect(received()).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(received().match(/HTTP\/1\.1/g)).toHaveLength(1);
  });
});

describe('long texts', () => {
  it('a number of a million digits is rejected in no more time than it takes to read', async () => {
    const long = `1${'0'.repeat(900_000)}1`;
    const headers = { ...company.headers, 'content-type': 'application/json' };
    const rest = await gateway.send('POST', `${company.base}/accounts`, { headers, raw: `{"data":{"current_balance":${long}}}` });
    expect([rest.status, codeOf(rest)]).toEqual([400, 'INVALID_PARAMS']);
    const create = `mutation { createAccounts(input: { companyId: ${company.id}, records: [{ currentBalance: ${long} }] }) { accounts { name } } }`;
    expect(codeOf(await gateway.graphql(company.key, create))).toBe('INVALID_PARAMS');
  });
});

describe('slow connections', () => {
  const SOCKETS = 500;
  /** Node ends a request whose head takes more than 10 s, and one whose body takes more than five minutes. Only the large form waits for the latter. */
  const awaitBodies = rounds > 1;

  it('500 of them, a byte at a time, delay no other request and are closed', async () => {
    const delay = monitorEventLoopDelay({ resolution: 10 });
    delay.enable();
    const slow = Array.from({ length: SOCKETS }, (_, index) => {
      const connection = open();
      const isBody = index % 2 === 0;
      const first = `POST /v4/core/companies/${company.id}/accounts HTTP/1.1\r\nHost: test\r\napi_key: ${key}\r\n`;
      connection.socket.write(isBody ? `${first}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{` : first);
      const timer = setInterval(() => connection.socket.write(isBody ? ' ' : 'x'), 200);
      connection.socket.once('close', () => clearInterval(timer));
      return { ...connection, isBody };
    });
    const ended = Promise.all(slow.filter(({ isBody }) => awaitBodies || !isBody).map(({ closed }) => closed));
    let isOver = false;
    void ended.then(() => {
      isOver = true;
    });
    const statuses: number[] = [];
    while (!isOver) {
      statuses.push((await gateway.send('GET', `${company.base}/accounts`, { headers: company.headers })).status);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    for (const { socket } of slow) socket.destroy();
    delay.disable();
    console.log(
      `limits: ${SOCKETS} slow connections, ${statuses.length} other requests served; event loop delay p99 ${(delay.percentile(99) / 1e6).toFixed(0)} ms, most ${(delay.max / 1e6).toFixed(0)} ms`,
    );
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    for (const { received } of slow.filter(({ isBody }) => awaitBodies || !isBody)) expect(received()).toMatch(/^HTTP\/1\.1 408 /);
  }, 600_000);
});

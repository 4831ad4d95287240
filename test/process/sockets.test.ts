// WebSockets: rate limits and other limits.
import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import { getIntrospectionQuery } from 'graphql';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { socketLimits } from '../../src/graphql/subscriptions/messages.ts';
import { type Gateway, useGateway } from '../support/gateway.ts';
import { watchTurns } from '../support/loop-turns.ts';

const gateway = useGateway({ trustedProxies: 1 });
const BURST = 8;
const limited = useGateway({ rateLimitPerMinute: 60, rateLimitBurst: BURST });

const SUBSCRIBE = 'subscription { eventStream { id } }';

interface Message {
  type: string;
  id?: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into messages by path.
  payload?: any;
}

/** A client that exposes every message and the close event. */
class Client {
  readonly socket: WebSocket;
  readonly messages: Message[] = [];
  readonly closed: Promise<number>;
  readonly #opened: Promise<void>;
  #waiting: { is: (message: Message) => boolean; found: (message: Message) => void }[] = [];

  constructor(at: Gateway, headers: Record<string, string> = {}) {
    this.socket = new WebSocket(`${at.origin.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', { headers });
    this.closed = new Promise((resolve) => this.socket.once('close', (code) => resolve(code)));
    this.#opened = new Promise((resolve) => this.socket.once('open', resolve));
    this.socket.on('error', () => {});
    this.socket.on('message', (data) => {
      const message = JSON.parse(String(data)) as Message;
      this.messages.push(message);
      for (const waiting of this.#waiting.filter(({ is }) => is(message))) {
        this.#waiting = this.#waiting.filter((other) => other !== waiting);
        waiting.found(message);
      }
    });
  }

  send(...messages: Message[]): void {
    for (const message of messages) this.socket.send(JSON.stringify(message));
  }

  received(is: (message: Message) => boolean): Promise<Message> {
    const known = this.messages.find(is);
    return known ? Promise.resolve(known) : new Promise((found) => this.#waiting.push({ is, found }));
  }

  /** Opens the connection and sends connection_init. */
  async start(key?: string): Promise<this> {
    await this.#opened;
    this.send({ type: 'connection_init', ...(key ? { payload: { authorization: `Bearer ${key}` } } : {}) });
    await this.received(({ type }) => type === 'connection_ack');
    return this;
  }

  subscribe(id: string, query = SUBSCRIBE): void {
    this.send({ type: 'subscribe', id, payload: { query } });
  }

  /** The error code that an operation returned. */
  async refusal(id: string): Promise<string> {
    const { payload } = await this.received((message) => message.id === id && (message.type === 'error' || message.type === 'next'));
    return (payload.errors ?? payload)[0].extensions.code;
  }
}

const clients: Client[] = [];
const client = (at: Gateway = gateway, headers?: Record<string, string>): Client => {
  const made = new Client(at, headers);
  clients.push(made);
  return made;
};
afterEach(async () => {
  for (const { socket } of clients) socket.terminate();
  await Promise.all(clients.splice(0).map(({ closed }) => closed));
});

describe('the allowance of a key', () => {
  it('a subscription uses one request of it, as a request over HTTP does', async () => {
    limited.clock.stop();
    const key = await limited.key(['PLATFORM']);
    const own = await client(limited).start(key);
    for (let index = 0; index < BURST - 1; index++) own.subscribe(`s${index}`, 'subscription { eventStream { nothing } }');
    for (let index = 0; index < BURST - 1; index++) expect(await own.refusal(`s${index}`)).toBe('INVALID_PARAMS');
    expect((await limited.graphql(key, '{ __typename }')).status).toBe(200);
    own.subscribe('above');
    expect(await own.refusal('above')).toBe('RATE_LIMIT_EXCEEDED');
    const { payload } = await own.received(({ id }) => id === 'above');
    expect(payload[0].extensions.retryAfterSeconds).toBe(1);
    expect((await limited.graphql(key, '{ __typename }')).status).toBe(429);
  });

  it('without a key it is that of the address, and no subscription starts', async () => {
    limited.clock.stop();
    limited.clock.advance(60_000);
    const own = await client(limited).start();
    for (let index = 0; index <= BURST; index++) own.subscribe(`s${index}`);
    for (let index = 0; index < BURST; index++) expect(await own.refusal(`s${index}`)).toBe('UNAUTHENTICATED');
    expect(await own.refusal(`s${BURST}`)).toBe('RATE_LIMIT_EXCEEDED');
    expect((await limited.graphql(null, '{ __typename }')).status).toBe(429);
  });
});

describe('limits', () => {
  it('new documents that come at once are checked by turns with what else is ready', async () => {
    const own = await client().start(await gateway.key(['PLATFORM', 'INTEGRATIONS']));
    const document = (at: number): string =>
      `{ company(id: 1) { ${Array.from({ length: 20 }, (_, index) => `a${at}x${index}: accounts(first: 1) { nodes { name ledgerId } }`).join(' ')} } }`;
    const turns = watchTurns();
    for (let at = 0; at < 40; at++) own.subscribe(`d${at}`, document(at));
    await Promise.all(Array.from({ length: 40 }, (_, at) => own.received(({ id, type }) => id === `d${at}` && type !== 'complete')));
    const { longest, all } = await turns();
    expect(longest).toBeLessThan(all / 4);
  });

  it('large messages that come at once are read by turns with what else is ready', async () => {
    const own = await Promise.all(Array.from({ length: 20 }, () => client().start()));
    const message = {
      type: 'subscribe',
      id: 'large',
      payload: { query: SUBSCRIBE, variables: { list: Array.from({ length: 20_000 }, (_, k) => ({ k })) } },
    };
    const turns = watchTurns();
    for (const one of own) one.send(message);
    expect(await Promise.all(own.map((one) => one.refusal('large')))).toEqual(own.map(() => 'UNAUTHENTICATED'));
    const { longest, all } = await turns();
    expect(longest).toBeLessThan(all / 4);
  });

  it('messages are taken in the order in which they were sent, a large one too', async () => {
    const own = await client().start();
    const sizes = [200_000, 1, 100_000, 2];
    own.send(...sizes.map((size) => ({ type: 'ping', payload: { padding: 'x'.repeat(size) } })));
    await own.received(({ payload }) => payload?.padding?.length === sizes.at(-1));
    expect(own.messages.slice(1).map(({ payload }) => payload.padding.length)).toEqual(sizes);
  });

  it('operations over the limits are rejected as over HTTP', async () => {
    const own = await client().start(await gateway.key(['PLATFORM']));
    const fragments = Array.from({ length: 60 }, (_, index) => `fragment f${index} on Event { ...f${index + 1} ...f${index + 1} }`).join(
      ' ',
    );
    own.subscribe('doubling', `subscription { eventStream { ...f0 } } ${fragments} fragment f60 on Event { id }`);
    own.subscribe('ring', 'subscription { eventStream { ...a } } fragment a on Event { ...b } fragment b on Event { ...a }');
    own.subscribe('tokens', `subscription { eventStream { ${'id '.repeat(2_000)} } }`);
    expect([await own.refusal('doubling'), await own.refusal('ring'), await own.refusal('tokens')]).toEqual([
      'QUERY_TOO_COMPLEX',
      'INVALID_PARAMS',
      'INVALID_PARAMS',
    ]);
  });

  it(`a connection holds ${socketLimits.subscriptions} subscriptions`, async () => {
    const own = await client().start(await gateway.key(['PLATFORM']));
    for (let index = 0; index <= socketLimits.subscriptions; index++) own.subscribe(`s${index}`);
    expect(await own.refusal(`s${socketLimits.subscriptions}`)).toBe('QUERY_TOO_COMPLEX');
    own.send({ type: 'complete', id: 's0' });
    own.subscribe('again', 'subscription { eventStream { nothing } }');
    expect(await own.refusal('again')).toBe('INVALID_PARAMS');
    expect(own.messages.filter(({ type }) => type === 'error').map(({ id }) => id)).toEqual([`s${socketLimits.subscriptions}`, 'again']);
  });

  it.each<[string, (index: number) => Message]>([
    ['subscriptions', (index) => ({ type: 'subscribe', id: `s${index}`, payload: { query: SUBSCRIBE } })],
    ['pings', () => ({ type: 'ping' })],
    ['completions', (index) => ({ type: 'complete', id: `s${index}` })],
  ])('a client that sends 2,000 %s is cut off after the allowance of messages', async (_, message) => {
    gateway.clock.stop();
    const own = await client().start();
    for (let index = 0; index < 2_000 && own.socket.readyState === WebSocket.OPEN; index++) own.send(message(index));
    expect(await own.closed).toBe(4429);
    expect(own.messages.length).toBeLessThanOrEqual(socketLimits.messages * 2 + 2);
  });

  it('a message above its size ends the connection', async () => {
    const own = await client().start();
    own.subscribe('large', `# ${'x'.repeat(socketLimits.messageBytes)}`);
    expect(await own.closed).toBe(1009);
  });

  it('an id is not longer than it may be', async () => {
    const own = await client().start();
    own.subscribe('i'.repeat(socketLimits.idLength), SUBSCRIBE);
    expect(await own.refusal('i'.repeat(socketLimits.idLength))).toBe('UNAUTHENTICATED');
    own.subscribe('i'.repeat(socketLimits.idLength + 1));
    expect(await own.closed).toBe(4400);
  });

  const pad = (at: number): string => `${at}`.padEnd(socketLimits.messageBytes - 1_000, 'x');
  it.each([
    ['different documents', socketLimits.openDocumentCharacters, (text: string, at: number) => ({ query: `# ${pad(at)}\n${text}` })],
    ['equal documents', socketLimits.openCharacters, (text: string) => ({ query: `# ${pad(0)}\n${text}` })],
    ['variables', socketLimits.openCharacters, (text: string, at: number) => ({ query: text, variables: { pad: pad(at) } })],
  ])('the %s of the open operations of an organisation have a size together, and those that end make room', async (_, most, payloadOf) => {
    const subscribe = (to: Client, id: string, text: string, at: number): void =>
      to.send({ type: 'subscribe', id, payload: payloadOf(text, at) });
    const key = await gateway.key(['PLATFORM']);
    const open = await Promise.all([client(), client()].map((one) => one.start(key)));
    for (let at = 0; at <= most / socketLimits.messageBytes; at++) subscribe(open[at % 2]!, `s${at}`, SUBSCRIBE, at);
    const refused = await Promise.race(open.map((one) => one.received(({ type }) => type === 'error')));
    expect(refused.payload[0].extensions.code).toBe('RATE_LIMIT_EXCEEDED');
    const other = await client().start(await gateway.key(['PLATFORM']));
    const mistake = `${SUBSCRIBE} mistake`;
    subscribe(other, 'one', mistake, 0);
    expect(await other.refusal('one')).toBe('INVALID_PARAMS');
    open[1]!.socket.terminate();
    await open[1]!.closed;
    for (let at = 0, code = ''; code !== 'INVALID_PARAMS'; at++) {
      subscribe(open[0]!, `wrong${at}`, mistake, at);
      code = await open[0]!.refusal(`wrong${at}`);
    }
  });

  it('equal documents of open operations count once among the different ones', async () => {
    const own = await client().start(await gateway.key(['PLATFORM']));
    const text = `# ${pad(0)}\n${SUBSCRIBE}`;
    const many = socketLimits.openDocumentCharacters / socketLimits.messageBytes + 2;
    for (let at = 0; at < many; at++) own.subscribe(`s${at}`, text);
    own.subscribe('last', 'subscription');
    expect(await own.refusal('last')).toBe('INVALID_PARAMS');
    expect(own.messages.filter(({ type }) => type === 'error')).toHaveLength(1);
  });

  it('a client sends no more while its operation waits, or while it takes no results', async () => {
    const own = await client().start(await gateway.key(['PLATFORM']));
    own.socket.pause();
    const extensions = { pad: 'x'.repeat(socketLimits.messageBytes - 20_000) };
    for (let at = 0; at < 60; at++) own.send({ type: 'subscribe', id: `i${at}`, payload: { query: getIntrospectionQuery(), extensions } });
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    expect(own.socket.bufferedAmount).toBeGreaterThan(socketLimits.messageBytes * 10);
    own.socket.resume();
    expect((await own.received(({ id }) => id === 'i10')).type).toBe('next');
  });

  it('a number that a double would change is rejected by name, as over HTTP', async () => {
    const one = await client().start(await gateway.key(['INTEGRATIONS']));
    const query =
      'query($amount: Decimal) { companies(first: 1) { nodes { accounts(filter: { currentBalance: { eq: $amount } }) { totalCount } } } }';
    const message = { type: 'subscribe', id: 'exact', payload: { query, variables: { amount: 0 } } };
    one.socket.send(JSON.stringify(message).replace('"amount":0', '"amount":100000000000000.001'));
    expect(await one.refusal('exact')).toBe('INVALID_PARAMS');
  });

  it.each([
    ['a member that is sent twice', Buffer.from('{"type":"subscribe","id":"a","payload":{"query":"{ a }","query":"{ b }"}}')],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0xe9, 0x7d])],
    ['text that is not JSON', Buffer.from('{"type"')],
  ])('%s ends the connection', async (_, bytes) => {
    const one = await client().start(await gateway.key(['INTEGRATIONS']));
    one.socket.send(bytes);
    expect(await one.closed).toBe(4400);
  });

  it('a connection without connection_init is closed', async () => {
    const own = client();
    expect(await own.closed).toBe(4408);
  });

  it(`an address holds ${socketLimits.connections} connections, and a closed one frees a place`, async () => {
    const from = (address: string): Client => client(gateway, { 'x-forwarded-for': address });
    const open = Array.from({ length: socketLimits.connections }, () => from('198.51.100.7'));
    await Promise.all(open.map((each) => each.start()));
    const above = from('198.51.100.7');
    const [, response] = (await once(above.socket, 'unexpected-response')) as [
      unknown,
      { statusCode: number; headers: Record<string, string> },
    ];
    expect([response.statusCode, response.headers['retry-after']]).toEqual([429, '1']);
    await from('198.51.100.8').start();
    open[0]!.socket.close();
    await open[0]!.closed;
    let status = 429;
    while (status === 429) {
      const next = from('198.51.100.7');
      status = await Promise.race([once(next.socket, 'open').then(() => 101), once(next.socket, 'unexpected-response').then(() => 429)]);
    }
    expect(status).toBe(101);
  });

  it('a rejected upgrade releases its place', async () => {
    const { port } = new URL(gateway.origin);
    for (let index = 0; index < socketLimits.connections + 20; index++) {
      const socket = connectTcp(Number(port), '127.0.0.1');
      socket.write(
        'GET /graphql HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 99\r\nX-Forwarded-For: 198.51.100.9\r\n\r\n',
      );
      const [response] = (await once(socket, 'data')) as [Buffer];
      expect(String(response)).toMatch(/^HTTP\/1\.1 4(?!29)/);
      socket.destroy();
      await once(socket, 'close');
    }
    await client(gateway, { 'x-forwarded-for': '198.51.100.9' }).start();
  });
});

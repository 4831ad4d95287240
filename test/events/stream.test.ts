// The event stream over WebSocket: its content, its order, who receives it, where it resumes, and what is too slow for it.
import { setTimeout } from 'node:timers/promises';
import type { Client as Socket } from 'graphql-ws';
import { Client } from 'pg';
import { describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { executeIn } from '../../src/database/open.ts';
import { systemTransaction } from '../../src/database/transaction.ts';
import { followEvents } from '../../src/events/event-log.ts';
import type { NewEvent } from '../../src/events/events.ts';
import { MAX_KEPT } from '../../src/events/shared-log.ts';
import { requestContext } from '../../src/http/authentication.ts';
import { serverUrl, startGateway, useGateway } from '../support/gateway.ts';
import { call } from '../support/program.ts';
import { type Connect, closeClients, connect as connectTo, connectWithKey, type Results } from '../support/subscriber.ts';
import { emitAs } from '../support/webhooks.ts';

const gateway = useGateway();
closeClients();

const connect = (options: Partial<Connect>): Socket => connectTo({ origin: gateway.origin, ...options });
const withKey = (key: string): Socket => connectWithKey(gateway.origin, key);

interface Received {
  id: string;
  topic: string;
  data: { n: number };
}

type Stream = Results<{ eventStream: Received }>;

const QUERY =
  'subscription ($topics: [EventTopic!], $after: ID) { eventStream(topics: $topics, lastEventId: $after) { id topic data organizationId companyId test } }';
const listen = (client: Socket, variables: object = {}): Stream =>
  client.iterate<{ eventStream: Received }>({ query: QUERY, variables: { ...variables } }) as Stream;

async function take(stream: Stream, count: number): Promise<Received[]> {
  const received: Received[] = [];
  while (received.length < count) {
    const { value, done } = await stream.next();
    if (done) throw new Error(`the stream ended after ${received.length} of ${count} events`);
    if (value.errors) throw new Error(JSON.stringify(value.errors));
    received.push(value.data!.eventStream);
  }
  return received;
}

const product = (n: number): NewEvent => ({ topic: 'PRODUCTS.CREATED', data: { n } });
const numbers = (events: Received[]): number[] => events.map(({ data }) => data.n);

const emit = (key: string, ...events: NewEvent[]): Promise<void> => emitAs(gateway, key, ...events);

/** Emits until the stream receives events: a subscription does not acknowledge its start. */
async function opened(key: string, stream: Stream, event = product): Promise<void> {
  const first = take(stream, 1);
  let isOpen = false;
  void first.then(() => {
    isOpen = true;
  });
  while (!isOpen) {
    await emit(key, event(-1));
    await setTimeout(50);
  }
}

const real = (events: Received[]): Received[] => events.filter(({ data }) => data.n >= 0);

async function takeReal(stream: Stream, count: number): Promise<Received[]> {
  const received: Received[] = [];
  while (received.length < count) received.push(...real(await take(stream, 1)));
  return received;
}

describe('the event stream', () => {
  it('events arrive as they happen, in order, with the selected fields', async () => {
    const key = await gateway.key(['PLATFORM']);
    const stream = listen(withKey(key));
    await opened(key, stream);
    for (let n = 0; n < 20; n++) await emit(key, product(n), product(n));
    const received = await takeReal(stream, 40);
    expect(numbers(received)).toEqual(Array.from({ length: 40 }, (_, index) => Math.floor(index / 2)));
    expect(received[0]).toEqual({
      id: expect.stringMatching(/^evt_/),
      topic: 'PRODUCTS_CREATED',
      data: { n: 0 },
      organizationId: expect.stringMatching(/^org_/),
      companyId: null,
      test: false,
    });
  });

  it('a stream resumes after an event without a gap and without a duplicate', async () => {
    const key = await gateway.key(['PLATFORM']);
    const first = listen(withKey(key));
    await opened(key, first);
    await emit(key, product(1), product(2));
    const received = await takeReal(first, 2);
    await first.return!();
    await emit(key, product(3));
    await Promise.all(Array.from({ length: 130 }, (_, n) => emit(key, product(100 + n))));
    const second = listen(withKey(key), { after: received[0]!.id });
    const caughtUp = await takeReal(second, 132);
    await emit(key, product(999));
    expect(numbers(caughtUp).sort((a, b) => a - b)).toEqual([2, 3, ...Array.from({ length: 130 }, (_, n) => 100 + n)]);
    expect(numbers(await takeReal(second, 1))).toEqual([999]);
  });

  if (serverUrl)
    it('a transaction of another database on the server does not hold events back', async () => {
      const other = new Client({ connectionString: serverUrl });
      await other.connect();
      await other.query('begin');
      await other.query('select pg_current_xact_id()');
      try {
        const key = await gateway.key(['PLATFORM']);
        const stream = listen(withKey(key));
        await opened(key, stream);
        await emit(key, product(1), product(2));
        expect(numbers(await takeReal(stream, 2))).toEqual([1, 2]);
      } finally {
        await other.end();
      }
    });

  if (serverUrl)
    it('a stream that resumes misses nothing of what was committed next to a transaction that had begun before and still runs', async () => {
      const key = await gateway.key(['PLATFORM']);
      const first = listen(withKey(key));
      await opened(key, first);
      await emit(key, product(1));
      const [received] = await takeReal(first, 1);
      await first.return!();
      const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const running = systemTransaction(gateway.services.database, async (em) => {
        await executeIn(em, 'select pg_current_xact_id()');
        begun.resolve();
        await end.promise;
      });
      await begun.promise;
      await emit(key, product(2));
      const second = listen(withKey(key), { after: received!.id });
      const next = takeReal(second, 2);
      // Long enough for the stream to open, and shorter than the time that a transaction may be idle.
      await setTimeout(700);
      await emit(key, product(3));
      end.resolve();
      await running;
      expect(numbers(await next)).toEqual([2, 3]);
    });

  it('only the requested topics, and only events of the own organisation and of companies the key may see', async () => {
    const [key, other] = [await gateway.key(['PLATFORM']), await gateway.key(['PLATFORM'])];
    const limited = await gateway.key(['INTEGRATIONS'], (await gateway.services.keys.find(key))!.organisationName!, [7]);
    const streams = [listen(withKey(key), { topics: ['PRODUCTS_CREATED'] }), listen(withKey(other)), listen(withKey(limited))];
    const sync = (n: number, companyId: number): NewEvent => ({ topic: 'SYNC_STARTED', data: { n }, companyId, integrationType: 'XERO' });
    const openedBy = [product, product, (n: number) => sync(n, 7)];
    for (const [index, who] of [key, other, key].entries()) await opened(who, streams[index]!, openedBy[index]!);
    await emit(key, sync(1, 7), sync(2, 8), product(3));
    await emit(other, product(4));
    expect(numbers(await takeReal(streams[0]!, 1))).toEqual([3]);
    expect(numbers(await takeReal(streams[1]!, 1))).toEqual([4]);
    await emit(key, sync(5, 7));
    expect(numbers(await takeReal(streams[2]!, 2))).toEqual([1, 5]);
  });

  it('a key of the integrations API gets an error that names the topics it may not stream', async () => {
    const key = await gateway.key(['INTEGRATIONS']);
    const { value } = await listen(withKey(key), { topics: ['SYNC_STARTED', 'PRODUCTS_CREATED'] }).next();
    expect(value!.errors![0]!.extensions).toMatchObject({ code: 'FORBIDDEN', field: 'topics' });
  });

  it('seven days after the last stream ended, no stream can resume from before', async () => {
    const key = await gateway.key(['PLATFORM']);
    const first = listen(withKey(key));
    await opened(key, first);
    await emit(key, product(1));
    const [received] = await takeReal(first, 1);
    await first.return!();
    const day = 24 * 3_600_000;
    try {
      gateway.clock.advance(6 * day);
      const inTime = listen(withKey(key), { after: received!.id });
      await emit(key, product(2));
      expect(numbers(await takeReal(inTime, 1))).toEqual([2]);
      await inTime.return!();
      gateway.clock.advance(8 * day);
      const { value } = await listen(withKey(key), { after: received!.id }).next();
      expect(value!.errors![0]!.extensions).toMatchObject({ code: 'INVALID_PARAMS', field: 'lastEventId' });
      expect(value!.errors![0]!.message).toContain('not every event since then was stored');
    } finally {
      gateway.clock.advance(-14 * day);
    }
  });

  it('a revoked key ends the stream', async () => {
    const key = await gateway.key(['PLATFORM']);
    const successor = await gateway.key(['PLATFORM'], (await gateway.services.keys.find(key))!.organisationName!);
    const stream = listen(withKey(key));
    await opened(key, stream);
    await gateway.services.keys.end((await gateway.services.keys.find(key))!.identity, gateway.services.clock.now(), 'revokedAt');
    await emit(successor, product(1));
    await expect(takeReal(stream, 1)).rejects.toThrow('UNAUTHENTICATED');
  });

  it('an event that no stream can resume after is rejected by name', async () => {
    const [key, other] = [await gateway.key(['PLATFORM']), await gateway.key(['PLATFORM'])];
    const theirs = listen(withKey(other));
    await opened(other, theirs);
    await emit(other, product(1));
    const [foreign] = await takeReal(theirs, 1);
    for (const after of [foreign!.id, 'evt_01hzzzzzzzzzzzzzzzzzzzzzzz', 'nonsense']) {
      const { value } = await listen(withKey(key), { after }).next();
      expect(value!.errors![0]!.extensions).toMatchObject({ code: 'INVALID_PARAMS', field: 'lastEventId' });
    }
  });
});

describe('the connection', () => {
  it('a key counts in a header of the upgrade or in the connection parameters; a wrong one ends the connection', async () => {
    const key = await gateway.key(['PLATFORM']);
    for (const options of [{ headers: { 'x-api-key': key } }, { connectionParams: { Authorization: `Bearer ${key}` } }]) {
      const stream = listen(connect(options));
      await opened(key, stream);
    }
    await expect(listen(withKey('ent_wrong')).next()).rejects.toMatchObject({ code: 4403 });
    const { value } = await listen(connect({})).next();
    expect(value!.errors![0]!.extensions).toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it('a key without the role, and unknown, costly and malformed operations are rejected in the form of the HTTP endpoint', async () => {
    const client = withKey(await gateway.key(['GEOCODE']));
    // An operation that is rejected before it starts fails as a whole; one rejected by its field returns errors.
    const first = async (query: string): Promise<unknown> =>
      client
        .iterate({ query })
        .next()
        .then(
          ({ value }) => value!.errors!,
          (errors) => errors,
        )
        .then((errors) => errors[0].extensions);
    expect(await first('subscription { eventStream { id } }')).toMatchObject({ code: 'FORBIDDEN' });
    expect(await first('subscription { eventStream { nothing } }')).toMatchObject({ code: 'INVALID_PARAMS' });
    const aliases = Array.from({ length: 31 }, (_, n) => `a${n}: id`).join(' ');
    expect(await first(`subscription { eventStream { ${aliases} } }`)).toMatchObject({ code: 'QUERY_TOO_COMPLEX' });
    expect(await first('subscription { eventStream { id } ')).toMatchObject({ code: 'INVALID_PARAMS' });
  });

  it('a subscription sent by POST is rejected, and other paths have no WebSocket', async () => {
    const key = await gateway.key(['PLATFORM']);
    const response = await gateway.graphql(key, 'subscription { eventStream { id } }');
    expect([response.status, response.body.errors[0].extensions.code]).toEqual([400, 'INVALID_PARAMS']);
    const socket = new WebSocket(`${gateway.origin.replace('http', 'ws')}/elsewhere`, 'graphql-transport-ws');
    const refusal = await new Promise<Error>((resolve) => socket.once('error', resolve));
    expect(refusal.message).toContain('404');
  });

  it('an orderly stop ends open streams', async () => {
    const own = await startGateway();
    const key = await own.key(['PLATFORM']);
    const stream = listen(connect({ connectionParams: { authorization: `Bearer ${key}` }, origin: own.origin }));
    const next = stream.next();
    next.catch(() => {});
    const { services } = own;
    const organisationId = (await services.keys.find(key))!.organisationId!;
    await new Promise<void>((resolve) => {
      const timer = setInterval(async () => {
        const rows = await services.database.read({ name: 'kept', text: 'select 1 from event_recording where organisation_id = $1' }, [
          String(organisationId),
        ]);
        if (rows.length === 0) return;
        clearInterval(timer);
        resolve();
      }, 20);
    });
    await own.stop();
    await expect(next).rejects.toMatchObject({ code: 1001 });
  });
});

// Only a server lets a transaction wait next to another one.
it.skipIf(!serverUrl)(
  'a stream resumes after every event it sent, also one that is older than the first stream (needs DATABASE_URL)',
  async () => {
    const own = await startGateway({ webhookAllowPrivate: true });
    try {
      const key = await own.key(['PLATFORM']);
      const webhook = { url: 'http://127.0.0.1:9/', topics: ['PRODUCTS.CREATED'] };
      expect((await call(own.origin, key, 'POST', '/api/v1/webhooks', webhook)).status).toBe(200);
      const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const emitted = emitAs(own, key, {
        topic: 'PRODUCTS.CREATED',
        data: async () => {
          begun.resolve();
          await gate.promise;
          return { n: 1 };
        },
      });
      await begun.promise;
      const client = connectWithKey(own.origin, key);
      const subscribe = vi.spyOn(own.services.notifications, 'subscribe');
      const first = take(listen(client), 1);
      await vi.waitUntil(() => subscribe.mock.calls.some(([channel]) => channel.startsWith('events:')));
      gate.resolve();
      await emitted;
      await emitAs(own, key, product(2));
      const [event] = await first;
      expect(event!.data.n).toBe(1);
      const resumed = listen(client, { after: event!.id });
      expect(numbers(await take(resumed, 1))).toEqual([2]);
    } finally {
      await own.stop();
    }
  },
);

describe('a subscriber that is slower than what happens', () => {
  it('is ended with an error that says where to resume, and resuming there loses nothing', async () => {
    const key = await gateway.key(['PLATFORM']);
    const context = requestContext(gateway.services, 'slow', await gateway.services.keys.find(key), null);
    const events = (after: string | null) =>
      followEvents(context, { after, field: 'after' }, async ({ entries }) => entries.map(({ id, order }) => ({ id, order })));
    const [slow, fast] = [await events(null), await events(null)];
    await emitAs(gateway, key, product(0));
    const first = (await slow.next()).value!;
    const many = (MAX_KEPT + 2) * 100;
    await emitAs(gateway, key, ...Array.from({ length: many }, (_, n) => product(n)));
    const all: string[] = [];
    while (all.length <= many) all.push((await fast.next()).value!.id);
    const taken: string[] = [first.id];
    let error: unknown;
    while (!error)
      await slow.next().then(
        ({ value }) => taken.push(value!.id),
        (failure) => (error = failure),
      );
    expect(error).toMatchObject({ code: 'SUBSCRIBER_TOO_SLOW', info: { field: 'after' } });
    expect((error as Error).message).toContain(`after: "${taken.at(-1)}"`);
    const resumed = await events(taken.at(-1)!);
    expect((await resumed.next()).value!.id).toBe(all[all.indexOf(taken.at(-1)!) + 1]);
    for (const stream of [fast, resumed]) await stream.return!();
  });
});

// The event stream over WebSocket: its content, its order, who receives it, and where it resumes.
import type { Client } from 'graphql-ws';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { executeIn } from '../../src/database/open.ts';
import { systemTransaction } from '../../src/database/transaction.ts';
import type { NewEvent } from '../../src/events/events.ts';
import { serverUrl, startGateway, useGateway } from '../support/gateway.ts';
import { type Answers, type Connect, closeClients, connect as connectTo, connectWithKey } from '../support/subscriber.ts';
import { emitAs } from '../support/webhooks.ts';

const gateway = useGateway();
closeClients();

const connect = (options: Partial<Connect>): Client => connectTo({ origin: gateway.origin, ...options });
const withKey = (key: string): Client => connectWithKey(gateway.origin, key);

interface Received {
  id: string;
  topic: string;
  data: { n: number };
}

type Stream = Answers<{ eventStream: Received }>;

const QUERY =
  'subscription ($topics: [EventTopic!], $after: ID) { eventStream(topics: $topics, lastEventId: $after) { id topic data organizationId companyId test } }';
const listen = (client: Client, variables: object = {}): Stream =>
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
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const real = (events: Received[]): Received[] => events.filter(({ data }) => data.n >= 0);

async function takeReal(stream: Stream, count: number): Promise<Received[]> {
  const received: Received[] = [];
  while (received.length < count) received.push(...real(await take(stream, 1)));
  return received;
}

describe('the event stream', () => {
  it('chosen: events arrive as they happen, in order, with the selected fields', async () => {
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

  it('chosen: a stream resumes after an event without a gap and without a repetition', async () => {
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

  it('chosen: only the requested topics, and only events of the own organisation and of companies the key may see', async () => {
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

  it('chosen: a key of the integrations API gets an error that names the topics it may not stream', async () => {
    const key = await gateway.key(['INTEGRATIONS']);
    const { value } = await listen(withKey(key), { topics: ['SYNC_STARTED', 'PRODUCTS_CREATED'] }).next();
    expect(value!.errors![0]!.extensions).toMatchObject({ code: 'FORBIDDEN', field: 'topics' });
  });

  it('documented: seven days after the last stream ended, no stream can resume from before', async () => {
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

  it('chosen: a revoked key ends the stream', async () => {
    const key = await gateway.key(['PLATFORM']);
    const successor = await gateway.key(['PLATFORM'], (await gateway.services.keys.find(key))!.organisationName!);
    const stream = listen(withKey(key));
    await opened(key, stream);
    await gateway.services.keys.end((await gateway.services.keys.find(key))!.identity, gateway.services.clock.now(), 'revokedAt');
    await emit(successor, product(1));
    await expect(takeReal(stream, 1)).rejects.toThrow('UNAUTHENTICATED');
  });

  it('chosen: an event that no stream can resume after is refused by name', async () => {
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
  it('chosen: a key counts in a header of the upgrade or in the connection parameters; a wrong one ends the connection', async () => {
    const key = await gateway.key(['PLATFORM']);
    for (const options of [{ headers: { 'x-api-key': key } }, { connectionParams: { Authorization: `Bearer ${key}` } }]) {
      const stream = listen(connect(options));
      await opened(key, stream);
    }
    await expect(listen(withKey('ent_wrong')).next()).rejects.toMatchObject({ code: 4403 });
    const { value } = await listen(connect({})).next();
    expect(value!.errors![0]!.extensions).toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it('chosen: a key without the role, and unknown, costly, malformed and non-subscription operations are refused in the form of the HTTP endpoint', async () => {
    const client = withKey(await gateway.key(['GEOCODE']));
    // An operation that is refused before it starts fails as a whole; one refused by its field answers with errors.
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
    expect(await first('{ health { status } }')).toMatchObject({ code: 'INVALID_PARAMS' });
    const aliases = Array.from({ length: 31 }, (_, n) => `a${n}: id`).join(' ');
    expect(await first(`subscription { eventStream { ${aliases} } }`)).toMatchObject({ code: 'QUERY_TOO_COMPLEX' });
    expect(await first('subscription { eventStream { id } ')).toMatchObject({ code: 'INVALID_PARAMS' });
  });

  it('chosen: a subscription sent by POST is refused, and other paths have no WebSocket', async () => {
    const key = await gateway.key(['PLATFORM']);
    const answer = await gateway.graphql(key, 'subscription { eventStream { id } }');
    expect([answer.status, answer.body.errors[0].extensions.code]).toEqual([400, 'INVALID_PARAMS']);
    const socket = new WebSocket(`${gateway.origin.replace('http', 'ws')}/elsewhere`, 'graphql-transport-ws');
    const refusal = await new Promise<Error>((resolve) => socket.once('error', resolve));
    expect(refusal.message).toContain('404');
  });

  it('chosen: an orderly stop ends open streams', async () => {
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

// Only a server lets a transaction wait beside another one.
if (serverUrl)
  it('documented: a stream resumes after every event it may send, also one whose transaction began before the stream', async () => {
    const own = await startGateway();
    try {
      const key = await own.key(['PLATFORM']);
      const { database, keys } = own.services;
      const { organisationId } = (await keys.find(key))!;
      own.clock.stop();
      let emitted: Promise<void> | undefined;
      await systemTransaction(database, async (em) => {
        await executeIn(em, 'lock table event_recording in access exclusive mode');
        emitted = emitAs(own, key, product(1));
        const isWaiting = `select exists (select from pg_locks where not granted and relation = 'event_recording'::regclass
          and database = (select oid from pg_database where datname = current_database())) as waits`;
        while (!(await executeIn<{ waits: boolean }>(em, isWaiting))[0]!.waits);
        own.clock.advance(1_000);
        const [since, until] = [0, 3_600_000].map((later) => new Date(own.clock.now().getTime() + later).toISOString());
        await executeIn(em, 'insert into event_recording (organisation_id, since, until) values ($1, $2::timestamptz, $3::timestamptz)', [
          organisationId,
          since,
          until,
        ]);
      });
      await emitted;
      const [event] = await systemTransaction(database, (em) =>
        executeIn<{ id: string }>(em, 'select id from event where organisation_id = $1', [organisationId]),
      );
      const stream = listen(connectWithKey(own.origin, key), { after: event!.id });
      await emitAs(own, key, product(2));
      expect(numbers(await take(stream, 1))).toEqual([2]);
    } finally {
      await own.stop();
    }
  });

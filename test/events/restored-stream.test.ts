// Streams across a restore: restored events have transaction numbers of another server, and events written afterwards come after them.
import { expect, it } from 'vitest';
import { executeIn } from '../../src/database/open.ts';
import { systemTransaction } from '../../src/database/transaction.ts';
import type { NewEvent } from '../../src/events/events.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { ownPlace } from '../support/program.ts';
import { closeClients, connectWithKey, type Results } from '../support/subscriber.ts';
import { emitAs } from '../support/webhooks.ts';

closeClients();

type Stream = Results<{ eventStream: { id: string; data: { n: number } } }>;

const product = (n: number): NewEvent => ({ topic: 'PRODUCTS.CREATED', data: { n } });

function listen(gateway: Gateway, key: string, after: string | null): Stream {
  const query = 'subscription ($after: ID) { eventStream(lastEventId: $after) { id data } }';
  return connectWithKey(gateway.origin, key).iterate({ query, variables: { after } }) as Stream;
}

async function take(stream: Stream, count: number): Promise<{ id: string; n: number }[]> {
  const received = [];
  while (received.length < count) {
    const { value, done } = await stream.next();
    if (done || value.errors) throw new Error(`the stream ended: ${JSON.stringify(value?.errors)}`);
    received.push({ id: value.data!.eventStream.id, n: value.data!.eventStream.data.n });
  }
  return received;
}

const numbers = (received: { n: number }[]): number[] => received.map(({ n }) => n);

/** Emits the same number until the stream has received one: a subscription does not acknowledge its start. */
async function opened(gateway: Gateway, key: string, stream: Stream, n: number): Promise<{ id: string; n: number }> {
  let first: { id: string; n: number } | undefined;
  const receiving = take(stream, 1).then(([received]) => {
    first = received;
  });
  while (!first) {
    await emitAs(gateway, key, product(n));
    await Promise.race([receiving, new Promise((resolve) => setTimeout(resolve, 50))]);
  }
  return first;
}

/** Differences of the transaction numbers of the other server from those of this one: large, larger than at the restore before, small, negative. */
const DISTANCES = [1_000_000, 5_000_000_000, 3, -50];

it('a stream resumes across restores on servers with other transaction numbers, in order, without a gap and without a duplicate', async () => {
  const place = await ownPlace();
  const settings = { databaseUrl: place.settings.DATABASE_URL, dataDir: place.settings.DATA_DIR ?? ':memory:', worker: false };
  let gateway = await startGateway(settings);
  try {
    const key = await gateway.key(['PLATFORM']);
    const stream = listen(gateway, key, null);
    let last = (await opened(gateway, key, stream, 0)).id;
    let n = 0;
    await emitAs(gateway, key, product(++n));
    for (;;) {
      const [received] = await take(stream, 1);
      last = received!.id;
      if (received!.n === n) break;
    }
    await stream.return!();
    for (const distance of DISTANCES) {
      const missed = [++n, ++n];
      for (const number of missed) await emitAs(gateway, key, product(number));
      // The state that a restored dump has here.
      await systemTransaction(gateway.services.database, (em) =>
        executeIn(em, 'update event set commit_order = commit_order + $1::bigint', [distance]),
      );
      await gateway.stop();
      gateway = await startGateway(settings);
      const resumed = listen(gateway, key, last);
      const caughtUp = await take(resumed, 2);
      expect([distance, ...numbers(caughtUp)]).toEqual([distance, ...missed]);
      const fresh = listen(gateway, key, null);
      const firstOfFresh = await opened(gateway, key, fresh, ++n);
      expect([distance, firstOfFresh.n]).toEqual([distance, n]);
      await emitAs(gateway, key, product(++n));
      const received: { id: string; n: number }[] = [];
      while (received.at(-1)?.n !== n) received.push(...(await take(resumed, 1)));
      expect(numbers(received)).toEqual(numbers(received).sort((a, b) => a - b));
      last = received.at(-1)!.id;
      await resumed.return!();
      await fresh.return!();
    }
  } finally {
    await gateway.stop();
    await place.remove();
  }
}, 120_000);

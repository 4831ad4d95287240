// Streams over a restore: events brought from another server have numbers of its transactions, and what is written afterwards comes behind them.
import { expect, it } from 'vitest';
import { executeIn } from '../../src/database/open.ts';
import { systemTransaction } from '../../src/database/transaction.ts';
import type { NewEvent } from '../../src/events/events.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { ownPlace } from '../support/program.ts';
import { type Answers, closeClients, connectWithKey } from '../support/subscriber.ts';
import { emitAs } from '../support/webhooks.ts';

closeClients();

type Stream = Answers<{ eventStream: { id: string; data: { n: number } } }>;

const product = (n: number): NewEvent => ({ topic: 'PRODUCTS.CREATED', data: { n } });

function listen(gateway: Gateway, key: string, after: string | null): Stream {
  const query = 'subscription ($after: ID) { eventStream(lastEventId: $after) { id data } }';
  return connectWithKey(gateway.origin, key).iterate({ query, variables: { after } }) as Stream;
}

async function take(stream: Stream, count: number): Promise<{ id: string; n: number }[]> {
  const heard = [];
  while (heard.length < count) {
    const { value, done } = await stream.next();
    if (done || value.errors) throw new Error(`the stream ended: ${JSON.stringify(value?.errors)}`);
    heard.push({ id: value.data!.eventStream.id, n: value.data!.eventStream.data.n });
  }
  return heard;
}

const numbers = (heard: { n: number }[]): number[] => heard.map(({ n }) => n);

/** Emits the same number until the stream has heard one: subscribing gives no sign of its own. */
async function opened(gateway: Gateway, key: string, stream: Stream, n: number): Promise<{ id: string; n: number }> {
  let first: { id: string; n: number } | undefined;
  const hearing = take(stream, 1).then(([heard]) => {
    first = heard;
  });
  while (!first) {
    await emitAs(gateway, key, product(n));
    await Promise.race([hearing, new Promise((resolve) => setTimeout(resolve, 50))]);
  }
  return first;
}

/** How far the numbers of the other server are from this one's: it counted further, much further than a restore before, hardly, or less far. */
const DISTANCES = [1_000_000, 5_000_000_000, 3, -50];

it('documented: a stream resumes over restores on servers that count otherwise, in order, without a gap and without a repetition', async () => {
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
      const [heard] = await take(stream, 1);
      last = heard!.id;
      if (heard!.n === n) break;
    }
    await stream.return!();
    for (const distance of DISTANCES) {
      const missed = [++n, ++n];
      for (const number of missed) await emitAs(gateway, key, product(number));
      // What a restored dump looks like here.
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
      const heard: { id: string; n: number }[] = [];
      while (heard.at(-1)?.n !== n) heard.push(...(await take(resumed, 1)));
      expect(numbers(heard)).toEqual(numbers(heard).sort((a, b) => a - b));
      last = heard.at(-1)!.id;
      await resumed.return!();
      await fresh.return!();
    }
  } finally {
    await gateway.stop();
    await place.remove();
  }
}, 120_000);

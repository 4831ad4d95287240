// The responses of a subscription wait for their turns, and no longer than its key is valid.
import { buildSchema, type ExecutionResult, parse } from 'graphql';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { RequestContext } from '../../src/access/context.ts';
import { RequestTurn, RequestTurns } from '../../src/access/request-turn.ts';
import { Streams } from '../../src/graphql/subscriptions/streams.ts';

const LARGE = 1_000;
const schema = buildSchema('type Query { count: Int } type Subscription { count: Int }');
schema.getSubscriptionType()!.getFields().count!.subscribe = async function* () {
  for (let count = 1; ; count++) yield { count };
};

let turns: RequestTurns;
let streams: Streams;
/** Ends the turn of the work that the organisation has in progress. */
let end: () => void;
let principal: object | null;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  turns = new RequestTurns(LARGE);
  streams = new Streams(LARGE);
  principal = {};
  let leave = (): void => {};
  const inFlight = new RequestTurn(turns, { name: 'a' }).message((left) => {
    leave = left;
    return () => {};
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  void inFlight.during(LARGE, () => promise);
  end = () => {
    resolve();
    leave();
  };
});

afterEach(() => {
  streams.close();
  vi.useRealTimers();
});

const contextOf = (turn?: RequestTurn): RequestContext => ({ turn, principal }) as unknown as RequestContext;

async function open(price = LARGE): Promise<AsyncIterableIterator<ExecutionResult>> {
  const contextValue = contextOf(new RequestTurn(turns, { name: 'a' }));
  const document = parse('subscription { count }');
  return (await streams.open({ schema, document, contextValue, renew: async () => contextOf(), price })) as never;
}

/** Whether something has happened when nothing else can any more. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let isDone = false;
  void promise.then(() => (isDone = true));
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
  return isDone;
}

it('a large response waits for what its organisation has in progress, a small one does not', async () => {
  const first = (await open()).next();
  expect(await isSettled(first)).toBe(false);
  expect((await (await open(1)).next()).value.data).toEqual({ count: 1 });
  end();
  expect((await first).value.data).toEqual({ count: 1 });
});

it('a response keeps its turn until the next one is asked for, and a stream that ends gives it back', async () => {
  end();
  const [one, two] = [await open(), await open()];
  await one.next();
  expect(turns.transfer.waiting).toBe(0);
  const kept = await Promise.all([open(), open(), open()]);
  for (const stream of kept) await stream.next();
  const waiting = two.next();
  expect(await isSettled(waiting)).toBe(false);
  await one.return!();
  expect((await waiting).value.data).toEqual({ count: 1 });
});

it('a response that waits when the key is revoked is not made', async () => {
  const first = (await open()).next();
  expect(await isSettled(first)).toBe(false);
  principal = null;
  await vi.advanceTimersByTimeAsync(5_000);
  expect((await first).value.errors[0].originalError.code).toBe('UNAUTHENTICATED');
});

it('a client that leaves waits no longer', async () => {
  const stream = await open();
  const first = stream.next();
  expect(await isSettled(first)).toBe(false);
  expect(turns.work.waiting).toBe(1);
  await stream.return!();
  expect(turns.work.waiting).toBe(0);
});

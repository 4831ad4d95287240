// Turns: how much of what has little room one owner gets, who is next, and when a turn ends.
import { expect, test } from 'vitest';
import { RequestTurn, RequestTurns, turnLimits } from '../../src/access/request-turn.ts';
import { organisationTransaction } from '../../src/database/transaction.ts';
import { errorsOfRecords } from '../../src/graphql/mutations/mutation-error.ts';
import { operationLimits } from '../../src/graphql/query-cost.ts';
import { chunksOf } from '../../src/integrations/syncs/batch.ts';
import { invalid } from '../../src/records/errors.ts';
import { joined } from '../../src/runtime/joined.ts';
import { others } from '../../src/runtime/others.ts';
import { type EndTurn, Turns } from '../../src/runtime/turns.ts';
import { useGateway } from '../support/gateway.ts';

/** Takes as many turns at once as an owner gets without waiting. */
function takeAll(turns: Turns, name: string, most = 100): EndTurn[] {
  const taken: EndTurn[] = [];
  for (let at = 0; at < most; at++) {
    const turn = turns.take({ name });
    if (turn instanceof Promise) break;
    taken.push(turn);
  }
  return taken;
}

test('one owner gets half, and several leave something to the next', () => {
  const turns = new Turns(10);
  expect(takeAll(turns, 'a')).toHaveLength(5);
  expect(takeAll(turns, 'b')).toHaveLength(3);
  expect(takeAll(turns, 'c')).toHaveLength(1);
  expect(takeAll(turns, 'd')).toHaveLength(1);
});

test('where there is room for one, owners take turns in the order of their coming', async () => {
  const turns = new Turns(1);
  const order: string[] = [];
  const run = async (name: string): Promise<void> => {
    const end = await turns.take({ name });
    order.push(name);
    await new Promise(setImmediate);
    end();
  };
  await Promise.all(['a', 'a', 'a', 'b', 'c', 'b'].map(run));
  expect(order.join('')).toBe('abcaba');
});

test('a small body does not wait for the pieces of large ones', async () => {
  const order: string[] = [];
  const long = async (): Promise<void> => {
    for (let piece = 0; piece < 10; piece++) {
      const pause = others();
      if (pause) await pause;
      order.push('piece');
      // Longer than the pieces of one turn may take.
      for (const from = performance.now(); performance.now() - from < 3; );
    }
  };
  const tasks = Promise.all(Array.from({ length: 5 }, long));
  // A piece of other work may have left time in this turn.
  const begun = order.length;
  const small = joined([Buffer.from('{"query":'), Buffer.from('"{ __typename }"}')]);
  expect((await small).toString()).toBe('{"query":"{ __typename }"}');
  order.push('small');
  await tasks;
  expect(order.indexOf('small')).toBe(begun);
  expect(order).toHaveLength(51);
});

test('a turn that ends twice is counted once, and one without an owner is not counted', () => {
  const turns = new Turns(2);
  const [end] = takeAll(turns, 'a', 1);
  end!();
  end!();
  for (let at = 0; at < 5; at++) expect(turns.take(undefined)).not.toBeInstanceOf(Promise);
  expect(['b', 'c', 'd'].map((name) => takeAll(turns, name, 1).length)).toEqual([1, 1, 0]);
});

test('anyone who waits too long, or for too much, is rejected, and is not served later', async () => {
  const turns = new Turns(1, 2);
  const end = turns.take({ name: 'a' }) as EndTurn;
  const waiting = [1, 2].map(() => turns.take({ name: 'a', waitMs: 20 }));
  expect(turns.waiting).toBe(2);
  const refusal = { code: 'RATE_LIMIT_EXCEEDED', info: { retryAfterSeconds: expect.any(Number) } };
  await expect(turns.take({ name: 'a', waitMs: 20 })).rejects.toMatchObject(refusal);
  for (const one of waiting) await expect(one).rejects.toMatchObject(refusal);
  expect(turns.waiting).toBe(0);
  end();
  expect(takeAll(turns, 'b')).toHaveLength(1);
});

test('whatever waits as long as it takes may wait for any number of turns', async () => {
  const turns = new Turns(1, 2);
  const first = turns.take({ name: 'a' }) as EndTurn;
  const waiting = Array.from({ length: 5 }, () => Promise.resolve(turns.take({ name: 'a' })).then((end) => end()));
  expect(turns.waiting).toBe(5);
  first();
  await Promise.all(waiting);
});

test('anyone who leaves waits no longer', async () => {
  const turns = new Turns(1);
  const end = turns.take({ name: 'a' }) as EndTurn;
  let leave = (): void => {};
  const waiting = turns.take({ name: 'b' }, 1, (gone) => {
    leave = gone;
    return () => {};
  });
  leave();
  await expect(waiting).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
  end();
  expect(takeAll(turns, 'c')).toHaveLength(1);
});

const ofRequests = (): RequestTurns => new RequestTurns(operationLimits.cost);

test('of the largest operations an organisation has one at a time, and small ones never wait', async () => {
  const turns = ofRequests();
  const order: string[] = [];
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const run = (name: string, objects: number, gate?: Promise<void>): unknown =>
    new RequestTurn(turns, { name: 'a' }).during(objects, async () => {
      order.push(name);
      await gate;
    });
  const all = gates.map(({ promise }, at) => run(`large ${at}`, operationLimits.cost, promise));
  all.push(run('small', turnLimits.objects - 1));
  const other = new RequestTurn(turns, { name: 'b' }).during(operationLimits.cost, () => order.push('of another'));
  await other;
  expect(order).toEqual(['small', 'large 0', 'of another']);
  gates[0]!.resolve();
  gates[1]!.resolve();
  await Promise.all(all);
  expect(order.at(-1)).toBe('large 1');
});

test('a turn ends when its response is sent and its operation has ended, whichever comes last', async () => {
  for (const isLeft of [false, true]) {
    const turns = ofRequests();
    let sent = (): void => {};
    const turn = new RequestTurn(turns, { name: 'a' }, (leave) => {
      sent = leave;
      return () => {};
    });
    const gate = Promise.withResolvers<void>();
    const running = turn.during(operationLimits.cost, () => gate.promise);
    await new Promise(setImmediate);
    let isNext = false;
    const next = Promise.resolve(new RequestTurn(turns, { name: 'a' }).during(operationLimits.cost, () => (isNext = true)));
    const first = isLeft ? sent : gate.resolve;
    const second = isLeft ? gate.resolve : sent;
    first();
    await new Promise(setImmediate);
    expect(isNext).toBe(false);
    second();
    await Promise.all([running, next]);
    expect(isNext).toBe(true);
  }
});

test('bodies below the size of a large request wait too, before they are read and before they are parsed', async () => {
  const turns = ofRequests();
  const objects = turnLimits.objects - 1;
  const begin = (): RequestTurn => new RequestTurn(turns, { name: 'a' }, () => () => {});
  expect(begin().arriving(objects)).toBeInstanceOf(Promise);
  let parsed = 0;
  for (let at = 0; at < 100; at++)
    void begin()
      .parsing(objects)!
      .then(() => parsed++);
  await new Promise(setImmediate);
  expect(parsed).toBeLessThanOrEqual(operationLimits.cost / objects + 1);
});

test('bodies that arrive slowly leave the work of others alone', async () => {
  const turns = ofRequests();
  const arriving = ['a', 'b', 'c'].map((name) => new RequestTurn(turns, { name }, () => () => {}).arriving(operationLimits.cost));
  await Promise.all(arriving);
  const order: string[] = [];
  await new RequestTurn(turns, { name: 'd' }).during(operationLimits.cost, () => order.push('d'));
  expect(order).toEqual(['d']);
});

test('of the clients that other owners wait for, the slowest loses its connection, and no other', async () => {
  const turns = ofRequests();
  const clientOf = (carried: () => number | undefined, name = String(Math.random())) => {
    const client = { isEnded: false, carried, end: () => {} };
    let leave = (): void => {};
    client.end = () => {
      client.isEnded = true;
      leave();
    };
    const onLeave = (ending: () => void) => {
      leave = ending;
      return () => {};
    };
    return { client, taken: new RequestTurn(turns, { name }, onLeave, client).arriving(operationLimits.cost) };
  };
  let looks = 0;
  const quick = clientOf(() => ++looks * turnLimits.slowBytes);
  const working = clientOf(() => undefined);
  const slow = clientOf(() => 10, 'slow');
  // An owner each, until nothing is left.
  const others = Array.from({ length: 5 }, () => clientOf(() => undefined));
  await Promise.all([quick, working, slow, ...others].map(({ taken }) => taken));
  const own = clientOf(() => undefined, 'slow');
  while (looks < turnLimits.slowSeconds + 1) await new Promise((resolve) => setTimeout(resolve, 50));
  expect(slow.client.isEnded).toBe(false);
  const next = clientOf(() => undefined);
  await next.taken;
  expect([quick, working, slow, ...others, own, next].map(({ client }) => client.isEnded)).toEqual([
    false,
    false,
    true,
    ...Array(7).fill(false),
  ]);
});

test('a turn at work ends when the response is made, before its client has taken it', async () => {
  const turns = ofRequests();
  const turn = new RequestTurn(turns, { name: 'a' }, () => () => {});
  await turn.during(operationLimits.cost, () => {});
  const order: string[] = [];
  const next = Promise.resolve(new RequestTurn(turns, { name: 'a' }).during(operationLimits.cost, () => order.push('next')));
  await new Promise(setImmediate);
  order.push('made');
  turn.made();
  await next;
  expect(order).toEqual(['made', 'next']);
});

test('what follows the start of a request at once belongs to it, and what follows later waits', async () => {
  const turns = ofRequests();
  // Other owners take all the time of this turn of the event loop.
  for (let owner = 0; turns.starts.next(`${owner}`) === undefined; owner++);
  const turn = new RequestTurn(turns, { name: 'a' });
  const first = turn.start();
  expect(first).toBeInstanceOf(Promise);
  const waiting = turns.starts.next('many');
  await first;
  expect(turn.start()).toBeUndefined();
  for (const began = performance.now(); performance.now() - began < 2; );
  expect(turn.start()).toBeInstanceOf(Promise);
  await waiting;
});

test('the errors of many records are made in several turns', async () => {
  const refusals = Array.from({ length: 5_000 }, (_, index) => ({ index, refusal: invalid(`records[${index}].name`, 'name is wrong') }));
  let turns = 0;
  let next = setImmediate(function count() {
    turns++;
    next = setImmediate(count);
  });
  const errors = await errorsOfRecords(refusals, (field, message) => {
    for (const began = performance.now(); performance.now() - began < 0.01; );
    return { path: [field!], message };
  });
  clearImmediate(next);
  expect(errors).toHaveLength(5_000);
  expect(turns).toBeGreaterThan(5);
});

const gateway = useGateway({ poolMax: 4 });

test('an organisation whose transactions are slow leaves connections to the others', async () => {
  const { database } = gateway.services;
  const gates = Array.from({ length: 8 }, () => Promise.withResolvers<void>());
  let begun = 0;
  const slow = gates.map(({ promise }) =>
    organisationTransaction(database, 1, async () => {
      begun++;
      await promise;
    }),
  );
  let seen = 0;
  const other = organisationTransaction(database, 2, async () => {
    seen = begun;
  });
  // The embedded database has one connection, which it gets after the first.
  if (database.kind === 'pglite') gates[0]!.resolve();
  await other;
  expect(seen).toBeLessThanOrEqual(database.kind === 'pglite' ? 1 : 2);
  for (const { resolve } of gates) resolve();
  await Promise.all(slow);
  expect(begun).toBe(8);
});

test('a batch is written in chunks of few rows and characters, and each record is in one of them', () => {
  const entry = (children: number) => ({ path: 'data', input: { name: 'One', lineItems: Array.from({ length: children }, () => ({})) } });
  const chunksBy = (children: readonly number[], characters = 100) =>
    chunksOf(
      children.map(entry),
      children.map(() => 'x'.repeat(characters)),
    );
  const sizesOf = (children: readonly number[], characters?: number): number[] =>
    chunksBy(children, characters).map(({ entries }) => entries.length);
  expect(sizesOf(Array(1_000).fill(0))).toEqual([334, 334, 332]);
  expect(sizesOf(Array(100).fill(57))).toEqual([34, 34, 32]);
  expect(sizesOf([1, 5_000, 1, 1])).toEqual([1, 1, 2]);
  expect(sizesOf(Array(5).fill(0), 500_000)).toEqual([2, 2, 1]);
  expect(sizesOf([0, 0], 2_000_000)).toEqual([1, 1]);
  const children = [3, 2_003, 700, 1_302, 0, 2_500, 9];
  const chunks = chunksBy(children);
  expect(chunks.flatMap(({ entries }) => entries.map(({ input }) => (input.lineItems as object[]).length))).toEqual(children);
  expect(chunks.map(({ position }) => position)).toEqual([0, 1, 2, 4, 5, 6]);
});

// The starts of requests as a class, with a clock that the test moves: how much of a turn of the event loop one owner may have, and who is next.
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Starts } from '../../src/runtime/starts.ts';

let now = 0;
let starts: Starts;
/** What has started, in order. */
let started: string[];
/** Milliseconds that each start takes. */
let takes = 2;

beforeEach(() => {
  now = 0;
  takes = 2;
  started = [];
  starts = new Starts();
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => vi.restoreAllMocks());

function ask(owner: string, name: string): void {
  const run = (): void => {
    started.push(name);
    now += takes;
  };
  const start = starts.next(owner);
  if (start) void start.then(run);
  else run();
}

it('requests of one owner that are ready at once start in several turns, and another owner starts in the first', async () => {
  for (const name of ['a1', 'a2', 'a3']) ask('a', name);
  ask('b', 'b1');
  expect(started).toEqual(['a1', 'b1']);
  await turn();
  expect(started).toEqual(['a1', 'b1', 'a2']);
  await turn();
  expect(started).toEqual(['a1', 'b1', 'a2', 'a3']);
});

it('a request that takes no time leaves room for the next of its owner', () => {
  expect([starts.next('a'), starts.next('a'), starts.next('a')]).toEqual([undefined, undefined, undefined]);
});

it('a turn ends when all owners together have had their time, and those that wait go first in the next', async () => {
  for (const owner of ['a', 'b', 'c', 'd', 'e']) ask(owner, owner);
  expect(started).toEqual(['a', 'b', 'c']);
  await turn();
  expect(started).toEqual(['a', 'b', 'c', 'd', 'e']);
});

it('owners that have started nothing and those that wait for more are next by turns', async () => {
  for (const name of ['a1', 'a2', 'a3']) ask('a', name);
  for (const name of ['b1', 'b2']) ask('b', name);
  for (const name of ['c1', 'c2']) ask('c', name);
  ask('d', 'd1');
  expect(started).toEqual(['a1', 'b1', 'c1']);
  for (let waited = 0; waited < 4; waited++) await turn();
  expect(started).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'c2', 'a3', 'd1']);
});

it('an owner with one request starts it before the next of one that waits with many, and neither keeps the other waiting', async () => {
  // Longer than the starts of one turn may take.
  takes = 6;
  for (let at = 0; at < 6; at++) ask('many', 'many');
  await turn();
  for (const owner of ['b', 'c', 'd']) ask(owner, owner);
  for (let waited = 0; waited < 10; waited++) await turn();
  expect(started).toEqual(['many', 'many', 'b', 'many', 'c', 'many', 'd', 'many', 'many']);
});

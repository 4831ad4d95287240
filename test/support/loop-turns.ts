// How much CPU one turn of the event loop of this thread takes at most, which neither other processes of the machine nor collections of garbage change.
import { type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';

const used = (): number => {
  const { user, system } = process.threadCpuUsage();
  return user + system;
};

/** The CPU of the longest turn, and of all together, in microseconds. */
export interface LoopTurns {
  longest: number;
  all: number;
}

/** Looks at the turns from now on; returns the function that ends that. */
export function watchTurns(): () => Promise<LoopTurns> {
  const turns: { began: number; cpu: number }[] = [];
  let [began, before] = [performance.now(), used()];
  const look = (): void => {
    const now = used();
    turns.push({ began, cpu: now - before });
    [began, before] = [performance.now(), now];
    next = setImmediate(look);
  };
  let next = setImmediate(look);
  // A full collection takes 20 ms wherever the heap is full, which is no turn's doing.
  const collections: PerformanceEntry[] = [];
  const observer = new PerformanceObserver((list) => collections.push(...list.getEntries()));
  observer.observe({ entryTypes: ['gc'] });
  return async () => {
    clearImmediate(next);
    look();
    clearImmediate(next);
    // Node announces a collection in the turn after it.
    await nextTurn();
    await nextTurn();
    collections.push(...observer.takeRecords());
    observer.disconnect();
    for (const { startTime, duration } of collections) {
      const turn = turns.findLast((one) => one.began <= startTime);
      if (turn) turn.cpu = Math.max(0, turn.cpu - duration * 1_000);
    }
    return { longest: Math.max(...turns.map(({ cpu }) => cpu)), all: turns.reduce((sum, { cpu }) => sum + cpu, 0) };
  };
}

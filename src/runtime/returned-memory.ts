// When V8 collects garbage: seldom under load, once after the start, and when a busy time is over. V8 does not shrink the heap of an idle process.
import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void;

/** Delay of the first collection, long enough for the work right after the start. */
const SETTLED_MS = 1_000;
const LOOK_MS = 60_000;
/** The event loop is idle when it works for less than this share of the time between two looks. */
const IDLE = 0.1;
/**
 * Resident memory that is worth a collection: above that at rest, and above what the last collection left, which is in use. Compared with the last
 * collection alone, each one allowed another tenth.
 */
const BEYOND_REST = 1.1;
const BEYOND_LAST = 1.03;

/**
 * How much the heap may grow before a full collection. V8 chooses 10 to 300 %, and often the least where a process was idle: with one collection for
 * every 15 MB, lists took half as much CPU again.
 */
const GROWTH_PERCENT = 200;

/**
 * Sets how much the heap may grow. Collects the garbage of the start, 40 of 200 MB in 90 ms. Later it collects that of each busy time, once no request
 * has to wait for it.
 */
export function returnMemory(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
  setTimeout(() => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as Collect;
    const collected = (): number => {
      collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
      return process.memoryUsage.rss();
    };
    collected();
    let rest: number | undefined;
    let last = 0;
    let before = performance.eventLoopUtilization();
    setInterval(() => {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, before);
      before = now;
      const resident = process.memoryUsage.rss();
      if (utilization >= IDLE || (rest !== undefined && (resident < BEYOND_REST * rest || resident < BEYOND_LAST * last))) return;
      last = collected();
      // The first idle minute shows what the process has at rest: what it does after the start can take longer than a second.
      rest ??= last;
    }, LOOK_MS).unref();
  }, SETTLED_MS).unref();
}

// Returns memory that V8 keeps to the system: once after the start, and when a busy time is over. V8 does not shrink the heap of an idle process.
import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void;

/** Delay of the first collection, long enough for the work right after the start. */
const SETTLED_MS = 1_000;
const LOOK_MS = 60_000;
/** The event loop is idle when it works for less than this share of the time between two looks. */
const IDLE = 0.1;
/** Growth of the resident memory since the last collection that is worth another. */
const GROWTH = 1.1;

/** Collects the garbage of the start, 40 of 200 MB in 90 ms, and later that of each busy time, once nobody has to wait for it. */
export function returnMemory(): void {
  setTimeout(() => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as Collect;
    const collected = (): number => {
      collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
      return process.memoryUsage.rss();
    };
    let least = collected();
    let before = performance.eventLoopUtilization();
    setInterval(() => {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, before);
      before = now;
      if (utilization < IDLE && process.memoryUsage.rss() > GROWTH * least) least = collected();
    }, LOOK_MS).unref();
  }, SETTLED_MS).unref();
}

// The pauses of long work, which runs in pieces: between two of them the process does other work.

/** How long the pieces of one turn of the event loop take together. With a pause after each piece of 0.2 ms, the turns cost more than the work. */
const TURN_MS = 2;

/** What waits to continue, in its order. */
const waiting: (() => void)[] = [];
/** When the last of it continued. */
let began = 0;

function next(): void {
  began = performance.now();
  waiting.shift()!();
  if (waiting.length > 0) setImmediate(next);
}

/**
 * Without a promise while this turn of the event loop has time left. Else it resolves when the process has looked for other work: in each turn one
 * waiting task continues. Forty bodies that were parsed at the same time, a piece of each in every turn, held it for 700 ms.
 */
export function others(): Promise<void> | undefined {
  if (performance.now() - began < TURN_MS) return undefined;
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(next);
  });
}

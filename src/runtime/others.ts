// The pauses of long work, which runs in pieces: between two of them the process does other work, once they have taken their time.

/** Time for the pieces of one turn of the event loop. A pause after each piece made 60 turns of a batch, most of them for 0.2 ms of work. */
const TURN_MS = 2;

/** What waits to continue, in its order. */
const waiting: (() => void)[] = [];
/** When a task last continued. */
let began = 0;

function next(): void {
  began = performance.now();
  waiting.shift()!();
  if (waiting.length > 0) setImmediate(next);
}

/**
 * Asked after each piece. Returns no promise while this turn of the event loop has time left. Otherwise it resolves when the process has looked for
 * other work; one waiting task continues in each turn. Forty bodies that were parsed at the same time, a piece of each in every turn, held the event
 * loop for 700 ms.
 */
export function others(): Promise<void> | undefined {
  if (performance.now() - began < TURN_MS) return undefined;
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(next);
  });
}

// The pauses of long work, which runs in pieces: between two of them the process does other work.

/** What waits to continue, in its order. */
const waiting: (() => void)[] = [];

function next(): void {
  waiting.shift()!();
  if (waiting.length > 0) setImmediate(next);
}

/**
 * Resolves when the process has looked for other work. In each turn of the event loop, one piece of each waiting task continues. Forty bodies that
 * were parsed at the same time, a piece of each in every turn, held it for 700 ms.
 */
export function others(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(next);
  });
}

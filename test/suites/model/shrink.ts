// Shortens a failing history: leaves out ever smaller runs of its operations as long as what is left still fails in the same way.
import { Difference } from './compare.ts';
import type { Operation } from './operations.ts';

/** Runs of a failing history that are tried at most. */
const MAX_RUNS = 50;

const kindOf = (error: Error): string => (error instanceof Difference ? error.kind : error.name);

export async function shortest(
  operations: readonly Operation[],
  error: Error,
  fails: (some: readonly Operation[]) => Promise<Error | undefined>,
): Promise<{ operations: readonly Operation[]; error: Error }> {
  let best = { operations, error };
  let runs = 0;
  for (let size = Math.ceil(operations.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < best.operations.length - 1 && runs < MAX_RUNS; ) {
      const some = best.operations.toSpliced(from, Math.min(size, best.operations.length - 1 - from));
      const found = await fails(some);
      runs++;
      if (found && kindOf(found) === kindOf(error)) best = { operations: some, error: found };
      else from += size;
    }
  }
  return best;
}

// Counts the SQL statements of a piece of work.
import type { Database } from '../../src/database/open.ts';

/** How often a piece of work is run to count its statements. */
export const RUNS = 4;

/** Statements the work takes. Background tasks of the process may add theirs to any one run, so the least of several counts. */
export async function statementsOf(database: Database, work: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS; run++) {
    const before = database.statements();
    await work();
    least = Math.min(least, database.statements() - before);
  }
  return least;
}

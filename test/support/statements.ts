// Counts the SQL statements of a piece of work.
import type { Database } from '../../src/database/open.ts';

/** How often the work is run to count its statements. */
export const RUNS = 4;

/** The number of statements that the work takes. Background tasks may add theirs to any run, so the least of several runs counts. */
export async function statementsOf(database: Database, work: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS; run++) {
    const before = database.statements();
    await work();
    least = Math.min(least, database.statements() - before);
  }
  return least;
}

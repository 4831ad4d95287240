// Counts the SQL statements of a piece of work.

import type { Database } from '../../src/database/open.ts';
import { countingStatements } from '../../src/runtime/statement-count.ts';
import { isOnWorkers } from './server.ts';

/** How often the work is run to count its statements. */
export const RUNS = 4;

/** The number of statements that the work takes. Jobs, and what is shared with others, may add theirs to any run, so the least of several runs counts. */
export async function statementsOf(database: Database, work: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS; run++) {
    const before = database.statements();
    await countingStatements({ sent: 0 }, work);
    least = Math.min(least, database.statements() - before);
  }
  return least;
}

/**
 * How many statements take the place of one that reads for several companies. A distributed engine has the rows of each on one node and is asked for
 * each on its own.
 */
export const eachOf = (companies: number): number => (isOnWorkers ? companies : 1);

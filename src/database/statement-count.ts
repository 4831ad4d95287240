// Counts the statements of each request.
import { AsyncLocalStorage } from 'node:async_hooks';

/** The statements sent so far. */
export interface StatementCount {
  sent: number;
}

const counts = new AsyncLocalStorage<StatementCount>();

/** Runs work whose statements are counted, wherever they are sent from. */
export const countingStatements = <T>(count: StatementCount, work: () => T): T => counts.run(count, work);

/** Counts one statement for the work it belongs to. */
export function countStatement(): void {
  const count = counts.getStore();
  if (count) count.sent++;
}

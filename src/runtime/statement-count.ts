// For whom statements are sent, and how many.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Owner } from './turns.ts';

/** The statements sent so far. */
export interface StatementCount {
  sent: number;
  /** Who sends them, and takes turns at the connections of the database. */
  owner?: Owner;
}

const counts = new AsyncLocalStorage<StatementCount>();

/** Runs work whose statements are counted, wherever they are sent from. */
export const countingStatements = <T>(count: StatementCount, work: () => T): T => counts.run(count, work);

/** Counts one statement for the work it belongs to. False where the process sends it for itself, such as to store its log of requests. */
export function countStatement(): boolean {
  const count = counts.getStore();
  if (count) count.sent++;
  return count !== undefined;
}

/** Who sends the statements of the running work; undefined for work of the gateway itself. */
export const currentOwner = (): Owner | undefined => counts.getStore()?.owner;

/** The owner of background work of an organisation. It is not that of the requests, so that these do not wait for it. */
export const workOf = (organisationId: number | string): Owner => ({ name: `work of ${organisationId}` });

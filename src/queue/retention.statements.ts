// The removal of old rows, for the chores of retention.

import { engineOf, type Run } from '../database/engine/engine.ts';
import { type EntityManager, executeIn } from '../database/open.ts';
import { modelOf, type RecordClass } from '../records/metadata.ts';

/** Most rows removed in one transaction. */
export const RETENTION_BATCH = 2_000;

/** Which rows of a table to remove. */
export interface OldRows {
  /** Condition in SQL on the row `t`. */
  condition: string;
  /** Values of its parameters, from `$1` on. */
  values: readonly unknown[];
  /** Column that orders the rows, where an index finds them by it. */
  order?: string;
  /** Most rows removed; `RETENTION_BATCH` when absent. */
  limit?: number;
}

/** Removes rows of a table, except those that another transaction has locked. Returns the key of each, so that their number shows whether more are left. */
export async function removeRows(
  em: EntityManager,
  record: RecordClass,
  { condition, values, order, limit = RETENTION_BATCH }: OldRows,
): Promise<string[]> {
  const model = modelOf(record);
  const chosen = `"${model.table}" t where ${condition}${order ? ` order by t.${order}` : ''} limit ${limit}`;
  const run: Run = (sql, own) => executeIn(em, sql, own);
  return engineOf(em).remove(run, { model, condition, values, chosen });
}

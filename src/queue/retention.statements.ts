// The removal of old rows, for the retention schedules.
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
  const { table, props, key } = modelOf(record);
  const rows = await executeIn<{ key: string }>(
    em,
    `delete from "${table}" where ctid = any(array(
       select t.ctid from "${table}" t where ${condition}${order ? ` order by t.${order}` : ''} limit ${limit} for update skip locked))
     returning "${props.get(key)!.column}"::text as key`,
    [...values],
  );
  return rows.map((row) => row.key);
}

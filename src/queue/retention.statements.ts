// The removal of old rows, for the chores of retention.

import { type EntityManager, executeIn } from '../database/open.ts';
import { isDistributed } from '../database/read-path/engine.ts';
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
  const { table, props, key, companyColumn } = model;
  const column = `"${props.get(key)!.column}"`;
  const chosen = `"${table}" t where ${condition}${order ? ` order by t.${order}` : ''} limit ${limit}`;
  const gone: { key: string }[] = [];
  if (companyColumn && isDistributed(em)) {
    // The rows of a company are on one node, and no statement locks rows of several.
    const found = await executeIn<{ key: string; company: string }>(
      em,
      `select t.${column}::text as key, t.${companyColumn}::text as company from ${chosen}`,
      [...values],
    );
    const [last, next] = [values.length + 1, values.length + 2];
    for (const [company, rows] of Map.groupBy(found, (row) => row.company))
      gone.push(
        ...(await executeIn<{ key: string }>(
          em,
          `delete from "${table}" t where t.${companyColumn} = $${last}::bigint and t.${column}::text = any($${next}::text[]) and ${condition} returning t.${column}::text as key`,
          [...values, company, rows.map((row) => row.key)],
        )),
      );
  } else
    gone.push(
      ...(await executeIn<{ key: string }>(
        em,
        `delete from "${table}" where ctid = any(array(select t.ctid from ${chosen} for update skip locked)) returning ${column}::text as key`,
        [...values],
      )),
    );
  return gone.map((row) => row.key);
}

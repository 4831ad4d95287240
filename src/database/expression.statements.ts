// Evaluates one expression in a transaction: a lock, a notification, the next numbers of a sequence.
import { type EntityManager, executeIn } from './open.ts';

/** A call of the database as an expression, and the values it binds. */
export interface Expression {
  sql: string;
  values: readonly unknown[];
}

/** A moment later than that of a column, in SQL. A moment plus an interval depends on the time zone of the session, which a distributed engine takes in no update. */
export const laterBy = (moment: string, interval: string): string => `((${moment} at time zone 'UTC') + ${interval}) at time zone 'UTC'`;

/** The value of an expression. */
export async function evaluate(em: EntityManager, { sql, values }: Expression): Promise<unknown> {
  const [row] = await executeIn<{ value: unknown }>(em, `select ${sql} as value`, [...values]);
  return row!.value;
}

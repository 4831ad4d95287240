// Evaluates one expression in a transaction: a lock, a notification, the next numbers of a sequence.
import { type EntityManager, executeIn } from './open.ts';

/** A call of the database as an expression, and the values it binds. */
export interface Expression {
  sql: string;
  values: readonly unknown[];
}

/** The value of an expression. */
export async function evaluate(em: EntityManager, { sql, values }: Expression): Promise<unknown> {
  const [row] = await executeIn<{ value: unknown }>(em, `select ${sql} as value`, [...values]);
  return row!.value;
}

// Advisory locks: let one transaction at a time do a piece of work that has no row to lock.
import { evaluate } from './expression.statements.ts';
import type { EntityManager } from './open.ts';

/** Waits until no other transaction holds the lock of this name, and holds it until the transaction ends. Several may share it. */
export async function lockUntilCommit(em: EntityManager, name: string, isShared = false): Promise<void> {
  await evaluate(em, { sql: `pg_advisory_xact_lock${isShared ? '_shared' : ''}(hashtext($1))`, values: [name] });
}

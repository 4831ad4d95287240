// The connections of the ORM's pool. Kysely, which the ORM runs transactions with, never gives a connection back whose `begin` or `rollback`
// failed: a server that restarted or froze under five writes left a pool of five without a connection for good.
import { Client, type PoolClient } from 'pg';

const OPENS_OR_UNDOES = /^(begin|start transaction|rollback$)/;

/** A connection that leaves its pool, and is closed, when a transaction on it could not be opened or undone. */
export class PooledClient extends Client {
  override query(statement: never, ...rest: never[]): never {
    const answer = super.query(statement, ...rest) as unknown;
    if (typeof statement === 'string' && OPENS_OR_UNDOES.test(statement))
      (answer as Promise<unknown>).catch((error: Error) => (this as unknown as PoolClient).release(error));
    return answer as never;
  }
}

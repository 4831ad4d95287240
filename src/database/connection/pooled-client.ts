// The client of the pools: leaves its pool when a transaction broke it.
import { Client, type PoolClient } from 'pg';

const BEGIN_OR_ROLLBACK = /^(begin|start transaction|rollback$)/;

/**
 * A connection that leaves its pool and is closed when a BEGIN or ROLLBACK on it fails. Kysely, which runs the transactions of the ORM, does not
 * release such a connection. A server that restarted or froze under five writes left a pool of five without a connection permanently.
 */
export class PooledClient extends Client {
  /** Set by the pool. */
  declare release: PoolClient['release'];

  override query(statement: unknown, ...parameters: unknown[]) {
    const response = Reflect.apply(super.query, this, [statement, ...parameters]);
    if (typeof statement === 'string' && BEGIN_OR_ROLLBACK.test(statement)) response.catch((error: Error) => this.release(error));
    return response;
  }
}

// The client of the pools: takes the rows of reads before the driver parses them, and removes a connection that a transaction broke from its pool.
import { EventEmitter } from 'node:events';
import { Client, type ClientConfig, type PoolClient } from 'pg';
import { DataRowParser } from './data-rows.ts';

const BEGIN_OR_ROLLBACK = /^(begin|start transaction|rollback$)/;

/** Members of the driver's connection that its published types lack; `prepared` is added here. */
interface DriverConnection {
  parser: DataRowParser;
  prepared: Map<string, string>;
  attachListeners(stream: EventEmitter): void;
}

/**
 * A connection that leaves its pool and is closed when a BEGIN or ROLLBACK on it fails. Kysely, which runs the transactions of the ORM, does
 * not release such a connection: a server that restarted or froze under five writes left a pool of five without a connection for good.
 */
export class PooledClient extends Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    const { connection } = this as unknown as { connection: DriverConnection };
    const remaining = new EventEmitter();
    connection.parser = new DataRowParser((bytes) => remaining.emit('data', bytes));
    connection.prepared = new Map();
    const listen = connection.attachListeners.bind(connection);
    connection.attachListeners = (stream) => {
      listen(remaining);
      stream.on('data', (chunk: Buffer) => connection.parser.take(chunk));
    };
  }

  override query(statement: never, ...parameters: never[]): never {
    const answer = super.query(statement, ...parameters) as unknown;
    if (typeof statement === 'string' && BEGIN_OR_ROLLBACK.test(statement))
      (answer as Promise<unknown>).catch((error: Error) => (this as unknown as PoolClient).release(error));
    return answer as never;
  }
}

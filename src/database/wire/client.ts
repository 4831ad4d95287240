// The connections of the pools: rows of reads are taken before the driver parses them, and a connection that a transaction broke is given up.
import { EventEmitter } from 'node:events';
import { Client, type ClientConfig, type PoolClient } from 'pg';
import { DataRowParser } from './data-rows.ts';

const OPENS_OR_UNDOES = /^(begin|start transaction|rollback$)/;

/** What the driver's connection offers beyond its published types. */
interface DriverConnection {
  parser: DataRowParser;
  prepared: Map<string, string>;
  attachListeners(stream: EventEmitter): void;
}

/**
 * A connection that leaves its pool, and is closed, when a transaction on it could not be opened or undone. Kysely, which the ORM runs
 * transactions with, never gives such a connection back: a server that restarted or froze under five writes left a pool of five without a
 * connection for good.
 */
export class PooledClient extends Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    const { connection } = this as unknown as { connection: DriverConnection };
    const others = new EventEmitter();
    connection.parser = new DataRowParser((bytes) => others.emit('data', bytes));
    connection.prepared = new Map();
    const listen = connection.attachListeners.bind(connection);
    connection.attachListeners = (stream) => {
      listen(others);
      stream.on('data', (chunk: Buffer) => connection.parser.take(chunk));
    };
  }

  override query(statement: never, ...rest: never[]): never {
    const answer = super.query(statement, ...rest) as unknown;
    if (typeof statement === 'string' && OPENS_OR_UNDOES.test(statement))
      (answer as Promise<unknown>).catch((error: Error) => (this as unknown as PoolClient).release(error));
    return answer as never;
  }
}

// Subscribers of tests: graphql-ws clients of a gateway.
import { type Client, createClient, type ExecutionResult } from 'graphql-ws';
import { afterEach } from 'vitest';
import { WebSocket } from 'ws';

export interface Connect {
  origin: string;
  connectionParams?: Record<string, unknown>;
  headers?: Record<string, string>;
}

const clients: Client[] = [];

/** A client that connects once; it is closed after the test. */
export function connect({ origin, connectionParams, headers = {} }: Connect): Client {
  class Socket extends WebSocket {
    constructor(address: string, protocols: string) {
      super(address, protocols, { headers });
    }
  }
  const client = createClient({
    url: `${origin.replace('http', 'ws')}/graphql`,
    webSocketImpl: Socket,
    retryAttempts: 0,
    lazy: true,
    ...(connectionParams ? { connectionParams } : {}),
  });
  clients.push(client);
  return client;
}

/** A client whose key is in the connection's parameters. */
export const connectWithKey = (origin: string, key: string): Client =>
  connect({ origin, connectionParams: { authorization: `Bearer ${key}` } });

/** Closes the clients of a test when it ends; called once at the top of a test file. */
export function closeClients(): void {
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.dispose();
  });
}

export type Results<T> = AsyncIterableIterator<ExecutionResult<T>>;

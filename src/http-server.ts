// The HTTP server around the application, with the time limits that keep slow clients from holding it.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { App } from './app.ts';

// Node's defaults (60 s for headers, 300 s for a request, looked at every 30 s) let slow clients hold sockets too long.
// Idle connections are kept longer than common proxies keep theirs (60 s), so that a proxy never sends into a closing one.
const TIMES = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 1_000, keepAliveTimeout: 65_000 };

const IDLE_LOOK_MS = 50;

/** A listening server: its port, and its orderly end. */
export interface Listening {
  port: number;
  /** Takes no further request, ends subscriptions and idle connections, and resolves when the last request is answered. */
  close(): Promise<void>;
}

/** Listens for an application. */
export async function listen(app: App, port: number, host: string): Promise<Listening> {
  const server: Server = createServer(TIMES, app.handler);
  server.on('upgrade', app.subscriptions.upgrade);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // A connection whose request is under way is kept alive after it, so that this must be said again until none is left.
      const closing = setInterval(() => server.closeIdleConnections(), IDLE_LOOK_MS);
      await app.subscriptions.close();
      await closed;
      clearInterval(closing);
      await app.stop();
    },
  };
}

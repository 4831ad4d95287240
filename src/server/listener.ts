// The HTTP server around the application, with the time limits that keep slow clients from holding it.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { owned } from '../runtime/owned.ts';
import type { App } from './app.ts';

// Node's defaults (60 s for headers, 300 s for a request, looked at every 30 s) let slow clients hold sockets too long.
// Idle connections are kept longer than common proxies keep theirs (60 s), so that a proxy never sends into a closing one.
const TIMES = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 1_000, keepAliveTimeout: 65_000 };

const IDLE_LOOK_MS = 50;

/** How long a stop waits for requests under way; one whose body has stopped to come would hold it for 30 s. */
const REQUESTS_MS = 8_000;

/** A listening server: its port, and its orderly end. */
export interface Listening {
  port: number;
  /**
   * Serves on for `drainMs` while `/readyz` answers 503 and each answer ends its connection, so that balancers and kept connections go
   * elsewhere. Then takes no further request, ends subscriptions and idle connections, and resolves when the last request is answered or has taken
   * too long.
   */
  close(drainMs?: number): Promise<void>;
}

/** Listens for an application. */
export async function listen(app: App, port: number, host: string): Promise<Listening> {
  // Failing to take a connection over, as without a free file descriptor, is no reason to end those that are served.
  const server: Server = owned(createServer({ ...TIMES, shouldUpgradeCallback: app.subscriptions.takes }, app.handler));
  // From here on, whatever becomes of a connection: a request, an upgrade at any path, bytes that are no request.
  server.on('connection', (socket) => owned(socket));
  server.on('upgrade', app.subscriptions.upgrade);
  // Nobody is told to send a body before its reader, who asks for the credentials first, has begun to read.
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    request.once('resume', () => response.headersSent || response.writeContinue());
    server.emit('request', request, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: async (drainMs = 0) => {
      app.drain();
      server.prependListener('request', (_, response: ServerResponse) => response.setHeader('Connection', 'close'));
      if (drainMs > 0) await sleep(drainMs);
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // A connection whose request is under way is kept alive after it, so that this must be said again until none is left.
      const closing = setInterval(() => server.closeIdleConnections(), IDLE_LOOK_MS);
      const leaving = setTimeout(() => server.closeAllConnections(), REQUESTS_MS);
      await app.subscriptions.close();
      await closed;
      clearInterval(closing);
      clearTimeout(leaving);
      await app.stop();
    },
  };
}

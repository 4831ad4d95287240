// The HTTP server around the application, with the time limits for slow clients.
import type * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Express } from 'express';
import { PARSED_HEAD_BYTES } from '../http/request-head.ts';
import { createServer, IncomingMessage, ServerResponse } from '../runtime/http-server.ts';
import { owned } from '../runtime/owned.ts';
import type { App } from './app.ts';

// Node's defaults for headers (60 s, checked every 30 s) let slow clients hold sockets too long. A request has 300 s, in which a line of 0.5 Mbit/s
// sends the largest file, 15 MB; within 30 s only lines of 4 Mbit/s did. What a slow body takes of memory is bounded by its turn.
// Idle connections are kept longer than common proxies keep theirs (60 s), so that a proxy never sends into a closing one.
const TIMES = { headersTimeout: 10_000, requestTimeout: 300_000, connectionsCheckingInterval: 1_000, keepAliveTimeout: 65_000 };

const IDLE_CHECK_MS = 50;

/** How long a stop waits for requests in progress; a request whose body no longer arrives would delay it by five minutes. */
const REQUESTS_MS = 8_000;

/** A listening server: its port, and its graceful stop. */
export interface Listening {
  port: number;
  /**
   * For `drainMs` requests are served, `/readyz` returns 503 and each response closes its connection, so that load balancers and keep-alive
   * clients go elsewhere. Then stops accepting requests and closes subscriptions and idle connections. Resolves when the last request is
   * sent or has taken too long.
   */
  close(drainMs?: number): Promise<void>;
}

/** Where a server listens. With `reusePort` other processes of the same user may listen there too. */
interface Address {
  port: number;
  host: string;
  reusePort?: boolean;
}

/** Listens for what `ADMIN_PORT` serves; returns the port and how to close it. */
export async function listenForAdmin({ admin }: App, address: Address): Promise<{ port: number; close(): void }> {
  const server = owned(createServer(TIMES, admin));
  server.on('connection', (socket) => owned(socket));
  await listening(server, 'ADMIN_PORT', address);
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** What to do about an address that cannot be listened on, by the code of the error. */
const REMEDIES: Record<string, (setting: string) => string> = {
  EADDRINUSE: (setting) => `Stop the process that listens there, or set another ${setting}`,
  EACCES: (setting) => `Set ${setting} to a port that this user may open, such as one from 1024 on`,
  EADDRNOTAVAIL: () => 'Set HOST to an address of this machine, or to 0.0.0.0 for all of them',
  ENOTSUP: () => 'Unset REUSE_PORT: this system does not divide connections among processes',
  ENOTFOUND: () => 'Set HOST to an address of this machine, or to 0.0.0.0 for all of them',
};

const listening = (server: http.Server, setting: 'PORT' | 'ADMIN_PORT', { port, host, reusePort = false }: Address): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const remedy = REMEDIES[error.code ?? '']?.(setting) ?? `Check ${setting} and HOST`;
      reject(new Error(`${setting}=${port} on HOST=${host} cannot be listened on (${error.code}). ${remedy}`, { cause: error }));
    });
    server.listen({ port, host, reusePort }, resolve);
  });

/**
 * The classes of requests and responses of an application. Express changes the prototype of each request and response to its own, which cost a small
 * request 3 % of its CPU. Where they have that prototype from the start, the change has no effect.
 */
function classesOf(app: Express): http.ServerOptions {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse<Request extends http.IncomingMessage> extends ServerResponse<Request> {}
  Object.setPrototypeOf(ExpressRequest.prototype, app.request);
  Object.setPrototypeOf(ExpressResponse.prototype, app.response);
  Object.assign(app, { request: ExpressRequest.prototype, response: ExpressResponse.prototype });
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
}

/** Listens for an application. */
export async function listen(app: App, address: Address): Promise<Listening> {
  // An error of accepting a connection, such as no free file descriptor, must not end the process and its other connections.
  const settings = {
    ...TIMES,
    ...classesOf(app.handler),
    maxHeaderSize: PARSED_HEAD_BYTES,
    shouldUpgradeCallback: app.subscriptions.takes,
  };
  const server: http.Server = owned(createServer(settings, app.handler));
  // Errors of every connection, whatever it carries: a request, an upgrade at any path, bytes that are not HTTP.
  server.on('connection', (socket) => owned(socket));
  server.on('upgrade', app.subscriptions.upgrade);
  // Sends `100 Continue` only when the body is read, which is after the credentials were checked.
  server.on('checkContinue', (request: http.IncomingMessage, response: http.ServerResponse) => {
    request.once('resume', () => response.headersSent || response.writeContinue());
    server.emit('request', request, response);
  });
  await listening(server, 'PORT', address);
  return {
    port: (server.address() as AddressInfo).port,
    close: async (drainMs = 0) => {
      app.drain();
      server.prependListener('request', (_, response: http.ServerResponse) => response.setHeader('Connection', 'close'));
      if (drainMs > 0) await sleep(drainMs);
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // A connection becomes idle again after its request, so idle ones are closed repeatedly until none is left.
      const closing = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
      const leaving = setTimeout(() => server.closeAllConnections(), REQUESTS_MS);
      await app.subscriptions.close();
      await closed;
      clearInterval(closing);
      clearTimeout(leaving);
      await app.stop();
    },
  };
}

// A webhook receiver on the loopback interface: records the messages and responds as the test configures.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Receiver {
  url: string;
  received: Received[];
  /** Waits until `count` messages have arrived; the test runner's own limit ends an endless wait. */
  arrived(count: number): Promise<Received[]>;
  stop(): Promise<void>;
}

export type Respond = (request: Received, response: ServerResponse) => void;

const accept: Respond = (_, response) => response.writeHead(200).end('taken');

/** Starts a receiver; by default it accepts everything. */
export async function startReceiver(respond: Respond = accept): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const message = { path: request.url!, headers: request.headers, body: Buffer.concat(chunks).toString() };
    received.push(message);
    respond(message, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    arrived: async (count) => {
      while (received.length < count) await new Promise((resolve) => setTimeout(resolve, 10));
      return received;
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

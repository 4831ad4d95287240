// A webhook receiver: registers itself, verifies the signature of each message with the Standard Webhooks library, and unregisters.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import createClient from 'openapi-fetch';
import { Webhook } from 'standardwebhooks';
import { expect, type Gateway } from './gateway.ts';
import type { paths } from './generated/platform.d.ts';

const WAIT_MS = 20_000;

interface Message {
  headers: Record<string, string>;
  body: string;
}

/** Listens for one message. */
function receive(): Promise<{ url: string; message: Promise<Message>; close: () => void }> {
  return new Promise((ready) => {
    let arrived: (message: Message) => void;
    const message = new Promise<Message>((resolve) => {
      arrived = resolve;
    });
    const server = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request.setEncoding('utf8')) body += chunk;
      response.end();
      arrived({ headers: request.headers as Record<string, string>, body });
    }).listen(0, '127.0.0.1', () => {
      ready({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, message, close: () => server.close() });
    });
  });
}

/** Runs the scenario; returns a summary of its results. The gateway must allow private receivers (`WEBHOOK_ALLOW_PRIVATE`). */
export async function webhookReceiver({ base, bearer }: Gateway): Promise<string> {
  const platform = createClient<paths>({ baseUrl: base, headers: { authorization: `Bearer ${bearer}` } });
  const { url, message, close } = await receive();
  const made = await platform.POST('/api/v1/webhooks', { body: { url, topics: ['CORPORATIONS_CREATED'] } });
  const webhook = made.data?.data;
  expect(webhook?.secret !== undefined, `a webhook with its secret, not ${JSON.stringify(made.error)}`);
  try {
    await platform.POST('/api/v1/corporations', { body: { legal_name: 'Hooked Inc.', jurisdiction: 'US', state: 'DE' } });
    const { headers, body } = await Promise.race([message, timeout()]);
    const event = new Webhook(webhook.secret!.replace('whsec_', '')).verify(body, headers) as { topic?: string; type?: string };
    return `signed ${event.type ?? event.topic}`;
  } finally {
    await platform.DELETE('/api/v1/webhooks/{id}', { params: { path: { id: webhook.id } } });
    close();
  }
}

const timeout = (): Promise<never> =>
  new Promise((_, reject) => setTimeout(() => reject(new Error(`no message within ${WAIT_MS} ms`)), WAIT_MS).unref());

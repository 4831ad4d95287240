// The events about webhooks themselves: one that fails for long, one that is disabled.
import { afterEach, expect, it } from 'vitest';
import { useGateway } from '../support/gateway.ts';
import type { Received } from '../support/receiver.ts';
import { settled, webhookTools } from '../support/webhooks.ts';

const gateway = useGateway({ webhookAllowPrivate: true });
const { receiver, call, register, logWhere, stopReceivers } = webhookTools(gateway);
afterEach(stopReceivers);

const MINUTE = 60_000;
const topics = ['WEBHOOK.FAILING', 'WEBHOOK.DISABLED'];
const bodyOf = ({ body }: Received) => JSON.parse(body);

it('a webhook that has failed for an hour is reported once, until an attempt succeeds', async () => {
  const key = await gateway.key(['PLATFORM']);
  const watcher = await receiver();
  await register(key, watcher.url, { topics });
  let isUp = false;
  const target = await receiver((_, response) => response.writeHead(isUp ? 200 : 500).end());
  const { id } = await register(key, target.url, { topics: ['PRODUCTS.CREATED'] });
  let attempts = 0;
  const attempt = async (minutesLater: number): Promise<void> => {
    gateway.clock.advance(minutesLater * MINUTE);
    await call(key, 'POST', `/test/trigger/${id}`, { event_data: {} });
    await logWhere(key, id, settled(++attempts));
  };
  await attempt(0);
  await attempt(30);
  expect(watcher.received).toEqual([]);
  await attempt(31);
  await watcher.arrived(1);
  await attempt(10);
  isUp = true;
  await attempt(1);
  isUp = false;
  await attempt(1);
  await attempt(59);
  expect(watcher.received).toHaveLength(1);
  await attempt(2);
  const messages = await watcher.arrived(2);
  for (const message of messages)
    expect(bodyOf(message)).toMatchObject({
      topic: 'WEBHOOK.FAILING',
      data: { webhook_id: id, url: target.url, status: 'ENABLED', disabled_reason: null, failing_since: expect.stringMatching(/^20.*Z$/) },
    });
});

it('a webhook that is disabled is reported, with the reason, to its own organisation', async () => {
  const [key, other] = [await gateway.key(['PLATFORM']), await gateway.key(['PLATFORM'])];
  const [watcher, stranger] = [await receiver(), await receiver()];
  await register(key, watcher.url, { topics });
  await register(other, stranger.url, { topics });
  const target = await receiver((_, response) => response.writeHead(410).end());
  const gone = await register(key, target.url, { topics: ['PRODUCTS.CREATED'] });
  await call(key, 'POST', `/test/trigger/${gone.id}`, { event_data: {} });
  await watcher.arrived(1);
  const manual = await register(key, target.url, { topics: ['PRODUCTS.CREATED'] });
  expect((await call(key, 'POST', `/${manual.id}`, { status: 'DISABLED' })).status).toBe(200);
  expect((await call(key, 'POST', `/${manual.id}`, { status: 'DISABLED' })).status).toBe(200);
  await call(key, 'POST', `/${manual.id}`, { status: 'ENABLED' });
  await call(key, 'POST', `/${manual.id}`, { status: 'DISABLED' });
  const messages = await watcher.arrived(3);
  expect(messages.map(bodyOf).map(({ topic, data }) => [topic, data.webhook_id, data.status, data.disabled_reason])).toEqual([
    ['WEBHOOK.DISABLED', gone.id, 'DISABLED', 'GONE'],
    ['WEBHOOK.DISABLED', manual.id, 'DISABLED', 'MANUAL'],
    ['WEBHOOK.DISABLED', manual.id, 'DISABLED', 'MANUAL'],
  ]);
  expect(stranger.received).toEqual([]);
});

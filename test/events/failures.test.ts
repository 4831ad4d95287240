// Deliveries to a failing receiver: retries, the end of retries, and no delay for other receivers.
import type { ServerResponse } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { useGateway } from '../support/gateway.ts';
import { product, settled, webhookTools } from '../support/webhooks.ts';

const gateway = useGateway({ webhookAllowPrivate: true });
const { receiver, call, register, emit, log, logWhere, stopReceivers } = webhookTools(gateway);
afterEach(stopReceivers);

it('a redirect is a failure that is not followed, and 1 KB of the response is stored', async () => {
  const key = await gateway.key(['PLATFORM']);
  const elsewhere = await receiver();
  const target = await receiver((_, response) => response.writeHead(302, { location: elsewhere.url }).end('x'.repeat(5_000)));
  const { id } = await register(key, target.url);
  await emit(key, product);
  const { deliveries } = await logWhere(key, id, settled(1));
  expect(deliveries.nodes[0]).toMatchObject({
    status: 'PENDING',
    attemptsLeft: 9,
    nextAttemptAt: expect.any(String),
    attempts: [{ status: 302, responseBody: 'x'.repeat(1_024), error: null }],
  });
  expect(elsewhere.received).toEqual([]);
});

it('a failed delivery comes again with the same id and body', async () => {
  const key = await gateway.key(['PLATFORM']);
  let calls = 0;
  const target = await receiver((_, response) => response.writeHead(++calls === 1 ? 500 : 204).end());
  const { id } = await register(key, target.url);
  await emit(key, product);
  const { deliveries } = await logWhere(key, id, ({ deliveries }) => deliveries.nodes[0]?.status === 'DELIVERED');
  expect(deliveries.nodes[0]!.attempts.map(({ status }) => status)).toEqual([500, 204]);
  expect(new Set(target.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(new Set(target.received.map(({ body }) => body)).size).toBe(1);
});

it('Retry-After moves the next attempt, and 410 disables the webhook as GONE', async () => {
  const key = await gateway.key(['PLATFORM']);
  const later = await receiver((_, response) => response.writeHead(503, { 'retry-after': '3600' }).end());
  const gone = await receiver((_, response) => response.writeHead(410).end());
  const [busy, dead] = [await register(key, later.url), await register(key, gone.url)];
  await emit(key, product);
  const { deliveries } = await logWhere(key, busy.id, settled(1));
  const [delivery] = deliveries.nodes;
  expect(Date.parse(delivery!.nextAttemptAt!) - Date.parse(delivery!.attempts[0]!.at)).toBeGreaterThanOrEqual(3_600_000);
  const ended = await logWhere(key, dead.id, ({ status }) => status === 'DISABLED');
  expect(ended).toMatchObject({ disabledReason: 'GONE', deliveries: { nodes: [{ status: 'FAILED', nextAttemptAt: null }] } });
});

it('a webhook that only failed for five days is disabled as FAILING, one that succeeded in between is not', async () => {
  const key = await gateway.key(['PLATFORM']);
  let isUp = false;
  const [down, flaky] = [
    await receiver((_, response) => response.writeHead(500).end()),
    await receiver((_, response) => response.writeHead(isUp ? 200 : 500).end()),
  ];
  const [dead, alive] = [await register(key, down.url), await register(key, flaky.url)];
  const attempt = async (count: number): Promise<void> => {
    for (const { id } of [dead, alive]) await call(key, 'POST', `/test/trigger/${id}`, { event_data: {} });
    for (const { id } of [dead, alive]) await logWhere(key, id, settled(count));
  };
  const day = 24 * 3_600_000;
  await attempt(1);
  gateway.clock.advance(2 * day);
  isUp = true;
  await attempt(2);
  isUp = false;
  expect((await log(key, dead.id)).status).toBe('ENABLED');
  gateway.clock.advance(3 * day);
  await attempt(3);
  gateway.clock.advance(-5 * day);
  expect(await log(key, dead.id)).toMatchObject({ status: 'DISABLED', disabledReason: 'FAILING' });
  expect(await log(key, alive.id)).toMatchObject({ status: 'ENABLED', disabledReason: null });
});

it('a deleted webhook receives nothing more, and its pending deliveries are cancelled', async () => {
  const key = await gateway.key(['PLATFORM']);
  const waiting: ServerResponse[] = [];
  const target = await receiver((_, response) => void waiting.push(response));
  const { id } = await register(key, target.url);
  await emit(key, ...Array.from({ length: 12 }, () => product));
  await target.arrived(4);
  expect((await call(key, 'DELETE', `/${id}`)).status).toBe(204);
  const states = async (): Promise<unknown[][]> =>
    gateway.services.database.read(
      { name: 'states_of', text: 'select status, count(*) from webhook_delivery where webhook_id = $1 group by status' },
      [id],
    );
  expect(await states()).toEqual([['CANCELLED', '12']]);
  for (const response of waiting) response.writeHead(500).end();
  // The calls that were under way are stored; nothing else is called.
  const attempts = {
    name: 'attempts_of',
    text: 'select count(*) from webhook_attempt a join webhook_delivery d on d.id = a.delivery_id where d.webhook_id = $1',
  };
  while ((await gateway.services.database.read(attempts, [id]))[0]![0] !== '4') await new Promise((resolve) => setTimeout(resolve, 20));
  expect(await states()).toEqual([['CANCELLED', '12']]);
  expect(target.received).toHaveLength(4);
});

it('a thousand deliveries to a receiver that hangs delay no other receiver', async () => {
  const key = await gateway.key(['PLATFORM']);
  const [hanging, healthy] = [await receiver(() => {}), await receiver()];
  const { id } = await register(key, hanging.url, { topics: ['PRODUCTS.CREATED'] });
  await register(key, healthy.url, { topics: ['PRODUCTS.DELETED'] });
  await emit(key, ...Array.from({ length: 1_000 }, () => product));
  await hanging.arrived(4);
  await emit(key, ...Array.from({ length: 40 }, () => ({ ...product, topic: 'PRODUCTS.DELETED' as const })));
  await healthy.arrived(40);
  expect(hanging.received.length).toBeLessThanOrEqual(2 * 4);
  // Otherwise the rest would be tried again next to the next tests.
  await call(key, 'DELETE', `/${id}`);
});

it('many deliveries are claimed and settled together, with at most half a commit each', async () => {
  const key = await gateway.key(['PLATFORM']);
  const target = await receiver();
  const { id } = await register(key, target.url);
  await emit(key, ...Array.from({ length: 300 }, () => product));
  const { tallies } = gateway.services;
  const delivered = (): number =>
    Object.fromEntries(tallies.deliveries.entries().map(([[outcome], count]) => [outcome, count])).delivered ?? 0;
  const first = delivered();
  while (delivered() - first < 300) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(new Set(target.received.map(({ headers }) => headers['webhook-id'])).size).toBe(300);
  const states = await gateway.services.database.read(
    {
      name: 'settled_of',
      text: 'select status, turn, attempts_left, count(*) from webhook_delivery where webhook_id = $1 group by 1, 2, 3',
    },
    [id],
  );
  expect(states).toEqual([['DELIVERED', '1', '9', '300']]);
  const [[settlements]] = (await gateway.services.database.read(
    // Each row names the transaction that wrote it.
    { name: 'settlements_of', text: 'select count(distinct xmin::text) from webhook_delivery where webhook_id = $1' },
    [id],
  )) as [[string]];
  expect(Number(settlements)).toBeLessThanOrEqual(300 / 2);
});

it('receivers that hang delay no other receiver', async () => {
  const key = await gateway.key(['PLATFORM']);
  const hanging = await receiver(() => {});
  const healthy = await receiver();
  for (let count = 0; count < 3; count++) await register(key, hanging.url);
  await register(key, healthy.url);
  await emit(key, ...Array.from({ length: 40 }, () => product));
  await healthy.arrived(40);
  expect(hanging.received.length).toBeLessThanOrEqual(3 * 4);
});

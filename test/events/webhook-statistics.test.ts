// The statistics of a webhook: what its attempts add up to, on their own and in lists, and no other webhook's.
import { afterEach, expect, it } from 'vitest';
import { useGateway } from '../support/gateway.ts';
import { until } from '../support/queue-database.ts';
import { webhookTools } from '../support/webhooks.ts';

const gateway = useGateway({ webhookAllowPrivate: true });
const { receiver, register, stopReceivers } = webhookTools(gateway);
afterEach(stopReceivers);

const READ =
  'query($id: ID!) { webhook(id: $id) { statistics { attempts successRate p50 p95 } deliveries { nodes { finishedAt attempts { status duration } } } } }';

interface Attempt {
  status: number | null;
  duration: number;
}

/** The value below which a share of sorted values is, as PostgreSQL's discrete percentile defines it. */
const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.ceil(share * values.length) - 1]!;

async function test(key: string, id: string, times: number): Promise<void> {
  const before = (await gateway.graphql(key, READ, { id })).body.data.webhook.deliveries.nodes.length;
  for (let sent = 0; sent < times; sent++)
    await gateway.graphql(key, 'mutation($id: ID!) { triggerWebhookTest(input: { id: $id, eventData: {} }) { delivery { id } } }', { id });
  await until(async () => {
    const { body } = await gateway.graphql(key, READ, { id });
    return (
      body.data.webhook.deliveries.nodes.filter(({ finishedAt }: { finishedAt: string | null }) => finishedAt !== null).length ===
      times + before
    );
  });
}

it('counts the attempts, the share that succeeded, and how long they took', async () => {
  const key = await gateway.key(['PLATFORM']);
  let calls = 0;
  const target = await receiver((_, response) => response.writeHead(++calls % 4 === 0 ? 500 : 200).end());
  const { id } = await register(key, target.url);
  expect((await gateway.graphql(key, READ, { id })).body.data.webhook.statistics).toEqual({
    attempts: 0,
    successRate: null,
    p50: null,
    p95: null,
  });
  await test(key, id, 8);
  const { statistics, deliveries } = (await gateway.graphql(key, READ, { id })).body.data.webhook;
  const durations = deliveries.nodes.flatMap(({ attempts }: { attempts: Attempt[] }) => attempts.map(({ duration }) => duration));
  expect(statistics).toEqual({ attempts: 8, successRate: 0.75, p50: percentile(durations, 0.5), p95: percentile(durations, 0.95) });
});

it('are by hour too, the latest first, and add up to the whole', async () => {
  const key = await gateway.key(['PLATFORM']);
  let isUp = true;
  const target = await receiver((_, response) => response.writeHead(isUp ? 200 : 500).end());
  const { id } = await register(key, target.url);
  const BY_HOUR = 'query($id: ID!) { webhook(id: $id) { statistics { attempts p95 hours { hour attempts successRate p50 p95 } } } }';
  const read = async () => (await gateway.graphql(key, BY_HOUR, { id })).body.data.webhook.statistics;
  expect((await read()).hours).toEqual([]);
  // Both begin well within their hour.
  const intoHour = gateway.clock.now().getTime() % 3_600_000;
  gateway.clock.advance(3_600_000 - intoHour + 60_000);
  const first = gateway.clock.now();
  await test(key, id, 2);
  isUp = false;
  gateway.clock.advance(7_200_000);
  await test(key, id, 3);
  const { attempts, p95, hours } = await read();
  const begin = (later: number): string => `${new Date(first.getTime() + later).toISOString().slice(0, 13)}:00:00Z`;
  expect(hours.map(({ hour, attempts: made, successRate }: Record<string, unknown>) => [hour, made, successRate])).toEqual([
    [begin(7_200_000), 3, 0],
    [begin(0), 2, 1],
  ]);
  expect(attempts).toBe(5);
  expect(Math.max(...hours.map((hour: { p95: number }) => hour.p95))).toBe(p95);
});

it('a list has those of each webhook, and another organisation none of them', async () => {
  const key = await gateway.key(['PLATFORM']);
  const target = await receiver();
  const quiet = await register(key, target.url);
  const busy = await register(key, target.url);
  await test(key, busy.id, 2);
  const list = '{ webhooks { nodes { id statistics { attempts successRate } } } }';
  const { body } = await gateway.graphql(key, list);
  expect(body.data.webhooks.nodes).toEqual([
    { id: busy.id, statistics: { attempts: 2, successRate: 1 } },
    { id: quiet.id, statistics: { attempts: 0, successRate: null } },
  ]);
  const other = await gateway.key(['PLATFORM']);
  expect((await gateway.graphql(other, list)).body.data.webhooks.nodes).toEqual([]);
  expect((await gateway.graphql(other, READ, { id: busy.id })).body.errors[0].extensions.code).toBe('WEBHOOK_NOT_FOUND');
});

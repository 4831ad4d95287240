// The statistics of a webhook: what its attempts add up to, by themselves and in lists, and nobody else's.
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
  for (let sent = 0; sent < times; sent++)
    await gateway.graphql(key, 'mutation($id: ID!) { triggerWebhookTest(input: { id: $id, eventData: {} }) { delivery { id } } }', { id });
  await until(async () => {
    const { body } = await gateway.graphql(key, READ, { id });
    return (
      body.data.webhook.deliveries.nodes.filter(({ finishedAt }: { finishedAt: string | null }) => finishedAt !== null).length === times
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

// Several processes on one PostgreSQL: they share the deliveries, and an event of one reaches the streams of the others.
// The embedded database has one process only.
import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import { organisationTransaction } from '../../src/database/transaction.ts';
import { type EventSource, emitEvents } from '../../src/events/events.ts';
import { ownDatabase, serverUrl, startGateway } from '../support/gateway.ts';
import { platformCaller } from '../support/platform.ts';
import { program } from '../support/program.ts';
import { startReceiver } from '../support/receiver.ts';
import { connectWithKey, type Results } from '../support/subscriber.ts';

const EVENTS = 200;

async function shareTheWork(): Promise<void> {
  const own = (await ownDatabase())!;
  const inFlight = new Set<string>();
  const overlaps: string[] = [];
  const receiver = await startReceiver(({ headers }, response) => {
    const id = String(headers['webhook-id']);
    if (inFlight.has(id)) overlaps.push(id);
    inFlight.add(id);
    void setTimeout(30).then(() => {
      inFlight.delete(id);
      response.writeHead(200).end();
    });
  });
  const producer = await startGateway({ databaseUrl: own.url, webhookAllowPrivate: true, worker: false });
  const key = await producer.key(['PLATFORM']);
  await producer.graphql(key, 'mutation ($url: URL!) { createWebhook(input: { url: $url, topics: [ALL] }) { webhook { id } } }', {
    url: receiver.url,
  });
  const settings = { DATABASE_URL: own.url, WEBHOOK_ALLOW_PRIVATE: 'true', LOG_LEVEL: 'debug' };
  const workers = await Promise.all([program.start(settings), program.start(settings)]);
  await emit(await sourceOf(producer, key), EVENTS);
  await receiver.arrived(EVENTS);
  await Promise.all(workers.map((worker) => worker.end('SIGTERM')));
  await producer.stop();
  await receiver.stop();
  await own.drop();
  const made = workers.map(({ lines }) => lines.filter((line) => line.includes('delivery attempted')).length);
  expect(overlaps).toEqual([]);
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(EVENTS);
  expect(receiver.received).toHaveLength(EVENTS);
  expect(made[0]! + made[1]!).toBe(EVENTS);
  for (const count of made) expect(count).toBeGreaterThan(0);
}

async function sourceOf(gateway: Awaited<ReturnType<typeof startGateway>>, key: string): Promise<EventSource> {
  const principal = (await gateway.services.keys.find(key))!;
  return { services: gateway.services, organisationId: principal.organisationId!, organisation: principal.organisation };
}

const emit = (source: EventSource, count: number): Promise<void> =>
  organisationTransaction(source.services.database, source.organisationId, async (em) =>
    emitEvents(
      em,
      source,
      Array.from({ length: count }, (_, n) => ({ topic: 'PRODUCTS.CREATED' as const, data: { n } })),
    ),
  );

async function reachOtherStreams(): Promise<void> {
  const own = (await ownDatabase())!;
  const settings = { databaseUrl: own.url, worker: false };
  const [here, there] = [await startGateway(settings), await startGateway(settings)];
  const key = await here.key(['PLATFORM']);
  const client = connectWithKey(there.origin, key);
  const stream = client.iterate({ query: 'subscription { eventStream { topic } }' });
  const source = await sourceOf(here, key);
  let received: unknown;
  const first = stream.next().then(({ value }) => {
    received = value.data;
  });
  // A subscription does not acknowledge its start, so events are sent until one arrives.
  while (received === undefined) {
    await emit(source, 1);
    await setTimeout(50);
  }
  await first;
  await client.dispose();
  await Promise.all([here.stop(), there.stop()]);
  await own.drop();
  expect(received).toEqual({ eventStream: { topic: 'PRODUCTS_CREATED' } });
}

/** The job of a delivery reads a disabled webhook; before it can mark the delivery as cancelled, the webhook is enabled. */
async function cancelNothingEnabled(): Promise<void> {
  const own = (await ownDatabase())!;
  const settings = { databaseUrl: own.url, webhookAllowPrivate: true };
  const receiver = await startReceiver();
  const producer = await startGateway({ ...settings, worker: false });
  const key = await producer.key(['PLATFORM']);
  await producer.graphql(key, 'mutation ($url: URL!) { createWebhook(input: { url: $url, topics: [ALL] }) { webhook { id } } }', {
    url: receiver.url,
  });
  await emit(await sourceOf(producer, key), 1);
  // The second one looks, because a transaction sees the activity of others as it was when it first asked.
  const [operator, observer] = [new Client({ connectionString: own.url }), new Client({ connectionString: own.url })];
  await Promise.all([operator.connect(), observer.connect()]);
  const statusOf = async (sql: string): Promise<unknown> => (await observer.query(sql)).rows[0]?.status;
  await operator.query("update webhook set status = 'DISABLED'");
  await operator.query("begin; update webhook set status = 'ENABLED'");
  const worker = await startGateway(settings);
  const waiting = "select 'WAITING' as status from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  const delivery = "select status from webhook_delivery where status <> 'PENDING'";
  let seen: unknown;
  for (; seen === undefined; seen = (await statusOf(waiting)) ?? (await statusOf(delivery))) await setTimeout(10);
  await operator.query('commit');
  if (seen === 'WAITING') await receiver.arrived(1);
  await Promise.all([operator.end(), observer.end(), worker.stop(), producer.stop(), receiver.stop()]);
  await own.drop();
  expect(seen).toBe('WAITING');
  expect(receiver.received).toHaveLength(1);
}

async function streamProgressOfAnother(): Promise<void> {
  const own = (await ownDatabase())!;
  const here = await startGateway({ databaseUrl: own.url, worker: false });
  const caller = await platformCaller(here, '/api/v1');
  const csv = `name\n${Array.from({ length: 12_000 }, (_, n) => `n${n}\n`).join('')}`;
  const file = (await caller.upload(csv)).body.data.id;
  const started = await caller.send('POST', '/products/bulk_upload/csv', { file_id: file, corporation_id: await caller.corporation() });
  const client = connectWithKey(here.origin, caller.key);
  const states: { status: string; processedRows: number }[] = [];
  const stream = client.iterate({
    query: 'subscription ($id: ID!) { importJobProgress(jobId: $id) { status processedRows } }',
    variables: { id: started.body.data.job.id },
  }) as Results<{ importJobProgress: (typeof states)[0] }>;
  states.push((await stream.next()).value.data!.importJobProgress);
  const there = await startGateway({ databaseUrl: own.url });
  for await (const { data } of stream) states.push(data!.importJobProgress);
  await client.dispose();
  await Promise.all([here.stop(), there.stop()]);
  await own.drop();
  expect(states[0]).toEqual({ status: 'PENDING', processedRows: 0 });
  expect(states.at(-1)).toEqual({ status: 'COMPLETED', processedRows: 12_000 });
}

describe.skipIf(!serverUrl)('processes on one server (needs DATABASE_URL)', () => {
  it('a delivery is not cancelled when its webhook has been enabled in the meantime', { timeout: 60_000 }, cancelNothingEnabled);
  it('two processes share the deliveries, and none is made by both', { timeout: 120_000 }, shareTheWork);
  it('an event of one process reaches a stream of another', { timeout: 60_000 }, reachOtherStreams);
  it('the progress of an import in another process is streamed to its end', { timeout: 60_000 }, streamProgressOfAnother);
});

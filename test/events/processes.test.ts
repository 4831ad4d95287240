// Several processes on one PostgreSQL: they share the deliveries, and an event in one reaches the streams of the other. The embedded database has one process only.
import { createClient } from 'graphql-ws';
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { type EventSource, emitEvents } from '../../src/core/events.ts';
import { organisationTransaction } from '../../src/core/transact.ts';
import { ADMIN_TOKEN, ownDatabase, serverUrl, startGateway } from '../support/gateway.ts';
import { compileProgram } from '../support/program.ts';
import { startReceiver } from '../support/receiver.ts';

const EVENTS = 200;

async function shareTheWork(): Promise<void> {
  const own = (await ownDatabase())!;
  const program = compileProgram();
  const underWay = new Set<string>();
  const overlaps: string[] = [];
  const receiver = await startReceiver(({ headers }, response) => {
    const id = String(headers['webhook-id']);
    if (underWay.has(id)) overlaps.push(id);
    underWay.add(id);
    setTimeout(() => {
      underWay.delete(id);
      response.writeHead(200).end();
    }, 30);
  });
  const producer = await startGateway({ databaseUrl: own.url, webhookAllowPrivate: true, worker: false });
  const key = await producer.key(['PLATFORM']);
  await producer.graphql(key, 'mutation ($url: String!) { createWebhook(input: { url: $url, topics: [ALL] }) { webhook { id } } }', {
    url: receiver.url,
  });
  const settings = { DATABASE_URL: own.url, WEBHOOK_ALLOW_PRIVATE: 'true', ADMIN_TOKEN, LOG_LEVEL: 'debug' };
  const workers = await Promise.all([program.start(settings), program.start(settings)]);
  await emit(await sourceOf(producer, key), EVENTS);
  await receiver.arrived(EVENTS);
  await Promise.all(workers.map((worker) => worker.end('SIGTERM')));
  await producer.stop();
  await receiver.stop();
  await program.remove();
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
  organisationTransaction(source.services.database, source.organisationId, (em) =>
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
  const client = createClient({
    url: `${there.origin.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${key}` },
    retryAttempts: 0,
  });
  const stream = client.iterate({ query: 'subscription { eventStream { topic } }' });
  const source = await sourceOf(here, key);
  let heard: unknown;
  const first = stream.next().then(({ value }) => {
    heard = value.data;
  });
  // Subscribing gives no sign of its own, so events are sent until one is heard.
  while (heard === undefined) {
    await emit(source, 1);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await first;
  await client.dispose();
  await Promise.all([here.stop(), there.stop()]);
  await own.drop();
  expect(heard).toEqual({ eventStream: { topic: 'PRODUCTS_CREATED' } });
}

if (serverUrl) {
  it('chosen: two processes share the deliveries, and none is made by both', { timeout: 120_000 }, shareTheWork);
  it('chosen: an event of one process reaches a stream of another', { timeout: 60_000 }, reachOtherStreams);
} else {
  it('chosen: without DATABASE_URL there is no server that processes could share', () => expect(serverUrl).toBeUndefined());
}

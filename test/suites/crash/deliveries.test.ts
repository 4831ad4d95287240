// No event is lost: processes are killed while a receiver fails, hangs, redirects and returns 410, and every event still arrives, under one id.
// `npm run suite -- crash --rounds N` kills N times, with more events.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { organisationTransaction } from '../../../src/database/transaction.ts';
import { emitEvents } from '../../../src/events/events.ts';
import { ownDatabase, startGateway } from '../../support/gateway.ts';
import { program, type RunningProgram } from '../../support/program.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';

const KILLS = Number(process.env.SUITE_ROUNDS ?? 1);
/** Enough that every kill finds deliveries under way. */
const EVENTS = 100 * KILLS;

/**
 * A receiver that never responds to its first call. It fails one event in six at its first delivery in each way of failing, and accepts every retry.
 */
async function unreliable(): Promise<Receiver & { accepted: Map<string, number> }> {
  const seen = new Set<string>();
  const accepted = new Map<string, number>();
  const receiver = await startReceiver(({ headers, body }, response) => {
    const id = String(headers['webhook-id']);
    const outcome = seen.has(id) ? 1 : Math.random();
    seen.add(id);
    // Under way when the first process is killed.
    if (seen.size === 1) return;
    if (outcome < 0.1) response.writeHead(503).end('not now');
    else if (outcome < 0.13) response.writeHead(302, { location: '/elsewhere' }).end();
    else if (outcome < 0.15) response.writeHead(410).end();
    else if (outcome < 0.17) response.socket!.destroy();
    else {
      accepted.set(id, JSON.parse(body).data.n);
      response.writeHead(200).end();
    }
  });
  return Object.assign(receiver, { accepted });
}

it('kill -9 and an unreliable receiver lose no event and change no id', { timeout: 300_000 + EVENTS * 1_500 }, async () => {
  const own = await ownDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'deliveries-'));
  const receiver = await unreliable();
  const settings = { webhookAllowPrivate: true, dataDir, ...(own ? { databaseUrl: own.url } : {}) };
  const producer = await startGateway({ ...settings, worker: false });
  const key = await producer.key(['PLATFORM']);
  const graphql = async (origin: string, query: string, variables: object): Promise<Record<string, never>> => {
    const response = await fetch(`${origin}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify({ query, variables }),
    });
    return ((await response.json()) as { data: Record<string, never> }).data;
  };
  const { webhook, secret } = await (async () => {
    const made = (await graphql(
      producer.origin,
      'mutation ($url: URL!) { createWebhook(input: { url: $url, topics: [ALL] }) { webhook { id secret } } }',
      { url: receiver.url },
    )) as never as { createWebhook: { webhook: { id: string; secret: string } } };
    return { webhook: made.createWebhook.webhook.id, secret: made.createWebhook.webhook.secret };
  })();
  const principal = (await producer.services.keys.find(key))!;
  const source = { services: producer.services, organisationId: principal.organisationId!, organisation: principal.organisation };
  const events = Array.from({ length: EVENTS }, (_, n) => ({ topic: 'PRODUCTS.CREATED' as const, data: { n } }));
  await organisationTransaction(producer.services.database, source.organisationId, async (em) => emitEvents(em, source, events));
  await producer.stop();

  const launch = (): Promise<RunningProgram> =>
    program.start({
      WEBHOOK_ALLOW_PRIVATE: 'true',
      ...(own ? { DATABASE_URL: own.url } : { DATA_DIR: dataDir }),
    });
  for (let kill = 0; kill < KILLS; kill++) {
    const running = await launch();
    const enough = receiver.received.length + 10 + Math.floor((Math.random() * EVENTS) / (KILLS + 1) / 2);
    await workUntil(running.origin, async () => receiver.received.length >= enough);
    await running.end('SIGKILL');
  }
  const last = await launch();
  await workUntil(last.origin, async () => (await delivered(last.origin)) === EVENTS);
  await last.end('SIGTERM');
  await receiver.stop();
  await own?.drop();
  await rm(dataDir, { recursive: true, force: true });

  expect([...receiver.accepted.values()].sort((a, b) => a - b)).toEqual(events.map(({ data }) => data.n));
  const ids = new Map(receiver.received.map(({ headers, body }) => [JSON.parse(body).data.n as number, headers['webhook-id']]));
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(EVENTS);
  expect([...ids].every(([n, id]) => receiver.accepted.get(String(id)) === n)).toBe(true);
  const verifier = new Webhook(secret);
  for (const { headers, body } of receiver.received.slice(-50)) verifier.verify(body, headers as Record<string, string>);
  console.log(`${EVENTS} events, ${KILLS} kills: ${receiver.received.length} calls, ${EVENTS} accepted at least once`);

  /** Waits, and acts like an operator in the meantime: enables the webhook again after a 410, and sends again the deliveries which that cancelled. */
  async function workUntil(origin: string, isDone: () => Promise<boolean>): Promise<void> {
    while (!(await isDone())) {
      await repair(origin);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
  async function repair(origin: string): Promise<void> {
    const { webhook: now } = (await graphql(origin, 'query ($id: ID!) { webhook(id: $id) { status } }', { id: webhook })) as never as {
      webhook: { status: string };
    };
    if (now.status === 'ENABLED') return;
    await graphql(
      origin,
      'mutation ($id: ID!) { enableWebhook(input: { id: $id }) { webhook { id } } replayWebhookDeliveries(input: { webhookId: $id, since: "2000-01-01" }) { queued } }',
      { id: webhook },
    );
  }
  async function delivered(origin: string): Promise<number> {
    const data = (await graphql(
      origin,
      'query ($id: ID!) { webhook(id: $id) { deliveries(first: 1, filter: { status: { eq: DELIVERED } }) { totalCount } } }',
      { id: webhook },
    )) as never as { webhook: { deliveries: { totalCount: number } } };
    return data.webhook.deliveries.totalCount;
  }
});

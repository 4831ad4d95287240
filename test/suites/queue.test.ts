// The queue in a database of its own. Gateways are killed at random moments, also between the commits of the two databases, and the queue's database
// is away for a while. Every accepted write ends with each of its events, deliveries and job effects exactly once. `npm run suite -- queue --rounds
// N` kills N times.
import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { expect, it } from 'vitest';
import { serverUrl } from '../support/gateway.ts';
import { call, issueKey, ownPlace, program } from '../support/program.ts';
import { startReceiver } from '../support/receiver.ts';
import { newDatabase, runOnServer } from '../support/server.ts';

const ROUNDS = Number(process.env.SUITE_ROUNDS ?? 1);
const WRITERS = 4;
/** One write in so many is a batch, which a job stores. */
const BATCH_EVERY = 5;
const BATCH = 20;

/** Stretches the time between the two commits of a relay and between those of a job, so that kills fall into it. */
const slow = (table: string, event: string, seconds: number, condition = '') => `
  create function public.slow_${event}() returns trigger language plpgsql as $$ begin perform pg_sleep(${seconds}); return coalesce(new, old); end $$;
  create trigger slow before ${event} on ${table} for each ${condition ? `row when (${condition})` : 'statement'} execute function public.slow_${event}()`;

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  return client;
}

async function killAgainAndAgain(): Promise<void> {
  const place = await ownPlace();
  const queueDatabase = await newDatabase(serverUrl!);
  const queueName = new URL(queueDatabase.url).pathname.slice(1);
  const receiver = await startReceiver();
  const settings = { ...place.settings, QUEUE_DATABASE_URL: queueDatabase.url, WEBHOOK_ALLOW_PRIVATE: 'true' };
  const records = await connect(place.settings.DATABASE_DIRECT_URL ?? place.settings.DATABASE_URL!);
  const ask = async <T>(sql: string): Promise<T[]> => (await records.query(sql)).rows as T[];
  const count = async (sql: string): Promise<number> =>
    (await ask<{ count: number }>(`select count(*)::int as count from ${sql}`))[0]!.count;

  const onQueue = async <T>(sql: string, values: unknown[] = []): Promise<T[]> => {
    const client = await connect(queueDatabase.url);
    const result = await client.query(sql, values).finally(() => client.end());
    return result.rows as T[];
  };

  let running = await program.start(settings);
  const key = await issueKey(running.origin, ['PLATFORM', 'INTEGRATIONS']);
  const company = (await call(running.origin, key, 'POST', '/v4/core/companies', { data: { name: 'Crash' } })).body.data
    .ledger_id as number;
  const base = `/v4/core/companies/${company}`;
  const hook = 'mutation ($url: URL!) { createWebhook(input: { url: $url, topics: [ALL] }) { webhook { id } } }';
  await call(running.origin, key, 'POST', '/graphql', { query: hook, variables: { url: receiver.url } });
  await ask(slow('outbox', 'delete', 0.05));
  await onQueue(slow('pgboss.job', 'update', 0.05, `new.state = 'completed'`));

  const accounts: string[] = [];
  const corporations: string[] = [];
  const batches = new Map<string, string>();
  let [sent, refused, isOver] = [0, 0, false];
  const write = async (origin: string): Promise<void> => {
    const name = `write ${sent++}`;
    if (sent % BATCH_EVERY === 0) {
      const data = Array.from({ length: BATCH }, (_, index) => ({ platform_id: `${name}-${index}`, name }));
      const { status, body } = await call(origin, key, 'PUT', `${base}/accounts?run_async=true`, { data });
      if (status === 202) batches.set(body.data.sync_id, name);
      else refused++;
    } else if (sent % BATCH_EVERY === 1) {
      const { status } = await call(origin, key, 'POST', '/api/v1/corporations', { legal_name: name, jurisdiction: 'GB' });
      if (status < 300) corporations.push(name);
      else refused++;
    } else {
      const { status } = await call(origin, key, 'POST', `${base}/accounts`, { data: { platform_id: name, name } });
      if (status < 300) accounts.push(name);
      else refused++;
    }
  };
  const writers = Array.from({ length: WRITERS }, async () => {
    // A write that a kill cuts off is stored as a whole or not at all.
    while (!isOver) await write(running.origin).catch(() => setTimeout(20));
  });
  const accepted = (): number => accounts.length + corporations.length + batches.size;
  const acceptMore = async (more: number): Promise<void> => {
    for (const enough = accepted() + more; accepted() < enough; ) await setTimeout(10);
  };

  // What the kills found: entries that were moved and not removed, and jobs whose effect had committed and that the queue considered running.
  const found = { events: 0, jobs: 0, completed: 0 };
  const known = async (ids: string, condition: string): Promise<number> => {
    const given = (await ask<{ id: string }>(ids)).map(({ id }) => id);
    return (await onQueue(`select 1 from pgboss.job where id = any($1::uuid[]) and ${condition}`, [given])).length;
  };
  for (let kill = 0; kill < ROUNDS; kill++) {
    await acceptMore(10);
    await setTimeout(Math.random() * 500);
    await running.end('SIGKILL');
    found.events += await count('outbox join event using (id)');
    found.jobs += await known(`select id from outbox where kind = 'job'`, 'true');
    found.completed += await known('select id from completed_job', `state = 'active'`);
    running = await program.start(settings);
  }

  await runOnServer(serverUrl!, `alter database ${queueName} with allow_connections false`);
  await runOnServer(serverUrl!, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${queueName}'`);
  const refusedBefore = refused;
  await acceptMore(30);
  await until(async () => (await count(`outbox where kind = 'job'`)) > 0);
  const refusedWithout = refused - refusedBefore;
  await runOnServer(serverUrl!, `alter database ${queueName} with allow_connections true`);
  isOver = true;
  await Promise.all(writers);

  await until(async () => (await count('sync where end_time is null')) + (await count('outbox')) === 0);
  // What a killed process had claimed would be free after 30 s.
  await ask('update webhook_delivery set claimed_until = null where finished_at is null');
  await until(async () => (await count(`webhook_delivery where finished_at is null`)) === 0);
  const again = (await onQueue('select 1 from pgboss.job where retry_count > 0')).length;
  await running.end('SIGTERM');
  await receiver.stop();

  const namesOf = async (sql: string): Promise<string[]> => (await ask<{ name: string }>(sql)).map(({ name }) => name);
  const stored = await namesOf(`select platform_id as name from account where platform_id like 'write %'`);
  const expected = [
    ...accounts,
    ...[...batches.values()].flatMap((name) => Array.from({ length: BATCH }, (_, index) => `${name}-${index}`)),
  ];
  expect(expected.filter((name) => !stored.includes(name))).toEqual([]);
  expect(new Set(stored).size).toBe(stored.length);
  // Each record has its one event and each event its record.
  const reported = await namesOf(
    `select data->>'platform_id' as name from event where topic = 'DATA_MODEL_CHANGES' and operation = 'CREATE' and data_model = 'ACCOUNT'`,
  );
  expect(reported.toSorted()).toEqual(stored.toSorted());
  expect(await count(`event where topic = 'DATA_MODEL_CHANGES' and operation <> 'CREATE' and data_model = 'ACCOUNT'`)).toBe(0);
  const made = await namesOf(`select legal_name as name from corporation`);
  expect(corporations.filter((name) => !made.includes(name))).toEqual([]);
  const toldCorporations = await namesOf(`select data->>'legal_name' as name from event where topic = 'CORPORATIONS_CREATED'`);
  expect(toldCorporations.toSorted()).toEqual(made.toSorted());
  // Each sync began and ended once.
  const syncs = await ask<{ id: string; status: string }>('select id, status from sync');
  expect(syncs.filter(({ status }) => status !== 'SUCCESS')).toEqual([]);
  expect([...batches.keys()].filter((id) => !syncs.some((sync) => sync.id === id))).toEqual([]);
  for (const topic of ['SYNC_STARTED', 'SYNC_COMPLETED']) {
    const ids = await namesOf(`select data->>'id' as name from event where topic = '${topic}'`);
    expect(new Set(ids).size, topic).toBe(ids.length);
    expect(ids.length, topic).toBe(syncs.length);
  }
  // Each event has one delivery, which arrived.
  const deliveries = await ask<{ event_id: string; status: string }>('select event_id, status from webhook_delivery');
  expect(deliveries.filter(({ status }) => status !== 'DELIVERED')).toEqual([]);
  expect(new Set(deliveries.map(({ event_id }) => event_id)).size).toBe(deliveries.length);
  expect(deliveries).toHaveLength(await count('event'));
  const arrived = new Set(receiver.received.map(({ headers }) => String(headers['webhook-id'])));
  expect([...arrived].toSorted()).toEqual(deliveries.map(({ event_id }) => event_id).toSorted());
  console.log(
    `queue: ${ROUNDS} kills, ${accepted()} writes accepted (${batches.size} batches of ${BATCH}), ${stored.length} accounts, ${deliveries.length} events with deliveries in ${receiver.received.length} calls: 0 lost, 0 doubled`,
  );
  console.log(
    `queue: kills found ${found.events} events and ${found.jobs} jobs moved and not removed, and ${found.completed} jobs whose effect had committed and that were not completed; ${again} jobs came again; ${refusedWithout} writes refused while the queue was away`,
  );
  await records.end();
  await queueDatabase.drop();
  await place.remove();
}

async function until(done: () => Promise<boolean>): Promise<void> {
  while (!(await done())) await setTimeout(50);
}

it.skipIf(!serverUrl)(
  'with the queue in another database kill -9 and its outage lose nothing and double nothing (needs DATABASE_URL)',
  { timeout: 240_000 + ROUNDS * 30_000 },
  killAgainAndAgain,
);

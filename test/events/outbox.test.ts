// The outbox: with the queue in another database, what a write queues waits in its own database, is moved once, and takes effect once.
// The embedded database has its queue within itself and rejects the setting.
import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { executeIn } from '../../src/database/open.ts';
import { systemTransaction } from '../../src/database/transaction.ts';
import { moveEvents } from '../../src/events/relayed-events.ts';
import { OutboxEntry } from '../../src/queue/outbox.ts';
import { createQueue, enqueue, type Queue, type Task } from '../../src/queue/queue.ts';
import { Relay } from '../../src/queue/relay.ts';
import { ADMIN_TOKEN, type Gateway, ownDatabase, serverUrl, startGateway } from '../support/gateway.ts';
import { metricsOf } from '../support/metrics.ts';
import { startReceiver } from '../support/receiver.ts';
import { buildCompany } from '../support/records.ts';
import { newDatabase } from '../support/server.ts';

it('QUEUE_DATABASE_URL needs DATABASE_URL', () => {
  expect(() => readConfig({ QUEUE_DATABASE_URL: 'postgres://queue' })).toThrow('QUEUE_DATABASE_URL needs DATABASE_URL');
});

const twoDatabases = (): void => {
  let [own, other]: Awaited<ReturnType<typeof newDatabase>>[] = [];
  let queued: Client;
  /** Stores; the workers of each test are its own. */
  let gateway: Gateway;
  const settings = () => ({ databaseUrl: own!.url, queueUrl: other!.url, webhookAllowPrivate: true });
  beforeAll(async () => {
    own = (await ownDatabase())!;
    other = await newDatabase(serverUrl!);
    gateway = await startGateway({ ...settings(), worker: false });
    queued = new Client({ connectionString: other.url });
    await queued.connect();
    await run('create table effect (record int not null)');
  });
  afterAll(async () => {
    await queued.end();
    await gateway.stop();
    await Promise.all([own!.drop(), other!.drop()]);
  });

  const run = <T>(sql: string, values: unknown[] = []): Promise<T[]> =>
    systemTransaction(gateway.services.database, (em) => executeIn<T>(em, sql, values));
  const count = async (sql: string): Promise<number> =>
    (await run<{ count: number }>(`select count(*)::int as count from ${sql}`))[0]!.count;
  const until = async (isDone: () => Promise<boolean>): Promise<void> => {
    while (!(await isDone())) await setTimeout(20);
  };
  const key = (): Promise<string> => gateway.key(['PLATFORM', 'INTEGRATIONS']);
  const webhook = (owner: string, url: string) =>
    gateway.graphql(owner, 'mutation ($url: URL!) { createWebhook(input: { url: $url, topics: [ALL] }) { webhook { id } } }', { url });

  /** A queue of the other database that runs one task, and a relay that fills it, while the work lasts. */
  async function working(
    task: Partial<Task> & Pick<Task, 'handler'>,
    work: (queue: Queue, errors: string[]) => Promise<void>,
  ): Promise<void> {
    const { outbox, clock } = gateway.services;
    const errors: string[] = [];
    const onError = (error: unknown): void => void errors.push(String(error));
    const backend = { kind: 'postgres', connection: { connectionString: other!.url } } as const;
    const tasks = [{ name: 'effect', ungrouped: 'its records belong to no organisation', retry: { limit: 5, delaySeconds: 0 }, ...task }];
    const queue = await createQueue(backend, tasks, { outbox, clock, onError, pollSeconds: 0.5 });
    const relay = new Relay({ ...gateway.services, failures: { note: onError } }, 'job', queue.move);
    try {
      await work(queue, errors);
    } finally {
      await queue.stop(1_000);
      await relay.stop();
      await run('delete from effect');
    }
  }
  const enqueued = (queue: Queue, payload: Record<string, number>): Promise<void> =>
    systemTransaction(gateway.services.database, async (em) => enqueue(em, queue, 'effect', payload));
  const records = async (): Promise<number[]> => (await run<{ record: number }>('select record from effect')).map(({ record }) => record);

  it('a write stores its events and jobs with itself, and a worker moves them to where they belong', async () => {
    const receiver = await startReceiver();
    const owner = await key();
    await webhook(owner, receiver.url);
    const company = await buildCompany(gateway, { key: owner });
    const data = [{ platform_id: 'one', name: 'One' }];
    const accepted = await gateway.send('PUT', `${company.base}/accounts?run_async=true`, { headers: company.headers, body: { data } });
    await gateway.send('POST', `${company.base}/accounts`, { headers: company.headers, body: { data: { name: 'Two' } } });
    expect(await count(`outbox where kind = 'event' and company_id = ${company.id}`)).toBeGreaterThan(0);
    expect(await count(`outbox where kind = 'job' and content->>'taskName' = 'batch-write'`)).toBe(1);
    expect(await count('event')).toBe(0);

    const worker = await startGateway(settings());
    const sync = `/v4/core/syncs/${accepted.body.data.sync_id}`;
    await until(async () => (await gateway.send('GET', sync, { headers: company.headers })).body.data.status === 'SUCCESS');
    await until(async () => (await count('outbox')) + (await count('webhook_delivery where finished_at is null')) === 0);
    const metrics = await metricsOf(worker.origin, ADMIN_TOKEN);
    await worker.stop();
    await receiver.stop();
    expect(metrics).toContain('gateway_outbox_entries{kind="event"} 0');
    expect(metrics).toContain('gateway_outbox_oldest_seconds{kind="job"} 0');
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(await count('webhook_delivery'));
    expect(await count(`event where topic = 'SYNC_COMPLETED'`)).toBe(2);
    expect(await count('account')).toBe(2);
  });

  it('entries that are moved again make no second event, delivery or job', async () => {
    const owner = await key();
    await webhook(owner, 'https://receiver.example/');
    const company = await buildCompany(gateway, { key: owner });
    const body = { data: [{ platform_id: 'again', name: 'Again' }] };
    await gateway.send('PUT', `${company.base}/accounts?run_async=true`, { headers: company.headers, body });
    const { services } = gateway;
    const moveAll = (): Promise<string[]> =>
      systemTransaction(services.database, async (em) => {
        const entries = await em.find(OutboxEntry, {}, { orderBy: { place: 'asc' }, disableIdentityMap: true });
        const [events, jobs] = (['event', 'job'] as const).map((kind) => entries.filter((entry) => entry.kind === kind)) as [
          OutboxEntry[],
          OutboxEntry[],
        ];
        expect(await moveEvents(services)(em, events)).toBe(events.length);
        expect(await services.queue.move(em, jobs)).toBe(jobs.length);
        return entries.map(({ id }) => id);
      });
    const state = async (): Promise<unknown> => [
      await run('select id, commit_order from event order by id'),
      await run('select id, event_id from webhook_delivery order by id'),
      (await queued.query('select id, created_on from pgboss.job order by id')).rows,
    ];
    const ids = await moveAll();
    const first = await state();
    expect(await count('event')).toBeGreaterThan(0);
    expect(await moveAll()).toEqual(ids);
    expect(await state()).toEqual(first);
    await run('delete from outbox');
  });

  it('a job that comes again after its effect has committed is completed without running', async () => {
    let runs = 0;
    const handler: Task['handler'] = async ({ record }, job) => {
      runs++;
      await systemTransaction(gateway.services.database, async (em) => {
        await executeIn(em, 'insert into effect values ($1)', [record]);
        await job.completeIn(em.getTransactionContext());
        if (runs === 1) throw new Error('before the commit');
      });
      throw new Error('after the commit');
    };
    await working({ handler }, async (queue, errors) => {
      await enqueued(queue, { record: 1 });
      const completed = `from pgboss.job where name = 'effect' and state = 'completed'`;
      const isCompleted = async (): Promise<boolean> => (await queued.query(`select ${completed}`)).rows.length === 1;
      await until(isCompleted);
      expect({ runs, errors }).toEqual({ runs: 2, errors: ['Error: before the commit'] });
      await queued.query(`update pgboss.job set state = 'retry', start_after = now() where name = 'effect'`);
      await until(isCompleted);
      expect({ runs, records: await records() }).toEqual({ runs: 2, records: [1] });
    });
  });

  it('jobs of a company run in the order of its changes', async () => {
    const first = Promise.withResolvers<void>();
    const handler: Task['handler'] = async ({ record }, job) => {
      if (record === 0) await first.promise;
      await systemTransaction(gateway.services.database, async (em) => {
        await executeIn(em, 'insert into effect values ($1)', [record]);
        await job.completeIn(em.getTransactionContext());
      });
    };
    await working({ handler }, async (queue) => {
      for (let record = 0; record < 20; record++) await enqueued(queue, { record, companyId: 7 });
      await until(async () => (await count('outbox')) === 0);
      first.resolve();
      await until(async () => (await records()).length === 20);
      expect(await records()).toEqual(Array.from({ length: 20 }, (_, record) => record));
    });
  });

  it('one job waits per singleton key', async () => {
    const name = 'single';
    await working({ name, singleton: true, handler: async () => {} }, async (queue) => {
      const runAfter = new Date(Date.now() + 3_600_000);
      for (const singletonKey of ['a', 'b', 'a'])
        await systemTransaction(gateway.services.database, async (em) => enqueue(em, queue, name, {}, { singletonKey, runAfter }));
      await until(async () => (await count('outbox')) === 0);
      const { rows } = await queued.query(
        `select singleton_key as key, start_after > now() as waits from pgboss.job where name = $1 order by 1`,
        [name],
      );
      expect(rows).toEqual([
        { key: 'a', waits: true },
        { key: 'b', waits: true },
      ]);
    });
  });
};

describe.skipIf(!serverUrl)('on two databases (needs DATABASE_URL)', { timeout: 60_000 }, twoDatabases);

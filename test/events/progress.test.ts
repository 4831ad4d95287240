// The progress subscriptions of a product import and of a sync: from the current state to the final one, for the owner alone.
import type { Client } from 'graphql-ws';
import { beforeAll, describe, expect, it } from 'vitest';
import { organisationTransaction } from '../../src/database/transaction.ts';
import { announceProgress } from '../../src/events/progress.ts';
import type { Task } from '../../src/queue/queue.ts';
import { tasksOf } from '../../src/tasks.ts';
import { ADMIN_TOKEN, useGateway } from '../support/gateway.ts';
import { platformCaller } from '../support/platform.ts';
import { buildCompany, type TestCompany } from '../support/records.ts';
import { closeClients, connectWithKey, type Results } from '../support/subscriber.ts';

// No worker runs, so that each test decides when each step happens.
const gateway = useGateway({ worker: false });
closeClients();

const open = (key: string): Client => connectWithKey(gateway.origin, key);

interface JobState {
  status: string;
  totalRows: number;
  processedRows: number;
  failedCount: number;
  errors: { row: number }[];
}
interface SyncState {
  status: string;
  jobCounts: { total: number; success: number; running: number; pending: number };
  jobs: { nodes: { recordsSynced: number }[] };
}
interface Progress {
  importJobProgress: JobState;
  syncProgress: SyncState;
}

const JOB = 'subscription ($id: ID!) { importJobProgress(jobId: $id) { status totalRows processedRows failedCount errors { row } } }';
const SYNC =
  'subscription ($id: ID!) { syncProgress(syncId: $id) { status jobCounts { total success running pending } jobs { nodes { recordsSynced } } } }';
const subscribe = (key: string, query: string, id: string): Results<Progress> =>
  open(key).iterate<Progress>({ query, variables: { id } }) as Results<Progress>;

async function next(stream: Results<Progress>): Promise<Progress> {
  const { value, done } = await stream.next();
  if (done) throw new Error('the stream ended');
  if (value.errors) throw new Error(JSON.stringify(value.errors));
  return value.data!;
}

/** The states up to and including the first wanted one. */
async function until<T>(stream: Results<Progress>, of: (progress: Progress) => T, isWanted: (state: T) => boolean): Promise<T[]> {
  const states: T[] = [];
  for (;;) {
    const state = of(await next(stream));
    states.push(state);
    if (isWanted(state)) return states;
  }
}

/** Runs a task as the queue would, for at most `checks` checks of the abort signal; the next check finds that the process must stop. */
async function run(name: string, payload: object, checks = Number.POSITIVE_INFINITY): Promise<void> {
  const task = tasksOf(gateway.services).find((candidate) => candidate.name === name) as Task;
  let left = checks;
  const throwIfAborted = (): void => {
    if (left-- <= 0) throw new Error('stopped');
  };
  const job = { id: '', attempt: 0, signal: { throwIfAborted } as AbortSignal, queue: gateway.services.queue, completeIn: async () => {} };
  const work = task.handler(payload as never, job);
  await (checks === Number.POSITIVE_INFINITY ? work : expect(work).rejects.toThrow('stopped'));
}

const organisationOf = async (key: string): Promise<number> => (await gateway.services.keys.find(key))!.organisationId!;

async function startImport(csv: string): Promise<{ key: string; id: string; payload: object }> {
  const caller = await platformCaller(gateway, '/api/v1');
  const file = (await caller.upload(csv)).body.data.id;
  const started = await caller.send('POST', '/products/bulk_upload/csv', { file_id: file, corporation_id: await caller.corporation() });
  const id = started.body.data.job.id;
  return { key: caller.key, id, payload: { organisationId: await organisationOf(caller.key), jobId: id } };
}

async function startBatch(company: TestCompany, count: number): Promise<string> {
  const data = Array.from({ length: count }, (_, n) => ({ platform_id: `t${n}`, name: 'rate' }));
  const accepted = await gateway.send('PUT', `${company.base}/tax_rates?run_async=true`, { headers: company.headers, body: { data } });
  expect(accepted.status, accepted.text).toBe(202);
  return accepted.body.data.sync_id;
}

describe('importJobProgress', () => {
  const lines = Array.from({ length: 600 }, (_, n) => (n === 599 ? `${'x'.repeat(256)}\n` : `n${n}\n`)).join('');

  it('the current state, each later one, and the end after the final one', async () => {
    const { key, id, payload } = await startImport(`name\n${lines}`);
    const stream = subscribe(key, JOB, id);
    const job = ({ importJobProgress }: Progress): JobState => importJobProgress;
    expect(job(await next(stream))).toEqual({ status: 'PENDING', totalRows: 0, processedRows: 0, failedCount: 0, errors: [] });
    await run('product-import', payload, 0);
    const begun = await until(stream, job, ({ totalRows }) => totalRows === 600);
    expect(begun.at(-1)).toMatchObject({ status: 'IN_PROGRESS', processedRows: 0 });
    await run('product-import', payload);
    const states = await until(stream, job, ({ status }) => status !== 'IN_PROGRESS');
    expect(states.at(-1)).toEqual({
      status: 'COMPLETED_WITH_ERRORS',
      totalRows: 600,
      processedRows: 600,
      failedCount: 1,
      errors: [{ row: 601 }],
    });
    const processed = states.map(({ processedRows }) => processedRows);
    expect(processed).toEqual([...processed].sort((a, b) => a - b));
    expect((await stream.next()).done).toBe(true);
  });

  it('an import that has ended is sent once', async () => {
    const { key, id, payload } = await startImport('name\nA\n');
    await run('product-import', payload);
    const stream = subscribe(key, JOB, id);
    expect((await next(stream)).importJobProgress.status).toBe('COMPLETED');
    expect((await stream.next()).done).toBe(true);
  });

  it('a cancellation by an operator is sent and ends the stream', async () => {
    const { key, id } = await startImport('name\nA\n');
    const stream = subscribe(key, JOB, id);
    await next(stream);
    await gateway.graphql(ADMIN_TOKEN, 'mutation ($id: ID!) { cancelImportJob(input: { id: $id }) { job { id } } }', { id });
    expect((await next(stream)).importJobProgress.status).toBe('CANCELLED');
    expect((await stream.next()).done).toBe(true);
  });
});

describe('syncProgress', () => {
  let company: TestCompany;
  beforeAll(async () => {
    company = await buildCompany(gateway);
  });

  it('the current state, each later one of the sync and its jobs, and the end after the final one', async () => {
    const syncId = await startBatch(company, 700);
    const payload = { organisationId: await organisationOf(company.key), syncId };
    const stream = subscribe(company.key, SYNC, syncId);
    const sync = ({ syncProgress }: Progress): SyncState => syncProgress;
    expect(sync(await next(stream))).toEqual({
      status: 'PENDING',
      jobCounts: { total: 1, success: 0, running: 0, pending: 1 },
      jobs: { nodes: [{ recordsSynced: 0 }] },
    });
    for (const [checks, recordsSynced] of [
      [1, 334],
      [1, 668],
    ] as const) {
      await run('batch-write', payload, checks);
      const states = await until(stream, sync, ({ jobs }) => jobs.nodes[0]!.recordsSynced === recordsSynced);
      expect(states.at(-1)!.status).toBe('RUNNING');
    }
    await run('batch-write', payload);
    const last = (await until(stream, sync, ({ status }) => status !== 'RUNNING')).at(-1);
    expect(last).toEqual({
      status: 'SUCCESS',
      jobCounts: { total: 1, success: 1, running: 0, pending: 0 },
      jobs: { nodes: [{ recordsSynced: 700 }] },
    });
    expect((await stream.next()).done).toBe(true);
  });

  it('a cancellation is sent and ends the stream', async () => {
    const syncId = await startBatch(company, 1);
    const stream = subscribe(company.key, SYNC, syncId);
    await next(stream);
    await gateway.graphql(company.key, 'mutation ($id: ID!) { cancelSync(input: { id: $id }) { sync { id } } }', { id: syncId });
    expect((await next(stream)).syncProgress.status).toBe('CANCELLED');
    expect((await stream.next()).done).toBe(true);
  });

  it('a key of other companies finds no such sync', async () => {
    const organisation = (await gateway.services.keys.find(company.key))!.organisationName!;
    const limited = await gateway.key(['INTEGRATIONS'], organisation, [company.id + 1]);
    const syncId = await startBatch(company, 1);
    expect((await subscribe(limited, SYNC, syncId).next()).value.errors[0].extensions.code).toBe('SYNC_NOT_FOUND');
    const allowed = await gateway.key(['INTEGRATIONS'], organisation, [company.id]);
    expect((await next(subscribe(allowed, SYNC, syncId))).syncProgress.status).toBe('PENDING');
  });
});

describe('both', () => {
  it("another organisation's record responds like one that does not exist, in the subscription as in the query", async () => {
    const job = await startImport('name\nA\n');
    const company = await buildCompany(gateway);
    const syncId = await startBatch(company, 1);
    const key = await gateway.key(['PLATFORM', 'INTEGRATIONS']);
    for (const [query, foreign, code, field, twin] of [
      [JOB, job.id, 'JOB_NOT_FOUND', 'jobId', 'importJob'],
      [SYNC, syncId, 'SYNC_NOT_FOUND', 'syncId', 'sync'],
    ] as const) {
      const refusals = [];
      for (const id of [foreign, foreign.replace(/.{4}$/, '0000'), 'nonsense']) {
        const { value } = await subscribe(key, query, id).next();
        const { requestId, ...extensions } = value.errors[0].extensions;
        refusals.push({ message: value.errors[0].message.replace(id, 'ID'), extensions });
        const read = await gateway.graphql(key, `query ($id: ID!) { ${twin}(id: $id) { id } }`, { id });
        expect(read.body.errors[0].extensions.code).toBe(code);
        expect(read.body.errors[0].message.replace(id, 'ID')).toBe(refusals[0]!.message);
      }
      expect(refusals[0]!.extensions).toMatchObject({ code, field });
      expect(refusals).toEqual([refusals[0], refusals[0], refusals[0]]);
    }
  });

  it('a key without the role of the record is rejected', async () => {
    const keys = { [JOB]: await gateway.key(['INTEGRATIONS']), [SYNC]: await gateway.key(['PLATFORM']) };
    for (const [query, key] of Object.entries(keys))
      expect((await subscribe(key, query, 'job_x').next()).value.errors[0].extensions.code).toBe('FORBIDDEN');
  });

  it('once the subscriber has left the record is not read any more', async () => {
    const { key, id } = await startImport('name\nA\n');
    const organisationId = await organisationOf(key);
    const { services } = gateway;
    /** The number of statements that an announcement and its effects take. */
    const echo = async (): Promise<number> => {
      const before = services.database.statements();
      await organisationTransaction(services.database, organisationId, async (em) => announceProgress(em, services, id));
      await new Promise((resolve) => setTimeout(resolve, 50));
      return services.database.statements() - before;
    };
    const quiet = await echo();
    const stream = subscribe(key, JOB, id);
    await next(stream);
    const received = stream.next();
    let louder = quiet;
    while (louder <= quiet) louder = await echo();
    await received;
    await stream.return!();
    while ((await echo()) > quiet);
  });
});

// Batches: one transaction accepts a batch as a sync with its records, then the queue writes it in chunks of one transaction each.
import { LRUCache } from 'lru-cache';
import type { Services } from '../../access/context.ts';
import { type EntityManager, executeIn } from '../../database/open.ts';
import { organisationTransaction } from '../../database/transaction.ts';
import { sourceOf } from '../../events/events.ts';
import type { JobContext, Task } from '../../queue/queue.ts';
import { GatewayError } from '../../records/errors.ts';
import type { RecordClass } from '../../records/metadata.ts';
import { type CompanyRow, connectedCompany } from '../companies/company.ts';
import { namesOf } from '../ledger/ledger-record.ts';
import type { RecordInput, WriteScope } from '../writes/change.ts';
import type { Entry, WriteMode } from '../writes/write.ts';
import { reportEntries, writeEntries } from './job-entries.ts';
import {
  beginSync,
  endJob,
  endOpenJobs,
  isOver,
  type JobState,
  lockSync,
  mainJobs,
  type SyncState,
  settleSync,
  startJob,
} from './sync-state.ts';

/** Most records one write may carry. */
export const MAX_BATCH = 1_000;

/** Most chunks of one batch that are written at the same time: this process prepares some while the database stores others. */
const CONCURRENT_CHUNKS = 3;
/** Records per transaction: few enough that other writes wait only tens of milliseconds, and that a full batch is one chunk per worker. */
const CHUNK = Math.ceil(MAX_BATCH / CONCURRENT_CHUNKS);
/** Largest share of the connection pool for one batch: two batches are written at a time, and requests need connections too. */
const SHARE_OF_POOL = 0.25;

/** Workers of a batch; one on the embedded database, which has one connection. */
const concurrencyOf = ({ database, config }: Services, isParallelisable: boolean): number =>
  isParallelisable && database.kind === 'postgres' ? Math.min(CONCURRENT_CHUNKS, Math.ceil(config.poolMax * SHARE_OF_POOL)) : 1;

const TASK = 'batch-write';
/** Dead-letter task: fails the syncs whose work ran out of retries. */
export const LOST_TASK = 'batch-write-lost';

/** Limits of the cache of accepted batches: characters of JSON, and lifetime. */
const CACHE_SIZE = 8_000_000;
const CACHE_MS = 5_000;
/** Accepted batches by sync id. Work usually begins at once in the process that accepted the batch, which then need not read it back. */
const accepted = new WeakMap<Services, LRUCache<string, Work>>();

/** A batch as it is accepted. */
export interface Batch {
  organisationId: number;
  company: CompanyRow;
  dataModel: string;
  entries: Entry[];
  mode: WriteMode;
  strict: boolean;
  /** Whether its chunks may be written at the same time. */
  parallelisable: boolean;
  /** Whether it came over GraphQL: errors then name fields as GraphQL does. */
  isGraphql: boolean;
  now: Date;
}

/** Stores a batch for later work in the caller's transaction; returns the id of its sync. */
export async function acceptBatch(em: EntityManager, services: Services, batch: Batch): Promise<string> {
  const { organisationId, company, entries } = batch;
  const { sync, jobs } = await beginSync(em, sourceOf(services, organisationId), {
    organisationId,
    companyId: company.ledgerId,
    integrationType: company.integrationType,
    dataModels: [batch.dataModel],
    configMode: batch.mode === 'create' ? 'CREATE' : 'UPDATE',
    jobType: 'PUSH',
    strict: batch.strict,
    now: batch.now,
  });
  const chunks: Chunk[] = [];
  for (let position = 0; position < entries.length; position += CHUNK)
    chunks.push({ position, entries: entries.slice(position, position + CHUNK) });
  const texts = chunks.map((chunk) => JSON.stringify(chunk.entries));
  // One parameter per chunk: in an array of texts every quote of the JSON would be escaped.
  const rows = chunks.map(({ position }, index) => `($1, $2, $3, ${position}, $${index + 4})`);
  await executeIn(em, `insert into sync_chunk (sync_id, organisation_id, company_id, position, entries) values ${rows.join(', ')}`, [
    sync.id,
    organisationId,
    company.ledgerId,
    ...texts,
  ]);
  cacheBatch(
    services,
    { organisationId, sync, job: jobs[0]!, chunks },
    texts.reduce((size, text) => size + text.length, 0),
  );
  await services.queue.enqueue(em.getTransactionContext(), TASK, {
    syncId: sync.id,
    organisationId,
    lanes: concurrencyOf(services, batch.parallelisable),
    isGraphql: Number(batch.isGraphql),
  });
  return sync.id;
}

function cacheBatch(services: Services, work: Work, size: number): void {
  let cache = accepted.get(services);
  if (!cache) {
    cache = new LRUCache({ maxSize: CACHE_SIZE, ttl: CACHE_MS, ttlAutopurge: true });
    accepted.set(services, cache);
  }
  cache.set(work.sync.id, work, { size });
}

/** Takes a batch out of the cache, so that only one run works with it. */
function takeCached(services: Services, syncId: string): Work | undefined {
  const cache = accepted.get(services);
  const work = cache?.get(syncId);
  cache?.delete(syncId);
  return work;
}

/**
 * Starts a new sync with the records that an ended one refused or did not reach; returns its id. They are removed from the old sync, so that
 * a second retry cannot write them twice.
 */
export async function retryBatch(
  em: EntityManager,
  services: Services,
  organisationId: number,
  company: CompanyRow,
  sync: SyncState,
  isGraphql: boolean,
): Promise<string> {
  const refused = await executeIn<{ input: string }>(
    em,
    `with taken as (select id, input, error_response from sync_job where sync_id = $1 and input is not null),
       cleared as (update sync_job j set input = null from taken where j.id = taken.id)
     select input from taken order by (error_response ->> 'index')::int`,
    [sync.id],
  );
  const left = await executeIn<{ entries: string }>(em, `delete from sync_chunk where sync_id = $1 returning entries`, [sync.id]);
  const inputs = [
    ...refused.map((row) => JSON.parse(row.input) as RecordInput),
    ...left.flatMap((row) => (JSON.parse(row.entries) as Entry[]).map((entry) => entry.input)),
  ];
  if (inputs.length === 0)
    throw new GatewayError('INVALID_STATE_TRANSITION', `the sync is ${sync.status} and has no records left to write`, { field: 'id' });
  return acceptBatch(em, services, {
    organisationId,
    company,
    dataModel: sync.dataModels[0]!,
    entries: inputs.map((input, index) => ({ path: `data[${index}]`, input })),
    mode: sync.configMode === 'CREATE' ? 'create' : 'upsert',
    strict: sync.strict,
    parallelisable: false,
    isGraphql,
    now: services.clock.now(),
  });
}

/** The task that writes batches, and the dead-letter task for those whose retries ran out. */
export function batchTasks(services: Services, records: readonly RecordClass[]): Task[] {
  const byModel = new Map(records.map((target) => [namesOf(target).dataModel, target]));
  return [
    {
      name: TASK,
      retry: { limit: 5, delaySeconds: 1, backoff: true, maxDelaySeconds: 30 },
      concurrency: 2,
      deadLetter: LOST_TASK,
      handler: async ({ syncId, organisationId, lanes: workers, isGraphql }, task) => {
        const known = takeCached(services, String(syncId));
        // Started before the chunks, because their reports wait for it: it must get a connection before they take the last ones.
        const begun = begin(services, Number(organisationId), String(syncId), known);
        const work = known ?? (await begun);
        if (!work) return;
        const target = byModel.get(work.job.dataModel)!;
        const worker = async (): Promise<void> => {
          for (let chunk = work.chunks.shift(); chunk; chunk = work.chunks.shift()) {
            task.signal.throwIfAborted();
            const { position, entries } = chunk;
            await organisationTransaction(services.database, work.organisationId, (em) =>
              writeChunk(em, services, work, target, { position, entries }, begun, task, isGraphql === 1),
            );
          }
        };
        const runs = await Promise.allSettled([begun, ...Array.from({ length: Number(workers ?? 1) }, worker)]);
        for (const run of runs) if (run.status === 'rejected' && !(run.reason instanceof Superseded)) throw run.reason;
      },
    },
    {
      name: LOST_TASK,
      retry: { limit: 10, delaySeconds: 5, backoff: true, maxDelaySeconds: 300 },
      handler: ({ syncId, organisationId }) =>
        organisationTransaction(services.database, Number(organisationId), async (em) => {
          const sync = await lockSync(em, services, String(syncId));
          if (!sync || isOver(sync)) return;
          const now = services.clock.now();
          await endOpenJobs(
            em,
            sync.id,
            'FAILED',
            new GatewayError('JOB_TIMEOUT', 'the remaining records could not be written; a retry writes them'),
            now,
          );
          await settleSync(em, sourceOf(services, Number(organisationId)), sync.id, now);
        }),
    },
  ];
}

/** A part of a batch. */
interface Chunk {
  /** Position of its first entry in the batch. */
  position: number;
  /** Absent where they must be read from the database. */
  entries?: Entry[] | undefined;
}

/** A batch that is being written. */
interface Work {
  organisationId: number;
  sync: SyncState;
  job: JobState;
  /** The chunks that no worker has taken yet, in their order. */
  chunks: Chunk[];
}

/** Starts or resumes a batch and reads its state unless it is `known`; undefined when there is nothing left to do. */
const begin = (services: Services, organisationId: number, syncId: string, known: Work | undefined): Promise<Work | undefined> =>
  organisationTransaction(services.database, organisationId, async (em) => {
    const sync = await lockSync(em, services, syncId);
    if (!sync || isOver(sync)) return undefined;
    const now = services.clock.now();
    const job = known?.job ?? (await mainJobs(em, syncId))[0]!;
    if (job.status === 'CREATED') {
      await startJob(em, job.id, now);
      await settleSync(em, sourceOf(services, organisationId), syncId, now);
    }
    if (known) return known;
    const chunks = await executeIn<Chunk>(em, `select position from sync_chunk where sync_id = $1 order by position`, [syncId]);
    return { organisationId, sync, job, chunks };
  });

/** Rolls back a chunk whose batch was cancelled while it was written, or that another run has written already. */
class Superseded extends Error {}

/**
 * Writes one chunk of a batch, and reports it once the batch has begun. The last chunk ends the sync and the task. A crash before the commit
 * leaves the chunk to the next run. The sync is locked last, so that chunks written at the same time and a cancellation wait only for each
 * other's reports, not for each other's records.
 */
async function writeChunk(
  em: EntityManager,
  services: Services,
  { organisationId, sync, job }: Work,
  target: RecordClass,
  { position, entries }: Chunk,
  begun: Promise<unknown>,
  task: JobContext,
  isGraphql: boolean,
): Promise<void> {
  const now = services.clock.now();
  const company = await connectedCompany(em, organisationId, sync.companyId);
  const scope: WriteScope = { services, organisationId, company, now, strict: sync.strict, isGraphql, changes: [] };
  const outcome = await writeEntries(em, scope, sync, target, entries ?? (await readEntries(em, sync.id, position)), position);
  await begun;
  const locked = await lockSync(em, services, sync.id);
  const left = await executeIn<{ others: boolean }>(
    em,
    `delete from sync_chunk where sync_id = $1 and position = $2 returning exists (select 1 from sync_chunk where sync_id = $1 and position <> $2) as others`,
    [sync.id, position],
  );
  if (!locked || isOver(locked) || left.length === 0) throw new Superseded();
  await reportEntries(em, services, scope, sync, job, outcome);
  const isLast = !left[0]!.others;
  if (isLast) {
    await endJob(em, job.id, now);
    await task.completeIn(em.getTransactionContext());
  }
  if (isLast || outcome.refusals.length > 0) await settleSync(em, sourceOf(services, organisationId), sync.id, now);
}

async function readEntries(em: EntityManager, syncId: string, position: number): Promise<Entry[]> {
  const [chunk] = await executeIn<{ entries: string }>(em, `select entries from sync_chunk where sync_id = $1 and position = $2`, [
    syncId,
    position,
  ]);
  if (!chunk) throw new Superseded();
  return JSON.parse(chunk.entries);
}

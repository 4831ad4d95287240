// Batches: one transaction accepts a batch as a sync with its records, then the queue writes it in chunks of one transaction each.
import { LRUCache } from 'lru-cache';
import type { Services } from '../../access/context.ts';
import { requireQuota } from '../../access/quotas.ts';
import type { EntityManager } from '../../database/open.ts';
import { organisationTransaction } from '../../database/transaction.ts';
import { emitEvents, sourceOf } from '../../events/events.ts';
import { enqueue, type JobContext, type JobPayload, type Task } from '../../queue/queue.ts';
import { GatewayError } from '../../records/errors.ts';
import type { RecordClass } from '../../records/metadata.ts';
import { CacheKey } from '../../runtime/caches.ts';
import { others } from '../../runtime/others.ts';
import { type CompanyRow, connectedCompany } from '../companies/company.ts';
import { type LedgerRecord, namesOf, recordOf } from '../ledger/ledger-record.ts';
import { resolveArrived } from '../writes/arrived-records.ts';
import type { Entry, RecordInput, WriteScope } from '../writes/change.ts';
import { changeEventsOf } from '../writes/change-events.ts';
import { nameEachOther } from '../writes/references.ts';
import type { WriteMode } from '../writes/write.ts';
import { insertChunks, removeChunk, takeUnwritten } from './batch.statements.ts';
import { reportEntries, writeEntries } from './job-entries.ts';
import { hasPushes, pushesOf, queuePushes, reopenPushes } from './push.ts';
import { endJob } from './state/sync.statements.ts';
import { type ConfigModeName, SyncChunk, type SyncKey } from './state/sync.ts';
import {
  type BegunSync,
  beginSync,
  endOpenJobs,
  isOver,
  type JobState,
  lockSync,
  lockSyncOf,
  mainJobs,
  type SyncState,
  settleSync,
  startJob,
} from './state/sync-state.ts';

/** Most records one write may carry. */
export const MAX_BATCH = 1_000;

/** Most chunks of one batch that are written at the same time: this process prepares some while the database stores others. */
const CONCURRENT_CHUNKS = 3;
/**
 * Records per transaction, unless they name each other. It is so small that other writes wait only tens of milliseconds, and that a full batch is one
 * chunk per worker.
 */
const CHUNK = Math.ceil(MAX_BATCH / CONCURRENT_CHUNKS);
/**
 * Records and their children per transaction: as many as records of five lines have, so that a full batch of those is one chunk per worker too. A
 * chunk of 300 records with 57 children each held the event loop for 250 ms of CPU.
 */
const CHUNK_ROWS = 6 * CHUNK;
/** Characters of JSON per chunk and statement, unless one record has more. In one statement, 9.7 MB held the event loop for 230 ms of CPU. */
const CHUNK_TEXT = 1_048_576;
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
const accepted = new CacheKey<Services, LRUCache<string, Work>>(
  'accepted_batches',
  () => new LRUCache({ maxSize: CACHE_SIZE, ttl: CACHE_MS, ttlAutopurge: true }),
);

/** A batch as it is accepted. */
export interface Batch {
  organisationId: number;
  company: CompanyRow;
  dataModel: string;
  entries: Entry[];
  mode: WriteMode;
  /** What its sync says that it does, where that does not follow from the mode. */
  configMode?: ConfigModeName;
  strict: boolean;
  /** Whether its chunks may be written at the same time. */
  parallelisable: boolean;
  /** Whether it came over GraphQL: errors then name fields as GraphQL does. */
  isGraphql: boolean;
  now: Date;
}

const beginWrite = (
  em: EntityManager,
  services: Services,
  { organisationId, company, dataModel, mode, configMode = mode === 'create' ? 'CREATE' : 'UPDATE', strict, now }: Batch,
): Promise<BegunSync> =>
  beginSync(em, sourceOf(services, organisationId), {
    organisationId,
    companyId: company.ledgerId,
    integrationType: company.integrationType,
    dataModels: [dataModel],
    configMode,
    jobType: 'PUSH',
    strict,
    now,
  });

/** Stores a batch for later work in the caller's transaction; returns the id of its sync. */
export async function acceptBatch(em: EntityManager, services: Services, batch: Batch): Promise<string> {
  const { organisationId, company, entries } = batch;
  await requireQuota(em, services.config, organisationId, 'batches');
  const { sync, jobs } = await beginWrite(em, services, batch);
  // Records that name each other are one chunk, because one write resolves what they name in whatever order they come.
  const isOne = nameEachOther(
    recordOf(batch.dataModel)!,
    entries.map(({ input }) => input),
  );
  const texts = await textsOf(entries);
  const chunks = isOne ? [{ position: 0, entries }] : chunksOf(entries, texts);
  let [waiting, size]: [Pick<SyncChunk, 'position' | 'entries'>[], number] = [[], 0];
  for (const { position, entries: own } of chunks) {
    const text = `[${texts.slice(position, position + own.length).join(',')}]`;
    waiting.push({ position, entries: text });
    size += text.length;
    if (size < CHUNK_TEXT && position + own.length < entries.length) continue;
    await insertChunks(em, { syncId: sync.id, organisationId, companyId: company.ledgerId }, waiting);
    [waiting, size] = [[], 0];
  }
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  cacheBatch(services, { organisationId, sync, job: jobs[0]!, chunks }, length);
  enqueue(em, services.queue, TASK, {
    syncId: sync.id,
    companyId: sync.companyId,
    organisationId,
    lanes: concurrencyOf(services, batch.parallelisable),
    isGraphql: Number(batch.isGraphql),
  });
  return sync.id;
}

/** The rows that a record and its children become. */
const rowsIn = ({ input }: Entry): number =>
  Object.values(input).reduce<number>((rows, value) => rows + (Array.isArray(value) ? value.length : 0), 1);

/** Characters of JSON that are written before the process may do other work. */
const WRITTEN = 65_536;

/** The JSON of each entry. */
async function textsOf(entries: readonly Entry[]): Promise<string[]> {
  const texts: string[] = [];
  let written = 0;
  for (const entry of entries) {
    const text = JSON.stringify(entry);
    texts.push(text);
    written += text.length;
    if (written < WRITTEN) continue;
    written = 0;
    await others();
  }
  return texts;
}

/**
 * The entries of a batch in their order, in chunks of a bounded number of records, rows and characters, but at least one record. `texts` has the JSON
 * of each entry.
 */
export function chunksOf(entries: readonly Entry[], texts: readonly string[]): { position: number; entries: Entry[] }[] {
  const chunks: { position: number; entries: Entry[] }[] = [];
  let [rows, size] = [0, 0];
  for (const [position, entry] of entries.entries()) {
    const own = rowsIn(entry);
    const last = chunks.at(-1);
    const { length } = texts[position]!;
    if (last && last.entries.length < CHUNK && rows + own <= CHUNK_ROWS && size + length <= CHUNK_TEXT) {
      last.entries.push(entry);
      [rows, size] = [rows + own, size + length];
    } else {
      chunks.push({ position, entries: [entry] });
      [rows, size] = [own, length];
    }
  }
  return chunks;
}

function cacheBatch(services: Services, work: Work, size: number): void {
  services.caches.of(accepted).set(work.sync.id, work, { size });
}

/** Takes a batch out of the cache, so that only one run works with it. */
function takeCached(services: Services, syncId: string): Work | undefined {
  const cache = services.caches.of(accepted);
  const work = cache.get(syncId);
  cache.delete(syncId);
  return work;
}

/**
 * Starts a new sync with the records that an ended one rejected or did not reach, and those that the source rejected. Returns its id. They are
 * removed from the old sync, so that a second retry cannot write them twice.
 */
export async function retryWrite(
  em: EntityManager,
  services: Services,
  organisationId: number,
  company: CompanyRow,
  sync: SyncState,
  isGraphql: boolean,
): Promise<string> {
  const { refused, chunks } = await takeUnwritten(em, sync);
  const inputs = [
    ...refused.map(parsed<RecordInput>),
    ...chunks.map(parsed<Entry[]>).flatMap((entries) => entries.map(({ input }) => input)),
  ];
  const now = services.clock.now();
  const scope: WriteScope = { services, organisationId, company, now, pushed: new Set(company.pushedModels), changes: [] };
  const pushes = await reopenPushes(em, scope, sync);
  if (inputs.length === 0 && pushes.length === 0)
    throw new GatewayError('INVALID_STATE_TRANSITION', `the sync is ${sync.status} and has no records left to write or to send`, {
      field: 'id',
    });
  const batch = {
    organisationId,
    company,
    dataModel: sync.dataModels[0]!,
    entries: inputs.map((input, index) => ({ path: `data[${index}]`, input })),
    mode: sync.configMode === 'CREATE' ? ('create' as const) : ('upsert' as const),
    configMode: sync.configMode as ConfigModeName,
    strict: sync.strict,
    parallelisable: false,
    isGraphql,
    now,
  };
  const id = inputs.length > 0 ? await acceptBatch(em, services, batch) : (await beginWrite(em, services, batch)).sync.id;
  if (pushes.length > 0) {
    const begun = { id, companyId: company.ledgerId };
    const [job] = await mainJobs(em, begun);
    if (inputs.length === 0) await startJob(em, job!, now);
    await queuePushes(em, services, { organisationId, companyId: company.ledgerId, syncId: id, jobId: job!.id }, pushes);
    const source = sourceOf(services, organisationId);
    emitEvents(em, source, changeEventsOf(em, source, company, scope.changes));
    await settleSync(em, source, begun, now);
  }
  return id;
}

/** The task that writes batches, and the dead-letter task for those whose retries ran out. */
export function batchTasks(services: Services, records: readonly RecordClass<LedgerRecord>[]): Task[] {
  const byModel = new Map(records.map((target) => [namesOf(target).dataModel, target]));
  return [
    {
      name: TASK,
      retry: { limit: 5, delaySeconds: 1, backoff: true, maxDelaySeconds: 30 },
      deadLetter: LOST_TASK,
      handler: async (payload, task) => {
        const { syncId, organisationId, lanes: workers, isGraphql } = payload;
        const known = takeCached(services, String(syncId));
        // Started before the chunks, because their reports wait for it: it must get a connection before they take the last ones.
        const begun = begin(services, Number(organisationId), payload, known);
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
      handler: (payload) =>
        organisationTransaction(services.database, Number(payload.organisationId), async (em) => {
          const sync = await lockSyncOf(em, services, payload);
          if (!sync || isOver(sync)) return;
          const now = services.clock.now();
          await endOpenJobs(
            em,
            sync,
            'FAILED',
            new GatewayError('JOB_TIMEOUT', 'the remaining records could not be written; a retry writes them'),
            now,
          );
          await settleSync(em, sourceOf(services, Number(payload.organisationId)), sync, now);
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
const begin = (services: Services, organisationId: number, payload: JobPayload, known: Work | undefined): Promise<Work | undefined> =>
  organisationTransaction(services.database, organisationId, async (em) => {
    const sync = await lockSyncOf(em, services, payload);
    if (!sync || isOver(sync)) return undefined;
    const now = services.clock.now();
    const job = known?.job ?? (await mainJobs(em, sync))[0]!;
    if (job.status === 'CREATED') {
      await startJob(em, job, now);
      await settleSync(em, sourceOf(services, organisationId), sync, now);
    }
    if (known) return known;
    const chunks = await em.find(
      SyncChunk,
      { companyId: sync.companyId, syncId: sync.id },
      { fields: ['position'], orderBy: { position: 'asc' }, disableIdentityMap: true },
    );
    return { organisationId, sync, job, chunks: chunks.map(({ position }) => ({ position })) };
  });

/** Rolls back a chunk whose batch was cancelled while it was written, or that another run has written already. */
class Superseded extends Error {}

/**
 * Writes one chunk of a batch, and reports it once the batch has begun. The last chunk ends the sync and the task. A crash before the commit leaves
 * the chunk to the next run. The sync is locked last. Chunks that are written at the same time and a cancellation therefore wait only for each
 * other's reports, not for each other's records.
 */
async function writeChunk(
  em: EntityManager,
  services: Services,
  { organisationId, sync, job }: Work,
  target: RecordClass<LedgerRecord>,
  { position, entries }: Chunk,
  begun: Promise<unknown>,
  task: JobContext,
  isGraphql: boolean,
): Promise<void> {
  const now = services.clock.now();
  const company = await connectedCompany(em, organisationId, sync.companyId);
  const pushed = new Set(company.pushedModels);
  const scope: WriteScope = {
    services,
    organisationId,
    company,
    now,
    strict: sync.strict,
    isGraphql,
    pushed,
    changes: [],
    arrived: new Map(),
  };
  const outcome = await writeEntries(em, scope, sync, target, entries ?? (await readEntries(em, sync, position)), position);
  await begun;
  const locked = await lockSync(em, services, sync);
  const hasOthers = await removeChunk(em, sync, position);
  if (!locked || isOver(locked) || hasOthers === undefined) throw new Superseded();
  const pushes = pushesOf(scope);
  // What a completed reference names is no news to the source.
  await resolveArrived(em, scope);
  // What is sent to the source counts once the source has it, and the last response ends the job.
  await reportEntries(em, services, scope, sync, job, {
    ...outcome,
    stored: outcome.stored - pushes.filter(({ dataModel }) => dataModel === job.dataModel).length,
  });
  if (pushes.length > 0)
    await queuePushes(em, services, { organisationId, companyId: sync.companyId, syncId: sync.id, jobId: job.id }, pushes);
  const isLast = !hasOthers;
  if (isLast) {
    if (!(await hasPushes(em, sync))) await endJob(em, job, now);
    await task.completeIn(em.getTransactionContext());
  }
  if (isLast || outcome.refusals.length > 0) await settleSync(em, sourceOf(services, organisationId), sync, now);
}

async function readEntries(em: EntityManager, { id, companyId }: SyncKey, position: number): Promise<Entry[]> {
  const chunk = await em.findOne(SyncChunk, { syncId: id, position, companyId }, { fields: ['entries'], disableIdentityMap: true });
  if (!chunk) throw new Superseded();
  return parsed<Entry[]>(chunk.entries);
}

/** A value that was stored as JSON text. */
const parsed = <T>(text: string): T => JSON.parse(text);

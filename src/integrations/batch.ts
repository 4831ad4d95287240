// Batches: accepted as a sync with its records in one transaction, worked off by the queue in chunks, each stored and reported in one transaction.
import type { Services } from '../core/context.ts';
import { type EntityManager, executeIn } from '../core/database.ts';
import { mendable, unavailable } from '../core/database-faults.ts';
import { GatewayError } from '../core/errors.ts';
import { emitEvents } from '../core/events.ts';
import type { RecordClass } from '../core/model.ts';
import { snakePath } from '../core/names.ts';
import type { Task } from '../core/queue.ts';
import { organisationTransaction } from '../core/transact.ts';
import { changeEvents, sourceOf } from './changes.ts';
import { type CompanyRow, connectedCompany } from './company.ts';
import type { RecordInput, WriteScope } from './draft.ts';
import { namesOf } from './ledger-record.ts';
import {
  beginSync,
  endJob,
  endOpenJobs,
  isOver,
  lockSync,
  mainJobs,
  type Refusal,
  reportProgress,
  type SyncState,
  settleSync,
  startJob,
} from './sync-state.ts';
import { type Entry, type RecordResult, type WriteMode, writeRecords } from './write.ts';

/** Most records one write may carry. */
export const MAX_BATCH = 1_000;

/** Records per transaction: small enough that other writes wait for milliseconds, large enough that statements are few. */
const CHUNK = 250;

const TASK = 'batch-write';
/** Reports syncs whose work ran out of retries. */
export const LOST_TASK = 'batch-write-lost';

/** A batch as it is accepted. */
export interface Batch {
  organisationId: number;
  company: CompanyRow;
  dataModel: string;
  entries: Entry[];
  mode: WriteMode;
  strict: boolean;
  now: Date;
}

/** Stores a batch for later work in the caller's transaction; returns the id of its sync. */
export async function acceptBatch(em: EntityManager, services: Services, batch: Batch): Promise<string> {
  const { organisationId, company, entries } = batch;
  const { syncId } = await beginSync(em, sourceOf(services, organisationId), {
    organisationId,
    companyId: company.ledgerId,
    integrationType: company.integrationType,
    dataModels: [batch.dataModel],
    configMode: batch.mode === 'create' ? 'CREATE' : 'UPDATE',
    jobType: 'PUSH',
    strict: batch.strict,
    now: batch.now,
  });
  const positions = Array.from({ length: Math.ceil(entries.length / CHUNK) }, (_, index) => index * CHUNK);
  await executeIn(
    em,
    `insert into sync_chunk (sync_id, organisation_id, company_id, position, entries) select $1, $2, $3, position, entries from unnest($4::int[], $5::text[]) as chunk(position, entries)`,
    [
      syncId,
      organisationId,
      company.ledgerId,
      positions,
      positions.map((position) => JSON.stringify(entries.slice(position, position + CHUNK))),
    ],
  );
  await services.queue.enqueue(em.getTransactionContext(), TASK, { syncId, organisationId });
  return syncId;
}

/** Starts a new sync with the records that an ended one refused or left; returns its id. They leave the old one, so that a second retry cannot write them twice. */
export async function retryBatch(
  em: EntityManager,
  services: Services,
  organisationId: number,
  company: CompanyRow,
  sync: SyncState,
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
    throw new GatewayError('INVALID_STATE_TRANSITION', `the sync is ${sync.status} and has no records left to write`, { field: 'status' });
  return acceptBatch(em, services, {
    organisationId,
    company,
    dataModel: sync.dataModels[0]!,
    entries: inputs.map((input, index) => ({ path: `data[${index}]`, input })),
    mode: sync.configMode === 'CREATE' ? 'create' : 'upsert',
    strict: sync.strict,
    now: services.clock.now(),
  });
}

/** The task that works off batches, and the one that reports those that could not be. */
export function batchTasks(services: Services, records: readonly RecordClass[]): Task[] {
  const byModel = new Map(records.map((target) => [namesOf(target).dataModel, target]));
  return [
    {
      name: TASK,
      retry: { limit: 5, delaySeconds: 1, backoff: true, maxDelaySeconds: 30 },
      concurrency: 2,
      exhausted: LOST_TASK,
      handler: async ({ syncId, organisationId }, job) => {
        let isDone = false;
        while (!isDone) {
          job.signal.throwIfAborted();
          isDone = await organisationTransaction(services.database, Number(organisationId), async (em) => {
            const done = await writeChunk(em, services, Number(organisationId), String(syncId), byModel);
            if (done) await job.completeIn(em.getTransactionContext());
            return done;
          });
        }
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
            new GatewayError('JOB_TIMEOUT', 'the records that are left could not be worked off; a retry writes them'),
            now,
          );
          await settleSync(em, sourceOf(services, Number(organisationId)), sync.id, now);
        }),
    },
  ];
}

/** Writes the next chunk of a batch and says whether it was the last. A crash before the commit leaves the chunk for the next run. */
async function writeChunk(
  em: EntityManager,
  services: Services,
  organisationId: number,
  syncId: string,
  byModel: ReadonlyMap<string, RecordClass>,
): Promise<boolean> {
  const sync = await lockSync(em, services, syncId);
  if (!sync || isOver(sync)) return true;
  const now = services.clock.now();
  const job = (await mainJobs(em, syncId))[0]!;
  if (job.status === 'CREATED') await startJob(em, job.id, now);
  const chunks = await executeIn<{ position: number; entries: string; left: string | number }>(
    em,
    `delete from sync_chunk where sync_id = $1 and position = (select min(position) from sync_chunk where sync_id = $1)
     returning position, entries, (select count(*) from sync_chunk where sync_id = $1) as left`,
    [syncId],
  );
  for (const { position, entries } of chunks) {
    const scope: WriteScope = {
      services,
      organisationId,
      company: await connectedCompany(em, organisationId, sync.companyId),
      now,
      strict: sync.strict,
      changes: [],
    };
    await writeAndReport(em, services, scope, sync, job, byModel.get(job.dataModel)!, JSON.parse(entries) as Entry[], position);
  }
  const isLast = Number(chunks[0]?.left ?? 0) <= 1;
  if (isLast) await endJob(em, job.id, now);
  await settleSync(em, sourceOf(services, organisationId), syncId, now);
  return isLast;
}

/** Writes the entries of a job, stores what can be stored and reports the rest. */
export async function writeAndReport(
  em: EntityManager,
  services: Services,
  scope: WriteScope,
  sync: SyncState,
  job: { id: string; dataModel: string },
  target: RecordClass,
  entries: Entry[],
  position: number,
): Promise<void> {
  const results = await writeSurvivors(em, scope, target, entries, sync.configMode === 'CREATE' ? 'create' : 'upsert');
  const refusals = results.flatMap((result, index): Refusal[] => {
    if (!(result instanceof GatewayError)) return [];
    const { input } = entries[index]!;
    return [
      {
        error: restSpelled(result),
        index: position + index,
        platformId: (input.platformId as string | undefined) ?? null,
        input: JSON.stringify(input),
      },
    ];
  });
  await reportProgress(em, scope.organisationId, sync, job, results.length - refusals.length, refusals, scope.now);
  await emitEvents(em, sourceOf(services, scope.organisationId), changeEvents(scope.company, scope.changes));
}

/** The error with its field as REST bodies spell it, which is how jobs tell of records. */
function restSpelled(error: GatewayError): GatewayError {
  const { field } = error.info;
  if (field === undefined) return error;
  const spelled = snakePath(field);
  return new GatewayError(error.code, error.message.replaceAll(field, spelled), { ...error.info, field: spelled });
}

/** Writes what can be written: a refused record leaves nothing behind and does not keep the others from being stored. */
export async function writeSurvivors(
  em: EntityManager,
  scope: WriteScope,
  target: RecordClass,
  entries: Entry[],
  mode: WriteMode,
): Promise<RecordResult[]> {
  const results = new Array<RecordResult>(entries.length);
  let left = entries.map((_, index) => index);
  while (left.length > 0) {
    const known = scope.changes.length;
    await executeIn(em, 'savepoint entries');
    const outcome = await attemptWrite(
      em,
      scope,
      target,
      left.map((index) => entries[index]!),
      mode,
    );
    const refused = left.filter((_, position) => outcome[position] instanceof GatewayError);
    for (const [position, index] of left.entries()) results[index] = outcome[position]!;
    if (refused.length === 0) {
      await executeIn(em, 'release savepoint entries');
      break;
    }
    await executeIn(em, 'rollback to savepoint entries');
    scope.changes.length = known;
    left = left.filter((index) => !refused.includes(index));
  }
  return results;
}

/** A fault of one record that no check foresaw is narrowed down to that record by writing the others in halves. */
async function attemptWrite(
  em: EntityManager,
  scope: WriteScope,
  target: RecordClass,
  entries: Entry[],
  mode: WriteMode,
): Promise<RecordResult[]> {
  const known = scope.changes.length;
  await executeIn(em, 'savepoint attempt');
  try {
    const results = await writeRecords(em, scope, target, entries, mode);
    await executeIn(em, 'release savepoint attempt');
    return results;
  } catch (error) {
    if (error instanceof GatewayError || mendable(error) || unavailable(error)) throw error;
    await executeIn(em, 'rollback to savepoint attempt');
    await executeIn(em, 'release savepoint attempt');
    scope.changes.length = known;
    if (entries.length === 1) return [new GatewayError('INTERNAL_ERROR', 'the record could not be stored')];
    const middle = Math.ceil(entries.length / 2);
    const first = await attemptWrite(em, scope, target, entries.slice(0, middle), mode);
    return [...first, ...(await attemptWrite(em, scope, target, entries.slice(middle), mode))];
  }
}

// The state of syncs and jobs: how they begin and end, and the counts and status that a sync derives from its jobs.
import { raw } from '@mikro-orm/core';
import { auditRecords } from '../../../access/audit.ts';
import type { Services } from '../../../access/context.ts';
import { afterCommit } from '../../../database/effects.ts';
import type { EntityManager } from '../../../database/open.ts';
import { type EventSource, emitEvents } from '../../../events/events.ts';
import { announceProgress } from '../../../events/progress.ts';
import type { JobPayload } from '../../../queue/queue.ts';
import { GatewayError } from '../../../records/errors.ts';
import { newId } from '../../../records/ids.ts';
import type { StoredRecord } from '../../../records/metadata.ts';
import { deriveSync, insertRefusals, insertSync, lockedSync, openSync } from './sync.statements.ts';
import { type ConfigModeName, Sync, SyncJob, type SyncKey, SyncSeen } from './sync.ts';
import { confirmationNeeded, syncEvent } from './sync-events.ts';

/** A sync to begin, with one job per data model. */
export interface NewSync {
  organisationId: number;
  companyId: number;
  integrationType: string;
  dataModels: string[];
  configMode: ConfigModeName;
  jobType: 'PUSH' | 'PULL';
  fullSync?: boolean;
  strict?: boolean;
  /** What starts it; a caller's request when absent. */
  syncType?: 'MANUAL' | 'AUTO_SYNC';
  now: Date;
}

/** A sync that was begun, with its jobs in the order of the data models. */
export interface BegunSync {
  sync: SyncState;
  jobs: JobState[];
}

/** Stores a sync and its waiting jobs, and names it to the audit log; a sync without jobs fails at once. */
export async function beginSync(em: EntityManager, source: EventSource, sync: NewSync): Promise<BegunSync> {
  const { now, fullSync = false, strict = false, syncType = 'MANUAL', ...named } = sync;
  const row = { ...named, id: newId('sync'), fullSync, strict, syncType, status: 'PENDING' };
  auditRecords(em, [{ id: row.id }]);
  const ids = sync.dataModels.map(() => newId('syncjob'));
  const counts = { total: ids.length, success: 0, failed: 0, running: 0, pending: ids.length };
  await insertSync(em, { ...row, counts, startTime: null, endTime: null, createdAt: now }, { ids, status: 'CREATED', recordsSynced: 0 });
  if (ids.length === 0) await settleSync(em, source, row, now);
  const job = { companyId: sync.companyId, status: 'CREATED', retryCount: 0 };
  return { sync: row, jobs: ids.map((id, index) => ({ ...job, id, dataModel: sync.dataModels[index]! })) };
}

/** A write whose records are stored, as its sync reports it. */
export interface StoredWrite {
  organisationId: number;
  companyId: number;
  integrationType: string;
  dataModel: string;
  configMode: ConfigModeName;
  recordsSynced: number;
  strict: boolean;
  startedAt: Date;
  endedAt: Date;
}

/**
 * Stores the sync and the job of a write of the same transaction, in one statement; returns their ids. They run on where the source is still to
 * respond.
 */
export async function recordWrite(em: EntityManager, write: StoredWrite, isPushed = false): Promise<{ id: string; jobId: string }> {
  const id = newId('sync');
  const jobId = newId('syncjob');
  const { startedAt, endedAt, dataModel, recordsSynced, ...named } = write;
  const status = isPushed ? 'RUNNING' : 'SUCCESS';
  const times = { startTime: startedAt, endTime: isPushed ? null : endedAt, createdAt: startedAt };
  const counts = { total: 1, success: Number(!isPushed), failed: 0, running: Number(isPushed), pending: 0 };
  await insertSync(
    em,
    { ...named, ...times, id, dataModels: [dataModel], fullSync: false, syncType: 'MANUAL', jobType: 'PUSH', status, counts },
    { ids: [jobId], status, recordsSynced: isPushed ? 0 : recordsSynced },
  );
  return { id, jobId };
}

/** The properties of a sync that work on it reads. */
const SYNC_PROPS = [
  'id',
  'organisationId',
  'companyId',
  'integrationType',
  'dataModels',
  'configMode',
  'jobType',
  'fullSync',
  'strict',
  'status',
] as const;

export type SyncState = StoredRecord<Sync, (typeof SYNC_PROPS)[number]>;

/**
 * Locks a sync, so that work on it, its cancellation and its retry run one after the other. Notifies the subscribers of its progress after the
 * commit. A sync that no other transaction can see yet needs neither.
 */
export const lockSync = (em: EntityManager, services: Services, key: SyncKey): Promise<SyncState | undefined> => {
  announceProgress(em, services, key.id);
  return lockedSync(em, key, SYNC_PROPS);
};

/** The same for the sync that a queue job works on. A job that the last release enqueued does not name its company. */
export async function lockSyncOf(em: EntityManager, services: Services, { syncId, companyId }: JobPayload): Promise<SyncState | undefined> {
  const id = String(syncId);
  const company = companyId ?? (await em.findOne(Sync, { id }, { fields: ['companyId'], disableIdentityMap: true }))?.companyId;
  return company === undefined ? undefined : lockSync(em, services, { id, companyId: Number(company) });
}

/** Throws SYNC_IN_PROGRESS while a sync of the company is under way; only while a pull is, where the direction is given. */
export async function refuseDuringSync(em: EntityManager, companyId: number, jobType?: 'PULL'): Promise<void> {
  const id = await openSync(em, companyId, jobType);
  if (id) throw new GatewayError('SYNC_IN_PROGRESS', `sync ${id} of this company is in progress`, { retryAfterSeconds: 30 });
}

const open: ReadonlySet<string> = new Set(['PENDING', 'RUNNING', 'PENDING_CONFIRMATION']);
const isOpen = (status: string): boolean => open.has(status);

export const isOver = (sync: Pick<SyncState, 'status'>): boolean => !isOpen(sync.status);

/** The error of a transition that the state does not allow; `argument` is the argument that names the record. */
export const forbiddenTransition = (what: string, from: string, to: string, argument: string): GatewayError =>
  new GatewayError('INVALID_STATE_TRANSITION', `the ${what} is ${from} and cannot become ${to}`, { field: argument });

/** The properties of a job that work on it reads. */
export type JobState = Pick<SyncJob, 'id' | 'companyId' | 'dataModel' | 'status' | 'retryCount'> & Partial<Pick<SyncJob, 'progress'>>;

/** The key of a job. */
export const keyOf = ({ id, companyId }: JobState): SyncKey => ({ id, companyId });

/** The jobs of a sync, one per data model, without those that report single records. They are read only: a change of one is a statement. */
export const mainJobs = (em: EntityManager, { id, companyId }: SyncKey): Promise<JobState[]> =>
  em.find(
    SyncJob,
    { companyId, syncId: id, parentJobId: null },
    {
      fields: ['id', 'companyId', 'dataModel', 'status', 'retryCount', 'progress'],
      orderBy: { createdAt: 'asc', id: 'asc' },
      disableIdentityMap: true,
    },
  );

/** When work on a job started: before this moment or now. The clock of this process may be behind that of the one that made the job. */
const startedBy = (now: Date) => raw('coalesce(start_time, greatest(?::timestamptz, created_at))', [now.toISOString()]);

/** Marks a job as being worked on: from its first record, or further where it was interrupted. */
export async function startJob(em: EntityManager, { id, companyId }: SyncKey, now: Date, isContinued = false): Promise<void> {
  await em.nativeUpdate(
    SyncJob,
    { id, companyId },
    { status: 'RUNNING', startTime: startedBy(now), ...(isContinued ? {} : { recordsSynced: 0 }) },
  );
}

/** Why a record, or a whole job, was not stored. */
export interface Refusal {
  error: GatewayError;
  index: number;
  platformId: string | null;
  /** Number of the stored record that the source rejected. */
  ledgerId?: number;
  /** The record as JSON text, for a retry; null where a retry reads it from the source. */
  input: string | null;
}

/** Adds the number of stored records to a job, and one failed job for every rejected record. */
export async function reportProgress(
  em: EntityManager,
  sync: SyncState,
  job: Pick<JobState, 'id' | 'dataModel'>,
  stored: number,
  refusals: Refusal[],
  now: Date,
): Promise<void> {
  await em.nativeUpdate(SyncJob, { id: job.id, companyId: sync.companyId }, { recordsSynced: raw('records_synced + ?', [stored]) });
  if (refusals.length === 0) return;
  const rows = refusals.map(({ error, index, platformId, ledgerId, input }) => ({
    id: newId('syncjob'),
    errorCode: error.code,
    errorMessage: error.message,
    errorResponse: {
      index,
      platform_id: platformId,
      field: error.info.field ?? null,
      ...(ledgerId === undefined ? {} : { ledger_id: ledgerId }),
      ...(error.info.platformError ? { platform_error: error.info.platformError } : {}),
    },
    input,
  }));
  await insertRefusals(em, sync, job, rows, now);
}

/** Ends every job of a sync that has not ended, with a status and an error. */
export async function endOpenJobs(
  em: EntityManager,
  { id, companyId }: SyncKey,
  status: 'FAILED' | 'CANCELLED',
  error: GatewayError,
  now: Date,
): Promise<void> {
  await em.nativeUpdate(
    SyncJob,
    { companyId, syncId: id, status: { $in: ['CREATED', 'RUNNING', 'PENDING_CONFIRMATION'] } },
    {
      status,
      errorCode: error.code,
      errorMessage: error.message,
      startTime: startedBy(now),
      endTime: raw('greatest(?::timestamptz, start_time, created_at)', [now.toISOString()]),
    },
  );
}

/** Lets the jobs of a sync that wait for a confirmation continue. */
export async function confirmJobs(em: EntityManager, source: EventSource, sync: SyncState, now: Date): Promise<void> {
  const waiting = { companyId: sync.companyId, syncId: sync.id, status: 'PENDING_CONFIRMATION' };
  // Not CREATED: a sync of such jobs alone would begin once more.
  const confirmed = { status: 'RUNNING', errorMessage: null, progress: raw(`progress || '{"isConfirmed": true}'`) };
  if ((await em.nativeUpdate(SyncJob, waiting, confirmed)) === 0) throw forbiddenTransition('sync', sync.status, 'confirmed', 'syncId');
  await settleSync(em, source, sync, now);
}

/** Cancels the jobs of data models that wait for a confirmation: a full pull that begins now will know better. */
export async function replaceUnconfirmed(
  em: EntityManager,
  source: EventSource,
  companyId: number,
  dataModels: readonly string[],
  now: Date,
): Promise<void> {
  const waiting = { companyId, status: 'PENDING_CONFIRMATION', dataModel: { $in: [...dataModels] } };
  const jobs = await em.find(SyncJob, waiting, { fields: ['syncId'], disableIdentityMap: true });
  for (const id of new Set(jobs.map(({ syncId }) => syncId))) {
    await lockSync(em, source.services, { id, companyId });
    const ended = { status: 'CANCELLED', errorCode: 'CANCELLED', errorMessage: 'a later full run has replaced this one', endTime: now };
    await em.nativeUpdate(SyncJob, { ...waiting, syncId: id }, ended);
    await settleSync(em, source, { id, companyId }, now);
  }
}

/** Cancels a sync and its open jobs. */
export async function cancelSync(em: EntityManager, source: EventSource, sync: SyncState, now: Date): Promise<void> {
  if (isOver(sync)) throw forbiddenTransition('sync', sync.status, 'CANCELLED', 'id');
  await endOpenJobs(em, sync, 'CANCELLED', new GatewayError('CANCELLED', 'the sync was cancelled'), now);
  await settleSync(em, source, sync, now, true);
}

/**
 * Computes the counts, the status and the times of a sync from its jobs. A data model counts by its main job; cancelled jobs count as
 * failed. Emits an event when this began or ended the sync, or has it wait for a confirmation.
 */
export async function settleSync(em: EntityManager, source: EventSource, key: SyncKey, now: Date, isCancelled = false): Promise<string> {
  const { before, sync } = await deriveSync(em, key, now, isCancelled);
  const { status } = sync;
  const events = [
    ...(before === 'PENDING' && status !== 'PENDING' && !isCancelled ? [syncEvent(em, source, 'SYNC_STARTED', sync)] : []),
    ...(before !== status && status === 'PENDING_CONFIRMATION' ? [await confirmationNeeded(em, sync)] : []),
    ...(isOpen(before) && !isOpen(status) ? [syncEvent(em, source, 'SYNC_COMPLETED', sync)] : []),
  ];
  if (isOpen(before) && !isOpen(status) && sync.jobType === 'PULL')
    await em.nativeDelete(SyncSeen, { companyId: sync.companyId, syncId: sync.id });
  if (isOpen(before) && !isOpen(status))
    afterCommit(em, () => {
      const { tallies, log } = source.services;
      const { id: syncId, companyId, integrationType } = sync;
      const kind = sync.jobType === 'PULL' ? 'pull' : 'batch';
      tallies.syncs.add(kind, status);
      log[status === 'FAILED' ? 'warn' : 'info']({ syncId, companyId, integrationType, kind, status }, 'sync ended');
    });
  emitEvents(em, source, events);
  return status;
}

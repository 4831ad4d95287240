// The state of syncs and jobs: how they begin and end, and the counts and status that a sync derives from its jobs.
import type { Services } from '../../access/context.ts';
import { type EntityManager, executeIn } from '../../database/open.ts';
import { type EventSource, emitEvents } from '../../events/events.ts';
import { progressAnnouncement } from '../../events/progress.ts';
import { GatewayError } from '../../records/errors.ts';
import { newId } from '../../records/ids.ts';
import { syncEvent } from './sync-events.ts';

type ConfigModeName = 'READ' | 'CREATE' | 'UPDATE' | 'DELETE';

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
  now: Date;
}

/** A sync that was begun, with its jobs in the order of the data models. */
export interface BegunSync {
  sync: SyncState;
  jobs: JobState[];
}

/** Stores a sync and its waiting jobs; a sync without jobs fails at once. */
export async function beginSync(em: EntityManager, source: EventSource, sync: NewSync): Promise<BegunSync> {
  const syncId = newId('sync');
  const jobIds = sync.dataModels.map(() => newId('syncjob'));
  const now = sync.now.toISOString();
  await executeIn(
    em,
    `with sync as (
       insert into sync (id, organisation_id, company_id, integration_type, data_models, config_mode, full_sync, strict, sync_type, job_type, status, job_counts, data_model_counts, created_at)
       values ($1, $2, $3, $4, $5::jsonb, $6, $7, $8, 'MANUAL', $9, 'PENDING', $10::jsonb, $10::jsonb, $11::timestamptz))
     insert into sync_job (id, organisation_id, company_id, sync_id, data_model, status, job_type, config_mode, records_synced, retry_count, created_at)
     select id, $2, $3, $1, data_model, 'CREATED', $9, $6, 0, 0, $11::timestamptz from unnest($12::text[], $13::text[]) as job(id, data_model)`,
    [
      syncId,
      sync.organisationId,
      sync.companyId,
      sync.integrationType,
      JSON.stringify(sync.dataModels),
      sync.configMode,
      sync.fullSync ?? false,
      sync.strict ?? false,
      sync.jobType,
      JSON.stringify({ total: jobIds.length, success: 0, failed: 0, running: 0, pending: jobIds.length }),
      now,
      jobIds,
      sync.dataModels,
    ],
  );
  if (jobIds.length === 0) await settleSync(em, source, syncId, sync.now);
  const { integrationType, companyId, dataModels, configMode, jobType, fullSync = false, strict = false } = sync;
  return {
    sync: { id: syncId, companyId, integrationType, dataModels, configMode, jobType, fullSync, strict, status: 'PENDING' },
    jobs: jobIds.map((id, index) => ({ id, dataModel: dataModels[index]!, status: 'CREATED', retryCount: 0 })),
  };
}

/** A finished write, as its sync reports it. */
export interface FinishedWrite {
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

/** Stores the sync and the job of a write of the same transaction, in one statement; returns the id of the sync. */
export async function recordFinishedWrite(em: EntityManager, write: FinishedWrite): Promise<string> {
  const id = newId('sync');
  const { companyId, integrationType, dataModel, configMode } = write;
  const [startTime, endTime] = [write.startedAt.toISOString(), write.endedAt.toISOString()];
  await executeIn(
    em,
    `with sync as (
       insert into sync (id, organisation_id, company_id, integration_type, data_models, config_mode, full_sync, strict, sync_type, job_type, status, job_counts, data_model_counts, start_time, end_time, created_at)
       values ($1, $3, $4, $5, jsonb_build_array($6::text), $7, false, $11, 'MANUAL', 'PUSH', 'SUCCESS', $12::jsonb, $12::jsonb, $9::timestamptz, $10::timestamptz, $9::timestamptz))
     insert into sync_job (id, organisation_id, company_id, sync_id, data_model, status, job_type, config_mode, records_synced, retry_count, start_time, end_time, created_at)
     values ($2, $3, $4, $1, $6, 'SUCCESS', 'PUSH', $7, $8::int, 0, $9::timestamptz, $10::timestamptz, $9::timestamptz)`,
    [
      id,
      newId('syncjob'),
      write.organisationId,
      companyId,
      integrationType,
      dataModel,
      configMode,
      write.recordsSynced,
      startTime,
      endTime,
      write.strict,
      JSON.stringify(ONE_DONE),
    ],
  );
  return id;
}

const ONE_DONE = { total: 1, success: 1, failed: 0, running: 0, pending: 0 };

/** The fields of a sync that work on it reads. */
export interface SyncState {
  id: string;
  companyId: number;
  integrationType: string;
  dataModels: string[];
  configMode: ConfigModeName;
  jobType: 'PUSH' | 'PULL' | 'CUSTOM';
  fullSync: boolean;
  strict: boolean;
  status: string;
}

/**
 * Locks a sync, so that work on it, its cancellation and its retry run one after the other, and notifies the subscribers of its progress
 * after the commit. A sync that no other transaction can see yet needs neither.
 */
export async function lockSync(em: EntityManager, services: Services, syncId: string): Promise<SyncState | undefined> {
  const announcement = progressAnnouncement(services, syncId, 2);
  const rows = await executeIn<SyncState & { companyId: string | number }>(
    em,
    `select id, company_id as "companyId", integration_type as "integrationType", data_models as "dataModels", config_mode as "configMode",
       job_type as "jobType", full_sync as "fullSync", strict, status, ${announcement.sql} from sync where id = $1 for update`,
    [syncId, ...announcement.values],
  );
  return rows[0] && { ...rows[0], companyId: Number(rows[0].companyId) };
}

const isOpen = (status: string): boolean => status === 'PENDING' || status === 'RUNNING';

export const isOver = (sync: Pick<SyncState, 'status'>): boolean => !isOpen(sync.status);

/** The error of a transition that the state does not allow; `argument` is the argument that names the record. */
export const forbiddenTransition = (what: string, from: string, to: string, argument: string): GatewayError =>
  new GatewayError('INVALID_STATE_TRANSITION', `the ${what} is ${from} and cannot become ${to}`, { field: argument });

/** The fields of a job that work on it reads. */
export interface JobState {
  id: string;
  dataModel: string;
  status: string;
  retryCount: number;
}

/** The jobs of a sync, one per data model, without those that report single records. */
export const mainJobs = (em: EntityManager, syncId: string): Promise<JobState[]> =>
  executeIn<JobState>(
    em,
    `select id, data_model as "dataModel", status, retry_count as "retryCount" from sync_job where sync_id = $1 and parent_job_id is null order by created_at, id`,
    [syncId],
  );

/** Marks a job as being worked on. */
export async function startJob(em: EntityManager, jobId: string, now: Date): Promise<void> {
  await executeIn(
    em,
    `update sync_job set status = 'RUNNING', start_time = coalesce(start_time, greatest($2::timestamptz, created_at)) where id = $1`,
    [jobId, now.toISOString()],
  );
}

/** Why a record, or a whole job, was not stored. */
export interface Refusal {
  error: GatewayError;
  index: number;
  platformId: string | null;
  /** The record as JSON text, for a retry; null where a retry reads it from the source. */
  input: string | null;
}

/** Adds the number of stored records to a job, and one failed job for every refused record. */
export async function reportProgress(
  em: EntityManager,
  organisationId: number,
  sync: SyncState,
  job: Pick<JobState, 'id' | 'dataModel'>,
  stored: number,
  refusals: Refusal[],
  now: Date,
): Promise<void> {
  await executeIn(em, `update sync_job set records_synced = records_synced + $2::int where id = $1`, [job.id, stored]);
  if (refusals.length === 0) return;
  const rows = refusals.map(({ error, index, platformId, input }) => ({
    id: newId('syncjob'),
    error_code: error.code,
    error_message: error.message,
    error_response: { index, platform_id: platformId, field: error.info.field ?? null },
    input,
  }));
  await executeIn(
    em,
    `insert into sync_job (id, organisation_id, company_id, sync_id, data_model, status, job_type, config_mode, records_synced, retry_count, parent_job_id, error_code, error_message, error_response, input, start_time, end_time, created_at)
     select id, $2::bigint, $3::bigint, $4, $5, 'FAILED', $6, $7, 0, 0, $8, error_code, error_message, error_response, input, $9::timestamptz, $9::timestamptz, $9::timestamptz
     from jsonb_to_recordset($1::text::jsonb) as r(id text, error_code text, error_message text, error_response jsonb, input text)`,
    [
      JSON.stringify(rows),
      organisationId,
      sync.companyId,
      sync.id,
      job.dataModel,
      sync.jobType,
      sync.configMode,
      job.id,
      now.toISOString(),
    ],
  );
}

/** Ends a job: as failed when an error is given, or when it stored nothing and had records refused; otherwise as successful. */
export async function endJob(em: EntityManager, jobId: string, now: Date, error?: GatewayError): Promise<void> {
  await executeIn(
    em,
    `update sync_job j set end_time = greatest($2::timestamptz, j.start_time), error_code = coalesce($3, first.error_code), error_message = coalesce($4, first.error_message),
       status = case when $3 is null and first.error_code is null then 'SUCCESS' else 'FAILED' end
     from (values (1)) as one(x) left join lateral (
       select c.error_code, c.error_message from sync_job c, sync_job p where p.id = $1 and c.parent_job_id = p.id and p.records_synced = 0 order by c.created_at, c.id limit 1) first on true
     where j.id = $1`,
    [jobId, now.toISOString(), error?.code ?? null, error?.message ?? null],
  );
}

/** Ends every job of a sync that has not ended, with a status and an error. */
export async function endOpenJobs(
  em: EntityManager,
  syncId: string,
  status: 'FAILED' | 'CANCELLED',
  error: GatewayError,
  now: Date,
): Promise<void> {
  await executeIn(
    em,
    `update sync_job set status = $2, error_code = $3, error_message = $4, start_time = coalesce(start_time, greatest($5::timestamptz, created_at)), end_time = greatest($5::timestamptz, start_time, created_at)
     where sync_id = $1 and status in ('CREATED', 'RUNNING')`,
    [syncId, status, error.code, error.message, now.toISOString()],
  );
}

/** Cancels a sync and its open jobs. */
export async function cancelSync(em: EntityManager, source: EventSource, sync: SyncState, now: Date): Promise<void> {
  if (isOver(sync)) throw forbiddenTransition('sync', sync.status, 'CANCELLED', 'id');
  await endOpenJobs(em, sync.id, 'CANCELLED', new GatewayError('CANCELLED', 'the sync was cancelled'), now);
  await settleSync(em, source, sync.id, now, true);
}

/**
 * Computes the counts, the status and the times of a sync from its jobs. A data model counts by its main job; cancelled jobs count as
 * failed. Emits an event when this began or ended the sync.
 */
export async function settleSync(em: EntityManager, source: EventSource, syncId: string, now: Date, isCancelled = false): Promise<string> {
  const tally = (total: string): string =>
    `jsonb_build_object('total', ${total}.total, 'success', ${total}.success, 'failed', ${total}.failed, 'running', ${total}.running, 'pending', ${total}.pending)`;
  const count = `count(*)::int as total, count(*) filter (where status = 'SUCCESS')::int as success, count(*) filter (where status in ('FAILED', 'CANCELLED'))::int as failed,
    count(*) filter (where status = 'RUNNING')::int as running, count(*) filter (where status = 'CREATED')::int as pending`;
  const rows = await executeIn<{ before: string; status: string; companyId: string | number; integrationType: string }>(
    em,
    `with jobs as (select ${count} from sync_job where sync_id = $1),
       models as (select ${count} from sync_job where sync_id = $1 and parent_job_id is null),
       state as (select s.status as before, case when $3 or s.status = 'CANCELLED' then 'CANCELLED' when jobs.total = 0 or jobs.failed = jobs.total then 'FAILED' when jobs.success = jobs.total then 'SUCCESS'
         when jobs.pending = jobs.total then 'PENDING' when jobs.running + jobs.pending > 0 then 'RUNNING' else 'PARTIAL_SUCCESS' end as status
         from sync s, jobs where s.id = $1)
     update sync s set status = state.status, job_counts = ${tally('jobs')}, data_model_counts = ${tally('models')},
       start_time = case when state.status = 'PENDING' then s.start_time else coalesce(s.start_time, greatest($2::timestamptz, s.created_at)) end,
       end_time = case when state.status in ('PENDING', 'RUNNING') then null else coalesce(s.end_time, greatest($2::timestamptz, s.start_time, s.created_at)) end
     from jobs, models, state where s.id = $1
     returning state.before, s.status, s.company_id as "companyId", s.integration_type as "integrationType"`,
    [syncId, now.toISOString(), isCancelled],
  );
  const { before, status, companyId, integrationType } = rows[0]!;
  const sync = { id: syncId, companyId: Number(companyId), integrationType };
  const events = [
    ...(before === 'PENDING' && status !== 'PENDING' && !isCancelled ? [syncEvent(em, source, 'SYNC_STARTED', sync)] : []),
    ...(isOpen(before) && !isOpen(status) ? [syncEvent(em, source, 'SYNC_COMPLETED', sync)] : []),
  ];
  await emitEvents(em, source, events);
  return status;
}

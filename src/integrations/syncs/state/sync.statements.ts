// The statements of syncs and their jobs: those that store or change several rows together, and those that need a partial index.

import { type EntityManager, executeIn } from '../../../database/open.ts';
import { executeParts, type NewColumn, newRows } from '../../../database/parts.statements.ts';
import { jsonOfRow } from '../../../database/reader/json-expression.ts';
import { type Column, type Model, modelOf, type StoredRecord } from '../../../records/metadata.ts';
import type { PullEnd } from '../../connections/connection-runs.ts';
import { Sync, type SyncCounts, type SyncJob, type SyncKey } from './sync.ts';

/** A sync to store. */
export interface SyncRow
  extends Pick<
    Sync,
    | 'id'
    | 'organisationId'
    | 'companyId'
    | 'integrationType'
    | 'dataModels'
    | 'configMode'
    | 'fullSync'
    | 'strict'
    | 'syncType'
    | 'jobType'
    | 'status'
  > {
  counts: SyncCounts;
  startTime: Date | null;
  endTime: Date | null;
  createdAt: Date;
}

/** What its jobs have in common; there is one per data model. */
export interface JobRows extends Pick<SyncJob, 'status' | 'recordsSynced'> {
  ids: string[];
}

/** Stores a sync and its jobs. */
export async function insertSync(em: EntityManager, sync: SyncRow, jobs: JobRows): Promise<void> {
  const counts = { type: 'jsonb', all: JSON.stringify(sync.counts) };
  const common: NewColumn<number>[] = [
    { column: 'organisation_id', type: 'bigint', all: sync.organisationId },
    { column: 'company_id', type: 'bigint', all: sync.companyId },
    { column: 'job_type', type: 'text', all: sync.jobType },
    { column: 'config_mode', type: 'text', all: sync.configMode },
    { column: 'start_time', type: 'timestamptz', all: sync.startTime?.toISOString() ?? null },
    { column: 'end_time', type: 'timestamptz', all: sync.endTime?.toISOString() ?? null },
    { column: 'created_at', type: 'timestamptz', all: sync.createdAt.toISOString() },
  ];
  const ofSync: NewColumn<number>[] = [
    ...common,
    { column: 'id', type: 'text', all: sync.id },
    { column: 'integration_type', type: 'text', all: sync.integrationType },
    { column: 'data_models', type: 'jsonb', all: JSON.stringify(sync.dataModels) },
    { column: 'full_sync', type: 'boolean', all: sync.fullSync },
    { column: 'strict', type: 'boolean', all: sync.strict },
    { column: 'sync_type', type: 'text', all: sync.syncType },
    { column: 'status', type: 'text', all: sync.status },
    { column: 'job_counts', ...counts },
    { column: 'data_model_counts', ...counts },
  ];
  const ofJobs: NewColumn<number>[] = [
    ...common,
    { column: 'id', type: 'text', each: (index) => jobs.ids[index]! },
    { column: 'data_model', type: 'text', each: (index) => sync.dataModels[index]! },
    { column: 'sync_id', type: 'text', all: sync.id },
    { column: 'status', type: 'text', all: jobs.status },
    { column: 'records_synced', type: 'int', all: jobs.recordsSynced },
    { column: 'retry_count', type: 'int', sql: '0' },
  ];
  const rows = [...jobs.ids.keys()];
  await executeParts(em, [
    newRows(em, { table: 'sync', rows: [0], columns: ofSync }),
    ...(rows.length > 0 ? [newRows(em, { table: 'sync_job', rows, columns: ofJobs })] : []),
  ]);
}

/** Some properties of a sync, locked. */
export async function lockedSync<K extends Column<Sync>>(
  em: EntityManager,
  { id, companyId }: SyncKey,
  select: readonly K[],
): Promise<StoredRecord<Sync, K> | undefined> {
  const rows = await executeIn<{ row: StoredRecord<Sync, K> }>(
    em,
    `select ${jsonOfRow(modelOf(Sync), select)} as row from sync where id = $1 and company_id = $2 for update`,
    [id, companyId],
  );
  return rows[0]?.row;
}

/**
 * The oldest sync of a company that is under way. The conditions are literals, because the plan for every value of a parameter would not use
 * the index of pulls that are under way.
 */
export async function openSync(em: EntityManager, companyId: number, jobType?: 'PULL'): Promise<string | undefined> {
  const rows = await executeIn<{ id: string }>(
    em,
    `select id from sync where company_id = $1 and status in ('PENDING', 'RUNNING')${jobType ? ` and job_type = '${jobType}'` : ''} order by created_at limit 1`,
    [companyId],
  );
  return rows[0]?.id;
}

/** Start of the last successful pull of a data model; null when there was none. The literals are conditions of the index of pulls. */
export async function startOfLastPull(em: EntityManager, companyId: number, dataModel: string): Promise<string | Date | null> {
  const rows = await executeIn<{ at: string | Date | null }>(
    em,
    `select max(start_time) as at from sync_job where company_id = $1 and data_model = $2 and job_type = 'PULL' and status = 'SUCCESS' and parent_job_id is null`,
    [companyId, dataModel],
  );
  return rows[0]!.at;
}

/** The ends of the pulls of a sync. `recordOf` is the model of the records of a data model, undefined for one without records of its own. */
export async function pullEnds(
  em: EntityManager,
  { id, companyId }: SyncKey,
  recordOf: (dataModel: string) => Model | undefined,
  keepsRawData: boolean,
): Promise<PullEnd[]> {
  const jobs = await executeIn<Pick<PullEnd, 'dataModel' | 'error' | 'endedAt'>>(
    em,
    `select data_model as "dataModel", end_time as "endedAt", case when status <> 'SUCCESS' then error_message end as error from sync_job
     where sync_id = $1 and company_id = $2 and parent_job_id is null and status in ('SUCCESS', 'FAILED', 'PENDING_CONFIRMATION')`,
    [id, companyId],
  );
  const ends: PullEnd[] = [];
  for (const job of jobs) {
    const model = recordOf(job.dataModel);
    if (model) ends.push({ ...job, ...(await countsOf(em, companyId, job.dataModel, model, keepsRawData)) });
  }
  return ends;
}

async function countsOf(em: EntityManager, companyId: number, dataModel: string, { table, props }: Model, keepsRawData: boolean) {
  const rows = await executeIn<Pick<PullEnd, 'stored' | 'refused' | 'deleted' | 'rawBytes'>>(
    em,
    `select count(*) filter (where ledger_deleted_at is null)::int as stored, count(ledger_deleted_at)::int as deleted,${keepsRawData && props.has('rawData') ? ` coalesce(sum(pg_column_size(raw_data)), 0)::float8 as "rawBytes",` : ''}
       (select count(*)::int from refused_record where company_id = $1 and data_model = $2) as refused
     from "${table}" where company_id = $1`,
    [companyId, dataModel],
  );
  return rows[0]!;
}

/** The last full pull of each data model of a company that began after a moment. */
export async function lastFullPulls(
  em: EntityManager,
  companyId: number,
  after: Date,
): Promise<{ dataModel: string; status: string; at: string | Date }[]> {
  return executeIn(
    em,
    `select distinct on (j.data_model) j.data_model as "dataModel", j.status, j.created_at as at from sync s
     join sync_job j on j.company_id = $1 and j.sync_id = s.id and j.parent_job_id is null
     where s.company_id = $1 and s.full_sync and s.created_at > $2::timestamptz order by j.data_model, j.created_at desc`,
    [companyId, after.toISOString()],
  );
}

/** A failed job that reports one record. */
export type RefusedRow = Pick<SyncJob, 'id' | 'errorCode' | 'errorMessage' | 'errorResponse' | 'input'>;

/** Stores jobs that report single records of a job. */
export async function insertRefusals(
  em: EntityManager,
  sync: Pick<Sync, 'id' | 'organisationId' | 'companyId' | 'jobType' | 'configMode'>,
  job: Pick<SyncJob, 'id' | 'dataModel'>,
  rows: RefusedRow[],
  now: Date,
): Promise<void> {
  const at = { type: 'timestamptz', all: now.toISOString() };
  const columns: NewColumn<RefusedRow>[] = [
    { column: 'id', type: 'text', each: ({ id }) => id },
    { column: 'organisation_id', type: 'bigint', all: sync.organisationId },
    { column: 'company_id', type: 'bigint', all: sync.companyId },
    { column: 'sync_id', type: 'text', all: sync.id },
    { column: 'data_model', type: 'text', all: job.dataModel },
    { column: 'status', type: 'text', sql: "'FAILED'" },
    { column: 'job_type', type: 'text', all: sync.jobType },
    { column: 'config_mode', type: 'text', all: sync.configMode },
    { column: 'records_synced', type: 'int', sql: '0' },
    { column: 'retry_count', type: 'int', sql: '0' },
    { column: 'parent_job_id', type: 'text', all: job.id },
    { column: 'error_code', type: 'text', each: ({ errorCode }) => errorCode },
    { column: 'error_message', type: 'text', each: ({ errorMessage }) => errorMessage },
    { column: 'error_response', type: 'jsonb', each: ({ errorResponse }) => errorResponse && JSON.stringify(errorResponse) },
    { column: 'input', type: 'text', each: ({ input }) => input },
    { column: 'start_time', ...at },
    { column: 'end_time', ...at },
    { column: 'created_at', ...at },
  ];
  await executeParts(em, [newRows(em, { table: 'sync_job', rows, columns })]);
}

/** Ends a job: as failed when an error is given, or when it stored nothing and had records rejected; otherwise as successful. */
export async function endJob(
  em: EntityManager,
  { id, companyId }: SyncKey,
  now: Date,
  error?: { code: string; message: string },
): Promise<void> {
  await executeIn(
    em,
    `update sync_job j set end_time = greatest($2::timestamptz, j.start_time), error_code = coalesce($3, first.error_code), error_message = coalesce($4, first.error_message),
       status = case when $3 is null and first.error_code is null then 'SUCCESS' else 'FAILED' end
     from (values (1)) as one(x) left join lateral (
       select c.error_code, c.error_message from sync_job c, sync_job p
       where p.id = $1 and p.company_id = $5 and c.parent_job_id = p.id and c.company_id = $5 and p.records_synced = 0 order by c.created_at, c.id limit 1) first on true
     where j.id = $1 and j.company_id = $5`,
    [id, now.toISOString(), error?.code ?? null, error?.message ?? null, companyId],
  );
}

const count = `count(*)::int as total, count(*) filter (where status = 'SUCCESS')::int as success, count(*) filter (where status in ('FAILED', 'CANCELLED'))::int as failed,
    count(*) filter (where status = 'RUNNING')::int as running, count(*) filter (where status in ('CREATED', 'PENDING_CONFIRMATION'))::int as pending`;

const tally = (total: string): string =>
  `jsonb_build_object('total', ${total}.total, 'success', ${total}.success, 'failed', ${total}.failed, 'running', ${total}.running, 'pending', ${total}.pending)`;

/** Computes the counts, the status and the times of a sync from its jobs; returns its status before and after. */
export async function deriveSync(
  em: EntityManager,
  { id, companyId }: SyncKey,
  now: Date,
  isCancelled: boolean,
): Promise<{ before: string; sync: StoredRecord<Sync, 'id' | 'companyId' | 'integrationType' | 'jobType' | 'status'> }> {
  const [row] = await executeIn<{ before: string } & Awaited<ReturnType<typeof deriveSync>>['sync']>(
    em,
    `with jobs as (select ${count}, count(*) filter (where status = 'PENDING_CONFIRMATION')::int as unconfirmed from sync_job where sync_id = $1 and company_id = $4),
       models as (select ${count} from sync_job where sync_id = $1 and company_id = $4 and parent_job_id is null),
       state as (select s.status as before, case when $3 or s.status = 'CANCELLED' then 'CANCELLED' when jobs.total = 0 or jobs.failed = jobs.total then 'FAILED' when jobs.success = jobs.total then 'SUCCESS'
         when jobs.unconfirmed > 0 and jobs.running = 0 and jobs.pending = jobs.unconfirmed then 'PENDING_CONFIRMATION' when jobs.pending = jobs.total then 'PENDING' when jobs.running + jobs.pending > 0 then 'RUNNING' else 'PARTIAL_SUCCESS' end as status,
         ${tally('jobs')} as job_counts, ${tally('models')} as model_counts from sync s, jobs, models where s.id = $1 and s.company_id = $4)
     update sync s set status = state.status, job_counts = state.job_counts, data_model_counts = state.model_counts,
       start_time = case when state.status = 'PENDING' then s.start_time else coalesce(s.start_time, greatest($2::timestamptz, s.created_at)) end,
       end_time = case when state.status in ('PENDING', 'RUNNING', 'PENDING_CONFIRMATION') then null else coalesce(s.end_time, greatest($2::timestamptz, s.start_time, s.created_at)) end
     from state where s.id = $1 and s.company_id = $4
     returning state.before, s.id, s.company_id::float8 as "companyId", s.integration_type as "integrationType", s.job_type as "jobType", s.status`,
    [id, now.toISOString(), isCancelled, companyId],
  );
  const { before, ...sync } = row!;
  return { before, sync };
}

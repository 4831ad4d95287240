// Syncs and their jobs, which report writes and pulls: tables and GraphQL types.
import { Node } from '../../../graphql/node.ts';
import {
  belongsTo,
  embeddable,
  embedded,
  enumeration,
  flag,
  identifier,
  integer,
  ledgerNumber,
  list,
  moment,
  object,
  record,
  text,
} from '../../../records/decorators.ts';
import { defineEnum } from '../../../records/enums.ts';
import { Company } from '../../companies/company.ts';
import type { Json } from '../../connectors/connector.ts';

export const SyncStatus = defineEnum('SyncStatus', 'State of a sync.', {
  PENDING: 'Accepted, not started.',
  RUNNING: 'At least one job runs.',
  PENDING_CONFIRMATION:
    'A full run would delete more than 20 records and a tenth of a data model; its job has the number. `confirmSync` permits it; `cancelSync` and the next full run discard it.',
  SUCCESS: 'Every job succeeded.',
  PARTIAL_SUCCESS: 'Some jobs succeeded, some failed.',
  FAILED: 'Nothing was stored.',
  CANCELLED: 'Cancelled on request.',
});

export const SyncType = defineEnum('SyncType', 'Trigger of a sync.', {
  MANUAL: 'Request of a caller.',
  AUTO_SYNC: 'Schedule of the connection.',
});

export const ConfigMode = defineEnum('ConfigMode', 'What a sync does with records.', {
  READ: 'Reads them from the source.',
  CREATE: 'Creates them.',
  UPDATE: 'Creates or updates them.',
  DELETE: 'Deletes them.',
});

export type ConfigModeName = keyof typeof ConfigMode.values;

export const JobStatus = defineEnum('JobStatus', 'State of a job.', {
  CREATED: 'Waiting to start.',
  RUNNING: 'In flight.',
  PENDING_CONFIRMATION: 'Everything except the deletions is done; they wait for `confirmSync`.',
  SUCCESS: 'Succeeded.',
  FAILED: 'Ended with an error.',
  CANCELLED: 'Cancelled on request.',
});

export const JobType = defineEnum('JobType', 'Direction of a job.', {
  PULL: 'From the source system to the gateway.',
  PUSH: 'From a caller through the gateway to the source system.',
  CUSTOM: 'Any other purpose.',
});

@embeddable('Numbers of jobs or data models by state; `total` is the sum of the others.')
export class SyncCounts {
  @integer('Total number.', { required: true }) total!: number;
  @integer('Succeeded.', { required: true }) success!: number;
  @integer('Ended with an error, or cancelled.', { required: true }) failed!: number;
  @integer('Syncs in flight.', { required: true }) running!: number;
  @integer('Waiting to start, or for a confirmation.', { required: true }) pending!: number;
}

@record({
  description: 'A write or pull of records of a company, in jobs.',
  scope: 'organisation',
  companyColumn: 'company_id',
  key: 'id',
  prefix: 'sync',
  primaryKey: ['id', 'companyId'],
  notFound: 'SYNC_NOT_FOUND',
  indexes: [
    { name: 'sync_company', columns: 'company_id, created_at, id' },
    { name: 'sync_age', columns: 'end_time' },
    { name: 'sync_full', columns: 'company_id, created_at', where: 'full_sync' },
  ],
  listed: true,
  // At most one pull of a company is under way.
  unique: [{ name: 'sync_one_pull', columns: 'company_id', where: "job_type = 'PULL' and status in ('PENDING', 'RUNNING')" }],
  node: { roles: ['INTEGRATIONS'] },
  implements: Node,
})
export class Sync {
  @identifier('Unique id.', { required: true }) id!: string;
  @ledgerNumber('Organisation that owns the sync.', { required: true, hidden: true }) organisationId!: number;
  @ledgerNumber('Company of the records.', { required: true }) companyId!: number;
  @belongsTo(() => Company, 'companyId', { to: 'ledgerId', within: true, shown: 'Company that the record belongs to.' }) company?: Company;
  @text('Source system.', { required: true }) integrationType!: string;
  @list(() => String, 'Data models of the sync.', { required: true }) dataModels!: string[];
  // Not indexed, like the times below: every write of a record is a sync, and would write each of these indexes.
  @enumeration(ConfigMode, 'Operation on the records.', { required: true, list: 'scanned' }) configMode!: string;
  @flag('Whether every record was requested, not only changed ones.', { required: true }) fullSync!: boolean;
  @enumeration(SyncType, 'Trigger of the sync.', { required: true, list: 'scanned' }) syncType!: string;
  @enumeration(SyncStatus, 'State of the sync.', { required: true }) status!: string;
  @enumeration(JobType, 'Direction of its jobs.', { required: true, hidden: true }) jobType!: string;
  @flag('Whether records that break an integrity rule are rejected.', { required: true, hidden: true }) strict!: boolean;
  @embedded(() => SyncCounts, 'Numbers of jobs by state.', { required: true }) jobCounts!: SyncCounts;
  @embedded(() => SyncCounts, 'Numbers of data models by the state of their jobs.', { required: true })
  dataModelCounts!: SyncCounts;
  @moment('When the first job started.', { list: 'scanned' }) startTime!: Date | null;
  @moment('When the sync reached a final state.', { list: 'scanned' }) endTime!: Date | null;
  @moment('When it was requested.', { required: true }) createdAt!: Date;
}

/** What names a sync or a job to a statement: with the company, each reaches the rows of one company alone. */
export type SyncKey = Pick<Sync, 'id' | 'companyId'>;

/** How far a pull of a data model has come. */
export interface PullProgress {
  cursor: Json;
  position: number;
  /** How long the source has taken for the pages so far; absent where an earlier version stored it. */
  spentMs?: number;
  /** Whether everything that the source lists is stored, so that deletions are next. */
  isListed?: boolean;
  /** Whether many deletions were confirmed. */
  isConfirmed?: boolean;
}

@record({
  description: 'A part of a sync: one data model, or one failed record.',
  scope: 'organisation',
  companyColumn: 'company_id',
  key: 'id',
  prefix: 'syncjob',
  primaryKey: ['id', 'companyId'],
  indexes: [
    { name: 'sync_job_sync', columns: 'sync_id, created_at, id' },
    { name: 'sync_job_pull', columns: 'company_id, data_model, start_time', where: "job_type = 'PULL'" },
    { name: 'sync_job_unconfirmed', columns: 'company_id, data_model', where: "status = 'PENDING_CONFIRMATION'" },
  ],
  node: { roles: ['INTEGRATIONS'] },
  implements: Node,
})
export class SyncJob {
  @identifier('Unique id.', { required: true }) id!: string;
  @ledgerNumber('Organisation that owns the job.', { required: true, hidden: true }) organisationId!: number;
  @ledgerNumber('Company of the records.', { required: true, hidden: true }) companyId!: number;
  @belongsTo(() => Company, 'companyId', { to: 'ledgerId', within: true, shown: 'Company of the records.' })
  company?: Company;
  @identifier('Sync it is part of.', { required: true, hidden: true }) syncId!: string;
  @belongsTo(() => Sync, 'syncId', { shown: 'Sync that the job is part of.' }) sync?: Sync;
  @text('Data model of the job.', { required: true, list: 'indexed' }) dataModel!: string;
  @enumeration(JobStatus, 'State of the job.', { required: true }) status!: string;
  @enumeration(JobType, 'Direction.', { required: true }) jobType!: string;
  @enumeration(ConfigMode, 'Operation on the records.', { required: true }) configMode!: string;
  @integer('Records stored.', { required: true }) recordsSynced!: number;
  @integer('Automatic retries so far.', { required: true }) retryCount!: number;
  @identifier('Id of the job of the data model, if the job reports one record.') parentJobId!: string | null;
  @text('Code of the error that ended the job.', { search: true }) errorCode!: string | null;
  @text('Message of the error, or reason for waiting.', { search: true }) errorMessage!: string | null;
  @belongsTo(() => SyncJob, 'parentJobId', { shown: 'Job of the data model, if the job reports one record.' }) parentJob?: SyncJob;
  @object(
    'Location of the error: `index`, `platform_id` and `field` of the record. For a data model, `left_out` counts the skipped records of the source by stream.',
  )
  errorResponse!: Record<string, unknown> | null;
  @text('The rejected record, as JSON text, so that a retry can write it.', { hidden: true }) input!: string | null;
  @object('Where a pull continues: the cursor of the source, and the number of records before it.', { hidden: true })
  progress!: PullProgress | null;
  @moment('When processing started.') startTime!: Date | null;
  @moment('When it ended.') endTime!: Date | null;
  @moment('When it was created.', { required: true }) createdAt!: Date;
}

@record({
  description: 'Records of an accepted batch that are not stored yet, in chunks.',
  scope: 'organisation',
  companyColumn: 'company_id',
  key: 'syncId',
  prefix: 'syncchunk',
  primaryKey: ['syncId', 'position', 'companyId'],
  indexes: [{ name: 'sync_chunk_first', columns: 'organisation_id', where: 'position = 0' }],
  internal: true,
})
export class SyncChunk {
  @identifier('Sync of the batch.', { required: true }) syncId!: string;
  @integer('Position of the first record of the chunk in the batch.', { required: true }) position!: number;
  @ledgerNumber('Organisation that owns the records.', { required: true }) organisationId!: number;
  @ledgerNumber('Company of the records.', { required: true }) companyId!: number;
  @text('The entries, as JSON text: `path` and `input` of each.', { required: true }) entries!: string;
}

@record({
  description:
    'Source ids that a pull has seen so far, and of a full one those that the source has no more; each pull reads again what was pushed while it ran.',
  scope: 'organisation',
  companyColumn: 'company_id',
  key: 'jobId',
  prefix: 'syncseen',
  primaryKey: ['companyId', 'jobId', 'platformId'],
  indexes: [
    { name: 'sync_seen_pushed', columns: 'company_id, job_id', where: 'pushes > 0' },
    { name: 'sync_seen_absent', columns: 'company_id, job_id, platform_id', where: 'is_absent' },
  ],
  internal: true,
})
export class SyncSeen {
  @ledgerNumber('Company of the records.', { required: true }) companyId!: number;
  @identifier('Job of the pull.', { required: true }) jobId!: string;
  @text('Source id of a record.', { required: true }) platformId!: string;
  @ledgerNumber('Organisation that owns the company.', { required: true }) organisationId!: number;
  @identifier('Sync of the pull.', { required: true }) syncId!: string;
  @integer('Pushes of the record since the pull last read it: its pages may show an older version.', { required: true, columnDefault: '0' })
  pushes!: number;
  @flag('Whether the source has no such record any more, so that it is to be deleted.', { required: true, columnDefault: 'false' })
  isAbsent!: boolean;
}

@record({
  description: 'Writes that wait for the source, in their order.',
  scope: 'organisation',
  companyColumn: 'company_id',
  key: 'id',
  prefix: 'push',
  primaryKey: ['companyId', 'id'],
  indexes: [{ name: 'source_push_sync', columns: 'company_id, sync_id' }],
  internal: true,
})
export class SourcePush {
  @ledgerNumber('Company of the record.', { required: true }) companyId!: number;
  @identifier('Identifier; sorts by the time of the write.', { required: true }) id!: string;
  @ledgerNumber('Organisation that owns the company.', { required: true }) organisationId!: number;
  @identifier('Sync of the write.', { required: true }) syncId!: string;
  @identifier('Its job.', { required: true }) jobId!: string;
  @text('Data model of the record.', { required: true }) dataModel!: string;
  @ledgerNumber('Number of the record.', { required: true }) ledgerId!: number;
  @integer('Attempts so far, those that were interrupted or limited among them.', { required: true }) attempts!: number;
  @integer('Attempts that the source has failed for the moment; each makes the next one wait longer.', {
    required: true,
    columnDefault: '0',
  })
  failures!: number;
  @identifier('The queue job that works on it.') claimedBy!: string | null;
  @moment('Until when that job has it unless the job extends the claim; without a job, when it is due.') claimedUntil!: Date | null;
  @object('What its attempts may have sent, oldest first.', { required: true, columnDefault: "'[]'" }) sent!: Record<string, unknown>[];
}

@record({
  description: 'Records of a source that could not be stored, as they came, to be tried again by the next runs.',
  scope: 'organisation',
  companyColumn: 'company_id',
  key: 'platformId',
  prefix: 'refused',
  primaryKey: ['companyId', 'dataModel', 'platformId'],
  internal: true,
})
export class RefusedRecord {
  @ledgerNumber('Company of the record.', { required: true }) companyId!: number;
  @text('Data model of the record.', { required: true }) dataModel!: string;
  @text('What it is kept under: its source id, its digest where it has none, or that of a repeated id.', { required: true })
  platformId!: string;
  @text('Source of the record; null for one that was kept before sources were.') integrationType!: string | null;
  @ledgerNumber('Organisation that owns the company.', { required: true }) organisationId!: number;
  @identifier('Sync that rejected it last; it may have been removed since.', { required: true }) refusedBy!: string;
  @object(
    'The record as the source sent it; its JSON text where it has texts that the database cannot hold, with why its id is rejected, or with its place in a file.',
    {
      required: true,
    },
  )
  record!: Record<string, unknown> | string;
}

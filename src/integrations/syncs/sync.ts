// Syncs and their jobs, which report writes and pulls: tables and GraphQL types.
import { Field, Int, ObjectType } from 'type-graphql';
import { exposeNode, Node } from '../../graphql/node.ts';
import { enumeration, flag, identifier, integer, ledgerNumber, list, moment, object, record, text } from '../../records/decorators.ts';
import { defineEnum } from '../../records/enums.ts';

export const SyncStatus = defineEnum('SyncStatus', 'State of a sync.', {
  PENDING: 'Accepted, not started.',
  RUNNING: 'At least one job runs.',
  SUCCESS: 'Every job succeeded.',
  PARTIAL_SUCCESS: 'Some jobs succeeded, some failed.',
  FAILED: 'Nothing was stored.',
  CANCELLED: 'Stopped on request.',
});

export const SyncType = defineEnum('SyncType', 'What started a sync.', {
  MANUAL: "A caller's request.",
  AUTO_SYNC: 'The schedule of the connection.',
});

export const ConfigMode = defineEnum('ConfigMode', 'What a sync does with the records.', {
  READ: 'Reads them from the source.',
  CREATE: 'Creates them.',
  UPDATE: 'Creates or updates them.',
  DELETE: 'Deletes them.',
});

export const JobStatus = defineEnum('JobStatus', 'State of a job.', {
  CREATED: 'Waiting.',
  RUNNING: 'Running.',
  SUCCESS: 'Done.',
  FAILED: 'Ended with an error.',
  CANCELLED: 'Stopped on request.',
});

export const JobType = defineEnum('JobType', 'Direction of a job.', {
  PULL: 'From the source system to here.',
  PUSH: 'From a caller to here and on to the source system.',
  CUSTOM: 'Anything else.',
});

@ObjectType({ description: 'Numbers of jobs or data models by state; `total` is the sum of the others.', simpleResolvers: true })
export class SyncCounts {
  @Field(() => Int, { description: 'All.' }) total!: number;
  @Field(() => Int, { description: 'Done.' }) success!: number;
  @Field(() => Int, { description: 'Ended with an error, or cancelled.' }) failed!: number;
  @Field(() => Int, { description: 'Running.' }) running!: number;
  @Field(() => Int, { description: 'Waiting.' }) pending!: number;
}

@record({
  description: "One write or pull of a company's records, made of jobs.",
  scope: 'organisation',
  companyColumn: 'company_id',
  key: 'id',
  prefix: 'sync',
  primaryKey: ['id'],
  indexes: [
    { name: 'sync_company', columns: 'company_id, created_at, id' },
    { name: 'sync_age', columns: 'end_time' },
  ],
  // At most one pull of a company is under way.
  unique: [{ name: 'sync_one_pull', columns: 'company_id', where: "job_type = 'PULL' and status in ('PENDING', 'RUNNING')" }],
  implements: Node,
})
export class Sync {
  @identifier('Identifier.', { required: true, filter: false }) id!: string;
  @ledgerNumber('Organisation that owns the sync.', { required: true, hidden: true }) organisationId!: number;
  @ledgerNumber('Company whose records it concerns.', { required: true, filter: false }) companyId!: number;
  @text('Source system.', { required: true }) integrationType!: string;
  @list(() => String, 'Data models it concerns.', { required: true }) dataModels!: string[];
  @enumeration(ConfigMode, 'What it does with the records.', { required: true }) configMode!: string;
  @flag('Whether every record was asked for, not only changed ones.', { required: true }) fullSync!: boolean;
  @enumeration(SyncType, 'What started it.', { required: true }) syncType!: string;
  @enumeration(SyncStatus, 'State of the sync.', { required: true }) status!: string;
  @enumeration(JobType, 'Direction of its jobs.', { required: true, hidden: true }) jobType!: string;
  @flag('Whether records that break an integrity rule are refused.', { required: true, hidden: true }) strict!: boolean;
  @object('Numbers of its jobs by state.', { required: true, type: () => SyncCounts }) jobCounts!: SyncCounts;
  @object('Numbers of its data models by the state of their jobs.', { required: true, type: () => SyncCounts })
  dataModelCounts!: SyncCounts;
  @moment('When the first job started.', { filter: false }) startTime!: string | null;
  @moment('When it reached a final state.', { filter: false }) endTime!: string | null;
  @moment('When it was requested.', { required: true, filter: false }) createdAt!: string;
}
exposeNode('Sync', 'INTEGRATIONS');

@record({
  description: 'A part of a sync: one data model, or one record that failed.',
  scope: 'organisation',
  companyColumn: 'company_id',
  key: 'id',
  prefix: 'syncjob',
  primaryKey: ['id'],
  indexes: [
    { name: 'sync_job_sync', columns: 'sync_id, created_at, id' },
    { name: 'sync_job_pull', columns: 'company_id, data_model, start_time', where: "job_type = 'PULL'" },
  ],
  implements: Node,
})
export class SyncJob {
  @identifier('Identifier.', { required: true, filter: false }) id!: string;
  @ledgerNumber('Organisation that owns the job.', { required: true, hidden: true }) organisationId!: number;
  @ledgerNumber('Company whose records it concerns.', { required: true, hidden: true }) companyId!: number;
  @identifier('Sync it is part of.', { required: true, hidden: true }) syncId!: string;
  @text('Data model it concerns.', { required: true, filter: true }) dataModel!: string;
  @enumeration(JobStatus, 'State of the job.', { required: true }) status!: string;
  @enumeration(JobType, 'Its direction.', { required: true }) jobType!: string;
  @enumeration(ConfigMode, 'What it does with the records.', { required: true }) configMode!: string;
  @integer('Records stored.', { required: true, filter: false }) recordsSynced!: number;
  @integer('Automatic retries so far.', { required: true, filter: false }) retryCount!: number;
  @identifier('Job of the data model, for a job that reports one record.', { filter: false }) parentJobId!: string | null;
  @text('Code of the error that ended it.') errorCode!: string | null;
  @text('Message of that error.') errorMessage!: string | null;
  @object('Where the error is: `index`, `platform_id` and `field` of the record.') errorResponse!: Record<string, unknown> | null;
  @text('The record that was refused, as JSON text, so that a retry can write it.', { hidden: true }) input!: string | null;
  @moment('When work on it started.', { filter: false }) startTime!: string | null;
  @moment('When it ended.', { filter: false }) endTime!: string | null;
  @moment('When it was created.', { required: true, filter: false }) createdAt!: string;
}
exposeNode('SyncJob', 'INTEGRATIONS');

@record({
  description: 'Records of an accepted batch that are not stored yet, in chunks.',
  scope: 'organisation',
  companyColumn: 'company_id',
  key: 'syncId',
  prefix: 'syncchunk',
  primaryKey: ['syncId', 'position'],
  internal: true,
})
export class SyncChunk {
  @identifier('Sync of the batch.', { required: true }) syncId!: string;
  @integer('Position of the first record of the chunk in the batch.', { required: true }) position!: number;
  @ledgerNumber('Organisation that owns the records.', { required: true }) organisationId!: number;
  @ledgerNumber('Company of the records.', { required: true }) companyId!: number;
  @text('The entries, as JSON text: `path` and `input` of each.', { required: true }) entries!: string;
}

// Syncs and their jobs: the account a write or a pull gives of itself.
import { defineEnum } from '../core/enums.ts';
import { newId } from '../core/ids.ts';
import { choice, flag, identifier, integer, ledgerNumber, list, moment, object, record, text } from '../core/kit.ts';
import { exposeNode, Node } from '../core/node.ts';
import type { EntityManager } from '../core/database.ts';
import { executeIn } from '../core/database.ts';

export const SyncStatus = defineEnum('SyncStatus', 'How far a sync is.', {
  PENDING: 'Accepted, not started.',
  RUNNING: 'At least one job runs.',
  SUCCESS: 'Every job succeeded.',
  PARTIAL_SUCCESS: 'Some jobs succeeded, some failed.',
  FAILED: 'Nothing was stored.',
  CANCELLED: 'Stopped on request.',
});

export const SyncType = defineEnum('SyncType', 'What started a sync.', {
  MANUAL: 'A caller\'s request.',
  AUTO_SYNC: 'The schedule of the connection.',
});

export const ConfigMode = defineEnum('ConfigMode', 'What a sync does with the records.', {
  READ: 'Reads them from the source.',
  CREATE: 'Creates them.',
  UPDATE: 'Creates or updates them.',
  DELETE: 'Deletes them.',
});

export const JobStatus = defineEnum('JobStatus', 'How far a job is.', {
  CREATED: 'Waiting.',
  RUNNING: 'At work.',
  SUCCESS: 'Done.',
  FAILED: 'Ended with an error.',
  CANCELLED: 'Stopped on request.',
});

export const JobType = defineEnum('JobType', 'Direction of a job.', {
  PULL: 'From the source system to here.',
  PUSH: 'From a caller to here and on to the source system.',
  CUSTOM: 'Anything else.',
});

@record({
  description: 'One write or pull of a company\'s records, made of jobs.',
  scope: 'organisation',
  companyColumn: 'company_id',
  key: 'id',
  prefix: 'sync',
  primaryKey: ['id'],
  indexes: [{ name: 'sync_company', columns: 'company_id, id' }],
  implements: Node,
})
export class Sync {
  @identifier('Identifier.', { required: true, filter: false }) id!: string;
  @ledgerNumber('Organisation that owns the sync.', { required: true, hidden: true }) organisationId!: number;
  @ledgerNumber('Company whose records it concerns.', { required: true, filter: false }) companyId!: number;
  @text('Source system.', { required: true }) integrationType!: string;
  @list(() => String, 'Data models it concerns.', { required: true }) dataModels!: string[];
  @choice(ConfigMode, 'What it does with the records.', { required: true }) configMode!: string;
  @flag('Whether every record was asked for, not only changed ones.', { required: true }) fullSync!: boolean;
  @choice(SyncType, 'What started it.', { required: true }) syncType!: string;
  @choice(SyncStatus, 'How far it is.', { required: true }) status!: string;
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
  indexes: [{ name: 'sync_job_sync', columns: 'sync_id, id' }],
  implements: Node,
})
export class SyncJob {
  @identifier('Identifier.', { required: true, filter: false }) id!: string;
  @ledgerNumber('Organisation that owns the job.', { required: true, hidden: true }) organisationId!: number;
  @ledgerNumber('Company whose records it concerns.', { required: true, hidden: true }) companyId!: number;
  @identifier('Sync it is part of.', { required: true, hidden: true }) syncId!: string;
  @text('Data model it concerns.', { required: true, filter: true }) dataModel!: string;
  @choice(JobStatus, 'How far it is.', { required: true }) status!: string;
  @choice(JobType, 'Its direction.', { required: true }) jobType!: string;
  @choice(ConfigMode, 'What it does with the records.', { required: true }) configMode!: string;
  @integer('Records stored.', { required: true, filter: false }) recordsSynced!: number;
  @integer('Automatic retries so far.', { required: true, filter: false }) retryCount!: number;
  @identifier('Job this one reports a part of.', { filter: false }) parentJobId!: string | null;
  @text('Code of the error that ended it.') errorCode!: string | null;
  @text('Message of that error.') errorMessage!: string | null;
  @object('Where the error is: `index`, `platform_id` and `field` of the record.') errorResponse!: Record<string, unknown> | null;
  @moment('When work on it started.', { filter: false }) startTime!: string | null;
  @moment('When it ended.', { filter: false }) endTime!: string | null;
  @moment('When it was created.', { required: true, filter: false }) createdAt!: string;
}
exposeNode('SyncJob', 'INTEGRATIONS');

/** What a finished write reports. */
export interface FinishedWrite {
  organisationId: number;
  companyId: number;
  integrationType: string;
  dataModel: string;
  configMode: 'CREATE' | 'UPDATE' | 'DELETE';
  recordsSynced: number;
  startedAt: Date;
  endedAt: Date;
}

/** Stores the Sync and the Job of a write that is done in the same transaction; returns the sync's id. */
export async function recordFinishedWrite(em: EntityManager, write: FinishedWrite): Promise<string> {
  const syncId = newId('sync');
  await executeIn(
    em,
    `with sync as (
       insert into sync (id, organisation_id, company_id, integration_type, data_models, config_mode, full_sync, sync_type, status, start_time, end_time, created_at)
       values ($1, $3, $4, $5, jsonb_build_array($6::text), $7, false, 'MANUAL', 'SUCCESS', $9::timestamptz, $10::timestamptz, $9::timestamptz))
     insert into sync_job (id, organisation_id, company_id, sync_id, data_model, status, job_type, config_mode, records_synced, retry_count, start_time, end_time, created_at)
     values ($2, $3, $4, $1, $6, 'SUCCESS', 'PUSH', $7, $8::int, 0, $9::timestamptz, $10::timestamptz, $9::timestamptz)`,
    [
      syncId,
      newId('syncjob'),
      write.organisationId,
      write.companyId,
      write.integrationType,
      write.dataModel,
      write.configMode,
      write.recordsSynced,
      write.startedAt.toISOString(),
      write.endedAt.toISOString(),
    ],
  );
  return syncId;
}

// Chores that remove old syncs and inbox files in batches, except those that the next pull needs.
import { RETENTION_BATCH, removeRows } from '../../queue/retention.statements.ts';
import { type Chore, cutoff } from '../../queue/schedules.ts';
import { firstIdAt } from '../../records/ids.ts';
import { modelOf } from '../../records/metadata.ts';
import { InboxFile } from '../connectors/files/inbox-file.ts';
import { ledgerTypes } from '../ledger/ledger-record.ts';
import { Sync, SyncChunk, SyncJob } from '../syncs/state/sync.ts';
import { emptyRawData, endedJob, endedSyncs, pulledFile } from './sync-retention.statements.ts';

/** Most syncs selected in one transaction. */
const SYNCS = 200;
/** Most inbox files removed in one transaction; a file may have megabytes. */
const FILES = 20;

/** These chores work for all organisations. */
const ALL = { filters: { tenant: false } };

/** Removes ended syncs past their retention, with their jobs and the records they did not write. */
export const syncRetention: Chore = {
  name: 'sync-retention',
  async batch(em, services) {
    const before = cutoff(services, services.config.retention.syncDays);
    if (!before) return false;
    const ids = await endedSyncs(em, before, SYNCS);
    if (ids.length === 0) return false;
    // A sync may have a thousand jobs, so more may be left: a later transaction removes the syncs.
    const jobs = await removeRows(em, SyncJob, { condition: 't.sync_id = any($1::text[])', values: [ids] });
    if (jobs.length === RETENTION_BATCH) return true;
    await em.nativeDelete(SyncChunk, { syncId: { $in: ids } }, ALL);
    await em.nativeDelete(Sync, { id: { $in: ids } }, ALL);
    return ids.length === SYNCS;
  },
};

/** Removes jobs past a retention that is shorter than that of their syncs. */
export const jobRetention: Chore = {
  name: 'job-retention',
  async batch(em, services) {
    const before = cutoff(services, services.config.retention.jobDays);
    if (!before) return false;
    const values = [before, firstIdAt('syncjob', new Date(before))];
    return (await removeRows(em, SyncJob, { condition: endedJob, values, order: 'id' })).length === RETENTION_BATCH;
  },
};

/** Removes inbox files past their retention that were pulled. The newest file of a data model stays, because a full pull reads it. */
export const inboxRetention: Chore = {
  name: 'inbox-file-retention',
  async batch(em, services) {
    const before = cutoff(services, services.config.retention.inboxFileDays);
    if (!before) return false;
    return (await removeRows(em, InboxFile, { condition: pulledFile, values: [before], limit: FILES })).length === FILES;
  },
};

/** Empties what records keep of their source past its retention; the records and their versions stay as they are. */
export const rawDataRetention: Chore = {
  name: 'raw-data-retention',
  async batch(em, services) {
    const before = cutoff(services, services.config.retention.rawDataDays);
    if (!before) return false;
    for (const target of ledgerTypes())
      if ((await emptyRawData(em, modelOf(target).table, before, RETENTION_BATCH)) === RETENTION_BATCH) return true;
    return false;
  },
};

// Schedules that remove old syncs and inbox files in batches, except those that the next pull needs.
import { executeIn } from '../../database/open.ts';
import { cutoff, type Schedule } from '../../queue/schedules.ts';

const DAY_MS = 86_400_000;
/** Most syncs selected, and most jobs removed, in one transaction. */
const SYNCS = 200;
const JOBS = 2_000;
/** Most inbox files removed in one transaction; a file may have megabytes. */
const FILES = 20;

/** A changes-only pull asks for changes since the last successful pull of the data model, so the sync of that pull stays. */
const isLastPull = `exists (
  select 1 from sync_job j where j.sync_id = s.id and j.job_type = 'PULL' and j.status = 'SUCCESS' and j.parent_job_id is null
    and not exists (select 1 from sync_job k where k.company_id = j.company_id and k.data_model = j.data_model and k.job_type = 'PULL'
      and k.status = 'SUCCESS' and k.parent_job_id is null and k.start_time > j.start_time))`;

/** Removes ended syncs past their retention, with their jobs and the records they did not write. */
export const syncRetention: Schedule = {
  name: 'sync-sweep',
  everyMs: DAY_MS,
  async batch(em, services) {
    const before = cutoff(services, services.config.retention.syncDays);
    if (!before) return false;
    const syncs = await executeIn<{ id: string }>(
      em,
      `select id from sync s where end_time < $1::timestamptz and not (job_type = 'PULL' and ${isLastPull}) order by end_time limit ${SYNCS} for update skip locked`,
      [before],
    );
    if (syncs.length === 0) return false;
    const ids = syncs.map(({ id }) => id);
    const jobs = await executeIn(
      em,
      `delete from sync_job where id in (select id from sync_job where sync_id = any($1::text[]) limit ${JOBS}) returning 1`,
      [ids],
    );
    // A sync may have a thousand jobs, so more may be left: a later transaction removes the syncs.
    if (jobs.length === JOBS) return true;
    await executeIn(em, 'delete from sync_chunk where sync_id = any($1::text[])', [ids]);
    await executeIn(em, 'delete from sync where id = any($1::text[])', [ids]);
    return syncs.length === SYNCS;
  },
};

/** Removes inbox files past their retention that were pulled. The newest file of a data model stays, because a full pull reads it. */
export const inboxRetention: Schedule = {
  name: 'inbox-sweep',
  everyMs: DAY_MS,
  async batch(em, services) {
    const before = cutoff(services, services.config.retention.inboxFileDays);
    if (!before) return false;
    const gone = await executeIn(
      em,
      `delete from inbox_file where id in (
         select id from inbox_file f where created_at < $1::timestamptz
           and exists (select 1 from inbox_file n where n.company_id = f.company_id and n.data_model = f.data_model and (n.created_at, n.id) > (f.created_at, f.id))
           and exists (select 1 from sync_job j where j.company_id = f.company_id and j.data_model = f.data_model and j.job_type = 'PULL' and j.status = 'SUCCESS'
             and j.parent_job_id is null and j.start_time > f.created_at)
         order by id limit ${FILES}) returning 1`,
      [before],
    );
    return gone.length === FILES;
  },
};

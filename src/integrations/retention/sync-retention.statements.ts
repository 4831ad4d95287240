// The statements that remove old syncs and inbox files.

import { engineOf } from '../../database/engine/engine.ts';
import { type EntityManager, executeIn } from '../../database/open.ts';

/** A changes-only pull asks for changes since the last successful pull of the data model, so the sync of that pull stays. */
const lastPull = (job: string): string => `${job}.job_type = 'PULL' and ${job}.status = 'SUCCESS' and ${job}.parent_job_id is null
    and not exists (select 1 from sync_job k where k.company_id = ${job}.company_id and k.data_model = ${job}.data_model and k.job_type = 'PULL'
      and k.status = 'SUCCESS' and k.parent_job_id is null and k.start_time > ${job}.start_time)`;
/** The offset keeps the planner from finding the last pulls of all companies first, for each batch again. */
const isLastPull = `exists (select 1 from sync_job j where j.sync_id = s.id and j.company_id = s.company_id and ${lastPull('j')} offset 0)`;

/**
 * The oldest syncs that ended before a moment and that no pull needs. They are locked, and those that another transaction has locked are left out.
 */
export async function endedSyncs(em: EntityManager, before: string, limit: number): Promise<string[]> {
  const rows = await executeIn<{ id: string }>(
    em,
    `select id from sync s where end_time < $1::timestamptz and not (job_type = 'PULL' and ${isLastPull}) order by end_time limit $2${engineOf(em).skipLocked.sql}`,
    [before, limit],
  );
  return rows.map(({ id }) => id);
}

/** Condition of the jobs that ended before the moment $1, of those made before the id $2, and that no pull needs. */
export const endedJob = `t.id < $2 and t.end_time < $1::timestamptz and not (${lastPull('t')})`;

/**
 * Condition of the inbox files that were pulled and are not the newest of their data model, which a full pull reads. $1 is the moment before which
 * they were uploaded.
 */
export const pulledFile = `t.created_at < $1::timestamptz
  and exists (select 1 from inbox_file n where n.company_id = t.company_id and n.data_model = t.data_model and (n.created_at, n.id) > (t.created_at, t.id))
  and exists (select 1 from sync_job j where j.company_id = t.company_id and j.data_model = t.data_model and j.job_type = 'PULL' and j.status = 'SUCCESS'
    and j.parent_job_id is null and j.start_time > t.created_at)`;

/** Empties what records keep of the source, where they last changed before a moment. Returns how many there were, a batch at most. */
export async function emptyRawData(em: EntityManager, table: string, before: string, limit: number): Promise<number> {
  const rows = await executeIn<{ count: number }>(
    em,
    `with old as (
       select t.company_id, t.ledger_id from "${table}" t where t.ledger_updated_at < $1::timestamptz and t.raw_data is not null and t.raw_data <> '{}'
       and exists (select 1 from connection n where n.company_id = t.company_id and n.keeps_raw_data and n.status <> 'DISCONNECTED') limit $2
     ), emptied as (
       update "${table}" t set raw_data = '{}' from old where t.company_id = old.company_id and t.ledger_id = old.ledger_id returning 1
     ) select count(*)::int as count from emptied`,
    [before, limit],
  );
  return rows[0]!.count;
}

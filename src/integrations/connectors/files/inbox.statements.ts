// The statements of inbox files: their content is stored, and the files of a full pull are found.
import { laterBy } from '../../../database/expression.statements.ts';
import { lockUntilCommit } from '../../../database/locks.ts';
import { type EntityManager, executeIn, type Statement } from '../../../database/open.ts';

/** Lets the files of a company be stored, and its pulls begin, one after the other. */
export const lockInbox = (em: EntityManager, companyId: number): Promise<void> => lockUntilCommit(em, `inbox ${companyId}`);

/**
 * Stores the content of a file whose row is written already; returns when it was uploaded. The ORM writes values into the text of its statements,
 * which took a second for 15 MB. Under the lock of the inbox the time is later than the start of every pull that did not see the file, whatever the
 * clocks of the processes say: the next one reads what came since that start.
 */
export async function storeContent(
  em: EntityManager,
  { id, companyId, dataModels }: { id: string; companyId: number; dataModels: readonly string[] },
  content: string,
): Promise<Date> {
  await lockInbox(em, companyId);
  const [row] = await executeIn<{ at: string | Date }>(
    em,
    `update inbox_file set records = $3, created_at = greatest(created_at, (select ${laterBy('max(start_time)', "interval '1 millisecond'")} from sync_job
       where company_id = $1::bigint and data_model = any($4::text[]) and job_type = 'PULL'))
     where company_id = $1::bigint and id = $2 returning created_at as at`,
    [companyId, id, content, dataModels],
  );
  return new Date(row!.at);
}

/**
 * The files of a data model, newest first, that together are everything: those uploaded after the last full pull that began before the newest of
 * them.
 */
export const fullSet: Statement = {
  name: 'inbox_full_set',
  text: `with newest as (select max(created_at) as at from inbox_file where company_id = $1::bigint and organisation_id = $2::bigint and (data_model = $3 or data_models ? $3))
    select f.id from inbox_file f, newest where f.company_id = $1::bigint and f.organisation_id = $2::bigint and (f.data_model = $3 or f.data_models ? $3)
      and f.created_at >= coalesce((
        select max(j.start_time) from sync s join sync_job j on j.company_id = $1::bigint and j.sync_id = s.id and j.parent_job_id is null
          and j.data_model = $3 and j.status = 'SUCCESS' and j.start_time < newest.at
        where s.company_id = $1::bigint and s.full_sync), f.created_at)
    order by f.created_at desc, f.id desc`,
};

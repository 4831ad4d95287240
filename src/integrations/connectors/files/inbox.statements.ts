// The statements of inbox files: their content is stored, and the files of a full pull are found.
import { type EntityManager, executeIn, type Statement } from '../../../database/open.ts';

/**
 * Stores the content of a file whose row is written already. The ORM writes values into the text of its statements, which took a second for 15 MB.
 */
export async function storeContent(
  em: EntityManager,
  { id, companyId }: { id: string; companyId: number },
  content: string,
): Promise<void> {
  await executeIn(em, 'update inbox_file set records = $3 where company_id = $1::bigint and id = $2', [companyId, id, content]);
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

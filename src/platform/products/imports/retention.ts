// Removes ended product imports after their retention, in batches, with the rows they refused and the file they read.
import { executeIn } from '../../../database/open.ts';
import { cutoff, type Schedule } from '../../../queue/schedules.ts';

/** Imports, and issues of refused rows, in one batch. */
const JOBS = 50;
const ISSUES = 2_000;

/** Removes ended imports whose retention has passed. A file is removed with the last import that read it. */
export const importRetention: Schedule = {
  name: 'import-sweep',
  everyMs: 86_400_000,
  async batch(em, services) {
    const before = cutoff(services, services.config.retention.importJobDays);
    if (!before) return false;
    const jobs = await executeIn<{ id: string }>(
      em,
      `select id from import_job where completed_at < $1::timestamptz order by id limit ${JOBS} for update skip locked`,
      [before],
    );
    if (jobs.length === 0) return false;
    const ids = jobs.map(({ id }) => id);
    const issues = await executeIn(
      em,
      `delete from import_fault where (job_id, "row", position) in (
         select job_id, "row", position from import_fault where job_id = any($1::text[]) limit ${ISSUES}) returning 1`,
      [ids],
    );
    if (issues.length === ISSUES) return true;
    const files = await executeIn<{ id: string }>(em, 'delete from import_job where id = any($1::text[]) returning file_id as id', [ids]);
    await executeIn(
      em,
      `with gone as (
         delete from stored_file f where id = any($1::text[]) and purpose = 'PRODUCT_IMPORT' and not exists (select 1 from import_job j where j.file_id = f.id) returning id)
       delete from file_piece where file_id in (select id from gone)`,
      [files.map(({ id }) => id)],
    );
    return jobs.length === JOBS;
  },
};

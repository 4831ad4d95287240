// Downloads behind the signed links of the platform API.
import type { Services } from '../../access/context.ts';
import { executeIn } from '../../database/open.ts';
import { organisationTransaction, systemTransaction } from '../../database/transaction.ts';
import { fileContent } from '../../files/stored-file.ts';
import { csvLine } from '../shared/csv-safety.ts';

/** A file to send. */
export interface Download {
  name: string;
  mimeType: string;
  content: AsyncIterable<string | Uint8Array>;
}

/** Rows of the error report read at a time. */
const REPORT_ROWS = 500;

/** The file behind a link whose signature was checked; undefined when it is gone. */
export async function openDownload(services: Services, kind: string, id: string): Promise<Download | undefined> {
  if (kind === 'files') return openFile(services, id);
  return kind === 'import-errors' ? openReport(services, id) : undefined;
}

async function openFile(services: Services, id: string): Promise<Download | undefined> {
  const rows = await systemTransaction(services.database, (em) =>
    executeIn<{ organisation_id: string; name: string; mime_type: string }>(
      em,
      'select organisation_id, name, mime_type from stored_file where id = $1 and adopted',
      [id],
    ),
  );
  const file = rows[0];
  return file && { name: file.name, mimeType: file.mime_type, content: fileContent(services, Number(file.organisation_id), id) };
}

async function openReport(services: Services, id: string): Promise<Download | undefined> {
  const rows = await systemTransaction(services.database, (em) =>
    executeIn<{ organisation_id: string; header: string[] }>(em, 'select organisation_id, header from import_job where id = $1', [id]),
  );
  const job = rows[0];
  return (
    job && { name: `${id}-errors.csv`, mimeType: 'text/csv', content: reportLines(services, Number(job.organisation_id), id, job.header) }
  );
}

interface ReportRow {
  row: number;
  cells: string[];
  error: string;
}

/** The refused rows as uploaded, each with its errors in one more column. */
async function* reportLines(services: Services, organisationId: number, jobId: string, header: string[]): AsyncGenerator<string> {
  yield csvLine([...header, 'error']);
  for (let after = 0; ; ) {
    const rows = await organisationTransaction(services.database, organisationId, (em) =>
      executeIn<ReportRow>(
        em,
        `select "row", (array_agg(cells order by position))[1] as cells,
           string_agg(case when column_name is null then message else column_name || ': ' || message end, '; ' order by position) as error
         from import_fault where job_id = $1 and organisation_id = $2 and "row" > $3 group by "row" order by "row" limit $4`,
        [jobId, organisationId, after, REPORT_ROWS],
      ),
    );
    for (const { cells, error } of rows) yield csvLine([...header.map((_, at) => cells[at] ?? ''), ...cells.slice(header.length), error]);
    if (rows.length < REPORT_ROWS) return;
    after = rows.at(-1)!.row;
  }
}

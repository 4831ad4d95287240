// Downloads behind the signed links of the platform API.
import type { Services } from '../../access/context.ts';
import { organisationTransaction, systemTransaction } from '../../database/transaction.ts';
import { fileContent, StoredFile } from '../../files/stored-file.ts';
import { csvLine } from '../shared/csv-safety.ts';
import { type ReportedImport, refusedRows, reportedImport } from './downloads.statements.ts';

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
  const file = await systemTransaction(services.database, (em) =>
    em.findOne(StoredFile, { id, adopted: true }, { filters: { tenant: false }, fields: ['organisationId', 'name', 'mimeType'] }),
  );
  return file ? { name: file.name, mimeType: file.mimeType, content: fileContent(services, file.organisationId, id) } : undefined;
}

async function openReport(services: Services, id: string): Promise<Download | undefined> {
  const job = await systemTransaction(services.database, (em) => reportedImport(em, id));
  return job && { name: `${id}-errors.csv`, mimeType: 'text/csv', content: reportLines(services, id, job) };
}

/** The rejected rows as uploaded, each with its errors in one more column. */
async function* reportLines(services: Services, jobId: string, { organisationId, header }: ReportedImport): AsyncGenerator<string> {
  yield csvLine([...header, 'error']);
  for (let after = 0; ; ) {
    const rows = await organisationTransaction(services.database, organisationId, (em) =>
      refusedRows(em, organisationId, jobId, after, REPORT_ROWS),
    );
    for (const { cells, error } of rows) yield csvLine([...header.map((_, at) => cells[at] ?? ''), ...cells.slice(header.length), error]);
    if (rows.length < REPORT_ROWS) return;
    after = rows.at(-1)!.row;
  }
}

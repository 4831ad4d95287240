// The statements behind the report of rejected rows; the files of imports are private to the products.
import { type EntityManager, executeIn } from '../../database/open.ts';

/** The import whose rejected rows a report lists. */
export interface ReportedImport {
  organisationId: number;
  header: string[];
}

/** The import with this id, of any organisation. */
export async function reportedImport(em: EntityManager, id: string): Promise<ReportedImport | undefined> {
  const rows = await executeIn<{ organisation: string; header: string[] }>(
    em,
    'select organisation_id as organisation, header from import_job where id = $1',
    [id],
  );
  return rows[0] && { organisationId: Number(rows[0].organisation), header: rows[0].header };
}

/** A rejected row of an import as uploaded, and its issues as one text. */
export interface RefusedRow {
  row: number;
  cells: string[];
  error: string;
}

/** The next rejected rows of an import after a line of its file. */
export const refusedRows = (
  em: EntityManager,
  organisationId: number,
  jobId: string,
  after: number,
  limit: number,
): Promise<RefusedRow[]> =>
  executeIn(
    em,
    `select "row", (array_agg(cells order by position))[1] as cells,
       string_agg(case when column_name is null then message else column_name || ': ' || message end, '; ' order by position) as error
     from import_fault where job_id = $1 and organisation_id = $2 and "row" > $3 group by "row" order by "row" limit $4`,
    [jobId, organisationId, after, limit],
  );

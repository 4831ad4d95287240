// The work of a product import: reads the file and applies it chunk by chunk. A chunk and its progress are one transaction, so that a crash neither repeats nor skips a row.

import { setImmediate } from 'node:timers/promises';
import { LockMode } from '@mikro-orm/core';
import type { Services } from '../core/context.ts';
import { type EntityManager, executeIn } from '../core/database.ts';
import { emitEvents } from '../core/events.ts';
import type { JobContext, Task } from '../core/queue.ts';
import { fileContent } from '../core/stored-file.ts';
import { organisationTransaction } from '../core/transact.ts';
import { CsvFault, type CsvRecord, csvRecords } from './csv-records.ts';
import { customsOptions } from './customs-tables.ts';
import { eventRecord } from './event-data.ts';
import { ImportJob } from './import-job.ts';
import { type ImportRow, type PreparedRows, type RefusedRow, RowChecker, tooManyCodes } from './import-rows.ts';
import { applyRows, knownCorporations, storeRefusals } from './import-statements.ts';
import { checkHeader, MAX_IMPORT_ROWS, type RowError } from './rules/product-csv.ts';

export const IMPORT_TASK = 'product-import';
const ABANDON_TASK = 'product-import-abandon';

/** Rows per transaction. On the embedded database everybody waits behind one. */
const CHUNK = 500;

interface ImportRun {
  services: Services;
  organisationId: number;
  jobId: string;
  job: JobContext;
}
interface Begun {
  corporation_id: string | null;
  file_id: string;
  header: string[];
  update_protected_columns: boolean;
  processed_rows: number;
}

const within = <T>({ services, organisationId }: ImportRun, work: (em: EntityManager) => Promise<T>): Promise<T> =>
  organisationTransaction(services.database, organisationId, work);

/** Takes the job up, for the first time or after a crash; undefined when it has ended. */
async function begin(run: ImportRun): Promise<Begun | undefined> {
  const rows = await within(run, (em) =>
    executeIn<Begun>(
      em,
      `update import_job set status = 'IN_PROGRESS', started_at = coalesce(started_at, $2::timestamptz), updated_at = $2::timestamptz
       where id = $1 and status in ('PENDING', 'IN_PROGRESS')
       returning corporation_id, file_id, header, update_protected_columns, processed_rows`,
      [run.jobId, run.services.clock.now().toISOString()],
    ),
  );
  return rows[0];
}

/** The data rows of the file. All are held at once (15 MB at most), because keys and line faults are known only over the whole file. */
async function readRecords({ services, organisationId }: ImportRun, fileId: string): Promise<CsvRecord[]> {
  const records: CsvRecord[] = [];
  let header = true;
  for await (const record of csvRecords(fileContent(services, organisationId, fileId))) {
    if (header) header = false;
    else records.push(record);
    if (records.length > MAX_IMPORT_ROWS) throw new CsvFault(record.line, `the file has more than ${MAX_IMPORT_ROWS} data rows`);
  }
  return records;
}

/** Applies prepared rows and notes the progress. False when the job was cancelled meanwhile. */
function applyChunk(run: ImportRun, begun: Begun, prepared: PreparedRows, from: number, to: number): Promise<boolean> {
  const { organisationId, jobId, services } = run;
  return within(run, async (em) => {
    const held = await executeIn<{ processed_rows: number }>(
      em,
      `select processed_rows from import_job where id = $1 and status = 'IN_PROGRESS' for update`,
      [jobId],
    );
    if (!held[0]) return false;
    if (held[0].processed_rows !== from)
      throw new Error(`import ${jobId} is at row ${held[0].processed_rows}, not ${from}: another process works on it`);
    const now = services.clock.now();
    const known = await knownCorporations(em, organisationId, [...new Set(prepared.rows.map((row) => row.corporation))]);
    const [rows, homeless] = [
      prepared.rows.filter((row) => known.has(row.corporation)),
      prepared.rows.filter((row) => !known.has(row.corporation)),
    ];
    const apply = (some: ImportRow[]) => applyRows(em, organisationId, some, now, begun.update_protected_columns);
    const first = await apply(rows);
    // A product made by another request since the look-up is found by the second look; what is missed again belongs to somebody else's source id.
    const second = await apply(first.missed.length > 0 ? rows.filter((row) => first.missed.includes(row.line)) : []);
    const refusedBy = (lines: number[], error: RowError): RefusedRow[] =>
      lines.map((line) => ({ ...prepared.records.get(line)!, errors: [error] }));
    const refused = [
      ...prepared.refused,
      ...refusedBy(
        homeless.map((row) => row.line),
        unknownCorporation,
      ),
      ...refusedBy([...second.missed, ...first.clashing, ...second.clashing], takenSource),
      ...refusedBy([...first.overfull, ...second.overfull], tooManyCodes),
    ];
    await storeRefusals(em, organisationId, jobId, refused);
    const [created, updated] = [first.created + second.created, first.updated + second.updated];
    await executeIn(
      em,
      `update import_job set processed_rows = $2, created_count = created_count + $3, updated_count = updated_count + $4,
         unchanged_count = unchanged_count + $5, failed_count = failed_count + $6, updated_at = $7::timestamptz where id = $1`,
      [jobId, to, created, updated, to - from - created - updated - refused.length, refused.length, now.toISOString()],
    );
    return true;
  });
}

const unknownCorporation: RowError = {
  column: 'corporation_id',
  code: 'NOT_FOUND',
  message: 'corporation_id names no corporation of yours',
  value: '',
};
const takenSource: RowError = {
  column: 'source_platform_id',
  code: 'DUPLICATE',
  message: 'source_platform_id belongs to another product of the corporation',
  value: '',
};

async function applyAll(run: ImportRun, begun: Begun, records: CsvRecord[]): Promise<boolean> {
  const layout = checkHeader(begun.header, begun.corporation_id);
  if (!layout.ok) throw new Error(`the header of import ${run.jobId} was accepted and is now refused`);
  const checker = new RowChecker(layout.value, await customsOptions(run.services));
  for (let at = 0; at < begun.processed_rows; at += CHUNK) {
    checker.passOver(records.slice(at, Math.min(at + CHUNK, begun.processed_rows)));
    await setImmediate();
  }
  await within(run, (em) => executeIn(em, 'update import_job set total_rows = $2 where id = $1', [run.jobId, records.length]));
  const prepare = (at: number): PreparedRows => checker.prepare(records.slice(at, at + CHUNK));
  let next = prepare(begun.processed_rows);
  for (let at = begun.processed_rows; at < records.length; at += CHUNK) {
    run.job.signal.throwIfAborted();
    const writing = applyChunk(run, begun, next, at, Math.min(at + CHUNK, records.length));
    // The next rows are checked while the database works.
    next = prepare(at + CHUNK);
    if (!(await writing)) return false;
    await setImmediate();
  }
  return true;
}

/** Ends the job by its counts, or as FAILED for a reason that concerns the whole file; completes the queue's job with it. */
function finish(run: ImportRun, fault?: { line: number; message: string }): Promise<void> {
  const { services, organisationId, jobId, job } = run;
  return within(run, async (em) => {
    const organisation = await publicIdIn(em, organisationId);
    const stored = await em.findOne(ImportJob, { id: jobId, status: 'IN_PROGRESS' } as never, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (stored) {
      const now = services.clock.now();
      if (fault) {
        const error: RowError = { column: null, code: 'INVALID_FORMAT', message: fault.message, value: '' };
        await storeRefusals(em, organisationId, jobId, [{ line: fault.line, cells: [], errors: [error] }]);
      }
      em.assign(stored, { status: endOf(stored, fault !== undefined), completedAt: now, updatedAt: now } as never);
      const topic = stored.status === 'FAILED' ? 'PRODUCTS.IMPORT.FAILED' : 'PRODUCTS.IMPORT.COMPLETED';
      const data = { ...eventRecord(ImportJob, stored), organization_id: organisation };
      await emitEvents(em, { services, organisationId, organisation }, [{ topic, data }]);
    }
    await job.completeIn(em.getTransactionContext());
  });
}

async function publicIdIn(em: EntityManager, organisationId: number): Promise<string> {
  const rows = await executeIn<{ public_id: string }>(em, 'select public_id from organisation where id = $1', [organisationId]);
  return rows[0]!.public_id;
}

function endOf(job: ImportJob, fault: boolean): ImportJob['status'] {
  if (fault || job.failedCount === job.processedRows) return 'FAILED';
  return job.failedCount > 0 ? 'COMPLETED_WITH_ERRORS' : 'COMPLETED';
}

async function runImport(run: ImportRun): Promise<void> {
  const begun = await begin(run);
  if (!begun) return;
  try {
    const records = await readRecords(run, begun.file_id);
    if (await applyAll(run, begun, records)) await finish(run);
  } catch (error) {
    if (!(error instanceof CsvFault)) throw error;
    await finish(run, error);
  }
}

/** The tasks of product imports. */
export const importTasks = (services: Services): Task<{ organisationId: number; jobId: string }>[] => [
  {
    name: IMPORT_TASK,
    // A crash counts as an attempt too, hence the high limit.
    retry: { limit: 50, delaySeconds: 1 },
    exhausted: ABANDON_TASK,
    handler: ({ organisationId, jobId }, job) => runImport({ services, organisationId, jobId, job }),
  },
  {
    name: ABANDON_TASK,
    retry: { limit: 50, delaySeconds: 60 },
    handler: ({ organisationId, jobId }, job) =>
      finish({ services, organisationId, jobId, job }, { line: 1, message: 'the import failed on our side and was given up' }),
  },
];

// The task of a product import: reads the file and applies it in chunks. A chunk and its progress are one transaction, so that a crash neither repeats nor skips a row.

import { LockMode } from '@mikro-orm/core';
import type { Services } from '../../../access/context.ts';
import { brokenConstraint } from '../../../database/errors.ts';
import type { EntityManager } from '../../../database/open.ts';
import { organisationTransaction } from '../../../database/transaction.ts';
import { emitEvents, sourceOf } from '../../../events/events.ts';
import { announceProgress } from '../../../events/progress.ts';
import type { TopicName } from '../../../events/topics.ts';
import { fileContent } from '../../../files/stored-file.ts';
import type { JobContext, Task } from '../../../queue/queue.ts';
import { shareLockCorporations } from '../../corporations/resolver.ts';
import { customsOptions } from '../../customs/customs-tables.ts';
import { CsvIssue, type CsvRecord, countRecords, csvRecords, inChunks } from '../../shared/csv-records.ts';
import { recordEvent, recordEvents } from '../../shared/event-data.ts';
import { checkHeader, MAX_IMPORT_ROWS, type RowError } from '../csv.ts';
import { Product } from '../product.ts';
import { applyRows, skusOfSources, storeRefusals } from './import.statements.ts';
import { ImportJob } from './job.ts';
import { ImportPace } from './pace.ts';
import { type PreparedRows, type RefusedRow, RowChecker, tooManyCodes } from './rows.ts';

export const IMPORT_TASK = 'product-import';
const ABANDON_TASK = 'product-import-abandon';

const CHUNK_ATTEMPTS = 5;

interface ImportRun {
  services: Services;
  organisationId: number;
  jobId: string;
  job: JobContext;
  pace: ImportPace;
}
type Begun = Pick<ImportJob, 'corporationId' | 'fileId' | 'header' | 'updateProtectedColumns' | 'processedRows'>;

/** A transaction that changes the job and notifies its subscribers. */
const within = <T>({ services, organisationId, jobId }: Omit<ImportRun, 'pace'>, work: (em: EntityManager) => Promise<T>): Promise<T> =>
  organisationTransaction(services.database, organisationId, async (em) => {
    announceProgress(em, services, jobId);
    return work(em);
  });

/** Marks the job as started, for the first time or after a crash; null when it has ended. */
const begin = (run: ImportRun): Promise<Begun | null> =>
  within(run, async (em) => {
    const where = { id: run.jobId, status: { $in: ['PENDING', 'IN_PROGRESS'] } } as const;
    const job = await em.findOne(ImportJob, where, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!job) return null;
    const now = run.services.clock.now();
    job.status = 'IN_PROGRESS';
    job.startedAt ??= now;
    job.updatedAt = now;
    return job;
  });

/** The job, locked for a change; null when it is not in progress. */
const lockRunning = (em: EntityManager, id: string): Promise<ImportJob | null> =>
  em.findOne(ImportJob, { id, status: 'IN_PROGRESS' }, { lockMode: LockMode.PESSIMISTIC_WRITE });

async function* dataRows({ services, organisationId }: ImportRun, fileId: string): AsyncGenerator<CsvRecord> {
  let header = true;
  for await (const record of csvRecords(fileContent(services, organisationId, fileId))) {
    if (!header) yield record;
    header = false;
  }
}

/** Stores the number of rows; a file with too many is rejected before any is applied. */
async function countRows(run: ImportRun, fileId: string): Promise<void> {
  const total = (await countRecords(fileContent(run.services, run.organisationId, fileId))) - 1;
  await within(run, (em) => em.nativeUpdate(ImportJob, { id: run.jobId }, { totalRows: total }));
  if (total > MAX_IMPORT_ROWS) throw new CsvIssue(1, `the file has ${total} data rows, more than ${MAX_IMPORT_ROWS}`);
}

/** Most remarks on rows that a job keeps. */
const MAX_WARNINGS = 100;

/** The remarks on the rows that were not rejected, by line. */
function warningsOf({ warnings }: PreparedRows, refused: readonly RefusedRow[]): string[] {
  const lines = new Set(refused.map(({ line }) => line));
  return [...warnings].flatMap(([line, texts]) => (lines.has(line) ? [] : texts.map((text) => `line ${line}: ${text}`)));
}

/** Applies prepared rows and stores the progress. False when the job was cancelled in the meantime. */
async function applyChunk(run: ImportRun, begun: Begun, prepared: PreparedRows, from: number, to: number): Promise<boolean> {
  const { organisationId, jobId, services } = run;
  let began = 0;
  const isApplied = await within(run, async (em) => {
    // The wait for the embedded database ends here, and does not count.
    began = performance.now();
    const stored = await lockRunning(em, jobId);
    if (!stored) return false;
    if (stored.processedRows !== from)
      throw new Error(`import ${jobId} is at row ${stored.processedRows}, not ${from}: another process works on it`);
    const now = services.clock.now();
    const known = await shareLockCorporations(em, organisationId, [...new Set(prepared.rows.map((row) => row.corporationId))]);
    const [rows, unknownCorporationRows] = [
      prepared.rows.filter((row) => known.has(row.corporationId)),
      prepared.rows.filter((row) => !known.has(row.corporationId)),
    ];
    const { created, updated, conflicting, overfull } = await applyRows(em, organisationId, rows, now, begun.updateProtectedColumns);
    const refusedBy = (lines: number[], error: RowError): RefusedRow[] =>
      lines.map((line) => ({ ...prepared.records.get(line)!, errors: [error] }));
    const refused = [
      ...prepared.refused,
      ...refusedBy(
        unknownCorporationRows.map((row) => row.line),
        unknownCorporation,
      ),
      ...refusedBy(conflicting, duplicateSource),
      ...refusedBy(overfull, tooManyCodes),
    ];
    await storeRefusals(em, organisationId, jobId, refused);
    stored.processedRows = to;
    stored.createdCount += created.length;
    stored.updatedCount += updated.length;
    stored.unchangedCount += to - from - created.length - updated.length - refused.length;
    stored.failedCount += refused.length;
    stored.warnings = [...(stored.warnings ?? []), ...warningsOf(prepared, refused)].slice(0, MAX_WARNINGS);
    stored.updatedAt = now;
    emitProducts(em, run, 'PRODUCTS.CREATED', created);
    emitProducts(em, run, 'PRODUCTS.UPDATED', updated);
    return true;
  });
  run.pace.record(to - from, performance.now() - began);
  return isApplied;
}

/** Announces the products of a chunk to streams. A webhook would get a delivery for each of up to 50,000 products; it gets the end of the job. */
function emitProducts(
  em: EntityManager,
  { services, organisationId }: ImportRun,
  topic: TopicName,
  changed: Parameters<typeof recordEvents>[5],
): void {
  const events = recordEvents(em, services, organisationId, topic, Product, changed);
  emitEvents(
    em,
    sourceOf(services, organisationId),
    events.map((event) => ({ ...event, streamsOnly: true })),
  );
}

const unknownCorporation: RowError = {
  column: 'corporation_id',
  code: 'NOT_FOUND',
  message: 'corporation_id names no corporation of your organisation',
  value: '',
};
const duplicateSource: RowError = {
  column: 'source_platform_id',
  code: 'DUPLICATE',
  message: 'source_platform_id belongs to another product of the corporation',
  value: '',
};

/** Repeats a write that violated a unique index: another request may store a product between the look-up and the insert of a chunk. */
async function withRetries<T>(write: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write();
    } catch (error) {
      const lost = ['product_sku_key', 'product_source_key'].includes(brokenConstraint(error) ?? '');
      if (!lost || attempt === CHUNK_ATTEMPTS) throw error;
    }
  }
}

/** Checks the rows that are still to apply. Of rows that an earlier run processed, only the keys are stored. */
async function* preparedRows(run: ImportRun, begun: Begun): AsyncGenerator<PreparedRows> {
  const layout = checkHeader(begun.header, begun.corporationId);
  if (!layout.ok) throw new Error(`the header of import ${run.jobId} was accepted before and is now rejected`);
  const { services, organisationId } = run;
  const checker = new RowChecker(layout.value, await customsOptions(services), (rows) =>
    organisationTransaction(services.database, organisationId, (em) => skusOfSources(em, rows)),
  );
  let behind = begun.processedRows;
  for await (const records of inChunks(dataRows(run, begun.fileId), () => run.pace.rows)) {
    await checker.rememberKeys(records.slice(0, behind));
    const ahead = records.slice(behind);
    behind = Math.max(0, behind - records.length);
    if (ahead.length > 0) yield await checker.prepare(ahead);
  }
}

/** Applies every row. False when the job was cancelled in the meantime. */
async function applyAll(run: ImportRun, begun: Begun): Promise<boolean> {
  const chunks = preparedRows(run, begun);
  // The next rows are read and checked while the database works; an error in them is thrown after the current chunk.
  const pull = (): Promise<IteratorResult<PreparedRows, void>> => {
    const pulled = chunks.next();
    pulled.catch(() => {});
    return pulled;
  };
  try {
    let at = begun.processedRows;
    for (let next = pull(); ; ) {
      const { done, value } = await next;
      if (done || !value) return true;
      run.job.signal.throwIfAborted();
      next = pull();
      const from = at;
      at += value.rows.length + value.refused.length;
      if (!(await withRetries(() => applyChunk(run, begun, value, from, at)))) return false;
      await run.pace.pause();
    }
  } finally {
    await chunks.return(undefined);
  }
}

/** Ends the job, with the issue at which the file became unreadable if there is one. Completes the queue's job in the same transaction. */
function finish(run: Omit<ImportRun, 'pace'>, issue?: { line: number; message: string }): Promise<void> {
  const { services, organisationId, jobId, job } = run;
  return within(run, async (em) => {
    const stored = await lockRunning(em, jobId);
    if (stored) {
      const now = services.clock.now();
      if (issue) {
        const error: RowError = { column: null, code: 'INVALID_FORMAT', message: issue.message, value: '' };
        await storeRefusals(em, organisationId, jobId, [{ line: issue.line, cells: [], errors: [error] }]);
      }
      em.assign(stored, { status: endOf(stored, issue !== undefined), completedAt: now, updatedAt: now });
      emitEnd(em, services, organisationId, stored);
    }
    await job.completeIn(em.getTransactionContext());
  });
}

/** The event that a job ended. One that was cancelled did not complete, whatever it applied before. */
export function emitEnd(em: EntityManager, services: Services, organisationId: number, job: ImportJob): void {
  const topic = job.status === 'FAILED' || job.status === 'CANCELLED' ? 'PRODUCTS.IMPORT.FAILED' : 'PRODUCTS.IMPORT.COMPLETED';
  const event = recordEvent(em, services, organisationId, topic, ImportJob, job.id);
  emitEvents(em, sourceOf(services, organisationId), [event]);
}

function endOf(job: ImportJob, hasIssue: boolean): ImportJob['status'] {
  if (job.failedCount === job.processedRows) return 'FAILED';
  return hasIssue || job.failedCount > 0 ? 'COMPLETED_WITH_ERRORS' : 'COMPLETED';
}

async function runImport(run: ImportRun): Promise<void> {
  const begun = await begin(run);
  if (!begun) return;
  try {
    await countRows(run, begun.fileId);
    if (await applyAll(run, begun)) await finish(run);
  } catch (error) {
    if (!(error instanceof CsvIssue)) throw error;
    await finish(run, error);
  }
}

/** The tasks of product imports. */
export const importTasks = (services: Services): Task<{ organisationId: number; jobId: string }>[] => [
  {
    name: IMPORT_TASK,
    // A crash counts as an attempt too, hence the high limit.
    retry: { limit: 50, delaySeconds: 1 },
    deadLetter: ABANDON_TASK,
    handler: ({ organisationId, jobId }, job) =>
      runImport({ services, organisationId, jobId, job, pace: new ImportPace(services.database.kind) }),
  },
  {
    name: ABANDON_TASK,
    retry: { limit: 50, delaySeconds: 60 },
    handler: ({ organisationId, jobId }, job) =>
      finish(
        { services, organisationId, jobId, job },
        { line: 1, message: 'the import was abandoned after repeated errors of the server' },
      ),
  },
];

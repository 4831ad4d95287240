// Operations on product imports: start, read, subscribe, cancel.

import { Arg, Ctx, Extensions, Field, ID, InputType, Resolver, Root, type SubscribeResolverData, Subscription } from 'type-graphql';
import { access } from '../../../access/authorise.ts';
import { type RequestContext, tenantOf } from '../../../access/context.ts';
import { transaction } from '../../../access/transaction.ts';
import { operate, reason } from '../../../administration/operator-transaction.ts';
import type { Row } from '../../../database/reader/projection.ts';
import { announceProgress, progressOf } from '../../../events/progress.ts';
import { fileContent, StoredFile, UNUSED_MS } from '../../../files/stored-file.ts';
import { argument, id, query, resolver } from '../../../graphql/declared/fields.ts';
import { recordMutation } from '../../../graphql/declared/payloads.ts';
import { listField } from '../../../graphql/declared/record-reads.ts';
import { ownRecord } from '../../../graphql/own-record.ts';
import { enqueue } from '../../../queue/queue.ts';
import { inputError, invalid } from '../../../records/errors.ts';
import { newId } from '../../../records/ids.ts';
import type { InputIssue } from '../../../records/input-issue.ts';
import { notFound } from '../../../records/not-found.ts';
import { Corporation } from '../../corporations/corporation.ts';
import { shareLockCorporation, shareLockCorporations } from '../../corporations/resolver.ts';
import { customsOptions } from '../../customs/customs-tables.ts';
import { CsvIssue, type CsvRecord, csvRecords } from '../../shared/csv-records.ts';
import { isFinal } from '../../shared/states.ts';
import { lockRecord, moveTo } from '../../shared/transitions.ts';
import { checkHeader, SAMPLED_ROWS } from '../csv.ts';
import { ImportJob } from './job.ts';
import { RowChecker } from './rows.ts';
import { emitEnd, IMPORT_TASK } from './task.ts';

@InputType({ description: 'An import of products to start.' })
@Extensions({ trims: true })
export class StartProductImportInput {
  @Field(() => ID, {
    description: 'Id of an uploaded CSV file, separated by commas, semicolons or tabs as in its header row.',
  })
  fileId!: string;
  @Field(() => ID, { nullable: true, description: 'Corporation of all rows; the column corporation_id is then optional.' })
  corporationId?: string | null;
  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether to update source_platform and source_platform_id of existing products; otherwise they apply to new products only.',
  })
  updateProtectedColumns?: boolean | null;
}

const jobProgress = {
  record: ImportJob,
  field: 'jobId',
  isOver: (status: string) => isFinal('importJobStatus', status),
};

interface Sample {
  header: string[];
  rows: CsvRecord[];
}

/** The argument that names the file; issues of its columns have it as their field. */
const FILE = 'input.fileId';

/** Reads the header and the first rows of a file; throws when they are not CSV. */
async function readSample(context: RequestContext, organisationId: number, fileId: string): Promise<Sample> {
  const records: CsvRecord[] = [];
  try {
    for await (const record of csvRecords(fileContent(context.services, organisationId, fileId))) {
      records.push(record);
      if (records.length > SAMPLED_ROWS) break;
    }
  } catch (error) {
    if (!(error instanceof CsvIssue)) throw error;
    throw invalid(FILE, `the file is not CSV: ${error.message}`, 'INVALID_FORMAT');
  }
  const [header, ...rows] = records;
  if (!header || rows.length === 0) throw invalid(FILE, 'the file has no data rows');
  return { header: header.cells, rows };
}

/** Rejects a file whose header or first rows are wrong. Returns the corporations those rows name. */
async function checkSample(context: RequestContext, { header, rows }: Sample, corporationId: string | null): Promise<string[]> {
  const layout = checkHeader(header, corporationId);
  if (!layout.ok)
    throw inputError(
      { ...layout, issues: layout.issues.map((issue) => ({ ...issue, field: FILE, column: issue.field })) },
      'CSV_HEADER_INVALID',
    );
  const prepared = await new RowChecker(layout.value, await customsOptions(context.services)).prepare(rows);
  const issues: InputIssue[] = prepared.refused.flatMap(({ line, errors }) =>
    errors.map(({ column, code, message }) => ({ field: FILE, column: column ?? 'row', code, message: `line ${line}: ${message}` })),
  );
  if (issues.length > 0) throw inputError({ issues });
  return [...new Set(prepared.rows.map((row) => row.corporationId))];
}

@Resolver()
export class ImportProgressResolver {
  @access('PLATFORM')
  @Subscription(() => ImportJob, {
    description:
      'Current state of an import, then each change; rapid changes may be combined. The final state ends the stream. JOB_NOT_FOUND if there is no such import.',
    subscribe: ({ args, context, info }: SubscribeResolverData<unknown, { jobId: string }, RequestContext>) =>
      progressOf(jobProgress, args.jobId, context, info),
  })
  importJobProgress(
    @Root() job: Row,
    @Arg('jobId', () => ID, { description: 'Id of the job.' }) _jobId: string,
    @Ctx() context: RequestContext,
  ): Row {
    context.primary = true;
    return job;
  }
}

const jobId = id('Id of the job.');

export const ImportResolver = resolver({
  importJobs: listField(ImportJob, { roles: ['PLATFORM'], description: 'The imports of the organisation, newest first.' }),
  importJob: query(() => ImportJob, { roles: ['PLATFORM'], nullable: true })(
    'Import with this id. JOB_NOT_FOUND if it does not exist.',
    { id: jobId },
    ({ id }, { context, info }) => ownRecord(context, info, ImportJob, { id }, { id, field: 'id' }),
  ),
  startProductImport: recordMutation(ImportJob, { roles: ['PLATFORM'], member: 'job' })(
    'Starts an import of products from a CSV file. The header and the first 20 rows are checked immediately; if they have an issue, no job is created.',
    { input: argument<StartProductImportInput>(() => StartProductImportInput, 'File to import, with options.') },
    async ({ input }, { context }) => {
      const { organisationId } = tenantOf(context);
      const { queue, clock } = context.services;
      const corporationId = input.corporationId || null;
      const file = await readFile(context, organisationId, input.fileId);
      if (corporationId) await transaction(context, (em) => shareLockCorporation(em, organisationId, corporationId, 'input.corporationId'));
      const sample = await readSample(context, organisationId, input.fileId);
      const named = await checkSample(context, sample, corporationId);
      const id = newId('job');
      await transaction(context, async (em) => {
        const known = await shareLockCorporations(em, organisationId, named);
        const unknown = named.find((corporation) => !known.has(corporation));
        if (unknown !== undefined) throw notFound(Corporation, unknown, corporationId ? 'input.corporationId' : 'corporationId');
        const { fileId } = input;
        const used = await em.nativeUpdate(StoredFile, { id: fileId, organisationId }, { used: true });
        if (used === 0) throw notFound(StoredFile, fileId, FILE);
        const now = clock.now();
        em.persist(
          em.create(ImportJob, {
            id,
            organisationId,
            corporationId,
            status: 'PENDING',
            fileId,
            fileName: file.name,
            header: sample.header,
            updateProtectedColumns: input.updateProtectedColumns ?? false,
            totalRows: 0,
            processedRows: 0,
            createdCount: 0,
            updatedCount: 0,
            unchangedCount: 0,
            failedCount: 0,
            createdAt: now,
            updatedAt: now,
          }),
        );
        enqueue(em, queue, IMPORT_TASK, { organisationId, jobId: id });
      });
      return { id };
    },
  ),
  cancelImportJob: recordMutation(ImportJob, { roles: ['ADMIN'], member: 'job' })(
    'Stops an import that has not ended. Applied rows stay.',
    { id: jobId, reason },
    async ({ id, reason }, { context }) => {
      const { organisationId } = await operate(context, ImportJob, { id, reason }, async (em, organisation) => {
        const now = context.services.clock.now();
        const job = await lockRecord(em, ImportJob, { id }, { id, field: 'id' });
        moveTo(job, 'status', 'importJobStatus', 'CANCELLED', now);
        job.completedAt = now;
        emitEnd(em, context.services, organisation, job);
        announceProgress(em, context.services, id);
      });
      return { id, organisationId };
    },
  ),
});

/** The CSV file to import; FILE_NOT_FOUND when it is unknown, has expired or has another purpose. */
async function readFile(context: RequestContext, organisationId: number, id: string): Promise<Pick<StoredFile, 'name'>> {
  const unusedSince = new Date(context.services.clock.now().getTime() - UNUSED_MS);
  const lives = { $or: [{ used: true }, { createdAt: { $gt: unusedSince } }] };
  const file = await transaction(context, (em) =>
    em.findOne(StoredFile, { id, organisationId, adopted: true, purpose: 'PRODUCT_IMPORT', ...lives }, { fields: ['name'] }),
  );
  if (!file) throw notFound(StoredFile, id, FILE);
  return file;
}

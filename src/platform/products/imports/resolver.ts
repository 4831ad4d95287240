// Operations on product imports: start, read, subscribe, cancel.
import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Extensions, Field, ID, Info, InputType, Mutation, Query, Resolver, Root, Subscription } from 'type-graphql';
import { access } from '../../../access/authorise.ts';
import { type RequestContext, tenantOf } from '../../../access/context.ts';
import { transaction } from '../../../access/transaction.ts';
import { reasonArgument } from '../../../administration/audit-log.ts';
import { operate } from '../../../administration/operator-transaction.ts';
import { executeIn } from '../../../database/open.ts';
import type { FieldTree } from '../../../database/reader/field-tree.ts';
import { projectionFor, propOf, type Row } from '../../../database/reader/projection.ts';
import { announceProgress, progressOf } from '../../../events/progress.ts';
import { fileContent, UNUSED_MS } from '../../../files/stored-file.ts';
import { lookAhead } from '../../../graphql/look-ahead.ts';
import { ownRecord } from '../../../graphql/own-record.ts';
import { GatewayError, inputError, invalid } from '../../../records/errors.ts';
import { newId } from '../../../records/ids.ts';
import type { InputIssue } from '../../../records/input-issue.ts';
import { modelOf } from '../../../records/metadata.ts';
import { corporationNotFound, shareLockCorporation } from '../../corporations/resolver.ts';
import { fileNotFound } from '../../files/resolver.ts';
import { CsvIssue, type CsvRecord, csvRecords } from '../../shared/csv-records.ts';
import { payloadOf, readBack } from '../../shared/payloads.ts';
import { MACHINES, type StateOf } from '../../shared/states.ts';
import { moveTo } from '../../shared/transitions.ts';
import { checkHeader, SAMPLED_ROWS } from '../csv.ts';
import { customsOptions } from '../customs-tables.ts';
import { ImportJob } from './job.ts';
import { RowChecker } from './rows.ts';
import { knownCorporations } from './statements.ts';
import { emitEnd, IMPORT_TASK } from './task.ts';

@InputType({ description: 'An import of products to start.' })
@Extensions({ trims: true })
export class StartProductImportInput {
  @Field(() => ID, {
    description: 'Uploaded CSV file. Commas, semicolons or tabs separate its cells; the header row decides which.',
  })
  fileId!: string;
  @Field(() => ID, { nullable: true, description: 'Corporation of every row; the column corporation_id may then be absent.' })
  corporationId?: string | null;
  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether source_platform and source_platform_id of existing products are changed; otherwise those columns count for new products only.',
  })
  updateProtectedColumns?: boolean | null;
}

const jobs = { table: 'import_job', noun: 'job', unknown: 'JOB_NOT_FOUND' } as const;
const jobState = { ...jobs, column: 'status', machine: 'importJobStatus' } as const;

const model = modelOf(ImportJob);
const StartPayload = payloadOf(ImportJob, 'startProductImport', 'job');
const CancelPayload = payloadOf(ImportJob, 'cancelImportJob', 'job');

const jobNotFound = (field: string): GatewayError => {
  const message = 'no such job';
  return new GatewayError('JOB_NOT_FOUND', message, { field, issues: [{ field, code: 'NOT_FOUND', message }] });
};

const jobProgress = {
  target: ImportJob,
  notFound: () => jobNotFound('jobId'),
  isOver: (status: string) => MACHINES.importJobStatus[status as StateOf<'importJobStatus'>].length === 0,
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

/** Refuses a file whose header or first rows are wrong. Returns the corporations those rows name. */
async function checkSample(context: RequestContext, { header, rows }: Sample, corporationId: string | null): Promise<string[]> {
  const layout = checkHeader(header, corporationId);
  if (!layout.ok)
    throw new GatewayError('CSV_HEADER_INVALID', layout.issues[0]!.message, {
      field: FILE,
      issues: layout.issues.map((issue) => ({ ...issue, field: FILE, column: issue.field })),
    });
  const prepared = new RowChecker(layout.value, await customsOptions(context.services)).prepare(rows);
  const issues: InputIssue[] = prepared.refused.flatMap(({ line, errors }) =>
    errors.map(({ column, code, message }) => ({ field: FILE, column: column ?? 'row', code, message: `line ${line}: ${message}` })),
  );
  if (issues.length > 0) throw inputError(issues);
  return [...new Set(prepared.rows.map((row) => row.corporation))];
}

@Resolver()
export class ImportResolver {
  @access('PLATFORM')
  @Query(() => ImportJob, { nullable: true, description: 'The import with this id. JOB_NOT_FOUND when there is none.' })
  importJob(
    @Arg('id', () => ID, { description: 'Id of the job.' }) id: string,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    return ownRecord(context, info, model, { id }, () => jobNotFound('id'));
  }

  @access('PLATFORM')
  @Subscription(() => ImportJob, {
    description:
      'The import as it is now, and again after each change. Its final state ends the stream. Changes in quick succession may arrive as one. JOB_NOT_FOUND when there is no such import.',
    subscribe: ({ args, context, info }) => progressOf(jobProgress, args?.jobId, context as RequestContext, info) as never,
  })
  importJobProgress(
    @Root() job: Row,
    @Arg('jobId', () => ID, { description: 'Id of the job.' }) _jobId: string,
    @Ctx() context: RequestContext,
  ): Row {
    context.primary = true;
    return job;
  }

  @access('PLATFORM')
  @Mutation(() => StartPayload as never, {
    description:
      'Starts an import of products from a CSV file. The header and the first 20 rows are checked at once; if they have an issue, no job is created.',
  })
  async startProductImport(
    @Arg('input', () => StartProductImportInput, { description: 'What to import.' }) input: StartProductImportInput,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    const { organisationId } = tenantOf(context);
    const { queue, clock } = context.services;
    const corporationId = input.corporationId || null;
    const file = await readFile(context, organisationId, input.fileId);
    if (corporationId) await transaction(context, (em) => shareLockCorporation(em, organisationId, corporationId, 'input.corporationId'));
    const sample = await readSample(context, organisationId, input.fileId);
    const named = await checkSample(context, sample, corporationId);
    const id = newId('job');
    await transaction(context, async (em) => {
      const known = await knownCorporations(em, organisationId, named);
      if (named.some((corporation) => !known.has(corporation)))
        throw corporationNotFound(corporationId ? 'input.corporationId' : 'corporationId');
      const used = await executeIn(em, 'update stored_file set used = true where id = $1 and organisation_id = $2 returning id', [
        input.fileId,
        organisationId,
      ]);
      if (used.length === 0) throw fileNotFound('input.fileId');
      const now = clock.now();
      const counts = { totalRows: 0, processedRows: 0, createdCount: 0, updatedCount: 0, unchangedCount: 0, failedCount: 0 };
      const values = {
        id,
        organisationId,
        corporationId,
        status: 'PENDING',
        fileId: input.fileId,
        fileName: file.name,
        header: sample.header,
      };
      em.persist(
        em.create(ImportJob, {
          ...values,
          ...counts,
          updateProtectedColumns: input.updateProtectedColumns ?? false,
          createdAt: now,
          updatedAt: now,
        } as never),
      );
      await queue.enqueue(em.getTransactionContext(), IMPORT_TASK, { organisationId, jobId: id });
    });
    return { job: await readBack(context, info, ImportJob, 'job', id) };
  }

  @access('ADMIN')
  @Mutation(() => CancelPayload as never, { description: 'Stops an import that has not ended; what was applied stays.' })
  async cancelImportJob(
    @Arg('id', () => ID, { description: 'Id of the job.' }) id: string,
    @Arg('reason', () => String, reasonArgument) reason: string | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    const { clock } = context.services;
    const { organisationId } = await operate(context, jobs, { action: 'cancelImportJob', id, reason }, async (em, organisation) => {
      const now = clock.now();
      await moveTo(em, jobState, id, 'CANCELLED', now);
      await executeIn(em, 'update import_job set completed_at = $2::timestamptz where id = $1', [id, now.toISOString()]);
      await emitEnd(em, context.services, organisation, (await em.findOne(ImportJob, { id } as never))!);
      await announceProgress(em, context.services, id);
    });
    return { job: await readJobOf(context, organisationId, id, lookAhead(info).fields.get('job')) };
  }
}

/** A job as its own organisation sees it, for operators. */
async function readJobOf(context: RequestContext, organisationId: number, id: string, tree: FieldTree | undefined): Promise<Row> {
  if (!tree) return {};
  const where = [{ prop: propOf(model, 'id'), operator: 'eq' as const, value: id }];
  return (await context.services.reader.row({
    projection: projectionFor(model, tree),
    tenant: { organisationId, companyIds: null },
    where,
    primary: true,
  }))!;
}

/** The CSV file to import; FILE_NOT_FOUND when it is unknown, has expired or has another purpose. */
async function readFile(context: RequestContext, organisationId: number, fileId: string): Promise<{ name: string }> {
  const unusedSince = new Date(context.services.clock.now().getTime() - UNUSED_MS).toISOString();
  const rows = await transaction(context, (em) =>
    executeIn<{ name: string }>(
      em,
      `select name from stored_file where id = $1 and organisation_id = $2 and adopted and purpose = 'PRODUCT_IMPORT' and (used or created_at > $3::timestamptz)`,
      [fileId, organisationId, unusedSince],
    ),
  );
  if (!rows[0]) throw fileNotFound('input.fileId');
  return rows[0];
}

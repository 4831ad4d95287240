// Product import jobs: the record, the issues of its refused rows, and their GraphQL fields.
import { Ctx, Field, FieldResolver, ID, Int, ObjectType, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../../../access/context.ts';
import { projectionOf, propOf, type Row, resolverNeeds } from '../../../database/reader/projection.ts';
import { exposeNode, Node } from '../../../graphql/node.ts';
import { derived, enumeration, flag, identifier, integer, json, ledgerNumber, moment, record, text } from '../../../records/decorators.ts';
import { defineEnum } from '../../../records/enums.ts';
import { modelOf } from '../../../records/metadata.ts';
import { signedLink } from '../../../security/signed-urls.ts';
import { ownerOf } from '../../shared/organisation.ts';

export const ImportJobStatus = defineEnum('ImportJobStatus', 'State of an import.', {
  PENDING: 'Accepted, not begun.',
  IN_PROGRESS: 'Rows are being applied.',
  COMPLETED: 'Every row was applied.',
  COMPLETED_WITH_ERRORS: 'The valid rows were applied, others were refused.',
  FAILED: 'Nothing could be read or applied.',
  CANCELLED: 'Stopped by an operator; what was applied stays.',
});

@record({
  description: 'An import of products from a CSV file.',
  scope: 'organisation',
  key: 'id',
  prefix: 'job',
  primaryKey: ['id'],
  implements: Node,
})
export class ImportJob {
  @identifier('Identifier, `job_…`.', { required: true }) id!: string;
  @ledgerNumber('Organisation that owns the job.', { required: true, hidden: true }) organisationId!: number;
  @identifier('Corporation of every row; null where the rows name theirs.') corporationId!: string | null;
  @derived(
    () => String,
    'What is imported: PRODUCT.',
    [],
    () => 'PRODUCT',
  )
  entity!: string;
  @derived(
    () => String,
    'What the job does: IMPORT.',
    [],
    () => 'IMPORT',
  )
  operation!: string;
  @enumeration(ImportJobStatus, 'State of the import.', { required: true }) status!: keyof typeof ImportJobStatus.values;
  @identifier('File that is imported.', { required: true }) fileId!: string;
  @text('Name of that file.', { required: true }) fileName!: string;
  @flag('Whether source_platform and source_platform_id of existing products are changed.', { required: true })
  updateProtectedColumns!: boolean;
  @integer('Data rows of the file; 0 until they are counted.', { required: true }) totalRows!: number;
  @integer('Rows processed so far: created, updated, unchanged and failed together.', { required: true }) processedRows!: number;
  @integer('Products created.', { required: true }) createdCount!: number;
  @integer('Products changed.', { required: true }) updatedCount!: number;
  @integer('Rows whose product already had the same values.', { required: true }) unchangedCount!: number;
  @integer('Rows refused.', { required: true }) failedCount!: number;
  @json('Header cells of the file.', { required: true, hidden: true }) header!: string[];
  @moment('When it was accepted.', { required: true }) createdAt!: string;
  @moment('When work on it began.') startedAt!: string | null;
  @moment('When it ended.') completedAt!: string | null;
  @moment('When it last changed.', { required: true }) updatedAt!: string;
}
exposeNode('ImportJob', 'PLATFORM');

@record({
  description: 'One issue of one row of an import.',
  scope: 'organisation',
  key: 'jobId',
  prefix: 'import_fault',
  primaryKey: ['jobId', 'row', 'position'],
  internal: true,
  table: 'import_fault',
})
export class ImportRowIssue {
  @identifier('Job.', { required: true }) jobId!: string;
  @integer('Line of the row in the file, the header being 1.', { required: true }) row!: number;
  @integer('Place among the issues of the row.', { required: true }) position!: number;
  @ledgerNumber('Organisation.', { required: true }) organisationId!: number;
  @text('Column with the issue; null when the whole row has it.') columnName!: string | null;
  @text('Kind of issue.', { required: true }) code!: string;
  @text('What is wrong.', { required: true }) message!: string;
  @text('The cell, at most 100 characters.', { required: true }) value!: string;
  @json('All cells of the row, with its first issue.') cells!: string[] | null;
}

@ObjectType({ description: 'Why a row of an import was refused.', simpleResolvers: true })
export class ImportRowError {
  @Field(() => Int, { description: 'Line of the row in the file, the header being 1.' }) row!: number;
  @Field(() => String, { nullable: true, description: 'Column with the issue; null when the whole row has it.' }) column!: string | null;
  @Field(() => String, { description: 'Kind of issue.' }) code!: string;
  @Field(() => String, { description: 'What is wrong.' }) message!: string;
  @Field(() => String, { description: 'The cell, at most 100 characters.' }) value!: string;
}

/** How long the links of a job work; each read of the job creates new ones. */
const LINK_MS = 15 * 60_000;
const SHOWN_ERRORS = 100;
const DOWNLOADS = '/api/v1/downloads';

const issueModel = modelOf(ImportRowIssue);
const issueProjection = projectionOf(issueModel, ['row', 'columnName', 'code', 'message', 'value']);
const needs = { organizationId: 'organisationId', sourceFileUrl: 'fileId', errorReportUrl: 'failedCount', errors: 'organisationId' };
for (const [field, prop] of Object.entries(needs)) resolverNeeds('ImportJob', field, ['id', prop]);

@Resolver(() => ImportJob)
export class ImportJobFields {
  @FieldResolver(() => ID, { description: 'Organisation the job belongs to.' })
  organizationId(@Root() job: { organisationId: number }, @Ctx() context: RequestContext): string | Promise<string> {
    return ownerOf(context, job);
  }

  @FieldResolver(() => String, { description: 'Link to the file; works for 15 minutes.' })
  sourceFileUrl(@Root() job: { fileId: string }, @Ctx() context: RequestContext): string {
    return signedLink(context.services, `${DOWNLOADS}/files/${job.fileId}`, LINK_MS);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'Link to a CSV file of the refused rows, each with its errors; works for 15 minutes. Null when none was refused.',
  })
  errorReportUrl(@Root() job: { id: string; failedCount: number }, @Ctx() context: RequestContext): string | null {
    return job.failedCount === 0 ? null : signedLink(context.services, `${DOWNLOADS}/import-errors/${job.id}`, LINK_MS);
  }

  @FieldResolver(() => [ImportRowError], { description: 'Why rows were refused: the first 100 issues, by line.' })
  async errors(@Root() job: { id: string; organisationId: number }, @Ctx() context: RequestContext): Promise<Row[]> {
    const rows = await context.services.reader.rows({
      projection: issueProjection,
      tenant: { organisationId: job.organisationId, companyIds: null },
      where: [{ prop: propOf(issueModel, 'jobId'), operator: 'eq', value: job.id }],
      order: ['row', 'position'].map((name) => ({ prop: propOf(issueModel, name), descending: false })),
      limit: SHOWN_ERRORS,
      primary: context.primary,
    });
    return rows.map(({ columnName, ...row }) => ({ ...row, column: columnName }));
  }
}

// Product import jobs: the record, the issues of its rejected rows, and their GraphQL fields.

import type { Opt } from '@mikro-orm/core';
import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, Field, FieldResolver, ID, Info, Int, ObjectType, Resolver, Root } from 'type-graphql';
import { type RequestContext, scopeOf } from '../../../access/context.ts';
import { ordersOf } from '../../../database/reader/conditions.ts';
import { needs, projectionOf, type Row } from '../../../database/reader/projection.ts';
import { StoredFile } from '../../../files/stored-file.ts';
import { byGroup, LevelLoaders } from '../../../graphql/level-loaders.ts';
import { Node } from '../../../graphql/node.ts';
import {
  belongsTo,
  derived,
  enumeration,
  flag,
  identifier,
  integer,
  json,
  ledgerNumber,
  list,
  moment,
  record,
  text,
} from '../../../records/decorators.ts';
import { defineEnum } from '../../../records/enums.ts';
import { modelOf, propOf } from '../../../records/metadata.ts';
import { URLScalar } from '../../../records/scalars.ts';
import { showsSecret } from '../../../records/schema-extensions.ts';
import { signedLink } from '../../../security/signed-urls.ts';
import { Corporation } from '../../corporations/corporation.ts';
import { ownerOf } from '../../shared/organisation.ts';

export const ImportJobStatus = defineEnum('ImportJobStatus', 'State of an import.', {
  PENDING: 'Accepted, not started.',
  IN_PROGRESS: 'Rows are being applied.',
  COMPLETED: 'Every row was applied.',
  COMPLETED_WITH_ERRORS: 'The valid rows were applied; others were rejected.',
  FAILED: 'No row could be read or applied.',
  CANCELLED: 'Stopped by an operator; applied rows stay.',
});

@record({
  description: 'An import of products from a CSV file.',
  scope: 'organisation',
  key: 'id',
  prefix: 'job',
  notFound: 'JOB_NOT_FOUND',
  indexes: [
    { name: 'import_job_list', columns: 'organisation_id, created_at, id' },
    { name: 'import_job_corporation', columns: 'corporation_id, created_at, id' },
    { name: 'import_job_file', columns: 'file_id, id' },
  ],
  node: { roles: ['PLATFORM'] },
  implements: Node,
})
export class ImportJob {
  @identifier('Identifier, `job_…`.', { required: true }) id!: string;
  @ledgerNumber('Organisation that owns the job.', { required: true, hidden: true }) organisationId!: number;
  @identifier('Corporation of all rows; null if each row names one.') corporationId!: string | null;
  @derived(
    () => String,
    'What is imported: PRODUCT.',
    [],
    () => 'PRODUCT',
  )
  entity!: Opt<string>;
  @derived(
    () => String,
    'What the job does: IMPORT.',
    [],
    () => 'IMPORT',
  )
  operation!: Opt<string>;
  @enumeration(ImportJobStatus, 'State of the import.', { required: true }) status!: keyof typeof ImportJobStatus.values;
  @identifier('`id` of the uploaded file.', { required: true }) fileId!: string;
  @text('Name of the upload, such as products.csv.', { required: true }) fileName!: string;
  @flag('Whether source_platform and source_platform_id of existing products are updated.', { required: true })
  updateProtectedColumns!: boolean;
  @integer('Number of data rows in the file; 0 until counted.', { required: true }) totalRows!: number;
  @integer('Number of processed rows: created, updated, unchanged and failed.', { required: true }) processedRows!: number;
  @integer('Products created.', { required: true }) createdCount!: number;
  @integer('Products updated.', { required: true }) updatedCount!: number;
  @integer('Rows without a change.', { required: true }) unchangedCount!: number;
  @integer('Number of rejected rows.', { required: true }) failedCount!: number;
  @list(() => String, 'Warnings about applied rows, such as customs codes outside the lists: the first 100, sorted by line.')
  warnings!: string[] | null;
  @json('Header cells of the file.', { required: true, hidden: true }) header!: string[];
  @moment('When it was accepted.', { required: true }) createdAt!: Date;
  @moment('When processing started.') startedAt!: Date | null;
  @moment('When it ended.') completedAt!: Date | null;
  @moment('When it last changed.', { required: true }) updatedAt!: Date;
  @belongsTo(() => Corporation, 'corporationId', { shown: 'Corporation that owns the products.', inverse: 'importJobs' })
  corporation?: Corporation;
  @belongsTo(() => StoredFile, 'fileId', { shown: 'File that was uploaded.', inverse: 'importJobs' }) file?: StoredFile;
}

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
  @integer('Line of the row in the file; the header is line 1.', { required: true }) row!: number;
  @integer('Place among the issues of the row.', { required: true }) position!: number;
  @ledgerNumber('Organisation.', { required: true }) organisationId!: number;
  @text('Column with the issue; null if it concerns the whole row.') columnName!: string | null;
  @text('Kind of issue.', { required: true }) code!: string;
  @text('One sentence for people.', { required: true }) message!: string;
  @text('Value of the cell, up to 100 characters.', { required: true }) value!: string;
  @json('All cells of the row, with its first issue.') cells!: string[] | null;
}

@ObjectType({ description: 'Reason that a row of an import was rejected.', simpleResolvers: true })
export class ImportRowError {
  @Field(() => Int, { description: 'Line of the row in the file; the header is line 1.' }) row!: number;
  @Field(() => String, { nullable: true, description: 'Column with the issue; null if it concerns the whole row.' }) column!: string | null;
  @Field(() => String, { description: 'Kind of issue.' }) code!: string;
  @Field(() => String, { description: 'One sentence for people.' }) message!: string;
  @Field(() => String, { description: 'Value of the cell, up to 100 characters.' }) value!: string;
}

/** How long the links of a job work; each read of the job creates new ones. */
const LINK_MS = 15 * 60_000;
const SHOWN_ERRORS = 100;
const DOWNLOADS = '/api/v1/downloads';

/** The shown errors of jobs. */
const errorsOfJobs = new LevelLoaders<{ id: string; organisationId: number }, Row[]>('import_errors', (context, _info, jobs) => {
  const model = modelOf(ImportRowIssue);
  const projection = projectionOf(model, ['row', 'columnName', 'code', 'message', 'value']);
  const order = ordersOf(model, { by: ['row', 'position'] });
  return byGroup(
    jobs,
    (job) => job.organisationId,
    async (group) => {
      const scope = scopeOf(context, group[0]!.organisationId);
      const parents = { props: [propOf(model, 'jobId')], values: group.map(({ id }) => [id]) };
      const found = await context.services.reader.rowsOfEach({ ...scope, projection, where: [], order, limit: SHOWN_ERRORS }, parents);
      return found.map((rows) => rows.map(({ columnName, ...row }) => ({ ...row, column: columnName })));
    },
  );
});

@Resolver(() => ImportJob)
export class ImportJobFields {
  @needs(ImportJob, 'organisationId')
  @FieldResolver(() => ID, { description: 'Organisation the job belongs to.' })
  organizationId(
    @Root() job: { organisationId: number },
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): string | Promise<string> {
    return ownerOf(context, info, job);
  }

  @needs(ImportJob, 'fileId')
  @showsSecret
  @FieldResolver(() => URLScalar, { description: 'Link to the file, valid for 15 minutes.' })
  sourceFileUrl(@Root() job: { fileId: string }, @Ctx() context: RequestContext): string {
    return signedLink(context.services, `${DOWNLOADS}/files/${job.fileId}`, LINK_MS);
  }

  @needs(ImportJob, 'failedCount')
  @showsSecret
  @FieldResolver(() => URLScalar, {
    nullable: true,
    description: 'Link to a CSV file of the rejected rows with their errors, valid for 15 minutes. Null if none was rejected.',
  })
  errorReportUrl(@Root() job: { id: string; failedCount: number }, @Ctx() context: RequestContext): string | null {
    return job.failedCount === 0 ? null : signedLink(context.services, `${DOWNLOADS}/import-errors/${job.id}`, LINK_MS);
  }

  @needs(ImportJob, 'organisationId')
  @FieldResolver(() => [ImportRowError], { description: 'Reasons of rejected rows: the first 100 issues, sorted by line.' })
  errors(
    @Root() job: { id: string; organisationId: number },
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row[]> {
    return errorsOfJobs.load(context, info, job);
  }
}

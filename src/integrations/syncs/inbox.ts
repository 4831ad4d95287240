// The inbox of a company: uploaded CSV and JSON files, and the connector that pulls records from them. It needs no account with a vendor.
import { parse } from 'csv-parse/sync';
import { Arg, Ctx, Field, Mutation, ObjectType, Resolver } from 'type-graphql';
import { access } from '../../access/authorise.ts';
import { type RequestContext, type Services, tenantOf } from '../../access/context.ts';
import { transaction } from '../../access/transaction.ts';
import { executeIn } from '../../database/open.ts';
import { type Projection, projectionOf, propOf } from '../../database/reader/projection.ts';
import { delimiterOf } from '../../files/csv-delimiter.ts';
import { discardUpload, fileContent, Upload, type UploadValue } from '../../files/stored-file.ts';
import { enumeration, identifier, integer, ledgerNumber, moment, record, text } from '../../records/decorators.ts';
import { GatewayError, invalid } from '../../records/errors.ts';
import { newId } from '../../records/ids.ts';
import { modelOf } from '../../records/metadata.ts';
import { PositiveInt } from '../../records/scalars.ts';
import { companyOf, connectedCompany } from '../companies/company.ts';
import { DataModel } from '../ledger/enums.ts';
import type { Connector, ConnectorCompany, PullRequest, SourceRecord } from './connector.ts';

@record({
  description: "A file of records in a company's inbox, for the next pull.",
  scope: 'organisation',
  companyColumn: 'company_id',
  key: 'id',
  prefix: 'import',
  primaryKey: ['id'],
  indexes: [{ name: 'inbox_file_company', columns: 'company_id, data_model, created_at' }],
})
export class InboxFile {
  @identifier('Identifier.', { required: true }) id!: string;
  @ledgerNumber('Organisation that owns the file.', { required: true, hidden: true }) organisationId!: number;
  @ledgerNumber('Company whose records it holds.', { required: true }) companyId!: number;
  @enumeration(DataModel, 'Data model of its records.', { required: true }) dataModel!: string;
  @text('Name the file was uploaded under.') fileName!: string | null;
  @integer('Records in it.', { required: true }) recordCount!: number;
  @text('Its records, as JSON text.', { required: true, hidden: true }) records!: string;
  @moment('When it was uploaded.', { required: true }) createdAt!: string;
}

@ObjectType({ description: 'Result of `importRecords`.', simpleResolvers: true })
export class ImportRecordsPayload {
  @Field(() => InboxFile, { description: 'The file in the inbox.' }) file!: InboxFile;
}

/** Most records of one file. */
export const MOST_INBOX_RECORDS = 50_000;
const PAGE = 500;
/** Longest CSV row, in characters. */
const MOST_ROW = 1_048_576;

/** The records of a file: a JSON array (or an object with `data`), otherwise CSV with a header row. */
export function parseRecords(content: string): SourceRecord[] {
  const trimmed = content.replace(/^\ufeff/, '').trimStart();
  const records = /^[[{]/.test(trimmed) ? jsonRecords(trimmed) : csvRecords(trimmed);
  if (records.length === 0) throw invalid('file', 'file has no records', 'REQUIRED');
  if (records.length > MOST_INBOX_RECORDS)
    throw new GatewayError('BATCH_LIMIT_EXCEEDED', `file has ${records.length} records, more than ${MOST_INBOX_RECORDS}`, {
      field: 'file',
    });
  return records;
}

function jsonRecords(content: string): SourceRecord[] {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    throw invalid('file', 'file is neither well-formed JSON nor CSV', 'INVALID_FORMAT');
  }
  const list = Array.isArray(value) ? value : (value as { data?: unknown }).data;
  if (!Array.isArray(list) || list.some((entry) => typeof entry !== 'object' || entry === null || Array.isArray(entry))) {
    throw invalid('file', 'file must contain an array of records, or an object with such an array as data', 'INVALID_TYPE');
  }
  return list as SourceRecord[];
}

function csvRecords(content: string): SourceRecord[] {
  try {
    const rows = parse(content, {
      delimiter: delimiterOf(content.slice(0, MOST_ROW)).delimiter,
      skip_empty_lines: true,
      max_record_size: MOST_ROW,
    }) as string[][];
    const [header = [], ...rest] = rows;
    const repeated = header.find((name, index) => header.indexOf(name) !== index);
    if (repeated !== undefined)
      throw new GatewayError('CSV_HEADER_INVALID', `column ${JSON.stringify(repeated.slice(0, 60))} occurs twice`, { field: 'file' });
    return rest.map((cells) => Object.fromEntries(header.map((name, index) => [name.trim(), cells[index] === '' ? null : cells[index]])));
  } catch (error) {
    if (error instanceof GatewayError) throw error;
    throw invalid('file', `file is not well-formed CSV: ${(error as Error).message.slice(0, 200)}`, 'INVALID_FORMAT');
  }
}

@Resolver()
export class InboxResolver {
  @access('INTEGRATIONS')
  @Mutation(() => ImportRecordsPayload, {
    description: "Puts a file of records into the company's inbox; the next pull reads it.",
  })
  async importRecords(
    @Arg('companyId', () => PositiveInt, { description: 'Company whose records they are.' }) companyId: number,
    @Arg('dataModel', () => DataModel.values, { description: 'Data model of the records.' }) dataModel: string,
    @Arg('file', () => Upload, {
      description:
        'The file: CSV with a header row of REST field names, its cells separated by commas, semicolons or tabs, or a JSON array of records.',
    })
    file: UploadValue,
    @Arg('fileName', () => String, { nullable: true, description: 'Name of the file.' }) fileName: string | null,
    @Ctx() context: RequestContext,
  ): Promise<{ file: Partial<InboxFile> }> {
    await companyOf(context, companyId);
    const { organisationId } = tenantOf(context);
    const records = parseRecords(await textOf(context.services, organisationId, file));
    const name = fileName ?? ('fileId' in file ? file.name : null);
    const row = {
      id: newId('import'),
      companyId,
      dataModel,
      fileName: name?.slice(0, 255) ?? null,
      recordCount: records.length,
      createdAt: context.services.clock.now().toISOString(),
    };
    await transaction(context, async (em) => {
      await connectedCompany(em, organisationId, companyId);
      await executeIn(
        em,
        `insert into inbox_file (id, organisation_id, company_id, data_model, file_name, record_count, records, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8::timestamptz)`,
        [row.id, organisationId, companyId, dataModel, row.fileName, records.length, JSON.stringify(records), row.createdAt],
      );
    });
    // The records are in the inbox now, so the uploaded bytes are no longer needed.
    if ('fileId' in file) await discardUpload(context.services, organisationId, file.fileId);
    return { file: row };
  }
}

/** The text of an upload. */
async function textOf(services: Services, organisationId: number, file: UploadValue): Promise<string> {
  if ('text' in file) return file.text;
  const pieces: Uint8Array[] = 'bytes' in file ? [file.bytes] : await Array.fromAsync(fileContent(services, organisationId, file.fileId));
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces));
  } catch {
    throw invalid('file', 'file must be UTF-8 text', 'INVALID_FORMAT');
  }
}

const listed = projectionOf(modelOf(InboxFile), ['id', 'dataModel', 'createdAt']);
const full = projectionOf(modelOf(InboxFile), ['records']);

/**
 * Pulls from uploaded files. A changes-only pull reads the files uploaded since the last one, in the order of their upload; a full pull reads
 * only the newest file of the data model and takes it for everything that the source has.
 */
export class InboxConnector implements Connector {
  readonly #services: Services;

  constructor(services: Services) {
    this.#services = services;
  }

  async dataModels(company: ConnectorCompany): Promise<string[]> {
    const rows = await this.#files(listed, company);
    return [...new Set(rows.map((row) => row.dataModel as string))];
  }

  async *pull({ company, dataModel, since }: PullRequest): AsyncGenerator<SourceRecord[]> {
    const files = await this.#files(listed, company);
    const own = files.filter((file) => file.dataModel === dataModel);
    const wanted = since ? own.filter((file) => (file.createdAt as string) >= since.toISOString()) : own.slice(-1);
    for (const { id } of wanted) {
      const [file] = await this.#files(full, company, id as string);
      const records = JSON.parse(file!.records as string) as SourceRecord[];
      for (let start = 0; start < records.length; start += PAGE) yield records.slice(start, start + PAGE);
    }
  }

  #files(projection: Projection, company: ConnectorCompany, id?: string) {
    const model = modelOf(InboxFile);
    return this.#services.reader.rows({
      projection,
      tenant: { organisationId: company.organisationId, companyIds: null },
      where: [
        { prop: propOf(model, 'companyId'), operator: 'eq', value: company.ledgerId },
        ...(id === undefined ? [] : [{ prop: propOf(model, 'id'), operator: 'eq' as const, value: id }]),
      ],
      order: [
        { prop: propOf(model, 'createdAt'), descending: false },
        { prop: propOf(model, 'id'), descending: false },
      ],
      primary: true,
    });
  }
}

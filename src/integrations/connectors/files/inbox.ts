// The inbox of a company: uploaded CSV and JSON files, and the connector that pulls records from them. It needs no account with a vendor.
import { pipeline } from 'node:stream/promises';
import { setImmediate as others } from 'node:timers/promises';
import { parse } from 'csv-parse';
import { Arg, Ctx, Field, Mutation, ObjectType, Resolver } from 'type-graphql';
import { access } from '../../../access/authorise.ts';
import { type ReadScope, type RequestContext, type Services, tenantOf } from '../../../access/context.ts';
import { requireQuota } from '../../../access/quotas.ts';
import { transaction } from '../../../access/transaction.ts';
import { DataModel } from '../../../events/data-model.ts';
import { delimiterOf } from '../../../files/csv-delimiter.ts';
import { discardUpload, fileContent, Upload, type UploadValue } from '../../../files/stored-file.ts';
import { RecordArg } from '../../../graphql/input-types.ts';
import { Node } from '../../../graphql/node.ts';
import { parseSourceJson } from '../../../json/exact-json.ts';
import { parseInPieces } from '../../../json/pieces.ts';
import { belongsTo, enumeration, identifier, integer, ledgerNumber, moment, record, text } from '../../../records/decorators.ts';
import { GatewayError, invalid } from '../../../records/errors.ts';
import { newId } from '../../../records/ids.ts';
import type { StoredRecord } from '../../../records/metadata.ts';
import { Company, companyOf, connectedCompany } from '../../companies/company.ts';
import { sourcedModels } from '../../ledger/ledger-record.ts';
import type { Connector, ConnectorCompany, ConnectorDefinition, PullRequest, SourcePage, SourceRecord } from '../connector.ts';
import { fullSet, storeRecords } from './inbox.statements.ts';

@record({
  description: 'A file of records in the inbox of a company, for the next pull.',
  scope: 'organisation',
  companyColumn: 'company_id',
  key: 'id',
  prefix: 'import',
  primaryKey: ['id', 'companyId'],
  indexes: [
    { name: 'inbox_file_company', columns: 'company_id, data_model, created_at' },
    { name: 'inbox_file_organisation', columns: 'organisation_id' },
  ],
  node: { roles: ['INTEGRATIONS'] },
  implements: Node,
})
export class InboxFile {
  @identifier('Unique id.', { required: true }) id!: string;
  @ledgerNumber('Organisation that owns the file.', { required: true, hidden: true }) organisationId!: number;
  @ledgerNumber('Company that owns the records.', { required: true }) companyId!: number;
  @belongsTo(() => Company, 'companyId', { to: 'ledgerId', within: true, shown: 'The company.', inverse: 'inboxFiles' }) company?: Company;
  @enumeration(DataModel, 'Data model of its records.', { required: true }) dataModel!: string;
  @text('Name of the uploaded file.') fileName!: string | null;
  @integer('Number of records in the file.', { required: true }) recordCount!: number;
  @text('Its records, as JSON text.', { required: true, hidden: true }) records!: string;
  @integer('Bytes of its records.', { required: true, hidden: true, columnDefault: '0' }) size!: number;
  @moment('When it was uploaded.', { required: true }) createdAt!: Date;
}

@ObjectType({ description: 'Result of `importRecords`.', simpleResolvers: true })
export class ImportRecordsPayload {
  @Field(() => InboxFile, { description: 'File in the inbox.' }) file!: InboxFile;
}

/** Most records of one file. */
export const MAX_INBOX_RECORDS = 50_000;
const PAGE = 500;
/** Characters that are parsed at a time: ten milliseconds of work. */
const PIECE = 32_768;
/** Longest CSV row, in characters. */
const MAX_ROW = 1_048_576;

/** The records of a file: a JSON array (or an object with `data`), otherwise CSV with a header row. Large ones are parsed in pieces. */
async function parseRecords(content: string): Promise<SourceRecord[]> {
  const trimmed = content.replace(/^\ufeff/, '').trimStart();
  const records = /^[[{]/.test(trimmed) ? await jsonRecords(trimmed) : await csvRecords(trimmed);
  if (records.length === 0) throw invalid('file', 'file has no records', 'REQUIRED');
  if (records.length > MAX_INBOX_RECORDS)
    throw new GatewayError('BATCH_LIMIT_EXCEEDED', `file has more than ${MAX_INBOX_RECORDS} records`, { field: 'file' });
  return records;
}

async function jsonRecords(content: string): Promise<SourceRecord[]> {
  let value: SourceRecord | SourceRecord[];
  try {
    value = (await parseInPieces(content, parseSourceJson)) as SourceRecord | SourceRecord[];
  } catch {
    throw invalid('file', 'file is neither well-formed JSON nor CSV', 'INVALID_FORMAT');
  }
  const list: unknown = Array.isArray(value) ? value : value.data;
  if (!Array.isArray(list) || list.some((entry) => typeof entry !== 'object' || entry === null || Array.isArray(entry))) {
    throw invalid('file', 'file must contain an array of records, or an object with such an array as data', 'INVALID_TYPE');
  }
  return list;
}

/** A text in pieces, after each of which the process does other work. */
async function* piecesOf(text: string): AsyncGenerator<string> {
  for (let start = 0; start < text.length; start += PIECE) {
    yield text.slice(start, start + PIECE);
    await others();
  }
}

/** The records of a CSV file; one more than there may be where it has more. */
async function csvRecords(content: string): Promise<SourceRecord[]> {
  const records: SourceRecord[] = [];
  let header: string[] | undefined;
  const readRow = (cells: string[]): boolean => {
    if (!header) header = columnsOf(cells);
    else records.push(Object.fromEntries(header.map((name, index) => [name, cells[index] === '' ? null : cells[index]])));
    return records.length <= MAX_INBOX_RECORDS;
  };
  try {
    const { delimiter } = delimiterOf(content.slice(0, MAX_ROW));
    const rules = { delimiter, skip_empty_lines: true, skip_records_with_empty_values: true, max_record_size: MAX_ROW };
    await pipeline(piecesOf(content), parse(rules), async (rows: AsyncIterable<string[]>) => {
      for await (const cells of rows) if (!readRow(cells)) break;
    });
  } catch (error) {
    if (error instanceof GatewayError) throw error;
    throw invalid('file', `file is not well-formed CSV: ${(error as Error).message.slice(0, 200)}`, 'INVALID_FORMAT');
  }
  return records;
}

/** The columns of a header row. */
function columnsOf(cells: readonly string[]): string[] {
  const columns = new Set<string>();
  for (const cell of cells) {
    const name = cell.trim().toLowerCase();
    if (columns.has(name))
      throw new GatewayError('CSV_HEADER_INVALID', `column ${JSON.stringify(name.slice(0, 60))} occurs twice`, { field: 'file' });
    columns.add(name);
  }
  return [...columns];
}

/** Records as JSON text, written a page at a time. */
async function textOfRecords(records: readonly SourceRecord[]): Promise<string> {
  const pages: string[] = [];
  for (let start = 0; start < records.length; start += PAGE) {
    pages.push(JSON.stringify(records.slice(start, start + PAGE)).slice(1, -1));
    await others();
  }
  return `[${pages.join(',')}]`;
}

@Resolver()
export class InboxResolver {
  @access('INTEGRATIONS')
  @Mutation(() => ImportRecordsPayload, {
    description: 'Puts a file of records into the inbox of the company. The next pull reads it.',
  })
  async importRecords(
    @RecordArg('companyId', () => Company, { description: 'Company that owns the records.' }) companyId: number,
    @Arg('dataModel', () => DataModel.values, { description: 'Data model of the records.' }) dataModel: string,
    @Arg('file', () => Upload, {
      description:
        'CSV with a header row of REST field names and cells separated by commas, semicolons or tabs, or a JSON array of records. References are ids of the source: `contact_id` is the `platform_id` of a contact.',
    })
    file: UploadValue,
    @Arg('fileName', () => String, { nullable: true, description: 'Name of the file.' }) fileName: string | null,
    @Ctx() context: RequestContext,
  ): Promise<{ file: StoredRecord<InboxFile, 'id' | 'companyId' | 'dataModel' | 'fileName' | 'recordCount' | 'createdAt'> }> {
    await companyOf(context, companyId);
    const { organisationId } = tenantOf(context);
    const records = await parseRecords(await textOf(context.services, organisationId, file));
    const text = await textOfRecords(records);
    const name = fileName ?? ('fileId' in file ? file.name : null);
    const row = { id: newId('import'), companyId, dataModel, fileName: name?.slice(0, 255) ?? null, recordCount: records.length };
    const createdAt = context.services.clock.now();
    await transaction(context, async (em) => {
      await requireQuota(em, context.services.config, organisationId, 'megabytes');
      await connectedCompany(em, organisationId, companyId);
      em.create(InboxFile, { ...row, organisationId, records: '[]', size: Buffer.byteLength(text), createdAt });
      await em.flush();
      await storeRecords(em, row, text);
    });
    // The records are in the inbox now, so the uploaded bytes are no longer needed.
    if ('fileId' in file) await discardUpload(context.services, organisationId, file.fileId);
    return { file: { ...row, createdAt: createdAt.toISOString() } };
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

/** The source of companies whose records come as files. */
export const FILES = 'FILES';

/** The inbox as a source that companies can be connected to, which needs no settings. */
export const inbox = (services: Services): ConnectorDefinition => ({
  source: FILES,
  title: 'Files',
  settings: [],
  capabilities: sourcedModels().map((dataModel) => ({ dataModel, pull: true, push: false })),
  open: ({ company }) => new InboxConnector(services, company),
});

/** The data models that the inbox of each company has files of. All companies are of one organisation. */
export async function inboxModels(services: Services, companies: readonly ConnectorCompany[]): Promise<string[][]> {
  const files = Map.groupBy(await inboxFiles(services, companies), (file) => file.companyId);
  return companies.map(({ ledgerId }) => [...new Set(files.get(ledgerId)?.map((file) => file.dataModel))]);
}

/**
 * Pulls from uploaded files. A changes-only pull reads the files uploaded since the last one, in the order of their upload. A full pull takes the
 * files uploaded since the last full one, or those of that one where there are no others, together for everything that the source has; of
 * several records with one id it takes that of the newest file.
 */
export class InboxConnector implements Connector {
  readonly isTyped = true;
  readonly #services: Services;
  readonly #company: ConnectorCompany;

  constructor(services: Services, company: ConnectorCompany) {
    this.#services = services;
    this.#company = company;
  }

  async check(): Promise<void> {}

  async *pull({ dataModel, since, isFull }: PullRequest): AsyncGenerator<SourcePage> {
    const seen = new Set<string>();
    for (const id of await this.#files(dataModel, since, isFull)) {
      const where = { companyId: this.#company.ledgerId, id };
      const file = await this.#services.reader.one(InboxFile, where, ['records'], scopeOf(this.#company));
      const all = (await parseInPieces(file!.records, JSON.parse)) as SourceRecord[];
      const records = isFull ? all.filter((entry) => !seen.has(String(entry.platform_id))) : all;
      if (isFull) for (const { platform_id: known } of all) if (known != null) seen.add(String(known));
      for (let start = 0; start < records.length; start += PAGE) yield { records: records.slice(start, start + PAGE) };
    }
  }

  /** The files of a pull, in the order in which they are read. */
  async #files(dataModel: string, since: Date | null, isFull: boolean): Promise<string[]> {
    const { organisationId, ledgerId } = this.#company;
    if (isFull)
      return (await this.#services.database.read(fullSet, [String(ledgerId), String(organisationId), dataModel])).map(([id]) => id!);
    const from = since?.toISOString() ?? '';
    const own = await inboxFiles(this.#services, [this.#company]);
    return own.filter((file) => file.dataModel === dataModel && file.createdAt >= from).map(({ id }) => id);
  }
}

function inboxFiles(
  { reader }: Services,
  companies: readonly ConnectorCompany[],
): Promise<StoredRecord<InboxFile, 'id' | 'companyId' | 'dataModel' | 'createdAt'>[]> {
  const where = { companyId: { in: companies.map(({ ledgerId }) => ledgerId) } };
  const select = ['id', 'companyId', 'dataModel', 'createdAt'] as const;
  return reader.find(InboxFile, { where, order: { by: ['createdAt'] } }, select, scopeOf(companies[0]!));
}

const scopeOf = ({ organisationId }: ConnectorCompany): ReadScope => ({ tenant: { organisationId, companyIds: null } });

// Reads an uploaded file: finds its kind and its mapping, and yields the records of its data models with their places in the file.
import type { GraphQLSchema } from 'graphql';
import { digestOf } from '../../../json/digest.ts';
import { GatewayError, invalid } from '../../../records/errors.ts';
import { sourcedModels } from '../../ledger/ledger-record.ts';
import type { SourceRecord } from '../connector.ts';
import type { Mapping, Repeated } from '../programs/mapping.ts';
import type { MappingRun } from '../programs/mapping-run.ts';
import { checkColumns } from './field-columns.ts';
import { type FileKindName, kindOf } from './file-kind.ts';
import { type MappedStream, namesOf, recognized, streamsOf } from './file-mappings.ts';
import { type FileRow, fileRows, groupedRows } from './file-rows.ts';
import { BOOK_MODELS, openBook } from './gnucash/records.ts';
import { camtStatements } from './statements/camt.ts';
import { mt940Statements } from './statements/mt940.ts';
import { ofxStatements } from './statements/ofx.ts';
import { checkBalance, recordsOf, STATEMENT_MODELS, type Statement } from './statements/statement.ts';

/** A record of a file with why it is rejected, or why its row makes none. */
export type FileRecord = { place: string; dataModel: string } & (
  | { record: SourceRecord; error?: GatewayError }
  | { record?: undefined; error: GatewayError }
);

/** Files whose format says what their records are. */
interface Format {
  /** What such a file has, in errors. */
  what: string;
  /** The main one last. */
  dataModels: readonly string[];
  read(text: string): Promise<{ count: number; records(dataModel: string): Iterable<{ place: string; record: SourceRecord }> }>;
}

const statements = (read: (text: string) => Promise<Statement[]>): Format => ({
  what: 'bank statements',
  dataModels: STATEMENT_MODELS,
  async read(text) {
    const found = await read(text);
    for (const statement of found) await checkBalance(statement);
    if (found.length === 0) throw invalid('file', 'file has no bank statement', 'REQUIRED');
    return {
      count: found.reduce((total, { transactions }) => total + transactions.length, 0),
      records: (dataModel) => recordsOf(found, dataModel),
    };
  },
});

const formats: Partial<Record<FileKindName, Format>> = {
  OFX: statements(ofxStatements),
  CAMT_053: statements(camtStatements),
  MT940: statements(mt940Statements),
  GNUCASH: { what: 'a book of GnuCash', dataModels: BOOK_MODELS, read: openBook },
};

/** What a file is read with. */
export interface ReadingOptions {
  schema: GraphQLSchema;
  /** Data model of its records, whose fields are its columns; null where its content says what they are. */
  dataModel: string | null;
  /** The mapping of the connection. */
  mapping: Mapping | undefined;
}

/** The error of a row that its mapping makes nothing of. A retry would meet it again, unlike an error of a program. */
const unmapped = (error: unknown, place: string): GatewayError => {
  if (!(error instanceof GatewayError)) throw error;
  return invalid('file', `${place}: ${error.message}`);
};

/** A file that is known. */
export interface KnownFile {
  kind: FileKindName;
  /** Title of the mapping that makes its records; null without one. */
  title: string | null;
  /** The data models of its records, the main one last. */
  dataModels: readonly string[];
  /** Its records of a data model, or of all of them. Throws for a file that is damaged. */
  records(dataModel?: string): AsyncGenerator<FileRecord>;
  /** How many rows, records or transactions it has. Throws for a file that is damaged, or that has none. */
  count(): Promise<number>;
}

/** Finds what a text is and how it is read. Throws for a text of another kind, and for columns that are not known. */
export async function openFile(text: string, options: ReadingOptions): Promise<KnownFile> {
  const kind = kindOf(text);
  const format = formats[kind];
  if (format) return formatFile(kind, options, format, text);
  const rows = (names: (column: string) => string) => fileRows(text, kind as 'CSV' | 'JSON', names);
  if (options.dataModel !== null) return plainFile(kind, options, options.dataModel, rows);
  const columns = await columnsOf(rows((column) => column));
  return mappedFile(kind, recognized(columns, streamsOf(options.mapping)), rows);
}

const withoutRecords = (): GatewayError => invalid('file', 'file has no records', 'REQUIRED');

/** The columns of a file, or the members of its first record. */
async function columnsOf(rows: AsyncGenerator<FileRow>): Promise<string[]> {
  for await (const { data } of rows) return Object.keys(data);
  throw withoutRecords();
}

async function counted(rows: AsyncIterable<unknown>): Promise<number> {
  let count = 0;
  for await (const _ of rows) count++;
  if (count === 0) throw withoutRecords();
  return count;
}

/** The ids of a file, each with the content and the place of the record that counts. Of records of an id that differ, all but one would be lost. */
class MetIds {
  readonly #records = new Map<string, { place: string; content: string }>();
  readonly #counts: Repeated | undefined;

  /** `counts` says which of such records counts. Without it, all but the first are rejected. */
  constructor(counts?: Repeated) {
    this.#counts = counts;
  }

  /** Whether a record counts, or why it is rejected. */
  meet(id: string, record: object, place: string): boolean | GatewayError {
    const content = digestOf(record, 'base64url');
    const known = this.#records.get(id);
    if (known?.content === content || (known && this.#counts === 'first')) return false;
    if (known && this.#counts === undefined)
      return invalid('file', `${place}: platform_id ${JSON.stringify(id.slice(0, 60))} is that of ${known.place} as well`, 'DUPLICATE');
    this.#records.set(id, { place, content });
    return true;
  }
}

/**
 * How many rows a file has. Throws for two of one record that differ. The content of rows is compared where an id is met twice: a digest of each of
 * 49,000 rows took 15 MB and half a second.
 */
async function countUnrepeated(all: () => AsyncIterable<FileRow>): Promise<number> {
  const idOf = ({ data }: FileRow): string | undefined => (data.platform_id == null ? undefined : String(data.platform_id));
  const [met, repeated] = [new Set<string>(), new Set<string>()];
  async function* meeting(): AsyncGenerator<FileRow> {
    for await (const row of all()) {
      const id = idOf(row);
      if (id !== undefined) (met.has(id) ? repeated : met).add(id);
      yield row;
    }
  }
  const count = await counted(meeting());
  if (repeated.size === 0) return count;
  const ids = new MetIds();
  for await (const row of all()) {
    const id = idOf(row);
    const counts = id === undefined || !repeated.has(id) || ids.meet(id, row.data, row.place);
    if (counts instanceof GatewayError) throw counts;
  }
  return count;
}

/** A file whose columns are the fields of a data model. */
function plainFile(
  kind: FileKindName,
  { schema }: ReadingOptions,
  dataModel: string,
  rows: (names: (column: string) => string) => AsyncGenerator<FileRow>,
): KnownFile {
  const pulled = sourcedModels();
  if (!pulled.includes(dataModel))
    throw invalid('dataModel', `${dataModel} records are not pulled alone; use one of ${pulled.join(', ')}`, 'INVALID_VALUE');
  const all = () => rows((column) => column.toLowerCase());
  return {
    kind,
    title: null,
    dataModels: [dataModel],
    async *records() {
      for await (const { place, data } of all()) yield { place, dataModel, record: data as SourceRecord };
    },
    async count() {
      if (kind === 'CSV') checkColumns(schema, dataModel, await columnsOf(all()));
      return countUnrepeated(all);
    },
  };
}

/** A file whose records a mapping makes. */
function mappedFile(
  kind: FileKindName,
  { mapping, stream, form }: MappedStream,
  rows: (names: (column: string) => string) => AsyncGenerator<FileRow>,
): KnownFile {
  const dataModels = mapping.dataModelsOf(stream);
  const all = () => (form.group === undefined ? rows(namesOf(form)) : groupedRows(rows(namesOf(form)), form.group));
  return {
    kind,
    title: mapping.title,
    dataModels,
    async *records(only) {
      const run = mapping.open();
      const wanted = (only === undefined ? dataModels : [only]).map(
        (dataModel) => [dataModel, new MetIds(form.repeated[dataModel])] as const,
      );
      try {
        for await (const row of all())
          for (const [dataModel, ids] of wanted) yield* countedRecords(mappedRecords(run, dataModel, stream, row), ids);
      } finally {
        await run.close();
      }
    },
    count: () => counted(all()),
  };
}

async function* mappedRecords(run: MappingRun, dataModel: string, stream: string, { place, data }: FileRow): AsyncGenerator<FileRecord> {
  try {
    const { records } = await run.apply(dataModel, stream, data);
    for (const record of records) yield { place, dataModel, record };
  } catch (error) {
    yield { place, dataModel, error: unmapped(error, place) };
  }
}

/** Rows repeat what they share, such as an account: its record counts once. */
async function* countedRecords(entries: AsyncIterable<FileRecord>, ids: MetIds): AsyncGenerator<FileRecord> {
  for await (const entry of entries) {
    const counts = entry.record === undefined || ids.meet(String(entry.record.platform_id), entry.record, entry.place);
    if (counts instanceof GatewayError) yield { ...entry, error: counts };
    else if (counts) yield entry;
  }
}

function formatFile(kind: FileKindName, { dataModel: asked }: ReadingOptions, { what, dataModels, read }: Format, text: string): KnownFile {
  if (asked !== null && !dataModels.includes(asked))
    throw invalid('dataModel', `the file has ${what}, whose records are ${dataModels.join(', ')}, and no ${asked}`);
  const wanted = asked === null ? dataModels : [asked];
  return {
    kind,
    title: null,
    dataModels: wanted,
    async *records(only) {
      const { records } = await read(text);
      for (const dataModel of only === undefined ? wanted : [only])
        for (const { place, record } of records(dataModel)) yield { place, dataModel, record };
    },
    count: async () => (await read(text)).count,
  };
}

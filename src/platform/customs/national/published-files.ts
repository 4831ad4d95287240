// Reads national tariffs in their published forms: the CSV and JSON of the United States, the CSV and RDF/XML of the Combined Nomenclature, and the
// CSV of the United Kingdom.
import { csvRecords } from '../../shared/csv-records.ts';
import { jsonObjects } from './json-objects.ts';
import { rdfConcepts } from './rdf-concepts.ts';
import { TariffFileIssue } from './tariff-file-issue.ts';

/** A code of the file that is longer than six digits. */
export interface PublishedCode {
  line: number;
  code: string;
  description: string;
}

/** A row by the names of its columns, in lower case. */
type PublishedRow = Readonly<Record<string, string>>;

/** A published layout: the columns by which it is recognised, and how its rows name codes. */
interface Layout {
  columns: readonly string[];
  /** The code as written; null for a row without one, such as a heading between two codes. `day` is the first day of the version. */
  codeOf(row: PublishedRow, day: string): string | null;
}

/** A code of the United Kingdom has ten digits; where others are under it, the pairs of zeros at its end have no meaning. */
const significant = (code: string): string => code.replace(/(?:00)+$/, '');

/** A code that is not the Roman numeral of a section. */
const numbered = (code: string): string | null => (/^[IVX]+$/.test(code) ? null : code);

const LAYOUTS: readonly Layout[] = [
  // U.S. International Trade Commission, Harmonized Tariff Schedule, export as CSV, and as JSON.
  { columns: ['hts number', 'indent', 'description'], codeOf: (row) => row['hts number']! },
  { columns: ['htsno', 'indent', 'description'], codeOf: (row) => row.htsno! },
  // HM Revenue and Customs, Online Trade Tariff, report of commodities. Suffixes other than 80 mark headings between codes.
  {
    columns: ['commodity code', 'product line suffix', 'description', 'end date', 'end line'],
    codeOf: (row, day) => {
      if (row['product line suffix'] !== '80' || (row['end date'] && row['end date'] < day)) return null;
      return row['end line'] === '1' ? row['commodity code']! : significant(row['commodity code']!);
    },
  },
  // Eurostat, Combined Nomenclature, download as CSV. Sections have Roman numerals. Of two columns `Code` the first has the codes.
  { columns: ['level', 'code', 'parent', 'description'], codeOf: (row) => numbered(row.code!) },
  // Publications Office of the European Union, EU Vocabularies, Combined Nomenclature as SKOS in RDF/XML.
  { columns: ['notation', 'description'], codeOf: (row) => numbered(row.notation!) },
];

const INTERNATIONAL_LENGTH = 6;
const LENGTHS = { least: 2, most: 13 };
const MAX_DESCRIPTION = 4_000;

/** A description without the marks of its place: leading hyphens, the colon before what is under it, typographic tags and control characters. */
const plain = (description: string): string =>
  description
    .replace(/<\/?[a-z]+>/gi, '')
    .replace(/^[\s-]+|[\s:]+$/g, '')
    .replace(/[\p{Cc}\s]+/gu, ' ');

/** The codes longer than six digits, in the order of the file. TariffFileIssue or CsvIssue at the first line that is not as published. */
export async function* publishedCodes(source: AsyncIterable<Uint8Array>, day: string): AsyncGenerator<PublishedCode> {
  let layout: Layout | undefined;
  for await (const { line, row } of rowsOf(source)) {
    layout ??= layoutOf(line, row);
    const written = layout.codeOf(row, day)?.trim();
    if (!written) continue;
    const code = written.replace(/[. ]/g, '');
    if (!/^[0-9]+$/.test(code) || code.length < LENGTHS.least || code.length > LENGTHS.most)
      throw new TariffFileIssue(
        line,
        `${JSON.stringify(written.slice(0, 40))} is not a code of ${LENGTHS.least} to ${LENGTHS.most} digits`,
      );
    if (code.length <= INTERNATIONAL_LENGTH) continue;
    const description = plain(row.description!);
    if (description === '') throw new TariffFileIssue(line, `${written} has no description`);
    if (description.length > MAX_DESCRIPTION)
      throw new TariffFileIssue(line, `the description of ${written} has more than ${MAX_DESCRIPTION} characters`);
    yield { line, code, description };
  }
}

function layoutOf(line: number, row: PublishedRow): Layout {
  const found = LAYOUTS.find(({ columns }) => columns.every((column) => column in row));
  if (found) return found;
  const known = LAYOUTS.map(({ columns }) => columns.join(', ')).join('; or ');
  throw new TariffFileIssue(line, `the columns are not those of a published tariff: ${known}`);
}

/** The rows of a file: RDF/XML begins with `<`, JSON with `[`, and everything else is CSV. */
async function* rowsOf(source: AsyncIterable<Uint8Array>): AsyncGenerator<{ line: number; row: PublishedRow }> {
  const pieces = source[Symbol.asyncIterator]();
  const first = await pieces.next();
  async function* content(): AsyncGenerator<Uint8Array> {
    try {
      if (!first.done) yield first.value;
      yield* { [Symbol.asyncIterator]: () => pieces };
    } finally {
      await pieces.return?.();
    }
  }
  const start = first.done ? '' : new TextDecoder().decode(first.value).trimStart();
  if (start.startsWith('<')) for await (const { line, value } of rdfConcepts(content())) yield { line, row: { ...value } };
  else if (start.startsWith('['))
    for await (const { line, value } of jsonObjects(content()))
      yield { line, row: Object.fromEntries(Object.entries(value).map(([name, text]) => [name.toLowerCase(), String(text ?? '')])) };
  else yield* csvRows(content());
}

async function* csvRows(source: AsyncIterable<Uint8Array>): AsyncGenerator<{ line: number; row: PublishedRow }> {
  let header: string[] | undefined;
  for await (const { line, cells } of csvRecords(source)) {
    if (!header) {
      header = cells.map((cell) => cell.trim().toLowerCase());
      layoutOf(line, Object.fromEntries(header.map((name) => [name, ''])));
      continue;
    }
    if (cells.length < header.length) throw new TariffFileIssue(line, `the row has ${cells.length} cells, the header has ${header.length}`);
    const row: Record<string, string> = {};
    for (const [at, name] of header.entries()) row[name] ??= cells[at]!.trim();
    yield { line, row };
  }
}

// Reads CSV by RFC 4180 from a stream, with the line each record begins at. Cells are separated as the header row separates them.
import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { type CsvDelimiter, delimiterOf } from '../../files/csv-delimiter.ts';

/** A record and the line it begins at; the first line of a file is 1. */
export interface CsvRecord {
  line: number;
  cells: string[];
}

/** A file that is not CSV from some line on. */
export class CsvIssue extends Error {
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/** Longest record in characters; an opening quote without its partner would otherwise swallow the rest of the file. */
const MAX_RECORD = 100_000;
const LINE_BREAK = /\r\n|\n|\r/g;

const breaksIn = (cell: string): number => (cell.includes('\n') || cell.includes('\r') ? cell.match(LINE_BREAK)!.length : 0);

/** A file and its delimiter: its first pieces are read up to the end of the header row, and come again with the others. */
async function opened(source: AsyncIterable<Uint8Array>): Promise<{ delimiter: CsvDelimiter; content: AsyncIterable<Uint8Array> }> {
  const pieces = source[Symbol.asyncIterator]();
  const decoder = new TextDecoder();
  const first: Uint8Array[] = [];
  let head = '';
  let found = delimiterOf(head);
  while (!found.isWhole && head.length <= MAX_RECORD) {
    const { value, done } = await pieces.next();
    if (done) break;
    first.push(value);
    head += decoder.decode(value, { stream: true });
    found = delimiterOf(head);
  }
  async function* content(): AsyncGenerator<Uint8Array> {
    try {
      yield* first;
      yield* { [Symbol.asyncIterator]: () => pieces };
    } finally {
      await pieces.return?.();
    }
  }
  return { delimiter: found.delimiter, content: content() };
}

/** The records of a file; lines that are empty or hold one empty quoted cell are left out. */
export async function* csvRecords(source: AsyncIterable<Uint8Array>): AsyncGenerator<CsvRecord> {
  const { delimiter, content } = await opened(source);
  const parser = parse({
    bom: true,
    delimiter,
    relax_column_count: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    max_record_size: MAX_RECORD,
  });
  const input = Readable.from(content);
  input.on('error', (error) => parser.destroy(error));
  input.pipe(parser);
  let line = 1;
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      const begins = line;
      line += 1;
      for (const cell of cells) line += breaksIn(cell);
      if (cells.length > 1 || cells[0] !== '') yield { line: begins, cells };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const what =
      error.code === 'CSV_MAX_RECORD_SIZE' ? `a row has more than ${MAX_RECORD} characters` : 'a quote is misplaced or not closed';
    throw new CsvIssue(line, `line ${line}: ${what}`);
  } finally {
    input.destroy();
  }
}

const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * Counts the records that `csvRecords` finds, without reading their cells: 50,000 rows take milliseconds where parsing takes half a second.
 * A line that holds nothing but one pair of quotes is as empty as one that holds nothing.
 */
export async function countRecords(source: AsyncIterable<Uint8Array>): Promise<number> {
  let [records, quotes, isFilled] = [0, 0, false];
  const end = (): void => {
    if (isFilled || quotes > 2) records++;
    [quotes, isFilled] = [0, false];
  };
  for await (const piece of source) {
    for (const byte of piece) {
      if (byte === QUOTE) quotes++;
      else if (quotes % 2 === 0 && (byte === LINE_FEED || byte === CARRIAGE_RETURN)) end();
      else isFilled = true;
    }
  }
  end();
  return records;
}

/** Records in groups of the size asked for as each one ends. Those before an issue come before it. */
export async function* inGroups(records: AsyncIterable<CsvRecord>, size: () => number): AsyncGenerator<CsvRecord[]> {
  let group: CsvRecord[] = [];
  let issue: CsvIssue | undefined;
  try {
    for await (const record of records) {
      group.push(record);
      if (group.length < size()) continue;
      yield group;
      group = [];
    }
  } catch (error) {
    if (!(error instanceof CsvIssue)) throw error;
    issue = error;
  }
  if (group.length > 0) yield group;
  if (issue) throw issue;
}

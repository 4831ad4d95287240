// Reads CSV (RFC 4180) from a stream, with the line each record begins at. The header row decides the delimiter.
import type { TransformOptions } from 'node:stream';
import { finished } from 'node:stream/promises';
import { CsvError, type Options, parse } from 'csv-parse';
import { type CsvDelimiter, delimiterOf } from '../../files/csv-delimiter.ts';
import { owned } from '../../runtime/owned.ts';

/** A record and the line it begins at; the first line of a file is 1. */
export interface CsvRecord {
  line: number;
  cells: string[];
}

/** Thrown at the first line that is not CSV. */
export class CsvIssue extends Error {
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/** Longest record in characters; an opening quote without a closing one would otherwise swallow the rest of the file. */
const MAX_RECORD = 100_000;
const LINE_BREAK = /\r\n|\n|\r/g;

const breaksIn = (cell: string): number => (cell.includes('\n') || cell.includes('\r') ? cell.match(LINE_BREAK)!.length : 0);

/** Reads the header row to find the delimiter. `content` yields the whole file, including the pieces already read. */
async function detectDelimiter(
  source: AsyncIterable<Uint8Array>,
): Promise<{ delimiter: CsvDelimiter; content: AsyncIterable<Uint8Array> }> {
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

/** What an empty cell holds: nothing, or blanks of ASCII, which `countRecords` knows from bytes as well. */
const EMPTY_CELL = /^[ \t\r\n]*$/;

/** The records of a file. Rows whose cells are all empty are skipped: spreadsheets write them for rows that were cleared. */
export async function* csvRecords(source: AsyncIterable<Uint8Array>, maxRecord = MAX_RECORD): AsyncGenerator<CsvRecord> {
  const { delimiter, content } = await detectDelimiter(source);
  const options: Options & TransformOptions = {
    bom: true,
    delimiter,
    relax_column_count: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    max_record_size: maxRecord,
    // A stream that destroys itself at an error drops the records it holds by then, which are good.
    autoDestroy: false,
  };
  const parser = owned(parse(options));
  let line = 1;
  function* parsed(): Generator<CsvRecord> {
    for (let cells: string[] | null = parser.read(); cells !== null; cells = parser.read()) {
      const begins = line;
      line += 1;
      for (const cell of cells) line += breaksIn(cell);
      if (!cells.every((cell) => EMPTY_CELL.test(cell))) yield { line: begins, cells };
    }
  }
  for await (const piece of content) {
    parser.write(piece);
    yield* parsed();
    if (parser.errored) break;
  }
  if (!parser.errored) {
    parser.end();
    await finished(parser, { readable: false }).catch(() => {});
    yield* parsed();
  }
  const error = parser.errored;
  if (!error) return;
  if (!(error instanceof CsvError)) throw error;
  const what = error.code === 'CSV_MAX_RECORD_SIZE' ? `a row has more than ${maxRecord} characters` : 'a quote is misplaced or not closed';
  throw new CsvIssue(line, `line ${line}: ${what}`);
}

const SPACE = 0x20;
const TAB = 0x09;
const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/**
 * Counts the records that `csvRecords` finds, without reading their cells: 50,000 rows take milliseconds where parsing takes half a second.
 * Like `csvRecords`, it skips rows whose cells are all empty.
 */
export async function countRecords(source: AsyncIterable<Uint8Array>): Promise<number> {
  const { delimiter, content } = await detectDelimiter(source);
  const separator = delimiter.charCodeAt(0);
  let [records, quotes, isFilled, at] = [0, 0, false, 0];
  const endCell = (): void => {
    // More than one pair of quotes is text that holds a quote.
    isFilled ||= quotes > 2;
    quotes = 0;
  };
  const end = (): void => {
    endCell();
    if (isFilled) records++;
    isFilled = false;
  };
  for await (const piece of content) {
    for (const byte of piece) {
      if (byte === BYTE_ORDER_MARK[at++]) continue;
      if (byte === QUOTE) quotes++;
      else if (quotes % 2 === 0 && (byte === LINE_FEED || byte === CARRIAGE_RETURN)) end();
      else if (quotes % 2 === 0 && byte === separator) endCell();
      else if (byte !== SPACE && byte !== TAB && byte !== LINE_FEED && byte !== CARRIAGE_RETURN) isFilled = true;
    }
  }
  end();
  return records;
}

/** Splits records into chunks; `size` is called for each record. Records before a CsvIssue are yielded before it is thrown. */
export async function* inChunks(records: AsyncIterable<CsvRecord>, size: () => number): AsyncGenerator<CsvRecord[]> {
  let chunk: CsvRecord[] = [];
  let issue: CsvIssue | undefined;
  try {
    for await (const record of records) {
      chunk.push(record);
      if (chunk.length < size()) continue;
      yield chunk;
      chunk = [];
    }
  } catch (error) {
    if (!(error instanceof CsvIssue)) throw error;
    issue = error;
  }
  if (chunk.length > 0) yield chunk;
  if (issue) throw issue;
}

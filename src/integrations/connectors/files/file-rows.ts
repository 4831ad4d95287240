// The rows of an uploaded CSV or JSON file, each with its place in the file.

import { parseWritten, RepeatedName } from '../../../json/exact-json.ts';
import { parseInPieces } from '../../../json/pieces.ts';
import { CsvIssue, csvRecords } from '../../../platform/shared/csv-records.ts';
import { isPlainObject } from '../../../records/checked.ts';
import { GatewayError, invalid } from '../../../records/errors.ts';
import { MAX_ENTRIES } from '../../../records/input-rules.ts';
import { joined } from '../../../runtime/joined.ts';
import { others } from '../../../runtime/others.ts';
import type { JsonObject } from '../programs/protocol.ts';

/** A row or record of a file. */
export interface FileRow {
  /** Where it is: `line 17` of CSV, `record 3` of JSON. */
  place: string;
  data: JsonObject;
}

/** Characters that are parsed before the process does other work: ten milliseconds of work. */
const PIECE = 32_768;
/** Longest CSV row, in characters: a cell may hold the lines of a journal entry as JSON. */
const MAX_ROW = 1_048_576;

/** A text as bytes in pieces, after each of which the process does other work. */
async function* piecesOf(text: string): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < text.length; ) {
    // A pair of surrogates is one character of UTF-8.
    const isHalf = /[\ud800-\udbff]/.test(text[start + PIECE - 1] ?? '');
    const end = start + PIECE + (isHalf ? 1 : 0);
    yield Buffer.from(text.slice(start, end));
    start = end;
    await others();
  }
}

const headerError = (message: string): GatewayError => new GatewayError('CSV_HEADER_INVALID', message, { field: 'file' });

/** A cell without the blanks around it, which some programs pad columns with; null where nothing is left. */
const cellOf = (cell: string | undefined): string | null => cell?.trim() || null;

/** The columns of a header row. Spreadsheets write nameless columns after the last. */
function columnsOf(cells: readonly string[], names: (column: string) => string): string[] {
  const columns = new Set<string>();
  const named = cells.map((cell) => cell.trim());
  while (named.at(-1) === '') named.pop();
  for (const [index, cell] of named.entries()) {
    const name = names(cell);
    if (name === '') throw headerError(`line 1: column ${index + 1} has no name`);
    if (columns.has(name)) throw headerError(`line 1: column ${JSON.stringify(name.slice(0, 60))} occurs twice`);
    columns.add(name);
  }
  return [...columns];
}

/** The rows of a CSV file; `names` gives the name of a column by its header cell. */
async function* csvRows(text: string, names: (column: string) => string): AsyncGenerator<FileRow> {
  let columns: string[] | undefined;
  try {
    for await (const { line, cells } of csvRecords(piecesOf(text), MAX_ROW)) {
      if (!columns) {
        // Excel may write its delimiter into a line of its own.
        if (/^sep=.?$/i.test(cells.join('').trim()) && cells.length <= 2) continue;
        columns = columnsOf(cells, names);
        continue;
      }
      const extra = cells.slice(columns.length).find((cell) => cell.trim() !== '');
      if (extra !== undefined) throw invalid('file', `line ${line}: the row has more cells than the header has columns`, 'INVALID_FORMAT');
      if (cells.length < columns.length)
        throw invalid(
          'file',
          `line ${line}: the row has ${cells.length} cells, and the header has ${columns.length} columns`,
          'INVALID_FORMAT',
        );
      yield { place: `line ${line}`, data: Object.fromEntries(columns.map((name, index) => [name, cellOf(cells[index])])) };
    }
  } catch (error) {
    if (error instanceof CsvIssue) throw invalid('file', `file is not well-formed CSV: ${error.message}`, 'INVALID_FORMAT');
    throw error;
  }
}

async function* jsonRows(text: string): AsyncGenerator<FileRow> {
  let value: unknown;
  try {
    value = await parseInPieces(await joined(await Array.fromAsync(piecesOf(text))), (piece, names) =>
      parseWritten(piece, undefined, names),
    );
  } catch (error) {
    const problem = error instanceof RepeatedName ? error.message : 'file is neither well-formed JSON nor CSV';
    throw invalid('file', problem, 'INVALID_FORMAT');
  }
  const list = isPlainObject(value) ? value.data : value;
  if (!Array.isArray(list))
    throw invalid('file', 'file must contain an array of records, or an object with such an array as data', 'INVALID_TYPE');
  for (const [index, data] of list.entries()) {
    if (!isPlainObject(data)) throw invalid('file', `record ${index + 1} must be an object`, 'INVALID_TYPE');
    yield { place: `record ${index + 1}`, data: data as JsonObject };
  }
}

/** The rows of a file, without rows whose cells are all empty. */
export const fileRows = (text: string, kind: 'CSV' | 'JSON', names: (column: string) => string): AsyncGenerator<FileRow> =>
  kind === 'JSON' ? jsonRows(text) : csvRows(text.replace(/^\ufeff/, ''), names);

/** Joins adjacent rows that have the same value in a column, or none. The result has the data of the first row, and all of them as `rows`. */
export async function* groupedRows(rows: AsyncIterable<FileRow>, column: string): AsyncGenerator<FileRow> {
  const met = new Set<string>();
  let group: (FileRow & { data: JsonObject }) | undefined;
  let members: JsonObject[] = [];
  let current: string | undefined;
  const whole = (): FileRow[] => (group ? [{ place: group.place, data: { ...group.data, rows: members } }] : []);
  for await (const row of rows) {
    const value = row.data[column];
    const key = value === null || value === undefined ? current : String(value);
    if (key === undefined) throw invalid('file', `${row.place}: ${column} is empty`, 'REQUIRED');
    if (key === current) {
      if (members.length === MAX_ENTRIES)
        throw invalid(
          'file',
          `${row.place}: ${column} ${JSON.stringify(key.slice(0, 60))} has more than ${MAX_ENTRIES} rows`,
          'OUT_OF_RANGE',
        );
      members.push(row.data);
      continue;
    }
    yield* whole();
    if (met.has(key))
      throw invalid(
        'file',
        `${row.place}: ${column} ${JSON.stringify(key.slice(0, 60))} occurs again after other rows; sort the file by it`,
        'INVALID_VALUE',
      );
    met.add(key);
    [group, members, current] = [row, [row.data], key];
  }
  yield* whole();
}

// Reads the tables of an SQLite database by its file format (sqlite.org/fileformat2.html). No SQL runs, so views, triggers and expressions of the file do nothing.

import { invalid } from '../../../../records/errors.ts';
import { others } from '../../../../runtime/others.ts';

/** The first bytes of a database. */
export const SQLITE_START = 'SQLite format 3\u0000';

/** The beginning of a database in base64. */
const BASE64_START = Buffer.from(SQLITE_START).toString('base64').slice(0, 20);

/** Whether a text is a database in base64, as which it is stored. */
export const isSqlite = (text: string): boolean => text.startsWith(BASE64_START);

/** A row of a table: its place in the file, and its values as text. */
export interface Row {
  place: string;
  /** Null where the table has no such column too. */
  get(column: string): string | null;
}

interface Table {
  name: string;
  root: number;
  /** The positions of its columns. */
  columns: ReadonlyMap<string, number>;
}

/** The first page begins with the header of the file. */
const HEADER = 100;
/** Kinds of pages: rows of a table, and pages below. */
const LEAF = 0x0d;
const INTERIOR = 0x05;

const damaged = () => invalid('file', 'file is a damaged SQLite database', 'INVALID_FORMAT');

/** A database, of which everything is read at most once by each reading of a table: pages that refer to each other in a circle are damage. */
export class SqliteFile {
  readonly #bytes: Buffer;
  readonly #pageSize: number;
  /** Bytes of a page that are content. */
  readonly #usable: number;
  readonly #tables = new Map<string, Table>();

  private constructor(bytes: Buffer) {
    this.#bytes = bytes;
    const size = bytes.length < HEADER ? 0 : bytes.readUInt16BE(16);
    this.#pageSize = size === 1 ? 65_536 : size;
    this.#usable = this.#pageSize - (bytes[20] ?? 0);
    if (this.#pageSize < 512 || this.#usable < 480 || bytes.length < this.#pageSize) throw damaged();
    if (bytes.readUInt32BE(28) * this.#pageSize > bytes.length)
      throw invalid('file', 'file is an SQLite database that is cut off', 'INVALID_FORMAT');
    if (bytes.readUInt32BE(56) > 1) throw invalid('file', 'file is an SQLite database in UTF-16; save it as UTF-8', 'INVALID_FORMAT');
  }

  /** Throws for a file that is no such database. */
  static async open(bytes: Buffer): Promise<SqliteFile> {
    const file = new SqliteFile(bytes);
    const schema = { name: 'sqlite_schema', root: 1, columns: positions(['type', 'name', 'tbl_name', 'rootpage', 'sql']) };
    for await (const row of file.#rows(schema)) {
      const name = row.get('name') ?? '';
      if (row.get('type') === 'table')
        file.#tables.set(name, { name, root: Number(row.get('rootpage')), columns: columnsOf(row.get('sql') ?? '') });
    }
    return file;
  }

  has(table: string): boolean {
    return this.#tables.has(table);
  }

  /** The rows of a table in their order; none of a table that the database does not have. */
  async *rows(name: string): AsyncGenerator<Row> {
    const table = this.#tables.get(name);
    if (table) yield* this.#rows(table);
  }

  async *#rows({ name, root, columns }: Table): AsyncGenerator<Row> {
    let number = 0;
    try {
      for (const payload of this.#payloads(root)) {
        const values = valuesOf(payload);
        yield { place: `row ${++number} of ${name}`, get: (column) => values[columns.get(column) ?? -1] ?? null };
        await others();
      }
    } catch (error) {
      // A number of the file led out of a page.
      if (error instanceof RangeError) throw damaged();
      throw error;
    }
  }

  /** The contents of the rows, in their order. */
  *#payloads(root: number): Generator<Buffer> {
    const read = new Set<number>();
    // More content than the file has comes from rows that overlap.
    let left = this.#bytes.length;
    const pages = [root];
    for (let at = pages.pop(); at !== undefined; at = pages.pop()) {
      const page = this.#page(at, read);
      const start = at === 1 ? HEADER : 0;
      const kind = page.readUInt8(start);
      if (kind !== LEAF && kind !== INTERIOR) throw damaged();
      const count = page.readUInt16BE(start + 3);
      const cellAt = (index: number): number => page.readUInt16BE(start + (kind === LEAF ? 8 : 12) + 2 * index);
      if (kind === INTERIOR) {
        pages.push(page.readUInt32BE(start + 8));
        for (let index = count - 1; index >= 0; index--) pages.push(page.readUInt32BE(cellAt(index)));
      } else
        for (let index = 0; index < count; index++) {
          const [size, afterSize] = varint(page, cellAt(index));
          const [, begin] = varint(page, afterSize);
          left -= size + 1;
          if (left < 0) throw damaged();
          yield this.#payload(page, begin, size, read);
        }
    }
  }

  /** A content, of which what does not fit its page is in a chain of others. */
  #payload(page: Buffer, begin: number, size: number, read: Set<number>): Buffer {
    const most = this.#usable - 35;
    if (size <= most) return within(page, begin, size);
    const least = Math.trunc(((this.#usable - 12) * 32) / 255) - 23;
    const fitting = least + ((size - least) % (this.#usable - 4));
    const own = fitting <= most ? fitting : least;
    const parts = [within(page, begin, own)];
    let next = page.readUInt32BE(begin + own);
    for (let left = size - own; left > 0; left -= this.#usable - 4) {
      const more = this.#page(next, read);
      parts.push(within(more, 4, Math.min(left, this.#usable - 4)));
      next = more.readUInt32BE(0);
    }
    return Buffer.concat(parts);
  }

  #page(number: number, read: Set<number>): Buffer {
    if (read.has(number)) throw damaged();
    read.add(number);
    return within(this.#bytes, (number - 1) * this.#pageSize, this.#pageSize);
  }
}

function within(bytes: Buffer, begin: number, size: number): Buffer {
  if (begin < 0 || begin + size > bytes.length) throw damaged();
  return bytes.subarray(begin, begin + size);
}

/** A number of one to nine bytes, and where it ends. */
function varint(bytes: Buffer, begin: number): [value: number, end: number] {
  let value = 0;
  for (let at = begin; at < begin + 8; at++) {
    const byte = bytes.readUInt8(at);
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return [value, at + 1];
  }
  return [value * 256 + bytes.readUInt8(begin + 8), begin + 9];
}

/** The values of a row: first the type of each, then their bytes. */
function valuesOf(payload: Buffer): (string | null)[] {
  const [header, first] = varint(payload, 0);
  const values: (string | null)[] = [];
  let begin = header;
  for (let at = first; at < header; ) {
    const [type, next] = varint(payload, at);
    const size = type >= 12 ? Math.trunc((type - 12) / 2) : ([0, 1, 2, 3, 4, 6, 8, 8, 0, 0][type] ?? Number.POSITIVE_INFINITY);
    values.push(cellOf(type, within(payload, begin, size)));
    begin += size;
    at = next;
  }
  return values;
}

function cellOf(type: number, bytes: Buffer): string | null {
  if (type === 0) return null;
  if (type < 6) return String(bytes.readIntBE(0, bytes.length));
  if (type === 6) return String(bytes.readBigInt64BE());
  if (type === 7) return String(bytes.readDoubleBE());
  return type < 12 ? String(type - 8) : bytes.toString();
}

const positions = (columns: readonly string[]): ReadonlyMap<string, number> => new Map(columns.map((column, index) => [column, index]));

/** Most characters of the statement that made a table. Those of GnuCash have at most 1,000. */
const MAX_STATEMENT = 65_536;

/** The columns in the statement that made a table. The constraints of the table come after them, and have no values. */
function columnsOf(statement: string): ReadonlyMap<string, number> {
  const inner = statement.slice(statement.indexOf('(') + 1, MAX_STATEMENT).replace(/\([^()]*\)/g, '');
  return positions(inner.split(',').map((column) => /^\s*["'`[]?(\w*)/.exec(column)![1]!));
}

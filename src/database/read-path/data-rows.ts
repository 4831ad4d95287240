// The rows of one result, as DataRow messages of PostgreSQL's protocol whose values are not parsed.

/** A row as text: one entry per column, null for NULL. */
export type TextRow = (string | null)[];

export const DATA_ROW = 'D'.charCodeAt(0);
/** A message begins with one byte of type and four of length; the length includes itself. */
export const HEADER = 5;
const ZERO = '0'.charCodeAt(0);
/** A DataRow begins with the number of its columns, which the reader knows. */
const COUNT = 2;

/** A signed number of four bytes, as lengths are sent. */
export const int32 = (bytes: Uint8Array, at: number): number =>
  (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;

/** The rows of one result. Each row is a position in the received chunk; nothing is copied. */
export class DataRows {
  readonly #bytes: Buffer[] = [];
  readonly #starts: number[] = [];

  /** Rows known as text, written as the messages that carry them. */
  static of(texts: readonly TextRow[]): DataRows {
    const rows = new DataRows();
    for (const fields of texts) rows.add(messageOf(fields), 0);
    return rows;
  }

  get length(): number {
    return this.#starts.length;
  }

  add(bytes: Buffer, message: number): void {
    this.#bytes.push(bytes);
    this.#starts.push(message + HEADER + COUNT);
  }

  /** The received chunk that contains a row. */
  bytesOf(row: number): Buffer {
    return this.#bytes[row]!;
  }

  /** Fills `columns` with pairs of begin and end, one for each column of a row in the bytes of `bytesOf`; a NULL begins at -1. Stops when `columns` is full. */
  locate(row: number, columns: Int32Array): void {
    const bytes = this.#bytes[row]!;
    let at = this.#starts[row]!;
    for (let column = 0; column < columns.length; column += 2) {
      const length = int32(bytes, at);
      at += 4;
      if (length === -1) columns[column] = -1;
      else {
        columns[column] = at;
        at += length;
        columns[column + 1] = at;
      }
    }
  }

  /** One column of a row as text. */
  text(row: number, column: number): string | null {
    const bytes = this.#bytes[row]!;
    const at = this.#place(row, column);
    const length = int32(bytes, at);
    return length === -1 ? null : bytes.toString('utf8', at + 4, at + 4 + length);
  }

  /** One column of a row as the whole number from 0 that its digits are. */
  integer(row: number, column: number): number {
    const bytes = this.#bytes[row]!;
    const at = this.#place(row, column);
    const end = at + 4 + int32(bytes, at);
    let value = 0;
    for (let digit = at + 4; digit < end; digit++) value = value * 10 + bytes[digit]! - ZERO;
    return value;
  }

  /** Whether a column of a row is NULL. */
  isNull(row: number, column: number): boolean {
    return int32(this.#bytes[row]!, this.#place(row, column)) === -1;
  }

  /** Where a column of a row begins, with its length. */
  #place(row: number, column: number): number {
    const bytes = this.#bytes[row]!;
    let at = this.#starts[row]!;
    for (let skipped = 0; skipped < column; skipped++) at += 4 + Math.max(0, int32(bytes, at));
    return at;
  }

  /** All rows as text. */
  texts(): TextRow[] {
    return this.#starts.map((start, row) => {
      const bytes = this.#bytes[row]!;
      const fields: TextRow = new Array(bytes.readUInt16BE(start - COUNT));
      let at = start;
      for (let column = 0; column < fields.length; column++) {
        const length = int32(bytes, at);
        at += 4;
        fields[column] = length === -1 ? null : bytes.toString('utf8', at, at + length);
        if (length > 0) at += length;
      }
      return fields;
    });
  }
}

/** The DataRow message of a row. */
function messageOf(fields: TextRow): Buffer {
  const lengths = fields.map((field) => (field === null ? 0 : Buffer.byteLength(field)));
  const message = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + 4 + length, HEADER + COUNT));
  message[0] = DATA_ROW;
  message.writeInt32BE(message.length - 1, 1);
  let at = message.writeUInt16BE(fields.length, HEADER);
  for (const [column, field] of fields.entries()) {
    at = message.writeInt32BE(field === null ? -1 : lengths[column]!, at);
    if (field !== null) at += message.write(field, at);
  }
  return message;
}

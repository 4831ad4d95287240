// Rows as the database sends them: the DataRow messages of PostgreSQL's protocol, told apart from the others and left as bytes.

/** A row as text: one entry per column, null for NULL. */
export type TextRow = (string | null)[];

const DATA_ROW = 'D'.charCodeAt(0);
const READY = 'Z'.charCodeAt(0);
const ERROR = 'E'.charCodeAt(0);
const PARSED = '1'.charCodeAt(0);
const BOUND = '2'.charCodeAt(0);
const CLOSED = '3'.charCodeAt(0);
const COMPLETE = 'C'.charCodeAt(0);
/** A message is its type, then four bytes of length, which count themselves. */
const HEADER = 5;
/** A row begins with the number of its columns, which whoever asked knows. */
const COUNT = 2;

const int32 = (bytes: Uint8Array, at: number): number =>
  (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;

/** The rows of one result, each where it arrived. */
export class DataRows {
  readonly #bytes: Buffer[] = [];
  readonly #starts: number[] = [];

  get length(): number {
    return this.#starts.length;
  }

  add(bytes: Buffer, message: number): void {
    this.#bytes.push(bytes);
    this.#starts.push(message + HEADER + COUNT);
  }

  /** The bytes that a row is part of. */
  bytesOf(row: number): Buffer {
    return this.#bytes[row]!;
  }

  /** Where the columns of a row begin and end in its bytes, one pair after the other; a column that is NULL begins at -1. Fills as many pairs as there is room for. */
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
    let at = this.#starts[row]!;
    for (let before = 0; before < column; before++) at += 4 + Math.max(0, int32(bytes, at));
    const length = int32(bytes, at);
    return length === -1 ? null : bytes.toString('utf8', at + 4, at + 4 + length);
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

/** Takes the answers to prepared reads in place of the driver. */
export interface RowSink {
  /** Where the rows of the answer under way are put. */
  rows: DataRows;
  /** The database has parsed the statement of this answer. */
  parsed(): void;
  /** The answer is an error; its message as it came. */
  failed(message: Buffer): void;
  /** The answer is over; tells whether it was the last. */
  ready(): boolean;
}

/** Finds the rows in what a connection receives. Whatever else matters goes on to the driver's parser, in its order and in as few pieces as can be. */
export class DataRowParser {
  /** Takes the answers until its last one is over; without it everything goes on. */
  sink: RowSink | undefined;
  readonly #pass: (bytes: Buffer) => void;
  /** The beginning of a message, and how much of it, or of its header, has not arrived. */
  #begun: Buffer[] = [];
  #missing = 0;

  constructor(pass: (bytes: Buffer) => void) {
    this.#pass = pass;
  }

  take(chunk: Buffer): void {
    if (this.#begun.length === 0) {
      this.#scan(chunk);
      return;
    }
    if (chunk.length < this.#missing) {
      this.#begun.push(chunk);
      this.#missing -= chunk.length;
      return;
    }
    // Only what lacks is put together: what follows it stays where it is.
    const message = Buffer.concat([...this.#begun, chunk.subarray(0, this.#missing)]);
    const rest = chunk.subarray(this.#missing);
    this.#scan(message);
    if (rest.length > 0) this.take(rest);
  }

  #scan(bytes: Buffer): void {
    let at = 0;
    let passed = 0;
    let size = HEADER;
    while (at + HEADER <= bytes.length) {
      size = 1 + int32(bytes, at + 1);
      if (at + size > bytes.length) break;
      if (this.sink && this.#taken(this.sink, bytes, at, size)) {
        if (passed < at) this.#pass(bytes.subarray(passed, at));
        passed = at + size;
      }
      at += size;
      size = HEADER;
    }
    const rest = bytes.subarray(at);
    this.#begun = rest.length > 0 ? [rest] : [];
    this.#missing = size - rest.length;
    if (passed < at) this.#pass(bytes.subarray(passed, at));
  }

  /** Gives a message to the sink; tells whether the driver has no business with it. It is told that the last answer is over. */
  #taken(sink: RowSink, bytes: Buffer, at: number, size: number): boolean {
    switch (bytes[at]) {
      case DATA_ROW:
        sink.rows.add(bytes, at);
        return true;
      case PARSED:
        sink.parsed();
        return true;
      case ERROR:
        sink.failed(bytes.subarray(at, at + size));
        return true;
      case READY:
        if (!sink.ready()) return true;
        this.sink = undefined;
        return false;
      // Nothing that anybody has to be told.
      case BOUND:
      case CLOSED:
      case COMPLETE:
        return true;
      default:
        return false;
    }
  }
}

// Rows as received bytes: finds the DataRow messages of PostgreSQL's protocol and leaves their values unparsed.

/** A row as text: one entry per column, null for NULL. */
export type TextRow = (string | null)[];

const DATA_ROW = 'D'.charCodeAt(0);
const READY = 'Z'.charCodeAt(0);
const ERROR = 'E'.charCodeAt(0);
const PARSED = '1'.charCodeAt(0);
const BOUND = '2'.charCodeAt(0);
const CLOSED = '3'.charCodeAt(0);
const COMPLETE = 'C'.charCodeAt(0);
/** A message begins with one byte of type and four of length; the length includes itself. */
const HEADER = 5;
/** A DataRow begins with the number of its columns, which the reader knows. */
const COUNT = 2;

const int32 = (bytes: Uint8Array, at: number): number =>
  (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;

/** The rows of one result. Each row is a position in the received chunk; nothing is copied. */
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
    let at = this.#starts[row]!;
    for (let skipped = 0; skipped < column; skipped++) at += 4 + Math.max(0, int32(bytes, at));
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

/** Receives the answers to prepared reads in place of the driver. */
export interface RowSink {
  /** The rows of the current answer. */
  rows: DataRows;
  /** The database has parsed the statement of the current answer. */
  parsed(): void;
  /** The current answer is an error; `message` holds its bytes as received. */
  failed(message: Buffer): void;
  /** The current answer has ended; returns whether it was the last. */
  ready(): boolean;
}

/** Splits the bytes a connection receives: answers go to the sink, other messages to the driver's parser, in their order and in as few pieces as possible. */
export class DataRowParser {
  /** Receives the answers until the last one has ended; without a sink every message goes to the driver. */
  sink: RowSink | undefined;
  readonly #pass: (bytes: Buffer) => void;
  /** The received part of an incomplete message, and the number of bytes missing of it, or of its header. */
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
    // Only the incomplete message is copied together; the bytes after it are scanned in place.
    const message = Buffer.concat([...this.#begun, chunk.subarray(0, this.#missing)]);
    const following = chunk.subarray(this.#missing);
    this.#scan(message);
    if (following.length > 0) this.take(following);
  }

  #scan(bytes: Buffer): void {
    let at = 0;
    let passed = 0;
    let size = HEADER;
    while (at + HEADER <= bytes.length) {
      size = 1 + int32(bytes, at + 1);
      if (at + size > bytes.length) break;
      if (this.sink && this.#toSink(this.sink, bytes, at, size)) {
        if (passed < at) this.#pass(bytes.subarray(passed, at));
        passed = at + size;
      }
      at += size;
      size = HEADER;
    }
    const incomplete = bytes.subarray(at);
    this.#begun = incomplete.length > 0 ? [incomplete] : [];
    this.#missing = size - incomplete.length;
    if (passed < at) this.#pass(bytes.subarray(passed, at));
  }

  /** Passes a message to the sink; returns whether to withhold it from the driver. The driver gets the ReadyForQuery of the last answer, which ends its query. */
  #toSink(sink: RowSink, bytes: Buffer, at: number, size: number): boolean {
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
      // Neither the sink nor the driver needs these.
      case BOUND:
      case CLOSED:
      case COMPLETE:
        return true;
      default:
        return false;
    }
  }
}

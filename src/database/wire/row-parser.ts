// The row parser of a connection: takes DataRow messages out of the received bytes before the driver parses them.
import { DATA_ROW, type DataRows, HEADER, int32 } from '../read-path/data-rows.ts';

const READY = 'Z'.charCodeAt(0);
const ERROR = 'E'.charCodeAt(0);
const PARSED = '1'.charCodeAt(0);
const BOUND = '2'.charCodeAt(0);
const CLOSED = '3'.charCodeAt(0);
const COMPLETE = 'C'.charCodeAt(0);

/** Receives the responses to prepared reads in place of the driver. */
export interface RowSink {
  /** The rows of the current response. */
  rows: DataRows;
  /** The database has parsed the statement of the current response. */
  parsed(): void;
  /** The current response is an error; `message` holds its bytes as received. */
  failed(message: Buffer): void;
  /** The current response has ended; returns whether it was the last. */
  ready(): boolean;
}

/**
 * Splits the bytes that a connection receives. Responses go to the sink, and other messages to the driver's parser, in their order and in as few
 * pieces as possible.
 */
export class DataRowParser {
  /** Receives the responses until the last one has ended; without a sink every message goes to the driver. */
  sink: RowSink | undefined;
  readonly #pass: (bytes: Buffer) => void;
  /** The received part of an incomplete message, and the number of bytes missing of it, or of its header. */
  #begun: Buffer[] = [];
  #missing = 0;
  #hasReceived = false;

  constructor(pass: (bytes: Buffer) => void) {
    this.#pass = pass;
  }

  /** Whether the connection's bytes arrive here; they begin with those of its opening. */
  get hasReceived(): boolean {
    return this.#hasReceived;
  }

  take(chunk: Buffer): void {
    this.#hasReceived = true;
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

  /** Passes a message to the sink; returns whether to withhold it from the driver. The driver gets the ReadyForQuery of the last response, which ends its query. */
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

// A pipelined query: prepared reads sent together in one message on one connection, answered in order, each with its own result or error.
import { EventEmitter } from 'node:events';
import type { Connection, Submittable } from 'pg';
import { parse, serialize } from 'pg-protocol';
import { type DataRowParser, DataRows, type RowSink } from './data-rows.ts';

/** The members of a `PooledClient`'s connection that the driver's published types lack. */
interface Wire {
  parser: DataRowParser;
  stream: { write(bytes: Uint8Array): void };
  /** Texts of the reads that the server has parsed on this connection, by name. */
  prepared: Map<string, string>;
}

/** A prepared read. PostgreSQL parses and plans it once per connection; a connection where the name has another text prepares it again. */
export interface Statement {
  name: string;
  text: string;
}

/** One run of a prepared read. */
export interface Read {
  statement: Statement;
  values: readonly (string | null)[];
  /** Receives the rows, and the milliseconds since the answer before them. */
  answered(rows: DataRows, ms: number): void;
  failed(error: Error): void;
}

/** The end of every read: execute, then sync, so that an error does not skip the reads after it. */
const RUN = Buffer.concat([serialize.execute({}), serialize.sync()]);

const errorMessages = new EventEmitter();
let lastError: Error;
void parse(errorMessages as never, (message) => {
  lastError = message as unknown as Error;
});

/** The error in an ErrorResponse message, as the driver represents it. */
function errorIn(message: Buffer): Error {
  errorMessages.emit('data', message);
  return lastError;
}

/** One query for the driver. The driver's own prepared query describes the result at every run, which took 5 % of the server time of a small read, and parses every value. */
export class PipelinedQuery implements Submittable, RowSink {
  rows = new DataRows();
  /** Set by the pool; called with an error when the connection fails. */
  callback: ((error: Error | null) => void) | undefined;
  readonly #reads: readonly Read[];
  #prepared: Map<string, string> | undefined;
  #answers = 0;
  #since = 0;
  #hasFailed = false;

  constructor(reads: readonly Read[]) {
    this.#reads = reads;
  }

  /** The reads without an answer; the first is in progress. */
  get open(): readonly Read[] {
    return this.#reads.slice(this.#answers);
  }

  submit(connection: Connection): void {
    const { stream, prepared, parser } = connection as unknown as Wire;
    const pieces: Buffer[] = [];
    for (const { statement, values } of this.#reads) {
      const { name, text } = statement;
      if (prepared.get(name) !== text) {
        // On this connection the name may have another text, also for an earlier read of this query.
        prepared.delete(name);
        pieces.push(serialize.close({ type: 'S', name }), serialize.parse({ name, text }));
      }
      pieces.push(serialize.bind({ statement: name, values: values as (string | null)[] }), RUN);
    }
    this.#prepared = prepared;
    this.#since = performance.now();
    parser.sink = this;
    // One write, because waking the server for each read took a quarter of the time of a small request.
    stream.write(Buffer.concat(pieces));
  }

  parsed(): void {
    const { name, text } = this.#reads[this.#answers]!.statement;
    this.#prepared!.set(name, text);
  }

  failed(message: Buffer): void {
    this.#hasFailed = true;
    const { statement, failed } = this.#reads[this.#answers]!;
    this.#prepared!.delete(statement.name);
    failed(errorIn(message));
  }

  ready(): boolean {
    const now = performance.now();
    if (!this.#hasFailed) this.#reads[this.#answers]!.answered(this.rows, now - this.#since);
    this.rows = new DataRows();
    this.#since = now;
    this.#hasFailed = false;
    return ++this.#answers === this.#reads.length;
  }

  handleReadyForQuery(): void {
    this.callback?.(null);
  }

  handleError(error: Error): void {
    this.callback?.(error);
  }
}

// Prepared reads that travel together on one connection: sent in one piece, answered in their order, each failing for itself alone.
import { EventEmitter } from 'node:events';
import type { Connection, Submittable } from 'pg';
import { parse, serialize } from 'pg-protocol';
import { type DataRowParser, DataRows, type RowSink } from './data-rows.ts';

/** What the connection of a `PooledClient` offers beyond the driver's published types. */
interface Wire {
  parser: DataRowParser;
  stream: { write(bytes: Uint8Array): void };
  /** Texts of the reads that the server has parsed on this connection, by name. */
  prepared: Map<string, string>;
}

/** A prepared read: the name is unique to the text, so that PostgreSQL parses and plans it once per connection. */
export interface Statement {
  name: string;
  text: string;
}

/** One run of a prepared read. */
export interface Read {
  statement: Statement;
  values: readonly (string | null)[];
  /** Takes the rows, and how long after the answer before they came. */
  answered(rows: DataRows, ms: number): void;
  failed(error: Error): void;
}

/** What follows the values of every read: execute, and the end of a request, so that the next one does not share its fate. */
const RUN = Buffer.concat([serialize.execute({}), serialize.sync()]);

const errorMessages = new EventEmitter();
let lastError: Error;
void parse(errorMessages as never, (message) => {
  lastError = message as unknown as Error;
});

/** The error in a message of the server, as the driver words it. */
function errorIn(message: Buffer): Error {
  errorMessages.emit('data', message);
  return lastError;
}

/** One query to the driver. It would describe the result of every run again, which cost a small read 5 % of its time in the server, and parse every value. */
export class PipelinedQuery implements Submittable, RowSink {
  rows = new DataRows();
  /** Set by the pool; its error is one of the connection. */
  callback: ((error: Error | null) => void) | undefined;
  readonly #reads: readonly Read[];
  #prepared: Map<string, string> | undefined;
  #answers = 0;
  #since = 0;
  #hasFailed = false;

  constructor(reads: readonly Read[]) {
    this.#reads = reads;
  }

  /** The reads whose answers have not come, the one under way first. */
  get open(): readonly Read[] {
    return this.#reads.slice(this.#answers);
  }

  submit(connection: Connection): void {
    const { stream, prepared, parser } = connection as unknown as Wire;
    const pieces: Buffer[] = [];
    for (const { statement, values } of this.#reads) {
      const { name, text } = statement;
      if (prepared.get(name) !== text) {
        // The name may mean another text here, also to a read further back.
        prepared.delete(name);
        pieces.push(serialize.close({ type: 'S', name }), serialize.parse({ name, text }));
      }
      pieces.push(serialize.bind({ statement: name, values: values as (string | null)[] }), RUN);
    }
    this.#prepared = prepared;
    this.#since = performance.now();
    parser.sink = this;
    // As one piece: waking the server for each read took a small request a quarter of its time here.
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

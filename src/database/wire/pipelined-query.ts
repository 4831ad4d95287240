// A pipelined query: prepared reads sent together in one message on one connection, with results in order, each with its own result or error.
import { PassThrough } from 'node:stream';
import type { Submittable } from 'pg';
import { parse, serialize } from 'pg-protocol';
import { DataRows } from '../read-path/data-rows.ts';
import type { Pooled, ReadValues, Statement } from '../read-path/read-path.ts';
import { SET_IN_TRANSACTION } from '../read-path/session.ts';
import type { WireConnection } from './connection.ts';
import type { RowSink } from './row-parser.ts';

/** One run of a prepared read. */
export interface Read {
  statement: Statement;
  values: ReadValues;
  /** Receives the rows, and the milliseconds since the response before them. */
  succeeded(rows: DataRows, ms: number): void;
  failed(error: Error): void;
}

/** The end of every read: execute, then sync, so that an error does not skip the reads after it. */
const EXECUTE = serialize.execute({});
const RUN = Buffer.concat([EXECUTE, serialize.sync()]);

/** What a read through a pooler brings along; it returns no rows. */
const SETTINGS: Statement = { name: 'session settings', text: SET_IN_TRANSACTION };

/** Lets the statement after it be planned with its values. The setting ends with the transaction, which is that of the one read up to its sync. Without a row, because any would count as one of the response. */
const PLANNING: Statement = {
  name: 'planned again',
  text: `select where set_config('plan_cache_mode', 'force_custom_plan', true) is null`,
};

const errorMessages = new PassThrough();
let lastError: unknown;
void parse(errorMessages, (message) => {
  lastError = message;
});

/** The error in an ErrorResponse message, as the driver represents it. */
function errorIn(message: Buffer): Error {
  // Emitted instead of written, because a written chunk arrives in a later turn of the event loop.
  errorMessages.emit('data', message);
  return lastError instanceof Error ? lastError : new Error('the database sent an error that the driver does not understand');
}

/**
 * One query for the driver. The driver's own prepared query describes the result at every run, which took 5 % of the server time of a small read. It
 * also parses every value.
 */
export class PipelinedQuery implements Submittable, RowSink {
  rows = new DataRows();
  /** Set by the pool; called with an error when the connection fails. */
  callback: ((error: Error | null) => void) | undefined;
  readonly #take: () => readonly Read[];
  readonly #pooled: Pooled | undefined;
  #taken: readonly Read[] | undefined;
  #prepared: Map<string, string> | undefined;
  #completed = 0;
  #since = 0;
  #hasFailed = false;

  /** `take` passes the reads on and keeps none; it is called once, when there is a connection for them or none can be had. */
  constructor(take: () => readonly Read[], pooled?: Pooled) {
    this.#take = take;
    this.#pooled = pooled;
  }

  get #reads(): readonly Read[] {
    this.#taken ??= this.#take();
    return this.#taken;
  }

  /** The reads without a response; the first is in progress. */
  get open(): readonly Read[] {
    return this.#reads.slice(this.#completed);
  }

  /** Called by the driver, which fails the query with an error that this returns. */
  submit({ stream, wire }: WireConnection): Error | undefined {
    // Responses that reached the driver instead would end the process, because this query has no handler of theirs.
    if (!wire?.parser.hasReceived) return new Error('the connection does not receive through the row parser');
    const { parser, prepared } = wire;
    const pieces: Buffer[] = [];
    for (const { statement, values } of this.#reads) {
      // Up to the sync everything is one transaction, so the settings apply to the read after them. That read is parsed after them: without kept
      // statements all are the unnamed one.
      if (this.#pooled) pieces.push(...this.#applied(SETTINGS, prepared));
      if (statement.isReplanned) pieces.push(...this.#applied(PLANNING, prepared));
      pieces.push(...this.#bound(statement, values, prepared), RUN);
    }
    this.#prepared = prepared;
    this.#since = performance.now();
    parser.sink = this;
    // One write, because waking the server for each read took a quarter of the time of a small request.
    stream.write(Buffer.concat(pieces));
    return undefined;
  }

  /** A setting that the read behind it brings along. */
  #applied(setting: Statement, prepared: Map<string, string>): Buffer[] {
    const pieces = [...this.#bound(setting, [], prepared), EXECUTE];
    prepared.set(setting.name, setting.text);
    return pieces;
  }

  #bound({ name, text }: Statement, values: ReadValues, prepared: Map<string, string>): Buffer[] {
    if (this.#pooled?.keepsStatements === false) return [serialize.parse({ text }), serialize.bind({ values: [...values] })];
    const bind = serialize.bind({ statement: name, values: [...values] });
    if (prepared.get(name) === text) return [bind];
    // On this connection the name may have another text, also for an earlier read of this query.
    prepared.delete(name);
    return [serialize.close({ type: 'S', name }), serialize.parse({ name, text }), bind];
  }

  parsed(): void {
    const { name, text } = this.#reads[this.#completed]!.statement;
    this.#prepared!.set(name, text);
  }

  failed(message: Buffer): void {
    this.#hasFailed = true;
    const { statement, failed } = this.#reads[this.#completed]!;
    // Nothing behind an error is parsed up to the sync, so the settings may be as unknown as the read.
    for (const { name } of [SETTINGS, PLANNING, statement]) this.#prepared!.delete(name);
    failed(errorIn(message));
  }

  ready(): boolean {
    const now = performance.now();
    if (!this.#hasFailed) this.#reads[this.#completed]!.succeeded(this.rows, now - this.#since);
    this.rows = new DataRows();
    this.#since = now;
    this.#hasFailed = false;
    return ++this.#completed === this.#reads.length;
  }

  handleReadyForQuery(): void {
    this.callback?.(null);
    // The driver assigns a function literal to `callback` for its timeout. V8 allocates that among the old objects, where it keeps this query until
    // the next full collection. Its reads lead to their rows, 43 kB for a list of 100, for which full collections took a quarter of the server's CPU.
    this.#taken = [];
  }

  handleError(error: Error): void {
    this.callback?.(error);
  }
}

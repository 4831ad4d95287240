// The query scheduler of a pool: sends short reads that wait for a connection together, and every other read alone.
import type { Pool, Submittable } from 'pg';
import { currentOwner } from '../../runtime/statement-count.ts';
import { type EndTurn, Turns } from '../../runtime/turns.ts';
import type { DataRows } from '../read-path/data-rows.ts';
import type { Pooled, ReadPath, ReadValues, Statement } from '../read-path/read-path.ts';
import { PipelinedQuery, type Read } from './pipelined-query.ts';

/** Most reads of a pipelined query; 32 cost no less. */
const MAX_PIPELINED = 16;
/** Most rows that a short run returns: ten for each of twenty parents, and one more for each, which shows whether others follow. */
const SHORT_ROWS = 256;
/**
 * Short runs, less ten for each other run, after which the runs of a statement are pipelined. No more than twice as many are counted. On two cores
 * under load one run in thirty is long by chance, and by it alone no statement leaves the pipeline.
 */
const WARM_UP_RUNS = 20;
const LONG_RUN = 10;

/** Times of the scheduler in milliseconds. */
export interface SchedulerTimes {
  /** A run is short when the database returns it within this time. */
  shortMs: number;
  /** A read still queued behind others after this time is sent again on an idle connection. */
  hedgeDelayMs: number;
}

interface SchedulerOptions {
  times?: SchedulerTimes;
  pooled?: Pooled | undefined;
  /** The turns at the connections of the pool. A read that is sent alone takes one; a pipelined query has short reads of many owners and takes none. */
  turns?: Turns;
}

const TIMES: SchedulerTimes = { shortMs: 10, hedgeDelayMs: 20 };

/** The pool passes the callback of a submittable query on to its client, which its published type leaves out. */
export interface SubmittingPool {
  query(query: Submittable, done: (error: Error | undefined) => void): unknown;
}

/** Sends reads over a pool. Sent alone, each read wakes the server and each response this process, which was nearly half of the CPU of a small request. */
export class QueryScheduler implements ReadPath {
  readonly #pool: Pool;
  readonly #times: SchedulerTimes;
  readonly #pooled: Pooled | undefined;
  readonly #turns: Turns;
  readonly #history = new WeakMap<Statement, { shortRuns: number }>();
  readonly #waiting: Read[] = [];
  /** Queries that the pool has not given a connection yet. Each takes waiting reads when it gets one, so that those of a busy pool travel together. */
  #asked = 0;

  constructor(pool: Pool, { times = TIMES, pooled, turns = new Turns(pool.options.max) }: SchedulerOptions = {}) {
    this.#pool = pool;
    this.#times = times;
    this.#pooled = pooled;
    this.#turns = turns;
  }

  query(statement: Statement, values: ReadValues): Promise<DataRows> {
    let history = this.#history.get(statement);
    if (!history) {
      history = { shortRuns: 0 };
      this.#history.set(statement, history);
    }
    const { shortMs } = this.#times;
    return new Promise((resolve, reject) => {
      const read: Read = {
        statement,
        values,
        succeeded(rows, ms) {
          if (rows.length > SHORT_ROWS) history.shortRuns = 0;
          else if (ms > shortMs) history.shortRuns = Math.max(0, history.shortRuns - LONG_RUN);
          else history.shortRuns = Math.min(history.shortRuns + 1, 2 * WARM_UP_RUNS);
          resolve(rows);
        },
        failed(error) {
          history.shortRuns = 0;
          reject(error);
        },
      };
      if (history.shortRuns < WARM_UP_RUNS) this.#alone(read);
      else if (this.#waiting.push(read) === this.#asked * MAX_PIPELINED + 1) setImmediate(() => this.#ask());
    });
  }

  /** Sends a read on a connection of its own, once its owner may have one. */
  #alone(read: Read): void {
    const reads = [read];
    const send = (end: EndTurn): void => this.#send(() => reads.splice(0), { end });
    const turn = this.#turns.take(currentOwner());
    if (turn instanceof Promise) turn.then(send, read.failed);
    else send(turn);
  }

  /** Sends reads as one pipelined query, whatever is known of their statements. */
  together(reads: readonly { statement: Statement; values: ReadValues }[]): Promise<DataRows>[] {
    const sent: Read[] = [];
    const results = reads.map(
      (read) => new Promise<DataRows>((resolve, reject) => sent.push({ ...read, succeeded: resolve, failed: reject })),
    );
    this.#send(() => sent.splice(0));
    return results;
  }

  /** Asks the pool for as many connections as the waiting reads need. */
  #ask(): void {
    for (; this.#asked * MAX_PIPELINED < this.#waiting.length; this.#asked++)
      this.#send(
        () => {
          this.#asked--;
          return this.#waiting.splice(0, MAX_PIPELINED);
        },
        { mayHedge: true },
      );
  }

  /** Sends the reads that `take` passes on when there is a connection for them; `end` is called when that is free again. */
  #send(take: () => readonly Read[], { mayHedge = false, end }: { mayHedge?: boolean; end?: EndTurn } = {}): void {
    let hedgeTimer: NodeJS.Timeout | undefined;
    const query = new PipelinedQuery(() => {
      const reads = take();
      // The immediate lets responses that have arrived by then be processed before anything is sent again.
      if (mayHedge && reads.length > 1) hedgeTimer = setTimeout(() => setImmediate(() => this.#hedge(query)), this.#times.hedgeDelayMs);
      return reads;
    }, this.#pooled);
    const done = (error: Error | undefined): void => {
      clearTimeout(hedgeTimer);
      end?.();
      if (error) for (const read of query.open) read.failed(error);
    };
    const pool: SubmittingPool = this.#pool;
    pool.query(query, done);
  }

  /**
   * The hedged retry: sends the reads still queued behind the one in progress again, if the pool has an idle connection or may open one. The
   * first response counts. It happens once, because more copies do not help a database that has stopped responding.
   */
  #hedge(query: PipelinedQuery): void {
    const queued = query.open.slice(1);
    const { idleCount, totalCount, options } = this.#pool;
    if (queued.length > 0 && (idleCount > 0 || totalCount < options.max)) this.#send(() => queued.splice(0));
  }
}

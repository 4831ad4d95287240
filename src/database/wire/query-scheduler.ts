// The query scheduler of a pool: sends short reads that wait for a connection together, and every other read alone.
import type { Pool, Submittable } from 'pg';
import { currentOwner } from '../../runtime/statement-count.ts';
import { type EndTurn, type Owner, Turns } from '../../runtime/turns.ts';
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

/**
 * The connections that a read sent alone counts for while other owners read too: of ten, an owner has two such reads at a time instead of five. Each
 * keeps a core of the database busy for long, and a short read needs one for a moment.
 */
const SHARED_WEIGHT = 2.5;
/** Owners read at the same time when one does so soon after another, in milliseconds. */
const SHARED_MS = 1_000;

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
  /** The turns at the connections of the pool. A read that is sent alone takes them; a pipelined query has short reads of many owners and takes none. */
  turns?: Turns;
}

const TIMES: SchedulerTimes = { shortMs: 10, hedgeDelayMs: 20 };

/** The pool passes the callback of a submittable query on to its client, which its published type leaves out. */
export interface SubmittingPool {
  query(query: Submittable, done: (error: Error | undefined) => void): unknown;
}

/** Reads that wait for a connection. Those of several owners are taken by turns: what one asks fifty times is not before the one read of another. */
class WaitingReads {
  /** By owner; the one that was served longest ago is first. */
  readonly #owners = new Map<string | undefined, Read[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Adds a read; returns how many wait. */
  push(read: Read, owner: string | undefined): number {
    const own = this.#owners.get(owner);
    if (own) own.push(read);
    else this.#owners.set(owner, [read]);
    return ++this.#size;
  }

  /** Removes so many reads at most, in the order in which they are sent. */
  take(most: number): Read[] {
    const taken: Read[] = [];
    // An owner with further reads is set again, behind the others, and this loop comes to it once more.
    for (const [owner, own] of this.#owners) {
      taken.push(own.shift()!);
      this.#owners.delete(owner);
      if (own.length > 0) this.#owners.set(owner, own);
      if (taken.length === most) break;
    }
    this.#size -= taken.length;
    return taken;
  }
}

/** Sends reads over a pool. Sent alone, each read wakes the server and each response this process, which was nearly half of the CPU of a small request. */
export class QueryScheduler implements ReadPath {
  readonly #pool: Pool;
  readonly #times: SchedulerTimes;
  readonly #pooled: Pooled | undefined;
  readonly #turns: Turns;
  readonly #history = new WeakMap<Statement, { shortRuns: number }>();
  readonly #waiting = new WaitingReads();
  /** The owner of the last read. */
  #lastOwner: string | undefined;
  /** When an owner last read after another one. */
  #sharedAt = Number.NEGATIVE_INFINITY;
  /** Queries that the pool has not given a connection yet. Each takes waiting reads when it gets one, so that those of a busy pool travel together. */
  #asked = 0;

  constructor(pool: Pool, { times = TIMES, pooled, turns = new Turns(pool.options.max) }: SchedulerOptions = {}) {
    this.#pool = pool;
    this.#times = times;
    this.#pooled = pooled;
    this.#turns = turns;
  }

  query(statement: Statement, values: ReadValues): Promise<DataRows> {
    const owner = currentOwner();
    if (owner && owner.name !== this.#lastOwner) {
      if (this.#lastOwner !== undefined) this.#sharedAt = performance.now();
      this.#lastOwner = owner.name;
    }
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
      if (history.shortRuns < WARM_UP_RUNS) this.#alone(read, owner);
      else if (this.#waiting.push(read, owner?.name) === this.#asked * MAX_PIPELINED + 1) setImmediate(() => this.#ask());
    });
  }

  /** Sends a read on a connection of its own, once its owner may have one. */
  #alone(read: Read, owner: Owner | undefined): void {
    const reads = [read];
    const send = (end: EndTurn): void => this.#send(() => reads.splice(0), { end });
    const isShared = performance.now() - this.#sharedAt < SHARED_MS;
    const turn = this.#turns.take(owner, isShared ? SHARED_WEIGHT : 1);
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
    for (; this.#asked * MAX_PIPELINED < this.#waiting.size; this.#asked++)
      this.#send(
        () => {
          this.#asked--;
          return this.#waiting.take(MAX_PIPELINED);
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

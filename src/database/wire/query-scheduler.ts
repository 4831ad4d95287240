// The query scheduler of a pool: sends short reads of one turn of the event loop together, and every other read alone.
import type { Pool } from 'pg';
import type { DataRows } from './data-rows.ts';
import { PipelinedQuery, type Read, type Statement } from './pipelined-query.ts';

/** Most reads of a pipelined query; 32 cost no less. */
const MAX_PIPELINED = 16;
/** Most rows that a short run returns. */
const SHORT_ROWS = 128;
/** Consecutive short runs after which the runs of a statement are pipelined. */
const WARM_UP_RUNS = 20;

/** Times of the scheduler in milliseconds. */
export interface SchedulerTimes {
  /** A run is short when the database answers it within this time. */
  shortMs: number;
  /** A read still queued behind others after this time is sent again on an idle connection. */
  hedgeDelayMs: number;
}

const TIMES: SchedulerTimes = { shortMs: 10, hedgeDelayMs: 20 };

/** Sends reads over a pool. Sent alone, each read wakes the server and each answer this process, which was nearly half of the CPU of a small request. */
export class QueryScheduler {
  readonly #pool: Pool;
  readonly #times: SchedulerTimes;
  readonly #history = new WeakMap<Statement, { shortRuns: number }>();
  #waiting: Read[] = [];

  constructor(pool: Pool, times = TIMES) {
    this.#pool = pool;
    this.#times = times;
  }

  read(statement: Statement, values: readonly (string | null)[]): Promise<DataRows> {
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
        answered(rows, ms) {
          history.shortRuns = ms <= shortMs && rows.length <= SHORT_ROWS ? history.shortRuns + 1 : 0;
          resolve(rows);
        },
        failed(error) {
          history.shortRuns = 0;
          reject(error);
        },
      };
      if (history.shortRuns < WARM_UP_RUNS) this.#send([read]);
      else if (this.#waiting.push(read) === 1) setImmediate(() => this.#sendWaiting());
    });
  }

  #sendWaiting(): void {
    const reads = this.#waiting;
    this.#waiting = [];
    for (let start = 0; start < reads.length; start += MAX_PIPELINED) this.#send(reads.slice(start, start + MAX_PIPELINED));
  }

  #send(reads: readonly Read[], mayHedge = reads.length > 1): void {
    const query = new PipelinedQuery(reads);
    // The immediate lets answers that have arrived by then be processed before anything is sent again.
    const hedgeTimer = mayHedge ? setTimeout(() => setImmediate(() => this.#hedge(query)), this.#times.hedgeDelayMs) : undefined;
    const done = (error: Error | undefined): void => {
      clearTimeout(hedgeTimer);
      if (error) for (const read of query.open) read.failed(error);
    };
    this.#pool.query(query as never, done as never);
  }

  /**
   * The hedged retry: sends the reads still queued behind the one in progress again, if the pool has an idle connection or may open one. The
   * first answer counts. It happens once, because more copies do not help a database that has stopped answering.
   */
  #hedge(query: PipelinedQuery): void {
    const queued = query.open.slice(1);
    const { idleCount, totalCount, options } = this.#pool;
    if (queued.length > 0 && (idleCount > 0 || totalCount < options.max)) this.#send(queued, false);
  }
}

// The reads of one pool of connections: short ones of one turn of the event loop travel together, the others alone.
import type { Pool } from 'pg';
import type { DataRows } from './data-rows.ts';
import { PipelinedQuery, type Read, type Statement } from './pipelined-query.ts';

/** Most reads in one piece; with 32 they cost no less. */
const MAX_PIPELINED = 16;
/** Most rows of a short run. */
const SHORT_ROWS = 128;
/** Short runs in a row after which a statement is taken for short. */
const WARM_UP_RUNS = 20;

/** What counts as long, in milliseconds. */
export interface SchedulerTimes {
  /** A run is short when the database answers it within this time. */
  shortMs: number;
  /** So long a read waits behind others, which have turned out longer than they were, before it is sent again on a connection that is free. */
  hedgeDelayMs: number;
}

const TIMES: SchedulerTimes = { shortMs: 10, hedgeDelayMs: 20 };

/** Sends reads. Each on its own would wake the server, and its answer this process, which was nearly half of the CPU of a small request. */
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
    const group = new PipelinedQuery(reads);
    // What has arrived by then is looked at before anything is sent again.
    const held = mayHedge ? setTimeout(() => setImmediate(() => this.#hedge(group)), this.#times.hedgeDelayMs) : undefined;
    const done = (error: Error | undefined): void => {
      clearTimeout(held);
      if (error) for (const read of group.open) read.failed(error);
    };
    this.#pool.query(group as never, done as never);
  }

  /** Sends those that are held up again, once, for a database that stands still is not helped by more; the answer that comes first counts. A pool that has no connection left has nothing to give them. */
  #hedge(group: PipelinedQuery): void {
    const heldUp = group.open.slice(1);
    const { idleCount, totalCount, options } = this.#pool;
    if (heldUp.length > 0 && (idleCount > 0 || totalCount < options.max)) this.#send(heldUp, false);
  }
}

// How many rows of an import one transaction holds, and the pause after it.
import { setTimeout } from 'node:timers/promises';
import type { Database } from '../../../database/open.ts';

/** A server takes many rows at once, which saves commits. */
const SERVER_ROWS = 5_000;
const FIRST_ROWS = 50;
const LEAST_ROWS = 10;
const MOST_ROWS = 1_000;
const TARGET_MS = 25;
const PAUSE_MS = 5;

/**
 * The embedded database works on the thread that serves requests, which wait behind a transaction; so there it holds as many rows as are
 * applied in 25 ms, and is followed by a pause in which those who waited get on.
 */
export class ImportPace {
  readonly #isEmbedded: boolean;
  #rows: number;

  constructor(kind: Database['kind']) {
    this.#isEmbedded = kind === 'pglite';
    this.#rows = this.#isEmbedded ? FIRST_ROWS : SERVER_ROWS;
  }

  /** Rows of the next transaction. */
  get rows(): number {
    return this.#rows;
  }

  /** Learns how long a transaction took. At most doubles, for one that was quick may have been so by chance. */
  took(rows: number, milliseconds: number): void {
    if (!this.#isEmbedded) return;
    const fitting = Math.round((rows * TARGET_MS) / milliseconds);
    this.#rows = Math.min(Math.max(fitting, LEAST_ROWS), 2 * this.#rows, MOST_ROWS);
  }

  async rest(): Promise<void> {
    if (this.#isEmbedded) await setTimeout(PAUSE_MS);
  }
}

// How many rows of an import one transaction applies, and the pause after it.
import { setTimeout } from 'node:timers/promises';
import type { Database } from '../../../database/open.ts';

/** On a server a transaction applies many rows, which saves commits. */
const SERVER_ROWS = 5_000;
const FIRST_ROWS = 50;
const LEAST_ROWS = 10;
const MAX_ROWS = 1_000;
const TARGET_MS = 25;
const PAUSE_MS = 5;

/**
 * The embedded database runs on the thread that serves requests, so requests wait behind a transaction. There a transaction applies as many
 * rows as take 25 ms, and waiting requests run in the pause after it.
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

  /** Records how long a transaction took. The number of rows at most doubles, because one fast transaction may be chance. */
  record(rows: number, milliseconds: number): void {
    if (!this.#isEmbedded) return;
    const fitting = Math.round((rows * TARGET_MS) / milliseconds);
    this.#rows = Math.min(Math.max(fitting, LEAST_ROWS), 2 * this.#rows, MAX_ROWS);
  }

  async pause(): Promise<void> {
    if (this.#isEmbedded) await setTimeout(PAUSE_MS);
  }
}

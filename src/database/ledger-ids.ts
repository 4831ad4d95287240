// Allocates `ledger_id`s from blocks of a database sequence, so that a parent and its children have their ids before one statement stores them.
import { evaluate } from './expression.statements.ts';
import type { EntityManager } from './open.ts';

/** Ids per step of the sequence `ledger_id_block`. */
const BLOCK = 32;
/** Blocks read ahead, so that a batch reads once or twice instead of eight times. A process that ends leaves at most their ids unused. */
const READ_AHEAD = 64;

/** The allocator of one process. */
export class LedgerIds {
  /** First ids of the unused blocks. */
  readonly #blocks: number[] = [];
  #next = 0;
  #end = 0;

  /** Takes `count` ids in ascending order, reading further blocks inside the given transaction when needed. */
  async take(em: EntityManager, count: number): Promise<number[]> {
    const missing = (): number => count - (this.#end - this.#next) - this.#blocks.length * BLOCK;
    // Computed again after each read, because other callers may have taken ids in the meantime.
    while (missing() > 0) {
      const count = Math.ceil(missing() / BLOCK) + READ_AHEAD;
      const sql = `(select jsonb_agg(nextval('ledger_id_block')) from generate_series(1, $1::int))`;
      for (const block of (await evaluate(em, { sql, values: [count] })) as number[]) this.#blocks.push(block);
    }
    const ids: number[] = [];
    while (ids.length < count) {
      if (this.#next === this.#end) {
        this.#next = this.#blocks.shift()!;
        this.#end = this.#next + BLOCK;
      }
      ids.push(this.#next++);
    }
    // Sorted, because blocks of concurrent reads may arrive out of order, and children are listed by their ids.
    return ids.sort((a, b) => a - b);
  }
}

// Hands out `ledger_id`s from blocks of the database's sequence, so that a parent and its children know their ids before one statement stores them.
import { type EntityManager, executeIn } from './open.ts';

/** Ids per step of the sequence `ledger_id_block`. */
const BLOCK = 32;
/** Blocks read beyond those wanted, so that a batch asks once or twice instead of eight times; a process that ends leaves at most their ids unused. */
const SPARE = 64;

/** The allocator of one process. */
export class LedgerIds {
  /** First ids of the blocks that are untouched. */
  readonly #blocks: number[] = [];
  #next = 0;
  #end = 0;

  /** Takes `count` ids in ascending order, reading further blocks inside the given transaction when needed. */
  async take(em: EntityManager, count: number): Promise<number[]> {
    const missing = (): number => count - (this.#end - this.#next) - this.#blocks.length * BLOCK;
    // Asked again after each read, for others may have taken theirs meanwhile.
    while (missing() > 0) {
      const rows = await executeIn<{ start: string | number }>(
        em,
        `select nextval('ledger_id_block') as start from generate_series(1, $1::int)`,
        [Math.ceil(missing() / BLOCK) + SPARE],
      );
      for (const { start } of rows) this.#blocks.push(Number(start));
    }
    const ids: number[] = [];
    while (ids.length < count) {
      if (this.#next === this.#end) {
        this.#next = this.#blocks.shift()!;
        this.#end = this.#next + BLOCK;
      }
      ids.push(this.#next++);
    }
    // Blocks read at the same time may have come in another order than they were given; children are listed by their ids.
    return ids.sort((a, b) => a - b);
  }
}

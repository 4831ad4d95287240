// Hands out `ledger_id`s from blocks of the database's sequence, so that a parent and its children know their ids before one statement stores them.
import { type EntityManager, executeIn } from './database.ts';

/** Ids per step of the sequence `ledger_id_block`; at most this many are left unused when a process ends. */
const BLOCK = 32;

/** The allocator of one process. */
export class LedgerIds {
  #next = 0;
  #end = 0;

  /** Takes `count` ids, reading further blocks inside the given transaction when needed. */
  async take(em: EntityManager, count: number): Promise<number[]> {
    const ids: number[] = [];
    while (ids.length < count && this.#next < this.#end) ids.push(this.#next++);
    const short = count - ids.length;
    if (short === 0) return ids;
    const rows = await executeIn<{ start: string | number }>(
      em,
      `select nextval('ledger_id_block') as start from generate_series(1, $1::int)`,
      [Math.ceil(short / BLOCK)],
    );
    const fresh = rows.flatMap((row) => Array.from({ length: BLOCK }, (_, offset) => Number(row.start) + offset));
    ids.push(...fresh.splice(0, short));
    if (fresh.length > 0) {
      this.#next = fresh[0]!;
      this.#end = fresh.at(-1)! + 1;
    }
    return ids;
  }
}

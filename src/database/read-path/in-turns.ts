// A read path whose reads take turns at its connections.

import { currentOwner } from '../../runtime/statement-count.ts';
import type { EndTurn, Turns } from '../../runtime/turns.ts';
import type { DataRows } from './data-rows.ts';
import type { ReadPath, ReadValues, Statement } from './read-path.ts';

/** Reads of which one organisation never has all connections. */
export class InTurns implements ReadPath {
  readonly #reads: ReadPath;
  readonly #turns: Turns;

  constructor(reads: ReadPath, turns: Turns) {
    this.#reads = reads;
    this.#turns = turns;
  }

  query(statement: Statement, values: ReadValues): Promise<DataRows> {
    const run = (end: EndTurn): Promise<DataRows> => this.#reads.query(statement, values).finally(end);
    const turn = this.#turns.take(currentOwner());
    return turn instanceof Promise ? turn.then(run) : run(turn);
  }
}

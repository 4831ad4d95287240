// The log of the primary: its newest position, asked once for all who wait, and when each earlier position was the newest.
import { SharedQuestion } from '../../runtime/shared-question.ts';
import type { ReadPath, Statement } from '../read-path/read-path.ts';
import { type LogPosition, logPosition } from './log-position.ts';

/** The state of the primary after the question was put: everything that was committed before is at or below the position. */
export interface PrimaryState {
  position: LogPosition;
  /** The position as PostgreSQL writes it. */
  text: string;
  /** Those of the organisations asked for that are written to, or were within the last 90 s. */
  recent: ReadonlySet<number>;
}

/** Positions are remembered at most this often, and this many of them: a minute, the largest lag that the settings allow. */
const REMEMBER_MS = 100;
const REMEMBERED = 600;

const STATE: Statement = {
  name: 'log position',
  text: `select pg_current_wal_lsn(), array_to_string(array(
    select organisation_id from recent_write where organisation_id = any($1::text::bigint[]) and until > clock_timestamp()), ',')`,
};

/** Asks the primary, once for all who wait. */
export class PrimaryLog {
  readonly #primary: ReadPath;
  readonly #question = new SharedQuestion((organisations: ReadonlySet<number>) => this.#send(organisations));
  /** Newest positions and when they were asked for, oldest first. */
  readonly #history: { at: number; position: LogPosition }[] = [];

  constructor(primary: ReadPath) {
    this.#primary = primary;
  }

  /** The state after this call, with whether the organisations are written to. Rejected when the primary does not respond. */
  ask(...organisations: readonly number[]): Promise<PrimaryState> {
    return this.#question.about(...organisations);
  }

  async #send(organisations: ReadonlySet<number>): Promise<PrimaryState> {
    const at = performance.now();
    const [row] = (await this.#primary.query(STATE, [`{${[...organisations].join()}}`])).texts();
    const [text, recent] = row as [string, string];
    const position = logPosition(text)!;
    if (at - (this.#history.at(-1)?.at ?? 0) >= REMEMBER_MS && this.#history.push({ at, position }) > REMEMBERED) this.#history.shift();
    return { position, text, recent: new Set(recent === '' ? [] : recent.split(',').map(Number)) };
  }

  /**
   * Milliseconds by which a replica is behind that has replayed the log up to a position. It is 0 when the replica has replayed everything known, and
   * infinite when nothing is known.
   */
  lagMs(position: LogPosition): number {
    const replayed = this.#history.findLastIndex((entry) => entry.position <= position);
    const newest = this.#history[replayed];
    if (!newest) return Number.POSITIVE_INFINITY;
    // What it lacks was written after the newest position it has replayed.
    return replayed === this.#history.length - 1 ? 0 : performance.now() - newest.at;
  }
}

// The log of the primary: its newest position, asked once for all who wait, and when each earlier position was the newest.
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

/** A question that is not sent yet, shared by everyone who asks before it is sent. */
interface Question {
  organisations: Set<number>;
  state: Promise<PrimaryState>;
}

/**
 * Asks the primary. One question is in flight at a time. All callers that ask in the meantime share the next one, so the number of questions does not
 * grow with the requests.
 */
export class PrimaryLog {
  readonly #primary: ReadPath;
  #waiting: Question | undefined;
  #inFlight: Promise<unknown> = Promise.resolve();
  /** Newest positions and when they were asked for, oldest first. */
  readonly #history: { at: number; position: LogPosition }[] = [];

  constructor(primary: ReadPath) {
    this.#primary = primary;
  }

  /** The state after this call, with whether the organisation is written to. Rejected when the primary does not respond. */
  ask(organisationId?: number): Promise<PrimaryState> {
    if (!this.#waiting) {
      const organisations = new Set<number>();
      const state = this.#inFlight.then(() => {
        this.#waiting = undefined;
        return this.#send(organisations);
      });
      this.#inFlight = state.catch(() => {});
      this.#waiting = { organisations, state };
    }
    if (organisationId !== undefined) this.#waiting.organisations.add(organisationId);
    return this.#waiting.state;
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

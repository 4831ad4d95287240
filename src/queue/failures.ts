// Failures of background work: counted for the metrics, and logged once a minute for each kind. Work that fails again and again therefore does not
// fill the log.
import type { Logger } from 'pino';
import type { Clock } from '../runtime/clock.ts';
import { Tally } from '../runtime/tally.ts';

/** The task of failures that belong to no task: the queue itself, its notifications, its supervision. */
const QUEUE = 'queue';

const LINE_MS = 60_000;

/** What distinguishes kinds besides the task: the code of a database or network error, else the class. Messages name records, of which there are many. */
const kindOf = (error: unknown): string => {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: string };
  return typeof code === 'string' ? code : (name ?? typeof error);
};

/** The failures of one process. */
export class BackgroundFailures {
  readonly #log: Logger;
  readonly #clock: Clock;
  readonly #kinds = new Map<string, { loggedAt: number; count: number }>();
  /** Failures since the start, by task. */
  readonly tally = new Tally();

  constructor(log: Logger, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
  }

  /** Notes a failure. A line says how many of its kind there were since the line before. */
  note(error: unknown, task = QUEUE): void {
    this.tally.add(task);
    const now = this.#clock.now().getTime();
    const key = `${task} ${kindOf(error)}`;
    const known = this.#kinds.get(key) ?? { loggedAt: Number.NEGATIVE_INFINITY, count: 0 };
    known.count++;
    this.#kinds.set(key, known);
    // A clock that was set back starts a new minute.
    if (now >= known.loggedAt && now - known.loggedAt < LINE_MS) return;
    this.#log.error({ err: error, task, failures: known.count }, 'background work failed');
    known.loggedAt = now;
    known.count = 0;
  }
}

// The relay of one kind of entries. It moves them out of the outbox in the order of each company, at least once, and then removes them.
import { setTimeout as pause } from 'node:timers/promises';
import { unavailable } from '../database/errors.ts';
import type { Notifications } from '../database/notifications.ts';
import type { Database, EntityManager } from '../database/open.ts';
import { systemTransaction } from '../database/transaction.ts';
import { type PollResult, subscribe } from '../runtime/poll.ts';
import type { BackgroundFailures } from './failures.ts';
import { holdCompanies, MAX_COMPANIES, type OutboxKind, waitingCompanies } from './outbox.statements.ts';
import { OutboxEntry, outboxChannel } from './outbox.ts';

/** Most entries moved together. */
const MAX_ENTRIES = 500;
/** How often to look for entries whose notification was lost. */
const POLL_MS = 1_000;
/** Pause after a failure, however often new entries wake the relay. */
const PAUSE_MS = 1_000;

/**
 * Makes the jobs and events that entries describe, in their order; returns how many of the first it has made. An entry that was made before is recognised by
 * its id and not made again. What it stores by the given transaction commits before the entries are removed.
 */
export type Move = (em: EntityManager, entries: readonly OutboxEntry[]) => Promise<number>;

/** The services of a relay. */
export interface RelayServices {
  database: Database;
  notifications: Notifications;
  failures: Pick<BackgroundFailures, 'note'>;
}

/** Runs until it is stopped; any number of processes may run one. */
export class Relay {
  readonly #services: RelayServices;
  readonly #kind: OutboxKind;
  readonly #move: Move;
  readonly #rounds: AsyncIterableIterator<void>;
  readonly #running: Promise<void>;

  constructor(services: RelayServices, kind: OutboxKind, move: Move) {
    this.#services = services;
    this.#kind = kind;
    this.#move = move;
    this.#rounds = subscribe(
      (wake) => services.notifications.subscribe(outboxChannel(kind), wake),
      () => this.#round(),
      POLL_MS,
    );
    this.#running = this.#run();
  }

  /** Ends after the transaction under way. */
  async stop(): Promise<void> {
    await this.#rounds.return!();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!(await this.#rounds.next()).done);
  }

  /** Moves what waits, at most `MAX_ENTRIES`; another round follows at once where more may wait. */
  async #round(): Promise<PollResult<void>> {
    try {
      const companies = await waitingCompanies(this.#services.database, this.#kind);
      if (companies.length === 0) return { items: [] };
      const { isWhole, moved } = await this.#together(companies).catch((error) => this.#apart(companies, error));
      const isMore = moved > 0 && (!isWhole || companies.length === MAX_COMPANIES);
      return { items: [], ...(isMore ? { againMs: 0 } : {}) };
    } catch (error) {
      this.#report(error);
      await pause(PAUSE_MS);
      return { items: [], againMs: 0 };
    }
  }

  #report(error: unknown): void {
    this.#services.failures.note(error, `relay-${this.#kind}`);
  }

  /** Moves the entries of each company separately after a failure. An entry that cannot be moved then holds up only its own company. */
  async #apart(companies: readonly number[], error: unknown): Promise<Moved> {
    if (companies.length === 1 || unavailable(error)) throw error;
    let [moved, isWhole] = [0, true];
    for (const company of companies)
      try {
        const own = await this.#together([company]);
        moved += own.moved;
        isWhole &&= own.isWhole;
      } catch (own) {
        if (unavailable(own)) throw own;
        this.#report(own);
      }
    return { moved, isWhole };
  }

  /**
   * Moves the first entries of companies. The move commits before the removal begins. On a distributed database a worker commits the removal before
   * the coordinator commits its own rows, and a crash between the two would lose them.
   */
  async #together(companies: readonly number[]): Promise<Moved> {
    const { database } = this.#services;
    const { made, isWhole } = await systemTransaction(database, async (em) => {
      const held = await holdCompanies(em, this.#kind, companies);
      if (held.length === 0) return { made: [], isWhole: true };
      // Read after the locks are held: what their former holder has moved and removed is not seen any more.
      const entries = await em.find(
        OutboxEntry,
        { companyId: { $in: held }, kind: this.#kind },
        { orderBy: { place: 'asc' }, limit: MAX_ENTRIES, disableIdentityMap: true },
      );
      const count = entries.length > 0 ? await this.#move(em, entries) : 0;
      return { made: entries.slice(0, count), isWhole: count === entries.length && count < MAX_ENTRIES };
    });
    if (made.length > 0)
      await systemTransaction(database, (em) =>
        em.nativeDelete(OutboxEntry, {
          companyId: { $in: [...new Set(made.map(({ companyId }) => companyId))] },
          place: { $in: made.map(({ place }) => place) },
        }),
      );
    return { isWhole, moved: made.length };
  }
}

/** What a transaction has moved, and whether that was all. */
interface Moved {
  isWhole: boolean;
  moved: number;
}

// The turn of a pull: the work of one queue job, with its transactions, its time, and the queue job that continues.
import type { Services } from '../../access/context.ts';
import type { EntityManager } from '../../database/open.ts';
import { organisationTransaction } from '../../database/transaction.ts';
import { type EventSource, sourceOf } from '../../events/events.ts';
import { enqueue, type JobContext, type JobPayload } from '../../queue/queue.ts';
import { GatewayError } from '../../records/errors.ts';
import { isOver, lockSyncOf, type SyncState } from './state/sync-state.ts';

/** The name of the task that runs pulls. */
export const PULL_TASK = 'pull-sync';

/** Work of one queue job, after which the pull continues in another. */
const TURN_MS = 600_000;
/** Longest work of one that cannot continue in another. */
export const MAX_TURN_MS = 900_000;

/** Thrown when the pull continues in another queue job. */
export class Paused extends Error {}

/** The source did not come to an end in its time. It is not tried again at once. */
export class Endless extends GatewayError {
  constructor(dataModel: string, ms: number) {
    super('PLATFORM_TIMEOUT', `the source gave ${dataModel} records for more than ${ms / 1_000} seconds without an end`);
  }
}

/** The work of one queue job on a pull. */
export class PullTurn {
  readonly services: Services;
  readonly organisationId: number;
  readonly #payload: JobPayload;
  readonly #queued: JobContext;
  readonly #began: number;

  constructor(services: Services, payload: JobPayload, queued: JobContext) {
    this.services = services;
    this.organisationId = Number(payload.organisationId);
    this.#payload = payload;
    this.#queued = queued;
    this.#began = services.clock.now().getTime();
  }

  get source(): EventSource {
    return sourceOf(this.services, this.organisationId);
  }

  /** Aborts when the queue takes the job away. */
  get signal(): AbortSignal {
    return this.#queued.signal;
  }

  now(): Date {
    return this.services.clock.now();
  }

  /** How long this queue job has worked. */
  get ms(): number {
    return this.now().getTime() - this.#began;
  }

  get isOver(): boolean {
    return this.ms > TURN_MS;
  }

  /** Runs work in a transaction that locks the sync; does nothing when the sync is over, such as after a cancellation. */
  transaction<T>(work: (em: EntityManager, sync: SyncState) => Promise<T>): Promise<T | undefined> {
    return organisationTransaction(this.services.database, this.organisationId, async (em) => {
      const sync = await lockSyncOf(em, this.services, this.#payload);
      return sync && !isOver(sync) ? work(em, sync) : undefined;
    });
  }

  /** Lets another queue job continue with the pull. */
  async handOver(em: EntityManager, runAfter?: Date): Promise<void> {
    enqueue(em, this.services.queue, PULL_TASK, this.#payload, runAfter ? { runAfter } : {});
    await this.complete(em);
  }

  /** Lets another queue job continue where this one has worked long enough; returns whether it did. */
  async endIfOver(em: EntityManager): Promise<boolean> {
    if (!this.isOver) return false;
    await this.handOver(em);
    return true;
  }

  /** Completes the queue job in the caller's transaction. */
  complete(em: EntityManager): Promise<void> {
    return this.#queued.completeIn(em.getTransactionContext());
  }
}

// Recurring work. Each schedule is a task of the queue that enqueues its own next run, so that one process of many makes each run. A run takes eight
// statements in addition to those of its chores, so chores with the same interval share one. What is due at short notice is a watch.
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Database, EntityManager } from '../database/open.ts';
import { systemTransaction } from '../database/transaction.ts';
import type { Clock } from '../runtime/clock.ts';
import { enqueue, type Queue, type Task } from './queue.ts';

/** The services that schedules use. */
export interface ScheduleServices {
  config: Config;
  database: Database;
  queue: Queue;
  clock: Clock;
  log: Logger;
}

/** Recurring work for all organisations. */
export interface Chore {
  name: string;
  /** Does one batch in the given transaction; returns whether more is left. */
  batch(em: EntityManager, services: ScheduleServices): Promise<boolean>;
}

/** Chores that are done at the same time. */
export interface Schedule {
  name: string;
  /** Milliseconds from the end of a run to the next. */
  everyMs: number;
  chores: readonly Chore[];
}

/** The moment before which a chore removes records that are stored for a number of days. Undefined for 0 days, which means indefinitely. */
export const cutoff = ({ clock }: Pick<ScheduleServices, 'clock'>, days: number): string | undefined =>
  days === 0 ? undefined : new Date(clock.now().getTime() - days * 86_400_000).toISOString();

/** At most one run of a schedule waits at a time. */
const WAITING = { singletonKey: 'next' };

/**
 * How often a failed run is repeated: the most that the queue can count. A schedule whose runs all failed for some minutes, as on a full disk, would
 * otherwise not run again before the next start.
 */
const ALWAYS = 2 ** 31 - 1;

/** The task of a schedule. */
export const scheduleTask = (services: ScheduleServices, { name, everyMs, chores }: Schedule): Task => ({
  name,
  ungrouped: 'a schedule works for all organisations, in batches',
  singleton: true,
  retry: { limit: ALWAYS, delaySeconds: 60 },
  async handler(_, job) {
    const failed: Error[] = [];
    /** Whether a chore has more to do. One that fails ends, and the others continue. */
    const isLeft = (chore: Chore): Promise<boolean> =>
      systemTransaction(services.database, (em) => chore.batch(em, services)).catch((error: Error) => {
        failed.push(new Error(`${chore.name}: ${error.message}`, { cause: error }));
        return false;
      });
    // A batch of each by turns, so that a long one does not keep the others waiting.
    for (let open = chores; open.length > 0 && !job.signal.aborted; ) {
      const left: Chore[] = [];
      for (const chore of open) if (await isLeft(chore)) left.push(chore);
      open = left;
    }
    if (failed.length > 0)
      throw failed.length === 1 ? failed[0] : new AggregateError(failed, failed.map(({ message }) => message).join('; '));
    const runAfter = new Date(services.clock.now().getTime() + everyMs);
    await systemTransaction(services.database, async (em) => {
      await job.completeIn(em.getTransactionContext());
      enqueue(em, job.queue, name, {}, { ...WAITING, runAfter });
    });
  },
});

/** Enqueues the first run of each schedule; adds none where a run already waits. */
export async function startSchedules(services: ScheduleServices, schedules: readonly Schedule[]): Promise<void> {
  await systemTransaction(services.database, async (em) => {
    for (const { name } of schedules) enqueue(em, services.queue, name, {}, WAITING);
  });
}

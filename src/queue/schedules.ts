// Recurring work. Each schedule is a task of the queue that enqueues its own next run, so that one process of many makes each run.
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
export interface Schedule {
  name: string;
  everyMs: number;
  /** Does one batch in the given transaction; returns whether more is left. */
  batch(em: EntityManager, services: ScheduleServices): Promise<boolean>;
}

/** How often schedules look for what their retention removes: with the time of a run, at least once a minute. */
export const RETENTION_MS = 30_000;

/** The moment before which a schedule removes records that are stored for a number of days. Undefined for 0 days, which means indefinitely. */
export const cutoff = ({ clock }: Pick<ScheduleServices, 'clock'>, days: number): string | undefined =>
  days === 0 ? undefined : new Date(clock.now().getTime() - days * 86_400_000).toISOString();

/** At most one run of a schedule waits at a time. */
const WAITING = { singletonKey: 'next' };

/** The task of a schedule. */
export const scheduleTask = (services: ScheduleServices, { name, everyMs, batch }: Schedule): Task => ({
  name,
  ungrouped: 'a schedule works for all organisations, in batches',
  singleton: true,
  retry: { limit: 10, delaySeconds: 60 },
  async handler(_, job) {
    while (!job.signal.aborted && (await systemTransaction(services.database, (em) => batch(em, services))));
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

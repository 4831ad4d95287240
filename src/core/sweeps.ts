// Work that comes round by the clock: each sweep is a task of the queue that puts its own next run there, so one process of many makes each run.
import type { Services } from './context.ts';
import type { EntityManager } from './database.ts';
import type { Task } from './queue.ts';
import { systemTransaction } from './transact.ts';

/** Something done again and again for all organisations. */
export interface Sweep {
  name: string;
  everyMs: number;
  /** Does one portion in its own transaction; answers whether more is left. */
  portion(em: EntityManager, services: Services): Promise<boolean>;
}

/** The moment before which a sweep removes what is kept for so many days; undefined where it is kept for ever. */
export const cutoff = ({ clock }: Services, days: number): string | undefined =>
  days === 0 ? undefined : new Date(clock.now().getTime() - days * 86_400_000).toISOString();

/** One run waits at a time. */
const WAITING = { singletonKey: 'next' };

/** The task of a sweep. */
export const sweepTask = (services: Services, { name, everyMs, portion }: Sweep): Task => ({
  name,
  singleton: true,
  retry: { limit: 10, delaySeconds: 60 },
  async handler(_, job) {
    while (!job.signal.aborted && (await systemTransaction(services.database, (em) => portion(em, services))));
    const runAfter = new Date(services.clock.now().getTime() + everyMs);
    await systemTransaction(services.database, async (em) => {
      await job.completeIn(em.getTransactionContext());
      await job.queue.enqueue(em.getTransactionContext(), name, {}, { ...WAITING, runAfter });
    });
  },
});

/** Starts the rounds; where a run waits or works already, nothing is added. */
export async function startSweeps(services: Services, sweeps: readonly Sweep[]): Promise<void> {
  for (const { name } of sweeps)
    await systemTransaction(services.database, (em) => services.queue.enqueue(em.getTransactionContext(), name, {}, WAITING));
}

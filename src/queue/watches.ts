// Work that is due at moments that only the rows show. Each process looks for it with one statement; a run of a schedule takes twelve.
import type { ReadValues, Statement } from '../database/read-path/read-path.ts';
import { systemTransaction } from '../database/transaction.ts';
import { type PollResult, subscribe } from '../runtime/poll.ts';
import type { BackgroundFailures } from './failures.ts';
import type { Chore, ScheduleServices } from './schedules.ts';

/** The services that watches use. */
export interface WatchServices extends ScheduleServices {
  failures: Pick<BackgroundFailures, 'note'>;
}

/** A chore that several processes may do at the same time. */
export interface Watch extends Chore {
  /** Milliseconds between two looks. */
  everyMs: number;
  /** Has a row while there is something to do. */
  due(services: ScheduleServices): { statement: Statement; values: ReadValues };
}

/** Starts to look; returns how to end it, after the batches under way. */
export function startWatches(services: WatchServices, watches: readonly Watch[]): () => Promise<void> {
  const stops = watches.map((watch) => {
    let isStopping = false;
    const round = async (): Promise<PollResult<void>> => {
      try {
        const { statement, values } = watch.due(services);
        if ((await services.database.read(statement, values)).length > 0)
          while ((await systemTransaction(services.database, (em) => watch.batch(em, services))) && !isStopping);
      } catch (error) {
        services.failures.note(error, watch.name);
      }
      return { items: [] };
    };
    const rounds = subscribe<void>(() => () => {}, round, watch.everyMs);
    const ended = rounds.next();
    return async () => {
      isStopping = true;
      await rounds.return!();
      await ended;
    };
  });
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}

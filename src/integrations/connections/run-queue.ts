// The queue of the runs of connections. Here they are enqueued; syncs/connection-schedule.ts starts them.
import type { Services } from '../../access/context.ts';
import type { EntityManager } from '../../database/open.ts';
import { enqueue } from '../../queue/queue.ts';
import type { Connection } from './connection.ts';

/** The task that starts the run of a connection. */
export const RUN_TASK = 'connection-run';

/** A run to start. */
export type RunPayload = {
  connectionId: string;
  organisationId: number;
  /** Company of the connection. */
  companyId: number;
  /** Names of data models by commas, where a message of the source says what changed; empty for what the schedules say. */
  dataModels: string;
};

/** Enqueues a run of a connection; one of the same data models that waits already is enough. */
export const enqueueRun = (em: EntityManager, { queue }: Pick<Services, 'queue'>, payload: RunPayload, runAfter?: Date): void =>
  enqueue(em, queue, RUN_TASK, payload, {
    singletonKey: `${payload.connectionId} ${payload.dataModels}`,
    ...(runAfter ? { runAfter } : {}),
  });

/** Starts every rhythm of a connection at once. One that cannot begin because another run is under way stays due for the schedule. */
export function startAtOnce(em: EntityManager, services: Services, connection: Connection): void {
  connection.dueAt = {};
  connection.nextRunAt = services.clock.now();
  const { id: connectionId, organisationId, companyId } = connection;
  enqueueRun(em, services, { connectionId, organisationId, companyId, dataModels: '' });
}

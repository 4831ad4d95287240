// The schedule of connections: starts the pulls that are due.
import { LockMode } from '@mikro-orm/core';
import type { Services } from '../../access/context.ts';
import { engineOf } from '../../database/engine/engine.ts';
import type { EntityManager } from '../../database/open.ts';
import { organisationTransaction } from '../../database/transaction.ts';
import type { Task } from '../../queue/queue.ts';
import type { Watch } from '../../queue/watches.ts';
import { GatewayError } from '../../records/errors.ts';
import { connectedCompany } from '../companies/company.ts';
import { Connection } from '../connections/connection.ts';
import { enqueueRun, RUN_TASK, type RunPayload } from '../connections/run-queue.ts';
import { dueRhythms, fullSyncDaysOf, MAX_DAYS, modelsOf, scheduleNext } from '../connections/schedule.ts';
import { dataModelsOf } from '../connections/sources.ts';
import type { ConnectorCompany } from '../connectors/connector.ts';
import { FILES } from '../connectors/files/inbox.ts';
import { beginPull } from './begin-pull.ts';
import { DUE_CONNECTIONS } from './pull.statements.ts';
import { resumePushes } from './push.ts';
import { lastFullPulls } from './state/sync.statements.ts';

/** Wait of a run that a message of the source starts while another run is under way. */
const CHANGED_AGAIN_MS = 30_000;
/** Most connections whose runs are started in one transaction. */
const BATCH = 50;

const DAY_MS = 86_400_000;

/** Wait before a connection is looked at again whose run could not begin, because another one was under way. */
const AGAIN_MS = 60_000;

/** Enqueues a run for every connection that is due; the run sets when the next one is. */
export const connectionSchedule: Watch = {
  name: 'connection-schedule',
  // The shortest interval of a connection is a minute.
  everyMs: 15_000,
  due: ({ clock }) => ({ statement: DUE_CONNECTIONS, values: [clock.now().toISOString()] }),
  async batch(em, services) {
    const now = services.clock.now();
    const due = await em.find(
      Connection,
      { nextRunAt: { $lte: now } },
      {
        fields: ['id', 'organisationId', 'companyId'],
        orderBy: { nextRunAt: 'asc' },
        limit: BATCH,
        // Without those that another process starts.
        lockMode: engineOf(em).skipLocked.mode,
        filters: { tenant: false },
        disableIdentityMap: true,
      },
    );
    const nextRunAt = new Date(now.getTime() + AGAIN_MS);
    for (const { id, companyId, organisationId } of due) {
      // Of several processes that found it, one starts it.
      const isDue = { id, companyId, nextRunAt: { $lte: now } };
      if ((await em.nativeUpdate(Connection, isDue, { nextRunAt }, { filters: { tenant: false } })) > 0)
        enqueueRun(em, services, { connectionId: id, organisationId, companyId, dataModels: '' });
    }
    return due.length === BATCH;
  },
};

/** The task that starts a pull of a connection. What is due while another pull is under way waits for its end. */
export const connectionRun = (services: Services): Task<RunPayload> => ({
  name: RUN_TASK,
  retry: { limit: 3, delaySeconds: 5, backoff: true },
  singleton: true,
  async handler({ connectionId, organisationId, dataModels: changed }, job) {
    const scope = { tenant: { organisationId, companyIds: null } };
    const connection = await services.reader.one(Connection, { id: connectionId }, ['companyId', 'source'], scope);
    const company = connection && { organisationId, ledgerId: connection.companyId, integrationType: connection.source };
    // Read before the transaction: the embedded database has one connection, which the transaction holds.
    const [served = []] = company ? await dataModelsOf(services, [company]) : [];
    await organisationTransaction(services.database, organisationId, async (em) => {
      await job.completeIn(em.getTransactionContext());
      const isBusy = company && !(await begin(em, services, connectionId, company, served, changed));
      // The run under way may be past these records already.
      if (isBusy && changed)
        enqueueRun(
          em,
          services,
          { connectionId, organisationId, companyId: company.ledgerId, dataModels: changed },
          new Date(services.clock.now().getTime() + CHANGED_AGAIN_MS),
        );
    });
  },
});

/** Starts the pushes and the pull of a connection that is still scheduled; returns whether no other pull is in its way. */
async function begin(
  em: EntityManager,
  services: Services,
  id: string,
  { organisationId, ledgerId }: ConnectorCompany,
  served: string[],
  changed: string,
): Promise<boolean> {
  try {
    // The company before the connection, in the order in which a disconnection locks them.
    const company = await connectedCompany(em, organisationId, ledgerId);
    const connection = await em.findOne(Connection, { id, companyId: ledgerId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!connection || connection.nextRunAt === null) return true;
    resumePushes(em, services, organisationId, ledgerId);
    const now = services.clock.now();
    const due = changed ? [] : dueRhythms(connection, now);
    const named = changed.split(',');
    const dataModels = changed ? served.filter((dataModel) => named.includes(dataModel)) : modelsOf(connection, due, served);
    const full = changed ? [] : await fullyDue(em, connection, dataModels, now);
    const fullSync = full.length > 0;
    const pulled = fullSync ? full : dataModels;
    if (pulled.length > 0) await beginPull(em, services, { organisationId, company, dataModels: pulled, fullSync, syncType: 'AUTO_SYNC' });
    // What is due besides begins when the full run has ended.
    if (due.length > 0 && pulled.length === dataModels.length) scheduleNext(connection, due, now);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return error.code !== 'SYNC_IN_PROGRESS';
  }
  return true;
}

/**
 * The data models whose last full run is as old as their schedule says, or a day old where it failed. The first run of a connection pulls everything
 * as well. The inbox does not show what was deleted: its full runs are for callers, who know when all files are there.
 */
async function fullyDue(em: EntityManager, connection: Connection, dataModels: readonly string[], now: Date): Promise<string[]> {
  if (connection.source === FILES || dataModels.length === 0) return [];
  const before = (days: number): Date => new Date(now.getTime() - days * DAY_MS);
  const last = new Map((await lastFullPulls(em, connection.companyId, before(MAX_DAYS))).map((pull) => [pull.dataModel, pull]));
  return dataModels.filter((dataModel) => {
    const { at, status } = last.get(dataModel) ?? { at: connection.createdAt, status: '' };
    const days = fullSyncDaysOf(connection, dataModel);
    return days > 0 && new Date(at) <= before(status === 'FAILED' ? Math.min(1, days) : days);
  });
}

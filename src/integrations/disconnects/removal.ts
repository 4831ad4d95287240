// The removal of a company: it is marked, so that no read finds it or its records any more, and a task removes the rows.
import { LockMode } from '@mikro-orm/core';
import type { Services } from '../../access/context.ts';
import type { EntityManager } from '../../database/open.ts';
import { organisationTransaction } from '../../database/transaction.ts';
import { enqueue, type Task } from '../../queue/queue.ts';
import { GatewayError, invalid } from '../../records/errors.ts';
import { notFound } from '../../records/not-found.ts';
import { announceChange, Company } from '../companies/company.ts';
import { Connection } from '../connections/connection.ts';
import { refuseDuringSync } from '../syncs/state/sync-state.ts';
import { removeSome } from './removal.statements.ts';

const TASK = 'company-removal';
const LOOK_AGAIN_MS = 10_000;

/** Which company a job removes. */
type RemovalPayload = Pick<Company, 'organisationId' | 'ledgerId'>;

/**
 * Marks a disconnected company as removed and enqueues the removal of its rows. Of two removals at once the second finds no company. Throws
 * INVALID_STATE_TRANSITION for a company that is connected: its source would lose the records it keeps up to date without a decision on it.
 */
export async function removeCompany(
  em: EntityManager,
  services: Services,
  organisationId: number,
  ledgerId: number,
  name: string,
): Promise<void> {
  const company = await em.findOne(Company, { ledgerId, removedAt: null }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!company) throw notFound(Company, ledgerId, 'id');
  if (company.name !== name) throw invalid('name', 'name must be the name of the company, as it is stored', 'MISMATCH');
  if (company.connectionStatus !== 'DISCONNECTED')
    throw new GatewayError(
      'INVALID_STATE_TRANSITION',
      `company ${ledgerId} is connected to ${company.integrationType}; approve a disconnect request for it first`,
      { field: 'id' },
    );
  await refuseDuringSync(em, ledgerId);
  company.removedAt = services.clock.now();
  announceChange(em, services, company);
  enqueue(em, services.queue, TASK, { organisationId, companyId: ledgerId, ledgerId });
}

/** The task that removes the rows of a removed company, the company last. A run that was interrupted is continued by the next. */
export const companyRemoval = (services: Services): Task<RemovalPayload> => ({
  name: TASK,
  retry: { limit: 100, delaySeconds: 10, backoff: true, maxDelaySeconds: 3_600 },
  async handler({ organisationId, ledgerId }, job) {
    // A sign-in that its source has not ended yet needs its tokens.
    const isPutOff = await organisationTransaction(services.database, organisationId, async (em) => {
      if ((await em.count(Connection, { companyId: ledgerId, sealedCredentials: { $ne: null } })) === 0) return false;
      const runAfter = new Date(services.clock.now().getTime() + LOOK_AGAIN_MS);
      enqueue(em, services.queue, TASK, { organisationId, companyId: ledgerId, ledgerId }, { runAfter });
      await job.completeIn(em.getTransactionContext());
      return true;
    });
    if (isPutOff) return;
    const batch = (em: EntityManager): Promise<boolean> =>
      removeSome(em, ledgerId).then(async (removed) => {
        if (removed) return true;
        await em.nativeDelete(Company, { ledgerId, removedAt: { $ne: null } });
        await job.completeIn(em.getTransactionContext());
        return false;
      });
    while (await organisationTransaction(services.database, organisationId, batch)) job.signal.throwIfAborted();
  },
});

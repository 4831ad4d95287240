// The beginning of pulls: a sync with one job per data model, which the queue runs, and the confirmation of deletions.
import type { Services } from '../../access/context.ts';
import { lockUntilCommit } from '../../database/locks.ts';
import type { EntityManager } from '../../database/open.ts';
import { type EventSource, sourceOf } from '../../events/events.ts';
import { enqueue } from '../../queue/queue.ts';
import { GatewayError } from '../../records/errors.ts';
import type { CompanyRow } from '../companies/company.ts';
import { PULL_TASK } from './pull-turn.ts';
import { beginSync, confirmJobs, refuseDuringSync, replaceUnconfirmed, type SyncState } from './state/sync-state.ts';

/** A pull to begin. */
export interface NewPull {
  organisationId: number;
  company: CompanyRow;
  dataModels: string[];
  fullSync: boolean;
  syncType?: 'MANUAL' | 'AUTO_SYNC';
}

/**
 * The data models of a pull: those asked for, or all that the source serves. Throws OPERATION_NOT_SUPPORTED where it serves none of
 * them: such a sync would end without a record, as if the source had none.
 */
export function pulledModels({ ledgerId, integrationType }: CompanyRow, served: string[], wanted: string[] | null | undefined): string[] {
  if (served.length === 0)
    throw new GatewayError(
      'OPERATION_NOT_SUPPORTED',
      `company ${ledgerId} has nothing to pull: no source system serves ${integrationType} here and no file was imported for it`,
      { field: 'companyId' },
    );
  if (wanted && !wanted.some((dataModel) => served.includes(dataModel)))
    throw new GatewayError(
      'OPERATION_NOT_SUPPORTED',
      `the source of company ${ledgerId} has no ${wanted.join(', ')} records; it has ${served.join(', ')}`,
      { field: 'input.dataModels' },
    );
  return wanted ?? served;
}

/** Stores and enqueues a pull in the caller's transaction. Throws SYNC_IN_PROGRESS while another pull of the company is under way. */
export async function beginPull(
  em: EntityManager,
  services: Services,
  { organisationId, company, dataModels, fullSync, syncType = 'MANUAL' }: NewPull,
): Promise<string> {
  await lockPulls(em, company.ledgerId);
  await refuseDuringSync(em, company.ledgerId, 'PULL');
  const source = sourceOf(services, organisationId);
  if (fullSync) await replaceUnconfirmed(em, source, company.ledgerId, dataModels, services.clock.now());
  const { sync } = await beginSync(em, source, {
    organisationId,
    companyId: company.ledgerId,
    integrationType: company.integrationType,
    dataModels,
    configMode: 'READ',
    jobType: 'PULL',
    syncType,
    fullSync,
    now: services.clock.now(),
  });
  enqueue(em, services.queue, PULL_TASK, { syncId: sync.id, companyId: sync.companyId, organisationId });
  return sync.id;
}

/** Lets the deletions of a full pull continue that wait for a confirmation; `lockPulls` comes before the lock of the sync. */
export async function confirmPull(em: EntityManager, services: Services, source: EventSource, sync: SyncState): Promise<void> {
  const isWaiting = sync.status === 'PENDING_CONFIRMATION';
  if (isWaiting) await refuseDuringSync(em, sync.companyId, 'PULL');
  await confirmJobs(em, source, sync, services.clock.now());
  const { id: syncId, companyId, organisationId } = sync;
  // Otherwise a queue job is at work on the other data models, and finds these when it looks for the next one.
  if (isWaiting) enqueue(em, services.queue, PULL_TASK, { syncId, companyId, organisationId });
}

/** Lets pulls of a company begin one after the other. */
export const lockPulls = (em: EntityManager, companyId: number): Promise<void> => lockUntilCommit(em, `pull ${companyId}`);

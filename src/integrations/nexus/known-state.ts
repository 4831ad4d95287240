// The last known states of registrations by the books, and the work that notices their changes. It runs each day, and when a corporation names
// companies.
import type { Services } from '../../access/context.ts';
import { lockUntilCommit } from '../../database/locks.ts';
import type { EntityManager } from '../../database/open.ts';
import { organisationTransaction } from '../../database/transaction.ts';
import { emitEvents } from '../../events/events.ts';
import { enqueueNexus, NEXUS_TASK, type NexusPayload } from '../../platform/corporations/companies.ts';
import { Corporation } from '../../platform/corporations/corporation.ts';
import { NeedOutcome } from '../../platform/registrations/enums.ts';
import type { Need } from '../../platform/registrations/needed.ts';
import type { Task } from '../../queue/queue.ts';
import type { Chore } from '../../queue/schedules.ts';
import { enumeration, identifier, ledgerNumber, moment, record } from '../../records/decorators.ts';
import { newId } from '../../records/ids.ts';
import { statesByBooks } from './states.ts';

/** A state other than BELOW, which is that of every registration without a row. */
@record({
  description: 'What the sales of a corporation meant for a registration when they were last looked at.',
  scope: 'organisation',
  key: 'id',
  prefix: 'nxs',
  internal: true,
  unique: [{ name: 'nexus_state_key', columns: 'corporation_id, registration_content_id' }],
})
export class NexusState {
  @identifier('Identifier, `nxs_…`.', { required: true, write: 'never' }) id!: string;
  @ledgerNumber('Organisation that owns the corporation.', { required: true, write: 'never', hidden: true }) organisationId!: number;
  @identifier('Corporation whose sales they are.', { required: true, write: 'never' }) corporationId!: string;
  @identifier('Content entry of the registration.', { required: true, write: 'never' }) registrationContentId!: string;
  @identifier('Jurisdiction to register in.', { required: true, write: 'never' }) jurisdictionId!: string;
  @enumeration(NeedOutcome, 'The state.', { required: true, write: 'never' }) state!: NeedOutcome;
  @moment('Since when it is known.', { required: true, write: 'never' }) changedAt!: Date;
}

/** The task that compares the sales of a corporation with thresholds, and emits an event for each state that changed. */
export const nexusCheck = (services: Services): Task<NexusPayload> => ({
  name: NEXUS_TASK,
  retry: { limit: 5, delaySeconds: 60, backoff: true },
  singleton: true,
  async handler({ organisationId, corporationId: id }, job) {
    const scope = { tenant: { organisationId, companyIds: null } };
    const corporation = await services.reader.one(Corporation, { id }, ['jurisdiction', 'companyIds'], scope);
    if (!corporation) return;
    const { companyIds, jurisdiction } = corporation;
    const needs = companyIds ? await statesByBooks({ services, scope, organisationId, companyIds }, { id, jurisdiction }) : [];
    await organisationTransaction(services.database, organisationId, async (em) => {
      await lockUntilCommit(em, `nexus ${id}`);
      await store(em, services, organisationId, id, needs);
      await job.completeIn(em.getTransactionContext());
    });
  },
});

async function store(em: EntityManager, services: Services, organisationId: number, corporationId: string, needs: Need[]): Promise<void> {
  const changedAt = services.clock.now();
  const known = new Map((await em.find(NexusState, { corporationId })).map((state) => [state.registrationContentId, state]));
  const change = (registrationContentId: string, jurisdictionId: string, current: NeedOutcome, reason: string): void => {
    const stored = known.get(registrationContentId);
    known.delete(registrationContentId);
    const previous = stored?.state ?? 'BELOW';
    if (previous === current) return;
    if (!stored) {
      const id = newId('nxs');
      em.persist(
        em.create(NexusState, { id, organisationId, corporationId, registrationContentId, jurisdictionId, state: current, changedAt }),
      );
    } else if (current === 'BELOW') em.remove(stored);
    else em.assign(stored, { state: current, changedAt });
    const data = {
      corporation_id: corporationId,
      registration_content_id: registrationContentId,
      jurisdiction: jurisdictionId,
      previous,
      current,
      reason,
    };
    emitEvents(em, { services, organisationId, organisation: null }, [
      { topic: 'REGISTRATIONS.NEED.UPDATED', subject: corporationId, data },
    ]);
  };
  for (const { entry, outcome, reason } of needs) change(entry.registrationContentId, entry.jurisdictionId, outcome, reason);
  for (const { registrationContentId, jurisdictionId } of [...known.values()])
    change(registrationContentId, jurisdictionId, 'BELOW', 'There are no sales in the periods that count.');
}

/** Most corporations that are read at a time. */
const PAGE = 1_000;

/** Looks at every corporation that names companies, each day: periods begin and end without a write. */
export const nexusSchedule: Chore = {
  name: 'nexus-schedule',
  async batch(em, services) {
    for (let after = ''; ; ) {
      const page = await em.find(
        Corporation,
        { id: { $gt: after }, companyIds: { $ne: null }, archivedAt: null },
        { fields: ['id', 'organisationId'], orderBy: { id: 'asc' }, limit: PAGE, filters: { tenant: false }, disableIdentityMap: true },
      );
      for (const { id, organisationId } of page) enqueueNexus(em, services, { organisationId, corporationId: id });
      if (page.length < PAGE) return false;
      after = page.at(-1)!.id;
    }
  },
};

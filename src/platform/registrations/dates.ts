// Status changes of registrations by date: SCHEDULED ones take effect, REGISTERED ones end. Every read applies them; a task stores them at the start of the day.
import { LockMode } from '@mikro-orm/core';
import type { RequestContext, Services } from '../../access/context.ts';
import type { EntityManager } from '../../database/open.ts';
import type { Condition, ConditionOperator, Filter } from '../../database/reader/conditions.ts';
import { organisationTransaction } from '../../database/transaction.ts';
import { enqueue, type Task } from '../../queue/queue.ts';
import { modelOf, propOf } from '../../records/metadata.ts';
import { dayAfter, startOf, today } from '../shared/dates.ts';
import type { StateOf } from '../shared/states.ts';
import { emitStatusChange } from './events.ts';
import { Registration } from './registration.ts';

/** The properties that determine the status of a registration on a day. */
export type DatedStatus = Pick<Registration, 'storedStatus' | 'effectiveStartDate' | 'effectiveEndDate'>;

/** The status on a day. */
export function shownRegistrationStatus(
  { storedStatus, effectiveStartDate, effectiveEndDate }: DatedStatus,
  day: string,
): StateOf<'registrationStatus'> {
  if (storedStatus !== 'SCHEDULED' && storedStatus !== 'REGISTERED') return storedStatus;
  if (effectiveEndDate !== null && effectiveEndDate < day) return 'CLOSED';
  return storedStatus === 'SCHEDULED' && effectiveStartDate !== null && effectiveStartDate <= day ? 'REGISTERED' : storedStatus;
}

/** The same rule as a condition: the registrations that `shownRegistrationStatus` shows with one of the statuses on a day. */
export function shownStatusFilter(statuses: readonly string[], day: string): Filter {
  const is = (name: keyof DatedStatus, operator: ConditionOperator, value: unknown): Condition => ({
    prop: propOf(modelOf(Registration), name),
    operator,
    value,
  });
  const ended: Filter = { all: [is('storedStatus', 'in', ['SCHEDULED', 'REGISTERED']), is('effectiveEndDate', 'lt', day)] };
  const begun: Filter = { all: [is('storedStatus', 'eq', 'SCHEDULED'), is('effectiveStartDate', 'lte', day)] };
  const shown = (status: string): Filter => {
    const stored = is('storedStatus', 'eq', status);
    if (status === 'CLOSED') return { any: [stored, ended] };
    if (status === 'REGISTERED') return { all: [{ any: [stored, begun] }, { not: ended }] };
    return { all: [stored, { not: { any: [ended, begun] } }] };
  };
  return { any: statuses.map(shown) };
}

/**
 * Gives a locked registration the status of today and emits its event, if it differs from the stored one. Other writes call it first, so that
 * they start from the status callers see.
 */
export function settleRegistration(em: EntityManager, services: Services, registration: Registration): void {
  const { storedStatus: stored } = registration;
  const shown = shownRegistrationStatus(registration, today(services.clock));
  if (shown === stored) return;
  registration.storedStatus = shown;
  registration.updatedAt = services.clock.now();
  emitStatusChange(em, services, registration, stored, shown);
}

const TASK = 'registration.dates';

/** Which registration a job settles. */
type SettlingPayload = Pick<Registration, 'organisationId' | 'id'>;

/** The task that settles a registration on the days its status changes. */
export const registrationDates = (services: Services): Task<SettlingPayload> => ({
  name: TASK,
  retry: { limit: 10, delaySeconds: 60, backoff: true, maxDelaySeconds: 3_600 },
  handler: ({ organisationId, id }, job) =>
    organisationTransaction(services.database, organisationId, async (em) => {
      const registration = await em.findOne(Registration, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
      if (registration) settleRegistration(em, services, registration);
      await job.completeIn(em.getTransactionContext());
    }),
});

/** Enqueues the task for the future days on which the status changes. */
export async function planSettling(
  { services }: RequestContext,
  em: EntityManager,
  { organisationId, id }: SettlingPayload,
  starts: string | null,
  ends: string | null,
): Promise<void> {
  const day = today(services.clock);
  const days = [starts !== null && starts > day ? starts : null, ends !== null && ends >= day ? dayAfter(ends) : null];
  for (const due of days) {
    if (due !== null) enqueue(em, services.queue, TASK, { organisationId, id }, { runAfter: startOf(due) });
  }
}

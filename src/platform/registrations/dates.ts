// Status changes of registrations by date: SCHEDULED ones take effect, REGISTERED ones end. Every read applies them; a task stores them at the start of the day.
import type { RequestContext, Services } from '../../access/context.ts';
import { type EntityManager, executeIn } from '../../database/open.ts';
import { organisationTransaction } from '../../database/transaction.ts';
import type { Task } from '../../queue/queue.ts';
import { dayAfter, startOf, today } from '../shared/dates.ts';
import type { StateOf } from '../shared/states.ts';
import { emitStatusChange } from './events.ts';

/** The properties that determine the status of a registration on a day. */
export interface DatedStatus {
  storedStatus: StateOf<'registrationStatus'>;
  effectiveStartDate: string | null;
  effectiveEndDate: string | null;
}

/** The status on a day. */
export function shownRegistrationStatus(
  { storedStatus, effectiveStartDate, effectiveEndDate }: DatedStatus,
  day: string,
): StateOf<'registrationStatus'> {
  if (storedStatus !== 'SCHEDULED' && storedStatus !== 'REGISTERED') return storedStatus;
  if (effectiveEndDate !== null && effectiveEndDate < day) return 'CLOSED';
  return storedStatus === 'SCHEDULED' && effectiveStartDate !== null && effectiveStartDate <= day ? 'REGISTERED' : storedStatus;
}

/** Stores the status of today and emits its event, if it differs from the stored one. Other writes call it first, so that they start from the status callers see. */
export async function settleRegistration(em: EntityManager, services: Services, organisationId: number, id: string): Promise<void> {
  const [row] = await executeIn<{
    stored: DatedStatus['storedStatus'];
    starts: string | null;
    ends: string | null;
    corporation_id: string;
  }>(
    em,
    `select stored_status as stored, effective_start_date::text as starts, effective_end_date::text as ends, corporation_id
     from registration where id = $1 for update`,
    [id],
  );
  if (!row) return;
  const shown = shownRegistrationStatus(
    { storedStatus: row.stored, effectiveStartDate: row.starts, effectiveEndDate: row.ends },
    today(services.clock),
  );
  if (shown === row.stored) return;
  const now = services.clock.now().toISOString();
  await executeIn(em, 'update registration set stored_status = $2, updated_at = $3::timestamptz where id = $1', [id, shown, now]);
  await emitStatusChange(em, services, { organisationId, id, corporationId: row.corporation_id }, row.stored, shown);
}

const TASK = 'registration.dates';

/** The task that settles a registration on the days its status changes. */
export const registrationDates = (services: Services): Task => ({
  name: TASK,
  retry: { limit: 10, delaySeconds: 60, backoff: true, maxDelaySeconds: 3_600 },
  handler: (payload, job) =>
    organisationTransaction(services.database, Number(payload.organisationId), async (em) => {
      await settleRegistration(em, services, Number(payload.organisationId), String(payload.id));
      await job.completeIn(em.getTransactionContext());
    }),
});

/** Enqueues the task for the future days on which the status changes. */
export async function planSettling(
  { services }: RequestContext,
  em: EntityManager,
  organisationId: number,
  id: string,
  starts: string | null,
  ends: string | null,
): Promise<void> {
  const day = today(services.clock);
  const days = [starts !== null && starts > day ? starts : null, ends !== null && ends >= day ? dayAfter(ends) : null];
  for (const due of days) {
    if (due !== null) await services.queue.enqueue(em.getTransactionContext(), TASK, { organisationId, id }, { runAfter: startOf(due) });
  }
}

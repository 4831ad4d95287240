// Clears the delivery log: deliveries that ended more than 30 days ago, and events that no delivery refers to any more.
import { type EntityManager, executeIn } from '../database/open.ts';
import type { Schedule } from '../queue/schedules.ts';

const HOUR_MS = 3_600_000;
/** Rows removed in one transaction. */
const BATCH = 2_000;

/** Removes deliveries with their attempts, then events of that age without a delivery, then deleted webhooks without a log. */
async function batch(em: EntityManager, now: Date): Promise<boolean> {
  const [counts] = await executeIn<{ deliveries: number; events: number }>(
    em,
    `with old as (
       delete from webhook_delivery where id in (select id from webhook_delivery where finished_at < $1::timestamptz - interval '30 days' order by finished_at limit ${BATCH}) returning id),
     attempts as (delete from webhook_attempt where delivery_id in (select id from old)),
     events as (
       delete from event where id in (
         select id from event where triggered_at < $1::timestamptz - interval '30 days' and not exists (select 1 from webhook_delivery d where d.event_id = event.id)
         order by triggered_at limit ${BATCH}) returning id)
     select (select count(*)::int from old) as deliveries, (select count(*)::int from events) as events`,
    [now.toISOString()],
  );
  if (counts!.deliveries > 0 || counts!.events > 0) return true;
  await executeIn(
    em,
    'delete from webhook w where deleted_at is not null and not exists (select 1 from webhook_delivery d where d.webhook_id = w.id)',
  );
  return false;
}

export const deliveryLogRetention: Schedule = {
  name: 'webhook-sweep',
  everyMs: HOUR_MS,
  batch: (em, services) => batch(em, services.clock.now()),
};

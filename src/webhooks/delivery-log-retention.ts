// Clears the delivery log: deliveries that ended before their retention, and events past theirs that no delivery refers to.
import type { EntityManager } from '../database/open.ts';
import { Event } from '../events/event.ts';
import { removeRows } from '../queue/retention.statements.ts';
import { type Chore, cutoff } from '../queue/schedules.ts';
import { WebhookAttempt, WebhookDelivery } from './delivery.ts';
import { Webhook } from './webhook.ts';

/** Removes deliveries with their attempts; returns their number. */
async function removeDeliveries(em: EntityManager, before: string): Promise<number> {
  const condition = 't.finished_at < $1::timestamptz';
  const deliveries = await removeRows(em, WebhookDelivery, { condition, values: [before], order: 'finished_at' });
  if (deliveries.length > 0) await em.nativeDelete(WebhookAttempt, { deliveryId: { $in: deliveries } }, { filters: { tenant: false } });
  return deliveries.length;
}

/**
 * Removes events without a delivery; returns their number. The offset keeps the condition from becoming a join. The join read both tables whole for
 * each batch, which took longer with a million deliveries than a statement may.
 */
async function removeEvents(em: EntityManager, before: string): Promise<number> {
  const condition = 't.triggered_at < $1::timestamptz and not exists (select 1 from webhook_delivery d where d.event_id = t.id offset 0)';
  return (await removeRows(em, Event, { condition, values: [before], order: 'triggered_at' })).length;
}

/** Removes deliveries, then events, then deleted webhooks without a log. */
async function batch(em: EntityManager, deliveriesBefore: string | undefined, eventsBefore: string | undefined): Promise<boolean> {
  const deliveries = deliveriesBefore ? await removeDeliveries(em, deliveriesBefore) : 0;
  const events = eventsBefore ? await removeEvents(em, eventsBefore) : 0;
  if (deliveries + events > 0) return true;
  await removeRows(em, Webhook, {
    condition: 't.deleted_at is not null and not exists (select 1 from webhook_delivery d where d.webhook_id = t.id)',
    values: [],
  });
  return false;
}

/**
 * The moment before which events are removed: an hour after their retention. The times of events are not in the order of their feed, and a cursor of
 * an event that is kept must find those after it.
 */
function removableBefore(services: Parameters<typeof cutoff>[0], days: number): string | undefined {
  const end = cutoff(services, days);
  return end && new Date(Date.parse(end) - HOUR_MS).toISOString();
}

const HOUR_MS = 3_600_000;

export const deliveryLogRetention: Chore = {
  name: 'delivery-retention',
  batch: (em, services) => {
    const { deliveryDays, eventDays } = services.config.retention;
    return batch(em, cutoff(services, deliveryDays), removableBefore(services, eventDays));
  },
};

// Replays: sends one delivery again, or all of a webhook that failed since a time.

import type { Services } from '../access/context.ts';
import type { EntityManager } from '../database/open.ts';
import { DELIVERIES_DUE } from '../events/events.statements.ts';
import { notFound } from '../records/not-found.ts';
import { countReplayable, MAX_REPLAYED, type ReplayTarget, startEpoch } from './deliveries.statements.ts';
import { WebhookDelivery } from './delivery.ts';
import { enabledWebhook, isManaged } from './webhook-store.ts';

/** Starts a new attempt epoch of deliveries. The events keep their ids. WEBHOOK_DISABLED when nothing would be sent. */
export async function replay(
  em: EntityManager,
  services: Services,
  target: ReplayTarget,
  limit: readonly number[] | null,
): Promise<{ queued: number; remaining: number }> {
  const now = services.clock.now();
  const [id, field] = 'webhook' in target ? [target.webhook, 'webhookId'] : [await webhookOf(em, target.delivery, limit), 'id'];
  const webhook = await enabledWebhook(em, { id, limit }, field);
  const started = await startEpoch(em, webhook, target, now);
  if (started > 0) services.notifications.announce(em, DELIVERIES_DUE);
  const remaining = started < MAX_REPLAYED ? 0 : await countReplayable(em, webhook, target, now);
  return { queued: started, remaining };
}

async function webhookOf(em: EntityManager, id: string, limit: readonly number[] | null): Promise<string> {
  const delivery = await em.findOne(WebhookDelivery, { id }, { populate: ['webhook'] });
  if (!delivery?.webhook || !isManaged(delivery.webhook, limit)) throw notFound(WebhookDelivery, id, 'id');
  return delivery.webhookId;
}

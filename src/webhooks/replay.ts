// Replays: sends one delivery again, or all of a webhook that failed since a time.
import type { Services } from '../access/context.ts';
import { type EntityManager, executeIn } from '../database/open.ts';
import { ATTEMPTS, DELIVERY_TASK, deliveryGroup } from '../events/events.ts';
import { GatewayError } from '../records/errors.ts';
import { unknownWebhook } from './webhook-store.ts';

/** Most deliveries one call queues; keeps the statement within its time limit. */
const MOST_REPLAYED = 10_000;

export type ReplayTarget = { delivery: string } | { webhook: string; since: string };

export const unknownDelivery = (id: string): GatewayError =>
  new GatewayError('RECORD_NOT_FOUND', `no delivery has the id ${id.slice(0, 60)}`, { field: 'id' });

/** Starts a new attempt epoch of deliveries, with a job each. The events keep their ids. WEBHOOK_DISABLED when nothing would be sent. */
export async function replay(
  em: EntityManager,
  services: Services,
  organisationId: number,
  target: ReplayTarget,
): Promise<{ queued: number; remaining: number }> {
  const now = services.clock.now().toISOString();
  const webhookId = 'webhook' in target ? target.webhook : await webhookOf(em, organisationId, target.delivery);
  const [webhook] = await executeIn<{ status: string }>(
    em,
    'select status from webhook where organisation_id = $1 and id = $2 and deleted_at is null',
    [organisationId, webhookId],
  );
  if (!webhook) throw unknownWebhook(webhookId);
  if (webhook.status !== 'ENABLED') throw new GatewayError('WEBHOOK_DISABLED', `webhook ${webhookId} is disabled`, { field: 'id' });
  // An attempt that is due may be under way. The job of a later one does nothing in the new epoch.
  const [condition, value] =
    'webhook' in target
      ? [`status in ('FAILED', 'CANCELLED') and created_at >= $4::timestamptz`, target.since]
      : [`id = $4 and (status <> 'PENDING' or next_attempt_at > $3::timestamptz)`, target.delivery];
  const matching = `organisation_id = $1 and webhook_id = $2 and $3::timestamptz is not null and ${condition}`;
  const rows = await executeIn<{ id: string; turn: number }>(
    em,
    `update webhook_delivery set status = 'PENDING', turn = turn + 1, attempts_left = ${ATTEMPTS}, next_attempt_at = $3::timestamptz, finished_at = null
     where id in (select id from webhook_delivery where ${matching} order by id limit ${MOST_REPLAYED} for update) returning id, turn`,
    [organisationId, webhookId, now, value],
  );
  await services.queue.enqueueMany(
    em.getTransactionContext(),
    DELIVERY_TASK,
    rows.map(({ id, turn }, index) => ({
      payload: { delivery: id, organisation: organisationId, turn },
      group: deliveryGroup(webhookId, index),
    })),
  );
  const [remaining] =
    rows.length < MOST_REPLAYED
      ? []
      : await executeIn<{ count: number }>(em, `select count(*)::int as count from webhook_delivery where ${matching}`, [
          organisationId,
          webhookId,
          now,
          value,
        ]);
  return { queued: rows.length, remaining: remaining?.count ?? 0 };
}

async function webhookOf(em: EntityManager, organisationId: number, delivery: string): Promise<string> {
  const [row] = await executeIn<{ webhook_id: string }>(
    em,
    'select webhook_id from webhook_delivery where organisation_id = $1 and id = $2',
    [organisationId, delivery],
  );
  if (!row) throw unknownDelivery(delivery);
  return row.webhook_id;
}

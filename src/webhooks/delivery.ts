// Deliveries and their attempts: the log of what was sent to a webhook, and the state by which processes claim and settle calls.
import type { Collection } from '@mikro-orm/core';
import { Event } from '../events/event.ts';
import { Node } from '../graphql/node.ts';
import { belongsTo, enumeration, identifier, integer, ledgerNumber, moment, record, related, text } from '../records/decorators.ts';
import { defineEnum } from '../records/enums.ts';
import { Webhook } from './webhook.ts';

export const DeliveryStatus = defineEnum('WebhookDeliveryStatus', 'How far a delivery is.', {
  PENDING: 'An attempt is under way or still to come.',
  DELIVERED: 'The receiver answered 2xx.',
  FAILED: 'Every attempt failed.',
  CANCELLED: 'The webhook was disabled or deleted before it succeeded.',
});

@record({
  description: 'One call of a receiver.',
  scope: 'organisation',
  key: 'id',
  prefix: 'att',
  primaryKey: ['id'],
  indexes: [{ name: 'webhook_attempt_delivery', columns: 'delivery_id, id' }],
  node: { roles: ['PLATFORM'] },
  companyLimit: { through: () => WebhookDelivery, by: 'delivery_id' },
  implements: Node,
})
export class WebhookAttempt {
  @identifier('Identifier.', { required: true }) id!: string;
  @ledgerNumber('Organisation.', { required: true, hidden: true }) organisationId!: number;
  @identifier('Delivery it is part of.', { required: true, hidden: true }) deliveryId!: string;
  @belongsTo(() => WebhookDelivery, 'deliveryId', { shown: 'The delivery it is part of.' }) delivery?: WebhookDelivery;
  @integer('HTTP status of the answer; null when there was none.') status!: number | null;
  @integer('How long the call took, in milliseconds.', { required: true }) duration!: number;
  @text('The first 1,024 bytes of the answer; null when there was none.') responseBody!: string | null;
  @text('Why there was no answer.') error!: string | null;
  @moment('When the call was made.', { required: true }) at!: Date;
}

@record({
  description: 'One event on its way to one webhook.',
  scope: 'organisation',
  key: 'id',
  prefix: 'dlv',
  indexes: [
    { name: 'webhook_delivery_list', columns: 'organisation_id, id' },
    { name: 'webhook_delivery_log', columns: 'webhook_id, id' },
    { name: 'webhook_delivery_event', columns: 'event_id' },
    { name: 'webhook_delivery_due', columns: 'webhook_id, next_attempt_at, id', where: 'finished_at is null' },
    { name: 'webhook_delivery_finished', columns: 'finished_at', where: 'finished_at is not null' },
  ],
  listed: true,
  node: { roles: ['PLATFORM'] },
  companyLimit: { through: () => Webhook, by: 'webhook_id' },
  implements: Node,
})
export class WebhookDelivery {
  @identifier('Identifier.', { required: true }) id!: string;
  @ledgerNumber('Organisation.', { required: true, hidden: true }) organisationId!: number;
  @identifier('Webhook the event is sent to.', { required: true }) webhookId!: string;
  @identifier('Event that is sent; equals the `webhook-id` header.', { required: true, list: 'scanned' }) eventId!: string;
  @belongsTo(() => Webhook, 'webhookId', { shown: 'That webhook.' }) webhook?: Webhook;
  @enumeration(DeliveryStatus, 'How far it is.', { required: true }) status!: string;
  @integer('Attempt epoch: how often it was scheduled. The outcome of an attempt of an older epoch changes nothing.', {
    required: true,
    hidden: true,
  })
  turn!: number;
  @integer('Attempts that are left before it counts as failed.', { required: true }) attemptsLeft!: number;
  @moment('When the next attempt is due; null when none is.', { list: 'scanned' }) nextAttemptAt!: Date | null;
  // Not indexed, so that a claim writes no index.
  @moment('Until when a process has it to call; others leave it alone.', { hidden: true }) claimedUntil!: Date | null;
  @moment('When the event was queued for the webhook.', { required: true }) createdAt!: Date;
  @moment('When it was delivered or given up.', { list: 'scanned' }) finishedAt!: Date | null;
  @related({
    description: 'The event.',
    inverse: 'deliveries',
    target: () => Event,
    from: 'eventId',
    to: 'id',
    many: false,
    rest: 'expand',
    owned: false,
    nested: false,
  })
  event?: Event;
  @related({
    description: 'The calls made so far, oldest first.',
    target: () => WebhookAttempt,
    from: 'id',
    to: 'deliveryId',
    many: true,
    rest: 'always',
    owned: true,
    nested: false,
  })
  attempts!: Collection<WebhookAttempt>;
}

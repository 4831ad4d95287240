// Deliveries and their attempts: the log of what was sent to a webhook, and the state by which processes claim and settle calls.
import type { Collection } from '@mikro-orm/core';
import { Event } from '../events/event.ts';
import { Node } from '../graphql/node.ts';
import { belongsTo, enumeration, identifier, integer, ledgerNumber, moment, record, related, text } from '../records/decorators.ts';
import { defineEnum } from '../records/enums.ts';
import { Webhook } from './webhook.ts';

export const DeliveryStatus = defineEnum('WebhookDeliveryStatus', 'State of a delivery.', {
  PENDING: 'An attempt is in progress or scheduled.',
  DELIVERED: 'The receiver responded with 2xx.',
  FAILED: 'Every attempt failed.',
  CANCELLED: 'The webhook was disabled or deleted first.',
});

@record({
  description: 'A call of a receiver.',
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
  @identifier('Unique id.', { required: true }) id!: string;
  @ledgerNumber('Organisation.', { required: true, hidden: true }) organisationId!: number;
  @identifier('Delivery it is part of.', { required: true, hidden: true }) deliveryId!: string;
  @belongsTo(() => WebhookDelivery, 'deliveryId', { shown: 'Delivery of the attempt.' }) delivery?: WebhookDelivery;
  @integer('HTTP status of the response; null without one.') status!: number | null;
  @integer('Duration of the call in milliseconds.', { required: true }) duration!: number;
  @text('First 1,024 bytes of the response; null without one.') responseBody!: string | null;
  @text('Reason for a missing response.') error!: string | null;
  @moment('When the call was made.', { required: true }) at!: Date;
}

@record({
  description: 'Delivery of an event to a webhook.',
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
  @identifier('Unique id.', { required: true }) id!: string;
  @ledgerNumber('Organisation.', { required: true, hidden: true }) organisationId!: number;
  @identifier('Id of the webhook.', { required: true }) webhookId!: string;
  @identifier('Id of the event; equals the `webhook-id` header.', { required: true, list: 'scanned' }) eventId!: string;
  @belongsTo(() => Webhook, 'webhookId', { shown: 'Webhook that gets the event.' }) webhook?: Webhook;
  @enumeration(DeliveryStatus, 'Progress of the transaction.', { required: true }) status!: string;
  @integer('Attempt epoch: how often it was scheduled. The outcome of an attempt of an older epoch changes nothing.', {
    required: true,
    hidden: true,
  })
  turn!: number;
  @integer('Number of attempts left before the delivery fails.', { required: true }) attemptsLeft!: number;
  @moment('When the next attempt is due; null if none is.', { list: 'scanned' }) nextAttemptAt!: Date | null;
  // Not indexed, so that a claim writes no index.
  @moment('Until when a process has it to call; others leave it alone.', { hidden: true }) claimedUntil!: Date | null;
  @moment('When the event was queued for the webhook.', { required: true }) createdAt!: Date;
  @moment('When it was delivered or abandoned.', { list: 'scanned' }) finishedAt!: Date | null;
  @related({
    description: 'Event that is delivered.',
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
    description: 'Attempts so far, oldest first.',
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

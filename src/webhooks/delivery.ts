// Deliveries and their attempts: the log of what was sent to a webhook, and the state that delivery jobs check and change.
import { Int } from 'type-graphql';
import { Event } from '../events/events.ts';
import { enumeration, identifier, integer, ledgerNumber, moment, record, related, text } from '../records/decorators.ts';
import { defineEnum } from '../records/enums.ts';

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
})
export class WebhookAttempt {
  @identifier('Identifier.', { required: true }) id!: string;
  @ledgerNumber('Organisation.', { required: true, hidden: true }) organisationId!: number;
  @identifier('Delivery it is part of.', { required: true, hidden: true }) deliveryId!: string;
  @integer('HTTP status of the answer; null when there was none.') status!: number | null;
  @integer('How long the call took, in milliseconds.', { required: true, type: () => Int }) duration!: number;
  @text('The first 1,024 bytes of the answer; null when there was none.') responseBody!: string | null;
  @text('Why there was no answer.') error!: string | null;
  @moment('When the call was made.', { required: true }) at!: string;
}

@record({
  description: 'One event on its way to one webhook.',
  scope: 'organisation',
  key: 'id',
  prefix: 'dlv',
  primaryKey: ['id'],
  indexes: [
    { name: 'webhook_delivery_log', columns: 'webhook_id, id' },
    { name: 'webhook_delivery_event', columns: 'event_id' },
    { name: 'webhook_delivery_pending', columns: 'webhook_id', where: 'finished_at is null' },
    { name: 'webhook_delivery_finished', columns: 'finished_at', where: 'finished_at is not null' },
  ],
})
export class WebhookDelivery {
  @identifier('Identifier.', { required: true, filter: false }) id!: string;
  @ledgerNumber('Organisation.', { required: true, hidden: true }) organisationId!: number;
  @identifier('Webhook the event is sent to.', { required: true, filter: false }) webhookId!: string;
  @identifier('Event that is sent; equals the `webhook-id` header.', { required: true }) eventId!: string;
  @enumeration(DeliveryStatus, 'How far it is.', { required: true }) status!: string;
  @integer('Attempt epoch: how often it was scheduled. A job with an older number does nothing.', { required: true, hidden: true })
  turn!: number;
  @integer('Attempts that are left before it counts as failed.', { required: true, filter: false }) attemptsLeft!: number;
  @moment('When the next attempt is due; null when none is.', { filter: false }) nextAttemptAt!: string | null;
  @moment('When the event was queued for the webhook.', { required: true }) createdAt!: string;
  @moment('When it was delivered or given up.', { filter: false }) finishedAt!: string | null;
  @related({
    description: 'The event.',
    target: () => Event,
    from: 'eventId',
    to: 'id',
    many: false,
    rest: 'expand',
    owned: false,
    nested: false,
  })
  event!: Event;
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
  attempts!: WebhookAttempt[];
}

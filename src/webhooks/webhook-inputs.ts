// The inputs and payloads of the webhook mutations.
import { Field, InputType, Int, ObjectType } from 'type-graphql';
import { EventTopic } from '../events/events.ts';
import { inputField, inputType } from '../graphql/input-types.ts';
import { modelOf } from '../records/metadata.ts';
import { JSONObject } from '../records/scalars.ts';
import { WebhookDelivery } from './delivery.ts';
import { Webhook, WebhookStatus } from './webhook.ts';

const props = modelOf(Webhook).props;

const named = (['name', 'description'] as const).map((name) => inputField(props.get(name)!, true));
const topics = {
  type: () => [EventTopic.values],
  description:
    'Kinds of event to send: 1 to 50 of the catalogue, or the one value for all. They include those of the integrations API: a webhook belongs to the organisation and gets the events of all its companies.',
  rules: { minItems: 1, maxItems: 50, unique: true },
};
const secret = {
  name: 'secret',
  type: () => String,
  nullable: true,
  description: 'Signing secret of 24 to 256 printable ASCII characters; base64 after `whsec_`, otherwise used as it is written.',
};
const status = { name: 'status', type: () => WebhookStatus.values, nullable: true, description: 'Whether events are sent.' };

export interface WebhookChanges {
  url?: string | null;
  topics?: string[] | null;
  name?: string | null;
  description?: string | null;
  secret?: string | null;
  status?: string | null;
}

/** A webhook to register. */
export interface NewWebhook extends WebhookChanges {
  url: string;
  topics: string[];
}

export const CreateWebhookInput = inputType(
  'CreateWebhookInput',
  'A webhook to register.',
  [
    inputField(props.get('url')!, false),
    { name: 'topics', nullable: false, ...topics },
    ...named,
    { ...secret, description: `${secret.description} When absent, one is generated and shown once, in the answer.` },
    status,
    {
      name: 'apiVersion',
      type: () => String,
      nullable: true,
      description: 'Version of the payload; only `v1.0`.',
      rules: { pattern: /^v1\.0$/, expectation: 'v1.0, the only version' },
    },
  ],
  { trims: true },
);

export const UpdateWebhookInput = inputType(
  'UpdateWebhookInput',
  'Changes of a webhook; at least one.',
  [
    inputField(props.get('url')!, true),
    { name: 'topics', nullable: true, ...topics },
    ...named,
    { ...secret, description: `${secret.description} The former secret also signs for 24 hours.` },
    { ...status, description: 'Whether events are sent; enabling clears the reason why the webhook was disabled.' },
  ],
  { trims: true },
);

@InputType({ description: 'A test event.' })
export class TriggerWebhookTestInput {
  @Field(() => JSONObject, { description: 'Copied into the `data` of the event; at most 64 KiB.' })
  eventData!: Record<string, unknown>;
}

@ObjectType({ description: 'Result of `createWebhook`, `updateWebhook` and `enableWebhook`.', simpleResolvers: true })
export class WebhookPayload {
  @Field(() => Webhook, { description: 'The webhook.' }) webhook!: unknown;
}

@ObjectType({ description: 'Result of `deleteWebhook`.', simpleResolvers: true })
export class DeleteWebhookPayload {
  @Field(() => Webhook, { description: 'The webhook as it was.' }) webhook!: unknown;
}

@ObjectType({ description: 'Result of `triggerWebhookTest` and `retryWebhookDelivery`.', simpleResolvers: true })
export class WebhookDeliveryPayload {
  @Field(() => WebhookDelivery, { description: 'The delivery; its attempts are added when the receiver has answered.' }) delivery!: unknown;
}

@ObjectType({ description: 'Result of `replayWebhookDeliveries`.', simpleResolvers: true })
export class ReplayWebhookDeliveriesPayload {
  @Field(() => Int, { description: 'Deliveries that were queued again, oldest first; at most 10,000 at a time.' }) queued!: number;
  @Field(() => Int, { description: 'Deliveries that remain for another call.' }) remaining!: number;
}

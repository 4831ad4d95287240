// The inputs and payloads of the webhook mutations.
import { Field, InputType, Int, ObjectType } from 'type-graphql';
import type { RecordFiltersInput } from '../events/record-filters.ts';
import { createInput, updateInput } from '../graphql/input-types.ts';
import type { Given } from '../records/fields.ts';
import { JSONObject } from '../records/scalars.ts';
import { WebhookDelivery } from './delivery.ts';
import { Webhook } from './webhook.ts';

const secret = {
  name: 'secret',
  type: () => String,
  nullable: true,
  description: 'Signing secret of 24 to 256 printable ASCII characters: base64 after `whsec_`, otherwise used literally.',
};

export const CreateWebhookInput = createInput(Webhook, 'A webhook to register.', {
  more: [
    { ...secret, description: `${secret.description} By default one is generated and shown once, in the response.` },
    {
      name: 'apiVersion',
      type: () => String,
      nullable: true,
      description: 'Version of the payload; only `v1.0`.',
      rules: { pattern: /^v1\.0$/, expectation: 'v1.0, the only version' },
    },
  ],
});

export const UpdateWebhookInput = updateInput(Webhook, 'Changes of a webhook; at least one.', {
  more: [{ ...secret, description: `${secret.description} The previous secret also signs for 24 hours.` }],
});

/** Changes of a webhook, with the types of those that have rules of their own. */
export interface WebhookChanges extends Given<Webhook> {
  url?: string | null;
  topics?: string[] | null;
  companyIds?: number[] | null;
  filter?: RecordFiltersInput | null;
  secret?: string | null;
  status?: string | null;
}

/** A webhook to register. */
export interface NewWebhook extends WebhookChanges {
  url: string;
  topics: string[];
}

@InputType({ description: 'A test event.' })
export class TriggerWebhookTestInput {
  @Field(() => JSONObject, { description: 'Copied into the `data` of the event; at most 64 KiB.' })
  eventData!: Record<string, unknown>;
}

@ObjectType({ description: 'Result of `createWebhook`, `updateWebhook` and `enableWebhook`.', simpleResolvers: true })
export class WebhookPayload {
  @Field(() => Webhook, { description: 'Webhook as stored.' }) webhook!: unknown;
}

@ObjectType({ description: 'Result of `deleteWebhook`.', simpleResolvers: true })
export class DeleteWebhookPayload {
  @Field(() => Webhook, { description: 'The deleted webhook.' }) webhook!: unknown;
}

@ObjectType({ description: 'Result of `triggerWebhookTest` and `retryWebhookDelivery`.', simpleResolvers: true })
export class WebhookDeliveryPayload {
  @Field(() => WebhookDelivery, { description: 'The delivery; attempts are added after responses of the receiver.' }) delivery!: unknown;
}

@ObjectType({ description: 'Result of `replayWebhookDeliveries`.', simpleResolvers: true })
export class ReplayWebhookDeliveriesPayload {
  @Field(() => Int, { description: 'Number of requeued deliveries, oldest first, at most 10,000 per call.' }) queued!: number;
  @Field(() => Int, { description: 'Number of deliveries left for another call.' }) remaining!: number;
}

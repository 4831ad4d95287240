// The GraphQL operations on webhooks.
import type { GraphQLSchema } from 'graphql';
import { Ctx, Extensions, FieldResolver, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../access/context.ts';
import { needs } from '../database/reader/projection.ts';
import { appliedFilters, type RecordFiltersInput } from '../events/record-filters.ts';
import { argument, id, mutation, resolver } from '../graphql/declared/fields.ts';
import { readBack, recordMutation } from '../graphql/declared/payloads.ts';
import { listField, recordField, summaryField } from '../graphql/declared/record-reads.ts';
import { snakeCase } from '../records/naming.ts';
import { publicKeyOf, signingKey } from './signature.ts';
import { Webhook } from './webhook.ts';
import {
  CreateWebhookInput,
  DeleteWebhookPayload,
  type NewWebhook,
  UpdateWebhookInput,
  type WebhookChanges,
  WebhookPayload,
} from './webhook-inputs.ts';
import { createWebhook, deleteWebhook, updateWebhook } from './webhook-store.ts';

const UNKNOWN_FILTERS =
  'Paths in `filter` of what this release does not know, such as a field that is gone. Until the filter is changed, every event about records of these types is sent.';

const unknownIn = (schema: GraphQLSchema, filter: Webhook['filter']): string[] =>
  filter ? appliedFilters(schema, filter as RecordFiltersInput).unknown : [];

@Resolver(() => Webhook)
export class WebhookFieldResolver {
  @needs(Webhook, 'id')
  @FieldResolver(() => String, {
    description:
      'Public key of the Ed25519 signatures (`v1a`): `whpk_` and base64, as in Standard Webhooks. It only changes with SIGNING_SECRET.',
  })
  publicKey(@Root() { id }: Pick<Webhook, 'id'>, @Ctx() { services }: RequestContext): string {
    return publicKeyOf(signingKey(services.signer, id));
  }

  @needs(Webhook, 'filter')
  @FieldResolver(() => [String], { description: UNKNOWN_FILTERS })
  @Extensions({ rest: 'never' })
  unknownFilters(@Root() { filter }: Pick<Webhook, 'filter'>, @Ctx() { services }: RequestContext): string[] {
    return unknownIn(services.schema, filter);
  }

  @needs(Webhook, 'filter')
  @FieldResolver(() => [String], { description: `${UNKNOWN_FILTERS} With the names of REST.` })
  @Extensions({ jsonName: 'unknown_filters' })
  unknownFilterNames(@Root() { filter }: Pick<Webhook, 'filter'>, @Ctx() { services }: RequestContext): string[] {
    return unknownIn(services.schema, filter).map(snakeCase);
  }
}

const roles = ['PLATFORM'] as const;
export const webhookId = id('Id of the webhook.');

export const WebhookResolver = resolver({
  webhook: recordField(Webhook, { roles }),
  webhooks: listField(Webhook, {
    roles,
    description: 'The webhooks of the organisation, newest first.',
    order: { by: [], descending: true },
    size: 100,
  }),
  webhooksSummary: summaryField(Webhook, {
    roles,
    description: 'Counts and extremes of the webhooks of the organisation, in groups.',
  }),
  createWebhook: mutation(() => WebhookPayload, { roles })(
    'Registers a webhook. A generated secret is shown only in the response.',
    { input: argument<NewWebhook>(() => CreateWebhookInput, 'The webhook.') },
    async ({ input }, { context, info }) => {
      const { id, secret } = await createWebhook(context, input);
      return { webhook: { ...(await readBack(context, info, Webhook, 'webhook', { id })), secret } };
    },
  ),
  updateWebhook: recordMutation(Webhook, { roles, payload: WebhookPayload })(
    'Updates a webhook. After a change of the secret, both secrets sign for 24 hours.',
    { id: webhookId, input: argument<WebhookChanges>(() => UpdateWebhookInput, 'Webhook, and the fields to change.') },
    async ({ id, input }, { context }) => {
      await updateWebhook(context, id, input);
      return { id };
    },
  ),
  deleteWebhook: mutation(() => DeleteWebhookPayload, { roles })(
    'Deletes a webhook. Nothing more is sent to it.',
    { id: webhookId },
    async ({ id }, { context, info }) => {
      const webhook = await readBack(context, info, Webhook, 'webhook', { id });
      await deleteWebhook(context, id);
      return { webhook };
    },
  ),
});

// The GraphQL operations on webhooks.
import type { GraphQLResolveInfo, GraphQLSchema } from 'graphql';
import { Arg, Args, Ctx, Extensions, FieldResolver, ID, Info, Mutation, Query, Resolver, Root } from 'type-graphql';
import { access } from '../access/authorise.ts';
import { type RequestContext, scopeOf, tenantOf } from '../access/context.ts';
import { needs, type Row } from '../database/reader/projection.ts';
import { appliedFilters, type RecordFiltersInput } from '../events/record-filters.ts';
import { connectionOf, type Page, type PageArguments, pageArguments, readConnection } from '../graphql/connections.ts';
import { FilterArg, type FilterInput, OrderArg, type OrderInput } from '../graphql/list-inputs.ts';
import { lookAhead } from '../graphql/look-ahead.ts';
import { ownRecord } from '../graphql/own-record.ts';
import { readSummary, type Summary } from '../graphql/summaries/summaries.ts';
import { PRICED, type SummaryArguments, summaryOf } from '../graphql/summaries/summary-types.ts';
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

const PageOptions = pageArguments(100);

const WebhookConnection = connectionOf(Webhook);
const WebhookTotals = summaryOf(Webhook);

const UNKNOWN_FILTERS =
  'Paths in `filter` of what this release does not know, such as a field that is gone. Until the filter is changed, every event about records of these types is sent.';

const unknownIn = (schema: GraphQLSchema, filter: Webhook['filter']): string[] =>
  filter ? appliedFilters(schema, filter as RecordFiltersInput).unknown : [];

/** The payload of a webhook mutation. */
export async function webhookPayload(
  context: RequestContext,
  organisationId: number,
  id: string,
  info: GraphQLResolveInfo,
): Promise<{ webhook: Row }> {
  const tree = lookAhead(info).fields.get('webhook');
  return { webhook: tree ? await ownRecord(context, tree, Webhook, { id }, { id, field: 'id' }, scopeOf(context, organisationId)) : {} };
}

@Resolver(() => Webhook)
export class WebhookResolver {
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

  @access('PLATFORM')
  @Query(() => Webhook, { nullable: true, description: 'Webhook with this id. WEBHOOK_NOT_FOUND if there is none.' })
  webhook(
    @Arg('id', () => ID, { description: 'Id of the webhook.' }) id: string,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    return ownRecord(context, info, Webhook, { id }, { id, field: 'id' });
  }

  @access('PLATFORM')
  @Query(() => WebhookConnection, { description: 'The webhooks of the organisation, newest first.' })
  webhooks(
    @Args(() => PageOptions) page: PageArguments,
    @FilterArg(Webhook) filter: FilterInput | null,
    @OrderArg(Webhook) orderBy: OrderInput[] | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Page> {
    return readConnection(context, info, page, {
      record: Webhook,
      list: 'webhooks',
      filter,
      orderBy,
      order: { by: [], descending: true },
    });
  }

  @access('PLATFORM')
  @Query(() => WebhookTotals.type, { description: 'Counts and extremes of the webhooks of the organisation, in groups.' })
  @Extensions(PRICED)
  webhooksSummary(
    @Args(() => WebhookTotals.Arguments) args: SummaryArguments,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Summary> {
    return readSummary(context, info, args, { record: Webhook });
  }

  @access('PLATFORM')
  @Mutation(() => WebhookPayload, {
    description: 'Registers a webhook. A generated secret is shown only in the response.',
  })
  async createWebhook(
    @Arg('input', () => CreateWebhookInput, { description: 'The webhook.' }) input: NewWebhook,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<{ webhook: Row }> {
    const { id, secret } = await createWebhook(context, input);
    const payload = await webhookPayload(context, tenantOf(context).organisationId, id, info);
    payload.webhook.secret = secret;
    return payload;
  }

  @access('PLATFORM')
  @Mutation(() => WebhookPayload, { description: 'Updates a webhook. After a change of the secret, both secrets sign for 24 hours.' })
  async updateWebhook(
    @Arg('id', () => ID, { description: 'Id of the webhook.' }) id: string,
    @Arg('input', () => UpdateWebhookInput, { description: 'Webhook, and the fields to change.' }) input: WebhookChanges,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<{ webhook: Row }> {
    await updateWebhook(context, id, input);
    return webhookPayload(context, tenantOf(context).organisationId, id, info);
  }

  @access('PLATFORM')
  @Mutation(() => DeleteWebhookPayload, { description: 'Deletes a webhook. Nothing more is sent to it.' })
  async deleteWebhook(
    @Arg('id', () => ID, { description: 'Id of the webhook.' }) id: string,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<{ webhook: Row }> {
    const payload = await webhookPayload(context, tenantOf(context).organisationId, id, info);
    await deleteWebhook(context, id);
    return payload;
  }
}

// The GraphQL operations on webhooks.
import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, ID, Info, Mutation, Query, Resolver } from 'type-graphql';
import { access } from '../access/authorise.ts';
import type { RequestContext } from '../access/context.ts';
import type { FieldTree } from '../database/reader/field-tree.ts';
import { projectionFor, propOf, type Row } from '../database/reader/projection.ts';
import { connectionOf, orderBy, type Page, type PageArguments, pageArguments, readConnection } from '../graphql/connections.ts';
import { lookAhead } from '../graphql/look-ahead.ts';
import { modelOf } from '../records/metadata.ts';
import { Webhook } from './webhook.ts';
import {
  CreateWebhookInput,
  DeleteWebhookPayload,
  type NewWebhook,
  UpdateWebhookInput,
  type WebhookChanges,
  WebhookPayload,
} from './webhook-inputs.ts';
import { createWebhook, deleteWebhook, managedOrganisation, unknownWebhook, updateWebhook } from './webhook-store.ts';

const PageOptions = pageArguments(100);

const model = modelOf(Webhook);
const WebhookConnection = connectionOf(Webhook);

/** The webhook with this id, if it is the organisation's; WEBHOOK_NOT_FOUND otherwise. */
async function readWebhook(context: RequestContext, organisationId: number, id: string, tree: FieldTree): Promise<Row> {
  const row = await context.services.reader.row({
    projection: projectionFor(model, tree),
    tenant: { organisationId, companyIds: null },
    where: [{ prop: propOf(model, 'id'), operator: 'eq', value: id }],
    primary: context.primary,
  });
  if (!row) throw unknownWebhook(id);
  return row;
}

/** The payload of a webhook mutation. */
export async function webhookPayload(
  context: RequestContext,
  organisationId: number,
  id: string,
  info: GraphQLResolveInfo,
): Promise<{ webhook: Row }> {
  const tree = lookAhead(info).fields.get('webhook');
  return { webhook: tree ? await readWebhook(context, organisationId, id, tree) : {} };
}

@Resolver()
export class WebhookResolver {
  @access('PLATFORM')
  @Query(() => Webhook, { nullable: true, description: 'The webhook with this id. WEBHOOK_NOT_FOUND when there is none.' })
  webhook(
    @Arg('id', () => ID, { description: 'Id of the webhook.' }) id: string,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    return readWebhook(context, managedOrganisation(context), id, lookAhead(info));
  }

  @access('PLATFORM')
  @Query(() => WebhookConnection as never, { description: 'The webhooks of the organisation, newest first.' })
  webhooks(@Args(() => PageOptions) page: PageArguments, @Ctx() context: RequestContext, @Info() info: GraphQLResolveInfo): Promise<Page> {
    managedOrganisation(context);
    return readConnection(context, info, page, { model, list: 'webhooks', where: [], order: orderBy(model, [], true) });
  }

  @access('PLATFORM')
  @Mutation(() => WebhookPayload, {
    description: 'Registers a webhook. A generated secret is shown in the answer and nowhere else.',
  })
  async createWebhook(
    @Arg('input', () => CreateWebhookInput, { description: 'The webhook.' }) input: NewWebhook,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<{ webhook: Row }> {
    const { id, secret } = await createWebhook(context, input);
    const payload = await webhookPayload(context, managedOrganisation(context), id, info);
    payload.webhook.secret = secret;
    return payload;
  }

  @access('PLATFORM')
  @Mutation(() => WebhookPayload, { description: 'Changes a webhook. After a change of the secret, both secrets sign for 24 hours.' })
  async updateWebhook(
    @Arg('id', () => ID, { description: 'Id of the webhook.' }) id: string,
    @Arg('input', () => UpdateWebhookInput, { description: 'The changes.' }) input: WebhookChanges,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<{ webhook: Row }> {
    await updateWebhook(context, id, input);
    return webhookPayload(context, managedOrganisation(context), id, info);
  }

  @access('PLATFORM')
  @Mutation(() => DeleteWebhookPayload, { description: 'Removes a webhook; nothing more is sent to it.' })
  async deleteWebhook(
    @Arg('id', () => ID, { description: 'Id of the webhook.' }) id: string,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<{ webhook: Row }> {
    const payload = await webhookPayload(context, managedOrganisation(context), id, info);
    await deleteWebhook(context, id);
    return payload;
  }
}

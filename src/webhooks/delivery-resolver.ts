// The delivery log of a webhook, test events, replays, and enabling a webhook again. Operators may use the last two as well.
import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, FieldResolver, ID, Info, Mutation, Resolver, Root } from 'type-graphql';
import { access } from '../access/authorise.ts';
import { type RequestContext } from '../access/context.ts';
import { transaction } from '../access/transaction.ts';
import { reasonArgument } from '../administration/audit-log.ts';
import { operateFor, owningOrganisation } from '../administration/operator-transaction.ts';
import { executeIn } from '../database/open.ts';
import { projectionFor, propOf, type Row, resolverNeeds } from '../database/reader/projection.ts';
import { emitTest } from '../events/events.ts';
import {
  connectionOf,
  filterConditions,
  orderBy,
  type Page,
  type PageArguments,
  pageArguments,
  readConnection,
} from '../graphql/connections.ts';
import { filterInput } from '../graphql/input-types.ts';
import { lookAhead } from '../graphql/look-ahead.ts';
import { GatewayError, invalid } from '../records/errors.ts';
import { modelOf } from '../records/metadata.ts';
import { DateTime } from '../records/scalars.ts';
import { WebhookDelivery } from './delivery.ts';
import { replay, unknownDelivery } from './replay.ts';
import { Webhook } from './webhook.ts';
import { ReplayWebhookDeliveriesPayload, TriggerWebhookTestInput, WebhookDeliveryPayload, WebhookPayload } from './webhook-inputs.ts';
import { webhookPayload } from './webhook-resolver.ts';
import { changeWebhook, managedOrganisation, unknownWebhook } from './webhook-store.ts';

const PageOptions = pageArguments(10);

const model = modelOf(WebhookDelivery);
const DeliveryFilter = filterInput(WebhookDelivery);
const DeliveryConnection = connectionOf(WebhookDelivery);

/** Largest `data` of a test event. */
const MOST_TEST_BYTES = 65_536;

const webhooks = { table: 'webhook', noun: 'webhook', unknown: 'WEBHOOK_NOT_FOUND' } as const;
const deliveries = { table: 'webhook_delivery', noun: 'delivery', unknown: 'RECORD_NOT_FOUND' } as const;

/** The organisation a call acts for: for an operator the one that owns the record, otherwise the caller's. */
const actingOrganisation = async (context: RequestContext, kind: typeof webhooks | typeof deliveries, id: string): Promise<number> =>
  context.principal!.roles.has('ADMIN') ? owningOrganisation(context, kind, id) : managedOrganisation(context);

resolverNeeds('Webhook', 'deliveries', ['organisationId']);

async function deliveryPayload(
  context: RequestContext,
  organisationId: number,
  id: string,
  info: GraphQLResolveInfo,
): Promise<{ delivery: Row }> {
  const tree = lookAhead(info).fields.get('delivery');
  const row = tree
    ? await context.services.reader.row({
        projection: projectionFor(model, tree),
        tenant: { organisationId, companyIds: null },
        where: [{ prop: propOf(model, 'id'), operator: 'eq', value: id }],
        primary: true,
      })
    : {};
  if (!row) throw unknownDelivery(id);
  return { delivery: row };
}

@Resolver(() => Webhook as never)
export class DeliveryResolver {
  @FieldResolver(() => DeliveryConnection as never, { description: 'What was sent to the webhook, newest first.' })
  deliveries(
    @Root() webhook: Row,
    @Args(() => PageOptions) page: PageArguments,
    @Arg('filter', () => DeliveryFilter, { nullable: true, description: 'Which deliveries to return.' }) filter: Record<
      string,
      never
    > | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Page> {
    return readConnection(context, info, page, {
      model,
      organisationId: webhook.organisationId as number,
      list: `deliveries of ${webhook.id}`,
      where: [{ prop: propOf(model, 'webhookId'), operator: 'eq', value: webhook.id }, ...filterConditions(model, filter)],
      filter,
      order: orderBy(model, [], true),
    });
  }

  @access('PLATFORM')
  @Mutation(() => WebhookDeliveryPayload, {
    description: 'Sends a test event to one webhook: one attempt, no retry. The outcome is in the delivery log.',
  })
  async triggerWebhookTest(
    @Arg('id', () => ID, { description: 'Id of the webhook.' }) id: string,
    @Arg('input', () => TriggerWebhookTestInput, { description: 'The test event.' }) input: TriggerWebhookTestInput,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<{ delivery: Row }> {
    const organisationId = managedOrganisation(context);
    if (Buffer.byteLength(JSON.stringify(input.eventData)) > MOST_TEST_BYTES)
      throw invalid('eventData', 'eventData must have at most 64 KiB as JSON', 'TOO_LONG');
    const source = { services: context.services, organisationId, organisation: context.principal!.organisation };
    const delivery = await transaction(context, async (em) => {
      const [webhook] = await executeIn<{ status: string }>(
        em,
        'select status from webhook where organisation_id = $1 and id = $2 and deleted_at is null',
        [organisationId, id],
      );
      if (!webhook) throw unknownWebhook(id);
      if (webhook.status !== 'ENABLED') throw new GatewayError('WEBHOOK_DISABLED', `webhook ${id} is disabled`, { field: 'id' });
      return emitTest(em, source, id, input.eventData);
    });
    return deliveryPayload(context, organisationId, delivery, info);
  }

  @access('PLATFORM', 'ADMIN')
  @Mutation(() => WebhookDeliveryPayload, {
    description:
      'Sends a delivery again, or at once when its next attempt is still to come, with the full number of attempts and the same event id. An operator may do it for any organisation.',
  })
  async retryWebhookDelivery(
    @Arg('id', () => ID, { description: 'Id of the delivery.' }) id: string,
    @Arg('reason', () => String, reasonArgument) reason: string | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<{ delivery: Row }> {
    const organisationId = await actingOrganisation(context, deliveries, id);
    await operateFor(context, organisationId, { action: 'retryWebhookDelivery', id, reason }, async (em) => {
      const { queued } = await replay(em, context.services, organisationId, { delivery: id });
      if (queued === 0) throw new GatewayError('INVALID_STATE_TRANSITION', `an attempt of delivery ${id} is under way`, { field: 'id' });
    });
    return deliveryPayload(context, organisationId, id, info);
  }

  @access('PLATFORM', 'ADMIN')
  @Mutation(() => ReplayWebhookDeliveriesPayload, {
    description:
      'Sends again every delivery of a webhook that failed or was cancelled since a time. An operator may do it for any organisation.',
  })
  async replayWebhookDeliveries(
    @Arg('webhookId', () => ID, { description: 'Id of the webhook.' }) webhookId: string,
    @Arg('since', () => DateTime, { description: 'Deliveries queued at this time or later.' }) since: string,
    @Arg('reason', () => String, reasonArgument) reason: string | null,
    @Ctx() context: RequestContext,
  ): Promise<ReplayWebhookDeliveriesPayload> {
    const organisationId = await actingOrganisation(context, webhooks, webhookId);
    return operateFor(context, organisationId, { action: 'replayWebhookDeliveries', id: webhookId, reason }, (em) =>
      replay(em, context.services, organisationId, { webhook: webhookId, since }),
    );
  }

  @access('PLATFORM', 'ADMIN')
  @Mutation(() => WebhookPayload, {
    description:
      'Enables a webhook that was disabled, by a caller or because its receiver failed. An operator may do it for any organisation.',
  })
  async enableWebhook(
    @Arg('id', () => ID, { description: 'Id of the webhook.' }) id: string,
    @Arg('reason', () => String, reasonArgument) reason: string | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<{ webhook: Row }> {
    const organisationId = await actingOrganisation(context, webhooks, id);
    await operateFor(context, organisationId, { action: 'enableWebhook', id, reason }, (em) =>
      changeWebhook(em, context.services, organisationId, id, { status: 'ENABLED' }),
    );
    return webhookPayload(context, organisationId, id, info);
  }
}

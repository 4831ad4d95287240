// The delivery log of a webhook, test events, replays, and enabling a webhook again. Operators may use the last two as well.
import type { GraphQLResolveInfo } from 'graphql';
import { Args, Ctx, Extensions, FieldResolver, Info, Resolver, Root } from 'type-graphql';
import { auditRecords } from '../access/audit.ts';
import { type RequestContext, tenantOf } from '../access/context.ts';
import { transaction } from '../access/transaction.ts';
import { operateFor, owningOrganisation, reason } from '../administration/operator-transaction.ts';
import { needs } from '../database/reader/projection.ts';
import { EventTopic } from '../events/event.ts';
import { emitTest } from '../events/events.ts';
import { connectionOf, type Page, type PageArguments, pageArguments, readConnection } from '../graphql/connections.ts';
import { argument, id, mutation, optional, resolver } from '../graphql/declared/fields.ts';
import { recordMutation } from '../graphql/declared/payloads.ts';
import { listField } from '../graphql/declared/record-reads.ts';
import { FilterArg, type FilterInput, OrderArg, type OrderInput } from '../graphql/list-inputs.ts';
import { readSummary, type Summary } from '../graphql/summaries/summaries.ts';
import { PRICED, type SummaryArguments, summaryOf } from '../graphql/summaries/summary-types.ts';
import { GatewayError, invalid } from '../records/errors.ts';
import { DateTime } from '../records/scalars.ts';
import { WebhookDelivery } from './delivery.ts';
import { replay } from './replay.ts';
import { Webhook } from './webhook.ts';
import { ReplayWebhookDeliveriesPayload, TriggerWebhookTestInput, WebhookDeliveryPayload, WebhookPayload } from './webhook-inputs.ts';
import { webhookId } from './webhook-resolver.ts';
import { changeWebhook, enabledWebhook } from './webhook-store.ts';

const PageOptions = pageArguments(10);

const DeliveryConnection = connectionOf(WebhookDelivery);
const DeliveryTotals = summaryOf(WebhookDelivery);

/** Largest `data` of a test event. */
const MAX_TEST_BYTES = 65_536;

/** The organisation a call acts for: for an operator the one that owns the record, otherwise the caller's. `field` is the argument with the id. */
const actingOrganisation = async (
  context: RequestContext,
  record: typeof Webhook | typeof WebhookDelivery,
  id: string,
  field = 'id',
): Promise<number> =>
  context.principal!.roles.has('ADMIN') ? owningOrganisation(context, record, id, field) : tenantOf(context).organisationId;

@Resolver(() => Webhook)
export class WebhookDeliveriesResolver {
  @needs(Webhook, 'organisationId')
  @FieldResolver(() => DeliveryConnection, { description: 'Deliveries to the webhook, newest first.' })
  deliveries(
    @Root() webhook: Pick<Webhook, 'id' | 'organisationId'>,
    @Args(() => PageOptions) page: PageArguments,
    @FilterArg(WebhookDelivery) filter: FilterInput | null,
    @OrderArg(WebhookDelivery) orderBy: OrderInput[] | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Page> {
    return readConnection(context, info, page, {
      record: WebhookDelivery,
      organisationId: webhook.organisationId,
      list: `deliveries of ${webhook.id}`,
      where: { webhookId: webhook.id },
      filter,
      orderBy,
      order: { by: [], descending: true },
    });
  }

  @needs(Webhook, 'organisationId')
  @FieldResolver(() => DeliveryTotals.type, {
    description: 'Counts, sums, averages and extremes of the deliveries to the webhook, in groups.',
  })
  @Extensions(PRICED)
  deliveriesSummary(
    @Root() webhook: Pick<Webhook, 'id' | 'organisationId'>,
    @Args(() => DeliveryTotals.Arguments) args: SummaryArguments,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Summary> {
    const { id, organisationId } = webhook;
    return readSummary(context, info, args, { record: WebhookDelivery, organisationId, where: { webhookId: id } });
  }
}

const deliveryId = id('Id of the delivery.');

export const DeliveryResolver = resolver({
  webhookDeliveries: listField(WebhookDelivery, {
    roles: ['PLATFORM'],
    description: 'Deliveries to all webhooks of the organisation, newest first.',
    order: { by: [], descending: true },
  }),
  triggerWebhookTest: recordMutation(WebhookDelivery, { roles: ['PLATFORM'], member: 'delivery', payload: WebhookDeliveryPayload })(
    'Sends a test event to one webhook, without retries. The delivery log has the outcome.',
    { id: webhookId, input: argument<TriggerWebhookTestInput>(() => TriggerWebhookTestInput, 'The test event.') },
    async ({ id, input }, { context }) => {
      const { organisationId, companyIds } = tenantOf(context);
      if (Buffer.byteLength(JSON.stringify(input.eventData)) > MAX_TEST_BYTES)
        throw invalid('eventData', 'eventData must have at most 64 KiB as JSON', 'TOO_LONG');
      const source = { services: context.services, organisationId, organisation: context.principal!.organisation };
      const delivery = await transaction(context, async (em) => {
        await enabledWebhook(em, { id, limit: companyIds }, 'id');
        auditRecords(em, [{ id }]);
        return emitTest(em, source, id, input.eventData);
      });
      return { id: delivery, organisationId };
    },
  ),
  retryWebhookDelivery: recordMutation(WebhookDelivery, {
    roles: ['PLATFORM', 'ADMIN'],
    member: 'delivery',
    payload: WebhookDeliveryPayload,
  })(
    'Resends a delivery immediately, with the same event id and all its attempts. Operators can resend deliveries of any organisation.',
    { id: deliveryId, reason },
    async ({ id, reason }, { context }) => {
      const organisationId = await actingOrganisation(context, WebhookDelivery, id);
      await operateFor(context, organisationId, { id, reason }, async (em) => {
        const { queued } = await replay(em, context.services, { delivery: id }, context.principal!.companyIds);
        if (queued === 0)
          throw new GatewayError('INVALID_STATE_TRANSITION', `an attempt of delivery ${id} is in progress`, { field: 'id' });
      });
      return { id, organisationId };
    },
  ),
  replayWebhookDeliveries: mutation(() => ReplayWebhookDeliveriesPayload, { roles: ['PLATFORM', 'ADMIN'] })(
    'Sends again the deliveries of a webhook that failed or were cancelled, of those queued within a time. An operator may do it for any organisation.',
    {
      webhookId,
      since: argument<string>(() => DateTime, 'Deliveries queued at this time or later.'),
      until: optional<string>(() => DateTime, 'End of the period in which the deliveries were queued, exclusive; default now.'),
      topics: optional<string[]>(() => [EventTopic.values], 'Topics of the deliveries; default all.'),
      reason,
    },
    async ({ webhookId, since, until, topics, reason }, { context }) => {
      const organisationId = await actingOrganisation(context, Webhook, webhookId, 'webhookId');
      if (until && Date.parse(until) <= Date.parse(since)) throw invalid('until', 'until must be after since', 'OUT_OF_RANGE');
      if (topics?.length === 0) throw invalid('topics', 'topics must name at least one topic', 'REQUIRED');
      const target = { webhook: webhookId, since, until: until ?? null, topics: topics?.includes('ALL') ? null : (topics ?? null) };
      return operateFor(context, organisationId, { id: webhookId, reason }, (em) =>
        replay(em, context.services, target, context.principal!.companyIds),
      );
    },
  ),
  enableWebhook: recordMutation(Webhook, { roles: ['PLATFORM', 'ADMIN'], payload: WebhookPayload })(
    'Enables a webhook that was disabled by a caller or by failures. Operators can enable webhooks of any organisation.',
    { id: webhookId, reason },
    async ({ id, reason }, { context }) => {
      const organisationId = await actingOrganisation(context, Webhook, id);
      await operateFor(context, organisationId, { id, reason }, (em) =>
        changeWebhook(em, context.services, { id, limit: context.principal!.companyIds }, { status: 'ENABLED' }),
      );
      return { id, organisationId };
    },
  ),
});

// The subscription to the changes of the deliveries of a webhook, or of all of an organisation. They are read once for all subscribers of equal
// rights and selection.
import type { GraphQLResolveInfo } from 'graphql';
import { Arg, ID, ObjectType, Resolver, Root, Subscription } from 'type-graphql';
import { access } from '../access/authorise.ts';
import { type RequestContext, type Services, scopeOf, tenantOf } from '../access/context.ts';
import { projectionFor, projectionOf } from '../database/reader/projection.ts';
import { audienceOf } from '../events/audience.ts';
import { type Change, changeOf } from '../events/changes.ts';
import { Event } from '../events/event.ts';
import { recorder } from '../events/event-log.ts';
import { deliveryChannel } from '../events/events.statements.ts';
import { followLog, type LogSource, type Missed, sharedLog } from '../events/shared-log.ts';
import { authoriseRead } from '../graphql/graph/visibility.ts';
import { lookAhead } from '../graphql/look-ahead.ts';
import { ownProperties } from '../graphql/own-record.ts';
import { GatewayError } from '../records/errors.ts';
import { modelOf } from '../records/metadata.ts';
import { changedOfAll, changedOfWebhook } from './deliveries.statements.ts';
import { WebhookDelivery } from './delivery.ts';
import { Webhook } from './webhook.ts';

/** Deliveries read at a time. */
const PAGE = 100;
/** How often the events of the organisation are kept stored, which announces its deliveries. */
const RECORD_MS = 3_600_000;

@ObjectType({ description: 'A change of a delivery.', simpleResolvers: true })
class WebhookDeliveryChange extends changeOf(() => WebhookDelivery) {}

interface LoggedDelivery {
  id: string;
  operation: 'CREATED' | 'UPDATED';
  eventId: string;
}

/** Whose deliveries are followed: those of an organisation, or of one of its webhooks. */
interface Followed {
  organisationId: number;
  webhookId: string | null;
}

/** Collects the deliveries that transactions announce from now on. */
async function sourceOf(
  services: Services,
  { organisationId, webhookId }: Followed,
  record: () => Promise<void>,
): Promise<LogSource<LoggedDelivery>> {
  await record();
  const pending = new Map<string, LoggedDelivery>();
  let isLost = false;
  return {
    watch: (wake) =>
      services.notifications.subscribe(deliveryChannel(organisationId), (message) => {
        const [operation, id, eventId, webhook] = (message ?? '').split(' ') as [LoggedDelivery['operation'], string?, string?, string?];
        if (webhookId !== null && webhook !== undefined && webhook !== webhookId) return;
        if (!id || !eventId) isLost = true;
        else if (!pending.has(id)) pending.set(id, { id, operation, eventId });
        wake();
      }),
    // Nothing to look for without the messages.
    pollMs: undefined,
    read: async () => {
      if (isLost)
        throw new GatewayError(
          'SERVICE_UNAVAILABLE',
          'the connection to the database was lost for a moment; subscribe again with `after`',
          {
            retryAfterSeconds: 1,
          },
        );
      await record();
      const entries = [...pending.values()].slice(0, PAGE);
      for (const { id } of entries) pending.delete(id);
      return { entries, isFull: pending.size > 0, againMs: RECORD_MS };
    },
  };
}

/** The deliveries that may have changed since an event. */
async function missedSince(
  context: RequestContext,
  { organisationId, webhookId }: Followed,
  after: string,
): Promise<Missed<LoggedDelivery>> {
  const { triggeredAt } = await ownProperties(context, Event, { id: after }, ['triggeredAt'], { id: after, field: 'after' });
  let last = '';
  return {
    read: async () => {
      const values = [String(organisationId), last, triggeredAt];
      const { database } = context.services;
      const found = await (webhookId === null
        ? database.read(changedOfAll, values)
        : database.read(changedOfWebhook, [...values, webhookId]));
      last = found.at(-1)?.[0] ?? last;
      return { entries: found.map(([id, eventId]) => ({ id: id!, operation: 'UPDATED', eventId: eventId! })), isOver: found.length < PAGE };
    },
    has: () => false,
  };
}

interface ChangeArguments {
  webhookId?: string | null;
  after?: string | null;
}

async function changesOf(
  { webhookId = null, after }: ChangeArguments,
  context: RequestContext,
  info: GraphQLResolveInfo,
): Promise<AsyncIterableIterator<Change>> {
  const model = modelOf(WebhookDelivery);
  authoriseRead(context, model);
  if (webhookId !== null) await ownProperties(context, Webhook, { id: webhookId }, ['id'], { id: webhookId, field: 'webhookId' });
  const { services } = context;
  const node = lookAhead(info).fields.get('node');
  const projection = node ? projectionFor(model, node) : projectionOf(model, ['id']);
  const read = async (entries: readonly LoggedDelivery[]): Promise<Change[]> => {
    const where = { id: { in: entries.map(({ id }) => id) } };
    const rows = await services.reader.findRows(projection, { where }, scopeOf(context));
    const byId = new Map(rows.map((row) => [row.id, row]));
    return entries.flatMap(({ id, operation, eventId }): Change[] => {
      const row = byId.get(id);
      return row ? [{ operation, nodeId: id, eventId, previousEtag: null, matches: true, node: row }] : [];
    });
  };
  const audience = audienceOf(context, info);
  const { organisationId } = tenantOf(context);
  const followed: Followed = { organisationId, webhookId };
  const record = recorder(services, organisationId);
  const log = sharedLog(services, `deliveries ${organisationId} ${webhookId ?? ''}`, () => sourceOf(services, followed, record));
  const missed = async (): Promise<Missed<LoggedDelivery> | undefined> =>
    after == null ? undefined : missedSince(context, followed, after);
  return followLog(log, { missed, eventOf: ({ eventId }) => eventId, field: 'after' }, (batch) =>
    batch.share(audience, () => read(batch.entries)),
  );
}

@Resolver()
export class DeliveryChangeResolver {
  @access('PLATFORM')
  @Subscription(() => WebhookDeliveryChange, {
    description:
      'Deliveries of one webhook, or of all in the organisation, when they are created, attempted and finished. With `after`, deliveries that may have changed since that event come first. WEBHOOK_NOT_FOUND if there is no such webhook.',
    subscribe: ({ args, context, info }) => changesOf(args as unknown as ChangeArguments, context, info),
  })
  deliveryChanged(
    @Root() change: Change,
    @Arg('webhookId', () => ID, { nullable: true, description: 'Id of the webhook; default all of the organisation.' })
    _webhookId: string | null,
    @Arg('after', () => ID, { nullable: true, description: 'Resume after the message with this `eventId`.' }) _after: string | null,
  ): Change {
    return change;
  }
}

// The events of an organisation as a subscription: in the order of their transactions, without gaps, resumable after any event.
import type { GraphQLResolveInfo } from 'graphql';
import { Arg, ID, Resolver, Root, Subscription } from 'type-graphql';
import { access } from '../access/authorise.ts';
import { type RequestContext, tenantOf } from '../access/context.ts';
import { executeIn, type TextRow } from '../database/open.ts';
import { type PollResult, subscribe } from '../database/poll.ts';
import { projectionFor, projectionOf, propOf, type Row } from '../database/reader/projection.ts';
import { organisationTransaction } from '../database/transaction.ts';
import { lookAhead } from '../graphql/look-ahead.ts';
import { GatewayError, invalid } from '../records/errors.ts';
import { modelOf } from '../records/metadata.ts';
import { Event, EventTopic, eventChannel } from './events.ts';
import { TOPICS, topicEnumName } from './topics.ts';

const model = modelOf(Event);

const integrationsTopics = TOPICS.filter(({ surface }) => surface === 'integrations').map(({ topic }) => topicEnumName(topic));

/** How long events are stored after the last stream ended; a subscriber can resume within this time. */
const KEEP_MS = 7 * 24 * 3_600_000;
/** How often an open stream prolongs that time. */
const PROLONG_MS = 3_600_000;
/** Events read at a time. */
const PAGE = 100;
/** Time until the next poll when transactions before a found event may still commit. */
const UNSETTLED_MS = 50;

/** The position of a stream: after this event, or after every event visible in the snapshot. */
interface Position {
  order: number;
  id: string;
  snapshot: string | null;
}

interface StreamArguments {
  topics?: string[] | null;
  lastEventId?: string | null;
}

/** Starts or prolongs the storing of the organisation's events; returns since when they have been stored without a gap. */
async function recordEvents({ services }: RequestContext, organisationId: number): Promise<string> {
  const now = services.clock.now();
  const rows = await organisationTransaction(services.database, organisationId, (em) =>
    executeIn<{ since: Date | string }>(
      em,
      `insert into event_recording as kept (organisation_id, since, until) values ($1, $2::timestamptz, $3::timestamptz)
       on conflict (organisation_id) do update set since = case when kept.until < $2::timestamptz then $2::timestamptz else kept.since end, until = greatest(kept.until, $3::timestamptz)
       returning since`,
      [organisationId, now.toISOString(), new Date(now.getTime() + KEEP_MS).toISOString()],
    ),
  );
  return new Date(rows[0]!.since).toISOString();
}

const snapshotOf = {
  name: 'event_snapshot',
  text: 'select base + pg_snapshot_xmin(s)::text::bigint, s::text from event_timeline, pg_current_snapshot() s',
};

async function startPosition(
  context: RequestContext,
  organisationId: number,
  since: string,
  lastEventId: string | null | undefined,
): Promise<Position> {
  const { reader, database } = context.services;
  if (lastEventId == null) {
    const [row] = await database.read(snapshotOf, [], true);
    return { order: Number(row![0]), id: '', snapshot: row![1]! };
  }
  const event = await reader.row({
    projection: projectionOf(model, ['id', 'commitOrder', 'triggeredAt']),
    tenant: { organisationId, companyIds: null },
    where: [{ prop: propOf(model, 'id'), operator: 'eq', value: lastEventId }],
    primary: true,
  });
  if (!event || (event.triggeredAt as string) < since) {
    throw invalid(
      'lastEventId',
      'lastEventId is not an event that a stream can resume after: it is unknown, or not every event since then was stored',
      'NOT_FOUND',
    );
  }
  return { order: event.commitOrder as number, id: event.id as string, snapshot: null };
}

// A transaction below the oldest running one has ended, so no event can appear before its events any more: they are settled. A new stream
// skips events that were visible in its snapshot. Events of another server are below the base and visible in every snapshot.
const nextEvents = {
  name: 'event_stream',
  text: `select event.id, commit_order, topic, company_id, commit_order - base < pg_snapshot_xmin(pg_current_snapshot())::text::bigint,
    $4::text is null or not pg_visible_in_snapshot(greatest(commit_order - base, 0)::text::xid8, $4::text::pg_snapshot)
    from event, event_timeline where organisation_id = $1::bigint and not test and (commit_order, event.id) > ($2::bigint, $3::text) order by commit_order, event.id limit ${PAGE}`,
};

interface Found {
  id: string;
  order: number;
  topic: string;
  companyId: number | null;
  isSettled: boolean;
  isNew: boolean;
}

const foundIn = ([id, order, topic, companyId, isSettled, isNew]: TextRow): Found => ({
  id: id!,
  order: Number(order),
  topic: topic!,
  companyId: companyId === null ? null : Number(companyId),
  isSettled: isSettled === 't',
  isNew: isNew === 't',
});

/**
 * The topics of a stream; null for all. A PLATFORM key may stream every event of its organisation, as it may with a webhook. An INTEGRATIONS
 * key cannot register a webhook, and may stream the events of the integrations API.
 */
function topicsOf(context: RequestContext, asked: string[] | null | undefined): string[] | null {
  const wanted = asked == null || asked.includes('ALL') ? null : asked;
  if (context.principal!.roles.has('PLATFORM')) return wanted;
  const foreign = wanted?.find((topic) => !integrationsTopics.includes(topic));
  if (foreign)
    throw new GatewayError('FORBIDDEN', `events of the topic ${foreign} need the role PLATFORM`, { field: 'topics', role: 'PLATFORM' });
  return wanted ?? integrationsTopics;
}

async function eventsOf(args: StreamArguments, context: RequestContext, info: GraphQLResolveInfo): Promise<AsyncIterableIterator<Row>> {
  const tenant = tenantOf(context);
  const { services } = context;
  const projection = projectionFor(model, lookAhead(info));
  const topics = topicsOf(context, args.topics);
  const isWanted = ({ topic, companyId, isNew }: Found): boolean =>
    isNew &&
    (topics === null || topics.includes(topic)) &&
    (companyId === null || tenant.companyIds === null || tenant.companyIds.includes(companyId));
  const position = await startPosition(
    context,
    tenant.organisationId,
    await recordEvents(context, tenant.organisationId),
    args.lastEventId,
  );
  let prolongAt = services.clock.now().getTime() + PROLONG_MS;

  const poll = async (): Promise<PollResult<Row>> => {
    if (services.clock.now().getTime() >= prolongAt) {
      await recordEvents(context, tenant.organisationId);
      prolongAt = services.clock.now().getTime() + PROLONG_MS;
    }
    const values = [String(tenant.organisationId), String(position.order), position.id, position.snapshot];
    const found = (await services.database.read(nextEvents, values, true)).map(foundIn);
    const unsettled = found.findIndex(({ isSettled }) => !isSettled);
    const settled = unsettled < 0 ? found : found.slice(0, unsettled);
    const ids = settled.filter(isWanted).map(({ id }) => id);
    const rows =
      ids.length === 0
        ? []
        : await services.reader.rows({
            projection,
            tenant: { ...tenant, companyIds: null },
            where: [{ prop: propOf(model, 'id'), operator: 'in', value: ids }],
            primary: true,
          });
    const last = settled.at(-1);
    if (last) Object.assign(position, { id: last.id, order: last.order });
    const byId = new Map(rows.map((row) => [row.id, row]));
    const items = ids.flatMap((id): Row[] => (byId.has(id) ? [byId.get(id)!] : []));
    return { items, ...(unsettled >= 0 ? { againMs: UNSETTLED_MS } : found.length === PAGE ? { againMs: 0 } : { againMs: PROLONG_MS }) };
  };
  return subscribe(services.notifications, eventChannel(tenant.organisationId), poll);
}

@Resolver()
export class EventStreamResolver {
  @access('PLATFORM', 'INTEGRATIONS')
  @Subscription(() => Event, {
    description:
      'The events of the organisation as they happen, in order. With `lastEventId` the stream starts with the events missed since that one; it can resume for seven days after the last stream ended. A key with the role PLATFORM gets every topic, as a webhook may; a key with INTEGRATIONS alone gets the topics of the integrations API.',
    subscribe: ({ args, context, info }) => eventsOf(args as StreamArguments, context as RequestContext, info) as never,
  })
  eventStream(
    @Root() event: Row,
    @Arg('topics', () => [EventTopic.values as never], {
      nullable: true,
      description: 'Kinds of event to stream; when absent, all that the key may stream. FORBIDDEN for a topic it may not stream.',
    })
    _topics: string[] | null,
    @Arg('lastEventId', () => ID, { nullable: true, description: 'Resume after this event.' }) _lastEventId: string | null,
  ): Row {
    return event;
  }
}

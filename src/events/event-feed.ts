// The feed of the events of an organisation: those after a cursor, in the order of streams, and none that another could still precede.
import { setTimeout as pause } from 'node:timers/promises';
import type { GraphQLResolveInfo } from 'graphql';
import { Args, Ctx, Field, Info, ObjectType, Query, Resolver } from 'type-graphql';
import { access } from '../access/authorise.ts';
import { type RequestContext, type Services, tenantOf } from '../access/context.ts';
import type { Statement } from '../database/open.ts';
import { projectionFor, type Row } from '../database/reader/projection.ts';
import { cursorExpired, FeedArguments, FeedPageInfo, feedCursors, feedSize } from '../graphql/feeds.ts';
import { MAX_PAGE } from '../graphql/lists/page-arguments.ts';
import { lookAhead } from '../graphql/look-ahead.ts';
import { cutoff } from '../queue/schedules.ts';
import { GatewayError } from '../records/errors.ts';
import { modelOf } from '../records/metadata.ts';
import { DateTime } from '../records/scalars.ts';
import { Event } from './event.ts';
import { companiesOf, KEEP_MS, PROLONG_MS, recordFor, SETTLED } from './event-log.ts';
import { allowedTopics, ofOrganisation } from './stream-resolver.ts';

@ObjectType({ description: 'A page of the events of an organisation.', simpleResolvers: true })
export class EventFeed {
  @Field(() => [Event], { description: 'The events, oldest first.' }) nodes!: Event[];
  @Field(() => FeedPageInfo, { description: 'Position of the next page of the feed.' }) pageInfo!: FeedPageInfo;
  @Field(() => DateTime, {
    description: 'Time since which every event is stored; from before, the feed has only events that a webhook subscribed to.',
  })
  recordedSince!: string;
}

interface EventPage {
  nodes: Row[];
  pageInfo: FeedPageInfo;
  recordedSince: string;
}

/** A place in the feed, and of which feed: after this event, of the recording that began then, under this base of the order. */
interface Position {
  order: number;
  id: string;
  /** In microseconds since 1970. */
  since: number;
  base: number;
  /** What its reader lacks was not triggered before this moment, in milliseconds since 1970. */
  from: number;
}

/** Most events looked through for a page of a key that may not see all of them. */
const LOOKED_THROUGH = 1_000;

/** A century, for events that are kept for ever. */
const FOR_EVER_MS = 36_525 * 86_400_000;

/** How long events are stored after the feed was read last: a cursor is valid for as long as events are kept. */
const keptMs = ({ config }: Services): number =>
  config.retention.eventDays === 0 ? FOR_EVER_MS : Math.max(KEEP_MS, config.retention.eventDays * 86_400_000);

const microseconds = (moment: string): string => `floor(extract(epoch from ${moment}) * 1000000)::bigint`;

/**
 * The running transactions of the organisation that have looked who gets their events. They hold the lock of writes for an organisation, and that of
 * the table of recordings, which a statement takes before its snapshot.
 */
const LOOKED: Statement = {
  name: 'event_feed_looked',
  text: `select distinct looked.virtualtransaction from pg_locks looked join pg_locks writing using (virtualtransaction)
    where looked.locktype = 'relation' and looked.relation = 'event_recording'::regclass
      and looked.database = (select oid from pg_database where datname = current_database())
      and writing.locktype = 'advisory' and writing.objsubid = 2 and writing.classid = hashint8($1::bigint)::oid`,
};

/** Pauses while transactions end that may not have seen a recording. */
const WAIT_MS = 20;
const MAX_ATTEMPTS = 250;
/** For how long after the beginning of a recording such a transaction may run: none is let run for so long. */
const BEGINNING_MS = 60_000;

/** The recording of the organisation, whether the event of a cursor is there, and the events after it, of one company or of all. */
const feedPage = (ofCompany: boolean, limit: number): Statement => ({
  name: `event_feed_${ofCompany}_${limit}`,
  text: `select ${microseconds('since')}, ${microseconds('until')}, base,
      exists (select from event where organisation_id = $1::bigint and commit_order = $2::bigint and id = $3), found.*
    from event_timeline left join event_recording r on r.organisation_id = $1::bigint
    left join lateral (
      select id, commit_order, topic, company_id, ${microseconds('triggered_at')}, ${SETTLED} from event
      where organisation_id = $1::bigint${ofCompany ? ' and company_id = $4::bigint' : ''} and not test and (commit_order, id) > ($2::bigint, $3)
      order by commit_order, id limit ${limit}) found on true
    order by found.commit_order, found.id`,
});

interface Recording {
  /** In microseconds since 1970. */
  since: number;
  until: number;
  base: number;
  /** Whether the event of the cursor is stored. */
  isKnown: boolean;
}

interface FoundEvent {
  id: string;
  order: number;
  topic: string;
  companyId: number | null;
  triggeredAt: number;
}

interface Found {
  recording: Recording;
  /** The settled events. */
  events: FoundEvent[];
  /** Whether more may be settled. */
  isFull: boolean;
}

/** What is read: the events of one company or of all, and how many. */
interface Read {
  company: number | null;
  limit: number;
}

async function find({ database }: Services, organisationId: number, { order, id }: Position, { company, limit }: Read): Promise<Found> {
  const values = [String(organisationId), String(order), id, ...(company === null ? [] : [String(company)])];
  const rows = (await database.readRows(feedPage(company !== null, limit), values)).texts();
  const [since, until, base, isKnown] = rows[0]!;
  const events = rows.flatMap(
    ([, , , , eventId, place, topic, companyId, triggeredAt, isSettled]): (FoundEvent & { isSettled: boolean })[] =>
      eventId == null
        ? []
        : [
            {
              id: eventId,
              order: Number(place),
              topic: topic!,
              companyId: companyId == null ? null : Number(companyId),
              triggeredAt: Number(triggeredAt) / 1_000,
              isSettled: isSettled === 't',
            },
          ],
  );
  const pending = await database.pendingCommits(companiesOf(events));
  const unsettled = events.findIndex(({ isSettled, companyId }) => !isSettled || pending.has(companyId!));
  return {
    recording: { since: Number(since), until: Number(until), base: Number(base), isKnown: isKnown === 't' },
    events: unsettled < 0 ? events : events.slice(0, unsettled),
    isFull: unsettled < 0 && events.length === limit,
  };
}

/** Rejects a cursor after which events may be missing: they were not stored for some time, were removed, or belong to another server. */
function requireComplete(services: Services, from: Position, { since, until, base, isKnown }: Recording): void {
  const now = services.clock.now().getTime();
  const days = services.config.retention.eventDays;
  const removed = cutoff(services, days);
  if (until / 1_000 < now || since !== from.since)
    throw cursorExpired('the feed was not read for so long that its events are no longer stored');
  if (removed !== undefined && from.from < Date.parse(removed)) throw cursorExpired(`events are removed after ${days} days`);
  if (base !== from.base && from.id !== '' && !isKnown)
    throw cursorExpired('the database was restored from a backup that does not have its event');
}

/**
 * Waits for the transactions that looked up the recipients of their events before the recording began, and have not committed. They store no events,
 * and what a caller reads after the first page must not be older than the feed. A transaction looks at its end, so those that have yet to do so find
 * the recording.
 */
async function requireRecorded({ database }: Services, organisationId: number): Promise<void> {
  const looked = async (): Promise<string[]> => (await database.read(LOOKED, [String(organisationId)])).map(([id]) => id!);
  let before = await looked();
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    if (before.length === 0) return;
    await pause(WAIT_MS);
    const running = new Set(await looked());
    before = before.filter((id) => running.has(id));
  }
  throw new GatewayError('SERVICE_UNAVAILABLE', 'the feed begins when the writes that run now have ended', { retryAfterSeconds: 1 });
}

/** What a key may see of the events of its organisation. */
interface Rights {
  /** Null for all. */
  topics: ReadonlySet<string> | null;
  companyIds: readonly number[] | null;
}

const isSeen = ({ topics, companyIds }: Rights, { topic, companyId }: FoundEvent): boolean =>
  (topics === null || topics.has(topic)) && (companyIds === null || (companyId !== null && companyIds.includes(companyId)));

async function readFeed(context: RequestContext, info: GraphQLResolveInfo, args: FeedArguments): Promise<EventPage> {
  const { services } = context;
  const { organisationId, companyIds } = tenantOf(context);
  const allowed = allowedTopics(context, null);
  const rights: Rights = { topics: allowed && new Set(allowed), companyIds };
  const size = feedSize(args);
  // A key that may see more has to begin again: what another was not shown is before its cursor.
  const cursors = feedCursors(context, 'eventFeed', organisationId, [allowed !== null, companyIds && [...companyIds].sort()]);
  const now = services.clock.now().getTime();
  let from: Position = { order: 0, id: '', since: 0, base: 0, from: now };
  if (args.after) {
    const [order, id, since, base, at] = cursors.decode(args.after, 'after') as [number, string, number, number, number];
    from = { order, id, since, base, from: at };
  }
  const company = companyIds?.length === 1 ? companyIds[0]! : null;
  const limit = allowed === null && (companyIds === null || company !== null) ? MAX_PAGE + 1 : LOOKED_THROUGH;
  let found = await find(services, organisationId, from, { company, limit });
  if (args.after) requireComplete(services, from, found.recording);
  const kept = keptMs(services);
  const until = found.recording.until / 1_000;
  if (until < now + kept - PROLONG_MS) await recordFor(services, organisationId, kept);
  // Another reader may have begun the recording and not have waited to the end.
  if (until < now || (!args.after && found.recording.since / 1_000 > now - BEGINNING_MS)) {
    await requireRecorded(services, organisationId);
    found = await find(services, organisationId, from, { company, limit });
  }
  const { events, recording, isFull } = found;
  const page: string[] = [];
  let last: FoundEvent | undefined;
  let isMore = isFull;
  for (const event of events) {
    if (isSeen(rights, event)) {
      if (page.length === size) {
        isMore = true;
        break;
      }
      page.push(event.id);
    }
    last = event;
  }
  const endCursor = cursors.encode([
    last?.order ?? from.order,
    last?.id ?? from.id,
    recording.since,
    recording.base,
    isMore ? Math.max(from.from, last?.triggeredAt ?? 0) : now,
  ]);
  return {
    nodes: await readEvents(context, info, page),
    pageInfo: { hasNextPage: isMore, endCursor },
    recordedSince: new Date(recording.since / 1_000).toISOString(),
  };
}

/** The events with these ids as the operation selects them, in this order. */
async function readEvents(context: RequestContext, info: GraphQLResolveInfo, ids: readonly string[]): Promise<Row[]> {
  const tree = lookAhead(info).fields.get('nodes');
  if (!tree || ids.length === 0) return [];
  const { organisationId } = tenantOf(context);
  const projection = projectionFor(modelOf(Event), tree);
  const rows = await context.services.reader.findRows(projection, { where: { id: { in: ids } } }, ofOrganisation(organisationId));
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id): Row[] => (byId.has(id) ? [byId.get(id)!] : []));
}

@Resolver()
export class EventFeedResolver {
  @access('PLATFORM', 'INTEGRATIONS')
  @Query(() => EventFeed, {
    description:
      'Events of the organisation after a cursor, in order; those of a record in the order of its changes. After the first read, every event is stored, as for a stream, as long as you read the feed again within the retention time. You see the same events as in `events`. CURSOR_EXPIRED if events after the cursor are no longer stored.',
  })
  eventFeed(
    @Args(() => FeedArguments) args: FeedArguments,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<EventPage> {
    return readFeed(context, info, args);
  }
}

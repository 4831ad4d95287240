// The events of an organisation in the order of their transactions, without gaps: stored while a stream follows them, and read page by page.
import { type RequestContext, type Services, tenantOf } from '../access/context.ts';
import type { Database, TextRow } from '../database/open.ts';
import { organisationTransaction } from '../database/transaction.ts';
import { invalid } from '../records/errors.ts';
import { eventChannel, prolongRecording } from './events.statements.ts';
import { type Batch, followLog, type LogSource, type Missed, sharedLog } from './shared-log.ts';

/** How long events are stored after the last stream ended; a subscriber can resume within this time. */
export const KEEP_MS = 7 * 24 * 3_600_000;
/** How often an open stream prolongs that time, and a feed that is read. */
export const PROLONG_MS = 3_600_000;
/** Events read at a time. */
const PAGE = 100;
/** Time until the next read when transactions before a found event may still commit. */
const UNSETTLED_MS = 50;

/** A place in the log: after this event, or after every event visible in the snapshot. */
interface Position {
  order: number;
  id: string;
  snapshot: string | null;
}

/** What the log knows of an event. */
export interface LoggedEvent {
  id: string;
  order: number;
  topic: string;
  companyId: number | null;
  subjectId: string | null;
  operation: 'CREATE' | 'UPDATE' | 'DELETE' | null;
  previousEtag: string | null;
}

const snapshotOf = {
  name: 'event_snapshot',
  text: 'select base + pg_snapshot_xmin(s)::text::bigint, s::text from event_timeline, pg_current_snapshot() s',
};

const nextOrder = {
  name: 'event_next_order',
  text: 'select base + pg_snapshot_xmax(pg_current_snapshot())::text::bigint from event_timeline',
};

/** The number of the transaction of an event; the last release has stored none, where it was the place. */
const NUMBER = 'coalesce(transaction_order, commit_order)';

// Decided by the snapshot, not by time: an event may be older than the recording although its transaction ended later. A stream still sends it.
const resumableEvent = {
  name: 'resumable_event',
  text: `select commit_order from event join event_recording using (organisation_id) where organisation_id = $1::bigint and event.id = $2
    and not pg_visible_in_snapshot(greatest(${NUMBER} - since_base, 0)::text::xid8, since_snapshot::pg_snapshot)`,
};

async function currentPosition(database: Database): Promise<Position> {
  const [row] = await database.read(snapshotOf, []);
  return { order: Number(row![0]), id: '', snapshot: row![1]! };
}

async function positionAfter(database: Database, organisationId: number, id: string, field: string): Promise<Position> {
  const [row] = await database.read(resumableEvent, [String(organisationId), id]);
  if (row) return { order: Number(row[0]), id, snapshot: null };
  const message = `${field} is not an event that a stream can resume after: it is unknown, or not every event since then was stored`;
  throw invalid(field, message, 'NOT_FOUND');
}

// The lowest number of a transaction of this database that had not ended at the snapshot of the statement. A transaction that is in the locks of a
// process of another database makes no events here. One that is in no locks has ended since the snapshot, and its events are not visible yet.
const oldestRunning = `select coalesce(min(running::text::bigint), pg_snapshot_xmax(pg_current_snapshot())::text::bigint)
  from pg_snapshot_xip(pg_current_snapshot()) running where not exists (
    select from pg_locks held join pg_stat_activity process using (pid)
    where held.locktype = 'transactionid' and held.mode = 'ExclusiveLock' and process.datname <> current_database()
      and held.transactionid::text::bigint = running::text::bigint % 4294967296)`;

/**
 * Whether no further event can appear before an event of `event`: a transaction below the oldest running one has ended. In SQL, next to
 * `event_timeline`. The numbers count for the whole server. Where one of another database runs long, those of this database are looked for.
 */
export const SETTLED = `case when commit_order - base < pg_snapshot_xmin(pg_current_snapshot())::text::bigint then true else commit_order - base < (${oldestRunning}) end`;

// A new stream skips events that were visible in its snapshot. Events of another server are below the base and visible in every snapshot.
const nextEvents = {
  name: 'event_stream',
  text: `select event.id, commit_order, topic, company_id, subject_id, operation, previous_etag,
    ${SETTLED},
    $4::text is null or not pg_visible_in_snapshot(greatest(${NUMBER} - base, 0)::text::xid8, $4::text::pg_snapshot)
    from event, event_timeline where organisation_id = $1::bigint and not test and (commit_order, event.id) > ($2::bigint, $3::text) order by commit_order, event.id limit ${PAGE}`,
};

interface Found extends LoggedEvent {
  isSettled: boolean;
  isNew: boolean;
}

const foundIn = ([id, order, topic, companyId, subjectId, operation, previousEtag, isSettled, isNew]: TextRow): Found => ({
  id: id!,
  order: Number(order),
  topic: topic!,
  companyId: companyId === null ? null : Number(companyId),
  subjectId: subjectId!,
  operation: operation as LoggedEvent['operation'],
  previousEtag: previousEtag!,
  isSettled: isSettled === 't',
  isNew: isNew === 't',
});

/** The companies of events, each once. */
export const companiesOf = (events: readonly { companyId: number | null }[]): number[] => [
  ...new Set(events.flatMap(({ companyId }) => companyId ?? [])),
];

interface ReadEvents {
  events: LoggedEvent[];
  /** Where the next read begins. */
  end: Position;
  /** What may follow at once: another page, events of transactions that are about to end, or nothing. */
  next: 'page' | 'unsettled' | 'nothing';
  /** The order of the first event that is not settled; undefined without one. */
  unsettled: number | undefined;
}

/** The settled events after a place, at most a page of them. */
async function readEvents(database: Database, organisationId: number, from: Position): Promise<ReadEvents> {
  const values = [String(organisationId), String(from.order), from.id, from.snapshot];
  const found = (await database.read(nextEvents, values)).map(foundIn);
  const pending = await database.pendingCommits(companiesOf(found));
  const unsettled = found.findIndex(({ isSettled, companyId }) => !isSettled || pending.has(companyId!));
  const settled = unsettled < 0 ? found : found.slice(0, unsettled);
  const last = settled.at(-1);
  return {
    events: settled.filter(({ isNew }) => isNew),
    end: last ? { ...from, order: last.order, id: last.id } : from,
    next: unsettled >= 0 ? 'unsettled' : found.length === PAGE ? 'page' : 'nothing',
    unsettled: found[unsettled]?.order,
  };
}

/** Has the events of an organisation stored for some time from now on. */
export function recordFor({ database, clock }: Services, organisationId: number, milliseconds: number): Promise<void> {
  const now = clock.now();
  const until = new Date(now.getTime() + milliseconds);
  return organisationTransaction(database, organisationId, (em) => prolongRecording(em, organisationId, now, until));
}

/** Has the events of an organisation stored as long as it is called at least once in seven days. */
export function recorder(services: Services, organisationId: number): () => Promise<void> {
  let prolongAt = 0;
  return async () => {
    const now = services.clock.now().getTime();
    if (now < prolongAt) return;
    await recordFor(services, organisationId, KEEP_MS);
    prolongAt = now + PROLONG_MS;
  };
}

/** Reads the events of an organisation from now on. */
async function sourceOf(services: Services, organisationId: number): Promise<LogSource<LoggedEvent>> {
  const { database, notifications } = services;
  const record = recorder(services, organisationId);
  await record();
  let position = await currentPosition(database);
  return {
    watch: (wake) => notifications.subscribe(eventChannel(organisationId), wake),
    pollMs: notifications.pollMs,
    read: async () => {
      await record();
      const { events, end, next } = await readEvents(database, organisationId, position);
      position = end;
      return { entries: events, isFull: next === 'page', againMs: next === 'unsettled' ? UNSETTLED_MS : PROLONG_MS };
    },
  };
}

/**
 * The events after one, up to those that the log has. A log that began just before leaves out what was visible then, settled or not. The reading
 * therefore continues until every event of a transaction that had begun by then is settled.
 */
async function missedSince(database: Database, organisationId: number, after: string, field: string): Promise<Missed<LoggedEvent>> {
  let position = await positionAfter(database, organisationId, after, field);
  const [row] = await database.read(nextOrder, []);
  const ofTheLog = Number(row![0]);
  return {
    read: async () => {
      const { events, end, next, unsettled = ofTheLog } = await readEvents(database, organisationId, position);
      position = end;
      return { entries: events, isOver: next !== 'page' && unsettled >= ofTheLog, againMs: next === 'unsettled' ? UNSETTLED_MS : 0 };
    },
    has: ({ order, id }) => order < position.order || (order === position.order && id <= position.id),
  };
}

/** Where a stream begins: after the event that the argument `field` names, or without one with the next event. */
interface Start {
  after: string | null | undefined;
  field: string;
}

/** Streams what `itemsOf` makes of the events of the caller's organisation, in their order. */
export async function followEvents<Item>(
  context: RequestContext,
  { after, field }: Start,
  itemsOf: (batch: Batch<LoggedEvent>) => Promise<Item[]>,
): Promise<AsyncIterableIterator<Item>> {
  const { organisationId } = tenantOf(context);
  const { services } = context;
  const log = sharedLog(services, `events ${organisationId}`, () => sourceOf(services, organisationId));
  const missed = async (): Promise<Missed<LoggedEvent> | undefined> => {
    if (after == null) return undefined;
    // Where the storing of events had ended, it begins again, and nothing can resume from before.
    await recorder(services, organisationId)();
    return missedSince(services.database, organisationId, after, field);
  };
  return followLog(log, { missed, eventOf: ({ id }) => id, field }, itemsOf);
}

// The statements that store events: who listens, the events with their deliveries, the mark of a stream, and the base of the order.
import { publishing } from '../database/notifications.ts';
import { type EntityManager, executeIn } from '../database/open.ts';
import { savepoint } from '../database/savepoint.statements.ts';
import type { Event } from './event.ts';
import type { RecordFiltersInput } from './record-filters.ts';

/** A webhook that gets events, or the streams and feeds of an organisation. */
export interface Listener {
  /** Null for the streams and feeds. */
  webhook: string | null;
  topics: string[];
  /** The companies and the data models of which it gets events; null for every event. */
  companyIds: number[] | null;
  dataModels: string[] | null;
  /** The filter that the record of an event must meet; null for every event. */
  filter: RecordFiltersInput | null;
  /** Whether the organisation has an event at or after the number of this transaction. */
  isLate: boolean;
}

/** The number of the running transaction in the order of events. */
const NUMBER = '(select base from event_timeline) + pg_current_xact_id()::text::bigint';

/** The last place of the events of an organisation. */
const LAST_PLACE = '(select max(commit_order) from event where organisation_id = $1)';

const IS_LATE = `coalesce(${LAST_PLACE} >= ${NUMBER}, false) as "isLate"`;

/** The enabled webhooks of an organisation, and its streams and feeds where there are any. */
export const listenersOf = (em: EntityManager, organisationId: number, now: Date): Promise<Listener[]> =>
  executeIn<Listener>(
    em,
    `select id as webhook, topics, company_ids as "companyIds", data_models as "dataModels", filter, ${IS_LATE} from webhook
       where organisation_id = $1 and status = 'ENABLED' and deleted_at is null
     union all select null, '["ALL"]', null, null, null, ${IS_LATE} from event_recording where organisation_id = $1 and until > $2::timestamptz`,
    [organisationId, now.toISOString()],
  );

/** What differs between the events of a transaction. */
export type NewEventRow = Pick<
  Event,
  'id' | 'topic' | 'data' | 'companyId' | 'integrationType' | 'dataModel' | 'operation' | 'subjectId' | 'previousEtag' | 'test'
>;

/** A delivery of a new event. */
export interface NewDelivery {
  id: string;
  webhookId: string;
  eventId: string;
  attemptsLeft: number;
}

/** Whose events they are, and when the change was made. */
export interface EventOrigin {
  organisationId: number;
  /** Public id of the organisation; null where the writer does not know it. */
  organisation: string | null;
  now: Date;
}

/** Notification channel on which the streams of an organisation learn of new events. */
export const eventChannel = (organisationId: number): string => `events:${organisationId}`;

/** Notification channel on which the processes learn of deliveries that are due. */
export const DELIVERIES_DUE = 'deliveries-due';

/** Notification channel on which subscribers learn of the deliveries of an organisation, in SQL and for a given one. */
const DELIVERIES = 'deliveries:';
export const deliveryChannel = (organisationId: number): string => `${DELIVERIES}${organisationId}`;

/**
 * An SQL expression that announces a delivery as `operation id event webhook`, by the alias of its row. It does so where the events of the
 * organisation are streamed.
 */
export const deliveryNews = (alias: string, operation: 'CREATED' | 'UPDATED'): string =>
  `(select ${publishing(`'${DELIVERIES}' || ${alias}.organisation_id || chr(10) || '${operation} ' || ${alias}.id || ' ' || ${alias}.event_id || ' ' || ${alias}.webhook_id`)} from event_recording e where e.organisation_id = ${alias}.organisation_id and e.until > now())`;

/**
 * Stores events as those of a transaction that is late: after all that the organisation has. A transaction gets its number with its first lock, so
 * one with a later number may have changed a record and committed before it. The savepoint takes a number too, which is not before the place: the
 * events are settled once it has ended.
 */
export async function storeLateEvents(em: EntityManager, ...stored: StoredEvents): Promise<void> {
  await savepoint(em, 'set');
  await store(em, `${LAST_PLACE} + 1`, ...stored);
  await savepoint(em, 'release');
}

/** Stores events and their deliveries, except those it has. The public id of the organisation is looked up where it is null. */
export const storeEvents = (em: EntityManager, ...stored: StoredEvents): Promise<void> => store(em, NUMBER, ...stored);

type StoredEvents = [origin: EventOrigin, events: readonly NewEventRow[], deliveries: readonly NewDelivery[]];

async function store(
  em: EntityManager,
  place: string,
  ...[{ organisationId, organisation, now }, events, deliveries]: StoredEvents
): Promise<void> {
  await executeIn(
    em,
    `with stored as (
       insert into event (id, organisation_id, organization_id, topic, data, company_id, integration_type, data_model, operation, subject_id, previous_etag, test, triggered_at, commit_order, transaction_order)
       select r.id, $1, coalesce($2, (select public_id from organisation where id = $1)), r.topic, r.data, r."companyId", r."integrationType", r."dataModel", r.operation, r."subjectId", r."previousEtag", r.test, $3::timestamptz, ${place}, ${NUMBER}
       from jsonb_to_recordset($4::text::jsonb) as r(id text, topic text, data jsonb, "companyId" bigint, "integrationType" text, "dataModel" text, operation text, "subjectId" text, "previousEtag" text, test boolean)
       on conflict (id) do nothing)
     insert into webhook_delivery as d (id, organisation_id, webhook_id, event_id, status, turn, attempts_left, next_attempt_at, created_at)
     select r.id, $1, r."webhookId", r."eventId", 'PENDING', 0, r."attemptsLeft", $3::timestamptz, $3::timestamptz
     from jsonb_to_recordset($5::text::jsonb) as r(id text, "webhookId" text, "eventId" text, "attemptsLeft" int) on conflict (id) do nothing returning ${deliveryNews('d', 'CREATED')}`,
    [organisationId, organisation, now.toISOString(), JSON.stringify(events), JSON.stringify(deliveries)],
  );
}

/** Has the events of an organisation stored until a time. Where they were not, the recording begins with the transactions that have not ended. */
export async function prolongRecording(em: EntityManager, organisationId: number, now: Date, until: Date): Promise<void> {
  await executeIn(
    em,
    `insert into event_recording as kept (organisation_id, since, since_snapshot, since_base, until)
     select $1, $2::timestamptz, pg_current_snapshot()::text, base, $3::timestamptz from event_timeline
     on conflict (organisation_id) do update set until = greatest(kept.until, $3::timestamptz),
       since = case when kept.until < $2::timestamptz then excluded.since else kept.since end,
       since_snapshot = case when kept.until < $2::timestamptz then excluded.since_snapshot else kept.since_snapshot end,
       since_base = case when kept.until < $2::timestamptz then excluded.since_base else kept.since_base end`,
    [organisationId, now.toISOString(), until.toISOString()],
  );
}

/** Moves the base so that the running and all future transactions come after the newest event, only where that is from another server. */
export async function moveBase(em: EntityManager): Promise<void> {
  await executeIn(
    em,
    `update event_timeline set base = newest.place + 1 - pg_snapshot_xmin(pg_current_snapshot())::text::bigint
     from (select max(last.place) as place from organisation o cross join lateral (
       select commit_order as place from event where organisation_id = o.id order by commit_order desc limit 1) last) newest
     where newest.place >= base + pg_snapshot_xmax(pg_current_snapshot())::text::bigint`,
  );
}

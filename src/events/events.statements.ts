// The statements that store events: who listens, the events with their deliveries, the mark of a stream, and the base of the order.
import { publishing } from '../database/notifications.ts';
import { type EntityManager, executeIn } from '../database/open.ts';
import type { Event } from './event.ts';

/** A webhook that gets events, or the streams and feeds of an organisation. */
export interface Listener {
  /** Null for the streams and feeds. */
  webhook: string | null;
  topics: string[];
  /** The place of the events of this transaction, where the organisation has events of later ones already; otherwise null. */
  latePlace: string | number | null;
}

/** The place of the events of the running transaction. */
const PLACE = '(select base from event_timeline) + pg_current_xact_id()::text::bigint';

const LATE_PLACE = `(select place from (select ${PLACE} as place) own where place < (select max(commit_order) from event where organisation_id = $1))`;

/** The enabled webhooks of an organisation, and its streams and feeds where there are any. */
export const listenersOf = (em: EntityManager, organisationId: number, now: Date): Promise<Listener[]> =>
  executeIn<Listener>(
    em,
    `select id as webhook, topics, ${LATE_PLACE} as "latePlace" from webhook where organisation_id = $1 and status = 'ENABLED' and deleted_at is null
     union all select null, '["ALL"]', ${LATE_PLACE} from event_recording where organisation_id = $1 and until > $2::timestamptz`,
    [organisationId, now.toISOString()],
  );

/** Whether an event of a later transaction is about one of the records. The place is bound, so that the few events after it are found by their index. */
export async function isOutOfOrder(
  em: EntityManager,
  organisationId: number,
  place: string | number,
  subjects: readonly string[],
): Promise<boolean> {
  const text = 'select 1 from event where organisation_id = $1 and commit_order > $2::bigint and subject_id = any($3::text[]) limit 1';
  return (await executeIn(em, text, [organisationId, place, subjects])).length > 0;
}

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

/** An SQL expression that tells of a delivery, as `operation id event webhook`, by the alias of its row, where the events of its organisation are streamed. */
export const deliveryNews = (alias: string, operation: 'CREATED' | 'UPDATED'): string =>
  `(select ${publishing(`'${DELIVERIES}' || ${alias}.organisation_id || chr(10) || '${operation} ' || ${alias}.id || ' ' || ${alias}.event_id || ' ' || ${alias}.webhook_id`)} from event_recording e where e.organisation_id = ${alias}.organisation_id and e.until > now())`;

/** Stores events and their deliveries, except those it has. The public id of the organisation is looked up where it is null. */
export async function storeEvents(
  em: EntityManager,
  { organisationId, organisation, now }: EventOrigin,
  events: readonly NewEventRow[],
  deliveries: readonly NewDelivery[],
): Promise<void> {
  await executeIn(
    em,
    `with stored as (
       insert into event (id, organisation_id, organization_id, topic, data, company_id, integration_type, data_model, operation, subject_id, previous_etag, test, triggered_at, commit_order)
       select r.id, $1, coalesce($2, (select public_id from organisation where id = $1)), r.topic, r.data, r."companyId", r."integrationType", r."dataModel", r.operation, r."subjectId", r."previousEtag", r.test, $3::timestamptz, ${PLACE}
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

/** Moves the base so that the running and all future transactions come after the newest event; only where that is from another server. */
export async function moveBase(em: EntityManager): Promise<void> {
  await executeIn(
    em,
    `update event_timeline set base = newest.place + 1 - pg_snapshot_xmin(pg_current_snapshot())::text::bigint
     from (select max(last.place) as place from organisation o cross join lateral (
       select commit_order as place from event where organisation_id = o.id order by commit_order desc limit 1) last) newest
     where newest.place >= base + pg_snapshot_xmax(pg_current_snapshot())::text::bigint`,
  );
}

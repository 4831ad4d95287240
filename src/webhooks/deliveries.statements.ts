// The statements on many deliveries: claiming those that are due, settling attempts, cancelling and replaying.
import type { Services } from '../access/context.ts';
import { changeTimeSql } from '../database/change-times.ts';
import { type EntityManager, executeIn, type Statement } from '../database/open.ts';
import { jsonOfRow } from '../database/reader/json-expression.ts';
import { Event } from '../events/event.ts';
import { deliveryNews } from '../events/events.statements.ts';
import { ATTEMPTS } from '../events/events.ts';
import type { QueueState } from '../queue/pg-boss.ts';
import { modelOf } from '../records/metadata.ts';
import type { Claim, ClaimCapacity } from './claim.ts';
import { type WebhookAttempt, WebhookDelivery } from './delivery.ts';
import { messageProperties, signingProperties } from './message.ts';
import { GIVE_UP_MS, REPORTED_AFTER_MS } from './retry-schedule.ts';
import { Webhook } from './webhook.ts';
import type { ReportedWebhook } from './webhook-events.ts';

/** Most deliveries cancelled together with their webhook: updating 10,000 rows takes a fraction of the 5 s a statement may take. */
const MAX_CANCELLED = 10_000;

/** Most deliveries one call queues; keeps the statement within its time limit. */
export const MAX_REPLAYED = 10_000;

const NEWS = deliveryNews('d', 'UPDATED');

/** Cancels the pending deliveries of a webhook. Skips locked ones, because waiting for a process that is settling them could deadlock. */
export async function cancelPending(em: EntityManager, { id }: Pick<Webhook, 'id'>, now: Date): Promise<void> {
  await executeIn(
    em,
    `update webhook_delivery d set status = 'CANCELLED', next_attempt_at = null, finished_at = $1::timestamptz, claimed_until = null
     where id in (select id from webhook_delivery where webhook_id = $2 and finished_at is null limit ${MAX_CANCELLED} for update skip locked) returning ${NEWS}`,
    [now.toISOString(), id],
  );
}

/** Which deliveries of a webhook to send again: one, or those without success that were queued within a time and have one of the topics. */
export type ReplayTarget = { delivery: string } | { webhook: string; since: string; until: string | null; topics: string[] | null };

/** The deliveries to replay. An attempt that is due may be under way. */
function matching(target: ReplayTarget): { sql: string; values: unknown[] } {
  const [condition, values] =
    'webhook' in target
      ? [
          `status in ('FAILED', 'CANCELLED') and created_at >= $4::timestamptz and created_at < coalesce($5::timestamptz, 'infinity')
            and ($6::text[] is null or exists (select 1 from event e where e.id = webhook_delivery.event_id and e.topic = any($6::text[])))`,
          [target.since, target.until, target.topics],
        ]
      : [`id = $4 and (status <> 'PENDING' or next_attempt_at > $3::timestamptz)`, [target.delivery]];
  return { sql: `organisation_id = $1 and webhook_id = $2 and $3::timestamptz is not null and ${condition}`, values };
}

/** Starts a new attempt epoch of deliveries of a webhook; returns their number. */
export async function startEpoch(
  em: EntityManager,
  { organisationId, id }: Pick<Webhook, 'organisationId' | 'id'>,
  target: ReplayTarget,
  now: Date,
): Promise<number> {
  const { sql, values } = matching(target);
  const started = await executeIn(
    em,
    `update webhook_delivery d set status = 'PENDING', turn = turn + 1, attempts_left = ${ATTEMPTS}, next_attempt_at = $3::timestamptz, finished_at = null, claimed_until = null
     where id in (select id from webhook_delivery where ${sql} order by id limit ${MAX_REPLAYED} for update) returning ${NEWS}`,
    [organisationId, id, now.toISOString(), ...values],
  );
  return started.length;
}

/** The number of deliveries of a webhook that a further replay would queue. */
export async function countReplayable(
  em: EntityManager,
  { organisationId, id }: Pick<Webhook, 'organisationId' | 'id'>,
  target: ReplayTarget,
  now: Date,
): Promise<number> {
  const { sql, values } = matching(target);
  const text = `select count(*)::int as count from webhook_delivery where ${sql}`;
  const [row] = await executeIn<{ count: number }>(em, text, [organisationId, id, now.toISOString(), ...values]);
  return row!.count;
}

/** How long a process has for a delivery that it claimed: the wait for a free call, the call, and the statement that settles it. */
const LEASE_SECONDS = 30;

/** Deliveries to a webhook that is disabled or deleted that one claim cancels. */
const CLOSED_AT_ONCE = 1_000;

const DUE = 'd.finished_at is null and d.next_attempt_at <= $1::timestamptz and (d.claimed_until is null or d.claimed_until < now())';

/** A row, unless every delivery is finished. */
export const UNFINISHED: Statement = {
  name: 'unfinished_deliveries',
  text: 'select 1 from webhook_delivery where finished_at is null limit 1',
};

/**
 * Claims deliveries that are due, the longest waiting of each webhook first, for this process alone. The webhooks with open deliveries are found
 * by one step of the index each, so a webhook with very many delays no other. Orders and the array of ids keep the planner, which does not know how few are due, at the indexes.
 */
export function claimDue(em: EntityManager, { healthy, failing, each, webhooks }: ClaimCapacity, now: Date): Promise<Claim[]> {
  return executeIn<Claim>(
    em,
    `with recursive open(webhook_id) as (
       (select webhook_id from webhook_delivery where finished_at is null order by webhook_id limit 1)
       union all
       select (select d.webhook_id from webhook_delivery d where d.finished_at is null and d.webhook_id > open.webhook_id order by d.webhook_id limit 1)
       from open where open.webhook_id is not null),
     hook as (
       select w.id, w.failing_since is not null as is_failing, w.is_closed, case when w.is_closed then ${CLOSED_AT_ONCE} else coalesce(known.room, $4::int) end as room
       from open cross join lateral (select id, failing_since, status <> 'ENABLED' or deleted_at is not null as is_closed from webhook where id = open.webhook_id) w
       left join jsonb_to_recordset($5::text::jsonb) as known(id text, room int) on known.id = w.id
       where (select true from webhook_delivery d where d.webhook_id = w.id and ${DUE} order by d.next_attempt_at, d.id limit 1)),
     chosen as (
       select hook.*, sum(room) over (partition by is_failing and not is_closed order by random()) - room as before from hook where room > 0),
     picked as (
       select due.id from chosen cross join lateral (
         select d.id from webhook_delivery d where d.webhook_id = chosen.id and ${DUE}
         order by d.next_attempt_at, d.id limit chosen.room for update skip locked) due
       where chosen.before < case when chosen.is_failing and not chosen.is_closed then $3::int else $2::int end)
     update webhook_delivery d set claimed_until = now() + interval '${LEASE_SECONDS} seconds' where d.id = any(array(select id from picked))
     returning d.id, d.organisation_id::float8 as "organisationId", d.webhook_id as "webhookId", d.turn, d.attempts_left as "attemptsLeft",
       (select ${jsonOfRow(modelOf(Webhook), [...signingProperties, 'url', 'status', 'deletedAt', 'failingSince'])} from webhook where id = d.webhook_id) as webhook,
       (select ${jsonOfRow(modelOf(Event), messageProperties)} from event where id = d.event_id) as event`,
    [now.toISOString(), healthy, failing, each, JSON.stringify(webhooks)],
  );
}

/** Ends the claims of deliveries that were not attempted. */
export async function release(em: EntityManager, ids: readonly string[]): Promise<void> {
  await em.nativeUpdate(
    WebhookDelivery,
    { id: { $in: [...ids] }, status: 'PENDING' },
    { claimedUntil: null },
    { filters: { tenant: false } },
  );
}

/** Ends every claim; for the only process of a database, whose claims are those of its former run. */
export async function releaseAll(em: EntityManager): Promise<void> {
  const claimed = { finishedAt: null, claimedUntil: { $ne: null } };
  await em.nativeUpdate(WebhookDelivery, claimed, { claimedUntil: null }, { filters: { tenant: false } });
}

/**
 * Cancels claimed deliveries whose webhook is disabled or deleted, or whose event is gone; returns their number. Reads the webhooks again
 * under a lock: a delivery cancelled after its webhook was enabled would be missed by a replay. The others are no longer claimed.
 */
export async function cancelClosed(em: EntityManager, claims: readonly Claim[], now: Date): Promise<number> {
  const ended = await executeIn<{ status: string }>(
    em,
    `with hook as materialized (select id, status, deleted_at from webhook where id = any($1::text[]) order by id for share),
     closed as (select id from hook where status <> 'ENABLED' or deleted_at is not null),
     seen as (select d.id, d.webhook_id in (select id from closed) or not exists (select 1 from event e where e.id = d.event_id) as is_over
       from webhook_delivery d where d.id = any($2::text[]))
     update webhook_delivery d set claimed_until = null,
       status = case when seen.is_over then 'CANCELLED' else d.status end,
       next_attempt_at = case when seen.is_over then null else d.next_attempt_at end,
       finished_at = case when seen.is_over then $3::timestamptz end
     from seen where d.id = seen.id and d.status = 'PENDING' returning d.status, ${NEWS}`,
    [[...new Set(claims.map(({ webhookId }) => webhookId))], claims.map(({ id }) => id), now.toISOString()],
  );
  return ended.filter(({ status }) => status === 'CANCELLED').length;
}

/** An attempt, and what it makes of its delivery. */
export interface SettledAttempt {
  attempt: Omit<WebhookAttempt, 'delivery'>;
  /** The state of the delivery; `turn` is the epoch of the attempt. */
  delivery: Pick<WebhookDelivery, 'webhookId' | 'status' | 'turn' | 'attemptsLeft' | 'nextAttemptAt'>;
  outcome: 'success' | 'failure' | 'gone';
}

/** What attempts, in the order of their ends, make of a webhook. */
interface WebhookOutcome {
  id: string;
  /** Whether one succeeded, and whether one failed after the last success. */
  succeeded: boolean;
  failed: boolean;
  gone: boolean;
}

function outcomesOf(attempts: readonly SettledAttempt[]): WebhookOutcome[] {
  const outcomes = new Map<string, WebhookOutcome>();
  for (const { delivery, outcome } of attempts) {
    const id = delivery.webhookId;
    const before = outcomes.get(id) ?? { id, succeeded: false, failed: false, gone: false };
    outcomes.set(id, {
      id,
      succeeded: before.succeeded || outcome === 'success',
      failed: outcome === 'failure' || (before.failed && outcome !== 'success'),
      gone: before.gone || outcome === 'gone',
    });
  }
  return [...outcomes.values()];
}

const FAILING_SINCE =
  'case when o.failed then case when o.succeeded then $3::timestamptz else coalesce(w.failing_since, $3::timestamptz) end when o.succeeded then null else w.failing_since end';
const GIVEN_UP = `not o.succeeded and o.failed and w.failing_since <= $3::timestamptz - interval '${GIVE_UP_MS} milliseconds'`;
const DISABLES = `w.status = 'ENABLED' and (o.gone or ${GIVEN_UP})`;
const REPORTS = `w.status = 'ENABLED' and w.failing_reported_at is null and not o.succeeded and o.failed and w.failing_since <= $3::timestamptz - interval '${REPORTED_AFTER_MS} milliseconds'`;
const REPORTED_AT = `case when ${DISABLES} or ${REPORTS} then $3::timestamptz when o.succeeded then null else w.failing_reported_at end`;

/** A webhook that attempts have disabled, or that has failed for so long that an event reports it. */
export interface ChangedWebhook extends ReportedWebhook {
  organisationId: number;
  /** When it last changed before. */
  replaced: string;
}

/**
 * Stores attempts with the new state of their deliveries and webhooks, and returns the webhooks whose change is an event. A delivery that a replay has
 * moved to a later epoch does not change.
 */
export function storeAttempts(em: EntityManager, attempts: readonly SettledAttempt[], now: Date): Promise<ChangedWebhook[]> {
  return executeIn<ChangedWebhook>(
    em,
    `with made as materialized (
       select * from jsonb_to_recordset($1::text::jsonb) as m(id text, "organisationId" bigint, "deliveryId" text, code int, duration int, "responseBody" text, error text, at timestamptz,
         status text, turn int, "attemptsLeft" int, "nextAttemptAt" timestamptz)),
     attempt as (
       insert into webhook_attempt (id, organisation_id, delivery_id, status, duration, response_body, error, at)
       select id, "organisationId", "deliveryId", code, duration, "responseBody", error, at from made),
     hook as (
       update webhook w set failing_since = ${FAILING_SINCE},
         status = case when ${DISABLES} then 'DISABLED' else w.status end,
         disabled_reason = case when ${DISABLES} then case when o.gone then 'GONE' else 'FAILING' end else w.disabled_reason end,
         updated_at = case when ${DISABLES} then ${changeTimeSql('$3', 'w.updated_at')} else w.updated_at end,
         failing_reported_at = ${REPORTED_AT}
       from jsonb_to_recordset($2::text::jsonb) as o(id text, succeeded bool, failed bool, gone bool)
       where w.id = o.id and (${DISABLES} or w.failing_since is distinct from (${FAILING_SINCE}) or w.failing_reported_at is distinct from (${REPORTED_AT}))
       returning w.*, w.failing_reported_at = $3::timestamptz as is_reported,
         (select updated_at from webhook former where former.id = w.id)::text as replaced),
     changed as (
     update webhook_delivery d set status = made.status, turn = made.turn + 1, attempts_left = made."attemptsLeft", next_attempt_at = made."nextAttemptAt",
       finished_at = case when made."nextAttemptAt" is null then $3::timestamptz end, claimed_until = null
     from made where d.id = made."deliveryId" and d.turn = made.turn and d.status = 'PENDING' returning ${NEWS})
     select id, organisation_id::float8 as "organisationId", url, status, disabled_reason as "disabledReason",
       to_char(failing_since at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "failingSince", replaced
     from hook where is_reported`,
    [
      JSON.stringify(attempts.map(({ attempt: { status: code, ...attempt }, delivery }) => ({ ...attempt, code, ...delivery }))),
      JSON.stringify(outcomesOf(attempts)),
      now.toISOString(),
    ],
  );
}

/** How many deliveries wait, as the metrics show them with the tasks of the queue. */
export async function deliveryQueue({ database, clock }: Pick<Services, 'database' | 'clock'>): Promise<QueueState> {
  const [row] = await database.read(
    {
      name: 'delivery_queue',
      text: `select count(*) filter (where not d.is_claimed and d.next_attempt_at <= $1::timestamptz), count(*) filter (where not d.is_claimed and d.next_attempt_at > $1::timestamptz),
          count(*) filter (where d.is_claimed), greatest(0, extract(epoch from $1::timestamptz - min(d.next_attempt_at) filter (where not d.is_claimed)))
        from (select next_attempt_at, coalesce(claimed_until >= now(), false) as is_claimed from webhook_delivery where finished_at is null) d`,
    },
    [clock.now().toISOString()],
  );
  const [ready, deferred, active, oldestSeconds] = row!.map(Number) as [number, number, number, number];
  return { ready, deferred, active, failed: 0, oldestSeconds };
}

/** How long before its end a transaction may have taken the time that its rows bear; the clocks of processes differ by less. */
const LATE = `interval '5 seconds'`;

/**
 * The deliveries of a webhook, or of all webhooks of an organisation, that may have changed since an event was made. Of the deliveries after an id,
 * it returns those made or ended since then, or still to be sent. Each with its event, in the order of their ids.
 */
const changedSince = (name: string, which: string) => ({
  name,
  text: `select d.id, d.event_id from webhook_delivery d where d.organisation_id = $1::bigint and d.id > $2 and ${which}
    (d.created_at >= $3::timestamptz - ${LATE} or d.finished_at is null or d.finished_at >= $3::timestamptz - ${LATE}) order by d.id limit 100`,
});
export const changedOfWebhook = changedSince('deliveries_of_webhook_changed_since', 'd.webhook_id = $4 and');
export const changedOfAll = changedSince('deliveries_changed_since', '');

// The tasks that make deliveries: one call per job, outside any transaction; the result is stored together with the job's completion.
import type { Services } from '../access/context.ts';
import { type EntityManager, executeIn } from '../database/open.ts';
import { type Projection, projectionOf, propOf, type Row } from '../database/reader/projection.ts';
import { organisationTransaction } from '../database/transaction.ts';
import { DELIVERY_TASK, deliveryGroup, Event } from '../events/events.ts';
import type { JobContext, Task } from '../queue/queue.ts';
import { newId } from '../records/ids.ts';
import { modelOf, type RecordClass } from '../records/metadata.ts';
import { callOut, type OutboundResult } from '../security/egress.ts';
import { WebhookDelivery } from './delivery.ts';
import { messageBody, messageHeaders } from './message.ts';
import { GIVE_UP_MS, retryAfterMs, retryDelayMs } from './retry-schedule.ts';
import { Webhook } from './webhook.ts';

/** Makes retries, and first attempts to receivers that are failing, so that slow receivers do not delay the others. */
export const RETRY_TASK = 'webhook-retry';

type DeliveryJob = { delivery: string; organisation: number; turn: number };

/** Concurrent calls of one process. */
const FIRST_CONCURRENCY = 16;
const RETRY_CONCURRENCY = 8;

const common = {
  // For errors on our side and killed processes; failed calls follow the retry schedule. Short at first, because a killed process already costs 10 s.
  retry: { limit: 1_000, delaySeconds: 1, backoff: true, maxDelaySeconds: 300 },
  groupConcurrency: 1,
  timeoutSeconds: 120,
} as const;

/** The tasks of a process. */
export const deliveryTasks = (services: Services): Task[] =>
  [
    {
      ...common,
      name: DELIVERY_TASK,
      concurrency: FIRST_CONCURRENCY,
      handler: (payload: DeliveryJob, job: JobContext) => deliver(services, payload, job, true),
    },
    {
      ...common,
      name: RETRY_TASK,
      concurrency: RETRY_CONCURRENCY,
      handler: (payload: DeliveryJob, job: JobContext) => deliver(services, payload, job, false),
    },
  ] as unknown as Task[];

const projections = new Map<RecordClass, Projection>();
const needed: [RecordClass, string[]][] = [
  [WebhookDelivery, ['id', 'webhookId', 'eventId', 'status', 'turn', 'attemptsLeft']],
  [Webhook, ['id', 'url', 'status', 'sealedSecret', 'formerSecret', 'formerSecretUntil', 'failingSince']],
  [Event, ['id', 'organizationId', 'topic', 'data', 'companyId', 'integrationType', 'dataModel', 'operation', 'test', 'triggeredAt']],
];

function read(services: Services, target: RecordClass, organisationId: number, id: unknown): Promise<Row | undefined> {
  const model = modelOf(target);
  let projection = projections.get(target);
  if (!projection) {
    projection = projectionOf(model, needed.find(([type]) => type === target)![1]);
    projections.set(target, projection);
  }
  return services.reader.row({
    projection,
    tenant: { organisationId, companyIds: null },
    where: [{ prop: propOf(model, 'id'), operator: 'eq', value: id }],
    primary: true,
  });
}

async function deliver(services: Services, payload: DeliveryJob, job: JobContext, isFirst: boolean): Promise<void> {
  const { organisation, turn: epoch } = payload;
  const delivery = await read(services, WebhookDelivery, organisation, payload.delivery);
  // The work is done already, or a replay has started a later attempt epoch.
  if (delivery?.status !== 'PENDING' || delivery.turn !== epoch) return;
  const [webhook, event] = await Promise.all([
    read(services, Webhook, organisation, delivery.webhookId),
    read(services, Event, organisation, delivery.eventId),
  ]);
  const settle = (work: (em: EntityManager) => Promise<unknown>): Promise<void> =>
    organisationTransaction(services.database, organisation, async (em) => {
      await work(em);
      await job.completeIn(em.getTransactionContext());
    });
  if (!event) return settle((em) => cancel(em, services, payload));
  if (webhook?.status !== 'ENABLED') return settle((em) => cancelUnlessEnabled(em, services, payload, delivery.webhookId as string));
  if (isFirst && webhook.failingSince !== null) {
    return settle((em) => services.queue.enqueue(em.getTransactionContext(), RETRY_TASK, payload, { group: webhook.id as string }));
  }
  const sentAt = services.clock.now();
  const body = messageBody(event, webhook.id as string);
  const result = await callOut(
    { url: webhook.url as string, headers: messageHeaders(webhook, event.id as string, body, sentAt, services.secrets), body },
    { allowPrivate: services.config.webhookAllowPrivate, signal: job.signal },
  );
  // This process stopped during the call. The receiver did not fail, so the call does not count as an attempt.
  if (job.signal.aborted) throw new Error('the process stopped before the receiver answered');
  services.log.debug(
    { delivery: payload.delivery, result: result.kind === 'answered' ? result.status : result.reason, durationMs: result.durationMs },
    'delivery attempted',
  );
  await settle((em) => record(em, services, { payload, delivery, webhook, sentAt, result }));
}

const cancel = (em: EntityManager, services: Services, { delivery, turn: epoch }: DeliveryJob): Promise<unknown> =>
  executeIn(
    em,
    `update webhook_delivery set status = 'CANCELLED', next_attempt_at = null, finished_at = $3::timestamptz where id = $1 and turn = $2 and status = 'PENDING'`,
    [delivery, epoch, services.clock.now().toISOString()],
  );

/**
 * Cancels a delivery to a disabled webhook. Checks the status again under a lock of the row: a delivery cancelled after its webhook was
 * enabled would be missed by a replay. The locking query filters by the id alone, because it would not wait for a row that does not match its
 * condition yet.
 */
async function cancelUnlessEnabled(em: EntityManager, services: Services, payload: DeliveryJob, webhookId: string): Promise<void> {
  const [webhook] = await executeIn<{ enabled: boolean }>(
    em,
    `select status = 'ENABLED' and deleted_at is null as enabled from webhook where id = $1 for share`,
    [webhookId],
  );
  if (!webhook?.enabled) await cancel(em, services, payload);
  else await services.queue.enqueue(em.getTransactionContext(), DELIVERY_TASK, payload, { group: deliveryGroup(webhookId, payload.turn) });
}

interface Attempt {
  payload: DeliveryJob;
  delivery: Row;
  webhook: Row;
  sentAt: Date;
  result: OutboundResult;
}

/** Stores an attempt, the new state of the delivery and of the webhook, and the job of the next attempt. */
async function record(em: EntityManager, services: Services, { payload, delivery, webhook, sentAt, result }: Attempt): Promise<void> {
  const now = services.clock.now();
  const status = result.kind === 'answered' ? result.status : null;
  const isDelivered = status !== null && status >= 200 && status < 300;
  const attemptsLeft = (delivery.attemptsLeft as number) - 1;
  const isOver = isDelivered || attemptsLeft <= 0 || status === 410;
  const asked = result.kind === 'answered' ? retryAfterMs(result.headers.retryAfter, now) : 0;
  const delay = isOver ? null : retryDelayMs(attemptsLeft, asked, Math.random());
  const next = delay === null ? null : new Date(now.getTime() + delay);
  await executeIn(
    em,
    `with attempt as (
       insert into webhook_attempt (id, organisation_id, delivery_id, status, duration, response_body, error, at)
       values ($1, $2, $3, $4::int, $5::int, $6, $7, $8::timestamptz)), hook as (${WEBHOOK_AFTER[isDelivered ? 'success' : status === 410 ? 'gone' : 'failure']})
     update webhook_delivery set status = $9, turn = turn + 1, attempts_left = $10::int, next_attempt_at = $11::timestamptz, finished_at = case when $11::timestamptz is null then $12::timestamptz end
     where id = $3 and turn = $14::int and status = 'PENDING'`,
    [
      newId('att'),
      payload.organisation,
      payload.delivery,
      status,
      result.durationMs,
      result.kind === 'answered' ? result.bodySnippet : null,
      result.kind === 'answered' ? null : result.reason,
      sentAt.toISOString(),
      isDelivered ? 'DELIVERED' : isOver ? 'FAILED' : 'PENDING',
      attemptsLeft,
      next?.toISOString() ?? null,
      now.toISOString(),
      webhook.id,
      payload.turn,
    ],
  );
  if (next)
    await services.queue.enqueue(
      em.getTransactionContext(),
      RETRY_TASK,
      { ...payload, turn: payload.turn + 1 },
      { runAfter: next, group: webhook.id as string },
    );
}

/** The update of a webhook ($13) after an attempt at the time $12; rows that need no change are not updated. */
const WEBHOOK_AFTER = {
  success: `update webhook set failing_since = null where id = $13 and failing_since is not null and $12::timestamptz is not null`,
  gone: `update webhook set status = 'DISABLED', disabled_reason = 'GONE', updated_at = $12::timestamptz where id = $13 and status = 'ENABLED'`,
  failure: `update webhook set
      failing_since = coalesce(failing_since, $12::timestamptz),
      status = case when ${givenUp()} then 'DISABLED' else status end,
      disabled_reason = case when ${givenUp()} then 'FAILING' else disabled_reason end,
      updated_at = case when ${givenUp()} then $12::timestamptz else updated_at end
    where id = $13 and status = 'ENABLED' and (failing_since is null or ${givenUp()})`,
};

function givenUp(): string {
  return `failing_since <= $12::timestamptz - interval '${GIVE_UP_MS} milliseconds'`;
}

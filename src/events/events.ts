// Events as rows: written in the transaction of the change, with one delivery per subscribed webhook. Sending the deliveries is left to src/webhooks.
import type { Services } from '../access/context.ts';
import { type EntityManager, executeIn } from '../database/open.ts';
import { enumeration, flag, identifier, ledgerNumber, moment, object, record, text } from '../records/decorators.ts';
import { defineEnum } from '../records/enums.ts';
import { newId } from '../records/ids.ts';
import { PLACE } from './event-order.ts';
import { ALL_TOPICS, TOPICS, type TopicName, topicEnumName } from './topics.ts';

const dotted = new Map<string, string>([...TOPICS.map(({ topic }) => [topicEnumName(topic), topic] as const), ['ALL', ALL_TOPICS]]);

/** The catalogue as a GraphQL enum; input may also use the dotted names of the catalogue. */
export const EventTopic = defineEnum<string>(
  'EventTopic',
  'A kind of event. Webhook bodies and REST write it with full stops.',
  {
    ...Object.fromEntries(TOPICS.map(({ topic, description }) => [topicEnumName(topic), description])),
    ALL: 'Every topic, those of later releases included; only for subscribing. Written `*` on REST.',
  },
  Object.fromEntries([...dotted].map(([name, topic]) => [topic, name])),
  dotted,
);

/** The catalogue's name of an enum value. */
export const topicName = EventTopic.jsonName;

export const Operation = defineEnum('RecordOperation', 'What happened to a record.', {
  CREATE: 'It was created.',
  UPDATE: 'It changed in substance.',
  DELETE: 'It was deleted.',
});

@record({
  description: 'Something that happened to a record of the organisation.',
  scope: 'organisation',
  key: 'id',
  prefix: 'evt',
  primaryKey: ['id'],
  indexes: [
    { name: 'event_stream_order', columns: 'organisation_id, commit_order, id' },
    { name: 'event_age', columns: 'triggered_at' },
  ],
})
export class Event {
  @identifier('Identifier, stable over retries; equals the `webhook-id` header of its deliveries.', { required: true }) id!: string;
  @ledgerNumber('Organisation the event belongs to.', { required: true, hidden: true }) organisationId!: number;
  @text('Public id of that organisation.', { required: true }) organizationId!: string;
  @enumeration(EventTopic, 'What happened.', { required: true }) topic!: string;
  @object('Details, as listed under the topic in the catalogue.', { required: true }) data!: Record<string, unknown>;
  @ledgerNumber('Number of the company concerned; null where the record belongs to none.') companyId!: number | null;
  @text('Source system the record came through.') integrationType!: string | null;
  @text('Kind of accounting record.') dataModel!: string | null;
  @enumeration(Operation, 'What happened to that record.') operation!: string | null;
  @flag('Whether the test trigger made it.', { required: true }) test!: boolean;
  @moment('When the change was made.', { required: true }) triggeredAt!: string;
  @ledgerNumber(
    'Place of the transaction that made the change; streams read in this order, because ids are assigned before the order of commits is known.',
    { required: true, hidden: true },
  )
  commitOrder!: number;
}

/** Marks an organisation whose events are stored although no webhook subscribes to them, because a client streams them. */
@record({
  description: 'An organisation whose events are streamed.',
  scope: 'organisation',
  key: 'organisationId',
  prefix: 'stream',
  primaryKey: ['organisationId'],
  internal: true,
})
export class EventRecording {
  @ledgerNumber('Organisation.', { required: true }) organisationId!: number;
  @moment('Since when every event has been stored; a stream cannot resume from before.', { required: true }) since!: string;
  @moment('Until when they are stored, unless a stream prolongs it.', { required: true }) until!: string;
}

/** Where events come from. */
export interface EventSource {
  services: Services;
  organisationId: number;
  /** Public id of the organisation; null where the caller does not know it. */
  organisation: string | null;
}

type EventData = Record<string, unknown>;

/** One event to emit. The members about a company belong to the topics of the integrations API. */
export interface NewEvent {
  topic: TopicName;
  /** Details; a function is called only when there is a webhook or stream for the event, after all other writes of its transaction. */
  data: EventData | (() => Promise<EventData>);
  companyId?: number;
  integrationType?: string;
  dataModel?: string;
  operation?: 'CREATE' | 'UPDATE' | 'DELETE';
}

interface Audience {
  /** Null for the row that represents the streams. */
  webhook: string | null;
  topics: string[];
}

/** Task that makes the first attempt of a delivery. */
export const DELIVERY_TASK = 'webhook-delivery';

/** Notification channel on which the streams of an organisation learn of new events. */
export const eventChannel = (organisationId: number): string => `events:${organisationId}`;

/** The group of a delivery's job. A webhook has four groups, and a process works on one job per group, so it makes at most four calls to a receiver at a time. */
export const deliveryGroup = (webhookId: string, index: number): string => `${webhookId}/${index % 4}`;

/** Attempts a delivery gets before it counts as failed: one at once and nine retries. */
export const ATTEMPTS = 10;

/**
 * Records events in the transaction of the change: they exist if and only if it commits. Takes one short statement when the organisation has
 * neither a webhook for the topics nor a stream. Otherwise one more stores the events, and with webhooks one stores all deliveries and one
 * all their jobs, whatever the number of events.
 */
export async function emitEvents(em: EntityManager, source: EventSource, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  const { services, organisationId } = source;
  const audience = await executeIn<Audience>(
    em,
    `select id as webhook, topics from webhook where organisation_id = $1 and status = 'ENABLED' and deleted_at is null
     union all select null, '["ALL"]' from event_recording where organisation_id = $1 and until > $2::timestamptz`,
    [organisationId, services.clock.now().toISOString()],
  );
  // Read after the recording was found, so that no event is older than the recording that stores it: a stream resumes after every event it sent.
  const now = services.clock.now().toISOString();
  const wanted = events
    .map((event) => ({ event, listeners: listenersOf(audience, topicEnumName(event.topic)) }))
    .filter(({ listeners }) => listeners.length > 0)
    .map((entry) => ({ ...entry, id: newId('evt') }));
  if (wanted.length === 0) return;
  await storeEvents(em, source, now, wanted);
  await storeDeliveries(
    em,
    source,
    wanted.flatMap(({ id, listeners }) =>
      listeners.flatMap(({ webhook }) => (webhook ? [{ webhook, event: id, attempts: ATTEMPTS }] : [])),
    ),
  );
  if (audience.some(({ webhook }) => webhook === null)) await services.notifications.publish(em, eventChannel(organisationId));
}

/** Records a test event for one webhook, with a single attempt; returns the id of the delivery. */
export async function emitTest(em: EntityManager, source: EventSource, webhook: string, data: Record<string, unknown>): Promise<string> {
  const id = newId('evt');
  await storeEvents(em, source, source.services.clock.now().toISOString(), [{ id, event: { topic: 'WEBHOOK.TEST', data }, test: true }]);
  const [delivery] = await storeDeliveries(em, source, [{ webhook, event: id, attempts: 1 }]);
  return delivery!;
}

const listenersOf = (audience: Audience[], topic: string): Audience[] =>
  audience.filter(({ topics }) => topics.includes('ALL') || topics.includes(topic));

interface IdentifiedEvent {
  id: string;
  event: NewEvent;
  test?: boolean;
}

/** Stores events with one statement. */
async function storeEvents(
  em: EntityManager,
  { organisationId, organisation }: EventSource,
  now: string,
  events: readonly IdentifiedEvent[],
): Promise<void> {
  const rows: object[] = [];
  for (const { id, event, test = false } of events)
    rows.push({
      id,
      topic: topicEnumName(event.topic),
      data: typeof event.data === 'function' ? await event.data() : event.data,
      company_id: event.companyId,
      integration_type: event.integrationType,
      data_model: event.dataModel,
      operation: event.operation,
      test,
    });
  await executeIn(
    em,
    `insert into event (id, organisation_id, organization_id, topic, data, company_id, integration_type, data_model, operation, test, triggered_at, commit_order)
     select r.id, $1, coalesce($2, (select public_id from organisation where id = $1)), r.topic, r.data, r.company_id, r.integration_type, r.data_model, r.operation, r.test, $3::timestamptz, ${PLACE}
     from jsonb_to_recordset($4::text::jsonb) as r(id text, topic text, data jsonb, company_id bigint, integration_type text, data_model text, operation text, test boolean)`,
    [organisationId, organisation, now, JSON.stringify(rows)],
  );
}

/** Stores deliveries with one statement and their jobs with another; returns the ids of the deliveries. */
async function storeDeliveries(
  em: EntityManager,
  { services, organisationId }: EventSource,
  deliveries: readonly { webhook: string; event: string; attempts: number }[],
): Promise<string[]> {
  if (deliveries.length === 0) return [];
  const now = services.clock.now().toISOString();
  const rows = deliveries.map((delivery) => ({ id: newId('dlv'), ...delivery }));
  await executeIn(
    em,
    `insert into webhook_delivery (id, organisation_id, webhook_id, event_id, status, turn, attempts_left, next_attempt_at, created_at)
     select r.id, $1, r.webhook, r.event, 'PENDING', 0, r.attempts, $2::timestamptz, $2::timestamptz
     from jsonb_to_recordset($3::text::jsonb) as r(id text, webhook text, event text, attempts int)`,
    [organisationId, now, JSON.stringify(rows)],
  );
  await services.queue.enqueueMany(
    em.getTransactionContext(),
    DELIVERY_TASK,
    rows.map(({ id, webhook }, index) => ({
      payload: { delivery: id, organisation: organisationId, turn: 0 },
      group: deliveryGroup(webhook, index),
    })),
  );
  return rows.map(({ id }) => id);
}

/** The event source of an organisation, for work that knows only its number. */
export const sourceOf = (services: Services, organisationId: number): EventSource => ({ services, organisationId, organisation: null });

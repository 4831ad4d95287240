// Events as rows: written in the transaction of the change, with one delivery per subscribed webhook. Sending the deliveries is left to src/webhooks.
import { helper } from '@mikro-orm/core';
import type { Services } from '../access/context.ts';
import { addEffects, type Effect } from '../database/effects.ts';
import type { EntityManager } from '../database/open.ts';
import { decodeGlobalId, newId } from '../records/ids.ts';
import {
  DELIVERIES_DUE,
  eventChannel,
  listenersOf,
  type NewDelivery,
  type NewEventRow,
  storeEvents,
  storeLateEvents,
} from './events.statements.ts';
import { type EventConcern, listenersOfEach } from './narrowing.ts';
import { eventEntries } from './relayed-events.ts';
import { topicEnumName } from './topics.ts';

/** Where events come from. */
export interface EventSource {
  services: Services;
  organisationId: number;
  /** Public id of the organisation; null where the caller does not know it. */
  organisation: string | null;
}

type EventData = Record<string, unknown>;

/** One event to emit. The members about a company belong to the topics of the integrations API. */
export interface NewEvent extends EventConcern {
  /** Details; a function is called only when there is a webhook or stream for the event, after all other writes of its transaction. */
  data: EventData | (() => Promise<EventData>);
  /** Version of that record before a change; absent for a record that the transaction has loaded, of which it is known. */
  previousEtag?: string | null;
  integrationType?: string;
}

/** Attempts a delivery gets before it counts as failed: one at once and nine retries. */
export const ATTEMPTS = 10;

/** Most events that one statement stores, with a delivery per webhook each. */
const MAX_STORED = 5_000;

/** Events of one source, as an effect of a transaction. */
interface EmittedEvents {
  source: EventSource;
  events: readonly NewEvent[];
}

/**
 * Events of a transaction. Takes one short statement when the organisation has neither a webhook for the topics nor a stream. Otherwise one
 * more stores up to 5,000 events with all their deliveries.
 */
const emitted: Effect<EmittedEvents> = {
  async store(em, items) {
    for (const [, group] of Map.groupBy(items, ({ source }) => source.organisationId))
      await storeWanted(
        em,
        group.find(({ source }) => source.organisation)?.source ?? group[0]!.source,
        group.flatMap(({ events }) => events),
      );
  },
};

/**
 * Records events with the transaction of the change: they exist if and only if it commits. Call it before a changed record is flushed, after which its
 * former version is no longer known.
 */
export function emitEvents(em: EntityManager, source: EventSource, events: readonly NewEvent[]): void {
  if (events.length === 0) return;
  addEffects(em, emitted, [{ source, events: events.map((event) => ({ ...event, previousEtag: replacedVersion(em, event) })) }]);
}

/** The version that a change replaces: the one given, or that of the loaded record as it was stored; null for a new one and types without versions. */
function replacedVersion(em: EntityManager, { subject, operation, previousEtag }: NewEvent): string | null {
  if (previousEtag !== undefined) return previousEtag;
  if (subject === undefined || operation === 'CREATE') return null;
  const named = decodeGlobalId(subject);
  const etag = named?.model.derived.get('etag');
  const loaded = etag && em.getUnitOfWork().getById(named!.model.class, named!.key as never);
  const stored = loaded && helper(loaded).__originalEntityData;
  return stored ? (etag!.compute(stored as Record<string, never>) as string) : null;
}

/** Stores the events that a webhook or a stream wants, and their deliveries. */
async function storeWanted(em: EntityManager, source: EventSource, events: readonly NewEvent[]): Promise<void> {
  const { services, organisationId } = source;
  const now = services.clock.now();
  const audience = await listenersOf(em, organisationId, now);
  const heard = await listenersOfEach(em, { organisationId, schema: services.schema }, audience, events);
  const wanted = heard.filter(({ listeners }) => listeners.length > 0).map((entry) => ({ ...entry, id: newId('evt') }));
  if (wanted.length === 0) return;
  for (let from = 0; from < wanted.length; from += MAX_STORED) {
    const some = wanted.slice(from, from + MAX_STORED);
    const deliveries = some.flatMap(({ id, listeners }) =>
      listeners.flatMap(({ webhook }) => (webhook ? [{ id: newId('dlv'), webhookId: webhook, eventId: id, attemptsLeft: ATTEMPTS }] : [])),
    );
    await store(em, source, now, some, deliveries, audience[0]!.isLate);
  }
  if (!services.outbox && audience.some(({ webhook }) => webhook === null))
    services.notifications.announce(em, eventChannel(organisationId));
}

/** Records a test event for one webhook, with a single attempt; returns the id of the delivery. */
export async function emitTest(em: EntityManager, source: EventSource, webhook: string, data: EventData): Promise<string> {
  const event = { id: newId('evt'), event: { topic: 'WEBHOOK.TEST', data }, test: true } as const;
  const delivery = { id: newId('dlv'), webhookId: webhook, eventId: event.id, attemptsLeft: 1 };
  await store(em, source, source.services.clock.now(), [event], [delivery]);
  return delivery.id;
}

interface IdentifiedEvent {
  id: string;
  event: NewEvent;
  test?: boolean;
}

/** Stores events and their deliveries, or has the outbox hold them. */
async function store(
  em: EntityManager,
  { services, organisationId, organisation }: EventSource,
  now: Date,
  events: readonly IdentifiedEvent[],
  deliveries: readonly NewDelivery[],
  isLate = false,
): Promise<void> {
  const rows: NewEventRow[] = [];
  for (const { id, event, test = false } of events)
    rows.push({
      id,
      topic: topicEnumName(event.topic),
      data: typeof event.data === 'function' ? await event.data() : event.data,
      companyId: event.companyId ?? null,
      integrationType: event.integrationType ?? null,
      dataModel: event.dataModel ?? null,
      operation: event.operation ?? null,
      subjectId: event.subject ?? null,
      previousEtag: event.previousEtag ?? null,
      test,
    });
  const origin = { organisationId, organisation, now };
  // A test is of no company, and its caller is shown the delivery at once.
  if (services.outbox && !events.some(({ test }) => test)) return services.outbox.add(em, eventEntries(origin, rows, deliveries));
  await (isLate ? storeLateEvents : storeEvents)(em, origin, rows, deliveries);
  if (deliveries.length > 0) services.notifications.announce(em, DELIVERIES_DUE);
}

/** The event source of an organisation, for work that knows only its number. */
export const sourceOf = (services: Services, organisationId: number): EventSource => ({ services, organisationId, organisation: null });

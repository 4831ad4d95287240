// Events that wait in the outbox: their entries, and the rows that a relay makes of these in a later transaction.
import type { Services } from '../access/context.ts';
import type { NewEntry, OutboxEntry } from '../queue/outbox.ts';
import { NO_COMPANY } from '../queue/queue.ts';
import type { Move } from '../queue/relay.ts';
import { DELIVERIES_DUE, type EventOrigin, eventChannel, type NewDelivery, type NewEventRow, storeEvents } from './events.statements.ts';

/** An event with its deliveries as an entry. Who gets it was decided in the transaction of the change. */
interface EntryContent extends Omit<EventOrigin, 'now'> {
  now: string;
  event: NewEventRow;
  deliveries: NewDelivery[];
}

const contentOf = ({ content }: OutboxEntry): EntryContent => content as unknown as EntryContent;

/** The entries of events and their deliveries. */
export function eventEntries(origin: EventOrigin, events: readonly NewEventRow[], deliveries: readonly NewDelivery[]): NewEntry[] {
  const byEvent = Map.groupBy(deliveries, ({ eventId }) => eventId);
  return events.map((event) => {
    const content = { ...origin, event, deliveries: byEvent.get(event.id) ?? [] };
    return { kind: 'event', id: event.id, companyId: event.companyId ?? NO_COMPANY, content };
  });
}

/**
 * How many of the first entries may be stored together. Streams order the events of one transaction by their ids, which contain the time of the
 * process that made them. Where its clock was behind that of the process before, the later event of a company waits for the next transaction.
 */
function inOrder(entries: readonly OutboxEntry[]): number {
  const last = new Map<number, string>();
  const late = entries.findIndex(({ companyId, id }) => {
    const isLate = id < (last.get(companyId) ?? '');
    last.set(companyId, id);
    return isLate;
  });
  return late < 0 ? entries.length : late;
}

/** Stores the events of entries with their deliveries, and wakes those who wait for them. */
export const moveEvents =
  ({ notifications }: Pick<Services, 'notifications'>): Move =>
  async (em, entries) => {
    const moved = entries.slice(0, inOrder(entries)).map(contentOf);
    const origins = Map.groupBy(moved, ({ organisationId, now }) => `${organisationId} ${now}`);
    for (const group of origins.values()) {
      const [{ organisationId, organisation, now }] = group as [EntryContent];
      await storeEvents(
        em,
        { organisationId, organisation, now: new Date(now) },
        group.map(({ event }) => event),
        group.flatMap(({ deliveries }) => deliveries),
      );
      notifications.announce(em, eventChannel(organisationId));
    }
    if (moved.some(({ deliveries }) => deliveries.length > 0)) notifications.announce(em, DELIVERIES_DUE);
    return moved.length;
  };

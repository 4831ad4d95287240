// Which webhooks and streams get an event: those of its topic, company and record type, and those whose filter selects its record.

import type { GraphQLSchema } from 'graphql';
import type { EntityManager } from '../database/open.ts';
import { conditionsOf, type Filter } from '../database/reader/conditions.ts';
import { keysMeeting } from '../database/reader/matching.statements.ts';
import { decodeGlobalId } from '../records/ids.ts';
import type { Model } from '../records/metadata.ts';
import type { Listener } from './events.statements.ts';
import { appliedFilters, type RecordFiltersInput } from './record-filters.ts';
import { type TopicName, topicEnumName } from './topics.ts';

/** What an event is about, by which its listeners are found. */
export interface EventConcern {
  topic: TopicName;
  /** Global id of the record it is about. */
  subject?: string;
  companyId?: number;
  dataModel?: string;
  operation?: 'CREATE' | 'UPDATE' | 'DELETE';
  /** Whether only streams get it, because a webhook would be called for each of very many records. */
  streamsOnly?: boolean;
}

/** An event, and the webhooks and streams that get it. */
export interface HeardEvent<E extends EventConcern> {
  event: E;
  listeners: Listener[];
}

/** Whose events they are, and the schema by which filters are read. */
interface Hearing {
  organisationId: number;
  schema: GraphQLSchema;
}

/** The listeners of each event, in the transaction of the change and after its writes. */
export async function listenersOfEach<E extends EventConcern>(
  em: EntityManager,
  hearing: Hearing,
  audience: readonly Listener[],
  events: readonly E[],
): Promise<HeardEvent<E>[]> {
  const heard = events.map((event): HeardEvent<E> => ({ event, listeners: [] }));
  for (const listener of audience) {
    const wanted = heard.filter(({ event }) => wants(listener, event));
    const selected = listener.filter ? await selectedBy(em, hearing, listener.filter, wanted) : wanted;
    for (const { listeners } of selected) listeners.push(listener);
  }
  return heard;
}

const wants = ({ webhook, topics, companyIds, dataModels }: Listener, event: EventConcern): boolean =>
  !(event.streamsOnly && webhook) &&
  (topics.includes('ALL') || topics.includes(topicEnumName(event.topic))) &&
  isAmong(companyIds, event.companyId) &&
  isAmong(dataModels, event.dataModel);

/** Whether an event has one of the values to which its listener is limited. */
const isAmong = <Value>(limited: readonly Value[] | null, value: Value | undefined): boolean =>
  limited === null || (value !== undefined && limited.includes(value));

/** An event about a record of a type that a filter names. */
interface FilteredEvent<H> {
  heard: H;
  /** The company of the record; undefined where it belongs to none. */
  companyId: number | undefined;
  isDeletion: boolean;
  model: Model;
  key: string | number;
  where: readonly Filter[];
}

/** The events about records that a list with the filter shows, and about deleted records of its types, which no list shows. */
async function selectedBy<H extends HeardEvent<EventConcern>>(
  em: EntityManager,
  { organisationId, schema }: Hearing,
  filter: RecordFiltersInput,
  events: readonly H[],
): Promise<H[]> {
  const { filters } = appliedFilters(schema, filter);
  const filtered = events.flatMap((heard): FilteredEvent<H>[] => {
    const { subject, companyId, operation } = heard.event;
    const named = subject === undefined ? undefined : decodeGlobalId(subject);
    const where = named && filters.get(named.model);
    return where ? [{ heard, companyId, isDeletion: operation === 'DELETE', ...named, where }] : [];
  });
  const selected = filtered.filter(({ isDeletion }) => isDeletion);
  const changed = filtered.filter(({ isDeletion }) => !isDeletion);
  for (const group of Map.groupBy(changed, ({ model, companyId }) => `${model.name} ${companyId}`).values()) {
    const [{ model, where, companyId }] = group as [FilteredEvent<H>];
    const among = conditionsOf(model, {
      ...(model.companyProp && companyId !== undefined ? { [model.companyProp]: companyId } : {}),
      [model.key]: { in: [...new Set(group.map(({ key }) => key))] },
    });
    const keys = await keysMeeting(em, model, [...among, ...where], { organisationId, companyIds: null });
    for (const one of group) if (keys.has(String(one.key))) selected.push(one);
  }
  return selected.map(({ heard }) => heard);
}

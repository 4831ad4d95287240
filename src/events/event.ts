// Events as records: the catalogue as an enum, the table of events, and the mark of an organisation whose events are streamed.
import type { Opt } from '@mikro-orm/core';
import { Extensions } from 'type-graphql';
import { Node } from '../graphql/node.ts';
import { derived, enumeration, flag, identifier, ledgerNumber, moment, object, record, text } from '../records/decorators.ts';
import { defineEnum } from '../records/enums.ts';
import type { RecordClass } from '../records/metadata.ts';
import { PositiveInt } from '../records/scalars.ts';
import { ALL_TOPICS, TOPICS, type Topic, type TopicName, topicEnumName } from './topics.ts';

const choices: string[] = TOPICS.map(({ topic }) => topic);
const dotted = new Map<string, string>([...TOPICS.map(({ topic }) => [topicEnumName(topic), topic] as const), ['ALL', ALL_TOPICS]]);

/** The catalogue as a GraphQL enum; input may also use the dotted names of the catalogue. */
export const EventTopic = defineEnum<string>(
  'EventTopic',
  'Topic of an event. Webhook bodies and REST write it with full stops.',
  {
    ...Object.fromEntries(TOPICS.map(({ topic, description }) => [topicEnumName(topic), description])),
    ALL: 'Every topic, including those of later releases; only for subscribing. Written `*` on REST.',
  },
  Object.fromEntries([...dotted].map(([name, topic]) => [topic, name])),
  dotted,
);

/** Adds a topic whose events hold records of a type; call it before the schema is built. */
export function declareTopic(topic: string, description: string, record: RecordClass): Topic<TopicName> {
  const declared: Topic<TopicName> = {
    topic: topic as TopicName,
    description,
    surface: 'platform',
    data: { record: { type: record.name } },
  };
  TOPICS.push(declared);
  choices.push(topic);
  const name = topicEnumName(topic);
  dotted.set(name, topic);
  Object.assign(EventTopic.aliases, { [topic]: name });
  EventTopic.descriptions[name] = { description };
  delete (EventTopic.values as Record<string, string>).ALL;
  Object.assign(EventTopic.values, { [name]: name, ALL: 'ALL' });
  return declared;
}

/** The catalogue's name of an enum value. */
export const topicName = EventTopic.jsonName;

export const Operation = defineEnum('RecordOperation', 'Kind of a change.', {
  CREATE: 'The record was created.',
  UPDATE: 'The content of the record changed.',
  DELETE: 'The record was deleted.',
});

@record({
  description: 'An event of the organisation.',
  scope: 'organisation',
  key: 'id',
  prefix: 'evt',
  primaryKey: ['id'],
  indexes: [
    { name: 'event_stream_order', columns: 'organisation_id, commit_order, id' },
    { name: 'event_company_order', columns: 'organisation_id, company_id, commit_order, id' },
    { name: 'event_age', columns: 'triggered_at' },
  ],
  node: { roles: ['PLATFORM'] },
  companyLimit: { company: 'company_id' },
  implements: Node,
})
export class Event {
  @identifier('Identifier, stable over retries; equals the `webhook-id` header of its deliveries.', { required: true }) id!: string;
  @ledgerNumber('Organisation the event belongs to.', { required: true, hidden: true }) organisationId!: number;
  @text('Public id of the organisation.', { required: true }) organizationId!: string;
  @enumeration(EventTopic, 'What happened, such as CORPORATIONS_CREATED.', { required: true, rest: 'never' }) topic!: string;
  @derived(
    () => String,
    'Topic as written on REST and in payloads.',
    ['topic'],
    ({ topic }: Record<'topic', string>) => topicName(topic),
  )
  @Extensions({ jsonName: 'topic', choices })
  topicName!: Opt<string>;
  @object('Data of the event, as the catalogue describes it per topic.', { required: true }) data!: Record<string, unknown>;
  @ledgerNumber('Number of the company; null if the record has none.', { names: 'Company' })
  companyId!: number | null;
  @text('Source system the record came through.') integrationType!: string | null;
  @text('Kind of accounting record.') dataModel!: string | null;
  @enumeration(Operation, 'Kind of the change; null if the event is not about a change of a record.')
  operation!: string | null;
  @identifier('Global id of the record; null without one.', { list: 'scanned' }) subjectId!: string | null;
  @text('`etag` before the change; null for new records and types without versions.', { list: 'never' })
  previousEtag!: string | null;
  @flag('Whether it is a test event.', { required: true }) test!: boolean;
  @moment('When the change was made.', { required: true }) triggeredAt!: Date;
  @ledgerNumber(
    'Place of the transaction that made the change; streams read in this order, because ids are assigned before the order of commits is known.',
    { required: true, hidden: true },
  )
  commitOrder!: number;
  @derived(
    () => PositiveInt,
    'Place of the change in the order of the events of the organisation: of two events about one record, the greater is the later. Bodies of webhooks have it.',
    ['commitOrder'],
    ({ commitOrder }) => commitOrder,
  )
  sequence!: Opt<number>;
  @ledgerNumber('Number of that transaction; less than its place if a transaction with a later number changed the same record first.', {
    hidden: true,
  })
  transactionOrder!: number | null;
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
  @moment('Since when every event has been stored.', { required: true }) since!: Date;
  @text('The transactions that had ended by then, as a snapshot of the database; a stream cannot resume after their events.')
  sinceSnapshot!: string | null;
  @ledgerNumber('What the order of events then added to the numbers of that snapshot.') sinceBase!: number | null;
  @moment('Until when they are stored, unless a stream prolongs it.', { required: true }) until!: Date;
}

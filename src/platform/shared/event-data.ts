// The `data` of the platform's events: records as REST shows them.

import type { RequestContext, Services } from '../../access/context.ts';
import { tenantOf } from '../../access/context.ts';
import { Organisation } from '../../access/tables.ts';
import type { EntityManager } from '../../database/open.ts';
import type { Row } from '../../database/reader/projection.ts';
import { type EventSource, emitEvents, type NewEvent } from '../../events/events.ts';
import { TOPICS, type Topic, type TopicName } from '../../events/topics.ts';
import { restRecords } from '../../graphql/rest/rest-record.ts';
import type { RecordClass } from '../../records/metadata.ts';

/** What a topic says happened to its record; nothing for other topics. */
function operationOf(topic: TopicName): Pick<NewEvent, 'operation'> {
  const operation = (['CREATE', 'UPDATE', 'DELETE'] as const).find((name) => topic.endsWith(`.${name}D`));
  return operation ? { operation } : {};
}

/** What the events of records are made from, before the records are named. */
type EventOfRecords = [em: EntityManager, services: Services, organisationId: number, topic: TopicName, target: RecordClass];

/** A record that changed; without a version, the transaction has loaded the record. */
type ChangedRecord = Pick<NewEvent, 'previousEtag'> & { id: string };

/**
 * Events of records. Their data are whole records, as they are at the end of the open transaction, and read together; or ids alone where the topic has no
 * more.
 */
export function recordEvents(
  ...[em, { schema }, organisationId, topic, target, changed]: [...EventOfRecords, changed: readonly ChangedRecord[]]
): NewEvent[] {
  const { data }: Topic = TOPICS.find((entry) => entry.topic === topic)!;
  const about = ({ id, previousEtag }: ChangedRecord) => ({ topic, subject: id, previousEtag, ...operationOf(topic) });
  if (!('record' in data)) return changed.map((one) => ({ ...about(one), data: { id: one.id } }));
  const { without } = data;
  const read = async (): Promise<Map<unknown, Row>> => {
    const { publicId } = await em.findOneOrFail(Organisation, { id: organisationId }, { fields: ['publicId'] });
    const given = { organizationId: publicId };
    return restRecords(em, { schema, organisationId, target, keys: changed.map(({ id }) => id), given, ...(without ? { without } : {}) });
  };
  let reading: ReturnType<typeof read> | undefined;
  return changed.map((one) => ({
    ...about(one),
    data: async () => {
      reading ??= read();
      return (await reading).get(one.id)!;
    },
  }));
}

/** The event of one record. */
export const recordEvent = (...[em, services, organisationId, topic, target, id]: [...EventOfRecords, id: string]): NewEvent =>
  recordEvents(em, services, organisationId, topic, target, [{ id }])[0]!;

/** Emits events of the caller's organisation in the open transaction. */
export function emit(em: EntityManager, context: RequestContext, events: readonly NewEvent[]): void {
  const source: EventSource = {
    services: context.services,
    organisationId: tenantOf(context).organisationId,
    organisation: context.principal?.organisation ?? null,
  };
  emitEvents(em, source, events);
}

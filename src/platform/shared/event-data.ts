// The `data` of the platform's events: records as REST shows them.

import type { RequestContext, Services } from '../../access/context.ts';
import { tenantOf } from '../../access/context.ts';
import { type EntityManager, executeIn } from '../../database/open.ts';
import { type EventSource, emitEvents, type NewEvent } from '../../events/events.ts';
import { TOPICS, type Topic, type TopicName } from '../../events/topics.ts';
import { restRecords } from '../../graphql/rest-record.ts';
import type { RecordClass } from '../../records/metadata.ts';

/** An event whose data is the whole record, as it is at the end of the open transaction. */
export const recordEvent = (
  em: EntityManager,
  { schema }: Services,
  organisationId: number,
  topic: TopicName,
  target: RecordClass,
  id: string,
): NewEvent => ({
  topic,
  data: async () => {
    const { data }: Topic = TOPICS.find((entry) => entry.topic === topic)!;
    const { without = [] } = data as { without?: readonly string[] };
    const [row] = await executeIn<{ public_id: string }>(em, 'select public_id from organisation where id = $1', [organisationId]);
    const given = { organizationId: row!.public_id };
    return (await restRecords(em, { schema, organisationId, target, keys: [id], given, without })).get(id)!;
  },
});

/** Emits events of the caller's organisation in the open transaction. */
export function emit(em: EntityManager, context: RequestContext, ...events: NewEvent[]): Promise<void> {
  const source: EventSource = {
    services: context.services,
    organisationId: tenantOf(context).organisationId,
    organisation: context.principal?.organisation ?? null,
  };
  return emitEvents(em, source, events);
}

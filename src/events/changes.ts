// Changes of records as subscriptions: the kind of change and the record as it is now, read once for all subscribers that see the same of it.
import type { GraphQLResolveInfo } from 'graphql';
import { type ClassType, Field, ID, ObjectType } from 'type-graphql';
import { type RequestContext, tenantOf } from '../access/context.ts';
import { conditionsOf, type Filter, type ReadScope } from '../database/reader/conditions.ts';
import type { FieldTree } from '../database/reader/field-tree.ts';
import { projectionFor, projectionOf, type Row } from '../database/reader/projection.ts';
import { lookAhead } from '../graphql/look-ahead.ts';
import { defineEnum } from '../records/enums.ts';
import { decodeGlobalId } from '../records/ids.ts';
import type { Model } from '../records/metadata.ts';
import { audienceOf } from './audience.ts';
import { followEvents, type LoggedEvent } from './event-log.ts';
import type { Batch } from './shared-log.ts';

export const ChangeOperation = defineEnum('ChangeOperation', 'Kind of a change.', {
  CREATED: 'The record is new.',
  UPDATED: 'The record changed.',
  DELETED: 'The record was deleted.',
});

/** What happened to a record. */
export interface Change {
  operation: keyof typeof ChangeOperation.values;
  nodeId: string;
  eventId: string;
  previousEtag: string | null;
  matches: boolean;
  node: Row | null;
}

/** The fields of a change of a record, for the GraphQL type of the changes of a kind of record to extend. */
export function changeOf(node: () => object): ClassType<Omit<Change, 'matches'>> {
  @ObjectType()
  class ChangeFields {
    @Field(() => ChangeOperation.values, { description: 'Kind of the change; changes within a tenth of a second are one message.' })
    operation!: Change['operation'];
    // Not `id`: caches that key objects by it would take the change for its record.
    @Field(() => ID, { description: 'Global id of the record, for client caches.' })
    nodeId!: string;
    @Field(node as () => ClassType, {
      nullable: true,
      description: 'Record at the time of the message, even if deleted; null once it is purged, or if you cannot read it.',
    })
    node!: Row | null;
    @Field(() => String, {
      nullable: true,
      description: '`etag` before the change; null for new records and types without versions.',
    })
    previousEtag!: string | null;
    @Field(() => ID, {
      description: 'Event id for `after`, to resume. No change is missed; changes within the same tenth of a second may repeat.',
    })
    eventId!: string;
  }
  return ChangeFields;
}

/** Which records to follow. */
export interface Followed {
  models: readonly Model[];
  companyId?: number | null;
  /** One record alone. */
  id?: string;
  /** What records of a type must meet. */
  filters?: ReadonlyMap<Model, readonly Filter[]>;
}

/**
 * The changes of records in their order, each with the record as the subscription selects it and the key may read it. The rights of a key never
 * change, and the subscription ends with its key.
 */
export function followChanges(
  context: RequestContext,
  info: GraphQLResolveInfo,
  followed: Followed,
  after: string | null | undefined,
): Promise<AsyncIterableIterator<Change>> {
  const { companyIds } = tenantOf(context);
  const models = new Set(followed.models);
  const isWanted = ({ operation, subjectId, companyId }: LoggedEvent): boolean =>
    operation !== null &&
    subjectId !== null &&
    (followed.id === undefined || subjectId === followed.id) &&
    (followed.companyId == null || companyId === followed.companyId) &&
    (companyId === null || companyIds === null || companyIds.includes(companyId)) &&
    models.has(decodeGlobalId(subjectId)?.model as Model);
  const read = ({ entries }: Batch<LoggedEvent>): Promise<Change[]> => {
    const wanted = entries.filter(isWanted);
    // Not kept: the tree of a document of 4 kB takes 180 kB, and each subscription would have its own.
    const node = lookAhead(info).fields.get('node');
    return readNodes(
      context,
      { node, filters: followed.filters },
      coalesced(wanted),
      new Set(wanted.flatMap((event) => event.companyId ?? [])),
    );
  };
  const audience = audienceOf(context, info);
  return followEvents(context, { after, field: 'after' }, (batch) => batch.share(audience, () => read(batch)));
}

const operations = { CREATE: 'CREATED', UPDATE: 'UPDATED', DELETE: 'DELETED' } as const;

/**
 * One change per record, in the order of the first event of each. `eventId` is the last event before the first event of the next record, so a
 * subscriber that resumes after it misses nothing. It may get the change of a record that had several changes again.
 */
function coalesced(events: readonly LoggedEvent[]): Change[] {
  const groups = [...Map.groupBy(events, ({ subjectId }) => subjectId!).entries()];
  return groups.map(([id, group], index) => {
    const [first, last] = [group[0]!, group.at(-1)!];
    const next = groups[index + 1]?.[1][0];
    return {
      nodeId: id,
      operation: operations[first.operation === 'CREATE' && last.operation === 'UPDATE' ? 'CREATE' : last.operation!],
      previousEtag: first.previousEtag,
      eventId: events[next ? events.indexOf(next) - 1 : events.length - 1]!.id,
      matches: last.operation !== 'DELETE',
      node: null,
    };
  });
}

interface Selection {
  /** The fields of the record; undefined when the subscription selects none. */
  node: FieldTree | undefined;
  filters: Followed['filters'];
}

/** The changes with their records: one statement per record type, and one for the filter of a type. New records that a filter leaves out are dropped. */
async function readNodes(
  context: RequestContext,
  { node, filters }: Selection,
  changes: readonly Change[],
  companyIds: ReadonlySet<number>,
): Promise<Change[]> {
  const { reader } = context.services;
  const scope: ReadScope = { tenant: tenantOf(context) };
  const byModel = Map.groupBy(changes, ({ nodeId }) => decodeGlobalId(nodeId)!.model);
  const keyOf = ({ nodeId }: Change): string | number => decodeGlobalId(nodeId)!.key;
  await Promise.all(
    [...byModel].map(async ([model, own]) => {
      const where = {
        [model.key]: { in: own.map(keyOf) },
        ...(model.companyProp && companyIds.size > 0 ? { [model.companyProp]: { in: [...companyIds] } } : {}),
      };
      const filter = filters?.get(model);
      const [rows, matching] = await Promise.all([
        node ? reader.findRows(projectionFor(model, node), { where }, { ...scope, includeDeleted: true }) : [],
        filter &&
          reader.rows({ ...scope, projection: projectionOf(model, [model.key]), where: [...conditionsOf(model, where), ...filter] }),
      ]);
      const found = new Map(rows.map((row) => [row[model.key], row]));
      const matches = matching && new Set(matching.map((row) => row[model.key]));
      for (const change of own) {
        const key = keyOf(change);
        const row = found.get(key);
        change.node = row ? Object.assign(row, { __typename: model.name }) : null;
        if (matches) change.matches = matches.has(key);
      }
    }),
  );
  return changes.filter(({ operation, matches }) => matches || operation !== 'CREATED');
}

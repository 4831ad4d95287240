// The progress of one record as a subscription: what it says now, then again after each change, to its final state.
import type { GraphQLResolveInfo } from 'graphql';
import { type RequestContext, type Services, tenantOf } from '../access/context.ts';
import type { EntityManager } from '../database/open.ts';
import { subscribe } from '../database/poll.ts';
import { projectionFor, projectionWith, propOf, type Row } from '../database/reader/projection.ts';
import { lookAhead } from '../graphql/look-ahead.ts';
import type { GatewayError } from '../records/errors.ts';
import { modelOf, type RecordClass } from '../records/metadata.ts';

const channelOf = (id: string): string => `progress:${id}`;

/** Tells who follows the record of this id that it changed, once the transaction commits. */
export const announceProgress = (em: EntityManager, { notifications }: Services, id: string): Promise<void> =>
  notifications.publish(em, channelOf(id));

/** The same as an expression of another statement, with the values it binds from parameter `$first` on. */
export const progressAnnouncement = ({ notifications }: Services, id: string, first: number): { sql: string; values: string[] } =>
  notifications.publication(channelOf(id), first);

/** A kind of record whose progress can be followed: it has a `status`, and one owner at a time announces its changes. */
export interface Followed {
  target: RecordClass;
  notFound: (id: string) => GatewayError;
  isOver: (status: string) => boolean;
}

/**
 * The states of a record of the caller's, from now to its last one, with the fields the subscription selects. Changes in quick succession may
 * come as one. Fails at once when the caller may see no such record, and in the stream when it is gone.
 */
export async function progressOf(
  { target, notFound, isOver }: Followed,
  id: string,
  context: RequestContext,
  info: GraphQLResolveInfo,
): Promise<AsyncIterableIterator<Row>> {
  const { reader, notifications } = context.services;
  const model = modelOf(target);
  const query = {
    projection: projectionWith(projectionFor(model, lookAhead(info)), ['status']),
    tenant: tenantOf(context),
    where: [{ prop: propOf(model, 'id'), operator: 'eq' as const, value: id }],
    primary: true,
  };
  const read = async (): Promise<Row> => {
    const row = await reader.row(query);
    if (!row) throw notFound(id);
    return row;
  };
  await read();
  return subscribe(notifications, channelOf(id), async () => {
    const row = await read();
    return { items: [row], isOver: isOver(row.status as string) };
  });
}

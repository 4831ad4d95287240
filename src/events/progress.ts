// The progress of one record as a subscription: its current state, then its state after each change, up to the final one.
import type { GraphQLResolveInfo } from 'graphql';
import { type RequestContext, type Services, tenantOf } from '../access/context.ts';
import type { EntityManager } from '../database/open.ts';
import { subscribe } from '../database/poll.ts';
import { projectionFor, projectionWith, propOf, type Row } from '../database/reader/projection.ts';
import { lookAhead } from '../graphql/look-ahead.ts';
import type { GatewayError } from '../records/errors.ts';
import { modelOf, type RecordClass } from '../records/metadata.ts';

const channelOf = (id: string): string => `progress:${id}`;

/** Notifies the subscribers of a record of its change when the transaction commits. */
export const announceProgress = (em: EntityManager, { notifications }: Services, id: string): Promise<void> =>
  notifications.publish(em, channelOf(id));

/** The same notification as an expression for another statement, with the values of its parameters from `$first` on. */
export const progressAnnouncement = ({ notifications }: Services, id: string, first: number): { sql: string; values: string[] } =>
  notifications.publication(channelOf(id), first);

/** A kind of record with progress subscriptions: it has a `status`, and one owner at a time announces its changes. */
export interface ProgressKind {
  target: RecordClass;
  notFound: (id: string) => GatewayError;
  isOver: (status: string) => boolean;
}

/**
 * The states of one of the caller's records, from the current to the final one, with the fields the subscription selects. Changes in quick
 * succession may arrive as one. Throws at once when the caller may see no such record; the stream fails when the record is gone later.
 */
export async function progressOf(
  { target, notFound, isOver }: ProgressKind,
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

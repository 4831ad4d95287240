// The progress of one record as a subscription: what it says now, then again after each change, to its final state.
import type { GraphQLResolveInfo } from 'graphql';
import { type RequestContext, type Services, tenantOf } from './context.ts';
import type { EntityManager } from './database.ts';
import type { GatewayError } from './errors.ts';
import { follow } from './follow.ts';
import { modelOf, type RecordClass } from './model.ts';
import { propOf, type Row, selectionFor, selectionWith } from './record-selection.ts';
import { lookAhead } from './selection.ts';

const signalOf = (id: string): string => `progress:${id}`;

/** Tells who follows the record of this id that it changed, once the transaction commits. */
export const announceProgress = (em: EntityManager, { signals }: Services, id: string): Promise<void> => signals.publish(em, signalOf(id));

/** The same as an expression of another statement, with the values it binds from parameter `$first` on. */
export const progressAnnouncement = ({ signals }: Services, id: string, first: number): { sql: string; values: string[] } =>
  signals.publication(signalOf(id), first);

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
  const { reader, signals } = context.services;
  const model = modelOf(target);
  const query = {
    selection: selectionWith(selectionFor(model, lookAhead(info)), ['status']),
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
  return follow(signals, signalOf(id), async () => {
    const row = await read();
    return { items: [row], isOver: isOver(row.status as string) };
  });
}

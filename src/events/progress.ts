// The progress of one record as a subscription: its current state, then its state after each change, up to the final one.

import type { GraphQLResolveInfo } from 'graphql';
import { type RequestContext, type Services, scopeOf } from '../access/context.ts';
import type { EntityManager } from '../database/open.ts';
import { projectionFor, projectionWith, type Row } from '../database/reader/projection.ts';
import { lookAhead } from '../graphql/look-ahead.ts';
import { modelOf, type RecordClass } from '../records/metadata.ts';
import { notFound } from '../records/not-found.ts';
import { subscribe } from '../runtime/poll.ts';

const channelOf = (id: string): string => `progress:${id}`;

/** Notifies the subscribers of a record of its change after the transaction commits. */
export const announceProgress = (em: EntityManager, { notifications }: Services, id: string): void =>
  notifications.announce(em, channelOf(id));

/** Has `wake` called after each change of a record that is announced; returns the function that ends that. */
export const watchProgress = ({ notifications }: Services, id: string, wake: () => void): (() => void) =>
  notifications.subscribe(channelOf(id), wake);

/** A kind of record with progress subscriptions: it has a `status`, and one owner at a time announces its changes. */
export interface ProgressKind {
  record: RecordClass;
  /** The argument with the id. */
  field: string;
  isOver: (status: string) => boolean;
}

/**
 * The states of one of the caller's records, from the current to the final one, with the fields the subscription selects. Changes in quick
 * succession may arrive as one. Throws at once when the caller may see no such record; the stream fails when the record is gone later.
 */
export async function progressOf(
  { record, field, isOver }: ProgressKind,
  id: string,
  context: RequestContext,
  info: GraphQLResolveInfo,
): Promise<AsyncIterableIterator<Row>> {
  const { services } = context;
  const { reader, notifications } = services;
  const projection = projectionWith(projectionFor(modelOf(record), lookAhead(info)), ['status']);
  const scope = scopeOf(context);
  const read = async (): Promise<Row> => {
    const [row] = await reader.findRows(projection, { where: { id }, limit: 1 }, scope);
    if (!row) throw notFound(record, id, field);
    return row;
  };
  await read();
  let shown: string | undefined;
  return subscribe(
    (wake) => watchProgress(services, id, wake),
    async (isWoken) => {
      const row = await read();
      const state = JSON.stringify(row);
      // A poll that no notification caused nearly always finds nothing new.
      const isNew = isWoken || state !== shown;
      shown = state;
      return { items: isNew ? [row] : [], isOver: isOver(String(row.status)) };
    },
    notifications.pollMs,
  );
}

// What a run leaves at the connection of its company: how it stands, and the cursors.
import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '../../database/open.ts';
import type { EventSource } from '../../events/events.ts';
import type { ErrorCode, GatewayError } from '../../records/errors.ts';
import type { Json } from '../connectors/connector.ts';
import { Connection, type ConnectionStateName, liveOf, setState } from './connection.ts';

/** The state that an error of the source means; ERROR for any other. */
const states: Partial<Record<ErrorCode, ConnectionStateName>> = { CONNECTION_EXPIRED: 'NEEDS_REAUTH' };

const lockedConnection = (em: EntityManager, companyId: number): Promise<Connection | null> =>
  em.findOne(Connection, liveOf(companyId), { lockMode: LockMode.PESSIMISTIC_WRITE });

/** What a run has met. */
export interface Met {
  /** Why it did not reach the source; absent where it did. */
  error?: GatewayError;
  /** The connection as the run opened it; undefined where it opened none. */
  used: Pick<Connection, 'sealedCredentials'> | undefined;
}

/** Notes at the connection of a company, where it has one, that a run reached the source, or why not. */
export async function noteRun(em: EntityManager, source: EventSource, companyId: number, { error, used }: Met): Promise<void> {
  const connection = await lockedConnection(em, companyId);
  if (!connection) return;
  if (!error) {
    connection.lastSuccessAt = source.services.clock.now();
    if (connection.status !== 'PAUSED') setState(em, source, connection, 'CONNECTED', null);
    return;
  }
  const state = states[error.code] ?? 'ERROR';
  // Credentials that were given since are not the ones that were refused.
  if (state === 'NEEDS_REAUTH' && used && used.sealedCredentials !== connection.sealedCredentials) return;
  const reason = state === 'NEEDS_REAUTH' ? `${error.message}; the link of the connection mends it` : error.message;
  // It stays paused until somebody resumes it, whatever becomes of a run that was asked for.
  if (connection.status === 'PAUSED')
    return setState(em, source, connection, 'PAUSED', `paused on request; the last run failed: ${reason}`);
  setState(em, source, connection, state, reason);
  // A schedule would only repeat the refusal until somebody links the connection again.
  if (state === 'NEEDS_REAUTH') connection.nextRunAt = null;
}

/** Stores the cursor after which the next incremental pull of a data model begins. */
export async function noteCursor(em: EntityManager, companyId: number, dataModel: string, cursor: Json): Promise<void> {
  const connection = await lockedConnection(em, companyId);
  if (connection) connection.cursors = { ...connection.cursors, [dataModel]: cursor };
}

// Records the outcome of a run on the connection of its company: its state and the cursors.
import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '../../database/open.ts';
import type { EventSource } from '../../events/events.ts';
import type { ErrorCode, GatewayError } from '../../records/errors.ts';
import type { Json } from '../connectors/connector.ts';
import { Connection, type ConnectionStateName, liveOf, type PullState, setState } from './connection.ts';
import { putOff, scheduleNext } from './schedule.ts';

/** The state that an error of the source means; ERROR for any other. */
const states: Partial<Record<ErrorCode, ConnectionStateName>> = { CONNECTION_EXPIRED: 'NEEDS_REAUTH' };

const lockedConnection = (em: EntityManager, companyId: number): Promise<Connection | null> =>
  em.findOne(Connection, liveOf(companyId), { lockMode: LockMode.PESSIMISTIC_WRITE });

/** The outcome of a run. */
export interface RunOutcome {
  /** Why it did not reach the source; absent where it did. */
  error?: GatewayError;
  /** Whether the source rejects whatever is asked of it, and would the next time. */
  isLasting?: boolean;
  /** The connection as the run opened it; undefined where it opened none. */
  used: Pick<Connection, 'sealedCredentials'> | undefined;
}

/** Notes at the connection of a company, where it has one, that a run reached the source, or why not. */
export async function noteRun(
  em: EntityManager,
  source: EventSource,
  companyId: number,
  { error, isLasting, used }: RunOutcome,
): Promise<void> {
  const connection = await lockedConnection(em, companyId);
  if (!connection) return;
  const now = source.services.clock.now();
  if (!error) {
    const lacks = lackOf(connection.pullStates);
    if (lacks === null) connection.lastSuccessAt = now;
    if (connection.status === 'PAUSED') return;
    // What a failure has put off or stopped continues at its time.
    if (connection.status !== 'CONNECTED' && Object.keys(connection.dueAt).length > 0) scheduleNext(connection, [], now);
    return setState(em, source, connection, 'CONNECTED', lacks);
  }
  const state = states[error.code] ?? 'ERROR';
  // Credentials that were given since are not the ones that were rejected.
  if (state === 'NEEDS_REAUTH' && used && used.sealedCredentials !== connection.sealedCredentials) return;
  const reason = state === 'NEEDS_REAUTH' ? `${error.message}; open the link of the connection to sign in again` : error.message;
  // It stays paused until someone resumes it, whatever the outcome of a requested run.
  if (connection.status === 'PAUSED')
    return setState(em, source, connection, 'PAUSED', `paused on request; the last run failed: ${reason}`);
  setState(em, source, connection, state, reason);
  // A schedule would only repeat the rejection until someone links the connection again.
  if (state === 'NEEDS_REAUTH') connection.nextRunAt = null;
  else if (isLasting) putOff(connection, now);
}

/** How the pull of a data model has ended, and how many of its records there are then. */
export interface PullEnd {
  dataModel: string;
  endedAt: string | Date;
  /** Why it failed; null where it did not. */
  error: string | null;
  stored: number;
  refused: number;
  deleted: number;
  /** Bytes of what its records keep of the source; absent where they keep none. */
  rawBytes?: number;
}

/** Notes at the connection of a company how pulls have ended, and forgets the data models that are not among those of the source. */
export async function notePulls(em: EntityManager, companyId: number, ends: readonly PullEnd[], served: readonly string[]): Promise<void> {
  const connection = await lockedConnection(em, companyId);
  if (!connection) return;
  const known = connection.pullStates;
  const states = ends.map(({ dataModel, endedAt, error, ...counts }): [string, PullState] => {
    const lastSuccessAt = error === null ? new Date(endedAt).toISOString() : (known[dataModel]?.lastSuccessAt ?? null);
    return [dataModel, { lastSuccessAt, lastError: error, ...counts }];
  });
  const all = Object.entries({ ...known, ...Object.fromEntries(states) });
  const present = new Set(served);
  connection.pullStates = Object.fromEntries(all.filter(([dataModel]) => present.size === 0 || present.has(dataModel)));
}

/** Most characters of an error of the source that the reason of a connection repeats for one data model. */
const MAX_CHARACTERS = 200;

/** What the last pulls could not take from a source, in one sentence; null for nothing. */
function lackOf(states: Readonly<Record<string, PullState>>): string | null {
  const all = Object.entries(states);
  const failed = Map.groupBy(
    all.filter(([, { lastError }]) => lastError !== null),
    ([, { lastError }]) => lastError!.slice(0, MAX_CHARACTERS),
  );
  const refused = all.filter(([, state]) => state.lastError === null && state.refused > 0);
  const words = [
    ...[...failed].map(([error, of]) => `${of.map(([dataModel]) => dataModel).join(', ')} cannot be pulled: ${error}`),
    ...refused.map(([dataModel, state]) => `${state.refused} of the ${dataModel} records cannot be stored`),
  ];
  return words.length > 0 ? words.join('; ') : null;
}

/** Stores the cursor after which the next incremental pull of a data model begins. */
export async function noteCursor(em: EntityManager, companyId: number, dataModel: string, cursor: Json): Promise<void> {
  const connection = await lockedConnection(em, companyId);
  if (connection) connection.cursors = { ...connection.cursors, [dataModel]: cursor };
}

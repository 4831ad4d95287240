// Classifies the database's errors: which a retry may resolve, which mean "not available", and which constraint a write violated.

import { GatewayError } from '../records/errors.ts';
import { diskFull } from './disk-space.ts';

/** What PostgreSQL or the socket reports. */
export interface DatabaseError {
  code?: string;
  detail?: string;
  constraint?: string;
  message?: string;
  cause?: unknown;
  previous?: unknown;
}

/** The error that PostgreSQL or the socket reported, unwrapped from the errors of the ORM and the driver. */
export function databaseError(error: unknown): DatabaseError | undefined {
  let current = error as DatabaseError | undefined;
  for (let depth = 0; current && depth < 5; depth++) {
    if (typeof current.code === 'string' && /^([0-9A-Z]{5}|E[A-Z]+)$/.test(current.code)) return current;
    current = (current.cause ?? current.previous) as DatabaseError | undefined;
  }
  return undefined;
}

/** What the database or the socket says, without the hints that the driver adds on further lines. */
export const messageOf = (error: unknown): string => String(databaseError(error)?.message ?? (error as Error).message).split('\n', 1)[0]!;

/** Whether a statement waited in vain for a lock, or was ended because it and another one waited for each other. */
export const lockRefused = (error: unknown): boolean => ['55P03', '40P01'].includes(databaseError(error)?.code ?? '');

/** The constraint of an error by its name. A distributed engine reports it only in the message, with the number of the shard behind it. */
const constraintOf = ({ constraint, message = '' }: DatabaseError): string =>
  (constraint ?? / constraint "([^"]+)"/.exec(message)?.[1] ?? '').replace(/_\d{6,}$/, '');

/**
 * The unique indexes by which a write finds the record that it means: of platform ids, of those of children, and of natural keys. A write of a product
 * finds none by its source: that of another product is rejected.
 */
const RECORD_KEY = /^(?!product_).*_(source_id|platform_id|source|natural)_key$/;

/**
 * Whether the same work may succeed in a retry. It may after a deadlock (40P01) and after a serialisation failure (40001). It may when another
 * request stored the same key between our read and our insert, because the next attempt finds that record. It may also when a failed transaction of
 * the queue is not rolled back yet on the one connection of the embedded database (25P02).
 */
export function retryable(error: unknown): boolean {
  const found = databaseError(error);
  return (
    found?.code === '40P01' ||
    found?.code === '40001' ||
    found?.code === '25P02' ||
    (found?.code === '23505' && RECORD_KEY.test(constraintOf(found)))
  );
}

/** Whether the work waited in vain for a lock of someone else. */
export const waitedInVain = (error: unknown): boolean => databaseError(error)?.code === '55P03';

/** Name of the constraint or unique index that a write violated; undefined for any other error. */
export function brokenConstraint(error: unknown): string | undefined {
  const found = databaseError(error);
  return found?.code?.startsWith('23') ? constraintOf(found) : undefined;
}

const DISK_FULL = '53100';

/**
 * How the coordinator of a distributed engine reports a worker that went away during a statement: the text of its client library under the code of an
 * internal error.
 */
const LOST_WORKER =
  /server closed the connection|connection not open|no connection to the server|could not (?:send data to|receive data from) (?:the )?server/;

/** SERVICE_UNAVAILABLE when the database cannot be reached or does not respond in time; undefined for every other error. */
export function unavailable(error: unknown): GatewayError | undefined {
  const found = databaseError(error);
  const code = found?.code ?? '';
  if (code === DISK_FULL) return diskFull();
  const message = String((error as Error | undefined)?.message ?? '');
  const lost =
    /^(08|57P|53)/.test(code) ||
    ['57014', '55P03', '25P02', '25P03', '40P01', '40001'].includes(code) ||
    (code === 'XX000' && LOST_WORKER.test(found?.message ?? '')) ||
    /^E(CONN|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN)/.test(code) ||
    /timeout exceeded when trying to connect|Connection terminated|is not queryable|Query read timeout|pool after calling end|PGlite is closed/.test(
      message,
    );
  return lost ? new GatewayError('SERVICE_UNAVAILABLE', 'the store is not available at the moment', { retryAfterSeconds: 2 }) : undefined;
}

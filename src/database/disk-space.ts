// The room that must be left on the disk under the embedded database before a write begins.
import { statfsSync } from 'node:fs';
import { GatewayError } from '../records/errors.ts';

/**
 * Two segments of the write-ahead log (16 MB each). A table that cannot grow is only an error, but the engine does not survive a log that
 * cannot go on: after 3,000 refused writes on a full disk it answered nothing but issues of its own.
 */
const RESERVE_BYTES = 2 * 16 * 1_048_576;

/** The answer to a write the disk has no room for. */
export const diskFull = (): GatewayError =>
  new GatewayError('SERVICE_UNAVAILABLE', 'the disk of the store is full; nothing was stored', { retryAfterSeconds: 2 });

/** Throws SERVICE_UNAVAILABLE when the disk that holds a directory has no room for another write. */
export function ensureRoom(directory: string): void {
  const { bavail, bsize } = statfsSync(directory);
  if (bavail * bsize < RESERVE_BYTES) throw diskFull();
}

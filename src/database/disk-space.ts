// Rejects writes to the embedded database while its disk is nearly full.
import { statfsSync } from 'node:fs';
import { GatewayError } from '../records/errors.ts';

/**
 * Free space that a write needs: two segments of the write-ahead log (16 MB each). A table that cannot grow is only an error, but the engine does not
 * survive a log that cannot grow. After 3,000 rejected writes on a full disk every response was an internal error.
 */
const RESERVE_BYTES = 2 * 16 * 1_048_576;

/** The error for a write that the disk has no space for. */
export const diskFull = (): GatewayError =>
  new GatewayError('SERVICE_UNAVAILABLE', 'the disk of the store is full; nothing was stored', { retryAfterSeconds: 2 });

/** Throws SERVICE_UNAVAILABLE when the disk of a directory has no space for another write. */
export function ensureRoom(directory: string): void {
  const { bavail, bsize } = statfsSync(directory);
  if (bavail * bsize < RESERVE_BYTES) throw diskFull();
}

// Rejects writes to the embedded database while its disk is nearly full, and starts on such a disk.
import { statfsSync } from 'node:fs';
import { resolve } from 'node:path';
import { GatewayError } from '../records/errors.ts';

/**
 * Free space that a write needs: two segments of the write-ahead log (16 MB each). A table that cannot grow is only an error, but the engine does not
 * survive a log that cannot grow. After 3,000 rejected writes on a full disk every response was an internal error.
 */
const RESERVE_BYTES = 2 * 16 * 1_048_576;

/** What a new database takes with its migrations. */
const NEW_DATABASE_BYTES = 64 * 1_048_576;

/** What to do about a full disk. */
export const MORE_SPACE = 'Free space on that disk, or set DATA_DIR to a directory on a larger one';

/** The error for a write that the disk has no space for. */
export const diskFull = (): GatewayError =>
  new GatewayError('SERVICE_UNAVAILABLE', 'the disk of the store is full; nothing was stored', { retryAfterSeconds: 2 });

function freeBytes(directory: string): number {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize;
}

/** Throws SERVICE_UNAVAILABLE when the disk of a directory has no space for another write. */
export function ensureRoom(directory: string): void {
  if (freeBytes(directory) < RESERVE_BYTES) throw diskFull();
}

/** Throws where the disk has no space for what a start writes. */
export function refuseFullDisk(directory: string, isNew: boolean): void {
  const [free, needed] = [freeBytes(directory), RESERVE_BYTES + (isNew ? NEW_DATABASE_BYTES : 0)];
  if (free >= needed) return;
  const [has, needs] = [free, needed].map((bytes) => Math.floor(bytes / 1_048_576));
  throw new Error(`DATA_DIR leads to ${resolve(directory)}: its disk has ${has} MB free, and a start needs ${needs} MB. ${MORE_SPACE}`);
}

/**
 * One owner per embedded data directory: two processes on one directory silently lost 1,714 of 26,860 acknowledged writes.
 *
 * The owner is the process with the operating system's locks on two files of the directory. The system releases the locks when the process
 * ends in any way. Process numbers would not do, because the gateway of every container is process 1. The locks belong to the open file
 * (Linux: OFD), so neither a copy nor a dump, which reads all files in the same process, releases them. The second file is one the database
 * needs, so that removing the first by hand does not make the directory available.
 */
import { closeSync, existsSync, ftruncateSync, mkdirSync, openSync, readFileSync, rmdirSync, rmSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { tryLock } from 'fs-native-extensions';
import { MORE_SPACE } from './disk-space.ts';

/** The file that is locked first. It is never removed, because a new file of its name would have a lock of its own. */
export const LOCK_FILE = 'owner.lock';
/** The file that is locked as soon as the database has created it. */
export const DATABASE_FILE = 'PG_VERSION';
/** A byte far behind the end of both files, because a locked byte cannot be read where locks are mandatory (Windows). */
const LOCKED_BYTE = 2 ** 30;
/** The folder that a restore fills; while it exists, the database of the directory is incomplete. */
export const RESTORING = 'restoring';

/** What to do about a directory that cannot be used, by the code of the error. */
const REMEDIES: Readonly<Record<string, string>> = {
  EACCES: 'Give the user of the gateway the right to write there, or set DATA_DIR to another directory',
  ENOSPC: MORE_SPACE,
  EDQUOT: MORE_SPACE,
};
const ELSEWHERE = 'Set DATA_DIR to a directory on a local disk that the user of the gateway can write';

/** Another process, or another part of this one, owns the directory. */
export class DirectoryInUse extends Error {}

/** The claim on a directory. */
export interface DirectoryClaim {
  /** Locks the file that the database of a first start has created since the claim. */
  settle(): void;
  release(): void;
}

/** The error of a directory in the words of a start: what it is, why it cannot be used, and what to do. */
function unusable(directory: string, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === undefined ? error : new Error(`DATA_DIR leads to ${resolve(directory)}: ${message}. ${REMEDIES[code] ?? ELSEWHERE}`);
}

/** Throws what a start would throw where the directory cannot be made. What the trial made is removed. */
export function requireCreatable(directory: string): void {
  const missing: string[] = [];
  for (let path = resolve(directory); !existsSync(path); path = dirname(path)) missing.push(path);
  try {
    makeDirectory(directory);
  } catch (error) {
    throw unusable(directory, error);
  } finally {
    for (const path of missing) if (existsSync(path)) rmdirSync(path);
  }
}

/** Claims the directory. Throws DirectoryInUse while it is claimed, also by this process. */
export async function claimDataDirectory(directory: string, { forRestore = false } = {}): Promise<DirectoryClaim> {
  const locked = new Map<string, number>();
  const release = (): void => {
    for (const descriptor of locked.values()) closeSync(descriptor);
    locked.clear();
  };
  const lock = (name: string, flags: string): void => {
    if (locked.has(name)) return;
    const descriptor = openSync(join(directory, name), flags);
    locked.set(name, descriptor);
    if (!takeLock(directory, descriptor)) throw inUse(directory);
  };
  const settle = (): void => {
    if (existsSync(join(directory, DATABASE_FILE))) lock(DATABASE_FILE, 'r+');
  };
  try {
    makeDirectory(directory);
    lock(LOCK_FILE, 'a+');
    settle();
    refuseEarlierOwner(directory);
    if (!forRestore && existsSync(join(directory, RESTORING)))
      throw new Error(`a restore into the data directory ${directory} was cut off: run it again`);
    const descriptor = locked.get(LOCK_FILE)!;
    ftruncateSync(descriptor);
    writeSync(descriptor, `process ${process.pid} on ${hostname()}\n`);
  } catch (error) {
    release();
    throw unusable(directory, error);
  }
  return { settle, release };
}

/** Throws the error of a database that does not open in these words. */
export const refusingDatabase =
  (directory: string) =>
  // An error of its file system has no message.
  ({ message = 'its files cannot be read and written' }: Error): never => {
    throw new Error(
      `DATA_DIR leads to ${resolve(directory)}: the database there does not open (${message}). Restore a dump into an empty directory; remove this one only where it is what an interrupted first start left`,
    );
  };

/** Locks an open file of the directory; false where another owner has the lock. */
function takeLock(directory: string, descriptor: number): boolean {
  try {
    return tryLock(descriptor, LOCKED_BYTE, 1);
  } catch (error) {
    throw new Error(
      `DATA_DIR leads to ${resolve(directory)}: its file system has no locks (${(error as Error).message}). Set DATA_DIR to a directory on a local disk, or use PostgreSQL by DATABASE_URL`,
    );
  }
}

/** Makes the directory and those above it. The `recursive` of Node never ends where no directory can be made, as below /proc. */
function makeDirectory(directory: string): void {
  if (existsSync(directory)) return;
  makeDirectory(dirname(directory));
  try {
    mkdirSync(directory);
  } catch (error) {
    // Another process may have made it in the meantime.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function inUse(directory: string): DirectoryInUse {
  let owner = '';
  try {
    owner = readFileSync(join(directory, LOCK_FILE), 'utf8').trim();
  } catch {
    // Someone removed the file; the lock on the other one is still in force.
  }
  return new DirectoryInUse(
    `the data directory ${directory} is in use by ${owner || 'another process'}; stop it first, or set DATA_DIR or DATABASE_URL. The lock ends with that process: no file needs to be removed`,
  );
}

/** Throws while a process of an earlier version owns the directory; those wrote their process number instead of locking. */
function refuseEarlierOwner(directory: string): void {
  const file = join(directory, 'owner.pid');
  if (!existsSync(file)) return;
  const owner = Number(readFileSync(file, 'utf8'));
  if (owner > 0 && owner !== process.pid && isAlive(owner))
    throw new DirectoryInUse(
      `the data directory ${directory} is in use by process ${owner} of an earlier version; stop it first. If that is another program, remove ${file}`,
    );
  rmSync(file);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

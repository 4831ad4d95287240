/**
 * One owner per embedded data directory: two processes on one directory silently lost 1,714 of 26,860 acknowledged writes.
 *
 * The owner is the process with the operating system's locks on two files of the directory. The system releases the locks when the process
 * ends in any way. Process numbers would not do, because the gateway of every container is process 1. The locks belong to the open file
 * (Linux: OFD), so neither a copy nor a dump, which reads all files in the same process, releases them. The second file is one the database
 * needs, so that removing the first by hand does not make the directory available.
 */
import { closeSync, existsSync, ftruncateSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { tryLock } from 'fs-native-extensions';

/** The file that is locked first. It is never removed, because a new file of its name would have a lock of its own. */
export const LOCK_FILE = 'owner.lock';
/** The file that is locked as soon as the database has created it. */
export const DATABASE_FILE = 'PG_VERSION';
/** A byte far behind the end of both files, because a locked byte cannot be read where locks are mandatory (Windows). */
const LOCKED_BYTE = 2 ** 30;
/** The folder that a restore fills; while it exists, the database of the directory is incomplete. */
export const RESTORING = 'restoring';

/** Another process, or another part of this one, owns the directory. */
export class DirectoryInUse extends Error {}

/** The claim on a directory. */
export interface DirectoryClaim {
  /** Locks the file that the database of a first start has created since the claim. */
  settle(): void;
  release(): void;
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
    if (!tryLock(descriptor, LOCKED_BYTE, 1)) {
      closeSync(descriptor);
      throw inUse(directory);
    }
    locked.set(name, descriptor);
  };
  const settle = (): void => {
    if (existsSync(join(directory, DATABASE_FILE))) lock(DATABASE_FILE, 'r+');
  };
  try {
    await mkdir(directory, { recursive: true });
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
    const { code } = error as NodeJS.ErrnoException;
    throw code
      ? new Error(`the data directory ${directory} cannot be taken (${code}): it must be a directory that this user can write and lock`)
      : error;
  }
  return { settle, release };
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

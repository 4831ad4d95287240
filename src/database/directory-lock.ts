/**
 * One owner per embedded data directory: two processes on one directory silently lost 1,714 of 26,860 acknowledged writes.
 *
 * The owner is who holds the operating system's locks on two files of the directory. The system drops them with their holder, however it
 * ends, and knows nothing of process numbers: every container's gateway is process 1. They are locks of the open file (Linux: OFD), so neither
 * a dump, which reads all files in the same process, nor a copy gives them up. The second file is one the database cannot be without, so that
 * whoever removes the first by hand opens no door.
 */
import { closeSync, existsSync, ftruncateSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { tryLock } from 'fs-native-extensions';

/** The file that is locked from the beginning. It is never removed: a second one of its name would be another lock. */
export const LOCK_FILE = 'owner.lock';
/** The file that is locked as soon as the database has it. */
const DATABASE_FILE = 'PG_VERSION';
/** Far behind what either file holds: where locks are mandatory (Windows) a locked byte cannot be read. */
const LOCKED_BYTE = 2 ** 30;
/** The folder a restore fills; while it is there the directory holds no whole database. */
export const RESTORING = 'restoring';

/** The directory belongs to somebody else. */
export class DirectoryInUse extends Error {}

/** The hold on a directory. */
export interface DirectoryClaim {
  /** Locks the files that a first start has made only now. */
  settle(): void;
  release(): void;
}

/** Takes the directory for this process. Throws DirectoryInUse while anybody has it, this process included. */
export async function claimDataDirectory(directory: string, { forRestore = false } = {}): Promise<DirectoryClaim> {
  const held = new Map<string, number>();
  const release = (): void => {
    for (const descriptor of held.values()) closeSync(descriptor);
    held.clear();
  };
  const hold = (name: string, flags: string): void => {
    if (held.has(name)) return;
    const descriptor = openSync(join(directory, name), flags);
    if (!tryLock(descriptor, LOCKED_BYTE, 1)) {
      closeSync(descriptor);
      throw inUse(directory);
    }
    held.set(name, descriptor);
  };
  const settle = (): void => {
    if (existsSync(join(directory, DATABASE_FILE))) hold(DATABASE_FILE, 'r+');
  };
  try {
    await mkdir(directory, { recursive: true });
    hold(LOCK_FILE, 'a+');
    settle();
    refuseEarlierOwner(directory);
    if (!forRestore && existsSync(join(directory, RESTORING)))
      throw new Error(`a restore into the data directory ${directory} was cut off: run it again`);
    const descriptor = held.get(LOCK_FILE)!;
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
    // Removed by hand; the lock on the other file holds.
  }
  return new DirectoryInUse(
    `the data directory ${directory} is in use by ${owner || 'another process'}; stop it first, or set DATA_DIR or DATABASE_URL. The lock ends with its holder: no file needs to be removed`,
  );
}

/** Earlier versions wrote their process number instead of locking: one that still runs is an owner too. */
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

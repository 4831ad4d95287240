// A small disk in memory, for tests of full disks.
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PIECE = Buffer.alloc(65_536);

export interface SmallDisk {
  folder: string;
  /** Writes a file until the disk is full. */
  fill(): void;
  /** Removes that file. */
  empty(): void;
  remove(): void;
}

/** A disk of this size; null where this user may not mount one. */
export function smallDisk(megabytes: number): SmallDisk | null {
  const folder = mkdtempSync(join(tmpdir(), 'disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    rmdirSync(folder);
    return null;
  }
  const filler = join(folder, 'filler');
  return {
    folder,
    fill() {
      const handle = openSync(filler, 'w');
      try {
        for (;;) writeSync(handle, PIECE);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      } finally {
        closeSync(handle);
      }
    },
    empty: () => rmSync(filler),
    remove() {
      execFileSync('umount', [folder]);
      rmdirSync(folder);
    },
  };
}

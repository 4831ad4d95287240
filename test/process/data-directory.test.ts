// Ownership of the embedded data directory, seen from one process; suites/owner.test.ts covers starts, containers and crashes.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, describe, expect, it } from 'vitest';
import { claimDataDirectory, DATABASE_FILE, DirectoryInUse, LOCK_FILE, requireCreatable } from '../../src/database/directory-lock.ts';
import { openDatabase } from '../../src/database/open.ts';
import { entities } from '../../src/registry.ts';
import { type SmallDisk, smallDisk } from '../support/small-disk.ts';

const folder = mkdtempSync(join(tmpdir(), 'gateway-owner-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let made = 0;
const fresh = (): string => join(folder, `data-${++made}`);

it('a directory has one owner, also within one process and by another path, until the owner releases it', async () => {
  const directory = fresh();
  const link = fresh();
  symlinkSync(directory, link);
  const claim = await claimDataDirectory(directory);
  for (const path of [directory, link, `${directory}/../${directory.split('/').at(-1)}/`])
    await expect(claimDataDirectory(path)).rejects.toThrow(`is in use by process ${process.pid} on `);
  claim.release();
  (await claimDataDirectory(link)).release();
});

it('reading, copying and dumping the lock file releases nothing', async () => {
  const directory = fresh();
  const claim = await claimDataDirectory(directory);
  readFileSync(join(directory, LOCK_FILE));
  cpSync(directory, fresh(), { recursive: true });
  const database = await PGlite.create(directory);
  await database.dumpDataDir('none');
  await database.close();
  await expect(claimDataDirectory(directory)).rejects.toThrow(DirectoryInUse);
  claim.release();
}, 120_000);

it('removing the lock file by hand lets no second owner in', async () => {
  const directory = fresh();
  const database = await openDatabase({ dataDir: directory, entities, log: () => {} });
  rmSync(join(directory, LOCK_FILE));
  await expect(openDatabase({ dataDir: directory, entities, log: () => {} })).rejects.toThrow('is in use by another process');
  await database.close();
  const again = await claimDataDirectory(directory);
  rmSync(join(directory, LOCK_FILE));
  await expect(claimDataDirectory(directory)).rejects.toThrow(DirectoryInUse);
  again.release();
}, 120_000);

it('the process id file of an earlier version counts while its process runs, and is removed otherwise', async () => {
  const directory = fresh();
  mkdirSync(directory);
  const mark = join(directory, 'owner.pid');
  const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  writeFileSync(mark, String(other.pid));
  await expect(claimDataDirectory(directory)).rejects.toThrow(`is in use by process ${other.pid} of an earlier version`);
  other.kill('SIGKILL');
  await once(other, 'exit');
  for (const left of [String(other.pid), String(process.pid), '', 'nonsense', '-1']) {
    writeFileSync(mark, left);
    (await claimDataDirectory(directory)).release();
    expect(existsSync(mark)).toBe(false);
  }
});

/** A user who may write nowhere; the tests may run as root, who may write everywhere. */
const NOBODY = 65_534;
const disks: SmallDisk[] = [];
afterAll(() => {
  for (const disk of disks) disk.remove();
});

/** A directory on a small disk that was prepared; null where none may be mounted. */
function onDisk(megabytes: number, prepare: (disk: SmallDisk) => void = () => {}): string | null {
  const disk = smallDisk(megabytes);
  if (disk === null) return null;
  disks.push(disk);
  prepare(disk);
  return join(disk.folder, 'data');
}

const ELSEWHERE = 'Set DATA_DIR to a directory on a local disk that the user of the gateway can write';
const MORE_SPACE = 'Free space on that disk, or set DATA_DIR to a directory on a larger one';

/** Directories that cannot be used, and what a start says of each; null where this machine cannot make it. */
const UNUSABLE: Record<string, { make: () => string | null; says: string; user?: number }> = {
  'a file': {
    make: () => {
      const file = fresh();
      writeFileSync(file, '');
      return file;
    },
    says: `: ENOTDIR: not a directory, open ':path/owner.lock'. ${ELSEWHERE}`,
  },
  'below a file': {
    make: () => {
      const file = fresh();
      writeFileSync(file, '');
      return join(file, 'below');
    },
    says: `: ENOTDIR: not a directory, mkdir ':path'. ${ELSEWHERE}`,
  },
  'below a place that takes no directories': {
    make: () => (existsSync('/proc/self') ? '/proc/none/data' : null),
    says: `: ENOENT: no such file or directory, mkdir '/proc/none'. ${ELSEWHERE}`,
  },
  'a link that leads nowhere': {
    make: () => {
      const link = fresh();
      symlinkSync(fresh(), link);
      return link;
    },
    says: `: ENOENT: no such file or directory, open ':path/owner.lock'. ${ELSEWHERE}`,
  },
  'with a directory in the place of its lock': {
    make: () => {
      const directory = fresh();
      mkdirSync(join(directory, LOCK_FILE), { recursive: true });
      return directory;
    },
    says: `: EISDIR: illegal operation on a directory, open ':path/owner.lock'. ${ELSEWHERE}`,
  },
  'that the user may not write': {
    make: () => {
      const directory = fresh();
      mkdirSync(directory, { mode: 0o500 });
      chmodSync(folder, 0o755);
      return directory;
    },
    user: NOBODY,
    says: `: EACCES: permission denied, open ':path/owner.lock'. Give the user of the gateway the right to write there, or set DATA_DIR to another directory`,
  },
  'on a read-only file system': {
    make: () => onDisk(1, ({ folder: mounted }) => execFileSync('mount', ['-o', 'remount,ro', mounted])),
    says: `: EROFS: read-only file system, mkdir ':path'. ${ELSEWHERE}`,
  },
  'on a full disk': {
    make: () => onDisk(1, (disk) => disk.fill()),
    says: `: ENOSPC: no space left on device, write. ${MORE_SPACE}`,
  },
  'on a disk that is too small for a new database': {
    make: () => onDisk(90),
    says: `: its disk has 89 MB free, and a start needs 96 MB. ${MORE_SPACE}`,
  },
  'with a database, on a disk that takes no more': {
    make: () => {
      const directory = onDisk(31);
      if (directory === null) return null;
      mkdirSync(directory);
      writeFileSync(join(directory, DATABASE_FILE), '');
      return directory;
    },
    says: `: its disk has 30 MB free, and a start needs 32 MB. ${MORE_SPACE}`,
  },
  'that an interrupted first start left': {
    make: () => {
      const directory = fresh();
      mkdirSync(directory);
      writeFileSync(join(directory, DATABASE_FILE), '18\n');
      return directory;
    },
    says: ': the database there does not open (PGlite failed to initialize properly). Restore a dump into an empty directory; remove this one only where it is what an interrupted first start left',
  },
};

describe('a data directory that cannot be used is rejected with the setting and the remedy', () => {
  it.for(Object.entries(UNUSABLE))('%s', async ([, { make, says, user }], { skip }) => {
    const directory = make();
    if (directory === null) return skip('this machine cannot make it');
    if (user !== undefined && process.getuid?.() === 0) process.seteuid!(user);
    const words = `DATA_DIR leads to ${directory}${says.replace(':path', directory)}`;
    try {
      if (says.includes('mkdir')) expect(() => requireCreatable(directory)).toThrow(words);
      await expect(openDatabase({ dataDir: directory, entities, log: () => {} })).rejects.toThrow(words);
    } finally {
      if (process.getuid?.() === 0) process.seteuid!(0);
    }
  });
});

it('the trial of a directory, as doctor makes it, leaves nothing', () => {
  const above = fresh();
  requireCreatable(join(above, 'data', 'embedded'));
  expect(existsSync(above)).toBe(false);
});

it('a start that is refused because of its database releases the directory', async () => {
  const directory = fresh();
  const options = { dataDir: directory, entities, log: () => {} };
  const database = await openDatabase(options);
  await ((await database.native()) as PGlite).exec("insert into mikro_orm_migrations (name) values ('9999_future')");
  await database.close();
  await expect(openDatabase(options)).rejects.toThrow('9999_future');
  const allowed = await openDatabase({ ...options, allow: { newerSchema: true } });
  await allowed.close();
}, 120_000);

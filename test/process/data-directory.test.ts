// Ownership of the embedded data directory, seen from one process; suites/owner.test.ts covers starts, containers and crashes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, expect, it } from 'vitest';
import { claimDataDirectory, DirectoryInUse, LOCK_FILE } from '../../src/database/directory-lock.ts';
import { openDatabase } from '../../src/database/open.ts';
import { entities } from '../../src/registry.ts';

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

it('a path that cannot be a data directory is rejected in a sentence', async () => {
  const file = fresh();
  writeFileSync(file, '');
  for (const path of [file, join(file, 'below')])
    await expect(claimDataDirectory(path)).rejects.toThrow(/cannot be taken \(E[A-Z]+\): it must be/);
  const locked = fresh();
  mkdirSync(join(locked, LOCK_FILE), { recursive: true });
  await expect(claimDataDirectory(locked)).rejects.toThrow('cannot be taken (EISDIR)');
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

// Commands on the database itself, run while the gateway is stopped: dump and restore of the embedded one.
import { createReadStream, existsSync, openAsBlob, readdirSync } from 'node:fs';
import { link, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { PGlite } from '@electric-sql/pglite';
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import { claimDataDirectory, LOCK_FILE, RESTORING } from '../database/directory-lock.ts';

const size = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MB`;

/** Under a name of its own until it is whole, so that a dump that was cut off is never taken for one. */
async function dump(directory: string, file: string): Promise<void> {
  const part = `${file}.part`;
  const claim = await claimDataDirectory(directory);
  try {
    const database = await PGlite.create(directory);
    const content = await database.dumpDataDir('gzip');
    await database.close();
    await writeFile(part, Buffer.from(await content.arrayBuffer()), { mode: 0o600, flush: true });
    // Unlike a renaming, a link never replaces a file that somebody has made meanwhile.
    await link(part, file);
    console.log(`dumped ${directory} to ${file}, ${size(content.size)}`);
  } finally {
    await rm(part, { force: true });
    claim.release();
  }
}

/**
 * Fills a folder inside the directory and moves its content up once it has proved to be a database. Until the folder is gone the directory is
 * refused by everything but the next restore, so a restore that was killed is neither mistaken for the data nor in the way.
 */
async function restore(directory: string, file: string): Promise<void> {
  refuseContent(directory);
  await readToEnd(file);
  const claim = await claimDataDirectory(directory, { forRestore: true });
  try {
    refuseContent(directory);
    for (const left of contentOf(directory)) await rm(join(directory, left), { recursive: true });
    const folder = join(directory, RESTORING);
    const migrations = await load(folder, file).catch(async (error: Error) => {
      await rm(folder, { recursive: true, force: true });
      throw notADump(file, error);
    });
    for (const name of readdirSync(folder)) if (name !== LOCK_FILE) await rename(join(folder, name), join(directory, name));
    await rm(folder, { recursive: true });
    console.log(`restored ${directory} from ${file}, ${migrations} migrations`);
  } finally {
    claim.release();
  }
}

const notADump = (file: string, { message }: Error): Error => new Error(`${file} is not a whole dump of an embedded database: ${message}`);

/** Reads a dump once before anything is touched: gzip knows by its end and checksum whether it is whole. */
async function readToEnd(file: string): Promise<void> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  await pipeline(createReadStream(file), createGunzip(), nowhere).catch((error: Error) => {
    throw notADump(file, error);
  });
}

/** Makes the database of a dump in a folder; answers how many migrations it has had. */
async function load(folder: string, file: string): Promise<number> {
  const database = await PGlite.create({ dataDir: folder, loadDataDir: await openAsBlob(file) });
  try {
    const { rows } = await database.query<{ count: number }>('select count(*)::int as count from mikro_orm_migrations');
    return rows[0]!.count;
  } finally {
    await database.close();
  }
}

/** What lies in a directory beside the lock of its owner. */
const contentOf = (directory: string): string[] =>
  existsSync(directory) ? readdirSync(directory).filter((name) => name !== LOCK_FILE) : [];

/** Refuses a directory that holds anything but what a restore that was cut off has left. */
function refuseContent(directory: string): void {
  const content = contentOf(directory);
  if (content.length > 0 && !content.includes(RESTORING)) throw new Error(`the data directory ${directory} is not empty`);
}

/** Adds the commands. */
export function databaseCommands(program: Command, config: Config): void {
  const embedded = (): string => {
    if (config.databaseUrl) program.error('DATABASE_URL is set: use pg_dump and pg_restore');
    return config.dataDir;
  };
  const run = (work: Promise<void>): Promise<void> => work.catch((error: Error) => program.error(error.message));
  program
    .command('dump')
    .description('write the embedded database to a new file (gzip), while the gateway is stopped')
    .argument('<file>', 'file to write; it must not exist')
    .action((file: string) => {
      const directory = embedded();
      if (!existsSync(directory)) program.error(`there is no data directory ${directory}`);
      if (existsSync(file)) program.error(`${file} exists already`);
      return run(dump(directory, file));
    });
  program
    .command('restore')
    .description('fill an empty DATA_DIR from a dump')
    .argument('<file>', 'file that dump wrote')
    .action((file: string) => {
      const directory = embedded();
      if (!existsSync(file)) program.error(`there is no file ${file}`);
      return run(restore(directory, file));
    });
}

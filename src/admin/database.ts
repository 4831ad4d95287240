// Commands on the embedded database, run while the gateway is stopped: dump and restore.
import { createReadStream, existsSync, openAsBlob, readdirSync } from 'node:fs';
import { link, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { PGlite } from '@electric-sql/pglite';
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import { claimDataDirectory, LOCK_FILE, RESTORING, refusingDatabase } from '../database/directory-lock.ts';
import type { Printer } from './print.ts';

const size = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MB`;

/** Writes under another name until the dump is complete, so that an interrupted dump is never mistaken for one. */
async function dump(directory: string, file: string, printer: Printer): Promise<void> {
  const part = `${file}.part`;
  const claim = await claimDataDirectory(directory);
  try {
    const database = await PGlite.create(directory).catch(refusingDatabase(directory));
    const content = await database.dumpDataDir('gzip');
    await database.close();
    await writeFile(part, Buffer.from(await content.arrayBuffer()), { mode: 0o600, flush: true });
    // Unlike `rename`, `link` never replaces a file that was created in the meantime.
    await link(part, file);
    printer.result({ dumped: directory, file, bytes: content.size }, `dumped ${directory} to ${file}, ${size(content.size)}`);
  } finally {
    await rm(part, { force: true });
    claim.release();
  }
}

/**
 * Fills a folder inside the directory and moves its content up once it has opened as a database. While the folder exists, everything but another
 * restore rejects the directory. So a killed restore is neither mistaken for the data nor blocks the next one.
 */
async function restore(directory: string, file: string, printer: Printer): Promise<void> {
  refuseContent(directory);
  await readToEnd(file);
  const claim = await claimDataDirectory(directory, { forRestore: true });
  try {
    refuseContent(directory);
    for (const name of contentOf(directory)) await rm(join(directory, name), { recursive: true });
    const folder = join(directory, RESTORING);
    const migrations = await load(folder, file).catch(async (error: Error) => {
      await rm(folder, { recursive: true, force: true });
      throw notADump(file, error);
    });
    for (const name of readdirSync(folder)) if (name !== LOCK_FILE) await rename(join(folder, name), join(directory, name));
    await rm(folder, { recursive: true });
    printer.result({ restored: directory, file, migrations }, `restored ${directory} from ${file}, ${migrations} migrations`);
  } finally {
    claim.release();
  }
}

const notADump = (file: string, { message }: Error): Error =>
  new Error(`${file} is not a complete dump of an embedded database: ${message}`);

/** Reads a dump to its end before anything changes: the gzip trailer and checksum show whether it is complete. */
async function readToEnd(file: string): Promise<void> {
  const discard = new Writable({ write: (_chunk, _encoding, done) => done() });
  await pipeline(createReadStream(file), createGunzip(), discard).catch((error: Error) => {
    throw notADump(file, error);
  });
}

/** Loads a dump into a folder; returns the number of its migrations. */
async function load(folder: string, file: string): Promise<number> {
  const database = await PGlite.create({ dataDir: folder, loadDataDir: await openAsBlob(file) });
  try {
    const { rows } = await database.query<{ count: number }>('select count(*)::int as count from mikro_orm_migrations');
    return rows[0]!.count;
  } finally {
    await database.close();
  }
}

/** The names in a directory, without the lock file. */
const contentOf = (directory: string): string[] =>
  existsSync(directory) ? readdirSync(directory).filter((name) => name !== LOCK_FILE) : [];

/** Rejects a directory that is not empty, unless an interrupted restore left its content. */
function refuseContent(directory: string): void {
  const content = contentOf(directory);
  if (content.length > 0 && !content.includes(RESTORING)) throw new Error(`the data directory ${directory} is not empty`);
}

/** Adds the commands. */
export function databaseCommands(program: Command, config: Config, printer: Printer): void {
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
      return run(dump(directory, file, printer));
    });
  program
    .command('restore')
    .description('fill an empty DATA_DIR from a dump')
    .argument('<file>', 'file that dump wrote')
    .action((file: string) => {
      const directory = embedded();
      if (!existsSync(file)) program.error(`there is no file ${file}`);
      return run(restore(directory, file, printer));
    });
}

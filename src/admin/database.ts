// Commands on the database itself, run while the gateway is stopped: dump and restore of the embedded one.
import { existsSync, openAsBlob, readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { PGlite } from '@electric-sql/pglite';
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import { claimDataDirectory } from '../core/data-directory.ts';

const size = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MB`;

async function dump(directory: string, file: string): Promise<void> {
  const release = await claimDataDirectory(directory);
  try {
    const database = await PGlite.create(directory);
    const content = await database.dumpDataDir('gzip');
    await database.close();
    await writeFile(file, Buffer.from(await content.arrayBuffer()), { flag: 'wx', mode: 0o600 });
    console.log(`dumped ${directory} to ${file}, ${size(content.size)}`);
  } finally {
    await release();
  }
}

async function restore(directory: string, file: string): Promise<void> {
  const content = await openAsBlob(file);
  const release = await claimDataDirectory(directory);
  try {
    const database = await PGlite.create({ dataDir: directory, loadDataDir: content });
    const { rows } = await database.query<{ count: number }>('select count(*)::int as count from mikro_orm_migrations');
    await database.close();
    console.log(`restored ${directory} from ${file}, ${size(content.size)}, ${rows[0]!.count} migrations`);
  } finally {
    await release();
  }
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
      if (existsSync(directory) && readdirSync(directory).length > 0) program.error(`the data directory ${directory} is not empty`);
      return run(restore(directory, file));
    });
}

// Command `move`: from the embedded database to PostgreSQL, while the gateway is stopped.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import type { Command } from 'commander';
import { Client } from 'pg';
import { type Config, readDatabaseUrl } from '../config.ts';
import { claimDataDirectory, refusingDatabase } from '../database/directory-lock.ts';
import { schemaState } from '../database/migrations/state.ts';
import type { Run } from '../database/move/move.statements.ts';
import { move, movePlan, type TableRows } from '../database/move/move.ts';
import { openDatabase } from '../database/open.ts';
import { SESSION } from '../database/read-path/session.ts';
import { refusing } from '../database/refusals.ts';
import { connectionOptions } from '../postgres-url.ts';
import { queueTables } from '../queue/pg-boss.ts';
import { entities } from '../registry.ts';
import { type Printer, progressBar } from './print.ts';

/** Runs work on the embedded database and the server together. */
async function onBoth<T>(directory: string, url: string, work: (source: Run, target: Run) => Promise<T>): Promise<T> {
  const claim = await claimDataDirectory(directory);
  try {
    const store = await PGlite.create(directory).catch(refusingDatabase(directory));
    const client = new Client(connectionOptions(url, 'admin', SESSION));
    try {
      await client.connect().catch(refusing('--to', url));
      return await work(
        async <R>(sql: string, values?: unknown[]) => (await store.query<R>(sql, values)).rows,
        async (sql, values) => (await client.query(sql, values)).rows ?? [],
      );
    } finally {
      await Promise.all([store.close(), client.end()]);
    }
  } finally {
    claim.release();
  }
}

async function run({ dataDir, databaseUrl, databaseAllow }: Config, to: string, dryRun: boolean, printer: Printer): Promise<void> {
  if (databaseUrl)
    throw new Error('DATABASE_URL is set, but only the embedded database of DATA_DIR is moved: run the command without DATABASE_URL');
  if (!existsSync(dataDir))
    throw new Error(`DATA_DIR leads to ${resolve(dataDir)}, which does not exist: set it to the directory of the embedded database`);
  const url = readDatabaseUrl('--to', to);
  const tables = await onBoth(dataDir, url, async (source, target): Promise<TableRows[]> => {
    const { pending, unknown } = await schemaState((sql) => source(sql));
    if (pending.length + unknown.length > 0)
      throw new Error('the embedded database is not that of this program: start its gateway once, and stop it');
    if (dryRun) return movePlan(source, target);
    const bar = progressBar();
    const migrate = async (): Promise<void> => {
      const database = await openDatabase({ url, setting: '--to', entities, allow: databaseAllow, log: () => {} });
      await database.close();
    };
    return move({ source, target, migrate, queueTables, onStep: bar.show }).finally(() => bar.end());
  });
  printer.table(
    ['table', dryRun ? 'to move' : 'moved'],
    tables.filter(({ rows }) => rows > 0).map(({ table, rows }) => [table, rows]),
  );
}

/** Adds the command. */
export function moveCommand(program: Command, config: Config, printer: Printer): void {
  program
    .command('move')
    .description(
      'move the embedded database of DATA_DIR to an empty PostgreSQL, while the gateway is stopped; one that was interrupted continues',
    )
    .requiredOption('--to <url>', 'PostgreSQL to move to, as DATABASE_URL names it afterwards')
    .option('--dry-run', 'change nothing; count what would be moved', false)
    .action(({ to, dryRun }: { to: string; dryRun: boolean }) =>
      run(config, to, dryRun, printer).catch((error: Error) => program.error(error.message)),
    );
}

// Command `reseal`: seals the stored secrets again under the first of SEALING_SECRETS.
import type { Command } from 'commander';
import { type Resealed, reseal } from '../administration/reseal.ts';
import type { Config } from '../config.ts';
import { schemaState } from '../database/migrations/state.ts';
import { openDatabase } from '../database/open.ts';
import { signingSecret } from '../database/stored-secrets.ts';
import { entities } from '../registry.ts';
import { createSecretBox } from '../security/secret-box.ts';
import { type Printer, progressBar } from './print.ts';
import { onStore } from './store.ts';

async function run(config: Config, printer: Printer, dryRun: boolean): Promise<void> {
  const { pending } = await onStore(config, schemaState);
  if (pending.length > 0) throw new Error('migrations are pending: start the gateway of this program first, or run migrate');
  const { databaseUrl, directUrl, dataDir, databaseAllow } = config;
  const database = await openDatabase({ url: directUrl ?? databaseUrl, dataDir, entities, allow: databaseAllow, log: () => {} });
  try {
    const box = createSecretBox(await signingSecret(database, config.signingSecret), config.sealingSecrets);
    const found = new Map<string, Resealed>();
    const bar = progressBar();
    for await (const part of reseal(database, box, dryRun)) {
      found.set(`${part.table}.${part.column}`, part);
      const sum = [...found.values()].reduce((total, { resealed, unreadable }) => total + resealed + unreadable, 0);
      bar.show(sum, sum);
    }
    bar.end();
    const parts = [...found.values()];
    const rows = parts.map(({ table, column, resealed, unreadable }) => [table, column, resealed, unreadable]);
    printer.table(['table', 'column', dryRun ? 'to reseal' : 'resealed', 'unreadable'], rows);
    if (parts.some(({ unreadable }) => unreadable > 0)) process.exitCode = 1;
  } finally {
    await database.close();
  }
}

/** Adds the command. */
export function resealCommand(program: Command, config: Config, printer: Printer): void {
  program
    .command('reseal')
    .description(
      'seal stored secrets again under the first of SEALING_SECRETS; may be stopped and run again; the embedded database needs the gateway to be stopped',
    )
    .option('--dry-run', 'change nothing; count what is sealed under another key, and what no key opens', false)
    .action(({ dryRun }: { dryRun: boolean }) => run(config, printer, dryRun).catch((error: Error) => program.error(error.message)));
}

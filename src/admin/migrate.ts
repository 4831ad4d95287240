// Command `migrate`: brings the schema up to date without starting a gateway, or says what a start would do.
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import { programFor, type SchemaState, schemaState } from '../database/migrations/state.ts';
import { openDatabase } from '../database/open.ts';
import { entities } from '../registry.ts';
import type { Printer } from './print.ts';
import { onStore } from './store.ts';

/** Exit codes of `--check`. */
const PENDING = 3;
const NEWER = 4;

const stateOf = ({ pending, unknown }: SchemaState): 'newer' | 'pending' | 'current' =>
  unknown.length > 0 ? 'newer' : pending.length > 0 ? 'pending' : 'current';

function wordsOf(state: SchemaState): string {
  const { pending, unknown } = state;
  if (unknown.length > 0)
    return `newer than this program, which does not know ${unknown.join(', ')}; use ${programFor(state)}, which applied them`;
  return pending.length > 0 ? `pending: ${pending.map(({ name }) => name).join(', ')}` : 'up to date';
}

const reportOf = (state: SchemaState) => ({
  state: stateOf(state),
  pending: state.pending.map(({ name }) => name),
  unknown: state.unknown,
  newest: state.newest,
  appliedBy: state.appliedBy,
});

/** Adds the command. */
export function migrateCommand(program: Command, config: Config, printer: Printer): void {
  const check = async (): Promise<void> => {
    const state = await onStore(config, schemaState);
    printer.result(reportOf(state), wordsOf(state));
    process.exitCode = { current: 0, pending: PENDING, newer: NEWER }[stateOf(state)];
  };
  const plan = async (): Promise<void> => {
    const { pending } = await onStore(config, schemaState);
    const steps = pending.map(({ name, isTransactional, statements }) => ({ name, isTransactional, statements }));
    const texts = steps.map(({ name, isTransactional, statements }) =>
      [`-- ${name}${isTransactional ? '' : ', each statement on its own'}`, ...statements.map((statement) => `${statement.trim()};`)].join(
        '\n',
      ),
    );
    printer.result(steps, texts.length > 0 ? texts.join('\n\n') : '-- nothing to do');
  };
  const apply = async (): Promise<void> => {
    const { databaseUrl, directUrl, dataDir, databaseAllow } = config;
    const before = await onStore(config, schemaState);
    const database = await openDatabase({ url: directUrl ?? databaseUrl, dataDir, entities, allow: databaseAllow, log: () => {} });
    await database.close();
    const applied = before.pending.map(({ name }) => name);
    printer.result({ applied }, applied.length > 0 ? `applied: ${applied.join(', ')}` : 'up to date');
  };
  program
    .command('migrate')
    .description('apply the pending migrations; a start of the gateway does the same')
    .option(
      '--check',
      `change nothing; exit with 0 when the schema is up to date, ${PENDING} when migrations are pending, ${NEWER} when it is newer`,
    )
    .option('--plan', 'change nothing; print the SQL of the pending migrations')
    .action((options: { check?: boolean; plan?: boolean }) => {
      if (options.check && options.plan) program.error('give --check or --plan, not both');
      const run = options.check ? check : options.plan ? plan : apply;
      return run().catch((error: Error) => program.error(error.message));
    });
}

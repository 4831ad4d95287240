// Command `doctor`: checks everything a gateway needs and prints what is wrong, without changing anything.
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import { DirectoryInUse } from '../database/directory-lock.ts';
import { type RunStatement, schemaState } from '../database/migrations/state.ts';
import type { Printer } from './print.ts';
import { onDirectory, onPostgres } from './store.ts';

type State = 'ok' | 'warning' | 'ERROR';

interface Finding {
  what: string;
  state: State;
  words: string;
}

const DEADLINE_MS = 3_000;
const MAX_SKEW_MS = 5_000;

async function gateway(url: string): Promise<Finding[]> {
  const before = Date.now();
  const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(DEADLINE_MS) }).catch(() => null);
  if (!response) return [{ what: 'gateway', state: 'warning', words: `nothing answers at ${url}` }];
  const { status } = (await response.json().catch(() => ({ status: 'unknown' }))) as { status: string };
  const served = Date.parse(response.headers.get('date') ?? '');
  return [
    { what: 'gateway', state: response.ok ? 'ok' : 'ERROR', words: `${url} is ${status}` },
    ...skew('clock of the gateway', served - (before + Date.now()) / 2),
  ];
}

function skew(what: string, milliseconds: number): Finding[] {
  if (Number.isNaN(milliseconds)) return [];
  const seconds = (milliseconds / 1000).toFixed(1);
  return [{ what, state: Math.abs(milliseconds) > MAX_SKEW_MS ? 'ERROR' : 'ok', words: `${seconds} s from the clock here` }];
}

async function database(run: RunStatement): Promise<Finding[]> {
  const before = Date.now();
  const [row] = await run<{ version: string; epoch: number }>(
    "select current_setting('server_version') as version, extract(epoch from clock_timestamp())::float8 as epoch",
  );
  const clock = skew('clock of the database', row!.epoch * 1000 - (before + Date.now()) / 2);
  const { pending, unknown } = await schemaState(run);
  return [
    { what: 'database', state: 'ok', words: `PostgreSQL ${row!.version} answers` },
    ...clock,
    {
      what: 'migrations',
      state: pending.length > 0 ? 'warning' : 'ok',
      words: pending.length > 0 ? `pending, applied at the next start: ${pending.map(({ name }) => name).join(', ')}` : 'all are applied',
    },
    ...unknown.map((name): Finding => ({ what: 'migrations', state: 'ERROR', words: `${name} belongs to a newer or different program` })),
  ];
}

async function embedded(directory: string): Promise<Finding[]> {
  if (!existsSync(directory)) return [{ what: 'data directory', state: 'ok', words: `${directory} will be created at the first start` }];
  const free: Finding = { what: 'data directory', state: 'ok', words: `${directory} has no owner` };
  return onDirectory(directory, async (run) => [free, ...(await database(run))]).catch((error: unknown) => {
    if (error instanceof DirectoryInUse) return [{ what: 'data directory', state: 'ok', words: error.message }];
    throw error;
  });
}

/** Adds the command. */
export function doctorCommand(program: Command, config: Config, printer: Printer): void {
  program
    .command('doctor')
    .description('check configuration, gateway, database, migrations, clocks and data directory')
    .action(async () => {
      const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
      const findings: Finding[] = [
        { what: 'program', state: major > 22 || (major === 22 && minor >= 17) ? 'ok' : 'ERROR', words: `Node ${process.versions.node}` },
        { what: 'configuration', state: 'ok', words: 'every setting is valid' },
        ...(await gateway(program.opts<{ url: string }>().url)),
      ];
      const checked = config.databaseUrl ? onPostgres(config.databaseUrl, database) : embedded(config.dataDir);
      findings.push(
        ...(await checked.catch((error: Error): Finding[] => [
          { what: 'database', state: 'ERROR', words: error.message || 'it does not answer' },
        ])),
      );
      printer.table(
        ['check', 'state', 'finding'],
        findings.map(({ what, state, words }) => [what, state, words]),
      );
      if (findings.some(({ state }) => state === 'ERROR')) process.exitCode = 1;
    });
}

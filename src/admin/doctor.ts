// Command `doctor`: checks everything a gateway needs and prints what is wrong, without changing anything.
import { existsSync } from 'node:fs';
import { PGlite } from '@electric-sql/pglite';
import type { Command } from 'commander';
import { Client } from 'pg';
import type { Config } from '../config.ts';
import { claimDataDirectory, DirectoryInUse } from '../database/directory-lock.ts';
import { migrationClasses } from '../database/migrations.ts';
import { printTable } from './print.ts';

type State = 'ok' | 'warning' | 'ERROR';

interface Finding {
  what: string;
  state: State;
  words: string;
}

/** Runs one statement on the database that `doctor` has opened. */
type RunStatement = <T>(sql: string) => Promise<T[]>;

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
  const applied = await run<{ name: string }>('select name from mikro_orm_migrations').catch(() => []);
  const known = migrationClasses().map(({ name }) => name);
  const pending = known.filter((name) => !applied.some((entry) => entry.name === name));
  const foreign = applied.filter((entry) => !known.includes(entry.name));
  return [
    { what: 'database', state: 'ok', words: `PostgreSQL ${row!.version} answers` },
    ...clock,
    {
      what: 'migrations',
      state: pending.length > 0 ? 'warning' : 'ok',
      words: pending.length > 0 ? `pending, applied at the next start: ${pending.join(', ')}` : `all ${known.length} are applied`,
    },
    ...foreign.map(
      (entry): Finding => ({ what: 'migrations', state: 'ERROR', words: `${entry.name} belongs to a newer or different program` }),
    ),
  ];
}

async function postgres(url: string): Promise<Finding[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: DEADLINE_MS, query_timeout: DEADLINE_MS });
  await client.connect();
  try {
    return await database(async (sql) => (await client.query(sql)).rows);
  } finally {
    await client.end();
  }
}

async function embedded(directory: string): Promise<Finding[]> {
  if (!existsSync(directory)) return [{ what: 'data directory', state: 'ok', words: `${directory} will be created at the first start` }];
  const claim = await claimDataDirectory(directory).catch((error: unknown) => {
    if (error instanceof DirectoryInUse) return error;
    throw error;
  });
  if (claim instanceof DirectoryInUse) return [{ what: 'data directory', state: 'ok', words: claim.message }];
  const free: Finding = { what: 'data directory', state: 'ok', words: `${directory} has no owner` };
  const store = await PGlite.create(directory);
  try {
    return [free, ...(await database(async <T>(sql: string) => (await store.query<T>(sql)).rows))];
  } finally {
    await store.close();
    claim.release();
  }
}

/** Adds the command. */
export function doctorCommand(program: Command, config: Config): void {
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
      const checked = config.databaseUrl ? postgres(config.databaseUrl) : embedded(config.dataDir);
      findings.push(
        ...(await checked.catch((error: Error): Finding[] => [
          { what: 'database', state: 'ERROR', words: error.message || 'it does not answer' },
        ])),
      );
      printTable(
        ['check', 'state', 'finding'],
        findings.map(({ what, state, words }) => [what, state, words]),
      );
      if (findings.some(({ state }) => state === 'ERROR')) process.exitCode = 1;
    });
}

// Results as files: written with the commit and the machine they belong to, and held against earlier ones.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { dirname } from 'node:path';
import type { Client } from 'pg';
import { packagePath } from '../../src/core/package-root.ts';
import { totalMs } from './load.ts';
import type { Compared } from './side-by-side.ts';
import { number, say, type Verdict } from './table.ts';

export interface Results {
  commit: string;
  machine: { cores: number; processor: string; node: string; postgres: string };
  table: (Verdict & Partial<Compared>)[];
}

const git = (...args: string[]): string => execFileSync('git', args, { cwd: packagePath(), encoding: 'utf8' }).trim();

/** Writes the figures to a file, with the commit (`+` when files differ from it) and the machine. */
export async function writeResults(path: string, admin: Client, figures: Pick<Results, 'table'> & Record<string, unknown>): Promise<void> {
  const { rows } = await admin.query<{ server_version: string }>('show server_version');
  const results: Results = {
    commit: git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain') ? '+' : ''),
    machine: {
      cores: availableParallelism(),
      processor: cpus()[0]?.model ?? '',
      node: process.version,
      postgres: rows[0]!.server_version,
    },
    ...figures,
  };
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(results, null, 2)}\n`);
  say(`\n  written to ${path}`);
}

export const readResults = (path: string): Results => JSON.parse(readFileSync(path, 'utf8')) as Results;

/** What moved since the earlier results, workload by workload. */
export function printMoves(earlier: Results, table: Results['table']): void {
  const before = new Map(earlier.table.map((row) => [row.workload, row]));
  const moved = (was: number | undefined, is: number | undefined, digits: number): string =>
    was === undefined || is === undefined ? ''.padStart(24) : `${number(was, digits, 8)} → ${number(is, digits, 7)} ${percent(was, is)}`;
  say(`\nAgainst ${earlier.commit} on ${earlier.machine.cores} cores, PostgreSQL ${earlier.machine.postgres}:\n`);
  say('                              ratio             CPU ms a request                statements');
  for (const row of table) {
    const was = before.get(row.workload);
    const cpu = (entry: typeof was): number | undefined => entry?.gateway && totalMs(entry.gateway);
    say(
      `  ${row.workload.padEnd(12)} ${moved(was?.ratio, row.ratio, 2)} ${moved(cpu(was), cpu(row), 3)} ${moved(was?.gateway?.statements, row.gateway?.statements, 2)}`,
    );
  }
}

const percent = (was: number, is: number): string => `${is < was ? '' : '+'}${((is / was - 1) * 100).toFixed(0)} %`.padStart(6);

// Results as files: written with their commit and machine, and compared with earlier ones.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { dirname } from 'node:path';
import type { Client } from 'pg';
import { packagePath } from '../../src/runtime/package-root.ts';
import { totalMs } from './load.ts';
import type { Compared } from './side-by-side.ts';
import { type Figure, inUnit, number, say } from './table.ts';

export interface Results {
  commit: string;
  machine: { cores: number; processor: string; node: string; postgres: string };
  figures: (Figure & Partial<Compared>)[];
}

const git = (...args: string[]): string => execFileSync('git', args, { cwd: packagePath(), encoding: 'utf8' }).trim();

/** Writes the figures to a file, with the commit (`+` when files differ from it) and the machine. */
export async function writeResults(
  path: string,
  admin: Client,
  measured: Pick<Results, 'figures'> & Record<string, unknown>,
): Promise<void> {
  const { rows } = await admin.query<{ server_version: string }>('show server_version');
  const results: Results = {
    commit: git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain') ? '+' : ''),
    machine: {
      cores: availableParallelism(),
      processor: cpus()[0]?.model ?? '',
      node: process.version,
      postgres: rows[0]!.server_version,
    },
    ...measured,
  };
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(results, null, 2)}\n`);
  say(`\n  written to ${path}`);
}

/** Reads the results of an earlier run; throws for any other file. */
export function readResults(path: string): Results {
  const results = JSON.parse(readFileSync(path, 'utf8')) as Results;
  if (!Array.isArray(results.figures)) throw new Error(`${path} is not what this benchmark writes`);
  return results;
}

/** Prints how each figure changed since the earlier results. */
export function printMoves(earlier: Results, figures: Results['figures']): void {
  const before = new Map(earlier.figures.map((figure) => [figure.name, figure]));
  const moved = (was: number | undefined, is: number | undefined, text: (value: number) => string): string =>
    was === undefined || is === undefined ? ''.padStart(25) : `${text(was).padStart(8)} → ${text(is).padStart(7)} ${percent(was, is)}`;
  const cpu = (figure: Partial<Compared> | undefined): number | undefined => figure?.gateway && totalMs(figure.gateway);
  say(`\nAgainst ${earlier.commit} on ${earlier.machine.cores} cores, PostgreSQL ${earlier.machine.postgres}:\n`);
  say(`  ${'measured'.padStart(37)}${'CPU ms a request'.padStart(26)}${'statements'.padStart(26)}`);
  for (const is of figures) {
    const was = before.get(is.name);
    const figure = moved(was?.value, is.value, (value) => inUnit(value, is));
    const cost = moved(cpu(was), cpu(is), (value) => number(value, 3));
    say(
      `  ${is.name.padEnd(12)} ${figure} ${cost} ${moved(was?.gateway?.statements, is.gateway?.statements, (value) => number(value, 2))}`.trimEnd(),
    );
  }
}

const percent = (was: number, is: number): string => `${is < was ? '' : '+'}${((is / was - 1) * 100).toFixed(0)} %`.padStart(6);

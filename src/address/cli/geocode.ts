// Command line: geocodes one address into a readable result, or a file of addresses into JSON lines with a progress bar.
import { readFileSync, writeSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { Command } from 'commander';
import { geocode } from '../geocoder/geocode.ts';
import type { GeocodeResult } from '../geocoder/types.ts';
import { describe } from './describe.ts';
import { progressLine } from './progress.ts';

const STDOUT = 1;
const STDERR = 2;

const program = new Command('geocode')
  .description('Geocodes with the embedded engine; no address leaves this machine.')
  .argument('[address]', 'one address')
  .option('--file <path>', 'a text file with one address per line; results go to standard output as JSON lines')
  .option('--json', 'print the full result as JSON')
  .parse();

const { file, json } = program.opts<{ file?: string; json?: boolean }>();
const address = program.args[0];
if ((file === undefined) === (address === undefined)) program.error('Give one address, or --file with a list of addresses.');
else if (file !== undefined) batch(readLines(file));
else if (address!.trim() === '') program.error('The address is blank.');
else print(geocode(address!));

function readLines(path: string): string[] {
  try {
    return readFileSync(path, 'utf8')
      .split(/\r?\n/)
      .filter((line) => line.trim() !== '');
  } catch {
    return program.error(`Cannot read the file ${path}.`);
  }
}

/** The bar is drawn at most ten times a second, and only on a terminal. */
function batch(addresses: readonly string[]): void {
  const begun = performance.now();
  const counts: Record<string, number> = { exact: 0, partial: 0, ambiguous: 0, none: 0 };
  let drawn = 0;
  addresses.forEach((line, i) => {
    const result = geocode(line);
    counts[result.match]!++;
    writeSync(STDOUT, `${JSON.stringify(result)}\n`);
    const now = performance.now();
    if (process.stderr.isTTY && (now - drawn > 100 || i === addresses.length - 1)) {
      drawn = now;
      writeSync(STDERR, `\r${progressLine(i + 1, addresses.length, (now - begun) / 1000)}`);
    }
  });
  const seconds = (performance.now() - begun) / 1000;
  const summary = Object.entries(counts)
    .map(([match, count]) => `${count} ${match}`)
    .join(', ');
  writeSync(STDERR, `${process.stderr.isTTY ? '\n' : ''}${addresses.length} addresses in ${seconds.toFixed(1)} s: ${summary}\n`);
}

function print(result: GeocodeResult): void {
  if (json) return void writeSync(STDOUT, `${JSON.stringify(result, null, 2)}\n`);
  for (const line of describe(result)) writeSync(STDOUT, `${line}\n`);
}

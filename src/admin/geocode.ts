// Command `geocode`: prints results for addresses of the command line, or adds them as columns to a CSV file of addresses.
import { createReadStream, existsSync } from 'node:fs';
import type { Command } from 'commander';
import { parse } from 'csv-parse';
import { describe } from '../address/cli/describe.ts';
import { geocode } from '../address/geocoder/geocode.ts';
import { csvLine } from '../platform/shared/csv-safety.ts';
import { owned } from '../runtime/owned.ts';
import { type Printer, progressBar } from './print.ts';

const COLUMNS = ['match', 'confidence', 'country', 'subdivision', 'locality', 'postal_code', 'latitude', 'longitude'];

/** The result for an address, in the order of the columns. */
function cellsOf(address: string): string[] {
  const { match, confidence, result } = geocode(address);
  return [
    match,
    confidence.toFixed(2),
    result?.country.alpha2,
    result?.subdivision?.code,
    result?.locality?.name,
    result?.postalCode?.value,
    result?.coordinates?.latitude.toFixed(5),
    result?.coordinates?.longitude.toFixed(5),
  ].map((value) => value ?? '');
}

async function geocodeFile(file: string, column: string): Promise<void> {
  const rows: string[][] = [];
  const parser = parse({ bom: true, skip_empty_lines: true, relax_column_count: true });
  owned(createReadStream(file), (error) => parser.destroy(error)).pipe(parser);
  for await (const row of parser) rows.push(row);
  const [header = [], ...records] = rows;
  const at = header.indexOf(column);
  if (at < 0) throw new Error(`${file} has no column ${column}; it has ${header.join(', ')}`);
  process.stdout.write(csvLine([...header, ...COLUMNS]));
  const bar = progressBar();
  for (const [index, record] of records.entries()) {
    process.stdout.write(csvLine([...header.map((_, cell) => record[cell] ?? ''), ...cellsOf(record[at] ?? '')]));
    if (index % 100 === 0 || index === records.length - 1) bar.show(index + 1, records.length);
  }
  bar.end();
}

/** Adds the command. */
export function geocodeCommand(program: Command, printer: Printer): void {
  program
    .command('geocode')
    .description('geocode with the embedded engine, without a gateway; no address leaves this machine')
    .argument('[address...]', 'addresses, each in quotes')
    .option('--csv <file>', 'CSV file with a header row; standard output gets its columns and the results as CSV')
    .option('--column <name>', 'column of the file that holds the address', 'address')
    .action(async (addresses: string[], { csv, column }: { csv?: string; column: string }) => {
      if ((csv === undefined) === (addresses.length === 0)) program.error('give addresses, or --csv with a file of them');
      if (csv !== undefined) {
        if (!existsSync(csv)) program.error(`there is no file ${csv}`);
        return geocodeFile(csv, column).catch((error: Error) => program.error(error.message));
      }
      const results = addresses.map((address) => geocode(address));
      printer.result(results, results.map((result) => describe(result).join('\n')).join('\n\n'));
    });
}

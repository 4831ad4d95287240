// Commands about customs tables: six-digit codes in place of those of the program, over the gateway, and national tariffs, into the database.
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import { schemaState } from '../database/migrations/state.ts';
import { openDatabase } from '../database/open.ts';
import { readHsCodes } from '../platform/customs/customs-codes.ts';
import { importTariff, type TariffImport } from '../platform/customs/national/import.ts';
import { checkTariffCountry } from '../platform/customs/national/national-tariff.ts';
import { CsvIssue, type CsvRecord, csvRecords } from '../platform/shared/csv-records.ts';
import { entities } from '../registry.ts';
import type { Caller } from './caller.ts';
import type { Printer } from './print.ts';
import { onStore } from './store.ts';

/** A value of the file that should be a code, and its place. */
interface Entry {
  place: string;
  code: unknown;
}

const LOAD = 'mutation Load($json: JSON!, $reason: String) { ingestHsCodes(input: { json: $json, reason: $reason }) { entries } }';
/** Rows of published lists that are not six-digit codes: chapters and headings, by their level, and the total. */
const OTHER_LEVELS = ['2', '4'];
const TOTAL = 'TOTAL';
const MAX_SHOWN = 100;

/** The entries of a JSON array, of CSV, or of lines with one code each. CSV has the column `hscode`, and `level` where it has other rows too. */
async function entriesOf(file: string): Promise<Entry[]> {
  const text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  if (text.trimStart().startsWith('['))
    return JSON.parse(text).map((code: unknown, index: number) => ({ place: `entry ${index + 1}`, code }));
  const records: CsvRecord[] = [];
  for await (const record of csvRecords(createReadStream(file))) records.push(record);
  const column = (name: string): number => records[0]?.cells.findIndex((cell) => cell.trim().toLowerCase() === name) ?? -1;
  const [code, level] = [column('hscode'), column('level')];
  const at = ({ cells }: CsvRecord, index: number): string => (cells[index] ?? '').trim();
  if (code < 0) return records.map(({ line, cells }) => ({ place: `line ${line}`, code: cells.join(',').trim() }));
  return records
    .slice(1)
    .filter((record) => at(record, code) !== TOTAL && !OTHER_LEVELS.includes(at(record, level)))
    .map((record) => ({ place: `line ${record.line}`, code: at(record, code) }));
}

async function loadCodes(caller: Caller, printer: Printer, file: string): Promise<void> {
  const entries = await entriesOf(file);
  const refused = entries.filter(({ code }) => !readHsCodes([code]).ok);
  const codes = entries.filter((entry) => !refused.includes(entry)).map(({ code }) => code);
  for (const { place, code } of refused.slice(0, MAX_SHOWN))
    printer.result({ refused: code, place }, `refused  ${place}: ${JSON.stringify(code)} is not six digits`);
  const more = refused.length - MAX_SHOWN;
  if (more > 0) printer.result({ refusedMore: more }, `refused  ${more} more`);
  if (refused.length > 0) process.exitCode = 1;
  const { ingestHsCodes } = await caller.asAdmin<{ ingestHsCodes: { entries: number } }>(LOAD, { json: codes, reason: basename(file) });
  printer.result({ loaded: ingestHsCodes.entries }, `loaded  ${ingestHsCodes.entries}`);
}

/** Imports a published tariff into the database of the settings. */
async function importFile(config: Config, printer: Printer, file: string, version: Omit<TariffImport, 'open' | 'source'>): Promise<void> {
  const { pending } = await onStore(config, schemaState);
  if (pending.length > 0) throw new Error('migrations are pending: start the gateway of this program first, or run migrate');
  const { databaseUrl, directUrl, dataDir, databaseAllow } = config;
  const database = await openDatabase({ url: directUrl ?? databaseUrl, dataDir, entities, allow: databaseAllow, log: () => {} });
  try {
    const given = { ...version, source: basename(file), open: () => createReadStream(file) };
    const { codes, repeated } = await importTariff(database, given, new Date());
    printer.result({ imported: codes, repeated }, `imported  ${codes}${repeated > 0 ? `\nrepeated  ${repeated}` : ''}`);
  } finally {
    await database.close();
  }
}

/** Adds the commands. */
export function customsCommands(program: Command, config: Config, caller: Caller, printer: Printer): void {
  const customs = program.command('customs').description('load customs tables');
  const dayOf = (option: string, text: string): string => {
    const isDay = /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text);
    return isDay ? text : program.error(`${option} must be a calendar date, YYYY-MM-DD`);
  };
  customs
    .command('import')
    .description(
      'import a national tariff as published, as a version of its country; the embedded database needs the gateway to be stopped, and a running one uses it within five seconds',
    )
    .requiredOption('--country <code>', 'country, two letters; EU for the Combined Nomenclature')
    .requiredOption('--file <file>', 'CSV or JSON of the USITC, CSV or RDF/XML of the Combined Nomenclature, CSV of the UK Trade Tariff')
    .requiredOption('--valid-from <date>', 'first day on which it holds; a version with the same day is replaced')
    .option('--valid-to <date>', 'last day on which it holds; until the next version when absent')
    .action(async (options: { country: string; file: string; validFrom: string; validTo?: string }) => {
      const country = checkTariffCountry(options.country.toUpperCase(), '--country');
      if (!country.ok) return program.error(country.issues[0]!.message);
      const validFrom = dayOf('--valid-from', options.validFrom);
      const validTo = options.validTo === undefined ? null : dayOf('--valid-to', options.validTo);
      if (validTo !== null && validTo < validFrom) program.error('--valid-to must not be before --valid-from');
      if (!existsSync(options.file)) program.error(`there is no file ${options.file}`);
      await importFile(config, printer, options.file, { country: country.value, validFrom, validTo }).catch((error: Error) =>
        program.error(`${options.file}: ${error.message}; nothing was imported`),
      );
    });
  customs
    .command('hs')
    .description('replace the list of six-digit codes of the Harmonized System; entries without six digits are rejected, the others loaded')
    .argument('<file>', 'CSV with the columns hscode and level, a JSON array, or a code on each line')
    .action(async (file: string) => {
      if (!existsSync(file)) program.error(`there is no file ${file}`);
      await loadCodes(caller, printer, file).catch((error: unknown) => {
        if (error instanceof CsvIssue || error instanceof SyntaxError) program.error(`${file} cannot be read: ${error.message}`);
        throw error;
      });
    });
}

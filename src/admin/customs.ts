// Commands about customs tables: loading the six-digit codes of the Harmonized System, a list that is not part of the program.
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Command } from 'commander';
import { readHsCodes } from '../platform/products/customs-codes.ts';
import { CsvIssue, type CsvRecord, csvRecords } from '../platform/shared/csv-records.ts';
import type { Caller } from './caller.ts';

/** A value of the file that should be a code, and its place. */
interface Entry {
  place: string;
  code: unknown;
}

const LOAD = 'mutation Load($json: JSON!, $reason: String) { ingestHsCodes(json: $json, reason: $reason) { entries } }';
/** Rows of published lists that are not six-digit codes: chapters and headings, by their level, and the total. */
const OTHER_LEVELS = ['2', '4'];
const TOTAL = 'TOTAL';
const MOST_SHOWN = 100;

/** The entries of a JSON array, of CSV with the column `hscode` and, where it has other rows too, `level`, or of lines with one code each. */
async function entriesOf(file: string): Promise<Entry[]> {
  const text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  if (text.trimStart().startsWith('['))
    return (JSON.parse(text) as unknown[]).map((code, index) => ({ place: `entry ${index + 1}`, code }));
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

async function loadCodes(caller: Caller, file: string): Promise<void> {
  const entries = await entriesOf(file);
  const refused = entries.filter(({ code }) => !readHsCodes([code]).ok);
  const codes = entries.filter((entry) => !refused.includes(entry)).map(({ code }) => code);
  for (const { place, code } of refused.slice(0, MOST_SHOWN)) console.log(`refused  ${place}: ${JSON.stringify(code)} is not six digits`);
  if (refused.length > MOST_SHOWN) console.log(`refused  ${refused.length - MOST_SHOWN} more`);
  if (refused.length > 0) process.exitCode = 1;
  const { ingestHsCodes } = await caller.asAdmin<{ ingestHsCodes: { entries: number } }>(LOAD, { json: codes, reason: basename(file) });
  console.log(`loaded  ${ingestHsCodes.entries}`);
}

/** Adds the commands. */
export function customsCommands(program: Command, caller: Caller): void {
  program
    .command('customs')
    .description('load customs tables')
    .command('hs')
    .description('replace the list of six-digit codes of the Harmonized System; entries without six digits are refused, the others loaded')
    .argument('<file>', 'CSV with the columns hscode and level, a JSON array, or a code on each line')
    .action(async (file: string) => {
      if (!existsSync(file)) program.error(`there is no file ${file}`);
      await loadCodes(caller, file).catch((error: unknown) => {
        if (error instanceof CsvIssue || error instanceof SyntaxError) program.error(`${file} cannot be read: ${error.message}`);
        throw error;
      });
    });
}

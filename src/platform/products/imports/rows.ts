// Turns rows of the file into input of the statements: checks each row alone and against the rows before it.
import { newId } from '../../../records/ids.ts';
import type { CsvRecord } from '../../shared/csv-records.ts';
import { type CsvLayout, type RowChange, type RowError, readRow, repeatedKeyError, rowKey, sourceKey } from '../csv.ts';
import type { CustomsCodeOptions } from '../customs-codes.ts';
import { MAX_CUSTOMS_ENTRIES } from '../rules.ts';

/** A row the statements can apply; short names because each is repeated for every row of a chunk. */
export interface ImportRow {
  line: number;
  id: string;
  corporation: string;
  name?: string | null | undefined;
  sku?: string | null | undefined;
  description?: string | null | undefined;
  tax?: string | null | undefined;
  weight?: number | null | undefined;
  volume?: number | null | undefined;
  origin?: string | null | undefined;
  platform?: string | undefined;
  platform_id?: string | null | undefined;
  codes?: Record<string, { digits: string; display: string }>;
  removed?: string[];
}

/** A row that is refused. */
export interface RefusedRow {
  line: number;
  cells: string[];
  errors: RowError[];
}

export interface PreparedRows {
  records: Map<number, CsvRecord>;
  rows: ImportRow[];
  refused: RefusedRow[];
}

/** Checks the rows of one file in order. Of rows with the same key only the first passes, so the keys of the whole file are stored. */
export class RowChecker {
  readonly #layout: CsvLayout;
  readonly #options: CustomsCodeOptions;
  readonly #seen = new Map<string, number>();

  constructor(layout: CsvLayout, options: CustomsCodeOptions) {
    this.#layout = layout;
    this.#options = options;
  }

  prepare(records: readonly CsvRecord[]): PreparedRows {
    const prepared: PreparedRows = { records: new Map(), rows: [], refused: [] };
    for (const record of records) {
      const checked = this.#check(record);
      if (Array.isArray(checked)) prepared.refused.push({ ...record, errors: checked });
      else {
        prepared.rows.push(importRow(record.line, checked));
        prepared.records.set(record.line, record);
      }
    }
    return prepared;
  }

  /** Stores the keys of rows that an earlier run has processed. */
  rememberKeys(records: readonly CsvRecord[]): void {
    for (const record of records) this.#check(record);
  }

  #check({ line, cells }: CsvRecord): RowChange | RowError[] {
    const read = readRow(this.#layout, cells, this.#options);
    if (!read.ok) return read.errors;
    const { change } = read;
    if (Object.keys(change.customsCodes).length > MAX_CUSTOMS_ENTRIES) return [tooManyCodes];
    const keys = [rowKey(change), sourceKey(change)].filter((key) => key !== null);
    const first = keys.map((key) => this.#seen.get(key)).find((seen) => seen !== undefined);
    if (first !== undefined) return [repeatedKeyError(change, first)];
    for (const key of keys) this.#seen.set(key, line);
    return change;
  }
}

/** The error of a row after which its product would have too many customs codes. */
export const tooManyCodes: RowError = {
  column: null,
  code: 'OUT_OF_RANGE',
  message: `a product has customs codes for at most ${MAX_CUSTOMS_ENTRIES} countries`,
  value: '',
};

function importRow(line: number, change: RowChange): ImportRow {
  const row: ImportRow = {
    line,
    id: newId('prod'),
    corporation: change.corporationId,
    name: change.name,
    sku: change.sku,
    description: change.description,
    tax: change.taxCode,
    weight: change.weightInKg,
    volume: change.volumeInLiters,
    origin: change.originCountry,
    platform: change.sourcePlatform,
    platform_id: change.sourcePlatformId,
  };
  const codes = Object.entries(change.customsCodes);
  if (codes.length === 0) return row;
  const given = codes.flatMap(([country, code]) => (code ? [[country, { digits: code.digits, display: code.display }] as const] : []));
  const removed = codes.flatMap(([country, code]) => (code ? [] : [country]));
  if (given.length > 0) row.codes = Object.fromEntries(given);
  if (removed.length > 0) row.removed = removed;
  return row;
}

// Turns rows of the file into input of the statements: checks each row alone and against the rows before it.
import { newId } from '../../../records/ids.ts';
import { storedCode } from '../../customs/customs-code.ts';
import type { CustomsCodeOptions } from '../../customs/customs-codes.ts';
import type { CsvRecord } from '../../shared/csv-records.ts';
import { type CsvLayout, type RowChange, type RowError, readRow, repeatedKeyError, rowKey, sourceKey } from '../csv.ts';
import { MAX_CUSTOMS_ENTRIES, type Product } from '../product.ts';

/** A row the statements can apply: what it sets of its product. */
export interface ImportRow extends Partial<Product> {
  line: number;
  corporationId: string;
  /** Countries whose customs codes it removes. */
  removed?: string[];
}

/** A row that is rejected. */
export interface RefusedRow {
  line: number;
  cells: string[];
  errors: RowError[];
}

export interface PreparedRows {
  records: Map<number, CsvRecord>;
  rows: ImportRow[];
  /** Remarks on rows, by line. */
  warnings: Map<number, string[]>;
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
    const prepared: PreparedRows = { records: new Map(), rows: [], warnings: new Map(), refused: [] };
    for (const record of records) {
      const checked = this.#check(record);
      if (Array.isArray(checked)) prepared.refused.push({ ...record, errors: checked });
      else {
        prepared.rows.push(importRow(record.line, checked.change));
        prepared.warnings.set(record.line, checked.warnings);
        prepared.records.set(record.line, record);
      }
    }
    return prepared;
  }

  /** Stores the keys of rows that an earlier run has processed. */
  rememberKeys(records: readonly CsvRecord[]): void {
    for (const record of records) this.#check(record);
  }

  #check({ line, cells }: CsvRecord): { change: RowChange; warnings: string[] } | RowError[] {
    const read = readRow(this.#layout, cells, this.#options);
    if (!read.ok) return read.errors;
    const { change } = read;
    if (Object.keys(change.customsCodes).length > MAX_CUSTOMS_ENTRIES) return [tooManyCodes];
    const keys = [rowKey(change), sourceKey(change)].filter((key) => key !== null);
    const first = keys.map((key) => this.#seen.get(key)).find((seen) => seen !== undefined);
    if (first !== undefined) return [repeatedKeyError(change, first)];
    for (const key of keys) this.#seen.set(key, line);
    return read;
  }
}

/** The error of a row after which its product would have too many customs codes. */
export const tooManyCodes: RowError = {
  column: null,
  code: 'OUT_OF_RANGE',
  message: `a product has customs codes for at most ${MAX_CUSTOMS_ENTRIES} countries`,
  value: '',
};

function importRow(line: number, { customsCodes, ...fields }: RowChange): ImportRow {
  const row: ImportRow = { line, id: newId('prod'), ...fields };
  const codes = Object.entries(customsCodes);
  if (codes.length === 0) return row;
  const given = codes.flatMap(([country, code]) => (code ? [[country, storedCode(code)] as const] : []));
  const removed = codes.flatMap(([country, code]) => (code ? [] : [country]));
  if (given.length > 0) row.codes = Object.fromEntries(given);
  if (removed.length > 0) row.removed = removed;
  return row;
}

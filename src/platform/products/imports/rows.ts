// Turns rows of the file into input of the statements: checks each row alone and against the rows before it.
import { newId } from '../../../records/ids.ts';
import { storedCode } from '../../customs/customs-code.ts';
import type { CustomsCodeOptions } from '../../customs/customs-codes.ts';
import type { CsvRecord } from '../../shared/csv-records.ts';
import { type CsvLayout, type ReadRow, type RowChange, type RowError, readRow, repeatedKeyError, rowKeys } from '../csv.ts';
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

/** A row that may be applied, or the errors of one that may not. */
type CheckedRow = { change: RowChange; warnings: string[] } | RowError[];

/** A row that names its product by its source id alone. */
export type SourcedRow = Pick<RowChange, 'corporationId' | 'sourcePlatform' | 'sourcePlatformId'> & { line: number };

/** Looks up the skus of the stored products that such rows name, by line. */
type SkuLookUp = (rows: readonly SourcedRow[]) => Promise<ReadonlyMap<number, string>>;

/** Checks the rows of one file in order. Of rows with the same key only the first passes, so the keys of the whole file are stored. */
export class RowChecker {
  readonly #layout: CsvLayout;
  readonly #options: CustomsCodeOptions;
  readonly #skusOf: SkuLookUp | undefined;
  readonly #seen = new Map<string, number>();

  /** Without `skusOf`, rows are checked against the rows of the file only. */
  constructor(layout: CsvLayout, options: CustomsCodeOptions, skusOf?: SkuLookUp) {
    this.#layout = layout;
    this.#options = options;
    this.#skusOf = skusOf;
  }

  async prepare(records: readonly CsvRecord[]): Promise<PreparedRows> {
    const prepared: PreparedRows = { records: new Map(), rows: [], warnings: new Map(), refused: [] };
    for (const [record, checked] of await this.#check(records)) {
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
  async rememberKeys(records: readonly CsvRecord[]): Promise<void> {
    await this.#check(records);
  }

  async #check(records: readonly CsvRecord[]): Promise<[CsvRecord, CheckedRow][]> {
    const read = records.map((record) => [record, readRow(this.#layout, record.cells, this.#options)] as const);
    const sourced = read.flatMap(([{ line }, row]) => {
      if (!row.ok || row.change.sku || !row.change.sourcePlatformId) return [];
      const { corporationId, sourcePlatform, sourcePlatformId } = row.change;
      return [{ line, corporationId, sourcePlatform, sourcePlatformId }];
    });
    const skus = sourced.length > 0 ? await this.#skusOf?.(sourced) : undefined;
    return read.map(([record, row]) => [record, this.#checkRow(record.line, row, skus?.get(record.line))]);
  }

  #checkRow(line: number, read: ReadRow, storedSku: string | undefined): CheckedRow {
    if (!read.ok) return read.errors;
    const { change } = read;
    if (Object.keys(change.customsCodes).length > MAX_CUSTOMS_ENTRIES) return [tooManyCodes];
    const keys = rowKeys(change, storedSku);
    const repeated = keys.find(({ key }) => this.#seen.has(key));
    if (repeated) return [repeatedKeyError(repeated, this.#seen.get(repeated.key)!)];
    for (const { key } of keys) this.#seen.set(key, line);
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

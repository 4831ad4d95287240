// The product import file: which columns it may have, and how a row is read into a change or its errors.

import { type Checked, Gathering } from '../../records/checked.ts';
import { checkField } from '../../records/fields.ts';
import type { InputIssueCode } from '../../records/input-issue.ts';
import { type Prop, writableProps } from '../../records/metadata.ts';
import { exactNumber } from '../../records/storable.ts';
import { type CustomsCode, type CustomsCodeOptions, checkCustomsCode } from '../customs/customs-codes.ts';
import { checkCountry } from '../shared/countries.ts';
import { Product } from './product.ts';

/** Columns with another name than that of the table. */
const RENAMED: Readonly<Record<string, string>> = { taxCode: 'product_taxability_code' };

/** Plain columns and the property each one sets: what callers may write, but the owner. */
const COLUMNS: ReadonlyMap<string, Prop> = new Map(
  writableProps(Product)
    .filter(({ name }) => name !== 'corporationId')
    .map((prop) => [RENAMED[prop.name] ?? prop.column, prop]),
);

const OWNER_COLUMN = 'corporation_id';
const CUSTOMS_PREFIX = 'customs_code_';
/** Plain decimal notation; 1e3, 0x10 and 1,5 would be read differently by different spreadsheets. */
const REMOVE = '-';

export const MAX_IMPORT_ROWS = 50_000;
/** Rows checked before a job is started. */
export const SAMPLED_ROWS = 20;
const MAX_EXCERPT = 100;

type Column =
  | { kind: 'field'; name: string; prop: Prop }
  | { kind: 'owner'; name: string }
  | { kind: 'customs'; name: string; country: string };

export interface CsvLayout {
  columns: readonly Column[];
  /** The corporation of the request, if it names one: rows then need no owner column and may name no other corporation. */
  corporationId: string | null;
}

export interface RowError {
  column: string | null;
  code: InputIssueCode;
  message: string;
  value: string;
}

/** The change of one row: undefined leaves the stored value, a null customs code removes it. */
export interface RowChange extends Partial<Omit<Product, 'corporationId' | 'customsCodes'>> {
  corporationId: string;
  customsCodes: Record<string, CustomsCode | null>;
}

/** A row that may be applied, with remarks on its cells, or the errors of one that may not. */
export type ReadRow = { ok: true; change: RowChange; warnings: string[] } | { ok: false; errors: RowError[] };

function columnOf(cell: string): Checked<Column> | undefined {
  const name = cell.trim().toLowerCase();
  if (name === OWNER_COLUMN) return { ok: true, value: { kind: 'owner', name } };
  const prop = COLUMNS.get(name);
  if (prop) return { ok: true, value: { kind: 'field', name, prop } };
  if (!name.startsWith(CUSTOMS_PREFIX)) return undefined;
  const country = checkCountry(name.slice(CUSTOMS_PREFIX.length).toUpperCase(), name);
  return country.ok ? { ok: true, value: { kind: 'customs', name, country: country.value } } : country;
}

/** Checks the header row. Unknown and repeated columns are issues, because a typo would otherwise drop a column in silence. */
export function checkHeader(cells: readonly string[], corporationId: string | null = null): Checked<CsvLayout> {
  const gathering = new Gathering();
  const columns = new Map<string, Column>();
  const choices = `; allowed: ${[OWNER_COLUMN, ...COLUMNS.keys(), `${CUSTOMS_PREFIX}<country>`].join(', ')}`;
  for (const [at, cell] of cells.entries()) {
    // Trimming also drops the byte order mark in front of the first name.
    const shown = excerpt(cell.trim());
    const column = columnOf(cell);
    if (column === undefined) {
      gathering.add(shown || `column ${at + 1}`, 'UNKNOWN_FIELD', `column ${at + 1} "${shown}" is not known`, { choices });
    } else if (!column.ok) gathering.take(column);
    else if (columns.has(column.value.name)) gathering.add(column.value.name, 'DUPLICATE', `column ${column.value.name} appears twice`);
    else columns.set(column.value.name, column.value);
  }
  if (!columns.has('name') && !columns.has('sku')) gathering.add('name', 'REQUIRED', 'one of the columns name and sku is required');
  if (corporationId === null && !columns.has(OWNER_COLUMN)) {
    gathering.add(OWNER_COLUMN, 'REQUIRED', `column ${OWNER_COLUMN} is required unless the request names the corporation`);
  }
  return gathering.finish(() => ({ columns: [...columns.values()], corporationId }));
}

const excerpt = (text: string): string => (text.length <= MAX_EXCERPT ? text : text.slice(0, MAX_EXCERPT).replace(/[\uD800-\uDBFF]$/, ''));

/** The value of a cell; text that is not of the kind stays text, which the check rejects. */
function cellValue({ kind }: Prop, text: string): unknown {
  if (kind === 'amount' || kind === 'integer') return exactNumber(text) ?? text;
  if (kind === 'flag' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

/** Reads one data row and checks everything but the existence of the corporation, which `imports/task.ts` checks. */
export function readRow(layout: CsvLayout, cells: readonly string[], options: CustomsCodeOptions = {}): ReadRow {
  const wanted = layout.columns.length;
  if (cells.length !== wanted) {
    const message = `the row has ${cells.length} cells, the header has ${wanted}`;
    return { ok: false, errors: [{ column: null, code: 'INVALID_FORMAT', message, value: excerpt(cells.join(',')) }] };
  }
  const errors: RowError[] = [];
  const fields: Record<string, unknown> = {};
  const customsCodes: RowChange['customsCodes'] = {};
  const warnings: string[] = [];
  let corporationId = layout.corporationId;
  const add = (column: string | null, code: InputIssueCode, message: string, value: string) =>
    errors.push({ column, code, message, value: excerpt(value) });
  const keep = <T>(column: Column, checked: Checked<T>, cell: string): T | undefined => {
    if (checked.ok) return checked.value;
    for (const issue of checked.issues) add(column.name, issue.code, issue.message.replace(issue.field, column.name), cell);
    return undefined;
  };

  for (const [at, column] of layout.columns.entries()) {
    const cell = cells[at]!.trim();
    if (cell === '') continue;
    if (column.kind === 'field')
      fields[column.prop.name] = keep(column, checkField(column.prop, cellValue(column.prop, cell), fields), cell);
    else if (column.kind === 'customs') {
      const code = cell === REMOVE ? null : keep(column, checkCustomsCode(column.country, cell, options, column.name), cell);
      if (code !== undefined) customsCodes[column.country] = code;
      for (const warning of code?.warnings ?? []) warnings.push(`${column.name}: ${warning}`);
    } else if (layout.corporationId !== null && cell !== layout.corporationId) {
      add(column.name, 'MISMATCH', `${column.name} must be ${layout.corporationId}, the corporation of the request`, cell);
    } else corporationId = cell;
  }
  if (!('name' in fields) && !('sku' in fields)) add(null, 'REQUIRED', 'one of name and sku is required', '');
  if (corporationId === null) add(OWNER_COLUMN, 'REQUIRED', `${OWNER_COLUMN} is required`, '');
  if ('sourcePlatformId' in fields && !('sourcePlatform' in fields)) {
    add('source_platform', 'REQUIRED', 'source_platform is required with source_platform_id', '');
  }
  return errors.length > 0
    ? { ok: false, errors }
    : { ok: true, change: { ...fields, corporationId: corporationId!, customsCodes }, warnings };
}

/** What says which product a row is about; of rows with the same key the first one wins. */
export interface RowKey {
  key: string;
  /** The column that gives it, with its value. */
  column: 'sku' | 'source_platform_id';
  value: string;
}

/**
 * The keys of a row in its file; none for a row that always creates a product. A row without a sku also has that of the stored product with its source
 * id, because another row may name that product by its sku.
 */
export function rowKeys({ corporationId, sku, sourcePlatform, sourcePlatformId }: RowChange, storedSku?: string): RowKey[] {
  const keys: RowKey[] = [];
  const bySku = (named: string): string => JSON.stringify([corporationId, 'sku', named]);
  if (sku) keys.push({ key: bySku(sku), column: 'sku', value: sku });
  if (!sourcePlatformId) return keys;
  const source = { column: 'source_platform_id', value: sourcePlatformId } as const;
  keys.push({ key: JSON.stringify([corporationId, sourcePlatform, sourcePlatformId]), ...source });
  if (storedSku !== undefined) keys.push({ key: bySku(storedSku), ...source });
  return keys;
}

/** The error of a row with a key that an earlier row has. */
export const repeatedKeyError = ({ column, value }: RowKey, firstRow: number): RowError => ({
  column,
  code: 'DUPLICATE',
  message: `${column} repeats row ${firstRow}, and only the first is imported`,
  value: excerpt(value),
});

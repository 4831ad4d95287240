// Checks the form of codes and texts in each row of a document. Returns the columns to store, and an issue with a JSON pointer per wrong value.
import { Gathering, isPlainObject } from '../../records/checked.ts';
import { type FoundPart, type Warning } from './formats.ts';
import { type IsoPart, keyOf } from './records.ts';

/** Values to store, by column; those that the checks read have types. */
export interface ContentValues {
  [column: string]: unknown;
  alpha2?: string;
  alpha3?: string;
  numeric?: string | null;
  code?: string;
  country?: string;
  parent?: string | null;
  status?: string;
  superseded_by?: string[];
}

/** A row to store: the columns that the document has, by name, and where they came from. */
export interface ContentRow {
  pointer: string;
  values: ContentValues;
  /** JSON pointer of the member that a column came from. */
  memberOf: (column: string) => string;
}

/** The rows of each part a document has. */
export type Content = Partial<Record<IsoPart, ContentRow[]>>;

/** Returns the value to store, or undefined when the value is wrong. */
type Reading = (value: unknown) => unknown;

const pattern =
  (form: RegExp): Reading =>
  (value) =>
    typeof value === 'string' && form.test(value) ? value : undefined;

const orNull =
  (reading: Reading): Reading =>
  (value) =>
    value === null ? null : reading(value);

const textUpTo =
  (length: number): Reading =>
  (value) =>
    typeof value === 'string' && value.trim() !== '' && value.length <= length ? value.trim() : undefined;

const isLanguage = (tag: string): boolean => /^[a-z]{2,3}([-_][A-Za-z0-9]{1,8})*$/.test(tag);

/** Names by language; empty ones are left out, because published lists have many. */
const names: Reading = (value) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const entries = Object.entries(value).filter(([, name]) => name !== null && name !== '');
  const right = entries.every(([language, name]) => isLanguage(language) && typeof name === 'string' && name.length <= 255);
  return right ? Object.fromEntries(entries.map(([language, name]) => [language.replaceAll('_', '-'), name])) : undefined;
};

const codeList: Reading = (value) =>
  Array.isArray(value) && value.length <= 50 && value.every((code) => typeof code === 'string' && ANY_CODE.test(code)) ? value : undefined;

const status: Reading = (value) => (typeof value === 'string' && /^(current|withdrawn)$/i.test(value) ? value.toUpperCase() : undefined);

const ANY_CODE = /^[A-Z]{2}(-[A-Z0-9]{1,3})?$/;
const SUBDIVISION = /^[A-Z]{2}-[A-Z0-9]{1,3}$/;

const columns: Record<string, [reading: Reading, expectation: string]> = {
  alpha2: [pattern(/^[A-Z]{2}$/), 'two capital letters'],
  alpha3: [pattern(/^[A-Z]{3}$/), 'three capital letters'],
  alpha4: [pattern(/^[A-Z]{4}$/), 'four capital letters'],
  numeric: [orNull(pattern(/^\d{3}$/)), 'text of three digits, with its zeros'],
  code: [pattern(SUBDIVISION), 'a country code, a hyphen and one to three capital letters or digits'],
  parent: [orNull(pattern(SUBDIVISION)), 'the code of a subdivision'],
  name: [textUpTo(255), 'text of 1 to 255 characters'],
  official_name: [orNull(textUpTo(255)), 'text of 1 to 255 characters'],
  common_name: [orNull(textUpTo(255)), 'text of 1 to 255 characters'],
  type: [orNull(textUpTo(100)), 'text of 1 to 100 characters'],
  change_type: [orNull(textUpTo(100)), 'text of 1 to 100 characters'],
  comment: [orNull(textUpTo(1_000)), 'text of 1 to 1000 characters'],
  withdrawal_date: [orNull(pattern(/^\d{4}(-\d{2}(-\d{2})?)?$/)), 'a year, a month or a date'],
  local_names: [names, 'an object of names by language'],
  superseded_by: [codeList, 'an array of codes'],
  status: [status, 'current or withdrawn'],
};

const required: Record<IsoPart, string[]> = {
  countries: ['alpha2', 'alpha3', 'name'],
  subdivisions: ['code', 'name'],
  former: ['alpha4', 'name'],
};

/** The checked rows of a part. Reserved codes, which some lists have among the countries, are left out with a warning. */
export function readPart(
  { part, rows, columns: members, normalise }: FoundPart,
  issues: Gathering,
  warn: (warning: Warning) => void,
): ContentRow[] {
  const seen = new Map<unknown, string>();
  const key = keyOf(part);
  return rows.flatMap(({ pointer, item }) => {
    if (!isPlainObject(item)) {
      issues.add(pointer, 'INVALID_TYPE', 'the row must be an object');
      return [];
    }
    const normalised = normalise ? normalise(item) : item;
    if (part === 'countries' && typeof normalised.state === 'string' && normalised.state !== 'assigned') {
      warn({ code: 'RESERVED_CODE_SKIPPED', pointer, message: 'codes that are reserved, not assigned, are left out' });
      return [];
    }
    const row: ContentRow = { pointer, values: {}, memberOf: (column) => `${pointer}/${members[column] ?? column}` };
    for (const [column, member] of Object.entries(members))
      readColumn(row, column, memberAt(normalised, member), required[part].includes(column), issues);
    const { [key]: code } = row.values;
    if (code === undefined) return [];
    const earlier = seen.get(code);
    if (earlier !== undefined) issues.add(row.memberOf(key), 'DUPLICATE', `${code} is given twice, first at ${earlier}`);
    seen.set(code, pointer);
    if (part === 'subdivisions') tidySubdivision(row, item, warn);
    return [row];
  });
}

function memberAt(item: Record<string, unknown>, path: string): unknown {
  return path.split('/').reduce<unknown>((at, name) => (isPlainObject(at) ? at[name] : undefined), item);
}

function readColumn(row: ContentRow, column: string, value: unknown, needed: boolean, issues: Gathering): void {
  if (value === undefined) {
    if (needed) issues.add(row.memberOf(column), 'REQUIRED', `${row.memberOf(column)} is required`);
    return;
  }
  const [reading, expectation] = columns[column]!;
  const stored = reading(value);
  if (stored === undefined) issues.add(row.memberOf(column), 'INVALID_FORMAT', `${row.memberOf(column)} must be ${expectation}`);
  else row.values[column] = stored;
}

/** Debian's list writes a second name in brackets, and an asterisk after a name that is in one language of several. */
function tidySubdivision(row: ContentRow, item: Record<string, unknown>, warn: (warning: Warning) => void): void {
  row.values.country = String(row.values.code).slice(0, 2);
  const { name } = row.values;
  if (typeof name === 'string' && /[[*]/.test(name)) {
    const tidy = name.replace(/\s*\[[^\]]*\]|\*/g, '').trim();
    if (tidy !== '') row.values.name = tidy;
    warn({
      code: 'NAME_VARIANT_DROPPED',
      pointer: row.memberOf('name'),
      message: 'second names in brackets and asterisks are left out of names',
    });
  }
  if (typeof item.parent === 'string' && !item.parent.includes('-') && row.values.parent !== null) {
    warn({
      code: 'PARENT_COMPLETED',
      pointer: row.memberOf('parent'),
      message: 'parents given as a suffix are read as codes of the same country',
    });
  }
}

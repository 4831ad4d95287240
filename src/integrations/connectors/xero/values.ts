// The values of Xero's JSON: numbers with all their digits, its two forms of dates, and our records' forms of both.

/** The digits of a number of JSON without an exponent, which .NET writes for small ones: `1E-05`. */
function plain(source: string): string {
  const [mantissa = '', exponent] = source.toLowerCase().split('e');
  if (exponent === undefined) return source;
  const isNegative = mantissa.startsWith('-');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const point = whole.length + Number(exponent);
  const digits = (whole + fraction).padEnd(point, '0').padStart(whole.length + fraction.length - Math.min(0, point), '0');
  const at = Math.max(0, point);
  const text = `${digits.slice(0, at) || '0'}.${digits.slice(at) || '0'}`;
  return isNegative ? `-${text}` : text;
}

type Reviver = (name: string, value: unknown, context: { source: string }) => unknown;

const digitsOfNumbers: Reviver = (_name, value, { source }) => (typeof value === 'number' ? plain(source) : value);

/** Reads a response; numbers become their digits as text. */
export const readJson = (text: string): unknown => JSON.parse(text, digitsOfNumbers as Parameters<typeof JSON.parse>[1]);

/** The moment of a date of Xero: `/Date(1439434356790+0000)/`, which is in UTC whatever the offset says, or ISO 8601 without a zone, in UTC too. */
export function moment(value: string | null | undefined): string | null {
  if (!value) return null;
  const milliseconds = /^\/Date\((-?\d+)(?:[+-]\d{4})?\)\/$/.exec(value)?.[1];
  const at = new Date(milliseconds === undefined ? zoned(value) : Number(milliseconds));
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}

const zoned = (value: string): string => (value.includes('T') && !/(Z|[+-]\d\d:?\d\d)$/.test(value) ? `${value}Z` : value);

/** The day of a moment of a record, for Xero. */
export const day = (value: unknown): string | null => {
  const text = value instanceof Date ? value.toISOString() : String(value ?? '');
  return /^\d{4}-\d{2}-\d{2}/.exec(text)?.[0] ?? null;
};

/** A member of a table, and the member for everything that it does not have. */
export const named = (table: Readonly<Record<string, string>>, name: string | null | undefined, other = 'UNKNOWN'): string =>
  (name && Object.hasOwn(table, name) ? table[name] : undefined) ?? other;

/** Texts in one line; null without any. */
export const joined = (texts: readonly (string | null | undefined)[], between = ' '): string | null =>
  texts.filter((text) => text?.trim()).join(between) || null;

/** The members whose value is given. */
export const given = (members: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

/** The members of `next` that differ from those of `current`. */
export const changed = (next: Readonly<Record<string, unknown>>, current: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(next).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(current[name])));

// Values as a PostgreSQL array literal, the cheapest way to send many. The server would parse JSON, look up its members by name and convert them
// again.

const SPECIAL = /["\\]/g;

/** A value in an array literal. */
export type Element = string | number | boolean | null;

function literalOf(value: Element): string {
  if (typeof value === 'string') return `"${value.replace(SPECIAL, '\\$&')}"`;
  return value === null ? 'NULL' : String(value);
}

/** The literal of an array with one element for each item. Numbers are finite. */
export function arrayLiteral<T>(items: readonly T[], elementOf: (item: T) => Element): string {
  const elements = items.map(elementOf);
  const json = JSON.stringify(elements);
  // Without a backslash JSON quotes as PostgreSQL does; of the escapes of both only those of quotes and backslashes are the same.
  return `{${json.includes('\\') ? elements.map(literalOf).join(',') : json.slice(1, -1)}}`;
}

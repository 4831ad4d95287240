// Values as a PostgreSQL array literal, the cheapest way to send many. The server would parse JSON, look up its members by name and convert them
// again.

const SPECIAL = /["\\]/g;

/** A value in an array literal. */
export type Element = string | number | boolean | null;

function literalOf(value: Element): string {
  if (typeof value === 'string') return `"${value.replace(SPECIAL, '\\$&')}"`;
  return value === null ? 'NULL' : String(value);
}

/** The literal of an array with one element for each item. */
export function arrayLiteral<T>(items: readonly T[], elementOf: (item: T) => Element): string {
  let text = '{';
  for (let index = 0; index < items.length; index++) text += (index === 0 ? '' : ',') + literalOf(elementOf(items[index]!));
  return `${text}}`;
}

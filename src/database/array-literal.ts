// Values as PostgreSQL's array literal: the cheapest way to send many, for it is read as it is, where JSON is parsed, looked up by name and written out again.

const SPECIAL = /["\\]/g;

type Element = string | number | boolean | null;

function written(value: Element): string {
  if (typeof value === 'string') return `"${value.replace(SPECIAL, '\\$&')}"`;
  return value === null ? 'NULL' : String(value);
}

/** The literal of an array with one element for each item. */
export function arrayLiteral<T>(items: readonly T[], elementOf: (item: T) => Element): string {
  let text = '{';
  for (let index = 0; index < items.length; index++) text += (index === 0 ? '' : ',') + written(elementOf(items[index]!));
  return `${text}}`;
}

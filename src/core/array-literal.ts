// Values as PostgreSQL's array literal: the cheapest way to send many, for it is read as it is, where JSON is parsed, looked up by name and written out again.

const SPECIAL = /["\\]/g;

function element(value: unknown): string {
  switch (typeof value) {
    case 'number':
    case 'boolean':
      return String(value);
    case 'string':
      return `"${value.replace(SPECIAL, '\\$&')}"`;
    default:
      return value === null ? 'NULL' : element(JSON.stringify(value));
  }
}

/** The literal of an array whose elements are texts, numbers, flags, NULL, or JSON for every other value. */
export function arrayLiteral(values: readonly unknown[]): string {
  let text = '{';
  for (let index = 0; index < values.length; index++) text += index === 0 ? element(values[index]) : `,${element(values[index])}`;
  return `${text}}`;
}

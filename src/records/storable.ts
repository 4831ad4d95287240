// What the database can hold of texts: neither NUL characters nor lone halves of surrogate pairs, which it rejects or changes.

const NUL = '\u0000';

/** Whether the database holds a text as it is. */
export const isStorableText = (text: string): boolean => !text.includes(NUL) && text.isWellFormed();

/** Whether the database holds a value as JSON as it is. */
export function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return isStorableText(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, entry]) => isStorableText(name) && isStorable(entry));
}

/** A text for people, with the replacement character for what the database cannot hold. */
export const storableText = (text: string): string => text.replaceAll(NUL, '\uFFFD').toWellFormed();

/** The same for every text of a value; a value without such texts is returned as it is. */
export const storable = <T>(value: T): T => (isStorable(value) ? value : (replaced(value) as T));

function replaced(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(replaced);
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [storableText(name), replaced(entry)]));
}

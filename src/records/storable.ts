// What is stored as it was sent. Of texts: neither NUL characters nor lone halves of surrogate pairs, which the database rejects or changes. Of numbers: those
// that a double holds digit for digit. It imports nothing, because the thread of a mapping loads it too.

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

/** Significant digits of the text of a number. A loop skips trailing zeros, because a pattern takes time quadratic in the length of the text. */
export function significantDigits(text: string): number {
  const digits = text.split(/e/i, 1)[0]!.replace(/[-.]/g, '').replace(/^0+/, '');
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  return end;
}

/** A number in any spelling of JSON. */
export const numberText = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** Longest text of a number: the digits of a larger one are not counted. */
const MAX_NUMBER_TEXT = 1_000;
/** Smallest number that a double holds with all of its digits. */
const MIN_NORMAL = 2.2250738585072014e-308;

/**
 * The number that a text writes, in any spelling of JSON. Returns undefined for other text and for a number that a double would change, which the
 * text alone decides. A double holds every decimal of up to 15 significant digits exactly; of longer ones up to 74 % come back changed.
 */
export function exactNumber(text: string): number | undefined {
  if (text.length > MAX_NUMBER_TEXT || !numberText.test(text)) return undefined;
  const value = Number(text);
  const digits = significantDigits(text);
  if (digits === 0) return 0;
  if (!Number.isFinite(value) || Math.abs(value) < MIN_NORMAL) return undefined;
  // Integers that a double holds exactly, such as ids, may have a digit more.
  return digits <= 15 || (/^-?\d+$/.test(text) && Number.isSafeInteger(value)) ? value : undefined;
}

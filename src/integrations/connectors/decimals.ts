// Decimals in text, as connectors read and compute amounts: exact, because a number of JavaScript would round them.
import { GatewayError } from '../../records/errors.ts';
import { exactNumber } from '../../records/storable.ts';

/** A decimal without zeros, and then without a point, at its end. A loop, because a pattern would take the square of the zeros. */
export function trimmed(text: string): string {
  if (!text.includes('.')) return text;
  let end = text.length;
  while (text[end - 1] === '0') end -= 1;
  return text.slice(0, text[end - 1] === '.' ? end - 1 : end);
}

/**
 * A decimal as an amount of a record: a number, where one has the same digits. A longer one stays text, which is rejected by name
 * where it is stored, instead of rounded.
 */
export function amount(text: string | null): number | string | null {
  if (text === null) return null;
  return exactNumber(text) ?? text;
}

/** A decimal in text with the other sign. */
export function negated(text: string): string {
  if (text.startsWith('-')) return text.slice(1);
  return /[1-9]/.test(text) ? `-${text}` : text;
}

/** A decimal in text without its sign. */
export const magnitude = (text: string): string => (text.startsWith('-') ? text.slice(1) : text);

/** A decimal as a whole number and the number of its digits after the point. */
const scaled = (text: string): [digits: bigint, places: number] => {
  const [whole = '', fraction = ''] = text.split('.');
  return [BigInt(whole + fraction), fraction.length];
};

/** The exact sum of two decimals. */
export function sum(first: string, second: string): string {
  const [[above, abovePlaces], [below, belowPlaces]] = [scaled(first), scaled(second)];
  const places = Math.max(abovePlaces, belowPlaces);
  const total = above * 10n ** BigInt(places - abovePlaces) + below * 10n ** BigInt(places - belowPlaces);
  const digits = magnitude(total.toString()).padStart(places + 1, '0');
  const at = digits.length - places;
  return trimmed(`${total < 0n ? '-' : ''}${digits.slice(0, at)}.${digits.slice(at)}`);
}

/** Digits behind the point of a rate that is a quotient. */
const RATE_DIGITS = 12;

/** Debits less credits of a report, which is shown and not stored. Throws PLATFORM_ERROR for what is no amount, or has more digits than a number keeps. */
export function difference(debit: string, credit: string): number {
  const areDecimals = [debit, credit].every((text) => /^-?\d{1,50}(\.\d{1,50})?$/.test(text));
  const value = areDecimals ? exactNumber(sum(debit, negated(credit))) : undefined;
  if (value === undefined) throw new GatewayError('PLATFORM_ERROR', 'the report of the source has an amount that cannot be read');
  return value;
}

/** The quotient of two decimals in text, computed in whole numbers and cut after twelve digits. */
export function quotient(dividend: string, divisor: string): string {
  const [above, aboveDigits] = scaled(dividend);
  const [below, belowDigits] = scaled(divisor);
  const digits = ((above * 10n ** BigInt(RATE_DIGITS + belowDigits)) / (below * 10n ** BigInt(aboveDigits)))
    .toString()
    .padStart(RATE_DIGITS + 1, '0');
  return trimmed(`${digits.slice(0, -RATE_DIGITS)}.${digits.slice(-RATE_DIGITS)}`);
}

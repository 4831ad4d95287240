// Reads JSON as it was sent: bytes that are UTF-8, and numbers that stay what their digits say.
import { exactNumber } from '../records/scalars.ts';

// A double may change a number of 16 or more digits, or one with an exponent of three; only such texts are read number by number.
const maybeInexact = /[\d.]{16}|\d[eE][+-]?\d{3}/;

type SourceReviver = (this: unknown, key: string, value: unknown, context?: { source?: string }) => unknown;

/** The value of a JSON text, with `ofInexact` in the place of numbers that a double would change. */
export function parseExact(text: string, ofInexact: (source: string) => unknown): unknown {
  if (!maybeInexact.test(text)) return JSON.parse(text);
  const reviver: SourceReviver = (_, value, context) =>
    typeof value === 'number' && context?.source !== undefined && exactNumber(context.source) === undefined
      ? ofInexact(context.source)
      : value;
  return JSON.parse(text, reviver);
}

/** The value of a JSON text of a source: numbers that a double would change stay text, which the field that gets it rejects by name. */
export const parseSourceJson = (text: string): unknown => parseExact(text, (source) => source);

const decoder = new TextDecoder('utf-8', { fatal: true });

/** The text of bytes in UTF-8 without a byte order mark; TypeError for other bytes, which would otherwise be replaced. */
export const decodeUtf8 = (bytes: Uint8Array): string => decoder.decode(bytes);

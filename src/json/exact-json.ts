// Reads JSON as it was sent: bytes that are UTF-8, numbers that stay what their digits say, and objects whose members have different names.
import { exactNumber } from '../records/storable.ts';

// A double may change a number of 16 or more digits, or one with an exponent of three digits. Only such texts are read number by number.
const maybeInexact = /[\d.]{16}|\d[eE][+-]?\d{3}/;

type SourceReviver = (this: unknown, key: string, value: unknown, context?: { source?: string }) => unknown;

/** The value of a JSON text, with `ofInexact` in the place of numbers that a double would change. */
export function parseExact(text: string, ofInexact: (source: string) => unknown): unknown {
  if (!maybeInexact.test(text)) return JSON.parse(text);
  return JSON.parse(text, exactReviver(ofInexact));
}

/** The reviver of JSON.parse that puts `ofInexact` in the place of numbers that a double would change. */
export const exactReviver =
  (ofInexact: (source: string) => unknown): SourceReviver =>
  (_, value, context) =>
    typeof value === 'number' && context?.source !== undefined && exactNumber(context.source) === undefined
      ? ofInexact(context.source)
      : value;

/** An object that has a name twice. RFC 8259 leaves open which of the members counts, and JSON.parse would drop the first without a word. */
export class RepeatedName extends SyntaxError {
  constructor(name: string) {
    super(`an object has the name ${JSON.stringify(name.slice(0, 60))} twice`);
  }
}

/**
 * The value of a JSON text that a caller wrote, with `ofInexact` in the place of numbers that a double would change: their text. Throws RepeatedName.
 * `names` is the number of names in the text, where the caller has counted them.
 */
export function parseWritten(text: string, ofInexact: (source: string) => unknown = (source) => source, names = namesIn(text)): unknown {
  const value = parseExact(text, ofInexact);
  if (names !== membersOf(value)) throw new RepeatedName(repeatedName(text)!);
  return value;
}

export const QUOTE = 0x22;
export const BACKSLASH = 0x5c;
export const COLON = 0x3a;

/** The number of names in a well-formed JSON text. A colon is a sign of a text, or follows a name. */
function namesIn(text: string): number {
  let names = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (sign === QUOTE) at = endOfText(text, at);
    else if (sign === COLON) names++;
  }
  return names;
}

/** The number of members of the objects in a value. */
function membersOf(value: unknown): number {
  let members = 0;
  const open = [value];
  while (open.length > 0) {
    const one = open.pop();
    if (typeof one !== 'object' || one === null) continue;
    if (Array.isArray(one)) {
      for (const entry of one) if (typeof entry === 'object') open.push(entry);
      continue;
    }
    // Object.values would make a list of each object.
    for (const name in one) {
      members++;
      const entry = (one as Record<string, unknown>)[name];
      if (typeof entry === 'object') open.push(entry);
    }
  }
  return members;
}

/** The first name that an object of a well-formed JSON text has twice. */
function repeatedName(text: string): string | undefined {
  /** The names of each object that is open, and nothing for each list. */
  const open: (Set<string> | undefined)[] = [];
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (sign === 0x7b) open.push(new Set());
    else if (sign === 0x5b) open.push(undefined);
    else if (sign === 0x7d || sign === 0x5d) open.pop();
    if (sign !== QUOTE) continue;
    const start = at;
    at = endOfText(text, start);
    let next = at + 1;
    while (text.charCodeAt(next) <= 0x20) next++;
    if (text.charCodeAt(next) !== COLON) continue;
    const written = text.slice(start, at + 1);
    const name = written.includes('\\') ? (JSON.parse(written) as string) : written.slice(1, -1);
    const names = open.at(-1)!;
    if (names.has(name)) return name;
    names.add(name);
  }
  return undefined;
}

/** The place of the quote that ends the text beginning at a quote. It is the end of the JSON where no quote does. */
function endOfText(json: string, start: number): number {
  for (let at = json.indexOf('"', start + 1); at >= 0; at = json.indexOf('"', at + 1)) {
    let slashes = 0;
    while (json.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return at;
  }
  return json.length;
}

/** The value of a JSON text of a source. Numbers that a double would change stay text, which the receiving field rejects by name. */
export const parseSourceJson = (text: string): unknown => parseExact(text, (source) => source);

const decoder = new TextDecoder('utf-8', { fatal: true });

/** The text of bytes in UTF-8 without a byte order mark; TypeError for other bytes, which would otherwise be replaced. */
export const decodeUtf8 = (bytes: Uint8Array): string => decoder.decode(bytes);

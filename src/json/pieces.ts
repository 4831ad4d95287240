// Parses large JSON in pieces, between which the process does other work: one call of JSON.parse holds it for as long as the text is.
// Bytes are looked at and decoded piece by piece, because all signs of JSON are one byte of UTF-8 each: decoded at once, 15 MB took 55 to 110 ms.
import { isUtf8 } from 'node:buffer';
import { others } from '../runtime/others.ts';
import { BACKSLASH, COLON, decodeUtf8, QUOTE, RepeatedName } from './exact-json.ts';

/** Length of a piece, in bytes; of such texts a piece takes one or two milliseconds. */
const PIECE = 65_536;

/** Levels at which pieces are looked for. Each looks at the text once more, and what is nested deeper is parsed as a whole. */
const MAX_LEVELS = 8;

const COMMA = 0x2c;
const isOpening = (sign: number): boolean => sign === 0x5b || sign === 0x7b;
const isClosing = (sign: number): boolean => sign === 0x5d || sign === 0x7d;
const isBlank = (sign: number | undefined): boolean => sign === 0x20 || sign === 0x09 || sign === 0x0a || sign === 0x0d;
const BYTE_ORDER_MARK = 3;

/** Bytes that are looked at before the process may do other work. */
const LOOKED = 1_048_576;

/** Reads a text; `names` is the number of names in it, where that is known. */
type Parse = (text: string, names?: number) => unknown;

/** Sets a member, also one whose name would set the prototype. */
function setOwn(members: Record<string, unknown>, name: string, value: unknown): void {
  if (Object.hasOwn(members, name)) throw new RepeatedName(name);
  if (name === '__proto__') Object.defineProperty(members, name, { value, writable: true, enumerable: true, configurable: true });
  else members[name] = value;
}

/**
 * The value of a JSON text in UTF-8, as `parse` reads it. Rejects with what `parse` throws for a text that is not JSON, with RepeatedName, and with the
 * TypeError of `decodeUtf8`. `piece` is the length of a piece in bytes.
 */
export async function parseInPieces(bytes: Buffer, parse: Parse, piece = PIECE): Promise<unknown> {
  if (bytes.length <= piece) return parse(decodeUtf8(bytes));
  if (!isUtf8(bytes)) decodeUtf8(bytes);
  const hasMark = bytes.readUIntBE(0, BYTE_ORDER_MARK) === 0xefbbbf;
  return new Pieces(bytes, parse, piece).value(hasMark ? BYTE_ORDER_MARK : 0, bytes.length, 0);
}

/** Entries of a list or object, about a piece long or a single one, and the number of names in them. */
interface Run {
  start: number;
  end: number;
  isOne: boolean;
  names: number;
}

/** Places in a text that is being parsed. */
class Pieces {
  readonly #bytes: Buffer;
  readonly #parse: Parse;
  readonly #piece: number;

  constructor(bytes: Buffer, parse: Parse, piece: number) {
    this.#bytes = bytes;
    this.#parse = parse;
    this.#piece = piece;
  }

  #text(start: number, end: number): string {
    return this.#bytes.toString('utf8', start, end);
  }

  /** The value between two places. */
  async value(from: number, to: number, level: number): Promise<unknown> {
    const start = this.#beginning(from, to);
    let end = to;
    while (end > start && isBlank(this.#bytes[end - 1])) end--;
    const brackets = this.#text(start, start + 1) + this.#text(end - 1, end);
    const isEmpty = this.#beginning(start + 1, end) === end - 1;
    if (end - start <= this.#piece || isEmpty || level === MAX_LEVELS || (brackets !== '[]' && brackets !== '{}'))
      return this.#whole(this.#text(start, end));
    return brackets === '[]' ? this.#list(start + 1, end - 1, level) : this.#object(start + 1, end - 1, level);
  }

  /** The place of the first sign that is no blank. */
  #beginning(from: number, to: number): number {
    let at = from;
    while (at < to && isBlank(this.#bytes[at])) at++;
    return at;
  }

  async #whole(text: string, names?: number): Promise<unknown> {
    const value = this.#parse(text, names);
    await others();
    return value;
  }

  async #list(from: number, to: number, level: number): Promise<unknown[]> {
    const list: unknown[] = [];
    for await (const { start, end, isOne, names } of this.#runs(from, to)) {
      if (isOne && end - start > this.#piece) list.push(await this.value(start, end, level + 1));
      else for (const entry of (await this.#whole(`[${this.#text(start, end)}]`, names)) as unknown[]) list.push(entry);
    }
    return list;
  }

  async #object(from: number, to: number, level: number): Promise<Record<string, unknown>> {
    // Made in one piece at the end, 60,000 members took 20 ms.
    const members: Record<string, unknown> = {};
    for await (const { start, end, isOne, names } of this.#runs(from, to)) {
      const colon = isOne && end - start > this.#piece ? this.#endOfName(start, end) : -1;
      if (colon >= 0) setOwn(members, this.#nameOf(start, colon), await this.value(colon + 1, end, level + 1));
      else {
        const some = (await this.#whole(`{${this.#text(start, end)}}`, names)) as Record<string, unknown>;
        for (const name of Object.keys(some)) setOwn(members, name, some[name]);
      }
    }
    return members;
  }

  /** The place of the colon after the name that a member begins with; -1 where it begins with something else. */
  #endOfName(start: number, end: number): number {
    const name = /^[ \t\n\r]*"(?:[^"\\]|\\.)*"[ \t\n\r]*:/.exec(this.#text(start, Math.min(end, start + this.#piece)));
    return name ? start + Buffer.byteLength(name[0]) - 1 : -1;
  }

  #nameOf(start: number, colon: number): string {
    return this.#parse(this.#text(start, colon)) as string;
  }

  /** The place of the quote that ends the text beginning at a quote, or `to` where no quote does. */
  #endOfText(start: number, to: number): number {
    for (let at = start + 1; at < to; at++) {
      const sign = this.#bytes[at];
      if (sign === QUOTE) return at;
      if (sign === BACKSLASH) at++;
    }
    return to;
  }

  /** The runs of entries of a list or object. */
  async *#runs(from: number, to: number): AsyncGenerator<Run> {
    let start = from;
    /** The last comma of the run. */
    let last = -1;
    /** The names of the run so far, and up to its last comma. */
    let [names, namesBefore] = [0, 0];
    let depth = 0;
    let looked = from;
    const until = (end: number): Run => {
      // Nothing is before a comma or after the last one, which `parse` rejects in its own words.
      if (this.#beginning(start, end) === end) this.#parse('');
      const run = { start, end, isOne: last < 0, names: end === last ? namesBefore : names };
      names -= run.names;
      start = end + 1;
      last = -1;
      return run;
    };
    for (let at = from; at < to; at++) {
      if (at - looked > LOOKED) {
        looked = at;
        await others();
      }
      const sign = this.#bytes[at]!;
      if (sign === QUOTE) at = this.#endOfText(at, to);
      else if (isOpening(sign)) depth++;
      else if (isClosing(sign)) depth--;
      else if (sign === COLON) names++;
      else if (sign === COMMA && depth === 0) {
        // A run ends before the entry with which it would become too long.
        if (last >= 0 && at - start > this.#piece) yield until(last);
        if (at - start > this.#piece) yield until(at);
        else [last, namesBefore] = [at, names];
      }
    }
    if (last >= 0 && to - start > this.#piece) yield until(last);
    yield until(to);
  }
}

// The elements of a book of GnuCash, and the values in them.
import type { SaxesTagNS } from 'saxes';
import { dateAt, wrongAt } from '../statements/statement.ts';
import { readXml, type XmlReader } from '../statements/xml.ts';

/** An element with the text and the elements in it. Its name has the prefix that GnuCash always writes. */
export interface Element {
  name: string;
  /** Its line, or its row in a database. */
  place: string;
  text: string;
  children: Element[];
}

/** The elements that a book in XML has at its top, by their names. Those of templates and scheduled transactions are elements in others. */
export async function xmlElements(text: string): Promise<Map<string, Element[]>> {
  const reader = new BookReader();
  await readXml(text, reader);
  return reader.elements;
}

/** Elements around those that are collected: `gnc-v2` and `gnc:book`. */
const OUTER = 2;

class BookReader implements XmlReader {
  readonly elements = new Map<string, Element[]>();
  #depth = 0;
  readonly #open: Element[] = [];

  opened({ name }: SaxesTagNS, line: number): void {
    if (this.#depth++ < OUTER) return;
    const element: Element = { name, place: `line ${line}`, text: '', children: [] };
    this.#open.at(-1)?.children.push(element);
    this.#open.push(element);
  }

  text(text: string): void {
    const element = this.#open.at(-1);
    if (element) element.text += text;
  }

  closed(): void {
    if (this.#depth-- <= OUTER) return;
    const element = this.#open.pop()!;
    if (this.#open.length > 0) return;
    const known = this.elements.get(element.name);
    if (known) known.push(element);
    else this.elements.set(element.name, [element]);
  }
}

/** The first element at a path below an element. */
export function find(element: Element | undefined, ...path: string[]): Element | undefined {
  let at = element;
  for (const name of path) at = at?.children.find((child) => child.name === name);
  return at;
}

/** The text at a path below an element; null where there is none. */
export const textOf = (element: Element | undefined, ...path: string[]): string | null => find(element, ...path)?.text.trim() || null;

/** The text at a path that every such element has. */
export function requiredText(element: Element, ...path: string[]): string {
  const text = textOf(element, ...path);
  if (text === null) throw wrongAt(element.place, `${element.name} has no ${path.join('/')}`);
  return text;
}

/** The day that an element has, as a time or as a date. */
export function dayOf(element: Element | undefined): string | null {
  const inner = element?.children[0];
  return inner ? dateAt(inner.place, inner.text.trim().slice(0, 10), element!.name) : null;
}

/** The currency that an element names; null for shares and other commodities. */
export const currencyOf = (element: Element | undefined): string | null =>
  /^(CURRENCY|ISO4217)$/.test(textOf(element, 'cmdty:space') ?? '') ? textOf(element, 'cmdty:id') : null;

/** What an element keeps under a path of keys besides its own members. */
export function slotOf(slots: Element | undefined, ...keys: string[]): Element | undefined {
  let at = slots;
  for (const key of keys) {
    const slot = at?.children.find((child) => textOf(child, 'slot:key') === key);
    at = find(slot, 'slot:value');
  }
  return at;
}

/** Most decimal places of an exact amount. */
const MAX_PLACES = 18;

/** The decimal that a fraction such as `1234/100` is; null for one that no decimal is equal to, such as `1/3`. */
export function decimalOf(element: Element): string | null {
  const [, above, below] = /^(-?\d{1,20})\/(\d{1,20})$/.exec(element.text.trim()) ?? [];
  if (above === undefined || BigInt(below!) === 0n)
    throw wrongAt(element.place, `${element.name} is not a number: ${JSON.stringify(element.text.slice(0, 40))}`);
  const [numerator, denominator] = [BigInt(above), BigInt(below!)];
  for (let places = 0, scale = 1n; places <= MAX_PLACES; places++, scale *= 10n) {
    if ((numerator * scale) % denominator !== 0n) continue;
    const digits = ((numerator * scale) / denominator).toString();
    const bare = digits.replace('-', '').padStart(places + 1, '0');
    const sign = digits.startsWith('-') ? '-' : '';
    return places === 0 ? `${sign}${bare}` : `${sign}${bare.slice(0, -places)}.${bare.slice(-places)}`;
  }
  return null;
}

/** The amount at a path, which is exact. */
export function amountOf(element: Element, path: string): string {
  const found = find(element, path);
  const value = found ? decimalOf(found) : null;
  if (value === null) throw wrongAt(element.place, `${element.name} has no exact ${path}`);
  return value;
}

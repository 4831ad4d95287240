// Turns the database's text of a value into what callers get, as a value and as JSON. Shared by both databases.
import { quoted } from './json-text.ts';
import type { KindName } from './model.ts';

/** `2026-01-31 10:00:00.12+00` (session time zone UTC) → `2026-01-31T10:00:00.120Z`. Cutting text costs half of building a Date and printing it. */
export function isoTimestamp(text: string): string {
  const end = text.length - 3;
  if (end <= 20) return `${text.slice(0, 10)}T${text.slice(11, 19)}.000Z`;
  const fraction = text.slice(20, end);
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(fraction.length > 3 ? 6 : 3, '0')}Z`;
}

/** A NUMERIC without the zeros that only its scale asks for. */
const plainNumber = (text: string): string => (text.endsWith('0') && text.includes('.') ? text.replace(/\.?0+$/, '') : text);

const asIs = (text: string): string => text;
const asJson = (text: string): unknown => JSON.parse(text);

/** How the text of a kind of column becomes a value, and how it becomes JSON; never called for null. */
interface WireKind {
  value: (text: string) => unknown;
  json: (text: string) => string;
}

const string: WireKind = { value: asIs, json: quoted };
const wholeNumber: WireKind = { value: Number, json: asIs };
const document: WireKind = { value: asJson, json: asIs };

export const wireKinds: Record<KindName, WireKind> = {
  text: string,
  id: string,
  ledgerId: wholeNumber,
  integer: wholeNumber,
  amount: { value: Number, json: plainNumber },
  flag: { value: (text) => text === 't', json: (text) => (text === 't' ? 'true' : 'false') },
  moment: { value: isoTimestamp, json: (text) => `"${isoTimestamp(text)}"` },
  date: string,
  json: document,
  object: document,
  list: document,
  choice: string,
  bytes: string,
};

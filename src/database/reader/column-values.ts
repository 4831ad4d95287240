// Turns the database's text of a value into what callers get, as a value and as JSON. Shared by both databases.
import type { JsonBuffer } from '../../json/buffer.ts';
import type { KindName } from '../../records/metadata.ts';

/** `2026-01-31 10:00:00.12+00` (session time zone UTC) → `2026-01-31T10:00:00.120Z`. Cutting text costs half of building a Date and printing it. */
export function isoTimestamp(text: string): string {
  const end = text.length - 3;
  if (end <= 20) return `${text.slice(0, 10)}T${text.slice(11, 19)}.000Z`;
  const fraction = text.slice(20, end);
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(fraction.length > 3 ? 6 : 3, '0')}Z`;
}

const asIs = (text: string): string => text;
const asJson = (text: string): unknown => JSON.parse(text);

/** Writes a value, given as the bytes of its text, as JSON. */
type Write = (out: JsonBuffer, bytes: Buffer, start: number, end: number) => void;

/** How the text of a kind of column becomes a value, and how it becomes JSON; never called for null. */
interface WireKind {
  value: (text: string) => unknown;
  write: Write;
}

const copied: Write = (out, bytes, start, end) => out.copy(bytes, start, end);
const quoted: Write = (out, bytes, start, end) => out.quote(bytes, start, end);

const [ZERO, POINT, TRUE] = [...'0.t'].map((sign) => sign.charCodeAt(0)) as [number, number, number];

/** A NUMERIC without the zeros that only its scale asks for. */
const writeNumber: Write = (out, bytes, start, end) => {
  let last = end;
  if (bytes[end - 1] === ZERO) {
    let point = start;
    while (point < end && bytes[point] !== POINT) point++;
    if (point < end) {
      while (bytes[last - 1] === ZERO) last--;
      if (last - 1 === point) last--;
    }
  }
  out.copy(bytes, start, last);
};

const [YES, NO] = [Buffer.from('true'), Buffer.from('false')];
const writeFlag: Write = (out, bytes, start) => out.copy(bytes[start] === TRUE ? YES : NO);

const OPEN = Buffer.from('"');
const T = Buffer.from('T');
const NO_FRACTION = Buffer.from('.000Z"');
const ZEROS = Buffer.from('00');
const CLOSE = Buffer.from('Z"');

/** As `isoTimestamp`. */
const writeMoment: Write = (out, bytes, start, end) => {
  out.copy(OPEN);
  out.copy(bytes, start, start + 10);
  out.copy(T);
  out.copy(bytes, start + 11, start + 19);
  const digits = end - 3 - (start + 20);
  if (digits <= 0) return out.copy(NO_FRACTION);
  out.copy(bytes, start + 19, start + 20 + digits);
  out.copy(ZEROS, 0, (digits > 3 ? 6 : 3) - digits);
  out.copy(CLOSE);
};

const string: WireKind = { value: asIs, write: quoted };
const wholeNumber: WireKind = { value: Number, write: copied };
const document: WireKind = { value: asJson, write: copied };

export const columnKinds: Record<KindName, WireKind> = {
  text: string,
  id: string,
  ledgerId: wholeNumber,
  integer: wholeNumber,
  amount: { value: Number, write: writeNumber },
  flag: { value: (text) => text === 't', write: writeFlag },
  moment: { value: isoTimestamp, write: writeMoment },
  date: string,
  json: document,
  object: document,
  list: document,
  enumeration: string,
  bytes: string,
};

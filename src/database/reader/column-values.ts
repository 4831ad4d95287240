// Converts the database's text of a column to its GraphQL value and to JSON. Shared by both databases.
import type { JsonBuffer } from '../../json/buffer.ts';
import type { KindName } from '../../records/metadata.ts';

/** `2026-01-31 10:00:00.12+00` (session time zone UTC) → `2026-01-31T10:00:00.120Z`. Cutting the text costs half as much as building and printing a Date. */
export function isoTimestamp(text: string): string {
  const fraction = text.slice(20, -3);
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(fraction.length > 3 ? 6 : 3, '0')}Z`;
}

const asIs = (text: string): string => text;
const asJson = (text: string): unknown => JSON.parse(text);

/** Writes a value as JSON, from the bytes of its text. */
type Write = (out: JsonBuffer, bytes: Buffer, start: number, end: number) => void;

/** The conversions of a kind of column: its text to a value, and to JSON. Never called for null. */
interface ColumnKind {
  value: (text: string) => unknown;
  write: Write;
}

const copied: Write = (out, bytes, start, end) => out.copy(bytes, start, end);
const quoted: Write = (out, bytes, start, end) => out.quote(bytes, start, end);

const [ZERO, POINT, TRUE] = [...'0.t'].map((sign) => sign.charCodeAt(0)) as [number, number, number];

/** A NUMERIC without the trailing zeros of its scale. */
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

/** A moment in the form of `isoTimestamp`. */
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

const string: ColumnKind = { value: asIs, write: quoted };
const wholeNumber: ColumnKind = { value: Number, write: copied };
const document: ColumnKind = { value: asJson, write: copied };

export const columnKinds: Record<KindName, ColumnKind> = {
  text: string,
  country: string,
  email: string,
  url: string,
  ipAddress: string,
  uuid: string,
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
  namedValues: document,
  enumeration: string,
  bytes: string,
};

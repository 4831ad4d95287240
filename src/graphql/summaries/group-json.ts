// The groups of a summary as JSON, written from the bytes of their rows. As objects, which the executor copies, they were 40 % of what a request for
// sums left to the garbage collector.
import type { DataRows } from '../../database/read-path/data-rows.ts';
import { columnKinds } from '../../database/reader/column-values.ts';
import type { SelectedMember } from '../../database/reader/field-tree.ts';
import type { Aggregate, GroupKey } from '../../database/reader/summary-statement.ts';
import { CLOSE, COMMA, END, type JsonBuffer, OPEN } from '../../json/buffer.ts';
import { type Model, type Prop, propOf } from '../../records/metadata.ts';
import { type AggregateName, AVERAGE_PLACES } from './summary-types.ts';

type WriteValue = (out: JsonBuffer, bytes: Buffer, start: number, end: number) => void;

/** A key of the groups of one request: its name as JSON, and what writes its values. */
interface WrittenKey {
  name: Buffer;
  write: WriteValue;
}

/** A row that is being written: its bytes, the begin and end of its columns, and the keys, which are its first columns. */
interface GroupRow {
  bytes: Buffer;
  columns: Int32Array;
  keys: readonly WrittenKey[];
}

/** Writes a part of a group; within a key, the part of the key of this number. */
type WritePart = (out: JsonBuffer, row: GroupRow, key: number) => void;

/** Writes the groups of rows as a list. `names` are the keys as callers name them. */
export type WriteGroups = (
  out: JsonBuffer,
  rows: DataRows,
  numbers: readonly number[],
  keys: readonly GroupKey[],
  names: readonly string[],
) => void;

const BEGIN = Buffer.from('{');
const NULL = Buffer.from('null');

/** Numbers of at most this many characters have at most as many digits, which a double keeps. */
const EXACT_DIGITS = 15;

/** Writes groups with the selected members. Adds the aggregates that they are made from to those of the statement. */
export function groupsWriter(members: readonly SelectedMember[], model: Model, aggregates: Aggregate[]): WriteGroups {
  const write = objectWriter(members, ({ name, members: below = [] }) => {
    if (name === 'key') return keysWriter(below);
    if (name === 'count') return (out, row) => writeColumn(out, row, row.keys.length, columnKinds.integer.write);
    return objectWriter(below, (property) => aggregateWriter(name as AggregateName, propOf(model, property.name), aggregates));
  });
  const most = aggregates.length;
  return (out, rows, numbers, keys, names) => {
    const written = keys.map((key, index): WrittenKey => ({ name: Buffer.from(JSON.stringify(names[index])), write: keyWrite(key) }));
    const columns = new Int32Array((keys.length + 1 + most) * 2);
    out.copy(OPEN);
    for (const [place, number] of numbers.entries()) {
      if (place > 0) out.copy(COMMA);
      rows.locate(number, columns);
      write(out, { bytes: rows.bytesOf(number), columns, keys: written }, 0);
    }
    out.copy(CLOSE);
  };
}

function writeColumn(out: JsonBuffer, { bytes, columns }: GroupRow, column: number, write: WriteValue): void {
  const start = columns[column * 2]!;
  if (start === -1) out.copy(NULL);
  else write(out, bytes, start, columns[column * 2 + 1]!);
}

function objectWriter(members: readonly SelectedMember[], writeOf: (member: SelectedMember) => WritePart): WritePart {
  const parts = members.map((member, index) => {
    const name = `${index === 0 ? '' : ','}${JSON.stringify(member.key)}:`;
    const { constant } = member;
    return constant === undefined ? { text: Buffer.from(name), write: writeOf(member) } : { text: Buffer.from(name + constant) };
  });
  return (out, row, key) => {
    out.copy(BEGIN);
    for (const { text, write } of parts) {
      out.copy(text);
      write?.(out, row, key);
    }
    out.copy(END);
  };
}

function keysWriter(members: readonly SelectedMember[]): WritePart {
  const write = objectWriter(members, ({ name }) =>
    name === 'field'
      ? (out, { keys }, key) => out.copy(keys[key]!.name)
      : (out, row, key) => writeColumn(out, row, key, row.keys[key]!.write),
  );
  return (out, row) => {
    out.copy(OPEN);
    for (let key = 0; key < row.keys.length; key++) {
      if (key > 0) out.copy(COMMA);
      write(out, row, key);
    }
    out.copy(CLOSE);
  };
}

function aggregateWriter(member: AggregateName, prop: Prop, aggregates: Aggregate[]): WritePart {
  const at = aggregatePlace(aggregates, member === 'avg' ? 'sum' : member, prop);
  if (member !== 'avg') {
    const write = member === 'sum' ? writeSum : columnKinds[prop.kind].write;
    return (out, row) => writeColumn(out, row, row.keys.length + 1 + at, write);
  }
  // An average is the sum by the number of values, so that it is exact until it is rounded once.
  const count = aggregatePlace(aggregates, 'count', prop);
  return (out, row) => {
    const { bytes, columns, keys } = row;
    const divisor = (keys.length + 1 + count) * 2;
    writeColumn(out, row, keys.length + 1 + at, (_, __, start, end) => {
      const values = BigInt(bytes.toString('latin1', columns[divisor], columns[divisor + 1]));
      out.text(String(Number(quotient(bytes.toString('latin1', start, end), values, AVERAGE_PLACES))));
    });
  };
}

/** The place of an aggregate, which is added where the statement lacks it. */
export function aggregatePlace(aggregates: Aggregate[], of: Aggregate['of'], prop: Prop): number {
  const known = aggregates.findIndex((one) => one.of === of && one.prop === prop);
  return known >= 0 ? known : aggregates.push({ of, prop }) - 1;
}

/** A sum; one of more digits than a double keeps is written as the nearest double. */
const writeSum: WriteValue = (out, bytes, start, end) => {
  if (end - start <= EXACT_DIGITS) columnKinds.amount.write(out, bytes, start, end);
  else out.text(JSON.stringify(Number(bytes.toString('latin1', start, end))));
};

/** A decimal divided by a whole number above zero, rounded half away from zero to a number of places. */
export function quotient(decimal: string, divisor: bigint, places: number): string {
  const isNegative = decimal.startsWith('-');
  const [whole, fraction = ''] = decimal.replace('-', '').split('.') as [string, string?];
  const scaled = BigInt(whole + fraction) * 10n ** BigInt(places) * 2n;
  const unit = divisor * 10n ** BigInt(fraction.length);
  const digits = String((scaled + unit) / (unit * 2n)).padStart(places + 1, '0');
  return `${isNegative ? '-' : ''}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

/** The value of a key as text: the first day of a bucket, a flag as `true` or `false`. */
function keyWrite({ prop, bucket }: GroupKey): WriteValue {
  if (bucket) return writeDay;
  return prop.kind === 'flag' ? writeFlag : columnKinds.text.write;
}

const [SPACE, C, T] = [...' Ct'].map((sign) => sign.charCodeAt(0)) as [number, number, number];
const [YES, NO] = [Buffer.from('"true"'), Buffer.from('"false"')];

const writeFlag: WriteValue = (out, bytes, start) => out.copy(bytes[start] === T ? YES : NO);

/** The date of a time or date as PostgreSQL writes it. ISO 8601 has no BC, and calls 1 BC the year 0000. */
const writeDay: WriteValue = (out, bytes, start, end) => {
  const space = bytes.indexOf(SPACE, start);
  const dayEnd = space === -1 || space > end ? end : space;
  if (bytes[end - 1] === C) out.text(JSON.stringify(bytes.toString('latin1', start, dayEnd).replace(/^\d+/, '0000')));
  else out.quote(bytes, start, dayEnd);
};

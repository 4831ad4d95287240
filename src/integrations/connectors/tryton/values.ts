// The values of Tryton's JSON: decimals, dates and references as they are written there, and as our records have them.
import { exactNumber } from '../../../records/storable.ts';
import { trimmed } from '../decimals.ts';

/** A value of Tryton that JSON has no form for. */
interface Wrapped {
  __class__: string;
  [member: string]: unknown;
}

const two = (value: unknown): string => String(value).padStart(2, '0');
const dayOf = ({ year, month, day }: Wrapped): string => `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
const momentOf = (value: Wrapped): string => {
  const micro = String(value.microsecond).padStart(6, '0');
  return `${dayOf(value)}T${two(value.hour)}:${two(value.minute)}:${two(value.second)}.${micro.slice(0, 3)}Z`;
};

const readers: Record<string, (value: Wrapped) => unknown> = {
  // The digits as they are: a number of JavaScript would round them.
  Decimal: ({ decimal }) => decimal,
  date: dayOf,
  datetime: momentOf,
};

/** Reads a response: decimals, dates (`2026-11-22`) and moments become text. */
export const readJson = (text: string): unknown =>
  JSON.parse(text, (_name, value, context?: { source?: string }) => {
    if (typeof value === 'number') return exactNumber(context?.source ?? String(value)) ?? context?.source;
    const read = value && typeof value === 'object' ? readers[(value as Wrapped).__class__] : undefined;
    return read ? read(value as Wrapped) : value;
  });

/** A decimal of a record, a number or text, for Tryton; null stays null. Zeros at the end are dropped, so that equal amounts are equal text. */
export function decimal(value: unknown): Wrapped | null {
  if (value === null || value === undefined || value === '') return null;
  return { __class__: 'Decimal', decimal: trimmed(String(value)) };
}

/** The day of a moment of a record, for Tryton. */
export function date(value: unknown): Wrapped | null {
  const parts = /^(\d{4})-(\d{2})-(\d{2})/.exec(value instanceof Date ? value.toISOString() : String(value ?? ''));
  return parts && { __class__: 'date', year: Number(parts[1]), month: Number(parts[2]), day: Number(parts[3]) };
}

/** The moment of a record for a day of Tryton. */
export const moment = (day: string | null): string | null => day && `${day}T00:00:00.000Z`;

/** The id of a reference, as other records name it. */
export const idOf = (id: number | null | undefined): string | null => (id === null || id === undefined ? null : String(id));

/** The number in the text of a reference such as `purchase.line,12`; null for one to another model. */
export function referredId(reference: string | null, model: string): number | null {
  const [name, id] = (reference ?? '').split(',');
  return name === model && id ? Number(id) : null;
}

// A time stamp is text, seconds and microseconds since 1970: `1795362664.239977`. It is compared, sent back and never rounded.

/** A time stamp as a moment of a record. */
export const stampMoment = (stamp: string): string => {
  const [seconds = '0', fraction = ''] = stamp.split('.');
  return new Date(Number(seconds) * 1_000 + Number(fraction.padEnd(3, '0').slice(0, 3))).toISOString();
};

/** A time stamp, some seconds earlier, as a value to search for. */
export function stampValue(stamp: string, secondsEarlier: number): Wrapped {
  const [seconds = '0', fraction = ''] = stamp.split('.');
  const at = new Date((Number(seconds) - secondsEarlier) * 1_000);
  return {
    __class__: 'datetime',
    year: at.getUTCFullYear(),
    month: at.getUTCMonth() + 1,
    day: at.getUTCDate(),
    hour: at.getUTCHours(),
    minute: at.getUTCMinutes(),
    second: at.getUTCSeconds(),
    microsecond: Number(fraction.padEnd(6, '0').slice(0, 6)),
  };
}

/** Seconds and a fraction of equal length, which sort as text. */
const sortable = (stamp: string): string => {
  const [seconds = '0', fraction = ''] = stamp.split('.');
  return `${seconds.padStart(14, '0')}.${fraction.padEnd(6, '0')}`;
};

/** The latest of some time stamps; `0` without any. */
export const latest = (stamps: readonly string[]): string =>
  stamps.reduce((last, stamp) => (sortable(stamp) > sortable(last) ? stamp : last), '0');

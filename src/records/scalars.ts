// The scalar types of the schema: the standard ones by their usual names, and Decimal, DateTime and ExternalId.
// The decorators of type-graphql need it when the first of them runs; every file with decorators imports this one or enums.ts.
import 'reflect-metadata';
import { GraphQLScalarType, Kind, type ValueNode } from 'graphql';
import { GraphQLJSON, GraphQLJSONObject } from 'graphql-scalars';

export {
  GraphQLCountryCode as CountryCode,
  GraphQLEmailAddress as EmailAddress,
  GraphQLLocalDate as LocalDate,
  GraphQLPositiveInt as PositiveInt,
  GraphQLTimestamp as Timestamp,
  GraphQLURL as URLScalar,
  GraphQLUUID as UUID,
} from 'graphql-scalars';
export { GraphQLJSON as JSONValue, GraphQLJSONObject as JSONObject };

/** The description of valid values per scalar, as the end of the sentence "<field> must be …". */
export const scalarExpectations: Record<string, string> = {
  Boolean: 'true or false',
  CountryCode: 'a two-letter ISO 3166-1 country code',
  DateTime: 'an ISO 8601 date and time',
  Decimal: 'a number with at most 15 significant digits',
  EmailAddress: 'an e-mail address',
  ExternalId: 'a string or an integer',
  Float: 'a number',
  ID: 'a string',
  Int: 'an integer',
  JSON: 'a JSON value',
  JSONObject: 'an object',
  LocalDate: 'a calendar date, YYYY-MM-DD',
  PositiveInt: 'a positive integer',
  String: 'a string',
  Timestamp: 'an integer, milliseconds since 1970',
  Upload: 'text',
  URL: 'an absolute URL',
  UUID: 'a UUID',
};

/** Significant digits of the text of a number. A loop skips trailing zeros, because a pattern takes time quadratic in the length of the text. */
export function significantDigits(text: string): number {
  const digits = text.split(/e/i, 1)[0]!.replace(/[-.]/g, '').replace(/^0+/, '');
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  return end;
}

function parseDecimal(value: unknown): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new TypeError('must be a number');
  // A double holds every decimal of up to 15 significant digits exactly; of longer ones up to 74 % come back changed.
  const text = String(value);
  if (text.length > 15 && significantDigits(text) > 15) throw new TypeError('must be a number with at most 15 significant digits');
  if (Math.abs(value) >= 1e30 || (value !== 0 && Math.abs(value) < 1e-15))
    throw new TypeError('must be smaller than 1e30 and not finer than 1e-15');
  return value === 0 ? 0 : value;
}

/** An exact decimal amount or rate. A JSON number of at most 15 significant digits, stored as NUMERIC and returned digit for digit. */
export const Decimal = new GraphQLScalarType<number, number>({
  name: 'Decimal',
  description:
    'An exact decimal amount or rate: a JSON number of at most 15 significant digits, stored as NUMERIC and returned digit for digit.',
  serialize: (value) => Number(value),
  parseValue: parseDecimal,
  parseLiteral: (node) => {
    if (node.kind !== Kind.INT && node.kind !== Kind.FLOAT) throw new TypeError('must be a number');
    if (significantDigits(node.value) > 15) throw new TypeError('must be a number with at most 15 significant digits');
    return parseDecimal(Number(node.value));
  },
});

const dateTimePattern = /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,6})\d*)?)?(Z|z|[+-]\d{2}:?\d{2})?)?$/;

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const daysOf = (year: number, month: number): number =>
  month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : (DAYS[month - 1] ?? 0);

/** Normalises an ISO 8601 date, or date and time, to UTC text with milliseconds (microseconds where given); undefined for any other text. */
export function normaliseDateTime(text: string): string | undefined {
  const match = dateTimePattern.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', offset = 'Z'] = match as unknown as string[];
  if (
    Number(day) < 1 ||
    Number(day) > daysOf(Number(year), Number(month)) ||
    Number(hour) > 23 ||
    Number(minute) > 59 ||
    Number(second) > 59
  )
    return undefined;
  const local = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  const utc = offset.length > 1 ? shifted(local, offset) : local;
  // Year 0000 does not exist in PostgreSQL.
  if (utc === undefined || utc.startsWith('0000')) return undefined;
  const digits = fraction.padEnd(6, '0');
  return `${utc}.${digits.endsWith('000') ? digits.slice(0, 3) : digits}Z`;
}

/** A local time in UTC; undefined when the offset is invalid, or the year in UTC has no four digits. */
function shifted(local: string, offset: string): string | undefined {
  const [hours, minutes] = [Number(offset.slice(1, 3)), Number(offset.slice(-2))];
  if (hours > 15 || minutes > 59) return undefined;
  const ahead = (offset[0] === '-' ? -1 : 1) * (hours * 60 + minutes) * 60_000;
  const utc = new Date(Date.parse(`${local}Z`) - ahead).toISOString();
  return /^\d{4}-/.test(utc) ? utc.slice(0, 19) : undefined;
}

const parseDateTime = (value: unknown): string => {
  const normal = typeof value === 'string' ? normaliseDateTime(value) : undefined;
  if (!normal) throw new TypeError('must be an ISO 8601 date and time');
  return normal;
};

/** A moment in time, ISO 8601 in UTC. Offsets are accepted and normalised; a date without a time means midnight UTC. */
export const DateTime = new GraphQLScalarType<string, string>({
  name: 'DateTime',
  description:
    'A moment in time as ISO 8601 text in UTC. Input may have an offset, which is normalised; a date without a time means its midnight in UTC.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339',
  serialize: (value) => (value instanceof Date ? value.toISOString() : String(value)),
  parseValue: parseDateTime,
  parseLiteral: (node) => parseDateTime(stringOf(node)),
});

/** The id of a record in the source system: a string or an integer, stored exactly as given. */
export const ExternalId = new GraphQLScalarType<string | number, string | number>({
  name: 'ExternalId',
  description: 'The id, in the source system, of a record that the gateway does not store: a string or an integer, kept exactly as given.',
  serialize: (value) => value as string | number,
  parseValue: (value) => {
    if (typeof value === 'string' || Number.isSafeInteger(value)) return value as string | number;
    throw new TypeError('must be a string or an integer');
  },
  parseLiteral: (node) => {
    if (node.kind === Kind.INT && Number.isSafeInteger(Number(node.value))) return Number(node.value);
    return stringOf(node) ?? fail();
  },
});

const stringOf = (node: ValueNode): string | undefined => (node.kind === Kind.STRING ? node.value : undefined);

function fail(): never {
  throw new TypeError('must be a string or an integer');
}

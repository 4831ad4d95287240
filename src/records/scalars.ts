// The scalar types of the schema: those of graphql-scalars by their usual names, and Decimal, DateTime and ExternalId.
// The decorators of type-graphql need it when the first of them runs; every file with decorators imports this one or enums.ts.
import 'reflect-metadata';
import { GraphQLScalarType, Kind, type ValueNode, visit } from 'graphql';
import {
  GraphQLCountryCode,
  GraphQLEmailAddress,
  GraphQLIP,
  GraphQLJSON,
  GraphQLJSONObject,
  GraphQLLatitude,
  GraphQLLocale,
  GraphQLLongitude,
  GraphQLPositiveInt,
  GraphQLURL,
  GraphQLUUID,
} from 'graphql-scalars';
import { exactNumber, numberText, significantDigits } from './storable.ts';

export { GraphQLLocalDate as LocalDate, GraphQLTimestamp as Timestamp } from 'graphql-scalars';

/** A scalar of JSON that rejects what its document cannot mean: names of enumerations, and numbers that a double would change, as those of a body. */
const exactJson = (standard: GraphQLScalarType): GraphQLScalarType =>
  new GraphQLScalarType({
    ...standard.toConfig(),
    parseLiteral: (node, variables) => {
      visit(node, { IntValue: checkExact, FloatValue: checkExact, EnumValue: notJson });
      return standard.parseLiteral(node, variables);
    },
  });

function notJson({ value }: { value: string }): never {
  throw new TypeError(`must be JSON, which has no name ${value}`);
}

function checkExact({ value }: { value: string }): void {
  if (exactNumber(value) === undefined) throw new RangeError('must have numbers with at most 15 significant digits');
}

export const JSONValue = exactJson(GraphQLJSON);
export const JSONObject = exactJson(GraphQLJSONObject);

/** The form of the global id of a numbered record. Which record it may name depends on the field, which the input coercer knows. */
const numberedId = /^[a-z]+(?:_[a-z]+){0,5}_[1-9]\d{0,14}$/;

/** Whether a value has the form of the global id of a numbered record. */
export const isNumberedId = (value: unknown): value is string => typeof value === 'string' && value.length <= 80 && numberedId.test(value);

/** Whether a value is the number of a record. The library's scalar would read 1.5 as 1 and the list [3] as 3. */
export const isRecordNumber = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0;

/** The number of a record. The schema has `ID` in its place wherever callers send one (`declareIds`). */
export const PositiveInt = new GraphQLScalarType<number, number>({
  ...GraphQLPositiveInt.toConfig(),
  description: 'The number of a record, greater than 0.',
});

/** The scalar with its values shown as they are stored. A value that an earlier version or another system wrote is not an error of the reader. */
const shownAsStored = (standard: GraphQLScalarType): GraphQLScalarType =>
  new GraphQLScalarType({ ...standard.toConfig(), serialize: (value) => value });

/** The names of the text scalars. */
export const textScalars = new Set<string>();

/**
 * A text scalar. It says what a text is, and the rule of each field says which texts it accepts. Fields differ: a withdrawn country can be looked up,
 * but a corporation needs one in force. A rule also names the field and the way to correct it. The scalars of graphql-scalars would also reject mail
 * addresses with letters outside ASCII and empty text that clears a field. They would turn a URL into an object that writes it in another spelling.
 */
function textScalar(standard: GraphQLScalarType): GraphQLScalarType<string, string> {
  textScalars.add(standard.name);
  return new GraphQLScalarType<string, string>({
    ...standard.toConfig(),
    serialize: (value) => value as string,
    parseValue: (value) => (typeof value === 'string' ? value : notText()),
    parseLiteral: (node) => stringOf(node) ?? notText(),
  });
}

/** A scalar of degrees. That of graphql-scalars rejects an integer written in the document, although it takes one as a variable. */
function degrees(standard: GraphQLScalarType): GraphQLScalarType {
  return new GraphQLScalarType({
    ...shownAsStored(standard).toConfig(),
    parseLiteral: (node) => standard.parseLiteral(node.kind === Kind.INT ? { ...node, kind: Kind.FLOAT } : node, null),
  });
}

function notText(): never {
  throw new TypeError('must be a string');
}

export const CountryCode = textScalar(GraphQLCountryCode);
export const EmailAddress = textScalar(
  new GraphQLScalarType({
    ...GraphQLEmailAddress.toConfig(),
    description: 'An email address such as name@example.com; letters outside ASCII are allowed (RFC 6531).',
    specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc6531',
  }),
);
export const URLScalar = textScalar(GraphQLURL);
export const Locale = textScalar(GraphQLLocale);
export const IPAddress = shownAsStored(GraphQLIP);
export const Latitude = degrees(GraphQLLatitude);
export const Longitude = degrees(GraphQLLongitude);
export const UUID = shownAsStored(GraphQLUUID);

/** The description of valid values per scalar, as the end of the sentence "<field> must be …". */
export const scalarExpectations: Record<string, string> = {
  Boolean: 'true or false',
  CountryCode: 'a string',
  DateTime: 'an ISO 8601 date and time',
  Decimal: 'a number with at most 15 significant digits',
  EmailAddress: 'a string',
  ExternalId: 'a string or an integer',
  Float: 'a number',
  ID: 'a string or an integer',
  Int: 'an integer',
  JSON: 'a JSON value',
  JSONObject: 'an object',
  Latitude: 'a number of degrees from -90 to 90',
  LocalDate: 'a calendar date, YYYY-MM-DD',
  Locale: 'a string',
  Longitude: 'a number of degrees from -180 to 180',
  PositiveInt: 'a positive integer',
  String: 'a string',
  Timestamp: 'an integer, milliseconds since 1970',
  Upload: 'text',
  URL: 'a string',
  UUID: 'a UUID',
};

/** A number or its text as a decimal. TypeError for what is not a number, RangeError for one that is not stored exactly. */
function parseDecimal(given: unknown): number {
  const isText = typeof given === 'string';
  if (isText && !numberText.test(given.trim())) throw new TypeError('must be a number');
  const value = isText ? exactNumber(given.trim()) : given;
  if (value !== undefined && typeof value !== 'number') throw new TypeError('must be a number');
  if (value === undefined || !Number.isFinite(value)) throw new RangeError('must be a number with at most 15 significant digits');
  const text = String(value);
  if (text.length > 15 && significantDigits(text) > 15) throw new RangeError('must be a number with at most 15 significant digits');
  if (Math.abs(value) >= 1e30 || (value !== 0 && Math.abs(value) < 1e-15))
    throw new RangeError('must be smaller than 1e30 and not finer than 1e-15');
  return value === 0 ? 0 : value;
}

/** An exact decimal amount or rate. A JSON number of at most 15 significant digits or its text, stored as NUMERIC and returned digit for digit. */
export const Decimal = new GraphQLScalarType<number, number>({
  name: 'Decimal',
  description:
    'An exact decimal amount or rate: a JSON number of at most 15 significant digits, stored as NUMERIC and returned unchanged. Input can also be a string, such as `"12.50"`.',
  serialize: (value) => Number(value),
  parseValue: parseDecimal,
  parseLiteral: (node) => {
    if (node.kind !== Kind.INT && node.kind !== Kind.FLOAT && node.kind !== Kind.STRING) throw new TypeError('must be a number');
    return parseDecimal(node.value);
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
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', offset = 'Z'] = match;
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

const DATE_LENGTH = 'YYYY-MM-DD'.length;

const parseDateTime = (value: unknown): string => {
  const normal = typeof value === 'string' ? normaliseDateTime(value) : undefined;
  if (!normal) throw new TypeError('must be an ISO 8601 date and time');
  return normal;
};

/** A moment in time, ISO 8601 in UTC. Offsets are accepted and normalised; a date without a time means midnight UTC. */
export const DateTime = new GraphQLScalarType<string, string>({
  name: 'DateTime',
  description: 'A moment as ISO 8601 text in UTC. Input may have an offset, which is normalised; a date without a time is midnight in UTC.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339',
  serialize: (value) => (value instanceof Date ? value.toISOString() : String(value)),
  parseValue: parseDateTime,
  // A date alone stays as it is written until its argument is coerced, since an upper bound reads it as the end of its day.
  parseLiteral: (node) => {
    const text = stringOf(node);
    const moment = parseDateTime(text);
    return text?.length === DATE_LENGTH ? text : moment;
  },
});

/** The number of a record, or its id in the source system: a string or an integer. */
export const ExternalId = new GraphQLScalarType<string | number, string | number>({
  name: 'ExternalId',
  description: 'The number of a stored record, or the source id of one that is not stored: an integer or a string.',
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

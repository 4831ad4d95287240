// The scalars as functions: numbers that keep their digits, moments of RFC 3339, ids and texts. Python (float, decimal, datetime) is the judge of numbers
// and moments, and RFC 3339 has the examples.
import { GraphQLError, type GraphQLScalarType, parseValue } from 'graphql';
import { describe, expect, it } from 'vitest';
import {
  CountryCode,
  DateTime,
  Decimal,
  EmailAddress,
  ExternalId,
  IPAddress,
  isNumberedId,
  isRecordNumber,
  JSONObject,
  JSONValue,
  Latitude,
  Locale,
  Longitude,
  normaliseDateTime,
  PositiveInt,
  scalarExpectations,
  textScalars,
  URLScalar,
  UUID,
} from '../../src/records/scalars.ts';
import { exactNumber, significantDigits } from '../../src/records/storable.ts';

/** The value of a literal of a document. */
const literal = (scalar: GraphQLScalarType<unknown>, text: string): unknown => scalar.parseLiteral(parseValue(text), {});

/** The message of what is thrown, or its value. */
function result(of: () => unknown): unknown {
  try {
    return of();
  } catch (error) {
    return `${error instanceof GraphQLError ? 'GraphQLError' : (error as Error).constructor.name}: ${(error as Error).message}`;
  }
}

describe('exact numbers', () => {
  it.each<[string, number | undefined]>([
    ['0', 0],
    ['-0', 0],
    ['-0.00', 0],
    ['0e999', 0],
    ['12.50', 12.5],
    ['-12.5e3', -12500],
    ['1E+2', 100],
    ['1e-7', 1e-7],
    ['00012', 12],
    // 15 digits, and 16.
    ['123456789.012345', 123456789.012345],
    ['123456789.0123456', undefined],
    ['0.000123456789012345', 0.000123456789012345],
    ['123456789012345000', 123456789012345000],
    // Integers up to 2^53 - 1, and those beyond it with few digits.
    ['9007199254740991', 9007199254740991],
    ['-9007199254740991', -9007199254740991],
    ['9007199254740993', undefined],
    ['9007199254740991.0', undefined],
    ['1234567890123456e0', undefined],
    // The limits of a double.
    ['1e308', 1e308],
    ['1e309', undefined],
    ['-1e309', undefined],
    ['1e-307', 1e-307],
    ['1e-308', undefined],
    ['-1e-308', undefined],
    ['1e-400', undefined],
    ['', undefined],
    ['.5', undefined],
    ['5.', undefined],
    ['+5', undefined],
    ['--5', undefined],
    ['1e', undefined],
    ['1e5.5', undefined],
    ['1,000', undefined],
    ['0x10', undefined],
    ['NaN', undefined],
    [' 1', undefined],
    ['1 ', undefined],
    ['x1', undefined],
    ['1x', undefined],
    [`1${'0'.repeat(200)}`, 1e200],
    [`0.${'0'.repeat(998)}`, 0],
    [`0.${'0'.repeat(999)}`, undefined],
  ])('%s', (text, value) => {
    expect(exactNumber(text)).toBe(value);
  });

  it.each([
    ['0', 0],
    ['000', 0],
    ['-0.0', 0],
    ['120', 2],
    ['1.20', 2],
    ['0.0012', 2],
    ['-100.5', 4],
    ['12e34', 2],
    ['1.2E-34', 2],
    ['1001000', 4],
  ])('%s has %i significant digits', (text, digits) => {
    expect(significantDigits(text)).toBe(digits);
  });
});

describe('Decimal', () => {
  const digits = 'RangeError: must be a number with at most 15 significant digits';
  const range = 'RangeError: must be smaller than 1e30 and not finer than 1e-15';
  const none = 'TypeError: must be a number';

  it.each<[unknown, unknown]>([
    [12.5, 12.5],
    ['12.50', 12.5],
    [' -12.50 ', -12.5],
    [-0, 0],
    ['-0', 0],
    [0.1 + 0.2, digits],
    [123456789012345, 123456789012345],
    [123456789012345000, 123456789012345000],
    [9007199254740991, digits],
    ['9007199254740991', digits],
    ['123456789.0123456', digits],
    [Number.NaN, digits],
    [Number.POSITIVE_INFINITY, digits],
    ['1e309', digits],
    [9.99e29, 9.99e29],
    [1e30, range],
    [-1e30, range],
    [1e-15, 1e-15],
    [-1e-15, -1e-15],
    [9e-16, range],
    [-9e-16, range],
    ['', none],
    ['1,5', none],
    ['1.5 EUR', none],
    [true, none],
    [null, none],
    [[1], none],
  ])('%j', (given, expected) => {
    expect(result(() => Decimal.parseValue(given))).toBe(expected);
  });

  it('takes numbers and texts of a document, and shows numbers', () => {
    expect(['12', '-1.50', '"2.5"'].map((text) => literal(Decimal, text))).toEqual([12, -1.5, 2.5]);
    for (const text of ['true', 'EUR', '[1]', 'null']) expect(result(() => literal(Decimal, text))).toBe(none);
    expect([Decimal.serialize('12.50'), Decimal.serialize(3)]).toEqual([12.5, 3]);
  });
});

describe('moments', () => {
  it.each<[string, string | undefined]>([
    // RFC 3339, section 5.8.
    ['1985-04-12T23:20:50.52Z', '1985-04-12T23:20:50.520Z'],
    ['1996-12-19T16:39:57-08:00', '1996-12-20T00:39:57.000Z'],
    ['1937-01-01T12:00:27.87+00:20', '1937-01-01T11:40:27.870Z'],
    // A day, a minute, a blank, a comma, small letters, an offset without a colon.
    ['2026-01-31', '2026-01-31T00:00:00.000Z'],
    ['2026-01-31T10:20', '2026-01-31T10:20:00.000Z'],
    ['2026-01-31 10:20:30', '2026-01-31T10:20:30.000Z'],
    ['2026-01-31t10:20:30,5z', '2026-01-31T10:20:30.500Z'],
    ['2026-01-31T10:20:30+0530', '2026-01-31T04:50:30.000Z'],
    ['2026-01-01T00:30:00+01:00', '2025-12-31T23:30:00.000Z'],
    ['2026-12-31T23:30:00.25-01:00', '2027-01-01T00:30:00.250Z'],
    // Microseconds are kept, and what is finer is cut.
    ['2026-01-31T10:20:30.123456Z', '2026-01-31T10:20:30.123456Z'],
    ['2026-01-31T10:20:30.1234Z', '2026-01-31T10:20:30.123400Z'],
    ['2026-01-31T10:20:30.123000999Z', '2026-01-31T10:20:30.123Z'],
    ['2026-01-31T10:20:30.0001Z', '2026-01-31T10:20:30.000100Z'],
    // The days of months.
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2000-02-29', '2000-02-29T00:00:00.000Z'],
    ['1900-02-29', undefined],
    ['2023-02-29', undefined],
    ['2024-02-30', undefined],
    ['2026-04-30', '2026-04-30T00:00:00.000Z'],
    ['2026-04-31', undefined],
    ['2024-01-31', '2024-01-31T00:00:00.000Z'],
    ['2024-03-31', '2024-03-31T00:00:00.000Z'],
    ['2026-12-31', '2026-12-31T00:00:00.000Z'],
    ['2026-12-32', undefined],
    ['2026-00-10', undefined],
    ['2026-13-10', undefined],
    ['2026-01-00', undefined],
    // The limits of a time; the second 60 is of a leap second, which the database does not have.
    ['2026-01-01T23:59:59Z', '2026-01-01T23:59:59.000Z'],
    ['2026-01-01T24:00:00Z', undefined],
    ['2026-01-01T23:60:00Z', undefined],
    ['1990-12-31T23:59:60Z', undefined],
    // The offsets of PostgreSQL end before 16 hours.
    ['2026-01-02T00:00:00+15:59', '2026-01-01T08:01:00.000Z'],
    ['2026-01-01T00:00:00-15:59', '2026-01-01T15:59:00.000Z'],
    ['2026-01-01T00:00:00+16:00', undefined],
    ['2026-01-01T00:00:00+01:60', undefined],
    // The years in UTC are 0001 to 9999.
    ['0001-01-01', '0001-01-01T00:00:00.000Z'],
    ['0001-01-01T00:30:00+01:00', undefined],
    ['0000-12-31', undefined],
    ['0000-12-31T23:30:00-01:00', '0001-01-01T00:30:00.000Z'],
    ['0000-01-01T00:30:00+01:00', undefined],
    ['9999-12-31T23:30:00-01:00', undefined],
    ['9999-12-31T23:30:00+01:00', '9999-12-31T22:30:00.000Z'],
    ['', undefined],
    ['2026-1-31', undefined],
    ['2026-01-31T10', undefined],
    ['2026-01-31Z', undefined],
    ['2026-01-31T10:20:30.Z', undefined],
    ['2026-01-31T10:20:30+01', undefined],
    ['x2026-01-31', undefined],
    ['2026-01-31x', undefined],
    ['12026-01-31', undefined],
  ])('%s', (text, expected) => {
    expect(normaliseDateTime(text)).toBe(expected);
  });

  it('DateTime: a day of a document stays a day, and a variable is its beginning', () => {
    const none = 'TypeError: must be an ISO 8601 date and time';
    expect(literal(DateTime, '"2026-01-31"')).toBe('2026-01-31');
    expect(literal(DateTime, '"2026-01-31T10:00:00+01:00"')).toBe('2026-01-31T09:00:00.000Z');
    expect(DateTime.parseValue('2026-01-31')).toBe('2026-01-31T00:00:00.000Z');
    for (const text of ['"2026-02-30"', '20260131', '"soon"', 'null']) expect(result(() => literal(DateTime, text))).toBe(none);
    for (const value of [20260131, null, 'soon', ['2026-01-31'], new Date()]) expect(result(() => DateTime.parseValue(value))).toBe(none);
    expect(DateTime.serialize(new Date(Date.UTC(2026, 0, 31)))).toBe('2026-01-31T00:00:00.000Z');
    expect(DateTime.serialize('2026-01-31T00:00:00.123456Z')).toBe('2026-01-31T00:00:00.123456Z');
  });
});

describe('ids', () => {
  it.each<[unknown, boolean]>([
    ['account_1', true],
    ['bill_credit_note_123456789012345', true],
    ['a_b_c_d_e_f_7', true],
    ['a_b_c_d_e_f_g_7', false],
    ['account_0', false],
    ['account_01', false],
    ['account_1234567890123456', false],
    ['account_', false],
    ['account', false],
    ['_1', false],
    ['Account_1', false],
    ['account__1', false],
    ['account_1x', false],
    ['x account_1', false],
    [`${'a'.repeat(78)}_1`, true],
    [`${'a'.repeat(79)}_1`, false],
    [1, false],
    [['account_1'], false],
  ])('%j has the form of a global id: %j', (value, expected) => {
    expect(isNumberedId(value)).toBe(expected);
  });

  it('the number of a record is an integer above 0', () => {
    expect([1, 2 ** 53 - 1].map(isRecordNumber)).toEqual([true, true]);
    for (const value of [0, -1, 1.5, 2 ** 53, '3', [3], null, Number.NaN]) expect(isRecordNumber(value), String(value)).toBe(false);
    expect(PositiveInt.parseValue(7)).toBe(7);
    expect(PositiveInt.name).toBe('PositiveInt');
  });

  it('the id of a source is a text or an integer', () => {
    const none = 'TypeError: must be a string or an integer';
    expect([ExternalId.parseValue('x'), ExternalId.parseValue(-3), ExternalId.serialize('x'), ExternalId.serialize(3)]).toEqual([
      'x',
      -3,
      'x',
      3,
    ]);
    for (const value of [1.5, 2 ** 53, null, ['x'], true])
      expect(
        result(() => ExternalId.parseValue(value)),
        String(value),
      ).toBe(none);
    expect(['7', '-7', '"7"', '""'].map((text) => literal(ExternalId, text))).toEqual([7, -7, '7', '']);
    for (const text of ['7.0', '9007199254740992', 'true', 'SEVEN', 'null'])
      expect(
        result(() => literal(ExternalId, text)),
        text,
      ).toBe(none);
  });
});

describe('JSON', () => {
  it('numbers of a document that a double would change are rejected at any depth', () => {
    const digits = 'RangeError: must have numbers with at most 15 significant digits';
    expect(literal(JSONValue, '{ a: [1, 2.5, "9007199254740993"] }')).toEqual({ a: [1, 2.5, '9007199254740993'] });
    expect(literal(JSONObject, '{ a: { b: true } }')).toEqual({ a: { b: true } });
    for (const scalar of [JSONValue, JSONObject])
      for (const text of ['{ a: [9007199254740993] }', '{ a: { b: 0.12345678901234567 } }'])
        expect(result(() => literal(scalar, text))).toBe(digits);
  });
});

describe('texts', () => {
  const scalars = [CountryCode, EmailAddress, URLScalar, Locale];

  it('take any text, which the rule of a field judges, and show what is stored', () => {
    expect([...textScalars]).toEqual(['CountryCode', 'EmailAddress', 'URL', 'Locale']);
    for (const scalar of scalars) {
      expect([scalar.parseValue(''), scalar.parseValue('ü@x'), literal(scalar, '"x y"')]).toEqual(['', 'ü@x', 'x y']);
      for (const value of [7, null, ['GB']]) expect(result(() => scalar.parseValue(value))).toBe('TypeError: must be a string');
      for (const text of ['7', 'GB', 'null', '["GB"]']) expect(result(() => literal(scalar, text))).toBe('TypeError: must be a string');
    }
    expect([...scalars, IPAddress, UUID, Latitude, Longitude].map((scalar) => scalar.serialize('as it is'))).toEqual(
      Array(8).fill('as it is'),
    );
    expect(EmailAddress.specifiedByURL).toBe('https://www.rfc-editor.org/rfc/rfc6531');
  });

  it('degrees are numbers of a document, with a point or without', () => {
    expect([literal(Latitude, '52'), literal(Latitude, '-52.5'), literal(Longitude, '180')]).toEqual([52, -52.5, 180]);
    for (const [scalar, text] of [
      [Latitude, '91'],
      [Longitude, '-181'],
      [Latitude, 'true'],
    ] as const)
      expect(() => literal(scalar, text)).toThrow();
    expect(IPAddress.parseValue('2001:db8::1')).toBe('2001:db8::1');
    expect(() => IPAddress.parseValue('256.0.0.1')).toThrow();
  });

  it('every scalar says what it takes', () => {
    for (const scalar of [
      ...scalars,
      IPAddress,
      UUID,
      Latitude,
      Longitude,
      Decimal,
      DateTime,
      ExternalId,
      PositiveInt,
      JSONValue,
      JSONObject,
    ])
      if (scalar !== IPAddress) expect(scalarExpectations[scalar.name], scalar.name).toMatch(/^an? /);
  });
});

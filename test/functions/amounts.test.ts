// Sums, quotients and signs of decimals as functions. The expected values were computed with Python: decimal.Decimal and int.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amount, difference, magnitude, negated, quotient, sum, trimmed } from '../../src/integrations/connectors/decimals.ts';
import { exactSum, exactTotal } from '../../src/integrations/writes/exact-sum.ts';
import { GatewayError } from '../../src/records/errors.ts';

describe('sums of numbers', () => {
  it.each<[(number | string)[], string, number]>([
    [[], '0e-0', 0],
    [[0.1, 0.2, -0.3], '0e-1', 0],
    [[0.1, 0.2], '3e-1', 0.3],
    [[100, -0.01], '9999e-2', 99.99],
    [['1.50', 2], '350e-2', 3.5],
    [[1e21, 1], '1000000000000000000001e-0', 1e21],
    [['12e3', '0.5'], '120005e-1', 12000.5],
    [[1.5e-7, 1], '100000015e-8', 1.00000015],
    [[1e-7, -1e-7], '0e-7', 0],
    [['-1.5e3', '-2'], '-1502e-0', -1502],
    [['1.25e1'], '125e-1', 12.5],
    [['1.2e1'], '12e-0', 12],
    [['1.2e3', 0.1], '12001e-1', 1200.1],
    [[9007199254740991, 0.5, -9007199254740991], '5e-1', 0.5],
  ])('%j', (values, total, nearest) => {
    expect(exactTotal(values)).toBe(total);
    expect(exactSum(values.map(Number))).toBe(nearest);
  });

  it('cents add up, whatever their number and order', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1_000_000, max: 1_000_000 })), (cents) => {
        expect(exactSum(cents.map((one) => one / 100))).toBe(cents.reduce((total, one) => total + one, 0) / 100);
      }),
      { numRuns: 50, seed: 1 },
    );
  });
});

describe('decimals in text', () => {
  it.each([
    ['12.50', '12.5'],
    ['12.00', '12'],
    ['-0.10', '-0.1'],
    ['100', '100'],
    ['100.0', '100'],
    ['0.001', '0.001'],
    ['10.01', '10.01'],
  ])('%s without zeros at its end is %s', (text, expected) => {
    expect(trimmed(text)).toBe(expected);
  });

  it('zeros at the end take time by their number, not its square', () => {
    expect(trimmed(`1.${'0'.repeat(1_000_000)}1`)).toHaveLength(1_000_003);
    expect(trimmed(`1.${'0'.repeat(1_000_000)}`)).toBe('1');
  });

  it('an amount is a number where one has its digits, and stays text otherwise', () => {
    expect([amount('12.50'), amount('-3'), amount('0'), amount(null)]).toEqual([12.5, -3, 0, null]);
    expect([amount('12345678901234.56'), amount('9007199254740993'), amount('soon')]).toEqual([
      '12345678901234.56',
      '9007199254740993',
      'soon',
    ]);
  });

  it.each([
    ['1.5', '-1.5', '1.5'],
    ['-1.5', '1.5', '1.5'],
    ['0', '0', '0'],
    ['0.00', '0.00', '0.00'],
    ['-0.00', '0.00', '0.00'],
    ['0.09', '-0.09', '0.09'],
    ['10', '-10', '10'],
  ])('%s has the opposite %s and the magnitude %s', (text, opposite, absolute) => {
    expect(negated(text)).toBe(opposite);
    expect(magnitude(text)).toBe(absolute);
  });

  it.each([
    ['0.1', '0.2', '0.3'],
    ['0.1', '-0.1', '0'],
    ['1', '2', '3'],
    ['1', '-2', '-1'],
    ['-0.05', '0.04', '-0.01'],
    ['0.005', '0.005', '0.01'],
    ['99.99', '0.01', '100'],
    ['5', '0.25', '5.25'],
    ['0.25', '5', '5.25'],
    ['-5', '0.25', '-4.75'],
    ['12345678901234567890.12', '0.001', '12345678901234567890.121'],
    ['.5', '1', '1.5'],
    ['5.', '1', '6'],
    ['', '1', '1'],
  ])('%s and %s are %s', (first, second, total) => {
    expect(sum(first, second)).toBe(total);
    expect(sum(second, first)).toBe(total);
  });

  it.each([
    ['10', '4', '2.5'],
    ['1', '3', '0.333333333333'],
    ['2', '3', '0.666666666666'],
    ['200', '3', '66.666666666666'],
    ['0.1', '0.2', '0.5'],
    ['0.25', '5', '0.05'],
    ['5', '0.25', '20'],
    ['1.23', '1', '1.23'],
    ['1', '1000000000000', '0.000000000001'],
    ['1', '10000000000000', '0'],
    ['12.5', '0.001', '12500'],
    ['0', '7', '0'],
  ])('%s by %s is %s', (dividend, divisor, expected) => {
    expect(quotient(dividend, divisor)).toBe(expected);
  });

  it.each([
    ['100.10', '0.10', 100],
    ['0.30', '0.10', 0.2],
    ['0', '5', -5],
    ['-1.5', '-2', 0.5],
    [`${'9'.repeat(14)}.9`, '0', 99999999999999.9],
    [`0.${'0'.repeat(49)}1`, '0', 1e-50],
    [`1${'0'.repeat(49)}`, '0', 1e49],
  ])('debits of %s less credits of %s are %d', (debit, credit, value) => {
    expect(difference(debit, credit)).toBe(value);
  });

  it.each([
    ['', '1'],
    ['1', 'none'],
    ['1,5', '0'],
    ['1.', '0'],
    ['.5', '0'],
    ['+1', '0'],
    ['1e3', '0'],
    ['x1', '0'],
    ['1x', '0'],
    ['1', '1.5.5'],
    ['9'.repeat(51), '0'],
    [`1${'0'.repeat(50)}`, '0'],
    [`0.${'0'.repeat(50)}1`, '0'],
    // More digits than a number keeps.
    ['1234567890123456.7', '0'],
  ])('a report with debits of %j and credits of %j cannot be read', (debit, credit) => {
    const error = { code: 'PLATFORM_ERROR', message: 'the report of the source has an amount that cannot be read' };
    expect(() => difference(debit, credit)).toThrow(GatewayError);
    expect(() => difference(debit, credit)).toThrow(expect.objectContaining(error));
  });
});

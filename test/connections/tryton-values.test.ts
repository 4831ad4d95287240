// The values of Tryton: what is read keeps its digits, and what is written is what was read.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amount, negated, quotient } from '../../src/integrations/connectors/decimals.ts';
import { responseError, statusError } from '../../src/integrations/connectors/tryton/errors.ts';
import { isMark, marked, markOf } from '../../src/integrations/connectors/tryton/stream.ts';
import { isOfSeveral, rateOf, taxesOf } from '../../src/integrations/connectors/tryton/tax-sets.ts';
import { date, decimal, latest, moment, readJson, stampMoment, stampValue } from '../../src/integrations/connectors/tryton/values.ts';

const decimals = fc
  .tuple(fc.boolean(), fc.bigInt({ min: 0n, max: 999_999_999_999_999n }), fc.integer({ min: 0, max: 6 }))
  .map(([isNegative, digits, places]) => {
    const text = digits.toString().padStart(places + 1, '0');
    return `${isNegative && digits > 0n ? '-' : ''}${places > 0 ? `${text.slice(0, -places)}.${text.slice(-places)}` : text}`;
  });

describe('Values of Tryton', () => {
  it('a decimal keeps its digits through a record and back', () => {
    fc.assert(
      fc.property(decimals, (text) => {
        const read = readJson(JSON.stringify({ price: { __class__: 'Decimal', decimal: text } })) as { price: string };
        expect(read.price).toBe(text);
        expect(decimal(amount(text))).toEqual({ __class__: 'Decimal', decimal: decimal(text)!.decimal });
        expect(Number(negated(negated(text)))).toBe(Number(text));
      }),
    );
  });

  it('a decimal of more digits than a number keeps stays text', () => {
    expect(amount('12345678901234.56')).toBe('12345678901234.56');
    expect(amount('1234567890123.4500')).toBe(1234567890123.45);
    expect(amount(null)).toBe(null);
  });

  it('a day keeps its date through a record and back', () => {
    const day = { __class__: 'date', year: 2026, month: 2, day: 28 };
    expect(moment(readJson(JSON.stringify(day)) as string)).toBe('2026-02-28T00:00:00.000Z');
    expect(date('2026-02-28T00:00:00.000Z')).toEqual(day);
    expect(date(null)).toBe(null);
  });

  it('a time stamp is compared and moved by its digits', () => {
    expect(stampMoment('1795362664.239977')).toBe('2026-11-22T15:51:04.239Z');
    expect(stampValue('1795362664.239977', 600)).toMatchObject({ hour: 15, minute: 41, second: 4, microsecond: 239977 });
    expect(latest(['999.5', '1000.25', '1000.3', '1000'])).toBe('1000.3');
    expect(latest([])).toBe('0');
  });

  it('a rate is a quotient of whole numbers', () => {
    expect(quotient('2.0', '1.0')).toBe('2');
    expect(quotient('1', '3')).toBe('0.333333333333');
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), fc.integer({ min: 1, max: 1_000_000 }), (above, below) => {
        expect(Number(quotient(`${above}`, `${below}`))).toBeCloseTo(above / below, 9);
      }),
    );
  });

  it('taxes of a line are one rate, whatever their order, and the rate is these taxes', () => {
    expect(rateOf([])).toBe(null);
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 999_999_999 }), { minLength: 1, maxLength: 6 }), (taxes) => {
        const rate = rateOf(taxes)!;
        expect(new Set(taxesOf(rate))).toEqual(new Set(taxes));
        expect(rateOf(taxes.toReversed())).toBe(rate);
        expect(isOfSeveral(rate)).toBe(taxes.length > 1);
      }),
    );
    for (const id of ['VAT', '1+', '+1', '1 + 2', '', '1.5']) expect(() => taxesOf(id), id).toThrow('Tryton has no tax');
  });

  it('a note keeps its own words next to the last mark', () => {
    const first = marked('Keep dry', markOf('1'));
    expect(marked(first, markOf('2'))).toBe(`Keep dry\n${markOf('2')}`);
    expect(isMark(markOf('1'))).toBe(true);
    expect(isMark('Keep dry')).toBe(false);
  });

  it('errors of Tryton have its words and one of our codes', () => {
    expect(responseError(['UserError', ['Not in this period.', '', null]])).toMatchObject({
      code: 'PLATFORM_DENIED',
      message: 'Not in this period.',
    });
    expect(responseError(['UserWarning', ['past_1', 'Is in the past.', '']])).toMatchObject({
      code: 'PLATFORM_DENIED',
      message: 'Is in the past.',
    });
    expect(responseError(['ConcurrencyException', 'Records were modified'])).toMatchObject({ code: 'STALE_RECORD' });
    expect(responseError(["'nope'", ''])).toMatchObject({ code: 'PLATFORM_ERROR' });
    expect([404, 403].map((status) => statusError(status).code)).toEqual(['PLATFORM_DENIED', 'PLATFORM_DENIED']);
  });
});

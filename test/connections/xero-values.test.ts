// The values of Xero: numbers keep their digits, dates their moments, and line amounts add up exactly.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amount, negated, sum } from '../../src/integrations/connectors/decimals.ts';
import { isShutOut, recordError, statusError } from '../../src/integrations/connectors/xero/errors.ts';
import { lineTotals } from '../../src/integrations/connectors/xero/lines.ts';
import { changed, day, joined, moment, readJson } from '../../src/integrations/connectors/xero/values.ts';

const decimals = fc
  .tuple(fc.boolean(), fc.bigInt({ min: 1n, max: 99_999_999_999n }), fc.integer({ min: 1, max: 4 }))
  .map(([isNegative, digits, places]) => {
    const text = digits.toString().padStart(places + 1, '0');
    return `${isNegative ? '-' : ''}${text.slice(0, -places)}.${text.slice(-places)}`;
  });

describe('Values of Xero', () => {
  it('a number keeps its digits, whatever form JSON has for it', () => {
    fc.assert(
      fc.property(decimals, (text) => {
        expect(readJson(`{"n":[${text}]}`)).toEqual({ n: [text] });
      }),
    );
    for (const [source, digits] of [
      ['1E-05', '0.00001'],
      ['-1.25e3', '-1250.0'],
      ['12345678901234.5678', '12345678901234.5678'],
      ['1.5E-1', '0.15'],
      ['0', '0'],
    ] as const)
      expect(readJson(source), source).toBe(digits);
    expect(amount(readJson('12345678901234.5678') as string)).toBe('12345678901234.5678');
    expect(readJson('{"Code":"12","IsSold":true,"None":null}')).toEqual({ Code: '12', IsSold: true, None: null });
  });

  it('the amounts of a line with and without tax are exact', () => {
    fc.assert(
      fc.property(decimals, decimals, (whole, tax) => {
        const { net, gross } = lineTotals(whole, tax, false)!;
        expect(net).toBe(whole);
        expect(sum(gross, negated(tax))).toBe(sum(whole, '0'));
        expect(lineTotals(gross, tax, true)).toEqual({ net: sum(whole, '0'), gross });
      }),
    );
    expect(lineTotals('0.1', '0.2', false)).toEqual({ net: '0.1', gross: '0.3' });
    expect(lineTotals('7', undefined, true)).toEqual({ net: '7', gross: '7' });
    expect(lineTotals(undefined, '1', true)).toBe(undefined);
  });

  it('dates of both forms are moments in UTC', () => {
    for (const [value, expected] of [
      ['/Date(1439434356790)/', '2015-08-13T02:52:36.790Z'],
      ['/Date(1419937200000+1300)/', '2014-12-30T11:00:00.000Z'],
      ['/Date(-62135596800000+0000)/', '0001-01-01T00:00:00.000Z'],
      ['2019-02-23T05:23:20', '2019-02-23T05:23:20.000Z'],
      ['2019-02-23T05:23:20+01:00', '2019-02-23T04:23:20.000Z'],
      ['2019-02-23', '2019-02-23T00:00:00.000Z'],
      ['soon', null],
      [undefined, null],
    ] as const)
      expect(moment(value), value).toBe(expected);
    expect([day('2019-02-23T05:23:20Z'), day(null), day(new Date(0))]).toEqual(['2019-02-23', null, '1970-01-01']);
  });

  it('what stays is not sent, and empty parts leave no gaps', () => {
    expect(changed({ a: 1, b: [{ c: 2 }], d: null }, { a: 1, b: [{ c: 3 }], d: null })).toEqual({ b: [{ c: 2 }] });
    expect([joined(['44', '', null, '5']), joined(['', undefined])]).toEqual(['44 5', null]);
  });

  it("rejections are reported in Xero's words, whichever of its forms they have", () => {
    const Elements = [{ ValidationErrors: [{ Message: 'One' }, { Message: 'Two' }] }, { ValidationErrors: [{ Message: 'One' }] }];
    expect(statusError(400, { Type: 'ValidationException', Message: 'A validation exception occurred', Elements })).toMatchObject({
      code: 'PLATFORM_DENIED',
      message: 'One; Two',
      info: { platformError: { status: 400, name: 'ValidationException', message: 'One; Two' } },
    });
    expect(statusError(404, null)).toMatchObject({ code: 'PLATFORM_DENIED', message: 'Xero rejected it with status 404' });
    expect(isShutOut(statusError(403, { Detail: 'AuthenticationUnsuccessful' }))).toBe(true);
    expect(isShutOut(statusError(403, { Detail: 'Your role does not allow this.' }))).toBe(false);
    expect(recordError({ HasErrors: true, ValidationErrors: [{ Message: 'No' }] })).toMatchObject({
      code: 'PLATFORM_DENIED',
      message: 'No',
    });
    expect(recordError({ ValidationErrors: [], HasErrors: false })).toBe(undefined);
  });
});

// Customs codes: the per-country lengths, chapters, separators and the Harmonized System warning.
import { describe, expect, it } from 'vitest';
import { CUSTOMS_LENGTHS, checkCustomsCode, readCustomsLengths, readHsCodes } from '../../../src/platform/customs/customs-codes.ts';

const hsCodes = new Set(['847130', '490590', '010121', '851713']);
const code = (country: string, text: unknown) => checkCustomsCode(country, text, { hsCodes });

describe('customs codes', () => {
  it.each([
    ['US', '8471.30.0100', '8471300100'],
    ['US', '4905.90.20.00', '4905902000'],
    ['US', '84 71 30 0100', '8471300100'],
    ['US', ' 847130 ', '847130'],
    ['IN', '84713010', '84713010'],
    ['DE', '8471300000', '8471300000'],
    ['GR', '84713000', '84713000'],
    ['GB', '8471-30-00-00', '8471300000'],
    ['AE', '84713000', '84713000'],
    ['AE', '847130000000', '847130000000'],
    ['JP', '847130000', '847130000'],
    ['CN', '8471300000999', '8471300000999'],
    ['TR', '847130000000', '847130000000'],
    ['MY', '847130000', '847130000'],
    ['PH', '84713000000', '84713000000'],
    ['KE', '8471300', '8471300'],
    ['KE', '8471300000000', '8471300000000'],
  ])('%s accepts %s', (country, text, digits) => {
    expect(code(country, text)).toEqual({ ok: true, value: { digits, display: text.trim(), warnings: [] } });
  });

  it.each([
    ['US', '84713001000', 'OUT_OF_RANGE'],
    ['US', '7701000000', 'INVALID_VALUE'],
    ['US', '0001000000', 'INVALID_VALUE'],
    ['US', '84713O', 'INVALID_FORMAT'],
    ['US', 'laptop', 'INVALID_FORMAT'],
    ['US', '.847130', 'INVALID_FORMAT'],
    ['US', '847130.', 'INVALID_FORMAT'],
    ['US', '8471/30', 'INVALID_FORMAT'],
    ['US', '٨٤٧١٣٠', 'INVALID_FORMAT'],
    ['US', '', 'REQUIRED'],
    ['US', '   ', 'REQUIRED'],
    ['US', 847130, 'INVALID_TYPE'],
    ['US', null, 'INVALID_TYPE'],
    ['US', `8${' '.repeat(60)}471300`, 'TOO_LONG'],
    ['IN', '8471300100', 'OUT_OF_RANGE'],
    ['KR', '84713000', 'OUT_OF_RANGE'],
    ['KE', '84713', 'OUT_OF_RANGE'],
    ['KE', '84713000000000', 'OUT_OF_RANGE'],
  ])('%s rejects %s with %s', (country, text, issue) => {
    expect(code(country, text)).toMatchObject({ ok: false, issues: [{ field: 'customsCode', code: issue }] });
  });

  it.each([
    ['8471300000A', '8471300000'],
    ['84713000 b', '84713000'],
  ])('New Zealand keeps the final letter of %s for display only', (text, digits) => {
    expect(code('NZ', text)).toMatchObject({ ok: true, value: { digits, display: text } });
  });

  it('a final letter needs a national New Zealand key and is rejected elsewhere', () => {
    expect(code('NZ', '847130A')).toMatchObject({ ok: false, issues: [{ code: 'OUT_OF_RANGE' }] });
    expect(code('AU', '84713000A')).toMatchObject({ ok: false, issues: [{ code: 'INVALID_FORMAT' }] });
    expect(code('NZ', '8471300000AB')).toMatchObject({ ok: false, issues: [{ code: 'INVALID_FORMAT' }] });
  });

  it.each(['9801001012', '8517120020'])('%s is legal and only warned about', (text) => {
    const checked = code('US', text);
    expect(checked).toMatchObject({ ok: true, value: { digits: text, warnings: [expect.stringContaining(text.slice(0, 6))] } });
  });

  it('without a loaded list nothing is warned about', () => {
    expect(checkCustomsCode('US', '9801001012')).toMatchObject({ ok: true, value: { warnings: [] } });
  });

  it('a replaced length table applies', () => {
    const lengths = { ...CUSTOMS_LENGTHS, IN: { lengths: [8, 10] } };
    expect(checkCustomsCode('IN', '8471300100', { lengths }).ok).toBe(true);
  });

  it('all 27 members of the European Union take 8 and 10 digits', () => {
    const matching = Object.entries(CUSTOMS_LENGTHS).filter(([, row]) => row.lengths.join() === '8,10' && !row.finalLetter);
    expect(matching.length).toBe(27 + 5);
  });

  it('operator lists are checked and the first wrong entry is named', () => {
    expect(readHsCodes(['847130', '0101210'])).toMatchObject({ ok: false, issues: [{ field: 'json.1' }] });
    expect(readHsCodes([])).toMatchObject({ ok: false, issues: [{ code: 'REQUIRED' }] });
    expect(readHsCodes(['847130', '847130'])).toEqual({ ok: true, value: new Set(['847130']) });
    expect(readCustomsLengths({ UK: { lengths: [8] } })).toMatchObject({ ok: false, issues: [{ field: 'json.UK' }] });
    expect(readCustomsLengths({ GB: { lengths: [5] } })).toMatchObject({ ok: false, issues: [{ field: 'json.GB.lengths' }] });
    expect(readCustomsLengths({ GB: { lengths: [8], letter: true } })).toMatchObject({
      ok: false,
      issues: [{ field: 'json.GB.letter', code: 'UNKNOWN_FIELD' }],
    });
    expect(readCustomsLengths({ GB: { lengths: [8], finalLetter: 'A' } })).toMatchObject({
      ok: false,
      issues: [{ field: 'json.GB.finalLetter' }],
    });
    expect(readCustomsLengths({ GB: { lengths: [8] } })).toEqual({ ok: true, value: { GB: { lengths: [8], finalLetter: false } } });
  });
});

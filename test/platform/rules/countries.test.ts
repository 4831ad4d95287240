// Country and sub-division codes.
import { describe, expect, it } from 'vitest';
import { checkCountry, checkSubdivision, EU_MEMBERS, isAssignedCountry, subdivisionIn } from '../../../src/platform/shared/countries.ts';

describe('country codes', () => {
  it.each(['US', 'GB', 'IN', ' GR '])('%s is a two-letter ISO 3166 code', (code) => {
    expect(checkCountry(code)).toEqual({ ok: true, value: code.trim() });
  });

  it.each([
    ['EU', 'member state'],
    ['XI', 'GB'],
    ['UK', 'GB'],
    ['EL', 'GR'],
    ['SU', 'USSR'],
    ['XX', 'not assigned'],
  ])('%s is rejected with a hint', (code, hint) => {
    expect(checkCountry(code)).toMatchObject({ ok: false, issues: [{ code: 'INVALID_VALUE', message: expect.stringContaining(hint) }] });
  });

  it.each([
    ['us', 'INVALID_FORMAT'],
    ['USA', 'INVALID_FORMAT'],
    ['', 'REQUIRED'],
    [7, 'INVALID_TYPE'],
    ['__', 'INVALID_FORMAT'],
  ])('%j is rejected with %s', (code, issue) => {
    expect(checkCountry(code, 'originCountry')).toMatchObject({ ok: false, issues: [{ field: 'originCountry', code: issue }] });
  });

  it.each([
    ['AN', 'AN (Netherlands Antilles) was withdrawn on 2010-12-15: use BQ, CW, or SX'],
    ['YU', 'was withdrawn on 2003-07-23'],
    ['CS', 'was withdrawn on 2006-09-26: use ME or RS'],
  ])('%s is rejected with its day and its successors', (code, message) => {
    expect(checkCountry(code)).toMatchObject({ ok: false, issues: [{ code: 'INVALID_VALUE', message: expect.stringContaining(message) }] });
  });

  it('the European Union has 27 assigned members', () => {
    expect(new Set(EU_MEMBERS).size).toBe(27);
    expect(EU_MEMBERS.every(isAssignedCountry)).toBe(true);
  });
});

describe('sub-division codes', () => {
  it.each([
    ['US', 'DE'],
    ['IN', 'OD'],
    ['GB', 'SCT'],
    ['AE', 'DU'],
    ['FR', '75C'],
  ])('%s-%s is known by its suffix', (country, suffix) => {
    expect(checkSubdivision(country, suffix)).toEqual({ ok: true, value: suffix });
  });

  it.each(['31', '32', '33', '39', '40', '55', '56'])('Norway has the county %s since 2024', (suffix) => {
    expect(checkSubdivision('NO', suffix)).toEqual({ ok: true, value: suffix });
  });

  it.each([
    ['NO', '30', '30 (Viken) was withdrawn in 2024: use 31, 32, or 33'],
    ['NO', '01', '01 (Østfold) was withdrawn on 2020-11-24: use 31'],
    ['FR', 'A', '(Alsace) was withdrawn in 2016: use GES'],
    ['IN', 'OR', 'was withdrawn on 2023-11-23: use OD'],
    ['DK', '015', 'was withdrawn on 2007-04-17: use 84'],
    ['PK', 'TA', 'use KP'],
    ['SD', 'EC', 'use SS-EC'],
    ['LU', 'D', 'D (Diekirch) was withdrawn on 2015-11-27'],
  ])('%s-%s is rejected with its day and its successors', (country, suffix, message) => {
    expect(checkSubdivision(country, suffix)).toMatchObject({
      ok: false,
      issues: [{ code: 'INVALID_VALUE', message: expect.stringContaining(message) }],
    });
  });

  it('a stored code stays valid after its withdrawal, and new records do not accept it', () => {
    const check = subdivisionIn('jurisdiction');
    expect(check('state', '30', { jurisdiction: 'NO', state: '30' })).toEqual({ ok: true, value: '30' });
    expect(check('state', '30', { jurisdiction: 'NO', state: '38' }).ok).toBe(false);
    expect(check('state', '30', { jurisdiction: 'SE', state: '30' }).ok).toBe(false);
  });

  it('a full code is rejected with the expected form', () => {
    expect(checkSubdivision('US', 'US-DE')).toMatchObject({
      ok: false,
      issues: [{ code: 'INVALID_FORMAT', message: expect.stringContaining('as DE') }],
    });
  });

  it('unknown, foreign, lower-case and non-text values are rejected', () => {
    for (const value of ['ZZ', 'NSW', 'de'])
      expect(checkSubdivision('US', value)).toMatchObject({ ok: false, issues: [{ field: 'state', code: 'INVALID_VALUE' }] });
    expect(checkSubdivision('US', 5)).toMatchObject({ ok: false, issues: [{ code: 'INVALID_TYPE' }] });
    expect(checkSubdivision('XX', 'A')).toMatchObject({ ok: false, issues: [{ code: 'INVALID_VALUE' }] });
  });
});

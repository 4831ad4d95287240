// Country and sub-division codes.
import { describe, expect, it } from 'vitest';
import { checkCountry, checkSubdivision, EU_MEMBERS, isAssignedCountry } from '../../../src/platform/shared/countries.ts';

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
  ])('%s is refused with a hint', (code, hint) => {
    expect(checkCountry(code)).toMatchObject({ ok: false, issues: [{ code: 'INVALID_VALUE', message: expect.stringContaining(hint) }] });
  });

  it.each([
    ['us', 'INVALID_FORMAT'],
    ['USA', 'INVALID_FORMAT'],
    ['', 'REQUIRED'],
    [7, 'INVALID_TYPE'],
    ['__', 'INVALID_FORMAT'],
  ])('%j is refused with %s', (code, issue) => {
    expect(checkCountry(code, 'originCountry')).toMatchObject({ ok: false, issues: [{ field: 'originCountry', code: issue }] });
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

  it('a full code is refused with the expected form', () => {
    expect(checkSubdivision('US', 'US-DE')).toMatchObject({
      ok: false,
      issues: [{ code: 'INVALID_FORMAT', message: expect.stringContaining('as DE') }],
    });
  });

  it('unknown, foreign, lower-case and non-text values are refused', () => {
    for (const value of ['ZZ', 'NSW', 'de'])
      expect(checkSubdivision('US', value)).toMatchObject({ ok: false, issues: [{ field: 'state', code: 'INVALID_VALUE' }] });
    expect(checkSubdivision('US', 5)).toMatchObject({ ok: false, issues: [{ code: 'INVALID_TYPE' }] });
    expect(checkSubdivision('XX', 'A')).toMatchObject({ ok: false, issues: [{ code: 'INVALID_VALUE' }] });
  });
});

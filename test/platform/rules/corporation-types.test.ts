// Corporation types and states of an incorporation request.
import { describe, expect, it } from 'vitest';
import {
  CORPORATION_COUNTRIES,
  checkCorporationTypeInfo,
  checkEntityType,
  EntityForms,
  formOfRequest,
} from '../../../src/platform/shared/corporation-types.ts';

const ask = (country: string, state: unknown, corporationType: unknown) =>
  checkCorporationTypeInfo(country, { [country]: { state, corporationType } });

describe('corporation type of an incorporation request', () => {
  it.each([
    ['US', 'DE', 'CCorp', 'C_CORP', 'XTIQ'],
    ['US', 'WY', 'LLC', 'LLC', 'NB58'],
    ['US', 'DC', 'LP', 'LP', null],
    ['IN', 'KA', 'PvtLtd', 'PRIVATE_LIMITED_COMPANY', 'YSP9'],
    ['IN', 'MH', 'OPC', 'ONE_PERSON_COMPANY', 'I47Z'],
    ['GB', 'SCT', 'PLC', 'PUBLIC_LIMITED_COMPANY', 'B6ES'],
    ['IE', null, 'DAC', 'DESIGNATED_ACTIVITY_COMPANY', 'LGWG'],
    ['IE', 'D', 'Ltd', 'PRIVATE_LIMITED_COMPANY', 'MNQ7'],
    ['CA', null, 'Corp', 'CORPORATION', 'UDLA'],
    ['CA', 'ON', 'Corp', 'CORPORATION', null],
    ['SG', undefined, 'PteLtd', 'PRIVATE_LIMITED_COMPANY', 'LWXI'],
    ['AE', 'DU', 'FZCO', 'FREE_ZONE_COMPANY', null],
    ['AE', 'DU', 'LLC', 'LLC', 'RWVW'],
  ])('%s %s %s is the form %s', (country, state, corporationType, form, iso20275) => {
    expect(ask(country, state, corporationType)).toEqual({
      ok: true,
      value: { country, state: state ?? null, corporationType, form, iso20275 },
    });
  });

  it.each([
    ['CT', 'CG'],
    ['OR', 'OD'],
    ['TG', 'TS'],
    ['UT', 'UK'],
  ])('the old Indian code %s is stored as %s', (old, now) => {
    expect(ask('IN', old, 'PvtLtd')).toMatchObject({ ok: true, value: { state: now } });
  });

  it.each([
    ['two entries', 'US', { US: { state: 'DE', corporationType: 'LLC' }, IN: { state: 'KA', corporationType: 'LLP' } }],
    ['no entry', 'US', {}],
    ['another country', 'US', { IN: { state: 'KA', corporationType: 'LLP' } }],
    ['only a null entry', 'US', { US: null }],
  ])('%s is a mismatch', (_case, country, info) => {
    expect(checkCorporationTypeInfo(country, info)).toMatchObject({
      ok: false,
      issues: [{ field: 'corporationTypeInfo', code: 'MISMATCH' }],
    });
  });

  it.each([
    ['US', 'PR', 'LLC', 'state', 'INVALID_VALUE'],
    ['US', null, 'LLC', 'state', 'REQUIRED'],
    ['US', ' ', 'LLC', 'state', 'REQUIRED'],
    ['US', 7, 'LLC', 'state', 'INVALID_TYPE'],
    ['US', 'DE', 'SCorp', 'corporationType', 'INVALID_VALUE'],
    ['US', 'DE', 'ccorp', 'corporationType', 'INVALID_VALUE'],
    ['US', 'DE', undefined, 'corporationType', 'REQUIRED'],
    ['US', 'DE', ['LLC'], 'corporationType', 'INVALID_TYPE'],
    ['US', 'UT', 'PvtLtd', 'corporationType', 'INVALID_VALUE'],
    ['GB', 'ENG', 'Ltd', 'state', 'INVALID_VALUE'],
    ['SG', '01', 'PteLtd', 'state', 'INVALID_VALUE'],
    ['AE', 'AD', 'LLC', 'state', 'INVALID_VALUE'],
  ])('%s %s %s is rejected at %s with %s', (country, state, corporationType, field, code) => {
    expect(ask(country, state, corporationType)).toMatchObject({
      ok: false,
      issues: [{ field: `corporationTypeInfo.${country}.${field}`, code }],
    });
  });

  it('both wrong parts of an entry are reported, unknown parts are named', () => {
    expect(ask('US', 'ZZ', 'Ltd')).toMatchObject({ ok: false, issues: [{ code: 'INVALID_VALUE' }, { code: 'INVALID_VALUE' }] });
    const extra = checkCorporationTypeInfo('US', { US: { state: 'DE', corporationType: 'LLC', name: 'x' } });
    expect(extra).toMatchObject({ ok: false, issues: [{ field: 'corporationTypeInfo.US.name', code: 'UNKNOWN_FIELD' }] });
  });

  it('a rejected S corporation is explained, an unknown type lists the allowed ones', () => {
    expect(ask('US', 'DE', 'S-Corp')).toMatchObject({ issues: [{ message: expect.stringContaining('tax election') }] });
    expect(ask('GB', 'EAW', 'LLC')).toMatchObject({ issues: [{ message: expect.stringContaining('Ltd, LLP, PLC') }] });
  });

  it('countries outside the table and odd bodies are rejected', () => {
    expect(checkCorporationTypeInfo('DE', { DE: {} })).toMatchObject({ ok: false, issues: [{ field: 'country', code: 'INVALID_VALUE' }] });
    expect(checkCorporationTypeInfo('UK', {})).toMatchObject({ ok: false, issues: [{ field: 'country', code: 'INVALID_VALUE' }] });
    expect(checkCorporationTypeInfo('US', null)).toMatchObject({ ok: false, issues: [{ code: 'REQUIRED' }] });
    expect(checkCorporationTypeInfo('US', [])).toMatchObject({ ok: false, issues: [{ code: 'INVALID_TYPE' }] });
    expect(checkCorporationTypeInfo('US', { US: 'LLC' })).toMatchObject({
      ok: false,
      issues: [{ field: 'corporationTypeInfo.US', code: 'INVALID_TYPE' }],
    });
  });
});

describe('the table of forms', () => {
  it('it has 51 American, 36 Indian and 7 Emirati states', () => {
    expect(['US', 'IN', 'AE'].map((country) => CORPORATION_COUNTRIES[country]?.states().length)).toEqual([51, 36, 7]);
  });

  it('each request word of a country has a form of its own, and every form is used', () => {
    const used = new Set<string>();
    for (const [country, { types }] of Object.entries(CORPORATION_COUNTRIES)) {
      expect(types.map(({ request }) => formOfRequest(country, request))).toEqual(types.map(({ form }) => form));
      expect(new Set(types.map(({ form }) => form)).size).toBe(types.length);
      for (const { form } of types) used.add(form);
    }
    expect([...used].sort()).toEqual(Object.keys(EntityForms.values).sort());
    expect(formOfRequest('constructor', 'LLC')).toBeUndefined();
  });

  it('the entity type of a corporation is a form of its country', () => {
    expect(checkEntityType('US', 'C_CORP')).toEqual({ ok: true, value: 'C_CORP' });
    expect(checkEntityType('US', 'CCorp')).toMatchObject({ ok: false, issues: [{ field: 'entityType', code: 'INVALID_VALUE' }] });
    expect(checkEntityType('DE', 'LLC')).toMatchObject({ ok: false, issues: [{ message: expect.stringContaining('no entity types') }] });
  });
});

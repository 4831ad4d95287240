// The registration content pack: its shipped content, and that every kind of wrong entry is found and located.
import { iso31662 } from 'iso-3166';
import { describe, expect, it } from 'vitest';
import { validatePack, validateSourcedPack } from '../../../src/platform/registrations/content/content-pack.ts';
import { CONFIDENCES, type ContentPack } from '../../../src/platform/registrations/content/content-shape.ts';
import { patternTrouble } from '../../../src/platform/registrations/content/pattern-safety.ts';
import { shippedContentPack, summariseContent } from '../../../src/platform/registrations/content/shipped-content.ts';
import { filingPeriodsOf } from '../../../src/platform/registrations/content/threshold-rules.ts';
import { EU_MEMBERS } from '../../../src/platform/shared/countries.ts';

const states = (pack: ContentPack, country: string) =>
  pack.jurisdictions.filter((one) => one.country === country && one.type === 'STATE_OR_PROVINCE').map((one) => one.stateOrProvince);

describe('the shipped pack', () => {
  const pack = shippedContentPack();
  const entries = new Set(pack.content.map((one) => one.registrationContentId));

  it('the 45 American states with a sales tax, the capital district, Puerto Rico, and Alaska with its commission', () => {
    const without = ['DE', 'MT', 'NH', 'OR', 'AS', 'GU', 'MP', 'UM', 'VI'];
    const expected = iso31662
      .filter((one) => one.code.startsWith('US-'))
      .map((one) => one.code.slice(3))
      .filter((state) => !without.includes(state));
    expect(states(pack, 'US').sort()).toEqual(expected.sort());
    expect(expected.length).toBe(48);
    for (const state of expected) expect(pack.content.some((one) => one.jurisdictionId === `JUR_US_${state}`)).toBe(true);
  });

  it('Canada, its three provincial taxes and the one of Quebec', () => {
    for (const entry of ['CA_GST', 'CA_BC_PST', 'CA_MB_PST', 'CA_SK_PST', 'CA_QC_QST']) expect(entries).toContain(entry);
    expect(states(pack, 'CA').length).toBe(13);
    for (const province of ['NB', 'NL', 'NS', 'ON', 'PE']) expect(entries).toContain(`CA_${province}_HST`);
  });

  it('27 value added taxes and three schemes under one bloc, which the declared-through entries need', () => {
    for (const member of EU_MEMBERS) {
      expect(entries).toContain(`${member}_VAT`);
      expect(pack.jurisdictions.find((one) => one.jurisdictionId === `JUR_${member}`)?.parentJurisdictionId).toBe('JUR_EU');
      expect(pack.content.find((one) => one.registrationContentId === `${member}_OSS_VAT`)?.prerequisites.length).toBe(1);
    }
    expect(pack.jurisdictions.filter((one) => one.type === 'TRADEBLOC').length).toBe(1);
    expect(pack.content.filter((one) => one.jurisdictionId === 'JUR_EU').length).toBe(3);
  });

  it('India with 36 sub-divisions, and the single-tax countries', () => {
    expect(states(pack, 'IN').length).toBe(36);
    expect(pack.content.filter((one) => /^IN_.._GST$/.test(one.registrationContentId)).length).toBe(36);
    for (const entry of ['IN_GST', 'GB_VAT', 'CH_VAT', 'NO_VAT', 'AU_GST', 'NZ_GST', 'SG_GST', 'JP_JCT', 'AE_VAT', 'SA_VAT', 'ZA_VAT'])
      expect(entries).toContain(entry);
  });

  it('remote-seller commissions, home-rule cities and the schemes of suppliers without an establishment', () => {
    for (const entry of ['US_LA_REMOTE_SUT', 'US_AK_REMOTE_SUT', 'US_CO_SUTS_RST', 'US_AL_SSUT', 'GB_NIR_XI_VAT', 'CA_QC_SPECIFIED_QST'])
      expect(entries).toContain(entry);
    const cities = pack.jurisdictions.filter((one) => one.type === 'CITY');
    expect(cities.length).toBeGreaterThan(60);
    for (const city of cities) expect(city.parentJurisdictionId).toBe('JUR_US_CO');
  });

  it('at least 100 countries, each with an entry', () => {
    const countries = pack.jurisdictions.filter((one) => one.type === 'COUNTRY');
    expect(countries.length).toBeGreaterThanOrEqual(100);
    const owners = new Set(pack.content.map((one) => one.jurisdictionId));
    expect(countries.filter((one) => one.country !== 'US' && !owners.has(one.jurisdictionId))).toEqual([]);
  });

  it('each threshold has a source, a day, and a second source of another publisher or null', () => {
    const thresholds = pack.content.flatMap(({ registrationContentId: id, thresholds: own = [] }) => own.map((row) => ({ id, ...row })));
    for (const { id, source, checkedAt, secondSource } of thresholds) {
      expect([source?.authority, checkedAt], id).toEqual([expect.any(String), expect.stringMatching(/^2026-/)]);
      expect(secondSource, id).not.toBe(undefined);
      expect(secondSource?.authority, id).not.toBe(source?.authority);
    }
    expect([thresholds.length, thresholds.filter(({ secondSource }) => secondSource).length]).toEqual([237, 23]);
  });

  it('every entry and threshold names its source, the day it was checked and how', () => {
    for (const { registrationContentId: id, thresholds = [], ...entry } of pack.content) {
      for (const { source, checkedAt, confidence } of [entry, ...thresholds]) {
        expect([source?.authority, source?.title].every(Boolean), id).toBe(true);
        expect(checkedAt, id).toMatch(/^\d{4}-\d{2}-\d{2}$/);
        expect(CONFIDENCES, id).toContain(confidence);
      }
    }
  });

  it('the quarters of New York end in February, May, August and November, its year in February', () => {
    const entry = pack.content.find((one) => one.registrationContentId === 'US_NY_SUT')!;
    const ends = filingPeriodsOf(entry).map(({ frequency, endMonths }) => [frequency, endMonths]);
    expect(ends).toContainEqual(['QUARTERLY', [2, 5, 8, 11]]);
    expect(ends).toContainEqual(['FISCAL_YEAR', [2]]);
    const texas = filingPeriodsOf(pack.content.find((one) => one.registrationContentId === 'US_TX_SUT')!);
    expect(texas).toContainEqual({ frequency: 'QUARTERLY', endMonths: [3, 6, 9, 12] });
  });

  it('the ids that the first shipped pack had are all there', () => {
    const first = 'US_AL_RST US_AL_SSUT US_MO_VUT US_OH_RUT US_OK_VUT US_PR_SUT US_WY_SUT CA_GST EU_IOSS_VAT GB_VAT JP_JCT IN_GST'.split(
      ' ',
    );
    for (const id of first) expect(entries).toContain(id);
  });

  it('the summary counts the content of the pack', () => {
    expect(summariseContent(pack)).toContain(`${pack.jurisdictions.length} jurisdictions, ${pack.content.length} entries`);
  });
});

describe('a wrong pack', () => {
  type Change = (pack: ContentPack) => void;
  const shipped = shippedContentPack();
  const issuesAfter = (change: Change) => {
    const pack = structuredClone(shipped);
    change(pack);
    const checked = validatePack(pack);
    return checked.ok ? [] : checked.issues.map((issue) => `${issue.field} ${issue.code}`);
  };

  it.each<[string, Change, string]>([
    [
      'a repeated content id',
      (p) => Object.assign(p.content[1]!, { registrationContentId: 'US_AL_RST' }),
      '/content/1/registrationContentId DUPLICATE',
    ],
    ['an unknown tax type', (p) => Object.assign(p.content[2]!, { taxType: 'XYZ' }), '/content/2/taxType INVALID_VALUE'],
    ['an unknown frequency', (p) => Object.assign(p.content[2]!.frequencies, { 0: 'DAILY' }), '/content/2/frequencies/0 INVALID_VALUE'],
    ['a repeated frequency', (p) => p.content[2]!.frequencies.push('MONTHLY'), '/content/2/frequencies/3 DUPLICATE'],
    ['no frequency', (p) => Object.assign(p.content[2]!, { frequencies: [] }), '/content/2/frequencies OUT_OF_RANGE'],
    ['an unknown field', (p) => Object.assign(p.content[2]!, { rate: 5 }), '/content/2 UNKNOWN_FIELD'],
    ['a missing name', (p) => Object.assign(p.content[2]!, { name: undefined }), '/content/2/name INVALID_TYPE'],
    ['an unknown jurisdiction', (p) => Object.assign(p.content[2]!, { jurisdictionId: 'JUR_XX' }), '/content/2/jurisdictionId NOT_FOUND'],
    [
      'an id of another jurisdiction',
      (p) => Object.assign(p.content[2]!, { jurisdictionId: 'JUR_US_TX' }),
      '/content/2/registrationContentId MISMATCH',
    ],
    ['an unknown field set', (p) => Object.assign(p.content[2]!, { fieldSet: 'mars' }), '/content/2/fieldSet NOT_FOUND'],
    ['an unknown portal', (p) => p.content[2]!.portalIds.push('NOWHERE'), '/content/2/portalIds/1 NOT_FOUND'],
    [
      'a related type that is its own',
      (p) => p.content[2]!.relatedTaxTypes.push({ taxType: p.content[2]!.taxType, optional: true }),
      '/content/2/relatedTaxTypes/2 DUPLICATE',
    ],
    [
      'an identifier of another country',
      (p) => Object.assign(p.content[2]!.taxRegistrationId, { identifierKey: 'DE_VAT' }),
      '/content/2/taxRegistrationId/identifierKey NOT_FOUND',
    ],
    [
      'a pattern without anchors',
      (p) => Object.assign(p.content[2]!.taxRegistrationId, { regex: '[0-9]+' }),
      '/content/2/taxRegistrationId/regex INVALID_VALUE',
    ],
    [
      'an impossible date',
      (p) => Object.assign(p.content[2]!, { effectiveStartDate: '2023-02-30' }),
      '/content/2/effectiveStartDate INVALID_VALUE',
    ],
    [
      'an end before the start',
      (p) => Object.assign(p.content[0]!, { effectiveEndDate: '1900-01-01' }),
      '/content/0/effectiveEndDate OUT_OF_RANGE',
    ],
    [
      'an unknown prerequisite',
      (p) => p.content[2]!.prerequisites.push({ anyOf: ['NOTHING_VAT'] }),
      '/content/2/prerequisites/0/anyOf/0 NOT_FOUND',
    ],
    [
      'a prerequisite with prerequisites',
      (p) => p.content[2]!.prerequisites.push({ anyOf: ['DE_OSS_VAT'] }),
      '/content/2/prerequisites/0/anyOf/0 INVALID_VALUE',
    ],
    ['an unassigned country', (p) => Object.assign(p.jurisdictions[0]!, { country: 'UK' }), '/jurisdictions/0/country INVALID_VALUE'],
    [
      'an unknown alternative',
      (p) => Object.assign(p.content[0]!, { alternatives: ['NOTHING_VAT'] }),
      '/content/0/alternatives/0 NOT_FOUND',
    ],
    [
      'a calendar of uneven quarters',
      (p) => Object.assign(p.content[2]!, { filingPeriods: [{ frequency: 'QUARTERLY', endMonths: [1, 4, 8, 12] }] }),
      '/content/2/filingPeriods/0 INVALID_VALUE',
    ],
    [
      'a calendar of a frequency the entry has not',
      (p) => Object.assign(p.content[2]!, { filingPeriods: [{ frequency: 'BIMONTHLY', endMonths: [2, 4, 6, 8, 10, 12] }] }),
      '/content/2/filingPeriods/0 INVALID_VALUE',
    ],
    [
      'a threshold without a limit',
      (p) => Object.assign(p.content[2]!.thresholds![0]!, { amount: null }),
      '/content/2/thresholds/0 INVALID_VALUE',
    ],
    [
      'a threshold with two limits and no combination',
      (p) => Object.assign(p.content[2]!.thresholds![0]!, { transactions: { comparison: 'AT_LEAST', value: 200 } }),
      '/content/2/thresholds/0 INVALID_VALUE',
    ],
    [
      'a first sale of an amount',
      (p) => Object.assign(p.content[2]!.thresholds![0]!, { period: 'FIRST_SALE' }),
      '/content/2/thresholds/0 INVALID_VALUE',
    ],
    [
      'a negative threshold',
      (p) => Object.assign(p.content[2]!.thresholds![0]!.amount!, { value: -1 }),
      '/content/2/thresholds/0/amount/value OUT_OF_RANGE',
    ],
    [
      'a threshold measured nowhere',
      (p) => Object.assign(p.content[2]!.thresholds![0]!, { measuredIn: 'JUR_XX' }),
      '/content/2/thresholds/0/measuredIn NOT_FOUND',
    ],
    [
      'a source without a title',
      (p) => Object.assign(p.content[2]!, { source: { authority: 'A', url: null } }),
      '/content/2/source/title INVALID_TYPE',
    ],
    [
      'an unknown sub-division',
      (p) => Object.assign(p.jurisdictions[1]!, { stateOrProvince: 'ZZ' }),
      '/jurisdictions/1/stateOrProvince INVALID_VALUE',
    ],
    [
      'a parent of the same width',
      (p) => Object.assign(p.jurisdictions[1]!, { parentJurisdictionId: 'JUR_US_TX' }),
      '/jurisdictions/1/parentJurisdictionId MISMATCH',
    ],
    [
      'a missing parent',
      (p) => Object.assign(p.jurisdictions[1]!, { parentJurisdictionId: 'JUR_XX' }),
      '/jurisdictions/1/parentJurisdictionId NOT_FOUND',
    ],
    ['a bloc with a country', (p) => Object.assign(p.jurisdictions[0]!, { type: 'TRADEBLOC' }), '/jurisdictions/0/country INVALID_VALUE'],
    [
      'a select without options',
      (p) => Object.assign(p.fieldSets.us_state![7]!, { options: [] }),
      '/fieldSets/us_state/7/options INVALID_VALUE',
    ],
    [
      'a repeated display order',
      (p) => Object.assign(p.fieldSets.us_state![1]!, { displayOrder: 1 }),
      '/fieldSets/us_state/1/displayOrder DUPLICATE',
    ],
    [
      'a dependence on a later field',
      (p) => Object.assign(p.fieldSets.us_state![0]!, { dependsOn: { field: 'has_physical_presence', value: true } }),
      '/fieldSets/us_state/0/dependsOn NOT_FOUND',
    ],
    [
      'a dependence on a value that cannot be',
      (p) => Object.assign(p.fieldSets.us_state![6]!.dependsOn!, { value: 'yes' }),
      '/fieldSets/us_state/6/dependsOn NOT_FOUND',
    ],
    [
      'a portal without https',
      (p) => Object.assign(p.portals[0]!, { portalUrl: 'http://example.com' }),
      '/portals/0/portalUrl INVALID_FORMAT',
    ],
  ])('%s is located', (_case, change, issue) => {
    expect(issuesAfter(change)).toContain(issue);
  });

  it.each([null, [], 'x', {}, { version: '2026.1' }])('%j is not a pack', (json) => {
    expect(validatePack(json).ok).toBe(false);
  });

  it('no more than 100 issues are listed', () => {
    const issues = issuesAfter((pack) => {
      for (const one of pack.content) Object.assign(one, { taxType: 'XYZ' });
    });
    expect(issues.length).toBe(100);
  });
});

describe('patterns in data', () => {
  it.each(['^[0-9]{9}$', '^(?:A|B)[0-9]+$', '^[|]$', '^a\\|b$', '^(?:-[0-9]{4}){1,3}$'])('%s is safe', (source) => {
    expect(patternTrouble(source)).toBeNull();
  });

  it.each(['[0-9]', '^a', '^a\\$', '^a|b$', '^(?=a)a$', '^(?<!a)b$', '^(a)\\1$', '^(a+)+$', '^(?:[0-9]*)*$', '^(a$', '^[z-a]$'])(
    '%s is rejected',
    (source) => {
      expect(patternTrouble(source)).toEqual(expect.any(String));
    },
  );
});

describe('sources', () => {
  it.each(['source', 'checkedAt', 'confidence'] as const)(
    'the content check fails without %s, an ingest of an operator does not',
    (name) => {
      const pack = structuredClone(shippedContentPack());
      delete pack.content[0]![name];
      delete pack.content[2]!.thresholds![0]![name];
      expect(validatePack(pack).ok).toBe(true);
      const checked = validateSourcedPack(pack);
      expect(checked.ok ? [] : checked.issues.map(({ field, code }) => `${field} ${code}`)).toEqual([
        `/content/0/${name} REQUIRED`,
        `/content/2/thresholds/0/${name} REQUIRED`,
      ]);
    },
  );
});

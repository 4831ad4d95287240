// The answers of the embedded geocoder: territories, ambiguity, typos, withdrawn codes, honest precision.
import { describe, expect, test } from 'vitest';
import { loadGazetteer } from '../../src/address/gazetteer/gazetteer.ts';
import { createGeocoder } from '../../src/address/geocoder/geocode.ts';
import { bundledIsoContent, type IsoContent, type IsoSubdivision } from '../../src/address/geocoder/iso.ts';

const gazetteer = loadGazetteer();
const geocoder = createGeocoder(gazetteer);
const answer = (address: string) => geocoder.geocode(address).result;
const place = (address: string): string => {
  const result = answer(address);
  return [result?.country.alpha2, result?.subdivision?.code, result?.locality?.name].filter(Boolean).join(' ');
};

describe('geocoding', () => {
  test('documented: an answer carries country, path of subdivisions, county, locality, position and evidence', () => {
    const { match, confidence, result, engine } = geocoder.geocode('1600 Grand Ave, Des Moines, IA 50309, USA');
    expect({ match, engine: engine.name }).toEqual({ match: 'exact', engine: 'embedded' });
    expect(confidence).toBeGreaterThanOrEqual(0.8);
    expect(result).toMatchObject({
      country: { alpha2: 'US', alpha3: 'USA', numeric: '840' },
      parentCountry: null,
      subdivision: { code: 'US-IA', name: 'Iowa', level: 1 },
      county: { name: 'Polk County', code: '19153', scheme: 'FIPS' },
      locality: { name: 'Des Moines' },
      postalCode: { value: '50309', validFormat: true, consistent: true },
      precision: 'postal_code',
    });
    expect(result!.evidence.map((row) => row.kind)).toEqual(
      expect.arrayContaining(['place', 'country_name', 'subdivision_code', 'postcode_rule']),
    );
    expect(engine.attribution.join(' ')).toContain('GeoNames');
  });

  test('documented: the path goes from the region down to the department', () => {
    expect(answer('3 place Bellecour, 69002 Lyon')?.subdivisionPath.map((row) => row.code)).toEqual(['FR-ARA', 'FR-69']);
  });

  test.each([
    ['10 rue de Lyon, 44000 Nantes', 'FR FR-44 Nantes'],
    ['Via Roma 5, 10121 Torino', 'IT IT-TO Turin'],
    ['Berliner Straße 9, 20095 Hamburg', 'DE DE-HH Hamburg'],
    ['Paris, TX', 'US US-TX Paris'],
    ['Paris', 'FR FR-75C Paris'],
    ['London, Ontario', 'CA CA-ON London'],
    ['大阪市, 日本', 'JP JP-27 Osaka'],
    ['Москва, Россия', 'RU RU-MOW Moscow'],
    ['Georgia, USA', 'US US-GA'],
    ['Georgia', 'GE'],
    ['Tbilisi, Georgia', 'GE GE-TB Tbilisi'],
    ['New York, NY', 'US US-NY New York City'],
    ['Mexico', 'MX'],
    ['Mexico City', 'MX MX-CMX Mexico City'],
    ['Lebanon, PA 17042', 'US US-PA Lebanon'],
    ['Eschenbraeustr 4, Muenchen', 'DE DE-BY Munich'],
  ])('chosen: %s is %s', (address, expected) => {
    expect(place(address)).toBe(expected);
  });

  test.each([
    ['Hagåtña, Guam', 'GU', 'US'],
    ['San Juan, Puerto Rico 00901, USA', 'PR', 'US'],
    ['97110 Pointe-à-Pitre, Guadeloupe, France', 'GP', 'FR'],
    ['Oranjestad, Aruba', 'AW', 'NL'],
    ['Longyearbyen, Svalbard, Norway', 'SJ', 'NO'],
    ['Mariehamn, Åland', 'AX', 'FI'],
    ['Nathan Road, Hong Kong', 'HK', 'CN'],
  ])('documented: %s answers with the 3166-1 code %s and its parent %s', (address, country, parent) => {
    const result = answer(address);
    expect([result?.country.alpha2, result?.parentCountry]).toEqual([country, parent]);
  });

  test('documented: a territory that is also a subdivision carries that code too', () => {
    expect(answer('San Juan, Puerto Rico')).toMatchObject({ country: { alpha2: 'PR' }, parentCountry: 'US', parentSubdivision: 'US-PR' });
    expect(answer('Oslo, Norway')).toMatchObject({ parentCountry: null, parentSubdivision: null });
  });

  test.each([
    ['Baghdad, 222, Iraq', '222'],
    ['Storgata 1, 562 Oslo, Norway', '562'],
    ['Kathmandu 2243, Nepal', '2243'],
    ['Av. 16 de Julio 1490, La Paz, Bolivia', undefined],
    ['서울특별시 강남구 테헤란로 152', undefined],
  ])('documented: a postcode of unusual form is copied, a house number is not: %s', (address, value) => {
    expect(answer(address)?.postalCode?.value).toBe(value);
  });

  test('documented: an ambiguous name says so and lists different alternatives', () => {
    const { match, alternatives, confidence } = geocoder.geocode('Springfield');
    expect(match).toBe('ambiguous');
    expect(confidence).toBeLessThan(0.8);
    expect(new Set(alternatives.map((row) => row.subdivision)).size).toBeGreaterThan(1);
    expect(alternatives.length).toBeLessThanOrEqual(5);
  });

  test.each([
    ['4 Main St, Chicgo, IL', 'US US-IL Chicago'],
    ['Frankfrut am Main, Deutschland', 'DE DE-HE Frankfurt am Main'],
    ['Barcelonna, Spain', 'ES ES-B Barcelona'],
    ['5 rue Hugo, Marseile, France', 'FR FR-13 Marseille'],
  ])('documented: one typo in the city is forgiven: %s', (address, expected) => {
    expect(place(address)).toBe(expected);
    expect(geocoder.geocode(address).match).not.toBe('exact');
  });

  test('documented: the embedded engine never claims a house or a street', () => {
    for (const address of ['10 Downing Street, London SW1A 2AA', 'Bavaria, Germany', 'Norway', '75002']) {
      expect(['postal_code', 'locality', 'subdivision', 'country']).toContain(answer(address)?.precision);
    }
    expect(answer('Bavaria, Germany')).toMatchObject({ precision: 'subdivision', locality: null });
    expect(answer('Norway')).toMatchObject({ precision: 'country', subdivision: null });
  });

  test('documented: a text without any place has neither a result nor an error', () => {
    for (const address of ['qqq zzz', '!!!', '', '12'])
      expect(geocoder.geocode(address)).toMatchObject({ match: 'none', confidence: 0, result: null, alternatives: [] });
  });

  test('documented: a postcode that contradicts the place is reported', () => {
    expect(answer('Austin, TX 10001')?.postalCode).toMatchObject({ value: '10001', consistent: false });
  });

  test('documented: names come from the ISO content given, and a withdrawn code is resolved through what superseded it', () => {
    const bundled = bundledIsoContent();
    const changed = new Map<string, IsoSubdivision>([
      ['US-TX', { code: 'US-TX', name: 'Texas', type: 'state', parent: null, status: 'withdrawn', supersededBy: ['US-ZZ'] }],
      ['US-ZZ', { code: 'US-ZZ', name: 'New Texas', type: 'state', parent: null, status: 'current', supersededBy: [] }],
    ]);
    const iso: IsoContent = { ...bundled, version: 'next', subdivision: (code) => changed.get(code) ?? bundled.subdivision(code) };
    const { result, engine } = createGeocoder(gazetteer, iso).geocode('Houston, TX');
    expect(result?.subdivision).toEqual({ code: 'US-ZZ', name: 'New Texas', type: 'state', level: 1 });
    expect(engine.isoVersion).toBe('next');
  });

  test('documented: score components are returned on request only', () => {
    expect(geocoder.geocode('Oslo', { debug: true }).debug).toMatchObject({ base: expect.any(Number), population: expect.any(Number) });
    expect(geocoder.geocode('Oslo').debug).toBeUndefined();
  });
});

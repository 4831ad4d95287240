// What the first digits of a postcode say, how sure a result with a rival may be, and how the report splits its cases.
import { describe, expect, it } from 'vitest';
import { type AccuracyCase, halvesOf, worstCountries } from '../../src/address/accuracy/metrics.ts';
import { loadGazetteer } from '../../src/address/gazetteer/gazetteer.ts';
import { confidenceOf, type Features } from '../../src/address/geocoder/confidence.ts';
import { POSTCODE_AREAS, REPLACED_CODES } from '../../src/address/geocoder/facts/postcodeAreas.ts';
import { createGeocoder } from '../../src/address/geocoder/geocode.ts';
import { shippedIsoContent } from '../../src/address/iso/shipped-content.ts';

const gazetteer = loadGazetteer();
const geocoder = createGeocoder(gazetteer);

describe('first digits', () => {
  it('every subdivision of the table is a current one, and no prefix is given twice', () => {
    const known = new Set(gazetteer.areas);
    const codes = [...POSTCODE_AREAS.values()].flatMap((rules) => rules.map(([, code]) => code).filter(Boolean));
    expect([...codes, ...Object.values(REPLACED_CODES)].filter((code) => !known.has(code))).toEqual([]);
    for (const rules of POSTCODE_AREAS.values()) expect(new Set(rules.map(([prefix]) => prefix)).size).toBe(rules.length);
  });

  it.each([
    ['Calle Mayor 5, 46001, Spain', 'ES-V'],
    ['Gran Vía 28, 28013 Madrid, Spain', 'ES-M'],
    ['Veldstraat 1, 9000 Gent, Belgium', 'BE-VOV'],
    ['Meir 1, 2000 Antwerpen, Belgium', 'BE-VAN'],
    ['Naamsestraat 1, 3000 Leuven, Belgium', 'BE-VBR'],
    ['Basiliekstraat 1, 1500 Halle, Belgium', 'BE-VBR'],
    ['Markt 1, 8000 Brugge, Belgium', 'BE-VWV'],
    ['Havermarkt 1, 3500 Hasselt, Belgium', 'BE-VLI'],
    ['Rue Neuve 12, 5000 Namur, Belgium', 'BE-WNA'],
    ['Rue de la Montagne 1, 6000 Charleroi, Belgium', 'BE-WHT'],
    ['Place Saint-Lambert 1, 4000 Liège, Belgium', 'BE-WLG'],
    ['Grand-Place 1, 6700 Arlon, Belgium', 'BE-WLX'],
    ['Rue de Bruxelles 10, 1300 Wavre, Belgium', 'BE-WBR'],
    ['Rue Royale 1, 1000 Bruxelles, Belgium', 'BE-BRU'],
    ['Ulica 2, 52100 Pula, Croatia', 'HR-18'],
    ['West Lake Ave 2, Hangzhou 310000, China', 'CN-ZJ'],
    ['Arequipa 04001, Peru', 'PE-ARE'],
    ['Quito 170515, Ecuador', 'EC-P'],
    ['Oran 31000, Algeria', 'DZ-31'],
    ['MG Road, Bhubaneswar 751001, India', 'IN-OD'],
    ['11100 Aosta, Italy', 'IT-23'],
    ['28717 Bremen, Germany', 'DE-HB'],
    ['04683 Naunhof, Germany', 'DE-SN'],
    ['22926 Ahrensburg, Germany', 'DE-SH'],
    ['38700 Kankaanpää, Finland', 'FI-17'],
    ['2212 Kongsvinger, Norway', 'NO-34'],
    ['432 40 Varberg, Sweden', 'SE-N'],
  ])('%s is in %s, and its postcode agrees', (address, code) => {
    const { result } = geocoder.geocode(address);
    expect([result?.subdivision?.code, result?.postalCode?.consistent]).toEqual([code, true]);
  });

  it('a town of Belgium is in its province without a postcode too, and the province in its region', () => {
    const { result } = geocoder.geocode('Namur, Wallonie, Belgique');
    expect(result?.subdivisionPath.map(({ code }) => code)).toEqual(['BE-WAL', 'BE-WNA']);
    expect(geocoder.geocode('Hasselt, Limburg, Belgium').result?.subdivision?.code).toBe('BE-VLI');
  });

  it('a prefix that two subdivisions share decides nothing; a postcode of a former form is copied whole', () => {
    const shared = geocoder.geocode('Abids Road, Hyderabad 500001, India').result;
    expect([shared?.subdivision?.code, shared?.postalCode?.consistent]).toEqual(['IN-TS', null]);
    const overlapping = geocoder.geocode('〒442-0018 愛知県豊川市白雲町7-11').result;
    expect([overlapping?.subdivision?.code, overlapping?.postalCode?.consistent]).toEqual(['JP-23', null]);
    expect(geocoder.geocode('Teheran-ro 1, Seoul 135-934, South Korea').result?.postalCode?.value).toBe('135-934');
  });
});

it('the first digits locate an address in its district of a large city', () => {
  const coordinates = (address: string) => geocoder.geocode(address).result?.coordinates;
  expect(coordinates('Seegefelder Str. 1, 13591 Berlin, Germany')).toEqual(coordinates('Spandau, Germany'));
  expect(coordinates('Berlin, Germany')).not.toEqual(coordinates('Spandau, Germany'));
});

describe('confidence', () => {
  const sure: Features = {
    countryLead: 5,
    areaLead: 5,
    named: 1,
    postcode: 1,
    typo: 0,
    unnamedPlace: 0,
    conflict: 0,
    contradicted: 0,
    unread: 0,
    bare: 0,
    misfit: 0,
    street: 0,
    part: 0,
    prominent: 0,
    small: 0,
    shared: 0,
  };

  it('a result with a close rival, in another country or subdivision, stays below 0.8 whatever supports it', () => {
    expect(confidenceOf(sure)).toBeGreaterThan(0.95);
    expect(confidenceOf({ ...sure, countryLead: 0.9 })).toBeLessThan(0.8);
    expect(confidenceOf({ ...sure, areaLead: 0.9 })).toBeLessThan(0.8);
    expect(confidenceOf({ ...sure, areaLead: 1 })).toBeGreaterThan(0.8);
    expect(confidenceOf({ ...sure, shared: 1 })).toBeLessThan(0.8);
  });

  it.each([
    ['a named subdivision', 'Bulgan, Dornod, Mongolia'],
    ['the postcode', '10115 Vaterstetten, Germany'],
  ])('a result that %s contradicts is not sure', (_, address) => {
    expect(geocoder.geocode(address).confidence).toBeLessThan(0.8);
  });

  it('the country alone is sure where the text names no town, and not where an unknown name is all it has', () => {
    expect(geocoder.geocode('Church Road 143, 1017, Albania').confidence).toBeGreaterThanOrEqual(0.8);
    expect(geocoder.geocode('Kyxlundra, Finland').confidence).toBeLessThan(0.8);
  });
});

describe('report', () => {
  const cases = Array.from({ length: 400 }, (_, at): AccuracyCase => {
    const country = at % 3 === 0 ? 'DE' : 'FR';
    return { id: `c${at}`, address: 'Berlin, Germany', expect: { country, city: 'Berlin' }, tags: at % 2 === 0 ? ['city-in-text'] : [] };
  });

  it('the halves share no case, hold them all and are the same in any order', () => {
    const { tuned, apart } = halvesOf(cases);
    expect(new Set([...tuned, ...apart]).size).toBe(400);
    expect(Math.abs(tuned.length - apart.length)).toBeLessThan(80);
    expect(new Set(halvesOf([...cases].reverse()).tuned)).toEqual(new Set(tuned));
  });

  it('the countries with the most misses come first, those without are left out', () => {
    const outcomes = cases.map((test) => ({ test, result: geocoder.geocode(test.address) }));
    expect(worstCountries(outcomes, gazetteer, shippedIsoContent(), 10)).toEqual([{ country: 'FR', cases: 266, right: 0, of: 399 }]);
  });
});

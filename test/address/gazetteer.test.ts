// The committed tables: size, checksums, counts, and that every GeoNames area has a current mapping or a stated reason for having none.
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadGazetteer, tableFolder } from '../../src/address/gazetteer/gazetteer.ts';
import { LOCAL_NAME, PLACE, postingId, postingKind } from '../../src/address/gazetteer/layout.ts';
import { nameKey, writtenKey } from '../../src/address/geocoder/normalise.ts';
import { shippedRows } from '../../src/address/iso/shipped-content.ts';

const gazetteer = loadGazetteer();
const iso = shippedRows();
const codes = new Set(iso.subdivisions.filter(({ status }) => status === 'current').map(({ code }) => code));
const areaOfPlace = (name: string, country: string): string | undefined => {
  for (const posting of gazetteer.lookup(nameKey(name))) {
    const area = gazetteer.areas[gazetteer.area(postingId(posting))]!;
    if (postingKind(posting) === PLACE && area.startsWith(country)) return area;
  }
  return undefined;
};

describe('gazetteer tables', () => {
  test('all tables together stay within 20 MB and match their checksums', () => {
    let total = 0;
    for (const [file, { bytes, sha256 }] of Object.entries(gazetteer.meta.files)) {
      const path = join(tableFolder(), file);
      total += statSync(path).size;
      expect(statSync(path).size).toBe(bytes);
      expect(createHash('sha256').update(readFileSync(path)).digest('hex')).toBe(sha256);
    }
    expect(total).toBeLessThanOrEqual(20e6);
  });

  test('the tables hold the places, names and ZIP codes of their sources', () => {
    expect(gazetteer.meta.counts).toMatchObject({ zips: 41_125, frenchPostcodes: 6_310 });
    expect(gazetteer.meta.counts.places).toBeGreaterThan(285_000);
    expect(gazetteer.meta.counts.names).toBeGreaterThan(750_000);
    expect(gazetteer.size).toBe(gazetteer.meta.counts.places);
  });

  test('the alphabet has every name of every place once, in the order of the keys', () => {
    const { alphabet } = gazetteer;
    const keys = Array.from(alphabet, (entry) =>
      writtenKey(entry >= LOCAL_NAME ? gazetteer.localName(entry & ~LOCAL_NAME)! : gazetteer.name(entry)),
    );
    expect(keys.findIndex((key, at) => at > 0 && key < keys[at - 1]!)).toBe(-1);
    expect(new Set(alphabet).size).toBe(alphabet.length);
    expect(alphabet.filter((entry) => entry < LOCAL_NAME).length).toBe(gazetteer.size);
  });

  test('every area is a current ISO code, and the user-assigned XK is the only other one', () => {
    const known = new Set([...codes, ...iso.countries.map(({ alpha2 }) => alpha2), 'XK']);
    expect(gazetteer.areas.filter((code) => !known.has(code))).toEqual([]);
  });

  test('every area without a mapping has a stated reason', () => {
    const overrides = JSON.parse(readFileSync(join(tableFolder(), '../build-package/overrides.json'), 'utf8')) as Record<
      string,
      string | null
    >;
    expect(Object.values(overrides).filter((code) => code !== null && !codes.has(code))).toEqual([]);
    const { mapping } = gazetteer.meta;
    expect(mapping.none! / (mapping.code! + mapping.name! + mapping.override! + mapping.none!)).toBeLessThan(0.01);
  });

  test.each([
    ['Moscow', 'RU', 'RU-MOW'],
    ['Khimki', 'RU', 'RU-MOS'],
    ['Isfahan', 'IR', 'IR-10'],
    ['Tabriz', 'IR', 'IR-03'],
    ['Prague', 'CZ', 'CZ-10'],
    ['Ajaccio', 'FR', 'FR-2A'],
    ['Lyon', 'FR', 'FR-69'],
    ['Barcelona', 'ES', 'ES-B'],
    ['Bangkok', 'TH', 'TH-10'],
    ['Lhasa', 'CN', 'CN-XZ'],
    ['Hanoi', 'VN', 'VN-HN'],
    ['Kraków', 'PL', 'PL-12'],
    ['Rome', 'IT', 'IT-RM'],
    ['Oulu', 'FI', 'FI-14'],
    ['Nagoya', 'JP', 'JP-23'],
    ['Toronto', 'CA', 'CA-ON'],
    ['Vilar de Santos', 'ES', 'ES-OR'],
    ['Lobetal', 'DE', 'DE-BB'],
  ])('%s in %s lies in %s', (name, country, area) => {
    expect(areaOfPlace(name, country)).toBe(area);
  });

  test('a name is found whatever its case, its accents and its form of Saint', () => {
    for (const [one, other] of [
      ['Saint-Étienne', 'ST ETIENNE'],
      ['MÜNCHEN', 'munchen'],
      ['Łódź', 'lodz'],
      ['Fort Worth', 'ft. worth'],
    ] as const) {
      expect(nameKey(one)).toBe(nameKey(other));
      expect(gazetteer.has(nameKey(one))).toBe(true);
    }
    expect(gazetteer.has('no such place name')).toBe(false);
  });

  test('the tables name their licences and say that data was modified', () => {
    const text = gazetteer.meta.attribution.join(' ');
    for (const part of ['GeoNames, CC BY 4.0', 'VBB', 'libaddressinput', 'Licence Ouverte 2.0', 'US Census Bureau', 'modified'])
      expect(text).toContain(part);
  });
});

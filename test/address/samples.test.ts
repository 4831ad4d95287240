// Addresses that others wrote, and addresses made from lists of places and postcodes that the gazetteer is not built from, each with its origin in
// its id. The half that is set apart keeps its share of right results.
import { describe, expect, it } from 'vitest';
import { readCases } from '../../src/address/accuracy/cases.ts';
import { type AccuracyCase, halvesOf, measure } from '../../src/address/accuracy/metrics.ts';
import { loadGazetteer } from '../../src/address/gazetteer/gazetteer.ts';
import { createGeocoder } from '../../src/address/geocoder/geocode.ts';
import { shippedIsoContent } from '../../src/address/iso/shipped-content.ts';
import { packagePath } from '../../src/runtime/package-root.ts';

const gazetteer = loadGazetteer();
const geocoder = createGeocoder(gazetteer);
const sample = (file: string): AccuracyCase[] => readCases(packagePath('test', 'address', 'samples', file));
const [written, made] = [sample('address-formatting.json'), sample('made.tsv')];

const sharesApart = (cases: readonly AccuracyCase[]): ReadonlyMap<string, number> => {
  const outcomes = halvesOf(cases).apart.map((test) => ({ test, result: geocoder.geocode(test.address) }));
  return new Map(measure(outcomes, gazetteer, shippedIsoContent()).map(({ name, right, of }) => [name, (100 * right) / of]));
};

it('the sample has 5,000 cases of 80 countries, each with its origin', () => {
  const cases = [...written, ...made];
  expect(cases.length).toBeGreaterThan(5_000);
  expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length);
  expect(Map.groupBy(made, ({ expect: { country } }) => country).size).toBeGreaterThan(200);
  expect(cases.every(({ id }) => /^[a-z-]+\/./.test(id))).toBe(true);
  const { tuned, apart } = halvesOf(cases);
  expect(Math.abs(tuned.length - apart.length)).toBeLessThan(200);
});

describe.each([
  [
    'address-formatting',
    written,
    {
      'Country, all': 99,
      'City named in text': 89.5,
      'Postcode copied': 96,
      'Confidence >= 0.8: coverage': 95,
      'Confidence >= 0.8: country': 99.5,
    },
  ],
  [
    'made',
    made,
    {
      'Country, all': 99.5,
      'Subdivision, all': 97,
      'City named in text': 95.5,
      'Within 10 km': 91,
      'Postcode copied': 99,
      'Confidence >= 0.8: coverage': 92,
      'Confidence >= 0.8: country': 99.7,
      'Confidence >= 0.8: subdivision': 98.5,
    },
  ],
] as const)('the half apart of %s', (_, cases, least) => {
  const shares = sharesApart(cases);
  it.each(Object.entries(least))('%s: at least %d per cent', (name, share) => {
    expect(shares.get(name)).toBeGreaterThanOrEqual(share);
  });
});

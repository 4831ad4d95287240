// Addresses that others wrote, each with its origin in its id: the half that is set apart keeps the share of right results that it had.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type AccuracyCase, halvesOf, measure } from '../../src/address/accuracy/metrics.ts';
import { loadGazetteer } from '../../src/address/gazetteer/gazetteer.ts';
import { createGeocoder } from '../../src/address/geocoder/geocode.ts';
import { shippedIsoContent } from '../../src/address/iso/shipped-content.ts';
import { packagePath } from '../../src/runtime/package-root.ts';

const gazetteer = loadGazetteer();
const geocoder = createGeocoder(gazetteer);
const sample = JSON.parse(readFileSync(packagePath('test', 'address', 'samples', 'address-formatting.json'), 'utf8')) as AccuracyCase[];

it('the address-formatting sample: country, city, postcode and confidence of the half apart', () => {
  expect(new Set(sample.map(({ expect: { country } }) => country)).size).toBeGreaterThan(240);
  const answers = halvesOf(sample).apart.map((test) => ({ test, result: geocoder.geocode(test.address) }));
  const metrics = measure(answers, gazetteer, shippedIsoContent());
  const share = (name: string): number => {
    const { right, of } = metrics.find((metric) => metric.name === name)!;
    return (100 * right) / of;
  };
  expect(share('Country, all')).toBeGreaterThanOrEqual(99);
  expect(share('City named in text')).toBeGreaterThanOrEqual(89);
  expect(share('Postcode copied')).toBeGreaterThanOrEqual(96);
  expect(share('Confidence >= 0.8: coverage')).toBeGreaterThanOrEqual(95);
  expect(share('Confidence >= 0.8: country')).toBeGreaterThanOrEqual(99.5);
});

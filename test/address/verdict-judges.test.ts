// Judges of the verdict that others wrote: the required fields of libaddressinput for `missing`, the templates of OpenCage as `@fragaria/address-formatter`
// applies them for `formatted`.
import { readFileSync } from 'node:fs';
import formatter from '@fragaria/address-formatter';
import { expect, it } from 'vitest';
import { formatAddress } from '../../src/address/geocoder/format.ts';
import type { AddressComponents, GeocodedAddress } from '../../src/address/geocoder/types.ts';
import { verdictOn } from '../../src/address/geocoder/verdict.ts';
import { shippedIsoContent } from '../../src/address/iso/shipped-content.ts';
import { packagePath } from '../../src/runtime/package-root.ts';

const countries = shippedIsoContent().countries.map(({ alpha2 }) => alpha2);
const nothing: AddressComponents = {
  houseNumber: null,
  street: null,
  unit: null,
  poBox: null,
  district: null,
  city: null,
  state: null,
  postalCode: null,
  country: null,
};

const LETTERS = { A: 'street', C: 'city', S: 'state', Z: 'postal_code' } as const;
const required = new Map(
  readFileSync(packagePath('test', 'address', 'registers', 'required-fields.tsv'), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t') as [string, string]),
);

it('an empty address of each country lacks what libaddressinput requires there', () => {
  expect(required.size).toBeGreaterThan(80);
  const lacking = (alpha2: string) => {
    const address = { components: nothing, country: { alpha2 }, evidence: [], subdivision: null, locality: null, postalCode: null };
    return verdictOn(address as unknown as GeocodedAddress, {
      match: 'none',
      confidence: 0,
      isCityCorrected: false,
      replaced: [],
      hasStreets: false,
    }).missing;
  };
  const wanted = (alpha2: string) => [...(required.get(alpha2) ?? 'AC')].map((letter) => LETTERS[letter as keyof typeof LETTERS]);
  expect(countries.map((alpha2) => [alpha2, [...lacking(alpha2)].sort()])).toEqual(
    countries.map((alpha2) => [alpha2, wanted(alpha2).sort()]),
  );
});

/** Where `formatted` keeps another order than the templates. */
const DECISIONS: Readonly<Record<string, string>> = {
  JP: 'an address in Latin letters has the block number behind the quarter',
  BG: 'Bulgarian Posts write 1000 Sofia',
};

it('`formatted` has house number, street, postal code and city in the order of the templates', () => {
  const order = (text: string): string => [...text.matchAll(/No7|Street|77777|Town/g)].map(String).join(' ');
  const parts = { houseNumber: 'No7', street: 'Street', city: 'Town', postalCode: '77777' };
  const pairs = countries.map((alpha2) => {
    const lines = formatter.format(
      { houseNumber: 'No7', road: 'Street', city: 'Town', postcode: '77777', countryCode: alpha2 },
      { appendCountry: false },
    );
    const theirs = order(lines);
    const known = new Set(theirs.split(' '));
    const ours = order(formatAddress({ ...nothing, ...parts }, { locality: null, country: 'Land', alpha2 }));
    return {
      alpha2,
      theirs,
      ours: ours
        .split(' ')
        .filter((part) => known.has(part))
        .join(' '),
    };
  });
  const inPairs = (text: string): string => {
    const words = text.split(' ');
    const before = (a: string, b: string): string =>
      words.includes(a) && words.includes(b) ? String(words.indexOf(a) < words.indexOf(b)) : '';
    return `${before('No7', 'Street')} ${before('77777', 'Town')}`;
  };
  const others = pairs.filter(({ theirs, ours }) => inPairs(theirs) !== inPairs(ours)).map(({ alpha2 }) => alpha2);
  expect(others.sort()).toEqual(Object.keys(DECISIONS).sort());
});

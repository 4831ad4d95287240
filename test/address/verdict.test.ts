// The verdict on a result: what to do with it, what its country requires next to it, and how sure each part is.
import { expect, it } from 'vitest';
import { geocode } from '../../src/address/geocoder/geocode.ts';

const verdictOn = (address: string) => {
  const { next, missing, components } = geocode(address).result!.verdict;
  return { next, missing, levels: Object.fromEntries(components.map(({ name, level }) => [name, level])) };
};

it.each(['350 Fifth Avenue, New York, NY 10118', '10 Rue de Rivoli, 75001 Paris', 'PO Box 1234, Auckland 1140', '1 Queen Street, Dubai'])(
  'an address that is whole and fits is accepted: %s',
  (address) => {
    expect(verdictOn(address)).toMatchObject({ next: 'ACCEPT', missing: [], levels: { country: 'INFERRED', city: 'CONFIRMED' } });
  },
);

it('a misspelt city is corrected, for a person to confirm', () => {
  expect(verdictOn('Musterstraße 5, 60311 Frankfrut am Main, Deutschland')).toMatchObject({
    next: 'CONFIRM',
    levels: { country: 'CONFIRMED', state: 'INFERRED', city: 'CORRECTED', postal_code: 'CONFIRMED', street: 'UNRESOLVED' },
  });
});

it.each([
  ['100 Congress Ave, Austin, CA 78701, USA', 'state'],
  ['Friedrichstraße 43, 10117 Berlin, France', 'country'],
])('a part that contradicts the others is replaced, for a person to confirm: %s', (address, part) => {
  expect(verdictOn(address)).toMatchObject({ next: 'CONFIRM', levels: { [part]: 'REPLACED' } });
});

it('a postal code of another city, and an unknown city, are to be fixed', () => {
  expect(verdictOn('100 Main St, Austin, TX 10001')).toMatchObject({ next: 'FIX', levels: { postal_code: 'UNRESOLVED' } });
  expect(verdictOn('5 Foo Street, Xyzzyville, TX 78701')).toMatchObject({ next: 'FIX', levels: { city: 'UNRESOLVED' } });
});

it.each([
  ['Unter den Linden 1, Berlin', ['postal_code']],
  ['Drammen, Norway', ['street', 'postal_code']],
  ['Springfield', ['street', 'postal_code']],
  ['Auckland 1140', ['street']],
])('%s lacks what its country requires', (address, missing) => {
  expect(verdictOn(address)).toMatchObject({ next: 'FIX', missing });
});

it('every part of a result is named once', () => {
  const { components } = geocode('Flat 3, 221B Baker Street, London NW1 6XE').result!.verdict;
  expect(new Set(components.map(({ name }) => name)).size).toBe(components.length);
});

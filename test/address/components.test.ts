// The parts of an address are copied from its text, in the word orders of six countries.
import { describe, expect, test } from 'vitest';
import { geocode } from '../../src/address/geocoder/geocode.ts';
import type { AddressComponents } from '../../src/address/geocoder/types.ts';

type Parts = Partial<AddressComponents>;

const CASES: readonly (readonly [country: string, address: string, parts: Parts])[] = [
  [
    'US',
    '350 Fifth Avenue, Apt 12B, New York, NY 10118',
    { houseNumber: '350', street: 'Fifth Avenue', unit: 'Apt 12B', city: 'New York', state: 'NY', postalCode: '10118' },
  ],
  ['US', 'PO Box 1234, Topeka, KS 66601', { poBox: '1234', street: null, houseNumber: null, city: 'Topeka', state: 'KS' }],
  [
    'US',
    '1200 Wilson Blvd #300, Arlington VA 22209, USA',
    { houseNumber: '1200', street: 'Wilson Blvd', unit: '#300', city: 'Arlington', country: 'USA' },
  ],
  ['US', '742 Evergreen Terrace, Unit 5, Springfield, OR 97477-1234', { unit: 'Unit 5', postalCode: '97477-1234' }],
  [
    'CA',
    '24 Sussex Drive, Ottawa, ON K1M 1M4, Canada',
    { houseNumber: '24', street: 'Sussex Drive', city: 'Ottawa', state: 'ON', postalCode: 'K1M 1M4' },
  ],
  [
    'CA',
    '1010 Rue Sherbrooke Ouest, Suite 500, Montréal, QC H3A 2R7, Canada',
    { houseNumber: '1010', street: 'Rue Sherbrooke Ouest', unit: 'Suite 500', city: 'Montréal' },
  ],
  ['CA', 'Box 45, Moose Jaw SK S6H 4N7', { poBox: '45', city: 'Moose Jaw', state: 'SK' }],
  [
    'GB',
    'Flat 3, 221B Baker Street, London NW1 6XE',
    { houseNumber: '221B', street: 'Baker Street', unit: 'Flat 3', city: 'London', postalCode: 'NW1 6XE' },
  ],
  ['GB', '4th Floor, 25 Deansgate, Manchester M3 2BA', { houseNumber: '25', street: 'Deansgate', unit: '4th Floor' }],
  ['GB', 'PO Box 77, Swansea SA1 1AA', { poBox: '77', city: 'Swansea' }],
  ['DE', 'Friedrichstraße 43, 10117 Berlin', { houseNumber: '43', street: 'Friedrichstraße', city: 'Berlin', postalCode: '10117' }],
  [
    'DE',
    'Musterweg 5a, 3. Stock, 80331 München, Deutschland',
    { houseNumber: '5a', street: 'Musterweg', unit: '3. Stock', city: 'München', country: 'Deutschland' },
  ],
  ['DE', 'Postfach 10 20 30, 50667 Köln', { poBox: '10 20 30', city: 'Köln' }],
  ['FR', '12 bis rue de la Paix, 75002 Paris', { houseNumber: '12 bis', street: 'rue de la Paix', city: 'Paris', postalCode: '75002' }],
  [
    'FR',
    '5 avenue Anatole France, Appt 14, 75007 Paris, France',
    { houseNumber: '5', street: 'avenue Anatole France', unit: 'Appt 14', country: 'France' },
  ],
  ['FR', 'BP 123, 69002 Lyon', { poBox: '123', city: 'Lyon' }],
  [
    'IN',
    'Flat No 12, 2nd Floor, 45 MG Road, Bengaluru, Karnataka 560001, India',
    { houseNumber: '45', street: 'MG Road', unit: 'Flat No 12', state: 'Karnataka', postalCode: '560001' },
  ],
  [
    'IN',
    '221 Linking Road, Bandra West, Mumbai 400050, Maharashtra',
    { houseNumber: '221', street: 'Linking Road', district: 'Bandra West', city: 'Mumbai', state: 'Maharashtra' },
  ],
  ['IN', 'B-12, Connaught Place, New Delhi 110001', { houseNumber: 'B-12', street: 'Connaught Place', city: 'New Delhi' }],
];

describe('address components', () => {
  test.each(CASES)('the parts of a %s address are found: %s', (country, address, parts) => {
    const { result } = geocode(address);
    expect(result?.country.alpha2).toBe(country);
    expect(result?.components).toMatchObject(parts);
  });

  test('every part of an answer occurs in the address', () => {
    for (const [, address] of CASES) {
      for (const part of Object.values(geocode(address).result!.components)) if (part !== null) expect(address).toContain(part);
    }
  });

  test('the formatted line follows the order of the country', () => {
    expect(geocode('Friedrichstraße 43, 10117 Berlin').result?.formatted).toBe('Friedrichstraße 43, 10117 Berlin, Germany');
    expect(geocode('350 Fifth Avenue, New York, NY 10118').result?.formatted).toBe(
      '350 Fifth Avenue, New York, NY 10118, United States of America',
    );
  });
});

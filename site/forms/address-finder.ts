// Completes an address that a person types on a hosted page, with the embedded geocoder, which makes no calls.
import { setImmediate as others } from 'node:timers/promises';
import type { Services } from '../../src/access/context.ts';
import type { Geocoder } from '../../src/address/geocoder/geocode.ts';
import { MAX_ADDRESS_LENGTH } from '../../src/address/geocoder/types.ts';
import { askGeocoder } from '../../src/address/geocoding.ts';

/** An address that was found: as a line, and as the boxes of a form. */
export interface FoundAddress {
  text: string;
  parts: Readonly<Record<'addressLine1' | 'addressLine2' | 'city' | 'state' | 'postalCode' | 'country', string>>;
}

const MOST = 5;

/** The boxes of a text that the geocoder understands. */
function partsOf(geocoder: Geocoder, text: string): FoundAddress | undefined {
  const { result } = geocoder.geocode(text);
  if (!result?.locality) return undefined;
  const { components, country, subdivisionPath, postalCode } = result;
  // The written order of the number and the street: it is first in some languages and last in others.
  const own = [components.houseNumber, components.street].filter((part) => part !== null);
  const line = own.toSorted((a, b) => text.toLowerCase().indexOf(a.toLowerCase()) - text.toLowerCase().indexOf(b.toLowerCase())).join(' ');
  return {
    text,
    parts: {
      addressLine1: line || (components.poBox ?? ''),
      addressLine2: components.unit ?? '',
      city: components.city ?? result.locality.name,
      state: subdivisionPath[0]?.code.slice(3) ?? '',
      postalCode: postalCode?.value ?? '',
      country: country.alpha2,
    },
  };
}

/** At most five addresses that a typed text may mean; none for one that cannot be understood. */
export async function findAddresses(services: Services, typed: string): Promise<FoundAddress[]> {
  const text = typed.replaceAll(/\p{Cc}+/gu, ', ').trim();
  if (text === '' || text.length > MAX_ADDRESS_LENGTH || !text.isWellFormed()) return [];
  const suggested = await askGeocoder({ services }, (geocoder) => geocoder.suggest(text, null, MOST).map((one) => one.text));
  // A text that ends in no name of a place, as after a postcode, may be whole.
  const texts = suggested.length > 0 ? suggested : [text];
  const found: FoundAddress[] = [];
  for (const one of texts) {
    await others();
    const address = await askGeocoder({ services }, (geocoder) => partsOf(geocoder, one));
    if (address) found.push(address);
  }
  return found
    .filter(({ parts }, at) => found.findIndex((other) => JSON.stringify(other.parts) === JSON.stringify(parts)) === at)
    .slice(0, MOST);
}

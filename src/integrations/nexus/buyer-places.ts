// The ISO 3166 code of a buyer's place, from the country and state that an address has.
import type { Services } from '../../access/context.ts';
import { askGeocoder } from '../../address/geocoding.ts';
import { isoInForce } from '../../address/iso/in-force.ts';

/** Languages whose names of countries are understood, besides those of ISO 3166 and of the geocoder: those of most source systems. */
const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt'];

/** Codes that are in use and not assigned. */
const IN_USE = { UK: 'GB', EL: 'GR' };

/** A name without marks, case, spaces and punctuation. */
const plain = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}]/gu, '');

/**
 * What returns the code of a place: the code of the subdivision where the state is known, otherwise that of the country. Null without a known
 * country.
 */
export function buyerPlaces(services: Services): (country: string | null, state: string | null) => Promise<string | null> {
  const iso = isoInForce();
  const countries = new Map<string, string>(Object.entries(IN_USE).map(([code, country]) => [plain(code), country]));
  const names = LANGUAGES.map((language) => new Intl.DisplayNames(language, { type: 'region', fallback: 'none' }));
  for (const { alpha2, alpha3, name, officialName, commonName } of iso.countries)
    for (const known of [alpha2, alpha3, name, officialName, commonName, ...names.map((in_) => in_.of(alpha2))])
      if (known) countries.set(plain(known), alpha2);
  // Turkey, Czech Republic: the tables of the geocoder, which are loaded for a name that is in no list, have usual and former names.
  const usual = async (name: string): Promise<string | undefined> => {
    if (!countries.has(plain(name))) {
      const found = await askGeocoder({ services }, (geocoder) => geocoder.countryNamed(name));
      countries.set(plain(name), countries.get(plain(found ?? '')) ?? '');
    }
    return countries.get(plain(name)) || undefined;
  };
  const subdivisionIn = (country: string, state: string): string | undefined => {
    const wanted = plain(state);
    const all = iso.subdivisionsOf(country);
    return (
      all.find(({ code }) => plain(code) === wanted || plain(code.slice(3)) === wanted) ??
      all.find(({ name, parent }) => parent === null && plain(name) === wanted) ??
      all.find(({ name }) => plain(name) === wanted)
    )?.code;
  };
  return async (given, state) => {
    const country = given ? await usual(given) : undefined;
    if (country === undefined) return null;
    return (state && subdivisionIn(country, state)) || country;
  };
}

// Geocoding in GraphQL: the query `geocode` for free text, and a field `geocode` on every type with an address.
import { Ctx, Extensions, FieldResolver, Int, Resolver, Root } from 'type-graphql';
import { authorise } from '../access/authorise.ts';
import type { RequestContext, Services } from '../access/context.ts';
import { needs } from '../database/reader/projection.ts';
import { argument, optional, query, resolver } from '../graphql/declared/fields.ts';
import { invalid } from '../records/errors.ts';
import type { RecordClass } from '../records/metadata.ts';
import { CountryCode, Latitude, Longitude } from '../records/scalars.ts';
import { AddressSuggestion, GeocodeResult, ReverseGeocodeResult } from './geocode-types.ts';
import { MAX_ADDRESS_LENGTH } from './geocoder/types.ts';
import { askGeocoder, geocodeAddress, geocodeAddresses } from './geocoding.ts';
import { isoRegister } from './iso/register.ts';

const CONTROL = /\p{Cc}+/u;
const MAX_SUGGESTED = 20;
/** Most addresses of one batch. */
const MAX_BATCH = 100;
/** What an address costs to geocode: a usual one takes 1 to 2 ms, as much as reading a hundred records. */
const GEOCODE_PRICE = 100;

/** Rejects what is no address, also an incomplete one, by the name of its argument. */
function checkAddress(address: string, name = 'address'): void {
  if (address.trim() === '') throw invalid(name, `${name} must not be blank`, 'REQUIRED');
  if (address.length > MAX_ADDRESS_LENGTH) throw invalid(name, `${name} must have at most ${MAX_ADDRESS_LENGTH} characters`, 'TOO_LONG');
  if (CONTROL.test(address)) throw invalid(name, `${name} must have no control characters; separate its lines by commas`, 'INVALID_FORMAT');
  if (!address.isWellFormed()) throw invalid(name, `${name} contains an unpaired surrogate`, 'INVALID_FORMAT');
}

/** The code of a country that the ISO content has. */
async function knownCountry(services: Services, given: string): Promise<string> {
  const code = given.trim().toUpperCase();
  const content = await services.caches.of(isoRegister).content();
  if (content.country(code)) return code;
  throw invalid('country', `country must be a two-letter ISO 3166-1 country code; ${code} is not one`, 'INVALID_VALUE');
}

const roles = ['GEOCODE'] as const;

export const GeocodeResolver = resolver({
  geocode: query(() => GeocodeResult, { roles, extensions: { price: GEOCODE_PRICE } })(
    'Locates an address; `result` is null if no place was found. The address is not stored or logged. `Idempotency-Key` is ignored, as for every query.',
    { address: argument<string>(() => String, 'The address as free text, at most 500 characters.') },
    ({ address }, { context }) => {
      checkAddress(address);
      return geocodeAddress(context, address);
    },
  ),
  geocodeBatch: query(() => [GeocodeResult], { roles, extensions: { sizedBy: ['addresses'], price: GEOCODE_PRICE } })(
    `Locates up to ${MAX_BATCH} addresses, with results in input order, each as from \`geocode\`. An invalid address fails the whole call with INVALID_PARAMS. The addresses are not stored or logged.`,
    { addresses: argument<string[]>(() => [String], `The addresses as free text, 1 to ${MAX_BATCH} of at most 500 characters.`) },
    async ({ addresses }, { context }) => {
      if (addresses.length < 1 || addresses.length > MAX_BATCH)
        throw invalid('addresses', `addresses must have 1 to ${MAX_BATCH} entries, but has ${addresses.length}`, 'OUT_OF_RANGE');
      for (const [at, address] of addresses.entries()) checkAddress(address, `addresses.${at}`);
      return geocodeAddresses(context, addresses);
    },
  ),
  suggestAddresses: query(() => [AddressSuggestion], { roles })(
    'Suggests places for the end of an incomplete address, for forms that complete while typing. Places that match the postcode and the language of the street words come first, then the largest. Only the main name of a place and the name of its country are completed; street names are not. The text is not stored or logged and never leaves the gateway.',
    {
      text: argument<string>(() => String, 'Incomplete address, at most 500 characters.'),
      country: optional<string>(() => CountryCode, 'Two-letter country code of the places; default any.'),
      first: argument<number>(() => Int, `Number of suggestions, 1 to ${MAX_SUGGESTED}.`, { defaultValue: 10 }),
    },
    async ({ text, country, first }, { context }) => {
      checkAddress(text, 'text');
      if (first < 1 || first > MAX_SUGGESTED) throw invalid('first', `first must be an integer from 1 to ${MAX_SUGGESTED}`, 'OUT_OF_RANGE');
      const within = country ? await knownCountry(context.services, country) : null;
      return askGeocoder(context, (geocoder) => geocoder.suggest(text, within, first));
    },
  ),
  reverseGeocode: query(() => ReverseGeocodeResult, { roles })(
    'Country, subdivision and city of a position. The position is not stored or logged and never leaves the gateway.',
    {
      latitude: argument<number>(() => Latitude, 'Degrees north, -90 to 90 (WGS 84).'),
      longitude: argument<number>(() => Longitude, 'Degrees east, -180 to 180 (WGS 84).'),
    },
    ({ latitude, longitude }, { context }) => askGeocoder(context, (geocoder) => geocoder.reverse(latitude, longitude)),
  ),
});

/**
 * Returns the resolver that adds the field `geocode` to a type with an address. `lines` are the properties of the address, in postal order.
 * Like every geocoding it needs the role GEOCODE.
 */
export function storedAddressResolver(owner: RecordClass, lines: string[]): RecordClass {
  @Resolver(() => owner)
  class StoredAddressResolver {
    @FieldResolver(() => GeocodeResult, {
      nullable: true,
      description: 'Location of the address; null if the address is empty. Requires the role GEOCODE.',
    })
    @Extensions({ rest: 'never', price: GEOCODE_PRICE })
    @needs(owner, ...lines)
    async geocode(@Root() row: Record<string, unknown>, @Ctx() context: RequestContext): Promise<GeocodeResult | null> {
      authorise(context, ['GEOCODE']);
      const parts = lines
        .map((line) =>
          String(row[line] ?? '')
            .replaceAll(/\p{Cc}+/gu, ', ')
            .trim(),
        )
        .filter(Boolean);
      return parts.length === 0 ? null : geocodeAddress(context, parts.join(', ').slice(0, MAX_ADDRESS_LENGTH));
    }
  }
  return StoredAddressResolver;
}

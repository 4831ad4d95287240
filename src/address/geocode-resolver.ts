// Geocoding in GraphQL: the query `geocode` for free text, and a field `geocode` on every type with an address.
import { Arg, Ctx, Extensions, FieldResolver, Int, Query, Resolver, Root } from 'type-graphql';
import { access, authorise } from '../access/authorise.ts';
import type { RequestContext, Services } from '../access/context.ts';
import { needs } from '../database/reader/projection.ts';
import { invalid } from '../records/errors.ts';
import type { RecordClass } from '../records/metadata.ts';
import { CountryCode, Latitude, Longitude } from '../records/scalars.ts';
import { AddressSuggestion, GeocodeResult, ReverseGeocodeResult } from './geocode-types.ts';
import { MAX_ADDRESS_LENGTH } from './geocoder/types.ts';
import { embeddedGeocoder, geocodeAddress, geocodeAddresses } from './geocoding.ts';
import { isoRegister } from './iso/register.ts';

const CONTROL = /\p{Cc}+/u;
const MAX_SUGGESTED = 20;
/** Most addresses of one batch. */
const MAX_BATCH = 100;

/** Refuses what is no address, also an incomplete one, by the name of its argument. */
function checkAddress(address: string, name = 'address'): void {
  if (address.trim() === '') throw invalid(name, `${name} must not be blank`, 'REQUIRED');
  if (address.length > MAX_ADDRESS_LENGTH) throw invalid(name, `${name} must have at most ${MAX_ADDRESS_LENGTH} characters`, 'TOO_LONG');
  if (CONTROL.test(address)) throw invalid(name, `${name} must have no control characters; separate its lines by commas`, 'INVALID_FORMAT');
  if (!address.isWellFormed()) throw invalid(name, `${name} has half a surrogate pair`, 'INVALID_FORMAT');
}

/** The code of a country that the ISO content has. */
async function knownCountry(services: Services, given: string): Promise<string> {
  const code = given.trim().toUpperCase();
  const content = await services.caches.of(isoRegister).content();
  if (content.country(code)) return code;
  throw invalid('country', `country must be a code of ISO 3166-1, two letters; ${code} is none`, 'INVALID_VALUE');
}

@Resolver()
export class GeocodeResolver {
  @access('GEOCODE')
  @Query(() => GeocodeResult, {
    description:
      'Locates an address. The answer to an address that cannot be understood has no result. The address is neither stored nor logged; an `Idempotency-Key` is ignored, as for every query.',
  })
  geocode(
    @Arg('address', () => String, { description: 'The address as free text, at most 500 characters.' }) address: string,
    @Ctx() context: RequestContext,
  ): Promise<GeocodeResult> {
    checkAddress(address);
    return geocodeAddress(context.services, address);
  }

  @access('GEOCODE')
  @Query(() => [GeocodeResult], {
    description: `Locates up to ${MAX_BATCH} addresses, in the order given. Each is answered as \`geocode\` answers it; one that is not an address is INVALID_PARAMS for the whole call. The addresses are neither stored nor logged.`,
  })
  @Extensions({ sizedBy: ['addresses'] })
  async geocodeBatch(
    @Arg('addresses', () => [String], { description: `The addresses as free text, 1 to ${MAX_BATCH} of at most 500 characters.` })
    addresses: string[],
    @Ctx() { services }: RequestContext,
  ): Promise<GeocodeResult[]> {
    if (addresses.length < 1 || addresses.length > MAX_BATCH)
      throw invalid('addresses', `addresses must have 1 to ${MAX_BATCH} entries, but has ${addresses.length}`, 'OUT_OF_RANGE');
    for (const [at, address] of addresses.entries()) checkAddress(address, `addresses.${at}`);
    return geocodeAddresses(services, addresses);
  }

  @access('GEOCODE')
  @Query(() => [AddressSuggestion], {
    description:
      'Places that the end of an incomplete address may name: first those that fit its postcode and the language of its street words, then the largest. Words of a street name are not completed. For a form that completes while its user types. Names of any language of the place are not completed, only its main name and that of its country. The text is neither stored nor logged and never leaves the gateway.',
  })
  async suggestAddresses(
    @Arg('text', () => String, { description: 'The address as far as it was typed, at most 500 characters.' }) text: string,
    @Arg('country', () => CountryCode, { nullable: true, description: 'Country of the places, two letters; any when absent.' })
    country: string | null | undefined,
    @Arg('first', () => Int, { defaultValue: 10, description: `Number of suggestions, 1 to ${MAX_SUGGESTED}.` }) first: number,
    @Ctx() { services }: RequestContext,
  ): Promise<AddressSuggestion[]> {
    checkAddress(text, 'text');
    if (first < 1 || first > MAX_SUGGESTED) throw invalid('first', `first must be an integer from 1 to ${MAX_SUGGESTED}`, 'OUT_OF_RANGE');
    const geocoder = await embeddedGeocoder(services);
    return geocoder.suggest(text, country ? await knownCountry(services, country) : null, first);
  }

  @access('GEOCODE')
  @Query(() => ReverseGeocodeResult, {
    description: 'The country, the subdivision and the city of a position. It is neither stored nor logged and never leaves the gateway.',
  })
  async reverseGeocode(
    @Arg('latitude', () => Latitude, { description: 'Degrees north, -90 to 90 (WGS 84).' }) latitude: number,
    @Arg('longitude', () => Longitude, { description: 'Degrees east, -180 to 180 (WGS 84).' }) longitude: number,
    @Ctx() { services }: RequestContext,
  ): Promise<ReverseGeocodeResult> {
    return (await embeddedGeocoder(services)).reverse(latitude, longitude);
  }
}

/**
 * Returns the resolver that adds the field `geocode` to a type with an address. `lines` are the properties of the address, in postal order.
 * Like every geocoding it needs the role GEOCODE.
 */
export function storedAddressResolver(owner: RecordClass, lines: string[]): RecordClass {
  @Resolver(() => owner)
  class StoredAddressResolver {
    @FieldResolver(() => GeocodeResult, {
      nullable: true,
      description: 'The location of the address; null when the address is empty. Needs the role GEOCODE.',
    })
    @Extensions({ rest: 'never' })
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
      return parts.length === 0 ? null : geocodeAddress(context.services, parts.join(', ').slice(0, MAX_ADDRESS_LENGTH));
    }
  }
  return StoredAddressResolver;
}

// Geocoding in GraphQL: the query `geocode` for free text, and a field `geocode` on every type with an address.
import { Arg, Ctx, Extensions, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import { access, authorise } from '../access/authorise.ts';
import type { RequestContext } from '../access/context.ts';
import { resolverNeeds } from '../database/reader/projection.ts';
import { invalid } from '../records/errors.ts';
import type { RecordClass } from '../records/metadata.ts';
import { GeocodeResult } from './geocode-types.ts';
import { MAX_ADDRESS_LENGTH } from './geocoder/types.ts';
import { geocodeAddress } from './geocoding.ts';

const CONTROL = /\p{Cc}+/u;

function checkAddress(address: string): void {
  if (address.trim() === '') throw invalid('address', 'address must not be blank', 'REQUIRED');
  if (address.length > MAX_ADDRESS_LENGTH)
    throw invalid('address', `address must have at most ${MAX_ADDRESS_LENGTH} characters`, 'TOO_LONG');
  if (CONTROL.test(address))
    throw invalid('address', 'address must have no control characters; separate its lines by commas', 'INVALID_FORMAT');
  if (!address.isWellFormed()) throw invalid('address', 'address has half a surrogate pair', 'INVALID_FORMAT');
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
  resolverNeeds(owner.name, 'geocode', lines);
  return StoredAddressResolver;
}

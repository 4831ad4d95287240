// Formats an address as one line in the order of its country, from the parts found in the text.
import type { AddressComponents } from './types.ts';

/** Countries that write the house number before the street. */
const NUMBER_FIRST: ReadonlySet<string> = new Set(
  'US CA GB AU NZ IE FR LU MC IN ZA IL TH PH MY SG HK KE NG GH EG PK BD LK JM TT BB GP MQ GF RE YT PF NC'.split(' '),
);
/** Countries that write the postcode before the city. */
const CODE_FIRST: ReadonlySet<string> = new Set(
  'DE FR IT ES NL BE AT CH PL CZ SK HU RO BG GR PT DK SE NO FI IS EE LT HR SI RS BA ME MK AL LU MC SM TR IL MX GL FO GP MQ GF RE YT PF NC'.split(
    ' ',
  ),
);

export interface Names {
  readonly locality: string | null;
  readonly country: string;
  readonly alpha2: string;
}

export function formatAddress(parts: AddressComponents, names: Names): string {
  const numberFirst = NUMBER_FIRST.has(names.alpha2);
  const street = join(numberFirst ? [parts.houseNumber, parts.street] : [parts.street, parts.houseNumber]);
  const city = parts.city ?? names.locality;
  const code = parts.postalCode;
  const town = CODE_FIRST.has(names.alpha2) ? [join([code, city]), parts.state] : [city, join([parts.state, code])];
  return [parts.poBox && `PO Box ${parts.poBox}`, street, parts.unit, parts.district, ...town, names.country]
    .filter((part) => part)
    .join(', ');
}

const join = (words: readonly (string | null)[]): string => words.filter((word) => word).join(' ');

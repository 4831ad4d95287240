// Formats an address as one line in the order of its country, from the parts found in the text.
import type { AddressComponents } from './types.ts';

/** Countries that write the house number before the street. */
const NUMBER_FIRST: ReadonlySet<string> = new Set(
  'AD AE AG AM AS AU AZ BB BD BF BH BJ BL BM BN BZ CA CC CD CG CI CK CX DJ DM DZ EG FJ FK FM FR GA GB GF GG GH GI GM GN GP GS GU GY HK HM IE IM IN IO IQ JE JM KE KH KN KY LA LB LK LS LU MA MC MF MG MH MM MP MQ MR MS MT MU MV MW MY NA NC NE NF NG NR NU NZ OM PF PG PH PK PM PR RE RW SA SC SG SH SL SN TC TF TG TH TK TM TN TO TT TV TZ UG UM US VG VI VN WF YE YT ZA ZM ZW'.split(
    ' ',
  ),
);
/** Countries that write the postcode before the city. */
const CODE_FIRST: ReadonlySet<string> = new Set(
  'AD AL AM AR AT AX AZ BA BE BG BL BQ BV BY CH CL CN CO CV CY CZ DE DK DZ EC EE ES ET FI FO FR GE GF GL GN GP GR GT GW HN HR HT HU IL IS IT JO KG KW KZ LA LI LR LT LU MA MC MD ME MF MG MK MN MQ MX MY MZ NC NL NO OM PA PF PL PM PS PT PW PY RE RO RS SD SE SI SJ SK SM SN SV SY TF TJ TM TN TR TW TZ UY VA WF YT ZM'.split(
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

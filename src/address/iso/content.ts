// ISO 3166 content in memory: countries, subdivisions and codes that are no longer in force, looked up by code.

export interface IsoCountry {
  readonly alpha2: string;
  readonly alpha3: string | null;
  readonly numeric: string | null;
  readonly name: string;
  /** Formal and common name; content may have neither, as the shipped content does. */
  readonly officialName?: string | null;
  readonly commonName?: string | null;
}

/** A country that no longer exists under its code. */
export interface FormerCountry {
  readonly alpha2: string;
  readonly name: string;
  readonly supersededBy: readonly string[];
  /** Day, month or year; null where it is not known. */
  readonly withdrawnOn: string | null;
}

export interface IsoSubdivision {
  readonly code: string;
  readonly name: string;
  readonly type: string | null;
  /** Code of the subdivision above; null directly below the country. */
  readonly parent: string | null;
  readonly status: 'current' | 'withdrawn';
  readonly supersededBy: readonly string[];
  /** Day, month or year of the withdrawal; null where it is not known or the code is in force. */
  readonly withdrawnOn: string | null;
}

/** The rows of some content. */
export interface IsoRows {
  readonly countries: readonly IsoCountry[];
  readonly former: readonly FormerCountry[];
  readonly subdivisions: readonly IsoSubdivision[];
}

/** Countries and subdivisions by code, and a version that changes whenever the content does. */
export interface IsoContent {
  readonly version: string;
  /** The countries that ISO assigned a code, in the order of their names. */
  readonly countries: readonly IsoCountry[];
  /** A country in force; Kosovo too, whose code is user-assigned. */
  country(alpha2: string): IsoCountry | undefined;
  /** The country that had a code last; undefined while the code is in force. */
  former(alpha2: string): FormerCountry | undefined;
  /** A subdivision, in force or not. */
  subdivision(code: string): IsoSubdivision | undefined;
  /** The subdivisions of a country that are in force, of every level. */
  subdivisionsOf(alpha2: string): readonly IsoSubdivision[];
}

/** Kosovo has a user-assigned code that geocoders use; the register does not list it. */
const USER_ASSIGNED: IsoCountry = { alpha2: 'XK', alpha3: 'XKX', numeric: null, name: 'Kosovo' };

/** The content of some rows. */
export function isoContentOf({ version, countries, former, subdivisions }: IsoRows & { version: string }): IsoContent {
  const byAlpha2 = new Map(countries.map((country) => [country.alpha2, country]));
  const sorted = countries.toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
  const oldestFirst = former.toSorted((a, b) => ((a.withdrawnOn ?? '') < (b.withdrawnOn ?? '') ? -1 : 1));
  const formerByAlpha2 = new Map(oldestFirst.filter(({ alpha2 }) => !byAlpha2.has(alpha2)).map((country) => [country.alpha2, country]));
  const byCode = new Map(subdivisions.map((subdivision) => [subdivision.code, subdivision]));
  const inForce = subdivisions.filter(({ status }) => status === 'current');
  const byCountry = Map.groupBy(inForce, ({ code }) => code.slice(0, 2));
  return {
    version,
    countries: sorted,
    country: (alpha2) => byAlpha2.get(alpha2) ?? (alpha2 === USER_ASSIGNED.alpha2 ? USER_ASSIGNED : undefined),
    former: (alpha2) => formerByAlpha2.get(alpha2),
    subdivision: (code) => byCode.get(code),
    subdivisionsOf: (alpha2) => byCountry.get(alpha2) ?? [],
  };
}

/** The current code for a code that may be withdrawn. A cycle in the data ends after five codes. */
export function resolveCode(iso: IsoContent, code: string): IsoSubdivision | undefined {
  let row = iso.subdivision(code);
  for (let depth = 0; row?.status === 'withdrawn' && row.supersededBy.length > 0 && depth < 5; depth++)
    row = iso.subdivision(row.supersededBy[0]!);
  return row;
}

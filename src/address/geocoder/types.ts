// The result of a geocode call, in the shape of the response body (camelCase), and the engine contract.

export type Match = 'exact' | 'partial' | 'ambiguous' | 'none';
export type Precision = 'house' | 'street' | 'postal_code' | 'locality' | 'subdivision' | 'country';

export interface CountryRef {
  alpha2: string;
  alpha3: string | null;
  numeric: string | null;
  name: string;
}

export interface SubdivisionRef {
  code: string;
  name: string;
  type: string | null;
  /** 1 directly below the country. */
  level: number;
}

export interface LocalityRef {
  name: string;
  localName: string | null;
  geonamesId: number | null;
  population: number | null;
}

export interface AddressComponents {
  houseNumber: string | null;
  street: string | null;
  unit: string | null;
  poBox: string | null;
  district: string | null;
  city: string | null;
  state: string | null;
  postalCode: string | null;
  country: string | null;
}

/** How sure a part of an address is. */
export type VerdictLevel = 'CONFIRMED' | 'INFERRED' | 'REPLACED' | 'CORRECTED' | 'UNRESOLVED';

/** A part of an address, named as in `components` of a response body. */
export type ComponentName = 'country' | 'state' | 'city' | 'postal_code' | 'street' | 'house_number' | 'unit' | 'po_box' | 'district';

export interface VerdictComponent {
  name: ComponentName;
  level: VerdictLevel;
}

/** What a caller should do with a result. */
export interface Verdict {
  next: 'ACCEPT' | 'CONFIRM' | 'FIX';
  /** Parts that the country requires and that the address neither has nor implies. */
  missing: ComponentName[];
  components: VerdictComponent[];
}

export interface Evidence {
  kind:
    | 'country_name'
    | 'country_code'
    | 'subdivision_name'
    | 'subdivision_code'
    | 'postcode_format'
    | 'postcode_rule'
    | 'place'
    | 'language'
    | 'upstream';
  text: string;
  supports: string;
}

export interface GeocodedAddress {
  formatted: string;
  country: CountryRef;
  /** For a territory with a code of its own: the state it belongs to, and its subdivision code there. */
  parentCountry: string | null;
  parentSubdivision: string | null;
  subdivision: SubdivisionRef | null;
  subdivisionPath: SubdivisionRef[];
  county: { name: string; code: string; scheme: 'FIPS' } | null;
  locality: LocalityRef | null;
  postalCode: { value: string; validFormat: boolean; consistent: boolean | null } | null;
  components: AddressComponents;
  coordinates: { latitude: number; longitude: number } | null;
  precision: Precision;
  accuracyMeters: number | null;
  evidence: Evidence[];
  verdict: Verdict;
}

export interface Alternative {
  country: string;
  subdivision: string | null;
  locality: string | null;
  confidence: number;
}

export interface GeocodeResult {
  query: { address: string; normalized: string };
  match: Match;
  confidence: number;
  result: GeocodedAddress | null;
  alternatives: Alternative[];
  engine: { name: string; dataVersion: string; isoVersion: string; attribution: string[] };
  debug?: Readonly<Record<string, number>>;
}

export const MAX_ADDRESS_LENGTH = 500;

/** A text that an incomplete one may become, and the place it then names. */
export interface AddressSuggestion {
  text: string;
  country: CountryRef;
  subdivision: SubdivisionRef | null;
  locality: LocalityRef;
  coordinates: { latitude: number; longitude: number };
}

/** Where a position is; every member is null or empty where no place is near. */
export interface ReverseGeocodeResult {
  country: CountryRef | null;
  subdivision: SubdivisionRef | null;
  subdivisionPath: SubdivisionRef[];
  locality: LocalityRef | null;
  /** The position of that locality. */
  coordinates: { latitude: number; longitude: number } | null;
  distanceMeters: number | null;
}

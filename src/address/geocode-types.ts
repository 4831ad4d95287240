// The GraphQL types of a geocoding result, with the same members as the geocoder's own types.
import { Extensions, Field, Float, Int, ObjectType } from 'type-graphql';
import { defineEnum } from '../records/enums.ts';
import { CountryCode, Latitude, Longitude } from '../records/scalars.ts';
import type * as Geocoder from './geocoder/types.ts';

export const GeocodeMatch = defineEnum('GeocodeMatch', 'Quality of the match of an address.', {
  exact: 'A place was found that matches the whole address.',
  partial: 'A place or area was found, but a part of the address is unclear.',
  ambiguous: 'Several places match about equally well; see `alternatives`.',
  none: 'No place was found.',
});

export const GeocodePrecision = defineEnum(
  'GeocodePrecision',
  'Precision of the coordinates. The embedded engine never returns HOUSE or STREET.',
  {
    house: 'Building.',
    street: 'The street, not the building.',
    postal_code: 'Area of the postal code.',
    locality: 'The city, town or village.',
    subdivision: 'State or province, without coordinates.',
    country: 'Country, without coordinates.',
  },
);

export const EvidenceKind = defineEnum('EvidenceKind', 'Kind of evidence for a result.', {
  country_name: 'A name of the country.',
  country_code: 'A code of the country.',
  subdivision_name: 'A name of a subdivision.',
  subdivision_code: 'A code of a subdivision.',
  postcode_format: 'The form of the postal code.',
  postcode_rule: 'The place a postal code belongs to.',
  place: 'The name of a place.',
  language: 'Words of a language.',
  upstream: 'Response of the upstream engine.',
});

export const NextStep = defineEnum('GeocodeNextStep', 'Recommended handling of a geocoded address.', {
  ACCEPT: 'Use it: every part that was looked up matches, and no required part is missing.',
  CONFIRM: 'Ask a person to confirm it: a part was corrected, replaced or is ambiguous.',
  FIX: 'Ask for the address again: a required part is missing or was not found.',
});

export const VerdictLevel = defineEnum('GeocodeVerdictLevel', 'Confidence in a part of an address.', {
  CONFIRMED: 'In the address, and consistent with the other parts and the place data.',
  INFERRED: 'Not in the address, but implied by the other parts.',
  REPLACED: 'The address has another value, which contradicts other parts.',
  CORRECTED: 'Misspelled in the address.',
  UNRESOLVED: 'Not found, contradictory, or not looked up: the embedded engine has no streets.',
});

export const AddressPart = defineEnum('AddressPart', 'A part of an address.', {
  country: 'Country.',
  state: 'State, province or other subdivision.',
  city: 'City, town or village.',
  postal_code: 'Postal code.',
  street: 'Street.',
  house_number: 'House number.',
  unit: 'Apartment, suite or floor.',
  po_box: 'Post office box.',
  district: 'Part of the city.',
});

@ObjectType({ description: 'Confidence in a part of an address.', simpleResolvers: true })
export class GeocodeVerdictComponent implements Geocoder.VerdictComponent {
  @Field(() => AddressPart.values, { description: 'Part of the address.' }) name!: Geocoder.ComponentName;
  @Field(() => VerdictLevel.values, { description: 'Confidence level.' }) level!: Geocoder.VerdictLevel;
}

@ObjectType({ description: 'Recommended handling of a geocoded address, with reasons.', simpleResolvers: true })
export class GeocodeVerdict implements Geocoder.Verdict {
  @Field(() => NextStep.values, { description: 'Recommended next step.' }) next!: Geocoder.Verdict['next'];
  @Field(() => [AddressPart.values], {
    description: 'Parts that the country requires (libaddressinput) and that the address lacks.',
  })
  missing!: Geocoder.ComponentName[];
  @Field(() => [GeocodeVerdictComponent], { description: 'Parts that the address has or implies.' })
  components!: GeocodeVerdictComponent[];
}

@ObjectType({ description: 'Geocoded input.', simpleResolvers: true })
export class GeocodeQuery {
  @Field(() => String, { description: 'Address as submitted.' }) address!: string;
  @Field(() => String, { description: 'Address as matched.' }) normalized!: string;
}

@ObjectType({ description: 'The country of an address (ISO 3166-1).', simpleResolvers: true })
export class GeocodedCountry implements Geocoder.CountryRef {
  @Field(() => CountryCode, { description: 'Two-letter code.' }) @Extensions({ jsonName: 'alpha_2' }) alpha2!: string;
  @Field(() => String, { nullable: true, description: 'Three-letter code.' }) @Extensions({ jsonName: 'alpha_3' }) alpha3!: string | null;
  @Field(() => String, { nullable: true, description: 'Three-digit code.' }) numeric!: string | null;
  @Field(() => String, { description: 'Display name.' }) name!: string;
}

@ObjectType({ description: 'A subdivision of the country of an address (ISO 3166-2).', simpleResolvers: true })
export class GeocodedSubdivision implements Geocoder.SubdivisionRef {
  @Field(() => String, { description: 'ISO 3166-2 code, such as US-CA.' }) code!: string;
  @Field(() => String, { description: 'Display name.' }) name!: string;
  @Field(() => String, { nullable: true, description: 'Kind of subdivision.' }) type!: string | null;
  @Field(() => Int, { description: 'Level of the subdivision, 1 directly below the country.' }) level!: number;
}

@ObjectType({ description: 'The county of an address in the United States.', simpleResolvers: true })
export class GeocodedCounty {
  @Field(() => String, { description: 'Display name.' }) name!: string;
  @Field(() => String, { description: 'Code in the scheme.' }) code!: string;
  @Field(() => String, { description: 'Scheme of the code: FIPS.' }) scheme!: string;
}

@ObjectType({ description: 'The city, town or village of an address.', simpleResolvers: true })
export class GeocodedLocality implements Geocoder.LocalityRef {
  @Field(() => String, { description: 'Display name.' }) name!: string;
  @Field(() => String, { nullable: true, description: 'Name in the language of the country, if different.' }) localName!: string | null;
  @Field(() => Int, { nullable: true, description: 'Number of the place in GeoNames.' }) geonamesId!: number | null;
  @Field(() => Int, { nullable: true, description: 'Number of inhabitants, if known.' }) population!: number | null;
}

@ObjectType({ description: 'The postal code of an address.', simpleResolvers: true })
export class GeocodedPostalCode {
  @Field(() => String, { description: 'The code itself.' }) value!: string;
  @Field(() => Boolean, { description: 'Whether it has the format of the country.' }) validFormat!: boolean;
  @Field(() => Boolean, { nullable: true, description: 'Whether it is consistent with the country and subdivision; null if unknown.' })
  consistent!: boolean | null;
}

@ObjectType({ description: 'Parts of an address as submitted.', simpleResolvers: true })
export class GeocodedComponents implements Geocoder.AddressComponents {
  @Field(() => String, { nullable: true, description: 'House number.' }) houseNumber!: string | null;
  @Field(() => String, { nullable: true, description: 'Street.' }) street!: string | null;
  @Field(() => String, { nullable: true, description: 'Apartment, suite or floor.' }) unit!: string | null;
  @Field(() => String, { nullable: true, description: 'Post office box.' }) poBox!: string | null;
  @Field(() => String, { nullable: true, description: 'Part of the city.' }) district!: string | null;
  @Field(() => String, { nullable: true, description: 'City or town.' }) city!: string | null;
  @Field(() => String, { nullable: true, description: 'State or province.' }) state!: string | null;
  @Field(() => String, { nullable: true, description: 'Postal code.' }) postalCode!: string | null;
  @Field(() => String, { nullable: true, description: 'Country.' }) country!: string | null;
}

@ObjectType({ description: 'Coordinates in WGS 84.', simpleResolvers: true })
export class Coordinates {
  @Field(() => Latitude, { description: 'Degrees north.' }) latitude!: number;
  @Field(() => Longitude, { description: 'Degrees east.' }) longitude!: number;
}

@ObjectType({ description: 'A piece of evidence for a result.', simpleResolvers: true })
export class GeocodeEvidence implements Geocoder.Evidence {
  @Field(() => EvidenceKind.values, { description: 'What was found in the text.' }) kind!: Geocoder.Evidence['kind'];
  @Field(() => String, { description: 'Words of the address.' }) text!: string;
  @Field(() => String, { description: 'Area or place that the evidence supports.' }) supports!: string;
}

@ObjectType({ description: 'A located address.', simpleResolvers: true })
export class GeocodedAddress implements Geocoder.GeocodedAddress {
  @Field(() => String, { description: 'Address formatted as usual in its country.' }) formatted!: string;
  @Field(() => GeocodedCountry, { description: 'Country (ISO 3166-1).' }) country!: GeocodedCountry;
  @Field(() => CountryCode, { nullable: true, description: 'For a territory with its own country code: its parent country.' })
  parentCountry!: string | null;
  @Field(() => String, { nullable: true, description: 'For such a territory: its code as a subdivision of the parent country.' })
  parentSubdivision!: string | null;
  @Field(() => GeocodedSubdivision, { nullable: true, description: 'Most specific certain subdivision.' })
  subdivision!: GeocodedSubdivision | null;
  @Field(() => [GeocodedSubdivision], { description: 'Subdivisions from the top level down to `subdivision`.' })
  subdivisionPath!: GeocodedSubdivision[];
  @Field(() => GeocodedCounty, { nullable: true, description: 'The county, in the United States.' })
  county!: Geocoder.GeocodedAddress['county'];
  @Field(() => GeocodedLocality, { nullable: true, description: 'The city, town or village.' }) locality!: GeocodedLocality | null;
  @Field(() => GeocodedPostalCode, { nullable: true, description: 'Postal or ZIP code.' }) postalCode!: GeocodedPostalCode | null;
  @Field(() => GeocodedComponents, { description: 'Parts of the address as submitted.' }) components!: GeocodedComponents;
  @Field(() => Coordinates, { nullable: true, description: 'Latitude and longitude (WGS 84).' }) coordinates!: Coordinates | null;
  @Field(() => GeocodePrecision.values, { description: 'Precision of the coordinates.' }) precision!: Geocoder.Precision;
  @Field(() => Int, { nullable: true, description: 'Estimated radius around the coordinates, in meters.' }) accuracyMeters!: number | null;
  @Field(() => [GeocodeEvidence], { description: 'Evidence for the result.' }) evidence!: GeocodeEvidence[];
  @Field(() => GeocodeVerdict, { description: 'Recommended handling, with the confidence in each part.' }) verdict!: GeocodeVerdict;
}

@ObjectType({ description: 'An alternative place for an address.', simpleResolvers: true })
export class GeocodeAlternative implements Geocoder.Alternative {
  @Field(() => CountryCode, { description: 'Two-letter code of the country.' }) country!: string;
  @Field(() => String, { nullable: true, description: 'Code of the subdivision.' }) subdivision!: string | null;
  @Field(() => String, { nullable: true, description: 'City, town or village.' }) locality!: string | null;
  @Field(() => Float, { description: 'Probability, 0 to 1.' }) confidence!: number;
}

@ObjectType({ description: 'Engine that produced the result.', simpleResolvers: true })
export class GeocodeEngineInfo {
  @Field(() => String, { description: 'Name of the engine that found it.' }) name!: string;
  @Field(() => String, { description: 'Version of its place data.' }) dataVersion!: string;
  @Field(() => String, { description: 'Version of the ISO 3166 content.' }) isoVersion!: string;
  @Field(() => [String], { description: 'Attribution of the data, to be shown with results.' }) attribution!: string[];
}

@ObjectType({
  description:
    'Result for an address. For taxes, use it without a manual check only if the match is EXACT and the confidence at least 0.8; in the United States, the state alone does not determine local rates.',
  simpleResolvers: true,
})
export class GeocodeResult implements Geocoder.GeocodeResult {
  @Field(() => GeocodeQuery, { description: 'Geocoded input.' }) query!: GeocodeQuery;
  @Field(() => GeocodeMatch.values, { description: 'Quality of the match.' }) match!: Geocoder.Match;
  @Field(() => Float, { description: 'Confidence in the country, 0 to 1.' }) confidence!: number;
  @Field(() => GeocodedAddress, { nullable: true, description: 'Located address; null if no place was found.' })
  result!: GeocodedAddress | null;
  @Field(() => [GeocodeAlternative], { description: 'Up to five alternative places.' }) alternatives!: GeocodeAlternative[];
  @Field(() => GeocodeEngineInfo, { description: 'Engine that produced the result.' }) engine!: GeocodeEngineInfo;
}

@ObjectType({ description: 'A completion of an incomplete address.', simpleResolvers: true })
export class AddressSuggestion implements Geocoder.AddressSuggestion {
  @Field(() => String, { description: 'The text, completed with the place, its subdivision and its country.' }) text!: string;
  @Field(() => GeocodedCountry, { description: 'Country (ISO 3166-1).' }) country!: GeocodedCountry;
  @Field(() => GeocodedSubdivision, { nullable: true, description: 'Most specific subdivision of the place.' })
  subdivision!: GeocodedSubdivision | null;
  @Field(() => GeocodedLocality, { description: 'The city, town or village.' }) locality!: GeocodedLocality;
  @Field(() => Coordinates, { description: 'Coordinates of the place.' }) coordinates!: Coordinates;
}

@ObjectType({
  description:
    'Location of a position, by nearby places; near a border it may be wrong. All members are null without a place within 100 km.',
  simpleResolvers: true,
})
export class ReverseGeocodeResult implements Geocoder.ReverseGeocodeResult {
  @Field(() => GeocodedCountry, { nullable: true, description: 'Country of the nearest place.' }) country!: GeocodedCountry | null;
  @Field(() => GeocodedSubdivision, { nullable: true, description: 'Most specific subdivision of the nearest place.' })
  subdivision!: GeocodedSubdivision | null;
  @Field(() => [GeocodedSubdivision], { description: 'Subdivisions from the top level down to `subdivision`.' })
  subdivisionPath!: GeocodedSubdivision[];
  @Field(() => GeocodedLocality, {
    nullable: true,
    description: 'Nearest city, town or village, weighted by its size.',
  })
  locality!: GeocodedLocality | null;
  @Field(() => Coordinates, { nullable: true, description: 'Coordinates of `locality`.' })
  coordinates!: Coordinates | null;
  @Field(() => Int, { nullable: true, description: 'Distance from the position to `locality`, in meters.' }) distanceMeters!: number | null;
}

// The GraphQL types of a geocode answer, with the same members as the geocoder's own types.
import { Extensions, Field, Float, Int, ObjectType } from 'type-graphql';
import { defineEnum } from '../records/enums.ts';
import { CountryCode, Latitude, Longitude } from '../records/scalars.ts';
import type * as Answer from './geocoder/types.ts';

export const GeocodeMatch = defineEnum('GeocodeMatch', 'How well an address was understood.', {
  exact: 'A place was found that fits everything in the address.',
  partial: 'A place or area was found, but part of the address was not understood or is unsure.',
  ambiguous: 'Several places fit about equally well; see the alternatives.',
  none: 'Nothing was found.',
});

export const GeocodePrecision = defineEnum(
  'GeocodePrecision',
  'What the coordinates locate. The embedded engine never answers house or street.',
  {
    house: 'The building.',
    street: 'The street.',
    postal_code: 'The area of the postal code.',
    locality: 'The city, town or village.',
    subdivision: 'The state or province; no coordinates.',
    country: 'The country; no coordinates.',
  },
);

export const EvidenceKind = defineEnum('EvidenceKind', 'Kind of evidence for an answer.', {
  country_name: 'A name of the country.',
  country_code: 'A code of the country.',
  subdivision_name: 'A name of a subdivision.',
  subdivision_code: 'A code of a subdivision.',
  postcode_format: 'The form of the postal code.',
  postcode_rule: 'The place a postal code belongs to.',
  place: 'The name of a place.',
  language: 'Words of a language.',
  upstream: 'The answer of the upstream engine.',
});

export const NextStep = defineEnum('GeocodeNextStep', 'What to do with a geocoded address.', {
  ACCEPT: 'Use it: every part that was looked up fits, and nothing that the country requires is missing.',
  CONFIRM: 'Show it to a person: it is likely, but part of it was corrected, replaced or could mean something else.',
  FIX: 'Ask for the address again: a required part is missing, or a part could not be found.',
});

export const VerdictLevel = defineEnum('GeocodeVerdictLevel', 'How sure a part of an address is.', {
  CONFIRMED: 'The address has it, and it fits the other parts and the place data.',
  INFERRED: 'The address lacks it; it follows from the other parts.',
  REPLACED: 'The address has another value, which contradicts the other parts.',
  CORRECTED: 'The address has it misspelt.',
  UNRESOLVED:
    'The address has it, but it was not found, or contradicts the other parts, or is not looked up: the embedded engine has no streets.',
});

export const AddressPart = defineEnum('AddressPart', 'A part of an address.', {
  country: 'Country.',
  state: 'State, province or other subdivision.',
  city: 'City, town or village.',
  postal_code: 'Postal code.',
  street: 'Street.',
  house_number: 'House number.',
  unit: 'Flat, suite or floor.',
  po_box: 'Post office box.',
  district: 'Part of the city.',
});

@ObjectType({ description: 'How sure a part of an address is.', simpleResolvers: true })
export class GeocodeVerdictComponent implements Answer.VerdictComponent {
  @Field(() => AddressPart.values, { description: 'The part.' }) name!: Answer.ComponentName;
  @Field(() => VerdictLevel.values, { description: 'How sure it is.' }) level!: Answer.VerdictLevel;
}

@ObjectType({ description: 'What to do with a geocoded address, and why.', simpleResolvers: true })
export class GeocodeVerdict implements Answer.Verdict {
  @Field(() => NextStep.values, { description: 'The next step.' }) next!: Answer.Verdict['next'];
  @Field(() => [AddressPart.values], {
    description: 'The parts that addresses of the country require (libaddressinput) and that this one neither has nor implies.',
  })
  missing!: Answer.ComponentName[];
  @Field(() => [GeocodeVerdictComponent], { description: 'The parts that the address has or implies.' })
  components!: GeocodeVerdictComponent[];
}

@ObjectType({ description: 'What was geocoded.', simpleResolvers: true })
export class GeocodeQuery {
  @Field(() => String, { description: 'The address as it was given.' }) address!: string;
  @Field(() => String, { description: 'The address as it was matched.' }) normalized!: string;
}

@ObjectType({ description: 'The country of an address (ISO 3166-1).', simpleResolvers: true })
export class GeocodedCountry implements Answer.CountryRef {
  @Field(() => CountryCode, { description: 'Two-letter code.' }) @Extensions({ jsonName: 'alpha_2' }) alpha2!: string;
  @Field(() => String, { nullable: true, description: 'Three-letter code.' }) @Extensions({ jsonName: 'alpha_3' }) alpha3!: string | null;
  @Field(() => String, { nullable: true, description: 'Three-digit code.' }) numeric!: string | null;
  @Field(() => String, { description: 'Name.' }) name!: string;
}

@ObjectType({ description: 'A subdivision of the country of an address (ISO 3166-2).', simpleResolvers: true })
export class GeocodedSubdivision implements Answer.SubdivisionRef {
  @Field(() => String, { description: 'Code.' }) code!: string;
  @Field(() => String, { description: 'Name.' }) name!: string;
  @Field(() => String, { nullable: true, description: 'Kind of subdivision.' }) type!: string | null;
  @Field(() => Int, { description: '1 directly below the country.' }) level!: number;
}

@ObjectType({ description: 'The county of an address in the United States.', simpleResolvers: true })
export class GeocodedCounty {
  @Field(() => String, { description: 'Name.' }) name!: string;
  @Field(() => String, { description: 'Code in the scheme.' }) code!: string;
  @Field(() => String, { description: 'Scheme of the code: FIPS.' }) scheme!: string;
}

@ObjectType({ description: 'The city, town or village of an address.', simpleResolvers: true })
export class GeocodedLocality implements Answer.LocalityRef {
  @Field(() => String, { description: 'Name.' }) name!: string;
  @Field(() => String, { nullable: true, description: 'Name in the language of the country, where it differs.' }) localName!: string | null;
  @Field(() => Int, { nullable: true, description: 'Number of the place in GeoNames.' }) geonamesId!: number | null;
  @Field(() => Int, { nullable: true, description: 'Inhabitants, where known.' }) population!: number | null;
}

@ObjectType({ description: 'The postal code of an address.', simpleResolvers: true })
export class GeocodedPostalCode {
  @Field(() => String, { description: 'The code.' }) value!: string;
  @Field(() => Boolean, { description: 'Whether it has the form of the country.' }) validFormat!: boolean;
  @Field(() => Boolean, { nullable: true, description: 'Whether it agrees with the country and subdivision; null when that is unknown.' })
  consistent!: boolean | null;
}

@ObjectType({ description: 'The parts of an address as it was given.', simpleResolvers: true })
export class GeocodedComponents implements Answer.AddressComponents {
  @Field(() => String, { nullable: true, description: 'House number.' }) houseNumber!: string | null;
  @Field(() => String, { nullable: true, description: 'Street.' }) street!: string | null;
  @Field(() => String, { nullable: true, description: 'Flat, suite or floor.' }) unit!: string | null;
  @Field(() => String, { nullable: true, description: 'Post office box.' }) poBox!: string | null;
  @Field(() => String, { nullable: true, description: 'Part of the city.' }) district!: string | null;
  @Field(() => String, { nullable: true, description: 'City.' }) city!: string | null;
  @Field(() => String, { nullable: true, description: 'State or province.' }) state!: string | null;
  @Field(() => String, { nullable: true, description: 'Postal code.' }) postalCode!: string | null;
  @Field(() => String, { nullable: true, description: 'Country.' }) country!: string | null;
}

@ObjectType({ description: 'A position, WGS 84.', simpleResolvers: true })
export class Coordinates {
  @Field(() => Latitude, { description: 'Degrees north.' }) latitude!: number;
  @Field(() => Longitude, { description: 'Degrees east.' }) longitude!: number;
}

@ObjectType({ description: 'A piece of evidence for an answer.', simpleResolvers: true })
export class GeocodeEvidence implements Answer.Evidence {
  @Field(() => EvidenceKind.values, { description: 'Kind of evidence.' }) kind!: Answer.Evidence['kind'];
  @Field(() => String, { description: 'The words of the address.' }) text!: string;
  @Field(() => String, { description: 'The area or place that they support.' }) supports!: string;
}

@ObjectType({ description: 'An address as it was understood.', simpleResolvers: true })
export class GeocodedAddress implements Answer.GeocodedAddress {
  @Field(() => String, { description: 'The address in the order usual in its country.' }) formatted!: string;
  @Field(() => GeocodedCountry, { description: 'The country.' }) country!: GeocodedCountry;
  @Field(() => CountryCode, { nullable: true, description: 'For a territory with a country code of its own: the state it belongs to.' })
  parentCountry!: string | null;
  @Field(() => String, { nullable: true, description: 'For such a territory: its code as a subdivision of that state.' })
  parentSubdivision!: string | null;
  @Field(() => GeocodedSubdivision, { nullable: true, description: 'The most specific subdivision that is certain.' })
  subdivision!: GeocodedSubdivision | null;
  @Field(() => [GeocodedSubdivision], { description: 'The subdivisions from the top down to that one.' })
  subdivisionPath!: GeocodedSubdivision[];
  @Field(() => GeocodedCounty, { nullable: true, description: 'The county, in the United States.' })
  county!: Answer.GeocodedAddress['county'];
  @Field(() => GeocodedLocality, { nullable: true, description: 'The city, town or village.' }) locality!: GeocodedLocality | null;
  @Field(() => GeocodedPostalCode, { nullable: true, description: 'The postal code.' }) postalCode!: GeocodedPostalCode | null;
  @Field(() => GeocodedComponents, { description: 'The parts of the address as it was given.' }) components!: GeocodedComponents;
  @Field(() => Coordinates, { nullable: true, description: 'The position.' }) coordinates!: Coordinates | null;
  @Field(() => GeocodePrecision.values, { description: 'What the position locates.' }) precision!: Answer.Precision;
  @Field(() => Int, { nullable: true, description: 'Estimated radius around the position, in metres.' }) accuracyMeters!: number | null;
  @Field(() => [GeocodeEvidence], { description: 'The evidence for the answer.' }) evidence!: GeocodeEvidence[];
  @Field(() => GeocodeVerdict, { description: 'What to do with the address, and how sure each part is.' }) verdict!: GeocodeVerdict;
}

@ObjectType({ description: 'Another place an address may mean.', simpleResolvers: true })
export class GeocodeAlternative implements Answer.Alternative {
  @Field(() => CountryCode, { description: 'Two-letter code of the country.' }) country!: string;
  @Field(() => String, { nullable: true, description: 'Code of the subdivision.' }) subdivision!: string | null;
  @Field(() => String, { nullable: true, description: 'City, town or village.' }) locality!: string | null;
  @Field(() => Float, { description: 'How likely it is, 0 to 1.' }) confidence!: number;
}

@ObjectType({ description: 'The engine that answered.', simpleResolvers: true })
export class GeocodeEngineInfo {
  @Field(() => String, { description: 'Name of the engine.' }) name!: string;
  @Field(() => String, { description: 'Version of its place data.' }) dataVersion!: string;
  @Field(() => String, { description: 'Version of the ISO 3166 content.' }) isoVersion!: string;
  @Field(() => [String], { description: 'Attribution of the data, to be shown with answers.' }) attribution!: string[];
}

@ObjectType({
  description:
    'The answer to an address. For taxes, use it without a manual check only at a confidence of at least 0.8 and an exact match; in the United States the state alone does not determine local rates.',
  simpleResolvers: true,
})
export class GeocodeResult implements Answer.GeocodeResult {
  @Field(() => GeocodeQuery, { description: 'What was geocoded.' }) query!: GeocodeQuery;
  @Field(() => GeocodeMatch.values, { description: 'How well the address was understood.' }) match!: Answer.Match;
  @Field(() => Float, { description: 'How sure the country is, 0 to 1.' }) confidence!: number;
  @Field(() => GeocodedAddress, { nullable: true, description: 'The address; null when nothing was found.' })
  result!: GeocodedAddress | null;
  @Field(() => [GeocodeAlternative], { description: 'Up to five other places it may mean.' }) alternatives!: GeocodeAlternative[];
  @Field(() => GeocodeEngineInfo, { description: 'The engine that answered.' }) engine!: GeocodeEngineInfo;
}

@ObjectType({ description: 'An address that an incomplete text may become.', simpleResolvers: true })
export class AddressSuggestion implements Answer.AddressSuggestion {
  @Field(() => String, { description: 'The text with its end completed to the place, its subdivision and its country.' }) text!: string;
  @Field(() => GeocodedCountry, { description: 'The country.' }) country!: GeocodedCountry;
  @Field(() => GeocodedSubdivision, { nullable: true, description: 'The most specific subdivision of the place.' })
  subdivision!: GeocodedSubdivision | null;
  @Field(() => GeocodedLocality, { description: 'The city, town or village.' }) locality!: GeocodedLocality;
  @Field(() => Coordinates, { description: 'The position of the place.' }) coordinates!: Coordinates;
}

@ObjectType({
  description:
    'Where a position is, by the places near it: near a border it may be on the other side. Without a place within 100 km everything is null.',
  simpleResolvers: true,
})
export class ReverseGeocodeResult implements Answer.ReverseGeocodeResult {
  @Field(() => GeocodedCountry, { nullable: true, description: 'The country of the nearest place.' }) country!: GeocodedCountry | null;
  @Field(() => GeocodedSubdivision, { nullable: true, description: 'The most specific subdivision of the nearest place.' })
  subdivision!: GeocodedSubdivision | null;
  @Field(() => [GeocodedSubdivision], { description: 'The subdivisions from the top down to that one.' })
  subdivisionPath!: GeocodedSubdivision[];
  @Field(() => GeocodedLocality, {
    nullable: true,
    description: 'The city, town or village there that the position is nearest to for its size.',
  })
  locality!: GeocodedLocality | null;
  @Field(() => Coordinates, { nullable: true, description: 'The position of that city, town or village.' })
  coordinates!: Coordinates | null;
  @Field(() => Int, { nullable: true, description: 'Distance from the position to it, in metres.' }) distanceMeters!: number | null;
}

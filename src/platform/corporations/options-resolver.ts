// What the forms of corporations and incorporation requests choose from: countries with their legal forms, and kinds of tax ids.
import { Arg, Extensions, Field, ObjectType, Query, Resolver } from 'type-graphql';
import { access } from '../../access/authorise.ts';
import { defineEnum } from '../../records/enums.ts';
import { CountryCode, LocalDate } from '../../records/scalars.ts';
import { isReference } from '../../records/schema-extensions.ts';
import { CORPORATION_COUNTRIES, type CorporationCountry, EntityForms } from '../shared/corporation-types.ts';
import { checkCountry, countryName, subdivisionName } from '../shared/countries.ts';
import { IDENTIFIER_KINDS, IdentifierPurposes } from '../shared/government-identifiers.ts';
import { checkedValue } from '../shared/payloads.ts';

export const StateRule = defineEnum<CorporationCountry['stateRule']>('StateRule', 'Whether companies of a country are formed in a state.', {
  required: 'A state is required.',
  optional: 'A state is optional; without one, the company is formed nationally.',
  absent: 'No state can be given.',
});

@ObjectType({ description: 'A subdivision in which a company can be formed.', simpleResolvers: true })
export class IncorporationState {
  @Field(() => String, { description: 'ISO 3166-2 suffix, for `state`.' }) code!: string;
  @Field(() => String, { description: 'Display name.' }) name!: string;
}

@ObjectType({ description: 'A type of company that can be formed in a country.', simpleResolvers: true })
export class IncorporationType {
  @Field(() => String, { description: 'Name for `corporationType` of an incorporation request.' }) corporationType!: string;
  @Field(() => EntityForms.values, { description: 'Legal form for `entityType` of a corporation.' }) entityType!: string;
}

@ObjectType({ description: 'A country in which companies can be formed.', simpleResolvers: true })
export class IncorporationCountry {
  @Field(() => CountryCode, { description: 'Two-letter country code (ISO 3166-1).' }) country!: string;
  @Field(() => String, { description: 'Name in English.' }) name!: string;
  @Field(() => StateRule.values, { description: 'Whether a state is required.' }) stateRule!: string;
  @Field(() => [IncorporationState], { description: 'Available states; empty if no state can be given.' })
  states!: IncorporationState[];
  @Field(() => [IncorporationType], { description: 'Available types of company.' }) types!: IncorporationType[];
}

@ObjectType({ description: 'A kind of government number for companies.', simpleResolvers: true })
export class TaxIdKind {
  @Field(() => String, { description: 'The kind, such as US_EIN: `type` of a tax id and `key` of a government identifier.' })
  type!: string;
  @Field(() => String, { description: 'Same as `type`.', deprecationReason: 'Use `type`.' })
  key!: string;
  @Field(() => CountryCode, { description: 'Country of the authority (ISO 3166-1, two letters).' }) country!: string;
  @Field(() => String, { description: 'Name in the language of the authority.' }) name!: string;
  @Field(() => String, { description: 'Display name.', deprecationReason: 'Use `name`.' }) displayName!: string;
  @Field(() => String, { description: 'Abbreviation, such as EIN.' }) shortName!: string;
  @Field(() => String, { description: 'What the number is.' }) description!: string;
  @Field(() => [IdentifierPurposes.values], { description: 'Purposes of the number.' }) purposes!: readonly string[];
  @Field(() => String, { description: 'Anchored regular expression of the numbers, in upper case without spaces.' }) pattern!: string;
  @Field(() => String, { description: 'Anchored regular expression.', deprecationReason: 'Use `pattern`.' }) regexString!: string;
  @Field(() => String, { description: 'An invented number that passes every check.' }) example!: string;
  @Field(() => Boolean, { description: 'Whether check digits are checked in addition to the pattern.' }) hasCheckDigits!: boolean;
  @Field(() => String, { description: 'Source of the rule.' }) source!: string;
  @Field(() => LocalDate, { nullable: true, description: 'When the rule was checked against the source; null if never.' })
  checkedAt!: string | null;
  @Field(() => [EntityForms.values], { nullable: true, description: 'Legal forms that have it; null for all of the country.' })
  corporationTypes!: readonly string[] | null;
}

const incorporationCountries = (): IncorporationCountry[] =>
  Object.entries(CORPORATION_COUNTRIES).map(([country, { stateRule, states, types }]) => ({
    country,
    name: countryName(country) ?? country,
    stateRule,
    states: states().map((code) => ({ code, name: subdivisionName(country, code) ?? code })),
    types: types.map(({ request, form }) => ({ corporationType: request, entityType: form })),
  }));

@Resolver()
export class OptionsResolver {
  @isReference
  @access('PLATFORM', 'ENTITIES')
  @Query(() => [IncorporationCountry], {
    description: 'The countries in which companies can be formed, with the types of company of each.',
  })
  incorporationCountries(): IncorporationCountry[] {
    return incorporationCountries();
  }

  @isReference
  @access('PLATFORM', 'ENTITIES')
  @Query(() => [TaxIdKind], {
    description: 'Kinds of tax ids and other company numbers that the gateway checks; empty for a country without any.',
  })
  @Extensions({ size: IDENTIFIER_KINDS.size })
  taxIdKinds(
    @Arg('country', () => CountryCode, { nullable: true, description: 'Two-letter country code of the authority; default all countries.' })
    country: string | null,
  ): TaxIdKind[] {
    const wanted = country == null ? null : checkedValue(checkCountry(country.toUpperCase(), 'country'));
    return [...IDENTIFIER_KINDS.values()]
      .filter((kind) => wanted === null || kind.country === wanted)
      .map((kind) => ({ ...kind, type: kind.key, name: kind.displayName, pattern: kind.regexString }));
  }
}

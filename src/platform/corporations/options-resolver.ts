// What the forms of corporations and incorporation requests choose from: countries with their legal forms, and kinds of tax ids.
import { Arg, Extensions, Field, ObjectType, Query, Resolver } from 'type-graphql';
import { access } from '../../access/authorise.ts';
import { isReference } from '../../records/answer-traits.ts';
import { defineEnum } from '../../records/enums.ts';
import { CountryCode, LocalDate } from '../../records/scalars.ts';
import { CORPORATION_COUNTRIES, type CorporationCountry, EntityForms } from '../shared/corporation-types.ts';
import { checkCountry, countryName, subdivisionName } from '../shared/countries.ts';
import { IDENTIFIER_KINDS, IdentifierPurposes } from '../shared/government-identifiers.ts';
import { checkedValue } from '../shared/payloads.ts';

export const StateRule = defineEnum<CorporationCountry['stateRule']>('StateRule', 'Whether a company of a country is formed in a state.', {
  required: 'A state has to be named.',
  optional: 'A state may be named; without one the company is formed nationally.',
  absent: 'No state can be named.',
});

@ObjectType({ description: 'A sub-division in which a company can be formed.', simpleResolvers: true })
export class IncorporationState {
  @Field(() => String, { description: 'Suffix of the ISO 3166-2 code, as `state` takes it.' }) code!: string;
  @Field(() => String, { description: 'Name.' }) name!: string;
}

@ObjectType({ description: 'A type of company that can be formed in a country.', simpleResolvers: true })
export class IncorporationType {
  @Field(() => String, { description: 'Name in an incorporation request, as `corporationType` takes it.' }) corporationType!: string;
  @Field(() => EntityForms.values, { description: 'Legal form, as `entityType` of a corporation takes it.' }) entityType!: string;
}

@ObjectType({ description: 'A country in which companies can be formed.', simpleResolvers: true })
export class IncorporationCountry {
  @Field(() => CountryCode, { description: 'Country, two letters.' }) country!: string;
  @Field(() => String, { description: 'Name in English.' }) name!: string;
  @Field(() => StateRule.values, { description: 'Whether a state has to be named.' }) stateRule!: string;
  @Field(() => [IncorporationState], { description: 'The states to choose from; none where no state can be named.' })
  states!: IncorporationState[];
  @Field(() => [IncorporationType], { description: 'The types of company to choose from.' }) types!: IncorporationType[];
}

@ObjectType({ description: 'A kind of number that governments assign to companies.', simpleResolvers: true })
export class TaxIdKind {
  @Field(() => String, { description: 'The kind, such as US_EIN: `type` of a tax id and `key` of a government identifier.' })
  type!: string;
  @Field(() => String, { description: 'The kind.', deprecationReason: 'Use `type`.' })
  key!: string;
  @Field(() => CountryCode, { description: 'Country of the authority, two letters.' }) country!: string;
  @Field(() => String, { description: 'Name in the language of the authority.' }) name!: string;
  @Field(() => String, { description: 'Name.', deprecationReason: 'Use `name`.' }) displayName!: string;
  @Field(() => String, { description: 'Short name.' }) shortName!: string;
  @Field(() => String, { description: 'What it is.' }) description!: string;
  @Field(() => [IdentifierPurposes.values], { description: 'What it is used for.' }) purposes!: readonly string[];
  @Field(() => String, { description: 'Anchored pattern of the numbers in upper case without spaces.' }) pattern!: string;
  @Field(() => String, { description: 'Anchored pattern.', deprecationReason: 'Use `pattern`.' }) regexString!: string;
  @Field(() => String, { description: 'A number made up here that passes every check.' }) example!: string;
  @Field(() => Boolean, { description: 'Whether check digits are checked; otherwise the pattern alone.' }) hasCheckDigits!: boolean;
  @Field(() => String, { description: 'Where the rule comes from.' }) source!: string;
  @Field(() => LocalDate, { nullable: true, description: 'When the rule was compared with that source; null where it was not.' })
  checkedAt!: string | null;
  @Field(() => [EntityForms.values], { nullable: true, description: 'The legal forms that have it; null for all of the country.' })
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
    description: 'The kinds of tax ids and other numbers of companies that are checked here. A country without any has an empty list.',
  })
  @Extensions({ size: IDENTIFIER_KINDS.size })
  taxIdKinds(
    @Arg('country', () => CountryCode, { nullable: true, description: 'Country of the authority, two letters; every country when absent.' })
    country: string | null,
  ): TaxIdKind[] {
    const wanted = country == null ? null : checkedValue(checkCountry(country.toUpperCase(), 'country'));
    return [...IDENTIFIER_KINDS.values()]
      .filter((kind) => wanted === null || kind.country === wanted)
      .map((kind) => ({ ...kind, type: kind.key, name: kind.displayName, pattern: kind.regexString }));
  }
}

// GraphQL types of registration content: jurisdictions, what can be registered in them, from which sales on, and where that is written.
import { Extensions, Field, ID, Int, ObjectType } from 'type-graphql';
import { CountryCode, Decimal, JSONValue, LocalDate, URLScalar } from '../../records/scalars.ts';
import type { ContentPack, InputField, RegistrationContent, Sourced, Threshold } from './content/content-shape.ts';
import { filingPeriodsOf } from './content/threshold-rules.ts';
import {
  ContentConfidence,
  FilingFrequency,
  InputFieldType,
  JurisdictionType,
  SalesTaxType,
  ThresholdCombination,
  ThresholdComparison,
  ThresholdPeriod,
  ThresholdSeller,
} from './enums.ts';

@ObjectType({ description: 'A government, or a bloc of them, that registers sellers.', simpleResolvers: true })
export class RegistrationJurisdiction {
  @Field(() => ID, { description: 'Identifier.' }) jurisdictionId!: string;
  @Field(() => String, { description: 'Name.' }) name!: string;
  @Field(() => JurisdictionType.values, { description: 'Level of government.' }) type!: string;
  @Field(() => CountryCode, { nullable: true, description: 'Country, two letters; null for a bloc.' }) country!: string | null;
  @Field(() => String, { nullable: true, description: 'ISO 3166-2 suffix of the sub-division.' }) stateOrProvince!: string | null;
  @Field(() => ID, { nullable: true, description: 'Jurisdiction this one is part of.' }) parentJurisdictionId!: string | null;
}

@ObjectType({ description: 'Jurisdictions in which registrations are offered.', simpleResolvers: true })
export class RegistrationJurisdictions {
  @Field(() => [RegistrationJurisdiction], { description: 'The jurisdictions.' })
  @Extensions({ size: 320 })
  jurisdictions!: RegistrationJurisdiction[];
}

@ObjectType({ description: 'A further tax type that goes with the main one.', simpleResolvers: true })
export class RelatedTaxType {
  @Field(() => SalesTaxType.values, { description: 'Tax type.' }) taxType!: string;
  @Field(() => Boolean, { description: 'Whether it may be left out.' }) optional!: boolean;
}

@ObjectType({ description: 'The answer on which a question depends.', simpleResolvers: true })
export class InputFieldDependency {
  @Field(() => String, { description: 'Key of the other question.' }) field!: string;
  @Field(() => JSONValue, { description: 'The answer that makes this question necessary.' }) value!: unknown;
}

@ObjectType({ description: 'A question of the authority; answers go into `inputValues`.', simpleResolvers: true })
export class RegistrationInputField {
  @Field(() => String, { description: 'Key of the answer.' }) key!: string;
  @Field(() => String, { description: 'The question.' }) name!: string;
  @Field(() => InputFieldType.values, { description: 'Kind of answer.' }) type!: string;
  @Field(() => Boolean, { description: 'Whether an answer is needed where the question is asked.' }) required!: boolean;
  @Field(() => String, { nullable: true, description: 'Anchored pattern the answer matches.' }) regex!: string | null;
  @Field(() => [String], { description: 'Choices of a select.' }) options!: string[];
  @Field(() => Boolean, { description: 'Whether each registration has an answer of its own.' }) isUniquePerRegistration!: boolean;
  @Field(() => Int, { description: 'Place in the form, from 1.' }) displayOrder!: number;
  @Field(() => InputFieldDependency, { nullable: true, description: 'When the question is asked; always when null.' })
  dependsOn!: InputFieldDependency | null;
}

@ObjectType({ description: 'Registrations of which one is needed first.', simpleResolvers: true })
export class RegistrationPrerequisite {
  @Field(() => [ID], { description: 'Content ids; one of them is enough.' }) anyOf!: string[];
}

/** What every statement of the content has; not a type of the schema itself. */
@ObjectType({ simpleResolvers: true })
export class SourcedContent {
  @Field(() => String, { nullable: true, description: 'Authority or publisher, and title of its page; null where the pack names none.' })
  source!: string | null;
  @Field(() => URLScalar, { nullable: true, description: 'Address of the page, where it is known.' }) sourceUrl!: string | null;
  @Field(() => LocalDate, { nullable: true, description: 'When it was last compared with its source.' }) checkedAt!: string | null;
  @Field(() => ContentConfidence.values, { nullable: true, description: 'How it was checked.' }) confidence!: string | null;
}

/** A source as callers see it. */
export const sourceOf = ({ source, checkedAt, confidence }: Sourced): SourcedContent => ({
  source: source ? `${source.authority}: ${source.title}` : null,
  sourceUrl: source?.url ?? null,
  checkedAt: checkedAt ?? null,
  confidence: confidence ?? null,
});

/** The second source of a threshold as callers see it. */
export const secondSourceOf = ({ secondSource }: Threshold): string | null =>
  secondSource ? `${secondSource.authority}: ${secondSource.title}` : null;

@ObjectType({ description: 'The periods that the returns of a frequency cover.', simpleResolvers: true })
export class RegistrationFilingPeriod {
  @Field(() => FilingFrequency.values, { description: 'The frequency; one with several calendars is listed several times.' })
  frequency!: string;
  @Field(() => [Int], { description: 'Months, 1 to 12, with which periods end; none for a fiscal year, which differs by its owner.' })
  endMonths!: number[];
}

@ObjectType({ description: 'An amount of sales with which a threshold is compared.', simpleResolvers: true })
export class ThresholdAmount {
  @Field(() => ThresholdComparison.values, { description: 'Whether the amount itself reaches it.' }) comparison!: string;
  @Field(() => Decimal, { description: 'The amount.' }) value!: number;
  @Field(() => String, { description: 'Its currency, an ISO 4217 code.' }) currency!: string;
}

@ObjectType({ description: 'A number of sales with which a threshold is compared.', simpleResolvers: true })
export class ThresholdTransactions {
  @Field(() => ThresholdComparison.values, { description: 'Whether the number itself reaches it.' }) comparison!: string;
  @Field(() => Int, { description: 'The number.' }) value!: number;
}

@ObjectType({ description: 'Sales from which on a seller has to register. Reaching one threshold is enough.', simpleResolvers: true })
export class RegistrationThreshold extends SourcedContent {
  @Field(() => ThresholdSeller.values, { description: 'Sellers it applies to.' }) seller!: string;
  @Field(() => ThresholdAmount, { nullable: true, description: 'Amount of the sales; null where only their number counts.' })
  amount!: ThresholdAmount | null;
  @Field(() => ThresholdTransactions, { nullable: true, description: 'Number of the sales; null where only their amount counts.' })
  transactions!: ThresholdTransactions | null;
  @Field(() => ThresholdCombination.values, { nullable: true, description: 'Whether both are needed; null where there is one.' })
  combination!: string | null;
  @Field(() => ThresholdPeriod.values, { description: 'Period whose sales count.' }) period!: string;
  @Field(() => String, { description: 'What counts, such as `gross sales`.' }) counted!: string;
  @Field(() => ID, { nullable: true, description: 'Jurisdiction whose sales count, when it is wider than the one to register in.' })
  measuredIn!: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'Another publisher that states the same, and title of its page; null where no second source was found.',
  })
  secondSource!: string | null;
  @Field(() => URLScalar, { nullable: true, description: 'Address of that page.' }) secondSourceUrl!: string | null;
}

const thresholdOf = (threshold: Threshold): RegistrationThreshold => ({
  ...threshold,
  ...sourceOf(threshold),
  secondSource: secondSourceOf(threshold),
  secondSourceUrl: threshold.secondSource?.url ?? null,
});

@ObjectType({ description: 'A registration that can be made.', simpleResolvers: true })
export class RegistrationOption extends SourcedContent {
  @Field(() => ID, { description: 'Identifier to create the registration with.' }) registrationContentId!: string;
  @Field(() => String, { description: 'Name.' }) name!: string;
  @Field(() => SalesTaxType.values, { description: 'Main tax type.' }) taxType!: string;
  @Field(() => [FilingFrequency.values], { description: 'Filing frequencies to choose from.' }) frequencies!: string[];
  @Field(() => [RelatedTaxType], { description: 'Further tax types.' }) relatedTaxTypes!: RelatedTaxType[];
  @Field(() => [RegistrationInputField], { description: 'Questions of the authority.' }) inputFields!: InputField[];
  @Field(() => [RegistrationPrerequisite], { description: 'What must be registered first.' }) prerequisites!: RegistrationPrerequisite[];
  @Field(() => LocalDate, { nullable: true, description: 'Since when the tax exists.' }) effectiveStartDate!: string | null;
  @Field(() => [ID], { description: 'Content ids; a registration for any of them makes this one unnecessary.' }) alternatives!: string[];
  @Field(() => [RegistrationFilingPeriod], { description: 'The periods of the filing frequencies.' })
  filingPeriods!: RegistrationFilingPeriod[];
  @Field(() => [RegistrationThreshold], { description: 'From which sales on it is needed; none where no threshold is known here.' })
  thresholds!: RegistrationThreshold[];
}

/** An entry as callers see it. */
export const optionOf = (entry: RegistrationContent, { fieldSets }: ContentPack): RegistrationOption => ({
  ...entry,
  ...sourceOf(entry),
  inputFields: [...fieldSets[entry.fieldSet]!].sort((a, b) => a.displayOrder - b.displayOrder),
  alternatives: entry.alternatives ?? [],
  filingPeriods: filingPeriodsOf(entry),
  thresholds: (entry.thresholds ?? []).map(thresholdOf),
});

@ObjectType({ description: 'What can be registered in one jurisdiction.', simpleResolvers: true })
export class JurisdictionOptions {
  @Field(() => ID, { description: 'The jurisdiction.' }) jurisdictionId!: string;
  @Field(() => String, { description: 'Its name.' }) jurisdictionName!: string;
  @Field(() => [RegistrationOption], { description: 'The registrations it offers.' }) registrations!: RegistrationOption[];
}

@ObjectType({ description: 'What can be registered, by jurisdiction.', simpleResolvers: true })
export class RegistrationInputOptions {
  @Field(() => [JurisdictionOptions], { description: 'One entry per jurisdiction asked for, in that order.' })
  options!: JurisdictionOptions[];
}

@ObjectType({ description: 'A web site on which an authority takes registrations and returns.', simpleResolvers: true })
export class RegistrationPortal {
  @Field(() => ID, { description: 'Identifier.' }) portalId!: string;
  @Field(() => String, { description: 'Name.' }) portalName!: string;
  @Field(() => URLScalar, { description: 'Address.' }) portalUrl!: string;
  @Field(() => [String], { description: 'Always empty: logins of authorities are not stored.' }) credentialFields!: string[];
}

@ObjectType({ description: 'Portals of registrations.', simpleResolvers: true })
export class RegistrationPortals {
  @Field(() => [RegistrationPortal], { description: 'Each portal once.' })
  @Extensions({ size: 100 })
  portals!: RegistrationPortal[];
}

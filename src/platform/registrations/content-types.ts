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

@ObjectType({ description: 'A government or bloc that registers sellers.', simpleResolvers: true })
export class RegistrationJurisdiction {
  @Field(() => ID, { description: 'Unique id.' }) jurisdictionId!: string;
  @Field(() => String, { description: 'Display name.' }) name!: string;
  @Field(() => JurisdictionType.values, { description: 'Level of government.' }) type!: string;
  @Field(() => CountryCode, { nullable: true, description: 'Two-letter country code; null for a bloc.' }) country!: string | null;
  @Field(() => String, { nullable: true, description: 'ISO 3166-2 suffix of the subdivision.' }) stateOrProvince!: string | null;
  @Field(() => ID, { nullable: true, description: 'Jurisdiction above it, such as the country.' }) parentJurisdictionId!: string | null;
}

@ObjectType({ description: 'Jurisdictions that offer registrations.', simpleResolvers: true })
export class RegistrationJurisdictions {
  @Field(() => [RegistrationJurisdiction], { description: 'Those that match the conditions.' })
  @Extensions({ size: 320 })
  jurisdictions!: RegistrationJurisdiction[];
}

@ObjectType({ description: 'A tax type in addition to the main one.', simpleResolvers: true })
export class RelatedTaxType {
  @Field(() => SalesTaxType.values, { description: 'Type, such as GST.' }) taxType!: string;
  @Field(() => Boolean, { description: 'Whether it is optional.' }) optional!: boolean;
}

@ObjectType({ description: 'Condition on the answer to another question.', simpleResolvers: true })
export class InputFieldDependency {
  @Field(() => String, { description: 'Key of the other question.' }) field!: string;
  @Field(() => JSONValue, { description: 'Answer that makes this question required.' }) value!: unknown;
}

@ObjectType({ description: 'A question of the authority, answered in `inputValues`.', simpleResolvers: true })
export class RegistrationInputField {
  @Field(() => String, { description: 'Key of the answer.' }) key!: string;
  @Field(() => String, { description: 'Text of the question.' }) name!: string;
  @Field(() => InputFieldType.values, { description: 'Kind of answer.' }) type!: string;
  @Field(() => Boolean, { description: 'Whether an answer is required when the question applies.' }) required!: boolean;
  @Field(() => String, { nullable: true, description: 'Anchored regular expression of the answer.' }) regex!: string | null;
  @Field(() => [String], { description: 'Choices of a select.' }) options!: string[];
  @Field(() => Boolean, { description: 'Whether the answer differs per registration.' }) isUniquePerRegistration!: boolean;
  @Field(() => Int, { description: 'Position in the form, from 1.' }) displayOrder!: number;
  @Field(() => InputFieldDependency, { nullable: true, description: 'Condition for the question; null for always.' })
  dependsOn!: InputFieldDependency | null;
}

@ObjectType({ description: 'Registrations of which one is required first.', simpleResolvers: true })
export class RegistrationPrerequisite {
  @Field(() => [ID], { description: 'Content ids of which one is sufficient.' }) anyOf!: string[];
}

/** What every statement of the content has; not a type of the schema itself. */
@ObjectType({ simpleResolvers: true })
export class SourcedContent {
  @Field(() => String, { nullable: true, description: 'Authority or publisher, and title of its page; null if unknown.' })
  source!: string | null;
  @Field(() => URLScalar, { nullable: true, description: 'URL of the page, if known.' }) sourceUrl!: string | null;
  @Field(() => LocalDate, { nullable: true, description: 'When it was last checked against its source.' }) checkedAt!: string | null;
  @Field(() => ContentConfidence.values, { nullable: true, description: 'Confidence of the check.' }) confidence!: string | null;
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
  @Field(() => FilingFrequency.values, { description: 'Filing frequency; one with several calendars is listed several times.' })
  frequency!: string;
  @Field(() => [Int], { description: 'Last months of the periods, 1 to 12; empty for fiscal years, which vary.' })
  endMonths!: number[];
}

@ObjectType({ description: 'Sales amount of a threshold.', simpleResolvers: true })
export class ThresholdAmount {
  @Field(() => ThresholdComparison.values, { description: 'Whether sales equal to the amount reach the threshold.' }) comparison!: string;
  @Field(() => Decimal, { description: 'Sales, in `currency`.' }) value!: number;
  @Field(() => String, { description: 'ISO 4217 currency code.' }) currency!: string;
}

@ObjectType({ description: 'Sales count of a threshold.', simpleResolvers: true })
export class ThresholdTransactions {
  @Field(() => ThresholdComparison.values, { description: 'Whether sales equal to the number reach the threshold.' }) comparison!: string;
  @Field(() => Int, { description: 'The number.' }) value!: number;
}

@ObjectType({ description: 'Sales threshold for registration. Reaching one threshold is sufficient.', simpleResolvers: true })
export class RegistrationThreshold extends SourcedContent {
  @Field(() => ThresholdSeller.values, { description: 'Sellers to which it applies.' }) seller!: string;
  @Field(() => ThresholdAmount, { nullable: true, description: 'Amount of the sales; null if only their number counts.' })
  amount!: ThresholdAmount | null;
  @Field(() => ThresholdTransactions, { nullable: true, description: 'Number of sales; null if only their amount counts.' })
  transactions!: ThresholdTransactions | null;
  @Field(() => ThresholdCombination.values, {
    nullable: true,
    description: 'Whether both limits must be reached; null with a single limit.',
  })
  combination!: string | null;
  @Field(() => ThresholdPeriod.values, { description: 'Period whose sales count.' }) period!: string;
  @Field(() => String, { description: 'Sales that count, such as `gross sales`.' }) counted!: string;
  @Field(() => ID, { nullable: true, description: 'Jurisdiction whose sales count, if wider than the one to register in.' })
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

@ObjectType({ description: 'An available registration.', simpleResolvers: true })
export class RegistrationOption extends SourcedContent {
  @Field(() => ID, { description: 'Content id for `createRegistration`.' }) registrationContentId!: string;
  @Field(() => String, { description: 'Display name.' }) name!: string;
  @Field(() => SalesTaxType.values, { description: 'Main tax type.' }) taxType!: string;
  @Field(() => [FilingFrequency.values], { description: 'Available filing frequencies.' }) frequencies!: string[];
  @Field(() => [RelatedTaxType], { description: 'Additional tax types.' })
  @Extensions({ size: 1 })
  relatedTaxTypes!: RelatedTaxType[];
  @Field(() => [RegistrationInputField], { description: 'Questions of the authority.' }) inputFields!: InputField[];
  @Field(() => [RegistrationPrerequisite], { description: 'Registrations required first.' })
  @Extensions({ size: 1 })
  prerequisites!: RegistrationPrerequisite[];
  @Field(() => LocalDate, { nullable: true, description: 'Start date of the tax.' }) effectiveStartDate!: string | null;
  @Field(() => [ID], { description: 'Content ids; a registration for any of them makes this one unnecessary.' }) alternatives!: string[];
  @Field(() => [RegistrationFilingPeriod], { description: 'Periods of the filing frequencies.' })
  filingPeriods!: RegistrationFilingPeriod[];
  @Field(() => [RegistrationThreshold], { description: 'Sales thresholds; empty if none is known.' })
  @Extensions({ size: 1 })
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

@ObjectType({ description: 'Available registrations of a jurisdiction.', simpleResolvers: true })
export class JurisdictionOptions {
  @Field(() => ID, { description: 'Id, as in the request.' }) jurisdictionId!: string;
  @Field(() => String, { description: 'Name of the jurisdiction.' }) jurisdictionName!: string;
  @Field(() => [RegistrationOption], { description: 'Registrations that the jurisdiction offers.' })
  @Extensions({ size: 1 })
  registrations!: RegistrationOption[];
}

@ObjectType({ description: 'Available registrations by jurisdiction.', simpleResolvers: true })
export class RegistrationInputOptions {
  @Field(() => [JurisdictionOptions], { description: 'One entry per requested jurisdiction, in input order.' })
  @Extensions({ size: 1 })
  options!: JurisdictionOptions[];
}

@ObjectType({ description: 'A website on which an authority takes registrations and returns.', simpleResolvers: true })
export class RegistrationPortal {
  @Field(() => ID, { description: 'Unique id.' }) portalId!: string;
  @Field(() => String, { description: 'Display name.' }) portalName!: string;
  @Field(() => URLScalar, { description: 'Address of its first page.' }) portalUrl!: string;
  @Field(() => [String], { description: 'Always empty: logins of authorities are not stored.' }) credentialFields!: string[];
}

@ObjectType({ description: 'Portals of registrations.', simpleResolvers: true })
export class RegistrationPortals {
  @Field(() => [RegistrationPortal], { description: 'Each portal once.' })
  @Extensions({ size: 1 })
  portals!: RegistrationPortal[];
}

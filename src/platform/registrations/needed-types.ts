// GraphQL types of the registrations that sales make necessary.
import { Extensions, Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { Decimal } from '../../records/scalars.ts';
import { SourcedContent, secondSourceOf, sourceOf } from './content-types.ts';
import { NeedOutcome } from './enums.ts';
import type { Need } from './needed.ts';

@InputType({ description: 'Sales in one jurisdiction. Several of one jurisdiction are added up.' })
@Extensions({ trims: true })
export class JurisdictionSalesInput {
  @Field(() => String, {
    description: 'Jurisdiction of the buyers: an id (`JUR_US_NY`), or an ISO 3166 code of a country or subdivision (`US-NY`).',
  })
  @Extensions({ rules: { maxLength: 64 } })
  jurisdiction!: string;
  @Field(() => Decimal, { description: 'Their amount in the period that the threshold of the jurisdiction names; not negative.' })
  amount!: number;
  @Field(() => String, { description: 'ISO 4217 code of the amount. Nothing is converted.' })
  @Extensions({ rules: { pattern: /^[A-Z]{3}$/, expectation: 'three capital letters, an ISO 4217 code' } })
  currency!: string;
  @Field(() => Int, { nullable: true, description: 'Their number; null when it is not known.' }) transactions?: number | null;
}

@ObjectType({
  description:
    'What sales mean for a registration: whether they make it necessary. Information with its source, not advice; a place of business is another reason.',
  simpleResolvers: true,
})
export class RegistrationNeed extends SourcedContent {
  @Field(() => ID, { description: 'Content id to create the registration with.' }) registrationContentId!: string;
  @Field(() => ID, { description: 'Jurisdiction to register in.' }) jurisdiction!: string;
  @Field(() => NeedOutcome.values, { description: 'Whether the sales reach the threshold.' }) outcome!: string;
  @Field(() => String, { description: 'The sales and the threshold as a sentence.' }) reason!: string;
  @Field(() => String, {
    nullable: true,
    description: 'Another publisher that states the same threshold, and title of its page; null where no second source was found.',
  })
  secondSource!: string | null;
}

/** A need as callers see it. */
export const shownNeed = ({ entry, threshold, outcome, reason }: Need): RegistrationNeed => ({
  registrationContentId: entry.registrationContentId,
  jurisdiction: entry.jurisdictionId,
  outcome,
  reason,
  ...sourceOf(threshold?.source ? threshold : entry),
  secondSource: threshold ? secondSourceOf(threshold) : null,
});

// `registrationsNeeded`: the registrations of a corporation that its sales make necessary, each with the reason and where the rule is written.
import { Arg, Ctx, Extensions, Field, ID, InputType, Int, ObjectType, Query, Resolver } from 'type-graphql';
import { access } from '../../access/authorise.ts';
import { type RequestContext, scopeOf } from '../../access/context.ts';
import { ownProperties } from '../../graphql/own-record.ts';
import { invalid } from '../../records/errors.ts';
import { Decimal } from '../../records/scalars.ts';
import { Corporation } from '../corporations/corporation.ts';
import { isAssignedCountry, isSubdivision } from '../shared/countries.ts';
import { today } from '../shared/dates.ts';
import { type Content, contentInForce } from './content-resolver.ts';
import { SourcedContent, sourceOf } from './content-types.ts';
import { shownRegistrationStatus } from './dates.ts';
import { NeedOutcome } from './enums.ts';
import { neededRegistrations, type PlacedSale } from './needed.ts';
import { Registration } from './registration.ts';

/** Most registrations of a corporation that count; it has one for each entry at most. */
const MAX_HELD = 1_000;

/** More than there are jurisdictions. */
const MAX_SALES = 1_000;

@InputType({ description: 'Sales in one jurisdiction. Several entries for a jurisdiction are added up.' })
@Extensions({ trims: true })
export class JurisdictionSalesInput {
  @Field(() => String, {
    description:
      'Location of the buyers: the id of a jurisdiction (`JUR_US_NY`), or an ISO 3166 code of a country or subdivision (`US-NY`).',
  })
  @Extensions({ rules: { maxLength: 64 } })
  jurisdiction!: string;
  @Field(() => Decimal, { description: 'Amount in the period of the threshold; not negative.' })
  amount!: number;
  @Field(() => String, { description: 'ISO 4217 code of the amount. Amounts are not converted.' })
  @Extensions({ rules: { pattern: /^[A-Z]{3}$/, expectation: 'three capital letters, an ISO 4217 code' } })
  currency!: string;
  @Field(() => Int, { nullable: true, description: 'Number of sales; null if unknown.' }) transactions?: number | null;
}

@ObjectType({
  description:
    'A registration that sales require or may require. Information with its source, not advice; a place of business can also require one.',
  simpleResolvers: true,
})
export class RegistrationNeed extends SourcedContent {
  @Field(() => ID, { description: 'Content id for `createRegistration`.' }) registrationContentId!: string;
  @Field(() => ID, { description: 'Jurisdiction to register in.' }) jurisdiction!: string;
  @Field(() => NeedOutcome.values, { description: 'Whether the sales reach the threshold.' }) outcome!: string;
  @Field(() => String, { description: 'Explanation with the sales and the threshold.' }) reason!: string;
}

const CODE = /^([A-Z]{2})(?:-([A-Z0-9]{1,3}))?$/;

/** The jurisdictions around a place, from the narrowest to the widest. A place without registrations has those of its country, or none. */
function placeOf({ jurisdictions }: Content, given: string, field: string): Pick<PlacedSale, 'within' | 'country'> {
  const [, country, subdivision] = CODE.exec(given) ?? [];
  const known = country ? isAssignedCountry(country) && (!subdivision || isSubdivision(country, subdivision)) : jurisdictions.has(given);
  if (!known) throw invalid(field, `${field} must be a jurisdiction or an ISO 3166 code, not ${given}`, 'NOT_FOUND');
  const named = country ? [`JUR_${country}_${subdivision}`, `JUR_${country}`] : [given];
  const start = named.find((id) => jurisdictions.has(id));
  const within: string[] = [];
  for (let id: string | null = start ?? null; id !== null; id = jurisdictions.get(id)!.parentJurisdictionId) within.push(id);
  return { within, country: country ?? jurisdictions.get(start!)!.country ?? '' };
}

function notNegative<T extends number | null>(value: T, field: string): T {
  if (value !== null && value < 0) throw invalid(field, `${field} must not be negative, but is ${value}`, 'OUT_OF_RANGE');
  return value;
}

const placed = (content: Content, sale: JurisdictionSalesInput, at: number): PlacedSale => ({
  ...placeOf(content, sale.jurisdiction, `sales.${at}.jurisdiction`),
  amount: notNegative(sale.amount, `sales.${at}.amount`),
  currency: sale.currency,
  transactions: notNegative(sale.transactions ?? null, `sales.${at}.transactions`),
});

/** The content ids of the registrations that a corporation has or has asked for. */
async function heldBy(context: RequestContext, corporationId: string): Promise<Set<string>> {
  const { reader, clock } = context.services;
  const select = ['registrationContentId', 'storedStatus', 'effectiveStartDate', 'effectiveEndDate'] as const;
  const rows = await reader.find(Registration, { where: { corporationId }, limit: MAX_HELD }, select, scopeOf(context));
  const day = today(clock);
  const inForce = rows.filter((row) => !['CLOSED', 'REJECTED'].includes(shownRegistrationStatus(row, day)));
  return new Set(inForce.map((row) => row.registrationContentId));
}

@Resolver()
export class RegistrationNeedResolver {
  @access('PLATFORM')
  @Query(() => [RegistrationNeed], {
    description:
      'Registrations that a corporation needs because of its sales and does not have, in the order of the content. CORPORATION_NOT_FOUND if you cannot read it.',
  })
  async registrationsNeeded(
    @Arg('corporationId', () => ID, { description: 'The seller, established in the country of its `jurisdiction`.' })
    corporationId: string,
    @Arg('sales', () => [JurisdictionSalesInput], { description: `The sales by jurisdiction, at most ${MAX_SALES}.` })
    sales: JurisdictionSalesInput[],
    @Ctx() context: RequestContext,
  ): Promise<RegistrationNeed[]> {
    if (sales.length > MAX_SALES) throw invalid('sales', `sales must have at most ${MAX_SALES} entries`, 'OUT_OF_RANGE');
    const id = corporationId;
    const corporation = await ownProperties(context, Corporation, { id }, ['jurisdiction'], { id, field: 'corporationId' });
    const content = await contentInForce(context);
    const placedSales = sales.map((sale, at) => placed(content, sale, at));
    const seller = { country: corporation.jurisdiction, held: await heldBy(context, corporationId) };
    return neededRegistrations(content, seller, placedSales).map(({ entry, threshold, outcome, reason }) => ({
      registrationContentId: entry.registrationContentId,
      jurisdiction: entry.jurisdictionId,
      outcome,
      reason,
      ...sourceOf(threshold.source ? threshold : entry),
    }));
  }
}

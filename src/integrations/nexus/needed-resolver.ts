// `registrationsNeeded`: what sales mean for the registrations of a corporation, those that a caller names or those of its books.
import { Arg, Args, ArgsType, Ctx, Extensions, Field, FieldResolver, ID, ObjectType, Query, Resolver, Root } from 'type-graphql';
import { access } from '../../access/authorise.ts';
import { type RequestContext, scopeOf, tenantOf } from '../../access/context.ts';
import { needs } from '../../database/reader/projection.ts';
import { ownProperties } from '../../graphql/own-record.ts';
import { SUMMARY_PRICE } from '../../graphql/summaries/summary-types.ts';
import { Corporation } from '../../platform/corporations/corporation.ts';
import { type Content, contentInForce } from '../../platform/registrations/content-resolver.ts';
import { neededRegistrations, type PlacedSale } from '../../platform/registrations/needed.ts';
import { heldBy, jurisdictionsAround } from '../../platform/registrations/needed-places.ts';
import { JurisdictionSalesInput, RegistrationNeed, shownNeed } from '../../platform/registrations/needed-types.ts';
import { decimalText, scaled } from '../../platform/shared/decimals.ts';
import { GatewayError, invalid, missing } from '../../records/errors.ts';
import { Decimal, LocalDate } from '../../records/scalars.ts';
import { dayOf } from '../books/days.ts';
import { SalesGap, type Seller, salesOf } from './sales.ts';
import { statesByBooks } from './states.ts';

/** More than there are jurisdictions. */
const MAX_SALES = 1_000;

/** What the sales of the books cost: a summary of the invoices and one of the addresses. */
const SALES = { price: 2 * SUMMARY_PRICE };

function notNegative<T extends number | null>(value: T, field: string): T {
  if (value !== null && value < 0) throw invalid(field, `${field} must not be negative, but is ${value}`, 'OUT_OF_RANGE');
  return value;
}

function placed(content: Content, { jurisdiction, currency, ...sale }: JurisdictionSalesInput, at: number): PlacedSale {
  const around = jurisdictionsAround(content, jurisdiction);
  const field = `sales.${at}.jurisdiction`;
  if (!around) throw invalid(field, `${field} must be a jurisdiction or an ISO 3166 code, not ${jurisdiction}`, 'NOT_FOUND');
  return {
    ...around,
    amount: scaled(notNegative(sale.amount, `sales.${at}.amount`)),
    currency,
    transactions: notNegative(sale.transactions ?? null, `sales.${at}.transactions`),
  };
}

/** The corporation as a seller. FORBIDDEN for a key that may not see all of its companies, because its sums would be without the others. */
function sellerOf(context: RequestContext, { companyIds }: { companyIds: readonly number[] | null }): Seller {
  const { organisationId, companyIds: visible } = tenantOf(context);
  const seen = visible && new Set(visible);
  if (seen && companyIds?.some((id) => !seen.has(id)))
    throw new GatewayError('FORBIDDEN', 'this key is limited to some companies and cannot read the sales of the others');
  return { services: context.services, scope: { ...scopeOf(context), tenant: tenantOf(context) }, organisationId, companyIds };
}

@ObjectType({ description: 'Sales to buyers in one place, in one currency.', simpleResolvers: true })
export class JurisdictionSales {
  @Field(() => String, {
    nullable: true,
    description: 'Place of the buyers: an ISO 3166 code of a country or subdivision (`US-NY`); null if unknown.',
  })
  jurisdiction!: string | null;
  @Field(() => String, { nullable: true, description: 'ISO 4217 code of the amount. Nothing is converted.' }) currency!: string | null;
  @Field(() => Decimal, { nullable: true, description: 'Sum of the invoices before tax; null where they have no amount.' })
  amount!: number | null;
  @Field(() => Number, { description: 'Number of invoices.' }) transactions!: number;
  @Field(() => SalesGap.values, { nullable: true, description: 'Why these invoices count nowhere; null where they count.' })
  gap!: string | null;
}

@ArgsType()
export class SalesPeriod {
  @Field(() => LocalDate, { description: 'First day.' }) from!: string;
  @Field(() => LocalDate, { description: 'Last day.' }) to!: string;
}

@Resolver(() => Corporation)
export class CorporationSalesResolver {
  @needs(Corporation, 'companyIds')
  @FieldResolver(() => [JurisdictionSales], {
    description:
      'The sales of a period: the invoices of the companies in `companyIds` that are neither drafts nor void, by the address of the buyer. Credit notes are not subtracted. Invoices that cannot be placed are listed with their `gap`. FORBIDDEN for a key that cannot see all of the companies.',
  })
  @Extensions({ ...SALES, rest: 'never' })
  async sales(
    @Root() row: { companyIds: number[] | null },
    @Args(() => SalesPeriod) period: SalesPeriod,
    @Ctx() context: RequestContext,
  ): Promise<JurisdictionSales[]> {
    const [from, to] = [dayOf(context, period.from, 'from'), dayOf(context, period.to, 'to')];
    if (to < from) throw invalid('to', 'to must not be before from', 'OUT_OF_RANGE');
    const [sold] = await salesOf(sellerOf(context, row), [[from, to]]);
    return sold!.map(({ place, currency, amount, transactions, gap }) => ({
      jurisdiction: place,
      currency,
      amount: amount === null ? null : Number(decimalText(amount)),
      transactions,
      gap,
    }));
  }
}

@Resolver()
export class RegistrationNeedResolver {
  @access('PLATFORM')
  @Query(() => [RegistrationNeed], {
    description:
      'What sales mean for the registrations of a corporation, in the order of the content. With `sales`: the registrations that they make necessary, or may, and that it does not hold. Without: the sales are those of the invoices of its `companyIds` in the period of each threshold, and every registration is listed that it holds or that has a threshold where it sells. CORPORATION_NOT_FOUND when the caller may see no such corporation.',
  })
  @Extensions(SALES)
  async registrationsNeeded(
    @Arg('corporationId', () => ID, { description: 'The seller; it is established in the country of its `jurisdiction`.' })
    corporationId: string,
    @Arg('sales', () => [JurisdictionSalesInput], {
      nullable: true,
      description: `Sales by jurisdiction, at most ${MAX_SALES}; default those of the books.`,
    })
    sales: JurisdictionSalesInput[] | null,
    @Ctx() context: RequestContext,
  ): Promise<RegistrationNeed[]> {
    if (sales && sales.length > MAX_SALES) throw invalid('sales', `sales must have at most ${MAX_SALES} entries`, 'OUT_OF_RANGE');
    const id = corporationId;
    const corporation = await ownProperties(context, Corporation, { id }, ['jurisdiction', 'companyIds'], { id, field: 'corporationId' });
    const { jurisdiction } = corporation;
    if (!sales && !corporation.companyIds?.length)
      throw missing('sales', 'sales is required, because the corporation names no companies in companyIds');
    if (!sales) return (await statesByBooks(sellerOf(context, corporation), { id, jurisdiction })).map(shownNeed);
    const content = await contentInForce(context);
    const placedSales = sales.map((sale, at) => placed(content, sale, at));
    const seller = { country: jurisdiction, held: await heldBy(context.services, scopeOf(context), id) };
    return neededRegistrations(content, seller, placedSales).map(shownNeed);
  }
}

// The sales of a corporation: the invoices of the companies that it names, summed exactly by the place of the buyer and currency.
import type { ReadScope, Services } from '../../access/context.ts';
import { arrayLiteral } from '../../database/array-literal.ts';
import { scaled } from '../../platform/shared/decimals.ts';
import { defineEnum } from '../../records/enums.ts';
import { baseCurrency } from '../books/postings.statements.ts';
import { Company } from '../companies/company.ts';
import { buyerPlaces } from './buyer-places.ts';
import type { Days } from './periods.ts';
import { salesByAddress } from './sales.statements.ts';

export const SalesGap = defineEnum('SalesGap', 'Why invoices are in no sum of sales by place.', {
  NO_DATE: 'They have no date, so they are in no period.',
  NO_PLACE: 'Neither the invoice nor its customer has an address with a known country.',
  NO_AMOUNT: 'They have no amount.',
  NO_CURRENCY: 'They have no currency, and none is known of their company.',
});
export type SalesGap = keyof typeof SalesGap.values;

/** Invoices with one place and currency. */
export interface Sold {
  /** ISO 3166 code of the country or subdivision. */
  place: string | null;
  currency: string | null;
  /** A count of 1e-30; null without any amount. */
  amount: bigint | null;
  transactions: number;
  gap: SalesGap | null;
}

/** Whose sales are read, and under which rights. */
export interface Seller {
  services: Services;
  scope: ReadScope & { tenant: object };
  organisationId: number;
  companyIds: readonly number[] | null;
}

const quoted = (days: readonly string[]): string => arrayLiteral(days, (day) => day);

/** The sales of some periods, each in the place of its period. Invoices without a date are in each. */
export async function salesOf({ services, scope, organisationId, companyIds }: Seller, periods: readonly Days[]): Promise<Sold[][]> {
  const sums = periods.map(() => new Map<string, Sold>());
  if (!companyIds || periods.length === 0) return sums.map(() => []);
  const placed = buyerPlaces(services);
  const { database, reader } = services;
  // A company that was removed since it was named is not among them.
  const companies = await reader.find(Company, { where: { ledgerId: { in: [...companyIds] } } }, ['ledgerId'], scope);
  for (const { ledgerId } of companies) {
    const company = [String(ledgerId), String(organisationId)];
    const [base] = await database.read(baseCurrency, company, scope.freshness);
    const days = [quoted(periods.map(([from]) => from)), quoted(periods.map(([, to]) => to)), base?.[0] ?? null];
    for (const [number, country, state, currency = null, isUnknown, amount, count] of await database.read(
      salesByAddress,
      [...company, ...days],
      scope.freshness,
    )) {
      const place = await placed(country ?? null, state ?? null);
      const gap =
        number == null
          ? 'NO_DATE'
          : isUnknown === 't'
            ? 'NO_AMOUNT'
            : currency === null
              ? 'NO_CURRENCY'
              : place === null
                ? 'NO_PLACE'
                : null;
      const sold: Sold = { place, currency, amount: amount == null ? null : scaled(amount), transactions: Number(count), gap };
      for (const of of number == null ? sums : [sums[Number(number) - 1]!]) add(of, sold);
    }
  }
  return sums.map((of) => [...of.values()]);
}

function add(sums: Map<string, Sold>, sold: Sold): void {
  const key = `${sold.gap} ${sold.place} ${sold.currency}`;
  const known = sums.get(key);
  if (!known) sums.set(key, { ...sold });
  else {
    known.transactions += sold.transactions;
    if (sold.amount !== null) known.amount = (known.amount ?? 0n) + sold.amount;
  }
}

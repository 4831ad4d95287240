// The groups of the summary as the charts draw them.
import { sumOf } from '../../../../../schema/client/decimals.ts';
import type { DocumentStatus, GroupsFragment } from './operations.generated.ts';
import { STATUSES } from './view.ts';

/** Months that the chart has room for. */
const MAX_MONTHS = 12;

export interface Total {
  readonly currency: string | null;
  readonly status: DocumentStatus;
  /** First day of the month; null where months are not distinguished. */
  readonly month: string | null;
  readonly count: number;
  readonly amount: string;
  readonly due: string;
}

/** The groups, each with the values of its keys. */
export const totalsOf = ({ groups }: GroupsFragment): Total[] =>
  groups.map(({ key: [currency, status, month], count, sum }) => ({
    currency: currency?.value ?? null,
    status: (status?.value as DocumentStatus | null) ?? 'UNKNOWN',
    month: month?.value ?? null,
    count,
    amount: sum.totalAmount ?? '0',
    due: sum.amountDue ?? '0',
  }));

/** The currencies, the most used first. */
export function currenciesOf(totals: readonly Total[]): (string | null)[] {
  const counts = new Map<string | null, number>();
  for (const { currency, count } of totals) counts.set(currency, (counts.get(currency) ?? 0) + count);
  return [...counts].toSorted(([, a], [, b]) => b - a).map(([currency]) => currency);
}

/** The sums of some totals. */
export const added = (totals: readonly Total[]) => ({
  count: totals.reduce((all, { count }) => all + count, 0),
  amount: sumOf(totals.map(({ amount }) => amount)),
  due: sumOf(totals.map(({ due }) => due)),
});

/** The totals of each status that occurs, in the order of an invoice's life. */
export const statusesOf = (totals: readonly Total[]) =>
  STATUSES.map((status) => ({ status, ...added(totals.filter((total) => total.status === status)) })).filter(({ count }) => count > 0);

const nextMonth = (day: string): string => {
  const date = new Date(day);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)).toISOString().slice(0, 10);
};

/** The latest months in their order, those without invoices too, each with its totals by status. */
export function monthsOf(totals: readonly Total[]) {
  const named = [...new Set(totals.flatMap(({ month }) => month ?? []))].toSorted();
  const last = named.at(-1);
  if (!last) return [];
  const months: string[] = [];
  const first = named.find((month) => monthsBetween(month, last) < MAX_MONTHS)!;
  for (let month = first; month <= last; month = nextMonth(month)) months.push(month);
  return months.map((month) => {
    const own = totals.filter((total) => total.month === month);
    return { month, ...added(own), parts: statusesOf(own) };
  });
}

function monthsBetween(from: string, to: string): number {
  const [a, b] = [new Date(from), new Date(to)];
  return (b.getUTCFullYear() - a.getUTCFullYear()) * 12 + b.getUTCMonth() - a.getUTCMonth();
}

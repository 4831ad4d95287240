// The cash flow of a company, computed from balances: the change of cash accounts, explained by the net profit and the changes of all other accounts.
import type { RequestContext } from '../../access/context.ts';
import { exactSum } from '../writes/exact-sum.ts';
import type { CashFlow, CashFlowSection } from './report-types.ts';
import {
  accountsOf,
  balancesOf,
  type ComparisonArguments,
  comparedBalances,
  comparisonsOf,
  computedRow,
  periodOf,
  type ReportedAccount,
  rowsOf,
} from './reports.ts';

/** The titles of the sections by activity. */
const titles = {
  OPERATING: 'Operating activities',
  INVESTING: 'Investing activities',
  FINANCING: 'Financing activities',
  UNCLASSIFIED: 'Unclassified',
} as const;

type Activity = keyof typeof titles;

/**
 * The sub-categories of assets that are cash or belong to investing, and of liabilities that belong to financing, by their letters: the words of
 * QuickBooks, NetSuite, Xero and Tryton.
 */
const cash = new Set(['BANK', 'BANKACCOUNT', 'CASH', 'CASHANDBANK', 'CASHANDCASHEQUIVALENTS', 'CASHONHAND', 'CHECKING', 'SAVINGS']);
const investing = new Set([
  ...['FIXED', 'FIXEDASSET', 'FIXEDASSETS', 'NONCURRENT', 'NONCURRENTASSET', 'NONCURRENTASSETS', 'OTHERASSET', 'OTHERASSETS'],
  ...['INTANGIBLEASSET', 'INTANGIBLEASSETS', 'INVESTMENT', 'INVESTMENTS', 'PROPERTYPLANTANDEQUIPMENT'],
]);
const financing = new Set([
  ...['LONGTERMLIABILITY', 'LONGTERMLIABILITIES', 'NONCURRENTLIABILITY', 'NONCURRENTLIABILITIES', 'TERMLIAB'],
  ...['LOAN', 'LOANS', 'LOANSPAYABLE', 'LONGTERMDEBT', 'NOTESPAYABLE'],
]);

/** What an account is in the cash flow; null for income and expenses, which are in the net profit. */
function useOf({ category, subCategory, part }: ReportedAccount): Activity | 'CASH' | null {
  const letters = (subCategory ?? '').toUpperCase().replace(/[^A-Z]/g, '');
  switch (category) {
    case 'INCOME':
    case 'EXPENSE':
      return null;
    case 'ASSET':
      if (part === 'MONEY' || cash.has(letters)) return 'CASH';
      return investing.has(letters) ? 'INVESTING' : 'OPERATING';
    case 'LIABILITY':
      return financing.has(letters) ? 'FINANCING' : 'OPERATING';
    case 'EQUITY':
      return 'FINANCING';
    default:
      return 'UNCLASSIFIED';
  }
}

/** The sum of the amounts of each period. */
const sumsOf = (periods: number, all: readonly (readonly number[])[]): number[] =>
  Array.from({ length: periods }, (_, period) => exactSum(all.map((amounts) => amounts[period]!)));

export async function cashFlow(
  context: RequestContext,
  companyId: number,
  from: string,
  to: string,
  compared: ComparisonArguments,
): Promise<CashFlow> {
  const period = periodOf(from, to);
  const [books, end] = await Promise.all([comparedBalances(context, companyId, period, compared), balancesOf(context, companyId, { to })]);
  const periods = 1 + books.before.length;
  const accounts = Map.groupBy(accountsOf(books), useOf);
  const ending = accountsOf({ current: end, before: [] }).filter((account) => useOf(account) === 'CASH');
  const netProfit = [books.current, ...books.before].map(({ earnings }) => -earnings || 0);
  const cashAccounts = accounts.get('CASH') ?? [];
  const [netChange, ...earlierChanges] = sumsOf(
    periods,
    cashAccounts.map(({ amounts }) => amounts),
  );
  const closingBalance = exactSum(ending.map(({ balance }) => balance));

  const sectionOf = (activity: Activity): CashFlowSection => {
    const rows = rowsOf(companyId, accounts.get(activity) ?? [], -1);
    if (activity === 'OPERATING') rows.unshift(computedRow(companyId, 'Net profit', netProfit));
    const amounts = rows.map(({ amount, comparisons }) => [amount, ...comparisons]);
    const [total, ...comparisons] = sumsOf(periods, amounts);
    return { activity, title: titles[activity], total: total!, comparisons, rows };
  };
  const sections = (Object.keys(titles) as Activity[]).map(sectionOf);
  return {
    ...{ companyId, period, currency: books.current.currency, from, to },
    openingBalance: exactSum([closingBalance, -netChange!]),
    netChange: netChange!,
    closingBalance,
    cashAccounts: rowsOf(companyId, cashAccounts, 1),
    comparisons: comparisonsOf(books, (_, index) => earlierChanges[index]!),
    sections: sections.filter(({ activity, rows }) => activity !== 'UNCLASSIFIED' || rows.length > 0),
  };
}

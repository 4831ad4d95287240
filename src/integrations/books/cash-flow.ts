// The cash flow of a company, computed from balances. The change of cash accounts is explained by the net profit and the changes of all other
// accounts.
import type { RequestContext } from '../../access/context.ts';
import { exactSum } from '../writes/exact-sum.ts';
import type { CashFlow, CashFlowSection } from './report-types.ts';
import {
  accountsOf,
  balancesOf,
  type ColumnArguments,
  comparedBalances,
  computedRow,
  periodOf,
  type ReportedAccount,
  rowsOf,
  splitAmounts,
  totalsOf,
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
 * The sub-categories of assets that are cash or belong to investing, and of liabilities that belong to financing, by their letters. They are the
 * words of QuickBooks, NetSuite, Xero and Tryton.
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

/** The sum of the amounts of each column. */
const sumsOf = (columns: number, all: readonly (readonly number[])[]): number[] =>
  Array.from({ length: columns }, (_, column) => exactSum(all.map((amounts) => amounts[column]!)));

export async function cashFlow(
  context: RequestContext,
  companyId: number,
  from: string,
  to: string,
  compared: ColumnArguments,
): Promise<CashFlow> {
  const period = periodOf(from, to);
  const [books, end] = await Promise.all([comparedBalances(context, companyId, period, compared), balancesOf(context, companyId, { to })]);
  const { current, before, columns } = books;
  const accounts = Map.groupBy(accountsOf(books), useOf);
  const ending = accountsOf({ companyId, current: end, before: [], columns: [] }).filter((account) => useOf(account) === 'CASH');
  const netProfit = [current, ...before, ...columns].map(({ earnings }) => -earnings || 0);
  const cashAccounts = accounts.get('CASH') ?? [];
  const [netChange, ...otherChanges] = sumsOf(
    netProfit.length,
    cashAccounts.map(({ amounts }) => amounts),
  );
  const closingBalance = exactSum(ending.map(({ balance }) => balance));

  const sectionOf = (activity: Activity): CashFlowSection => {
    const own = accounts.get(activity) ?? [];
    const rows = rowsOf(books, own, -1);
    const amounts = own.map(({ amounts }) => amounts.map((amount) => -amount || 0));
    if (activity === 'OPERATING') {
      rows.unshift(computedRow(books, 'Net profit', netProfit));
      amounts.push(netProfit);
    }
    const { own: total, ...others } = splitAmounts(books, sumsOf(netProfit.length, amounts));
    return { activity, title: titles[activity], total, ...others, rows };
  };
  const sections = (Object.keys(titles) as Activity[]).map(sectionOf);
  return {
    ...{ companyId, period, currency: current.currency, from, to },
    openingBalance: exactSum([closingBalance, -netChange!]),
    netChange: netChange!,
    closingBalance,
    cashAccounts: rowsOf(books, cashAccounts, 1),
    ...totalsOf(books, (_, index) => otherChanges[index]!),
    sections: sections.filter(({ activity, rows }) => activity !== 'UNCLASSIFIED' || rows.length > 0),
  };
}

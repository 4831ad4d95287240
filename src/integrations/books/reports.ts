// Reads the reports of a company and the documents that are in none of their figures.
import { type RequestContext, scopeOf, tenantOf } from '../../access/context.ts';
import { arrayLiteral } from '../../database/array-literal.ts';
import type { Statement, TextRow } from '../../database/open.ts';
import { invalid } from '../../records/errors.ts';
import { minorUnitOf } from '../ledger/enums.ts';
import { exactSum } from '../writes/exact-sum.ts';
import { treesOf } from './account-tree.ts';
import { earlier, type Timeframe } from './days.ts';
import {
  BUCKET_ENDS,
  balances,
  baseCurrency,
  brokenDown,
  MAX_COLUMNS,
  openAmounts,
  sortedContacts,
  unpostedDocuments,
} from './postings.statements.ts';
import {
  type AgedBucket,
  type AgedReport,
  type BalanceSheet,
  MAX_PERIODS,
  type Period,
  type ProfitAndLoss,
  type Report,
  type ReportColumn,
  type ReportComparison,
  type ReportRow,
  type ReportSection,
  type TrialBalance,
  type UnpostedDocuments,
} from './report-types.ts';
import { isKeptBySource, reportsOpenAmounts, sourceBalances, sourceBrokenDown, sourceOpenAmounts } from './source-postings.statements.ts';

/** The books of a company in a period: its base currency, and what statements over its postings return. */
export interface Books {
  currency: string | null;
  /** Decimal places of that currency. */
  places: string;
  /** Over the postings that are derived from documents. */
  read(statement: Statement, ...values: readonly (string | null)[]): Promise<TextRow[]>;
  /** Over the postings of the source. */
  readSource(statement: Statement, ...values: readonly (string | null)[]): Promise<TextRow[]>;
  /** Whether the reports are made of the postings of the source. */
  isOfSource: boolean;
}

/** The number of a record in a row; null where it has none. */
export const numberOf = (text: string | null | undefined): number | null => (text == null ? null : Number(text));

/** Whether the only value of a row is true. */
const isTrue = (row: TextRow | undefined): boolean => row?.[0] === 't';

/** Opens the books of a company for a period. */
export async function booksOf(context: RequestContext, companyId: number, { from = '-infinity', to }: Period): Promise<Books> {
  const { database } = context.services;
  const { freshness } = scopeOf(context);
  const company = [String(companyId), String(tenantOf(context).organisationId)];
  const [[found], [kept]] = await Promise.all([
    database.read(baseCurrency, company, freshness),
    database.read(isKeptBySource, company, freshness),
  ]);
  const currency = found?.[0] ?? null;
  const shared = [...company, from, to];
  return {
    currency,
    places: String(minorUnitOf(currency)),
    isOfSource: isTrue(kept),
    read: (statement, ...values) => database.read(statement, [...shared, currency, ...values], freshness),
    readSource: (statement, ...values) => database.read(statement, [...shared, ...values], freshness),
  };
}

/** Whether the postings of the source say which amounts of a part are open. */
export const reportsOpen = async (books: Books, part: string): Promise<boolean> =>
  books.isOfSource && isTrue((await books.readSource(reportsOpenAmounts, part))[0]);

/** The balance of an account, or of a part without one: debits less credits. */
export interface Balance {
  accountId: number | null;
  parentId: number | null;
  part: string | null;
  code: string | null;
  category: string;
  subCategory: string | null;
  balance: number;
  /** What each value of a breakdown has of the balance; empty without one. */
  columns: Readonly<Record<string, number>>;
}

/** The balances of a period; sums are made by the database, so that they are exact. */
export interface Balances {
  currency: string | null;
  period: Period;
  accounts: Balance[];
  totals: ReadonlyMap<string, number>;
  debits: number;
  credits: number;
  /** Income with expenses, and these with equity. */
  earnings: number;
  equity: number;
}

/** What a report is broken down by. */
export type BreakdownBy = keyof typeof brokenDown;

/** How balances are broken down. */
interface Breakdown {
  by: BreakdownBy;
  /** Whether income and expenses are all that the report shows. */
  isIncomeAlone: boolean;
}

/** The columns of a row; the text is empty where they are too many. */
function columnsIn(text: string | null | undefined): Balance['columns'] {
  if (text === '') throw invalid('breakdownBy', `breakdownBy finds more than ${MAX_COLUMNS} columns; ask for fewer days`, 'OUT_OF_RANGE');
  return text == null ? {} : (JSON.parse(text) as Balance['columns']);
}

export async function balancesOf(context: RequestContext, companyId: number, period: Period, breakdown?: Breakdown): Promise<Balances> {
  const books = await booksOf(context, companyId, period);
  const more = breakdown ? [String(breakdown.isIncomeAlone)] : [];
  const { isOfSource } = books;
  const rows = await (isOfSource
    ? books.readSource(breakdown ? sourceBrokenDown[breakdown.by] : sourceBalances, ...more)
    : books.read(breakdown ? brokenDown[breakdown.by] : balances, books.places, ...more));
  const sum = (column: number): number => Number(rows[0]?.[column] ?? 0);
  return {
    currency: books.currency,
    period,
    accounts: rows.map((row) => ({
      accountId: numberOf(row[0]),
      part: row[1] ?? null,
      category: row[2]!,
      balance: Number(row[3]),
      code: row[9] ?? null,
      parentId: numberOf(row[10]),
      subCategory: row[11] ?? null,
      columns: columnsIn(row[12]),
    })),
    totals: new Map(rows.map((row) => [row[2]!, Number(row[4])])),
    debits: sum(5),
    credits: sum(6),
    earnings: sum(7),
    equity: sum(8),
  };
}

/** With which earlier periods a report is compared, and what it is broken down by. */
export interface ColumnArguments {
  periods: number;
  timeframe: Timeframe;
  breakdownBy: BreakdownBy | null | undefined;
}

/** The part of balances that a contact or a set of tracking categories has. */
interface Column extends Balances {
  contactId: number | null;
  trackingCategoryIds: string[];
}

/** The balances of a period, of the earlier ones that it is compared with, the latest first, and of each column of its breakdown. */
export interface ComparedBalances {
  companyId: number;
  current: Balances;
  before: readonly Balances[];
  columns: readonly Column[];
}

/** Everything that has an amount in each row. */
const allOf = ({ current, before, columns }: ComparedBalances): Balances[] => [current, ...before, ...columns];

/** The ids of tracking categories in a value of a breakdown. */
const categoriesIn = (value: string): string[] => JSON.parse(value);

/** The values of a breakdown in the sequence of its columns: contacts by name, categories by id; what has none comes last. */
async function sortedValues(context: RequestContext, companyId: number, by: BreakdownBy, values: readonly string[]): Promise<string[]> {
  const named = values.filter((value) => value !== '');
  const rest = values.filter((value) => value === '');
  const idsIn = (value: string): string => categoriesIn(value).join(' ');
  if (by === 'TRACKING_CATEGORY') return [...named.sort((a, b) => (idsIn(a) < idsIn(b) ? -1 : 1)), ...rest];
  const company = [String(companyId), String(tenantOf(context).organisationId)];
  const ids = arrayLiteral(named, (value) => value);
  const rows = await context.services.database.read(sortedContacts, [...company, ids], scopeOf(context).freshness);
  const places = new Map(rows.map(([id], place) => [id!, place]));
  const placeOf = (value: string): number => places.get(value) ?? named.length;
  return [...named.sort((a, b) => placeOf(a) - placeOf(b)), ...rest];
}

async function columnsOf(
  context: RequestContext,
  companyId: number,
  current: Balances,
  by: BreakdownBy | null | undefined,
): Promise<Column[]> {
  if (by == null) return [];
  const parts = Map.groupBy(
    current.accounts.flatMap((account) =>
      Object.entries(account.columns).map(([value, balance]) => ({ value, account: { ...account, balance } })),
    ),
    ({ value }) => value,
  );
  const values = await sortedValues(context, companyId, by, [...parts.keys()]);
  return values.map((value) => {
    const accounts = parts.get(value)!.map(({ account }) => account);
    const ofCategories = Map.groupBy(accounts, ({ category }) => category);
    const sum = (...categories: string[]): number =>
      exactSum(categories.flatMap((category) => ofCategories.get(category) ?? []).map(({ balance }) => balance));
    return {
      ...current,
      accounts,
      totals: new Map([...ofCategories.keys()].map((category) => [category, sum(category)])),
      debits: exactSum(accounts.map(({ balance }) => Math.max(balance, 0))),
      credits: exactSum(accounts.map(({ balance }) => Math.max(-balance, 0))),
      earnings: sum('INCOME', 'EXPENSE'),
      equity: sum('EQUITY', 'INCOME', 'EXPENSE'),
      contactId: by === 'CONTACT' && value !== '' ? Number(value) : null,
      trackingCategoryIds: by === 'TRACKING_CATEGORY' && value !== '' ? categoriesIn(value) : [],
    };
  });
}

export async function comparedBalances(
  context: RequestContext,
  companyId: number,
  { from, to }: Period,
  { periods, timeframe, breakdownBy: by }: ColumnArguments,
  isIncomeAlone = false,
): Promise<ComparedBalances> {
  if (periods < 0 || periods > MAX_PERIODS) throw invalid('periods', `periods must be from 0 to ${MAX_PERIODS}`, 'OUT_OF_RANGE');
  const periodAt = (count: number): Period => ({
    ...(from === undefined ? {} : { from: earlier(from, count, timeframe) }),
    to: earlier(to, count, timeframe),
  });
  const [current, ...before] = await Promise.all([
    balancesOf(context, companyId, periodAt(0), by == null ? undefined : { by, isIncomeAlone }),
    ...Array.from({ length: periods }, (_, count) => balancesOf(context, companyId, periodAt(count + 1))),
  ]);
  return { companyId, current, before, columns: await columnsOf(context, companyId, current, by) };
}

const keyOf = ({ accountId, part }: Balance): string => `${accountId} ${part}`;

/** Codes as the database sorts them, by their bytes; accounts without one come last. */
function byCode(a: Balance, b: Balance): number {
  if (a.code !== b.code) return a.code === null ? 1 : b.code === null ? -1 : Buffer.compare(Buffer.from(a.code), Buffer.from(b.code));
  const [first, second] = [a, b].map(({ accountId }) => accountId ?? Number.MAX_SAFE_INTEGER) as [number, number];
  return first - second || ((a.part ?? '') < (b.part ?? '') ? -1 : 1);
}

/** An account of a report with its balance in each column: the report itself, the compared periods, and the parts of a breakdown. */
export interface ReportedAccount extends Balance {
  amounts: number[];
}

/** The accounts of all columns, sorted by their code. */
export function accountsOf(books: ComparedBalances): ReportedAccount[] {
  const all = allOf(books).map(({ accounts }) => new Map(accounts.map((account) => [keyOf(account), account.balance])));
  const known = new Map([...books.before, books.current].flatMap(({ accounts }) => accounts.map((account) => [keyOf(account), account])));
  return [...known].map(([key, account]) => ({ ...account, amounts: all.map((balancesIn) => balancesIn.get(key) ?? 0) })).sort(byCode);
}

/** The amounts of all columns by what they are: that of the report, the compared periods, and the parts of a breakdown. */
export function splitAmounts({ before }: ComparedBalances, [own, ...others]: readonly number[]) {
  return { own: own!, comparisons: others.slice(0, before.length), breakdown: others.slice(before.length) };
}

/** An amount with the sign of a section; 0 has none. */
const withSign = (sign: 1 | -1, amount: number): number => sign * amount || 0;

/** The amounts of a row. */
function amountsIn(books: ComparedBalances, amounts: readonly number[], subtotals: readonly number[]) {
  const { own: amount, ...others } = splitAmounts(books, amounts);
  const { own: subtotal, comparisons, breakdown } = splitAmounts(books, subtotals);
  return { amount, ...others, subtotal, subtotalComparisons: comparisons, subtotalBreakdown: breakdown };
}

/** The rows of accounts, each followed by those of the accounts below it. */
export function rowsOf(books: ComparedBalances, accounts: readonly ReportedAccount[], sign: 1 | -1): ReportRow[] {
  const { companyId, current } = books;
  const signed = (amounts: readonly number[]): number[] => amounts.map((amount) => withSign(sign, amount));
  return treesOf(accounts).map(({ account: { accountId, part, amounts }, level, subtotals }) => {
    return {
      companyId,
      period: current.period,
      accountId,
      part,
      name: null,
      level,
      ...amountsIn(books, signed(amounts), signed(subtotals)),
    };
  });
}

/** A row that is computed from balances. */
export const computedRow = (books: ComparedBalances, name: string, amounts: readonly number[]): ReportRow => {
  return {
    companyId: books.companyId,
    period: books.current.period,
    accountId: null,
    part: null,
    name,
    level: 0,
    ...amountsIn(books, amounts, amounts),
  };
};

/** What a report comes to in the compared periods and in the columns of its breakdown. */
export function totalsOf(
  { companyId, before, columns }: ComparedBalances,
  total: (of: Balances, index: number) => number,
): { comparisons: ReportComparison[]; breakdown: ReportColumn[] } {
  return {
    comparisons: before.map((of, index) => ({ from: of.period.from ?? null, to: of.period.to, total: total(of, index) })),
    breakdown: columns.map((of, index) => {
      const { contactId, trackingCategoryIds } = of;
      return { companyId, contactId, trackingCategoryIds, total: total(of, before.length + index) };
    }),
  };
}

export async function trialBalance(
  context: RequestContext,
  companyId: number,
  asOf: string,
  compared: ColumnArguments,
): Promise<TrialBalance> {
  const period = { to: asOf };
  const books = await comparedBalances(context, companyId, period, compared);
  const { currency, debits, credits } = books.current;
  return {
    ...{ companyId, period, currency, asOf, totalDebit: debits, totalCredit: credits },
    ...totalsOf(books, (of) => of.debits),
    rows: rowsOf(books, accountsOf(books), 1).map(({ amount, ...row }) => ({
      ...row,
      debit: Math.max(amount, 0),
      credit: Math.max(-amount, 0),
    })),
  };
}

/** The sections by category: their titles, and the sign that makes their usual amounts positive. */
const sections = {
  ASSET: { title: 'Assets', sign: 1 },
  LIABILITY: { title: 'Liabilities', sign: -1 },
  EQUITY: { title: 'Equity', sign: -1 },
  INCOME: { title: 'Income', sign: -1 },
  EXPENSE: { title: 'Expenses', sign: 1 },
  UNKNOWN: { title: 'Unclassified', sign: 1 },
} as const;

type Category = keyof typeof sections;

const signed = (category: Category, balance: number): number => withSign(sections[category].sign, balance);

/** A row that is computed, and the balance that it adds to its section. */
interface ComputedRow {
  name: string;
  balance(of: Balances): number;
}

function sectionOf(
  books: ComparedBalances,
  category: Category,
  computed?: ComputedRow,
  total = ({ totals }: Balances): number => totals.get(category) ?? 0,
): ReportSection {
  const amountsOf = (of: (balances: Balances) => number): number[] => allOf(books).map((balancesIn) => signed(category, of(balancesIn)));
  const accounts = accountsOf(books).filter((account) => account.category === category);
  const rows = rowsOf(books, accounts, sections[category].sign);
  if (computed) rows.push(computedRow(books, computed.name, amountsOf(computed.balance)));
  const { own, ...others } = splitAmounts(books, amountsOf(total));
  return { category, title: sections[category].title, total: own, ...others, rows };
}

/** The period from a day to a later one. */
export function periodOf(from: string, to: string): Required<Period> {
  if (to < from) throw invalid('to', 'to must not be before from', 'OUT_OF_RANGE');
  return { from, to };
}

export async function profitAndLoss(
  context: RequestContext,
  companyId: number,
  from: string,
  to: string,
  compared: ColumnArguments,
): Promise<ProfitAndLoss> {
  const period = periodOf(from, to);
  const books = await comparedBalances(context, companyId, period, compared, true);
  const { currency, earnings } = books.current;
  return {
    ...{ companyId, period, currency, from, to, netProfit: signed('INCOME', earnings) },
    ...totalsOf(books, (of) => signed('INCOME', of.earnings)),
    sections: [sectionOf(books, 'INCOME'), sectionOf(books, 'EXPENSE')],
  };
}

const currentEarnings: ComputedRow = { name: 'Current earnings', balance: ({ earnings }) => earnings };

export async function balanceSheet(
  context: RequestContext,
  companyId: number,
  asOf: string,
  compared: ColumnArguments,
): Promise<BalanceSheet> {
  const period = { to: asOf };
  const books = await comparedBalances(context, companyId, period, compared);
  const [assets, liabilities, ofOwners, unclassified] = [
    sectionOf(books, 'ASSET'),
    sectionOf(books, 'LIABILITY'),
    sectionOf(books, 'EQUITY', currentEarnings, ({ equity }) => equity),
    sectionOf(books, 'UNKNOWN'),
  ];
  return {
    ...{ companyId, period, currency: books.current.currency, asOf },
    totalAssets: assets.total,
    totalLiabilities: liabilities.total,
    totalEquity: ofOwners.total,
    totalUnclassified: unclassified.total,
    ...totalsOf(books, ({ totals }) => signed('ASSET', totals.get('ASSET') ?? 0)),
    sections: [assets, liabilities, ofOwners, ...(unclassified.rows.length > 0 ? [unclassified] : [])],
  };
}

const bucketLabels = [
  'Current',
  ...BUCKET_ENDS.slice(1).map((end, index) => `${BUCKET_ENDS[index]! + 1}-${end} days`),
  `Over ${BUCKET_ENDS.at(-1)} days`,
];

export async function agedReport(
  context: RequestContext,
  companyId: number,
  part: 'RECEIVABLE' | 'PAYABLE',
  asOf: string,
): Promise<AgedReport> {
  const period = { to: asOf };
  const books = await booksOf(context, companyId, period);
  const rows = await ((await reportsOpen(books, part))
    ? books.readSource(sourceOpenAmounts, part)
    : books.read(openAmounts, books.places, part));
  const open = rows.map(([contactId, total, ...amounts]) => ({
    ...{ companyId, period, part },
    contactId: numberOf(contactId),
    total: Number(total),
    buckets: bucketLabels.map((label, index): AgedBucket => ({ label, amount: Number(amounts[index]) })),
  }));
  // The first row is that of all contacts.
  const [{ total, buckets }, ...contacts] = open as [(typeof open)[number], ...typeof open];
  return { companyId, period, currency: books.currency, asOf, total, buckets, rows: contacts };
}

/** The documents of the days of a report that are in no posting. */
export async function unposted(context: RequestContext, { companyId, period }: Report): Promise<UnpostedDocuments> {
  const books = await booksOf(context, companyId, period);
  // The source decides what it posts.
  const rows = books.isOfSource ? [] : await books.read(unpostedDocuments);
  return {
    totalCount: Number(rows[0]?.[5] ?? 0),
    nodes: rows.map(([documentType, documentId, documentNumber, date, reason]) => ({
      documentType: documentType!,
      documentId: Number(documentId),
      documentNumber: documentNumber ?? null,
      date: date ?? null,
      reason: reason!,
    })),
  };
}

// Reads the reports of a company and the documents that are in none of their figures.
import { type RequestContext, scopeOf, tenantOf } from '../../access/context.ts';
import type { Statement, TextRow } from '../../database/open.ts';
import { invalid } from '../../records/errors.ts';
import { minorUnitOf } from '../ledger/enums.ts';
import { treesOf } from './account-tree.ts';
import { earlier, type Timeframe } from './days.ts';
import { BUCKET_ENDS, balances, baseCurrency, openAmounts, unpostedDocuments } from './postings.statements.ts';
import {
  type AgedBucket,
  type AgedReport,
  type BalanceSheet,
  MAX_PERIODS,
  type ProfitAndLoss,
  type Report,
  type ReportComparison,
  type ReportRow,
  type ReportSection,
  type TrialBalance,
  type UnpostedDocuments,
} from './report-types.ts';
import { isKeptBySource, sourceBalances, sourceOpenAmounts, tellsOpenAmounts } from './source-postings.statements.ts';

/** The days of a report; without a first day all until the last one. */
export interface Period {
  from?: string;
  to: string;
}

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

/** The balance of an account, or of a part without one: debits less credits. */
export interface Balance {
  accountId: number | null;
  parentId: number | null;
  part: string | null;
  code: string | null;
  category: string;
  subCategory: string | null;
  balance: number;
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

export async function balancesOf(context: RequestContext, companyId: number, period: Period): Promise<Balances> {
  const books = await booksOf(context, companyId, period);
  const rows = await (books.isOfSource ? books.readSource(sourceBalances) : books.read(balances, books.places));
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
    })),
    totals: new Map(rows.map((row) => [row[2]!, Number(row[4])])),
    debits: sum(5),
    credits: sum(6),
    earnings: sum(7),
    equity: sum(8),
  };
}

/** With which earlier periods a report is compared. */
export interface ComparisonArguments {
  periods: number;
  timeframe: Timeframe;
}

/** The balances of a period, and of the earlier ones that it is compared with, the latest first. */
export interface ComparedBalances {
  current: Balances;
  before: readonly Balances[];
}

export async function comparedBalances(
  context: RequestContext,
  companyId: number,
  { from, to }: Period,
  { periods, timeframe }: ComparisonArguments,
): Promise<ComparedBalances> {
  if (periods < 0 || periods > MAX_PERIODS) throw invalid('periods', `periods must be from 0 to ${MAX_PERIODS}`, 'OUT_OF_RANGE');
  const periodAt = (count: number): Period => ({
    ...(from === undefined ? {} : { from: earlier(from, count, timeframe) }),
    to: earlier(to, count, timeframe),
  });
  const all = await Promise.all(Array.from({ length: periods + 1 }, (_, count) => balancesOf(context, companyId, periodAt(count))));
  return { current: all[0]!, before: all.slice(1) };
}

const keyOf = ({ accountId, part }: Balance): string => `${accountId} ${part}`;

/** Codes as the database sorts them, by their bytes; accounts without one come last. */
function byCode(a: Balance, b: Balance): number {
  if (a.code !== b.code) return a.code === null ? 1 : b.code === null ? -1 : Buffer.compare(Buffer.from(a.code), Buffer.from(b.code));
  const [first, second] = [a, b].map(({ accountId }) => accountId ?? Number.MAX_SAFE_INTEGER) as [number, number];
  return first - second || ((a.part ?? '') < (b.part ?? '') ? -1 : 1);
}

/** An account of a report with its balance in each period, that of the report first. */
export interface ReportedAccount extends Balance {
  amounts: number[];
}

/** The accounts of all periods, sorted by their code. */
export function accountsOf({ current, before }: ComparedBalances): ReportedAccount[] {
  const periods = [current, ...before].map(({ accounts }) => new Map(accounts.map((account) => [keyOf(account), account.balance])));
  const known = new Map([...before, current].flatMap(({ accounts }) => accounts.map((account) => [keyOf(account), account])));
  return [...known].map(([key, account]) => ({ ...account, amounts: periods.map((balancesIn) => balancesIn.get(key) ?? 0) })).sort(byCode);
}

/** An amount with the sign of a section; 0 has none. */
const withSign = (sign: 1 | -1, amount: number): number => sign * amount || 0;

/** The rows of accounts, each followed by those of the accounts below it. */
export const rowsOf = (companyId: number, accounts: readonly ReportedAccount[], sign: 1 | -1): ReportRow[] =>
  treesOf(accounts).map(({ account: { accountId, part, amounts }, level, subtotals }) => {
    const [amount, ...comparisons] = amounts.map((one) => withSign(sign, one));
    const [subtotal, ...subtotalComparisons] = subtotals.map((one) => withSign(sign, one));
    return { companyId, accountId, part, name: null, level, amount: amount!, comparisons, subtotal: subtotal!, subtotalComparisons };
  });

/** A row that is computed from balances. */
export function computedRow(companyId: number, name: string, [amount, ...comparisons]: readonly number[]): ReportRow {
  const subtotals = { subtotal: amount!, subtotalComparisons: comparisons };
  return { companyId, accountId: null, part: null, name, level: 0, amount: amount!, comparisons, ...subtotals };
}

export const comparisonsOf = ({ before }: ComparedBalances, total: (of: Balances, index: number) => number): ReportComparison[] =>
  before.map((balancesBefore, index) => ({
    from: balancesBefore.period.from ?? null,
    to: balancesBefore.period.to,
    total: total(balancesBefore, index),
  }));

export async function trialBalance(
  context: RequestContext,
  companyId: number,
  asOf: string,
  compared: ComparisonArguments,
): Promise<TrialBalance> {
  const period = { to: asOf };
  const books = await comparedBalances(context, companyId, period, compared);
  const { currency, debits, credits } = books.current;
  return {
    ...{ companyId, period, currency, asOf, totalDebit: debits, totalCredit: credits },
    comparisons: comparisonsOf(books, (of) => of.debits),
    rows: rowsOf(companyId, accountsOf(books), 1).map(({ amount, ...row }) => ({
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
  companyId: number,
  books: ComparedBalances,
  category: Category,
  computed?: ComputedRow,
  total = ({ totals }: Balances): number => totals.get(category) ?? 0,
): ReportSection {
  const amountsOf = (of: (balances: Balances) => number): number[] =>
    [books.current, ...books.before].map((balancesIn) => signed(category, of(balancesIn)));
  const accounts = accountsOf(books).filter((account) => account.category === category);
  const rows = rowsOf(companyId, accounts, sections[category].sign);
  if (computed) rows.push(computedRow(companyId, computed.name, amountsOf(computed.balance)));
  const [sum, ...comparisons] = amountsOf(total);
  return { category, title: sections[category].title, total: sum!, comparisons, rows };
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
  compared: ComparisonArguments,
): Promise<ProfitAndLoss> {
  const period = periodOf(from, to);
  const books = await comparedBalances(context, companyId, period, compared);
  const { currency, earnings } = books.current;
  return {
    ...{ companyId, period, currency, from, to, netProfit: signed('INCOME', earnings) },
    comparisons: comparisonsOf(books, (of) => signed('INCOME', of.earnings)),
    sections: [sectionOf(companyId, books, 'INCOME'), sectionOf(companyId, books, 'EXPENSE')],
  };
}

const currentEarnings: ComputedRow = { name: 'Current earnings', balance: ({ earnings }) => earnings };

export async function balanceSheet(
  context: RequestContext,
  companyId: number,
  asOf: string,
  compared: ComparisonArguments,
): Promise<BalanceSheet> {
  const period = { to: asOf };
  const books = await comparedBalances(context, companyId, period, compared);
  const [assets, liabilities, ofOwners, unclassified] = [
    sectionOf(companyId, books, 'ASSET'),
    sectionOf(companyId, books, 'LIABILITY'),
    sectionOf(companyId, books, 'EQUITY', currentEarnings, ({ equity }) => equity),
    sectionOf(companyId, books, 'UNKNOWN'),
  ];
  return {
    ...{ companyId, period, currency: books.current.currency, asOf },
    totalAssets: assets.total,
    totalLiabilities: liabilities.total,
    totalEquity: ofOwners.total,
    totalUnclassified: unclassified.total,
    comparisons: comparisonsOf(books, ({ totals }) => signed('ASSET', totals.get('ASSET') ?? 0)),
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
  const isTold = books.isOfSource && isTrue((await books.readSource(tellsOpenAmounts, part))[0]);
  const rows = await (isTold ? books.readSource(sourceOpenAmounts, part) : books.read(openAmounts, books.places, part));
  const open = rows.map(([contactId, total, ...amounts]) => ({
    companyId,
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

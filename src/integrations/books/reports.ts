// Reads the reports of a company and the documents that are in none of their figures.
import { type RequestContext, scopeOf, tenantOf } from '../../access/context.ts';
import type { Statement, TextRow } from '../../database/open.ts';
import { invalid } from '../../records/errors.ts';
import { minorUnitOf } from '../ledger/enums.ts';
import { BUCKET_ENDS, balances, baseCurrency, openAmounts, unpostedDocuments } from './postings.statements.ts';
import type {
  AgedBucket,
  AgedReport,
  BalanceSheet,
  ProfitAndLoss,
  Report,
  ReportRow,
  ReportSection,
  TrialBalance,
  UnpostedDocuments,
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

/** An account with its balance: debits less credits. */
interface Balance {
  accountId: number | null;
  part: string | null;
  category: string;
  balance: number;
}

/** The balances of a period; sums are made by the database, so that they are exact. */
interface Balances {
  currency: string | null;
  accounts: Balance[];
  totals: ReadonlyMap<string, number>;
  debits: number;
  credits: number;
  /** Income with expenses, and these with equity. */
  earnings: number;
  equity: number;
}

async function balancesOf(context: RequestContext, companyId: number, period: Period): Promise<Balances> {
  const books = await booksOf(context, companyId, period);
  const rows = await (books.isOfSource ? books.readSource(sourceBalances) : books.read(balances, books.places));
  const sum = (column: number): number => Number(rows[0]?.[column] ?? 0);
  return {
    currency: books.currency,
    accounts: rows.map(([accountId, part, category, balance]) => ({
      accountId: numberOf(accountId),
      part: part ?? null,
      category: category!,
      balance: Number(balance),
    })),
    totals: new Map(rows.map((row) => [row[2]!, Number(row[4])])),
    debits: sum(5),
    credits: sum(6),
    earnings: sum(7),
    equity: sum(8),
  };
}

export async function trialBalance(context: RequestContext, companyId: number, asOf: string): Promise<TrialBalance> {
  const period = { to: asOf };
  const { currency, accounts, debits, credits } = await balancesOf(context, companyId, period);
  return {
    companyId,
    period,
    currency,
    asOf,
    totalDebit: debits,
    totalCredit: credits,
    rows: accounts.map(({ accountId, part, balance }) => ({
      companyId,
      accountId,
      part,
      debit: Math.max(balance, 0),
      credit: Math.max(-balance, 0),
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

/** An amount with the sign of a section; 0 has none. */
const signed = (category: Category, balance: number): number => sections[category].sign * balance || 0;

function sectionOf(
  companyId: number,
  { accounts, totals }: Balances,
  category: Category,
  more: ReportRow[] = [],
  total?: number,
): ReportSection {
  const own = accounts.filter((account) => account.category === category);
  return {
    category,
    title: sections[category].title,
    total: signed(category, total ?? totals.get(category) ?? 0),
    rows: [
      ...own.map(({ accountId, part, balance }) => ({ companyId, accountId, part, name: null, amount: signed(category, balance) })),
      ...more,
    ],
  };
}

export async function profitAndLoss(context: RequestContext, companyId: number, from: string, to: string): Promise<ProfitAndLoss> {
  if (to < from) throw invalid('to', 'to must not be before from', 'OUT_OF_RANGE');
  const period = { from, to };
  const books = await balancesOf(context, companyId, period);
  return {
    companyId,
    period,
    currency: books.currency,
    from,
    to,
    netProfit: signed('INCOME', books.earnings),
    sections: [sectionOf(companyId, books, 'INCOME'), sectionOf(companyId, books, 'EXPENSE')],
  };
}

export async function balanceSheet(context: RequestContext, companyId: number, asOf: string): Promise<BalanceSheet> {
  const period = { to: asOf };
  const books = await balancesOf(context, companyId, period);
  const { earnings, equity } = books;
  const current = { companyId, accountId: null, part: null, name: 'Current earnings', amount: signed('EQUITY', earnings) };
  const [assets, liabilities, ofOwners, unclassified] = [
    sectionOf(companyId, books, 'ASSET'),
    sectionOf(companyId, books, 'LIABILITY'),
    sectionOf(companyId, books, 'EQUITY', [current], equity),
    sectionOf(companyId, books, 'UNKNOWN'),
  ];
  return {
    companyId,
    period,
    currency: books.currency,
    asOf,
    totalAssets: assets.total,
    totalLiabilities: liabilities.total,
    totalEquity: ofOwners.total,
    totalUnclassified: unclassified.total,
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

// The types of the four reports, their rows, and the documents that are in none of them.
import { Extensions, Field, Int, ObjectType } from 'type-graphql';
import { defineEnum } from '../../records/enums.ts';
import { DateTime, Decimal, LocalDate, PositiveInt } from '../../records/scalars.ts';
import { CurrencyCode } from '../ledger/enums.ts';
import { AccountCategory } from '../records/account.ts';
import { PostingDocument, PostingPart } from './posting.ts';
import { BUCKET_ENDS, MAX_COLUMNS, MAX_UNPOSTED } from './postings.statements.ts';

/** The accounts or contacts of a usual report, by which its rows are priced. */
export const USUAL_ROWS = 50;

/** The sections of a report: one for each category. */
const MAX_SECTIONS = Object.keys(AccountCategory.values).length;

/** The buckets of an aged report: those with a last day, and the one of all that is longer overdue. */
const BUCKETS = BUCKET_ENDS.length + 1;

const UnpostedReason = defineEnum('UnpostedReason', 'Reason that a document is not fully posted.', {
  NO_DATE: 'The document has no date.',
  NO_AMOUNT: 'The document has neither a total nor lines with amounts.',
  NO_CURRENCY_RATE:
    'The document is in another currency than the base currency, and neither it nor its currency record has a rate. Without a base currency, documents in several currencies need their own rates.',
  NO_DIRECTION: 'A payment without a direction.',
  OUT_OF_BALANCE: 'A journal entry whose lines do not add up to 0.',
  PAYMENT_MISSING:
    'The document is posted, but stored payments do not explain its `amountDue` or `remainingCredit`: a payment is missing, so the rest counts as open.',
  NOT_MATCHED: 'A bank transaction that is not matched, so its offsetting account is unknown.',
});

@ObjectType({
  description: 'A document of the period that is not fully posted, so the report does not include all of it.',
  simpleResolvers: true,
})
export class UnpostedDocument {
  @Field(() => PostingDocument.values, { description: 'Record type of the document.' }) documentType!: string;
  @Field(() => PositiveInt, { description: '`ledgerId` of the document.' }) documentId!: number;
  @Field(() => String, { nullable: true, description: 'Number printed on the document, or reference of the payment.' })
  documentNumber!: string | null;
  @Field(() => LocalDate, { nullable: true, description: 'Day of the document; null for one without a date.' }) date!: string | null;
  @Field(() => UnpostedReason.values, { description: 'Reason for the missing posting.' }) reason!: string;
}

@ObjectType({ description: 'Documents that are not fully posted in a report.', simpleResolvers: true })
export class UnpostedDocuments {
  @Field(() => Int, { description: 'Number of such documents; 0 means that the report is complete.' }) totalCount!: number;
  @Field(() => [UnpostedDocument], { description: `The first ${MAX_UNPOSTED}: those without a date, then the oldest.` })
  @Extensions({ size: MAX_UNPOSTED })
  nodes!: UnpostedDocument[];
}

export const ReportTimeframe = defineEnum('ReportTimeframe', 'Size of the periods that a report is compared with.', {
  MONTH: 'The same days of earlier months.',
  QUARTER: 'The same days three months earlier, six months earlier, and so on.',
  YEAR: 'The same days of earlier years.',
});

/** Most periods that a report is compared with: a year of months. */
export const MAX_PERIODS = 12;

@ObjectType({ description: 'An earlier period that a report is compared with.', simpleResolvers: true })
export class ReportComparison {
  @Field(() => LocalDate, { nullable: true, description: 'First day; null for all days until the last one.' }) from!: string | null;
  @Field(() => LocalDate, { description: 'Last day.' }) to!: string;
  @Field(() => Decimal, {
    description:
      'What the report comes to in that period: the total debit of a trial balance, the net profit, the total assets, or the net change of cash.',
  })
  total!: number;
}

export const ReportBreakdown = defineEnum('ReportBreakdown', 'What the amounts of a report are broken down by.', {
  CONTACT: 'The customer or vendor of each posting.',
  TRACKING_CATEGORY: 'The tracking categories of each posting. One with several categories counts in the column of all of them together.',
});

@ObjectType({ description: 'A column of a report that is broken down.', simpleResolvers: true })
export class ReportColumn {
  companyId!: number;
  @Field(() => PositiveInt, { nullable: true, description: '`ledgerId` of the contact; null for amounts without one.' })
  contactId!: number | null;
  @Field(() => [String], { description: 'Ids of the tracking categories in the source system, sorted; empty for amounts without one.' })
  trackingCategoryIds!: string[];
  @Field(() => Decimal, { description: 'What the report comes to in the column: the same figure as `total` of `comparisons`.' })
  total!: number;
}

/** The amounts of a row or section in the periods of `comparisons`. */
const Earlier = (): PropertyDecorator => (prototype, key) => {
  const description = 'Amounts in the `comparisons` of the report; in a trial balance debits less credits.';
  Field(() => [Decimal], { description })(prototype, key);
  Extensions({ size: MAX_PERIODS })(prototype, String(key));
};

/** The subtotals of a row in the periods of `comparisons`. */
const EarlierSubtotals = (): PropertyDecorator => (prototype, key) => {
  Field(() => [Decimal], { description: 'Subtotals, one for each of the `comparisons`.' })(prototype, key);
  Extensions({ size: MAX_PERIODS })(prototype, String(key));
};

/** The amounts of a row or section in the columns of `breakdown`. */
const Parts = (): PropertyDecorator => (prototype, key) => {
  const description = 'Parts of the amount in the `breakdown` of the report.';
  Field(() => [Decimal], { description })(prototype, key);
  Extensions({ size: MAX_COLUMNS })(prototype, String(key));
};

/** The subtotals of a row in the columns of `breakdown`. */
const SubtotalParts = (): PropertyDecorator => (prototype, key) => {
  Field(() => [Decimal], { description: 'Parts of the subtotal in the `breakdown` of the report.' })(prototype, key);
  Extensions({ size: MAX_COLUMNS })(prototype, String(key));
};

/** What reports have that are broken down. */
const BrokenDown = (): PropertyDecorator => (prototype, key) => {
  const description = 'Columns of `breakdownBy`, sorted by name or id; amounts without one come last.';
  Field(() => [ReportColumn], { description })(prototype, key);
  Extensions({ size: MAX_COLUMNS })(prototype, String(key));
};

/** What reports have that are compared with earlier periods. */
const Compared = (): PropertyDecorator => (prototype, key) => {
  Field(() => [ReportComparison], { description: 'Earlier periods, the latest first.' })(prototype, key);
  Extensions({ size: MAX_PERIODS })(prototype, String(key));
};

/** First and last day; without a first day all until the last one. */
export interface Period {
  from?: string;
  to: string;
}

/** What all reports have. */
@ObjectType({ simpleResolvers: true })
export abstract class Report {
  companyId!: number;
  period!: Period;
  @Field(() => CurrencyCode.values, {
    nullable: true,
    description: 'ISO 4217 code of the base currency, that of all amounts; null if it is unknown.',
  })
  currency!: string | null;
}

/** What all rows of accounts have. */
@ObjectType({ simpleResolvers: true })
export abstract class AccountRow {
  companyId!: number;
  period!: Period;
  @Field(() => PositiveInt, { nullable: true, description: '`ledgerId` of the account; null for amounts without an account.' })
  accountId!: number | null;
  @Field(() => PostingPart.values, {
    nullable: true,
    description: 'Part of the documents, for amounts without an account; otherwise null.',
  })
  part!: string | null;
  @Field(() => Int, {
    description: 'Number of accounts above it in the report; 0 at the top. Rows follow the row of their parent account.',
  })
  level!: number;
}

@ObjectType({ description: 'An account in a trial balance.', simpleResolvers: true })
export class TrialBalanceRow extends AccountRow {
  @Field(() => Decimal, { description: 'Balance of an account with more debits than credits; 0 for any other.' }) debit!: number;
  @Field(() => Decimal, { description: 'Balance of an account with more credits than debits; 0 for any other.' }) credit!: number;
  @Field(() => Decimal, { description: 'Debits less credits of the account and all accounts below it.' }) subtotal!: number;
  @Earlier() comparisons!: number[];
  @Parts() breakdown!: number[];
  @EarlierSubtotals() subtotalComparisons!: number[];
  @SubtotalParts() subtotalBreakdown!: number[];
}

@ObjectType({ description: 'The balances of all accounts at the end of a day.', simpleResolvers: true })
export class TrialBalance extends Report {
  @Field(() => LocalDate, { description: 'Last day of the report.' }) asOf!: string;
  @Field(() => Decimal, { description: 'Sum of the debits, equal to that of the credits.' }) totalDebit!: number;
  @Field(() => Decimal, { description: 'Sum of the credits.' }) totalCredit!: number;
  @Field(() => [TrialBalanceRow], {
    description: 'Accounts with a balance and those above them, sorted by code at each level; amounts without an account come last.',
  })
  @Extensions({ size: USUAL_ROWS })
  rows!: TrialBalanceRow[];
  @Compared() comparisons!: ReportComparison[];
  @BrokenDown() breakdown!: ReportColumn[];
}

@ObjectType({ description: 'An account in a section of a report.', simpleResolvers: true })
export class ReportRow extends AccountRow {
  @Field(() => String, {
    nullable: true,
    description:
      'Name of a computed amount: "Current earnings", income less expenses of all days, or "Net profit", those of the period; null for other rows.',
  })
  name!: string | null;
  @Field(() => Decimal, { description: 'Amount of the account alone, with the sign of its section.' }) amount!: number;
  @Field(() => Decimal, { description: 'Amount of the account and all accounts below it in the section.' }) subtotal!: number;
  @Earlier() comparisons!: number[];
  @Parts() breakdown!: number[];
  @EarlierSubtotals() subtotalComparisons!: number[];
  @SubtotalParts() subtotalBreakdown!: number[];
}

@ObjectType({ description: 'The accounts of one category in a report.', simpleResolvers: true })
export class ReportSection {
  @Field(() => AccountCategory.values, { description: 'Category of all its accounts.' }) category!: string;
  @Field(() => String, { description: 'Name of the section, such as "Income".' }) title!: string;
  @Field(() => Decimal, { description: 'Sum of the rows.' }) total!: number;
  @Earlier() comparisons!: number[];
  @Parts() breakdown!: number[];
  @Field(() => [ReportRow], {
    description: 'Accounts with an amount and the accounts above them, sorted by code at each level; amounts without an account come last.',
  })
  @Extensions({ size: USUAL_ROWS })
  rows!: ReportRow[];
}

@ObjectType({ description: 'Income and expenses of a company in a period.', simpleResolvers: true })
export class ProfitAndLoss extends Report {
  @Field(() => LocalDate, { description: 'First day of the period.' }) from!: string;
  @Field(() => LocalDate, { description: 'Last day of the period.' }) to!: string;
  @Field(() => Decimal, { description: 'Income less expenses; negative for a loss.' }) netProfit!: number;
  @Field(() => [ReportSection], { description: 'Income, then expenses; both are always present.' })
  @Extensions({ size: MAX_SECTIONS })
  sections!: ReportSection[];
  @Compared() comparisons!: ReportComparison[];
  @BrokenDown() breakdown!: ReportColumn[];
}

@ObjectType({ description: 'Assets, liabilities and equity of a company at the end of a day.', simpleResolvers: true })
export class BalanceSheet extends Report {
  @Field(() => LocalDate, { description: 'Last day of the report.' }) asOf!: string;
  @Field(() => Decimal, { description: 'Total assets: `totalLiabilities` + `totalEquity` - `totalUnclassified`.' }) totalAssets!: number;
  @Field(() => Decimal, { description: 'Sum of what the company owes.' }) totalLiabilities!: number;
  @Field(() => Decimal, { description: 'Total equity with the current earnings.' }) totalEquity!: number;
  @Field(() => Decimal, {
    description: 'Debits less credits of accounts without a category and of journal lines without an account.',
  })
  totalUnclassified!: number;
  @Field(() => [ReportSection], { description: 'Assets, liabilities, equity and, if any, unclassified amounts.' })
  @Extensions({ size: MAX_SECTIONS })
  sections!: ReportSection[];
  @Compared() comparisons!: ReportComparison[];
  @BrokenDown() breakdown!: ReportColumn[];
}

export const CashFlowActivity = defineEnum('CashFlowActivity', 'Kind of activity that changes cash.', {
  OPERATING: 'Net profit, and changes of assets and liabilities of the daily business.',
  INVESTING: 'Changes of fixed and other long-term assets.',
  FINANCING: 'Changes of equity and long-term liabilities.',
  UNCLASSIFIED: 'Changes of accounts without a category.',
});

@ObjectType({ description: 'Changes of cash by one kind of activity.', simpleResolvers: true })
export class CashFlowSection {
  @Field(() => CashFlowActivity.values, { description: 'The kind of activity.' }) activity!: string;
  @Field(() => String, { description: 'Name of the section, such as "Operating activities".' }) title!: string;
  @Field(() => Decimal, { description: 'Sum of the rows.' }) total!: number;
  @Earlier() comparisons!: number[];
  @Parts() breakdown!: number[];
  @Field(() => [ReportRow], {
    description:
      'Accounts that changed in the period, with the change of cash that each explains; the net profit is the first operating row.',
  })
  @Extensions({ size: USUAL_ROWS })
  rows!: ReportRow[];
}

@ObjectType({ description: 'Change of the cash of a company in a period, computed from its postings.', simpleResolvers: true })
export class CashFlow extends Report {
  @Field(() => LocalDate, { description: 'First day of the period.' }) from!: string;
  @Field(() => LocalDate, { description: 'Last day of the period.' }) to!: string;
  @Field(() => Decimal, { description: 'Cash before the first day.' }) openingBalance!: number;
  @Field(() => Decimal, { description: 'Sum of the sections.' }) netChange!: number;
  @Field(() => Decimal, { description: 'Cash at the end of the last day: `openingBalance` + `netChange`.' }) closingBalance!: number;
  @Field(() => [CashFlowSection], { description: 'Operating, investing and financing activities and, if any, unclassified amounts.' })
  @Extensions({ size: Object.keys(CashFlowActivity.values).length })
  sections!: CashFlowSection[];
  @Field(() => [ReportRow], { description: 'Accounts that count as cash and changed in the period, with their changes.' })
  @Extensions({ size: USUAL_ROWS })
  cashAccounts!: ReportRow[];
  @Compared() comparisons!: ReportComparison[];
  @BrokenDown() breakdown!: ReportColumn[];
}

export const BalanceDifferenceReason = defineEnum(
  'BalanceDifferenceReason',
  'Why the balance of an account differs from that in the source, as far as it is known.',
  {
    OTHER_CURRENCY: 'The base currency of the company is another one than that of the books in the source.',
    ACCOUNT_NOT_STORED: 'The source has the account, and it is not stored here.',
    NO_ACCOUNT: 'The amount here names no stored account; in the source it is part of others.',
    UNPOSTED_DOCUMENTS: 'Some documents are not fully posted here; `trialBalance { unposted }` lists them.',
    DERIVED: 'The postings here are derived from documents; those of the source are not pulled.',
    EARLIER_YEARS:
      'The difference is the income and expenses of earlier fiscal years, which the source has in this account without postings.',
    POSTINGS_NOT_STORED: 'The last pull could not store some of the postings; the connection says why.',
    CHANGED_SINCE_PULL: 'The source has changed since its postings were pulled.',
  },
);

@ObjectType({ description: 'An account in the trial balance of a source, next to that of the gateway.', simpleResolvers: true })
export class SourceTrialBalanceRow {
  companyId!: number;
  @Field(() => PositiveInt, { nullable: true, description: '`ledgerId` of the account; null if it is not stored.' })
  accountId!: number | null;
  @Field(() => PostingPart.values, {
    nullable: true,
    description: 'Part of the documents, for amounts of the gateway without an account; otherwise null.',
  })
  part!: string | null;
  @Field(() => String, { nullable: true, description: 'Id of the account in the source; null if its report does not have it.' })
  sourceAccountId!: string | null;
  @Field(() => String, { nullable: true, description: 'Name of the account in the report of the source.' }) sourceName!: string | null;
  @Field(() => Decimal, { description: 'Debits less credits in the source; 0 for an account that its report does not have.' })
  source!: number;
  @Field(() => Decimal, { description: 'Debits less credits here, of the days that the source counts.' }) gateway!: number;
  @Field(() => Decimal, { description: '`gateway` less `source`.' }) difference!: number;
  @Field(() => BalanceDifferenceReason.values, { nullable: true, description: 'Reason for the difference; null without one.' })
  reason!: string | null;
}

@ObjectType({ description: 'The trial balance that a source makes of its books, next to that of the gateway.', simpleResolvers: true })
export class SourceTrialBalance {
  @Field(() => LocalDate, { description: 'Last day of the report.' }) asOf!: string;
  @Field(() => DateTime, { description: 'Time of the report.' }) fetchedAt!: string;
  @Field(() => DateTime, { nullable: true, description: 'When the postings of the source were last pulled; null if they never were.' })
  pulledAt!: string | null;
  @Field(() => CurrencyCode.values, { nullable: true, description: 'ISO 4217 code of the base currency in the source, if it says.' })
  currency!: string | null;
  @Field(() => LocalDate, {
    nullable: true,
    description: 'First day of the income and expenses in the source, the start of its fiscal year; null for all days.',
  })
  incomeSince!: string | null;
  @Field(() => Int, { description: 'Number of rows with a difference; 0 means that both are equal.' }) differences!: number;
  @Field(() => [SourceTrialBalanceRow], {
    description: 'Accounts with a balance in the source or here: those of the source in its sequence, then the others.',
  })
  @Extensions({ size: USUAL_ROWS })
  rows!: SourceTrialBalanceRow[];
}

@ObjectType({ description: 'Open amounts in a range of days overdue.', simpleResolvers: true })
export class AgedBucket {
  @Field(() => String, { description: 'Days overdue: "Current", "1-30 days", "31-60 days", "61-90 days" or "Over 90 days".' })
  label!: string;
  @Field(() => Decimal, { description: 'Sum of the open amounts; unused credit is negative.' }) amount!: number;
}

@ObjectType({ description: 'The open amounts of one contact.', simpleResolvers: true })
export class AgedRow {
  companyId!: number;
  period!: Period;
  part!: 'RECEIVABLE' | 'PAYABLE';
  @Field(() => PositiveInt, { nullable: true, description: '`ledgerId` of the contact; null for documents without one.' })
  contactId!: number | null;
  @Field(() => Decimal, { description: 'Sum of the open amounts of the contact.' }) total!: number;
  @Field(() => [AgedBucket], { description: 'Open amounts by days overdue.' })
  @Extensions({ size: BUCKETS })
  buckets!: AgedBucket[];
}

@ObjectType({ description: 'Open amounts at the end of a day, by contact and days overdue.', simpleResolvers: true })
export class AgedReport extends Report {
  @Field(() => LocalDate, { description: 'Last day of the report.' }) asOf!: string;
  @Field(() => Decimal, { description: 'Sum of all open amounts.' }) total!: number;
  @Field(() => [AgedBucket], { description: 'Open amounts by days overdue.' })
  @Extensions({ size: BUCKETS })
  buckets!: AgedBucket[];
  @Field(() => [AgedRow], { description: 'Contacts with open amounts, sorted by name. Documents without a contact come last.' })
  @Extensions({ size: USUAL_ROWS })
  rows!: AgedRow[];
}

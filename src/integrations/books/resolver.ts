// The books of a company on GraphQL: its reports and its postings, with the accounts and contacts that they name.
import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, Extensions, FieldResolver, Info, Int, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../../access/context.ts';
import { needs, type Row } from '../../database/reader/projection.ts';
import { loadRecord } from '../../graphql/graph/record-loader.ts';
import { ReadArg } from '../../graphql/input-types.ts';
import type { FilterInput } from '../../graphql/list-inputs.ts';
import { checkPage, forwardArguments, MAX_PAGE, type PageArguments } from '../../graphql/lists/page-arguments.ts';
import { lookAhead } from '../../graphql/look-ahead.ts';
import { SUMMARY_PRICE } from '../../graphql/summaries/summary-types.ts';
import { LocalDate } from '../../records/scalars.ts';
import { Company, type CompanyRow } from '../companies/company.ts';
import { Account } from '../records/account.ts';
import { Contact } from '../records/contact.ts';
import { cashFlow } from './cash-flow.ts';
import { dayOf, type Timeframe } from './days.ts';
import { Posting, PostingConnection, PostingFilter } from './posting.ts';
import { readPostings, readRowPostings } from './posting-list.ts';
import { MAX_COLUMNS } from './postings.statements.ts';
import {
  AccountRow,
  AgedReport,
  AgedRow,
  BalanceSheet,
  CashFlow,
  MAX_PERIODS,
  ProfitAndLoss,
  Report,
  ReportBreakdown,
  ReportColumn,
  ReportTimeframe,
  SourceTrialBalance,
  SourceTrialBalanceRow,
  TrialBalance,
  UnpostedDocuments,
  USUAL_ROWS,
} from './report-types.ts';
import { agedReport, type BreakdownBy, balanceSheet, profitAndLoss, trialBalance, unposted } from './reports.ts';
import { sourceTrialBalance } from './source-trial-balance.ts';

/** What a report costs besides its rows: as much as summaries of the seven record types whose documents post. */
export const REPORT_PRICE = 7 * SUMMARY_PRICE;

/** What a report costs that a source is asked for and that is compared: two of ours, and the calls. */
const SOURCE_PRICE = 2 * REPORT_PRICE;

const REPORT = { price: REPORT_PRICE };
const COMPARED = { price: REPORT_PRICE, pricedBy: new Set(['periods', 'breakdownBy']) };

const PageOptions = forwardArguments(100);

/** The postings of a row, where the caller names no number. */
const USUAL_POSTINGS = 10;

/** The postings of a row: the rows of a report are read together. */
const RowPostings = (): MethodDecorator => (prototype, name, descriptor) => {
  const description =
    'The first postings of the row, sorted by day; all of them add up to its amount, in which income, liabilities and equity have the opposite sign. Null for a computed row.';
  FieldResolver(() => [Posting], { nullable: true, description })(prototype, name, descriptor);
  Extensions({ price: REPORT_PRICE / USUAL_ROWS, rest: 'never' })(prototype, name, descriptor);
};

const First = (): ParameterDecorator =>
  Arg('first', () => Int, { defaultValue: USUAL_POSTINGS, description: `How many, 1 to ${MAX_PAGE}.` }) as ParameterDecorator;

/** How many postings of a row are asked for. */
const sizeOf = (first: number): number => checkPage({ first, defaultSize: USUAL_POSTINGS }).size;

/** The last day of a report, which is today where the caller names none. */
const AsOf = (): ParameterDecorator =>
  Arg('asOf', () => LocalDate, {
    nullable: true,
    description: 'Last day of the report; default today in UTC.',
  }) as ParameterDecorator;

const From = (): ParameterDecorator => Arg('from', () => LocalDate, { description: 'First day of the period.' }) as ParameterDecorator;

const To = (): ParameterDecorator => Arg('to', () => LocalDate, { description: 'Last day of the period.' }) as ParameterDecorator;

const Periods = (): ParameterDecorator =>
  Arg('periods', () => Int, {
    defaultValue: 0,
    description: `With how many earlier periods to compare, from 0 to ${MAX_PERIODS}. Each costs as much as the report.`,
  }) as ParameterDecorator;

const TimeframeOf = (): ParameterDecorator =>
  Arg('timeframe', () => ReportTimeframe.values, {
    defaultValue: 'MONTH',
    description: 'Size of these periods.',
  }) as ParameterDecorator;

const BreakdownByOf = (): ParameterDecorator =>
  Arg('breakdownBy', () => ReportBreakdown.values, {
    nullable: true,
    description: `Adds a column for each contact, or for each set of tracking categories; more than ${MAX_COLUMNS} are rejected. Costs as much as the report.`,
  }) as ParameterDecorator;

@Resolver(() => Company)
export class CompanyBooksResolver {
  @FieldResolver(() => TrialBalance, {
    nullable: true,
    description: 'Balances of all accounts at the end of a day, from all postings until then.',
  })
  @Extensions(COMPARED)
  trialBalance(
    @Root() company: CompanyRow,
    @AsOf() asOf: string | null | undefined,
    @Periods() periods: number,
    @TimeframeOf() timeframe: Timeframe,
    @BreakdownByOf() breakdownBy: BreakdownBy | null | undefined,
    @Ctx() context: RequestContext,
  ): Promise<object> {
    return trialBalance(context, company.ledgerId, dayOf(context, asOf, 'asOf'), { periods, timeframe, breakdownBy });
  }

  @needs(Company, 'integrationType')
  @FieldResolver(() => SourceTrialBalance, {
    nullable: true,
    description:
      'Asks the source for its own trial balance at the end of a day and compares it with the one here. Nothing is stored. OPERATION_NOT_SUPPORTED if the source has none; PLATFORM_TIMEOUT if it does not respond within 45 seconds.',
  })
  @Extensions({ price: SOURCE_PRICE })
  sourceTrialBalance(
    @Root() company: CompanyRow,
    @AsOf() asOf: string | null | undefined,
    @Ctx() context: RequestContext,
  ): Promise<object> {
    return sourceTrialBalance(context, company, dayOf(context, asOf, 'asOf'));
  }

  @FieldResolver(() => ProfitAndLoss, { nullable: true, description: 'Income and expenses from the postings of a period.' })
  @Extensions(COMPARED)
  profitAndLoss(
    @Root() company: CompanyRow,
    @From() from: string,
    @To() to: string,
    @Periods() periods: number,
    @TimeframeOf() timeframe: Timeframe,
    @BreakdownByOf() breakdownBy: BreakdownBy | null | undefined,
    @Ctx() context: RequestContext,
  ): Promise<object> {
    const compared = { periods, timeframe, breakdownBy };
    return profitAndLoss(context, company.ledgerId, dayOf(context, from, 'from'), dayOf(context, to, 'to'), compared);
  }

  @FieldResolver(() => BalanceSheet, {
    nullable: true,
    description: 'Assets, liabilities and equity at the end of a day, from all postings until then.',
  })
  @Extensions(COMPARED)
  balanceSheet(
    @Root() company: CompanyRow,
    @AsOf() asOf: string | null | undefined,
    @Periods() periods: number,
    @TimeframeOf() timeframe: Timeframe,
    @BreakdownByOf() breakdownBy: BreakdownBy | null | undefined,
    @Ctx() context: RequestContext,
  ): Promise<object> {
    return balanceSheet(context, company.ledgerId, dayOf(context, asOf, 'asOf'), { periods, timeframe, breakdownBy });
  }

  @FieldResolver(() => CashFlow, {
    nullable: true,
    description: 'Change of cash in a period, from the net profit and the changes of all other accounts (indirect method).',
  })
  @Extensions(COMPARED)
  cashFlow(
    @Root() company: CompanyRow,
    @From() from: string,
    @To() to: string,
    @Periods() periods: number,
    @TimeframeOf() timeframe: Timeframe,
    @BreakdownByOf() breakdownBy: BreakdownBy | null | undefined,
    @Ctx() context: RequestContext,
  ): Promise<object> {
    const compared = { periods, timeframe, breakdownBy };
    return cashFlow(context, company.ledgerId, dayOf(context, from, 'from'), dayOf(context, to, 'to'), compared);
  }

  @FieldResolver(() => AgedReport, {
    nullable: true,
    description:
      'Amounts owed by customers at the end of a day: invoices less credit notes and payments. Unallocated payments count as credit.',
  })
  @Extensions(REPORT)
  agedReceivables(@Root() company: CompanyRow, @AsOf() asOf: string | null | undefined, @Ctx() context: RequestContext): Promise<object> {
    return agedReport(context, company.ledgerId, 'RECEIVABLE', dayOf(context, asOf, 'asOf'));
  }

  @FieldResolver(() => AgedReport, {
    nullable: true,
    description: 'Amounts owed to vendors at the end of a day: bills less credit notes and payments. Unallocated payments count as credit.',
  })
  @Extensions(REPORT)
  agedPayables(@Root() company: CompanyRow, @AsOf() asOf: string | null | undefined, @Ctx() context: RequestContext): Promise<object> {
    return agedReport(context, company.ledgerId, 'PAYABLE', dayOf(context, asOf, 'asOf'));
  }

  @FieldResolver(() => PostingConnection, {
    description:
      'Lines of the general ledger, sorted by day: the postings of each document to accounts. Drafts and voided documents have none.',
  })
  @Extensions(REPORT)
  postings(
    @Root() company: CompanyRow,
    @Args(() => PageOptions) page: PageArguments,
    @ReadArg(
      'filter',
      () => PostingFilter,
      { nullable: true, description: 'Conditions on the postings.' },
      (filter) => filter ?? {},
    )
    filter: FilterInput,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<PostingConnection> {
    return readPostings(context, company.ledgerId, page, filter, lookAhead(info).fields.has('totalCount'));
  }
}

/** What the reports of all kinds have besides their figures. */
@Resolver(() => Report)
export class ReportResolver {
  @FieldResolver(() => UnpostedDocuments, {
    description: 'Documents that are not fully posted, with reasons; no figure includes them.',
  })
  @Extensions(REPORT)
  unposted(@Root() report: Report, @Ctx() context: RequestContext): Promise<UnpostedDocuments> {
    return unposted(context, report);
  }
}

/** The account of a row or posting. */
const accountOf = (
  { accountId, companyId }: { accountId: number | null; companyId: number },
  context: RequestContext,
  info: GraphQLResolveInfo,
): Promise<Row | null> | null => (accountId === null ? null : loadRecord(context, info, Account, { key: accountId, companyId }));

/** The contact of a row or posting. */
const contactOf = (
  { contactId, companyId }: { contactId: number | null; companyId: number },
  context: RequestContext,
  info: GraphQLResolveInfo,
): Promise<Row | null> | null => (contactId === null ? null : loadRecord(context, info, Contact, { key: contactId, companyId }));

@Resolver(() => AccountRow)
export class ReportAccountResolver {
  @FieldResolver(() => Account, { nullable: true, description: 'The account; null for amounts without an account.' })
  account(@Root() row: AccountRow, @Ctx() context: RequestContext, @Info() info: GraphQLResolveInfo): Promise<Row | null> | null {
    return accountOf(row, context, info);
  }

  @RowPostings()
  postings(
    @Root() { companyId, period, accountId, part }: AccountRow,
    @First() first: number,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Posting[]> | null {
    if (accountId === null && part === null) return null;
    return readRowPostings(context, info, { companyId, period, row: { accountId, part: part! }, size: sizeOf(first) });
  }
}

@Resolver(() => SourceTrialBalanceRow)
export class SourceAccountResolver {
  @FieldResolver(() => Account, { nullable: true, description: 'The account; null if it is not stored.' })
  account(
    @Root() row: SourceTrialBalanceRow,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row | null> | null {
    return accountOf(row, context, info);
  }
}

@Resolver(() => AgedRow)
export class AgedContactResolver {
  @FieldResolver(() => Contact, { nullable: true, description: 'The contact; null for documents without one.' })
  contact(@Root() row: AgedRow, @Ctx() context: RequestContext, @Info() info: GraphQLResolveInfo): Promise<Row | null> | null {
    return contactOf(row, context, info);
  }

  @RowPostings()
  postings(
    @Root() { companyId, period, contactId, part: openPart }: AgedRow,
    @First() first: number,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Posting[]> | null {
    return readRowPostings(context, info, { companyId, period, row: { contactId, openPart }, size: sizeOf(first) });
  }
}

@Resolver(() => ReportColumn)
export class ColumnContactResolver {
  @FieldResolver(() => Contact, { nullable: true, description: 'The contact; null for amounts without one.' })
  contact(@Root() column: ReportColumn, @Ctx() context: RequestContext, @Info() info: GraphQLResolveInfo): Promise<Row | null> | null {
    return contactOf(column, context, info);
  }
}

@Resolver(() => Posting)
export class PostedRecordsResolver {
  @FieldResolver(() => Account, {
    nullable: true,
    description: 'The account; null if neither the document nor the chart of accounts has one.',
  })
  @Extensions({ rest: 'expand' })
  account(@Root() posting: Posting, @Ctx() context: RequestContext, @Info() info: GraphQLResolveInfo): Promise<Row | null> | null {
    return accountOf(posting, context, info);
  }

  @FieldResolver(() => Contact, { nullable: true, description: 'The customer or vendor.' })
  @Extensions({ rest: 'expand' })
  contact(@Root() posting: Posting, @Ctx() context: RequestContext, @Info() info: GraphQLResolveInfo): Promise<Row | null> | null {
    return contactOf(posting, context, info);
  }
}

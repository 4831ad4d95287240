// Postings: the lines of the general ledger, their page and their filter.
import { Extensions, Field, Int, ObjectType } from 'type-graphql';
import { PageInfo } from '../../graphql/connections.ts';
import type { InputField } from '../../graphql/input-types.ts';
import { filterField, inputOf, operatorInput } from '../../graphql/list-inputs.ts';
import { defineEnum, type EnumDefinition } from '../../records/enums.ts';
import { modelOf, type NamedRecords, type Prop, type RecordClass } from '../../records/metadata.ts';
import { Decimal, LocalDate, PositiveInt } from '../../records/scalars.ts';
import { CurrencyCode } from '../ledger/enums.ts';
import { Account } from '../records/account.ts';
import { BillCreditNote } from '../records/bill-credit-note.ts';
import { Contact } from '../records/contact.ts';
import { Expense } from '../records/expense.ts';
import { InvoiceCreditNote } from '../records/invoice-credit-note.ts';
import { Bill, Invoice } from '../records/invoice-document.ts';
import { JournalEntry } from '../records/journal-entry.ts';
import { Payment } from '../records/payment.ts';

/** The record types whose documents post. */
const postedRecords: RecordClass[] = [Invoice, InvoiceCreditNote, Bill, BillCreditNote, Expense, JournalEntry, Payment];

/** The tracking categories of a usual posting, by which a list of them is priced. */
const USUAL_CATEGORIES = 2;

export const PostingDocument = defineEnum('PostingDocument', 'Record type of a document that belongs to the books.', {
  INVOICE: 'An invoice.',
  INVOICE_CREDIT_NOTE: 'A credit note on invoices.',
  BILL: 'A bill.',
  BILL_CREDIT_NOTE: 'A credit note on bills.',
  PAYMENT: 'A payment.',
  EXPENSE: 'An expense.',
  JOURNAL_ENTRY: 'A journal entry.',
  BANK_TRANSACTION: 'A bank transaction. It has no postings; the matching payment, expense or entry has them.',
});

export const PostingPart = defineEnum('PostingPart', 'Part of a document that a posting records.', {
  RECEIVABLE: 'Amount owed by a customer, or its payment.',
  PAYABLE: 'Amount owed to a vendor, or its payment.',
  MONEY: 'Incoming or outgoing money.',
  TAX: 'Tax on sales and purchases.',
  SALES: 'Lines, shipping and discount of invoices and their credit notes.',
  COSTS: 'Lines, shipping and discount of bills and their credit notes, and lines of expenses.',
  EXCHANGE: 'Exchange gains and losses, and rounding differences.',
  ENTRY: 'Lines of journal entries.',
});

export const PostingOrigin = defineEnum('PostingOrigin', 'Where a posting comes from.', {
  SOURCE: 'The source system has it in its general ledger.',
  DERIVED: 'The gateway derives it from a document, because the source sends no postings.',
});

@ObjectType({ description: 'A line of the general ledger, of the source system or derived from a document.', simpleResolvers: true })
export class Posting {
  companyId!: number;
  @Field(() => LocalDate, { description: 'Day of the posting: of the transaction in the source, or the date of the document in UTC.' })
  date!: string;
  @Field(() => PositiveInt, {
    nullable: true,
    description: '`ledgerId` of the account; null if neither the document nor the chart of accounts has one.',
  })
  accountId!: number | null;
  @Field(() => PostingOrigin.values, { description: 'Whether the source has the posting, or the gateway derives it.' }) origin!: string;
  @Field(() => PostingPart.values, { nullable: true, description: 'What it is of the document; null where the source does not say.' })
  part!: string | null;
  @Field(() => Decimal, { description: 'Amount in the currency of the document: a debit is more than 0, a credit less.' }) amount!: number;
  @Field(() => CurrencyCode.values, {
    nullable: true,
    description: 'ISO 4217 code of the currency of `amount`; null if neither the document nor the company has one.',
  })
  currencyId!: string | null;
  @Field(() => Decimal, {
    description: 'The amount in the base currency of the company. Those of one document, or of one transaction of the source, add up to 0.',
  })
  baseAmount!: number;
  @Field(() => PositiveInt, { nullable: true, description: '`ledgerId` of the customer or vendor.' }) contactId!: number | null;
  @Field(() => PostingDocument.values, { nullable: true, description: 'Record type of the document; null where the source names none.' })
  documentType!: string | null;
  @Field(() => PositiveInt, {
    nullable: true,
    description: '`ledgerId` of the document; null where the source names none that is stored here.',
  })
  documentId!: number | null;
  @Field(() => LocalDate, { nullable: true, description: 'Day on which an open amount is due; null for any other posting.' })
  dueDate!: string | null;
  @Field(() => LocalDate, {
    nullable: true,
    description: 'Day from which the source has an open amount as settled; null while it is open, and for a derived posting.',
  })
  settledDate!: string | null;
  @Field(() => String, { nullable: true, description: 'Id of the transaction in the source system; null for a derived posting.' })
  transactionId!: string | null;
  @Field(() => String, { nullable: true, description: 'Number of the transaction in the books of the source; null for a derived posting.' })
  sourceNumber!: string | null;
  @Field(() => String, { nullable: true, description: 'Journal of the source, such as "Revenue"; null for a derived posting.' })
  journal!: string | null;
  @Field(() => [String], { nullable: true, description: 'Ids of tracking categories in the source system, those of the line.' })
  @Extensions({ size: USUAL_CATEGORIES })
  trackingCategoryIds!: string[] | null;
  @Field(() => String, { nullable: true, description: 'Text of the line, or what the amount is where no line has it.' })
  description!: string | null;
}

@ObjectType({ description: 'A posting with its cursor.', simpleResolvers: true })
export class PostingEdge {
  @Field(() => String, { description: 'Position in the list, for `after`.' }) cursor!: string;
  @Field(() => Posting, { description: 'Posting at this position.' }) node!: Posting;
}

@ObjectType({ description: 'A page of postings.', simpleResolvers: true })
export class PostingConnection {
  @Field(() => [Posting], { description: 'The postings of the page.' }) nodes!: Posting[];
  @Field(() => [PostingEdge], { description: 'The postings of the page with their cursors.' })
  @Extensions({ rest: 'never' })
  edges!: PostingEdge[];
  @Field(() => PageInfo, { description: 'Position of the page in the list.' }) pageInfo!: PageInfo;
  @Field(() => Int, { description: 'Exact number of matching postings on all pages.' })
  totalCount!: number;
  @Field(() => Boolean, { description: 'Always false: `totalCount` is exact.' })
  totalCountIsEstimate!: boolean;
}

/** A column of postings that lists are filtered by, and the records that its numbers name. */
interface FilteredColumn {
  prop: Prop;
  names?: NamedRecords;
}

const column = (name: string, kind: 'date' | 'ledgerId', description: string, names?: NamedRecords): FilteredColumn => ({
  prop: { name, column: name, kind, description },
  ...(names ? { names } : {}),
});

const choice = (name: string, choices: EnumDefinition, description: string): FilteredColumn => ({
  prop: { name, column: name, kind: 'enumeration', choices, type: () => choices.values, description },
});

const columns: FilteredColumn[] = [
  column('date', 'date', 'Day of the posting.'),
  column('accountId', 'ledgerId', '`ledgerId` of the account.', () => [modelOf(Account)]),
  column('contactId', 'ledgerId', '`ledgerId` of the customer or vendor.', () => [modelOf(Contact)]),
  column('documentId', 'ledgerId', '`ledgerId` of the document.', () => postedRecords.map(modelOf)),
  choice('documentType', PostingDocument, 'Record type of the document.'),
  choice('part', PostingPart, 'Part of the document.'),
];

/** The filter of lists of postings. */
export const PostingFilter = inputOf('PostingFilter', 'Conditions on postings; all must match.', () =>
  columns.map(({ prop, names }): InputField => {
    const operators = operatorInput(prop);
    const field = filterField(prop.name, () => operators, `Filters \`${prop.name}\`. ${prop.description}`);
    return names ? { ...field, names } : field;
  }),
);

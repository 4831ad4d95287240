// Transactions of the general ledger as a source has them: the tables of the transactions, of their postings and of the monthly totals.
import { amount, date, enumeration, integer, ledgerNumber, list, moment, record, text } from '../../records/decorators.ts';
import { CurrencyCode } from '../ledger/enums.ts';
import { addPulledModel } from '../ledger/ledger-record.ts';
import { PostingDocument, PostingPart } from './posting.ts';
import { transactionFields } from './source-transactions.ts';

/** The data model of pulls and imports. A transaction is one record, so that it is stored whole or not at all. */
export const LEDGER_TRANSACTION = 'LEDGER_TRANSACTION';
addPulledModel(LEDGER_TRANSACTION, 'Transactions of the general ledger, each with its postings. They are read only.', transactionFields());

@record({
  description: 'A transaction of the general ledger of a source.',
  scope: 'organisation',
  companyColumn: 'company_id',
  key: 'platformId',
  prefix: 'ledgertransaction',
  primaryKey: ['companyId', 'ledgerIntegrationType', 'platformId'],
  deletedAt: 'ledgerDeletedAt',
  indexes: [{ name: 'ledger_transaction_deleted', columns: 'ledger_deleted_at, platform_id', where: 'ledger_deleted_at is not null' }],
  internal: true,
})
export class LedgerTransaction {
  @ledgerNumber('Company of the books.', { required: true }) companyId!: number;
  @text('Name of the source system.', { required: true }) ledgerIntegrationType!: string;
  @text('Id of the transaction in the source system.', { required: true }) platformId!: string;
  @ledgerNumber('Organisation that owns the company.', { required: true }) organisationId!: number;
  @text('Number of the transaction in the books of the source.') sourceNumber!: string | null;
  @text('Journal of the source that has the transaction.') journal!: string | null;
  @enumeration(PostingDocument, 'Record type of the document that it belongs to.') documentType!: string | null;
  @text('Id of that document in the source system.') documentId!: string | null;
  @text('SHA-256 of what the source last said.', { required: true }) sourceHash!: string;
  @moment('When the source was found to have it no more.') ledgerDeletedAt!: Date | null;
}

@record({
  description: 'A posting of a transaction of the general ledger of a source.',
  scope: 'organisation',
  companyColumn: 'company_id',
  key: 'transactionId',
  prefix: 'sourceposting',
  primaryKey: ['companyId', 'ledgerIntegrationType', 'transactionId', 'place'],
  indexes: [
    { name: 'source_posting_date', columns: 'company_id, date, transaction_id, place' },
    { name: 'source_posting_account', columns: 'company_id, account_id, date, transaction_id, place' },
    { name: 'source_posting_open', columns: 'company_id, part, settled_date', where: 'part is not null' },
  ],
  internal: true,
})
export class SourcePosting {
  @ledgerNumber('Company of the books.', { required: true }) companyId!: number;
  @text('Name of the source system.', { required: true }) ledgerIntegrationType!: string;
  @text('Id of the transaction in the source system.', { required: true }) transactionId!: string;
  @integer('Place in the transaction, from 0.', { required: true }) place!: number;
  @ledgerNumber('Organisation that owns the company.', { required: true }) organisationId!: number;
  @date('Day of the transaction.', { required: true }) date!: string;
  // The ids of the source, so that an account or contact may come later than its postings.
  @text('Id of the account in the source system.', { required: true }) accountId!: string;
  @text('Id of the contact in the source system.') contactId!: string | null;
  @amount('Amount in its currency; a debit is more than 0.', { required: true }) amount!: number;
  @enumeration(CurrencyCode, 'Currency of the amount; null for the base currency.') currencyId!: string | null;
  @amount('The amount in the base currency.', { required: true }) baseAmount!: number;
  @enumeration(PostingPart, 'What it is of its document.') part!: string | null;
  @date('Day on which an open amount is due.') dueDate!: string | null;
  @date('Day from which an open amount is settled; null while it is open.') settledDate!: string | null;
  @list(() => String, 'Ids of tracking categories in the source system.') trackingCategoryIds!: string[] | null;
  @text('Text of the posting.') description!: string | null;
}

@record({
  description: 'The sum of the postings of an account in a month, kept by the transactions that write postings.',
  scope: 'organisation',
  companyColumn: 'company_id',
  key: 'accountId',
  prefix: 'postingtotal',
  primaryKey: ['companyId', 'ledgerIntegrationType', 'month', 'accountId'],
  internal: true,
})
export class PostingTotal {
  @ledgerNumber('Company of the books.', { required: true }) companyId!: number;
  @text('Name of the source system.', { required: true }) ledgerIntegrationType!: string;
  @date('First day of the month.', { required: true }) month!: string;
  @text('Id of the account in the source system.', { required: true }) accountId!: string;
  @ledgerNumber('Organisation that owns the company.', { required: true }) organisationId!: number;
  @amount('Debits less credits, in the base currency.', { required: true }) balance!: number;
}

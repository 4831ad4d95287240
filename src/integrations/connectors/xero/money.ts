// Payments, bank transactions, money that was spent without a bill, and manual journals.
import type { Json, PullRequest, SourcePage, SourceRecord } from '../connector.ts';
import { amount, negated } from '../decimals.ts';
import type { Row, XeroClient } from './client.ts';
import { rateOf } from './documents.ts';
import { cannotSay } from './errors.ts';
import { accountOf, accountRow, allLineFields, isInclusive, linesOf, lineTotals } from './lines.ts';
import { pagesOf } from './pages.ts';
import { FOUR_DIGITS, isDeleted, type Stream } from './stream.ts';
import { type TrackingRow, trackingOf } from './tracking.ts';
import { day, given, moment, named } from './values.ts';

/** Refunds of credit notes and of what was paid too much or in advance go the other way. */
const directions = {
  ACCRECPAYMENT: 'RECEIVED',
  ACCPAYPAYMENT: 'MADE',
  ARCREDITPAYMENT: 'MADE',
  APCREDITPAYMENT: 'RECEIVED',
  AROVERPAYMENTPAYMENT: 'MADE',
  ARPREPAYMENTPAYMENT: 'MADE',
  APOVERPAYMENTPAYMENT: 'RECEIVED',
  APPREPAYMENTPAYMENT: 'RECEIVED',
};
const paidModels = {
  ACCRECPAYMENT: 'INVOICE',
  ACCPAYPAYMENT: 'BILL',
  ARCREDITPAYMENT: 'INVOICE_CREDIT_NOTE',
  APCREDITPAYMENT: 'BILL_CREDIT_NOTE',
};

interface PaidRow {
  InvoiceID?: string;
  CreditNoteID?: string;
  CurrencyCode?: string;
  Contact?: { ContactID?: string };
}

interface PaymentRow extends Row {
  PaymentID: string;
  PaymentType?: string;
  Invoice?: PaidRow;
  CreditNote?: PaidRow;
  Prepayment?: PaidRow;
  Overpayment?: PaidRow;
  Account?: { AccountID?: string; Code?: string };
  Amount?: string;
  CurrencyRate?: string;
  Date?: string;
  Reference?: string;
  UpdatedDateUTC?: string;
}

function allocationsOf({ PaymentID, PaymentType, Invoice, CreditNote, Amount, Date: paidOn }: PaymentRow): SourceRecord[] {
  const documentType = named(paidModels, PaymentType);
  const id = Invoice?.InvoiceID ?? CreditNote?.CreditNoteID;
  if (documentType === 'UNKNOWN' || id === undefined) return [];
  const allocated = { amount: amount(Amount ?? null), allocated_at: moment(paidOn) };
  return [{ platform_id: `${PaymentID}-${id}`, document_type: documentType, document_id: id, ...allocated }];
}

/** The document that a payment is for, for Xero: a payment there has one. */
function paidRow(allocations: unknown): Row {
  const [allocation, ...others] = (allocations ?? []) as SourceRecord[];
  if (!allocation || others.length > 0) throw cannotSay('A payment pays one document in Xero: send one payment for each');
  const { document_type, document_id } = allocation;
  if (document_type === 'INVOICE' || document_type === 'BILL') return { Invoice: { InvoiceID: document_id } };
  if (document_type === 'INVOICE_CREDIT_NOTE' || document_type === 'BILL_CREDIT_NOTE') return { CreditNote: { CreditNoteID: document_id } };
  throw cannotSay(`Xero takes no payments of ${document_type} records`);
}

/** Payments of invoices and credit notes. */
const paid: Stream = {
  dataModel: 'PAYMENT',
  endpoint: 'Payments',
  id: 'PaymentID',
  pages: 'sized',
  reportsChanges: true,
  fields: {
    read: ['platform_id', 'direction', 'contact_id', 'currency_id', 'updated_at', 'allocations.amount', 'allocations.allocated_at'],
    both: ['total_amount', 'currency_rate', 'transaction_date', 'reference_number'],
    required: ['account_id', 'allocations.document_type', 'allocations.document_id'],
  },
  isGone: isDeleted,
  async record(row, client) {
    const payment = row as PaymentRow;
    const paid = payment.Invoice ?? payment.CreditNote ?? payment.Prepayment ?? payment.Overpayment;
    const { AccountID, Code } = payment.Account ?? {};
    return {
      platform_id: payment.PaymentID,
      direction: named(directions, payment.PaymentType),
      contact_id: paid?.Contact?.ContactID ?? null,
      account_id: await accountOf(client, { ...(AccountID ? { AccountID } : {}), ...(Code ? { AccountCode: Code } : {}) }),
      total_amount: amount(payment.Amount ?? null),
      currency_id: paid?.CurrencyCode || null,
      currency_rate: rateOf(payment.CurrencyRate),
      transaction_date: moment(payment.Date),
      reference_number: payment.Reference || null,
      updated_at: moment(payment.UpdatedDateUTC),
      allocations: allocationsOf(payment),
    };
  },
  writes: {
    async row(client, { allocations, account_id, transaction_date, total_amount, reference_number, currency_rate }) {
      const { AccountCode, ...account } = await accountRow(client, account_id);
      return given({
        ...paidRow(allocations),
        Account: AccountCode === undefined ? account : { Code: AccountCode },
        Date: day(transaction_date) ?? undefined,
        Amount: total_amount ?? undefined,
        Reference: reference_number ?? undefined,
        CurrencyRate: currency_rate == null ? undefined : Number((1 / Number(currency_rate)).toFixed(6)),
      });
    },
    isChangeable: false,
    removed: ({ PaymentID }) => {
      if (!PaymentID) throw cannotSay('Overpayments and prepayments are ended in Xero itself');
      return { Status: 'DELETED' };
    },
  },
};

interface AdvanceRow extends Row {
  Type?: string;
  Contact?: { ContactID?: string };
  Date?: string;
  Reference?: string;
  CurrencyCode?: string;
  CurrencyRate?: string;
  Total?: string;
  UpdatedDateUTC?: string;
  Allocations?: { Amount?: string; Date?: string; Invoice?: { InvoiceID?: string } }[];
}

/** What was paid too much or in advance, and the documents that it pays. Its bank account is at the bank transaction alone. */
const advances = (endpoint: 'Overpayments' | 'Prepayments', id: 'OverpaymentID' | 'PrepaymentID'): Stream => {
  const { writes: _, ...readOnly } = paid;
  return {
    ...readOnly,
    endpoint,
    id,
    isGone: ({ Status }) => Status === 'DELETED' || Status === 'VOIDED',
    record: (row) => {
      const { Type = '', Contact, Date: paidOn, Reference, Allocations = [], ...advance } = row as AdvanceRow;
      const isReceived = /^(RECEIVE|AR)/.test(Type);
      return {
        platform_id: row[id],
        direction: isReceived ? 'RECEIVED' : 'MADE',
        contact_id: Contact?.ContactID ?? null,
        total_amount: amount(advance.Total ?? null),
        currency_id: advance.CurrencyCode || null,
        currency_rate: rateOf(advance.CurrencyRate),
        transaction_date: moment(paidOn),
        reference_number: Reference || null,
        updated_at: moment(advance.UpdatedDateUTC),
        allocations: Allocations.flatMap(({ Amount, Date: allocatedOn, Invoice }, index) => ({
          platform_id: `${row[id]}-${index}`,
          document_type: isReceived ? 'INVOICE' : 'BILL',
          document_id: Invoice?.InvoiceID,
          amount: amount(Amount ?? null),
          allocated_at: moment(allocatedOn),
        })),
      };
    },
  };
};

const paymentStreams = [paid, advances('Overpayments', 'OverpaymentID'), advances('Prepayments', 'PrepaymentID')];
const paymentStreamOf = (row: Row): Stream => paymentStreams.find(({ id }) => row[id] !== undefined)!;

/** The pages of one endpoint after those of the other; the cursor has the place in each. */
async function* paymentPages(client: XeroClient, request: PullRequest, signal: AbortSignal): AsyncGenerator<SourcePage> {
  let places = { ...(request.cursor as Record<string, Json> | null) };
  for (const stream of paymentStreams)
    for await (const page of pagesOf(client, stream, { ...request, cursor: places[stream.endpoint] ?? null }, signal)) {
      places = { ...places, [stream.endpoint]: page.cursor! };
      yield { ...page, cursor: places };
    }
}

/** Payments, with what was paid too much or in advance. */
export const payments: Stream = {
  ...paid,
  pages: paymentPages,
  async readOne(client, id) {
    for (const { endpoint } of paymentStreams) {
      const row = await client.one(endpoint, id);
      if (row) return row;
    }
    return null;
  },
  isGone: (row) => paymentStreamOf(row).isGone!(row),
  record: (row, client) => paymentStreamOf(row).record(row, client),
};

interface BankRow extends Row {
  BankTransactionID: string;
  Type?: string;
  Contact?: { ContactID?: string };
  BankAccount?: { AccountID?: string; Code?: string };
  Date?: string;
  Reference?: string;
  CurrencyCode?: string;
  CurrencyRate?: string;
  Status?: string;
  IsReconciled?: boolean;
  SubTotal?: string;
  TotalTax?: string;
  Total?: string;
  UpdatedDateUTC?: string;
}

const bankAccountOf = ({ BankAccount }: BankRow): string | null => BankAccount?.AccountID ?? null;
const isSpent = ({ Type }: BankRow): boolean => Type?.startsWith('SPEND') ?? false;

function kindOf(row: BankRow): string {
  if (row.Type?.endsWith('-TRANSFER')) return 'TRANSFER';
  return isSpent(row) ? 'DEBIT' : 'CREDIT';
}

function bankStateOf({ Status, IsReconciled }: BankRow): string {
  if (Status === 'VOIDED') return 'VOID';
  return IsReconciled ? 'RECONCILED' : 'POSTED';
}

/** Money that came to the accounts of the bank, or went from them. */
export const bankTransactions: Stream = {
  dataModel: 'BANK_TRANSACTION',
  endpoint: 'BankTransactions',
  id: 'BankTransactionID',
  options: FOUR_DIGITS,
  pages: 'sized',
  reportsChanges: true,
  fields: {
    read: [
      ...['platform_id', 'account_id', 'amount', 'currency_id', 'transaction_date', 'reference_number', 'type', 'contact_id', 'status'],
      ...['source_status', 'updated_at'],
    ],
  },
  isGone: isDeleted,
  record: (row) => {
    const bank = row as BankRow;
    const total = bank.Total ?? null;
    return {
      platform_id: bank.BankTransactionID,
      account_id: bankAccountOf(bank),
      amount: amount(total !== null && isSpent(bank) ? negated(total) : total),
      currency_id: bank.CurrencyCode || null,
      transaction_date: moment(bank.Date),
      reference_number: bank.Reference || null,
      type: kindOf(bank),
      contact_id: bank.Contact?.ContactID ?? null,
      status: bankStateOf(bank),
      source_status: bank.Status ?? null,
      updated_at: moment(bank.UpdatedDateUTC),
    };
  },
};

/** Money that was spent without a bill: the same rows, with their lines. */
export const expenses: Stream = {
  dataModel: 'EXPENSE',
  endpoint: 'BankTransactions',
  id: 'BankTransactionID',
  query: { where: 'Type=="SPEND"' },
  options: FOUR_DIGITS,
  pages: 'sized',
  reportsChanges: true,
  fields: {
    read: [
      ...['platform_id', 'document_number', 'account_id', 'contact_id', 'transaction_date', 'currency_id', 'currency_rate', 'sub_total'],
      ...['tax_amount', 'is_tax_inclusive', 'total_amount', 'updated_at', ...allLineFields],
    ],
  },
  owns: ({ Type }) => Type === 'SPEND',
  isGone: ({ Status }) => Status === 'DELETED' || Status === 'VOIDED',
  async record(row, client) {
    const bank = row as BankRow;
    return {
      platform_id: bank.BankTransactionID,
      document_number: bank.Reference || null,
      account_id: bankAccountOf(bank),
      contact_id: bank.Contact?.ContactID ?? null,
      transaction_date: moment(bank.Date),
      currency_id: bank.CurrencyCode || null,
      currency_rate: rateOf(bank.CurrencyRate),
      sub_total: amount(bank.SubTotal ?? null),
      tax_amount: amount(bank.TotalTax ?? null),
      is_tax_inclusive: isInclusive(bank),
      total_amount: amount(bank.Total ?? null),
      updated_at: moment(bank.UpdatedDateUTC),
      line_items: await linesOf(client, bank),
    };
  },
};

interface JournalRow extends Row {
  ManualJournalID: string;
  Narration?: string;
  Date?: string;
  Status?: string;
  UpdatedDateUTC?: string;
  JournalLines?: JournalLineRow[];
}

interface JournalLineRow {
  LineAmount?: string;
  TaxAmount?: string;
  AccountCode?: string;
  AccountID?: string;
  Description?: string;
  TaxType?: string;
  Tracking?: TrackingRow[];
  IsBlank?: boolean;
}

const journalStates = { DRAFT: 'DRAFT', POSTED: 'POSTED', VOIDED: 'VOID' };

/** Manual journals. */
export const journalEntries: Stream = {
  dataModel: 'JOURNAL_ENTRY',
  endpoint: 'ManualJournals',
  id: 'ManualJournalID',
  pages: 'sized',
  reportsChanges: true,
  fields: {
    read: [
      ...['platform_id', 'transaction_date', 'memo', 'status', 'source_status', 'updated_at'],
      ...['description', 'account_id', 'tax_id', 'tax_amount', 'sub_total', 'total_amount', 'tracking_category_ids'].map(
        (name) => `line_items.${name}`,
      ),
    ],
  },
  isGone: isDeleted,
  async record(row, client) {
    const journal = row as JournalRow;
    const lines: SourceRecord[] = [];
    for (const line of journal.JournalLines ?? []) {
      if (line.IsBlank) continue;
      const totals = lineTotals(line.LineAmount, line.TaxAmount, isInclusive(row));
      lines.push({
        description: line.Description ?? null,
        account_id: await accountOf(client, line),
        tax_id: line.TaxType || null,
        tax_amount: amount(line.TaxAmount ?? null),
        sub_total: amount(totals?.net ?? null),
        total_amount: amount(totals?.gross ?? null),
        tracking_category_ids: await trackingOf(client, line.Tracking),
      });
    }
    return {
      platform_id: journal.ManualJournalID,
      transaction_date: moment(journal.Date),
      memo: journal.Narration ?? null,
      status: named(journalStates, journal.Status),
      source_status: journal.Status ?? null,
      updated_at: moment(journal.UpdatedDateUTC),
      line_items: lines,
    };
  },
};

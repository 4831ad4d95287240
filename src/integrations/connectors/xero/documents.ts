// Invoices, bills, credit notes, purchase orders and quotes.
import type { SourceRecord } from '../connector.ts';
import { amount, quotient } from '../decimals.ts';
import type { Row, XeroClient } from './client.ts';
import { cannotSay } from './errors.ts';
import { allLineFields, isInclusive, lineFields, lineRows, linesOf } from './lines.ts';
import { FOUR_DIGITS, isDeleted, quoted, type Stream, type Writes } from './stream.ts';
import { day, given, moment, named } from './values.ts';

interface DocumentRow extends Row {
  Type?: string;
  Contact?: { ContactID?: string };
  Date?: string;
  DueDate?: string;
  DeliveryDate?: string;
  InvoiceNumber?: string;
  CreditNoteNumber?: string;
  PurchaseOrderNumber?: string;
  QuoteNumber?: string;
  Reference?: string;
  Summary?: string;
  CurrencyCode?: string;
  CurrencyRate?: string;
  Status?: string;
  SubTotal?: string;
  TotalTax?: string;
  Total?: string;
  TotalDiscount?: string;
  AmountDue?: string;
  AmountPaid?: string;
  AmountCredited?: string;
  RemainingCredit?: string;
  AppliedAmount?: string;
  Allocations?: { Invoice?: { InvoiceID?: string } }[];
  UpdatedDateUTC?: string;
}

/** The fields of all documents, and what Xero computes of most of them. */
const SENT = ['contact_id', 'posted_date', 'currency_id', 'is_tax_inclusive', 'document_number', 'status'];
const TOTALS = ['sub_total', 'tax_amount', 'total_amount', 'total_discount'];

const isMore = (text: string | undefined): boolean => text !== undefined && Number(text) > 0;

/** Xero states units of the other currency for one of the base currency. */
export const rateOf = (rate: string | undefined): number | string | null => (isMore(rate) ? amount(quotient('1', rate!)) : null);

const RATE_DIGITS = 6;
const rateRow = (rate: unknown): number | undefined => (rate == null ? undefined : Number((1 / Number(rate)).toFixed(RATE_DIGITS)));

/** Nobody owes what waits for its approval (SUBMITTED); what is approved waits for its payment. */
const states = { DRAFT: 'DRAFT', SUBMITTED: 'DRAFT', AUTHORISED: 'SUBMITTED', PAID: 'PAID', VOIDED: 'VOID' };
const orderStates = { DRAFT: 'DRAFT', SUBMITTED: 'SUBMITTED', AUTHORISED: 'AUTHORIZED', BILLED: 'BILLED' };
const quoteStates = { DRAFT: 'DRAFT', SENT: 'SUBMITTED', ACCEPTED: 'ACCEPTED', DECLINED: 'REJECTED', INVOICED: 'CONVERTED' };

/** What our states are called by Xero. It derives the others itself. */
const givenStates = { DRAFT: 'DRAFT', SUBMITTED: 'AUTHORISED', VOID: 'VOIDED' };
const givenOrderStates = { DRAFT: 'DRAFT', SUBMITTED: 'SUBMITTED', AUTHORIZED: 'AUTHORISED', BILLED: 'BILLED', VOID: 'DELETED' };
const givenQuoteStates = {
  DRAFT: 'DRAFT',
  SUBMITTED: 'SENT',
  ACCEPTED: 'ACCEPTED',
  REJECTED: 'DECLINED',
  CONVERTED: 'INVOICED',
  VOID: 'DELETED',
};

/** The state of a record for Xero, where it differs from the state that the record has there. Two states of Xero may be one of ours. */
function stateRow(table: Readonly<Record<string, string>>, { status }: SourceRecord, base: SourceRecord | undefined): string | undefined {
  if (status == null || status === base?.status) return undefined;
  const name = named(table, String(status), '');
  if (name === '') throw cannotSay(`A document cannot be made ${status} in Xero: it takes ${Object.keys(table).join(', ')}`);
  return name;
}

function stateOf({ Status, AmountPaid, AmountCredited, AppliedAmount }: DocumentRow): string {
  const isUsed = isMore(AmountPaid) || isMore(AmountCredited) || isMore(AppliedAmount);
  return Status === 'AUTHORISED' && isUsed ? 'PARTIALLY_PAID' : named(states, Status);
}

/** The members that all documents have. */
const common = async (client: XeroClient, row: DocumentRow): Promise<SourceRecord> => ({
  source_status: row.Status ?? null,
  contact_id: row.Contact?.ContactID ?? null,
  posted_date: moment(row.Date),
  currency_id: row.CurrencyCode || null,
  is_tax_inclusive: isInclusive(row),
  updated_at: moment(row.UpdatedDateUTC),
  line_items: await linesOf(client, row),
});

/** The amounts of a document as a whole, and the rate of its currency. */
const totals = ({ CurrencyRate, SubTotal, TotalTax, Total, TotalDiscount }: DocumentRow): SourceRecord => ({
  currency_rate: rateOf(CurrencyRate),
  sub_total: amount(SubTotal ?? null),
  tax_amount: amount(TotalTax ?? null),
  total_amount: amount(Total ?? null),
  total_discount: amount(TotalDiscount ?? null),
});

/** The members that all documents have, for Xero. */
async function commonRow(
  client: XeroClient,
  record: SourceRecord,
  base: SourceRecord | undefined,
  { takesDiscounts, isLoud = false }: { takesDiscounts: boolean; isLoud?: boolean },
): Promise<Row> {
  const { contact_id, posted_date, currency_id, currency_rate, is_tax_inclusive } = record;
  const types = is_tax_inclusive ? 'Inclusive' : 'Exclusive';
  return {
    Contact: contact_id == null ? undefined : { ContactID: contact_id },
    Date: day(posted_date) ?? undefined,
    CurrencyCode: currency_id ?? undefined,
    CurrencyRate: rateRow(currency_rate),
    LineAmountTypes: is_tax_inclusive == null ? undefined : isLoud ? types.toUpperCase() : types,
    LineItems: await lineRows(client, record, base, takesDiscounts),
  };
}

/** Whether a document is not approved yet. Such are deleted, and what was approved is voided. */
const isOpen = (status: unknown): boolean => status === 'DRAFT' || status === 'SUBMITTED';
const endInvoice = ({ Status }: Row): Row => ({ Status: isOpen(Status) ? 'DELETED' : 'VOIDED' });

/** Whether a found document is one whose creation got no response: the same number for the same contact on the same day. */
const isSameDocument =
  (numberName: string) =>
  (row: Row, { document_number, contact_id, posted_date }: SourceRecord): boolean =>
    row[numberName] === document_number &&
    (row.Contact as { ContactID?: string } | undefined)?.ContactID === contact_id &&
    (posted_date == null || day(moment(row.Date as string)) === day(posted_date));

const invoiceWrites = (type: 'ACCREC' | 'ACCPAY'): Writes => ({
  async row(client, record, base) {
    const { document_number, due_date, memo } = record;
    return given({
      Type: type,
      ...(await commonRow(client, record, base, { takesDiscounts: type === 'ACCREC' })),
      DueDate: day(due_date) ?? undefined,
      InvoiceNumber: document_number ?? undefined,
      // A bill has no reference besides its number.
      Reference: type === 'ACCREC' ? (memo ?? undefined) : undefined,
      Status: stateRow(isOpen(base?.source_status) ? { ...givenStates, VOID: 'DELETED' } : givenStates, record, base),
    });
  },
  isChangeable: true,
  removed: endInvoice,
  search: ({ document_number }) =>
    document_number == null ? undefined : { InvoiceNumbers: String(document_number), where: `Type==${quoted(type)}`, page: '1' },
  isSame: isSameDocument('InvoiceNumber'),
});

const invoiceStream = (dataModel: 'INVOICE' | 'BILL', type: 'ACCREC' | 'ACCPAY'): Stream => ({
  dataModel,
  endpoint: 'Invoices',
  id: 'InvoiceID',
  query: { where: `Type==${quoted(type)}`, includeArchived: 'true' },
  options: FOUR_DIGITS,
  pages: 'sized',
  reportsChanges: true,
  fields: {
    read: ['platform_id', 'source_status', ...TOTALS, 'amount_due', 'updated_at', ...lineFields(type === 'ACCREC').read],
    both: [...SENT, 'currency_rate', 'due_date', 'memo', ...lineFields(type === 'ACCREC').both],
  },
  owns: ({ Type }) => Type === type,
  isGone: isDeleted,
  async record(row, client) {
    const invoice = row as DocumentRow;
    return {
      platform_id: row.InvoiceID,
      ...(await common(client, invoice)),
      document_number: invoice.InvoiceNumber || null,
      due_date: moment(invoice.DueDate),
      ...totals(invoice),
      amount_due: amount(invoice.AmountDue ?? null),
      memo: invoice.Reference || null,
      status: stateOf(invoice),
    };
  },
  writes: invoiceWrites(type),
});

/** Invoices to customers. */
export const invoices = invoiceStream('INVOICE', 'ACCREC');
/** Invoices of vendors. */
export const bills = invoiceStream('BILL', 'ACCPAY');

const creditNoteStream = (dataModel: string, type: string, listName: 'invoice_ids' | 'bill_ids'): Stream => ({
  dataModel,
  endpoint: 'CreditNotes',
  id: 'CreditNoteID',
  query: { where: `Type==${quoted(type)}` },
  options: FOUR_DIGITS,
  pages: 'sized',
  reportsChanges: true,
  fields: {
    read: ['platform_id', 'source_status', ...SENT, 'total_amount', 'remaining_credit', 'memo', 'updated_at', listName, ...allLineFields],
  },
  owns: ({ Type }) => Type === type,
  isGone: isDeleted,
  async record(row, client) {
    const note = row as DocumentRow;
    return {
      platform_id: row.CreditNoteID,
      ...(await common(client, note)),
      document_number: note.CreditNoteNumber || null,
      total_amount: amount(note.Total ?? null),
      remaining_credit: amount(note.RemainingCredit ?? null),
      memo: note.Reference || null,
      status: stateOf(note),
      [listName]: [...new Set((note.Allocations ?? []).flatMap(({ Invoice }) => Invoice?.InvoiceID ?? []))],
    };
  },
});

/** Credit notes to customers. */
export const invoiceCreditNotes = creditNoteStream('INVOICE_CREDIT_NOTE', 'ACCRECCREDIT', 'invoice_ids');
/** Credit notes of vendors. */
export const billCreditNotes = creditNoteStream('BILL_CREDIT_NOTE', 'ACCPAYCREDIT', 'bill_ids');

/** Purchase orders. */
export const purchaseOrders: Stream = {
  dataModel: 'PURCHASE_ORDER',
  endpoint: 'PurchaseOrders',
  id: 'PurchaseOrderID',
  pages: 'sized',
  reportsChanges: true,
  fields: {
    read: ['platform_id', 'source_status', ...TOTALS, 'updated_at', ...lineFields(false).read],
    both: [...SENT, 'currency_rate', 'description', 'delivery_date', ...lineFields(false).both],
  },
  isGone: isDeleted,
  async record(row, client) {
    const order = row as DocumentRow;
    return {
      platform_id: row.PurchaseOrderID,
      ...(await common(client, order)),
      document_number: order.PurchaseOrderNumber || null,
      description: order.Reference || null,
      delivery_date: moment(order.DeliveryDate),
      ...totals(order),
      status: named(orderStates, order.Status),
    };
  },
  writes: {
    async row(client, record, base) {
      const { document_number, description, delivery_date } = record;
      return given({
        ...(await commonRow(client, record, base, { takesDiscounts: false })),
        PurchaseOrderNumber: document_number ?? undefined,
        Reference: description ?? undefined,
        DeliveryDate: day(delivery_date) ?? undefined,
        Status: stateRow(givenOrderStates, record, base),
      });
    },
    isChangeable: true,
    removed: () => ({ Status: 'DELETED' }),
    search: ({ document_number, posted_date }) =>
      document_number == null
        ? undefined
        : (given({
            page: '1',
            pageSize: '1000',
            order: 'UpdatedDateUTC DESC',
            DateFrom: day(posted_date) ?? undefined,
            DateTo: day(posted_date) ?? undefined,
          }) as Record<string, string>),
    isSame: isSameDocument('PurchaseOrderNumber'),
  },
};

/** Quotes. */
export const estimates: Stream = {
  dataModel: 'ESTIMATE',
  endpoint: 'Quotes',
  id: 'QuoteID',
  pages: 'fixed',
  reportsChanges: true,
  fields: {
    read: ['platform_id', 'source_status', 'updated_at', ...lineFields(true).read],
    both: [...SENT, 'currency_rate', 'memo', ...lineFields(true).both],
  },
  isGone: isDeleted,
  async record(row, client) {
    const quote = row as DocumentRow;
    return {
      platform_id: row.QuoteID,
      ...(await common(client, quote)),
      document_number: quote.QuoteNumber || null,
      currency_rate: rateOf(quote.CurrencyRate),
      memo: quote.Summary || null,
      status: named(quoteStates, quote.Status),
    };
  },
  writes: {
    async row(client, record, base) {
      const { document_number, memo } = record;
      return given({
        ...(await commonRow(client, record, base, { takesDiscounts: true, isLoud: true })),
        QuoteNumber: document_number ?? undefined,
        Summary: memo ?? undefined,
        Status: stateRow(givenQuoteStates, record, base),
      });
    },
    isChangeable: true,
    removed: () => ({ Status: 'DELETED' }),
    search: ({ document_number }) => (document_number == null ? undefined : { QuoteNumber: String(document_number), page: '1' }),
    isSame: isSameDocument('QuoteNumber'),
  },
};

// Invoices of both directions and their credit notes, which are one model in Tryton: a credit note is an invoice of a negative total.
import type { SourceRecord } from '../connector.ts';
import { amount, negated } from '../decimals.ts';
import type { DeclaredFields } from '../declared.ts';
import type { Row, TrytonClient } from './client.ts';
import { type DocumentKind, documentWrites } from './documents.ts';
import { invoiceLineFields, isLine, type LineRow, type Lines, lineRecord, linesOf } from './lines.ts';
import { ORDERS_OF_INVOICES, openAmount, paidOutsideBooks } from './open-amounts.ts';
import type { Stream } from './stream.ts';
import { purchaseIds, purchasesOf } from './trade.ts';
import { date, idOf, latest, moment, referredId, stampMoment } from './values.ts';

/** The data models of invoices. */
export type InvoiceModel = 'INVOICE' | 'BILL' | 'INVOICE_CREDIT_NOTE' | 'BILL_CREDIT_NOTE';

export interface InvoiceRow extends Row {
  type: 'in' | 'out';
  number: string | null;
  reference: string | null;
  description: string | null;
  comment: string | null;
  state: string;
  invoice_date: string | null;
  payment_term_date: string | null;
  party: number;
  untaxed_amount: string;
  tax_amount: string;
  total_amount: string;
  amount_to_pay: string;
  payment_lines: number[];
  lines_to_pay: number[];
  create_date: string;
  'currency.': { code: string };
}

interface InvoiceLineRow extends LineRow {
  invoice: number;
  account: number | null;
  origin: string | null;
}

const INVOICE_FIELDS = [
  ...['type', 'number', 'reference', 'description', 'comment', 'state', 'invoice_date', 'payment_term_date', 'party'],
  ...['untaxed_amount', 'tax_amount', 'total_amount', 'amount_to_pay', 'payment_lines', 'lines_to_pay', 'create_date', 'currency.code'],
];

/** Tryton counts drafts of payments as paid otherwise, and those of credit notes with the wrong sign. */
const IN_BOOKS = { with_payment: false };

/** The data model of an invoice. */
export function modelOfInvoice({ type, total_amount }: Pick<InvoiceRow, 'type' | 'total_amount'>): InvoiceModel {
  const isCredit = total_amount.startsWith('-');
  if (type === 'out') return isCredit ? 'INVOICE_CREDIT_NOTE' : 'INVOICE';
  return isCredit ? 'BILL_CREDIT_NOTE' : 'BILL';
}

const states: Record<string, string> = { draft: 'DRAFT', validated: 'SUBMITTED', posted: 'SUBMITTED', paid: 'PAID', cancelled: 'VOID' };

const statusOf = ({ state, payment_lines, lines_to_pay }: InvoiceRow, { paid }: Context): string =>
  state === 'posted' && (payment_lines.length > 0 || lines_to_pay.some((line) => paid.has(line)))
    ? 'PARTIALLY_PAID'
    : (states[state] ?? 'UNKNOWN');

/** What belongs to the invoices of a page. */
interface Context {
  lines: Lines<InvoiceLineRow>;
  /** Invoices by the ids of their lines, for the lines of credit notes. */
  credited: ReadonlyMap<number, number>;
  purchases: ReadonlyMap<number, number>;
  /** Days on which the parts of an invoice are due, by move line. */
  due: ReadonlyMap<number, string | null>;
  /** What payments outside the books have paid of parts of an invoice, by move line. */
  paid: ReadonlyMap<number, string>;
}

const openOf = ({ amount_to_pay, lines_to_pay }: InvoiceRow, { paid }: Context): string => openAmount(amount_to_pay, lines_to_pay, paid);

const isLast = (day: string | null | undefined, last: string | null): boolean => Boolean(day && (!last || day > last));

function dueDate(invoice: InvoiceRow, due: Context['due']): string | null {
  const last = invoice.lines_to_pay.reduce<string | null>((day, id) => (isLast(due.get(id), day) ? due.get(id)! : day), null);
  return moment(last ?? invoice.payment_term_date);
}

/** The members of a data model beyond those that all four have. */
const ownMembers: Record<InvoiceModel, (invoice: InvoiceRow, lines: InvoiceLineRow[], context: Context) => SourceRecord> = {
  INVOICE: (invoice, _lines, context) => ({
    ...amounts(invoice, context),
    due_date: dueDate(invoice, context.due),
    issued_at: moment(invoice.invoice_date),
  }),
  BILL: (invoice, lines, context) => ({
    ...amounts(invoice, context),
    due_date: dueDate(invoice, context.due),
    purchase_order_ids: purchaseIds(
      lines.map(({ origin }) => origin),
      context.purchases,
    ),
  }),
  INVOICE_CREDIT_NOTE: (invoice, lines, context) => ({
    remaining_credit: amount(negated(openOf(invoice, context))),
    issued_at: moment(invoice.invoice_date),
    invoice_ids: creditedIds(lines, context.credited),
  }),
  BILL_CREDIT_NOTE: (invoice, lines, context) => ({
    remaining_credit: amount(negated(openOf(invoice, context))),
    bill_ids: creditedIds(lines, context.credited),
  }),
};

const amounts = (invoice: InvoiceRow, context: Context): SourceRecord => ({
  sub_total: amount(invoice.untaxed_amount),
  tax_amount: amount(invoice.tax_amount),
  amount_due: amount(openOf(invoice, context)),
  created_at: invoice.create_date,
});

const creditedIds = (lines: readonly InvoiceLineRow[], credited: ReadonlyMap<number, number>): string[] => [
  ...new Set(lines.flatMap(({ origin }) => idOf(credited.get(referredId(origin, 'account.invoice.line') ?? 0)) ?? [])),
];

function invoiceRecord(invoice: InvoiceRow, dataModel: InvoiceModel, context: Context): SourceRecord {
  const lines = context.lines.byDocument.get(invoice.id) ?? [];
  const isCredit = dataModel.endsWith('CREDIT_NOTE');
  return {
    platform_id: String(invoice.id),
    contact_id: String(invoice.party),
    // On a bill the number is the vendor's.
    document_number: invoice.type === 'in' ? (invoice.reference ?? invoice.number) : invoice.number,
    posted_date: moment(invoice.invoice_date),
    currency_id: invoice['currency.'].code,
    total_amount: amount(isCredit ? negated(invoice.total_amount) : invoice.total_amount),
    is_tax_inclusive: false,
    memo: invoice.comment,
    status: statusOf(invoice, context),
    source_status: invoice.state,
    ...ownMembers[dataModel](invoice, lines, context),
    updated_at: stampMoment(latest([invoice, ...lines].map(({ _timestamp }) => _timestamp))),
    line_items: lines.filter(isLine).map((line) => lineRecord(line, context.lines.accounts, isCredit)),
  };
}

async function contextOf(client: TrytonClient, invoices: readonly InvoiceRow[]): Promise<Context> {
  const ids = invoices.map(({ id }) => id);
  const lines = await linesOf<InvoiceLineRow>(client, 'account.invoice.line', 'invoice', ids, ['account', 'origin']);
  const origins = [...lines.byDocument.values()].flat().map(({ origin }) => origin);
  const creditedLines = origins.map((origin) => referredId(origin, 'account.invoice.line'));
  const credited = await client.rowsOf<InvoiceLineRow>('account.invoice.line', creditedLines, ['invoice']);
  const terms = invoices.flatMap(({ lines_to_pay }) => lines_to_pay);
  const due = await client.rowsOf<Row & { maturity_date: string | null }>('account.move.line', terms, ['maturity_date']);
  return {
    lines,
    credited: new Map([...credited].map(([id, { invoice }]) => [id, invoice])),
    purchases: await purchasesOf(client, origins),
    due: new Map([...due].map(([id, { maturity_date }]) => [id, maturity_date])),
    paid: await paidOutsideBooks(client, terms),
  };
}

/** The fields of every invoice, and those that each data model adds. */
const COMMON_READ = ['platform_id', 'total_amount', 'is_tax_inclusive', 'status', 'source_status', 'updated_at', ...invoiceLineFields.read];
const DUE_READ = ['sub_total', 'tax_amount', 'amount_due', 'due_date', 'created_at'];
const COMMON_SENT = ['posted_date', 'currency_id', 'memo', ...invoiceLineFields.both];
const creditFields = (...own: string[]): DeclaredFields => ({
  read: [...COMMON_READ, ...COMMON_SENT, 'contact_id', 'document_number', 'remaining_credit', ...own],
});

const declared: Record<InvoiceModel, DeclaredFields> = {
  INVOICE: { read: [...COMMON_READ, ...DUE_READ, 'document_number', 'issued_at'], both: COMMON_SENT, required: ['contact_id'] },
  BILL: {
    read: [...COMMON_READ, ...DUE_READ, 'purchase_order_ids'],
    both: [...COMMON_SENT, 'document_number'],
    required: ['contact_id'],
  },
  INVOICE_CREDIT_NOTE: creditFields('issued_at', 'invoice_ids'),
  BILL_CREDIT_NOTE: creditFields('bill_ids'),
};

/** A new or changed invoice is a draft: it is posted in Tryton. */
const draftsOf = (type: 'in' | 'out'): DocumentKind => ({
  model: 'account.invoice',
  fixed: { type },
  lines: {
    model: 'account.invoice.line',
    parent: 'invoice',
    context: ({ company, party, currency }) => ({ company, party, currency, invoice_type: type }),
  },
  header: ({ memo, posted_date, document_number }) => ({
    ...(memo === undefined ? {} : { comment: memo }),
    ...(posted_date === undefined ? {} : { invoice_date: date(posted_date) }),
    // Tryton numbers what the company issues, and keeps the number of a vendor as a reference.
    ...(type === 'in' && document_number !== undefined ? { reference: document_number } : {}),
  }),
  defaults: async (client, document) => ({ account: await client.computed('account.invoice', document, 'account') }),
});

const invoiceStream = (dataModel: InvoiceModel, type: 'in' | 'out'): Stream => ({
  dataModel,
  model: 'account.invoice',
  domain: (company) => [
    ['company', '=', company],
    ['type', '=', type],
  ],
  parts: [{ model: 'account.invoice.line', field: 'invoice' }, { model: 'account.invoice.tax', field: 'invoice' }, ORDERS_OF_INVOICES],
  children: { line_items: 'account.invoice.line' },
  fields: declared[dataModel],
  async read(client, ids) {
    const rows = await client.rowsOf<InvoiceRow>('account.invoice', ids, INVOICE_FIELDS, IN_BOOKS);
    const invoices = [...rows.values()].filter((row) => modelOfInvoice(row) === dataModel);
    const context = await contextOf(client, invoices);
    return invoices.map((invoice) => invoiceRecord(invoice, dataModel, context));
  },
});

const draftStream = (dataModel: InvoiceModel, type: 'in' | 'out'): Stream => ({
  ...invoiceStream(dataModel, type),
  writes: {
    ...documentWrites(draftsOf(type)),
    // The taxes of a draft are computed when it is written, not when it is created.
    complete: (client, id) => client.write('account.invoice', id, {}),
  },
});

/** Invoices to customers. */
export const invoices = draftStream('INVOICE', 'out');
/** Invoices of vendors. */
export const bills = draftStream('BILL', 'in');
/** Credit notes to customers. */
export const invoiceCreditNotes = invoiceStream('INVOICE_CREDIT_NOTE', 'out');
/** Credit notes of vendors. */
export const billCreditNotes = invoiceStream('BILL_CREDIT_NOTE', 'in');

// Payments of the module `account_payment`: ordered at a bank, and known to have succeeded before the books have them, or without them.
import type { SourceRecord } from '../connector.ts';
import { amount } from '../decimals.ts';
import type { Row } from './client.ts';
import { type InvoiceRow, modelOfInvoice } from './invoices.ts';
import { ORDERS, SUCCEEDED } from './open-amounts.ts';
import { platformIdOf, type Stream } from './stream.ts';
import { idOf, moment, referredId, stampMoment } from './values.ts';

interface OrderRow extends Row {
  kind: 'payable' | 'receivable';
  party: number;
  amount: string;
  date: string;
  description: string | null;
  state: string;
  create_date: string;
  clearing_move?: number | null;
  'currency.': { code: string };
  'journal.': { name: string };
  'group.': { number: string | null } | null;
  'line.': { reconciliation: number | null; 'move.': { origin: string | null } } | null;
}

const FIELDS = [
  ...['kind', 'party', 'amount', 'date', 'description', 'state', 'create_date', 'currency.code', 'journal.name', 'group.number'],
  ...['line.reconciliation', 'line.move.origin'],
];

/** The invoice whose amount is paid; null where the line is of another move. */
const invoiceOf = (row: OrderRow): number | null => referredId(row['line.']?.['move.'].origin ?? null, 'account.invoice');

/**
 * Whether it is a payment here. A line that is reconciled was paid in the books, by a line that is a payment itself, unless the payment has a move of
 * its own, which the module `account_payment_clearing` makes.
 */
const isPayment = (row: OrderRow): boolean =>
  row.state === SUCCEEDED && (row['line.']?.reconciliation == null || row.clearing_move != null);

function paymentRecord(row: OrderRow, platformId: string, invoices: ReadonlyMap<number, InvoiceRow>): SourceRecord {
  const invoice = invoices.get(invoiceOf(row) ?? 0);
  return {
    platform_id: platformId,
    direction: row.kind === 'receivable' ? 'RECEIVED' : 'MADE',
    contact_id: idOf(row.party),
    account_id: null,
    total_amount: amount(row.amount),
    currency_id: row['currency.'].code,
    transaction_date: moment(row.date),
    reference_number: row['group.']?.number ?? null,
    payment_mode: row['journal.'].name,
    memo: row.description,
    created_at: row.create_date,
    updated_at: stampMoment(row._timestamp),
    allocations: (invoice ? [invoice] : []).map(({ id, ...rest }) => ({
      platform_id: String(id),
      document_type: modelOfInvoice(rest),
      document_id: String(id),
      amount: amount(row.amount),
    })),
  };
}

/** Payments that have succeeded and that the books do not have as payments of an invoice. Their source ids begin with `payment-`. */
export const paymentOrders: Stream = {
  dataModel: 'PAYMENT',
  model: ORDERS,
  prefix: 'payment-',
  domain: (company) => [['company', '=', company]],
  // A line that is reconciled was paid in the books.
  parts: [{ model: 'account.move.line', field: 'payments' }],
  fields: { read: ['payment_mode'] },
  async read(client, ids) {
    const isCleared = await client.hasField(ORDERS, 'clearing_move');
    const rows = [...(await client.rowsOf<OrderRow>(ORDERS, ids, isCleared ? [...FIELDS, 'clearing_move'] : FIELDS)).values()];
    const paid = rows.filter(isPayment);
    const invoices = await client.rowsOf<InvoiceRow>('account.invoice', paid.map(invoiceOf), ['type', 'total_amount']);
    return paid.map((row) => paymentRecord(row, platformIdOf(this, row.id), invoices));
  },
};

// Payments of invoices: the lines of the books that Tryton counts as payments of an invoice.
import type { SourceRecord } from '../connector.ts';
import { amount, magnitude } from '../decimals.ts';
import type { Row, TrytonClient } from './client.ts';
import { type InvoiceRow, modelOfInvoice } from './invoices.ts';
import { paymentOrders } from './payment-orders.ts';
import type { Stream } from './stream.ts';
import { idOf, moment, stampMoment } from './values.ts';

interface PaymentRow extends Row {
  party: number | null;
  debit: string;
  credit: string;
  amount_second_currency: string | null;
  date: string;
  description: string | null;
  create_date: string;
  /** The invoice that it pays; never more than one. */
  invoice_payments: number[];
  'second_currency.': { code: string } | null;
  'account.': { 'currency.': { code: string } };
  'move.': { number: string | null; lines: number[]; description: string | null };
}

const PAYMENT_FIELDS = [
  ...['party', 'debit', 'credit', 'amount_second_currency', 'date', 'description', 'create_date', 'invoice_payments'],
  ...['second_currency.code', 'account.currency.code', 'move.number', 'move.lines', 'move.description'],
];

const isZero = (text: string): boolean => !/[1-9]/.test(text);

interface Context {
  invoices: ReadonlyMap<number, InvoiceRow>;
  /** Accounts by the ids of their lines. */
  accounts: ReadonlyMap<number, number>;
}

function paymentRecord(row: PaymentRow, { invoices, accounts }: Context): SourceRecord {
  const isReceived = isZero(row.debit);
  const paidAmount = amount(magnitude(row.amount_second_currency ?? (isReceived ? row.credit : row.debit)));
  const others = row['move.'].lines.filter((id) => id !== row.id);
  const paid = row.invoice_payments.flatMap((id) => invoices.get(id) ?? []);
  return {
    platform_id: String(row.id),
    direction: isReceived ? 'RECEIVED' : 'MADE',
    contact_id: idOf(row.party),
    // With several lines on the other side no single account is the one of the money.
    account_id: others.length === 1 ? idOf(accounts.get(others[0]!)) : null,
    total_amount: paidAmount,
    currency_id: row['second_currency.']?.code ?? row['account.']['currency.'].code,
    transaction_date: moment(row.date),
    reference_number: row['move.'].number,
    memo: row.description ?? row['move.'].description,
    created_at: row.create_date,
    updated_at: stampMoment(row._timestamp),
    allocations: paid.map((invoice) => ({
      platform_id: String(invoice.id),
      document_type: modelOfInvoice(invoice),
      document_id: String(invoice.id),
      amount: paidAmount,
    })),
  };
}

async function read(client: TrytonClient, ids: readonly number[]): Promise<SourceRecord[]> {
  const rows = await client.rowsOf<PaymentRow>('account.move.line', ids, PAYMENT_FIELDS);
  const paying = [...rows.values()].filter(({ invoice_payments }) => invoice_payments.length > 0);
  const paid = paying.flatMap(({ invoice_payments }) => invoice_payments);
  const invoices = await client.rowsOf<InvoiceRow>('account.invoice', paid, ['type', 'total_amount']);
  const moveLines = paying.flatMap((row) => row['move.'].lines);
  const accounts = await client.rowsOf<Row & { account: number }>('account.move.line', moveLines, ['account']);
  const context = { invoices, accounts: new Map([...accounts].map(([id, { account }]) => [id, account])) };
  return paying.map((row) => paymentRecord(row, context));
}

/** Payments of invoices, of both directions, in the books and outside them. */
export const payments: Stream = {
  dataModel: 'PAYMENT',
  model: 'account.move.line',
  domain: (company) => [
    ['move.company', '=', company],
    ['invoice_payments', '!=', null],
  ],
  // A line becomes a payment when an invoice takes it as one.
  parts: [{ model: 'account.invoice', field: 'payment_lines' }],
  fields: {
    read: [
      ...['platform_id', 'direction', 'contact_id', 'account_id', 'total_amount', 'currency_id', 'transaction_date', 'reference_number'],
      ...['memo', 'created_at', 'updated_at', ...paymentOrders.fields.read],
      ...['document_type', 'document_id', 'amount'].map((name) => `allocations.${name}`),
    ],
  },
  read,
  more: paymentOrders,
};

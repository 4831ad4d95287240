// The documents of the demo company: orders, receipts, estimates and credit notes, with lines that add up to their totals.
import type { RecordClass } from '../../records/metadata.ts';
import type { LedgerRecord } from '../ledger/ledger-record.ts';
import { BillCreditNote } from '../records/bill-credit-note.ts';
import { Estimate } from '../records/estimate.ts';
import { InvoiceCreditNote } from '../records/invoice-credit-note.ts';
import { PurchaseOrder } from '../records/purchase-document.ts';
import type { RecordInput } from '../writes/change.ts';
import { contacts, items } from './records.ts';

/** Numbers of written records by platform id. */
export type Numbers = Map<string, number>;

/** A line of an item at its price. Amounts are computed in whole cents, so that nothing is lost before the division. */
function line(
  numbers: Numbers,
  index: number,
  itemId: string,
  quantity: number,
): RecordInput & { subTotal: number; taxAmount: number; totalAmount: number } {
  const item = items.find((entry) => entry.platformId === itemId)!;
  const net = quantity * Math.round(item.price * 100);
  const tax = Math.round((net * 20) / 100);
  return {
    platformId: String(index + 1),
    itemId: numbers.get(itemId),
    name: item.name,
    quantity,
    unitAmount: item.price,
    isTaxInclusive: false,
    subTotal: net / 100,
    taxAmount: tax / 100,
    totalAmount: (net + tax) / 100,
    taxId: numbers.get('tax-standard'),
    accountId: numbers.get('acc-4000'),
  };
}

/** The sum of an amount of some records, in whole cents before the division. */
const sum = (lines: { [name: string]: unknown }[], name: string): number =>
  lines.reduce((cents, entry) => cents + Math.round(Number(entry[name]) * 100), 0) / 100;

/** The totals of a document with these lines. */
export const totalsOf = (lines: { [name: string]: unknown }[]): { subTotal: number; taxAmount: number; totalAmount: number } => ({
  subTotal: sum(lines, 'subTotal'),
  taxAmount: sum(lines, 'taxAmount'),
  totalAmount: sum(lines, 'totalAmount'),
});

const itemAt = (index: number): string => items[index % items.length]!.platformId;
/** The day of the document at a place. */
export const dayOf = (index: number): string => new Date(Date.UTC(2026, 0, 5 + index * 9)).toISOString();
/** One to three lines of the document at a place. */
export const linesAt = (numbers: Numbers, index: number): ReturnType<typeof line>[] =>
  Array.from({ length: 1 + (index % 3) }, (_, at) => line(numbers, at, itemAt(index + at * 2), 2 + ((index + at) % 5)));

/** The customer or vendor of the document at a place. */
function contactOf(kind: string, index: number): (typeof contacts)[number] {
  const own = contacts.filter((contact) => contact.type === kind);
  return own[index % own.length]!;
}

/** The number of the customer or vendor of the document at a place. */
export const contactAt = (numbers: Numbers, kind: string, index: number): number => numbers.get(contactOf(kind, index).platformId)!;

/** The addresses printed on the document at a place. */
export const addressesAt = (kind: string, index: number): RecordInput[] => contactOf(kind, index).addresses;

/** Orders, estimates and credit notes, each with one to three lines that add up to its totals. */
export function documentsOf(numbers: Numbers): [RecordClass<LedgerRecord>, RecordInput[]][] {
  const common = (index: number) => ({
    currencyId: 'GBP',
    postedDate: dayOf(index),
    isTaxInclusive: false,
    lineItems: linesAt(numbers, index),
  });
  const orders = Array.from({ length: 12 }, (_, index) => {
    const base = common(index);
    const status = ['DRAFT', 'SUBMITTED', 'AUTHORIZED', 'BILLED'][index % 4];
    return {
      ...base,
      ...totalsOf(base.lineItems),
      platformId: `po-${index + 1}`,
      documentNumber: `PO-${1001 + index}`,
      contactId: contactAt(numbers, 'VENDOR', index),
      deliveryDate: dayOf(index + 1),
      paymentMode: 'BANK_TRANSFER',
      status,
    };
  });
  const estimates = Array.from({ length: 8 }, (_, index) => ({
    ...common(index + 2),
    platformId: `est-${index + 1}`,
    documentNumber: `EST-${301 + index}`,
    contactId: contactAt(numbers, 'CUSTOMER', index),
    status: ['SUBMITTED', 'ACCEPTED', 'CONVERTED', 'EXPIRED'][index % 4],
  }));
  const note = (prefix: string, kind: string, index: number) => {
    const base = common(index + 5);
    const totalAmount = sum(base.lineItems, 'totalAmount');
    return {
      ...base,
      platformId: `${prefix}-${index + 1}`,
      documentNumber: `${prefix.toUpperCase()}-${501 + index}`,
      contactId: contactAt(numbers, kind, index),
      totalAmount,
      remainingCredit: index % 2 === 0 ? totalAmount : 0,
      status: index % 2 === 0 ? 'SUBMITTED' : 'PAID',
    };
  };
  const notes = (prefix: string, kind: string) => Array.from({ length: 5 }, (_, index) => note(prefix, kind, index));
  return [
    [PurchaseOrder, orders],
    [Estimate, estimates],
    [
      BillCreditNote,
      notes('bcn', 'VENDOR').map((entry, index) => ({ ...entry, billIds: [`bil-${1 + (index % 3)}`], memo: 'Damaged in transit' })),
    ],
    [
      InvoiceCreditNote,
      notes('icn', 'CUSTOMER').map((entry, index) => ({ ...entry, invoiceIds: [`inv-${index + 1}`], issuedAt: entry.postedDate })),
    ],
  ];
}

/** The goods receipt notes of the first six orders. */
export function receipts(numbers: Numbers): RecordInput[] {
  const orders = documentsOf(numbers)[0]![1].slice(0, 6);
  return orders.map(({ platformId, documentNumber, paymentMode: _, ...order }, index) => ({
    ...order,
    platformId: `grn-${index + 1}`,
    documentNumber: String(documentNumber).replace('PO', 'GRN'),
    purchaseOrderIds: [numbers.get(String(platformId))],
    status: 'RECEIVED',
  }));
}

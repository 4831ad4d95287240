// What the demo company is owed and owes, and how it is paid: invoices, bills, payments, expenses, journal entries and bank transactions, which agree.
import type { RecordClass } from '../../records/metadata.ts';
import type { LedgerRecord } from '../ledger/ledger-record.ts';
import { BankTransaction } from '../records/bank-transaction.ts';
import { Expense } from '../records/expense.ts';
import { Bill, Invoice } from '../records/invoice-document.ts';
import { JournalEntry } from '../records/journal-entry.ts';
import { Payment } from '../records/payment.ts';
import type { RecordInput } from '../writes/change.ts';
import { addressesAt, contactAt, dayOf, documentsOf, linesAt, type Numbers, totalsOf } from './documents.ts';
import { accounts } from './records.ts';

/** The account that money comes to and goes from. */
const BANK = 'acc-1011';

const daysAfter = (moment: string, days: number): string => new Date(Date.parse(moment) + days * 86_400_000).toISOString();

/** How much of a document was paid, by its state. */
const paidOf = (status: string, total: number): number =>
  status === 'PAID' ? total : status === 'PARTIALLY_PAID' ? Math.round(total * 50) / 100 : 0;

const dueOf = (status: string, total: number): number => (Math.round(total * 100) - Math.round(paidOf(status, total) * 100)) / 100;

/** Two invoices in each of four states. */
const invoices = (numbers: Numbers): RecordInput[] =>
  Array.from({ length: 8 }, (_, index) => {
    const lineItems = linesAt(numbers, index);
    const totals = totalsOf(lineItems);
    const status = ['PAID', 'PARTIALLY_PAID', 'SUBMITTED', 'OVERDUE'][index % 4]!;
    return {
      platformId: `inv-${index + 1}`,
      documentNumber: `INV-${701 + index}`,
      contactId: contactAt(numbers, 'CUSTOMER', index),
      currencyId: 'GBP',
      postedDate: dayOf(index),
      issuedAt: dayOf(index),
      dueDate: daysAfter(dayOf(index), 30),
      isTaxInclusive: false,
      ...totals,
      amountDue: dueOf(status, totals.totalAmount),
      status,
      lineItems,
      addresses: addressesAt('CUSTOMER', index),
    };
  });

/** A bill for each order that was billed, with its lines, which are costs here. */
const bills = (numbers: Numbers): RecordInput[] =>
  documentsOf(numbers)[0]![1].flatMap(({ platformId, deliveryDate: _, paymentMode: __, ...order }, place) => {
    if (order.status !== 'BILLED') return [];
    // Every fourth order was billed.
    const index = Math.floor(place / 4);
    const status = ['PAID', 'PARTIALLY_PAID', 'SUBMITTED'][index % 3]!;
    return {
      ...order,
      platformId: `bil-${index + 1}`,
      documentNumber: `B-${4410 + index}`,
      purchaseOrderIds: [numbers.get(String(platformId))],
      dueDate: daysAfter(String(order.postedDate), 14),
      amountDue: dueOf(status, Number(order.totalAmount)),
      status,
      addresses: addressesAt('VENDOR', place),
      lineItems: (order.lineItems as RecordInput[]).map((line) => ({ ...line, accountId: numbers.get('acc-5000') })),
    };
  });

/** Payments of invoices and bills as far as they are paid, and the money back for credit notes that were not used. */
function payments(numbers: Numbers): RecordInput[] {
  const paid = (documents: RecordInput[], documentType: string, direction: string, amountOf: (document: RecordInput) => number) =>
    documents.flatMap((document): RecordInput[] => {
      const amount = amountOf(document);
      if (amount === 0) return [];
      return [
        {
          platformId: `pay-${document.platformId}`,
          direction,
          contactId: document.contactId,
          accountId: numbers.get(BANK),
          totalAmount: amount,
          currencyId: 'GBP',
          transactionDate: daysAfter(String(document.postedDate), 12),
          referenceNumber: `For ${document.documentNumber}`,
          paymentMode: 'BANK_TRANSFER',
          allocations: [{ platformId: '1', documentType, documentId: numbers.get(String(document.platformId)), amount }],
        },
      ];
    });
  const asPaid = (document: RecordInput): number => paidOf(String(document.status), Number(document.totalAmount));
  const [, , [, billNotes], [, invoiceNotes]] = documentsOf(numbers) as [
    unknown,
    unknown,
    [unknown, RecordInput[]],
    [unknown, RecordInput[]],
  ];
  return [
    ...paid(invoices(numbers), 'INVOICE', 'RECEIVED', asPaid),
    ...paid(bills(numbers), 'BILL', 'MADE', asPaid),
    ...paid(billNotes, 'BILL_CREDIT_NOTE', 'RECEIVED', asPaid),
    ...paid(invoiceNotes, 'INVOICE_CREDIT_NOTE', 'MADE', asPaid),
  ];
}

/** An expense: its text, its account, and the amounts before tax and of the tax. */
const expenseRows: [memo: string, account: string, net: number, tax: number][] = [
  ['Electricity of the roastery', 'acc-6020', 412.5, 82.5],
  ['Labels and twine', 'acc-6030', 64.4, 12.88],
  ['Rent of the shop', 'acc-6010', 2000, 0],
  ['Train to the coffee fair', 'acc-6000', 96.2, 0],
];

const expenses = (numbers: Numbers): RecordInput[] =>
  expenseRows.map(([memo, account, subTotal, taxAmount], index) => {
    const amounts = { subTotal, taxAmount, totalAmount: Math.round((subTotal + taxAmount) * 100) / 100 };
    return {
      platformId: `exp-${index + 1}`,
      documentNumber: `EXP-${index + 1}`,
      accountId: numbers.get(BANK),
      contactId: contactAt(numbers, 'VENDOR', index),
      transactionDate: dayOf(index + 1),
      currencyId: 'GBP',
      isTaxInclusive: false,
      ...amounts,
      paymentMode: 'CARD',
      memo,
      lineItems: [{ platformId: '1', description: memo, accountId: numbers.get(account), isTaxInclusive: false, ...amounts }],
    };
  });

const parents = new Set(accounts.map(({ parent }) => parent));
const carriedForward = new Set(['ASSET', 'LIABILITY', 'EQUITY']);

/** The balances with which the books begin: those of the accounts without accounts below them, except income and expenses. */
const openingLines = accounts
  .filter(({ platformId, category }) => !parents.has(platformId) && carriedForward.has(category))
  .map(({ platformId, category, currentBalance }): [string, number] => [
    platformId,
    category === 'ASSET' ? currentBalance : -currentBalance,
  ]);

/** A journal entry: its text, its day, and its lines by account; debits are positive. */
const entryRows: [memo: string, day: string, ...lines: [account: string, amount: number][]][] = [
  ['Packaging taken from stock', dayOf(2), ['acc-6030', 350.25], ['acc-1200', -350.25]],
  ['Wear of the roasting machines', dayOf(5), ['acc-6000', 912.5], ['acc-1500', -912.5]],
  ['Energy and rent not billed yet', dayOf(8), ['acc-6020', 180.1], ['acc-6010', 1000.2], ['acc-2100', -1180.3]],
  ['Opening balances', '2026-01-01T00:00:00.000Z', ...openingLines],
];

const entries = (numbers: Numbers): RecordInput[] =>
  entryRows.map(([memo, transactionDate, ...lines], index) => ({
    platformId: `jnl-${index + 1}`,
    documentNumber: `J-${index + 1}`,
    transactionDate,
    currencyId: 'GBP',
    memo,
    status: 'POSTED',
    lineItems: lines.map(([account, totalAmount], at) => ({
      platformId: String(at + 1),
      description: memo,
      accountId: numbers.get(account),
      subTotal: totalAmount,
      totalAmount,
    })),
  }));

/** What the bank states: each payment and expense, a fee, and a card payment that is not booked yet. */
function bankTransactions(numbers: Numbers): RecordInput[] {
  const paid = [...payments(numbers), ...expenses(numbers)].map((record) => ({
    platformId: `bank-${record.platformId}`,
    amount: record.direction === 'RECEIVED' ? record.totalAmount : -Number(record.totalAmount),
    transactionDate: record.transactionDate,
    description: record.memo ?? record.referenceNumber,
    type: record.paymentMode === 'CARD' ? 'CARD' : 'PAYMENT',
    contactId: record.contactId,
    status: 'RECONCILED',
  }));
  const own = [
    { platformId: 'bank-fee', amount: -6.5, transactionDate: dayOf(11), description: 'Account fee', type: 'FEE', status: 'POSTED' },
    { platformId: 'bank-pending', amount: -18.2, transactionDate: dayOf(12), description: 'Café Moka', type: 'CARD', status: 'PENDING' },
  ];
  return [...paid, ...own].map((row) => ({ ...row, postedDate: row.transactionDate, accountId: numbers.get(BANK), currencyId: 'GBP' }));
}

/** The records of each type, in an order in which those that are named come first. */
export const booksOf: { target: RecordClass<LedgerRecord>; inputs: (numbers: Numbers) => RecordInput[] }[] = [
  { target: Invoice, inputs: invoices },
  { target: Bill, inputs: bills },
  { target: Payment, inputs: payments },
  { target: Expense, inputs: expenses },
  { target: JournalEntry, inputs: entries },
  { target: BankTransaction, inputs: bankTransactions },
];

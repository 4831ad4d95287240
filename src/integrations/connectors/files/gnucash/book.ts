// A book of GnuCash: its accounts, transactions, contacts and documents, related to each other.

import { invalid } from '../../../../records/errors.ts';
import { others } from '../../../../runtime/others.ts';
import { sum } from '../../decimals.ts';
import { AT_ONCE, wrongAt } from '../statements/statement.ts';
import { databaseElements } from './database.ts';
import { amountOf, currencyOf, dayOf, type Element, find, requiredText, slotOf, textOf, xmlElements } from './elements.ts';
import { isSqlite } from './sqlite.ts';

export interface Account {
  id: string;
  element: Element;
  /** In the words of GnuCash: BANK, RECEIVABLE, …. */
  type: string;
  /** Null for an account of shares. */
  currency: string | null;
  parent: string | null;
  /** The sum of its splits, in its currency or shares. */
  balance: string;
}

export interface Split {
  account: Account;
  /** In the currency of the transaction. */
  value: string;
  /** In the currency of the account. */
  quantity: string;
  lot: string | null;
  memo: string | null;
}

export interface Transaction {
  id: string;
  element: Element;
  currency: string | null;
  day: string;
  splits: Split[];
}

/** An invoice or bill, or a credit note on either. */
export interface Document {
  id: string;
  element: Element;
  contactId: string;
  isSale: boolean;
  isCreditNote: boolean;
  entries: Element[];
  /** Null before it is posted. */
  posted: { transaction: Transaction; accountId: string; lot: string | null; dueDay: string | null } | null;
}

/** The splits that settle each other: those of a document with its payments, or payments without one. */
export interface Lot {
  contactId: string | null;
  dueDay: string | null;
  /** What is open of it. */
  balance: string;
  /** The day of its last split, from which it is settled where nothing is open. */
  lastDay: string;
}

export interface Book {
  accounts: Map<string, Account>;
  transactions: Transaction[];
  /** Customers and vendors. */
  contacts: Element[];
  documents: Document[];
  lots: Map<string, Lot>;
  /** Accounts that tax is posted to. */
  taxAccounts: Set<string>;
  /** The currency of most transactions, or of most accounts where there are none. GnuCash itself has none that is the base. */
  currency: string | null;
}

/** Reads a book in XML, or in an SQLite database as base64. Throws for one that is damaged. */
export async function readBook(text: string): Promise<Book> {
  const elements = await (isSqlite(text) ? databaseElements(Buffer.from(text, 'base64')) : xmlElements(text));
  const named = (name: string): Element[] => elements.get(name) ?? [];
  if (named('gnc:account').length === 0) throw invalid('file', 'file has no accounts', 'REQUIRED');
  await checkIds(named);
  const accounts = new Map(
    named('gnc:account')
      .map((element) => accountOf(element))
      .map((account) => [account.id, account]),
  );
  const transactions: Transaction[] = [];
  for (const element of named('gnc:transaction')) {
    transactions.push(transactionOf(element, accounts));
    if (transactions.length % AT_ONCE === 0) await others();
  }
  const documents = documentsOf(named, new Map(transactions.map((transaction) => [transaction.id, transaction])));
  return {
    accounts,
    transactions,
    contacts: [...named('gnc:GncCustomer'), ...named('gnc:GncVendor')],
    documents,
    lots: lotsOf(named('gnc:account'), transactions, documents),
    taxAccounts: new Set(
      named('gnc:GncTaxTable').flatMap((table) =>
        (find(table, 'taxtable:entries')?.children ?? []).map((entry) => requiredText(entry, 'tte:acct')),
      ),
    ),
    currency: mostFrequent((transactions.length > 0 ? transactions : [...accounts.values()]).map(({ currency }) => currency)),
  };
}

/** Where the ids of elements are that must not have the id of another one. Customers and vendors are both contacts. */
const IDS: readonly Readonly<Record<string, string>>[] = [
  { 'gnc:account': 'act:id' },
  { 'gnc:transaction': 'trn:id' },
  { 'gnc:GncCustomer': 'cust:guid', 'gnc:GncVendor': 'vendor:guid' },
  { 'gnc:GncInvoice': 'invoice:guid' },
  { 'gnc:GncEntry': 'entry:guid' },
  { 'gnc:GncJob': 'job:guid' },
];

/** Throws for a second element of an id: one of them would take the place of the other. */
async function checkIds(named: (name: string) => Element[]): Promise<void> {
  for (const paths of IDS) {
    const met = new Map<string, string>();
    for (const [name, path] of Object.entries(paths))
      for (const element of named(name)) {
        checkId(element, requiredText(element, path), met);
        if (met.size % AT_ONCE === 0) await others();
      }
  }
}

function checkId({ name, place }: Element, id: string, met: Map<string, string>): void {
  const known = met.get(id);
  if (known !== undefined)
    throw invalid('file', `${place}: ${name} has the id ${JSON.stringify(id.slice(0, 60))} of ${known} as well`, 'DUPLICATE');
  met.set(id, place);
}

function accountOf(element: Element): Account {
  return {
    id: requiredText(element, 'act:id'),
    element,
    type: requiredText(element, 'act:type'),
    currency: currencyOf(find(element, 'act:commodity')),
    parent: textOf(element, 'act:parent'),
    balance: '0',
  };
}

function transactionOf(element: Element, accounts: ReadonlyMap<string, Account>): Transaction {
  const splits = (find(element, 'trn:splits')?.children ?? []).map((split): Split => {
    const account = accounts.get(requiredText(split, 'split:account'));
    if (!account) throw wrongAt(split.place, 'the split is of an account that the book does not have');
    const quantity = amountOf(split, 'split:quantity');
    account.balance = sum(account.balance, quantity);
    return { account, value: amountOf(split, 'split:value'), quantity, lot: textOf(split, 'split:lot'), memo: textOf(split, 'split:memo') };
  });
  // The time that is stored besides it is of another day in some time zones.
  const day = dayOf(slotOf(find(element, 'trn:slots'), 'date-posted')) ?? dayOf(find(element, 'trn:date-posted'));
  if (day === null) throw wrongAt(element.place, 'the transaction has no date');
  return { id: requiredText(element, 'trn:id'), element, currency: currencyOf(find(element, 'trn:currency')), day, splits };
}

/** The documents of customers and vendors. Vouchers of employees are in the transactions alone. */
function documentsOf(named: (name: string) => Element[], transactions: Map<string, Transaction>): Document[] {
  const jobs = new Map(named('gnc:GncJob').map((job) => [requiredText(job, 'job:guid'), find(job, 'job:owner')]));
  // One that a customer is charged for is in the bill and in the invoice.
  const entries = Map.groupBy(
    named('gnc:GncEntry').flatMap((entry) => ['entry:invoice', 'entry:bill'].map((path) => ({ entry, document: textOf(entry, path) }))),
    ({ document }) => document,
  );
  return named('gnc:GncInvoice').flatMap((element) => {
    const given = find(element, 'invoice:owner');
    const owner = textOf(given, 'owner:type') === 'gncJob' ? jobs.get(textOf(given, 'owner:id') ?? '') : given;
    const type = textOf(owner, 'owner:type');
    if (!owner || (type !== 'gncCustomer' && type !== 'gncVendor')) return [];
    const id = requiredText(element, 'invoice:guid');
    const transaction = transactions.get(textOf(element, 'invoice:posttxn') ?? '');
    // A transaction posts one document.
    if (transaction) transactions.delete(transaction.id);
    return {
      id,
      element,
      contactId: requiredText(owner, 'owner:id'),
      isSale: type === 'gncCustomer',
      isCreditNote: slotOf(find(element, 'invoice:slots'), 'credit-note')?.text.trim() === '1',
      entries: (entries.get(id) ?? []).map(({ entry }) => entry).sort(byEntering),
      posted: transaction
        ? {
            transaction,
            accountId: requiredText(element, 'invoice:postacc'),
            lot: textOf(element, 'invoice:postlot'),
            dueDay: dayOf(slotOf(find(transaction.element, 'trn:slots'), 'trans-date-due')),
          }
        : null,
    };
  });
}

/** Where an entry is among the others, as GnuCash shows them. */
const positionOf = (entry: Element): string =>
  [['entry:date', 'ts:date'], ['entry:entered', 'ts:date'], ['entry:description'], ['entry:action'], ['entry:guid']]
    .map((path) => textOf(entry, ...path) ?? '')
    .join('\n');

const byEntering = (one: Element, other: Element): number => (positionOf(one) < positionOf(other) ? -1 : 1);

function lotsOf(accounts: readonly Element[], transactions: readonly Transaction[], documents: readonly Document[]): Map<string, Lot> {
  const lots = new Map<string, Lot>();
  const met = new Map<string, string>();
  for (const lot of accounts.flatMap((account) => find(account, 'act:lots')?.children ?? [])) {
    checkId(lot, requiredText(lot, 'lot:id'), met);
    const contactId = slotOf(find(lot, 'lot:slots'), 'gncOwner', 'owner-guid')?.text.trim() ?? null;
    lots.set(requiredText(lot, 'lot:id'), { contactId, dueDay: null, balance: '0', lastDay: '' });
  }
  for (const { contactId, posted } of documents) {
    const lot = lots.get(posted?.lot ?? '');
    if (lot) Object.assign(lot, { contactId, dueDay: posted!.dueDay });
  }
  for (const { day, splits } of transactions)
    for (const split of splits) {
      const lot = lots.get(split.lot ?? '');
      if (!lot) continue;
      lot.balance = sum(lot.balance, split.quantity);
      if (day > lot.lastDay) lot.lastDay = day;
    }
  return lots;
}

function mostFrequent(values: readonly (string | null)[]): string | null {
  const counts = Map.groupBy(values, (value) => value);
  counts.delete(null);
  return [...counts].reduce<[string | null, number]>(
    (best, [value, { length }]) => (length > best[1] ? [value, length] : best),
    [null, 0],
  )[0];
}

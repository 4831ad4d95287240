// The records that a book of GnuCash becomes.
import type { SourceRecord } from '../../connector.ts';
import { amount, negated, quotient, sum } from '../../decimals.ts';
import { type Account, type Book, type Document, readBook, type Split, type Transaction } from './book.ts';
import { currencyOf, dayOf, decimalOf, type Element, find, requiredText, slotOf, textOf } from './elements.ts';

/** A record, and where in the file it is. */
interface BookRecord {
  place: string;
  record: SourceRecord;
}

/** The data models that a book has records of. */
export const BOOK_MODELS = [
  ...['CURRENCY', 'ACCOUNT', 'CONTACT', 'INVOICE', 'INVOICE_CREDIT_NOTE', 'BILL', 'BILL_CREDIT_NOTE'],
  'LEDGER_TRANSACTION',
];

/** Reads a book, of which the result has how many transactions it has, and its records of a data model. */
export async function openBook(text: string): Promise<{ count: number; records(dataModel: string): Iterable<BookRecord> }> {
  const book = await readBook(text);
  return { count: book.transactions.length, records: (dataModel) => recordsOf(book, dataModel) };
}

/** Made one by one: the process does other work between the pages of a pull. */
function* recordsOf(book: Book, dataModel: string): Generator<BookRecord> {
  if (dataModel === 'CURRENCY') yield* currencyRecords(book);
  else if (dataModel === 'ACCOUNT') for (const account of book.accounts.values()) yield* accountRecord(account, book);
  else if (dataModel === 'CONTACT') for (const contact of book.contacts) yield { place: contact.place, record: contactRecord(contact) };
  else if (dataModel === 'LEDGER_TRANSACTION') {
    const documents = new Map(book.documents.map((document) => [document.posted?.transaction.id, document]));
    for (const transaction of book.transactions) yield* transactionRecord(transaction, documents.get(transaction.id), book);
  } else for (const document of book.documents) if (modelOf(document) === dataModel) yield documentRecord(document, book);
}

function currencyRecords({ accounts, transactions, currency: base }: Book): BookRecord[] {
  const met = new Map<string, string>();
  for (const { currency, element } of [...transactions, ...accounts.values()])
    if (currency !== null && !met.has(currency)) met.set(currency, element.place);
  return [...met].map(([code, place]) => ({ place, record: { platform_id: code, code, is_base_currency: code === base } }));
}

const CATEGORIES: Readonly<Record<string, string>> = {
  ...{ ASSET: 'ASSET', BANK: 'ASSET', CASH: 'ASSET', STOCK: 'ASSET', MUTUAL: 'ASSET', RECEIVABLE: 'ASSET' },
  ...{ LIABILITY: 'LIABILITY', CREDIT: 'LIABILITY', PAYABLE: 'LIABILITY', EQUITY: 'EQUITY', INCOME: 'INCOME', EXPENSE: 'EXPENSE' },
};

function accountRecord({ id, element, type, currency, parent, balance }: Account, { accounts }: Book): BookRecord[] {
  if (type === 'ROOT') return [];
  const isTop = accounts.get(parent ?? '')?.type === 'ROOT';
  const record = {
    platform_id: id,
    nominal_code: textOf(element, 'act:code'),
    name: requiredText(element, 'act:name'),
    description: textOf(element, 'act:description'),
    category: CATEGORIES[type] ?? 'UNKNOWN',
    sub_category: type,
    parent_account_id: isTop ? null : parent,
    status: slotOf(find(element, 'act:slots'), 'hidden') ? 'ARCHIVED' : 'ACTIVE',
    ...(currency === null ? {} : { currency_id: currency, current_balance: amount(balance) }),
  };
  return [{ place: element.place, record }];
}

function contactRecord(element: Element): SourceRecord {
  const isCustomer = element.name === 'gnc:GncCustomer';
  const prefix = isCustomer ? 'cust' : 'vendor';
  const address = find(element, `${prefix}:addr`);
  const places = [
    ['BILLING', address],
    ['SHIPPING', find(element, 'cust:shipaddr')],
  ] as const;
  return {
    platform_id: requiredText(element, `${prefix}:guid`),
    name: requiredText(element, `${prefix}:name`),
    contact_name: textOf(address, 'addr:name'),
    email: textOf(address, 'addr:email'),
    phone: textOf(address, 'addr:phone'),
    type: isCustomer ? 'CUSTOMER' : 'VENDOR',
    status: textOf(element, `${prefix}:active`) === '0' ? 'INACTIVE' : 'ACTIVE',
    currency_id: currencyOf(find(element, `${prefix}:currency`)),
    addresses: places.flatMap(([type, place]) => addressOf(type, place)),
  };
}

/** An address has four lines, of which none is said to be the city or the postal code. */
function addressOf(type: string, place: Element | undefined): SourceRecord[] {
  const [street, street2, ...rest] = [1, 2, 3, 4].map((line) => textOf(place, `addr:addr${line}`)).filter((line) => line !== null);
  return street === undefined ? [] : [{ type, street, street2: street2 ?? null, locality: rest.join(', ') || null }];
}

const modelOf = ({ isSale, isCreditNote }: Document): string => `${isSale ? 'INVOICE' : 'BILL'}${isCreditNote ? '_CREDIT_NOTE' : ''}`;

const isZero = (text: string): boolean => !/[1-9]/.test(text);

const totalOf = (amounts: readonly string[]): string => amounts.reduce(sum, '0');

function documentRecord(document: Document, book: Book): BookRecord {
  const { id, element, contactId, isSale, isCreditNote, entries, posted } = document;
  // A sale is a debit of the customer, and a bill or a credit note on a sale is a credit.
  const signed = (text: string): string => (isSale === isCreditNote ? negated(text) : text);
  const total = posted && signed(totalOf(posted.transaction.splits.filter(isOf(posted.accountId)).map(({ value }) => value)));
  const lot = posted && book.lots.get(posted.lot ?? '');
  const due = lot ? signed(lot.balance) : total;
  const tax = taxOf(document, book);
  const status = total === null || due === null ? 'DRAFT' : isZero(due) ? 'PAID' : due === total ? 'SUBMITTED' : 'PARTIALLY_PAID';
  const record = {
    platform_id: id,
    document_number: textOf(element, 'invoice:id'),
    contact_id: contactId,
    posted_date: posted?.transaction.day ?? dayOf(find(element, 'invoice:posted')) ?? dayOf(find(element, 'invoice:opened')),
    currency_id: currencyOf(find(element, 'invoice:currency')),
    total_amount: amount(total),
    memo: textOf(element, 'invoice:notes'),
    status,
    ...(isCreditNote
      ? { remaining_credit: amount(due) }
      : {
          due_date: posted?.dueDay ?? null,
          amount_due: amount(due),
          tax_amount: amount(tax && signed(negated(tax))),
          sub_total: amount(total && tax && sum(total, signed(tax))),
        }),
    line_items: entries.map((entry) => lineOf(entry, document)),
  };
  return { place: element.place, record };
}

const isOf =
  (accountId: string) =>
  ({ account }: Split): boolean =>
    account.id === accountId;

/** What is posted to the accounts of taxes; null where a line is posted to one of them too. */
function taxOf({ entries, posted, isSale }: Document, { taxAccounts }: Book): string | null {
  if (!posted || entries.some((entry) => taxAccounts.has(textOf(entry, `entry:${isSale ? 'i' : 'b'}-acct`) ?? ''))) return null;
  return totalOf(posted.transaction.splits.filter(({ account }) => taxAccounts.has(account.id)).map(({ value }) => value));
}

function lineOf(entry: Element, { isSale, isCreditNote }: Document): SourceRecord {
  const at = (name: string): string => `entry:${isSale ? 'i' : 'b'}-${name}`;
  const quantity = numberAt(entry, 'entry:qty');
  const discount = isSale ? numberAt(entry, at('discount')) : null;
  const isPercent = textOf(entry, at('disc-type')) === 'PERCENT';
  return {
    description: textOf(entry, 'entry:description'),
    // Those of a credit note are stored with the opposite sign.
    quantity: amount(quantity !== null && isCreditNote ? negated(quantity) : quantity),
    unit_amount: amount(numberAt(entry, at('price'))),
    ...(discount === null || isZero(discount) || isPercent ? {} : { discount_amount: amount(discount) }),
    is_tax_inclusive: textOf(entry, at('taxincluded')) === '1',
    account_id: textOf(entry, at('acct')),
  };
}

/** A quantity or price, of which some are fractions that no decimal is equal to. */
function numberAt(entry: Element, path: string): string | null {
  const found = find(entry, path);
  if (!found) return null;
  const [above = '', below = ''] = found.text.trim().split('/');
  return decimalOf(found) ?? quotient(above, below);
}

/** Whether the splits of an account are open amounts of contacts. Its type is then the part of its postings in the books too. */
const isOfContacts = ({ type }: Account): boolean => type === 'RECEIVABLE' || type === 'PAYABLE';

/** A transaction without splits, which GnuCash keeps where its last split was removed, is not in the books. */
function transactionRecord(transaction: Transaction, document: Document | undefined, book: Book): BookRecord[] {
  const { id, element, day, splits } = transaction;
  if (splits.length === 0) return [];
  const base = baseAmounts(transaction, book);
  const record = {
    platform_id: id,
    date: day,
    source_number: textOf(element, 'trn:num'),
    document_type: document ? modelOf(document) : null,
    document_id: document?.id ?? null,
    postings: splits.map((split, index) => postingOf(split, base[index]!, transaction, book)),
  };
  return [{ place: element.place, record }];
}

function postingOf(split: Split, base: string | null, { element, currency }: Transaction, book: Book): SourceRecord {
  const { account, value, quantity, memo } = split;
  const own = account.currency ?? currency;
  const lot = book.lots.get(split.lot ?? '');
  return {
    account_id: account.id,
    amount: amount(account.currency === null ? value : quantity),
    ...(own === book.currency ? {} : { currency_id: own, base_amount: amount(base) }),
    ...(isOfContacts(account)
      ? {
          part: account.type,
          contact_id: lot?.contactId ?? null,
          due_date: lot?.dueDay ?? null,
          settled_date: lot && isZero(lot.balance) ? lot.lastDay : null,
        }
      : {}),
    description: memo ?? textOf(element, 'trn:description'),
  };
}

/**
 * The amounts of the splits in the currency of the book. Those of a transaction in another currency follow from its splits of accounts in the currency
 * of the book, where all but one are of such. Otherwise GnuCash has none, and a transaction without them is rejected.
 */
function baseAmounts({ currency, splits }: Transaction, book: Book): (string | null)[] {
  if (currency === book.currency) return splits.map(({ value }) => value);
  const own = splits.map(({ account, quantity }) => (account.currency === book.currency ? quantity : null));
  const known = own.filter((quantity) => quantity !== null);
  if (splits.length - known.length !== 1) return own;
  return own.map((quantity) => quantity ?? negated(totalOf(known)));
}

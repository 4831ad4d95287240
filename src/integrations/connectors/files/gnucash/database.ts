// The elements of a book that GnuCash has saved as an SQLite database: each row becomes the element that the book has as XML.

import { invalid } from '../../../../records/errors.ts';
import type { Element } from './elements.ts';
import { type Row, SqliteFile } from './sqlite.ts';

/** What an object keeps besides its columns: the value of each key that is read, by the objects. */
type Slots = ReadonlyMap<string, ReadonlyMap<string, string | null>>;

/** The keys that are read, and the columns of their values. */
const SLOTS: Readonly<Record<string, string>> = {
  'credit-note': 'int64_val',
  'date-posted': 'gdate_val',
  'trans-date-due': 'timespec_val',
  gncOwner: 'guid_val',
  'gncOwner/owner-guid': 'guid_val',
};

/** Kinds of owners, in the order of their numbers. */
const OWNERS = ['', '', 'gncCustomer', 'gncJob', 'gncVendor', 'gncEmployee'];

/** The elements of a book, by their names. Throws for a database of another program. */
export async function databaseElements(bytes: Buffer): Promise<Map<string, Element[]>> {
  const file = await SqliteFile.open(bytes);
  if (!['books', 'accounts', 'transactions', 'splits', 'commodities'].every((table) => file.has(table)))
    throw invalid('file', 'file is an SQLite database, and no book of GnuCash', 'INVALID_FORMAT');
  return new DatabaseReader(file).elements();
}

class DatabaseReader {
  readonly #file: SqliteFile;
  readonly #commodities = new Map<string, [space: string, code: string]>();
  #slots: Slots = new Map();

  constructor(file: SqliteFile) {
    this.#file = file;
  }

  async elements(): Promise<Map<string, Element[]>> {
    for await (const row of this.#file.rows('commodities'))
      this.#commodities.set(textIn(row, 'guid'), [textIn(row, 'namespace'), textIn(row, 'mnemonic')]);
    this.#slots = await this.#readSlots();
    const { accounts, transactions } = await this.#readBooks();
    return new Map([
      ['gnc:account', accounts],
      ['gnc:transaction', transactions],
      ['gnc:GncCustomer', await this.#each('customers', (row) => this.#contact(row, 'gnc:GncCustomer', 'cust'))],
      ['gnc:GncVendor', await this.#each('vendors', (row) => this.#contact(row, 'gnc:GncVendor', 'vendor'))],
      [
        'gnc:GncJob',
        await this.#each('jobs', (row) => element('gnc:GncJob', row, [...texts(row, { guid: 'job:guid' }), owner(row, 'job')])),
      ],
      ['gnc:GncInvoice', await this.#each('invoices', (row) => this.#document(row))],
      ['gnc:GncEntry', await this.#each('entries', entry)],
      ['gnc:GncTaxTable', await this.#each('taxtable_entries', taxTable)],
    ]);
  }

  async #each(table: string, made: (row: Row) => Element): Promise<Element[]> {
    return Array.fromAsync(this.#file.rows(table), made);
  }

  async #readSlots(): Promise<Slots> {
    const slots = new Map<string, Map<string, string | null>>();
    for await (const row of this.#file.rows('slots')) {
      const key = textIn(row, 'name');
      if (!Object.hasOwn(SLOTS, key)) continue;
      const object = textIn(row, 'obj_guid');
      const known = slots.get(object) ?? new Map<string, string | null>();
      slots.set(object, known.set(key, row.get(SLOTS[key]!)));
    }
    return slots;
  }

  /** Accounts and transactions, without those of scheduled transactions, which XML has apart. */
  async #readBooks(): Promise<{ accounts: Element[]; transactions: Element[] }> {
    const templates = new Set(await Array.fromAsync(this.#file.rows('books'), (row) => textIn(row, 'root_template_guid')));
    // The root of the accounts has no parent.
    templates.delete('');
    const lots = Map.groupBy(await this.#lots(), ([account]) => account);
    const accounts: Element[] = [];
    for await (const row of this.#file.rows('accounts')) {
      const id = textIn(row, 'guid');
      if (templates.has(textIn(row, 'parent_guid'))) templates.add(id);
      if (!templates.has(id)) accounts.push(this.#account(row, lots.get(id)?.map(([, lot]) => lot) ?? []));
    }
    const splits = new Map<string, Element[]>();
    const scheduled = new Set<string>();
    for await (const row of this.#file.rows('splits')) {
      const transaction = textIn(row, 'tx_guid');
      if (templates.has(textIn(row, 'account_guid'))) scheduled.add(transaction);
      const known = splits.get(transaction);
      if (known) known.push(split(row));
      else splits.set(transaction, [split(row)]);
    }
    const transactions: Element[] = [];
    for await (const row of this.#file.rows('transactions')) {
      const id = textIn(row, 'guid');
      if (!scheduled.has(id)) transactions.push(this.#transaction(row, splits.get(id) ?? []));
    }
    return { accounts, transactions };
  }

  async #lots(): Promise<[account: string, lot: Element][]> {
    return Array.fromAsync(this.#file.rows('lots'), (row) => {
      const frame = this.#slots.get(textIn(row, 'guid'))?.get('gncOwner') ?? '';
      const contact = this.#slots.get(frame)?.get('gncOwner/owner-guid');
      const owner = slotOf(row, 'gncOwner', element('slot:value', row, slot(row, 'owner-guid', contact)));
      return [
        textIn(row, 'account_guid'),
        element('gnc:lot', row, [...texts(row, { guid: 'lot:id' }), element('lot:slots', row, [owner])]),
      ];
    });
  }

  #account(row: Row, lots: Element[]): Element {
    const names = { guid: 'act:id', name: 'act:name', account_type: 'act:type', parent_guid: 'act:parent', code: 'act:code' };
    return element('gnc:account', row, [
      ...texts(row, { ...names, description: 'act:description' }),
      this.#commodity(row, 'commodity_guid', 'act:commodity'),
      element('act:slots', row, row.get('hidden') === '1' ? slot(row, 'hidden', 'true') : []),
      element('act:lots', row, lots),
    ]);
  }

  #transaction(row: Row, splits: Element[]): Element {
    const kept = this.#slots.get(textIn(row, 'guid'));
    return element('gnc:transaction', row, [
      ...texts(row, { guid: 'trn:id', num: 'trn:num', description: 'trn:description' }),
      this.#commodity(row, 'currency_guid', 'trn:currency'),
      day(row, 'trn:date-posted', row.get('post_date')),
      element('trn:slots', row, [
        ...slot(row, 'trans-date-due', kept?.get('trans-date-due'), 'ts:date'),
        ...slot(row, 'date-posted', kept?.get('date-posted'), 'gdate'),
      ]),
      element('trn:splits', row, splits),
    ]);
  }

  #contact(row: Row, name: string, prefix: string): Element {
    const address = (to: string, from: string): Element =>
      element(
        `${prefix}:${to}`,
        row,
        ['name', 'addr1', 'addr2', 'addr3', 'addr4', 'phone', 'email'].map((part) => text(row, `addr:${part}`, row.get(`${from}_${part}`))),
      );
    return element(name, row, [
      ...texts(row, { guid: `${prefix}:guid`, name: `${prefix}:name`, active: `${prefix}:active` }),
      this.#commodity(row, 'currency', `${prefix}:currency`),
      address('addr', 'addr'),
      address('shipaddr', 'shipaddr'),
    ]);
  }

  #document(row: Row): Element {
    const names = { guid: 'invoice:guid', id: 'invoice:id', notes: 'invoice:notes' };
    const posted = { post_txn: 'invoice:posttxn', post_lot: 'invoice:postlot', post_acc: 'invoice:postacc' };
    return element('gnc:GncInvoice', row, [
      ...texts(row, { ...names, ...posted }),
      this.#commodity(row, 'currency', 'invoice:currency'),
      day(row, 'invoice:opened', row.get('date_opened')),
      day(row, 'invoice:posted', row.get('date_posted')),
      owner(row, 'invoice'),
      element('invoice:slots', row, slot(row, 'credit-note', this.#slots.get(textIn(row, 'guid'))?.get('credit-note'))),
    ]);
  }

  #commodity(row: Row, column: string, name: string): Element {
    const [space = null, code = null] = this.#commodities.get(textIn(row, column)) ?? [];
    return element(name, row, [text(row, 'cmdty:space', space), text(row, 'cmdty:id', code)]);
  }
}

const textIn = (row: Row, column: string): string => row.get(column) ?? '';

const element = (name: string, { place }: Row, children: Element[], content = ''): Element => ({ name, place, text: content, children });

const text = (row: Row, name: string, content: string | null): Element => element(name, row, [], content ?? '');

/** The columns of a row whose texts are elements, by the names of these. */
const texts = (row: Row, names: Readonly<Record<string, string>>): Element[] =>
  Object.entries(names).map(([column, name]) => text(row, name, row.get(column)));

/** A day, of an element that is empty where there is none. */
const day = (row: Row, name: string, value: string | null): Element => element(name, row, value ? [text(row, 'ts:date', value)] : []);

/** A number of two columns; none where they are empty. */
function fraction(row: Row, column: string, name: string): Element[] {
  const [above, below] = [row.get(`${column}_num`), row.get(`${column}_denom`)];
  return above === null || below === null ? [] : [text(row, name, `${above}/${below}`)];
}

/** What is kept under a key: a text, or the element that `inner` names in the value; none where it is empty. */
const slot = (row: Row, key: string, value: string | null | undefined, inner?: string): Element[] =>
  value
    ? [slotOf(row, key, inner === undefined ? text(row, 'slot:value', value) : element('slot:value', row, [text(row, inner, value)]))]
    : [];

const slotOf = (row: Row, key: string, value: Element): Element => element('slot', row, [text(row, 'slot:key', key), value]);

const owner = (row: Row, prefix: string): Element =>
  element(`${prefix}:owner`, row, [
    text(row, 'owner:type', OWNERS[Number(row.get('owner_type'))] ?? ''),
    text(row, 'owner:id', row.get('owner_guid')),
  ]);

const split = (row: Row): Element =>
  element('trn:split', row, [
    ...texts(row, { guid: 'split:id', account_guid: 'split:account', lot_guid: 'split:lot', memo: 'split:memo' }),
    ...fraction(row, 'value', 'split:value'),
    ...fraction(row, 'quantity', 'split:quantity'),
  ]);

function entry(row: Row): Element {
  const names = {
    guid: 'entry:guid',
    description: 'entry:description',
    action: 'entry:action',
    invoice: 'entry:invoice',
    bill: 'entry:bill',
  };
  const sale = { i_acct: 'entry:i-acct', i_disc_type: 'entry:i-disc-type', i_taxincluded: 'entry:i-taxincluded' };
  return element('gnc:GncEntry', row, [
    ...texts(row, { ...names, ...sale, b_acct: 'entry:b-acct', b_taxincluded: 'entry:b-taxincluded' }),
    day(row, 'entry:date', row.get('date')),
    day(row, 'entry:entered', row.get('date_entered')),
    ...fraction(row, 'quantity', 'entry:qty'),
    ...fraction(row, 'i_price', 'entry:i-price'),
    ...fraction(row, 'i_discount', 'entry:i-discount'),
    ...fraction(row, 'b_price', 'entry:b-price'),
  ]);
}

/** One for each rate of a table: only the accounts of the rates are read. */
const taxTable = (row: Row): Element =>
  element('gnc:GncTaxTable', row, [
    element('taxtable:entries', row, [element('gnc:GncTaxTableEntry', row, texts(row, { account: 'tte:acct' }))]),
  ]);

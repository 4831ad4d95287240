// A book that the library of GnuCash makes by a seed, and how what GnuCash states of it differs from what is stored here.
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** The interpreter that has the library, as Debian installs it. */
const PYTHON = '/usr/bin/python3';
const SCRIPT = join(import.meta.dirname, 'gnucash_book.py');
const CURRENCY = 'EUR';

/** Fractions are `1234/100`. */
export interface Stated {
  accounts: Record<string, { name: string; code: string; currency: string; balance: string }>;
  /** By their numbers. */
  documents: Record<string, StatedDocument>;
  /** Transactions, those without an amount in the currency of the book, and the splits of all others. */
  transactions: number;
  foreign: number;
  splits: number;
}

interface StatedDocument {
  owner: string;
  isSale: boolean;
  isCredit: boolean;
  isPosted: boolean;
  isPaid: boolean;
  total: string;
  net: string;
  tax: string;
  due: string | null;
  posted: string | null;
  dueDay: string | null;
  entries: [description: string, quantity: string, price: string, account: string][];
}

/** Reads a field of a company, or all pages of a list. */
export interface Asked {
  field<T>(text: string): Promise<T>;
  list<T>(name: string, selection: string): Promise<T[]>;
}

export const isGnucashInstalled = (): boolean => spawnSync(PYTHON, ['-c', 'import gnucash']).status === 0;

const script = (...args: string[]): string =>
  execFileSync(PYTHON, [SCRIPT, ...args], {
    encoding: 'utf8',
    maxBuffer: 64 * 1_048_576,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, TZ: 'UTC' },
  });

/** Makes a book, packed as GnuCash saves it, and the same as an SQLite database. */
export function makeBook(file: string, database: string, seed: number): { title: string; stated: Stated } {
  script('make', file, String(seed));
  script('sqlite', file, database);
  const stated = JSON.parse(script('state', file)) as Stated;
  const title = execFileSync('gnucash-cli', ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).split('\n')[0]!;
  return { title, stated };
}

export const numberOf = (fraction: string): number => {
  const [above, below] = fraction.split('/').map(Number);
  return above! / below!;
};

interface StoredDocument {
  documentNumber: string;
  status: string;
  postedDate: string;
  dueDate?: string | null;
  totalAmount: number | null;
  amountDue?: number | null;
  remainingCredit?: number | null;
  subTotal?: number | null;
  taxAmount?: number | null;
  contact: { name: string };
  lineItems: { description: string; quantity: number; unitAmount: number; account: { platformId: string } }[];
}

const LINES = 'lineItems { description quantity unitAmount account { platformId } }';
const SHARED = `documentNumber status postedDate totalAmount contact { name } ${LINES}`;

const DOCUMENT = `platformId memo currencyId ${SHARED.replace(LINES, '')} lineItems { description quantity unitAmount discountAmount isTaxInclusive account { platformId } }`;
const RECORDS: Readonly<Record<string, string>> = {
  currencies: 'platformId code isBaseCurrency',
  accounts: 'platformId nominalCode name description category subCategory status currencyId currentBalance parentAccount { platformId }',
  contacts: 'platformId name contactName email phone type status currencyId addresses { type street street2 locality }',
  invoices: `${DOCUMENT} dueDate amountDue subTotal taxAmount`,
  bills: `${DOCUMENT} dueDate amountDue subTotal taxAmount`,
  invoiceCreditNotes: `${DOCUMENT} remainingCredit`,
  billCreditNotes: `${DOCUMENT} remainingCredit`,
  postings:
    'date sourceNumber amount baseAmount currencyId description part dueDate settledDate documentType account { platformId } contact { platformId }',
};

/** All records that a book has become, in an order that does not depend on the file. */
export async function recordsOf({ list }: Asked): Promise<string[]> {
  const all: string[] = [];
  for (const [name, selection] of Object.entries(RECORDS))
    for (const record of await list<object>(name, selection)) all.push(`${name} ${JSON.stringify(record)}`);
  return all.sort();
}

/** What differs, a line each, and how many values were compared. */
export async function differencesOf(
  { accounts, documents, foreign, splits }: Stated,
  ask: Asked,
  rejected: number,
): Promise<{ lines: string[]; compared: number }> {
  const lines: string[] = [];
  let compared = 0;
  const expect = (what: string, here: unknown, there: unknown): void => {
    compared++;
    if (JSON.stringify(here) !== JSON.stringify(there))
      lines.push(`${what} is ${JSON.stringify(there)} there and ${JSON.stringify(here)} here`);
  };
  expect('the number of rejected transactions', rejected, foreign);

  type StoredAccount = { platformId: string; name: string; nominalCode: string; currencyId: string; currentBalance: number };
  const stored = new Map(
    (await ask.list<StoredAccount>('accounts', 'platformId name nominalCode currencyId currentBalance')).map((account) => [
      account.platformId,
      account,
    ]),
  );
  expect('the number of accounts', stored.size, Object.keys(accounts).length);
  const trial = await ask.field<{ rows: { account: { platformId: string }; debit: number; credit: number }[] }>(
    'trialBalance(asOf: "2030-12-31") { rows { account { platformId } debit credit } }',
  );
  const balances = new Map(trial.rows.map(({ account, debit, credit }) => [account.platformId, debit - credit]));
  for (const [id, { name, code, currency, balance }] of Object.entries(accounts)) {
    const account = stored.get(id);
    expect(
      `account ${name}`,
      [account?.name, account?.nominalCode, account?.currencyId, account?.currentBalance],
      [name, code, currency, numberOf(balance)],
    );
    // GnuCash states no balance of another account in the currency of the book.
    if (currency === CURRENCY) expect(`the balance of ${name}`, balances.get(id) ?? 0, numberOf(balance));
  }
  expect('the number of postings', (await ask.field<{ totalCount: number }>('postings(first: 1) { totalCount }')).totalCount, splits);

  const models: [string, string][] = [
    ['invoices', `${SHARED} dueDate amountDue subTotal taxAmount`],
    ['bills', `${SHARED} dueDate amountDue subTotal taxAmount`],
    ['invoiceCreditNotes', `${SHARED} remainingCredit`],
    ['billCreditNotes', `${SHARED} remainingCredit`],
  ];
  const met = new Map<string, StoredDocument & { list: string }>();
  for (const [list, selection] of models)
    for (const document of await ask.list<StoredDocument>(list, selection)) met.set(document.documentNumber, { ...document, list });
  expect('the number of documents', met.size, Object.keys(documents).length);
  for (const [number, there] of Object.entries(documents)) {
    const here = met.get(number);
    const what = `document ${number}`;
    const sign = there.isSale === there.isCredit ? -1 : 1;
    const due = there.due === null ? null : sign * numberOf(there.due) || 0;
    const total = there.isPosted ? numberOf(there.total) : null;
    expect(`${what}: list`, here?.list, `${there.isSale ? 'invoice' : 'bill'}${there.isCredit ? 'CreditNote' : ''}s`);
    expect(`${what}: contact`, here?.contact.name, there.owner);
    expect(`${what}: total and due`, [here?.totalAmount, here?.amountDue ?? here?.remainingCredit ?? null], [total, due]);
    expect(
      `${what}: state`,
      here?.status,
      !there.isPosted ? 'DRAFT' : there.isPaid ? 'PAID' : due === total ? 'SUBMITTED' : 'PARTIALLY_PAID',
    );
    if (there.isPosted) expect(`${what}: day`, here?.postedDate.slice(0, 10), there.posted);
    if (!there.isCredit) {
      expect(
        `${what}: net and tax`,
        [here?.subTotal, here?.taxAmount],
        there.isPosted ? [numberOf(there.net), numberOf(there.tax)] : [null, null],
      );
      expect(`${what}: due day`, here?.dueDate?.slice(0, 10) ?? null, there.dueDay);
    }
    expect(
      `${what}: lines`,
      (here?.lineItems ?? []).map(({ description, quantity, unitAmount, account }) => [
        description,
        quantity,
        unitAmount,
        account.platformId,
      ]),
      there.entries.map(([description, quantity, price, account]) => [description, numberOf(quantity), numberOf(price), account]),
    );
  }
  return { lines, compared };
}

// Files that hledger, Beancount, GnuCash and ofxstatement wrote themselves: uploaded and pulled, they are compared with what the program states of them.
// node check.ts [seed]; exits with 3 where none of the programs is installed.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGateway } from '../gateway.ts';
import { type Asked, differencesOf, isGnucashInstalled, makeBook, recordsOf } from './gnucash.ts';

const LACKING = 3;

/** A balance in text by account and currency: `Assets:Bank EUR`. */
type Balances = Map<string, string>;

interface Books {
  title: string;
  file: string;
  /** As the program states them, of currencies that ISO 4217 has. */
  balances: Balances;
  entries: number;
}

const isInstalled = (command: string): boolean => !spawnSync(command, ['--version']).error;
const run = (command: string, ...args: string[]): string =>
  execFileSync(command, args, { encoding: 'utf8', maxBuffer: 256 * 1_048_576, stdio: ['ignore', 'pipe', 'pipe'] });
const isCurrency = (code: string): boolean => Intl.supportedValuesOf('currency').includes(code);

/** An amount without zeros at its end. */
const plain = (text: string): string => {
  const bare = text.replace(/^-?0+(?=\d)/, (zeros) => (zeros.startsWith('-') ? '-' : ''));
  return (bare.includes('.') ? bare.replace(/0+$/, '').replace(/\.$/, '') : bare).replace(/^-0$/, '0');
};

/** The exact sum of decimals. */
function total(amounts: readonly string[]): string {
  const places = Math.max(0, ...amounts.map((amount) => amount.split('.')[1]?.length ?? 0));
  const sum = amounts.reduce((all, amount) => {
    const [whole = '', fraction = ''] = amount.split('.');
    return all + BigInt(whole + fraction.padEnd(places, '0'));
  }, 0n);
  const digits = (sum < 0n ? -sum : sum).toString().padStart(places + 1, '0');
  const at = digits.length - places;
  return plain(`${sum < 0n ? '-' : ''}${digits.slice(0, at)}${places > 0 ? `.${digits.slice(at)}` : ''}`);
}

const scratch = mkdtempSync(join(tmpdir(), 'gateway-ledgers-'));
const at = (name: string): string => join(scratch, name);

/** A journal of several currencies, costs, codes, comments and virtual postings. */
function journal(): string {
  const accounts = ['assets:bank', 'assets:bank:savings', 'liabilities:card', 'income:sales', 'expenses:food', 'expenses:Reise & Öl'];
  let state = 7;
  const below = (bound: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 8) % bound;
  };
  return Array.from({ length: 600 }, (_, index) => {
    const day = new Date(Date.UTC(2025, 0, 1 + (index >> 1))).toISOString().slice(0, 10);
    const amount = `${below(100_000)}.${String(below(10_000)).padStart(4, '0')}`;
    const currency = ['EUR', 'USD', 'JPY'][below(3)]!;
    const cost = below(5) === 0 ? ` @ 1.${String(below(1_000)).padStart(3, '0')} GBP` : '';
    const budget = below(9) === 0 ? '\n    (budget:food)  5 EUR' : '';
    const [from, to] = [below(3), 3 + below(3)];
    return `${day} * (N-${index}) entry ${index} | "quoted", näher  ; note\n    ${accounts[to]}  ${amount} ${currency}${cost}  ; line\n    ${accounts[from]}${budget}\n`;
  }).join('\n');
}

function ofHledger(): Books {
  // Otherwise hledger rounds what it shows.
  const exact = ['EUR', 'USD', 'JPY', 'GBP'].map((code) => `commodity 1000.00000000 ${code}\n`).join('');
  writeFileSync(at('books.journal'), exact + journal());
  const json = run('hledger', '-f', at('books.journal'), 'print', '--cost', '--explicit', '-O', 'json');
  writeFileSync(at('hledger.json'), json);
  const csv = run(
    'hledger',
    '-f',
    at('books.journal'),
    'balance',
    '--flat',
    '--no-total',
    '--cost',
    '--real',
    '--layout=bare',
    '-O',
    'csv',
  );
  const balances: Balances = new Map();
  for (const line of csv.trim().split('\n').slice(1)) {
    const [account = '', currency = '', amount = ''] = line.slice(1, -1).split('","');
    if (plain(amount) !== '0') balances.set(`${account} ${currency}`, plain(amount));
  }
  return { title: run('hledger', '--version').trim().split(',')[0]!, file: at('hledger.json'), balances, entries: JSON.parse(json).length };
}

const QUERY = 'select id, date, flag, payee, narration, account, str(number(weight)) as amount, currency(weight) as amount_currency';

function ofBeancount(): Books {
  execFileSync('bean-example', ['--seed', '7', '-o', at('books.beancount')], { stdio: 'ignore' });
  const csv = run('bean-query', '-f', 'csv', at('books.beancount'), QUERY);
  writeFileSync(at('beancount.csv'), csv);
  const sums = run(
    'bean-query',
    '-f',
    'csv',
    at('books.beancount'),
    'select account, currency(weight) as currency, str(sum(number(weight))) as total group by account, currency',
  );
  const balances: Balances = new Map();
  for (const line of sums.trim().split('\n').slice(1)) {
    const [account = '', currency = '', amount = ''] = line.split(',').map((cell) => cell.trim().replace(/^Decimal\('|'\)$/g, ''));
    if (isCurrency(currency) && plain(amount) !== '0') balances.set(`${account} ${currency}`, plain(amount));
  }
  const entries = new Set(
    csv
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(',')[0]),
  ).size;
  return { title: run('bean-query', '--version').trim(), file: at('beancount.csv'), balances, entries };
}

/** A bank statement, as ofxstatement states it. */
interface StatedStatement {
  version: string;
  account: string;
  balance: string;
  transactions: [id: string, amount: string, day: string, reference: string | null, description: string][];
}

/** The interpreter that Debian's packages are installed for. */
const PYTHON = '/usr/bin/python3';
const isOfxInstalled = (): boolean => spawnSync(PYTHON, ['-c', 'import ofxstatement']).status === 0;
const makeStatement = (file: string, seed: number): StatedStatement =>
  JSON.parse(run(PYTHON, join(import.meta.dirname, 'ofx_statement.py'), file, String(seed))) as StatedStatement;

const found: Books[] = [];
if (isInstalled('hledger')) found.push(ofHledger());
if (isInstalled('bean-query')) found.push(ofBeancount());
const seed = Number(process.argv[2] ?? 7);
const book = isGnucashInstalled() ? makeBook(at('books.gnucash'), at('books.sqlite.gnucash'), seed) : undefined;
const statement = isOfxInstalled() ? makeStatement(at('bank.ofx'), seed) : undefined;
if (found.length === 0 && !book && !statement) {
  console.log('skipped: none of hledger, Beancount, GnuCash and ofxstatement is installed');
  process.exit(LACKING);
}

const gateway = await startGateway(at('data'));

async function call<T>(method: string, path: string, body?: BodyInit | object): Promise<T> {
  const isForm = body instanceof FormData;
  const response = await fetch(`${gateway.base}/v4/core${path}`, {
    method,
    headers: { api_key: gateway.apiKey, ...(isForm ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 1_000)}`);
  return (JSON.parse(text) as { data: T }).data;
}

/** Uploads and pulls books; returns their company, and how many jobs failed. */
async function pulled(file: string): Promise<{ id: number; refused: number }> {
  const { ledger_id: id } = await call<{ ledger_id: number }>('POST', '/companies', { data: { name: file } });
  const form = new FormData();
  form.set('file', new Blob([readFileSync(file)]), file.split('/').at(-1)!);
  await call('POST', `/companies/${id}/imports`, form);
  const sync = await call<{ id: string }>('POST', `/companies/${id}/syncs`, { data: {} });
  let state: { endTime: string | null; jobCounts: { failed: number } };
  do {
    await new Promise((resolve) => setTimeout(resolve, 500));
    state = await call('GET', `/syncs/${sync.id}`);
  } while (state.endTime === null);
  return { id, refused: state.jobCounts.failed };
}

/** Reads fields of a company. */
const asked = (id: number): Asked => {
  async function company<T>(fields: string, variables: object = {}): Promise<T> {
    const query = `query ($id: ID!, $after: String) { company(id: $id) { id ${fields} } }`;
    const response = await fetch(`${gateway.base}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        query: query.replace(fields.includes('$after') ? '' : ', $after: String', ''),
        variables: { id, ...variables },
      }),
    });
    const { data, errors } = (await response.json()) as { data: { company: T }; errors?: unknown };
    if (errors) throw new Error(JSON.stringify(errors));
    return data.company;
  }
  return {
    field: async (text) => (await company<{ result: never }>(`result: ${text}`)).result,
    async list<T>(name: string, selection: string) {
      const all: T[] = [];
      for (let after: string | null = null; ; ) {
        const fields = `page: ${name}(first: 100, after: $after) { pageInfo { hasNextPage endCursor } nodes { ${selection} } }`;
        const { page }: { page: { pageInfo: { hasNextPage: boolean; endCursor: string }; nodes: T[] } } = await company(fields, { after });
        all.push(...page.nodes);
        if (!page.pageInfo.hasNextPage) return all;
        after = page.pageInfo.endCursor;
      }
    },
  };
};

/** The balances of the journal entries of a company. */
async function entryBalances({ list }: Asked): Promise<Balances> {
  const accounts = new Map(
    (await list<{ ledgerId: number; platformId: string }>('accounts', 'ledgerId platformId')).map(({ ledgerId, platformId }) => [
      ledgerId,
      platformId,
    ]),
  );
  type Entry = { currencyId: string; lineItems: { accountId: number; totalAmount: string | number }[] };
  const amounts = new Map<string, string[]>();
  for (const { currencyId, lineItems } of await list<Entry>('journalEntries', 'currencyId lineItems { accountId totalAmount }'))
    for (const { accountId, totalAmount } of lineItems) {
      const key = `${accounts.get(accountId)} ${currencyId}`;
      amounts.set(key, [...(amounts.get(key) ?? []), String(totalAmount)]);
    }
  return new Map([...amounts].map(([key, list]) => [key, total(list)] as const).filter(([, amount]) => amount !== '0'));
}

/** What differs between a stored bank statement and the stated one, a line each. */
async function statementDifferences({ account, balance, transactions }: StatedStatement, { list }: Asked): Promise<string[]> {
  type Stored = { platformId: string; amount: number; postedDate: string; referenceNumber: string | null; description: string };
  const selection = 'platformId amount postedDate referenceNumber description';
  const stored = (await list<Stored>('bankTransactions', selection)).map((row) => [
    row.platformId,
    plain(String(row.amount)),
    row.postedDate.slice(0, 10),
    row.referenceNumber,
    row.description,
  ]);
  const stated = transactions.map(([id, amount, ...others]) => [`${account}:${id}`, plain(amount), ...others]);
  const [here, there] = [stored, stated].map((rows) => new Set(rows.map((row) => JSON.stringify(row))));
  const [own] = await list<{ currentBalance: number }>('accounts', 'currentBalance');
  return [
    ...[...there!].filter((row) => !here!.has(row)).map((row) => `${row} is missing here`),
    ...[...here!].filter((row) => !there!.has(row)).map((row) => `${row} is not there`),
    ...(plain(String(own?.currentBalance)) === plain(balance) ? [] : [`the balance is ${balance} there and ${own?.currentBalance} here`]),
  ];
}

let differences = 0;
const reported: string[] = [];
try {
  for (const { title, file, balances, entries } of found) {
    const { id, refused } = await pulled(file);
    const ours = await entryBalances(asked(id));
    const keys = new Set([...balances.keys(), ...ours.keys()]);
    for (const key of keys)
      if (balances.get(key) !== ours.get(key)) {
        differences++;
        console.log(`${title}: ${key} is ${balances.get(key) ?? 'missing'} there and ${ours.get(key) ?? 'missing'} here`);
      }
    reported.push(`${title}: ${entries} entries, ${keys.size} balances, ${refused} refused`);
  }
  if (book) {
    const { title, stated } = book;
    const { id, refused } = await pulled(at('books.gnucash'));
    const { lines, compared } = await differencesOf(stated, asked(id), refused);
    const inXml = await recordsOf(asked(id));
    const inSqlite = new Set(await recordsOf(asked((await pulled(at('books.sqlite.gnucash'))).id)));
    lines.push(...inXml.filter((record) => !inSqlite.delete(record)).map((record) => `not in SQLite: ${record}`));
    lines.push(...[...inSqlite].map((record) => `in SQLite alone: ${record}`));
    for (const line of lines) console.log(`${title}, seed ${seed}: ${line}`);
    differences += lines.length;
    const documents = Object.keys(stated.documents).length;
    reported.push(
      `${title}: ${stated.transactions} transactions, ${documents} documents, ${compared} values, ${refused} refused, ${inXml.length} records of XML and SQLite`,
    );
  }
  if (statement) {
    const { id } = await pulled(at('bank.ofx'));
    const lines = await statementDifferences(statement, asked(id));
    for (const line of lines) console.log(`ofxstatement, seed ${seed}: ${line}`);
    differences += lines.length;
    reported.push(`ofxstatement ${statement.version}: ${statement.transactions.length} transactions and their balance`);
  }
} finally {
  await gateway.stop();
  rmSync(scratch, { recursive: true, force: true });
}
console.log(`${reported.join('; ')}; ${differences} differences`);
process.exitCode = differences === 0 ? 0 : 1;

// Rows of reports: accounts in their hierarchy against a plain evaluation of random trees, the computed cash flow, and CSV.
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { executeIn } from '../../src/database/open.ts';
import { systemTransaction } from '../../src/database/transaction.ts';
import { treesOf } from '../../src/integrations/books/account-tree.ts';
import { useGateway } from '../support/gateway.ts';
import { buildCompany, type TestCompany } from '../support/records.ts';

const gateway = useGateway();
let key: string;

beforeAll(async () => {
  ({ key } = await buildCompany(gateway));
});

// biome-ignore lint/suspicious/noExplicitAny: tests look into responses by path.
type Data = any;
type Fields = Record<string, unknown>;

async function ask(company: TestCompany, fields: string): Promise<Data> {
  const query = `query ($company: ID!) { company(id: $company) { ${fields} } }`;
  const response = await gateway.graphql(key, query, { company: String(company.id) });
  expect(response.body.errors, response.text).toBeUndefined();
  return response.body.data.company;
}

/** Stores records of a type and returns their numbers. */
async function store({ id }: TestCompany, types: string, records: Fields[]): Promise<number[]> {
  const field = types[0]!.toLowerCase() + types.slice(1);
  const mutation = `mutation ($input: Create${types}Input!) { create${types}(input: $input) { ${field} { ledgerId } } }`;
  const response = await gateway.graphql(key, mutation, { input: { companyId: String(id), atomic: true, records } });
  expect(response.body.errors, response.text).toBeUndefined();
  return response.body.data[`create${types}`][field].map(({ ledgerId }: { ledgerId: number }) => ledgerId);
}

/** An account by its place in the list, which is its code as well; `parent` is a place. */
interface Account {
  name?: string;
  category: string | null;
  subCategory: string | null;
  parent: number | null;
}

/** A posting of cents to an account; the days before `EARLY` and after it are in two months. */
interface Line {
  day: string;
  account: number;
  cents: number;
}

const EARLY = '2026-01-31';
const LATE = '2026-02-28';
const codeOf = (place: number): string => String(1_000 + place);

/** A company with accounts and journal entries. Parents are stored below the gateway, which accepts no circle of them. */
async function storeBooks(accounts: readonly Account[], entries: readonly Line[][]): Promise<TestCompany> {
  const company = await buildCompany(gateway, { key });
  await store(company, 'Currencies', [{ code: 'GBP', isBaseCurrency: true }]);
  const records = accounts.map(({ category, subCategory, name }, place) => ({
    ...{ category, subCategory, nominalCode: codeOf(place), name: name ?? `Account ${place}` },
  }));
  const numbers = await store(company, 'Accounts', records);
  const parents = accounts.flatMap(({ parent }, place) => (parent === null ? [] : [`(${numbers[place]}, ${numbers[parent]})`]));
  const text = `update account a set parent_account_id = v.parent from (values ${parents.join(', ')}) v(id, parent) where a.ledger_id = v.id`;
  if (parents.length > 0) await systemTransaction(gateway.services.database, (em) => executeIn(em, text));
  const lines = entries.map((entry) => ({
    transactionDate: entry[0]!.day,
    lineItems: entry.map(({ account, cents }) => ({ accountId: numbers[account], totalAmount: cents / 100 })),
  }));
  await store(company, 'JournalEntries', lines);
  return company;
}

const cents = (amount: number): number => Math.round(amount * 100);
const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

/** What each account has until a day, in cents. */
const balancesAt = (accounts: readonly Account[], lines: readonly Line[], until: string): number[] =>
  accounts.map((_, place) => sum(lines.filter(({ account, day }) => account === place && day <= until).map((line) => line.cents)));

interface Row {
  code: string;
  level: number;
  amounts: number[];
  subtotals: number[];
}

/** The rows of the accounts of a section by definition: each account with an amount, or with one below it, followed by the accounts below it. */
function plainRows(
  accounts: readonly Account[],
  belongs: (account: Account) => boolean,
  periods: readonly number[][],
  sign: number,
): Row[] {
  const isIn = accounts.map(belongs);
  const rowsBelow = (parent: number | null, level: number): Row[] =>
    accounts.flatMap((account, place) => {
      const above = account.parent !== null && isIn[account.parent] ? account.parent : null;
      if (!isIn[place] || above !== parent) return [];
      const below = rowsBelow(place, level + 1);
      const amounts = periods.map((balances) => sign * balances[place]! + 0);
      if (below.length === 0 && amounts.every((amount) => amount === 0)) return [];
      const inner = below.filter((row) => row.level === level + 1);
      const subtotals = amounts.map((amount, period) => amount + sum(inner.map((row) => row.subtotals[period]!)));
      return [{ code: codeOf(place), level, amounts, subtotals }, ...below];
    });
  return rowsBelow(null, 0);
}

const rowFields = 'account { nominalCode } level subtotal comparisons subtotalComparisons';
const shown = ({ account, name, level, amount, debit, credit, subtotal, comparisons, subtotalComparisons }: Data): Row => ({
  code: account?.nominalCode ?? name,
  level,
  amounts: [amount ?? debit - credit, ...comparisons].map(cents),
  subtotals: [subtotal, ...subtotalComparisons].map(cents),
});

/** Categories and sub-categories with the activity of the cash flow that they are in. */
const kinds = [
  ['ASSET', 'Bank', 'CASH'],
  ['ASSET', 'CHECKING', 'CASH'],
  ['ASSET', 'FIXED_ASSET', 'INVESTING'],
  ['ASSET', 'Accounts Receivable', 'OPERATING'],
  ['LIABILITY', 'Long Term Liability', 'FINANCING'],
  ['LIABILITY', null, 'OPERATING'],
  ['EQUITY', 'EQUITY', 'FINANCING'],
  ['INCOME', 'BANK', null],
  ['EXPENSE', null, null],
  [null, 'BANK', 'UNCLASSIFIED'],
] as const;

const randomBooks = fc
  .array(fc.record({ kind: fc.nat(kinds.length - 1), above: fc.option(fc.nat(), { freq: 4 }) }), { minLength: 4, maxLength: 14 })
  .chain((drawn) =>
    fc.record({
      // A parent comes earlier or later, but never leads back: places are shuffled by a walk that only goes to accounts drawn before.
      drawn: fc.constant(drawn),
      order: fc.shuffledSubarray(
        drawn.map((_, place) => place),
        { minLength: drawn.length },
      ),
      entries: fc.array(
        fc.record({
          isEarly: fc.boolean(),
          debit: fc.nat(drawn.length - 1),
          credit: fc.nat(drawn.length - 1),
          amount: fc.integer({ min: 1, max: 1_000_000 }),
        }),
        { minLength: 1, maxLength: 12 },
      ),
    }),
  )
  .map(({ drawn, order, entries }) => {
    const accounts: Account[] = [];
    for (const [step, place] of order.entries()) {
      const { kind, above } = drawn[place]!;
      const [category, subCategory] = kinds[kind]!;
      accounts[place] = { category, subCategory, parent: above === null || step === 0 ? null : order[above % step]! };
    }
    const booked = entries.map(({ isEarly, debit, credit, amount }): Line[] => {
      const day = isEarly ? '2026-01-10' : '2026-02-10';
      return [
        { day, account: debit, cents: amount },
        { day, account: credit, cents: -amount },
      ];
    });
    return { accounts, drawn, entries: booked };
  });

describe('random trees of accounts', () => {
  it('every report has the rows, levels and subtotals of a plain evaluation, and the cash flow explains the change of cash', async () => {
    await fc.assert(
      fc.asyncProperty(randomBooks, async ({ accounts, drawn, entries }) => {
        const company = await storeBooks(accounts, entries);
        const compared = 'periods: 1, timeframe: MONTH';
        const report = await ask(
          company,
          `trialBalance(asOf: "${LATE}", ${compared}) { rows { ${rowFields} debit credit } }
           balanceSheet(asOf: "${LATE}", ${compared}) { sections { category total rows { ${rowFields} name amount } } }
           profitAndLoss(from: "2026-02-01", to: "${LATE}", ${compared}) { netProfit sections { category total rows { ${rowFields} name amount } } }
           cashFlow(from: "2026-02-01", to: "${LATE}", ${compared}) { openingBalance netChange closingBalance comparisons { total }
             cashAccounts { ${rowFields} name amount } sections { activity total comparisons rows { ${rowFields} name amount } } }`,
        );
        const lines = entries.flat();
        const [late, early] = [LATE, EARLY].map((day) => balancesAt(accounts, lines, day)) as [number[], number[]];
        const until = [late, early];
        const moved = [late.map((balance, place) => balance - early[place]!), early];

        expect(report.trialBalance.rows.map(shown)).toEqual(plainRows(accounts, () => true, until, 1));
        for (const [{ sections }, periods] of [
          [report.balanceSheet, until],
          [report.profitAndLoss, moved],
        ] as const)
          for (const { category, total, rows } of sections) {
            const own = rows.filter(({ name }: Data) => name === null).map(shown);
            const sign = category === 'ASSET' || category === 'EXPENSE' || category === 'UNKNOWN' ? 1 : -1;
            const isOwn = (account: Account): boolean => (account.category ?? 'UNKNOWN') === category;
            expect([category, own]).toEqual([category, plainRows(accounts, isOwn, periods, sign)]);
            const all: Row[] = rows.map(shown);
            expect(sum(all.map(({ amounts }) => amounts[0]!))).toBe(cents(total));
            expect(sum(all.filter(({ level }) => level === 0).map(({ subtotals }) => subtotals[0]!))).toBe(cents(total));
          }

        const useOf = (account: Account): string | null => kinds[drawn[accounts.indexOf(account)]!.kind]![2];
        const { cashFlow } = report;
        const cashAt = (balances: readonly number[]): number => sum(balances.filter((_, place) => useOf(accounts[place]!) === 'CASH'));
        expect([cashFlow.openingBalance, cashFlow.closingBalance].map(cents)).toEqual([cashAt(early), cashAt(late)]);
        expect(cents(cashFlow.netChange)).toBe(cashAt(late) - cashAt(early));
        expect(sum(cashFlow.sections.map(({ total }: Data) => cents(total)))).toBe(cents(cashFlow.netChange));
        expect(cashFlow.comparisons.map(({ total }: Data) => cents(total))).toEqual([cashAt(early)]);
        expect(sum(cashFlow.sections.map(({ comparisons }: Data) => cents(comparisons[0])))).toBe(cashAt(early));
        expect(cashFlow.cashAccounts.map(shown)).toEqual(plainRows(accounts, (account) => useOf(account) === 'CASH', moved, 1));
        for (const { activity, total, rows } of cashFlow.sections) {
          const [first, ...others] = rows.map(shown);
          const own = activity === 'OPERATING' ? others : rows.map(shown);
          if (activity === 'OPERATING')
            expect([first.code, first.amounts[0]]).toEqual(['Net profit', cents(report.profitAndLoss.netProfit)]);
          expect([activity, own]).toEqual([activity, plainRows(accounts, (account) => useOf(account) === activity, moved, -1)]);
          expect(sum(rows.map(({ amount }: Data) => cents(amount)))).toBe(cents(total));
        }
      }),
      { numRuns: 8 },
    );
  }, 120_000);
});

describe('accounts that are above each other', () => {
  const circle: Account[] = [
    { category: 'ASSET', subCategory: null, parent: 1 },
    { category: 'ASSET', subCategory: null, parent: 2 },
    { category: 'ASSET', subCategory: null, parent: 0 },
    { category: 'INCOME', subCategory: null, parent: 3 },
  ];

  it('are all in the report, the first of them at the top', async () => {
    const entry = [
      { day: '2026-01-10', account: 1, cents: 300 },
      { day: '2026-01-10', account: 3, cents: -300 },
    ];
    const company = await storeBooks(circle, [entry]);
    const { trialBalance } = await ask(company, 'trialBalance { totalDebit rows { account { nominalCode } level debit subtotal } }');
    expect(trialBalance).toEqual({
      totalDebit: 3,
      rows: [
        { account: { nominalCode: '1000' }, level: 0, debit: 0, subtotal: 3 },
        { account: { nominalCode: '1002' }, level: 1, debit: 0, subtotal: 3 },
        { account: { nominalCode: '1001' }, level: 2, debit: 3, subtotal: 3 },
        { account: { nominalCode: '1003' }, level: 0, debit: 0, subtotal: -3 },
      ],
    });
  });

  it('a chain of 50,000 accounts is one tree', () => {
    const chain = Array.from({ length: 50_000 }, (_, place) => ({ accountId: place + 1, parentId: place || null, amounts: [0.1] }));
    const tree = treesOf(chain);
    expect(tree.at(-1)).toMatchObject({ level: 49_999, subtotals: [0.1] });
    expect(tree[0]!.subtotals).toEqual([5_000]);
  });
});

describe('CSV', () => {
  let company: TestCompany;

  beforeAll(async () => {
    const accounts = [
      { name: '=cash, "petty"', category: 'ASSET', subCategory: 'CASH', parent: null },
      { name: 'Current account', category: 'ASSET', subCategory: 'BANK', parent: 0 },
      { name: 'Sales', category: 'INCOME', subCategory: null, parent: null },
    ];
    const entry = (day: string, amount: number): Line[] => [
      { day, account: 1, cents: amount },
      { day, account: 2, cents: -amount },
    ];
    company = await storeBooks(accounts, [entry('2026-01-10', 12_345), entry('2026-02-10', -20_000)]);
    const [contact] = await store(company, 'Contacts', [{ name: '-Ada' }]);
    await store(company, 'Invoices', [
      { contactId: contact, currencyId: 'GBP', postedDate: '2026-03-01', dueDate: '2026-03-31', totalAmount: 100.1 },
    ]);
  });

  const read = async (path: string, accept: string) =>
    gateway.send('GET', `${company.base}/reports/${path}`, { headers: { ...company.headers, accept } });
  /** The lines of a report; the numbers of accounts and contacts, which differ from run to run, are #. */
  const linesOf = async (path: string): Promise<string[]> => {
    const { status, text, headers } = await read(path, 'text/csv');
    expect([status, headers.get('content-type'), headers.get('vary')]).toEqual([
      200,
      'text/csv; charset=utf-8',
      expect.stringMatching(/\bAccept\b/),
    ]);
    expect(text.endsWith('\r\n')).toBe(true);
    return text
      .slice(0, -2)
      .split('\r\n')
      .map((line) => line.replace(/^((?:[A-Z][a-z ]+,)?)\d+,/, '$1#,'));
  };

  it('has a line for each row, in which text is no formula and amounts are numbers', async () => {
    expect(await linesOf('trial_balance?as_of=2026-02-28&periods=1')).toEqual([
      'account_id,nominal_code,name,part,level,debit,credit,subtotal,2026-01-31,subtotal 2026-01-31',
      `#,1000,"'=cash, ""petty""",,0,0,0,-76.55,0,123.45`,
      '#,1001,Current account,,1,0,76.55,-76.55,123.45,123.45',
      '#,1002,Sales,,0,76.55,0,76.55,-123.45,-123.45',
    ]);
    expect(await linesOf('balance_sheet?as_of=2026-02-28')).toEqual([
      'section,account_id,nominal_code,name,part,level,amount,subtotal',
      `Assets,#,1000,"'=cash, ""petty""",,0,0,-76.55`,
      'Assets,#,1001,Current account,,1,-76.55,-76.55',
      'Equity,,,Current earnings,,0,-76.55,-76.55',
    ]);
    expect(await linesOf('profit_and_loss?from=2026-02-01&to=2026-02-28')).toEqual([
      'section,account_id,nominal_code,name,part,level,amount,subtotal',
      'Income,#,1002,Sales,,0,-200,-200',
    ]);
    expect(await linesOf('cash_flow?from=2026-02-01&to=2026-02-28')).toEqual([
      'section,account_id,nominal_code,name,part,level,amount,subtotal',
      'Operating activities,,,Net profit,,0,-200,-200',
    ]);
    expect(await linesOf('aged_receivables?as_of=2026-04-30')).toEqual([
      'contact_id,name,total,Current,1-30 days,31-60 days,61-90 days,Over 90 days',
      "#,'-Ada,100.1,0,100.1,0,0,0",
    ]);
    expect(await linesOf('aged_payables?as_of=2026-04-30')).toEqual([
      'contact_id,name,total,Current,1-30 days,31-60 days,61-90 days,Over 90 days',
    ]);
  });

  it('is returned to those who prefer it, and errors are JSON', async () => {
    for (const [accept, type] of [
      ['application/json', 'application/json'],
      ['*/*', 'application/json'],
      ['text/csv;q=0.5, application/json', 'application/json'],
      ['text/html', 'application/json'],
      ['text/csv, application/json;q=0.5', 'text/csv'],
    ] as const) {
      const { headers } = await read('trial_balance', accept);
      expect([accept, headers.get('content-type')]).toEqual([accept, `${type}; charset=utf-8`]);
    }
    const refused = await read('trial_balance?as_of=x', 'text/csv');
    expect([refused.status, refused.body.error.field]).toEqual([400, 'as_of']);
  });

  it('REST has the cash flow under its names', async () => {
    const { body } = await read('cash_flow?from=2026-02-01&to=2026-02-28&periods=1', 'application/json');
    expect(body.data).toMatchObject({
      ...{ currency: 'GBP', from: '2026-02-01', opening_balance: 123.45, net_change: -200, closing_balance: -76.55 },
      comparisons: [{ from: '2026-01-01', to: '2026-01-31', total: 123.45 }],
      cash_accounts: [
        { account: { nominal_code: '1000' }, level: 0, amount: 0, subtotal: -200 },
        { account: { nominal_code: '1001' }, level: 1, amount: -200, subtotal: -200, subtotal_comparisons: [123.45] },
      ],
      sections: [{ activity: 'OPERATING', total: -200, rows: [{ name: 'Net profit', amount: -200 }] }, { activity: 'INVESTING' }, {}],
    });
    const refused = await read('cash_flow?from=2026-02-01&to=2026-01-31', 'application/json');
    expect([refused.status, refused.body.error.field]).toEqual([400, 'to']);
  });
});

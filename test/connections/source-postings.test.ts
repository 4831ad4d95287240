// Transactions of the general ledger that a source sends: what is stored of them, what reports make of them, and that no month is ever shown in part.
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type EntityManager, executeIn } from '../../src/database/open.ts';
import { organisationTransaction, systemTransaction } from '../../src/database/transaction.ts';
import { removeTransactions, type SourceBooks, writeTransactions } from '../../src/integrations/books/source-transactions.statements.ts';
import type { TransactionInput } from '../../src/integrations/books/source-transactions.ts';
import { digestOf } from '../../src/json/digest.ts';
import { useGateway } from '../support/gateway.ts';
import { buildCompany, type TestCompany } from '../support/records.ts';
import { endOfSync, jobsOf } from '../support/syncs.ts';

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

/** Uploads records of a data model and pulls them; returns the jobs of the sync. */
async function deliver(company: TestCompany, dataModel: string, records: Fields[], fullSync = false) {
  const query =
    'mutation ($id: ID!, $model: DataModel!, $file: Upload!) { importRecords(input: { companyId: $id, dataModel: $model, file: $file }) { file { id } } }';
  const uploaded = await gateway.graphql(key, query, { id: String(company.id), model: dataModel, file: JSON.stringify(records) });
  expect(uploaded.body.errors, uploaded.text).toBeUndefined();
  const body = { data: { dataModels: [dataModel], fullSync } };
  const begun = await gateway.send('POST', `${company.base}/syncs`, { headers: company.headers, body });
  expect(begun.status, begun.text).toBe(201);
  const { id } = await endOfSync(gateway, company, begun.body.data.id);
  return jobsOf(gateway, company, id);
}

const chart = [
  ['A-1', '1000', 'Bank', 'ASSET'],
  ['A-2', '1100', 'Debtors', 'ASSET'],
  ['A-3', '2100', 'Creditors', 'LIABILITY'],
  ['A-4', '3000', 'Capital', 'EQUITY'],
  ['A-5', '4000', 'Sales', 'INCOME'],
  ['A-6', '5000', 'Costs', 'EXPENSE'],
] as const;
const accountIds = chart.map(([id]) => id);
const categories = new Map<string, string>(chart.map(([id, , , category]) => [id, category]));

/** A company with a chart of accounts, a base currency and two contacts. */
async function newBooks(): Promise<TestCompany> {
  const company = await buildCompany(gateway, { key });
  await deliver(company, 'CURRENCY', [{ platform_id: 'GBP', code: 'GBP', is_base_currency: true }]);
  const accounts = chart.map(([platform_id, nominal_code, name, category]) => ({ platform_id, nominal_code, name, category }));
  await deliver(company, 'ACCOUNT', accounts);
  await deliver(company, 'CONTACT', [
    { platform_id: 'C-1', name: 'Ada' },
    { platform_id: 'C-2', name: 'Bo' },
  ]);
  return company;
}

const sale = (id: string, date: string, amount: number, more: Fields = {}): Fields => ({
  platform_id: id,
  date,
  source_number: `N-${id}`,
  journal: 'Revenue',
  postings: [
    { account_id: 'A-2', contact_id: 'C-1', amount, part: 'RECEIVABLE', due_date: date, description: 'Delivery' },
    { account_id: 'A-5', amount: -amount, tracking_category_ids: ['T-1'] },
  ],
  ...more,
});

const trialFields =
  'trialBalance(asOf: "2027-12-31") { currency totalDebit totalCredit rows { account { nominalCode } part debit credit } }';
const rowsOf = ({ trialBalance }: Data): unknown[] =>
  trialBalance.rows.map(({ account, part, debit, credit }: Data) => [account?.nominalCode ?? part, debit, credit]);

describe('the transactions of a source', () => {
  it('are what the reports are made of, in place of what documents would post', async () => {
    const company = await newBooks();
    await deliver(company, 'INVOICE', [
      { platform_id: 'I-1', contact_id: 'C-1', posted_date: '2026-01-10', total_amount: 999, currency_id: 'GBP', status: 'SUBMITTED' },
    ]);
    expect(rowsOf(await ask(company, trialFields))).toEqual([
      ['RECEIVABLE', 999, 0],
      ['SALES', 0, 999],
    ]);
    await deliver(company, 'LEDGER_TRANSACTION', [
      sale('1', '2026-01-10', 100, { document_type: 'INVOICE', document_id: 'I-1' }),
      {
        platform_id: '2',
        date: '2026-02-01',
        postings: [
          { account_id: 'A-1', amount: 50, currency_id: 'EUR', base_amount: 43.21 },
          { account_id: 'A-2', contact_id: 'C-1', amount: -50, currency_id: 'EUR', base_amount: -43.21, part: 'RECEIVABLE' },
        ],
      },
    ]);
    const fields = `${trialFields} profitAndLoss(from: "2026-01-01", to: "2026-12-31") { netProfit } balanceSheet(asOf: "2026-12-31") { totalAssets totalEquity }
      agedReceivables(asOf: "2026-02-20") { total rows { contact { name } total buckets { label amount } } }
      postings(first: 10) { totalCount nodes { origin date amount currencyId baseAmount part documentType documentId transactionId sourceNumber journal
        trackingCategoryIds dueDate settledDate description account { nominalCode } contact { name } } }`;
    const books = await ask(company, fields);
    expect(rowsOf(books)).toEqual([
      ['1000', 43.21, 0],
      ['1100', 56.79, 0],
      ['4000', 0, 100],
    ]);
    expect([books.profitAndLoss.netProfit, books.balanceSheet]).toEqual([100, { totalAssets: 100, totalEquity: 100 }]);
    const { total, rows } = books.agedReceivables;
    expect([total, rows.length, rows[0].contact.name]).toEqual([56.79, 1, 'Ada']);
    expect(rows[0].buckets.filter(({ amount }: Data) => amount !== 0)).toEqual([
      { label: '1-30 days', amount: -43.21 },
      { label: '31-60 days', amount: 100 },
    ]);
    expect(books.postings.totalCount).toBe(4);
    const [invoice] = (await gateway.send('GET', `${company.base}/invoices`, { headers: company.headers })).body.data;
    expect(books.postings.nodes.slice(0, 2)).toEqual([
      {
        ...{ origin: 'SOURCE', date: '2026-01-10', amount: 100, currencyId: 'GBP', baseAmount: 100, part: 'RECEIVABLE' },
        ...{ documentType: 'INVOICE', documentId: invoice.ledger_id, transactionId: '1', sourceNumber: 'N-1', journal: 'Revenue' },
        ...{
          trackingCategoryIds: null,
          dueDate: '2026-01-10',
          settledDate: null,
          description: 'Delivery',
          account: { nominalCode: '1100' },
          contact: { name: 'Ada' },
        },
      },
      expect.objectContaining({ trackingCategoryIds: ['T-1'], account: { nominalCode: '4000' }, contact: null, baseAmount: -100 }),
    ]);
  });

  it('change and vanish with those of the source', async () => {
    const company = await newBooks();
    await deliver(company, 'LEDGER_TRANSACTION', [sale('1', '2026-01-10', 100), sale('2', '2026-01-20', 7)]);
    await deliver(company, 'LEDGER_TRANSACTION', [sale('1', '2026-03-10', 40)]);
    expect(rowsOf(await ask(company, trialFields))).toEqual([
      ['1100', 47, 0],
      ['4000', 0, 47],
    ]);
    // The first full pull takes all files so far, and the next one those that came since.
    for (let pulls = 0; pulls < 2; pulls++) await deliver(company, 'LEDGER_TRANSACTION', [sale('2', '2026-01-20', 7)], true);
    const january = await ask(company, `${trialFields} profitAndLoss(from: "2026-01-05", to: "2026-01-31") { netProfit }`);
    expect([rowsOf(january), january.profitAndLoss.netProfit]).toEqual([
      [
        ['1100', 7, 0],
        ['4000', 0, 7],
      ],
      7,
    ]);
  });

  it('name accounts that come later', async () => {
    const company = await newBooks();
    await deliver(company, 'LEDGER_TRANSACTION', [
      {
        platform_id: '1',
        date: '2026-01-01',
        postings: [
          { account_id: 'late', amount: 5 },
          { account_id: 'A-1', amount: -5 },
        ],
      },
    ]);
    expect(rowsOf(await ask(company, trialFields))).toEqual([
      ['1000', 0, 5],
      ['ENTRY', 5, 0],
    ]);
    await deliver(company, 'ACCOUNT', [{ platform_id: 'late', nominal_code: '9000', category: 'EXPENSE' }]);
    expect(rowsOf(await ask(company, trialFields))).toEqual([
      ['1000', 0, 5],
      ['9000', 5, 0],
    ]);
  });

  it.each<[string, Fields, string | null]>([
    [
      'does not balance',
      {
        postings: [
          { account_id: 'A-1', amount: 0.3 },
          { account_id: 'A-2', amount: -0.1 },
        ],
      },
      'data[0].postings',
    ],
    ['has no postings', { postings: [] }, 'data[0].postings'],
    ['has a foreign amount alone', { postings: [{ account_id: 'A-1', amount: 0, currency_id: 'EUR' }] }, 'data[0].postings[0].base_amount'],
    ['names no account', { postings: [{ amount: 0 }] }, 'data[0].postings[0].account_id'],
    ['names an account without a letter', { postings: [{ account_id: '', amount: 0 }] }, 'data[0].postings[0].account_id'],
    ['is of no day', { date: '2026-02-30' }, 'data[0].date'],
    ['is of a day that the database has not', { date: '0000-01-01' }, 'data[0].date'],
    ['has no such member', { colour: 'red' }, 'data[0].colour'],
    [
      'is in no currency',
      { postings: [{ account_id: 'A-1', amount: 0, currency_id: 'XYZ', base_amount: 0 }] },
      'data[0].postings[0].currency_id',
    ],
  ])('one that %s is rejected by name and keeps the others balanced', async (_, wrong, field) => {
    const company = await newBooks();
    const jobs = await deliver(company, 'LEDGER_TRANSACTION', [
      { ...sale('bad', '2026-01-01', 5), ...wrong },
      sale('1', '2026-01-10', 100),
    ]);
    const refused = jobs.filter(({ parentJobId }) => parentJobId !== null);
    expect(refused.map(({ errorResponse }) => [errorResponse?.platform_id, errorResponse?.field])).toEqual([['bad', field]]);
    const { trialBalance } = await ask(company, trialFields);
    expect([trialBalance.totalDebit, trialBalance.totalCredit]).toEqual([100, 100]);
  });

  it('are compared with earlier periods', async () => {
    const company = await newBooks();
    const cost = {
      platform_id: 'cost',
      date: '2026-02-28',
      postings: [
        { account_id: 'A-6', amount: 30 },
        { account_id: 'A-1', amount: -30 },
      ],
    };
    await deliver(company, 'LEDGER_TRANSACTION', [
      sale('1', '2026-01-31', 100),
      sale('2', '2026-03-15', 7),
      sale('3', '2025-03-31', 5),
      cost,
    ]);
    const rows = 'rows { account { nominalCode } comparisons }';
    const months = await ask(
      company,
      `profitAndLoss(from: "2026-03-01", to: "2026-03-31", periods: 2) { netProfit comparisons { from to total } sections { total comparisons ${rows} } }
       balanceSheet(asOf: "2026-03-31", periods: 1, timeframe: YEAR) { totalAssets comparisons { from to total } sections { title total comparisons rows { name comparisons } } }
       trialBalance(asOf: "2026-03-31", periods: 1, timeframe: QUARTER) { comparisons { to total } ${rows} }`,
    );
    expect(months.profitAndLoss).toEqual({
      netProfit: 7,
      comparisons: [
        { from: '2026-02-01', to: '2026-02-28', total: -30 },
        { from: '2026-01-01', to: '2026-01-31', total: 100 },
      ],
      sections: [
        {
          ...{ total: 7, comparisons: [0, 100] },
          rows: [{ account: { nominalCode: '4000' }, comparisons: [0, 100] }],
        },
        {
          ...{ total: 0, comparisons: [30, 0] },
          rows: [{ account: { nominalCode: '5000' }, comparisons: [30, 0] }],
        },
      ],
    });
    const { sections, ...sheet } = months.balanceSheet;
    expect(sheet).toEqual({ totalAssets: 82, comparisons: [{ from: null, to: '2025-03-31', total: 5 }] });
    expect(sections.at(-1)).toEqual({
      title: 'Equity',
      total: 82,
      comparisons: [5],
      rows: [{ name: 'Current earnings', comparisons: [5] }],
    });
    expect(months.trialBalance.comparisons).toEqual([{ to: '2025-12-31', total: 5 }]);
    expect(months.trialBalance.rows.map(({ account, comparisons }: Data) => [account.nominalCode, comparisons])).toEqual([
      ['1000', [0]],
      ['1100', [5]],
      ['4000', [-5]],
      ['5000', [0]],
    ]);
    const shown = await gateway.send(
      'GET',
      `${company.base}/reports/profit_and_loss?from=2026-03-01&to=2026-03-31&periods=1&timeframe=MONTH`,
      {
        headers: company.headers,
      },
    );
    expect([shown.status, shown.body.data.comparisons], shown.text).toEqual([200, [{ from: '2026-02-01', to: '2026-02-28', total: -30 }]]);
    for (const wrongly of ['as_of=0001-01-05&periods=1', 'as_of=0012-05-31&periods=12&timeframe=YEAR']) {
      const wrong = await gateway.send('GET', `${company.base}/reports/trial_balance?${wrongly}`, { headers: company.headers });
      expect([wrong.status, wrong.body.error.field], wrong.text).toEqual([400, 'periods']);
    }
    for (const periods of [-1, 13]) {
      const wrong = await gateway.send('GET', `${company.base}/reports/trial_balance?periods=${periods}`, { headers: company.headers });
      expect([wrong.status, wrong.body.error.error_code, wrong.text.includes('periods must be from 0 to 12')]).toEqual([
        400,
        'INVALID_PARAMS',
        true,
      ]);
    }
  });

  it('are listed by pages, and by the account, contact, part and document that a filter names', async () => {
    const company = await newBooks();
    const all = Array.from({ length: 7 }, (_, index) => sale(String(index), `2026-01-0${1 + (index % 3)}`, index + 1));
    await deliver(company, 'LEDGER_TRANSACTION', all);
    const seen: unknown[] = [];
    for (let after: string | null = null; ; ) {
      const page = `postings(first: 3${after ? `, after: "${after}"` : ''}) { nodes { transactionId baseAmount } pageInfo { hasNextPage endCursor } }`;
      const { postings }: Data = await ask(company, page);
      seen.push(...postings.nodes.map(({ transactionId, baseAmount }: Data) => `${transactionId} ${baseAmount}`));
      if (!postings.pageInfo.hasNextPage) break;
      after = postings.pageInfo.endCursor;
    }
    expect(seen).toHaveLength(14);
    expect(new Set(seen).size).toBe(14);
    const { accounts, contacts } = await ask(
      company,
      'accounts { nodes { ledgerId platformId } } contacts { nodes { ledgerId platformId } }',
    );
    const numberOf = ({ nodes }: Data, id: string): number => nodes.find(({ platformId }: Data) => platformId === id).ledgerId;
    const counts = async (filter: string): Promise<number> =>
      (await ask(company, `postings(filter: ${filter}) { totalCount }`)).postings.totalCount;
    expect(await counts(`{ accountId: { eq: ${numberOf(accounts, 'A-2')} } }`)).toBe(7);
    expect(await counts(`{ accountId: { eq: ${numberOf(accounts, 'A-1')} } }`)).toBe(0);
    expect(await counts(`{ accountId: { isNull: true } }`)).toBe(0);
    expect(await counts(`{ contactId: { eq: ${numberOf(contacts, 'C-1')} } }`)).toBe(7);
    expect(await counts('{ contactId: { isNull: true } }')).toBe(7);
    expect(await counts('{ part: { eq: RECEIVABLE } }')).toBe(7);
    expect(await counts('{ part: { isNull: true } }')).toBe(7);
    expect(await counts('{ documentType: { eq: INVOICE } }')).toBe(0);
    expect(await counts('{ documentId: { isNull: false } }')).toBe(0);
    expect(await counts('{ date: { gte: "2026-01-03" } }')).toBe(4);
  });
});

/** Cents by account, and by month and account. */
type Sums = Record<string, number>;

const books = async (company: TestCompany): Promise<SourceBooks> => {
  const [row] = await systemTransaction(gateway.services.database, (em) =>
    executeIn<{ organisation: string; type: string }>(
      em,
      'select organisation_id as organisation, integration_type as type from company where ledger_id = $1',
      [company.id],
    ),
  );
  return { organisationId: Number(row!.organisation), companyId: company.id, integrationType: row!.type };
};

const within = <T>(own: SourceBooks, work: (em: EntityManager) => Promise<T>): Promise<T> =>
  organisationTransaction(gateway.services.database, own.organisationId, work);

const write = (own: SourceBooks, transactions: readonly TransactionInput[]): Promise<void> =>
  within(own, (em) =>
    writeTransactions(
      em,
      own,
      transactions.map((transaction) => ({ transaction, hash: digestOf(transaction) })),
    ),
  );

/** The stored totals by month and account that are not 0, in cents, next to the same sums of the stored postings. */
async function storedSums(own: SourceBooks): Promise<{ totals: Sums; postings: Sums; unbalanced: unknown[] }> {
  const sums = async (statement: string): Promise<Sums> => {
    const rows = await within(own, (em) => executeIn<{ key: string; sum: string }>(em, statement, [own.companyId]));
    return Object.fromEntries(rows.map(({ key: name, sum }) => [name, Math.round(Number(sum) * 100)]));
  };
  const unbalanced = await within(own, (em) =>
    executeIn(em, 'select month from posting_total where company_id = $1 group by month having sum(balance) <> 0', [own.companyId]),
  );
  return {
    totals: await sums(
      `select to_char(month, 'YYYY-MM ') || account_id as key, balance::text as sum from posting_total where company_id = $1 and balance <> 0`,
    ),
    postings: await sums(
      `select to_char(date, 'YYYY-MM ') || account_id as key, sum(base_amount)::text as sum from source_posting where company_id = $1 group by 1 having sum(base_amount) <> 0`,
    ),
    unbalanced,
  };
}

describe('a pull that has not ended', () => {
  it('shows nothing of its transactions, and leaves no month out of balance', async () => {
    const company = await newBooks();
    const own = await books(company);
    await write(own, [sale('1', '2026-01-10', 100)].map(inputOf));
    expect(rowsOf(await ask(company, trialFields))).toEqual([]);
    expect((await storedSums(own)).unbalanced).toEqual([]);
    await deliver(company, 'LEDGER_TRANSACTION', [sale('2', '2026-01-20', 7)]);
    expect(rowsOf(await ask(company, trialFields))).toEqual([
      ['1100', 107, 0],
      ['4000', 0, 107],
    ]);
  });

  it('two writers of one month both end, and the totals have both', async () => {
    const company = await newBooks();
    const own = await books(company);
    const accounts = [...accountIds];
    const many = (name: string, order: string[]): TransactionInput[] =>
      Array.from({ length: 40 }, (_, index) => ({
        platformId: `${name}-${index}`,
        date: '2026-01-15',
        postings: order.flatMap((account, place) =>
          place === 0
            ? []
            : [
                { accountId: account, amount: 1 },
                { accountId: order[0]!, amount: -1 },
              ],
        ),
      }));
    await Promise.all([write(own, many('a', accounts)), write(own, many('b', accounts.toReversed())), write(own, many('c', accounts))]);
    const { totals, postings, unbalanced } = await storedSums(own);
    expect(unbalanced).toEqual([]);
    expect(totals).toEqual(postings);
    expect(Object.keys(totals)).toHaveLength(accountIds.length);
  });
});

/** A record of a source as the coercer passes it. */
const inputOf = ({ platform_id, postings, ...rest }: Fields): TransactionInput =>
  ({
    platformId: platform_id,
    date: rest.date,
    postings: (postings as Fields[]).map(({ account_id, contact_id, amount, part, due_date }) => ({
      ...{ accountId: account_id, contactId: contact_id, amount, part, dueDate: due_date },
    })),
  }) as TransactionInput;

const DAYS = 400;
const dayAt = (offset: number): string => new Date(Date.UTC(2025, 0, 1) + offset * 86_400_000).toISOString().slice(0, 10);
const day = fc.integer({ min: 0, max: DAYS }).map(dayAt);
const account = fc.constantFrom(...accountIds);

interface Drawn {
  id: string;
  date: string;
  lines: { account: string; cents: number; due: string | null; settled: string | null; contact: string }[];
}

const drawn: fc.Arbitrary<Drawn> = fc
  .record({
    id: fc.integer({ min: 0, max: 12 }).map(String),
    date: day,
    lines: fc.array(
      fc.record({
        account,
        cents: fc.integer({ min: -1_000_000, max: 1_000_000 }),
        due: fc.option(day),
        settled: fc.option(day),
        contact: fc.constantFrom('C-1', 'C-2'),
      }),
      { minLength: 1, maxLength: 4 },
    ),
    rest: account,
  })
  .map(({ rest, lines, ...transaction }) => {
    const left = -lines.reduce((sum, { cents }) => sum + cents, 0);
    return { ...transaction, lines: [...lines, { account: rest, cents: left, due: null, settled: null, contact: 'C-1' }] };
  });

const transactionOf = ({ id, date, lines }: Drawn): TransactionInput => ({
  platformId: id,
  date,
  postings: lines.map(({ account: accountId, cents, due, settled, contact }) => ({
    ...{ accountId, amount: cents / 100, contactId: contact, dueDate: due, settledDate: settled },
    part: accountId === 'A-2' ? 'RECEIVABLE' : null,
  })),
});

const sumsOf = (lines: readonly { name: string; cents: number }[]): Sums =>
  Object.fromEntries(
    [...Map.groupBy(lines, ({ name }) => name)]
      .map(([name, group]) => [name, group.reduce((sum, { cents }) => sum + cents, 0)] as const)
      .filter(([, sum]) => sum !== 0),
  );

it('reports of random books, sent, sent again and deleted in any order, are what their postings add up to', async () => {
  const company = await newBooks();
  // A pull has ended, so that the books are shown.
  await deliver(company, 'LEDGER_TRANSACTION', [sale('first', '2024-01-01', 1)]);
  const own = await books(company);
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.array(drawn, { minLength: 1, maxLength: 5 }).map((sent) => ({ sent, gone: [] as string[] })) },
    { weight: 1, arbitrary: fc.subarray(Array.from({ length: 13 }, (_, id) => String(id))).map((gone) => ({ sent: [] as Drawn[], gone })) },
  );
  const codes = new Map<string, string>(chart.map(([id, code]) => [code, id]));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), day, day, async (steps, one, other) => {
      await within(own, (em) => removeTransactions(em, own, ['first', ...Array.from({ length: 13 }, (_, id) => String(id))], new Date()));
      await write(own, [
        transactionOf({ id: 'none', date: '2024-01-01', lines: [{ account: 'A-1', cents: 0, due: null, settled: null, contact: 'C-1' }] }),
      ]);
      const kept = new Map<string, Drawn>();
      for (const { sent, gone } of steps) {
        const last = [...new Map(sent.map((transaction) => [transaction.id, transaction])).values()];
        if (last.length > 0) await write(own, last.map(transactionOf));
        if (gone.length > 0) await within(own, (em) => removeTransactions(em, own, gone, new Date()));
        for (const transaction of last) kept.set(transaction.id, transaction);
        for (const id of gone) kept.delete(id);
        expect((await storedSums(own)).unbalanced).toEqual([]);
      }
      const stored = await storedSums(own);
      expect(stored.totals).toEqual(stored.postings);
      const [from, to] = [one, other].sort() as [string, string];
      const lines = [...kept.values()].flatMap(({ date, lines: of }) => of.map((line) => ({ ...line, date, name: line.account })));
      const fields = `trialBalance(asOf: "${to}") { totalDebit totalCredit rows { account { nominalCode } debit credit } }
        profitAndLoss(from: "${from}", to: "${to}") { netProfit sections { total } }
        balanceSheet(asOf: "${to}") { totalAssets totalLiabilities totalEquity }
        agedReceivables(asOf: "${to}") { total rows { contact { platformId } total buckets { amount } } }`;
      const { trialBalance, profitAndLoss, balanceSheet, agedReceivables } = await ask(company, fields);
      const cents = (amount: number): number => Math.round(amount * 100);
      const until = lines.filter(({ date }) => date <= to);
      const balances = sumsOf(until);
      expect(
        Object.fromEntries(
          trialBalance.rows.map(({ account: { nominalCode }, debit, credit }: Data) => [
            codes.get(nominalCode),
            cents(debit) - cents(credit),
          ]),
        ),
      ).toEqual(balances);
      expect(cents(trialBalance.totalDebit)).toBe(cents(trialBalance.totalCredit));
      const sumIn = (of: Sums, ...wanted: string[]): number =>
        Object.entries(of).reduce((sum, [name, amount]) => (wanted.includes(categories.get(name)!) ? sum + amount : sum), 0);
      const period = sumsOf(lines.filter(({ date }) => date >= from && date <= to));
      expect(cents(profitAndLoss.netProfit)).toBe(-sumIn(period, 'INCOME', 'EXPENSE') || 0);
      expect(Object.values(balanceSheet).map((amount) => cents(amount as number))).toEqual([
        sumIn(balances, 'ASSET'),
        -sumIn(balances, 'LIABILITY') || 0,
        -sumIn(balances, 'EQUITY', 'INCOME', 'EXPENSE') || 0,
      ]);
      const open = until.filter(({ name, settled }) => name === 'A-2' && (settled === null || settled > to));
      if (until.some(({ name, due, settled }) => name === 'A-2' && (due !== null || settled !== null)))
        expect(cents(agedReceivables.total)).toBe(open.reduce((sum, line) => sum + line.cents, 0));
    }),
    { numRuns: 25 },
  );
});

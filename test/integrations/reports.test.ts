// Reports and postings: books worked out by hand, random books against a plain evaluation, what does not post, pages of postings, and rejections.
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { executeIn } from '../../src/database/open.ts';
import { systemTransaction } from '../../src/database/transaction.ts';
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

const query = (company: TestCompany, fields: string) =>
  gateway.graphql(company.key, `query ($company: ID!) { company(id: $company) { ${fields} } }`, { company: String(company.id) });

async function ask(company: TestCompany, fields: string): Promise<Data> {
  const response = await query(company, fields);
  expect(response.body.errors, response.text).toBeUndefined();
  return response.body.data.company;
}

/** Stores records of a type and returns their numbers. */
async function store({ id }: TestCompany, types: string, records: Fields[]): Promise<number[]> {
  if (records.length === 0) return [];
  const field = types[0]!.toLowerCase() + types.slice(1);
  const mutation = `mutation ($input: Create${types}Input!) { create${types}(input: $input) { ${field} { ledgerId } } }`;
  const response = await gateway.graphql(key, mutation, { input: { companyId: String(id), atomic: true, records } });
  expect(response.body.errors, response.text).toBeUndefined();
  return response.body.data[`create${types}`][field].map(({ ledgerId }: { ledgerId: number }) => ledgerId);
}

const chart = [
  ['1011', 'Bank', 'ASSET', 'Bank'],
  ['1100', 'Debtors', 'ASSET', 'Accounts Receivable'],
  ['2100', 'Creditors', 'LIABILITY', 'accountsPayable'],
  ['2200', 'Sales tax', 'LIABILITY', 'SALES_TAX'],
  ['3000', 'Capital', 'EQUITY', 'EQUITY'],
  ['4000', 'Sales', 'INCOME', 'REVENUE'],
  ['5000', 'Costs', 'EXPENSE', 'EXPENSE'],
  ['9000', 'Open questions', null, null],
] as const;
type Code = (typeof chart)[number][0];

interface Books {
  company: TestCompany;
  accounts: Record<Code, number>;
  contacts: number[];
}

/** A company with a chart of accounts, two contacts, and three currencies, of which the last has no rate. */
async function newBooks(): Promise<Books> {
  const company = await buildCompany(gateway, { key });
  const currencies = [{ code: 'GBP', isBaseCurrency: true }, { code: 'EUR', exchangeRate: 0.86 }, { code: 'USD' }];
  await store(company, 'Currencies', currencies);
  const records = chart.map(([nominalCode, name, category, subCategory]) => ({ nominalCode, name, category, subCategory }));
  const numbers = await store(company, 'Accounts', records);
  const accounts = Object.fromEntries(chart.map(([code], index) => [code, numbers[index]])) as Record<Code, number>;
  return { company, accounts, contacts: await store(company, 'Contacts', [{ name: 'Ada' }, { name: 'Bo' }]) };
}

const row = 'account { nominalCode } part';
const trialFields = `currency totalDebit totalCredit rows { ${row} debit credit }`;
const sectionFields = `sections { title total rows { ${row} name amount } }`;
const agedFields = 'total buckets { label amount } rows { contact { name } total buckets { label amount } }';
const unpostedFields = 'unposted { totalCount nodes { documentType documentNumber reason } }';

/** An amount in whole cents: sums of decimals are compared without the noise of binary fractions. */
const cents = (amount: number): number => Math.round(amount * 100);

/** The cents of each account, or of each part without one. */
const balancesIn = (trial: Data): Record<string, number> =>
  Object.fromEntries(
    trial.rows.map(({ account, part, debit, credit }: Data) => [account?.nominalCode ?? part, cents(debit) - cents(credit)]),
  );

/** The buckets that have an amount. */
const filled = ({ buckets }: Data): Fields =>
  Object.fromEntries(buckets.flatMap(({ label, amount }: Data) => (amount === 0 ? [] : [[label, amount]])));
const openIn = ({ total, rows, ...report }: Data) => [
  total,
  filled(report),
  ...rows.map((one: Data) => [one.contact?.name, one.total, filled(one)]),
];

describe('books worked out by hand', () => {
  let company: TestCompany;
  let accounts: Books['accounts'];

  beforeAll(async () => {
    const books = await newBooks();
    ({ company, accounts } = books);
    const [ada, bo] = books.contacts;
    const sale = { currencyId: 'GBP', postedDate: '2026-01-20', totalAmount: 1_000, status: 'SUBMITTED' };
    const [first, second, deleted] = await store(company, 'Invoices', [
      {
        ...{
          documentNumber: 'I-1',
          contactId: ada,
          currencyId: 'GBP',
          postedDate: '2026-01-10',
          dueDate: '2026-02-09',
          status: 'SUBMITTED',
        },
        ...{ taxAmount: 20, shippingAmount: 5, totalDiscount: 3, totalAmount: 122 },
        lineItems: [{ accountId: accounts['4000'], subTotal: 100, taxAmount: 20, totalAmount: 120 }],
      },
      {
        ...{ documentNumber: 'I-2', contactId: bo, currencyId: 'EUR', currencyRate: 0.8, postedDate: '2026-01-20', totalAmount: 50.01 },
        lineItems: [{ accountId: accounts['4000'], totalAmount: 30 }, { totalAmount: 20.01 }],
      },
      { ...sale, documentNumber: 'deleted' },
      { ...sale, documentNumber: 'draft', status: 'DRAFT' },
      { ...sale, documentNumber: 'void', status: 'VOID' },
      { ...sale, documentNumber: 'no rate', currencyId: 'USD' },
      { ...sale, documentNumber: 'no date', postedDate: null },
      { ...sale, documentNumber: 'no amount', totalAmount: null },
    ]);
    expect((await gateway.send('DELETE', `${company.base}/invoices/${deleted}`, { headers: company.headers })).status).toBe(204);
    const [bill] = await store(company, 'Bills', [
      {
        ...{ contactId: bo, currencyId: 'GBP', postedDate: '2026-01-15', dueDate: '2026-01-31', totalAmount: 72 },
        lineItems: [{ accountId: accounts['5000'], subTotal: 60, taxAmount: 12 }],
      },
    ]);
    await store(company, 'InvoiceCreditNotes', [
      {
        ...{ contactId: ada, currencyId: 'GBP', postedDate: '2026-02-05', totalAmount: 12 },
        lineItems: [{ accountId: accounts['4000'], quantity: 2, unitAmount: 6, taxAmount: 2, isTaxInclusive: true }],
      },
    ]);
    await store(company, 'Expenses', [
      {
        accountId: accounts['1011'],
        transactionDate: '2026-02-01T23:59:59Z',
        totalAmount: 10,
        lineItems: [{ accountId: accounts['5000'], totalAmount: 10 }],
      },
    ]);
    const [, broken] = await store(company, 'JournalEntries', [
      {
        transactionDate: '2026-01-02',
        lineItems: [
          { accountId: accounts['1011'], totalAmount: 500 },
          { accountId: accounts['3000'], totalAmount: -500 },
        ],
      },
      { transactionDate: '2026-01-02', documentNumber: 'off', lineItems: [{ totalAmount: 7 }, { totalAmount: -7 }] },
      { transactionDate: '2026-01-02', status: 'DRAFT', lineItems: [{ totalAmount: 9 }, { totalAmount: -9 }] },
    ]);
    // A source may send an entry that does not balance; a caller cannot.
    const unbalanced = `update line_item set total_amount = 8 where parent_id = ${broken} and total_amount = 7`;
    await systemTransaction(gateway.services.database, (em) => executeIn(em, unbalanced));
    const paid = { accountId: accounts['1011'], currencyId: 'GBP', direction: 'RECEIVED' };
    await store(company, 'Payments', [
      {
        ...{ ...paid, contactId: ada, transactionDate: '2026-02-10', totalAmount: 80 },
        allocations: [{ documentType: 'INVOICE', documentId: first, amount: 60 }],
      },
      {
        ...{ ...paid, contactId: bo, transactionDate: '2026-02-20', totalAmount: 50.01, currencyId: 'EUR', currencyRate: 0.82 },
        allocations: [{ documentType: 'INVOICE', documentId: second, amount: 50.01 }],
      },
      {
        ...{ ...paid, direction: 'MADE', contactId: bo, transactionDate: '2026-02-25', totalAmount: 30 },
        allocations: [{ documentType: 'BILL', documentId: bill, amount: 30 }],
      },
      { ...paid, direction: null, transactionDate: '2026-02-26', totalAmount: 1, referenceNumber: 'no direction' },
    ]);
    await store(company, 'BankTransactions', [
      { amount: -6.5, transactionDate: '2026-02-27', status: 'POSTED', referenceNumber: 'fee' },
      { amount: 80, transactionDate: '2026-02-27', status: 'RECONCILED' },
      { amount: 1, transactionDate: '2026-02-27', status: 'PENDING' },
    ]);
  });

  it('the trial balance has each account, and what has none, with equal debits and credits', async () => {
    const { trialBalance } = await ask(company, `trialBalance(asOf: "2026-02-28") { ${trialFields} }`);
    expect(trialBalance).toMatchObject({ currency: 'GBP', totalDebit: 681.01, totalCredit: 681.01 });
    const parts = { SALES: -1801, EXCHANGE: -100 };
    expect(balancesIn(trialBalance)).toEqual({
      ...{ 1011: 58101, 1100: 3000, 2100: -4200, 2200: -600, 3000: -50000, 4000: -11400, 5000: 7000 },
      ...parts,
    });
    expect(trialBalance.rows.map(({ account, part }: Data) => account?.nominalCode ?? part).slice(-2)).toEqual(['EXCHANGE', 'SALES']);
  });

  it('profit and loss has the postings of its days, and the balance sheet all until its day', async () => {
    const report = await ask(
      company,
      `year: profitAndLoss(from: "2026-01-01", to: "2026-12-31") { netProfit ${sectionFields} }
       february: profitAndLoss(from: "2026-02-01", to: "2026-02-28") { netProfit sections { title total } }
       none: profitAndLoss(from: "2025-01-01", to: "2025-12-31") { netProfit sections { title total rows { amount } } }
       balanceSheet(asOf: "2026-02-28") { totalAssets totalLiabilities totalEquity totalUnclassified ${sectionFields} }`,
    );
    expect(report.year).toEqual({
      netProfit: 63.01,
      sections: [
        {
          title: 'Income',
          total: 133.01,
          rows: [
            { account: { nominalCode: '4000' }, part: null, name: null, amount: 114 },
            { account: null, part: 'EXCHANGE', name: null, amount: 1 },
            { account: null, part: 'SALES', name: null, amount: 18.01 },
          ],
        },
        { title: 'Expenses', total: 70, rows: [{ account: { nominalCode: '5000' }, part: null, name: null, amount: 70 }] },
      ],
    });
    const totals = [
      { title: 'Income', total: -9 },
      { title: 'Expenses', total: 10 },
    ];
    expect(report.february).toEqual({ netProfit: -19, sections: totals });
    expect(report.none).toEqual({ netProfit: 0, sections: totals.map(({ title }) => ({ title, total: 0, rows: [] })) });
    expect(report.balanceSheet).toMatchObject({ totalAssets: 611.01, totalLiabilities: 48, totalEquity: 563.01, totalUnclassified: 0 });
    expect(report.balanceSheet.sections.map(({ title, total }: Data) => [title, total])).toEqual([
      ['Assets', 611.01],
      ['Liabilities', 48],
      ['Equity', 563.01],
    ]);
    expect(report.balanceSheet.sections[2].rows).toEqual([
      { account: { nominalCode: '3000' }, part: null, name: null, amount: 500 },
      { account: null, part: null, name: 'Current earnings', amount: 63.01 },
    ]);
  });

  it('open amounts are those of any day, after partial payments, credit notes and payments that are not allocated', async () => {
    const days = ['2026-01-31', '2026-02-15', '2026-02-28', '2026-05-01', '2025-12-31'];
    const fields = days.map((day, index) => `r${index}: agedReceivables(asOf: "${day}") { ${agedFields} }`).join(' ');
    const report = await ask(company, `${fields} agedPayables(asOf: "2026-02-28") { ${agedFields} }`);
    expect(days.map((_, index) => openIn(report[`r${index}`]))).toEqual([
      [162.01, { Current: 122, '1-30 days': 40.01 }, ['Ada', 122, { Current: 122 }], ['Bo', 40.01, { '1-30 days': 40.01 }]],
      [70.01, { '1-30 days': 70.01 }, ['Ada', 30, { '1-30 days': 30 }], ['Bo', 40.01, { '1-30 days': 40.01 }]],
      [30, { '1-30 days': 30 }, ['Ada', 30, { '1-30 days': 30 }]],
      [30, { '61-90 days': 30 }, ['Ada', 30, { '61-90 days': 30 }]],
      [0, {}],
    ]);
    expect(openIn(report.agedPayables)).toEqual([42, { '1-30 days': 42 }, ['Bo', 42, { '1-30 days': 42 }]]);
  });

  it('a document that cannot be posted is named with the reason; drafts, voided and deleted documents are not', async () => {
    const { trialBalance, profitAndLoss } = await ask(
      company,
      `trialBalance(asOf: "2026-02-28") { ${unpostedFields} } profitAndLoss(from: "2026-02-27", to: "2026-02-27") { ${unpostedFields} }`,
    );
    const noDate = { documentType: 'INVOICE', documentNumber: 'no date', reason: 'NO_DATE' };
    const fee = { documentType: 'BANK_TRANSACTION', documentNumber: 'fee', reason: 'NOT_MATCHED' };
    expect(trialBalance.unposted).toEqual({
      totalCount: 6,
      nodes: [
        noDate,
        { documentType: 'JOURNAL_ENTRY', documentNumber: 'off', reason: 'OUT_OF_BALANCE' },
        { documentType: 'INVOICE', documentNumber: 'no rate', reason: 'NO_CURRENCY_RATE' },
        { documentType: 'INVOICE', documentNumber: 'no amount', reason: 'NO_AMOUNT' },
        { documentType: 'PAYMENT', documentNumber: 'no direction', reason: 'NO_DIRECTION' },
        fee,
      ],
    });
    expect(profitAndLoss.unposted).toEqual({ totalCount: 2, nodes: [noDate, fee] });
  });

  it('the postings of each document add up to 0, and pages, filters and counts agree', async () => {
    const fields = 'date amount baseAmount currencyId part description documentType documentId account { nominalCode } contact { name }';
    const { postings } = await ask(company, `postings(first: 100) { totalCount nodes { ${fields} } pageInfo { hasNextPage } }`);
    const all: Data[] = postings.nodes;
    expect(postings).toMatchObject({ totalCount: all.length, pageInfo: { hasNextPage: false } });
    const documents = Map.groupBy(all, ({ documentType, documentId }) => `${documentType} ${documentId}`);
    expect(documents.size).toBe(9);
    for (const own of documents.values()) expect(own.reduce((sum, { baseAmount }) => sum + cents(baseAmount), 0)).toBe(0);
    expect(all.filter(({ part }) => part === 'EXCHANGE')).toMatchObject([
      { amount: 0, baseAmount: -1, currencyId: 'EUR', documentType: 'PAYMENT' },
    ]);
    expect(all.find(({ description }) => description === 'Shipping')).toMatchObject({
      amount: -5,
      account: null,
      contact: { name: 'Ada' },
    });
    const pages: Data[] = [];
    for (let after = ''; pages.length < all.length; ) {
      const page = (
        await ask(
          company,
          `postings(first: 7, after: "${after}") { nodes { ${fields} } edges { cursor } pageInfo { hasNextPage endCursor } }`,
        )
      ).postings;
      pages.push(...page.nodes);
      expect(page.pageInfo.hasNextPage).toBe(pages.length < all.length);
      expect(page.edges.at(-1).cursor).toBe(page.pageInfo.endCursor);
      after = page.pageInfo.endCursor;
    }
    expect(pages).toEqual(all);
    const filters: [filter: string, holds: (one: Data) => boolean][] = [
      ['date: { gte: "2026-01-20", lt: "2026-02-10" }', ({ date }) => date >= '2026-01-20' && date < '2026-02-10'],
      ['date: { gt: "2026-01-20", lte: "2026-02-10" }', ({ date }) => date > '2026-01-20' && date <= '2026-02-10'],
      ['date: { in: ["2026-01-10", "2026-02-25"] }', ({ date }) => date === '2026-01-10' || date === '2026-02-25'],
      ['date: { eq: "2026-01-10" }', ({ date }) => date === '2026-01-10'],
      [`accountId: { eq: ${accounts['1011']} }`, ({ account }) => account?.nominalCode === '1011'],
      [`accountId: { in: ["account_${accounts['1011']}"] }`, ({ account }) => account?.nominalCode === '1011'],
      ['accountId: { isNull: true }', ({ account }) => account === null],
      [
        'contactId: { isNull: false }, documentType: { in: [BILL, PAYMENT] }',
        ({ contact, documentType }) => contact && /BILL$|PAYMENT/.test(documentType),
      ],
      ['part: { eq: TAX }', ({ part }) => part === 'TAX'],
      [`documentId: { eq: ${all[0].documentId} }`, ({ documentId }) => documentId === all[0].documentId],
    ];
    for (const [filter, holds] of filters) {
      const found = (await ask(company, `postings(first: 100, filter: { ${filter} }) { totalCount nodes { ${fields} } }`)).postings;
      expect(found.nodes, filter).toEqual(all.filter(holds));
      expect(found.totalCount, filter).toBe(found.nodes.length);
      expect(found.nodes.length, filter).toBeGreaterThan(0);
    }
    expect((await ask(company, 'postings(first: 2, offset: 3) { nodes { amount documentId } }')).postings.nodes).toMatchObject(
      all.slice(3, 5).map(({ amount, documentId }) => ({ amount, documentId })),
    );
  });

  it('REST shows the same under its names', async () => {
    const get = async (path: string): Promise<Data> => {
      const response = await gateway.send('GET', `${company.base}/${path}`, { headers: company.headers });
      expect(response.status, response.text).toBe(200);
      return response.body;
    };
    const trial = (await get('reports/trial_balance?as_of=2026-02-28')).data;
    expect(trial).toMatchObject({
      as_of: '2026-02-28',
      currency: 'GBP',
      total_debit: 681.01,
      total_credit: 681.01,
      unposted: { total_count: 6 },
    });
    expect(trial.rows[0]).toMatchObject({
      account_id: accounts['1011'],
      account: { nominal_code: '1011', name: 'Bank' },
      debit: 581.01,
      credit: 0,
    });
    const profit = (await get('reports/profit_and_loss?from=2026-01-01&to=2026-12-31')).data;
    expect(profit).toMatchObject({ net_profit: 63.01, sections: [{ title: 'Income' }, { title: 'Expenses', rows: [{ amount: 70 }] }] });
    expect((await get('reports/balance_sheet?as_of=2026-02-28')).data).toMatchObject({ total_assets: 611.01, total_equity: 563.01 });
    const receivables = (await get('reports/aged_receivables?as_of=2026-02-28')).data;
    expect(receivables).toMatchObject({
      total: 30,
      rows: [{ contact: { name: 'Ada' }, total: 30, buckets: [{ label: 'Current', amount: 0 }, { amount: 30 }, {}, {}, {}] }],
    });
    expect((await get('reports/aged_payables?as_of=2026-02-28')).data.total).toBe(42);
    const first = await get(`postings?limit=2&account_id=${accounts['1011']}&date[lte]=2026-02-28&exact_count=true`);
    expect(first).toMatchObject({
      data: [
        { date: '2026-01-02', amount: 500, account: { nominal_code: '1011' } },
        { date: '2026-02-01', amount: -10 },
      ],
      pagination: { total_count: 5, next: expect.any(String) },
    });
    const path = `postings?limit=9&account_id=${accounts['1011']}&date[lte]=2026-02-28&next=${first.pagination.next}`;
    expect((await get(path)).data.map(({ base_amount }: Data) => base_amount)).toEqual([80, 41.01, -30]);
  });

  it('wrong days, periods, parameters and cursors are rejected by name', async () => {
    const refused: [path: string, field: string][] = [
      ['reports/trial_balance?as_of=2026-02-30', 'as_of'],
      ['reports/balance_sheet?as_of=0000-01-01', 'as_of'],
      ['reports/profit_and_loss?to=2026-01-01', 'from'],
      ['reports/profit_and_loss?from=2026-01-02&to=2026-01-01', 'to'],
      ['reports/aged_payables?day=1', 'day'],
      ['postings?order_by=date', 'order_by'],
      ['postings?date[gte]=0000-12-31', 'date[gte]'],
      ['postings?part=ALL', 'part'],
      ['postings?limit=101', 'limit'],
      ['postings?next=bm9uZQ.none', 'next'],
    ];
    for (const [path, field] of refused) {
      const { status, body } = await gateway.send('GET', `${company.base}/${path}`, { headers: company.headers });
      expect([path, status, body.error.field]).toEqual([path, 400, field]);
    }
    const { body } = await query(company, 'postings(filter: { accountId: { eq: null } }) { totalCount }');
    expect(body.errors[0].message).toContain('filter.accountId.eq must not be null');
    for (const day of ['9999-12-31', '0001-01-01']) await ask(company, `trialBalance(asOf: "${day}") { totalDebit }`);
    await ask(company, 'postings(filter: { date: { lte: "9999-12-31", gte: "0001-01-01" } }) { totalCount }');
  });

  it('a company of another organisation has no books for the caller, and a key of other companies has none either', async () => {
    const stranger = await gateway.key(['INTEGRATIONS']);
    for (const path of ['reports/trial_balance', 'reports/aged_receivables', 'postings'])
      expect((await gateway.send('GET', `${company.base}/${path}`, { headers: { api_key: stranger } })).status).toBe(404);
  });

  it('a report is priced like summaries of all that it reads', async () => {
    const codeOf = async (fields: string) => {
      const response = await gateway.graphql(key, `{ companies(first: 25) { nodes { ${fields} } } }`);
      return response.body.errors?.[0].extensions.code;
    };
    expect(await codeOf('trialBalance { totalDebit }')).toBeUndefined();
    expect(await codeOf('trialBalance { totalDebit unposted { totalCount } }')).toBe('QUERY_TOO_COMPLEX');
    expect(await codeOf('postings(first: 100) { nodes { account { name } } }')).toBe('QUERY_TOO_COMPLEX');
    expect(await codeOf('postings(first: 1) { nodes { account { name } } }')).toBeUndefined();
  });
});

describe('payments that are not stored', () => {
  it('a document that is paid by its amountDue alone is named, and one whose amountDue is older than its payments is not', async () => {
    const { company, accounts } = await newBooks();
    const posted = { currencyId: 'GBP', postedDate: '2026-01-01', totalAmount: 100 };
    const [, , partly] = await store(company, 'Invoices', [
      { ...posted, documentNumber: 'paid', amountDue: 0 },
      { ...posted, documentNumber: 'open', amountDue: 100 },
      { ...posted, documentNumber: 'partly', amountDue: 30 },
    ]);
    const [bill] = await store(company, 'Bills', [{ ...posted, documentNumber: 'stale', amountDue: 100 }]);
    await store(company, 'InvoiceCreditNotes', [{ ...posted, documentNumber: 'used', remainingCredit: 40 }]);
    const paid = { currencyId: 'GBP', transactionDate: '2026-01-02', totalAmount: 60, accountId: accounts['1011'] };
    await store(company, 'Payments', [
      { ...paid, direction: 'RECEIVED', allocations: [{ documentType: 'INVOICE', documentId: partly, amount: 60 }] },
      { ...paid, direction: 'MADE', allocations: [{ documentType: 'BILL', documentId: bill, amount: 60 }] },
    ]);
    const { agedReceivables } = await ask(company, `agedReceivables(asOf: "2026-01-31") { total ${unpostedFields} }`);
    const missing = (documentType: string, documentNumber: string) => ({ documentType, documentNumber, reason: 'PAYMENT_MISSING' });
    expect(agedReceivables).toEqual({
      total: 140,
      unposted: {
        totalCount: 3,
        nodes: [missing('INVOICE', 'paid'), missing('INVOICE', 'partly'), missing('INVOICE_CREDIT_NOTE', 'used')],
      },
    });
  });
});

describe('the base currency', () => {
  it('is the only one of the documents where none is marked, and unknown where there are several', async () => {
    const company = await buildCompany(gateway, { key });
    const books = `trialBalance { ${trialFields} ${unpostedFields} }`;
    expect((await ask(company, books)).trialBalance).toMatchObject({ currency: null, totalDebit: 0, rows: [] });
    await store(company, 'Invoices', [{ currencyId: 'JPY', postedDate: '2026-01-01', totalAmount: 100 }]);
    expect((await ask(company, books)).trialBalance).toMatchObject({ currency: 'JPY', totalDebit: 100, unposted: { totalCount: 0 } });
    await store(company, 'Bills', [{ currencyId: 'KRW', currencyRate: 0.1, postedDate: '2026-01-01', totalAmount: 100 }]);
    const { trialBalance } = await ask(company, books);
    expect(trialBalance).toMatchObject({
      currency: null,
      totalDebit: 10,
      unposted: { totalCount: 1, nodes: [{ reason: 'NO_CURRENCY_RATE' }] },
    });
  });
});

describe('what documents do not say', () => {
  const posted = { currencyId: 'GBP', postedDate: '2026-01-01' };
  const line = { quantity: 1, unitAmount: 120 };
  const of = async (company: TestCompany): Promise<Record<string, number>> => {
    const { trialBalance } = await ask(company, 'trialBalance { rows { part debit credit } }');
    return Object.fromEntries(
      trialBalance.rows.map((row: { part: string; debit: number; credit: number }) => [row.part, row.debit - row.credit]),
    );
  };

  it.each([
    ['a document that alone says the tax, on inclusive lines', { isTaxInclusive: true, taxAmount: 20, lineItems: [line] }, 120],
    ['inclusive lines that say their tax', { isTaxInclusive: true, lineItems: [{ ...line, taxAmount: 20 }] }, 120],
    ['an inclusive line of an exclusive document', { taxAmount: 20, lineItems: [{ ...line, isTaxInclusive: true }] }, 120],
    ['lines with their totals alone', { taxAmount: 20, lineItems: [{ totalAmount: 120 }] }, 120],
    ['exclusive lines', { taxAmount: 20, lineItems: [{ quantity: 1, unitAmount: 100 }] }, 120],
    ['inclusive lines with their amounts before tax', { isTaxInclusive: true, taxAmount: 20, lineItems: [{ subTotal: 100 }] }, 120],
    ['a line without an amount between them', { isTaxInclusive: true, taxAmount: 20, lineItems: [line, { name: 'Thank you' }] }, 120],
    ['shipping and a discount', { isTaxInclusive: true, taxAmount: 20, shippingAmount: 9, totalDiscount: 4, lineItems: [line] }, 125],
  ])('the total follows from %s', async (_, document, total) => {
    const company = await buildCompany(gateway, { key });
    await store(company, 'Invoices', [{ ...posted, ...document }]);
    expect(await of(company)).toEqual({ RECEIVABLE: total, SALES: 20 - total, TAX: -20 });
  });

  it('an amount in another currency is rounded to the minor unit of the base currency, at a rate of 1 too', async () => {
    const company = await buildCompany(gateway, { key });
    await store(company, 'Currencies', [{ code: 'JPY', isBaseCurrency: true }]);
    const [invoice] = await store(company, 'Invoices', [
      { ...posted, currencyId: 'USD', currencyRate: 1, totalAmount: 10.25, lineItems: [{ subTotal: 10.25 }] },
    ]);
    expect(await of(company)).toEqual({ RECEIVABLE: 10, SALES: -10 });
    const allocations = [{ documentType: 'INVOICE', documentId: invoice, amount: 10.25 }];
    await store(company, 'Payments', [
      { currencyId: 'USD', currencyRate: 1, transactionDate: '2026-01-02', totalAmount: 10.25, direction: 'RECEIVED', allocations },
    ]);
    expect(await of(company)).toEqual({ MONEY: 10, SALES: -10 });
  });

  it('a document without a total is paid by its amountDue too, and a payment without a direction pays nothing', async () => {
    const company = await buildCompany(gateway, { key });
    const lineItems = [{ subTotal: 100 }];
    const [, open] = await store(company, 'Invoices', [
      { ...posted, documentNumber: 'paid', amountDue: 0, lineItems },
      { ...posted, documentNumber: 'open', amountDue: 100, lineItems },
    ]);
    await store(company, 'Bills', [
      { ...posted, documentNumber: 'partly', amountDue: 30, taxAmount: 20, isTaxInclusive: true, lineItems: [line] },
    ]);
    const allocations = [{ documentType: 'INVOICE', documentId: open, amount: 40 }];
    await store(company, 'Payments', [
      { currencyId: 'GBP', transactionDate: '2026-01-02', totalAmount: 40, direction: 'UNKNOWN', allocations },
    ]);
    const { agedReceivables } = await ask(company, `agedReceivables(asOf: "2026-01-31") { ${unpostedFields} }`);
    expect(agedReceivables.unposted.nodes).toEqual([
      { documentType: 'BILL', documentNumber: 'partly', reason: 'PAYMENT_MISSING' },
      { documentType: 'INVOICE', documentNumber: 'paid', reason: 'PAYMENT_MISSING' },
      { documentType: 'PAYMENT', documentNumber: null, reason: 'NO_DIRECTION' },
    ]);
  });
});

/** A day of the random books, counted from 2025-01-01. */
const dayText = (day: number): string => new Date(Date.UTC(2025, 0, 1 + day)).toISOString().slice(0, 10);
const DAYS = 720;

const money = fc.integer({ min: -20_000, max: 200_000 });
const small = fc.integer({ min: 0, max: 3_000 });
const day = fc.integer({ min: 0, max: DAYS });
/** A currency with the rate of the document in ten thousandths; without one the record of the currency has it. */
const currency = fc.record({ isForeign: fc.boolean(), rate: fc.option(fc.integer({ min: 3_000, max: 17_000 })) });
const postedTo = fc.constantFrom<(Code | null)[]>('4000', '5000', '9000', null);

const kinds = {
  INVOICE: { types: 'Invoices', sign: 1, control: '1100', part: 'SALES' },
  INVOICE_CREDIT_NOTE: { types: 'InvoiceCreditNotes', sign: -1, control: '1100', part: 'SALES' },
  BILL: { types: 'Bills', sign: -1, control: '2100', part: 'COSTS' },
  BILL_CREDIT_NOTE: { types: 'BillCreditNotes', sign: 1, control: '2100', part: 'COSTS' },
} as const;
const kind = fc.constantFrom(...(Object.keys(kinds) as (keyof typeof kinds)[]));

const document = fc.record({
  kind,
  day,
  dueAfter: fc.option(fc.integer({ min: 0, max: 90 })),
  currency,
  lines: fc.array(fc.record({ account: postedTo, net: money, tax: small }), { maxLength: 3 }),
  shipping: small,
  discount: small,
  /** How far the total is from its parts; without a total null. */
  off: fc.option(fc.constantFrom(0, 0, 1, -1, 250), { freq: 6 }),
  posts: fc.constantFrom(true, true, true, false),
  contact: fc.constantFrom(0, 1, null),
});
const payment = fc.record({
  day,
  currency,
  sign: fc.constantFrom(1, -1),
  account: fc.constantFrom<(Code | null)[]>('1011', null),
  paid: fc.array(fc.record({ document: fc.nat(), amount: money }), { maxLength: 3 }),
  rest: fc.constantFrom(0, 0, 500),
  contact: fc.constantFrom(0, 1, null),
});
const entry = fc.record({
  day,
  currency,
  lines: fc.array(fc.record({ account: postedTo, amount: money }), { minLength: 1, maxLength: 3 }),
});
const randomBooks = fc.record({
  documents: fc.array(document, { minLength: 4, maxLength: 14 }),
  payments: fc.array(payment, { minLength: 3, maxLength: 12 }),
  entries: fc.array(entry, { maxLength: 4 }),
});
type RandomBooks = typeof randomBooks extends fc.Arbitrary<infer T> ? T : never;

/** A posting of the plain evaluation, in cents of the base currency; `item` is what it opens or settles. */
interface Line {
  day: number;
  key: string;
  base: number;
  item?: string;
  due?: number;
}

/** Cents at a rate in ten thousandths, rounded half away from zero. */
const at = (amount: number, rate: number): number => {
  if (rate === 10_000) return amount;
  const rounded = Number((BigInt(Math.abs(amount)) * BigInt(rate) + 5_000n) / 10_000n);
  return amount < 0 ? -rounded : rounded;
};

/** The documents of random books with their totals and rates, as far as these can be said. */
const valuesOf = ({ documents }: RandomBooks) =>
  documents.map((one) => {
    const hasExtras = one.kind !== 'BILL_CREDIT_NOTE';
    const [shipping, discount] = hasExtras ? [one.shipping, one.discount] : [0, 0];
    const tax = one.lines.reduce((sum, line) => sum + line.tax, 0);
    const parts = one.lines.reduce((sum, line) => sum + line.net, 0) + tax + shipping - discount;
    const ownRate = one.kind.endsWith('NOTE') ? null : one.currency.rate;
    return {
      ...one,
      shipping,
      discount,
      tax,
      ownRate,
      rate: one.currency.isForeign ? (ownRate ?? 8_600) : 10_000,
      total: one.off === null ? null : parts + one.off,
      // Without a total it is the sum of the parts, where there are lines.
      value: one.off !== null ? parts + one.off : one.lines.length > 0 ? parts : null,
    };
  });

/** What the books post, evaluated document by document. */
function evaluated(books: RandomBooks): Line[] {
  const lines: Line[] = [];
  const documents = valuesOf(books);
  for (const [index, one] of documents.entries()) {
    if (!one.posts || one.value === null) continue;
    const { sign, control, part } = kinds[one.kind];
    const post = (key: string, amount: number): Line => ({ day: one.day, key, base: sign * at(amount, one.rate) });
    const own = [
      { ...post(control, one.value), item: `document ${index}`, due: one.day + (one.kind.endsWith('NOTE') ? 0 : (one.dueAfter ?? 0)) },
      ...one.lines.map(({ account, net }) => post(account ?? part, -net)),
      post('2200', -one.tax),
      post(part, -one.shipping),
      post(part, one.discount),
    ];
    lines.push(...own, { day: one.day, key: part, base: -own.reduce((sum, { base }) => sum + base, 0) });
  }
  for (const {
    day,
    currency: { isForeign, rate },
    lines: given,
  } of books.entries) {
    const own = withBalance(given).map(({ account, amount }) => ({
      day,
      key: account ?? 'ENTRY',
      base: at(amount, isForeign ? (rate ?? 8_600) : 10_000),
    }));
    lines.push(...own, { day, key: 'EXCHANGE', base: -own.reduce((sum, { base }) => sum + base, 0) });
  }
  const settled = new Map<number, number>();
  for (const [index, one] of [...books.payments.entries()].sort(([, a], [, b]) => a.day - b.day)) {
    const rate = one.currency.isForeign ? (one.currency.rate ?? 8_600) : 10_000;
    const allocations = allocationsOf(one, documents.length);
    const sum = allocations.reduce((all, { amount }) => all + amount, 0);
    const own: Line[] = [{ day: one.day, key: one.account ?? 'MONEY', base: one.sign * at(sum + one.rest, rate) }];
    const control = one.sign === 1 ? '1100' : '2100';
    for (const { document: number, amount } of allocations) {
      const paid = documents[number]!;
      const isSame = paid.posts && paid.currency.isForeign === one.currency.isForeign;
      const before = settled.get(number) ?? 0;
      const after = before + one.sign * amount;
      if (paid.currency.isForeign === one.currency.isForeign) settled.set(number, after);
      own.push({
        day: one.day,
        key: kinds[paid.kind].control,
        base: isSame ? at(before, paid.rate) - at(after, paid.rate) : -one.sign * at(amount, rate),
        item: paid.posts ? `document ${number}` : `payment ${index}`,
        due: paid.posts ? paid.day + (paid.kind.endsWith('NOTE') ? 0 : (paid.dueAfter ?? 0)) : one.day,
      });
    }
    own.push({ day: one.day, key: control, base: -one.sign * at(one.rest, rate), item: `payment ${index}`, due: one.day });
    lines.push(...own, { day: one.day, key: 'EXCHANGE', base: -own.reduce((all, { base }) => all + base, 0) });
  }
  return lines;
}

/** The lines of an entry with one more that balances them. */
const withBalance = (lines: RandomBooks['entries'][number]['lines']) => [
  ...lines,
  { account: null, amount: -lines.reduce((sum, { amount }) => sum + amount, 0) },
];

/** The allocations of a payment, each to another document. */
const allocationsOf = ({ paid }: RandomBooks['payments'][number], documents: number) => [
  ...new Map(paid.map(({ document: number, amount }) => [number % documents, { document: number % documents, amount }])).values(),
];

const decimal = (amount: number | null): number | null => (amount === null ? null : amount / 100);

async function storeBooks({ company, accounts, contacts }: Books, books: RandomBooks): Promise<void> {
  const accountOf = (code: Code | null): number | null => (code === null ? null : accounts[code]);
  const contactOf = (index: number | null): number | null => (index === null ? null : contacts[index]!);
  const inCurrency = ({ isForeign, rate }: { isForeign: boolean; rate: number | null }, mayHaveRate = true): Fields => ({
    currencyId: isForeign ? 'EUR' : 'GBP',
    ...(mayHaveRate && rate !== null ? { currencyRate: rate / 10_000 } : {}),
  });
  const documents = valuesOf(books);
  const numbers = new Map<number, number>();
  for (const [type, { types }] of Object.entries(kinds)) {
    const own = [...documents.entries()].filter(([, one]) => one.kind === type);
    const isNote = type.endsWith('NOTE');
    const stored = await store(
      company,
      types,
      own.map(([, one]) => ({
        ...inCurrency(one.currency, !isNote),
        postedDate: dayText(one.day),
        contactId: contactOf(one.contact),
        totalAmount: decimal(one.total),
        status: one.posts ? 'SUBMITTED' : one.day % 2 === 0 ? 'DRAFT' : 'VOID',
        ...(isNote || one.dueAfter === null ? {} : { dueDate: dayText(one.day + one.dueAfter) }),
        ...(type === 'BILL_CREDIT_NOTE' ? {} : { shippingAmount: decimal(one.shipping), totalDiscount: decimal(one.discount) }),
        lineItems: one.lines.map(({ account, net, tax }) => ({
          accountId: accountOf(account),
          subTotal: decimal(net),
          taxAmount: decimal(tax),
        })),
      })),
    );
    for (const [place, [index]] of own.entries()) numbers.set(index, stored[place]!);
  }
  await store(
    company,
    'Payments',
    books.payments.map((one) => {
      const allocations = allocationsOf(one, documents.length);
      return {
        ...inCurrency(one.currency),
        transactionDate: dayText(one.day),
        direction: one.sign === 1 ? 'RECEIVED' : 'MADE',
        accountId: accountOf(one.account),
        contactId: contactOf(one.contact),
        totalAmount: decimal(allocations.reduce((sum, { amount }) => sum + amount, Number(one.rest))),
        allocations: allocations.map(({ document: index, amount }) => ({
          ...{ documentType: documents[index]!.kind, documentId: numbers.get(index), amount: decimal(amount) },
        })),
      };
    }),
  );
  await store(
    company,
    'JournalEntries',
    books.entries.map(({ day: on, currency: of, lines }) => ({
      ...inCurrency(of),
      transactionDate: dayText(on),
      lineItems: withBalance(lines).map(({ account, amount }) => ({ accountId: accountOf(account), totalAmount: decimal(amount) })),
    })),
  );
}

const summed = (lines: readonly Line[], keyOf: (line: Line) => string | undefined): Map<string, number> => {
  const sums = new Map<string, number>();
  for (const line of lines) {
    const own = keyOf(line);
    if (own !== undefined) sums.set(own, (sums.get(own) ?? 0) + line.base);
  }
  for (const [own, sum] of sums) if (sum === 0) sums.delete(own);
  return sums;
};

describe('random books', () => {
  it('every report is what a plain evaluation says, and they agree with each other', async () => {
    await fc.assert(
      fc.asyncProperty(randomBooks, fc.integer({ min: 0, max: DAYS }), async (given, asOf) => {
        const books = await newBooks();
        await storeBooks(books, given);
        const all = evaluated(given);
        const day = dayText(asOf);
        const report = await ask(
          books.company,
          `trialBalance(asOf: "${day}") { ${trialFields} } balanceSheet(asOf: "${day}") { totalAssets totalLiabilities totalEquity totalUnclassified }
           begin: balanceSheet(asOf: "2024-12-31") { totalEquity } end: balanceSheet(asOf: "2025-12-31") { totalEquity }
           profitAndLoss(from: "2025-01-01", to: "2025-12-31") { netProfit ${sectionFields} }
           agedReceivables(asOf: "${day}") { ${agedFields} } agedPayables(asOf: "${day}") { ${agedFields} }`,
        );
        const until = all.filter((line) => line.day <= asOf);
        const balances = balancesIn(report.trialBalance);
        expect(balances).toEqual(Object.fromEntries(summed(until, (line) => line.key)));
        expect(Object.values(balances).reduce((sum, balance) => sum + balance, 0)).toBe(0);
        expect(cents(report.trialBalance.totalDebit)).toBe(cents(report.trialBalance.totalCredit));

        const { totalAssets, totalLiabilities, totalEquity, totalUnclassified } = report.balanceSheet;
        expect(cents(totalAssets) + cents(totalUnclassified)).toBe(cents(totalLiabilities) + cents(totalEquity));

        const year = all.filter((line) => dayText(line.day) <= '2025-12-31');
        const isProfit = (code: string): boolean => ['4000', '5000', 'SALES', 'COSTS', 'EXCHANGE'].includes(code);
        const profit = -year.filter((line) => isProfit(line.key)).reduce((sum, { base }) => sum + base, 0);
        expect(cents(report.profitAndLoss.netProfit)).toBe(profit + 0);
        expect(cents(report.end.totalEquity) - cents(report.begin.totalEquity)).toBe(profit + 0);
        for (const { title, total, rows } of report.profitAndLoss.sections)
          expect([title, rows.reduce((sum: number, { amount }: Data) => sum + cents(amount), 0)]).toEqual([title, cents(total)]);

        for (const [aged, control, sign] of [
          [report.agedReceivables, '1100', 1],
          [report.agedPayables, '2100', -1],
        ] as const) {
          const open = until.filter((line) => line.key === control && line.item !== undefined);
          const items = summed(open, (line) => line.item);
          const dueOf = new Map(open.map(({ item, due }) => [item!, due!]));
          const buckets = [0, 0, 0, 0, 0];
          for (const [item, base] of items) buckets[Math.min(4, Math.max(0, Math.ceil((asOf - dueOf.get(item)!) / 30)))]! += sign * base;
          expect(aged.buckets.map(({ amount }: Data) => cents(amount))).toEqual(buckets);
          expect(cents(aged.total)).toBe(sign * (balances[control] ?? 0) + 0);
          expect(aged.rows.reduce((sum: number, { total }: Data) => sum + cents(total), 0)).toBe(cents(aged.total));
        }
      }),
      { numRuns: 8 },
    );
  }, 60_000);
});

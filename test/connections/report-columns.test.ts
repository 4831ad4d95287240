// Reports broken down by contact and by tracking category, over documents and over the postings of a source, with the postings of their rows. Random
// books are compared with a plain evaluation, and CSV, limits and rejected input are tested.
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { executeIn } from '../../src/database/open.ts';
import { organisationTransaction, systemTransaction } from '../../src/database/transaction.ts';
import { writeTransactions } from '../../src/integrations/books/source-transactions.statements.ts';
import type { TransactionInput } from '../../src/integrations/books/source-transactions.ts';
import { digestOf } from '../../src/json/digest.ts';
import { useGateway } from '../support/gateway.ts';
import { buildCompany, type TestCompany } from '../support/records.ts';
import { endOfSync } from '../support/syncs.ts';

const gateway = useGateway();
let key: string;

beforeAll(async () => {
  ({ key } = await buildCompany(gateway));
});

// biome-ignore lint/suspicious/noExplicitAny: tests look into responses by path.
type Data = any;
type Fields = Record<string, unknown>;

async function send(company: TestCompany, fields: string): Promise<Data> {
  const query = `query ($company: ID!) { company(id: $company) { ${fields} } }`;
  return (await gateway.graphql(company.key, query, { company: String(company.id) })).body;
}

async function ask(company: TestCompany, fields: string): Promise<Data> {
  const { data, errors } = await send(company, fields);
  expect(errors).toBeUndefined();
  return data.company;
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

/** The accounts by their codes; 4100 is below 4000. */
const chart = {
  1000: ['ASSET', 'BANK'],
  1100: ['ASSET', 'RECEIVABLE'],
  3000: ['EQUITY', null],
  4000: ['INCOME', null],
  4100: ['INCOME', null],
  5000: ['EXPENSE', null],
} as const;
type Code = keyof typeof chart;
const codes = Object.keys(chart).map(Number) as Code[];

/** Names of contacts, whose sequence is not that in which they are stored. */
const people = ['Cy', 'Ada', 'Bo'];

/** A posting as books have it: cents of an account, with a contact by its place and the ids of tracking categories. */
interface Line {
  day: string;
  account: Code;
  contact: number | null;
  tracking: string[];
  cents: number;
}

interface Books {
  company: TestCompany;
  accounts: Map<Code, number>;
  contacts: number[];
}

async function newBooks(): Promise<Books> {
  const company = await buildCompany(gateway, { key });
  await store(company, 'Currencies', [{ code: 'GBP', isBaseCurrency: true }]);
  const records = codes.map((code) => ({
    platformId: `A-${code}`,
    nominalCode: String(code),
    category: chart[code][0],
    subCategory: chart[code][1],
  }));
  const numbers = await store(company, 'Accounts', records);
  const accounts = new Map(codes.map((code, index) => [code, numbers[index]!]));
  const above = `update account set parent_account_id = ${accounts.get(4000)} where ledger_id = ${accounts.get(4100)}`;
  await systemTransaction(gateway.services.database, (em) => executeIn(em, above));
  const contacts = await store(
    company,
    'Contacts',
    people.map((name, place) => ({ platformId: `C-${place}`, name })),
  );
  return { company, accounts, contacts };
}

/** A document as it is drawn: an invoice of a contact or, without one, a journal entry. */
interface Drawn {
  day: string;
  contact: number | null;
  lines: { account: Code; tracking: string[]; cents: number }[];
}

/** The postings of a document by the rules that the guide has. */
const linesOf = ({ day, contact, lines }: Drawn): Line[] => {
  const total = lines.reduce((sum, { cents }) => sum + cents, 0);
  const rest = { day, account: 1100 as Code, contact, tracking: [], cents: total };
  return [...lines.map((line) => ({ day, contact, ...line, cents: -line.cents })), rest];
};

/** Books whose postings follow from documents. */
async function storeDocuments({ company, accounts, contacts }: Books, drawn: readonly Drawn[]): Promise<void> {
  await store(
    company,
    'Invoices',
    drawn
      .filter(({ contact }) => contact !== null)
      .map(({ day, contact, lines }) => ({
        ...{ contactId: contacts[contact!], currencyId: 'GBP', postedDate: day, status: 'SUBMITTED' },
        totalAmount: lines.reduce((sum, { cents }) => sum + cents, 0) / 100,
        lineItems: lines.map(({ account, tracking, cents }) => ({
          ...{ accountId: accounts.get(account), trackingCategoryIds: tracking, subTotal: cents / 100, taxAmount: 0 },
        })),
      })),
  );
  await store(
    company,
    'JournalEntries',
    drawn
      .filter(({ contact }) => contact === null)
      .map((document) => ({
        transactionDate: document.day,
        lineItems: linesOf(document).map(({ account, tracking, cents }) => ({
          ...{ accountId: accounts.get(account), trackingCategoryIds: tracking, totalAmount: cents / 100 },
        })),
      })),
  );
}

/** Stores transactions as those of the source of a company, whose pull has ended. */
async function storeTransactions({ company }: Books, transactions: readonly TransactionInput[]): Promise<void> {
  const [row] = await systemTransaction(gateway.services.database, (em) =>
    executeIn<{ organisation: string; type: string }>(
      em,
      'select organisation_id as organisation, integration_type as type from company where ledger_id = $1',
      [company.id],
    ),
  );
  const own = { organisationId: Number(row!.organisation), companyId: company.id, integrationType: row!.type };
  const sent = transactions.map((transaction) => ({ transaction, hash: digestOf(transaction) }));
  await organisationTransaction(gateway.services.database, own.organisationId, (em) => writeTransactions(em, own, sent));
  const file = JSON.stringify([{ platform_id: 'first', date: '2026-01-01', postings: [{ account_id: 'A-1000', amount: 0 }] }]);
  const upload =
    'mutation ($id: ID!, $file: Upload!) { importRecords(input: { companyId: $id, dataModel: LEDGER_TRANSACTION, file: $file }) { file { id } } }';
  const uploaded = await gateway.graphql(key, upload, { id: String(company.id), file });
  expect(uploaded.body.errors, uploaded.text).toBeUndefined();
  const body = { data: { dataModels: ['LEDGER_TRANSACTION'] } };
  const begun = await gateway.send('POST', `${company.base}/syncs`, { headers: company.headers, body });
  expect(begun.status, begun.text).toBe(201);
  await endOfSync(gateway, company, begun.body.data.id);
}

/** Books whose source has the same postings. */
const storeSource = (books: Books, drawn: readonly Drawn[]): Promise<void> =>
  storeTransactions(
    books,
    drawn.map((document, place) => ({
      platformId: `T-${place}`,
      date: document.day,
      postings: linesOf(document).map(({ account, contact, tracking, cents }) => ({
        ...{ accountId: `A-${account}`, amount: cents / 100, part: account === 1100 ? 'RECEIVABLE' : null },
        ...{ contactId: contact === null ? null : `C-${contact}`, trackingCategoryIds: tracking },
      })),
    })),
  );

const cents = (amount: number): number => Math.round(amount * 100);
const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

/** The value of a breakdown that a posting counts for; an empty text where it has none. */
const columnOf = {
  CONTACT: ({ contact }: Line) => (contact === null ? '' : people[contact]!),
  TRACKING_CATEGORY: ({ tracking }: Line) => [...new Set(tracking)].sort().join(' '),
} as const;
type By = keyof typeof columnOf;

const rowFields = 'account { nominalCode } name amount subtotal breakdown subtotalBreakdown';
const columnFields = 'breakdown { contactId contact { name } trackingCategoryIds total }';
const FROM = '2026-02-01';
const TO = '2026-02-28';

const fieldsBy = (by: By): string => `
  trialBalance(asOf: "${TO}", breakdownBy: ${by}) { ${columnFields} rows { ${rowFields.replace('name amount', 'debit credit')} } }
  balanceSheet(asOf: "${TO}", breakdownBy: ${by}) { totalAssets ${columnFields} sections { total breakdown rows { ${rowFields} } } }
  profitAndLoss(from: "${FROM}", to: "${TO}", breakdownBy: ${by}) { netProfit ${columnFields} sections { total breakdown rows { ${rowFields} } } }
  cashFlow(from: "${FROM}", to: "${TO}", breakdownBy: ${by}) { netChange ${columnFields} cashAccounts { ${rowFields} }
    sections { total breakdown rows { ${rowFields} } } }`;

/** The cents of each account in each column of a report, and the columns, evaluated plainly. */
function plain(
  lines: readonly Line[],
  by: By,
  isWanted: (code: Code) => boolean,
): { columns: string[]; amounts: Record<string, number[]> } {
  const value = columnOf[by];
  const own = lines.filter(({ account }) => isWanted(account));
  const sumOf = (code: Code, column: string): number =>
    sum(own.filter((line) => line.account === code && value(line) === column).map((line) => line.cents));
  const columns = [...new Set(own.map(value))].filter((column) => codes.some((code) => sumOf(code, column) !== 0));
  columns.sort((a, b) => (a === '' ? 1 : b === '' ? -1 : a < b ? -1 : 1));
  const amounts = codes.map((code): [string, number[]] => [String(code), columns.map((column) => sumOf(code, column))]);
  return { columns, amounts: Object.fromEntries(amounts.filter(([, own]) => own.some((amount) => amount !== 0))) };
}

const columnsIn = (report: Data): string[] =>
  report.breakdown.map(({ contact, trackingCategoryIds }: Data) => contact?.name ?? trackingCategoryIds.join(' '));
const partsIn = (rows: Data[], sign = 1): Record<string, number[]> =>
  Object.fromEntries(
    rows
      .filter(({ account, breakdown }) => account && breakdown.some((amount: number) => amount !== 0))
      .map(({ account, breakdown }) => [account.nominalCode, breakdown.map((amount: number) => sign * cents(amount) + 0)]),
  );

/** Columns add up to the amount of each row and section, and to the subtotal. */
function expectWhole(rows: Data[]): void {
  for (const { amount, debit, credit, total, subtotal, breakdown, subtotalBreakdown } of rows) {
    expect(sum(breakdown.map(cents))).toBe(cents(total ?? amount ?? debit - credit));
    if (subtotalBreakdown) expect(sum(subtotalBreakdown.map(cents))).toBe(cents(subtotal));
  }
}

function expectColumns(report: Data, lines: readonly Line[], by: By): void {
  const { trialBalance, balanceSheet, profitAndLoss, cashFlow } = report;
  const until = lines.filter(({ day }) => day <= TO);
  const period = until.filter(({ day }) => day >= FROM);
  const isIncome = (code: Code): boolean => code >= 4000;
  const all = plain(until, by, () => true);
  expect([columnsIn(trialBalance), partsIn(trialBalance.rows)]).toEqual([all.columns, all.amounts]);
  expectWhole(trialBalance.rows);

  const [assets, , equity] = balanceSheet.sections;
  expect(columnsIn(balanceSheet)).toEqual(all.columns);
  const { 1000: bank, 1100: debtors, 3000: capital } = all.amounts;
  expect(partsIn(assets.rows)).toEqual({ ...(bank && { 1000: bank }), ...(debtors && { 1100: debtors }) });
  expect(partsIn(equity.rows, -1)).toEqual(capital ? { 3000: capital } : {});
  expect(equity.rows.at(-1).breakdown.map(cents)).toEqual(
    all.columns.map((_, column) => -sum(codes.filter(isIncome).map((code) => all.amounts[code]?.[column] ?? 0)) || 0),
  );
  expect(sum(balanceSheet.breakdown.map(({ total }: Data) => cents(total)))).toBe(cents(balanceSheet.totalAssets));

  const moved = plain(period, by, isIncome);
  expect(columnsIn(profitAndLoss)).toEqual(moved.columns);
  const [income, expenses] = profitAndLoss.sections;
  expect({ ...partsIn(income.rows, -1), ...partsIn(expenses.rows) }).toEqual(moved.amounts);
  expect(sum(profitAndLoss.breakdown.map(({ total }: Data) => cents(total)))).toBe(cents(profitAndLoss.netProfit));

  const flow = plain(period, by, () => true);
  expect([columnsIn(cashFlow), partsIn(cashFlow.cashAccounts)]).toEqual([
    flow.columns,
    flow.amounts[1000] ? { 1000: flow.amounts[1000] } : {},
  ]);
  expect(sum(cashFlow.breakdown.map(({ total }: Data) => cents(total)))).toBe(cents(cashFlow.netChange));
  expectWhole(cashFlow.cashAccounts);
  for (const { sections } of [balanceSheet, profitAndLoss, cashFlow]) {
    expectWhole(sections);
    for (const { rows } of sections) expectWhole(rows);
  }
}

/** Reports with the postings of their rows, each in an operation of its own: together they cost more than one may. */
const postingFields = 'postings(first: 45) { date baseAmount accountId contactId part }';
const drilled: [report: string, fields: string][] = [
  ['trialBalance', `(asOf: "${TO}") { rows { accountId debit credit ${postingFields} } }`],
  ['balanceSheet', `(asOf: "${TO}") { sections { category rows { name accountId amount ${postingFields} } } }`],
  ['profitAndLoss', `(from: "${FROM}", to: "${TO}") { sections { category rows { name accountId amount ${postingFields} } } }`],
  [
    'cashFlow',
    `(from: "${FROM}", to: "${TO}") { cashAccounts { accountId amount ${postingFields} }
      sections { activity rows { name accountId amount ${postingFields} } } }`,
  ],
  ['agedReceivables', `(asOf: "${TO}") { rows { contactId total ${postingFields} } }`],
];

/** The postings of each row add up to its amount, in which some sections have the opposite sign, and are those of the row. */
async function expectPostings({ company }: Books): Promise<void> {
  for (const [name, fields] of drilled) {
    const report = (await ask(company, `${name}${fields}`))[name];
    const sections = report.sections ?? [{ rows: report.rows }];
    if (report.cashAccounts) sections.push({ rows: report.cashAccounts });
    for (const { category, activity, rows } of sections)
      for (const { name: computed, accountId, contactId, amount, debit, credit, total, postings } of rows) {
        if (computed) {
          expect(postings).toBeNull();
          continue;
        }
        const sign = activity || ['LIABILITY', 'EQUITY', 'INCOME'].includes(category) ? -1 : 1;
        const own = total ?? amount ?? debit - credit;
        expect([name, accountId, sum(postings.map(({ baseAmount }: Data) => cents(baseAmount)))]).toEqual([
          name,
          accountId,
          sign * cents(own) + 0,
        ]);
        for (const posting of postings) {
          if (name === 'agedReceivables') expect([posting.contactId, posting.part]).toEqual([contactId, 'RECEIVABLE']);
          else expect(posting.accountId).toBe(accountId);
          expect(posting.date >= (name === 'profitAndLoss' || name === 'cashFlow' ? FROM : '2026-01-01') && posting.date <= TO).toBe(true);
        }
        expect(postings.map(({ date }: Data) => date)).toEqual(postings.map(({ date }: Data) => date).sort());
      }
  }
}

const amount = fc.integer({ min: 1, max: 1_000_000 }).map((cents) => (cents % 3 === 0 ? -cents : cents));
const document = fc.record({
  day: fc.constantFrom('2026-01-10', '2026-02-10', '2026-02-28', '2026-03-01'),
  contact: fc.option(fc.nat(people.length - 1), { freq: 4 }),
  lines: fc.array(
    fc.record({
      account: fc.constantFrom<Code[]>(1000, 3000, 4000, 4100, 5000),
      tracking: fc.constantFrom<string[][]>([], ['North'], ['South'], ['South', 'North'], ['North', 'South'], ['North', 'North']),
      cents: amount,
    }),
    { minLength: 1, maxLength: 4 },
  ),
});

describe('random books', () => {
  it('have the columns of a plain evaluation and the postings of each row, which add up to its amount, whether a source or documents post', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(document, { minLength: 1, maxLength: 8 }), async (drawn) => {
        const lines = drawn.flatMap(linesOf);
        for (const storeIn of [storeDocuments, storeSource]) {
          const books = await newBooks();
          await storeIn(books, drawn);
          for (const by of ['CONTACT', 'TRACKING_CATEGORY'] as const) expectColumns(await ask(books.company, fieldsBy(by)), lines, by);
          await expectPostings(books);
        }
      }),
      { numRuns: 8 },
    );
  }, 120_000);
});

describe('a report that is broken down', () => {
  const drawn: Drawn[] = [
    {
      ...{ day: '2026-02-10', contact: 0 },
      lines: [
        { account: 4000, tracking: ['North'], cents: 10_000 },
        { account: 4100, tracking: ['South', 'North'], cents: 2_550 },
      ],
    },
    { day: '2026-02-11', contact: 1, lines: [{ account: 4000, tracking: [], cents: 7_000 }] },
    { day: '2026-02-12', contact: null, lines: [{ account: 4000, tracking: ['North'], cents: 1 }] },
    { day: '2026-01-12', contact: 2, lines: [{ account: 4000, tracking: [], cents: 300 }] },
    // Amounts that cancel out in all, and in no column.
    { day: '2026-02-13', contact: 0, lines: [{ account: 5000, tracking: [], cents: -500 }] },
    { day: '2026-02-13', contact: 1, lines: [{ account: 5000, tracking: ['South'], cents: 500 }] },
  ];
  let books: Books;
  beforeAll(async () => {
    books = await newBooks();
    await storeDocuments(books, drawn);
  });
  const get = (path: string, accept = 'application/json') =>
    gateway.send('GET', `${books.company.base}/reports/${path}`, { headers: { ...books.company.headers, accept } });

  it('has columns besides those of earlier periods on REST and as CSV', async () => {
    const path = 'profit_and_loss?from=2026-02-01&to=2026-02-28&periods=1';
    const { body } = await get(`${path}&breakdown_by=CONTACT`);
    const [cy, ada] = books.contacts;
    expect(body.data).toMatchObject({
      net_profit: 195.51,
      comparisons: [{ total: 3 }],
      breakdown: [
        { contact_id: ada, contact: { name: 'Ada' }, tracking_category_ids: [], total: 75 },
        { contact_id: cy, contact: { name: 'Cy' }, total: 120.5 },
        { contact_id: null, contact: null, total: 0.01 },
      ],
      sections: [
        {
          ...{ total: 195.51, comparisons: [3], breakdown: [70, 125.5, 0.01] },
          rows: [
            { amount: 170.01, comparisons: [3], breakdown: [70, 100, 0.01], subtotal: 195.51, subtotal_breakdown: [70, 125.5, 0.01] },
            { amount: 25.5, comparisons: [0], breakdown: [0, 25.5, 0], subtotal_breakdown: [0, 25.5, 0] },
          ],
        },
        { total: 0, breakdown: [-5, 5, 0], rows: [{ amount: 0, breakdown: [-5, 5, 0] }] },
      ],
    });
    const linesOf = async (by: string): Promise<string[]> => {
      const { text } = await get(`${path}&breakdown_by=${by}`, 'text/csv');
      return text.replaceAll(/,\d+,(4000|4100|5000)/g, ',#,$1').split('\r\n');
    };
    const before = 'section,account_id,nominal_code,name,part,level,amount,subtotal,2026-01-31,subtotal 2026-01-31';
    expect(await linesOf('CONTACT')).toEqual([
      `${before},Ada (${ada}),Cy (${cy}),Not assigned,subtotal Ada (${ada}),subtotal Cy (${cy}),subtotal Not assigned`,
      'Income,#,4000,,,0,170.01,195.51,3,3,70,100,0.01,70,125.5,0.01',
      'Income,#,4100,,,1,25.5,25.5,0,0,0,25.5,0,0,25.5,0',
      'Expenses,#,5000,,,0,0,0,0,0,-5,5,0,-5,5,0',
      '',
    ]);
    expect((await linesOf('TRACKING_CATEGORY'))[0]).toBe(
      `${before},Tracking North,"Tracking North, South",Tracking South,Not assigned,subtotal Tracking North,"subtotal Tracking North, South",subtotal Tracking South,subtotal Not assigned`,
    );
  });

  it('has no column without breakdownBy, and rejects what is no breakdown by name', async () => {
    const { body } = await get('balance_sheet?as_of=2026-02-28');
    expect([body.data.breakdown, body.data.sections[0].breakdown, body.data.sections[0].rows[0].breakdown]).toEqual([[], [], []]);
    const wrong = await get('balance_sheet?breakdown_by=COLOUR');
    expect([wrong.status, wrong.body.error.error_code, wrong.body.error.field]).toEqual([400, 'INVALID_PARAMS', 'breakdown_by']);
    const aged = await get('aged_receivables?breakdown_by=CONTACT');
    expect([aged.status, aged.body.error.field]).toEqual([400, 'breakdown_by']);
  });

  it('costs as much again', async () => {
    const codeOf = async (more: string) => {
      const query = `{ companies(first: 20) { nodes { trialBalance(asOf: "2026-02-28"${more}) { totalDebit } } } }`;
      return (await gateway.graphql(key, query)).body.errors?.[0].extensions.code;
    };
    expect(await codeOf('')).toBeUndefined();
    expect(await codeOf(', breakdownBy: CONTACT')).toBe('QUERY_TOO_COMPLEX');
    const query =
      'query ($by: ReportBreakdown) { companies(first: 20) { nodes { trialBalance(asOf: "2026-02-28", breakdownBy: $by) { totalDebit } } } }';
    expect((await gateway.graphql(key, query, { by: 'CONTACT' })).body.errors?.[0].extensions.code).toBe('QUERY_TOO_COMPLEX');
    expect((await gateway.graphql(key, query, { by: null })).body.errors).toBeUndefined();
  });
});

describe('a report with more contacts than columns', () => {
  it('is rejected by name, and one of fewer days is not', async () => {
    const books = await newBooks();
    const { company } = books;
    const transactions = Array.from({ length: 5_000 }, (_, place) => ({
      platformId: `T-${place}`,
      date: place < 200 ? '2026-01-10' : '2026-02-10',
      postings: [
        { accountId: 'A-1100', contactId: `new-${place}`, amount: 1, part: 'RECEIVABLE' },
        { accountId: 'A-4000', contactId: `new-${place}`, amount: -1 },
      ],
    }));
    await systemTransaction(gateway.services.database, (em) =>
      executeIn(
        em,
        `insert into contact (ledger_id, organisation_id, company_id, ledger_created_at, ledger_updated_at, ledger_integration_type, platform_id, data_hash, name)
         select 900000 + n, organisation_id, ledger_id, now(), now(), integration_type, 'new-' || n, 'x', 'Contact ' || lpad(n::text, 4, '0')
         from company, generate_series(0, 4999) n where ledger_id = $1`,
        [company.id],
      ),
    );
    await storeTransactions(books, transactions);
    // Stored at once and past the gateway, which analyzes what it stores as it grows: without statistics each contact is looked for among all of them.
    await systemTransaction(gateway.services.database, (em) => executeIn(em, 'analyze contact'));
    const { profitAndLoss } = await ask(
      company,
      `profitAndLoss(from: "2026-01-01", to: "2026-01-31", breakdownBy: CONTACT) { netProfit breakdown { contact { name } total } }`,
    );
    expect([profitAndLoss.netProfit, profitAndLoss.breakdown.length, profitAndLoss.breakdown[199]]).toEqual([
      ...[200, 200, { contact: { name: 'Contact 0199' }, total: 1 }],
    ]);
    const { data, errors } = await send(
      company,
      'name profitAndLoss(from: "2026-01-01", to: "2026-02-28", breakdownBy: CONTACT) { netProfit }',
    );
    expect(data.company).toEqual({ name: expect.any(String), profitAndLoss: null });
    expect(errors.map(({ message, extensions }: Data) => [message, extensions.code])).toEqual([
      ['breakdownBy finds more than 200 columns; ask for fewer days', 'INVALID_PARAMS'],
    ]);
    const path = `${company.base}/reports/profit_and_loss?from=2026-01-01&to=2026-02-28&breakdown_by=CONTACT`;
    const rest = await gateway.send('GET', path, { headers: company.headers });
    expect([rest.status, rest.body.error.field]).toEqual([400, 'breakdown_by']);
  });
});

describe('the postings of a row', () => {
  it('are those without a stored account or contact too, and of open amounts those that are not settled on the day', async () => {
    const books = await newBooks();
    const line = (accountId: string, amount: number, more: Fields = {}) => ({ accountId, amount, ...more });
    const receivable = (amount: number, contactId: string, more: Fields = {}) =>
      line('A-1100', amount, { part: 'RECEIVABLE', contactId, dueDate: '2026-01-31', ...more });
    await storeTransactions(books, [
      { platformId: '1', date: '2026-01-10', postings: [receivable(10, 'C-1'), line('unknown', -10)] },
      { platformId: '2', date: '2026-01-11', postings: [receivable(7, 'nobody'), line('other', -7)] },
      { platformId: '3', date: '2026-01-12', postings: [receivable(5, 'C-1', { settledDate: '2026-02-15' }), line('A-4000', -5)] },
      { platformId: '4', date: '2026-01-13', postings: [receivable(99, 'C-1', { settledDate: '2026-01-20' }), line('A-4000', -99)] },
    ]);
    const { trialBalance, agedReceivables } = await ask(
      books.company,
      `trialBalance(asOf: "2026-01-31") { rows { account { nominalCode } part postings(first: 2) { transactionId account { nominalCode } baseAmount } } }
       agedReceivables(asOf: "2026-01-31") { rows { contact { name } total postings { transactionId } } }`,
    );
    expect(
      trialBalance.rows.map(({ account, part, postings }: Data) => [
        account?.nominalCode ?? part,
        postings.map((one: Data) => one.transactionId),
      ]),
    ).toEqual([
      ['1100', ['1', '2']],
      ['4000', ['3', '4']],
      ['ENTRY', ['1', '2']],
    ]);
    expect(trialBalance.rows.at(-1).postings).toEqual([
      { transactionId: '1', account: null, baseAmount: -10 },
      { transactionId: '2', account: null, baseAmount: -7 },
    ]);
    expect(
      agedReceivables.rows.map(({ contact, total, postings }: Data) => [
        contact?.name,
        total,
        postings.map((one: Data) => one.transactionId),
      ]),
    ).toEqual([
      ['Ada', 15, ['1', '3']],
      [undefined, 7, ['2']],
    ]);
  });

  it('of open amounts from documents leave out what is paid, and go by the contact of the document', async () => {
    const { company, accounts, contacts } = await newBooks();
    const posted = { currencyId: 'GBP', postedDate: '2026-01-01', dueDate: '2026-01-31' };
    const [paid, open] = await store(company, 'Invoices', [
      { ...posted, contactId: contacts[1], totalAmount: 100, documentNumber: 'paid' },
      { ...posted, totalAmount: 30, documentNumber: 'open' },
    ]);
    await store(company, 'Payments', [
      {
        ...{ direction: 'RECEIVED', contactId: contacts[0], currencyId: 'GBP', transactionDate: '2026-01-05', totalAmount: 120 },
        ...{ accountId: accounts.get(1000) },
        allocations: [
          { documentType: 'INVOICE', documentId: paid, amount: 100 },
          { documentType: 'INVOICE', documentId: open, amount: 20 },
        ],
      },
    ]);
    const { agedReceivables } = await ask(
      company,
      'agedReceivables(asOf: "2026-01-31") { rows { contact { name } total postings { documentType documentId baseAmount } } }',
    );
    expect(agedReceivables.rows).toEqual([
      {
        ...{ contact: { name: 'Cy' }, total: 10 },
        postings: [
          { documentType: 'INVOICE', documentId: open, baseAmount: 30 },
          { documentType: 'PAYMENT', documentId: expect.any(Number), baseAmount: -20 },
        ],
      },
    ]);
  });

  it('cost a part of a report for each row, and their number has bounds', async () => {
    const books = await newBooks();
    const { company } = books;
    await storeDocuments(books, [{ day: '2026-01-01', contact: null, lines: [{ account: 4000, tracking: [], cents: 100 }] }]);
    const rows = (first: number) => `balanceSheet { sections { rows { postings(first: ${first}) { date account { name } } } } }`;
    expect((await send(company, rows(10))).errors).toBeUndefined();
    expect((await send(company, rows(100))).errors[0].extensions.code).toBe('QUERY_TOO_COMPLEX');
    for (const first of [0, 101]) {
      const { errors } = await send(company, `trialBalance { rows { postings(first: ${first}) { date } } }`);
      expect(errors.map(({ message }: Data) => message)).toContain('first must be an integer from 1 to 100');
    }
  });
});

// Books drawn by a seed, kept twice: as a journal of hledger and as journal entries of a company. The reports of both are compared to the last unit.
// node check.ts [seed]; exits with 3 where hledger is not installed.
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGateway } from '../gateway.ts';

const LACKING = 3;
const ENTRIES = 1_200;
/** Entries of one request, whose lines stay below the 1,000 objects that it may write. */
const ENTRIES_AT_ONCE = 100;
const FIRST_DAY = Date.UTC(2025, 0, 1);
/** Two fiscal years. */
const DAYS = 730;

/** The categories of accounts, and the names by which hledger knows their types. */
const categories = { ASSET: 'assets', LIABILITY: 'liabilities', EQUITY: 'equity', INCOME: 'revenues', EXPENSE: 'expenses' } as const;
type Category = keyof typeof categories;

interface Account {
  code: string;
  category: Category;
  /** Whether it is cash: hledger knows that by the name, and the gateway by the sub-category. */
  isCash: boolean;
}

interface Entry {
  day: string;
  /** Amounts in pence by account; a debit is more than 0. */
  lines: { account: Account; amount: number; region: string | null }[];
}

const seed = Number(process.argv[2] ?? randomInt(1_000_000));
/** A number below a bound: Numerical Recipes' generator, whose low bits are left out because they repeat. */
const below = ((state) => (bound: number) => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return (state >>> 8) % bound;
})(seed);

const accounts: Account[] = (Object.keys(categories) as Category[]).flatMap((category, index) =>
  Array.from({ length: 6 }, (_, place) => ({
    category,
    code: String((index + 1) * 1_000 + place * 10),
    isCash: category === 'ASSET' && place < 2,
  })),
);
const CASH = 'assets:bank';
/** The name of an account in hledger, which ends with its code. */
const nameOf = ({ category, code, isCash }: Account): string => `${isCash ? CASH : categories[category]}:${code}`;
const codeIn = (name: string): string => name.split(':').at(-1)!;
const dayOf = (offset: number): string => new Date(FIRST_DAY + offset * 86_400_000).toISOString().slice(0, 10);

/** The tracking categories of lines, which hledger has as the tag `region`; null for none. */
const regions = ['North', 'South', null] as const;

function drawEntry(): Entry {
  const lines = Array.from({ length: 1 + below(4) }, () => ({
    account: accounts[below(accounts.length)]!,
    amount: (below(2) === 0 ? 1 : -1) * (1 + below(5_000_000)),
    region: regions[below(regions.length)]!,
  }));
  const rest = -lines.reduce((sum, { amount }) => sum + amount, 0);
  return {
    day: dayOf(below(DAYS)),
    lines: rest === 0 ? lines : [...lines, { account: accounts[below(accounts.length)]!, amount: rest, region: null }],
  };
}

const text = (pence: number): string =>
  `${pence < 0 ? '-' : ''}${Math.trunc(Math.abs(pence) / 100)}.${String(Math.abs(pence) % 100).padStart(2, '0')}`;
/** Pence of an amount as either side writes it. */
const penceOf = (amount: string | number): number => Math.round(Number(amount) * 100);

/** What hledger prints as CSV, without its header: the first and the last cell of each row. */
function hledger(file: string, ...command: string[]): [name: string, amount: number][] {
  const { status, stdout, stderr } = spawnSync('hledger', ['-f', file, ...command, '-O', 'csv'], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`hledger ${command.join(' ')}: ${stderr}`);
  const rows = stdout
    .trim()
    .split('\n')
    .map((line) => line.slice(1, -1).split('","'));
  // The net of a period without entries has no amount.
  return rows.slice(1).map(([name, ...amounts]) => [name!, penceOf(amounts.at(-1) ?? 0)]);
}

const journalOf = (entries: readonly Entry[]): string =>
  [...entries]
    .sort((a, b) => (a.day < b.day ? -1 : 1))
    .map(({ day, lines }) =>
      [
        `${day} entry`,
        ...lines.map(({ account, amount, region }) => `    ${nameOf(account)}  ${text(amount)}${region ? `  ; region:${region}` : ''}`),
      ].join('\n'),
    )
    .join('\n\n');

const version = spawnSync('hledger', ['--version'], { encoding: 'utf8' });
if (version.error) {
  console.log('skipped: hledger is not installed');
  process.exit(LACKING);
}

const scratch = mkdtempSync(join(tmpdir(), 'gateway-hledger-'));
const gateway = await startGateway(join(scratch, 'data'));
const differences: string[] = [];
let compared = 0;

async function graphql<T>(query: string, variables: object): Promise<T> {
  const response = await fetch(`${gateway.base}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${gateway.apiKey}` },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await response.json()) as { data: T; errors?: unknown };
  if (errors) throw new Error(JSON.stringify(errors));
  return data;
}

function compare(what: string, ours: string | number, theirs: number): void {
  compared++;
  if (penceOf(ours) !== theirs) differences.push(`${what}: ${ours} here, ${text(theirs)} in hledger`);
}

/** Stores the books in a new company, whose id is returned. */
async function store(entries: readonly Entry[]): Promise<string> {
  const { createCompany } = await graphql<{ createCompany: { company: { id: string } } }>(
    'mutation ($input: CreateCompanyInput!) { createCompany(input: $input) { company { id } errors { message } } }',
    { input: { name: `Books of seed ${seed}` } },
  );
  const { id: companyId } = createCompany.company;
  const write = async (field: string, type: string, records: object[]): Promise<void> => {
    const data = await graphql<Record<string, { errors: unknown[] }>>(
      `mutation ($input: ${type}!) { ${field}(input: $input) { errors { code path message } } }`,
      { input: { companyId, records } },
    );
    if (data[field]!.errors.length > 0) throw new Error(JSON.stringify(data));
  };
  await write('createCurrencies', 'CreateCurrenciesInput', [{ platformId: 'GBP', code: 'GBP', isBaseCurrency: true }]);
  await write(
    'createAccounts',
    'CreateAccountsInput',
    accounts.map(({ code, category, isCash }) => ({
      ...{ platformId: code, nominalCode: code, name: `Account ${code}`, category, currencyId: 'GBP' },
      ...(isCash ? { subCategory: 'BANK' } : {}),
    })),
  );
  for (let first = 0; first < entries.length; first += ENTRIES_AT_ONCE)
    await write(
      'createJournalEntries',
      'CreateJournalEntriesInput',
      entries.slice(first, first + ENTRIES_AT_ONCE).map(({ day, lines }, index) => ({
        platformId: String(first + index),
        transactionDate: day,
        currencyId: 'GBP',
        status: 'POSTED',
        lineItems: lines.map(({ account, amount, region }) => ({
          ...{ account: { platformId: account.code }, totalAmount: text(amount), trackingCategoryIds: region === null ? [] : [region] },
        })),
      })),
    );
  return companyId;
}

interface Row {
  account: { nominalCode: string };
}

async function comparePoint(file: string, company: string, asOf: string): Promise<void> {
  const end = dayOf((Date.parse(asOf) - FIRST_DAY) / 86_400_000 + 1);
  const { company: ours } = await graphql<{
    company: {
      trialBalance: {
        totalDebit: string;
        totalCredit: string;
        rows: (Row & { debit: string; credit: string })[];
        unposted: { totalCount: number };
      };
      balanceSheet: { totalAssets: string; totalLiabilities: string; totalEquity: string; totalUnclassified: string };
    };
  }>(
    `query ($company: ID!, $asOf: LocalDate!) { company(id: $company) {
      trialBalance(asOf: $asOf) { totalDebit totalCredit rows { account { nominalCode } debit credit } unposted { totalCount } }
      balanceSheet(asOf: $asOf) { totalAssets totalLiabilities totalEquity totalUnclassified } } }`,
    { company, asOf },
  );
  const theirs = hledger(file, 'balance', '--flat', '--no-total', '-e', end);
  const { rows, totalDebit, totalCredit, unposted } = ours.trialBalance;
  const known = new Map(rows.map(({ account, debit, credit }) => [account.nominalCode, penceOf(debit) - penceOf(credit)]));
  for (const [name, amount] of theirs) compare(`${asOf} ${name}`, (known.get(codeIn(name)) ?? 0) / 100, amount);
  compare(`${asOf} accounts`, rows.length / 100, theirs.length);
  compare(`${asOf} unposted`, unposted.totalCount / 100, 0);
  const sum = (types: readonly Category[]): number =>
    theirs.filter(([name]) => types.some((type) => name.startsWith(categories[type]))).reduce((total, [, amount]) => total + amount, 0);
  compare(
    `${asOf} debits`,
    totalDebit,
    theirs.reduce((total, [, amount]) => total + Math.max(amount, 0), 0),
  );
  compare(
    `${asOf} credits`,
    totalCredit,
    theirs.reduce((total, [, amount]) => total + Math.max(-amount, 0), 0),
  );
  compare(`${asOf} assets`, ours.balanceSheet.totalAssets, sum(['ASSET']));
  compare(`${asOf} liabilities`, ours.balanceSheet.totalLiabilities, -sum(['LIABILITY']));
  // hledger leaves the profit of open years in the accounts; the balance sheet has it in equity.
  compare(`${asOf} equity`, ours.balanceSheet.totalEquity, -sum(['EQUITY', 'INCOME', 'EXPENSE']));
  compare(`${asOf} unclassified`, ours.balanceSheet.totalUnclassified, 0);
}

/** Rows of accounts in what hledger prints; the others are headings and totals. */
const accountsIn = (rows: readonly [name: string, amount: number][]) => rows.filter(([name]) => /:\d+$/.test(name));

async function comparePeriod(file: string, company: string, from: string, to: string): Promise<void> {
  const { company: ours } = await graphql<{
    company: {
      profitAndLoss: {
        netProfit: string;
        breakdown: { trackingCategoryIds: string[]; total: string }[];
        sections: { rows: (Row & { amount: string; breakdown: string[] })[] }[];
      };
      cashFlow: {
        openingBalance: string;
        netChange: string;
        closingBalance: string;
        cashAccounts: (Row & { amount: string })[];
        sections: { total: string }[];
      };
    };
  }>(
    `query ($company: ID!, $from: LocalDate!, $to: LocalDate!) { company(id: $company) {
      profitAndLoss(from: $from, to: $to, breakdownBy: TRACKING_CATEGORY) { netProfit breakdown { trackingCategoryIds total }
        sections { rows { account { nominalCode } amount breakdown } } }
      cashFlow(from: $from, to: $to) { openingBalance netChange closingBalance cashAccounts { account { nominalCode } amount } sections { total } } } }`,
    { company, from, to },
  );
  const end = dayOf((Date.parse(to) - FIRST_DAY) / 86_400_000 + 1);
  const period = `${from} to ${to}`;
  const compareAccounts = (what: string, amounts: ReadonlyMap<string, string>, rows: readonly [name: string, amount: number][]): void => {
    for (const [name, amount] of rows) compare(`${period} ${what} ${name}`, amounts.get(codeIn(name)) ?? 0, amount);
    compare(`${period} ${what} accounts`, amounts.size / 100, rows.length);
  };
  const amountsOf = (rows: readonly (Row & { amount: string })[]) =>
    new Map(rows.map(({ account, amount }) => [account.nominalCode, amount]));

  const theirs = hledger(file, 'incomestatement', '--flat', '-b', from, '-e', end);
  const { netProfit, breakdown, sections } = ours.profitAndLoss;
  const netIn = (rows: readonly [name: string, amount: number][]): number => rows.find(([name]) => name === 'Net:')?.[1] ?? 0;
  compare(`${period} net profit`, netProfit, netIn(theirs));
  const rows = sections.flatMap((section) => section.rows);
  const moved = rows.filter(({ amount }) => penceOf(amount) !== 0);
  compareAccounts('profit and loss', amountsOf(moved), accountsIn(theirs));
  for (const region of regions) {
    const place = breakdown.findIndex(({ trackingCategoryIds: [id = null] }) => id === region);
    const part = hledger(file, 'incomestatement', '--flat', '-b', from, '-e', end, region ? `tag:region=^${region}$` : 'not:tag:region');
    compare(`${period} net profit of ${region}`, breakdown[place]?.total ?? 0, netIn(part));
    const own = rows.filter((row) => place >= 0 && penceOf(row.breakdown[place]!) !== 0);
    compareAccounts(
      `profit and loss of ${region}`,
      new Map(own.map((row) => [row.account.nominalCode, row.breakdown[place]!])),
      accountsIn(part),
    );
  }

  const flow = ours.cashFlow;
  const cash = accountsIn(hledger(file, 'cashflow', '--flat', '-b', from, '-e', end));
  const change = cash.reduce((total, [, amount]) => total + amount, 0);
  compareAccounts('cash flow', amountsOf(flow.cashAccounts), cash);
  compare(`${period} net change`, flow.netChange, change);
  compare(`${period} activities`, flow.sections.reduce((total, section) => total + penceOf(section.total), 0) / 100, change);
  const cashBefore = (day: string): number =>
    accountsIn(hledger(file, 'balance', '--flat', '--no-total', '-e', day, CASH)).reduce((total, [, amount]) => total + amount, 0);
  compare(`${period} opening balance`, flow.openingBalance, cashBefore(from));
  compare(`${period} closing balance`, flow.closingBalance, cashBefore(end));
}

try {
  const entries = Array.from({ length: ENTRIES }, drawEntry);
  const file = join(scratch, 'books.journal');
  writeFileSync(file, journalOf(entries));
  const company = await store(entries);
  for (let point = 0; point < 6; point++) await comparePoint(file, company, dayOf(below(DAYS)));
  await comparePoint(file, company, dayOf(DAYS - 1));
  for (let period = 0; period < 6; period++) {
    const from = below(DAYS);
    await comparePeriod(file, company, dayOf(from), dayOf(from + below(DAYS - from)));
  }
  for (const [from, to] of [
    ['2025-01-01', '2025-12-31'],
    ['2026-01-01', '2026-12-31'],
  ] as const)
    await comparePeriod(file, company, from, to);
} finally {
  await gateway.stop();
  rmSync(scratch, { recursive: true, force: true });
}
for (const one of differences) console.log(one);
console.log(`seed ${seed}, ${version.stdout.trim()}: ${ENTRIES} entries, ${compared} figures compared, ${differences.length} differences`);
process.exitCode = differences.length === 0 ? 0 : 1;

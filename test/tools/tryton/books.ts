// The reports of the gateway next to Tryton's own: trial balance, balance sheet, income statement and aged balance of the same company, to the cent.
import { deepEqual, equal, ok } from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { GatewayProcess } from './gateway-process.ts';
import { tenThousandths } from './pulls.ts';
import type { TrytonServer } from './server.ts';
import { Rpc } from './source.ts';

const WAIT_MS = 300_000;
const KILL_AFTER_MS = 400;

/** A value as Tryton's JSON has decimals and dates. */
const text = (value: unknown): string =>
  typeof value === 'object' && value !== null && 'decimal' in value ? String(value.decimal) : String(value ?? '0');
const dateValue = (day: string) => {
  const [year, month, date] = day.split('-').map(Number);
  return { __class__: 'date', year, month, day: date };
};

interface Row {
  id: number;
  [field: string]: unknown;
}

/** Amounts in ten-thousandths by name, without those of 0. */
type Sums = Record<string, bigint>;

function sumsOf(entries: readonly (readonly [name: string, amount: bigint])[]): Sums {
  const sums = new Map<string, bigint>();
  for (const [name, amount] of entries) sums.set(name, (sums.get(name) ?? 0n) + amount);
  return Object.fromEntries([...sums].filter(([, amount]) => amount !== 0n).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Tryton's own reports. */
class TrytonReports {
  readonly #rpc: Rpc;
  readonly #company: number;

  constructor(rpc: Rpc, company: number) {
    this.#rpc = rpc;
    this.#company = company;
  }

  #rows(model: string, domain: unknown[], fields: string[], context: object): Promise<Row[]> {
    const params = [domain, 0, null, null, fields];
    return this.#rpc.callIn({ company: this.#company, posted: true, ...context }, `${model}.search_read`, ...params) as Promise<Row[]>;
  }

  /** What each account has moved in the days of a fiscal year, by the id of the account. */
  async movements(fiscalyear: number, from: string, to: string): Promise<[string, bigint][]> {
    const context = { fiscalyear, from_date: dateValue(from), to_date: dateValue(to) };
    const rows = await this.#rows('account.general_ledger.account', [], ['account', 'debit', 'credit'], context);
    return rows.map((row) => [String(row.account), tenThousandths(text(row.debit)) - tenThousandths(text(row.credit))]);
  }

  /**
   * The lowest account types of a statement with their amounts: credits are more than 0, but those of assets. Tryton's equity is above the types of the
   * income statement, so that its amount has the earnings of all days in it.
   */
  async types(statement: 'balance' | 'income', context: object): Promise<Sums> {
    const domain = [['statement', '=', statement]];
    const rows = await this.#rows('account.account.type', domain, ['name', 'amount', 'childs', 'assets'], context);
    const ids = new Set(rows.map(({ id }) => id));
    const lowest = rows.filter(({ childs }) => !(childs as number[]).some((child) => ids.has(child)));
    return sumsOf(
      lowest.map(({ name, amount, assets }) => [
        String(name),
        (statement === 'balance' && assets ? 1n : -1n) * tenThousandths(text(amount)),
      ]),
    );
  }

  /** What is open by party, and how much of it is overdue by 31, 61 and 91 days and more. */
  async aged(type: 'customer' | 'supplier', day: string): Promise<Map<string, bigint[]>> {
    const context = { type, date: dateValue(day), unit: 'day', term1: 31, term2: 61, term3: 91 };
    const rows = await this.#rows('account.aged_balance', [], ['party', 'balance', 'term1', 'term2', 'term3'], context);
    const sign = type === 'supplier' ? -1n : 1n;
    return new Map(
      rows
        .map(
          ({ party, ...row }) =>
            [String(party), ['balance', 'term1', 'term2', 'term3'].map((name) => sign * tenThousandths(text(row[name])))] as const,
        )
        .filter(([, amounts]) => amounts.some((amount) => amount !== 0n))
        .map(([party, amounts]) => [party, amounts]),
    );
  }
}

// biome-ignore lint/suspicious/noExplicitAny: checks look into responses by path.
type Data = any;

/** Pulls the company into a gateway of its own, which is killed in the middle of the pull of its postings. */
async function pulled(server: TrytonServer, gateway: GatewayProcess): Promise<{ company: string; kills: number }> {
  await gateway.start();
  await gateway.issueKey();
  const { data } = await gateway.rest('POST', '/companies', { data: { name: 'Orchard' } });
  const base = `/companies/${data.ledger_id}`;
  const { url, database, user, password } = server;
  const settings = { url, database, user, password };
  await gateway.rest('POST', `${base}/connections`, { data: { source: 'TRYTON', settings, interval_minutes: 43_200 } });
  const company = `company_${data.ledger_id}`;
  let kills = 0;
  for (const end = Date.now() + WAIT_MS; Date.now() < end; await setTimeout(100)) {
    const [state] = await gateway.sql<{ stored: number; unbalanced: number; done: boolean; over: boolean }>(
      `select (select count(*)::int from ledger_transaction) as stored,
         (select count(*)::int from (select month from posting_total group by month having sum(balance) <> 0) m) as unbalanced,
         exists (select from sync_job where data_model = 'LEDGER_TRANSACTION' and status = 'SUCCESS') as done,
         (select count(*) > 0 and count(*) filter (where status in ('PENDING', 'RUNNING')) = 0 from sync) as over`,
    );
    equal(state!.unbalanced, 0, 'no month is out of balance');
    if (state!.stored > 0 && !state!.done && kills < 2) {
      const { trialBalance } = (
        await gateway.graphql(
          'query ($company: ID!) { company(id: $company) { trialBalance { rows { debit } postings: unposted { totalCount } } } }',
          { company },
        )
      ).company;
      ok(trialBalance, 'the reports are there while the postings come');
      await gateway.kill();
      kills += 1;
      await setTimeout(KILL_AFTER_MS);
      await gateway.start();
    }
    if (state!.over) return { company, kills };
  }
  throw new Error('the pull did not end');
}

const REPORTS = `query ($company: ID!, $from: LocalDate!, $to: LocalDate!) { company(id: $company) {
  postings(first: 1) { totalCount }
  trialBalance(asOf: $to) { totalDebit totalCredit rows { account { platformId } debit credit } }
  profitAndLoss(from: $from, to: $to) { netProfit sections { category rows { name account { subCategory } amount } } }
  balanceSheet(asOf: $to) { totalAssets totalLiabilities totalEquity totalUnclassified sections { category rows { name account { subCategory } amount } } }
  agedReceivables(asOf: $to) { total rows { contact { platformId } total buckets { amount } } }
  agedPayables(asOf: $to) { total rows { contact { platformId } total buckets { amount } } } } }`;

const COMPARISON = `query ($company: ID!, $to: LocalDate!) { company(id: $company) {
  sourceTrialBalance(asOf: $to) { differences rows { account { platformId } source } } } }`;

/** Amounts of our sections by account type: debits are more than 0. The current earnings are part of Tryton's equity. */
const byType = (sections: Data[]): Sums =>
  sumsOf(
    sections.flatMap(({ category, rows }) =>
      rows.map(({ name, account, amount }: Data) => {
        const type = name === 'Current earnings' ? 'Equity' : account.subCategory;
        return [type, (['INCOME', 'LIABILITY', 'EQUITY'].includes(category) ? -1n : 1n) * tenThousandths(amount)] as const;
      }),
    ),
  );

const openIn = ({ rows }: Data): Map<string, bigint[]> =>
  new Map(
    rows.map(({ contact, total, buckets }: Data) => [
      contact.platformId,
      [total, ...buckets.slice(2).map(({ amount }: Data) => amount)].map(tenThousandths),
    ]),
  );

/** Compares the reports at the ends of some months of both fiscal years; throws where an amount differs. */
export async function booksAreTheSame(server: TrytonServer, seed: number): Promise<string> {
  const gateway = new GatewayProcess(await server.emptyDatabase(`books_${seed}`));
  const rpc = new Rpc(server);
  try {
    const { company, kills } = await pulled(server, gateway);
    const [{ id: ownCompany }] = (await rpc.call('company.company.search_read', [], 0, 1, null, ['id'])) as [Row];
    const reports = new TrytonReports(rpc, ownCompany);
    const years = await server.sql<{ id: number; first: string; last: string }>(
      'select id, start_date::text as first, end_date::text as last from account_fiscalyear order by start_date',
    );
    equal(years.length, 2, 'fiscal years');
    const currencies = await server.sql(
      'select distinct coalesce(second_currency, -1) as currency from account_move_line l join account_move m on m.id = l.move',
    );
    ok(currencies.length >= 3, 'three currencies');
    let postings = 0;
    let compared = 0;
    for (const { id: year, first, last } of years)
      for (const month of [2, 5, 8, 10, 11]) {
        const to = new Date(Date.UTC(Number(first.slice(0, 4)), month + 1, month === 8 ? -12 : 0)).toISOString().slice(0, 10);
        const { company: ours } = await gateway.graphql(REPORTS, { company, from: first, to });
        postings = ours.postings.totalCount;
        equal(ours.trialBalance.totalDebit, ours.trialBalance.totalCredit, `${to} balances`);
        // Tryton's report is of one fiscal year; ours continues over all that the source has not closed.
        const before = years.filter((entry) => entry.last < first);
        const parts = [...before.map((entry) => [entry.id, entry.first, entry.last] as const), [year, first, to] as const];
        const movements = (await Promise.all(parts.map((part) => reports.movements(...part)))).flat();
        const trial = ours.trialBalance.rows.map(({ account, debit, credit }: Data) => [
          account.platformId,
          tenThousandths(debit) - tenThousandths(credit),
        ]);
        deepEqual(sumsOf(trial), sumsOf(movements), `trial balance of ${to}`);
        const { sourceTrialBalance: ofSource } = (await gateway.graphql(COMPARISON, { company, to })).company;
        equal(ofSource.differences, 0, `trial balance of ${to} that the gateway asks for`);
        const asked = ofSource.rows.map(({ account, source }: Data) => [account.platformId, tenThousandths(source)] as const);
        deepEqual(sumsOf(asked), sumsOf(movements), `trial balance of ${to} as Tryton returns it`);
        const statement = { fiscalyear: year, from_date: dateValue(first), to_date: dateValue(to) };
        deepEqual(byType(ours.profitAndLoss.sections), await reports.types('income', statement), `income statement until ${to}`);
        const sheet = await reports.types('balance', { date: dateValue(to), cumulate: true });
        deepEqual(byType(ours.balanceSheet.sections), sheet, `balance sheet of ${to}`);
        deepEqual(openIn(ours.agedReceivables), await reports.aged('customer', to), `receivables of ${to}`);
        deepEqual(openIn(ours.agedPayables), await reports.aged('supplier', to), `payables of ${to}`);
        compared += trial.length + Object.keys(sheet).length + ours.agedReceivables.rows.length + ours.agedPayables.rows.length;
        ok(last >= to);
      }
    const [own] = await server.sql<{ count: number }>(
      "select count(*)::int as count from account_move_line l join account_move m on m.id = l.move where m.state = 'posted'",
    );
    equal(postings, own!.count, 'postings');
    ok(postings >= 1_000, `${postings} postings`);
    return `${postings} postings in ${currencies.length} currencies and ${years.length} fiscal years, ${kills} kills in the pull, ${compared} figures of ${years.length * 5} days: 0 differences`;
  } finally {
    await gateway.stop();
  }
}

// The trial balance that a source makes of its own books, asked for while a caller waits: equal, different by account, rejected, and without a
// response.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ownRun } from '../support/connections.ts';
import { useGateway } from '../support/gateway.ts';
import { buildCompany, type TestCompany } from '../support/records.ts';

const gateway = useGateway({ connectorPrivateHosts: ['127.0.0.1'], sourceTimes: { callMs: 1_500, pageMs: 10_000, runMs: 60_000 } });
let key: string;
beforeAll(async () => {
  ({ key } = await buildCompany(gateway));
});

// biome-ignore lint/suspicious/noExplicitAny: tests look into responses by path.
type Data = any;
type Row = Record<string, unknown>;

const decimal = (text: string) => ({ __class__: 'Decimal', decimal: text });
const dateOf = (day: string) => {
  const [year, month, date] = day.split('-').map(Number);
  return { __class__: 'date', year, month, day: date };
};

/** The models of a Tryton with two accounts, a transaction between them, and what it computes of the accounts. */
const books = (): Record<string, Row[]> => ({
  'company.company': [{ id: 1, currency: 9 }],
  'currency.currency': [{ id: 9, name: 'Euro', code: 'EUR', rate: decimal('1') }],
  'account.account': [
    account(1, '1000', 'Bank', { debit: '120.30', credit: '20.20' }),
    account(2, '4000', 'Sales', { debit: '0', credit: '100.10', revenue: true }),
  ],
  'account.move': [{ id: 5, date: dateOf('2026-01-10'), number: '5', company: 1, state: 'posted', 'journal.': { name: 'Cash' } }],
  'account.move.line': [line(1, 1, '100.10', '0'), line(2, 2, '0', '100.10')],
});

function account(
  id: number,
  code: string,
  name: string,
  { debit, credit, revenue = false }: { debit: string; credit: string; revenue?: boolean },
): Row {
  const type = { name, statement: 'balance', assets: !revenue, payable: false, debt: false, revenue, expense: false };
  return { id, code, name, company: 1, active: true, balance: decimal('0'), 'type.': type, debit: decimal(debit), credit: decimal(credit) };
}
const line = (id: number, to: number, debit: string, credit: string): Row => ({
  ...{
    id,
    move: 5,
    invoice_payments: null,
    account: to,
    party: null,
    debit: decimal(debit),
    credit: decimal(credit),
    'account.': { 'type.': null },
  },
});

/** Whether a row is one of a search, as far as its conditions name fields that it has. */
const isWanted = (row: Row, domain: Data[]): boolean =>
  domain.every(([field, operator, value]) => {
    if (!(field in row)) return true;
    const own = row[field] as never;
    if (operator === '!=') return own !== value;
    return operator === 'in' ? value.includes(own) : operator === '>' ? own > value : own === value;
  });

/** A Tryton on the loopback interface that responds to searches of its models. `manner` returns those of balances in another way. */
async function startSource() {
  const source = {
    url: '',
    models: books(),
    password: 'right',
    /** The contexts of searches that ask for balances. */
    contexts: [] as Row[],
    manner: undefined as ((response: ServerResponse) => void) | undefined,
  };
  const responseOf = (method: string, params: Data[]): unknown => {
    if (method === 'common.db.login') return params[1].password === source.password ? [1, 'session'] : undefined;
    if (method === 'model.res.user.get_preferences') return { company: 1, language: 'en' };
    if (method === 'system.listMethods') return ['model.account.account.search_read'];
    if (method.endsWith('.fields_get')) return {};
    const [, model] = /^model\.(.+)\.search_read$/.exec(method)!;
    const [domain, , limit] = params;
    const rows = (source.models[model!] ?? []).filter((row) => isWanted(row, domain));
    return rows.slice(0, limit ?? rows.length).map((row) => ({ _timestamp: '1795362664.239977', ...row }));
  };
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const { method, params } = JSON.parse(text);
    const asksBalances = method === 'model.account.account.search_read' && params[4].includes('debit');
    if (asksBalances) source.contexts.push(params.at(-1));
    if (asksBalances && source.manner) return source.manner(response);
    const result = responseOf(method, params);
    if (result === undefined) return void response.writeHead(401).end('Unauthorized');
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ id: 1, result }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  source.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return source;
}

/** A company that is connected to a source of its own, and whose first pull has ended. `models` take the place of those of the source. */
async function connected(models: Record<string, Row[]> = {}, status = 'SUCCESS') {
  const source = await startSource();
  Object.assign(source.models, models);
  const company = await buildCompany(gateway, { key });
  const settings = { url: source.url, database: 'books', user: 'gateway', password: source.password };
  const data = { source: 'TRYTON', settings, interval_minutes: 43_200 };
  const made = await gateway.send('POST', `${company.base}/connections`, { headers: company.headers, body: { data } });
  expect(made.status, made.text).toBe(201);
  const [sync] = await ownRun(gateway, company, made.body.data.id);
  expect(sync!.status).toBe(status);
  return { source, company, connectionId: made.body.data.id as string };
}

const FIELDS = `asOf fetchedAt pulledAt currency incomeSince differences
  rows { sourceAccountId sourceName accountId account { nominalCode } part source gateway difference reason }`;
async function ask(company: TestCompany, asOf = '2026-06-30'): Promise<Data> {
  const query = `query ($id: ID!, $asOf: LocalDate) { company(id: $id) { name sourceTrialBalance(asOf: $asOf) { ${FIELDS} } } }`;
  return (await gateway.graphql(key, query, { id: String(company.id), asOf })).body;
}
const shown = ({ sourceAccountId, account: stored, part, source, gateway: here, difference, reason }: Data) => [
  sourceAccountId,
  stored?.nominalCode ?? part,
  source,
  here,
  difference,
  reason,
];

describe('the trial balance of a source', { timeout: 60_000 }, () => {
  it('is compared by account on GraphQL, REST and as CSV', async () => {
    const { source, company } = await connected();
    const { data, errors } = await ask(company);
    expect(errors).toBeUndefined();
    const { rows, fetchedAt, pulledAt, ...report } = data.company.sourceTrialBalance;
    expect(report).toEqual({ asOf: '2026-06-30', currency: 'EUR', incomeSince: null, differences: 0 });
    expect(Date.parse(fetchedAt)).toBeGreaterThanOrEqual(Date.parse(pulledAt));
    expect(rows.map(shown)).toEqual([
      ['1', '1000', 100.1, 100.1, 0, null],
      ['2', '4000', -100.1, -100.1, 0, null],
    ]);
    expect(source.contexts).toEqual([expect.objectContaining({ posted: true, to_date: dateOf('2026-06-30'), company: 1 })]);
    const path = `${company.base}/reports/source_trial_balance?as_of=2026-06-30`;
    const rest = await gateway.send('GET', path, { headers: company.headers });
    expect([rest.status, rest.body.data.rows[0].account.nominal_code, rest.body.data.differences], rest.text).toEqual([200, '1000', 0]);
    const csv = await gateway.send('GET', path, { headers: { ...company.headers, accept: 'text/csv' } });
    expect(csv.text.split('\r\n').slice(0, 2)).toEqual([
      'account_id,nominal_code,name,part,source_account_id,source_name,source,gateway,difference,reason',
      `${rows[0].accountId},1000,Bank,,1,Bank,100.1,100.1,0,`,
    ]);
  });

  it('differs by what the source has changed since, and by accounts that one side does not have', async () => {
    const { source, company } = await connected();
    source.models['account.account'] = [
      account(1, '1000', 'Bank', { debit: '100.11', credit: '0.30' }),
      account(3, '6000', 'Rent', { debit: '0.29', credit: '0' }),
    ];
    const { sourceTrialBalance: report } = (await ask(company)).data.company;
    expect(report.rows.map(shown)).toEqual([
      ['1', '1000', 99.81, 100.1, 0.29, 'CHANGED_SINCE_PULL'],
      ['3', null, 0.29, 0, -0.29, 'ACCOUNT_NOT_STORED'],
      [null, '4000', 0, -100.1, -100.1, 'CHANGED_SINCE_PULL'],
    ]);
    expect(report.differences).toBe(3);
  });

  it('differs in every account where the source keeps its books in another currency', async () => {
    const { source, company } = await connected();
    source.models['currency.currency'] = [{ id: 9, name: 'US Dollar', code: 'USD', rate: decimal('1') }];
    source.models['account.account']![0] = account(1, '1000', 'Bank', { debit: '90', credit: '0' });
    const { sourceTrialBalance: report } = (await ask(company)).data.company;
    expect([report.currency, ...report.rows.map(shown)]).toEqual([
      'USD',
      ['1', '1000', 90, 100.1, 10.1, 'OTHER_CURRENCY'],
      ['2', '4000', -100.1, -100.1, 0, null],
    ]);
  });

  it('differs by postings here that name no stored account', async () => {
    const { company } = await connected({ 'account.move.line': [line(1, 1, '100.10', '0'), line(2, 77, '0', '100.10')] });
    const { sourceTrialBalance: report } = (await ask(company)).data.company;
    expect(report.rows.map(shown)).toEqual([
      ['1', '1000', 100.1, 100.1, 0, null],
      ['2', '4000', -100.1, 0, 100.1, 'CHANGED_SINCE_PULL'],
      [null, 'ENTRY', 0, -100.1, -100.1, 'NO_ACCOUNT'],
    ]);
  });

  it('differs by transactions that the last pull could not store', async () => {
    const moves = books()['account.move']!;
    const lines = books()['account.move.line']!;
    const half = { ...line(3, 1, '7', '0'), move: 6 };
    const { source, company } = await connected(
      { 'account.move': [...moves, { ...moves[0]!, id: 6, number: '6' }], 'account.move.line': [...lines, half] },
      'PARTIAL_SUCCESS',
    );
    source.models['account.account']![0] = account(1, '1000', 'Bank', { debit: '107.10', credit: '0' });
    const { sourceTrialBalance: report } = (await ask(company)).data.company;
    expect(report.rows.map(shown)).toEqual([
      ['1', '1000', 107.1, 100.1, -7, 'POSTINGS_NOT_STORED'],
      ['2', '4000', -100.1, -100.1, 0, null],
    ]);
  });

  it('differs by what documents post where the source has sent no postings, and by documents that post nothing', async () => {
    const { company } = await connected({ 'account.move': [], 'account.move.line': [] });
    const reasons = async () => (await ask(company)).data.company.sourceTrialBalance.rows.map(shown);
    const none = [
      ['1', '1000', 100.1, 0, -100.1, 'DERIVED'],
      ['2', '4000', -100.1, 0, 100.1, 'DERIVED'],
    ];
    expect(await reasons()).toEqual(none);
    const invoice = async (total_amount: number | null) => {
      const data = { platform_id: `I-${total_amount}`, currency_id: 'EUR', posted_date: '2026-01-10', total_amount, status: 'SUBMITTED' };
      const made = await gateway.send('POST', `${company.base}/invoices`, { headers: company.headers, body: { data } });
      expect(made.status, made.text).toBe(201);
    };
    await invoice(50);
    const invoiced = [
      [null, 'RECEIVABLE', 0, 50, 50, 'NO_ACCOUNT'],
      [null, 'SALES', 0, -50, -50, 'NO_ACCOUNT'],
    ];
    expect(await reasons()).toEqual([...none, ...invoiced]);
    await invoice(null);
    expect(await reasons()).toEqual([...none.map((row) => row.with(5, 'UNPOSTED_DOCUMENTS')), ...invoiced]);
  });

  it('is an error of the field alone where the source does not respond or rejects, and the state of the connection stays', async () => {
    const { source, company, connectionId } = await connected();
    expect((await ask(company)).errors).toBeUndefined();
    const manners: [string, (response: ServerResponse) => void, string][] = [
      ['silence', () => {}, 'PLATFORM_TIMEOUT'],
      [
        'a drip',
        (response) => {
          response.writeHead(200);
          const dripping = setInterval(() => response.write(' '), 50);
          response.once('close', () => clearInterval(dripping));
        },
        'PLATFORM_TIMEOUT',
      ],
      ['no rows', (response) => response.end('{"id":1,"result":null}'), 'PLATFORM_ERROR'],
      ['no amounts', (response) => response.end('{"id":1,"result":[{"id":1,"debit":"x","credit":null}]}'), 'PLATFORM_ERROR'],
      ['no JSON', (response) => response.end('<html>'), 'PLATFORM_ERROR'],
      ['a refusal', (response) => response.end('{"id":1,"error":["UserError",["You may not read accounts.",""]]}'), 'PLATFORM_DENIED'],
    ];
    for (const [name, manner, code] of manners) {
      source.manner = manner;
      source.contexts.length = 0;
      const { data, errors } = await ask(company);
      expect(data.company, name).toEqual({ name: expect.any(String), sourceTrialBalance: null });
      expect([errors.length, errors[0].extensions.code, errors[0].path], name).toEqual([1, code, ['company', 'sourceTrialBalance']]);
      // Also by a query that has succeeded before.
      expect(source.contexts, name).toHaveLength(1);
    }
    source.password = 'another';
    expect((await ask(company)).errors[0].extensions.code).toBe('CONNECTION_EXPIRED');
    const { body } = await gateway.send('GET', `${company.base}/connections/${connectionId}`, { headers: company.headers });
    expect(body.data.status).toBe('CONNECTED');
  });

  it('is one that a source may not have, and is named in the error', async () => {
    const company = await buildCompany(gateway, { key });
    const rest = await gateway.send('GET', `${company.base}/reports/source_trial_balance`, { headers: company.headers });
    expect([rest.status, rest.body.error.error_code]).toEqual([400, 'OPERATION_NOT_SUPPORTED']);
    expect(rest.text).toContain('SANDBOX has no trial balance of its own');
    const wrong = await gateway.send('GET', `${company.base}/reports/source_trial_balance?as_of=2026-02-30`, { headers: company.headers });
    expect([wrong.status, wrong.body.error.field]).toEqual([400, 'as_of']);
  });

  it('is asked for a few times at once', async () => {
    const { source, company } = await connected();
    const waiting: ServerResponse[] = [];
    source.manner = (response) => void waiting.push(response);
    const asked = Array.from({ length: 5 }, () => ask(company));
    while (waiting.length < 5) await new Promise((resolve) => setImmediate(resolve));
    const { errors } = await ask(company);
    expect(errors[0].extensions.code).toBe('RATE_LIMIT_EXCEEDED');
    for (const response of waiting) response.end('{"id":1,"result":[]}');
    for (const { errors } of await Promise.all(asked)) expect(errors).toBeUndefined();
    source.manner = undefined;
    expect((await ask(company)).errors).toBeUndefined();
  });
});

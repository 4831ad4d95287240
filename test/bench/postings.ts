// Command `npm run bench:postings -- --database URL [--postings N]`: the CPU of reports over the postings of a source next to the bare statement. It
// also measures one and two writers of the same month.
import { parseArgs } from 'node:util';
import type { Client } from 'pg';
import { pino } from 'pino';
import { readConfig } from '../../src/config.ts';
import { organisationTransaction } from '../../src/database/transaction.ts';
import { sourceBalances } from '../../src/integrations/books/source-postings.statements.ts';
import { writeTransactions } from '../../src/integrations/books/source-transactions.statements.ts';
import type { TransactionInput } from '../../src/integrations/books/source-transactions.ts';
import { newId } from '../../src/records/ids.ts';
import { openServices } from '../../src/services.ts';
import { measure, totalMs } from './load.ts';
import { cpuSeconds } from './subject.ts';
import { withTestbed } from './testbed.ts';
import { get } from './workloads.ts';

const { values: options } = parseArgs({ options: { database: { type: 'string' }, postings: { type: 'string', default: '10000000' } } });
const postings = Number(options.postings);
const ORGANISATION = 1000;
const COMPANY = 1001;
const SOURCE = 'TRYTON';
const ACCOUNTS = 200;
const CONTACTS = 150;
const MONTHS = 24;
/** Postings of a transaction. */
const LINES = 4;
const REQUESTS = 200;

async function fill(client: Client): Promise<void> {
  const run = (text: string, values?: unknown[]): Promise<unknown> => client.query(text, values);
  await run(`insert into organisation (id, public_id, name, created_at) values (${ORGANISATION}, 'org_bench', 'Bench', '2026-01-01')`);
  await run(
    `insert into company (ledger_id, organisation_id, name, integration_type, connection_status, ledger_created_at, ledger_updated_at)
     values (${COMPANY}, ${ORGANISATION}, 'Books', '${SOURCE}', 'ACTIVE', '2026-01-01', '2026-01-01')`,
  );
  const own = `${ORGANISATION}, ${COMPANY}, '2026-01-01', '2026-01-01', '${SOURCE}'`;
  const common = 'organisation_id, company_id, ledger_created_at, ledger_updated_at, ledger_integration_type';
  await run(
    `insert into currency (ledger_id, ${common}, platform_id, data_hash, code, is_base_currency) values (1, ${own}, 'EUR', 'x', 'EUR', true)`,
  );
  await run(
    `insert into account (ledger_id, ${common}, platform_id, data_hash, nominal_code, name, category, parent_account_id) select 100 + n, ${own}, n::text, 'x',
       (1000 + n)::text, 'Account ' || n, (array['ASSET','LIABILITY','EQUITY','INCOME','EXPENSE'])[1 + n % 5], case when n > 20 then 100 + 1 + n % 20 end
     from generate_series(1, ${ACCOUNTS}) n`,
  );
  await run(
    `insert into contact (ledger_id, ${common}, platform_id, data_hash, name) select 1000 + n, ${own}, n::text, 'x', 'Contact ' || n
     from generate_series(1, ${CONTACTS}) n`,
  );
  const [sync, job] = [newId('sync'), newId('syncjob')];
  await run(
    `insert into sync (id, organisation_id, company_id, integration_type, data_models, config_mode, job_type, sync_type, full_sync, strict, status, job_counts, data_model_counts, start_time, end_time, created_at)
     values ($1, ${ORGANISATION}, ${COMPANY}, '${SOURCE}', '["LEDGER_TRANSACTION"]', 'READ', 'PULL', 'MANUAL', true, false, 'SUCCESS', '{}', '{}', now(), now(), now())`,
    [sync],
  );
  await run(
    `insert into sync_job (id, organisation_id, company_id, sync_id, data_model, status, job_type, config_mode, records_synced, retry_count, start_time, end_time, created_at)
     values ($2, ${ORGANISATION}, ${COMPANY}, $1, 'LEDGER_TRANSACTION', 'SUCCESS', 'PULL', 'READ', 0, 0, now(), now(), now())`,
    [sync, job],
  );
  const key = `${COMPANY}, ${ORGANISATION}, '${SOURCE}'`;
  await run(
    `insert into ledger_transaction (company_id, organisation_id, ledger_integration_type, platform_id, source_number, journal, source_hash)
     select ${key}, n::text, 'N-' || n, 'General', 'x' from generate_series(1, ${postings / LINES}) n`,
  );
  // Indexes of a filled table are made sooner than kept, and the log of the filling is of no use.
  const { rows: indexes } = await client.query<{ name: string; text: string }>(
    "select indexname as name, indexdef as text from pg_indexes where tablename = 'source_posting' and indexname not like '%pkey'",
  );
  for (const { name } of indexes) await run(`drop index ${name}`);
  await run('alter table source_posting set unlogged');
  await run("set maintenance_work_mem = '512MB'");
  await run(
    `insert into source_posting (company_id, organisation_id, ledger_integration_type, transaction_id, place, date, account_id, contact_id, amount, base_amount)
     select ${key}, n::text, p, date '2025-01-01' + (n * 7919::bigint % ${MONTHS * 30})::integer, (1 + (n * 31 + p * 17) % ${ACCOUNTS})::text, (1 + n % ${CONTACTS})::text, v, v
     from generate_series(1, ${postings / LINES}) n, generate_series(0, ${LINES - 1}) p, lateral (select (n % 1000 + 0.25) * (case when p % 2 = 0 then 1 else -1 end) as v) a`,
  );
  await run(
    `insert into posting_total (company_id, organisation_id, ledger_integration_type, month, account_id, balance)
     select company_id, organisation_id, ledger_integration_type, date_trunc('month', date)::date, account_id, sum(base_amount) from source_posting group by 1, 2, 3, 4, 5`,
  );
  for (const { text } of indexes) await run(text);
  await run('vacuum analyze');
}

/** CPU milliseconds of a statement on a connection of its own, the client's among them. */
async function bare(client: Client, values: unknown[]): Promise<number> {
  const { rows } = await client.query('select pg_backend_pid() as pid');
  const run = (): Promise<unknown> => client.query({ name: 'bare', text: sourceBalances.text, values });
  for (let count = 0; count < 20; count++) await run();
  const [server, own] = [cpuSeconds(rows[0].pid), process.cpuUsage()];
  for (let count = 0; count < REQUESTS; count++) await run();
  const { user, system } = process.cpuUsage(own);
  return ((cpuSeconds(rows[0].pid) - server) * 1_000 + (user + system) / 1_000) / REQUESTS;
}

/** Transactions of one month in pages of a hundred: seconds that some writers at once take for their pages. */
async function writers(url: string, count: number, pages: number): Promise<number> {
  const { services, close } = await openServices(readConfig({ DATABASE_URL: url, WORKER: 'false', DEMO_DATA: 'false' }), {
    log: pino({ level: 'silent' }),
  });
  const books = { organisationId: ORGANISATION, companyId: COMPANY, integrationType: SOURCE };
  const page = (writer: number, number: number): TransactionInput[] =>
    Array.from({ length: 100 }, (_, index) => ({
      platformId: `w${count}-${writer}-${number}-${index}`,
      date: '2026-11-15',
      postings: [1, -1, 2, -2].map((amount, place) => ({ accountId: 1 + ((index * 31 + place * 17 * (writer + 1)) % ACCOUNTS), amount })),
    }));
  const began = performance.now();
  await Promise.all(
    Array.from({ length: count }, async (_, writer) => {
      for (let number = 0; number < pages; number++)
        await organisationTransaction(services.database, ORGANISATION, (em) =>
          writeTransactions(
            em,
            books,
            page(writer, number).map((transaction) => ({ transaction, hash: 'x' })),
          ),
        );
    }),
  );
  const seconds = (performance.now() - began) / 1_000;
  await close();
  return seconds;
}

await withTestbed(options.database!, async (testbed) => {
  const { url, gateway, key } = await testbed.filledBy('gateway', fill);
  const base = `/v4/core/companies/${COMPANY}`;
  const cases: [name: string, path: string, days: [string, string]][] = [
    ['trial balance at the end of a month', `${base}/reports/trial_balance?as_of=2026-11-30`, ['-infinity', '2026-11-30']],
    ['trial balance in the middle of a month', `${base}/reports/trial_balance?as_of=2026-11-15`, ['-infinity', '2026-11-15']],
    ['profit and loss of a month', `${base}/reports/profit_and_loss?from=2026-11-01&to=2026-11-30`, ['2026-11-01', '2026-11-30']],
    ['balance sheet at the end of a year', `${base}/reports/balance_sheet?as_of=2025-12-31`, ['-infinity', '2025-12-31']],
  ];
  const client = await testbed.connect(url);
  await client.query("set app.organisation = '1000'");
  // As the connections of the gateway have it.
  await client.query('set jit = off');
  for (const [name, path, days] of cases) {
    await measure(gateway, [get(path)], key, { requests: 100, connections: 2 });
    const measured = await measure(gateway, [get(path)], key, { requests: REQUESTS, connections: 2 });
    const alone = await bare(client, [COMPANY, ORGANISATION, ...days]);
    const parts = `server ${measured.serverMs.toFixed(1)}, PostgreSQL ${measured.databaseMs.toFixed(1)}`;
    console.log(`${name}: ${totalMs(measured).toFixed(1)} ms of CPU (${parts}); the bare statement ${alone.toFixed(1)} ms`);
  }
  const byContact = [get(`${base}/reports/profit_and_loss?from=2026-11-01&to=2026-11-30&breakdown_by=CONTACT`)];
  const columns = await measure(gateway, byContact, key, { requests: 20, connections: 2 });
  console.log(`profit and loss of a month by ${CONTACTS} contacts: ${totalMs(columns).toFixed(1)} ms of CPU`);
  const page = [get(`${base}/postings?account_id=107&date[lte]=2026-11-30&limit=20`)];
  const drill = await measure(gateway, page, key, { requests: REQUESTS, connections: 2 });
  console.log(`20 postings of an account: ${totalMs(drill).toFixed(1)} ms of CPU`);
  const [one, two] = [await writers(url, 1, 40), await writers(url, 2, 20)];
  console.log(`4,000 transactions of one month: ${one.toFixed(1)} s by one writer, ${two.toFixed(1)} s by two at once`);
});

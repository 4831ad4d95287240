// Many records of a source pulled for the first time and again: how fast, with what memory, and that the second time touches nothing.
import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { expect, it } from 'vitest';
import { startLedger } from '../support/ledger.ts';
import { call, issueKey, ownPlace, program } from '../support/program.ts';

const ROUNDS = Number(process.env.SUITE_ROUNDS ?? 1);
/** 200,000 in the large form of 100 rounds. */
const RECORDS = 2_000 * ROUNDS;
const PAGE = 500;
/** Longest pull, for a loaded machine: twenty records a second. */
const MAX_MS = 60_000 + RECORDS * 50;

/** What a process and its database have used so far; the database reports on PostgreSQL alone. */
interface Use {
  cpuSeconds: number;
  residentMb: number;
  /** Rows of records and events, and of everything else, that were stored, changed or removed. */
  changedRows: number;
  otherRows: number;
  transactions: number;
}

const TICKS_PER_SECOND = 100;

/** What Linux says of a process; zero elsewhere. */
function processUse(pid: number): Pick<Use, 'cpuSeconds' | 'residentMb'> {
  if (process.platform !== 'linux') return { cpuSeconds: 0, residentMb: 0 };
  const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ').slice(11, 13).map(Number);
  const resident = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1];
  return { cpuSeconds: (user! + system!) / TICKS_PER_SECOND, residentMb: Number(resident) / 1_024 };
}

it('a second pull of the same records touches none of them, and memory does not grow with their number', {
  timeout: 120_000 + 3 * MAX_MS,
}, async () => {
  const ledger = await startLedger({ pageSize: PAGE });
  for (let index = 0; index < RECORDS; index++)
    ledger.put('CONTACT', {
      platform_id: `C-${index}`,
      name: `Contact ${index}`,
      email: `contact${index}@example.com`,
      addresses: [{ platform_id: 'main', type: 'BILLING', city: 'Leeds', country: 'GB' }],
    });
  const place = await ownPlace();
  const running = await program.start({ ...place.settings, CONNECTOR_PRIVATE_HOSTS: '127.0.0.1' });
  const url = place.settings.DATABASE_URL;
  const client = url ? new pg.Client({ connectionString: url }) : undefined;
  await client?.connect();
  const key = await issueKey(running.origin, ['INTEGRATIONS']);
  const made = await call(running.origin, key, 'POST', '/v4/core/companies', { data: { name: 'Many' } });
  const base = `/v4/core/companies/${made.body.data.ledger_id}`;
  const settings = { url: ledger.url, apiKey: ledger.apiKey };
  const connected = await call(running.origin, key, 'POST', `${base}/connections`, {
    data: { source: 'DEMO', settings, interval_minutes: 43_200 },
  });
  const { id } = connected.body.data;

  const use = async (): Promise<Use> => {
    const none = { changedRows: 0, otherRows: 0, transactions: 0 };
    if (!client) return { ...processUse(running.pid), ...none };
    const { rows } =
      await client.query(`select sum(n) filter (where isRecord)::float8 as "changedRows", sum(n) filter (where not isRecord)::float8 as "otherRows",
        (select xact_commit::float8 from pg_stat_database where datname = current_database()) as transactions
      from (select n_tup_ins + n_tup_upd + n_tup_del as n, relname in ('contact', 'address', 'event', 'open_reference', 'refused_record') as isRecord
        from pg_stat_user_tables where schemaname = 'public') tables`);
    return { ...processUse(running.pid), ...rows[0] };
  };
  /** Waits for the end of a pull; returns what it used. */
  const measured = async (sync: string | undefined): Promise<Use & { seconds: number; residentMbs: number[] }> => {
    const began = performance.now();
    const before = await use();
    const residentMbs: number[] = [];
    for (;;) {
      const { body } = sync
        ? await call(running.origin, key, 'GET', `/v4/core/syncs/${sync}`)
        : await call(running.origin, key, 'GET', `${base}/syncs?limit=1&jobType=PULL`);
      const state = sync ? body.data : body.data.syncs[0];
      residentMbs.push(processUse(running.pid).residentMb);
      if (state && state.endTime !== null) {
        expect(state.status).toBe('SUCCESS');
        break;
      }
      if (performance.now() - began > MAX_MS) throw new Error(`the pull is ${state?.status}`);
      await setTimeout(RECORDS > 10_000 ? 2_000 : 100);
    }
    // PostgreSQL publishes the counts of a session seconds after its transactions.
    if (client) await setTimeout(2_000);
    const after = await use();
    const seconds = (performance.now() - began) / 1_000;
    return {
      seconds: client ? seconds - 2 : seconds,
      residentMbs,
      residentMb: after.residentMb,
      cpuSeconds: after.cpuSeconds - before.cpuSeconds,
      changedRows: after.changedRows - before.changedRows,
      otherRows: after.otherRows - before.otherRows,
      transactions: after.transactions - before.transactions,
    };
  };
  const reported = (name: string, { seconds, residentMbs, ...used }: Awaited<ReturnType<typeof measured>>): string => {
    const every = Math.max(1, Math.floor(residentMbs.length / 8));
    const memory = residentMbs.filter((_, index) => index % every === 0).map((mb) => mb.toFixed(0));
    return `${name} ${seconds.toFixed(1)} s, ${(RECORDS / seconds).toFixed(0)} records/s, CPU ${used.cpuSeconds.toFixed(1)} s, ${used.changedRows} rows of records and events and ${used.otherRows} others stored or changed, ${used.transactions} transactions, memory over time ${memory.join(', ')} MB`;
  };
  const run = async (query: string) => {
    const response = await call(running.origin, key, 'POST', `${base}/connections/${id}/sync${query}`);
    expect(response.status, response.text).toBe(201);
    return measured(response.body.data.id);
  };
  /** How many contacts there are, and the first of them with their versions. */
  const count = async (): Promise<[number, string]> => {
    const { body } = await call(running.origin, key, 'GET', `${base}/contacts?limit=100`);
    // The count of a list is exact up to 10,000 records.
    const summary = await call(running.origin, key, 'GET', `${base}/contacts/summary`);
    return [summary.body.data.total_count, JSON.stringify(body.data)];
  };

  /** The transactions that wrote the rows of the records, and where they are; empty on the embedded database, which another process has open. */
  const versions = async (): Promise<unknown[]> => {
    const of = (table: string): string => `select md5(string_agg(xmin::text || ctid::text, ',' order by ctid)) as version from ${table}`;
    return client ? (await client.query(`${of('contact')} union all ${of('address')}`)).rows : [];
  };

  const first = await measured(undefined);
  const stored = await count();
  expect(stored[0]).toBe(RECORDS);
  const written = await versions();
  const full = await run('?full_sync=true');
  const again = await run('');
  expect(await count()).toEqual(stored);
  console.log(
    `pull: ${RECORDS} records in pages of ${PAGE}; ${reported('first', first)}; ${reported('all again', full)}; ${reported('what changed', again)}; ${ledger.requests} requests`,
  );
  expect(await versions()).toEqual(written);
  await client?.end();
  await running.end('SIGTERM');
  await place.remove();
  await ledger.stop();
});

// A gateway whose tables of companies are distributed over the workers of Citus: `distribute` killed at any step and its way back, records of both endpoints, and kills of workers and coordinator.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { serverBinaries } from '../support/cluster.ts';
import { type DistributedCluster, hasCitus, startDistributed } from '../support/distributed.ts';
import { serverUrl } from '../support/gateway.ts';
import { call, issueKey, PROGRAM_ADMIN, type ProgramAnswer, program, type RunningProgram } from '../support/program.ts';
import { expectConsistent, type SeenSync } from '../support/syncs.ts';

const ROUNDS = Number(process.env.SUITE_ROUNDS ?? 1);
const COMPANIES = 4;
const BATCH = 200;
const WRITERS = 4;

const binaries = serverBinaries();
const missing = [...(binaries ? [] : ['initdb']), ...(binaries && !hasCitus(binaries) ? ['citus'] : [])];
const isWanted = Boolean(serverUrl || process.env.SUITE_ROUNDS);
const reason = missing.length > 0 ? `not run: ${missing.join(' and ')} not installed` : 'needs DATABASE_URL';

describe.skipIf(!isWanted || missing.length > 0)(`on a distributed engine (${reason})`, { timeout: 300_000 + ROUNDS * 60_000 }, () => {
  let cluster: DistributedCluster;
  let settings: Record<string, string>;
  let gateway: RunningProgram;
  let key: string;
  let companies: number[];

  /** Runs a command of the administration; killed after a time where one is given. Returns its output, and its error output where it failed. */
  const admin = (words: string[], killedAfterMs?: number): Promise<{ output: string; refusal: string | null }> =>
    new Promise((resolve) => {
      const env = { PATH: process.env.PATH, ADMIN_TOKEN: PROGRAM_ADMIN, ...settings };
      const main = join(inject('program'), 'src', 'admin', 'main.js');
      const child = execFile(process.execPath, [main, ...words], { env }, (error, output, said) =>
        resolve({ output, refusal: error ? said || String(error.signal) : null }),
      );
      if (killedAfterMs !== undefined) void setTimeout(killedAfterMs).then(() => child.kill('SIGKILL'));
    });

  async function query<T>(sql: string): Promise<T[]> {
    const client = new Client({ connectionString: cluster.coordinator.url });
    await client.connect();
    try {
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  }

  const send = (method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<ProgramAnswer> =>
    call(gateway.origin, key, method, path, body, headers);
  const base = (company: number): string => `/v4/core/companies/${company}`;

  async function endOf(id: string): Promise<SeenSync> {
    for (;;) {
      const { body, status } = await send('GET', `/v4/core/syncs/${id}`);
      if (status === 200) {
        expectConsistent(body.data);
        if (body.data.endTime !== null) return body.data;
      }
      await setTimeout(100);
    }
  }

  beforeAll(async () => {
    cluster = await startDistributed(binaries!, 2);
    settings = { DATABASE_URL: cluster.coordinator.url, LOG_LEVEL: 'silent' };
    gateway = await program.start(settings);
    key = await issueKey(gateway.origin, ['INTEGRATIONS']);
    companies = [];
    for (let index = 0; index < COMPANIES; index++) {
      const { body } = await send('POST', '/v4/core/companies', { data: { name: `Company ${index}` } });
      companies.push(body.data.ledger_id);
      await send('POST', `${base(body.data.ledger_id)}/accounts`, { data: { platform_id: 'before', name: 'Before' } });
    }
    await gateway.end('SIGTERM');
  }, 180_000);

  afterAll(async () => {
    await gateway?.end('SIGKILL');
    cluster?.remove();
  });

  it('documented: distribute goes on where it was killed, keeps every row, and then has nothing to do', async () => {
    const rows = await query('select ledger_id, name from account order by 1');
    const trial = await admin(['distribute', '--dry-run']);
    expect(trial.output).toContain('would distribute company\n');
    for (let kill = 0; kill < 2 + ROUNDS; kill++) await admin(['distribute'], 800 + Math.random() * 1_500);
    // The connection of a killed command may still be closing.
    await expect.poll(async () => (await admin(['distribute'])).refusal, { timeout: 60_000, interval: 1_000 }).toBeNull();
    expect((await admin(['distribute'])).output).toBe('nothing to do\n');
    expect(await query('select ledger_id, name from account order by 1')).toEqual(rows);
    const [{ groups, tables }] = (await query(
      `select count(distinct colocationid)::int as groups, count(*)::int as tables from pg_dist_partition where partmethod = 'h'`,
    )) as [{ groups: number; tables: number }];
    expect(groups).toBe(1);
    expect(tables).toBeGreaterThan(30);
    const [{ nodes }] = (await query(
      `select count(distinct nodename || nodeport)::int as nodes from citus_shards where table_name = 'account'::regclass`,
    )) as [{ nodes: number }];
    expect(nodes).toBe(2);
    gateway = await program.start(settings);
  });

  it('documented: records of both endpoints are written, read, listed and kept from other organisations', async () => {
    const stranger = await issueKey(gateway.origin, ['INTEGRATIONS'], 'Stranger');
    for (const company of companies) {
      const made = await send('POST', `${base(company)}/contacts`, {
        data: { platform_id: 'c', name: 'Contact', addresses: [{ city: 'Bern' }] },
      });
      expect(made.status).toBe(201);
      const id = made.body.data.data.ledger_id;
      const path = `${base(company)}/contacts/${id}`;
      expect((await send('GET', `${path}?expand=addresses`)).body.data).toMatchObject({ name: 'Contact', addresses: [{ city: 'Bern' }] });
      expect((await call(gateway.origin, stranger, 'GET', path)).status).toBe(404);
      const change = 'mutation ($input: UpdateContactInput!) { updateContact(input: $input) { contact { name } } }';
      const input = { id: `contact_${id}`, companyId: `company_${company}`, name: 'Changed' };
      const changed = await send('POST', '/graphql', { query: change, variables: { input } });
      expect(changed.body).toEqual({ data: { updateContact: { contact: { name: 'Changed' } } } });
      expect((await send('GET', `${base(company)}/contacts`)).body.data.map(({ name }: { name: string }) => name)).toEqual(['Changed']);
      expect((await send('DELETE', path)).status).toBe(204);
      expect((await send('GET', path)).status).toBe(404);
    }
  });

  it('documented: a repeated request gets the first answer', async () => {
    const body = { data: { platform_id: 'once', name: 'Once' } };
    const once = () => send('POST', `${base(companies[0]!)}/accounts`, body, { 'idempotency-key': 'distributed' });
    expect((await once()).body.data).toEqual((await once()).body.data);
  });

  it('documented: row-level security holds on the workers', async () => {
    const client = new Client({ connectionString: cluster.coordinator.url, options: '-c citus.propagate_set_commands=local' });
    await client.connect();
    await client.query('begin');
    await client.query("set local app.organisation = '999999'");
    await client.query('set local role ledger_gateway');
    const seen = await client.query(`select * from account where company_id = ${companies[0]}`);
    expect(seen.rows).toEqual([]);
    await expect(
      client.query(`update account set name = 'mine' where company_id = ${companies[0]} returning 1`).then(({ rows }) => rows),
    ).resolves.toEqual([]);
    await client.end();
  });

  it('documented: batches survive a worker that is killed and comes back, and every record is stored once', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const syncs: string[] = [];
      for (const company of companies) {
        const data = Array.from({ length: BATCH }, (_, index) => ({ platform_id: `w${round}-${index}`, name: 'Batch' }));
        const { body, status } = await send('PUT', `${base(company)}/items?run_async=true`, { data });
        expect(status).toBe(202);
        syncs.push(body.data.sync_id);
      }
      const [worker] = cluster.workers.slice(round % 2) as [DistributedCluster['coordinator']];
      await setTimeout(Math.random() * 300);
      worker.signal('SIGKILL');
      await setTimeout(1_000);
      worker.start();
      for (const id of syncs) expect((await endOf(id)).status).toBe('SUCCESS');
    }
    const [{ rows, different }] = (await query(
      `select count(*)::int as rows, count(distinct (company_id, platform_id))::int as different from item where ledger_deleted_at is null`,
    )) as [{ rows: number; different: number }];
    expect([rows, different]).toEqual([COMPANIES * BATCH * ROUNDS, COMPANIES * BATCH * ROUNDS]);
  });

  it('documented: a kill of the coordinator leaves no record without its sync and its entry in the audit log, and none of these without the record', async () => {
    let sent = 0;
    const answered: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      let isOver = false;
      const writer = async (): Promise<void> => {
        while (!isOver) {
          const company = companies[sent % COMPANIES]!;
          const answer = await send('POST', `${base(company)}/tax_rates`, { data: { platform_id: `k${sent++}`, name: 'Rate' } }).catch(
            () => null,
          );
          if (answer?.status === 201) answered.push(answer.body.data.data.ledger_id);
        }
      };
      const writers = Array.from({ length: WRITERS }, writer);
      await setTimeout(500 + Math.random() * 1_000);
      cluster.coordinator.signal('SIGKILL');
      cluster.coordinator.start();
      await setTimeout(500);
      isOver = true;
      await Promise.all(writers);
    }
    // What the coordinator has decided on reaches the workers within seconds.
    await expect
      .poll(async () => Number((await query<{ open: string }>('select count(*) as open from pg_dist_transaction'))[0]!.open), {
        timeout: 60_000,
      })
      .toBe(0);
    const stored = (await query<{ id: string }>(`select ledger_id::text as id from tax_rate order by 1`)).map(({ id }) => id);
    const audited = await query<{ id: string }>(
      `select substr(record.id, length('taxrate_') + 1) as name, record.id from audit_entry cross join lateral jsonb_array_elements_text(record_ids) as record(id) where operation like '%TaxRate%'`,
    );
    const [{ count }] = (await query<{ count: number }>(
      `select coalesce(sum(records_synced), 0)::int as count from sync_job where data_model = 'TAX_RATE'`,
    )) as [{ count: number }];
    expect(answered.map(String).filter((id) => !stored.includes(id))).toEqual([]);
    expect(count).toBe(stored.length);
    expect(audited).toHaveLength(stored.length);
    expect(new Set(audited.map(({ id }) => id)).size).toBe(stored.length);
    expect(answered.length).toBeGreaterThan(0);
  });

  it('documented: undistribute brings every table back, and the gateway goes on', async () => {
    await gateway.end('SIGTERM');
    const rows = await query('select company_id, ledger_id, name from item order by 1, 2');
    await expect.poll(async () => (await admin(['undistribute'])).refusal, { timeout: 60_000, interval: 1_000 }).toBeNull();
    expect(await query('select company_id, ledger_id, name from item order by 1, 2')).toEqual(rows);
    expect(await query(`select 1 from pg_dist_partition where partmethod = 'h'`)).toEqual([]);
    gateway = await program.start(settings);
    expect((await send('POST', `${base(companies[0]!)}/accounts`, { data: { name: 'After' } })).status).toBe(201);
  });
});

// Places of tables on a distributed engine: `distribute` and its reversal killed at any step, records of both endpoints, row-level security, and a
// worker that is killed.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrationFiles, parseMigration } from '../../../src/database/migrations/files.ts';
import { openDatabase } from '../../../src/database/open.ts';
import { modelOf } from '../../../src/records/metadata.ts';
import { entities } from '../../../src/registry.ts';
import { serverBinaries, startCluster } from '../../support/cluster.ts';
import { type DistributedCluster, notDistributed, startDistributed } from '../../support/distributed.ts';
import { metricsOf } from '../../support/metrics.ts';
import { call, issueKey, PROGRAM_ADMIN, type ProgramResponse, program, type RunningProgram } from '../../support/program.ts';
import { runOnServer } from '../../support/server.ts';
import { expectConsistent, type SeenSync } from '../../support/syncs.ts';

const ROUNDS = Number(process.env.SUITE_ROUNDS ?? 1);
const COMPANIES = 4;
const BATCH = 200;

describe.skipIf(notDistributed)(
  `on a distributed engine (${notDistributed ?? 'with Citus'})`,
  { timeout: 300_000 + ROUNDS * 60_000 },
  () => {
    let cluster: DistributedCluster;
    let gateway: RunningProgram;
    let key: string;
    let companies: number[];

    const send = (method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<ProgramResponse> =>
      call(gateway.origin, key, method, path, body, headers);
    const statements = async (): Promise<number> =>
      Number(/^gateway_database_statements_total (\d+)$/m.exec(await metricsOf(gateway.origin, PROGRAM_ADMIN))![1]);
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
      cluster = await startDistributed(2);
      gateway = await program.start(cluster.settings);
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

    it('distribute continues where it was killed, keeps every row, and then has nothing to do', async () => {
      const rows = await cluster.query('select ledger_id, name from account order by 1');
      const trial = await cluster.admin(['distribute', '--dry-run']);
      expect(trial.output).toContain('would distribute company\n');
      for (let kill = 0; kill < 2 + ROUNDS; kill++) await cluster.admin(['distribute'], 800 + Math.random() * 1_500);
      await cluster.distribute();
      expect((await cluster.admin(['distribute'])).output).toBe('nothing to do\n');
      expect(await cluster.query('select ledger_id, name from account order by 1')).toEqual(rows);
      const [{ groups, tables }] = (await cluster.query(
        `select count(distinct colocationid)::int as groups, count(*)::int as tables from pg_dist_partition where partmethod = 'h'`,
      )) as [{ groups: number; tables: number }];
      expect(groups).toBe(1);
      expect(tables).toBeGreaterThan(30);
      const [{ nodes }] = (await cluster.query(
        `select count(distinct nodename || nodeport)::int as nodes from citus_shards where table_name = 'account'::regclass`,
      )) as [{ nodes: number }];
      expect(nodes).toBe(2);
      gateway = await program.start(cluster.settings);
    });

    it('records of both endpoints are written, read, listed and kept from other organisations', async () => {
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

    it('lists below several companies are a statement each, and what each company has on its own', async () => {
      for (const [place, company] of companies.entries()) {
        const data = Array.from({ length: 3 * place }, (_, index) => ({
          platform_id: `l${index}`,
          name: index % 2 === 0 ? 'Levelled' : 'Other',
          currency_id: 'EUR',
          current_balance: String(place + index),
        }));
        const { body } = await send('POST', `${base(company)}/contacts`, { data: { platform_id: 'parent', name: 'Parent' } });
        const notes = [1, 2].map((total) => ({ contact_id: body.data.data.ledger_id, total_amount: total, status: 'DRAFT' }));
        for (const note of notes) await send('POST', `${base(company)}/bill-credit-notes`, { data: note });
        for (const account of data) await send('POST', `${base(company)}/accounts`, { data: account });
      }
      const graphql = async (query: string): Promise<ProgramResponse['body']> => (await send('POST', '/graphql', { query })).body.data;
      const lists = [
        'accounts(first: 4) { totalCount nodes { ledgerId name } pageInfo { hasNextPage endCursor } }',
        'accounts(first: 2, filter: { name: { contains: "level" } }) { totalCount nodes { ledgerId currentBalance } }',
        'accounts(last: 3, filter: { status: { isNull: true }, name: { eq: "Other" } }, orderBy: [{ field: NAME }]) { nodes { ledgerId } }',
        'accounts(first: 3, filter: { company: { name: { eq: "Company 3" } } }) { totalCount nodes { ledgerId } }',
        'accountsSummary(filter: { name: { eq: "Levelled" } }) { totalCount groups { sum { currentBalance } } }',
        'accountsSummary(groupBy: [{ field: NAME }]) { groupCount groups { count key { value } } }',
        'contacts(first: 2) { nodes { name billCreditNotes(first: 1) { totalCount nodes { ledgerId totalAmount } } } }',
      ].map((list, place) => `l${place}: ${list}`);
      const below = (list: string): string => `{ companies(first: ${COMPANIES}) { nodes { ledgerId ${list} } } }`;
      // The fewest of some requests: the gateway sends statements of its own at times.
      const statementsOf = async (list: string): Promise<number> => {
        const seen: number[] = [];
        for (let request = 0; request < 5; request++) {
          const before = await statements();
          await graphql(below(list));
          seen.push((await statements()) - before);
        }
        return Math.min(...seen);
      };
      const alone = await statementsOf('');
      const counted: number[] = [];
      for (const list of lists) {
        counted.push((await statementsOf(list)) - alone);
        const { nodes } = (await graphql(below(list))).companies;
        expect(nodes).toHaveLength(COMPANIES);
        for (const { ledgerId, ...own } of nodes)
          expect(own).toEqual((await graphql(`{ company(id: "company_${ledgerId}") { ${list} } }`)).company);
      }
      // A count is a statement of its own, as is each list of a level below.
      expect(counted).toEqual([2, 2, 1, 2, 1, 1, 3]);
    });

    it('a repeated request gets the first response', async () => {
      const body = { data: { platform_id: 'once', name: 'Once' } };
      const once = () => send('POST', `${base(companies[0]!)}/accounts`, body, { 'idempotency-key': 'distributed' });
      expect((await once()).body.data).toEqual((await once()).body.data);
    });

    it('row-level security holds on the workers', async () => {
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

    it('batches survive a worker that is killed and comes back, and every record is stored once', async () => {
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
      const [{ rows, different }] = (await cluster.query(
        `select count(*)::int as rows, count(distinct (company_id, platform_id))::int as different from item where ledger_deleted_at is null`,
      )) as [{ rows: number; different: number }];
      expect([rows, different]).toEqual([COMPANIES * BATCH * ROUNDS, COMPANIES * BATCH * ROUNDS]);
    });

    it('while a worker is away its companies get 503, the others are read and written, and all are when it is back', async () => {
      const places = await cluster.query<{ company: number; port: number }>(
        `select company_id as company, nodeport as port from (select ledger_id as company_id from company) c, citus_shards where shardid = get_shard_id_for_distribution_column('company', company_id)`,
      );
      for (let round = 0; round < ROUNDS; round++) {
        const worker = cluster.workers[round % 2]!;
        const away = Number(new URL(worker.url).port);
        const seen = { away: new Set<number>(), others: new Set<number>() };
        const ended = new AbortController();
        // Two writers for each company, so that some write is in each of its steps when the worker is killed.
        const writers = [...places, ...places].map(async ({ company, port }) => {
          const statuses = port === away ? seen.away : seen.others;
          while (!ended.signal.aborted) {
            statuses.add((await send('GET', `${base(company)}/accounts?limit=5`)).status);
            statuses.add((await send('POST', `${base(company)}/accounts`, { data: { name: 'Away' } })).status);
          }
        });
        await setTimeout(500 + Math.random() * 500);
        worker.signal('SIGKILL');
        await setTimeout(1_000);
        ended.abort();
        await Promise.all(writers);
        worker.start();
        expect([...seen.others].sort()).toEqual([200, 201]);
        expect([...seen.away].sort()).toEqual([200, 201, 503]);
        for (const { company } of places)
          expect((await send('POST', `${base(company)}/accounts`, { data: { name: 'Back' } })).status).toBe(201);
      }
    });

    /** What a statement returns on the shards of a table, `%s` in it; each response once. */
    const onShards = async (table: string, sql: string): Promise<string[]> =>
      (await cluster.query<{ result: string }>(`select distinct result from run_command_on_shards('${table}', $$${sql}$$)`)).map(
        ({ result }) => result,
      );

    const KEY_INDEX = parseMigration(
      '29990101000000_key_concurrently',
      '-- Builds an index.\n-- transaction: none\ncreate unique index concurrently if not exists "inbox_file_next" on "inbox_file" (company_id, id);\n',
    );
    const KEY = parseMigration(
      '29990101000001_key',
      '-- Changes a key.\nalter table "inbox_file" drop constraint "inbox_file_pkey";\nalter table "inbox_file" add constraint "inbox_file_pkey" primary key using index "inbox_file_next";\n',
    );

    it('later migrations reach the shards, also when they were killed: a column, an index, a key and a table of companies', async () => {
      await gateway.end('SIGTERM');
      const later = ['20261122184517_push_claims_and_refused_records', '20261123003201_pushes_during_pulls_concurrently'];
      await cluster.query('drop table refused_record');
      await cluster.query('alter table source_push drop column claimed_by, drop column sent');
      await cluster.query('drop index sync_seen_pushed');
      await cluster.query(`delete from mikro_orm_migrations where name in ('${later.join("', '")}')`);
      for (let kill = 0; kill < ROUNDS; kill++) await cluster.admin(['migrate'], 800 + Math.random() * 1_000);
      const { refusal } = await cluster.admin(['migrate']);
      // A kill between the migration of a table and its placement.
      if (refusal !== null) {
        expect(refusal).toContain('admin -- distribute');
        await cluster.distribute();
      }
      const columns = `select string_agg(attname, ' ' order by attname) from pg_attribute where attrelid = '%s'::regclass and attname in ('claimed_by', 'sent')`;
      expect(await onShards('source_push', columns)).toEqual(['claimed_by sent']);
      expect(
        await onShards('sync_seen', `select count(*) from pg_index where indrelid = '%s'::regclass and indisvalid and indpred is not null`),
      ).toEqual(['2']);
      expect(await onShards('refused_record', `select relrowsecurity from pg_class where oid = '%s'::regclass`)).toEqual(['t']);
      expect(
        await onShards('refused_record', `select count(*) from pg_constraint where conrelid = '%s'::regclass and contype = 'f'`),
      ).toEqual(['1']);
      const database = await openDatabase({
        url: cluster.coordinator.url,
        entities,
        migrations: [...migrationFiles(), KEY_INDEX, KEY],
        log: () => {},
      });
      await database.close();
      const key = `select pg_get_constraintdef(oid) from pg_constraint where conrelid = '%s'::regclass and contype = 'p'`;
      expect(await onShards('inbox_file', key)).toEqual(['PRIMARY KEY (company_id, id)']);
      await cluster.query(`delete from mikro_orm_migrations where name like '2999%'`);
    });

    it('a start refuses tables that are not where they belong and says what to run, doctor too', async () => {
      await cluster.query('alter table open_reference drop constraint open_reference_company_fkey');
      await cluster.query(`select undistribute_table('open_reference')`);
      await expect(program.start(cluster.settings)).rejects.toThrow('Run "npm run admin -- distribute"');
      expect((await cluster.admin(['doctor'])).output).toMatch(
        /distribution +ERROR .*2 steps are left, run distribute: distribute open_reference/,
      );
      await cluster.distribute();
      const tables = entities.map((record) => modelOf(record)).filter(({ companyColumn }) => companyColumn !== undefined).length;
      expect((await cluster.admin(['doctor'])).output).toMatch(new RegExp(`distribution +ok +${tables} tables of companies on 2 workers`));
    });

    it('a start that waited while the tables were distributed or brought back is rejected', async () => {
      const client = new Client({ connectionString: cluster.coordinator.url });
      await client.connect();
      await client.query(`select pg_advisory_lock(hashtext('ledger-gateway migrations'))`);
      const { listening } = program.launch(cluster.settings);
      const refused = expect(listening).rejects.toThrow('start again');
      const waits = `select 1 from pg_stat_activity where query like '%pg_try_advisory_lock%' and pid <> pg_backend_pid()`;
      while ((await cluster.query(waits)).length === 0) await setTimeout(50);
      await client.query(`select undistribute_table('kept_setting')`);
      await client.end();
      await refused;
      await cluster.distribute();
      gateway = await program.start(cluster.settings);
    });

    it('a standby of a worker is promoted in its place, with every row, and the gateway continues', async () => {
      const worker = cluster.workers[0]!;
      const standby = await cluster.addStandby(worker);
      for (const company of companies)
        expect((await send('POST', `${base(company)}/accounts`, { data: { name: 'Streamed' } })).status).toBe(201);
      const rows = await cluster.query('select company_id, ledger_id, name from account order by 1, 2');
      const replayed = `select 1 from run_command_on_workers($$select replay_lsn >= pg_current_wal_lsn() from pg_stat_replication$$) where result = 't'`;
      while ((await cluster.query(replayed)).length === 0) await setTimeout(50);
      worker.signal('SIGKILL');
      standby.promote();
      const [before, after] = [worker, standby].map(({ url }) => new URL(url).port);
      await cluster.query(`select citus_update_node(nodeid, '127.0.0.1', ${after}) from pg_dist_node where nodeport = ${before}`);
      expect(await cluster.query('select company_id, ledger_id, name from account order by 1, 2')).toEqual(rows);
      for (const company of companies)
        expect((await send('POST', `${base(company)}/accounts`, { data: { name: 'Promoted' } })).status).toBe(201);
    });

    it('a dump of the coordinator is restored on another cluster and on one server', async () => {
      await gateway.end('SIGTERM');
      const folder = mkdtempSync(join(tmpdir(), 'distributed-dump-'));
      const binaries = serverBinaries()!;
      const restored = { cluster: await startDistributed(1), server: await startCluster(binaries) };
      const extensions = { cluster: [], server: ['--extension=btree_gin', '--extension=pg_trgm'] };
      try {
        for (const place of ['cluster', 'server'] as const) {
          const file = join(folder, place);
          const { url } = place === 'cluster' ? restored.cluster.coordinator : restored.server;
          const dumped = ['--format=custom', ...extensions[place], `--file=${file}`, cluster.coordinator.url];
          execFileSync(join(binaries, 'pg_dump'), dumped);
          await runOnServer(url, 'create role ledger_gateway nologin');
          execFileSync(join(binaries, 'pg_restore'), [`--dbname=${url}`, '--exit-on-error', file]);
          if (place === 'cluster') await restored.cluster.distribute();
          const there = await program.start({ DATABASE_URL: url });
          for (const company of companies) {
            const made = await call(there.origin, key, 'POST', `${base(company)}/accounts`, { data: { name: 'Restored' } });
            expect(made.status).toBe(201);
            const { body } = await call(there.origin, key, 'GET', `${base(company)}/items?return_count=true`);
            expect(body.pagination.total_count).toBe(BATCH * ROUNDS);
          }
          await there.end('SIGTERM');
        }
      } finally {
        restored.cluster.remove();
        restored.server.remove();
        rmSync(folder, { recursive: true });
        gateway = await program.start(cluster.settings);
      }
    });

    it('undistribute brings every table back, and the gateway continues', async () => {
      await gateway.end('SIGTERM');
      const rows = await cluster.query('select company_id, ledger_id, name from item order by 1, 2');
      await cluster.distribute('undistribute');
      expect(await cluster.query('select company_id, ledger_id, name from item order by 1, 2')).toEqual(rows);
      expect(await cluster.query(`select 1 from pg_dist_partition where partmethod = 'h'`)).toEqual([]);
      gateway = await program.start(cluster.settings);
      expect((await send('POST', `${base(companies[0]!)}/accounts`, { data: { name: 'After' } })).status).toBe(201);
    });
  },
);

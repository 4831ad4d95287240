// The move from the embedded database to PostgreSQL: what callers see afterwards is the same, an interrupted move continues, and other targets
// are rejected.
import { mkdtempSync, rmSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { adminProgram } from '../../src/admin/program.ts';
import { readConfig } from '../../src/config.ts';
import type { Run } from '../../src/database/move/move.statements.ts';
import { move } from '../../src/database/move/move.ts';
import { openDatabase } from '../../src/database/open.ts';
import { queueTables } from '../../src/queue/pg-boss.ts';
import { entities } from '../../src/registry.ts';
import { type Gateway, serverUrl, startGateway } from '../support/gateway.ts';
import { templateDirectory } from '../support/made.ts';
import { buildCompany } from '../support/records.ts';
import { newDatabase, runOnServer } from '../support/server.ts';

const RECORDS = 800;
const SIGNING = 'the signing secret of this move';

describe.skipIf(!serverUrl)('a move to PostgreSQL (needs DATABASE_URL)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-move-'));
  const dataDir = join(folder, 'data');
  const targets: (() => Promise<void>)[] = [];
  let key: string;
  let paths: string[];
  let write: { path: string; body: object };
  let before: string[];

  const target = async (): Promise<string> => {
    const { url, drop } = await newDatabase(serverUrl!);
    targets.push(drop);
    return url;
  };
  const headersOf = (more: object = {}) => ({ authorization: `Bearer ${key}`, api_key: key, 'x-request-id': 'move-of-this-test', ...more });
  /** What callers read, and a repeated write. */
  async function seen(gateway: Gateway): Promise<string[]> {
    const responses: string[] = [];
    for (const path of paths) responses.push((await gateway.send('GET', path, { headers: headersOf() })).text);
    const repeated = await gateway.send('POST', write.path, { headers: headersOf({ 'idempotency-key': 'moved' }), body: write.body });
    const events = await gateway.graphql(
      key,
      '{ events(first: 100) { nodes { id topic data } } auditLog(first: 100) { nodes { id at hash } } }',
    );
    expect(events.body.errors).toBeUndefined();
    return [...responses, repeated.text, JSON.stringify(events.body.data)];
  }

  let printed: string[];
  beforeEach(() => {
    printed = [];
  });
  /** Runs the command; returns its rows, or the message it ended with. */
  async function command(...words: string[]): Promise<string> {
    return commandWith({ DATA_DIR: dataDir }, ...words);
  }
  async function commandWith(settings: Record<string, string>, ...words: string[]): Promise<string> {
    const program = adminProgram(readConfig(settings));
    let refused = '';
    for (const one of [program, ...program.commands]) one.exitOverride().configureOutput({ writeErr: (text) => (refused += text) });
    const print = vi.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line));
    await program.parseAsync(['--json', 'move', ...words], { from: 'user' }).catch(() => {});
    print.mockRestore();
    return refused || printed.pop()!;
  }

  beforeAll(async () => {
    await cp(await templateDirectory(), dataDir, { recursive: true });
    const gateway = await startGateway({ databaseUrl: undefined, dataDir, worker: false, signingSecret: SIGNING });
    key = await gateway.key(['PLATFORM', 'INTEGRATIONS'], 'Moved');
    const company = await buildCompany(gateway, { key });
    const records = Array.from({ length: RECORDS }, (_, index) => ({
      platformId: `a${index}`,
      name: `Account ${index} “é”\\ \t`,
      currentBalance: index / 8,
    }));
    const create = 'mutation ($input: CreateAccountsInput!) { createAccounts(input: $input) { errors { message } } }';
    const made = await gateway.graphql(key, create, { input: { companyId: company.id, records } });
    expect(made.body.data.createAccounts.errors).toEqual([]);
    write = { path: `${company.base}/contacts`, body: { data: { name: 'Once' } } };
    await gateway.send('POST', write.path, { headers: headersOf({ 'idempotency-key': 'moved' }), body: write.body });
    const waiting = { headers: company.headers, body: { data: [{ name: 'Waits' }] } };
    expect((await gateway.send('POST', `${company.base}/accounts?run_async=true`, waiting)).status).toBe(202);
    const file = new FormData();
    file.append('file', new Blob(['name,sku\n', 'Ümlaut,1\n'.repeat(300_000)]), 'large.csv');
    const uploaded = await fetch(`${gateway.origin}/api/v1/files`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: file,
    });
    expect(uploaded.status).toBeLessThan(300);
    paths = [`${company.base}/accounts?limit=100`, `${company.base}/contacts`, `${company.base}`];
    before = await seen(gateway);
    await gateway.stop();
  }, 120_000);

  afterAll(async () => {
    for (const drop of targets) await drop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('callers read the same afterwards, and a repeated write is the same one; a second move is rejected', async () => {
    const url = await target();
    const planned = JSON.parse(await command('--to', url, '--dry-run')) as { table: string; to_move: number }[];
    expect(planned).toContainEqual({ table: '"public"."account"', to_move: RECORDS });
    expect(planned.map(({ table }) => table)).toContain('"pgboss"."job"');
    const moved = JSON.parse(await command('--to', url)) as { table: string; moved: number }[];
    expect(moved.map(({ table, moved: rows }) => [table, rows])).toEqual(planned.map(({ table, to_move }) => [table, to_move]));
    expect(await command('--to', url)).toContain('the database of --to has the data of a gateway');
    const gateway = await startGateway({ databaseUrl: url, worker: false, signingSecret: SIGNING });
    try {
      expect(await seen(gateway)).toEqual(before);
      const { body } = await gateway.graphql(key, 'mutation { createCompany(input: { name: "After" }) { company { id } } }');
      expect(body.errors).toBeUndefined();
    } finally {
      await gateway.stop();
    }
  }, 120_000);

  it('one that was interrupted continues with the tables that are left, and no gateway starts before', async () => {
    const url = await target();
    const store = await PGlite.create(dataDir);
    const client = new Client({ connectionString: url });
    await client.connect();
    const run: Run = async (sql, values) => (await client.query(sql, values)).rows;
    // A server may have prepared extensions, whose views are no tables of others.
    await run('create extension pg_stat_statements');
    const migrate = async () => (await openDatabase({ url, entities, log: () => {} })).close();
    const interruptedAfter = (lastStep: number) => {
      let steps = 0;
      const step = () => {
        if (steps++ === lastStep) throw new Error('interrupted');
      };
      const source: Run = async <R>(sql: string, values?: unknown[]) => (await store.query<R>(sql, values)).rows;
      return expect(move({ source, target: run, migrate: () => migrate().then(step), queueTables, onStep: step })).rejects.toThrow(
        'interrupted',
      );
    };
    await interruptedAfter(0);
    await run('create table customer ()');
    expect(await command('--to', url, '--dry-run')).toContain('is not empty: it has public.customer. ');
    await run('drop table customer');
    await interruptedAfter(4);
    const [{ count }] = (await run<{ count: number }>('select count(*)::int as count from unfinished_move')) as [{ count: number }];
    expect(count).toBeGreaterThan(0);
    await client.end();
    await store.close();
    await expect(openDatabase({ url, entities, log: () => {} })).rejects.toThrow('Run "npm run admin -- move" again with the same --to');
    await command('--to', url);
    const gateway = await startGateway({ databaseUrl: url, worker: false, signingSecret: SIGNING });
    try {
      expect(await seen(gateway)).toEqual(before);
    } finally {
      await gateway.stop();
    }
  }, 120_000);

  it('what cannot be moved is rejected by name', async () => {
    const url = await target();
    expect(await command('--to', 'mysql://host/name')).toContain('--to must be a URL starting with postgres://');
    expect(await command('--to', `${url}_none`)).toMatch(/--to leads to \S+, database \w+_none: .*does not exist\. Check the name/);
    expect(await commandWith({ DATABASE_URL: url }, '--to', url)).toContain('run the command without DATABASE_URL');
    expect(await commandWith({ DATA_DIR: join(folder, 'none') }, '--to', url)).toMatch(/DATA_DIR leads to \S+none, which does not exist/);
    for (const table of ['kept_setting (name text, value text)', 'organisation (id bigint)'])
      await runOnServer(url, `create table ${table}`);
    await runOnServer(url, `insert into kept_setting values ('signing_secret', 'x')`);
    expect(await command('--to', url, '--dry-run')).toContain('the database of --to has the data of a gateway; name an empty one');
  }, 120_000);

  it.each([
    ['a table of another program', ['create table customer (id bigserial)'], 'public.customer'],
    ['a table by the name of one of the gateway', ['create table account (id bigint)'], 'public.account'],
    ['a view in another schema', ['create schema shop', 'create view shop."Order" as select 1 as one'], 'shop."Order"'],
    [
      'many tables',
      ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => `create table ${name} ()`),
      'public.a, public.b, public.c, public.d, public.e and 2 more',
    ],
  ])(
    'a target with %s is rejected with what is in it, and stays as it was',
    async (_, statements, found) => {
      const url = await target();
      for (const statement of statements) await runOnServer(url, statement);
      const refusal = `the database of --to is not empty: it has ${found}. Create a database for the gateway alone and name that one`;
      for (const words of [['--dry-run'], []]) expect(await command('--to', url, ...words)).toContain(refusal);
      await expect(runOnServer(url, 'select from mikro_orm_migrations')).rejects.toThrow('does not exist');
    },
    120_000,
  );
});

// Starts on databases that cannot be used, each for another reason. Every rejection names the setting to look at and what to do about it.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { adminProgram } from '../../src/admin/program.ts';
import { onPostgres } from '../../src/admin/store.ts';
import { readConfig } from '../../src/config.ts';
import { waitWhileServerIsFull } from '../../src/database/connection/full-server.ts';
import { openDatabase } from '../../src/database/open.ts';
import { connectionOptions } from '../../src/postgres-url.ts';
import { connectionCheck, connectionsOf } from '../../src/queue/connections.ts';
import { entities } from '../../src/registry.ts';
import { type Cluster, freePort, serverBinaries, startCluster } from '../support/cluster.ts';
import { program } from '../support/program.ts';

const binaries = serverBinaries();

/** What is done before a start, as the superuser: in the database of the server, and in the new one. `:user` is a role of its own, `:name` the database. */
interface Broken {
  server?: string[];
  within?: string[];
  /** Begins with the tables of a gateway. */
  isMigrated?: boolean;
  /** Owned by the role that starts; otherwise by the superuser. */
  isOwned?: boolean;
  allow?: { create?: boolean };
  /** Part of the URL behind the host. */
  query?: string;
  says: RegExp;
  /** Found by the migration itself, so that doctor sees nothing wrong. */
  isFoundByMigration?: boolean;
}

const BROKEN: Record<string, Broken> = {
  'a role that does not exist': { server: ['drop role :user'], says: /role ":user" does not exist\. Check user and password/ },
  'a role that may not log in': { server: ['alter role :user nologin'], says: /not permitted to log in\. Check user and password/ },
  'a role with another password': { server: ['grant barred_password to :user'], says: /password.*\. Check user and password/ },
  'a role that pg_hba.conf rejects': { server: ['grant barred to :user'], says: /pg_hba\.conf.*\. Allow the connection in pg_hba\.conf/ },
  'a server without TLS': { query: '?sslmode=require', says: /does not support SSL connections\. Turn on ssl/ },
  'a role without a connection left': {
    server: ['alter role :user connection limit 0'],
    says: /too many connections.*\. Lower DATABASE_POOL_MAX/,
  },
  'a database without a connection left': {
    server: ['alter database :name connection limit 0'],
    says: /too many connections.*\. Lower DATABASE_POOL_MAX/,
  },
  'a database that takes no connections': {
    server: ['alter database :name allow_connections false'],
    says: /not currently accepting connections\. .*alter database ":name" allow_connections true/,
  },
  'a database that the role may not connect to': {
    server: ['revoke connect on database :name from public'],
    says: /permission denied for database.*grant connect on database ":name" to ":user"/,
  },
  'a database that is not there': { server: ['drop database :name'], says: /there is no database :name .*set DATABASE_ALLOW_CREATE=true/ },
  'a database that the role may not create': {
    server: ['drop database :name'],
    allow: { create: true },
    says: /permission denied to create database\. Check the name, or .*create database ":name" owner ":user"/,
  },
  'a database that another role owns': { says: /permission denied for schema public\. .*alter schema public owner to ":user"/ },
  'a database without the schema public': {
    within: ['drop schema public'],
    isOwned: true,
    says: /DATABASE_URL.*search_path = ''|create schema if not exists public authorization ":user"/,
  },
  'extensions that the role may not create': {
    within: ['alter schema public owner to :user'],
    isFoundByMigration: true,
    says: /the migration \w+ failed: permission denied to create extension.*grant create on database ":name" to ":user"/,
  },
  'sessions that take no writes': {
    server: ['alter role :user set default_transaction_read_only = on'],
    isOwned: true,
    says: /DATABASE_URL cannot be used: .*default_transaction_read_only/,
  },
  'the role of row-level security is not granted': {
    server: ['revoke ledger_gateway from :user'],
    isOwned: true,
    says: /"grant ledger_gateway to :user", or set DATABASE_ALLOW_NO_ROW_SECURITY=true/,
  },
  'tables without the list of their migrations': {
    within: ['drop table mikro_orm_migrations'],
    isMigrated: true,
    isOwned: true,
    isFoundByMigration: true,
    says: /the migration 0001_base failed: .* already exists\. .*Restore the whole backup into an empty database/,
  },
  'the list of migrations without their tables': {
    within: ['drop table webhook_attempt, webhook_delivery cascade'],
    isMigrated: true,
    isOwned: true,
    says: /DATABASE_URL lacks the tables webhook_delivery, webhook_attempt|DATABASE_URL lacks the tables webhook_attempt, webhook_delivery/,
  },
  'tables that lack what a pending migration changes': {
    within: ['delete from mikro_orm_migrations where id > 3', 'drop table event cascade'],
    isMigrated: true,
    isOwned: true,
    isFoundByMigration: true,
    says: /the migration \d{4}_\w+ failed: relation .*\. .*Restore the whole backup into an empty database/,
  },
  'tables that another role owns': {
    within: ['alter schema public owner to :user'],
    isMigrated: true,
    says: /DATABASE_URL cannot be used: the tables belong to the role postgres and not to :user\. .*reassign owned by postgres to :user/,
  },
  'tables in another schema': {
    within: ['alter schema public rename to restored', 'create schema public authorization :user', 'grant all on schema restored to :user'],
    isMigrated: true,
    isOwned: true,
    says: /DATABASE_URL cannot be used: the tables of the gateway are in the schema restored.*alter schema restored rename to public/,
  },
  'extensions in another schema': {
    within: ['create schema elsewhere', 'alter extension pg_trgm set schema elsewhere'],
    isMigrated: true,
    isOwned: true,
    says: /DATABASE_URL cannot be used: extensions are in other schemas.*alter extension pg_trgm set schema public/,
  },
  'tables of a newer program': {
    within: [`insert into mikro_orm_migrations (name) values ('9999_future')`],
    isMigrated: true,
    isOwned: true,
    says: /9999_future\. Start that program, or set DATABASE_ALLOW_NEWER_SCHEMA=true/,
  },
};

describe.skipIf(!binaries)('refused starts (needs the programs of PostgreSQL)', () => {
  let folder: string;
  let cluster: Cluster;
  const others: Server[] = [];

  const superuser = (database = 'postgres'): string => cluster.url.replace(/\/postgres$/, `/${database}`);
  // Without the time limit of the admin commands: dropping a database waits for a checkpoint.
  async function run(statements: readonly string[], database?: string): Promise<void> {
    const pool = new Pool({ connectionString: superuser(database), max: 1 });
    try {
      for (const statement of statements) await pool.query(statement);
    } finally {
      await pool.end();
    }
  }
  const open = (url: string, allow = {}): Promise<string> =>
    openDatabase({ url, entities, allow, log: () => {} }).then(
      async (database) => {
        await database.close();
        return 'it started';
      },
      (error: Error) => error.message,
    );

  /** What `doctor` finds wrong. */
  async function doctorErrors(settings: Record<string, string>): Promise<string[]> {
    const printed: string[] = [];
    const print = vi.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line));
    await adminProgram(readConfig(settings)).parseAsync(['--json', '--url', 'http://127.0.0.1:9', 'doctor'], { from: 'user' });
    print.mockRestore();
    process.exitCode = undefined;
    const findings = JSON.parse(printed[0]!) as { state: string; finding: string }[];
    return findings.filter(({ state }) => state === 'ERROR').map(({ finding }) => finding);
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gateway-broken-'));
    chmodSync(folder, 0o755);
    writeFileSync(
      join(folder, 'hba'),
      [
        'host all +barred all reject',
        'host all +barred_password all scram-sha-256',
        'host all all all trust',
        'host replication all all trust',
      ].join('\n'),
    );
    cluster = await startCluster(binaries!, undefined, [`hba_file=${join(folder, 'hba')}`, 'fsync=off']);
    await run([
      'create role ledger_gateway nologin',
      'create role barred nologin',
      'create role barred_password nologin',
      'create database migrated',
    ]);
    await (await openDatabase({ url: superuser('migrated'), entities, log: () => {} })).close();
  }, 120_000);

  afterAll(async () => {
    for (const server of others) server.close();
    cluster?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(Object.entries(BROKEN))(
    '%s',
    async (_, { server = [], within = [], isMigrated = false, isOwned = false, allow, query = '', says, isFoundByMigration = false }) => {
      const number = Object.keys(BROKEN).indexOf(_);
      const [name, user] = [`broken_${number}`, `user_${number}`];
      const filled = (texts: readonly string[]): string[] => texts.map((text) => text.replaceAll(':name', name).replaceAll(':user', user));
      await run([
        `create role ${user} login password 'of-a-test' in role ledger_gateway`,
        `create database ${name} template ${isMigrated ? 'migrated' : 'template1'}${isOwned ? ` owner ${user}` : ''}`,
      ]);
      if (isOwned)
        await run(
          isMigrated
            ? [
                `do $$ declare one record; begin for one in select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' loop
                 execute format('alter table public.%I owner to ${user}', one.relname); end loop; end $$`,
                `alter schema public owner to ${user}`,
              ]
            : [`alter schema public owner to ${user}`],
          name,
        );
      await run(filled(within), name);
      await run(filled(server));
      const url = new URL(superuser(name));
      url.username = user;
      const message = await open(url.href + query, allow);
      expect(message).toMatch(new RegExp(filled([says.source])[0]!));
      expect(message).toMatch(/\bDATABASE_\w+/);
      expect(message).not.toContain('of-a-test');
      const errors = await doctorErrors({ DATABASE_URL: url.href + query });
      expect(errors.length > 0, errors.join()).toBe(!isFoundByMigration);
    },
  );

  it('what does not respond as PostgreSQL does', async () => {
    const listening = async (response: (socket: import('node:net').Socket) => void): Promise<number> => {
      const server = createServer(response).listen(0, '127.0.0.1');
      others.push(server);
      await new Promise((resolve) => server.once('listening', resolve));
      return (server.address() as AddressInfo).port;
    };
    const silent = await listening(() => {});
    const web = await listening((socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const closed = await freePort();
    const messages = await Promise.all(
      [
        `127.0.0.1:${silent}`,
        `127.0.0.1:${web}`,
        `127.0.0.1:${closed}`,
        `localhost:${closed}`,
        'no-such-host.invalid:5432',
        `%2Fno%2Fsocket:${closed}`,
      ].map((place) => open(`postgres://someone@${place}/ledger`)),
    );
    for (const message of messages)
      expect(message).toMatch(
        /^DATABASE_URL leads to \S+, database ledger: \S.*\. Check host and port, and that the server runs and can be reached from here$/,
      );
  });

  it('a role with fewer connections than a process opens is warned of', async () => {
    await run(['create role narrow login connection limit 12']);
    const url = superuser().replace('postgres@', 'narrow@');
    const needed = (settings: Record<string, string> = {}) => connectionsOf(readConfig({ DATABASE_URL: url, ...settings })).records;
    const check = (count: number) => onPostgres(url, (execute) => connectionCheck(execute, count));
    expect(await check(needed())).toMatchObject({
      problem: expect.stringMatching(
        /^a process opens up to 17 of the 12 connections that its user may have; \d+ of all users are open now\. Lower DATABASE_POOL_MAX/,
      ),
    });
    expect((await check(needed({ DATABASE_POOL_MAX: '2' }))).problem).toBeUndefined();
    expect(needed({ DATABASE_DIRECT_URL: url })).toBe(7);
    expect(needed({ QUEUE_DATABASE_URL: url.replace(/\/postgres$/, '/queue') })).toBe(11);
  });

  it('a pool that may open fewer connections than its most waits for those it has', async () => {
    await run(['create role shared login connection limit 3']);
    const pool = new Pool(
      connectionOptions(superuser().replace('postgres@', 'shared@'), 'requests', { max: 10, connectionTimeoutMillis: 30_000 }),
    );
    const ask = (count: number) => Promise.allSettled(Array.from({ length: count }, () => pool.query('select pg_sleep(0.01)')));
    const refused = (await ask(40)).filter(({ status }) => status === 'rejected');
    expect(refused.length).toBeGreaterThan(0);
    waitWhileServerIsFull(pool);
    expect((await ask(40)).filter(({ status }) => status === 'rejected')).toEqual([]);
    const clients = await Promise.all([pool.connect(), pool.connect()]);
    for (const client of clients) client.release();
    await pool.end();
  });

  it('commands say the same', async () => {
    const closed = await freePort();
    const config = readConfig({ DATABASE_URL: `postgres://someone@localhost:${closed}/ledger` });
    const program = adminProgram(config);
    let refused = '';
    for (const one of [program, ...program.commands]) one.exitOverride().configureOutput({ writeErr: (text) => (refused += text) });
    await program.parseAsync(['migrate', '--check'], { from: 'user' }).catch(() => {});
    expect(refused).toMatch(/^DATABASE_URL leads to localhost:\d+, database ledger: connect ECONNREFUSED .*\. Check host and port/);
  });

  it('the process ends with 1 and says so, here of the database of the queue', async () => {
    const closed = await freePort();
    const queueAway = { DATABASE_URL: superuser('migrated'), QUEUE_DATABASE_URL: `postgres://someone@127.0.0.1:${closed}/queue` };
    await expect(program.start(queueAway)).rejects.toThrow(
      /ended with 1 .*The gateway cannot start: QUEUE_DATABASE_URL leads to 127\.0\.0\.1:\d+, database queue: .*ECONNREFUSED.* Check host and port/,
    );
  }, 60_000);
});

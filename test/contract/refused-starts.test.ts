// The conditions on which the program refuses to start, its messages, the settings that allow a start on purpose, and the settings that only cause a
// warning.
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { Client } from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { readConfig, unknownSettings } from '../../src/config.ts';
import { type Database, executeIn, openDatabase } from '../../src/database/open.ts';
import { systemTransaction } from '../../src/database/transaction.ts';
import { entities } from '../../src/registry.ts';
import type { App } from '../../src/server/app.ts';
import { listenForAdmin } from '../../src/server/listener.ts';
import { serverUrl, startGateway } from '../support/gateway.ts';
import { ownPlace, type Place, program } from '../support/program.ts';
import { newDatabase, onDatabase, runOnServer } from '../support/server.ts';

/** Whether system calls can be made to fail: strace is installed, and this user may trace. */
const hasStrace = spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0;

const removals: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const remove of removals.splice(0).reverse()) await remove();
});

async function runAt({ settings }: Place, sql: string): Promise<void> {
  if (settings.DATABASE_URL) return runOnServer(settings.DATABASE_URL, sql);
  const database = await PGlite.create(settings.DATA_DIR!);
  await database.exec(sql);
  await database.close();
}

/** Opens the database of a place as the program does. */
const openAt = ({ settings: { DATABASE_URL: url, DATA_DIR: dataDir } }: Place): Promise<Database> =>
  openDatabase({ url, dataDir, entities, log: () => {} });

describe('a newer schema', () => {
  it('a database with an unknown migration is rejected with its name, or allowed on purpose', async () => {
    const place = await ownPlace();
    removals.push(place.remove);
    await runAt(place, `insert into mikro_orm_migrations (name) values ('9998_next'), ('9999_future')`);
    await expect(program.start(place.settings)).rejects.toThrow(
      /ended with 1 .*The gateway cannot start: .*does not know.*9998_next, 9999_future\. Start that program, or set DATABASE_ALLOW_NEWER_SCHEMA=true/s,
    );
    await runAt(place, `comment on table mikro_orm_migrations is '9.9.9'`);
    await expect(openAt(place)).rejects.toThrow(/Start version 9\.9\.9, or set DATABASE_ALLOW_NEWER_SCHEMA=true/);
    const allowed = await program.start({ ...place.settings, DATABASE_ALLOW_NEWER_SCHEMA: 'true' });
    expect((await fetch(`${allowed.origin}/readyz`)).status).toBe(200);
    await allowed.end('SIGTERM');
  }, 120_000);
});

describe('an address that cannot be listened on', () => {
  it('is rejected with its setting and what to do', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    removals.push(async () => taken.close());
    const { port } = taken.address() as AddressInfo;
    const app = { admin: () => {} } as unknown as App;
    await expect(listenForAdmin(app, { port, host: '127.0.0.1' })).rejects.toThrow(
      `ADMIN_PORT=${port} on HOST=127.0.0.1 cannot be listened on (EADDRINUSE). Stop the process that listens there, or set another ADMIN_PORT`,
    );
    await expect(listenForAdmin(app, { port: 0, host: '192.0.2.1' })).rejects.toThrow(
      'ADMIN_PORT=0 on HOST=192.0.2.1 cannot be listened on (EADDRNOTAVAIL). Set HOST to an address of this machine, or to 0.0.0.0 for all of them',
    );
    const place = await ownPlace();
    removals.push(place.remove);
    await expect(program.start({ ...place.settings, PORT: `${port}` })).rejects.toThrow(
      `The gateway cannot start: PORT=${port} on HOST=127.0.0.1 cannot be listened on (EADDRINUSE).`,
    );
  }, 120_000);
});

describe('a data directory that cannot be used', () => {
  const refusal = (directory: string, words: string): string => `The gateway cannot start: DATA_DIR leads to ${directory}: ${words}`;

  // Where Node makes a directory with those above it, it never ends below /proc.
  it.skipIf(!existsSync('/proc/self'))(
    'is rejected where no directory can be made',
    async () => {
      await expect(program.start({ DATABASE_URL: '', DATA_DIR: '/proc/none/data' })).rejects.toThrow(
        refusal('/proc/none/data', `ENOENT: no such file or directory, mkdir '/proc/none'. Set DATA_DIR to`),
      );
    },
    120_000,
  );

  it.skipIf(!hasStrace)(
    'is rejected where its file system has no locks',
    async () => {
      const directory = mkdtempSync(join(tmpdir(), 'gateway-no-locks-'));
      removals.push(async () => rmSync(directory, { recursive: true }));
      const lock = join(directory, 'owner.lock');
      const withoutLocks = ['strace', '-f', '-qq', '-o', '/dev/null', '-P', lock, '-e', 'trace=fcntl', '-e', 'inject=fcntl:error=ENOLCK'];
      await expect(program.start({ DATABASE_URL: '', DATA_DIR: directory }, withoutLocks)).rejects.toThrow(
        refusal(directory, 'its file system has no locks ('),
      );
    },
    120_000,
  );
});

describe('unknown settings', () => {
  it('a variable that is a typo away from a setting, or begins like one, is reported; other variables are not', () => {
    const ours = {
      PROT: 'PORT',
      PORTS: 'PORT',
      port: 'PORT',
      HOTS: 'HOST',
      LOGLEVEL: 'LOG_LEVEL',
      log_level: 'LOG_LEVEL',
      LOG_LEVL: 'LOG_LEVEL',
      DATABASEURL: 'DATABASE_URL',
      DATABASE_URI: 'DATABASE_URL',
      DATADIR: 'DATA_DIR',
      OIDC_AUDIENCES: 'OIDC_AUDIENCE',
      CORS_ORIGIN: 'CORS_ORIGINS',
      RATE_LIMIT_BRUST: 'RATE_LIMIT_BURST',
      DATA_DIR_FILE: null,
      DATABASE_POOL: null,
      OIDC_CLIENT_ID: null,
      WEBHOOK_TIMEOUT: null,
    };
    const others = [
      'PATH',
      'HOME',
      'HOSTNAME',
      'USER',
      'PWD',
      'SHELL',
      'TERM',
      'LANG',
      'LC_ALL',
      'TZ',
      'CI',
      '_',
      'NODE_ENV',
      'NODE_OPTIONS',
    ];
    const more = [
      'npm_config_cache',
      'HTTP_PROXY',
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      'POSTGRES_PASSWORD',
      'KUBERNETES_PORT',
      'PORT',
      'DATABASE_URL',
    ];
    const environment = Object.fromEntries([...Object.keys(ours), ...others, ...more].map((name) => [name, 'x']));
    expect(Object.fromEntries(unknownSettings(environment))).toEqual(ours);
  });

  it('secrets may stand in files, without the line break at their end, and not in both places', () => {
    const folder = mkdtempSync(join(tmpdir(), 'gateway-secrets-'));
    const [token, none] = [join(folder, 'token'), join(folder, 'none')];
    writeFileSync(token, `${'a'.repeat(24)}\n`);
    expect(readConfig({ ADMIN_TOKEN_FILE: token }).adminToken).toBe('a'.repeat(24));
    expect(() => readConfig({ ADMIN_TOKEN_FILE: token, ADMIN_TOKEN: 'b'.repeat(24) })).toThrow(
      'ADMIN_TOKEN_FILE and ADMIN_TOKEN are both set',
    );
    expect(() => readConfig({ SIGNING_SECRET_FILE: none })).toThrow('SIGNING_SECRET_FILE names a file that cannot be read');
    writeFileSync(token, 'short');
    expect(() => readConfig({ ADMIN_TOKEN_FILE: token })).toThrow('ADMIN_TOKEN must have at least 24 characters');
    rmSync(folder, { recursive: true });
  });

  it('the start names them', async () => {
    const settings = { DATABASE_URL: '', DATA_DIR: '/dev/null', PROT: '4001', LOGLEVEL: 'debug' };
    await expect(program.start(settings)).rejects.toThrow(
      /LOGLEVEL is not a setting of the gateway and has no effect; LOG_LEVEL may be meant\.\nPROT is not a setting of the gateway and has no effect; PORT may be meant\.\nThe gateway cannot start/,
    );
  });
});

describe.skipIf(!serverUrl)('on a server (needs DATABASE_URL)', () => {
  const server = serverUrl!;
  const open = (url: string, allow = {}): Promise<Database> => openDatabase({ url, entities, allow, log: () => {} });

  describe('a database that is not there', () => {
    it('a mistyped database name is rejected and not created, or created on purpose', async () => {
      const name = `gateway_typo_${randomUUID().slice(0, 8)}`;
      const url = onDatabase(server, name);
      removals.push(() => runOnServer(server, `drop database if exists ${name} with (force)`));
      await expect(program.start({ DATABASE_URL: url })).rejects.toThrow(
        new RegExp(`The gateway cannot start: there is no database ${name} on .*set DATABASE_ALLOW_CREATE=true`),
      );
      await expect(runOnServer(url, 'select 1')).rejects.toThrow('does not exist');
      const allowed = await program.start({ DATABASE_URL: url, DATABASE_ALLOW_CREATE: 'true' });
      await allowed.end('SIGTERM');
      await runOnServer(url, 'select 1 from event');
    }, 120_000);
  });

  it('a database in another encoding than UTF8 is rejected with how to create it', async () => {
    const name = `gateway_test_${randomUUID().slice(0, 8)}`;
    await runOnServer(server, `create database ${name} encoding 'SQL_ASCII' template template0 lc_collate 'C' lc_ctype 'C'`);
    removals.push(() => runOnServer(server, `drop database ${name} with (force)`));
    await expect(program.start({ DATABASE_URL: onDatabase(server, name) })).rejects.toThrow(
      `The gateway cannot start: the database of DATABASE_URL cannot be used: the database ${name} has the encoding SQL_ASCII instead of UTF8. Create it again with: create database`,
    );
  }, 120_000);

  describe('a database user who may not take the role of row-level security', () => {
    /** A user without rights beyond an empty database of its own. */
    async function ownUser(): Promise<{ user: string; url: string; asAdmin: (sql: string) => Promise<void> }> {
      const user = `gateway_user_${randomUUID().slice(0, 8)}`;
      await runOnServer(server, `create role ${user} login password 'of-a-test'`);
      const { url, drop } = await newDatabase(server);
      await runOnServer(url, `alter database ${new URL(url).pathname.slice(1)} owner to ${user}`);
      removals.push(async () => {
        await drop();
        await runOnServer(server, `drop role ${user}`);
      });
      const own = new URL(url);
      own.username = user;
      own.password = 'of-a-test';
      return { user, url: own.href, asAdmin: (sql) => runOnServer(url, sql) };
    }

    async function tablesAt(url: string): Promise<number> {
      const client = new Client({ connectionString: url });
      await client.connect();
      const { rows } = await client.query(
        "select count(*)::int as count from pg_tables where schemaname = 'public' and tablename <> 'mikro_orm_migrations'",
      );
      await client.end();
      return rows[0].count;
    }

    const writes = async (url: string): Promise<void> => {
      const gateway = await startGateway({ databaseUrl: url });
      const { origin } = gateway;
      try {
        const key = await gateway.key(['PLATFORM']);
        const response = await fetch(`${origin}/api/v1/corporations`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: JSON.stringify({ legal_name: 'Kept', jurisdiction: 'GB' }),
        });
        expect([gateway.services.database.rowSecurity, response.status]).toEqual([true, 200]);
        const hidden = systemTransaction(gateway.services.database, async (em) => {
          await executeIn(em, 'set local role ledger_gateway');
          await executeIn(em, 'select 1 from access_key');
        });
        await expect(hidden).rejects.toThrow('permission denied');
      } finally {
        await gateway.stop();
      }
    };

    it('is rejected before anything is created, with the statement for an administrator, or allowed on purpose; the role may be granted later', async () => {
      await runOnServer(server, 'do $$ begin create role ledger_gateway nologin; exception when duplicate_object then null; end $$');
      const { user, url, asAdmin } = await ownUser();
      await expect(program.start({ DATABASE_URL: url })).rejects.toThrow(
        new RegExp(`row-level security would be off: .*"grant ledger_gateway to ${user}", or set DATABASE_ALLOW_NO_ROW_SECURITY=true`),
      );
      expect(await tablesAt(url)).toBe(0);
      const lines: string[] = [];
      const without = await openDatabase({ url, entities, allow: { noRowSecurity: true }, log: (line) => lines.push(line) });
      expect([without.rowSecurity, lines.at(-1)]).toEqual([false, 'row-level security is off, as DATABASE_ALLOW_NO_ROW_SECURITY allows']);
      await without.close();
      await expect(open(url)).rejects.toThrow('row-level security would be off');
      await asAdmin(`grant ledger_gateway to ${user}`);
      await writes(url);
    }, 120_000);

    it('a member of the role who may not create it starts on an empty database, with row-level security', async () => {
      const { user, url, asAdmin } = await ownUser();
      await asAdmin(`grant ledger_gateway to ${user}`);
      await writes(url);
    }, 120_000);
  });
});

// Connections to a PostgreSQL that accepts only encrypted ones: each connection of a running program, and servers that prove the wrong thing or
// nothing.
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { adminProgram } from '../../src/admin/program.ts';
import { onPostgres } from '../../src/admin/store.ts';
import { readConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/database/open.ts';
import { connectionOptions, SSL_MODES } from '../../src/postgres-url.ts';
import { entities } from '../../src/registry.ts';
import { packagePath } from '../../src/runtime/package-root.ts';
import { type Cluster, serverBinaries, startCluster } from '../support/cluster.ts';
import { call, issueKey, program } from '../support/program.ts';

const binaries = serverBinaries();

describe('the URL of a database', () => {
  const at = (query: string, environment: Record<string, string> = {}): string =>
    readConfig({ DATABASE_URL: `postgres://u:p%40@host:1/d?${query}`, ...environment }).databaseUrl!;

  it('what it asks for happens or ends the start, by name', () => {
    const refused: [query: string, problem: string][] = [
      [
        'sslmode=prefer',
        'DATABASE_URL has sslmode=prefer, which falls back to plaintext without notice; it must be one of disable, require',
      ],
      ['sslmode=allow', 'DATABASE_URL has sslmode=allow, which falls back'],
      ['sslmode=verify_full', 'DATABASE_URL has sslmode=verify_full; it must be one of'],
      ['sslmode=no-verify', 'DATABASE_URL has sslmode=no-verify; it must be one of'],
      ['sslmode=', 'DATABASE_URL has sslmode=; it must be one of'],
      ['ssl=false', 'DATABASE_URL has ssl=false; use sslmode'],
      ['sslmode=verify-ca', 'DATABASE_URL has sslmode=verify-ca without sslrootcert'],
      ['sslmode=require&sslrootcert=system', 'DATABASE_URL has sslrootcert=system with sslmode=require'],
      ['sslmode=verify-full&sslrootcert=/no/file', 'DATABASE_URL has sslrootcert=/no/file, a file that cannot be read'],
      [`sslmode=require&sslcert=${import.meta.filename}`, 'DATABASE_URL has one of sslcert and sslkey'],
      ['channel_binding=require', 'DATABASE_URL has the parameter channel_binding, which has no effect'],
      ['connect_timeout=0', 'DATABASE_URL has connect_timeout=0; it must be a whole number of seconds from 1 to 600'],
    ];
    for (const [query, problem] of refused) expect(() => at(query), query).toThrow(problem);
    for (const name of ['DATABASE_DIRECT_URL', 'DATABASE_REPLICA_URLS', 'QUEUE_DATABASE_URL'])
      expect(() => readConfig({ DATABASE_URL: 'postgres://host/d', [name]: 'postgres://host/d?sslmode=prefer' }), name).toThrow(
        `${name}${name.endsWith('S') ? '.0' : ''} has sslmode=prefer`,
      );
    expect(() => readConfig({ DATABASE_URL: 'postgres://host:1' })).toThrow('DATABASE_URL names no database');
    expect(() => readConfig({ DATABASE_URL: 'mysql://host/d' })).toThrow('DATABASE_URL must be a URL starting with postgres://');
    for (const url of ['postgres://u@/d', 'postgres://u:p/w@host/d', 'postgres://host:port/d'])
      expect(() => readConfig({ DATABASE_URL: url }), url).toThrow(
        'DATABASE_URL cannot be read as postgres://user:password@host:5432/name',
      );
  });

  it('a variable that it may come from is named next to the setting', () => {
    expect(() => at('', { PGSSLMODE: 'prefer' })).toThrow(/DATABASE_URL has sslmode=prefer.*PGSSLMODE sets it where the URL does not/);
    expect(() => at('', { PGSSLMODE: 'verify-full', PGSSLROOTCERT: '/no/file' })).toThrow(/sslrootcert=\/no\/file.*PGSSLROOTCERT sets it/);
    expect(() => at('', { PGCONNECT_TIMEOUT: '0' })).toThrow(/connect_timeout=0.*PGCONNECT_TIMEOUT sets it/);
  });

  it('the queue has a database of its own, also next to a pooler', () => {
    const queueAt = (url: string) => () =>
      readConfig({ DATABASE_URL: 'postgres://u:p@pooler:6432/d', DATABASE_DIRECT_URL: 'postgres://u:p@host/d', QUEUE_DATABASE_URL: url });
    for (const url of ['postgres://u:p@pooler:6432/d', 'postgres://other@host:5432/d?sslmode=require'])
      expect(queueAt(url), url).toThrow('QUEUE_DATABASE_URL leads to the database of the records');
    for (const url of ['postgres://u:p@host/queue', 'postgres://u:p@host:5433/d', 'postgres://u:p@other/d'])
      expect(queueAt(url), url).not.toThrow();
  });

  it('what it leaves out comes from the variables of libpq', () => {
    const environment = { PGSSLMODE: 'require', PGSSLCERT: '' };
    expect([at('', environment), at('sslmode=disable', environment), at('ssl=true', environment)]).toEqual([
      'postgres://u:p%40@host:1/d?&sslmode=require',
      'postgres://u:p%40@host:1/d?sslmode=disable',
      'postgres://u:p%40@host:1/d?ssl=true',
    ]);
    expect(connectionOptions(at('', { PGAPPNAME: 'ledger', PGCONNECT_TIMEOUT: '9', PGOPTIONS: '-c jit=on' }), 'queue')).toMatchObject({
      application_name: 'ledger',
      connectionTimeoutMillis: 9_000,
      options: '-c jit=on',
    });
  });

  it('the server may be among its parameters, as for libpq, so that a socket can be named', () => {
    const placeOf = (url: string) => {
      const { host, port, user, database, application_name } = connectionOptions(readConfig({ DATABASE_URL: url }).databaseUrl!, 'start');
      return [host, port, user, database, application_name];
    };
    const socket = '/run/postgresql';
    expect(
      [
        'postgres://u@/d?host=/run/postgresql&port=5433',
        'postgresql:///d?host=/run/postgresql&application_name=a%20b',
        'postgres://u:p@other:1/d?host=::1',
        'postgres://u@%2Frun%2Fpostgresql/d',
        'postgres://u@host/d?port=6000',
      ].map(placeOf),
    ).toEqual([
      [socket, 5433, 'u', 'd', 'ledger-gateway start'],
      [socket, 5432, '', 'd', 'a b'],
      ['::1', 1, 'u', 'd', 'ledger-gateway start'],
      [socket, 5432, 'u', 'd', 'ledger-gateway start'],
      ['host', 6000, 'u', 'd', 'ledger-gateway start'],
    ]);
  });

  it('it is the whole of where a connection leads, and the options of the program win', () => {
    expect(
      connectionOptions('postgres://u:p%40@[::1]/a%2Fb?options=-c%20work_mem%3D1MB&application_name=x', 'queue', { options: '-c jit=off' }),
    ).toEqual({
      host: '::1',
      port: 5432,
      user: 'u',
      password: 'p@',
      database: 'a/b',
      ssl: false,
      application_name: 'x',
      options: '-c work_mem=1MB -c jit=off',
    });
    expect(connectionOptions('postgres://u@%2Frun%2Fpostgresql/d?sslmode=require', 'queue')).toMatchObject({
      host: '/run/postgresql',
      ssl: false,
    });
  });

  it('every connection is made of its options', () => {
    const made = readdirSync(packagePath('src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) =>
        [...readFileSync(packagePath('src', file), 'utf8').matchAll(/\bnew (Client|Pool|PgBoss)\(\s*.*/g)].map(([line]) => [file, line]),
      );
    expect(made.filter(([file, line]) => !/\(\s*(connectionOptions\(|\{ (db|max): )/.test(line!) && !file!.includes('graphql'))).toEqual(
      [],
    );
    expect(made.length).toBeGreaterThan(7);
    const other = readdirSync(packagePath('src'), { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && /\b(connectionString|clientUrl)\b/.test(readFileSync(packagePath('src', file), 'utf8')),
    );
    expect(other).toEqual([]);
  });
});

describe.skipIf(!binaries)('a server that takes encrypted connections alone (needs the programs of PostgreSQL)', () => {
  let folder: string;
  let primary: Cluster;
  let replica: Cluster;
  let plain: Cluster | undefined;
  const file = (name: string): string => join(folder, name);
  const openssl = (...words: string[]): void => void execFileSync('openssl', words, { stdio: 'ignore' });

  /** The certificate of an authority of its own. */
  function authority(name: string): void {
    openssl(
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-days',
      '9',
      '-subj',
      `/CN=${name}`,
      '-keyout',
      file(`${name}.key`),
      '-out',
      file(`${name}.crt`),
    );
  }

  const urlOf = (cluster: Cluster, query: string, host = 'localhost'): string => {
    const url = new URL(cluster.url);
    return `postgres://postgres@${host}:${url.port}/postgres?${query}`;
  };

  /** Whether a connection with these parameters is encrypted; its error where it is not. */
  async function encrypted(query: string, host = 'localhost', cluster = primary): Promise<boolean | string> {
    const client = new Client(connectionOptions(urlOf(cluster, query, host), 'admin'));
    client.on('error', () => {});
    try {
      await client.connect();
      return (await client.query('select ssl from pg_stat_ssl where pid = pg_backend_pid()')).rows[0].ssl as boolean;
    } catch (error) {
      return (error as Error).message;
    } finally {
      await client.end().catch(() => {});
    }
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gateway-tls-'));
    authority('authority');
    authority('stranger');
    writeFileSync(file('names'), 'subjectAltName=DNS:localhost');
    openssl(
      'req',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-subj',
      '/CN=localhost',
      '-keyout',
      file('server.key'),
      '-out',
      file('server.csr'),
    );
    openssl(
      'x509',
      '-req',
      '-in',
      file('server.csr'),
      '-CA',
      file('authority.crt'),
      '-CAkey',
      file('authority.key'),
      '-CAcreateserial',
      '-days',
      '9',
      '-extfile',
      file('names'),
      '-out',
      file('server.crt'),
    );
    writeFileSync(
      file('hba'),
      ['hostssl all all all trust', 'hostssl replication all all trust', 'hostnossl all all all reject'].join('\n'),
    );
    chmodSync(folder, 0o755);
    chmodSync(file('server.key'), 0o600);
    if (process.getuid?.() === 0) chownSync(file('server.key'), Number(execFileSync('id', ['-u', 'postgres'], { encoding: 'utf8' })), -1);
    const settings = ['ssl=on', `ssl_cert_file=${file('server.crt')}`, `ssl_key_file=${file('server.key')}`, `hba_file=${file('hba')}`];
    primary = await startCluster(binaries!, undefined, settings);
    replica = await startCluster(binaries!, primary, settings);
  }, 120_000);

  afterAll(() => {
    plain?.remove();
    replica?.remove();
    primary?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  it('every connection of a running program is encrypted and verified', async () => {
    const query = `sslmode=verify-full&sslrootcert=${file('authority.crt')}`;
    await onPostgres(urlOf(primary, query), (run) => run('create database queue'));
    const settings = {
      DATABASE_URL: urlOf(primary, query),
      DATABASE_REPLICA_URLS: urlOf(replica, query),
      QUEUE_DATABASE_URL: urlOf(primary, query).replace('/postgres?', '/queue?'),
    };
    const running = await program.start(settings);
    try {
      const key = await issueKey(running.origin, ['PLATFORM']);
      const body = { legal_name: 'Encrypted', jurisdiction: 'GB' };
      expect((await call(running.origin, key, 'POST', '/api/v1/corporations', body)).status).toBe(200);
      const read = await call(running.origin, key, 'POST', '/graphql', { query: '{ corporations { nodes { legalName } } }' });
      expect(read.body.data.corporations.nodes).toEqual([{ legalName: 'Encrypted' }]);
      const connections = (url: string) =>
        onPostgres(url, (run) =>
          run<{ ssl: boolean; name: string; count: number }>(
            `select ssl, application_name as name, count(*)::int as count from pg_stat_ssl join pg_stat_activity using (pid)
             where backend_type = 'client backend' and pid <> pg_backend_pid() group by 1, 2 order by 2`,
          ),
        );
      const [atPrimary, atReplica] = [await connections(settings.DATABASE_URL), await connections(settings.DATABASE_REPLICA_URLS)];
      const named = (...purposes: string[]) =>
        purposes.map((purpose) => expect.objectContaining({ ssl: true, name: `ledger-gateway ${purpose}` }));
      expect(atPrimary).toEqual(named('notifications', 'queue', 'requests'));
      expect(atReplica.filter(({ name }) => name !== 'ledger-gateway replica reads')).toEqual(named('replica state'));
      expect(atReplica.filter(({ ssl }) => !ssl)).toEqual([]);
      // The queue has connections for its work and one for its notifications.
      expect(atPrimary[1]!.count).toBeGreaterThanOrEqual(2);
    } finally {
      await running.end('SIGTERM');
    }
  }, 120_000);

  it('commands of operators reach it, and migrate a new database of it', async () => {
    const query = `sslmode=verify-full&sslrootcert=${file('authority.crt')}`;
    await onPostgres(urlOf(primary, query), (run) => run('create database commanded'));
    const printed: string[] = [];
    const print = vi.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line));
    try {
      const config = () => readConfig({ DATABASE_URL: urlOf(primary, query).replace('/postgres?', '/commanded?') });
      await adminProgram(config()).parseAsync(['migrate'], { from: 'user' });
      await adminProgram(config()).parseAsync(['--json', '--url', 'http://127.0.0.1:9', 'doctor'], { from: 'user' });
    } finally {
      print.mockRestore();
    }
    const findings = JSON.parse(printed.at(-1)!) as { check: string; state: string; finding: string }[];
    expect(findings.filter(({ state }) => state === 'ERROR')).toEqual([]);
    expect(findings).toContainEqual({ check: 'migrations', state: 'ok', finding: 'all are applied' });
  }, 120_000);

  it('no program starts on its standby, which takes no writes', async () => {
    const url = urlOf(replica, `sslmode=verify-full&sslrootcert=${file('authority.crt')}`);
    await expect(openDatabase({ url, entities, log: () => {} })).rejects.toThrow(
      'the database of DATABASE_URL cannot be used: it is a standby, which takes no writes. Name the primary',
    );
  });

  it('each mode proves what libpq says it proves', async () => {
    const [ours, others] = ['authority', 'stranger'].map((name) => `sslrootcert=${file(`${name}.crt`)}`);
    const outcomes = await Promise.all([
      encrypted('sslmode=disable'),
      encrypted(''),
      encrypted('sslmode=require'),
      encrypted('ssl=true'),
      encrypted(`sslmode=require&${ours}`),
      encrypted(`sslmode=require&${others}`),
      encrypted(`sslmode=verify-ca&${ours}`, '127.0.0.1'),
      encrypted(`sslmode=verify-ca&${others}`),
      encrypted(`sslmode=verify-full&${ours}`),
      encrypted(`sslmode=verify-full&${ours}`, '127.0.0.1'),
      encrypted(`sslmode=verify-full&${others}`),
      encrypted('sslmode=verify-full&sslrootcert=system'),
    ]);
    const plain = expect.stringContaining('pg_hba.conf rejects connection');
    const stranger = expect.stringMatching(/unable to (get local issuer|verify the first) certificate|self-signed certificate/);
    expect(outcomes).toEqual([
      plain,
      plain,
      true,
      true,
      true,
      stranger,
      true,
      stranger,
      true,
      expect.stringContaining('127.0.0.1'),
      stranger,
      stranger,
    ]);
  });

  it('a program that does not trust the server does not start, and a server without TLS is sent nothing', async () => {
    const query = `sslmode=verify-full&sslrootcert=${file('stranger.crt')}`;
    await expect(program.start({ DATABASE_URL: urlOf(primary, query) })).rejects.toThrow(/The gateway cannot start: .*certificate/);
    plain = await startCluster(binaries!);
    expect(await encrypted('sslmode=disable', 'localhost', plain)).toBe(false);
    const modes = SSL_MODES.filter((mode) => mode !== 'disable');
    const responses = await Promise.all(
      modes.map((mode) => encrypted(`sslmode=${mode}&sslrootcert=${file('authority.crt')}`, 'localhost', plain)),
    );
    expect(responses).toEqual(modes.map(() => 'The server does not support SSL connections'));
  });
});

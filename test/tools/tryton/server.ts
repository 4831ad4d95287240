// A Tryton server with a company in it, from the Debian packages of Tryton, on a PostgreSQL of its own.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { freePort, serverBinaries, startCluster } from '../../support/cluster.ts';

/** Modules of Tryton, in the names of its database. */
const MODULES = [
  ...['account_invoice_stock', 'purchase', 'sale', 'stock', 'analytic_invoice', 'analytic_purchase', 'analytic_sale'],
  'account_payment',
];
/** The interpreter that Debian's packages are installed for. */
const PYTHON = '/usr/bin/python3';
const DATABASE = 'orchard';
const PASSWORD = 'orchard-gate-57';
const START_MS = 60_000;

/** The packages that a machine needs. */
export const PACKAGES =
  'tryton-server python3-psycopg2 tryton-proteus tryton-modules-account-invoice-stock tryton-modules-purchase tryton-modules-sale ' +
  'tryton-modules-analytic-invoice tryton-modules-analytic-purchase tryton-modules-analytic-sale tryton-modules-account-payment';

/** A running server. */
export interface TrytonServer {
  url: string;
  database: string;
  user: string;
  password: string;
  /** Rows of the server's own database. */
  sql<T>(statement: string, values?: unknown[]): Promise<T[]>;
  /** Makes an empty database on the same cluster; its address. */
  emptyDatabase(name: string): Promise<string>;
  /** Adds two fiscal years of books to the company. */
  addBooks(seed: number): void;
  stop(): Promise<void>;
}

/** What is not installed; null where nothing is missing. */
export function lacking(): string | null {
  if (!serverBinaries()) return 'PostgreSQL is not installed';
  const modules = MODULES.map((name) => `trytond.modules.${name}`).join(', ');
  const { status } = spawnSync(PYTHON, ['-c', `import psycopg2, proteus, ${modules}`], { stdio: 'ignore' });
  return status === 0 ? null : `the packages ${PACKAGES} are not installed`;
}

/** The version of the installed server. */
export const version = (): string =>
  execFileSync(PYTHON, ['-c', 'import trytond; print(trytond.__version__)'], { encoding: 'utf8' }).trim();

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  for (const end = Date.now() + START_MS; Date.now() < end; await setTimeout(100)) {
    if (child.exitCode !== null) throw new Error(`trytond ended with ${child.exitCode}`);
    const body = JSON.stringify({ id: 1, method: 'common.server.version', params: [] });
    const headers = { 'content-type': 'application/json' };
    const isThere = await fetch(`${url}/`, { method: 'POST', headers, body }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isThere) return;
  }
  throw new Error('trytond did not start');
}

/** Makes the database, sets the company up and starts the server on a free port. Takes about a minute. */
export async function startTryton(): Promise<TrytonServer> {
  const cluster = await startCluster(serverBinaries()!);
  const folder = mkdtempSync(join(tmpdir(), 'gateway-tryton-'));
  const configuration = join(folder, 'trytond.conf');
  const passwordFile = join(folder, 'password');
  const port = await freePort();
  const server = new URL(cluster.url);
  const admin = new pg.Client({ connectionString: cluster.url });
  await admin.connect();
  // The thousand tables of Tryton are written once and thrown away.
  await admin.query('alter system set fsync = off');
  await admin.query('select pg_reload_conf()');
  await admin.query(`create database ${DATABASE}`);
  await admin.end();
  writeFileSync(configuration, `[database]\nuri = postgresql://postgres@${server.host}/\n[web]\nlisten = 127.0.0.1:${port}\n`);
  writeFileSync(passwordFile, `${PASSWORD}\n`);
  const run = (program: string, ...words: string[]): void => {
    const { status, stderr } = spawnSync(program, words, { encoding: 'utf8', env: { ...process.env, TRYTONPASSFILE: passwordFile } });
    if (status !== 0) throw new Error(`${program} ${words.join(' ')}\n${stderr}`);
  };
  run('trytond-admin', '-c', configuration, '-d', DATABASE, '--email', 'a@example.com', '--activate-dependencies', '-u', ...MODULES);
  run(PYTHON, '-W', 'ignore', join(import.meta.dirname, 'company.py'), DATABASE, configuration);
  const child = spawn('trytond', ['-c', configuration, '-d', DATABASE], { stdio: 'ignore' });
  const pool = new pg.Pool({ connectionString: cluster.url.replace(/\/postgres$/, `/${DATABASE}`), max: 2 });
  const url = `http://127.0.0.1:${port}`;
  const stop = async (): Promise<void> => {
    await pool.end();
    if (child.exitCode === null && child.kill('SIGKILL')) await new Promise((resolve) => child.once('exit', resolve));
    cluster.remove();
    rmSync(folder, { recursive: true, force: true });
  };
  await untilReady(url, child).catch(async (error) => {
    await stop();
    throw error;
  });
  const emptyDatabase = async (name: string): Promise<string> => {
    await pool.query(`create database ${name}`);
    return cluster.url.replace(/\/postgres$/, `/${name}`);
  };
  const sql = async <T>(statement: string, values: unknown[] = []): Promise<T[]> => (await pool.query(statement, values)).rows as T[];
  const addBooks = (seed: number): void =>
    run(PYTHON, '-W', 'ignore', join(import.meta.dirname, 'books.py'), DATABASE, configuration, String(seed));
  return { url, database: DATABASE, user: 'admin', password: PASSWORD, sql, emptyDatabase, addBooks, stop };
}

// Databases on the PostgreSQL server that DATABASE_URL names. With DATABASE_WORKERS, the addresses of servers with Citus, each is distributed over these.
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { distributedEngines } from '../../src/database/engines.ts';
import { entities } from '../../src/registry.ts';

const WORKERS = process.env.DATABASE_WORKERS?.split(' ') ?? [];

/** Whether the tests run on a distributed engine. */
export const isOnWorkers = WORKERS.length > 0;

/** The same database without the pooler, where DATABASE_URL leads to one and DATABASE_DIRECT_URL to the server behind it. */
export function directOf(url: string): string | undefined {
  const { DATABASE_URL: pooled, DATABASE_DIRECT_URL: direct } = process.env;
  const { host, pathname } = new URL(url);
  return pooled && direct && new URL(pooled).host === host ? onDatabase(direct, pathname.slice(1)) : undefined;
}

/** Runs statements on the server, each on its own and outside any test database. */
export async function runOnServer(url: string, ...statements: string[]): Promise<void> {
  const client = new Client({ connectionString: directOf(url) ?? url });
  await client.connect();
  try {
    for (const sql of statements) await client.query(sql);
  } finally {
    await client.end();
  }
}

/** The same server, another database. */
export function onDatabase(url: string, name: string): string {
  const other = new URL(url);
  other.pathname = `/${name}`;
  return other.href;
}

/**
 * Makes a database on the server, empty or copied from a template. Its commits do not wait for the disk, which takes 20 times as long as the rest of a
 * small one: no test ends this server, and tests of a lost one have a server of their own.
 */
export const makeDatabase = (server: string, name: string, template?: string): Promise<void> =>
  runOnServer(
    server,
    `create database ${name}${template ? ` template ${template}` : ''}`,
    `alter database ${name} set synchronous_commit = off`,
  );

/** A new database on the server, empty or copied from a template. */
export async function newDatabase(server: string, template?: string): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `gateway_test_${randomUUID().replaceAll('-', '').slice(0, 16)}`;
  await makeDatabase(server, name, template);
  const url = onDatabase(server, name);
  if (template && isOnWorkers) await distributeOver(url, WORKERS);
  return {
    url,
    drop: async () => {
      for (const node of [server, ...WORKERS]) await runOnServer(node, `drop database if exists ${name} with (force)`);
    },
  };
}

/** Distributes a migrated database over servers, on each of which it makes one of the same name. Roles belong to all databases of a server, so one is distributed at a time. */
export async function distributeOver(url: string, workers: readonly string[]): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  for (const worker of workers) {
    await runOnServer(worker, `create database ${name}`);
    await runOnServer(onDatabase(worker, name), 'create extension citus');
  }
  await runOnServer(url, 'create extension citus');
  const turn = new Client({ connectionString: onDatabase(url, 'postgres') });
  await turn.connect();
  try {
    await turn.query(`select pg_advisory_lock(hashtext('distribute'))`);
    await runOnServer(url, `select citus_set_coordinator_host('127.0.0.1', ${new URL(url).port})`);
    for (const worker of workers) await runOnServer(url, `select citus_add_node('127.0.0.1', ${new URL(worker).port})`);
    for (const engine of distributedEngines) await engine.distribute(url, entities, { onStep: () => {} });
  } finally {
    await turn.end();
  }
}

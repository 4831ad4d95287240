// Databases on the PostgreSQL server that DATABASE_URL names.
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';

/** The same database without the pooler, where DATABASE_URL leads to one and DATABASE_DIRECT_URL to the server behind it. */
export function directOf(url: string): string | undefined {
  const { DATABASE_URL: pooled, DATABASE_DIRECT_URL: direct } = process.env;
  const { host, pathname } = new URL(url);
  return pooled && direct && new URL(pooled).host === host ? onDatabase(direct, pathname.slice(1)) : undefined;
}

/** Runs one statement on the server, outside any test database. */
export async function runOnServer(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: directOf(url) ?? url });
  await client.connect();
  try {
    await client.query(sql);
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

/** A new database on the server, empty or copied from a template. */
export async function newDatabase(server: string, template?: string): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `gateway_test_${randomUUID().replaceAll('-', '').slice(0, 16)}`;
  await runOnServer(server, `create database ${name}${template ? ` template ${template}` : ''}`);
  return { url: onDatabase(server, name), drop: () => runOnServer(server, `drop database ${name} with (force)`) };
}

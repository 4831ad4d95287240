// Databases on the PostgreSQL server that DATABASE_URL names.
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';

/** Runs one statement on the server, outside any test database. */
export async function runOnServer(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
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

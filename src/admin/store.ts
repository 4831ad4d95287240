// Opens the database of the settings for a command that looks at it without a gateway.
import { existsSync } from 'node:fs';
import { PGlite } from '@electric-sql/pglite';
import { Client } from 'pg';
import type { Config } from '../config.ts';
import { claimDataDirectory, refusingDatabase } from '../database/directory-lock.ts';
import type { RunStatement } from '../database/migrations/state.ts';
import { SESSION } from '../database/read-path/session.ts';
import { refusing } from '../database/refusals.ts';
import { connectionOptions } from '../postgres-url.ts';

const DEADLINE_MS = 3_000;

/** Runs work on PostgreSQL; a pooler takes no settings of a session. */
export async function onPostgres<T>(url: string, work: (run: RunStatement) => Promise<T>, session = SESSION): Promise<T> {
  const client = new Client(
    connectionOptions(url, 'admin', { ...session, connectionTimeoutMillis: DEADLINE_MS, query_timeout: DEADLINE_MS }),
  );
  try {
    await client.connect();
    return await work(async (sql) => (await client.query(sql)).rows);
  } finally {
    await client.end();
  }
}

/** Runs work on the embedded database; DirectoryInUse while a gateway owns it. */
export async function onDirectory<T>(directory: string, work: (run: RunStatement) => Promise<T>): Promise<T> {
  const claim = await claimDataDirectory(directory);
  try {
    const store = await PGlite.create(directory).catch(refusingDatabase(directory));
    try {
      return await work(async <R>(sql: string) => (await store.query<R>(sql)).rows);
    } finally {
      await store.close();
    }
  } finally {
    claim.release();
  }
}

/** Runs work on the database of the settings; a data directory that does not exist yet behaves like an empty database. */
export function onStore<T>({ databaseUrl, directUrl, dataDir }: Config, work: (run: RunStatement) => Promise<T>): Promise<T> {
  if (directUrl) return onPostgres(directUrl, work).catch(refusing('DATABASE_DIRECT_URL', directUrl));
  if (databaseUrl) return onPostgres(databaseUrl, work).catch(refusing('DATABASE_URL', databaseUrl));
  return existsSync(dataDir) ? onDirectory(dataDir, work) : work(async () => []);
}

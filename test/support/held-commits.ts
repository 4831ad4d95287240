// Holds the commits of writes of records, so that a test decides what they see of each other.
import { Client } from 'pg';
import type { Gateway } from './gateway.ts';

/**
 * Begins writes of records one after the other. Each has done its work when the next begins, unless it waits for one before it, and none commits until
 * all have begun: they wait for the table in which each reports itself.
 */
export async function commitTogether<T>(gateway: Gateway, writes: readonly (() => Promise<T>)[]): Promise<T[]> {
  const client = new Client({ connectionString: gateway.services.config.databaseUrl });
  await client.connect();
  try {
    await client.query('begin');
    await client.query('lock table sync in share mode');
    const begun: Promise<T>[] = [];
    for (const write of writes) {
      begun.push(write());
      const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      while ((await client.query(waiting)).rowCount !== begun.length);
    }
    await client.query('commit');
    return await Promise.all(begun);
  } finally {
    await client.end();
  }
}

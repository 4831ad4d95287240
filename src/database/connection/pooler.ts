// A connection pooler in transaction mode in front of PostgreSQL: how it is distinguished from a server, and what it can keep for a client.
import { randomUUID } from 'node:crypto';
import { Client, type ClientConfig } from 'pg';
import { connectionOptions } from '../../postgres-url.ts';
import type { Pooled } from '../read-path/read-path.ts';
import { POOLED, SERVING } from '../read-path/session.ts';
import { refuseOtherSettings } from './server-checks.ts';

/** What to do about a pooler without DATABASE_DIRECT_URL. */
const ADVICE =
  'DATABASE_URL leads to a connection pooler in transaction mode. Set DATABASE_DIRECT_URL to the PostgreSQL server behind it: migrations, notifications and the queue need sessions of their own';

/** A pooler that is quiet hands the session that was returned last to the next transaction, so a few attempts show it. */
const ATTEMPTS = 5;

type Queryable = Pick<Client, 'query'>;

const pidOf = async (client: Queryable): Promise<number> =>
  (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]!.pid;

/** Whether a connection reaches the server itself: the server sends its own process number when the connection starts, while a pooler invents one. */
const isDirect = async (client: Queryable & { processID?: number | null }): Promise<boolean> => client.processID === (await pidOf(client));

async function connected<T>(urls: string[], settings: ClientConfig, work: (clients: Client[]) => Promise<T>): Promise<T> {
  const clients = urls.map((url) => new Client(connectionOptions(url, 'start', settings)));
  try {
    for (const client of clients) {
      client.on('error', () => {});
      await client.connect();
    }
    return await work(clients);
  } finally {
    await Promise.allSettled(clients.map((client) => client.end()));
  }
}

/** The advice in place of the error of a connection that a pooler rejects for its settings; other errors as they are. */
export const connectionError = (error: Error): Error =>
  /unsupported startup parameter/.test(error.message) ? new Error(`${ADVICE}. It reported: ${error.message}`) : error;

/** Throws when a URL without DATABASE_DIRECT_URL leads to a pooler that hands every transaction another session: limits, locks and notifications would be lost silently. */
export async function refusePooler(client: Queryable & { processID?: number | null }, url: string): Promise<void> {
  if (await isDirect(client)) return;
  await connected([url, url], SERVING, async ([one, other]) => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) if ((await pidOf(one!)) === (await pidOf(other!))) throw new Error(ADVICE);
  });
}

/** What the pooler of DATABASE_URL can do. Throws when DATABASE_DIRECT_URL leads to a pooler, or to another server or database. */
export async function poolerOf(url: string, directUrl: string): Promise<Pooled> {
  return connected([url, directUrl], POOLED, async ([pooled, direct]) => {
    if (!(await isDirect(direct!))) throw new Error('DATABASE_DIRECT_URL leads to a pooler; it must reach the PostgreSQL server itself');
    if ((await placeOf(pooled!)) !== (await placeOf(direct!)))
      throw new Error('DATABASE_URL and DATABASE_DIRECT_URL lead to different servers or databases');
    await refuseOtherSettings(async (sql) => (await pooled!.query(sql)).rows);
    return { keepsStatements: (await isDirect(pooled!)) || (await keepsStatements(pooled!)) };
  });
}

/** What the start says about a pooler. */
export const poolerMessage = ({ keepsStatements }: Pooled): string =>
  `DATABASE_URL leads to a pooler: time limits are set in each transaction, and ${keepsStatements ? 'the pooler keeps prepared statements' : 'every read is parsed and planned again, because the pooler keeps no prepared statements'}`;

const placeOf = async (client: Client): Promise<string> => {
  const { rows } = await client.query<{ place: string }>(`select current_database() || ' ' || pg_postmaster_start_time() as place`);
  return rows[0]!.place;
};

/**
 * Whether the pooler keeps prepared statements for its clients, as PgBouncer does since 1.21 where `max_prepared_statements` is not 0. It then
 * gives them names of its own, so the server does not know ours.
 */
async function keepsStatements(client: Client): Promise<boolean> {
  const name = `gateway ${randomUUID()}`;
  await client.query('begin');
  const { rows } = await client.query({ name, text: 'select name from pg_prepared_statements where name = $1', values: [name] });
  if (rows.length > 0) await client.query(`deallocate "${name}"`);
  await client.query('commit');
  return rows.length === 0;
}

// Which engine keeps the rows: one PostgreSQL, or a coordinator that has distributed the tables of companies over workers with Citus.

import type { EntityManager } from '@mikro-orm/postgresql';
import { Client } from 'pg';

/** What an engine takes in another form than PostgreSQL. */
export interface Engine {
  readonly isDistributed: boolean;
}

const PROBE_MS = 2_000;

/** The catalogue of Citus is asked for by its name first, because a server without Citus does not know the table. */
const HAS_CATALOGUE = `select to_regclass('pg_catalog.pg_dist_partition') is not null and to_regclass('public.company') is not null as is`;
const HAS_COMPANIES = `select exists (select from pg_dist_partition where logicalrelid = 'public.company'::regclass and partmethod = 'h') as is`;

/** The engine behind an address, asked before the first connection of a pool: it decides how that one plans. An address without an answer is told of when the pool connects. */
export async function engineOf(connectionString: string | undefined): Promise<Engine> {
  if (connectionString === undefined) return { isDistributed: false };
  const client = new Client({ connectionString, connectionTimeoutMillis: PROBE_MS, query_timeout: PROBE_MS });
  client.on('error', () => {});
  const asked = async (sql: string): Promise<boolean> => (await client.query<{ is: boolean }>(sql)).rows[0]!.is;
  try {
    await client.connect();
    return { isDistributed: (await asked(HAS_CATALOGUE)) && (await asked(HAS_COMPANIES)) };
  } catch {
    return { isDistributed: false };
  } finally {
    await client.end().catch(() => {});
  }
}

/** Under this name the settings of the ORM carry the engine to every transaction; their published type leaves it out. */
const SETTING = 'engine' as never;

/** The settings of the ORM for an engine. */
export const engineSettings = (engine: Engine): object => ({ [SETTING as string]: engine });

/** Whether a transaction runs on a distributed engine. */
export const isDistributed = (em: EntityManager): boolean => (em.config.get(SETTING) as Engine).isDistributed;

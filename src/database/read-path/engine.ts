// Which engine keeps the rows: one PostgreSQL, or a coordinator that has distributed the tables of companies over workers with Citus.

import type { EntityManager } from '@mikro-orm/postgresql';
import { Client } from 'pg';
import { connectionOptions } from '../../postgres-url.ts';
import { COMMIT_MARK } from '../placement/steps.ts';
import { SESSION } from './session.ts';

/** What an engine takes in another form than PostgreSQL. */
export interface Engine {
  readonly isDistributed: boolean;
  /** Whether tables are distributed, or were being distributed or brought back when that was interrupted. */
  readonly isManaged: boolean;
}

const ONE_SERVER: Engine = { isDistributed: false, isManaged: false };

const PROBE_MS = 2_000;
const RESPONSE_MS = 6_000;
const NO_SUCH_DATABASE = '3D000';

/** The catalogue of Citus is asked for by its name first, because a server without Citus does not know the table. */
const HAS_CATALOGUE = `select to_regclass('pg_catalog.pg_dist_partition') is not null as "hasCatalogue"`;
const MANAGED = `select coalesce(bool_or(relname = 'company' and partmethod = 'h'), false) as "isDistributed", coalesce(bool_or(relname = '${COMMIT_MARK}'), false) as "isManaged"
  from pg_dist_partition join pg_class on pg_class.oid = logicalrelid where relnamespace = 'public'::regnamespace`;

/** The engine that a connection leads to. */
export async function engineIn(client: Pick<Client, 'query'>): Promise<Engine> {
  const { hasCatalogue } = (await client.query<{ hasCatalogue: boolean }>(HAS_CATALOGUE)).rows[0]!;
  return hasCatalogue ? (await client.query<Engine>(MANAGED)).rows[0]! : ONE_SERVER;
}

/**
 * The engine behind an address, asked before the first connection of a pool: it decides how that one plans. Throws where no server responds. A
 * gateway that treated a distributed database as one server would commit the parts of a write separately. A database that does not exist is not
 * distributed.
 */
export async function engineOf(url: string | undefined): Promise<Engine> {
  if (url === undefined) return ONE_SERVER;
  const client = new Client(connectionOptions(url, 'start', { ...SESSION, connectionTimeoutMillis: PROBE_MS, query_timeout: RESPONSE_MS }));
  client.on('error', () => {});
  try {
    await client.connect();
    return await engineIn(client);
  } catch (error) {
    if ((error as { code?: string }).code === NO_SUCH_DATABASE) return ONE_SERVER;
    throw error;
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

// The settings of a session: sent when a connection starts, and within each transaction where a pooler hands every transaction another session.
import type { PoolConfig } from 'pg';

/**
 * What the meaning of our statements relies on, whatever role, database and server have set. A pooler rejects it, so behind one the start looks
 * whether its sessions have it.
 */
export const MEANING: Readonly<Record<string, string>> = {
  IntervalStyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '1',
  standard_conforming_strings: 'on',
  transform_null_equals: 'off',
  array_nulls: 'on',
  search_path: 'public',
  default_transaction_isolation: 'read committed',
  default_transaction_deferrable: 'off',
};

/** Time limits in milliseconds, and what the texts and plans of our statements rely on. */
const SERVED: Readonly<Record<string, string>> = {
  TimeZone: 'UTC',
  DateStyle: 'ISO',
  // Every read is a prepared statement whose best plan does not depend on its values; planning each run took half the database time of a small read.
  plan_cache_mode: 'force_generic_plan',
  // A plan without values expects many rows. PostgreSQL therefore compiled statements for two seconds that run for a tenth of one.
  jit: 'off',
  statement_timeout: '5000',
  lock_timeout: '2000',
  idle_in_transaction_session_timeout: '15000',
};

const startOptions = (settings: Readonly<Record<string, string>>): string =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`)
    .join(' ');

/** Connections that have limits of their own: of the queue, for notifications, for commands of operators. */
export const SESSION: PoolConfig = { options: startOptions({ ...MEANING, statement_timeout: '0' }) };

// With the defaults of the driver, requests waited longer than 12 s for a database that dropped all packets.
const CLIENT: PoolConfig = { connectionTimeoutMillis: 2_000, keepAlive: true };

/** Longer than the server's own limit, for a server that does not respond at all. */
const RESPONSE_MS = 6_000;

/** Connections that serve requests, with further settings. */
export const servingWith = (settings: Readonly<Record<string, string>>): PoolConfig => ({
  ...CLIENT,
  query_timeout: RESPONSE_MS,
  options: startOptions({ ...MEANING, ...SERVED, ...settings }),
});

/** Connections that serve requests. */
export const SERVING = servingWith({});

/** The same through a pooler, which rejects the settings of a start or ignores them. */
export const POOLED: PoolConfig = { ...CLIENT, query_timeout: RESPONSE_MS };

/** A migration has no time limit, but waits for a lock no longer than a request does: all requests for the table would queue behind it. */
export const MIGRATING: PoolConfig = {
  ...CLIENT,
  options: startOptions({ ...MEANING, ...SERVED, statement_timeout: '0', idle_in_transaction_session_timeout: '0' }),
};

/** The settings as variables of a transaction, for a connection through a pooler. */
export const TRANSACTION_VARIABLES = SERVED;

/** Sets them until the transaction ends. No rows, so that it can run unseen in front of a read. */
export const SET_IN_TRANSACTION = `select 1 where ${Object.entries(SERVED)
  .map(([name, value]) => `set_config('${name}', '${value}', true) is null`)
  .join(' or ')}`;

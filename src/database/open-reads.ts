// Opens the reads of a database over the wire path. The plain path is used where it is set, or where the wire path fails its self-check.
import type { PGlite } from '@electric-sql/pglite';
import type { ClientConfig, Pool, PoolConfig } from 'pg';
import type { ReadPathName } from '../config.ts';
import { Turns } from '../runtime/turns.ts';
import { PooledClient } from './connection/pooled-client.ts';
import { unavailable } from './errors.ts';
import type { DataRows } from './read-path/data-rows.ts';
import { InTurns } from './read-path/in-turns.ts';
import { PlainEmbeddedReads, PlainPostgresReads } from './read-path/plain.ts';
import type { Pooled, ReadPath, ReadValues, Statement } from './read-path/read-path.ts';
import type { LogPosition } from './replicas/log-position.ts';
import { PrimaryLog } from './replicas/primary-log.ts';
import { type Freshness, ReadBalancer } from './replicas/read-balancer.ts';
import { RecentWrites } from './replicas/recent-writes.ts';
import { Replica } from './replicas/replica.ts';
import { installWire } from './wire/connection.ts';
import { QueryScheduler } from './wire/query-scheduler.ts';
import { wireProblem } from './wire/self-check.ts';

/** The reads of a database and of its replicas. */
export interface Reads {
  /** Which path was chosen. */
  readonly path: ReadPathName;
  /** Runs on the primary; with a freshness on a replica where one is fresh enough. */
  query(statement: Statement, values: ReadValues, freshness?: Freshness): Promise<DataRows>;
  readonly consistency: Consistency;
  close(): Promise<void>;
}

/** How reads on replicas see the writes before them. */
export interface Consistency {
  /** Announces to all processes that an organisation is written to, before the write begins; undefined when they know. */
  announceWrite(organisationId: number): Promise<void> | undefined;
  /** The consistency token of everything that is committed by now. */
  token(): Promise<string>;
  /** What the reads of a request must see: all writes of its organisation, or with a token those up to it. Undefined where only the primary serves. */
  freshness(organisationId: number, token?: LogPosition): Freshness | undefined;
  /** Seconds by which each replica is behind. */
  lags(): ReadonlyMap<string, number>;
  /** Number of reads by where they ran. */
  counts(): ReadonlyMap<string, number>;
}

export interface ReadSettings {
  path: ReadPathName;
  /** Called once, with the reason, when the wire path is set but not used. */
  warn: (message: string) => void;
  /** The turns at the connections of the database, where other work takes them too. */
  turns?: Turns;
}

export interface PostgresReadSettings extends ReadSettings {
  /** Set where the primary is reached through a pooler. */
  pooled?: Pooled | undefined;
  /** URLs of the replicas, and the settings of the pool of each. */
  replicas?: { urls: readonly string[]; pool: PoolConfig };
  /** A replica that is further behind serves no reads. */
  maxLagSeconds?: number;
}

class WireClient extends PooledClient {
  constructor(config?: string | ClientConfig) {
    super(config);
    installWire(this);
  }
}

/** The client of the pools of a path. */
export const clientOf = (path: ReadPathName): typeof PooledClient => (path === 'wire' ? WireClient : PooledClient);

/** The reads of PostgreSQL. The self-check takes one round trip, on the connection that serves the first read. */
export async function openPostgresReads(
  primary: Pool,
  {
    path: wanted,
    warn,
    turns = new Turns(primary.options.max),
    pooled,
    replicas: { urls, pool } = { urls: [], pool: {} },
    maxLagSeconds = 5,
  }: PostgresReadSettings,
): Promise<Reads> {
  const plain = new PlainPostgresReads(primary, pooled);
  const wire = new QueryScheduler(primary, { pooled, turns });
  const path = wanted === 'wire' ? await checked(() => wireProblem((reads) => wire.together(reads)), plain, warn) : wanted;
  const readsOver = (pool: Pool): ReadPath =>
    path === 'wire' ? new QueryScheduler(pool) : new InTurns(new PlainPostgresReads(pool), new Turns(pool.options.max));
  const replicas = urls.map((url) => {
    const { host } = new URL(url);
    const changed = (reason?: string): void =>
      warn(reason === undefined ? `the replica ${host} serves reads` : `the replica ${host} serves no reads: ${reason}`);
    return new Replica({ url, pool: { ...pool, Client: clientOf(path) }, readsOver, changed });
  });
  const primaryReads: ReadPath = path === 'wire' ? wire : new InTurns(plain, turns);
  const log = new PrimaryLog(primaryReads);
  const recentWrites = new RecentWrites(primary);
  const balancer = new ReadBalancer(primaryReads, log, replicas, maxLagSeconds);
  return {
    path,
    query: (statement, values, freshness) => balancer.query(statement, values, freshness),
    consistency: {
      announceWrite: (organisationId) => recentWrites.announce(organisationId),
      token: async () => (await log.ask()).text,
      freshness: (organisationId, token) => balancer.freshness(organisationId, token),
      lags: () => balancer.lags(),
      counts: () => balancer.counts(),
    },
    close: () => balancer.close(),
  };
}

/** The embedded database is its only copy, so every read sees every write, and all of them have one token. */
const onlyCopy: Consistency = {
  announceWrite: () => undefined,
  token: async () => '0/0',
  freshness: () => undefined,
  lags: () => new Map(),
  counts: () => new Map(),
};

/** The reads of the embedded database. */
export async function openEmbeddedReads(client: PGlite, { path: wanted, warn, turns = new Turns(1) }: ReadSettings): Promise<Reads> {
  const plain = new PlainEmbeddedReads(client);
  const { WireEmbeddedReads } = await import('./wire/embedded-reads.ts');
  const wire = new WireEmbeddedReads(client);
  const send = () => wireProblem((reads) => reads.map(({ statement, values }) => wire.query(statement, values)));
  const path = wanted === 'wire' ? await checked(send, plain, warn) : wanted;
  const reads = new InTurns(path === 'wire' ? wire : plain, turns);
  return { path, query: (statement, values) => reads.query(statement, values), consistency: onlyCopy, close: async () => {} };
}

/** Chooses the path by the self-check. Throws, as every read would, when the database itself does not respond. */
async function checked(check: () => Promise<unknown>, plain: ReadPath, warn: (message: string) => void): Promise<ReadPathName> {
  let problem = await check();
  if (unavailable(problem)) {
    // A broken wire path may look like a lost connection or a database that does not respond. The plain path shows which it is, and the check is repeated.
    await plain.query({ name: 'self-check plain', text: 'select 1' }, []);
    problem = await check();
  }
  if (problem === undefined) return 'wire';
  const reason = problem instanceof Error ? problem.message : String(problem);
  warn(`reads take the plain path, which costs more CPU, because the wire path failed its self-check: ${reason}`);
  return 'plain';
}

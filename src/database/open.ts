// Opens the database (PostgreSQL, or the embedded PGlite), runs migrations, and offers prepared statements for reads and ORM transactions for writes.
import type { PGlite } from '@electric-sql/pglite';
import { Migrator } from '@mikro-orm/migrations';
import { MikroORM as PgliteORM } from '@mikro-orm/pglite';
import type { EntityManager } from '@mikro-orm/postgresql';
import { MikroORM, type Options } from '@mikro-orm/postgresql';
import { CompiledQuery, type Transaction } from 'kysely';
import { Pool, type PoolConfig, type QueryConfig } from 'pg';
import { GatewayError } from '../records/errors.ts';
import { APPLICATION_ROLE } from '../records/tenancy.ts';
import { grantToApplicationRole, takeApplicationRole } from './application-role.ts';
import { claimDataDirectory, type DirectoryClaim } from './directory-lock.ts';
import { ensureRoom } from './disk-space.ts';
import { migrationClasses } from './migrations.ts';
import { PooledClient } from './wire/client.ts';
import type { DataRows, TextRow } from './wire/data-rows.ts';
import { embeddedReads } from './wire/pglite-client.ts';
import type { Statement } from './wire/pipelined-query.ts';
import { QueryScheduler } from './wire/query-scheduler.ts';

export type { EntityManager, Statement, TextRow };

/** Handle on the open database. */
export interface Database {
  readonly kind: 'postgres' | 'pglite';
  readonly orm: MikroORM;
  /** Whether write transactions can switch to the role that row-level security applies to. */
  readonly rowSecurity: boolean;
  /** Runs one read and returns the database's text per column. `primary` reads from the primary even where replicas are configured. */
  read(statement: Statement, values: readonly (string | null)[], primary?: boolean): Promise<TextRow[]>;
  /** The same, with the rows as received bytes. */
  readRows(statement: Statement, values: readonly (string | null)[], primary?: boolean): Promise<DataRows>;
  /** The pg pool of the primary, or the PGlite instance. */
  native(): Promise<Pool | PGlite>;
  /** Number of statements sent since the start, by reads and by the ORM. */
  statements(): number;
  /** Throws SERVICE_UNAVAILABLE when the disk of the embedded database has no space for another write. */
  ensureRoom(): void;
  /** Runs a write during which the database does not close; SERVICE_UNAVAILABLE once it is closing. */
  holdOpen<T>(write: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** PostgreSQL connection URL; undefined opens the embedded database. */
  url?: string | undefined;
  replicaUrls?: string[];
  poolMax?: number;
  /** Directory of the embedded database; undefined keeps it in memory. */
  dataDir?: string | undefined;
  /** Initial content of a new embedded database: a dump of another one. */
  snapshot?: Blob | undefined;
  // biome-ignore lint/complexity/noBannedTypes: MikroORM takes entity classes as functions.
  entities: Function[];
  log: (message: string) => void;
  /** Conditions under which the database otherwise refuses to open. */
  allow?: { create?: boolean; newerSchema?: boolean; noRowSecurity?: boolean };
}

// With the defaults of the driver, requests waited longer than 12 s for a database that dropped all packets.
const DEADLINES: PoolConfig = {
  connectionTimeoutMillis: 2_000,
  // Longer than the server's own limit, for a server that does not answer at all.
  query_timeout: 6_000,
  statement_timeout: 5_000,
  lock_timeout: 2_000,
  idle_in_transaction_session_timeout: 15_000,
  // Every read is a prepared statement whose best plan does not depend on its values; planning each run took half the database time of a small read.
  options: '-c TimeZone=UTC -c DateStyle=ISO -c plan_cache_mode=force_generic_plan',
  keepAlive: true,
};

/** A migration has no time limit, but waits for a lock no longer than a request does, because all requests for the table would queue behind it. */
const MIGRATING: PoolConfig = {
  connectionTimeoutMillis: 2_000,
  lock_timeout: 2_000,
  options: `${DEADLINES.options} -c statement_timeout=0`,
  keepAlive: true,
};

/** How long a process waits while another one migrates. */
const MIGRATIONS_MS = 3_600_000;

/** Opens the database and brings its schema up to date. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const claim = options.url || !options.dataDir ? undefined : await claimDataDirectory(options.dataDir);
  try {
    return await open(options, claim);
  } catch (error) {
    claim?.release();
    throw error;
  }
}

async function open(options: DatabaseOptions, claim: DirectoryClaim | undefined): Promise<Database> {
  let statements = 0;
  const common = {
    entities: options.entities as never,
    allowGlobalContext: false,
    extensions: [Migrator],
    // The ORM would create a missing database, so a mistyped name would start on an empty one.
    ensureDatabase: options.allow?.create === true,
    migrations: { migrationsList: migrationClasses(), snapshot: false, allOrNothing: true, transactional: true },
    schemaGenerator: { createForeignKeyConstraints: false, ignoreSchema: ['pgboss'] },
    // The ORM's log is the only place to count each of its statements; it prints nothing.
    debug: ['query'],
    logger: () => {},
    loggerFactory: () => countingLogger(() => statements++),
    discovery: { warnWhenNoEntities: false },
  } as unknown as Options;
  const orm: MikroORM = options.url
    ? await MikroORM.init({
        ...common,
        clientUrl: options.url,
        pool: { min: 0, max: options.poolMax ?? 10 },
        // A function, because the ORM would copy a plain object.
        driverOptions: (() => ({ ...DEADLINES, Client: PooledClient })) as never,
      })
    : // A function again, because a copied Blob is not a Blob.
      ((await PgliteORM.init({
        ...common,
        dbName: options.dataDir ?? 'memory://',
        driverOptions: () => (options.snapshot ? { loadDataDir: options.snapshot } : {}),
      } as never)) as unknown as MikroORM);
  const openForMigrations = (): Promise<MikroORM> =>
    MikroORM.init({
      ...common,
      entities: [],
      clientUrl: options.url!,
      pool: { min: 0, max: 1 },
      driverOptions: (() => MIGRATING) as never,
    });
  const rowSecurity = await bringUpToDate(orm, options, openForMigrations).catch(async (error: unknown) => {
    await orm.close(true).catch(() => {});
    throw error;
  });
  claim?.settle();
  const reads: Reads = options.url
    ? await postgresReads(orm, options.replicaUrls ?? [], options.poolMax ?? 10)
    : { query: await embeddedReads((await nativeClient(orm)) as PGlite), close: async () => {} };
  const directory = options.url ? undefined : options.dataDir;
  const writes = new Set<Promise<void>>();
  let isClosing = false;
  const readRows: Database['readRows'] = (statement, values, primary = false) => {
    statements++;
    return reads.query(statement, values, primary);
  };
  return {
    kind: options.url ? 'postgres' : 'pglite',
    orm,
    rowSecurity,
    read: async (statement, values, primary) => (await readRows(statement, values, primary)).texts(),
    readRows,
    native: () => nativeClient(orm),
    statements: () => statements,
    ensureRoom: () => {
      if (directory) ensureRoom(directory);
    },
    holdOpen: (write) => {
      if (isClosing) return Promise.reject(new GatewayError('SERVICE_UNAVAILABLE', 'the service is stopping', { retryAfterSeconds: 1 }));
      const result = write();
      const settled = result.then(
        () => void writes.delete(settled),
        () => void writes.delete(settled),
      );
      writes.add(settled);
      return result;
    },
    close: async () => {
      isClosing = true;
      // A transaction on a closed embedded database fails where nothing awaits it, which would end the process with an error.
      await Promise.all(writes);
      await reads.close();
      await orm.close(true);
      claim?.release();
    },
  };
}

const countingLogger = (count: () => void) => ({
  log: count,
  warn: () => {},
  error: () => {},
  logQuery: count,
  setDebugMode: () => {},
  isEnabled: () => true,
});

function nativeClient(orm: MikroORM): Promise<Pool | PGlite> {
  return (orm.em.getConnection() as unknown as { getNativeClient(): Promise<Pool | PGlite> }).getNativeClient();
}

/**
 * Throws for a database this program should not use, applies the pending migrations, and returns whether row-level security is on. On
 * PostgreSQL an advisory lock makes a second process wait instead of migrating at the same time, and migrations run on a connection of their own.
 */
async function bringUpToDate(orm: MikroORM, options: DatabaseOptions, openForMigrations: () => Promise<MikroORM>): Promise<boolean> {
  const { url, allow = {} } = options;
  const pool = url ? ((await nativeClient(orm)) as Pool) : undefined;
  const client = await pool?.connect().catch((error: { code?: string }) => {
    throw error.code === NO_SUCH_DATABASE ? missingDatabase(url!) : error;
  });
  try {
    const text = "set statement_timeout = 0; set lock_timeout = 0; select pg_advisory_lock(hashtext('ledger-gateway migrations'))";
    await client?.query({ text, query_timeout: MIGRATIONS_MS } as QueryConfig);
    const pending = await orm.migrator.getPending();
    await refuseNewerSchema(orm, options);
    const toRun = await takeApplicationRole(orm);
    if (toRun && !allow.noRowSecurity)
      throw new Error(
        `row-level security would be off: the database user may not take the role ${APPLICATION_ROLE}. Have an administrator of the server run "${toRun}", or set DATABASE_ALLOW_NO_ROW_SECURITY=true to start without it`,
      );
    if (pending.length > 0) {
      options.log(`applying ${pending.length} migration${pending.length === 1 ? '' : 's'}`);
      const migrating = url ? await openForMigrations() : orm;
      await migrating.migrator.up();
      if (migrating !== orm) await migrating.close(true);
    }
    if (!toRun && (await grantToApplicationRole(orm))) return true;
    if (!allow.noRowSecurity)
      throw new Error(
        `row-level security would be off: the role ${APPLICATION_ROLE} has no rights on the tables, and the database user may not grant them. Use the user that owns the tables, or set DATABASE_ALLOW_NO_ROW_SECURITY=true to start without it`,
      );
    options.log('row-level security is off, as DATABASE_ALLOW_NO_ROW_SECURITY allows');
    return false;
  } finally {
    // The connection has changed settings and the lock, so it is closed instead of returned to the pool.
    client?.release(true);
  }
}

const NO_SUCH_DATABASE = '3D000';

function missingDatabase(url: string): Error {
  const { pathname, host } = new URL(url);
  return new Error(
    `there is no database ${decodeURIComponent(pathname.slice(1))} on ${host}. Check the name in DATABASE_URL and create the database, or set DATABASE_ALLOW_CREATE=true to have it created`,
  );
}

async function refuseNewerSchema(orm: MikroORM, { allow, log }: DatabaseOptions): Promise<void> {
  const known = new Set(migrationClasses().map(({ name }) => name));
  const applied = await orm.em.getConnection().execute<{ name: string }[]>('select name from mikro_orm_migrations order by id');
  const unknown = applied.map(({ name }) => name).filter((name) => !known.has(name));
  if (unknown.length === 0) return;
  const message = `the database has migrations this program does not know, so a newer or different program made it: ${unknown.join(', ')}`;
  if (!allow?.newerSchema) throw new Error(`${message}. Start that program, or set DATABASE_ALLOW_NEWER_SCHEMA=true to start this one`);
  log(message);
}

interface Reads {
  query(statement: Statement, values: readonly (string | null)[], primary: boolean): Promise<DataRows>;
  close(): Promise<void>;
}

async function postgresReads(orm: MikroORM, replicaUrls: string[], max: number): Promise<Reads> {
  const primaryPool = (await nativeClient(orm)) as Pool;
  const replicas = replicaUrls.map((connectionString) => new Pool({ ...DEADLINES, Client: PooledClient, connectionString, max }));
  for (const replica of replicas) replica.on('error', () => {});
  const primaryScheduler = new QueryScheduler(primaryPool);
  const replicaSchedulers = replicas.map((replica) => new QueryScheduler(replica));
  let next = 0;
  return {
    query(statement, values, primary) {
      const scheduler = primary || replicas.length === 0 ? primaryScheduler : replicaSchedulers[next++ % replicas.length]!;
      return scheduler.read(statement, values);
    },
    close: async () => {
      await Promise.all(replicas.map((replica) => replica.end()));
    },
  };
}

/** Runs one SQL statement with numbered parameters inside the entity manager's open transaction. */
export async function executeIn<T = Record<string, unknown>>(em: EntityManager, text: string, values: unknown[] = []): Promise<T[]> {
  const transaction = em.getTransactionContext() as Transaction<unknown> | undefined;
  if (!transaction) throw new Error('a write needs an open transaction');
  const logger = em.config.getLogger();
  logger.logQuery({ query: text } as never);
  const result = await transaction.executeQuery<T>(CompiledQuery.raw(text, values));
  return result.rows;
}

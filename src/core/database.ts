// Opens the database (PostgreSQL, or the embedded PGlite), runs migrations, and offers the two ways in: prepared statements for reads, ORM transactions for writes.
import type { PGlite } from '@electric-sql/pglite';
import { Migrator } from '@mikro-orm/migrations';
import { MikroORM as PgliteORM } from '@mikro-orm/pglite';
import type { EntityManager } from '@mikro-orm/postgresql';
import { MikroORM, type Options } from '@mikro-orm/postgresql';
import { CompiledQuery, type Transaction } from 'kysely';
import { Pool, type PoolConfig, type QueryConfig } from 'pg';
import { claimDataDirectory, type DirectoryClaim } from './data-directory.ts';
import { ensureRoom } from './disk-room.ts';
import { embeddedReads } from './embedded-reads.ts';
import { migrationClasses } from './migrations.ts';
import { PooledClient } from './pooled-client.ts';
import type { Statement } from './read-group.ts';
import { ReadLane } from './read-lane.ts';
import { APPLICATION_ROLE } from './tenancy.ts';
import type { TextRow, WireRows } from './wire-rows.ts';

export type { EntityManager, Statement };

/** Handle on the open database. */
export interface Database {
  readonly kind: 'postgres' | 'pglite';
  readonly orm: MikroORM;
  /** Whether write transactions can take the role that row-level security applies to. */
  readonly rowSecurity: boolean;
  /** Runs one read; rows are the database's text. `primary` reads from the primary even where replicas are configured. */
  read(statement: Statement, values: readonly (string | null)[], primary?: boolean): Promise<TextRow[]>;
  /** The same with the rows as they came. */
  readWire(statement: Statement, values: readonly (string | null)[], primary?: boolean): Promise<WireRows>;
  /** The pg pool of the primary, or the PGlite instance. */
  native(): Promise<Pool | PGlite>;
  /** Number of statements sent since the start, by reads and by the ORM. */
  statements(): number;
  /** Throws SERVICE_UNAVAILABLE when the disk under the embedded database has no room for another write. */
  ensureRoom(): void;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** PostgreSQL connection URL; undefined opens the embedded database. */
  url?: string | undefined;
  replicaUrls?: string[];
  poolMax?: number;
  /** Directory of the embedded database; undefined keeps it in memory. */
  dataDir?: string | undefined;
  /** Content a new embedded database starts with: a dump of another one. */
  snapshot?: Blob | undefined;
  // biome-ignore lint/complexity/noBannedTypes: MikroORM takes entity classes as functions.
  entities: Function[];
  log: (message: string) => void;
}

// With driver defaults a black-holed database held requests past 12 s.
const DEADLINES: PoolConfig = {
  connectionTimeoutMillis: 2_000,
  // Above the server's own limit: it ends the wait for a server that does not answer at all.
  query_timeout: 6_000,
  statement_timeout: 5_000,
  lock_timeout: 2_000,
  idle_in_transaction_session_timeout: 15_000,
  // Every read is a prepared statement whose best plan does not depend on its values; planning it again cost a small read half its database time.
  options: '-c TimeZone=UTC -c DateStyle=ISO -c plan_cache_mode=force_generic_plan',
  keepAlive: true,
};

/** A migration works for as long as its data takes, but never queues for a table for longer than a request: everybody else would queue behind it. */
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
    migrations: { migrationsList: migrationClasses(), snapshot: false, allOrNothing: true, transactional: true },
    schemaGenerator: { createForeignKeyConstraints: false, ignoreSchema: ['pgboss'] },
    // The ORM's log is the only place that sees each of its statements; nothing is printed.
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
        // As a function, because the ORM copies plain ones.
        driverOptions: (() => ({ ...DEADLINES, Client: PooledClient })) as never,
      })
    : // As a function again: a copy of a Blob is none.
      ((await PgliteORM.init({
        ...common,
        dbName: options.dataDir ?? 'memory://',
        driverOptions: () => (options.snapshot ? { loadDataDir: options.snapshot } : {}),
      } as never)) as unknown as MikroORM);
  await migrate(orm, options, () =>
    MikroORM.init({
      ...common,
      entities: [],
      clientUrl: options.url!,
      pool: { min: 0, max: 1 },
      driverOptions: (() => MIGRATING) as never,
    }),
  );
  claim?.settle();
  const reads: Reads = options.url
    ? await postgresReads(orm, options.replicaUrls ?? [], options.poolMax ?? 10)
    : { query: await embeddedReads((await nativeClient(orm)) as PGlite), close: async () => {} };
  const directory = options.url ? undefined : options.dataDir;
  const rowSecurity = await canTakeApplicationRole(orm);
  if (!rowSecurity) options.log(`row-level security is off: the database user may not take the role ${APPLICATION_ROLE}`);
  const readWire: Database['readWire'] = (statement, values, primary = false) => {
    statements++;
    return reads.query(statement, values, primary);
  };
  return {
    kind: options.url ? 'postgres' : 'pglite',
    orm,
    rowSecurity,
    read: async (statement, values, primary) => (await readWire(statement, values, primary)).texts(),
    readWire,
    native: () => nativeClient(orm),
    statements: () => statements,
    ensureRoom: () => {
      if (directory) ensureRoom(directory);
    },
    close: async () => {
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

/** Applies the pending migrations. On PostgreSQL an advisory lock makes a second process wait instead of running them twice, and they have connections of their own. */
async function migrate(orm: MikroORM, options: DatabaseOptions, openPatient: () => Promise<MikroORM>): Promise<void> {
  const pool = options.url ? ((await nativeClient(orm)) as Pool) : undefined;
  const client = await pool?.connect();
  try {
    const text = "set statement_timeout = 0; set lock_timeout = 0; select pg_advisory_lock(hashtext('ledger-gateway migrations'))";
    await client?.query({ text, query_timeout: MIGRATIONS_MS } as QueryConfig);
    const pending = await orm.migrator.getPending();
    if (pending.length > 0) {
      options.log(`applying ${pending.length} migration${pending.length === 1 ? '' : 's'}`);
      const patient = options.url ? await openPatient() : orm;
      await patient.migrator.up();
      if (patient !== orm) await patient.close(true);
    }
  } finally {
    // The connection carries a changed setting and the lock, so it is closed instead of going back to the pool.
    client?.release(true);
  }
}

async function canTakeApplicationRole(orm: MikroORM): Promise<boolean> {
  const rows = await orm.em
    .getConnection()
    .execute<{ can: boolean }[]>(
      `select exists (select 1 from pg_roles where rolname = '${APPLICATION_ROLE}') and pg_has_role('${APPLICATION_ROLE}', 'member') as can`,
    )
    .catch(() => [{ can: false }]);
  return rows[0]?.can === true;
}

interface Reads {
  query(statement: Statement, values: readonly (string | null)[], primary: boolean): Promise<WireRows>;
  close(): Promise<void>;
}

async function postgresReads(orm: MikroORM, replicaUrls: string[], max: number): Promise<Reads> {
  const primaryPool = (await nativeClient(orm)) as Pool;
  const replicas = replicaUrls.map((connectionString) => new Pool({ ...DEADLINES, Client: PooledClient, connectionString, max }));
  for (const replica of replicas) replica.on('error', () => {});
  const primaryLane = new ReadLane(primaryPool);
  const replicaLanes = replicas.map((replica) => new ReadLane(replica));
  let turn = 0;
  return {
    query(statement, values, primary) {
      const lane = primary || replicas.length === 0 ? primaryLane : replicaLanes[turn++ % replicas.length]!;
      return lane.read(statement, values);
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

// Opens the database (PostgreSQL, or the embedded PGlite), runs migrations, and offers prepared statements for reads and ORM transactions for writes.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { PGlite } from '@electric-sql/pglite';
import { Migrator } from '@mikro-orm/migrations';
import type { EntityManager } from '@mikro-orm/postgresql';
import { MikroORM, type Options } from '@mikro-orm/postgresql';
import { CompiledQuery, type Transaction } from 'kysely';
import { Pool, type PoolClient, type PoolConfig } from 'pg';
import type { ReadPathName } from '../config.ts';
import { connectionOptions, databaseOf, type Purpose } from '../postgres-url.ts';
import { GatewayError } from '../records/errors.ts';
import { modelOf, type RecordClass } from '../records/metadata.ts';
import { declareRelations } from '../records/orm-relations.ts';
import { APPLICATION_ROLE } from '../records/tenancy.ts';
import { countStatement } from '../runtime/statement-count.ts';
import { Turns } from '../runtime/turns.ts';
import { grantToApplicationRole, takeApplicationRole } from './application-role.ts';
import { ChangeTimes } from './change-times.ts';
import { prepareEmbedded } from './connection/embedded-client.ts';
import { waitWhileServerIsFull } from './connection/full-server.ts';
import { connectionError, poolerMessage, poolerOf, refusePooler } from './connection/pooler.ts';
import { missingTables, refuseUnfit } from './connection/server-checks.ts';
import { claimDataDirectory, DATABASE_FILE, type DirectoryClaim, refusingDatabase } from './directory-lock.ts';
import { ensureRoom, refuseFullDisk } from './disk-space.ts';
import { type Engine, engineSettings, type PendingCommits, runOn } from './engine/engine.ts';
import { engineAt, engineIn } from './engines.ts';
import { lockRefused, messageOf } from './errors.ts';
import { type MigrationFile, migrationClasses, migrationFiles } from './migrations/files.ts';
import { noteProgram, programFor, schemaState } from './migrations/state.ts';
import { type Consistency, clientOf, openEmbeddedReads, openPostgresReads, type Reads } from './open-reads.ts';
import type { DataRows, TextRow } from './read-path/data-rows.ts';
import type { Pooled, ReadValues, Statement } from './read-path/read-path.ts';
import { MIGRATING, SERVING, TRANSACTION_VARIABLES } from './read-path/session.ts';
import { refusing } from './refusals.ts';
import type { Freshness } from './replicas/read-balancer.ts';
import { SettledTimes } from './settled.statements.ts';
import { TableStatistics } from './statistics/table-statistics.ts';

export type { EntityManager, Freshness, Statement, TextRow };

/** Handle on the open database. */
export interface Database {
  readonly kind: 'postgres' | 'pglite';
  readonly orm: MikroORM;
  /** Whether write transactions can switch to the role that row-level security applies to. */
  readonly rowSecurity: boolean;
  /** The newest migration that the database had when this process started. */
  readonly schema: string;
  /** Settings that each write transaction makes for itself, where its session cannot have them from its start. */
  readonly transactionVariables: Readonly<Record<string, string>>;
  /** Runs one read on the primary, or with a freshness on a replica that is fresh enough, and returns the database's text per column. */
  read(statement: Statement, values: ReadValues, freshness?: Freshness): Promise<TextRow[]>;
  /** The same, with the rows as received bytes. */
  readRows(statement: Statement, values: ReadValues, freshness?: Freshness): Promise<DataRows>;
  /** The settled times of organisations. */
  readonly settledTimes: SettledTimes;
  /** Companies whose commits reads may not see yet, which only an engine of several nodes has. */
  readonly pendingCommits: PendingCommits;
  /** Throws SERVICE_UNAVAILABLE where there are such companies: what is read up to a settled time would lack their rows for ever. */
  requireCommits(companyIds: readonly number[]): Promise<void>;
  /** How reads on replicas see the writes before them. */
  readonly consistency: Consistency;
  /** The turns at the connections of the primary, which one organisation never has all of. */
  readonly turns: Turns;
  /** The pg pool of the primary, or the PGlite instance. */
  native(): Promise<Pool | PGlite>;
  /** Number of statements sent for callers since the start, by reads and by the ORM: for requests, subscriptions and jobs. */
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
  /** URL of the server behind the pooler that `url` leads to. */
  directUrl?: string | undefined;
  replicaUrls?: string[];
  /** A replica that is further behind serves no reads. */
  replicaMaxLagSeconds?: number;
  poolMax?: number;
  /** Directory of the embedded database; undefined keeps it in memory. */
  dataDir?: string | undefined;
  /** Initial content of a new embedded database: a dump of another one. */
  snapshot?: Blob | undefined;
  /** What leads to the database, as messages name it; without it the setting of the URL. */
  setting?: string;
  entities: readonly RecordClass[];
  log: (message: string, level?: 'info' | 'warn') => void;
  /** How reads reach the database; without it over the wire. */
  readPath?: ReadPathName;
  /** The migrations to apply; the default is those of this program. */
  migrations?: readonly MigrationFile[];
  /** Conditions under which the database otherwise refuses to open. */
  allow?: { create?: boolean; missingTables?: boolean; newerSchema?: boolean; noRowSecurity?: boolean };
}

/** The options, with the migrations to apply and the engine that takes them. */
type MigratingOptions = DatabaseOptions & { setting: string; migrations: readonly MigrationFile[]; engine: Engine };

/** How long a process waits while another one migrates, and how often it asks. */
const MIGRATIONS_MS = 3_600_000;
const MIGRATIONS_POLL_MS = 250;

/** Pauses before a migration that got no lock is tried again; the requests that queued behind it are served in the meantime. */
const LOCK_PAUSES_MS = [1_000, 2_000, 4_000, 8_000, 15_000];

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

/** How the ORM connects to a server. The name of the database is its own to change: it creates a missing one over another. */
function ormOptions(url: string, purpose: Purpose, settings: PoolConfig): Pick<Options, 'dbName' | 'driverOptions'> {
  const driverOptions = () => {
    const { database: _, ...options } = connectionOptions(url, purpose, settings);
    return options;
  };
  // A function, because the ORM would copy a plain object.
  return { dbName: databaseOf(url), driverOptions };
}

/** The files of an empty database as the library ships them: unpacking them takes 1.8 s of CPU, creating them 5.3 s. */
async function emptyDatabase(): Promise<Blob> {
  const { dataDir } = await import('@electric-sql/pglite-prepopulatedfs');
  return dataDir();
}

/** Pages that the embedded database keeps for itself, in memory that it never returns. The system caches its files too. */
const BUFFERS = '16MB';

/** Opens the embedded database, whose modules take 5 MB that a gateway on PostgreSQL does without. */
async function openEmbedded(common: Options, { dataDir, snapshot }: DatabaseOptions): Promise<MikroORM> {
  const [{ MikroORM: EmbeddedORM }, { PGlite }, { btree_gin }, { pg_trgm }] = await Promise.all([
    import('@mikro-orm/pglite'),
    import('@electric-sql/pglite'),
    import('@electric-sql/pglite/contrib/btree_gin'),
    import('@electric-sql/pglite/contrib/pg_trgm'),
  ]);
  const isNew = !dataDir || !existsSync(join(dataDir, DATABASE_FILE));
  if (dataDir) refuseFullDisk(dataDir, isNew);
  const content = snapshot ?? (isNew ? await emptyDatabase() : undefined);
  return EmbeddedORM.init({
    ...common,
    dbName: dataDir ?? 'memory://',
    // A function, because a copied Blob is not a Blob.
    driverOptions: () => ({
      startParams: [...PGlite.defaultStartParams, '-c', `shared_buffers=${BUFFERS}`],
      extensions: { btree_gin, pg_trgm },
      ...(content ? { loadDataDir: content } : {}),
    }),
  });
}

async function open(options: DatabaseOptions, claim: DirectoryClaim | undefined): Promise<Database> {
  const migrations = options.migrations ?? migrationFiles();
  const { poolMax = 10 } = options;
  let statements = 0;
  const count = (): void => {
    if (countStatement()) statements++;
  };
  declareRelations(options.entities.map((entity) => modelOf(entity)));
  const direct = options.directUrl ?? options.url;
  const setting = options.setting ?? (options.directUrl ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL');
  const refuse = refusing(setting, direct);
  const engine = await engineAt(direct)
    .catch((error: Error) => {
      throw connectionError(error);
    })
    .catch(refuse);
  const serving = options.directUrl ? engine.pooledSession : engine.session;
  if (!serving) throw new Error('a pooler in front of a distributed database is not supported');
  const common = {
    ...engineSettings(engine),
    entities: options.entities,
    allowGlobalContext: false,
    extensions: [Migrator],
    subscribers: [new ChangeTimes()],
    // The ORM would create a missing database, so a mistyped name would start on an empty one.
    ensureDatabase: options.allow?.create === true,
    // Each migration commits on its own. One that runs without a transaction cannot be part of a larger one, and a start continues where the last one
    // ended.
    migrations: { migrationsList: migrationClasses(migrations), snapshot: false, allOrNothing: false, transactional: true },
    schemaGenerator: { createForeignKeyConstraints: false, ignoreSchema: ['pgboss'], skipViews: [/^citus_/] },
    // The ORM's log is the only place to count each of its statements; it prints nothing.
    debug: ['query'],
    logger: () => {},
    loggerFactory: () => countingLogger(count),
    // Relations repeat columns that are properties of their own, with the key of the company in several of them.
    discovery: { warnWhenNoEntities: false, checkNonPersistentCompositeProps: false },
    // A join with the target of every relation, to filter it by its organisation, would cost every read; the foreign keys hold that rule.
    autoJoinRefsForFilters: false,
  } as unknown as Options;
  const orm: MikroORM = options.url
    ? await MikroORM.init({
        ...common,
        ...ormOptions(options.url, 'requests', {
          ...serving,
          Client: clientOf(options.readPath ?? 'wire'),
        } as PoolConfig),
        pool: { min: 0, max: poolMax },
      }).catch(refuse)
    : await openEmbedded(common, options);
  const { url: servedUrl, directUrl } = options;
  const openDirect = (config: PoolConfig, max: number): Promise<MikroORM> =>
    MikroORM.init({
      ...common,
      entities: [],
      ...ormOptions(directUrl ?? servedUrl!, 'migrations', config),
      pool: { min: 0, max },
    });
  const closeAfter = async (error: unknown): Promise<never> => {
    await orm.close(true).catch(() => {});
    throw error;
  };
  const pooled =
    servedUrl && directUrl ? await poolerOf(servedUrl, directUrl).catch(refusing('DATABASE_URL', servedUrl)).catch(closeAfter) : undefined;
  if (pooled) options.log(poolerMessage(pooled));
  // The lock of migrations belongs to a session, which a pooler would hand to someone else.
  const session = pooled ? await openDirect(SERVING, 2).catch(closeAfter) : orm;
  const rowSecurity = await bringUpToDate(session, { ...options, setting, migrations, engine }, () => openDirect(MIGRATING, 1))
    .catch(refuse)
    .finally(() => pooled && session.close(true))
    .catch(closeAfter);
  claim?.settle();
  const { newest } = await schemaState((sql) => orm.em.getConnection().execute(sql), migrations).catch(closeAfter);
  const turns = new Turns(options.url ? poolMax : 1);
  const native = await nativeClient(orm);
  if (native instanceof Pool) waitWhileServerIsFull(native);
  const reads = await openReads(native, options, turns, pooled).catch(closeAfter);
  const directory = options.url ? undefined : options.dataDir;
  const statistics = new TableStatistics(await nativeClient(orm), (error) =>
    options.log(`the statistics of tables are not kept: ${(error as Error).message}`, 'warn'),
  );
  const writes = new Set<Promise<void>>();
  let isClosing = false;
  const readRows: Database['readRows'] = (statement, values, freshness) => {
    count();
    return reads.query(statement, values, freshness);
  };
  const read: Database['read'] = async (statement, values, freshness) => (await readRows(statement, values, freshness)).texts();
  const pendingCommits = engine.pendingCommits?.(read) ?? noPendingCommits;
  return {
    kind: options.url ? 'postgres' : 'pglite',
    orm,
    rowSecurity,
    schema: newest!,
    transactionVariables: pooled ? TRANSACTION_VARIABLES : {},
    read,
    readRows,
    settledTimes: new SettledTimes(read),
    pendingCommits,
    requireCommits: async (companyIds) => {
      if ((await pendingCommits(companyIds)).size > 0)
        throw new GatewayError('SERVICE_UNAVAILABLE', 'earlier writes cannot be read yet', { retryAfterSeconds: 1 });
    },
    consistency: reads.consistency,
    turns,
    native: () => nativeClient(orm),
    statements: () => statements,
    ensureRoom: () => {
      if (directory) ensureRoom(directory);
    },
    holdOpen: (write) => {
      if (isClosing) return Promise.reject(new GatewayError('SERVICE_UNAVAILABLE', 'the service is stopping', { retryAfterSeconds: 1 }));
      const result = write();
      const ended = (): void => {
        writes.delete(settled);
        statistics.noteWrite();
      };
      const settled = result.then(ended, ended);
      writes.add(settled);
      return result;
    },
    close: async () => {
      isClosing = true;
      // A transaction on a closed embedded database fails where nothing awaits it, which would end the process with an error.
      await Promise.all(writes);
      await statistics.close();
      await reads.close();
      await orm.close(true);
      claim?.release();
    },
  };
}

const NONE: ReadonlySet<number> = new Set();
const noPendingCommits: PendingCommits = async () => NONE;

const countingLogger = (count: () => void) => ({
  log: count,
  warn: () => {},
  error: () => {},
  logQuery: count,
  setDebugMode: () => {},
  isEnabled: () => true,
});

function nativeClient(orm: MikroORM): Promise<Pool | PGlite> {
  return orm.em.getConnection().getNativeClient();
}

/**
 * Throws for a database this program should not use, applies the pending migrations, and returns whether row-level security is on. On PostgreSQL an
 * advisory lock makes a second process wait instead of migrating at the same time. Migrations run on a connection of their own.
 */
async function bringUpToDate(orm: MikroORM, options: MigratingOptions, openForMigrations: () => Promise<MikroORM>): Promise<boolean> {
  const { url, directUrl, dataDir, setting, engine, allow = {} } = options;
  const native = await nativeClient(orm).catch(url || !dataDir ? undefined : refusingDatabase(dataDir));
  const pool = native instanceof Pool ? native : undefined;
  const client = await pool?.connect().catch((error: Error & { code?: string }) => {
    throw error.code === NO_SUCH_DATABASE ? missingDatabase(url!, setting) : connectionError(error);
  });
  try {
    if (client && !directUrl) await refusePooler(client, url!);
    if (client) await refuseUnfit(runOn(client), setting);
    if (client) await lockMigrations(client);
    if (client && (await engineIn(runOn(client))) !== engine)
      throw new Error('the tables of companies were distributed or brought back while this start waited: start again');
    const pending = await orm.migrator.getPending();
    await refuseNewerSchema(orm, options);
    const toRun = await takeApplicationRole(orm);
    if (toRun && !allow.noRowSecurity)
      throw new Error(
        `row-level security would be off: the database user may not take the role ${APPLICATION_ROLE}. Have an administrator of the server run "${toRun}", or set DATABASE_ALLOW_NO_ROW_SECURITY=true to start without it`,
      );
    if (pending.length > 0) {
      options.log(`applying ${pending.length} migration${pending.length === 1 ? '' : 's'}`);
      await migrate(url ? openForMigrations : async () => orm, orm, options);
      await orm.em.getConnection().execute(noteProgram);
    }
    if (!allow.missingTables) await refuseMissingTables(orm, options.entities, setting);
    if (client) await engine.place(runOn(client), options.entities, pending.length > 0, options.log);
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

/**
 * Takes the lock of the process that migrates. It is requested repeatedly instead of once. A statement that waits for it is a transaction, and an
 * index that is built concurrently would wait for the end of that transaction.
 */
async function lockMigrations(client: PoolClient): Promise<void> {
  const until = Date.now() + MIGRATIONS_MS;
  const text = "select pg_try_advisory_lock(hashtext('ledger-gateway migrations')) as taken";
  while (!(await client.query<{ taken: boolean }>(text)).rows[0]!.taken) {
    if (Date.now() > until) throw new Error(`another process has been migrating the database for ${MIGRATIONS_MS / 60_000} minutes`);
    await setTimeout(MIGRATIONS_POLL_MS);
  }
}

/**
 * Applies the pending migrations. On a server each attempt has a connection of its own, until one neither waits for a lock in vain nor ends in a
 * deadlock.
 */
async function migrate(openForMigrations: () => Promise<MikroORM>, orm: MikroORM, { log, migrations }: MigratingOptions): Promise<void> {
  for (const pause of [...LOCK_PAUSES_MS, null]) {
    const own = await openForMigrations();
    try {
      await own.migrator.up();
      return;
    } catch (error) {
      const { pending } = await schemaState((sql) => orm.em.getConnection().execute(sql), migrations);
      const message = `the migration ${pending[0]?.name} failed: ${messageOf(error)}`;
      if (pause === null || !lockRefused(error)) throw new Error(message, { cause: error });
      log(`${message}; it got no lock on its tables, next attempt in ${pause / 1_000} s`);
    } finally {
      if (own !== orm) await own.close(true);
    }
    await setTimeout(pause);
  }
}

async function refuseMissingTables(orm: MikroORM, records: readonly RecordClass[], setting: string): Promise<void> {
  const problem = await missingTables((sql) => orm.em.getConnection().execute(sql), records);
  if (problem !== undefined) throw new Error(`the database of ${setting} ${problem}`);
}

const NO_SUCH_DATABASE = '3D000';

function missingDatabase(url: string, setting: string): Error {
  return new Error(
    `there is no database ${databaseOf(url)} on ${new URL(url).host}. Check the name in ${setting} and create the database, or set DATABASE_ALLOW_CREATE=true to have it created`,
  );
}

async function refuseNewerSchema(orm: MikroORM, { allow, log, migrations }: MigratingOptions): Promise<void> {
  const state = await schemaState((sql) => orm.em.getConnection().execute(sql), migrations);
  const { unknown } = state;
  if (unknown.length === 0) return;
  const message = `the database has migrations this program does not know, so a newer or different program made it: ${unknown.join(', ')}`;
  if (!allow?.newerSchema)
    throw new Error(`${message}. Start ${programFor(state)}, or set DATABASE_ALLOW_NEWER_SCHEMA=true to start this one`);
  log(message);
}

async function openReads(
  native: Pool | PGlite,
  { replicaUrls = [], replicaMaxLagSeconds, poolMax: max = 10, readPath: path = 'wire', log }: DatabaseOptions,
  turns: Turns,
  pooled: Pooled | undefined,
): Promise<Reads> {
  const warn = (message: string): void => log(message, 'warn');
  if (native instanceof Pool)
    return openPostgresReads(native, {
      path,
      warn,
      turns,
      pooled,
      replicas: { urls: replicaUrls, pool: { ...SERVING, max } },
      ...(replicaMaxLagSeconds === undefined ? {} : { maxLagSeconds: replicaMaxLagSeconds }),
    });
  await prepareEmbedded(native);
  return openEmbeddedReads(native, { path, warn, turns });
}

/** Runs one SQL statement with numbered parameters inside the entity manager's open transaction. */
export async function executeIn<T = Record<string, unknown>>(em: EntityManager, text: string, values: unknown[] = []): Promise<T[]> {
  const transaction = em.getTransactionContext<Transaction<unknown>>();
  if (!transaction) throw new Error('a write needs an open transaction');
  em.config.getLogger().logQuery({ query: text });
  const result = await transaction.executeQuery<T>(CompiledQuery.raw(text, values));
  return result.rows;
}

// Opens pg-boss on either database, and holds the five statements on its tables that pg-boss has no call for.
import {
  type DatabaseOptions,
  type Db,
  fromKysely,
  fromPglite,
  getConstructionPlans,
  type KyselyTransactionLike,
  type PGliteLike,
  PgBoss,
} from 'pg-boss';

/**
 * The database of the queue. On PostgreSQL the queue opens a small pool of its own, so that heartbeats never wait behind requests for a
 * connection. The embedded database has one connection, which the queue shares with the ORM; its disk must have space for the queue's writes.
 */
export type QueueBackend =
  | { kind: 'postgres'; connection: DatabaseOptions }
  | { kind: 'pglite'; client: PGliteLike; ensureRoom: () => void };

/** Schema of the queue's tables, unless another is given. */
export const QUEUE_SCHEMA = 'pgboss';

/** The statements that make the queue's tables on PostgreSQL. */
export const queueTables = getConstructionPlans(QUEUE_SCHEMA);

/** Number of jobs of one queue by state. `deferred` jobs wait for their time; the retries of `failed` jobs are used up. */
export interface QueueDepth {
  ready: number;
  deferred: number;
  active: number;
  failed: number;
}

/** The same, and how long the oldest ready job has waited. */
export interface QueueState extends QueueDepth {
  oldestSeconds: number;
}

/** Connections for the fetches and heartbeats of one process; handlers use the ORM's pool. */
const POSTGRES_POOL = 5;

/** All connections of the queue of one process: these, and one for its notifications. */
export const QUEUE_CONNECTIONS = POSTGRES_POOL + 1;

/** Time-outs for a server that does not respond, so that the workers do not wait for ever. */
const DEADLINES = { connectionTimeoutMillis: 5_000, query_timeout: 30_000, keepAlive: true };

/**
 * Seconds between two searches for jobs whose process has died. It counts as dead after 10 s without a heartbeat, the minimum of pg-boss, so another
 * process has its jobs after 15 s. The embedded database has one process, which takes its jobs back at its start.
 */
const SUPERVISION_SECONDS = { postgres: 5, pglite: 60 };

const supervisionOn = (kind: QueueBackend['kind']) =>
  ({
    superviseIntervalSeconds: SUPERVISION_SECONDS[kind],
    monitorIntervalSeconds: SUPERVISION_SECONDS[kind],
    maintenanceIntervalSeconds: 60,
    // pg-boss looks for jobs that wait for others, of which there are none here.
    flowIntervalSeconds: 3_600,
    schedule: false,
    useListenNotify: true,
  }) as const;

export interface QueueStore {
  boss: PgBoss;
  /** Returns running jobs to the queue: those of the ids, or all of them without ids. Only the sole owner of a database may ask for all. */
  handBack(ids?: string[]): Promise<void>;
  depth(names: string[]): Promise<Record<string, QueueState>>;
  /** The queues that have waiting jobs, and the milliseconds until the first of them is due: none, or fewer, for one that is. */
  next(names: string[]): Promise<[name: string, ms: number][]>;
  /** Those of the jobs that have not ended. */
  openOf(ids: string[]): Promise<string[]>;
  /** Lets the role that the application's transactions run as use the queue's tables. */
  grantTo(role: string): Promise<void>;
}

const IDENTIFIER = /^[a-z_][a-z0-9_]*$/;

function identifier(name: string, what: string): string {
  if (!IDENTIFIER.test(name)) throw new Error(`${what} "${name}" must be lower-case letters, digits and underscores`);
  return name;
}

/** Checks the disk space before every statement, because the queue's own supervision writes too. */
const withRoom = (db: Db, ensureRoom: () => void): Db => ({
  ...db,
  executeSql: async (text, values) => {
    ensureRoom();
    return db.executeSql(text, values);
  },
});

export function openStore(backend: QueueBackend, schemaName: string): QueueStore {
  const schema = identifier(schemaName, 'queue schema');
  const supervision = supervisionOn(backend.kind);
  const boss =
    backend.kind === 'postgres'
      ? new PgBoss({ max: POSTGRES_POOL, ...DEADLINES, ...backend.connection, ...supervision, schema })
      : new PgBoss({ db: withRoom(fromPglite(backend.client), backend.ensureRoom), backend: 'pglite', ...supervision, schema });
  const run = async (sql: string, values?: unknown[]) => (await boss.getDb().executeSql(sql, values)).rows;

  return {
    boss,
    // started_on is kept, so the next claim counts as a further attempt, and a late completion by the former owner is rejected.
    async handBack(ids) {
      await run(
        `UPDATE ${schema}.job SET state = 'retry', start_after = now(), heartbeat_on = NULL
         WHERE state = 'active' AND ($1::uuid[] IS NULL OR id = ANY($1::uuid[]))`,
        [ids ?? null],
      );
    },
    async depth(names) {
      const rows = await run(
        `SELECT name,
           count(*) FILTER (WHERE state < 'active' AND start_after <= now())::int AS ready,
           count(*) FILTER (WHERE state < 'active' AND start_after > now())::int AS deferred,
           count(*) FILTER (WHERE state = 'active')::int AS active,
           count(*) FILTER (WHERE state = 'failed')::int AS failed,
           greatest(0, extract(epoch FROM now() - min(start_after) FILTER (WHERE state < 'active' AND start_after <= now())))::float8 AS oldest
         FROM ${schema}.job WHERE name = ANY($1) AND state NOT IN ('completed', 'cancelled') GROUP BY name`,
        [names],
      );
      const byName = new Map(rows.map((row) => [row.name, row]));
      return Object.fromEntries(
        names.map((name) => {
          const { ready = 0, deferred = 0, active = 0, failed = 0, oldest } = byName.get(name) ?? {};
          return [name, { ready, deferred, active, failed, oldestSeconds: oldest ?? 0 }];
        }),
      );
    },
    async next(names) {
      const waiting = `FROM ${schema}.job j WHERE j.name = queue.name AND j.state < 'active' AND NOT j.blocked`;
      // No index has the jobs of a queue by their time, so all of them are looked at only where none is due.
      const rows = await run(
        `SELECT name, ms FROM (SELECT queue.name, CASE WHEN EXISTS (SELECT ${waiting} AND j.start_after <= now()) THEN 0
           ELSE (SELECT extract(epoch FROM min(j.start_after) - now())::float8 * 1000 ${waiting}) END AS ms
         FROM unnest($1::text[]) AS queue(name)) next WHERE ms IS NOT NULL`,
        [names],
      );
      return rows.map(({ name, ms }): [string, number] => [name, ms]);
    },
    async openOf(ids) {
      const rows = await run(`SELECT id FROM ${schema}.job WHERE id = ANY($1::uuid[]) AND state < 'completed'`, [ids]);
      return rows.map(({ id }) => id as string);
    },
    async grantTo(role) {
      const grantee = identifier(role, 'queue role');
      // The lock makes processes grant one after the other: of two concurrent grants one fails with "tuple concurrently updated".
      await run(`DO $$ BEGIN
        PERFORM pg_advisory_xact_lock(hashtext('ledger-gateway queue grants'));
        GRANT USAGE ON SCHEMA ${schema} TO ${grantee};
        GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${grantee};
      END $$`);
    },
  };
}

/** The ORM's open transaction as pg-boss uses it. Throws without one: a job written outside the change's transaction can be lost or run early. */
export function transactionDb(transaction: object | undefined): Db {
  const candidate = transaction as (KyselyTransactionLike & { isTransaction?: boolean }) | undefined;
  if (candidate?.isTransaction !== true || typeof candidate.executeQuery !== 'function') {
    throw new Error('the queue needs the open transaction of the change: pass em.getTransactionContext() from inside em.transactional()');
  }
  return fromKysely(candidate);
}

// The queue's tables: opening pg-boss on either database, and the four statements of our own that it has no call for.
import { type DatabaseOptions, type Db, fromKysely, fromPglite, type KyselyTransactionLike, type PGliteLike, PgBoss } from 'pg-boss';

/**
 * Where the queue lives. On PostgreSQL it opens a small pool of its own, so that heartbeats never wait behind requests for a connection;
 * the embedded database has one connection, which the ORM owns and the queue shares, and whose disk must have room for the queue's writes.
 */
export type QueueBackend =
  | { kind: 'postgres'; connection: DatabaseOptions }
  | { kind: 'pglite'; client: PGliteLike; ensureRoom: () => void };

/** What one queue holds at this moment. `deferred` waits for its time, `failed` ran out of retries. */
export interface QueueDepth {
  ready: number;
  deferred: number;
  active: number;
  failed: number;
}

/** Five connections: fetches and heartbeats of one process; handlers work on the ORM's pool. */
const POSTGRES_POOL = 5;

/** A server that does not answer at all is given up after this, instead of holding the workers for good. */
const DEADLINES = { connectionTimeoutMillis: 5_000, query_timeout: 30_000, keepAlive: true };

/** A killed process is noticed by its missing heartbeat: 10 s is the least pg-boss allows, and the pass that looks for it runs every second. */
const SUPERVISION = {
  superviseIntervalSeconds: 1,
  monitorIntervalSeconds: 1,
  maintenanceIntervalSeconds: 60,
  schedule: false,
  useListenNotify: true,
} as const;

export interface QueueStore {
  boss: PgBoss;
  /** Returns jobs that were being worked on to the queue; without ids every one of them, which only the sole owner of a database may ask for. */
  handBack(ids?: string[]): Promise<void>;
  depth(names: string[]): Promise<Record<string, QueueDepth>>;
  /** Lets the role that the application's transactions run as use the queue's tables. */
  grantTo(role: string): Promise<void>;
}

const IDENTIFIER = /^[a-z_][a-z0-9_]*$/;

function identifier(name: string, what: string): string {
  if (!IDENTIFIER.test(name)) throw new Error(`${what} "${name}" must be lower-case letters, digits and underscores`);
  return name;
}

/** A database whose disk is looked at before every statement: the queue's own supervision writes once a second. */
const withRoom = (db: Db, ensureRoom: () => void): Db => ({
  ...db,
  executeSql: async (text, values) => {
    ensureRoom();
    return db.executeSql(text, values);
  },
});

export function openStore(backend: QueueBackend, schemaName: string): QueueStore {
  const schema = identifier(schemaName, 'queue schema');
  const boss =
    backend.kind === 'postgres'
      ? new PgBoss({ max: POSTGRES_POOL, ...DEADLINES, ...backend.connection, ...SUPERVISION, schema })
      : new PgBoss({ db: withRoom(fromPglite(backend.client), backend.ensureRoom), backend: 'pglite', ...SUPERVISION, schema });
  const run = async (sql: string, values?: unknown[]) => (await boss.getDb().executeSql(sql, values)).rows;

  return {
    boss,
    // started_on stays, so the next claim counts as a further attempt and a late completion by the former holder is refused.
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
           count(*) FILTER (WHERE state = 'failed')::int AS failed
         FROM ${schema}.job WHERE name = ANY($1) AND state NOT IN ('completed', 'cancelled') GROUP BY name`,
        [names],
      );
      const byName = new Map(rows.map((row) => [row.name, row]));
      return Object.fromEntries(
        names.map((name) => {
          const { ready = 0, deferred = 0, active = 0, failed = 0 } = byName.get(name) ?? {};
          return [name, { ready, deferred, active, failed }];
        }),
      );
    },
    async grantTo(role) {
      const grantee = identifier(role, 'queue role');
      // One process after the other: the second of two grants at once fails with "tuple concurrently updated".
      await run(`DO $$ BEGIN
        PERFORM pg_advisory_xact_lock(hashtext('ledger-gateway queue grants'));
        GRANT USAGE ON SCHEMA ${schema} TO ${grantee};
        GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${grantee};
      END $$`);
    },
  };
}

/** The pg-boss view of the ORM's open transaction. Anything else is refused: a job written outside the change's transaction can be lost or run early. */
export function transactionDb(transaction: object | undefined): Db {
  const candidate = transaction as (KyselyTransactionLike & { isTransaction?: boolean }) | undefined;
  if (candidate?.isTransaction !== true || typeof candidate.executeQuery !== 'function') {
    throw new Error('the queue needs the open transaction of the change: pass em.getTransactionContext() from inside em.transactional()');
  }
  return fromKysely(candidate);
}

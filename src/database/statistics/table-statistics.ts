// Keeps the planner's statistics of tables that grow.

/** What runs a statement on the database: the pg pool of the primary, or the PGlite instance. */
interface Client {
  query<T>(sql: string): Promise<{ rows: T[] }>;
}

/** How long after the end of a write tables are looked at. A process that stores nothing asks nothing. */
const AFTER_WRITE_MS = 1_000;

/** How long a session of PostgreSQL that has become idle keeps the count of the rows that it stored. */
const COUNTED_AFTER_MS = 10_000;

/** How long nothing is looked at after a failure. */
const AFTER_FAILURE_MS = 60_000;

/** In smaller tables every plan is fast. */
const LEAST_PAGES = 16;
const LEAST_ROWS = 100;

/**
 * The tables of the gateway that have twice the committed rows that they were analyzed with, where the database user may do so. A file grows with the
 * rows of an open transaction too, which ANALYZE takes for dead: after 5,000 contacts had been stored the planner expected 3. The file decides only
 * where the count is lost: the embedded database counts from 0 each time it is opened, and a standby from its promotion.
 */
const GROWN = `select oid::regclass::text as name
  from pg_class, pg_stat_get_live_tuples(oid) live, pg_relation_size(oid) size, cast(current_setting('block_size') as bigint) page
  where relkind = 'r' and relnamespace = 'public'::regnamespace and pg_has_role(relowner, 'usage') and size > page * ${LEAST_PAGES}
    and (live > greatest(2 * reltuples, ${LEAST_ROWS}) or 2 * live < reltuples and size > 2 * page * relpages)`;

/**
 * Analyzes tables that have doubled. Without statistics the planner expects one live record in a company, so the index of any column is as good as
 * that of the platform id. A batch of 1,000 contacts in a company of 30,000 then took 3 s instead of 0.06 s, and on the embedded database 8 s instead
 * of 0.1 s. Autovacuum comes to a new table after a minute, and never to the embedded database.
 */
export class TableStatistics {
  readonly #client: Client;
  readonly #failed: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #last: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(client: Client, failed: (error: unknown) => void) {
    this.#client = client;
    this.#failed = failed;
  }

  /** Has the tables looked at soon, and once more when the rows of the last write are counted. */
  noteWrite(): void {
    this.#lookSoon();
    this.#last = this.#last?.refresh() ?? setTimeout(() => this.#lookSoon(), COUNTED_AFTER_MS).unref();
  }

  /** Settles when nothing runs any more. */
  close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#last);
    return this.#running;
  }

  #lookSoon(): void {
    this.#timer ??= setTimeout(() => this.#look(), AFTER_WRITE_MS).unref();
  }

  #look(): void {
    // A write that ends from now on has the tables looked at once more.
    this.#timer = undefined;
    this.#running = this.#running
      .then(() => this.#analyze())
      .catch((error: unknown) => {
        if (this.#isClosed) return;
        this.#failed(error);
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#look(), AFTER_FAILURE_MS).unref();
      });
  }

  async #analyze(): Promise<void> {
    // The embedded database has one session, which has not reported the rows of the last second.
    await this.#client.query('select pg_stat_force_next_flush()');
    const { rows } = await this.#client.query<{ name: string }>(GROWN);
    // One by one: on the embedded database requests are served in between.
    for (const { name } of rows) await this.#client.query(`analyze (skip_locked) ${name}`);
  }
}

// Keeps the planner's statistics of tables that grow.

/** What runs a statement on the database: the pg pool of the primary, or the PGlite instance. */
interface Client {
  query<T>(sql: string): Promise<{ rows: T[] }>;
}

/** How long after the end of a write tables are looked at. A process that stores nothing asks nothing. */
const AFTER_WRITE_MS = 1_000;

/** How long nothing is looked at after a failure. */
const AFTER_FAILURE_MS = 60_000;

/** In smaller tables every plan is fast. */
const LEAST_PAGES = 16;

/**
 * The tables of the gateway whose files have doubled since they were analyzed, where the database user may do so. One that was analyzed before the
 * transaction of its rows had ended counts as never analyzed.
 */
const GROWN = `select oid::regclass::text as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and pg_has_role(relowner, 'usage')
  and pg_relation_size(oid) > current_setting('block_size')::bigint
    * greatest(${LEAST_PAGES}, case when reltuples = 0 and pg_stat_get_live_tuples(oid) > 0 then 0 else 2 * relpages end)`;

/**
 * Analyzes tables that have doubled. Without statistics the planner expects one live record in a company, so the index of any column is as good as
 * that of the platform id. A batch of 1,000 contacts in a company of 30,000 then took 3 s instead of 0.06 s, and on the embedded database 8 s instead
 * of 0.1 s. Autovacuum comes to a new table after a minute, and never to the embedded database.
 */
export class TableStatistics {
  readonly #client: Client;
  readonly #failed: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(client: Client, failed: (error: unknown) => void) {
    this.#client = client;
    this.#failed = failed;
  }

  /** Has the tables looked at soon. */
  noteWrite(): void {
    this.#timer ??= setTimeout(() => this.#look(), AFTER_WRITE_MS).unref();
  }

  /** Settles when nothing runs any more. */
  close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    return this.#running;
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
    const { rows } = await this.#client.query<{ name: string }>(GROWN);
    // One by one: on the embedded database requests are served in between.
    for (const { name } of rows) await this.#client.query(`analyze (skip_locked) ${name}`);
  }
}

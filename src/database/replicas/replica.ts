// One read replica: how far it has replayed the log, asked five times a second, and reads that fail the moment it stops responding.
import { Client, Pool, type PoolConfig } from 'pg';
import { connectionOptions } from '../../postgres-url.ts';
import type { DataRows } from '../read-path/data-rows.ts';
import type { ReadPath, ReadValues, Statement } from '../read-path/read-path.ts';
import { type LogPosition, logPosition } from './log-position.ts';

/** Pause between two questions, and the longest wait for a response: a replica that stops responding is left out within a second. */
const ASK_MS = 200;
const RESPONSE_MS = 400;

const STATE = 'select pg_is_in_recovery() as replays, pg_last_wal_replay_lsn()::text as position';

export interface ReplicaOptions {
  url: string;
  /** Settings of its pool. */
  pool: PoolConfig;
  /** How reads are sent over a pool. */
  readsOver: (pool: Pool) => ReadPath;
  /** Called when it begins to serve, without a reason, and when it stops, with the reason. */
  changed: (reason?: string) => void;
}

/** A read replica. It serves while it responds, replays the log and has kept its connection since it last reported its position. */
export class Replica {
  /** Host and port, as operators know it; without the credentials of its URL. */
  readonly name: string;
  readonly #options: ReplicaOptions;
  readonly #pool: Pool;
  readonly #reads: ReadPath;
  readonly #inFlight = new Set<(error: Error) => void>();
  #position: LogPosition | undefined;
  /** The last position it reported; kept after it left. */
  #lastPosition: LogPosition = 0n;
  #client: Client | undefined;
  #question: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isServing = false;
  #isClosed = false;

  constructor(options: ReplicaOptions) {
    this.#options = options;
    this.name = new URL(options.url).host;
    this.#pool = new Pool(connectionOptions(options.url, 'replica reads', options.pool));
    // An idle connection was lost. After a crash a replica may have replayed less than it said before.
    this.#pool.on('error', () => this.#doubt());
    this.#reads = options.readsOver(this.#pool);
    this.#keepAsking();
  }

  /** The position up to which it has replayed the log; undefined while it does not serve. */
  get position(): LogPosition | undefined {
    return this.#position;
  }

  get lastPosition(): LogPosition {
    return this.#lastPosition;
  }

  /** Asks how far it has replayed the log; calls at the same time share one question. */
  ask(): Promise<void> {
    this.#question ??= this.#ask().finally(() => {
      this.#question = undefined;
    });
    return this.#question;
  }

  /** Rejected as soon as the replica stops responding, so that the read can be sent to the primary. */
  query(statement: Statement, values: ReadValues): Promise<DataRows> {
    return new Promise((resolve, reject) => {
      this.#inFlight.add(reject);
      this.#reads
        .query(statement, values)
        .then(resolve, (error: Error & { code?: string }) => {
          if (LOST.test(error.code ?? error.message)) this.#doubt();
          reject(error);
        })
        .finally(() => this.#inFlight.delete(reject));
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#client?.removeAllListeners('end');
    await Promise.allSettled([this.#client?.end(), this.#pool.end()]);
  }

  #keepAsking(): void {
    void this.ask().then(() => {
      if (!this.#isClosed) this.#timer = setTimeout(() => this.#keepAsking(), ASK_MS).unref();
    });
  }

  async #ask(): Promise<void> {
    try {
      this.#client ??= await this.#connect();
      const { rows } = await this.#client.query<{ replays: boolean; position: string | null }>(STATE);
      const { replays, position } = rows[0]!;
      if (!replays) this.#leave('it is a primary now');
      else this.#serve(logPosition(position ?? '') ?? 0n);
    } catch (error) {
      const lost = this.#client;
      this.#client = undefined;
      lost?.end().catch(() => {});
      this.#leave((error as Error).message);
    }
  }

  async #connect(): Promise<Client> {
    const settings = { connectionTimeoutMillis: RESPONSE_MS, query_timeout: RESPONSE_MS, keepAlive: true };
    const client = new Client(connectionOptions(this.#options.url, 'replica state', settings));
    client.on('error', () => {});
    client.on('end', () => {
      if (this.#client !== client) return;
      this.#client = undefined;
      this.#leave('the connection was lost');
    });
    await client.connect();
    return client;
  }

  #serve(position: LogPosition): void {
    this.#position = position;
    this.#lastPosition = position;
    if (!this.#isServing) this.#options.changed();
    this.#isServing = true;
  }

  /** Serves no new read until it has reported its position again. */
  #doubt(): void {
    this.#position = undefined;
  }

  #leave(reason: string): void {
    this.#doubt();
    for (const fail of this.#inFlight) fail(new Error(`the replica ${this.name} does not serve: ${reason}`));
    if (this.#isServing && !this.#isClosed) this.#options.changed(reason);
    this.#isServing = false;
  }
}

/** Codes and messages of a connection that was refused or lost. */
const LOST = /^(08|57P|E[A-Z]+$)|Connection terminated|timeout exceeded|Query read timeout/;

/**
 * Where a read runs. A replica serves a read only when it has replayed everything that the reader may know of. A caller therefore reads its own
 * writes, whatever process stored them. Every other read runs on the primary.
 *
 * What the reader may know of: before a process writes for an organisation it stores that (`recent-writes.ts`). A request asks the primary
 * for its newest position and for whether its organisation is written to. If so, it needs that position. If not, its newest write is older than 90 s,
 * and a replica within REPLICA_MAX_LAG_SECONDS has it. A request with a consistency token asks nothing: it needs the position of its token.
 */
import type { DataRows } from '../read-path/data-rows.ts';
import type { ReadPath, ReadValues, Statement } from '../read-path/read-path.ts';
import type { LogPosition } from './log-position.ts';
import type { PrimaryLog } from './primary-log.ts';
import type { Replica } from './replica.ts';

/** How often the primary is asked for its position without reads, so that lag is known. */
const ASK_MS = 200;
/** A replica this far behind is not asked once more whether it has caught up. */
const NEAR_MS = 500;

/** What the reads of one request must see. All of them run in one place, so that none shows an older state than the one before it. */
export class Freshness {
  readonly #choose: () => Promise<Replica | undefined>;
  #place: Promise<Replica | undefined> | undefined;

  constructor(choose: () => Promise<Replica | undefined>) {
    this.#choose = choose;
  }

  /** The replica that serves the request; undefined for the primary. */
  place(): Promise<Replica | undefined> {
    this.#place ??= this.#choose();
    return this.#place;
  }

  /** The remaining reads run on the primary. */
  leaveReplica(): void {
    this.#place = Promise.resolve(undefined);
  }
}

/** The time limit of a statement: the primary would take as long. */
const STATEMENT_TIMEOUT = '57014';

export class ReadBalancer {
  readonly #primary: ReadPath;
  readonly #log: PrimaryLog;
  readonly #replicas: readonly Replica[];
  readonly #maxLagMs: number;
  readonly #counts = new Map<string, number>();
  readonly #timer: NodeJS.Timeout;
  #next = 0;

  constructor(primary: ReadPath, log: PrimaryLog, replicas: readonly Replica[], maxLagSeconds: number) {
    this.#primary = primary;
    this.#log = log;
    this.#replicas = replicas;
    this.#maxLagMs = maxLagSeconds * 1_000;
    this.#timer = setInterval(() => log.ask().catch(() => {}), ASK_MS).unref();
    if (replicas.length === 0) clearInterval(this.#timer);
  }

  /** What a request of an organisation must see; undefined where only the primary serves. */
  freshness(organisationId: number, token: LogPosition | undefined): Freshness | undefined {
    return this.#replicas.length === 0 ? undefined : new Freshness(() => this.#choose(organisationId, token));
  }

  query(statement: Statement, values: ReadValues, freshness: Freshness | undefined): Promise<DataRows> {
    return freshness ? this.#whereFresh(statement, values, freshness) : this.#onPrimary(statement, values);
  }

  async #whereFresh(statement: Statement, values: ReadValues, freshness: Freshness): Promise<DataRows> {
    const replica = await freshness.place();
    if (replica) {
      try {
        const rows = await replica.query(statement, values);
        this.#count(replica.name);
        return rows;
      } catch (error) {
        if ((error as { code?: string }).code === STATEMENT_TIMEOUT) throw error;
        // Lost, cancelled by a conflict with the replay, or an error that the primary would return too.
        freshness.leaveReplica();
      }
    }
    return this.#onPrimary(statement, values);
  }

  #onPrimary(statement: Statement, values: ReadValues): Promise<DataRows> {
    this.#count('primary');
    return this.#primary.query(statement, values);
  }

  /** Seconds by which each replica is behind the primary. */
  lags(): Map<string, number> {
    return new Map(this.#replicas.map((replica) => [replica.name, this.#log.lagMs(replica.lastPosition) / 1_000]));
  }

  /** Number of reads by where they ran. */
  counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all(this.#replicas.map((replica) => replica.close()));
  }

  async #choose(organisationId: number, token: LogPosition | undefined): Promise<Replica | undefined> {
    const turn = this.#next++;
    const replicas = this.#replicas.map((_, at) => this.#replicas[(turn + at) % this.#replicas.length]!);
    const near = replicas.find((replica) => replica.position !== undefined && this.#log.lagMs(replica.position) <= NEAR_MS);
    // Without a replica that could serve, no server has to be asked.
    if (!near && !replicas.some((replica) => this.#serves(replica, 0n))) return undefined;
    const needed = token ?? (await this.#needed(organisationId));
    if (needed === undefined) return undefined;
    const found = replicas.find((replica) => this.#serves(replica, needed));
    if (found || !near) return found;
    await near.ask();
    return this.#serves(near, needed) ? near : undefined;
  }

  /** The position that a read of an organisation needs; undefined when the primary does not report it. */
  async #needed(organisationId: number): Promise<LogPosition | undefined> {
    const state = await this.#log.ask(organisationId).catch(() => undefined);
    return state && (state.recent.has(organisationId) ? state.position : 0n);
  }

  #serves({ position }: Replica, needed: LogPosition): boolean {
    return position !== undefined && position >= needed && this.#log.lagMs(position) <= this.#maxLagMs;
  }

  #count(target: string): void {
    this.#counts.set(target, (this.#counts.get(target) ?? 0) + 1);
  }
}

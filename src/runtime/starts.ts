// The starts of requests: few milliseconds of them in one turn of the event loop, fewer of one owner, and those of several owners by turns.

/** Requests that are ready at once are started for so long before the process looks for what else is ready. */
const TURN_MS = 5;
/**
 * Those of one owner are started for so long after its first in a turn. Fifty requests of one owner at once made turns of 11 ms, and a read of another
 * owner takes three of them.
 */
const OWNER_MS = 1;

/** What waits to start, by its owner. */
type Waiting = Map<string, (() => void)[]>;

/** Starts requests. Without it, many that one caller sends at once would all be parsed and prepared before anything else is read. */
export class Starts {
  /** Owners that have started nothing since they wait, in the order in which they came. */
  readonly #newcomers: Waiting = new Map();
  /** The other owners that wait; the one that started something longest ago is first. */
  readonly #others: Waiting = new Map();
  #isNewcomerNext = true;
  /** When this turn of the event loop began to start requests, and those of each owner. */
  #turn: { began: number; owners: Map<string, number> } | undefined;

  /** Resolves when a request may start; without a promise where it may at once. */
  next(owner: string): Promise<void> | undefined {
    const own = this.#others.get(owner) ?? this.#newcomers.get(owner);
    if (!own && this.#mayStart(owner)) return undefined;
    return new Promise((resolve) => {
      if (own) own.push(resolve);
      else this.#newcomers.set(owner, [resolve]);
    });
  }

  /** Whether this turn of the event loop has time left for a start of the owner, which it then makes. */
  #mayStart(owner: string): boolean {
    const now = performance.now();
    this.#turn ??= this.#begin(now);
    const { began, owners } = this.#turn;
    if (now - began >= TURN_MS) return false;
    const first = owners.get(owner);
    if (first === undefined) owners.set(owner, now);
    return first === undefined || now - first < OWNER_MS;
  }

  #begin(now: number): { began: number; owners: Map<string, number> } {
    setImmediate(() => {
      this.#turn = undefined;
      this.#start();
    });
    return { began: now, owners: new Map() };
  }

  /** Starts what waits, one request after the other has done all that it can do now. */
  #start(): void {
    // By turns: a single request does not wait behind one of many, and many single ones do not keep the others waiting.
    for (const from of this.#isNewcomerNext ? [this.#newcomers, this.#others] : [this.#others, this.#newcomers]) {
      const [first] = from;
      if (!first || !this.#mayStart(first[0])) continue;
      this.#isNewcomerNext = from === this.#others || this.#others.size === 0;
      const [owner, own] = first;
      from.delete(owner);
      own.shift()!();
      if (own.length > 0) this.#others.set(owner, own);
      queueMicrotask(() => process.nextTick(() => this.#start()));
      return;
    }
  }
}

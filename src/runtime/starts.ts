// The starts of requests: few milliseconds of them in one turn of the event loop, and those of several owners by turns.

/** Requests that are ready at once are started for so long before the process looks for what else is ready. */
const TURN_MS = 5;

/** What waits to start, by its owner. */
type Waiting = Map<string, (() => void)[]>;

/** Starts requests. Without it, many that one caller sends at once would all be parsed and prepared before anything else is read. */
export class Starts {
  /** Owners that have started nothing since they wait, in the order in which they came. */
  readonly #newcomers: Waiting = new Map();
  /** The other owners that wait; the one that started something longest ago is first. */
  readonly #others: Waiting = new Map();
  #isNewcomerNext = true;
  /** When this turn of the event loop began to start requests. */
  #began: number | undefined;

  /** Resolves when a request may start; without a promise where it may at once. */
  next(owner: string): Promise<void> | undefined {
    if (this.#newcomers.size + this.#others.size === 0 && this.#hasTime()) return undefined;
    return new Promise((resolve) => {
      const own = this.#others.get(owner) ?? this.#newcomers.get(owner);
      if (own) own.push(resolve);
      else this.#newcomers.set(owner, [resolve]);
    });
  }

  #hasTime(): boolean {
    const now = performance.now();
    if (this.#began === undefined) {
      this.#began = now;
      setImmediate(() => {
        this.#began = undefined;
        this.#start();
      });
    }
    return now - this.#began < TURN_MS;
  }

  /** Starts what waits, one request after the other has done all that it can do now. */
  #start(): void {
    // By turns: a single request does not wait behind one of many, and many single ones do not keep the others waiting.
    const from = this.#others.size === 0 || (this.#isNewcomerNext && this.#newcomers.size > 0) ? this.#newcomers : this.#others;
    const [first] = from;
    if (!first || !this.#hasTime()) return;
    this.#isNewcomerNext = from === this.#others || this.#others.size === 0;
    const [owner, own] = first;
    from.delete(owner);
    own.shift()!();
    if (own.length > 0) this.#others.set(owner, own);
    queueMicrotask(() => process.nextTick(() => this.#start()));
  }
}

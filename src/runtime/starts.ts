// The starts of requests: few milliseconds of them in one turn of the event loop, and those of several owners by turns.

/** Requests that are ready at once are started for so long before the process looks for what else is ready. */
const TURN_MS = 5;

type Waiting = Map<string, (() => void)[]>;

/** Starts requests. Without it, many that one caller sends at once would all be parsed and prepared before anything else is read. */
export class Starts {
  /** What waits of owners that had nothing waiting before, in the order of their coming. */
  readonly #come: Waiting = new Map();
  /** What waits of owners that have started a part of it; the one that did so longest ago is first. */
  readonly #begun: Waiting = new Map();
  #isNextNew = true;
  /** When this turn of the event loop began to start requests. */
  #began: number | undefined;

  /** Resolves when a request may start; without a promise where it may at once. */
  next(owner: string): Promise<void> | undefined {
    if (this.#come.size + this.#begun.size === 0 && this.#hasTime()) return undefined;
    return new Promise((resolve) => {
      const own = this.#begun.get(owner) ?? this.#come.get(owner);
      if (own) own.push(resolve);
      else this.#come.set(owner, [resolve]);
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
    const from = this.#begun.size === 0 || (this.#isNextNew && this.#come.size > 0) ? this.#come : this.#begun;
    const [first] = from;
    if (!first || !this.#hasTime()) return;
    this.#isNextNew = from === this.#begun || this.#begun.size === 0;
    const [owner, own] = first;
    from.delete(owner);
    own.shift()!();
    if (own.length > 0) this.#begun.set(owner, own);
    queueMicrotask(() => process.nextTick(() => this.#start()));
  }
}

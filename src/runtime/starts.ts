// The starts of requests: few milliseconds of them in one turn of the event loop, and those of several owners by turns.

/** Requests that are ready at once are started for so long before the process looks for what else is ready. */
const TURN_MS = 5;

/** Starts requests. Without it, many that one caller sends at once would all be parsed and prepared before anything else is read. */
export class Starts {
  /** What waits, by owner; the owner that was served longest ago comes first. */
  readonly #waiting = new Map<string, (() => void)[]>();
  /** When this turn of the event loop began to start requests. */
  #began: number | undefined;

  /** Resolves when a request may start; without a promise where it may at once. */
  next(owner: string): Promise<void> | undefined {
    if (this.#waiting.size === 0 && this.#hasTime()) return undefined;
    return new Promise((resolve) => {
      const own = this.#waiting.get(owner);
      if (own) own.push(resolve);
      else this.#waiting.set(owner, [resolve]);
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
    const [first] = this.#waiting;
    if (!first || !this.#hasTime()) return;
    const [owner, own] = first;
    this.#waiting.delete(owner);
    own.shift()!();
    if (own.length > 0) this.#waiting.set(owner, own);
    queueMicrotask(() => process.nextTick(() => this.#start()));
  }
}

// A bound on how many pieces of work are under way at a time.

/** Runs work at once while fewer than `most` pieces are under way; the others wait their turn, first come, first served. */
export class Turns {
  readonly #most: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(most: number) {
    this.#most = most;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#most) this.#running++;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      // Whoever waits takes the place over, so that it cannot be taken in between.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }
}

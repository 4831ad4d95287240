// A seeded source of choices.

export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** Mulberry32: a number from 0 to 1, the same sequence for the same seed. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** Whether something happens that happens in this share of cases. */
  chance(share: number): boolean {
    return this.next() < share;
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }
}

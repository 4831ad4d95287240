// Allowances as token buckets, and the one of wrong credentials per address.
import { LRUCache } from 'lru-cache';
import { GatewayError } from '../records/errors.ts';
import type { Clock } from '../runtime/clock.ts';

/** Keys whose buckets are kept; a key that is not among the last so many starts with a full one. */
const MOST_KEYS = 50_000;
interface Bucket {
  tokens: number;
  /** When the tokens were counted, in milliseconds. */
  at: number;
}

/** A token bucket per key: full at first, refilled at a rate per millisecond. Off when either is 0. */
export class Allowance {
  readonly burst: number;
  readonly perMs: number;
  readonly #buckets = new LRUCache<string, Bucket>({ max: MOST_KEYS });

  constructor(burst: number, perMs: number) {
    this.burst = burst;
    this.perMs = perMs;
  }

  get isOn(): boolean {
    return this.perMs > 0 && this.burst > 0;
  }

  /** The bucket of a key, with what has come in since it was asked last. */
  bucket(key: string, now: Date): Bucket {
    const at = now.getTime();
    let bucket = this.#buckets.get(key);
    if (!bucket) {
      bucket = { tokens: this.burst, at };
      this.#buckets.set(key, bucket);
    }
    bucket.tokens = Math.min(this.burst, bucket.tokens + Math.max(0, at - bucket.at) * this.perMs);
    bucket.at = at;
    return bucket;
  }

  /** Takes tokens if there are as many. */
  takes(key: string, now: Date, count = 1): boolean {
    const bucket = this.bucket(key, now);
    if (bucket.tokens < count) return false;
    bucket.tokens -= count;
    return true;
  }

  /** Seconds until a key has as many tokens. */
  secondsTo(key: string, now: Date, count = 1): number {
    return Math.max(1, Math.ceil((count - this.bucket(key, now).tokens) / this.perMs / 1_000));
  }
}

/** How long the allowance of wrong credentials takes to come back whole. */
export const FAILURES_MS = 10_000;

/** Allowance of wrong credentials per address, in each process. Off when the limit is 0. */
export class FailedCredentials {
  readonly #allowance: Allowance;
  readonly #clock: Clock;
  readonly #judging = new Map<string, Set<Promise<unknown>>>();

  constructor(limit: number, clock: Clock) {
    this.#allowance = new Allowance(limit, limit / FAILURES_MS);
    this.#clock = clock;
  }

  /**
   * Judges a credential that has not been right before. RATE_LIMIT_EXCEEDED, and nothing is looked up, while the address has no wrong one
   * left. As many are judged at once as may turn out wrong; others wait, so that right ones are never refused for each other.
   */
  async judge<T>(address: string, judge: () => T | null | Promise<T | null>): Promise<T | null> {
    if (!this.#allowance.isOn) return judge();
    for (;;) {
      const left = this.#left(address);
      const others = this.#judging.get(address);
      if (!others || others.size < left) break;
      await Promise.race(others);
    }
    const verdict = Promise.resolve(judge());
    const judging = this.#judging.get(address) ?? new Set();
    this.#judging.set(address, judging);
    const settled = verdict.catch(() => {});
    judging.add(settled);
    try {
      const right = await verdict;
      if (right === null) this.#allowance.takes(address, this.#clock.now());
      return right;
    } finally {
      judging.delete(settled);
      if (judging.size === 0) this.#judging.delete(address);
    }
  }

  #left(address: string): number {
    const now = this.#clock.now();
    const left = Math.floor(this.#allowance.bucket(address, now).tokens);
    if (left < 1) {
      throw new GatewayError('RATE_LIMIT_EXCEEDED', 'too many wrong credentials from this address', {
        retryAfterSeconds: this.#allowance.secondsTo(address, now),
      });
    }
    return left;
  }
}

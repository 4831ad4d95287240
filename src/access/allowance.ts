// Token buckets, and the allowance of wrong credentials per address.
import { LRUCache } from 'lru-cache';
import { GatewayError } from '../records/errors.ts';
import { atMost } from '../runtime/caches.ts';
import type { Clock } from '../runtime/clock.ts';

/** Most buckets in memory; the least recently used are dropped, and their keys start again with a full bucket. */
const MAX_KEYS = 50_000;
interface Bucket {
  tokens: number;
  /** When the tokens were counted, in milliseconds. */
  at: number;
}

/** What is left of an allowance. */
export interface AllowanceLeft {
  limit: number;
  remaining: number;
  /** When it is full again. */
  resetsAt: Date;
}

/** A token bucket per key: full at first, refilled at a rate per millisecond. Off when either is 0. */
export class Allowance {
  readonly burst: number;
  readonly perMs: number;
  readonly #buckets = new LRUCache<string, Bucket>(atMost(MAX_KEYS));

  constructor(burst: number, perMs: number) {
    this.burst = burst;
    this.perMs = perMs;
  }

  get isOn(): boolean {
    return this.perMs > 0 && this.burst > 0;
  }

  /** The bucket of a key, refilled for the time since its last use. */
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

  /** What is left for a key. */
  left(key: string, now: Date): AllowanceLeft {
    const { tokens, at } = this.bucket(key, now);
    const resetsAt = new Date(Math.ceil(at + (this.burst - tokens) / this.perMs));
    return { limit: this.burst, remaining: Math.max(0, Math.floor(tokens)), resetsAt };
  }

  /** Takes tokens if the bucket has enough; returns whether it had. */
  takes(key: string, now: Date, count = 1): boolean {
    const bucket = this.bucket(key, now);
    if (bucket.tokens < count) return false;
    bucket.tokens -= count;
    return true;
  }

  /** Seconds until the bucket of a key has that many tokens. */
  secondsTo(key: string, now: Date, count = 1): number {
    return Math.max(1, Math.ceil((count - this.bucket(key, now).tokens) / this.perMs / 1_000));
  }
}

/** Milliseconds in which an empty allowance of wrong credentials refills completely. */
export const FAILURES_MS = 10_000;

/** Allowance of wrong credentials per address, in each process. Off when the limit is 0. */
export class FailedCredentials {
  readonly #allowance: Allowance;
  readonly #clock: Clock;
  /** Checks in progress, by address. */
  readonly #checks = new Map<string, Set<Promise<unknown>>>();

  constructor(limit: number, clock: Clock) {
    this.#allowance = new Allowance(limit, limit / FAILURES_MS);
    this.#clock = clock;
  }

  /**
   * Checks a credential that was not valid before. Throws RATE_LIMIT_EXCEEDED without a look-up while the allowance of the address is used
   * up. At most as many checks run at once as may fail; the others wait, so that concurrent valid credentials are never rejected.
   */
  async judge<T>(address: string, check: () => T | null | Promise<T | null>): Promise<T | null> {
    if (!this.#allowance.isOn) return check();
    for (;;) {
      const left = this.#left(address);
      const others = this.#checks.get(address);
      if (!others || others.size < left) break;
      await Promise.race(others);
    }
    const result = Promise.resolve(check());
    const running = this.#checks.get(address) ?? new Set();
    this.#checks.set(address, running);
    const settled = result.catch(() => {});
    running.add(settled);
    try {
      const found = await result;
      if (found === null) this.#allowance.takes(address, this.#clock.now());
      return found;
    } finally {
      running.delete(settled);
      if (running.size === 0) this.#checks.delete(address);
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

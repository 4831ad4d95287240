// Allowances: of requests per key, shared by the processes of one database, which tell each other what was taken; of wrong credentials per address.
import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock, Services } from './context.ts';
import { GatewayError } from './errors.ts';
import { systemTransaction } from './transact.ts';

/** Keys whose buckets are kept; a key that is not among the last so many starts with a full one. */
const MOST_KEYS = 50_000;
/** How often processes tell each other: so long each may go on granting what another has granted already. */
const TELL_MS = 1_000;
/** Bytes of callers and counts in one message; the database's messages hold 8,000 in all. A caller's name takes 30 to 2,500. */
const MESSAGE_BYTES = 5_000;
const SIGNAL = 'rate-limit';

interface Bucket {
  tokens: number;
  /** When the tokens were counted, in milliseconds. */
  at: number;
}

/** Where an answer's headers are gathered. */
interface Headers {
  setHeader(name: string, value: string | number): void;
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

/** Allowance of requests per key: a burst, refilled at the rate per minute. Off when either is 0. */
export class RateLimit {
  readonly #allowance: Allowance;
  #taken = new Map<string, number>();

  constructor(perMinute: number, burst: number) {
    this.#allowance = new Allowance(burst, perMinute / 60_000);
  }

  get isOn(): boolean {
    return this.#allowance.isOn;
  }

  /** Takes requests from the allowance, at most the burst, and sets the headers; RATE_LIMIT_EXCEEDED when it is used up. */
  take(key: string, headers: Headers, now: Date, requests = 1): void {
    if (!this.isOn) return;
    const count = Math.min(requests, this.#allowance.burst);
    const isGranted = this.#allowance.takes(key, now, count);
    if (isGranted) this.#taken.set(key, (this.#taken.get(key) ?? 0) + count);
    const { burst, perMs } = this.#allowance;
    const { tokens, at } = this.#allowance.bucket(key, now);
    headers.setHeader('X-RateLimit-Limit', burst);
    headers.setHeader('X-RateLimit-Remaining', Math.max(0, Math.floor(tokens)));
    headers.setHeader('X-RateLimit-Reset', Math.ceil((at + (burst - tokens) / perMs) / 1_000));
    if (!isGranted) {
      throw new GatewayError('RATE_LIMIT_EXCEEDED', 'too many requests with this key, or without one from this address', {
        retryAfterSeconds: this.#allowance.secondsTo(key, now, count),
      });
    }
  }

  /** Takes off what another process has granted; never more than a burst below nothing. */
  takeOff(key: string, count: number, now: Date): void {
    const bucket = this.#allowance.bucket(key, now);
    bucket.tokens = Math.max(-this.#allowance.burst, bucket.tokens - count);
  }

  /** What this process granted since it was asked last. */
  granted(): [key: string, count: number][] {
    const taken = [...this.#taken];
    this.#taken = new Map();
    return taken;
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

/** What was granted, cut so that each portion fits a message. */
function portions(granted: [key: string, count: number][]): [key: string, count: number][][] {
  const all: [key: string, count: number][][] = [];
  let room = 0;
  for (const entry of granted) {
    const bytes = Buffer.byteLength(JSON.stringify(entry)) + 1;
    if (bytes > room) {
      all.push([]);
      room = MESSAGE_BYTES;
    }
    all.at(-1)!.push(entry);
    room -= bytes;
  }
  return all;
}

/** Lets the processes of one PostgreSQL share their allowances; the result ends it. The embedded database has one process. */
export function shareRateLimit({ database, signals, clock, log }: Services, limit: RateLimit): () => void {
  if (!limit.isOn || database.kind === 'pglite') return () => {};
  const self = randomUUID();
  const silence = signals.subscribe(SIGNAL, (message) => {
    if (!message) return;
    const { from, granted } = JSON.parse(message) as { from: string; granted: [string, number][] };
    if (from === self) return;
    for (const [key, count] of granted) limit.takeOff(key, count, clock.now());
  });
  const tell = async (): Promise<void> => {
    const granted = limit.granted();
    if (granted.length === 0) return;
    await systemTransaction(database, async (em) => {
      for (const portion of portions(granted)) await signals.publish(em, SIGNAL, JSON.stringify({ from: self, granted: portion }));
    });
  };
  const timer = setInterval(() => {
    tell().catch((err: unknown) => log.warn({ err }, 'other processes were not told of granted requests'));
  }, TELL_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
    silence();
  };
}

// The allowance of requests per key: a token bucket each, shared by the processes of one database, which tell each other what was taken.
import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Services } from './context.ts';
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

/** Allowance of requests per key: a burst, refilled at the rate per minute. Off when either is 0. */
export class RateLimit {
  readonly #burst: number;
  readonly #perMs: number;
  readonly #buckets = new LRUCache<string, Bucket>({ max: MOST_KEYS });
  #taken = new Map<string, number>();

  constructor(perMinute: number, burst: number) {
    this.#burst = burst;
    this.#perMs = perMinute / 60_000;
  }

  get isOn(): boolean {
    return this.#perMs > 0 && this.#burst > 0;
  }

  /** Takes one request from the allowance and sets the headers; RATE_LIMIT_EXCEEDED when it is used up. */
  take(key: string, headers: Headers, now: Date): void {
    if (!this.isOn) return;
    const bucket = this.#bucket(key, now.getTime());
    const isRefused = bucket.tokens < 1;
    if (!isRefused) {
      bucket.tokens -= 1;
      this.#taken.set(key, (this.#taken.get(key) ?? 0) + 1);
    }
    headers.setHeader('X-RateLimit-Limit', this.#burst);
    headers.setHeader('X-RateLimit-Remaining', Math.max(0, Math.floor(bucket.tokens)));
    headers.setHeader('X-RateLimit-Reset', Math.ceil((bucket.at + (this.#burst - bucket.tokens) / this.#perMs) / 1_000));
    if (isRefused) {
      throw new GatewayError('RATE_LIMIT_EXCEEDED', 'too many requests with this key', {
        retryAfterSeconds: Math.max(1, Math.ceil((1 - bucket.tokens) / this.#perMs / 1_000)),
      });
    }
  }

  /** Takes off what another process has granted; never more than a burst below nothing. */
  takeOff(key: string, count: number, now: Date): void {
    const bucket = this.#bucket(key, now.getTime());
    bucket.tokens = Math.max(-this.#burst, bucket.tokens - count);
  }

  /** What this process granted since it was asked last. */
  granted(): [key: string, count: number][] {
    const taken = [...this.#taken];
    this.#taken = new Map();
    return taken;
  }

  #bucket(key: string, now: number): Bucket {
    let bucket = this.#buckets.get(key);
    if (!bucket) {
      bucket = { tokens: this.#burst, at: now };
      this.#buckets.set(key, bucket);
    }
    bucket.tokens = Math.min(this.#burst, bucket.tokens + Math.max(0, now - bucket.at) * this.#perMs);
    bucket.at = now;
    return bucket;
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

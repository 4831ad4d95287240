// The allowance of requests per key. The processes of one database share it: each announces the requests it granted.
import { randomUUID } from 'node:crypto';
import { Allowance, type AllowanceLeft } from '../access/allowance.ts';
import type { Services } from '../access/context.ts';
import { systemTransaction } from '../database/transaction.ts';
import { GatewayError } from '../records/errors.ts';

/** Interval of the announcements; within it two processes may grant the same allowance. */
const ANNOUNCE_MS = 1_000;
/** Bytes of callers and counts in one message, of the 8,000 a NOTIFY payload may have. A caller's name takes 30 to 2,500. */
const MESSAGE_BYTES = 5_000;
const CHANNEL = 'rate-limit';

/** The collector of response headers. */
interface Headers {
  setHeader(name: string, value: string | number): void;
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
    const { limit, remaining, resetsAt } = this.#allowance.left(key, now);
    headers.setHeader('X-RateLimit-Limit', limit);
    headers.setHeader('X-RateLimit-Remaining', remaining);
    headers.setHeader('X-RateLimit-Reset', Math.ceil(resetsAt.getTime() / 1_000));
    if (!isGranted) {
      throw new GatewayError('RATE_LIMIT_EXCEEDED', 'too many requests with this key, or without one from this address', {
        retryAfterSeconds: this.#allowance.secondsTo(key, now, count),
      });
    }
  }

  /** What is left for a key; null when the limit is off. */
  left(key: string, now: Date): AllowanceLeft | null {
    return this.isOn ? this.#allowance.left(key, now) : null;
  }

  /** Deducts requests that another process granted; the bucket never falls below minus one burst. */
  takeOff(key: string, count: number, now: Date): void {
    const bucket = this.#allowance.bucket(key, now);
    bucket.tokens = Math.max(-this.#allowance.burst, bucket.tokens - count);
  }

  /** The requests this process granted since the last call. */
  granted(): [key: string, count: number][] {
    const taken = [...this.#taken];
    this.#taken = new Map();
    return taken;
  }
}

/** The granted requests in batches that each fit one message. */
function batchesOf(granted: [key: string, count: number][]): [key: string, count: number][][] {
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

/** Shares the allowances among the processes of one PostgreSQL; returns the function that stops it. The embedded database has one process only. */
export function shareRateLimit({ database, notifications, clock, log }: Services, limit: RateLimit): () => void {
  if (!limit.isOn || database.kind === 'pglite') return () => {};
  const self = randomUUID();
  const unsubscribe = notifications.subscribe(CHANNEL, (message) => {
    if (!message) return;
    const { from, granted }: { from: string; granted: [string, number][] } = JSON.parse(message);
    if (from === self) return;
    for (const [key, count] of granted) limit.takeOff(key, count, clock.now());
  });
  const announce = async (): Promise<void> => {
    const granted = limit.granted();
    if (granted.length === 0) return;
    await systemTransaction(database, async (em) => {
      for (const batch of batchesOf(granted)) await notifications.publish(em, CHANNEL, JSON.stringify({ from: self, granted: batch }));
    });
  };
  const timer = setInterval(() => {
    announce().catch((err: unknown) => log.warn({ err }, 'granted requests were not announced to other processes'));
  }, ANNOUNCE_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
    unsubscribe();
  };
}

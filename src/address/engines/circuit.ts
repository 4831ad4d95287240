// Keeps a failing upstream from slowing every request: a circuit breaker, and a limit on calls at the same time.
import { UpstreamError } from './engine.ts';

const FAILURES_TO_OPEN = 5;
const OPEN_MS = 30_000;
const LONGEST_OPEN_MS = 300_000;

/** Opens after five failures in a row, or at once when the upstream asks to wait. After that time it lets one trial call through. */
export class Circuit {
  private failures = 0;
  private openUntil = 0;
  private trying = false;
  private readonly now: () => number;

  constructor(now: () => number = Date.now) {
    this.now = now;
  }

  get isOpen(): boolean {
    return this.now() < this.openUntil;
  }

  async run<T>(call: () => Promise<T>): Promise<T> {
    const halfOpen = this.failures >= FAILURES_TO_OPEN || this.openUntil > 0;
    if (this.isOpen || (halfOpen && this.trying)) throw new UpstreamError('circuit_open', 'The upstream geocoder is paused after failures');
    this.trying = halfOpen;
    try {
      const value = await call();
      this.failures = 0;
      this.openUntil = 0;
      return value;
    } catch (error) {
      this.record(error);
      throw error;
    } finally {
      this.trying = false;
    }
  }

  private record(error: unknown): void {
    if (!(error instanceof UpstreamError) || error.reason === 'busy') return;
    this.failures++;
    const wait = error.retryAfterMs ?? (this.failures >= FAILURES_TO_OPEN ? OPEN_MS : 0);
    if (wait > 0) this.openUntil = this.now() + Math.min(wait, LONGEST_OPEN_MS);
  }
}

/** At most `most` calls run; at most `waiting` more wait; others fail at once. */
export class Slots {
  private running = 0;
  private readonly queue: (() => void)[] = [];
  private readonly most: number;
  private readonly waiting: number;

  constructor(most = 4, waiting = 64) {
    this.most = most;
    this.waiting = waiting;
  }

  async run<T>(call: () => Promise<T>): Promise<T> {
    if (this.running >= this.most) {
      if (this.queue.length >= this.waiting) throw new UpstreamError('busy', 'Too many calls wait for the upstream geocoder');
      await new Promise<void>((resolve) => this.queue.push(resolve));
    } else {
      this.running++;
    }
    try {
      return await call();
    } finally {
      const next = this.queue.shift();
      if (next) next();
      else this.running--;
    }
  }
}

// Logs that the streams of a process share: what happens is read once, in batches, and handed to every stream that follows the log.
import { setTimeout as pause } from 'node:timers/promises';
import type { Services } from '../access/context.ts';
import { GatewayError } from '../records/errors.ts';
import { CacheKey } from '../runtime/caches.ts';
import { others } from '../runtime/others.ts';
import { type PollResult, subscribe, type Watch } from '../runtime/poll.ts';

/** Batches that are kept for streams whose subscribers are slow. */
export const MAX_KEPT = 100;
/** The last of them keep what was read for them. A stream further behind reads again, so that slow subscribers cost no memory. */
const MAX_SHARED = 4;
/** Least time between two reads, unless a full page says that more is there: changes of a record within it become one message. */
export const INTERVAL_MS = 100;
/** Streams that are woken before the process may do other work. */
const WOKEN = 50;

/** Entries that were read together, and what was read for them. */
export class Batch<T> {
  readonly entries: readonly T[];
  readonly #shared = new Map<string, Promise<unknown>>();
  #isKept = true;

  constructor(entries: readonly T[]) {
    this.entries = entries;
  }

  /** The value that `make` makes, once for all streams with this key. A key belongs to one kind of value. */
  share<V>(key: string, make: () => Promise<V>): Promise<V> {
    const known = this.#shared.get(key) as Promise<V> | undefined;
    if (known) return known;
    const made = make();
    if (this.#isKept) this.#shared.set(key, made);
    return made;
  }

  /** Drops what was read for the entries, and keeps nothing any more. */
  forget(): void {
    this.#isKept = false;
    this.#shared.clear();
  }
}

/** The entries that a read found, and when to read again without being woken. */
export interface ReadEntries<T> {
  entries: T[];
  /** Whether the page is full, so that more is there. */
  isFull: boolean;
  againMs?: number;
}

/** Where the entries of a log come from. */
export interface LogSource<T> {
  watch: Watch;
  read: () => Promise<ReadEntries<T>>;
  /** Milliseconds after which to read without being woken; undefined where being woken cannot be lost. */
  pollMs: number | undefined;
}

/** The log of one source, from the opening of its first stream to the end of its last. */
export class SharedLog<T> {
  readonly #start: () => Promise<LogSource<T>>;
  readonly #onEnd: () => void;
  readonly #wakes = new Set<() => void>();
  readonly #batches: Batch<T>[] = [];
  /** Batches read so far; the number of the last one. */
  #last = 0;
  #failure: unknown;
  #source: Promise<LogSource<T>> | undefined;
  #reading: AsyncIterableIterator<Batch<T>> | undefined;

  constructor(start: () => Promise<LogSource<T>>, onEnd: () => void) {
    this.#start = start;
    this.#onEnd = onEnd;
  }

  /** Number of the last batch. */
  get last(): number {
    return this.#last;
  }

  /** Wakes a stream after every batch; the log ends with its last stream. */
  readonly watch: Watch = (wake) => {
    this.#wakes.add(wake);
    return () => {
      this.#wakes.delete(wake);
      if (this.#wakes.size === 0) this.#end();
    };
  };

  /** Reads what happens from now on. */
  async open(): Promise<void> {
    this.#source ??= this.#start();
    const source = await this.#source;
    if (this.#reading || this.#wakes.size === 0) return;
    this.#reading = subscribe(source.watch, throttled(source.read), source.pollMs);
    void this.#run(this.#reading);
  }

  /** The batch after the one with this number; undefined when it does not exist yet, null when it is no longer kept. Throws when reading failed. */
  after(number: number): Batch<T> | undefined | null {
    if (number === this.#last && this.#failure) throw this.#failure;
    const index = number - (this.#last - this.#batches.length);
    return index < 0 ? null : this.#batches[index];
  }

  async #run(reading: AsyncIterableIterator<Batch<T>>): Promise<void> {
    try {
      for await (const batch of reading) {
        this.#batches.push(batch);
        this.#last++;
        if (this.#batches.length > MAX_KEPT) this.#batches.shift();
        this.#batches.at(-1 - MAX_SHARED)?.forget();
        await this.#wake();
      }
    } catch (error) {
      this.#failure = error;
      this.#end();
      await this.#wake();
    }
  }

  /** Wakes the streams some at a time: a thousand that make their messages at once would hold the process for 100 ms. */
  async #wake(): Promise<void> {
    let woken = 0;
    for (const wake of [...this.#wakes]) {
      if (++woken % WOKEN === 0) await others();
      wake();
    }
  }

  #end(): void {
    this.#onEnd();
    void this.#reading?.return?.();
  }
}

/** Reads that leave an interval after each that found something. */
function throttled<T>(read: () => Promise<ReadEntries<T>>): () => Promise<PollResult<Batch<T>>> {
  let notBefore = 0;
  return async () => {
    await pause(Math.max(0, notBefore - performance.now()));
    const { entries, isFull, againMs } = await read();
    if (entries.length > 0 && !isFull) notBefore = performance.now() + INTERVAL_MS;
    const items = entries.length > 0 ? [new Batch(entries)] : [];
    return isFull ? { items, againMs: 0 } : againMs === undefined ? { items } : { items, againMs };
  };
}

/** The logs of a process by name. */
const openLogs = new CacheKey<Services, Map<string, SharedLog<never>>>('shared_logs', () => new Map());

/** The log of a name, which begins with the kind of its entries, that the streams of this process share. */
export function sharedLog<T>(services: Services, name: string, start: () => Promise<LogSource<T>>): SharedLog<T> {
  const logs = services.caches.of(openLogs) as unknown as Map<string, SharedLog<T>>;
  let log = logs.get(name);
  if (!log) {
    const made: SharedLog<T> = new SharedLog(start, () => {
      if (logs.get(name) === made) logs.delete(name);
    });
    log = made;
    logs.set(name, log);
  }
  return log;
}

/** What a stream reads on its own before it joins the log, because it resumes. */
export interface Missed<T> {
  /** A read that is not the last says when the next one follows; at once when it says nothing. */
  read: () => Promise<{ entries: T[]; isOver: boolean; againMs?: number }>;
  /** Whether it has read an entry of the log on its own. */
  has: (entry: T) => boolean;
}

interface Following<T> {
  /** What the stream missed, when it resumes. */
  missed: () => Promise<Missed<T> | undefined>;
  /** The event to resume after an entry. */
  eventOf: (entry: T) => string;
  /** The argument that resumes a stream. */
  field: string;
}

/**
 * Streams what `itemsOf` makes of the entries of a log, batch by batch. A stream that resumes reads what it missed on its own and then joins the
 * others. One that falls too far behind ends with an error that names the event to resume after.
 */
export async function followLog<T, Item>(
  log: SharedLog<T>,
  { missed: missedOf, eventOf, field }: Following<T>,
  itemsOf: (batch: Batch<T>) => Promise<Item[]>,
): Promise<AsyncIterableIterator<Item>> {
  let number = 0;
  let missed: Missed<T> | undefined;
  let isCaughtUp = false;
  let sent: string | null = null;
  const deliver = async (batch: Batch<T>, againMs = 0): Promise<PollResult<Item>> => {
    const last = batch.entries.at(-1);
    if (last === undefined) return { items: [], againMs };
    sent = eventOf(last);
    return { items: await itemsOf(batch), againMs };
  };
  const stream = subscribe(log.watch, async () => {
    if (missed && !isCaughtUp) {
      const { entries, isOver, againMs } = await missed.read();
      isCaughtUp = isOver;
      return deliver(new Batch(entries), isOver ? 0 : againMs);
    }
    const batch = log.after(number);
    if (batch === undefined) return { items: [] };
    if (batch === null) throw tooSlow(field, sent);
    number++;
    const { has } = missed ?? {};
    return deliver(has && batch.entries.some(has) ? new Batch(batch.entries.filter((entry) => !has(entry))) : batch);
  });
  try {
    await log.open();
    number = log.last;
    missed = await missedOf();
  } catch (error) {
    await stream.return?.();
    throw error;
  }
  return stream;
}

/** The end of a stream whose subscriber reads more slowly than things happen. */
const tooSlow = (field: string, sent: string | null): GatewayError =>
  new GatewayError(
    'SUBSCRIBER_TOO_SLOW',
    `the subscriber is more than ${MAX_KEPT} batches behind; subscribe again with ${field}: ${JSON.stringify(sent)}`,
    { field },
  );

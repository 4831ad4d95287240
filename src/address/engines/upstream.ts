// An upstream geocoder over HTTP: time-out, circuit breaker, bounded concurrency, cache. An adapter builds the requests and reads the results.
import { LRUCache } from 'lru-cache';
import { fold, prepare } from '../geocoder/normalise.ts';
import type { GeocodeResult } from '../geocoder/types.ts';
import { Circuit, Slots } from './circuit.ts';
import { type GeocodeEngine, UpstreamError } from './engine.ts';

/** The part of `fetch` that is used; the caller passes one that enforces its own rules for outbound calls. */
export type FetchLike = (
  url: string,
  init: { headers: Record<string, string>; signal: AbortSignal; redirect: 'error' },
) => Promise<{ status: number; headers: { get(name: string): string | null }; text(): Promise<string> }>;

export interface UpstreamAdapter {
  readonly name: string;
  /** Version of everything that shapes the result besides the upstream; part of the cache key. */
  readonly version: string;
  url(address: string): string;
  /** Reads a JSON body; throws UpstreamError('malformed') for any other shape. */
  read(address: string, body: unknown): GeocodeResult;
}

export interface UpstreamSettings {
  readonly timeoutMs?: number;
  readonly concurrency?: number;
  readonly now?: () => number;
  /** Where results are kept; a cache of its own by default. */
  readonly cache?: GeocodeCache;
}

const TIMEOUT_MS = 2_000;
const CACHE_ENTRIES = 2_000;
const CACHE_MS = 24 * 3_600_000;
const MAX_CHARACTERS = 1_000_000;

/** Results by adapter and address. */
export type GeocodeCache = LRUCache<string, GeocodeResult>;

export const upstreamCache = (): GeocodeCache => new LRUCache({ max: CACHE_ENTRIES, ttl: CACHE_MS });

export function upstreamEngine(adapter: UpstreamAdapter, fetch: FetchLike, settings: UpstreamSettings = {}): GeocodeEngine {
  const circuit = new Circuit(settings.now);
  const slots = new Slots(settings.concurrency);
  const cache = settings.cache ?? upstreamCache();
  const timeoutMs = settings.timeoutMs ?? TIMEOUT_MS;

  async function geocode(address: string, options: { signal?: AbortSignal } = {}): Promise<GeocodeResult> {
    const key = `${adapter.name}\n${adapter.version}\n${fold(prepare(address))}`;
    const known = cache.get(key);
    if (known) return { ...known, query: { ...known.query, address } };
    const result = await circuit.run(() => slots.run(() => ask(address, options.signal)));
    cache.set(key, result);
    return result;
  }

  async function ask(address: string, signal: AbortSignal | undefined): Promise<GeocodeResult> {
    const timeout = AbortSignal.timeout(timeoutMs);
    const either = signal ? AbortSignal.any([signal, timeout]) : timeout;
    try {
      const response = await fetch(adapter.url(address), { headers: { accept: 'application/json' }, signal: either, redirect: 'error' });
      if (response.status !== 200) throw statusError(response.status, response.headers.get('retry-after'));
      return adapter.read(address, parse(await response.text()));
    } catch (error) {
      if (error instanceof UpstreamError) throw error;
      if (signal?.aborted) throw error;
      if (timeout.aborted) throw new UpstreamError('timeout', `The upstream geocoder did not respond within ${timeoutMs} ms`);
      throw new UpstreamError('network', 'The upstream geocoder cannot be reached');
    }
  }

  return { name: adapter.name, geocode };
}

function statusError(status: number, retryAfter: string | null): UpstreamError {
  const seconds = retryAfter && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : null;
  const wait = seconds === null ? (status === 429 ? 10_000 : null) : seconds * 1_000;
  return new UpstreamError(
    status === 429 ? 'rate_limited' : 'status',
    `The upstream geocoder returned status ${status}`,
    status === 429 || status === 503 ? wait : null,
  );
}

function parse(text: string): unknown {
  if (text.length > MAX_CHARACTERS) throw new UpstreamError('malformed', 'The upstream geocoder sent more than a million characters');
  try {
    return JSON.parse(text);
  } catch {
    throw new UpstreamError('malformed', 'The upstream geocoder did not send JSON');
  }
}

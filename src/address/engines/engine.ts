// The engine contract and the policy that decides which engine is used.
import type { GeocoderPolicy } from '../../config.ts';
import type { GeocodeResult } from '../geocoder/types.ts';
import { SURE } from '../geocoder/verdict.ts';

export interface EngineOptions {
  readonly signal?: AbortSignal;
}

export interface GeocodeEngine {
  readonly name: string;
  geocode(address: string, options?: EngineOptions): Promise<GeocodeResult>;
}

export type UpstreamFailure = 'timeout' | 'network' | 'rate_limited' | 'status' | 'malformed' | 'circuit_open' | 'busy';

/** The upstream engine gave no usable result. Carries no part of the address. */
export class UpstreamError extends Error {
  readonly reason: UpstreamFailure;
  /** Wait the upstream asked for, in milliseconds. */
  readonly retryAfterMs: number | null;

  constructor(reason: UpstreamFailure, message: string, retryAfterMs: number | null = null) {
    super(message);
    this.name = 'UpstreamError';
    this.reason = reason;
    this.retryAfterMs = retryAfterMs;
  }
}

/**
 * Combines the engines. `embedded_then_upstream` asks the upstream where the embedded engine is not sure. Without an upstream every policy is
 * `embedded`, so no address leaves the host unless one is configured.
 * `upstream` throws UpstreamError when the upstream fails; the mixed policies fall back to the embedded result.
 */
export function withPolicy(policy: GeocoderPolicy, embedded: GeocodeEngine, upstream: GeocodeEngine | null): GeocodeEngine {
  if (policy === 'embedded' || !upstream) return embedded;
  if (policy === 'upstream') return upstream;
  const name = `${embedded.name}+${upstream.name}`;
  if (policy === 'upstream_then_embedded')
    return { name, geocode: (address, options) => upstreamFirst(address, options, embedded, upstream) };
  return { name, geocode: (address, options) => embeddedFirst(address, options, embedded, upstream) };
}

async function upstreamFirst(
  address: string,
  options: EngineOptions | undefined,
  embedded: GeocodeEngine,
  upstream: GeocodeEngine,
): Promise<GeocodeResult> {
  const geocoded = await upstream.geocode(address, options).catch(onlyUpstreamErrors);
  return geocoded?.result ? geocoded : embedded.geocode(address, options);
}

async function embeddedFirst(
  address: string,
  options: EngineOptions | undefined,
  embedded: GeocodeEngine,
  upstream: GeocodeEngine,
): Promise<GeocodeResult> {
  const own = await embedded.geocode(address, options);
  if (own.confidence >= SURE && own.match !== 'ambiguous') return own;
  const other = await upstream.geocode(address, options).catch(onlyUpstreamErrors);
  return other?.result && other.confidence >= own.confidence ? other : own;
}

function onlyUpstreamErrors(error: unknown): null {
  if (error instanceof UpstreamError) return null;
  throw error;
}

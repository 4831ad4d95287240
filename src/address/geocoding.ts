// The geocoder of a process: tables loaded at the first address, the current ISO content, and the upstream engine of the settings.

import type { RequestContext, Services } from '../access/context.ts';
import type { RequestTurn } from '../access/request-turn.ts';
import { GatewayError } from '../records/errors.ts';
import { type Cache, CacheKey } from '../runtime/caches.ts';
import { others } from '../runtime/others.ts';
import { callOut } from '../security/egress.ts';
import { embeddedEngine } from './engines/embedded.ts';
import { type GeocodeEngine, UpstreamError, withPolicy } from './engines/engine.ts';
import { nominatim } from './engines/nominatim.ts';
import { type FetchLike, type GeocodeCache, upstreamCache, upstreamEngine } from './engines/upstream.ts';
import { type Gazetteer, loadGazetteer } from './gazetteer/gazetteer.ts';
import { createGeocoder, type Geocoder } from './geocoder/geocode.ts';
import type { GeocodeResult } from './geocoder/types.ts';
import type { IsoContent } from './iso/content.ts';
import { type IsoRegister, isoRegister } from './iso/register.ts';

/** Most bytes of an upstream result that are read. */
const UPSTREAM_BYTES = 1_000_000;

/** The operator names the upstream, so it may be on a private network. */
const callUpstream: FetchLike = async (url, { headers, signal }) => {
  const result = await callOut(
    { url, method: 'GET', headers: { ...headers, 'user-agent': 'ledger-gateway' } },
    { allowPrivate: true, keepBytes: UPSTREAM_BYTES, signal },
  );
  if (result.kind !== 'response') throw new Error(result.reason);
  return {
    status: result.status,
    headers: { get: (name) => (name === 'retry-after' ? result.headers.retryAfter : null) },
    text: async () => result.bodySnippet,
  };
};

class Geocoding implements Cache {
  readonly #register: IsoRegister;
  readonly #engine: GeocodeEngine;
  #gazetteer: Gazetteer | undefined;
  #current: { iso: IsoContent; geocoder: Geocoder } | undefined;

  constructor(services: Services) {
    const { geocoderUrl, geocoderPolicy } = services.config;
    this.#register = services.caches.of(isoRegister);
    const embedded = embeddedEngine(() => this.#current!.geocoder);
    const upstream =
      geocoderUrl === undefined
        ? null
        : upstreamEngine(
            nominatim(geocoderUrl, () => this.#current!.iso),
            callUpstream,
            { cache: services.caches.of(upstreamResults) },
          );
    this.#engine = withPolicy(geocoderPolicy, embedded, upstream);
  }

  /** Whether the tables of the embedded geocoder are in memory. */
  get size(): number {
    return this.#current ? 1 : 0;
  }

  clear(): void {
    this.#gazetteer = undefined;
    this.#current = undefined;
  }

  async geocode(address: string, turn: RequestTurn | undefined): Promise<GeocodeResult> {
    await this.embedded();
    const start = turn?.start();
    if (start) await start;
    return this.#engine.geocode(address);
  }

  /** The embedded geocoder with the current ISO content. */
  async embedded(): Promise<Geocoder> {
    const iso = await this.#register.content();
    if (!this.#gazetteer) {
      this.#gazetteer = loadGazetteer();
      await others();
    }
    if (this.#current?.iso !== iso) this.#current = { iso, geocoder: createGeocoder(this.#gazetteer, iso) };
    return this.#current.geocoder;
  }
}

const upstreamResults = new CacheKey<Services, GeocodeCache>('upstream_addresses', upstreamCache);
const geocoding = new CacheKey('geocoder', (services: Services) => new Geocoding(services));

/**
 * Geocodes a checked address when it is the caller's turn: an address of 500 characters takes up to 50 ms without a pause. Only the policy
 * `upstream`, which does not fall back to the embedded engine, can fail.
 */
export async function geocodeAddress({ services, turn }: RequestContext, address: string): Promise<GeocodeResult> {
  try {
    return await services.caches.of(geocoding).geocode(address, turn);
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    throw new GatewayError('SERVICE_UNAVAILABLE', error.message, {
      retryAfterSeconds: error.retryAfterMs === null ? 2 : error.retryAfterMs / 1_000,
    });
  }
}

/** Addresses of a batch that are geocoded at a time. An upstream engine takes no more calls either. */
const AT_A_TIME = 4;

/** Geocodes checked addresses, in their order. */
export async function geocodeAddresses(context: RequestContext, addresses: readonly string[]): Promise<GeocodeResult[]> {
  const results: GeocodeResult[] = [];
  const waiting = addresses.entries();
  const work = async (): Promise<void> => {
    for (const [at, address] of waiting) results[at] = await geocodeAddress(context, address);
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  return results;
}

/** Asks the embedded geocoder, which alone completes texts and locates positions, when it is the caller's turn. */
export async function askGeocoder<T>(
  { services, turn }: Pick<RequestContext, 'services' | 'turn'>,
  ask: (geocoder: Geocoder) => T,
): Promise<T> {
  const geocoder = await services.caches.of(geocoding).embedded();
  const start = turn?.start();
  if (start) await start;
  return ask(geocoder);
}

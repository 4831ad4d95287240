// The upstream engine against a loopback server: good responses, limits, errors, slow responses and nonsense; and the policies that choose an engine.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { embeddedEngine } from '../../src/address/engines/embedded.ts';
import { type GeocodeEngine, UpstreamError, withPolicy } from '../../src/address/engines/engine.ts';
import { nominatim } from '../../src/address/engines/nominatim.ts';
import { type FetchLike, type UpstreamSettings, upstreamEngine } from '../../src/address/engines/upstream.ts';
import { loadGazetteer } from '../../src/address/gazetteer/gazetteer.ts';
import { createGeocoder } from '../../src/address/geocoder/geocode.ts';
import { shippedIsoContent } from '../../src/address/iso/shipped-content.ts';
import type { GeocoderPolicy } from '../../src/config.ts';

const iso = shippedIsoContent();
const geocoder = createGeocoder(loadGazetteer(), iso);
const embedded = embeddedEngine(() => geocoder);
const HOUSE = {
  lat: '48.8606',
  lon: '2.3376',
  display_name: '1, Rue de Rivoli, Paris, France',
  addresstype: 'building',
  importance: 0.6,
  boundingbox: ['48.860', '48.861', '2.337', '2.338'],
  licence: 'Test licence',
  address: {
    house_number: '1',
    road: 'Rue de Rivoli',
    city: 'Paris',
    state: 'Île-de-France',
    'ISO3166-2-lvl4': 'FR-IDF',
    'ISO3166-2-lvl6': 'FR-75C',
    postcode: '75001',
    country: 'France',
    country_code: 'fr',
  },
};

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

type Handler = (response: ServerResponse, request: IncomingMessage) => void;
const json =
  (body: unknown, status = 200): Handler =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

/** A server that runs the handlers in order; the last one serves all later calls. */
async function upstream(handlers: readonly Handler[], settings: UpstreamSettings = {}): Promise<{ engine: GeocodeEngine; urls: string[] }> {
  const urls: string[] = [];
  const server = createServer((request, response) => {
    urls.push(request.url!);
    handlers[Math.min(urls.length, handlers.length) - 1]!(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/geo`;
  return {
    engine: upstreamEngine(
      nominatim(base, () => iso),
      fetch as FetchLike,
      settings,
    ),
    urls,
  };
}

const reasonOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'responded',
    (error: unknown) => (error instanceof UpstreamError ? error.reason : `other: ${error}`),
  );

describe('upstream engine', () => {
  test('a house-level response takes the deepest known ISO code', async () => {
    const { engine, urls } = await upstream([json([HOUSE])]);
    const { result, match, engine: info } = await engine.geocode('1 rue de Rivoli & co, Paris');
    expect(result).toMatchObject({
      country: { alpha2: 'FR', alpha3: 'FRA' },
      subdivision: { code: 'FR-75C', level: 2 },
      precision: 'house',
      coordinates: { latitude: 48.8606, longitude: 2.3376 },
      components: { houseNumber: '1', street: 'Rue de Rivoli' },
    });
    expect([match, info.name, info.attribution]).toEqual(['exact', 'nominatim', ['Test licence']]);
    expect(new URL(urls[0]!, 'http://host').pathname).toBe('/geo/search');
    expect(new URL(urls[0]!, 'http://host').searchParams.get('q')).toBe('1 rue de Rivoli & co, Paris');
  });

  test('a dual territory returns its own country code', async () => {
    const place = { ...HOUSE, addresstype: 'town', address: { town: 'Pointe-à-Pitre', 'ISO3166-2-lvl3': 'FR-971', country_code: 'fr' } };
    const { engine } = await upstream([json([place])]);
    expect((await engine.geocode('Pointe-à-Pitre')).result).toMatchObject({
      country: { alpha2: 'GP' },
      parentCountry: 'FR',
      precision: 'locality',
    });
  });

  test('two equally important places in different areas are ambiguous', async () => {
    const other = { ...HOUSE, importance: 0.59, address: { town: 'Paris', 'ISO3166-2-lvl4': 'US-TX', country_code: 'us' } };
    const { engine } = await upstream([json([HOUSE, other])]);
    expect(await engine.geocode('Paris')).toMatchObject({ match: 'ambiguous', alternatives: [{ country: 'US', subdivision: 'US-TX' }] });
  });

  test('no place found is a response without result', async () => {
    const { engine } = await upstream([json([])]);
    expect(await engine.geocode('nowhere')).toMatchObject({ match: 'none', result: null });
  });

  test.each<[string, Handler, string]>([
    ['a 429', json({}, 429), 'rate_limited'],
    ['a 500', json({}, 500), 'status'],
    ['a 503', json({}, 503), 'status'],
    ['a redirect', (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(), 'network'],
    ['text that is no JSON', (response) => response.end('{"lat":'), 'malformed'],
    [
      'an HTML page',
      (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html><body>Welcome</body></html>'),
      'malformed',
    ],
    ['JSON of another shape', json({ error: 'no' }), 'malformed'],
    ['a place without coordinates', json([{ ...HOUSE, lat: 'north' }]), 'malformed'],
    ['a closed connection', (_, request) => request.socket.destroy(), 'network'],
  ])('%s becomes the reason of an upstream error', async (_, handler, reason) => {
    const { engine } = await upstream([handler]);
    expect(await reasonOf(engine.geocode('Paris'))).toBe(reason);
  });

  test('a call to a slow upstream times out', async () => {
    const { engine } = await upstream([() => undefined], { timeoutMs: 50 });
    expect(await reasonOf(engine.geocode('Paris'))).toBe('timeout');
  });

  test('an abort by the caller is the caller’s own error, not the upstream’s', async () => {
    const { engine } = await upstream([() => undefined]);
    const abort = new AbortController();
    const call = reasonOf(engine.geocode('Paris', { signal: abort.signal }));
    abort.abort();
    expect(await call).toMatch(/^other: AbortError/);
  });

  test('equal addresses are sent upstream once, failures are not cached', async () => {
    const { engine, urls } = await upstream([json({}, 500), json([HOUSE])]);
    expect(await reasonOf(engine.geocode('1 Rue de Rivoli'))).toBe('status');
    await engine.geocode('1 Rue de Rivoli');
    const again = await engine.geocode('  1 rue  de RIVOLI ');
    expect(again.query.address).toBe('  1 rue  de RIVOLI ');
    expect(urls.length).toBe(2);
  });

  test('five failures open the circuit, one success after the pause closes it', async () => {
    let now = 1_000;
    const failing = Array.from({ length: 5 }, () => json({}, 500));
    const { engine, urls } = await upstream([...failing, json([HOUSE])], { now: () => now });
    for (let i = 0; i < 5; i++) expect(await reasonOf(engine.geocode(`Paris ${i}`))).toBe('status');
    expect(await reasonOf(engine.geocode('Paris 6'))).toBe('circuit_open');
    expect(urls.length).toBe(5);
    now += 30_001;
    expect(await reasonOf(engine.geocode('Paris 7'))).toBe('responded');
    expect(await reasonOf(engine.geocode('Paris 8'))).toBe('responded');
  });

  test('a 429 pauses calls for the time it asks for', async () => {
    let now = 1_000;
    const limited: Handler = (response) => response.writeHead(429, { 'retry-after': '60' }).end();
    const { engine, urls } = await upstream([limited, json([HOUSE])], { now: () => now });
    expect(await reasonOf(engine.geocode('Paris'))).toBe('rate_limited');
    now += 59_000;
    expect(await reasonOf(engine.geocode('Paris'))).toBe('circuit_open');
    now += 2_000;
    expect(await reasonOf(engine.geocode('Paris'))).toBe('responded');
    expect(urls.length).toBe(2);
  });

  test('no more calls run at the same time than allowed', async () => {
    let open = 0;
    let most = 0;
    const handler: Handler = (response) => {
      most = Math.max(most, ++open);
      setTimeout(() => {
        open--;
        response.end(JSON.stringify([HOUSE]));
      }, 10);
    };
    const { engine, urls } = await upstream([handler], { concurrency: 2 });
    await Promise.all(Array.from({ length: 8 }, (_, i) => engine.geocode(`Rue ${i}`)));
    expect([most, urls.length]).toEqual([2, 8]);
  });
});

describe('policy', () => {
  const used = async (policy: GeocoderPolicy, address: string, handler: Handler): Promise<[string, number]> => {
    const { engine, urls } = await upstream([handler]);
    const result = await withPolicy(policy, embedded, engine).geocode(address);
    return [result.engine.name, urls.length];
  };

  test('without an upstream every policy stays on this host', async () => {
    for (const policy of ['upstream', 'embedded_then_upstream'] as const) expect(withPolicy(policy, embedded, null)).toBe(embedded);
  });

  test('embedded never asks the upstream', async () => {
    expect(await used('embedded', 'Springfield', json([HOUSE]))).toEqual(['embedded', 0]);
  });

  test('embedded_then_upstream asks only when unsure, and keeps its own response when the upstream fails', async () => {
    expect(await used('embedded_then_upstream', 'Oslo, Norway', json([HOUSE]))).toEqual(['embedded', 0]);
    expect(await used('embedded_then_upstream', 'Springfield', json([HOUSE]))).toEqual(['nominatim', 1]);
    expect(await used('embedded_then_upstream', 'Springfield', json({}, 500))).toEqual(['embedded', 1]);
  });

  test('upstream_then_embedded falls back on failure and on no result', async () => {
    expect(await used('upstream_then_embedded', 'Oslo, Norway', json([HOUSE]))).toEqual(['nominatim', 1]);
    expect(await used('upstream_then_embedded', 'Oslo, Norway', json({}, 429))).toEqual(['embedded', 1]);
    expect(await used('upstream_then_embedded', 'Oslo, Norway', json([]))).toEqual(['embedded', 1]);
  });

  test('upstream alone reports its failure', async () => {
    const { engine } = await upstream([json({}, 500)]);
    expect(await reasonOf(withPolicy('upstream', embedded, engine).geocode('Oslo'))).toBe('status');
  });
});

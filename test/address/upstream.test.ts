// A server with an upstream geocoder: the request that leaves the host, the response to it, the effect of a failure on the caller, and the log.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { type Gateway, type GatewayResponse, startGateway } from '../support/gateway.ts';

const place = {
  lat: '48.8606',
  lon: '2.3376',
  display_name: `1, Rue de Rivoli, Paris, France${' '.repeat(1_500)}`,
  addresstype: 'building',
  importance: 0.6,
  address: { house_number: '1', road: 'Rue de Rivoli', city: 'Paris', 'ISO3166-2-lvl6': 'FR-75C', country_code: 'fr' },
};

let upstream: Server;
let gateway: Gateway;
let key: string;
const log: string[] = [];
let status = 200;

beforeAll(async () => {
  upstream = createServer((_, response) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify([place])));
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  const geocoderUrl = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  gateway = await startGateway(
    { geocoderUrl, geocoderPolicy: 'upstream' },
    pino({ level: 'trace' }, { write: (line: string) => void log.push(line) }),
  );
  key = await gateway.key(['GEOCODE']);
});
afterAll(async () => {
  await gateway.stop();
  await new Promise((resolve) => upstream.close(resolve));
});

const geoencode = (address: string): Promise<GatewayResponse> =>
  gateway.send('POST', '/api/v1/geoencode', { headers: { 'x-service-key': key }, body: { address } });

describe('an upstream geocoder', () => {
  it('its response comes in the same body, however long it is', async () => {
    status = 200;
    const { data } = (await geoencode('1 Rue de Rivoli')).body;
    expect(data).toMatchObject({
      match: 'exact',
      result: { precision: 'house', subdivision: { code: 'FR-75C' } },
      engine: { name: 'nominatim' },
    });
  });

  it('its failure is 503 where nothing else may respond, and the address is never logged', async () => {
    status = 500;
    const response = await geoencode('Secret Lane 7, Hiddenville');
    expect([response.status, response.body.error.type]).toEqual([503, 'SERVER_UNAVAILABLE']);
    expect(response.headers.get('retry-after')).toBe('2');
    expect(log.join('')).toContain('/api/v1/geoencode');
    expect(log.join('')).not.toMatch(/Secret|Hiddenville|Rivoli/);
  });
});

describe('settings', () => {
  it('an upstream is asked only when it is configured, and then when the embedded engine is unsure', () => {
    expect(readConfig({}).geocoderPolicy).toBe('embedded');
    expect(readConfig({ GEOCODER_URL: 'https://geocoder.example' }).geocoderPolicy).toBe('embedded_then_upstream');
    expect(readConfig({ GEOCODER_URL: 'https://geocoder.example', GEOCODER_POLICY: 'embedded' }).geocoderPolicy).toBe('embedded');
    expect(() => readConfig({ GEOCODER_POLICY: 'upstream' })).toThrow('GEOCODER_POLICY needs GEOCODER_URL');
    expect(() => readConfig({ GEOCODER_POLICY: 'both' })).toThrow('GEOCODER_POLICY must be one of');
  });
});

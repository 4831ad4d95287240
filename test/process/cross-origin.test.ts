// Pages of other origins: those of development on a machine of its own, configured ones, preflights, and what scripts may read.
import { describe, expect, it } from 'vitest';
import { useGateway } from '../support/gateway.ts';
import { type RawResponse, rawRequest } from '../support/raw-http.ts';

const local = useGateway();
const open = useGateway({ host: '0.0.0.0', corsOrigins: ['https://app.example'] });
const closed = useGateway({ host: '0.0.0.0' });

const preflight = (origin: string, from: string, path = '/graphql'): Promise<RawResponse> =>
  rawRequest(origin, 'OPTIONS', path, {
    headers: { origin: from, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization,content-type' },
  });
const allowed = ({ headers }: RawResponse): string | undefined => headers['access-control-allow-origin'];

describe('origins', () => {
  it.each(['http://localhost:5173', 'http://127.0.0.1:3000', 'http://localhost'])(
    '%s is allowed while the gateway is bound to loopback, and not otherwise',
    async (from) => {
      expect(allowed(await preflight(local.origin, from))).toBe(from);
      expect(allowed(await preflight(open.origin, from))).toBeUndefined();
    },
  );

  it.each([
    'https://localhost:5173',
    'http://localhost.example',
    'http://localhost:5173.example',
    'http://127.0.0.2:80',
    'null',
    'http://evil@localhost',
  ])('%s is not one of development', async (from) => expect(allowed(await preflight(local.origin, from))).toBeUndefined());

  it('a configured origin is allowed wherever the gateway is bound', async () => {
    expect(allowed(await preflight(open.origin, 'https://app.example'))).toBe('https://app.example');
    expect(allowed(await preflight(open.origin, 'https://other.example'))).toBeUndefined();
  });

  it('where no origin is configured and the gateway is bound to every address, none is allowed', async () => {
    expect(allowed(await preflight(closed.origin, 'https://app.example'))).toBeUndefined();
  });
});

describe('headers', () => {
  it('a preflight is good for two hours and allows the methods of REST and the headers asked for', async () => {
    const { status, headers } = await preflight(local.origin, 'http://localhost:5173', '/v4/core/companies');
    expect([status, headers['access-control-max-age'], headers['access-control-allow-headers']]).toEqual([
      204,
      '7200',
      'authorization,content-type',
    ]);
    for (const method of ['PUT', 'PATCH', 'DELETE']) expect(headers['access-control-allow-methods']).toContain(method);
  });

  it('scripts may read the tag, the replay, the request id and the allowance; no credential is ambient', async () => {
    const { headers } = await rawRequest(local.origin, 'POST', '/graphql', {
      headers: { origin: 'http://localhost:5173' },
      body: { query: '{ __typename }' },
    });
    const shown = headers['access-control-expose-headers']!.split(',');
    for (const name of [
      'ETag',
      'Idempotency-Replayed',
      'X-Request-Id',
      'Retry-After',
      'X-RateLimit-Limit',
      'X-RateLimit-Remaining',
      'X-RateLimit-Reset',
    ])
      expect(shown).toContain(name);
    expect([headers['access-control-allow-credentials'], headers.vary]).toEqual([undefined, 'Origin']);
  });

  it('a response to a program has none of them', async () => {
    const { headers } = await rawRequest(open.origin, 'GET', '/livez');
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });
});

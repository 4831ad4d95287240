// Wrong credentials: how many of them an address may send, on every endpoint, and which credentials still work in the meantime.
import { beforeEach, describe, expect, it } from 'vitest';
import { routes } from '../../rest-compat/routes/routes.ts';
import { FAILURES_MS } from '../../src/access/allowance.ts';
import { newKeyValue } from '../../src/security/key-values.ts';
import { ADMIN_TOKEN, type Gateway, type GatewayResponse, useGateway } from '../support/gateway.ts';
import { credentialHeader, pathOf, rolesOf } from '../support/routes.ts';
import { closeClients, connect, connectWithKey } from '../support/subscriber.ts';

const LIMIT = 5;
const gateway = useGateway({ failedAuthLimit: LIMIT });
/** Trusts one proxy in front, so that each test can send from an address of its own. */
const proxied = useGateway({ failedAuthLimit: LIMIT, trustedProxies: 1 });
closeClients();

// Every test begins with the full allowance.
beforeEach(() => gateway.clock.advance(FAILURES_MS));

const wrongKeys = ['ent_wrong', 'nonsense', 'a.b.c'];
const wrong = (index: number): string => (index % 2 ? newKeyValue() : wrongKeys[index % wrongKeys.length]!);
const routeOf = (credential: string) => routes.find((route) => route.credential === credential && route.method === 'GET')!;
const endpoints = ['bearer', 'x-api-key', 'x-service-key', 'api_key', 'GraphQL'] as const;

/** Sends one request to an endpoint with a value in its header. */
function ask(
  at: Gateway,
  endpoint: (typeof endpoints)[number],
  value: string,
  headers: Record<string, string> = {},
): Promise<GatewayResponse> {
  if (endpoint === 'GraphQL')
    return at.send('POST', '/graphql', { headers: { authorization: `Bearer ${value}`, ...headers }, body: { query: '{ __typename }' } });
  const route = routes.find((candidate) => candidate.credential === endpoint)!;
  const options = { headers: { ...credentialHeader(route.credential, value), ...headers } };
  return at.send(
    route.method,
    pathOf(route, () => '1'),
    route.method === 'GET' ? options : { ...options, body: {} },
  );
}

describe('wrong credentials', () => {
  it.each(endpoints)('to %s return 401 up to the limit and then 429 with the time until a retry', async (endpoint) => {
    gateway.clock.stop();
    const statuses: number[] = [];
    for (let index = 0; index < LIMIT; index++) statuses.push((await ask(gateway, endpoint, wrong(index))).status);
    expect(statuses).toEqual(Array<number>(LIMIT).fill(401));
    const refused = await ask(gateway, endpoint, newKeyValue());
    expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([429, FAILURES_MS / 1_000 / LIMIT]);
    expect(refused.text).toContain(endpoint.includes('service') ? 'CLIENT_RATE_LIMITED' : 'RATE_LIMIT_EXCEEDED');
    gateway.clock.advance(FAILURES_MS / LIMIT);
    expect((await ask(gateway, endpoint, wrong(0))).status).toBe(401);
    expect((await ask(gateway, endpoint, wrong(0))).status).toBe(429);
  });

  it('share one allowance over all endpoints', async () => {
    gateway.clock.stop();
    for (let index = 0; index < LIMIT; index++) await ask(gateway, endpoints[index]!, wrong(index));
    for (const endpoint of endpoints) expect((await ask(gateway, endpoint, newKeyValue())).status).toBe(429);
    await expect(
      connectWithKey(gateway.origin, newKeyValue()).iterate({ query: 'subscription { eventStream { id } }' }).next(),
    ).rejects.toMatchObject({ code: 4429 });
  });

  it('count over WebSocket too', async () => {
    gateway.clock.stop();
    const subscribe = (): Promise<unknown> =>
      connectWithKey(gateway.origin, newKeyValue())
        .iterate({ query: 'subscription { eventStream { id } }' })
        .next()
        .then(
          () => 'responded',
          ({ code }) => code,
        );
    const codes: unknown[] = [];
    for (let index = 0; index <= LIMIT; index++) codes.push(await subscribe());
    expect(codes).toEqual([...Array<number>(LIMIT).fill(4403), 4429]);
    expect((await ask(gateway, 'bearer', newKeyValue())).status).toBe(429);
  });

  it('beyond the limit are rejected before the database is asked, also when they come at once', async () => {
    gateway.clock.stop();
    const { database } = gateway.services;
    const before = database.statements();
    const responses = await Promise.all(Array.from({ length: 100 }, () => ask(gateway, 'api_key', newKeyValue())));
    const statuses = responses.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array<number>(LIMIT).fill(401), ...Array<number>(100 - LIMIT).fill(429)]);
    // Background tasks may have sent some.
    expect(database.statements() - before).toBeLessThan(30);
  });

  it('do not count where no credential is sent', async () => {
    gateway.clock.stop();
    const route = routeOf('api_key');
    for (let index = 0; index < LIMIT * 2; index++)
      expect(
        (
          await gateway.send(
            'GET',
            pathOf(route, () => '1'),
          )
        ).status,
      ).toBe(401);
  });
});

describe('right credentials of an address that has sent too many wrong ones', () => {
  const exhaust = async (): Promise<void> => {
    for (let index = 0; index < LIMIT; index++) await ask(gateway, 'bearer', newKeyValue());
    expect((await ask(gateway, 'bearer', newKeyValue())).status).toBe(429);
  };

  it('still work where they were used before, also when they are looked up again', async () => {
    gateway.clock.stop();
    const key = await gateway.key([...rolesOf(gateway.services.schema, routeOf('bearer'))]);
    expect((await ask(gateway, 'GraphQL', key)).status).toBe(200);
    await exhaust();
    expect((await ask(gateway, 'GraphQL', key)).status).toBe(200);
    // A look-up is cached for five seconds; the allowance is refilled in the meantime and used up again.
    gateway.clock.advance(6_000);
    await exhaust().catch(() => {});
    while ((await ask(gateway, 'bearer', newKeyValue())).status !== 429);
    expect((await ask(gateway, 'GraphQL', key)).status).toBe(200);
    expect((await ask(gateway, 'GraphQL', ADMIN_TOKEN)).status).toBe(200);
  });

  it('must wait for the allowance when they are new, and a revoked one is wrong', async () => {
    gateway.clock.stop();
    const key = await gateway.key(['INTEGRATIONS']);
    await exhaust();
    expect((await ask(gateway, 'GraphQL', key)).status).toBe(429);
    gateway.clock.advance(FAILURES_MS / LIMIT);
    expect((await ask(gateway, 'GraphQL', key)).status).toBe(200);
    await gateway.services.keys.end((await gateway.services.keys.find(key))!.identity, gateway.services.clock.now(), 'revokedAt');
    expect((await ask(gateway, 'GraphQL', key)).status).toBe(401);
  });

  it('are never rejected because of other valid ones, however many are new at once', async () => {
    gateway.clock.stop();
    const keys = await Promise.all(Array.from({ length: LIMIT * 6 }, () => gateway.key(['INTEGRATIONS'])));
    const responses = await Promise.all(keys.map((key) => ask(gateway, 'GraphQL', key)));
    expect(responses.filter(({ status }) => status !== 200)).toEqual([]);
  });
});

describe('addresses', () => {
  const from = (address: string): Promise<GatewayResponse> => ask(proxied, 'api_key', newKeyValue(), { 'x-forwarded-for': address });

  it('behind a trusted proxy each caller has an allowance of its own, whatever the header it sends', async () => {
    proxied.clock.stop();
    for (let index = 0; index < LIMIT; index++) expect((await from(`203.0.113.${index}, 198.51.100.1`)).status).toBe(401);
    expect((await from('203.0.113.99, 198.51.100.1')).status).toBe(429);
    expect((await from('203.0.113.99, 198.51.100.2')).status).toBe(401);
    expect((await from('::ffff:198.51.100.1')).status).toBe(429);
  });

  it('an IPv6 address counts by its network of 64 bits', async () => {
    proxied.clock.stop();
    for (let index = 0; index < LIMIT; index++) expect((await from(`2001:db8:1:1::${index}`)).status).toBe(401);
    expect((await from('2001:db8:1:1:ffff::1')).status).toBe(429);
    expect((await from('2001:db8:1:2::1')).status).toBe(401);
  });

  it('the parameters of a WebSocket name no address, so wrong keys count for the sender and lock no other caller out', async () => {
    proxied.clock.stop();
    const honest = '192.0.2.50';
    const codes: unknown[] = [];
    for (let index = 0; index <= LIMIT; index++) {
      const connectionParams = {
        authorization: `Bearer ${newKeyValue()}`,
        'X-Forwarded-For': honest,
        'x-forwarded-for': `203.0.113.${index}`,
      };
      const client = connect({ origin: proxied.origin, headers: { 'x-forwarded-for': '198.51.100.60' }, connectionParams });
      const first = client.iterate({ query: 'subscription { eventStream { id } }' }).next();
      codes.push(await first.catch(({ code }) => code));
    }
    expect(codes).toEqual([...Array<number>(LIMIT).fill(4403), 4429]);
    expect((await from(honest)).status).toBe(401);
  });

  it('without a trusted proxy the header is ignored', async () => {
    gateway.clock.stop();
    for (let index = 0; index <= LIMIT; index++) {
      const response = await ask(gateway, 'api_key', newKeyValue(), { 'x-forwarded-for': `203.0.113.${index}` });
      expect(response.status).toBe(index < LIMIT ? 401 : 429);
    }
  });
});

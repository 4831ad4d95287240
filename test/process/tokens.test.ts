// Tokens of an OpenID Connect issuer: the identity of their bearer, the values of each claim, and the behaviour while the issuer fails.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Config, readConfig } from '../../src/config.ts';
import { entriesOf } from '../support/audit.ts';
import { ADMIN_TOKEN, type Gateway, type GatewayResponse, startGateway } from '../support/gateway.ts';
import { AUDIENCE, type Failing, type Issuer, startIssuer } from '../support/issuer.ts';
import { buildCompany } from '../support/records.ts';
import { closeClients, connectWithKey } from '../support/subscriber.ts';

closeClients();

const ORGANISATIONS = ['First "of", [two]', 'Second'] as const;
const BURST = 50;

let issuer: Issuer;
let gateway: Gateway;
/** Companies of the first organisation. */
const companies: number[] = [];

beforeAll(async () => {
  issuer = await startIssuer();
  gateway = await startGateway({ oidcIssuer: issuer.url, oidcAudience: AUDIENCE });
  for (const organisation of ORGANISATIONS) {
    const key = await gateway.key(['PLATFORM', 'INTEGRATIONS'], organisation);
    if (organisation === ORGANISATIONS[0]) for (const _ of [1, 2]) companies.push((await buildCompany(gateway, { key })).id);
  }
});
afterAll(async () => {
  await gateway.stop();
  await issuer.stop();
});

const roles = ['PLATFORM', 'INTEGRATIONS'];
const tokenOf = (organisation: unknown, more: Record<string, unknown> = {}): Promise<string> =>
  issuer.sign(issuer.claims({ organisation, roles, ...more }));
const list = (token: string, on = gateway): Promise<GatewayResponse> =>
  on.send('GET', '/v4/core/companies', { headers: { api_key: token } });

describe('the identity of a token', () => {
  const create = (token: string, key: string, name: string): Promise<GatewayResponse> =>
    gateway.send('POST', '/api/v1/corporations', {
      headers: { authorization: `Bearer ${token}`, 'idempotency-key': key },
      body: { legal_name: name, jurisdiction: 'GB' },
    });

  it('the same person with the same idempotency key in two organisations creates a record in each, and no replay', async () => {
    const [one, two] = await Promise.all(ORGANISATIONS.map((name) => tokenOf(name)));
    const key = randomUUID();
    const responses = [await create(one!, key, 'Same'), await create(two!, key, 'Same')];
    expect(responses.map(({ status, headers }) => [status, headers.get('idempotency-replayed')])).toEqual([
      [200, null],
      [200, null],
    ]);
    expect(responses[0]!.body.data.id).not.toBe(responses[1]!.body.data.id);
    const again = await create(await tokenOf(ORGANISATIONS[1]), key, 'Same');
    expect([again.headers.get('idempotency-replayed'), again.body.data.id]).toEqual(['true', responses[1]!.body.data.id]);
  });

  it('the same on /graphql', async () => {
    const query = 'mutation { createCorporation(input: { legalName: "Same", jurisdiction: "GB" }) { corporation { id } } }';
    const key = randomUUID();
    const ids: string[] = [];
    for (const organisation of ORGANISATIONS) {
      const response = await gateway.send('POST', '/graphql', {
        headers: { authorization: `Bearer ${await tokenOf(organisation)}`, 'idempotency-key': key },
        body: { query },
      });
      expect(response.headers.get('idempotency-replayed')).toBeNull();
      ids.push(response.body.data.createCorporation.corporation.id);
    }
    expect(new Set(ids).size).toBe(2);
  });

  it('issuer, organisation and subject make the identity, whatever characters they have', async () => {
    const identities = new Set<string>();
    for (const organisation of ORGANISATIONS)
      for (const sub of ['user-1', 'user-2', 'user-1"', '","user-1', 'user-1\\']) {
        const principal = await gateway.services.keys.find(await tokenOf(organisation, { sub }));
        expect(JSON.parse(principal!.identity.slice('token:'.length))).toEqual([issuer.url, principal!.organisation, sub]);
        identities.add(principal!.identity);
      }
    expect(identities.size).toBe(10);
  });

  it('each organisation of a person has an allowance of its own', async () => {
    const limited = await startGateway({ oidcIssuer: issuer.url, oidcAudience: AUDIENCE, rateLimitPerMinute: 60, rateLimitBurst: BURST });
    try {
      for (const organisation of ORGANISATIONS) await limited.key(['INTEGRATIONS'], organisation);
      const remaining = async (organisation: string): Promise<string | null> =>
        (await list(await tokenOf(organisation), limited)).headers.get('x-ratelimit-remaining');
      for (let sent = 0; sent < 20; sent++) await remaining(ORGANISATIONS[0]);
      expect(await remaining(ORGANISATIONS[1])).toBe(String(BURST - 1));
    } finally {
      await limited.stop();
    }
  });

  it('the audit log of an operator names issuer, organisation and subject', async () => {
    const code = `Q${String.fromCharCode(65 + Math.floor(Math.random() * 26))}`;
    const data = { '3166-1': [{ alpha_2: code, alpha_3: `${code}Z`, numeric: '901', name: 'Quux' }] };
    const token = await tokenOf(ORGANISATIONS[1], { roles: ['MANAGE_CONTENT'], sub: 'content-editor' });
    const response = await gateway.graphql(
      token,
      'mutation ($data: JSON!) { ingestIso3166(input: { data: $data }) { ingestion { applied } } }',
      {
        data,
      },
    );
    expect(response.body.errors).toBeUndefined();
    const rows = await gateway.services.database.read(
      { name: 'traced', text: "select actor_id from audit_entry where operation = 'ingestIso3166'" },
      [],
    );
    const { organisation } = (await gateway.services.keys.find(token))!;
    expect(rows).toEqual([[`token:${JSON.stringify([issuer.url, organisation, 'content-editor'])}`]]);
  });
});

describe('operators', () => {
  const operated = (settings: Partial<Config> = {}): Promise<Gateway> =>
    startGateway({
      oidcIssuer: issuer.url,
      oidcAudience: AUDIENCE,
      oidcOperator: { name: 'groups', value: 'ledger-operators' },
      adminToken: undefined,
      ...settings,
    });
  const ISSUE = 'mutation { issueAccessKey(input: { organisationName: "Operated", roles: [PLATFORM] }) { accessKey { id } } }';
  const issuedBy = async (on: Gateway, token: string) => (await on.graphql(token, ISSUE)).body.errors?.[0].extensions.code ?? 'issued';
  const signed = (claims: Record<string, unknown>): Promise<string> => issuer.sign(issuer.claims(claims));

  it('the claim makes an operator, whom the audit log names, and no other value or claim does', async () => {
    const own = await operated();
    try {
      expect(await issuedBy(own, await signed({ sub: 'ann', groups: ['staff', 'ledger-operators'] }))).toBe('issued');
      expect(await issuedBy(own, await signed({ sub: 'ann', groups: 'ledger-operators' }))).toBe('issued');
      const entries = await entriesOf(own);
      expect(entries.map(({ actor_kind, actor_id }) => [actor_kind, actor_id])).toEqual(
        Array.from({ length: 2 }, () => ['OPERATOR', `token:${JSON.stringify([issuer.url, 'ann'])}`]),
      );
      for (const claims of [
        { groups: ['ledger-operators-too'] },
        { groups: { 0: 'ledger-operators' } },
        { roles: ['ADMIN', 'ledger-operators'] },
        { groups: ['ledger-operators'], aud: 'another' },
        { groups: ['ledger-operators'], exp: 1 },
      ])
        expect(await issuedBy(own, await signed(claims)), JSON.stringify(claims)).toBe('UNAUTHENTICATED');
      const member = await signed({ organisation: 'Operated', roles: ['ADMIN', 'PLATFORM'] });
      expect(await issuedBy(own, member)).toBe('FORBIDDEN');
    } finally {
      await own.stop();
    }
  });

  it('with operators by OIDC the admin token opens the gateway only while the setting names it', async () => {
    const own = await operated();
    try {
      expect(await issuedBy(own, ADMIN_TOKEN)).toBe('UNAUTHENTICATED');
    } finally {
      await own.stop();
    }
    const bootstrapped = await operated({ adminToken: ADMIN_TOKEN });
    try {
      expect(await issuedBy(bootstrapped, ADMIN_TOKEN)).toBe('issued');
    } finally {
      await bootstrapped.stop();
    }
    expect(() => readConfig({ OIDC_OPERATOR_VALUE: 'x' })).toThrow(/^OIDC_OPERATOR_VALUE needs OIDC_ISSUER/);
  });
});

/** A value of every JSON type, with awkward ones of each type. */
const VALUES: unknown[] = [
  undefined,
  null,
  true,
  false,
  0,
  1,
  -1,
  1.5,
  1e300,
  '',
  ' ',
  'text',
  '1',
  'all',
  'nul\u0000',
  '\ud800',
  'x'.repeat(300),
  [],
  [null],
  [true],
  [0],
  [1.5],
  [-1],
  [1e300],
  ['1'],
  [[1]],
  [{}],
  {},
  { 0: 1, length: 1 },
  { toString: 'x' },
  ['constructor'],
  ['toString'],
  ['ADMIN'],
];

const isText = (value: unknown, most = Number.POSITIVE_INFINITY): boolean =>
  typeof value === 'string' && value !== '' && !value.includes('\0') && value.isWellFormed() && value.length <= most;

describe('the claims of a token', () => {
  /** The status and the companies that a value of a claim must result in. */
  const wanted: Record<string, (value: unknown) => [status: number, seen: number[]]> = {
    organisation: () => [401, []],
    sub: (value) => (isText(value, 255) ? [200, companies] : [401, []]),
    roles: (value) => (Array.isArray(value) ? [403, []] : [401, []]),
    company_ids: (value) => {
      if (value === undefined) return [200, companies];
      const isList = Array.isArray(value) && value.every((id) => Number.isSafeInteger(id) && id > 0);
      return isList ? [200, companies.filter((id) => (value as number[]).includes(id))] : [401, []];
    },
    exp: () => [401, []],
    nbf: (value) => (value === undefined || (typeof value === 'number' && value < 1e12) ? [200, companies] : [401, []]),
    iss: () => [401, []],
    aud: () => [401, []],
  };

  it.each(Object.keys(wanted))('%s of every JSON type grants exactly what it states, or nothing', async (claim) => {
    const outcomes = [];
    for (const value of [...VALUES, ...(claim === 'company_ids' ? [[companies[0]], [companies[1], 999_999], [companies[0], '1']] : [])]) {
      // A far expiry is a readable claim.
      if (claim === 'exp' && value === 1e300) continue;
      const { status, body } = await list(await tokenOf(ORGANISATIONS[0], { [claim]: value }));
      const seen = status === 200 ? body.data.map((company: { ledger_id: number }) => company.ledger_id).sort() : [];
      outcomes.push({ value: JSON.stringify(value), found: [status, seen], wanted: wanted[claim]!(value) });
    }
    expect(outcomes.map(({ value, found }) => ({ value, found }))).toEqual(outcomes.map(({ value, wanted: found }) => ({ value, found })));
  });

  it('a token whose content is not an object of claims, or whose signature is of another token, is rejected', async () => {
    const good = await tokenOf(ORGANISATIONS[0]);
    expect((await list(good)).status).toBe(200);
    for (const content of [null, 1, 'text', [], ['x'], true]) expect((await list(await issuer.sign(content))).status).toBe(401);
    const [header, , signature] = good.split('.');
    const [, payload] = (await tokenOf(ORGANISATIONS[1])).split('.');
    for (const token of [`${header}.${payload}.${signature}`, `${header}..${signature}`, `..`, `a.b.c`, `${header}.${payload}.`])
      expect((await list(token)).status).toBe(401);
  });

  it('an issuer without an audience is rejected, with the name of the setting', () => {
    expect(() => readConfig({ OIDC_ISSUER: issuer.url })).toThrow(/^OIDC_AUDIENCE is needed with OIDC_ISSUER/);
    expect(readConfig({ OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: AUDIENCE }).oidcAudience).toBe(AUDIENCE);
  });

  it('an issuer by plain http is rejected, except on this machine', () => {
    const given = { OIDC_ISSUER: 'http://login.example', OIDC_AUDIENCE: AUDIENCE };
    expect(() => readConfig(given)).toThrow(/^OIDC_ISSUER must be https, except on this machine/);
    expect(readConfig({ ...given, OIDC_ISSUER: 'http://localhost:8080/realms/a' }).oidcIssuer).toBe('http://localhost:8080/realms/a');
  });
});

describe('an issuer that fails', () => {
  const json =
    (discovery: unknown, keys: unknown): Failing =>
    (request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(request.url!.endsWith('/keys') ? keys : discovery));
    };
  const keysAt = (url: string): object => ({ issuer: url, jwks_uri: `${url}/keys` });
  // What a good issuer gives, so that nothing but its name is wrong.
  let keys: unknown;
  beforeAll(async () => {
    keys = await (await fetch(`${issuer.url}/keys`)).json();
  });
  const failures: [name: string, how: (url: string) => Failing][] = [
    ['hangs up', () => (request) => request.socket.destroy()],
    ['returns 500', () => (_, response) => response.writeHead(500).end('{}')],
    ['returns a page', () => (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>maintenance</html>')],
    ['redirects', () => (_, response) => response.writeHead(302, { location: '/login' }).end()],
    ['names no address of its keys', (url) => json({ issuer: url }, {})],
    ['names an invalid address', (url) => json({ issuer: url, jwks_uri: 'nowhere' }, {})],
    ['returns null', () => json(null, null)],
    ['calls itself another', (url) => json({ ...keysAt(url), issuer: `${url}/` }, keys)],
    ['does not name itself', (url) => json({ jwks_uri: `${url}/keys` }, keys)],
    [
      'cannot give its keys',
      (url) => (request, response) =>
        request.url!.endsWith('/keys') ? response.writeHead(503).end() : response.end(JSON.stringify(keysAt(url))),
    ],
    ['gives invalid keys', (url) => json(keysAt(url), { keys: 'none' })],
  ];

  it('is a 503 with Retry-After on every endpoint, and is called once in ten seconds and again after that', async () => {
    const failing = await startIssuer();
    const own = await startGateway({ oidcIssuer: failing.url, oidcAudience: AUDIENCE });
    try {
      await own.key(roles as never, ORGANISATIONS[0]);
      const token = await failing.sign(failing.claims({ organisation: ORGANISATIONS[0], roles }));
      const headers = { authorization: `Bearer ${token}`, api_key: token };
      own.clock.stop();
      for (const [name, how] of failures) {
        failing.fail(how(failing.url));
        failing.calls.length = 0;
        const responses = await Promise.all(Array.from({ length: 10 }, () => list(token, own)));
        const calls = [...failing.calls];
        responses.push(
          await own.send('GET', '/v4/core/companies', { headers: { api_key: token } }),
          await own.send('GET', '/api/v1/corporations', { headers: { authorization: headers.authorization } }),
          await own.graphql(token, '{ companies { totalCount } }'),
        );
        for (const response of responses) {
          expect([name, response.status, response.headers.get('retry-after')]).toEqual([name, 503, '10']);
          expect(response.text).not.toMatch(/node_modules|stack|fetch failed|ERR_|html/i);
        }
        expect(responses.at(-1)!.body.errors[0].extensions).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 10 });
        await expect(
          connectWithKey(own.origin, token).iterate({ query: 'subscription { eventStream { id } }' }).next(),
        ).rejects.toMatchObject({ code: 1_013 });
        // The discovery document, and the keys if that succeeded; nothing for the requests that followed.
        expect([name, calls.length, new Set(calls).size]).toEqual([name, failing.calls.length, failing.calls.length]);
        expect(calls.length).toBeGreaterThan(0);
        own.clock.advance(4_000);
        expect((await list(token, own)).headers.get('retry-after')).toBe('6');
        own.clock.advance(6_000);
      }
      failing.fail(undefined);
      expect((await list(token, own)).status).toBe(200);
    } finally {
      await own.stop();
      await failing.stop();
    }
  });

  it('keys that were fetched before stay valid while the issuer is unavailable', async () => {
    const token = await tokenOf(ORGANISATIONS[0]);
    expect((await list(token)).status).toBe(200);
    issuer.fail((request) => request.socket.destroy());
    try {
      expect((await list(token)).status).toBe(200);
    } finally {
      issuer.fail(undefined);
    }
  });
});

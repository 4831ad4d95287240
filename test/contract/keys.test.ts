// The life of access keys, from issue to end, on both endpoints; and tokens of an OpenID Connect issuer.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isKeyValue, newKeyValue } from '../../src/security/key-values.ts';
import { ADMIN_TOKEN, startGateway, useGateway } from '../support/gateway.ts';
import { AUDIENCE, type Issuer, startIssuer } from '../support/issuer.ts';
import { buildCompany } from '../support/records.ts';

const gateway = useGateway();
const ISSUE =
  'mutation Issue($input: IssueAccessKeyInput!) { issueAccessKey(input: $input) { key accessKey { id keyPreview roles expiresAt companyIds } } }';
const issue = async (input: object) => (await gateway.graphql(ADMIN_TOKEN, ISSUE, { input })).body.data.issueAccessKey;
const worksAt = async (key: string): Promise<number> =>
  (await gateway.send('GET', '/v4/core/companies', { headers: { api_key: key } })).status;

describe('keys', () => {
  it('a key is `ent_`, 43 characters and a checksum; one wrong character is rejected without a look-up', () => {
    const key = newKeyValue();
    expect(key).toMatch(/^ent_[0-9A-Za-z]{49}$/);
    expect(isKeyValue(key)).toBe(true);
    expect(isKeyValue(key.slice(0, 20) + (key[20] === 'a' ? 'b' : 'a') + key.slice(21))).toBe(false);
  });

  it('an issued key works with its roles, and its value is stored nowhere', async () => {
    const { key, accessKey } = await issue({ organisationName: 'Issued', roles: ['INTEGRATIONS'] });
    expect(await worksAt(key)).toBe(200);
    expect(accessKey.keyPreview).toBe(`${key.slice(0, 8)}…${key.slice(-4)}`);
    const rows = await gateway.services.database.orm.em
      .getConnection()
      .execute<{ text: string }[]>('select row_to_json(k)::text as text from access_key k');
    expect(rows.map((row) => row.text).join()).not.toContain(key);
  });

  it('only administrators issue keys', async () => {
    const { key } = await issue({ organisationName: 'Issued', roles: ['PLATFORM', 'INTEGRATIONS'] });
    const response = await gateway.graphql(key, ISSUE, { input: { organisationName: 'Issued', roles: ['ADMIN'] } });
    expect(response.body.errors[0].extensions.code).toBe('FORBIDDEN');
    const anonymous = await gateway.graphql(null, ISSUE, { input: { organisationName: 'Issued', roles: ['ADMIN'] } });
    expect(anonymous.body.errors[0].extensions.code).toBe('UNAUTHENTICATED');
  });

  it('a revoked key stops working at once here', async () => {
    const { key, accessKey } = await issue({ organisationName: 'Revoked', roles: ['INTEGRATIONS'] });
    expect(await worksAt(key)).toBe(200);
    await gateway.graphql(ADMIN_TOKEN, 'mutation End($id: ID!) { revokeAccessKey(input: { id: $id }) { accessKey { id revokedAt } } }', {
      id: accessKey.id,
    });
    expect(await worksAt(key)).toBe(401);
  });

  it('a rotated key has a successor with its rights and ends after the grace period', async () => {
    const { key, accessKey } = await issue({ organisationName: 'Rotated', roles: ['INTEGRATIONS'] });
    const response = await gateway.graphql(
      ADMIN_TOKEN,
      'mutation Turn($id: ID!) { rotateAccessKey(input: { id: $id, graceHours: 2 }) { key accessKey { roles } } }',
      { id: accessKey.id },
    );
    const successor = response.body.data.rotateAccessKey.key;
    expect([await worksAt(key), await worksAt(successor)]).toEqual([200, 200]);
    gateway.clock.advance(2 * 3_600_000 + 1_000);
    expect([await worksAt(key), await worksAt(successor)]).toEqual([401, 200]);
  });

  it('an expired key stops working at that moment, and has no successor', async () => {
    const expiresAt = new Date(gateway.clock.now().getTime() + 10_000).toISOString();
    const { key, accessKey } = await issue({ organisationName: 'Expired', roles: ['INTEGRATIONS'], expiresAt });
    gateway.clock.advance(7_000);
    expect(await worksAt(key)).toBe(200);
    gateway.clock.advance(3_000);
    expect(await worksAt(key)).toBe(401);
    const rotate = 'mutation Turn($id: ID!) { rotateAccessKey(input: { id: $id }) { key } }';
    const { data, errors } = (await gateway.graphql(ADMIN_TOKEN, rotate, { id: accessKey.id })).body;
    expect([data?.rotateAccessKey ?? null, errors]).toMatchObject([
      null,
      [{ extensions: { code: 'ACCESS_KEY_NOT_FOUND', field: 'input.id' } }],
    ]);
  });

  it('a key limited to companies sees those and no other', async () => {
    const whole = await gateway.key(['INTEGRATIONS'], 'Limited');
    const [seen, hidden] = [await buildCompany(gateway, { key: whole }), await buildCompany(gateway, { key: whole })];
    const limited = await gateway.key(['INTEGRATIONS'], 'Limited', [seen.id]);
    const headers = { api_key: limited };
    const list = await gateway.send('GET', '/v4/core/companies', { headers });
    expect(list.body.data.map((company: { ledger_id: number }) => company.ledger_id)).toEqual([seen.id]);
    const foreign = await gateway.send('GET', `${hidden.base}/accounts`, { headers });
    const unknown = await gateway.send('GET', '/v4/core/companies/999999/accounts', { headers });
    expect([foreign.status, foreign.body.error.error_code]).toEqual([unknown.status, unknown.body.error.error_code]);
  });

  it('several different credentials on one GraphQL request are rejected', async () => {
    const [one, two] = [await gateway.key(['INTEGRATIONS']), await gateway.key(['PLATFORM'])];
    const response = await gateway.send('POST', '/graphql', {
      headers: { authorization: `Bearer ${one}`, api_key: two },
      body: { query: '{ __typename }' },
    });
    expect(response.status).toBe(400);
    expect(response.body.errors[0].extensions.code).toBe('INVALID_PARAMS');
  });
});

describe('OpenID Connect tokens', () => {
  let issuer: Issuer;
  let trusted: Awaited<ReturnType<typeof startGateway>>;

  beforeAll(async () => {
    issuer = await startIssuer();
    trusted = await startGateway({ oidcIssuer: issuer.url, oidcAudience: AUDIENCE });
  });
  afterAll(async () => {
    await trusted.stop();
    await issuer.stop();
  });

  const sign = (claims: Record<string, unknown>): Promise<string> => issuer.sign(issuer.claims(claims));
  const ask = (token: string) => trusted.graphql(token, '{ companies { totalCount } }');

  it('a token of the issuer has the access that its claims state', async () => {
    await trusted.key(['INTEGRATIONS'], 'Token organisation');
    const token = await sign({ organisation: 'Token organisation', roles: ['INTEGRATIONS'] });
    expect((await ask(token)).body.data.companies.totalCount).toBe(0);
  });

  it('expired tokens, other audiences, unknown organisations and the ADMIN role are rejected', async () => {
    await trusted.key(['INTEGRATIONS'], 'Token organisation');
    const good = { organisation: 'Token organisation', roles: ['INTEGRATIONS'] };
    expect((await ask(await sign({ ...good, exp: issuer.claims().iat }))).status).toBe(401);
    expect((await ask(await sign({ ...good, aud: 'someone else' }))).status).toBe(401);
    expect((await ask(await sign({ ...good, organisation: 'Nobody' }))).status).toBe(401);
    const admin = await trusted.graphql(await sign({ ...good, roles: ['ADMIN'] }), ISSUE, {
      input: { organisationName: 'x', roles: ['ADMIN'] },
    });
    expect(admin.body.errors[0].extensions.code).toBe('FORBIDDEN');
  });
});

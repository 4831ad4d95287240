// Deliveries as a receiver sees them: envelope, topics, and signatures that independent libraries verify.
import { createPublicKey, verify } from 'node:crypto';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { afterEach, expect, it } from 'vitest';
import { useGateway } from '../support/gateway.ts';
import type { Received } from '../support/receiver.ts';
import { product, webhookTools } from '../support/webhooks.ts';

const gateway = useGateway({ webhookAllowPrivate: true });
const { receiver, call, register, emit, log, stopReceivers } = webhookTools(gateway);
afterEach(stopReceivers);

/** The signatures of secrets, each of which one may verify. */
const ofSecrets = ({ headers }: Received): string[] => String(headers['webhook-signature']).match(/v1,\S+/g) ?? [];

const verifiable = ({ headers }: Received): Record<string, string> => headers as Record<string, string>;

it('an event arrives in the platform envelope, verified by two libraries', async () => {
  const key = await gateway.key(['PLATFORM']);
  const target = await receiver();
  const { id, secret } = await register(key, target.url);
  await emit(key, product);
  const [message] = await target.arrived(1);
  const organisation = (await gateway.services.keys.find(key))!.organisation;
  expect(JSON.parse(message!.body)).toEqual({
    id: message!.headers['webhook-id'],
    topic: 'PRODUCTS.CREATED',
    triggered_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    webhook_id: id,
    organization_id: organisation,
    data: product.data,
    api_version: 'v1.0',
    test: false,
    sequence: expect.any(Number),
    previous_etag: null,
  });
  expect(new StandardWebhook(secret).verify(message!.body, verifiable(message!))).toMatchObject({ topic: 'PRODUCTS.CREATED' });
  expect(() => new SvixWebhook(secret).verify(message!.body, verifiable(message!))).not.toThrow();
  for (const library of [new StandardWebhook(secret), new SvixWebhook(secret)])
    expect(() => library.verify(`${message!.body} `, verifiable(message!))).toThrow();
});

it('the public key of the webhook verifies the last signature', async () => {
  const key = await gateway.key(['PLATFORM']);
  const target = await receiver();
  const { id } = await register(key, target.url);
  await emit(key, product);
  const [{ headers, body } = undefined!] = await target.arrived(1);
  const { publicKey } = (await gateway.graphql(key, 'query($id: ID!) { webhook(id: $id) { publicKey } }', { id })).body.data.webhook;
  const x = Buffer.from(publicKey.replace(/^whpk_/, ''), 'base64').toString('base64url');
  const [, signature = ''] = / v1a,(\S+)$/.exec(String(headers['webhook-signature'])) ?? [];
  const content = Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`);
  const verifier = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  expect(verify(null, content, verifier, Buffer.from(signature, 'base64'))).toBe(true);
});

it('an event of the integrations API has the envelope of that API', async () => {
  const key = await gateway.key(['PLATFORM']);
  const target = await receiver();
  await register(key, target.url, { topics: ['DATA_MODEL_CHANGES'] });
  await emit(key, product, {
    topic: 'DATA_MODEL_CHANGES',
    data: { ledger_id: 7 },
    companyId: 3_000_000_000,
    integrationType: 'XERO',
    dataModel: 'ACCOUNT',
    operation: 'UPDATE',
  });
  const [message] = await target.arrived(1);
  expect(JSON.parse(message!.body)).toEqual({
    id: expect.stringMatching(/^evt_/),
    type: 'DATA_MODEL_CHANGES',
    company_id: 3_000_000_000,
    integration_type: 'XERO',
    data_model: 'ACCOUNT',
    operation: 'UPDATE',
    created_at: expect.any(String),
    data: { ledger_id: 7 },
    sequence: expect.any(Number),
    previous_etag: null,
  });
});

it('a new company emits the event of its change', async () => {
  const key = await gateway.key(['PLATFORM', 'INTEGRATIONS']);
  const target = await receiver();
  await register(key, target.url, { topics: ['CONNECTION_CHANGED'] });
  const made = await gateway.graphql(
    key,
    'mutation { createCompany(input: { name: "Acme", integrationType: "XERO" }) { company { ledgerId } } }',
  );
  const [message] = await target.arrived(1);
  const companyId = made.body.data.createCompany.company.ledgerId;
  expect(JSON.parse(message!.body)).toMatchObject({
    type: 'CONNECTION_CHANGED',
    company_id: companyId,
    integration_type: 'XERO',
    data: { ledger_company_id: companyId, integration_type: 'XERO', connection_status: 'ACTIVE' },
  });
});

it('a secret the caller supplies signs with its own bytes', async () => {
  const key = await gateway.key(['PLATFORM']);
  const target = await receiver();
  const secret = 'twenty-four characters and more';
  await register(key, target.url, { secret });
  await emit(key, product);
  const [message] = await target.arrived(1);
  expect(new StandardWebhook(secret, { format: 'raw' }).verify(message!.body, verifiable(message!))).toBeTruthy();
});

it('after a change of the secret, repeated or not, both secrets sign, and after 24 hours only the new one', async () => {
  const key = await gateway.key(['PLATFORM']);
  const target = await receiver();
  const { id, secret } = await register(key, target.url);
  const next = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  expect((await call(key, 'POST', `/${id}`, { secret: next })).status).toBe(200);
  const shown = async (): Promise<[string | null, object]> => {
    const { headers, body } = await call(key, 'GET', `/${id}`);
    return [headers.get('etag'), body.data];
  };
  const [etag, changed] = await shown();
  expect((await call(key, 'POST', `/${id}`, { secret: next })).status).toBe(200);
  expect(await shown()).toEqual([etag, changed]);
  expect((await call(key, 'POST', `/${id}`, { secret: next, name: 'Renamed' })).status).toBe(200);
  await emit(key, product);
  const [message] = await target.arrived(1);
  for (const each of [secret, next]) expect(new StandardWebhook(each).verify(message!.body, verifiable(message!))).toBeTruthy();
  expect(ofSecrets(message!)).toHaveLength(2);
  gateway.clock.advance(25 * 3_600_000);
  await emit(key, product);
  await target.arrived(2);
  gateway.clock.advance(-25 * 3_600_000);
  expect(ofSecrets(target.received[1]!)).toHaveLength(1);
});

it('the test trigger copies event_data into data, signed like any event', async () => {
  const key = await gateway.key(['PLATFORM']);
  const target = await receiver();
  const { id, secret } = await register(key, target.url, { topics: ['CORPORATIONS.CREATED'] });
  const data = { text: 'x', nested: { list: [1, 2.5, null, { deep: true }] }, '': '' };
  const response = await call(key, 'POST', `/test/trigger/${id}`, { event_data: data });
  expect([response.status, Object.keys(response.body)]).toEqual([200, ['message']]);
  const [message] = await target.arrived(1);
  expect(new StandardWebhook(secret).verify(message!.body, verifiable(message!))).toMatchObject({
    topic: 'WEBHOOK.TEST',
    test: true,
    data,
  });
});

it('the test trigger needs an object of at most 64 KiB and a webhook that is enabled', async () => {
  const key = await gateway.key(['PLATFORM']);
  const { id } = await register(key, (await receiver()).url);
  for (const body of [
    {},
    { event_data: null },
    { event_data: [] },
    { event_data: 'x' },
    { event_data: { x: 'y'.repeat(65_536) } },
    { event_data: {}, topic: 'X' },
  ]) {
    expect((await call(key, 'POST', `/test/trigger/${id}`, body)).status).toBe(400);
  }
  await call(key, 'POST', `/${id}`, { status: 'DISABLED' });
  const response = await call(key, 'POST', `/test/trigger/${id}`, { event_data: {} });
  expect([response.status, response.body.error.code]).toEqual([400, 'WEBHOOK_DISABLED']);
});

it('a webhook receives only its topics, and a disabled one nothing', async () => {
  const key = await gateway.key(['PLATFORM']);
  const [wanted, other, off] = [await receiver(), await receiver(), await receiver()];
  await register(key, wanted.url, { topics: ['PRODUCTS.CREATED'] });
  const { id } = await register(key, other.url, { topics: ['CORPORATIONS.CREATED'] });
  const disabled = await register(key, off.url, { status: 'DISABLED' });
  const stranger = await gateway.key(['PLATFORM']);
  const { id: strange } = await register(stranger, other.url);
  await emit(key, product);
  await wanted.arrived(1);
  expect([
    (await log(key, id)).deliveries.totalCount,
    (await log(key, disabled.id)).deliveries.totalCount,
    (await log(stranger, strange)).deliveries.totalCount,
  ]).toEqual([0, 0, 0]);
  expect([other.received, off.received]).toEqual([[], []]);
});

it('the sequence of events about one record grows with its changes, each naming the version before it', async () => {
  const key = await gateway.key(['PLATFORM', 'INTEGRATIONS']);
  const target = await receiver();
  await register(key, target.url, { topics: ['DATA_MODEL_CHANGES'], data_models: ['CONTACT'] });
  const write = async (query: string, variables: Record<string, unknown>) =>
    Object.values((await gateway.graphql(key, query, variables)).body.data)[0];
  const { company } = (await write(
    'mutation { createCompany(input: { name: "Ordered", integrationType: "SANDBOX" }) { company { id } } }',
    {},
  )) as {
    company: { id: string };
  };
  const changes = ['One', 'Two', 'Three'];
  const etags: string[] = [];
  for (const name of changes) {
    const input = { companyId: company.id, platformId: 'ordered', name };
    const { contact } = (await write('mutation($input: UpsertContactInput!) { upsertContact(input: $input) { contact { etag } } }', {
      input,
    })) as {
      contact: { etag: string };
    };
    etags.push(contact.etag);
  }
  const bodies = (await target.arrived(3)).map(({ body }) => JSON.parse(body)).sort((a, b) => a.sequence - b.sequence);
  expect(bodies.map(({ data }) => data.name)).toEqual(changes);
  expect(new Set(bodies.map(({ sequence }) => sequence)).size).toBe(3);
  expect(bodies.map(({ previous_etag }) => previous_etag)).toEqual([null, ...etags.slice(0, 2)]);
});

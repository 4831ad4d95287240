// Webhooks on both endpoints: the registrations that are accepted, and the fields that are shown.
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { TOPICS, topicEnumName } from '../../src/events/topics.ts';
import { type GatewayResponse, useGateway } from '../support/gateway.ts';

const gateway = useGateway();

const bearer = (key: string): { authorization: string } => ({ authorization: `Bearer ${key}` });
const post = (key: string, path: string, body: unknown): Promise<GatewayResponse> =>
  gateway.send('POST', `/api/v1/webhooks${path}`, { headers: bearer(key), body });
const get = (key: string, path = ''): Promise<GatewayResponse> => gateway.send('GET', `/api/v1/webhooks${path}`, { headers: bearer(key) });
const url = 'https://93.184.216.34/hook';
const aWebhook = { url, topics: ['PRODUCTS.CREATED'] };

describe('the documented routes', () => {
  it('create returns 200 with the webhook in data and a message', async () => {
    const key = await gateway.key(['PLATFORM']);
    const response = await post(key, '', {
      ...aWebhook,
      topics: ['PRODUCTS.CREATED', 'CUSTOMS_DUTY.CUSTOMS_CODE.UPDATE'],
      name: 'orders',
      description: 'to the shop',
    });
    expect(response.status).toBe(200);
    expect(response.body.message).toEqual(expect.any(String));
    expect(response.body.data).toEqual({
      id: expect.stringMatching(/^whk_/),
      url,
      topics: ['PRODUCTS.CREATED', 'CUSTOMS_DUTY.CUSTOMS_CODE.UPDATE'],
      company_ids: null,
      data_models: null,
      filter: null,
      unknown_filters: [],
      name: 'orders',
      description: 'to the shop',
      public_key: expect.stringMatching(/^whpk_[A-Za-z0-9+/]{43}=$/),
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      secret_preview: expect.stringMatching(/^whsec_….{4}$/),
      status: 'ENABLED',
      api_version: 'v1.0',
      disabled_reason: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
  });

  it('list has all in data.webhooks, read one in data, and neither shows a secret', async () => {
    const key = await gateway.key(['PLATFORM']);
    const made = (await post(key, '', { ...aWebhook, secret: 'a secret of the callers own' })).body.data;
    const list = await get(key);
    const one = await get(key, `/${made.id}`);
    expect(made.secret).toBeNull();
    expect(list.status).toBe(200);
    expect(list.body).toEqual({ data: { webhooks: [one.body.data] }, message: expect.any(String) });
    expect(one.body.data).not.toHaveProperty('secret');
    expect(list.text + one.text).not.toContain('a secret of the callers own');
  });

  it('an organisation without webhooks gets an empty array', async () => {
    expect((await get(await gateway.key(['PLATFORM']))).body.data).toEqual({ webhooks: [] });
  });

  it('update returns a message only; delete returns 204 without a body', async () => {
    const key = await gateway.key(['PLATFORM']);
    const { id } = (await post(key, '', aWebhook)).body.data;
    const updated = await post(key, `/${id}`, { topics: ['*'], name: null });
    expect([updated.status, Object.keys(updated.body)]).toEqual([200, ['message']]);
    expect((await get(key, `/${id}`)).body.data).toMatchObject({ topics: ['*'], name: null, url });
    const deleted = await gateway.send('DELETE', `/api/v1/webhooks/${id}`, { headers: bearer(key) });
    expect([deleted.status, deleted.text, deleted.headers.get('content-type')]).toEqual([204, '', null]);
  });

  it('unknown, deleted, malformed and foreign ids are 400 on every route', async () => {
    const [key, other] = [await gateway.key(['PLATFORM']), await gateway.key(['PLATFORM'])];
    const foreign = (await post(other, '', aWebhook)).body.data.id;
    const deleted = (await post(key, '', aWebhook)).body.data.id;
    await gateway.send('DELETE', `/api/v1/webhooks/${deleted}`, { headers: bearer(key) });
    for (const id of [foreign, deleted, 'whk_01hzzzzzzzzzzzzzzzzzzzzzzz', 'nonsense', '%20', `whk_${'9'.repeat(200)}`]) {
      const responses = [
        await get(key, `/${id}`),
        await post(key, `/${id}`, { name: 'x' }),
        await gateway.send('DELETE', `/api/v1/webhooks/${id}`, { headers: bearer(key) }),
        await post(key, `/test/trigger/${id}`, { event_data: {} }),
        await get(key, `/${id}/deliveries`),
      ];
      expect(responses.map((response) => [response.status, response.body.error.code])).toEqual(
        responses.map(() => [400, 'WEBHOOK_NOT_FOUND']),
      );
    }
    expect((await get(other, `/${foreign}`)).status).toBe(200);
  });
});

describe('registration', () => {
  const refused: [string, Record<string, unknown>, string][] = [
    ['no url', { topics: ['*'] }, 'url'],
    ['no topics', { url }, 'topics'],
    ['an empty list of topics', { url, topics: [] }, 'topics'],
    ['an unknown topic', { url, topics: ['PRODUCTS.EXPLODED'] }, 'topics.0'],
    ['a topic twice', { url, topics: ['PRODUCTS.CREATED', 'PRODUCTS.CREATED'] }, 'topics'],
    ['all topics next to one', { url, topics: ['*', 'PRODUCTS.CREATED'] }, 'topics'],
    ['http', { ...aWebhook, url: 'http://93.184.216.34/' }, 'url'],
    ['a relative url', { ...aWebhook, url: '/hook' }, 'url'],
    ['user info', { ...aWebhook, url: 'https://user:pass@93.184.216.34/' }, 'url'],
    ['a fragment', { ...aWebhook, url: 'https://93.184.216.34/#top' }, 'url'],
    ['loopback', { ...aWebhook, url: 'https://127.0.0.1/' }, 'url'],
    ['loopback in decimal', { ...aWebhook, url: 'https://2130706433/' }, 'url'],
    ['loopback in hexadecimal', { ...aWebhook, url: 'https://0x7f000001/' }, 'url'],
    ['loopback mapped into IPv6', { ...aWebhook, url: 'https://[::ffff:127.0.0.1]/' }, 'url'],
    ['a private network', { ...aWebhook, url: 'https://10.1.2.3/' }, 'url'],
    ['a metadata address', { ...aWebhook, url: 'https://169.254.169.254/latest' }, 'url'],
    ['a local name', { ...aWebhook, url: 'https://localhost/' }, 'url'],
    ['a url of 2,049 characters', { ...aWebhook, url: `https://93.184.216.34/${'x'.repeat(2_027)}` }, 'url'],
    ['a short secret', { ...aWebhook, secret: 'short' }, 'secret'],
    ['a name of 101 characters', { ...aWebhook, name: 'x'.repeat(101) }, 'name'],
    ['a description of 501 characters', { ...aWebhook, description: 'x'.repeat(501) }, 'description'],
    ['another version', { ...aWebhook, api_version: 'v2.0' }, 'api_version'],
    ['an unknown status', { ...aWebhook, status: 'PAUSED' }, 'status'],
    ['an unknown field', { ...aWebhook, retries: 3 }, 'retries'],
    ['a field of the record that is not the callers to set', { ...aWebhook, disabled_reason: 'GONE' }, 'disabled_reason'],
  ];

  it.each(refused)('%s is rejected by name', async (_, body, field) => {
    const response = await post(await gateway.key(['PLATFORM']), '', body);
    expect(response.status).toBe(400);
    expect(response.body.error.details.map((issue: { field: string }) => issue.field)).toContain(field);
  });

  it('each endpoint names the topics in its own notation', async () => {
    const key = await gateway.key(['PLATFORM']);
    const [{ message }] = (await post(key, '', { url, topics: ['PRODUCTS.EXPLODED'] })).body.error.details;
    for (const topic of ['*', ...TOPICS.map(({ topic }) => topic)]) expect(message.split(/ |, /)).toContain(topic);
    const query =
      'mutation ($topics: [EventTopic!]!) { createWebhook(input: { url: "https://93.184.216.34/", topics: $topics }) { webhook { id } } }';
    const { body } = await gateway.graphql(key, query, { topics: ['PRODUCTS.EXPLODED'] });
    for (const { topic } of TOPICS) expect(JSON.stringify(body.errors)).toContain(topicEnumName(topic));
  });

  it('a seventeenth webhook is rejected, also when several arrive at once', async () => {
    const key = await gateway.key(['PLATFORM']);
    const responses = await Promise.all(Array.from({ length: 18 }, () => post(key, '', aWebhook)));
    expect(responses.map(({ status }) => status).sort()).toEqual([...Array(16).fill(200), 400, 400]);
  });

  it('every topic of the catalogue can be subscribed to, in either notation', async () => {
    const key = await gateway.key(['PLATFORM']);
    const topics = TOPICS.map(({ topic }) => topic);
    const rest = await post(key, '', { url, topics });
    expect(rest.body.data.topics).toEqual(topics);
    const graphql = await gateway.graphql(
      key,
      'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { webhook { topics topicNames } } }',
      { input: { url, topics: topics.map(topicEnumName) } },
    );
    expect(graphql.body.data.createWebhook.webhook).toEqual({ topics: topics.map(topicEnumName), topicNames: topics });
  });

  it('a host name without an address may be registered', async () => {
    expect((await post(await gateway.key(['PLATFORM']), '', { ...aWebhook, url: `https://${randomUUID()}.invalid/hook` })).status).toBe(
      200,
    );
  });

  it('an update needs a field, and may not clear a required field', async () => {
    const key = await gateway.key(['PLATFORM']);
    const { id } = (await post(key, '', aWebhook)).body.data;
    for (const body of [
      {},
      { url: null },
      { topics: null },
      { secret: null },
      { status: null },
      { api_version: 'v1.0' },
      { url: 'https://192.168.0.1/' },
    ]) {
      expect([body, (await post(key, `/${id}`, body)).status]).toEqual([body, 400]);
    }
    expect((await get(key, `/${id}`)).body.data).toMatchObject({ url, status: 'ENABLED' });
  });
});

it('the state of a webhook can be read through GraphQL, by id and by node', async () => {
  const key = await gateway.key(['PLATFORM']);
  const { id } = (await post(key, '', { ...aWebhook, status: 'DISABLED' })).body.data;
  const response = await gateway.graphql(
    key,
    'query ($id: ID!) { webhook(id: $id) { status disabledReason secret } node(id: $id) { ... on Webhook { url } } webhooks { totalCount } }',
    { id },
  );
  expect(response.body.data).toEqual({
    webhook: { status: 'DISABLED', disabledReason: 'MANUAL', secret: null },
    node: { url },
    webhooks: { totalCount: 1 },
  });
  const enabled = await gateway.graphql(
    key,
    'mutation ($id: ID!) { enableWebhook(input: { id: $id }) { webhook { status disabledReason } } }',
    {
      id,
    },
  );
  expect(enabled.body.data.enableWebhook.webhook).toEqual({ status: 'ENABLED', disabledReason: null });
});

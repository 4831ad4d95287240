// The delivery log, sending deliveries again, and the operator mutations on webhooks.
import { afterEach, describe, expect, it } from 'vitest';
import { ADMIN_TOKEN, type GatewayResponse, useGateway } from '../support/gateway.ts';
import { product, settled, webhookTools } from '../support/webhooks.ts';

const gateway = useGateway({ webhookAllowPrivate: true });
const { receiver, call, register, emit, log, logWhere, stopReceivers } = webhookTools(gateway);
afterEach(stopReceivers);

it('one delivery, or all that failed since a time, are sent again under their ids', async () => {
  const key = await gateway.key(['PLATFORM']);
  let isUp = false;
  const target = await receiver((_, response) => response.writeHead(isUp ? 200 : 500).end());
  const { id } = await register(key, target.url);
  for (let count = 0; count < 3; count++) await call(key, 'POST', `/test/trigger/${id}`, { event_data: { count } });
  const failed = await logWhere(key, id, settled(3));
  expect(failed.deliveries.nodes.map(({ status, attemptsLeft }) => [status, attemptsLeft])).toEqual(Array(3).fill(['FAILED', 0]));
  isUp = true;
  const one = failed.deliveries.nodes[1]!;
  const retried = await gateway.graphql(
    key,
    'mutation ($id: ID!) { retryWebhookDelivery(input: { id: $id }) { delivery { id eventId } } }',
    {
      id: one.id,
    },
  );
  expect(retried.body.data.retryWebhookDelivery.delivery).toEqual({ id: one.id, eventId: one.event.id });
  await logWhere(key, id, ({ deliveries }) => deliveries.nodes[1]!.status === 'DELIVERED');
  const replayed = await gateway.graphql(
    key,
    'mutation ($id: ID!) { replayWebhookDeliveries(input: { webhookId: $id, since: "2000-01-01" }) { queued remaining } }',
    { id },
  );
  expect(replayed.body.data.replayWebhookDeliveries).toEqual({ queued: 2, remaining: 0 });
  await logWhere(key, id, ({ deliveries }) => deliveries.nodes.every(({ status }) => status === 'DELIVERED'));
  expect(target.received.map(({ headers }) => headers['webhook-id']).sort()).toEqual(
    failed.deliveries.nodes.flatMap(({ event }) => [event.id, event.id]).sort(),
  );
});

it('those queued until a time, and those of some topics, are sent again alone', async () => {
  const key = await gateway.key(['PLATFORM']);
  let isUp = false;
  const target = await receiver((_, response) => response.writeHead(isUp ? 200 : 410).end());
  const { id } = await register(key, target.url);
  const times: string[] = [];
  const events = [product, { ...product, topic: 'PRODUCTS.UPDATED' as const }, { ...product, topic: 'PRODUCTS.DELETED' as const }];
  for (const [index, event] of events.entries()) {
    times.push(gateway.clock.now().toISOString());
    await emit(key, event);
    await logWhere(key, id, ({ deliveries }) => deliveries.nodes.filter(({ status }) => status === 'FAILED').length === index + 1);
    await gateway.graphql(key, 'mutation ($id: ID!) { enableWebhook(input: { id: $id }) { webhook { id } } }', { id });
    gateway.clock.advance(60_000);
  }
  isUp = true;
  const replay = async (more: object) => {
    const { body } = await gateway.graphql(
      key,
      'mutation ($input: ReplayWebhookDeliveriesInput!) { replayWebhookDeliveries(input: $input) { queued remaining } }',
      { input: { webhookId: id, since: times[0], ...more } },
    );
    return body.errors?.[0].extensions.field ?? body.data.replayWebhookDeliveries;
  };
  const delivered = async (): Promise<string[]> => {
    const { deliveries } = await logWhere(key, id, ({ deliveries: { nodes } }) => nodes.every(({ status }) => status !== 'PENDING'));
    return deliveries.nodes.filter(({ status }) => status === 'DELIVERED').map(({ event }) => event.topic);
  };
  expect(await replay({ until: times[0] })).toBe('input.until');
  expect(await replay({ topics: [] })).toBe('input.topics');
  expect(await replay({ topics: ['PRODUCTS_CREATED'], since: times[1] })).toEqual({ queued: 0, remaining: 0 });
  expect(await replay({ until: times[1], topics: ['ALL'] })).toEqual({ queued: 1, remaining: 0 });
  expect(await delivered()).toEqual(['PRODUCTS_CREATED']);
  expect(await replay({ topics: ['PRODUCTS_CREATED', 'PRODUCTS_DELETED'] })).toEqual({ queued: 1, remaining: 0 });
  expect((await delivered()).sort()).toEqual(['PRODUCTS_CREATED', 'PRODUCTS_DELETED']);
  expect(await replay({})).toEqual({ queued: 1, remaining: 0 });
});

it('a delivery whose next attempt is hours away can be sent immediately', async () => {
  const key = await gateway.key(['PLATFORM']);
  let isUp = false;
  const target = await receiver((_, response) => response.writeHead(isUp ? 200 : 503, { 'retry-after': '7200' }).end());
  const { id } = await register(key, target.url);
  await emit(key, product);
  const waiting = await logWhere(key, id, settled(1));
  isUp = true;
  await gateway.graphql(key, 'mutation ($id: ID!) { retryWebhookDelivery(input: { id: $id }) { delivery { id } } }', {
    id: waiting.deliveries.nodes[0]!.id,
  });
  const done = await logWhere(key, id, ({ deliveries }) => deliveries.nodes[0]!.status === 'DELIVERED');
  expect(done.deliveries.nodes[0]!.attempts.map(({ status }) => status)).toEqual([503, 200]);
});

it('deliveries of another organisation, or of a disabled webhook, cannot be sent again', async () => {
  const key = await gateway.key(['PLATFORM']);
  const { id } = await register(key, (await receiver()).url);
  await emit(key, product);
  const { deliveries } = await logWhere(key, id, settled(1));
  const retry = (by: string): Promise<GatewayResponse> =>
    gateway.graphql(by, 'mutation ($id: ID!) { retryWebhookDelivery(input: { id: $id }) { delivery { id } } }', {
      id: deliveries.nodes[0]!.id,
    });
  expect((await retry(await gateway.key(['PLATFORM']))).body.errors[0].extensions.code).toBe('RECORD_NOT_FOUND');
  await call(key, 'POST', `/${id}`, { status: 'DISABLED' });
  expect((await retry(key)).body.errors[0].extensions.code).toBe('WEBHOOK_DISABLED');
});

it('REST lists the log newest first, in pages', async () => {
  const key = await gateway.key(['PLATFORM']);
  const { id } = await register(key, (await receiver()).url);
  await emit(key, product, product, product);
  await logWhere(
    key,
    id,
    ({ deliveries }) => deliveries.nodes.length === 3 && deliveries.nodes.every(({ status }) => status === 'DELIVERED'),
  );
  const first = await call(key, 'GET', `/${id}/deliveries?limit=2`);
  const second = await call(key, 'GET', `/${id}/deliveries?limit=2&cursor=${first.body.data.cursor}`);
  expect(first.body.data.deliveries[0]).toMatchObject({
    id: expect.stringMatching(/^dlv_/),
    webhook_id: id,
    event_id: expect.stringMatching(/^evt_/),
    status: 'DELIVERED',
    attempts: [{ status: 200, response_body: 'taken', error: null }],
  });
  const ids = [...first.body.data.deliveries, ...second.body.data.deliveries].map((delivery: { id: string }) => delivery.id);
  expect(ids).toEqual((await log(key, id)).deliveries.nodes.map((node) => node.id));
  expect([first.body.data.deliveries.length, second.body.data.cursor]).toEqual([2, '']);
});

describe('operators', () => {
  const ENABLE =
    'mutation ($id: ID!, $reason: String) { enableWebhook(input: { id: $id, reason: $reason }) { webhook { status deliveries { nodes { id } } } } }';
  const RETRY =
    'mutation ($id: ID!, $reason: String) { retryWebhookDelivery(input: { id: $id, reason: $reason }) { delivery { eventId event { topic } } } }';
  const REPLAY =
    'mutation ($id: ID!, $reason: String) { replayWebhookDeliveries(input: { webhookId: $id, since: "2000-01-01", reason: $reason }) { queued remaining } }';

  const auditEntries = (recordId: string): Promise<unknown[][]> =>
    gateway.services.database.read(
      {
        name: 'webhook_audit_entries',
        text: "select operation, actor_id, reason from audit_entry where record_ids @> jsonb_build_array($1::text) and operation <> 'createWebhook' order by id",
      },
      [recordId],
    );

  it('an operator enables a webhook and sends its deliveries again for any organisation, with the reason in the audit log', async () => {
    const key = await gateway.key(['PLATFORM']);
    let status = 410;
    const target = await receiver((_, response) => response.writeHead(status).end());
    const { id } = await register(key, target.url);
    await emit(key, product);
    const gone = await logWhere(key, id, ({ disabledReason }) => disabledReason === 'GONE');
    const [delivery] = gone.deliveries.nodes;
    status = 200;
    const enabled = await gateway.graphql(ADMIN_TOKEN, ENABLE, { id, reason: 'the receiver is back' });
    expect(enabled.body.data.enableWebhook.webhook).toEqual({ status: 'ENABLED', deliveries: { nodes: [{ id: delivery!.id }] } });
    const retried = await gateway.graphql(ADMIN_TOKEN, RETRY, { id: delivery!.id, reason: 'asked by phone' });
    expect(retried.body.data.retryWebhookDelivery.delivery).toEqual({ eventId: delivery!.event.id, event: { topic: 'PRODUCTS_CREATED' } });
    await logWhere(key, id, ({ deliveries }) => deliveries.nodes[0]!.status === 'DELIVERED');
    expect((await gateway.graphql(ADMIN_TOKEN, REPLAY, { id })).body.data.replayWebhookDeliveries).toEqual({ queued: 0, remaining: 0 });
    expect(await auditEntries(id)).toEqual([
      ['enableWebhook', 'admin', 'the receiver is back'],
      ['replayWebhookDeliveries', 'admin', null],
    ]);
    expect(await auditEntries(delivery!.id)).toEqual([['retryWebhookDelivery', 'admin', 'asked by phone']]);
  });

  it('the mutations of an organisation itself are in the audit log too, and rejected ones are not', async () => {
    const key = await gateway.key(['PLATFORM']);
    const { identity } = (await gateway.services.keys.find(key))!;
    const { id } = await register(key, (await receiver()).url, { status: 'DISABLED' });
    const stranger = await gateway.graphql(await gateway.key(['PLATFORM']), ENABLE, { id });
    expect(stranger.body.errors[0].extensions.code).toBe('WEBHOOK_NOT_FOUND');
    expect((await gateway.graphql(key, REPLAY, { id })).body.errors[0].extensions.code).toBe('WEBHOOK_DISABLED');
    await gateway.graphql(key, ENABLE, { id, reason: 'tested' });
    expect(await auditEntries(id)).toEqual([['enableWebhook', identity, 'tested']]);
  });

  it('operators get an error for what does not exist, and other roles are rejected', async () => {
    for (const [query, code] of [
      [ENABLE, 'WEBHOOK_NOT_FOUND'],
      [REPLAY, 'WEBHOOK_NOT_FOUND'],
      [RETRY, 'RECORD_NOT_FOUND'],
    ] as const) {
      expect((await gateway.graphql(ADMIN_TOKEN, query, { id: 'nonsense' })).body.errors[0].extensions.code).toBe(code);
      const other = await gateway.key(['INTEGRATIONS']);
      expect((await gateway.graphql(other, query, { id: 'nonsense' })).body.errors[0].extensions.code).toBe('FORBIDDEN');
    }
  });
});

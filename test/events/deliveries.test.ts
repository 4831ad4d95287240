// Deliveries: what arrives, verified by other people's libraries, and what the log says of it.
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { afterEach, describe, expect, it } from 'vitest';
import { emitEvents, type NewEvent } from '../../src/core/events.ts';
import { organisationTransaction } from '../../src/core/transact.ts';
import { type Answer, useGateway } from '../support/gateway.ts';
import { type Answering, type Received, type Receiver, startReceiver } from '../support/receiver.ts';

const gateway = useGateway({ webhookAllowPrivate: true });
const receivers: Receiver[] = [];
afterEach(() => Promise.all(receivers.splice(0).map((receiver) => receiver.stop())));

async function receiver(answer?: Answering): Promise<Receiver> {
  const started = await startReceiver(answer);
  receivers.push(started);
  return started;
}

const call = (key: string, method: string, path: string, body?: unknown): Promise<Answer> =>
  gateway.send(method, `/api/v1/webhooks${path}`, { headers: { authorization: `Bearer ${key}` }, body });

const register = async (key: string, url: string, more: object = {}): Promise<{ id: string; secret: string }> =>
  (await call(key, 'POST', '', { url, topics: ['*'], ...more })).body.data;

async function emit(key: string, ...events: NewEvent[]): Promise<void> {
  const { services } = gateway;
  const principal = (await services.keys.find(key))!;
  const source = { services, organisationId: principal.organisationId!, organisation: principal.organisation };
  await organisationTransaction(services.database, source.organisationId, (em) => emitEvents(em, source, events));
}

const LOG = `query ($id: ID!, $filter: WebhookDeliveryFilter) { webhook(id: $id) { status disabledReason deliveries(first: 100, filter: $filter) {
  totalCount nodes { id status attemptsLeft nextAttemptAt event { id topic test data } attempts { status duration responseBody error at } } } } }`;

interface LogEntry {
  id: string;
  status: string;
  attemptsLeft: number;
  nextAttemptAt: string | null;
  event: { id: string; topic: string; test: boolean; data: unknown };
  attempts: { status: number | null; duration: number; responseBody: string | null; error: string | null; at: string }[];
}

interface Log {
  status: string;
  disabledReason: string | null;
  deliveries: { totalCount: number; nodes: LogEntry[] };
}

const log = async (key: string, id: string, filter: object = {}): Promise<Log> =>
  (await gateway.graphql(key, LOG, { id, filter })).body.data.webhook;

/** Waits until the log of a webhook is as wanted; the test runner's own limit ends a wait that never does. */
async function logWhere(key: string, id: string, holds: (log: Log) => boolean): Promise<Log> {
  for (;;) {
    const now = await log(key, id);
    if (holds(now)) return now;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const settled =
  (count: number) =>
  ({ deliveries: { nodes } }: Log): boolean =>
    nodes.length >= count && nodes.every((node) => node.attempts.length > 0 || node.status !== 'PENDING');
const verifiable = ({ headers }: Received): Record<string, string> => headers as Record<string, string>;
const product: NewEvent = { topic: 'PRODUCTS.CREATED', data: { id: 'prod_1', name: 'Ünïcode “quotes” \u2028' } };

describe('what arrives', () => {
  it('documented: an event arrives in the platform envelope, verified by two libraries', async () => {
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
    });
    expect(new StandardWebhook(secret).verify(message!.body, verifiable(message!))).toMatchObject({ topic: 'PRODUCTS.CREATED' });
    expect(() => new SvixWebhook(secret).verify(message!.body, verifiable(message!))).not.toThrow();
    for (const library of [new StandardWebhook(secret), new SvixWebhook(secret)])
      expect(() => library.verify(`${message!.body} `, verifiable(message!))).toThrow();
  });

  it('documented: an event of the integrations API has the envelope of that API', async () => {
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
    });
  });

  it('chosen: a new company is an event, of the change itself', async () => {
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
      operation: 'CREATE',
      data: { name: 'Acme' },
    });
  });

  it('documented: a secret of the callers own signs with the bytes it is written with', async () => {
    const key = await gateway.key(['PLATFORM']);
    const target = await receiver();
    const secret = 'twenty-four characters and more';
    await register(key, target.url, { secret });
    await emit(key, product);
    const [message] = await target.arrived(1);
    expect(new StandardWebhook(secret, { format: 'raw' }).verify(message!.body, verifiable(message!))).toBeTruthy();
  });

  it('documented: after a change of the secret both sign, and after 24 hours the new one alone', async () => {
    const key = await gateway.key(['PLATFORM']);
    const target = await receiver();
    const { id, secret } = await register(key, target.url);
    const next = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    expect((await call(key, 'POST', `/${id}`, { secret: next })).status).toBe(200);
    await emit(key, product);
    const [message] = await target.arrived(1);
    for (const each of [secret, next]) expect(new StandardWebhook(each).verify(message!.body, verifiable(message!))).toBeTruthy();
    expect(String(message!.headers['webhook-signature']).split(' ')).toHaveLength(2);
    gateway.clock.advance(25 * 3_600_000);
    await emit(key, product);
    await target.arrived(2);
    gateway.clock.advance(-25 * 3_600_000);
    expect(String(target.received[1]!.headers['webhook-signature']).split(' ')).toHaveLength(1);
  });

  it('documented: the test trigger copies event_data into data, signed like any event', async () => {
    const key = await gateway.key(['PLATFORM']);
    const target = await receiver();
    const { id, secret } = await register(key, target.url, { topics: ['CORPORATIONS.CREATED'] });
    const data = { text: 'x', nested: { list: [1, 2.5, null, { deep: true }] }, '': '' };
    const answer = await call(key, 'POST', `/test/trigger/${id}`, { event_data: data });
    expect([answer.status, Object.keys(answer.body)]).toEqual([200, ['message']]);
    const [message] = await target.arrived(1);
    expect(new StandardWebhook(secret).verify(message!.body, verifiable(message!))).toMatchObject({
      topic: 'WEBHOOK.TEST',
      test: true,
      data,
    });
  });

  it('documented: the test trigger needs an object of at most 64 KiB and a webhook that is enabled', async () => {
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
    const answer = await call(key, 'POST', `/test/trigger/${id}`, { event_data: {} });
    expect([answer.status, answer.body.error.code]).toEqual([400, 'WEBHOOK_DISABLED']);
  });

  it('chosen: a webhook gets the topics it asked for and nothing else, and a disabled one nothing', async () => {
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
});

describe('what fails', () => {
  it('documented: a redirect is a failure that is not followed, and the answer is kept to 1 KB', async () => {
    const key = await gateway.key(['PLATFORM']);
    const elsewhere = await receiver();
    const target = await receiver((_, response) => response.writeHead(302, { location: elsewhere.url }).end('x'.repeat(5_000)));
    const { id } = await register(key, target.url);
    await emit(key, product);
    const { deliveries } = await logWhere(key, id, settled(1));
    expect(deliveries.nodes[0]).toMatchObject({
      status: 'PENDING',
      attemptsLeft: 9,
      nextAttemptAt: expect.any(String),
      attempts: [{ status: 302, responseBody: 'x'.repeat(1_024), error: null }],
    });
    expect(elsewhere.received).toEqual([]);
  });

  it('documented: a failed delivery comes again with the same id and body', async () => {
    const key = await gateway.key(['PLATFORM']);
    let calls = 0;
    const target = await receiver((_, response) => response.writeHead(++calls === 1 ? 500 : 204).end());
    const { id } = await register(key, target.url);
    await emit(key, product);
    const { deliveries } = await logWhere(key, id, ({ deliveries }) => deliveries.nodes[0]?.status === 'DELIVERED');
    expect(deliveries.nodes[0]!.attempts.map(({ status }) => status)).toEqual([500, 204]);
    expect(new Set(target.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(target.received.map(({ body }) => body)).size).toBe(1);
  });

  it('documented: Retry-After moves the next attempt, and 410 disables the webhook as GONE', async () => {
    const key = await gateway.key(['PLATFORM']);
    const later = await receiver((_, response) => response.writeHead(503, { 'retry-after': '3600' }).end());
    const gone = await receiver((_, response) => response.writeHead(410).end());
    const [busy, dead] = [await register(key, later.url), await register(key, gone.url)];
    await emit(key, product);
    const { deliveries } = await logWhere(key, busy.id, settled(1));
    const [delivery] = deliveries.nodes;
    expect(Date.parse(delivery!.nextAttemptAt!) - Date.parse(delivery!.attempts[0]!.at)).toBeGreaterThanOrEqual(3_600_000);
    const ended = await logWhere(key, dead.id, ({ status }) => status === 'DISABLED');
    expect(ended).toMatchObject({ disabledReason: 'GONE', deliveries: { nodes: [{ status: 'FAILED', nextAttemptAt: null }] } });
  });

  it('documented: a webhook that only failed for five days is disabled as FAILING, one that succeeded in between is not', async () => {
    const key = await gateway.key(['PLATFORM']);
    let isUp = false;
    const [down, flaky] = [
      await receiver((_, response) => response.writeHead(500).end()),
      await receiver((_, response) => response.writeHead(isUp ? 200 : 500).end()),
    ];
    const [dead, alive] = [await register(key, down.url), await register(key, flaky.url)];
    const attempt = async (count: number): Promise<void> => {
      for (const { id } of [dead, alive]) await call(key, 'POST', `/test/trigger/${id}`, { event_data: {} });
      for (const { id } of [dead, alive]) await logWhere(key, id, settled(count));
    };
    const day = 24 * 3_600_000;
    await attempt(1);
    gateway.clock.advance(2 * day);
    isUp = true;
    await attempt(2);
    isUp = false;
    expect((await log(key, dead.id)).status).toBe('ENABLED');
    gateway.clock.advance(3 * day);
    await attempt(3);
    gateway.clock.advance(-5 * day);
    expect(await log(key, dead.id)).toMatchObject({ status: 'DISABLED', disabledReason: 'FAILING' });
    expect(await log(key, alive.id)).toMatchObject({ status: 'ENABLED', disabledReason: null });
  });

  it('chosen: receivers that hang delay nobody else', async () => {
    const key = await gateway.key(['PLATFORM']);
    const hanging = await receiver(() => {});
    const healthy = await receiver();
    for (let count = 0; count < 3; count++) await register(key, hanging.url);
    await register(key, healthy.url);
    await emit(key, ...Array.from({ length: 40 }, () => product));
    await healthy.arrived(40);
    expect(hanging.received.length).toBeLessThanOrEqual(3 * 4);
  });
});

describe('the log and replays', () => {
  it('chosen: one delivery, or all that failed since a time, are sent again under their ids', async () => {
    const key = await gateway.key(['PLATFORM']);
    let isUp = false;
    const target = await receiver((_, response) => response.writeHead(isUp ? 200 : 500).end());
    const { id } = await register(key, target.url);
    for (let count = 0; count < 3; count++) await call(key, 'POST', `/test/trigger/${id}`, { event_data: { count } });
    const failed = await logWhere(key, id, settled(3));
    expect(failed.deliveries.nodes.map(({ status, attemptsLeft }) => [status, attemptsLeft])).toEqual(Array(3).fill(['FAILED', 0]));
    isUp = true;
    const one = failed.deliveries.nodes[1]!;
    const retried = await gateway.graphql(key, 'mutation ($id: ID!) { retryWebhookDelivery(id: $id) { delivery { id eventId } } }', {
      id: one.id,
    });
    expect(retried.body.data.retryWebhookDelivery.delivery).toEqual({ id: one.id, eventId: one.event.id });
    await logWhere(key, id, ({ deliveries }) => deliveries.nodes[1]!.status === 'DELIVERED');
    const replayed = await gateway.graphql(
      key,
      'mutation ($id: ID!) { replayWebhookDeliveries(webhookId: $id, since: "2000-01-01") { queued remaining } }',
      { id },
    );
    expect(replayed.body.data.replayWebhookDeliveries).toEqual({ queued: 2, remaining: 0 });
    await logWhere(key, id, ({ deliveries }) => deliveries.nodes.every(({ status }) => status === 'DELIVERED'));
    expect(target.received.map(({ headers }) => headers['webhook-id']).sort()).toEqual(
      failed.deliveries.nodes.flatMap(({ event }) => [event.id, event.id]).sort(),
    );
  });

  it('chosen: a delivery whose next attempt is hours away can be sent at once', async () => {
    const key = await gateway.key(['PLATFORM']);
    let isUp = false;
    const target = await receiver((_, response) => response.writeHead(isUp ? 200 : 503, { 'retry-after': '7200' }).end());
    const { id } = await register(key, target.url);
    await emit(key, product);
    const waiting = await logWhere(key, id, settled(1));
    isUp = true;
    await gateway.graphql(key, 'mutation ($id: ID!) { retryWebhookDelivery(id: $id) { delivery { id } } }', {
      id: waiting.deliveries.nodes[0]!.id,
    });
    const done = await logWhere(key, id, ({ deliveries }) => deliveries.nodes[0]!.status === 'DELIVERED');
    expect(done.deliveries.nodes[0]!.attempts.map(({ status }) => status)).toEqual([503, 200]);
  });

  it('chosen: nobody sends again what belongs to somebody else, or to a webhook that is off', async () => {
    const key = await gateway.key(['PLATFORM']);
    const { id } = await register(key, (await receiver()).url);
    await emit(key, product);
    const { deliveries } = await logWhere(key, id, settled(1));
    const retry = (by: string): Promise<Answer> =>
      gateway.graphql(by, 'mutation ($id: ID!) { retryWebhookDelivery(id: $id) { delivery { id } } }', { id: deliveries.nodes[0]!.id });
    expect((await retry(await gateway.key(['PLATFORM']))).body.errors[0].extensions.code).toBe('RECORD_NOT_FOUND');
    await call(key, 'POST', `/${id}`, { status: 'DISABLED' });
    expect((await retry(key)).body.errors[0].extensions.code).toBe('WEBHOOK_DISABLED');
  });

  it('chosen: REST lists the log newest first, in pages', async () => {
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
});

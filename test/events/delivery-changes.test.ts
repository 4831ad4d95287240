// Subscriptions to deliveries of webhooks: of one, and of all of an organisation.
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { follow, started } from '../support/changes.ts';
import { useGateway } from '../support/gateway.ts';
import { closeClients, connectWithKey } from '../support/subscriber.ts';
import { product, webhookTools } from '../support/webhooks.ts';

const gateway = useGateway({ webhookAllowPrivate: true });
closeClients();

describe('deliveries of a webhook', () => {
  it('a delivery is followed from its making to its end, and resumed after an event', async () => {
    const { receiver, register, emit, stopReceivers } = webhookTools(gateway);
    const key = await gateway.key(['PLATFORM']);
    const target = await receiver();
    const { id: webhookId } = await register(key, target.url);
    const { id: other } = await register(key, target.url);
    const client = connectWithKey(gateway.origin, key);
    const query = `subscription ($id: ID!, $after: ID) { deliveryChanged(webhookId: $id, after: $after) {
      operation nodeId eventId node { id status webhookId attempts { status } event { id topic } } } }`;
    const changes = follow(client, query, { id: webhookId });
    // Deliveries of one webhook are made one after the other, up to two seconds apart on a busy machine. There are few, so that the last comes soon.
    await started(changes, async () => {
      await emit(key, product);
      await setTimeout(1_000);
    });
    await changes.next(({ node }) => node.status === 'DELIVERED' && node.attempts.length === 1);
    const known = new Set(changes.received.map(({ nodeId }) => nodeId));
    await emit(key, product);
    const made = await changes.next(({ operation, nodeId }) => operation === 'CREATED' && !known.has(nodeId));
    expect(made.nodeId).toMatch(/^dlv_/);
    // One message where the delivery is made and ends within a tenth of a second.
    const isOver = ({ nodeId, node }: typeof made): boolean => nodeId === made.nodeId && node.status === 'DELIVERED';
    const ended = isOver(made) ? made : await changes.next(isOver);
    expect(ended).toEqual({
      operation: expect.stringMatching(/CREATED|UPDATED/),
      nodeId: made.nodeId,
      eventId: made.eventId,
      node: {
        id: made.nodeId,
        status: 'DELIVERED',
        webhookId,
        attempts: [{ status: 200 }],
        event: { id: made.eventId, topic: 'PRODUCTS_CREATED' },
      },
    });
    expect(changes.received.every(({ node }) => node.webhookId === webhookId && node.webhookId !== other)).toBe(true);
    changes.stop();
    await emit(key, product);
    const resumed = follow(client, query, { id: webhookId, after: made.eventId });
    const missed = await resumed.next(({ eventId }) => eventId > made.eventId);
    expect(missed).toMatchObject({ node: { webhookId } });
    const stranger = connectWithKey(gateway.origin, await gateway.key(['PLATFORM']));
    expect(await follow(stranger, query, { id: webhookId }).ended).toMatchObject({ code: 'WEBHOOK_NOT_FOUND' });
    await stopReceivers();
  }, 120_000);

  it('without a webhook the deliveries of all of them are followed and resumed, and none of another organisation', async () => {
    const { receiver, register, emit, stopReceivers } = webhookTools(gateway);
    const [key, foreign] = [await gateway.key(['PLATFORM']), await gateway.key(['PLATFORM'])];
    const target = await receiver();
    const [one, two] = [await register(key, target.url), await register(key, target.url)];
    const stranger = await register(foreign, target.url);
    const client = connectWithKey(gateway.origin, key);
    const query = `subscription ($after: ID) { deliveryChanged(after: $after) { nodeId eventId node { id webhookId status } } }`;
    const changes = follow(client, query);
    await started(changes, async () => {
      await emit(key, product);
      await setTimeout(1_000);
    });
    await emit(foreign, product);
    await emit(key, product);
    const ended = (id: string) => changes.next(({ node }) => node.webhookId === id && node.status === 'DELIVERED');
    const { eventId } = await ended(one.id);
    await ended(two.id);
    changes.stop();
    await emit(key, product);
    const resumed = follow(client, query, { after: eventId });
    for (const id of [one.id, two.id]) await resumed.next((change) => change.eventId > eventId && change.node.webhookId === id);
    const reported = [...changes.received, ...resumed.received].map(({ node }) => node.webhookId);
    expect(new Set(reported)).toEqual(new Set([one.id, two.id]));
    expect(reported).not.toContain(stranger.id);
    await stopReceivers();
  }, 120_000);
});

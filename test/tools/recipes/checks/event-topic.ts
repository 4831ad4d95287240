// A topic that was added can be subscribed to and is delivered, by its own change alone.
import { afterEach, expect, it } from 'vitest';
import { useGateway } from '../../../support/gateway.ts';
import { platformCaller } from '../../../support/platform.ts';
import { webhookTools } from '../../../support/webhooks.ts';

const gateway = useGateway({ webhookAllowPrivate: true });
const tools = webhookTools(gateway);
afterEach(() => tools.stopReceivers());

it('a webhook for the topic hears that an address was set, and of no other change', async () => {
  const caller = await platformCaller(gateway, '/api/v1');
  const receiver = await tools.receiver();
  const { id: webhook } = await tools.register(caller.key, receiver.url, { topics: ['CORPORATIONS.ADDRESS.UPDATED'] });
  const id = await caller.corporation();
  await caller.send('POST', `/corporations/${id}`, { website: 'https://blue.example' });
  const changed = await caller.send('POST', `/corporations/${id}`, { address: { address_line_1: '1 Quay', country: 'GB' } });
  expect(changed.status, changed.text).toBe(200);

  const [message] = await receiver.arrived(1);
  const body = JSON.parse(message!.body);
  expect(body).toMatchObject({ topic: 'CORPORATIONS.ADDRESS.UPDATED', data: { id, address: { address_line_1: '1 Quay' } } });
  const { deliveries } = await tools.logWhere(caller.key, webhook, (log) =>
    log.deliveries.nodes.every(({ status }) => status === 'DELIVERED'),
  );
  expect(deliveries.totalCount).toBe(1);
});

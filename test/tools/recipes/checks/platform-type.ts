// A platform record type that was added has its operations on REST and GraphQL and its event, inside its organisation only. It is archived with its
// corporation.
import { afterEach, expect, it } from 'vitest';
import { useGateway } from '../../../support/gateway.ts';
import { platformCaller } from '../../../support/platform.ts';
import { webhookTools } from '../../../support/webhooks.ts';

const gateway = useGateway({ webhookAllowPrivate: true });
const tools = webhookTools(gateway);
afterEach(() => tools.stopReceivers());

it('a warehouse is created, listed, changed and deleted on REST and GraphQL, and is a node', async () => {
  const caller = await platformCaller(gateway, '/api/v1');
  const corporation = await caller.corporation();
  const made = await caller.send('POST', '/warehouses', { corporation_id: corporation, name: ' North ' });
  expect(made.status, made.text).toBe(201);
  const { id } = made.body.data;
  expect(made.body.data).toMatchObject({ id: expect.stringMatching(/^whs_/), corporation_id: corporation, name: 'North' });
  const changed = await caller.send('POST', `/warehouses/${id}`, { name: 'North Quay' });
  expect(changed.status, changed.text).toBe(200);
  expect((await caller.send('GET', `/warehouses/${id}`)).body.data.name).toBe('North Quay');

  const create = `mutation { createWarehouses(input: { records: [{ corporationId: "${corporation}", name: "South" }] }) { warehouses { id name } } }`;
  const second = await gateway.graphql(caller.key, create);
  expect(second.body.data?.createWarehouses.warehouses[0].name, second.text).toBe('South');
  const listed = await caller.send('GET', `/warehouses?corporation_id=${corporation}`);
  expect(listed.body.data.warehouses.map(({ name }: { name: string }) => name).sort(), listed.text).toEqual(['North Quay', 'South']);
  const node = await gateway.graphql(caller.key, `{ node(id: "${id}") { id ... on Warehouse { name } } }`);
  expect(node.body.data?.node, node.text).toEqual({ id, name: 'North Quay' });
  expect((await caller.send('DELETE', `/warehouses/${id}`)).status).toBe(204);
  const gone = await caller.send('GET', `/warehouses/${id}`);
  expect(gone.status, gone.text).toBe(404);
});

it('a webhook hears of a new warehouse', async () => {
  const caller = await platformCaller(gateway, '/api/v1');
  const receiver = await tools.receiver();
  await tools.register(caller.key, receiver.url, { topics: ['WAREHOUSES.CREATED'] });
  const made = await caller.send('POST', '/warehouses', { corporation_id: await caller.corporation(), name: 'North' });
  const [message] = await receiver.arrived(1);
  expect(JSON.parse(message!.body)).toMatchObject({ topic: 'WAREHOUSES.CREATED', data: made.body.data });
});

it('a warehouse is seen by its organisation only, needs a corporation of it, and is archived with it', async () => {
  const [caller, stranger] = [await platformCaller(gateway, '/api/v1'), await platformCaller(gateway, '/api/v1')];
  const corporation = await caller.corporation();
  const { id } = (await caller.send('POST', '/warehouses', { corporation_id: corporation, name: 'North' })).body.data;
  for (const refused of [
    await stranger.send('GET', `/warehouses?corporation_id=${corporation}`),
    await stranger.send('POST', '/warehouses', { corporation_id: corporation, name: 'South' }),
  ])
    expect(refused.body.error.code, refused.text).toBe('CORPORATION_NOT_FOUND');
  expect((await stranger.send('POST', `/warehouses/${id}`, { name: 'South' })).status).toBe(404);
  expect((await caller.send('DELETE', `/corporations/${corporation}`)).status).toBe(204);
  expect((await caller.send('GET', `/warehouses/${id}`)).status).toBe(404);
});

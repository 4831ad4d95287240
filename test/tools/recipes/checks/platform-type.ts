// A platform record type that was added is written and read on REST and GraphQL, inside its organisation only, and archived with its corporation.
import { expect, it } from 'vitest';
import { useGateway } from '../../../support/gateway.ts';
import { platformCaller } from '../../../support/platform.ts';

const gateway = useGateway();

it('a warehouse is created and listed on REST and GraphQL, and is a node', async () => {
  const caller = await platformCaller(gateway, '/api/v1');
  const corporation = await caller.corporation();
  const made = await caller.send('POST', '/warehouses', { corporation_id: corporation, name: ' North ' });
  expect(made.status, made.text).toBe(201);
  expect(made.body.data).toMatchObject({ id: expect.stringMatching(/^whs_/), corporation_id: corporation, name: 'North' });

  const create = `mutation { createWarehouse(input: { corporationId: "${corporation}", name: "South" }) { warehouse { id name } } }`;
  const second = await gateway.graphql(caller.key, create);
  expect(second.body.data?.createWarehouse.warehouse.name, second.text).toBe('South');
  const listed = await caller.send('GET', `/warehouses?corporation_id=${corporation}`);
  expect(listed.body.data.warehouses.map(({ name }: { name: string }) => name).sort(), listed.text).toEqual(['North', 'South']);
  const node = await gateway.graphql(caller.key, `{ node(id: "${made.body.data.id}") { id ... on Warehouse { name } } }`);
  expect(node.body.data?.node, node.text).toEqual({ id: made.body.data.id, name: 'North' });
});

it('a warehouse is seen by its organisation only, needs a corporation of it, and is archived with it', async () => {
  const [caller, stranger] = [await platformCaller(gateway, '/api/v1'), await platformCaller(gateway, '/api/v1')];
  const corporation = await caller.corporation();
  await caller.send('POST', '/warehouses', { corporation_id: corporation, name: 'North' });
  expect((await stranger.send('GET', `/warehouses?corporation_id=${corporation}`)).body.data.warehouses).toEqual([]);
  const refused = await stranger.send('POST', '/warehouses', { corporation_id: corporation, name: 'South' });
  expect(refused.body.error.code, refused.text).toBe('CORPORATION_NOT_FOUND');
  expect((await caller.send('DELETE', `/corporations/${corporation}`)).status).toBe(204);
  expect((await caller.send('GET', `/warehouses?corporation_id=${corporation}`)).body.data.warehouses).toEqual([]);
});

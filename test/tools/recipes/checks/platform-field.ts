// A field that was added to a platform record is written, changed, cleared, checked and imported on REST and GraphQL.
import { expect, it } from 'vitest';
import { useGateway } from '../../../support/gateway.ts';
import { buildProduct, platformCaller } from '../../../support/platform.ts';

const gateway = useGateway();

it('the brand of a product is stored, returned and cleared on REST and GraphQL', async () => {
  const caller = await platformCaller(gateway, '/api/v1');
  const id = await caller.product(await caller.corporation(), { brand: ' Blue Harbor ' });
  expect((await caller.send('GET', `/products/${id}`)).body.data.brand).toBe('Blue Harbor');

  const change = `mutation { updateProduct(input: { id: "${id}", brand: "Harbor" }) { product { brand } } }`;
  const changed = await gateway.graphql(caller.key, change);
  expect(changed.body.data?.updateProduct.product, changed.text).toEqual({ brand: 'Harbor' });

  await caller.send('POST', `/products/${id}`, { brand: null });
  expect((await caller.send('GET', `/products/${id}`)).body.data.brand).toBeNull();
});

it('a brand that is too long is rejected by name', async () => {
  const caller = await platformCaller(gateway, '/api/v1');
  const refused = await caller.send('POST', '/products', buildProduct(await caller.corporation(), { brand: 'x'.repeat(256) }));
  expect(refused.status).toBe(400);
  expect(refused.body.error.details).toMatchObject([{ field: 'brand', code: 'TOO_LONG' }]);
});

it('an import sets the brand of new and stored products, and rejects one that is too long', async () => {
  const caller = await platformCaller(gateway, '/api/v1');
  const corporation = await caller.corporation();
  const imported = async (csv: string): Promise<Record<string, unknown>> => {
    const file_id = (await caller.upload(csv)).body.data.id;
    const started = await caller.send('POST', '/products/bulk_upload/csv', { file_id, corporation_id: corporation });
    expect(started.status, started.text).toBe(200);
    for (;;) {
      const { data } = (await caller.send('GET', `/jobs/${started.body.data.job.id}`)).body;
      if (data.completed_at) return data;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const brands = async (): Promise<string[]> => {
    const { data } = (await caller.send('GET', `/products?corporation_id=${corporation}`)).body;
    return data.products.map(({ brand }: { brand: string }) => brand);
  };
  expect(await imported('sku,brand\nA,Blue\n')).toMatchObject({ created_count: 1 });
  expect(await brands()).toEqual(['Blue']);
  expect(await imported('sku,brand\nA,Red\n')).toMatchObject({ updated_count: 1 });
  expect(await brands()).toEqual(['Red']);
  const file_id = (await caller.upload(`sku,brand\nA,${'x'.repeat(256)}\n`)).body.data.id;
  const refused = await caller.send('POST', '/products/bulk_upload/csv', { file_id, corporation_id: corporation });
  expect(refused.body.error.details).toMatchObject([{ field: 'brand', code: 'TOO_LONG' }]);
});

// A field that was added to a ledger record is written, read and filtered by on REST and GraphQL.
import { expect, it } from 'vitest';
import { useGateway } from '../../../support/gateway.ts';
import { buildCompany } from '../../../support/records.ts';

const gateway = useGateway();

it('the barcode of an item is stored and returned on REST and GraphQL, and lists can be filtered by it', async () => {
  const { id, key, base, headers } = await buildCompany(gateway);
  const made = await gateway.send('POST', `${base}/items`, { headers, body: { data: { name: 'Paper', barcode: '04006381333931' } } });
  expect(made.status, made.text).toBe(201);
  const { ledger_id: ledgerId, barcode } = made.body.data.data;
  expect(barcode).toBe('04006381333931');

  const change = `mutation { updateItem(input: { companyId: ${id}, id: ${ledgerId}, barcode: "96385074" }) { item { barcode } } }`;
  const changed = await gateway.graphql(key, change);
  expect(changed.body.data?.updateItem.item.barcode, changed.text).toBe('96385074');

  const listed = await gateway.graphql(
    key,
    `{ company(id: ${id}) { items(filter: { barcode: { eq: "96385074" } }) { nodes { barcode } } } }`,
  );
  expect(listed.body.data?.company.items.nodes, listed.text).toEqual([{ barcode: '96385074' }]);
  const filtered = await gateway.send('GET', `${base}/items?barcode=04006381333931`, { headers });
  expect(filtered.body.data, filtered.text).toEqual([]);
});

it('a barcode that is too long is rejected by name', async () => {
  const { base, headers } = await buildCompany(gateway);
  const refused = await gateway.send('POST', `${base}/items`, { headers, body: { data: { barcode: '1'.repeat(15) } } });
  expect(refused.status).toBe(400);
  expect(refused.body.error).toMatchObject({ field: 'data.barcode', message: expect.stringContaining('at most 14') });
});

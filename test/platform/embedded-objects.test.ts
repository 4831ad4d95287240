// Embedded objects as the ORM stores them: JSON under the GraphQL names with absent members as null, as readers and events expect it.
import { expect, it } from 'vitest';
import { Corporation } from '../../src/platform/corporations/corporation.ts';
import { useGateway } from '../support/gateway.ts';
import { platformCaller } from '../support/platform.ts';

const gateway = useGateway();

it('the address and the tax ids of a corporation are stored as JSON under their GraphQL names', async () => {
  const caller = await platformCaller(gateway, '/api/v1');
  const tax_ids = [{ type: 'GB_CRN', value: '12345678' }];
  const id = await caller.corporation({ tax_ids, address: { address_line_1: '1 High Street', city: 'Leeds', country: 'GB' } });
  const em = gateway.services.database.orm.em.fork();
  const stored = () => em.getConnection().execute('select address, tax_ids from corporation where id = ?', [id]);

  const address = { addressLine1: '1 High Street', addressLine2: null, city: 'Leeds', state: null, postalCode: null, country: 'GB' };
  expect(await stored()).toEqual([{ address, tax_ids }]);
  const loaded = await em.findOneOrFail(Corporation, { id }, { filters: { tenant: false } });
  expect({ ...loaded.address }).toEqual(address);
  expect(loaded.taxIds.map((taxId) => ({ ...taxId }))).toEqual(tax_ids);

  const moved = await caller.send('POST', `/corporations/${id}`, {
    address: { address_line_1: '2 Rue Haute', country: 'FR' },
    tax_ids: null,
  });
  expect(moved.status, moved.text).toBe(200);
  expect(await stored()).toEqual([{ address: { ...address, addressLine1: '2 Rue Haute', city: null, country: 'FR' }, tax_ids: [] }]);

  expect((await caller.send('POST', `/corporations/${id}`, { address: null })).status).toBe(200);
  expect(await stored()).toEqual([{ address: null, tax_ids: [] }]);
});

// A field that was added to a platform record is written, changed, cleared and checked on REST and GraphQL.
import { expect, it } from 'vitest';
import { useGateway } from '../../../support/gateway.ts';
import { buildCorporation, platformCaller } from '../../../support/platform.ts';

const gateway = useGateway();

it('chosen: the trading name of a corporation is stored, answered and cleared on REST and GraphQL', async () => {
  const caller = await platformCaller(gateway, '/api/v1');
  const id = await caller.corporation({ trading_name: ' Blue Harbor ' });
  expect((await caller.send('GET', `/corporations/${id}`)).body.data.trading_name).toBe('Blue Harbor');

  const change = `mutation { updateCorporation(id: "${id}", input: { tradingName: "Harbor" }) { corporation { tradingName } } }`;
  const changed = await gateway.graphql(caller.key, change);
  expect(changed.body.data?.updateCorporation.corporation, changed.text).toEqual({ tradingName: 'Harbor' });

  await caller.send('POST', `/corporations/${id}`, { trading_name: null });
  expect((await caller.send('GET', `/corporations/${id}`)).body.data.trading_name).toBeNull();
});

it('chosen: a trading name that is too long is refused by name', async () => {
  const caller = await platformCaller(gateway, '/api/v1');
  const refused = await caller.send('POST', '/corporations', buildCorporation({ trading_name: 'x'.repeat(256) }));
  expect(refused.status).toBe(400);
  expect(refused.body.error.details).toMatchObject([{ field: 'trading_name', code: 'TOO_LONG' }]);
});

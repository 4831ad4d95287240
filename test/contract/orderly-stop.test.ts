// An orderly stop: what was begun is answered, and connections that callers would keep do not hold it up.
import { expect, it } from 'vitest';
import { startGateway } from '../support/gateway.ts';
import { buildCompany } from '../support/records.ts';

it('chosen: requests under way are answered, and the stop waits for no connection that is only kept alive', async () => {
  const gateway = await startGateway();
  const company = await buildCompany(gateway);
  const asked = Array.from({ length: 30 }, () => gateway.send('GET', `${company.base}/accounts`, { headers: company.headers }));
  // One answer shows that the others have reached the gateway or wait at its door.
  await asked[0];
  const stopped = gateway.stop();
  const settled = await Promise.allSettled(asked);
  await stopped;
  const answered = settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value.status] : []));
  expect(new Set(answered)).toEqual(new Set([200]));
});

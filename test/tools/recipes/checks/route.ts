// A route that was added returns 401 without a key and 200 with one, with the record of the field it runs.
import { expect, it } from 'vitest';
import { useGateway } from '../../../support/gateway.ts';

const gateway = useGateway();

it('an incorporation request is read over REST as over GraphQL, with a key only', async () => {
  const key = await gateway.key(['PLATFORM']);
  const headers = { authorization: `Bearer ${key}` };
  const made = await gateway.send('POST', '/api/v1/incorporation-requests', {
    headers,
    body: {
      companyId: '3d6f0a86-3c4b-4f0e-9c53-0a5c1f7b2b11',
      country: 'US',
      corporationTypeInfo: { US: { state: 'DE', corporationType: 'CCorp' } },
    },
  });
  expect(made.status, made.text).toBe(200);
  const { id } = made.body.data;
  const path = `/api/v1/incorporation-requests/${id}`;

  expect((await gateway.send('GET', path)).status).toBe(401);
  const read = await gateway.send('GET', path, { headers });
  expect(read.status, read.text).toBe(200);
  const same = await gateway.graphql(key, `{ incorporationRequest(id: "${id}") { id country } }`);
  expect(read.body.data).toMatchObject(same.body.data.incorporationRequest);
  const unknown = await gateway.send('GET', '/api/v1/incorporation-requests/inc_unknown', { headers });
  expect(unknown.body.error.code, unknown.text).toBe('INCORPORATION_REQUEST_NOT_FOUND');
});

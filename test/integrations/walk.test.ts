import { expect, it } from 'vitest';
import { useGateway } from '../support/gateway.ts';
const gateway = useGateway();
it('documented: an account is created and read', async () => {
  const key = await gateway.key(['INTEGRATIONS']);
  const headers = { api_key: key };
  const company = await gateway.send('POST', '/v4/core/companies', { headers, body: { data: { name: 'Blue' } } });
  const id = company.body.data.ledger_id;
  const made = await gateway.send('POST', `/v4/core/companies/${id}/accounts`, { headers, body: { data: { name: 'Bank' } } });
  expect(made.status).toBe(201);
  const read = await gateway.send('GET', `/v4/core/companies/${id}/accounts/${made.body.data.data.ledger_id}`, { headers });
  expect(read.body.data.name).toBe('Bank');
});

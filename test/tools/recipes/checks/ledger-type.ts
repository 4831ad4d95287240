// A ledger record type that was added has every operation on REST and GraphQL, and is a data model of imports, pulls and job filters.
import { expect, it } from 'vitest';
import { useGateway } from '../../../support/gateway.ts';
import { buildCompany } from '../../../support/records.ts';
import { endOfSync } from '../../../support/syncs.ts';

const gateway = useGateway();

it('a payment term is written, read, listed and deleted on REST and GraphQL', async () => {
  const { id, key, base, headers } = await buildCompany(gateway);
  const made = await gateway.send('POST', `${base}/payment_terms`, { headers, body: { data: { name: 'Net 30', days_until_due: 30 } } });
  expect(made.status, made.text).toBe(201);
  const ledgerId = made.body.data.data.ledger_id;

  const read = await gateway.graphql(key, `{ company(id: ${id}) { paymentTerm(ledgerId: ${ledgerId}) { name daysUntilDue } } }`);
  expect(read.body.data?.company.paymentTerm, read.text).toEqual({ name: 'Net 30', daysUntilDue: 30 });
  const listed = await gateway.send('GET', `${base}/payment_terms?name=Net%2030`, { headers });
  expect(listed.body.data).toHaveLength(1);

  const change = `mutation { updatePaymentTerm(input: { companyId: ${id}, id: ${ledgerId}, daysUntilDue: 14 }) { paymentTerm { daysUntilDue } } }`;
  const changed = await gateway.graphql(key, change);
  expect(changed.body.data?.updatePaymentTerm.paymentTerm.daysUntilDue, changed.text).toBe(14);
  expect((await gateway.send('DELETE', `${base}/payment_terms/${ledgerId}`, { headers })).status).toBe(204);
  expect((await gateway.send('GET', `${base}/payment_terms/${ledgerId}`, { headers })).status).toBe(404);
});

it('payment terms are imported and pulled, and their jobs are found by their data model', async () => {
  const company = await buildCompany(gateway);
  const form = new FormData();
  form.set('data_model', 'PAYMENT_TERM');
  form.set('file', new Blob(['platform_id,name,days_until_due\np1,Net 30,30\np2,At once,0\n']), 'terms.csv');
  const encoded = new Response(form);
  const imported = await gateway.send('POST', `${company.base}/imports`, {
    headers: { ...company.headers, 'content-type': encoded.headers.get('content-type')! },
    raw: new Uint8Array(await encoded.arrayBuffer()),
  });
  expect(imported.status, imported.text).toBe(201);

  const asked = await gateway.send('POST', `${company.base}/syncs`, {
    headers: company.headers,
    body: { data: { dataModels: ['PAYMENT_TERM'] } },
  });
  expect(asked.status, asked.text).toBe(201);
  const sync = await endOfSync(gateway, company, asked.body.data.id);
  const jobs = await gateway.send('GET', `/v4/core/syncs/${sync.id}/jobs?dataModel=PAYMENT_TERM`, { headers: company.headers });
  expect(jobs.body.jobs, jobs.text).toHaveLength(1);
  expect(jobs.body.jobs[0]).toMatchObject({ dataModel: 'PAYMENT_TERM', recordsSynced: 2 });
  const pulled = await gateway.send('GET', `${company.base}/payment_terms`, { headers: company.headers });
  expect(pulled.body.data.map(({ name }: { name: string }) => name).sort()).toEqual(['At once', 'Net 30']);
});

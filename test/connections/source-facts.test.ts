// What records keep of their source: what it sent, its own status, and custom fields; by the settings of the connection.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { laterBy } from '../../src/database/expression.statements.ts';
import { executeIn } from '../../src/database/open.ts';
import { systemTransaction } from '../../src/database/transaction.ts';
import { schedules } from '../../src/tasks.ts';
import { ownRun, runOf } from '../support/connections.ts';
import { useGateway } from '../support/gateway.ts';
import { type Ledger, startLedger } from '../support/ledger.ts';
import { buildCompany, type TestCompany } from '../support/records.ts';
import { jobsOf } from '../support/syncs.ts';

const gateway = useGateway({ connectorPrivateHosts: ['127.0.0.1'] });
vi.setConfig({ testTimeout: 120_000 });
let ledger: Ledger;
let company: TestCompany;
beforeEach(async () => {
  ledger = await startLedger();
  company = await buildCompany(gateway);
});
afterEach(() => ledger.stop());

const rest = (method: string, path: string, data?: unknown) =>
  gateway.send(method, `${company.base}${path}`, { headers: company.headers, ...(data === undefined ? {} : { body: { data } }) });
async function connect(more: Record<string, unknown> = {}): Promise<string> {
  const settings = { url: ledger.url, apiKey: ledger.apiKey };
  const response = await rest('POST', '/connections', { source: 'DEMO', settings, interval_minutes: 43_200, ...more });
  expect(response.status, response.text).toBe(201);
  await ownRun(gateway, company, response.body.data.id);
  return response.body.data.id;
}
const contact = async (select = 'raw_data,source_status,custom_fields') =>
  (await rest('GET', `/contacts?platform_id=C-1&select=${select}`)).body.data[0];
const sent = { platform_id: 'C-1', name: 'Ann', source_status: 'on hold', segment: undefined as string | undefined };

it('a record keeps what the source sent where the connection says so, and no list shows it unless it is selected', async () => {
  ledger.put('CONTACT', sent);
  const id = await connect();
  expect(await contact()).toMatchObject({ raw_data: null, source_status: 'on hold', custom_fields: null });
  const response = await rest('PATCH', `/connections/${id}`, { keeps_raw_data: true });
  expect(response.body.data).toMatchObject({ keeps_raw_data: true, custom_fields: [] });
  await runOf(gateway, company, id, '?full_sync=true');
  expect((await contact()).raw_data).toMatchObject({ platform_id: 'C-1', name: 'Ann' });
  expect((await rest('GET', '/contacts')).body.data[0]).not.toHaveProperty('raw_data');
  // What the source changes comes, and a run without news changes nothing.
  ledger.put('CONTACT', { ...sent, name: 'Anne' });
  await runOf(gateway, company, id);
  const before = await contact('raw_data,data_hash');
  expect(before).toMatchObject({ name: 'Anne', raw_data: { name: 'Anne' } });
  await runOf(gateway, company, id, '?full_sync=true');
  expect(await contact('raw_data,data_hash')).toEqual(before);
  // A write of a caller is no conflict, and does not send it.
  const written = await rest('PUT', '/contacts?wait=10', { platform_id: 'C-1', name: 'Anna' });
  expect(written.body.data.data).toMatchObject({ source_state: 'IN_SYNC', source_error: null });
  expect(ledger.rows('CONTACT')[0]).toMatchObject({ name: 'Anna' });
  expect(ledger.rows('CONTACT')[0]).not.toHaveProperty('raw_data');
});

it('custom fields come by the rules of the connection, are filtered by name and value on both endpoints, and go back', async () => {
  ledger.put('CONTACT', { ...sent, phone: '1' });
  ledger.put('CONTACT', { platform_id: 'C-2', name: 'Ben' });
  await connect({ custom_fields: [{ data_model: 'CONTACT', name: 'extension', from: 'phone' }] });
  expect((await contact()).custom_fields).toEqual([{ name: 'extension', value: '1' }]);
  const found = async (has: string) =>
    (await rest('GET', `/contacts?custom_fields[has]=${encodeURIComponent(has)}`)).body.data.map(({ name }: { name: string }) => name);
  expect(await found('extension')).toEqual(['Ann']);
  expect(await found('extension=1')).toEqual(['Ann']);
  expect(await found('extension=2')).toEqual([]);
  const query = `query ($id: ID!, $has: String!) { company(id: $id) { contacts(first: 5, filter: { customFields: { has: $has } }) { nodes { name sourceStatus customFields { name value } } } } }`;
  const { body } = await gateway.graphql(company.key, query, { id: String(company.id), has: 'extension=1' });
  expect(body.data.company.contacts.nodes).toEqual([
    { name: 'Ann', sourceStatus: 'on hold', customFields: [{ name: 'extension', value: '1' }] },
  ]);
  const own = [{ name: 'region', value: 'North' }];
  const created = await rest('POST', '/contacts?wait=10', { name: 'Cleo', custom_fields: own });
  expect(created.body.data.data).toMatchObject({ source_state: 'IN_SYNC' });
  expect(ledger.rows('CONTACT').find(({ name }) => name === 'Cleo')).toMatchObject({ custom_fields: own });
  const wrong = await rest('POST', '/contacts', { name: 'Dan', custom_fields: [{ name: 'a=b', value: 1 }] });
  expect(wrong.status).toBe(400);
});

it('rules that name no data model of the source, or a name twice, are rejected', async () => {
  const rule = { data_model: 'CONTACT', name: 'a', from: 'b' };
  for (const [custom_fields, field] of [
    [[{ ...rule, data_model: 'PAYMENT' }], 'data.custom_fields[0].data_model'],
    [[rule, rule], 'data.custom_fields[1].name'],
    [[{ ...rule, name: 'a=b' }], 'data.custom_fields[0].name'],
  ] as const) {
    const response = await rest('POST', '/connections', { source: 'DEMO', custom_fields });
    expect([response.status, response.body.error.field], response.text).toEqual([400, field]);
  }
});

it('what is beyond the quota is left out and counted, and what is past its retention is emptied for good', async () => {
  ledger.put('CONTACT', sent);
  const id = await connect({ keeps_raw_data: true });
  expect((await contact()).raw_data).toMatchObject({ name: 'Ann' });
  const { quotas, retention } = gateway.services.config;
  const before = { ...quotas, ...retention };
  try {
    // As the last pulls have counted it.
    const fill = (bytes: number) =>
      systemTransaction(gateway.services.database, (em) =>
        executeIn(
          em,
          `update connection set pull_states = jsonb_set(pull_states, '{CONTACT,rawBytes}', to_jsonb($2::bigint)) where id = $1`,
          [id, bytes],
        ),
      );
    await fill(quotas.rawMegabytes * 1_048_576);
    ledger.put('CONTACT', { ...sent, name: 'Anne' });
    const sync = await runOf(gateway, company, id);
    expect(await contact()).toMatchObject({ name: 'Anne', raw_data: null });
    const jobs = await jobsOf(gateway, company, sync.id);
    expect(jobs.find(({ dataModel }) => dataModel === 'CONTACT')!.errorResponse).toEqual({
      left_out: { 'raw_data beyond the quota': 1 },
    });
    await runOf(gateway, company, id, '?full_sync=true');
    expect((await contact()).raw_data).toMatchObject({ name: 'Anne' });
    retention.rawDataDays = 30;
    const { batch } = schedules.flatMap(({ chores }) => chores).find(({ name }) => name === 'raw-data-retention')!;
    const run = () => systemTransaction(gateway.services.database, (em) => batch(em, gateway.services));
    await run();
    expect((await contact()).raw_data).toMatchObject({ name: 'Anne' });
    await systemTransaction(gateway.services.database, (em) =>
      executeIn(
        em,
        `update contact set ledger_updated_at = ${laterBy('ledger_updated_at', "-40 * interval '1 day'")} where company_id = $1`,
        [company.id],
      ),
    );
    await run();
    expect((await contact()).raw_data).toEqual({});
    await runOf(gateway, company, id, '?full_sync=true');
    expect((await contact()).raw_data).toEqual({});
  } finally {
    retention.rawDataDays = before.rawDataDays;
  }
});

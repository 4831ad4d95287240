// Source systems: files pulled from the inbox, disconnect requests, and their events.
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useGateway } from '../support/gateway.ts';
import { buildCompany, type TestCompany } from '../support/records.ts';
import { endOfSync, jobsOf } from '../support/syncs.ts';

const gateway = useGateway();
let key: string;
let company: TestCompany;

beforeAll(async () => {
  key = await gateway.key(['INTEGRATIONS', 'PLATFORM']);
});

beforeEach(async () => {
  company = await buildCompany(gateway, { key });
});

interface StoredEvent {
  topic: string;
  operation: string | null;
  data_model: string | null;
  data: Record<string, unknown>;
}

const send = (method: string, path: string, body?: unknown) => gateway.send(method, path, { headers: company.headers, body });

async function upload(dataModel: string, file: string, name = 'records.csv') {
  const form = new FormData();
  form.set('data_model', dataModel);
  form.set('file', new Blob([file]), name);
  const request = new Request('http://form.invalid', { method: 'POST', body: form });
  const raw = new Uint8Array(await request.arrayBuffer());
  return gateway.send('POST', `${company.base}/imports`, {
    headers: { ...company.headers, 'content-type': request.headers.get('content-type')! },
    raw,
  });
}

async function pull(data: Record<string, unknown>) {
  const requested = await send('POST', `${company.base}/syncs`, { data });
  expect(requested.status, requested.text).toBe(201);
  expect(requested.body.data).toMatchObject({ configMode: 'READ', fullSync: data.fullSync ?? false });
  return endOfSync(gateway, company, requested.body.data.id);
}

const list = async (records: string, query = '') =>
  (await send('GET', `${company.base}/${records}${query}`)).body.data as Record<string, never>[];

describe('the inbox', () => {
  it('a CSV file is pulled with the types of its columns, and a pull of the same rows changes nothing', async () => {
    const csv = 'platform_id,name,rate,components,status\nt1,"VAT, full",19.5,"{""state"": 19.5}",ACTIVE\nt2,None,0,,UNKNOWN\n';
    const uploaded = await upload('TAX_RATE', csv);
    expect(uploaded.status, uploaded.text).toBe(201);
    expect(uploaded.body.data).toMatchObject({ company_id: company.id, data_model: 'TAX_RATE', file_name: 'records.csv', record_count: 2 });
    expect(await pull({ dataModels: ['TAX_RATE'] })).toMatchObject({ status: 'SUCCESS', jobCounts: { total: 1 } });
    const first = await list('tax_rates');
    expect(first).toMatchObject([
      { platform_id: 't1', name: 'VAT, full', rate: 19.5, components: { state: 19.5 } },
      { platform_id: 't2', rate: 0, components: null, status: 'UNKNOWN' },
    ]);
    await upload('TAX_RATE', csv.replace('None', 'Zero'));
    expect(await pull({})).toMatchObject({ status: 'SUCCESS' });
    const second = await list('tax_rates');
    expect(second[0]).toEqual(first[0]);
    expect(second[1]).toMatchObject({ name: 'Zero' });
  });

  it.each([';', '\t'])('a CSV file with cells separated by %j is pulled like any other', async (delimiter) => {
    const cells = ['"platform_id"', '"name"', '"rate"'].join(delimiter);
    const row = [`s${delimiter.charCodeAt(0)}`, '"VAT, 19; full"', '19.5'].join(delimiter);
    expect((await upload('TAX_RATE', `\ufeff${cells}\r\n${row}\r\n`)).body.data).toMatchObject({ record_count: 1 });
    expect(await pull({ dataModels: ['TAX_RATE'] })).toMatchObject({ status: 'SUCCESS' });
    expect(await list('tax_rates', `?platform_id=s${delimiter.charCodeAt(0)}`)).toMatchObject([{ name: 'VAT, 19; full', rate: 19.5 }]);
  });

  it('several files are everything together to a full pull, with what the newest of them says of each record', async () => {
    const items = (names: string[], price: number) => JSON.stringify(names.map((name) => ({ platform_id: name, name, price })));
    const shown = async () => (await list('items', '?order_by=name')).map((row) => [row.name, row.price]);
    await upload('ITEM', items(['d', 'e', 'f'], 1), 'one.json');
    await upload('ITEM', items(['f', 'g'], 2), 'two.json');
    await pull({ dataModels: ['ITEM'] });
    const all = [
      ['d', 1],
      ['e', 1],
      ['f', 2],
      ['g', 2],
    ];
    expect(await shown()).toEqual(all);
    // The second finds no other files than the first.
    for (const _ of [1, 2]) {
      expect(await pull({ fullSync: true, dataModels: ['ITEM'] })).toMatchObject({ status: 'SUCCESS' });
      expect(await shown()).toEqual(all);
    }
    await upload('ITEM', items(['d'], 3), 'three.json');
    await upload('ITEM', items(['g'], 3), 'four.json');
    await pull({ fullSync: true, dataModels: ['ITEM'] });
    expect(await shown()).toEqual([
      ['d', 3],
      ['g', 3],
    ]);
  });

  it('a full pull marks records deleted that the newest file lacks, with their children', async () => {
    const items = (names: string[]) =>
      JSON.stringify({ data: names.map((name) => ({ platform_id: name, name, variants: [{ name: `${name} blue` }] })) });
    await upload('ITEM', items(['a', 'b', 'c']), 'items.json');
    await pull({ fullSync: true });
    await upload('ITEM', items(['a', 'c']), 'items.json');
    expect(await pull({ fullSync: true, dataModels: ['ITEM'] })).toMatchObject({ status: 'SUCCESS' });
    expect((await list('items')).map((row) => row.name)).toEqual(['a', 'c']);
    expect((await list('variants')).map((row) => row.name)).toEqual(['a blue', 'c blue']);
    expect((await list('items', '?include_deleted_records=true')).filter((row) => row.ledger_deleted_at)).toMatchObject([{ name: 'b' }]);
  });

  it('rows that cannot be stored are reported one by one, models that cannot be pulled are reported as a whole', async () => {
    await upload('ACCOUNT', 'platform_id,name,current_balance\na1,Bank,12.5\na2,Cash,much\n,Nameless,1\n');
    const sync = await pull({ dataModels: ['ACCOUNT', 'INVOICE'] });
    expect(sync).toMatchObject({
      status: 'PARTIAL_SUCCESS',
      jobCounts: { total: 4, success: 1, failed: 3 },
      dataModelCounts: { total: 2, success: 1, failed: 1 },
    });
    const jobs = await jobsOf(gateway, company, sync.id);
    const codes = jobs
      .filter((job) => job.status === 'FAILED')
      .map((job) => [job.errorCode, job.errorResponse?.index ?? null, job.errorResponse?.field ?? null]);
    expect(codes).toEqual(
      expect.arrayContaining([
        ['INVALID_PARAMS', 1, 'data[1].current_balance'],
        ['MISSING_PARAMS', 2, 'data[2].platform_id'],
        ['OPERATION_NOT_SUPPORTED', null, null],
      ]),
    );
    expect((await list('accounts')).map((row) => row.platform_id)).toEqual(['a1']);
  });

  it('rows that were rejected are tried again by every pull, also those without an id, until another file has them right', async () => {
    const files = { dataModels: ['ACCOUNT'] };
    const refused = async (sync: Awaited<ReturnType<typeof pull>>) => {
      expect(sync.status).not.toBe('SUCCESS');
      const jobs = await jobsOf(gateway, company, sync.id);
      return jobs.filter((job) => job.parentJobId !== null).map((job) => job.errorResponse!.platform_id);
    };
    await upload('ACCOUNT', 'platform_id,name,current_balance\na1,Bank,12.5\na2,Cash,much\n,Nameless,1\n,Nameless,1\n,Another,1\n');
    expect((await refused(await pull(files))).sort()).toEqual(['a2', null, null, null].sort());
    for (const _ of [1, 2]) expect((await refused(await pull(files))).sort()).toEqual(['a2', null, null].sort());
    await upload('ACCOUNT', 'platform_id,name,current_balance\na2,Cash,10\n');
    expect(await refused(await pull(files))).toEqual([null, null]);
    expect((await list('accounts')).map((row) => row.platform_id)).toEqual(['a1', 'a2']);
  });

  it('a pull without anything to pull is rejected with the reason', async () => {
    const refused = await send('POST', `${company.base}/syncs`, { data: {} });
    expect([refused.status, refused.body.error.error_code, refused.body.error.field]).toEqual([
      400,
      'OPERATION_NOT_SUPPORTED',
      'companyId',
    ]);
    expect(refused.body.error.message).toContain('nothing to pull');
    expect((await send('GET', `${company.base}/syncs?jobType=PULL`)).body.data.count).toBe(0);
  });

  it.each([
    ['of all data models', {}],
    ['of one', { dataModels: ['CONTACT'] }],
    ['of several', { dataModels: ['CONTACT', 'ACCOUNT'] }],
    ['of every record', { dataModels: ['ACCOUNT'], fullSync: true }],
  ])('a pull %s for a company without a connected system is rejected, and starts no sync', async (_, data) => {
    const other = await buildCompany(gateway, { key: company.key });
    const refused = await send('POST', `${other.base}/syncs`, { data });
    expect([refused.status, refused.body.error.error_code, refused.body.error.field]).toEqual([
      400,
      'OPERATION_NOT_SUPPORTED',
      'companyId',
    ]);
    expect((await send('GET', `${other.base}/syncs`)).body.data.count).toBe(0);
  });

  it('a data model without a file in the source fails by name, and its records stay', async () => {
    const other = await buildCompany(gateway, { key: company.key });
    await send('POST', `${other.base}/contacts`, { data: { platform_id: 'kept', name: 'Kept' } });
    const file = await gateway.graphql(
      company.key,
      'mutation ($id: ID!, $file: Upload!) { importRecords(input: { companyId: $id, dataModel: ACCOUNT, file: $file }) { file { id } } }',
      { id: other.id, file: '[{"platform_id": "a", "name": "A"}]' },
    );
    expect(file.body.errors).toBeUndefined();
    const refused = await send('POST', `${other.base}/syncs`, { data: { dataModels: ['CONTACT'], fullSync: true } });
    expect([refused.status, refused.body.error.error_code, refused.body.error.field]).toEqual([
      400,
      'OPERATION_NOT_SUPPORTED',
      expect.stringMatching(/dataModels$/),
    ]);
    const asked = await send('POST', `${other.base}/syncs`, { data: { dataModels: ['CONTACT', 'ACCOUNT'], fullSync: true } });
    const sync = await endOfSync(gateway, company, asked.body.data.id);
    expect(sync).toMatchObject({ status: 'PARTIAL_SUCCESS', jobCounts: { total: 2, success: 1, failed: 1 } });
    expect((await jobsOf(gateway, company, sync.id)).map(({ status, errorCode }) => [status, errorCode])).toEqual([
      ['FAILED', 'OPERATION_NOT_SUPPORTED'],
      ['SUCCESS', null],
    ]);
    expect((await send('GET', `${other.base}/contacts`)).body.data).toMatchObject([{ platform_id: 'kept' }]);
  });

  it('files without records, and malformed forms, are rejected by field', async () => {
    for (const [response, status, field] of [
      [await upload('ITEM', '{"data": 5}'), 400, 'file'],
      [await upload('ITEM', 'a,a\n1,2'), 400, 'file'],
      [await upload('ITEM', ''), 400, 'file'],
      [await upload('NOTHING', 'a\n1'), 400, 'data_model'],
      [await send('POST', `${company.base}/imports`, { data_model: 'ITEM' }), 415, null],
      [
        await gateway.send('POST', `${company.base}/imports`, {
          headers: { ...company.headers, 'content-type': 'multipart/form-data; boundary=x' },
          raw: 'nonsense',
        }),
        400,
        'body',
      ],
    ] as const) {
      expect([response.status, response.body?.error.field], response.text).toEqual([status, field]);
    }
  });
});

describe('disconnect requests', () => {
  const request = async () => send('POST', '/v4/core/disconnect-requests', { data: { company_id: company.id } });

  it('an approved request disconnects; records stay readable, writes are rejected until connected again', async () => {
    await send('PUT', `${company.base}/items`, { data: { platform_id: 'i1' } });
    const made = await request();
    expect(made.body.data).toMatchObject({ status: 'PENDING', requester_ip: expect.stringMatching(/127\.0\.0\.1$/) });
    const second = await request();
    expect([second.status, second.body.error.error_code]).toEqual([409, 'RECORD_ALREADY_EXISTS']);
    const path = `/v4/core/disconnect-requests/${made.body.data.ledger_id}`;
    const approved = await send('POST', `${path}/approve`, {
      data: { resolved_by: { ledger_id: 7, name: 'Ada', email: 'ada@example.org' } },
    });
    expect(approved.body.data).toMatchObject({
      status: 'APPROVED',
      resolved_by_user_id: 7,
      resolved_by: { ledger_id: 7, name: 'Ada', email: 'ada@example.org' },
    });
    expect(approved.body.data.resolved_at).not.toBeNull();
    expect((await send('GET', company.base)).body.data.connection_status).toBe('DISCONNECTED');
    expect(await list('items')).toHaveLength(1);
    for (const response of [
      await send('PUT', `${company.base}/items`, { data: { platform_id: 'i2' } }),
      await send('PUT', `${company.base}/items?run_async=true`, { data: [{ platform_id: 'i2' }] }),
      await send('POST', `${company.base}/syncs`, { data: {} }),
      await send('DELETE', `${company.base}/items/${(await list('items'))[0]!.ledger_id}`),
    ]) {
      expect([response.status, response.body.error.error_code]).toEqual([400, 'CONNECTION_DISCONNECTED']);
    }
    const again = await send('POST', `${path}/reject`);
    expect([again.status, again.body.error.message]).toEqual([409, 'the disconnect request is APPROVED and cannot become REJECTED']);
    const connected = await send('POST', `${company.base}/connect`, { data: { integration_type: 'XERO' } });
    expect(connected.body.data).toMatchObject({ connection_status: 'ACTIVE', integration_type: 'XERO' });
    expect((await send('PUT', `${company.base}/items`, { data: { platform_id: 'i2' } })).body.data.data.ledger_integration_type).toBe(
      'XERO',
    );
  });

  it('a rejected request changes nothing, a reconnection cancels a pending one', async () => {
    const first = (await request()).body.data.ledger_id;
    expect((await send('POST', `/v4/core/disconnect-requests/${first}/reject`)).body.data).toMatchObject({
      status: 'REJECTED',
      resolved_by: { name: expect.any(String) },
    });
    expect((await send('GET', company.base)).body.data.connection_status).toBe('ACTIVE');
    const second = (await request()).body.data.ledger_id;
    await send('POST', `${company.base}/connect`);
    const listed = await send('GET', `/v4/core/disconnect-requests?company_id=${company.id}&limit=1`);
    expect(listed.body).toMatchObject({
      disconnect_requests: [{ ledger_id: second, status: 'CANCELLED', resolved_by: null }],
      count: 2,
      next: expect.any(String),
    });
    const third = (await request()).body.data.ledger_id;
    expect((await send('POST', `/v4/core/disconnect-requests/${third}/cancel`)).body.data).toMatchObject({
      status: 'CANCELLED',
      resolved_by: null,
    });
  });

  it('requests and syncs of another organisation do not exist', async () => {
    const { ledger_id } = (await request()).body.data;
    const synced = await send('PUT', `${company.base}/items`, { data: { platform_id: 'i1' } });
    const headers = { api_key: await gateway.key(['INTEGRATIONS']) };
    for (const [method, path, code] of [
      ['POST', `/v4/core/disconnect-requests/${ledger_id}/approve`, 'RECORD_NOT_FOUND'],
      ['GET', `/v4/core/syncs/${synced.body.data.sync_id}`, 'SYNC_NOT_FOUND'],
      ['GET', `/v4/core/syncs/${synced.body.data.sync_id}/jobs`, 'SYNC_NOT_FOUND'],
      ['POST', `/v4/core/syncs/${synced.body.data.sync_id}/cancel`, 'SYNC_NOT_FOUND'],
      ['GET', `${company.base}/syncs`, 'COMPANY_NOT_FOUND'],
    ] as const) {
      const response = await gateway.send(method, path, { headers });
      expect([response.status, response.body.error.error_code], path).toEqual([404, code]);
    }
    expect((await gateway.send('GET', '/v4/core/disconnect-requests', { headers })).body).toEqual({
      disconnect_requests: [],
      count: 0,
      next: null,
    });
  });
});

describe('events', () => {
  it('changes, syncs and connections emit events, a write without a change emits none', async () => {
    const mutation =
      'mutation { createWebhook(input: { url: "https://example.org/hook", topics: [ALL], name: "all" }) { webhook { id } } }';
    const made = await gateway.graphql(key, mutation);
    expect(made.body.errors, made.text).toBeUndefined();
    const organisationId = (await gateway.services.keys.find(key))!.organisationId;
    const storedEvents = async (): Promise<unknown[]> => {
      const rows = await gateway.services.database.orm.em
        .fork()
        .getConnection()
        .execute<StoredEvent[]>('select topic, operation, data_model, data from event where organisation_id = ? order by id', [
          organisationId,
        ]);
      return rows.map((row) => [
        row.topic,
        row.operation,
        row.data_model,
        row.data.platform_id ?? row.data.status ?? row.data.connection_status ?? null,
      ]);
    };
    const write = async (name: string) =>
      send('PUT', `${company.base}/purchase_orders`, { data: { platform_id: 'po', description: name, contact: { platform_id: 'v' } } });
    const before = (await storedEvents()).length;
    const { ledger_id } = (await write('one')).body.data.data;
    await write('one');
    await write('two');
    await send('DELETE', `${company.base}/purchase_orders/${ledger_id}`);
    const { ledger_id: request } = (await send('POST', '/v4/core/disconnect-requests', { data: { company_id: company.id } })).body.data;
    await send('POST', `/v4/core/disconnect-requests/${request}/approve`);
    const events = (await storedEvents()).slice(before);
    const sync = (inner: unknown[][]) => [['SYNC_STARTED', null, null, 'RUNNING'], ...inner, ['SYNC_COMPLETED', null, null, 'SUCCESS']];
    expect(events).toEqual([
      ...sync([
        ['DATA_MODEL_CHANGES', 'CREATE', 'CONTACT', 'v'],
        ['DATA_MODEL_CHANGES', 'CREATE', 'PURCHASE_ORDER', 'po'],
      ]),
      ...sync([]),
      ...sync([['DATA_MODEL_CHANGES', 'UPDATE', 'PURCHASE_ORDER', 'po']]),
      ...sync([['DATA_MODEL_CHANGES', 'DELETE', 'PURCHASE_ORDER', null]]),
      ['CONNECTION_CHANGED', null, null, 'DISCONNECTED'],
    ]);
  });
});

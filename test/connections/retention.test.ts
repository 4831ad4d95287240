// Retention: the rows that are removed once they are old enough, and the rows that stay however old they are.
import { beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { laterBy } from '../../src/database/expression.statements.ts';
import { executeIn } from '../../src/database/open.ts';
import { systemTransaction } from '../../src/database/transaction.ts';
import { newId } from '../../src/records/ids.ts';
import { schedules } from '../../src/tasks.ts';
import { type Gateway, type GatewayResponse, startGateway, useGateway } from '../support/gateway.ts';
import { endPauses, pausesOf } from '../support/pauses.ts';
import { buildCompany, type TestCompany } from '../support/records.ts';
import { buildCaller, buildCorporation, buildRegistration } from '../support/registrations.ts';
import { endOfSync } from '../support/syncs.ts';

const days = {
  syncDays: 90,
  jobDays: 90,
  eventDays: 90,
  deliveryDays: 90,
  idempotencyKeyDays: 90,
  rawDataDays: 0,
  inboxFileDays: 90,
  importJobDays: 90,
  auditDays: 90,
  requestDays: 90,
  deletedRecordDays: 90,
};
const gateway = useGateway({ retention: days });
let company: TestCompany;
beforeAll(async () => {
  company = await buildCompany(gateway);
});

const sql = <T = Record<string, unknown>>(text: string, values: unknown[] = [], where: Gateway = gateway): Promise<T[]> =>
  systemTransaction(where.services.database, (em) => executeIn<T>(em, text, values));
const send = async (method: string, path: string, data?: unknown): Promise<GatewayResponse> => {
  const response = await gateway.send(method, company.base + path, {
    headers: company.headers,
    ...(data === undefined ? {} : { body: { data } }),
  });
  expect(response.status, response.text).toBeLessThan(300);
  return response;
};
/** Sets a timestamp of a row back by days. */
const age = (table: string, column: string, key: string, value: unknown, by = 100): Promise<unknown> =>
  sql(`update "${table}" set ${column} = ${laterBy(column, "$2::int * interval '-1 day'")} where ${key} = $1`, [value, by]);
/** Runs a chore as the task of its schedule does; returns the number of batches. `records` is the start of its name. */
async function removeOld(records: string, where: Gateway = gateway): Promise<number> {
  const { batch } = schedules.flatMap(({ chores }) => chores).find(({ name }) => name.startsWith(`${records}-`))!;
  for (let batches = 1; ; batches++)
    if (!(await systemTransaction(where.services.database, (em) => batch(em, where.services)))) return batches;
}
const idsIn = async (table: string, ids: unknown[], key = 'id'): Promise<unknown[]> =>
  (
    await sql<{ id: unknown }>(`select ${key}::text as id from "${table}" where ${key}::text = any($1::text[]) order by 1`, [
      ids.map(String),
    ])
  ).map(({ id }) => id);

describe('syncs', () => {
  it('old ended ones are removed with their jobs; young ones, open ones and everything at 0 days stay', async () => {
    const made: string[] = (await Promise.all([1, 2, 3].map((n) => send('POST', '/accounts', { name: `A${n}` })))).map(
      (response) => response.body.data.sync_id,
    );
    const [old, young, open] = made as [string, string, string];
    await age('sync', 'end_time', 'id', old);
    await sql('update sync set end_time = null where id = $1', [open]);
    await age('sync', 'created_at', 'id', open);
    await sql(
      `insert into sync_chunk (sync_id, organisation_id, company_id, position, entries) select id, organisation_id, company_id, 0, '[]' from sync where id = any($1::text[])`,
      [[old, young]],
    );
    const forever = await startGateway({ retention: { ...days, syncDays: 0 } });
    try {
      await sql(
        `insert into sync (id, organisation_id, company_id, integration_type, data_models, config_mode, full_sync, strict, sync_type, job_type, status, job_counts, data_model_counts, end_time, created_at)
         select 'sync_1', c.organisation_id, c.ledger_id, 'X', '[]', 'READ', false, false, 'MANUAL', 'PUSH', 'FAILED', '{}', '{}', '2001-01-01', '2001-01-01' from company c where ledger_id = $1`,
        [(await buildCompany(forever)).id],
        forever,
      );
      await removeOld('sync', forever);
      expect(await sql('select 1 from sync', [], forever)).toHaveLength(1);
    } finally {
      await forever.stop();
    }
    await removeOld('sync');
    expect(await idsIn('sync', made)).toEqual([young, open].sort());
    expect(await idsIn('sync_job', made, 'sync_id')).toEqual([young, open].sort());
    expect(await idsIn('sync_chunk', [old, young], 'sync_id')).toEqual([young]);
  });

  it('a sync of 5,000 jobs is removed in batches of 2,000', async () => {
    const id = (await send('POST', '/accounts', { name: 'Many' })).body.data.sync_id;
    await sql(
      `insert into sync_job (id, organisation_id, company_id, sync_id, data_model, status, job_type, config_mode, records_synced, retry_count, created_at)
       select 'syncjob_' || n, organisation_id, company_id, id, 'ACCOUNT', 'FAILED', 'PUSH', 'CREATE', 0, 0, created_at from sync, generate_series(1, 4999) n where id = $1`,
      [id],
    );
    await age('sync', 'end_time', 'id', id);
    expect(await removeOld('sync')).toBe(3);
    expect([await idsIn('sync', [id]), await idsIn('sync_job', [id], 'sync_id')]).toEqual([[], []]);
  });

  it('the statement that finds them is not compiled, whatever the planner expects it to cost', async () => {
    const [plan] = await systemTransaction(gateway.services.database, async (em) => {
      await executeIn(em, 'set local jit_above_cost = 0');
      return executeIn<Record<string, unknown>>(em, 'explain (format json) select id from sync order by end_time');
    });
    expect(JSON.stringify(plan)).toContain('"Plan"');
    expect(JSON.stringify(plan)).not.toContain('JIT');
  });

  it('the last successful pull of a data model stays, so that the next one asks for the changes since', async () => {
    const other = await buildCompany(gateway, { key: company.key });
    const pulled: string[] = [];
    const files: string[] = [];
    for (const name of ['one', 'two', 'three']) {
      const uploaded = await gateway.graphql(
        other.key,
        'mutation ($id: ID!, $file: Upload!) { importRecords(input: { companyId: $id, dataModel: ACCOUNT, file: $file }) { file { id } } }',
        { id: other.id, file: JSON.stringify([{ platform_id: name, name }]) },
      );
      files.push(uploaded.body.data.importRecords.file.id);
      if (name === 'three') break;
      const asked = await gateway.send('POST', `${other.base}/syncs`, { headers: other.headers, body: { data: {} } });
      pulled.push((await endOfSync(gateway, other, asked.body.data.id)).id);
    }
    for (const id of pulled) {
      await age('sync', 'end_time', 'id', id);
      await sql(`update sync_job set start_time = ${laterBy('start_time', "interval '-100 days'")} where sync_id = $1`, [id]);
    }
    for (const id of files) await age('inbox_file', 'created_at', 'id', id);
    await removeOld('sync');
    expect(await idsIn('sync', pulled)).toEqual([pulled[1]]);
    expect(await idsIn('sync_job', pulled, 'sync_id')).toEqual([pulled[1]]);
    // Both earlier files were pulled; the last one was not, and is the newest.
    await removeOld('inbox');
    expect(await idsIn('inbox_file', files)).toEqual([files[2]]);
    const asked = await gateway.send('POST', `${other.base}/syncs`, { headers: other.headers, body: { data: {} } });
    expect(await endOfSync(gateway, other, asked.body.data.id)).toMatchObject({ status: 'SUCCESS' });
    const accounts = await gateway.send('GET', `${other.base}/accounts`, { headers: other.headers });
    expect(accounts.body.data.map((row: { platform_id: string }) => row.platform_id)).toEqual(['one', 'two', 'three']);
    await removeOld('inbox');
    expect(await idsIn('inbox_file', files)).toEqual([files[2]]);
  });

  it('a file that was not pulled stays, whatever arrived after it', async () => {
    const [row] = await sql<{ organisation: string }>('select organisation_id as organisation from company where ledger_id = $1', [
      company.id,
    ]);
    const files = [newId('import'), newId('import')];
    for (const [index, id] of files.entries())
      await sql(
        `insert into inbox_file (id, organisation_id, company_id, data_model, record_count, records, created_at) values ($1, $2, $3, 'ITEM', 0, '[]', now() - (200 - $4::int) * interval '1 day')`,
        [id, row!.organisation, company.id, index],
      );
    await removeOld('inbox');
    expect(await idsIn('inbox_file', files)).toEqual([...files].sort());
  });
});

it('old imports are removed with their rows and file', async () => {
  const caller = await buildCaller(gateway);
  const { corporation_id } = await buildRegistration(caller);

  const jobs: string[] = [];
  const files: string[] = [];
  await caller.post('/products', { corporation_id, sku: 'A', source_platform: 'SHOPIFY', source_platform_id: '1' });
  for (let index = 0; index < 2; index++) {
    const made = await gateway.graphql(
      caller.key,
      'mutation ($content: Upload!) { createFile(input: { content: $content, name: "a.csv", purpose: PRODUCT_IMPORT }) { file { id } } }',
      { content: 'sku,source_platform,source_platform_id\nB,SHOPIFY,1\n' },
    );
    files.push(made.body.data.createFile.file.id);
    jobs.push((await caller.post('/products/bulk_upload/csv', { corporation_id, file_id: files[index] })).body.data.job.id);
    while (!['FAILED'].includes((await caller.get(`/jobs/${jobs[index]}`)).body.data.status))
      await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await age('import_job', 'completed_at', 'id', jobs[0]);
  await removeOld('import');
  expect(await idsIn('import_job', jobs)).toEqual([jobs[1]]);
  expect(await idsIn('import_fault', jobs, 'job_id')).toEqual([jobs[1]]);
  expect(await idsIn('stored_file', files)).toEqual([files[1]]);
  expect(await idsIn('file_piece', files, 'file_id')).toEqual([files[1]]);
  expect((await caller.get(`/jobs/${jobs[0]}`)).status).toBeGreaterThanOrEqual(400);
});

describe('records that were marked deleted', () => {
  const make = async (list: string, data: object): Promise<number> => (await send('PUT', `/${list}`, data)).body.data.data.ledger_id;
  const remove = async (list: string, table: string, id: number, by = 100): Promise<void> => {
    await send('DELETE', `/${list}/${id}`);
    await age(table, 'ledger_deleted_at', 'ledger_id', id, by);
  };
  const children = (table: string, parent: number): Promise<unknown> =>
    sql(`update ${table} set ledger_deleted_at = ${laterBy('ledger_deleted_at', "interval '-100 days'")} where parent_id = $1`, [parent]);
  const left = (table: string, ...ids: number[]): Promise<unknown[]> => idsIn(table, ids, 'ledger_id');
  const removeDeleted = (): Promise<number> => removeOld('deleted-record');

  it('old ones are removed with their children; young ones and undeleted ones stay', async () => {
    const [old, young, living] = [
      await make('purchase_orders', { platform_id: 'old', line_items: [{ name: 'a' }, { name: 'b' }] }),
      await make('purchase_orders', { platform_id: 'young', line_items: [{ name: 'a' }] }),
      await make('purchase_orders', { platform_id: 'living', line_items: [{ name: 'a' }] }),
    ];
    await remove('purchase_orders', 'purchase_order', old);
    await remove('purchase_orders', 'purchase_order', young, 10);
    // The order is old enough and its lines are not, so it stays for now.
    await removeDeleted();
    expect(await left('purchase_order', old)).toEqual([String(old)]);
    await children('line_item', old);
    await removeDeleted();
    expect(await left('purchase_order', old, young, living)).toEqual([young, living].map(String).sort());
    expect(
      await sql('select parent_id::int as parent from line_item where parent_id = any($1::bigint[]) order by 1', [[old, young, living]]),
    ).toEqual([{ parent: young }, { parent: living }]);
  });

  it('records that another record names stay: by reference, in a list, as parent, below an account', async () => {
    const contact = await make('contacts', { platform_id: 'named' });
    const order = await make('purchase_orders', { platform_id: 'listed', contact_id: contact });
    const receipt = await make('goods_receipt_notes', { platform_id: 'lists', purchase_order_ids: [order] });
    const item = await make('items', { platform_id: 'parent' });
    const variant = await make('variants', { platform_id: 'child', parent_type: 'ITEM', parent_id: item });
    const above = await make('accounts', { platform_id: 'above' });
    const below = await make('accounts', { platform_id: 'below', parent_account_id: above });
    for (const [list, table, id] of [
      ['contacts', 'contact', contact],
      ['purchase_orders', 'purchase_order', order],
      ['accounts', 'account', above],
    ] as const)
      await remove(list, table, id);
    await sql(`update item set ledger_deleted_at = now() - interval '100 days' where ledger_id = $1`, [item]);
    await removeDeleted();
    expect(await left('contact', contact)).toHaveLength(1);
    expect(await left('purchase_order', order)).toHaveLength(1);
    expect(await left('item', item)).toHaveLength(1);
    expect(await left('account', above, below)).toHaveLength(2);
    await remove('goods_receipt_notes', 'goods_receipt_note', receipt);
    await remove('variants', 'variant', variant);
    await remove('accounts', 'account', below);
    await removeDeleted();
    expect([
      await left('contact', contact),
      await left('purchase_order', order),
      await left('goods_receipt_note', receipt),
      await left('item', item),
      await left('variant', variant),
      await left('account', above, below),
    ]).toEqual([[], [], [], [], [], []]);
  });

  it('many are removed one page at a time, in every organisation', async () => {
    const other = await buildCompany(gateway);
    for (const { id } of [company, other])
      await sql(
        `insert into tax_rate (company_id, ledger_id, organisation_id, ledger_created_at, ledger_updated_at, ledger_integration_type, platform_id, data_hash, ledger_deleted_at)
         select c.ledger_id, 800000000 + c.ledger_id * 1000 + n, c.organisation_id, now(), now(), 'X', 'rate ' || n, '', now() - interval '1 year' from company c, generate_series(1, 70) n where c.ledger_id = $1`,
        [id],
      );
    expect(await removeDeleted()).toBeGreaterThan(7);
    expect(await sql(`select 1 from tax_rate where platform_id like 'rate %'`)).toEqual([]);
  });

  it('a corporation is removed after its products and registrations', async () => {
    const caller = await buildCaller(gateway);
    const corporation = await buildCorporation(caller);
    const product = (await caller.post('/products', { corporation_id: corporation, sku: 'A' })).body.data.id;
    const { id: registration } = await buildRegistration(caller, { corporation_id: corporation });
    expect(registration).toEqual(expect.any(String));
    await gateway.send('DELETE', `/api/v1/corporations/${corporation}`, { headers: { authorization: `Bearer ${caller.key}` } });
    await age('corporation', 'archived_at', 'id', corporation);
    await age('product', 'deleted_at', 'id', product);
    await removeDeleted();
    expect([await idsIn('corporation', [corporation]), await idsIn('product', [product])]).toEqual([[corporation], []]);
    await age('registration', 'archived_at', 'corporation_id', corporation);
    await removeDeleted();
    expect(await idsIn('corporation', [corporation])).toEqual([]);
  });
});

it('by default records marked deleted are never removed', () => {
  expect(readConfig({}).retention).toEqual({
    ...{ syncDays: 90, jobDays: 90, eventDays: 30, deliveryDays: 30, idempotencyKeyDays: 1 },
    ...{ rawDataDays: 0, inboxFileDays: 90, importJobDays: 90, auditDays: 2_555, requestDays: 7, deletedRecordDays: 0 },
  });
});

it('each retention has its setting, and 0 days of idempotency keys are rejected', () => {
  const names = [
    ...['SYNC', 'JOB', 'EVENT', 'DELIVERY', 'IDEMPOTENCY_KEY'],
    ...['INBOX_FILE', 'RAW_DATA', 'IMPORT_JOB', 'AUDIT', 'REQUEST', 'DELETED_RECORD'],
  ];
  const { retention } = readConfig(Object.fromEntries(names.map((name, index) => [`${name}_RETENTION_DAYS`, String(index + 1)])));
  expect(Object.values(retention)).toEqual(names.map((_, index) => index + 1));
  expect(() => readConfig({ IDEMPOTENCY_KEY_RETENTION_DAYS: '0' })).toThrow(/IDEMPOTENCY_KEY_RETENTION_DAYS/);
});

it('a running gateway looks for what is too old every ten minutes, without a request', async () => {
  const own = await startGateway({ retention: { ...days, jobDays: 10 } });
  try {
    const made = await buildCompany(own);
    await own.send('POST', `${made.base}/accounts`, {
      headers: { ...made.headers, 'idempotency-key': 'k1' },
      body: { data: { name: 'A' } },
    });
    const [first] = await sql<{ id: string; job: string }>(
      'select s.id, j.id as job from sync s join sync_job j on j.company_id = s.company_id and j.sync_id = s.id',
      [],
      own,
    );
    const rows = async (): Promise<unknown> =>
      (await sql('select (select count(*) from sync_job)::int as jobs, (select count(*) from idempotency_key)::int as keys', [], own))[0];
    expect(await rows()).toEqual({ jobs: 1, keys: 1 });
    // The run of the start is over: what gets old now is for the next one.
    const waits = async (): Promise<boolean> => (await own.services.queue.depth()).retention?.deferred === 1;
    while (!(await waits())) await new Promise((resolve) => setTimeout(resolve, 100));
    await sql(
      `update sync_job set id = 'syncjob_00' || substr(id, 11), end_time = ${laterBy('end_time', "interval '-11 days'")} where id = $1`,
      [first!.job],
      own,
    );
    await sql(`update idempotency_key set expires_at = now() - interval '1 second'`, [], own);
    const [seconds] = await pausesOf(own.services, 'retention');
    // A busy process stores the time of the next run a moment after it has decided on it.
    expect(seconds).toBeLessThanOrEqual(600);
    await endPauses(own.services, 'retention');
    while (JSON.stringify(await rows()) !== '{"jobs":0,"keys":0}') await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await sql('select id from sync', [], own)).toEqual([{ id: first!.id }]);
  } finally {
    await own.stop();
  }
});

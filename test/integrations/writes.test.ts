// Guarantees of writes beyond storing: rejections that name the field, batches, versions, strictness, idempotency keys.
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { transaction } from '../../src/access/transaction.ts';
import { requestContext } from '../../src/http/authentication.ts';
import { Claim } from '../../src/http/idempotency.ts';
import { nestedRelations } from '../../src/integrations/ledger/references.ts';
import { Account } from '../../src/integrations/records/account.ts';
import { PurchaseOrder } from '../../src/integrations/records/purchase-document.ts';
import { parallelisable } from '../../src/integrations/writes/write.ts';
import { modelOf, type RecordClass } from '../../src/records/metadata.ts';
import { snakeCase } from '../../src/records/naming.ts';
import { ledgerRecords } from '../../src/registry.ts';
import { useGateway } from '../support/gateway.ts';
import { buildCompany, listName, type TestCompany } from '../support/records.ts';
import { endOfSync, jobsOf } from '../support/syncs.ts';

const gateway = useGateway();
let company: TestCompany;

beforeAll(async () => {
  company = await buildCompany(gateway);
});

const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  gateway.send(method, path, { headers: { ...company.headers, ...headers }, body });
const put = (records: string, data: unknown, query = '') => send('PUT', `${company.base}/${records}${query}`, { data });
const platformIds = async (records: string): Promise<string[]> =>
  (await send('GET', `${company.base}/${records}`)).body.data.map((row: { platform_id: string }) => row.platform_id);

it.each(ledgerRecords.map((target): [string, RecordClass] => [listName(target), target]))(
  '%s: a custom field without a value is one with null',
  async (list, target) => {
    const own = await buildCompany(gateway);
    const call = (method: string, query: string, data?: unknown) =>
      gateway.send(method, `${own.base}/${list}${query}`, { headers: own.headers, ...(data ? { body: { data } } : {}) });
    const nested = nestedRelations(target).filter(({ owned, whole }) => owned && !whole);
    const withField = (field: unknown) => ({
      platform_id: 'fields',
      ...(modelOf(target).props.get('code')?.required ? { code: 'ISK' } : {}),
      custom_fields: [field],
      ...Object.fromEntries(nested.map(({ name }) => [snakeCase(name), [{ custom_fields: [field] }]])),
    });
    const shown = nested.filter(({ rest }) => rest === 'expand').map(({ name }) => snakeCase(name));
    const read = async () =>
      (await call('GET', `?platform_id=fields&select=custom_fields${shown.length > 0 ? `&expand=${shown}` : ''}`)).body.data[0];
    const forms = [{ name: 'VAT' }, { name: 'VAT', value: null }, { name: 'VAT' }];
    const made = await call('PUT', '', withField(forms[0]));
    expect(made.status, made.text).toBe(200);
    const before = await read();
    expect(before.custom_fields).toEqual([{ name: 'VAT', value: null }]);
    for (const form of forms) {
      expect((await call('PUT', '', withField(form))).status).toBe(200);
      expect(await read()).toEqual(before);
    }
    expect((await call('PUT', '', before)).status).toBe(200);
    expect(await read()).toEqual(before);
  },
);

describe('rejections', () => {
  it.each([
    ['tax_rates', {}, 'MISSING_PARAMS', 'data'],
    ['tax_rates', { platform_id: 'x', rate: 'five' }, 'INVALID_PARAMS', 'data.rate'],
    ['tax_rates', { platform_id: 'x', rate: 0.1234567890123456 }, 'INVALID_PARAMS', 'data.rate'],
    ['accounts', { platform_id: 'x', currency_id: 'ABC' }, 'INVALID_PARAMS', 'data.currency_id'],
    ['currencies', { platform_id: 'x', code: 'EUR', exchange_rate: 0 }, 'INVALID_PARAMS', 'data.exchange_rate'],
    ['currencies', { platform_id: 'x' }, 'MISSING_PARAMS', 'data.code'],
    ['estimates', { platform_id: 'x', contact: [{ name: 'a' }, { name: 'b' }] }, 'INVALID_PARAMS', 'data.contact'],
    ['purchase_orders', { platform_id: 'x', line_items: [{ name: 'a' }, { foo: 1 }] }, 'INVALID_PARAMS', 'data.line_items[1].foo'],
    ['purchase_orders', { platform_id: 'x', line_items: [{ item_id: 99_999 }] }, 'INVALID_PARAMS', 'data.line_items[0].item_id'],
    ['goods_receipt_notes', { platform_id: 'x', purchase_order_ids: [99_999] }, 'INVALID_PARAMS', 'data.purchase_order_ids'],
    ['pipeline_stages', { platform_id: 'x', pipeline_id: 99_999 }, 'INVALID_PARAMS', 'data.pipeline_id'],
    ['line_items', { platform_id: 'x', parent_type: 'ITEM' }, 'INVALID_PARAMS', 'data.parent_type'],
  ])('PUT %s with %j is rejected with the field', async (records, data, code, field) => {
    const response = await put(records, data);
    expect([response.status, response.body.error.error_code, response.body.error.field], response.text).toEqual([400, code, field]);
    expect(await platformIds(records)).not.toContain('x');
  });

  it('ledger fields that clients send back are ignored', async () => {
    const first = (await put('contacts', { platform_id: 'echo', name: 'one' })).body.data.data;
    const echoed = await put('contacts', { ...first, name: 'two' });
    expect(echoed.body.data.data).toMatchObject({ ledger_id: first.ledger_id, name: 'two' });
  });

  it('an account cannot be put below itself, at any distance', async () => {
    const ids: number[] = [];
    for (const platform_id of ['top', 'middle', 'bottom'])
      ids.push((await put('accounts', { platform_id, parent_account_id: ids.at(-1) ?? null })).body.data.data.ledger_id);
    for (const [platform_id, parent] of [
      ['top', ids[2]],
      ['top', ids[0]],
    ] as const) {
      const response = await put('accounts', { platform_id, parent_account_id: parent });
      expect([response.status, response.body.error.field]).toEqual([400, 'data.parent_account_id']);
    }
  });

  it('POST of a known platform id is 409, PUT keeps absent fields and clears null ones', async () => {
    await put('contacts', { platform_id: 'same', name: 'A', email: 'a@example.org', addresses: [{ city: 'Rome' }, { city: 'Oslo' }] });
    const taken = await send('POST', `${company.base}/contacts`, { data: { platform_id: 'same' } });
    expect([taken.status, taken.body.error.error_code, taken.body.error.field]).toEqual([409, 'RECORD_ALREADY_EXISTS', 'data.platform_id']);
    const kept = await put('contacts', { platform_id: 'same', email: null });
    expect(kept.body.data.data).toMatchObject({ name: 'A', email: null, addresses: [{ city: 'Rome' }, { city: 'Oslo' }] });
    const replaced = await put('contacts', { platform_id: 'same', addresses: [{ city: 'Oslo' }] });
    expect(replaced.body.data.data.addresses).toMatchObject([{ city: 'Oslo' }]);
    expect(replaced.body.data.data.ledger_updated_at > kept.body.data.data.ledger_updated_at).toBe(true);
  });
});

describe('strict writes and integrity issues', () => {
  const cases: [string, string, Record<string, unknown>, string, string][] = [
    [
      'EXCLUSIVE_LINE',
      'line_items',
      { quantity: 3, unit_amount: 2, discount_amount: 1, sub_total: 6, tax_amount: 1, total_amount: 7 },
      'sub_total',
      'lineItem',
    ],
    [
      'INCLUSIVE_LINE',
      'line_items',
      { quantity: 3, unit_amount: 2, is_tax_inclusive: true, tax_amount: 1, sub_total: 6, total_amount: 7 },
      'total_amount',
      'lineItem',
    ],
    ['DOCUMENT_TOTALS', 'purchase_orders', { total_amount: 11, line_items: [{ total_amount: 10 }] }, 'total_amount', 'purchaseOrder'],
    ['REMAINING_CREDIT', 'bill_credit_notes', { total_amount: -5, remaining_credit: 1 }, 'remaining_credit', 'billCreditNote'],
    ['STAGE_CHANCE', 'pipeline_stages', { probability: 1.5 }, 'probability', 'pipelineStage'],
    ['STAGE_CHANCE', 'pipeline_stages', { is_won: true, is_closed: false }, 'is_closed', 'pipelineStage'],
    [
      'CASH_FLOW',
      'cash_flow_statements',
      {
        cash_at_beginning_of_period: 1,
        operating_activities: 2,
        investing_activities: 3,
        financing_activities: -4,
        cash_at_end_of_period: 5,
      },
      'cash_at_end_of_period',
      'cashFlowStatement',
    ],
    ['CASH_FLOW', 'cash_flow_statements', { period_start: '2026-02-01', period_end: '2026-01-01' }, 'period_end', 'cashFlowStatement'],
  ];

  it.each(cases)('%s of %s %j is flagged, and rejected when strict', async (rule, records, data, field, one) => {
    const body = { platform_id: `i-${randomUUID()}`, ...data };
    const refused = await put(records, body, '?strict=true');
    expect([refused.status, refused.body.error.error_code, refused.body.error.field], refused.text).toEqual([
      400,
      'INVALID_PARAMS',
      `data.${field}`,
    ]);
    expect(await platformIds(records)).not.toContain(body.platform_id);
    const stored = (await put(records, body)).body.data.data;
    expect(stored).not.toHaveProperty('integrity_issues');
    const read = await gateway.graphql(
      company.key,
      `{ company(id: ${company.id}) { ${one}(ledgerId: ${stored.ledger_id}) { integrityIssues { rule field message } } } }`,
    );
    const issues = read.body.data.company[one].integrityIssues as { rule: string; field: string }[];
    expect(issues.map((issue) => issue.rule)).toEqual([rule]);
    expect(issues[0]!.field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)).toBe(field);
  });

  it('lines and totals within the tolerance pass a strict write', async () => {
    const line = { quantity: 3, unit_amount: 3.333, sub_total: 10, tax_amount: 1.9, total_amount: 11.9 };
    const response = await put(
      'purchase_orders',
      { platform_id: 'fine', sub_total: 20, tax_amount: 3.8, total_discount: 1, total_amount: 22.8, line_items: [line, line] },
      '?strict=true',
    );
    expect(response.status, response.text).toBe(200);
  });

  it('a second base currency is flagged, and rejected when strict', async () => {
    await put('currencies', { platform_id: 'eur', code: 'EUR', is_base_currency: true });
    expect((await put('currencies', { platform_id: 'usd', code: 'USD', is_base_currency: true }, '?strict=true')).body.error.field).toBe(
      'data.is_base_currency',
    );
    await put('currencies', { platform_id: 'usd', code: 'USD', is_base_currency: true });
    const read = await gateway.graphql(
      company.key,
      `{ company(id: ${company.id}) { currencies { nodes { code integrityIssues { rule } } } } }`,
    );
    expect(read.body.data.company.currencies.nodes).toEqual([
      { code: 'EUR', integrityIssues: [{ rule: 'ONE_BASE_CURRENCY' }] },
      { code: 'USD', integrityIssues: [{ rule: 'ONE_BASE_CURRENCY' }] },
    ]);
  });
});

describe('versions', () => {
  it('If-Match accepts only the version that it names', async () => {
    const made = await put('contacts', { platform_id: 'v', name: 'one' });
    const tag = made.headers.get('etag')!;
    const path = `${company.base}/contacts/${made.body.data.data.ledger_id}`;
    expect((await send('GET', path)).headers.get('etag')).toBe(tag);
    const changed = await send('PUT', `${company.base}/contacts`, { data: { platform_id: 'v', name: 'two' } }, { 'if-match': tag });
    expect(changed.status).toBe(200);
    for (const [method, target, body] of [
      ['PUT', `${company.base}/contacts`, { data: { platform_id: 'v', name: 'three' } }],
      ['DELETE', path, undefined],
    ] as const) {
      const stale = await send(method, target, body, { 'if-match': tag });
      expect([stale.status, stale.body.error.error_code]).toEqual([412, 'STALE_RECORD']);
    }
    expect((await send('GET', path)).body.data.name).toBe('two');
    const absent = await send('PUT', `${company.base}/contacts`, { data: { platform_id: 'never' } }, { 'if-match': '*' });
    expect(absent.status).toBe(412);
    const query = `mutation ($id: ID!, $tag: String) { updateContact(input: { companyId: ${company.id}, id: $id, name: "x", ifMatch: $tag }) { contact { etag } } }`;
    const graphql = await gateway.graphql(company.key, query, { id: made.body.data.data.ledger_id, tag });
    expect(graphql.body.errors[0].extensions.code).toBe('STALE_RECORD');
    expect((await send('DELETE', path, undefined, { 'if-match': changed.headers.get('etag')! })).status).toBe(204);
  });

  it('a change of a line changes the version of its document', async () => {
    const write = (name: string) => put('purchase_orders', { platform_id: 'lines', line_items: [{ platform_id: '1', name }] });
    const [first, same, other] = [await write('a'), await write('a'), await write('b')].map((response) => response.headers.get('etag'));
    expect(same).toBe(first);
    expect(other).not.toBe(first);
  });
});

describe('batches', () => {
  it('valid records are stored, every other record is reported, and nothing of it is stored', async () => {
    const data = [
      { platform_id: 'b1', contact: { platform_id: 'shared', name: 'Shared' } },
      { platform_id: 'b2', contact: { platform_id: 'only-b2', name: 'Lost' }, line_items: [{ name: 'fine' }, { item_id: 99_999 }] },
      { platform_id: 'b3', contact: { platform_id: 'shared', email: 's@example.org' } },
    ];
    const accepted = await put('purchase_orders', data, '?run_async=true');
    expect(accepted.status).toBe(202);
    const sync = await endOfSync(gateway, company, accepted.body.data.sync_id);
    expect(sync).toMatchObject({ status: 'PARTIAL_SUCCESS', jobCounts: { total: 2, success: 1, failed: 1 } });
    const [main, child] = await jobsOf(gateway, company, sync.id);
    expect(main).toMatchObject({ status: 'SUCCESS', recordsSynced: 2, parentJobId: null });
    expect(child).toMatchObject({
      status: 'FAILED',
      parentJobId: main!.id,
      errorCode: 'INVALID_PARAMS',
      errorResponse: { index: 1, platform_id: 'b2', field: 'data[1].line_items[1].item_id' },
    });
    expect(await platformIds('purchase_orders')).toEqual(expect.arrayContaining(['b1', 'b3']));
    expect(await platformIds('purchase_orders')).not.toContain('b2');
    const contacts = (await send('GET', `${company.base}/contacts`)).body.data as { platform_id: string }[];
    expect(contacts.filter((row) => row.platform_id === 'only-b2')).toEqual([]);
    expect(contacts.filter((row) => row.platform_id === 'shared')).toMatchObject([{ name: 'Shared', email: 's@example.org' }]);
  });

  it('the chunks of a batch share the contacts and currencies they name', async () => {
    const own = await buildCompany(gateway, { key: company.key });
    const data = Array.from({ length: 600 }, (_, index) => ({
      platform_id: `shared-${index}`,
      contact: { platform_id: `contact-${index % 7}`, name: 'Shared' },
      currency: { code: 'SEK' },
      line_items: [{ name: 'one' }],
    }));
    const accepted = await send('PUT', `${own.base}/purchase_orders?run_async=true`, { data });
    expect(accepted.status, accepted.text).toBe(202);
    const sync = await endOfSync(gateway, own, accepted.body.data.sync_id);
    expect(sync).toMatchObject({ status: 'SUCCESS' });
    expect((await jobsOf(gateway, own, sync.id))[0]).toMatchObject({ recordsSynced: 600 });
    expect((await send('GET', `${own.base}/contacts`)).body.data.filter((row: { name: string }) => row.name === 'Shared')).toHaveLength(7);
    expect((await send('GET', `${own.base}/currencies`)).body.data.filter((row: { code: string }) => row.code === 'SEK')).toHaveLength(1);
  });

  it('a contact in records of several chunks is stored as in the last of them', async () => {
    const own = await buildCompany(gateway, { key: company.key });
    const data = Array.from({ length: 1_000 }, (_, index) => ({
      platform_id: `described-${index}`,
      contact: { platform_id: 'same', name: `Described by ${index}` },
    }));
    const accepted = await send('PUT', `${own.base}/purchase_orders?run_async=true`, { data });
    expect(await endOfSync(gateway, own, accepted.body.data.sync_id)).toMatchObject({ status: 'SUCCESS' });
    expect((await send('GET', `${own.base}/contacts`)).body.data.map((row: { name: string }) => row.name)).toEqual(['Described by 999']);
  });

  it.each([
    ['of their own alone', PurchaseOrder, { platformId: 'a', lineItems: [{ name: 'one' }] }, true],
    ['with a contact inside', PurchaseOrder, { platformId: 'a', contact: { name: 'c' } }, false],
    ['with a currency inside', PurchaseOrder, { platformId: 'a', currency: { code: 'EUR' } }, false],
    ['below another one', Account, { platformId: 'a', parentAccountId: 1 }, false],
    ['below none', Account, { platformId: 'a', parentAccountId: null }, true],
  ])('whether chunks with a record %s may be written at the same time', (_, target, input, expected) => {
    expect(parallelisable(target, [{ platformId: 'b' }, input])).toBe(expected);
  });

  it('a batch that is cancelled while it is written stores each record once when it is retried', async () => {
    const own = await buildCompany(gateway, { key: company.key });
    const batch = (name: string) =>
      Array.from({ length: 1_000 }, (_, index) => ({
        platform_id: `${name}-${index}`,
        document_number: name,
        line_items: [{ name: 'one' }, { name: 'two' }],
      }));
    // Each is cancelled at another point of its work.
    const syncs = await Promise.all(
      [0, 40, 80, 160].map(async (delay) => {
        const accepted = await send('PUT', `${own.base}/purchase_orders?run_async=true`, { data: batch(`cancelled-${delay}`) });
        await new Promise((resolve) => setTimeout(resolve, delay));
        const id = accepted.body.data.sync_id;
        const cancelled = await send('POST', `/v4/core/syncs/${id}/cancel`);
        if (cancelled.status === 409) return endOfSync(gateway, own, id);
        expect([cancelled.status, cancelled.body.data.status]).toEqual([200, 'CANCELLED']);
        const retried = await send('POST', `/v4/core/syncs/${id}/retry`);
        return endOfSync(gateway, own, retried.body.data.id);
      }),
    );
    expect(syncs.map((sync) => sync.status)).toEqual(syncs.map(() => 'SUCCESS'));
    const count = async (records: string) => (await send('GET', `${own.base}/${records}?return_count=true`)).body.pagination.total_count;
    expect([await count('purchase_orders'), await count('line_items')]).toEqual([4_000, 8_000]);
  });

  it('a batch without a storable record has failed', async () => {
    await put('tax_rates', { platform_id: 'taken' });
    const accepted = await send('POST', `${company.base}/tax_rates?run_async=true`, { data: [{ platform_id: 'taken', name: 'x' }] });
    const sync = await endOfSync(gateway, company, accepted.body.data.sync_id);
    expect(sync).toMatchObject({ status: 'FAILED', jobCounts: { total: 2, failed: 2 } });
    expect((await jobsOf(gateway, company, sync.id)).map((job) => job.errorCode)).toEqual([
      'RECORD_ALREADY_EXISTS',
      'RECORD_ALREADY_EXISTS',
    ]);
  });

  it('malformed records, duplicates and oversized batches are rejected before any work', async () => {
    const refused = async (data: unknown): Promise<unknown[]> => {
      const { status, body } = await put('items', data, '?run_async=true');
      return [status, body.error.error_code, body.error.field];
    };
    expect(await refused([{ platform_id: 'q1' }, { platform_id: 'q2', variants: [{ foo: 1 }] }])).toEqual([
      400,
      'INVALID_PARAMS',
      'data[1].variants[0].foo',
    ]);
    expect(await refused([{ platform_id: 'q1' }, { platform_id: 'q1' }])).toEqual([400, 'INVALID_PARAMS', 'data[1].platform_id']);
    expect(await refused([])).toEqual([400, 'MISSING_PARAMS', 'data']);
    expect(await refused(Array.from({ length: 1_001 }, (_, index) => ({ platform_id: `q${index}` })))).toEqual([
      400,
      'BATCH_LIMIT_EXCEEDED',
      'data',
    ]);
    expect((await platformIds('items')).filter((id) => id.startsWith('q'))).toEqual([]);
  });

  it('a retry is a new sync with the rejected records', async () => {
    const own = await buildCompany(gateway, { key: company.key });
    const accepted = await send('PUT', `${own.base}/currencies?run_async=true&strict=true`, {
      data: [
        { platform_id: 'a', code: 'EUR', is_base_currency: true },
        { platform_id: 'b', code: 'USD', is_base_currency: true },
      ],
    });
    const first = await endOfSync(gateway, own, accepted.body.data.sync_id);
    expect(first).toMatchObject({ status: 'FAILED', jobCounts: { failed: 3 } });
    const retried = await send('POST', `/v4/core/syncs/${first.id}/retry`);
    expect([retried.status, retried.body.data.status]).toEqual([201, 'PENDING']);
    expect(retried.body.data.id).not.toBe(first.id);
    await endOfSync(gateway, own, retried.body.data.id);
    const again = await send('POST', `/v4/core/syncs/${first.id}/retry`);
    expect([again.status, again.body.error.error_code]).toEqual([409, 'INVALID_STATE_TRANSITION']);
    const cancelled = await send('POST', `/v4/core/syncs/${first.id}/cancel`);
    expect([cancelled.status, cancelled.body.error.message]).toEqual([409, 'the sync is FAILED and cannot become CANCELLED']);
  });

  it('GraphQL accepts a batch with runAsync and stores a list at once without it', async () => {
    const query = `mutation ($data: [ItemInput!]!, $later: Boolean!) { createItems(input: { companyId: ${company.id}, records: $data, runAsync: $later }) { syncId items { platformId } } }`;
    const now = await gateway.graphql(company.key, query, { data: [{ platformId: 'g1' }, { platformId: 'g2' }], later: false });
    expect(now.body.data.createItems.items).toEqual([{ platformId: 'g1' }, { platformId: 'g2' }]);
    const later = await gateway.graphql(company.key, query, { data: [{ platformId: 'g3' }], later: true });
    expect(later.body.data.createItems.items).toBeNull();
    expect(await endOfSync(gateway, company, later.body.data.createItems.syncId)).toMatchObject({ status: 'SUCCESS' });
  });
});

describe('idempotency keys', () => {
  it('the same request gets the first response, another body is rejected', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const write = (name: string) => send('POST', `${company.base}/accounts`, { data: { name } }, key);
    const first = await write('Once');
    const again = await write('Once');
    expect([again.status, again.text, again.headers.get('etag'), again.headers.get('x-request-id')]).toEqual([
      201,
      first.text,
      first.headers.get('etag'),
      first.headers.get('x-request-id'),
    ]);
    expect([first.headers.get('idempotency-replayed'), again.headers.get('idempotency-replayed')]).toEqual([null, 'true']);
    const other = await write('Twice');
    expect([other.status, other.body.error.error_code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    const found = await send('GET', `${company.base}/accounts?name[in]=Once,Twice&return_count=true`);
    expect(found.body.pagination.total_count).toBe(1);
    gateway.clock.advance(24 * 3_600_000 + 1_000);
    expect((await write('Once')).body.data.data.ledger_id).not.toBe(first.body.data.data.ledger_id);
  });

  it('of concurrent requests one is executed', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => send('POST', `${company.base}/accounts`, { data: { name: 'Race' } }, key)),
    );
    for (const response of responses)
      if (response.status !== 201)
        expect([response.status, response.body.error.error_code, response.body.error.retry_after_seconds]).toEqual([
          409,
          'IDEMPOTENCY_IN_PROGRESS',
          1,
        ]);
    const found = await send('GET', `${company.base}/accounts?name[eq]=Race&return_count=true`);
    expect(found.body.pagination.total_count).toBe(1);
  });

  it('a mutation takes the header too, and a key is bound to its path', async () => {
    const headers = { authorization: `Bearer ${company.key}`, 'idempotency-key': randomUUID() };
    const mutate = (name: string) =>
      gateway.send('POST', '/graphql', {
        headers,
        body: {
          query: `mutation ($name: String!) { createCompany(input: { name: $name }) { company { ledgerId } } }`,
          variables: { name },
        },
      });
    const [first, again, other] = [await mutate('One'), await mutate('One'), await mutate('Two')];
    expect(first.body.data.createCompany.company.ledgerId).toBeGreaterThan(0);
    expect(again.body).toEqual(first.body);
    expect(other.body.errors[0].extensions.code).toBe('IDEMPOTENCY_KEY_REUSED');
    const elsewhere = await send(
      'POST',
      `${company.base}/accounts`,
      { data: { name: 'Elsewhere' } },
      { 'idempotency-key': headers['idempotency-key'] },
    );
    expect(elsewhere.status).toBe(201);
  });

  describe('after a crash', () => {
    /** A request that claimed its key and then died, before or after it wrote. */
    async function died(name: string, wrote: boolean): Promise<void> {
      const principal = (await gateway.services.keys.find(company.key))!;
      const context = requestContext(gateway.services, randomUUID(), principal, null);
      await Claim.take(context, {
        name,
        method: 'POST',
        path: `${company.base}/accounts`,
        content: [[], { data: { name } }, null],
      });
      if (wrote) await transaction(context, async () => {});
    }
    const repeat = (name: string) => send('POST', `${company.base}/accounts`, { data: { name } }, { 'idempotency-key': name });

    it('a retry waits for the lease, and executes the request when nothing was written', async () => {
      const name = randomUUID();
      await died(name, false);
      expect((await repeat(name)).body.error.error_code).toBe('IDEMPOTENCY_IN_PROGRESS');
      gateway.clock.advance(61_000);
      expect((await repeat(name)).status).toBe(201);
    });

    it('a retry is not executed when the write was committed', async () => {
      const name = randomUUID();
      await died(name, true);
      gateway.clock.advance(61_000);
      const response = await repeat(name);
      expect([response.status, response.body.error.error_code, response.body.error.field]).toEqual([
        409,
        'RECORD_ALREADY_EXISTS',
        'Idempotency-Key',
      ]);
    });
  });

  it.each(['', 'x'.repeat(129)])('a key of wrong length is rejected', async (key) => {
    const response = await send('POST', `${company.base}/accounts`, { data: { name: 'x' } }, { 'idempotency-key': key });
    expect([response.status, response.body.error.field]).toEqual([400, 'Idempotency-Key']);
  });
});

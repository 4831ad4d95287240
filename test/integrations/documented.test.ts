// The thirteen documented operations: method, path, envelope and record exactly as documented.
import { beforeAll, describe, expect, it } from 'vitest';
import { useGateway } from '../support/gateway.ts';
import { buildCompany, type TestCompany } from '../support/records.ts';

const gateway = useGateway();
let company: TestCompany;

beforeAll(async () => {
  company = await buildCompany(gateway);
});

const send = (method: string, path: string, body?: unknown) => gateway.send(method, path, { headers: company.headers, body });
const common = ['ledger_id', 'ledger_created_at', 'ledger_updated_at', 'ledger_integration_type', 'platform_id'];
const line = { name: 'Paper', quantity: 2, unit_amount: 5, discount_amount: 0, sub_total: 10, tax_amount: 2, total_amount: 12 };

/** Writes one record by upsert and returns it. */
async function put(records: string, data: Record<string, unknown>) {
  const response = await send('PUT', `${company.base}/${records}`, { data });
  expect(response.status, response.text).toBe(200);
  expect(Object.keys(response.body)).toEqual(['data', 'request_id']);
  expect(Object.keys(response.body.data)).toEqual(['sync_id', 'data']);
  return response.body.data.data;
}

const fields: Record<string, string> = {
  tax_rates: 'name code rate tax_type effective_tax_rate total_tax_rate components jurisdiction status created_at updated_at',
  accounts: 'nominal_code name description currency_id current_balance status category sub_category parent_account_id updated_at',
  estimates: 'contact_id document_number posted_date status currency_id currency_rate is_tax_inclusive memo created_at updated_at',
  purchase_orders:
    'bill_ids description document_number posted_date delivery_date currency_id currency_rate sub_total tax_amount is_tax_inclusive total_discount total_amount payment_mode status contact_id updated_at',
  goods_receipt_notes:
    'purchase_order_ids description document_number posted_date delivery_date currency_id currency_rate sub_total tax_amount is_tax_inclusive total_discount total_amount payment_mode status contact_id updated_at',
  bill_credit_notes:
    'bill_ids contact_id document_number total_amount is_tax_inclusive remaining_credit posted_date currency_id memo status updated_at',
  invoice_credit_notes:
    'invoice_ids contact_id document_number total_amount is_tax_inclusive total_discount remaining_credit shipping_amount posted_date issued_at currency_id memo status updated_at',
  pipelines: 'name status created_at updated_at stages',
  cash_flow_statements:
    'operating_activities investing_activities financing_activities cash_at_beginning_of_period cash_at_end_of_period period_start period_end updated_at',
};
const expectFields = (records: string, record: object, more: string[] = []): void =>
  expect(Object.keys(record).sort()).toEqual([...common, ...fields[records]!.split(' '), ...more].sort());

describe('writes', () => {
  it('PUT tax_rates stores one tax rate', async () => {
    const record = await put('tax_rates', { platform_id: 't1', name: 'VAT', rate: 19.5, status: 'active' });
    expect(record).toMatchObject({ platform_id: 't1', name: 'VAT', rate: 19.5, status: 'ACTIVE' });
    expectFields('tax_rates', record);
  });

  it('POST accounts creates one account', async () => {
    const response = await send('POST', `${company.base}/accounts`, { data: { name: 'Bank', category: 'revenue' } });
    expect(response.status).toBe(201);
    expect(response.body.data.sync_id).toMatch(/^sync_/);
    expect(response.body.request_id).toBe(response.headers.get('x-request-id'));
    expect(response.body.data.data).toMatchObject({ name: 'Bank', category: 'INCOME' });
    expectFields('accounts', response.body.data.data);
  });

  it('PUT estimates stores a contact given as an array and the lines, and shows both', async () => {
    const record = await put('estimates', { platform_id: 'e1', contact: [{ platform_id: 'c1', name: 'Ada' }], line_items: [line, line] });
    expect(record.contact).toMatchObject([{ platform_id: 'c1', name: 'Ada', ledger_id: record.contact_id }]);
    expect(record.line_items).toMatchObject([line, line]);
    expectFields('estimates', record, ['contact', 'line_items']);
  });

  it('PUT purchase_orders stores lines, contact and currency, and shows them', async () => {
    const record = await put('purchase_orders', {
      platform_id: 'po1',
      contact: { platform_id: 'v1', name: 'Vendor' },
      currency: { code: 'eur' },
      line_items: [line],
    });
    expect(record).toMatchObject({
      currency_id: 'EUR',
      contact: { platform_id: 'v1' },
      currency: { code: 'EUR' },
      line_items: [{ ...line, parent_type: 'PURCHASE_ORDER', parent_id: record.ledger_id }],
    });
    expectFields('purchase_orders', record, ['contact', 'currency', 'line_items']);
  });

  it('an array is stored asynchronously and the response has no records', async () => {
    const refused = await send('PUT', `${company.base}/tax_rates`, { data: [{ platform_id: 't2' }] });
    expect([refused.status, refused.body.error.error_code, refused.body.error.field]).toEqual([400, 'ASYNC_REQUIRED', 'run_async']);
    const accepted = await send('PUT', `${company.base}/tax_rates?run_async=true`, { data: [{ platform_id: 't2' }] });
    expect([accepted.status, Object.keys(accepted.body.data)]).toEqual([202, ['sync_id']]);
  });
});

describe('single reads', () => {
  it.each(['goods_receipt_notes', 'invoice_credit_notes'])('GET %s/{id} reads one, with lines when expanded', async (records) => {
    const { ledger_id } = await put(records, { platform_id: 'd1', total_amount: 12, line_items: [line] });
    const plain = await send('GET', `${company.base}/${records}/${ledger_id}`);
    expect(Object.keys(plain.body)).toEqual(['data', 'request_id']);
    expectFields(records, plain.body.data);
    const full = await send('GET', `${company.base}/${records}/${ledger_id}?expand=line_items,contact,currency`);
    expect(full.body.data).toMatchObject({ line_items: [line], contact: null, currency: null });
  });

  it('GET accounts/{id} reads one account', async () => {
    const { ledger_id } = await put('accounts', { platform_id: 'a9', name: 'Cash', current_balance: 0.1 });
    const response = await send('GET', `${company.base}/accounts/${ledger_id}`);
    expect(response.body.data).toMatchObject({ ledger_id, name: 'Cash', current_balance: 0.1 });
    expectFields('accounts', response.body.data);
  });

  it('GET pipelines/{id} reads one pipeline with its stages', async () => {
    const { ledger_id } = await put('pipelines', {
      platform_id: 'p1',
      name: 'Sales',
      stages: [{ name: 'Lead', display_order: 1, probability: 0.25, is_won: false, is_closed: false }],
    });
    for (const query of ['', '?expand=stages']) {
      const response = await send('GET', `${company.base}/pipelines/${ledger_id}${query}`);
      expectFields('pipelines', response.body.data);
      expect(Object.keys(response.body.data.stages[0]).sort()).toEqual(
        [...common, 'pipeline_id', 'name', 'display_order', 'probability', 'is_won', 'is_closed', 'created_at', 'updated_at'].sort(),
      );
      expect(response.body.data.stages).toMatchObject([{ pipeline_id: ledger_id, name: 'Lead', probability: 0.25 }]);
    }
  });

  it('GET cash_flow_statements/{id} reads one statement', async () => {
    const { ledger_id } = await put('cash_flow_statements', {
      platform_id: 'cf',
      operating_activities: { sales: 1 },
      period_start: '2026-01-01',
    });
    const response = await send('GET', `${company.base}/cash_flow_statements/${ledger_id}`);
    expect(response.body.data).toMatchObject({ operating_activities: { sales: 1 }, period_start: '2026-01-01T00:00:00.000Z' });
    expectFields('cash_flow_statements', response.body.data);
  });

  it('a companyId that is not a positive integer is rejected by name', async () => {
    for (const id of ['abc', '0', '-1', '1.5']) {
      const response = await send('GET', `/v4/core/companies/${id}/accounts/1`);
      expect(response.status).toBe(400);
      expect(response.body.error).toMatchObject({
        status_code: 400,
        error_code: 'INVALID_PARAMS',
        field: 'companyId',
        message: 'companyId must be a positive integer',
        retry_after_seconds: null,
        retry_at: null,
        platform_error: null,
      });
    }
  });
});

describe('lists', () => {
  it('GET bill_credit_notes has data, pagination and request_id', async () => {
    await put('bill_credit_notes', { platform_id: 'b1', status: 'DRAFT', contact: { platform_id: 'v1' } });
    const response = await send(
      'GET',
      `${company.base}/bill_credit_notes?return_count=true&limit=1&status[eq]=draft&expand=contact,currency,line_items,addresses`,
    );
    expect(Object.keys(response.body)).toEqual(['data', 'pagination', 'request_id']);
    expect(response.body.pagination).toEqual({ total_count: 1, next: null, prev: null });
    expectFields('bill_credit_notes', response.body.data[0], ['contact', 'currency', 'line_items', 'addresses']);
  });

  it('GET syncs has data.syncs, data.count, data.next and request_id, and a jobType filter', async () => {
    await put('tax_rates', { platform_id: 't3' });
    const response = await send('GET', `${company.base}/syncs?limit=1&jobType=PUSH`);
    expect(Object.keys(response.body)).toEqual(['data', 'request_id']);
    expect(Object.keys(response.body.data)).toEqual(['syncs', 'count', 'next']);
    const names =
      'id companyId integrationType dataModels configMode fullSync syncType status jobCounts dataModelCounts startTime endTime createdAt';
    expect(Object.keys(response.body.data.syncs[0]).sort()).toEqual(names.split(' ').sort());
    expect(response.body.data.syncs[0]).toMatchObject({
      companyId: company.id,
      dataModels: ['TAX_RATE'],
      configMode: 'UPDATE',
      status: 'SUCCESS',
      syncType: 'MANUAL',
      fullSync: false,
      jobCounts: { total: 1, success: 1, failed: 0, running: 0, pending: 0 },
    });
    const pulls = await send('GET', `${company.base}/syncs?jobType=PULL`);
    expect(pulls.body.data).toEqual({ syncs: [], count: 0, next: null });
    for (const [name, value] of [
      ['limit', '0'],
      ['limit', '101'],
      ['jobType', 'PUSHED'],
    ]) {
      const refused = await send('GET', `${company.base}/syncs?${name}=${value}`);
      expect([refused.status, refused.body.error.field], refused.text).toEqual([400, name]);
    }
  });

  it('GET jobs of a sync has jobs, count and next at the top', async () => {
    const written = await send('PUT', `${company.base}/tax_rates`, { data: { platform_id: 't4' } });
    const response = await send('GET', `/v4/core/syncs/${written.body.data.sync_id}/jobs`);
    expect(Object.keys(response.body)).toEqual(['jobs', 'count', 'next']);
    const names =
      'id dataModel status jobType configMode recordsSynced retryCount parentJobId errorCode errorMessage startTime endTime createdAt errorResponse';
    expect(Object.keys(response.body.jobs[0]).sort()).toEqual(names.split(' ').sort());
    expect(response.body.jobs).toMatchObject([
      { dataModel: 'TAX_RATE', status: 'SUCCESS', jobType: 'PUSH', recordsSynced: 1, retryCount: 0, parentJobId: null, errorCode: null },
    ]);
  });

  it('GET disconnect-requests has them at the top', async () => {
    await send('POST', '/v4/core/disconnect-requests', { data: { company_id: company.id } });
    const response = await send('GET', '/v4/core/disconnect-requests');
    expect(Object.keys(response.body)).toEqual(['disconnect_requests', 'count', 'next']);
    const names =
      'ledger_id ledger_company_id company_name integration_type status requester_ip resolved_by_user_id resolved_at ledger_created_at resolved_by';
    expect(Object.keys(response.body.disconnect_requests[0]).sort()).toEqual(names.split(' ').sort());
    expect(response.body.disconnect_requests[0]).toMatchObject({
      ledger_company_id: company.id,
      company_name: 'Test company',
      integration_type: 'SANDBOX',
      status: 'PENDING',
      resolved_by: null,
    });
  });
});

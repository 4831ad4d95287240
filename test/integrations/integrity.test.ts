// The integrity rules: tolerances in minor units of the currency, and the rules of a record on every path that writes one of its children.
import { beforeAll, describe, expect, it } from 'vitest';
import { rulesOf } from '../../src/integrations/writes/integrity-rules.ts';
import { modelOf, type RecordClass } from '../../src/records/metadata.ts';
import { ledgerRecords } from '../../src/registry.ts';
import { type GatewayResponse, useGateway } from '../support/gateway.ts';
import { buildCompany, listName, type TestCompany } from '../support/records.ts';
import { endOfSync, jobsOf } from '../support/syncs.ts';

const gateway = useGateway();
let company: TestCompany;

beforeAll(async () => {
  company = await buildCompany(gateway);
});

const send = (method: string, path: string, data?: unknown): Promise<GatewayResponse> =>
  gateway.send(method, `${company.base}/${path}`, { headers: company.headers, ...(data === undefined ? {} : { body: { data } }) });

/** The record types with totals of lines. */
const documents = ledgerRecords.filter((target) =>
  rulesOf(modelOf(target)).some(({ name, related }) => name === 'DOCUMENT_TOTALS' && related),
);

/** Currencies by the amount of their minor unit. */
const units = { EUR: 0.01, JPY: 1, KWD: 0.001, CLF: 0.0001 };
const tidy = (amount: number): number => Number(amount.toFixed(6));

describe.each(documents.map((target): [string, RecordClass] => [listName(target), target]))('%s', (list, target) => {
  const { name, table } = modelOf(target);
  const issues = async (ledgerId: number): Promise<string[]> => {
    const one = name[0]!.toLowerCase() + name.slice(1);
    const response = await gateway.graphql(
      company.key,
      `{ company(id: "company_${company.id}") { ${one}(ledgerId: ${ledgerId}) { integrityIssues { rule } lineItems { integrityIssues { rule } } } } }`,
    );
    const record = response.body.data.company[one];
    return [record, ...record.lineItems].flatMap(({ integrityIssues }) => integrityIssues.map(({ rule }: { rule: string }) => rule));
  };

  it.each(Object.entries(units))('in %s ten minor units are rounding, and eleven are a difference', async (currency_id, unit) => {
    const document = (platform: string, units: number, ofLine: number) => ({
      platform_id: `${platform} ${currency_id}`,
      currency_id,
      total_amount: tidy(1000 + units * unit),
      line_items: [{ quantity: 2, unit_amount: tidy(500 + (ofLine * unit) / 2), sub_total: 1000, total_amount: 1000 }],
    });
    for (const [kind, data, rules] of [
      ['rounded', document('rounded', 10, 10), []],
      ['total', document('total', 11, 0), ['DOCUMENT_TOTALS']],
      ['line', document('line', 0, 11), ['EXCLUSIVE_LINE']],
    ] as const) {
      const stored = await send('PUT', list, data);
      expect(stored.status, stored.text).toBe(200);
      expect(await issues(stored.body.data.data.ledger_id), kind).toEqual(rules);
      const strict = await send('PUT', `${list}?strict=true`, { ...data, platform_id: `${data.platform_id} strict` });
      expect([strict.status, /rule (\w+)/.exec(strict.body.error?.message ?? '')?.[1]], kind).toEqual(
        rules.length === 0 ? [200, undefined] : [400, rules[0]],
      );
      const line = stored.body.data.data.line_items[0];
      const alone = await send('PUT', `line_items/${line.ledger_id}?strict=true`, { name: kind });
      expect(alone.status, alone.text).toBe(rules.length === 0 ? 200 : 400);
    }
  });

  it('a difference of exactly what is allowed is rounding, whatever binary sums make of it', async () => {
    // As doubles they add up to 0.00000004 less.
    const cents = [
      986970547, 1622857663, 1624164995, 1711665697, 817868797, 1531643023, 575409091, 1289462129, 422609053, 1806999839, 879774377,
      918145936,
    ];
    const total = cents.reduce((sum, amount) => sum + amount, 0);
    for (const off of [-12, -11, 11, 12]) {
      const line_items = cents.map((amount) => ({ total_amount: amount / 100 }));
      const stored = await send('PUT', `${list}?strict=true`, { platform_id: `off ${off}`, total_amount: (total + off) / 100, line_items });
      expect(stored.status, stored.text).toBe(200);
    }
  });

  if (modelOf(target).props.has('isTaxInclusive'))
    it('lines include tax where their document says so and they do not', async () => {
      const line = { quantity: 1, unit_amount: 120, tax_amount: 20, sub_total: 100, total_amount: 120 };
      const write = (is_tax_inclusive: boolean) =>
        send('PUT', `${list}?strict=true`, {
          platform_id: `inclusive ${is_tax_inclusive}`,
          is_tax_inclusive,
          total_amount: 120,
          line_items: [line],
        });
      const exclusive = await write(false);
      expect([exclusive.status, exclusive.body.error?.message]).toEqual([400, expect.stringContaining('(rule EXCLUSIVE_LINE)')]);
      const inclusive = await write(true);
      expect(inclusive.status, inclusive.text).toBe(200);
      const { ledger_id, line_items } = inclusive.body.data.data;
      expect(await issues(ledger_id)).toEqual([]);
      const change = (data: object) => send('PUT', `line_items/${line_items[0].ledger_id}?strict=true`, data);
      expect((await change({ name: 'x' })).status).toBe(200);
      expect((await change({ is_tax_inclusive: false })).status).toBe(400);
    });

  it('a line that is written alone does not break the total with strict, by whatever path', async () => {
    const made = await send('PUT', list, { platform_id: 'paths', total_amount: 10, line_items: [{ total_amount: 10 }] });
    const { ledger_id: parent_id, line_items } = made.body.data.data;
    const id = line_items[0].ledger_id;
    const parent = { parent_type: table.toUpperCase(), parent_id };
    for (const [method, path, data] of [
      ['POST', 'line_items', { ...parent, total_amount: 5 }],
      ['PUT', 'line_items', { ...parent, platform_id: 'x', total_amount: 5 }],
      ['PUT', `line_items/${id}`, { total_amount: 5 }],
    ] as const) {
      const refused = await send(method, `${path}?strict=true`, data);
      expect([refused.status, refused.body.error?.field], refused.text).toEqual([400, 'data.parent_id']);
      expect(refused.body.error.message).toContain('(rule DOCUMENT_TOTALS)');
    }
    const batch = await send('PUT', 'line_items?run_async=true&strict=true', [{ ...parent, platform_id: 'x', total_amount: 5 }]);
    await endOfSync(gateway, company, batch.body.data.sync_id);
    const jobs = await jobsOf(gateway, company, batch.body.data.sync_id);
    expect(jobs.flatMap(({ errorCode }) => errorCode ?? [])).toContain('INVALID_PARAMS');
    const mutation = await gateway.graphql(
      company.key,
      'mutation ($input: UpdateLineItemsInput!) { updateLineItems(input: $input) { results { errors { code message } } } }',
      { input: { companyId: company.id, strict: true, records: [{ id, totalAmount: 5 }] } },
    );
    expect(mutation.body.data.updateLineItems.results[0].errors[0], mutation.text).toMatchObject({ code: 'INVALID_PARAMS' });
    expect(await issues(parent_id)).toEqual([]);
    const unchanged = await send('GET', `line_items?parent_id[eq]=${parent_id}`);
    expect(unchanged.body.data.map(({ total_amount }: { total_amount: number }) => total_amount)).toEqual([10]);
  });
});

it('a line is not moved away from a document that it completes with strict, by whatever path', async () => {
  const totals = { total_amount: 30, line_items: [{ total_amount: 10 }, { total_amount: 20 }] };
  const made = (await send('PUT', 'invoices?strict=true', { platform_id: 'completed', ...totals })).body.data.data;
  const other = (await send('PUT', 'invoices', { platform_id: 'any' })).body.data.data.ledger_id;
  const id = made.line_items[0].ledger_id;
  const refused = await send('PUT', `line_items/${id}?strict=true`, { parent_id: other });
  expect([refused.status, refused.body.error?.field], refused.text).toEqual([400, 'data.parent_id']);
  expect(refused.body.error.message).toContain('(rule DOCUMENT_TOTALS)');
  const mutation = await gateway.graphql(
    company.key,
    'mutation ($input: UpdateLineItemsInput!) { updateLineItems(input: $input) { results { errors { code path } } } }',
    { input: { companyId: company.id, strict: true, records: [{ id, parentId: other }] } },
  );
  expect(mutation.body.data.updateLineItems.results[0].errors, mutation.text).toEqual([
    { code: 'INVALID_PARAMS', path: ['records', '0', 'parentId'] },
  ]);
  expect((await send('GET', `line_items?parent_id[eq]=${other}`)).body.data).toEqual([]);
  expect((await send('PUT', `line_items/${id}`, { parent_id: other })).status).toBe(200);
});

it('allocations do not exceed their payment with strict, and the totals of lines of a yen document are those that the law cuts once', async () => {
  const payment = (await send('PUT', 'payments', { platform_id: 'p', total_amount: 10 })).body.data.data;
  const allocate = (amount: number) => send('POST', 'payment_allocations?strict=true', { payment_id: payment.ledger_id, amount });
  expect((await allocate(6)).status).toBe(201);
  const refused = await allocate(6);
  expect([refused.status, refused.body.error.field]).toEqual([400, 'data.payment_id']);
  expect((await allocate(4)).status).toBe(201);
  const lines = Array.from({ length: 5 }, () => ({ sub_total: 105, tax_amount: 10, total_amount: 115 }));
  const yen = { platform_id: 'yen', currency_id: 'JPY', sub_total: 525, tax_amount: 52, total_amount: 577, line_items: lines };
  const stored = await send('PUT', 'invoices?strict=true', yen);
  expect(stored.status, stored.text).toBe(200);
});

it('REST shows the flags of what was stored on request, with the names of REST, and another ETag when they change', async () => {
  const invoice = { platform_id: 'flagged', currency_id: 'EUR', total_amount: 100, line_items: [{ total_amount: 50 }] };
  const stored = (await send('PUT', 'invoices', invoice)).body.data.data;
  const read = () => send('GET', `invoices/${stored.ledger_id}?select=integrity_issues`);
  expect((await send('GET', `invoices/${stored.ledger_id}`)).body.data).not.toHaveProperty('integrity_issues');
  const flagged = await read();
  expect(flagged.body.data.integrity_issues, flagged.text).toEqual([
    {
      rule: 'DOCUMENT_TOTALS',
      field: 'total_amount',
      message: 'total_amount is 100, but the sum of the lines with shipping, less the discount is 50',
    },
  ]);
  const listed = await send('GET', 'invoices?platform_id=flagged&select=integrity_issues&expand=line_items');
  expect(listed.body.data[0].integrity_issues).toHaveLength(1);
  expect(listed.body.data[0].line_items[0].integrity_issues).toEqual([]);
  const base = { is_base_currency: true };
  const dollar = (await send('PUT', 'currencies', { code: 'USD', ...base })).body.data.data;
  const currency = () => send('GET', `currencies/${dollar.ledger_id}?select=integrity_issues`);
  const before = await currency();
  await send('PUT', 'currencies', { code: 'EUR', ...base });
  const after = await currency();
  expect(after.body.data.ledger_updated_at).toBe(before.body.data.ledger_updated_at);
  expect(after.body.data.integrity_issues).toMatchObject([{ rule: 'ONE_BASE_CURRENCY', field: 'is_base_currency' }]);
  expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
});

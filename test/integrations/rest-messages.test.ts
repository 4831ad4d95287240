// Messages of REST name fields as REST does: those of rules over several fields, at once and in the jobs of a batch.
import { beforeAll, expect, it } from 'vitest';
import { useGateway } from '../support/gateway.ts';
import { buildCompany, type TestCompany } from '../support/records.ts';
import { endOfSync, jobsOf } from '../support/syncs.ts';

const gateway = useGateway();
let company: TestCompany;
let contact: number;

beforeAll(async () => {
  company = await buildCompany(gateway);
  const made = await gateway.send('PUT', `${company.base}/contacts`, {
    headers: company.headers,
    body: { data: { platform_id: 'c', name: 'C' } },
  });
  contact = made.body.data.data.ledger_id;
});

/** Records that break a rule, and the words by which a message reports it. */
const broken: [list: string, words: string, data: () => Record<string, unknown>][] = [
  ['addresses', 'parent_type', () => ({ parent_id: contact, city: 'B' })],
  ['bill_credit_notes', 'total_amount', () => ({ remaining_credit: 9, total_amount: 5 })],
  ['cash_flow_statements', 'period_start', () => ({ period_start: '2026-02-01', period_end: '2026-01-01' })],
  ['invoices', 'sub_total + tax_amount', () => ({ total_amount: 50, line_items: [{ sub_total: 30, tax_amount: 0, total_amount: 50 }] })],
  ['invoices', 'contact_id', () => ({ contact_id: contact, contact: { platform_id: 'other' } })],
  ['purchase_orders', 'currency_id', () => ({ currency_id: 'EUR', currency: { code: 'USD' } })],
  ['pipelines', 'is_won', () => ({ stages: [{ is_won: true, is_closed: false }] })],
  ['invoices', 'amount_due', () => ({ sub_total: 10, total_amount: 9, amount_due: 10 })],
];

const camelCase = /\b[a-z]+[A-Z]\w*/;

it.each(broken)('%s are reported of %s', async (list, words, data) => {
  const record = { platform_id: `m-${words}`, ...data() };
  const path = `${company.base}/${list}?strict=true`;
  const single = await gateway.send('PUT', path, { headers: company.headers, body: { data: record } });
  expect([single.status, single.body.error?.message], single.text).toEqual([400, expect.stringContaining(words)]);
  expect(single.body.error.message).not.toMatch(/data\[0\]/);
  expect(single.body.error.message).not.toMatch(camelCase);
  const batch = await gateway.send('PUT', `${path}&run_async=true`, {
    headers: company.headers,
    body: {
      data: [
        { ...record, platform_id: 'first' },
        { ...record, platform_id: 'second' },
      ],
    },
  });
  if (batch.status === 400) return expect(batch.body.error.message).not.toMatch(camelCase);
  expect(batch.status, batch.text).toBe(202);
  await endOfSync(gateway, company, batch.body.data.sync_id);
  const shown = (await jobsOf(gateway, company, batch.body.data.sync_id)).flatMap(({ errorMessage, errorResponse }) => [
    errorMessage ?? '',
    errorResponse?.field ?? '',
  ]);
  expect(shown.join('\n')).toContain(words);
  expect(shown.join('\n')).not.toMatch(camelCase);
});

it('a nested record that is new is not said to be another than the number it gives', async () => {
  const data = { contact: { ledger_id: contact, name: 'x' } };
  const response = await gateway.send('POST', `${company.base}/invoices`, { headers: company.headers, body: { data } });
  expect([response.status, response.body.error.message]).toEqual([
    400,
    `data.contact without platform_id is a new record, so it cannot be ${contact}`,
  ]);
});

it('jobs call the number of a record ledger_id, as the request does', async () => {
  const body = { data: [{ platform_id: 'numbered', line_items: [{ ledger_id: 987654321 }] }] };
  const batch = await gateway.send('POST', `${company.base}/invoices?run_async=true`, { headers: company.headers, body });
  await endOfSync(gateway, company, batch.body.data.sync_id);
  const jobs = await jobsOf(gateway, company, batch.body.data.sync_id);
  const job = jobs.find(({ errorResponse }) => errorResponse);
  expect(job!.errorResponse!.field).toBe('data[0].line_items[0].ledger_id');
  expect(job!.errorMessage).toContain('data[0].line_items[0].ledger_id 987654321');
});

it('the operators of a parameter have their REST names, and rules read as sentences', async () => {
  const list = await gateway.send('GET', `${company.base}/invoices?total_amount[like]=1`, { headers: company.headers });
  expect(list.body.error.message).toMatch(/the operators of total_amount are eq, .*is_null$/);
  const data = { custom_fields: [{ name: 'a=b', value: 'c' }] };
  const named = await gateway.send('POST', `${company.base}/contacts`, { headers: company.headers, body: { data } });
  expect(named.body.error.message).toContain('must be text without an equals sign');
});

it('in GraphQL a number next to another record is named as its member, and JSON has no names of enumerations', async () => {
  const create = (input: string) =>
    gateway.graphql(company.key, `mutation { createInvoice(input: { companyId: ${company.id}, ${input} }) { errors { message path } } }`);
  const other = await create(`contactId: ${contact}, contact: { platformId: "another", name: "x" }`);
  const [error] = other.body.data.createInvoice.errors;
  expect([error.message.includes('data'), error.message], other.text).toEqual([
    false,
    expect.stringContaining(`contactId, which is ${contact}`),
  ]);
  const json = await create('rawData: { a: ENUM, b: [X, 1] }');
  expect(json.body.errors?.[0].message, json.text).toContain('must be JSON, which has no name ENUM');
});

it('a record that exists already is reported by the name of its id', async () => {
  const body = { data: [{ platform_id: 'twice' }, { platform_id: 'c' }] };
  const batch = await gateway.send('POST', `${company.base}/contacts?run_async=true`, { headers: company.headers, body });
  await endOfSync(gateway, company, batch.body.data.sync_id);
  const shown = (await jobsOf(gateway, company, batch.body.data.sync_id)).flatMap(({ errorMessage }) => errorMessage ?? []).join('\n');
  expect(shown).toContain('platform_id "c" exists already');
  expect(shown).not.toMatch(camelCase);
});

// `registrationsNeeded` from the books: the invoices of companies that a corporation names, over HTTP, to the event of a changed state.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemTransaction } from '../../src/database/transaction.ts';
import { nexusSchedule } from '../../src/integrations/nexus/known-state.ts';
import { runOf } from '../support/connections.ts';
import { type GatewayResponse, useGateway } from '../support/gateway.ts';
import { type Ledger, startLedger } from '../support/ledger.ts';
import { until } from '../support/queue-database.ts';
import { buildCompany, type TestCompany } from '../support/records.ts';
import { buildCaller, buildCorporation, buildRegistration, recordEvents } from '../support/registrations.ts';

const gateway = useGateway({ connectorPrivateHosts: ['127.0.0.1'] });
const DAY_MS = 86_400_000;
let ledger: Ledger;
beforeAll(async () => {
  ledger = await startLedger();
});
afterAll(() => ledger.stop());

let organisations = 0;
/** A key with both roles, and a company of its organisation. */
async function buildSeller(): Promise<{ name: string; key: string; company: TestCompany }> {
  const name = `Seller ${++organisations}`;
  const key = await gateway.key(['PLATFORM', 'INTEGRATIONS'], name);
  return { name, key, company: await buildCompany(gateway, { key }) };
}

const dayOf = (daysAgo: number): string => new Date(gateway.clock.now().getTime() - daysAgo * DAY_MS).toISOString();
const toTexas = [{ type: 'SHIPPING', country: 'United States', state: 'Texas' }];

let invoices = 0;
const invoice = (total: number | null, more: object = {}) => ({
  platform_id: `I-${++invoices}`,
  status: 'SUBMITTED',
  posted_date: dayOf(1),
  currency_id: 'USD',
  total_amount: total,
  addresses: toTexas,
  ...more,
});
async function put({ base, headers }: TestCompany, list: string, data: object): Promise<number> {
  const response = await gateway.send('PUT', `${base}/${list}`, { headers, body: { data } });
  expect(response.status, response.text).toBe(200);
  return response.body.data.data.ledger_id;
}

const corporationOf = (key: string, fields: object): Promise<GatewayResponse> =>
  gateway.graphql(
    key,
    `mutation ($input: CreateCorporationInput!) { createCorporation(input: $input) { corporation { id companyIds } errors { code path message } } }`,
    { input: { legalName: 'Acme', jurisdiction: 'US', state: 'DE', ...fields } },
  );
const idOf = (response: GatewayResponse): string => response.body.data.createCorporation.corporation.id;

/** What the schedule does each day. */
const lookAtAll = (): Promise<boolean> => systemTransaction(gateway.services.database, (em) => nexusSchedule.batch(em, gateway.services));

const needed = (key: string, id: string): Promise<GatewayResponse> =>
  gateway.graphql(
    key,
    `query ($id: ID!) { registrationsNeeded(corporationId: $id) { registrationContentId outcome reason source secondSource checkedAt } }`,
    { id },
  );
const outcomesOf = async (key: string, id: string): Promise<Record<string, string>> => {
  const response = await needed(key, id);
  expect(response.body.errors, response.text).toBeUndefined();
  return Object.fromEntries(
    response.body.data.registrationsNeeded.map((one: Record<string, string>) => [one.registrationContentId, one.outcome]),
  );
};
const soldIn = async (key: string, id: string): Promise<unknown> => {
  const response = await gateway.graphql(
    key,
    `query ($id: ID!, $from: LocalDate!, $to: LocalDate!) { corporation(id: $id) { sales(from: $from, to: $to) { jurisdiction currency amount transactions gap } } }`,
    { id, from: dayOf(364).slice(0, 10), to: dayOf(0).slice(0, 10) },
  );
  expect(response.body.errors, response.text).toBeUndefined();
  return response.body.data.corporation.sales;
};

describe('a corporation that names the companies of its books', () => {
  it('is BELOW, APPROACHING at 80 %, REACHED and REGISTERED, with an event for each change', async () => {
    const { name, key, company } = await buildSeller();
    const events = await recordEvents(gateway, key);
    const needs = async () => (await events()).filter(({ topic }) => topic === 'REGISTRATIONS_NEED_UPDATED').map(({ data }) => data);
    const id = idOf(await corporationOf(key, { companyIds: [company.id] }));
    await put(company, 'invoices', invoice(399_999.99));
    expect(await outcomesOf(key, id)).toEqual({ US_TX_SUT: 'BELOW' });
    await put(company, 'invoices', invoice(0.01));
    expect(await outcomesOf(key, id)).toEqual({ US_TX_SUT: 'APPROACHING' });

    await lookAtAll();
    await until(async () => (await needs()).length === 1);
    expect(await needs()).toEqual([
      {
        corporation_id: id,
        registration_content_id: 'US_TX_SUT',
        jurisdiction: 'JUR_US_TX',
        previous: 'BELOW',
        current: 'APPROACHING',
        reason: expect.stringContaining('Sales of 400000 USD are 80 % or more of the threshold of'),
      },
    ]);

    await put(company, 'invoices', invoice(100_000.01));
    expect((await needed(key, id)).body.data.registrationsNeeded).toEqual([
      {
        registrationContentId: 'US_TX_SUT',
        outcome: 'REACHED',
        reason: expect.stringContaining('Sales of 500000.01 USD are at least 500000 USD (total Texas revenue'),
        source: expect.any(String),
        secondSource: null,
        checkedAt: '2026-11-22',
      },
    ]);
    await lookAtAll();
    await until(async () => (await needs()).length === 2);
    expect((await needs())[1]).toMatchObject({ previous: 'APPROACHING', current: 'REACHED' });

    const platform = await buildCaller(gateway, name);
    await buildRegistration(platform, { corporation_id: id, registration_content_id: 'US_TX_SUT', tax_types: ['SUT'] });
    expect(await outcomesOf(key, id)).toEqual({ US_TX_SUT: 'REGISTERED' });
    await lookAtAll();
    await until(async () => (await needs()).length === 3);
    expect((await needs())[2]).toMatchObject({ previous: 'REACHED', current: 'REGISTERED' });

    // A day on which nothing changed has no event.
    await lookAtAll();
    const other = idOf(await corporationOf(key, { companyIds: [company.id] }));
    await until(async () => (await needs()).some(({ corporation_id }) => corporation_id === other));
    expect(await needs()).toHaveLength(4);
  });

  it('has the sales of a connected company, by the address of the customer that its source has', async () => {
    const { key, company } = await buildSeller();
    ledger.put('CONTACT', {
      platform_id: 'C-1',
      name: 'Buyer',
      addresses: [{ platform_id: 'A-1', type: 'BILLING', country: 'USA', state: 'CA' }],
    });
    const connected = await gateway.send('POST', `${company.base}/connections`, {
      headers: company.headers,
      body: { data: { source: 'DEMO', settings: { url: ledger.url, apiKey: ledger.apiKey }, interval_minutes: 43_200 } },
    });
    expect(connected.status, connected.text).toBe(201);
    await runOf(gateway, company, connected.body.data.id);
    const contacts = await gateway.send('GET', `${company.base}/contacts`, { headers: company.headers });
    const [{ ledger_id: contact_id }] = contacts.body.data;
    await put(company, 'invoices', invoice(450_000, { contact_id, addresses: [] }));
    const id = idOf(await corporationOf(key, { companyIds: [company.id] }));
    expect(await outcomesOf(key, id)).toEqual({ US_CA_RST: 'APPROACHING' });
    expect(await soldIn(key, id)).toEqual([{ jurisdiction: 'US-CA', currency: 'USD', amount: 450_000, transactions: 1, gap: null }]);
  });

  it('sums exactly, before tax, over its companies; drafts, void and other periods are without, and what counts nowhere is listed', async () => {
    const { key, company } = await buildSeller();
    const second = await buildCompany(gateway, { key });
    for (const cents of [0.1, 0.2]) await put(company, 'invoices', invoice(cents));
    await put(second, 'invoices', invoice(120, { tax_amount: 20 }));
    await put(second, 'invoices', invoice(null, { sub_total: 7 }));
    for (const status of ['DRAFT', 'VOID']) await put(company, 'invoices', invoice(1e6, { status }));
    await put(company, 'invoices', invoice(1e6, { posted_date: dayOf(800) }));
    await put(company, 'invoices', invoice(5, { currency_id: 'EUR' }));
    await put(company, 'invoices', invoice(6, { addresses: [{ type: 'SHIPPING', country: 'Atlantis' }] }));
    await put(company, 'invoices', invoice(null));
    await put(company, 'invoices', invoice(8, { posted_date: null }));
    const id = idOf(await corporationOf(key, { companyIds: [company.id, second.id] }));
    const texas = { jurisdiction: 'US-TX', currency: 'USD' };
    const sold = (await soldIn(key, id)) as object[];
    expect(sold).toHaveLength(5);
    expect(sold).toEqual(
      expect.arrayContaining([
        { ...texas, amount: 107.3, transactions: 4, gap: null },
        { ...texas, currency: 'EUR', amount: 5, transactions: 1, gap: null },
        { jurisdiction: null, currency: 'USD', amount: 6, transactions: 1, gap: 'NO_PLACE' },
        { ...texas, amount: null, transactions: 1, gap: 'NO_AMOUNT' },
        { ...texas, amount: 8, transactions: 1, gap: 'NO_DATE' },
      ]),
    );
    const [need] = (await needed(key, id)).body.data.registrationsNeeded;
    expect([need.outcome, need.reason]).toEqual([
      'NOT_COMPARED',
      expect.stringMatching(/5 EUR in addition to 107\.3 USD were not compared .* currencies are not converted/),
    ]);
  });

  it.each([
    [{ total_amount: 110, tax_amount: 10 }, 100],
    [
      {
        total_amount: 110,
        line_items: [
          { sub_total: 60, tax_amount: 6 },
          { total_amount: 44, tax_amount: 4 },
        ],
      },
      100,
    ],
    [{ total_amount: 110, sub_total: 100, line_items: [{ tax_amount: 10 }] }, 100],
    [{ total_amount: 112, sub_total: 100, shipping_amount: 5, total_discount: 3 }, 102],
    [{ total_amount: 110, line_items: [{ name: 'No tax is said' }] }, 110],
    [{ sub_total: 100, shipping_amount: 5, total_discount: 3, line_items: [{ sub_total: 90 }] }, 102],
    [{ shipping_amount: 5, line_items: [{ sub_total: 60 }, { quantity: 2, unit_amount: 20, tax_amount: 4 }] }, 105],
    [{ is_tax_inclusive: true, line_items: [{ quantity: 1, unit_amount: 110, tax_amount: 10 }] }, 100],
  ])('%j is %d before tax', async (amounts, amount) => {
    const { key, company } = await buildSeller();
    await put(company, 'invoices', invoice(null, amounts));
    const id = idOf(await corporationOf(key, { companyIds: [company.id] }));
    expect(await soldIn(key, id)).toEqual([{ jurisdiction: 'US-TX', currency: 'USD', amount, transactions: 1, gap: null }]);
  });

  it.each([
    ['Deutschland', 'Bayern', 'DE-BY'],
    ['DEU', null, 'DE'],
    ['Royaume-Uni', 'England', 'GB-ENG'],
    ['UK', null, 'GB'],
    ['us', 'new york', 'US-NY'],
    ['US', 'US-NY', 'US-NY'],
    ['Canada', 'Québec', 'CA-QC'],
    ['México', 'no such state', 'MX'],
    ['Turkey', null, 'TR'],
    ['Czech Republic', 'Prague', 'CZ'],
    ['The Netherlands', 'Utrecht', 'NL-UT'],
    ['MACEDONIA', null, 'MK'],
    ['Bolivia, Plurinational State of', null, 'BO'],
  ])('%s, %s is %s', async (country, state, jurisdiction) => {
    const { key, company } = await buildSeller();
    await put(company, 'invoices', invoice(1, { addresses: [{ type: 'BILLING', country, state }] }));
    const id = idOf(await corporationOf(key, { companyIds: [company.id] }));
    expect(await soldIn(key, id)).toMatchObject([{ jurisdiction }]);
  });

  it('knows the formal and common names of an ingested list', async () => {
    const manager = await gateway.key(['MANAGE_CONTENT']);
    const swiss = { alpha_2: 'CH', alpha_3: 'CHE', numeric: '756', name: 'Switzerland', official_name: 'Swiss Confederation' };
    const body = { '3166-1': [{ ...swiss, common_name: 'The Confederates' }] };
    const ingested = await gateway.send('POST', '/api/v1/internal/iso_3166/ingest/json', { headers: { 'x-service-key': manager }, body });
    expect(ingested.status).toBe(200);
    const { key, company } = await buildSeller();
    for (const country of ['Swiss Confederation', 'the confederates'])
      await put(company, 'invoices', invoice(1, { addresses: [{ type: 'BILLING', country }] }));
    const id = idOf(await corporationOf(key, { companyIds: [company.id] }));
    expect(await soldIn(key, id)).toMatchObject([{ jurisdiction: 'CH', transactions: 2 }]);
  });
});

describe('who may name companies and read their sales', () => {
  it('companies of the own organisation only, with both roles; nothing is stored otherwise', async () => {
    const { name, key, company } = await buildSeller();
    const { company: foreign } = await buildSeller();
    const errors = async (caller: string, companyIds: unknown[]) => {
      const { data, errors } = (await corporationOf(caller, { companyIds })).body;
      const [error] =
        data.createCorporation?.errors ??
        errors.map(({ message, extensions }: { message: string; extensions: { code: string } }) => ({ message, code: extensions.code }));
      return [data.createCorporation?.corporation ?? null, error.code, error.message];
    };
    for (const id of [foreign.id, 999_999_999])
      expect(await errors(key, [company.id, id])).toEqual([null, 'INVALID_PARAMS', expect.stringContaining(String(id))]);
    const limited = await gateway.key(['PLATFORM', 'INTEGRATIONS'], name, [(await buildCompany(gateway, { key })).id]);
    expect((await errors(limited, [company.id]))[1]).toBe('INVALID_PARAMS');
    const platform = await gateway.key(['PLATFORM'], name);
    expect(await errors(platform, [company.id])).toEqual([null, 'FORBIDDEN', expect.stringContaining('INTEGRATIONS')]);
    const list = await gateway.graphql(key, '{ corporations { totalCount } }');
    expect(list.body.data.corporations.totalCount).toBe(0);

    const id = idOf(await corporationOf(key, { companyIds: [`company_${company.id}`] }));
    await put(company, 'invoices', invoice(1));
    expect(await outcomesOf(platform, id)).toEqual({ US_TX_SUT: 'BELOW' });
    expect((await needed(limited, id)).body.errors[0].extensions.code).toBe('FORBIDDEN');
    // Sent back as it was read, it changes nothing.
    const same = await gateway.graphql(
      platform,
      `mutation ($id: ID!, $companyIds: [ID!]) { updateCorporation(id: $id, input: { companyIds: $companyIds, legalName: "Other" }) { corporation { companyIds } errors { code } } }`.replace(
        'id: $id, input: {',
        'input: { id: $id,',
      ),
      { id, companyIds: [company.id] },
    );
    expect(same.body.data?.updateCorporation, same.text).toEqual({ corporation: { companyIds: [company.id] }, errors: [] });
  });

  it('a corporation without companies needs sales that the caller names', async () => {
    const caller = await buildCaller(gateway);
    const corporation_id = await buildCorporation(caller);
    const response = await caller.post('/registrations/needed', { corporation_id });
    expect([response.status, response.body.message], response.text).toEqual([400, expect.stringContaining('company_ids')]);
  });
});

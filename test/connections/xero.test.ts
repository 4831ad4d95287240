// Companies connected to Xero over HTTP: sign-in, pulls, writes, limits, revocation and messages, against a server that follows its description.
import { createHmac, randomInt, randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Services } from '../../src/access/context.ts';
import { callGate } from '../../src/integrations/connections/call-gate.ts';
import { Connection } from '../../src/integrations/connections/connection.ts';
import { checkConnector } from '../../src/integrations/connections/connector-check.ts';
import { connectorsOf } from '../../src/integrations/connections/connectors.ts';
import { signInRevocation } from '../../src/integrations/connections/revocation.ts';
import type { ConnectorDefinition } from '../../src/integrations/connectors/connector.ts';
import { openSourceHttp } from '../../src/integrations/connectors/source-http.ts';
import { xeroAt } from '../../src/integrations/connectors/xero/xero.ts';
import { modelCoercer } from '../../src/integrations/syncs/pull-pages.ts';
import { CLIENT } from '../support/authorisation.ts';
import { runOf } from '../support/connections.ts';
import { useGateway } from '../support/gateway.ts';
import { endPauses } from '../support/pauses.ts';
import { buildCompany, type TestCompany } from '../support/records.ts';
import { endOfSync, jobsOf } from '../support/syncs.ts';
import { startXero, type Xero, xeroDate } from '../support/xero.ts';

const WEBHOOK_KEY = 'the key of the webhook';
const gateway = useGateway({
  connectorPrivateHosts: ['127.0.0.1'],
  connectorOauthClients: { XERO: { ...CLIENT, webhookKey: WEBHOOK_KEY } },
});

let xero: Xero;
let company: TestCompany;

const teach = (services: Services, added: ConnectorDefinition): void => {
  (connectorsOf(services) as Map<string, ConnectorDefinition>).set(added.source, added);
};

beforeEach(async () => {
  xero = await startXero();
  xero.perWindow = Number.POSITIVE_INFINITY;
  const definition = xeroAt(xero.hosts);
  // A pace that takes no time; `test/suites/source-allowance.test.ts` has that of Xero.
  teach(gateway.services, { ...definition, limits: { ...definition.limits, perMinute: 60_000 } });
  company = await buildCompany(gateway);
  // The server computes what follows from these.
  xero.put('Accounts', { Code: '200', Name: 'Sales', Type: 'REVENUE', Class: 'REVENUE', Status: 'ACTIVE' });
  xero.put('Accounts', { Code: '090', Name: 'Bank', Type: 'BANK', Class: 'ASSET', Status: 'ACTIVE', CurrencyCode: 'EUR' });
  xero.put('TaxRates', { TaxType: 'OUTPUT2', Name: '20% VAT', Status: 'ACTIVE', EffectiveRate: 20, DisplayTaxRate: 20, TaxComponents: [] });
  xero.put('Currencies', { Code: 'EUR', Description: 'Euro' });
  xero.put('Items', { Code: 'PLANK', Name: 'Plank', IsSold: true, SalesDetails: { UnitPrice: 2.1234 } });
});
afterEach(async () => {
  const { problems } = xero;
  await xero.stop();
  // What the published description does not allow.
  expect(problems).toEqual([]);
});

const rest = (method: string, path: string, data?: unknown) =>
  gateway.send(method, `${company.base}${path}`, { headers: company.headers, ...(data === undefined ? {} : { body: { data } }) });
const stateOf = async (id: string) => (await rest('GET', `/connections/${id}`)).body.data;
const listOf = async (path: string) => {
  const { body, status, text } = await rest('GET', `${path}${path.includes('?') ? '&' : '?'}limit=100&select=source_state,source_error`);
  expect(status, text).toBe(200);
  return body.data as Record<string, never>[];
};
const children: Record<string, string> = { '/contacts': 'addresses,phone_numbers', '/payments': 'allocations', '/items': 'variants' };
/** A record with its children. */
const whole = async (path: string, row: Record<string, unknown> | undefined) =>
  (await rest('GET', `${path}/${row!.ledger_id}?expand=${children[path] ?? 'line_items'}`)).body.data;
const until = async <T>(read: () => Promise<T | undefined | false>): Promise<T> => {
  for (;;) {
    const found = await read();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

/** Follows a link to the source and back, as a browser would; returns the page it ends on. */
async function signIn(id: string, settings: Record<string, string> = {}): Promise<string> {
  const { pathname, search } = new URL((await rest('POST', `/connections/${id}/link`)).body.data.url);
  const form = new URLSearchParams(Object.entries(settings).map(([name, value]): [string, string] => [`settings.${name}`, value]));
  const posted = await gateway.send('POST', pathname + search, {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    raw: form.toString(),
  });
  const there = /<a class="button" href="([^"]+)"/.exec(posted.text)![1]!.replaceAll('&amp;', '&');
  const scopes = new URL(there).searchParams.get('scope')!.split(' ');
  expect(scopes).toEqual(expect.arrayContaining(['offline_access', 'accounting.invoices', 'accounting.contacts']));
  const { headers } = await fetch(there, { redirect: 'manual' });
  const back = new URL(headers.get('location')!);
  const cookie = posted.headers.get('set-cookie')!.split(';', 1)[0]!;
  return (await gateway.send('GET', back.pathname + back.search, { headers: { cookie } })).text;
}

/** A connection that has signed in, and whose first run has ended. */
async function connected(settings: Record<string, string> = {}): Promise<string> {
  const response = await rest('POST', '/connections', { source: 'XERO', interval_minutes: 43_200 });
  expect(response.status, response.text).toBe(201);
  const { id } = response.body.data;
  expect(await signIn(id, settings)).toContain('Xero is linked');
  await run(id);
  return id;
}

const run = (id: string) => runOf(gateway, company, id);

/** Lets the connector of the test pull these data models alone: a run takes statements and calls for each, whether it finds anything or not. */
function only(...dataModels: string[]): void {
  const definition = connectorsOf(gateway.services).get('XERO')!;
  const capabilities = definition.capabilities.filter(({ dataModel }) => dataModels.includes(dataModel));
  teach(gateway.services, { ...definition, capabilities });
}

/** A document of the server. */
const invoice = (over: Record<string, unknown>) =>
  xero.put('Invoices', {
    Type: 'ACCREC',
    Contact: { ContactID: over.ContactID },
    Date: xeroDate('2026-03-01'),
    DueDate: xeroDate('2026-03-31'),
    LineAmountTypes: 'Exclusive',
    Status: 'AUTHORISED',
    LineItems: [{ Description: 'Planks', Quantity: 3, UnitAmount: 2.1234, ItemCode: 'PLANK', AccountCode: '200', TaxType: 'OUTPUT2' }],
    ...over,
  });

describe('A pull of Xero', { timeout: 120_000 }, () => {
  it('signs in by the hosted page and brings every data model with its references and exact amounts', async () => {
    const contact = xero.put('Contacts', {
      Name: `Acme ${randomInt(1e6)}`,
      FirstName: 'Ada',
      LastName: 'Byron',
      ContactStatus: 'ACTIVE',
      IsCustomer: true,
      Phones: [
        { PhoneType: 'DEFAULT', PhoneNumber: '555', PhoneAreaCode: '01', PhoneCountryCode: '44' },
        { PhoneType: 'FAX', PhoneNumber: '' },
      ],
      Addresses: [{ AddressType: 'POBOX', AddressLine1: 'PO 1', City: 'Leeds' }, { AddressType: 'STREET' }],
    });
    const { ContactID } = contact;
    const sent = invoice({ ContactID, InvoiceNumber: 'INV-1' });
    const bill = invoice({ ContactID, Type: 'ACCPAY', InvoiceNumber: 'B-1', LineAmountTypes: 'Inclusive', AmountPaid: 1 });
    const [bank] = xero.rows('Accounts').filter(({ Code }) => Code === '090');
    xero.put('CreditNotes', {
      Type: 'ACCRECCREDIT',
      CreditNoteNumber: 'CN-1',
      Contact: { ContactID },
      Status: 'AUTHORISED',
      RemainingCredit: 0.3,
      Allocations: [{ Amount: 1, Invoice: { InvoiceID: sent.InvoiceID } }],
      LineItems: [],
    });
    xero.put('Payments', {
      PaymentType: 'ACCPAYPAYMENT',
      Status: 'AUTHORISED',
      Amount: 1,
      Date: xeroDate('2026-03-02'),
      Account: { AccountID: bank!.AccountID },
      Invoice: { InvoiceID: bill.InvoiceID, CurrencyCode: 'EUR', Contact: { ContactID } },
    });
    xero.put('BankTransactions', {
      Type: 'SPEND',
      Status: 'AUTHORISED',
      Contact: { ContactID },
      BankAccount: { AccountID: bank!.AccountID },
      Date: xeroDate('2026-03-03'),
      LineItems: [{ Description: 'Fuel', Quantity: 1, UnitAmount: 10.1, AccountCode: '200', TaxType: 'OUTPUT2' }],
    });
    xero.put('ManualJournals', {
      Narration: 'Accrual',
      Status: 'POSTED',
      Date: xeroDate('2026-03-04'),
      JournalLines: [
        { LineAmount: 0.1, AccountCode: '200' },
        { LineAmount: -0.1, AccountCode: '090' },
        { LineAmount: 0, AccountCode: '200', IsBlank: true },
      ],
    });
    xero.put('Quotes', { QuoteNumber: 'QU-1', Contact: { ContactID }, Status: 'SENT', LineAmountTypes: 'EXCLUSIVE', LineItems: [] });
    xero.put('PurchaseOrders', { PurchaseOrderNumber: 'PO-1', Contact: { ContactID }, Status: 'AUTHORISED', LineItems: [] });
    const id = await connected();
    expect(await stateOf(id)).toMatchObject({ status: 'CONNECTED', status_reason: null, settings: { tenantName: 'Demo Company' } });

    const [acme] = await listOf('/contacts');
    expect(await whole('/contacts', acme)).toMatchObject({
      platform_id: ContactID,
      contact_name: 'Ada Byron',
      phone: '44 01 555',
      type: 'CUSTOMER',
      addresses: [{ type: 'POSTAL', street: 'PO 1', city: 'Leeds' }],
      phone_numbers: [{ type: 'PRIMARY', number: '44 01 555' }],
    });
    const [item] = await listOf('/items');
    expect(item).toMatchObject({ code: 'PLANK', price: 2.1234 });
    const [first] = await listOf('/invoices');
    expect(await whole('/invoices', first)).toMatchObject({
      document_number: 'INV-1',
      contact_id: acme!.ledger_id,
      posted_date: '2026-03-01T00:00:00.000Z',
      sub_total: 6.37,
      tax_amount: 1.27,
      total_amount: 7.64,
      status: 'SUBMITTED',
      is_tax_inclusive: false,
      line_items: [{ item_id: item!.ledger_id, unit_amount: 2.1234, quantity: 3, sub_total: 6.37, total_amount: 7.64 }],
    });
    const [received] = await listOf('/bills');
    expect(await whole('/bills', received)).toMatchObject({
      document_number: 'B-1',
      is_tax_inclusive: true,
      line_items: [{ sub_total: 5.31, total_amount: 6.37 }],
    });
    expect(await listOf('/invoice_credit_notes')).toMatchObject([
      { document_number: 'CN-1', remaining_credit: 0.3, invoice_ids: [first!.ledger_id] },
    ]);
    const [paid] = await listOf('/payments');
    expect(await whole('/payments', paid)).toMatchObject({
      direction: 'MADE',
      total_amount: 1,
      contact_id: acme!.ledger_id,
      transaction_date: '2026-03-02T00:00:00.000Z',
      allocations: [{ document_type: 'BILL', document_id: received!.ledger_id, amount: 1 }],
    });
    expect(await listOf('/bank_transactions')).toMatchObject([{ amount: -12.12, type: 'DEBIT', status: 'POSTED' }]);
    const [expense] = await listOf('/expenses');
    expect(await whole('/expenses', expense)).toMatchObject({ total_amount: 12.12, line_items: [{ sub_total: 10.1 }] });
    const [entry] = await listOf('/journal_entries');
    expect(await whole('/journal_entries', entry)).toMatchObject({
      memo: 'Accrual',
      line_items: [{ total_amount: 0.1 }, { total_amount: -0.1 }],
    });
    expect(await listOf('/estimates')).toMatchObject([{ document_number: 'QU-1', status: 'SUBMITTED' }]);
    expect(await listOf('/purchase_orders')).toMatchObject([{ document_number: 'PO-1', status: 'AUTHORIZED' }]);
    expect(await listOf('/tax_rates')).toMatchObject([{ platform_id: 'OUTPUT2', rate: 20 }]);
    expect(await listOf('/currencies')).toMatchObject([{ code: 'EUR', is_base_currency: true }]);
  });

  it('distinguishes approved documents, tracking options, transfers, and what was paid too much or in advance', async () => {
    const { ContactID } = xero.put('Contacts', { Name: 'Acme', ContactStatus: 'ACTIVE' });
    const [, bank] = xero.rows('Accounts');
    const TrackingOptionID = randomUUID();
    const region = xero.put('TrackingCategories', { Name: 'Region', Options: [{ TrackingOptionID, Name: 'North' }] });
    const { TrackingCategoryID } = region;
    const tracked = (Tracking: object) => [{ Description: 'P', Quantity: 1, UnitAmount: 2, AccountCode: '200', Tracking: [Tracking] }];
    const waiting = {
      InvoiceNumber: 'W',
      Status: 'SUBMITTED',
      LineItems: tracked({ TrackingCategoryID, Name: 'Region', Option: 'North' }),
    };
    const approved = { InvoiceNumber: 'A', LineItems: tracked({ TrackingCategoryID, TrackingOptionID }) };
    const { InvoiceID: waitingId } = invoice({ ContactID, ...waiting });
    const { InvoiceID } = invoice({ ContactID, ...approved });
    const advance = { Contact: { ContactID }, Date: xeroDate('2026-03-05'), CurrencyCode: 'EUR', Status: 'AUTHORISED' };
    const Allocations = [{ Amount: 3.5, Date: xeroDate('2026-03-06'), Invoice: { InvoiceID } }];
    const over = xero.put('Overpayments', { ...advance, Type: 'RECEIVE-OVERPAYMENT', Total: 5, RemainingCredit: 1.5, Allocations });
    xero.put('Prepayments', { ...advance, Type: 'SPEND-PREPAYMENT', Total: 4, Reference: 'Rent' });
    xero.put('Prepayments', { ...advance, Type: 'RECEIVE-PREPAYMENT', Total: 9, Status: 'VOIDED' });
    for (const Type of ['SPEND-TRANSFER', 'RECEIVE-TRANSFER'])
      xero.put('BankTransactions', { Type, Status: 'AUTHORISED', BankAccount: { AccountID: bank!.AccountID }, Total: 8 });
    const id = await connected();

    const rows = await listOf('/invoices?order_by=document_number');
    expect(rows).toMatchObject([
      { document_number: 'A', status: 'SUBMITTED' },
      { document_number: 'W', status: 'DRAFT' },
    ]);
    const option = `${TrackingCategoryID}/${TrackingOptionID}`;
    for (const row of rows) expect(await whole('/invoices', row)).toMatchObject({ line_items: [{ tracking_category_ids: [option] }] });
    expect((await listOf('/bank_transactions')).map(({ type, amount }) => [type, amount]).sort()).toEqual([
      ['TRANSFER', -8],
      ['TRANSFER', 8],
    ]);
    const payments = await listOf('/payments');
    expect(payments.map(({ direction, total_amount }) => [direction, total_amount]).sort()).toEqual([
      ['MADE', 4],
      ['RECEIVED', 5],
    ]);
    const received = payments.find(({ direction }) => direction === 'RECEIVED');
    expect(await whole('/payments', received)).toMatchObject({
      platform_id: over.OverpaymentID,
      allocations: [{ document_type: 'INVOICE', document_id: rows[0]!.ledger_id, amount: 3.5 }],
    });

    // Later runs ask each of the three for its changes, and a full run keeps them.
    xero.advance(3_600_000);
    xero.put('Overpayments', { ...over, Total: 6 });
    xero.calls.length = 0;
    expect((await run(id)).status).toBe('SUCCESS');
    const asked = xero.calls.filter(({ path }) => /(Pay|Overpay|Prepay)ments/.test(path));
    expect(asked.map(({ headers }) => headers['if-modified-since'] === undefined)).toEqual([false, false, false]);
    expect((await runOf(gateway, company, id, '?full_sync=true')).status).toBe('SUCCESS');
    expect((await listOf('/payments')).map(({ total_amount }) => total_amount).sort()).toEqual([4, 6]);

    // Approved here, with the tracking that it had; what is not approved is deleted in place of voided.
    const line = (await whole('/invoices', rows[1])).line_items[0];
    const line_items = [{ platform_id: line.platform_id, description: 'Q', tracking_category_ids: line.tracking_category_ids }];
    await write(`/invoices/${rows[1]!.ledger_id}`, { line_items }, 'PUT');
    expect(xero.rows('Invoices').find((row) => row.InvoiceID === waitingId)).toMatchObject({
      Status: 'SUBMITTED',
      LineItems: [{ Description: 'Q', Tracking: [{ TrackingCategoryID, TrackingOptionID, Name: 'Region', Option: 'North' }] }],
    });
    const wrong = [{ description: 'Q', tracking_category_ids: ['x'] }];
    expect(await write('/invoices', { contact_id: rows[1]!.contact_id, line_items: wrong })).toMatchObject({
      source_state: 'PUSH_FAILED',
      source_error: expect.stringContaining('Xero has no tracking option x'),
    });
    await write(`/invoices/${rows[1]!.ledger_id}`, { status: 'VOID' }, 'PUT');
    expect(xero.rows('Invoices').find((row) => row.InvoiceID === waitingId)).toMatchObject({ Status: 'DELETED' });
  });

  it('reads all pages, then what changed since by the clock of Xero, and follows voided, deleted and archived records', async () => {
    const count = 260 + randomInt(30);
    for (let index = 0; index < count; index++) xero.put('Contacts', { Name: `C ${index}`, ContactStatus: 'ACTIVE' });
    const [first, second] = xero.rows('Contacts');
    const invoices = [1, 2, 3].map((number) => invoice({ ContactID: first!.ContactID, InvoiceNumber: `INV-${number}` }));
    // Longer ago than the overlap of two pulls.
    xero.advance(3_600_000);
    const id = await connected();
    expect((await rest('GET', '/contacts?limit=1&return_count=true')).body.pagination.total_count).toBe(count);
    const pages = xero.calls.filter(({ path }) => path.includes('/Contacts?')).map(({ path }) => new URL(path, 'http://x').searchParams);
    expect(pages.map((query) => query.get('page')).slice(0, 2)).toEqual(['1', '2']);

    xero.put('Invoices', { ...invoices[0], Status: 'VOIDED' });
    xero.put('Invoices', { ...invoices[1], Status: 'DELETED' });
    xero.put('Contacts', { ...second, ContactStatus: 'ARCHIVED' });
    xero.calls.length = 0;
    expect((await run(id)).status).toBe('SUCCESS');
    const asked = xero.calls.find(({ path }) => path.includes('/Contacts?'))!;
    expect(asked.headers['if-modified-since']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(JSON.parse(asked.response).Contacts).toHaveLength(1);
    const states = (await listOf('/invoices')).map(({ document_number, status }) => [document_number, status]).sort();
    expect(states).toEqual([
      ['INV-1', 'VOID'],
      ['INV-3', 'SUBMITTED'],
    ]);
    expect(await listOf(`/contacts?platform_id=${second!.ContactID}`)).toMatchObject([{ status: 'ARCHIVED' }]);
  });

  it('where a sign-in reaches several organisations, says which there are and takes the one that the settings name', async () => {
    only('CONTACT');
    xero.tenants.push({ tenantId: 'a4f3', tenantName: 'Second Company', tenantType: 'ORGANISATION' });
    xero.tenants.push({ tenantId: 'b5f3', tenantName: 'Practice', tenantType: 'PRACTICE' });
    const { id } = (await rest('POST', '/connections', { source: 'XERO', interval_minutes: 43_200 })).body.data;
    const page = await signIn(id);
    expect(page).toContain('Xero is not linked');
    expect(page).toContain('(Demo Company, Second Company): name one');
    expect(await stateOf(id)).toMatchObject({ status: 'PENDING', status_reason: expect.stringContaining('a sign-in at Xero') });
    expect(await signIn(id, { organisation: 'second company' })).toContain('Xero is linked');
    expect((await run(id)).status).toBe('SUCCESS');
    expect(await stateOf(id)).toMatchObject({ status: 'CONNECTED', settings: { tenantId: 'a4f3' } });
    expect(new Set(xero.calls.flatMap(({ headers }) => headers['xero-tenant-id'] ?? []))).not.toContain(xero.tenants[0]!.tenantId);
  });
});

/** Sends a write and waits until its sync has ended; returns the record it made last. */
async function write(path: string, body: unknown, method = 'POST') {
  const response = await rest(method, path, body);
  expect(response.status, response.text).toBeLessThan(300);
  await endOfSync(gateway, company, response.body.data.sync_id);
  const list = path.split('/', 2).join('/');
  const last = (await listOf(list)).toSorted((a, b) => Number(a.ledger_id) - Number(b.ledger_id)).at(-1)!;
  return { ...(await whole(list, last)), ...last };
}

describe('Accounts of Xero itself', () => {
  it('say what Xero uses them for', async () => {
    only('ACCOUNT');
    xero.put('Accounts', { Code: '610', Name: 'Debtors', Type: 'CURRENT', Class: 'ASSET', SystemAccount: 'DEBTORS', Status: 'ACTIVE' });
    await connected();
    const accounts = await listOf('/accounts?order_by=nominal_code');
    expect(accounts.map(({ sub_category }) => sub_category)).toEqual(['BANK', 'REVENUE', 'DEBTORS']);
  });
});

describe('The trial balance of Xero', { timeout: 120_000 }, () => {
  const ask = async (asOf: string) => {
    const query = `query ($id: ID!, $asOf: LocalDate) { company(id: $id) { sourceTrialBalance(asOf: $asOf) {
      asOf currency incomeSince pulledAt differences rows { sourceName account { nominalCode } part source gateway difference reason } } } }`;
    return (await gateway.graphql(company.key, query, { id: String(company.id), asOf })).body;
  };

  it('is next to that of the gateway, of the same fiscal year', async () => {
    const idOf = (code: string): string => String(xero.rows('Accounts').find(({ Code }) => Code === code)!.AccountID);
    xero.put('Accounts', { Code: '610', Name: 'Debtors', Type: 'CURRENT', Class: 'ASSET', SystemAccount: 'DEBTORS', Status: 'ACTIVE' });
    xero.put('Accounts', { Code: '820', Name: 'VAT', Type: 'CURRLIAB', Class: 'LIABILITY', SystemAccount: 'GST', Status: 'ACTIVE' });
    xero.put('Accounts', { Code: '960', Name: 'Retained', Type: 'EQUITY', Class: 'EQUITY', Status: 'ACTIVE' });
    invoice({ InvoiceNumber: 'I-1', Date: xeroDate('2025-12-31') });
    invoice({ InvoiceNumber: 'I-2', Date: xeroDate('2026-03-01') });
    xero.trialBalance = (date) => [
      ['Revenue', idOf('200'), 'Sales (200)', date < '2026' ? '-6.37' : '-6.37'],
      ['Assets', idOf('610'), 'Debtors (610)', date < '2026' ? '7.64' : '15.28'],
      ['Liabilities', idOf('820'), 'VAT (820)', date < '2026' ? '-1.27' : '-2.50'],
      ['Equity', idOf('960'), 'Retained (960)', date < '2026' ? '' : '-6.37'],
      ['Equity', 'f0f0f0f0-0000-4000-8000-000000000000', 'Rounding (860)', date < '2026' ? '' : '-0.04'],
    ];
    await connected();
    expect((await ask('2025-12-31')).data.company.sourceTrialBalance).toMatchObject({
      incomeSince: '2025-01-01',
      differences: 0,
      pulledAt: expect.any(String),
    });
    const { data, errors } = await ask('2026-06-30');
    expect(errors).toBeUndefined();
    const { rows, ...report } = data.company.sourceTrialBalance;
    expect(report).toEqual({
      asOf: '2026-06-30',
      currency: 'EUR',
      incomeSince: '2026-01-01',
      pulledAt: expect.any(String),
      differences: 3,
    });
    const shown = (row: { sourceName: string; account: object; source: number; gateway: number; difference: number; reason: string }) => [
      row.sourceName,
      row.account !== null,
      row.source,
      row.gateway,
      row.difference,
      row.reason,
    ];
    expect(rows.map(shown)).toEqual([
      ['Sales (200)', true, -6.37, -6.37, 0, null],
      ['Debtors (610)', true, 15.28, 15.28, 0, null],
      ['VAT (820)', true, -2.5, -2.54, -0.04, 'DERIVED'],
      ['Retained (960)', true, -6.37, 0, 6.37, 'EARLIER_YEARS'],
      ['Rounding (860)', false, -0.04, 0, 0.04, 'ACCOUNT_NOT_STORED'],
    ]);
    expect(xero.calls.at(-1)!.path).toBe('/api.xro/2.0/Reports/TrialBalance?date=2026-06-30');
  });

  it('that the sign-in has no scope for is rejected with a message, and the connection continues', async () => {
    only('CURRENCY', 'ACCOUNT');
    const id = await connected();
    xero.failure = (_method, path) => (path.includes('/Reports/') ? 'scope' : undefined);
    const { errors } = await ask('2026-06-30');
    expect(errors[0]).toMatchObject({
      message: expect.stringContaining('accounting.reports.trialbalance.read'),
      extensions: { code: 'PLATFORM_DENIED' },
    });
    expect(await stateOf(id)).toMatchObject({ status: 'CONNECTED', status_reason: null });
  });
});

describe('The journals of Xero', { timeout: 120_000 }, () => {
  beforeEach(() => only('CURRENCY', 'ACCOUNT', 'TAX_RATE', 'ITEM', 'CONTACT', 'INVOICE', 'LEDGER_TRANSACTION'));

  const accountId = (code: string): string => String(xero.rows('Accounts').find(({ Code }) => Code === code)!.AccountID);
  const journal = (number: number, net: number, more: Record<string, unknown> = {}) =>
    xero.put('Journals', {
      JournalNumber: number,
      JournalDate: xeroDate('2026-03-01'),
      CreatedDateUTC: xeroDate('2026-03-01'),
      JournalLines: [
        { JournalLineID: `${number}a`, AccountID: accountId('090'), AccountCode: '090', NetAmount: net, GrossAmount: net, TaxAmount: 0 },
        {
          ...{ JournalLineID: `${number}b`, AccountID: accountId('200'), AccountCode: '200', Description: 'Planks' },
          ...{ NetAmount: -net, GrossAmount: -net, TaxAmount: 0, TrackingCategories: [{ Name: 'Region', TrackingCategoryID: 'T-1' }] },
        },
      ],
      ...more,
    });
  const booksOf = async () => {
    const query = `query ($id: ID!) { company(id: $id) { trialBalance(asOf: "2026-12-31") { rows { account { nominalCode } debit credit } }
      postings(first: 2) { totalCount nodes { origin date amount documentType documentId sourceNumber journal description trackingCategoryIds } } } }`;
    const { data, errors } = (await gateway.graphql(company.key, query, { id: String(company.id) })).body;
    expect(errors).toBeUndefined();
    return data.company;
  };

  it('are the postings of the company, by pages that continue after a failure, and new ones come', async () => {
    const { InvoiceID } = invoice({ InvoiceNumber: 'I-1' });
    journal(1, 7.64, { SourceID: InvoiceID, SourceType: 'ACCREC' });
    // Numbers have gaps.
    for (let number = 3; number <= 220; number++) journal(number, 0.01);
    let calls = 0;
    xero.failure = (_method, path) => (path.endsWith('/Journals') && ++calls === 2 ? 'down' : undefined);
    const id = await connected();
    expect(xero.calls.filter(({ path }) => path.includes('/Journals')).map(({ path, status }) => [path.split('=')[1], status])).toEqual(
      expect.arrayContaining([
        ['0', 200],
        ['101', 503],
        ['101', 200],
        ['201', 200],
      ]),
    );
    const books = await booksOf();
    expect(books.trialBalance.rows).toEqual([
      { account: { nominalCode: '090' }, debit: 9.82, credit: 0 },
      { account: { nominalCode: '200' }, debit: 0, credit: 9.82 },
    ]);
    const [stored] = await listOf('/invoices');
    const ofInvoice = await gateway.graphql(
      company.key,
      `query ($id: ID!) { company(id: $id) { postings(filter: { documentType: { eq: INVOICE } }) { nodes {
        origin date amount documentId sourceNumber journal description trackingCategoryIds account { nominalCode } } } } }`,
      { id: String(company.id) },
    );
    const shared = { origin: 'SOURCE', date: '2026-03-01', documentId: stored!.ledger_id, sourceNumber: '1', journal: 'ACCREC' };
    expect(books.postings.totalCount).toBe(438);
    expect(ofInvoice.body.data.company.postings.nodes).toEqual([
      { ...shared, amount: 7.64, description: null, trackingCategoryIds: [], account: { nominalCode: '090' } },
      { ...shared, amount: -7.64, description: 'Planks', trackingCategoryIds: ['T-1'], account: { nominalCode: '200' } },
    ]);
    journal(221, -7.64, { SourceID: InvoiceID, SourceType: 'ACCREC' });
    expect((await run(id)).status).toBe('SUCCESS');
    expect((await booksOf()).trialBalance.rows[0].debit).toBe(2.18);
  });

  it('that the sign-in may not read leave the postings derived, and the job says so', async () => {
    invoice({ InvoiceNumber: 'I-1' });
    xero.failure = (_method, path) => (path.endsWith('/Journals') ? 'scope' : undefined);
    const id = await connected();
    const sync = await run(id);
    expect([sync.status, (await stateOf(id)).status]).toEqual(['SUCCESS', 'CONNECTED']);
    const job = (await jobsOf(gateway, company, sync.id)).find(({ dataModel }) => dataModel === 'LEDGER_TRANSACTION');
    expect(job!.errorResponse).toMatchObject({ left_out: { 'journals that the sign-in may not read': 1 } });
    expect((await booksOf()).postings.nodes[0].origin).toBe('DERIVED');
  });
});

describe('Writes to Xero', { timeout: 120_000 }, () => {
  it('are sent with their references and a key, changed in what changed alone, and end there', async () => {
    await connected();
    const [item] = await listOf('/items');
    const accounts = await listOf('/accounts');
    const [sales, bank] = ['200', '090'].map((code) => accounts.find(({ nominal_code }) => nominal_code === code)!);
    const [tax] = await listOf('/tax_rates');
    const contact = await write('/contacts', {
      name: 'Bolt',
      contact_name: 'Bo Lt',
      phone: '123',
      addresses: [{ type: 'PRIMARY', city: 'York' }],
    });
    expect(contact).toMatchObject({ source_state: 'IN_SYNC', platform_id: xero.rows('Contacts')[0]!.ContactID, contact_name: 'Bo Lt' });
    const line = {
      description: 'P',
      quantity: 2,
      unit_amount: 1.2345,
      item_id: item!.ledger_id,
      account_id: sales!.ledger_id,
      tax_id: tax!.ledger_id,
    };
    const document = { contact_id: contact.ledger_id, posted_date: '2026-04-01T00:00:00Z', line_items: [line] };
    const sent = await write('/invoices', { ...document, document_number: 'N-1', status: 'SUBMITTED', is_tax_inclusive: false });
    expect(xero.rows('Invoices')[0]).toMatchObject({
      Type: 'ACCREC',
      Status: 'AUTHORISED',
      Contact: { ContactID: contact.platform_id },
      LineItems: [{ ItemCode: 'PLANK', AccountCode: '200', TaxType: 'OUTPUT2', UnitAmount: 1.2345 }],
    });
    expect(sent).toMatchObject({ source_state: 'IN_SYNC', total_amount: 2.96, line_items: [{ tax_amount: 0.49, total_amount: 2.96 }] });
    for (const [path, body] of [
      ['/bills', { ...document, document_number: 'V-1' }],
      ['/purchase_orders', document],
      ['/estimates', document],
      ['/items', { code: 'NAIL', name: 'Nail', price: 0.0125 }],
    ] as const)
      expect(await write(path, body), path).toMatchObject({
        source_state: 'IN_SYNC',
        platform_id: expect.stringMatching(/^[\da-f-]{36}$/),
      });
    const payment = await write('/payments', {
      account_id: bank!.ledger_id,
      total_amount: 1.5,
      transaction_date: '2026-04-02T00:00:00Z',
      allocations: [{ document_type: 'INVOICE', document_id: sent.ledger_id, amount: 1.5 }],
    });
    expect(payment).toMatchObject({ source_state: 'IN_SYNC' });
    expect(xero.rows('Payments')[0]).toMatchObject({ Amount: 1.5, Account: { Code: '090' }, Invoice: { InvoiceID: sent.platform_id } });

    xero.calls.length = 0;
    const changed = await write(`/invoices/${sent.ledger_id}`, { due_date: '2026-05-01T00:00:00Z' }, 'PUT');
    expect(changed).toMatchObject({ source_state: 'IN_SYNC', due_date: '2026-05-01T00:00:00.000Z' });
    const [change] = xero.calls.filter(({ method }) => method === 'POST');
    expect(JSON.parse(change!.body!)).toEqual({ Invoices: [{ InvoiceID: sent.platform_id, DueDate: '2026-05-01' }] });
    expect((await rest('DELETE', `/invoices/${sent.ledger_id}`)).status).toBe(204);
    expect((await rest('DELETE', `/payments/${payment.ledger_id}`)).status).toBe(204);
    await until(async () => xero.rows('Invoices').some(({ InvoiceID, Status }) => InvoiceID === sent.platform_id && Status === 'VOIDED'));
    await until(async () => xero.rows('Payments')[0]!.Status === 'DELETED');
  });

  it('name the fields that Xero does not take, and none that it computes alike', async () => {
    await connected();
    const left = { source_state: 'IN_SYNC', source_error: 'the source does not take type, website' };
    const contact = await write('/contacts', { name: 'Bolt', type: 'CUSTOMER', website: 'https://bolt.example' });
    expect(contact).toMatchObject(left);
    expect(await write(`/contacts/${contact.ledger_id}`, { name: 'Bolts' }, 'PUT')).toMatchObject({ ...left, source_error: null });
    expect(await write(`/contacts/${contact.ledger_id}`, { type: 'VENDOR' }, 'PUT')).toMatchObject({
      ...left,
      source_error: 'the source does not take type',
    });
    const [account] = await listOf('/accounts');
    const line = { description: 'P', quantity: 2, unit_amount: 1.5, account_id: account!.ledger_id };
    const invoice = { contact_id: contact.ledger_id, posted_date: '2026-04-01T00:00:00Z', line_items: [line], sub_total: 3 };
    expect(await write('/invoices', { ...invoice, total_amount: 3 })).toMatchObject({ source_state: 'IN_SYNC', source_error: null });
    expect(await write('/invoices', { ...invoice, total_amount: 4 })).toMatchObject({
      source_state: 'IN_SYNC',
      source_error: 'the source does not take total_amount',
      total_amount: 3,
    });
  });

  it('that Xero rejects fail in its words, and what cannot be said there in ours', async () => {
    only('CONTACT', 'ITEM', 'PAYMENT');
    await connected();
    xero.refuses = ({ Name }) => (Name === 'Bad' ? 'Email address must be valid.' : undefined);
    for (const [path, body, words] of [
      ['/contacts', { name: 'Bad' }, 'Email address must be valid.'],
      ['/items', { name: 'No code' }, 'An item needs a code in Xero'],
      [
        '/payments',
        { total_amount: 1 },
        'Xero takes no new PAYMENT record without account_id, allocations.document_id, allocations.document_type',
      ],
    ] as const)
      expect(await write(path, body), path).toMatchObject({ source_state: 'PUSH_FAILED', source_error: words });
  });

  it.each(['it remembers their keys', 'it has forgotten their keys'])('whose response was lost are made once, where %s', async (memory) => {
    only('CONTACT');
    await connected();
    let lost = 0;
    xero.failure = (method, path) => {
      const isFirst = method === 'PUT' && path.endsWith('/Contacts') && lost++ === 0;
      return isFirst ? 'lose' : undefined;
    };
    const sent = write('/contacts', { name: 'Once' });
    await until(async () => lost > 0);
    if (memory.includes('forgotten')) xero.forgetKeys();
    expect(await sent).toMatchObject({ source_state: 'IN_SYNC' });
    expect(xero.rows('Contacts')).toHaveLength(1);
  });
});

describe('The limits of Xero', { timeout: 120_000 }, () => {
  beforeEach(() => only('TAX_RATE', 'ACCOUNT', 'CONTACT'));

  it('pause a run that continues where it was, and no call of the connection is made in the meantime', async () => {
    const id = await connected();
    xero.retryAfterSeconds = 3;
    let refused = 0;
    xero.failure = (_method, path) => (path.endsWith('/TaxRates') && refused++ === 0 ? 'day' : undefined);
    const sync = (await rest('POST', `/connections/${id}/sync`)).body.data.id;
    const em = gateway.services.database.orm.em.fork();
    const pause = { id, callsPausedUntil: { $ne: null } };
    const paused = await until(() => em.findOne(Connection, pause, { filters: { tenant: false } }).then((found) => found ?? undefined));
    expect(refused).toBe(1);
    // Other work of the connection waits too.
    await write('/contacts', { name: 'Waits' });
    expect((await endOfSync(gateway, company, sync)).status).toBe('SUCCESS');
    const at = xero.calls.findIndex(({ status }) => status === 429);
    expect(xero.calls[at + 1]!.at).toBeGreaterThanOrEqual(paused.callsPausedUntil!.getTime());
    expect(xero.calls.slice(at + 1).map(({ status }) => status)).not.toContain(429);
    expect(await stateOf(id)).toMatchObject({ status: 'CONNECTED' });
    expect(xero.rows('Contacts')).toHaveLength(1);
  });

  it('a source that failed five times in a row is left alone for a while, by all processes, and the connection says so', async () => {
    const id = await connected();
    // Once the first run of the schedule is over, the next one is weeks away, and no other call of the connection checks whether the source is back.
    const inADay = gateway.clock.now().getTime() + 86_400_000;
    await until(async () => Date.parse((await stateOf(id)).next_run_at) > inADay);
    expect((await run(id)).status).toBe('SUCCESS');
    const { signal } = new AbortController();
    /** A call by a process that has just opened the connection. */
    const call = async (): Promise<string> => {
      const em = gateway.services.database.orm.em.fork();
      const stored = await em.findOneOrFail(Connection, { id }, { filters: { tenant: false } });
      const gate = callGate(gateway.services, { connection: { ...stored, callsPausedUntil: null }, address: '', limits: undefined });
      const { http, close } = openSourceHttp({ privateHosts: ['127.0.0.1'], signal, now: () => gateway.clock.now(), gate });
      return http({ url: 'http://127.0.0.1:9/' })
        .then(
          () => 'responded',
          (error: Error) => error.message,
        )
        .finally(close);
    };
    /** Its own calls: the gateway has connections of other tests. */
    const made = (): number => xero.calls.filter(({ headers }) => headers['xero-tenant-id'] === xero.tenants[0]!.tenantId).length;
    const before = made();
    for (let count = 0; count < 5; count++) expect(await call()).toContain('cannot be reached');
    expect(await call()).toMatch(/failed 5 times in a row/);
    expect((await run(id)).status).toBe('FAILED');
    expect(made()).toBe(before);
    const { status, status_reason: reason } = await stateOf(id);
    expect([status, reason]).toEqual(['ERROR', expect.stringMatching(/failed 5 times in a row and is not called before \d{4}-/)]);
    gateway.clock.advance(60_000);
    // The next failure pauses for longer, and a success ends it.
    expect(await call()).toContain('cannot be reached');
    gateway.clock.advance(60_000);
    expect(await call()).toMatch(/failed 6 times in a row/);
    gateway.clock.advance(60_000);
    expect((await run(id)).status).toBe('SUCCESS');
    expect(await stateOf(id)).toMatchObject({ status: 'CONNECTED', status_reason: null });
  });
});

describe('A sign-in at Xero', { timeout: 120_000 }, () => {
  beforeEach(() => only('CONTACT'));

  it('that was revoked needs a new one, and writes that waited are sent after it', async () => {
    const id = await connected();
    xero.revoke();
    xero.authorisation.revoke();
    expect((await run(id)).status).toBe('FAILED');
    expect(await stateOf(id)).toMatchObject({
      status: 'NEEDS_REAUTH',
      status_reason: expect.stringContaining('open the link of the connection to sign in again'),
    });
    await rest('POST', '/contacts', { name: 'Later' });
    await signIn(id);
    expect((await run(id)).status).toBe('SUCCESS');
    expect(await stateOf(id)).toMatchObject({ status: 'CONNECTED' });
    await until(async () => (await listOf('/contacts')).every(({ source_state }) => source_state === 'IN_SYNC'));
    expect(xero.rows('Contacts')).toHaveLength(1);
  });

  it('whose token ends in the middle of a run is renewed there', async () => {
    for (let index = 0; index < 300; index++) xero.put('Contacts', { Name: `C ${index}`, ContactStatus: 'ACTIVE' });
    xero.authorisation.expiresIn = 1_800;
    const id = await connected();
    xero.authorisation.renewed.length = 0;
    let pages = 0;
    xero.failure = (_method, path) => {
      if (path.endsWith('/Contacts') && pages++ === 1) {
        xero.revoke();
        gateway.clock.advance(1_800_000);
      }
      return undefined;
    };
    const sync = (await rest('POST', `/connections/${id}/sync?full_sync=true`)).body.data.id;
    expect((await endOfSync(gateway, company, sync)).status).toBe('SUCCESS');
    expect(xero.authorisation.renewed.length).toBeGreaterThan(0);
  });
});

describe('A rejection of Xero', { timeout: 120_000 }, () => {
  beforeEach(() => only('CONTACT', 'INVOICE', 'BILL'));

  it('differs by its reason: access that was revoked, an organisation that has ended, the role of the person, a scope', async () => {
    const id = await connected();
    const run403 = async (failure: Xero['failure']) => {
      xero.failure = failure;
      const { status } = await run(id);
      const state = await stateOf(id);
      return [status, state.status, state.status_reason];
    };
    const ofInvoices =
      (kind: 'scope' | 'forbidden'): Xero['failure'] =>
      (_method, path) =>
        path.includes('/Invoices') ? kind : undefined;
    expect(await run403(ofInvoices('forbidden'))).toEqual([
      'PARTIAL_SUCCESS',
      'CONNECTED',
      expect.stringMatching(/^(INVOICE, BILL|BILL, INVOICE) cannot be pulled: Your role does not allow this\./),
    ]);
    expect(await run403(ofInvoices('scope'))).toEqual([
      'PARTIAL_SUCCESS',
      'CONNECTED',
      expect.stringMatching(
        /^(INVOICE, BILL|BILL, INVOICE) cannot be pulled: this sign-in may not read Invoices of Xero: .*\(accounting\.invoices\)/,
      ),
    ]);
    expect(await run403(() => 'out')).toEqual(['FAILED', 'ERROR', expect.stringContaining('its trial or subscription has ended')]);
    const { tenants } = xero;
    xero.tenants = [];
    expect(await run403(() => undefined)).toEqual(['FAILED', 'NEEDS_REAUTH', expect.stringContaining('reaches no organisation in Xero')]);
    xero.tenants = tenants;
    expect(await run403(() => undefined)).toEqual(['SUCCESS', 'CONNECTED', null]);
  });
});

describe('The end of a connection to Xero', { timeout: 120_000 }, () => {
  beforeEach(() => only('CONTACT'));

  async function disconnect(): Promise<void> {
    const { headers } = company;
    const request = await gateway.send('POST', '/v4/core/disconnect-requests', { headers, body: { data: { company_id: company.id } } });
    const path = `/v4/core/disconnect-requests/${request.body.data.ledger_id}/approve`;
    const approved = await gateway.send('POST', path, { headers, body: {} });
    expect(approved.status, approved.text).toBe(200);
  }
  const stored = async (id: string) =>
    gateway.services.database.orm.em.fork().findOne(Connection, { id }, { filters: { tenant: false }, refresh: true });
  const tokensOf = async (id: string): Promise<string[]> => {
    const sealed = (await stored(id))?.sealedCredentials;
    return sealed ? Object.keys(JSON.parse(gateway.services.secrets.open(sealed, id))).sort() : [];
  };
  const forgotten = (id: string) => until(async () => (await stored(id))!.sealedCredentials === null);
  const ended = () => xero.calls.filter(({ method }) => method === 'DELETE').map(({ path, status }) => [path.split('/')[1], status]);
  const second = () => ({ tenantId: randomUUID(), tenantName: 'Second', tenantType: 'ORGANISATION' });

  it('ends the access to the organisation, and then the tokens, which are renewed for that', async () => {
    const id = await connected();
    const given = xero.authorisation.token;
    gateway.clock.advance(1_800_000);
    await disconnect();
    await forgotten(id);
    expect(ended()).toEqual([['connections', 204]]);
    expect(xero.authorisation.token).not.toBe(given);
    expect([xero.tenants, xero.authorisation.revoked]).toEqual([[], [expect.stringMatching(/^[\da-f-]{36}$/)]]);
    // The token that was revoked is the one that was still valid.
    expect(xero.authorisation.renewed).not.toContain(xero.authorisation.revoked[0]);
    expect(await stateOf(id)).toMatchObject({ status: 'DISCONNECTED', status_reason: 'a disconnect request was approved' });
  });

  it('leaves the other organisations of the sign-in their access, which revoked tokens would end', async () => {
    xero.tenants.push(second());
    const id = await connected({ organisation: 'Second' });
    await disconnect();
    await forgotten(id);
    expect([xero.tenants.map(({ tenantName }) => tenantName), xero.authorisation.revoked]).toEqual([['Demo Company'], []]);
  });

  it('leaves an organisation its access to which another company is connected', async () => {
    const kept = await connected();
    company = await buildCompany(gateway);
    const id = await connected();
    await disconnect();
    await forgotten(id);
    expect([xero.tenants.length, ended(), xero.authorisation.revoked]).toEqual([1, [], []]);
    expect((await stored(kept))!.status).toBe('CONNECTED');
  });

  it('does not wait for Xero, and tries again what Xero did not take', async () => {
    const id = await connected();
    let asked = 0;
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isDown = true;
    xero.authorisation.beforeRevocation = async () => {
      asked++;
      await released;
      return isDown ? 503 : undefined;
    };
    await disconnect();
    await until(async () => asked > 0);
    expect(await stateOf(id)).toMatchObject({ status: 'DISCONNECTED', status_reason: 'a disconnect request was approved' });
    expect(await tokensOf(id)).toEqual(['accessToken', 'accessTokenExpiresAt', 'refreshToken']);
    release();
    const reason = await until(async () => (await stateOf(id)).status_reason.split('; ')[1]);
    expect(reason).toMatch(/^the source has not ended the sign-in yet: .*503/);
    isDown = false;
    await endPauses(gateway.services, 'sign-in-revocation');
    await until(async () => (await stateOf(id)).status_reason === 'a disconnect request was approved');
    expect([await tokensOf(id), xero.authorisation.revoked.length]).toEqual([[], 1]);
  });

  it('that Xero never takes is reported, and the tokens are destroyed', async () => {
    const id = await connected();
    xero.authorisation.beforeRevocation = async () => 400;
    await disconnect();
    const { organisationId, companyId } = (await stored(id))!;
    const payload = { organisationId, companyId, connectionId: id };
    const { handler } = signInRevocation(gateway.services);
    const last = {
      id: '',
      attempt: 1_000,
      signal: new AbortController().signal,
      queue: gateway.services.queue,
      completeIn: async () => {},
    };
    await handler(payload, last);
    expect(await tokensOf(id)).toEqual([]);
    expect((await stateOf(id)).status_reason).toBe(
      'a disconnect request was approved; the source did not end the sign-in: the source rejected the sign-in: temporarily_unavailable',
    );
  });

  it('has ended where the person has ended it at Xero', async () => {
    const id = await connected();
    xero.revoke();
    xero.authorisation.revoke();
    await disconnect();
    await forgotten(id);
    await until(async () => (await stateOf(id)).status_reason === 'a disconnect request was approved');
  });

  it('keeps the rows of a company that is removed until Xero has taken it', async () => {
    const id = await connected();
    let isDown = true;
    xero.authorisation.beforeRevocation = async () => (isDown ? 503 : undefined);
    await disconnect();
    const { name } = (await gateway.send('GET', company.base, { headers: company.headers })).body.data;
    const removed = await gateway.send('DELETE', `${company.base}?name=${encodeURIComponent(name)}`, { headers: company.headers });
    expect(removed.status, removed.text).toBe(204);
    await until(async () => (await stored(id))!.statusReason!.includes('503'));
    isDown = false;
    await until(async () => {
      for (const task of ['sign-in-revocation', 'company-removal']) await endPauses(gateway.services, task);
      return (await stored(id)) === null;
    });
    expect(xero.authorisation.revoked).toHaveLength(1);
  });
});

describe('connector check', { timeout: 120_000 }, () => {
  it('takes an access token where the source is signed in to, and writes nothing', async () => {
    const contact = xero.put('Contacts', { Name: 'Checked', ContactStatus: 'ACTIVE' });
    invoice({ ContactID: contact.ContactID, InvoiceNumber: 'INV-9' });
    xero.authorisation.onToken('a token');
    const check = async (settings: Record<string, string>) => {
      const found = [];
      const request = { settings, privateHosts: ['127.0.0.1'], signal: new AbortController().signal, coercerOf: modelCoercer };
      for await (const finding of checkConnector(xeroAt(xero.hosts), { ...request, schema: gateway.services.schema })) found.push(finding);
      return found;
    };
    const findings = await check({ accessToken: 'a token' });
    expect(findings.filter(({ isGood }) => !isGood)).toEqual([]);
    expect(findings.map(({ what }) => what)).toEqual(expect.arrayContaining(['connection', 'INVOICE', 'TAX_RATE', 'JOURNAL_ENTRY']));
    expect((await check({})).at(-1)).toMatchObject({ isGood: false, words: expect.stringContaining('`accessToken`') });
    expect(xero.calls.filter(({ method }) => method !== 'GET')).toEqual([]);
  });
});

describe('POST /hooks/{connection}', { timeout: 120_000 }, () => {
  beforeEach(() => only('ACCOUNT', 'CONTACT'));

  const sign = (body: string, key = WEBHOOK_KEY): string => createHmac('sha256', key).update(body).digest('base64');
  const send = (id: string, body: string, signature: string | undefined) =>
    gateway.send('POST', `/hooks/${id}`, {
      headers: { 'content-type': 'application/json', ...(signature ? { 'x-xero-signature': signature } : {}) },
      raw: body,
    });
  const events = (...entries: object[]): string =>
    JSON.stringify({ events: entries, firstEventSequence: 1, lastEventSequence: entries.length, entropy: 'S0m3r4Nd0mt3xt' });

  it('takes what Xero has signed, its check of intent too, and rejects everything else', async () => {
    const id = await connected();
    const check = events();
    const good = await send(id, check, sign(check));
    expect([good.status, good.text, good.headers.get('set-cookie')]).toEqual([200, '', null]);
    for (const signature of [undefined, '', 'x', sign(check, 'another key'), sign(`${check} `)]) {
      const response = await send(id, check, signature);
      expect([response.status, response.body.error?.error_code], response.text).toEqual([401, 'UNAUTHENTICATED']);
    }
    for (const body of ['', 'null', '[]', '{"events":1}', '{"events":[null,{"tenantId":1},{"eventCategory":"__proto__"}]}', '\u0000'])
      expect((await send(id, body, sign(body))).status, body).toBe(200);
    const large = `{"events":[],"entropy":"${'x'.repeat(1_100_000)}"}`;
    expect((await send(id, large, sign(large))).status).toBe(413);
    expect((await gateway.send('GET', `/hooks/${id}`)).status).toBe(405);
    for (const unknown of ['connection_unknown', id.slice(0, -1)]) {
      const response = await send(unknown, check, sign(check));
      expect([response.status, response.body.error?.error_code], response.text).toEqual([404, 'RECORD_NOT_FOUND']);
    }
  });

  it('is described in the OpenAPI document of the integrations API', async () => {
    const { paths } = (await gateway.send('GET', '/openapi/integrations.json')).body;
    expect(paths['/hooks/{connection}'].post).toMatchObject({ security: [], responses: { 200: {}, 401: {}, 404: {}, 413: {} } });
  });

  it('starts a run of what changed at the connections of that organisation alone', async () => {
    const id = await connected();
    const { tenantId } = xero.tenants[0]!;
    const contact = xero.put('Contacts', { Name: 'Told', ContactStatus: 'ACTIVE' });
    xero.calls.length = 0;
    const event = { eventCategory: 'CONTACT', eventType: 'UPDATE', resourceId: contact.ContactID };
    const other = events({ ...event, tenantId: 'another' });
    expect((await send(id, other, sign(other))).status).toBe(200);
    const body = events({ ...event, tenantId }, { ...event, tenantId });
    expect((await send(id, body, sign(body))).status).toBe(200);
    await until(async () => (await listOf('/contacts')).some(({ platform_id }) => platform_id === contact.ContactID));
    expect(new Set(xero.calls.map(({ path }) => path.split('?')[0]))).toEqual(new Set(['/api.xro/2.0/Contacts']));
  });
});

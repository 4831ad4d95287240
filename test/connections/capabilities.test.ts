// What connectors say of themselves: on both endpoints, on the coverage page, and in what they pull and send.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COVERAGE, coverageText } from '../../rest-compat/openapi/coverage.ts';
import { accountingSystems, connectorsOf } from '../../src/integrations/connections/connectors.ts';
import type { Connector } from '../../src/integrations/connectors/connector.ts';
import { openSourceHttp } from '../../src/integrations/connectors/source-http.ts';
import { tryton } from '../../src/integrations/connectors/tryton/tryton.ts';
import { xero, xeroAt } from '../../src/integrations/connectors/xero/xero.ts';
import { recordFields } from '../../src/integrations/ledger/record-fields.ts';
import { packagePath } from '../../src/runtime/package-root.ts';
import { useGateway } from '../support/gateway.ts';
import { watched } from '../support/watched.ts';
import { startXero, type Xero, type XeroRow } from '../support/xero.ts';

const gateway = useGateway();
const QUERY = `query ($source: String!) {
  connectors { source models { dataModel pull create update delete fields { name pull push required } } }
  connector(source: $source) { source models { dataModel fields { name pull push required } } }
}`;

describe('the connectors on both endpoints', () => {
  it('show the models and fields that the definitions declare', async () => {
    const key = await gateway.key(['INTEGRATIONS']);
    const { body } = await gateway.graphql(key, QUERY, { source: 'TRYTON' });
    expect(body.errors).toBeUndefined();
    const declared = [...connectorsOf(gateway.services).values()].map(({ source, capabilities }) => ({ source, models: capabilities }));
    expect(body.data.connectors).toEqual(declared);
    expect(body.data.connector.models.map(({ dataModel }: { dataModel: string }) => dataModel)).toEqual(
      tryton.capabilities.map(({ dataModel }) => dataModel),
    );
    const rest = await gateway.send('GET', '/v4/core/connectors', { headers: { api_key: key } });
    expect(rest.status, rest.text).toBe(200);
    const [first] = rest.body.data.filter(({ source }: { source: string }) => source === 'TRYTON');
    expect(first.models).toEqual(tryton.capabilities.map(({ dataModel, ...model }) => ({ data_model: dataModel, ...model })));
    const one = await gateway.send('GET', '/v4/core/connectors/xero', { headers: { api_key: key } });
    expect(one.body.data).toMatchObject({ source: 'XERO', title: 'Xero' });
    const none = await gateway.send('GET', '/v4/core/connectors/nobody', { headers: { api_key: key } });
    expect(none.status).toBe(404);
  });

  it('name fields that the records have, each once, and required ones that are sent', () => {
    for (const { source, capabilities } of connectorsOf(gateway.services).values())
      for (const { dataModel, fields } of capabilities) {
        const names = fields.map(({ name }) => name);
        expect(names, `${source} ${dataModel}`).toEqual([...new Set(names)].sort());
        expect(
          names.filter((name) => !recordFields(dataModel).includes(name)),
          `${source} ${dataModel}`,
        ).toEqual([]);
        expect(fields.filter(({ required, push }) => required && !push)).toEqual([]);
        expect(fields.filter(({ pull, push }) => !pull && !push)).toEqual([]);
      }
  });

  it('are on the coverage page (npm run contracts writes it)', () => {
    expect(readFileSync(packagePath(COVERAGE), 'utf8')).toBe(coverageText(accountingSystems));
  });
});

describe('the connector to Xero', () => {
  let server: Xero;
  let connector: Connector;
  const definition = () => xeroAt(server.hosts);
  const out = openSourceHttp({ privateHosts: ['127.0.0.1'], signal: new AbortController().signal, now: () => new Date() });

  beforeAll(async () => {
    server = await startXero();
    server.perWindow = Number.POSITIVE_INFINITY;
    const [tenant] = server.tenants;
    server.authorisation.onToken('token');
    const session = {
      company: { organisationId: 1, ledgerId: 1, integrationType: 'XERO' },
      settings: { tenantId: tenant!.tenantId, tenantName: tenant!.tenantName },
      http: out.http,
      accessToken: async () => 'token',
      saveSettings: async () => {},
      signal: new AbortController().signal,
    };
    connector = definition().open(session);
    const account = server.put('Accounts', { Code: '200', Name: 'Sales', Class: 'REVENUE', Status: 'ACTIVE' });
    const bank = server.put('Accounts', { Code: '090', Name: 'Bank', Class: 'ASSET', Status: 'ACTIVE' });
    server.put('TaxRates', { TaxType: 'OUTPUT2', Name: '20%', Status: 'ACTIVE', EffectiveRate: 20 });
    server.put('Currencies', { Code: 'EUR', Description: 'Euro' });
    server.put('Items', { Code: 'PLANK', Name: 'Plank', SalesDetails: { UnitPrice: 2 } });
    const contact = server.put('Contacts', {
      Name: 'Ann',
      Addresses: [{ AddressType: 'STREET', City: 'Kent' }],
      Phones: [{ PhoneType: 'DEFAULT', PhoneNumber: '1' }],
    });
    const line = { Description: 'Planks', Quantity: 1, UnitAmount: 2, AccountCode: '200', TaxType: 'OUTPUT2', ItemCode: 'PLANK' };
    const document = { Contact: { ContactID: contact.ContactID }, Date: '2026-01-02', LineItems: [line] };
    const made: XeroRow[] = ['ACCREC', 'ACCPAY'].map((Type) => server.put('Invoices', { ...document, Type, InvoiceNumber: Type }));
    for (const Type of ['ACCRECCREDIT', 'ACCPAYCREDIT']) server.put('CreditNotes', { ...document, Type });
    server.put('PurchaseOrders', document);
    server.put('Quotes', document);
    const BankAccount = { AccountID: bank.AccountID };
    server.put('BankTransactions', { ...document, Type: 'SPEND', BankAccount, Status: 'AUTHORISED' });
    server.put('Payments', { PaymentType: 'ACCRECPAYMENT', Invoice: made[0], Account: BankAccount, Amount: 2, Date: '2026-01-03' });
    server.put('Journals', {
      JournalNumber: 1,
      JournalDate: '2026-01-02',
      SourceID: made[0]!.InvoiceID,
      SourceType: 'ACCREC',
      JournalLines: [{ AccountID: account.AccountID, Description: 'Planks', NetAmount: 2, TrackingCategories: [] }],
    });
    server.put('ManualJournals', { Narration: 'Moved', Status: 'POSTED', JournalLines: [{ LineAmount: 1, AccountID: account.AccountID }] });
  });
  afterAll(async () => {
    await out.close();
    await server.stop();
  });

  const pulled = async (dataModel: string): Promise<Record<string, unknown>> => {
    for await (const { records } of connector.pull({ dataModel, cursor: null, since: null, isFull: true })) return records[0]!;
    throw new Error(`no ${dataModel}`);
  };
  const memberNames = (record: Record<string, unknown>): string[] =>
    Object.entries(record).flatMap(([name, value]) => {
      const [child] = Array.isArray(value) ? value : [];
      return typeof child === 'object' && child !== null && name !== 'components'
        ? Object.keys(child).map((inner) => `${name}.${inner}`)
        : [name];
    });

  it.each(xero.capabilities.map(({ dataModel }) => dataModel))('pulls every declared field of %s', async (dataModel) => {
    const { fields } = xero.capabilities.find((one) => one.dataModel === dataModel)!;
    const names = memberNames(await pulled(dataModel));
    // Custom fields come by the rules of a connection.
    names.push('custom_fields');
    expect(fields.filter(({ name, pull }) => pull && !names.includes(name)).map(({ name }) => name)).toEqual([]);
  });

  const written = xero.capabilities.filter(({ create }) => create);
  it.each(written.map(({ dataModel }) => dataModel))('sends every declared field of %s, and no other', async (dataModel) => {
    const { fields } = written.find((one) => one.dataModel === dataModel)!;
    const base = await pulled(dataModel);
    const used = new Set<string>();
    // An item without a code has its sku, and a line without a quantity its amount, with or without tax.
    const lines = ((base.line_items ?? []) as object[]).map((line) => ({ ...line, quantity: null }));
    const forms = [base, { ...base, code: null, sku: 'PLANK' }, { ...base, line_items: lines }];
    for (const form of [
      ...forms,
      { ...base, is_tax_inclusive: true, line_items: lines.map((line) => ({ ...line, is_tax_inclusive: true })) },
    ]) {
      const given = watched(form);
      const request = { dataModel, operation: 'CREATE', platformId: null, record: given.record, idempotencyKey: randomUUID() } as const;
      await connector.push!(request).catch(() => {});
      for (const name of given.used) used.add(name);
    }
    const sent = fields.filter(({ push }) => push).map(({ name }) => name);
    expect(sent.filter((name) => !used.has(name))).toEqual([]);
    // Lines are known by their ids, lists by their own names; a discount is read to be rejected where lines have none.
    const own = new Set([...sent, ...sent.map((name) => name.split('.')[0]), 'line_items.platform_id', 'line_items.name']);
    expect([...used].filter((name) => !own.has(name) && !name.endsWith('.discount_amount'))).toEqual([]);
  });

  it.each(written.map(({ dataModel }) => dataModel))('creates no %s without a required field', async (dataModel) => {
    const required = written.find((one) => one.dataModel === dataModel)!.fields.filter((field) => field.required);
    const base = await pulled(dataModel);
    for (const { name } of required) {
      const request = {
        dataModel,
        operation: 'CREATE',
        platformId: null,
        record: { ...base, [name.split('.')[0]!]: null },
        idempotencyKey: name,
      } as const;
      await expect(connector.push!(request)).rejects.toMatchObject({ code: 'PLATFORM_DENIED', message: expect.stringContaining(name) });
    }
  });
});

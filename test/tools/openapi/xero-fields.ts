// The closed count of Xero's fields: every property that the published OpenAPI description gives the records of the connector is mapped to a
// field, is in `rawData`, or is left out for a reason that is listed here. XERO_OPENAPI=FILE node xero-fields.ts
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Connector, SourceRecord, SourceRequest, SourceResponse } from '../../../src/integrations/connectors/connector.ts';
import { keepingFacts } from '../../../src/integrations/connectors/source-facts.ts';
import { xero } from '../../../src/integrations/connectors/xero/xero.ts';

// The gateway's own: the packages of this folder bring an older one with them.
const { load } = createRequire(new URL('../../../package.json', import.meta.url))('js-yaml') as { load: (text: string) => unknown };

const LACKING = 3;

interface Schema {
  $ref?: string;
  type?: string;
  format?: string;
  'x-is-msdate'?: boolean;
  'x-is-msdate-time'?: boolean;
  enum?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
}
type Row = Record<string, unknown>;

const file = process.env.XERO_OPENAPI;
if (!file) {
  console.log('XERO_OPENAPI names no description of Xero (xero_accounting.yaml of XeroAPI/Xero-OpenAPI)');
  process.exit(LACKING);
}
const { info, components } = load(readFileSync(file, 'utf8')) as {
  info: { version: string };
  components: { schemas: Record<string, Schema> };
};

/** The lists of each data model, with the schema of their rows and what makes a row one of the data model. */
const LISTS: Readonly<Record<string, readonly (readonly [list: string, schema: string, own?: Row])[]>> = {
  CURRENCY: [['Currencies', 'Currency']],
  ACCOUNT: [['Accounts', 'Account']],
  TAX_RATE: [['TaxRates', 'TaxRate']],
  CONTACT: [['Contacts', 'Contact']],
  ITEM: [['Items', 'Item']],
  ESTIMATE: [['Quotes', 'Quote']],
  PURCHASE_ORDER: [['PurchaseOrders', 'PurchaseOrder']],
  INVOICE: [['Invoices', 'Invoice', { Type: 'ACCREC' }]],
  BILL: [['Invoices', 'Invoice', { Type: 'ACCPAY' }]],
  INVOICE_CREDIT_NOTE: [['CreditNotes', 'CreditNote', { Type: 'ACCRECCREDIT' }]],
  BILL_CREDIT_NOTE: [['CreditNotes', 'CreditNote', { Type: 'ACCPAYCREDIT' }]],
  PAYMENT: [
    ['Payments', 'Payment', { PaymentType: 'ACCRECPAYMENT' }],
    ['Overpayments', 'Overpayment', { Type: 'RECEIVE-OVERPAYMENT' }],
    ['Prepayments', 'Prepayment', { Type: 'RECEIVE-PREPAYMENT' }],
  ],
  BANK_TRANSACTION: [['BankTransactions', 'BankTransaction', { Type: 'RECEIVE' }]],
  EXPENSE: [['BankTransactions', 'BankTransaction', { Type: 'SPEND' }]],
  JOURNAL_ENTRY: [['ManualJournals', 'ManualJournal']],
  LEDGER_TRANSACTION: [['Journals', 'Journal']],
};

/** Why nothing of a record is kept besides its fields. */
const WITHOUT_RAW: Readonly<Record<string, string>> = {
  LEDGER_TRANSACTION: 'transactions are the largest part of the books, and have their fields alone',
};

/** Schemas of records of their own: within another record they count as one property. */
const RECORDS = new Set(Object.values(LISTS).flatMap((lists) => lists.map(([, schema]) => schema)));
const nameOf = ({ $ref = '' }: Schema): string => $ref.split('/').at(-1)!;
const resolved = (schema: Schema): Schema => (schema.$ref ? components.schemas[nameOf(schema)]! : schema);

/** A value of a schema that has every property. Another record in it has those that are no objects. */
function sample(schema: Schema, depth = 0): unknown {
  const { type, format, enum: words, properties, items, ...more } = resolved(schema);
  const isOther = depth > 0 && RECORDS.has(nameOf(schema));
  const isPlain = (property: Schema): boolean => !resolved(property).properties && !resolved(property).items;
  if (properties) {
    const members = Object.entries(properties).filter(([, property]) => !isOther || isPlain(property));
    return Object.fromEntries(members.map(([name, property]) => [name, sample(property, depth + 1)]));
  }
  if (items) return [sample(items, depth + 1)];
  if (words) return words.find((word) => !/DELETED|VOIDED|ARCHIVED/.test(word)) ?? words[0];
  if (type === 'boolean') return true;
  if (type === 'number' || type === 'integer') return 12;
  if (format === 'uuid') return '00000000-0000-4000-8000-000000000001';
  return /date/.test(format ?? '') || more['x-is-msdate'] || more['x-is-msdate-time'] ? '2026-03-01T00:00:00' : 'EUR';
}

/** The paths of the properties of a schema, without those of other records in it. */
const pathsOf = (schema: Schema, path: readonly string[] = []): string[][] =>
  Object.entries(resolved(schema).properties ?? {}).flatMap(([name, property]) => {
    const inner = property.items ?? property;
    const own = [...path, name];
    const isNested = resolved(inner).properties !== undefined && !RECORDS.has(nameOf(inner)) && own.length < 3;
    return [own, ...(isNested ? pathsOf(inner, own) : [])];
  });

const holderOf = (row: unknown, path: readonly string[]): Row | undefined =>
  path.slice(0, -1).reduce<unknown>((value, name) => {
    const member = (value as Row | undefined)?.[name];
    return Array.isArray(member) ? member[0] : member;
  }, row) as Row | undefined;

const other = (value: unknown): unknown => {
  if (typeof value === 'string')
    return /^\d{4}-/.test(value) ? '2025-02-03T00:00:00' : /^[\da-f-]{36}$/.test(value) ? value.replace(/1$/, '2') : 'USD';
  return typeof value === 'number' ? value + 1 : typeof value === 'boolean' ? !value : null;
};

/** What Xero returns of each list. */
const shown = new Map<string, Row[]>();
const http = async ({ url }: SourceRequest): Promise<SourceResponse> => {
  const { pathname, searchParams } = new URL(url);
  const [list = ''] = pathname.replace('/api.xro/2.0/', '').split('/');
  const rows = Number(searchParams.get('page') ?? 1) > 1 || Number(searchParams.get('offset') ?? 0) > 0 ? [] : (shown.get(list) ?? []);
  const text = JSON.stringify({ [list]: rows, pagination: { page: 1, pageCount: 1, pageSize: 250, itemCount: rows.length } });
  return {
    status: 200,
    headers: { date: 'Sun, 01 Mar 2026 00:00:00 GMT' },
    body: (async function* () {})(),
    text: async () => text,
    json: async () => JSON.parse(text),
  };
};
const open = (): Connector =>
  keepingFacts(
    xero.open({
      company: { organisationId: 1, ledgerId: 1, integrationType: xero.source },
      settings: { tenantId: '00000000-0000-4000-8000-000000000001', tenantName: 'Any' },
      http,
      accessToken: async () => 'token',
      saveSettings: async () => {},
      signal: new AbortController().signal,
      wantsRaw: true,
    }),
    { rawData: 'kept', customFields: [] },
    (dataModel) => !(dataModel in WITHOUT_RAW),
  );

/** The record that is made of a row, and what is kept of the row. */
async function made(dataModel: string, list: string, row: Row): Promise<{ record: string; raw: unknown }> {
  shown.clear();
  shown.set(list, [row]);
  const found: SourceRecord[] = [];
  try {
    for await (const { records } of open().pull({ dataModel, cursor: null, since: null, isFull: true })) found.push(...records);
  } catch (error) {
    return { record: String(error), raw: undefined };
  }
  const { raw_data: raw, ...record } = found[0] ?? {};
  return { record: JSON.stringify(record), raw };
}

const counts = { mapped: 0, kept: 0, listed: 0 };
const missing: string[] = [];
const leftOut: string[] = [];
for (const { dataModel } of xero.capabilities)
  for (const [list, name, own] of LISTS[dataModel] ?? []) {
    const schema = components.schemas[name]!;
    const row = { ...(sample(schema) as Row), ...own };
    const whole = await made(dataModel, list, row);
    if (whole.record === '{}' || whole.record.includes('Error'))
      throw new Error(`${dataModel}: no record is made of ${list}: ${whole.record}`);
    for (const path of pathsOf(schema)) {
      const last = path.at(-1)!;
      const isKept = holderOf(whole.raw, path)?.[last] !== undefined;
      const variants = [undefined, other(holderOf(row, path)?.[last])].map((value) => {
        const changed = structuredClone(row);
        holderOf(changed, path)![last] = value;
        return changed;
      });
      const outcomes: string[] = [];
      for (const changed of variants) outcomes.push((await made(dataModel, list, changed)).record);
      if (outcomes.some((record) => record !== whole.record)) counts.mapped += 1;
      else if (isKept) counts.kept += 1;
      else if (dataModel in WITHOUT_RAW) {
        counts.listed += 1;
        leftOut.push(path.join('.'));
      } else missing.push(`${dataModel} ${path.join('.')}`);
      if (!isKept && !(dataModel in WITHOUT_RAW)) missing.push(`${dataModel} ${path.join('.')} is not in rawData`);
    }
  }
for (const one of missing) console.log(one);
for (const reason of Object.values(WITHOUT_RAW)) console.log(`left out, because ${reason}: ${leftOut.join(', ')}`);
const { mapped, kept, listed } = counts;
console.log(
  `Xero ${info.version}: ${xero.capabilities.length} data models, ${mapped + kept + listed + missing.length} properties: ${mapped} mapped, ${kept} in rawData alone, ${listed} left out, ${missing.length} missing`,
);
process.exitCode = missing.length > 0 ? 1 : 0;

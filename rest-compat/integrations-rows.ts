// The rows of the integrations API: the full set for every record, the documented ones marked.
import { modelOf, type RecordClass } from '../src/core/kit.ts';
import { namesOf } from '../src/integrations/ledger-record.ts';
import { ledgerRecords } from '../src/registry.ts';
import { body, path, type Row } from './row.ts';

const base = '/v4/core';

/** Operations of records that the interface document names. */
const documented = new Set([
  'PUT tax_rates',
  'POST accounts',
  'PUT estimates',
  'PUT purchase_orders',
  'GET bill_credit_notes',
  'GET accounts/{id}',
  'GET goods_receipt_notes/{id}',
  'GET invoice_credit_notes/{id}',
  'GET pipelines/{id}',
  'GET cash_flow_statements/{id}',
]);

const common = { surface: 'integrations', credential: 'api_key', spelling: 'ledger' } as const;

function recordRows(target: RecordClass): Row[] {
  const { one, many, dataModel } = namesOf(target);
  const plural = many.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const label = dataModel.toLowerCase().replaceAll('_', ' ');
  const labels = plural.replaceAll('_', ' ');
  const pascal = many[0]!.toUpperCase() + many.slice(1);
  const list = `${base}/companies/{companyId}/${plural}`;
  const single = `${list}/{id}`;
  const company = path('companyId');
  const row = (method: Row['method'], address: string, rest: Omit<Row, keyof typeof common | 'method' | 'path' | 'documented'>): Row => ({
    ...common,
    method,
    path: address,
    documented: documented.has(`${method} ${address.slice(`${base}/companies/{companyId}/`.length)}`),
    ...rest,
  });
  const write = { envelope: { kind: 'write' }, result: many, args: { companyId: company, data: body('data') }, expand: 'nested' } as const;
  return [
    row('GET', list, { summary: `List ${labels}`, root: `company.${many}`, args: { 'company.id': company }, envelope: { kind: 'page' }, result: 'nodes', status: 200, ledgerQuery: 'list' }),
    row('GET', single, { summary: `Read one ${label}`, root: `company.${one}`, args: { 'company.id': company, ledgerId: path('id') }, envelope: { kind: 'record' }, status: 200, ledgerQuery: 'one' }),
    row('POST', list, { summary: `Create ${labels}`, root: `create${pascal}`, status: 201, ...write }),
    row('PUT', list, { summary: `Create or update ${labels} by platform id`, root: `upsert${pascal}`, status: 200, ...write }),
    row('DELETE', single, { summary: `Delete one ${label}`, root: `delete${modelOf(target).name}`, args: { companyId: company, ledgerId: path('id') }, envelope: { kind: 'empty' }, status: 204 }),
  ];
}

const companyRows: Row[] = [
  { ...common, documented: false, method: 'GET', path: `${base}/companies`, summary: 'List companies', root: 'companies', args: {}, envelope: { kind: 'page' }, result: 'nodes', status: 200, ledgerQuery: 'list' },
  { ...common, documented: false, method: 'POST', path: `${base}/companies`, summary: 'Create a company', root: 'createCompany', result: 'company', args: { input: body('data') }, envelope: { kind: 'record' }, status: 201 },
  { ...common, documented: false, method: 'GET', path: `${base}/companies/{companyId}`, summary: 'Read one company', root: 'company', args: { id: path('companyId') }, envelope: { kind: 'record' }, status: 200 },
];

/** Every row of the surface. */
export const integrationsRows: Row[] = [...companyRows, ...ledgerRecords.flatMap(recordRows)];


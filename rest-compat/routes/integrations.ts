// The routes of the integrations API: the full set for every record, the documented ones marked.

import { etagOf, namesOf } from '../../src/integrations/ledger/ledger-record.ts';
import { nestedRelations } from '../../src/integrations/ledger/record-input.ts';
import { modelOf, type RecordClass } from '../../src/records/metadata.ts';
import { snakeCase } from '../../src/records/naming.ts';
import { ledgerRecords } from '../../src/registry.ts';
import { body, header, path, query, type Route, type Source } from './route.ts';

const base = '/v4/core';

/** Largest file of a company's inbox. */
const MAX_IMPORT_BYTES = 15 * 1_048_576;

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

const common = { surface: 'integrations', credential: 'api_key', naming: 'ledger' } as const;

/** The `ETag` of a record, from its REST fields. */
const entityTag = (record: Record<string, unknown>): string =>
  etagOf({ ledgerId: record.ledger_id, ledgerUpdatedAt: record.ledger_updated_at });

/** The expansions in the answer of a write: the nested records it may contain, and the records that owned ones, such as lines, reference. */
function expandedInWrites(target: RecordClass): string[] {
  return nestedRelations(target).flatMap((relation) => {
    const child = modelOf(relation.target());
    const above = namesOf(relation.target()).parent;
    const named = [...child.relations.values()].filter(({ from }) => child.props.get(from)!.target && !above.includes(from));
    const name = snakeCase(relation.name);
    return [name, ...(relation.owned ? named.map((below) => `${name}.${snakeCase(below.name)}`) : [])];
  });
}

function recordRoutes(target: RecordClass): Route[] {
  const { one, many, dataModel } = namesOf(target);
  const plural = many.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const label = dataModel.toLowerCase().replaceAll('_', ' ');
  const labels = plural.replaceAll('_', ' ');
  const pascal = many[0]!.toUpperCase() + many.slice(1);
  const list = `${base}/companies/{companyId}/${plural}`;
  const single = `${list}/{id}`;
  const company = path('companyId');
  const route = (
    method: Route['method'],
    address: string,
    spec: Omit<Route, keyof typeof common | 'method' | 'path' | 'documented'>,
  ): Route => ({
    ...common,
    method,
    path: address,
    documented: documented.has(`${method} ${address.slice(`${base}/companies/{companyId}/`.length)}`),
    ...spec,
  });
  const data: Source = { from: 'body', member: 'data', many: 'run_async' };
  const expand = expandedInWrites(target);
  const ifMatch = header('If-Match');
  const writeArgs = { companyId: company, data, runAsync: query('run_async'), strict: query('strict') };
  const write = { envelope: { kind: 'write' }, ledgerQuery: 'write', expand, entityTag } as const;
  const writeMany = { ...write, result: many, statusWithoutResult: 202 };
  return [
    route('GET', list, {
      summary: `List ${labels}`,
      root: `company.${many}`,
      args: { 'company.id': company },
      envelope: { kind: 'page' },
      result: 'nodes',
      status: 200,
      ledgerQuery: 'list',
    }),
    route('GET', single, {
      summary: `Read one ${label}`,
      root: `company.${one}`,
      args: { 'company.id': company, ledgerId: path('id') },
      envelope: { kind: 'record' },
      status: 200,
      ledgerQuery: 'one',
      entityTag,
    }),
    route('POST', list, { summary: `Create ${labels}`, root: `create${pascal}`, status: 201, args: writeArgs, ...writeMany }),
    route('PUT', list, {
      summary: `Create or update ${labels} by platform id`,
      note: 'A record without `platform_id` is created each time, because nothing identifies it (a currency is identified by its code); `Idempotency-Key` makes such a write safe to repeat.',
      root: `upsert${pascal}`,
      status: 200,
      args: { ...writeArgs, ifMatch },
      ...writeMany,
    }),
    route('PUT', single, {
      summary: `Change one ${label}`,
      root: `update${modelOf(target).name}`,
      status: 200,
      args: { companyId: company, ledgerId: path('id'), data: body('data'), strict: query('strict'), ifMatch },
      ...write,
      result: one,
    }),
    route('DELETE', single, {
      summary: `Delete one ${label}`,
      root: `delete${modelOf(target).name}`,
      args: { companyId: company, ledgerId: path('id'), ifMatch },
      envelope: { kind: 'empty' },
      status: 204,
    }),
  ];
}

const companyPath = `${base}/companies/{companyId}`;

const companyRoutes: Route[] = [
  {
    ...common,
    documented: false,
    method: 'GET',
    path: `${base}/companies`,
    summary: 'List companies',
    root: 'companies',
    args: {},
    envelope: { kind: 'page' },
    result: 'nodes',
    status: 200,
    ledgerQuery: 'list',
  },
  {
    ...common,
    documented: false,
    method: 'POST',
    path: `${base}/companies`,
    summary: 'Create a company',
    root: 'createCompany',
    result: 'company',
    args: { input: body('data') },
    envelope: { kind: 'record' },
    status: 201,
  },
  {
    ...common,
    documented: false,
    method: 'GET',
    path: `${base}/companies/{companyId}`,
    summary: 'Read one company',
    root: 'company',
    args: { id: path('companyId') },
    envelope: { kind: 'record' },
    status: 200,
  },
];

const camel = { ...common, naming: 'camel' } as const;
const page = { first: query('limit'), after: query('cursor') };
const syncId = { id: path('syncId') };
const syncTransition = { ...camel, documented: false, method: 'POST', result: 'sync', envelope: { kind: 'record' } } as const;

const syncRoutes: Route[] = [
  {
    ...camel,
    documented: true,
    method: 'GET',
    path: `${companyPath}/syncs`,
    summary: 'List the syncs of a company',
    root: 'company.syncs',
    result: 'nodes',
    args: {
      'company.id': path('companyId'),
      ...page,
      jobType: query('jobType'),
      status: query('status'),
      syncType: query('syncType'),
      configMode: query('configMode'),
    },
    envelope: { kind: 'counted', name: 'syncs', wrapped: true },
    status: 200,
  },
  {
    ...camel,
    documented: true,
    method: 'GET',
    path: `${base}/syncs/{syncId}/jobs`,
    summary: 'List the jobs of a sync',
    root: 'sync.jobs',
    result: 'nodes',
    args: { 'sync.id': path('syncId'), ...page, status: query('status'), dataModel: query('dataModel'), jobType: query('jobType') },
    envelope: { kind: 'counted', name: 'jobs', wrapped: false },
    status: 200,
  },
  {
    ...camel,
    documented: false,
    method: 'GET',
    path: `${base}/syncs/{syncId}`,
    summary: 'Read one sync',
    root: 'sync',
    args: syncId,
    envelope: { kind: 'record' },
    status: 200,
  },
  {
    ...syncTransition,
    path: `${companyPath}/syncs`,
    summary: 'Request a pull',
    root: 'requestSync',
    args: { companyId: path('companyId'), input: body('data') },
    status: 201,
  },
  { ...syncTransition, path: `${base}/syncs/{syncId}/retry`, summary: 'Retry a sync', root: 'retrySync', args: syncId, status: 201 },
  { ...syncTransition, path: `${base}/syncs/{syncId}/cancel`, summary: 'Cancel a sync', root: 'cancelSync', args: syncId, status: 200 },
  {
    ...common,
    documented: false,
    method: 'POST',
    path: `${companyPath}/imports`,
    summary: 'Upload a file of records for the next pull',
    root: 'importRecords',
    result: 'file',
    args: {
      companyId: path('companyId'),
      dataModel: { from: 'part', name: 'data_model' },
      file: { from: 'upload', name: 'file', maxBytes: MAX_IMPORT_BYTES },
    },
    envelope: { kind: 'record' },
    status: 201,
  },
];

const requests = `${base}/disconnect-requests`;
const requestTransition = {
  ...common,
  documented: false,
  method: 'POST',
  result: 'disconnectRequest',
  envelope: { kind: 'record' },
} as const;
const decision = { ledgerId: path('id'), input: { from: 'body', member: 'data', optional: true } as Source };

const connectionRoutes: Route[] = [
  {
    ...common,
    documented: true,
    method: 'GET',
    path: requests,
    summary: 'List disconnect requests',
    root: 'disconnectRequests',
    result: 'nodes',
    args: { ...page, status: query('status'), companyId: query('company_id'), integrationType: query('integration_type') },
    envelope: { kind: 'counted', name: 'disconnect_requests', wrapped: false },
    status: 200,
  },
  {
    ...requestTransition,
    path: requests,
    summary: 'Ask to disconnect a company',
    root: 'createDisconnectRequest',
    args: { input: body('data') },
    status: 201,
  },
  {
    ...requestTransition,
    path: `${requests}/{id}/approve`,
    summary: 'Approve a disconnect request',
    root: 'approveDisconnectRequest',
    args: decision,
    status: 200,
  },
  {
    ...requestTransition,
    path: `${requests}/{id}/reject`,
    summary: 'Reject a disconnect request',
    root: 'rejectDisconnectRequest',
    args: decision,
    status: 200,
  },
  {
    ...requestTransition,
    path: `${requests}/{id}/cancel`,
    summary: 'Withdraw a disconnect request',
    root: 'cancelDisconnectRequest',
    args: { ledgerId: path('id') },
    status: 200,
  },
  {
    ...common,
    documented: false,
    method: 'POST',
    path: `${companyPath}/connect`,
    summary: 'Connect a company again',
    root: 'connectCompany',
    result: 'company',
    args: { companyId: path('companyId'), input: { from: 'body', member: 'data', optional: true } },
    envelope: { kind: 'record' },
    status: 200,
  },
];

/** Every route of the surface. */
export const integrationsRoutes: Route[] = [...companyRoutes, ...syncRoutes, ...connectionRoutes, ...ledgerRecords.flatMap(recordRoutes)];

// The routes of a record type: the full set for every one, the documented ones marked.
import { MAX_FILE_BYTES } from '../../src/files/stored-file.ts';
import { isDocument, namesOf } from '../../src/integrations/ledger/ledger-record.ts';
import { nestedRelations } from '../../src/integrations/ledger/references.ts';
import { modelOf, type RecordClass } from '../../src/records/metadata.ts';
import { snakeCase } from '../../src/records/naming.ts';
import { common, companyPath, summaryRoute } from './integrations-shared.ts';
import { body, header, path, query, type Route, type Source } from './route.ts';

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

/** The expansions in the response of a write: the nested records it may contain, and the records that owned ones, such as lines, reference. */
function expandedInWrites(target: RecordClass): string[] {
  return nestedRelations(target).flatMap((relation) => {
    const child = modelOf(relation.target());
    const above = namesOf(relation.target()).parent;
    const named = [...child.relations.values()].filter(({ from }) => child.props.get(from)!.target && !above.includes(from));
    const name = snakeCase(relation.name);
    return [name, ...(relation.owned ? named.map((below) => `${name}.${snakeCase(below.name)}`) : [])];
  });
}

/** The routes of a record type. */
export function recordRoutes(target: RecordClass): Route[] {
  const { one, many, dataModel } = namesOf(target);
  const plural = many.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const label = dataModel.toLowerCase().replaceAll('_', ' ');
  const labels = plural.replaceAll('_', ' ');
  const pascal = many[0]!.toUpperCase() + many.slice(1);
  const list = `${companyPath}/${plural}`;
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
    documented: documented.has(`${method} ${address.slice(`${companyPath}/`.length)}`),
    ...spec,
  });
  const ifMatch = header('If-Match');
  const data: Source = { from: 'body', member: 'data', many: 'run_async' };
  const expand = expandedInWrites(target);
  const atomic: Source = { from: 'value', value: true };
  const writeArgs = { companyId: company, data, runAsync: query('run_async'), strict: query('strict'), wait: query('wait'), atomic };
  const write = { envelope: { kind: 'write' }, ledgerQuery: 'write', expand } as const;
  const writeMany = { ...write, result: many, statusWithoutResult: 202 };
  const attachments = `${single}/attachments`;
  const document = { companyId: company, ledgerId: path('id') };
  const added = { result: 'attachment', envelope: { kind: 'record' }, status: 201 } as const;
  const attachmentRoutes = [
    route('GET', attachments, {
      summary: `List the attachments of one ${label}`,
      operation: `${modelOf(target).name}Attachments`,
      root: `company.${one}.attachments`,
      result: 'nodes',
      args: { 'company.id': company, [`${one}.ledgerId`]: path('id') },
      envelope: { kind: 'page' },
      status: 200,
      ledgerQuery: 'list',
    }),
    route('POST', attachments, {
      summary: `Attach a file to one ${label}`,
      root: `add${modelOf(target).name}Attachment`,
      args: { ...document, content: { from: 'upload', name: 'file', maxBytes: MAX_FILE_BYTES }, name: { from: 'part', name: 'name' } },
      ...added,
    }),
    route('PUT', `${attachments}/files/{fileId}`, {
      summary: `Attach a stored file to one ${label}`,
      operation: `Add${modelOf(target).name}AttachmentFile`,
      root: `add${modelOf(target).name}Attachment`,
      args: { ...document, fileId: path('fileId') },
      ...added,
    }),
    route('DELETE', `${attachments}/{attachmentId}`, {
      summary: `Remove an attachment from one ${label}`,
      root: `remove${modelOf(target).name}Attachment`,
      args: { ...document, attachmentId: path('attachmentId') },
      envelope: { kind: 'empty' },
      status: 204,
    }),
  ];
  return [
    ...(isDocument(target) ? attachmentRoutes : []),
    route('GET', list, {
      summary: `List ${labels}`,
      root: `company.${many}`,
      args: { 'company.id': company },
      envelope: { kind: 'page' },
      result: 'nodes',
      status: 200,
      ledgerQuery: 'list',
    }),
    summaryRoute(list, labels, `company.${many}`, { 'company.id': company }),
    route('GET', single, {
      summary: `Read one ${label}`,
      root: `company.${one}`,
      args: { 'company.id': company, ledgerId: path('id') },
      envelope: { kind: 'record' },
      status: 200,
      ledgerQuery: 'one',
    }),
    route('POST', list, { summary: `Create ${labels}`, root: `create${pascal}`, status: 201, args: writeArgs, ...writeMany }),
    route('PUT', list, {
      summary: `Create or update ${labels} by platform id`,
      note: 'Without a `platform_id`, it changes the record of its `ledger_id`; without both, each call creates a record.',
      root: `upsert${pascal}`,
      status: 200,
      args: { ...writeArgs, ifMatch },
      ...writeMany,
    }),
    route('PUT', single, {
      summary: `Change one ${label}`,
      root: `update${modelOf(target).name}`,
      status: 200,
      args: { companyId: company, ledgerId: path('id'), data: body('data'), strict: query('strict'), wait: query('wait'), ifMatch },
      ...write,
      result: one,
    }),
    route('DELETE', single, {
      summary: `Delete one ${label}`,
      root: `delete${modelOf(target).name}`,
      args: { companyId: company, ledgerId: path('id'), wait: query('wait'), ifMatch },
      envelope: { kind: 'empty' },
      status: 204,
    }),
  ];
}

// The routes of customs codes, legal forms, tax ids, files and imports on the platform API; the tax host serves them too.
import { MAX_FILE_BYTES } from '../../src/files/stored-file.ts';
import { body, path, query, type Route } from './route.ts';

const base = '/api/v1';
const common = { surface: 'platform', credential: 'bearer', naming: 'snake', documented: true } as const;

type Spec = Omit<Route, keyof typeof common | 'method' | 'path'> & { documented?: boolean };

/** A route of the platform API. */
export const platformRoute = (method: Route['method'], address: string, spec: Spec): Route => ({
  ...common,
  method,
  path: base + address,
  ...spec,
});

/** The summary of a list: `address` is the path of the list, `root` its field. */
export const summaryRoute = (
  address: string,
  labels: string,
  root: string,
  args: Route['args'] = {},
  statuses: NonNullable<Route['statuses']> = {},
): Route =>
  platformRoute('GET', `${address}/summary`, {
    summary: `Count ${labels} in groups`,
    documented: false,
    root: `${root}Summary`,
    args,
    envelope: { kind: 'data' },
    status: 200,
    message: 'Summary made',
    statuses,
    ledgerQuery: 'summary',
  });

/** Statuses of routes that document 400 as their only error status, also for unknown ids. */
export const only400 = { PRODUCT_NOT_FOUND: 400, CORPORATION_NOT_FOUND: 400, FILE_NOT_FOUND: 400, RECORD_ALREADY_EXISTS: 400 };

export const page = { first: query('limit'), after: query('cursor') };

const reference: Route[] = [
  platformRoute('GET', '/customs-codes', {
    summary: 'Browse or search the codes of the Harmonized System and of national tariffs',
    documented: false,
    root: 'customsCodes',
    result: 'nodes',
    args: {
      search: query('search'),
      parent: query('parent'),
      first: query('limit'),
      country: query('country'),
      validOn: query('valid_on'),
    },
    envelope: { kind: 'array', name: 'customs_codes' },
    status: 200,
    message: 'Customs codes listed',
    statuses: { CUSTOMS_CODE_NOT_FOUND: 400 },
  }),
  platformRoute('GET', '/entity-forms', {
    summary: 'List the legal forms of a country',
    documented: false,
    root: 'entityForms',
    args: { country: query('country'), state: query('state') },
    envelope: { kind: 'array', name: 'entity_forms' },
    status: 200,
    message: 'Legal forms listed',
  }),
  platformRoute('GET', '/tax-id-kinds', {
    summary: 'List the kinds of tax ids that are checked',
    documented: false,
    root: 'taxIdKinds',
    args: { country: query('country') },
    envelope: { kind: 'array', name: 'tax_id_kinds' },
    status: 200,
    message: 'Kinds of tax ids listed',
  }),
  platformRoute('GET', '/customs-codes/suggestions', {
    summary: 'Suggest customs codes for a product',
    documented: false,
    root: 'suggestCustomsCodes',
    args: { name: query('name'), description: query('description') },
    envelope: { kind: 'array', name: 'suggestions' },
    status: 200,
    message: 'Customs codes suggested',
  }),
  platformRoute('POST', '/products/{id}/customs-code', {
    summary: "Add or replace a product's customs code for a country",
    root: 'setCustomsCode',
    result: 'product',
    args: { productId: path('id'), input: body() },
    envelope: { kind: 'message' },
    status: 200,
    message: 'Customs code set',
    statuses: only400,
  }),
  platformRoute('DELETE', '/products/{id}/customs-code', {
    summary: "Remove a product's customs code for a country",
    root: 'removeCustomsCode',
    result: 'product',
    args: { productId: path('id'), input: { from: 'body', orQuery: ['country'] } },
    envelope: { kind: 'empty' },
    status: 204,
    statuses: only400,
  }),
];

const files: Route[] = [
  platformRoute('POST', '/files', {
    summary: 'Upload a file',
    documented: false,
    root: 'createFile',
    result: 'file',
    args: {
      content: { from: 'upload', name: 'file', maxBytes: MAX_FILE_BYTES },
      purpose: { from: 'part', name: 'purpose' },
      corporationId: { from: 'part', name: 'corporation_id' },
    },
    envelope: { kind: 'data' },
    status: 200,
    message: 'File stored',
    statuses: only400,
  }),
  platformRoute('POST', '/products/bulk_upload/csv', {
    summary: 'Import products from an uploaded CSV file',
    root: 'startProductImport',
    result: 'job',
    args: { input: body() },
    envelope: { kind: 'data', name: 'job' },
    status: 200,
    message: 'Import started',
    statuses: only400,
  }),
  platformRoute('GET', '/jobs/{id}', {
    summary: 'Read an import',
    documented: false,
    root: 'importJob',
    args: { id: path('id') },
    envelope: { kind: 'data' },
    status: 200,
    message: 'Job found',
  }),
];

/** Customs codes, legal forms, tax ids, files and imports. */
export const platformRoutes: Route[] = [...reference, ...files];

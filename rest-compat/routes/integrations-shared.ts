// What the routes of the integrations API share: their paths, their naming, the arguments of their lists, and the summary of a list.
import { query, type Route } from './route.ts';

/** The path of the API. */
export const base = '/v4/core';

/** The path of one company. */
export const companyPath = `${base}/companies/{companyId}`;

/** What all routes have. */
export const common = { surface: 'integrations', credential: 'api_key', naming: 'ledger' } as const;

/** What the routes of syncs have, whose documented fields are in camel case. */
export const camel = { ...common, naming: 'camel' } as const;

/** The page of a list, as syncs and disconnect requests name it. */
export const page = { first: query('limit'), after: query('cursor') };

/** A change of a sync, which is the response. */
export const syncTransition = { ...camel, documented: false, method: 'POST', result: 'sync', envelope: { kind: 'record' } } as const;

/** The summary of a list: `address` is the path of the list, `root` its field. */
export const summaryRoute = (address: string, labels: string, root: string, args: Route['args'] = {}): Route => ({
  ...common,
  documented: false,
  method: 'GET',
  path: `${address}/summary`,
  summary: `Count ${labels} in groups`,
  root: `${root}Summary`,
  args,
  envelope: { kind: 'record' },
  status: 200,
  ledgerQuery: 'summary',
});

// The routes of syncs and their jobs, and of the files that a pull reads.

import { base, camel, common, companyPath, page, syncTransition } from './integrations-shared.ts';
import { body, path, query, type Route } from './route.ts';

/** Largest file of a company's inbox. */
const MAX_IMPORT_BYTES = 15 * 1_048_576;

const syncId = { id: path('syncId') };

/** Syncs and their jobs. */
export const syncRoutes: Route[] = [
  {
    ...camel,
    documented: true,
    method: 'GET',
    path: `${companyPath}/syncs`,
    summary: 'List the syncs of a company',
    root: 'company.syncs',
    result: 'nodes',
    ledgerQuery: 'conditions',
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
    ledgerQuery: 'conditions',
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
  {
    ...syncTransition,
    path: `${base}/syncs/{syncId}/confirm`,
    summary: 'Confirm the deletions of a full run',
    root: 'confirmSync',
    args: { syncId: path('syncId') },
    status: 200,
  },
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

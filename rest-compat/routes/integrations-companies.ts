// The routes of companies, and of the requests to disconnect them.

import { base, common, companyPath, page } from './integrations-shared.ts';
import { body, path, query, type Route, type Source } from './route.ts';

/** Companies. */
export const companyRoutes: Route[] = [
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
    path: companyPath,
    summary: 'Read one company',
    root: 'company',
    args: { id: path('companyId') },
    envelope: { kind: 'record' },
    status: 200,
  },
  {
    ...common,
    documented: false,
    method: 'PATCH',
    path: companyPath,
    summary: 'Change the name of a company',
    root: 'updateCompany',
    result: 'company',
    args: { id: path('companyId'), input: body('data') },
    envelope: { kind: 'record' },
    status: 200,
  },
  {
    ...common,
    documented: false,
    method: 'DELETE',
    path: companyPath,
    summary: 'Remove a company with its records',
    root: 'removeCompany',
    args: { id: path('companyId'), name: query('name') },
    envelope: { kind: 'empty' },
    status: 204,
  },
  {
    ...common,
    documented: false,
    method: 'GET',
    path: `${companyPath}/changes`,
    summary: 'Read the change feed of a company',
    operation: 'CompanyChanges',
    root: 'company.changes',
    result: 'nodes',
    ledgerQuery: 'feed',
    args: { 'company.id': path('companyId'), first: query('limit'), after: query('after'), dataModels: query('data_models') },
    envelope: { kind: 'feed' },
    status: 200,
  },
];

/** The path of disconnect requests. */
export const requests = `${base}/disconnect-requests`;
const requestTransition = {
  ...common,
  documented: false,
  method: 'POST',
  result: 'disconnectRequest',
  envelope: { kind: 'record' },
} as const;
const decision = { ledgerId: path('id'), input: { from: 'body', member: 'data', optional: true } as Source };

/** Disconnect requests, and the way back. */
export const disconnectRoutes: Route[] = [
  {
    ...common,
    documented: true,
    method: 'GET',
    path: requests,
    summary: 'List disconnect requests',
    root: 'disconnectRequests',
    result: 'nodes',
    ledgerQuery: 'conditions',
    args: { ...page, status: query('status'), companyId: query('company_id'), integrationType: query('integration_type') },
    envelope: { kind: 'counted', name: 'disconnect_requests', wrapped: false },
    status: 200,
  },
  {
    ...requestTransition,
    path: requests,
    summary: 'Request to disconnect a company',
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
    summary: 'Reconnect a company',
    root: 'connectCompany',
    result: 'company',
    args: { companyId: path('companyId'), input: { from: 'body', member: 'data', optional: true } },
    envelope: { kind: 'record' },
    status: 200,
  },
];

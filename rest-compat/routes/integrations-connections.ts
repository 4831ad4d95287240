// The routes of connections to source systems.

import { base, common, companyPath, syncTransition } from './integrations-shared.ts';
import { body, path, query, type Route } from './route.ts';

const connections = `${companyPath}/connections`;
const ownConnection = { companyId: path('companyId'), id: path('id') };
const connectionChange = { ...common, documented: false, result: 'connection', envelope: { kind: 'record' } } as const;

/** Connectors and connections. */
export const connectionRoutes: Route[] = [
  {
    ...common,
    documented: false,
    method: 'GET',
    path: `${base}/connectors`,
    summary: 'List the source systems that companies can be connected to',
    root: 'connectors',
    args: {},
    envelope: { kind: 'record' },
    status: 200,
  },
  {
    ...common,
    documented: false,
    method: 'GET',
    path: `${base}/connectors/{source}`,
    summary: 'Read what a source system does with each data model and field',
    root: 'connector',
    args: { source: path('source') },
    envelope: { kind: 'record' },
    status: 200,
  },
  {
    ...common,
    documented: false,
    method: 'GET',
    path: connections,
    summary: 'List the connections of a company',
    root: 'company.connections',
    result: 'nodes',
    ledgerQuery: 'list',
    args: { 'company.id': path('companyId') },
    envelope: { kind: 'page' },
    status: 200,
  },
  {
    ...connectionChange,
    method: 'POST',
    path: connections,
    summary: 'Connect a company to a source system',
    root: 'createConnection',
    args: { companyId: path('companyId'), input: body('data') },
    status: 201,
  },
  {
    ...common,
    documented: false,
    method: 'GET',
    path: `${connections}/{id}`,
    summary: 'Read one connection',
    root: 'company.connection',
    args: { 'company.id': path('companyId'), id: path('id') },
    envelope: { kind: 'record' },
    status: 200,
  },
  {
    ...connectionChange,
    method: 'PATCH',
    path: `${connections}/{id}`,
    summary: 'Change settings or schedule of a connection',
    root: 'updateConnection',
    args: { ...ownConnection, input: body('data') },
    status: 200,
  },
  {
    ...connectionChange,
    method: 'POST',
    path: `${connections}/{id}/pause`,
    summary: 'Pause the schedule of a connection',
    root: 'pauseConnection',
    args: ownConnection,
    status: 200,
  },
  {
    ...connectionChange,
    method: 'POST',
    path: `${connections}/{id}/resume`,
    summary: 'Resume the schedule of a paused connection',
    root: 'resumeConnection',
    args: ownConnection,
    status: 200,
  },
  {
    ...common,
    documented: false,
    method: 'POST',
    path: `${connections}/{id}/link`,
    summary: 'Create a link to the settings page of a connection',
    root: 'createConnectionLink',
    args: { companyId: path('companyId'), connectionId: path('id') },
    envelope: { kind: 'record' },
    status: 201,
  },
  {
    ...syncTransition,
    path: `${connections}/{id}/sync`,
    summary: 'Run a connection now',
    root: 'syncConnection',
    args: { ...ownConnection, fullSync: query('full_sync') },
    status: 201,
  },
];

// The routes of the integrations API.
import { ledgerRecords } from '../../src/registry.ts';
import { bookRoutes } from './integrations-books.ts';
import { companyRoutes, disconnectRoutes, requests } from './integrations-companies.ts';
import { connectionRoutes } from './integrations-connections.ts';
import { recordRoutes } from './integrations-records.ts';
import { base, companyPath, summaryRoute } from './integrations-shared.ts';
import { syncRoutes } from './integrations-syncs.ts';
import { path, type Route } from './route.ts';

/** Every route of the surface. */
export const integrationsRoutes: Route[] = [
  ...companyRoutes,
  ...syncRoutes,
  ...connectionRoutes,
  ...disconnectRoutes,
  ...bookRoutes,
  ...ledgerRecords.flatMap(recordRoutes),
  summaryRoute(`${base}/companies`, 'companies', 'companies'),
  summaryRoute(`${companyPath}/syncs`, 'the syncs of a company', 'company.syncs', { 'company.id': path('companyId') }),
  summaryRoute(`${base}/syncs/{syncId}/jobs`, 'the jobs of a sync', 'sync.jobs', { 'sync.id': path('syncId') }),
  summaryRoute(requests, 'disconnect requests', 'disconnectRequests'),
];

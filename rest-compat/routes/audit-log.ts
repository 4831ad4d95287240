// The routes of the audit log.
import { platformRoute } from './platform.ts';
import { query, type Route } from './route.ts';

export const auditLogRoutes: Route[] = [
  platformRoute('GET', '/audit-log', {
    summary: 'List the audit log, newest first',
    documented: false,
    root: 'auditLog',
    result: 'nodes',
    args: { first: query('limit'), after: query('cursor') },
    envelope: { kind: 'list', name: 'entries' },
    status: 200,
    message: 'Audit log listed',
    notOnTaxHost: true,
  }),
  platformRoute('GET', '/audit-log/verification', {
    summary: 'Verify the audit log',
    documented: false,
    root: 'auditVerification',
    args: { from: query('from') },
    envelope: { kind: 'data' },
    status: 200,
    message: 'Audit log verified',
    notOnTaxHost: true,
  }),
];

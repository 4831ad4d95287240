// The routes of the address service.
import { body, type Route } from './route.ts';

const common = { surface: 'address', naming: 'snake', documented: true, args: {} } as const;

/** Every route of the surface. */
export const addressRoutes: Route[] = [
  {
    ...common,
    method: 'GET',
    path: '/',
    summary: 'Service status message',
    credential: 'none',
    root: 'service',
    envelope: { kind: 'plain' },
    status: 200,
  },
  {
    ...common,
    method: 'GET',
    path: '/healthz',
    summary: 'Database connection status',
    credential: 'none',
    root: 'health',
    envelope: { kind: 'plain' },
    status: 200,
  },
  {
    ...common,
    method: 'POST',
    path: '/api/v1/geoencode',
    summary: 'Geocode an address',
    credential: 'x-service-key',
    root: 'geocode',
    args: { address: body('address') },
    envelope: { kind: 'data' },
    status: 200,
    message: 'Address geocoded',
  },
  {
    ...common,
    method: 'POST',
    path: '/api/v1/internal/iso_3166/ingest/json',
    summary: 'Ingest ISO 3166 content',
    credential: 'x-service-key',
    root: 'ingestIso3166',
    result: 'ingestion',
    args: { data: body() },
    envelope: { kind: 'data' },
    status: 200,
    message: 'Content ingested',
    bodyMegabytes: 10,
    // Content that would withdraw too many entries conflicts with the stored content.
    statuses: { OPERATION_DENIED: 409 },
  },
];

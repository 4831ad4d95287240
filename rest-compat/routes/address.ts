// The routes of the address service.
import { body, type Route, type Source } from './route.ts';

/** A member that the body may leave out. */
const optional = (member: string): Source => ({ from: 'body', member, optional: true });

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
    documented: false,
    method: 'POST',
    path: '/api/v1/geoencode/batch',
    summary: 'Geocode up to 100 addresses',
    credential: 'x-service-key',
    root: 'geocodeBatch',
    args: { addresses: body('addresses') },
    envelope: { kind: 'array', name: 'results' },
    status: 200,
    message: 'Addresses geocoded',
  },
  {
    ...common,
    documented: false,
    method: 'POST',
    path: '/api/v1/geoencode/suggest',
    summary: 'Suggest completions of an address',
    credential: 'x-service-key',
    root: 'suggestAddresses',
    args: { text: body('text'), country: optional('country'), first: optional('limit') },
    envelope: { kind: 'array', name: 'suggestions' },
    status: 200,
    message: 'Addresses suggested',
  },
  {
    ...common,
    documented: false,
    method: 'POST',
    path: '/api/v1/geoencode/reverse',
    summary: 'Locate a position',
    credential: 'x-service-key',
    root: 'reverseGeocode',
    args: { latitude: body('latitude'), longitude: body('longitude') },
    envelope: { kind: 'data' },
    status: 200,
    message: 'Position located',
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

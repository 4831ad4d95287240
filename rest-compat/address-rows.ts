// The rows of the address service.
import type { Row } from './row.ts';

const common = { surface: 'address', spelling: 'snake', documented: true, args: {} } as const;

/** Every row of the surface. */
export const addressRows: Row[] = [
  { ...common, method: 'GET', path: '/', summary: 'Service status message', credential: 'none', root: 'service', envelope: { kind: 'plain' }, status: 200 },
  { ...common, method: 'GET', path: '/healthz', summary: 'Database connection status', credential: 'none', root: 'health', envelope: { kind: 'plain' }, status: 200 },
];

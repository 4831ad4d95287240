// Route requests for generated tests: a concrete path for a route, and the header its credential goes into.

import type { Credential, Route } from '../../rest-compat/routes/route.ts';
import type { RoleName } from '../../src/access/principal.ts';
import { modelOf, type RecordClass } from '../../src/records/metadata.ts';

/** The roles that open a surface, by the credential its routes document. */
export const roleOf = (route: Route): RoleName => {
  if (route.credential === 'bearer') return 'PLATFORM';
  if (route.credential === 'x-api-key') return 'ENTITIES';
  if (route.credential === 'api_key') return 'INTEGRATIONS';
  return route.path.includes('iso_3166') ? 'MANAGE_CONTENT' : 'GEOCODE';
};

/** The header that carries a key on a route. */
export function credentialHeader(credential: Credential, key: string): Record<string, string> {
  return credential === 'bearer' ? { authorization: `Bearer ${key}` } : { [credential]: key };
}

/** The path of a route with every parameter filled in. */
export const pathOf = (route: Route, fill: (name: string) => string): string =>
  route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(fill(name)));

export const tableOf = (target: RecordClass): string => modelOf(target).table;

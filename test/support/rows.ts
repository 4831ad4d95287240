// Row requests for generated tests: a concrete path for a row, and the header its credential goes into.

import type { Credential, Row } from '../../rest-compat/row.ts';
import type { RoleName } from '../../src/core/access.ts';
import { modelOf, type RecordClass } from '../../src/core/model.ts';

/** The roles that open a surface, by the credential its rows document. */
export const roleOf = (row: Row): RoleName => {
  if (row.credential === 'bearer') return 'PLATFORM';
  if (row.credential === 'x-api-key') return 'ENTITIES';
  if (row.credential === 'api_key') return 'INTEGRATIONS';
  return row.path.includes('iso_3166') ? 'MANAGE_CONTENT' : 'GEOCODE';
};

/** The header that carries a key on a row. */
export function credentialHeader(credential: Credential, key: string): Record<string, string> {
  return credential === 'bearer' ? { authorization: `Bearer ${key}` } : { [credential]: key };
}

/** The path of a row with every parameter filled in. */
export const pathOf = (row: Row, fill: (name: string) => string): string =>
  row.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(fill(name)));

export const tableOf = (target: RecordClass): string => modelOf(target).table;

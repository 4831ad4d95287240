// Route requests for generated tests: a concrete path for a route, and the header its credential goes into.

import type { GraphQLSchema } from 'graphql';
import type { Credential, Route } from '../../rest-compat/routes/route.ts';
import { rootFields } from '../../rest-compat/runtime/stored-operation.ts';
import { modelOf, type RecordClass } from '../../src/records/metadata.ts';
import type { RoleName } from '../../src/records/roles.ts';

/** The roles that allow a route: those that the root field of its operation declares. */
export const rolesOf = (schema: GraphQLSchema, route: Route): readonly RoleName[] =>
  rootFields(schema, route).fields[0]!.extensions.access as RoleName[];

/** The header that carries a key on a route. */
export function credentialHeader(credential: Credential, key: string): Record<string, string> {
  return credential === 'bearer' ? { authorization: `Bearer ${key}` } : { [credential]: key };
}

/** The path of a route with every parameter filled in. */
export const pathOf = (route: Route, fill: (name: string) => string): string =>
  route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(fill(name)));

export const tableOf = (target: RecordClass): string => modelOf(target).table;

/** The title of a test that is made from a route, tagged where the interface document has the route. */
export const titleOf = (route: Route): string => `${route.documented ? 'documented: ' : ''}${route.method} ${route.path}`;

// Authentication and roles: the same checks for every route of the table and every root field of the schema.
import { describe, expect, it } from 'vitest';
import type { Route } from '../../rest-compat/routes/route.ts';
import { routes } from '../../rest-compat/routes/routes.ts';
import { buildGatewaySchema } from '../../src/graphql/schema.ts';
import { Role, type RoleName } from '../../src/records/roles.ts';
import { orphanTypes, resolvers } from '../../src/registry.ts';
import { newKeyValue } from '../../src/security/key-values.ts';
import { type Gateway, type GatewayResponse, useGateway } from '../support/gateway.ts';
import { credentialHeader, pathOf, rolesOf, titleOf } from '../support/routes.ts';

const gateway = useGateway();
const schema = buildGatewaySchema(resolvers, orphanTypes);
const guarded = routes.filter((route) => route.credential !== 'none');

const send = (route: Route, headers: Record<string, string>, at: Gateway = gateway): Promise<GatewayResponse> =>
  at.send(
    route.method,
    pathOf(route, () => '1'),
    route.method === 'GET' ? { headers } : { headers, body: {} },
  );

/** Members of an error body by surface. */
function codeOf(route: Route, response: GatewayResponse): unknown {
  if (route.surface === 'integrations') return response.body.error.error_code;
  return route.surface === 'platform' ? response.body.error.code : response.body.error.type;
}

const unauthenticated = (route: Route): string => (route.surface === 'address' ? 'CLIENT_UNAUTHORIZED' : 'UNAUTHENTICATED');
const forbidden = (route: Route): string => (route.surface === 'address' ? 'CLIENT_FORBIDDEN' : 'FORBIDDEN');
const otherRoles = (route: Route): RoleName[] => Object.values(Role.values).filter((role) => !rolesOf(schema, route).includes(role));

describe('keys on REST routes', () => {
  it.each(guarded.map((route) => [titleOf(route), route] as const))('%s rejects a request without a key', async (_, route) => {
    const response = await send(route, {});
    expect(response.status).toBe(401);
    expect(codeOf(route, response)).toBe(unauthenticated(route));
  });

  it.each(guarded.map((route) => [titleOf(route), route] as const))('%s rejects a key that does not exist', async (_, route) => {
    const response = await send(route, credentialHeader(route.credential, newKeyValue()));
    expect(response.status).toBe(401);
    expect(codeOf(route, response)).toBe(unauthenticated(route));
  });

  it.each(guarded.map((route) => [titleOf(route), route] as const))('%s rejects a valid key in another header', async (_, route) => {
    const key = await gateway.key([...rolesOf(schema, route)]);
    const other = route.credential === 'bearer' ? 'x-api-key' : 'bearer';
    expect((await send(route, credentialHeader(other, key))).status).toBe(401);
  });

  it.each(guarded.map((route) => [titleOf(route), route] as const))('%s rejects a key without the role', async (_, route) => {
    const key = await gateway.key(otherRoles(route));
    const response = await send(route, credentialHeader(route.credential, key));
    expect(response.status).toBe(403);
    expect(codeOf(route, response)).toBe(forbidden(route));
  });
});

describe('roles in the schema', () => {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].filter((type) => type != null);
  /** Fields anybody may use. */
  const open = new Set(['Mutation.submitIncorporationForm', 'Query.health', 'Query.incorporationForm', 'Query.service']);

  it('every root field declares its roles, and only the listed ones are open to everybody', () => {
    const fields = roots.flatMap((type) =>
      Object.values(type.getFields()).map((field) => ({
        path: `${type.name}.${field.name}`,
        roles: field.extensions.access as string[] | undefined,
      })),
    );
    expect(fields.filter((field) => field.roles === undefined).map((field) => field.path)).toEqual([]);
    expect(
      fields
        .filter((field) => field.roles?.length === 0)
        .map((field) => field.path)
        .sort(),
    ).toEqual([...open].sort());
  });
});

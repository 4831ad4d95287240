// Who gets in: the same checks over every row of the table and every root field of the schema.
import { describe, expect, it } from 'vitest';
import type { Row } from '../../rest-compat/row.ts';
import { rows } from '../../rest-compat/rows.ts';
import type { RoleName } from '../../src/core/access.ts';
import { newKeyValue } from '../../src/core/access.ts';
import { buildGatewaySchema } from '../../src/core/schema.ts';
import { orphanTypes, resolvers } from '../../src/registry.ts';
import { type Answer, type Gateway, useGateway } from '../support/gateway.ts';
import { credentialHeader, pathOf, roleOf } from '../support/rows.ts';

const gateway = useGateway();
const guarded = rows.filter((row) => row.credential !== 'none');
const name = (row: Row): string => `${row.method} ${row.path}`;

const send = (row: Row, headers: Record<string, string>, at: Gateway = gateway): Promise<Answer> =>
  at.send(
    row.method,
    pathOf(row, () => '1'),
    row.method === 'GET' ? { headers } : { headers, body: {} },
  );

/** Members of an error body by surface. */
function codeOf(row: Row, answer: Answer): unknown {
  if (row.surface === 'integrations') return answer.body.error.error_code;
  return row.surface === 'platform' ? answer.body.error.code : answer.body.error.type;
}

const unauthenticated = (row: Row): string => (row.surface === 'address' ? 'CLIENT_UNAUTHORIZED' : 'UNAUTHENTICATED');
const forbidden = (row: Row): string => (row.surface === 'address' ? 'CLIENT_FORBIDDEN' : 'FORBIDDEN');
const otherRoles = (row: Row): RoleName[] =>
  (['PLATFORM', 'ENTITIES', 'GEOCODE', 'MANAGE_CONTENT', 'INTEGRATIONS'] as const).filter((role) => role !== roleOf(row));

describe('keys on REST rows', () => {
  it.each(guarded.map((row) => [name(row), row] as const))('documented: %s refuses a request without a key', async (_, row) => {
    const answer = await send(row, {});
    expect(answer.status).toBe(401);
    expect(codeOf(row, answer)).toBe(unauthenticated(row));
  });

  it.each(guarded.map((row) => [name(row), row] as const))('documented: %s refuses a key that does not exist', async (_, row) => {
    const answer = await send(row, credentialHeader(row.credential, newKeyValue()));
    expect(answer.status).toBe(401);
    expect(codeOf(row, answer)).toBe(unauthenticated(row));
  });

  it.each(guarded.map((row) => [name(row), row] as const))('documented: %s refuses a right key in another header', async (_, row) => {
    const key = await gateway.key([roleOf(row)]);
    const other = row.credential === 'bearer' ? 'x-api-key' : 'bearer';
    expect((await send(row, credentialHeader(other, key))).status).toBe(401);
  });

  it.each(guarded.map((row) => [name(row), row] as const))('documented: %s refuses a key without the role', async (_, row) => {
    const key = await gateway.key(otherRoles(row));
    const answer = await send(row, credentialHeader(row.credential, key));
    expect(answer.status).toBe(403);
    expect(codeOf(row, answer)).toBe(forbidden(row));
  });
});

describe('roles in the schema', () => {
  const schema = buildGatewaySchema(resolvers, orphanTypes);
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].filter((type) => type != null);
  /** Fields anybody may use. */
  const open = new Set(['Mutation.submitIncorporationForm', 'Query.health', 'Query.incorporationForm', 'Query.service']);

  it('chosen: every root field declares its roles, and only the listed ones are open to everybody', () => {
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

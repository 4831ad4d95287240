// Members of a body that its operation does not know, over all routes: they are rejected by name, at every level, and nothing is stored.
import { beforeAll, describe, expect, it } from 'vitest';
import type { Route } from '../../rest-compat/routes/route.ts';
import { routes } from '../../rest-compat/routes/routes.ts';
import { useGateway } from '../support/gateway.ts';
import { credentialHeader, pathOf } from '../support/routes.ts';

const gateway = useGateway();
let key: string;

beforeAll(async () => {
  key = await gateway.key(['PLATFORM', 'ENTITIES', 'GEOCODE', 'MANAGE_CONTENT', 'INTEGRATIONS', 'ADMIN']);
});

/** The routes whose body has members of its own. */
const withMembers = routes.flatMap((route): [string, Route, string[]][] => {
  const bodies = Object.values(route.args).filter((source) => source.from === 'body');
  const members = bodies.flatMap(({ member }) => member ?? []);
  return members.length > 0 && members.length === bodies.length ? [[`${route.method} ${route.path}`, route, members]] : [];
});

describe('members besides those of the operation', () => {
  it('the integrations API has such a body on every write of records', () => {
    expect(withMembers.length).toBeGreaterThan(60);
  });

  it.each(withMembers)('%s rejects them by name', async (_, route, members) => {
    const body = { ...Object.fromEntries(members.map((member) => [member, {}])), unexpected: 1 };
    const response = await gateway.send(
      route.method,
      pathOf(route, () => '1'),
      {
        headers: credentialHeader(route.credential, key),
        body,
      },
    );
    expect(response.status, response.text).toBe(400);
    expect(response.text).toContain(`unexpected is not a field here; allowed are ${members.join(', ')}`);
  });
});

// Federation: off unless set; the SDL of the subgraph, and entities by their keys under the rights of the key. The tools compose it with a second subgraph.
import { parse } from 'graphql';
import { expect, it } from 'vitest';
import { type GatewayResponse, useGateway } from '../support/gateway.ts';
import { platformCaller } from '../support/platform.ts';
import { buildCompany } from '../support/records.ts';

const gateway = useGateway({ federation: true });
const plain = useGateway();

const ENTITIES =
  'query ($representations: [_Any!]!) { _entities(representations: $representations) { __typename ... on Node { id } ... on Corporation { legalName } ... on Company { name } } }';
const entities = (key: string, representations: unknown[]): Promise<GatewayResponse> => gateway.graphql(key, ENTITIES, { representations });

it('the SDL has a key on every record with a global id, and is served without a key', async () => {
  const { sdl } = (await gateway.graphql(null, '{ _service { sdl } }')).body.data._service;
  expect(() => parse(sdl)).not.toThrow();
  expect(sdl).toMatch(/^extend schema @link\(url: "https:\/\/specs\.apollo\.dev\/federation\/v2\.\d+"/);
  const types = [...sdl.matchAll(/^type (\w+) implements (?:\w+ & )*Node([^{]*)\{/gm)];
  expect(types.length).toBeGreaterThan(30);
  expect(types.filter(([, , directives]) => !directives.includes('@key(fields: "id")')).map(([, name]) => name)).toEqual([]);
  expect(sdl).not.toMatch(/\b_(Any|Entity|Service|entities|service)\b/);
});

it('entities are read by their keys, in the order asked for, all types in one request', async () => {
  const company = await buildCompany(gateway, { key: await gateway.key(['PLATFORM', 'INTEGRATIONS'], 'Federated') });
  const platform = await platformCaller(gateway, '/api/v1', 'Federated');
  const corporation = await platform.corporation({ legal_name: 'Federated Ltd' });
  const { body } = await entities(company.key, [
    { __typename: 'Company', id: `company_${company.id}` },
    { __typename: 'Corporation', id: corporation },
    { __typename: 'Product', id: corporation },
    { __typename: 'Corporation', id: 'corp_none' },
  ]);
  expect(body).toEqual({
    data: {
      _entities: [
        { __typename: 'Company', id: `company_${company.id}`, name: 'Test company' },
        { __typename: 'Corporation', id: corporation, legalName: 'Federated Ltd' },
        null,
        null,
      ],
    },
  });
});

it('the entity of another organisation is null', async () => {
  const platform = await platformCaller(gateway, '/api/v1');
  const corporation = await platform.corporation();
  const { body } = await entities(await gateway.key(['PLATFORM']), [{ __typename: 'Corporation', id: corporation }]);
  expect(body).toEqual({ data: { _entities: [null] } });
});

it('invalid representations, and too many, are rejected with a message', async () => {
  const key = await gateway.key(['PLATFORM']);
  for (const wrong of [null, 'x', {}, { __typename: 'Corporation' }, { __typename: 'Corporation', id: 7 }, [1]]) {
    const { body } = await entities(key, [wrong]);
    expect(body.errors?.[0].extensions.code, JSON.stringify(wrong)).toMatch(/PARAMS/);
  }
  const many = await entities(
    key,
    Array.from({ length: 101 }, () => ({ __typename: 'Corporation', id: 'corp_x' })),
  );
  expect(many.body.errors[0].message).toContain('at most 100');
  expect((await gateway.graphql(null, ENTITIES, { representations: [] })).status).toBe(401);
});

it('without the setting the schema has none of it', async () => {
  const response = await plain.graphql(await plain.key(['PLATFORM']), '{ _service { sdl } }');
  expect(response.status).toBe(400);
  expect(Object.keys(plain.services.schema.getTypeMap()).filter((name) => /^_[A-Z]/.test(name))).toEqual([]);
});

// The samples that the pages offer are valid in the schema: examples, sample variables, sample requests.
import { getVariableValues, type OperationDefinitionNode, parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { pagesModel } from '../../site/pages/gateway-model.ts';
import type { Services } from '../../src/access/context.ts';
import { readConfig } from '../../src/config.ts';
import { buildGatewaySchema } from '../../src/graphql/schema.ts';
import { orphanTypes, resolvers } from '../../src/registry.ts';

const schema = buildGatewaySchema(resolvers, orphanTypes);
const demo = { bearer: 'b', 'x-api-key': 'a', 'x-service-key': 's', api_key: 'k' };
const model = pagesModel(schema, { config: readConfig({}) } as Services, demo, '1.0.0');

describe('samples', () => {
  // One example shows what happens to a field that the schema does not have.
  const valid = model.examples.filter(({ name }) => name !== 'NoSuchField');

  it.each([...valid.map(({ name, ...rest }) => ({ id: name, ...rest })), ...model.operations])(
    '$id is valid and takes its sample variables',
    ({ document, variables }) => {
      const parsed = parse(document);
      expect(validate(schema, parsed)).toEqual([]);
      const { variableDefinitions } = parsed.definitions[0] as OperationDefinitionNode;
      expect(getVariableValues(schema, variableDefinitions ?? [], variables).errors ?? []).toEqual([]);
    },
  );

  it('every surface has an example', () => {
    for (const surface of ['platform', 'integrations', 'address'])
      expect(model.examples.map((example) => example.surface)).toContain(surface);
  });

  it('bodies have the names of their route, and a write of company records has one record in data', () => {
    const sample = (id: string) => model.operations.find((operation) => operation.id === id)!.sample;
    expect(sample('CreateCorporation').body).toMatchObject({ legal_name: expect.any(String), entity_type: expect.any(String) });
    expect(sample('CreateAccounts')).toMatchObject({
      path: '/v4/core/companies/1/accounts',
      body: { data: { name: 'Example', platform_id: expect.anything() } },
    });
  });

  it('operations without a credential show none, multipart ones their parts', () => {
    expect(model.operations.find((operation) => operation.id === 'Health')!.credential).toBeNull();
    expect(model.operations.find((operation) => operation.id === 'CreateFile')!.sample.form).toMatchObject({ file: '@products.csv' });
  });
});

// Values of enumerations: in capitals in GraphQL, as documented on REST, and both taken as input.
import { isEnumType } from 'graphql';
import { expect, it } from 'vitest';
import { useGateway } from '../support/gateway.ts';

const gateway = useGateway();

it('every value of every enumeration is in capitals', () => {
  const types = Object.values(gateway.services.schema.getTypeMap()).filter((type) => isEnumType(type) && !type.name.startsWith('__'));
  const names = types.flatMap((type) => (isEnumType(type) ? type.getValues().map(({ name }) => `${type.name}.${name}`) : []));
  expect(types.length).toBeGreaterThan(40);
  expect(names.filter((name) => !/\.[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/.test(name))).toEqual([]);
});

it('GraphQL shows capitals and REST the documented spelling; filters take both, literally and in variables', async () => {
  const key = await gateway.key(['PLATFORM']);
  const authorization = `Bearer ${key}`;
  const us = { state: 'DE', corporationType: 'CCorp' };
  const created = await gateway.send('POST', '/api/v1/incorporation-requests', {
    headers: { authorization },
    body: { companyId: '018f2f6e-0000-7000-8000-000000000000', country: 'US', corporationTypeInfo: { US: us } },
  });
  expect(created.body.data?.status, created.text).toBe('NotSubmitted');
  const { id } = created.body.data;
  for (const spelling of ['NOT_SUBMITTED', 'NotSubmitted', 'IN_PROGRESS', 'InProgress']) {
    const found = await gateway.graphql(
      key,
      `query($eq: IncorporationStatus) {
        literal: incorporationRequests(filter: { status: { eq: ${spelling} } }) { nodes { id status } }
        variable: incorporationRequests(filter: { status: { eq: $eq } }) { nodes { id status } }
      }`,
      { eq: spelling },
    );
    const nodes = spelling.startsWith('N') ? [{ id, status: 'NOT_SUBMITTED' }] : [];
    expect(found.body.data, found.text).toEqual({ literal: { nodes }, variable: { nodes } });
  }
  const refused = await gateway.graphql(
    key,
    'query($eq: IncorporationStatus) { incorporationRequests(filter: { status: { eq: $eq } }) { nodes { id } } }',
    { eq: 'DONE' },
  );
  expect(refused.text).toContain('NOT_SUBMITTED');
});

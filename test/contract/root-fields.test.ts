// Several root fields in one document: each is returned, rejected and stored on its own.
import { randomUUID } from 'node:crypto';
import { isNonNullType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { useGateway } from '../support/gateway.ts';
import { buildCompany } from '../support/records.ts';

const gateway = useGateway();
const made = (name: string, jurisdiction = 'GB'): string =>
  `createCorporation(input: { legalName: "${name}", jurisdiction: "${jurisdiction}" }) { corporation { id legalName } }`;
const names = async (key: string): Promise<string[]> =>
  (await gateway.graphql(key, '{ corporations(first: 100) { nodes { legalName } } }')).body.data.corporations.nodes
    .map((node: { legalName: string }) => node.legalName)
    .sort();

describe('an error nulls its own field only', () => {
  it('the record a mutation stored is returned, whether or not its neighbours fail', async () => {
    const key = await gateway.key(['PLATFORM']);
    const response = await gateway.graphql(key, `mutation { a: ${made('One Ltd')} b: ${made('Two Ltd', 'XX')} c: ${made('Three Ltd')} }`);
    expect(response.status).toBe(200);
    expect(response.body.data).toMatchObject({
      a: { corporation: { legalName: 'One Ltd' } },
      b: null,
      c: { corporation: { legalName: 'Three Ltd' } },
    });
    expect(response.body.errors).toMatchObject([{ path: ['b'] }]);
    expect(await names(key)).toEqual(['One Ltd', 'Three Ltd']);
  });

  it('a field without permission leaves its neighbours', async () => {
    const key = await gateway.key(['PLATFORM']);
    const response = await gateway.graphql(key, '{ companies { nodes { id } } corporations { nodes { id } } }');
    expect(response.body.data).toEqual({ companies: null, corporations: { nodes: [] } });
    expect(response.body.errors).toMatchObject([{ path: ['companies'], extensions: { code: 'FORBIDDEN' } }]);
  });

  it('the same for accounting records, and the earlier mutations of a document are seen by the later ones', async () => {
    const { id, key } = await buildCompany(gateway);
    const account = (data: string): string => `createAccounts(input: { companyId: ${id}, records: [${data}] }) { accounts { platformId } }`;
    const response = await gateway.graphql(
      key,
      `mutation { a: ${account('{ platformId: "1" }')} b: ${account('{ platformId: "1" }')} c: ${account('{ platformId: "2" }')} }`,
    );
    expect(response.body.data).toEqual({ a: { accounts: [{ platformId: '1' }] }, b: null, c: { accounts: [{ platformId: '2' }] } });
    expect(response.body.errors).toMatchObject([{ path: ['b'], extensions: { code: 'RECORD_ALREADY_EXISTS' } }]);
  });

  it('no root field of a query or mutation is non-null', () => {
    const { schema } = gateway.services;
    const fields = [schema.getQueryType()!, schema.getMutationType()!].flatMap((type) => Object.values(type.getFields()));
    expect(fields.length).toBeGreaterThan(100);
    expect(fields.filter(({ type }) => isNonNullType(type)).map(({ name }) => name)).toEqual([]);
  });
});

it('a repeated document gets its first response, with stored and rejected fields, and is not executed again', async () => {
  const key = await gateway.key(['PLATFORM']);
  const body = { query: `mutation { a: ${made('Once Ltd')} b: ${made('Never Ltd', 'XX')} }` };
  const headers = { authorization: `Bearer ${key}`, 'idempotency-key': randomUUID() };
  const [first, second] = [
    await gateway.send('POST', '/graphql', { headers, body }),
    await gateway.send('POST', '/graphql', { headers, body }),
  ];
  expect(first.body.data).toMatchObject({ a: { corporation: { legalName: 'Once Ltd' } }, b: null });
  expect(second.headers.get('idempotency-replayed')).toBe('true');
  expect(second.body.data).toEqual(first.body.data);
  expect(second.body.errors).toMatchObject([{ path: ['b'] }]);
  expect(await names(key)).toEqual(['Once Ltd']);
});

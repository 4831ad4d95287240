// One record, two endpoints: REST and GraphQL return the same record, and an error has one code on both.
import { beforeAll, describe, expect, it } from 'vitest';
import type { Route } from '../../rest-compat/routes/route.ts';
import { routes } from '../../rest-compat/routes/routes.ts';
import { defaultProjection, storedOperation } from '../../rest-compat/runtime/stored-operation.ts';
import { buildGatewaySchema } from '../../src/graphql/schema.ts';
import { namesOf } from '../../src/integrations/ledger/ledger-record.ts';
import type { RecordClass } from '../../src/records/metadata.ts';
import { ledgerRecords, orphanTypes, resolvers } from '../../src/registry.ts';
import { useGateway } from '../support/gateway.ts';
import { buildCompany, listName, sampleBody, type TestCompany } from '../support/records.ts';

const gateway = useGateway();
const schema = buildGatewaySchema(resolvers, orphanTypes);
const routeOf = (method: Route['method'], path: string): Route => routes.find((route) => route.method === method && route.path === path)!;
const documentOf = (route: Route): string =>
  storedOperation(
    schema,
    route,
    defaultProjection,
    new Set(Object.keys(route.args).map((name) => (name.includes('.') ? name : `${route.root.split('.').at(-1)}.${name}`))),
  ).document;

describe.each(ledgerRecords.map((target): [string, RecordClass] => [namesOf(target).one, target]))('%s', (one, target) => {
  let company: TestCompany;
  let ledgerId: number;
  const list = `/v4/core/companies/{companyId}/${listName(target)}`;

  beforeAll(async () => {
    company = await buildCompany(gateway);
    const made = await gateway.send('POST', `${company.base}/${listName(target)}`, {
      headers: company.headers,
      body: { data: sampleBody(target) },
    });
    expect(made.status, made.text).toBe(201);
    ledgerId = made.body.data.data.ledger_id;
  });

  it('a single read is the same record on both endpoints, with what was written', async () => {
    const rest = await gateway.send('GET', `${company.base}/${listName(target)}/${ledgerId}`, { headers: company.headers });
    const graphql = await gateway.graphql(company.key, documentOf(routeOf('GET', `${list}/{id}`)), { id: company.id, ledgerId });
    expect(rest.body.data).toEqual(graphql.body.data.company[one]);
    // The place among the records of a parent and the status at the source are shown on request.
    const { position: _, source_status: __, ...written } = sampleBody(target);
    expect(rest.body.data).toMatchObject(written);
  });

  it('a list holds the same records on both endpoints', async () => {
    const rest = await gateway.send('GET', `${company.base}/${listName(target)}`, { headers: company.headers });
    const graphql = await gateway.graphql(company.key, documentOf(routeOf('GET', list)), { id: company.id });
    expect(rest.body.data).toEqual(graphql.body.data.company[namesOf(target).many].nodes);
    expect(rest.body.data).toHaveLength(1);
  });

  it('an unknown record and a field of a wrong type have the same code on both endpoints', async () => {
    const rest = await gateway.send('GET', `${company.base}/${listName(target)}/999999999`, { headers: company.headers });
    const graphql = await gateway.graphql(company.key, documentOf(routeOf('GET', `${list}/{id}`)), {
      id: company.id,
      ledgerId: 999_999_999,
    });
    expect(rest.body.error.error_code).toBe('RECORD_NOT_FOUND');
    expect(graphql.body.errors[0].extensions.code).toBe('RECORD_NOT_FOUND');
    const wrong = await gateway.send('POST', `${company.base}/${listName(target)}`, {
      headers: company.headers,
      body: { data: { platform_id: 5 } },
    });
    const alike = await gateway.graphql(company.key, documentOf(routeOf('POST', list)), {
      input: { companyId: company.id, records: [{ platformId: 5 }] },
    });
    expect([wrong.body.error.error_code, wrong.body.error.field]).toEqual(['INVALID_PARAMS', 'data.platform_id']);
    expect([alike.body.errors[0].extensions.code, alike.body.errors[0].extensions.field]).toEqual([
      'INVALID_PARAMS',
      'input.records[0].platformId',
    ]);
  });
});

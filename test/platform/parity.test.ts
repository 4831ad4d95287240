// Both endpoints return the same record and the same error for the same request; demo data and customs tables use the same functions.
import { beforeAll, expect, it } from 'vitest';
import { seedPlatformDemo } from '../../src/platform/demo/seed.ts';
import { ADMIN_TOKEN, useGateway } from '../support/gateway.ts';
import { type PlatformCaller, platformCaller } from '../support/platform.ts';

const gateway = useGateway();
let caller: PlatformCaller;
let corporation: string;
beforeAll(async () => {
  caller = await platformCaller(gateway, '/api/v1', 'Parity');
  corporation = await caller.corporation({ address: { address_line_1: '1 High Street', country: 'GB' } });
});

const camel = (name: string): string => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
const fieldsOf = (record: object): string =>
  Object.entries(record)
    .map(([name, value]) =>
      name === 'address' && value ? `${name} { ${fieldsOf(value)} }` : name === 'tax_ids' ? 'taxIds { type value }' : camel(name),
    )
    .join(' ');
const inSnake = (value: unknown): unknown => {
  if (Array.isArray(value) || typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name.replace(/([a-z])([A-Z0-9])/g, '$1_$2').toLowerCase(),
      name === 'customsJurisdictionDetails' ? inner : inSnake(inner),
    ]),
  );
};

it('a corporation and a product are the same record on both endpoints', async () => {
  const product = await caller.product(corporation, { customs_jurisdiction_details: { US: '847130' }, weight_in_kg: 0.1 });
  for (const [path, field, id] of [
    ['corporations', 'corporation', corporation],
    ['products', 'product', product],
  ] as const) {
    const rest = (await caller.send('GET', `/${path}/${id}`)).body.data;
    const response = await gateway.graphql(caller.key, `query($id: ID!) { ${field}(id: $id) { ${fieldsOf(rest)} } }`, { id });
    expect(inSnake(response.body.data[field])).toEqual(rest);
  }
});

const refusals: [string, string, unknown, string, Record<string, unknown>][] = [
  ['GET', '/corporations/x', undefined, 'query { corporation(id: "x") { id } }', {}],
  ['GET', '/products/x', undefined, 'query { product(id: "x") { id } }', {}],
  ['GET', '/products?corporation_id=x', undefined, 'query { products(corporationId: "x") { nodes { id } } }', {}],
  ['GET', '/jobs/x', undefined, 'query { importJob(id: "x") { id } }', {}],
  [
    'POST',
    '/corporations',
    { legal_name: 'x', jurisdiction: 'UK' },
    'mutation($input: CreateCorporationInput!) { createCorporation(input: $input) { warnings } }',
    { input: { legalName: 'x', jurisdiction: 'UK' } },
  ],
  [
    'POST',
    '/corporations',
    { jurisdiction: 'GB' },
    'mutation($input: CreateCorporationInput!) { createCorporation(input: $input) { warnings } }',
    { input: { jurisdiction: 'GB' } },
  ],
  [
    'POST',
    '/products',
    { corporation_id: 'x', name: 'y' },
    'mutation { createProduct(input: { corporationId: "x", name: "y" }) { warnings } }',
    {},
  ],
  [
    'POST',
    '/products/x/customs-code',
    { country: 'US', customs_code: '1' },
    'mutation { setCustomsCode(input: { id: "x", country: "US", customsCode: "1" }) { warnings } }',
    {},
  ],
  ['POST', '/products/bulk_upload/csv', { file_id: 'x' }, 'mutation { startProductImport(input: { fileId: "x" }) { job { id } } }', {}],
];

it.each(refusals)('%s %s with %j is the same error on both endpoints', async (method, path, body, query, variables) => {
  const rest = await caller.send(method, path, body);
  const graphql = await gateway.graphql(caller.key, query, variables);
  expect(graphql.body.errors[0].extensions.code).toBe(rest.body.error.code);
});

it('a GraphQL product leads to its corporation and shows codes as they were given', async () => {
  const id = await caller.product(corporation, { customs_jurisdiction_details: { US: '8471.30.0100' } });
  const response = await gateway.graphql(
    caller.key,
    'query($id: ID!) { node(id: $id) { ... on Product { customsCodes { country customsCode customsCodeDisplay } corporation { id } } } }',
    { id },
  );
  expect(response.body.data.node).toEqual({
    customsCodes: [{ country: 'US', customsCode: '8471300100', customsCodeDisplay: '8471.30.0100' }],
    corporation: { id: corporation },
  });
});

it('demo data are two corporations with three products each', async () => {
  const key = await platformCaller(gateway, '/api/v1', 'Demo');
  const [row] = await gateway.services.database.orm.em
    .getConnection()
    .execute<{ id: string; public_id: string }[]>("select id, public_id from organisation where name = 'Demo'");
  const ids = await seedPlatformDemo(gateway.services, { id: Number(row!.id), publicId: row!.public_id, name: 'Demo' });
  expect((await key.send('GET', '/corporations')).body.data.total_corporations).toBe(2);
  for (const id of ids) expect((await key.send('GET', `/products?corporation_id=${id}`)).body.data.products).toHaveLength(3);
});

it('operators load the customs tables; the list adds a warning, the lengths decide', async () => {
  const product = await caller.product(corporation);
  const set = (country: string, customs_code: string) =>
    caller.send('POST', `/products/${product}/customs-code`, { country, customs_code });
  const load = (name: string, json: unknown, key = ADMIN_TOKEN) =>
    gateway.graphql(key, `mutation($json: JSON!) { ${name}(input: { json: $json }) { entries } }`, { json });
  expect((await set('US', '8471300100')).body.message).toBe('Customs code set');
  expect((await set('US', '4905900000')).body.message).toBe('Customs code set');
  expect((await load('ingestHsCodes', ['847130'], caller.key)).body.errors[0].extensions.code).toBe('FORBIDDEN');
  expect((await load('ingestHsCodes', ['847130', '8471'])).body.errors[0].extensions).toMatchObject({
    code: 'INVALID_PARAMS',
    field: 'input.json[1]',
  });
  expect((await load('ingestHsCodes', ['847130', '490590'])).body.data.ingestHsCodes.entries).toBe(2);
  expect((await set('US', '9801001013')).body.message).toBe(
    'Customs code set. 980100 is not a six-digit code of the loaded Harmonized System list',
  );
  expect((await load('ingestCustomsLengths', { FR: { lengths: [9] } })).body.data.ingestCustomsLengths.entries).toBe(1);
  expect((await set('FR', '84713000')).body.error.code).toBe('CUSTOMS_CODE_INVALID');
  expect((await set('FR', '847130001')).status).toBe(200);
});

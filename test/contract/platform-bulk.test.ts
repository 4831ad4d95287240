// Bulk forms of platform records: each record on its own, or all or none, in one transaction.
import { expect, it } from 'vitest';
import { useGateway } from '../support/gateway.ts';
import { type PlatformCaller, platformCaller } from '../support/platform.ts';

const gateway = useGateway();
const SELECTION = 'results { index product { id name } errors { code path } } products { id name etag } errors { code path message }';

async function ask(caller: PlatformCaller, name: string, input: object, selection = SELECTION) {
  const type = `${name[0]!.toUpperCase()}${name.slice(1)}Input`;
  const response = await gateway.graphql(caller.key, `mutation($input: ${type}!) { ${name}(input: $input) { ${selection} } }`, { input });
  expect(response.body.data, response.text).toBeDefined();
  return { ...response.body.data[name], top: response.body.errors };
}
const named = async (caller: PlatformCaller, corporation: string): Promise<string[]> => {
  const list = await gateway.graphql(caller.key, `{ products(corporationId: "${corporation}", first: 100) { nodes { name } } }`);
  return list.body.data.products.nodes.map(({ name }: { name: string }) => name).sort();
};

it('each record is stored or rejected on its own, with all its errors at its place; atomic stores all or none', async () => {
  const caller = await platformCaller(gateway, '/api/v1');
  const corporationId = await caller.corporation();
  const records = [
    { corporationId, name: 'A', sku: 'a' },
    { corporationId, name: 'B', sku: 'a' },
    { corporationId: 'corp_none', name: 'C', weightInKg: -1 },
    { corporationId, name: 'D', sku: 'd', originCountry: 'XX' },
    { corporationId, name: 'E\u0000', sku: 'e' },
    { corporationId, name: 'F', idempotencyKey: 'own' },
    { corporationId, name: 'G', sku: 'g' },
  ];
  const expected = [
    { code: 'DUPLICATE_SKU', path: ['records', '1', 'sku'] },
    { code: 'INVALID_PARAMS', path: ['records', '2', 'weightInKg'] },
    { code: 'CORPORATION_NOT_FOUND', path: ['records', '2', 'corporationId'] },
    { code: 'INVALID_PARAMS', path: ['records', '3', 'originCountry'] },
    { code: 'INVALID_PARAMS', path: ['records', '4', 'name'] },
    { code: 'INVALID_PARAMS', path: ['records', '5', 'idempotencyKey'] },
  ];
  const shown = (errors: { code: string; path: string[] }[]) => errors.map(({ code, path }) => ({ code, path }));
  const whole = await ask(caller, 'createProducts', { records, atomic: true });
  expect([whole.products, whole.results]).toEqual([null, null]);
  expect(shown(whole.errors)).toEqual(expect.arrayContaining(expected));
  expect(await named(caller, corporationId)).toEqual([]);
  const each = await ask(caller, 'createProducts', { records });
  expect(shown(each.errors)).toEqual(expected);
  expect(each.products.map(({ name }: { name: string }) => name)).toEqual(['A', 'G']);
  expect(
    each.results.map(({ product, errors }: { product: object | null; errors: object[] }) => [product !== null, errors.length]),
  ).toEqual([
    [true, 0],
    [false, 1],
    [false, 2],
    [false, 1],
    [false, 1],
    [false, 1],
    [true, 0],
  ]);
  expect(await named(caller, corporationId)).toEqual(['A', 'G']);
  // An operation that would not see which records were rejected gets all or none.
  const blind = await ask(caller, 'createProducts', { records: records.slice(0, 2) }, 'products { id }');
  expect(blind.top).toMatchObject([{ extensions: { code: 'DUPLICATE_SKU' } }]);
  const [a, g] = each.products;
  const changed = await ask(caller, 'updateProducts', {
    records: [{ id: a.id, name: 'A2', ifMatch: a.etag }, { id: g.id, name: 'G2', ifMatch: '"none"' }, { name: 'H' }],
  });
  expect(shown(changed.errors)).toEqual([
    { code: 'STALE_RECORD', path: ['records', '1', 'ifMatch'] },
    { code: 'MISSING_PARAMS', path: ['records', '2', 'id'] },
  ]);
  expect(await named(caller, corporationId)).toEqual(['A2', 'G']);
  const gone = await ask(caller, 'deleteProducts', { records: [{ id: a.id }, { id: a.id }, { id: g.id }] });
  expect(shown(gone.errors)).toEqual([{ code: 'PRODUCT_NOT_FOUND', path: ['records', '1', 'id'] }]);
  expect(await named(caller, corporationId)).toEqual([]);
});

it('a record with the source id of another product is rejected alone', async () => {
  const caller = await platformCaller(gateway, '/api/v1');
  const corporationId = await caller.corporation();
  const source = { sourcePlatform: 'SHOPIFY', sourcePlatformId: '1' };
  await ask(caller, 'createProducts', { records: [{ corporationId, name: 'Stored', ...source }] });
  const both = [
    { corporationId, name: 'Good' },
    { corporationId, name: 'Taken', ...source },
  ];
  const { products, errors } = await ask(caller, 'createProducts', { records: both });
  expect(products).toMatchObject([{ name: 'Good' }]);
  expect(errors).toMatchObject([{ code: 'RECORD_ALREADY_EXISTS', path: ['records', '1', 'sourcePlatformId'] }]);
  expect(await named(caller, corporationId)).toEqual(['Good', 'Stored']);
});

/** Enough that a statement more for each record shows. */
const SOME = 50;

it('a record with a wrong value has its other errors reported too: records that do not exist, broken rules', async () => {
  const caller = await platformCaller(gateway, '/api/v1');
  const product = await caller.product(await caller.corporation());
  const records = [
    { id: 'prod_01m82051c5e8mvwx9b5ppa7avz', name: 'a\u0000b' },
    { id: product, name: 'a\u0000b' },
    { id: product, name: 'a\u0000b', originCountry: 'Atlantis' },
    { id: product, name: 'Kettle' },
  ];
  const { results } = await ask(caller, 'updateProducts', { records });
  expect(results.map(({ errors }: { errors: object[] }) => errors)).toEqual([
    [
      { code: 'INVALID_PARAMS', path: ['records', '0', 'name'] },
      { code: 'PRODUCT_NOT_FOUND', path: ['records', '0', 'id'] },
    ],
    [{ code: 'INVALID_PARAMS', path: ['records', '1', 'name'] }],
    [
      { code: 'INVALID_PARAMS', path: ['records', '2', 'name'] },
      { code: 'INVALID_PARAMS', path: ['records', '2', 'originCountry'] },
    ],
    [],
  ]);
});

it('1,001 records are rejected; a record takes few statements', async () => {
  const caller = await platformCaller(gateway, '/api/v1');
  const corporationId = await caller.corporation();
  const records = Array.from({ length: 1_001 }, (_, index) => ({ corporationId, name: `P${index}`, sku: `p${index}` }));
  const many = await ask(caller, 'createProducts', { records });
  expect(many.top).toMatchObject([{ extensions: { code: 'BATCH_LIMIT_EXCEEDED', field: 'input.records' } }]);
  const before = gateway.services.database.statements();
  const most = await ask(caller, 'createProducts', { records: records.slice(0, SOME) }, 'products { id } errors { code }');
  expect([most.products.length, most.errors]).toEqual([SOME, []]);
  expect(gateway.services.database.statements() - before).toBeLessThan(SOME * 6);
  // Two calls that name the same records in opposite orders do not wait for each other.
  const renamed = (most.products as { id: string }[]).map(({ id }) => ({ id, name: 'Renamed' }));
  const both = await Promise.all([renamed, renamed.toReversed()].map((list) => ask(caller, 'updateProducts', { records: list })));
  expect(both.map(({ products, errors }) => [products.length, errors.length])).toEqual([
    [SOME, 0],
    [SOME, 0],
  ]);
});

it('corporations and registrations have bulk forms too; an idempotency key is that of the call', async () => {
  const caller = await platformCaller(gateway, '/api/v1');
  const input = {
    records: [
      { legalName: 'One Ltd', jurisdiction: 'GB' },
      { legalName: '', jurisdiction: 'GB' },
    ],
    idempotencyKey: 'once',
  };
  const selection = 'corporations { id legalName } results { corporation { legalName } warnings } errors { code path }';
  const first = await ask(caller, 'createCorporations', input, selection);
  expect(first.corporations.map(({ legalName }: { legalName: string }) => legalName)).toEqual(['One Ltd']);
  expect(first.errors).toMatchObject([{ path: ['records', '1', 'legalName'] }]);
  expect(await ask(caller, 'createCorporations', input, selection)).toEqual(first);
  const registration = {
    corporationId: 'corp_none',
    registrationContentId: 'US_AL_RST',
    taxTypes: ['RST'],
    effectiveStartDate: '2020-01-01',
  };
  const refused = await ask(caller, 'createRegistrations', { records: [registration] }, 'registrations { id } errors { code path }');
  expect(refused).toMatchObject({
    registrations: [],
    errors: [{ code: 'CORPORATION_NOT_FOUND', path: ['records', '0', 'corporationId'] }],
  });
});

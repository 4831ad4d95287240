// Optimistic locks: a change of a record that names a version is stored only on that version, also of two changes at once.
import { getNamedType, isInputObjectType, isObjectType } from 'graphql';
import { expect, it } from 'vitest';
import { useGateway } from '../support/gateway.ts';
import { platformCaller } from '../support/platform.ts';

const gateway = useGateway({ webhookAllowPrivate: true });

it('every mutation that names the record it returns takes ifMatch, where records of the type show a version', () => {
  const fields = Object.values(gateway.services.schema.getMutationType()!.getFields());
  const taking = fields.filter((field) => {
    const payload = getNamedType(field.type);
    const input = getNamedType(field.args.find(({ name }) => name === 'input')!.type);
    if (!isObjectType(payload) || !isInputObjectType(input) || !('id' in input.getFields())) return false;
    const records = Object.values(payload.getFields()).map(({ type }) => getNamedType(type));
    const isVersioned = records.some((type) => isObjectType(type) && 'etag' in type.getFields());
    expect([field.name, 'ifMatch' in input.getFields()]).toEqual([field.name, isVersioned]);
    return isVersioned;
  });
  // Two for each of 19 types of ledger records, and those of the platform.
  expect(taking.length).toBeGreaterThan(19 * 2 + 15);
});

it('of changes at once that name one version one is stored; the others are STALE_RECORD at ifMatch, with their other errors', async () => {
  const platform = await platformCaller(gateway, '/api/v1');
  const ask = async (name: string, member: string, input: object) => {
    const type = `${name[0]!.toUpperCase()}${name.slice(1)}Input`;
    const query = `mutation($input: ${type}!) { ${name}(input: $input) { ${member} { id etag } errors { code path } } }`;
    const response = await gateway.graphql(platform.key, query, { input });
    expect(response.body.data, response.text).toBeTruthy();
    return response.body.data[name];
  };
  const corporation = await platform.corporation();
  const product = await platform.product(corporation);
  const hook = await platform.send('POST', '/webhooks', { url: 'https://receiver.example/hook', topics: ['*'] });
  const changes: [name: string, member: string, id: string, change: object, next: object][] = [
    ['updateCorporation', 'corporation', corporation, { legalName: 'Other Ltd' }, { legalName: 'Third Ltd' }],
    ['updateProduct', 'product', product, { name: 'Other' }, { name: 'Third' }],
    ['setCustomsCode', 'product', product, { country: 'US', customsCode: '8471.30.0100' }, { customsCode: '8517.13.0000' }],
    ['updateWebhook', 'webhook', hook.body.data.id, { description: 'Other' }, { description: 'Third' }],
  ];
  for (const [name, member, id, change, next] of changes) {
    const { [member]: record } = (await ask(name, member, { id, ...change, ifMatch: '*' })) as { [member: string]: { etag: string } };
    const shown = await gateway.graphql(
      platform.key,
      `{ node(id: "${id}") { ... on ${member[0]!.toUpperCase()}${member.slice(1)} { etag } } }`,
    );
    expect(shown.body.data.node, name).toEqual({ etag: record!.etag });
    // A version is the time of the change in milliseconds.
    await new Promise((resolve) => setTimeout(resolve, 5));
    const responses = await Promise.all([1, 2, 3].map(() => ask(name, member, { id, ...change, ...next, ifMatch: record!.etag })));
    const refused = responses.filter(({ errors }) => errors.length > 0);
    expect([name, refused.length, responses.length - refused.length]).toEqual([name, 2, 1]);
    for (const { errors } of refused) expect(errors).toEqual([{ code: 'STALE_RECORD', path: ['ifMatch'] }]);
  }
  const stale = await ask('deleteProduct', 'product', { id: product, ifMatch: '"none"' });
  expect(stale).toEqual({ product: null, errors: [{ code: 'STALE_RECORD', path: ['ifMatch'] }] });
  const missing = await ask('updateProduct', 'product', { id: 'prod_none', name: 'X', ifMatch: '"none"' });
  expect(missing.errors).toEqual([{ code: 'PRODUCT_NOT_FOUND', path: ['id'] }]);
  const last = await ask('updateProduct', 'product', { id: product, name: 'Last' });
  expect(last.errors).toEqual([]);
  expect((await ask('deleteProduct', 'product', { id: product, ifMatch: `W/${last.product.etag}, "x"` })).errors).toEqual([]);
});

// Parents of several types: a child names an existing record of the stated type in its company. Checked wherever records are written.
import { beforeAll, describe, expect, it } from 'vitest';
import { childRelations } from '../../src/integrations/ledger/references.ts';
import { snakeCase } from '../../src/records/naming.ts';
import { ledgerRecords } from '../../src/registry.ts';
import { type GatewayResponse, useGateway } from '../support/gateway.ts';
import { buildCompany, listName, sampleBody, type TestCompany } from '../support/records.ts';
import { endOfSync, jobsOf } from '../support/syncs.ts';

const gateway = useGateway();
let company: TestCompany;
let other: TestCompany;
/** Numbers of records by list. */
const held: Record<string, number> = {};
const foreign: Record<string, number> = {};
const gone: Record<string, number> = {};

const send = (method: string, path: string, body?: unknown): Promise<GatewayResponse> =>
  gateway.send(method, path, { headers: company.headers, body });
async function make(owner: TestCompany, list: string, name: string): Promise<number> {
  const response = await gateway.send('POST', `${owner.base}/${list}`, { headers: owner.headers, body: { data: { platform_id: name } } });
  expect(response.status, response.text).toBe(201);
  return response.body.data.data.ledger_id;
}

const lists = { PURCHASE_ORDER: 'purchase_orders', ESTIMATE: 'estimates', CONTACT: 'contacts', ITEM: 'items' } as const;
type ParentType = keyof typeof lists;

beforeAll(async () => {
  company = await buildCompany(gateway);
  other = await buildCompany(gateway, { key: company.key });
  for (const [type, list] of Object.entries(lists)) {
    held[type] = await make(company, list, 'held');
    foreign[type] = await make(other, list, 'foreign');
    gone[type] = await make(company, list, 'gone');
    await send('DELETE', `${company.base}/${list}/${gone[type]}`);
  }
});

const children: [list: string, record: string, type: ParentType, another: ParentType][] = [
  ['line_items', 'LineItem', 'PURCHASE_ORDER', 'ESTIMATE'],
  ['addresses', 'Address', 'CONTACT', 'PURCHASE_ORDER'],
  ['phone_numbers', 'PhoneNumber', 'CONTACT', 'ITEM'],
  ['external_links', 'ExternalLink', 'CONTACT', 'ITEM'],
  ['variants', 'Variant', 'ITEM', 'CONTACT'],
];

describe.each(children)('%s', (list, record, type, another) => {
  let count = 0;
  const child = (parent_id: unknown, parent_type: unknown = type): Record<string, unknown> => ({
    platform_id: `${list}-${++count}`,
    parent_type,
    parent_id,
  });
  const wrong: [string, () => Record<string, unknown>, string, string][] = [
    ['that is not there', () => child(99_999_999), 'INVALID_PARAMS', 'parent_id'],
    ['of another type', () => child(held[another]), 'INVALID_PARAMS', 'parent_id'],
    ['of another company', () => child(foreign[type]), 'INVALID_PARAMS', 'parent_id'],
    ['that was deleted', () => child(gone[type]), 'INVALID_PARAMS', 'parent_id'],
    ['of no type', () => child(held[type], null), 'MISSING_PARAMS', 'parent_type'],
  ];
  const stored = async (platform_id: unknown): Promise<Record<string, unknown>[]> =>
    (await send('GET', `${company.base}/${list}?platform_id=${platform_id}`)).body.data;

  it.each(wrong)('a parent %s is rejected on REST and in GraphQL, strict or not', async (_, build, code, field) => {
    for (const [method, query] of [
      ['POST', ''],
      ['PUT', ''],
      ['POST', '?strict=true'],
    ] as const) {
      const data = build();
      const response = await send(method, `${company.base}/${list}${query}`, { data });
      expect([response.status, response.body.error.error_code, response.body.error.field]).toEqual([400, code, `data.${field}`]);
      expect(await stored(data.platform_id)).toEqual([]);
    }
    const { platform_id, parent_type, parent_id } = build();
    const plural = list.replace(/(^|_)(\w)/g, (_whole, _gap, letter: string) => letter.toUpperCase());
    const response = await gateway.graphql(
      company.key,
      `mutation ($id: ID!, $data: [${record}Input!]!) { upsert${plural}(input: { companyId: $id, records: $data }) { syncId } }`,
      { id: company.id, data: [{ platformId: platform_id, parentType: parent_type, parentId: parent_id }] },
    );
    expect(response.body.errors[0].extensions).toMatchObject({
      code,
      field: `input.records[0].${field === 'parent_id' ? 'parentId' : 'parentType'}`,
    });
  });

  it('in a batch the others are stored', async () => {
    const data = [child(held[type]), ...wrong.map(([, build]) => build())];
    const refusals = wrong.map(([, , code, field], index) => [code, `data[${index + 1}].${field}`]);
    const accepted = await send('POST', `${company.base}/${list}?run_async=true`, { data });
    await endOfSync(gateway, company, accepted.body.data.sync_id);
    const jobs = await jobsOf(gateway, company, accepted.body.data.sync_id);
    expect(jobs.find(({ parentJobId }) => parentJobId === null)).toMatchObject({ recordsSynced: 1 });
    const seen = jobs
      .filter(({ parentJobId }) => parentJobId !== null)
      .map(({ errorCode, errorResponse }) => [errorCode, errorResponse!.field]);
    expect(seen.sort()).toEqual(refusals.sort());
    expect(await stored(data[0]!.platform_id)).toMatchObject([{ parent_id: held[type], parent_type: type }]);
  });

  it('a child keeps its parent, and may not be moved to a parent that does not exist', async () => {
    const data = child(held[type]);
    const made = await send('PUT', `${company.base}/${list}`, { data });
    expect(made.status, made.text).toBe(200);
    expect((await send('PUT', `${company.base}/${list}`, { data })).status).toBe(200);
    const moved = await gateway.graphql(
      company.key,
      `mutation ($id: ID!, $number: ID!) { update${record}(input: { companyId: $id, id: $number, parentId: 99999999 }) { syncId } }`,
      { id: company.id, number: made.body.data.data.ledger_id },
    );
    expect(moved.body.errors[0].extensions).toMatchObject({ code: 'INVALID_PARAMS', field: 'input.parentId' });
  });
});

describe.each(ledgerRecords.flatMap((target) => childRelations(target).map((relation) => ({ target, relation }))))(
  '$target.name with $relation.name',
  ({ target, relation }) => {
    it.skipIf(relation.whole)('the record changes and is deleted with its children, shown or not', async () => {
      const list = `${company.base}/${listName(target)}`;
      const made = await send('POST', list, {
        data: { ...sampleBody(target), platform_id: `parent of ${relation.name}`, parent_type: undefined },
      });
      expect(made.status, made.text).toBe(201);
      const { ledger_id } = made.body.data.data;
      const version = async () => (await send('GET', `${list}/${ledger_id}`)).body.data?.ledger_updated_at;
      const before = await version();
      const children = `${company.base}/${listName(relation.target())}`;
      const parent = { [snakeCase(relation.to)]: ledger_id, ...(relation.where ? { parent_type: relation.where.parentType } : {}) };
      const child = await send('POST', children, { data: { platform_id: 'a child', ...parent } });
      expect(child.status, child.text).toBe(201);
      const between = await version();
      expect(between).not.toBe(before);
      const path = `${children}/${child.body.data.data.ledger_id}`;
      expect((await send('PUT', path, { data: { raw_data: { changed: true } } })).status).toBe(200);
      expect(await version()).not.toBe(between);
      expect((await send('DELETE', `${list}/${ledger_id}`)).status).toBe(204);
      expect((await send('PUT', path, { data: { raw_data: { changed: false } } })).status).toBe(404);
    });
  },
);

it('a record is deleted with the children of its children', async () => {
  const order = (await send('POST', `${company.base}/purchase_orders`, { data: { line_items: [{ name: 'first' }, { name: 'second' }] } }))
    .body.data.data;
  const parent = { parent_type: 'LINE_ITEM', parent_id: order.line_items[1].ledger_id };
  const link = await send('POST', `${company.base}/external_links`, { data: parent });
  expect(link.status, link.text).toBe(201);
  expect((await send('DELETE', `${company.base}/purchase_orders/${order.ledger_id}`)).status).toBe(204);
  expect((await send('GET', `${company.base}/external_links/${link.body.data.data.ledger_id}`)).status).toBe(404);
  expect((await send('PUT', `${company.base}/external_links/${link.body.data.data.ledger_id}`, { data: { raw_data: {} } })).status).toBe(
    404,
  );
});

it('a parent of a type that is not stored here is stored as given', async () => {
  const data = { platform_id: 'order line', parent_type: 'SALES_ORDER', parent_id: 99_999_999 };
  const response = await send('POST', `${company.base}/line_items`, { data });
  expect(response.status, response.text).toBe(201);
  expect(response.body.data.data).toMatchObject(data);
});

it('a parent of a type that is not stored here may have the number of a record, whose children are others', async () => {
  const line = { platform_id: 'one line' };
  const order = (await send('POST', `${company.base}/purchase_orders`, { data: { platform_id: 'numbered', line_items: [line] } })).body.data
    .data;
  const data = { ...line, parent_type: 'SALES_ORDER', parent_id: order.ledger_id };
  const responses = [await send('PUT', `${company.base}/line_items`, { data }), await send('PUT', `${company.base}/line_items`, { data })];
  const ids = responses.map(({ body }) => body.data.data.ledger_id);
  expect(ids[0]).toBe(ids[1]);
  const [held] = (await send('GET', `${company.base}/purchase_orders?platform_id=numbered&expand=line_items`)).body.data;
  expect(held.line_items).toHaveLength(1);
  expect(held.line_items[0].ledger_id).not.toBe(ids[0]);
});

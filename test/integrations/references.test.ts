// References by the source's id in writes of callers: REST and GraphQL, single and nested, rejected where they name nothing.
import { beforeAll, describe, expect, it } from 'vitest';
import { namesOf } from '../../src/integrations/ledger/ledger-record.ts';
import { type Reference, referencesOf } from '../../src/integrations/ledger/references.ts';
import { modelOf, type RecordClass } from '../../src/records/metadata.ts';
import { snakeCase } from '../../src/records/naming.ts';
import { ledgerRecords } from '../../src/registry.ts';
import { type GatewayResponse, useGateway } from '../support/gateway.ts';
import { buildCompany, listName, sampleBody, type TestCompany } from '../support/records.ts';
import { endOfSync, jobsOf } from '../support/syncs.ts';

const gateway = useGateway();
let company: TestCompany;
let other: TestCompany;

const send = (method: string, path: string, body?: unknown): Promise<GatewayResponse> =>
  gateway.send(method, path, { headers: company.headers, body });

/** A record with this platform id, made where it is not there yet; its number. */
async function stored(target: RecordClass, platformId: string, owner = company): Promise<number> {
  const list = `${owner.base}/${listName(target)}`;
  const body = { ...(modelOf(target).props.get('code')?.required ? { code: 'EUR' } : {}), platform_id: platformId };
  const response = await gateway.send('PUT', list, { headers: owner.headers, body: { data: body } });
  expect(response.status, response.text).toBe(200);
  return response.body.data.data.ledger_id;
}

/** Every reference that a body can give by the source's id, with the type that a test lets it name. */
const references = ledgerRecords.flatMap((target) =>
  referencesOf(target).map((reference): [string, RecordClass, Reference, RecordClass] => [
    `${namesOf(target).one}.${reference.field}`,
    target,
    reference,
    reference.targets()[0]!,
  ]),
);

/** What a body says next to a reference that can name records of several types. */
const typeBeside = ({ typedBy }: Reference, named: RecordClass): Record<string, unknown> =>
  typedBy === undefined ? {} : { [snakeCase(typedBy)]: namesOf(named).dataModel };

/** What a body gives to name a record: an object, or a list of them. */
const naming = ({ isList, nested }: Reference, platform_id: string): unknown =>
  isList || nested?.wrapped ? [{ platform_id }] : { platform_id };

beforeAll(async () => {
  company = await buildCompany(gateway);
  other = await buildCompany(gateway, { key: company.key });
});

/** The forms of a write on both endpoints. */
function formsOf(target: RecordClass, reference: Reference) {
  const field = snakeCase(reference.field);
  const { many } = namesOf(target);
  const root = `upsert${many.replace(/^./, (letter) => letter.toUpperCase())}`;
  const camelNames: Record<string, string> = {
    platform_id: 'platformId',
    parent_type: 'parentType',
    document_type: 'documentType',
    [field]: reference.field,
  };
  const camel = (body: Record<string, unknown>): Record<string, unknown> =>
    JSON.parse(JSON.stringify(body).replace(/"(\w+)":/g, (_, name: string) => `"${camelNames[name] ?? name}":`));
  return {
    list: `${company.base}/${listName(target)}`,
    plain: snakeCase(reference.prop.name),
    field,
    mutate: async (body: Record<string, unknown>) => {
      const query = `mutation ($id: ID!, $data: [${modelOf(target).name}Input!]!) { ${root}(input: { companyId: $id, records: $data }) { ${many} { ${reference.prop.name} } } }`;
      const response = await gateway.graphql(company.key, query, { id: company.id, data: [camel(body)] });
      return { errors: response.body.errors, value: response.body.data?.[root]?.[many]?.[0]?.[reference.prop.name] };
    },
  };
}

describe.each(references)('%s', (name, target, reference, named) => {
  it('the id of the source names the record on REST and in GraphQL', async () => {
    const { list, plain, field, mutate } = formsOf(target, reference);
    const number = await stored(named, `${name}-named`);
    const value = reference.isList ? [number] : number;
    const body = { platform_id: `${name}-rest`, ...typeBeside(reference, named), [field]: naming(reference, `${name}-named`) };
    const written = await send('POST', list, { data: body });
    expect(written.status, written.text).toBe(201);
    expect(written.body.data.data[plain]).toEqual(value);
    const again = await send('PUT', list, { data: body });
    expect(again.body.data.data.ledger_updated_at).toBe(written.body.data.data.ledger_updated_at);
    expect(await mutate({ ...body, platform_id: `${name}-graphql` })).toEqual({ errors: undefined, value });
  });

  it('the record that is named stays as it is, but for the parent, whose version changes with its children', async () => {
    const { list, field } = formsOf(target, reference);
    const { parent_type: _, ...sample } = sampleBody(named);
    const made = await send('PUT', `${company.base}/${listName(named)}`, { data: { ...sample, platform_id: `${name}-kept` } });
    expect(made.status, made.text).toBe(200);
    const body = { platform_id: `${name}-keeping`, ...typeBeside(reference, named), [field]: naming(reference, `${name}-kept`) };
    expect((await send('POST', list, { data: body })).status).toBe(201);
    const after = await send('GET', `${company.base}/${listName(named)}/${made.body.data.data.ledger_id}`);
    if (!reference.isParent) expect(after.body.data.ledger_updated_at).toBe(made.body.data.data.ledger_updated_at);
  });

  it('a number next to it must be the number of that record', async () => {
    const { list, plain, field } = formsOf(target, reference);
    const [first, second] = [await stored(named, `${name}-first`), await stored(named, `${name}-second`)];
    const both = (number: number) => ({
      platform_id: `${name}-both`,
      ...typeBeside(reference, named),
      [plain]: reference.isList ? [number] : number,
      [field]: naming(reference, `${name}-first`),
    });
    const agreed = await send('PUT', list, { data: both(first) });
    expect(agreed.status, agreed.text).toBe(200);
    const refused = await send('PUT', list, { data: both(second) });
    expect([refused.status, refused.body.error.error_code, refused.body.error.field]).toEqual([400, 'INVALID_PARAMS', `data.${field}`]);
    expect(refused.body.error.message).toContain(String(second));
  });
});

describe.each(references)('%s', (name, target, reference, named) => {
  it('a record as REST shows it is named by its number', async () => {
    const { list, plain, field } = formsOf(target, reference);
    const [first, second] = [await stored(named, `${name}-shown`), await stored(named, `${name}-not-shown`)];
    const shown = (await send('GET', `${company.base}/${listName(named)}/${first}`)).body.data;
    const among = (record: unknown) => (reference.isList || reference.nested?.wrapped ? [record] : record);
    const listed = (number: number) => (reference.isList ? [number] : number);
    const base = { platform_id: `${name}-showing`, ...typeBeside(reference, named) };
    for (const record of [{ ledger_id: first }, shown]) {
      await send('PUT', list, { data: { ...base, [plain]: null } });
      const { status, body, text } = await send('PUT', list, { data: { ...base, [field]: among(record) } });
      expect([status, body.data?.data[plain]], text).toEqual([200, listed(first)]);
    }
    const other = await send('PUT', list, { data: { ...base, [plain]: listed(second), [field]: among({ ledger_id: first }) } });
    expect([other.status, other.body.error?.field], other.text).toEqual([400, `data.${field}`]);
    const mixed = await send('PUT', list, { data: { ...base, [field]: among({ ...shown, platform_id: `${name}-not-shown` }) } });
    expect([mixed.status, mixed.body.error?.field.startsWith(`data.${field}`)], mixed.text).toEqual([400, true]);
    // A write may contain the record, whose other members count then.
    if (reference.nested) {
      const renamed = await send('PUT', list, { data: { ...base, [field]: among({ ...shown, name: 'Renamed' }) } });
      expect(renamed.status, renamed.text).toBe(200);
      expect((await send('GET', `${company.base}/${listName(named)}/${first}`)).body.data.name).toBe('Renamed');
    }
    // An invalid number names no record, and makes none.
    for (const number of [String(first), 'abc', 0, -1, true]) {
      const { status, body, text } = await send('PUT', list, { data: { ...base, [field]: among({ ...shown, ledger_id: number }) } });
      expect([status, body.error?.field.startsWith(`data.${field}`)], text).toEqual([400, true]);
    }
    // What names no record is not dropped, nor is a second record made of one that is named.
    for (const record of reference.nested ? [{}, { ledger_id: first, name: 'Another' }] : [{}, { name: 'Another' }]) {
      const { status, body, text } = await send('PUT', list, { data: { ...base, [field]: among(record) } });
      expect([status, body.error?.field.startsWith(`data.${field}`)], text).toEqual([400, true]);
    }
  });
});

describe.each(references.filter(([, , { isParent }]) => !isParent))('%s', (name, target, reference, named) => {
  it('of a record that was deleted, with the record that names it, is sent back as it was read, and nothing is stored', async () => {
    const { list, field } = formsOf(target, reference);
    const others = `${company.base}/${listName(named)}`;
    const platform_id = `${name}-deleted`;
    const number = await stored(named, platform_id);
    const body = { platform_id: `${name}-of-deleted`, ...typeBeside(reference, named), [field]: naming(reference, platform_id) };
    const made = await send('POST', list, { data: body });
    expect(made.status, made.text).toBe(201);
    const path = `${list}/${made.body.data.data.ledger_id}`;
    const expand = /allowed are (.*)$/.exec((await send('GET', `${path}?expand=nothing`)).body.error.message)![1]!.replaceAll(', ', ',');
    const count = async () => (await send('GET', `${others}?limit=1&return_count=true`)).body.pagination.total_count;
    const live = (await send('GET', `${path}?expand=${expand}`)).body.data;
    expect((await send('DELETE', `${others}/${number}`)).status).toBe(204);
    const read = async () => [(await send('GET', path)).body.data, (await send('GET', `${path}?expand=${expand}`)).body.data];
    for (const round of ['deleted', 'replaced']) {
      // Another record has the id of the source by then.
      if (round === 'replaced') expect(await stored(named, platform_id)).not.toBe(number);
      const [before, whole] = await read();
      const known = await count();
      for (const data of [before, whole, live])
        for (const place of [path, list]) {
          const again = await send('PUT', place, { data });
          expect(again.status, `${round}: ${again.text}`).toBe(200);
        }
      expect([await read(), await count()]).toEqual([[before, whole], known]);
    }
  });
});

/** Those whose records a write does not contain, so that nothing is made of an unknown id. */
const plainReferences = references.filter(([, , { nested, prop }]) => nested === undefined && !prop.mayBeOpen);

describe.each(plainReferences)('%s', (name, target, reference, named) => {
  it('an id that names nothing in the company is rejected by field and id, and nothing is stored', async () => {
    const { list, field, mutate } = formsOf(target, reference);
    await stored(named, `${name}-elsewhere`, other);
    const place = reference.isList ? '[0]' : '';
    for (const id of [`${name}-elsewhere`, `${name}-unknown`]) {
      const body = { platform_id: `${name}-refused`, ...typeBeside(reference, named), [field]: naming(reference, id) };
      const { status, body: response } = await send('PUT', list, { data: body });
      const seen = [status, response.error.error_code, response.error.field];
      expect(seen).toEqual([400, 'INVALID_PARAMS', `data.${field}${place}.platform_id`]);
      expect(response.error.message).toContain(id);
      expect((await send('GET', `${list}?platform_id=${name}-refused`)).body.data).toEqual([]);
      expect((await mutate(body)).errors[0]).toMatchObject({
        message: expect.stringContaining(id),
        extensions: { code: 'INVALID_PARAMS', field: `input.records[0].${reference.field}${place}.platformId` },
      });
    }
  });

  const isParent = namesOf(target).parent.includes(reference.prop.name);

  it(isParent ? 'null is rejected, because the child would be in no record' : 'null clears it', async () => {
    const { list, plain, field } = formsOf(target, reference);
    await stored(named, `${name}-cleared`);
    const body = { platform_id: `${name}-clearing`, ...typeBeside(reference, named), [field]: naming(reference, `${name}-cleared`) };
    const made = await send('PUT', list, { data: body });
    // Without its parent a child is another record, so its number says which is meant.
    const path = `${list}/${made.body.data.data.ledger_id}`;
    const cleared = await send('PUT', path, { data: { [field]: null } });
    expect(cleared.status, cleared.text).toBe(isParent ? 400 : 200);
    const { [plain]: id } = (await send('GET', path)).body.data;
    expect(id).toBe(isParent ? made.body.data.data[plain] : null);
  });
});

const openLists = references.filter(([, , { prop }]) => prop.mayBeOpen);

describe.each(openLists)('%s', (name, target, reference, named) => {
  it('ids of records that come later become their numbers, no matter who wrote them and how', async () => {
    const { list, plain, field, mutate } = formsOf(target, reference);
    const known = await stored(named, `${name}-known`);
    const ids = [`${name}-late`, `${name}-known`, `${name}-never`, 987_654_321];
    const bodies = {
      [`${name}-plain`]: { [plain]: ids },
      [`${name}-objects`]: { [field]: ids.slice(0, 3).map((platform_id) => ({ platform_id })) },
    };
    const open = [`${name}-late`, known, `${name}-never`, 987_654_321];
    for (const [platform_id, body] of Object.entries(bodies)) {
      const made = await send('POST', list, { data: { platform_id, ...body } });
      expect([made.status, made.body.data.data[plain]], made.text).toEqual([201, open.slice(0, Object.values(body)[0]!.length)]);
    }
    expect(await mutate({ platform_id: `${name}-graphql`, ...bodies[`${name}-objects`] })).toEqual({
      errors: undefined,
      value: open.slice(0, 3),
    });
    const late = await stored(named, `${name}-late`);
    for (const [platform_id, count] of [
      [`${name}-plain`, 4],
      [`${name}-objects`, 3],
      [`${name}-graphql`, 3],
    ] as const) {
      const [record] = (await send('GET', `${list}?platform_id=${platform_id}`)).body.data;
      expect(record[plain]).toEqual([late, known, `${name}-never`, 987_654_321].slice(0, count));
    }
    const before = (await send('GET', `${list}?platform_id=${name}-plain`)).body.data[0];
    const again = await send('PUT', list, { data: { platform_id: `${name}-plain`, ...bodies[`${name}-plain`] } });
    expect(again.body.data.data.ledger_updated_at).toBe(before.ledger_updated_at);
  });

  it('an id that was replaced is not completed, and one that is too long for a platform id stays as it is', async () => {
    const { list, plain } = formsOf(target, reference);
    const body = (ids: unknown) => ({ data: { platform_id: `${name}-replaced`, [plain]: ids } });
    const long = 'x'.repeat(5_000);
    for (const ids of [[`${name}-gone`, `${name}-other`, long], [`${name}-other`]]) {
      const written = await send('PUT', list, body(ids));
      expect([written.status, written.body.data.data[plain]]).toEqual([200, ids]);
    }
    await stored(named, `${name}-gone`);
    const other = await stored(named, `${name}-other`);
    const read = async () => (await send('GET', `${list}?platform_id=${name}-replaced`)).body.data[0][plain];
    expect(await read()).toEqual([other]);
    expect((await send('PUT', list, body(null))).body.data.data[plain]).toBeNull();
  });

  it('records of a batch complete what waits for them', async () => {
    const { list, plain } = formsOf(target, reference);
    await send('PUT', list, { data: { platform_id: `${name}-waits`, [plain]: [`${name}-batch`] } });
    const accepted = await send('PUT', `${company.base}/${listName(named)}?run_async=true`, { data: [{ platform_id: `${name}-batch` }] });
    expect((await endOfSync(gateway, company, accepted.body.data.sync_id)).status).toBe('SUCCESS');
    expect((await send('GET', `${list}?platform_id=${name}-waits`)).body.data[0][plain]).toEqual([expect.any(Number)]);
  });
});

it('an ordinary purchase order names everything by the ids of the source, lines included', async () => {
  for (const [list, id] of [
    ['contacts', 'C-7'],
    ['accounts', 'A-1'],
    ['tax_rates', 'T-1'],
  ])
    expect((await send('PUT', `${company.base}/${list}`, { data: { platform_id: id } })).status).toBe(200);
  const variants = [{ platform_id: 'V-1', name: 'blue' }];
  for (const id of ['I-1', 'I-2']) await send('PUT', `${company.base}/items`, { data: { platform_id: id, variants } });
  const data = {
    platform_id: 'PO-1',
    contact: { platform_id: 'C-7' },
    line_items: ['I-1', 'I-2'].map((id) => ({
      item: { platform_id: id },
      account: { platform_id: 'A-1' },
      tax: { platform_id: 'T-1' },
      variant: { platform_id: 'V-1' },
    })),
  };
  const expand = 'contact,line_items.item,line_items.account,line_items.tax,line_items.variant';
  const made = await send('POST', `${company.base}/purchase_orders?expand=${expand}`, { data });
  expect(made.status, made.text).toBe(201);
  expect(made.body.data.data).toMatchObject(data);
  // Items share the id of their variant; the item of the line says which is meant.
  const lines = made.body.data.data.line_items;
  expect(lines.map((line: { variant: { parent_id: number } }) => line.variant.parent_id)).toEqual(
    lines.map((line: { item_id: number }) => line.item_id),
  );
  const alone = await send('PUT', `${company.base}/estimates`, { data: { line_items: [{ variant: { platform_id: 'V-1' } }] } });
  expect([alone.status, alone.body.error.field]).toEqual([400, 'data.line_items[0].variant.platform_id']);
});

it('in a batch the record with an unknown id is reported and the others are stored', async () => {
  await send('PUT', `${company.base}/accounts`, { data: { platform_id: 'above' } });
  const data = [
    { platform_id: 'below-1', parent_account: { platform_id: 'above' } },
    { platform_id: 'below-2', parent_account: { platform_id: 'nobody' } },
  ];
  const accepted = await send('PUT', `${company.base}/accounts?run_async=true`, { data });
  expect(accepted.status).toBe(202);
  expect((await endOfSync(gateway, company, accepted.body.data.sync_id)).status).toBe('PARTIAL_SUCCESS');
  const refusals = (await jobsOf(gateway, company, accepted.body.data.sync_id)).filter(({ parentJobId }) => parentJobId !== null);
  expect(refusals).toMatchObject([
    { errorCode: 'INVALID_PARAMS', errorResponse: { index: 1, platform_id: 'below-2', field: 'data[1].parent_account.platform_id' } },
  ]);
  expect((await send('GET', `${company.base}/accounts?platform_id=below-1`)).body.data[0].parent_account_id).not.toBeNull();
});

it('a parent by the id of the source needs its type, and a type that is not stored here has no records', async () => {
  const line = { platform_id: 'untyped', parent: { platform_id: 'PO-1' } };
  const untyped = await send('POST', `${company.base}/line_items`, { data: line });
  expect([untyped.status, untyped.body.error.error_code, untyped.body.error.field]).toEqual([400, 'MISSING_PARAMS', 'data.parent_type']);
  const elsewhere = await send('POST', `${company.base}/line_items`, { data: { ...line, parent_type: 'SALES_ORDER' } });
  expect([elsewhere.status, elsewhere.body.error.error_code, elsewhere.body.error.field]).toEqual([
    400,
    'INVALID_PARAMS',
    'data.parent.platform_id',
  ]);
});

it('a record can be sent back as it is read next to a number that changed, and anything else than an id is rejected', async () => {
  const [first, second] = [
    await send('PUT', `${company.base}/items`, { data: { platform_id: 'echo-1' } }),
    await send('PUT', `${company.base}/items`, { data: { platform_id: 'echo-2' } }),
  ];
  const line_items = [{ platform_id: 'l', item_id: second.body.data.data.ledger_id, item: first.body.data.data }];
  const made = await send('PUT', `${company.base}/estimates`, { data: { platform_id: 'echoes', line_items } });
  expect([made.status, made.body.data.data.line_items[0].item_id]).toEqual([200, second.body.data.data.ledger_id]);
  for (const [item, field] of [
    [{ platform_id: 'echo-1', name: 'new' }, 'item.name'],
    [{ platform_id: 'x'.repeat(256) }, 'item.platform_id'],
    [{ platform_id: 7 }, 'item.platform_id'],
    ['echo-1', 'item'],
  ] as const) {
    const refused = await send('PUT', `${company.base}/estimates`, { data: { line_items: [{ item }] } });
    expect([refused.status, refused.body.error.error_code, refused.body.error.field]).toEqual([
      400,
      'INVALID_PARAMS',
      `data.line_items[0].${field}`,
    ]);
  }
});

it('a record that is shown with the platform id of another one is rejected, in a line and in a list too', async () => {
  const made = async (path: string, platform_id: string): Promise<Record<string, unknown>> =>
    (await send('PUT', `${company.base}/${path}`, { data: { platform_id } })).body.data.data;
  const [one, other] = [await made('items', 'shown-1'), await made('items', 'shown-2')];
  const bills = [await made('bills', 'shown-3'), await made('bills', 'shown-4')];
  const line = (item: unknown) => ({ data: { platform_id: 'shown-5', line_items: [{ platform_id: 'l', item }] } });
  const credit = (...shown: unknown[]) => ({ data: { platform_id: 'shown-6', bills: shown } });
  for (const [path, body, field] of [
    ['estimates', line({ ...one, platform_id: 'shown-2' }), 'line_items[0].item.platform_id'],
    ['estimates', line({ ledger_id: one.ledger_id, platform_id: 'of-nothing' }), 'line_items[0].item.platform_id'],
    ['bill_credit_notes', credit(bills[0], { ...bills[1], platform_id: 'shown-3' }), 'bills[1].platform_id'],
  ] as const) {
    const refused = await send('PUT', `${company.base}/${path}`, body);
    expect([refused.status, refused.body.error.error_code, refused.body.error.field]).toEqual([400, 'INVALID_PARAMS', `data.${field}`]);
  }
  const { body: begun } = await send('PUT', `${company.base}/estimates?run_async=true`, {
    data: [line({ ...one, platform_id: 'shown-2' }).data, { ...line(one).data, platform_id: 'shown-7' }],
  });
  expect((await endOfSync(gateway, company, begun.data.sync_id)).status).toBe('PARTIAL_SUCCESS');
  const stored = await send('PUT', `${company.base}/estimates`, line(other));
  expect(stored.body.data.data.line_items[0].item_id).toBe(other.ledger_id);
  // A reference to a deleted record stays, and can be sent back.
  await send('DELETE', `${company.base}/items/${other.ledger_id}`);
  const again = await send('PUT', `${company.base}/estimates`, line(other));
  expect([again.status, again.body.data.data.line_items[0].item_id]).toEqual([200, other.ledger_id]);
});

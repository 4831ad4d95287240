// A record that was read, with any expansion, can be sent back unchanged: the write changes nothing, by platform id and by number.
import { beforeAll, describe, expect, it } from 'vitest';
import { namesOf } from '../../src/integrations/ledger/ledger-record.ts';
import { nestedRelations, referencesOf } from '../../src/integrations/ledger/references.ts';
import { modelOf, type RecordClass } from '../../src/records/metadata.ts';
import { snakeCase } from '../../src/records/naming.ts';
import { ledgerRecords } from '../../src/registry.ts';
import { useGateway } from '../support/gateway.ts';
import { balanced, buildCompany, listName, sampleBody, type TestCompany } from '../support/records.ts';
import { endOfSync, jobsOf } from '../support/syncs.ts';

const gateway = useGateway();
let company: TestCompany;
/** A record of each type, for the references of other records. */
const made = new Map<RecordClass, number>();

const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  gateway.send(method, path, { headers: { ...company.headers, ...headers }, body });

/** A body with every plain field, every reference, and a child of each kind that a write takes. */
function fullBody(target: RecordClass, isChild = false): Record<string, unknown> {
  const model = modelOf(target);
  const { parent } = namesOf(target);
  const body = Object.fromEntries(Object.entries(sampleBody(target)).filter(([name]) => !isChild || !/^parent_/.test(name)));
  for (const prop of model.props.values()) {
    const id = prop.target && made.get(prop.target());
    if (id && !parent.includes(prop.name)) body[snakeCase(prop.name)] = prop.kind === 'list' ? [id] : id;
  }
  if (!isChild && parent.length === 1) body[snakeCase(parent[0]!)] = made.get(model.props.get(parent[0]!)!.target!());
  for (const relation of nestedRelations(target)) {
    if (relation.owned) body[snakeCase(relation.name)] = balanced(relation, fullBody(relation.target(), true));
  }
  return body;
}

beforeAll(async () => {
  company = await buildCompany(gateway);
  // Twice: in the second pass the records exist to which the first references of a type point.
  for (const round of ['first', 'second']) {
    for (const target of ledgerRecords) {
      const data = { ...fullBody(target), platform_id: `${round}-${modelOf(target).table}` };
      const response = await send('POST', `${company.base}/${listName(target)}`, { data });
      if (response.status === 201) made.set(target, response.body.data.data.ledger_id);
    }
  }
  expect(made.size).toBe(ledgerRecords.length);
}, 120_000);

/** The names that `expand` takes on a single read, as the error message lists them. */
async function expansions(path: string): Promise<string[]> {
  const refused = await send('GET', `${path}?expand=nothing`);
  return /allowed are (.*)$/.exec(refused.body.error.message)![1]!.split(', ').filter(Boolean);
}

/** The names that only `select` shows, as the error message lists them. */
async function selectable(path: string): Promise<string> {
  const refused = await send('GET', `${path}?select=nothing`);
  return /allowed are (.*)$/.exec(refused.body.error.message)![1]!.replaceAll(' ', '');
}

describe.each(ledgerRecords.map((target): [string, RecordClass] => [namesOf(target).one, target]))('%s', (_, target) => {
  it('read with every expansion and written back, it does not change', async () => {
    const list = `${company.base}/${listName(target)}`;
    const path = `${list}/${made.get(target)}`;
    const names = await expansions(path);
    for (const expand of ['', names.join()]) {
      const query = `?select=${await selectable(path)}${expand && `&expand=${expand}`}`;
      const before = await send('GET', path + query);
      expect(before.status, before.text).toBe(200);
      for (const name of expand.split(',').filter(Boolean)) expect(before.body.data).toHaveProperty([name.split('.')[0]!]);
      const byId = await send('PUT', path, { data: before.body.data });
      const byPlatformId = await send('PUT', list, { data: before.body.data });
      for (const echoed of [byId, byPlatformId]) {
        expect(echoed.status, `${expand}: ${echoed.text}`).toBe(200);
        expect(echoed.body.data.data.ledger_updated_at, expand).toBe(before.body.data.ledger_updated_at);
      }
      expect((await send('GET', path + query)).body.data).toEqual(before.body.data);
    }
  });

  it('a PUT that says its number and no platform id changes that record and stores no other', async () => {
    const list = `${company.base}/${listName(target)}`;
    const before = (await send('GET', `${list}/${made.get(target)}`)).body.data;
    const { platform_id: _, ...data } = before;
    const count = async () => (await send('GET', `${list}?limit=1&return_count=true`)).body.pagination.total_count;
    const stored = await count();
    const changed = await send('PUT', list, { data: { ...data, raw_data: { named: before.ledger_id } } });
    expect([changed.status, changed.body.data?.data.ledger_id], changed.text).toEqual([200, before.ledger_id]);
    expect(await count()).toBe(stored);
    const unknown = await send('PUT', list, { data: { ledger_id: 987654321, raw_data: {} } });
    expect([unknown.status, unknown.body.error?.field], unknown.text).toEqual([404, 'data.ledger_id']);
    const other = await send('PUT', `${list}/${before.ledger_id}`, { data: { ledger_id: before.ledger_id + 1, raw_data: {} } });
    expect([other.status, other.body.error?.field], other.text).toEqual([400, 'data.ledger_id']);
    expect(other.body.error.message).toContain('data.ledger_id is');
  });

  it('takes its number as what names a child: as a number, its text or the global id, and rejects anything else by field', async () => {
    const list = `${company.base}/${listName(target)}`;
    const { ledger_id } = (await send('GET', `${list}/${made.get(target)}`)).body.data;
    const count = async () => (await send('GET', `${list}?limit=1&return_count=true`)).body.pagination.total_count;
    const stored = await count();
    const globalId = `${snakeCase(namesOf(target).one)}_${ledger_id}`;
    for (const named of [ledger_id, String(ledger_id), globalId]) {
      const changed = await send('PUT', list, { data: { ledger_id: named, raw_data: { named } } });
      expect([changed.status, changed.body.data?.data.ledger_id], changed.text).toEqual([200, ledger_id]);
      const other = await send('PUT', `${list}/${ledger_id + 1}`, { data: { ledger_id: named, raw_data: {} } });
      expect(other.status, other.text).not.toBe(200);
    }
    for (const wrong of ['abc', '', -1, 0, ledger_id + 0.5, true, [ledger_id], {}, 'company_1', `${globalId}x`])
      for (const [method, path, data] of [
        ['PUT', list, { ledger_id: wrong, raw_data: {} }],
        ['POST', list, { ledger_id: wrong, raw_data: {} }],
        ['PUT', `${list}/${ledger_id}`, { ledger_id: wrong, raw_data: {} }],
        ['PUT', `${list}?run_async=true`, [{ ledger_id: wrong, raw_data: {} }]],
      ] as const) {
        const { status, body, text } = await send(method, path, { data });
        expect([status, body.error?.field], text).toEqual([400, `data${Array.isArray(data) ? '[0]' : ''}.ledger_id`]);
      }
    const kept = await send('PUT', `${list}/${ledger_id}`, { data: { ledger_id: null, raw_data: {} } });
    expect(kept.status, kept.text).toBe(200);
    expect(await count()).toBe(stored);
  });

  it('a PUT whose number and platform id are those of two records changes neither', async () => {
    const list = `${company.base}/${listName(target)}`;
    const read = async (id: unknown) => (await send('GET', `${list}/${id}?select=data_hash`)).body.data;
    const { ledger_id, platform_id } = await read(made.get(target));
    const { naturalKey } = namesOf(target);
    const data = { ...fullBody(target), platform_id: `not ${platform_id}`, ...(naturalKey ? { [naturalKey]: 'ZWG' } : {}) };
    const other = (await send('POST', list, { data })).body.data.data;
    const before = [await read(ledger_id), await read(other.ledger_id)];
    const count = async () => (await send('GET', `${list}?limit=1&return_count=true`)).body.pagination.total_count;
    const stored = await count();
    const isChild = namesOf(target).parent.length > 0;
    for (const named of [other.platform_id, 'not stored yet']) {
      const response = await send('PUT', list, { data: { ledger_id, platform_id: named, raw_data: { lost: true } } });
      expect([response.status, response.body.error?.field], response.text).toEqual([400, `data.${isChild ? 'platform_id' : 'ledger_id'}`]);
      expect(response.body.error.message).toContain('platform_id');
    }
    expect([await read(ledger_id), await read(other.ledger_id), await count()]).toEqual([...before, stored]);
    const batch = await send('PUT', `${list}?run_async=true`, { data: [{ ledger_id, platform_id: other.platform_id, raw_data: {} }] });
    await endOfSync(gateway, company, batch.body.data.sync_id);
    const jobs = await jobsOf(gateway, company, batch.body.data.sync_id);
    expect(jobs.map(({ errorCode }) => errorCode)).toContain('INVALID_PARAMS');
    expect(await read(other.ledger_id)).toEqual(before[1]);
  });

  it('PUT with its number changes the given fields and returns the record and its sync', async () => {
    const list = `${company.base}/${listName(target)}`;
    const path = `${list}/${made.get(target)}`;
    const before = await send('GET', path);
    const data = { raw_data: { changed: true } };
    const changed = await send('PUT', path, { data }, { 'if-match': before.headers.get('etag')! });
    expect(changed.status, changed.text).toBe(200);
    expect(Object.keys(changed.body.data)).toEqual(['sync_id', 'data']);
    const { ledger_updated_at: _, ...others } = before.body.data;
    expect(changed.body.data.data).toMatchObject(others);
    expect((await send('GET', `${path}?select=raw_data`)).body.data.raw_data).toEqual(data.raw_data);
    expect(changed.headers.get('etag')).not.toBe(before.headers.get('etag'));
    const stale = await send('PUT', path, { data }, { 'if-match': before.headers.get('etag')! });
    expect([stale.status, stale.body.error.error_code, stale.body.error.field]).toEqual([412, 'STALE_RECORD', 'If-Match']);
    const none = await send('PUT', `${list}/987654321`, { data });
    expect([none.status, none.body.error.error_code, none.body.error.field]).toEqual([404, 'RECORD_NOT_FOUND', 'id']);
    const other = await send('PUT', path, { data: { platform_id: 'another' } });
    expect([other.status, other.body.error.field]).toEqual([400, 'data.platform_id']);
    const many = await send('PUT', path, { data: [data] });
    expect([many.status, many.body.error.field]).toEqual([400, 'data']);
    const kept = await send('PUT', path, { data: { platform_id: null } });
    expect(kept.body.data.data.platform_id).toBe(before.body.data.platform_id);
  });
});

describe.each(
  ledgerRecords.filter((target) => namesOf(target).parent.length > 0).map((target): [string, RecordClass] => [namesOf(target).one, target]),
)('%s with a parent', (_, target) => {
  it('is not taken from it: no record would have it, though it is live', async () => {
    const { one, many, parent } = namesOf(target);
    const list = `${company.base}/${listName(target)}`;
    const name = parent.at(-1)!;
    const member = snakeCase(name);
    const shown = (await send('GET', `${list}?limit=100`)).body.data;
    const child = shown.find((row: Record<string, unknown>) => row[member] !== null && row.parent_type !== 'JOURNAL_ENTRY');
    const path = `${list}/${child.ledger_id}`;
    const types = parent.length > 1 ? [{}, { parent_type: null }] : [{}];
    for (const type of types) {
      const response = await send('PUT', path, { data: { [member]: null, ...type } });
      expect([response.status, response.body.error?.field], response.text).toEqual([400, `data.${member}`]);
    }
    const byRecord = await send('PUT', path, { data: { [name === 'parentId' ? 'parent' : member.replace(/_id$/, '')]: null } });
    expect([byRecord.status, byRecord.body.error?.field], byRecord.text).toEqual([400, `data.${member}`]);
    const type = modelOf(target).name;
    const record = { id: child.ledger_id, [name]: null };
    const response = await gateway.graphql(
      company.key,
      `mutation ($one: Update${type}Input!, $many: [${type}ChangeInput!]!, $company: ID!) {
        update${type}(input: $one) { errors { code path } }
        update${many[0]!.toUpperCase()}${many.slice(1)}(input: { companyId: $company, records: $many }) { results { ${one} { id } errors { code path } } }
      }`,
      { one: { companyId: company.id, ...record }, many: [record], company: company.id },
    );
    const errors = (...path: string[]) => [{ code: 'MISSING_PARAMS', path }];
    expect(Object.values(response.body.data ?? {}), response.text).toEqual([
      { errors: errors(name) },
      { results: [{ [one]: null, errors: errors('records', '0', name) }] },
    ]);
    expect((await send('GET', path)).body.data).toEqual(child);
  });
});

describe('records without a number', () => {
  it.each(ledgerRecords.map((target): [string, RecordClass] => [namesOf(target).many, target]))(
    'in %s are not dropped',
    async (_, target) => {
      const list = `${company.base}/${listName(target)}`;
      const { ledger_id } = (await send('GET', `${list}/${made.get(target)}`)).body.data;
      for (const { field, prop, isList, nested, isParent } of referencesOf(target)) {
        if (isParent || isList) continue;
        const other = { ledger_id: null, platform_id: 'no such record' };
        const member = snakeCase(field);
        const asShown = nested?.wrapped ? [other] : other;
        // A nested record is new and so another one than the number names.
        const data = nested ? { [snakeCase(prop.name)]: made.get(nested.target()), [member]: asShown } : { [member]: asShown };
        const response = await send('PUT', `${list}/${ledger_id}`, { data });
        expect(response.status, `${member}: ${response.text}`).toBe(400);
        expect(response.body.error.field, response.text).toContain(`data.${member}`);
        if (nested?.wrapped) continue;
        const nothing = await send('PUT', `${list}/${ledger_id}`, { data: { [member]: { ledger_id: null } } });
        expect(nothing.status, `${member}: ${nothing.text}`).toBe(200);
      }
    },
  );

  it('a contact and a currency that a document contains are created, and an item is found by its platform id', async () => {
    const own = await buildCompany(gateway, { key: company.key });
    await send('POST', `${own.base}/items`, { data: { platform_id: 'I1' } });
    const data = {
      contact: { ledger_id: null, platform_id: null, name: 'New Ltd' },
      currency: { ledger_id: null, code: 'CHF' },
      line_items: [{ item: { ledger_id: null, platform_id: 'I1' } }],
    };
    const stored = await send('POST', `${own.base}/invoices?expand=contact,currency,line_items.item`, { data });
    expect(stored.body.data?.data, stored.text).toMatchObject({
      contact: { name: 'New Ltd' },
      currency: { ledger_id: expect.any(Number), code: 'CHF' },
      line_items: [{ item: { platform_id: 'I1' } }],
    });
  });
});

describe('a currency next to its code', () => {
  const coded = ledgerRecords.filter((target) => [...modelOf(target).relations.values()].some(({ to }) => to === 'code'));

  it.each(coded.map((target): [string, RecordClass] => [namesOf(target).many, target]))('of %s names the same one', async (_, target) => {
    const list = `${company.base}/${listName(target)}`;
    const data = { ...fullBody(target), platform_id: `coded-${modelOf(target).table}`, currency_id: undefined };
    const stored = await send('POST', `${list}?expand=currency`, { data: { ...data, currency: { code: 'EUR' } } });
    expect([stored.status, stored.body.data?.data.currency_id], stored.text).toEqual([201, 'EUR']);
    const path = `${list}/${stored.body.data.data.ledger_id}`;
    const { currency } = stored.body.data.data;
    const other = await send('PUT', path, { data: { currency_id: 'USD', currency: { code: 'EUR' } } });
    expect([other.status, other.body.error?.field], other.text).toEqual([400, 'data.currency']);
    expect(other.body.error.message).toBe('data.currency names another record than currency_id, which is USD');
    const changed = await send('PUT', path, {
      data: { currency_id: 'JPY', currency: { ...currency, ledger_id: null, platform_id: null } },
    });
    expect([changed.status, changed.body.data?.data.currency_id], changed.text).toEqual([200, 'JPY']);
    const wrong = await send('PUT', path, { data: { currency: { code: 'NONE' } } });
    expect([wrong.status, wrong.body.error?.field], wrong.text).toEqual([400, 'data.currency.code']);
    const cleared = await send('PUT', path, { data: { currency: null } });
    expect([cleared.status, cleared.body.data?.data.currency_id], cleared.text).toEqual([200, null]);
  });
});

describe('echoes', () => {
  it('a field that is neither written nor shown is still rejected, and children that a write takes are written', async () => {
    const body = { platform_id: 'echo-1', line_items: [{ platform_id: 'l1', name: 'one', item: { ledger_id: null } }] };
    const stored = await send('PUT', `${company.base}/estimates`, { data: body });
    expect([stored.status, stored.body.data.data.line_items[0].name]).toEqual([200, 'one']);
    const changed = await send('PUT', `${company.base}/estimates`, {
      data: { ...body, line_items: [{ ...body.line_items[0], name: 'two' }] },
    });
    expect(changed.body.data.data.line_items[0].name).toBe('two');
    const strange = await send('PUT', `${company.base}/estimates`, { data: { ...body, line_items: [{ itm: {} }] } });
    expect([strange.status, strange.body.error.field]).toEqual([400, 'data.line_items[0].itm']);
  });

  it('a currency that the company does not hold, sent back as it was read, creates none', async () => {
    const own = await buildCompany(gateway, { key: company.key });
    const stored = await send('PUT', `${own.base}/purchase_orders?expand=currency`, { data: { platform_id: 'p', currency_id: 'EUR' } });
    expect(stored.body.data.data.currency).toMatchObject({ ledger_id: null, code: 'EUR' });
    const echoed = await send('PUT', `${own.base}/purchase_orders`, { data: stored.body.data.data });
    expect([echoed.status, echoed.body.data.data.currency_id]).toEqual([200, 'EUR']);
    expect((await send('GET', `${own.base}/currencies`)).body.data).toEqual([]);
  });
});

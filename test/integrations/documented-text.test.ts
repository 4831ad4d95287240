// Values, expansions, cursors and versions of records, exactly as the interface documents them.
import { beforeAll, describe, expect, it } from 'vitest';
import { enumDefinitions } from '../../src/records/enums.ts';
import { listUse, modelOf, type Prop, type RecordClass } from '../../src/records/metadata.ts';
import { snakeCase } from '../../src/records/naming.ts';
import { ledgerRecords } from '../../src/registry.ts';
import { useGateway } from '../support/gateway.ts';
import { buildCompany, listName, sampleBody, type TestCompany } from '../support/records.ts';
import { endOfSync } from '../support/syncs.ts';

const gateway = useGateway();
let company: TestCompany;

beforeAll(async () => {
  company = await buildCompany(gateway);
});

const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  gateway.send(method, path, { headers: { ...company.headers, ...headers }, body });
const put = async (records: string, data: Record<string, unknown>, query = '') => {
  const response = await send('PUT', `${company.base}/${records}${query}`, { data });
  expect(response.status, response.text).toBe(200);
  return response.body.data.data;
};

const enumFields = ledgerRecords.flatMap((target): [string, string, RecordClass, Prop][] =>
  [...modelOf(target).props.values()]
    .filter(
      (prop) =>
        prop.choices &&
        prop.write !== 'never' &&
        !['CurrencyCode', 'ParentType', 'LineParent', 'VariantParent'].includes(prop.choices.name),
    )
    .map((prop) => [listName(target), snakeCase(prop.name), target, prop]),
);

describe('enumerations', () => {
  it.each(enumFields)('%s.%s takes UNKNOWN and every alias, in any case, on both endpoints', async (records, name, target, prop) => {
    const { aliases } = enumDefinitions.get(prop.choices!.name)!;
    const accepted = { UNKNOWN: 'UNKNOWN', unknown: 'UNKNOWN', ...aliases };
    let number = 0;
    for (const [given, stored] of Object.entries(accepted)) {
      for (const sent of [given, given.toLowerCase(), given.replaceAll('_', ' ')]) {
        const data = { ...sampleBody(target), platform_id: `${name}-${number++}`, [name]: sent };
        const made = await send('POST', `${company.base}/${records}`, { data });
        expect([made.status, made.body.data?.data[name]], made.text).toEqual([201, stored]);
      }
      const names = modelOf(target).name;
      const query = `mutation ($id: ID!, $data: [${names}Input!]!) { ${`upsert${records.replace(/(^|_)([a-z])/g, (_, __, letter: string) => letter.toUpperCase())}`}(input: { companyId: $id, records: $data }) { syncId } }`;
      const extra = names === 'Currency' ? { code: 'EUR' } : {};
      const written = await gateway.graphql(company.key, query, {
        id: company.id,
        data: [{ platformId: `g-${number}`, [prop.name]: given, ...extra }],
      });
      expect(written.body.errors, written.text).toBeUndefined();
      if (listUse(prop) === 'never') continue;
      const listed = await send('GET', `${company.base}/${records}?${name}=${stored}`);
      expect(listed.body.data.length, listed.text).toBeGreaterThan(0);
    }
  });
});

describe('expansions of writes', () => {
  it('PUT estimates returns item, tax, account and variant of every line', async () => {
    const item = await put('items', { platform_id: 'i', name: 'Kettle', variants: [{ platform_id: 'v', name: 'Red' }] });
    const tax = await put('tax_rates', { platform_id: 't', name: 'VAT' });
    const account = await put('accounts', { platform_id: 'a', name: 'Sales' });
    const line = { item_id: item.ledger_id, tax_id: tax.ledger_id, account_id: account.ledger_id, variant_id: item.variants[0].ledger_id };
    const shown = { item: { name: 'Kettle' }, tax: { name: 'VAT' }, account: { name: 'Sales' }, variant: { name: 'Red' } };
    for (const records of ['estimates', 'purchase_orders', 'goods_receipt_notes', 'bill_credit_notes', 'invoice_credit_notes']) {
      const stored = await put(records, { platform_id: 'e', line_items: [line, {}] });
      expect(stored.line_items).toMatchObject([shown, { item: null, tax: null, account: null, variant: null }]);
    }
  });

  it('every write takes expand, and rejects unknown names by name', async () => {
    const parent = await put('accounts', { platform_id: 'above', name: 'Above' });
    const data = { platform_id: 'below', parent_account_id: parent.ledger_id };
    const made = await send('POST', `${company.base}/accounts?expand=parent_account`, { data });
    expect([made.status, made.body.data.data.parent_account.name]).toEqual([201, 'Above']);
    expect((await put('accounts', data, '?expand=parent_account')).parent_account.name).toBe('Above');
    const one = await send('PUT', `${company.base}/accounts/${made.body.data.data.ledger_id}?expand=parent_account`, {
      data: { name: 'x' },
    });
    expect([one.status, one.body.data.data.parent_account.name]).toEqual([200, 'Above']);
    const batch = await send('PUT', `${company.base}/accounts?expand=parent_account&run_async=true`, { data: [data] });
    expect([batch.status, batch.body.data]).toEqual([202, { sync_id: expect.any(String) }]);
    const unknown = await send('POST', `${company.base}/accounts?expand=nothing`, { data: {} });
    expect([unknown.status, unknown.body.error.field]).toEqual([400, 'expand']);
    const other = await send('POST', `${company.base}/accounts?limit=3`, { data: {} });
    expect([other.status, other.body.error.field]).toEqual([400, 'limit']);
  });
});

describe('currencies that the company does not hold', () => {
  const iso = {
    code: 'CHF',
    name: 'Swiss Franc',
    ledger_id: null,
    ledger_created_at: null,
    ledger_integration_type: null,
    platform_id: null,
  };

  it('expand=currency gives the ISO 4217 currency on single reads, lists and writes, and in GraphQL', async () => {
    const own = await buildCompany(gateway, { key: company.key });
    const stored = await send('PUT', `${own.base}/contacts?expand=currency`, { data: { platform_id: 'c', currency_id: 'CHF' } });
    expect(stored.body.data.data.currency).toMatchObject(iso);
    await send('PUT', `${own.base}/contacts`, { data: { platform_id: 'none' } });
    await send('PUT', `${own.base}/contacts`, { data: { platform_id: 'yen', currency_id: 'JPY' } });
    const read = await send('GET', `${own.base}/contacts/${stored.body.data.data.ledger_id}?expand=currency`);
    expect(read.body.data.currency).toEqual(stored.body.data.data.currency);
    const list = await send('GET', `${own.base}/contacts?expand=currency`);
    expect(list.body.data.map((row: { currency: unknown }) => row.currency)).toEqual([
      stored.body.data.data.currency,
      null,
      expect.objectContaining({ code: 'JPY', name: 'Japanese Yen', symbol: '¥' }),
    ]);
    const fields = '{ id etag ledgerId platformId code name symbol isBaseCurrency integrityIssues { rule } }';
    // As JSON, and as objects, because edges are selected too.
    for (const shape of [
      'nodes { currency { id etag ledgerId code name __typename } }',
      `nodes { currency ${fields} } edges { node { currency ${fields} } }`,
    ]) {
      const response = await gateway.graphql(company.key, `{ company(id: ${own.id}) { contacts { ${shape} } } }`);
      expect(response.body.errors, response.text).toBeUndefined();
      expect(response.body.data.company.contacts.nodes[0].currency).toMatchObject({
        id: 'currency_CHF',
        etag: null,
        ledgerId: null,
        code: 'CHF',
        name: 'Swiss Franc',
      });
    }
    expect((await send('GET', `${own.base}/currencies`)).body.data).toEqual([]);
  });

  it('a record of the company takes precedence over the ISO currency, a deleted one does not', async () => {
    const own = await buildCompany(gateway, { key: company.key });
    const note = (await send('PUT', `${own.base}/bill_credit_notes`, { data: { platform_id: 'n', currency_id: 'EUR' } })).body.data.data;
    const path = `${own.base}/bill_credit_notes/${note.ledger_id}?expand=currency`;
    const held = (await send('PUT', `${own.base}/currencies`, { data: { platform_id: 'eur', code: 'EUR', name: 'Our euro' } })).body.data
      .data;
    expect((await send('GET', path)).body.data.currency).toEqual({ ...held, ledger_deleted_at: null });
    await send('DELETE', `${own.base}/currencies/${held.ledger_id}`);
    expect((await send('GET', path)).body.data.currency).toMatchObject({ ledger_id: null, name: 'Euro', symbol: '€' });
  });
});

describe('cursors', () => {
  it.each(['next', 'prev'])('an empty %s of a list of records is the first page', async (name) => {
    const first = await send('GET', `${company.base}/accounts?limit=2`);
    const again = await send('GET', `${company.base}/accounts?limit=2&${name}=`);
    expect([again.status, again.body.data]).toEqual([200, first.body.data]);
    const wrong = await send('GET', `${company.base}/accounts?${name}=garbage`);
    expect([wrong.status, wrong.body.error.error_code, wrong.body.error.field]).toEqual([400, 'INVALID_CURSOR', name]);
    expect(wrong.body.error.message).toContain(`${name} is not a cursor`);
  });

  it('an empty cursor is the first page of every other list and in GraphQL', async () => {
    for (const path of [`${company.base}/syncs`, '/v4/core/disconnect-requests']) {
      const response = await send('GET', `${path}?cursor=`);
      expect(response.status, response.text).toBe(200);
      expect((await send('GET', `${path}?cursor=garbage`)).body.error.field).toBe('cursor');
    }
    const platform = await gateway.key(['PLATFORM']);
    const headers = { authorization: `Bearer ${platform}` };
    expect((await gateway.send('GET', '/api/v1/corporations?cursor=', { headers })).status).toBe(200);
    const query = (cursor: string) => `{ company(id: ${company.id}) { accounts(first: 2, ${cursor}) { nodes { ledgerId } } } }`;
    const plain = await gateway.graphql(company.key, query('last: null'));
    for (const cursor of ['after: ""', 'before: ""']) expect((await gateway.graphql(company.key, query(cursor))).body).toEqual(plain.body);
  });
});

describe('versions', () => {
  it('a GET that sends an ETag responses 304 to a caller who holds it', async () => {
    const { ledger_id } = await put('contacts', { platform_id: 'held', name: 'Held' });
    const path = `${company.base}/contacts/${ledger_id}`;
    const tag = (await send('GET', path)).headers.get('etag')!;
    for (const held of [tag, `W/${tag}`, '*', `"other", W/${tag} ,"more"`]) {
      for (const method of ['GET', 'HEAD']) {
        const response = await send(method, path, undefined, { 'if-none-match': held });
        expect([response.status, response.text, response.headers.get('etag')], held).toEqual([304, '', tag]);
        expect(response.headers.get('cache-control')).toBe('no-store');
      }
    }
    for (const other of ['"other"', tag.slice(1, -1), ''])
      expect((await send('GET', path, undefined, { 'if-none-match': other })).status).toBe(200);
    await put('contacts', { platform_id: 'held', name: 'Changed' });
    expect((await send('GET', path, undefined, { 'if-none-match': tag })).status).toBe(200);
    expect((await send('GET', `${company.base}/contacts/987654321`, undefined, { 'if-none-match': '*' })).status).toBe(404);
  });

  it('expansions are part of the ETag of a read, and not of the version a write names', async () => {
    const note = await put('bill_credit_notes', { platform_id: 'held', contact: { platform_id: 'vendor', name: 'One' } });
    const path = `${company.base}/bill_credit_notes/${note.ledger_id}`;
    const read = (held: string) => send('GET', `${path}?expand=contact`, undefined, { 'if-none-match': held });
    const tag = (await read('')).headers.get('etag')!;
    expect((await read(tag)).status).toBe(304);
    await put('contacts', { platform_id: 'vendor', name: 'Two' });
    const changed = await read(tag);
    expect([changed.status, changed.body.data.contact.name]).toEqual([200, 'Two']);
    expect((await send('PUT', path, { data: { memo: 'm' } }, { 'if-match': tag })).status).toBe(200);
    expect((await send('PUT', path, { data: { memo: 'n' } }, { 'if-match': tag })).status).toBe(412);
  });
});

describe('fields of errors in GraphQL', () => {
  const fieldOf = async (query: string, variables?: Record<string, unknown>) => {
    const { body, text } = await gateway.graphql(company.key, query, variables);
    expect(body.errors, text).toBeDefined();
    return body.errors[0].extensions.field;
  };
  const update = (arguments_: string, variables = '') =>
    `mutation ${variables} { updateAccount(input: { companyId: ${company.id}, ${arguments_} }) { syncId } }`;

  it('an error in a variable names the argument that uses it, however deep', async () => {
    const { ledger_id: id } = await put('accounts', { platform_id: 'deep', name: 'Deep' });
    const given: [query: string, variables: Record<string, unknown>, field: string][] = [
      [update(`id: ${id}, status: $x`, '($x: UsageStatus)'), { x: 'NONE' }, 'input.status'],
      [update(`id: ${id}, currentBalance: $x`, '($x: Decimal)'), { x: 'five' }, 'input.currentBalance'],
      [update('id: $x', '($x: ID!)'), { x: -1 }, 'input.id'],
      [update('id: 987654321'), {}, 'input.id'],
      [update(`id: ${id}, name: "x", ifMatch: $x`, '($x: String)'), { x: '"old"' }, 'input.ifMatch'],
      [update(`id: ${id}, platformId: $x`, '($x: String)'), { x: 'other' }, 'input.platformId'],
      [update(`id: ${id}, parentAccountId: $x`, '($x: ID)'), { x: id }, 'input.parentAccountId'],
      [
        `mutation ($one: LineItemInput!) { upsertEstimates(input: { companyId: ${company.id}, records: [{ platformId: "a" }, { platformId: "b", lineItems: [{}, $one] }] }) { syncId } }`,
        { one: { itemId: 'none' } },
        'input.records[1].lineItems[1].itemId',
      ],
      [
        `mutation ($all: [EstimateInput!]!) { upsertEstimates(input: { companyId: ${company.id}, records: $all }) { syncId } }`,
        { all: [{ platformId: 'a', lineItems: [{ itemId: 987_654_321 }] }] },
        'input.records[0].lineItems[0].itemId',
      ],
      [`query ($c: String) { company(id: ${company.id}) { accounts(after: $c) { nodes { id } } } }`, { c: 'garbage' }, 'after'],
      [`query ($n: Int) { company(id: ${company.id}) { accounts(first: $n) { nodes { id } } } }`, { n: 1_000 }, 'first'],
      ['query ($n: ID!) { company(id: $n) { name } }', { n: 987_654_321 }, 'id'],
      [
        `query ($f: UsageStatusFilter) { company(id: ${company.id}) { accounts(filter: { status: $f }) { nodes { id } } } }`,
        { f: { eq: 'NONE' } },
        'filter.status.eq',
      ],
    ];
    for (const [query, variables, field] of given) expect(await fieldOf(query, variables), query).toBe(field);
  });

  it('an error in a member of an input object names the argument too, and an error never names a header', async () => {
    const key = await gateway.key(['PLATFORM']);
    const create = 'mutation ($in: CreateCorporationInput!) { createCorporation(input: $in) { corporation { id } } }';
    const address = { addressLine1: ' ', country: 'DE' };
    const corporation = { legalName: 'Sample Ltd', jurisdiction: 'US' };
    for (const [input, field] of [
      [{ ...corporation, address }, 'input.address.addressLine1'],
      [{ ...corporation, taxIds: [{ type: 'US_EIN', value: 'x' }] }, 'input.taxIds[0].value'],
      [{ jurisdiction: 'US', legalName: 5 }, 'input.legalName'],
    ] as const) {
      const response = await gateway.graphql(key, create, { in: input });
      expect(response.body.errors[0].extensions.field, response.text).toBe(field);
      const rest = await gateway.send('POST', '/api/v1/corporations', {
        headers: { authorization: `Bearer ${key}` },
        body: JSON.parse(
          JSON.stringify(input).replaceAll(/"([a-zA-Z1]+)":/g, (_, name: string) => `"${snakeCase(name).replace('line1', 'line_1')}":`),
        ),
      });
      expect(rest.body.error.details[0].field).toBe(
        field
          .replace('input.', '')
          .replace('addressLine1', 'address_line_1')
          .replace('legalName', 'legal_name')
          .replace('taxIds[0]', 'tax_ids.0'),
      );
    }
    const headers = { authorization: `Bearer ${key}`, 'idempotency-key': 'é' };
    const refused = await gateway.send('POST', '/graphql', { headers, body: { query: create, variables: { in: corporation } } });
    expect([refused.body.errors[0].extensions.code, refused.body.errors[0].extensions.field]).toEqual(['INVALID_PARAMS', undefined]);
  });

  it('a rejection in a batch names the field in the notation of its sender', async () => {
    const data = [{ platformId: 'good' }, { platformId: 'bad', lineItems: [{ itemId: 987_654_321 }] }];
    const query = `mutation ($all: [PurchaseOrderInput!]!) { upsertPurchaseOrders(input: { companyId: ${company.id}, records: $all, runAsync: true }) { syncId } }`;
    const accepted = await gateway.graphql(company.key, query, { all: data });
    const id = accepted.body.data.upsertPurchaseOrders.syncId;
    await endOfSync(gateway, company, id);
    const jobs = await gateway.graphql(
      company.key,
      `{ sync(id: "${id}") { jobs(status: FAILED) { nodes { errorMessage errorResponse } } } }`,
    );
    const [refusal] = jobs.body.data.sync.jobs.nodes.filter((job: { errorResponse: unknown }) => job.errorResponse);
    expect(refusal.errorResponse).toEqual({ index: 1, platform_id: 'bad', field: 'data[1].lineItems[0].itemId' });
    expect(refusal.errorMessage).toContain('data[1].lineItems[0].itemId');
    const rest = await send('PUT', `${company.base}/purchase_orders?run_async=true`, {
      data: [{ platform_id: 'bad', line_items: [{ item_id: 987_654_321 }] }],
    });
    await endOfSync(gateway, company, rest.body.data.sync_id);
    const failed = await send('GET', `/v4/core/syncs/${rest.body.data.sync_id}/jobs?status=FAILED`);
    expect(failed.body.jobs.map((job: { errorResponse: unknown }) => job.errorResponse)).toContainEqual({
      index: 0,
      platform_id: 'bad',
      field: 'data[0].line_items[0].item_id',
    });
  });
});

// The change feed of a company on both endpoints: what an entry says, where the next page begins, what a cursor and a key may.
import { beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { startGateway, useGateway } from '../support/gateway.ts';
import { buildCompany, type TestCompany } from '../support/records.ts';
import { statementsOf } from '../support/statements.ts';

const gateway = useGateway();

interface Entry {
  operation: string;
  data_model: string;
  ledger_id: number;
  platform_id: string;
  changed_at: string;
  etag: string;
  record?: Record<string, unknown>;
}

interface Page {
  data: Entry[];
  pagination: { next: string; has_more: boolean };
}

let company: TestCompany;
beforeAll(async () => {
  company = await buildCompany(gateway);
});

async function changes(query = '', of = company): Promise<Page> {
  const { status, body, text } = await gateway.send('GET', `${of.base}/changes${query && `?${query}`}`, { headers: of.headers });
  expect(status, text).toBe(200);
  return body;
}

async function put(list: string, data: object, of = company): Promise<{ ledger_id: number; etag: string }> {
  const { status, body, text, headers } = await gateway.send('PUT', `${of.base}/${list}`, { headers: of.headers, body: { data } });
  expect(status, text).toBeLessThan(300);
  return { ledger_id: body.data.data.ledger_id, etag: headers.get('etag')! };
}

const remove = (list: string, id: number) => gateway.send('DELETE', `${company.base}/${list}/${id}`, { headers: company.headers });

const named = ({ data }: Page): string[] => data.map(({ operation, platform_id }) => `${operation} ${platform_id}`);

describe('the change feed', () => {
  it('begins with what is stored, and continues with each record once, at its latest change', async () => {
    const { ledger_id: contact } = await put('contacts', { platform_id: 'c1', name: 'One', addresses: [{ city: 'York' }] });
    await put('items', { platform_id: 'i1', name: 'Kettle' });
    const first = await changes();
    expect(named(first)).toEqual(['CREATED c1', 'CREATED i1']);
    expect(first.pagination).toEqual({ next: expect.any(String), has_more: false });
    expect(named(await changes(`after=${first.pagination.next}`))).toEqual([]);

    await put('items', { platform_id: 'i1', name: 'Pot' });
    const { ledger_id, etag } = await put('items', { platform_id: 'i1', name: 'Pan' });
    await put('items', { platform_id: 'i2', name: 'Cup' });
    await remove('contacts', contact);
    const second = await changes(`after=${first.pagination.next}`);
    expect(named(second)).toEqual(['UPDATED i1', 'CREATED i2', 'DELETED c1']);
    expect(second.data[0]).toEqual({
      operation: 'UPDATED',
      data_model: 'ITEM',
      ledger_id,
      platform_id: 'i1',
      ledger_integration_type: 'SANDBOX',
      changed_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      etag,
    });
    // The end of the feed is a place too.
    const { next } = (await changes(`after=${second.pagination.next}`)).pagination;
    await put('items', { platform_id: 'i3', name: 'Lid' });
    expect(named(await changes(`after=${next}`))).toEqual(['CREATED i3']);
  });

  it('has the record in its REST form on request, a deleted one too, and by GraphQL as it is selected', async () => {
    const own = await buildCompany(gateway);
    const { ledger_id: id } = await put(
      'items',
      { platform_id: 'r1', name: 'Kettle', variants: [{ platform_id: 'v1', name: 'Red' }] },
      own,
    );
    const { ledger_id: gone } = await put('contacts', { platform_id: 'r2', name: 'Gone' }, own);
    await gateway.send('DELETE', `${own.base}/contacts/${gone}`, { headers: own.headers });
    const read = await gateway.send('GET', `${own.base}/items/${id}`, { headers: own.headers });
    const { data } = await changes('select=record', own);
    expect(data.map(({ record }) => record)).toEqual([
      read.body.data,
      expect.objectContaining({ ledger_id: gone, name: 'Gone', ledger_deleted_at: expect.any(String) }),
    ]);
    const { body } = await gateway.graphql(
      own.key,
      `{ company(id: ${own.id}) { changes(dataModels: [ITEM, VARIANT]) {
          nodes { operation dataModel nodeId node { id ... on Item { name etag } ... on Variant { name } } etag } pageInfo { hasNextPage endCursor } } } }`,
    );
    expect(body.errors).toBeUndefined();
    expect(body.data.company.changes).toEqual({
      nodes: expect.arrayContaining([
        {
          operation: 'CREATED',
          dataModel: 'ITEM',
          nodeId: `item_${id}`,
          node: { id: `item_${id}`, name: 'Kettle', etag: read.headers.get('etag') },
          etag: read.headers.get('etag'),
        },
        expect.objectContaining({ dataModel: 'VARIANT', node: expect.objectContaining({ name: 'Red' }) }),
      ]),
      pageInfo: { hasNextPage: false, endCursor: expect.any(String) },
    });
  });

  it('is read page by page, by two statements each', async () => {
    const own = await buildCompany(gateway);
    for (let n = 0; n < 7; n++) await put(n % 2 ? 'items' : 'accounts', { platform_id: `p${n}`, name: String(n) }, own);
    const seen: string[] = [];
    let after = '';
    for (let pages = 1; ; pages++) {
      const query = `limit=3${after && `&after=${after}`}`;
      const page = await changes(query, own);
      expect(await statementsOf(gateway.services.database, () => changes(query, own))).toBe(2);
      seen.push(...page.data.map(({ platform_id }) => platform_id));
      after = page.pagination.next;
      if (page.pagination.has_more) continue;
      expect(pages).toBe(3);
      break;
    }
    expect(seen).toEqual(['p0', 'p1', 'p2', 'p3', 'p4', 'p5', 'p6']);
  });

  it('a line changes its document, and is an entry only where its type is asked for', async () => {
    const own = await buildCompany(gateway);
    const document = { platform_id: 'd1', line_items: [{ platform_id: 'l1', name: 'Tea', quantity: 1 }] };
    await put('estimates', document, own);
    const { pagination } = await changes('', own);
    const lines = await changes('data_models=LINE_ITEM', own);
    expect(named(lines)).toEqual(['CREATED l1']);
    const line = lines.data[0]!.ledger_id;
    await gateway.send('PUT', `${own.base}/line_items/${line}`, { headers: own.headers, body: { data: { name: 'Coffee' } } });
    expect(named(await changes(`after=${pagination.next}`, own))).toEqual(['UPDATED d1']);
    expect(named(await changes(`data_models=LINE_ITEM&after=${lines.pagination.next}`, own))).toEqual(['UPDATED l1']);
  });
});

describe('the cursor of the change feed', () => {
  it.each([
    ['limit=0', 'limit', 'INVALID_PARAMS'],
    ['limit=101', 'limit', 'INVALID_PARAMS'],
    ['after=nonsense', 'after', 'INVALID_CURSOR'],
    ['data_models=SHOES', 'data_models', 'INVALID_PARAMS'],
    ['expand=contact', 'expand', 'INVALID_PARAMS'],
    ['select=name', 'select', 'INVALID_PARAMS'],
  ])('%s is rejected by name', async (query, field, code) => {
    const { status, body } = await gateway.send('GET', `${company.base}/changes?${query}`, { headers: company.headers });
    expect([status, body.error.error_code, body.error.field]).toEqual([400, code, field]);
  });

  it('belongs to its company, its data models and its organisation', async () => {
    const { next } = (await changes()).pagination;
    const other = await buildCompany(gateway, { key: company.key });
    const foreign = await buildCompany(gateway);
    for (const [path, headers] of [
      [`${other.base}/changes?after=${next}`, other.headers],
      [`${foreign.base}/changes?after=${next}`, foreign.headers],
      [`${company.base}/changes?data_models=ITEM&after=${next}`, company.headers],
    ] as const)
      expect((await gateway.send('GET', path, { headers })).body.error?.error_code, path).toBe('INVALID_CURSOR');
  });

  it('a key of other companies, and one without the role, read nothing', async () => {
    const other = await buildCompany(gateway, { key: company.key });
    const organisation = (await gateway.services.keys.find(company.key))!.organisation!;
    const { body: viewer } = await gateway.graphql(company.key, '{ viewer { organisation { name } } }');
    const name = viewer.data.viewer.organisation.name as string;
    expect(organisation).toBeTruthy();
    const limited = await gateway.key(['INTEGRATIONS'], name, [other.id]);
    const roleless = await gateway.key(['PLATFORM'], name);
    const read = async (key: string, of: TestCompany) =>
      (await gateway.send('GET', `${of.base}/changes`, { headers: { api_key: key } })).status;
    expect([await read(limited, company), await read(limited, other), await read(roleless, company)]).toEqual([404, 200, 403]);
  });

  it('is rejected once deleted records may be gone that its reader knows, and not while it walks through old ones', async () => {
    const own = await startGateway({ retention: { ...readConfig({}).retention, deletedRecordDays: 2 } });
    try {
      const of = await buildCompany(own);
      for (const name of ['a', 'b'])
        await own.send('PUT', `${of.base}/items`, { headers: of.headers, body: { data: { platform_id: name, name } } });
      const read = (query: string) => own.send('GET', `${of.base}/changes?${query}`, { headers: of.headers });
      const end = (await read('')).body.pagination.next;
      own.clock.advance(3 * 86_400_000);
      const { status, body } = await read(`after=${end}`);
      expect([status, body.error.error_code, body.error.field]).toEqual([410, 'CURSOR_EXPIRED', 'after']);
      expect(body.error.message).toContain('deleted records are removed after 2 days');
      const start = await read('limit=1');
      expect(named((await read(`limit=1&after=${start.body.pagination.next}`)).body)).toEqual(['CREATED b']);
    } finally {
      await own.stop();
    }
  });
});

// Lists: pages by cursor while rows are added and removed, filters, and parameters that are rejected by name.
import { beforeAll, describe, expect, it } from 'vitest';
import { useGateway } from '../support/gateway.ts';
import { buildCompany, type TestCompany } from '../support/records.ts';

const gateway = useGateway();
let company: TestCompany;

beforeAll(async () => {
  company = await buildCompany(gateway);
});

const send = (method: string, path: string, body?: unknown) => gateway.send(method, path, { headers: company.headers, body });

describe('paging through a list while it changes', () => {
  it.each([
    ['next', ''],
    ['prev', ''],
    ['next', '&sort[ledger_updated_at]=DESC'],
  ])('by %s%s every surviving row is seen exactly once', async (direction, sort) => {
    const own = await buildCompany(gateway, { key: company.key });
    const ids: number[] = [];
    const add = async (name: string): Promise<number> => {
      const made = await send('POST', `${own.base}/items`, { data: { name } });
      return made.body.data.data.ledger_id;
    };
    for (let index = 0; index < 23; index++) ids.push(await add(`item ${index}`));
    const gone = new Set<number>();
    const seen: number[] = [];
    let query = `limit=4${sort}`;
    if (direction === 'prev') {
      const last = await add('last');
      const all = await send('GET', `${own.base}/items?limit=100`);
      expect(all.body.data.at(-1).ledger_id).toBe(last);
      const pages = await send('GET', `${own.base}/items?limit=23`);
      const tail = await send('GET', `${own.base}/items?limit=1&next=${pages.body.pagination.next}`);
      query = `limit=4&prev=${tail.body.pagination.prev}`;
    }
    for (let round = 0; ; round++) {
      const page = await send('GET', `${own.base}/items?${query}`);
      expect(page.status, page.text).toBe(200);
      const found = page.body.data.map((row: { ledger_id: number }) => row.ledger_id) as number[];
      seen.push(...found);
      // One row already returned and one not yet returned disappear, and a new one is added.
      const ahead = ids.find((id) => !seen.includes(id) && !gone.has(id));
      for (const id of [found[0], ahead]) {
        if (id === undefined || round > 2) continue;
        gone.add(id);
        expect((await send('DELETE', `${own.base}/items/${id}`)).status).toBe(204);
      }
      await add(`late ${round}`);
      const cursor = page.body.pagination[direction];
      if (cursor === null || round > 30) break;
      query = `limit=4${sort}&${direction}=${cursor}`;
    }
    const remaining = ids.filter((id) => !gone.has(id));
    expect(remaining.filter((id) => seen.filter((other) => other === id).length !== 1)).toEqual([]);
    expect(new Set(seen).size).toBe(seen.length);
  });
});

describe('parameters', () => {
  it('filters combine, an OR list matches any, and bounds apply', async () => {
    for (const [platform_id, status, posted_date] of [
      ['n1', 'DRAFT', '2026-01-01'],
      ['n2', 'PAID', '2026-02-01T12:00:00+02:00'],
      ['n3', 'VOID', '2026-02-01T23:30:00Z'],
    ]) {
      await send('PUT', `${company.base}/bill_credit_notes`, {
        data: { platform_id, status, posted_date, currency_id: platform_id === 'n1' ? 'EUR' : 'USD' },
      });
    }
    const ids = async (query: string): Promise<string[]> => {
      const response = await send('GET', `${company.base}/bill_credit_notes?${query}`);
      expect(response.status, response.text).toBe(200);
      return response.body.data.map((row: { platform_id: string }) => row.platform_id);
    };
    expect(await ids('status[in]=paid,void')).toEqual(['n2', 'n3']);
    expect(await ids('status%5Bin%5D=paid,void&currency_id=USD&posted_date[lte]=2026-02-01T10:00:00Z')).toEqual(['n2']);
    expect(await ids('posted_date[gte]=2026-02-01&posted_date[lte]=2026-02-01')).toEqual(['n2', 'n3']);
    expect(await ids('posted_date[gte]=2027-01-01&posted_date[lte]=2026-01-01')).toEqual([]);
    expect(await ids('ledger_integration_type[eq]=NOWHERE')).toEqual([]);
  });

  it.each([
    'foo=1',
    'currency_id[eq]=ABC',
    'status[eq]=OPEN',
    'limit=1.5',
    'expand=nothing',
    'posted_date[contains]=2026-01-01',
    'total_amount[startsWith]=1',
    'contact.nothing=1',
    'contact[name]=1',
    'or=1',
    'order_by=memo',
    'order_by=-posted_date,posted_date',
    'order_by=',
    'offset=-1',
    'include_deleted_records=maybe',
  ])('%s is rejected by name', async (query) => {
    const response = await send('GET', `${company.base}/bill_credit_notes?${query}`);
    expect([response.status, response.body.error.error_code, response.body.error.field]).toEqual([
      400,
      'INVALID_PARAMS',
      query.split('=')[0],
    ]);
  });

  it('a cursor opens only the list, filter and order it was made for', async () => {
    for (const platform_id of ['x1', 'x2']) await send('PUT', `${company.base}/contacts`, { data: { platform_id } });
    const { next } = (await send('GET', `${company.base}/contacts?limit=1`)).body.pagination;
    for (const query of [
      `items?next=${next}`,
      `contacts?status[eq]=ACTIVE&next=${next}`,
      `contacts?next=${next}x`,
      `contacts?sort[ledger_updated_at]=DESC&next=${next}`,
    ]) {
      const response = await send('GET', `${company.base}/${query}`);
      expect([response.status, response.body.error.error_code]).toEqual([400, 'INVALID_CURSOR']);
    }
  });

  it('deleted records show on request, with the time of their deletion', async () => {
    const made = await send('POST', `${company.base}/items`, { data: { name: 'gone', variants: [{ name: 'v' }] } });
    const { ledger_id } = made.body.data.data;
    await send('DELETE', `${company.base}/items/${ledger_id}`);
    expect((await send('GET', `${company.base}/items/${ledger_id}`)).body.error.error_code).toBe('RECORD_NOT_FOUND');
    const shown = await send('GET', `${company.base}/items/${ledger_id}?include_deleted_records=true`);
    expect(shown.body.data.ledger_deleted_at).toBe(shown.body.data.ledger_updated_at);
    expect((await send('GET', `${company.base}/variants?name=v`)).body.data).toEqual([]);
    expect((await send('GET', `${company.base}/variants`)).body.data).toEqual([]);
  });

  it('raw_data and data_hash show when selected, and the hash changes with the content', async () => {
    const write = async (name: string) =>
      (await send('PUT', `${company.base}/contacts`, { data: { platform_id: 'h', name, raw_data: { b: 1, a: [2] } } })).body.data.data
        .ledger_id;
    const read = async (id: number) => (await send('GET', `${company.base}/contacts/${id}?select=raw_data,data_hash`)).body.data;
    const id = await write('one');
    const first = await read(id);
    expect(first.raw_data).toEqual({ a: [2], b: 1 });
    await write('one');
    expect(await read(id)).toEqual(first);
    await write('two');
    expect((await read(id)).data_hash).not.toBe(first.data_hash);
  });

  it('the same content does not change a record whose hash an earlier release stored in hexadecimal', async () => {
    const data = { platform_id: 'hashed before', name: 'one' };
    const write = async () => (await send('PUT', `${company.base}/contacts`, { data })).body.data.data.ledger_id;
    const read = async (id: number) => (await send('GET', `${company.base}/contacts/${id}?select=data_hash`)).body.data;
    const id = await write();
    const first = await read(id);
    const whole = Buffer.from(`${first.data_hash}AA`, 'base64url').toString('hex').padEnd(64, '0');
    await gateway.services.database.orm.em.getConnection().execute('update contact set data_hash = ? where ledger_id = ?', [whole, id]);
    await write();
    expect(await read(id)).toEqual({ ...first, data_hash: whole });
  });
});

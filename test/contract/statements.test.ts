// The number of SQL statements of an operation, whatever the size of its response.
import { parse } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { Executor } from '../../src/graphql/executor.ts';
import { requestContext } from '../../src/http/authentication.ts';
import type { GatewayError } from '../../src/records/errors.ts';
import { useGateway } from '../support/gateway.ts';
import { buildCompany, type TestCompany } from '../support/records.ts';
import { statementsOf } from '../support/statements.ts';

const gateway = useGateway({ worker: false });
let company: TestCompany;

beforeAll(async () => {
  company = await buildCompany(gateway);
  for (let index = 0; index < 100; index++) {
    const data = {
      platform_id: `note-${index}`,
      contact: { platform_id: `vendor-${index % 7}`, name: 'Vendor' },
      currency: { code: 'EUR' },
      addresses: [{ city: 'Berlin' }],
      line_items: [{ name: 'one' }, { name: 'two' }],
    };
    const made = await gateway.send('PUT', `${company.base}/bill_credit_notes`, { headers: company.headers, body: { data } });
    expect(made.status, made.text).toBe(200);
  }
}, 120_000);

/** Statements of a request, once the caches of keys and companies are filled. */
const readsOf = (path: string): Promise<number> =>
  statementsOf(gateway.services.database, async () => {
    const response = await gateway.send('GET', path, { headers: company.headers });
    expect(response.status, response.text).toBe(200);
  });

describe('reads', () => {
  it('listing 100 bill credit notes with all expansions takes at most 6 statements', async () => {
    const path = `${company.base}/bill_credit_notes?limit=100&expand=contact,currency,line_items,addresses&return_count=true`;
    const response = await gateway.send('GET', path, { headers: company.headers });
    expect(response.body.data).toHaveLength(100);
    expect(response.body.data[0].line_items).toHaveLength(2);
    expect(response.body.data[0].contact.name).toBe('Vendor');
    expect(await readsOf(path)).toBeLessThanOrEqual(6);
  });

  it('reading one account takes one statement', async () => {
    const made = await gateway.send('POST', `${company.base}/accounts`, { headers: company.headers, body: { data: { name: 'Bank' } } });
    expect(await readsOf(`${company.base}/accounts/${made.body.data.data.ledger_id}`)).toBe(1);
  });

  it('requests with the same key that read a record each at the same time share a statement, and each gets its own response', async () => {
    const { services } = gateway;
    const stranger = await buildCompany(gateway);
    const ids: number[] = [];
    for (const name of ['one', 'two', 'three', 'four']) {
      const made = await gateway.send('POST', `${company.base}/accounts`, { headers: company.headers, body: { data: { name } } });
      ids.push(made.body.data.data.ledger_id);
    }
    await gateway.send('DELETE', `${company.base}/accounts/${ids[3]}`, { headers: company.headers });
    const text =
      'query ($company: ID!, $id: ID!, $deleted: Boolean!) { company(id: $company) { account(ledgerId: $id, includeDeleted: $deleted) { name } } }';
    const operation = new Executor(services.schema).compile(parse(text), undefined);
    const read = async (key: string, id: number, deleted = false): Promise<unknown> => {
      const context = requestContext(services, 'test', (await services.keys.find(key))!, null);
      const { data, errors } = await operation.run(context, { company: company.id, id, deleted });
      const [error] = errors ?? [];
      if (error) return (error.originalError as GatewayError).code;
      return (data as { company: { account: { name: string } } }).company.account.name;
    };
    const [one, two, three, four] = ids as [number, number, number, number];
    await read(company.key, one);
    const all = () => Promise.all([three, one, 999_999, four, two, one].map((id) => read(company.key, id)));
    expect(await all()).toEqual(['three', 'one', 'RECORD_NOT_FOUND', 'RECORD_NOT_FOUND', 'two', 'one']);
    expect(await statementsOf(services.database, all)).toBe(1);
    expect(await Promise.all([read(company.key, four), read(company.key, four, true)])).toEqual(['RECORD_NOT_FOUND', 'four']);
    expect(await Promise.all([read(company.key, one), read(stranger.key, one), read(company.key, two)])).toEqual([
      'one',
      'COMPANY_NOT_FOUND',
      'two',
    ]);
  });

  it('records read by their global ids take one statement per type and relation', async () => {
    const listed = await gateway.graphql(
      company.key,
      `{ company(id: ${company.id}) { billCreditNotes(first: 20) { nodes { id } } contacts(first: 5) { nodes { id name } } } }`,
    );
    const { billCreditNotes, contacts } = listed.body.data.company;
    const ids = [...contacts.nodes, ...billCreditNotes.nodes, contacts.nodes[0]].map(({ id }) => id);
    const query = 'query($ids: [ID!]!) { nodes(ids: $ids) { id ... on BillCreditNote { lineItems { name } } ... on Contact { name } } }';
    const spent = await statementsOf(gateway.services.database, async () => {
      const response = await gateway.graphql(company.key, query, { ids: [...ids, 'contact_999999', 'nonsense'] });
      expect(response.body.data.nodes.slice(0, -2).map(({ id }: { id: string }) => id)).toEqual(ids);
      expect(response.body.data.nodes.slice(-2)).toEqual([null, null]);
      expect(response.body.data.nodes[5].lineItems).toHaveLength(2);
      expect(response.body.data.nodes.at(-3).name).toBe('Vendor');
    });
    expect(spent).toBe(3);
  });

  it('a GraphQL operation over two relations deep takes one statement per level and relation', async () => {
    const query = `{ company(id: ${company.id}) { billCreditNotes(first: 50) { nodes { contact { name addresses { city } } lineItems { name account { name } } } } } }`;
    const spent = await statementsOf(gateway.services.database, async () => {
      const response = await gateway.graphql(company.key, query);
      expect(response.body.errors).toBeUndefined();
    });
    expect(spent).toBeLessThanOrEqual(5);
  });

  it('callers who select ever different fields do not fill the server with prepared statements', async () => {
    const { database } = gateway.services;
    // The reader reuses names this way: each connection prepares a name for one text at a time.
    for (let index = 0; index < 60; index++)
      expect(await database.read({ name: 'shared', text: `select ${index}` }, [])).toEqual([[`${index}`]]);
    const mine = await Promise.all(
      Array.from({ length: 30 }, () =>
        database.read({ name: 'mine', text: "select count(*) from pg_prepared_statements where name = 'shared'" }, []),
      ),
    );
    for (const counts of mine) expect(Number(counts[0]?.[0])).toBeLessThanOrEqual(1);
  });
});

describe('writes', () => {
  /**
   * Statements of a write that changes a record: it gets the number of the run, so that each run changes something. The run that makes the record takes
   * one less and isn't counted: were it the least of several runs, a background statement during it would change the result.
   */
  const writesOf = async (method: string, path: string, data: (round: number) => unknown): Promise<number> => {
    let round = 0;
    // The history of requests is stored by a statement of its own every five seconds.
    await gateway.storeRequests();
    const write = async () => {
      const response = await gateway.send(method, `${company.base}/${path}`, { headers: company.headers, body: { data: data(++round) } });
      expect(response.status, response.text).toBeLessThan(300);
    };
    await write();
    return statementsOf(gateway.services.database, write);
  };

  it('a document with its lines takes as many statements, however many lines it has, and a line alone three more for its document', async () => {
    const lines = (count: number) => (round: number) => ({
      platform_id: `lines ${count}`,
      line_items: Array.from({ length: count }, (_, place) => ({ platform_id: `${place}`, name: `${round}` })),
    });
    const few = await writesOf('PUT', 'purchase_orders', lines(2));
    expect(await writesOf('PUT', 'purchase_orders', lines(200))).toBe(few);
    const order = (await gateway.send('GET', `${company.base}/purchase_orders?platform_id=lines 2`, { headers: company.headers })).body
      .data[0];
    const parent = { parent_type: 'PURCHASE_ORDER', parent_id: order.ledger_id };
    const account = await writesOf('PUT', 'accounts', (round) => ({ platform_id: 'alone', name: `${round}` }));
    const line = await writesOf('PUT', 'line_items', (round) => ({ ...parent, platform_id: '0', name: `alone ${round}` }));
    expect(line).toBe(account + 3);
  });
});

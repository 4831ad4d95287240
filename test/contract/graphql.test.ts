// The GraphQL endpoint: its rejections and their form, and the parts of the schema that Relay clients rely on.
import { beforeAll, describe, expect, it } from 'vitest';
import { useGateway } from '../support/gateway.ts';
import { buildCompany, type TestCompany } from '../support/records.ts';

const gateway = useGateway();
let company: TestCompany;
const ids: number[] = [];

beforeAll(async () => {
  company = await buildCompany(gateway);
  for (let index = 1; index <= 5; index++) {
    const made = await gateway.send('POST', `${company.base}/accounts`, {
      headers: company.headers,
      body: { data: { name: `Account ${index}`, status: index % 2 ? 'ACTIVE' : 'ARCHIVED' } },
    });
    ids.push(made.body.data.data.ledger_id);
  }
});

const run = (query: string, variables?: Record<string, unknown>) => gateway.graphql(company.key, query, variables);
const inCompany = (selection: string) => run(`{ company(id: ${company.id}) { ${selection} } }`);
const codeOf = (response: { body: { errors: { extensions: { code: string } }[] } }): string => response.body.errors[0]!.extensions.code;

describe('limits', () => {
  const nested = (depth: number): string => (depth === 0 ? 'name' : `parentAccount { ${nested(depth - 1)} }`);

  it.each([
    ['depth', () => inCompany(`account(ledgerId: 1) { ${nested(12)} }`)],
    ['aliases', () => inCompany(Array.from({ length: 31 }, (_, index) => `a${index}: name`).join(' '))],
    ['root fields', () => run(`{ ${Array.from({ length: 21 }, (_, index) => `a${index}: __typename`).join(' ')} }`)],
    ['cost', () => run('{ companies(first: 100) { nodes { accounts(first: 100) { nodes { parentAccount { currency { name } } } } } } }')],
    [
      'cost through variables',
      () =>
        run(
          'query Q($n: Int) { companies(first: $n) { nodes { accounts(first: $n) { nodes { parentAccount { name } currency { name } } } } } }',
          { n: 100 },
        ),
    ],
    ['cost through lists without a size', () => run('{ countries { subdivisions { subdivisions { code } } } }')],
  ])('an operation over the limit of %s is rejected with 400', async (_, ask) => {
    const response = await ask();
    expect([response.status, codeOf(response)]).toEqual([400, 'QUERY_TOO_COMPLEX']);
  });

  it('a document of more than 2,000 tokens is rejected with 400', async () => {
    const response = await run(`{ ${'__typename '.repeat(2_001)} }`);
    expect(response.status).toBe(400);
  });

  it('requests in batches are rejected', async () => {
    const response = await gateway.send('POST', '/graphql', { body: [{ query: '{ __typename }' }] });
    expect(response.status).toBe(400);
  });
});

describe('errors', () => {
  it.each([
    ['an unknown field', '{ nothing }', undefined],
    ['a syntax error', '{ company(', undefined],
    ['a missing variable', 'query Q($id: ID!) { company(id: $id) { name } }', {}],
    ['a variable of a wrong type', 'query Q($id: ID!) { company(id: $id) { name } }', { id: 1.5 }],
  ])('%s is a 400 with a code of the list', async (_, query, variables) => {
    const response = await run(query, variables);
    expect(response.status).toBe(400);
    expect(['INVALID_PARAMS', 'MISSING_PARAMS']).toContain(codeOf(response));
    expect(response.body.errors[0].extensions.requestId).toBe(response.headers.get('x-request-id'));
  });

  it('input objects are checked the same way as variables and as literals', async () => {
    const literal = await run(`mutation { createAccounts(input: { companyId: ${company.id}, records: [{ platformId: "" }] }) { syncId } }`);
    const variable = await run(
      'mutation M($id: ID!, $data: [AccountInput!]!) { createAccounts(input: { companyId: $id, records: $data }) { syncId } }',
      { id: company.id, data: [{ platformId: '' }] },
    );
    for (const response of [literal, variable])
      expect([codeOf(response), response.body.errors[0].extensions.field]).toEqual(['MISSING_PARAMS', 'input.records[0].platformId']);
  });

  it('an error of one field leaves the data of the others', async () => {
    const response = await inCompany('name account(ledgerId: 999999) { name }');
    expect(response.status).toBe(200);
    expect(response.body.data.company).toEqual({ name: 'Test company', account: null });
    expect([codeOf(response), response.body.errors[0].path]).toEqual(['RECORD_NOT_FOUND', ['company', 'account']]);
  });

  it('without a key only open fields respond', async () => {
    const open = await gateway.graphql(null, '{ service { status } }');
    expect(open.body.data.service.status).toBe('ok');
    const closed = await gateway.graphql(null, `{ company(id: ${company.id}) { name } }`);
    expect(codeOf(closed)).toBe('UNAUTHENTICATED');
  });
});

describe('connections', () => {
  it('pages in both directions have no gaps', async () => {
    const seen: number[] = [];
    let after: string | null = null;
    do {
      const response = await run(
        'query Q($id: ID!, $after: String) { company(id: $id) { accounts(first: 2, after: $after) { edges { cursor node { ledgerId } } pageInfo { hasNextPage endCursor } } } }',
        { id: company.id, after },
      );
      const page = response.body.data.company.accounts;
      seen.push(...page.edges.map((edge: { node: { ledgerId: number } }) => edge.node.ledgerId));
      after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
    } while (after);
    expect(seen).toEqual(ids);
    const last = await inCompany('accounts(last: 2) { nodes { ledgerId } pageInfo { hasPreviousPage startCursor } }');
    const page = last.body.data.company.accounts;
    expect(page.nodes.map((node: { ledgerId: number }) => node.ledgerId)).toEqual(ids.slice(-2));
    const before = await inCompany(`accounts(last: 2, before: "${page.pageInfo.startCursor}") { nodes { ledgerId } }`);
    expect(before.body.data.company.accounts.nodes.map((node: { ledgerId: number }) => node.ledgerId)).toEqual(ids.slice(-4, -2));
  });

  it('filters and order apply, and the count is over all pages', async () => {
    const response = await inCompany(
      'accounts(first: 1, filter: { status: { eq: ACTIVE } }, orderBy: { field: LEDGER_CREATED_AT, direction: DESC }) { nodes { name } totalCount }',
    );
    expect(response.body.data.company.accounts).toEqual({ nodes: [{ name: 'Account 5' }], totalCount: 3 });
  });

  it.each(['first: 0', 'first: 101', 'first: 1, last: 1', 'last: 1, after: "x"'])('accounts(%s) is rejected', async (args) => {
    expect(codeOf(await inCompany(`accounts(${args}) { nodes { name } }`))).toBe('INVALID_PARAMS');
  });
});

describe('object identification', () => {
  it('node reads any record by its global id, nodes keeps the order', async () => {
    const response = await run(
      `{ node(id: "account_${ids[0]}") { __typename id ... on Account { name } } nodes(ids: ["account_${ids[1]}", "account_999999", "company_${company.id}", "nonsense"]) { id } }`,
    );
    expect(response.body.data.node).toEqual({ __typename: 'Account', id: `account_${ids[0]}`, name: 'Account 1' });
    expect(response.body.data.nodes).toEqual([{ id: `account_${ids[1]}` }, null, { id: `company_${company.id}` }, null]);
  });

  it('a record of another organisation responds like one that does not exist', async () => {
    const other = await gateway.key(['INTEGRATIONS']);
    const foreign = await gateway.graphql(other, `{ node(id: "account_${ids[0]}") { id } }`);
    const unknown = await gateway.graphql(other, '{ node(id: "account_999999") { id } }');
    expect(foreign.text).toBe(unknown.text);
  });
});

describe('introspection and contracts', () => {
  it('the schema is introspectable by default and served as text', async () => {
    const response = await gateway.graphql(null, '{ __schema { queryType { name } } }');
    expect(response.body.data.__schema.queryType.name).toBe('Query');
    expect((await gateway.send('GET', '/schema.graphql')).text).toContain('type Account implements LedgerRecord & Node');
  });

  it('variables, directives and fragments work in compiled operations', async () => {
    const query = `query Q($id: ID!, $more: Boolean!) { company(id: $id) { ...Part accounts(first: 1) @include(if: $more) { nodes { name @skip(if: $more) ledgerId } } } } fragment Part on Company { name }`;
    const less = await run(query, { id: company.id, more: false });
    expect(less.body.data.company).toEqual({ name: 'Test company' });
    const more = await run(query, { id: company.id, more: true });
    expect(more.body.data.company.accounts.nodes).toEqual([{ ledgerId: ids[0] }]);
  });
});

describe('a query sent again', () => {
  const query = 'query Again($id: ID!) { company(id: $id) { accounts(first: 2) { nodes { name ledgerId } } } }';
  const send = async (accept: string | undefined, variables: unknown, more = {}) => {
    const { status, headers, text } = await gateway.send('POST', '/graphql', {
      headers: { authorization: `Bearer ${company.key}`, 'x-request-id': 'the-same-request', ...(accept ? { accept } : {}) },
      body: { query, variables, ...more },
    });
    const rest = Object.fromEntries([...headers].filter(([name]) => name !== 'date' && !name.startsWith('x-ratelimit')));
    return { status, headers: rest, body: JSON.parse(text) as unknown };
  };

  it.each([
    undefined,
    'application/json',
    'application/graphql-response+json',
    'application/graphql-response+json, application/json;q=0.9',
  ])('has the response of the first time, headers included, for Accept %s', async (accept) => {
    const first = await send(accept, { id: company.id });
    expect(first).toMatchObject({
      status: 200,
      body: { data: { company: { accounts: { nodes: [{ ledgerId: ids[0] }, { ledgerId: ids[1] }] } } } },
    });
    expect(first.headers['content-type']).toMatch(/^application\/(graphql-response\+)?json; charset=utf-8$/);
    expect(await send(accept, { id: company.id })).toEqual(first);
  });

  it.each<[string, unknown, object]>([
    ['with a variable of a wrong type', { id: 'one' }, {}],
    ['without its variable', undefined, {}],
    ['for a company that does not exist', { id: 999_999_999 }, {}],
    ['with variables that are no object', ['one'], {}],
    ['with the name of another operation', { id: 1 }, { operationName: 'Other' }],
    ['with extensions that are no object', { id: 1 }, { extensions: 7 }],
  ])('fails %s as it does the first time', async (_, variables, more) => {
    const accept = 'application/json';
    const first = await send(accept, variables, more);
    await send(accept, { id: company.id });
    await send(accept, { id: company.id });
    expect((first.body as { errors: { extensions: object }[] }).errors).toMatchObject([
      { extensions: { code: expect.stringMatching(/^(INVALID_PARAMS|MISSING_PARAMS|COMPANY_NOT_FOUND)$/) } },
    ]);
    expect(await send(accept, variables, more)).toEqual(first);
  });
});

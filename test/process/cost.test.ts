// The cost limits of a GraphQL document: introspection like every other selection, its standard document from a cached response, and the operations
// open to callers without a key.
import {
  buildClientSchema,
  buildSchema,
  type DocumentNode,
  getIntrospectionQuery,
  graphqlSync,
  type IntrospectionQuery,
  isInterfaceType,
  isObjectType,
  lexicographicSortSchema,
  parse,
  printSchema,
} from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { introspectionSizes } from '../../src/graphql/introspection-sizes.ts';
import { checkDocument, operationLimits } from '../../src/graphql/query-cost.ts';
import { type GatewayResponse, useGateway } from '../support/gateway.ts';

const gateway = useGateway();
const closed = useGateway({ introspection: false });
const charged = useGateway({ rateLimitPerMinute: 60, rateLimitBurst: 30 });
let key: string;

beforeAll(async () => {
  key = await gateway.key(['INTEGRATIONS']);
});

const codeOf = (response: GatewayResponse): string => response.body.errors?.[0]?.extensions.code ?? 'OK';
const times = (count: number, part: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => part(index)).join(' ');

/** Sets of options, a bit each: all, none, and each alone on or off; with SUITE_ROUNDS every set. */
const OPTION_SETS = Array.from({ length: 64 }, (_, bits) => bits).filter((bits) => {
  const on = [...bits.toString(2)].filter((bit) => bit === '1').length;
  return on <= 1 || on >= 5 || process.env.SUITE_ROUNDS;
});

/** The standard document with each option on and off, as versions of graphql-js, GraphiQL and code generators send it. */
const variants = OPTION_SETS.map((bits) => ({
  descriptions: (bits & 1) > 0,
  specifiedByUrl: (bits & 2) > 0,
  directiveIsRepeatable: (bits & 4) > 0,
  schemaDescription: (bits & 8) > 0,
  inputValueDeprecation: (bits & 16) > 0,
  oneOf: (bits & 32) > 0,
}));

const textOf = (data: unknown): string => printSchema(lexicographicSortSchema(buildClientSchema(data as IntrospectionQuery)));

describe('the standard introspection', () => {
  it('every variant has without a key the response of graphql-js', async () => {
    for (const options of variants) {
      const query = getIntrospectionQuery(options);
      const response = await gateway.graphql(null, query);
      expect([response.status, response.headers.get('content-type')]).toEqual([200, expect.stringContaining('json')]);
      expect(response.body).toEqual(JSON.parse(JSON.stringify(graphqlSync({ schema: gateway.services.schema, source: query }))));
    }
  }, 120_000);

  it.each<[string, (text: string) => string]>([
    [
      'with other names, spaces and comments',
      (text) => `# mine\n${text.replaceAll('FullType', 'T').replace('IntrospectionQuery', 'Mine').replaceAll(/\s+/g, ' ')}`,
    ],
    ['with root types by name alone, as before graphql-js 16.11', (text) => text.replaceAll('{ name kind }', '{ name }')],
    ['with fields in another order', (text) => text.replace(/kind\s+name\s+description/, 'description name kind')],
    [
      'with a longer chain of ofType',
      (text) => text.replace(/ofType \{\s+name\s+kind\s+\}/, 'ofType { name kind ofType { name kind ofType { kind name } } }'),
    ],
    ['without an operation name', (text) => text.replace('query IntrospectionQuery', '')],
    [
      'with its fragments inline',
      (text) =>
        text
          .replaceAll(
            '...TypeRef',
            'kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } } }',
          )
          .replace(/fragment TypeRef[\s\S]*$/, ''),
    ],
  ])('is known %s', async (_, change) => {
    const query = change(getIntrospectionQuery());
    parse(query);
    for (const own of [null, key]) {
      const response = await gateway.graphql(own, query);
      expect(codeOf(response)).toBe('OK');
      expect(textOf(response.body.data)).toBe(
        textOf(graphqlSync({ schema: gateway.services.schema, source: getIntrospectionQuery() }).data),
      );
    }
  });

  it('anything added to it is priced', async () => {
    const more = getIntrospectionQuery().replace('queryType', '__typename queryType');
    for (const own of [null, key]) expect(codeOf(await gateway.graphql(own, more))).toBe('QUERY_TOO_COMPLEX');
  });

  it('INTROSPECTION=false rejects it in any variant', async () => {
    const own = await closed.key(['INTEGRATIONS']);
    for (const query of [getIntrospectionQuery(), '{ __schema { queryType { name } } }', '{ __type(name: "Query") { name } }'])
      for (const caller of [null, own]) {
        const response = await closed.graphql(caller, query);
        expect([response.status, codeOf(response)]).toEqual([400, 'INVALID_PARAMS']);
      }
    expect(codeOf(await closed.graphql(null, '{ __typename service { status } }'))).toBe('OK');
  });
});

describe('any other introspection', () => {
  it.each([
    ['the names of all types', '{ __schema { types { name kind } } }'],
    ['the fields of all types', '{ __schema { types { name fields { name } } } }'],
    [
      'one type',
      '{ __type(name: "Account") { name fields { name description args { name type { name } } type { name kind ofType { name } } } } }',
    ],
    ['the root types', '{ __schema { queryType { name } mutationType { name } } __typename }'],
  ])('%s can be asked without a key', async (_, query) => {
    const response = await gateway.graphql(null, query);
    expect(response.body).toEqual(JSON.parse(JSON.stringify(graphqlSync({ schema: gateway.services.schema, source: query }))));
  });

  /** A list of a meta type counts as the longest such list of the schema: of fields, and of their arguments. */
  const longest = (): { fields: number; args: number } => {
    const types = Object.values(gateway.services.schema.getTypeMap()).filter((type) => isObjectType(type) || isInterfaceType(type));
    const fields = types.map((type) => Object.values(type.getFields()));
    return {
      fields: Math.max(...fields.map((list) => list.length)),
      args: Math.max(...fields.flat().map((field) => field.args.length)),
    };
  };

  it.each<[string, boolean, number, string, () => number]>([
    ['with a key', true, operationLimits.cost, 'fields { name args { name } }', () => 1 + longest().fields * (2 + longest().args * 2)],
    ['without a key', false, operationLimits.costWithoutKey, 'fields { name type { name } }', () => 1 + longest().fields * 4],
  ])('%s its cost is taken up to the limit and rejected above', async (_, withKey, limit, selection, each) => {
    const ask = (count: number): Promise<GatewayResponse> =>
      gateway.graphql(withKey ? key : null, `{ ${times(count, (index) => `t${index}: __type(name: "Company") { ${selection} }`)} }`);
    const most = Math.floor(limit / each());
    expect([most > 1, most < operationLimits.rootFields]).toEqual([true, true]);
    expect(codeOf(await ask(most))).toBe('OK');
    const above = await ask(most + 1);
    expect([above.status, codeOf(above)]).toEqual([400, 'QUERY_TOO_COMPLEX']);
    expect(above.body.errors[0].message).toContain(String((most + 1) * each()));
  });

  it('chains of fragments that each spread the next one twice are rejected at any length', async () => {
    for (const steps of [13, 50, 200])
      for (const own of [null, key]) {
        const chain = times(
          steps,
          (index) => `fragment f${index} on __Type { ofType { ...f${index + 1} } a: ofType { ...f${index + 1} } }`,
        );
        const response = await gateway.graphql(own, `{ __schema { types { ...f0 } } } ${chain} fragment f${steps} on __Type { name }`);
        expect([response.status, codeOf(response)]).toEqual([400, expect.stringMatching(/^(QUERY_TOO_COMPLEX|INVALID_PARAMS)$/)]);
      }
  });
});

describe('limits before validation', () => {
  const account = (text: string): string => `{ company(id: 1) { account(ledgerId: 1) { ${text} } } }`;

  it.each([
    ['itself', 'fragment a on Account { ...a }'],
    ['one that spreads it', 'fragment a on Account { name ...b } fragment b on Account { parentAccount { ...a } }'],
    [
      'many that spread each other',
      `fragment a on Account { ...f0 } ${times(90, (index) => `fragment f${index} on Account { ...f${(index + 1) % 90} ...f${(index + 8) % 90} }`)}`,
    ],
  ])('a fragment that spreads %s is rejected as invalid', async (_, fragments) => {
    for (const query of [`${account('...a')} ${fragments}`, `{ __typename } ${fragments}`]) {
      const response = await gateway.graphql(key, query);
      expect([response.status, codeOf(response)]).toEqual([400, 'INVALID_PARAMS']);
      expect(response.body.errors[0].message).toMatch(/^Cannot spread fragment "\w+" within itself\.$/);
    }
  });

  it.each<[string, number, (count: number) => string]>([
    [
      'root fields in a fragment',
      operationLimits.rootFields,
      (count) => `{ ...r } fragment r on Query { ${times(count, (index) => `a${index}: __typename`)} }`,
    ],
    ['fields selected again without an alias', operationLimits.aliases, (count) => account('name '.repeat(count + 1))],
    ['fragments spread again', operationLimits.aliases, (count) => `${account('...n '.repeat(count + 1))} fragment n on Account { name }`],
    ['inline fragments again', operationLimits.aliases, (count) => account('... { name } '.repeat(count + 1))],
  ])('%s count up to the limit', async (_, limit, text) => {
    expect(codeOf(await gateway.graphql(key, text(limit)))).toMatch(/^(OK|COMPANY_NOT_FOUND)$/);
    const above = await gateway.graphql(key, text(limit + 1));
    expect([above.status, codeOf(above)]).toEqual([400, 'QUERY_TOO_COMPLEX']);
  });

  it('selections count wherever their fragment is spread, up to the limit', () => {
    const fields = `${times(20, (index) => `a${index}: Query`)} ${times(300, (index) => `v${index}: Int`)}`;
    const small = buildSchema(`type Query { ${fields} }`);
    const sizes = introspectionSizes(small);
    // The document has twenty fields, and twenty spreads of the fragment.
    const leaves = (operationLimits.selections - 40) / 20;
    const document = (more: string): DocumentNode =>
      parse(
        `{ ${times(20, (index) => `a${index} { ...f ${index ? '' : more} }`)} } fragment f on Query { ${times(leaves, (index) => `v${index}`)} }`,
      );
    expect(checkDocument(small, document(''), sizes).size).toBe(1);
    expect(() => checkDocument(small, document('v299'), sizes)).toThrow(`more than ${operationLimits.selections} selections`);
  });

  it('the limits apply to an operation that is not requested too', async () => {
    const text = `query Small { __typename } query Large { ${times(21, (index) => `a${index}: __typename`)} }`;
    const response = await gateway.send('POST', '/graphql', {
      headers: { authorization: `Bearer ${key}` },
      body: { query: text, operationName: 'Small' },
    });
    expect([response.status, codeOf(response)]).toEqual([400, 'QUERY_TOO_COMPLEX']);
  });
});

describe('a caller without a key', () => {
  it.each([
    ['a query', '{ company(id: 1) { name } }'],
    ['a query next to an open one', '{ service { status } company(id: 1) { name } }'],
    ['a query in a fragment', '{ ...q } fragment q on Query { ... { company(id: 1) { name } } }'],
    ['another operation of the document', 'query A { service { status } } query B { company(id: 1) { name } }'],
    ['a mutation', 'mutation { revokeAccessKey(input: { id: "key_1" }) { accessKey { id } } }'],
    ['an invalid document', '{ company(id: "x") { nothing } }'],
    ['a document over the limits', `{ company(id: 1) { ${'name '.repeat(500)} } }`],
  ])('is asked for one, with 401, for %s', async (_, query) => {
    const response = await gateway.send('POST', '/graphql', {
      body: { query, operationName: query.startsWith('query A') ? 'A' : undefined },
    });
    expect([response.status, codeOf(response), response.body.data]).toEqual([401, 'UNAUTHENTICATED', undefined]);
    expect(response.body.errors[0].extensions.requestId).toBe(response.headers.get('x-request-id'));
  });

  it('may use the open fields, with variables, fragments and directives', async () => {
    const health = await gateway.graphql(
      null,
      'query ($more: Boolean!) { ...h } fragment h on Query { health { status database @include(if: $more) { kind } } }',
      { more: true },
    );
    expect(health.body).toMatchObject({ data: { health: { status: 'ok', database: { kind: expect.any(String) } } } });
    const form = await gateway.graphql(null, 'query ($id: ID!) { incorporationForm(id: $id, country: "us", key: "x") { id } }', {
      id: 'inc_1',
    });
    expect(codeOf(form)).toBe('INCORPORATION_REQUEST_NOT_FOUND');
    const submit = await gateway.graphql(
      null,
      'mutation ($answers: JSONObject!) { submitIncorporationForm(input: { id: "inc_1", country: "us", key: "x", answers: $answers }) { id } }',
      { answers: { a: 1 } },
    );
    expect(codeOf(submit)).toBe('INCORPORATION_REQUEST_NOT_FOUND');
    const missing = await gateway.graphql(null, 'query ($id: ID!) { incorporationForm(id: $id, country: "us", key: "x") { id } }');
    expect([missing.status, codeOf(missing)]).toEqual([400, 'MISSING_PARAMS']);
    expect(codeOf(await gateway.graphql(null, '{ nothing }'))).toBe('INVALID_PARAMS');
  });

  it('pays for an expensive operation from the allowance of its address', async () => {
    charged.clock.stop();
    const price = Math.floor(operationLimits.costWithoutKey / operationLimits.costPerRequest);
    // Each request takes one plus its price; the burst is 30.
    const responses: GatewayResponse[] = [];
    for (let index = 0; index < 3; index++) responses.push(await charged.graphql(null, getIntrospectionQuery()));
    expect([price, ...responses.map(({ status }) => status)]).toEqual([10, 200, 200, 429]);
    const refused = responses[2]!;
    expect([codeOf(refused), Number(refused.headers.get('retry-after'))]).toEqual(['RATE_LIMIT_EXCEEDED', 3]);
    expect((await charged.graphql(null, '{ __typename }')).status).toBe(200);
    expect((await charged.graphql(await charged.key(['INTEGRATIONS']), getIntrospectionQuery())).status).toBe(200);
  });
});

describe('the price of a list', () => {
  const usage = async (query: string, variables = {}): Promise<{ cost: number; response: GatewayResponse }> => {
    const headers = { authorization: `Bearer ${key}`, 'x-graphql-usage': '1' };
    const response = await gateway.send('POST', '/graphql', { headers, body: { query, variables } });
    return { cost: response.body.extensions?.usage?.cost, response };
  };
  const ids = Array.from({ length: 100 }, () => 'company_1');

  it.each<[string, string, Record<string, unknown>, number]>([
    ['ids in a variable', 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids }, 100],
    ['ids in the document', '{ nodes(ids: ["company_1", "company_2"]) { id } }', {}, 2],
    ['one id in place of a list', '{ nodes(ids: "company_1") { id } }', {}, 1],
    [
      'a page below',
      'query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Company { accounts(first: 10) { nodes { name } } } } }',
      { ids },
      2_100,
    ],
    ['a list with `first`', '{ viewer { companies(first: 2) { accounts(first: 10) { nodes { name } } } } }', {}, 43],
    ['a list without `first`', '{ viewer { companies(first: 1) { syncs { nodes { id } } } } }', {}, 42],
    ['a page whose variable is absent', 'query ($n: Int) { viewer { companies(first: 1) { syncs(first: $n) { nodes { id } } } } }', {}, 42],
  ])('follows what was sent: %s', async (_, query, variables, cost) => {
    expect((await usage(query, variables)).cost).toBe(cost);
  });

  it('a hundred ids are rejected as a hundred reads are', async () => {
    const lists = times(9, (index) => `a${index}: accounts(first: 100) { nodes { name } }`);
    const { response } = await usage(`query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Company { ${lists} } } }`, { ids });
    expect([response.status, codeOf(response)]).toEqual([400, 'QUERY_TOO_COMPLEX']);
    expect(response.body.errors[0].message).toContain('costs 180100');
  });

  it('a mutation of many records is priced for each', async () => {
    const query =
      'mutation ($input: CreateAccountsInput!) { createAccounts(input: $input) { results { index errors { code } account { name } } } }';
    const records = Array.from({ length: 50 }, () => ({}));
    expect((await usage(query, { input: { companyId: 1, records } })).cost).toBe(50 * 4);
  });

  it('a preview of an import is priced as the thread of its mapping', async () => {
    const query = 'mutation { previewImport(input: { companyId: 1, file: "a" }) { preview { recordCount } } }';
    expect((await usage(query)).cost).toBeGreaterThan(operationLimits.cost / 3);
  });
});

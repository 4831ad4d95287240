// Queries that differ in their literals. Those of one form are prepared once, with responses as if each were prepared on its own.
import { beforeAll, describe, expect, it } from 'vitest';
import { writtenQuery } from '../../src/graphql/endpoint/literals.ts';
import { useGateway } from '../support/gateway.ts';
import { buildCompany, type TestCompany } from '../support/records.ts';

const gateway = useGateway({ rateLimitPerMinute: 60_000, rateLimitBurst: 10_000, worker: false });
let company: TestCompany;
const ids: number[] = [];

beforeAll(async () => {
  company = await buildCompany(gateway);
  const data = Array.from({ length: 12 }, (_, index) => ({
    name: index % 3 === 0 ? `Konto "${index}" ä` : `Account ${index}`,
    nominal_code: String(100 + index),
    current_balance: index + 0.25,
    status: index % 2 ? 'ACTIVE' : 'ARCHIVED',
  }));
  for (const record of data) {
    const made = await gateway.send('POST', `${company.base}/accounts`, { headers: company.headers, body: { data: record } });
    ids.push(made.body.data.data.ledger_id);
  }
});

const send = (body: object) => gateway.send('POST', '/graphql', { headers: { api_key: company.key }, body });
/** The response, but for what differs from request to request. */
const shown = ({ status, body }: Awaited<ReturnType<typeof send>>): unknown =>
  JSON.parse(JSON.stringify({ status, body }, (name, value) => (name === 'requestId' ? undefined : value)));
/** With a member that is not of a plain request, a query is prepared on its own each time its text is new. */
const apart = (query: string) => send({ query, extensions: {} });
const prepared = (): number => gateway.services.caches.sizes().get('queries')!;

const list = (args: string, fields = 'ledgerId name'): string =>
  `{ company(id: ${company.id}) { accounts(${args}) { nodes { ${fields} } } } }`;

/** Texts of one form each, by what their literals are. */
const forms: [string, () => string[]][] = [
  ['numbers', () => ids.map((id) => `{ company(id: ${company.id}) { account(ledgerId: ${id}) { ledgerId name } } }`)],
  [
    'numbers that are no records',
    () => [1, 2, 3].map((id) => `{ company(id: ${company.id}) { account(ledgerId: ${id + 900_000}) { name } } }`),
  ],
  ['numbers out of their range', () => ['1', '-5', '12345678901234567890', '3'].map((id) => `{ company(id: ${id}) { name } }`)],
  ['sizes of pages, over the limit too', () => [1, 5, 0, 100, 101, 7].map((size) => list(`first: ${size}`))],
  [
    'exact decimals',
    () =>
      ['3.250000000000000001', '3.249999999999999999', '3.25', '1e1', '-0.5'].map((value) =>
        list(`filter: { currentBalance: { gte: ${value} } }`, 'ledgerId currentBalance'),
      ),
  ],
  [
    'texts',
    () => ['Account 1', 'konto', 'ä', '\\u00e4', 'a\\"b', '', 'none'].map((text) => list(`filter: { name: { contains: "${text}" } }`)),
  ],
  ['blocks of text', () => ['Account 1', '  Account 2\n', 'x'].map((text) => list(`filter: { name: { contains: """${text}""" } }`))],
  [
    'moments, and other texts',
    () => ['2020-01-01T00:00:00Z', '2999-12-31', 'yesterday'].map((at) => list(`filter: { ledgerCreatedAt: { gte: "${at}" } }`)),
  ],
  ['lists of values', () => [0, 1, 2].map((from) => list(`filter: { ledgerId: { in: [${ids[from]}, ${ids[from + 3]}] } }`))],
  ['a value for a list', () => ids.slice(0, 4).map((id) => list(`filter: { ledgerId: { in: ${id} } }`))],
  [
    'a text where a number is wanted',
    () => ids.slice(0, 4).map((id) => `{ company(id: "${company.id}") { account(ledgerId: "${id}") { name } } }`),
  ],
  [
    'aliases with literals that are equal or not',
    () =>
      ids
        .slice(0, 4)
        .map(
          (id, index) =>
            `{ company(id: ${company.id}) { a: account(ledgerId: ${id}) { name } b: account(ledgerId: ${ids[index * 2]}) { name } } }`,
        ),
  ],
  [
    'one field twice, where the literals have to be equal',
    () =>
      [ids[0], ids[0], ids[1], ids[0]].map(
        (id) => `{ company(id: ${company.id}) { account(ledgerId: ${ids[0]}) { name } account(ledgerId: ${id}) { ledgerId } } }`,
      ),
  ],
  [
    'names, fragments and comments',
    () =>
      ids
        .slice(0, 5)
        .map(
          (id, index) =>
            `query Q${index} { company(id: ${company.id}) { ...F } } # ${index}\nfragment F on Company { account(ledgerId: ${id}) { name } }`,
        ),
  ],
  [
    'nested lists',
    () =>
      [1, 2, 3].map(
        (size) =>
          `{ companies(first: ${size}) { nodes { ledgerId accounts(first: ${size + 1}, filter: { nominalCode: { gte: "10${size}" } }) { nodes { name nominalCode } } } } }`,
      ),
  ],
  [
    'the cost of large pages',
    () =>
      [1, 100, 2].map(
        (size) => `{ companies(first: ${size}) { nodes { accounts(first: ${size}) { nodes { parentAccount { currency { name } } } } } } }`,
      ),
  ],
  [
    'a document of two queries',
    () =>
      [1, 2, 3].map(
        (size) => `query A { company(id: ${company.id}) { accounts(first: ${size}) { nodes { name } } } } query B { __typename }`,
      ),
  ],
  ['a directive', () => [true, false, true].map((is, index) => list(`first: ${index + 1}`, `ledgerId name @include(if: ${is})`))],
];

describe('queries of one form', () => {
  it.each(forms)('have the responses that each has on its own: %s', async (_, texts) => {
    // Sent twice, so that the first of a form is compared by its form as well.
    for (const query of [...texts(), ...texts()]) expect(shown(await send({ query })), query).toEqual(shown(await apart(query)));
  });

  it('are prepared once, whatever their names and literals', async () => {
    const text = (index: number): string =>
      `query Once${index} { company(id: ${company.id}) { accounts(first: ${1 + (index % 9)}, filter: { name: { contains: "${index}" } }) { nodes { nominalCode } } } }`;
    for (let index = 0; index < 2; index++) await send({ query: text(index) });
    const before = prepared();
    for (let index = 2; index < 30; index++) {
      const response = await send({ query: text(index), operationName: index % 2 ? `Once${index}` : undefined });
      expect(response.status).toBe(200);
    }
    expect(prepared()).toBe(before);
  });

  it('take variables next to their literals, and none in the place of a literal', async () => {
    const text = (size: number): string =>
      `query V($contains: String) { company(id: ${company.id}) { accounts(first: ${size}, filter: { name: { contains: $contains } }) { nodes { name } } } }`;
    for (const size of [1, 2, 3, 4]) {
      const variables = { contains: 'konto', __literal0: 5, __literal1: 9 };
      const { body } = await send({ query: text(size), variables });
      expect(body).toEqual((await send({ query: text(size), variables, extensions: {} })).body);
      expect(body.data.company.accounts.nodes).toHaveLength(size);
    }
  });

  it('a name that is not that of the query is rejected each time', async () => {
    for (const size of [1, 2, 3, 4]) {
      const query = `query Named { company(id: ${company.id}) { accounts(first: ${size}) { nodes { ledgerId } } } }`;
      expect((await send({ query, operationName: 'Named' })).status).toBe(200);
      expect((await send({ query, operationName: 'Other' })).status).toBe(400);
    }
  });

  it('another organisation finds nothing by them', async () => {
    const texts = [1, 2, 3].map((size) => list(`first: ${size}`, 'ledgerId nominalCode'));
    for (const query of texts) await send({ query });
    const other = await gateway.key(['INTEGRATIONS']);
    const response = await gateway.graphql(other, list('first: 4', 'ledgerId nominalCode'));
    expect([response.body.data.company, response.body.errors[0].extensions.code]).toEqual([null, 'COMPANY_NOT_FOUND']);
  });
});

describe('the form of a text', () => {
  const formOf = (text: string): string | undefined => writtenQuery(text)?.form;

  it.each([
    ['a name in the place of a number', '{ a(b: Int) }', '{ a(b: 5) }'],
    ['a number and a decimal', '{ a(b: 1) }', '{ a(b: 1.0) }'],
    ['a text and a block of text', '{ a(b: "x") }', '{ a(b: """x""") }'],
    ['defaults of variables', 'query ($a: Int = 1) { a(b: $a) }', 'query ($a: Int = 2) { a(b: $a) }'],
    ['arguments of directives', '{ a @d(b: 1) }', '{ a @d(b: 2) }'],
    ['names of fields', '{ a(b: 1) }', '{ c(b: 1) }'],
    ['aliases', '{ a: c(b: 1) }', '{ c(b: 1) }'],
  ])('distinguishes %s', (_, one, other) => {
    expect(formOf(one)).toBeDefined();
    expect(formOf(one)).not.toBe(formOf(other));
  });

  it.each([
    ['names of queries', 'query A { a(b: 1) }', 'query B { a(b: 2) }'],
    ['comments and spaces', '{ a(b: 1) }', '# x\n{a(b:2),}'],
    ['literals of fragments', '{ ...F } fragment F on A { a(b: [1, 2]) }', '{ ...F } fragment F on A { a(b: [3, 4]) }'],
  ])('leaves out %s', (_, one, other) => {
    expect(formOf(one)).toBeDefined();
    expect(formOf(one)).toBe(formOf(other));
  });

  it.each([
    ['a mutation', 'mutation { a(b: 1) }'],
    ['a subscription', 'subscription { a(b: 1) }'],
    ['a fragment before the query', 'fragment F on A { a } query { ...F }'],
    ['two queries with names', 'query A { a } query B { a }'],
    ['two queries without names', '{ a } { b }'],
    ['a query and a mutation', 'query A { a } mutation B { a }'],
    ['variables with names of literals', '{ a(b: $__literal0) }'],
    ['a text that does not end', '{ a(b: "x }'],
    ['more tokens than a document may have', `{ ${'a '.repeat(2_001)} }`],
    ['a hash', 'sha256:00'],
  ])('is none of %s', (_, text) => {
    expect(formOf(text)).toBeUndefined();
  });
});

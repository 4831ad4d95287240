// Prices and limits of documents as functions, over a small schema. The expected costs are counted by hand: an object costs 1, times the sizes of the
// lists around it.
import { buildSchema, NoFragmentCyclesRule, parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import type { ListSizes } from '../../src/graphql/introspection-sizes.ts';
import { checkCost, checkDocument, costOf, fieldOf, fragmentsOf, operationLimits } from '../../src/graphql/query-cost.ts';

const schema = buildSchema(`
  interface Named { name: String owner: Account }
  type Line { id: ID account: Account }
  type Account implements Named { id: ID name: String owner: Account parent: Account lines: [Line!]! documents: [Line] ofType: Account settings: [ConnectionSetting] invoices(first: Int = 20, last: Int): InvoiceConnection }
  type Invoice { id: ID account: Account }
  type ConnectionSetting { id: ID lines: [Line] }
  type InvoiceEdge { node: Invoice }
  type InvoiceConnection { nodes: [Invoice!]! edges: [InvoiceEdge] totalCount: Int }
  type Entry { nodes: [Line] }
  type Sized { nodes: [Line] }
  type Asked { nodes(first: Int): [Line] }
  type Page { nodes: [Line] }
  type Group { key: String account: Account }
  type InvoiceSummary { groups: [Group] }
  type Report { rows: [Line] }
  type Result { id: ID account: Account }
  type BulkPayload { results: [Result] }
  type OnePayload { account: Account }
  type Results { results: [Result] }
  enum Word { MONTH YEAR }
  input RecordInput { name: String }
  input BulkInput { records: [RecordInput] more: BulkInput }
  type Query {
    named: Named
    account(id: ID): Account
    invoices(first: Int = 20, last: Int, minimum: Int): InvoiceConnection
    lines(first: Int): [Line]
    dated(by: Word = MONTH): [Line]
    all: [Line!]!
    ten(first: Int): Page
    first(first: Int): Account
    entry: Entry
    sized: Sized
    asked: Asked
    byId(ids: [ID], more: [ID]): [Account]
    summary(groupBy: Word, first: Int): InvoiceSummary
    grouped(groupBy: Word, first: Int): InvoiceSummary
    report(periods: Int, by: Word, day: String): Report
    geocode(addresses: [String]): [Line]
  }
  type Mutation { createMany(input: BulkInput): BulkPayload createOne: OnePayload results: Results }
`);

const root = schema.getQueryType()!.getFields();
const typeFields = (name: string) => (schema.getType(name) as ReturnType<typeof schema.getQueryType>)!.getFields();
typeFields('Account').documents!.extensions = { size: 3 };
typeFields('Sized').nodes!.extensions = { size: 4 };
root.byId!.extensions = { sizedBy: ['ids', 'more'] };
root.summary!.extensions = { price: 100, size: 50 };
root.grouped!.extensions = { price: 100 };
root.report!.extensions = { price: 1_000, pricedBy: new Set(['periods', 'by']) };
root.geocode!.extensions = { price: 20, sizedBy: ['addresses'] };
schema.getMutationType()!.getFields().createMany!.extensions = { sizedBy: ['input.records', 'input.more.records'] };

/** Lists of introspection: of all types five, otherwise three, below the list of all types two. */
const sizes: ListSizes = (type, field, ofAll) => ({
  length: type.name === '__Schema' && field === 'types' ? 5 : ofAll ? 2 : 3,
  ofAll: field === 'types' || field === 'fields',
});

function cost(text: string, variables: Record<string, unknown> = {}): number {
  const [function_] = checkDocument(schema, parse(text), sizes).values();
  return function_!(variables);
}

describe('the cost of records', () => {
  it.each<[string, number]>([
    ['{ __typename }', 0],
    ['{ unknown }', 0],
    ['{ unknown { anything } }', 1],
    ['{ account { id name } }', 1],
    ['{ a: account { id } b: account { id parent { id } } }', 3],
    // A list without a size has ten.
    ['{ all { id } }', 10],
    ['{ all { account { id } } }', 20],
    // Three, as the field says.
    ['{ account { documents { id } } }', 1 + 3],
    // The page and its edges or nodes are an object each for each of the records.
    ['{ invoices(first: 5) { totalCount } }', 5],
    ['{ invoices(first: 5) { nodes { id } } }', 5 * 2],
    ['{ invoices(last: 5) { nodes { account { id } } } }', 5 * (1 + 1 + 1)],
    ['{ invoices(first: 5) { edges { node { id } } } }', 5 * (1 + 1 + 1)],
    ['{ invoices { nodes { id } } }', 20 * 2],
    ['{ invoices(first: 2) { nodes { account { lines { id } } } } }', 2 * (1 + 1 + 1 + 10)],
    ['{ lines(first: 4) { id } }', 4],
    ['{ lines { id } }', 10],
    ['{ dated { id } }', 10],
    // Another argument is no size, and a name that only begins like that of a page costs its own objects.
    ['{ invoices(first: 2, minimum: 90) { totalCount } }', 2],
    ['{ account { settings { lines { id } } } }', 1 + 10 + 10 * 10],
    ['{ ten { nodes { id } } }', 10 * 2],
    // A field with `first` that returns one record.
    ['{ first(first: 7) { id } }', 1],
    ['{ entry { nodes { id } } }', 1 + 1],
    ['{ sized { nodes { id } } }', 1 + 4],
    ['{ asked { nodes(first: 6) { id } } }', 1 + 6],
    ['{ named { owner { id } ... on Account { parent { id } } ... { owner { id } } } }', 4],
    ['query A { ...F } fragment F on Query { account { ...G } } fragment G on Account { lines { id } }', 11],
    ['{ ...Unknown account { id } }', 1],
  ])('%s', (text, expected) => {
    expect(cost(text)).toBe(expected);
  });

  it.each<[string, Record<string, unknown>, number]>([
    ['{ lines(first: $n) { id } }', { n: 3 }, 3],
    ['{ lines(first: $n) { id } }', { n: '3' }, 3],
    ['{ lines(first: $n) { id } }', {}, 10],
    ['{ lines(first: $n) { id } }', { n: null }, 10],
    ['{ lines(first: $n) { id } }', { n: 'many' }, 10],
    ['{ lines(first: $n) { id } }', { n: Number.POSITIVE_INFINITY }, 10],
    // Not below one, so that no size takes cost away.
    ['{ lines(first: $n) { id } }', { n: 0 }, 1],
    ['{ lines(first: $n) { id } }', { n: -5 }, 1],
    ['{ lines(first: -5) { id } }', {}, 1],
    ['{ lines(first: null) { id } }', {}, 10],
    ['{ lines(first: "3") { id } }', {}, 10],
    // Both: the larger one.
    ['{ invoices(first: 2, last: $n) { totalCount } }', { n: 9 }, 9],
    ['{ invoices(first: 9, last: $n) { totalCount } }', { n: 2 }, 9],
    ['{ byId(ids: $ids) { id } }', { ids: ['a', 'b', 'c'] }, 3],
    ['{ byId(ids: $ids) { id } }', { ids: 'a' }, 1],
    ['{ byId(ids: ["a", "b"]) { id } }', {}, 2],
    ['{ byId(ids: "a") { id } }', {}, 1],
    ['{ byId(ids: []) { id } }', {}, 1],
    ['{ byId { id } }', {}, 1],
    // The longest of the lists by which it is sized.
    ['{ byId(ids: $ids, more: ["a", "b", "c", "d"]) { id } }', { ids: ['a', 'b'] }, 4],
    ['mutation { createMany(input: $input) { results { id } } }', { input: { records: [{}, {}, {}] } }, 3 * 2],
    ['mutation { createMany(input: $input) { results { account { id } } } }', { input: { records: [{}, {}, {}] } }, 3 * 3],
    ['mutation { createMany(input: $input) { results { id } } }', { input: { more: { records: [{}, {}] } } }, 2 * 2],
    ['mutation { createMany(input: $input) { results { id } } }', { input: { records: 'x' } }, 2],
    ['mutation { createMany(input: { records: $r }) { results { id } } }', { r: [{}, {}] }, 2 * 2],
    ['mutation { createMany(input: { records: [{}, {}, {}] }) { results { id } } }', {}, 3 * 2],
    ['mutation { createMany(input: { more: { records: [{}, {}, {}] } }) { results { id } } }', {}, 3 * 2],
    ['mutation { createMany(input: { more: [{}, {}] }) { results { id } } }', {}, 2],
    ['mutation { createOne { account { id } } }', {}, 2],
    // Priced for each record where it is a payload, and otherwise a list.
    ['mutation { results { results { id } } }', {}, 1 + 10],
  ])('%s with %j', (text, variables, expected) => {
    expect(cost(text, variables)).toBe(expected);
  });
});

describe('prices', () => {
  it.each<[string, Record<string, unknown>, number]>([
    // The price, the summary and its groups.
    ['{ summary { groups { key } } }', {}, 100 + 2],
    ['{ summary(first: 9) { groups { key } } }', {}, 100 + 2],
    ['{ summary(groupBy: MONTH) { groups { key } } }', {}, 100 + 50 * 2],
    ['{ summary(groupBy: MONTH, first: 9) { groups { account { id } } } }', {}, 100 + 9 * 3],
    ['{ grouped(groupBy: MONTH) { groups { key } } }', {}, 100 + 2],
    // Once, and once more for each period and each way to break it down.
    ['{ report { rows { id } } }', {}, 1_000 + 11],
    ['{ report(day: "2026-01-31") { rows { id } } }', {}, 1_000 + 11],
    ['{ report(periods: 3) { rows { id } } }', {}, 4_000 + 11],
    ['{ report(periods: 3, by: YEAR) { rows { id } } }', {}, 5_000 + 11],
    ['{ report(periods: $p, by: $b) { rows { id } } }', { p: 2, b: 'MONTH' }, 4_000 + 11],
    ['{ report(periods: $p, by: $b) { rows { id } } }', { p: null }, 1_000 + 11],
    // For each address.
    ['{ geocode(addresses: ["a", "b", "c"]) { id } }', {}, 3 * 20 + 3],
    ['{ geocode(addresses: $a) { id } }', { a: ['a', 'b'] }, 2 * 20 + 2],
    ['{ geocode { id } }', {}, 20 + 1],
  ])('%s with %j', (text, variables, expected) => {
    expect(cost(text, variables)).toBe(expected);
  });
});

describe('the cost of introspection', () => {
  it.each<[string, number]>([
    // The schema, and each value of each type.
    ['{ __schema { types { name } } }', 1 + 5 * (1 + 1)],
    ['{ __type(name: "Line") { name kind } }', 1 + 2],
    ['{ __type(name: "Line") { fields { name } } }', 1 + 3 * 2],
    // `ofType` is the type itself.
    ['{ __type(name: "Line") { ofType { name } } }', 1 + 2],
    ['{ __schema { types { fields { name } } } }', 1 + 5 * (1 + 2 * (1 + 1))],
    ['{ __schema { types { ...T } } __type(name: "Line") { ...T } } fragment T on __Type { fields { name } }', 26 + 1 + 3 * (1 + 1)],
  ])('%s', (text, expected) => {
    expect(cost(text)).toBe(expected);
  });
});

const chain = (levels: number, inner = 'id'): string => 'parent { '.repeat(levels) + inner + ' }'.repeat(levels);
const accepted = (text: string): void => expect(() => checkDocument(schema, parse(text), sizes)).not.toThrow();
const rejected = (text: string, what: string): void =>
  expect(() => checkDocument(schema, parse(text), sizes)).toThrow(
    expect.objectContaining({ code: 'QUERY_TOO_COMPLEX', message: `the operation has more than ${what}` }),
  );
const times = (count: number, part: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => part(index)).join(' ');

describe('limits', () => {
  it('ten levels, to which pages and their edges add none', () => {
    accepted(`{ account { ${chain(8)} } }`);
    rejected(`{ account { ${chain(9)} } }`, '10 levels');
    accepted(`{ invoices { nodes { account { ${chain(7)} } } } }`);
    accepted(`{ invoices { edges { node { account { ${chain(7)} } } } } }`);
    rejected(`{ invoices { edges { node { account { ${chain(8)} } } } } }`, '10 levels');
    accepted(`{ __type(name: "Line") { ${'ofType { '.repeat(20)} name ${'}'.repeat(20)} } }`);
    rejected(`{ account { ${'ofType { '.repeat(9)} id ${'}'.repeat(9)} } }`, '10 levels');
    // The deepest counts, and a fragment has the levels of what it spreads.
    rejected(`{ account { id ${chain(9)} name } }`, '10 levels');
    rejected(`{ account { ...F } } fragment F on Account { ${chain(9)} }`, '10 levels');
    rejected(`{ account { id } } fragment F on Account { ${chain(10)} }`, '10 levels');
    accepted(`{ account { id } } fragment F on Account { ${chain(9)} }`);
  });

  it('thirty repeated fields: each alias of one that is selected again, and each plain one after the first', () => {
    const aliases = (count: number): string => `{ account { ${times(count, (index) => `a${index}: id`)} } }`;
    accepted(aliases(30));
    rejected(aliases(31), '30 repeated fields');
    const plain = (count: number): string => `{ account { ${times(count, () => 'id')} } }`;
    accepted(plain(31));
    rejected(plain(32), '30 repeated fields');
    const spreads = (count: number): string => `{ account { ${times(count, () => '...F')} } } fragment F on Account { id }`;
    accepted(spreads(31));
    rejected(spreads(32), '30 repeated fields');
    const inline = (count: number): string => `{ account { ${times(count, () => '... on Account { id }')} } }`;
    accepted(inline(31));
    rejected(inline(32), '30 repeated fields');
    const bare = (count: number): string => `{ account { ${times(count, () => '... { id }')} ... on Account { id } } }`;
    accepted(bare(31));
    rejected(bare(32), '30 repeated fields');
    // An alias that only renames does not count, and sets count together.
    accepted(`{ account { ${times(40, (index) => `a${index}: f${index}`)} } }`);
    accepted(`{ account { ${times(15, (index) => `a${index}: id`)} parent { ${times(15, (index) => `a${index}: id`)} } } }`);
    rejected(
      `{ account { ${times(16, (index) => `a${index}: id`)} parent { ${times(15, (index) => `a${index}: id`)} } } }`,
      '30 repeated fields',
    );
    // Other fragments and other types do not count.
    const names = Array.from({ length: 40 }, (_, index) => `F${index}`);
    accepted(`{ account { ${names.map((name) => `...${name} ... on ${name} { id }`).join(' ')} } }`);
    // One with its own name is the first, which the aliases repeat.
    accepted(`{ account { id ${times(30, (index) => `a${index}: id`)} } }`);
    rejected(`{ account { id ${times(31, (index) => `a${index}: id`)} } }`, '30 repeated fields');
  });

  it('ten directives, wherever they are', () => {
    const on = (count: number): string => '@x '.repeat(count);
    accepted(`query A ${on(2)} { account ${on(2)} { id ${on(2)} ...F ${on(2)} ... ${on(2)} { name } } } fragment F on Account { id }`);
    rejected(
      `query A ${on(3)} { account ${on(2)} { id ${on(2)} ...F ${on(2)} ... ${on(2)} { name } } } fragment F on Account { id }`,
      '10 directives',
    );
    rejected(`{ account { id ${on(11)} } }`, '10 directives');
    rejected(`{ a: account { ...F } b: account { ...F } } fragment F on Account { id ${on(6)} }`, '10 directives');
  });

  it('5,000 selections, those of a fragment wherever it is spread', () => {
    const fragment = (count: number): string => `fragment F on Account { ${times(count, (index) => `f${index}`)} }`;
    // Ten fields, ten spreads, and ten times the fragment.
    const spread = times(10, (index) => `a${index}: account { ...F }`);
    accepted(`{ ${spread} } ${fragment(498)}`);
    rejected(`{ ${spread} } ${fragment(499)}`, '5000 selections');
    // Fragments that each spread the next one twice, counted once each: one by one it would take 2^60 steps.
    const doubled = times(60, (index) => `fragment F${index} on Account { ...F${index + 1} ... { ...F${index + 1} } }`);
    rejected(`{ account { ...F0 } } ${doubled} fragment F60 on Account { id }`, '5000 selections');
  });

  it('twenty root fields, those of fragments with them', () => {
    const fields = (count: number): string => times(count, (index) => `f${index}`);
    accepted(`{ ${fields(20)} }`);
    rejected(`{ ${fields(21)} }`, '20 root fields');
    accepted(`{ ${fields(10)} ... { ${fields(5)} } ...F } fragment F on Query { ${fields(5)} }`);
    rejected(`{ ${fields(10)} ... { ${fields(6)} } ...F } fragment F on Query { ${fields(5)} }`, '20 root fields');
    accepted(`{ account { ${fields(40)} } } fragment F on Query { ${fields(40)} }`);
  });

  it('each operation of a document has its own cost and its own limits', () => {
    const document = parse('query A { account { id } } query B { all { id } } mutation C { createOne { account { id } } }');
    const costs = checkDocument(schema, document, sizes);
    expect([...costs].map(([{ name }, of]) => [name!.value, of({})])).toEqual([
      ['A', 1],
      ['B', 10],
      ['C', 2],
    ]);
    rejected(`query A { account { id } } query B { account { ${chain(9)} } }`, '10 levels');
  });

  it('a fragment that spreads itself is reported in the words of graphql-js', () => {
    const document = parse('{ account { ...F } } fragment F on Account { parent { ...F } }');
    const [expected] = validate(schema, document, [NoFragmentCyclesRule]);
    expect(() => checkDocument(schema, document, sizes)).toThrow(
      expect.objectContaining({ message: expected!.message, nodes: [document.definitions[1]] }),
    );
    expect(() =>
      checkDocument(schema, parse('{ account { ...F } } fragment F on Account { ...G } fragment G on Account { ...F }'), sizes),
    ).toThrow('Cannot spread fragment');
  });
});

describe('parts', () => {
  it('a stored document has no limits, and one operation', () => {
    expect(costOf(schema, parse(`fragment F on Account { id } { account { ${chain(20)} ...F } }`))({})).toBe(21);
  });

  it('the fragments of a document by name', () => {
    const document = parse('{ account { ...F } } fragment F on Account { id } fragment G on Account { id }');
    expect([...fragmentsOf(document)]).toEqual([
      ['F', document.definitions[1]],
      ['G', document.definitions[2]],
    ]);
  });

  it('the definition of a field, those of introspection at the query type alone', () => {
    const query = schema.getQueryType()!;
    expect(fieldOf(schema, query, 'account')).toBe(root.account);
    expect(fieldOf(schema, query, '__schema')!.type.toString()).toBe('__Schema!');
    expect(fieldOf(schema, query, '__type')!.type.toString()).toBe('__Type');
    expect(fieldOf(schema, schema.getType('Account'), '__schema')).toBe(undefined);
    expect(fieldOf(schema, schema.getType('Named'), 'name')!.name).toBe('name');
    expect(fieldOf(schema, schema.getType('Word'), 'name')).toBe(undefined);
    expect(fieldOf(schema, undefined, 'name')).toBe(undefined);
    expect(fieldOf(schema, query, 'none')).toBe(undefined);
  });

  it('a cost up to the limit is taken, and one above is rejected with what helps', () => {
    expect(checkCost(() => 99.2, {}, 100)).toBe(100);
    expect(checkCost(({ n }) => Number(n), { n: operationLimits.cost }, operationLimits.cost)).toBe(20_000);
    const message = (limit: number): string =>
      `the operation costs ${limit + 1}, more than ${limit}; ask for shorter pages or fewer levels`;
    expect(() => checkCost(() => 20_000.1, {}, 20_000)).toThrow(
      expect.objectContaining({ code: 'QUERY_TOO_COMPLEX', message: message(20_000) }),
    );
    expect(() => checkCost(() => 16_000.1, {}, 16_000)).toThrow(expect.objectContaining({ message: `${message(16_000)}, or send a key` }));
  });
});

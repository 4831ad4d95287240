// What lists take as filter and order: every condition of every record type, the errors of wrong ones, and the limits of large ones.
import {
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLNamedType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
} from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { operationLimits } from '../../src/graphql/query-cost.ts';
import { buildGatewaySchema } from '../../src/graphql/schema.ts';
import { namesOf } from '../../src/integrations/ledger/ledger-record.ts';
import { allModels, modelOf, orderProps, searchProps } from '../../src/records/metadata.ts';
import { restTypeOf } from '../../src/records/schema-extensions.ts';
import { ledgerRecords, orphanTypes, resolvers } from '../../src/registry.ts';
import { type GatewayResponse, useGateway } from '../support/gateway.ts';
import { buildCompany, type TestCompany } from '../support/records.ts';

const gateway = useGateway();
const schema = buildGatewaySchema(resolvers, orphanTypes);
let company: TestCompany;
let webhook: string;
let sync: string;
let corporation: string;

beforeAll(async () => {
  const key = await gateway.key(['PLATFORM', 'INTEGRATIONS']);
  company = await buildCompany(gateway, { key });
  const made = await ask(
    'mutation { createCorporation(input: { legalName: "Lists Inc.", jurisdiction: "US", state: "DE" }) { corporation { id } } createWebhook(input: { url: "https://lists.example/hook", topics: [ALL] }) { webhook { id } } }',
  );
  corporation = made.body.data.createCorporation.corporation.id;
  webhook = made.body.data.createWebhook.webhook.id;
  const written = await gateway.send('POST', `${company.base}/contacts`, { headers: company.headers, body: { data: { name: 'Acme' } } });
  sync = written.body.data.sync_id;
});

const ask = (query: string, variables?: Record<string, unknown>): Promise<GatewayResponse> =>
  gateway.graphql(company.key, query, variables);

interface List {
  record: string;
  /** The fields around the list, with its arguments in the place of `#`. */
  query: () => string;
}

const lists: List[] = [
  ...ledgerRecords.map((target) => ({
    record: target.name,
    query: () => `company(id: ${company.id}) { list: ${namesOf(target).many}# { nodes { ledgerId } } }`,
  })),
  { record: 'Company', query: () => 'list: companies# { nodes { ledgerId } }' },
  { record: 'Corporation', query: () => 'list: corporations# { nodes { id } }' },
  { record: 'Product', query: () => `list: products#(corporationId: "${corporation}") { nodes { id } }` },
  { record: 'IncorporationRequest', query: () => 'list: incorporationRequests# { nodes { id } }' },
  { record: 'Webhook', query: () => 'list: webhooks# { nodes { id } }' },
  { record: 'WebhookDelivery', query: () => `webhook(id: "${webhook}") { list: deliveries# { nodes { id } } }` },
  { record: 'Sync', query: () => `company(id: ${company.id}) { list: syncs# { nodes { id } } }` },
  { record: 'SyncJob', query: () => `sync(id: "${sync}") { list: jobs# { nodes { id } } }` },
  { record: 'DisconnectRequest', query: () => 'list: disconnectRequests# { nodes { ledgerId } }' },
];

const withArguments = ({ query }: List, given: string): string =>
  query().replace(/#(?:\(([^)]*)\))?/, (_, own = '') => `(${own} ${given})`);

const filtered = (list: List, filter: unknown): Promise<GatewayResponse> =>
  ask(`query ($filter: ${list.record}Filter) { ${withArguments(list, 'first: 1 filter: $filter')} }`, { filter });

const values: Record<string, unknown> = {
  Boolean: true,
  CountryCode: 'US',
  DateTime: '2026-01-01T00:00:00Z',
  Decimal: 1.5,
  EmailAddress: 'mail@lists.example',
  ID: 'some_1',
  IP: '127.0.0.1',
  Int: 3,
  LocalDate: '2026-01-01',
  PositiveInt: 7,
  String: '50% of a_b',
  URL: 'https://lists.example/hook',
  UUID: '3f2b1c9e-8d4a-4b6f-9a51-0c7d2e8f6a10',
};

/** A value of a leaf type, and of a list of it. */
function sampleOf(declared: GraphQLInputType): unknown {
  const type: GraphQLNamedType = getNamedType(declared);
  const value = isEnumType(type) ? type.getValues()[0]!.name : values[type.name];
  if (value === undefined) throw new Error(`no value of ${type.name}`);
  return isListType(getNullableType(declared)) ? [value, value] : value;
}

const filterType = (record: string): GraphQLInputObjectType => {
  const type = schema.getType(`${record}Filter`);
  if (!isInputObjectType(type)) throw new Error(`${record} has no filter`);
  return type;
};

const isFilter = (type: GraphQLNamedType): boolean => isInputObjectType(type) && 'and' in type.getFields();

interface Condition {
  path: string[];
  value: unknown;
}

/** Each condition of a filter, as its path and value; those of related records `levels` deep. */
function conditionsOf(type: GraphQLInputObjectType, levels: number): Condition[] {
  return Object.values(type.getFields()).flatMap((field): Condition[] => {
    const below = getNamedType(field.type);
    if (['and', 'or', 'not'].includes(field.name)) return [];
    if (!isInputObjectType(below)) return [{ path: [field.name], value: sampleOf(restTypeOf(field)) }];
    const isRelated = isFilter(below) || 'some' in below.getFields();
    if (isRelated && levels === 0) return [];
    return conditionsOf(below, isRelated && isFilter(below) ? levels - 1 : levels).map(({ path, value }) => ({
      path: [field.name, ...path],
      value,
    }));
  });
}

const nested = ([first, ...rest]: string[], value: unknown): Record<string, unknown> => ({
  [first!]: rest.length === 0 ? value : nested(rest, value),
});

const chunks = <T>(all: T[], size: number): T[][] => (all.length === 0 ? [] : [all.slice(0, size), ...chunks(all.slice(size), size)]);

const detailsOf = ({ body }: GatewayResponse): { field: string; code: string }[] =>
  body.errors?.[0].extensions.details?.map(({ field, code }: { field: string; code: string }) => ({ field, code }));

describe.each(lists)('a list of $record records', (list) => {
  it('takes every operator of every column, of the records it names and of the lists it owns', async () => {
    const all = conditionsOf(filterType(list.record), 1);
    expect(all.length).toBeGreaterThan(5);
    for (const some of chunks(all, 15)) {
      const response = await filtered(list, { or: some.map(({ path, value }) => nested(path, value)) });
      expect(response.body.errors, JSON.stringify([some, response.text])).toBeUndefined();
    }
  });

  it('rejects a wrong value by its path, null among them', async () => {
    const all = conditionsOf(filterType(list.record), 0);
    for (const some of chunks(all, 20)) {
      const refused = detailsOf(await filtered(list, { or: some.map(({ path }) => nested(path, {})) })).map(({ field }) => field);
      for (const [index, { path }] of some.entries())
        expect(
          refused.some((field) => field.startsWith(`filter.or[${index}].${path.join('.')}`)),
          path.join('.'),
        ).toBe(true);
    }
    for (const { path } of all.filter(({ path: [, operator] }) => operator === 'in' || operator === 'isNull')) {
      const field = `filter.${path.join('.')}`;
      expect(detailsOf(await filtered(list, nested(path, null))), field).toEqual([{ field, code: 'INVALID_VALUE' }]);
    }
  });

  it('rejects unknown columns and operators by their path', async () => {
    expect(detailsOf(await filtered(list, { nothing: { eq: 1 } }))).toEqual([{ field: 'filter.nothing', code: 'UNKNOWN_FIELD' }]);
    const column = conditionsOf(filterType(list.record), 0)[0]!.path[0]!;
    const field = `filter.or[0].${column}.nothing`;
    expect(detailsOf(await filtered(list, { or: [{ [column]: { nothing: 1 } }] }))).toEqual([{ field, code: 'UNKNOWN_FIELD' }]);
  });

  it('is searched where the record has searched columns', async () => {
    const model = allModels().find(({ name }) => name === list.record)!;
    expect('search' in filterType(list.record).getFields()).toBe(searchProps(model).length > 0);
    if (searchProps(model).length === 0) return;
    for (const search of ['Ünïcode 100% a_b \\', 'a'.repeat(200), 'w '.repeat(10).trim()])
      expect((await filtered(list, { search })).body.errors, search).toBeUndefined();
    for (const [search, code] of [
      ['', 'REQUIRED'],
      [' \n ', 'REQUIRED'],
      ['a'.repeat(201), 'TOO_LONG'],
      ['w '.repeat(11), 'OUT_OF_RANGE'],
    ])
      expect(detailsOf(await filtered(list, { search })), search).toEqual([{ field: 'filter.search', code }]);
  });

  it('has an order for every column with an index', async () => {
    const fields = schema.getType(`${list.record}OrderField`);
    const names = isEnumType(fields) ? fields.getValues().map(({ name }) => name) : [];
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) {
      const response = await ask(`{ ${withArguments(list, `first: 1 orderBy: [{ field: ${name}, direction: DESC, nulls: LAST }]`)} }`);
      expect(response.body.errors, name).toBeUndefined();
    }
  });
});

const contacts = lists.find(({ record }) => record === 'Contact')!;
const notes = lists.find(({ record }) => record === 'BillCreditNote')!;

describe('the limits of a filter', () => {
  const nots = (levels: number): unknown => (levels === 0 ? { name: { eq: 'x' } } : { not: nots(levels - 1) });
  const literal = (value: unknown): string => JSON.stringify(value).replaceAll(/"(\w+)":/g, '$1:');
  const both: [string, (filter: unknown) => Promise<GatewayResponse>][] = [
    ['a variable', (filter) => filtered(contacts, filter)],
    ['a literal', (filter) => ask(`{ ${withArguments(contacts, `first: 1 filter: ${literal(filter)}`)} }`)],
  ];
  const { filterLevels, conditions } = operationLimits;
  const many = (count: number): unknown => ({
    and: chunks(
      Array.from({ length: count }, () => ({ name: { eq: 'x' } })),
      20,
    ).map((or) => ({ or })),
  });
  const codeOf = ({ body }: GatewayResponse): [string, string | undefined] | undefined =>
    body.errors && [body.errors[0].extensions.code, body.errors[0].extensions.field];

  it.each(both)('groups nest %s deep as the limit says, and not deeper', async (_, send) => {
    expect(codeOf(await send(nots(filterLevels)))).toBeUndefined();
    expect(codeOf(await send(nots(filterLevels + 1)))).toEqual(['QUERY_TOO_COMPLEX', `filter${'.not'.repeat(filterLevels + 1)}`]);
  });

  it('a filter that nests ten thousand levels is rejected, not run', async () => {
    const text = `${'{"not":'.repeat(10_000)}{}${'}'.repeat(10_000)}`;
    const query = `query ($filter: ContactFilter) { ${withArguments(contacts, 'first: 1 filter: $filter')} }`;
    const response = await gateway.send('POST', '/graphql', {
      headers: { authorization: `Bearer ${company.key}`, 'content-type': 'application/json' },
      raw: `{"query":${JSON.stringify(query)},"variables":{"filter":${text}}}`,
    });
    expect(response.status).toBeLessThan(500);
    expect(response.body.errors[0].extensions.code).toBe('QUERY_TOO_COMPLEX');
  });

  it.each(both)('the conditions of %s are counted over all groups, and the error says how many there are', async (_, send) => {
    expect(codeOf(await send(many(conditions)))).toBeUndefined();
    const response = await send(many(conditions + 3));
    expect(codeOf(response)).toEqual(['QUERY_TOO_COMPLEX', 'filter']);
    expect(response.body.errors[0].message).toContain(String(conditions + 3));
  });

  it.each(['and', 'or'])('%s needs 1 to 20 filters', async (name) => {
    for (const groups of [[], Array.from({ length: 21 }, () => ({}))])
      expect(detailsOf(await filtered(contacts, { [name]: groups }))).toEqual([{ field: `filter.${name}`, code: 'OUT_OF_RANGE' }]);
  });

  it('REST rejects what nests too deep by the parameter', async () => {
    const name = `${'not.'.repeat(filterLevels + 1)}name`;
    const response = await gateway.send('GET', `${company.base}/contacts?${name}=x`, { headers: company.headers });
    expect([response.status, response.body.error.error_code, response.body.error.field]).toEqual([400, 'QUERY_TOO_COMPLEX', name]);
  });
});

it.each([
  ['first: 101', 'first'],
  ['first: -1', 'first'],
  ['first: 1 last: 1', 'last'],
  ['last: 2 offset: 1', 'offset'],
])('a page of %s is rejected where the count alone is asked for too', async (page, field) => {
  for (const list of lists.slice(0, ledgerRecords.length))
    for (const what of ['totalCount', 'pageInfo { hasNextPage }']) {
      const text = withArguments(list, page).replace(/\{ nodes \{[^}]*\} \}/, `{ ${what} }`);
      expect(detailsOf(await ask(`{ ${text} }`)), text).toMatchObject([{ field }]);
    }
});

describe('an order', () => {
  const ordered = (type: string, orderBy: unknown): Promise<GatewayResponse> =>
    ask(`query ($orderBy: ${type}) { ${withArguments(notes, 'first: 1 orderBy: $orderBy')} }`, { orderBy });

  it('has one to three keys, none of them twice', async () => {
    const key = (field: string) => ({ field });
    const list = '[BillCreditNoteOrder!]';
    expect((await ordered(list, [key('STATUS'), key('POSTED_DATE'), key('TOTAL_AMOUNT')])).body.errors).toBeUndefined();
    expect(detailsOf(await ordered(list, []))).toEqual([{ field: 'orderBy', code: 'OUT_OF_RANGE' }]);
    const four = ['STATUS', 'POSTED_DATE', 'TOTAL_AMOUNT', 'LEDGER_ID'].map(key);
    expect(detailsOf(await ordered(list, four))).toEqual([{ field: 'orderBy', code: 'OUT_OF_RANGE' }]);
    expect(detailsOf(await ordered(list, [key('STATUS'), key('STATUS')]))).toEqual([{ field: 'orderBy[1].field', code: 'DUPLICATE' }]);
    expect(detailsOf(await ordered(list, [key('MEMO')]))).toEqual([{ field: 'orderBy[0].field', code: 'INVALID_VALUE' }]);
  });

  it('one key without its list is a list of it, literally and in a variable', async () => {
    const key = { field: 'LEDGER_UPDATED_AT', direction: 'DESC' };
    expect((await ordered('[BillCreditNoteOrder!]', key)).body.errors).toBeUndefined();
    const literal = withArguments(notes, 'first: 1 orderBy: { field: LEDGER_UPDATED_AT, direction: DESC }');
    expect((await ask(`{ ${literal} }`)).body.errors).toBeUndefined();
  });

  it('the names of an order are the columns that have an index', () => {
    for (const target of ledgerRecords) {
      const type = schema.getType(`${target.name}OrderField`);
      expect(isEnumType(type) ? type.getValues().length : 0).toBe(orderProps(modelOf(target)).length);
    }
  });
});

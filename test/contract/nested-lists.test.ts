// Nested lists. Every list below every other is read with one statement for all parents, whichever executor runs the operation. Each parent gets what
// its list has when it is read alone.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import {
  buildSchema,
  type DocumentNode,
  type GraphQLField,
  type GraphQLInputFieldMap,
  type GraphQLInputType,
  type GraphQLObjectType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isObjectType,
  isRequiredArgument,
  parse,
} from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { executeIn } from '../../src/database/open.ts';
import { Reader } from '../../src/database/reader/reader.ts';
import { systemTransaction } from '../../src/database/transaction.ts';
import { Executor } from '../../src/graphql/executor.ts';
import { requestContext } from '../../src/http/authentication.ts';
import { rulesOf } from '../../src/integrations/writes/integrity-rules.ts';
import { ledgerGlobalId } from '../../src/records/ids.ts';
import { type Model, modelOf, propOf } from '../../src/records/metadata.ts';
import { currencyOf } from '../../src/records/summaries.ts';
import { entities } from '../../src/registry.ts';
import { packagePath } from '../../src/runtime/package-root.ts';
import type { Tenant } from '../suites/tenants.ts';
import { useGateway } from '../support/gateway.ts';
import { buildNestedData } from '../support/nested-data.ts';
import { isOnWorkers } from '../support/server.ts';
import { eachOf, statementsOf } from '../support/statements.ts';

const RUNS = Number(process.env.SUITE_ROUNDS ?? 1) * 8;
const MANY = 9;
const gateway = useGateway({ webhookAllowPrivate: true });
let tenant: Tenant;

interface Result {
  data: Record<string, unknown> | null;
  errors?: readonly { message: string; path?: readonly (string | number)[]; extensions: Record<string, unknown> }[];
}

/** Runs an operation. */
type Run = (query: string, variables?: Record<string, unknown>) => Promise<Result>;

const compiled: Run = async (query, variables) => (await gateway.graphql(tenant.key, query, variables)).body;

/** The same by graphql-js, which makes its look-ahead again for each row. */
const documents = new Map<string, DocumentNode>();
const interpreted: Run = async (query, variables = {}) => {
  const { services } = gateway;
  const document = documents.get(query) ?? parse(query);
  documents.set(query, document);
  const operation = new Executor(services.schema).interpret(document, undefined);
  const context = requestContext(services, 'test', (await services.keys.find(tenant.key))!, null);
  const { data, errors } = await operation.run(context, variables);
  const shown = errors?.map(({ message, path, originalError }) => ({ message, path, extensions: { ...originalError } }));
  return JSON.parse(JSON.stringify({ data, ...(shown ? { errors: shown } : {}) }));
};

const executors: [string, Run][] = [
  ['compiled', compiled],
  ['interpreted', interpreted],
];

/** A field that lists records or objects of their own, with the type of the entries. */
interface ListField {
  owner: GraphQLObjectType;
  field: GraphQLField<unknown, unknown>;
  entry: GraphQLObjectType;
  isConnection: boolean;
}

const models = new Map(entities.map((record) => [record.name, modelOf(record)]));

function listFields(owner: GraphQLObjectType): ListField[] {
  return Object.values(owner.getFields()).flatMap((field): ListField[] => {
    const named = getNamedType(field.type);
    if (!isObjectType(named) || field.args.some(isRequiredArgument)) return [];
    const entry = named.name.endsWith('Connection') && named.getFields().nodes ? getNamedType(named.getFields().nodes!.type) : undefined;
    // Postings are no records: they are derived from documents in the base currency of the company, which is read before.
    if (isObjectType(entry)) return entry.getInterfaces().length === 0 ? [] : [{ owner, field, entry, isConnection: true }];
    return isListType(getNullableType(field.type)) ? [{ owner, field, entry: named, isConnection: false }] : [];
  });
}

const schema = buildSchema(readFileSync(packagePath('schema/schema.graphql'), 'utf8'));

function typeOf(name: string): GraphQLObjectType {
  const type = schema.getType(name);
  if (!isObjectType(type)) throw new Error(`${name} is no object type`);
  return type;
}

/** The records whose lists are walked: those of organisations that a global id names. */
const withLists = [...models.values()].filter(
  ({ node, scope, name }) => node && scope === 'organisation' && listFields(typeOf(name)).length > 0,
);

/** The scalar that distinguishes entries. */
function leafOf(type: GraphQLObjectType): string {
  const fields = Object.values(type.getFields()).filter(({ args, type }) => args.length === 0 && isLeafType(getNamedType(type)));
  return (fields.find(({ name }) => name === 'id') ?? fields[0]!).name;
}

/** A list in a document. */
interface Selected {
  list: ListField;
  /** Its response key. */
  key: string;
  args: string;
  total: boolean;
  below: Selected[];
  /** How its entries are selected: plainly, as edges, or by an inline fragment. */
  form: 'nodes' | 'edges' | 'fragment';
}

const plain = (list: ListField, first: number, below: Selected[] = []): Selected => ({
  list,
  key: list.field.name,
  args: list.isConnection ? `(first: ${first})` : '',
  total: list.isConnection,
  below,
  form: 'nodes',
});

function textOf({ list, key, args, total, below, form }: Selected): string {
  const inner = [leafOf(list.entry), ...below.map(textOf)].join(' ');
  const entries = form === 'fragment' ? `... on ${list.entry.name} { ${inner} }` : inner;
  const alias = key === list.field.name ? '' : `${key}: `;
  if (!list.isConnection) return `${alias}${list.field.name} { ${entries} }`;
  const page = form === 'edges' ? `edges { node { ${entries} } }` : `nodes { ${entries} }`;
  return `${alias}${list.field.name}${args} { ${page}${total ? ' totalCount' : ''} }`;
}

const queryFor = (model: Model, lists: readonly Selected[]): string =>
  `query($ids: [ID!]!) { nodes(ids: $ids) { ... on ${model.name} { id ${lists.map(textOf).join(' ')} } } }`;

type Shown = Record<string, unknown>;

function entriesOf(value: unknown): Shown[] {
  if (Array.isArray(value)) return value;
  if (value === null) return [];
  const { nodes, edges } = value as { nodes?: Shown[]; edges?: { node: Shown }[] };
  return nodes ?? edges!.map(({ node }) => node);
}

/** Orders that end where running writes may still add records, which one more statement finds out. */
const SETTLING = /orderBy: \[\{ field: LEDGER_(?:CREATED|UPDATED)_AT, direction: ASC/;

/**
 * The statements that the issues of records take: one for each rule about related records, and one for each type of parent, whose currency they use.
 */
const readForIssues = (model: Model): number =>
  rulesOf(model).filter((rule) => rule.related).length + (currencyOf(model)?.parents.length ?? 0);

/** The most statements that the lists take below these rows: for each list that some row has, one for it, one for its count, and one for its end. */
function mostOf(rows: readonly Shown[], lists: readonly Selected[]): number {
  if (rows.length === 0) return 0;
  return lists.reduce((sum, { list, key, args, total, below }) => {
    const related = list.field.name === 'integrityIssues' ? readForIssues(models.get(list.owner.name)!) : 1;
    return (
      sum +
      related +
      (total ? 1 : 0) +
      (SETTLING.test(args) ? 1 : 0) +
      mostOf(
        rows.flatMap((row) => entriesOf(row[key])),
        below,
      )
    );
  }, 0);
}

/** The lists that have entries below these rows, by their response keys. */
const reached = (rows: readonly Shown[], lists: readonly Selected[]): string[] =>
  lists.flatMap(({ key, below }) => {
    const entries = rows.flatMap((row) => entriesOf(row[key]));
    return entries.length === 0 ? [] : [key, ...reached(entries, below).map((inner) => `${key}.${inner}`)];
  });

const ids = new Map<Model, string[]>();
async function idsOf(model: Model): Promise<string[]> {
  const known = ids.get(model);
  if (known) return known;
  const { column, kind } = propOf(model, model.key);
  const live = model.deletedAt ? `and ${propOf(model, model.deletedAt).column} is null` : '';
  const rows = await systemTransaction(gateway.services.database, (em) =>
    executeIn<{ key: string }>(
      em,
      `select ${column}::text as key from "${model.table}" where organisation_id = $1 ${live} order by ${column}`,
      [tenant.organisationId],
    ),
  );
  const found = rows.map(({ key }) => (kind === 'ledgerId' ? ledgerGlobalId(model.prefix, Number(key)) : key));
  ids.set(model, found);
  return found;
}

/** What each record has when it is read alone, by query. One executor reads it, and both are compared with it. */
const aloneBy = new Map<string, Shown[]>();

/** Asserts what holds of lists below records of a type, and returns the lists that had entries. */
async function check(run: Run, model: Model, lists: readonly Selected[]): Promise<string[]> {
  const query = queryFor(model, lists);
  const read = async (wanted: readonly string[]): Promise<Shown[]> => {
    const response = await run(query, { ids: wanted });
    // A random query may cost more than one operation is allowed to; another is tried then.
    fc.pre(response.errors?.[0]?.extensions?.code !== 'QUERY_TOO_COMPLEX');
    expect(response.errors, `${query}\n${JSON.stringify(response.errors)}`).toBeUndefined();
    return response.data!.nodes as Shown[];
  };
  const all = await idsOf(model);
  const step = Math.max(1, Math.floor(all.length / MANY));
  const wanted = all.filter((_, index) => index % step === 0).slice(0, MANY);
  expect(wanted.length, `${model.name}: too few records`).toBeGreaterThanOrEqual(8);
  const spent = async (given: readonly string[]): Promise<{ rows: Shown[]; statements: number }> => {
    let rows: Shown[] = [];
    const keep = async (): Promise<void> => {
      rows = await read(given);
    };
    const statements = await statementsOf(gateway.services.database, keep);
    return { rows, statements };
  };
  const { rows, statements: many } = await spent(wanted);
  const alone = aloneBy.get(query) ?? [];
  if (alone.length === 0) for (const id of wanted) alone.push(...(await read([id])));
  aloneBy.set(query, alone);
  expect(rows, query).toEqual(alone);
  const companies = (await idsOf(models.get('Company')!)).length;
  expect(many, query).toBeLessThanOrEqual(1 + eachOf(companies) * mostOf(rows, lists));
  const names = reached(rows, lists);
  // The first pair of parents whose lists have entries where those of all parents have.
  const pair = wanted
    .flatMap((_, index) => [wanted.slice(index, index + 1), wanted.slice(index, index + 2)])
    .find((few) => {
      const own = rows.filter(({ id }) => few.includes(id as string));
      return reached(own, lists).length === names.length;
    });
  // Issues take a statement for each type of parent, and few records have parents of fewer types.
  const isByParents = query.includes('integrityIssues');
  if (pair && !isOnWorkers && !isByParents) expect((await spent(pair)).statements, query).toBe(many);
  return names;
}

beforeAll(async () => {
  tenant = await buildNestedData(gateway, 'Nested');
  // The statements of background work, such as deliveries, would be counted with those of the responses.
  await gateway.stopWork();
}, 60_000);

function inputFields(type: GraphQLInputType): GraphQLInputFieldMap {
  const input = getNamedType(type);
  if (!isInputObjectType(input)) throw new Error(`${input.name} is no input object`);
  return input.getFields();
}

/** One argument list of a connection, from its declared arguments. */
function argsFor(list: ListField, pick: Pick): string {
  const args = new Map(list.field.args.map((arg) => [arg.name, arg]));
  const texts = [`first: ${1 + pick(4)}`];
  const order = args.get('orderBy');
  if (order && pick(2) === 0) {
    const choices = getNamedType(inputFields(order.type).field!.type);
    if (!isEnumType(choices)) throw new Error(`${list.field.name} has an order without fields`);
    const field = choices.getValues()[pick(choices.getValues().length)]!.name;
    texts.push(`orderBy: [{ field: ${field}, direction: ${['ASC', 'DESC'][pick(2)]}${['', ', nulls: FIRST', ', nulls: LAST'][pick(3)]} }]`);
  }
  const filter = args.get('filter');
  if (filter && pick(2) === 0) {
    const fields = Object.values(inputFields(filter.type)).flatMap(({ name, type }) => {
      const operators = getNamedType(type);
      return isInputObjectType(operators) && 'isNull' in operators.getFields() ? [name] : [];
    });
    if (fields.length > 0)
      texts.push(
        `filter: { ${['', 'not: { '][pick(2)] ? `not: { ${fields[pick(fields.length)]}: { isNull: true } }` : `${fields[pick(fields.length)]}: { isNull: ${pick(4) === 0} }`} }`,
      );
  }
  if (args.has('offset') && pick(3) === 0) texts.push(`offset: ${pick(3)}`);
  return `(${texts.join(', ')})`;
}

/** A number below another. */
type Pick = (below: number) => number;

/** Some lists of a type, side by side, with lists below them down to a level. */
function selection(type: GraphQLObjectType, levels: number, pick: Pick): Selected[] {
  const lists = listFields(type);
  if (lists.length === 0 || levels === 0) return [];
  // The costs of several long lists below each other would be rejected.
  const chosen = Array.from({ length: 1 + pick(2) }, () => lists[pick(lists.length)]!);
  return chosen.flatMap((list, index): Selected[] => {
    if (!list.isConnection && chosen.indexOf(list) !== index) return [];
    return [
      {
        list,
        key: list.isConnection && (pick(3) === 0 || chosen.indexOf(list) !== index) ? `list${index}` : list.field.name,
        args: list.isConnection ? argsFor(list, pick) : '',
        total: list.isConnection && pick(2) === 0,
        below: selection(list.entry, levels - 1, pick),
        form: list.isConnection ? (['nodes', 'edges', 'fragment'] as const)[pick(3)]! : 'nodes',
      },
    ];
  });
}

/** Most records break no rule and have no custom fields. */
const mayBeEmpty = (list: string): boolean =>
  list.endsWith('.customFields') || (list.endsWith('.integrityIssues') && list !== 'PurchaseOrder.integrityIssues');

const lists = withLists.flatMap((model) =>
  listFields(typeOf(model.name)).map((list): [string, Model, ListField] => [`${model.name}.${list.field.name}`, model, list]),
);

describe('two levels', () => {
  describe.each(executors)('%s', (_, run) => {
    it.each(lists)('%s, and each list below it, takes one statement, and one for its count', async (name, model, list) => {
      const inner = listFields(list.entry).map((below) => plain(below, 2));
      const found: string[] = [];
      for (const below of inner.length === 0 ? [undefined] : inner)
        found.push(...(await check(run, model, [plain(list, 3, below ? [below] : [])])));
      if (!mayBeEmpty(name)) expect(found).not.toEqual([]);
    });
  });
});

describe('three and four levels', () => {
  it.each(executors)(
    'random lists below each other take one statement for each list and level, %s',
    async (_, run) => {
      const models = withLists.filter(({ name }) =>
        ['Company', 'Contact', 'Corporation', 'BusinessEntity', 'PurchaseOrder', 'Item'].includes(name),
      );
      await fc.assert(
        fc.asyncProperty(fc.gen(), fc.constantFrom(...models), fc.integer({ min: 3, max: 4 }), async (gen, model, levels) => {
          const pick: Pick = (below) => gen(fc.nat, { max: below - 1 });
          await check(run, model, selection(typeOf(model.name), levels, pick));
        }),
        { numRuns: RUNS },
      );
    },
    300_000,
  );
});

describe('other fields below a list', () => {
  /** Fields of companies that are no lists of records. */
  const fields = (): string[] => [
    'pullableDataModels',
    ...Object.values(typeOf('Company').getFields()).flatMap(({ name }) =>
      name.endsWith('Summary') ? [`${name} { totalCount groups { count } }`] : [],
    ),
  ];

  it.each(executors)('a summary takes one statement for all companies, the data models to pull take two, %s', async (_, run) => {
    const companies = await idsOf(models.get('Company')!);
    expect(fields().length).toBeGreaterThan(15);
    for (const field of fields()) {
      const query = `query($ids: [ID!]!) { nodes(ids: $ids) { ... on Company { ${field} } } }`;
      const read = async (ids: readonly string[]): Promise<unknown[]> => (await run(query, { ids })).data!.nodes as unknown[];
      const alone = [];
      for (const id of companies) alone.push(...(await read([id])));
      expect(await read(companies), field).toEqual(alone);
      // The source of a company is its connection or the files in its inbox.
      const below = field === 'pullableDataModels' ? 2 : 1;
      const spent = await statementsOf(gateway.services.database, () => read(companies));
      const most = 1 + below * eachOf(companies.length);
      expect(spent, field).toBeLessThanOrEqual(most);
      if (!isOnWorkers) expect(spent, field).toBe(most);
    }
  });

  it.each(executors)('one record by its number takes one statement, and those without it return RECORD_NOT_FOUND, %s', async (_, run) => {
    const companies = await idsOf(models.get('Company')!);
    const listed = await run(`query($ids: [ID!]!) { nodes(ids: $ids) { ... on Company { contacts(first: 1) { nodes { ledgerId } } } } }`, {
      ids: companies,
    });
    const { contacts } = (listed.data!.nodes as { contacts: { nodes: { ledgerId: number }[] } }[])[3]!;
    const { ledgerId } = contacts.nodes[0]!;
    const query = `query($ids: [ID!]!) { nodes(ids: $ids) { ... on Company { contact(ledgerId: ${ledgerId}) { ledgerId } } } }`;
    const response = await run(query, { ids: companies });
    expect(response.data!.nodes).toEqual(companies.map((_, place) => ({ contact: place === 3 ? { ledgerId } : null })));
    expect(new Set(response.errors!.map(({ extensions }) => extensions.code))).toEqual(new Set(['RECORD_NOT_FOUND']));
    expect(response.errors).toHaveLength(companies.length - 1);
    // A response with an error takes more, which do not follow the number of companies.
    const spent = (ids: readonly string[]): Promise<number> => statementsOf(gateway.services.database, () => run(query, { ids }));
    const pair = companies.slice(2, 4);
    expect(await spent(companies)).toBeLessThanOrEqual((await spent(pair)) * Math.ceil(eachOf(companies.length) / eachOf(pair.length)));
  });

  it.each(executors)('amounts of several currencies are rejected for their company alone, %s', async (_, run) => {
    const [mixed, ...others] = (await idsOf(models.get('Company')!)).slice(0, 4);
    const set = (currency: string): Promise<unknown> =>
      systemTransaction(gateway.services.database, (em) =>
        executeIn(em, `update purchase_order set currency_id = ${currency} where company_id = $1 returning 1`, [mixed!.split('_').at(-1)]),
      );
    for (const id of others)
      await systemTransaction(gateway.services.database, (em) =>
        executeIn(em, `update purchase_order set currency_id = 'EUR' where company_id = $1 returning 1`, [id.split('_').at(-1)]),
      );
    aloneBy.clear();
    await set(`case when ledger_id % 2 = 0 then 'EUR' else 'USD' end`);
    const query = `query($ids: [ID!]!) { nodes(ids: $ids) { ... on Company { id purchaseOrdersSummary { groups { sum { totalAmount } } } } } }`;
    const response = await run(query, { ids: [...others, mixed] });
    expect(response.errors!.map(({ path, extensions }) => [path?.[1], extensions.code])).toEqual([[others.length, 'MIXED_CURRENCIES']]);
    const alone = await run(query, { ids: others });
    expect(response.data!.nodes).toEqual([...(alone.data!.nodes as unknown[]), { id: mixed, purchaseOrdersSummary: null }]);
  });
});

describe('errors of one parent', () => {
  it.each(executors)('a cursor is rejected by the lists it does not belong to, and by those alone, %s', async (_, run) => {
    const wanted = (await idsOf(models.get('Company')!)).slice(0, 4);
    const query = `query($ids: [ID!]!, $after: String) { nodes(ids: $ids) { ... on Company { contacts(first: 2, after: $after) { edges { cursor node { id } } totalCount } } } }`;
    const first = await run(query, { ids: wanted });
    const lists = (first.data!.nodes as { contacts: { edges: { cursor: string }[] } }[]).map(({ contacts }) => contacts.edges);
    const owner = lists.findLastIndex(({ length }) => length === 2);
    const after = lists[owner]![1]!.cursor;
    const response = await run(query, { ids: wanted, after });
    const alone = await run(query, { ids: [wanted[owner]], after });
    expect(alone.errors).toBeUndefined();
    expect(response.data!.nodes).toEqual(
      wanted.map((_id, place) => (place === owner ? (alone.data!.nodes as unknown[])[0] : { contacts: null })),
    );
    expect(response.errors!.map(({ path, extensions }) => [path?.[1], extensions.code])).toEqual(
      wanted.flatMap((_id, place) => (place === owner ? [] : [[place, 'INVALID_CURSOR']])),
    );
  });

  it.each(executors)('a parent whose list would read too many records is rejected alone, %s', async (_, run) => {
    const { services } = gateway;
    const { reader } = services;
    const wanted = (await idsOf(models.get('Company')!)).slice(0, 4);
    const companies = wanted.map((id) => Number(id.split('_').at(-1)));
    const rows = await systemTransaction(services.database, (em) =>
      executeIn<{ company: string; records: string }>(
        em,
        `select company_id as company, count(*) as records from account where company_id in (${companies}) group by 1`,
        [],
      ),
    );
    // Accounts of the companies; a scan of the largest reads more than the bounds allow, those of the others do not.
    const counts = companies.map((company) => Number(rows.find((row) => Number(row.company) === company)?.records ?? 0));
    const most = Math.max(...counts);
    const large = counts.indexOf(most);
    expect(counts.filter((count) => count === most)).toHaveLength(1);
    const query = `query($ids: [ID!]!) { nodes(ids: $ids) { ... on Company { id accounts(first: 1, filter: { or: [{ description: { eq: "none such" } }] }) { nodes { id } } } } }`;
    Object.assign(services, { reader: new Reader(services.database, { few: 2, inOrder: () => 2, most: most - 1 }) });
    try {
      const response = await run(query, { ids: wanted });
      expect(response.errors!.map(({ path, extensions }) => [path?.[1], extensions.code])).toEqual([[large, 'FILTER_TOO_BROAD']]);
      const nodes = response.data!.nodes as { id: string; accounts: object | null }[];
      expect(nodes.map(({ id, accounts }) => [id, accounts === null])).toEqual(wanted.map((id, place) => [id, place === large]));
    } finally {
      Object.assign(services, { reader });
    }
  });
});

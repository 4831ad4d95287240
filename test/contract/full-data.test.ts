// Data in which everything has rows: it is complete, and every field of every record type can be read over it.
import { readFileSync } from 'node:fs';
import {
  type GraphQLObjectType,
  getNamedType,
  getNullableType,
  isAbstractType,
  isLeafType,
  isListType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import { beforeAll, expect, it } from 'vitest';
import { turnLimits } from '../../src/access/request-turn.ts';
import { packagePath } from '../../src/runtime/package-root.ts';
import { argumentsFor, graphqlOperations, type Operation, type Place } from '../suites/operations.ts';
import { isCompanion, referenceOf, sampleOf } from '../suites/places.ts';
import { graphqlCall } from '../suites/requests.ts';
import { idsOf, type Tenant } from '../suites/tenants.ts';
import { buildFullData, missingData } from '../support/full-data.ts';
import { ADMIN_TOKEN, useGateway } from '../support/gateway.ts';

const gateway = useGateway({ webhookAllowPrivate: true });
let tenant: Tenant;

beforeAll(async () => {
  tenant = await buildFullData(gateway, 'Full');
}, 240_000);

it('every record type, relation and reference has rows', async () => {
  expect(await missingData(gateway, tenant.organisationId)).toEqual([]);
});

/** The selections of a type that lead to each of its fields: those below lists and records end at a leaf, as plainly as possible. */
function selections(type: GraphQLObjectType, levels: number): string[] {
  return Object.values(type.getFields()).flatMap((field): string[] => {
    if (field.args.some(isRequiredArgument)) return [];
    const named = getNamedType(field.type);
    if (isLeafType(named)) return [field.name];
    const page = field.args.some(({ name }) => name === 'first') ? '(first: 2)' : '';
    if (isAbstractType(named)) return [`${field.name}${page} { __typename }`];
    if (!isObjectType(named)) return [];
    if (levels === 0) return [];
    return selections(named, levels - 1).map((below) => `${field.name}${page} { ${below} }`);
  });
}

/** A way to the records of a type: the lists from the root on, without arguments that a caller must know. */
interface Way {
  entry: GraphQLObjectType;
  /** Whether a list on the way has a price besides its objects, because it reads more than it returns. */
  isPriced: boolean;
  query: (selection: string) => string;
}

/** The lists of a type, each with its records. */
const listsOf = (type: GraphQLObjectType, { query, isPriced }: Omit<Way, 'entry'>): Way[] =>
  Object.values(type.getFields()).flatMap(({ name, type: listed, args, extensions }): Way[] => {
    const connection = getNamedType(listed);
    const entry = isObjectType(connection) && connection.getFields().nodes && getNamedType(connection.getFields().nodes!.type);
    if (!entry || !isObjectType(entry) || args.some(isRequiredArgument)) return [];
    return [
      {
        entry,
        isPriced: isPriced || extensions.price !== undefined,
        query: (selection) => query(`${name}(first: 5) { nodes { ${selection} } }`),
      },
    ];
  });

/** The shortest way to each type that has lists. */
function ways(root: GraphQLObjectType): Way[] {
  const found = new Map<GraphQLObjectType, Way>();
  for (let next = listsOf(root, { query: (selection) => `{ ${selection} }`, isPriced: false }); next.length > 0; ) {
    const fresh = next.filter(({ entry }, at) => !found.has(entry) && next.findIndex((way) => way.entry === entry) === at);
    for (const way of fresh) found.set(way.entry, way);
    next = fresh.flatMap(({ entry, ...way }) => listsOf(entry, way));
  }
  return [...found.values()];
}

/** Whether a field asks the source of a company, which has none here. */
const asksSource = (selection: string): boolean => selection.startsWith('sourceTrialBalance');

// What is read next to a field may hide that a column is missing.
it('each field of each record type can be read alone', async () => {
  const found = ways(gateway.services.schema.getQueryType()!);
  expect(found.length).toBeGreaterThan(40);
  const failed: string[] = [];
  for (const { entry, query } of found) {
    const tenantSees = await gateway.graphql(tenant.key, query('__typename'));
    const isForOperators = tenantSees.body.errors?.[0].extensions.code === 'FORBIDDEN';
    const key = isForOperators ? ADMIN_TOKEN : tenant.key;
    const { body } = isForOperators ? await gateway.graphql(key, query('__typename')) : tenantSees;
    if (!JSON.stringify(body.data).includes(`"${entry.name}"`)) failed.push(`there is no ${entry.name} for ${query('__typename')}`);
    for (const selection of selections(entry, 1)) {
      const response = await gateway.graphql(key, query(selection));
      if (response.body.errors && !asksSource(selection))
        failed.push(`${query(selection)}: ${JSON.stringify(response.body.errors[0].extensions)}`);
    }
  }
  expect(failed).toEqual([]);
}, 240_000);

it('a rejected list or summary of a record leaves the record and the fields next to it', async () => {
  let tried = 0;
  const lost: string[] = [];
  for (const { entry, query } of ways(gateway.services.schema.getQueryType()!))
    for (const field of Object.values(entry.getFields())) {
      const type = getNamedType(field.type);
      if (!isObjectType(type) || field.args.some(isRequiredArgument) || !field.args.some(({ name }) => name === 'first')) continue;
      if (!type.getFields().nodes && !type.getFields().groups) continue;
      tried++;
      const text = query(
        `type: __typename refused: ${field.name}(first: -1) { ${type.getFields().nodes ? 'nodes' : 'groups'} { __typename } }`,
      );
      const { body } = await gateway.graphql(tenant.key, text);
      const isAlone =
        body.errors?.every(({ path }: { path: string[] }) => path.at(-1) === 'refused') &&
        JSON.stringify(body.data).includes(`"${entry.name}","refused":null`);
      if (!isAlone) lost.push(`${entry.name}.${field.name}: ${JSON.stringify(body).slice(0, 300)}`);
    }
  expect(lost).toEqual([]);
  expect(tried).toBeGreaterThan(100);
}, 120_000);

/** A page of a list as it is returned under the alias `tried`; null where it is rejected. */
type TriedPage = {
  nodes: unknown[];
  pageInfo: { hasNextPage: boolean; startCursor: string; endCursor: string };
  totalCount?: number;
} | null;

/** The pages of a response, in their order: one for each record that has the list. */
const pagesIn = (value: unknown): TriedPage[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([name, entry]) => (name === 'tried' ? [entry as TriedPage] : pagesIn(entry)));

/**
 * Page arguments, and which nodes of the first page of a hundred they return; further ones may follow. `last` is of the end, which that page
 * must have.
 */
const PAGE_ARGUMENTS: Record<string, (page: NonNullable<TriedPage>) => [given: string, wanted: unknown[]]> = {
  first: ({ nodes }) => ['first: 1', nodes.slice(0, 1)],
  last: ({ nodes }) => ['last: 1', nodes.slice(-1)],
  offset: ({ nodes }) => ['first: 100, offset: 1', nodes.slice(1)],
  after: ({ nodes, pageInfo }) => [`first: 100, after: "${pageInfo.startCursor}"`, nodes.slice(1)],
  before: ({ nodes, pageInfo }) => [`last: 100, before: "${pageInfo.endCursor}"`, nodes.slice(0, -1)],
};
/** Every read is one more request of its list. */
const GROWING = 'Query.requests';

it('each list does what each of its page arguments says', async () => {
  const wrong: string[] = [];
  const tried = new Map<string, number>();
  const root = gateway.services.schema.getQueryType()!;
  const places = [{ entry: root, query: (selection: string) => `{ ${selection} }` }, ...ways(root)];
  for (const { entry, query } of places)
    for (const field of Object.values(entry.getFields())) {
      const page = getNamedType(field.type);
      if (!isObjectType(page) || !page.getFields().nodes || field.args.some(isRequiredArgument)) continue;
      const node = getNamedType(page.getFields().nodes!.type);
      // Records without an id are distinguished by their values.
      const named = isObjectType(node) ? Object.values(node.getFields()).filter(({ args }) => args.length === 0) : [];
      const leaves = named.filter(({ type }) => isLeafType(getNamedType(type))).map(({ name }) => name);
      const selection = leaves.includes('id') ? 'id' : leaves.join(' ') || '__typename';
      const hasCount = page.getFields().totalCount !== undefined;
      const place = `${entry.name}.${field.name}`;
      const names = field.args.map(({ name }) => name);
      if (names.includes('exact') !== hasCount) wrong.push(`${place}: ${hasCount ? 'a count without `exact`' : '`exact` without a count'}`);
      const selected = `{ nodes { ${selection} } pageInfo { hasNextPage startCursor endCursor }${hasCount ? ' totalCount' : ''} }`;
      const ask = async (given: string): Promise<TriedPage[]> => {
        const text = query(`tried: ${field.name}${given} ${selected}`);
        const response = await gateway.graphql(tenant.key, text);
        return pagesIn(
          (response.body.data && pagesIn(response.body.data).length > 0 ? response : await gateway.graphql(ADMIN_TOKEN, text)).body.data,
        );
      };
      const size = names.includes('first') ? '(first: 100)' : '';
      const all = await ask(size);
      const at = all.findIndex((one) => (one?.nodes.length ?? 0) > 0);
      if (at < 0) continue;
      const whole = all[at]!;
      if (hasCount && !whole.pageInfo.hasNextPage) {
        const [counted] = (await ask('(first: 1, exact: true)')).slice(at);
        if (counted?.totalCount !== whole.nodes.length) wrong.push(`${place}: counts ${counted?.totalCount} of ${whole.nodes.length}`);
      }
      for (const [name, of] of Object.entries(PAGE_ARGUMENTS)) {
        if (!names.includes(name) || place === GROWING || (name === 'last' && whole.pageInfo.hasNextPage)) continue;
        tried.set(name, (tried.get(name) ?? 0) + 1);
        const [given, wanted] = of(whole);
        const found = (await ask(`(${given})`))[at]?.nodes.slice(0, Math.max(1, wanted.length));
        if (JSON.stringify(found) !== JSON.stringify(wanted))
          wrong.push(`${place}(${given}): ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`.slice(0, 400));
      }
    }
  console.log(`page arguments: ${[...tried].map(([name, times]) => `${name} ${times}`).join(', ')}`);
  expect(wrong).toEqual([]);
  expect(tried.get('offset')).toBeGreaterThan(80);
}, 240_000);

/** The objects of a response, which is what an operation is priced by. */
const objectsIn = (value: unknown): number =>
  Array.isArray(value)
    ? value.reduce((sum, one) => sum + objectsIn(one), 0)
    : typeof value === 'object' && value !== null
      ? Object.values(value).reduce((sum, one) => sum + objectsIn(one), 1)
      : 0;

/** What is selected of a list or an object, so that its own objects are counted. */
const plainly = (type: GraphQLObjectType): string =>
  type.getFields().nodes ? '{ nodes { __typename } }' : type.getFields().groups ? '{ groups { records } }' : '{ __typename }';

/** The price of a query, and the objects and bytes of its response; undefined where it is rejected. */
async function priced(query: string, variables = {}): Promise<{ cost: number; objects: number; bytes: number } | undefined> {
  const usage = { authorization: `Bearer ${tenant.key}`, 'x-graphql-usage': '1' };
  const { body } = await gateway.send('POST', '/graphql', { headers: usage, body: { query, variables } });
  if (body.errors) return undefined;
  return { cost: body.extensions.usage.cost, objects: objectsIn(body.data) - 1, bytes: JSON.stringify(body.data).length };
}

it('a list costs what it returns, within a factor of three', async () => {
  const wrong: string[] = [];
  let tried = 0;
  for (const { entry, query, isPriced } of ways(gateway.services.schema.getQueryType()!)) {
    if (isPriced) continue;
    const one = (selection: string): string => query(selection).replaceAll('first: 5', 'first: 1');
    const alone = await priced(one('__typename'));
    if (!alone) continue;
    // Summaries and reports have such a price too.
    const fields = Object.values(entry.getFields()).filter(({ extensions }) => extensions.price === undefined);
    for (const { name, type, args } of [undefined, ...fields].map((field) => field ?? { name: '', type: entry, args: [] })) {
      const named = getNamedType(type);
      const isPaged = args.some((argument) => argument.name === 'first');
      if (name !== '' && (!isObjectType(named) || args.some(isRequiredArgument))) continue;
      if (name !== '' && !isPaged && !isListType(getNullableType(type))) continue;
      const text = one(name === '' ? '__typename' : `${name}${isPaged ? '(first: 1)' : ''} ${plainly(named as GraphQLObjectType)}`);
      const found = await priced(text);
      if (!found) continue;
      tried++;
      // A list without pages is priced by the number it may have, where it cannot have many.
      const isDear = isPaged || name === '' ? found.cost > 3 * found.objects : false;
      if (isDear || found.objects > 3 * found.cost) wrong.push(`${text}: costs ${found.cost}, returns ${found.objects} objects`);
    }
  }
  expect(wrong).toEqual([]);
  expect(tried).toBeGreaterThan(100);
}, 240_000);

it('what the examples ask for costs what it returns, however long the lists of content are', async () => {
  const { graphql } = JSON.parse(readFileSync(packagePath('schema', 'examples.json'), 'utf8')) as {
    graphql: Record<string, { document: string; variables?: object }>;
  };
  const wrong: string[] = [];
  let tried = 0;
  for (const [name, { document, variables }] of Object.entries(graphql)) {
    const found = document.startsWith('query') ? await priced(document, variables) : undefined;
    if (!found) continue;
    tried++;
    if (found.objects > 3 * found.cost) wrong.push(`${name}: costs ${found.cost}, returns ${found.objects} objects`);
  }
  expect(wrong).toEqual([]);
  expect(tried).toBeGreaterThan(30);
}, 120_000);

/** The country with the longest lists of content. */
const COUNTRY = 'GB';

const values = (type: GraphQLObjectType): string =>
  [
    '__typename',
    ...Object.values(type.getFields())
      .filter((field) => isLeafType(getNamedType(field.type)) && !field.args.some(isRequiredArgument))
      .map(({ name }) => name),
  ].join(' ');

/** The values of a type, and those of one list or new kind of record after the other below it. What is in `judged` was asked for before. */
function wholes(type: GraphQLObjectType, judged: Set<string>, levels = 4): string[] {
  const below = Object.values(type.getFields()).flatMap((field): string[] => {
    const named = getNamedType(field.type);
    const isPaged = field.args.some(({ name }) => name === 'first');
    const key = isPaged || isListType(getNullableType(field.type)) ? `${type.name}.${field.name}` : named.name;
    if (!isObjectType(named) || field.args.some(isRequiredArgument) || levels === 0 || judged.has(key)) return [];
    judged.add(key);
    return wholes(named, judged, levels - 1).map((inner) => `${field.name}${isPaged ? '(first: 10)' : ''} { ${inner} }`);
  });
  return [values(type), ...below];
}

/** The arguments that an operation needs: of records of the organisation, and of the country. */
async function usualArguments(operation: Operation): Promise<Record<string, unknown>> {
  const places: Place[] = [];
  const fillWith = (fill: (place: Place) => unknown) => argumentsFor(operation, { wanted: [], always: isCompanion, fill });
  fillWith((place) => places.push(place));
  const found = new Map<string, unknown>();
  for (const place of places) {
    const reference = referenceOf(place);
    const isCountry = place.type.name === 'CountryCode' || place.field.name === 'country';
    const [id] = reference && reference.kind !== 'cursor' ? await idsOf(gateway, tenant, place, reference) : [];
    found.set(place.path.join('.'), isCountry ? COUNTRY : (id ?? sampleOf(place)));
  }
  return fillWith((place) => found.get(place.path.join('.')));
}

/** Whether a response has more than three times the objects, or the bytes of so many, that its query cost. */
const isCheap = ({ cost, objects, bytes }: { cost: number; objects: number; bytes: number }): boolean =>
  Math.max(objects, bytes / turnLimits.bytesPerObject) > 3 * cost;

it('what any query returns costs at least a third of its objects and bytes', async () => {
  const wrong: string[] = [];
  const returned = new Set<string>();
  const refused = new Set<string>();
  const judged = new Set<string>();
  for (const operation of graphqlOperations(gateway.services.schema)) {
    const type = getNamedType(operation.fields.at(-1)!.type);
    if (operation.kind === 'mutation' || !isObjectType(type)) continue;
    const given = await usualArguments(operation);
    for (const whole of wholes(type, judged)) {
      const { query, variables } = graphqlCall(operation, given, `{ ${whole} }`).body as { query: string; variables: object };
      const found = await priced(query, variables);
      (found ? returned : refused).add(operation.title);
      if (found && isCheap(found)) wrong.push(`${query} ${JSON.stringify(variables)}: ${JSON.stringify(found)}`);
    }
  }
  // Left out: a source that is called, fields of operators, the key of a link, which is shown only once, and what the next test queries with existing
  // lists.
  expect([...refused].filter((title) => !returned.has(title)).sort()).toEqual([
    'query Company.sourceTrialBalance',
    'query accessKeyConnection',
    'query accessKeys',
    'query incorporationForm',
    'query organisations',
    'query registrationInputOptions',
    'query registrationsNeeded',
  ]);
  expect(wrong).toEqual([]);
  expect(returned.size).toBeGreaterThan(100);
}, 240_000);

it('what is asked for by a list costs as much as its entries', async () => {
  const read = async (query: string, variables = {}) => (await gateway.graphql(tenant.key, query, variables)).body.data;
  const { registrationJurisdictions, corporations } = await read(
    '{ registrationJurisdictions(input: {}) { jurisdictions { jurisdictionId } } corporations(first: 1) { nodes { id } } }',
  );
  const ids: string[] = registrationJurisdictions.jurisdictions.map((one: { jurisdictionId: string }) => one.jurisdictionId);
  const optionsOf = 'query ($ids: [ID!]!) { registrationInputOptions(input: { filters: { jurisdictionIds: $ids } })';
  const offered = JSON.stringify(
    await read(`${optionsOf} { options { registrations { registrationContentId } } } }`, { ids: ids.slice(0, 100) }),
  );
  const content = [...new Set(Array.from(offered.matchAll(/"registrationContentId":"([^"]+)"/g), ([, id]) => id))];
  const needs = 'query ($id: ID!, $sales: [JurisdictionSalesInput!]) { registrationsNeeded(corporationId: $id, sales: $sales)';
  const sales = ids.map((jurisdiction) => ({ jurisdiction, amount: 1_000_000, currency: 'EUR' }));
  const asked: [start: string, result: string, variables: object][] = [
    [optionsOf, 'RegistrationInputOptions', { ids: ids.slice(0, 100) }],
    [
      'query ($ids: [ID!]!) { registrationPortals(input: { filters: { registrationContentIds: $ids } })',
      'RegistrationPortals',
      { ids: content.slice(0, 100) },
    ],
    [needs, 'RegistrationNeed', { id: corporations.nodes[0].id, sales }],
    [
      'query ($addresses: [String!]!) { geocodeBatch(addresses: $addresses)',
      'GeocodeResult',
      { addresses: Array.from({ length: 100 }, () => '10 Downing Street, London') },
    ],
  ];
  const wrong: string[] = [];
  for (const [start, result, variables] of asked)
    for (const whole of wholes(gateway.services.schema.getType(result) as GraphQLObjectType, new Set())) {
      const found = await priced(`${start} { ${whole} } }`, variables);
      if (!found || isCheap(found)) wrong.push(`${start} { ${whole} }: ${JSON.stringify(found)}`);
    }
  expect(wrong).toEqual([]);
}, 120_000);

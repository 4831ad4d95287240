// What was read can be sent back: amounts as the client package reads them over GraphQL, and the members of a body that a write takes over REST.
// Nothing changes by it, and the published types say that it may be sent.
import {
  type GraphQLInputObjectType,
  type GraphQLObjectType,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isLeafType,
  isListType,
  isObjectType,
  parse,
} from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { contracts } from '../../rest-compat/openapi/contracts.ts';
import type { Route } from '../../rest-compat/routes/route.ts';
import { routes } from '../../rest-compat/routes/routes.ts';
import { rootFields } from '../../rest-compat/runtime/stored-operation.ts';
import { operationTypes } from '../../schema/client/codegen.ts';
import { exactDecimals } from '../../schema/client/decimals.ts';
import { namingStrategies } from '../../src/graphql/input/input-coercion.ts';
import { buildGatewaySchema } from '../../src/graphql/schema.ts';
import { allModels, type Model } from '../../src/records/metadata.ts';
import { orphanTypes, resolvers } from '../../src/registry.ts';
import { subjects } from '../examples/subjects.ts';
import { DemoValues } from '../examples/values.ts';
import { argumentsFor, graphqlOperations, placesOf, restOperations } from '../suites/operations.ts';
import { isCompanion } from '../suites/places.ts';
import { restCall } from '../suites/requests.ts';
import { buildTenant, type Tenant } from '../suites/tenants.ts';
import { ADMIN_TOKEN, useGateway } from '../support/gateway.ts';
import { credentialHeader } from '../support/routes.ts';

const gateway = useGateway({ webhookAllowPrivate: true });
const schema = buildGatewaySchema(resolvers, orphanTypes);
let tenant: Tenant;
let values: DemoValues;

beforeAll(async () => {
  tenant = await buildTenant(gateway, 'Demo');
  values = new DemoValues(gateway, tenant);
  await gateway.stopWork();
}, 120_000);

const inputTypes = Object.values(schema.getTypeMap()).filter(isInputObjectType);
const documents = [...contracts(schema)].flatMap(([path, text]) => (path.startsWith('openapi/') ? [JSON.parse(text)] : []));

describe('the published types', () => {
  it('a body takes each amount as a number and as its text', () => {
    const amounts = inputTypes.flatMap((type) =>
      Object.values(type.getFields())
        .filter((field) => getNamedType(field.type).name === 'Decimal' && !field.extensions.graphqlOnly && !/Filter$/.test(type.name))
        .flatMap((field) => {
          const places = documents.flatMap(({ components }) => components.schemas[type.name]?.properties ?? []);
          return places.map((properties) => {
            const { fieldName } = 'ledger_id' in properties || field.name in properties ? namingStrategies.camel : namingStrategies.ledger;
            const own = properties[fieldName(field.name, field)] ?? properties[namingStrategies.ledger.fieldName(field.name, field)];
            return [`${type.name}.${field.name}`, own?.type ?? own?.items?.type] as const;
          });
        }),
    );
    expect(amounts.length).toBeGreaterThan(60);
    expect(amounts.filter(([, type]) => !['number', 'string'].every((one) => type?.includes(one)))).toEqual([]);
  });

  it('the client package sends an amount as what it reads', () => {
    const { config } = operationTypes('') as { config: { scalars: { Decimal: { input: string; output: string } } } };
    const { input, output } = config.scalars.Decimal;
    expect(input.split(' | ')).toContain(output);
  });
});

/** What of a record can be sent as an input, as a selection. Nested records are entered as far as `levels`. */
function selectionFor(input: GraphQLInputObjectType, shown: GraphQLObjectType, levels: number): string {
  const fields = shown.getFields();
  const parts = Object.values(input.getFields()).flatMap(({ name, type }): string[] => {
    const field = fields[name];
    if (!field || field.args.length > 0 || isListType(getNullableType(type)) !== isListType(getNullableType(field.type))) return [];
    const [taken, given] = [getNamedType(type), getNamedType(field.type)];
    // A secret is shown once, when it is made.
    if (name === 'secret') return [];
    if (isLeafType(given)) return isLeafType(taken) ? [name] : [];
    if (!isInputObjectType(taken) || !isObjectType(given) || levels === 0) return [];
    const below = selectionFor(taken, given, levels - 1);
    return below === '' ? [] : [`${name} { ${below} }`];
  });
  return parts.join(' ');
}

const withoutTypeNames = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(withoutTypeNames)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value).flatMap(([name, member]) => (name === '__typename' ? [] : [[name, withoutTypeNames(member)]])),
        )
      : value;

/** Adds what `exactDecimals` needs to know. */
const withTypeNames = (text: string): string => text.replaceAll('{ ', '{ __typename ');

const updates = graphqlOperations(schema).flatMap((operation) => {
  const field = operation.fields[0]!;
  if (operation.kind !== 'mutation' || operation.fields.length > 1 || !/^update/.test(field.name)) return [];
  const input = getNamedType(field.args.find(({ name }) => name === 'input')!.type) as GraphQLInputObjectType;
  const payload = getNamedType(field.type) as GraphQLObjectType;
  const shown = Object.values(payload.getFields()).map(({ type }) => getNamedType(type));
  const record = shown.find((type): type is GraphQLObjectType => isObjectType(type) && 'etag' in type.getFields());
  if (!record || !('id' in input.getFields())) return [];
  const model = allModels().find(({ name }) => name === record.name)!;
  return [[field.name, { operation, input, record, model }] as const];
});

describe('what the client package reads', () => {
  it('there are many updates', () => expect(updates.length).toBeGreaterThan(20));

  it.each(updates)('%s takes it back, and nothing changes', async (name, { operation, input, record, model }) => {
    const subject = subjects[name] ?? {};
    const given = typeof subject === 'function' ? await subject({ gateway, tenant }) : subject;
    const { wanted, fill } = await values.forOperation(operation, placesOf(operation), given);
    const named = argumentsFor(operation, { wanted, always: isCompanion, fill })[`${name}.input`] as { id: string; companyId?: string };
    const text = withTypeNames(`{ node(id: "${named.id}") { ... on ${record.name} { etag ${selectionFor(input, record, 2)} } } }`);
    const read = await gateway.graphql(tenant.key, text);
    expect(read.body.data?.node, read.text).toBeTruthy();
    const { etag, ...content } = withoutTypeNames(exactDecimals(parse(text), read.body.data).node) as Record<string, unknown>;
    const sent = { ...content, id: named.id, ...(named.companyId === undefined ? {} : { companyId: named.companyId }) };
    const response = await gateway.graphql(
      operation.fields[0]!.extensions.access?.includes('ADMIN' as never) ? ADMIN_TOKEN : tenant.key,
      `mutation ($input: ${input.name}!) { ${name}(input: $input) { errors { code path message } } }`,
      { input: sent },
    );
    expect(response.body.data?.[name], `${JSON.stringify(sent)} ${response.text}`).toEqual({ errors: [] });
    const after = await gateway.graphql(tenant.key, text);
    expect(after.body, 'read again').toEqual(read.body);
    expect(etag).toMatch(/^"/);
    void (model satisfies Model);
  });
});

/** The writes of one record whose read has the same path, and the members that their body takes. */
const writes = restOperations(schema).flatMap(({ title, ...operation }) => {
  const route = operation.route as Route;
  const read = routes.find(({ method, path }) => method === 'GET' && path === route.path);
  const body = Object.entries(route.args).find(([, source]) => source.from === 'body');
  if (!read || !body || route.method === 'DELETE' || !/^update/.test(route.root)) return [];
  return [[title, { operation: { title, ...operation, route }, read, body }] as const];
});

describe('what a body has', () => {
  it('there are many writes', () => expect(writes.length).toBeGreaterThan(20));

  it.each(writes)('%s takes its members back, and nothing changes', async (_, { operation, body: [argument, source] }) => {
    const { route } = operation;
    const name = operation.fields.at(-1)!.name;
    const subject = subjects[name] ?? {};
    const given = typeof subject === 'function' ? await subject({ gateway, tenant }) : subject;
    const { wanted, fill } = await values.forOperation(operation, placesOf(operation), given);
    const call = await restCall(operation, argumentsFor(operation, { wanted, always: isCompanion, fill }));
    const headers = credentialHeader(route.credential, tenant.key);
    const before = await gateway.send('GET', call.path, { headers });
    expect(before.status, before.text).toBe(200);
    const declared = operation.fields.at(-1)!.extensions.inputArgument?.declared ?? rootFields(schema, route).fields.at(-1)!.args;
    const type = getNamedType(
      declared.find((one: { name: string }) => one.name === argument.split('.').at(-1))!.type,
    ) as GraphQLInputObjectType;
    const strategy = namingStrategies[route.naming];
    const members = Object.values(type.getFields())
      .filter(({ extensions }) => !extensions.graphqlOnly)
      .map((field) => strategy.fieldName(field.name, field));
    const shown = (before.body.data ?? before.body) as Record<string, unknown>;
    const content = Object.fromEntries(Object.entries(shown).filter(([member]) => members.includes(member) && member !== 'secret'));
    expect(Object.keys(content).length).toBeGreaterThan(0);
    const member = source.from === 'body' ? source.member : undefined;
    const response = await gateway.send(call.method, call.path, { headers, body: member ? { [member]: content } : content });
    expect(response.status, `${JSON.stringify(content)} ${response.text}`).toBe(route.status);
    const after = await gateway.send('GET', call.path, { headers });
    expect([after.headers.get('etag'), after.body.data ?? after.body]).toEqual([before.headers.get('etag'), shown]);
  });
});

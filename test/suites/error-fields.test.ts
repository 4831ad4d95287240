// The field of an error is something the caller sent, under the name the caller used: for every route and every field of the schema.
import { randomInt } from 'node:crypto';
import { type GraphQLInputType, getNamedType, getNullableType, isInputObjectType, isListType, isScalarType } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Route } from '../../rest-compat/routes/route.ts';
import { type NamingStrategy, namingStrategies } from '../../src/graphql/input/input-coercion.ts';
import { buildGatewaySchema } from '../../src/graphql/schema.ts';
import { orphanTypes, resolvers } from '../../src/registry.ts';
import { type GatewayResponse, useGateway } from '../support/gateway.ts';
import { buildCompany, type TestCompany } from '../support/records.ts';
import { credentialHeader } from '../support/routes.ts';
import { headerText } from './odd.ts';
import { agentOperations, argumentsFor, graphqlOperations, type Operation, type Place, placesOf, restOperations } from './operations.ts';
import { isCompanion, referenceOf, sampleOf } from './places.ts';
import { callOf, responseTo } from './requests.ts';

const gateway = useGateway();
const schema = buildGatewaySchema(resolvers, orphanTypes);
let company: TestCompany;

beforeAll(async () => {
  const key = await gateway.key(['PLATFORM', 'ENTITIES', 'GEOCODE', 'MANAGE_CONTENT', 'INTEGRATIONS', 'AGENT_WRITE']);
  company = await buildCompany(gateway, { key });
});

const ODD = [{}, '', 'nothing like it', -1, [[]], null, 987_654_321, '\u0000', true, 'x'.repeat(3_000)];
/** Odd values for each operation, each at another place. */
const ODD_TRIES = Number(process.env.SUITE_ROUNDS ?? 1);
/** Where the places and values of a run start. */
const SEED = Number(process.env.SUITE_SEED ?? randomInt(10_000));

/** Whether the path leads to a place of a value of the type. The last part may be an undeclared member: an error names it too. */
function leads(declared: GraphQLInputType, parts: string[], nameOf: NamingStrategy['fieldName']): boolean {
  const type = getNullableType(declared);
  const [part, ...rest] = parts;
  if (part === undefined) return true;
  if (isListType(type)) return /^\d+$/.test(part) ? leads(type.ofType, rest, nameOf) : leads(type.ofType, parts, nameOf);
  if (isScalarType(getNamedType(type))) return ['JSON', 'JSONObject'].includes(getNamedType(type).name);
  if (!isInputObjectType(type)) return false;
  const member = Object.values(type.getFields()).find((field) => nameOf(field.name, field) === part);
  return member ? leads(member.type, rest, nameOf) : rest.length === 0;
}

/** The type at the end of a path of members. */
function typeAt(declared: GraphQLInputType, [part, ...rest]: string[], nameOf: NamingStrategy['fieldName']): GraphQLInputType | undefined {
  const type = getNullableType(declared);
  if (part === undefined) return type;
  if (!isInputObjectType(type)) return undefined;
  const member = Object.values(type.getFields()).find((field) => nameOf(field.name, field) === part);
  return member && typeAt(member.type, rest, nameOf);
}

const partsOf = (path: string): string[] => path.replaceAll(/\[(\d+)\]/g, '.$1').split('.');
const asDeclared = (name: string): string => name;

/** Whether a path names an argument of a field of the operation. */
const isArgument = ({ fields }: Operation, path: string): boolean => {
  const [name, ...rest] = partsOf(path);
  return fields.some((field) => field.args.some((argument) => argument.name === name && leads(argument.type, rest, asDeclared)));
};

/** Whether a path names an argument, or a member of `input` as errors of a payload do. */
const isMember = (operation: Operation, path: string): boolean => isArgument(operation, path) || isArgument(operation, `input.${path}`);

/** Whether a caller of the route can send something under this name. */
function canSend({ fields, route }: Operation & { route: Route }, named: string): boolean {
  const last = fields.at(-1)!;
  const { fieldName }: NamingStrategy = namingStrategies[route.naming];
  if (Object.entries(route.args).some(([name, source]) => takes(name, source))) return true;
  if (!route.ledgerQuery) return false;
  if (['expand', 'select', 'include_deleted_records', 'offset', 'order_by', 'exact_count'].includes(named)) return true;
  if (route.ledgerQuery === 'summary' && ['group_by', 'sum', 'avg', 'min', 'max', 'time_zone', 'limit'].includes(named)) return true;
  if (route.ledgerQuery === 'list' && (['limit', 'next', 'prev', 'return_count'].includes(named) || named.startsWith('sort['))) return true;
  const filter = last.args.find((argument) => argument.name === 'filter');
  const [, dotted, operator] = /^([\w.]+)(?:\[(\w+)\])?$/.exec(named) ?? [];
  if (!filter || dotted === undefined) return false;
  const path = dotted.split('.');
  const condition = leads(filter.type, path, fieldName) ? typeAt(filter.type, path, fieldName) : undefined;
  return isInputObjectType(condition) ? (operator ?? 'eq') in condition.getFields() : condition !== undefined && operator === undefined;

  function takes(name: string, source: Route['args'][string]): boolean {
    if (source.from === 'value') return false;
    if (source.from === 'header') return source.name.toLowerCase() === named.toLowerCase();
    if (source.from !== 'body') return source.name === named;
    if (named === 'body' || source.orQuery?.includes(named)) return true;
    const [fieldOf, argumentOf] = name.includes('.') ? name.split('.') : [last.name, name];
    const argument = fields.find((field) => field.name === fieldOf)!.args.find((entry) => entry.name === argumentOf)!;
    const parts = partsOf(named);
    const below = source.member === undefined ? parts : parts[0] === source.member ? parts.slice(1) : undefined;
    return below !== undefined && leads(argument.type, below, fieldName);
  }
}

/** The fields that a response names. */
function namedIn({ route }: Operation, response: GatewayResponse): string[] {
  const error = response.body?.error;
  if (!route) {
    const atTop = (response.body.errors ?? []).flatMap(
      ({ extensions }: { extensions: { field?: string; details?: { field: string }[] } }) => [
        ...(extensions.field === undefined ? [] : [extensions.field]),
        ...(extensions.details ?? []).map((issue) => issue.field),
      ],
    );
    const payloads = Object.values(response.body.data ?? {}) as ({ errors?: { path: string[] }[] } | null)[];
    return [
      ...atTop,
      ...payloads.flatMap((payload) => payload?.errors ?? []).flatMap(({ path }) => (path.length > 0 ? [path.join('.')] : [])),
    ];
  }
  if (!error) return [];
  if (route.surface === 'integrations') return error.field === null ? [] : [error.field];
  if (route.surface === 'platform') return error.details.map((issue: { field: string }) => issue.field);
  return (error.errors ?? []).map(({ pointer }: { pointer: string }) => pointer.slice(1).replaceAll('/', '.') || 'body');
}

/** The words in camelCase of the messages of a snake_case body: REST has them in its paths and parameters alone. */
function foreignWords({ route }: Operation, { text }: GatewayResponse): string[] {
  if (!route || route.naming === 'camel') return [];
  const own = new Set(Object.values(route.args).flatMap((source) => ('name' in source ? [source.name] : [])));
  const messages = [...text.matchAll(/"(?:message|details|description)":"((?:[^"\\]|\\.)*)"/g)].map(([, message]) => message!);
  const words = messages.flatMap((message) => message.replaceAll(/\\"(?:[^"\\]|\\[^"])*\\"/g, '').match(/\b[a-z][a-z0-9]*[A-Z]\w*/g) ?? []);
  return words.filter((word) => !own.has(word) && !OPERATORS.has(word));
}

/** The operators of conditions that are written so on both endpoints. */
const OPERATORS = new Set(['startsWith', 'isNull']);

/** The headers, reduced to characters that a header can carry. */
const sendable = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, headerText(value)]));

const usual = (place: Place): unknown => {
  if (place.name === 'companyId' || (place.field.name === 'company' && place.name === 'id')) return company.id;
  const reference = referenceOf(place);
  if (!reference) return sampleOf(place);
  return place.type.name === 'UUID' ? '3f2b1c9e-8d4a-4b6f-9a51-0c7d2e8f6a10' : place.type.name === 'PositiveInt' ? 987_654_321 : 'none_1';
};

/** Sends an operation with odd values in some of its places; returns the named fields that the caller did not send. */
async function unsentFields(
  operation: Operation,
  number: number,
): Promise<{ wrong: string[]; named: number; nameless: string[]; foreign: string[] }> {
  const places = placesOf(operation);
  const found = { wrong: [] as string[], named: 0, nameless: [] as string[], foreign: [] as string[] };
  for (let attempt = 0; attempt <= ODD_TRIES; attempt++) {
    // The last request is complete and refers to nothing that exists.
    const place = attempt < ODD_TRIES && places.length > 0 ? places[(SEED + number + attempt * 7) % places.length] : undefined;
    const odd = ODD[(SEED + number * 3 + attempt) % ODD.length];
    const given = argumentsFor(operation, {
      wanted: place ? [place] : [],
      always: isCompanion,
      fill: (at) => (place && at.path.join('.') === place.path.join('.') ? odd : usual(at)),
    });
    const call = await callOf(operation, given);
    // With an empty segment the path belongs to another route.
    if (/\/(\/|$)/.test(call.path.split('?', 1)[0]!) && call.path !== '/') continue;
    const response = responseTo(
      operation,
      await gateway.send(call.method, call.path, {
        ...call,
        headers: { ...sendable(call.headers), ...credentialHeader(operation.route?.credential ?? 'bearer', company.key) },
      }),
    );
    expect(response.status, response.text).toBeLessThan(500);
    const { route } = operation;
    const what = `SUITE_SEED=${SEED} ${operation.title} ${place?.path.join('.')}=${JSON.stringify(odd)?.slice(0, 40)} -> ${response.text.slice(0, 300)}`;
    const fields = namedIn(operation, response);
    found.named += fields.length;
    for (const field of fields)
      if (!(route ? canSend({ ...operation, route }, field) : isMember(operation, field))) found.wrong.push(`${field}: ${what}`);
    for (const word of foreignWords(operation, response)) found.foreign.push(`${word}: ${what}`);
    if (fields.length === 0 && /"(code|error_code)":"(INVALID_PARAMS|MISSING_PARAMS)"/.test(response.text)) found.nameless.push(what);
  }
  return found;
}

describe.each([
  ['REST', restOperations(schema)],
  ['GraphQL', graphqlOperations(schema)],
  ['agents', agentOperations(schema)],
])('%s', (_, operations) => {
  it('an error names a parameter, header or member of the body its caller can send, by the name it is sent under', async () => {
    const wrong: string[] = [];
    const nameless: string[] = [];
    const foreign: string[] = [];
    let named = 0;
    for (const [number, operation] of operations.entries()) {
      const found = await unsentFields(operation, number);
      wrong.push(...found.wrong);
      nameless.push(...found.nameless);
      foreign.push(...found.foreign);
      named += found.named;
    }
    expect(wrong).toEqual([]);
    expect(nameless).toEqual([]);
    expect(foreign).toEqual([]);
    expect(named).toBeGreaterThan(operations.length / 2);
  }, 600_000);
});

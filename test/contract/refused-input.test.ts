// Issues of input are listed up to a bound and then counted, for every input of the schema and every route that takes a body.

import { connect } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import {
  type GraphQLArgument,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
} from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { bodyMegabytes, type Route } from '../../rest-compat/routes/route.ts';
import { routes } from '../../rest-compat/routes/routes.ts';
import { type NamingStrategy, namingStrategies } from '../../src/graphql/input/input-coercion.ts';
import { operationLimits } from '../../src/graphql/query-cost.ts';
import { buildGatewaySchema } from '../../src/graphql/schema.ts';
import { restTypeOf } from '../../src/records/schema-extensions.ts';
import { orphanTypes, resolvers } from '../../src/registry.ts';
import { type GatewayResponse, useGateway } from '../support/gateway.ts';
import { buildCompany } from '../support/records.ts';
import { credentialHeader, pathOf } from '../support/routes.ts';

const gateway = useGateway();
const schema = buildGatewaySchema(resolvers, orphanTypes);
let key: string;
let companyId: number;

beforeAll(async () => {
  key = await gateway.key(['PLATFORM', 'ENTITIES', 'GEOCODE', 'MANAGE_CONTENT', 'INTEGRATIONS', 'ADMIN']);
  companyId = (await buildCompany(gateway, { key })).id;
});

/** Bodies of the largest size take seconds to make and send. A part of a megabyte is more than a response may have, and no route takes less. */
const MAX_MEGABYTES = process.env.SUITE_ROUNDS ? 2 : 1;
const MAX_BYTES = 65_536;
/** The bodies of a run, as a part of the largest: whole ones with SUITE_ROUNDS. A response that grew with the body would be too large for either. */
const SHARE = process.env.SUITE_ROUNDS ? 1 : 0.08;
const MEGABYTE = SHARE * 1_048_576;

/** As many things as a JSON text of so many bytes has room for. */
const fitting = (bytes: number, each: number): number => Math.floor((bytes * 0.9) / each);

const unknownMembers = (bytes: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: fitting(bytes, 11) }, (_, index) => [`a${index}`, 1]));

/** Objects of as many unknown members as there is room for. */
const unknownRecords = (bytes: number): unknown[] => Array.from({ length: 1_000 }, () => unknownMembers(bytes / 1_100));

/** The values that a caller might send in the place of a list. */
const longLists: [name: string, make: (bytes: number) => unknown[]][] = [
  ['empty objects', (bytes) => Array.from({ length: fitting(bytes, 3) }, () => ({}))],
  ['one text again and again', (bytes) => Array.from({ length: fitting(bytes, 4) }, () => 'a')],
  ['nulls', (bytes) => Array.from({ length: fitting(bytes, 5) }, () => null)],
  ['objects of unknown members', unknownRecords],
  ['a thousand objects', (bytes) => Array.from({ length: 1_000 }, () => ({ name: 'x'.repeat(bytes / 1_200) }))],
];

/** The members of a type that take lists, by name; of records below them too. */
function listsOf(type: GraphQLInputType, nameOf: NamingStrategy['fieldName'] = (name) => name): string[] {
  const named = getNamedType(type);
  if (!isInputObjectType(named)) return [];
  return Object.values(named.getFields())
    .filter((field) => isListType(getNullableType(field.type)))
    .map((field) => nameOf(field.name, field));
}

/** A value for what an operation needs next to what is tried. */
function filler(argument: GraphQLArgument): unknown {
  const type = getNamedType(restTypeOf(argument));
  const value = isEnumType(type) ? type.getValues()[0]!.name : { PositiveInt: companyId, Int: 1, Boolean: true }[type.name];
  return isInputObjectType(type) ? {} : (value ?? 'a');
}

interface Call {
  title: string;
  send: () => Promise<GatewayResponse>;
}

function graphqlCalls(): Call[] {
  const roots = [schema.getQueryType()!, schema.getMutationType()!];
  // A second argument of the same type, such as the filter of a list and of its summary, is coerced by the same code.
  const tried = new Set<string>();
  return roots.flatMap((root) =>
    Object.values(root.getFields()).flatMap((field) =>
      field.args
        .filter(({ type }) => isInputObjectType(getNamedType(type)) || isListType(getNullableType(type)))
        .flatMap((argument) => {
          const isQuery = root === schema.getQueryType();
          const others = field.args.filter((one) => one !== argument && isNonNullType(one.type) && one.defaultValue === undefined);
          const given = [argument, ...others];
          const selected = isLeafType(getNamedType(field.type))
            ? ''
            : isQuery
              ? '{ __typename }'
              : '{ __typename errors { path message allowed } }';
          const query = `${isQuery ? 'query' : 'mutation'}(${given.map(({ name, type }) => `$${name}: ${type}`)}) { ${field.name}(${given.map(({ name }) => `${name}: $${name}`)}) ${selected} }`;
          const room = operationLimits.bodyMegabytes * MEGABYTE - query.length - 1_000;
          const values: [string, () => unknown][] = isListType(getNullableType(argument.type))
            ? longLists.map(([name, make]) => [name, () => make(room)])
            : [
                ['unknown members', () => unknownMembers(room)],
                ...longLists.map(([name, make]): [string, () => unknown] => [
                  `${name} in every list`,
                  () => {
                    const lists = listsOf(argument.type);
                    return Object.fromEntries(lists.map((list) => [list, make(room / lists.length)]));
                  },
                ]),
              ];
          const isSecond = tried.has(String(argument.type));
          tried.add(String(argument.type));
          return values.slice(0, isSecond ? 1 : undefined).map(([name, value]) => ({
            title: `${field.name}(${argument.name}) with ${name}`,
            send: () =>
              gateway.graphql(key, query, {
                ...Object.fromEntries(others.map((one) => [one.name, filler(one)])),
                [argument.name]: value(),
              }),
          }));
        }),
    ),
  );
}

/** The type of the body of a route, or of the records in its member `data`. */
function bodyOf(route: Route): { member: string | undefined; type: GraphQLInputType } | undefined {
  const found = Object.entries(route.args).find(([, source]) => source.from === 'body');
  if (found?.[1].from !== 'body') return undefined;
  const names = [...route.root.split('.').slice(-1), ...found[0].split('.')].slice(-2);
  const roots = [schema.getQueryType()!, schema.getMutationType()!];
  const field = roots.flatMap((root) => root.getFields()[names[0]!] ?? []).at(-1);
  const args = field?.extensions.inputArgument?.declared ?? field?.args;
  return { member: found[1].member, type: args!.find(({ name }) => name === names[1])!.type };
}

function restCalls(): Call[] {
  return routes.flatMap((route) => {
    const body = bodyOf(route);
    if (!body) return [];
    const room = Math.min(route.bodyMegabytes ?? bodyMegabytes[route.surface], MAX_MEGABYTES) * MEGABYTE - 1_000;
    const { fieldName }: NamingStrategy = namingStrategies[route.naming];
    const lists = listsOf(body.type, fieldName);
    const placed = (value: unknown): unknown => (body.member ? { [body.member]: value } : value);
    const values: [string, () => unknown][] = [
      ['unknown members', () => placed(unknownMembers(room))],
      ['further unknown members', () => unknownMembers(room)],
      ...(route.method === 'PUT' || body.member === 'data'
        ? [['records of unknown members', () => placed(unknownRecords(room))] as const]
        : []),
      ...longLists.map(([name, make]): [string, () => unknown] => [
        `${name} in every list`,
        () => placed(Object.fromEntries(lists.map((list) => [list, make(room / lists.length)]))),
      ]),
    ].slice(0, lists.length === 0 ? 3 : undefined) as [string, () => unknown][];
    const path = pathOf(route, (name) => (/company/.test(name) ? String(companyId) : '1'));
    return values.map(([name, value]) => ({
      title: `${route.method} ${route.path} with ${name}`,
      send: () =>
        gateway.send(route.method, `${path}${name.startsWith('records') ? '?run_async=true' : ''}`, {
          headers: credentialHeader(route.credential, key),
          body: value(),
        }),
    }));
  });
}

/** What is wrong with a response: input was rejected, in few bytes. */
function complaint({ status, text, body }: GatewayResponse): string | undefined {
  if (status >= 500 || text.includes('INTERNAL_ERROR')) return `${status} ${text.slice(0, 200)}`;
  const isRefused = status >= 400 || text.includes('"errors"');
  if (isRefused && Buffer.byteLength(text) > MAX_BYTES) return `${text.length} bytes: ${text.slice(0, 200)}`;
  const listed = body?.error?.details ?? body?.errors?.[0]?.extensions?.details ?? [];
  return listed.length > 100 ? `${listed.length} issues` : undefined;
}

async function complaints(calls: Call[]): Promise<string[]> {
  const found: string[] = [];
  for (const { title, send } of calls) {
    const wrong = complaint(await send());
    if (wrong) found.push(`${title}: ${wrong}`);
  }
  return found;
}

describe('input that is wrong everywhere', () => {
  it('is rejected in at most 64 KB by every argument of /graphql, at the largest body', async () => {
    const calls = graphqlCalls();
    expect(await complaints(calls)).toEqual([]);
  }, 1_200_000);

  it('is rejected in at most 64 KB by every route, at the largest body', async () => {
    const calls = restCalls();
    expect(await complaints(calls)).toEqual([]);
  }, 1_200_000);
});

describe('a request that is no good request', () => {
  it.each(['/graphql', '/api/v1/products', '/v4/core/companies', '/livez'])('two Host headers are 400 at %s', async (path) => {
    const socket = connect(Number(new URL(gateway.origin).port), '127.0.0.1');
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nhost: b\r\nConnection: close\r\n\r\n`);
    const response = await textOf(socket);
    expect(response).toMatch(/^HTTP\/1\.1 400 /);
    expect(response).toContain('the request has more than one Host header');
  });

  it('a document that is nested too deep is reported as such', async () => {
    const response = await gateway.graphql(key, `{ nodes(ids: ${'['.repeat(1_900)}`);
    // How deep the parser gets depends on what it was compiled to by then.
    expect([response.status, response.body.errors[0].message]).toEqual([
      400,
      expect.stringMatching(/^(the document is nested too deep|Syntax Error.*)$/),
    ]);
  });

  it('a sentence of graphql-js does not repeat a long name', async () => {
    const response = await gateway.graphql(key, `{ ${'x'.repeat(900_000)} }`);
    expect([response.status, response.body.errors[0].extensions.code]).toEqual([400, 'INVALID_PARAMS']);
    expect(response.text.length).toBeLessThan(4_000);
  });

  it.each(['literal', 'variable'])('a wrong file in input is named once, as a %s', async (form) => {
    const query = `mutation ($file: Upload) { importRecords(input: { companyId: ${companyId}, dataModel: ACCOUNT, file: ${form === 'literal' ? '"[1]"' : '$file'} }) { file { id } } }`;
    const { body } = await gateway.graphql(
      key,
      query.replace(form === 'literal' ? '($file: Upload)' : 'Upload', form === 'literal' ? '' : 'Upload!'),
      {
        file: '[1]',
      },
    );
    const message = 'record 1 must be an object';
    expect(body.errors).toMatchObject([{ message, extensions: { field: 'input.file', details: [{ field: 'input.file', message }] } }]);
  });

  it.each<[string, string, string]>([
    [
      'a column twice among many',
      `${Array.from({ length: 80_000 }, (_, index) => `c${index}`)},c7\n${'1,'.repeat(80_000)}1\n`,
      'CSV_HEADER_INVALID',
    ],
    ['a row that is too long', `platform_id,name\n1,2,3\n`, 'INVALID_PARAMS'],
    ['JSON that is cut off', JSON.stringify(Array.from({ length: 9_000 }, () => ({ platform_id: 'p' }))).slice(0, -1), 'INVALID_PARAMS'],
  ])('an inbox file with %s is rejected', async (_, content, code) => {
    const query = `mutation ($file: Upload!) { importRecords(input: { companyId: ${companyId}, dataModel: ACCOUNT, file: $file }) { file { id } } }`;
    const { body } = await gateway.graphql(key, query, { file: content });
    expect(body.errors).toMatchObject([{ extensions: { code, field: 'input.file' } }]);
  });
});

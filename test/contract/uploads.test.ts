// What is said of an uploaded file holds for all of it, on every route and mutation that takes one: a retry is the same file to its last byte, and
// a name that is given is its name.
import { type GraphQLInputObjectType, getNamedType } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Route } from '../../rest-compat/routes/route.ts';
import { routes } from '../../rest-compat/routes/routes.ts';
import { buildGatewaySchema } from '../../src/graphql/schema.ts';
import { orphanTypes, resolvers } from '../../src/registry.ts';
import { type GatewayResponse, useGateway } from '../support/gateway.ts';
import { buildCompany, type TestCompany } from '../support/records.ts';

const gateway = useGateway();
let company: TestCompany;
let key: string;

/** A file of the inbox, and text for every other purpose. Its first 256 kB are stored as one piece; it ends behind them. */
const file = (end: string): string =>
  `platform_id,name\n${Array.from({ length: 20_000 }, (_, at) => `c${at},Name ${at}\n`).join('')}last,${end}\n`;
const [FIRST, OTHER] = [file('a'), file('b')];

async function form(parts: readonly (readonly [name: string, value: string, fileName?: string])[]) {
  const body = new FormData();
  for (const [name, value, fileName] of parts)
    if (fileName === undefined) body.append(name, value);
    else body.append(name, new Blob([value]), fileName);
  const request = new Request('http://form.invalid', { method: 'POST', body });
  return { raw: new Uint8Array(await request.arrayBuffer()), headers: { 'content-type': request.headers.get('content-type')! } };
}

beforeAll(async () => {
  key = await gateway.key(['PLATFORM', 'INTEGRATIONS']);
  company = await buildCompany(gateway, { key });
});

/** A new document of the type in the name of a list or of a mutation. */
async function document(list: string): Promise<number> {
  const response = await gateway.send('POST', `${company.base}/${list}`, {
    headers: company.headers,
    body: { data: { platform_id: crypto.randomUUID() } },
  });
  expect(response.status, response.text).toBe(201);
  return response.body.data.data.ledger_id;
}

const uploading = routes.filter(({ args }) => Object.values(args).some(({ from }) => from === 'upload'));
const listOf = (path: string): string | undefined => /\/(\w+)\/\{id\}\/attachments$/.exec(path)?.[1];

/** Posts a file to a route; `more` are further parts and headers. */
async function post(
  { args }: Route,
  url: string,
  content: string,
  parts: Record<string, string> = {},
  headers: Record<string, string> = {},
) {
  const names = Object.values(args).flatMap((source) => (source.from === 'part' ? [source.name] : []));
  const model: Record<string, string> = names.includes('data_model') ? { data_model: 'CONTACT' } : {};
  const sent = await form([...Object.entries({ ...model, ...parts }), ['file', content, 'sent.csv']]);
  return gateway.send('POST', url, {
    headers: { authorization: `Bearer ${key}`, api_key: key, ...sent.headers, ...headers },
    raw: sent.raw,
  });
}

async function urlOf({ path }: Route): Promise<string> {
  const list = listOf(path);
  return path.replace('{companyId}', String(company.id)).replace('{id}', list ? String(await document(list)) : '');
}

describe('on REST', () => {
  it('there are many routes', () => expect(uploading.length).toBeGreaterThan(10));

  it.each(uploading.map((route) => [`${route.method} ${route.path}`, route] as const))(
    '%s distinguishes files that begin alike',
    async (_, route) => {
      const url = await urlOf(route);
      const headers = { 'idempotency-key': `upload-${crypto.randomUUID()}` };
      const first = await post(route, url, FIRST, {}, headers);
      expect(first.status, first.text).toBe(route.status);
      const again = await post(route, url, FIRST, {}, headers);
      expect([again.status, again.headers.get('idempotency-replayed'), again.body]).toEqual([route.status, 'true', first.body]);
      const other = await post(route, url, OTHER, {}, headers);
      expect([other.status, other.text], other.text).toEqual([422, expect.stringContaining('IDEMPOTENCY_KEY_REUSED')]);
    },
  );

  const named = uploading.filter(({ args }) => args.name?.from === 'part');
  it.each(named.map((route) => [route.path, route] as const))('%s gives the file the name of its part', async (_, route) => {
    const url = await urlOf(route);
    expect((await post(route, url, FIRST, { name: 'as it is called.csv' })).body.data.name).toBe('as it is called.csv');
    expect((await post(route, url, FIRST, { name: ' ' })).body.data.name).toBe('sent.csv');
    expect((await post(route, url, FIRST)).body.data.name).toBe('sent.csv');
    const nameless = await post(route, url, FIRST, { name: '..' });
    expect([nameless.status, nameless.body.error.error_code]).toEqual([400, 'MISSING_PARAMS']);
  });
});

const schema = buildGatewaySchema(resolvers, orphanTypes);
/** The mutations whose input has a file: its member, and the one for its name. A signed link opens the form of an incorporation. */
const mutations = Object.values(schema.getMutationType()!.getFields()).flatMap(({ name, args }) => {
  const input = getNamedType(args.find((argument) => argument.name === 'input')!.type) as GraphQLInputObjectType;
  const members = Object.values(input.getFields());
  const content = members.find(({ type }) => getNamedType(type).name === 'Upload')?.name;
  const fileName = members.find((member) => /^(name|fileName)$/.test(member.name))?.name;
  const has = (member: string): boolean => members.some((one) => one.name === member);
  return content && content !== 'proofOfAddress' ? [{ name, input: input.name, content, fileName, has }] : [];
});
type Mutation = (typeof mutations)[number];

async function run(
  { name, input, content, has }: Mutation,
  id: number | undefined,
  text: string,
  more: object = {},
  headers: Record<string, string> = {},
): Promise<GatewayResponse> {
  const given = {
    ...(has('companyId') ? { companyId: company.id } : {}),
    ...(has('dataModel') ? { dataModel: 'CONTACT' } : {}),
    ...(id === undefined ? {} : { id }),
    ...more,
  };
  const shown =
    name === 'createFile'
      ? 'file { name }'
      : name === 'importRecords'
        ? 'file { fileName }'
        : name === 'previewImport'
          ? 'preview { isComplete }'
          : 'attachment { name }';
  const query = `mutation ($input: ${input}!) { ${name}(input: $input) { ${shown} } }`;
  const sent = await form([
    ['operations', JSON.stringify({ query, variables: { input: { ...given, [content]: null } } })],
    ['map', JSON.stringify({ 0: [`variables.input.${content}`] })],
    ['0', text, 'sent.csv'],
  ]);
  return gateway.send('POST', '/graphql', {
    headers: { authorization: `Bearer ${key}`, 'apollo-require-preflight': '1', ...sent.headers, ...headers },
    raw: sent.raw,
  });
}

/** The document that a mutation attaches to; undefined for the others. */
async function documentFor({ name }: Mutation): Promise<number | undefined> {
  const type = /^add(\w+)Attachment$/.exec(name)?.[1];
  const route = uploading.find(({ root }) => root === name);
  return type ? document(listOf(route!.path)!) : undefined;
}

describe('in GraphQL', () => {
  it('there are many mutations', () => expect(mutations.length).toBeGreaterThan(10));

  it.each(mutations.map((mutation) => [mutation.name, mutation] as const))(
    '%s distinguishes files that begin alike',
    async (_, mutation) => {
      const id = await documentFor(mutation);
      const headers = { 'idempotency-key': `upload-${crypto.randomUUID()}` };
      const first = await run(mutation, id, FIRST, {}, headers);
      expect(first.body.errors, first.text).toBeUndefined();
      const again = await run(mutation, id, FIRST, {}, headers);
      expect([again.headers.get('idempotency-replayed'), again.body]).toEqual(['true', first.body]);
      const other = await run(mutation, id, OTHER, {}, headers);
      expect(other.body.errors?.[0].extensions.code, other.text).toBe('IDEMPOTENCY_KEY_REUSED');
    },
  );

  it.each(mutations.filter(({ fileName }) => fileName).map((mutation) => [mutation.name, mutation] as const))(
    '%s gives the file the given name',
    async (name, mutation) => {
      const id = await documentFor(mutation);
      const shown = async (more: object) =>
        Object.values(Object.values((await run(mutation, id, FIRST, more)).body.data[name])[0] as object)[0];
      expect(await shown({ [mutation.fileName!]: 'as it is called.csv' })).toBe('as it is called.csv');
      expect(await shown({ [mutation.fileName!]: null })).toBe('sent.csv');
      expect(await shown({})).toBe('sent.csv');
    },
  );
});

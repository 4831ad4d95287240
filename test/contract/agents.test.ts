// `POST /mcp` for agents: the protocol by its own client, the four tools, and what every other endpoint rejects too.
import { Client, StreamableHTTPClientTransport, type VersionNegotiationMode } from '@modelcontextprotocol/client';
import { parse } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { MAX_DESCRIPTION } from '../../site/mcp/describe.ts';
import { ADMIN_TOKEN, useGateway } from '../support/gateway.ts';

const gateway = useGateway();
let reader: string;
let writer: string;
let other: string;
beforeAll(async () => {
  reader = await gateway.key(['PLATFORM', 'INTEGRATIONS'], 'Agents');
  writer = await gateway.key(['PLATFORM', 'AGENT_WRITE'], 'Agents');
  other = await gateway.key(['PLATFORM', 'INTEGRATIONS', 'AGENT_WRITE'], 'Other agents');
});

/** A client of the protocol's own SDK. */
async function connect(key: string, mode: VersionNegotiationMode = 'auto'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${gateway.origin}/mcp`), { requestInit }));
  return client;
}

/** Calls a tool; its text, parsed where it is JSON. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into responses by path.
async function call(key: string, name: string, given: Record<string, unknown>): Promise<{ isError: boolean; text: string; data: any }> {
  const client = await connect(key);
  const { content, isError = false } = await client.callTool({ name, arguments: given });
  await client.close();
  const { text } = content[0] as { text: string };
  return { isError, text, data: /^[[{]/.test(text) ? JSON.parse(text) : undefined };
}

const HEADERS = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
const post = (body: unknown, headers: Record<string, string> = {}) =>
  gateway.send('POST', '/mcp', {
    headers: { ...HEADERS, authorization: `Bearer ${reader}`, ...headers },
    raw: typeof body === 'string' ? body : JSON.stringify(body),
  });
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };

const CORPORATIONS = 'query Names { corporations { nodes { legalName } } }';
const CREATE =
  'mutation Create($input: CreateCorporationInput!) { createCorporation(input: $input) { corporation { id } errors { code path } } }';
const corporation = (legalName: string) => ({ input: { legalName, jurisdiction: 'US', state: 'DE', entityType: 'C_CORP' } });

describe('the protocol', () => {
  it.each(['auto', 'legacy'] as const)('its client in mode %s connects without a session and lists four tools', async (mode) => {
    const client = await connect(reader, mode);
    expect(client.getServerVersion()?.name).toBe('ledger-gateway');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['search', 'describe', 'check', 'run']);
    expect(tools.map(({ inputSchema }) => Object.keys(inputSchema.properties ?? {}))).toEqual([
      ['query', 'limit'],
      ['name'],
      ['operation', 'variables'],
      ['operation', 'variables'],
    ]);
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
    await client.close();
  });

  it('the guides are resources, as the pages have them', async () => {
    const client = await connect(reader);
    const { resources } = await client.listResources();
    const lists = resources.find(({ name }) => name === 'lists')!;
    expect(lists).toMatchObject({ uri: expect.stringContaining('/docs/guides/lists.md'), mimeType: 'text/markdown' });
    const { contents } = await client.readResource({ uri: lists.uri });
    expect(contents).toMatchObject([{ text: (await gateway.send('GET', '/docs/guides/lists.md')).text }]);
    await client.close();
  });

  it('the schema is a resource for each area, as the definitions of its record types', async () => {
    const client = await connect(reader);
    const { resources } = await client.listResources();
    const areas = resources.filter(({ uri }) => uri.startsWith('schema:'));
    expect(areas.length).toBeGreaterThan(1);
    const texts = await Promise.all(areas.map(async ({ uri }) => (await client.readResource({ uri })).contents[0] as { text: string }));
    const types = texts.flatMap(({ text }) => parse(text).definitions.map((definition) => 'name' in definition && definition.name?.value));
    expect(types).toEqual(expect.arrayContaining(['Invoice', 'Corporation', 'Webhook']));
    await client.close();
  });

  it('each request is independent: a tool is called without a handshake, and no session is named', async () => {
    const { status, text, headers } = await post({
      ...LIST,
      method: 'tools/call',
      params: { name: 'search', arguments: { query: 'webhook' } },
    });
    expect([status, headers.get('mcp-session-id')]).toEqual([200, null]);
    expect(text).toContain('/docs/graphql/types/Webhook');
  });

  it.each(['GET', 'DELETE', 'PUT'])('%s is 405', async (method) => {
    const { status, headers, body } = await gateway.send(method, '/mcp', { headers: { ...HEADERS, authorization: `Bearer ${reader}` } });
    expect([status, headers.get('allow')]).toEqual([405, 'POST']);
    expect(body).toMatchObject({ jsonrpc: '2.0', id: null, error: { data: { code: 'METHOD_NOT_ALLOWED' } } });
  });

  it('a page of another origin is rejected, one of development on the same machine is not', async () => {
    expect((await post(LIST, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await post(LIST, { origin: 'http://localhost:5173' })).status).toBe(200);
  });

  it.each([
    ['no key', LIST, { authorization: '' }, 401, -32_000, 'UNAUTHENTICATED'],
    ['a wrong key', LIST, { authorization: 'Bearer ent_wrong' }, 401, -32_000, 'UNAUTHENTICATED'],
    ['what is no JSON', '{"jsonrpc":', {}, 400, -32_700, 'INVALID_JSON'],
    ['no body', '', {}, 400, -32_700, 'INVALID_JSON'],
    ['text', '"tools/list"', {}, 400, -32_700, 'INVALID_JSON'],
    ['a batch', [LIST, LIST], {}, 400, -32_600, 'INVALID_PARAMS'],
    ['another type', 'a=b', { 'content-type': 'application/x-www-form-urlencoded' }, 415, -32_000, 'UNSUPPORTED_MEDIA_TYPE'],
    ['too large a body', JSON.stringify({ ...LIST, params: { text: 'x'.repeat(1_100_000) } }), {}, 413, -32_000, 'PAYLOAD_TOO_LARGE'],
  ])('%s is an error of JSON-RPC', async (_, body, headers, status, code, name) => {
    const response = await post(body, headers as Record<string, string>);
    expect([response.status, response.body]).toMatchObject([status, { jsonrpc: '2.0', id: null, error: { code, data: { code: name } } }]);
    expect(response.headers.get('www-authenticate')).toBe(status === 401 ? 'Bearer' : null);
  });

  it.each([
    ['an unknown method', { ...LIST, method: 'tools/none' }],
    ['an unknown tool', { ...LIST, method: 'tools/call', params: { name: 'none', arguments: {} } }],
    ['no message of JSON-RPC', { query: '{ viewer { roles } }' }],
    ['a version that does not exist', { ...LIST, jsonrpc: '1.0' }],
    ['a subscription to changes', { ...LIST, method: 'subscriptions/listen', params: { notifications: { toolsListChanged: true } } }],
    ['members that are no values', { ...LIST, method: 'tools/call', params: { name: 'run', arguments: [] } }],
  ])('%s is an error, and none of the server', async (_, body) => {
    const { status, text } = await post(body);
    expect(status).toBeLessThan(500);
    expect(text).toMatch(/"error":|"isError":true/);
    expect(text).not.toMatch(/ {4}at |node_modules/);
  });
});

describe('documents of a key', () => {
  const NAMED =
    '# Corporations whose name\n# has a word.\nquery CorporationsNamed($filter: CorporationFilter!, $first: Int = 5, $topics: [EventTopic!]) { corporations(filter: $filter, first: $first) { nodes { legalName } } events(filter: { topic: { in: $topics } }) { totalCount } }';
  const issue = (tools: unknown, roles = ['PLATFORM', 'AGENT_WRITE']) =>
    gateway.graphql(
      ADMIN_TOKEN,
      'mutation($input: IssueAccessKeyInput!) { issueAccessKey(input: $input) { key accessKey { id tools } } }',
      {
        input: { organisationName: 'Agents with tools', roles, tools },
      },
    );

  it('are tools with the schemas of their variables, run as run does, and go over to the successor of the key', async () => {
    const { body } = await issue([NAMED, CREATE]);
    const { key, accessKey } = body.data.issueAccessKey;
    expect(accessKey.tools).toEqual([NAMED, CREATE]);
    const rotated = await gateway.graphql(ADMIN_TOKEN, 'mutation($id: ID!) { rotateAccessKey(input: { id: $id }) { key } }', {
      id: accessKey.id,
    });
    for (const one of [key, rotated.body.data.rotateAccessKey.key]) {
      const client = await connect(one);
      const { tools } = await client.listTools();
      await client.close();
      expect(tools.map(({ name }) => name)).toEqual(['search', 'describe', 'check', 'run', 'CorporationsNamed', 'Create']);
      const [named, create] = tools.slice(4);
      expect([named!.description, named!.annotations?.readOnlyHint, create!.annotations?.readOnlyHint]).toEqual([
        'Corporations whose name has a word.',
        true,
        false,
      ]);
      expect(named!.inputSchema).toMatchObject({
        type: 'object',
        required: ['filter'],
        additionalProperties: false,
        properties: {
          filter: { $ref: '#/$defs/CorporationFilter' },
          first: { type: 'integer' },
          topics: { type: 'array', items: { type: 'string', enum: expect.arrayContaining(['PRODUCTS_CREATED']) } },
        },
        $defs: { CorporationFilter: { type: 'object', properties: { legalName: { $ref: '#/$defs/TextFilter' } } } },
      });
      expect(JSON.stringify(named!.inputSchema).length).toBeLessThan(60_000);
    }
    expect((await call(key, 'Create', corporation('Made by a tool'))).data.data.createCorporation.errors).toEqual([]);
    const { data } = await call(key, 'CorporationsNamed', { filter: { legalName: { contains: 'by a tool' } } });
    expect(data.data.corporations.nodes).toEqual([{ legalName: 'Made by a tool' }]);
    const wrong = await call(key, 'CorporationsNamed', { filter: { legalName: { has: 'tool' } } });
    expect([wrong.isError, wrong.data.errors[0].extensions.code]).toEqual([true, 'INVALID_PARAMS']);
    expect((await call(key, 'CorporationsNamed', {})).data.errors[0].message).toContain('filter');
  });

  it('no tool passes over an argument that it does not have', async () => {
    const { key } = (await issue([NAMED, CREATE])).body.data.issueAccessKey;
    const client = await connect(key);
    const { tools } = await client.listTools();
    await client.close();
    const given: Record<string, Record<string, unknown>> = {
      search: { query: 'contact' },
      describe: { name: 'Contact' },
      check: { operation: CORPORATIONS },
      run: { operation: CORPORATIONS },
      CorporationsNamed: { filter: {} },
      Create: corporation('Never made either'),
    };
    for (const { name, inputSchema } of tools) {
      expect((await call(key, name, { ...given[name], frist: 1 })).isError, name).toBe(true);
      expect((await call(key, name, { ...given[name], frist: 1 })).text).toContain('frist');
      expect(inputSchema.additionalProperties, name).toBe(false);
    }
    const { data } = await call(key, 'run', { operation: CORPORATIONS });
    expect(JSON.stringify(data)).not.toContain('Never made either');
  });

  it('do not open what the roles do not: a mutation needs AGENT_WRITE, and no other key has the tools', async () => {
    const { body } = await issue([CREATE], ['PLATFORM']);
    const { data } = await call(body.data.issueAccessKey.key, 'Create', corporation('Never made'));
    expect(data.errors[0].extensions.code).toBe('FORBIDDEN');
    const client = await connect(writer);
    expect((await client.listTools()).tools).toHaveLength(4);
    await client.close();
  });

  it.each([
    ['what is no document', 'query {', 'INVALID_VALUE'],
    ['one without a name', '{ viewer { roles } }', 'INVALID_VALUE'],
    ['two operations', 'query A { viewer { roles } } query B { viewer { roles } }', 'INVALID_VALUE'],
    ['a subscription', 'subscription A { eventStream { id } }', 'INVALID_VALUE'],
    ['a fragment alone', 'fragment A on Viewer { roles }', 'INVALID_VALUE'],
    ['a field that is not there', 'query A { none }', 'INVALID_VALUE'],
    ['the name of another tool', 'query search { viewer { roles } }', 'DUPLICATE'],
    ['the name of the first again', 'query First { viewer { organisationName } }', 'DUPLICATE'],
  ])('%s is rejected, and no key is issued', async (_, document, code) => {
    const count = async () =>
      (await gateway.graphql(ADMIN_TOKEN, '{ accessKeyConnection(organisationName: "Agents with tools") { totalCount } }')).body.data;
    const before = await count();
    const { extensions } = (await issue(['query First { viewer { roles } }', document])).body.errors[0];
    expect([extensions.field, extensions.details[0].code]).toEqual(['input.tools[1]', code]);
    expect(await count()).toEqual(before);
  });
});

describe('where tokens of an issuer are taken', () => {
  const issued = useGateway({ oidcIssuer: 'https://issuer.example', oidcAudience: 'ledger', publicUrl: 'https://ledger.example' });

  it('a request without one gets the address of the metadata that names the issuer', async () => {
    const { status, headers } = await issued.send('POST', '/mcp', { headers: HEADERS, body: LIST });
    const address = 'https://ledger.example/.well-known/oauth-protected-resource/mcp';
    expect([status, headers.get('www-authenticate')]).toEqual([401, `Bearer resource_metadata="${address}"`]);
    const { body } = await issued.send('GET', new URL(address).pathname);
    expect(body).toEqual({
      resource: 'https://ledger.example/mcp',
      authorization_servers: ['https://issuer.example'],
      bearer_methods_supported: ['header'],
    });
    expect((await gateway.send('GET', new URL(address).pathname)).status).toBe(404);
  });

  it('a page of the gateway itself may call it', async () => {
    const from = async (origin: string) => (await issued.send('POST', '/mcp', { headers: { ...HEADERS, origin }, body: LIST })).status;
    expect([await from('https://ledger.example'), await from('https://ledger.example.evil')]).toEqual([401, 403]);
  });
});

describe('search and describe', () => {
  it('a search is the one of the documentation, cut to its limit', async () => {
    const { data } = await call(reader, 'search', { query: 'webhook', limit: 2 });
    const page = await gateway.send('GET', '/docs/search?q=webhook', { headers: { accept: 'application/json' } });
    expect(data.results).toEqual(page.body.results.slice(0, 2));
  });

  it.each([
    ['companies', ['# companies (query)', 'Returns `CompanyConnection`', '`first: Int', '```graphql']],
    ['Query.companies', ['# companies (query)']],
    ['createContact', ['`input: CreateContactInput!`', '## Errors', '`INTEGRATIONS`']],
    ['Contact', ['# Contact (object)', '`email: String`', 'fragment Example on Contact']],
    ['Contact.invoices', ['# Contact.invoices', '`filter: InvoiceFilter`', 'fragment Example on Contact']],
    ['CreateContactInput', ['# CreateContactInput (input)', '```json']],
    ['DocumentStatus', ['# DocumentStatus (enum)', '`OVERDUE`']],
    ['GET /api/v1/webhooks', ['`GET /api/v1/webhooks`', '```sh', 'Authorization: Bearer <key>']],
    ['STALE_RECORD', ['# STALE_RECORD', 'Fix: ']],
    ['lists', ['# Lists: filters, sorting, pagination, totals']],
    ['Sums', ['## Sums']],
    ['Requests per key', ['# Requests per key']],
  ])('%s is described', async (name, parts) => {
    const { isError, text } = await call(reader, 'describe', { name });
    expect(isError).toBe(false);
    for (const part of parts) expect(text).toContain(part);
  });

  it('a long page is cut at its budget, with the address of the whole', async () => {
    const { text } = await call(reader, 'describe', { name: 'Company' });
    expect(text.length).toBeLessThan(MAX_DESCRIPTION + 200);
    const [, address = ''] = /the whole page is (\S+)\.\n$/.exec(text) ?? [];
    expect((await gateway.send('GET', address)).text.length).toBeGreaterThan(MAX_DESCRIPTION);
  });

  it('every title of a search is a name that is described', async () => {
    for (const query of ['webhook', 'overdue', 'stale', 'contact', 'page', 'key']) {
      const { data } = await call(reader, 'search', { query, limit: 10 });
      for (const { title } of data.results) expect((await call(reader, 'describe', { name: title })).isError, title).toBe(false);
    }
  });

  it('what nothing is named is an error that says what to do', async () => {
    expect(await call(reader, 'describe', { name: 'Zebra' })).toMatchObject({ isError: true, text: expect.stringContaining('search') });
  });
});

describe('check and run', () => {
  it('a query is checked with its price and runs as on /graphql', async () => {
    const given = { operation: 'query Viewer { viewer { roles } }' };
    expect((await call(reader, 'check', given)).data).toEqual({ valid: true, kind: 'query', cost: 1, costLimit: 20_000 });
    const { isError, data } = await call(reader, 'run', given);
    expect(isError).toBe(false);
    expect(data).toEqual((await gateway.graphql(reader, given.operation)).body);
  });

  it('what /graphql rejects is rejected by both, with the same code', async () => {
    const wrong: [operation: string, variables?: Record<string, unknown>][] = [
      ['query { corporations { none } }'],
      ['query {'],
      [''],
      ['query Two { viewer { roles } } query More { viewer { roles } }'],
      ['subscription { eventStream { id } }'],
      ['query Big($n: Int) { corporations(first: $n) { nodes { products(first: 1000) { nodes { id } } } } }', { n: 1_000 }],
      ['query One($id: ID!) { company(id: $id) { name } }', { id: 1.5 }],
      ['query One($id: ID!) { company(id: $id) { name } }'],
      ['query { accessKeys(organisationName: "Agents") { id } }'],
    ];
    for (const [operation, variables] of wrong) {
      const direct = await gateway.graphql(reader, operation, variables);
      const codes = direct.body.errors.map(({ extensions }: { extensions: { code: string } }) => extensions.code);
      for (const tool of ['check', 'run']) {
        const { isError, data } = await call(reader, tool, { operation, ...(variables ? { variables } : {}) });
        expect([isError, data.errors.map(({ extensions }: { extensions: { code: string } }) => extensions.code)], operation).toEqual([
          true,
          codes,
        ]);
      }
    }
  });

  it('a mutation needs the role, and stores nothing without it', async () => {
    const given = { operation: CREATE, variables: corporation('Written by an agent') };
    for (const tool of ['check', 'run']) {
      const { isError, data } = await call(reader, tool, given);
      expect([isError, data.errors[0].extensions.code, data.errors[0].message]).toEqual([
        true,
        'FORBIDDEN',
        expect.stringContaining('AGENT_WRITE'),
      ]);
    }
    expect((await call(reader, 'run', { operation: CORPORATIONS })).data).toEqual({ data: { corporations: { nodes: [] } } });
    expect((await call(writer, 'check', given)).data).toMatchObject({ valid: true, kind: 'mutation' });
    expect((await call(writer, 'run', given)).data.data.createCorporation.errors).toEqual([]);
    // On /graphql the role is not asked for: that is for agents.
    expect((await gateway.graphql(reader, CREATE, corporation('Written by a program'))).body.data.createCorporation.errors).toEqual([]);
    const { data } = await call(reader, 'run', { operation: CORPORATIONS });
    expect(data.data.corporations.nodes.map(({ legalName }: { legalName: string }) => legalName).sort()).toEqual([
      'Written by a program',
      'Written by an agent',
    ]);
  });

  it('the role opens nothing that the other roles do not', async () => {
    const agent = await gateway.key(['AGENT_WRITE'], 'Agents');
    const { data } = await call(agent, 'run', { operation: CREATE, variables: corporation('Never') });
    expect(data.errors[0].extensions.code).toBe('FORBIDDEN');
  });

  it('a check of a mutation stores nothing, and reports values that are wrong', async () => {
    const before = await call(other, 'run', { operation: CORPORATIONS });
    const { isError, data } = await call(other, 'check', {
      operation: CREATE,
      variables: { input: { ...corporation('').input } },
    });
    expect([isError, data.errors[0].extensions.code]).toEqual([true, 'MISSING_PARAMS']);
    expect(await call(other, 'run', { operation: CORPORATIONS })).toEqual(before);
  });

  it('two organisations do not see each other', async () => {
    const { data } = await call(other, 'run', { operation: CREATE, variables: corporation('Of the other') });
    const { id } = data.data.createCorporation.corporation;
    const one = { operation: 'query One($id: ID!) { corporation(id: $id) { legalName } }', variables: { id } };
    expect((await call(other, 'run', one)).data.data.corporation.legalName).toBe('Of the other');
    const foreign = await call(reader, 'run', one);
    const missing = await call(reader, 'run', { ...one, variables: { id: id.replace(/.{4}$/, '0000') } });
    expect(foreign.data.errors?.[0]?.extensions.code).toBe(missing.data.errors?.[0]?.extensions.code);
    expect(foreign.text).not.toContain('Of the other');
    expect((await call(reader, 'run', { operation: CORPORATIONS })).text).not.toContain('Of the other');
  });

  it('a write of an agent is in the audit log', async () => {
    const auditor = await gateway.key(['PLATFORM', 'AGENT_WRITE', 'ADMIN'], 'Audited agents');
    await call(auditor, 'run', { operation: CREATE, variables: corporation('Audited') });
    const { rows } = await gateway.services.database
      .read({ name: 'audited', text: "select operation from audit_entry where operation = 'createCorporation'" }, [])
      .then((found) => ({ rows: found }));
    expect(JSON.stringify(rows)).toContain('createCorporation');
  });

  it.each([
    ['search', {}],
    ['search', { query: 'a', limit: 0 }],
    ['search', { query: 'a', limit: 'ten' }],
    ['describe', { name: 7 }],
    ['check', { operation: { query: '{ viewer { roles } }' } }],
    ['run', { operation: '{ viewer { roles } }', variables: '[]' }],
    ['run', {}],
  ])('%s rejects %j by the name of what is wrong', async (tool, given) => {
    const client = await connect(reader);
    const outcome = await client.callTool({ name: tool, arguments: given }).then(
      ({ isError, content }) => [isError, JSON.stringify(content)],
      (error: Error) => [true, error.message],
    );
    await client.close();
    expect(outcome[0]).toBe(true);
    expect(outcome[1]).toMatch(/query|limit|name|operation|variables/);
  });
});

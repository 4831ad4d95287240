// Snippets, share links and examples of the playground: they carry the operation exactly, and run.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { headersOf } from '../../site/pages/app/src/playground/headers.ts';
import { indented, isVariables } from '../../site/pages/app/src/playground/json-text.ts';
import { SNIPPET_FORMS, type SnippetForm, type SnippetSource, snippetOf } from '../../site/pages/app/src/playground/snippets.ts';
import { examples } from '../../site/pages/examples.ts';
import { readShared, shareLink } from '../../site/pages/parts/share-link.ts';
import { useGateway } from '../support/gateway.ts';

const run = promisify(execFile);
const gateway = useGateway({ demoData: true });
let key: string;
let scratch: string;
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'snippets-'));
  const { surfaces } = (await gateway.send('GET', '/docs/operations.json')).body as { surfaces: { credential: { demoKey: string } }[] };
  key = surfaces[0]!.credential.demoKey;
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

// Everything that a shell, JavaScript or Python would read as something else.
const AWKWARD = `query Awkward($address: String!) {
  # it's \`\${not}\` a "template", $HOME or \\n
  viewer { organisation { name } }
  geocode(address: $address) { result { formatted } }
  again: geocode(address: """10 Downing Street, 'London' \\""" """) { match }
}`;
const source = (given: Partial<SnippetSource> = {}): SnippetSource => ({
  endpoint: `${gateway.origin}/graphql`,
  header: 'Authorization',
  kind: 'query' as SnippetSource['kind'],
  document: AWKWARD,
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it must not be read as a template.
  variables: '{ "address": "1 Rue de l\'Été \\ud83d\\ude00 \\"\\\\n` ${x} $HOME\\/" }',
  ...given,
});

const programs: Partial<Record<SnippetForm, [file: string, command: string]>> = {
  curl: ['snippet.sh', 'bash'],
  fetch: ['snippet.mjs', process.execPath],
  Python: ['snippet.py', 'python3'],
};

async function output(form: SnippetForm, given: SnippetSource): Promise<string> {
  const [file, command] = programs[form]!;
  await writeFile(join(scratch, file), snippetOf(form, given));
  const { stdout } = await run(command, [join(scratch, file)], { env: { ...process.env, KEY: key } });
  return stdout;
}

describe('snippets', () => {
  it.each(Object.keys(programs) as SnippetForm[])('%s asks what the editors ask, whatever is in the text', async (form) => {
    const { body } = await gateway.graphql(key, AWKWARD, JSON.parse(source().variables));
    expect(body).toMatchObject({ data: { viewer: { organisation: { name: 'Demo' } } } });
    expect(JSON.parse(await output(form, source()))).toEqual(body);
    expect(JSON.parse(await output(form, source({ key, document: '{ viewer { roles } }', variables: '' })))).toMatchObject({
      data: { viewer: { roles: expect.arrayContaining(['PLATFORM']) } },
    });
  });

  it.each(Object.keys(programs) as SnippetForm[])('%s chooses among several operations, and sends another header', async (form) => {
    const document = 'query A { viewer { roles } } query B { companies { nodes { ledgerId } } }';
    const { operations } = (await gateway.send('GET', '/docs/operations.json')).body as {
      operations: { credential: { header: string; demoKey: string } | null }[];
    };
    const other = operations.find(({ credential }) => credential?.header === 'api_key')!.credential!.demoKey;
    const given = source({ document, variables: '', operationName: 'B', header: 'api_key', key: other });
    expect(JSON.parse(await output(form, given))).toEqual({ data: { companies: { nodes: [{ ledgerId: 1 }] } } });
  });

  it.each(Object.keys(programs) as SnippetForm[])('%s sends the headers: the same write twice is one write', async (form) => {
    const document = 'mutation { createContact(input: { companyId: 1, name: "Once" }) { contact { id } } }';
    const headers = JSON.stringify({ 'Idempotency-Key': `snippet-${form}`, 'X-Note': 'it\'s a "note" of $HOME \\n `x`' });
    const write = (given: Partial<SnippetSource>) => output(form, source({ document, variables: '', ...given }));
    const first = await write({ headers });
    expect(JSON.parse(first).data.createContact.contact.id).toMatch(/^contact_\d+$/);
    expect(await write({ headers })).toBe(first);
    expect(await write({ headers: '{ "Idempotency-Key":' })).not.toBe(first);
  });

  it.each(SNIPPET_FORMS)('%s is well-formed for each kind of operation, and holds no key unless asked', async (form) => {
    for (const kind of ['query', 'mutation', 'subscription'] as SnippetSource['kind'][]) {
      const text = snippetOf(form, source({ kind, document: `${kind} A { a(b: "\`\${c}") }` }));
      expect(text).not.toContain(key);
      expect(snippetOf(form, source({ kind, key }))).toContain(key);
      const [file, ...command] =
        form === 'curl'
          ? ['check.sh', 'bash', '-n']
          : form === 'Python'
            ? ['check.py', 'python3', '-m', 'py_compile']
            : ['check.mjs', process.execPath, '--check'];
      await writeFile(join(scratch, file!), text);
      await run(command[0]!, [...command.slice(1), join(scratch, file!)]);
    }
  });

  it('half-typed variables are left out, the digits of numbers stay', () => {
    expect(snippetOf('curl', source({ variables: '{ "a": ' }))).not.toContain('variables');
    for (const form of SNIPPET_FORMS)
      expect(snippetOf(form, source({ variables: '{ "a": 12345678901234567890.10 }' }))).toContain('12345678901234567890.10');
  });
});

describe('headers', () => {
  it('are names and texts', () => {
    expect(headersOf(' \n')).toEqual({});
    expect(headersOf('{ "Idempotency-Key": "a", "X-Request-Id": "b" }')).toEqual({ 'Idempotency-Key': 'a', 'X-Request-Id': 'b' });
  });

  it.each([
    ['[]', 'not a JSON object'],
    ['{ "A": ', 'not a JSON object'],
    ['null', 'not a JSON object'],
    ['{ "A": 1 }', '“A” needs a text'],
    ['{ "A": "b", "a": "c" }', '“a” is given twice'],
    ['{ "A b": "c" }', '“A b” has a name or a value that HTTP does not allow'],
    ['{ "A": "b\\nc" }', '“A” has a name or a value that HTTP does not allow'],
    ['{ "Authorization": "Bearer c" }', '“Authorization” carries the key'],
    ['{ "API_KEY": "c" }', '“API_KEY” carries the key'],
    ['{ "Content-Type": "c" }', '“Content-Type” is set by the playground'],
  ])('%s is rejected by name', (text, message) => {
    expect(() => headersOf(text)).toThrow(message);
  });
});

describe('share links', () => {
  it('operation and variables come back as they were', () => {
    for (const { document, variables } of [...examples, { document: AWKWARD, variables: source().variables }]) {
      const link = new URL(shareLink({ document, variables }), gateway.origin);
      expect(link.pathname + link.search).toBe('/graphql');
      const shared = readShared(link.hash)!;
      expect(shared.document).toBe(document);
      const text = shared.variables as string;
      expect(text ? JSON.parse(text) : {}).toEqual(typeof variables === 'string' ? JSON.parse(variables) : variables);
    }
    expect(readShared('')).toBeUndefined();
    expect(readShared('#operation=Companies')).toBeUndefined();
  });
});

describe('examples', () => {
  const asked = (name: string) => examples.find((example) => example.name === name)!;
  const ask = async (name: string) => {
    const { document, variables } = asked(name);
    return gateway.graphql(key, document, { ...variables });
  };
  const faulty = ['NothingThere', 'NoSuchField', 'RefusedCorporation'];

  it.each(
    examples.filter(({ task, document }) => !document.startsWith('subscription') && !task.startsWith('Errors')).map(({ name }) => name),
  )('%s returns data of the demo organisation', async (name) => {
    const { body } = await ask(name);
    expect(body.errors).toBeUndefined();
    const [root] = Object.values(body.data as Record<string, { errors?: unknown[] }>);
    if (root!.errors) expect(root!.errors).toEqual([]);
    // Nothing that a reader came for is empty; a demo key never expires, and one of several orders is rejected.
    const text = JSON.stringify(root).replace('"expiresAt":null', '');
    if (name !== 'CreateOrders' && !root!.errors) expect(text).not.toMatch(/:(\[\]|null|\{\})[,}]/);
  });

  it('the errors on purpose are those', async () => {
    expect(
      examples
        .filter(({ task }) => task.startsWith('Errors'))
        .map(({ name }) => name)
        .sort(),
    ).toEqual([...faulty].sort());
    const nothing = await ask('NothingThere');
    expect(nothing.body).toMatchObject({
      data: { company: { name: expect.any(String), account: null } },
      errors: [{ extensions: { code: 'RECORD_NOT_FOUND' } }],
    });
    expect((await ask('NoSuchField')).body.errors[0].message).toContain('nickname');
    const refused = await ask('RefusedCorporation');
    expect(refused.body.errors).toBeUndefined();
    expect(refused.body.data.createCorporation.errors.map(({ path }: { path: string[] }) => path[0])).toEqual([
      'legalName',
      'jurisdiction',
    ]);
    const several = (await ask('CreateOrders')).body.data.createPurchaseOrders.results as { errors: { code: string }[] }[];
    expect(several.map(({ errors }) => errors.length)).toEqual([0, 1]);
  });

  it.each(examples.filter(({ document }) => document.startsWith('subscription')).map(({ name }) => name))(
    '%s hears what “Create a contact” or “Create a corporation” does',
    async (name) => {
      const client = createClient({
        url: `${gateway.origin.replace('http', 'ws')}/graphql`,
        webSocketImpl: WebSocket,
        connectionParams: { authorization: `Bearer ${key}` },
      });
      const heard: unknown[] = [];
      const stop = client.subscribe(
        { query: asked(name).document },
        { next: ({ data }) => void heard.push(data), error: () => {}, complete: () => {} },
      );
      // A subscription has no acknowledgement, so the change is made until it is heard.
      const isHeard = (): boolean => heard.some((message) => /CREATED|Morgan Lee/.test(JSON.stringify(message)));
      while (!isHeard()) {
        await ask('CreateAContact');
        await ask('CreateACorporation');
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
      stop();
      await client.dispose();
      expect(heard.every((message) => message !== null && message !== undefined)).toBe(true);
    },
  );

  it('every kind of operation and every task has some', () => {
    for (const kind of ['query', 'mutation', 'subscription']) expect(examples.some(({ document }) => document.startsWith(kind))).toBe(true);
    expect(new Set(examples.map(({ task }) => task)).size).toBeGreaterThanOrEqual(5);
    for (const part of ['filter', 'orderBy', 'totalCount', 'Summary', 'errors {'])
      expect(
        examples.some(({ document }) => document.includes(part)),
        part,
      ).toBe(true);
  });
});

describe('responses', () => {
  it('JSON is indented with the digits and escapes it has', () => {
    expect(indented('{"a":[1.10,{"b":"x\\"{[,:"}],"c":{},"d":[],"e":12345678901234567890}')).toBe(
      '{\n  "a": [\n    1.10,\n    {\n      "b": "x\\"{[,:"\n    }\n  ],\n  "c": {},\n  "d": [],\n  "e": 12345678901234567890\n}',
    );
    expect([' ', '{}', '{"a":1}', '[]', '1', '{', 'null'].map(isVariables)).toEqual([true, true, true, false, false, false, false]);
  });
});

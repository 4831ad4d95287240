// The guides: every operation in them is sent and every program in them is run, against the demo data.
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildSchema, type OperationDefinitionNode, parse, validate } from 'graphql';
import { getVariableValues } from 'graphql/execution/values.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readShared } from '../../site/pages/parts/share-link.ts';
import { buildGatewaySchema } from '../../src/graphql/schema.ts';
import { openDemoLedger } from '../../src/integrations/demo/ledger-company.ts';
import { orphanTypes, resolvers } from '../../src/registry.ts';
import { packagePath } from '../../src/runtime/package-root.ts';
import { Signer } from '../../src/security/signer.ts';
import { generateSecret, publicKeyOf, signatureHeaders, signingKey } from '../../src/webhooks/signature.ts';
import { useGateway } from '../support/gateway.ts';

const run = promisify(execFile);
const privateKey = signingKey(new Signer('a signing secret of some length'), 'whk_1');
const folder = packagePath('docs', 'guides');
const names = readdirSync(folder).map((file) => file.replace(/\.md$/, ''));
const gateway = useGateway({ demoData: true });
const schema = buildGatewaySchema(resolvers, orphanTypes);
/** The schema as other tools read it. */
const published = buildSchema(readFileSync(packagePath('schema', 'schema.graphql'), 'utf8'));
const keys: Record<string, string> = {};
let scratch: string;
let ledger: Awaited<ReturnType<typeof openDemoLedger>>;

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'guides-'));
  const { surfaces } = (await gateway.send('GET', '/docs/operations.json')).body as {
    surfaces: { id: string; credential: { demoKey: string } }[];
  };
  for (const { id, credential } of surfaces) keys[id] = credential.demoKey;
  const { organisationId } = (await gateway.services.keys.find(keys.integrations!))!;
  ledger = await openDemoLedger(gateway.services, organisationId!);
  await untilRefused();
});
afterAll(async () => {
  await ledger.close();
  await rm(scratch, { recursive: true, force: true });
});

/** Waits until the demo ledger has rejected the contact that the guide repairs. */
async function untilRefused(): Promise<void> {
  for (;;) {
    const query =
      '{ companies(first: 1, filter: { integrationType: { eq: "DEMO" } }) { nodes { contacts(first: 1, filter: { sourceState: { eq: PUSH_FAILED } }) { nodes { name } } } } }';
    const { body } = await gateway.graphql(keys.integrations!, query);
    if (body.data.companies.nodes[0].contacts.nodes.length > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

interface Block {
  language: string;
  text: string;
  /** The variables that stand below an operation. */
  variables: Record<string, unknown>;
}

function blocksOf(name: string): Block[] {
  const blocks = [...readFileSync(join(folder, `${name}.md`), 'utf8').matchAll(/```(\w+)\n([\s\S]*?)```/g)];
  return blocks.flatMap(([, language = '', text = ''], index) => {
    if (language === 'json' || language === 'text') return [];
    const [, next, variables] = blocks[index + 1] ?? [];
    return [{ language, text, variables: next === 'json' ? JSON.parse(variables!) : {} }];
  });
}

/** The command that runs a program of a language, and the name of its file. */
const commands: Record<string, [file: string, command: string, ...words: string[]]> = {
  sh: ['example.sh', 'bash', '-euo', 'pipefail'],
  js: ['example.mjs', process.execPath],
  python: ['example.py', 'python3'],
  perl: ['example.pl', 'perl'],
  java: ['Verify.java', 'java'],
};

const isInstalled = async (command: string): Promise<boolean> => {
  try {
    await run('bash', ['-c', `command -v "${command}"`]);
    return true;
  } catch {
    return false;
  }
};

async function runProgram({ language, text }: Block, changed: Record<string, string> = {}): Promise<{ stdout: string }> {
  const [file, command, ...words] = commands[language]!;
  // A reader has the one of these that the receiver is written in.
  if (!['sh', 'js'].includes(language) && !(await isInstalled(command))) return { stdout: '' };
  await writeFile(join(scratch, file), text);
  const secret = generateSecret();
  const body = '{"topic":"PRODUCTS.CREATED","data":{"name":"Übergröße"}}';
  const headers = signatureHeaders({ id: 'evt_1', sentAt: new Date(), body }, [generateSecret(), secret], privateKey);
  return run(command, [...words, join(scratch, file)], {
    env: {
      ...process.env,
      // Java reads its environment in the encoding of the locale.
      LANG: 'C.UTF-8',
      GATEWAY: gateway.origin,
      KEY: keys.platform,
      API_KEY: keys.integrations,
      WEBHOOK_ID: headers['webhook-id'],
      WEBHOOK_TIMESTAMP: headers['webhook-timestamp'],
      WEBHOOK_SIGNATURE: headers['webhook-signature'],
      WEBHOOK_BODY: body,
      WEBHOOK_SECRET: secret,
      WEBHOOK_PUBLIC_KEY: publicKeyOf(privateKey),
      ...changed,
    },
  });
}

/** Sends a query; only checks other operations, whose records the demo data need not have. */
async function runOperation({ text, variables }: Block): Promise<void> {
  const document = parse(text);
  expect(validate(published, document)).toEqual([]);
  const { operation, variableDefinitions } = document.definitions[0] as OperationDefinitionNode;
  if (operation === 'query') {
    // The demo keys belong to one organisation; each opens its part of the schema.
    const sent = [keys.platform!, keys.integrations!].map((key) => gateway.graphql(key, text, variables));
    const errors = (await Promise.all(sent)).map(({ body }) => body.errors);
    expect(errors).toContain(undefined);
  } else if (operation === 'mutation') expect(getVariableValues(schema, variableDefinitions ?? [], variables).errors).toBeUndefined();
}

describe.each(names)('%s', (name) => {
  it('its operations and its programs succeed', async () => {
    for (const block of blocksOf(name)) {
      if (block.language === 'graphql') await runOperation(block);
      else await runProgram(block);
    }
  }, 120_000);

  it('it is a page, with a title and every heading as a place to link to', async () => {
    const { status, text } = await gateway.send('GET', `/docs/guides/${name}`, { headers: { accept: 'text/html' } });
    expect(status).toBe(200);
    expect(text.match(/<h1>/g)).toHaveLength(1);
    // Each operation opens in the playground with the variables below it.
    const links = [...text.matchAll(/href="\/graphql#([^"]+)"/g)].map(
      ([, fragment = '']) => readShared(fragment.replaceAll('&amp;', '&'))!,
    );
    const operations = blocksOf(name).filter(({ language }) => language === 'graphql');
    expect(links.map(({ document }) => `${document}\n`)).toEqual(operations.map((block) => block.text));
    expect(links.map(({ variables }) => JSON.parse((variables as string) || '{}'))).toEqual(operations.map(({ variables }) => variables));
    for (const [, heading = ''] of text.matchAll(/<h2([^>]*)>/g)) expect(heading).toMatch(/^ id="[a-z0-9-]+"$/);
  });
});

it('no example takes a message whose body was changed', async () => {
  for (const block of blocksOf('webhooks').filter(({ language }) => language !== 'graphql' && language !== 'java'))
    await expect(runProgram(block, { WEBHOOK_BODY: '{"topic":"PRODUCTS.DELETED"}' }), block.language).rejects.toThrow();
});

it('the programs of an operation send it as it is, in each language', async () => {
  const { text } = await gateway.send('GET', '/docs/guides/quickstart', { headers: { accept: 'text/html' } });
  const programs = [...text.matchAll(/data-program="(curl|JavaScript|Python)"[^>]*><div class="code"><pre[^>]*><code[^>]*>([^<]*)/g)];
  expect(programs.map(([, name]) => name).slice(0, 3)).toEqual(['curl', 'JavaScript', 'Python']);
  const languages: Record<string, string> = { curl: 'sh', JavaScript: 'js', Python: 'python' };
  // The first operation only reads.
  for (const [, name, escaped] of programs.slice(0, 3)) {
    const program = escaped!
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&');
    const { stdout } = await runProgram({ language: languages[name!]!, text: program, variables: {} });
    expect(stdout, program).toContain('"companies":{"nodes":[{"id":"company_1"');
  }
});

it('the list of guides leads to each', async () => {
  const { text } = await gateway.send('GET', '/docs/guides', { headers: { accept: 'text/html' } });
  for (const name of names) expect(text).toContain(`href="/docs/guides/${name}"`);
});

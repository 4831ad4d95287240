// Checks what the connector to Xero sends, and what the tests' Xero returns, against the published OpenAPI description, through Prism's
// validating proxy.
// The description is not kept here: XERO_OPENAPI names the file (xero_accounting.yaml of XeroAPI/Xero-OpenAPI). Without it nothing is checked.
// XERO_OPENAPI=FILE node xero.ts [directory of calls recorded with RECORD_XERO]
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import prism from '@stoplight/prism-http';
import type { Exchange } from '../../support/exchanges.ts';

/** What a tool exits with that lacks something it needs. */
const LACKING = 3;
/** Calls of a kind that are checked: Prism compiles the schemas again for each, which takes seconds. */
const OF_A_KIND = 2;
const TESTS = 'test/connections/xero.test.ts';
const BASE = '/api.xro/2.0';
const logger = new Proxy({}, { get: (_target, name) => (name === 'child' ? () => logger : () => undefined) }) as never;

const description = process.env.XERO_OPENAPI;
if (!description) {
  console.log('XERO_OPENAPI names no description of Xero (xero_accounting.yaml of XeroAPI/Xero-OpenAPI)');
  process.exit(LACKING);
}

/** Runs the tests, which record their calls. */
function recording(): string {
  const directory = mkdtempSync(join(tmpdir(), 'xero-exchanges-'));
  const env = { ...process.env, RECORD_XERO: directory };
  const run = spawnSync('npx', ['vitest', 'run', '--reporter=dot', TESTS], {
    cwd: join(import.meta.dirname, '../../..'),
    env,
    encoding: 'utf8',
  });
  if (run.status !== 0) console.log(run.stdout);
  return directory;
}

const [given] = process.argv.slice(2);
const directory = given ?? recording();
const exchanges = readdirSync(directory).flatMap((name) =>
  readFileSync(join(directory, name), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Exchange),
);
if (!given) rmSync(directory, { recursive: true });
const operations = await prism.getHttpOperationsFromSpec(description);

/** What is wrong with a call and its response by the description. */
async function findings({ method, path, headers, body, status, responseHeaders, response }: Exchange): Promise<string[]> {
  const { pathname, searchParams } = new URL(path, 'http://xero');
  const forward = () => () => async () => ({
    _tag: 'Right',
    right: { statusCode: status, headers: responseHeaders, body: response ? JSON.parse(response) : undefined },
  });
  const config = {
    isProxy: true,
    upstream: new URL('http://xero'),
    checkSecurity: false,
    validateRequest: status < 400,
    validateResponse: true,
    errors: false,
  };
  const input = {
    method: method.toLowerCase(),
    url: { path: pathname.slice(BASE.length), query: Object.fromEntries(searchParams) },
    headers,
    body: body ? JSON.parse(body) : undefined,
  };
  const result = await prism.createInstance(config as never, { logger, forward } as never).request(input as never, operations)();
  if (result._tag === 'Left') throw result.left;
  const { validations } = result.right;
  const text = (side: string) => (found: { path?: (string | number)[]; message: string }) =>
    `${side} ${found.path?.join('.') ?? ''}: ${found.message}`;
  return [...validations.input.map(text('call')), ...validations.output.map(text('response'))];
}

const wrong = new Set<string>();
const kinds = new Map<string, number>();
let checked = 0;
for (const exchange of exchanges) {
  // Rejections by what is in front of the accounting API are not described.
  if (!exchange.path.startsWith(BASE) || [401, 403, 404, 429, 503].includes(exchange.status)) continue;
  const kind = `${exchange.method} ${exchange.path.split('?', 1)[0]!.replaceAll(/[\da-f-]{36}/g, '{id}')} ${exchange.status}`;
  kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  if (kinds.get(kind)! > OF_A_KIND) continue;
  checked += 1;
  for (const found of await findings(exchange)) wrong.add(`${kind}  ${found.replaceAll(/\d+/g, '#')}`);
}
for (const one of wrong) console.log(one);
console.log(`${checked} calls of Xero in ${kinds.size} kinds, ${wrong.size} violations`);
process.exitCode = wrong.size > 0 || checked === 0 ? 1 : 0;

// Sends seeded random queries to a running gateway with demo data, with the demo key of each surface in turn and without a key.
// Every response must have the shape of its query, or errors of the published list; INTERNAL_ERROR and 5xx are findings.
// node check.ts <base address> [--rounds N] [--seed N]
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { buildSchema, print, validate } from 'graphql';
import generator from 'ibm-graphql-query-generator';
import { shapeErrors } from './shape.ts';
import { Values } from './values.ts';

const { positionals, values: options } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '500' }, seed: { type: 'string', default: '1' } },
});
const base = new URL(positionals[0] ?? 'http://127.0.0.1:4000').origin;
const [rounds, seed] = [Number(options.rounds), Number(options.seed)];
const AT_ONCE = 4;

interface Credential {
  header: string;
  scheme?: string;
  demoKey: string;
}

interface Result {
  data?: Record<string, unknown> | null;
  errors?: { message: string; extensions?: { code?: string; requestId?: string } }[];
}

const json = async <T>(path: string): Promise<T> => (await (await fetch(base + path)).json()) as T;

/** Headers of every demo key, and of a caller without a key. The first key has the most rights, so it is used for every second query. */
async function callers(): Promise<Record<string, string>[]> {
  const { surfaces } = await json<{ surfaces: { credential: Credential }[] }>('/docs/operations.json');
  const headers = surfaces.map(({ credential: { header, scheme, demoKey } }) => ({ [header]: scheme ? `${scheme} ${demoKey}` : demoKey }));
  return [...headers, {}].flatMap((one) => [headers[0]!, one]);
}

async function send(headers: Record<string, string>, query: string, variables: object): Promise<{ status: number; result: Result }> {
  const body = JSON.stringify({ query, variables });
  const response = await fetch(`${base}/graphql`, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });
  return { status: response.status, result: (await response.json()) as Result };
}

const schema = buildSchema(readFileSync(new URL('../../../schema/schema.graphql', import.meta.url), 'utf8'));
const root = schema.getQueryType()!;
const allRootFields = root.astNode!.fields!;
const values = new Values(seed);
// The generator draws enum values from Math.random, whatever its own seed is.
Math.random = () => values.random();

/** A random query with few root fields, so that one error hides little of the response. */
function randomQuery(round: number) {
  const fields = values.some(allRootFields, 1 + (round % 3));
  Object.assign(root, { astNode: { ...root.astNode, fields } });
  const { queryDocument, variableValues } = generator.generateRandomQuery(schema, {
    seed: seed * 1_000_000 + round,
    maxDepth: 7,
    depthProbability: 0.5,
    breadthProbability: 0.6,
    ignoreOptionalArguments: false,
    considerInterfaces: true,
    considerUnions: true,
    providerMap: values.providers,
  });
  return { document: queryDocument, query: print(queryDocument), variables: variableValues };
}

const codes = new Set((await json<{ errors: { code: string }[] }>('/docs/errors.json')).errors.map(({ code }) => code));
const keys = await callers();
await values.harvest(async (query) => (await send(keys[0]!, query, {})).result.data);

let whole = 0;
const refusals = new Map<string, number>();
let findings = 0;

async function check(round: number): Promise<void> {
  const made = randomQuery(round);
  const report = (what: string): void => {
    findings += 1;
    console.log(`round ${round}: ${what}\n${made.query}${JSON.stringify(made.variables)}\n`);
  };
  const invalid = validate(schema, made.document);
  if (invalid.length > 0) return report(`the generator made an invalid query: ${invalid[0]!.message}`);
  const { status, result } = await send(keys[round % keys.length]!, made.query, made.variables);
  if (status >= 500) report(`status ${status}`);
  for (const { message, extensions } of result.errors ?? []) {
    const code = extensions?.code ?? 'none';
    refusals.set(code, (refusals.get(code) ?? 0) + 1);
    if (code === 'INTERNAL_ERROR' || !codes.has(code) || !extensions?.requestId) report(`${code}: ${message}`);
  }
  if (!result.errors) whole += 1;
  if (result.data) for (const error of shapeErrors(schema, made.document, result.data)) report(error);
}

for (let first = 0; first < rounds; first += AT_ONCE)
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, rounds - first) }, (_, index) => check(first + index)));

console.log(
  [...refusals]
    .sort(([, a], [, b]) => b - a)
    .map(([code, count]) => `${code} ${count}`)
    .join(', '),
);
console.log(`seed ${seed}: ${rounds} random queries, ${whole} returned whole, ${findings} findings`);
process.exitCode = findings > 0 ? 1 : 0;

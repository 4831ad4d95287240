// Rejections are cheap: the CPU time of a rejected document grows no faster than the document: with a key, without one, and from an agent.
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { issueKey, ownPlace, type Place, program, type RunningProgram } from '../support/program.ts';
import { toolResponse } from './requests.ts';

const ROUNDS = Number(process.env.SUITE_ROUNDS ?? 1);
const SEED = Number(process.env.SUITE_SEED ?? randomInt(2 ** 31));
/** Approximate sizes of a document in tokens; the last is near the limit of 2,000. */
const SIZES = [110, 220, 440, 880, 1_760];
/** Requests per measurement of a document, which costs about a millisecond; an input of many kilobytes is measured by one. */
const REQUESTS = 6;
/** The least of several measurements counts, because other processes use the machine. */
const MEASUREMENTS = 3;
/** Linear work has a slope of at most 1: a fixed part per request lowers it, and noise raises it. Quadratic work has 2. */
const MAX_SLOPE = 1.5;

let place: Place;
let running: RunningProgram;
let key: string;
let companyId: number;

beforeAll(async () => {
  place = await ownPlace();
  running = await program.start({ ...place.settings, WORKER: 'false' });
  key = await issueKey(running.origin, ['INTEGRATIONS', 'PLATFORM', 'AGENT_WRITE']);
  const made = await fetch(`${running.origin}/v4/core/companies`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', api_key: key },
    body: JSON.stringify({ data: { name: 'Costs' } }),
  });
  companyId = ((await made.json()) as { data: { ledger_id: number } }).data.ledger_id;
}, 120_000);

afterAll(async () => {
  await running.end('SIGTERM');
  await place.remove();
});

/** CPU nanoseconds of the main thread of the process, once it sleeps: while it runs, the kernel adds what it has taken only now and then. */
async function cpu(): Promise<number> {
  const isAsleep = (): boolean => readFileSync(`/proc/${running.pid}/stat`, 'utf8').split(') ').at(-1)!.startsWith('S');
  while (!isAsleep()) await setImmediate();
  return Number(readFileSync(`/proc/${running.pid}/schedstat`, 'utf8').split(' ')[0]);
}

/** Where a document is sent, and how: to /graphql, or to a tool of /mcp. */
type Endpoint = 'with a key' | 'without a key' | 'by the tool run' | 'by the tool check';

async function ask(query: string, endpoint: Endpoint, variables = {}): Promise<{ status: number; code: string | undefined }> {
  const tool = /\w+$/.exec(endpoint)![0];
  const isAgent = endpoint.startsWith('by');
  const params = { name: tool, arguments: { operation: query, variables } };
  const response = await fetch(`${running.origin}${isAgent ? '/mcp' : '/graphql'}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(endpoint === 'without a key' ? {} : { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify(isAgent ? { jsonrpc: '2.0', id: 1, method: 'tools/call', params } : { query, variables }),
  });
  const text = await response.text();
  const body = isAgent ? toolResponse(text)?.body : JSON.parse(text);
  return { status: response.status, code: body?.errors?.[0]?.extensions.code };
}

const times = (count: number, part: (index: number) => string): string =>
  Array.from({ length: Math.max(1, Math.floor(count)) }, (_, index) => part(index)).join(' ');

/** Writes a document that requests much in few bytes, from its approximate number of tokens and the open choices. */
type Shape = (tokens: number, open: Open) => string;

interface Open {
  /** How often a fragment or field is repeated. */
  again: number;
  /** The beginning of the document: introspection, an open field, or fields that need a key. */
  root: [before: string, type: string, field: string, after: string];
}

const roots: Open['root'][] = [
  ['{ __schema { types {', '__Type', 'ofType', '} } }'],
  ['{ __type(name: "Query") {', '__Type', 'ofType', '} }'],
  ['{ company(id: 1) { account(ledgerId: 1) {', 'Account', 'parentAccount', '} } }'],
  ['{ node(id: "account_1") { ... on Account {', 'Account', 'parentAccount', '} } }'],
];
const nameOf = (type: string): string => (type === '__Type' ? 'kind' : 'name');

const shapes: Record<string, Shape> = {
  'fragments that spread the next several times': (tokens, { again, root: [before, type, , after] }) => {
    const count = Math.floor(tokens / (6 + again * 2));
    const chain = times(count, (index) => `fragment f${index} on ${type} { ${times(again, () => `...f${index + 1}`)} }`);
    return `${before} ...f0 ${after} ${chain} fragment f${count} on ${type} { ${nameOf(type)} }`;
  },
  'fragments that spread the next below several fields': (tokens, { again, root: [before, type, field, after] }) => {
    const count = Math.floor(tokens / (6 + again * 6));
    const part = (next: number): string => times(again, (index) => `a${index}: ${field} { ...f${next} }`);
    const chain = times(count, (index) => `fragment f${index} on ${type} { ${part(index + 1)} }`);
    return `${before} ...f0 ${after} ${chain} fragment f${count} on ${type} { ${nameOf(type)} }`;
  },
  'fragments in a ring': (tokens, { again, root: [before, type, , after] }) => {
    const count = Math.floor(tokens / (6 + again * 2));
    const ring = times(
      count,
      (index) => `fragment f${index} on ${type} { ${times(again, (by) => `...f${(index + by * 7 + 1) % count}`)} }`,
    );
    return `${before} ...f0 ${after} ${ring}`;
  },
  'a chain of one field': (tokens, { root: [before, type, field, after] }) => {
    const levels = Math.floor(tokens / 3);
    return `${before} ${`${field} { `.repeat(levels)} fields { ${nameOf(type)} } ${'}'.repeat(levels)} ${after}`;
  },
  'fields of types of fields': (tokens) =>
    `{ __type(name: "Query") { ${'fields { type { '.repeat(tokens / 6)} name ${'} }'.repeat(tokens / 6)} } }`,
  'aliases of one field': (tokens, { root: [before, , field, after] }) =>
    `${before} ${times(tokens / 7, (index) => `a${index}: ${field} { __typename }`)} ${after}`,
  'aliases of the whole schema': (tokens) => `{ ${times(tokens / 9, (index) => `a${index}: __schema { types { name } }`)} }`,
  'one field again and again': (tokens, { root: [before, type, , after] }) => `${before} ${`${nameOf(type)} `.repeat(tokens)} ${after}`,
  'inline fragments again and again': (tokens, { root: [before, type, , after] }) =>
    `${before} ${`... { ${nameOf(type)} } `.repeat(tokens / 4)} ${after}`,
  directives: (tokens, { root: [before, type, , after] }) =>
    `${before} ${nameOf(type)} ${'@include(if: true) '.repeat(tokens / 6)} ${after}`,
  variables: (tokens) => `query (${times(tokens / 7, (index) => `$v${index}: [Int] = [1]`)}) { __typename }`,
  'lists in lists': (tokens) => `query ($v: [Int] = ${'['.repeat(tokens / 2)}${']'.repeat(tokens / 2)}) { __type(name: $v) { name } }`,
  'objects in objects': (tokens) => `{ __type(name: ${'{ a: '.repeat(tokens / 4)} 1 ${'}'.repeat(tokens / 4)}) { name } }`,
  'a long string': (tokens) => `{ __type(name: "${'x'.repeat(tokens * 300)}", other: 1) { name } }`,
  'a long comment': (tokens) => `# ${'x'.repeat(tokens * 300)}\n{ nothing }`,
  'long names': (tokens) => `{ ${times(10, (index) => `${'x'.repeat(tokens * 20)}${index}`)} }`,
  'unknown fields': (tokens) => `{ ${times(tokens / 8, (index) => `companyaccount${index}(id: 1) { name }`)} }`,
  operations: (tokens, { root: [before, , , after] }) =>
    times(tokens / 14, (index) => `query q${index} ${before} a${index}: nothing ${after}`),
};

/** Least-squares slope of the logarithms. */
function slopeOf(points: [bytes: number, cost: number][]): number {
  const logs = points.map(([bytes, cost]) => [Math.log(bytes), Math.log(cost)] as const);
  const mean = (of: 0 | 1): number => logs.reduce((sum, log) => sum + log[of], 0) / logs.length;
  const [x, y] = [mean(0), mean(1)];
  const along = logs.reduce((sum, log) => sum + (log[0] - x) * (log[1] - y), 0);
  return along / logs.reduce((sum, log) => sum + (log[0] - x) ** 2, 0);
}

/** CPU of the process per request, in nanoseconds: the least of several measurements. */
async function costOf(query: string, endpoint: Endpoint, requests = REQUESTS, variables = {}): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let measurement = 0; measurement < MEASUREMENTS; measurement++) {
    const before = await cpu();
    for (let request = 0; request < requests; request++) await ask(query, endpoint, variables);
    least = Math.min(least, ((await cpu()) - before) / requests);
  }
  return least;
}

const open: fc.Arbitrary<Open> = fc.record({ again: fc.integer({ min: 2, max: 4 }), root: fc.constantFrom(...roots) });

const endpoints: Endpoint[] = ['with a key', 'without a key', 'by the tool run', 'by the tool check'];

/** The shapes for an endpoint. Both tools reject by the same step, so one round sends each shape by one of them. */
const shapesFor = (endpoint: Endpoint): [string, Shape][] =>
  Object.entries(shapes).filter((_, at) => ROUNDS > 1 || !endpoint.startsWith('by') || (at % 2 === 0) === (endpoint === 'by the tool run'));

describe.each(endpoints)('a document %s that asks for too much', (endpoint) => {
  it.each(shapesFor(endpoint))(
    '%s: is rejected for CPU in proportion to its bytes',
    async (name, shape) => {
      for (const [index, choice] of fc.sample(open, { numRuns: ROUNDS, seed: SEED }).entries()) {
        const where = `SUITE_SEED=${SEED}, choice ${index}: ${JSON.stringify(choice)}`;
        const refused: string[] = [];
        for (const size of SIZES) {
          const query = shape(size, choice);
          const { status, code } = await ask(query, endpoint);
          expect([200, 400, 401], `${where}, ${query.slice(0, 300)}`).toContain(status);
          // A small document runs, and finds no company or record 1.
          const codes = [undefined, 'QUERY_TOO_COMPLEX', 'INVALID_PARAMS', 'UNAUTHENTICATED', 'COMPANY_NOT_FOUND', 'RECORD_NOT_FOUND'];
          expect(codes, where).toContain(code);
          if (code && !code.endsWith('NOT_FOUND')) refused.push(query);
        }
        // A small document may be within the limits and is not judged; from a quarter of the tokens on, all are rejected.
        expect(refused.length, where).toBeGreaterThanOrEqual(3);
        const points: [number, number][] = [];
        for (const query of refused) points.push([Buffer.byteLength(query), await costOf(query, endpoint)]);
        const slope = slopeOf(points);
        const figures = points.map(([bytes, cost]) => `${bytes} B ${(cost / 1e6).toFixed(2)} ms`).join(', ');
        console.log(`cost: ${name}, ${endpoint}: slope ${slope.toFixed(2)} (${figures})`);
        expect(slope, `${where}, ${figures}`).toBeLessThan(MAX_SLOPE);
      }
    },
    120_000,
  );
});

/** Sizes of input in bytes, up to the largest body. */
const INPUT_SIZES = [60_000, 120_000, 240_000, 480_000, 960_000];

const list = <T>(count: number, part: (index: number) => T): T[] => Array.from({ length: Math.floor(count) }, (_, index) => part(index));
const unknownMembers = (bytes: number): Record<string, number> => Object.fromEntries(list(bytes / 11, (index) => [`a${index}`, 1]));

/** Input that is wrong in all its parts, by its approximate size, and the operation that takes it. */
const inputs: Record<string, { query: string; isOpen?: true; value: (bytes: number) => unknown }> = {
  'unknown members of a filter': {
    query: 'query ($input: AccountFilter) { company(id: COMPANY) { accounts(first: 1, filter: $input) { nodes { name } } } }',
    value: unknownMembers,
  },
  'unknown members of an input that needs no key': {
    query: 'mutation ($input: SubmitIncorporationFormInput) { submitIncorporationForm(input: $input) { __typename } }',
    isOpen: true,
    value: unknownMembers,
  },
  'answers of a form': {
    query:
      'mutation ($input: JSONObject!) { submitIncorporationForm(input: { id: "inc_1", country: "us", key: "x", answers: $input }) { __typename } }',
    isOpen: true,
    value: (bytes) => ({ companyNames: list(bytes / 8, (index) => `${index}`) }),
  },
  'records of unknown members': {
    query: 'mutation ($input: CreateAccountsInput) { createAccounts(input: $input) { results { index } } }',
    value: (bytes) => ({ companyId, records: list(1_000, () => unknownMembers(bytes / 1_000)) }),
  },
  'two tax types again and again': {
    query: 'mutation ($input: CreateRegistrationInput) { createRegistration(input: $input) { registration { id } errors { message } } }',
    value: (bytes) => ({
      corporationId: 'corp_1',
      registrationContentId: 'DE_VAT',
      taxTypes: [...list(bytes / 9, () => ''), ...list(bytes / 9, () => 'VAT')],
    }),
  },
  'lines of one record': {
    query: 'mutation ($input: CreateInvoiceInput) { createInvoice(input: $input) { invoice { id } errors { message } } }',
    value: (bytes) => ({ companyId, lineItems: list(bytes / 9, (index) => ({ x: index })) }),
  },
  'columns of an inbox file': {
    query: 'mutation ($input: Upload!) { importRecords(input: { companyId: COMPANY, dataModel: ACCOUNT, file: $input }) { file { id } } }',
    value: (bytes) => `${list(bytes / 7, (index) => `c${index}`)},c0\n1\n`,
  },
};

describe.each(['/graphql', '/mcp'])('input of %s that is wrong everywhere', (path) => {
  it.each(Object.entries(inputs))(
    '%s are rejected for CPU in proportion to their bytes',
    async (name, { query: text, isOpen, value }) => {
      const query = text.replace('COMPANY', String(companyId));
      const endpoint = path === '/mcp' ? 'by the tool run' : isOpen ? 'without a key' : 'with a key';
      const points: [number, number][] = [];
      for (const size of INPUT_SIZES) {
        const input = value(size);
        const { status } = await ask(query, endpoint, { input });
        expect(status).toBeLessThan(500);
        points.push([Buffer.byteLength(JSON.stringify(input)), await costOf(query, endpoint, 1, { input })]);
      }
      const slope = slopeOf(points);
      const figures = points.map(([bytes, cost]) => `${bytes} B ${(cost / 1e6).toFixed(1)} ms`).join(', ');
      console.log(`cost: ${name}, ${endpoint}: slope ${slope.toFixed(2)} (${figures})`);
      expect(slope, figures).toBeLessThan(MAX_SLOPE);
    },
    240_000,
  );
});

describe('new documents', () => {
  /** A document with a text of its own; 60 fields to compile. */
  const fresh = (): string =>
    `{ company(id: 1) { ${times(20, (index) => `${index ? `a${index}: ` : ''}accounts(first: 1) { nodes { name ledgerId${randomInt(2 ** 40)} } }`)} } }`.replaceAll(
      /ledgerId(\d+)/g,
      'x$1: ledgerId',
    );

  it('take less than half as much CPU without a key as with one', async () => {
    const mean = async (endpoint: Endpoint): Promise<number> => {
      const before = await cpu();
      for (let request = 0; request < 20; request++) await ask(fresh(), endpoint);
      return ((await cpu()) - before) / 20;
    };
    await mean('with a key');
    await mean('without a key');
    const [known, unknown] = [await mean('with a key'), await mean('without a key')];
    console.log(`cost: a new document takes ${(known / 1e6).toFixed(2)} ms of CPU with a key, ${(unknown / 1e6).toFixed(2)} ms without`);
    expect(unknown).toBeLessThan(known / 2);
  }, 60_000);
});

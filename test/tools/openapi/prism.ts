// Sends every recorded REST call of the tests through Prism's validating proxy, with the recorded response instead of a forwarded one.
// The request and the response of a successful call must fit the documents; of a rejected call only the response, since its request may be
// invalid on purpose.
// node prism.ts <directory of recorded exchanges> <document>...
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformOas3Operations } from '@stoplight/http-spec/oas3/operation';
import { bundleTarget } from '@stoplight/json';
import prism from '@stoplight/prism-http';
import type { Exchange } from '../../support/exchanges.ts';

const UPSTREAM = new URL('http://127.0.0.1');
const logger = new Proxy({}, { get: (_target, name) => (name === 'child' ? () => logger : () => undefined) }) as never;

interface Finding {
  path?: string[];
  message: string;
}

const [directory = '', ...documents] = process.argv.slice(2);

/**
 * The operations of a document with their references. Prism's own reader replaces references first, which took 36 s for these documents, and loses
 * those of a filter that has itself below it. A schema with a lost reference accepts every body.
 */
function operationsOf(file: string) {
  const document = JSON.parse(readFileSync(file, 'utf8'));
  return transformOas3Operations(document).map((operation) => {
    const bundled = bundleTarget({ document: { ...document, __target__: operation }, path: '#/__target__' }) as typeof operation;
    const known = new Set(Object.keys((bundled as { __bundled__?: object }).__bundled__ ?? {}));
    const lost = JSON.stringify(bundled)
      .matchAll(/"\$ref":"([^"]*)"/g)
      .find(([, to = '']) => !known.has(/^#\/__bundled__\/([^/]+)/.exec(to)?.[1] ?? ''));
    if (lost) throw new Error(`${operation.method} ${operation.path} refers to ${lost[1]}, which is not in the document`);
    return bundled;
  });
}

const operations = documents.flatMap(operationsOf);

/**
 * Prism compares a call with every operation that it is given, which takes four fifths of its time with all of them. It therefore gets those of the
 * method and with as many segments.
 */
const shapeOf = (method: string, path: string): string => `${method} ${path.split('/').length}`;
const candidates = Map.groupBy(operations, ({ method, path }) => shapeOf(method, path));

/** A body as Prism's server reads it: parsed when its type is JSON and it is valid JSON, otherwise text. */
function bodyOf(text: string | null, type = ''): unknown {
  if (!text) return undefined;
  try {
    return type.includes('json') ? JSON.parse(text) : text;
  } catch {
    return text;
  }
}

function queryOf(search: URLSearchParams): Record<string, string | string[]> {
  const names = [...new Set(search.keys())];
  return Object.fromEntries(
    names.map((name) => [name, search.getAll(name)]).map(([name, values]) => [name, values!.length > 1 ? values : values![0]]),
  );
}

/** Prism's findings about a call; undefined where no document has the operation. */
async function findings(exchange: Exchange, body: unknown): Promise<{ input: Finding[]; output: Finding[] } | undefined> {
  const { status: statusCode, responseHeaders: headers } = exchange;
  const response = { statusCode, headers, body: bodyOf(exchange.response, headers['content-type']) };
  const forward = () => () => async () => ({ _tag: 'Right', right: response });
  const validateRequest = statusCode < 400;
  const config = {
    isProxy: true,
    upstream: UPSTREAM,
    checkSecurity: validateRequest,
    validateRequest,
    validateResponse: true,
    errors: false,
  };
  const { pathname, searchParams } = new URL(exchange.path, UPSTREAM);
  // The tax host serves the operations of the platform below a base path of its own; a trailing slash does not change the route.
  const url = { path: pathname.replace(/^\/tax(?=\/)/, '').replace(/(?<=.)\/+$/, ''), query: queryOf(searchParams) };
  const input = { method: exchange.method.toLowerCase(), url, headers: exchange.headers, body };
  const compared = candidates.get(shapeOf(input.method, url.path));
  if (!compared) return undefined;
  const result = await prism.createInstance(config as never, { logger, forward } as never).request(input as never, compared)();
  if (result._tag === 'Left') throw result.left;
  const { validations } = result.right;
  return validations.input.some(({ message }) => message === 'Selected route not found') ? undefined : validations;
}

/** The body with enum values as the documents list them: the gateway accepts any letter case, and spaces or hyphens for underscores. */
function withListedValues(body: unknown, found: Finding[]): unknown {
  const copy = structuredClone(body);
  for (const { path = [] } of found.filter(({ message }) => message.includes('allowed values'))) {
    let parent = { body: copy } as Record<string, never>;
    for (const part of path.slice(0, -1)) parent = parent[part] ?? ({} as never);
    const value: unknown = parent[path.at(-1)!];
    if (typeof value === 'string') Object.assign(parent, { [path.at(-1)!]: value.toUpperCase().replaceAll(/[ -]/g, '_') });
  }
  return copy;
}

/**
 * What is accepted next to what the documents say, for callers who send a response back or send a value in another spelling. These are global ids for
 * numbers, records that a response has expanded, values of enumerations in a query and codes of countries in lower case, a purpose of a form in any
 * spelling, web addresses without a scheme, and decisions without a body.
 */
const LENIENT =
  /(?:id: .* must be integer(?:,null)?|required property 'platform_id'|country must match pattern .*|property purpose must be equal to one of the allowed values: .*|website must match format "uri"|^request body: .* required property 'data'|^request query\.\S+: .* must be equal to one of the allowed values: .*)$/;

/** A request head of more than 16 KB, which is rejected before its operation is known: no document has the response. */
const HEAD_TOO_LARGE = 431;

/** A file of a form without a Content-Type of its own, which RFC 7578 section 4.4 allows and Prism's reader of forms does not survive. */
const UNTYPED_FILE = /content-disposition:[^\r\n]*;[^\r\n]*;[^\r\n]*\r\n(?!content-type:)/i;

async function violations(exchange: Exchange): Promise<string[] | undefined> {
  // OpenAPI leaves HEAD to GET and preflights to the Fetch standard, and pages are for browsers. Some tests send paths that are not part of any URL.
  if (exchange.method === 'HEAD' || exchange.method === 'OPTIONS' || exchange.responseHeaders['content-type']?.startsWith('text/html'))
    return undefined;
  if (exchange.status === HEAD_TOO_LARGE || !URL.canParse(exchange.path, UPSTREAM)) return undefined;
  if (exchange.status < 400 && UNTYPED_FILE.test(exchange.body ?? '')) return undefined;
  // Prism reads forms even where it does not validate them, and ends at one that is malformed on purpose.
  const body = exchange.status < 400 ? bodyOf(exchange.body, exchange.headers['content-type']) : undefined;
  let found = await findings(exchange, body);
  if (found?.input.length) found = await findings(exchange, withListedValues(body, found.input));
  if (!found) return exchange.status < 400 ? ['no document has this operation'] : undefined;
  const text =
    (side: string) =>
    ({ path, message }: Finding) =>
      `${side} ${path?.join('.') ?? ''}: ${message}`;
  const input = found.input.map(text('request'));
  // One value in another form makes its whole body fit none of the alternatives.
  return [...(input.some((finding) => LENIENT.test(finding)) ? [] : input), ...found.output.map(text('response'))];
}

let checked = 0;
const wrong = new Set<string>();
for (const name of readdirSync(directory))
  for (const line of readFileSync(join(directory, name), 'utf8').trimEnd().split('\n')) {
    const exchange = JSON.parse(line) as Exchange;
    const found = await violations(exchange);
    if (!found) continue;
    checked += 1;
    for (const one of found) wrong.add(`${exchange.method} ${exchange.path} ${exchange.status}  ${one}`);
  }
for (const one of wrong) console.log(one);
console.log(`${checked} REST calls, ${wrong.size} violations`);
process.exitCode = wrong.size > 0 || checked === 0 ? 1 : 0;

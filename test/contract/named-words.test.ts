// What texts have in backticks exists in the surface that they describe: descriptions of the GraphQL schema and of the OpenAPI documents, guides, and
// the messages of REST. Every operation that a text prints is one for any tool that reads the published schema.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, parse, validate, visit } from 'graphql';
import { describe, expect, it } from 'vitest';
import { contracts } from '../../rest-compat/openapi/contracts.ts';
import { buildGatewaySchema } from '../../src/graphql/schema.ts';
import { integrityRules } from '../../src/integrations/writes/integrity-rules.ts';
import { errorCodes } from '../../src/records/errors.ts';
import { allModels } from '../../src/records/metadata.ts';
import { orphanTypes, resolvers } from '../../src/registry.ts';
import { packagePath } from '../../src/runtime/package-root.ts';

const published = contracts(buildGatewaySchema(resolvers, orphanTypes));
const sdl = published.get('schema.graphql')!;
const schema = buildSchema(sdl);
const documents = [...published].flatMap(([path, text]): [string, Node][] =>
  path.startsWith('openapi/') ? [[path, JSON.parse(text)]] : [],
);

type Node = Record<string, unknown>;

/** Every text below a node at one of these keywords; examples are data. */
function textsAt(node: unknown, keywords: readonly string[]): string[] {
  if (Array.isArray(node)) return node.flatMap((one) => textsAt(one, keywords));
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) => {
    if (key === 'example') return [];
    if (typeof value === 'string') return keywords.includes(key) ? [value] : [];
    return [...(keywords.includes(key) && Array.isArray(value) ? value.map(String) : []), ...textsAt(value, keywords)];
  });
}

/** The names of members below a node: of objects by `properties`, of components by their kind. */
function namesBelow(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(namesBelow);
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) => [
    ...(['properties', 'schemas', 'paths', 'headers', 'webhooks'].includes(key) && typeof value === 'object'
      ? Object.keys(value ?? {})
      : []),
    ...namesBelow(value),
  ]);
}

const wordsIn = (text: string): string[] => text.replaceAll(/"[^"]*"/g, '').match(/[A-Za-z_][\w-]*/g) ?? [];

/** The words of a document: names of paths, parameters, members, headers, schemas and operations, and values of enumerations. */
const wordsOfDocument = (document: Node): Set<string> =>
  new Set(
    [...namesBelow(document), ...textsAt(document, ['name', 'operationId', 'enum', 'const', 'default', 'examples'])].flatMap(wordsIn),
  );

/** The descriptions of the GraphQL schema. */
const graphqlTexts: string[] = [];
visit(parse(sdl), { StringValue: ({ value }, key) => void (key === 'description' && graphqlTexts.push(value)) });

/** The words of the GraphQL schema: everything but its descriptions. */
const graphqlWords = new Set(wordsIn(sdl.replaceAll(/^ *(?:"""[\s\S]*?"""|".*")$/gm, '')));

/** Names that all surfaces share: codes of errors and rules, prefixes of ids. */
const shared = [
  ...Object.keys(errorCodes),
  ...integrityRules.map(({ name }) => name),
  ...allModels().map(({ prefix }) => `${prefix}_`),
  'job_',
  'whsec_',
  'whpk_',
];

/** Headers, media types and words of standards. */
const standard = wordsIn(
  'Accept accept Authorization Bearer ETag GET POST PUT DELETE If-Match If-None-Match Idempotency-Key Idempotency-Replayed Retry-After W X-GraphQL-Operation X-GraphQL-Usage X-RateLimit X-RateLimit- X-Request-Id apollo-require-preflight event-stream graphql-transport-ws webhook-id webhook-timestamp webhook-signature null true false string number unknown extensions persistedQuery sha256Hash operations map',
);

/** Examples of values, and names of what others make. */
const others = wordsIn(
  'Date YYYY-MM-DD Europe Berlin MON-FRI JUR_US_NY US-NY XVI gross sofa seats v1 v1a ok connected admin postgres pglite linkConnection month index lengths finalLetter iso31661 iso31662 iso31663 published_at dry_run force left_out',
);

/** The address of agents, its tools with what they return, and Markdown. */
const agents = wordsIn('mcp describe check run operation variables valid excerpt md text markdown');

const missingWords = (texts: readonly string[], known: ReadonlySet<string>): string[] => [
  ...new Set(
    texts.flatMap((text) =>
      [...text.matchAll(/`([^`]+)`/g)]
        .filter(([, code]) => wordsIn(code!).some((word) => !known.has(word)))
        .map(([, code]) => `${code} in: ${text.slice(0, 160)}`),
    ),
  ),
];

describe('the words of descriptions', () => {
  it('of the GraphQL schema exist in it', () => {
    // A description may name the field of a REST body where it says so.
    const kinds = ['Id', 'LedgerId', 'Text', 'contact_id', 'platform_id', 'source_state', 'source_error'];
    const known = new Set([...graphqlWords, ...shared, ...standard, ...others, ...agents, ...kinds, 'docs']);
    expect(graphqlTexts.length).toBeGreaterThan(3_000);
    expect(missingWords(graphqlTexts, known)).toEqual([]);
  });

  it.each(documents)('of %s exist in it', (_, document) => {
    const known = new Set([...wordsOfDocument(document), ...shared, ...standard, ...others]);
    const texts = textsAt(document, ['description', 'summary']).map((text) =>
      text.replace(/Filters on related records: .*|GraphQL: `[^`]+`/, ''),
    );
    expect(texts.length).toBeGreaterThan(20);
    expect(missingWords(texts, known)).toEqual([]);
  });

  // What the words are replaced by: response and returned, rejected, reported, is, again, retry, sorted by, default, no longer, must, email, immediately.
  it('are those that readers search', () => {
    const avoided = [
      /\banswer(s|ed|ing)?\b/i,
      /\brefus(e|es|ed|al)\b/i,
      /\b(told|tells?)\b/i,
      /\bstands?\b/i,
      /\b(anew|meanwhile|whoever)\b/i,
      /\brepetitions?\b/i,
      /\b(ordered by|order by|in their order|in the order given)\b/i,
      /\bhand(s|ed)? (in|over)\b/i,
      /\bmend(s|ed)?\b/i,
      /(?<!there )\b(is|are) none\b/i,
      /\bby itself\b/i,
      /\bwhat (became|becomes|is left) of\b/i,
      /\bwhat of\b/i,
      /\b(when|where) absent\b/i,
      /\bany more\b/i,
      /\b(has|have) to\b/i,
      /\b(e-mail|mail address|web site|sub-division)\b/i,
      /\bremarks?\b/i,
      /\bunder way\b/i,
      /\bgood for\b/i,
      /\bat once\b/i,
    ];
    // The form of a registration asks questions, which have answers. Meanings of error codes are messages too.
    const allowed = [
      /\banswers? (to|of|by|differs|is required)\b/i,
      /\b(kind|key|regular expression) of (the )?answer/i,
      /\bquestion\b/,
      /with the answers/,
    ];
    const meanings = new Set<string>(Object.values(errorCodes).map(({ meaning }) => meaning));
    const published = [...graphqlTexts, ...documents.flatMap(([, document]) => textsAt(document, ['description', 'summary']))];
    const found = published
      .filter((text) => !meanings.has(text))
      .filter((text) => avoided.some((word) => word.test(text.replaceAll(/`[^`]*`/g, ''))) && !allowed.some((use) => use.test(text)));
    expect([...new Set(found)]).toEqual([]);
  });

  // A text that is everywhere is read once: the rest is a sentence of a guide.
  it('that repeat are one short sentence', () => {
    const counts = new Map<string, number>();
    for (const text of graphqlTexts) counts.set(text, (counts.get(text) ?? 0) + 1);
    const long = [...counts].filter(([text, count]) => count > 20 && text.length > 70);
    expect(long).toEqual([]);
  });

  it('of guides exist in one of the surfaces', () => {
    const foreign = wordsIn(
      'snake_case camelCase openapi-typescript apollo-upload-client UploadHttpLink PersistedQueryLink persistedExchange persistConfig x-webhooks body MARK usage cost costLimit requestsLeft requestsLimit statements milliseconds archivedAt more Id api_key key client clients screens test schema docs graphql TRUSTED_DOCUMENTS',
    );
    const settings = [...readFileSync(packagePath('.env.example'), 'utf8').matchAll(/^# ?([A-Z_]+)=/gm)].map(([, name]) => name!);
    const known = new Set([
      ...graphqlWords,
      ...documents.flatMap(([, document]) => [...wordsOfDocument(document)]),
      ...shared,
      ...standard,
      ...others,
      ...agents,
      ...foreign,
      ...settings,
    ]);
    const folder = packagePath('docs', 'guides');
    const texts = readdirSync(folder).flatMap((file) =>
      readFileSync(join(folder, file), 'utf8')
        .replaceAll(/```[\s\S]*?```/g, '')
        .split(/(?<=\.)\s/),
    );
    expect(texts.length).toBeGreaterThan(200);
    expect(missingWords(texts, known)).toEqual([]);
  });
});

/** Markdown files of the checkout, by their paths. */
const markdown = ['README.md', 'CONTRIBUTING.md', join('schema', 'client', 'README.md')].concat(
  readdirSync(packagePath('docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join('docs', file)),
);

describe('the operations that texts print', () => {
  const printed = markdown.flatMap((file): [string, string][] => {
    const text = readFileSync(packagePath(file), 'utf8');
    const blocks = [...text.matchAll(/```graphql\n([\s\S]*?)```/g)].map(([, block]) => block!);
    // Bodies of requests in programs of the shell.
    const sent = [...text.matchAll(/'(\{"query":.*?\})'/g)].flatMap(([, body]) => {
      const { query } = JSON.parse(body!.replaceAll("'\"'\"'", "'")) as { query?: string };
      return query ?? [];
    });
    return [...blocks, ...sent].map((operation, at): [string, string] => [`${file} ${at + 1}`, operation]);
  });
  it('there are many', () => expect(printed.length).toBeGreaterThan(15));
  it.each(printed)('%s is one of the published schema', (_, operation) => expect(validate(schema, parse(operation))).toEqual([]));
});

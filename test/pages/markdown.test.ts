// The documentation for programs: every page as Markdown, the list of pages at /llms.txt, and the search as JSON.
import { NoUnusedFragmentsRule, parse, specifiedRules, validate } from 'graphql';
import { Marked, type Tokens } from 'marked';
import { describe, expect, it } from 'vitest';
import { documentationWith } from '../../site/pages/documentation.ts';
import { entryMarkdown } from '../../site/pages/reference/reference-markdown.ts';
import { useGateway } from '../support/gateway.ts';
import { BROWSER } from './crawl.ts';

const gateway = useGateway();
const get = (path: string, accept = '*/*') => gateway.send('GET', path, { headers: { accept } });
const typeOf = ({ headers }: { headers: Headers }) => headers.get('content-type');

/** The links of a Markdown text. */
function linksOf(text: string): string[] {
  const marked = new Marked();
  const links: string[] = [];
  marked.walkTokens(marked.lexer(text), (token) => {
    if (token.type === 'link') links.push((token as Tokens.Link).href);
  });
  return links;
}

const PAGES = [
  '/docs',
  '/docs/guides',
  '/docs/guides/lists',
  '/docs/graphql',
  '/docs/graphql/queries/companies',
  '/docs/graphql/mutations/createContact',
  '/docs/graphql/types/Contact',
  '/docs/rest/platform/webhooks',
  '/docs/model',
  '/docs/errors',
  '/docs/changelog',
  '/limits',
];

describe('Markdown', () => {
  it.each(PAGES)('%s is Markdown at its address with .md and for who accepts it, and a page for browsers', async (path) => {
    const [file, asked, page] = await Promise.all([get(`${path}.md`, BROWSER), get(path, 'text/markdown'), get(path, BROWSER)]);
    expect([file.status, typeOf(file)]).toEqual([200, 'text/markdown; charset=utf-8']);
    expect(asked.text).toBe(file.text);
    expect(asked.headers.get('vary')).toMatch(/accept/i);
    expect(file.text).toMatch(/^# \S/);
    expect(typeOf(page)).toBe('text/html; charset=utf-8');
  });

  it('a page of the REST documentation has its operations with a call to paste, and no key of the demo data', async () => {
    const { text } = await get('/docs/rest/platform/webhooks.md');
    expect(text).toContain('`POST /api/v1/webhooks`');
    expect(text).toMatch(/```sh\ncurl -X POST '.*\/api\/v1\/webhooks' \\\n {2}-H 'Authorization: Bearer <key>'/);
  });

  it('an unknown address is 404 as Markdown too', async () => {
    for (const path of ['/docs/none.md', '/docs/guides/none.md', '/docs/graphql/types/None.md', '/docs/rest/platform/none.md'])
      expect((await get(path)).status, path).toBe(404);
  });

  it('the samples and examples of every type and root field are valid GraphQL', () => {
    const { services } = gateway;
    const { reference } = documentationWith(null)({ services, schema: services.schema }).model;
    const rules = specifiedRules.filter((rule) => rule !== NoUnusedFragmentsRule);
    const wrong = reference.names.flatMap(({ kind, name }) => {
      const text = entryMarkdown(reference.entry(kind, name)!);
      const documents = [...text.matchAll(/```graphql\n([\s\S]*?)```/g)].map(([, document = '']) => document);
      return documents.flatMap((document) => validate(services.schema, parse(document), rules).map(({ message }) => `${name}: ${message}`));
    });
    expect(wrong).toEqual([]);
  }, 60_000);
});

describe('/llms.txt', () => {
  it('has the form of llmstxt.org, and every link of it returns', async () => {
    const { status, text } = await get('/llms.txt');
    expect(status).toBe(200);
    const [title, summary, ...others] = new Marked().lexer(text).filter(({ type }) => type !== 'space');
    expect([title!.type, (title as Tokens.Heading).depth, summary!.type]).toEqual(['heading', 1, 'blockquote']);
    const sections = others.slice(1);
    for (const [index, { type, ...token }] of sections.entries())
      expect([type, (token as Tokens.Heading).depth]).toEqual(index % 2 === 0 ? ['heading', 2] : ['list', undefined]);
    const links = linksOf(text);
    expect(new Set(links).size).toBe(links.length);
    for (const link of links) {
      const response = await get(link.replace(gateway.origin, ''));
      expect(response.status, link).toBe(200);
      if (link.endsWith('.md')) expect(response.text, link).toMatch(/^# \S/);
    }
  });

  it('leads to every guide, every resource and the references, whose own links work', async () => {
    const links = linksOf((await get('/llms.txt')).text).map((link) => link.replace(gateway.origin, ''));
    expect(links.filter((link) => link.startsWith('/docs/guides/')).length).toBeGreaterThan(10);
    expect(links.filter((link) => link.startsWith('/docs/rest/')).length).toBeGreaterThan(30);
    const found = new Set<string>();
    for (const page of links.filter((link) => link.endsWith('.md')))
      for (const link of linksOf((await get(page)).text)) if (link.startsWith('/')) found.add(link.replace(/#.*/, ''));
    // The pages of the reference are alike, so each twentieth is followed.
    const followed = [...found].filter((link, index) => !link.startsWith('/docs/graphql/') || index % 20 === 0);
    for (const link of followed) expect((await get(link)).status, link).toBe(200);
  });
});

describe('the search', () => {
  it('returns JSON to programs that ask for it', async () => {
    const { status, body } = await get('/docs/search?q=webhook', 'application/json');
    expect(status).toBe(200);
    expect(body.results.length).toBeGreaterThan(5);
    for (const result of body.results) expect(Object.keys(result)).toEqual(['title', 'url', 'kind', 'excerpt']);
    expect(body.results).toContainEqual(expect.objectContaining({ title: 'webhook', kind: 'query', url: '/docs/graphql/queries/webhook' }));
    expect((await get('/docs/search?q=zebra+quagga', 'application/json')).body).toEqual({ results: [] });
  });

  it('is a page for browsers and for who names no type, and Markdown for who asks for it', async () => {
    expect(typeOf(await get('/docs/search?q=sort'))).toBe('text/html; charset=utf-8');
    expect((await get('/docs/search?q=webhook', 'text/markdown')).text).toContain('type: [Webhook](/docs/graphql/types/Webhook). ');
  });
});

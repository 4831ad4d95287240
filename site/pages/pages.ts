// The pages for people: routes, content negotiation and security headers. Mounted once, before the routes for programs.
import { randomBytes } from 'node:crypto';
import { type Request, type Response, Router } from 'express';
import { sendResponse } from '../../src/http/response.ts';
import { Assets } from './assets.ts';
import { changelogBody, changelogMarkdown } from './changelog.ts';
import type { Documentation } from './documentation.ts';
import { guideBody, guidesAside, guidesBody } from './guides.ts';
import { landingBody, modelBody } from './landing.ts';
import { errorsMarkdown, guidesMarkdown, limitsMarkdown, llmsText, modelMarkdown } from './markdown.ts';
import { contentsOf } from './parts/aside.ts';
import { curlOf } from './parts/curl.ts';
import { html } from './parts/html.ts';
import { MARKDOWN } from './parts/markdown.ts';
import type { OperationCounterpart, PagesModel, ReferenceKind } from './parts/model.ts';
import { playgroundBody } from './playground.ts';
import { type Problem, problemBody } from './problem.ts';
import { entryMarkdown, overviewMarkdown } from './reference/reference-markdown.ts';
import { entryBody, overviewBody, referenceAside } from './reference/reference-pages.ts';
import { resourceMarkdown, restOverviewMarkdown } from './reference/rest-markdown.ts';
import { documented, resourceAddress, resourceBody, restAside, restOverviewBody } from './reference/rest-pages.ts';
import { searchBody, searchMarkdown, searchResults } from './search.ts';
import { type Page, shell } from './shell.ts';
import { errorsAside, errorsBody, limitsBody } from './tables.ts';

// The media types of programs come first, so a request with `*/*` or without the header does not count as a browser.
const OFFERED = ['application/json', 'application/graphql-response+json', 'text/html'];
const HOST = /^[\w.-]+(:\d+)?$|^\[[\da-fA-F:.]+\](:\d+)?$/;

/** What a page may load and call: this origin alone. */
const POLICY: Record<string, string> = {
  'default-src': "'none'",
  'base-uri': "'none'",
  // The search works without scripts.
  'form-action': "'self'",
  'frame-ancestors': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'font-src': "'self'",
  'connect-src': "'self'",
};
// The code editor writes its theme into a style element, which has to show the nonce of the response.
const editorPolicy = (nonce: string): Record<string, string> => ({ ...POLICY, 'style-src': `'self' 'nonce-${nonce}'` });

const NONCE_BYTES = 16;

function isBrowser(request: Request): boolean {
  return request.accepts(OFFERED) === 'text/html';
}

function originOf(model: PagesModel, request: Request): string {
  if (model.origin) return model.origin;
  const host = request.get('host') ?? '';
  return `${request.protocol}://${HOST.test(host) ? host : 'localhost'}`;
}

/** The headers of a page; they replace those of responses to programs. */
const headersOf = (policy: Record<string, string>): Record<string, string> => ({
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': Object.entries(policy)
    .map(([name, value]) => `${name} ${value}`)
    .join('; '),
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-cache',
});

/** Addresses of Markdown: a documentation page with `.md`. */
const MARKDOWN_PAGE = /^\/(?:docs(?:\/.+)?|limits)\.md$/;

/** Whether a page is asked for as Markdown, by its address or by the header. */
const wantsMarkdown = ({ locals, req: request }: Response): boolean =>
  locals.isMarkdown === true || request.accepts([...OFFERED, MARKDOWN]) === MARKDOWN;

/** Sends text that holds no secret: the keys of the demo data are for everybody. */
function sendText(response: Response, type: string, body: string): void {
  const headers = { 'Content-Type': `${type}; charset=utf-8`, 'Cache-Control': 'no-cache' };
  response.vary('accept');
  sendResponse(response.req, response, { status: response.statusCode, headers, body, isWithoutSecrets: true });
}

/** Sends a page, compressed where the browser takes it. */
export function sendPage(response: Response, body: string, policy = POLICY): void {
  response.vary('accept');
  // A page shows no secret: the keys of the demo data are for everybody.
  sendResponse(response.req, response, { status: response.statusCode, headers: headersOf(policy), body, isWithoutSecrets: true });
}

function operationMap(model: PagesModel, origin: string): object {
  const surfaces = new Map(model.surfaces.map((surface) => [surface.id, surface]));
  return {
    surfaces: model.surfaces.map(({ id, name, credential }) => ({ id, name, credential })),
    examples: model.examples,
    operations: model.operations.map(({ sample, credential, tag, ...operation }) => {
      const surface = surfaces.get(operation.surface);
      if (!surface) throw new Error(`operation ${operation.id} names the unknown surface ${operation.surface}`);
      return {
        ...operation,
        credential: credential === undefined ? surface.credential : credential,
        curl: curlOf(origin, sample, credential === undefined ? surface.credential : credential),
        docs: docsOf({ ...operation, tag }),
        playground: `/graphql#operation=${encodeURIComponent(operation.id)}`,
      };
    }),
  };
}

/** The address of a REST operation in the documentation. */
const docsOf = ({ id, surface, tag }: Pick<OperationCounterpart, 'id' | 'surface' | 'tag'>): string =>
  `${resourceAddress(surface, tag)}#${id}`;

/** The pages of a gateway. */
export interface Pages {
  /** Serves `/`, `/graphql`, `/docs` with everything below it, and `/limits` for browsers, their JSON, their assets, `/favicon.ico` and `/robots.txt`. */
  readonly router: Router;
  /** Sends a browser a page that says what is wrong; returns false for programs, to which the caller must respond. */
  readonly problem: (request: Request, response: Response, problem: Problem) => boolean;
}

// The pages are for the callers of one gateway, links to forms and files are secrets, and the rest is for programs.
const ROBOTS = 'User-agent: *\nDisallow: /\n';

/** The pages of the documentation, with the overview and the playground. */
export function pagesOf({ model, guides, search }: Documentation): Pages {
  const assets = new Assets();
  const icon = assets.url('src/icon.svg');
  const entries = {
    site: assets.entry('src/site.ts'),
    playground: assets.entry('src/playground/main.tsx'),
    docs: assets.entry('src/docs.ts'),
  };
  const apis = documented(model);
  const graphql = model.surfaces.find(({ openapi }) => !openapi)!;
  const router = Router();

  const show = (response: Response, page: Page, policy = POLICY): void => {
    if (page.markdown && wantsMarkdown(response)) sendText(response, MARKDOWN, page.markdown());
    else sendPage(response, shell(model, icon, page), policy);
  };

  router.use((request, response, next) => {
    if (MARKDOWN_PAGE.test(request.path)) {
      response.locals.isMarkdown = true;
      request.url = request.url.replace('.md', '');
    }
    next();
  });
  router.get('/llms.txt', (request, response) => sendText(response, 'text/plain', llmsText(model, guides, originOf(model, request))));
  router.get(/^\/assets\/[\w.-]+$/, assets.serve);
  // Browsers request it for documents that name no icon: JSON, a form, a file.
  router.get('/favicon.ico', (_request, response, next) => {
    assets.send('src/favicon.ico', response).catch(next);
  });
  router.get('/robots.txt', (_request, response) => {
    response.set('cache-control', 'public, max-age=86400').type('text/plain').send(ROBOTS);
  });
  router.get('/', (request, response, next) => {
    response.vary('accept');
    if (!isBrowser(request)) return next();
    show(response, { path: '/', title: 'Overview', entry: entries.site, body: landingBody(model, originOf(model, request)) });
  });
  router.get('/graphql', (request, response, next) => {
    response.vary('accept');
    if (!isBrowser(request)) return next();
    const nonce = randomBytes(NONCE_BYTES).toString('base64');
    const body = playgroundBody(model, nonce, originOf(model, request));
    show(response, { path: '/graphql', title: 'Playground', entry: entries.playground, body, fills: true }, editorPolicy(nonce));
  });
  // Express parses no query strings here, and the parser of the REST routes rejects parameters that a page can ignore.
  const parameter = (request: Request, name: string): string => new URLSearchParams(request.url.slice(request.path.length)).get(name) ?? '';
  router.get('/docs', (request, response) => {
    const asked = parameter(request, 'api');
    const surface = apis.find(({ openapi }) => openapi === asked) ?? apis[0]!;
    show(response, {
      path: '/docs',
      title: `REST: ${surface.name}`,
      entry: entries.site,
      body: restOverviewBody(model, surface),
      aside: restAside(model, surface),
      markdown: () => restOverviewMarkdown(model, surface),
    });
  });
  router.get(/^\/docs\/rest\/\w+\/[\w-]+$/, (request, response, next) => {
    const [api, tag] = request.path.split('/').slice(-2) as [string, string];
    const surface = apis.find(({ id }) => id === api);
    const operations = surface ? model.rest.operations(surface.id, tag) : [];
    if (!surface || operations.length === 0) return next();
    const origin = originOf(model, request);
    show(response, {
      path: '/docs',
      title: `${tag} · ${surface.name}`,
      entry: entries.docs,
      body: resourceBody(surface, tag, operations, origin),
      aside: restAside(model, surface, tag),
      markdown: () => resourceMarkdown(surface, tag, operations, origin),
    });
  });
  router.get('/docs/search', async (request, response) => {
    const query = parameter(request, 'q');
    const hits = await search(query);
    if (!wantsMarkdown(response) && request.accepts(['text/html', 'application/json']) === 'application/json')
      return sendText(response, 'application/json', JSON.stringify({ results: searchResults(hits) }));
    show(response, {
      title: query.trim() ? `Results for “${query}”` : 'Search',
      entry: entries.site,
      body: searchBody(hits, query),
      aside: html``,
      query,
      markdown: () => searchMarkdown(hits, query),
    });
  });
  router.get('/docs/model', (_request, response) => {
    show(response, {
      path: '/docs/graphql',
      title: 'The model',
      entry: entries.site,
      body: modelBody(model),
      markdown: () => modelMarkdown(model),
    });
  });
  router.get('/docs/changelog', (_request, response) => {
    show(response, {
      path: '/docs/changelog',
      title: 'Changelog',
      entry: entries.site,
      body: changelogBody(),
      aside: html``,
      markdown: changelogMarkdown,
    });
  });
  router.get('/docs/graphql', (_request, response) => {
    show(response, {
      path: '/docs/graphql',
      title: 'GraphQL reference',
      entry: entries.site,
      body: overviewBody(model.reference),
      aside: referenceAside(model.reference),
      markdown: () => overviewMarkdown(model.reference),
    });
  });
  // A pattern of plain letters: the router would respond to a malformed escape with a server error.
  router.get(/^\/docs\/graphql\/(queries|mutations|subscriptions|types)\/(\w+)$/, (request, response, next) => {
    const [kind, name] = request.path.split('/').slice(-2) as [ReferenceKind, string];
    const entry = model.reference.entry(kind, name);
    if (!entry) return next();
    show(response, {
      path: '/docs/graphql',
      title: name,
      entry: entries.site,
      body: entryBody(entry, docsOf),
      aside: referenceAside(model.reference),
      markdown: () => entryMarkdown(entry),
    });
  });
  router.get('/docs/guides', (_request, response) => {
    show(response, {
      path: '/docs/guides',
      title: 'Guides',
      entry: entries.site,
      body: guidesBody(guides),
      aside: guidesAside(guides),
      markdown: () => guidesMarkdown(guides),
    });
  });
  router.get(/^\/docs\/guides\/[\w-]+$/, (request, response, next) => {
    const guide = guides.find(({ name }) => request.path === `/docs/guides/${name}`);
    if (!guide) return next();
    show(response, {
      path: '/docs/guides',
      title: guide.title,
      entry: entries.docs,
      body: guideBody(guides, guide, originOf(model, request), graphql.credential),
      aside: guidesAside(guides, guide.name),
      contents: contentsOf(guide.sections),
      markdown: () => guide.text,
    });
  });
  router.get('/docs/operations.json', (request, response) => {
    // Demo keys in it are shown to everybody, so they are no secret.
    const body = JSON.stringify(operationMap(model, originOf(model, request)));
    sendResponse(request, response, { status: 200, headers: { 'Cache-Control': 'no-cache' }, body, isWithoutSecrets: true });
  });
  router.get('/docs/errors', (request, response) => {
    show(response, {
      path: '/docs/errors',
      title: 'Errors',
      entry: entries.site,
      body: errorsBody(model, parameter(request, 'q')),
      aside: errorsAside(model),
      markdown: () => errorsMarkdown(model),
    });
  });
  router.get('/docs/errors.json', (_request, response) => {
    response.set('cache-control', 'no-cache').json({ errors: model.errors });
  });
  router.get('/limits', (request, response) => {
    response.vary('accept').set('cache-control', 'no-cache');
    if (!wantsMarkdown(response) && !isBrowser(request)) return void response.json({ limits: model.limits });
    show(response, {
      path: '/limits',
      title: 'Limits',
      entry: entries.site,
      body: limitsBody(model),
      aside: html``,
      markdown: () => limitsMarkdown(model),
    });
  });
  const problem: Pages['problem'] = (request, response, content) => {
    response.vary('accept');
    if (!['GET', 'HEAD'].includes(request.method) || !isBrowser(request)) return false;
    response.status(content.status);
    show(response, { title: content.title, entry: entries.site, body: problemBody(content) });
    return true;
  };
  return { router, problem };
}

// The pages for people: routes, content negotiation and security headers. Mounted once, before the routes for programs.
import { type Request, type Response, Router } from 'express';
import { Assets } from './assets.ts';
import { curlOf } from './curl.ts';
import { html } from './html.ts';
import { landingBody } from './landing.ts';
import type { PagesModel } from './model.ts';
import { type Problem, problemBody } from './problem.ts';
import { type Page, shell } from './shell.ts';
import { errorsBody, limitsBody } from './tables.ts';

// The media types of programs come first, so a request with `*/*` or without the header does not count as a browser.
const OFFERED = ['application/json', 'application/graphql-response+json', 'text/html'];
const HOST = /^[\w.-]+(:\d+)?$|^\[[\da-fA-F:.]+\](:\d+)?$/;

const POLICY: Record<string, string> = {
  'default-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'font-src': "'self'",
  'connect-src': "'self'",
};
// The code editor positions its lines by style attributes and writes its theme into style elements; scripts stay strict.
const EDITOR_POLICY = { ...POLICY, 'style-src': "'self' 'unsafe-inline'", 'worker-src': "'self'" };

function isBrowser(request: Request): boolean {
  return request.accepts(OFFERED) === 'text/html';
}

function originOf(model: PagesModel, request: Request): string {
  if (model.origin) return model.origin;
  const host = request.get('host') ?? '';
  return `${request.protocol}://${HOST.test(host) ? host : 'localhost'}`;
}

function secure(response: Response, policy: Record<string, string>): void {
  response.set({
    'content-security-policy': Object.entries(policy)
      .map(([name, value]) => `${name} ${value}`)
      .join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cache-control': 'no-cache',
  });
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
        // Swagger UI compares the address literally, with only spaces escaped.
        docs: `/docs?api=${surface.openapi}#/${tag.replaceAll(' ', '%20')}/${operation.id}`,
        playground: `/graphql#operation=${encodeURIComponent(operation.id)}`,
      };
    }),
  };
}

function docsBody(model: PagesModel, chosen: string) {
  const tabs = model.surfaces
    .filter((surface, index, all) => surface.openapi && all.findIndex((other) => other.openapi === surface.openapi) === index)
    .map(({ openapi, name }) =>
      openapi === chosen
        ? html`<a href="/docs?api=${openapi}" aria-current="true">${name}</a>`
        : html`<a href="/docs?api=${openapi}">${name}</a>`,
    );
  return html`<main id="main" class="docs"><nav class="tabs" aria-label="APIs">${tabs}</nav><div id="docs" data-openapi="/openapi/${chosen}.json"></div></main>`;
}

/** The pages of a gateway. */
export interface Pages {
  /** Answers `/`, `/graphql`, `/docs`, `/docs/errors` and `/limits` for browsers, their JSON, their assets, `/favicon.ico` and `/robots.txt`. */
  readonly router: Router;
  /** Sends a browser a page that says what is wrong; returns false for programs, which the caller must answer. */
  readonly problem: (request: Request, response: Response, problem: Problem) => boolean;
}

// The pages are for the callers of one gateway, links to forms and files are secrets, and the rest is for programs.
const ROBOTS = 'User-agent: *\nDisallow: /\n';

/** The pages of a model. */
export function pagesOf(model: PagesModel): Pages {
  const assets = new Assets();
  const icon = assets.url('src/icon.svg');
  const entries = { site: assets.entry('src/site.ts'), playground: assets.entry('src/playground.tsx'), docs: assets.entry('src/docs.ts') };
  const documents = new Set(model.surfaces.flatMap(({ openapi }) => openapi ?? []));
  const [firstDocument = ''] = documents;
  const router = Router();

  const show = (response: Response, page: Page, policy = POLICY) => {
    secure(response, policy);
    response
      .vary('accept')
      .type('html')
      .send(shell(model, icon, page));
  };

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
    const body = html`<main id="main"><h1 class="quiet">GraphQL playground</h1><div id="playground"></div></main>`;
    show(response, { path: '/graphql', title: 'Playground', entry: entries.playground, body, fills: true }, EDITOR_POLICY);
  });
  router.get('/docs', (request, response) => {
    // Express parses no query strings here, and the parser of the REST routes refuses parameters that a page can ignore.
    const asked = new URLSearchParams(request.url.slice(request.path.length)).get('api') ?? '';
    const chosen = documents.has(asked) ? asked : firstDocument;
    show(response, { path: '/docs', title: 'REST docs', entry: entries.docs, body: docsBody(model, chosen) });
  });
  router.get('/docs/operations.json', (request, response) => {
    response.set('cache-control', 'no-cache').json(operationMap(model, originOf(model, request)));
  });
  router.get('/docs/errors', (_request, response) => {
    show(response, { path: '/docs/errors', title: 'Errors', entry: entries.site, body: errorsBody(model) });
  });
  router.get('/docs/errors.json', (_request, response) => {
    response.set('cache-control', 'no-cache').json({ errors: model.errors });
  });
  router.get('/limits', (request, response) => {
    response.vary('accept').set('cache-control', 'no-cache');
    if (!isBrowser(request)) return void response.json({ limits: model.limits });
    show(response, { path: '/limits', title: 'Limits', entry: entries.site, body: limitsBody(model) });
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

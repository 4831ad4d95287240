// The pages over plain HTTP: who gets what, under which headers, and that nothing is fetched from elsewhere.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fixtureApp, listen, model } from './fixture.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';
const PAGES = ['/', '/graphql', '/docs', '/docs/errors', '/limits'];
const BUILT = 'rest-compat/pages/built';

let server: Awaited<ReturnType<typeof listen>>;
beforeAll(async () => {
  server = await listen(fixtureApp());
});
afterAll(() => server.close());

const get = (path: string, headers: Record<string, string> = {}) => fetch(`${server.url}${path}`, { headers });
const page = async (path: string) => (await get(path, { accept: BROWSER })).text();

/** Addresses a browser loads by itself when it shows the document. */
const loaded = (document: string) =>
  [...document.matchAll(/<(?:link|script|img)\b[^>]*?\b(?:href|src)="([^"]+)"/g)].map(([, address = '']) => address);

test.each(PAGES)('documented: a browser gets a page at %s', async (path) => {
  const response = await get(path, { accept: BROWSER });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(await response.text()).toContain(`<a href="${path}" aria-current="page">`);
});

test.each(['*/*', 'application/json', 'application/graphql-response+json', 'application/json, */*;q=0.1'])(
  'documented: a program that accepts %s gets no page at / and /graphql',
  async (accept) => {
    expect(await (await get('/', { accept })).json()).toEqual({ message: 'running' });
    const answer = await get('/graphql', { accept });
    expect(answer.status).toBe(400);
    expect(answer.headers.get('content-type')).toContain('application/json');
    expect(answer.headers.get('vary')).toContain('accept');
  },
);

test.each(PAGES)('chosen: %s allows scripts from its own origin only, and no frame around it', async (path) => {
  const { headers } = await get(path, { accept: BROWSER });
  const policy = Object.fromEntries((headers.get('content-security-policy') ?? '').split('; ').map((rule) => rule.split(/ (.*)/)));
  expect(policy).toMatchObject({
    'default-src': "'none'",
    'script-src': "'self'",
    'connect-src': "'self'",
    'frame-ancestors': "'none'",
    'base-uri': "'none'",
  });
  expect(policy['style-src']).toBe(path === '/graphql' ? "'self' 'unsafe-inline'" : "'self'");
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
});

test.each(PAGES)('documented: %s loads everything from its own origin, and all of it is there', async (path) => {
  const document = await page(path);
  const addresses = loaded(document);
  expect(addresses.length).toBeGreaterThanOrEqual(3);
  for (const address of addresses) {
    expect(address).toMatch(/^\/assets\/[\w.-]+$/);
    expect((await get(address)).status, address).toBe(200);
  }
  expect(document).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\son[a-z]+=/);
});

test('documented: no style sheet fetches anything from another origin', () => {
  const folder = join(BUILT, 'assets');
  const sheets = readdirSync(folder).filter((name) => name.endsWith('.css'));
  expect(sheets.length).toBeGreaterThan(0);
  for (const name of sheets) {
    const outside = [...readFileSync(join(folder, name), 'utf8').matchAll(/(?:url\(\s*["']?|@import\s+["'])(?:https?:)?\/\/[^)"']*/g)].map(
      ([text]) => text,
    );
    expect(outside, name).toEqual([]);
  }
});

test('chosen: assets carry a hash in their name and are cached for a year', async () => {
  const [style = ''] = loaded(await page('/')).filter((address) => address.endsWith('.css'));
  const response = await get(style, { 'accept-encoding': 'gzip' });
  expect(style).toMatch(/-[\w-]{8}\.css$/);
  expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(response.headers.get('content-type')).toBe('text/css; charset=utf-8');
  expect(response.headers.get('content-encoding')).toBe('gzip');
  const plain = await get(style, { 'accept-encoding': 'identity' });
  expect(plain.headers.get('content-encoding')).toBeNull();
  expect(await response.text()).toBe(await plain.text());
});

test.each(['/assets/none.js', '/assets/..%2fmanifest.json', '/assets/%2e%2e%2f%2e%2e%2fmodel.ts', '/assets/__proto__'])(
  'chosen: %s is not served',
  async (path) => {
    expect((await get(path)).status).toBe(404);
  },
);

test('documented: the error catalogue is served as JSON and as a page with one anchor per code', async () => {
  expect(await (await get('/docs/errors.json')).json()).toEqual({ errors: model.errors });
  const document = await page('/docs/errors');
  for (const { code, fix } of model.errors) {
    expect(document).toContain(`id="${code}"`);
    expect(document).toContain(fix);
  }
});

test('documented: limits are JSON for programs and a table for browsers', async () => {
  expect(await (await get('/limits')).json()).toEqual({ limits: model.limits });
  expect(await page('/limits')).toContain('RATE_LIMIT_PER_MINUTE');
});

test('documented: the landing page names every surface with its address and, with demo data, a call that works as it stands', async () => {
  const document = await page('/');
  for (const surface of model.surfaces) expect(document).toContain(`${server.url}${surface.base}<`);
  expect(document).toContain('Authorization: Bearer demo-bearer-key');
});

test('chosen: text of the model is shown as text, never as markup', async () => {
  const document = await page('/docs/errors');
  expect(document).toContain('isn&#39;t of the &lt;documented&gt; type');
  expect(document).not.toContain('<documented>');
});

test('chosen: a host header that is no host does not reach the page', async () => {
  const { request } = await import('node:http');
  const document = await new Promise<string>((resolve, reject) => {
    const { port } = new URL(server.url);
    const options = { port, host: '127.0.0.1', path: '/', headers: { host: 'a"b;touch /tmp/x', accept: 'text/html' } };
    request(options, (response) => {
      let text = '';
      response.on('data', (part) => {
        text += part;
      });
      response.on('end', () => resolve(text));
    })
      .on('error', reject)
      .end();
  });
  expect(document).toContain('http://localhost/api/v1');
  expect(document).not.toContain('touch');
});

test('chosen: an unknown API name in /docs shows the first document', async () => {
  expect(await page('/docs?api=integrations')).toContain('data-openapi="/openapi/integrations.json"');
  for (const query of ['?api=none', '?api=a&api=b', ''])
    expect(await page(`/docs${query}`)).toContain('data-openapi="/openapi/platform.json"');
});

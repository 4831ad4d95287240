// The pages over plain HTTP: which callers get a page, under which headers, and that nothing is fetched from elsewhere.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { PagesModel } from '../../site/pages/parts/model.ts';
import { errorsBody } from '../../site/pages/tables.ts';
import { errorCodes } from '../../src/records/errors.ts';
import { useGateway } from '../support/gateway.ts';
import { BROWSER } from './crawl.ts';

const PAGES = ['/', '/graphql', '/docs', '/docs/errors', '/docs/changelog', '/limits'];
const BUILT = 'site/pages/built';

const gateway = useGateway();
const get = (path: string, headers: Record<string, string> = {}) => fetch(`${gateway.origin}${path}`, { headers });
const page = async (path: string) => (await get(path, { accept: BROWSER })).text();

/** Addresses a browser loads on its own when it shows the document. */
const loaded = (document: string) =>
  [...document.matchAll(/<(?:link|script|img)\b[^>]*?\b(?:href|src)="([^"]+)"/g)].map(([, address = '']) => address);

test.each(PAGES)('a browser gets a page at %s', async (path) => {
  const response = await get(path, { accept: BROWSER });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(await response.text()).toContain(`<a href="${path}" aria-current="page">`);
});

test.each(['*/*', 'application/json', 'application/graphql-response+json', 'application/json, */*;q=0.1'])(
  'a program that accepts %s gets no page at / and /graphql',
  async (accept) => {
    expect(await (await get('/', { accept })).json()).toMatchObject({ message: 'The ledger gateway is running' });
    const response = await get('/graphql', { accept });
    expect(response.status).toBe(400);
    expect(response.headers.get('content-type')).toMatch(/^application\/(graphql-response\+)?json/);
    expect(response.headers.get('vary')).toContain('accept');
  },
);

test.each(PAGES)('%s allows scripts from its own origin only, and no frame around it', async (path) => {
  const { headers } = await get(path, { accept: BROWSER });
  const policy = Object.fromEntries((headers.get('content-security-policy') ?? '').split('; ').map((rule) => rule.split(/ (.*)/)));
  expect(policy).toMatchObject({
    'default-src': "'none'",
    'script-src': "'self'",
    'connect-src': "'self'",
    'frame-ancestors': "'none'",
    'base-uri': "'none'",
  });
  if (path === '/graphql') expect(policy['style-src']).toMatch(/^'self' 'nonce-[\w+/]{22}=='$/);
  else expect(policy['style-src']).toBe("'self'");
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
});

test('the playground names the nonce of its styles, and every response has another', async () => {
  const responses = await Promise.all([1, 2].map(() => get('/graphql', { accept: BROWSER })));
  const nonces = await Promise.all(responses.map(async (response) => /data-nonce="([^"]+)"/.exec(await response.text())?.[1]));
  for (const [index, nonce] of nonces.entries())
    expect(responses[index]!.headers.get('content-security-policy')).toContain(`'nonce-${nonce}'`);
  expect(new Set(nonces).size).toBe(2);
});

test.each(PAGES)('%s loads everything from its own origin, and all of it is there', async (path) => {
  const document = await page(path);
  const addresses = loaded(document);
  expect(addresses.length).toBeGreaterThanOrEqual(3);
  for (const address of addresses) {
    expect(address).toMatch(/^\/assets\/[\w.-]+$/);
    expect((await get(address)).status, address).toBe(200);
  }
  expect(document).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\son[a-z]+=/);
});

test('no style sheet fetches anything from another origin', () => {
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

test('assets carry a hash in their name and are cached for a year', async () => {
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

test.each([
  '/assets/none.js',
  '/assets/..%2fmanifest.json',
  '/assets/%2e%2e%2f%2e%2e%2fmodel.ts',
  '/assets/__proto__',
  '/assets/%ff',
  '/%ff',
])('%s is not served', async (path) => {
  expect((await get(path)).status).toBe(404);
  expect((await get(path, { accept: BROWSER })).status).toBe(404);
});

test('the error catalogue is served as JSON and as a page with one anchor per code', async () => {
  const { errors } = (await (await get('/docs/errors.json')).json()) as { errors: { code: string }[] };
  expect(errors.map(({ code }) => code)).toEqual(Object.keys(errorCodes));
  const document = await page('/docs/errors');
  for (const { code } of errors) expect(document).toContain(`id="${code}"`);
});

test('limits are JSON for programs and a table for browsers', async () => {
  const { limits } = (await (await get('/limits')).json()) as { limits: { name: string; value: number }[] };
  const document = await page('/limits');
  for (const { name, value } of limits) {
    expect(document).toContain(`<th scope="row">${name}<`);
    expect(document).toContain(`<td class="value">${value === 0 ? 'unlimited' : `${value} `}`);
  }
  expect(document).toContain('RATE_LIMIT_PER_MINUTE');
});

test('the landing page names every surface with its address and the header of its key', async () => {
  const document = await page('/');
  for (const base of ['/graphql', '/api/v1', '/tax/api/v1', '/v4/core']) expect(document).toContain(`${gateway.origin}${base}<`);
  for (const header of ['Authorization: Bearer', 'x-service-key:', 'api_key:']) expect(document).toContain(`${header} &lt;key&gt;<`);
});

test('text of the model is shown as text, never as markup, and its Markdown marks are rendered', () => {
  const model = {
    surfaces: [{ id: 'graphql', name: 'GraphQL' }],
    errors: [
      {
        code: 'A',
        meaning: "isn't <documented>",
        cause: 'Neither `a<b>` nor `c`.',
        fix: '`/limits`',
        status: { graphql: [200, 400] },
        bodies: {},
      },
    ],
  } as unknown as PagesModel;
  const { text } = errorsBody(model);
  expect(text).toContain('isn&#39;t &lt;documented&gt;');
  expect(text).toContain('Neither <code>a&lt;b&gt;</code> nor <code>c</code>.');
  expect(text).toContain('<dd><code>/limits</code></dd>');
  expect(text).toContain('<strong>200 or 400</strong>');
});

test.each(PAGES)('no marks of Markdown are left on %s', async (path) => {
  const shown = (await page(path)).replaceAll(/ data-copy="[^"]*"/g, '').replaceAll(/<pre.*?<\/pre>/gs, '');
  expect(shown.match(/.{0,40}(?:`|\*\*|\]\().{0,40}/)).toBeNull();
});

test('an invalid host header does not reach the page', async () => {
  const { request } = await import('node:http');
  const document = await new Promise<string>((resolve, reject) => {
    const { port } = new URL(gateway.origin);
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

test('an unknown API name in /docs shows the first document', async () => {
  for (const query of ['?api=none', '?api=a&api=b', '?api', '?api=%ff', '?api[]=address', ''])
    expect(await page(`/docs${query}`)).toContain('<a href="/docs?api=platform" aria-current="page">');
});

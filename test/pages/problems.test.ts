// Unknown addresses: a page for browsers, the error of the surface for programs; and the two files that browsers and crawlers request on their own.
import { expect, test } from 'vitest';
import { useGateway } from '../support/gateway.ts';
import { BROWSER } from './crawl.ts';

const gateway = useGateway();
const get = (path: string, accept: string) => gateway.send('GET', path, { headers: { accept } });
const LOST = [
  '/none',
  '/docs/none',
  '/assets/none.js',
  '/api/v1/none',
  '/tax/api/v1/none',
  '/v4/core/none',
  '/openapi/none.json',
  '/%ff',
  '/..%2f',
];

test.each(LOST)('a browser gets a page at %s, with links to continue', async (path) => {
  const response = await get(path, BROWSER);
  expect(response.status).toBe(404);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(response.headers.get('vary')).toContain('accept');
  expect(response.headers.get('x-request-id')).toBeTruthy();
  for (const part of ['<h1>There is nothing here</h1>', 'href="/"', 'href="/docs"', 'href="/docs/errors#ROUTE_NOT_FOUND"'])
    expect(response.text).toContain(part);
});

test.each(['*/*', 'application/json', 'application/json, text/html;q=0.5'])(
  'a program that accepts %s gets the error of the surface',
  async (accept) => {
    expect((await get('/api/v1/none', accept)).body).toMatchObject({ error: { code: 'ROUTE_NOT_FOUND', status: 404 } });
    expect((await get('/v4/core/none', accept)).body).toMatchObject({ error: { error_code: 'ROUTE_NOT_FOUND', status_code: 404 } });
    expect((await get('/api/v1/none', accept)).headers.get('vary')).toContain('accept');
  },
);

test('an error of a known route is the documented one, for browsers too', async () => {
  const response = await get('/api/v1/corporations', BROWSER);
  expect(response.status).toBe(401);
  expect(response.body).toMatchObject({ error: { code: 'UNAUTHENTICATED' } });
});

test('other methods get no page', async () => {
  const response = await gateway.send('POST', '/api/v1/none', { headers: { accept: BROWSER }, body: {} });
  expect(response.status).toBe(404);
  expect(response.body).toMatchObject({ error: { code: 'ROUTE_NOT_FOUND' } });
});

test('the address is shown as text', async () => {
  const { text } = await get('/<script>alert(1)</script>', BROWSER);
  expect(text).not.toContain('<script>alert');
});

test('an expired link to a file shows a browser a page that says so', async () => {
  const response = await get('/api/v1/downloads/documents/doc_1?expires=1&signature=x', BROWSER);
  expect(response.status).toBe(404);
  expect(response.text).toContain('href="/docs/errors#FILE_NOT_FOUND"');
  expect((await get('/api/v1/downloads/documents/doc_1?expires=1&signature=x', '*/*')).body).toMatchObject({
    error: { code: 'FILE_NOT_FOUND' },
  });
});

test.each([BROWSER, '*/*', 'image/avif,image/webp,image/*,*/*;q=0.8'])('/favicon.ico is an icon for %s', async (accept) => {
  const response = await fetch(`${gateway.origin}/favicon.ico`, { headers: { accept } });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('image/x-icon');
  expect(response.headers.get('cache-control')).toContain('max-age=86400');
  const icon = Buffer.from(await response.arrayBuffer());
  // An ICO file: a zero, the type 1, the number of images.
  expect([icon.readUInt16LE(0), icon.readUInt16LE(2), icon.readUInt16LE(4)]).toEqual([0, 1, 3]);
});

test('/robots.txt keeps crawlers out', async () => {
  for (const accept of [BROWSER, '*/*']) {
    const response = await get('/robots.txt', accept);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(response.text).toBe('User-agent: *\nDisallow: /\n');
  }
});

// Paths that try to leave the folders that the gateway serves, and addresses of other hosts in paths and queries: no file and no redirect comes of them.
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { dirname } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { routes } from '../../rest-compat/routes/routes.ts';
import { packagePath } from '../../src/runtime/package-root.ts';
import { crawl } from '../pages/crawl.ts';
import { useGateway } from '../support/gateway.ts';

const gateway = useGateway();

interface Received {
  status: number;
  location: string | undefined;
  body: string;
}

/** Sends a path as it is; `fetch` would resolve its dots. */
function get(path: string, headers: Record<string, string> = {}): Promise<Received> {
  const { hostname, port } = new URL(gateway.origin);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, headers }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        body += part;
      });
      response.on('end', () => resolve({ status: response.statusCode!, location: response.headers.location, body }));
    });
    sent.on('error', reject).end();
  });
}

/** Ways up one folder: plain, encoded once and twice, with the other separator, and in two longer forms of UTF-8. */
const UP = ['../', '%2e%2e/', '..%2f', '%2e%2e%2f', '%252e%252e%252f', '..\\', '..%5c', '..%c0%af', '..%e0%80%af', '....//', '.%00./'];
/** A file of the project and one of the machine, with how far up each may be, and words that only it has. */
const FILES = [
  { name: 'package.json', depths: [1, 2, 3, 4, 5, 6], words: readFileSync(packagePath('package.json'), 'utf8').slice(0, 40) },
  { name: 'etc/passwd', depths: [12], words: 'root:' },
];

let paths: string[];
beforeAll(async () => {
  paths = [...(await crawl(gateway.origin)).files.keys()].map((path) => path.split('?')[0]!);
}, 60_000);

test('no path leads out of a folder that is served', async () => {
  const folders = [...new Set(paths.map((path) => dirname(path).replace(/\/?$/, '/')))];
  expect(folders.length).toBeGreaterThan(5);
  for (const folder of folders)
    for (const up of UP) {
      const asked = FILES.flatMap(({ name, depths, words }) => depths.map((depth) => ({ path: folder + up.repeat(depth) + name, words })));
      const received = await Promise.all(asked.map(({ path }) => get(path)));
      for (const [index, { path, words }] of asked.entries()) {
        expect(received[index]!.status, path).toBeLessThan(500);
        expect(received[index]!.body, path).not.toContain(words);
      }
    }
});

/** Another host, as a path and as the value of a parameter. */
const ELSEWHERE = [
  '//elsewhere.invalid',
  '/\\elsewhere.invalid',
  '/%5celsewhere.invalid',
  '/%2f%2felsewhere.invalid',
  'https://elsewhere.invalid/',
];
const PARAMETERS = ['next', 'return', 'returnTo', 'return_url', 'redirect', 'redirect_uri', 'url', 'state'];

test('no response sends a client to another host', async () => {
  const reads = routes.filter(({ method }) => method === 'GET').map(({ path }) => path.replaceAll(/\{\w+\}/g, '1'));
  const pages = paths.filter((path) => !path.startsWith('/docs/graphql/'));
  const asked = [
    ...ELSEWHERE,
    ...ELSEWHERE.map((address) => `/docs${address}`),
    // REST rejects names that it does not know, so each route gets one.
    ...[...new Set([...pages, ...reads])].map((path, index) => {
      const value = encodeURIComponent(ELSEWHERE[index % ELSEWHERE.length]!);
      return `${path}?${PARAMETERS[index % PARAMETERS.length]}=${value}`;
    }),
  ];
  for (const path of asked) {
    const { status, location } = await get(path, { host: 'elsewhere.invalid', 'x-forwarded-host': 'elsewhere.invalid' });
    expect(status, path).toBeLessThan(500);
    expect(location ?? '', path).not.toContain('elsewhere');
  }
});

// Every link of every page, followed on the real application; and the calls that the pages offer, run unchanged.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { readShared } from '../../site/pages/parts/share-link.ts';
import { readConfig } from '../../src/config.ts';
import { linksStayHere, publicOrigin } from '../../src/security/signed-urls.ts';
import { useGateway } from '../support/gateway.ts';
import { buildCaller } from '../support/registrations.ts';
import { BROWSER, crawl, type Found } from './crawl.ts';

const shell = promisify(execFile);
const gateway = useGateway({ demoData: true });
const PAGES = [
  '/',
  '/graphql',
  '/docs',
  '/docs?api=platform',
  '/docs/rest/platform/products',
  '/docs/model',
  '/docs/changelog',
  '/docs?api=address',
  '/docs?api=integrations',
  '/docs/graphql',
  '/docs/errors',
  '/limits',
  '/apps',
  '/apps/dashboard',
  '/apps/onboarding',
  '/apps/webhooks',
];

interface Operations {
  surfaces: { id: string; credential: { demoKey?: string } }[];
  operations: { id: string; method: string; path: string; curl: string }[];
}
describe('links', () => {
  let files: Map<string, Found>;
  let fragments: [from: string, to: string][];
  beforeAll(async () => {
    ({ files, fragments } = await crawl(gateway.origin));
  });

  it('the pages lead to each other, to the contracts and to the health endpoints', () => {
    const found = [...files.keys()];
    expect(found).toEqual(expect.arrayContaining(PAGES));
    expect(found).toEqual(expect.arrayContaining(['/schema.graphql', '/docs/errors.json', '/healthz', '/livez', '/readyz']));
  });

  it('every link, picture, style, script and part of a script is there', () => {
    const missing = [...files].filter(([, { status }]) => status !== 200).map(([path, { status }]) => `${status} ${path}`);
    expect(missing).toEqual([]);
    expect([...files.keys()].filter((path) => path.startsWith('/assets/')).length).toBeGreaterThan(8);
  });

  it('every fragment leads to a part of a page, an operation of a contract or one of the playground', () => {
    const operations = new Set((JSON.parse(files.get('/docs/operations.json')!.text) as Operations).operations.map(({ id }) => id));
    const isThere = (to: string): boolean => {
      const [path = '', fragment = ''] = to.split('#');
      const operation = new URLSearchParams(fragment).get('operation');
      if (operation !== null) return path === '/graphql' && operations.has(operation);
      if (path === '/graphql' && fragment.includes('=')) return readShared(fragment) !== undefined;
      return files.get(path)!.text.includes(`id="${fragment}"`);
    };
    expect(fragments.length).toBeGreaterThan(200);
    expect(fragments.filter(([, to]) => !isThere(to))).toEqual([]);
  });

  it.each(['platform', 'address', 'integrations'])('/docs?api=%s shows that API and marks its link', async (api) => {
    for (const query of [`?api=${api}`, `?from=mail&api=${api}`, `?api=${api}&lang=en%20GB`]) {
      const { text } = await gateway.send('GET', `/docs${query}`, { headers: { accept: BROWSER } });
      expect(text).toContain(`href="/openapi/${api}.json"`);
      expect(text).toContain(`<a href="/docs?api=${api}" aria-current="page">`);
    }
  });
});

describe('calls', () => {
  it('every call of the landing page succeeds unchanged', async () => {
    const { text } = await gateway.send('GET', '/', { headers: { accept: BROWSER } });
    const commands = [...text.matchAll(/data-copy="(curl[^"]*)"/g)].map(([, command = '']) =>
      command.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&'),
    );
    expect(commands.length).toBe(7);
    for (const header of ['Authorization: Bearer', 'x-service-key:', 'api_key:'])
      expect(commands.join()).toMatch(new RegExp(`${header} ent_\\w+`));
    for (const command of commands) {
      const { stdout } = await shell('sh', ['-c', `${command} --silent --write-out '\n%{http_code}'`]);
      const [status = '', body = ''] = stdout.split('\n').reverse();
      expect(status, command).toBe('200');
      expect(JSON.parse(body), command).not.toHaveProperty('errors');
    }
  });

  it('every GET call without a placeholder succeeds unchanged', async () => {
    const { operations } = (await gateway.send('GET', '/docs/operations.json')).body as Operations;
    // The demo ledger has no trial balance of its own.
    const calls = operations.filter(({ id, method, curl }) => method === 'GET' && !/[{<]/.test(curl) && id !== 'SourceTrialBalance');
    expect(calls.length).toBeGreaterThan(20);
    for (const { id, curl } of calls) {
      const { stdout } = await shell('sh', ['-c', `${curl} --silent --output /dev/null --write-out '%{http_code}'`]);
      // The samples name records by the number 1, which may belong to another organisation.
      expect(['200', '404'], `${id}: ${curl}`).toContain(stdout);
    }
  }, 120_000);
});

describe('the hosted form', () => {
  it.each([
    ['US', { state: 'DE', corporationType: 'CCorp' }],
    ['IN', { state: 'KA', corporationType: 'PvtLtd' }],
    ['IE', { corporationType: 'Ltd' }],
  ])('in %s its links lead to its own parts, with errors and without', async (country, entry) => {
    const caller = await buildCaller(gateway);
    const made = await caller.post('/incorporation-requests', {
      companyId: '3f2b1c9e-8d4a-4b6f-9a51-0c7d2e8f6a10',
      country,
      corporationTypeInfo: { [country]: entry },
    });
    const link = new URL(made.body.data.signedFormUrl);
    const path = link.pathname + link.search;
    const shown = await fetch(gateway.origin + path, { headers: { accept: BROWSER } });
    expect(shown.status).toBe(200);
    const empty = new FormData();
    empty.set('keyPersons.0.email', 'nobody');
    const refused = await fetch(gateway.origin + path, { method: 'POST', body: empty, headers: { accept: BROWSER } });
    expect(refused.status).toBe(400);
    for (const text of [await shown.text(), await refused.text()]) {
      const targets = [...text.matchAll(/\s(?:href|for|aria-describedby|list)="#?([^"]+)"/g)].flatMap(([, ids]) => ids!.split(' '));
      expect(targets.length).toBeGreaterThan(3);
      expect(targets.filter((id) => !text.includes(` id="${id}"`))).toEqual([]);
      // The other steps are buttons of the form, which save what is typed on the way.
      const steps = [...text.matchAll(/<button[^>]* value="go\.(\w+)"/g)].map(([, step]) => step);
      expect(steps.length).toBeGreaterThan(0);
      for (const step of steps) {
        const body = new URLSearchParams({ step: 'company', action: `go.${step}` });
        const response = await fetch(gateway.origin + path, { method: 'POST', body, redirect: 'manual' });
        expect(response.headers.get('location'), step).toBe(`${path}&step=${step}`);
        expect((await fetch(`${gateway.origin}${path}&step=${step}`, { headers: { accept: BROWSER } })).status, step).toBe(200);
      }
      const sent = [...text.matchAll(/\s(?:src|action)="([^"]*)"/g)].map(([, to]) => to!.replaceAll('&amp;', '&'));
      expect(sent.filter((to) => !to.startsWith(path))).toEqual([]);
    }
  });
});

describe('the address in links', () => {
  const origin = (settings: Record<string, string>): string => publicOrigin(readConfig({ PORT: '4000', ...settings }));

  it.each([
    ['0.0.0.0', 'http://localhost:4000'],
    ['0', 'http://localhost:4000'],
    ['::', 'http://localhost:4000'],
    ['::0', 'http://localhost:4000'],
    ['0:0:0:0:0:0:0:0', 'http://localhost:4000'],
    ['::1', 'http://[::1]:4000'],
    ['fe80::1%eth0', 'http://[fe80::1%eth0]:4000'],
    ['127.0.0.1', 'http://127.0.0.1:4000'],
    ['10.1.2.3', 'http://10.1.2.3:4000'],
    ['gateway.internal', 'http://gateway.internal:4000'],
  ])('without PUBLIC_URL a gateway on %s is reached at %s', (host, expected) => {
    expect(origin({ HOST: host })).toBe(expected);
    expect(linksStayHere(readConfig({ HOST: host }))).toBe(expected.includes('localhost'));
  });

  it('every link begins with PUBLIC_URL, whatever the address', () => {
    expect(origin({ HOST: '0.0.0.0', PUBLIC_URL: 'https://ledger.example/' })).toBe('https://ledger.example');
    expect(linksStayHere(readConfig({ HOST: '0.0.0.0', PUBLIC_URL: 'https://ledger.example' }))).toBe(false);
  });
});

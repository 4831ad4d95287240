// The applications at /apps: served like the other pages, with a demo key only on the visitor's own machine, built from the committed sources.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, type DocumentNode, parse, print, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { sourcesHash } from '../../site/apps/app/sources.ts';
import { type Gateway, startGateway, useGateway } from '../support/gateway.ts';
import { BROWSER } from './crawl.ts';

const APPLICATIONS = ['dashboard', 'onboarding', 'webhooks'];
const SOURCES = 'site/apps/app/src';

const gateway = useGateway({ demoData: true });
const page = (path: string, { origin }: Gateway = gateway) => fetch(origin + path, { headers: { accept: BROWSER } });
const keyIn = (text: string): string | undefined => /data-key="([^"]*)"/.exec(text)?.[1];

describe('pages', () => {
  it('/apps lists the applications, and each opens', async () => {
    const index = await (await page('/apps')).text();
    for (const name of APPLICATIONS) {
      expect(index).toContain(`href="/apps/${name}"`);
      const response = await page(`/apps/${name}`);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-security-policy')).toContain("script-src 'self'; style-src 'self';");
      const files = [...(await response.text()).matchAll(/(?:href|src)="(\/apps\/assets\/[^"]+)"/g)].map(([, file]) => file!);
      expect(files.length).toBeGreaterThanOrEqual(2);
      for (const file of files) {
        const { status, headers } = await page(file);
        expect([status, headers.get('cache-control')], file).toEqual([200, 'public, max-age=31536000, immutable']);
      }
    }
    for (const path of ['/apps/nothing', '/apps/assets/nothing.js', '/apps/assets/%E0', '/apps/dashboard/x'])
      expect((await page(path)).status, path).toBe(404);
  });

  it('a demo key is in the pages of a gateway on loopback, and opens it', async () => {
    const key = keyIn(await (await page('/apps/dashboard')).text());
    const { body } = await gateway.graphql(key!, '{ viewer { organisation { name } } }');
    expect(body.data.viewer.organisation.name).toBe('Demo');
  });

  it.each([{ host: '0.0.0.0' }, { demoData: false }])('there is no key in them with %o', async (settings) => {
    const other = await startGateway({ demoData: true, ...settings });
    try {
      for (const name of APPLICATIONS) {
        const text = await (await page(`/apps/${name}`, other)).text();
        expect(text).toContain('id="app"');
        expect(text).not.toMatch(/data-key|ent_/);
      }
    } finally {
      await other.stop();
    }
  });
});

describe('sources', () => {
  it('the build is not older than they are (else: npm ci && npm run build in site/apps/app)', () => {
    expect(readFileSync('site/apps/built/sources.sha256', 'utf8').trim()).toBe(sourcesHash('site/apps/app'));
  });

  it.each(APPLICATIONS)(
    'the operations of the %s are valid, and their generated documents are theirs (else: npm run generate there)',
    (name) => {
      const schema = buildSchema(readFileSync('schema/schema.graphql', 'utf8'));
      const folder = join(SOURCES, name);
      const written = readdirSync(folder).filter((file) => file.endsWith('.graphql'));
      const document = parse(written.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n'));
      expect(validate(schema, document).map(({ message }) => message)).toEqual([]);
      const generated = readFileSync(join(folder, 'operations.generated.ts'), 'utf8');
      const definitions = [...generated.matchAll(/^export const \w+ = (\{"kind":"Document".*\}) as unknown as/gm)].flatMap(
        ([, text]) => (JSON.parse(text!) as DocumentNode).definitions,
      );
      const printed = new Set(definitions.map((definition) => print(definition)));
      expect([...printed].sort()).toEqual(document.definitions.map((definition) => print(definition)).sort());
    },
  );

  it('no generated type is any', () => {
    for (const name of APPLICATIONS) {
      const text = readFileSync(join(SOURCES, name, 'operations.generated.ts'), 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '');
      expect(text.match(/\bany\b/g)).toBeNull();
    }
  });
});

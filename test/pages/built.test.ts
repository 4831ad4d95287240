// The committed build matches the committed sources, and the compiled code finds it too.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { sourcesHash } from '../../site/pages/app/sources.ts';
import { compiledProgram } from '../support/made.ts';

const run = promisify(execFile);
const BUILT = 'site/pages/built';

test('the build is not older than its sources (else: npm ci && npm run build in site/pages/app)', async () => {
  expect((await readFile(join(BUILT, 'sources.sha256'), 'utf8')).trim()).toBe(sourcesHash('site/pages/app'));
});

test('the manifest names the entry of every page', async () => {
  const manifest = JSON.parse(await readFile(join(BUILT, 'manifest.json'), 'utf8')) as Record<string, { isEntry?: boolean }>;
  const entries = Object.keys(manifest).filter((name) => manifest[name]?.isEntry);
  expect(entries.sort()).toEqual(['src/docs.ts', 'src/playground/main.tsx', 'src/site.ts']);
});

test('compiled code, which is in another folder, finds the built files', async () => {
  const script = `import { Assets } from ${JSON.stringify(join(await compiledProgram(), 'site/pages/assets.js'))}; console.log(new Assets().url('src/icon.svg'))`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script]);
  expect(stdout.trim()).toMatch(/^\/assets\/icon-.*\.svg$/);
});

// The program as shipped is joined into a few files, and has no other files than `files` and `bundleDependencies` of package.json name: what finds tables,
// workers, packages or pages by a place of its own finds them from there.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { packagePath, programVersion } from '../../src/runtime/package-root.ts';
import { compiledProgram } from '../support/made.ts';
import { call, issueKey, ownPlace, type Place, program, type RunningProgram } from '../support/program.ts';

const run = promisify(execFile);

let folder: string;
let place: Place;
let running: RunningProgram;
let key: string;

/** Puts what is shipped into the folder, with what the run has compiled. */
async function ship(): Promise<void> {
  const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: packagePath(), maxBuffer: 16_777_216 });
  const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }];
  for (const { path } of files) if (!path.startsWith('dist/')) await cp(packagePath(path), join(folder, path));
  await cp(join(await compiledProgram(), 'bundle'), join(folder, 'dist', 'bundle'), { recursive: true });
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-shipped-'));
  await ship();
  place = await ownPlace();
  running = await program.start(place.settings, [], join(folder, 'dist'));
  key = await issueKey(running.origin, ['INTEGRATIONS', 'PLATFORM', 'GEOCODE', 'ENTITIES']);
}, 120_000);
afterAll(async () => {
  await running.end('SIGTERM');
  await place.remove();
  await rm(folder, { recursive: true });
});

/** What is made while the program runs, and what only a command of developers reads. */
const NOT_SHIPPED = ['dist/.compiled', 'schema/released/migrations.sha256'];

it('every place of the repository that the code names is there', async () => {
  const compiled = await compiledProgram();
  const places = new Set<string>();
  for (const source of ['src', 'site', 'rest-compat'])
    for (const file of await readdir(join(compiled, source), { recursive: true })) {
      if (!file.endsWith('.js')) continue;
      const text = await readFile(join(compiled, source, file), 'utf8');
      for (const [, parts] of text.matchAll(/packagePath\(((?:'[^']+'(?:, )?)+)/g))
        places.add([...parts!.matchAll(/'([^']+)'/g)].map(([, part]) => part).join('/'));
      for (const [, path] of text.matchAll(/'((?:src|site|schema|docs)\/[\w./-]+)'/g)) places.add(path!);
    }
  const named = [...places].filter((path) => existsSync(packagePath(path)) && !NOT_SHIPPED.includes(path));
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((path) => !existsSync(join(folder, path)))).toEqual([]);
});

it('a mapping runs in its worker', async () => {
  const { body } = await call(running.origin, key, 'POST', '/v4/core/companies', { data: { name: 'Joined' } });
  const form = new FormData();
  form.set(
    'mapping',
    "title: T\nfiles: { rows: { columns: [Who] } }\nstreams: { rows: [{ dataModel: CONTACT, record: \"{ 'platform_id': Who, 'name': Who }\" }] }",
  );
  form.set('file', new Blob(['Who\nAda\n']), 'rows.csv');
  const path = `/v4/core/companies/${body.data.ledger_id}/imports/preview`;
  expect((await call(running.origin, key, 'POST', path, form)).body.data).toMatchObject({ title: 'T', records: [{ platform_id: 'Ada' }] });
});

it('an address is found in the tables', async () => {
  const found = await call(running.origin, key, 'POST', '/api/v1/geoencode', { address: '10 Downing Street, London SW1A 2AA' });
  expect(found.text).toContain('"code":"GB-ENG"');
});

it('a tax id is checked by its library', async () => {
  const corporation = { legal_name: 'A', jurisdiction: 'GB', tax_ids: [{ type: 'GB_VAT', value: 'GB000000001' }] };
  const made = await call(running.origin, key, 'POST', '/api/v1/corporations', corporation);
  expect(JSON.stringify(made.body)).toMatch(/check/i);
});

it('the playground and its files are served', async () => {
  const page = await fetch(`${running.origin}/graphql`, { headers: { accept: 'text/html' } });
  const [, script] = /<script[^>]* src="([^"]+)"/.exec(await page.text())!;
  expect((await fetch(new URL(script!, `${running.origin}/graphql`))).status).toBe(200);
});

it('every page that the first one links to is served, and what those link to', async () => {
  const links = async (path: string): Promise<string[]> => {
    const response = await fetch(new URL(path, running.origin), { headers: { accept: 'text/html' } });
    const text = await response.text();
    expect(response.status, `${path}: ${text.slice(0, 200)}`).toBe(200);
    return [...text.matchAll(/ href="(\/[^"#?]*)/g)].map(([, link]) => link!);
  };
  const first = new Set(await links('/'));
  const next = new Set<string>();
  for (const path of first) for (const link of await links(path)) if (!first.has(link)) next.add(link);
  expect(next.size).toBeGreaterThan(20);
  for (const path of next) await links(path);
});

it('the command of an administrator runs', async () => {
  const { stdout } = await run('node', [join(folder, 'dist', 'bundle', 'admin.js'), '--version']);
  expect(stdout).toContain(programVersion);
});

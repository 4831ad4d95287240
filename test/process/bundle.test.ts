// The program as shipped is joined into a few files: what finds tables, workers, packages or pages by a place of its own finds them from there.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, issueKey, ownPlace, type Place, program, type RunningProgram } from '../support/program.ts';

let place: Place;
let running: RunningProgram;
let key: string;

beforeAll(async () => {
  place = await ownPlace();
  running = await program.start(place.settings);
  key = await issueKey(running.origin, ['INTEGRATIONS', 'PLATFORM', 'GEOCODE', 'ENTITIES']);
}, 120_000);
afterAll(async () => {
  await running.end('SIGTERM');
  await place.remove();
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

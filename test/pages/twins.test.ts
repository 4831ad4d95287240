// The map between REST and GraphQL: complete, consistent, and its curl commands work in a shell.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { buildSchema, parse, validate } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { curlOf } from '../../rest-compat/pages/curl.ts';
import { fixtureApp, listen, model, SDL } from './fixture.ts';

interface Twin {
  id: string;
  method: string;
  path: string;
  document: string;
  curl: string;
  docs: string;
  playground: string;
}

const shell = promisify(execFile);
let server: Awaited<ReturnType<typeof listen>>;
let twins: Twin[];
beforeAll(async () => {
  server = await listen(fixtureApp());
  twins = ((await (await fetch(`${server.url}/docs/operations.json`)).json()) as { operations: Twin[] }).operations;
});
afterAll(() => server.close());

test('documented: every operation of the model is in the map, with a valid GraphQL document that bears its name', () => {
  const schema = buildSchema(SDL);
  expect(twins.map(({ id }) => id)).toEqual(model.operations.map(({ id }) => id));
  for (const { id, document } of twins) {
    const parsed = parse(document);
    expect(validate(schema, parsed)).toEqual([]);
    expect(parsed.definitions[0]).toMatchObject({ name: { value: id } });
  }
});

test('documented: the map links both ways', () => {
  expect(twins.find(({ id }) => id === 'GetAccount')).toMatchObject({
    docs: '/docs?api=integrations#/Ledger%20accounts/GetAccount',
    playground: '/graphql#operation=GetAccount',
  });
});

test('documented: the curl of an operation carries the header of its credential, the demo key where there is one', () => {
  const curl = (id: string) => twins.find((twin) => twin.id === id)?.curl;
  expect(curl('ListWebhooks')).toContain("-H 'Authorization: Bearer demo-bearer-key'");
  expect(curl('GetWebhook')).toContain("-H 'x-api-key: demo-api-key'");
  expect(curl('GetAccount')).toContain("-H 'api_key: <key>'");
  expect(curl('DeleteWebhook')).toContain('curl -X DELETE');
});

test('documented: a curl command runs in a shell as it is shown', async () => {
  const command = twins.find(({ id }) => id === 'ListWebhooks')?.curl ?? '';
  const { stdout } = await shell('sh', ['-c', `${command} --silent`]);
  expect(JSON.parse(stdout)).toMatchObject({ message: 'ok' });
});

test('chosen: quotes in a body survive the shell', async () => {
  const sample = { method: 'POST', path: '/graphql', body: { query: '{ webhook(id: "it\'s $HOME `id`") { id } }' } };
  const { stdout } = await shell('sh', ['-c', `${curlOf(server.url, sample, { header: 'api_key' })} --silent`]);
  expect(JSON.parse(stdout)).toEqual({ data: { webhook: { id: "it's $HOME `id`" } } });
});

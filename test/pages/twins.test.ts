// The map between REST and GraphQL is complete and consistent, and its curl commands work in a shell.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { parse, validate } from 'graphql';
import { beforeAll, expect, test } from 'vitest';
import { routes } from '../../rest-compat/routes/routes.ts';
import { curlOf } from '../../site/pages/parts/curl.ts';
import { useGateway } from '../support/gateway.ts';

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
const gateway = useGateway();
let counterparts: Twin[];
beforeAll(async () => {
  counterparts = (await gateway.send('GET', '/docs/operations.json')).body.operations;
});

test('every route is in the map, with a valid GraphQL document that bears its name', () => {
  expect(counterparts.map(({ method, path }) => `${method} ${path}`)).toEqual(routes.map(({ method, path }) => `${method} ${path}`));
  for (const { id, document } of counterparts) {
    const parsed = parse(document);
    expect(validate(gateway.services.schema, parsed)).toEqual([]);
    expect(parsed.definitions[0]).toMatchObject({ name: { value: id } });
  }
});

test('the map links both ways', () => {
  expect(counterparts.find(({ path }) => path === '/v4/core/companies/{companyId}/bill_credit_notes')).toMatchObject({
    docs: '/docs/rest/integrations/bill_credit_notes#BillCreditNotes',
    playground: '/graphql#operation=BillCreditNotes',
  });
});

test('the curl of an operation carries the header of its credential', () => {
  const curl = (route: string) => counterparts.find(({ method, path }) => `${method} ${path}` === route)?.curl;
  expect(curl('GET /api/v1/webhooks')).toContain("-H 'Authorization: Bearer <key>'");
  expect(curl('GET /api/v1/public/business-entities/{businessEntityId}/registrations')).toContain("-H 'x-api-key: <key>'");
  expect(curl('GET /v4/core/companies')).toContain("-H 'api_key: <key>'");
  expect(curl('GET /healthz')).not.toContain('-H');
  expect(curl('DELETE /api/v1/webhooks/{id}')).toContain('curl -X DELETE');
});

test('the shell passes quotes in a body unchanged', async () => {
  const body = { query: '{ webhook(id: "it\'s $HOME `id`") { id } }' };
  const command = curlOf('http://a.example', { method: 'POST', path: '/graphql', body }, { header: 'api_key' });
  const { stdout } = await shell('sh', ['-c', `curl() { printf '%s\\n' "$@"; }; ${command}`]);
  expect(stdout.split('\n')).toContain(JSON.stringify(body));
});

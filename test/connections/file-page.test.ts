// The hosted page of a connection to files: a preview before anything is stored, and the import by a second press.
import { beforeEach, expect, it } from 'vitest';
import { ownRun, runOf } from '../support/connections.ts';
import { useGateway } from '../support/gateway.ts';
import { buildCompany, type TestCompany } from '../support/records.ts';

const gateway = useGateway();
let company: TestCompany;
let id: string;
let path: string;

const rest = (method: string, address: string, data?: unknown) =>
  gateway.send(method, `${company.base}${address}`, { headers: company.headers, ...(data === undefined ? {} : { body: { data } }) });

async function newConnection(of = company): Promise<{ id: string; path: string }> {
  const headers = of.headers;
  const made = await gateway.send('POST', `${of.base}/connections`, {
    headers,
    body: { data: { source: 'FILES', interval_minutes: 43_200 } },
  });
  expect(made.status, made.text).toBe(201);
  const link = await gateway.send('POST', `${of.base}/connections/${made.body.data.id}/link`, { headers });
  const { pathname, search } = new URL(link.body.data.url);
  return { id: made.body.data.id, path: pathname + search };
}

beforeEach(async () => {
  company = await buildCompany(gateway, { name: 'Kettles & Sons' });
  ({ id, path } = await newConnection());
});

async function submit(parts: [string, string | File][], headers: Record<string, string> = {}, to = path) {
  const form = new FormData();
  for (const [name, value] of parts) form.append(name, value);
  const request = new Request('http://form.invalid', { method: 'POST', body: form });
  const all = { 'content-type': request.headers.get('content-type')!, ...headers };
  return gateway.send('POST', to, { headers: all, raw: new Uint8Array(await request.arrayBuffer()) });
}
const file = (name: string, text: string): [string, File] => ['files', new File([text], name)];
const keptIn = (page: string): [string, string][] =>
  [...page.matchAll(/name="kept" value="([^"]+)"/g)].map(([, token]) => ['kept', token!]);
const names = async (list: string) =>
  ((await rest('GET', `/${list}?order_by=name`)).body.data as { name: string }[]).map(({ name }) => name);

const accounts = file('accounts.csv', 'platform_id,name,current_balance\na1,Bank,12\na2,<b>Cash</b>,5\n');
const model: [string, string] = ['data_model', 'ACCOUNT'];

it('shows the rows of several files, stores nothing, and imports them when the person says so', async () => {
  const opened = await gateway.send('GET', path);
  expect(opened.status).toBe(200);
  expect(opened.text).toContain('Drop files here, or choose them');
  expect(opened.text).not.toMatch(/<script|src=/);
  const more = file('more.csv', 'platform_id,name\na3,Safe\n');
  const looked = await submit([accounts, more, model]);
  expect(looked.status, looked.text).toBe(200);
  expect(looked.text).toContain('accounts.csv');
  expect(looked.text).toMatch(/It would store accounts \(2\)/);
  expect(looked.text).toContain('&lt;b&gt;Cash&lt;/b&gt;');
  expect([(await rest('GET', '/imports')).body.data, await names('accounts')]).toEqual([[], []]);
  const imported = await submit([...keptIn(looked.text), ['action', 'import']]);
  expect([imported.status, imported.text.includes('Your 2 files are imported')], imported.text).toEqual([200, true]);
  expect(imported.text).toMatch(/<li>accounts.csv<\/li><li>more.csv<\/li>/);
  expect((await runOf(gateway, company, id)).status).toBe('SUCCESS');
  expect(await names('accounts')).toEqual(['<b>Cash</b>', 'Bank', 'Safe']);
  expect((await gateway.send('GET', path)).status).toBe(410);
});

it('shows what is wrong with file and line; the others are imported on request, and the rejected ones are kept', async () => {
  const looked = await submit([file('typo.csv', 'platform_id,name,current_balance\na1,Bank,12\na2,Cash,5o\n'), model]);
  expect(looked.status).toBe(200);
  expect(looked.text).toContain('1 record cannot be stored');
  expect(looked.text).toMatch(/Line 3: current_balance must be a number/);
  const imported = await submit([...keptIn(looked.text), ['action', 'import']]);
  expect(imported.text).toContain('Your file is imported');
  expect(await ownRun(gateway, company, id)).toMatchObject([{ status: 'PARTIAL_SUCCESS' }]);
  expect(await names('accounts')).toEqual(['Bank']);
});

it('a file of which no record can be stored cannot be imported', async () => {
  const looked = await submit([file('typo.csv', 'platform_id,name,current_balance\na2,Cash,5o\n'), model]);
  expect(looked.text).toContain('1 record cannot be stored');
  expect(looked.text).toContain('Nothing was imported. Correct the file and choose it again.');
  expect([keptIn(looked.text), looked.text.includes('value="import"')]).toEqual([[], false]);
});

it('a file that cannot be read is named with its reason, and nothing can be imported next to it', async () => {
  const looked = await submit([accounts, file('scan.pdf', '%PDF-1.7'), file('wrong.csv', 'platform_id,nmae\n1,x\n'), model]);
  expect(looked.status).toBe(400);
  expect(looked.text).toContain('File is a PDF document');
  expect(looked.text).toMatch(/Line 1: &quot;nmae&quot; is not a field of ACCOUNT|Line 1: "nmae" is not a field of ACCOUNT/);
  expect(keptIn(looked.text)).toEqual([]);
  expect((await gateway.send('GET', path)).status).toBe(200);
});

it('a mapping is tried on the preview and stored with the import', async () => {
  const mapping =
    'title: Own\nfiles: { rows: { columns: [Nr, Text] } }\nstreams:\n  rows:\n    - { dataModel: ITEM, record: \'{ "platform_id": Nr, "name": Text }\' }\n';
  const rows = file('items.csv', 'nr;text\n1;Öl\n');
  const wrong = await submit([rows, ['settings.mapping', mapping.replace('Text }', 'Text')]]);
  expect([wrong.status, wrong.text.includes('Please correct the mapping')]).toEqual([400, true]);
  const looked = await submit([rows, ['settings.mapping', mapping]]);
  expect(looked.text).toContain('Own (CSV), 1 record');
  await submit([...keptIn(looked.text), ['settings.mapping', mapping], ['action', 'import']]);
  expect((await runOf(gateway, company, id)).status).toBe('SUCCESS');
  expect(await names('items')).toEqual(['Öl']);
  expect((await rest('GET', `/connections/${id}`)).body.data.settings).toEqual({ mapping });
});

it('rejects forms of other sites, tokens of other connections, and files that are gone', async () => {
  expect((await submit([accounts, model], { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  const [token] = keptIn((await submit([accounts, model])).text);
  const other = await newConnection(await buildCompany(gateway));
  for (const parts of [[token!], [['kept', 'nonsense'] as [string, string]], []])
    expect((await submit([...parts, ['action', 'import']], {}, other.path)).status).toBe(400);
  expect((await submit([token!, ['action', 'import']])).status).toBe(200);
  const next = await newConnection(await buildCompany(gateway));
  const again = await submit([...keptIn((await submit([accounts, model], {}, next.path)).text), ['action', 'import']], {}, next.path);
  expect(again.status).toBe(200);
});

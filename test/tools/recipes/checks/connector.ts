// A source that was added is linked, read, and written to; what it rejects is reported in its words.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runOf } from '../../../support/connections.ts';
import { useGateway } from '../../../support/gateway.ts';
import { buildCompany } from '../../../support/records.ts';

const gateway = useGateway({ connectorPrivateHosts: ['127.0.0.1'] });

const people: Record<string, unknown>[] = [{ id: 7, name: 'Ada', mail: 'ada@example.org' }];
const source = createServer(async (request, response) => {
  const end = (status: number, body: unknown): unknown =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  if (request.headers.authorization !== 'Bearer right') return end(401, {});
  if (request.method === 'GET') return end(200, people);
  const person = { id: people.length + 7, ...((await json(request)) as object) } as Record<string, unknown>;
  if (person.name === 'Nobody') return end(422, 'nobody is not a name');
  people.push(person);
  return end(201, person);
});
beforeAll(async () => {
  await once(source.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => {
  source.close();
});

it('the contacts of the source are pulled, and a contact that is written here is sent there', async () => {
  const company = await buildCompany(gateway);
  const { base, headers } = company;
  const settings = { url: `http://127.0.0.1:${(source.address() as AddressInfo).port}`, token: 'right' };
  const made = await gateway.send('POST', `${base}/connections`, { headers, body: { data: { source: 'SHELF', settings } } });
  expect(made.status, made.text).toBe(201);
  expect(await runOf(gateway, company, made.body.data.id)).toMatchObject({ status: 'SUCCESS' });
  const pulled = await gateway.send('GET', `${base}/contacts`, { headers });
  expect(pulled.body.data).toMatchObject([{ platform_id: '7', name: 'Ada', email: 'ada@example.org' }]);

  const write = (name: string) => gateway.send('POST', `${base}/contacts?wait=30`, { headers, body: { data: { name } } });
  const sent = await write('Grace');
  expect(sent.body.data.data, sent.text).toMatchObject({ name: 'Grace', platform_id: '8' });
  expect(people).toMatchObject([{ name: 'Ada' }, { id: 8, name: 'Grace' }]);

  await write('Nobody');
  const refused = await gateway.send('GET', `${base}/contacts?source_state=PUSH_FAILED&select=source_error`, { headers });
  expect(refused.body.data, refused.text).toMatchObject([
    { name: 'Nobody', source_error: expect.stringContaining('nobody is not a name') },
  ]);
});

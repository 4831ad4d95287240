// Posted forms on every route that takes one: a wrong part is a 400 that names it, and nothing of a rejected form is stored.
import { connect } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { type GatewayResponse, useGateway } from '../support/gateway.ts';
import { buildCompany } from '../support/records.ts';
import { buildCaller } from '../support/registrations.ts';

const gateway = useGateway();

interface Route {
  path: string;
  headers: Record<string, string>;
  /** Names of the part with the file and of one with text. */
  file: string;
  text: string;
}

const routes: Record<string, Route> = {};
let uploads: Route;
let hosted: Route;

/** The path of a hosted form with its key. */
async function formPath(country: string, entry: object): Promise<string> {
  const caller = await buildCaller(gateway);
  const companyId = '3f2b1c9e-8d4a-4b6f-9a51-0c7d2e8f6a10';
  const response = await caller.post('/incorporation-requests', { companyId, country, corporationTypeInfo: { [country]: entry } });
  const link = new URL(response.body.data.signedFormUrl);
  return link.pathname + link.search;
}

const INDIAN = ['IN', { state: 'KA', corporationType: 'LLP' }] as const;

beforeAll(async () => {
  const bearer = { authorization: `Bearer ${await gateway.key(['PLATFORM'])}` };
  const company = await buildCompany(gateway);
  uploads = { path: '/api/v1/files', headers: bearer, file: 'file', text: 'purpose' };
  hosted = { path: await formPath(...INDIAN), headers: { accept: 'application/json' }, file: 'proofOfAddress', text: 'website' };
  Object.assign(routes, {
    files: uploads,
    'files of the tax host': { ...uploads, path: '/tax/api/v1/files' },
    imports: { path: `${company.base}/imports`, headers: company.headers, file: 'file', text: 'data_model' },
    'the hosted form': hosted,
  });
});

const part = (name: string | null, content: string, { fileName = '', type = '' } = {}): string =>
  `--b\r\nContent-Disposition: form-data${name === null ? '' : `; name="${name}"`}${fileName && `; filename="${fileName}"`}\r\n${type && `Content-Type: ${type}\r\n`}\r\n${content}\r\n`;
const send = ({ path, headers }: Route, parts: string[], more: Record<string, string> = {}): Promise<GatewayResponse> =>
  gateway.send('POST', path, {
    headers: { ...headers, ...more, 'content-type': 'multipart/form-data; boundary=b' },
    raw: `${parts.join('')}--b--\r\n`,
  });
const post = (path: string, pairs: string, type = 'application/x-www-form-urlencoded'): Promise<GatewayResponse> =>
  gateway.send('POST', path, { headers: { ...hosted.headers, 'content-type': type }, raw: pairs });
const fieldOf = ({ body }: GatewayResponse): string => body.error.field ?? body.error.details[0].field;
const stored = async (): Promise<unknown> =>
  gateway.services.database.orm.em
    .getConnection()
    .execute('select (select count(*) from stored_file)::int as files, (select count(*) from file_piece)::int as pieces');

/** More bytes than the buffers between a socket and the reader of a part hold. */
const LARGE = 'x'.repeat(400_000);
const wrong: [what: string, parts: (route: Route) => string[], field: (route: Route) => string][] = [
  ['a large file under a wrong name', () => [part('document', LARGE, { fileName: 'a.csv' })], () => 'document'],
  [
    'a wrong file before the right one',
    ({ file }) => [part('document', LARGE, { fileName: 'a.csv' }), part(file, 'name\nA\n', { fileName: 'a.csv' })],
    () => 'document',
  ],
  [
    'two large files',
    ({ file }) => [part(file, LARGE, { fileName: 'a.csv' }), part(file, LARGE, { fileName: 'b.csv' })],
    ({ file }) => file,
  ],
  ['an empty file', ({ file }) => [part(file, '', { fileName: 'a.csv' })], ({ file }) => file],
  ['a file without a name', ({ file }) => [part(file, LARGE, { type: 'application/octet-stream' })], ({ file }) => file],
  ['text where the file belongs', ({ file }) => [part(file, 'text')], ({ file }) => file],
  ['a large file where text belongs', ({ text }) => [part(text, LARGE, { fileName: 'a.csv' })], ({ text }) => text],
  ['a text in an unknown character set', ({ text }) => [part(text, 'x', { type: 'text/plain; charset=unknown' })], ({ text }) => text],
  ['a text with a NUL character', ({ text }) => [part(text, 'a\u0000b')], ({ text }) => text],
  ['a part without a name', () => [part(null, 'x')], () => 'body'],
  ['a file of a part without a name', () => [part(null, LARGE, { fileName: 'a.csv' })], () => 'body'],
];

describe.each(['files', 'files of the tax host', 'imports', 'the hosted form'])('a form for %s', (name) => {
  it.each(wrong)('%s is 400 and names the part; nothing is stored', async (_, parts, field) => {
    const route = routes[name]!;
    const before = await stored();
    const response = await send(route, parts(route));
    expect([response.status, fieldOf(response)]).toEqual([400, field(route)]);
    expect(await stored()).toEqual(before);
  });

  it('more parts than it may have are 400', async () => {
    const route = routes[name]!;
    const response = await send(
      route,
      Array.from({ length: 1_100 }, () => part('x', '')),
    );
    expect(response.status).toBe(400);
  });

  it('a connection that ends in the middle of a file leaves nothing stored', async () => {
    const { path, headers, file } = routes[name]!;
    const before = await stored();
    const lines = Object.entries(headers).map(([header, value]) => `${header}: ${value}\r\n`);
    const head = `POST ${path} HTTP/1.1\r\nHost: test\r\n${lines.join('')}Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 9000000\r\n\r\n`;
    const socket = connect(Number(new URL(gateway.origin).port), '127.0.0.1');
    socket.write(head + part(file, 'x'.repeat(2_000_000), { fileName: 'a.csv' }));
    // Storing has begun.
    while (JSON.stringify(await stored()) === JSON.stringify(before)) await new Promise((resolve) => setTimeout(resolve, 5));
    socket.resetAndDestroy();
    while (JSON.stringify(await stored()) !== JSON.stringify(before)) await new Promise((resolve) => setTimeout(resolve, 5));
  });
});

describe('an upload that no operation takes over', () => {
  const csv = (content = 'name\nA\n'): string[] => [part('file', content, { fileName: 'a.csv' })];

  it('is removed when its Idempotency-Key is invalid, was used for another file, or is repeated', async () => {
    const headers = { 'idempotency-key': `forms-${Math.random()}` };
    const first = await send(uploads, csv(), headers);
    expect(first.status).toBe(200);
    const before = await stored();
    const again = await send(uploads, csv(), headers);
    expect([again.status, again.headers.get('idempotency-replayed'), again.body.data.id]).toEqual([200, 'true', first.body.data.id]);
    expect((await send(uploads, csv('name\nB\n'), headers)).status).toBe(422);
    expect((await send(uploads, csv(), { 'idempotency-key': 'x'.repeat(300) })).status).toBe(400);
    expect(await stored()).toEqual(before);
  });

  it('is removed when GraphQL sent it and the mutation is rejected', async () => {
    const key = await gateway.key(['PLATFORM']);
    const before = await stored();
    const create = (more: string): Promise<GatewayResponse> =>
      gateway.graphql(key, `mutation { createFile(input: { content: "name\\nA\\n", name: "a.csv", ${more} }) { file { id } } }`);
    expect((await create('corporationId: "corp_x"')).body.errors[0].extensions.code).toBe('CORPORATION_NOT_FOUND');
    expect(await stored()).toEqual(before);
  });
});

describe('the hosted form', () => {
  /** Sends the head of a request whose body never comes, and returns the response. */
  const statusOfHead = (path: string, type: string): Promise<string> =>
    new Promise((resolve) => {
      const socket = connect(Number(new URL(gateway.origin).port), '127.0.0.1');
      socket.write(`POST ${path} HTTP/1.1\r\nHost: test\r\nContent-Type: ${type}\r\nContent-Length: 1000\r\n\r\n`);
      socket.once('data', (data) => {
        resolve(data.toString('latin1').slice(9, 12));
        socket.destroy();
      });
    });

  it.each(['multipart/form-data; boundary=b', 'application/x-www-form-urlencoded', 'application/json'])(
    'a link that opens nothing is rejected before a body of %s is read',
    async (type) => {
      expect(await statusOfHead('/incorporate/us/unknown', type)).toBe('404');
      expect(await statusOfHead(`${hosted.path.slice(0, -1)}!`, type)).toBe('404');
    },
  );

  it('a second submission of a form is rejected before its body is read', async () => {
    const path = await formPath('US', { state: 'DE', corporationType: 'CCorp' });
    const person = { fullName: 'Ada', email: 'ada@example.com', roles: ['DIRECTOR', 'SHAREHOLDER'], shares: '9' };
    const physicalAddress = { addressLine1: '1 Main Street', city: 'Dover', state: 'DE', postalCode: '19901', country: 'US' };
    const answers = {
      companyNames: ['A'],
      businessDescription: 'B',
      fiscalYearEnd: '12-31',
      physicalAddress,
      authorizedShares: '10',
      keyPersons: [person],
    };
    const done = await gateway.send('POST', path, { headers: hosted.headers, body: answers });
    expect([done.status, done.text]).toEqual([200, expect.any(String)]);
    expect(await statusOfHead(path, 'application/json')).toBe('409');
  });

  it.each([
    ['a list and a value', 'keyPersons.0.a=1&keyPersons=2', 'keyPersons'],
    ['a value and a list', 'keyPersons=2&keyPersons.0.a=1', 'keyPersons.0.a'],
    ['a value twice and a list', 'keyPersons=2&keyPersons=3&keyPersons.0.a=1', 'keyPersons.0.a'],
    ['a value and a group', 'physicalAddress=x&physicalAddress.city=Dover', 'physicalAddress.city'],
    ['a group and a value', 'fiscalYearEnd.month=12&fiscalYearEnd=12-31', 'fiscalYearEnd'],
    ['an invalid name', 'a-b=1', 'a-b'],
    ['a name of too many steps', 'a.b.c.d.e=1', 'a.b.c.d.e'],
    ['no name', '=1', 'body'],
  ])('answers that contradict each other are 400 and named: %s', async (_, pairs, field) => {
    const response = await post(hosted.path, pairs);
    expect([response.status, fieldOf(response)]).toEqual([400, field]);
  });

  it.each([
    'keyPersons.0.a.b=1',
    'keyPersons.0.fullName.x=1',
    'companyNames.0.1.2=3',
    'companyNames=1',
    'keyPersons=1&keyPersons=2',
    'fiscalYearEnd.month.x=1',
    'physicalAddress=1',
    'website.0=1',
    'keyPersons.0.roles.x=1&action=add-person',
    'companyNames.0.x=1&action=remove-person-0',
    'fiscalYearEnd.month.x=1&action=add-person',
  ])('answers of any other shape are not an internal error: %s', async (pairs) => {
    const page = await gateway.send('POST', hosted.path, { headers: { 'content-type': 'application/x-www-form-urlencoded' }, raw: pairs });
    expect([page.status, page.headers.get('content-type')]).toEqual([pairs.includes('action=') ? 200 : 400, 'text/html; charset=utf-8']);
  });

  it('the texts of a form have one common limit, in multipart and in urlencoded forms', async () => {
    const texts = Array.from({ length: 60 }, (_, at) => part(`t${at}`, 'x'.repeat(19_000)));
    expect((await send(hosted, texts)).status).toBe(413);
    expect((await post(hosted.path, Array.from({ length: 60 }, (_, at) => `t${at}=${'x'.repeat(19_000)}`).join('&'))).status).toBe(413);
    expect((await post(hosted.path, 'a=%E0%A4', 'application/x-www-form-urlencoded; charset=unknown')).status).toBe(400);
  });
});

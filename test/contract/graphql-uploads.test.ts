// Files of GraphQL requests by the multipart request specification: any bytes, the limits of REST, and nothing stored of what is rejected or
// breaks off.
import { connect } from 'node:net';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { MAX_FILES } from '../../src/files/graphql-uploads.ts';
import { signedLink } from '../../src/security/signed-urls.ts';
import { type GatewayResponse, useGateway } from '../support/gateway.ts';
import { pathOfLink } from '../support/platform.ts';

const gateway = useGateway();
let key: string;
beforeAll(async () => {
  key = await gateway.key(['PLATFORM']);
});

const CREATE =
  'mutation Create($content: Upload!) { createFile(input: { content: $content, purpose: SUPPORTING_DOCUMENT }) { file { id name size mimeType } } }';
/** A picture: bytes that are no text in any encoding. */
const PNG = Buffer.concat([
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  Buffer.from(Array.from({ length: 300_000 }, (_, at) => (at * 7) % 256)),
]);

type Part = [name: string, content: string | Uint8Array, fileName?: string];
const operation = (variables: unknown = { content: null }, query = CREATE): string => JSON.stringify({ query, variables });
const MAP = JSON.stringify({ 0: ['variables.content'] });
const whole: Part[] = [
  ['operations', operation()],
  ['map', MAP],
  ['0', PNG, 'scan.png'],
];

async function send(
  parts: Part[],
  headers: Record<string, string> = { 'apollo-require-preflight': 'true' },
  own: string | null = key,
): Promise<GatewayResponse> {
  const form = new FormData();
  for (const [name, content, fileName] of parts)
    if (fileName === undefined) form.append(name, content as string);
    else form.append(name, new Blob([content as string]), fileName);
  const encoded = new Response(form);
  return gateway.send('POST', '/graphql', {
    headers: { ...(own ? { authorization: `Bearer ${own}` } : {}), ...headers, 'content-type': encoded.headers.get('content-type')! },
    raw: new Uint8Array(await encoded.arrayBuffer()),
  });
}
const stored = async (): Promise<unknown> =>
  gateway.services.database.orm.em
    .getConnection()
    .execute('select (select count(*) from stored_file)::int as files, (select count(*) from file_piece)::int as pieces');

describe('a file of a multipart request', () => {
  it('its bytes are stored as they are, under its name', async () => {
    const { body, status } = await send(whole);
    expect([status, body.errors]).toEqual([200, undefined]);
    const { file } = body.data.createFile;
    expect(file).toMatchObject({ name: 'scan.png', size: PNG.length, mimeType: 'image/png' });
    const response = await fetch(gateway.origin + pathOfLink(signedLink(gateway.services, `/api/v1/downloads/files/${file.id}`, 60_000)));
    expect(Buffer.from(await response.arrayBuffer()).equals(PNG)).toBe(true);
  });

  it('several files of one request go where map says', async () => {
    const query =
      'mutation ($a: Upload!, $b: Upload!) { a: createFile(input: { content: $a }) { file { name } } b: createFile(input: { content: $b }) { file { name } } }';
    const { body } = await send([
      ['operations', operation({ a: null, b: null }, query)],
      ['map', JSON.stringify({ x: ['variables.b'], y: ['variables.a'] })],
      ['x', 'name\nB\n', 'b.csv'],
      ['y', 'name\nA\n', 'a.csv'],
    ]);
    expect(body.data).toEqual({ a: { file: { name: 'a.csv' } }, b: { file: { name: 'b.csv' } } });
  });

  it('the same request again with its Idempotency-Key has the same response, and another file has not', async () => {
    const headers = { 'apollo-require-preflight': 'true', 'idempotency-key': `upload-${Math.random()}` };
    const first = await send(whole, headers);
    const before = await stored();
    const again = await send(whole, headers);
    expect([again.headers.get('idempotency-replayed'), again.body]).toEqual(['true', first.body]);
    const other = await send([whole[0]!, whole[1]!, ['0', Buffer.concat([PNG, PNG]), 'scan.png']], headers);
    expect(other.body.errors[0].extensions.code).toBe('IDEMPOTENCY_KEY_REUSED');
    // A discarded upload is removed behind the response.
    await vi.waitFor(async () => expect(await stored()).toEqual(before));
  });

  it('its type and size have the limits of REST', { timeout: 120_000 }, async () => {
    const before = await stored();
    const wrong = await send([whole[0]!, whole[1]!, ['0', Buffer.from([0, 1, 2, 3, 0xff]), 'a.bin']]);
    expect([wrong.status, wrong.body.errors[0].extensions.code]).toEqual([200, 'FILE_TYPE_UNSUPPORTED']);
    const large = await send([whole[0]!, whole[1]!, ['0', Buffer.alloc(15 * 1_048_576 + 1, 'x'), 'a.csv']]);
    expect([large.status, large.body.errors[0].extensions.code]).toEqual([413, 'FILE_TOO_LARGE']);
    // A discarded upload is removed behind the response.
    await vi.waitFor(async () => expect(await stored()).toEqual(before));
  });
});

describe('a multipart request that is rejected', () => {
  const operations = whole[0]!;
  const map = whole[1]!;
  const file = whole[2]!;
  const refused: [what: string, parts: Part[], words: RegExp][] = [
    ['no operations', [map, file], /operations, then map/],
    ['no map', [operations, file], /not a file part/],
    ['no file', [operations, map], /no such file was sent/],
    ['nothing', [], /./],
    ['a file before the map', [operations, file, map], /not a file part/],
    ['a file that map does not name', [operations, map, file, ['1', 'x', 'b.csv']], /goes into 0/],
    ['a file given twice', [operations, map, file, file], /once/],
    ['operations that are no JSON', [['operations', '{'], map, file], /JSON/],
    ['a batch', [['operations', `[${operation()}]`], map, file], /batches/],
    ['an invalid map', [operations, ['map', '[]'], file], /map must be/],
    ['an invalid place', [operations, ['map', '{"0":["variables.other"]}'], file], /variables\.other/],
    ['a place of the prototype', [operations, ['map', '{"0":["variables.__proto__.x"]}'], file], /not a variable/],
    ['a place outside the variables', [operations, ['map', '{"0":["query"]}'], file], /not a variable/],
    ['a place with a value', [['operations', operation({ content: 'x' })], map, file], /null/],
    [
      'too many files',
      [
        operations,
        ['map', JSON.stringify(Object.fromEntries(Array.from({ length: MAX_FILES + 1 }, (_, at) => [at, ['variables.content']])))],
      ],
      /at most/,
    ],
    ['another part', [operations, map, ['more', 'x'], file], /parts of the form/],
  ];
  it.each(refused)('with %s it is 400 with a message, and nothing is stored', async (_, parts, words) => {
    const before = await stored();
    const response = await send(parts);
    expect([response.status, response.body.errors[0].message]).toEqual([400, expect.stringMatching(words)]);
    // A discarded upload is removed behind the response.
    await vi.waitFor(async () => expect(await stored()).toEqual(before));
  });

  it('without a header that needs a preflight it is rejected as a simple request, before a byte is stored', async () => {
    const before = await stored();
    const response = await send(whole, {});
    expect([response.status, response.body.errors[0].message]).toEqual([400, expect.stringContaining('apollo-require-preflight')]);
    // A discarded upload is removed behind the response.
    await vi.waitFor(async () => expect(await stored()).toEqual(before));
  });

  it('without a key, or with one that may upload nothing, no byte is stored', async () => {
    const before = await stored();
    expect((await send(whole, { 'apollo-require-preflight': '1' }, null)).status).toBe(401);
    expect((await send(whole, { 'apollo-require-preflight': '1' }, await gateway.key(['GEOCODE']))).status).toBe(403);
    // A discarded upload is removed behind the response.
    await vi.waitFor(async () => expect(await stored()).toEqual(before));
  });

  it('a mutation that rejects its file, and one that takes none, leave nothing', async () => {
    const before = await stored();
    const query = 'mutation ($content: Upload!) { createFile(input: { content: $content, corporationId: "corp_none" }) { file { id } } }';
    const response = await send([['operations', operation({ content: null }, query)], map, file]);
    expect(response.body.errors[0].extensions.code).toBe('CORPORATION_NOT_FOUND');
    const invalid = await send([['operations', operation({ content: null }, 'mutation { nothing }')], map, file]);
    expect(invalid.status).toBe(400);
    // A discarded upload is removed behind the response.
    await vi.waitFor(async () => expect(await stored()).toEqual(before));
  });

  it('a file that is named in JSON is not one', async () => {
    const { body } = await send(whole);
    const { id } = body.data.createFile.file;
    const response = await gateway.graphql(key, CREATE, { content: { fileId: id, name: 'a', size: 1, head: [], isText: true } });
    expect(response.body.errors[0].extensions.code).toBe('INVALID_PARAMS');
  });

  it('one that breaks off in the middle of its file leaves nothing', async () => {
    const before = await stored();
    const head = [
      'POST /graphql HTTP/1.1',
      'Host: test',
      `Authorization: Bearer ${key}`,
      'Apollo-Require-Preflight: true',
      'Content-Type: multipart/form-data; boundary=b',
      'Content-Length: 9000000',
    ].join('\r\n');
    const part = (name: string, content: string, fileName?: string): string =>
      `--b\r\nContent-Disposition: form-data; name="${name}"${fileName ? `; filename="${fileName}"` : ''}\r\n\r\n${content}\r\n`;
    for (const end of ['reset', 'end'] as const) {
      const socket = connect(Number(new URL(gateway.origin).port), '127.0.0.1').on('error', () => {});
      socket.write(`${head}\r\n\r\n${part('operations', operation())}${part('map', MAP)}${part('0', 'x'.repeat(2_000_000), 'a.csv')}`);
      while (JSON.stringify(await stored()) === JSON.stringify(before)) await new Promise((resolve) => setTimeout(resolve, 5));
      if (end === 'reset') socket.resetAndDestroy();
      else socket.end();
      while (JSON.stringify(await stored()) !== JSON.stringify(before)) await new Promise((resolve) => setTimeout(resolve, 5));
      socket.destroy();
    }
  });
});

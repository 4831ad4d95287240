// Requests of every kind to every endpoint, cut at any position by end, reset and silence. The process survives and responds throughout, and its
// memory is released.
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { metricsOf } from '../support/metrics.ts';
import { call, issueKey, onSignal, ownPlace, type Place, PROGRAM_ADMIN, program, type RunningProgram } from '../support/program.ts';

const ROUNDS = Number(process.env.SUITE_ROUNDS ?? 1);
const CASES = 500 * ROUNDS;
/** Concurrent cases, not counting those that have fallen silent. */
const WORKERS = 20;
/** Only the large form bounds the time and waits for the ends of silent connections: a busy machine must not fail the small form. */
const isLarge = ROUNDS >= 10;
const LIVEZ_MS = 250;
const MEGABYTE = 1_048_576;
/** The passes over the same cases. What a cut request leaves behind is added by each of them; a cache or a grown heap by one or two. */
const PASSES = 5;
/** The most bytes that the pass with the least growth may add. */
const MAX_GROWTH = 8 * MEGABYTE;
/** The most bytes for forty half-sent forms: the buffers of their sockets, not their 320 MB. */
const MAX_HELD = 100 * MEGABYTE;

let place: Place;
let running: RunningProgram;
let key: string;
let company: number;
/** Paths of hosted forms with their keys: one that takes a file and one that takes none. */
let forms: string[];

const incorporation = (country: string, entry: object): object => ({
  companyId: '3f2b1c9e-8d4a-4b6f-9a51-0c7d2e8f6a10',
  country,
  corporationTypeInfo: { [country]: entry },
});

beforeAll(async () => {
  place = await ownPlace();
  running = await program.start({ ...place.settings, ...onSignal, LOG_LEVEL: 'fatal' });
  const { origin } = running;
  key = await issueKey(origin, ['PLATFORM', 'GEOCODE', 'MANAGE_CONTENT', 'INTEGRATIONS', 'ENTITIES']);
  company = (await call(origin, key, 'POST', '/v4/core/companies', { data: { name: 'Cut' } })).body.data.ledger_id;
  forms = [];
  for (const body of [
    incorporation('IN', { state: 'KA', corporationType: 'LLP' }),
    incorporation('US', { state: 'DE', corporationType: 'CCorp' }),
  ]) {
    const { data } = (await call(origin, key, 'POST', '/api/v1/incorporation-requests', body)).body;
    const link = new URL(data.signedFormUrl);
    forms.push(link.pathname + link.search);
  }
});

afterAll(async () => {
  await running.end('SIGTERM');
  await place.remove();
});

/** Bytes on the heap and in buffers after a garbage collection. */
async function heldBytes(): Promise<number> {
  process.kill(running.pid, 'SIGUSR2');
  const text = await metricsOf(running.origin, PROGRAM_ADMIN);
  const metric = (name: string): number => Number(new RegExp(`^gateway_nodejs_${name}_bytes (\\S+)`, 'm').exec(text)![1]);
  return metric('heap_size_used') + metric('external_memory');
}

/** CPU milliseconds of the main thread of the gateway. */
const workedMs = (): number => Number(readFileSync(`/proc/${running.pid}/task/${running.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;

/** A connection to the gateway, the bytes it received, and its end, whichever side closed it. */
function open(): { socket: Socket; received: () => string; closed: Promise<void> } {
  const { hostname, port } = new URL(running.origin);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.on('data', (data) => {
    if (text.length < 2_000) text += data.toString('latin1');
  });
  // A gateway that closes while we still write resets the connection.
  socket.on('error', () => {});
  return { socket, received: () => text, closed: new Promise((resolve) => socket.once('close', () => resolve())) };
}

// The bytes of requests.

const LINE = '\r\n';
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const credentials = (own: string): string[] =>
  own ? [`Authorization: Bearer ${own}`, `api_key: ${own}`, `x-service-key: ${own}`, `x-api-key: ${own}`] : [];

function request(method: string, path: string, headers: string[], body?: Buffer, isChunked = false): Buffer {
  const framing = !body ? [] : [isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`];
  const head = latin1([`${method} ${path} HTTP/1.1`, 'Host: gateway', ...headers, ...framing, '', ''].join(LINE));
  if (!body) return head;
  if (!isChunked) return Buffer.concat([head, body]);
  const half = Math.ceil(body.length / 2);
  const chunks = [body.subarray(0, half), body.subarray(half)].filter((part) => part.length > 0);
  const framed = chunks.flatMap((part) => [latin1(part.length.toString(16) + LINE), part, latin1(LINE)]);
  return Buffer.concat([head, ...framed, latin1(`0${LINE}X-Trailer: late${LINE}${LINE}`)]);
}

const encodings: Record<string, (body: Buffer) => Buffer> = {
  identity: (body) => body,
  gzip: (body) => gzipSync(body),
  deflate: (body) => deflateSync(body),
  br: (body) => brotliCompressSync(body),
  zstd: (body) => zstdCompressSync(body),
  // Declares gzip, with a trailing space, but is not compressed.
  'gzip ': (body) => body,
  unknown: (body) => body,
};

const owner = (): fc.Arbitrary<string> => fc.constantFrom(key, key, '', 'unknown-key');

const jsonRequest = (): fc.Arbitrary<Buffer> =>
  fc
    .record({
      target: fc.constantFrom(
        ['/graphql', { query: '{ __typename }' }],
        ['/graphql', { query: `{ companies(first: 2) { nodes { name } } } # ${'x'.repeat(70_000)}` }],
        [`/v4/core/companies/${company}/accounts`, { data: { name: 'x'.repeat(1_000) } }],
        ['/api/v1/corporations', { legal_name: 'Cut', jurisdiction: 'XX' }],
        ['/api/v1/geoencode', { address: '10 Downing Street, London' }],
        ['/api/v1/internal/iso_3166/ingest/json', { dry_run: true, data: [] }],
        [forms[1]!, { companyNames: ['Cut'] }],
      ),
      own: owner(),
      encoding: fc.constantFrom('identity', 'identity', ...Object.keys(encodings)),
      isChunked: fc.boolean(),
      expects: fc.boolean(),
    })
    .map(({ target: [path, body], own, encoding, isChunked, expects }) => {
      const headers = [
        ...credentials(own),
        'Content-Type: application/json',
        `Content-Encoding: ${encoding}`,
        ...(expects ? ['Expect: 100-continue'] : []),
      ];
      return request('POST', path as string, headers, encodings[encoding]!(Buffer.from(JSON.stringify(body))), isChunked);
    });

const disposition = (name: string, file = ''): string =>
  `Content-Disposition: form-data${name && `; name="${name}"`}${file && `; filename="${file}"`}`;

/** The head and the content of a part; most are wrong somewhere. */
const part = (): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom('file', 'proofOfAddress').map((name) => `${disposition(name, 'a.csv')}\r\n\r\nname\nA\n`),
    fc
      .constantFrom('file', 'proofOfAddress', 'document', 'purpose', '__proto__')
      .map((name) => `${disposition(name, 'a.csv')}\r\n\r\n${'x'.repeat(400_000)}`),
    fc
      .constantFrom(
        '',
        'file',
        'proofOfAddress',
        'purpose',
        'data_model',
        'companyNames.0',
        'keyPersons',
        'keyPersons.0.roles.x',
        'toString',
      )
      .map((name) => `${disposition(name)}\r\n\r\nvalue`),
    fc.constantFrom(
      `${disposition('', 'a.csv')}\r\n\r\nvalue`,
      `${disposition('file', 'a.csv')}\r\n\r\n`,
      `${disposition('file')}\r\nContent-Type: application/octet-stream\r\n\r\n`,
      `${disposition('purpose')}\r\nContent-Type: text/plain; charset=unknown\r\n\r\nvalue`,
      'Content-Disposition: attachment; name="file"; filename="a"\r\n\r\nvalue',
      "Content-Disposition: form-data; name=file; filename*=unknown''%zz\r\n\r\nvalue",
      'Content-Type: text/plain\r\n\r\nvalue',
      ': \r\n\r\nvalue',
      `X: ${'x'.repeat(20_000)}\r\n\r\nvalue`,
    ),
  );

const uploadRoutes = (): string[] => [
  '/api/v1/files',
  '/tax/api/v1/files',
  `/v4/core/companies/${company}/imports`,
  ...forms,
  '/incorporate/us/unknown?key=wrong',
];

const formRequest = (): fc.Arbitrary<Buffer> =>
  fc
    .record({
      path: fc.constantFrom(...uploadRoutes()),
      own: owner(),
      parts: fc.array(part(), { maxLength: 3 }),
      end: fc.constantFrom('--b--\r\n', '--b--', '', '--b\r\n'),
      isChunked: fc.boolean(),
    })
    .map(({ path, own, parts, end, isChunked }) => {
      const body = latin1(parts.map((text) => `--b\r\n${text}\r\n`).join('') + end);
      return request('POST', path, [...credentials(own), 'Content-Type: multipart/form-data; boundary=b'], body, isChunked);
    });

const postedForm = (): fc.Arbitrary<Buffer> =>
  fc
    .record({
      path: fc.constantFrom(...uploadRoutes()),
      pairs: fc.array(
        fc.constantFrom(
          'companyNames.0=A',
          'keyPersons.0.a=1',
          'keyPersons=2',
          'keyPersons.0.a.b=1',
          '=1',
          '%00=%zz',
          'action=add-person',
          'a=%E0%A4',
        ),
        { maxLength: 5 },
      ),
      charset: fc.constantFrom('', '; charset=unknown'),
    })
    .map(({ path, pairs, charset }) =>
      request(
        'POST',
        path,
        [...credentials(key), `Content-Type: application/x-www-form-urlencoded${charset}`],
        Buffer.from(pairs.join('&')),
      ),
    );

/** A frame of RFC 6455 section 5.2; a given length may be too long or too short for the payload. */
function frame(opcode: number, payload: Buffer, { isLast = true, isMasked = true, reserved = 0, length = payload.length } = {}): Buffer {
  const mask = isMasked ? 0x80 : 0;
  const head = [(isLast ? 0x80 : 0) | (reserved << 4) | opcode];
  if (length < 126) head.push(mask | length);
  else if (length < 65_536) head.push(mask | 126, length >> 8, length & 0xff);
  else head.push(mask | 127, 0, 0, 0, 0, (length >>> 24) & 0xff, (length >>> 16) & 0xff, (length >>> 8) & 0xff, length & 0xff);
  // A mask of zeros leaves the payload as it is.
  return Buffer.concat([Buffer.from(head), Buffer.alloc(isMasked ? 4 : 0), payload]);
}

const message = (value: unknown): Buffer => frame(1, Buffer.from(JSON.stringify(value)));
const subscribe = (id: string, query: string): Buffer => message({ id, type: 'subscribe', payload: { query } });

const frames = (): fc.Arbitrary<Buffer> =>
  fc.constantFrom(
    message({ type: 'connection_init', payload: { authorization: `Bearer ${key}` } }),
    message({ type: 'connection_init' }),
    subscribe('1', 'subscription { eventStream { id topic } }'),
    subscribe('1', 'subscription { eventStream { id } '),
    subscribe('y'.repeat(500), '{ __typename }'),
    message({ id: '1', type: 'complete' }),
    message({ type: 'ping', payload: {} }),
    message({ type: 'pong' }),
    message({ type: 'unknown' }),
    frame(1, Buffer.from('no JSON')),
    frame(1, Buffer.from([0xff, 0xfe])),
    frame(2, Buffer.alloc(100)),
    frame(0, Buffer.from('a continuation of nothing')),
    frame(1, Buffer.from('{"type":'), { isLast: false }),
    frame(8, Buffer.alloc(0)),
    frame(8, Buffer.from([0x03])),
    frame(8, Buffer.from([0x03, 0xe8])),
    frame(8, Buffer.from([0x00, 0x01])),
    frame(9, Buffer.alloc(20)),
    frame(9, Buffer.alloc(200)),
    frame(10, Buffer.alloc(0)),
    frame(3, Buffer.alloc(5)),
    frame(1, Buffer.from('x'), { reserved: 7 }),
    frame(1, Buffer.from('x'), { isMasked: false }),
    frame(1, Buffer.alloc(0), { length: 300_000 }),
    frame(1, Buffer.alloc(0), { length: 2 ** 31 }),
  );

const upgrade = (): fc.Arbitrary<Buffer> =>
  fc
    .record({
      path: fc.constantFrom('/graphql', '/graphql', '/graphql', '/graphql?x=1', '/', '/x', '/livez', '/api/v1/files', forms[0]!),
      protocol: fc.constantFrom('websocket', 'websocket', 'websocket', 'h2c', 'unknown'),
      headers: fc.constantFrom(
        ['Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', 'Sec-WebSocket-Protocol: graphql-transport-ws'],
        ['Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', 'Sec-WebSocket-Protocol: graphql-transport-ws'],
        ['Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', 'Sec-WebSocket-Protocol: graphql-ws'],
        ['Sec-WebSocket-Version: 99', 'Sec-WebSocket-Key: short'],
        [],
      ),
      sent: fc.array(frames(), { maxLength: 4 }),
    })
    .map(({ path, protocol, headers, sent }) =>
      Buffer.concat([request('GET', path, ['Connection: Upgrade', `Upgrade: ${protocol}`, ...headers]), ...sent]),
    );

const plain = (): fc.Arbitrary<Buffer> =>
  fc.constantFrom(
    request('GET', '/', []),
    request('GET', '/schema.graphql', []),
    request('GET', '/docs', ['Accept: text/html']),
    request('HEAD', forms[0]!, []),
    request('GET', forms[0]!, []),
    request('GET', `/v4/core/companies/${company}/accounts`, credentials(key)),
    request('GET', '/api/v1/downloads/files/unknown?key=x', []),
    request('CONNECT', 'elsewhere:443', []),
    request('OPTIONS', '*', []),
    request('GET', '/graphql?query=%7B__typename%7D', ['Apollo-Require-Preflight: 1']),
    request('POST', '/api/v1/corporations', [...credentials(key), 'Expect: something else'], Buffer.from('{}')),
    request('GET', '/x', [`Cookie: ${'x'.repeat(20_000)}`]),
    latin1('GET / HTTP/1.0\r\n\r\n'),
    latin1('\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 a greeting of TLS'),
    latin1('POST /graphql HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nno number\r\n'),
    latin1('POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'),
  );

const kinds = { JSON: jsonRequest, multipart: formRequest, form: postedForm, upgrade, plain };
const ways = ['end', 'reset', 'silence'] as const;

interface Case {
  kind: string;
  bytes: Buffer;
  /** Bytes that are sent before the cut. */
  cut: number;
  pieces: number;
  way: (typeof ways)[number];
}

const cases = (): fc.Arbitrary<Case> =>
  fc
    .oneof(
      ...Object.entries(kinds).map(([kind, bytes]) =>
        fc.record({
          kind: fc.constant(kind),
          bytes: fc.oneof(
            { weight: 4, arbitrary: bytes() },
            { weight: 1, arbitrary: fc.tuple(bytes(), bytes()).map((both) => Buffer.concat(both)) },
          ),
        }),
      ),
    )
    .chain(({ kind, bytes }) =>
      fc.record({
        kind: fc.constant(kind),
        bytes: fc.constant(bytes),
        // Half of the cuts fall into the first kilobyte, where heads and boundaries are.
        cut: fc.oneof(fc.nat({ max: Math.min(bytes.length, 1_000) }), fc.nat({ max: bytes.length }), fc.constant(bytes.length)),
        pieces: fc.integer({ min: 1, max: 3 }),
        way: fc.constantFrom(...ways),
      }),
    );

const shown = ({ kind, bytes, cut, pieces, way }: Case): string =>
  `${kind}, ${cut} of ${bytes.length} bytes in ${pieces}, ${way}: ${JSON.stringify(bytes.subarray(0, 120).toString('latin1'))}`;

/** Sends the bytes of a case and cuts the connection; the caller ends a silent connection. */
async function run({ bytes, cut, pieces, way }: Case, connection: ReturnType<typeof open>): Promise<void> {
  const { socket, closed } = connection;
  const size = Math.ceil(cut / pieces) || 1;
  for (let from = 0; from < cut; from += size) {
    socket.write(bytes.subarray(from, Math.min(cut, from + size)));
    await setTimeout(1);
  }
  if (way === 'end') socket.end();
  else if (way === 'reset') socket.resetAndDestroy();
  if (way !== 'silence') await closed;
}

interface LivezResponses {
  asked: number;
  failed: string[];
  /**
   * Longest wait for a response in ms, and the most CPU that the gateway used during one. On a busy machine most of a wait is not due to the gateway.
   */
  slowest: number;
  mostWorked: number;
}

/** Calls /livez again and again until stopped. */
function watch(): () => Promise<LivezResponses> {
  const seen: LivezResponses = { asked: 0, failed: [], slowest: 0, mostWorked: 0 };
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const [start, worked] = [performance.now(), workedMs()];
      const status = await fetch(`${running.origin}/livez`).then(
        (response) => response.text().then(() => response.status),
        (error: Error) => String(error.cause ?? error),
      );
      seen.asked++;
      seen.slowest = Math.max(seen.slowest, performance.now() - start);
      if (status !== 200) {
        seen.failed.push(String(status));
        return seen;
      }
      seen.mostWorked = Math.max(seen.mostWorked, workedMs() - worked);
      await setTimeout(5);
    }
    return seen;
  })();
  return () => {
    isOver = true;
    return watching;
  };
}

describe('requests that are cut', () => {
  it('at any position, by end, reset and silence, do not end the process and leave no memory in use', {
    timeout: 120_000 + PASSES * CASES * 50,
  }, async () => {
    // The small form uses a fixed seed, so that a failed run can be repeated; each large run uses another seed.
    const seed = ROUNDS === 1 ? 1 : randomInt(2 ** 31);
    const all = fc.sample(cases(), { numRuns: CASES, seed });
    const responses = new Map<string, number>();
    const wrong: string[] = [];
    const begun: Case[] = [];
    let silences = 0;
    const pass = async (): Promise<number> => {
      const silent: ReturnType<typeof open>[] = [];
      const left = [...all];
      const worker = async (): Promise<void> => {
        for (let one = left.pop(); one; one = left.pop()) {
          begun.push(one);
          const connection = open();
          if (one.way === 'silence') silent.push(connection);
          await run(one, connection);
          const statuses = connection.received().match(/(?<=HTTP\/1\.1 )\d{3}/g) ?? ['none'];
          for (const status of statuses) responses.set(status, (responses.get(status) ?? 0) + 1);
          if (statuses.some((status) => status.startsWith('5'))) wrong.push(`${shown(one)} -> ${connection.received().slice(0, 500)}`);
        }
      };
      await Promise.all(Array.from({ length: WORKERS }, worker));
      silences += silent.length;
      // The gateway ends each of them on its own, the last at the limit for idle connections.
      if (!isLarge) for (const { socket } of silent) socket.resetAndDestroy();
      await Promise.all(silent.map(({ closed }) => closed));
      return heldBytes();
    };
    const stopWatching = watch();
    const died = running.ended.then((code) => {
      throw new Error(`the process ended with ${code}; seed ${seed}; the last cases were\n${begun.slice(-WORKERS).map(shown).join('\n')}`);
    });
    const held: number[] = [];
    for (let one = 0; one < PASSES; one++) held.push(await Promise.race([pass(), died]));
    const leastGrowth = Math.min(...held.slice(1).map((bytes, index) => bytes - held[index]!));
    const { asked, failed, slowest, mostWorked } = await stopWatching();
    const counts = [...responses].sort().map(([status, count]) => `${status}: ${count}`);
    console.log(
      `cut: seed ${seed}, ${CASES} cases, ${PASSES} times, ${silences} fell silent; ${counts.join(', ')}; /livez asked ${asked} times, longest wait ${slowest.toFixed(0)} ms, most work during one ${mostWorked.toFixed(0)} ms; held after each time ${held.map((bytes) => (bytes / MEGABYTE).toFixed(0)).join(', ')} MB`,
    );
    expect(wrong, `seed ${seed}`).toEqual([]);
    expect(failed, `seed ${seed}`).toEqual([]);
    expect(leastGrowth, `seed ${seed}`).toBeLessThan(MAX_GROWTH);
    if (isLarge) expect(mostWorked, `seed ${seed}`).toBeLessThan(LIVEZ_MS);
  });

  it('a form whose link is wrong is rejected before its body is read, and 40 that are half sent hold no memory', async () => {
    const before = await heldBytes();
    const head = request('POST', '/incorporate/in/unknown?key=wrong', [
      'Content-Type: multipart/form-data; boundary=b',
      `Content-Length: ${15 * MEGABYTE}`,
    ]);
    const start = latin1(`--b\r\n${disposition('proofOfAddress', 'a.pdf')}\r\n\r\n`);
    const connections = Array.from({ length: 40 }, () => {
      const connection = open();
      connection.socket.write(Buffer.concat([head, start]));
      return connection;
    });
    for (const { socket } of connections) socket.write(Buffer.alloc(8 * MEGABYTE, 'x'));
    const held = await heldBytes();
    await Promise.all(connections.map(({ closed }) => closed));
    for (const { received } of connections) expect(received()).toMatch(/^HTTP\/1\.1 404 /);
    expect(held - before).toBeLessThan(MAX_HELD);
  });
});

// Requests that no client library would write, over raw sockets: framing that two servers read differently, odd headers and paths, truncated bodies.
import { once } from 'node:events';
import { connect } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { useGateway } from '../support/gateway.ts';
import { buildCompany, type TestCompany } from '../support/records.ts';
import { insides } from './odd.ts';

const gateway = useGateway();
let company: TestCompany;

beforeAll(async () => {
  company = await buildCompany(gateway);
});

/** Sends bytes and returns everything received until the server closes; with `leaves` the client closes its side at once. */
async function exchange(bytes: string, leaves = false): Promise<string> {
  const { hostname, port } = new URL(gateway.origin);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.setEncoding('latin1').on('data', (part) => {
    text += part;
  });
  socket.on('error', () => {});
  const closed = once(socket, 'close');
  if (leaves) socket.end(bytes, 'latin1');
  else socket.write(bytes, 'latin1');
  await closed;
  return text;
}

const statusesIn = (text: string): number[] => [...text.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status));
const head = (line: string, ...headers: string[]): string => `${[line, 'Host: localhost', ...headers].join('\r\n')}\r\n\r\n`;
const key = (): string => `api_key: ${company.key}`;
const JSON_TYPE = 'Content-Type: application/json';
const accounts = (): string => `${company.base}/accounts`;
const hidden = (): string => `${head(`POST ${accounts()} HTTP/1.1`, key(), JSON_TYPE, 'Content-Length: 27')}{"data":{"name":"Smuggled"}}`;
const post = (body: string, ...headers: string[]): string => head(`POST ${accounts()} HTTP/1.1`, key(), JSON_TYPE, ...headers) + body;
const get = (path: string, ...headers: string[]): string => head(`GET ${path} HTTP/1.1`, key(), 'Connection: close', ...headers);
const nested = (depth: number, inside = ''): string => '['.repeat(depth) + inside + ']'.repeat(depth);

/** Ambiguous framing: one rejection, and nothing behind it is read as a request. */
const framings: [string, () => string][] = [
  ['both a length and chunks', () => post(`0\r\n\r\n${hidden()}`, 'Content-Length: 5', 'Transfer-Encoding: chunked')],
  ['two lengths', () => post(`{"data":{}}${hidden()}`, 'Content-Length: 11', 'Content-Length: 12')],
  ['a length that is a list', () => post(`{"data":{}}${hidden()}`, 'Content-Length: 11, 11')],
  ['a length with a sign', () => post(`{"data":{}}${hidden()}`, 'Content-Length: +11')],
  ['a length of hexadecimal digits', () => post(`{"data":{}}${hidden()}`, 'Content-Length: 0xb')],
  ['an unknown transfer coding', () => post(`0\r\n\r\n${hidden()}`, 'Transfer-Encoding: xchunked')],
  ['chunked named twice', () => post(`0\r\n\r\n${hidden()}`, 'Transfer-Encoding: chunked, chunked')],
  ['a blank before the colon', () => post(`0\r\n\r\n${hidden()}`, 'Transfer-Encoding : chunked')],
  ['a folded header', () => post(hidden(), 'X-Long: one\r\n two', 'Content-Length: 0')],
  ['a chunk size that is no number', () => post(`zz\r\n\r\n${hidden()}`, 'Transfer-Encoding: chunked')],
  ['a chunk size beyond 64 bits', () => post(`fffffffffffffffff\r\n\r\n${hidden()}`, 'Transfer-Encoding: chunked')],
  ['a header without a name', () => post(hidden(), ': nothing', 'Content-Length: 0')],
  ['a NUL in a header', () => post(hidden(), 'X-Odd: a\0b', 'Content-Length: 0')],
  ['lines that end in LF alone', () => `POST ${accounts()} HTTP/1.1\nHost: localhost\n${key()}\nContent-Length: 0\n\n${hidden()}`],
  ['no host', () => `GET ${accounts()} HTTP/1.1\r\n${key()}\r\n\r\n${hidden()}`],
];

/** Complete requests with odd content: each gets one response made by the gateway. */
const oddities: [string, () => string, number | RegExp][] = [
  ['a NUL in the path', () => get(`${accounts()}/%00`), /4\d\d/],
  ['half an escape in the path', () => get(`${accounts()}/%`), /4\d\d/],
  ['an escape that is no UTF-8', () => get(`${accounts()}/%ff%fe`), /4\d\d/],
  ['an escaped slash', () => get(`${company.base}%2Faccounts`), /4\d\d/],
  ['dots that climb', () => get('/v4/core/../../etc/passwd'), /4\d\d/],
  ['escaped dots', () => get('/v4/core/%2e%2e/%2e%2e/etc/passwd'), /4\d\d/],
  ['an absolute URL', () => get(`http://elsewhere.example${accounts()}`), 200],
  ['a path without a slash', () => get('accounts'), /4\d\d/],
  ['the path of OPTIONS *', () => head('OPTIONS * HTTP/1.1', 'Connection: close'), /[24]\d\d/],
  ['the same parameter twice', () => get(`${accounts()}?limit=1&limit=2`), /[24]\d\d/],
  ['a parameter named __proto__', () => get(`${accounts()}?__proto__[x]=1`), 400],
  ['a cursor of an unpaired surrogate', () => get(`${accounts()}?cursor=%ed%a0%80`), 400],
  ['a key of 7,000 characters', () => head(`GET ${accounts()} HTTP/1.1`, `api_key: ${'k'.repeat(7_000)}`, 'Connection: close'), 401],
  ['headers beyond 16 KB', () => get(accounts(), `X-Long: ${'x'.repeat(20_000)}`), 431],
  ['3,000 headers', () => get(accounts(), ...Array.from({ length: 3_000 }, (_, n) => `X-${n}: 1`)), /[24]\d\d/],
  ['an unknown method', () => head(`BREW ${accounts()} HTTP/1.1`, 'Connection: close'), /4\d\d/],
  ['TRACE', () => head(`TRACE ${accounts()} HTTP/1.1`, key(), 'Connection: close'), /4\d\d/],
  ['CONNECT', () => head('CONNECT elsewhere.example:443 HTTP/1.1'), /4\d\d|^$/],
  ['an upgrade to something else', () => get(accounts(), 'Upgrade: h2c', 'Connection: Upgrade'), /[24]\d\d|^$/],
  ['the preface of HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', /4\d\d|^$/],
  ['bytes of TLS', () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', /4\d\d|^$/],
  ['a body of arrays 100,000 deep', () => whole(nested(100_000)), /4\d\d/],
  ['a body of arrays 100,000 deep around a long number', () => whole(nested(100_000, '1234567890123456')), 400],
  ['a body of objects 20,000 deep', () => whole(`${'{"data":'.repeat(20_000)}1${'}'.repeat(20_000)}`), /4\d\d/],
  ['a body with __proto__', () => whole('{"data":{"platform_id":"p1","__proto__":{"name":"x"}},"__proto__":{"admin":true}}'), /[24]\d\d/],
  ['a body with the same name twice', () => whole('{"data":{"platform_id":"p2","name":"a","name":"b"}}'), /[24]\d\d/],
  ['a body with an unpaired surrogate', () => whole('{"data":{"platform_id":"p3","name":"\\ud800"}}'), /4\d\d/],
  ['a body with a NUL', () => whole('{"data":{"platform_id":"p4","name":"a\\u0000"}}'), /4\d\d/],
  ['a body with a huge number', () => whole(`{"data":{"platform_id":"p5","current_balance":1e${'9'.repeat(50)}}}`), /4\d\d/],
  ['a body that is no UTF-8', () => whole('{"data":{"platform_id":"\xff\xfe"}}'), /[24]\d\d/],
  ['a body that says it is compressed', () => whole('{"data":{}}', 'Content-Encoding: gzip'), 400],
  ['a body with a byte order mark', () => whole('\u00ef\u00bb\u00bf{"data":{}}'), /4\d\d/],
  ['a body that ends early', () => post('{"data":', 'Content-Length: 1000'), /4\d\d|^$/],
  ['chunks that end early', () => post('5\r\n{"dat', 'Transfer-Encoding: chunked'), /4\d\d|^$/],
  [
    'a trailer after chunks',
    () => post('b\r\n{"data":{}}\r\n0\r\nX-Trailer: 1\r\n\r\n', 'Transfer-Encoding: chunked', 'Connection: close'),
    /[24]\d\d/,
  ],
];

const whole = (body: string, ...headers: string[]): string =>
  post(body, `Content-Length: ${Buffer.byteLength(body, 'latin1')}`, 'Connection: close', ...headers);

const namesOfAccounts = async (): Promise<unknown[]> => {
  const response = await gateway.send('GET', accounts(), { headers: company.headers });
  return response.body.data.map(({ name }: { name: unknown }) => name);
};

describe('odd requests on the wire', () => {
  it.each(framings)('%s is rejected, and the request hidden behind it is never executed', async (_, bytes) => {
    const text = await exchange(bytes());
    expect(
      statusesIn(text).every((status) => status >= 400 && status < 500),
      text.slice(0, 600),
    ).toBe(true);
    expect(statusesIn(text).length).toBeLessThanOrEqual(1);
    expect(text).not.toMatch(insides);
    expect(await namesOfAccounts()).not.toContain('Smuggled');
  });

  it.each(oddities)('%s gets a response that names the problem, without internal details', async (name, bytes, expected) => {
    const text = await exchange(bytes(), name.endsWith('early'));
    const statuses = statusesIn(text);
    expect(statuses.length).toBeLessThanOrEqual(1);
    expect(String(statuses[0] ?? ''), text.slice(0, 400)).toMatch(expected instanceof RegExp ? expected : new RegExp(`^${expected}$`));
    expect(text).not.toMatch(insides);
    expect(({} as Record<string, unknown>).admin).toBeUndefined();
    expect((await gateway.send('GET', accounts(), { headers: company.headers })).status).toBe(200);
  });
});

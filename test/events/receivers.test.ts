// A zoo of receivers: what each of their responses is by the letter of RFC 9110 and 9112. A final status in full is a response, however odd what
// surrounds it.

import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { callOut, type OutboundResult } from '../../src/security/egress.ts';

const servers: { close: () => void }[] = [];
const sockets = new Set<Socket>();
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
  for (const socket of sockets) socket.destroy();
});

/** What a receiver does once it has the request. */
type Respond = (socket: Socket, request: string) => unknown;

/** A receiver that writes what it likes. It returns when the whole request has arrived, or at once. */
async function startReceiver(response: Respond, isHasty = false): Promise<{ url: string; requests: string[] }> {
  const requests: string[] = [];
  const server = createServer((socket) => {
    sockets.add(socket);
    let given = '';
    let hasResponse = false;
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      given += chunk.toString('latin1');
      const [head, body] = given.split('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(head!)?.[1]);
      if (hasResponse || (!isHasty && (body === undefined || body.length < length))) return;
      hasResponse = true;
      requests.push(given);
      void response(socket, given);
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, requests };
}

/** Writes lines, each with its end of line. */
const lines = (...given: string[]): string => given.map((line) => `${line}\r\n`).join('');
const write =
  (...given: string[]): Respond =>
  (socket) =>
    socket.write(lines(...given), 'latin1');
const writeAndEnd =
  (...given: string[]): Respond =>
  (socket) =>
    socket.end(lines(...given), 'latin1');
const inPieces =
  (text: string, size: number): Respond =>
  async (socket) => {
    for (let at = 0; at < text.length; at += size) {
      socket.write(text.slice(at, at + size));
      await pause(2);
    }
  };
const afterStatus =
  (end: (socket: Socket) => void): Respond =>
  (socket) =>
    socket.write(lines('HTTP/1.1 200 OK', 'Content-Length: 100', ''), () => setTimeout(() => end(socket), 20));

/** The status that counts, and the body that is kept; null where there is no response by the letter. */
type Expected = [status: number, body: string] | null;

const OK = lines('HTTP/1.1 200 OK', 'Content-Length: 5', '', 'taken').slice(0, -2);

const zoo: [animal: string, respond: Respond, expected: Expected][] = [
  ['a plain response', (socket) => socket.write(OK), [200, 'taken']],
  // RFC 9110 section 15.2: a client must be able to parse interim responses even if it does not expect one.
  ['100 before the response', (socket) => socket.write(`${lines('HTTP/1.1 100 Continue', '')}${OK}`), [200, 'taken']],
  ['102 before the response', (socket) => socket.write(`${lines('HTTP/1.1 102 Processing', '')}${OK}`), [200, 'taken']],
  [
    '103 with links before the response',
    (socket) => socket.write(`${lines('HTTP/1.1 103 Early Hints', 'Link: </a>; rel=preload', '')}${OK}`),
    [200, 'taken'],
  ],
  [
    'many interim responses, some unknown',
    (socket) => socket.write(`${lines('HTTP/1.1 100 Continue', '', 'HTTP/1.1 102 Processing', '', 'HTTP/1.1 199 Odd', '')}${OK}`),
    [200, 'taken'],
  ],
  ['an interim response alone, then the end', writeAndEnd('HTTP/1.1 103 Early Hints', ''), null],
  // Section 15.2.2: only in response to Upgrade, which no message has.
  ['101, which was not requested', write('HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: upgrade', ''), null],
  // RFC 9112 section 4: the reason may be absent, and a client ignores it.
  ['no reason', write('HTTP/1.1 200 ', 'Content-Length: 0', ''), [200, '']],
  ['no reason and no space before it', write('HTTP/1.1 200', 'Content-Length: 0', ''), [200, '']],
  ['a reason of odd characters', write('HTTP/1.1 200 \xfcber\t42% {ok}', 'Content-Length: 0', ''), [200, '']],
  ['a reason of another status', write('HTTP/1.1 202 Internal Server Error', 'Content-Length: 0', ''), [202, '']],
  // RFC 9110 section 15: an unknown status is as x00 of its class.
  ['299, which is not registered', write('HTTP/1.1 299 Fine', 'Content-Length: 0', ''), [299, '']],
  ['499, which is not registered', write('HTTP/1.1 499 Gone away', 'Content-Length: 0', ''), [499, '']],
  // RFC 9112 section 6.3: without a length the body ends with the connection; 204, 205 and 304 have none.
  ['no body and no length', writeAndEnd('HTTP/1.1 200 OK', ''), [200, '']],
  ['a body until the end of the connection', writeAndEnd('HTTP/1.1 200 OK', '', 'taken'), [200, 'taken\r\n']],
  ['204 with a body', write('HTTP/1.1 204 No Content', 'Content-Length: 5', '', 'taken'), [204, '']],
  ['205 with a length of none', write('HTTP/1.1 205 Reset Content', 'Content-Length: 0', ''), [205, '']],
  ['304, which is not 2xx', write('HTTP/1.1 304 Not Modified', ''), [304, '']],
  // RFC 9112 section 7.1: extensions, trailers and sizes in either case.
  ['chunks', write('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked', '', '5', 'taken', '0', ''), [200, 'taken']],
  [
    'chunks with extensions',
    write('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked', '', '5;name="a;b";c', 'taken', '0;last', ''),
    [200, 'taken'],
  ],
  [
    'chunks with trailers',
    write('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked', 'Trailer: Digest', '', '5', 'taken', '0', 'Digest: none', ''),
    [200, 'taken'],
  ],
  [
    'chunk sizes with zeros and in either case',
    write('HTTP/1.1 200 OK', 'Transfer-Encoding: CHUNKED', '', '000A', 'taken well', '000', ''),
    [200, 'taken well'],
  ],
  ['chunks that stop before the last', writeAndEnd('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked', '', '5', 'taken'), [200, 'taken']],
  // Section 6.1: a chunked response with a length is an error, but its status has arrived.
  [
    'keep-alive with a limit',
    write('HTTP/1.1 200 OK', 'Connection: keep-alive', 'Keep-Alive: timeout=1, max=1', 'Content-Length: 0', ''),
    [200, ''],
  ],
  ['close in odd case among others', writeAndEnd('HTTP/1.1 200 OK', 'Connection: Close, X-Odd', 'Content-Length: 0', ''), [200, '']],
  ['a second response that was not requested', (socket) => socket.write(OK + OK.replace('200', '500')), [200, 'taken']],
  ['HTTP/1.0', writeAndEnd('HTTP/1.0 200 OK', '', 'taken'), [200, 'taken\r\n']],
  ['HTTP/1.0 with keep-alive', write('HTTP/1.0 200 OK', 'Connection: keep-alive', 'Content-Length: 0', ''), [200, '']],
  ['a higher minor version', write('HTTP/1.2 200 OK', 'Content-Length: 0', ''), null],
  ['one byte at a time', inPieces(OK, 1), [200, 'taken']],
  ['a reset after the head', afterStatus((socket) => socket.resetAndDestroy()), [200, '']],
  ['the end after the head', afterStatus((socket) => socket.end()), [200, '']],
  ['a reset without a response', (socket) => socket.resetAndDestroy(), null],
  ['the end without a response', (socket) => socket.end(), null],
  ['the end within the head', (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Le'), null],
  [
    'a redirect, which is not followed',
    write('HTTP/1.1 307 Temporary Redirect', 'Location: http://127.0.0.1:1/', 'Content-Length: 0', ''),
    [307, ''],
  ],
  ['what is no HTTP', write('SSH-2.0-OpenSSH_9.6'), null],
  ['empty names of fields', write('HTTP/1.1 200 OK', ': none', 'Content-Length: 0', ''), null],
];

const outcomeOf = (result: OutboundResult): Expected => (result.kind === 'response' ? [result.status, result.bodySnippet] : null);
const call = (url: string, timeoutMs = 5_000) =>
  callOut({ url, headers: { 'content-type': 'application/json' }, body: '{"id":"evt_1"}' }, { allowPrivate: true, timeoutMs });

describe('a response is', () => {
  it.each(zoo)('%s', async (_, response, expected) => {
    const { url, requests } = await startReceiver(response);
    expect(outcomeOf(await call(url))).toEqual(expected);
    // Nothing is sent twice within an attempt.
    expect(requests).toHaveLength(1);
  });

  it('one that comes before the request has been read', async () => {
    const { url } = await startReceiver((socket) => socket.write(OK), true);
    expect(outcomeOf(await call(url))).toEqual([200, 'taken']);
  });

  it('the beginning of an endless body, which is not waited for', async () => {
    let sent = 0;
    const { url } = await startReceiver((socket) => {
      socket.write(lines('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked', ''));
      const more = (): void => {
        while (!socket.destroyed && socket.write(lines('400', 'x'.repeat(0x400)))) sent += 0x400;
        if (!socket.destroyed) socket.once('drain', more);
      };
      more();
    });
    expect(outcomeOf(await call(url, 60_000))).toEqual([200, 'x'.repeat(1_024)]);
    expect(sent).toBeLessThan(50_000_000);
  });

  it('the status before a body that drips slower than the limit, with what has arrived', async () => {
    const { url } = await startReceiver((socket) => {
      socket.write(`${lines('HTTP/1.1 200 OK', 'Content-Length: 1000', '')}ta`);
    });
    expect(outcomeOf(await call(url, 500))).toEqual([200, 'ta']);
  });

  it('none while the head drips slower than the limit', async () => {
    const { url } = await startReceiver((socket) => socket.write('HTTP/1.1 200 OK\r\nX-Slow: '));
    expect(await call(url, 500)).toMatchObject({ kind: 'failed', code: 'TIMEOUT' });
  });

  it('none with a head without an end', async () => {
    const { url } = await startReceiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const more = (): void => {
        while (!socket.destroyed && socket.write(`X-Field: ${'x'.repeat(1_000)}\r\n`));
        if (!socket.destroyed) socket.once('drain', more);
      };
      more();
    });
    expect((await call(url)).kind).toBe('failed');
  });
});

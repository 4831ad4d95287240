// Outbound calls reach the public internet only; a loopback server counts the calls that get through.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { callOut, checkedConnection, readSnippet, refusalOf, refuseResolvedUrl, refuseUrl } from '../../src/security/egress.ts';
import { refuseAddress } from '../../src/security/private-addresses.ts';

let server: Server;
let port: number;
let connections: number;
let respond: (request: IncomingMessage, response: ServerResponse) => void;

beforeEach(async () => {
  connections = 0;
  respond = (_request, response) => response.end('ok');
  server = createServer((request, response) => respond(request, response));
  server.on('connection', () => connections++);
  await new Promise<void>((resolve) => server.listen(0, '::', resolve));
  port = (server.address() as AddressInfo).port;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const ATTACKS = [
  'https://127.0.0.1:PORT/',
  'https://127.1:PORT/',
  'https://127.0.1:PORT/',
  'https://127.255.255.254:PORT/',
  'https://2130706433:PORT/',
  'https://0x7f000001:PORT/',
  'https://0x7f.0x0.0x0.0x1:PORT/',
  'https://0177.0.0.1:PORT/',
  'https://017700000001:PORT/',
  'https://0:PORT/',
  'https://0.0.0.0:PORT/',
  'https://%31%32%37.0.0.1:PORT/',
  'https://１２７.０.０.１:PORT/',
  'https://127。0。0。1:PORT/',
  'https://[::1]:PORT/',
  'https://[0:0:0:0:0:0:0:1]:PORT/',
  'https://[::]:PORT/',
  'https://[::ffff:127.0.0.1]:PORT/',
  'https://[::ffff:7f00:1]:PORT/',
  'https://[::127.0.0.1]:PORT/',
  'https://[64:ff9b::7f00:1]:PORT/',
  'https://[2002:7f00:1::]:PORT/',
  'https://[fe80::1]:PORT/',
  'https://[fc00::1]:PORT/',
  'https://[fec0::1]:PORT/',
  'https://[fd00:ec2::254]:PORT/latest/meta-data',
  'https://localhost:PORT/',
  'https://LOCALHOST.:PORT/',
  'https://anything.localhost:PORT/',
  'https://intranet:PORT/',
  'https://metadata.google.internal/computeMetadata/v1/',
  'https://169.254.169.254/latest/meta-data',
  'https://0xa9fea9fe/latest/meta-data',
  'https://168.63.129.16/machine',
  'https://100.100.100.200/latest/meta-data',
  'https://192.0.0.192/opc/v1/',
  'https://10.0.0.1/',
  'https://172.16.0.1/',
  'https://192.168.1.1/',
  'https://224.0.0.1/',
  'https://255.255.255.255/',
  'https://user@127.0.0.1:PORT/',
  'https://example.com@127.0.0.1:PORT/',
  'https://example.com:443@127.0.0.1:PORT/',
  'http://127.0.0.1:PORT/',
  'http://example.com/',
  'ftp://example.com/',
  'file:///etc/passwd',
  'https:\\\\127.0.0.1:PORT\\',
  'ht\ntps://127.0.0.1:PORT/',
  '//127.0.0.1:PORT/',
  'https://',
];

describe('addresses', () => {
  test.each(ATTACKS)('%j is rejected and reaches nothing', async (attack) => {
    const url = attack.replace('PORT', String(port));
    expect(refuseUrl(url)).toEqual(expect.any(String));
    expect(await callOut({ url, body: '{}' })).toMatchObject({ kind: 'refused' });
    expect(connections).toBe(0);
  });

  test('a public URL is accepted', () => {
    for (const url of [
      'https://example.com/hook',
      'https://93.184.216.34:8443/',
      'https://[2606:4700:4700::1111]/',
      'https://bücher.example/?a=1',
    ]) {
      expect(refuseUrl(url)).toBeNull();
    }
  });

  test('user info, a fragment and more than 2048 characters are rejected', () => {
    for (const info of ['user:word', 'user', ':word']) expect(refuseUrl(`https://${info}@example.com/`)).toContain('user name');
    expect(refuseUrl(`https://example.com/${'a'.repeat(2028)}`)).toBeNull();
    expect(refuseUrl('https://example.com/#part')).toContain('fragment');
    expect(refuseUrl(`https://example.com/${'a'.repeat(2048)}`)).toContain('2048');
  });

  test.each(['localhost', 'a.local', 'a.internal', 'a.localdomain', 'router.home.arpa', 'intranet'])(
    'the name %s is of this network, with and without a last dot, and within a longer name it is not',
    (name) => {
      expect(refuseUrl(`https://${name}/`)).toBe(`${name} is not a public name`);
      expect(refuseUrl(`https://${name}./`)).toBe(`${name} is not a public name`);
      expect(refuseUrl(`https://${name}.example.com/`)).toBeNull();
      expect(refuseUrl(`https://x${name}.com/`)).toBeNull();
    },
  );

  test('where private addresses are allowed, so is http, and no other scheme', () => {
    for (const url of ['http://127.0.0.1/', 'https://localhost/']) expect(refuseUrl(url, { allowPrivate: true })).toBeNull();
    for (const url of ['ftp://127.0.0.1/', 'file:///etc/passwd'])
      expect(refuseUrl(url, { allowPrivate: true })).toBe('only https is allowed');
  });

  test('an address may have brackets and a zone, and nothing else around it', () => {
    for (const open of ['[2606:4700:4700::1111]', '2606:4700:4700::1111%eth0.100']) expect(refuseAddress(open)).toBeNull();
    expect(refuseAddress('fe80::1%eth0')).toBe('fe80::1 is not a public address (linkLocal)');
    for (const text of ['example.com', '', '93.184.[216.34', '93.184.]216.34', '93.184.216', ' 93.184.216.34'])
      expect(refuseAddress(text)).toBe(`${text} is not an address`);
  });

  test('addresses at the edges of private ranges are classified correctly', () => {
    for (const open of [
      '9.255.255.255',
      '11.0.0.0',
      '172.15.255.255',
      '172.32.0.0',
      '126.255.255.255',
      '128.0.0.0',
      '100.63.255.255',
      '100.128.0.0',
    ]) {
      expect(refuseAddress(open)).toBeNull();
    }
    for (const shut of [
      '10.255.255.255',
      '172.31.255.255',
      '192.168.255.255',
      '100.64.0.0',
      '198.18.0.1',
      '240.0.0.1',
      '::ffff:10.0.0.1',
      'fe80::1%eth0',
    ]) {
      expect(refuseAddress(shut)).toEqual(expect.any(String));
    }
  });
});

describe('names', () => {
  const responses =
    (...addresses: string[]) =>
    async () =>
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  const url = (): string => `https://hooks.example.com:${port}/`;

  test.each([['127.0.0.1'], ['::1'], ['10.1.2.3'], ['169.254.169.254'], ['::ffff:127.0.0.1'], ['93.184.216.34', '127.0.0.1']])(
    'a name that resolves to %j %j is rejected when it is registered and when it is called',
    async (...addresses) => {
      const resolver = responses(...addresses.filter((address) => address !== undefined));
      expect(await refuseResolvedUrl(url(), { resolver })).toContain('hooks.example.com');
      expect(await callOut({ url: url() }, { resolver })).toMatchObject({
        kind: 'refused',
        reason: expect.stringContaining('hooks.example.com'),
      });
      expect(connections).toBe(0);
    },
  );

  test('only names are looked up when a URL is registered', async () => {
    const lookups: string[] = [];
    const resolver = async (host: string) => {
      lookups.push(host);
      return [{ address: '127.0.0.1', family: 4 }];
    };
    for (const literal of ['https://93.184.216.34/', 'https://[2606:4700:4700::1111]/'])
      expect(await refuseResolvedUrl(literal, { resolver })).toBeNull();
    expect(await refuseResolvedUrl(url(), { resolver, allowPrivate: true })).toBeNull();
    expect(await refuseResolvedUrl('https://127.0.0.1/', { resolver })).toBe('127.0.0.1 is not a public address (loopback)');
    expect(lookups).toEqual([]);
    expect(await refuseResolvedUrl(url(), { resolver })).toBe('hooks.example.com: 127.0.0.1 is not a public address (loopback)');
    expect(lookups).toEqual(['hooks.example.com']);
  });

  test('a name without an address is rejected', async () => {
    const resolver = responses();
    expect(await refuseResolvedUrl(url(), { resolver })).toBe('hooks.example.com has no address');
    expect(await callOut({ url: url() }, { resolver })).toMatchObject({ kind: 'refused', reason: 'hooks.example.com has no address' });
  });

  test('a connection gets one checked address or all of them, as it asks, and its error names the check', async () => {
    const look = (all: boolean, addresses: string[]) =>
      new Promise<unknown[]>((resolve) => {
        const { lookup } = checkedConnection(false, responses(...addresses));
        lookup('hooks.example.com', { all }, (...found) => resolve(found));
      });
    const [first, second] = ['93.184.216.34', '2606:4700:4700::1111'] as const;
    expect(await look(false, [first, second])).toEqual([null, first, 4]);
    expect(await look(true, [first, second])).toEqual([
      null,
      [
        { address: first, family: 4 },
        { address: second, family: 6 },
      ],
    ]);
    const [error] = await look(true, [first, '10.0.0.1']);
    const reason = 'hooks.example.com: 10.0.0.1 is not a public address (private)';
    expect(refusalOf(error)).toBe(reason);
    expect(refusalOf(new Error('fetch failed', { cause: error }))).toBe(reason);
    for (const other of [new Error('socket hang up'), new Error('fetch failed', { cause: new Error('reset') }), reason, undefined])
      expect(refusalOf(other)).toBeNull();
  });

  test('a name is looked up by the system when no other look-up is given', async () => {
    const { lookup } = checkedConnection(true);
    const found = await new Promise<unknown[]>((resolve) => lookup('localhost', { all: true }, (...all) => resolve(all)));
    expect(found).toEqual([
      null,
      expect.arrayContaining([expect.objectContaining({ address: expect.stringMatching(/^(127\.0\.0\.1|::1)$/) })]),
    ]);
    const { lookup: checked } = checkedConnection(false);
    const [error] = await new Promise<unknown[]>((resolve) => checked('localhost', { all: true }, (...all) => resolve(all)));
    expect(refusalOf(error)).toMatch(/^localhost: .* is not a public address \(loopback\)$/);
  });

  test('a name that turns private between registration and call is rejected', async () => {
    let lookups = 0;
    const rebinding = async () => [{ address: lookups++ === 0 ? '93.184.216.34' : '127.0.0.1', family: 4 }];
    expect(await refuseResolvedUrl(url(), { resolver: rebinding })).toBeNull();
    expect(await callOut({ url: url() }, { resolver: rebinding })).toMatchObject({ kind: 'refused' });
    expect(connections).toBe(0);
  });

  test('the socket uses the address that was checked and does not resolve again', async () => {
    let lookups = 0;
    const resolver = async () => {
      lookups++;
      return [{ address: '127.0.0.1', family: 4 }];
    };
    const result = await callOut({ url: `http://hooks.example.com:${port}/` }, { resolver, allowPrivate: true });
    expect(result).toMatchObject({ kind: 'response', status: 200 });
    expect(lookups).toBe(1);
  });

  test('a name that does not resolve may be registered, and fails the call', async () => {
    const resolver = async () => {
      throw Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });
    };
    expect(await callOut({ url: url() }, { resolver })).toMatchObject({ kind: 'failed', code: 'ENOTFOUND' });
    expect(await refuseResolvedUrl(url(), { resolver })).toBeNull();
  });
});

describe('responses', () => {
  const call = (options = {}) =>
    callOut(
      { url: `http://127.0.0.1:${port}/`, body: '{"a":1}', headers: { 'content-type': 'application/json' } },
      { allowPrivate: true, ...options },
    );

  test('with private addresses allowed the exact body arrives, and the status comes back', async () => {
    let received = '';
    respond = async (request, response) => {
      for await (const chunk of request) received += chunk;
      response.writeHead(503, { 'retry-after': '120' }).end('busy');
    };
    expect(await call()).toMatchObject({ kind: 'response', status: 503, headers: { retryAfter: '120' }, bodySnippet: 'busy' });
    expect(received).toBe('{"a":1}');
  });

  test('a redirect is a response and is not followed', async () => {
    const paths: (string | undefined)[] = [];
    respond = (request, response) => {
      paths.push(request.url);
      response.writeHead(302, { location: '/elsewhere' }).end();
    };
    expect(await call()).toMatchObject({ kind: 'response', status: 302 });
    expect(paths).toEqual(['/']);
  });

  test('one kilobyte of an endless body is read, without NUL characters', async () => {
    respond = (_request, response) => {
      response.writeHead(200);
      const pour = (): void => {
        while (!response.destroyed && response.write(`\0${'x'.repeat(9999)}`));
      };
      response.on('drain', pour);
      pour();
    };
    expect(await call()).toMatchObject({ kind: 'response', status: 200, bodySnippet: `\uFFFD${'x'.repeat(1023)}` });
  });

  test('a receiver that never responds fails when the total time is over', async () => {
    respond = () => {};
    const reason = 'no complete response within 100 ms';
    expect(await call({ timeoutMs: 100 })).toMatchObject({ kind: 'failed', code: 'TIMEOUT', reason });
  });

  test('a status counts although its body never ends', async () => {
    respond = (_request, response) => response.writeHead(202).write('so far');
    expect(await call({ timeoutMs: 200 })).toMatchObject({ kind: 'response', status: 202, bodySnippet: 'so far' });
  });

  test('a call that its caller ends is a failure, and the receiver sees its connection end', async () => {
    const stopping = new AbortController();
    const ended = new Promise<void>((resolve) => {
      respond = (request) => {
        request.socket.once('close', () => resolve());
        stopping.abort();
      };
    });
    expect(await call({ signal: stopping.signal })).toMatchObject({ kind: 'failed', code: 'ABORT_ERR' });
    await ended;
  });

  test('method and headers arrive as given, and a call without them is a POST', async () => {
    const seen: unknown[] = [];
    respond = ({ method, headers }, response) => {
      seen.push([method, headers['x-own']]);
      response.end();
    };
    const url = `http://127.0.0.1:${port}/`;
    await callOut({ url, method: 'GET', headers: { 'x-own': '1' } }, { allowPrivate: true });
    await callOut({ url }, { allowPrivate: true });
    expect(seen).toEqual([
      ['GET', '1'],
      ['POST', undefined],
    ]);
  });

  test('a change of the protocol, which no call asks for, is a failure', async () => {
    respond = (request) => request.socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n');
    expect(await call()).toMatchObject({ kind: 'failed', code: 'NETWORK', reason: 'the receiver changed the protocol' });
  });

  test('no more chunks are read than are kept', async () => {
    let read = 0;
    async function* chunks() {
      for (;;) {
        read++;
        yield Buffer.from('four');
      }
    }
    expect(await readSnippet(chunks(), 8)).toBe('fourfour');
    expect(read).toBe(2);
    expect(await readSnippet(chunks(), 9)).toBe('fourfourf');
  });

  test('a closed port and a broken response are failures, not exceptions', async () => {
    respond = (request) => request.socket.destroy();
    expect(await call()).toMatchObject({ kind: 'failed' });
    const free = port;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    expect(await callOut({ url: `http://127.0.0.1:${free}/` }, { allowPrivate: true })).toMatchObject({
      kind: 'failed',
      code: 'ECONNREFUSED',
    });
  });
});

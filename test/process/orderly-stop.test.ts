// The end of a process. An orderly stop continues to serve until load balancers have noticed, and completes the requests in flight. One after an
// unhandled error logs the requests that it leaves without a response.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, it, type TestContext } from 'vitest';
import { executeIn } from '../../src/database/open.ts';
import { systemTransaction } from '../../src/database/transaction.ts';
import { startGateway } from '../support/gateway.ts';
import { issueKey, onSignal, ownPlace, program, type RunningProgram, type Settings } from '../support/program.ts';
import { buildCompany } from '../support/records.ts';

it('requests in flight are completed, and the stop waits for no connection that is only kept alive', async () => {
  const gateway = await startGateway();
  const company = await buildCompany(gateway);
  const asked = Array.from({ length: 30 }, () => gateway.send('GET', `${company.base}/accounts`, { headers: company.headers }));
  // One response shows that the other requests have reached the gateway or wait to be accepted.
  await asked[0];
  const stopped = gateway.stop();
  const settled = await Promise.allSettled(asked);
  await stopped;
  const statuses = settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value.status] : []));
  expect(new Set(statuses)).toEqual(new Set([200]));
});

/** Starts a process on data of its own. */
async function started({ onTestFinished }: TestContext, settings: Settings): Promise<RunningProgram> {
  const place = await ownPlace();
  onTestFinished(place.remove);
  return program.start({ ...place.settings, ...settings });
}

/** A raw connection that has sent something and sends nothing more; resolves when it has received something. */
async function silent({ origin }: RunningProgram, sent: string): Promise<Socket> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.write(sent);
  await once(socket, 'data');
  return socket;
}

const request = (line: string, ...headers: string[]): string => `${[line, 'Host: test', ...headers].join('\r\n')}\r\n\r\n`;
const LIVEZ = request('GET /livez HTTP/1.1', 'X-Request-Id: before-the-error');
/** A request whose body never comes, behind one whose response shows that it has arrived. */
const HALF = `${LIVEZ}${request('POST /graphql HTTP/1.1', 'X-Request-Id: still-under-way', 'Content-Type: application/json', 'Content-Length: 9')}{`;
const UPGRADE = request(
  'GET /graphql HTTP/1.1',
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  'Sec-WebSocket-Protocol: graphql-transport-ws',
);

it('the database closes after the writes under way, and begins no other', async () => {
  const gateway = await startGateway();
  const { database } = gateway.services;
  const order: string[] = [];
  let finish = (): void => {};
  const held = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const write = systemTransaction(database, async (em) => {
    await held;
    await executeIn(em, 'select 1');
    order.push('written');
  });
  const stopped = gateway.stop().then(() => order.push('stopped'));
  // Long enough for a stop that does not wait to have closed the database.
  await new Promise((resolve) => setTimeout(resolve, 500));
  finish();
  await write;
  await stopped;
  expect(order).toEqual(['written', 'stopped']);
  await expect(systemTransaction(database, async () => undefined)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});

// A stop that leaves silent connections waits for nine seconds, in which the other processes start and end.
describe.concurrent('SIGTERM', () => {
  it('/readyz returns 503 first, while all else is served on connections that end', async (context) => {
    const running = await started(context, { DRAIN_SECONDS: '300' });
    const key = await issueKey(running.origin, ['INTEGRATIONS']);
    const get = (path: string): Promise<Response> => fetch(running.origin + path, { headers: { api_key: key } });
    expect((await get('/readyz')).status).toBe(200);
    process.kill(running.pid, 'SIGTERM');
    let ready = await get('/readyz');
    while (ready.status === 200) ready = await get('/readyz');
    expect([ready.status, await ready.json()]).toEqual([503, { status: 'stopping' }]);
    for (const path of ['/livez', '/v4/core/companies']) {
      const response = await get(path);
      expect([response.status, response.headers.get('connection')]).toEqual([200, 'close']);
    }
    // A new connection is accepted.
    (await silent(running, UPGRADE)).destroy();
    await running.end('SIGKILL');
  });

  it('the process ends in order although connections stay silent', { timeout: 60_000 }, async (context) => {
    const running = await started(context, { DRAIN_SECONDS: '1', LOG_LEVEL: 'info' });
    const left = await Promise.all([silent(running, HALF), silent(running, UPGRADE), silent(running, LIVEZ)]);
    expect(await running.end('SIGTERM')).toBe(0);
    expect(running.lines.join('\n')).toMatch(/"signal":"SIGTERM","drainMs":1000/);
    for (const socket of left) socket.destroy();
  });
});

describe.concurrent('an unhandled error', () => {
  it.for(['exception', 'rejection'])('%s: the process ends with code 1 and names the requests under way', async (kind, context) => {
    const running = await started(context, { ...onSignal, UNHANDLED: kind, LOG_LEVEL: 'fatal' });
    const socket = await silent(running, HALF);
    process.kill(running.pid, 'SIGURG');
    expect(await running.ended).toBe(1);
    socket.destroy();
    const line = running.lines.map((text) => (text.startsWith('{') ? JSON.parse(text) : {})).find(({ level }) => level === 60);
    expect(line).toMatchObject({
      requestIds: ['still-under-way'],
      origin: kind === 'rejection' ? 'unhandledRejection' : 'uncaughtException',
      err: { message: 'no handler for this' },
    });
    await expect(fetch(`${running.origin}/livez`)).rejects.toThrow();
  });
});

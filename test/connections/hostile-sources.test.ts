// Sources that never come to an end. Each is ended in its time with an error that its connection shows, and honest sources are pulled next to them.
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { openSourceHttp } from '../../src/integrations/connectors/source-http.ts';
import { ownRun } from '../support/connections.ts';
import { useGateway } from '../support/gateway.ts';
import { startLedger } from '../support/ledger.ts';
import { buildCompany, type TestCompany } from '../support/records.ts';

// The pauses between the retries of a run, 35 seconds in all, are no part of what a source does.
const gateway = useGateway({
  connectorPrivateHosts: ['127.0.0.1'],
  sourceTimes: { callMs: 800, pageMs: 2_000, runMs: 1_500, retryMs: 1 },
});

let page = 0;
const json = (response: ServerResponse, body: object): void =>
  void response.setHeader('content-type', 'application/json').end(JSON.stringify(body));

/** What a source does with a request for a page. */
const manners: Record<string, (response: ServerResponse) => void> = {
  drip: (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const dripping = setInterval(() => response.write(' '), 100);
    response.once('close', () => clearInterval(dripping));
  },
  silence: () => {},
  // Only the time of the source counts, so it takes some for each page.
  endless: (response) => void setTimeout(() => json(response, { records: [], deleted: [], cursor: String(++page), has_more: true }), 50),
  same: (response) => json(response, { records: [], deleted: [], cursor: 'same', has_more: true }),
  unstorable: (response) => json(response, { records: [], deleted: [], cursor: `a\u0000${++page}`, has_more: true }),
};
/** A source of its own for each connection: the failures of one server count for all connections to it. */
async function sourceWith(manner: string): Promise<string> {
  const server = createServer((_request, response) => manners[manner]!(response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function connect({ base, headers }: TestCompany, settings: Record<string, string>): Promise<string> {
  const data = { source: 'DEMO', settings, interval_minutes: 43_200 };
  const response = await gateway.send('POST', `${base}/connections`, { headers, body: { data } });
  expect(response.status, response.text).toBe(201);
  return response.body.data.id;
}

it('a private host that is named with a port is called at that port alone', async () => {
  const [ledger, other] = [await startLedger(), await startLedger()];
  const { http, close } = openSourceHttp({
    privateHosts: [new URL(ledger.url).host],
    signal: new AbortController().signal,
    now: () => new Date(),
  });
  const codeOf = (url: string) => http({ url }).then(String, ({ code }) => code);
  try {
    // The ledger returns 401 without a key.
    expect(await codeOf(`${ledger.url}/contact`)).toBe('CONNECTION_EXPIRED');
    expect(await codeOf(`${other.url}/contact`)).toBe('OPERATION_DENIED');
    expect(await codeOf(`http://localhost:${new URL(ledger.url).port}/`)).toBe('OPERATION_DENIED');
    expect([ledger.requests, other.requests]).toEqual([1, 0]);
  } finally {
    await close();
    await Promise.all([ledger.stop(), other.stop()]);
  }
});

it('a drip, silence, pages without end, the same cursor for ever and one that cannot be stored end with an error, and others are pulled in the meantime', {
  timeout: 120_000,
}, async () => {
  const tenants = await Promise.all([1, 2].map(() => gateway.key(['INTEGRATIONS', 'ADMIN'])));
  // Two or three hostile sources for each organisation, which is half of the workers of pulls; the last takes no time.
  const hostile = await Promise.all(
    Object.keys(manners).map(async (manner, index) => {
      const company = await buildCompany(gateway, { key: tenants[index % tenants.length]! });
      return { manner, company, id: await connect(company, { url: await sourceWith(manner), apiKey: 'any' }) };
    }),
  );
  const ledger = await startLedger();
  try {
    ledger.put('CONTACT', { platform_id: 'C-1', name: 'Honest' });
    const honest = await buildCompany(gateway);
    const id = await connect(honest, { url: ledger.url, apiKey: ledger.apiKey });
    expect(await ownRun(gateway, honest, id)).toMatchObject([{ status: 'SUCCESS' }]);
  } finally {
    await ledger.stop();
  }
  const shown = await Promise.all(
    hostile.map(async ({ manner, company, id }) => {
      for (;;) {
        const { body } = await gateway.send('GET', `${company.base}/connections/${id}`, { headers: company.headers });
        if (body.data.status === 'ERROR') return [manner, body.data.status_reason];
        await delay(100);
      }
    }),
  );
  const words: Record<string, string> = {
    drip: 'the source sent no complete response within 0.8 seconds',
    silence: 'the source sent no complete response within 0.8 seconds',
    endless: 'records for more than 1.5 seconds without an end',
    same: 'the demo ledger did not return the cursor of a next page',
    unstorable: 'records that cannot be stored',
  };
  expect(shown).toEqual(hostile.map(({ manner }) => [manner, expect.stringContaining(words[manner]!)]));
});

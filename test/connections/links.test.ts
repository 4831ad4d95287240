// The hosted page of connections: its link, the form of settings, and what a person may do with either.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { runOf } from '../support/connections.ts';
import { ADMIN_TOKEN, useGateway } from '../support/gateway.ts';
import { type Ledger, startLedger } from '../support/ledger.ts';
import { buildCompany, type TestCompany } from '../support/records.ts';
import { recordEvents } from '../support/registrations.ts';

const HOUR = 3_600_000;
const gateway = useGateway({ connectorPrivateHosts: ['127.0.0.1'] });

let ledger: Ledger;
let company: TestCompany;

beforeEach(async () => {
  ledger = await startLedger();
  company = await buildCompany(gateway, { name: 'Kettles & <Sons>' });
});
afterEach(() => ledger.stop());

const rest = async (method: string, path: string, data?: unknown) =>
  gateway.send(method, `${company.base}${path}`, { headers: company.headers, ...(data === undefined ? {} : { body: { data } }) });

/** A connection without settings, whose schedule starts nothing during a test. */
async function connection(settings: Record<string, string> = {}): Promise<string> {
  const response = await rest('POST', '/connections', { source: 'DEMO', settings, interval_minutes: 43_200 });
  expect(response.status, response.text).toBe(201);
  return response.body.data.id;
}

/** The path of a new link to a connection. */
async function linkTo(id: string): Promise<string> {
  const response = await rest('POST', `/connections/${id}/link`);
  expect(response.status, response.text).toBe(201);
  const { pathname, search } = new URL(response.body.data.url);
  return pathname + search;
}

const submit = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  gateway.send('POST', path, {
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    raw: new URLSearchParams(fields).toString(),
  });

const stateOf = async (id: string) => (await rest('GET', `/connections/${id}`)).body.data;
const filled = (): Record<string, string> => ({ 'settings.url': ledger.url, 'settings.apiKey': ledger.apiKey });

const run = async (id: string): Promise<string> => (await runOf(gateway, company, id)).status;

describe('the link', () => {
  it('is made by GraphQL too, is valid for an hour, and opens a page without scripts that says who asks and what moves', async () => {
    const id = await connection();
    const response = await gateway.graphql(
      company.key,
      'mutation ($id: ID!) { createConnectionLink(input: { connectionId: $id }) { url expiresAt errors { message } } }',
      { id },
    );
    const { url, expiresAt, errors } = response.body.data.createConnectionLink;
    expect(errors).toEqual([]);
    const left = Date.parse(expiresAt) - gateway.clock.now().getTime();
    expect(left).toBeGreaterThan(HOUR - 60_000);
    expect(left).toBeLessThanOrEqual(HOUR);
    const page = await gateway.send('GET', new URL(url).pathname + new URL(url).search);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-.*form-action 'self'/);
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.text).toContain('Kettles &amp; &lt;Sons&gt;');
    expect(page.text).toMatch(/Asked by Organisation /);
    expect(page.text).toMatch(/Written to it:<\/strong> contacts, items, estimates and purchase orders/);
    expect(page.text).toMatch(/<input type="password" id="settings-apiKey"[^>]* autocomplete="off"/);
    expect(page.text).not.toMatch(/<script|src=|href="http/);
  });

  it('does not work with another key, after an hour, or once a newer one is made', async () => {
    const id = await connection();
    const first = await linkTo(id);
    for (const wrong of [first.slice(0, -2), first.replace('key=', 'key=1'), `/connect/${id}`, first.replace(id, await other())]) {
      const response = await gateway.send('GET', wrong);
      expect([response.status, response.text.includes('ask its sender for a new one')], wrong).toEqual([404, true]);
    }
    const second = await linkTo(id);
    expect((await gateway.send('GET', first)).status).toBe(410);
    expect((await submit(first, filled())).status).toBe(410);
    expect((await gateway.send('GET', second)).status).toBe(200);
    gateway.clock.advance(HOUR + 1_000);
    const late = await submit(second, filled());
    expect([late.status, late.text.includes('This link has expired')]).toEqual([410, true]);
    expect(await stateOf(id)).toMatchObject({ status: 'PENDING', settings: {} });
  });

  it('one that has expired can be asked for again; the organisation is notified once, and the person gets no link', async () => {
    const id = await connection();
    const path = await linkTo(id);
    const ask = `${path}&ask=1`;
    const events = await recordEvents(gateway, company.key);
    expect((await gateway.send('POST', ask)).status).toBe(409);
    gateway.clock.advance(HOUR + 1_000);
    const late = await gateway.send('GET', path);
    expect([late.status, late.text.includes('Ask ')]).toEqual([410, true]);
    for (let turn = 0; turn < 2; turn++) {
      const { status, text } = await gateway.send('POST', ask);
      expect([status, text.includes('New link requested'), text.includes('key=')]).toEqual([200, true, false]);
    }
    expect((await gateway.send('GET', path)).text).toContain('has been asked for a new link');
    expect(await events()).toMatchObject([{ topic: 'CONNECTIONS_LINK_REQUESTED', data: { connection_id: id } }]);
    await linkTo(id);
    expect((await gateway.send('POST', ask)).status).toBe(410);
  });

  /** A connection of another company. */
  async function other(): Promise<string> {
    const stranger = await buildCompany(gateway);
    const response = await gateway.send('POST', `${stranger.base}/connections`, {
      headers: stranger.headers,
      body: { data: { source: 'DEMO' } },
    });
    return response.body.data.id;
  }

  it('cannot be made with the key of another organisation, or of a company that does not own the connection', async () => {
    const id = await connection();
    const stranger = await buildCompany(gateway);
    const sibling = await buildCompany(gateway, { key: company.key });
    for (const { base, headers } of [stranger, sibling]) {
      const response = await gateway.send('POST', `${base}/connections/${id}/link`, { headers });
      expect([response.status, response.body.error.error_code]).toEqual([404, 'RECORD_NOT_FOUND']);
    }
    const { body } = await gateway.graphql(
      stranger.key,
      `mutation { createConnectionLink(input: { connectionId: "${id}" }) { url errors { code } } }`,
    );
    expect(body.data.createConnectionLink).toMatchObject({ url: null, errors: [{ code: 'RECORD_NOT_FOUND' }] });
  });

  it('ends with its connection, and none is made for one that has ended', async () => {
    const id = await connection();
    const path = await linkTo(id);
    const { headers } = company;
    const request = await gateway.send('POST', '/v4/core/disconnect-requests', { headers, body: { data: { company_id: company.id } } });
    await gateway.send('POST', `/v4/core/disconnect-requests/${request.body.data.ledger_id}/approve`, { headers, body: {} });
    expect((await gateway.send('GET', path)).status).toBe(410);
    expect((await submit(path, filled())).status).toBe(410);
    expect((await rest('POST', `/connections/${id}/link`)).body.error.error_code).toBe('CONNECTION_DISCONNECTED');
  });
});

describe('the form', () => {
  it('stores what it is given, shows the state, ends its link, and the connection works', async () => {
    ledger.put('CONTACT', { platform_id: 'C-1', name: 'Ada' });
    const id = await connection();
    const path = await linkTo(id);
    const response = await submit(path, filled(), { 'sec-fetch-site': 'same-origin' });
    expect(response.status, response.text).toBe(200);
    expect(response.text).toContain('Demo ledger is linked');
    expect(response.text).not.toContain(ledger.apiKey);
    const again = await submit(path, filled());
    expect([again.status, again.text.includes('This link has ended')]).toEqual([410, true]);
    expect(await run(id)).toBe('SUCCESS');
    expect(await stateOf(id)).toMatchObject({ status: 'CONNECTED', settings: { url: ledger.url } });
    const log = await gateway.graphql(
      ADMIN_TOKEN,
      'query ($id: String!) { auditLog(first: 50, filter: { recordId: $id, operation: "linkConnection" }) { nodes { actor { kind id } } } }',
      { id },
    );
    expect(log.body.data.auditLog.nodes).toEqual([{ actor: { kind: 'LINK', id: null } }]);
  });

  it('says next to each field what is wrong, repeats no secret, and stores nothing', async () => {
    const id = await connection();
    const path = await linkTo(id);
    const response = await submit(path, { 'settings.url': 'ftp://"x', 'settings.apiKey': `hush${'!'.repeat(5_000)}` });
    expect(response.status).toBe(400);
    expect(response.text).toContain('Please correct 2 fields');
    expect(response.text).toMatch(/id="settings-url-error">Address must be a URL/);
    expect(response.text).toMatch(/id="settings-apiKey-error">API key must have at most 4096 characters/);
    expect(response.text).toContain('value="ftp://&quot;x"');
    expect(response.text).not.toContain('hush');
    const empty = await submit(path, { 'settings.url': ' ' });
    expect([empty.status, empty.text.match(/must not be empty\.<\/p>/g)?.length]).toEqual([400, 2]);
    expect(await stateOf(id)).toMatchObject({ status: 'PENDING', settings: {} });
    expect((await submit(path, filled())).status).toBe(200);
  });

  it('tries the settings at the source first; one that rejects them is heard at once, and the link can be used again', async () => {
    const id = await connection();
    const path = await linkTo(id);
    const wrong = await submit(path, { 'settings.url': ledger.url, 'settings.apiKey': 'a-wrong-key' });
    expect(wrong.status, wrong.text).toBe(400);
    expect(wrong.text).toContain('Demo ledger is not linked');
    expect(wrong.text).toContain('The source does not accept the credentials.');
    expect(wrong.text).toContain(`value="${ledger.url}"`);
    expect(wrong.text).not.toContain('a-wrong-key');
    expect(ledger.requests).toBe(1);
    const unreachable = await submit(path, { ...filled(), 'settings.url': 'http://127.0.0.1:9' });
    expect([unreachable.status, unreachable.text.includes('The source cannot be reached (ECONNREFUSED).')], unreachable.text).toEqual([
      400,
      true,
    ]);
    const denied = await submit(path, { ...filled(), 'settings.url': 'http://10.0.0.1' });
    expect([denied.status, denied.text.includes('The source may not be called')], denied.text).toEqual([400, true]);
    expect(await stateOf(id)).toMatchObject({ status: 'PENDING', settings: {} });
    expect((await submit(path, filled())).status).toBe(200);
    expect(await run(id)).toBe('SUCCESS');
  });

  it('repeats no secret that the source repeats in its words', async () => {
    const server = createServer(({ headers }, response) => {
      response.writeHead(403, { 'content-type': 'application/json' }).end(JSON.stringify({ message: `unknown: ${headers.authorization}` }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const response = await submit(await linkTo(await connection()), { 'settings.url': url, 'settings.apiKey': 'hush-hush-hush' });
    expect(response.status, response.text).toBe(400);
    expect(response.text).toContain('The demo ledger rejected it: unknown');
    expect(response.text).not.toContain('hush');
  });

  it('takes no unknown field, no field twice, no other content type, no other method, and nothing from another site', async () => {
    const path = await linkTo(await connection());
    for (const fields of [
      { ...filled(), colour: 'red' },
      { ...filled(), 'settings.colour': 'red' },
      { ...filled(), 'settings.__proto__': 'x' },
    ])
      expect((await submit(path, fields)).status).toBe(400);
    const twice = await gateway.send('POST', path, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      raw: 'settings.url=a&settings.url=b',
    });
    expect(twice.status).toBe(400);
    expect((await gateway.send('POST', path, { body: { settings: {} } })).status).toBe(415);
    const put = await gateway.send('PUT', path);
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
    for (const site of ['cross-site', 'same-site']) expect((await submit(path, filled(), { 'sec-fetch-site': site })).status).toBe(403);
    expect((await gateway.send('GET', path)).status).toBe(200);
  });

  it('repairs a connection whose key was revoked; what is left empty stays', async () => {
    const id = await connection({ url: ledger.url, apiKey: ledger.apiKey });
    expect(await run(id)).toBe('SUCCESS');
    ledger.apiKey = 'second-key';
    expect(await run(id)).toBe('FAILED');
    expect(await stateOf(id)).toMatchObject({ status: 'NEEDS_REAUTH' });
    const first = await linkTo(id);
    const page = await gateway.send('GET', first);
    expect(page.text).toContain('Demo ledger does not accept the credentials any more.');
    expect(page.text).toContain('stored; leave it empty to keep it');
    expect(page.text).toContain(`value="${ledger.url}"`);
    expect(page.text).not.toMatch(/first-key|second-key/);
    // Left empty, the revoked key stays.
    expect((await submit(first, { 'settings.url': ledger.url, 'settings.apiKey': '' })).status).toBe(400);
    expect((await submit(first, { 'settings.url': ledger.url, 'settings.apiKey': 'second-key' })).status).toBe(200);
    expect(await run(id)).toBe('SUCCESS');
    expect(await stateOf(id)).toMatchObject({ status: 'CONNECTED', status_reason: null });
  });

  it('takes one of two that are sent at once', async () => {
    const path = await linkTo(await connection());
    const responses = await Promise.all([submit(path, filled()), submit(path, filled())]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 410]);
  });
});

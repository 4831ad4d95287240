// The sign-in of connections at their source by OAuth 2: there and back in a browser, and the renewal of tokens across processes.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Services } from '../../src/access/context.ts';
import { readConfig } from '../../src/config.ts';
import { Connection } from '../../src/integrations/connections/connection.ts';
import { connectorsOf } from '../../src/integrations/connections/connectors.ts';
import { sessionCredentials } from '../../src/integrations/connections/sign-in.ts';
import type { ConnectorDefinition } from '../../src/integrations/connectors/connector.ts';
import { demoLedger } from '../../src/integrations/connectors/demo/demo-connector.ts';
import { openSourceHttp } from '../../src/integrations/connectors/source-http.ts';
import { type AuthorisationServer, CLIENT, startAuthorisationServer } from '../support/authorisation.ts';
import { ownRun, runOf } from '../support/connections.ts';
import { type Gateway, type GatewayResponse, serverUrl, startGateway, useGateway } from '../support/gateway.ts';
import { type Ledger, startLedger } from '../support/ledger.ts';
import { buildCompany, type TestCompany } from '../support/records.ts';

const settings = {
  connectorPrivateHosts: ['127.0.0.1'],
  connectorOauthClients: {
    SIGNED: CLIENT,
    WIDER: { ...CLIENT, scopes: ['reports'] },
    OLDER: { ...CLIENT, onlyScopes: ['everything', 'offline_access'], scopes: ['reports'] },
  },
};
const gateway = useGateway(settings);

let server: AuthorisationServer;
let ledger: Ledger;
let company: TestCompany;
let definition: ConnectorDefinition;

/** Adds the connector of the test to a process. */
const teach = (services: Services, added: ConnectorDefinition): void => {
  (connectorsOf(services) as Map<string, ConnectorDefinition>).set(added.source, added);
};

beforeEach(async () => {
  server = await startAuthorisationServer();
  ledger = await startLedger();
  server.onToken = (token) => {
    ledger.apiKey = token;
  };
  definition = {
    ...demoLedger,
    source: 'SIGNED',
    title: 'Signed ledger',
    settings: demoLedger.settings.filter(({ name }) => name === 'url'),
    oauth: { authorizationUrl: `${server.url}/authorize`, tokenUrl: `${server.url}/token`, scopes: ['books', 'offline_access'] },
    open: (session) => demoLedger.open({ ...session, settings: { ...session.settings, apiKey: session.settings.accessToken! } }),
  };
  teach(gateway.services, definition);
  company = await buildCompany(gateway);
});
afterEach(async () => {
  await ledger.stop();
  await server.stop();
});

const rest = async (method: string, path: string, data?: unknown) =>
  gateway.send(method, `${company.base}${path}`, { headers: company.headers, ...(data === undefined ? {} : { body: { data } }) });
const stateOf = async (id: string) => (await rest('GET', `/connections/${id}`)).body.data;

async function connection(source = 'SIGNED'): Promise<string> {
  const response = await rest('POST', '/connections', { source, settings: { url: ledger.url }, interval_minutes: 43_200 });
  expect(response.status, response.text).toBe(201);
  return response.body.data.id;
}

async function linkTo(id: string): Promise<string> {
  const { pathname, search } = new URL((await rest('POST', `/connections/${id}/link`)).body.data.url);
  return pathname + search;
}

/** What a browser holds between its way to the source and back. */
interface Way {
  /** The path of the callback, with the response of the source. */
  back: string;
  cookie: string;
}

/** Sends the form of a link; returns where it leads, and the cookie of the browser. */
async function leave(link: string): Promise<{ there: string; cookie: string }> {
  const response = await gateway.send('POST', link, {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    raw: new URLSearchParams({ 'settings.url': ledger.url }).toString(),
  });
  expect(response.status, response.text).toBe(200);
  const there = /<a class="button" href="([^"]+)"/.exec(response.text)![1]!.replaceAll('&amp;', '&');
  return { there, cookie: response.headers.get('set-cookie')!.split(';', 1)[0]! };
}

/** Sends the form of a link and follows the way to the source. */
async function go(link: string): Promise<Way> {
  const { there, cookie } = await leave(link);
  const { headers } = await fetch(there, { redirect: 'manual' });
  const { pathname, search } = new URL(headers.get('location')!);
  return { back: pathname + search, cookie };
}

const comeBack = ({ back, cookie }: Way): Promise<GatewayResponse> => gateway.send('GET', back, { headers: { cookie } });

/** A connection that has signed in, and whose first run has ended. */
async function signedIn(): Promise<string> {
  const id = await connection();
  const response = await comeBack(await go(await linkTo(id)));
  expect([response.status, response.text.includes('Signed ledger is linked')], response.text).toEqual([200, true]);
  // It would renew tokens besides those of a test.
  await ownRun(gateway, company, id);
  return id;
}

const run = async (id: string): Promise<string> => (await runOf(gateway, company, id)).status;

describe('a sign-in', () => {
  it('takes a person to the source and back with PKCE, stores the tokens sealed, and the connection works', async () => {
    const id = await connection();
    expect(await stateOf(id)).toMatchObject({ status: 'PENDING', status_reason: expect.stringContaining('a sign-in at Signed ledger') });
    const link = await linkTo(id);
    const way = await go(link);
    const response = await comeBack(way);
    expect([response.status, response.text.includes('Signed ledger is linked')], response.text).toEqual([200, true]);
    expect(response.text).not.toContain(server.token);
    expect((await gateway.send('GET', link)).status).toBe(410);
    expect(await run(id)).toBe('SUCCESS');
    expect(await stateOf(id)).toMatchObject({ status: 'CONNECTED' });
    const rows = await gateway.services.database.orm.em.fork().getConnection().execute('select * from connection where id = ?', [id]);
    expect(JSON.stringify(rows)).not.toContain(server.token);
    // The code was taken once, so nothing is asked of the source a second time.
    expect((await comeBack(way)).status).toBe(404);
    expect(server.refusals).toEqual([]);
  });

  it('ends only with its own state, in the browser it began in, and while its link is open', async () => {
    const id = await connection();
    const link = await linkTo(id);
    const first = await go(link);
    const second = await go(link);
    const forged = second.back.replace(/state=[^&]+/, `state=${id}.forged`);
    for (const wrong of [
      first,
      { ...second, cookie: 'connect_state=other' },
      { ...second, cookie: first.cookie },
      { back: forged, cookie: `connect_state=${id}.forged` },
      { back: '/connect/callback?code=x', cookie: 'connect_state=' },
    ])
      expect((await comeBack(wrong)).status, wrong.back).toBe(404);
    await linkTo(id);
    expect((await comeBack(second)).status).toBe(404);
    expect(await stateOf(id)).toMatchObject({ status: 'PENDING' });
  });

  it('that the person or the source rejects says so, and the same link can be tried again', async () => {
    const id = await connection();
    const link = await linkTo(id);
    server.isGranted = false;
    const denied = await comeBack(await go(link));
    expect([denied.status, denied.text.includes('access_denied')], denied.text).toEqual([400, true]);
    server.isGranted = true;
    const way = await go(link);
    const refused = await comeBack({ ...way, back: way.back.replace(/code=[^&]+/, 'code=invented') });
    expect([refused.status, refused.text.includes('code is unknown or was used')], refused.text).toEqual([400, true]);
    const accept = server.onToken;
    server.onToken = () => {};
    const useless = await comeBack(await go(link));
    expect([useless.status, useless.text.includes('The source does not accept the credentials.')], useless.text).toEqual([400, true]);
    server.onToken = accept;
    expect((await comeBack(await go(link))).status).toBe(200);
    expect(await run(id)).toBe('SUCCESS');
  });

  it('that is repeated keeps no token of the one before, and revokes none: the source might end the new ones with it', async () => {
    teach(gateway.services, { ...definition, oauth: { ...definition.oauth!, revocation: { url: `${server.url}/revoke` } } });
    const id = await signedIn();
    const stored = async (): Promise<string[]> => {
      const em = gateway.services.database.orm.em.fork();
      const { sealedCredentials } = await em.findOneOrFail(Connection, { id }, { filters: { tenant: false } });
      return Object.keys(JSON.parse(gateway.services.secrets.open(sealedCredentials!, id))).sort();
    };
    expect(await stored()).toEqual(['accessToken', 'accessTokenExpiresAt', 'refreshToken']);
    server.isOffline = false;
    const way = await go(await linkTo(id));
    // The form starts a run with the tokens so far, which this ledger takes until there are others.
    await ownRun(gateway, company, id);
    expect((await comeBack(way)).status).toBe(200);
    expect(await stored()).toEqual(['accessToken', 'accessTokenExpiresAt']);
    expect(await run(id)).toBe('SUCCESS');
    gateway.clock.advance(1_800_000);
    expect(await run(id)).toBe('FAILED');
    expect(await stateOf(id)).toMatchObject({ status: 'NEEDS_REAUTH' });
    expect([server.renewed, server.revoked]).toEqual([[], []]);
  });

  it.each([
    ['SIGNED', 'books offline_access'],
    ['WIDER', 'books offline_access reports'],
    ['OLDER', 'everything offline_access reports'],
  ])('of the source %s asks for the scopes "%s"', async (source, scopes) => {
    teach(gateway.services, { ...definition, source });
    const { there } = await leave(await linkTo(await connection(source)));
    expect(new URL(there).searchParams.get('scope')).toBe(scopes);
  });

  it('needs a client of the operator at the source', async () => {
    teach(gateway.services, { ...definition, source: 'UNKNOWN_CLIENT' });
    const response = await rest('POST', '/connections', { source: 'UNKNOWN_CLIENT', settings: { url: ledger.url } });
    const link = await rest('POST', `/connections/${response.body.data.id}/link`);
    expect(link.body.error).toMatchObject({
      error_code: 'OPERATION_NOT_SUPPORTED',
      message: expect.stringContaining('CONNECTOR_OAUTH_CLIENTS'),
    });
  });
});

describe('the access token', () => {
  let second: Gateway;

  // Another process on the same database; the embedded database has one process.
  beforeAll(async () => {
    second = serverUrl ? await startGateway({ ...settings, worker: false, databaseUrl: gateway.services.config.databaseUrl! }) : gateway;
  });
  beforeEach(() => second.clock.advance(gateway.clock.now().getTime() - second.clock.now().getTime()));
  afterAll(async () => {
    if (second !== gateway) await second.stop();
  });

  /** The credentials of a session, as a process opens it. */
  async function session({ services }: Gateway, id: string): Promise<Record<string, string>> {
    const em = gateway.services.database.orm.em.fork();
    const stored = await em.findOneOrFail(Connection, { id }, { filters: { tenant: false } });
    const { signal } = new AbortController();
    const { http, close } = openSourceHttp({ privateHosts: ['127.0.0.1'], signal, now: () => services.clock.now() });
    try {
      return await sessionCredentials(services, stored.organisationId, definition, stored, { http, signal });
    } finally {
      await close();
    }
  }

  it('is renewed once by all processes that need it, with each refresh token used once', async () => {
    server.expiresIn = 30;
    const id = await signedIn();
    await run(id);
    server.renewed.length = 0;
    server.expiresIn = 1_800;
    // One that has under a minute left counts as old.
    const sessions = await Promise.all([gateway, second, gateway, second].map((process) => session(process, id)));
    expect(new Set(sessions.map(({ accessToken }) => accessToken))).toEqual(new Set([server.token]));
    expect(sessions.flatMap(Object.keys)).not.toContain('refreshToken');
    expect(server.renewed).toHaveLength(1);
    expect(await session(second, id)).toMatchObject({ accessToken: server.token });
    gateway.clock.advance(1_741_000);
    await session(gateway, id);
    expect(server.renewed).toHaveLength(2);
    expect(new Set(server.renewed).size).toBe(2);
    expect(server.refusals).toEqual([]);
    expect(await run(id)).toBe('SUCCESS');
  });

  it('that the source refuses to renew needs a new sign-in, and the rejected refresh token is not sent again', async () => {
    const id = await signedIn();
    expect(await run(id)).toBe('SUCCESS');
    server.renewed.length = 0;
    server.revoke();
    gateway.clock.advance(1_800_000);
    expect(await run(id)).toBe('FAILED');
    expect(await stateOf(id)).toMatchObject({ status: 'NEEDS_REAUTH', next_run_at: null });
    expect(await run(id)).toBe('FAILED');
    expect(server.renewed).toHaveLength(1);
    expect((await comeBack(await go(await linkTo(id)))).status).toBe(200);
    expect(await run(id)).toBe('SUCCESS');
    expect(await stateOf(id)).toMatchObject({ status: 'CONNECTED' });
  });

  it('that the source ends before its time is renewed once, and the run continues', async () => {
    const id = await signedIn();
    expect(await run(id)).toBe('SUCCESS');
    server.renewed.length = 0;
    ledger.apiKey = 'ended';
    expect(await run(id)).toBe('SUCCESS');
    expect(server.renewed).toHaveLength(1);
    expect(await stateOf(id)).toMatchObject({ status: 'CONNECTED' });
  });

  it('that the source does not accept when it is new needs a new sign-in, after one renewal', async () => {
    const id = await signedIn();
    expect(await run(id)).toBe('SUCCESS');
    server.renewed.length = 0;
    server.onToken = () => {};
    ledger.apiKey = 'none';
    expect(await run(id)).toBe('FAILED');
    expect(server.renewed).toHaveLength(1);
    expect(await stateOf(id)).toMatchObject({ status: 'NEEDS_REAUTH', next_run_at: null });
  });

  it('that the source ends and refuses to renew needs a new sign-in', async () => {
    const id = await signedIn();
    expect(await run(id)).toBe('SUCCESS');
    server.revoke();
    ledger.apiKey = 'none';
    expect(await run(id)).toBe('FAILED');
    expect(await stateOf(id)).toMatchObject({ status: 'NEEDS_REAUTH', next_run_at: null });
  });

  it('that the source refuses to renew while the person signs in again leaves the new sign-in alone', async () => {
    const id = await signedIn();
    server.revoke();
    gateway.clock.advance(1_800_000);
    const asked = Promise.withResolvers<void>();
    const refused = Promise.withResolvers<void>();
    server.beforeRefusal = () => {
      asked.resolve();
      return refused.promise;
    };
    const ended = run(id);
    await asked.promise;
    expect((await comeBack(await go(await linkTo(id)))).status).toBe(200);
    refused.resolve();
    expect(await ended).toBe('SUCCESS');
    expect(await stateOf(id)).toMatchObject({ status: 'CONNECTED' });
  });

  it('stays to be renewed by a later run when the source cannot be reached', async () => {
    const id = await signedIn();
    const reachable = definition;
    definition = { ...definition, oauth: { ...definition.oauth!, tokenUrl: 'http://127.0.0.1:9/token' } };
    gateway.clock.advance(1_800_000);
    await expect(session(gateway, id)).rejects.toMatchObject({ code: 'PLATFORM_ERROR' });
    definition = reachable;
    expect(await session(gateway, id)).toMatchObject({ accessToken: server.token });
  });
});

describe('the clients of the operator', () => {
  it('are read from the environment or a file, and a wrong form is named at the start without its content', () => {
    const given = JSON.stringify({ SIGNED: CLIENT });
    expect(readConfig({}).connectorOauthClients).toEqual({});
    expect(readConfig({ CONNECTOR_OAUTH_CLIENTS: given }).connectorOauthClients).toEqual({ SIGNED: CLIENT });
    const file = join(mkdtempSync(join(tmpdir(), 'clients-')), 'clients.json');
    writeFileSync(file, given);
    expect(readConfig({ CONNECTOR_OAUTH_CLIENTS_FILE: file }).connectorOauthClients).toEqual({ SIGNED: CLIENT });
    for (const wrong of [
      'hush',
      '["hush"]',
      '{"SIGNED":"hush"}',
      '{"SIGNED":{"clientId":"hush"}}',
      '{"SIGNED":{"clientId":"hush","clientSecret":""}}',
    ]) {
      const read = (): unknown => readConfig({ CONNECTOR_OAUTH_CLIENTS: wrong });
      expect(read).toThrow(/^CONNECTOR_OAUTH_CLIENTS/);
      expect(read).not.toThrow(/hush/);
    }
  });
});

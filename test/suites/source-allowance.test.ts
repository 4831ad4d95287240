// The allowance of calls at a source, shared by processes. Two of them call over one connection as often as they may, and none of their calls is too
// many.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { paceOf } from '../../src/integrations/connections/call-gate.ts';
import { Connection } from '../../src/integrations/connections/connection.ts';
import { connectorsOf } from '../../src/integrations/connections/connectors.ts';
import { sealCredentials } from '../../src/integrations/connections/settings.ts';
import { openSource } from '../../src/integrations/connections/sources.ts';
import type { ConnectorDefinition } from '../../src/integrations/connectors/connector.ts';
import { xeroAt } from '../../src/integrations/connectors/xero/xero.ts';
import { CLIENT } from '../support/authorisation.ts';
import { type Gateway, serverUrl, startGateway } from '../support/gateway.ts';
import { compiledProgram } from '../support/made.ts';
import { buildCompany } from '../support/records.ts';
import type { CallerOrders } from '../support/source-caller.ts';
import { startXero, type Xero } from '../support/xero.ts';

const ROUNDS = Number(process.env.SUITE_ROUNDS ?? 0);
/** The large form has the allowance of Xero and its minute; the small one four times as much and a sixth of the time. */
const PER_MINUTE = ROUNDS > 0 ? 60 : 240;
const WINDOW_MS = ROUNDS > 0 ? 60_000 : 10_000;
const CALLS = ROUNDS > 0 ? 60 * ROUNDS : 60;
const { burst, intervalMs } = paceOf(PER_MINUTE);
/** What the pace allows in a window: of a minute less than the source does. Calls that start in two windows may arrive in one. */
const PER_WINDOW = ROUNDS > 0 ? PER_MINUTE : Math.ceil(burst + WINDOW_MS / intervalMs) + 5;

let gateway: Gateway;
let xero: Xero;
beforeAll(async () => {
  xero = await startXero();
  gateway = await startGateway({
    connectorPrivateHosts: ['127.0.0.1'],
    connectorOauthClients: { XERO: CLIENT },
    worker: false,
    signingSecret: 'a signing secret of two processes',
  });
});
afterAll(async () => {
  await gateway.stop();
  await xero.stop();
});

/** A connection that has a token; returns its company. */
async function connection(): Promise<CallerOrders['company']> {
  const definition = xeroAt(xero.hosts);
  const taught = connectorsOf(gateway.services) as Map<string, ConnectorDefinition>;
  taught.set('XERO', { ...definition, limits: { ...definition.limits!, perMinute: PER_MINUTE } });
  const company = await buildCompany(gateway);
  const made = await gateway.send('POST', `${company.base}/connections`, { headers: company.headers, body: { data: { source: 'XERO' } } });
  const { id } = made.body.data;
  xero.authorisation.onToken('token');
  const em = gateway.services.database.orm.em.fork();
  const tokens = { accessToken: 'token', accessTokenExpiresAt: '2100-01-01T00:00:00.000Z', refreshToken: 'none' };
  const options = { filters: { tenant: false } };
  const [{ tenantId, tenantName }] = xero.tenants as [Xero['tenants'][0]];
  const change = { sealedCredentials: sealCredentials(gateway.services, id, tokens), settings: { tenantId, tenantName } };
  await em.nativeUpdate(Connection, { id }, change, options);
  const { organisationId, companyId } = await em.findOneOrFail(Connection, { id }, options);
  return { organisationId, ledgerId: companyId, integrationType: 'XERO' };
}

/** Calls in a process of its own. */
async function callApart(company: CallerOrders['company']): Promise<void> {
  const { config } = gateway.services;
  const orders: CallerOrders = { databaseUrl: config.databaseUrl!, hosts: xero.hosts, perMinute: PER_MINUTE, company, calls: CALLS };
  const script = new URL('../support/source-caller.ts', import.meta.url).pathname;
  const env = {
    ...process.env,
    SIGNING_SECRET: config.signingSecret,
    CONNECTOR_OAUTH_CLIENTS: JSON.stringify({ XERO: CLIENT }),
    ADMIN_TOKEN: config.adminToken,
  };
  const child = spawn(process.execPath, [script, await compiledProgram(), JSON.stringify(orders)], {
    env,
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (text: Buffer) => (errors += text));
  const [code] = await once(child, 'exit');
  expect([code, code === 0 ? '' : errors]).toEqual([0, '']);
}

/** Calls next to others in this process: the embedded database has no other one. */
async function callHere(company: CallerOrders['company']): Promise<void> {
  const { connector, close } = await openSource(gateway.services, company, new AbortController().signal);
  for (let made = 0; made < CALLS; made++) await connector.check();
  await close();
}

it('two processes that call a source over one connection never make more calls than it allows', async () => {
  const company = await connection();
  Object.assign(xero, { perWindow: PER_WINDOW, windowMs: WINDOW_MS });
  const call = serverUrl ? callApart : callHere;
  await Promise.all([call(company), call(company)]);
  expect(xero.problems).toEqual([]);
  expect(xero.limited).toBe(0);
  expect(xero.calls.filter(({ status }) => status === 200)).toHaveLength(2 * CALLS);
  const seconds = (xero.calls.at(-1)!.at - xero.calls[0]!.at) / 1_000;
  console.log(
    `${2 * CALLS} calls of 2 ${serverUrl ? 'processes' : 'runs'} in ${seconds.toFixed(1)} s, at most ${PER_WINDOW} in ${WINDOW_MS / 1_000} s allowed`,
  );
}, 600_000);

// Command `explain` and the log lines about deliveries and syncs: what happened to an id, without contents.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { adminProgram } from '../../src/admin/program.ts';
import { readConfig } from '../../src/config.ts';
import { ownDatabase, startGateway } from '../support/gateway.ts';
import { platformCaller } from '../support/platform.ts';
import { buildCompany } from '../support/records.ts';
import { jobsOf } from '../support/syncs.ts';
import { product, webhookTools } from '../support/webhooks.ts';

const SECRET_NAME = 'a name that nobody else may read';
const folder = mkdtempSync(join(tmpdir(), 'gateway-explain-'));
const dataDir = join(folder, 'data');
let own: Awaited<ReturnType<typeof ownDatabase>>;
const lines: Record<string, unknown>[] = [];
/** What is explained: an id of each kind, and its type. */
const TYPES = {
  request: 'Request',
  delivery: 'WebhookDelivery',
  webhook: 'Webhook',
  sync: 'Sync',
  job: 'SyncJob',
  key: 'AccessKey',
  file: 'StoredFile',
  account: 'Account',
  company: 'Company',
  connection: 'Connection',
  organisation: 'Organisation',
  corporation: 'Corporation',
};
type Kind = keyof typeof TYPES;
const kinds = Object.keys(TYPES) as Kind[];
const ids = {} as Record<Kind, string>;

beforeAll(async () => {
  own = await ownDatabase();
  const log = pino({ level: 'info', base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const gateway = await startGateway({ databaseUrl: own?.url, dataDir, webhookAllowPrivate: true }, log);
  const tools = webhookTools(gateway);
  const target = await tools.receiver((_, response) => response.writeHead(500).end(SECRET_NAME));
  const company = await buildCompany(gateway, { key: await gateway.key(['PLATFORM', 'INTEGRATIONS'], 'Explained') });
  ids.webhook = (await tools.register(company.key, target.url, { topics: ['PRODUCTS.CREATED'] })).id;
  await tools.emit(company.key, { ...product, data: { id: 'prod_1', name: SECRET_NAME } });
  const { deliveries } = await tools.logWhere(company.key, ids.webhook, ({ deliveries: { nodes } }) => nodes[0]?.attempts.length === 1);
  ids.delivery = deliveries.nodes[0]!.id;
  ids.key = (await gateway.services.keys.find(company.key))!.identity;
  const made = await gateway.send('POST', `${company.base}/accounts`, { headers: company.headers, body: { data: { name: SECRET_NAME } } });
  ids.account = `account_${made.body.data.data.ledger_id}`;
  ids.request = made.headers.get('x-request-id')!;
  const batch = { headers: company.headers, body: { data: [{ name: SECRET_NAME }, { name: SECRET_NAME }] } };
  ids.sync = (await gateway.send('POST', `${company.base}/accounts?run_async=true`, batch)).body.data.sync_id;
  await vi.waitUntil(() => lines.some(({ msg, syncId }) => msg === 'sync ended' && syncId === ids.sync), { timeout: 20_000 });
  ids.job = (await jobsOf(gateway, company, ids.sync))[0]!.id;
  const caller = await platformCaller(gateway, '/api/v1', 'Explained');
  ids.file = (await caller.upload(SECRET_NAME, { name: `${SECRET_NAME}.csv` })).body.data.id;
  ids.corporation = await caller.corporation({ legal_name: SECRET_NAME });
  ids.company = `company_${company.id}`;
  ids.organisation = (await gateway.services.keys.find(company.key))!.organisation!;
  const connected = await gateway.send('POST', `${company.base}/connections`, {
    headers: company.headers,
    body: { data: { source: 'FILES' } },
  });
  ids.connection = connected.body.data.id;
  await tools.stopReceivers();
  await gateway.stop();
}, 60_000);

afterAll(async () => {
  await own?.drop();
  rmSync(folder, { recursive: true, force: true });
});

async function explained(id: string, ...options: string[]): Promise<string> {
  const printed: string[] = [];
  const print = vi.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line));
  const program = adminProgram(readConfig(own ? { DATABASE_URL: own.url } : { DATA_DIR: dataDir }));
  let refused = '';
  for (const one of [program, ...program.commands]) one.exitOverride().configureOutput({ writeErr: (text) => (refused += text) });
  await program.parseAsync([...options, 'explain', id], { from: 'user' }).catch(() => {});
  print.mockRestore();
  return refused || printed.join('\n');
}

it('a failed attempt and an ended sync have a line each, with ids and without contents', () => {
  expect(lines.filter(({ msg }) => msg === 'delivery failed')).toEqual([
    expect.objectContaining({
      deliveryId: ids.delivery,
      webhookId: ids.webhook,
      status: 500,
      attemptsLeft: 9,
      nextAttemptAt: expect.any(String),
    }),
  ]);
  expect(lines.filter(({ msg }) => msg === 'sync ended')).toEqual([
    expect.objectContaining({
      syncId: ids.sync,
      companyId: expect.any(Number),
      kind: 'batch',
      status: 'SUCCESS',
    }),
  ]);
  expect(JSON.stringify(lines)).not.toContain(SECRET_NAME);
});

it('a delivery shows its state and its attempts, a sync its jobs, a record and a key what was done to them', async () => {
  const delivery = JSON.parse(await explained(ids.delivery, '--json'));
  expect(delivery).toMatchObject({
    type: 'WebhookDelivery',
    state: [{ id: ids.delivery, status: 'PENDING', attemptsLeft: 9, webhookId: ids.webhook }],
    attempts: [{ status: 500 }],
  });
  expect(JSON.parse(await explained(ids.sync, '--json'))).toMatchObject({
    type: 'Sync',
    state: [{ id: ids.sync, status: 'SUCCESS' }],
    audit_log: [{ operation: 'createAccounts' }],
  });
  expect(await explained(ids.account)).toMatch(new RegExp(`^Account ${ids.account}\n[^]*audit log:\n.*operation=createAccounts`));
  expect(await explained(ids.key)).toMatch(/^AccessKey key_\w+\nstate:\n/);
  expect(JSON.parse(await explained(ids.request, '--json'))).toMatchObject({
    type: 'Request',
    request: [{ operation: 'CreateAccounts', status: 201, actorId: ids.key }],
    audit_log: [{ operation: 'createAccounts', actorId: ids.key }],
  });
});

it.each(kinds)('a %s is named by its type and shown without contents', async (kind) => {
  const text = await explained(ids[kind]);
  expect(text).toMatch(new RegExp(`^${TYPES[kind]} ${ids[kind]}\n${kind === 'request' ? 'request' : 'state'}:\n  \\w+=`));
  expect(text).not.toContain(SECRET_NAME);
});

it('an id that names nothing is rejected', async () => {
  expect(await explained('account_999999999')).toContain(
    'nothing is known of account_999999999: this database has no Account with this id',
  );
  expect(await explained("x' or true --")).toMatch(
    /^nothing is known of x' or true --: no request .*\(REQUEST_RETENTION_DAYS\).* begins with its kind/,
  );
});

// Companies are renamed and removed: who may, what is found afterwards, two removals at once, and a removal whose process is killed.
import { beforeEach, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { executeIn } from '../../src/database/open.ts';
import { systemTransaction } from '../../src/database/transaction.ts';
import { allModels } from '../../src/records/metadata.ts';
import { openServices } from '../../src/services.ts';
import { type GatewayResponse, useGateway } from '../support/gateway.ts';
import { endPauses } from '../support/pauses.ts';
import { call, issueKey, ownPlace, program } from '../support/program.ts';
import { buildCompany, type TestCompany } from '../support/records.ts';
import { runOnServer } from '../support/server.ts';

const gateway = useGateway();
let company: TestCompany;
const NAME = 'Round, Oak & Söhne';

const send = (method: string, path: string, body?: unknown): Promise<GatewayResponse> =>
  gateway.send(method, path, { headers: company.headers, body });

const removal = (name: string): Promise<GatewayResponse> => send('DELETE', `${company.base}?name=${encodeURIComponent(name)}`);

async function disconnect(): Promise<number> {
  const made = await send('POST', '/v4/core/disconnect-requests', { data: { company_id: company.id } });
  const number = made.body.data.ledger_id;
  const approved = await gateway.graphql(
    company.key,
    'mutation($id: ID!) { approveDisconnectRequest(input: { id: $id }) { disconnectRequest { status } } }',
    { id: number },
  );
  expect(approved.body.errors, approved.text).toBeUndefined();
  return number;
}

/** Tables that hold rows of a company. */
const tables = allModels().flatMap(({ table, companyColumn }) => (companyColumn ? [{ table, column: companyColumn }] : []));

async function rowsLeft(database: Parameters<typeof systemTransaction>[0], id: number): Promise<string[]> {
  const left = await systemTransaction(database, (em) =>
    Promise.all(
      tables.map(async ({ table, column }) => {
        const [row] = await executeIn<{ n: string }>(em, `select count(*) as n from "${table}" where ${column} = $1`, [id]);
        return Number(row!.n) > 0 ? [table] : [];
      }),
    ),
  );
  return left.flat();
}

beforeEach(async () => {
  company = await buildCompany(gateway, { name: NAME });
});

it('a company gets a new name on REST and in GraphQL, and every read shows it at once', async () => {
  const renamed = await send('PATCH', company.base, { data: { name: 'Elm' } });
  expect([renamed.status, renamed.body.data.name]).toEqual([200, 'Elm']);
  expect((await send('GET', company.base)).body.data.name).toBe('Elm');
  const again = await gateway.graphql(
    company.key,
    'mutation($id: ID!) { updateCompany(input: { id: $id, name: "Ash" }) { company { name ledgerId } } }',
    { id: company.id },
  );
  expect(again.body.data.updateCompany.company).toEqual({ name: 'Ash', ledgerId: company.id });
  expect((await send('GET', company.base)).body.data.name).toBe('Ash');
});

it.each([
  [{ name: '' }, 400, 'data.name'],
  [{ name: null }, 400, 'data.name'],
  [{}, 400, 'data'],
  [{ integration_type: 'XERO' }, 400, 'data.integration_type'],
])('a change to %j is rejected by its field', async (data, status, field) => {
  const response = await send('PATCH', company.base, { data });
  expect([response.status, response.body.error.field], response.text).toEqual([status, field]);
  expect((await send('GET', company.base)).body.data.name).toBe(NAME);
});

it('the companies of others, and unknown ones, can be neither renamed nor removed', async () => {
  const stranger = await buildCompany(gateway);
  for (const [method, path] of [
    ['PATCH', stranger.base],
    ['DELETE', `${stranger.base}?name=Test%20company`],
  ] as const) {
    const response = await send(method, path, method === 'PATCH' ? { data: { name: 'Mine' } } : undefined);
    expect([response.status, response.body.error.error_code], response.text).toEqual([404, 'COMPANY_NOT_FOUND']);
  }
  expect((await gateway.send('GET', stranger.base, { headers: stranger.headers })).body.data.name).toBe('Test company');
});

it('a company that is connected, or whose name is not typed in full, stays', async () => {
  const connected = await removal(NAME);
  expect([connected.status, connected.body.error.error_code]).toEqual([409, 'INVALID_STATE_TRANSITION']);
  await disconnect();
  for (const name of [NAME.toLowerCase(), `${NAME} `, NAME.slice(1)]) {
    const response = await removal(name);
    expect([response.status, response.body.error.error_code, response.body.error.field], response.text).toEqual([
      400,
      'INVALID_PARAMS',
      'name',
    ]);
  }
  const nameless = await send('DELETE', company.base);
  expect([nameless.status, nameless.body.error.field]).toEqual([400, 'name']);
  expect((await send('GET', company.base)).status).toBe(200);
});

it('a removed company disappears from every read at once, and its rows follow; its neighbour stays', async () => {
  const neighbour = await buildCompany(gateway, { key: company.key, name: NAME });
  const numbers: number[] = [];
  for (const { base } of [company, neighbour]) {
    const made = await send('POST', `${base}/purchase_orders`, { data: { platform_id: 'o', line_items: [{ name: 'a' }] } });
    numbers.push(made.body.data.data.ledger_id);
  }
  const [sync] = (await send('GET', `${company.base}/syncs`)).body.data.syncs;
  const request = await disconnect();
  const removed = await removal(NAME);
  expect(removed.status, removed.text).toBe(204);
  const reads = await gateway.graphql(
    company.key,
    `{
      companies { nodes { ledgerId } } viewer { companies { ledgerId } } disconnectRequests { nodes { ledgerId } }
      node(id: "company_${company.id}") { id } order: node(id: "purchase_order_${numbers[0]}") { id } theSync: node(id: "${sync.id}") { id }
      neighbours: node(id: "purchase_order_${numbers[1]}") { id }
      gone: disconnectRequest(ledgerId: ${request}) { ledgerId } sync(id: "${sync.id}") { id } company(id: ${company.id}) { name }
    }`,
  );
  const left = [{ ledgerId: neighbour.id }];
  expect(reads.body.data).toEqual({
    companies: { nodes: left },
    viewer: { companies: left },
    disconnectRequests: { nodes: [] },
    node: null,
    order: null,
    theSync: null,
    neighbours: { id: `purchase_order_${numbers[1]}` },
    gone: null,
    sync: null,
    company: null,
  });
  expect(reads.body.errors.map((error: { extensions: { code: string } }) => error.extensions.code).sort()).toEqual([
    'COMPANY_NOT_FOUND',
    'RECORD_NOT_FOUND',
    'SYNC_NOT_FOUND',
  ]);
  for (const [method, path, body] of [
    ['GET', `${company.base}/purchase_orders`],
    ['GET', `${company.base}/syncs`],
    ['POST', `${company.base}/contacts`, { data: { platform_id: 'late' } }],
    ['POST', `${company.base}/syncs`, { data: {} }],
    ['PATCH', company.base, { data: { name: 'Back' } }],
  ] as const)
    expect((await send(method, path, body)).body.error.error_code).toBe('COMPANY_NOT_FOUND');
  const connected = await gateway.graphql(company.key, `mutation { connectCompany(input: { id: ${company.id} }) { company { name } } }`);
  expect(connected.body.errors[0].extensions.code).toBe('COMPANY_NOT_FOUND');
  expect((await removal(NAME)).status).toBe(404);
  while ((await rowsLeft(gateway.services.database, company.id)).length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(await rowsLeft(gateway.services.database, neighbour.id)).toEqual(
    expect.arrayContaining(['company', 'purchase_order', 'line_item']),
  );
});

it('of two removals at once one removes, and the other finds no company', async () => {
  await disconnect();
  const responses = await Promise.all([removal(NAME), removal(NAME)]);
  expect(responses.map(({ status }) => status).sort()).toEqual([204, 404]);
});

it('a removal whose process is killed is finished by the next one', { timeout: 180_000 }, async () => {
  const place = await ownPlace();
  try {
    // The first process removes nothing, so that every row is there when it is killed; the second is killed at any moment of its work.
    let running = await program.start({ ...place.settings, WORKER: 'false' });
    const key = await issueKey(running.origin, ['INTEGRATIONS']);
    const ask = async (query: string): Promise<Record<string, never>> => {
      const { body } = await call(running.origin, key, 'POST', '/graphql', { query });
      expect(body.errors).toBeUndefined();
      return body.data;
    };
    const made = await call(running.origin, key, 'POST', '/v4/core/companies', { data: { name: NAME } });
    const id: number = made.body.data.ledger_id;
    const line_items = Array.from({ length: 900 }, () => ({ name: 'line' }));
    const order = { platform_id: 'order', line_items };
    const stored = await call(running.origin, key, 'PUT', `/v4/core/companies/${id}/purchase_orders`, { data: order });
    expect(stored.status, stored.text).toBe(200);
    const request = await call(running.origin, key, 'POST', '/v4/core/disconnect-requests', { data: { company_id: id } });
    await ask(`mutation { approveDisconnectRequest(input: { id: ${request.body.data.ledger_id} }) { disconnectRequest { status } } }`);
    await ask(`mutation { removeCompany(input: { id: ${id}, name: ${JSON.stringify(NAME)} }) { ledgerId } }`);
    await running.end('SIGKILL');
    running = await program.start(place.settings);
    await running.end('SIGKILL');
    // A minute passes in the queue: a job without a heartbeat for ten seconds is abandoned. A directory has one process, which takes its jobs at once.
    const { DATABASE_URL: url } = place.settings;
    if (url) await runOnServer(url, `update pgboss.job set heartbeat_on = heartbeat_on - interval '1 minute' where state = 'active'`);
    running = await program.start({ ...place.settings, WORKER: 'false' });
    expect(await ask('{ companies { nodes { ledgerId } } }')).toEqual({ companies: { nodes: [] } });
    await running.end('SIGTERM');
    const { services, close } = await openServices(readConfig(place.settings));
    while ((await rowsLeft(services.database, id)).length > 0) {
      await endPauses(services, 'company-removal');
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    await close();
  } finally {
    await place.remove();
  }
});

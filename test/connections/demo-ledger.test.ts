// The demo ledger: a company that is connected to it with the demo data, life at the source, and what a later start finds.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { StoredSetting } from '../../src/database/stored-secrets.ts';
import { ensureDemo } from '../../src/demo/demo.ts';
import { startDemoLedger } from '../../src/integrations/demo/ledger.ts';
import { openDemoLedger } from '../../src/integrations/demo/ledger-company.ts';
import { runOf } from '../support/connections.ts';
import { type Gateway, ownDatabase, startGateway } from '../support/gateway.ts';

interface Demo {
  gateway: Gateway;
  key: string;
  /** The company, with what a test looks at. */
  company(): Promise<{
    ledgerId: number;
    connections: { nodes: { id: string; status: string }[] };
    items: { nodes: { platformId: string; quantityOnHand: number; ledgerUpdatedAt: string }[] };
    contacts: { nodes: { ledgerId: number; name: string; sourceState: string; sourceError: string | null }[] };
  }>;
  run(): Promise<void>;
  stop(): Promise<void>;
}

const COMPANY = `{ companies(first: 1, filter: { integrationType: { eq: "DEMO" } }) { nodes { ledgerId
  connections(first: 5) { nodes { id status } }
  items(first: 50) { nodes { platformId quantityOnHand ledgerUpdatedAt } }
  contacts(first: 50) { nodes { ledgerId name sourceState sourceError } }
} } }`;

async function start(databaseUrl: string | undefined, dataDir: string): Promise<Demo> {
  const gateway = await startGateway({ databaseUrl, dataDir, signingSecret: 'the signing secret of the demo' });
  const { bearer: key } = await ensureDemo(gateway.services, []);
  const ledger = await openDemoLedger(gateway.services, (await gateway.services.keys.find(key))!.organisationId!);
  const company: Demo['company'] = async () => {
    const { body } = await gateway.graphql(key, COMPANY);
    expect(body.errors, JSON.stringify(body.errors)).toBeUndefined();
    expect(body.data.companies.nodes).toHaveLength(1);
    return body.data.companies.nodes[0];
  };
  return {
    gateway,
    key,
    company,
    run: async () => {
      const { ledgerId, connections } = await company();
      await runOf(gateway, { base: `/v4/core/companies/${ledgerId}`, headers: { api_key: key } }, connections.nodes[0]!.id);
    },
    stop: async () => {
      await gateway.stop();
      await ledger.close();
    },
  };
}

const update = 'mutation ($input: UpdateContactInput!) { updateContact(input: $input) { contact { platformId sourceState } } }';

it('serves the first requests, which open the books, also when they come at once', async () => {
  const gateway = await startGateway();
  const ledger = await startDemoLedger(gateway.services);
  const headers = { authorization: `Bearer ${ledger.apiKey}` };
  const responses = await Promise.all(Array.from({ length: 10 }, () => fetch(`${ledger.url}/contact`, { headers })));
  expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
  await ledger.close();
  await gateway.stop();
});

it('shows runs, a record that changes at the source and a failed push that is fixed, also after another start', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-demo-'));
  const own = await ownDatabase();
  const first = await start(own?.url, join(folder, 'data'));
  await first.run();
  const before = await first.company();
  expect(before.connections.nodes).toMatchObject([{ status: 'CONNECTED' }]);
  await first.run();
  const after = await first.company();
  const changed = after.items.nodes.filter(
    ({ platformId, quantityOnHand }) =>
      before.items.nodes.find((item) => item.platformId === platformId)!.quantityOnHand !== quantityOnHand,
  );
  expect(changed).toHaveLength(1);
  const refused = after.contacts.nodes.filter(({ sourceState }) => sourceState === 'PUSH_FAILED');
  expect(refused).toMatchObject([{ sourceError: expect.stringContaining('e-mail') }]);
  await first.stop();

  const second = await start(own?.url, join(folder, 'data'));
  await second.run();
  expect((await second.company()).connections.nodes).toEqual(after.connections.nodes);
  const { ledgerId: companyId } = await second.company();
  const input = { companyId, id: refused[0]!.ledgerId, email: 'orders@lighthouse.example', wait: 30 };
  const fixed = await second.gateway.graphql(second.key, update, { input });
  expect(fixed.body.errors, fixed.text).toBeUndefined();
  expect(fixed.body.data.updateContact.contact).toMatchObject({ sourceState: 'IN_SYNC', platformId: expect.stringMatching(/^CONTACT-/) });
  await second.stop();
  const third = await start(own?.url, join(folder, 'data'));
  await third.run();
  expect((await third.company()).contacts.nodes.every(({ sourceState }) => sourceState === 'IN_SYNC')).toBe(true);
  await third.stop();
  await own?.drop();
  rmSync(folder, { recursive: true, force: true });
}, 120_000);

interface Payload {
  contact?: { platformId: string; sourceState: string };
  contacts?: { ledgerId: number }[];
  errors: unknown[];
}

const create =
  'mutation ($input: CreateContactsInput!) { createContacts(input: $input) { contacts { ledgerId } errors { code message } } }';
const remove = 'mutation ($input: DeleteContactInput!) { deleteContact(input: $input) { errors { code message } } }';
const LIVE =
  '{ companies(first: 1, filter: { integrationType: { eq: "DEMO" } }) { nodes { contacts(first: 100) { nodes { ledgerId name sourceState platformId } } } } }';

it('has every accepted write: an update, a deletion, and what is created while a run is under way', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-demo-'));
  const own = await ownDatabase();
  const demo = await start(own?.url, join(folder, 'data'));
  await demo.run();
  const { ledgerId: companyId, connections } = await demo.company();
  const sent = async (text: string, input: Record<string, unknown>) => {
    const { body, text: shown } = await demo.gateway.graphql(demo.key, text, { input: { companyId, ...input } });
    expect(body.errors, shown).toBeUndefined();
    const [payload] = Object.values(body.data as Record<string, Payload>);
    return payload!;
  };
  const contacts = async (): Promise<{ ledgerId: number; name: string; sourceState: string; platformId: string }[]> =>
    (await demo.gateway.graphql(demo.key, LIVE)).body.data.companies.nodes[0].contacts.nodes;
  const at = async (platformId: string) => (await contacts()).find((contact) => contact.platformId === platformId);

  const seeded = (await at('CON-1'))!;
  const updated = await sent(update, { id: seeded.ledgerId, phone: '+44 1632 960999', wait: 30 });
  expect(updated.contact).toMatchObject({ sourceState: 'IN_SYNC', platformId: 'CON-1' });
  await sent(remove, { id: (await at('CON-2'))!.ledgerId, wait: 30 });

  const made: number[] = [];
  const base = `/v4/core/companies/${companyId}`;
  for (let round = 0; round < 2; round++) {
    const contact = (index: number) => ({ name: `Made ${round} ${index}`, email: `made-${round}-${index}@tea.example` });
    const [response] = await Promise.all([
      sent(create, { records: Array.from({ length: 8 }, (_, index) => contact(index)), wait: 30 }),
      runOf(demo.gateway, { base, headers: { api_key: demo.key } }, connections.nodes[0]!.id),
    ]);
    expect(response.errors).toEqual([]);
    made.push(...response.contacts!.map(({ ledgerId }) => ledgerId));
  }
  await demo.run();
  const after = await contacts();
  const states = made.map((ledgerId) => after.find((contact) => contact.ledgerId === ledgerId)?.sourceState);
  expect(states).toEqual(made.map(() => 'IN_SYNC'));
  expect(after.find((contact) => contact.platformId === 'CON-2')).toBeUndefined();
  // A full run takes the books of the ledger as they are.
  await runOf(demo.gateway, { base, headers: { api_key: demo.key } }, connections.nodes[0]!.id, '?full_sync=true');
  expect((await contacts()).map(({ ledgerId }) => ledgerId).toSorted()).toEqual(after.map(({ ledgerId }) => ledgerId).toSorted());
  const books = JSON.parse(
    (await demo.gateway.services.database.orm.em.fork().findOneOrFail(StoredSetting, { name: 'demo_ledger' })).value,
  );
  expect(books.models.contact['CON-2'].isDeleted).toBe(true);
  expect(books.models.contact['CON-1'].record.phone).toBe('+44 1632 960999');
  await demo.stop();
  await own?.drop();
  rmSync(folder, { recursive: true, force: true });
}, 240_000);

it('is not there unless it is started, and opens no other place of the loopback interface', async () => {
  const gateway = await startGateway({ demoData: true });
  expect(gateway.services.demoLedger).toBeUndefined();
  const { bearer: key } = await ensureDemo(gateway.services, []);
  const ledger = await openDemoLedger(gateway.services, (await gateway.services.keys.find(key))!.organisationId!);
  const made = await gateway.send('POST', '/v4/core/companies', { headers: { api_key: key }, body: { data: { name: 'Elsewhere' } } });
  const headers = { api_key: key };
  const base = `/v4/core/companies/${made.body.data.ledger_id}`;
  const settings = { url: gateway.origin, apiKey: 'any' };
  const connection = await gateway.send('POST', `${base}/connections`, { headers, body: { data: { source: 'DEMO', settings } } });
  await runOf(gateway, { base, headers }, connection.body.data.id);
  const state = (await gateway.send('GET', `${base}/connections/${connection.body.data.id}`, { headers })).body.data;
  expect(state).toMatchObject({ status: 'ERROR', status_reason: expect.stringContaining('may not be called') });
  expect((await fetch(gateway.services.demoLedger!)).status).toBe(401);
  await gateway.stop();
  await ledger.close();
}, 60_000);

// Writes that wait for the response of the source: what they return, and that waiting holds nothing.
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MAX_WAITING, waitingWrites } from '../../src/integrations/operations/push-wait.ts';
import { runOf } from '../support/connections.ts';
import { onlyModels } from '../support/demo-models.ts';
import { type Gateway, ownDatabase, serverUrl, startGateway, useGateway } from '../support/gateway.ts';
import { type Ledger, startLedger } from '../support/ledger.ts';
import { buildCompany, type TestCompany } from '../support/records.ts';

const gateway = useGateway({ connectorPrivateHosts: ['127.0.0.1'] });
beforeAll(() => onlyModels(gateway, 'ACCOUNT', 'CONTACT'));

let ledger: Ledger;
let company: TestCompany;

/** A company whose connection has been tried. */
async function connected(on: Gateway): Promise<TestCompany> {
  const made = await buildCompany(on);
  const settings = { url: ledger.url, apiKey: ledger.apiKey };
  const body = { data: { source: 'DEMO', settings, interval_minutes: 43_200 } };
  const response = await on.send('POST', `${made.base}/connections`, { headers: made.headers, body });
  await runOf(on, made, response.body.data.id);
  return made;
}

beforeEach(async () => {
  ledger = await startLedger();
  company = await connected(gateway);
});
afterEach(() => ledger.stop());

const rest = (method: string, path: string, data?: unknown) =>
  gateway.send(method, `${company.base}${path}`, { headers: company.headers, ...(data === undefined ? {} : { body: { data } }) });

const graphql = async (query: string, variables: Record<string, unknown> = {}) => {
  const { body } = await gateway.graphql(company.key, query, { company: company.id, ...variables });
  expect(body.errors).toBeUndefined();
  return body.data;
};

const waiting = (): number => gateway.services.caches.sizes().get('waiting_writes') ?? 0;

describe('wait', () => {
  it('returns the id and the values of the source', async () => {
    const made = await rest('POST', '/contacts?wait=30', { name: 'Waited for' });
    expect(made.status, made.text).toBe(201);
    const { platform_id, ledger_id } = made.body.data.data;
    expect(platform_id).toBe(ledger.effects[0]!.id);
    const sync = await gateway.send('GET', `/v4/core/syncs/${made.body.data.sync_id}`, { headers: company.headers });
    expect(sync.body.data.status).toBe('SUCCESS');
    const changed = await rest('PUT', `/contacts/${ledger_id}?wait=30`, { name: 'Changed' });
    expect(changed.status, changed.text).toBe(200);
    expect(ledger.rows('CONTACT')).toMatchObject([{ name: 'Changed' }]);
    const several = await rest('PUT', '/contacts?wait=30', { platform_id, name: 'By its id' });
    expect(several.body.data.data).toMatchObject({ ledger_id, name: 'By its id' });
    expect(ledger.rows('CONTACT')).toMatchObject([{ name: 'By its id' }]);
    expect((await rest('DELETE', `/contacts/${ledger_id}?wait=30`)).status).toBe(204);
    expect(ledger.rows('CONTACT')).toEqual([]);
  });

  it('returns the state of the record for every mutation of a record', async () => {
    const shown = 'contact { ledgerId name platformId sourceState sourceError }';
    const { createContact } = await graphql(
      `mutation ($company: ID!) { createContact(input: { companyId: $company, name: "One", wait: 30 }) { ${shown} } }`,
    );
    expect(createContact.contact).toMatchObject({ sourceState: 'IN_SYNC', platformId: ledger.effects[0]!.id });
    ledger.refuses = ({ name }) => (name === 'Bad' ? 'no such name' : undefined);
    const { updateContact } = await graphql(
      `mutation ($company: ID!, $id: ID!) { updateContact(input: { companyId: $company, id: $id, name: "Bad", wait: 30 }) { ${shown} } }`,
      { id: createContact.contact.ledgerId },
    );
    expect(updateContact.contact).toMatchObject({ sourceState: 'PUSH_FAILED', sourceError: expect.stringContaining('no such name') });
    const { createContacts } = await graphql(
      `mutation ($company: ID!) {
        createContacts(input: { companyId: $company, wait: 30, records: [{ name: "Two" }, { name: "Bad" }] }) { contacts { name sourceState } }
      }`,
    );
    expect(createContacts.contacts).toEqual([
      { name: 'Two', sourceState: 'IN_SYNC' },
      { name: 'Bad', sourceState: 'PUSH_FAILED' },
    ]);
  });

  it('returns over REST the state of each record, as the source took or rejected it; without it, with the record alone', async () => {
    ledger.refuses = ({ name }) => (name === 'Bad' ? 'no such name' : undefined);
    const taken = { source_state: 'IN_SYNC', source_error: null };
    const refused = { source_state: 'PUSH_FAILED', source_error: expect.stringContaining('no such name') };
    const made = await rest('POST', '/contacts?wait=30', { name: 'Bad' });
    expect(made.status, made.text).toBe(201);
    expect(made.body.data.data).toMatchObject({ name: 'Bad', ...refused });
    const { ledger_id } = made.body.data.data;
    expect((await rest('PUT', `/contacts/${ledger_id}?wait=30`, { name: 'Good' })).body.data.data).toMatchObject({
      name: 'Good',
      ...taken,
    });
    const upserted = await rest('PUT', '/contacts?wait=30', { name: 'Bad' });
    expect(upserted.body.data.data).toMatchObject(refused);
    const plain = (await rest('PUT', `/contacts/${ledger_id}`, { name: 'Better' })).body.data.data;
    expect(Object.keys(plain).filter((name) => name.startsWith('source_'))).toEqual([]);
    const local = await rest('PUT', '/accounts?wait=30', { platform_id: 'A-9', name: 'Mine' });
    expect(local.body.data.data).toMatchObject({ source_state: 'LOCAL', source_error: null });
  });

  it('responds at once what the source does not take', async () => {
    const response = await rest('PUT', '/accounts?wait=30', { platform_id: 'A-1', name: 'Mine' });
    expect(response.status, response.text).toBe(200);
    expect(ledger.effects).toEqual([]);
  });

  it('is rejected by name where it is no such time, or where nothing is stored yet', async () => {
    for (const [query, status] of [
      ['wait=31', 400],
      ['wait=-1', 400],
      ['wait=soon', 400],
      ['wait=5&run_async=true', 400],
      ['wait=0', 200],
    ] as const) {
      const response = await rest('PUT', `/contacts?${query}`, { platform_id: 'C-1', name: query });
      expect(response.status, `${query} ${response.text}`).toBe(status);
      if (status === 400) expect(response.body.error.field, query).toBe('wait');
    }
    const unknown = await rest('PUT', '/contacts?waits=5', { platform_id: 'C-1', name: 'x' });
    expect(unknown.body.error.message).toContain('wait');
  });

  it('responds as without it when the time is over, and the record goes to the source later', async () => {
    ledger.apiKey = 'another-key';
    const response = await rest('POST', '/contacts?wait=1', { platform_id: 'mine', name: 'Later' });
    expect(response.status, response.text).toBe(201);
    expect(response.body.data.data).toMatchObject({ platform_id: 'mine', name: 'Later' });
    const { body } = await rest('GET', '/contacts?select=source_state');
    expect(body.data).toMatchObject([{ source_state: 'PENDING_PUSH' }]);
    expect(waiting()).toBe(0);
  });

  it('ends with its caller, and delays no other request', async () => {
    ledger.apiKey = 'another-key';
    const leave = new AbortController();
    const call = fetch(`${gateway.origin}${company.base}/contacts?wait=30`, {
      method: 'POST',
      headers: { ...company.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ data: { name: 'Left' } }),
      signal: leave.signal,
    });
    while (waiting() === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    const other = await rest('PUT', '/accounts', { platform_id: 'A-1', name: 'In between' });
    expect(other.status, other.text).toBe(200);
    leave.abort();
    await expect(call).rejects.toThrow();
    while (waiting() > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  }, 60_000);

  it('lets only so many wait; a further write returns at once, as without it', async () => {
    ledger.apiKey = 'another-key';
    const others = gateway.services.caches.of(waitingWrites);
    for (let index = 0; index < MAX_WAITING; index++) others.add(`sync_${index}`);
    const response = await rest('POST', '/contacts?wait=30', { platform_id: 'mine', name: 'One too many' });
    expect(response.status, response.text).toBe(201);
    expect(waiting()).toBe(MAX_WAITING);
    others.clear();
    expect((await rest('GET', '/contacts?select=source_state')).body.data).toMatchObject([{ source_state: 'PENDING_PUSH' }]);
  }, 60_000);

  it.runIf(serverUrl)(
    'learns of a push that another process makes',
    async () => {
      const own = (await ownDatabase())!;
      const settings = { databaseUrl: own.url, connectorPrivateHosts: ['127.0.0.1'] };
      const worker = await startGateway(settings);
      const front = await startGateway({ ...settings, worker: false });
      for (const one of [worker, front]) onlyModels(one, 'CONTACT');
      const shared = await connected(front);
      const body = { data: { name: 'Elsewhere' } };
      const response = await front.send('POST', `${shared.base}/contacts?wait=30`, { headers: shared.headers, body });
      expect(response.body.data.data.platform_id).toBe(ledger.effects[0]!.id);
      await front.stop();
      await worker.stop();
      await own.drop();
    },
    60_000,
  );
});

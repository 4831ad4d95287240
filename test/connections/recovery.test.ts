// What a connection makes good: refused records, lists that shift while they are read, deletions and ids that both ends decided on, and refused writes.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runOf } from '../support/connections.ts';
import { useGateway } from '../support/gateway.ts';
import { type Ledger, startLedger } from '../support/ledger.ts';
import { buildCompany, type TestCompany } from '../support/records.ts';
import { endOfSync, jobsOf } from '../support/syncs.ts';

const gateway = useGateway({ connectorPrivateHosts: ['127.0.0.1'] });

let ledger: Ledger;
let company: TestCompany;
let id: string;

const rest = async (method: string, path: string, data?: unknown) =>
  gateway.send(method, `${company.base}${path}`, { headers: company.headers, ...(data === undefined ? {} : { body: { data } }) });

const run = (query?: string) => runOf(gateway, company, id, query);

beforeEach(async () => {
  ledger = await startLedger();
  company = await buildCompany(gateway);
  const settings = { url: ledger.url, apiKey: ledger.apiKey };
  const answer = await rest('POST', '/connections', { source: 'DEMO', settings, interval_minutes: 43_200 });
  expect(answer.status, answer.text).toBe(201);
  id = answer.body.data.id;
  await run();
});
afterEach(() => ledger.stop());

const list = async (records: string): Promise<Record<string, unknown>[]> =>
  (await rest('GET', `/${records}?limit=100&select=source_state,source_error,source_version`)).body.data;

/** A write of contacts and the end of its sync. */
async function write(method: string, path: string, data?: unknown) {
  const answer = await rest(method, path, data);
  expect(answer.status, answer.text).toBeLessThan(300);
  return endOfSync(gateway, company, answer.body.data.sync_id);
}

describe('a record that a pull has refused', () => {
  const account = (platformId: string, parent: string | null) =>
    ledger.put('ACCOUNT', { platform_id: platformId, name: platformId, parent_account_id: parent });
  const parents = async () => {
    const rows = await list('accounts');
    const names = new Map(rows.map((row) => [row.ledger_id, row.name]));
    return Object.fromEntries(rows.map((row) => [row.name, names.get(row.parent_account_id) ?? null]));
  };

  it('chosen: is tried again by every run until it can be stored, though the source does not send it again', async () => {
    account('A', null);
    account('B', 'A');
    await run();
    account('A', 'B');
    for (const _ of [1, 2]) {
      const sync = await run();
      expect(sync.status).toBe('PARTIAL_SUCCESS');
      expect((await jobsOf(gateway, company, sync.id)).map(({ errorResponse }) => errorResponse?.platform_id)).toContain('A');
    }
    expect(await parents()).toEqual({ A: null, B: 'A' });
    account('B', null);
    expect((await run()).status).toBe('SUCCESS');
    expect(await parents()).toEqual({ A: 'B', B: null });
    expect((await run()).status).toBe('SUCCESS');
  }, 120_000);

  it('chosen: is forgotten once the source has deleted it, or a full run does not meet it', async () => {
    for (const end of ['deleted', 'not met']) {
      account(`A ${end}`, null);
      account(`B ${end}`, `A ${end}`);
      await run();
      account(`A ${end}`, `B ${end}`);
      expect((await run()).status).toBe('PARTIAL_SUCCESS');
      ledger.remove('ACCOUNT', `A ${end}`);
      expect((await run(end === 'deleted' ? '' : '?full_sync=true')).status).toBe('SUCCESS');
      expect((await run()).status).toBe('SUCCESS');
    }
  }, 120_000);
});

describe('a full run of a list that shifts while it is read', () => {
  it('chosen: deletes only what the source has deleted, and takes a record that is shown twice once', async () => {
    ledger.isShifting = true;
    for (let index = 0; index < 120; index++) ledger.put('CONTACT', { platform_id: `S-${100 + index}`, name: `Contact ${index}` });
    expect((await run()).status).toBe('SUCCESS');
    const before = await list('contacts');
    let pages = 0;
    ledger.failure = ({ method, path }) => {
      // The second page begins one record too late.
      if (method === 'GET' && path === '/contact' && ++pages === 2) ledger.remove('CONTACT', 'S-100');
      return undefined;
    };
    expect((await run('?full_sync=true')).status).toBe('SUCCESS');
    const count = (await rest('GET', '/contacts?limit=1&return_count=true')).body.pagination.total_count;
    expect([pages > 2, count]).toEqual([true, 119]);
    const after = await list('contacts');
    const left = before.filter(({ platform_id: known }) => known !== 'S-100');
    expect(after.slice(0, left.length)).toEqual(left);
  });

  it('chosen: ends, though the source allows fewer calls at a time than there are records to ask for', async () => {
    ledger.isShifting = true;
    for (let index = 0; index < 6; index++) ledger.put('CONTACT', { platform_id: `S-${index}`, name: `Contact ${index}` });
    expect((await run()).status).toBe('SUCCESS');
    for (let index = 0; index < 6; index++) ledger.remove('CONTACT', `S-${index}`);
    let asked = 0;
    // Three in a row are answered: as many as are stored before each pause.
    ledger.failure = ({ path }) => (path.startsWith('/contact/') && ++asked % 4 === 0 ? 'limit' : undefined);
    expect((await run('?full_sync=true')).status).toBe('SUCCESS');
    expect([asked, await list('contacts')]).toEqual([7, []]);
  }, 60_000);
});

describe('a write', () => {
  it('chosen: that the source has refused is sent again by a retry of its sync, over REST and GraphQL', async () => {
    for (const api of ['REST', 'GraphQL']) {
      ledger.refuses = () => 'the books are closed';
      const refused = await write('PUT', '/contacts', { platform_id: api, name: api });
      expect(refused.status).toBe('FAILED');
      ledger.refuses = () => undefined;
      const query = 'mutation ($id: ID!) { retrySync(input: { id: $id }) { sync { id } errors { code message } } }';
      const retry = async () =>
        api === 'REST'
          ? gateway.send('POST', `/v4/core/syncs/${refused.id}/retry`, { headers: company.headers })
          : gateway.graphql(company.key, query, { id: refused.id });
      const answer = await retry();
      const syncId = answer.body.data?.id ?? answer.body.data?.retrySync.sync.id;
      const sync = await endOfSync(gateway, company, syncId);
      expect(sync).toMatchObject({ status: 'SUCCESS', jobCounts: { total: 1 } });
      expect(ledger.rows('CONTACT').map(({ name }) => name)).toContain(api);
      expect((await list('contacts')).find(({ name }) => name === api)).toMatchObject({ source_state: 'IN_SYNC', source_error: null });
      expect((await retry()).text).toContain('INVALID_STATE_TRANSITION');
    }
    expect(ledger.effects).toHaveLength(2);
  });

  it('chosen: after a create whose answer was lost does not get lost with it', async () => {
    let lost = 0;
    ledger.failure = ({ method }) => (method === 'POST' && lost++ === 0 ? 'drop' : undefined);
    const created = await rest('POST', '/contacts', { name: 'First' });
    while (lost === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    const changed = await rest('PUT', `/contacts/${created.body.data.data.ledger_id}`, { name: 'Second' });
    expect(changed.status, changed.text).toBe(200);
    expect((await endOfSync(gateway, company, created.body.data.sync_id)).status).toBe('SUCCESS');
    for (let wait = 0; (await list('contacts'))[0]!.source_state !== 'IN_SYNC' && wait < 400; wait++)
      await new Promise((resolve) => setTimeout(resolve, 50));
    expect(ledger.rows('CONTACT').map(({ name }) => name)).toEqual(['Second']);
    expect(await list('contacts')).toMatchObject([{ name: 'Second', source_state: 'IN_SYNC' }]);
    expect(ledger.effects.map(({ method }) => method)).toEqual(['POST', 'PUT']);
  });

  it('chosen: that deletes a record whose create may have happened deletes it at the source', async () => {
    let lost = 0;
    ledger.failure = ({ method }) => (method === 'POST' && lost++ === 0 ? 'drop' : undefined);
    const created = await rest('POST', '/contacts', { name: 'Unwanted' });
    while (lost === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    expect((await rest('DELETE', `/contacts/${created.body.data.data.ledger_id}`)).status).toBe(204);
    expect((await endOfSync(gateway, company, created.body.data.sync_id)).status).toBe('SUCCESS');
    for (let wait = 0; ledger.rows('CONTACT').length > 0 && wait < 400; wait++) await new Promise((resolve) => setTimeout(resolve, 50));
    expect(ledger.rows('CONTACT')).toEqual([]);
    await run('?full_sync=true');
    expect(await list('contacts')).toEqual([]);
  });

  it('chosen: of a record that has the id of another one at the source is a conflict, not a second record', async () => {
    ledger.put('CONTACT', { platform_id: 'C-9', name: 'There' });
    const sync = await write('PUT', '/contacts', { platform_id: 'C-9', name: 'Here' });
    expect(sync.status).toBe('FAILED');
    expect(await list('contacts')).toMatchObject([{ name: 'Here', source_state: 'CONFLICT', source_version: { name: 'There' } }]);
    expect(ledger.effects).toEqual([]);
  });

  it('chosen: that deletes what has changed at the source is refused, and the record is there again as the source has it', async () => {
    ledger.put('CONTACT', { platform_id: 'C-1', name: 'Old' });
    await run();
    const [{ ledger_id: ledgerId } = {}] = await list('contacts');
    ledger.put('CONTACT', { platform_id: 'C-1', name: 'New' });
    expect((await rest('DELETE', `/contacts/${ledgerId}`)).status).toBe(204);
    for (let wait = 0; (await list('contacts')).length === 0 && wait < 400; wait++) await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await list('contacts')).toMatchObject([{ platform_id: 'C-1', name: 'New', source_state: 'IN_SYNC' }]);
    expect(ledger.rows('CONTACT')).toMatchObject([{ name: 'New' }]);
    await run('?full_sync=true');
    expect(await list('contacts')).toMatchObject([{ name: 'New', source_state: 'IN_SYNC' }]);
  });
});

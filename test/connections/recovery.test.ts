// What a connection recovers from: rejected records, lists that shift while they are read, deletions and ids that both ends decided on, and rejected
// writes.
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runOf } from '../support/connections.ts';
import { onlyModels } from '../support/demo-models.ts';
import { useGateway } from '../support/gateway.ts';
import { type Ledger, startLedger } from '../support/ledger.ts';
import { buildCompany, type TestCompany } from '../support/records.ts';
import { endOfSync, jobsOf } from '../support/syncs.ts';

const gateway = useGateway({ connectorPrivateHosts: ['127.0.0.1'] });
beforeAll(() => onlyModels(gateway, 'ACCOUNT', 'CONTACT', 'ITEM', 'ESTIMATE', 'PURCHASE_ORDER'));

let ledger: Ledger;
let company: TestCompany;
let id: string;

const rest = async (method: string, path: string, data?: unknown) =>
  gateway.send(method, `${company.base}${path}`, { headers: company.headers, ...(data === undefined ? {} : { body: { data } }) });

const run = (query?: string) => runOf(gateway, company, id, query);

beforeEach(async () => {
  ledger = await startLedger();
  company = await buildCompany(gateway, { key: await gateway.key(['INTEGRATIONS', 'PLATFORM']) });
  const settings = { url: ledger.url, apiKey: ledger.apiKey };
  const response = await rest('POST', '/connections', { source: 'DEMO', settings, interval_minutes: 43_200 });
  expect(response.status, response.text).toBe(201);
  id = response.body.data.id;
  await run();
});
afterEach(() => ledger.stop());

const list = async (records: string): Promise<Record<string, unknown>[]> =>
  (await rest('GET', `/${records}?limit=100&select=source_state,source_error,source_version`)).body.data;

/** Has events stored, as they are where an organisation has subscribers. */
const listen = () =>
  gateway.graphql(
    company.key,
    'mutation { createWebhook(input: { url: "https://example.org/hook", topics: [ALL], name: "all" }) { webhook { id } } }',
  );

/** A write of contacts and the end of its sync. */
async function write(method: string, path: string, data?: unknown) {
  const response = await rest(method, path, data);
  expect(response.status, response.text).toBeLessThan(300);
  return endOfSync(gateway, company, response.body.data.sync_id);
}

describe('a record that a pull has rejected', () => {
  const account = (platformId: string, parent: string | null) =>
    ledger.put('ACCOUNT', { platform_id: platformId, name: platformId, parent_account_id: parent });
  const parents = async () => {
    const rows = await list('accounts');
    const names = new Map(rows.map((row) => [row.ledger_id, row.name]));
    return Object.fromEntries(rows.map((row) => [row.name, names.get(row.parent_account_id) ?? null]));
  };

  it('is tried again by every run until it can be stored, though the source does not send it again', async () => {
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

  it('is forgotten once the source has deleted it, or a full run does not meet it', async () => {
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
  it('deletes only what the source has deleted, and takes a record that is shown twice once', async () => {
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

  it('ends, though the source allows fewer calls at a time than there are records to ask for', async () => {
    ledger.isShifting = true;
    for (let index = 0; index < 6; index++) ledger.put('CONTACT', { platform_id: `S-${index}`, name: `Contact ${index}` });
    expect((await run()).status).toBe('SUCCESS');
    for (let index = 0; index < 6; index++) ledger.remove('CONTACT', `S-${index}`);
    let asked = 0;
    // Three in a row get a response: as many as are stored before each pause.
    ledger.failure = ({ path }) => (path.startsWith('/contact/') && ++asked % 4 === 0 ? 'limit' : undefined);
    expect((await run('?full_sync=true')).status).toBe('SUCCESS');
    expect([asked, await list('contacts')]).toEqual([7, []]);
  }, 60_000);

  it.each([
    [11, 6, 'SUCCESS'],
    [150, 3, 'FAILED'],
  ])(
    'continues in other queue jobs while records take %i minutes each, for six hours at most',
    async (minutes, most, status) => {
      ledger.isShifting = true;
      for (let index = 0; index < 6; index++) ledger.put('CONTACT', { platform_id: `S-${index}`, name: `Contact ${index}` });
      expect((await run()).status).toBe('SUCCESS');
      for (let index = 0; index < 6; index++) ledger.remove('CONTACT', `S-${index}`);
      let asked = 0;
      ledger.failure = ({ path }) => {
        if (!path.startsWith('/contact/')) return undefined;
        asked++;
        gateway.clock.advance(minutes * 60_000);
        return undefined;
      };
      const ended = await run('?full_sync=true');
      const job = (await jobsOf(gateway, company, ended.id)).find(({ errorCode }) => errorCode !== null);
      expect([asked, job?.errorMessage ?? status]).toEqual([
        most,
        status === 'SUCCESS' ? 'SUCCESS' : 'the source gave CONTACT records for more than 21600 seconds without an end',
      ]);
    },
    60_000,
  );
});

describe('a source whose reads lag behind its writes', () => {
  it.each(['', '?full_sync=true'])(
    'loses no record that is pushed while it is pulled (%s)',
    async (query) => {
      ledger.put('CONTACT', { platform_id: 'OLD', name: 'Old' });
      await run();
      let absent = 0;
      ledger.failure = ({ method, path }) => {
        if (method !== 'GET' || !path.startsWith('/contact/')) return undefined;
        absent++;
        return 'absent';
      };
      let syncId: string | undefined;
      ledger.late = async ({ method, path }) => {
        if (method !== 'GET' || path !== '/contact' || syncId) return;
        syncId = 'begun';
        expect((await write('PUT', '/contacts', { name: 'New' })).status).toBe('SUCCESS');
      };
      expect((await run(query)).status).toBe('SUCCESS');
      expect(absent).toBeGreaterThan(0);
      expect((await list('contacts')).map(({ name, source_state: state }) => [name, state])).toEqual([
        ['Old', 'IN_SYNC'],
        ['New', 'IN_SYNC'],
      ]);
      const made = ledger.rows('CONTACT').find(({ name }) => name === 'New')!;
      // Its list says what has been deleted.
      ledger.remove('CONTACT', String(made.platform_id));
      expect((await run(query)).status).toBe('SUCCESS');
      expect((await list('contacts')).map(({ name }) => name)).toEqual(['Old']);
    },
    60_000,
  );
});

describe('a write', () => {
  it('that the source has rejected is sent again by a retry of its sync, over REST and GraphQL', async () => {
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
      const response = await retry();
      const syncId = response.body.data?.id ?? response.body.data?.retrySync.sync.id;
      const sync = await endOfSync(gateway, company, syncId);
      expect(sync).toMatchObject({ status: 'SUCCESS', jobCounts: { total: 1 } });
      expect(ledger.rows('CONTACT').map(({ name }) => name)).toContain(api);
      expect((await list('contacts')).find(({ name }) => name === api)).toMatchObject({ source_state: 'IN_SYNC', source_error: null });
      expect((await retry()).text).toContain('INVALID_STATE_TRANSITION');
    }
    expect(ledger.effects).toHaveLength(2);
  });

  it('after a create whose response was lost does not get lost with it', async () => {
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

  it('that deletes a record whose create may have happened deletes it at the source', async () => {
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

  it('of a record that has the id of another one at the source is a conflict, not a second record', async () => {
    ledger.put('CONTACT', { platform_id: 'C-9', name: 'There' });
    const sync = await write('PUT', '/contacts', { platform_id: 'C-9', name: 'Here' });
    expect(sync.status).toBe('FAILED');
    expect(await list('contacts')).toMatchObject([{ name: 'Here', source_state: 'CONFLICT', source_version: { name: 'There' } }]);
    expect(ledger.effects).toEqual([]);
  });

  it('that deletes what has changed at the source is rejected, and the record is there again as the source has it', async () => {
    ledger.put('CONTACT', { platform_id: 'C-1', name: 'Old' });
    await run();
    const [{ ledger_id: ledgerId } = {}] = await list('contacts');
    ledger.put('CONTACT', { platform_id: 'C-1', name: 'New' });
    expect((await rest('DELETE', `/contacts/${ledgerId}`)).status).toBe(204);
    for (let wait = 0; (await list('contacts')).length === 0 && wait < 400; wait++) await new Promise((resolve) => setTimeout(resolve, 50));
    const back = { ledger_id: ledgerId, platform_id: 'C-1', name: 'New', source_state: 'IN_SYNC' };
    expect(await list('contacts')).toMatchObject([back]);
    expect(ledger.rows('CONTACT')).toMatchObject([{ name: 'New' }]);
    await run('?full_sync=true');
    expect(await list('contacts')).toMatchObject([{ name: 'New', source_state: 'IN_SYNC' }]);
  });
});

describe('a deletion that the source rejects', () => {
  const deny = (): void => {
    ledger.failure = ({ method }) => (method === 'DELETE' ? 'deny' : undefined);
  };
  const WORDS = 'the books are closed';
  const refused = { source_state: 'PUSH_FAILED', source_error: expect.stringContaining(WORDS) };
  const bodies: Record<string, Record<string, unknown>> = {
    contacts: { name: 'Kept', addresses: [{ platform_id: 'a', city: 'Graz' }] },
    items: { name: 'Kept', variants: [{ platform_id: 'v', name: 'Red' }] },
    estimates: { memo: 'Kept', line_items: [{ platform_id: 'l', name: 'Line', quantity: 2 }] },
    purchase_orders: { description: 'Kept', line_items: [{ platform_id: 'l', name: 'Line', quantity: 2 }] },
  };
  const children = { contacts: 'addresses', items: 'variants', estimates: 'line_items', purchase_orders: 'line_items' };
  const read = (records: string, ledgerId: number, child: string) =>
    rest('GET', `/${records}/${ledgerId}?expand=${child}&select=source_state,source_error`);
  const made = async (records: string, body = bodies[records]!): Promise<{ ledger_id: number; platform_id: string }> => {
    const response = await rest('PUT', `/${records}?wait=30`, body);
    expect(response.status, response.text).toBe(200);
    return response.body.data.data;
  };
  beforeEach(() => listen());
  const events = async (ledgerId: number): Promise<string[]> => {
    const query = "select operation from event where topic = 'DATA_MODEL_CHANGES' and data->>'ledger_id' = ? order by id";
    const rows = await gateway.services.database.orm.em
      .fork()
      .getConnection()
      .execute<{ operation: string }[]>(query, [String(ledgerId)]);
    return rows.map(({ operation }) => operation);
  };

  it('is the error of a call that waits, and the record is there again with the words of the source, whatever its type', async () => {
    deny();
    for (const [records, child] of Object.entries(children)) {
      const { ledger_id: ledgerId } = await made(records);
      const before = (await read(records, ledgerId, child)).body.data;
      const response = await rest('DELETE', `/${records}/${ledgerId}?wait=30`);
      expect(response.status, `${records} ${response.text}`).toBe(400);
      expect(response.body.error).toMatchObject({ error_code: 'PLATFORM_DENIED', message: expect.stringContaining(WORDS) });
      expect(response.body.error.platform_error).toMatchObject({ status: 403 });
      const after = await read(records, ledgerId, child);
      expect(after.status, after.text).toBe(200);
      expect(after.body.data).toMatchObject({ ledger_id: ledgerId, ...refused });
      expect(after.body.data[child]).toHaveLength(1);
      expect(after.body.data[child][0].ledger_id).toBe(before[child][0].ledger_id);
      expect(await list(records)).toMatchObject([{ ledger_id: ledgerId, ...refused }]);
      expect((await rest('GET', `/${records}?source_state=PUSH_FAILED`)).body.data).toHaveLength(1);
      expect((await events(ledgerId)).slice(-2)).toEqual(['DELETE', 'CREATE']);
    }
    for (const query of ['', '?full_sync=true']) {
      expect((await run(query)).status).toBe('SUCCESS');
      for (const records of Object.keys(children)) expect(await list(records)).toMatchObject([refused]);
    }
  }, 120_000);

  it('is reported record by record over GraphQL, and as one error where the operation selects none', async () => {
    const [one, two] = [await made('contacts', { name: 'One' }), await made('contacts', { name: 'Two' })];
    ledger.failure = ({ method, path }) => (method === 'DELETE' && path === `/contact/${one.platform_id}` ? 'deny' : undefined);
    const variables = { company: company.id, one: one.ledger_id, ids: [{ id: one.ledger_id }, { id: two.ledger_id }] };
    const single = `mutation ($company: ID!, $one: ID!) {
      deleteContact(input: { companyId: $company, id: $one, wait: 30 }) { contact { ledgerId } errors { code message } } }`;
    const alone = (await gateway.graphql(company.key, single, variables)).body;
    expect(alone.data.deleteContact).toEqual({
      contact: null,
      errors: [{ code: 'PLATFORM_DENIED', message: expect.stringContaining(WORDS) }],
    });
    const several = `mutation ($company: ID!, $ids: [RecordVersionInput!]!) {
      deleteContacts(input: { companyId: $company, records: $ids, wait: 30 }) { results { index errors { code path message } } errors { code } } }`;
    const each = (await gateway.graphql(company.key, several, variables)).body;
    expect(each.data.deleteContacts, JSON.stringify(each)).toEqual({
      errors: [{ code: 'PLATFORM_DENIED' }],
      results: [
        { index: 0, errors: [{ code: 'PLATFORM_DENIED', path: ['records', '0', 'id'], message: expect.stringContaining(WORDS) }] },
        { index: 1, errors: [] },
      ],
    });
    expect(await list('contacts')).toMatchObject([{ name: 'One', ...refused }]);
    const bare = single.replace('errors { code message }', '');
    expect((await gateway.graphql(company.key, bare, variables)).text).toContain(WORDS);
  }, 60_000);

  it('brings the record back without wait, and a retry of its sync deletes it once the source lets it go', async () => {
    deny();
    const { ledger_id: ledgerId } = await made('contacts');
    const mutation =
      'mutation ($company: ID!, $id: ID!) { deleteContact(input: { companyId: $company, id: $id }) { syncId errors { code } } }';
    const { body } = await gateway.graphql(company.key, mutation, { company: company.id, id: ledgerId });
    expect(body.data.deleteContact.errors).toEqual([]);
    const { syncId } = body.data.deleteContact;
    expect((await endOfSync(gateway, company, syncId)).status).toBe('FAILED');
    expect(await list('contacts')).toMatchObject([{ ledger_id: ledgerId, ...refused }]);
    const retry = async (sync: string) => {
      const response = await gateway.send('POST', `/v4/core/syncs/${sync}/retry`, { headers: company.headers });
      expect(response.status, response.text).toBe(201);
      return endOfSync(gateway, company, response.body.data.id);
    };
    const again = await retry(syncId);
    expect(again.status).toBe('FAILED');
    expect(await list('contacts')).toMatchObject([{ ledger_id: ledgerId, ...refused }]);
    ledger.failure = () => undefined;
    expect((await retry(again.id)).status).toBe('SUCCESS');
    expect(await list('contacts')).toEqual([]);
    expect(ledger.rows('CONTACT')).toEqual([]);
    expect((await events(ledgerId)).slice(-5)).toEqual(['DELETE', 'CREATE', 'DELETE', 'CREATE', 'DELETE']);
  }, 60_000);

  it('of a part of a record is the error of a call that waits, and is reported at that record', async () => {
    const { ledger_id: ledgerId } = await made('contacts');
    ledger.refuses = () => WORDS;
    const [address] = (await rest('GET', `/contacts/${ledgerId}?expand=addresses`)).body.data.addresses;
    const response = await rest('DELETE', `/addresses/${address.ledger_id}?wait=30`);
    expect(response.status, response.text).toBe(400);
    expect(response.body.error).toMatchObject({ error_code: 'PLATFORM_DENIED', message: expect.stringContaining(WORDS) });
    expect(await list('contacts')).toMatchObject([{ ledger_id: ledgerId, ...refused }]);
  });

  it('keeps what the record named and the source has not sent', async () => {
    ledger.put('ESTIMATE', { platform_id: 'E-1', memo: 'Names', contact_id: 'C-later' });
    await run();
    const [{ ledger_id: ledgerId } = {}] = await list('estimates');
    deny();
    expect((await rest('DELETE', `/estimates/${ledgerId}?wait=30`)).status).toBe(400);
    ledger.put('CONTACT', { platform_id: 'C-later', name: 'Later' });
    await run();
    const [contact] = await list('contacts');
    expect(await list('estimates')).toMatchObject([{ ledger_id: ledgerId, contact_id: contact!.ledger_id, ...refused }]);
    ledger.failure = () => undefined;
    expect((await rest('DELETE', `/estimates/${ledgerId}?wait=30`)).status).toBe(204);
    expect(await list('estimates')).toEqual([]);
  }, 60_000);
});

describe('a full run that does not meet many records', () => {
  const fill = async (count: number): Promise<void> => {
    for (let index = 0; index < count; index++) ledger.put('CONTACT', { platform_id: `C-${index}`, name: `Contact ${index}` });
    expect((await run()).status).toBe('SUCCESS');
  };
  const count = async (): Promise<number> => (await rest('GET', '/contacts/summary')).body.data.total_count;
  const NUMBERS = 'the source no longer shows 200 of 200 CONTACT records';
  /** A full run until it waits. */
  const unconfirmed = async (): Promise<string> => {
    const sync = await run('?full_sync=true');
    expect(sync.status).toBe('PENDING_CONFIRMATION');
    return sync.id;
  };
  const confirm = (syncId: string) => gateway.send('POST', `/v4/core/syncs/${syncId}/confirm`, { headers: company.headers });
  const statusOf = async (syncId: string): Promise<string> =>
    (await gateway.send('GET', `/v4/core/syncs/${syncId}`, { headers: company.headers })).body.data.status;
  const empty = (): void => {
    ledger.failure = ({ method }) => (method === 'GET' ? 'empty' : undefined);
  };

  it('deletes nothing and reports the numbers until it is confirmed, and then deletes those', async () => {
    await listen();
    await fill(200);
    empty();
    const syncId = await unconfirmed();
    expect(await count()).toBe(200);
    const jobs = await jobsOf(gateway, company, syncId);
    const waiting = { dataModel: 'CONTACT', status: 'PENDING_CONFIRMATION', errorMessage: expect.stringContaining(NUMBERS) };
    expect(jobs.filter(({ status }) => status !== 'SUCCESS')).toMatchObject([waiting]);
    const sql = "select data from event where topic = 'SYNCS_CONFIRMATION_NEEDED' and subject_id = ?";
    const events = await gateway.services.database.orm.em.fork().getConnection().execute<{ data: unknown }[]>(sql, [syncId]);
    expect(events.map(({ data }) => data)).toMatchObject([
      {
        sync_id: syncId,
        ledger_company_id: company.id,
        data_models: [{ data_model: 'CONTACT', message: expect.stringContaining(NUMBERS) }],
      },
    ]);
    // It does not stand in the way of a run that asks for changes, and of what comes in the meantime nothing is deleted.
    ledger.failure = () => undefined;
    ledger.put('CONTACT', { platform_id: 'C-900', name: 'New' });
    ledger.put('CONTACT', { platform_id: 'C-7', name: 'There after all' });
    expect((await run()).status).toBe('SUCCESS');
    ledger.failure = ({ method, path }) => (method === 'GET' && !/C-(900|7)$/.test(path) ? 'empty' : undefined);
    const query = 'mutation ($id: ID!) { confirmSync(input: { id: $id }) { sync { id status } } }';
    const { body } = await gateway.graphql(company.key, query, { id: syncId });
    expect(body.data.confirmSync).toEqual({ sync: { id: syncId, status: 'RUNNING' } });
    expect((await endOfSync(gateway, company, syncId)).status).toBe('SUCCESS');
    expect((await list('contacts')).map(({ platform_id }) => platform_id).sort()).toEqual(['C-7', 'C-900']);
    expect((await jobsOf(gateway, company, syncId)).map(({ errorMessage }) => errorMessage)).not.toContainEqual(expect.anything());
    expect((await confirm(syncId)).body.error).toMatchObject({ error_code: 'INVALID_STATE_TRANSITION' });
  }, 60_000);

  it('is replaced by the next one, and can be cancelled', async () => {
    await fill(200);
    empty();
    const [first, second] = [await unconfirmed(), await unconfirmed()];
    expect(await statusOf(first)).toBe('PARTIAL_SUCCESS');
    expect((await confirm(first)).body.error).toMatchObject({ error_code: 'INVALID_STATE_TRANSITION' });
    const cancelled = await gateway.send('POST', `/v4/core/syncs/${second}/cancel`, { headers: company.headers });
    expect(cancelled.body.data.status).toBe('CANCELLED');
    const third = await unconfirmed();
    ledger.failure = () => undefined;
    expect((await run('?full_sync=true')).status).toBe('SUCCESS');
    expect(await statusOf(third)).toBe('PARTIAL_SUCCESS');
    expect(await count()).toBe(200);
  }, 60_000);

  it('deletes a tenth, or twenty, without being asked', async () => {
    for (const [all, gone] of [
      [30, 20],
      [500, 50],
    ] as const) {
      await fill(all);
      for (let index = 0; index < gone; index++) ledger.forget('CONTACT', `C-${index}`);
      expect((await run('?full_sync=true')).status).toBe('SUCCESS');
      expect(await count()).toBe(all - gone);
      await run('?full_sync=true');
    }
  }, 60_000);
});

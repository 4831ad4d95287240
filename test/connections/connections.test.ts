// Connections to a source system over HTTP: their state, pulls that continue, and writes that reach the source once.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ownRun, runOf } from '../support/connections.ts';
import { useGateway } from '../support/gateway.ts';
import { type Ledger, startLedger } from '../support/ledger.ts';
import { buildCompany, type TestCompany } from '../support/records.ts';
import { endOfSync, jobsOf } from '../support/syncs.ts';

const gateway = useGateway({ connectorPrivateHosts: ['127.0.0.1'] });

let ledger: Ledger;
let company: TestCompany;

beforeEach(async () => {
  ledger = await startLedger();
  company = await buildCompany(gateway);
});
afterEach(() => ledger.stop());

const rest = async (method: string, path: string, data?: unknown) =>
  gateway.send(method, `${company.base}${path}`, { headers: company.headers, ...(data === undefined ? {} : { body: { data } }) });

/** Connects the company; after its first run its schedule starts nothing during a test. */
async function connect(settings: Record<string, string> = { url: ledger.url, apiKey: ledger.apiKey }): Promise<string> {
  const response = await rest('POST', '/connections', { source: 'DEMO', settings, interval_minutes: 43_200 });
  expect(response.status, response.text).toBe(201);
  return response.body.data.id;
}

const run = (id: string, query?: string) => runOf(gateway, company, id, query);

/** Ends the connection of the company by a disconnect request. */
async function disconnect(): Promise<void> {
  const { headers } = company;
  const request = await gateway.send('POST', '/v4/core/disconnect-requests', { headers, body: { data: { company_id: company.id } } });
  const path = `/v4/core/disconnect-requests/${request.body.data.ledger_id}/approve`;
  const approved = await gateway.send('POST', path, { headers, body: {} });
  expect(approved.status, approved.text).toBe(200);
}

const numbers = (stored: number, refused: number, pending: number, deleted: number) => ({ stored, refused, pending, deleted });

const stateOf = async (id: string) => (await rest('GET', `/connections/${id}`)).body.data;

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** The contact with a name, with its state at its source. */
async function contact(name: string) {
  const { body } = await rest('GET', `/contacts?limit=100&select=source_state,source_error,source_version`);
  return body.data.find((row: { name: string }) => row.name === name);
}

describe('a connection', () => {
  it('is made with its settings, shows no credential, and reports what its source can do', async () => {
    const id = await connect();
    const response = await gateway.graphql(
      company.key,
      `query ($id: ID!) { connection(id: $id) { id source status settings intervalMinutes company { ledgerId } capabilities { dataModel pull push } cursors { dataModel } } connectors { source settings { name kind isRequired } } }`,
      { id },
    );
    expect(response.body.errors).toBeUndefined();
    expect(response.body.data.connection).toMatchObject({
      id,
      source: 'DEMO',
      settings: { url: ledger.url },
      company: { ledgerId: company.id },
    });
    expect(response.body.data.connection.capabilities).toContainEqual({ dataModel: 'CONTACT', pull: true, push: true });
    expect(response.text).not.toContain('first-key');
    expect((await rest('GET', '/connections')).body.data).toHaveLength(1);
    expect((await rest('GET', '')).body.data).toMatchObject({ integration_type: 'DEMO', connection_status: 'ACTIVE' });
  });

  it('is rejected by name for an unknown source, a wrong setting and a second one', async () => {
    for (const [data, field] of [
      [{ source: 'NOWHERE' }, 'source'],
      [{ source: 'DEMO', settings: { url: 'ftp://x' } }, 'settings.url'],
      [{ source: 'DEMO', settings: { colour: 'red' } }, 'settings.colour'],
      [{ source: 'DEMO', settings: { url: 5 } }, 'settings.url'],
      [{ source: 'DEMO', interval_minutes: 0 }, 'interval_minutes'],
    ] as const) {
      const response = await rest('POST', '/connections', data);
      expect([response.status, response.body.error?.error_code], response.text).toEqual([400, 'INVALID_PARAMS']);
      expect(response.body.error.message).toContain(field);
    }
    await connect();
    expect((await rest('POST', '/connections', { source: 'DEMO' })).body.error.error_code).toBe('RECORD_ALREADY_EXISTS');
  });

  it('without its credentials waits, and says what it needs', async () => {
    const id = await connect({ url: ledger.url });
    expect(await stateOf(id)).toMatchObject({ status: 'PENDING', status_reason: expect.stringContaining('API key'), next_run_at: null });
    const changed = await rest('PATCH', `/connections/${id}`, { settings: { apiKey: ledger.apiKey } });
    expect(changed.status, changed.text).toBe(200);
    await run(id);
    expect(await stateOf(id)).toMatchObject({ status: 'CONNECTED', status_reason: null });
  });

  it('whose key was revoked needs another, and works again with it', async () => {
    const id = await connect();
    await run(id);
    ledger.apiKey = 'second-key';
    expect(await run(id)).toMatchObject({ status: 'FAILED' });
    expect(await stateOf(id)).toMatchObject({ status: 'NEEDS_REAUTH', next_run_at: null });
    await rest('PATCH', `/connections/${id}`, { settings: { apiKey: 'second-key' } });
    await run(id);
    expect(await stateOf(id)).toMatchObject({ status: 'CONNECTED' });
  });

  it('whose key is rejected tries it once in a run of all data models, and not for writes; a run by hand tries again', async () => {
    let tried = 0;
    ledger.failure = () => {
      tried++;
      return undefined;
    };
    const id = await connect({ url: ledger.url, apiKey: 'a wrong key' });
    const [first] = await ownRun(gateway, company, id);
    expect(first).toMatchObject({ status: 'FAILED' });
    const jobs = await jobsOf(gateway, company, first!.id);
    expect(jobs.map(({ status, errorCode }) => [status, errorCode])).toEqual(Array(10).fill(['FAILED', 'CONNECTION_EXPIRED']));
    const { status, status_reason, status_since } = await stateOf(id);
    expect([status, status_reason]).toEqual(['NEEDS_REAUTH', expect.stringContaining('does not accept the credentials')]);
    await rest('POST', '/contacts', { name: 'Waiting' });
    await until(async () => (await contact('Waiting')).source_error !== null);
    expect([tried, await stateOf(id)]).toMatchObject([1, { status, status_reason, status_since, next_run_at: null }]);

    expect(await run(id)).toMatchObject({ status: 'FAILED' });
    expect(tried).toBe(2);
    // The source accepts the key now: what was stopped continues.
    ledger.apiKey = 'a wrong key';
    expect(await run(id)).toMatchObject({ status: 'SUCCESS' });
    expect(await stateOf(id)).toMatchObject({ status: 'CONNECTED', next_run_at: expect.any(String) });
  });

  it('whose key is rejected in the middle of a run needs another, though a part of the run has succeeded', async () => {
    const id = await connect();
    await run(id);
    let tried = 0;
    ledger.failure = ({ path }) => {
      if (path !== '/contact' && tried === 0) return undefined;
      tried++;
      ledger.apiKey = 'second-key';
      return undefined;
    };
    expect(await run(id)).toMatchObject({ status: 'PARTIAL_SUCCESS' });
    expect([tried, await stateOf(id)]).toMatchObject([1, { status: 'NEEDS_REAUTH', next_run_at: null }]);
  });

  it('some of whose data models fail says which and why, until they are pulled again; a write does not hide it', async () => {
    ledger.put('ITEM', { platform_id: 'I-1', name: 'Bolt', price: 'no number' });
    ledger.put('ITEM', { platform_id: 'I-2', name: 'Nut', price: 1 });
    const denied = new Set(['/contact', '/estimate']);
    ledger.failure = ({ method, path }) => (method === 'GET' && denied.has(path) ? 'deny' : undefined);
    const id = await connect();
    const reason =
      /^(CONTACT, ESTIMATE|ESTIMATE, CONTACT) cannot be pulled: .*the books are closed; 1 of the ITEM records cannot be stored$/;
    const [first] = await ownRun(gateway, company, id);
    const lacking = { status: 'CONNECTED', status_reason: expect.stringMatching(reason), last_success_at: null };
    expect([first!.status, await stateOf(id)]).toMatchObject(['PARTIAL_SUCCESS', lacking]);
    const model = async (name: string) =>
      (await stateOf(id)).data_model_states.find(({ data_model }: { data_model: string }) => data_model === name);
    expect([await model('CONTACT'), await model('ITEM'), await model('ACCOUNT')]).toEqual([
      { data_model: 'CONTACT', last_success_at: null, last_error: expect.stringContaining('books are closed'), ...numbers(0, 0, 0, 0) },
      { data_model: 'ITEM', last_success_at: expect.any(String), last_error: null, ...numbers(1, 1, 0, 0) },
      { data_model: 'ACCOUNT', last_success_at: expect.any(String), last_error: null, ...numbers(0, 0, 0, 0) },
    ]);
    const response = await rest('POST', '/contacts', { name: 'New' });
    expect((await endOfSync(gateway, company, response.body.data.sync_id)).status).toBe('SUCCESS');
    expect(await stateOf(id)).toMatchObject({ status: 'CONNECTED', status_reason: expect.stringMatching(reason) });
    const events = await gateway.graphql(company.key, '{ events(first: 50) { nodes { topic } } }');
    expect(events.text).not.toContain('CONNECTIONS.ERROR');

    denied.clear();
    ledger.put('ITEM', { platform_id: 'I-1', name: 'Bolt', price: 1 });
    expect(await run(id)).toMatchObject({ status: 'SUCCESS' });
    expect(await stateOf(id)).toMatchObject({ status: 'CONNECTED', status_reason: null, last_success_at: expect.any(String) });
    expect(await model('CONTACT')).toMatchObject({ last_success_at: expect.any(String), last_error: null, ...numbers(1, 0, 0, 0) });

    ledger.remove('ITEM', 'I-2');
    await run(id);
    ledger.failure = ({ method }) => (method === 'GET' ? undefined : 'limit');
    for (const name of ['One', 'Two']) await rest('POST', '/contacts', { name });
    const query =
      '{ connections: companies(first: 1) { nodes { connections(first: 5) { nodes { dataModelStates { dataModel stored refused pending deleted } } } } } }';
    const { nodes } = (await gateway.graphql(company.key, query)).body.data.connections;
    expect(nodes[0].connections.nodes[0].dataModelStates).toEqual(
      expect.arrayContaining([
        { dataModel: 'CONTACT', ...numbers(1, 0, 2, 0) },
        { dataModel: 'ITEM', ...numbers(1, 0, 0, 1) },
      ]),
    );
    ledger.failure = () => undefined;
  });

  it('is paused and resumed, and ends with an approved disconnect request, its credentials destroyed', async () => {
    const id = await connect();
    // Another run would wait for the end of this one, and then for the schedule.
    await ownRun(gateway, company, id);
    expect((await rest('POST', `/connections/${id}/pause`)).body.data).toMatchObject({ status: 'PAUSED', next_run_at: null });
    expect((await rest('POST', `/connections/${id}/resume`)).body.data.status).toBe('PENDING');
    expect((await rest('POST', `/connections/${id}/resume`)).body.error.error_code).toBe('INVALID_STATE_TRANSITION');
    await run(id);
    await disconnect();
    expect(await stateOf(id)).toMatchObject({ status: 'DISCONNECTED', next_run_at: null });
    const rows = await gateway.services.database.orm.em
      .fork()
      .getConnection()
      .execute('select sealed_credentials from connection where id = ?', [id]);
    expect(rows).toEqual([{ sealed_credentials: null }]);
    expect((await rest('POST', `/connections/${id}/sync`)).body.error.error_code).toBe('CONNECTION_DISCONNECTED');
  });

  it('in the path of another company is not found, and no run begins', async () => {
    const id = await connect();
    const other = await buildCompany(gateway, { key: company.key });
    for (const [method, path] of [
      ['GET', ''],
      ['PATCH', ''],
      ['POST', '/pause'],
      ['POST', '/resume'],
      ['POST', '/link'],
      ['POST', '/sync'],
    ] as const) {
      const body = method === 'PATCH' ? { body: { data: { interval_minutes: 5 } } } : {};
      const response = await gateway.send(method, `${other.base}/connections/${id}${path}`, { headers: other.headers, ...body });
      expect([response.status, response.body.error.error_code], path).toEqual([404, 'RECORD_NOT_FOUND']);
    }
    expect((await gateway.send('GET', `${other.base}/syncs`, { headers: other.headers })).body.data.syncs).toEqual([]);
    expect((await stateOf(id)).interval_minutes).toBe(43_200);
  });

  it('stays the source of its company until it is ended: another source is rejected with a message', async () => {
    const id = await connect();
    const refused = await rest('POST', '/connect', { integration_type: 'XERO' });
    expect([refused.status, refused.body.error.error_code], refused.text).toEqual([409, 'INVALID_STATE_TRANSITION']);
    expect(refused.body.error.message).toContain('connected to DEMO');
    expect((await rest('GET', '')).body.data.integration_type).toBe('DEMO');
    for (const data of [undefined, { integration_type: 'DEMO' }])
      expect((await rest('POST', '/connect', data)).body.data.integration_type).toBe('DEMO');
    await run(id);
    await disconnect();
    expect((await rest('POST', '/connect', { integration_type: 'XERO' })).body.data.integration_type).toBe('XERO');
  });

  it('that a run by hand fails on stays paused, and is resumed', async () => {
    const id = await connect();
    await run(id);
    await rest('POST', `/connections/${id}/pause`);
    ledger.failure = () => 'deny';
    await run(id);
    expect(await stateOf(id)).toMatchObject({
      status: 'PAUSED',
      status_reason: expect.stringContaining('books are closed'),
      next_run_at: null,
    });
    ledger.failure = () => undefined;
    expect((await rest('POST', `/connections/${id}/resume`)).status).toBe(200);
  });

  it('that is ended leaves the records, takes no more of them to the source, and lets a new one take over', async () => {
    ledger.put('CONTACT', { platform_id: 'C-1', name: 'Kept' });
    const id = await connect();
    await run(id);
    const { url } = (await rest('POST', `/connections/${id}/link`)).body.data;
    await disconnect();
    expect(await contact('Kept')).toMatchObject({ platform_id: 'C-1', name: 'Kept' });
    expect((await fetch(url.replace(/^https?:\/\/[^/]+/, gateway.origin))).status).toBeGreaterThanOrEqual(400);
    expect((await rest('PUT', '/contacts', { platform_id: 'C-1', name: 'Changed' })).body.error.error_code).toBe('CONNECTION_DISCONNECTED');
    expect(ledger.effects).toEqual([]);
    const again = await connect();
    await run(again);
    expect(await contact('Kept')).toMatchObject({ platform_id: 'C-1', source_state: 'IN_SYNC' });
    expect((await rest('GET', '/contacts')).body.data).toHaveLength(1);
    expect((await rest('GET', '/connections')).body.data).toHaveLength(2);
  });

  it('that is ended goes with the records, when its company is removed', async () => {
    ledger.put('CONTACT', { platform_id: 'C-1', name: 'Removed' });
    const id = await connect();
    await run(id);
    expect((await gateway.send('DELETE', `${company.base}?name=Test%20company`, { headers: company.headers })).status).toBe(409);
    await disconnect();
    expect((await gateway.send('DELETE', `${company.base}?name=Test%20company`, { headers: company.headers })).status).toBe(204);
    const rows = (table: string): Promise<unknown[]> =>
      gateway.services.database.orm.em.fork().getConnection().execute(`select 1 from ${table} where company_id = ?`, [company.id]);
    while ((await rows('contact')).length > 0 || (await rows('connection')).length > 0)
      await new Promise((resolve) => setTimeout(resolve, 50));
  });

  it('of another organisation is not found', async () => {
    const id = await connect();
    const stranger = await buildCompany(gateway);
    for (const [method, path] of [
      ['GET', ''],
      ['PATCH', ''],
      ['POST', '/pause'],
      ['POST', '/sync'],
    ] as const) {
      const body = method === 'PATCH' ? { body: { data: { interval_minutes: 5 } } } : {};
      const response = await gateway.send(method, `${stranger.base}/connections/${id}${path}`, { headers: stranger.headers, ...body });
      expect([response.status, response.body.error.error_code]).toEqual([404, 'RECORD_NOT_FOUND']);
    }
  });
});

describe('a pull', () => {
  it('brings what changed, in the state IN_SYNC, and touches nothing the second time', async () => {
    for (let index = 0; index < 120; index++) ledger.put('CONTACT', { platform_id: `C-${index}`, name: `Contact ${index}` });
    const id = await connect();
    await run(id);
    const first = await contact('Contact 5');
    expect(first).toMatchObject({ platform_id: 'C-5', source_state: 'IN_SYNC' });
    await run(id, '?full_sync=true');
    expect((await contact('Contact 5')).ledger_updated_at).toBe(first.ledger_updated_at);
    ledger.put('CONTACT', { platform_id: 'C-5', name: 'Renamed' });
    ledger.remove('CONTACT', 'C-6');
    ledger.requests = 0;
    await run(id);
    expect(await contact('Renamed')).toMatchObject({ platform_id: 'C-5' });
    expect(await contact('Contact 6')).toBeUndefined();
  });

  it('continues after the last stored page when the source fails, and a limit is a pause', async () => {
    for (let index = 0; index < 200; index++) ledger.put('CONTACT', { platform_id: `C-${index}`, name: `Contact ${index}` });
    let pages = 0;
    let refused = 0;
    ledger.failure = ({ method, path }) => {
      if (method !== 'GET' || path !== '/contact') return undefined;
      pages++;
      if (pages % 2 === 0 && refused < 5) {
        refused++;
        return 'limit';
      }
      return undefined;
    };
    const [first] = await ownRun(gateway, company, await connect());
    expect(first!.status).toBe('SUCCESS');
    // Four pages and three pauses between them: nothing that was stored is asked for again.
    expect([refused, pages]).toEqual([3, 7]);
    expect(
      (await gateway.send('GET', `${company.base}/contacts?limit=1&return_count=true`, { headers: company.headers })).body.pagination
        .total_count,
    ).toBe(200);
  });

  it('a rejection ends the job with the words of the source', async () => {
    ledger.failure = () => 'deny';
    const id = await connect();
    const sync = await run(id);
    expect(sync.status).toBe('FAILED');
    const [job] = await jobsOf(gateway, company, sync.id);
    expect(job).toMatchObject({ errorCode: 'PLATFORM_DENIED', errorMessage: expect.stringContaining('books are closed') });
    expect(await stateOf(id)).toMatchObject({ status: 'ERROR' });
  }, 60_000);
});

describe('a write', () => {
  /** Writes a contact and waits until its sync has ended. */
  async function write(body: Record<string, unknown>, method = 'PUT', path = '/contacts') {
    const response = await rest(method, path, body);
    expect(response.status, response.text).toBeLessThan(300);
    const sync = await endOfSync(gateway, company, response.body.data.sync_id);
    return { response, sync };
  }

  it('reaches the source, and the record takes over its id', async () => {
    const id = await connect();
    await run(id);
    const response = await rest('POST', '/contacts', { name: 'New' });
    const sync = await endOfSync(gateway, company, response.body.data.sync_id);
    expect(sync.status).toBe('SUCCESS');
    expect(ledger.effects).toMatchObject([{ method: 'POST', record: { name: 'New' } }]);
    expect(await contact('New')).toMatchObject({ source_state: 'IN_SYNC', platform_id: ledger.effects[0]!.id });
    await run(id, '?full_sync=true');
    expect(await contact('New')).toMatchObject({ source_state: 'IN_SYNC' });
    expect(ledger.rows('CONTACT')).toHaveLength(1);
  });

  it('that the source rejects says so, stays, and is sent again by the next write', async () => {
    const id = await connect();
    await run(id);
    ledger.refuses = ({ name }) => (name === 'Bad' ? 'no such name' : undefined);
    const { sync } = await write({ platform_id: 'mine', name: 'Bad' });
    expect(sync.status).toBe('FAILED');
    const jobs = await jobsOf(gateway, company, sync.id);
    expect(jobs.map(({ errorCode }) => errorCode)).toContain('PLATFORM_DENIED');
    expect(await contact('Bad')).toMatchObject({ source_state: 'PUSH_FAILED', source_error: expect.stringContaining('no such name') });
    await run(id, '?full_sync=true');
    expect(await contact('Bad')).toBeDefined();
    ledger.refuses = () => undefined;
    await write({ platform_id: 'mine', name: 'Bad' });
    expect(await contact('Bad')).toMatchObject({ source_state: 'IN_SYNC' });
  });

  it('has one effect, also when the response of the source is lost', async () => {
    const id = await connect();
    await run(id);
    let lost = 0;
    ledger.failure = ({ method }) => (method === 'POST' && lost++ === 0 ? 'drop' : undefined);
    const response = await rest('POST', '/contacts', { name: 'Once' });
    // The next attempt is due seconds later.
    for (let wait = 0; ledger.requests > 0 && (await contact('Once')).source_state === 'PENDING_PUSH' && wait < 400; wait++)
      await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await endOfSync(gateway, company, response.body.data.sync_id)).status).toBe('SUCCESS');
    expect(ledger.effects).toHaveLength(1);
    expect(ledger.rows('CONTACT')).toHaveLength(1);
  }, 60_000);

  it('a deletion reaches the source, and a pull before that does not bring the record back', async () => {
    ledger.put('CONTACT', { platform_id: 'C-1', name: 'Old' });
    const id = await connect();
    await run(id);
    const { ledger_id } = await contact('Old');
    expect((await rest('DELETE', `/contacts/${ledger_id}`)).status).toBe(204);
    await run(id, '?full_sync=true');
    expect(await contact('Old')).toBeUndefined();
    for (let wait = 0; ledger.rows('CONTACT').length > 0 && wait < 400; wait++) await new Promise((resolve) => setTimeout(resolve, 50));
    expect(ledger.rows('CONTACT')).toEqual([]);
  });

  it('of a data model that the source does not take stays LOCAL, and no pull deletes it', async () => {
    const id = await connect();
    await run(id);
    const { sync } = await write({ platform_id: 'A-1', name: 'Mine' }, 'PUT', '/accounts');
    expect(sync.status).toBe('SUCCESS');
    await run(id, '?full_sync=true');
    const { body } = await rest('GET', '/accounts?select=source_state');
    expect(body.data).toMatchObject([{ name: 'Mine', source_state: 'LOCAL' }]);
    expect(ledger.effects).toEqual([]);
  });

  it('of a batch waits for the source, record by record', async () => {
    const id = await connect();
    await run(id);
    ledger.refuses = ({ name }) => (name === 'Batch 3' ? 'not this one' : undefined);
    const data = Array.from({ length: 8 }, (_, index) => ({ platform_id: `B-${index}`, name: `Batch ${index}` }));
    const response = await rest('PUT', '/contacts?run_async=true', data);
    const sync = await endOfSync(gateway, company, response.body.data.sync_id);
    expect(sync.status).toBe('PARTIAL_SUCCESS');
    expect(ledger.effects).toHaveLength(7);
    const [job] = await jobsOf(gateway, company, response.body.data.sync_id);
    expect(job!.recordsSynced).toBe(7);
  });
});

describe('a conflict', () => {
  /** A contact that was changed at both ends. */
  async function conflict(): Promise<{ id: string; record: { ledger_id: number } }> {
    ledger.put('CONTACT', { platform_id: 'C-1', name: 'Both', email: 'start@example.com' });
    const id = await connect();
    await run(id);
    ledger.put('CONTACT', { platform_id: 'C-1', name: 'Both', email: 'source@example.com' });
    const response = await rest('PUT', '/contacts', { platform_id: 'C-1', email: 'local@example.com' });
    await endOfSync(gateway, company, response.body.data.sync_id);
    const record = await contact('Both');
    expect(record).toMatchObject({ email: 'local@example.com', source_state: 'CONFLICT', source_version: { email: 'source@example.com' } });
    return { id, record };
  }

  const decide = (ledgerId: number, keep: string) =>
    gateway.graphql(
      company.key,
      `mutation ($input: ResolveConflictInput!) { resolveConflict(input: $input) { record { ... on Contact { email sourceState } } errors { code message } } }`,
      { input: { id: `contact_${ledgerId}`, keep } },
    );

  it('changes neither version, and no pull or push ends it', async () => {
    const { id } = await conflict();
    await run(id, '?full_sync=true');
    expect(await contact('Both')).toMatchObject({ email: 'local@example.com', source_state: 'CONFLICT' });
    expect(ledger.rows('CONTACT')).toMatchObject([{ email: 'source@example.com' }]);
  });

  it('ends with the version of the source, or with the local one at both ends', async () => {
    const { record } = await conflict();
    const response = await decide(record.ledger_id, 'SOURCE');
    expect(response.body.data.resolveConflict).toMatchObject({
      record: { email: 'source@example.com', sourceState: 'IN_SYNC' },
      errors: [],
    });
    expect((await decide(record.ledger_id, 'LOCAL')).body.data.resolveConflict.errors).toMatchObject([
      { code: 'INVALID_STATE_TRANSITION' },
    ]);
  });

  it('of which the local version stays is sent to the source', async () => {
    const { record } = await conflict();
    const response = await decide(record.ledger_id, 'LOCAL');
    expect(response.body.data.resolveConflict.errors).toEqual([]);
    for (let wait = 0; (await contact('Both')).source_state !== 'IN_SYNC' && wait < 400; wait++)
      await new Promise((resolve) => setTimeout(resolve, 50));
    expect(ledger.rows('CONTACT')).toMatchObject([{ email: 'local@example.com' }]);
  });
});

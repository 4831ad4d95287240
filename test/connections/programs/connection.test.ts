// A program as the source of a company: connected, pulled through the runs of the gateway, and its changed settings kept.
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import { runOf } from '../../support/connections.ts';
import { type Gateway, startGateway } from '../../support/gateway.ts';
import { ownPlace, program } from '../../support/program.ts';
import { buildCompany } from '../../support/records.ts';
import { endOfSync, jobsOf } from '../../support/syncs.ts';
import { directory, fileIn, fileOf, nextTo, tap } from './program.ts';

const settings = [
  { name: 'source', title: 'File' },
  { name: 'refresh_token', title: 'Token', kind: 'secret', isRequired: false },
  { name: 'state_every', title: 'Records between two states', isJson: true, isRequired: false },
];

const row = (id: string, day: number, more = {}) => ({ id, name: `Name of ${id}`, updated_at: `2026-01-0${day}T00:00:00Z`, ...more });

const accepted = { type: 'CONNECTION_STATUS', connectionStatus: { status: 'SUCCEEDED' } };

const folder = await mkdtemp(join(tmpdir(), 'ledger-test-'));
/** What the program that speaks the protocol of Airbyte says, and what it was asked. */
const [script, seen] = [join(folder, 'messages.json'), join(folder, 'seen')];
const programs = [
  tap('tap.py', [], { settings }),
  tap('database_tap.py', [], {
    name: 'DATABASE',
    config: { says: 'id', always: ['audit'] },
    metadata: { '*': { 'replication-method': 'FULL_TABLE' } },
  }),
  { name: 'SOURCE', protocol: 'AIRBYTE', command: 'perl', arguments: [nextTo('source.pl'), script, seen], mapping: './mapping.yaml' },
];
/** One gateway with all programs. */
const gateway = {} as Gateway;
beforeAll(async () => {
  const CONNECTORS_FILE = await fileIn(folder, programs);
  Object.assign(gateway, await startGateway({ programs: readConfig({ CONNECTORS_FILE, PATH: process.env.PATH }).programs }));
});
afterAll(async () => {
  await gateway.stop();
  await rm(folder, { recursive: true, force: true });
});

/** A company connected to the tap, with the file that its source is. */
async function connected(more: Record<string, string> = {}) {
  const company = await buildCompany(gateway);
  const rest = async (method: string, path: string, data?: unknown) =>
    (await gateway.send(method, `${company.base}${path}`, { headers: company.headers, ...(data ? { body: { data } } : {}) })).body;
  const source = join(await directory(), `${randomUUID()}.json`);
  const show = (contacts: object[], accounts: object[] = []) => writeFile(source, JSON.stringify({ contacts, accounts }));
  await show([]);
  const made = await rest('POST', '/connections', { source: 'TAP', settings: { source, ...more }, interval_minutes: 43_200 });
  const run = (query = '') => runOf(gateway, company, made.data.id, query);
  const ids = async () =>
    (await rest('GET', '/contacts?limit=100')).data.map((contact: { platform_id: string }) => contact.platform_id).sort();
  return { company, rest, id: made.data.id, source, show, run, ids };
}

describe('a company connected to a program', () => {
  it('a full run that shows few records waits, and its confirmation deletes those that it had not shown', async () => {
    const { company, show, run, ids } = await connected();
    const all = Array.from({ length: 60 }, (_, index) => row(`C-${index}`, 1));
    await show(all);
    expect(await run()).toMatchObject({ status: 'SUCCESS' });
    await show(all.slice(30));
    const waiting = await run('?full_sync=true');
    expect(waiting.status).toBe('PENDING_CONFIRMATION');
    expect(await ids()).toHaveLength(60);
    // What comes until then is not among them, though the source cannot be asked for it.
    await show([...all.slice(30), row('C-7', 2), row('C-new', 2)]);
    expect(await run()).toMatchObject({ status: 'SUCCESS' });
    const response = await gateway.send('POST', `/v4/core/syncs/${waiting.id}/confirm`, { headers: company.headers });
    expect(response.status, response.text).toBe(200);
    expect(await endOfSync(gateway, company, waiting.id)).toMatchObject({ status: 'SUCCESS' });
    expect(await ids()).toEqual([...all.slice(30).map(({ id }) => id), 'C-7', 'C-new'].sort());
  });

  it.each([
    ['a state at its end alone', '1000'],
    ['no state', '0'],
  ])('what was rejected is tried again by every run until it is stored, of a program with %s', async (_, state_every) => {
    const { company, rest, show, run } = await connected({ state_every });
    const bad = (id: string, day: number) => row(id, day, { name: { refused: true } });
    const good = Array.from({ length: 250 }, (_entry, index) => row(`C-${index}`, 1));
    const all = [...good];
    for (const place of [50, 150, 249]) all[place] = bad(`C-${place}`, 1);
    await show(all);
    const refused = async (sync: { id: string; status: string }) => {
      expect(sync.status).not.toBe('SUCCESS');
      const jobs = (await jobsOf(gateway, company, sync.id)).filter(({ parentJobId }) => parentJobId !== null);
      return jobs.map(({ errorResponse }) => errorResponse!.platform_id).sort();
    };
    expect(await refused(await run())).toEqual(['C-150', 'C-249', 'C-50']);
    // The program does not show them again.
    await show([]);
    for (const __ of [1, 2]) expect(await refused(await run())).toEqual(['C-150', 'C-249', 'C-50']);
    await show([row('C-50', 2), row('C-150', 2), row('C-249', 2)]);
    for (const __ of [1, 2]) expect((await run()).status).toBe('SUCCESS');
    for (const place of [50, 150, 249]) expect((await rest('GET', `/contacts?platform_id=C-${place}`)).data).toHaveLength(1);
  });

  it('is pulled first and again from its state; deletions and changed settings arrive', async () => {
    const { company, rest, id, source, show, run } = await connected({ refresh_token: 'refresh-token-1' });
    await show([row('C-1', 1), row('C-2', 2)], [row('A-1', 1)]);
    expect(await run()).toMatchObject({ status: 'SUCCESS' });
    const names = async () => (await rest('GET', '/contacts?limit=100')).data.map(({ name }: { name: string }) => name).sort();
    expect(await names()).toEqual(['Name of C-1', 'Name of C-2']);

    await show([row('C-1', 3, { gone: true }), row('C-3', 4)]);
    expect(await run()).toMatchObject({ status: 'SUCCESS' });
    expect(await names()).toEqual(['Name of C-2', 'Name of C-3']);
    const { connection } = (
      await gateway.graphql(company.key, `query ($id: ID!) { connection(id: $id) { status settings cursors { dataModel } } }`, {
        id,
      })
    ).body.data;
    expect(connection).toMatchObject({ status: 'CONNECTED', settings: { source } });
    expect(connection.cursors.map(({ dataModel }: { dataModel: string }) => dataModel).sort()).toEqual(['ACCOUNT', 'CONTACT']);
    // The tap rejects a token that was used before. Each run was given the token that the run before it left, although nothing of it can be read.
    const [stored] = await gateway.services.database.orm.em
      .fork()
      .getConnection()
      .execute('select row_to_json(connection)::text as row from connection where id = ?', [id]);
    expect(stored!.row).not.toContain('refresh-token');
    expect((await readFile(`${source}.used`, 'utf8')).split('\n').length).toBeGreaterThan(8);

    await writeFile(`${source}.used`, Array.from({ length: 100 }, (_, number) => `refresh-token-${number}`).join('\n'));
    expect(await run()).toMatchObject({ status: 'FAILED' });
    const state = await rest('GET', `/connections/${id}`);
    expect(state.data).toMatchObject({ status: 'NEEDS_REAUTH' });
  });

  it.each([
    ['its check rejects', (refusal: unknown) => ({ check: [refusal] })],
    ['its check accepts, and its reading rejects', (refusal: unknown) => ({ check: [accepted], read: [refusal] })],
  ])('that %s keeps its records and says why, in a full run too, and works again afterwards', async (_, refused) => {
    const responses = {
      spec: [{ type: 'SPEC', spec: { connectionSpecification: { type: 'object', required: [] } } }],
      check: [accepted],
      discover: [{ type: 'CATALOG', catalog: { streams: ['contacts', 'accounts'].map((name) => ({ name, json_schema: {} })) } }],
      read: [
        { type: 'RECORD', record: { stream: 'contacts', data: { id: 'C-1', name: 'First' }, emitted_at: 1 } },
        { type: 'RECORD', record: { stream: 'accounts', data: { id: 'A-1', name: 'Bank' }, emitted_at: 1 } },
      ],
    };
    await writeFile(script, JSON.stringify(responses));
    const company = await buildCompany(gateway);
    const rest = async (method: string, path: string, data?: unknown) =>
      (await gateway.send(method, `${company.base}${path}`, { headers: company.headers, ...(data ? { body: { data } } : {}) })).body;
    const made = await rest('POST', '/connections', { source: 'SOURCE', interval_minutes: 43_200 });
    const run = async (query?: string) => (await runOf(gateway, company, made.data.id, query)).status;
    const names = async () => [...(await rest('GET', '/contacts')).data, ...(await rest('GET', '/accounts')).data].map(({ name }) => name);
    expect([await run(), await names()]).toEqual(['SUCCESS', ['First', 'Bank']]);

    const refusal = { type: 'CONNECTION_STATUS', connectionStatus: { status: 'FAILED', message: 'User is not chris' } };
    await writeFile(script, JSON.stringify({ ...responses, ...refused(refusal) }));
    for (const query of ['', '?full_sync=true']) {
      expect([await run(query), await names()]).toEqual(['FAILED', ['First', 'Bank']]);
      expect((await rest('GET', `/connections/${made.data.id}`)).data).toMatchObject({
        status: 'ERROR',
        status_reason: 'the program of SOURCE failed: User is not chris',
      });
    }
    await writeFile(script, JSON.stringify(responses));
    expect(await run('?full_sync=true')).toBe('SUCCESS');
    expect((await rest('GET', `/connections/${made.data.id}`)).data).toMatchObject({ status: 'CONNECTED', status_reason: null });
  });

  it('counts in its job the records that nothing is made of', async () => {
    const company = await buildCompany(gateway);
    const made = await gateway.send('POST', `${company.base}/connections`, {
      headers: company.headers,
      body: { data: { source: 'DATABASE', interval_minutes: 43_200 } },
    });
    const sync = await runOf(gateway, company, made.body.data.id);
    const jobs = await jobsOf(gateway, company, sync.id);
    expect([sync.status, jobs.map(({ recordsSynced, errorResponse }) => [recordsSynced, errorResponse])]).toEqual([
      'SUCCESS',
      [
        [3, { left_out: { 'public-audit': 2 } }],
        [1, { left_out: { 'public-audit': 2 } }],
      ],
    ]);
  });

  it('the start is refused where a mapping is wrong, with its member', async () => {
    const place = await ownPlace();
    onTestFinished(place.remove);
    const CONNECTORS_FILE = await fileOf([tap('tap.py')], {
      'mapping.yaml': 'title: M\nstreams: { s: [{ dataModel: CONTATC, record: id }] }',
    });
    await expect(program.start({ ...place.settings, CONNECTORS_FILE })).rejects.toThrow(
      /ended with 1 .*The gateway cannot start: mapping .* makes records of CONTATC, which is not a data model/s,
    );
  }, 120_000);
});

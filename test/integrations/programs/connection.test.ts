// A program as the source of a company: connected, pulled through the runs of the gateway, and its changed settings kept.
import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import { runOf } from '../../support/connections.ts';
import { startGateway } from '../../support/gateway.ts';
import { ownPlace, program } from '../../support/program.ts';
import { buildCompany } from '../../support/records.ts';
import { directory, fileOf, tap } from './program.ts';

const settings = [
  { name: 'source', title: 'File' },
  { name: 'refresh_token', title: 'Token', kind: 'secret' },
];

const row = (id: string, day: number, more = {}) => ({ id, name: `Name of ${id}`, updated_at: `2026-01-0${day}T00:00:00Z`, ...more });

describe('a company connected to a program', () => {
  it('chosen: is pulled first and again from its state; deletions and changed settings arrive', async () => {
    const CONNECTORS_FILE = await fileOf([tap('tap.py', [], { settings })]);
    const gateway = await startGateway({ programs: readConfig({ CONNECTORS_FILE, PATH: process.env.PATH }).programs });
    onTestFinished(() => gateway.stop());
    const company = await buildCompany(gateway);
    const rest = async (method: string, path: string, data?: unknown) =>
      (await gateway.send(method, `${company.base}${path}`, { headers: company.headers, ...(data ? { body: { data } } : {}) })).body;
    const source = join(await directory(), `${randomUUID()}.json`);
    await writeFile(source, JSON.stringify({ contacts: [row('C-1', 1), row('C-2', 2)], accounts: [row('A-1', 1)] }));

    const made = await rest('POST', '/connections', {
      source: 'TAP',
      settings: { source, refresh_token: 'refresh-token-1' },
      interval_minutes: 43_200,
    });
    const run = () => runOf(gateway, company, made.data.id);
    expect(await run()).toMatchObject({ status: 'SUCCESS' });
    const names = async () => (await rest('GET', '/contacts?limit=100')).data.map(({ name }: { name: string }) => name).sort();
    expect(await names()).toEqual(['Name of C-1', 'Name of C-2']);

    await writeFile(source, JSON.stringify({ contacts: [row('C-1', 3, { gone: true }), row('C-3', 4)], accounts: [] }));
    expect(await run()).toMatchObject({ status: 'SUCCESS' });
    expect(await names()).toEqual(['Name of C-2', 'Name of C-3']);
    const { connection } = (
      await gateway.graphql(company.key, `query ($id: ID!) { connection(id: $id) { status settings cursors { dataModel } } }`, {
        id: made.data.id,
      })
    ).body.data;
    expect(connection).toMatchObject({ status: 'CONNECTED', settings: { source } });
    expect(connection.cursors.map(({ dataModel }: { dataModel: string }) => dataModel).sort()).toEqual(['ACCOUNT', 'CONTACT']);
    // The tap refuses a token that was used before: each run was given the one that the run before it left, of which nothing can be read.
    const [stored] = await gateway.services.database.orm.em
      .fork()
      .getConnection()
      .execute('select row_to_json(connection)::text as row from connection');
    expect(stored!.row).not.toContain('refresh-token');
    expect((await readFile(`${source}.used`, 'utf8')).split('\n').length).toBeGreaterThan(8);

    await writeFile(`${source}.used`, Array.from({ length: 100 }, (_, number) => `refresh-token-${number}`).join('\n'));
    expect(await run()).toMatchObject({ status: 'FAILED' });
    const state = await rest('GET', `/connections/${made.data.id}`);
    expect(state.data).toMatchObject({ status: 'NEEDS_REAUTH' });
  });

  it('chosen: the start is refused where a mapping is wrong, with its member', async () => {
    const place = await ownPlace();
    onTestFinished(place.remove);
    const CONNECTORS_FILE = await fileOf([tap('tap.py')], {
      'mapping.yaml': 'title: M\nstreams: { s: [{ dataModel: CONTATC, record: id }] }',
    });
    await expect(program.start({ ...place.settings, CONNECTORS_FILE })).rejects.toThrow(
      /ended with 1 .*The gateway cannot start: mapping .* makes records of CONTATC, which is no data model/s,
    );
  }, 120_000);
});

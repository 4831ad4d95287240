// Singer taps as connectors: a tap in Python with states, selected streams and a configuration that it changes, and the examples of the specification.
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ConnectorDefinition } from '../../../src/integrations/connectors/connector.ts';
import { definitionsOf, directory, nextTo, open, pull, tap } from './program.ts';

interface Entry {
  id: string;
  name: string;
  updated_at: string;
  gone?: boolean;
}

const entry = (id: string, day: number, more: Partial<Entry> = {}): Entry => ({
  id,
  name: `Name of ${id}`,
  updated_at: new Date(Date.UTC(2026, 0, 1) + day * 1_000).toISOString(),
  ...more,
});

/** What the mapping of the tests makes of a name. */
const NAME = { name: 'name', pull: true, push: false, required: false };
const settings = [
  { name: 'source', title: 'File' },
  { name: 'api_key', title: 'Key', kind: 'secret', isRequired: false },
  { name: 'refresh_token', title: 'Token', kind: 'secret', isRequired: false },
  { name: 'state_every', title: 'Records between two states', isJson: true, isRequired: false },
];

/** A source file with these records, the definition of the tap and the settings that lead to it. */
async function ledger(content: Record<string, Entry[]>): Promise<{ definition: ConnectorDefinition; source: string }> {
  const source = join(await directory(), 'source.json');
  await writeFile(source, JSON.stringify(content));
  const [definition] = await definitionsOf([tap('tap.py', [], { settings })]);
  return { definition: definition!, source };
}

const mapped = (name: string): string => `
title: A database
streams:
  ${name}:
    - { dataModel: CONTACT, record: '{ "platform_id": id, "name": name }' }
`;

/** A connector of the tap of a database, with a mapping of one of its streams by this name. */
async function database(
  name: string,
  config: Record<string, unknown>,
  metadata: unknown = { '*': { 'replication-method': 'FULL_TABLE' } },
) {
  const [definition] = await definitionsOf([tap('database_tap.py', [], { config, metadata })], { 'mapping.yaml': mapped(name) });
  return open(definition!).connector;
}

describe('a Singer tap of a database', () => {
  it.each([
    ['contacts', 'stream'],
    ['contacts', 'id'],
    ['public-contacts', 'stream'],
    ['public-contacts', 'id'],
  ])('whose stream is mapped as %s is pulled when its records say its %s', async (name, says) => {
    const connector = await database(name, { says });
    await connector.check();
    const { ids, error } = await pull(connector, 'CONTACT');
    expect([ids, error]).toEqual([['C-1', 'C-2', 'C-3'], undefined]);
    expect(await connector.unmapped!()).toEqual(['public-accounts', 'public-audit']);
  });

  it.each(['contacts', 'public-contacts'])('is given the metadata of its entry, by either name: %s', async (name) => {
    const metadata = { [name]: { 'replication-method': 'INCREMENTAL', 'replication-key': 'number' } };
    const connector = await database('contacts', { says: 'id' }, metadata);
    const first = await pull(connector, 'CONTACT');
    expect([first.ids, first.cursor]).toEqual([['C-1', 'C-2', 'C-3'], { contacts: 3 }]);
    expect((await pull(connector, 'CONTACT', { contacts: 2 })).ids).toEqual(['C-3']);
    const without = await database('contacts', { says: 'id' }, {});
    expect((await pull(without, 'CONTACT')).error).toMatchObject({
      message: 'the program of TAP ended with exit code 1: CRITICAL public-contacts has no replication method',
    });
  });

  it('records of streams without a mapping are counted', async () => {
    const { pages, error } = await pull(await database('contacts', { says: 'id', always: ['audit'] }), 'CONTACT');
    expect(error).toBeUndefined();
    expect(pages.at(-1)).toMatchObject({ leftOut: { 'public-audit': 2 } });
  });

  it('that writes its records under another name than its catalog is an error, not a source without records', async () => {
    const { ids, error } = await pull(await database('contacts', { says: 'crm' }), 'CONTACT', null, true);
    expect(ids).toEqual([]);
    expect(error).toMatchObject({
      code: 'PLATFORM_ERROR',
      message: 'the program of TAP wrote no records of contacts, and others without a mapping: crm (3)',
    });
  });
});

describe('a Singer tap', () => {
  it('is a source with the settings of its entry and the data models of its mapping', async () => {
    const [definition] = await definitionsOf([tap('tap.py', [], { settings })]);
    expect(definition).toMatchObject({
      source: 'TAP',
      title: 'A ledger of the tests',
      capabilities: [
        { dataModel: 'CONTACT', pull: true, create: false, fields: expect.arrayContaining([NAME]) },
        { dataModel: 'ACCOUNT', pull: true, create: false, fields: expect.arrayContaining([NAME]) },
      ],
    });
    expect(definition!.settings[1]).toEqual({ name: 'api_key', title: 'Key', description: '', kind: 'secret', isRequired: false });
  });

  it('pulls the streams of a data model alone, in pages, and continues from its state', async () => {
    const contacts = Array.from({ length: 450 }, (_, index) => entry(`C-${index}`, index));
    const { definition, source } = await ledger({ contacts, accounts: [entry('A-1', 1)], notes: [entry('N-1', 1)] });
    const first = await pull(open(definition, { source }).connector, 'CONTACT');
    expect(first.error).toBeUndefined();
    expect(first.ids).toEqual(contacts.map(({ id }) => id));
    expect(first.pages.map(({ records }) => records.length)).toEqual([200, 200, 50]);
    expect(first.cursor).toEqual({ bookmarks: { contacts: contacts.at(-1)!.updated_at } });

    await writeFile(
      source,
      JSON.stringify({ contacts: [...contacts, entry('C-450', 450), { ...contacts[0]!, updated_at: entry('', 451).updated_at }] }),
    );
    const second = await pull(open(definition, { source }).connector, 'CONTACT', first.cursor);
    expect(second.ids).toEqual(['C-450', 'C-0']);
    const third = await pull(open(definition, { source }).connector, 'CONTACT', second.cursor);
    expect(third.ids).toEqual([]);
    expect(third.error).toBeUndefined();
  });

  it('the cursor of a page covers no record after that page', async () => {
    const contacts = Array.from({ length: 430 }, (_, index) => entry(`C-${index}`, index));
    const { definition, source } = await ledger({ contacts });
    for (const every of [1, 3, 70, 150, 1000]) {
      const { pages } = await pull(open(definition, { source, state_every: String(every) }).connector, 'CONTACT');
      let last = '';
      for (const { records, cursor } of pages) {
        last = contacts.find(({ id }) => id === records.at(-1)?.platform_id)?.updated_at ?? last;
        if (cursor !== undefined) expect((cursor as { bookmarks: { contacts: string } }).bookmarks.contacts <= last).toBe(true);
      }
      expect(pages.at(-1)!.cursor).toEqual({ bookmarks: { contacts: contacts.at(-1)!.updated_at } });
    }
  });

  it('a configuration that the tap has rewritten becomes the settings of the connection, of this run and later ones', async () => {
    const { definition, source } = await ledger({ contacts: [entry('C-1', 1)], accounts: [entry('A-1', 1)] });
    const { connector, saved } = open(definition, { source, refresh_token: 'refresh-token-1' });
    await pull(connector, 'CONTACT');
    await pull(connector, 'ACCOUNT');
    // One run lists the streams, and each pull is one.
    expect(saved).toEqual([2, 3, 4].map((number) => ({ refresh_token: `refresh-token-${number}` })));
  });

  it('a changed configuration is stored before the first page, which may be the last that comes', async () => {
    const contacts = Array.from({ length: 300 }, (_, index) => entry(`C-${index}`, index));
    const { definition, source } = await ledger({ contacts });
    const { connector, saved } = open(definition, { source, refresh_token: 'refresh-token-1' });
    for await (const page of connector.pull({ dataModel: 'CONTACT', cursor: null, since: null, isFull: false })) {
      expect(page.records).toHaveLength(200);
      expect(saved.at(-1)).toEqual({ refresh_token: 'refresh-token-3' });
      break;
    }
  });

  it('deletions by the mapping come as ids, apart from a record of the same id', async () => {
    const contacts = [entry('C-1', 1), entry('C-2', 2, { gone: true }), entry('C-1', 3, { gone: true }), entry('C-2', 4)];
    const { definition, source } = await ledger({ contacts });
    const { pages } = await pull(open(definition, { source }).connector, 'CONTACT');
    expect(pages.map(({ records, deleted }) => [records.map(({ platform_id }) => platform_id), deleted])).toEqual([
      [['C-1'], ['C-2']],
      [['C-2'], ['C-1']],
    ]);
  });

  it('a check runs the tap, and reports the streams without a mapping', async () => {
    const { definition, source } = await ledger({ contacts: [], notes: [] });
    const { connector } = open(definition, { source });
    await connector.check();
    expect(await connector.unmapped!()).toEqual(['notes']);
  });

  it('settings that the source rejects are an error in its words, without the secrets', async () => {
    const { definition, source } = await ledger({ contacts: [] });
    const { connector } = open(definition, { source, api_key: 'wrong-key-0123456789' });
    const error = await connector.check().catch((thrown) => thrown);
    expect(error).toMatchObject({
      code: 'PLATFORM_ERROR',
      message: 'the program of TAP ended with exit code 1: CRITICAL 403 Client Error: key [removed] is refused',
    });
    expect(JSON.stringify(error)).not.toContain('wrong-key');
  });

  it('a data model whose stream the source does not have is rejected, or a full pull would delete its records', async () => {
    const { definition, source } = await ledger({ contacts: [entry('C-1', 1)] });
    const { error, pages } = await pull(open(definition, { source }).connector, 'ACCOUNT', null, true);
    expect(pages).toEqual([]);
    expect(error).toMatchObject({
      code: 'OPERATION_NOT_SUPPORTED',
      message: 'ACCOUNT records need the streams accounts, which TAP does not have',
    });
    expect((await pull(open(definition, { source }).connector, 'ITEM')).error).toMatchObject({ code: 'OPERATION_NOT_SUPPORTED' });
  });

  it('a tap that takes --properties gets its catalog so', async () => {
    const source = join(await directory(), 'source.json');
    await writeFile(source, JSON.stringify({ contacts: [entry('C-1', 1)] }));
    const [definition] = await definitionsOf([tap('tap.py', [], { settings, catalog: 'properties' })]);
    expect((await pull(open(definition!, { source }).connector, 'CONTACT')).ids).toEqual(['C-1']);
  });

  it('a tap that ends without a message is an error, not a source without records', async () => {
    const source = join(await directory(), 'source.json');
    await writeFile(source, JSON.stringify({ contacts: [entry('C-1', 1)] }));
    const [definition] = await definitionsOf([tap('tap.py', [], { settings, config: { ignores_catalog: true } })]);
    const { connector } = open(definition!, { source });
    const silent = {
      code: 'PLATFORM_ERROR',
      message: expect.stringMatching(/^the program of TAP failed: it wrote no message/),
      info: { platformError: { output: expect.stringContaining('No properties were selected') } },
    };
    await expect(connector.check()).rejects.toMatchObject(silent);
    expect((await pull(connector, 'CONTACT', null, true)).error).toMatchObject(silent);
    // What is new since a state may be nothing.
    expect((await pull(open(definition!, { source }).connector, 'CONTACT', { bookmarks: {} })).error).toBeUndefined();
  });

  it('has a private directory for its files, which is gone afterwards, and no environment but the given one', async () => {
    const [definition] = await definitionsOf([tap('hostile.py', ['surroundings', '{directory}/x'], { environment: { TAP_REGION: 'eu' } })]);
    const { pages } = await pull(open(definition!).connector, 'CONTACT', { last: 1 });
    const facts = JSON.parse(String(pages[0]!.records[0]!.name));
    expect(facts).toMatchObject({
      environment: ['HOME', 'LANG', 'PATH', 'TAP_REGION', 'TMPDIR'],
      mode: '0o700',
      files: { 'catalog.json': '0o600', 'config.json': '0o600', 'state.json': '0o600' },
      home: facts.directory,
    });
    expect(facts.arguments[0]).toBe(`${facts.directory}/x`);
    await expect(stat(facts.directory)).rejects.toThrow('ENOENT');
  });

  it('a run removes what killed processes have left, and nothing of those that live', async () => {
    const left = await mkdtemp(join(tmpdir(), `ledger-gateway-program-${hostname()}-999999999-`));
    const used = await mkdtemp(join(tmpdir(), `ledger-gateway-program-${hostname()}-${process.ppid}-`));
    onTestFinished(() => rm(used, { recursive: true }));
    await writeFile(join(left, 'config.json'), '{}');
    const { definition, source } = await ledger({ contacts: [] });
    await open(definition, { source }).connector.check();
    await expect(stat(left)).rejects.toThrow('ENOENT');
    expect((await stat(used)).isDirectory()).toBe(true);
  });

  it('the example of the Singer specification, version 0.3', async () => {
    const folder = await directory();
    const lines = [
      '{"type": "SCHEMA", "stream": "users", "key_properties": ["id"], "schema": {"required": ["id"], "type": "object", "properties": {"id": {"type": "integer"}}}}',
      '{"type": "RECORD", "stream": "users", "record": {"id": 1, "name": "Chris"}}',
      '{"type": "RECORD", "stream": "users", "record": {"id": 2, "name": "Mike"}}',
      '{"type": "SCHEMA", "stream": "locations", "key_properties": ["id"], "schema": {"required": ["id"], "type": "object", "properties": {"id": {"type": "integer"}}}}',
      '{"type": "RECORD", "stream": "locations", "record": {"id": 1, "name": "Philadelphia"}}',
      '{"type": "STATE", "value": {"users": 2, "locations": 1}}',
    ];
    await writeFile(join(folder, 'messages'), `${lines.join('\n')}\n`);
    const users =
      'title: Users\nstreams:\n  users:\n    - { dataModel: CONTACT, record: \'{ "platform_id": $string(id), "name": name }\' }\n';
    // A tap without discovery writes all it has; streams of other data models are left out.
    const program = {
      name: 'USERS',
      protocol: 'singer',
      command: 'sh',
      arguments: ['-c', 'cat "$0"', join(folder, 'messages')],
      catalog: 'none',
    };
    const [definition] = await definitionsOf([{ ...program, mapping: './users.yaml' }], { 'users.yaml': users });
    const { connector } = open(definition!);
    await connector.check();
    expect((await pull(connector, 'CONTACT')).pages).toEqual([
      {
        records: [
          { platform_id: '1', name: 'Chris' },
          { platform_id: '2', name: 'Mike' },
        ],
        cursor: { users: 2, locations: 1 },
        leftOut: { locations: 1 },
      },
    ]);
  });

  it('the command is found on the path of the operator, and never through a shell', async () => {
    const folder = await directory();
    await mkdir(join(folder, 'marker'));
    const [definition] = await definitionsOf([tap('tap.py', [`; rm -r ${folder}/marker`], { settings })]);
    await pull(open(definition!, { source: `$(rm -r ${folder}/marker)` }).connector, 'CONTACT');
    expect((await stat(join(folder, 'marker'))).isDirectory()).toBe(true);
    expect(await readFile(nextTo('tap.py'), 'utf8')).toContain('argparse');
  });
});

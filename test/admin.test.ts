// The administration commands against a running gateway; dump, restore and doctor on a directory of their own.
import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { CommanderError } from 'commander';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { adminProgram } from '../src/admin/program.ts';
import { readConfig } from '../src/config.ts';
import { openDatabase } from '../src/database/open.ts';
import { entities } from '../src/registry.ts';
import { ADMIN_TOKEN, useGateway } from './support/gateway.ts';

const folder = mkdtempSync(join(tmpdir(), 'gateway-admin-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let printed: string[];
beforeEach(() => {
  printed = [];
  vi.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line));
});
afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
});

/** Runs a command; returns its output, or the message it ended with. */
async function admin(settings: Record<string, string>, ...words: string[]): Promise<string> {
  const program = adminProgram(readConfig(settings));
  let refused = '';
  for (const command of [program, ...program.commands, ...program.commands.flatMap(({ commands }) => commands)])
    command.exitOverride().configureOutput({ writeErr: (text) => (refused += text) });
  await program.parseAsync(words, { from: 'user' }).catch((error: CommanderError) => {
    if (!error.code?.startsWith('commander.')) throw error;
  });
  return refused || printed.join('\n');
}

describe('commands that call the gateway', () => {
  const gateway = useGateway();
  const run = (...words: string[]): Promise<string> =>
    admin({ ADMIN_TOKEN, DATA_DIR: join(folder, 'none') }, '--url', gateway.origin, ...words);

  it('documented: a new organisation gets a key that opens its companies and imports', async () => {
    const key = (await run('create-organisation', 'Admin Test')).match(/ent_\w+/)![0];
    printed.length = 0;
    expect(await run('--key', key, 'create-company', 'First')).toMatch(/^number {2}\d+$/);
    printed.length = 0;
    expect(await run('--key', key, 'companies')).toContain('First');
    const corporation = await gateway.send('POST', '/api/v1/corporations', {
      headers: { authorization: `Bearer ${key}` },
      body: { legal_name: 'A', jurisdiction: 'US', state: 'DE' },
    });
    const file = join(folder, 'products.csv');
    writeFileSync(file, 'sku,name\nA-1,One\nA-2,Two\n');
    printed.length = 0;
    expect(await run('--key', key, 'import', file, '--corporation', corporation.body.data.id)).toMatch(/COMPLETED +2 +0 +0 +0$/);
  });

  it('chosen: an organisation that exists, a missing key and an absent gateway are each reported in a sentence', async () => {
    await gateway.key(['PLATFORM'], 'Known');
    expect(await run('create-organisation', 'Known')).toContain('the organisation Known exists already');
    expect(await run('companies')).toContain('no key: give --key');
    expect(await admin({ ADMIN_TOKEN }, '--url', 'http://127.0.0.1:9', 'keys', 'Known')).toContain(
      'no gateway answers at http://127.0.0.1:9',
    );
  });

  describe('customs hs', () => {
    const file = join(folder, 'codes');
    const load = async (content: string): Promise<string> => {
      writeFileSync(file, content);
      printed.length = 0;
      return run('customs', 'hs', file);
    };
    const loaded = async (): Promise<string[]> => {
      const text = "select content from customs_table where name = 'hs_codes'";
      return JSON.parse((await gateway.services.database.read({ name: 'hs', text }, []))[0]![0]!);
    };

    it.each([
      [
        'a published list',
        '\uFEFFsection,hscode,description,parent,level\r\nI,01,Animals; live,TOTAL,2\r\nI,0101,"Horses, asses",01,4\r\nI,010121,"Horses;\nlive",0101,6\r\nTOTAL,TOTAL,Total,TOTAL,5\r\nI,10129,Horses,0101,6\r\nXVI,847130,Laptops,8471,6\r\n',
        'refused  line 7: "10129" is not six digits',
      ],
      ['a JSON array', '["010121", 10129, "847130"]', 'refused  entry 2: 10129 is not six digits'],
      ['a code on each line', '010121\n\n 847130 \n8471.30\n847130', 'refused  line 4: "8471.30" is not six digits'],
    ])('chosen: the codes of %s are loaded, and what is none is named', async (_, content, refusal) => {
      expect(await load(content)).toBe(`${refusal}\nloaded  2`);
      expect(process.exitCode).toBe(1);
      expect(await loaded()).toEqual(['010121', '847130']);
    });

    it('chosen: a file without codes, or one that cannot be read, changes nothing', async () => {
      expect(await load('490590')).toBe('loaded  1');
      expect(process.exitCode).toBeUndefined();
      expect(await load('[]')).toContain('json must not be empty');
      expect(await load('["847130"')).toMatch(/codes cannot be read: .*JSON/);
      expect(await load('"847130')).toContain('cannot be read: line 1: a quote is misplaced or not closed');
      expect(await run('customs', 'hs', join(folder, 'absent'))).toContain('there is no file');
      expect(await loaded()).toEqual(['490590']);
    });
  });

  it('chosen: doctor sees the gateway and its clock', async () => {
    const text = await run('doctor');
    expect(text).toMatch(/gateway +ok +http:\S+ is ready/);
    expect(text).toMatch(/clock of the gateway +ok/);
  });
});

describe('commands on the embedded database', () => {
  const makeDatabase = async (dataDir: string): Promise<void> => (await openDatabase({ dataDir, entities, log: () => {} })).close();

  it('documented: a dump restores into an empty directory and nowhere else', async () => {
    const [from, to, file] = [join(folder, 'from'), join(folder, 'to'), join(folder, 'dump.gz')];
    await makeDatabase(from);
    expect(await admin({ DATA_DIR: from }, 'dump', file)).toContain(`dumped ${from}`);
    expect(await admin({ DATA_DIR: from }, 'restore', file)).toContain('is not empty');
    printed.length = 0;
    expect(await admin({ DATA_DIR: to }, 'restore', file)).toMatch(/restored .* \d+ migrations/);
    printed.length = 0;
    expect(await admin({ DATA_DIR: to }, '--url', 'http://127.0.0.1:9', 'doctor')).toMatch(/migrations +ok +all/);
  }, 120_000);

  it('documented: a truncated dump, a changed one and a file that is no dump are reported in a sentence, and the whole dump restores afterwards', async () => {
    const [from, to, file] = [join(folder, 'from-2'), join(folder, 'to-2'), join(folder, 'dump-2.gz')];
    await makeDatabase(from);
    await admin({ DATA_DIR: from }, 'dump', file);
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
    const whole = readFileSync(file);
    const changed = Buffer.from(whole);
    changed.writeUInt8(changed.readUInt8(changed.length >> 1) ^ 0xff, changed.length >> 1);
    const damaged: [name: string, content: Buffer][] = [
      ...[0, 1, 10, 1_000, whole.length >> 1, whole.length - 9, whole.length - 1].map((length): [string, Buffer] => [
        `cut at ${length}`,
        whole.subarray(0, length),
      ]),
      ['changed', changed],
      ['a text', Buffer.from('select 1;\n')],
      ['compressed text', gzipSync('select 1;\n')],
      ['a compressed half of an archive', gzipSync(gunzipSync(whole).subarray(0, 3_000_000))],
      ['an empty archive', gzipSync(Buffer.alloc(1_024))],
    ];
    for (const [name, content] of damaged) {
      const bad = join(folder, 'bad.gz');
      writeFileSync(bad, content);
      const output = await admin({ DATA_DIR: to }, 'restore', bad);
      expect([name, output]).toEqual([
        name,
        expect.stringMatching(/^\S+bad\.gz is not a complete dump of an embedded database: .{3,200}\n?$/),
      ]);
    }
    printed.length = 0;
    expect(await admin({ DATA_DIR: to }, 'restore', file)).toMatch(/restored .* \d+ migrations/);
    await makeDatabase(to);
  }, 240_000);

  it('documented: after a restore that was killed nothing starts on the directory, and the next restore takes it over', async () => {
    const [from, to, file] = [join(folder, 'from-3'), join(folder, 'to-3'), join(folder, 'dump-3.gz')];
    await makeDatabase(from);
    await admin({ DATA_DIR: from }, 'dump', file);
    for (const moved of [[], ['base', 'global'], ['PG_VERSION', 'base']]) {
      rmSync(to, { recursive: true, force: true });
      cpSync(from, join(to, 'restoring'), { recursive: true });
      for (const name of moved) renameSync(join(to, 'restoring', name), join(to, name));
      await expect(openDatabase({ dataDir: to, entities, log: () => {} })).rejects.toThrow('was cut off: run it again');
      printed.length = 0;
      expect(await admin({ DATA_DIR: to }, 'restore', file)).toMatch(/restored .* \d+ migrations/);
      await makeDatabase(to);
    }
  }, 240_000);

  it('chosen: dump and restore leave PostgreSQL to its own tools', async () => {
    expect(await admin({ DATABASE_URL: 'postgres://postgres@127.0.0.1:9/x' }, 'dump', join(folder, 'x.gz'))).toContain('use pg_dump');
  });
});

describe('geocoding', () => {
  it('chosen: addresses are answered as text, files as CSV with the answers beside their columns', async () => {
    expect(await admin({}, 'geocode', 'Marienplatz 1, München', 'Berlin, Germany')).toMatch(/DE-BY {2}Bayern[\s\S]*DE-BE {2}Berlin/);
    const file = join(folder, 'addresses.csv');
    writeFileSync(file, 'id,place\n1,"Berlin, Germany"\n2,=1+1\n');
    const written: string[] = [];
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0);
    await admin({}, 'geocode', '--csv', file, '--column', 'place');
    expect(written.join('')).toMatch(
      /^id,place,match,confidence,country,subdivision,locality,postal_code,latitude,longitude\r\n1,"Berlin, Germany",exact,0\.\d\d,DE,DE-BE,Berlin,,52\.\d+,13\.\d+\r\n2,'=1\+1,none,0\.00,,,,,,\r\n$/,
    );
  });

  it('chosen: a missing file, a missing column and a missing address are reported in a sentence', async () => {
    const file = join(folder, 'other.csv');
    writeFileSync(file, 'id\n1\n');
    expect(await admin({}, 'geocode', '--csv', file)).toContain('has no column address; it has id');
    expect(await admin({}, 'geocode', '--csv', join(folder, 'none.csv'))).toContain('there is no file');
    expect(await admin({}, 'geocode')).toContain('give addresses, or --csv with a file of them');
  });
});

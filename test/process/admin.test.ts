// The administration commands against a running gateway; dump, restore and doctor on a directory of their own.
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { PGlite } from '@electric-sql/pglite';
import type { CommanderError } from 'commander';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { adminProgram } from '../../src/admin/program.ts';
import { readConfig } from '../../src/config.ts';
import { migrationFiles } from '../../src/database/migrations/files.ts';
import { openDatabase } from '../../src/database/open.ts';
import { entities } from '../../src/registry.ts';
import { programVersion } from '../../src/runtime/package-root.ts';
import { execute } from '../support/audit.ts';
import { ADMIN_TOKEN, useGateway } from '../support/gateway.ts';
import { templateDirectory } from '../support/made.ts';
import { buildCompany } from '../support/records.ts';

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

describe('connection', () => {
  const gateway = useGateway();

  it('lists, shows, pauses, resumes and runs the connections of the organisation, and reports what is rejected', async () => {
    const run = (...words: string[]): Promise<string> => {
      printed.length = 0;
      return admin({ DATA_DIR: join(folder, 'none') }, '--url', gateway.origin, '--key', company.key, ...words);
    };
    const company = await buildCompany(gateway);
    const schedules = [{ data_model: 'ITEM', cron: '30 2 * * *', time_zone: 'Europe/Berlin' }];
    const made = await gateway.send('POST', `${company.base}/connections`, {
      headers: company.headers,
      body: { data: { source: 'FILES', schedules } },
    });
    const { id } = made.body.data;
    expect(JSON.parse(await run('--json', 'connection', 'list'))).toMatchObject([
      { connection: id, company: company.id, source: 'FILES', last_success: null },
    ]);
    expect(await run('connection', 'list', '--company', String(company.id + 1))).not.toContain(id);
    expect(await run('connection', 'show', id)).toContain('30 2 * * * Europe/Berlin');
    expect(JSON.parse(await run('--json', 'connection', 'show', id)).schedules).toHaveLength(2);
    expect(await run('connection', 'pause', id)).toContain('PAUSED');
    expect(await run('connection', 'resume', id)).toContain('PENDING');
    expect(await run('connection', 'resume', id)).toContain('not PAUSED');
    expect(await run('connection', 'sync', id)).toContain('nothing to pull');
    expect(await run('connection', 'show', 'connection_none')).toContain('no such connection');
  });
});

describe('commands that call the gateway', () => {
  const gateway = useGateway();
  const run = (...words: string[]): Promise<string> =>
    admin({ ADMIN_TOKEN, DATA_DIR: join(folder, 'none') }, '--url', gateway.origin, ...words);

  it('a new organisation gets a key that opens its companies and imports', async () => {
    const key = (await run('create-organisation', 'Admin Test')).match(/ent_\w+/)![0];
    printed.length = 0;
    expect(await run('--key', key, 'create-company', 'First')).toMatch(/^number {2}\d+$/);
    printed.length = 0;
    expect(await run('--key', key, 'companies')).toContain('First');
    printed.length = 0;
    expect(JSON.parse(await run('--key', key, '--json', 'companies'))).toMatchObject([{ name: 'First', source: 'SANDBOX' }]);
    const corporation = await gateway.send('POST', '/api/v1/corporations', {
      headers: { authorization: `Bearer ${key}` },
      body: { legal_name: 'A', jurisdiction: 'US', state: 'DE' },
    });
    const file = join(folder, 'products.csv');
    writeFileSync(file, 'sku,name\nA-1,One\nA-2,Two\n');
    printed.length = 0;
    expect(await run('--key', key, 'import', file, '--corporation', corporation.body.data.id)).toMatch(/COMPLETED +2 +0 +0 +0$/);
  });

  it('an organisation that exists, a missing key and an absent gateway are each reported in a sentence', async () => {
    await gateway.key(['PLATFORM'], 'Known');
    expect(await run('create-organisation', 'Known')).toContain('the organisation Known exists already');
    expect(await run('companies')).toContain('no key: give --key');
    expect(await admin({ ADMIN_TOKEN }, '--url', 'http://127.0.0.1:9', 'keys', 'Known')).toContain(
      'no gateway responds at http://127.0.0.1:9',
    );
  });

  it('organisations, webhooks, deliveries and syncs are listed, and a secret is rotated', async () => {
    const name = 'Listed by command';
    const company = await buildCompany(gateway, { key: await gateway.key(['PLATFORM', 'INTEGRATIONS'], name) });
    await gateway.send('POST', `${company.base}/accounts`, { headers: company.headers, body: { data: { name: 'Bank' } } });
    const made = await gateway.graphql(
      company.key,
      'mutation { createWebhook(input: { url: "https://receiver.example/", topics: [ALL] }) { webhook { id } } }',
    );
    const { id } = made.body.data.createWebhook.webhook;
    await gateway.graphql(company.key, `mutation { triggerWebhookTest(input: { id: "${id}", eventData: {} }) { delivery { id } } }`);
    const listed = async (...words: string[]): Promise<Record<string, string>[]> => {
      printed.length = 0;
      return JSON.parse(await run('--json', '--key', company.key, ...words));
    };
    expect((await listed('organisations', '--limit', '1000')).map((row) => row.name)).toContain(name);
    expect(await listed('organisations', '--limit', '1')).toHaveLength(1);
    expect(await listed('webhooks')).toMatchObject([{ id, url: 'https://receiver.example/', status: 'ENABLED', topics: ['ALL'] }]);
    expect(await listed('deliveries', id)).toMatchObject([{ id: expect.stringMatching(/^dlv_/) }]);
    expect(await listed('syncs', String(company.id))).toMatchObject([{ configMode: 'CREATE', status: 'SUCCESS', dataModels: ['ACCOUNT'] }]);
    printed.length = 0;
    expect(await run('--key', company.key, 'rotate-secret', id)).toMatch(/^secret {2}whsec_[\w+/=]{20,}$/);
  });

  it('the state of a key is shown', async () => {
    const issued = async (...more: string[]): Promise<string> => {
      printed.length = 0;
      return JSON.parse(await run('--json', 'issue-key', '--organisation', 'States', '--roles', 'PLATFORM', ...more)).id;
    };
    const live = await issued();
    const revoked = await issued();
    await run('revoke-key', revoked);
    const expired = await issued('--expires', new Date(gateway.clock.now().getTime() + 3_600_000).toISOString());
    vi.spyOn(Date, 'now').mockReturnValue(gateway.clock.now().getTime() + 3_600_000);
    printed.length = 0;
    const keys: { id: string; state: string }[] = JSON.parse(await run('--json', 'keys', 'States'));
    expect(new Map(keys.map(({ id, state }) => [id, state]))).toEqual(
      new Map([
        [live, 'live'],
        [revoked, 'revoked'],
        [expired, 'expired'],
      ]),
    );
  });

  it('what an option rejects is reported with its name', async () => {
    for (const [words, shown] of [
      [
        ['issue-key', '--organisation', 'A', '--roles', 'PLATFROM'],
        /option '--roles <list>' argument 'PLATFROM' is invalid\. PLATFROM is none of PLATFORM,/,
      ],
      [
        ['issue-key', '--organisation', 'A', '--roles', 'PLATFORM', '--companies', '1,x'],
        /option '--companies <list>' argument '1,x' is invalid/,
      ],
      [
        ['issue-key', '--organisation', 'A', '--roles', 'PLATFORM', '--expires', 'soon'],
        /option '--expires <time>' argument 'soon' is invalid/,
      ],
      [['rotate-key', 'key_1', '--grace-hours', 'two'], /option '--grace-hours <hours>' argument 'two' is invalid/],
      [['audit', 'list', '--since', 'yesterday'], /option '--since <time>' argument 'yesterday' is invalid/],
      [['audit', 'list', '--limit', '0'], /option '--limit <number>' argument '0' is invalid/],
    ] as const)
      expect(await run(...words)).toMatch(shown);
  });

  it('the audit log is listed, exported as JSON lines and verified', async () => {
    const key = await gateway.key(['PLATFORM'], 'Audited by command');
    const headers = { authorization: `Bearer ${key}` };
    for (const legal_name of ['One', 'Two', 'Three'])
      await gateway.send('POST', '/api/v1/corporations', { headers, body: { legal_name, jurisdiction: 'GB' } });
    expect((await run('--key', key, 'audit', 'list', '--limit', '2')).match(/createCorporation/g)).toHaveLength(2);
    printed.length = 0;
    const lines = (await run('--key', key, 'audit', 'export', '--operation', 'createCorporation'))
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ recordIds }) => recordIds[0])).toEqual([1, 2, 3].map(() => expect.stringMatching(/^corp_/)));
    printed.length = 0;
    expect(await run('audit', 'verify')).toMatch(/head {2}org_\w+ 3 [0-9a-f]{64}[\s\S]*entries verified, 0 problems$/);
    await execute(gateway, "update audit_entry set operation = 'other' where id = $1", [lines[1].id]);
    printed.length = 0;
    expect(await run('--key', key, 'audit', 'verify')).toMatch(/^ALTERED {2}org_\w+ at 2 /);
    expect(process.exitCode).toBe(1);
  });

  it('heads that were kept show that entries were cut off', async () => {
    const key = await gateway.key(['PLATFORM'], 'Audited by heads');
    const headers = { authorization: `Bearer ${key}` };
    await gateway.send('POST', '/api/v1/corporations', { headers, body: { legal_name: 'One', jurisdiction: 'GB' } });
    const kept = join(folder, 'heads.jsonl');
    printed.length = 0;
    writeFileSync(kept, `the first line is none\n${await run('--json', '--key', key, 'audit', 'verify')}`);
    printed.length = 0;
    expect(await run('--key', key, 'audit', 'verify', '--heads', kept)).toMatch(/1 entries verified, 0 problems$/);
    const { organisationId } = (await gateway.services.keys.find(key))!;
    await execute(gateway, 'delete from audit_entry where organisation_id = $1', [organisationId]);
    await execute(gateway, 'delete from audit_chain where organisation_id = $1', [organisationId]);
    printed.length = 0;
    expect(await run('--key', key, 'audit', 'verify')).toMatch(/^0 entries verified, 0 problems$/);
    expect(await run('--key', key, 'audit', 'verify', '--heads', kept)).toMatch(/MISSING {2}org_\w+ at 1\n0 entries verified, 1 problems$/);
    expect(process.exitCode).toBe(1);
  });

  it.each([
    ['without heads', 'nothing\n{"checked":1}\n', / has no heads of the audit log/],
    ['whose last line is cut off', '{"organisationId":null,"position":"1","hash":"a"}\n{"organis', /:2 is cut off or no JSON/],
  ])('a file of heads %s is rejected, and not taken for one that agrees', async (_, content, words) => {
    const file = join(folder, 'bad-heads.jsonl');
    writeFileSync(file, content);
    expect(await run('audit', 'verify', '--heads', file)).toMatch(words);
    expect(await run('audit', 'verify', '--heads', join(folder, 'none'))).toMatch(/none cannot be read/);
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
    ])('the codes of %s are loaded, and other lines are named', async (_, content, refusal) => {
      expect(await load(content)).toBe(`${refusal}\nloaded  2`);
      expect(process.exitCode).toBe(1);
      expect(await loaded()).toEqual(['010121', '847130']);
    });

    it('a file without codes, or one that cannot be read, changes nothing', async () => {
      expect(await load('490590')).toBe('loaded  1');
      expect(process.exitCode).toBeUndefined();
      expect(await load('[]')).toContain('json must not be empty');
      expect(await load('["847130"')).toMatch(/codes cannot be read: .*JSON/);
      expect(await load('"847130')).toContain('cannot be read: line 1: a quote is misplaced or not closed');
      expect(await run('customs', 'hs', join(folder, 'absent'))).toContain('there is no file');
      expect(await loaded()).toEqual(['490590']);
    });
  });

  it('doctor sees the gateway and its clock', async () => {
    const text = await run('doctor');
    expect(text).toMatch(/gateway +ok +http:\S+ is ready/);
    expect(text).toMatch(/clock of the gateway +ok/);
  });
});

describe('commands on the embedded database', () => {
  /** Migrating an empty one takes ten times as long as copying. */
  const copyDatabase = async (to: string): Promise<void> => cpSync(await templateDirectory(), to, { recursive: true });
  const open = async (dataDir: string): Promise<void> => (await openDatabase({ dataDir, entities, log: () => {} })).close();

  const [from, file] = [join(folder, 'from'), join(folder, 'dump.gz')];
  let dumped: string;
  beforeAll(async () => {
    printed = [];
    vi.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line));
    await copyDatabase(from);
    dumped = await admin({ DATA_DIR: from }, 'dump', file);
  });

  it('a dump restores into an empty directory and nowhere else', async () => {
    const to = join(folder, 'to');
    expect(dumped).toContain(`dumped ${from}`);
    expect(await admin({ DATA_DIR: from }, 'restore', file)).toContain('is not empty');
    printed.length = 0;
    expect(await admin({ DATA_DIR: to }, 'restore', file)).toMatch(/restored .* \d+ migrations/);
    printed.length = 0;
    expect(await admin({ DATA_DIR: to }, '--url', 'http://127.0.0.1:9', 'doctor')).toMatch(/migrations +ok +all/);
  }, 120_000);

  it('a truncated dump, a changed one and a file that is no dump are reported in a sentence, and the whole dump restores afterwards', async () => {
    const to = join(folder, 'to-2');
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
    await open(to);
  }, 240_000);

  it('after a restore that was killed nothing starts on the directory, and the next restore takes it over', async () => {
    const to = join(folder, 'to-3');
    for (const moved of [[], ['base', 'global'], ['PG_VERSION', 'base']]) {
      rmSync(to, { recursive: true, force: true });
      cpSync(from, join(to, 'restoring'), { recursive: true });
      for (const name of moved) renameSync(join(to, 'restoring', name), join(to, name));
      await expect(open(to)).rejects.toThrow('was cut off: run it again');
      printed.length = 0;
      expect(await admin({ DATA_DIR: to }, 'restore', file)).toMatch(/restored .* \d+ migrations/);
      await open(to);
    }
  }, 240_000);

  it('a national tariff is imported as a version; a broken file, wrong words and a directory without tables are each reported in a sentence', async () => {
    const directory = join(folder, 'tariff');
    const file = join(folder, 'tariff.csv');
    const load = (...words: string[]): Promise<string> => {
      printed.length = 0;
      return admin({ DATA_DIR: directory }, 'customs', 'import', ...words);
    };
    const words = ['--country', 'us', '--file', file, '--valid-from', '2026-01-01'];
    writeFileSync(file, 'HTS Number,Indent,Description\n0101.21.00,1,Horses\n0101.21.00.10,2,Males\n0101.21.00,1,Again\n');
    expect(await load(...words)).toContain('migrations are pending');
    await copyDatabase(directory);
    expect(await load(...words)).toBe('imported  2\nrepeated  1');
    expect(await load(...words, '--valid-to', '2025-12-31')).toContain('--valid-to must not be before --valid-from');
    expect(await load('--country', 'QQ', ...words.slice(2))).toContain('--country must be an officially assigned ISO 3166-1 code');
    expect(await load(...words.slice(0, 4), '--valid-from', '2026-02-30')).toContain('--valid-from must be a calendar date');
    expect(await load(...words.slice(0, 2), '--file', join(folder, 'absent'), ...words.slice(4))).toContain('there is no file');
    writeFileSync(file, 'HTS Number,Indent,Description\n0101.21.00,1,Horses\n01x1.21.00,1,Horses\n');
    expect(await load(...words)).toContain('line 3: "01x1.21.00" is not a code of 2 to 13 digits; nothing was imported');
    const store = await PGlite.create(directory);
    expect((await store.query('select code, parent from national_tariff_line order by code')).rows).toEqual([
      { code: '01012100', parent: '010121' },
      { code: '0101210010', parent: '01012100' },
    ]);
    await store.close();
  }, 120_000);

  it('dump and restore leave PostgreSQL to its own tools', async () => {
    expect(await admin({ DATABASE_URL: 'postgres://postgres@127.0.0.1:9/x' }, 'dump', join(folder, 'x.gz'))).toContain('use pg_dump');
  });
});

describe('migrations', () => {
  const settings = { DATA_DIR: join(folder, 'migrated') };

  it('the check exits with 0, 3 or 4 and changes nothing, the plan prints SQL, and both can be JSON', async () => {
    expect(await admin(settings, 'migrate', '--check')).toMatch(/^pending: \d+/);
    expect([process.exitCode, existsSync(settings.DATA_DIR)]).toEqual([3, false]);
    expect(await admin(settings, 'migrate', '--plan')).toContain('create table "organisation"');
    printed.length = 0;
    expect(JSON.parse(await admin(settings, '--json', 'migrate'))).toEqual({ applied: migrationFiles().map(({ name }) => name) });
    printed.length = 0;
    expect(JSON.parse(await admin(settings, 'migrate', '--check', '--json'))).toEqual({
      state: 'current',
      pending: [],
      unknown: [],
      newest: migrationFiles().at(-1)!.name,
      appliedBy: programVersion,
    });
    expect(process.exitCode).toBe(0);
    const newer = await PGlite.create(settings.DATA_DIR);
    await newer.query(`insert into mikro_orm_migrations (name) values ('29990101000000_later')`);
    await newer.close();
    printed.length = 0;
    expect(await admin(settings, 'migrate', '--check')).toContain('newer than this program, which does not know 29990101000000_later');
    expect(process.exitCode).toBe(4);
    expect(await admin(settings, 'migrate')).toContain('migrations this program does not know');
  }, 120_000);

  it('--check and --plan cannot be combined', async () => {
    expect(await admin(settings, 'migrate', '--check', '--plan')).toContain('give --check or --plan, not both');
  });
});

it('--version prints the version of the program', async () => {
  const written: string[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  await admin({}, '--version');
  expect(written.join('')).toMatch(/^\d+\.\d+\.\d+\n$/);
});

describe('geocoding', () => {
  it('results are text for addresses, for files CSV with the results next to their columns', async () => {
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

  it('a missing file, a missing column and a missing address are reported in a sentence', async () => {
    const file = join(folder, 'other.csv');
    writeFileSync(file, 'id\n1\n');
    expect(await admin({}, 'geocode', '--csv', file)).toContain('has no column address; it has id');
    expect(await admin({}, 'geocode', '--csv', join(folder, 'none.csv'))).toContain('there is no file');
    expect(await admin({}, 'geocode')).toContain('give addresses, or --csv with a file of them');
  });
});

// The administration commands against a running gateway, and dump, restore and doctor on a directory of their own.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommanderError } from 'commander';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { adminProgram } from '../src/admin/program.ts';
import { readConfig } from '../src/config.ts';
import { openDatabase } from '../src/core/database.ts';
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

/** Runs a command; answers what it printed, or the message it ended with. */
async function admin(settings: Record<string, string>, ...words: string[]): Promise<string> {
  const program = adminProgram(readConfig(settings));
  let refused = '';
  for (const command of [program, ...program.commands]) command.exitOverride().configureOutput({ writeErr: (text) => (refused += text) });
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

  it('chosen: an organisation that exists, a missing key and a gateway that is not there are told in a sentence', async () => {
    await gateway.key(['PLATFORM'], 'Known');
    expect(await run('create-organisation', 'Known')).toContain('the organisation Known exists already');
    expect(await run('companies')).toContain('no key: give --key');
    expect(await admin({ ADMIN_TOKEN }, '--url', 'http://127.0.0.1:9', 'keys', 'Known')).toContain(
      'no gateway answers at http://127.0.0.1:9',
    );
  });

  it('chosen: doctor sees the gateway and its clock', async () => {
    const text = await run('doctor');
    expect(text).toMatch(/gateway +ok +http:\S+ is ready/);
    expect(text).toMatch(/clock of the gateway +ok/);
  });
});

describe('commands on the embedded database', () => {
  it('documented: a dump restores into an empty directory and nowhere else', async () => {
    const [from, to, file] = [join(folder, 'from'), join(folder, 'to'), join(folder, 'dump.gz')];
    await (await openDatabase({ dataDir: from, entities, log: () => {} })).close();
    expect(await admin({ DATA_DIR: from }, 'dump', file)).toContain(`dumped ${from}`);
    expect(await admin({ DATA_DIR: from }, 'restore', file)).toContain('is not empty');
    printed.length = 0;
    expect(await admin({ DATA_DIR: to }, 'restore', file)).toMatch(/restored .* \d+ migrations/);
    printed.length = 0;
    expect(await admin({ DATA_DIR: to }, '--url', 'http://127.0.0.1:9', 'doctor')).toMatch(/migrations +ok +all/);
  }, 120_000);

  it('chosen: dump and restore leave PostgreSQL to its own tools', async () => {
    expect(await admin({ DATABASE_URL: 'postgres://postgres@127.0.0.1:9/x' }, 'dump', join(folder, 'x.gz'))).toContain('use pg_dump');
  });
});

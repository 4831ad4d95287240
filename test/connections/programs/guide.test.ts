// docs/connectors/programs.md: its two files, word for word, run a tap, with the tap of the tests in place of the command.
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { catalogOptions, programProtocols } from '../../../src/config.ts';
import { packagePath } from '../../../src/runtime/package-root.ts';
import { definitionsOf, directory, open, pull, tap } from './program.ts';

const guide = readFileSync(packagePath('docs', 'connectors', 'programs.md'), 'utf8');

const blocksOf = (language: string): string[] =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map(([, text]) => text!);

const [programs, image] = blocksOf('json').map((text) => JSON.parse(text));
const [mapping] = blocksOf('yaml');

describe('the guide to programs', () => {
  it('its files make a source that pulls what its mapping says', async () => {
    const source = join(await directory(), 'source.json');
    const at = '2026-01-02T00:00:00Z';
    const contacts = [
      { id: '1', name: 'Ann', kind: 'customer', updated_at: at },
      { id: '2', name: 'Bob', kind: 'friend', updated_at: at },
      { id: '3', name: 'Cleo', gone: true, updated_at: at },
      { id: 'test', name: 'Nobody', updated_at: at },
    ];
    await writeFile(source, JSON.stringify({ contacts, accounts: [{ id: 'A-1', name: 'Bank', updated_at: at }] }));
    const { command, arguments: words } = tap('tap.py');
    const entry = { ...programs[0], command, arguments: words, config: { ...programs[0].config, source } };
    const [definition] = await definitionsOf([entry], { 'cloud-ledger.yaml': mapping! });
    expect(definition).toMatchObject({ source: 'CLOUD_LEDGER', title: 'Cloud Ledger' });

    const { connector, saved } = open(definition!, { refresh_token: 'refresh-token-1', page_size: '50' });
    await connector.check();
    expect(await connector.unmapped!()).toEqual([]);
    const pulled = await pull(connector, 'CONTACT');
    expect(pulled.error).toBeUndefined();
    expect(pulled.pages).toMatchObject([
      {
        records: [
          { platform_id: 'contact-1', name: 'Ann', type: 'CUSTOMER', updated_at: at },
          { platform_id: 'contact-2', name: 'Bob', type: 'UNKNOWN', updated_at: at },
        ],
        deleted: ['contact-3'],
      },
    ]);
    expect((await pull(connector, 'ACCOUNT')).pages[0]!.records).toEqual([{ platform_id: 'A-1', name: 'BANK', updated_at: at }]);
    expect(saved.at(-1)).toEqual({ refresh_token: 'refresh-token-5' });
  });

  it('it names every member, protocol and option', () => {
    const members = [...guide.matchAll(/^\| `(\w+)` /gm)].map(([, name]) => name);
    expect(Object.keys({ ...programs[0], ...image }).filter((name) => !members.includes(name))).toEqual([]);
    for (const value of [...programProtocols, ...catalogOptions]) expect(guide).toContain(`\`${value}\``);
  });
});

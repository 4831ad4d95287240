// CONNECTORS_FILE and mapping files: what is wrong in them is reported at the start, by the name of the member.
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from '../../../src/config.ts';
import { Mapping } from '../../../src/integrations/connectors/programs/mapping.ts';
import { definitionsOf, directory, mapping, nextTo, tap } from './program.ts';

/** The error of a CONNECTORS_FILE with this text. */
async function errorOf(text: string): Promise<string> {
  const path = join(await directory(), 'connectors.json');
  await writeFile(path, text);
  try {
    readConfig({ CONNECTORS_FILE: path, PATH: process.env.PATH });
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
  return '';
}

const errorOfPrograms = (...programs: unknown[]): Promise<string> => errorOf(JSON.stringify(programs));

describe('CONNECTORS_FILE', () => {
  it('without it no program is allowed', () => {
    expect(readConfig({}).programs).toEqual([]);
  });

  it('a file that is not there, no JSON or no list is rejected', async () => {
    expect(() => readConfig({ CONNECTORS_FILE: '/nowhere/connectors.json' })).toThrow(
      /^CONNECTORS_FILE names a file that cannot be read as JSON: .*ENOENT/,
    );
    expect(await errorOf('[{')).toMatch(/^CONNECTORS_FILE names a file that cannot be read as JSON/);
    expect(await errorOf('[{ "config": { "id": 9007199254740993 } }]')).toContain('id is a number above 2^53');
    expect(await errorOf('{}')).toBe('CONNECTORS_FILE must be a list of programs');
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['name', { name: 'my-tap' }, 'CONNECTORS_FILE.0.name must be in upper snake case'],
    ['protocol', { protocol: 'HTTP' }, 'CONNECTORS_FILE.0.protocol must be one of SINGER, AIRBYTE'],
    ['catalog', { catalog: 'file' }, 'CONNECTORS_FILE.0.catalog must be one of catalog, properties, none'],
    [
      'metadata',
      { metadata: { contacts: 'FULL_TABLE' } },
      'CONNECTORS_FILE.0.metadata.contacts Invalid input: expected record, received string',
    ],
    ['settings', { settings: [{ name: 'api key', title: 'Key' }] }, 'CONNECTORS_FILE.0.settings.0.name must be in lower snake case'],
    [
      'kind',
      { settings: [{ name: 'key', title: 'Key', kind: 'password' }] },
      'CONNECTORS_FILE.0.settings.0.kind must be one of text, url, date, secret',
    ],
    [
      'a relative command',
      { command: './tap' },
      'CONNECTORS_FILE.0.command must be the absolute path of an executable file, or the name of one that PATH leads to',
    ],
    [
      'an unknown command',
      { command: 'tap-of-nobody' },
      'CONNECTORS_FILE.0.command must be the absolute path of an executable file, or the name of one that PATH leads to',
    ],
    [
      'a file that is no program',
      { command: nextTo('tap.py') },
      'CONNECTORS_FILE.0.command must be the absolute path of an executable file, or the name of one that PATH leads to',
    ],
  ])('a wrong member is named: %s', async (_, wrong, message) => {
    expect(await errorOfPrograms(tap('tap.py', [], wrong))).toBe(message);
  });

  it('all wrong members are reported at once, and unknown ones too', async () => {
    const message = await errorOfPrograms(tap('tap.py', [], { mapping: 7, shell: true }), { name: 'X' });
    expect(message.split('\n').map((line) => line.split(' ')[0])).toEqual([
      'CONNECTORS_FILE.0.mapping',
      'CONNECTORS_FILE.0',
      'CONNECTORS_FILE.1.protocol',
      'CONNECTORS_FILE.1.command',
      'CONNECTORS_FILE.1.mapping',
    ]);
  });

  it('two programs of one name are rejected', async () => {
    expect(await errorOfPrograms(tap('tap.py'), tap('tap.py'))).toBe('CONNECTORS_FILE.1.name TAP is the name of two programs');
  });

  it('a command without a path is found on PATH', async () => {
    const folder = await directory();
    await writeFile(join(folder, 'tap-here'), '#!/bin/sh\n');
    await chmod(join(folder, 'tap-here'), 0o755);
    const path = join(folder, 'connectors.json');
    await writeFile(path, JSON.stringify([tap('tap.py', [], { command: 'tap-here', protocol: 'singer' })]));
    const [program] = readConfig({ CONNECTORS_FILE: path, PATH: `relative:${folder}` }).programs;
    expect(program).toMatchObject({ command: join(folder, 'tap-here'), protocol: 'SINGER', mapping: join(folder, 'mapping.yaml') });
  });
});

const errorOfMapping = (text: string): string => {
  try {
    Mapping.parse(text, 'm');
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
  return '';
};

const mappingOf = (record: string, more = ''): Mapping =>
  Mapping.parse(`title: M\n${more}streams:\n  s:\n    - dataModel: CONTACT\n      record: ${JSON.stringify(record)}\n`, 'm');

const applied = (record: string, data = {}, more = '') => {
  const run = mappingOf(record, more).open(500);
  return run.apply('CONTACT', 's', data).finally(() => run.close());
};

describe('a mapping', () => {
  it('what is wrong in it is reported by its member', async () => {
    expect(errorOfMapping('a: [')).toMatch(/^mapping m is not YAML/);
    expect(errorOfMapping('title: M\nstreams: { s: [{ dataModel: CONTACT }] }')).toMatch(/^mapping m: streams.s.0.record /);
    const broken = mapping.replace('name: name', '').replace('"name": name', '"name": name(');
    expect(errorOfMapping(broken)).toMatch(/^mapping m: streams.contacts.0.record is not an expression of JSONata: /);
    await expect(definitionsOf([tap('tap.py', [], { mapping: 'tap-of-nobody' })])).rejects.toThrow(/^mapping tap-of-nobody cannot be read/);
    await expect(definitionsOf([tap('tap.py')], { 'mapping.yaml': mapping.replace('CONTACT', 'CONTATC') })).rejects.toThrow(
      /makes records of CONTATC, which is not a data model$/,
    );
  });

  it('makes one record, several or none, and looks values up', async () => {
    const tables = "tables: { colour: { red: RED, '*': OTHER }, size: { s: SMALL } }\n";
    const make = (record: string, data = {}) => applied(record, data, tables).then(({ records }) => records);
    expect(await make('{ "platform_id": id, "a": $table("colour", a), "b": $table("size", b) }', { id: '1', a: 'red', b: 'l' })).toEqual([
      { platform_id: '1', a: 'RED' },
    ]);
    expect(await make('{ "platform_id": id, "a": $table("colour", a), "b": $table("colour", b) }', { id: '1', a: 'x', b: null })).toEqual([
      { platform_id: '1', a: 'OTHER' },
    ]);
    expect(await make('ids.{ "platform_id": $ }', { ids: ['1', '2'] })).toEqual([{ platform_id: '1' }, { platform_id: '2' }]);
    expect(await make('nothing')).toEqual([]);
    expect(await make('{ "platform_id": $json(text).id }', { text: '{"id":"7"}' })).toEqual([{ platform_id: '7' }]);
  });

  it.each([
    ['an unknown table', '{ "platform_id": $table("colour", "red") }', /there is no table colour/],
    ['an invalid function', '{ "platform_id": $nothing() }', /./],
    ['no source id', '{ "name": "x" }', /makes a record without a text as platform_id/],
    ['a value', '7', /makes a value that is not a record/],
    ['time', '($f := function($n) { $f($n + 1) }; $f(0))', /a record takes more than 0.5 seconds/],
    [
      'one pattern',
      '{ "platform_id": "1", "a": $contains("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", /^(a+)+$/) }',
      /more than 0.5 seconds/,
    ],
    ['depth', '($f := function($n) { 1 + $f($n + 1) }; $f(0))', /stack|recursive/i],
    ['size', '[1..100000000]', /sequence|range/i],
    [
      'a text that doubles',
      '($f := function($s, $n) { $n = 0 ? $s : $f($s & $s, $n - 1) }; { "platform_id": "1", "a": $f("0123456789", 19) })',
      /becomes more than \d+ characters/,
    ],
  ])('what goes wrong ends the pull with its words: %s', async (_, record, message) => {
    await expect(applied(record)).rejects.toMatchObject({
      code: 'PLATFORM_ERROR',
      message: expect.stringMatching(/^the mapping of stream s to CONTACT failed: /),
    });
    await expect(applied(record)).rejects.toThrow(message);
  });

  it('a record that takes too much memory ends its thread alone', async () => {
    const run = mappingOf('{ "platform_id": "1", "a": name = "" ? [] : $map([1..2000], function($i) { { "b": [1..9000] } }) }').open();
    try {
      await expect(run.apply('CONTACT', 's', { name: 'x' })).rejects.toThrow(/memory limit/);
      expect(await run.apply('CONTACT', 's', { name: '' })).toEqual({ records: [{ platform_id: '1', a: [] }], deleted: [] });
    } finally {
      await run.close();
    }
  });

  it('leaves the event loop to requests, also while one pattern is matched, and the next run is another thread', async () => {
    let turns = 0;
    const turning = setInterval(() => turns++, 5);
    const run = mappingOf('{ "platform_id": "1", "a": $contains(name, /^(a+)+$/) }').open(500);
    try {
      await expect(run.apply('CONTACT', 's', { name: `${'a'.repeat(40)}b` })).rejects.toThrow(/more than 0.5 seconds/);
      expect(turns).toBeGreaterThan(10);
      expect(await run.apply('CONTACT', 's', { name: 'aaa' })).toEqual({ records: [{ platform_id: '1', a: true }], deleted: [] });
    } finally {
      clearInterval(turning);
      await run.close();
    }
  });

  it('a large record is mapped, however busy the machine is', async () => {
    const line =
      '{ "platform_id": $string(number), "name": $join([$uppercase(name), $lowercase(name)], "-"), "total": $sum(lines.(price * quantity)) }';
    const run = mappingOf(`{ "platform_id": id, "lines": items.${line} }`).open();
    try {
      const items = Array.from({ length: 40_000 }, (_, number) => ({
        number,
        name: `Item ${number}`,
        lines: [{ price: 2, quantity: number }],
      }));
      const { records } = await run.apply('CONTACT', 's', { id: '1', items });
      expect(records[0]!.lines).toHaveLength(40_000);
    } finally {
      await run.close();
    }
  });

  it('the constructor of objects is out of reach', async () => {
    const { records } = await applied('{ "platform_id": "1", "a": x.constructor, "b": $lookup(x, "__proto__") }', { x: {} });
    expect(records).toEqual([{ platform_id: '1' }]);
  });
});

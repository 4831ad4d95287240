// Links between the Markdown files of the checkout lead somewhere, and the pages for operators begin with commands and name every command.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { adminProgram } from '../../src/admin/program.ts';
import { readConfig } from '../../src/config.ts';
import { packagePath } from '../../src/runtime/package-root.ts';

const under = (folder: string): string[] =>
  readdirSync(packagePath(folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join(folder, file));
const files = ['README.md', 'CONTRIBUTING.md', 'schema/CHANGELOG.md', 'schema/client/README.md', ...under('docs')];

const read = (file: string): string => readFileSync(packagePath(file), 'utf8');
const withoutCode = (text: string): string =>
  text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '').replaceAll(/`[^`\n]*`/g, (code) => code.replaceAll(/[[\]]/g, ' '));

/** The anchor that a heading has where Markdown is shown on the web. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
const anchorsOf = (file: string): string[] =>
  [
    ...read(file)
      .replaceAll(/^```[\s\S]*?^```$/gm, '')
      .matchAll(/^#+ (.+)$/gm),
  ].map(([, heading]) => anchorOf(heading!));

describe('links of Markdown files', () => {
  it.each(files)('%s: each leads to a file, and to a heading where it names one', (file) => {
    const links = [...withoutCode(read(file)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!);
    const broken = links
      .filter((link) => !/^(\w+:|\/)/.test(link))
      .filter((link) => {
        const [path, anchor] = link.split('#') as [string, string | undefined];
        const target = path ? normalize(join(dirname(file), path)) : file;
        return !existsSync(packagePath(target)) || (anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).includes(anchor));
      });
    expect(broken).toEqual([]);
  });
});

describe('pages for operators', () => {
  const pages = under('docs/operations').filter((file) => !file.endsWith('README.md'));

  it('each is listed on the first page', () => {
    const listed = [
      ...read('docs/operations/README.md')
        .split('## ')[0]!
        .matchAll(/^\| .*\| \[[\w ]+\]\((\w[\w-]*\.md)\) +\|$/gm),
    ].map(([, page]) => page);
    expect(listed.sort()).toEqual(pages.map((file) => file.slice('docs/operations/'.length)).sort());
  });

  it.each(pages)('%s begins with commands, behind two paragraphs at most', (file) => {
    const before = read(file).split('```sh\n')[0]!;
    const paragraphs = before.split('\n\n').filter((text) => text.trim() && !text.startsWith('#'));
    expect(paragraphs.length).toBeLessThanOrEqual(2);
  });

  it('every command of an administrator is in the table of the first page, and the table has no other', () => {
    const [, table] = /## The command line\n([\s\S]*)$/.exec(read('docs/operations/README.md'))!;
    const rows = table!.split('\n').filter((line) => /^\| `/.test(line));
    const listed = rows.flatMap((row) => [...row.split('|')[1]!.matchAll(/`([\w-]+)`/g)].map(([, name]) => name));
    expect(listed.sort()).toEqual(
      adminProgram(readConfig({}))
        .commands.map((command) => command.name())
        .sort(),
    );
  });
});

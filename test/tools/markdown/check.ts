// Lints the documents of the repository and every page that a running gateway serves as Markdown: node check.ts <base address>
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { main } from 'markdownlint-cli2';

const [base] = process.argv.slice(2) as [string];
const root = join(import.meta.dirname, '../../..');
const pages = mkdtempSync(join(tmpdir(), 'gateway-markdown-'));

/** The addresses of pages that a text links to, without fragments. */
const linked = (text: string): string[] =>
  [...text.matchAll(/\]\(([^)\s#]+)/g)]
    .map(([, link]) => new URL(link!, base))
    .filter(({ origin, pathname }) => origin === new URL(base).origin && /^\/(docs|limits)/.test(pathname))
    .map(({ pathname }) => pathname.replace(/(\.md)?$/, '.md'));

/** Writes every page that can be reached from `/llms.txt`; returns how many. */
async function fetchPages(): Promise<number> {
  const found = new Set(linked(await (await fetch(new URL('/llms.txt', base))).text()));
  for (const path of found) {
    const response = await fetch(new URL(path, base));
    if (!response.ok) throw new Error(`${path} returned ${response.status}`);
    const text = await response.text();
    mkdirSync(dirname(join(pages, path)), { recursive: true });
    writeFileSync(join(pages, path), text);
    for (const link of linked(text)) found.add(link);
  }
  return found.size;
}

const lines: string[] = [];
const note = (line: string): void => void lines.push(line.replaceAll(pages, ''));
const lint = (directory: string, globs: readonly string[]): Promise<number> =>
  main({ directory, argv: [...globs, '--config', join(import.meta.dirname, '.markdownlint.jsonc')], logMessage: () => {}, logError: note });

try {
  const documents = execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
  const served = await fetchPages();
  const codes = [
    await lint(
      root,
      documents.map((path) => `:${path}`),
    ),
    await lint(pages, ['**/*.md']),
  ];
  for (const line of lines) console.log(line);
  console.log(`${documents.length} documents and ${served} pages, ${lines.length} findings`);
  process.exitCode = codes.every((code) => code === 0) ? 0 : 1;
} finally {
  rmSync(pages, { recursive: true, force: true });
}

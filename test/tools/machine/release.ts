// Releases to install and upgrade to: the checkout as it is, and one whose version is higher and whose schema has one more column.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const checkout = join(import.meta.dirname, '../../..');

/** Where the releases are on the machine. */
export const REPOSITORY = '/srv/ledger-gateway.git';
const { version } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as { version: string };
export const RELEASE = `v${version}`;
export const NEXT = 'v99.0.0';

/** Writes a repository with both releases as tags. */
export function writeRepository(folder: string): void {
  const copy = mkdtempSync(join(tmpdir(), 'gateway-release-'));
  const git = (...words: string[]): void =>
    void execFileSync('git', ['-c', 'user.name=Release', '-c', 'user.email=release@example.org', ...words], { cwd: copy, stdio: 'pipe' });
  const release = (tag: string): void => {
    git('add', '--all', '--force');
    git('commit', '--quiet', '--message', tag);
    git('tag', tag);
  };
  try {
    const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: checkout,
      encoding: 'utf8',
    });
    for (const file of new Set(files.split('\0')))
      if (file && existsSync(join(checkout, file))) cpSync(join(checkout, file), join(copy, file), { recursive: true });
    git('init', '--quiet');
    release(RELEASE);
    for (const name of ['package.json', 'package-lock.json']) {
      const text = readFileSync(join(copy, name), 'utf8');
      writeFileSync(join(copy, name), text.replaceAll(/("name": "ledger-gateway",\s+"version": )"[^"]+"/g, '$1"99.0.0"'));
    }
    const added = '-- Add column company.rolled.\nalter table "company" add "rolled" text null;\n';
    writeFileSync(join(copy, 'schema/migrations/29990101000000_rolled.sql'), added);
    release(NEXT);
    execFileSync('git', ['clone', '--quiet', '--bare', copy, folder]);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

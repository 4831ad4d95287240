// Command `npm run proof [-- NAME… | --changed]`: runs the heavy proofs one after the other and records each that passed, with the day, in results.json.
// --changed runs those that cover a file which differs from their recorded run, as CI does. Suites use the server of DATABASE_URL.
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Part, parts } from './parts.ts';

const root = join(import.meta.dirname, '../..');
const RECORDED = join(import.meta.dirname, 'results.json');
/** What a command exits with that lacks a program it needs. */
const LACKING = 3;

interface Result {
  day: string;
  seconds: number;
  /** Last line of the output. */
  last: string;
  /** Hash of the files that the part covers. */
  files: string;
}

/** The files that a part covers, with those that they import from test/. */
function filesOf({ covers = [] }: Part): string[] {
  if (covers.length === 0) return [];
  const listed = execFileSync('git', ['ls-files', '-z', '--', ...covers], { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter(Boolean);
  const files = new Set<string>();
  const visit = (file: string): void => {
    if (files.has(file) || !existsSync(join(root, file))) return;
    files.add(file);
    if (!file.endsWith('.ts') || !file.startsWith('test/')) return;
    for (const [, path] of readFileSync(join(root, file), 'utf8').matchAll(/from '(\.[^']+)'/g)) {
      const imported = relative(root, resolve(root, dirname(file), path!));
      if (imported.startsWith('test/')) visit(imported);
    }
  };
  for (const file of listed) visit(file);
  return [...files].sort();
}

function hashOf(part: Part): string {
  const hash = createHash('sha256').update(part.command.join(' '));
  for (const file of filesOf(part)) hash.update(file).update(readFileSync(join(root, file)));
  return hash.digest('hex').slice(0, 16);
}

/** Runs a command, shows its output, and returns its exit status and last line. */
function run([command = '', ...words]: string[]): Promise<{ status: number | null; output: string }> {
  // Programs such as hledger read files in the encoding of the locale, which a runner of CI may not have set.
  const env = { ...process.env, NO_COLOR: '1', LC_ALL: 'C.UTF-8' };
  const child = spawn(command, words, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    process.stdout.write(text);
  });
  return new Promise((done) => child.on('close', (status) => done({ status, output })));
}

/** Why a run that did not fail proved nothing; null where it proved something. A suite whose program is missing skips its tests. */
function skipReason({ status, output }: { status: number | null; output: string }): string | null {
  if (status === LACKING) return output.trimEnd().split('\n').at(-1)!.trim();
  const counts = /^\s*Tests\s+(.*)$/m.exec(output)?.[1];
  return counts && !counts.includes('passed')
    ? (/not run: [^)\n]+|needs DATABASE_URL/.exec(output)?.[0] ?? 'every test was skipped')
    : null;
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { changed: { type: 'boolean', default: false } } });
const unknown = positionals.filter((name) => !parts.some((part) => part.name === name));
if (unknown.length > 0) {
  console.error(`usage: npm run proof [-- NAME… | --changed], NAME one of ${parts.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}

const readRecorded = (): Record<string, Result> => (existsSync(RECORDED) ? JSON.parse(readFileSync(RECORDED, 'utf8')) : {});
const recorded = readRecorded();
const isWanted = (part: Part): boolean =>
  values.changed
    ? Boolean(part.covers) && recorded[part.name]?.files !== hashOf(part)
    : positionals.length === 0 || positionals.includes(part.name);

const lines: string[] = [];
for (const part of parts) {
  const before = recorded[part.name];
  if (!isWanted(part)) {
    lines.push(`kept ${part.name}: ${before ? `passed on ${before.day}` : 'never recorded; it runs by name'}`);
    continue;
  }
  console.log(`\n== ${part.name}: ${part.command.join(' ')}`);
  const started = performance.now();
  const end = await run(part.command);
  const seconds = Math.round((performance.now() - started) / 1_000);
  const reason = skipReason(end);
  if (reason) lines.push(`skip ${part.name}: ${reason}`);
  else if (end.status !== 0) {
    lines.push(`FAIL ${part.name} after ${seconds} s`);
    process.exitCode = 1;
  } else {
    const last =
      end.output
        .trimEnd()
        .split('\n')
        .filter((line) => /\d/.test(line))
        .at(-1)
        ?.trim() ?? '';
    const result = { day: new Date().toISOString().slice(0, 10), seconds, last, files: hashOf(part) };
    // Another run may have recorded its parts since this one began.
    writeFileSync(RECORDED, `${JSON.stringify({ ...readRecorded(), [part.name]: result }, null, 2)}\n`);
    lines.push(`ok   ${part.name} in ${seconds} s`);
  }
}
console.log(`\n${lines.join('\n')}`);

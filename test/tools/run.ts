// Command `npm run tools`: installs each tool folder from its lock file and runs its tools against a gateway that it starts on a free port.
// node test/tools/run.ts [--exchanges DIRECTORY] [PROOF]
// DIRECTORY holds the recording of a test run with RECORD_EXCHANGES; without it the contract tests are run and recorded here.
// PROOF names the heavy proof whose tools run instead of those of every run.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startGateway, type Target } from './gateway.ts';
import { type Folder, folders, recording } from './steps.ts';

const root = join(import.meta.dirname, '../..');
const { values: options, positionals } = parseArgs({ allowPositionals: true, options: { exchanges: { type: 'string' } } });
const [proof] = positionals;
const INSTALL = ['npm', 'ci', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];

/** What a command exits with that lacks a program it needs; its last line says which. */
const LACKING = 3;

interface Result {
  name: string;
  mark: 'ok  ' | 'skip' | 'FAIL';
  seconds: number;
  last: string;
}

const results: Result[] = [];
const scratch = mkdtempSync(join(tmpdir(), 'gateway-tools-'));
// A directory of its own: the gateway's data stand next to it.
const exchanges = options.exchanges ?? mkdtempSync(join(scratch, 'exchanges-'));

/** Runs a command to its end; shows its output when it fails, and its last line always. */
function run(name: string, folder: string, [command = '', ...rest]: string[]): Promise<boolean> {
  const started = performance.now();
  return new Promise((resolve) => {
    const child = spawn(command, rest, {
      cwd: join(root, folder),
      env: { ...process.env, RECORD_EXCHANGES: exchanges, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.on('close', (status) => {
      const lines = output.split('\n').filter((line) => line.trim() && !line.startsWith('npm warn'));
      const mark = status === 0 ? 'ok  ' : status === LACKING ? 'skip' : 'FAIL';
      results.push({ name, mark, seconds: (performance.now() - started) / 1_000, last: lines.at(-1)?.trim() ?? '' });
      console.log(`${mark} ${name}`);
      if (mark === 'FAIL') console.log(lines.map((line) => `       ${line}`).join('\n'));
      resolve(mark !== 'FAIL');
    });
  });
}

/** Whether the installed packages are those of the lock file. */
function isInstalled(folder: string): boolean {
  const changed = (file: string): number => statSync(join(root, folder, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return changed('node_modules/.package-lock.json') > changed('package-lock.json');
}

/** The installs under way and done, by folder; the steps of one folder may run in several workers. */
const installed = new Map<string, Promise<boolean>>();

function install(path: string): Promise<boolean> {
  const known =
    installed.get(path) ?? (isInstalled(path) ? Promise.resolve(true) : run(`install ${path.split('/').at(-1)}`, path, INSTALL));
  installed.set(path, known);
  return known;
}

async function runFolder({ path, installs, steps }: Folder, target: Promise<Target>): Promise<void> {
  if (installs && !(await install(path))) return;
  for (const { name, command } of steps) await run(name, path, command(await target, exchanges));
}

function table(seconds: number): string {
  const width = Math.max(...results.map(({ name }) => name.length));
  const rows = results.map(
    ({ name, mark, seconds, last }) =>
      `${mark} ${name.padEnd(width)} ${seconds.toFixed(1).padStart(7)} s  ${mark === 'FAIL' ? '' : last.slice(0, 90)}`,
  );
  const failed = results.filter(({ mark }) => mark === 'FAIL').length;
  return `\n${rows.join('\n')}\n\n${results.length} steps, ${failed} failed, ${seconds.toFixed(0)} s`;
}

async function main(): Promise<number> {
  const wanted = folders.filter((folder) => folder.proof === proof);
  if (!options.exchanges && !proof) await runFolder(recording, Promise.resolve({ base: '', bearer: '', apiKey: '' }));
  const gateway = startGateway(join(scratch, 'data'));
  // Each check in the browser opens one of its own, and waits for pages. The steps of the other folders follow from each other.
  const waiting = wanted.flatMap((folder) =>
    folder.path.endsWith('/browser') ? folder.steps.map((step) => ({ ...folder, steps: [step] })) : [folder],
  );
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await runFolder(next, gateway);
  };
  try {
    // One more than cores: some steps wait for a slow connection, for an alert or for the browser.
    await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) + 1 }, worker));
  } finally {
    await (await gateway).stop();
    rmSync(scratch, { recursive: true, force: true });
  }
  console.log(table(performance.now() / 1_000));
  const marked = (mark: Result['mark']): Result | undefined => results.find((result) => result.mark === mark);
  const skipped = marked('skip');
  if (marked('FAIL')) return 1;
  if (!skipped || marked('ok  ')) return 0;
  console.log(skipped.last);
  return LACKING;
}

process.exitCode = await main();

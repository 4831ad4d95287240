// Command `npm run tools`: installs each tool folder from its lock file and runs all of them against a gateway it starts on a free port.
// node test/tools/run.ts [--with-browser]
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const START_MS = 60_000;
const withBrowser = process.argv.includes('--with-browser');

interface Gateway {
  base: string;
  bearer: string;
  apiKey: string;
  stop: () => Promise<void>;
}

interface Step {
  name: string;
  folder: string;
  command: (gateway: Gateway) => string[];
}

const openapi = ['platform', 'address', 'integrations'].map((name) => join(root, `schema/openapi/${name}.json`));
const steps: Step[] = [
  { name: 'GraphQL over HTTP audit', folder: 'test/tools/graphql-http', command: ({ base }) => ['node', 'check.ts', base] },
  { name: 'Spectral', folder: 'test/tools/openapi', command: () => ['npx', 'spectral', 'lint', '--fail-severity=hint', ...openapi] },
  { name: 'Redocly', folder: 'test/tools/openapi', command: () => ['node', 'redocly.ts', ...openapi] },
  { name: 'Relay compiler', folder: 'test/tools/schema-checks', command: () => ['npx', 'relay-compiler'] },
  { name: 'Breaking changes', folder: 'test/tools/schema-checks', command: () => ['node', 'breaking.ts'] },
  { name: 'Client types', folder: 'test/clients', command: () => ['npm', 'run', '--silent', 'generate'] },
  { name: 'Client type check', folder: 'test/clients', command: () => ['npm', 'run', '--silent', 'types'] },
  { name: 'Clients', folder: 'test/clients', command: ({ base, bearer, apiKey }) => ['node', 'run.ts', base, bearer, apiKey] },
  ...(withBrowser
    ? [{ name: 'Pages in Chromium', folder: 'test/tools/browser', command: ({ base }: Gateway) => ['node', 'check.ts', base] }]
    : []),
];

/** Runs a command to its end; answers its exit status and all it printed. */
function run(folder: string, [command = '', ...rest]: string[]): Promise<{ status: number; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(command, rest, {
      cwd: join(root, folder),
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.on('close', (status) => resolve({ status: status ?? 1, output: output.trim() }));
  });
}

/** Starts a gateway with demo data in a directory of its own, and reads address and keys from its greeting. */
function startGateway(): Promise<Gateway> {
  const data = mkdtempSync(join(tmpdir(), 'gateway-tools-'));
  const env = {
    ...process.env,
    DATABASE_URL: '',
    DATA_DIR: data,
    PORT: '0',
    HOST: '127.0.0.1',
    DEMO_DATA: 'true',
    LOG_LEVEL: 'error',
    WEBHOOK_ALLOW_PRIVATE: 'true',
  };
  const child: ChildProcess = spawn('node', ['--enable-source-maps', 'dist/src/main.js'], { cwd: root, env });
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      child.once('exit', () => {
        rmSync(data, { recursive: true, force: true });
        resolve();
      });
      child.kill('SIGTERM');
    });
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`the gateway did not start:\n${output}`)), START_MS);
    let output = '';
    for (const stream of [child.stdout!, child.stderr!]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        const port = output.match(/listening on \S+:(\d+)/)?.[1];
        if (!port) return;
        clearTimeout(timer);
        const key = (header: string): string => output.match(new RegExp(`${header}(ent_\\w+)`))?.[1] ?? '';
        resolve({ base: `http://127.0.0.1:${port}`, bearer: key('Bearer '), apiKey: key('api_key: '), stop });
      });
    }
    child.once('exit', () => reject(new Error(`the gateway ended:\n${output}`)));
  });
}

function report(name: string, started: number, status: number, output: string): boolean {
  const seconds = ((performance.now() - started) / 1000).toFixed(1).padStart(6);
  const lines = output.split('\n').filter((line) => line && !line.startsWith('npm warn'));
  const shown = status === 0 ? lines.slice(-1) : lines;
  console.log(
    `${status === 0 ? 'ok  ' : 'FAIL'} ${name.padEnd(26)}${seconds} s${status === 0 && shown[0] ? `  ${shown[0].trim().slice(0, 100)}` : ''}`,
  );
  if (status !== 0) console.log(shown.map((line) => `       ${line}`).join('\n'));
  return status === 0;
}

async function main(): Promise<boolean> {
  let passed = true;
  const folders = [...new Set(steps.map(({ folder }) => folder))];
  for (const folder of folders) {
    const started = performance.now();
    const { status, output } = await run(folder, ['npm', 'ci', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']);
    passed = report(`install ${folder.split('/').at(-1)}`, started, status, output) && passed;
  }
  const gateway = await startGateway();
  try {
    for (const { name, folder, command } of steps) {
      const started = performance.now();
      const { status, output } = await run(folder, command(gateway));
      passed = report(name, started, status, output) && passed;
    }
  } finally {
    await gateway.stop();
  }
  return passed;
}

process.exitCode = (await main()) ? 0 : 1;

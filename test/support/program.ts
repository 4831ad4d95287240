// The program as shipped, run as child processes on data of its own: for tests of killed and of several processes, and for measurements.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { compiledProgram, templateDatabase, templateDirectory } from './made.ts';
import { directOf, newDatabase } from './server.ts';

// Asked for while the test file is loaded, as the template of `gateway.ts` is.
const compiled = await compiledProgram();

export const PROGRAM_ADMIN = 'admin-token-of-a-program-under-test';

export type Settings = Record<string, string>;

export interface LaunchedProgram {
  pid: number;
  /** Lines of the log so far. */
  lines: string[];
  /** The origin, once the process listens; rejected with its error output when it ends before. */
  listening: Promise<string>;
  /** The reading end of its standard output. */
  output: Readable;
  /** The exit code, once the process has ended and its last line has arrived; null for a killed process. */
  ended: Promise<number | null>;
  /** Ends the process with a signal, waits for its end and returns the exit code, which is null for a killed process. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null>;
}

export interface RunningProgram extends LaunchedProgram {
  origin: string;
}

/** A setting that makes a program react to the signals of `on-signal.ts`. */
export const onSignal: Settings = { NODE_OPTIONS: `--import ${new URL('./on-signal.ts', import.meta.url).href}` };

export const program = {
  /** Starts a process without waiting; `under` is a command that runs the program, `from` another build of it. */
  launch: (settings: Settings, under: string[] = [], from = compiled): LaunchedProgram =>
    launched([...under, process.execPath, join(from, 'bundle', 'main.js')], settings),
  /** Starts a process and waits until it listens. */
  async start(settings: Settings, under?: string[], from?: string): Promise<RunningProgram> {
    const process = program.launch(settings, under, from);
    return { ...process, origin: await process.listening };
  },
};

/** Programs that have not ended. They end with the test runner, also when it ends in the middle of a test. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

function launched([command, ...words]: string[], settings: Settings): LaunchedProgram {
  const child: ChildProcess = spawn(command!, words, {
    env: {
      PATH: process.env.PATH,
      HOST: '127.0.0.1',
      PORT: '0',
      DEMO_DATA: 'false',
      ADMIN_TOKEN: PROGRAM_ADMIN,
      LOG_LEVEL: 'silent',
      RATE_LIMIT_BURST: '0',
      FAILED_AUTH_LIMIT: '0',
      DRAIN_SECONDS: '0',
      DATABASE_READ_PATH: process.env.DATABASE_READ_PATH ?? '',
      DATABASE_DIRECT_URL: (settings.DATABASE_URL && directOf(settings.DATABASE_URL)) ?? '',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  const lines: string[] = [];
  // Error output before the process listens is the reason of a rejected start; later output goes to the test runner's own error output.
  let said = '';
  const keep = (text: string): void => {
    said += text;
  };
  child.stderr!.setEncoding('utf8').on('data', keep);
  const listening = new Promise<string>((resolve, reject) => {
    child.once('close', (code, signal) => reject(new Error(`the program ended with ${code ?? signal} before it listened: ${said}`)));
    createInterface({ input: child.stdout! }).on('line', (line) => {
      lines.push(line);
      const [, address] = /^listening on (\S+)/.exec(line) ?? [];
      if (!address) return;
      child.stderr!.off('data', keep).pipe(process.stderr, { end: false });
      resolve(`http://${address}`);
    });
  });
  // A process that is killed on purpose before it listens causes no unhandled rejection.
  listening.catch(() => {});
  return {
    pid: child.pid!,
    lines,
    listening,
    ended: new Promise((resolve) => child.once('close', resolve)),
    output: child.stdout!,
    async end(signal) {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill(signal);
        await once(child, 'exit');
      }
      return child.exitCode;
    },
  };
}

/** Data that outlives a process: a database of its own on the server of DATABASE_URL, or a directory. */
export interface Place {
  settings: Settings;
  remove(): Promise<void>;
}

/** A migrated place; with `isEmpty` the first start migrates it. */
export async function ownPlace({ isEmpty = false } = {}): Promise<Place> {
  const server = process.env.DATABASE_URL;
  if (server) {
    const { url, drop } = await newDatabase(server, isEmpty ? undefined : await templateDatabase());
    const direct = directOf(url);
    return { settings: { DATABASE_URL: url, ...(direct ? { DATABASE_DIRECT_URL: direct } : {}) }, remove: drop };
  }
  const directory = await mkdtemp(join(tmpdir(), 'gateway-'));
  if (!isEmpty) await cp(await templateDirectory(), directory, { recursive: true });
  return { settings: { DATA_DIR: directory }, remove: () => rm(directory, { recursive: true, force: true }) };
}

export interface ProgramResponse {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into responses by path.
  body: any;
}

/** Sends a request with a key, which goes into the headers of all surfaces; forms are sent as forms, everything else as JSON. */
export async function call(
  origin: string,
  key: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<ProgramResponse> {
  const isForm = body instanceof FormData;
  const response = await fetch(origin + path, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      api_key: key,
      'x-api-key': key,
      'x-service-key': key,
      ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  return { status: response.status, headers: response.headers, text, body: isJson && text ? JSON.parse(text) : undefined };
}

/** Issues a key of an organisation. */
export async function issueKey(origin: string, roles: string[], organisationName = 'Program'): Promise<string> {
  const query = 'mutation ($input: IssueAccessKeyInput!) { issueAccessKey(input: $input) { key } }';
  const response = await call(origin, PROGRAM_ADMIN, 'POST', '/graphql', { query, variables: { input: { organisationName, roles } } });
  return response.body.data.issueAccessKey.key;
}

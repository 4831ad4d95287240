// The gateway as a program of its own, compiled, so that a test or a measurement can kill it.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const ADMIN = 'admin-token-of-a-process-under-test';

/** Compiles the program into a directory of its own, below node_modules so that its imports are found; answers the directory. */
export function compile(): string {
  const directory = join(root, 'node_modules/.cache', `gateway-process-${process.pid}`);
  execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json', '--outDir', directory], {
    cwd: root,
  });
  return directory;
}

export interface GatewayProcess {
  origin: string;
  child: ChildProcess;
  /** Sends a JSON request with an API key of the organisation. */
  send(method: string, path: string, body?: unknown): Promise<{ status: number; body: never }>;
  kill(): Promise<void>;
}

/** Where a process finds its program and its data: on the given database, or embedded in a directory. */
export interface Place {
  program: string;
  directory: string;
  databaseUrl?: string | undefined;
}

/** Starts the program on a free port. */
export async function startProcess(where: Place): Promise<GatewayProcess> {
  const env = {
    PATH: process.env.PATH ?? '',
    PORT: '0',
    DATA_DIR: where.directory,
    ADMIN_TOKEN: ADMIN,
    DEMO_DATA: 'false',
    LOG_LEVEL: 'error',
    RATE_LIMIT_BURST: '0',
    ...(where.databaseUrl ? { DATABASE_URL: where.databaseUrl } : {}),
  };
  const child = spawn(process.execPath, [join(where.program, 'src/main.js')], { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const origin = await listening(child);
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  const send: GatewayProcess['send'] = async (method, path, body) => {
    const response = await fetch(origin + path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
    return { status: response.status, body: (await response.json()) as never };
  };
  headers.authorization = `Bearer ${ADMIN}`;
  const query = 'mutation { issueAccessKey(input: { organisationName: "Process", roles: [INTEGRATIONS] }) { key } }';
  const issued = (await send('POST', '/graphql', { query })).body as { data: { issueAccessKey: { key: string } } };
  delete headers.authorization;
  headers.api_key = issued.data.issueAccessKey.key;
  return {
    origin,
    child,
    send,
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

async function listening(child: ChildProcess): Promise<string> {
  let printed = '';
  for await (const chunk of child.stdout!) {
    printed += String(chunk);
    const found = /listening on (\S+)/.exec(printed);
    if (!found) continue;
    child.stdout!.resume();
    return `http://${found[1]}`;
  }
  throw new Error(`the gateway ended before it listened:\n${printed}`);
}

// A PgBouncer of the test's own in transaction mode, in front of a PostgreSQL server.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { freePort } from './cluster.ts';

/** The program; null where it is not installed. */
export function poolerProgram(): string | null {
  const folders = [...(process.env.PATH ?? '').split(':').filter(Boolean), '/usr/sbin'];
  return folders.map((folder) => join(folder, 'pgbouncer')).find((file) => existsSync(file)) ?? null;
}

export interface Pooler {
  /** The same database as the server's URL, through the pooler. */
  url: string;
  /** Ends it like a crash and starts it again. */
  restart(): Promise<void>;
  remove(): Promise<void>;
}

/** Starts a pooler with few connections, so that callers share them. `settings` are lines of its configuration. */
export async function startPooler(file: string, server: string, settings: string[] = []): Promise<Pooler> {
  const isRoot = process.getuid?.() === 0;
  const folder = mkdtempSync('/tmp/gateway-pooler-');
  if (isRoot) chownSync(folder, Number(execFileSync('id', ['-u', 'postgres'], { encoding: 'utf8' })), -1);
  const { hostname, port: serverPort, pathname, username } = new URL(server);
  const port = await freePort();
  const configuration = join(folder, 'pgbouncer.ini');
  writeFileSync(join(folder, 'users.txt'), `"${username}" ""\n`);
  const lines = [
    '[databases]',
    `* = host=${hostname} port=${serverPort} user=${username}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'pool_mode = transaction',
    'default_pool_size = 5',
    'max_client_conn = 500',
    'auth_type = trust',
    `auth_file = ${join(folder, 'users.txt')}`,
    ...settings,
  ];
  writeFileSync(configuration, `${lines.join('\n')}\n`);
  const url = `postgres://${username}@127.0.0.1:${port}${pathname}`;
  const [command, words] = isRoot
    ? ['setpriv', ['--reuid', 'postgres', '--clear-groups', file, '-q', configuration]]
    : [file, ['-q', configuration]];
  const start = async () => {
    const child = spawn(command, words, { stdio: ['ignore', 'ignore', 'ignore'] });
    for (let attempt = 0; attempt < 200 && !(await accepts(url)); attempt++) await setTimeout(25);
    return child;
  };
  let running = await start();
  const leave = (): void => void running.kill('SIGKILL');
  process.once('exit', leave);
  const end = async (): Promise<void> => {
    leave();
    if (running.exitCode === null && running.signalCode === null) await once(running, 'exit');
  };
  return {
    url,
    async restart() {
      await end();
      running = await start();
    },
    async remove() {
      process.off('exit', leave);
      await end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function accepts(connectionString: string): Promise<boolean> {
  const client = new Client({ connectionString });
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

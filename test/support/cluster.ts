// A PostgreSQL cluster of the test's own, made from the machine's binaries, so that it can be stopped, restarted and frozen.
import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';

const DEBIAN = '/usr/lib/postgresql';

const PROGRAMS = ['initdb', 'pg_ctl', 'pg_dump', 'pg_restore'];

/** Directory of a server's programs; null where none is installed. */
export function serverBinaries(): string | null {
  const installed = existsSync(DEBIAN) ? readdirSync(DEBIAN).map((version) => join(DEBIAN, version, 'bin')) : [];
  const folders = [...(process.env.PATH ?? '').split(':').filter(Boolean), ...installed.sort().reverse()];
  return folders.find((folder) => PROGRAMS.every((program) => existsSync(join(folder, program)))) ?? null;
}

export interface Cluster {
  url: string;
  start(): void;
  stop(mode: 'fast' | 'immediate'): void;
  /** Sends a signal to every process of the server: SIGSTOP freezes it, SIGCONT continues it. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
  remove(): void;
}

/** A child may have ended since it was listed. */
function signalLiving(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Makes and starts a cluster. The server refuses to run as root, so root runs it as the user postgres. */
export async function startCluster(binaries: string): Promise<Cluster> {
  const isRoot = process.getuid?.() === 0;
  const folder = mkdtempSync('/tmp/gateway-pg-');
  const data = join(folder, 'data');
  const run = (command: string, ...words: string[]): string => {
    const file = join(binaries, command);
    const [program, given] = isRoot ? ['runuser', ['-u', 'postgres', '--', file, ...words]] : [file, words];
    return execFileSync(program, given, { encoding: 'utf8', stdio: ['ignore', 'ignore', 'inherit'], cwd: '/tmp' });
  };
  if (isRoot) chownSync(folder, Number(execFileSync('id', ['-u', 'postgres'], { encoding: 'utf8' })), -1);
  run('initdb', '-D', data, '-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--no-sync');
  const port = await freePort();
  const options = `-p ${port} -h 127.0.0.1 -k ${folder} -c max_connections=50`;
  const start = (): void => void run('pg_ctl', '-D', data, '-w', '-l', join(folder, 'log'), '-o', options, 'start');
  const stop: Cluster['stop'] = (mode) => void run('pg_ctl', '-D', data, '-m', mode, '-w', 'stop');
  start();
  const leave = (): void => stop('immediate');
  // Also when the test runner is ended in the middle of a test.
  process.once('exit', leave);
  const signal: Cluster['signal'] = (name) => {
    const postmaster = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
    // The parent first, so that it starts no child after the list is made.
    process.kill(postmaster, name);
    const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(postmaster)], { encoding: 'utf8' });
    for (const child of children.split('\n').map(Number).filter(Boolean)) signalLiving(child, name);
  };
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    start,
    stop,
    signal,
    remove() {
      process.off('exit', leave);
      // A frozen server cannot react to the stop.
      signal('SIGCONT');
      leave();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

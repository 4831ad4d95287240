// A PostgreSQL cluster of the test's own, made from the machine's binaries, so that it can be stopped, restarted and frozen.
import { execFileSync, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

const DEBIAN = '/usr/lib/postgresql';

const PROGRAMS = ['initdb', 'pg_basebackup', 'pg_ctl', 'pg_dump', 'pg_restore'];

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
  /** Sends a signal to every process of the server: SIGSTOP freezes it, SIGCONT continues it, SIGKILL is a crash. */
  signal(signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void;
  /** Makes a standby a primary. */
  promote(): void;
  remove(): void;
}

/** The processes that `ps` finds; a zombie does not count, because a container's first process may take seconds to reap it. */
function living(...selection: string[]): number[] {
  const { stdout } = spawnSync('ps', ['-o', 'pid=,stat=', ...selection], { encoding: 'utf8' });
  const lines = [...stdout.matchAll(/^ *(\d+) +(\S)/gm)];
  return lines.filter(([, , state]) => state !== 'Z').map(([, pid]) => Number(pid));
}

/** Where the ports begin that systems take for outgoing connections: 32768 on Linux, 49152 elsewhere. */
const FIRST_OUTGOING_PORT = 32_768;

/** A port that is free, and stays free while its server is down: no outgoing connection is given one of these. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, FIRST_OUTGOING_PORT);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) =>
      server
        .once('error', () => resolve(false))
        .once('listening', () => server.close(() => resolve(true)))
        .listen(port, '127.0.0.1'),
    );
    if (isFree) return port;
  }
}

/**
 * Makes and starts a cluster, or a standby that streams from another, with settings of its own. The server refuses to run as root, so root runs it as
 * the user postgres.
 */
export async function startCluster(binaries: string, upstream?: Cluster, settings: readonly string[] = []): Promise<Cluster> {
  const isRoot = process.getuid?.() === 0;
  const folder = mkdtempSync('/tmp/gateway-pg-');
  const data = join(folder, 'data');
  const run = (command: string, ...words: string[]): string => {
    const file = join(binaries, command);
    const [program, given] = isRoot ? ['runuser', ['-u', 'postgres', '--', file, ...words]] : [file, words];
    return execFileSync(program, given, { encoding: 'utf8', stdio: ['ignore', 'ignore', 'inherit'], cwd: '/tmp' });
  };
  if (isRoot) chownSync(folder, Number(execFileSync('id', ['-u', 'postgres'], { encoding: 'utf8' })), -1);
  if (upstream) run('pg_basebackup', '-D', data, '-d', upstream.url, '-R', '-c', 'fast', '--no-sync');
  else run('initdb', '-D', data, '-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--no-sync');
  const port = await freePort();
  const options = ['max_connections=50', ...settings].reduce(
    (words, setting) => `${words} -c ${setting}`,
    `-p ${port} -h 127.0.0.1 -k ${folder}`,
  );
  const log = join(folder, 'log');
  const start = (): void => {
    try {
      run('pg_ctl', '-D', data, '-w', '-l', log, '-o', options, 'start');
    } catch (error) {
      // pg_ctl says only that the start failed; the server's log says why.
      throw new Error(`The server did not start:\n${readFileSync(log, 'utf8').slice(-4_000)}`, { cause: error });
    }
  };
  const stop: Cluster['stop'] = (mode) => void run('pg_ctl', '-D', data, '-m', mode, '-w', 'stop');
  start();
  const leave = (): void => stop('immediate');
  // Also when the test runner is ended in the middle of a test.
  process.once('exit', leave);
  const pidFile = join(data, 'postmaster.pid');
  /** The server's first process; null where the file of a crashed server names one that has ended. */
  const postmasterOf = (): number | null => {
    const pid = existsSync(pidFile) ? readFileSync(pidFile, 'utf8').split('\n')[0]! : null;
    return pid === null ? null : (living('-p', pid)[0] ?? null);
  };
  const signal: Cluster['signal'] = (name) => {
    const postmaster = postmasterOf();
    if (postmaster === null) throw new Error(`The server ended on its own:\n${readFileSync(log, 'utf8').slice(-4_000)}`);
    // The parent is frozen first, so that it starts no child after the list is made.
    process.kill(postmaster, 'SIGSTOP');
    const children = living('--ppid', String(postmaster));
    for (const child of children) {
      try {
        process.kill(child, name);
      } catch (error) {
        // A child may have ended since it was listed.
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
    }
    process.kill(postmaster, name);
    if (name !== 'SIGKILL') return;
    while (living('-p', [postmaster, ...children].join()).length > 0);
    // A process that is not reaped yet would look like a running server to the next start, so its files are removed.
    for (const file of [pidFile, join(folder, `.s.PGSQL.${port}.lock`)]) rmSync(file);
  };
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    start,
    stop,
    signal,
    promote: () => void run('pg_ctl', '-D', data, '-w', 'promote'),
    remove() {
      process.off('exit', leave);
      if (postmasterOf() !== null) {
        // A frozen server cannot react to the stop.
        signal('SIGCONT');
        leave();
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

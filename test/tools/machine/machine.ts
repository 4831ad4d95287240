// A machine with nothing but Debian's packages, systemd as its first process and a network of its own, as a container of systemd-nspawn.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

const PACKAGES = [
  'ca-certificates,curl,git,openssl,procps,systemd,systemd-sysv,dbus', // what every machine has
  'postgresql,pgbouncer', // what docs/operations is about
].join(',');
const BOOT_MS = 60_000;

/** What this machine lacks to make another; null where it lacks nothing. */
export function lacking(): string | null {
  if (process.getuid?.() !== 0) return 'only root makes a machine';
  const missing = ['debootstrap', 'systemd-nspawn', 'nsenter'].filter((name) => spawnSync('which', [name]).status !== 0);
  return missing.length > 0 ? `${missing.join(', ')} not installed (Debian's packages debootstrap, systemd-container, util-linux)` : null;
}

export interface Machine {
  /** Its file system. */
  root: string;
  /** Runs commands of a document in bash, which stops at the first that fails; returns what they print. */
  run(commands: string, environment?: Record<string, string>): string;
  remove(): Promise<void>;
}

/** The program behind a command of this machine, not one of the packages of the checkout. */
function installed(command: string): string {
  const found = execFileSync('which', ['-a', command], { encoding: 'utf8' }).split('\n');
  return execFileSync('readlink', ['-f', found.find((path) => !path.includes('node_modules')) ?? ''], { encoding: 'utf8' }).trim();
}

/** Debian with the Node and npm of this machine, whose npm takes packages from the cache of this one: it has no way out. */
function makeSystem(root: string): void {
  execFileSync('debootstrap', ['--variant=minbase', `--include=${PACKAGES}`, 'bookworm', root], { stdio: ['ignore', 'ignore', 'inherit'] });
  const local = join(root, 'usr/local');
  mkdirSync(join(local, 'lib/node_modules'), { recursive: true });
  cpSync(installed('node'), join(local, 'bin/node'));
  cpSync(join(installed('npm'), '../..'), join(local, 'lib/node_modules/npm'), { recursive: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'));
  writeFileSync(join(root, 'root/.npmrc'), 'offline=true\nupdate-notifier=false\naudit=false\nfund=false\n');
  mkdirSync(join(root, 'root/.npm'), { recursive: true });
}

/** What the kernel reports a process; empty for one that has ended. */
function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
}

/** The first process of a container: the one below nspawn that is number 1 in a namespace of its own. */
function leaderOf(nspawn: number): number | null {
  const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', String(nspawn)], { encoding: 'utf8' });
  const children = stdout.split('\n').map(Number).filter(Boolean);
  return children.find((pid) => /^NSpid:\s+\d+\s+1$/m.test(statusOf(pid))) ?? null;
}

/** Makes and boots a machine; this takes about three minutes. */
export async function startMachine(): Promise<Machine> {
  const root = mkdtempSync('/var/tmp/gateway-machine-');
  // The services of the machine, which are not root's, have to enter it.
  chmodSync(root, 0o755);
  const remove = (): void => rmSync(root, { recursive: true, force: true });
  try {
    makeSystem(root);
  } catch (error) {
    remove();
    throw error;
  }
  // Without a service manager on this side to register with.
  const own = ['--quiet', '--register=no', '--keep-unit', '--private-network', '--console=pipe', `--machine=ledger-${process.pid}`];
  const cache = `--bind=${join(homedir(), '.npm')}:/root/.npm`;
  const nspawn = spawn('systemd-nspawn', [...own, cache, `--directory=${root}`, '--boot'], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [nspawn.stdout, nspawn.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  const leave = (): void => void nspawn.kill('SIGKILL');
  process.once('exit', leave);
  const machine: Machine = {
    root,
    run(commands, environment = {}) {
      const into = ['--target', String(leaderOf(nspawn.pid!)), '--mount', '--uts', '--ipc', '--net', '--pid', '--root', '--wd'];
      const clean = ['env', '-i', 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', 'HOME=/root', 'LANG=C.UTF-8'];
      const given = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
      const { status, stdout, stderr } = spawnSync(
        'nsenter',
        [...into, ...clean, ...given, 'bash', '-euo', 'pipefail', '-c', `cd /root\n${commands}`],
        {
          encoding: 'utf8',
          maxBuffer: 64 * 1_048_576,
          timeout: 300_000,
        },
      );
      if (status !== 0) throw new Error(`exit code ${status}\n${stdout}${stderr}`);
      return stdout;
    },
    async remove() {
      process.off('exit', leave);
      // SIGTERM to nspawn is an orderly stop of the machine.
      nspawn.kill('SIGTERM');
      const stopped = await Promise.race([once(nspawn, 'exit'), setTimeout(30_000)]);
      if (!stopped) leave();
      remove();
    },
  };
  const until = Date.now() + BOOT_MS;
  let state = 'it has no first process';
  const isUp = (): boolean => {
    try {
      state = machine.run('systemctl is-system-running || true');
    } catch (error) {
      state = (error as Error).message;
    }
    return /^(running|degraded)/.test(state);
  };
  while (leaderOf(nspawn.pid!) === null || !isUp()) {
    if (nspawn.exitCode !== null || Date.now() > until) {
      await machine.remove();
      throw new Error(`the machine did not boot: ${state}\n${said.slice(-4_000)}`);
    }
    await setTimeout(500);
  }
  return machine;
}

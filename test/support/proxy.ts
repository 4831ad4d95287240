// An HAProxy of the test's own in front of several gateways. It sends no request twice, so every request that a gateway fails is seen.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { freePort } from './cluster.ts';

/** The program; null where it is not installed. */
export function proxyProgram(): string | null {
  const folders = [...(process.env.PATH ?? '').split(':').filter(Boolean), '/usr/sbin'];
  return folders.map((folder) => join(folder, 'haproxy')).find((file) => existsSync(file)) ?? null;
}

export interface Proxy {
  origin: string;
  /** The numbers of the gateways that get requests. */
  up(): Promise<number[]>;
  remove(): Promise<void>;
}

/** Starts a proxy that asks the gateways for `/readyz` every half second and sends requests to those that return 200. */
export async function startProxy(file: string, ports: readonly number[]): Promise<Proxy> {
  const [port, statistics] = [await freePort(), await freePort()];
  const folder = mkdtempSync(join(tmpdir(), 'gateway-proxy-'));
  const configuration = join(folder, 'haproxy.cfg');
  const lines = [
    'defaults',
    '  mode http',
    '  retries 0',
    '  timeout connect 1s',
    '  timeout client 60s',
    '  timeout server 60s',
    '  timeout tunnel 1h',
    // A gateway that responds to the check late on a busy machine still serves; without this the interval is the limit.
    '  timeout check 5s',
    'frontend callers',
    `  bind 127.0.0.1:${port}`,
    '  default_backend gateways',
    'backend gateways',
    '  balance roundrobin',
    '  option httpchk GET /readyz',
    '  http-check expect status 200',
    '  default-server check inter 500 fall 1 rise 1',
    ...ports.map((each, index) => `  server gateway${index} 127.0.0.1:${each}`),
    'frontend statistics',
    `  bind 127.0.0.1:${statistics}`,
    '  stats enable',
    '  stats uri /',
  ];
  writeFileSync(configuration, `${lines.join('\n')}\n`);
  const running = spawn(file, ['-db', '-q', '-f', configuration], { stdio: 'ignore' });
  const leave = (): void => void running.kill('SIGKILL');
  process.once('exit', leave);
  const up = async (): Promise<number[]> => {
    const text = await (await fetch(`http://127.0.0.1:${statistics}/;csv`)).text();
    return ports.flatMap((_, index) => (new RegExp(`^gateways,gateway${index},(?:[^,]*,){15}UP`, 'm').test(text) ? [index] : []));
  };
  for (let attempt = 0; attempt < 200 && !(await up().catch(() => undefined)); attempt++) await setTimeout(25);
  return {
    origin: `http://127.0.0.1:${port}`,
    up,
    async remove() {
      process.off('exit', leave);
      leave();
      if (running.exitCode === null && running.signalCode === null) await once(running, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

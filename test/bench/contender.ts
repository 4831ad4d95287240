// A server under measurement: a child process, its CPU time and that of its PostgreSQL connections.
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Client } from 'pg';

const TICKS_PER_SECOND = 100;

/** CPU seconds of a process so far, from /proc (Linux). */
function cpuSeconds(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return 0;
  }
}

export interface Contender {
  name: string;
  origin: string;
  /** CPU seconds so far: of the server, and of the database connections named after it. */
  cpu(): Promise<{ server: number; database: number }>;
  memoryMb(): number;
  stop(): Promise<void>;
}

/** Starts a server that prints `listening on HOST:PORT`. Its connections carry the application name `bench_NAME`. */
export async function startContender(name: string, args: string[], env: Record<string, string>, admin: Client): Promise<Contender> {
  const child: ChildProcess = spawn(process.execPath, args, {
    env: { ...process.env, PGAPPNAME: `bench_${name}`, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const origin = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code} before it listened`)));
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const [, address] = /listening on (\S+)/i.exec(line) ?? [];
      if (address) resolve(`http://${address}`);
    });
  });
  return {
    name,
    origin,
    cpu: async () => {
      const { rows } = await admin.query<{ pid: number }>('select pid from pg_stat_activity where application_name = $1', [
        `bench_${name}`,
      ]);
      return { server: cpuSeconds(child.pid!), database: rows.reduce((sum, row) => sum + cpuSeconds(row.pid), 0) };
    },
    memoryMb: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024,
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill('SIGTERM');
      }),
  };
}

// A server under measurement: a child process, what it and its PostgreSQL connections have spent.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Client } from 'pg';

const TICKS_PER_SECOND = 100;
/** How often connections are looked at, so that one that the pool closes, which it does after 10 idle seconds, has been seen in its last state. */
const LOOK_MS = 1_000;

/** CPU seconds of a process so far, from /proc (Linux). */
function cpuSeconds(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return 0;
  }
}

/** CPU seconds so far, of the server and of the database connections named after it, and SQL statements so far. */
export interface Spent {
  server: number;
  database: number;
  statements: number;
}

export interface Subject {
  name: string;
  origin: string;
  /** Milliseconds from the start of the process until it listened. */
  startMs: number;
  spent(): Promise<Spent>;
  /** CPU milliseconds of its main thread so far. */
  mainThreadMs(): number;
  /** Resident memory. */
  memoryMb(): number;
  /** Ends it in order; may be called again. */
  stop(): Promise<void>;
}

/** The counter that both subjects publish. */
async function statementsOf(origin: string): Promise<number> {
  const text = await (await fetch(`${origin}/metrics`)).text();
  return Number(/^gateway_database_statements_total (\d+)$/m.exec(text)![1]);
}

/** Questions to a connection wait for each other: several servers are looked at over one. */
let asked: Promise<unknown> = Promise.resolve();
function inTurn<T>(ask: () => Promise<T>): Promise<T> {
  const answer = asked.then(ask);
  asked = answer.catch(() => {});
  return answer;
}

/** Starts a server that prints `listening on HOST:PORT`. Its connections carry the application name `bench_NAME`; without `admin` it has none. */
export async function startContender(name: string, args: string[], env: Record<string, string>, admin?: Client): Promise<Subject> {
  const began = performance.now();
  const child: ChildProcess = spawn(process.execPath, args, {
    env: { ...process.env, PGAPPNAME: `bench_${name}`, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const orphan = (): void => void child.kill('SIGKILL');
  process.once('exit', orphan);
  const ended = once(child, 'exit');
  const connections = new Map<string, number>();
  const look = async (): Promise<void> => {
    if (!admin) return;
    const query = `select pid, pid || ' ' || backend_start as name from pg_stat_activity where application_name = $1`;
    const { rows } = await inTurn(() => admin.query<{ pid: number; name: string }>(query, [`bench_${name}`]));
    // One that is gone since the question has no figure any more.
    for (const { pid, name } of rows) connections.set(name, Math.max(cpuSeconds(pid), connections.get(name) ?? 0));
  };
  const looking = setInterval(() => void look().catch(() => {}), LOOK_MS);
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
    startMs: performance.now() - began,
    spent: async () => {
      await look();
      return {
        server: cpuSeconds(child.pid!),
        database: [...connections.values()].reduce((sum, seconds) => sum + seconds, 0),
        statements: await statementsOf(origin),
      };
    },
    // Of a process, the file speaks of its first thread alone.
    mainThreadMs: () => Number(readFileSync(`/proc/${child.pid}/schedstat`, 'utf8').split(' ')[0]) / 1_000_000,
    memoryMb: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024,
    stop: async () => {
      clearInterval(looking);
      child.kill('SIGTERM');
      await ended;
      process.off('exit', orphan);
    },
  };
}

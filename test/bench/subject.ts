// A server under measurement: a child process, and the CPU time that it and its PostgreSQL connections have used.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Client } from 'pg';
import { metricsOf } from '../support/metrics.ts';

/** The admin token of the gateways under measurement. */
export const BENCH_ADMIN = 'bench-admin-token-0123456789';

const TICKS_PER_SECOND = 100;
/** How often the connections are sampled: the pool closes one after 10 idle seconds, and its last state must have been seen by then. */
const SAMPLE_MS = 1_000;

/** CPU seconds of a process so far, from /proc (Linux). */
export function cpuSeconds(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return 0;
  }
}

/** SQL statements and CPU seconds so far of the server, of its database connections, and of the connections of a coordinator to its workers. */
export interface Spent {
  server: number;
  database: number;
  workers: number;
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
  /** Resident memory in megabytes. */
  memoryMb(): number;
  /** Ends it with SIGTERM; may be called again. */
  stop(): Promise<void>;
}

/** The statement counter that both subjects publish. */
async function statementsOf(origin: string): Promise<number> {
  const text = await metricsOf(origin, BENCH_ADMIN);
  return Number(/^gateway_database_statements_total (\d+)$/m.exec(text)![1]);
}

/** Several subjects are sampled over one connection, so their queries run one after the other. */
let lastQuery: Promise<unknown> = Promise.resolve();
function inSequence<T>(ask: () => Promise<T>): Promise<T> {
  const response = lastQuery.then(ask);
  lastQuery = response.catch(() => {});
  return response;
}

/** The connections of a server to its database, and those of a coordinator to a worker. */
const OWN = 'application_name = $1';
const OF_COORDINATOR = `application_name like 'citus_internal%' and $1 <> ''`;

/**
 * Starts a server that prints `listening on HOST:PORT`. Its connections have the application name `bench_NAME`. The watchers sample them, the first
 * on its database server and the others on the workers of that; without watchers they are not sampled.
 */
export async function startSubject(
  name: string,
  args: string[],
  env: Record<string, string>,
  [coordinator, ...workers]: readonly Client[] = [],
): Promise<Subject> {
  const began = performance.now();
  const child: ChildProcess = spawn(process.execPath, args, {
    env: { ...process.env, PGAPPNAME: `bench_${name}`, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const orphan = (): void => void child.kill('SIGKILL');
  process.once('exit', orphan);
  const ended = once(child, 'exit');
  const connections = { database: new Map<string, number>(), workers: new Map<string, number>() };
  const sampleOn = async (watcher: Client, condition: string, found: Map<string, number>): Promise<void> => {
    const query = `select pid, pid || ' ' || backend_start as name from pg_stat_activity where ${condition}`;
    const { rows } = await inSequence(() => watcher.query<{ pid: number; name: string }>(query, [`bench_${name}`]));
    // A connection that ended since the query has no figure any more.
    for (const { pid, name } of rows) found.set(name, Math.max(cpuSeconds(pid), found.get(name) ?? 0));
  };
  const sample = async (): Promise<void> => {
    if (coordinator) await sampleOn(coordinator, OWN, connections.database);
    for (const worker of workers) await sampleOn(worker, OF_COORDINATOR, connections.workers);
  };
  const secondsOf = (found: Map<string, number>): number => [...found.values()].reduce((sum, seconds) => sum + seconds, 0);
  const sampling = setInterval(() => void sample().catch(() => {}), SAMPLE_MS);
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
      await sample();
      return {
        server: cpuSeconds(child.pid!),
        database: secondsOf(connections.database),
        workers: secondsOf(connections.workers),
        statements: await statementsOf(origin),
      };
    },
    // The file of a process covers its main thread alone.
    mainThreadMs: () => Number(readFileSync(`/proc/${child.pid}/schedstat`, 'utf8').split(' ')[0]) / 1_000_000,
    memoryMb: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024,
    stop: async () => {
      clearInterval(sampling);
      child.kill('SIGTERM');
      await ended;
      process.off('exit', orphan);
    },
  };
}

// The load: a number of connections, each of which sends its next request when the last one has its response.
import { Pool } from 'undici';
import type { Subject } from './subject.ts';
import type { Request } from './workloads.ts';

export interface Measure {
  /** Requests with a response. */
  requests: number;
  /** Requests that returned 503 because no database connection was free in time; no other figure includes them. */
  refused: number;
  perSecond: number;
  p50: number;
  p99: number;
  serverMs: number;
  databaseMs: number;
  /** On the workers of a distributed database; absent on one server. */
  workersMs?: number;
  /** SQL statements per request. */
  statements: number;
  bytes: number;
  /** Rows fetched from tables per request, where they were counted. */
  rows?: number;
}

export interface Load {
  /** Ends after this many seconds or this many requests, whichever comes first. */
  seconds?: number;
  requests?: number;
  connections?: number;
  /** Sent besides the usual headers. */
  headers?: Record<string, string>;
}

const CONNECTIONS = 32;

/** A runtime has compiled hot code after some thousand calls; a long request makes many calls, hence the limit in seconds. */
export const WARM_UP: Load = { requests: 2_000, seconds: 8 };

export const headersOf = (key: string): Record<string, string> => ({ api_key: key, 'content-type': 'application/json' });

export const totalMs = ({ serverMs, databaseMs, workersMs = 0 }: Measure): number => serverMs + databaseMs + workersMs;

export const median = (results: Measure[]): Measure => results.toSorted((a, b) => totalMs(a) - totalMs(b))[Math.floor(results.length / 2)]!;

/** Sends the requests in a cycle; CPU is milliseconds per request. */
export async function measure(subject: Subject, cycle: readonly Request[], key: string, load: Load): Promise<Measure> {
  const connections = load.connections ?? CONNECTIONS;
  const pool = new Pool(subject.origin, { connections, pipelining: 1 });
  const latencies: number[] = [];
  let bytes = 0;
  let [sent, refused] = [0, 0];
  const most = load.requests ?? Number.POSITIVE_INFINITY;
  const before = await subject.spent();
  const start = performance.now();
  const end = start + (load.seconds ?? Number.POSITIVE_INFINITY) * 1_000;
  const worker = async (): Promise<void> => {
    while (sent < most && performance.now() < end) {
      const request = cycle[sent++ % cycle.length]!;
      const began = performance.now();
      const { statusCode, body } = await pool.request({
        method: request.method,
        path: request.path,
        headers: { ...headersOf(key), ...load.headers },
        body: request.body ?? null,
      });
      const data = await body.arrayBuffer();
      if (statusCode === 503) {
        refused++;
        continue;
      }
      if (statusCode !== 200)
        throw new Error(`${subject.name} returned ${statusCode} to ${request.path}: ${Buffer.from(data).toString().slice(0, 300)}`);
      bytes = data.byteLength;
      latencies.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  const elapsed = (performance.now() - start) / 1_000;
  const after = await subject.spent();
  await pool.close();
  latencies.sort((a, b) => a - b);
  const at = (share: number): number => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))]!;
  const requests = latencies.length;
  if (requests < refused) throw new Error(`${subject.name} refused ${refused} of ${requests + refused} requests to ${cycle[0]!.path}`);
  return {
    requests,
    refused,
    perSecond: requests / elapsed,
    p50: at(0.5),
    p99: at(0.99),
    serverMs: ((after.server - before.server) * 1_000) / requests,
    databaseMs: ((after.database - before.database) * 1_000) / requests,
    ...(after.workers > 0 ? { workersMs: ((after.workers - before.workers) * 1_000) / requests } : {}),
    statements: (after.statements - before.statements) / requests,
    bytes,
  };
}

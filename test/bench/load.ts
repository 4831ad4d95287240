// The load: a fixed number of connections, each sending its next request when the last one is answered.
import { Pool } from 'undici';
import type { Contender } from './contender.ts';
import type { Workload } from './workloads.ts';

export interface Measure {
  requests: number;
  perSecond: number;
  p50: number;
  p99: number;
  serverMs: number;
  databaseMs: number;
  bytes: number;
}

const CONNECTIONS = 32;

export const headersOf = (key: string): Record<string, string> => ({ api_key: key, 'content-type': 'application/json' });

/** Runs a workload for some seconds; CPU is milliseconds per request. */
export async function measure(contender: Contender, workload: Workload, key: string, seconds: number): Promise<Measure> {
  const pool = new Pool(contender.origin, { connections: CONNECTIONS, pipelining: 1 });
  const latencies: number[] = [];
  let bytes = 0;
  const before = await contender.cpu();
  const start = performance.now();
  const end = start + seconds * 1_000;
  const worker = async (): Promise<void> => {
    while (performance.now() < end) {
      const sent = performance.now();
      const { statusCode, body } = await pool.request({
        method: workload.method,
        path: workload.path,
        headers: headersOf(key),
        body: workload.body ?? null,
      });
      const data = await body.arrayBuffer();
      if (statusCode !== 200)
        throw new Error(`${contender.name} answered ${statusCode} to ${workload.name}: ${Buffer.from(data).toString().slice(0, 300)}`);
      bytes = data.byteLength;
      latencies.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  const elapsed = (performance.now() - start) / 1_000;
  const after = await contender.cpu();
  await pool.close();
  latencies.sort((a, b) => a - b);
  const at = (share: number): number => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))]!;
  const requests = latencies.length;
  return {
    requests,
    perSecond: requests / elapsed,
    p50: at(0.5),
    p99: at(0.99),
    serverMs: ((after.server - before.server) * 1_000) / requests,
    databaseMs: ((after.database - before.database) * 1_000) / requests,
    bytes,
  };
}

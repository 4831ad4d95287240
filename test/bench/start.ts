// Time from the start to the first response, and memory, of a gateway; speed and memory of the geocoder.
import { execFileSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { packagePath } from '../../src/runtime/package-root.ts';
import { filledDirectory } from './embedded.ts';
import type { Alone } from './geocoder-alone.ts';
import { measure, WARM_UP } from './load.ts';
import { nextOf } from './side-by-side.ts';
import { type Figure, step } from './table.ts';
import type { Testbed } from './testbed.ts';
import { listQueriesOf, workloadsOf } from './workloads.ts';

const STARTS = 3;
/** A server that has just started still has the garbage of its start to collect. */
const REST_MS = 5_000;

interface Started {
  seconds: number;
  cpuSeconds: number;
  restMb: number;
}

/** Starts a gateway several times on existing data; the fastest start, and the idle memory of the last one. */
async function startedOften(testbed: Testbed, name: string, place: Parameters<Testbed['gateway']>[1]): Promise<Started> {
  const [seconds, cpu]: [number[], number[]] = [[], []];
  for (let round = 1; ; round++) {
    step(`starting on ${name}, ${round} of ${STARTS}`);
    const began = performance.now();
    const gateway = await testbed.gateway(name, place);
    const response = await fetch(`${gateway.origin}/graphql?query={__typename}`, { headers: { 'apollo-require-preflight': 'true' } });
    await response.text();
    if (!response.ok) throw new Error(`the first response was ${response.status}`);
    seconds.push((performance.now() - began) / 1_000);
    cpu.push((await gateway.spent()).server);
    if (round === STARTS) await pause(REST_MS);
    const restMb = gateway.memoryMb();
    await gateway.stop();
    if (round === STARTS) return { seconds: Math.min(...seconds), cpuSeconds: Math.min(...cpu), restMb };
  }
}

export async function startAndMemory(testbed: Testbed, seconds: number): Promise<Figure[]> {
  const embedded = await startedOften(testbed, 'embedded', { DATA_DIR: await filledDirectory(testbed) });
  const size = { companies: 2, notes: 2_000 };
  const { url, gateway, key } = await testbed.filled('loaded', size);
  step(`W3 for ${seconds} s`);
  const { requests: expanded } = workloadsOf(await listQueriesOf(size, nextOf(gateway, key))).find(({ name }) => name === 'W3')!;
  await measure(gateway, expanded, key, WARM_UP);
  await measure(gateway, expanded, key, { seconds });
  const loadedMb = gateway.memoryMb();
  await gateway.stop();
  const postgres = await startedOften(testbed, 'postgres', { DATABASE_URL: url });
  const less = { better: 'less' as const };
  return [
    { name: 'start', title: 'start to first response, embedded database', value: embedded.seconds, unit: 's', must: 2, aim: 1, ...less },
    { name: 'start cpu', title: 'CPU of that start', value: embedded.cpuSeconds, unit: 's', ...less },
    { name: 'start pg', title: 'start to first response, PostgreSQL', value: postgres.seconds, unit: 's', ...less },
    { name: 'rest', title: 'memory at rest, PostgreSQL', value: postgres.restMb, unit: 'MB', must: 180, aim: 120, ...less },
    { name: 'rest emb.', title: 'memory at rest, embedded database in it', value: embedded.restMb, unit: 'MB', ...less },
    { name: 'loaded', title: `memory after ${seconds} s of W3, PostgreSQL`, value: loadedMb, unit: 'MB', must: 300, aim: 200, ...less },
  ];
}

/** The geocoder in a process of its own. */
export function geocoder(): Figure[] {
  step('geocoding');
  const script = packagePath('dist/test/bench/geocoder-alone.js');
  const alone = JSON.parse(execFileSync(process.execPath, ['--expose-gc', script], { encoding: 'utf8' })) as Alone;
  const less = { better: 'less' as const };
  return [
    { name: 'geocoder', title: 'addresses geocoded by one thread', value: alone.perSecond, unit: '/s', better: 'more' },
    { name: 'geo p99', title: 'one address, p99', value: alone.p99, unit: 'ms', must: 5, ...less },
    { name: 'geo load', title: 'geocoder, load to first address', value: alone.loadMs, unit: 'ms', must: 300, ...less },
    { name: 'geo without', title: 'memory of a process without the geocoder', value: alone.withoutMb, unit: 'MB', ...less },
    { name: 'geo adds', title: 'memory it adds', value: alone.withMb - alone.withoutMb, unit: 'MB', must: 120, ...less },
  ];
}

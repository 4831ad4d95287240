// Speed and size of the geocoder in this process: throughput, percentiles per call, load time, memory above the baseline.
import { performance } from 'node:perf_hooks';
import type { Geocoder } from '../geocoder/geocode.ts';

export interface Speed {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly worst500: number;
}

/** Times every address three times after one warm round; `worst500` is the slowest of hard inputs of 500 characters. */
export function timeCalls(geocoder: Geocoder, addresses: readonly string[]): Speed {
  const short = addresses.filter((address) => address.length <= 300);
  for (const address of short) geocoder.geocode(address);
  const times: number[] = [];
  const begun = performance.now();
  for (let round = 0; round < 3; round++) {
    for (const address of short) {
      const start = performance.now();
      geocoder.geocode(address);
      times.push(performance.now() - start);
    }
  }
  const total = performance.now() - begun;
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return {
    perSecond: (times.length / total) * 1000,
    p50: at(0.5),
    p99: at(0.99),
    worst500: Math.max(...hardInputs(addresses).map((address) => best3(geocoder, address))),
  };
}

function best3(geocoder: Geocoder, address: string): number {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 3; i++) {
    const start = performance.now();
    geocoder.geocode(address);
    best = Math.min(best, performance.now() - start);
  }
  return best;
}

function hardInputs(addresses: readonly string[]): string[] {
  const fill = (piece: string): string => piece.repeat(Math.ceil(500 / piece.length)).slice(0, 500);
  return [
    fill('san '),
    fill('12345 '),
    fill('1 '),
    fill('saint maria de la '),
    fill('東京大阪市'),
    fill('Springfield, '),
    fill('xqzvbn rtplkm '),
    fill(addresses.join(' ')),
  ];
}

/** Resident bytes of the process, after a garbage collection where the process exposes it. */
export function residentBytes(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  return process.memoryUsage().rss;
}

// What compression costs and saves: pages of 100 without a coding and in each, from the gateway alone.

import type { DatasetSize } from './dataset.ts';
import { totalMs } from './load.ts';
import { type Effort, interleaved, nextOf, type Subjects } from './side-by-side.ts';
import { type Figure, printRow } from './table.ts';
import { listQueriesOf, workloadsOf } from './workloads.ts';

/** Measures the requests of W2 with each coding; the first asks for none, as every other workload does. */
export async function compression({ gateway, key, size }: Subjects & { size: DatasetSize }, effort: Effort): Promise<Figure[]> {
  const { requests: cycle } = workloadsOf(await listQueriesOf(size, nextOf(gateway, key))).find(({ name }) => name === 'W2')!;
  const side = (coding?: string) => ({ subject: gateway, cycle, key, ...(coding ? { headers: { 'accept-encoding': coding } } : {}) });
  const found = await interleaved({ plain: side(), zstd: side('zstd'), br: side('br'), gzip: side('gzip') }, effort);
  for (const [name, result] of Object.entries(found)) printRow('coded', name, result);
  return (['zstd', 'br', 'gzip'] as const).flatMap(
    (name) =>
      [
        {
          name: `coded.${name}`,
          title: `a page of 100 in ${name}: CPU, plain = 1`,
          value: totalMs(found[name]) / totalMs(found.plain),
          unit: 'times',
          better: 'less',
        },
        {
          name: `bytes.${name}`,
          title: `a page of 100 in ${name}: bytes, plain = 1`,
          value: found[name].bytes / found.plain.bytes,
          unit: 'times',
          better: 'less',
        },
      ] satisfies Figure[],
  );
}

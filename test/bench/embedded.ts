// What the embedded database carries: the workloads on it, and how long small requests wait while a long import runs.
import { PGlite } from '@electric-sql/pglite';
import { type Bed, issueKey } from './bed.ts';
import { fillDataset } from './dataset.ts';
import { type Measure, measure, WARM_UP } from './load.ts';
import { importOnce, makeCorporation, productsCsv } from './product-import.ts';
import type { Effort } from './side-by-side.ts';
import { type Figure, HEAD, number, printRow, say, step } from './table.ts';
import { workloadsOf } from './workloads.ts';

const SIZE = { companies: 2, notes: 2_000 };

/** A data directory that a gateway has made, filled while no process owns it. */
export async function filledDirectory(bed: Bed): Promise<string> {
  step('filling an embedded database');
  const directory = await bed.directory();
  await (await bed.gateway('first', { DATA_DIR: directory })).stop();
  const database = await PGlite.create(directory);
  await fillDataset((text, values) => database.query(text, values), SIZE);
  await database.close();
  return directory;
}

export async function embedded(bed: Bed, { seconds }: Effort, rows: number): Promise<Figure[]> {
  const gateway = await bed.gateway('embedded', { DATA_DIR: await filledDirectory(bed) });
  const key = await issueKey(gateway.origin);
  say(
    `\nEmbedded database, ${SIZE.companies} companies x ${number(SIZE.notes, 0)} bill credit notes x 5 lines, 32 connections, ${seconds} s each; it works in the server.\n\n${HEAD}`,
  );
  const figures: Figure[] = [];
  for (const workload of workloadsOf()) {
    step(`${workload.name} on the embedded database`);
    await measure(gateway, [workload], key, WARM_UP);
    const found = await measure(gateway, [workload], key, { seconds });
    printRow(workload.name, 'embedded', found);
    const name = `${workload.name} embedded`;
    figures.push({ name, title: `${workload.title}, embedded database`, value: found.perSecond, unit: '/s', better: 'more' });
  }
  step(`importing ${number(rows, 0)} products into the embedded database`);
  const small = [workloadsOf()[0]!];
  const corporation = await makeCorporation(gateway.origin, key);
  const over = new AbortController();
  const waiting: Promise<Measure> = measure(gateway, small, key, { signal: over.signal, connections: 1 });
  const taken = await importOnce(gateway.origin, key, corporation, productsCsv(rows), rows).finally(() => over.abort());
  const { requests, p50, p99, longest } = await waiting;
  say(`\n  Import of ${number(rows, 0)} products: ${number(taken, 1)} s, ${number(rows / taken, 0)} rows/s.`);
  say(
    `  ${number(requests, 0)} small requests meanwhile, one after another, waited ${number(p50, 1)} ms (p50), ${number(p99, 1)} ms (p99), ${number(longest, 1)} ms at most.`,
  );
  figures.push(
    { name: 'import embedded', title: 'CSV import, embedded database', value: rows / taken, unit: '/s', better: 'more' },
    { name: 'import wait', title: 'longest wait of a small request behind it', value: longest, unit: 'ms', must: 200, better: 'less' },
  );
  return figures;
}

// The capacity of the embedded database: the workloads on it, and how long small requests wait during a long import.
import { setTimeout as pause } from 'node:timers/promises';
import { PGlite } from '@electric-sql/pglite';
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { fillDataset } from './dataset.ts';
import { headersOf, measure, WARM_UP } from './load.ts';
import { importOnce, makeCorporation, productsCsv } from './product-import.ts';
import { type Effort, nextOf } from './side-by-side.ts';
import type { Subject } from './subject.ts';
import { type Figure, HEAD, number, printRow, say, step } from './table.ts';
import { issueKey, type Testbed } from './testbed.ts';
import { listQueriesOf, type Request, workloadsOf } from './workloads.ts';

const REQUEST_PAUSE_MS = 5;
const SIZE = { companies: 2, notes: 2_000 };

/** A data directory that a gateway created, filled while no process owns it. */
export async function filledDirectory(testbed: Testbed): Promise<string> {
  step('filling an embedded database');
  const directory = await testbed.directory();
  await (await testbed.gateway('first', { DATA_DIR: directory })).stop();
  const database = await PGlite.create(directory, { extensions: { btree_gin, pg_trgm } });
  await fillDataset((text, values) => database.query(text, values), SIZE);
  await database.close();
  return directory;
}

export async function embedded(testbed: Testbed, { seconds }: Effort, rows: number): Promise<Figure[]> {
  const gateway = await testbed.gateway('embedded', { DATA_DIR: await filledDirectory(testbed) });
  const key = await issueKey(gateway.origin);
  say(
    `\nEmbedded database, ${SIZE.companies} companies x ${number(SIZE.notes, 0)} bill credit notes x 5 lines, 32 connections, ${seconds} s each; it works in the server.\n\n${HEAD}`,
  );
  const figures: Figure[] = [];
  for (const workload of workloadsOf(await listQueriesOf(SIZE, nextOf(gateway, key)))) {
    step(`${workload.name} on the embedded database`);
    await measure(gateway, workload.requests, key, WARM_UP);
    const found = await measure(gateway, workload.requests, key, { seconds });
    printRow(workload.name, 'embedded', found);
    const name = `${workload.name} embedded`;
    figures.push({ name, title: `${workload.title}, embedded database`, value: found.perSecond, unit: '/s', better: 'more' });
  }
  step(`importing ${number(rows, 0)} products into the embedded database`);
  const corporation = await makeCorporation(gateway.origin, key);
  let isOver = false;
  const waiting = waitsOf(gateway, key, () => isOver);
  const taken = await importOnce(gateway.origin, key, corporation, productsCsv(rows), rows).finally(() => {
    isOver = true;
  });
  const { waited, worked } = await waiting;
  const at = (values: number[], share: number): string => number(values[Math.floor(values.length * share)]!, 1, 8);
  say(`\n  Import of ${number(rows, 0)} products: ${number(taken, 1)} s, ${number(rows / taken, 0)} rows/s.`);
  say(
    `  ${number(waited.length, 0)} small requests in the meantime, one after another:\n\n                             p50 ms   p99 ms  longest`,
  );
  for (const [what, values] of Object.entries({ 'waited for the response': waited, 'the server worked in the meantime': worked }))
    say(`  ${what.padEnd(27)}${at(values, 0.5)} ${at(values, 0.99)} ${number(values.at(-1)!, 1, 8)}`);
  const small = { unit: 'ms', must: 200, better: 'less' } as const;
  figures.push(
    { name: 'import emb.', title: 'CSV import, embedded database: rows', value: rows / taken, unit: '/s', better: 'more' },
    { name: 'import wait', title: 'longest wait of a small request behind it', value: waited.at(-1)!, ...small },
    { name: 'import work', title: 'most work of the server during such a wait', value: worked.at(-1)!, ...small },
  );
  return figures;
}

/**
 * Asks for one account after another until `isOver`. Measures how long each response took, and how long the main thread of the server worked in that
 * time. The latter leaves out the CPU of other programs. Both lists are in ascending order.
 */
async function waitsOf(gateway: Subject, key: string, isOver: () => boolean): Promise<{ waited: number[]; worked: number[] }> {
  const [waited, worked]: [number[], number[]] = [[], []];
  const [{ path }] = workloadsOf()[0]!.requests as [Request];
  while (!isOver()) {
    const [began, spent] = [performance.now(), gateway.mainThreadMs()];
    const response = await fetch(gateway.origin + path, { headers: headersOf(key) });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`${path} returned ${response.status} during the import`);
    waited.push(performance.now() - began);
    worked.push(gateway.mainThreadMs() - spent);
    await pause(REQUEST_PAUSE_MS);
  }
  const ascending = (values: number[]): number[] => values.sort((a, b) => a - b);
  return { waited: ascending(waited), worked: ascending(worked) };
}

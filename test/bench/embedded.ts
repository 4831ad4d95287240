// Command `npm run bench -- --embedded`: the workloads on the embedded database, and how long small requests wait while an import runs.
import { PGlite } from '@electric-sql/pglite';
import { type Bed, issueKey } from './bed.ts';
import type { Contender } from './contender.ts';
import { fillDataset } from './dataset.ts';
import { headersOf, measure, WARM_UP } from './load.ts';
import { importOnce, makeCorporation, productsCsv } from './product-import.ts';
import type { Effort } from './side-by-side.ts';
import { HEAD, number, printRow, say } from './table.ts';
import { workloadsOf } from './workloads.ts';

const LONGEST_WAIT_MS = 200;

/** A data directory that a gateway has made, filled while no process owns it. */
export async function filledDirectory(bed: Bed, notes: number): Promise<string> {
  const directory = await bed.directory();
  await (await bed.gateway('first', { DATA_DIR: directory })).stop();
  const database = await PGlite.create(directory);
  await fillDataset((text, values) => database.query(text, values), { companies: 2, notes });
  await database.close();
  return directory;
}

export async function embedded(bed: Bed, { seconds }: Effort, rows: number): Promise<void> {
  const gateway = await bed.gateway('embedded', { DATA_DIR: await filledDirectory(bed, 2_000) });
  const key = await issueKey(gateway.origin);
  say(`Embedded database, 2 companies x 2,000 bill credit notes x 5 lines, 32 connections, ${seconds} s each.\n\n${HEAD}`);
  for (const workload of workloadsOf()) {
    await measure(gateway, [workload], key, { requests: WARM_UP / 4 });
    printRow(workload.name, 'embedded', await measure(gateway, [workload], key, { seconds }));
  }
  const corporation = await makeCorporation(gateway.origin, key);
  let isOver = false;
  const waits = longestWait(gateway, key, () => isOver);
  const taken = await importOnce(gateway.origin, key, corporation, productsCsv(rows), rows).finally(() => {
    isOver = true;
  });
  const longest = await waits;
  say(
    `\n  import of ${rows} products: ${number(taken, 1, 1)} s; longest wait of a small request meanwhile ${number(longest, 0, 1)} ms, aim ${LONGEST_WAIT_MS} ms: ${longest <= LONGEST_WAIT_MS ? 'reached' : 'NOT reached'}`,
  );
}

/** Asks for one account after another until it is over. */
async function longestWait({ origin }: Contender, key: string, isOver: () => boolean): Promise<number> {
  const { path } = workloadsOf()[0]!;
  let longest = 0;
  while (!isOver()) {
    const began = performance.now();
    const answer = await fetch(origin + path, { headers: headersOf(key) });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`${path} answered ${answer.status} during the import`);
    longest = Math.max(longest, performance.now() - began);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return longest;
}

// Command `npm run bench`: this gateway beside a bare contender on one PostgreSQL, workload by workload, with the ratio of what they cost.
import { parseArgs } from 'node:util';
import { packagePath } from '../../src/core/package-root.ts';
import { batchWrites } from './batch.ts';
import { type Bed, onBed } from './bed.ts';
import { embedded } from './embedded.ts';
import { growth } from './growth.ts';
import { productImports } from './product-import.ts';
import { printMoves, type Results, readResults, writeResults } from './results.ts';
import { type Contest, rareRecord, sideBySide } from './side-by-side.ts';
import { start } from './start.ts';
import { number, printVerdicts, say } from './table.ts';

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    database: { type: 'string', default: process.env.DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres' },
    growth: { type: 'boolean', default: false },
    embedded: { type: 'boolean', default: false },
    start: { type: 'boolean', default: false },
    only: { type: 'string' },
    compare: { type: 'string' },
    out: { type: 'string', default: packagePath('bench-results', 'latest.json') },
  },
});

const effort = options.quick ? { rounds: 2, seconds: 3 } : { rounds: 4, seconds: 8 };
const size = options.quick ? { companies: 2, notes: 2_000 } : { companies: 20, notes: 5_000 };
const chosen = (name: string): boolean => options.only?.split(',').includes(name) ?? true;

async function contest(bed: Bed): Promise<Contest> {
  say(`Filling ${size.companies} companies x ${size.notes} bill credit notes x 5 lines …`);
  const filled = await bed.filled('gateway', size);
  const bare = await bed.start('bare', [packagePath('dist/test/bench/bare.js'), filled.url], {});
  return { bed, bare, ...filled };
}

async function fullRun(bed: Bed): Promise<void> {
  // Read first, so that a wrong name is not found out after minutes.
  const earlier = options.compare ? readResults(options.compare) : undefined;
  const between = await contest(bed);
  const table: Results['table'] = await sideBySide(between, chosen, effort);
  if (chosen('rare')) table.push(await rareRecord(between, effort));
  if (chosen('W5')) table.push(await batchWrites(between, effort.rounds + 1));
  if (chosen('W6')) table.push(await productImports(between, effort.rounds - 1, options.quick ? 5_000 : 50_000));
  printVerdicts(table);
  say(`\n  memory ${number(between.gateway.memoryMb(), 0, 5)} MB after the load`);
  if (earlier) printMoves(earlier, table);
  await writeResults(options.out, bed.admin, { size, ...effort, table });
}

// The servers end with the program, also when it is interrupted.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

await onBed(options.database, async (bed) => {
  if (options.growth) await growth(bed, effort, options.quick);
  else if (options.embedded) await embedded(bed, effort, options.quick ? 5_000 : 50_000);
  else if (options.start) await start(bed, options.quick ? 10 : 60);
  else await fullRun(bed);
});

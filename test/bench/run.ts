// Command `npm run bench`: this gateway beside a bare contender on one PostgreSQL, workload by workload, with what each part costs and what it must.
import { parseArgs } from 'node:util';
import { packagePath } from '../../src/core/package-root.ts';
import { batchWrites } from './batch.ts';
import { type Bed, onBed } from './bed.ts';
import { embedded } from './embedded.ts';
import { growth } from './growth.ts';
import { productImports } from './product-import.ts';
import { printMoves, type Results, readResults, writeResults } from './results.ts';
import { rareRecord, sideBySide } from './side-by-side.ts';
import { geocoder, startAndMemory } from './start.ts';
import { number, printFigures, say } from './table.ts';

const beside = ['W1', 'W2', 'W3', 'W4', 'W4b', 'rare', 'W5', 'W6'];
const usual = [...beside, 'start', 'geocoder'];
const parts = [...usual, 'embedded', 'growth'];

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    database: { type: 'string', default: process.env.DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres' },
    only: { type: 'string', default: usual.join(',') },
    compare: { type: 'string' },
    out: { type: 'string', default: packagePath('bench-results', 'latest.json') },
  },
});

const asked = options.only.split(',');
const unknown = asked.filter((name) => !parts.includes(name));
if (unknown.length > 0) {
  console.error(`--only takes ${parts.join(', ')}, separated by commas; not ${unknown.join(', ')}`);
  process.exit(2);
}
const chosen = (name: string): boolean => asked.includes(name);

const effort = options.quick ? { rounds: 2, seconds: 3 } : { rounds: 4, seconds: 8 };
const size = options.quick ? { companies: 2, notes: 2_000 } : { companies: 20, notes: 5_000 };
const products = options.quick ? 5_000 : 50_000;

async function besideBare(bed: Bed): Promise<Results['figures']> {
  say(`${size.companies} companies x ${number(size.notes, 0)} bill credit notes x 5 lines.`);
  const filled = await bed.filled('gateway', size);
  const bare = await bed.start('bare', [packagePath('dist/test/bench/bare.js'), filled.url], {});
  const contest = { bed, bare, size, ...filled };
  const figures: Results['figures'] = await sideBySide(contest, chosen, effort);
  if (chosen('rare')) figures.push(await rareRecord(contest, effort));
  if (chosen('W5')) figures.push(await batchWrites(contest, effort.rounds * 2 + 1));
  if (chosen('W6')) figures.push(await productImports(contest, effort.rounds - 1, products));
  await Promise.all([filled.gateway.stop(), bare.stop()]);
  return figures;
}

async function run(bed: Bed): Promise<void> {
  // Read first, so that a wrong name is not found out after minutes.
  const earlier = options.compare ? readResults(options.compare) : undefined;
  const figures = beside.some(chosen) ? await besideBare(bed) : [];
  if (chosen('start')) figures.push(...(await startAndMemory(bed, options.quick ? 10 : 60)));
  if (chosen('geocoder')) figures.push(...geocoder());
  if (chosen('embedded')) figures.push(...(await embedded(bed, effort, products)));
  if (chosen('growth')) {
    const sizes = options.quick ? { notes: 600, companies: 50 } : { notes: 5_000, companies: 1_000 };
    figures.push(...(await growth(bed, effort, sizes, packagePath('bench-results', 'growth.svg'))));
  }
  printFigures(figures);
  if (earlier) printMoves(earlier, figures);
  await writeResults(options.out, bed.admin, { size, ...effort, figures });
}

await onBed(options.database, run);

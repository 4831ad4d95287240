// Command `npm run bench`: this gateway beside the baseline on one PostgreSQL, workload by workload, with the cost and the goal of each figure.
import { parseArgs } from 'node:util';
import { packagePath } from '../../src/runtime/package-root.ts';
import { batchWrites } from './batch.ts';
import { embedded } from './embedded.ts';
import { growth } from './growth.ts';
import { productImports } from './product-import.ts';
import { printMoves, type Results, readResults, writeResults } from './results.ts';
import { rareRecord, sideBySide } from './side-by-side.ts';
import { geocoder, startAndMemory } from './start.ts';
import { number, printFigures, say } from './table.ts';
import { type Testbed, withTestbed } from './testbed.ts';

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

async function besideBaseline(testbed: Testbed): Promise<Results['figures']> {
  say(`${size.companies} companies x ${number(size.notes, 0)} bill credit notes x 5 lines.`);
  const filled = await testbed.filled('gateway', size);
  const baseline = await testbed.start('baseline', [packagePath('dist/test/bench/baseline.js'), filled.url], {});
  const comparison = { testbed, baseline, size, ...filled };
  const figures: Results['figures'] = await sideBySide(comparison, chosen, effort);
  if (chosen('rare')) figures.push(await rareRecord(comparison, effort));
  if (chosen('W5')) figures.push(await batchWrites(comparison, effort.rounds * 2 + 1));
  if (chosen('W6')) figures.push(await productImports(comparison, effort.rounds - 1, products));
  await Promise.all([filled.gateway.stop(), baseline.stop()]);
  return figures;
}

async function run(testbed: Testbed): Promise<void> {
  // Read first, so that a wrong file name fails at once and not after minutes.
  const earlier = options.compare ? readResults(options.compare) : undefined;
  const figures = beside.some(chosen) ? await besideBaseline(testbed) : [];
  if (chosen('start')) figures.push(...(await startAndMemory(testbed, options.quick ? 10 : 60)));
  if (chosen('geocoder')) figures.push(...geocoder());
  if (chosen('embedded')) figures.push(...(await embedded(testbed, effort, products)));
  if (chosen('growth')) {
    const sizes = options.quick ? { notes: 600, companies: 50 } : { notes: 5_000, companies: 1_000 };
    figures.push(...(await growth(testbed, effort, sizes, packagePath('bench-results', 'growth.svg'))));
  }
  printFigures(figures);
  if (earlier) printMoves(earlier, figures);
  await writeResults(options.out, testbed.admin, { size, ...effort, figures });
}

await withTestbed(options.database, run);

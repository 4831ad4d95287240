// Command `npm run bench`: this gateway next to the baseline on one PostgreSQL, workload by workload, with the cost and the goal of each figure. With
// `--workers N` it uses servers of its own, and distributes the gateway's database over N workers.
import { parseArgs } from 'node:util';
import { packagePath } from '../../src/runtime/package-root.ts';
import { startNodes } from '../support/citus.ts';
import { batchWrites } from './batch.ts';
import { commits } from './commits.ts';
import { compression } from './compression.ts';
import { embedded } from './embedded.ts';
import { growth } from './growth.ts';
import { kept } from './kept.ts';
import { listWorkloads } from './list-workloads.ts';
import { lists } from './lists.ts';
import { live } from './live.ts';
import { WARM_UP } from './load.ts';
import { productImports } from './product-import.ts';
import { printMoves, type Results, readResults, writeResults } from './results.ts';
import { type Effort, rareRecord, sideBySide } from './side-by-side.ts';
import { geocoder, startAndMemory } from './start.ts';
import { number, printFigures, say } from './table.ts';
import { type Testbed, withTestbed } from './testbed.ts';
import { writes } from './writes.ts';

const compared = ['W1', 'W2', 'W3', 'W4', 'W4b', 'rare', 'coded', 'W5', 'W6'];
const parts = [...compared, ...listWorkloads, 'start', 'geocoder', 'embedded', 'growth', 'kept', 'commits', 'live', 'writes'];
/** What also runs on a distributed database; the others look into their database on their own. */
const alsoDistributed = [...compared, ...listWorkloads];

/** What a quick run takes without other settings: at most two minutes in all. */
const quickly = ['W1', 'W2', 'W4b', 'W5', 'W2r', 'W8', 'W10', 'W12'];

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    database: { type: 'string', default: process.env.DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres' },
    only: { type: 'string' },
    workers: { type: 'string', default: '0' },
    compare: { type: 'string' },
    out: { type: 'string', default: packagePath('bench-results', 'latest.json') },
  },
});

const workers = Number(options.workers);
const offered = workers > 0 ? alsoDistributed : parts;
const usual = (
  options.quick ? quickly : parts.filter((name) => !['embedded', 'growth', 'kept', 'commits', 'live', 'writes'].includes(name))
).filter((name) => offered.includes(name));
const asked = options.only?.split(',') ?? usual;
const unknown = asked.filter((name) => !offered.includes(name));
if (unknown.length > 0) {
  console.error(`--only takes ${offered.join(', ')}, separated by commas; not ${unknown.join(', ')}`);
  process.exit(2);
}
const chosen = (name: string): boolean => asked.includes(name);

const effort: Effort = options.quick
  ? { rounds: 2, seconds: 1, warmUp: { requests: 2_000, seconds: 5 }, countsRows: false }
  : { rounds: 4, seconds: 8, warmUp: WARM_UP, countsRows: workers === 0 };
const size = options.quick ? { companies: 2, notes: 2_000 } : { companies: 20, notes: 5_000 };
const listSize = options.quick ? { middle: 5_000, large: 100_000, small: 200 } : { middle: 5_000, large: 1_000_000, small: 1_000 };
const products = options.quick ? 5_000 : 50_000;

async function besideBaseline(testbed: Testbed): Promise<Results['figures']> {
  say(`${size.companies} companies x ${number(size.notes, 0)} bill credit notes x 5 lines.`);
  const filled = await testbed.filled('gateway', size);
  const baseline = await testbed.start('baseline', [packagePath('dist/test/bench/baseline.js'), filled.plainUrl], {});
  const comparison = { testbed, baseline, size, ...filled };
  const figures: Results['figures'] = await sideBySide(comparison, chosen, effort);
  if (chosen('rare')) figures.push(await rareRecord(comparison, effort));
  if (chosen('coded')) figures.push(...(await compression(comparison, effort)));
  if (chosen('W5')) figures.push(await batchWrites(comparison, effort.rounds * 2 + 1));
  if (chosen('W6')) figures.push(await productImports(comparison, effort.rounds - 1, products));
  await Promise.all([filled.gateway.stop(), baseline.stop()]);
  return figures;
}

async function run(testbed: Testbed): Promise<void> {
  // Read first, so that a wrong file name fails at once and not after minutes.
  const earlier = options.compare ? readResults(options.compare) : undefined;
  const figures = compared.some(chosen) ? await besideBaseline(testbed) : [];
  if (listWorkloads.some(chosen)) figures.push(...(await lists(testbed, chosen, effort, listSize)));
  if (chosen('start')) figures.push(...(await startAndMemory(testbed, options.quick ? 10 : 60)));
  if (chosen('geocoder')) figures.push(...geocoder());
  if (chosen('embedded')) figures.push(...(await embedded(testbed, effort, products)));
  if (chosen('growth')) {
    const sizes = options.quick ? { notes: 600, companies: 50 } : { notes: 5_000, companies: 1_000 };
    figures.push(...(await growth(testbed, effort, sizes, packagePath('bench-results', 'growth.svg'))));
  }
  if (chosen('growth') || chosen('kept')) {
    const history = options.quick ? 20_000 : 1_000_000;
    const pulls = options.quick ? 2_000 : 72_000;
    figures.push(...(await kept(testbed, { deliveries: history, writes: history, pulls, lines: 10 * history })));
  }
  if (chosen('commits')) figures.push(...(await commits(testbed, options.quick ? 2 : 5)));
  if (chosen('live')) figures.push(...(await live(testbed, options.quick ? 100 : 1_000, options.quick ? 10 : 60)));
  if (chosen('writes')) figures.push(...(await writes(options.quick ? 5 : 20)));
  printFigures(figures);
  if (earlier) printMoves(earlier, figures);
  await writeResults(options.out, testbed.admin, { size, listSize, ...effort, figures });
}

const nodes = workers > 0 ? await startNodes(workers) : undefined;
try {
  await withTestbed(
    nodes?.coordinator.url ?? options.database,
    run,
    nodes?.workers.map(({ url }) => url),
  );
} finally {
  nodes?.remove();
}

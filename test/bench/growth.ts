// Command `npm run bench -- --growth`: what happens to the cost of a request as tables, lists, connections, companies and processes grow.
import { mkdirSync, writeFileSync } from 'node:fs';
import { packagePath } from '../../src/core/package-root.ts';
import { type Bed, call } from './bed.ts';
import { COMPANY } from './dataset.ts';
import { type Measure, measure, totalMs } from './load.ts';
import { plotOf } from './plot.ts';
import { type Effort, interleaved } from './side-by-side.ts';
import { number, say } from './table.ts';
import { workloadsOf } from './workloads.ts';

const TIMES = 20;

/** Cursor of a page deep in the list that the workloads read. */
async function deepCursor(origin: string, key: string, pages: number): Promise<string> {
  const query = `query Walk($company: PositiveInt!, $after: String) { company(id: $company) { billCreditNotes(first: 100, after: $after, filter: { status: { eq: PAID } }) { pageInfo { endCursor } } } }`;
  let after: string | undefined;
  for (let page = 0; page < pages; page++) {
    const body = JSON.stringify({ query, variables: { company: COMPANY, after } });
    after = (await call(origin, key, 'POST', '/graphql', body)).company.billCreditNotes.pageInfo.endCursor;
  }
  return after!;
}

export async function growth(bed: Bed, effort: Effort, isQuick: boolean): Promise<void> {
  const notes = isQuick ? 600 : 5_000;
  const companies = isQuick ? 50 : 1_000;
  // 400 notes give a full page of 100 with the status asked for.
  const many = await bed.filled('many', { companies, notes: 400 });
  const small = await bed.filled('small', { companies: 1, notes });
  const large = await bed.filled('large', { companies: 1, notes: notes * TIMES });
  const second = await bed.gateway('second', { DATABASE_URL: small.url });
  // A quarter of the notes has the status; the page asked for lies four fifths into the list.
  const after = await deepCursor(large.gateway.origin, large.key, Math.floor((notes * TIMES * 0.8) / 4 / 100));
  const side = ({ gateway, key }: typeof small) => ({ contender: gateway, key });
  const spread = (index: number) => Array.from({ length: companies }, (_, n) => workloadsOf(COMPANY + n)[index]!);
  say(`1x is ${notes} bill credit notes x 5 lines of one company. CPU is milliseconds per request, server and PostgreSQL together.\n`);
  const heads = ['1x', `${TIMES}x`, `${TIMES}x deep`, '1 conn.', '64 conn.', `${companies} comp.`];
  say(`       ${heads.map((head) => head.padStart(9)).join(' ')}`);
  const series: { name: string; values: number[] }[] = [];
  for (const [index, { name }] of workloadsOf().slice(0, 4).entries()) {
    const one = [workloadsOf()[index]!];
    const found: Record<string, Measure> = await interleaved(
      {
        small: { ...side(small), cycle: one },
        large: { ...side(large), cycle: one },
        deep: { ...side(large), cycle: [workloadsOf(COMPANY, after)[index]!] },
        single: { ...side(small), cycle: one, connections: 1 },
        crowd: { ...side(small), cycle: one, connections: 64 },
        many: { ...side(many), cycle: spread(index) },
      },
      effort,
    );
    const values = Object.values(found).map(totalMs);
    say(`  ${name.padEnd(4)} ${values.map((value) => number(value, 3, 9)).join(' ')}`);
    series.push({ name, values: values.slice(0, 3) });
  }
  say(`\n  requests per second of one process, and of two on one PostgreSQL:`);
  for (const workload of workloadsOf().slice(0, 4)) {
    const load = { seconds: effort.seconds, connections: 16 };
    const run = async (...gateways: (typeof second)[]): Promise<number> =>
      (await Promise.all(gateways.map((gateway) => measure(gateway, [workload], small.key, load)))).reduce(
        (sum, { perSecond }) => sum + perSecond,
        0,
      );
    await run(small.gateway, second);
    const [alone, both] = [await run(small.gateway), await run(small.gateway, second)];
    say(`  ${workload.name.padEnd(4)} ${number(alone, 0, 8)} ${number(both, 0, 8)}  ${number(both / alone, 2, 1)} times`);
  }
  const path = packagePath('bench-results', 'growth.svg');
  mkdirSync(packagePath('bench-results'), { recursive: true });
  writeFileSync(path, plotOf('CPU per request as the table grows', heads.slice(0, 3), series));
  say(`\n  plot written to ${path}`);
}

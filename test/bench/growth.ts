// How the cost of a request changes as tables, lists, connections, companies and processes grow.
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { COMPANY } from './dataset.ts';
import { type Measure, measure, totalMs } from './load.ts';
import { plotOf } from './plot.ts';
import { type Effort, interleaved, nextOf } from './side-by-side.ts';
import { type Figure, number, refusals, say, step } from './table.ts';
import type { Testbed } from './testbed.ts';
import { type ListQuery, pageStart, paidOf, type Request, workloadsOf } from './workloads.ts';

const TIMES = [5, 20] as const;
/** The most that growth may multiply the cost by. */
const MOST = 1.1;
/** The load, PostgreSQL and two servers need this many cores before a second server can show its effect. */
const CORES = 6;

interface Sizes {
  /** Bill credit notes of the one company at size 1x. */
  notes: number;
  /** Companies in the table of many companies, with few notes each. */
  companies: number;
}

const FEW_NOTES = 40;

const PLOT = {
  title: 'CPU per request as the table grows',
  x: 'Rows of the table; “deep” is a page four fifths into the largest list',
  y: 'Server and PostgreSQL, 1x = 1',
};

const names = ['W1', 'W2', 'W3', 'W4'] as const;
const requestsOf = (name: string, ...listQueries: ListQuery[]): readonly Request[] =>
  workloadsOf(listQueries).find((workload) => workload.name === name)!.requests;

export async function growth(testbed: Testbed, effort: Effort, { notes, companies }: Sizes, plotPath: string): Promise<Figure[]> {
  const small = await testbed.filled('small', { companies: 1, notes });
  const middle = await testbed.filled('middle', { companies: 1, notes: notes * TIMES[0] });
  const large = await testbed.filled('large', { companies: 1, notes: notes * TIMES[1] });
  const many = await testbed.filled('many', { companies, notes: FEW_NOTES });
  // A quarter of the notes has the status; the requested page lies four fifths into the list.
  const pages = Math.floor((notes * TIMES[1] * 0.8) / 4 / 100);
  step(`walking ${pages} pages`);
  const deep = await pageStart(pages, nextOf(large.gateway, large.key));
  const side = ({ gateway, key }: typeof small) => ({ subject: gateway, key });
  say(`\nGrowth. 1x is ${number(notes, 0)} bill credit notes x 5 lines of one company; a deep page lies four fifths into the list of 20x.`);
  say(
    `1 and ${number(companies, 0)} companies are in one table, ${FEW_NOTES} notes each. CPU is milliseconds per request, server and PostgreSQL`,
  );
  say('together; 32 connections unless said otherwise.\n');
  const heads = ['1x', ...TIMES.map((times) => `${times}x`), 'deep', '1 conn.', '64 conn.', '1 comp.', `${number(companies, 0)} comp.`];
  say(`       ${heads.map((head) => head.padStart(12)).join('')}`);
  const figures: Figure[] = [];
  const series: { name: string; values: number[] }[] = [];
  for (const name of names) {
    const cycle = requestsOf(name, paidOf());
    const found: Record<string, Measure> = await interleaved(
      {
        small: { ...side(small), cycle },
        middle: { ...side(middle), cycle },
        large: { ...side(large), cycle },
        deep: { ...side(large), cycle: requestsOf(name, paidOf(COMPANY, deep)) },
        single: { ...side(small), cycle, connections: 1 },
        crowd: { ...side(small), cycle, connections: 64 },
        one: { ...side(many), cycle },
        all: { ...side(many), cycle: requestsOf(name, ...Array.from({ length: companies }, (_, n) => paidOf(COMPANY + n))) },
      },
      effort,
    );
    const values = Object.values(found).map(totalMs);
    const [base, , grown, far, , crowd, one, all] = values as [number, number, number, number, number, number, number, number];
    say(`  ${name.padEnd(5)}${values.map((value) => number(value, 3, 12)).join('')}${refusals(found.crowd!)}`);
    series.push({ name, values: values.slice(0, 4) });
    const add = (what: string, title: string, value: number, goal: { must?: number }): unknown =>
      figures.push({ name: `${name} ${what}`, title: `${name}: CPU ${title}`, value, unit: 'times', better: 'less', ...goal });
    add('20x', 'on 20 times the rows, 1x = 1', grown / base, { must: MOST });
    // W1 reads one account, so it has no deep page.
    if (name !== 'W1') add('deep', 'of a page deep in the list, first page = 1', far / grown, { must: MOST });
    add('64 conn.', 'with 64 connections, 32 = 1', crowd / base, {});
    add('companies', `over ${number(companies, 0)} companies, one of them = 1`, all / one, {});
  }
  figures.push(...(await twoProcesses(testbed, small, effort)));
  mkdirSync(dirname(plotPath), { recursive: true });
  writeFileSync(plotPath, plotOf(PLOT, heads.slice(0, 4), series));
  say(`\n  plot written to ${plotPath}`);
  return figures;
}

/** Requests per second of one process, and of two on the same PostgreSQL with twice the connections. */
async function twoProcesses(
  testbed: Testbed,
  { url, gateway, key }: Awaited<ReturnType<Testbed['filled']>>,
  { rounds, seconds }: Effort,
): Promise<Figure[]> {
  const second = await testbed.gateway('second', { DATABASE_URL: url });
  const cores = availableParallelism();
  say(`\nTwo processes on one PostgreSQL, 16 connections each, ${cores} cores.`);
  if (cores < CORES) say(`Fewer than ${CORES} are shared with the load and PostgreSQL, so what a second process adds is not judged.`);
  say();
  say('       one, req/s  two, req/s   times   one, CPU ms  two, CPU ms   times');
  const figures: Figure[] = [];
  for (const name of names) {
    const run = async (load: object, ...gateways: (typeof second)[]): Promise<{ rate: number; cost: number }> => {
      const all = await Promise.all(gateways.map((each) => measure(each, requestsOf(name, paidOf()), key, { connections: 16, ...load })));
      const [rate, used] = [
        all.reduce((sum, each) => sum + each.perSecond, 0),
        all.reduce((sum, each) => sum + totalMs(each) * each.requests, 0),
      ];
      return { rate, cost: used / all.reduce((sum, each) => sum + each.requests, 0) };
    };
    await run({ requests: 500, seconds: 8 }, gateway, second);
    const results: { alone: Awaited<ReturnType<typeof run>>; both: Awaited<ReturnType<typeof run>> }[] = [];
    for (let round = 1; round <= rounds; round++) {
      step(`${name} on two processes, round ${round} of ${rounds}`);
      results.push({ alone: await run({ seconds }, gateway), both: await run({ seconds }, gateway, second) });
    }
    const { alone, both } = results.sort((a, b) => a.both.rate / a.alone.rate - b.both.rate / b.alone.rate)[Math.floor(rounds / 2)]!;
    const [times, cost] = [both.rate / alone.rate, both.cost / alone.cost];
    say(
      `  ${name.padEnd(5)}${number(alone.rate, 0, 10)}${number(both.rate, 0, 12)}${number(times, 2, 8)}${number(alone.cost, 3, 14)}${number(both.cost, 3, 13)}${number(cost, 2, 8)}`,
    );
    const title = `${name}: two processes, one = 1:`;
    figures.push(
      {
        name: `${name} 2 rate`,
        title: `${title} requests/s`,
        value: times,
        unit: 'times',
        better: 'more',
        ...(cores < CORES ? {} : { must: 1.7 }),
      },
      { name: `${name} 2 cost`, title: `${title} CPU`, value: cost, unit: 'times', better: 'less' },
    );
  }
  return figures;
}

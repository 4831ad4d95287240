// W2r and W7 to W12: the gateway next to the baseline in companies of two sizes on one database, and what the size adds to the gateway's own cost.
import { packagePath } from '../../src/runtime/package-root.ts';
import { fillLists, type ListSize, MIDDLE } from './list-dataset.ts';
import { listWorkloadsOf } from './list-workloads.ts';
import { totalMs } from './load.ts';
import type { Results } from './results.ts';
import { type Compared, compared, type Effort } from './side-by-side.ts';
import { number, say, step } from './table.ts';
import type { Testbed } from './testbed.ts';

/**
 * The most that the size may multiply the cost of a listed record by, and the target. The same conditions fill more of a page in the large company.
 * Sums read every record, so theirs is shown and not judged.
 */
const GROWTH = { must: 2, aim: 1.3 };

export async function lists(
  testbed: Testbed,
  chosen: (name: string) => boolean,
  effort: Effort,
  size: ListSize,
): Promise<Results['figures']> {
  const times = size.large / size.middle;
  say(
    `\nLists: ${MIDDLE.length} companies of ${number(size.middle, 0)} bill credit notes and one of ${number(size.large, 0)}, among ${number(size.small, 0)} small ones.`,
  );
  step('filling the companies of the lists');
  const began = performance.now();
  const { url, plainUrl, gateway, key } = await testbed.filledBy('gateway', (client) => fillLists(client, size));
  say(`Filled in ${number((performance.now() - began) / 1_000, 0)} s.`);
  const baseline = await testbed.start('baseline', [packagePath('dist/test/bench/baseline.js'), plainUrl], {});
  const subjects = { gateway, baseline, key };
  const workloads = await listWorkloadsOf(subjects, size, chosen);
  const table = await compared(subjects, workloads, effort, await testbed.connect(url));
  await Promise.all([gateway.stop(), baseline.stop()]);
  const byName = new Map(table.map((figure) => [figure.name, figure]));
  const perRecord = ({ gateway, records }: Compared): number => totalMs(gateway) / Math.max(1, records);
  const growth = table.flatMap((own): Results['figures'] => {
    const { name } = own;
    const large = byName.get(`${name} large`);
    if (!large) return [];
    const title = `${name}: CPU per listed record in the company of ${number(times, 0)} times the records, the others = 1`;
    const value = perRecord(large) / perRecord(own);
    return [{ name: `${name} x${times}`, title, value, unit: 'times', better: 'less', ...(name === 'W10' ? {} : GROWTH) }];
  });
  return [...table, ...growth];
}

// W1 to W4b: the gateway beside the baseline on one database, in alternating rounds; and a rarely used record beside a common one.
import { isDeepStrictEqual } from 'node:util';
import type { DatasetSize } from './dataset.ts';
import { headersOf, type Measure, measure, median, totalMs, WARM_UP } from './load.ts';
import type { Subject } from './subject.ts';
import { type Figure, HEAD, printRow, say, step } from './table.ts';
import type { Testbed } from './testbed.ts';
import { listQueriesOf, pair, type Request, type Workload, workloadsOf } from './workloads.ts';

export interface Effort {
  rounds: number;
  seconds: number;
}

/** The cost of one workload on both subjects. */
export interface Compared extends Figure {
  gateway: Measure;
  baseline: Measure;
}

/** Both subjects on the same data. */
export interface Comparison {
  testbed: Testbed;
  url: string;
  key: string;
  gateway: Subject;
  baseline: Subject;
  size: DatasetSize;
}

/** The body of one answer. */
// biome-ignore lint/suspicious/noExplicitAny: measurements look into answers by path.
export async function bodyOf(subject: Subject, request: Request, key: string): Promise<any> {
  const response = await fetch(subject.origin + request.path, {
    method: request.method,
    headers: headersOf(key),
    body: request.body ?? null,
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${subject.name} answered ${response.status} to ${request.path}: ${text.slice(0, 300)}`);
  return JSON.parse(text);
}

async function answerOf(subject: Subject, request: Request, key: string): Promise<Record<string, unknown>> {
  const body = await bodyOf(subject, request, key);
  // Request ids and cursors are each subject's own.
  delete body.request_id;
  delete body.pagination;
  return body;
}

async function assertSameAnswers(comparison: Comparison, { name, requests }: Workload): Promise<void> {
  for (const [index, request] of requests.entries()) {
    step(`comparing answers: ${name}, ${index + 1} of ${requests.length}`);
    const [ours, theirs] = [
      await answerOf(comparison.gateway, request, comparison.key),
      await answerOf(comparison.baseline, request, comparison.key),
    ];
    if (isDeepStrictEqual(ours, theirs)) continue;
    const start = (answer: unknown): string => JSON.stringify(answer).slice(0, 600);
    const asked = `${request.path} ${request.body ?? ''}`;
    throw new Error(`${name}: the subjects answer differently:\n${asked}\n${start(ours)}\n${start(theirs)}`);
  }
}

/** The cursor of the next page, as the gateway returns it. */
export const nextOf =
  (gateway: Subject, key: string) =>
  async (list: Request): Promise<string> =>
    (await bodyOf(gateway, list, key)).pagination.next;

/** The median of rounds in which the sides alternate. */
export async function interleaved<Name extends string>(
  sides: Record<Name, { subject: Subject; cycle: readonly Request[]; key: string; connections?: number }>,
  { rounds, seconds }: Effort,
): Promise<Record<Name, Measure>> {
  const results = Object.fromEntries(Object.keys(sides).map((name) => [name, []])) as unknown as Record<Name, Measure[]>;
  const each = Object.entries(sides) as [Name, (typeof sides)[Name]][];
  const warm = new Set<string>();
  for (const [name, { subject, cycle, key }] of each) {
    const what = `${subject.origin}${cycle[0]!.path.split('?')[0]}`;
    if (warm.has(what)) continue;
    step(`warming up: ${name}, ${cycle[0]!.path}`);
    await measure(subject, cycle, key, WARM_UP);
    warm.add(what);
  }
  for (let round = 1; round <= rounds; round++)
    for (const [name, { subject, cycle, key, connections }] of each) {
      step(`round ${round} of ${rounds}: ${name}, ${cycle[0]!.path}`);
      results[name].push(await measure(subject, cycle, key, { seconds, ...(connections ? { connections } : {}) }));
    }
  return Object.fromEntries(each.map(([name]) => [name, median(results[name])])) as Record<Name, Measure>;
}

export async function sideBySide(comparison: Comparison, chosen: (name: string) => boolean, effort: Effort): Promise<Compared[]> {
  const { gateway, baseline, key } = comparison;
  if (!workloadsOf().some(({ name }) => chosen(name))) return [];
  const listQueries = await listQueriesOf(comparison.size, nextOf(gateway, key));
  const workloads = workloadsOf(listQueries).filter(({ name }) => chosen(name));
  for (const workload of workloads) await assertSameAnswers(comparison, workload);
  say(
    `${listQueries.length} different requests of each kind, which the subjects answer alike. CPU is milliseconds per request, 32 connections, ${effort.rounds} rounds of ${effort.seconds} s each, interleaved.\n\n${HEAD}`,
  );
  const table: Compared[] = [];
  for (const workload of workloads) {
    const { name, title, requests: cycle, must, aim } = workload;
    const found = await interleaved({ gateway: { subject: gateway, cycle, key }, baseline: { subject: baseline, cycle, key } }, effort);
    printRow(name, 'gateway', found.gateway);
    printRow(name, 'baseline', found.baseline);
    const value = totalMs(found.gateway) / totalMs(found.baseline);
    table.push({ name, title: `${title}: CPU, baseline server = 1`, value, unit: 'times', must, aim, better: 'less', ...found });
  }
  return table;
}

/** CPU per field of a page of goods receipt notes against a page of bill credit notes: a rarely used type must not take a slower path. */
export async function rareRecord({ gateway, key }: Comparison, effort: Effort): Promise<Figure> {
  const fields = async (request: Request): Promise<number> =>
    ((await answerOf(gateway, request, key)).data as object[]).reduce((sum, row) => sum + Object.keys(row).length, 0);
  const found = await interleaved(
    { common: { subject: gateway, cycle: [pair.common], key }, rare: { subject: gateway, cycle: [pair.rare], key } },
    effort,
  );
  printRow('rare', 'credit notes', found.common);
  printRow('rare', 'goods notes', found.rare);
  const value = totalMs(found.rare) / (await fields(pair.rare)) / (totalMs(found.common) / (await fields(pair.common)));
  const title = 'a field of a rarely used record: CPU, common record = 1';
  return { name: 'rare', title, value, unit: 'times', must: 1.2, better: 'less' };
}

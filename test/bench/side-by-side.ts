// W1 to W4b: the gateway next to the baseline on one database, in alternating rounds; and a rarely used record next to a common one.
import { isDeepStrictEqual } from 'node:util';
import type { Client } from 'pg';
import type { DatasetSize } from './dataset.ts';
import { headersOf, type Load, type Measure, measure, median, totalMs } from './load.ts';
import { rowsRead } from './rows-read.ts';
import type { Subject } from './subject.ts';
import { type Figure, HEAD, printRow, say, step } from './table.ts';
import type { Testbed } from './testbed.ts';
import { listQueriesOf, pair, type Request, type Workload, workloadsOf } from './workloads.ts';

export interface Effort {
  rounds: number;
  seconds: number;
  /** What each subject is sent before the rounds. */
  warmUp: Load;
  /** Whether the rows that requests fetch are counted, which takes seconds for each workload. */
  countsRows: boolean;
}

/** The cost of one workload on both subjects. */
export interface Compared extends Figure {
  /** Records of a response, on average; those of lists within records too. */
  records: number;
  gateway: Measure;
  baseline: Measure;
}

/** Both subjects, and the key that both are sent. */
export interface Subjects {
  key: string;
  gateway: Subject;
  baseline: Subject;
}

/** Both subjects on the same data. */
export interface Comparison extends Subjects {
  testbed: Testbed;
  url: string;
  /** The same data on one server. */
  plainUrl: string;
  size: DatasetSize;
}

/** The body of one response. */
// biome-ignore lint/suspicious/noExplicitAny: measurements look into responses by path.
export async function bodyOf(subject: Subject, request: Request, key: string): Promise<any> {
  const response = await fetch(subject.origin + request.path, {
    method: request.method,
    headers: headersOf(key),
    body: request.body ?? null,
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${subject.name} returned ${response.status} to ${request.path}: ${text.slice(0, 300)}`);
  return JSON.parse(text);
}

async function responseOf(subject: Subject, request: Request, key: string): Promise<Record<string, unknown>> {
  const body = await bodyOf(subject, request, key);
  // Request ids and cursors are each subject's own.
  delete body.request_id;
  delete body.pagination;
  return body;
}

/** The records in a response: the items of its lists. */
function recordsIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const below = Object.values(value).reduce<number>((sum, member) => sum + recordsIn(member), 0);
  return Array.isArray(value) ? value.length + below : below;
}

/** Returns how many records a response has, on average. */
async function assertSameResponses(comparison: Subjects, { name, requests }: Workload): Promise<number> {
  let records = 0;
  for (const [index, request] of requests.entries()) {
    step(`comparing responses: ${name}, ${index + 1} of ${requests.length}`);
    const [ours, theirs] = [
      await responseOf(comparison.gateway, request, comparison.key),
      await responseOf(comparison.baseline, request, comparison.key),
    ];
    records += recordsIn(ours);
    if (isDeepStrictEqual(ours, theirs)) continue;
    const texts = [JSON.stringify(ours), JSON.stringify(theirs)] as const;
    let at = 0;
    while (texts[0][at] === texts[1][at]) at++;
    const around = (text: string): string => `…${text.slice(Math.max(0, at - 150), at + 450)}`;
    throw new Error(
      `${name}: the responses of the subjects differ:\n${request.path} ${request.body ?? ''}\n${around(texts[0])}\n${around(texts[1])}`,
    );
  }
  return records / requests.length;
}

/** The cursor of the next page, as the gateway returns it. */
export const nextOf =
  (gateway: Subject, key: string) =>
  async (list: Request): Promise<string> =>
    (await bodyOf(gateway, list, key)).pagination.next;

/** The median of rounds in which the sides alternate. */
export async function interleaved<Name extends string>(
  sides: Record<Name, { subject: Subject; cycle: readonly Request[]; key: string; connections?: number; headers?: Record<string, string> }>,
  { rounds, seconds, warmUp }: Effort,
): Promise<Record<Name, Measure>> {
  const results = Object.fromEntries(Object.keys(sides).map((name) => [name, []])) as unknown as Record<Name, Measure[]>;
  const each = Object.entries(sides) as [Name, (typeof sides)[Name]][];
  const warm = new Set<string>();
  for (const [name, { subject, cycle, key }] of each) {
    // A GraphQL document is compiled like a path.
    const what = `${subject.origin}${cycle[0]!.path.split('?')[0]}${cycle[0]!.body?.slice(0, 40) ?? ''}`;
    if (warm.has(what)) continue;
    step(`warming up: ${name}, ${cycle[0]!.path}`);
    await measure(subject, cycle, key, warmUp);
    warm.add(what);
  }
  for (let round = 1; round <= rounds; round++)
    for (const [name, { subject, cycle, key, connections, headers }] of each) {
      step(`round ${round} of ${rounds}: ${name}, ${cycle[0]!.path}`);
      results[name].push(
        await measure(subject, cycle, key, { seconds, ...(connections ? { connections } : {}), ...(headers ? { headers } : {}) }),
      );
    }
  return Object.fromEntries(each.map(([name]) => [name, median(results[name])])) as Record<Name, Measure>;
}

/** Checks that both subjects give the same response to every request, then measures them in turn. */
export async function compared(
  { gateway, baseline, key }: Subjects,
  workloads: readonly Workload[],
  effort: Effort,
  database: Client,
): Promise<Compared[]> {
  const records = new Map<Workload, number>();
  for (const workload of workloads) records.set(workload, await assertSameResponses({ gateway, baseline, key }, workload));
  const requests = Math.max(0, ...workloads.map((workload) => workload.requests.length));
  say(
    `Up to ${requests} different requests of each kind, to which the subjects return the same. CPU is milliseconds per request, 32 connections unless said otherwise, ${effort.rounds} rounds of ${effort.seconds} s each, interleaved.${effort.countsRows ? ' Rows are those that PostgreSQL fetched from tables.' : ''}\n\n${HEAD}`,
  );
  const table: Compared[] = [];
  for (const workload of workloads) {
    const { name, title, requests: cycle, must, aim, connections } = workload;
    const load = { cycle, key, ...(connections ? { connections } : {}) };
    const found = await interleaved({ gateway: { subject: gateway, ...load }, baseline: { subject: baseline, ...load } }, effort);
    for (const subject of [gateway, baseline]) {
      const side = subject === gateway ? found.gateway : found.baseline;
      if (effort.countsRows) side.rows = await rowsRead(database, subject, cycle, key);
      printRow(name, subject.name, side);
    }
    const value = totalMs(found.gateway) / totalMs(found.baseline);
    table.push({
      name,
      title: `${title}: CPU, baseline server = 1`,
      value,
      unit: 'times',
      must,
      aim,
      better: 'less',
      ...found,
      records: records.get(workload)!,
    });
  }
  return table;
}

export async function sideBySide(comparison: Comparison, chosen: (name: string) => boolean, effort: Effort): Promise<Compared[]> {
  const { gateway, key, testbed, url } = comparison;
  if (!workloadsOf().some(({ name }) => chosen(name))) return [];
  const listQueries = await listQueriesOf(comparison.size, nextOf(gateway, key));
  const workloads = workloadsOf(listQueries).filter(({ name }) => chosen(name));
  return compared(comparison, workloads, effort, await testbed.connect(url));
}

/** CPU per field of a page of goods receipt notes against a page of bill credit notes. A rarely used type must not take a slower path. */
export async function rareRecord({ gateway, key }: Comparison, effort: Effort): Promise<Figure> {
  const fields = async (request: Request): Promise<number> =>
    ((await responseOf(gateway, request, key)).data as object[]).reduce((sum, row) => sum + Object.keys(row).length, 0);
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

// W5: batches of 1,000 purchase orders with 5 lines each, from accepted to stored, next to one set-based statement over the same JSON.
import { setTimeout } from 'node:timers/promises';
import type { Client } from 'pg';
import { COMPANY } from './dataset.ts';
import type { Comparison } from './side-by-side.ts';
import { type Figure, number, say, step } from './table.ts';
import { call } from './testbed.ts';

const ORDERS = 1_000;
const LINES = 5;
const RECORDS = ORDERS * (LINES + 1);
/** The baseline writes to a company of its own, because both subjects send the same keys. */
const OTHER = COMPANY + 1;

const batch = (round: number): string =>
  JSON.stringify({
    data: Array.from({ length: ORDERS }, (_, index) => ({
      platform_id: `order-${round}-${index}`,
      document_number: `PO-${round}-${index}`,
      posted_date: '2026-03-01T00:00:00Z',
      currency_id: 'EUR',
      total_amount: 60,
      status: 'SUBMITTED',
      line_items: Array.from({ length: LINES }, (_, line) => ({
        platform_id: `${line}`,
        name: `Line ${line}`,
        quantity: 2,
        unit_amount: 5,
        sub_total: 10,
        tax_amount: 2,
        total_amount: 12,
      })),
    })),
  });

const secondsOf = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1_000;
};

const middle = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

const parts = ['server', 'database', 'workers'] as const;

/** Rounds that do not count: the runtimes compile hot code and the connections open. */
const WARM_UP_ROUNDS = 3;

/** Waits until a sync of the company has ended. Asked every 5 ms: a trigger would tell it at once, but a distributed table may have none. */
async function endOf(client: Client, syncId: string): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ status: string }>('select status from sync where company_id = $1 and id = $2', [COMPANY, syncId]);
    if (!['PENDING', 'RUNNING'].includes(rows[0]!.status)) return;
    await setTimeout(5);
  }
}

export async function batchWrites({ testbed, url, plainUrl, gateway, baseline, key }: Comparison, rounds: number): Promise<Figure> {
  const [client, plain] = [await testbed.connect(url), await testbed.connect(plainUrl)];
  await plain.query('create table payload (id bigint generated always as identity primary key, body text not null)');
  const path = (company: number) => `/v4/core/companies/${company}/purchase_orders?run_async=true`;
  const times = { gateway: [] as number[], baseline: [] as number[], accepted: [] as number[], insert: [] as number[] };
  const spent = { server: 0, database: 0, workers: 0 };
  for (let round = 1 - WARM_UP_ROUNDS; round <= rounds; round++) {
    step(round < 1 ? 'W5: warming up' : `W5: round ${round} of ${rounds}`);
    const body = batch(round);
    let accepted = 0;
    const before = await gateway.spent();
    const ours = await secondsOf(async () => {
      let sync_id = '';
      accepted = await secondsOf(async () => {
        ({ sync_id } = await call(gateway.origin, key, 'PUT', path(COMPANY), body));
      });
      await endOf(client, sync_id);
    });
    const after = await gateway.spent();
    const theirs = await secondsOf(() => call(baseline.origin, key, 'PUT', path(OTHER), body));
    const insert = await secondsOf(() => plain.query('insert into payload (body) values ($1)', [body]));
    if (round < 1) continue;
    times.gateway.push(ours);
    times.baseline.push(theirs);
    times.accepted.push(accepted);
    times.insert.push(insert);
    for (const part of parts) spent[part] += ((after[part] - before[part]) * 1_000) / rounds;
  }
  await assertSameRows(client, plain);
  const [ours, theirs] = [middle(times.gateway), middle(times.baseline)];
  const milliseconds = (values: number[]): string => number(middle(values) * 1_000, 0);
  say(`\nW5, batches of ${number(ORDERS, 0)} purchase orders x ${LINES} lines, accepted to stored; the middle of ${rounds} rounds.\n`);
  say(`  gateway ${number(RECORDS / ours, 0, 8)} records/s, baseline ${number(RECORDS / theirs, 0, 8)} records/s`);
  say(`  accepted in ${milliseconds(times.accepted)} ms, where one insert of the payload takes ${milliseconds(times.insert)} ms`);
  const cpu = parts.map((part) => `${part} ${number(spent[part], 0)} ms`).join(', ');
  say(`  CPU of a batch: ${cpu}`);
  const title = 'batches, accepted to stored: records/s, baseline server = 1';
  return { name: 'W5', title, value: theirs / ours, unit: 'times', must: 0.8, aim: 0.9, better: 'more' };
}

/** Checks that both subjects stored the same rows, apart from numbers, times, hashes and what the gateway shows a source. */
async function assertSameRows(gateway: Client, baseline: Client): Promise<void> {
  const own = `'{company_id,ledger_id,ledger_created_at,ledger_updated_at,data_hash,source_state}'::text[]`;
  const ordersIn = async (client: Client, company: number): Promise<string[]> => {
    const { rows } = await client.query<{ content: string }>(
      `select jsonb_build_array(to_jsonb(o) - ${own}, (select jsonb_agg(to_jsonb(l) - ${own} - 'parent_id' order by l.platform_id) from line_item l
         where l.company_id = o.company_id and l.parent_type = 'PURCHASE_ORDER' and l.parent_id = o.ledger_id)) as content
       from purchase_order o where o.company_id = ${company} order by o.platform_id`,
    );
    return rows.map(({ content }) => JSON.stringify(content));
  };
  const [ours, theirs] = [await ordersIn(gateway, COMPANY), await ordersIn(baseline, OTHER)];
  const differing = ours.findIndex((order, index) => order !== theirs[index]);
  if (ours.length === 0 || ours.length !== theirs.length || differing >= 0)
    throw new Error(`W5: of ${ours.length} and ${theirs.length} purchase orders some are stored differently, such as ${ours[differing]}`);
}

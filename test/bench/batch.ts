// W5: batches of 1,000 purchase orders with 5 lines each, from accepted to stored, beside one set-based statement over the same JSON.
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

/** Rounds that do not count: the runtimes compile hot code and the connections open. */
const WARM_UP_ROUNDS = 3;

/** Returns a function that waits until a sync has ended. A notification, because polling would be late and use CPU that both subjects share. */
async function endsOfSyncs(client: Client): Promise<(syncId: string) => Promise<void>> {
  await client.query(
    `create function tell_end() returns trigger language plpgsql as $$ begin perform pg_notify('sync_ended', new.id); return null; end $$`,
  );
  await client.query(
    `create trigger tell_end after update of status on sync for each row when (new.status not in ('PENDING', 'RUNNING')) execute function tell_end()`,
  );
  await client.query('listen sync_ended');
  const ended = new Set<string>();
  const waiting = new Map<string, () => void>();
  client.on('notification', ({ payload }) => {
    ended.add(payload!);
    waiting.get(payload!)?.();
  });
  return (syncId) =>
    new Promise((resolve) => {
      if (ended.has(syncId)) resolve();
      else waiting.set(syncId, resolve);
    });
}

export async function batchWrites({ testbed, url, gateway, baseline, key }: Comparison, rounds: number): Promise<Figure> {
  const client = await testbed.connect(url);
  await client.query('create table payload (id bigint generated always as identity primary key, body text not null)');
  const path = (company: number) => `/v4/core/companies/${company}/purchase_orders?run_async=true`;
  const times = { gateway: [] as number[], baseline: [] as number[], accepted: [] as number[], insert: [] as number[] };
  const ended = await endsOfSyncs(client);
  for (let round = 1 - WARM_UP_ROUNDS; round <= rounds; round++) {
    step(round < 1 ? 'W5: warming up' : `W5: round ${round} of ${rounds}`);
    const body = batch(round);
    let accepted = 0;
    const ours = await secondsOf(async () => {
      let sync_id = '';
      accepted = await secondsOf(async () => {
        ({ sync_id } = await call(gateway.origin, key, 'PUT', path(COMPANY), body));
      });
      await ended(sync_id);
    });
    const theirs = await secondsOf(() => call(baseline.origin, key, 'PUT', path(OTHER), body));
    const insert = await secondsOf(() => client.query('insert into payload (body) values ($1)', [body]));
    if (round < 1) continue;
    times.gateway.push(ours);
    times.baseline.push(theirs);
    times.accepted.push(accepted);
    times.insert.push(insert);
  }
  await assertSameRows(client);
  const [ours, theirs] = [middle(times.gateway), middle(times.baseline)];
  const milliseconds = (values: number[]): string => number(middle(values) * 1_000, 0);
  say(`\nW5, batches of ${number(ORDERS, 0)} purchase orders x ${LINES} lines, accepted to stored; the middle of ${rounds} rounds.\n`);
  say(`  gateway ${number(RECORDS / ours, 0, 8)} records/s, baseline ${number(RECORDS / theirs, 0, 8)} records/s`);
  say(`  accepted in ${milliseconds(times.accepted)} ms, where one insert of the payload takes ${milliseconds(times.insert)} ms`);
  const title = 'batches, accepted to stored: records/s, baseline server = 1';
  return { name: 'W5', title, value: theirs / ours, unit: 'times', must: 0.8, aim: 0.9, better: 'more' };
}

/** Checks that both subjects stored the same rows, apart from numbers, times, hashes and what the gateway tells a source. */
async function assertSameRows(client: Awaited<ReturnType<Comparison['testbed']['connect']>>): Promise<void> {
  const own = `'{company_id,ledger_id,ledger_created_at,ledger_updated_at,data_hash,source_state}'::text[]`;
  const orders = (company: number) =>
    `select to_jsonb(o) - ${own} as content, (select jsonb_agg(to_jsonb(l) - ${own} - 'parent_id' order by l.platform_id) from line_item l
       where l.company_id = o.company_id and l.parent_type = 'PURCHASE_ORDER' and l.parent_id = o.ledger_id) as lines from purchase_order o where o.company_id = ${company}`;
  const { rows } = await client.query<{ differing: string; stored: string; example: unknown }>(
    `with differing as ((${orders(COMPANY)} except ${orders(OTHER)}) union all (${orders(OTHER)} except ${orders(COMPANY)}))
     select count(*) as differing, min(content::text || lines::text) as example, (select count(*) from purchase_order) as stored from differing`,
  );
  const [{ differing, stored, example }] = rows as [(typeof rows)[0]];
  if (Number(differing) > 0 || Number(stored) === 0)
    throw new Error(`W5: ${differing} of ${stored} purchase orders are stored differently, such as ${example}`);
}

// Command `npm run bench:batch`: accepts and stores batches of 1,000 purchase orders with 5 lines each and prints records per second, on the embedded database or on DATABASE_URL.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compile, startProcess } from '../support/gateway-process.ts';

const ROUNDS = 6;
const ORDERS = 1_000;
const LINES = 5;

const orders = (round: number) =>
  Array.from({ length: ORDERS }, (_, index) => ({
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
  }));

const program = compile();
const directory = await mkdtemp(join(tmpdir(), 'batch-'));
const gateway = await startProcess({ program, directory, databaseUrl: process.env.DATABASE_URL });
try {
  const company = (await gateway.send('POST', '/v4/core/companies', { data: { name: 'Batches' } })).body as { data: { ledger_id: number } };
  for (let round = 0; round < ROUNDS; round++) {
    const started = performance.now();
    const accepted = (
      await gateway.send('PUT', `/v4/core/companies/${company.data.ledger_id}/purchase_orders?run_async=true`, { data: orders(round) })
    ).body as { data: { sync_id: string } };
    const answered = performance.now();
    let status = 'PENDING';
    while (status === 'PENDING' || status === 'RUNNING') {
      await new Promise((resolve) => setTimeout(resolve, 5));
      status = ((await gateway.send('GET', `/v4/core/syncs/${accepted.data.sync_id}`)).body as { data: { status: string } }).data.status;
    }
    const stored = performance.now();
    const perSecond = (count: number): number => Math.round((count / (stored - started)) * 1_000);
    console.log(
      `${round === 0 ? 'warm-up' : `round ${round}`}: ${status}, accepted in ${Math.round(answered - started)} ms, stored after ${Math.round(stored - started)} ms: ${perSecond(ORDERS)} orders/s, ${perSecond(ORDERS * (LINES + 1))} records/s with lines`,
    );
  }
} finally {
  await gateway.kill();
  for (const made of [directory, program]) await rm(made, { recursive: true });
}

// A product import survives kill -9 at any moment: every valid row is stored once. `npm run suite -- crash --rounds N` kills it N times.
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { serverUrl } from '../../support/gateway.ts';
import { call, issueKey, ownPlace, program } from '../../support/program.ts';

const KILLS = Number(process.env.SUITE_ROUNDS ?? 1);
// Enough chunks for the kills: a chunk is some hundred rows on the embedded database and 5,000 on a server.
const ROWS = serverUrl ? 10_000 + 2_000 * KILLS : 2_000 + 1_000 * KILLS;
/** One row in a hundred is rejected because of its weight; none of the first twenty, which are checked at the start. */
const isBad = (row: number): boolean => row % 100 === 50;
const csv = `sku,name,weight_in_kg\n${Array.from({ length: ROWS }, (_, row) => `sku-${row},Name ${row},${isBad(row) ? 'heavy' : '1.5'}\n`).join('')}`;

/** Starts the import; returns the key and the ids. */
async function begin(origin: string): Promise<{ key: string; corporation: string; job: string }> {
  const key = await issueKey(origin, ['PLATFORM']);
  const make = async (path: string, body: unknown) => (await call(origin, key, 'POST', `/api/v1${path}`, body)).body.data;
  const corporation = (await make('/corporations', { legal_name: 'Crash Ltd', jurisdiction: 'GB' })).id;
  const form = new FormData();
  form.set('file', new Blob([csv]), 'products.csv');
  const file = (await make('/files', form)).id;
  const { job } = await make('/products/bulk_upload/csv', { file_id: file, corporation_id: corporation });
  return { key, corporation, job: job.id };
}

test('an import that is killed again and again ends with every valid row once', { timeout: 1_200_000 }, async () => {
  const place = await ownPlace();
  let running = await program.start(place.settings);
  try {
    const { key, corporation, job } = await begin(running.origin);
    const get = async (path: string) => (await call(running.origin, key, 'GET', `/api/v1${path}`)).body.data;
    const read = () => get(`/jobs/${job}`);
    let seen = '';
    let kills = 0;
    for (; kills < KILLS; kills++) {
      let now = await read();
      for (; now.updated_at === seen && !now.completed_at; now = await read()) await setTimeout(10);
      if (now.completed_at) break;
      seen = now.updated_at;
      await setTimeout(Math.random() * 100);
      await running.end('SIGKILL');
      running = await program.start(place.settings);
    }
    let end = await read();
    for (; !end.completed_at; end = await read()) await setTimeout(50);
    const bad = Array.from({ length: ROWS }, (_, row) => row).filter(isBad).length;
    expect(kills).toBeGreaterThanOrEqual(Math.min(KILLS, 3));
    expect(end).toMatchObject({
      status: 'COMPLETED_WITH_ERRORS',
      total_rows: ROWS,
      processed_rows: ROWS,
      created_count: ROWS - bad,
      updated_count: 0,
      unchanged_count: 0,
      failed_count: bad,
    });
    const skus: string[] = [];
    for (let cursor = ''; ; ) {
      const page = await get(`/products?corporation_id=${corporation}&limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
      skus.push(...page.products.map((product: { sku: string }) => product.sku));
      cursor = page.cursor;
      if (cursor === '') break;
    }
    expect(skus.length).toBe(ROWS - bad);
    expect(new Set(skus).size).toBe(ROWS - bad);
  } finally {
    await running.end('SIGKILL');
    await place.remove();
  }
});

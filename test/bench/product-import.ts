// W6: an import of 50,000 products in one job, next to a COPY of the same file into a table with the same indexes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Comparison } from './side-by-side.ts';
import { type Figure, number, say, step } from './table.ts';
import { call } from './testbed.ts';

const columns = ['sku', 'name', 'description', 'origin_country', 'weight_in_kg', 'source_platform', 'source_platform_id'];
const line = (row: number): string =>
  `SKU-${row},Product ${row},A description of product number ${row},US,${(row % 100) + 1}.5,SHOPIFY,sp-${row}`;

/** A file of products. */
export const productsCsv = (rows: number): string =>
  `${[columns.join(','), ...Array.from({ length: rows }, (_, row) => line(row))].join('\n')}\n`;

export async function makeCorporation(origin: string, key: string): Promise<string> {
  const body = JSON.stringify({ legal_name: 'Bench Ltd', jurisdiction: 'GB' });
  return (await call(origin, key, 'POST', '/api/v1/corporations', body)).id;
}

/** Seconds from the start of the job to its end. The upload does not count, because COPY has none. */
export async function importOnce(origin: string, key: string, corporation: string, csv: string, rows: number): Promise<number> {
  const form = new FormData();
  form.set('file', new Blob([csv]), 'products.csv');
  const file = (await call(origin, key, 'POST', '/api/v1/files', form)).id;
  const began = performance.now();
  const start = JSON.stringify({ file_id: file, corporation_id: corporation });
  const { id } = (await call(origin, key, 'POST', '/api/v1/products/bulk_upload/csv', start)).job;
  for (;;) {
    const job = await call(origin, key, 'GET', `/api/v1/jobs/${id}`);
    if (job.completed_at) {
      if (job.status !== 'COMPLETED' || job.processed_rows !== rows) throw new Error(JSON.stringify(job));
      return (performance.now() - began) / 1_000;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export async function productImports({ testbed, url, gateway, key }: Comparison, rounds: number, rows: number): Promise<Figure> {
  const client = await testbed.connect(url);
  const csv = productsCsv(rows);
  const ratios: number[] = [];
  say(`\nW6, imports of ${number(rows, 0)} products in one job, next to COPY; each round in a corporation of its own.\n`);
  for (let round = 1; round <= rounds; round++) {
    step(`W6: round ${round} of ${rounds}`);
    const corporation = await makeCorporation(gateway.origin, key);
    await client.query('drop table if exists copied; create table copied (like product including all)');
    await client.query(`alter table copied alter id set default 'prod_' || substr(md5(random()::text), 1, 26), alter organisation_id set default 1000,
      add foreign key (organisation_id) references organisation (id), alter corporation_id set default '${corporation}', alter tax_code set default 'TPP', alter codes set default '{}',
      alter created_at set default now(), alter updated_at set default now()`);
    const copied = await rawCopy(url, csv);
    const { count } = (await client.query<{ count: string }>('select count(*) from copied')).rows[0]!;
    if (Number(count) !== rows) throw new Error('COPY stored something else');
    const imported = await importOnce(gateway.origin, key, corporation, csv, rows);
    const again = await importOnce(gateway.origin, key, corporation, csv, rows);
    say(
      `  gateway ${number(rows / imported, 0, 7)} rows/s, COPY ${number(rows / copied, 0, 7)} rows/s; the same file again ${number(rows / again, 0, 7)} rows/s`,
    );
    ratios.push(copied / imported);
  }
  const value = ratios.sort((a, b) => a - b)[Math.floor(rounds / 2)]!;
  return { name: 'W6', title: 'CSV import of products: rows/s, COPY = 1', value, unit: 'times', must: 0.4, aim: 0.6, better: 'more' };
}

/** Seconds of a COPY of the file into the table `copied`. */
async function rawCopy(url: string, csv: string): Promise<number> {
  const began = performance.now();
  const psql = spawn('psql', ['-q', url, '-c', `copy copied (${columns.join(', ')}) from stdin csv header`], {
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  psql.stdin.end(csv);
  const [code] = await once(psql, 'exit');
  if (code !== 0) throw new Error(`psql ended with ${code}`);
  return (performance.now() - began) / 1_000;
}

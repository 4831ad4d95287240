// Command `npm run build && node test/bench/product-import.ts`: imports 50,000 products in one job on PostgreSQL and copies the same file into a table
// with the same indexes with a bare COPY; prints rows per second of both. Needs DATABASE_URL, makes a database of its own and drops it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { Client } from 'pg';

const ROWS = 50_000;
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const ADMIN_TOKEN = 'admin-token-of-the-measurement';
const server = process.env.DATABASE_URL;
if (!server) throw new Error('DATABASE_URL must name a PostgreSQL server');

const columns = ['sku', 'name', 'description', 'origin_country', 'weight_in_kg', 'source_platform', 'source_platform_id'];
const line = (row: number): string =>
  `SKU-${row},Product ${row},A description of product number ${row},US,${(row % 100) + 1}.5,SHOPIFY,sp-${row}`;
const csv = `${[columns.join(','), ...Array.from({ length: ROWS }, (_, row) => line(row))].join('\n')}\n`;

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  probe.close();
  return port;
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return client;
}

const database = `product_import_bench_${process.pid}`;
const admin = await connect(server);
await admin.query(`create database ${database}`);
const url = new URL(server);
url.pathname = `/${database}`;
const port = await freePort();
const origin = `http://127.0.0.1:${port}`;
const gateway = spawn(process.execPath, ['dist/src/main.js'], {
  env: { ...process.env, DATABASE_URL: url.href, PORT: String(port), ADMIN_TOKEN, DEMO_DATA: 'false', LOG_LEVEL: 'warn' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  for await (const text of gateway.stdout) if (String(text).includes('listening')) break;
  await measure();
} finally {
  gateway.kill('SIGTERM');
  if (gateway.exitCode === null) await once(gateway, 'exit');
  await admin.query(`drop database ${database} with (force)`);
  await admin.end();
}

// biome-ignore lint/suspicious/noExplicitAny: the measurement looks into answers by path.
async function call(path: string, key: string, init: RequestInit = {}): Promise<any> {
  const json = typeof init.body === 'string' ? { 'content-type': 'application/json' } : {};
  const answer = await fetch(origin + path, { ...init, headers: { authorization: `Bearer ${key}`, ...json } });
  const body = (await answer.json()) as { data: unknown };
  if (!answer.ok) throw new Error(JSON.stringify(body));
  return body.data;
}

async function measure(): Promise<void> {
  const issue = 'mutation { issueAccessKey(input: { organisationName: "Bench", roles: [PLATFORM] }) { key } }';
  const { key } = (await call('/graphql', ADMIN_TOKEN, { method: 'POST', body: JSON.stringify({ query: issue }) })).issueAccessKey;
  const client = await connect(url.href);
  for (let round = 0; round < ROUNDS; round++) {
    const corporation = (
      await call('/api/v1/corporations', key, { method: 'POST', body: '{"legal_name":"Bench Ltd","jurisdiction":"GB"}' })
    ).id;
    const copied = await rawCopy(client, corporation);
    const imported = await importOnce(key, corporation);
    const again = await importOnce(key, corporation);
    const rate = (seconds: number): string => Math.round(ROWS / seconds).toLocaleString('en');
    console.log(
      `COPY ${rate(copied)} rows/s, import ${rate(imported)} rows/s (${(copied / imported).toFixed(2)} of COPY), same file again ${rate(again)} rows/s`,
    );
  }
  await client.end();
}

/** Seconds of a COPY of the file into a table like `product`: indexes, foreign key and columns without a value in the file included. */
async function rawCopy(client: Client, corporation: string): Promise<number> {
  await client.query('drop table if exists copied; create table copied (like product including all)');
  await client.query(`alter table copied alter id set default 'prod_' || substr(md5(random()::text), 1, 26), alter organisation_id set default 1,
    add foreign key (organisation_id) references organisation (id), alter corporation_id set default '${corporation}', alter tax_code set default 'TPP', alter codes set default '{}',
    alter created_at set default now(), alter updated_at set default now()`);
  const began = performance.now();
  const psql = spawn('psql', ['-q', url.href, '-c', `copy copied (${columns.join(', ')}) from stdin csv header`], {
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  psql.stdin.end(csv);
  const [code] = await once(psql, 'exit');
  if (code !== 0) throw new Error(`psql ended with ${code}`);
  const seconds = (performance.now() - began) / 1_000;
  const { rows } = await client.query<{ count: string }>('select count(*) from copied');
  if (Number(rows[0]!.count) !== ROWS) throw new Error('COPY stored something else');
  return seconds;
}

/** Seconds from the start of the job to its end, the upload left out as it is for COPY. */
async function importOnce(key: string, corporation: string): Promise<number> {
  const form = new FormData();
  form.set('file', new Blob([csv]), 'products.csv');
  const file = (await call('/api/v1/files', key, { method: 'POST', body: form })).id;
  const began = performance.now();
  const start = JSON.stringify({ file_id: file, corporation_id: corporation });
  const { id } = (await call('/api/v1/products/bulk_upload/csv', key, { method: 'POST', body: start })).job;
  for (;;) {
    const job = await call(`/api/v1/jobs/${id}`, key);
    if (job.completed_at) {
      if (job.status !== 'COMPLETED' || job.processed_rows !== ROWS) throw new Error(JSON.stringify(job));
      return (performance.now() - began) / 1_000;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

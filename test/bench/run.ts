// Command `npm run bench`: this gateway beside a bare contender on one PostgreSQL, workload by workload, with the ratio of CPU per request.
import { mkdirSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { Client } from 'pg';
import { packagePath } from '../../src/core/package-root.ts';
import { type Contender, startContender } from './contender.ts';
import { fillDataset } from './dataset.ts';
import { headersOf, type Measure, measure } from './load.ts';
import { type Workload, workloads } from './workloads.ts';

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    database: { type: 'string', default: process.env.DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres' },
    only: { type: 'string' },
    out: { type: 'string', default: packagePath('bench-results', 'latest.json') },
  },
});

const ADMIN = 'bench-admin-token-0123456789';
const NAME = `gateway_bench_${process.pid}`;
const size = options.quick ? { companies: 2, notes: 2_000 } : { companies: 20, notes: 5_000 };
const rounds = options.quick ? 2 : 4;
const seconds = options.quick ? 3 : 8;

const say = (text: string): void => console.log(text);
const databaseUrl = new URL(options.database);
databaseUrl.pathname = `/${NAME}`;

async function sql<T extends object>(client: Client, text: string, values: unknown[] = []): Promise<T[]> {
  return (await client.query<T>(text, values)).rows;
}

/** Issues a key for the organisation of the dataset. */
async function issueKey(origin: string): Promise<string> {
  const query = 'mutation { issueAccessKey(input: { organisationName: "Bench", roles: [INTEGRATIONS] }) { key } }';
  const response = await fetch(`${origin}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${ADMIN}` },
    body: JSON.stringify({ query }),
  });
  const body = (await response.json()) as { data: { issueAccessKey: { key: string } } };
  return body.data.issueAccessKey.key;
}

async function answerOf(contender: Contender, workload: Workload, key: string): Promise<unknown> {
  const response = await fetch(contender.origin + workload.path, {
    method: workload.method,
    headers: headersOf(key),
    body: workload.body ?? null,
  });
  const body = (await response.json()) as Record<string, unknown>;
  // Request ids and cursors are each contender's own.
  delete body.request_id;
  delete body.pagination;
  return body;
}

const number = (value: number, digits: number, width: number): string => value.toFixed(digits).padStart(width);

function printRow(name: string, workload: Workload, result: Measure): void {
  say(
    `  ${workload.name.padEnd(4)} ${name.padEnd(8)} ${number(result.perSecond, 0, 8)} ${number(result.p50, 1, 8)} ${number(result.p99, 1, 8)} ${number(result.serverMs, 3, 9)} ${number(result.databaseMs, 3, 9)} ${number(result.serverMs + result.databaseMs, 3, 9)} ${String(result.bytes).padStart(8)}`,
  );
}

const median = (results: Measure[]): Measure =>
  [...results].sort((a, b) => a.serverMs + a.databaseMs - b.serverMs - b.databaseMs)[Math.floor(results.length / 2)]!;

async function main(): Promise<void> {
  const admin = new Client({ connectionString: options.database });
  await admin.connect();
  await admin.query(`create database ${NAME}`);
  const running: Contender[] = [];
  try {
    const gateway = await startContender(
      'gateway',
      ['dist/src/main.js'],
      {
        DATABASE_URL: databaseUrl.href,
        PORT: '0',
        ADMIN_TOKEN: ADMIN,
        DEMO_DATA: 'false',
        RATE_LIMIT_PER_MINUTE: '10000000',
        RATE_LIMIT_BURST: '1000000',
        LOG_LEVEL: 'info',
      },
      admin,
    );
    running.push(gateway);
    say(`Filling ${size.companies} companies x ${size.notes} bill credit notes x 5 lines …`);
    const client = new Client({ connectionString: databaseUrl.href });
    await client.connect();
    await fillDataset(client, size);
    await client.end();
    const key = await issueKey(gateway.origin);
    const bare = await startContender('bare', [packagePath('dist/test/bench/bare.js'), databaseUrl.href], {}, admin);
    running.push(bare);
    const chosen = workloads.filter((workload) => !options.only || options.only.split(',').includes(workload.name));
    for (const workload of chosen) {
      const [ours, theirs] = [await answerOf(gateway, workload, key), await answerOf(bare, workload, key)];
      if (!isDeepStrictEqual(ours, theirs))
        throw new Error(
          `${workload.name}: the contenders answer differently:\n${JSON.stringify(ours).slice(0, 600)}\n${JSON.stringify(theirs).slice(0, 600)}`,
        );
    }
    say(
      `The contenders answer the same content. CPU is milliseconds per request, 32 connections, ${rounds} rounds of ${seconds} s each, interleaved.\n`,
    );
    say('       who         req/s   p50 ms   p99 ms    server  postgres     total    bytes');
    const table: { workload: string; ratio: number; must: number; aim: number; gateway: Measure; bare: Measure }[] = [];
    for (const workload of chosen) {
      const results: Record<string, Measure[]> = { gateway: [], bare: [] };
      for (const contender of [gateway, bare]) await measure(contender, workload, key, 1);
      for (let round = 0; round < rounds; round++)
        for (const contender of [gateway, bare]) results[contender.name]!.push(await measure(contender, workload, key, seconds));
      const [ours, theirs] = [median(results.gateway!), median(results.bare!)];
      printRow('gateway', workload, ours);
      printRow('bare', workload, theirs);
      table.push({
        workload: workload.name,
        ratio: (ours.serverMs + ours.databaseMs) / (theirs.serverMs + theirs.databaseMs),
        must: workload.must,
        aim: workload.aim,
        gateway: ours,
        bare: theirs,
      });
    }
    say('\n       ratio    must     aim');
    for (const row of table)
      say(
        `  ${row.workload.padEnd(4)} ${number(row.ratio, 2, 5)} ${number(row.must, 2, 7)} ${number(row.aim, 2, 7)}  ${row.ratio <= row.aim ? 'aim reached' : row.ratio <= row.must ? 'reached' : 'NOT reached'}`,
      );
    say(`\n  memory ${number(gateway.memoryMb(), 0, 5)} MB after the load`);
    mkdirSync(packagePath('bench-results'), { recursive: true });
    writeFileSync(options.out, `${JSON.stringify({ size, rounds, seconds, table }, null, 2)}\n`);
  } finally {
    for (const contender of running) await contender.stop();
    await sql(admin, `drop database ${NAME} with (force)`);
    await admin.end();
  }
}

await main();

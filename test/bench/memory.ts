// Command `npm run bench:memory [-- --database URL]`: resident memory of one process with demo data at rest, at its peak under load, and up to five
// minutes later. It runs on the embedded database or on PostgreSQL, with the flags and settings of malloc of deploy/.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { packagePath } from '../../src/runtime/package-root.ts';
import { BENCH_ADMIN, startSubject } from './subject.ts';

const { values: options } = parseArgs({ options: { database: { type: 'string' }, loads: { type: 'string', default: '150' } } });
const REST_MS = 45_000;
const MINUTE_MS = 60_000;
const MINUTES = [1, 2, 3, 4, 5];
const AT_ONCE = 3;
/** Requests for lists that count as one load next to a batch or an upload. */
const LISTS = 10;
const BATCH = 1_000;
/** Lines of a file of 3 MB. */
const LINES = 30_000;
const WATCH_MS = 200;

const unit = readFileSync(packagePath('deploy/systemd/ledger-gateway.service'), 'utf8');
const flags = /node (--.*) dist\/bundle\/main\.js/.exec(unit)![1]!.split(' ');
const malloc = Object.fromEntries([...unit.matchAll(/\b(MALLOC_\w+)=(\d+)/g)].map(([, name, value]) => [name!, value!]));

const name = `gateway_memory_${process.pid}`;
const directory = mkdtempSync(join(tmpdir(), 'memory-'));
async function onServer(sql: string): Promise<void> {
  if (!options.database) return;
  const client = new Client({ connectionString: options.database });
  await client.connect();
  await client.query(sql);
  await client.end();
}

const place: Record<string, string> = options.database
  ? { DATABASE_URL: Object.assign(new URL(options.database), { pathname: `/${name}` }).href }
  : { DATA_DIR: directory };
await onServer(`create database ${name}`);
const gateway = await startSubject('memory', [...flags, packagePath('dist', 'src', 'main.js')], {
  ...malloc,
  ...place,
  ADMIN_TOKEN: BENCH_ADMIN,
  PORT: '0',
  LOG_LEVEL: 'silent',
  DRAIN_SECONDS: '0',
  RATE_LIMIT_BURST: '0',
});

let key = BENCH_ADMIN;
// biome-ignore lint/suspicious/noExplicitAny: responses are looked into by path.
async function call(method: string, path: string, body?: object): Promise<any> {
  const isForm = body instanceof FormData;
  const response = await fetch(gateway.origin + path, {
    method,
    headers: { authorization: `Bearer ${key}`, api_key: key, ...(body && !isForm ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  if (!response.ok || text.includes('"errors"')) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`);
  return JSON.parse(text);
}

async function repeat(ask: () => Promise<unknown>): Promise<void> {
  for (let count = 0; count < LISTS; count++) await ask();
}

const ISSUE = 'mutation ($input: IssueAccessKeyInput!) { issueAccessKey(input: $input) { key } }';
const NESTED = `{ company(id: 1) { accounts(first: 100) { nodes { name currentBalance } }
  purchaseOrders(first: 100) { nodes { documentNumber contact { name } lineItems { name quantity item { name } } } } } }`;

try {
  const input = { organisationName: 'Demo', roles: ['PLATFORM', 'INTEGRATIONS'] };
  key = (await call('POST', '/graphql', { query: ISSUE, variables: { input } })).data.issueAccessKey.key;
  const base = `/v4/core/companies/${(await call('POST', '/v4/core/companies', { data: { name: 'Memory' } })).data.ledger_id}`;
  await call('POST', `${base}/connections`, { data: { source: 'FILES' } });
  let written = 0;
  const kinds = [
    () => repeat(() => call('GET', `${base}/accounts?limit=100`)),
    () => repeat(() => call('GET', '/v4/core/companies/1/purchase_orders?limit=100')),
    () => repeat(() => call('POST', '/graphql', { query: NESTED })),
    async () => {
      const data = Array.from({ length: BATCH }, (_, at) => ({ platform_id: `batch-${at}`, name: `Name ${written++}` }));
      const { data: sync } = await call('PUT', `${base}/accounts?run_async=true`, { data });
      while ((await call('GET', `/v4/core/syncs/${sync.sync_id}`)).data.endTime === null) await setTimeout(100);
    },
    async () => {
      const form = new FormData();
      const lines = Array.from(
        { length: LINES },
        (_, at) => `c-${at},Contact ${at},mail${at}@example.org,some words about the contact ${at}\n`,
      );
      form.append('data_model', 'CONTACT');
      form.append('file', new Blob(['platform_id,name,email,contact_name\n', ...lines]), 'contacts.csv');
      await call('POST', `${base}/imports`, form);
    },
  ];

  const say = (when: string, megabytes: number): void => console.log(`${when.padEnd(14)}${megabytes.toFixed(0).padStart(5)} MB`);
  await setTimeout(REST_MS);
  const rest = gateway.memoryMb();
  say('rest', rest);
  let peak = 0;
  let loads = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, gateway.memoryMb());
  }, WATCH_MS);
  const worker = async (): Promise<void> => {
    while (loads < Number(options.loads)) await kinds[loads++ % kinds.length]!();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker)).finally(() => clearInterval(watch));
  say('peak', peak);
  for (const minute of MINUTES) {
    await setTimeout(MINUTE_MS);
    say(`${minute} min later`, gateway.memoryMb());
  }
  console.log(
    `${options.database ? 'PostgreSQL' : 'PGlite'}: after ${MINUTES.at(-1)} minutes ${Math.round((gateway.memoryMb() / rest - 1) * 100)} % above rest, ${loads} loads`,
  );
} finally {
  await gateway.stop();
  await onServer(`drop database ${name}`);
  rmSync(directory, { recursive: true, force: true });
}

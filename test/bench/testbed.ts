// The testbed: databases of its own on a PostgreSQL server, and gateways on them; all are removed afterwards.
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { packagePath } from '../../src/runtime/package-root.ts';
import { distributeOver } from '../support/server.ts';
import { type DatasetSize, fillDataset } from './dataset.ts';
import { BENCH_ADMIN, type Subject, startSubject } from './subject.ts';
import { number, step } from './table.ts';

const settings = {
  PORT: '0',
  ADMIN_TOKEN: BENCH_ADMIN,
  DEMO_DATA: 'false',
  RATE_LIMIT_PER_MINUTE: '10000000',
  RATE_LIMIT_BURST: '1000000',
  LOG_LEVEL: 'info',
  DRAIN_SECONDS: '0',
};

const { scripts } = JSON.parse(readFileSync(packagePath('package.json'), 'utf8')) as { scripts: { start: string } };
/** The Node arguments of `npm start`. */
const startArguments = scripts.start
  .split(' ')
  .slice(1)
  .map((argument) => (argument.startsWith('-') ? argument : packagePath(argument)));

interface Filled {
  url: string;
  /** The same data on one server. */
  plainUrl: string;
  gateway: Subject;
  key: string;
}

/** The means of a measurement; everything created here is removed when it ends. */
export interface Testbed {
  /** Connection to the server, for its figures. */
  admin: Client;
  /** URL of a new database, empty or a copy of another. */
  database(template?: string): Promise<string>;
  connect(url: string): Promise<Client>;
  /** A new empty directory. */
  directory(): Promise<string>;
  start(name: string, args: string[], env: Record<string, string>): Promise<Subject>;
  /** A gateway with the settings of the measurement; `place` names its database or data directory. */
  gateway(name: string, place: { DATABASE_URL: string; WORKER?: 'false' } | { DATA_DIR: string }): Promise<Subject>;
  /** A gateway on a new database that `fill` fills, and a key for the organisation that it creates. */
  filledBy(name: string, fill: (client: Client) => Promise<void>): Promise<Filled>;
  /** The same with the data of the first workloads. */
  filled(name: string, size: DatasetSize): Promise<Filled>;
}

/**
 * Runs the work, then ends every process and drops every database and directory it created, also when it is interrupted. With workers the databases
 * that it fills are distributed over them.
 */
export async function withTestbed<T>(server: string, work: (testbed: Testbed) => Promise<T>, workers: readonly string[] = []): Promise<T> {
  const [admin, ...watchers] = [server, server, ...workers].map((connectionString) => new Client({ connectionString })) as [
    Client,
    ...Client[],
  ];
  const clients = [admin, ...watchers];
  await Promise.all(clients.map((client) => client.connect()));
  const undo: (() => Promise<unknown>)[] = [() => Promise.all(clients.map((client) => client.end()))];
  let databases = 0;
  const testbed: Testbed = {
    admin,
    async database(template) {
      const name = `gateway_bench_${process.pid}_${++databases}`;
      await admin.query(`create database ${name}${template ? ` template ${new URL(template).pathname.slice(1)}` : ''}`);
      // The CPU of parallel workers, which end with their statement, could not be counted; and they raise the CPU of a request.
      await admin.query(`alter database ${name} set max_parallel_workers_per_gather = 0`);
      undo.push(async () => {
        for (const node of [admin, ...watchers.slice(1)]) await node.query(`drop database if exists ${name} with (force)`);
      });
      return Object.assign(new URL(server), { pathname: `/${name}` }).href;
    },
    async connect(url) {
      const client = new Client({ connectionString: url });
      await client.connect();
      undo.push(() => client.end());
      return client;
    },
    async directory() {
      const path = await mkdtemp(join(tmpdir(), 'gateway-bench-'));
      undo.push(() => rm(path, { recursive: true, force: true }));
      return path;
    },
    async start(name, args, env) {
      const subject = await startSubject(name, args, env, watchers);
      undo.push(() => subject.stop());
      return subject;
    },
    gateway: (name, place) => testbed.start(name, startArguments, { ...settings, DATABASE_URL: '', ...place }),
    filled(name, size) {
      step(`filling ${number(size.companies, 0)} x ${number(size.notes, 0)} bill credit notes`);
      return testbed.filledBy(name, (client) => fillDataset((text, values) => client.query(text, values), size));
    },
    async filledBy(name, fill) {
      const url = await testbed.database();
      const gateway = await testbed.gateway(name, { DATABASE_URL: url });
      const client = new Client({ connectionString: url });
      await client.connect();
      await fill(client).finally(() => client.end());
      const key = await issueKey(gateway.origin);
      if (workers.length === 0) return { url, plainUrl: url, gateway, key };
      await gateway.stop();
      step(`distributing over ${workers.length} workers`);
      const plainUrl = await testbed.database(url);
      await distributeOver(url, workers);
      return { url, plainUrl, gateway: await testbed.gateway(name, { DATABASE_URL: url }), key };
    },
  };
  const end = async (): Promise<void> => {
    for (let last = undo.pop(); last; last = undo.pop()) await last();
  };
  const interrupted = (): void => void end().finally(() => process.exit(1));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupted);
  try {
    return await work(testbed);
  } finally {
    await end();
  }
}

/** Issues a key for the organisation of the dataset. */
export async function issueKey(origin: string): Promise<string> {
  const query = 'mutation { issueAccessKey(input: { organisationName: "Bench", roles: [INTEGRATIONS, PLATFORM] }) { key } }';
  const body = await call(origin, BENCH_ADMIN, 'POST', '/graphql', JSON.stringify({ query }));
  return body.issueAccessKey.key;
}

/** The `data` of a JSON response; throws for anything but success. */
// biome-ignore lint/suspicious/noExplicitAny: measurements look into responses by path.
export async function call(origin: string, key: string, method: string, path: string, body?: string | FormData): Promise<any> {
  const json: Record<string, string> = typeof body === 'string' ? { 'content-type': 'application/json' } : {};
  const headers = { authorization: `Bearer ${key}`, api_key: key, ...json };
  const response = await fetch(origin + path, { method, headers, body: body ?? null });
  const parsed = (await response.json()) as { data: unknown; errors?: unknown };
  if (!response.ok || parsed.errors) throw new Error(`${method} ${path}: ${JSON.stringify(parsed).slice(0, 600)}`);
  return parsed.data;
}

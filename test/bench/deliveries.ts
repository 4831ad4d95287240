// Command `npm run bench:deliveries`: webhook deliveries per second of one process to a receiver on the loopback interface, and their cost. It runs
// on the embedded database or, with --database, on PostgreSQL.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { pino } from 'pino';
import { ensureOrganisation } from '../../src/access/access-keys.ts';
import { type Config, readConfig } from '../../src/config.ts';
import { executeIn } from '../../src/database/open.ts';
import { systemTransaction } from '../../src/database/transaction.ts';
import { emitEvents } from '../../src/events/events.ts';
import { newId } from '../../src/records/ids.ts';
import { packagePath } from '../../src/runtime/package-root.ts';
import { openServices } from '../../src/services.ts';
import { generateSecret, previewSecret } from '../../src/webhooks/signature.ts';
import { startReceiver } from '../support/receiver.ts';
import { BENCH_ADMIN, cpuSeconds } from './subject.ts';

const { values: options } = parseArgs({
  options: { database: { type: 'string' }, events: { type: 'string', default: '2000' }, webhooks: { type: 'string', default: '4' } },
});
const events = Number(options.events);
const webhooks = Number(options.webhooks);
const name = `gateway_deliveries_${process.pid}`;
const directory = mkdtempSync(join(tmpdir(), 'deliveries-'));

async function onServer(sql: string): Promise<Record<string, string>[]> {
  const client = new Client({ connectionString: options.database });
  await client.connect();
  const { rows } = await client.query(sql);
  await client.end();
  return rows;
}

/** Commits and bytes of log so far. The server reports the commits of a connection at most a second late. */
async function written(): Promise<{ commits: number; bytes: number }> {
  await setTimeout(1_500);
  const [row] = await onServer(
    `select xact_commit as commits, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as bytes from pg_stat_database where datname = '${name}'`,
  );
  return { commits: Number(row!.commits), bytes: Number(row!.bytes) };
}

/** CPU seconds of the connections to the database so far. */
const connectionSeconds = async (): Promise<number> =>
  (await onServer(`select pid from pg_stat_activity where datname = '${name}'`)).reduce((sum, { pid }) => sum + cpuSeconds(Number(pid)), 0);

/** Stores the webhooks and the events that the measured process finds waiting. */
async function prepare(config: Config, url: string): Promise<void> {
  const { services, close } = await openServices(config, { log: pino({ level: 'silent' }) });
  await systemTransaction(services.database, async (em) => {
    const organisationId = await ensureOrganisation(em, 'Bench', services.clock.now());
    for (let count = 0; count < webhooks; count++) {
      const [id, secret] = [newId('whk'), generateSecret()];
      await executeIn(
        em,
        `insert into webhook (id, organisation_id, url, topics, secret_preview, status, created_at, updated_at, sealed_secret) values ($1, $2, $3, '["ALL"]', $4, 'ENABLED', now(), now(), $5)`,
        [id, organisationId, url, previewSecret(secret), services.secrets.seal(secret, id)],
      );
    }
    const list = Array.from({ length: events / webhooks }, (_, n) => ({
      topic: 'PRODUCTS.CREATED' as const,
      data: { n, text: 'x'.repeat(200) },
    }));
    await emitEvents(em, { services, organisationId, organisation: null }, list);
  });
  await close();
}

const databaseUrl = options.database ? Object.assign(new URL(options.database), { pathname: `/${name}` }).href : undefined;
if (databaseUrl) await onServer(`create database ${name}`);
const receiver = await startReceiver();
const settings = {
  WEBHOOK_ALLOW_PRIVATE: 'true',
  ADMIN_TOKEN: BENCH_ADMIN,
  DEMO_DATA: 'false',
  PORT: '0',
  LOG_LEVEL: 'silent',
  DRAIN_SECONDS: '0',
  DATA_DIR: directory,
  ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
};
await prepare(readConfig({ ...settings, WORKER: 'false' }), receiver.url);
const before = databaseUrl ? await written() : undefined;
const child = spawn(process.execPath, [packagePath('dist', 'src', 'main.js')], { env: { ...process.env, ...settings }, stdio: 'ignore' });
await receiver.arrived(1);
const startSeconds = cpuSeconds(child.pid!);
const start = performance.now();
await receiver.arrived(events);
const seconds = (performance.now() - start) / 1_000;
console.log(
  `${databaseUrl ? 'PostgreSQL' : 'PGlite'}: ${events} deliveries to ${webhooks} webhooks in ${seconds.toFixed(1)} s, ${Math.round(events / seconds)} per second`,
);
console.log(
  `  the gateway used ${(((cpuSeconds(child.pid!) - startSeconds) * 1_000) / events).toFixed(2)} ms of CPU for each, its start left out`,
);
if (before) {
  const databaseMs = ((await connectionSeconds()) * 1_000) / events;
  const after = await written();
  console.log(
    `  PostgreSQL: ${databaseMs.toFixed(2)} ms of CPU, ${((after.commits - before.commits) / events).toFixed(3)} commits and ${((after.bytes - before.bytes) / events / 1_024).toFixed(2)} KB of log for each, the start included`,
  );
}
child.kill('SIGTERM');
await once(child, 'exit');
await receiver.stop();
if (databaseUrl) await onServer(`drop database ${name}`);
rmSync(directory, { recursive: true, force: true });

// Command `npm run bench:deliveries`: webhook deliveries per second of one process to a receiver on the loopback interface,
// on the embedded database or, with --database, on PostgreSQL.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

const { values: options } = parseArgs({
  options: { database: { type: 'string' }, events: { type: 'string', default: '2000' }, webhooks: { type: 'string', default: '4' } },
});
const events = Number(options.events);
const webhooks = Number(options.webhooks);
const name = `gateway_deliveries_${process.pid}`;
const directory = mkdtempSync(join(tmpdir(), 'deliveries-'));

async function onServer(sql: string): Promise<void> {
  const client = new Client({ connectionString: options.database });
  await client.connect();
  await client.query(sql);
  await client.end();
}

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
  ADMIN_TOKEN: 'bench-admin-token-0123456789',
  DEMO_DATA: 'false',
  PORT: '0',
  LOG_LEVEL: 'silent',
  DRAIN_SECONDS: '0',
  DATA_DIR: directory,
  ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
};
await prepare(readConfig({ ...settings, WORKER: 'false' }), receiver.url);
const child = spawn(process.execPath, [packagePath('dist', 'src', 'main.js')], { env: { ...process.env, ...settings }, stdio: 'ignore' });
await receiver.arrived(1);
const start = performance.now();
await receiver.arrived(events);
const seconds = (performance.now() - start) / 1_000;
console.log(
  `${databaseUrl ? 'PostgreSQL' : 'PGlite'}: ${events} deliveries to ${webhooks} webhooks in ${seconds.toFixed(1)} s, ${Math.round(events / seconds)} per second`,
);
child.kill('SIGTERM');
await once(child, 'exit');
await receiver.stop();
if (databaseUrl) await onServer(`drop database ${name}`);
rmSync(directory, { recursive: true, force: true });

// The alerts that an outage of the database does not fire, each fired by its real failure: a gateway for each failure, whose recorded metrics promtool judges.
// node failures.ts [NAME…], after `npm run build` at the root
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { type Cluster, startCluster } from '../../support/cluster.ts';
import { smallDisk } from '../../support/small-disk.ts';
import { startGateway } from '../gateway.ts';
import { ADMIN_TOKEN, type Firing, Recording, requirePrograms } from './recording.ts';

type Gateway = Awaited<ReturnType<typeof startGateway>>;

/** Samples before a failure, in which nothing may fire. */
const HEALTHY = 3;

/** The disk holds a new database with demo data, and the space that the gateway keeps free. */
const DISK_MB = 150;

/** What a failure is made with. */
interface Scene {
  /** A database of its own on the server that all share. */
  database: string;
  binaries: string;
  start(settings?: Record<string, string>): Promise<Gateway>;
  /** Repeats something until the scene is over, `times` at once. */
  keepOn(work: () => Promise<unknown>, options?: { times?: number; pauseMs?: number }): void;
  /** Has something undone when the scene is over. */
  finally(undo: () => unknown): void;
}

/** A failure: makes it, records it, and names the alerts that it fires. Alerts that follow from it are among them. */
interface Failure {
  name: string;
  /** The rules that are judged; those of other failures may follow from the haste of the recording. */
  firing: Firing;
  /** Returns alerts whose labels are known only afterwards; a text is why the failure cannot be made here. */
  make(scene: Scene, recording: Recording): Promise<Firing | string | undefined>;
}

const call = async (url: string, key: string, method: string, body?: unknown): Promise<{ status: number; body: never }> => {
  const headers = { authorization: `Bearer ${key}`, api_key: key, 'content-type': 'application/json' };
  const response = await fetch(url, {
    method,
    headers,
    signal: AbortSignal.timeout(20_000),
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  return { status: response.status, body: (text ? JSON.parse(text) : undefined) as never };
};
const graphql = ({ base }: Gateway, key: string, query: string, variables: object = {}) =>
  call(`${base}/graphql`, key, 'POST', { query, variables });

/** A receiver that returns this status. */
async function receiver(scene: Scene, status: number): Promise<string> {
  const server: Server = createServer((request, response) => request.resume().once('end', () => response.writeHead(status).end()));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  scene.finally(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** A receiver that sends the head of its response a byte a second, and never ends it. */
async function dripping(scene: Scene): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createSocketServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).write('HTTP/1.1 200 OK\r\nX-Slow: ');
  });
  const drip = setInterval(() => {
    for (const socket of sockets) if (!socket.destroyed) socket.write('x');
  }, 1_000);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  scene.finally(() => {
    clearInterval(drip);
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const register = (gateway: Gateway, url: string) =>
  graphql(
    gateway,
    gateway.bearer,
    'mutation ($url: URL!) { createWebhook(input: { url: $url, topics: [CORPORATIONS_CREATED] }) { webhook { id } } }',
    { url },
  );

/** Settings of a gateway whose organisations are those of `issueKey`: it does no work for a demo. */
const WITHOUT_DEMO = { DEMO_DATA: 'false' };

async function issueKey(gateway: Gateway): Promise<string> {
  const { body } = await graphql(
    gateway,
    ADMIN_TOKEN,
    'mutation { issueAccessKey(input: { organisationName: "Failures", roles: [PLATFORM, INTEGRATIONS] }) { key } }',
  );
  return (body as { data: { issueAccessKey: { key: string } } }).data.issueAccessKey.key;
}

let written = 0;
const write = (gateway: Gateway) =>
  call(`${gateway.base}/api/v1/corporations`, gateway.bearer, 'POST', { legal_name: `Corporation ${++written}`, jurisdiction: 'GB' });

const failures: Failure[] = [
  {
    name: 'dead receiver, and one that is gone',
    firing: { GatewayDeliveriesFail: [{}], GatewayWebhooksDisabled: [{ reason: 'GONE' }] },
    async make(scene, recording) {
      const gateway = await scene.start();
      await recording.watch(gateway.base, HEALTHY);
      await register(gateway, 'http://127.0.0.1:9/');
      await register(gateway, await receiver(scene, 410));
      scene.keepOn(() => write(gateway), { pauseMs: 700 });
      await recording.watch(gateway.base, 34);
    },
  },
  {
    name: 'a receiver that drips',
    firing: { GatewayDeliveriesFail: [{}] },
    async make(scene, recording) {
      const gateway = await scene.start(WITHOUT_DEMO);
      const bearer = await issueKey(gateway);
      await recording.watch(gateway.base, HEALTHY);
      await register({ ...gateway, bearer }, await dripping(scene));
      scene.keepOn(() => write({ ...gateway, bearer }), { pauseMs: 700 });
      // The first attempts end at the time limit of a delivery.
      await recording.watch(gateway.base, 50);
    },
  },
  {
    name: 'syncs fail',
    firing: { GatewaySyncsFail: [{ source: 'batch' }] },
    async make(scene, recording) {
      const gateway = await scene.start();
      const accounts = `${gateway.base}/v4/core/companies/1/accounts`;
      await recording.watch(gateway.base, HEALTHY);
      await call(accounts, gateway.apiKey, 'POST', { data: { platform_id: 'taken', name: 'Taken' } });
      scene.keepOn(() => call(`${accounts}?run_async=true`, gateway.apiKey, 'POST', { data: [{ platform_id: 'taken', name: 'x' }] }), {
        pauseMs: 500,
      });
      await recording.watch(gateway.base, 34);
    },
  },
  {
    name: 'a caller in a loop',
    firing: { GatewayRefusesCallers: [{ limit: 'RATE_LIMIT_EXCEEDED' }] },
    async make(scene, recording) {
      const gateway = await scene.start({ RATE_LIMIT_PER_MINUTE: '6', RATE_LIMIT_BURST: '6' });
      await recording.watch(gateway.base, HEALTHY);
      scene.keepOn(() => call(`${gateway.base}/v4/core/companies`, gateway.apiKey, 'GET'), { pauseMs: 200 });
      await recording.watch(gateway.base, 25);
    },
  },
  {
    name: 'wrong secret',
    firing: { GatewayWorkFails: [{ task: 'webhook-delivery' }] },
    async make(scene, recording) {
      const settings = { ...WITHOUT_DEMO, SIGNING_SECRET: 'a secret that signs links and cursors' };
      const before = await scene.start({ ...settings, SEALING_SECRETS: 'the secret of the first day' });
      const bearer = await issueKey(before);
      await register({ ...before, bearer }, await receiver(scene, 200));
      await before.stop();
      const gateway = await scene.start({ ...settings, SEALING_SECRETS: 'another secret than before' });
      await recording.watch(gateway.base, HEALTHY);
      scene.keepOn(() => write({ ...gateway, bearer }), { pauseMs: 500 });
      await recording.watch(gateway.base, 20);
    },
  },
  {
    name: 'no process works',
    firing: { GatewayWorkWaits: [], GatewayAuditUnsealed: [{}] },
    async make(scene, recording) {
      const gateway = await scene.start({ ...WITHOUT_DEMO, WORKER: 'false' });
      const key = await issueKey(gateway);
      const companies = `${gateway.base}/v4/core/companies`;
      const { body } = await call(companies, key, 'POST', { data: { name: 'Waits' } });
      const { ledger_id } = (body as { data: { ledger_id: number } }).data;
      await recording.watch(gateway.base, HEALTHY);
      await call(`${companies}/${ledger_id}/accounts?run_async=true`, key, 'POST', { data: [{ name: 'waits' }] });
      await recording.watch(gateway.base, 18);
      // The schedules, which wait too.
      const session = new pg.Client(scene.database);
      await session.connect();
      scene.finally(() => session.end());
      const { rows } = await session.query(
        "select distinct name from pgboss.job where state < 'active' and start_after < now() - interval '15 s'",
      );
      return { GatewayWorkWaits: rows.map(({ name }) => ({ task: name })) };
    },
  },
  {
    name: 'the database of the queue is away',
    firing: { GatewayOutboxWaits: [{ kind: 'job' }] },
    async make(scene, recording) {
      const queue = await startCluster(scene.binaries);
      scene.finally(() => queue.remove());
      const gateway = await scene.start({ QUEUE_DATABASE_URL: queue.url });
      await recording.watch(gateway.base, HEALTHY);
      queue.stop('immediate');
      const accounts = `${gateway.base}/v4/core/companies/1/accounts?run_async=true`;
      scene.keepOn(() => call(accounts, gateway.apiKey, 'POST', { data: [{ name: 'waits' }] }), { pauseMs: 900 });
      await recording.watch(gateway.base, 18);
    },
  },
  {
    name: 'the disk of the embedded database is full',
    firing: { GatewayServerErrors: [{}] },
    async make(scene, recording) {
      const disk = smallDisk(DISK_MB);
      if (!disk) return 'this user may not mount a small disk';
      scene.finally(() => disk.remove());
      const gateway = await scene.start({ DATABASE_URL: '', DATA_DIR: join(disk.folder, 'data') });
      await recording.watch(gateway.base, HEALTHY);
      disk.fill();
      scene.keepOn(() => write(gateway), { pauseMs: 200 });
      await recording.watch(gateway.base, 14);
    },
  },
  {
    name: 'a session holds a lock',
    firing: { GatewaySlow: [{}] },
    async make(scene, recording) {
      const gateway = await scene.start({ DATABASE_POOL_MAX: '2' });
      await recording.watch(gateway.base, HEALTHY);
      const session = new pg.Client(scene.database);
      await session.connect();
      scene.finally(() => session.end());
      scene.keepOn(() => session.query('begin; lock table corporation in access exclusive mode; select pg_sleep(1.4); commit'), {
        pauseMs: 100,
      });
      // GraphQL alone, whose operations are counted together.
      scene.keepOn(() => graphql(gateway, gateway.bearer, '{ corporations(first: 1) { nodes { id } } }'), { times: 16 });
      await recording.watch(gateway.base, 20);
    },
  },
  {
    name: 'a session keeps a lock',
    firing: { GatewayConnectionsWait: [] },
    async make(scene, recording) {
      const gateway = await scene.start();
      await recording.watch(gateway.base, HEALTHY);
      const session = new pg.Client(scene.database);
      await session.connect();
      scene.finally(() => session.end());
      await session.query('begin; lock table corporation in access exclusive mode');
      scene.keepOn(() => graphql(gateway, gateway.bearer, '{ corporations(first: 1) { nodes { id } } }'), { times: 16 });
      await recording.watch(gateway.base, 12);
      await session.query('rollback');
      return { GatewayConnectionsWait: [{ instance: new URL(gateway.base).host }] };
    },
  },
  {
    name: 'a replica stops',
    firing: { GatewayReplicaLags: [] },
    async make(scene, recording) {
      const primary = await startCluster(scene.binaries);
      scene.finally(() => primary.remove());
      const setup = new pg.Client(primary.url);
      await setup.connect();
      await setup.query('create role ledger_gateway nologin').catch(() => {});
      await setup.end();
      const replica: Cluster = await startCluster(scene.binaries, primary);
      scene.finally(() => replica.remove());
      const gateway = await scene.start({ DATABASE_URL: primary.url, DATABASE_REPLICA_URLS: replica.url });
      await recording.watch(gateway.base, HEALTHY);
      const session = new pg.Client(replica.url);
      await session.connect();
      scene.finally(() => session.end());
      await session.query('select pg_wal_replay_pause()');
      scene.keepOn(() => write(gateway), { pauseMs: 500 });
      await recording.watch(gateway.base, 18);
      return { GatewayReplicaLags: [{ replica: new URL(replica.url).host }] };
    },
  },
];

/** Plays one failure; returns what promtool finds wrong, or null. */
async function play({ name, firing, make }: Failure, cluster: Cluster, binaries: string, index: number): Promise<string | null> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-failure-'));
  const admin = new pg.Client(cluster.url);
  await admin.connect();
  await admin.query(`create database failure_${index}`);
  await admin.end();
  const database = cluster.url.replace(/\/postgres$/, `/failure_${index}`);
  const undone: (() => unknown)[] = [];
  let isOver = false;
  const going: Promise<void>[] = [];
  const recording = new Recording(60);
  const scene: Scene = {
    database,
    binaries,
    async start(settings) {
      const gateway = await startGateway(join(folder, 'data'), { DATABASE_URL: database, ADMIN_TOKEN, ...settings });
      let stopped: Promise<void> | undefined;
      const stop = (): Promise<void> => (stopped ??= gateway.stop());
      undone.push(stop);
      return { ...gateway, stop };
    },
    keepOn(work, { times = 1, pauseMs = 10 } = {}) {
      for (let one = 0; one < times; one++)
        going.push(
          (async () => {
            for (; !isOver; await setTimeout(pauseMs)) await work().catch(() => {});
          })(),
        );
    },
    finally: (undo) => void undone.push(undo),
  };
  try {
    const known = await make(scene, recording);
    if (typeof known === 'string') {
      console.log(`skip ${name}: ${known}`);
      return null;
    }
    recording.expect({ ...firing, ...known }, (alert) => alert in firing);
    const wrong = recording.judge();
    console.log(`${wrong ? 'FAIL' : 'ok  '} ${name}: ${Object.keys(firing).join(', ')}; ${recording.size}`);
    return wrong;
  } finally {
    isOver = true;
    await Promise.all(going);
    for (const undo of undone.reverse()) await undo();
    rmSync(folder, { recursive: true, force: true });
  }
}

const binaries = requirePrograms();
const wanted = process.argv.slice(2);
const cluster = await startCluster(binaries);
let failed = 0;
try {
  for (const [index, failure] of failures.entries()) {
    if (wanted.length > 0 && !wanted.some((word) => failure.name.includes(word))) continue;
    const wrong = await play(failure, cluster, binaries, index);
    if (!wrong) continue;
    failed++;
    console.log(wrong);
  }
} finally {
  cluster.remove();
}
console.log(`${failures.length} failures, ${failed} not as they should be`);
process.exitCode = failed > 0 ? 1 : 0;

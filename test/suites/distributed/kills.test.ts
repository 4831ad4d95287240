// Three gateways on one distributed database: shards move and workers, the coordinator and gateways are killed while companies are written. `npm run suite -- distributed --rounds N` kills N times.
import { randomInt } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DistributedCluster, notDistributed, startDistributed } from '../../support/distributed.ts';
import { call, issueKey, program, type RunningProgram, type Settings } from '../../support/program.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { delivered, expectWhole, releaseDeliveries, startWriters } from './writers.ts';

const KILLS = Number(process.env.SUITE_ROUNDS ?? 1);
/** A move copies the shards of three dozen tables. */
const MOVES = Math.min(KILLS, 5);
const COMPANIES = 6;
const WRITERS = 6;

describe.skipIf(notDistributed)(
  `several gateways on a distributed engine (${notDistributed ?? 'with Citus'})`,
  { timeout: 300_000 + KILLS * 60_000 },
  () => {
    let cluster: DistributedCluster;
    let receiver: Receiver;
    let settings: Settings;
    let key: string;
    const gateways: RunningProgram[] = [];
    const companies: number[] = [];
    const accepted: number[] = [];

    /** The statuses of reads of records at the moment at which their events arrived. */
    const read = new Map<number, number>();
    async function readNow(body: string): Promise<void> {
      const { data_model, company_id, data } = JSON.parse(body);
      if (data_model !== 'ACCOUNT') return;
      const { origin } = gateways[randomInt(gateways.length)]!;
      const path = `/v4/core/companies/${company_id}/accounts/${data.ledger_id}`;
      const response = await call(origin, key, 'GET', path).catch(() => null);
      if (response) read.set(response.status, (read.get(response.status) ?? 0) + 1);
    }

    beforeAll(async () => {
      cluster = await startDistributed(2);
      receiver = await startReceiver((message, response) => {
        response.writeHead(200).end();
        void readNow(message.body);
      });
      settings = { ...cluster.settings, WEBHOOK_ALLOW_PRIVATE: 'true' };
      const first = await program.start(settings);
      key = await issueKey(first.origin, ['PLATFORM', 'INTEGRATIONS']);
      for (let index = 0; index < COMPANIES; index++) {
        const { body } = await call(first.origin, key, 'POST', '/v4/core/companies', { data: { name: `Company ${index}` } });
        companies.push(body.data.ledger_id);
      }
      const query = 'mutation ($url: URL!) { createWebhook(input: { url: $url, topics: [ALL] }) { webhook { id } } }';
      await call(first.origin, key, 'POST', '/graphql', { query, variables: { url: receiver.url } });
      await first.end('SIGTERM');
      await cluster.distribute();
      gateways.push(...(await Promise.all([1, 2, 3].map(() => program.start(settings)))));
    }, 240_000);

    afterAll(async () => {
      for (const gateway of gateways) await gateway.end('SIGKILL');
      await receiver?.stop();
      cluster?.remove();
    });

    it('a write of a company is prepared at one worker, once, before the coordinator commits', async () => {
      // Until the end of this transaction no other process removes the notes of prepared transactions.
      const client = new Client({ connectionString: cluster.coordinator.url });
      await client.connect();
      await client.query('begin');
      await client.query('select recover_prepared_transactions()');
      await client.query('delete from pg_dist_transaction');
      const writers = startWriters(gateways.slice(0, 1), key, companies.slice(0, 1), 1);
      await writers.acceptMore(5);
      await writers.stop();
      accepted.push(...writers.accepted);
      const { rows } = await client.query(
        'select count(*)::int as writes, count(distinct groupid)::int as workers from pg_dist_transaction',
      );
      await client.query('rollback');
      await client.end();
      expect(rows).toEqual([{ writes: writers.accepted.length, workers: 1 }]);
    });

    it('shards move, also to a new worker, while three gateways write, and every event is delivered once', async () => {
      const writers = startWriters(gateways, key, companies, WRITERS);
      const company = `table_name = 'company'::regclass`;
      for (let move = 0; move < MOVES; move++) {
        await writers.acceptMore(20);
        const [shard] = await cluster.query<{ id: number; port: number }>(
          `select shardid as id, nodeport as port from citus_shards where ${company} order by random() limit 1`,
        );
        const ports = cluster.workers.map(({ url }) => Number(new URL(url).port));
        const target = ports.find((port) => port !== shard!.port);
        await cluster.query(
          `select citus_move_shard_placement(${shard!.id}, '127.0.0.1', ${shard!.port}, '127.0.0.1', ${target}, shard_transfer_mode => 'force_logical')`,
        );
      }
      await cluster.addWorker();
      await cluster.query(`select rebalance_table_shards('company')`);
      await writers.acceptMore(20);
      await writers.stop();
      const placed = await cluster.query<{ shards: number }>(
        `select count(*)::int as shards from citus_shards where ${company} group by nodeport order by 1`,
      );
      accepted.push(...writers.accepted);
      await delivered(cluster);
      const accounts = await expectWhole(cluster, accepted);
      console.log(
        `distributed: ${MOVES} shard groups moved and a worker added, ${accounts} accounts, statuses ${JSON.stringify([...writers.statuses])}`,
      );
      expect(placed.map(({ shards }) => shards)).toEqual([1, 1, 2]);
      expect([...writers.statuses.keys()].filter((status) => status !== 201 && status !== 503)).toEqual([]);
      const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
      expect(ids).toHaveLength(3 * accounts);
      expect(new Set(ids).size).toBe(ids.length);
    });

    it('after kills of workers, the coordinator and gateways every account has its sync, events, deliveries and entry in the audit log, once', async () => {
      const writers = startWriters(gateways, key, companies, WRITERS);
      const killed = { worker: 0, coordinator: 0, gateway: 0 };
      for (let kill = 0; kill < KILLS; kill++) {
        await writers.acceptMore(20);
        await setTimeout(Math.random() * 200);
        // Each run has a kill of the coordinator, which leaves transactions prepared that nobody decides before its next recovery.
        const party = kill === 0 ? 'coordinator' : (['worker', 'coordinator', 'gateway'] as const)[randomInt(3)]!;
        killed[party]++;
        if (party === 'gateway') {
          const index = randomInt(gateways.length);
          await gateways[index]!.end('SIGKILL');
          gateways[index] = await program.start(settings);
        } else {
          const node = party === 'coordinator' ? cluster.coordinator : cluster.workers[randomInt(cluster.workers.length)]!;
          node.signal('SIGKILL');
          await setTimeout(Math.random() * 500);
          node.start();
        }
      }
      await writers.acceptMore(20);
      await writers.stop();
      accepted.push(...writers.accepted);
      await cluster.decided();
      await releaseDeliveries(cluster);
      await delivered(cluster);
      const accounts = await expectWhole(cluster, accepted);
      console.log(
        `distributed: killed ${JSON.stringify(killed)}, ${accounts} accounts, ${accepted.length} of them accepted, statuses ${JSON.stringify([...writers.statuses])}, reads at once ${JSON.stringify([...read])}`,
      );
      expect(read.get(404)).toBeUndefined();
      expect([...writers.statuses.keys()].filter((status) => status !== 201 && status !== 503)).toEqual([]);
      expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(3 * accounts);
    });
  },
);

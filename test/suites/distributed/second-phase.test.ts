// A worker is lost between the two phases of a commit: what follows from a write goes out once its record can be read, to webhooks, streams, feeds and jobs.
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CommitGate, openCommitGate } from '../../support/commit-gate.ts';
import { type DistributedCluster, notDistributed, startDistributed } from '../../support/distributed.ts';
import { call, issueKey, program, type RunningProgram } from '../../support/program.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { connectWithKey } from '../../support/subscriber.ts';

/** Each waits for the coordinator, which looks once a minute. */
const ROUNDS = Math.min(Number(process.env.SUITE_ROUNDS ?? 1), 3);
const AWAY_MS = 500;
/** Longer than the coordinator takes to look for transactions that nobody has carried out. */
const WAIT = { timeout: 90_000, interval: 20 };

describe.skipIf(notDistributed)(
  `between the two phases of a commit (${notDistributed ?? 'with Citus'})`,
  { timeout: 120_000 + ROUNDS * 90_000 },
  () => {
    let cluster: DistributedCluster;
    let gate: CommitGate;
    let receiver: Receiver;
    let gateway: RunningProgram;
    let key: string;
    /** A company on the worker behind the gate, and one on the other worker. */
    let lost: number;
    let other: number;

    const send = (method: string, path: string, body?: unknown) => call(gateway.origin, key, method, path, body);
    const base = (company: number): string => `/v4/core/companies/${company}`;
    const numberOf = (id: string): number => Number(id.split('_')[1]);
    const graphql = async (query: string, variables = {}) => (await send('POST', '/graphql', { query, variables })).body;

    /** The statuses of the first read after each event of an account, by how the event came and by the account. */
    const read = { webhook: new Map<number, number>(), feed: new Map<number, number>() };
    /** The accounts that the stream had with their record, and without. */
    const streamed = new Map<number, unknown>();
    const changed = new Set<number>();
    const ended = new AbortController();
    let following: Promise<unknown>;

    const noteRead = async (seen: Map<number, number>, company: number, id: number): Promise<void> => {
      seen.set(id, (await send('GET', `${base(company)}/accounts/${id}`)).status);
    };

    async function followFeed(): Promise<void> {
      let after: unknown = null;
      const query =
        'query ($after: String) { eventFeed(after: $after) { nodes { dataModel subjectId companyId } pageInfo { endCursor } } }';
      while (!ended.signal.aborted) {
        const page = (await graphql(query, { after })).data?.eventFeed;
        for (const { dataModel, subjectId, companyId } of page?.nodes ?? [])
          if (dataModel === 'ACCOUNT') await noteRead(read.feed, companyId, numberOf(subjectId));
        after = page?.pageInfo.endCursor ?? after;
        await setTimeout(20);
      }
    }

    async function followChanges(): Promise<void> {
      let after: unknown = null;
      const query =
        'query ($id: ID!, $after: String) { company(id: $id) { changes(after: $after) { nodes { ledgerId } pageInfo { endCursor } } } }';
      while (!ended.signal.aborted) {
        const page = (await graphql(query, { id: `company_${lost}`, after })).data?.company?.changes;
        for (const { ledgerId } of page?.nodes ?? []) changed.add(ledgerId);
        after = page?.pageInfo.endCursor ?? after;
        await setTimeout(20);
      }
    }

    async function followStream(): Promise<void> {
      const query = 'subscription { recordChanged(type: [ACCOUNT]) { nodeId node { ... on Account { name } } } }';
      const changes = connectWithKey(gateway.origin, key).iterate<{ recordChanged: { nodeId: string; node: unknown } }>({ query });
      for await (const { data } of changes) if (data) streamed.set(numberOf(data.recordChanged.nodeId), data.recordChanged.node);
    }

    beforeAll(async () => {
      cluster = await startDistributed(2);
      receiver = await startReceiver(({ body }, response) => {
        response.writeHead(200).end();
        const { data_model, company_id, data } = JSON.parse(body);
        if (data_model === 'ACCOUNT') void noteRead(read.webhook, company_id, data.ledger_id);
      });
      const settings = { ...cluster.settings, WEBHOOK_ALLOW_PRIVATE: 'true' };
      const first = await program.start(settings);
      gateway = first;
      key = await issueKey(first.origin, ['PLATFORM', 'INTEGRATIONS']);
      for (let index = 0; index < 8; index++) await send('POST', '/v4/core/companies', { data: { name: `Company ${index}` } });
      const query = 'mutation ($url: URL!) { createWebhook(input: { url: $url, topics: [DATA_MODEL_CHANGES] }) { webhook { id } } }';
      await graphql(query, { url: receiver.url });
      await first.end('SIGTERM');
      await cluster.distribute();
      const places = await cluster.query<{ company: number; port: number }>(
        `select company_id as company, nodeport as port from (select ledger_id::int as company_id from company) c, citus_shards where shardid = get_shard_id_for_distribution_column('company', company_id)`,
      );
      const { port } = places[0]!;
      lost = places[0]!.company;
      other = places.find((place) => place.port !== port)!.company;
      gate = await openCommitGate(port);
      await cluster.query(`select citus_update_node(nodeid, '127.0.0.1', ${gate.port}) from pg_dist_node where nodeport = ${port}`);
      gateway = await program.start(settings);
      following = Promise.all([followFeed(), followChanges()]);
      // It ends with the gateway.
      followStream().catch(() => {});
      await setTimeout(1_000);
    }, 240_000);

    afterAll(async () => {
      ended.abort();
      await following;
      await gateway?.end('SIGKILL');
      gate?.close();
      await receiver?.stop();
      cluster?.remove();
    });

    /** Creates an account, and returns its number from the event. The worker may be lost before the record is read for the response. */
    const create = async (company: number): Promise<number> => {
      expect([201, 503]).toContain((await send('POST', `${base(company)}/accounts`, { data: { name: 'Written' } })).status);
      const [event] = await cluster.query<{ id: string }>(
        `select subject_id as id from event where data_model = 'ACCOUNT' and company_id = ${company} order by commit_order desc limit 1`,
      );
      return numberOf(event!.id);
    };

    it('an event goes out once its record can be read, those of other workers do not wait, and feeds of changes pass nothing by', async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const isLost = gate.loseNextCommit();
        const id = await create(lost);
        await isLost;
        const next = await create(other);
        await expect.poll(() => read.webhook.get(next), WAIT).toBe(200);
        await setTimeout(AWAY_MS);
        gate.open();
        const seen = () => [read.webhook.get(id), read.feed.get(id), streamed.get(id), changed.has(id)];
        await expect.poll(seen, WAIT).toEqual([200, 200, { name: 'Written' }, true]);
      }
    });

    it('a job waits for the rows that it works on', async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const isLost = gate.loseNextCommit();
        const { body } = await send('PUT', `${base(lost)}/items?run_async=true`, { data: [{ platform_id: `i${round}`, name: 'Item' }] });
        await isLost;
        await setTimeout(AWAY_MS);
        gate.open();
        const state = async () => (await send('GET', `/v4/core/syncs/${body.data.sync_id}`)).body.data?.status;
        await expect.poll(state, WAIT).toBe('SUCCESS');
      }
    });
  },
);

// Gateways behind PgBouncer in transaction mode: second starts, time limits, subscriptions that hear everything, and restarts of the pooler under load.
import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Cluster, serverBinaries, startCluster } from '../support/cluster.ts';
import { serverUrl } from '../support/gateway.ts';
import { type Pooler, poolerProgram, startPooler } from '../support/pooler.ts';
import { call, issueKey, type ProgramResponse, program, type RunningProgram } from '../support/program.ts';
import { onDatabase } from '../support/server.ts';
import { closeClients, connectWithKey } from '../support/subscriber.ts';

const ROUNDS = Number(process.env.SUITE_ROUNDS ?? 1);
const EVENTS = 50;
const WRITERS = 4;
/** A pooler that ignores what it does not support lets a start through, which must be noticed all the same. */
const IGNORES = 'ignore_startup_parameters = extra_float_digits,options';

const file = poolerProgram();
const binaries = serverBinaries();
const isWanted = Boolean(serverUrl || process.env.SUITE_ROUNDS);
const missing = [...(file ? [] : ['pgbouncer']), ...(binaries ? [] : ['initdb'])];
const reason = missing.length > 0 ? `not run: ${missing.join(' and ')} not installed` : 'needs DATABASE_URL';

describe.skipIf(!isWanted || missing.length > 0)(`gateways behind a pooler (${reason})`, { timeout: 120_000 + ROUNDS * 60_000 }, () => {
  let cluster: Cluster;
  let pooler: Pooler;
  let settings: Record<string, string>;
  const running: RunningProgram[] = [];
  closeClients();

  const start = async (): Promise<RunningProgram> => {
    const gateway = await program.start(settings);
    running.push(gateway);
    return gateway;
  };

  beforeAll(async () => {
    cluster = await startCluster(binaries!);
    pooler = await startPooler(file!, cluster.url);
    settings = { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: cluster.url, DATABASE_POOL_MAX: '20', LOG_LEVEL: 'info' };
    await start();
  }, 120_000);

  afterAll(async () => {
    for (const gateway of running) await gateway.end('SIGKILL');
    await pooler?.remove();
    cluster?.remove();
  });

  const corporation = (origin: string, key: string, name: string): Promise<ProgramResponse> =>
    call(origin, key, 'POST', '/api/v1/corporations', { legal_name: name, jurisdiction: 'GB' });

  it('a start through a pooler without DATABASE_DIRECT_URL is rejected and says what to set', async () => {
    const permissive = await startPooler(file!, cluster.url, [IGNORES]);
    for (const url of [pooler.url, permissive.url])
      await expect(program.start({ DATABASE_URL: url })).rejects.toThrow(/connection pooler in transaction mode. Set DATABASE_DIRECT_URL/);
    await permissive.remove();
  });

  it('DATABASE_DIRECT_URL must reach the server itself, and the same database', async () => {
    await expect(program.start({ ...settings, DATABASE_DIRECT_URL: pooler.url })).rejects.toThrow(/DATABASE_DIRECT_URL/);
    const other = { ...settings, DATABASE_DIRECT_URL: onDatabase(cluster.url, 'template1') };
    await expect(program.start(other)).rejects.toThrow('lead to different servers or databases');
  });

  it('any number of gateways start one after the other, and say that they found a pooler', async () => {
    const second = await start();
    const third = await start();
    const key = await issueKey(second.origin, ['PLATFORM']);
    expect((await corporation(third.origin, key, 'Third')).status).toBe(200);
  });

  it('time limits hold in transactions through a pooler', async () => {
    const [{ origin }] = running as [RunningProgram];
    const key = await issueKey(origin, ['PLATFORM'], 'Locked');
    const { body } = await corporation(origin, key, 'Locked');
    const holder = new Client({ connectionString: cluster.url });
    await holder.connect();
    await holder.query('begin; lock table corporation in access exclusive mode');
    // Without limits these two would wait for as long as the lock is held, which is until they have responses.
    const read = await call(origin, key, 'GET', `/api/v1/corporations/${body.data.id}`);
    const write = await corporation(origin, key, 'Waiting');
    await holder.query('rollback');
    await holder.end();
    expect([read.status, write.status]).toEqual([503, 503]);
    expect((await corporation(origin, key, 'Unlocked')).status).toBe(200);
  });

  it('subscriptions hear every event of another gateway', async () => {
    const [here, there] = running as [RunningProgram, RunningProgram];
    for (let round = 0; round < ROUNDS; round++) {
      const key = await issueKey(here.origin, ['PLATFORM'], `Streaming ${round}`);
      const heard = new Set<string>();
      const stream = connectWithKey(there.origin, key).iterate<{ eventStream: { data: { legal_name?: string; legalName?: string } } }>({
        query: 'subscription { eventStream(topics: [CORPORATIONS_CREATED]) { data } }',
      });
      const hearing = (async () => {
        for await (const { data } of stream) {
          const { legal_name, legalName } = data!.eventStream.data;
          heard.add((legal_name ?? legalName)!);
          if (heard.has('last')) return;
        }
      })();
      // A subscription does not acknowledge its start, so changes are made until one arrives.
      while (heard.size === 0) {
        await corporation(here.origin, key, 'first');
        await setTimeout(50);
      }
      const names = Array.from({ length: EVENTS }, (_, index) => `event ${index}`);
      await Promise.all(names.map((name) => corporation(here.origin, key, name)));
      await corporation(here.origin, key, 'last');
      await hearing;
      expect(names.filter((name) => !heard.has(name))).toEqual([]);
      console.log(`pooler: ${names.length} of ${names.length} events heard`);
    }
  });

  it('while the pooler restarts callers are notified when to retry, and nothing acknowledged is lost', async () => {
    const [{ origin }] = running as [RunningProgram];
    const key = await issueKey(origin, ['PLATFORM'], 'Restarted');
    const acknowledged: string[] = [];
    const wrong: string[] = [];
    let refused = 0;
    let isOver = false;
    const load = Promise.all(
      Array.from({ length: WRITERS }, async (_, writer) => {
        for (let turn = 0; !isOver; turn++) {
          const name = `writer ${writer} ${turn}`;
          const response = await corporation(origin, key, name);
          if (response.status === 200) acknowledged.push(name);
          else if (response.status === 503 && Number(response.headers.get('retry-after')) > 0) {
            refused++;
            await setTimeout(20);
          } else wrong.push(`${response.status} ${response.text.slice(0, 200)}`);
        }
      }),
    );
    for (let round = 0; round < ROUNDS; round++) {
      for (const goal = acknowledged.length + 20; acknowledged.length < goal; ) await Promise.race([load, setTimeout(10)]);
      await pooler.restart();
      for (const goal = acknowledged.length + 20; acknowledged.length < goal; ) await Promise.race([load, setTimeout(10)]);
    }
    isOver = true;
    await load;
    const client = new Client({ connectionString: cluster.url });
    await client.connect();
    const { rows } = await client.query<{ name: string }>(`select legal_name as name from corporation where legal_name like 'writer %'`);
    await client.end();
    const stored = new Set(rows.map(({ name }) => name));
    console.log(`pooler: ${acknowledged.length} writes acknowledged, ${refused} rejected in ${ROUNDS} restarts`);
    expect(wrong).toEqual([]);
    expect(acknowledged.filter((name) => !stored.has(name))).toEqual([]);
  });

  it('a session that another client of the pooler has changed changes no response', async () => {
    const [{ origin }] = running as [RunningProgram];
    const key = await issueKey(origin, ['PLATFORM'], 'Shared');
    const { body } = await corporation(origin, key, 'Shared');
    const path = `/api/v1/corporations/${body.data.id}`;
    const before = await call(origin, key, 'GET', path);
    expect(before.status).toBe(200);
    const others = Array.from({ length: 5 }, () => new Client({ connectionString: pooler.url }));
    for (const client of others) {
      await client.connect();
      await client.query(`begin; set TimeZone = 'Asia/Tokyo'; set DateStyle = 'SQL, DMY'`);
    }
    for (const client of others) {
      await client.query('commit');
      await client.end();
    }
    expect((await call(origin, key, 'GET', path)).body.data).toEqual(before.body.data);
  });
});

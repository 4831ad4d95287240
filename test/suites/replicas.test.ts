// Two gateways read from two streaming replicas that are paused, stopped, frozen, killed and promoted under load. Callers always read their own
// writes, and no request fails.
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { type Cluster, serverBinaries, startCluster } from '../support/cluster.ts';
import { serverUrl } from '../support/gateway.ts';
import { metricsOf } from '../support/metrics.ts';
import { call, issueKey, PROGRAM_ADMIN, type ProgramResponse, program, type RunningProgram } from '../support/program.ts';
import { runOnServer } from '../support/server.ts';

const ROUNDS = Number(process.env.SUITE_ROUNDS ?? 1);
const CALLERS = 4;
/** How long each disturbance lasts, and the load before it. */
const LASTS_MS = 1_500;

/** What happens to a replica under load. Each ends with a replica that can serve again. */
const disturbances: Record<string, (replica: Cluster) => Promise<void>> = {
  async paused(replica) {
    await runOnServer(replica.url, 'select pg_wal_replay_pause()');
    await setTimeout(LASTS_MS);
    await runOnServer(replica.url, 'select pg_wal_replay_resume()');
  },
  async stopped(replica) {
    replica.stop('fast');
    await setTimeout(LASTS_MS);
    replica.start();
  },
  async frozen(replica) {
    replica.signal('SIGSTOP');
    await setTimeout(LASTS_MS);
    replica.signal('SIGCONT');
  },
  async killed(replica) {
    replica.signal('SIGKILL');
    await setTimeout(LASTS_MS);
    replica.start();
  },
};

/** What the callers of a load saw. */
interface Seen {
  reads: number;
  stale: string[];
  errors: string[];
}

/** One kind of read of an account, and the name it found; null without one. */
type NameOf = (origin: string, company: number, id: number, headers: Record<string, string>) => Promise<[ProgramResponse, string | null]>;

const readers = (key: string): NameOf[] => [
  async (origin, company, id, headers) => {
    const response = await call(origin, key, 'GET', `/v4/core/companies/${company}/accounts/${id}`, undefined, headers);
    return [response, response.status === 404 ? null : response.body?.data?.name];
  },
  async (origin, company, id, headers) => {
    const query = 'query ($company: ID!, $id: ID!) { company(id: $company) { account(ledgerId: $id) { name } } }';
    const response = await call(origin, key, 'POST', '/graphql', { query, variables: { company, id } }, headers);
    const { data, errors } = response.body ?? {};
    const isFailed = errors && errors[0].extensions.code !== 'RECORD_NOT_FOUND';
    return [isFailed ? { ...response, status: 500 } : response, data?.company?.account?.name ?? null];
  },
];

/** Writes and reads at once, each time on another gateway and endpoint, until it is over. */
async function load(origins: string[], key: string, caller: number, seen: Seen, isOver: () => boolean): Promise<void> {
  const one = (turn: number): string => origins[turn % origins.length]!;
  const expectOk = (response: ProgramResponse, what: string): void => {
    if (response.status >= 300 || response.body?.errors) seen.errors.push(`${what}: ${response.status} ${response.text.slice(0, 200)}`);
  };
  const nameOf = readers(key);
  for (let turn = caller; !isOver(); turn++) {
    const check = async (expected: string | null, what: string, headers: Record<string, string> = {}): Promise<void> => {
      for (const [at, read] of nameOf.entries()) {
        const [response, found] = await read(one(turn + at + 1), company, id, headers);
        seen.reads++;
        if (response.status >= 500 || response.status === 429) expectOk(response, `read after ${what}`);
        else if (found !== expected)
          seen.stale.push(`${what} by ${at === 0 ? 'REST' : 'GraphQL'}: ${response.status} ${found}, not ${expected}`);
      }
    };
    const made = await call(one(turn), key, 'POST', '/v4/core/companies', { data: { name: `Company ${caller} ${turn}` } });
    expectOk(made, 'company');
    const company: number = made.body.data?.ledger_id;
    const created = await call(one(turn + 1), key, 'POST', `/v4/core/companies/${company}/accounts`, { data: { name: 'created' } });
    expectOk(created, 'create');
    const id: number = created.body?.data?.data?.ledger_id;
    if (id === undefined) throw new Error(seen.errors.at(-1) ?? created.text);
    await check('created', 'create');
    const query =
      'mutation ($company: ID!, $id: ID!) { updateAccount(input: { companyId: $company, id: $id, name: "updated" }) { syncId } }';
    const updated = await call(one(turn), key, 'POST', '/graphql', { query, variables: { company, id } });
    expectOk(updated, 'update');
    await check('updated', 'update');
    const token = updated.headers.get('x-consistency-token');
    if (token === null) seen.errors.push('update: no token');
    else await check('updated', 'update with its token', { 'X-Consistency-Token': token });
    const deleted = await call(one(turn + 1), key, 'DELETE', `/v4/core/companies/${company}/accounts/${id}`);
    expectOk(deleted, 'delete');
    await check(null, 'delete');
  }
}

/** Two write accounts of a company, and a third follows its changes, each time on another gateway. What the feed never showed was missed. */
async function followChanges(origins: string[], key: string, seen: Seen, isOver: () => boolean): Promise<void> {
  const one = (turn: number): string => origins[turn % origins.length]!;
  const made = await call(one(0), key, 'POST', '/v4/core/companies', { data: { name: 'Followed' } });
  const base = `/v4/core/companies/${made.body.data.ledger_id}`;
  const [written, shown] = [new Set<string>(), new Set<string>()];
  const write = async (writer: number): Promise<void> => {
    for (let turn = writer; !isOver(); turn++) {
      const name = `${writer}-${turn}`;
      const { status, text } = await call(one(turn), key, 'POST', `${base}/accounts`, { data: { platform_id: name, name } });
      if (status < 300) written.add(name);
      else seen.errors.push(`followed write: ${status} ${text.slice(0, 200)}`);
    }
  };
  let isWritten = false;
  const follow = async (): Promise<void> => {
    let after = '';
    for (let turn = 0; ; turn++) {
      const isLast = isWritten;
      const { status, text, body } = await call(one(turn), key, 'GET', `${base}/changes?after=${after}`);
      if (status >= 300) {
        seen.errors.push(`changes: ${status} ${text.slice(0, 200)}`);
        return;
      }
      for (const { platform_id } of body.data as { platform_id: string }[]) shown.add(platform_id);
      after = body.pagination.next;
      if (body.pagination.has_more) continue;
      if (isLast) return;
      await setTimeout(20);
    }
  };
  const writing = Promise.all([write(0), write(1)]).then(() => {
    isWritten = true;
  });
  await Promise.all([writing, follow()]);
  const missed = [...written].filter((name) => !shown.has(name));
  console.log(`replicas: ${written.size} records followed, ${missed.length} missed`);
  seen.stale.push(...missed.map((name) => `the feed has missed ${name}`));
}

/** The sums over all gateways of a metric, by the text that its pattern captures. */
async function sumsOf(origins: string[], metric: RegExp): Promise<Map<string, number>> {
  const sums = new Map<string, number>();
  for (const origin of origins) {
    const text = await metricsOf(origin, PROGRAM_ADMIN);
    for (const [, label, count] of text.matchAll(metric)) sums.set(label!, (sums.get(label!) ?? 0) + Number(count));
  }
  return sums;
}

/** Number of reads by where they ran. */
const readsBy = (origins: string[]): Promise<Map<string, number>> => sumsOf(origins, /^gateway_reads_total\{target="([^"]+)"\} (\d+)/gm);

/** Number of requests that took longer than a second, as the gateways measured: this process does nothing else while it starts a server. */
async function slowRequests(origins: string[]): Promise<number> {
  const counts = await sumsOf(origins, /^gateway_request_duration_seconds_(count|bucket\{le="1",)[^ ]* (\d+)/gm);
  return counts.get('count')! - counts.get('bucket{le="1",')!;
}

async function outlive(binaries: string): Promise<void> {
  const clusters: Cluster[] = [];
  const running: RunningProgram[] = [];
  let isOver = false;
  try {
    const primary = await startCluster(binaries);
    clusters.push(primary);
    const replicas = [await startCluster(binaries, primary), await startCluster(binaries, primary)];
    clusters.push(...replicas);
    const settings = { DATABASE_URL: primary.url, DATABASE_REPLICA_URLS: replicas.map(({ url }) => url).join(), LOG_LEVEL: 'warn' };
    for (let gateway = 0; gateway < 2; gateway++) running.push(await program.start(settings));
    const origins = running.map(({ origin }) => origin);
    const key = await issueKey(origins[0]!, ['INTEGRATIONS']);
    const seen: Seen = { reads: 0, stale: [], errors: [] };
    const callers = Promise.all([
      ...Array.from({ length: CALLERS }, (_, caller) => load(origins, key, caller, seen, () => isOver)),
      followChanges(origins, key, seen, () => isOver),
    ]);
    const served = async (replica: Cluster, since: number): Promise<boolean> =>
      ((await readsBy(origins)).get(new URL(replica.url).host) ?? 0) > since;
    const untilServes = async (replica: Cluster): Promise<void> => {
      const since = (await readsBy(origins)).get(new URL(replica.url).host) ?? 0;
      while (!(await served(replica, since))) await Promise.race([callers, setTimeout(20)]);
    };
    const report = (what: string, start: number): void => {
      console.log(
        `replicas: ${what}, ${seen.reads} reads, ${seen.stale.length} stale, ${seen.errors.length} errors, ${Math.round(performance.now() - start)} ms until it served again`,
      );
    };
    for (let round = 0; round < ROUNDS; round++) {
      for (const [name, disturb] of Object.entries(disturbances)) {
        const replica = replicas[round % 2]!;
        await untilServes(replica);
        await disturb(replica);
        const start = performance.now();
        await untilServes(replica);
        report(name, start);
      }
      for (const replica of replicas) replica.stop('immediate');
      await setTimeout(LASTS_MS);
      const start = performance.now();
      for (const replica of replicas) replica.start();
      for (const replica of replicas) await untilServes(replica);
      report('both killed', start);
    }
    const [promoted, remaining] = replicas as [Cluster, Cluster];
    promoted.promote();
    const start = performance.now();
    await setTimeout(LASTS_MS);
    const before = (await readsBy(origins)).get(new URL(promoted.url).host);
    await untilServes(remaining);
    await setTimeout(LASTS_MS);
    expect((await readsBy(origins)).get(new URL(promoted.url).host)).toBe(before);
    isOver = true;
    await callers;
    report('one promoted', start);
    console.log(
      `replicas: ${await slowRequests(origins)} requests took longer than a second; reads by place ${JSON.stringify(Object.fromEntries(await readsBy(origins)))}`,
    );
    expect(seen.stale).toEqual([]);
    expect(seen.errors).toEqual([]);
  } finally {
    isOver = true;
    for (const gateway of running) await gateway.end('SIGKILL');
    for (const cluster of clusters.reverse()) cluster.remove();
  }
}

const binaries = serverBinaries();
it.skipIf(!serverUrl && !(process.env.SUITE_ROUNDS && binaries))(
  'callers read their own writes whatever happens to the replicas, on both endpoints and across processes (needs DATABASE_URL and the programs of a server)',
  { timeout: 240_000 + ROUNDS * 120_000 },
  async () => {
    expect(binaries, 'initdb and pg_basebackup of a PostgreSQL').not.toBeNull();
    await outlive(binaries!);
  },
);

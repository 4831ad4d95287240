// The database is stopped, restarted and frozen under load. In the meantime callers are asked to retry; afterwards everything acknowledged is
// stored, and our process continues without a restart.
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { type Cluster, serverBinaries, startCluster } from '../support/cluster.ts';
import { serverUrl } from '../support/gateway.ts';
import { metricsOf } from '../support/metrics.ts';
import { call, issueKey, PROGRAM_ADMIN, type ProgramResponse, program, type RunningProgram } from '../support/program.ts';

const ROUNDS = Number(process.env.SUITE_ROUNDS ?? 1);
const WRITERS = 6;
const POOL = 5;

/** The kinds of outage under load; `rejected` waits until every writer has had this many rejections. */
const outages: Record<string, (cluster: Cluster, refused: (count: number) => Promise<void>) => Promise<void>> = {
  async stopped(cluster, refused) {
    cluster.stop('immediate');
    await refused(3);
    cluster.start();
  },
  async restarted(cluster) {
    cluster.stop('fast');
    cluster.start();
  },
  async frozen(cluster, refused) {
    cluster.signal('SIGSTOP');
    await refused(1);
    cluster.signal('SIGCONT');
  },
};

/** One write on each surface that stores records. */
const endpoints = ['/api/v1/corporations', '/graphql', 'integrations'] as const;

async function write(
  origin: string,
  key: string,
  company: number,
  name: string,
  endpoint: (typeof endpoints)[number],
): Promise<ProgramResponse> {
  if (endpoint === '/api/v1/corporations') return call(origin, key, 'POST', endpoint, { legal_name: name, jurisdiction: 'GB' });
  if (endpoint === 'integrations')
    return call(origin, key, 'POST', `/v4/core/companies/${company}/accounts`, { data: { platform_id: name, name } });
  const query = 'mutation ($name: String!) { createCorporation(input: { legalName: $name, jurisdiction: "GB" }) { corporation { id } } }';
  return call(origin, key, 'POST', endpoint, { query, variables: { name } });
}

/** A rejection says that the database is unavailable and when to retry, in the body of its surface. */
function expectRefusal({ status, headers, body }: ProgramResponse, endpoint: (typeof endpoints)[number]): void {
  if (body.errors) {
    const { extensions } = body.errors[0];
    expect(extensions).toMatchObject({ code: 'SERVICE_UNAVAILABLE', requestId: headers.get('x-request-id') });
    expect(extensions.retryAfterSeconds).toBeGreaterThan(0);
    // Errors of an operation come with status 200; errors before it, for example when a key cannot be looked up, do not.
    if (status === 200) return;
  }
  expect(status).toBe(503);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  if (endpoint === '/api/v1/corporations') expect(body.error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', status: 503 });
  if (endpoint === 'integrations') {
    const { error } = body;
    expect(error).toMatchObject({
      error_code: 'SERVICE_UNAVAILABLE',
      status_code: 503,
      retry_after_seconds: Number(headers.get('retry-after')),
    });
    expect(Date.parse(error.retry_at) - Date.parse(error.timestamp)).toBe(error.retry_after_seconds * 1_000);
  }
}

const connectionsOf = async (origin: string, state: string): Promise<number> =>
  Number(new RegExp(`gateway_database_connections\\{state="${state}"\\} (\\d+)`).exec(await metricsOf(origin, PROGRAM_ADMIN))![1]);

async function outlive(binaries: string): Promise<void> {
  const cluster = await startCluster(binaries);
  let running: RunningProgram | undefined;
  let isOver = false;
  try {
    running = await program.start({ DATABASE_URL: cluster.url, DATABASE_POOL_MAX: String(POOL) });
    const { origin } = running;
    const key = await issueKey(origin, ['PLATFORM', 'INTEGRATIONS']);
    const company = (await call(origin, key, 'POST', '/v4/core/companies', { data: { name: 'Outage' } })).body.data.ledger_id;
    const acknowledged: string[] = [];
    let sent = 0;
    const refusals = Array<number>(WRITERS).fill(0);
    const refused = (): number => refusals.reduce((sum, count) => sum + count, 0);
    const load = Promise.all(
      refusals.map(async (_, writer) => {
        while (!isOver) {
          const endpoint = endpoints[sent % endpoints.length]!;
          const name = `${endpoint === 'integrations' ? 'account' : 'corporation'} ${sent++}`;
          const response = await write(origin, key, company, name, endpoint);
          if (response.status < 300 && !response.body.errors) acknowledged.push(name);
          else {
            expectRefusal(response, endpoint);
            refusals[writer]!++;
            await setTimeout(20);
          }
        }
      }),
    );
    const until = (holds: () => boolean) => async (): Promise<void> => {
      while (!holds()) await Promise.race([load, setTimeout(10)]);
    };
    for (let round = 0; round < ROUNDS; round++) {
      for (const [name, outage] of Object.entries(outages)) {
        const before = { acknowledged: acknowledged.length, refusals: [...refusals], refused: refused() };
        await until(() => acknowledged.length > before.acknowledged + 20)();
        const start = performance.now();
        await outage(cluster, (count) => until(() => refusals.every((seen, writer) => seen >= before.refusals[writer]! + count))());
        const now = acknowledged.length;
        await until(() => acknowledged.length > now + 20)();
        console.log(
          `database-outage: ${name}, ${refused() - before.refused} refused, ${acknowledged.length - before.acknowledged} acknowledged, ${Math.round(performance.now() - start)} ms until twenty more`,
        );
      }
    }
    isOver = true;
    await load;
    const stored = new Set<string>();
    for (let cursor: string | null = null; ; ) {
      const page: ProgramResponse = await call(origin, key, 'POST', '/graphql', {
        query:
          'query ($after: String) { corporations(first: 100, after: $after) { nodes { legalName } pageInfo { hasNextPage endCursor } } }',
        variables: { after: cursor },
      });
      const { nodes, pageInfo } = page.body.data.corporations;
      for (const { legalName } of nodes) stored.add(legalName);
      cursor = pageInfo.endCursor;
      if (!pageInfo.hasNextPage) break;
    }
    for (let next: string | null = ''; next !== null; ) {
      const page: ProgramResponse = await call(
        origin,
        key,
        'GET',
        `/v4/core/companies/${company}/accounts?limit=100${next && `&next=${next}`}`,
      );
      const { data, pagination } = page.body;
      for (const { platform_id } of data) stored.add(platform_id);
      next = pagination.next;
    }
    expect(acknowledged.filter((name) => !stored.has(name))).toEqual([]);
    expect((await fetch(`${origin}/readyz`)).status).toBe(200);
    const open = await connectionsOf(origin, 'open');
    expect(open).toBeLessThanOrEqual(POOL);
    // The work in the background uses one now and then.
    while ((await connectionsOf(origin, 'waiting')) > 0 || (await connectionsOf(origin, 'idle')) < open) await setTimeout(50);
    console.log(
      `database-outage: ${acknowledged.length} writes acknowledged and stored, ${refused()} refused, ${open} of ${POOL} connections open and idle`,
    );
  } finally {
    isOver = true;
    await running?.end('SIGKILL');
    cluster.remove();
  }
}

const binaries = serverBinaries();
it.skipIf(!serverUrl && !(process.env.SUITE_ROUNDS && binaries))(
  'while PostgreSQL is unavailable callers are notified when to retry, and nothing acknowledged is lost (needs DATABASE_URL and the programs of a server)',
  { timeout: 240_000 + ROUNDS * 60_000 },
  async () => {
    expect(binaries, 'initdb and pg_ctl of a PostgreSQL').not.toBeNull();
    await outlive(binaries!);
  },
);

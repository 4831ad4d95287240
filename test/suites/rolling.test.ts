// Three gateways behind HAProxy, which sends nothing twice, are restarted one after the other under load: on their own version, to a version whose
// schema has one more column, and back. No request fails, and no stream misses an event. `npm run suite -- rolling --rounds N` does it N times.
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { packagePath, packageRoot } from '../../src/runtime/package-root.ts';
import { freePort } from '../support/cluster.ts';
import { serverUrl } from '../support/gateway.ts';
import { compiledProgram } from '../support/made.ts';
import { call, issueKey, ownPlace, type Place, program, type RunningProgram } from '../support/program.ts';
import { proxyProgram, startProxy } from '../support/proxy.ts';
import { closeClients, connectWithKey } from '../support/subscriber.ts';

const ROUNDS = Number(process.env.SUITE_ROUNDS ?? 1);
const GATEWAYS = 3;
const CALLERS = 6;
/** The default where rounds are given. The small form drains for four checks of the proxy, which asks every half second. */
const DRAIN_SECONDS = process.env.SUITE_ROUNDS ? '' : '2';

const file = proxyProgram();
const reason = file ? 'needs DATABASE_URL' : 'not run: haproxy not installed';
closeClients();

/** A program whose schema has one more column than that of the checkout. */
let newer: string;
let place: Place;
beforeAll(async () => {
  if (!serverUrl || !file) return;
  place = await ownPlace();
  newer = await mkdtemp(packagePath('node_modules', '.cache', 'newer-'));
  await cp(await compiledProgram(), join(newer, 'dist'), { recursive: true });
  await cp(packagePath('schema'), join(newer, 'schema'), { recursive: true });
  const others = (await readdir(packageRoot)).filter((name) => !['dist', 'schema', 'node_modules'].includes(name) && !name.startsWith('.'));
  for (const name of others) await symlink(packagePath(name), join(newer, name));
  await writeFile(
    join(newer, 'schema', 'migrations', '29990101000000_rolled.sql'),
    '-- Add column company.rolled.\nalter table "company" add "rolled" text null;\n',
  );
}, 60_000);
afterAll(async () => {
  if (newer) await rm(newer, { recursive: true, force: true });
  await place?.remove();
});

/** The exit code of `migrate --check` of a program. */
const checked = (from: string): Promise<number> =>
  new Promise((resolve) => {
    const env = { PATH: process.env.PATH, ...place.settings };
    execFile(process.execPath, [join(from, 'src', 'admin', 'main.js'), 'migrate', '--check'], { env }, (error) =>
      resolve(error ? Number(error.code) : 0),
    );
  });

/** Requests over REST and GraphQL on kept connections, until it is ended; returns what failed. */
function load(origin: string, key: string): { failed: string[]; times: number[]; end: () => Promise<void> } {
  const [failed, times] = [[] as string[], [] as number[]];
  let isOver = false;
  const send = async (what: string, method: string, path: string, body?: unknown) => {
    const began = performance.now();
    try {
      const response = await call(origin, key, method, path, body);
      if (response.status >= 300 || response.body?.errors) failed.push(`${what}: ${response.status} ${response.text.slice(0, 200)}`);
      return response.body;
    } catch (error) {
      failed.push(`${what}: ${(error as Error).message} ${(error as Error & { cause?: Error }).cause?.message}`);
    } finally {
      times.push(performance.now() - began);
    }
  };
  const callers = Array.from({ length: CALLERS }, async (_, caller) => {
    for (let n = 0; !isOver; n++) {
      const name = `caller ${caller}, ${n}`;
      const input = { legalName: name, jurisdiction: 'GB' };
      const query = 'mutation ($input: CreateCorporationInput!) { createCorporation(input: $input) { corporation { id } } }';
      const id =
        n % 2 === 0
          ? (await send('REST write', 'POST', '/api/v1/corporations', { legal_name: name, jurisdiction: 'GB' }))?.data?.id
          : (await send('GraphQL write', 'POST', '/graphql', { query, variables: { input } }))?.data?.createCorporation?.corporation?.id;
      if (!id) continue;
      await send('REST read', 'GET', `/api/v1/corporations/${id}`);
      const read = { query: 'query ($id: ID!) { corporation(id: $id) { id legalName } }', variables: { id } };
      const found = await send('GraphQL read', 'POST', '/graphql', read);
      if (found?.data?.corporation?.legalName !== name) failed.push(`${name} is read as ${JSON.stringify(found)}`);
    }
  });
  return {
    failed,
    times,
    end: async () => {
      isOver = true;
      await Promise.all(callers);
    },
  };
}

/** A stream of events that subscribes again, after the last event, whenever it is closed. */
function stream(origin: string, key: string): { heard: Set<string>; closed: () => number; end: () => Promise<void> } {
  const heard = new Set<string>();
  let [closed, isOver] = [0, false];
  let last: string | null = null;
  let client: ReturnType<typeof connectWithKey> | undefined;
  const query = 'subscription ($last: ID) { eventStream(lastEventId: $last) { id data } }';
  const following = (async () => {
    while (!isOver) {
      client = connectWithKey(origin, key);
      try {
        for await (const { data } of client.iterate<{ eventStream: { id: string; data: { id: string } } }>({
          query,
          variables: { last },
        })) {
          last = data!.eventStream.id;
          heard.add(data!.eventStream.data.id);
        }
      } catch {}
      if (isOver) break;
      closed++;
      await setTimeout(100);
    }
  })();
  return {
    heard,
    closed: () => closed,
    end: async () => {
      isOver = true;
      await client?.dispose();
      await following;
    },
  };
}

it.skipIf(!serverUrl || !file)(
  `rolling restarts of one version, to the next version and back fail no request (${reason})`,
  {
    timeout: 300_000 + ROUNDS * 300_000,
  },
  async () => {
    const ports = await Promise.all(Array.from({ length: GATEWAYS }, freePort));
    const start = (index: number, from: string | undefined, more: Record<string, string> = {}): Promise<RunningProgram> =>
      program.start({ ...place.settings, PORT: String(ports[index]), DRAIN_SECONDS, RATE_LIMIT_PER_MINUTE: '0', ...more }, [], from);
    const running: RunningProgram[] = [];
    for (let index = 0; index < GATEWAYS; index++) running.push(await start(index, undefined));
    const proxy = await startProxy(file!, ports);
    try {
      const key = await issueKey(proxy.origin, ['PLATFORM']);
      const events = stream(proxy.origin, key);
      const until = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
        while (!(await holds())) await setTimeout(100);
      };
      const requests = load(proxy.origin, key);
      await until(() => events.heard.size > 0);
      const first = [...events.heard][0]!;
      const rollTo = async (what: string, from: string | undefined, more?: Record<string, string>): Promise<void> => {
        const [began, before] = [performance.now(), requests.times.length];
        for (let index = 0; index < GATEWAYS; index++) {
          expect(await running[index]!.end('SIGTERM')).toBe(0);
          running[index] = await start(index, from, more);
          await until(async () => (await proxy.up()).length === GATEWAYS);
          const goal = requests.times.length + 20;
          await until(() => requests.times.length >= goal);
        }
        const seconds = ((performance.now() - began) / 1_000).toFixed(0);
        console.log(
          `rolling: ${what}, ${requests.times.length - before} requests in ${seconds} s, ${requests.failed.length} failed so far ${requests.failed.slice(0, 3).join('; ')}`,
        );
      };
      const codes: number[] = [await checked(await compiledProgram()), await checked(join(newer, 'dist'))];
      for (let round = 0; round < ROUNDS; round++) {
        await rollTo('on the same version', undefined, round === 0 ? {} : { DATABASE_ALLOW_NEWER_SCHEMA: 'true' });
        await rollTo('to the next version', join(newer, 'dist'));
        if (round === 0) codes.push(await checked(await compiledProgram()), await checked(join(newer, 'dist')));
        await rollTo('back', undefined, { DATABASE_ALLOW_NEWER_SCHEMA: 'true' });
      }
      await requests.end();
      const client = new Client({ connectionString: place.settings.DATABASE_URL });
      await client.connect();
      const text = `select data->>'id' as id from event where topic = 'CORPORATIONS_CREATED' order by commit_order, id`;
      const wanted = (await client.query<{ id: string }>(text)).rows.map(({ id }) => id);
      await client.end();
      const missed = () => wanted.slice(wanted.indexOf(first)).filter((id) => !events.heard.has(id));
      await vi.waitFor(() => expect(missed()).toEqual([]), { timeout: 30_000 });
      await events.end();
      const sorted = requests.times.toSorted((a, b) => a - b);
      const at = (part: number): string => `${Math.round(sorted[Math.floor(sorted.length * part)]!)} ms`;
      console.log(
        `rolling: ${sorted.length} requests during ${ROUNDS * 3 * GATEWAYS} restarts, ${requests.failed.length} failed, p50 ${at(0.5)}, p99 ${at(0.99)}, longest ${at(0.99999)}; ` +
          `a stream was closed ${events.closed()} times and heard ${events.heard.size} of ${wanted.length - wanted.indexOf(first)} events`,
      );
      expect(requests.failed).toEqual([]);
      expect(codes).toEqual([0, 3, 4, 0]);
    } finally {
      await Promise.all(running.map((each) => each.end('SIGKILL')));
      await proxy.remove();
    }
  },
);

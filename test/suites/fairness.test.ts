// One organisation sends many of the heaviest requests that it may at the same time. Another one reads and writes, is never rejected, and waits for
// none of them.
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { MAX_PAGE } from '../../src/graphql/lists/page-arguments.ts';
import { buildGatewaySchema } from '../../src/graphql/schema.ts';
import type { RecordClass } from '../../src/records/metadata.ts';
import { modelOf, writableProps } from '../../src/records/metadata.ts';
import { snakeCase } from '../../src/records/naming.ts';
import { ledgerRecords, orphanTypes, resolvers } from '../../src/registry.ts';
import { type BackgroundCaller, type RepeatedCall, type SeenResponse, startBackgroundCaller } from '../support/background-caller.ts';
import { call, issueKey, ownPlace, type Place, type ProgramResponse, program, type RunningProgram } from '../support/program.ts';
import { listName, sampleBody } from '../support/records.ts';
import { type Abuse, type AbuseKind, Abuses, abuseKinds } from './abuses.ts';
import type { Call } from './requests.ts';

const ROUNDS = Number(process.env.SUITE_ROUNDS ?? 0);
/** The small form looks at the order of responses and at rejections; the large form measures besides. */
const IS_LARGE = ROUNDS > 0;
const SEED = Number(process.env.SUITE_SEED ?? randomInt(2 ** 31));
/** Requests of the abuser at once, and the part of the largest sizes that each has. */
const AT_ONCE = IS_LARGE ? 50 : 6;
const PART = IS_LARGE ? 1 : 0.1;
/** Records of each type, so that pages are full. */
const RECORDS = IS_LARGE ? 300 : 100;
/** Half of the memory that `deploy/kubernetes` allows, as in a container of that size. */
const HEAP_MB = 768;
/** A command that runs the program, such as a script that puts itself into a control group with that memory and then becomes the program. */
const UNDER = process.env.SUITE_UNDER?.split(' ');

/** What the large form promises: how much slower the other organisation may be at the 99th percentile, and how long nothing else may run. */
const MAX_RATIO = 5;
const MAX_HELD_MS = 100;
const MAX_REFUSAL_BYTES = 65_536;
const PROBE = new URL('../support/loop-probe.ts', import.meta.url).href;
const ROLES = ['INTEGRATIONS', 'PLATFORM', 'GEOCODE', 'ENTITIES'];

let place: Place;
let running: RunningProgram;
let abuser: { key: string; companyId: number };
let other: { key: string; companyId: number };
let background: BackgroundCaller;
let abuses: Abuses;
/** The responses next to nothing. */
let alone: SeenResponse[];

async function company(name: string): Promise<{ key: string; companyId: number }> {
  const key = await issueKey(running.origin, ROLES, name);
  const made = await call(running.origin, key, 'POST', '/v4/core/companies', { data: { name } });
  return { key, companyId: made.body.data.ledger_id };
}

const isOver = ({ body }: ProgramResponse): boolean => body?.data?.endTime != null || body?.data?.end_time != null;

async function ended({ key }: { key: string }, syncId: string): Promise<void> {
  for (;;) {
    const sync = await call(running.origin, key, 'GET', `/v4/core/syncs/${syncId}`);
    if (sync.status !== 200) throw new Error(sync.text);
    if (isOver(sync)) return;
    await sleep(20);
  }
}

/** Fills the company of the abuser: many records of each type, which in the large form name the first of the types before them. */
async function fill(): Promise<void> {
  const first = new Map<string, number>();
  const begun: string[] = [];
  for (const target of ledgerRecords as RecordClass[]) {
    const named = writableProps(target).flatMap((prop): [string, number][] => {
      const number = prop.target && prop.kind !== 'list' ? first.get(modelOf(prop.target()).name) : undefined;
      return number === undefined ? [] : [[snakeCase(prop.name), number]];
    });
    const sample = { ...sampleBody(target), ...Object.fromEntries(named) };
    const data = Array.from({ length: RECORDS }, (_, at) => ({ ...sample, platform_id: `r${at}` }));
    const path = `/v4/core/companies/${abuser.companyId}/${listName(target)}`;
    const batch = await call(running.origin, abuser.key, 'POST', `${path}?run_async=true`, { data });
    if (batch.status >= 300) throw new Error(`${path}: ${batch.text}`);
    begun.push(batch.body.data.sync_id);
    if (!IS_LARGE) continue;
    await ended(abuser, begun.at(-1)!);
    const [one] = (await call(running.origin, abuser.key, 'GET', `${path}?limit=1`)).body.data ?? [];
    if (one) first.set(modelOf(target).name, one.ledger_id);
  }
  for (const id of begun) await ended(abuser, id);
}

beforeAll(async () => {
  place = await ownPlace();
  running = await program.start({ ...place.settings, NODE_OPTIONS: `--max-old-space-size=${HEAP_MB} --import ${PROBE}` }, UNDER);
  [abuser, other] = [await company('Abuser'), await company('Other')];
  await fill();
  const corporation = await call(running.origin, abuser.key, 'POST', '/api/v1/corporations', { legal_name: 'A', jurisdiction: 'GB' });
  abuses = new Abuses(buildGatewaySchema(resolvers, orphanTypes), { ...abuser, corporationId: corporation.body.data.id }, PART);
  const base = `/v4/core/companies/${other.companyId}/accounts`;
  const account = await call(running.origin, other.key, 'POST', base, { data: { name: 'One', platform_id: 'one' } });
  const { ledger_id: id } = account.body.data.data;
  const headers = { api_key: other.key, authorization: `Bearer ${other.key}`, 'content-type': 'application/json' };
  const query = `{ company(id: ${other.companyId}) { account(ledgerId: ${id}) { name } } }`;
  const calls: RepeatedCall[] = [
    { name: 'read', method: 'GET', path: `${base}/${id}`, headers },
    { name: 'read', method: 'POST', path: '/graphql', headers, body: JSON.stringify({ query }) },
    { name: 'write', method: 'PUT', path: `${base}/${id}`, headers, body: JSON.stringify({ data: { name: 'One' } }) },
  ];
  background = startBackgroundCaller(running.origin, calls);
  await responsesDuringLoad(IS_LARGE ? 1_500 : 30);
  alone = await responsesDuringLoad(IS_LARGE ? 3_000 : 60);
}, 300_000);

afterAll(async () => {
  await background.stop();
  await running.end('SIGTERM');
  await place.remove();
});

/** As many responses next to the load as asked for, at least. */
async function responsesDuringLoad(count: number): Promise<SeenResponse[]> {
  const responses = await background.take();
  while (responses.length < count) {
    await sleep(20);
    for (const response of await background.take()) responses.push(response);
  }
  return responses;
}

interface Sent {
  status: number;
  bytes: number;
  /** Bytes of the largest response without data. */
  refusalBytes: number;
  text: string;
}

/** The HTTP status that stands for the errors of an operation. */
const statusOf = (errors: { extensions: { code: string } }[] = []): number =>
  errors.reduce((status, { extensions: { code } }) => Math.max(status, code === 'INTERNAL_ERROR' ? 500 : 400), 200);

/**
 * Sends operations on a WebSocket of their own; a connection that is closed before their end counts as status 0. A subscription ends with its first
 * message, and no two of them are equal, because equal ones share their messages.
 */
function sendOnSocket({ body, operations = 0, change }: Abuse): Promise<Sent> {
  const socket = new WebSocket(`${running.origin.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  const say = (message: object): void => socket.send(JSON.stringify(message));
  const sent: Sent = { status: 200, bytes: 0, refusalBytes: 0, text: '' };
  const open = new Set(Array.from({ length: operations }, (_, at) => String(at)));
  socket.on('open', () => say({ type: 'connection_init', payload: { authorization: `Bearer ${abuser.key}` } }));
  socket.on('message', (data: Buffer) => {
    const { type, id, payload } = JSON.parse(String(data));
    if (type === 'connection_ack') {
      for (const id of open) {
        const variables = change && { variables: { first: MAX_PAGE - randomInt(MAX_PAGE / 2) } };
        say({ type: 'subscribe', id, payload: { ...(body as object), ...variables } });
      }
      if (change) void changing(change);
    }
    if (change && type === 'next') say({ type: 'complete', id });
    if (type === 'ping') say({ type: 'pong' });
    const status = statusOf(type === 'error' ? payload : payload?.errors);
    if (status >= sent.status) Object.assign(sent, { status, text: String(data).slice(0, 300) });
    sent.bytes = Math.max(sent.bytes, data.length);
    // A result may have data and errors of some of its fields.
    if (status >= 400 && !payload?.data) sent.refusalBytes = Math.max(sent.refusalBytes, data.length);
    if ((type === 'error' || type === 'complete' || (change && type === 'next')) && open.delete(id) && open.size === 0) socket.close();
  });
  // Nothing says that a subscription has begun, so changes are made until each has sent one.
  const changing = async (change: Call): Promise<void> => {
    while (open.size > 0 && socket.readyState === WebSocket.OPEN) {
      const { status, text } = await request(change);
      if (status >= 400 && status !== 429) Object.assign(sent, { status, text });
      await sleep(500);
    }
  };
  return new Promise((resolve) => {
    socket.on('error', () => {});
    socket.on('close', (code, reason) => resolve(open.size === 0 ? sent : { ...sent, status: 0, text: `closed: ${code} ${reason}` }));
  });
}

/** Sends a request of the abuser; a lost connection counts as status 0. */
async function send(abuse: Abuse): Promise<Sent> {
  if (abuse.operations) return sendOnSocket(abuse);
  return request(abuse);
}

async function request({ method, path, headers, body, raw, isAnonymous }: Call & { isAnonymous?: boolean }): Promise<Sent> {
  const { key } = abuser;
  try {
    const response = await fetch(running.origin + path, {
      method,
      headers: {
        ...(isAnonymous ? {} : { authorization: `Bearer ${key}`, api_key: key, 'x-service-key': key }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(raw ? { body: raw as never } : body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    let bytes = 0;
    let text = '';
    for await (const part of response.body ?? []) {
      bytes += part.length;
      if (text.length < 300) text += Buffer.from(part).toString('utf8');
    }
    return { status: response.status, bytes, refusalBytes: response.ok ? 0 : bytes, text: text.slice(0, 300) };
  } catch (error) {
    return { status: 0, bytes: 0, refusalBytes: 0, text: String((error as Error).cause ?? error) };
  }
}

/** The longest that one turn of the event loop took since the last call, in milliseconds of CPU. */
async function longestTurn(): Promise<number> {
  const before = running.lines.length;
  process.kill(running.pid, 'SIGUSR2');
  for (;;) {
    const said = running.lines.slice(before).find((line) => line.startsWith('held '));
    if (said) return Number.parseFloat(said.slice('held '.length));
    await sleep(5);
  }
}

const memoryMb = (): number =>
  Math.round(Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${running.pid}/status`, 'utf8'))?.[1]) / 1_024);

/** The time below which a part of the responses came. */
function quantile(responses: readonly SeenResponse[], name: string, part: number): number {
  const times = responses
    .filter((response) => response.name === name)
    .map(({ ms }) => ms)
    .sort((a, b) => a - b);
  return times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0;
}

interface Seen {
  title: string;
  sent: Sent[];
  responses: SeenResponse[];
  heldMs: number;
  ratio: number;
}

/** Responses next to abuses of which the large form takes the 99th percentile. */
const ENOUGH = 300;

/** Sends abuses at once until enough responses next to them have come, and waits for the end of all. */
async function wave(all: readonly Abuse[]): Promise<Seen> {
  await background.take();
  await longestTurn();
  const sent: Sent[] = [];
  const responses: SeenResponse[] = [];
  do {
    sent.push(...(await Promise.all(all.map(send))));
    responses.push(...(await background.take()));
  } while (IS_LARGE && responses.length < ENOUGH);
  const heldMs = await longestTurn();
  const ratio = quantile(responses, 'read', 0.99) / quantile(alone, 'read', 0.99);
  const titles = new Set(all.map(({ title }) => title));
  return { title: titles.size > 1 ? `mixture of ${all.length}` : [...titles][0]!, sent, responses, heldMs, ratio };
}

const round = (value: number): number => Math.round(value * 10) / 10;

function print({ title, sent, responses, heldMs, ratio }: Seen): void {
  const statuses = Object.entries(Object.groupBy(sent, ({ status }) => String(status))).map(([status, of]) => `${of!.length} x ${status}`);
  const largest = Math.max(...sent.map(({ bytes }) => bytes));
  console.log(
    `fairness: ${title.slice(0, 110)}: ${statuses.join(', ')}, up to ${Math.ceil(largest / 1_024)} KB; next to it ${responses.length} responses, ` +
      `read p99 ${round(quantile(responses, 'read', 0.99))} ms (${round(ratio)} times), write p99 ${round(quantile(responses, 'write', 0.99))} ms; ` +
      `loop held ${round(heldMs)} ms of CPU; RSS ${memoryMb()} MB at most`,
  );
}

function expectFair({ title, sent, responses }: Seen): void {
  const where = `SUITE_SEED=${SEED}: ${title}`;
  expect(responses.flatMap(({ failure }) => failure ?? []).slice(0, 3), where).toEqual([]);
  expect(
    sent.filter(({ status }) => status === 0 || status >= 500).map(({ status, text }) => `${status} ${text}`),
    where,
  ).toEqual([]);
  expect(Math.max(...sent.map(({ refusalBytes }) => refusalBytes)), where).toBeLessThanOrEqual(MAX_REFUSAL_BYTES);
}

const many = async (kind: AbuseKind, seed: number): Promise<Abuse[]> => {
  const made: Abuse[] = [];
  for (let at = 0; at < AT_ONCE; at++) made.push(await abuses.of(kind, seed));
  return made;
};

it.each(abuseKinds)(
  'next to %s the other organisation is served and never rejected',
  async (kind) => {
    const failed: string[] = [];
    for (let at = 0; at < Math.max(1, ROUNDS); at++) {
      const seen = await wave(await many(kind, SEED + at));
      print(seen);
      expectFair(seen);
      if (!IS_LARGE) continue;
      if (seen.ratio > MAX_RATIO) failed.push(`${seen.title}: reads take ${round(seen.ratio)} times as long`);
      if (seen.heldMs > MAX_HELD_MS) failed.push(`${seen.title}: nothing else ran for ${round(seen.heldMs)} ms`);
    }
    expect(failed, `SUITE_SEED=${SEED}`).toEqual([]);
  },
  120_000 + ROUNDS * 120_000,
);

it('a mixture of all is as one of them', { timeout: 120_000 + ROUNDS * 120_000 }, async () => {
  const all: Abuse[] = [];
  for (let at = 0; at < AT_ONCE; at++) all.push(await abuses.of(abuseKinds[at % abuseKinds.length]!, SEED + at));
  const seen = await wave(all);
  print(seen);
  expectFair(seen);
  if (IS_LARGE) expect([seen.ratio <= MAX_RATIO, seen.heldMs <= MAX_HELD_MS], `${seen.ratio}, ${seen.heldMs}`).toEqual([true, true]);
});

it('a read that comes after the largest lists returns before them', async () => {
  const heavy = await many('lists', SEED);
  let before = 0;
  const all = Promise.all(heavy.map((one) => send(one).then(() => before++)));
  await sleep(50);
  const { status } = await call(running.origin, other.key, 'GET', `/v4/core/companies/${other.companyId}/accounts?limit=1`);
  const ended = before;
  await all;
  expect(status).toBe(200);
  expect(ended).toBeLessThan(AT_ONCE);
}, 120_000);

it('a batch of one record is written before the batches of another organisation that came first', async () => {
  const path = (owner: { companyId: number }): string => `/v4/core/companies/${owner.companyId}/accounts?run_async=true`;
  const record = (at: number): object => ({ name: 'Some account', platform_id: `q${at}` });
  const data = Array.from({ length: 1_000 }, (_, at) => record(at));
  const batches = await Promise.all(
    Array.from({ length: AT_ONCE }, () => call(running.origin, abuser.key, 'POST', path(abuser), { data })),
  );
  const begun = batches.map(({ body }): string => body.data.sync_id);
  const own = await call(running.origin, other.key, 'POST', path(other), { data: [record(0)] });
  await ended(other, own.body.data.sync_id);
  const found = await Promise.all(begun.map((id) => call(running.origin, abuser.key, 'GET', `/v4/core/syncs/${id}`)));
  expect(found.filter((sync) => !isOver(sync)).length).toBeGreaterThan(0);
  for (const id of begun) await ended(abuser, id);
}, 240_000);

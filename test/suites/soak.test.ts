// Mixed load for a given time: no request fails, and memory and handles do not grow. A round is a minute; the small form takes seconds. And what large uploads took.
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { packagePath } from '../../src/runtime/package-root.ts';
import { metricsOf } from '../support/metrics.ts';
import { call, issueKey, onSignal, ownPlace, PROGRAM_ADMIN, type ProgramResponse, program } from '../support/program.ts';
import { startReceiver } from '../support/receiver.ts';
import { connectWithKey } from '../support/subscriber.ts';

const MINUTES = Number(process.env.SUITE_ROUNDS ?? 0);
const MINUTE_MS = 60_000;
/** The small form counts rounds instead of time. */
const SMALL_ROUNDS = 5;
const BATCH = 50;
/** Caches of plans and of pages of the embedded database are full after two minutes. After that, memory may not grow by more than this factor. */
const SETTLED_AFTER = 2;
const GROWTH = 1.25;

interface Minute {
  minute: number;
  requests: number;
  failed: number;
  deliveries: number;
  events: number;
  'RSS MB': number;
  'heap MB': number;
  handles: number;
}

it('under mixed load no request fails, and memory and handles stay', { timeout: 120_000 + MINUTES * MINUTE_MS * 2 }, async () => {
  const place = await ownPlace();
  const receiver = await startReceiver();
  const running = await program.start({ ...place.settings, WEBHOOK_ALLOW_PRIVATE: 'true' });
  const { origin, pid } = running;
  const key = await issueKey(origin, ['PLATFORM', 'INTEGRATIONS', 'GEOCODE', 'ENTITIES']);
  const send = (method: string, path: string, body?: object): Promise<ProgramResponse> => call(origin, key, method, path, body);
  const graphql = (query: string, variables: object = {}): Promise<ProgramResponse> => send('POST', '/graphql', { query, variables });
  const company = (await send('POST', '/v4/core/companies', { data: { name: 'Soak' } })).body.data.ledger_id as number;
  const base = `/v4/core/companies/${company}`;
  await send('POST', '/api/v1/webhooks', { url: receiver.url, topics: ['CORPORATIONS.CREATED', 'CORPORATIONS.UPDATED'] });

  const failures: string[] = [];
  let requests = 0;
  let events = 0;
  const expectDone = async (response: Promise<ProgramResponse>): Promise<ProgramResponse> => {
    requests++;
    const got = await response.catch((error: Error) => ({ status: 0, text: String(error.cause ?? error), body: {} }) as ProgramResponse);
    if (got.status === 0 || got.status >= 400 || got.text.includes('"errors"')) failures.push(`${got.status} ${got.text.slice(0, 300)}`);
    return got;
  };
  let number = 0;
  /** The kinds of load; each repeats next to the others. Writes change a bounded set of records, so that growth comes from the gateway. */
  const loads = {
    records: () => expectDone(send('GET', `${base}/accounts?limit=100`)),
    corporations: () => expectDone(send('GET', '/api/v1/corporations?limit=20')),
    nested: () =>
      expectDone(
        graphql('query ($id: ID!) { company(id: $id) { name accounts(first: 20) { totalCount nodes { name } } } }', {
          id: company,
        }),
      ),
    geocoding: () => expectDone(send('POST', '/api/v1/geoencode', { address: '10 Downing Street, London SW1A 2AA' })),
    corporation: async () => {
      const { body } = await expectDone(send('POST', '/api/v1/corporations', { legal_name: `Soak ${number++}`, jurisdiction: 'GB' }));
      if (body.data) await expectDone(send('DELETE', `/api/v1/corporations/${body.data.id}`));
    },
    upsert: () =>
      expectDone(
        graphql(
          'mutation ($id: ID!, $name: String!) { upsertAccounts(input: { companyId: $id, records: [{ platformId: "one", name: $name }] }) { accounts { ledgerId } } }',
          {
            id: company,
            name: `Name ${number++}`,
          },
        ),
      ),
    batch: async () => {
      const data = Array.from({ length: BATCH }, (_, at) => ({ platform_id: `batch-${at}`, name: `Name ${number}` }));
      const { body } = await expectDone(send('PUT', `${base}/accounts?run_async=true`, { data }));
      for (let over = !body.data; !over; await setTimeout(20))
        over = (await expectDone(send('GET', `/v4/core/syncs/${body.data.sync_id}`))).body.data?.endTime !== null;
    },
    stream: async () => {
      const client = connectWithKey(origin, key);
      requests++;
      const stream = client.iterate({ query: 'subscription { eventStream { id topic } }' });
      for await (const { errors } of stream) {
        if (errors) failures.push(JSON.stringify(errors).slice(0, 300));
        if (++events % 5 === 0) break;
      }
      await client.dispose();
    },
  };

  const handles = (): number => readdirSync(`/proc/${pid}/fd`).length;
  const metric = (text: string, name: string): number => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1]);
  /** The figures since the last minute, and the present memory and handles. */
  const measured = async (
    minute: number,
    before: { requests: number; deliveries: number; events: number; failed: number },
  ): Promise<Minute> => {
    const text = await metricsOf(origin, PROGRAM_ADMIN);
    return {
      minute,
      requests: requests - before.requests,
      failed: failures.length - before.failed,
      deliveries: receiver.received.length - before.deliveries,
      events: events - before.events,
      'RSS MB': Math.round(metric(text, 'gateway_process_resident_memory_bytes') / 1_048_576),
      'heap MB': Math.round(metric(text, 'gateway_nodejs_heap_size_used_bytes') / 1_048_576),
      handles: handles(),
    };
  };
  const run = async (isOver: (rounds: number) => boolean): Promise<void> => {
    let isDone = false;
    const { stream, ...others } = loads;
    const repeat = async (load: () => Promise<unknown>, isLast: (rounds: number) => boolean): Promise<void> => {
      for (let rounds = 1; ; rounds++) {
        await load();
        if (isLast(rounds)) return;
      }
    };
    // The stream ends after events of the other loads, so the load that causes events runs until the stream has ended.
    const streaming = repeat(stream, () => isDone);
    const ended = streaming.then(() => true);
    await Promise.all(Object.values(others).map((load) => repeat(load, isOver)));
    isDone = true;
    while (!(await Promise.race([ended, loads.corporation().then(() => false)])));
  };

  try {
    const table: Minute[] = [];
    await run((rounds) => rounds >= 2);
    table.push(await measured(0, { requests: 0, deliveries: 0, events: 0, failed: 0 }));
    for (let minute = 1; minute <= Math.max(1, MINUTES); minute++) {
      const before = { requests, deliveries: receiver.received.length, events, failed: failures.length };
      const until = Date.now() + MINUTE_MS;
      await run((rounds) => (MINUTES > 0 ? Date.now() >= until : rounds >= SMALL_ROUNDS));
      table.push(await measured(minute, before));
    }
    console.table(table);
    expect(failures).toEqual([]);
    const settled = table.slice(SETTLED_AFTER + 1);
    // The HTTP agent of the load keeps a connection per concurrent request. Handles may differ by those, but must not grow with the number of
    // requests.
    expect(table.at(-1)!.handles).toBeLessThanOrEqual((settled[0] ?? table[0]!).handles + Object.keys(loads).length);
    for (const { 'RSS MB': rss } of settled.slice(1)) expect(rss).toBeLessThanOrEqual(settled[0]!['RSS MB'] * GROWTH);
  } finally {
    await running.end('SIGTERM');
    await receiver.stop();
    await place.remove();
  }
});

/** How malloc is set where deploy/ runs the program. */
const malloc = Object.fromEntries(
  [...readFileSync(packagePath('deploy/systemd/ledger-gateway.service'), 'utf8').matchAll(/\b(MALLOC_\w+)=(\d+)/g)].map(
    ([, name, value]) => [name!, value!],
  ),
);
const UPLOADS = 8;
/** Lines of a file of 3 MB. */
const LINES = 30_000;
/** The most that the heap of malloc may keep of them. It kept 4 to 11 MB with the settings, 46 without. */
const MAX_KEPT_MB = 30;

it('the heap of malloc gives back what large uploads took', { timeout: 600_000 }, async () => {
  const place = await ownPlace();
  const { origin, pid, end } = await program.start({ ...place.settings, ...onSignal, ...malloc });
  /** Resident megabytes of the heap of malloc, once the garbage of JavaScript is collected. */
  const heapOfMalloc = async (): Promise<number> => {
    process.kill(pid, 'SIGUSR2');
    await metricsOf(origin, PROGRAM_ADMIN);
    return Number(/\[heap\]\n(?:.*\n)*?Rss: +(\d+) kB/.exec(readFileSync(`/proc/${pid}/smaps`, 'utf8'))![1]) / 1_024;
  };
  try {
    const key = await issueKey(origin, ['INTEGRATIONS']);
    const base = `/v4/core/companies/${(await call(origin, key, 'POST', '/v4/core/companies', { data: { name: 'Uploads' } })).body.data.ledger_id}`;
    await call(origin, key, 'POST', `${base}/connections`, { data: { source: 'FILES' } });
    const upload = async (lines: number): Promise<void> => {
      const text = Array.from(
        { length: lines },
        (_, at) => `c-${at},Contact ${at},mail${at}@example.org,a note of some words about the contact ${at}\n`,
      );
      const form = new FormData();
      form.append('data_model', 'CONTACT');
      form.append('file', new Blob(['platform_id,name,email,contact_name\n', ...text]), 'contacts.csv');
      const response = await call(origin, key, 'POST', `${base}/imports`, form);
      expect(response.status, response.text).toBe(201);
    };
    await upload(1);
    const before = await heapOfMalloc();
    const two = async (): Promise<void> => {
      for (let at = 0; at < UPLOADS / 2; at++) await upload(LINES);
    };
    await Promise.all([two(), two()]);
    const kept = (await heapOfMalloc()) - before;
    console.log(`soak: ${Math.round(kept)} MB of ${UPLOADS} uploads kept by malloc`);
    expect(kept).toBeLessThan(MAX_KEPT_MB);
  } finally {
    await end('SIGTERM');
    await place.remove();
  }
});

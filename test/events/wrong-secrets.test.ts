// SEALING_SECRETS that do not open what is stored. The start and `doctor` report it, and deliveries that cannot be signed neither fill the log nor
// delay others.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { adminProgram } from '../../src/admin/program.ts';
import { readConfig } from '../../src/config.ts';
import { ensureDemo } from '../../src/demo/demo.ts';
import { BackgroundFailures } from '../../src/queue/failures.ts';
import { CallQueues } from '../../src/webhooks/call-queues.ts';
import type { Claim } from '../../src/webhooks/claim.ts';
import { ADMIN_TOKEN, type Gateway, ownDatabase, startGateway, TestClock } from '../support/gateway.ts';
import { metricsOf } from '../support/metrics.ts';
import { product, webhookTools } from '../support/webhooks.ts';

const SIGNING = 'the signing secret of this test';
const KEPT = 'the sealing secret that was kept';
const WRONG = 'another sealing secret than that';
/** More than a process claims together. */
const MANY = 600;

const removals: (() => unknown)[] = [];
afterEach(async () => {
  process.exitCode = undefined;
  for (const remove of removals.splice(0).reverse()) await remove();
});

describe('a restored database without its SEALING_SECRETS', () => {
  it('the start and doctor name the setting, one line reports many failures, and other webhooks are served', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gateway-secrets-'));
    const own = await ownDatabase();
    removals.push(
      () => rmSync(folder, { recursive: true, force: true }),
      () => own?.drop(),
    );
    const lines: { msg: string; task?: string; failures?: number }[] = [];
    const log = pino({ level: 'error', base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) });
    const place = { databaseUrl: own?.url, dataDir: join(folder, 'data'), signingSecret: SIGNING, webhookAllowPrivate: true };
    const start = (secret: string, more: { worker: boolean }): Promise<Gateway> =>
      startGateway({ ...place, ...more, sealingSecrets: [secret] }, log);

    const before = await start(KEPT, { worker: false });
    const tools = webhookTools(before);
    const target = await tools.receiver();
    removals.push(tools.stopReceivers);
    const key = await before.key(['PLATFORM'], 'Restored');
    await tools.register(key, target.url);
    await tools.emit(key, ...Array.from({ length: MANY }, () => product));
    await before.stop();
    expect(lines).toEqual([]);

    const after = await start(WRONG, { worker: true });
    removals.push(() => after.stop());
    expect(lines.map(({ msg }) => msg)).toContainEqual(
      expect.stringMatching(/^no value of webhook\.sealed_secret opens .*SEALING_SECRETS nor SIGNING_SECRET/),
    );
    const failures = (): number => after.services.failures.tally.entries().find(([[task]]) => task === 'webhook-delivery')?.[1] ?? 0;
    // The first calls at once, others after its rest.
    await vi.waitUntil(() => failures() > 4, { timeout: 30_000 });
    const healthy = await webhookTools(after).register(key, target.url, { topics: ['PRODUCTS.DELETED'] });
    await webhookTools(after).emit(key, { ...product, topic: 'PRODUCTS.DELETED' });
    expect((await target.arrived(1)).map(({ headers }) => headers['webhook-id'])).toHaveLength(1);
    expect(healthy.id).toMatch(/^whk_/);
    expect(lines.filter(({ msg }) => msg === 'background work failed')).toEqual([
      expect.objectContaining({ task: 'webhook-delivery', failures: 1 }),
    ]);
    // Each of the many would have failed by now without a rest.
    expect(failures()).toBeLessThan(MANY / 4);
    expect(await metricsOf(after.origin, ADMIN_TOKEN)).toMatch(/^gateway_background_failures_total\{task="webhook-delivery"\} \d+$/m);
  }, 60_000);

  it('with another SIGNING_SECRET the demo data starts with other keys and is not made a second time', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gateway-secrets-'));
    const own = await ownDatabase();
    removals.push(
      () => rmSync(folder, { recursive: true, force: true }),
      () => own?.drop(),
    );
    const corporations = async (signingSecret: string): Promise<unknown> => {
      const place = { databaseUrl: own?.url, dataDir: join(folder, 'data'), demoData: true, worker: false, signingSecret };
      const gateway = await startGateway(place);
      const { bearer } = await ensureDemo(gateway.services, []);
      const { body } = await gateway.graphql(bearer, '{ corporations(first: 10) { nodes { id } } }');
      await gateway.stop();
      return body.data.corporations.nodes;
    };
    const made = await corporations(SIGNING);
    expect(made).toHaveLength(2);
    expect(await corporations(WRONG)).toEqual(made);
  }, 60_000);

  it('doctor tries a value of each kind', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gateway-secrets-'));
    const own = await ownDatabase();
    removals.push(
      () => rmSync(folder, { recursive: true, force: true }),
      () => own?.drop(),
    );
    const dataDir = join(folder, 'data');
    const gateway = await startGateway({ databaseUrl: own?.url, dataDir, worker: false, sealingSecrets: [KEPT] });
    await webhookTools(gateway).register(await gateway.key(['PLATFORM']), 'https://receiver.example/');
    await gateway.stop();
    const states = async (sealing: string): Promise<string[]> => {
      const printed: string[] = [];
      const print = vi.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line));
      const settings = { SEALING_SECRETS: sealing, ...(own ? { DATABASE_URL: own.url } : { DATA_DIR: dataDir }) };
      await adminProgram(readConfig(settings)).parseAsync(['--json', '--url', 'http://127.0.0.1:9', 'doctor'], { from: 'user' });
      print.mockRestore();
      const findings = JSON.parse(printed[0]!) as { check: string; state: string; finding: string }[];
      return findings.filter(({ check }) => check === 'sealed secrets').map(({ state, finding }) => `${state} ${finding}`);
    };
    expect(await states(KEPT)).toEqual(['ok what was tried opens']);
    expect(await states(WRONG)).toEqual([expect.stringMatching(/^ERROR no value of webhook\.sealed_secret opens/)]);
  }, 60_000);
});

it('failures are logged once a minute for each kind, with how many there were', () => {
  const lines: object[] = [];
  const clock = new TestClock();
  clock.stop();
  const failures = new BackgroundFailures(pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) }), clock);
  const away = Object.assign(new Error('connection refused'), { code: 'ECONNREFUSED' });
  for (let count = 0; count < 5; count++) failures.note(away, 'import');
  failures.note(new TypeError('not a function'), 'import');
  failures.note(away);
  clock.advance(59_999);
  failures.note(away, 'import');
  clock.advance(1);
  failures.note(away, 'import');
  const line = (task: string, message: string, count: number) =>
    expect.objectContaining({ msg: 'background work failed', task, failures: count, err: expect.objectContaining({ message }) });
  expect(lines).toEqual([
    line('import', 'connection refused', 1),
    line('import', 'not a function', 1),
    line('queue', 'connection refused', 1),
    line('import', 'connection refused', 6),
  ]);
  expect(failures.tally.entries()).toEqual([
    [['import'], 8],
    [['queue'], 1],
  ]);
});

it('a webhook whose attempts fail on this side rests twice as long each time, until one is made', () => {
  const queues = new CallQueues();
  const claim = (id: string) => ({ id, webhookId: 'whk_1', webhook: { failingSince: null } }) as Claim;
  const roomAt = (now: number): number | undefined => queues.room(now).webhooks[0]?.room;
  const fail = (now: number): string[] => {
    queues.add([claim('dlv_1'), claim('dlv_2')], now);
    const called = queues.next()!;
    const back = queues.rest(called, now);
    queues.ended(called, now);
    expect(queues.next()).toBeUndefined();
    return back.map(({ id }) => id);
  };
  expect(fail(0)).toEqual(['dlv_2']);
  expect([roomAt(999), roomAt(1_000)]).toEqual([0, 4]);
  fail(1_000);
  expect([roomAt(2_999), roomAt(3_000)]).toEqual([0, 4]);
  queues.add([claim('dlv_3')], 3_000);
  queues.ended(queues.next()!, 3_000, { isFailure: false, durationMs: 1_000 });
  fail(3_000);
  expect([roomAt(3_999), roomAt(4_000)]).toEqual([0, 4]);
  // A webhook that rests is not forgotten, although nothing of it is held.
  queues.takeBack(13_000);
  expect(roomAt(13_000)).toBe(4);
});

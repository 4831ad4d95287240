// Random histories of changes at both ends of a connection, with pauses, restarts in the middle of calls, revocations, failures and decisions. Once
// they are quiet, both ends hold the same, or the record says why not.
import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Gateway, ownDatabase, startGateway } from '../support/gateway.ts';
import { type Ledger, startLedger } from '../support/ledger.ts';
import { buildCompany, type TestCompany } from '../support/records.ts';

const ROUNDS = Number(process.env.SUITE_ROUNDS ?? 1);
const HISTORIES = 3 * ROUNDS;
// The small form uses a fixed seed, so that a failed run can be repeated; each large run uses another seed.
const SEED = Number(process.env.SUITE_SEED ?? (ROUNDS === 1 ? 1 : randomInt(2 ** 31)));
const QUIET_MS = 120_000;

type Row = Record<string, unknown>;

const place = fc.nat({ max: 30 });
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('create', 'create bad'), at: place }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constantFrom('change here', 'change there', 'put by id'), at: place }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('delete here', 'delete there', 'add there'), at: place }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('pull', 'full pull', 'keep local', 'keep source', 'retry'), at: place }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('pause', 'resume', 'revoke', 'relink', 'wait'), at: place }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart'), at: place }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('drop', 'lose', 'fail', 'html', 'slow'), at: fc.nat({ max: 2 }) }) },
);
const histories = fc.array(step, { minLength: 25, maxLength: 45 });
type Step = { do: string; at: number };

/** A company, its connection and its ledger while a history happens to them. */
class History {
  readonly #company: TestCompany;
  readonly #ledger: Ledger;
  readonly gateway: () => Gateway;
  readonly #restart: () => Promise<void>;
  #connection = '';
  #ids: number[] = [];
  #there: string[] = [];
  #next = 0;
  #failures: ('drop' | 'lose' | 'fail' | 'html' | 'slow')[] = [];

  constructor(company: TestCompany, ledger: Ledger, gateway: () => Gateway, restart: () => Promise<void>) {
    this.#company = company;
    this.#ledger = ledger;
    this.gateway = gateway;
    this.#restart = restart;
    ledger.failure = () => this.#failures.shift();
    ledger.refuses = ({ name }) => (String(name).startsWith('bad') ? 'no such name' : undefined);
  }

  ask(method: string, path: string, data?: unknown) {
    const { headers, base } = this.#company;
    return this.gateway().send(method, `${base}${path}`, { headers, ...(data === undefined ? {} : { body: { data } }) });
  }

  async begin(): Promise<void> {
    for (let index = 0; index < 8; index++) this.#add();
    const settings = { url: this.#ledger.url, apiKey: this.#ledger.apiKey };
    const response = await this.ask('POST', '/connections', { source: 'DEMO', settings, interval_minutes: 43_200 });
    expect(response.status, response.text).toBe(201);
    this.#connection = response.body.data.id;
    // The first run begins on its own.
    do await this.quiet();
    while ((await this.contacts()).length === 0);
    this.#ids = (await this.contacts()).map(({ ledger_id: id }) => Number(id));
  }

  async contacts(): Promise<Row[]> {
    const { body, text } = await this.ask('GET', '/contacts?limit=100&select=source_state,source_error,source_version');
    expect(body.data, text).toBeDefined();
    return body.data;
  }

  #add(): void {
    const id = `S-${this.#there.length}`;
    this.#there.push(id);
    this.#ledger.put('CONTACT', { platform_id: id, name: `there ${id}`, email: 'start@example.com' });
  }

  #live(at: number): Row | undefined {
    const rows = this.#ledger.rows('CONTACT');
    return rows[at % Math.max(1, rows.length)];
  }

  async apply({ do: name, at }: Step): Promise<void> {
    const id = this.#ids[at % this.#ids.length];
    const next = ++this.#next;
    const sync = `/connections/${this.#connection}/sync`;
    const row = this.#live(at);
    const steps: Record<string, () => unknown> = {
      create: () => this.#write('POST', '/contacts', { name: `here ${next}` }),
      'create bad': () => this.#write('POST', '/contacts', { name: `bad ${next}` }),
      'change here': () =>
        this.#write('PUT', `/contacts/${id}`, { email: `here${next}@example.com`, ...(at < 10 ? { name: `good ${next}` } : {}) }),
      'put by id': () =>
        this.#write('PUT', '/contacts', { platform_id: this.#there[at % this.#there.length], email: `put${next}@example.com` }),
      'change there': () => row && this.#ledger.put('CONTACT', { ...row, email: `there${next}@example.com` }),
      'delete here': () => this.ask('DELETE', `/contacts/${id}`),
      'delete there': () => row && this.#ledger.remove('CONTACT', String(row.platform_id)),
      'add there': () => this.#add(),
      pull: () => this.ask('POST', sync),
      'full pull': () => this.ask('POST', `${sync}?full_sync=true`),
      'keep local': () => this.#decide(at, 'LOCAL'),
      'keep source': () => this.#decide(at, 'SOURCE'),
      retry: () => this.#retry(at),
      pause: () => this.ask('POST', `/connections/${this.#connection}/pause`),
      resume: () => this.ask('POST', `/connections/${this.#connection}/resume`),
      revoke: () => {
        this.#ledger.apiKey = `key-${next}`;
      },
      relink: () => this.ask('PATCH', `/connections/${this.#connection}`, { settings: { apiKey: this.#ledger.apiKey } }),
      restart: () => this.#restart(),
      wait: () => setTimeout(300),
    };
    if (steps[name]) await steps[name]();
    else this.#failures.push(...Array.from({ length: at + 1 }, () => name as 'drop'));
  }

  async #write(method: string, path: string, data: unknown): Promise<void> {
    const response = await this.ask(method, path, data);
    expect(response.status, response.text).toBeLessThan(500);
    const id = response.body.data?.data?.ledger_id;
    if (id && !this.#ids.includes(id)) this.#ids.push(id);
  }

  async #decide(at: number, keep: 'LOCAL' | 'SOURCE'): Promise<void> {
    const open = (await this.contacts()).filter(({ source_state: state }) => state === 'CONFLICT');
    const one = open[at % Math.max(1, open.length)];
    if (one) await this.decide(Number(one.ledger_id), keep);
  }

  async decide(id: number, keep: 'LOCAL' | 'SOURCE'): Promise<void> {
    const query = 'mutation ($input: ResolveConflictInput!) { resolveConflict(input: $input) { errors { code } } }';
    const response = await this.gateway().graphql(this.#company.key, query, { input: { id: `contact_${id}`, keep } });
    expect(response.body.errors, response.text).toBeUndefined();
  }

  /** Sends rejected writes again, over REST or GraphQL. */
  async #retry(at: number): Promise<void> {
    const { body } = await this.ask('GET', '/syncs?limit=100&jobType=PUSH&status=FAILED');
    const failed = body.data.syncs[at % Math.max(1, body.data.syncs.length)];
    if (!failed) return;
    const query = 'mutation ($id: ID!) { retrySync(input: { id: $id }) { sync { id } errors { code } } }';
    const { headers } = this.#company;
    const response =
      at % 2 === 0
        ? await this.gateway().graphql(this.#company.key, query, { id: failed.id })
        : await this.gateway().send('POST', `/v4/core/syncs/${failed.id}/retry`, { headers });
    expect(response.status, response.text).toBeLessThan(500);
  }

  /** Lets everything that was begun come to its end, with a source that works. */
  async quiet(): Promise<void> {
    this.#failures = [];
    const until = Date.now() + QUIET_MS;
    for (;;) {
      const { status } = (await this.ask('GET', `/connections/${this.#connection}`)).body.data;
      if (status === 'PAUSED') await this.ask('POST', `/connections/${this.#connection}/resume`);
      if (status === 'NEEDS_REAUTH') await this.apply({ do: 'relink', at: 0 });
      const syncs = (await this.ask('GET', '/syncs?limit=1&status=RUNNING')).body.data.count;
      const begun = (await this.ask('GET', '/syncs?limit=1&status=PENDING')).body.data.count;
      const waiting = (await this.contacts()).filter(({ source_state: state }) => state === 'PENDING_PUSH');
      if (syncs + begun + waiting.length === 0) return;
      if (Date.now() > until) throw new Error(`not quiet: ${status}, ${syncs} syncs, ${JSON.stringify(waiting)}`);
      await setTimeout(100);
    }
  }

  /** A full pull that has reached the source. */
  async pull(): Promise<void> {
    for (;;) {
      const response = await this.ask('POST', `/connections/${this.#connection}/sync?full_sync=true`);
      await this.quiet();
      if (response.status !== 201) continue;
      const { headers } = this.#company;
      const { status } = (await this.gateway().send('GET', `/v4/core/syncs/${response.body.data.id}`, { headers })).body.data;
      if (status === 'SUCCESS' || status === 'PARTIAL_SUCCESS') return;
    }
  }

  /** What is wrong at the end: records that differ from the source and do not say so. */
  async differences(): Promise<unknown[]> {
    const here = await this.contacts();
    const there = new Map(this.#ledger.rows('CONTACT').map((row) => [row.platform_id, row]));
    const isSame = (a: Row, b: Row | undefined): boolean => b !== undefined && a.name === (b.name ?? null) && a.email === (b.email ?? null);
    const wrong = here.filter((row) => {
      const other = there.get(row.platform_id);
      if (row.source_state === 'IN_SYNC') return !isSame(row, other);
      if (row.source_state === 'PUSH_FAILED') return row.source_error == null;
      const version = row.source_version as Row | null;
      return (
        row.source_state !== 'CONFLICT' || (version?.deleted === true ? other !== undefined : version?.email !== (other?.email ?? null))
      );
    });
    const ids = new Set(here.map(({ platform_id: id }) => id));
    return [...wrong, ...[...there].filter(([id]) => !ids.has(id))];
  }
}

it('after any history of changes at both ends they hold the same, or say why not', {
  timeout: 60_000 + HISTORIES * 180_000,
}, async () => {
  const own = await ownDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'histories-'));
  const settings = { dataDir, connectorPrivateHosts: ['127.0.0.1'], ...(own ? { databaseUrl: own.url } : {}) };
  let gateway = await startGateway(settings);
  let restarts = 0;
  const counts: Record<string, number> = {};
  let steps = 0;
  for (const history of fc.sample(histories, { numRuns: HISTORIES, seed: SEED })) {
    const ledger = await startLedger();
    const company = await buildCompany(gateway);
    const reported = new History(
      company,
      ledger,
      () => gateway,
      async () => {
        await gateway.stop();
        gateway = await startGateway(settings);
        restarts++;
      },
    );
    await reported.begin();
    for (const one of history) await reported.apply(one);
    steps += history.length;
    await reported.quiet();
    await reported.pull();
    const context = `seed ${SEED}: ${JSON.stringify(history)}`;
    expect(await reported.differences(), context).toEqual([]);
    const ends = await reported.contacts();
    for (const { source_state: state } of ends) counts[String(state)] = (counts[String(state)] ?? 0) + 1;
    const keys = ledger.effects.map(({ method, id, key }) => `${method} ${id} ${key}`);
    expect(new Set(keys).size, context).toBe(keys.length);
    for (const [index, { ledger_id: id }] of ends.filter(({ source_state: state }) => state === 'CONFLICT').entries())
      await reported.decide(Number(id), index % 2 === 0 ? 'LOCAL' : 'SOURCE');
    await reported.quiet();
    await reported.pull();
    expect(await reported.differences(), context).toEqual([]);
    expect(
      (await reported.contacts()).filter(({ source_state: state }) => state === 'CONFLICT'),
      context,
    ).toEqual([]);
    await ledger.stop();
  }
  await gateway.stop();
  await own?.drop();
  await rm(dataDir, { recursive: true, force: true });
  console.log(
    `histories: seed ${SEED}, ${HISTORIES} histories of ${steps} steps, ${restarts} restarts; at their ends ${JSON.stringify(counts)}`,
  );
});

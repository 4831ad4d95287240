// A hostile ledger and a gateway that is killed: callers write over REST and GraphQL while the source changes, limits, fails, revokes and loses
// responses.
// At the end both sides hold the same, each write has had one effect, and nothing of the callers is lost.
import { randomInt } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { oneOf, sequence } from '../bench/random.ts';
import { type Ledger, startLedger } from '../support/ledger.ts';
import { call, issueKey, ownPlace, type ProgramResponse, program } from '../support/program.ts';

const ROUNDS = Number(process.env.SUITE_ROUNDS ?? 1);
/** The small form kills a few times, the large one as often as its rounds say. */
const KILLS = ROUNDS === 1 ? 4 : ROUNDS;
const SEED = Number(process.env.SUITE_SEED ?? (ROUNDS === 1 ? 1 : randomInt(2 ** 31)));
const WRITERS = 3;
/** Records of the source at the beginning. */
const FIRST = 180;
/** How long the end may take: pauses between attempts are minutes at most. */
const QUIET_MS = 600_000;

/** What callers know of a contact that only they change: its last acknowledged name, and those of writes without a response since. */
interface Known {
  names: Set<string | null>;
  ledgerId: number | null;
}

type Row = Record<string, unknown>;

/** The gateway as it runs at the moment, and its company. */
interface Caller {
  origin: string;
  key: string;
  base: string;
  company: number;
  connection: string;
}

const ask = (caller: Caller, method: string, path: string, data?: unknown): Promise<ProgramResponse> =>
  call(caller.origin, caller.key, method, `${caller.base}${path}`, data === undefined ? undefined : { data });

const graphql = (caller: Caller, query: string, variables: Row): Promise<ProgramResponse> =>
  call(caller.origin, caller.key, 'POST', '/graphql', { query, variables });

/** Every record of a list. */
async function all(caller: Caller, list: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (let next = ''; ; ) {
    const { body } = await ask(caller, 'GET', `/${list}?limit=100&select=source_state,source_error,source_version${next}`);
    rows.push(...body.data);
    if (!body.pagination.next) return rows;
    next = `&next=${body.pagination.next}`;
  }
}

/** How many records stand where with their source, the deleted ones too. */
async function states(caller: Caller): Promise<Record<string, number>> {
  const query = `query ($id: ID!) { company(id: $id) {
    ${['contacts', 'purchaseOrders'].map((list) => `${list}: ${list}(includeDeleted: true, first: 100) { totalCount }`).join(' ')} } }`;
  await graphql(caller, query, { id: caller.company });
  const counts: Record<string, number> = {};
  for (const list of ['contacts', 'purchase_orders'])
    for (const row of await all(caller, list)) counts[String(row.source_state)] = (counts[String(row.source_state)] ?? 0) + 1;
  return counts;
}

/** Writes of the callers. Each of their contacts is written by only one caller at a time, so that its final state is known. */
class Callers {
  readonly known = new Map<string, Known>();
  readonly #busy = new Set<string>();
  readonly #below: (limit: number) => number;
  written = 0;
  withoutResponse = 0;
  refused: string[] = [];
  /** Numbers of purchase orders that were acknowledged. */
  readonly orders = new Set<string>();
  #next = 0;

  constructor(below: (limit: number) => number) {
    this.#below = below;
  }

  /** One write at random; whether it was acknowledged. */
  async write(caller: Caller, shared: readonly string[]): Promise<void> {
    const kind = this.#below(10);
    if (kind < 3 || this.known.size < 5) return this.#create(caller);
    if (kind < 6) return this.#change(caller, `changed ${this.#next++}`);
    if (kind < 7) return this.#change(caller, null);
    if (kind < 8) return this.#order(caller);
    await this.#send(() =>
      ask(caller, 'PUT', '/contacts', { platform_id: oneOf(shared, this.#below), email: `here${this.#next++}@example.com` }),
    );
  }

  async #create(caller: Caller): Promise<void> {
    const name = `written ${this.#next++}`;
    const known: Known = { names: new Set([null, name]), ledgerId: null };
    this.known.set(name, known);
    this.#busy.add(name);
    const query =
      'mutation ($input: CreateContactsInput!) { createContacts(input: $input) { contacts { ledgerId } errors { code message } } }';
    const response =
      this.#below(2) === 0
        ? await this.#send(() => ask(caller, 'POST', '/contacts', { name, phone_numbers: [], email: 'first@example.com' }))
        : await this.#send(() =>
            graphql(caller, query, { input: { companyId: caller.company, records: [{ name, email: 'first@example.com' }] } }),
          );
    if (response) {
      known.names = new Set([name]);
      known.ledgerId = response.body.data.data?.ledger_id ?? response.body.data.createContacts?.contacts[0].ledgerId ?? null;
      expect(known.ledgerId, response.text).not.toBeNull();
    }
    this.#busy.delete(name);
  }

  /** Renames a contact, or deletes it. */
  async #change(caller: Caller, name: string | null): Promise<void> {
    const free = [...this.known].filter(([id, { ledgerId, names }]) => ledgerId !== null && !this.#busy.has(id) && !names.has(null));
    if (free.length === 0) return;
    const [id, known] = oneOf(free, this.#below);
    this.#busy.add(id);
    known.names.add(name);
    const query = `mutation ($input: UpdateContactInput!) { updateContact(input: $input) { contact { ledgerId } errors { code message } } }`;
    const response = await this.#send(() => {
      if (name === null) return ask(caller, 'DELETE', `/contacts/${known.ledgerId}`);
      if (this.#below(2) === 0) return ask(caller, 'PUT', `/contacts/${known.ledgerId}`, { name });
      return graphql(caller, query, { input: { companyId: caller.company, id: `contact_${known.ledgerId}`, name } });
    });
    if (response) known.names = new Set([name]);
    this.#busy.delete(id);
  }

  async #order(caller: Caller): Promise<void> {
    const free = [...this.known].filter(([id, { ledgerId, names }]) => ledgerId !== null && !this.#busy.has(id) && !names.has(null));
    if (free.length === 0) return;
    const [id, { ledgerId }] = oneOf(free, this.#below);
    // Its contact stays while it is written.
    this.#busy.add(id);
    const number = `order ${this.#next++}`;
    const order = { document_number: number, contact_id: ledgerId, line_items: [{ description: 'One', quantity: 1, unit_amount: 5 }] };
    if (await this.#send(() => ask(caller, 'POST', '/purchase_orders', order))) this.orders.add(number);
    this.#busy.delete(id);
  }

  async #send(request: () => Promise<ProgramResponse>): Promise<ProgramResponse | null> {
    const response = await request().catch(() => null);
    // A database that is busy with the restart stores nothing, as a process that was killed; GraphQL says so with status 200.
    const hasResponse = response !== null && response.status !== 503 && !response.text.includes('"SERVICE_UNAVAILABLE"');
    if (!hasResponse) this.withoutResponse++;
    else if (response.status < 300 && !/"errors":\[\{/.test(response.text)) this.written++;
    else {
      this.refused.push(response.text.slice(0, 300));
      return null;
    }
    return hasResponse ? response : null;
  }
}

/** Changes at the source: new records, new values, deletions. */
class Source {
  readonly ids: string[] = [];
  readonly #ledger: Ledger;
  readonly #below: (limit: number) => number;
  changes = 0;

  constructor(ledger: Ledger, below: (limit: number) => number) {
    this.#ledger = ledger;
    this.#below = below;
    for (let index = 0; index < FIRST; index++) this.add();
  }

  add(): void {
    const id = `S-${String(this.ids.length).padStart(5, '0')}`;
    this.ids.push(id);
    this.#ledger.put('CONTACT', { platform_id: id, name: `Source ${id}`, email: 'start@example.com' });
  }

  change(): void {
    this.changes++;
    const kind = this.#below(10);
    const id = oneOf(this.ids, this.#below);
    const isThere = this.#ledger.rows('CONTACT').some((row) => row.platform_id === id);
    if (kind < 2 || !isThere) this.add();
    else if (kind < 4) this.#ledger.remove('CONTACT', id);
    else this.#ledger.put('CONTACT', { platform_id: id, name: `Source ${id}`, email: `there${this.changes}@example.com` });
  }
}

it('a hostile ledger and kill -9 leave both sides the same, each write with one effect, and nothing lost', {
  timeout: 180_000 + KILLS * 30_000 + QUIET_MS,
}, async () => {
  const below = sequence(SEED);
  const ledger = await startLedger();
  const source = new Source(ledger, below);
  const callers = new Callers(below);
  const place = await ownPlace();
  const settings = { ...place.settings, CONNECTOR_PRIVATE_HOSTS: '127.0.0.1' };
  let running = await program.start(settings);
  const caller: Caller = {
    origin: running.origin,
    key: await issueKey(running.origin, ['INTEGRATIONS']),
    base: '',
    company: 0,
    connection: '',
  };
  const made = await call(caller.origin, caller.key, 'POST', '/v4/core/companies', { data: { name: 'Hostile' } });
  caller.company = made.body.data.ledger_id;
  caller.base = `/v4/core/companies/${caller.company}`;
  const connected = await ask(caller, 'POST', '/connections', {
    source: 'DEMO',
    settings: { url: ledger.url, apiKey: ledger.apiKey },
    interval_minutes: 1,
  });
  expect(connected.status, connected.text).toBe(201);
  caller.connection = connected.body.data.id;

  ledger.isShifting = true;
  ledger.allowance = { perSecond: 25, aheadMs: 3_600_000 };
  const misdeeds = ['fail', 'html', 'slow', 'drop', 'drop', 'lose'] as const;
  const failures: Record<string, number> = {};
  ledger.failure = () => {
    const chance = below(100);
    const failure = misdeeds[chance];
    if (failure) failures[failure] = (failures[failure] ?? 0) + 1;
    return failure;
  };

  /** Gives the connection the key that the ledger accepts, where it has none. */
  const relink = async (): Promise<boolean> => {
    const state = await ask(caller, 'GET', `/connections/${caller.connection}`).catch(() => null);
    if (state?.body?.data?.status !== 'NEEDS_REAUTH') return false;
    const response = await ask(caller, 'PATCH', `/connections/${caller.connection}`, { settings: { apiKey: ledger.apiKey } }).catch(
      () => null,
    );
    return response?.status === 200;
  };
  let [revoked, relinked] = [0, 0];
  for (let kill = 0; kill < KILLS; kill++) {
    let isAlive = true;
    const enough = callers.written + 6 + below(10);
    const loop = async (work: () => Promise<unknown>, pause: number): Promise<void> => {
      while (isAlive) {
        await work();
        await setTimeout(below(pause));
      }
    };
    const load = Promise.all([
      ...Array.from({ length: WRITERS }, () => loop(async () => callers.written < enough && callers.write(caller, source.ids), 60)),
      loop(async () => source.change(), 80),
      loop(
        () => ask(caller, 'POST', `/connections/${caller.connection}/sync${below(4) === 0 ? '?full_sync=true' : ''}`).catch(() => null),
        600,
      ),
      loop(async () => {
        if (await relink()) relinked++;
        else if (below(8) === 0) {
          ledger.apiKey = `key-${++revoked}`;
        }
      }, 700),
    ]);
    // Some are killed as soon as they have stored the writes, or while they look for what the process before them was doing.
    const effects = ledger.effects.length + below(4);
    while (callers.written < enough || ledger.effects.length < effects) await Promise.race([load, setTimeout(5)]);
    await setTimeout(below(400));
    await running.end('SIGKILL');
    isAlive = false;
    await load;
    running = await program.start(settings);
    caller.origin = running.origin;
  }

  // Quiet: the ledger behaves, the connection has its key, and whatever was queued comes to its end.
  ledger.failure = () => undefined;
  const began = Date.now();
  const pulls: string[] = [];
  const quiet = async (): Promise<Record<string, number>> => {
    for (;;) {
      if (await relink()) relinked++;
      const open: Row[] = [];
      for (const status of ['PENDING', 'RUNNING']) open.push(...(await ask(caller, 'GET', `/syncs?status=${status}`)).body.data.syncs);
      const counts = await states(caller);
      if (open.length === 0 && !counts.PENDING_PUSH) return counts;
      if (Date.now() - began > QUIET_MS)
        throw new Error(`not quiet: ${JSON.stringify({ open, counts, pulls: pulls.slice(-5) })}; seed ${SEED}`);
      await setTimeout(500);
    }
  };
  /** A full pull to its end. */
  const pull = async (): Promise<void> => {
    for (;;) {
      const response = await ask(caller, 'POST', `/connections/${caller.connection}/sync?full_sync=true`);
      await quiet();
      if (response.status === 201) {
        const { text, body } = await call(caller.origin, caller.key, 'GET', `/v4/core/syncs/${response.body.data.id}`);
        if (body.data.status === 'SUCCESS') return;
        pulls.push(text);
        // It waits where the source has deleted more records since the last pull than a pull marks deleted on its own.
        const query = 'mutation ($id: ID!) { confirmSync(input: { id: $id }) { errors { code message } } }';
        if (body.data.status === 'PENDING_CONFIRMATION') await graphql(caller, query, { id: body.data.id });
      } else pulls.push(response.text);
    }
  };
  await pull();
  const undecided = await quiet();
  const conflicts = (await all(caller, 'contacts')).filter(({ source_state }) => source_state === 'CONFLICT');
  // What only callers change has another version nowhere.
  const ofCallers = conflicts.filter(({ platform_id: platformId }) => !source.ids.includes(String(platformId)));
  expect(ofCallers, `seed ${SEED}`).toEqual([]);
  for (const { ledger_id: id } of conflicts) {
    const query = 'mutation ($input: ResolveConflictInput!) { resolveConflict(input: $input) { errors { code message } } }';
    const response = await graphql(caller, query, { input: { id: `contact_${id}`, keep: below(2) === 0 ? 'LOCAL' : 'SOURCE' } });
    expect(response.text).toContain('"errors":[]');
  }
  await pull();
  const quietAfter = Date.now() - began;
  const decided = await quiet();

  const contacts = await all(caller, 'contacts');
  const orders = await all(caller, 'purchase_orders');
  console.log(
    `ledger: seed ${SEED}, ${KILLS} kills; ${callers.written} writes acknowledged, ${callers.withoutResponse} without a response, ${callers.refused.length} refused; ${source.changes} changes at the source; ${ledger.requests} requests, ${ledger.limited} limited, ${ledger.beyond} beyond; ${JSON.stringify(failures)}; ${revoked} revocations, ${relinked} links; ${ledger.effects.length} effects; ${contacts.length} contacts and ${orders.length} orders; before decisions ${JSON.stringify(undecided)}; quiet after ${Math.round(quietAfter / 1_000)} s${callers.refused[0] ? `; ${callers.refused[0]}` : ''}`,
  );
  const shown = (rows: Row[], names: string[]): Map<unknown, Row> =>
    new Map(rows.map((row) => [row.platform_id, Object.fromEntries(names.map((name) => [name, row[name] ?? null]))]));
  const context = `seed ${SEED}`;
  expect(shown(contacts, ['name', 'email']), context).toEqual(shown(ledger.rows('CONTACT'), ['name', 'email']));
  expect(shown(orders, ['document_number']), context).toEqual(shown(ledger.rows('PURCHASE_ORDER'), ['document_number']));
  expect(decided, context).toEqual({ IN_SYNC: contacts.length + orders.length });
  // Each write had one effect: no creation or update happened twice, and every record that a caller made was made once.
  const keys = ledger.effects.map(({ method, id, key }) => `${method} ${id} ${key}`);
  expect(
    keys.filter((key, index) => keys.indexOf(key) !== index),
    context,
  ).toEqual([]);
  const creations = ledger.effects
    .filter(({ method }) => method === 'POST')
    .flatMap(({ record }) => [record.name ?? record.document_number ?? []].flat());
  expect(
    creations.filter((name, index) => creations.indexOf(name) !== index),
    context,
  ).toEqual([]);
  // Nothing of the callers is lost.
  const byName = new Map(contacts.map((row) => [row.name, row]));
  const lost = [...callers.known].filter(([, { names }]) => !names.has(null) && ![...names].some((name) => byName.has(name)));
  for (const [, { ledgerId }] of lost) {
    const { text } = await ask(caller, 'GET', `/contacts/${ledgerId}?select=source_state`);
    const sent = ledger.effects.filter(({ record }) =>
      lost.some(([first, { names }]) => [first, ...names].includes(record.name as string)),
    );
    console.log(`lost: ${text}; effects ${JSON.stringify(sent)}`);
  }
  expect(lost, context).toEqual([]);
  const isDeleted = ({ names }: Known): boolean => names.size === 1 && names.has(null);
  const back = [...callers.known].filter(([name, known]) => isDeleted(known) && byName.has(name));
  expect(back, context).toEqual([]);
  const numbers = new Set(orders.map(({ document_number }) => document_number));
  expect(
    [...callers.orders].filter((number) => !numbers.has(number)),
    context,
  ).toEqual([]);
  expect(callers.refused, context).toEqual([]);
  expect(ledger.beyond, context).toBe(0);
  await running.end('SIGTERM');
  await place.remove();
  await ledger.stop();
});

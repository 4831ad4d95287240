// Pollers that follow the recipes of docs/guides/lists.md and feeds.md next to writers. They see every version that was stored last and every event,
// those of a record in their order. The feeds are read while the gateway is killed.
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { useGateway } from '../support/gateway.ts';
import { issueKey, ownPlace, type Place, program, type RunningProgram } from '../support/program.ts';
import { buildCompany, type TestCompany } from '../support/records.ts';
import { endOfSync } from '../support/syncs.ts';

const gateway = useGateway();
const rounds = Number(process.env.SUITE_ROUNDS ?? 1);
const seed = Number(process.env.SUITE_SEED ?? Date.now() % 1_000_000);
const WRITERS = 4;
const WRITES = 40;
const BATCHES = 4;
const BATCH = 600;
const random = seededRandom(seed);
/** Records that a list showed after its end. */
let beyond = 0;

function seededRandom(start: number): () => number {
  let state = start;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

interface Item {
  platform_id: string;
  name: string;
  ledger_created_at: string;
  ledger_updated_at: string;
}

/** Walks the items from a mark on to the end, and returns the mark of the next walk: the largest stamp that was seen. */
async function walk(company: TestCompany, order: 'ledger_updated_at' | 'ledger_created_at', mark: string, see: (item: Item) => void) {
  let largest = mark;
  let cursor = '';
  do {
    const query = `limit=100&order_by=${order}&${order}[gte]=${encodeURIComponent(mark)}${cursor && `&next=${encodeURIComponent(cursor)}`}`;
    const { status, body, text } = await gateway.send('GET', `${company.base}/items?${query}`, { headers: company.headers });
    expect(status, text).toBe(200);
    for (const item of body.data as Item[]) {
      beyond += Number(!(item[order] < body.pagination.settled_until));
      expect(item[order] >= largest).toBe(true);
      largest = item[order];
      see(item);
    }
    cursor = body.pagination.next ?? '';
  } while (cursor);
  return largest;
}

/** Follows the items until `isOver` held before a walk began; returns the names that were seen of each, in their order. */
async function poll(company: TestCompany, order: 'ledger_updated_at' | 'ledger_created_at', isOver: () => boolean) {
  const seen = new Map<string, string[]>();
  let mark = '2000-01-01T00:00:00.000Z';
  for (let isLast = false; !isLast; ) {
    isLast = isOver();
    mark = await walk(company, order, mark, ({ platform_id, name }) => {
      const names = seen.get(platform_id) ?? [];
      if (names.at(-1) !== name) seen.set(platform_id, [...names, name]);
    });
  }
  return seen;
}

/** Writes items one after the other, some of them again; notes the last name of each. */
async function write(origin: string, company: TestCompany, writer: number, stored: Map<string, number>): Promise<void> {
  for (let turn = 0; turn < WRITES; turn++) {
    const platform_id = `w${writer}-${Math.floor(random() * WRITES)}`;
    const body = JSON.stringify({ data: { platform_id, name: String(turn) } });
    const headers = { ...company.headers, 'content-type': 'application/json' };
    const response = await fetch(`${origin}${company.base}/items`, { method: 'PUT', headers, body });
    expect(response.status, await response.text()).toBeLessThan(300);
    stored.set(platform_id, turn);
  }
}

async function writeBatch(company: TestCompany, batch: number, stored: Map<string, number>): Promise<void> {
  const data = Array.from({ length: BATCH }, (_, index) => ({ platform_id: `b${batch % 2}-${index}`, name: String(batch) }));
  const { status, body, text } = await gateway.send('PUT', `${company.base}/items?run_async=true`, {
    headers: company.headers,
    body: { data },
  });
  expect(status, text).toBeLessThan(300);
  const { status: end } = await endOfSync(gateway, company, body.data.sync_id);
  expect(end).toBe('SUCCESS');
  for (const { platform_id } of data) stored.set(platform_id, batch);
}

describe.each(Array.from({ length: rounds }, (_, round) => round))('pollers next to writers, round %i', (round) => {
  let company: TestCompany;
  beforeAll(async () => {
    company = await buildCompany(gateway);
  });

  it('the documented recipe misses no record and no last version', async () => {
    const stored = new Map<string, number>();
    let isOver = false;
    const batches = (async () => {
      for (let batch = 0; batch < BATCHES; batch++) await writeBatch(company, batch, stored);
    })();
    const singles = Array.from({ length: WRITERS }, (_, writer) => write(gateway.origin, company, writer, stored));
    const written = Promise.all([batches, ...singles]).finally(() => {
      isOver = true;
    });
    const [updated, created] = await Promise.all([
      poll(company, 'ledger_updated_at', () => isOver),
      poll(company, 'ledger_created_at', () => isOver),
      written,
    ]);
    const missed = [...stored].filter(([id, version]) => updated.get(id)?.at(-1) !== String(version));
    const neverSeen = [...stored.keys()].filter((id) => !created.has(id));
    const outOfOrder = [...updated.values()].filter((names) =>
      names.some((name, index) => index > 0 && Number(name) < Number(names[index - 1])),
    );
    console.log(
      `poll: seed ${seed}, round ${round}: ${stored.size} records, ${missed.length} missed by ledger_updated_at, ${neverSeen.length} by ledger_created_at, ${outOfOrder.length} out of order, ${beyond} beyond the end`,
    );
    expect({ missed, neverSeen, outOfOrder, beyond }).toEqual({ missed: [], neverSeen: [], outOfOrder: [], beyond: 0 });
  });
});

it('the totals and the list the other way around show what was just written', async () => {
  const company = await buildCompany(gateway);
  await write(gateway.origin, company, 0, new Map());
  const { body } = await gateway.send('GET', `${company.base}/items?limit=1&order_by=-ledger_updated_at`, { headers: company.headers });
  expect(body.data[0].name).toBe(String(WRITES - 1));
  expect(body.pagination).not.toHaveProperty('settled_until');
});

/** Least turns of each writer of a round, and its records: the first are its own, the others those of all writers. */
const TURNS = 12;
const OWN = 8;
const SHARED = 3;
/** Records of a batch and of an imported file, and how many of each. */
const SENT = 60;
const SENDINGS = 2;

/** A gateway that is killed and started again while others call it; a call that got no response is repeated. */
class KilledGateway {
  readonly #place: Place;
  #running: RunningProgram | undefined;
  #starting: Promise<unknown> = Promise.resolve();
  key = '';

  constructor(place: Place) {
    this.#place = place;
  }

  async start(): Promise<void> {
    this.#starting = program.start(this.#place.settings).then((running) => {
      this.#running = running;
    });
    await this.#starting;
  }

  /** Without warning, and at once started again. */
  async kill(): Promise<void> {
    await this.end();
    await this.start();
  }

  async end(): Promise<void> {
    await this.#running?.end('SIGKILL');
  }

  async issueKey(): Promise<void> {
    this.key = await issueKey(this.#running!.origin, ['PLATFORM', 'INTEGRATIONS']);
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests look into responses by path.
  async call(method: string, path: string, body?: string | FormData): Promise<any> {
    for (;;) {
      await this.#starting;
      const headers = {
        authorization: `Bearer ${this.key}`,
        api_key: this.key,
        ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
      };
      try {
        const response = await fetch(this.#running!.origin + path, {
          method,
          headers,
          ...(body === undefined ? {} : { body }),
        });
        const text = await response.text();
        if (response.status !== 503) {
          // A deletion that was repeated, because its response was lost, finds the record deleted.
          if (method !== 'DELETE' || response.status !== 404) expect(response.status, `${method} ${path}: ${text}`).toBeLessThan(300);
          return text === '' ? undefined : JSON.parse(text);
        }
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
      }
      await pause(20);
    }
  }
}

/** A version of a record as a feed showed it: when it was made, and its name. */
interface Version {
  at: string;
  name: string;
}

/** Reads a feed until `isOver` held before a page that was the last; returns the versions of each record in their order. */
async function follow<Entry>(
  gateway: KilledGateway,
  path: string,
  isOver: () => boolean,
  versionOf: (entry: Entry) => [record: string, version: Version] | undefined,
): Promise<Map<string, Version[]>> {
  const seen = new Map<string, Version[]>();
  for (let after = ''; ; ) {
    const wasOver = isOver();
    const { data, pagination } = await gateway.call('GET', `${path}limit=50&after=${after}`);
    for (const entry of data as Entry[]) {
      const [record, version] = versionOf(entry) ?? [];
      if (record !== undefined) seen.set(record, [...(seen.get(record) ?? []), version!]);
    }
    after = pagination.next;
    if (!pagination.has_more && wasOver) return seen;
    if (!pagination.has_more) await pause(20);
  }
}

interface ChangeEntry {
  data_model: string;
  platform_id: string;
  operation: string;
  changed_at: string;
  record: { name: string };
}

interface EventEntry {
  topic: string;
  operation: string;
  subject_id: string;
  data: { platform_id: string; name: string; ledger_updated_at: string; ledger_deleted_at?: string };
}

const DELETED = 'deleted';

/** Records whose versions came out of their order, or one of them twice. */
const disordered = (seen: Map<string, Version[]>): string[] =>
  [...seen]
    .filter(([, versions]) => versions.some(({ at }, index) => index > 0 && at <= versions[index - 1]!.at))
    .map(([record]) => record);

it.each(Array.from({ length: rounds }, (_, round) => round))(
  'the feeds miss nothing and keep the order of each record, while the gateway is killed, round %i',
  { timeout: 300_000 },
  async (round) => {
    const place = await ownPlace();
    const gateway = new KilledGateway(place);
    try {
      await gateway.start();
      await gateway.issueKey();
      const { ledger_id: id } = (await gateway.call('POST', '/v4/core/companies', JSON.stringify({ data: { name: 'Polled' } }))).data;
      const base = `/v4/core/companies/${id}`;
      await gateway.call('GET', '/api/v1/events');
      /** Each version that was acknowledged, by the source id of its record and its name. */
      const stored = new Map<string, string>();
      const acknowledged: [record: string, name: string][] = [];
      const note = (record: string, name: string): void => {
        if (!record.startsWith('shared')) acknowledged.push([record, name]);
        stored.set(record, name);
      };
      const put = (list: string, platform_id: string, name: string) =>
        gateway.call('PUT', `${base}/${list}`, JSON.stringify({ data: { platform_id, name } }));
      const isEnded = async (sync: string): Promise<void> => {
        for (;;) {
          const { data } = await gateway.call('GET', `/v4/core/syncs/${sync}`);
          if (data.endTime !== null) return expect(data.status, JSON.stringify(data)).toBe('SUCCESS');
          await pause(20);
        }
      };
      const write = async (writer: number): Promise<void> => {
        for (let turn = 0; turn < TURNS || !isKilled; turn++) {
          const number = Math.floor(random() * (OWN + SHARED));
          const record = number < OWN ? `w${writer}-${number}` : `shared-${number - OWN}`;
          await put('items', record, `${writer} ${turn}`);
          note(record, `${writer} ${turn}`);
        }
        const { data } = (await put('items', `w${writer}-gone`, 'gone')).data;
        note(`w${writer}-gone`, 'gone');
        await gateway.call('DELETE', `${base}/items/${data.ledger_id}`);
        note(`w${writer}-gone`, DELETED);
      };
      const sendBatches = async (): Promise<void> => {
        for (let sending = 0; sending < SENDINGS; sending++) {
          const data = Array.from({ length: SENT }, (_, n) => ({ platform_id: `b-${n}`, name: `batch ${sending}` }));
          await isEnded((await gateway.call('PUT', `${base}/items?run_async=true`, JSON.stringify({ data }))).data.sync_id);
          for (const { platform_id, name } of data) note(platform_id, name);
        }
      };
      /** Starts a sync; one that a kill has left in progress is waited for. */
      const startSync = async (): Promise<string> => {
        for (;;) {
          try {
            return (await gateway.call('POST', `${base}/syncs`, JSON.stringify({ data: {} }))).data.id;
          } catch (error) {
            if (!String(error).includes('SYNC_IN_PROGRESS')) throw error;
            await pause(100);
          }
        }
      };
      const sendFiles = async (): Promise<void> => {
        for (let sending = 0; sending < SENDINGS; sending++) {
          const rows = Array.from({ length: SENT }, (_, n) => `f-${n},file ${sending}\n`);
          const form = new FormData();
          form.set('data_model', 'CONTACT');
          form.set('file', new Blob([`platform_id,name\n${rows.join('')}`]), 'contacts.csv');
          await gateway.call('POST', `${base}/imports`, form);
          await isEnded(await startSync());
          for (let n = 0; n < SENT; n++) note(`f-${n}`, `file ${sending}`);
        }
      };
      let isOver = false;
      let isKilled = false;
      const sent = Promise.all([sendBatches(), sendFiles()]);
      // The kill comes in the middle of a batch or file too, except in the small form: another process continues such work only after ten seconds.
      const kill = async (): Promise<void> => {
        if (rounds === 1) await sent;
        else await pause(random() * 1_500);
        await gateway.kill();
        isKilled = true;
      };
      const written = Promise.all([...Array.from({ length: WRITERS }, (_, writer) => write(writer)), sent, kill()]).finally(() => {
        isOver = true;
      });
      const [changes, events] = await Promise.all([
        follow<ChangeEntry>(
          gateway,
          `${base}/changes?select=record&`,
          () => isOver,
          ({ platform_id, operation, changed_at, record }) => [
            platform_id,
            { at: changed_at, name: operation === 'DELETED' ? DELETED : record.name },
          ],
        ),
        follow<EventEntry>(
          gateway,
          '/api/v1/events?',
          () => isOver,
          ({ topic, operation, subject_id, data }) =>
            topic === 'DATA_MODEL_CHANGES'
              ? [
                  subject_id,
                  {
                    at: data.ledger_deleted_at ?? data.ledger_updated_at,
                    name: operation === 'DELETE' ? DELETED : `${data.platform_id}=${data.name}`,
                  },
                ]
              : undefined,
        ),
        written,
      ]);
      const reported = new Set([...events.values()].flatMap((versions) => versions.map(({ name }) => name)));
      const missed = [...stored].filter(([record, name]) =>
        record.startsWith('shared') ? !changes.has(record) : changes.get(record)?.at(-1)?.name !== name,
      );
      const unreported = acknowledged.filter(([record, name]) => !reported.has(name === DELETED ? DELETED : `${record}=${name}`));
      const lastOf = (seen: Map<string, Version[]>): number =>
        [...seen.values()].filter((versions) => versions.at(-1)!.name === DELETED).length;
      const figures = {
        missed,
        unreported,
        disorderedChanges: disordered(changes),
        disorderedEvents: disordered(events),
        deleted: [lastOf(changes), lastOf(events)],
      };
      console.log(
        `poll: seed ${seed}, round ${round}: ${stored.size} records, ${acknowledged.length} acknowledged versions, ${[...changes.values()].flat().length} changes, ${[...events.values()].flat().length} events; ${missed.length} missed, ${unreported.length} unreported, ${figures.disorderedChanges.length} and ${figures.disorderedEvents.length} out of order`,
      );
      expect(figures).toEqual({ missed: [], unreported: [], disorderedChanges: [], disorderedEvents: [], deleted: [WRITERS, WRITERS] });
    } finally {
      await gateway.end();
      await place.remove();
    }
  },
);

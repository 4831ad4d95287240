// Every connector through one list of failures. A run that lost something is not a success and names the cause. It deletes nothing, ends and holds up
// nobody else, and the next honest run has all books again.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLIENT } from '../support/authorisation.ts';
import { ownRun, runOf } from '../support/connections.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { type Ledger, startLedger } from '../support/ledger.ts';
import { buildCompany, type TestCompany } from '../support/records.ts';
import { endOfSync, jobsOf } from '../support/syncs.ts';
import { type Fate, type Plain, type SourceRow, type Spoiling, type Stand, startStands, type Wire } from './source-stands.ts';

const NAMES = ['Tryton', 'Xero', 'Singer program', 'Airbyte program', 'files', 'demo ledger'] as const;
type Name = (typeof NAMES)[number];
const HTTP: readonly Name[] = ['Tryton', 'Xero', 'demo ledger'];
const PROGRAMS: readonly Name[] = ['Singer program', 'Airbyte program'];

const IS_LARGE = Number(process.env.SUITE_ROUNDS ?? 0) > 0;

/**
 * The outcome that a run must have. `lost` fails with a message, `refused` stores the rest and names the record, and `whole` has everything. After
 * `either`, it fails with a message or has everything.
 */
type Ending = 'lost' | 'refused' | 'whole' | 'either';

interface Misfortune {
  title: string;
  /** The connectors that it may befall; all when absent. */
  befalls?: readonly Name[];
  /** Why it befalls no others. */
  reason?: string;
  ending: Ending | ((stand: Stand) => Ending);
  /** Words of the cause, in the jobs and at the connection. Absent where no run may fail. */
  words?: RegExp | ((name: Name) => RegExp);
  /** Whether every record is asked for. */
  isFull?: boolean;
  spoiling?: Spoiling;
  /** What happens in the books of the source before the run. */
  change?: (stand: Stand, books: Books) => void;
  /** Whether the next honest run asks for everything: until then a record is kept that was rejected and has no id to know it by. */
  isRecoveredFully?: boolean;
  /** What the source does about it before the honest run. */
  repair?: (stand: Stand, books: Books) => void;
}

/** What the gateway has to have, by data model and id: name and price. */
class Books {
  readonly #stand: Stand;
  readonly rows = new Map<string, Plain>();
  constructor(stand: Stand) {
    this.#stand = stand;
  }
  contact(at: number, plain: Plain | null): void {
    this.#set('CONTACT', at, plain);
  }
  item(at: number, digits: string, more: object = {}): void {
    this.#set('ITEM', at, { name: `Item ${at}`, price: this.#stand.amount(digits), digits, ...more });
  }
  #set(kind: 'CONTACT' | 'ITEM', at: number, plain: (Plain & { digits?: string }) | null): void {
    const { digits, ...sent } = plain ?? {};
    this.#stand.put(kind, at, plain && (sent as Plain));
    const key = `${kind} ${this.#stand.idOf(at)}`;
    if (plain) this.rows.set(key, { name: plain.name, price: digits === undefined ? null : Number(digits) || 0 });
    else this.rows.delete(key);
  }
}

// How a response is spoiled, at its first page or in the middle.
const inList =
  (from: number, end: ReturnType<Fate> | ((wire: Wire) => ReturnType<Fate>)): Fate =>
  (wire) =>
    wire.kind === 'CONTACT' && wire.count >= from ? (typeof end === 'function' ? end(wire) : end) : undefined;
const text = (body: string, headers = { 'content-type': 'application/json' }): Partial<Wire> => ({ text: body, headers });
const status = (code: number, headers: Record<string, string> = {}, body = '{"message":"no"}'): Partial<Wire> => ({
  status: code,
  text: body,
  headers,
});
const HALF = (wire: Wire): Partial<Wire> => ({ text: wire.text.slice(0, wire.text.length / 2) });
const http = (title: string, wire: Fate, words: RegExp, more: Partial<Misfortune> = {}): Misfortune => ({
  title,
  befalls: HTTP,
  reason: 'makes no HTTP calls',
  ending: 'lost',
  words,
  spoiling: { wire },
  ...more,
});
/** Lines of a program to one of its contacts. */
const cutAt =
  (part: number, end: object, inLine = false) =>
  (lines: string[]) => {
    const kept = lines.slice(0, Math.floor(lines.length * part));
    const next = lines[kept.length];
    return { lines: inLine && next ? [...kept, next.slice(0, next.length / 2)] : kept, ...end };
  };
const program = (title: string, output: Spoiling['output'], words: RegExp, more: Partial<Misfortune> = {}): Misfortune => ({
  title,
  befalls: PROGRAMS,
  reason: 'is no program',
  ending: 'lost',
  words,
  spoiling: { output },
  ...more,
});
const file = (title: string, spoiled: Spoiling['file'], words: RegExp, more: Partial<Misfortune> = {}): Misfortune => ({
  title,
  befalls: ['files'],
  reason: 'is no file',
  ending: 'lost',
  words,
  spoiling: { file: spoiled },
  ...more,
});
/** One contact whose name is strange, until it is corrected. */
const strangeName = (title: string, name: unknown, ending: Ending, words = /name|NUL/): Misfortune => ({
  title,
  ending,
  words,
  change: (_stand, books) => books.contact(2, { name }),
  repair: (_stand, books) => books.contact(2, { name: 'Contact 2' }),
});
const strangePrice = (title: string, digits: string, ending: Ending, words = /price/): Misfortune => ({
  title,
  ending,
  words,
  change: (_stand, books) => books.item(1, digits),
  repair: (_stand, books) => books.item(1, '10.25'),
});
const rows = (
  title: string,
  spoiled: Spoiling['rows'],
  ending: Misfortune['ending'],
  words: Misfortune['words'],
  more: Partial<Misfortune> = {},
): Misfortune => ({
  title,
  ending,
  words,
  isFull: true,
  spoiling: { rows: spoiled },
  ...more,
});

/** What is said of one contact that is shown by a strange id; the sources whose ids are checked before have words of their own. */
const strangeId = (title: string, strange: unknown, words: RegExp): Misfortune =>
  rows(
    title,
    (all, id) => [{ ...all[0], [id]: strange }, ...all.slice(1)],
    'lost',
    (name) => {
      if (name === 'Tryton') return /Tryton did not return JSON in its format/;
      return PROGRAMS.includes(name) && typeof strange !== 'string' ? /makes a record without a text as platform_id/ : words;
    },
    { isRecoveredFully: true },
  );

/** The words about a value in the place of a list, or of a record. */
const noRecords = (name: Name): RegExp => {
  if (PROGRAMS.includes(name)) return /wrote a RECORD message without (record|data)/;
  if (name === 'files') return /record 1 must be an object|file has no records/;
  return name === 'demo ledger' ? /did not return a page of records/ : new RegExp(`${name} did not return .*in its format`);
};

const DAY_MS = 86_400_000;
/** Longer than a source that failed is not called. */
const PAUSE_MS = 20 * 60_000;
const UNREADABLE = /JSON|format|response|return|cannot read|did not/;
const MISFORTUNES: readonly Misfortune[] = [
  http('wrong password', () => status(401), /credentials/),
  http('revoked in the middle', inList(2, status(401)), /credentials/, { isFull: true }),
  program('wrong password', cutAt(0, { exit: 1, error: 'CRITICAL 401 Unauthorized for url\n' }), /401 Unauthorized/),
  program('revoked in the middle', cutAt(0.5, { exit: 1, error: 'CRITICAL 401 Unauthorized for url\n' }), /401 Unauthorized/, {
    isFull: true,
  }),
  http(
    'forbidden',
    inList(1, status(403, {}, '{"message":"the books are closed","Detail":"the books are closed"}')),
    /closed|not accept|sign-in/,
  ),
  http('not found', inList(1, status(404)), /404|rejected|database|\bno\b/),
  http('500 at first', inList(1, status(500)), /status 500/, { isFull: true }),
  http('500 in the middle', inList(2, status(500)), /status 500/, { isFull: true }),
  http(
    '503 once',
    inList(1, (wire) => (wire.count === 1 ? status(503) : undefined)),
    /503/,
    { ending: 'whole' },
  ),
  http(
    'too many requests',
    inList(1, (wire) => (wire.count === 1 ? status(429, { 'retry-after': '1' }) : undefined)),
    /limit/,
    { ending: 'whole' },
  ),
  http('drip', inList(1, 'drip'), /no complete response/),
  http('silence', inList(1, 'silence'), /no complete response/),
  http('connection reset', inList(1, 'reset'), /cannot be reached|no complete response/),
  http('half a response', inList(2, 'cut'), /cannot be reached|no complete response/, { isFull: true }),
  http('half a text', inList(2, HALF), UNREADABLE, { isFull: true }),
  http('not JSON', inList(1, text('it works!')), UNREADABLE),
  http('HTML error page', inList(1, text('<html><h1>Maintenance</h1></html>', { 'content-type': 'text/html' })), UNREADABLE),
  http('nothing', inList(1, text('')), UNREADABLE),
  http('204 without content', inList(1, status(204, {}, '')), UNREADABLE),
  http('null', inList(1, text('null')), UNREADABLE),
  http('a list', inList(1, text('[]')), UNREADABLE),
  http('an empty object', inList(1, text('{}')), UNREADABLE),
  http('redirect', inList(1, status(302, { location: 'http://127.0.0.1:9/' })), /302|redirect/),
  http('TLS where plain text is expected', inList(1, 'tls'), /cannot be reached|no complete response/),
  http('the same cursor for ever', endless(), /without an end|cursor|not requested/, { isFull: true }),
  rows(
    'empty',
    () => [],
    (stand) => (HTTP.includes(stand.name as Name) ? 'either' : 'lost'),
    /no longer shows|no records|without an end/,
  ),
  rows(
    'a part of the records',
    (all) => all.slice(0, Math.max(1, all.length - 25)),
    (stand) => (HTTP.includes(stand.name as Name) ? 'either' : 'lost'),
    /no longer shows/,
    {
      befalls: NAMES.filter((name) => name !== 'files'),
      reason: 'a file that ends at a record is whole; of fewer than 20 records less nothing is known',
    },
  ),
  rows('records twice', (all) => [...all, ...all], 'whole', undefined),
  rows('records backwards', (all) => all.toReversed(), 'either', /not requested|order/),
  rows('no list of records', () => 'none', 'lost', noRecords),
  rows('records of a wrong type', (all) => [7, ...all.slice(1)], 'lost', noRecords),
  rows('a record that is null', (all) => [null, ...all.slice(1)], 'lost', noRecords),
  strangeId('a record without id', undefined, /platform_id is required/),
  strangeId('an id of a wrong type', { a: 1 }, /platform_id must be a string/),
  strangeId('NUL in an id', 'R\u0000', /data\[\d+\] contains a NUL character/),
  strangeId('an id of 10,000 characters', randomBytes(5_000).toString('hex'), /platform_id must have at most 255 characters/),
  strangeName('NUL in a text', 'a\u0000b', 'refused'),
  strangeName('unpaired surrogate', 'a\ud800b', 'refused'),
  strangeName('huge text', 'x'.repeat(2_000_000), 'refused'),
  strangeName('a text of a wrong type', { first: 'Ada' }, 'refused'),
  strangePrice('huge number', '12345678901234567890.125', 'refused'),
  strangePrice('zero', '0', 'whole'),
  strangePrice('negative zero', '-0', 'whole'),
  strangePrice('small number', '0.0000001', 'either'),
  {
    title: 'unknown words of an enum',
    ending: 'either',
    words: /status|sleeping/i,
    change: (_stand, books) => books.contact(2, { name: 'Contact 2', status: 'SLEEPING', ContactStatus: 'SLEEPING', active: 'SLEEPING' }),
    repair: (_stand, books) => books.contact(2, { name: 'Contact 2' }),
  },
  {
    title: 'deleted and made again',
    ending: 'whole',
    isFull: true,
    change: (_stand, books) => {
      books.contact(3, null);
      books.contact(3, { name: 'Contact 3 again' });
    },
    repair: (_stand, books) => books.contact(3, { name: 'Contact 3' }),
  },
  {
    title: 'merged',
    ending: 'whole',
    isFull: true,
    change: (_stand, books) => {
      books.contact(4, null);
      books.contact(5, { name: 'Contact 4 and 5' });
    },
    repair: (_stand, books) => {
      books.contact(4, { name: 'Contact 4' });
      books.contact(5, { name: 'Contact 5' });
    },
  },
  {
    title: 'renamed id',
    ending: 'whole',
    isFull: true,
    change: (_stand, books) => {
      books.contact(6, null);
      books.contact(999, { name: 'Contact 6' });
    },
    repair: (_stand, books) => {
      books.contact(999, null);
      books.contact(6, { name: 'Contact 6' });
    },
    isRecoveredFully: true,
  },
  ...[1, -1].map(
    (days): Misfortune => ({
      title: `clock of the source ${days > 0 ? 'ahead' : 'behind'} by a day`,
      befalls: ['Tryton', 'Xero'],
      reason: 'gives no times that a pull begins from',
      ending: 'whole',
      change: (stand, books) => {
        stand.skew!(days * DAY_MS);
        books.contact(7, { name: `Contact 7 after ${days}` });
      },
      repair: (stand, books) => {
        stand.skew!(-days * DAY_MS);
        books.contact(7, { name: 'Contact 7' });
      },
    }),
  ),
  ...[0, 0.1, 0.5, 0.999].map((part) =>
    program(`killed after ${part * 100} % of its lines`, cutAt(part, { exit: 9 }), /was ended by SIGKILL/, { isFull: true }),
  ),
  program('killed in the middle of a line', cutAt(0.5, { exit: 9 }, true), /SIGKILL|not JSON/, { isFull: true }),
  program('ends early with exit code 0, in the middle of a line', cutAt(0.5, { exit: 0 }, true), /not JSON|COMPLETE/, { isFull: true }),
  program(
    'ends with an error',
    cutAt(0.5, { exit: 3, error: 'Traceback (most recent call last):\n  File "x.py"\nKeyError: books\n' }),
    /KeyError: books/,
    { isFull: true },
  ),
  program('text between its messages', (lines) => ({ lines: [lines[0]!, '0\tit works!\n', ...lines.slice(1)] }), /not JSON/, {
    ending: 'either',
    isFull: true,
  }),
  program(
    'a cursor of another form',
    (lines) => ({ lines: lines.map((line) => line.replace(/\{"last":\d+\}/, '"\\u0000"')) }),
    /cursor|state/i,
    { isFull: true },
  ),
  file('half-written file', (all) => all.slice(0, all.length / 2), /JSON/),
  file('an empty file', () => '', /empty|no records|JSON/),
  file('an HTML page', () => '<!doctype html><html><body>Log in</body></html>', /HTML/),
  file('bytes that are not UTF-8', () => new Uint8Array(Buffer.from('[{"platform_id":"F-1","name":"Caf\u00e9"}]', 'latin1')), /UTF-8/),
];

/** Responses whose list never ends: Xero has ever more pages, the demo ledger one cursor, and Tryton its first rows. */
function endless(): Fate {
  let first: unknown;
  return inList(1, ({ text: body }) => {
    const shown = JSON.parse(body) as SourceRow & { pagination?: object; result?: SourceRow[] };
    if (shown.pagination) {
      // The time of the source counts, which continues without a wait.
      gateway.clock.advance(400);
      return { delayMs: 20, text: JSON.stringify({ ...shown, Contacts: [], pagination: { ...shown.pagination, pageCount: 1e6 } }) };
    }
    // Not the rows whose fields are read by their ids.
    if (shown.result && 'name' in (shown.result[0] ?? {})) return undefined;
    if (shown.result) {
      first ??= shown.result;
      return { text: JSON.stringify({ ...shown, result: first }) };
    }
    return { text: JSON.stringify({ ...shown, cursor: 'same', has_more: true }) };
  });
}

const DATA_MODELS = ['CONTACT', 'ITEM'];
/** What no text for a caller may have. */
const INTERNAL =
  /INTERNAL_ERROR|\bat \S+ \(|\.[jt]s:\d|TypeError|Cannot read prop|is not a function|select .* from|insert into|invalid byte|\[object /i;

let gateway: Gateway;
let honest: { ledger: Ledger; company: TestCompany; changes: number };
let stands: Stand[];
const told = new Map<string, Map<string, string>>();

beforeAll(async () => {
  gateway = await startGateway({
    connectorPrivateHosts: ['127.0.0.1'],
    connectorOauthClients: { XERO: CLIENT },
    sourceTimes: { callMs: 1_500, pageMs: 10_000, runMs: 20_000, retryMs: 1 },
  });
  stands = await startStands(gateway);
  const ledger = await startLedger();
  honest = { ledger, company: await buildCompany(gateway), changes: 0 };
  await ownRun(gateway, honest.company, await connect(honest.company, 'DEMO', { url: ledger.url, apiKey: ledger.apiKey }));
}, 120_000);
afterAll(async () => {
  const line = (title: string, cells: readonly string[]): string => title.padEnd(56) + cells.map((text) => text.padEnd(22)).join('');
  const table = [...Map.groupBy(MISFORTUNES, ({ title }) => title)].map(([title, entries]) => {
    const reason = entries.find((entry) => entry.reason)?.reason ?? '';
    const cells = NAMES.map(
      (name) => told.get(title)?.get(name) ?? (entries.some(({ befalls }) => befalls?.includes(name) ?? true) ? '' : '–'),
    );
    return line(title, cells) + (cells.includes('–') ? `– ${reason}` : '');
  });
  console.log([line('misfortune', NAMES), ...table].join('\n'));
  await gateway.stop();
  for (const stand of stands) await stand.stop();
  await honest.ledger.stop();
});

async function connect({ base, headers }: TestCompany, source: string, settings: Record<string, string>): Promise<string> {
  const data = { source, settings, interval_minutes: 43_200 };
  const response = await gateway.send('POST', `${base}/connections`, { headers, body: { data } });
  expect(response.status, response.text).toBe(201);
  return response.body.data.id;
}

/** A run of the two data models, to its end, with its jobs and the connection after it. */
async function run(company: TestCompany, id: string, isFull = false) {
  const body = { data: { dataModels: DATA_MODELS, fullSync: isFull } };
  for (;;) {
    const response = await gateway.send('POST', `${company.base}/syncs`, { headers: company.headers, body });
    if (response.status !== 201) {
      expect(response.body.error.error_code, response.text).toBe('SYNC_IN_PROGRESS');
      await new Promise((resolve) => setTimeout(resolve, 20));
      continue;
    }
    const sync = await endOfSync(gateway, company, response.body.data.id);
    const jobs = await jobsOf(gateway, company, sync.id);
    const connection = (await gateway.send('GET', `${company.base}/connections/${id}`, { headers: company.headers })).body.data;
    return { sync, jobs, connection };
  }
}

/** The stored records of a company: name and price by data model and id. */
async function stored({ id }: TestCompany): Promise<Map<string, Plain>> {
  const of = (kind: string, price: string): string =>
    `select '${kind} ' || platform_id as key, name, ${price} as price from ${kind.toLowerCase()} where company_id = ${id} and ledger_deleted_at is null`;
  const statement = `${of('CONTACT', 'null::float8')} union all ${of('ITEM', 'price::float8')}`;
  const found: { key: string; name: string; price: number | null }[] = await gateway.services.database.orm.em
    .fork()
    .getConnection()
    .execute(statement);
  return new Map(found.map(({ key, name, price }) => [key, { name, price: price === null ? null : Number(price) }]));
}

const sorted = (books: ReadonlyMap<string, Plain>): unknown[] =>
  [...books].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, { name, price }]) => [key, name, price || 0]);

/** Another organisation's source is pulled while a case runs. */
async function pullHonest(): Promise<void> {
  const name = `Honest ${++honest.changes}`;
  honest.ledger.put('CONTACT', { platform_id: 'H-1', name });
  const body = { data: { dataModels: ['CONTACT'] } };
  const response = await gateway.send('POST', `${honest.company.base}/syncs`, { headers: honest.company.headers, body });
  expect(response.status, response.text).toBe(201);
  expect(await endOfSync(gateway, honest.company, response.body.data.id)).toMatchObject({ status: 'SUCCESS' });
  expect(sorted(await stored(honest.company))).toEqual([['CONTACT H-1', name, 0]]);
}

/** A company that is connected to a stand and has its books. */
async function connected(stand: Stand) {
  const [company, books] = [await buildCompany(gateway), new Books(stand)];
  stand.spoil = {};
  // A case that failed leaves the source to be avoided for a while.
  gateway.clock.advance(PAUSE_MS);
  for (let at = 1; at <= stand.size; at++) books.contact(at, { name: `Contact ${at}` });
  for (const at of [1, 2, 3]) books.item(at, `${at}0.25`);
  await stand.show?.(gateway, company);
  const id = await connect(company, stand.source, stand.settings());
  await stand.link?.(gateway, company, id);
  if (stand.form === 'http') await runOf(gateway, company, id);
  expect(await run(company, id)).toMatchObject({ sync: { status: 'SUCCESS' } });
  return { company, books, id };
}

/** The connectors that meet a misfortune: all that can in the large form, and in the small form the next of them for each. */
function befallen(misfortune: Misfortune): readonly Name[] {
  const names = misfortune.befalls ?? NAMES;
  return IS_LARGE ? names : [names[MISFORTUNES.indexOf(misfortune) % names.length]!];
}

describe.each(NAMES)('%s', (name) => {
  /** What the cases share; made again after one that failed. */
  let shared: Awaited<ReturnType<typeof connected>> | undefined;

  it.each(MISFORTUNES.filter((misfortune) => befallen(misfortune).includes(name)))(
    '$title',
    async (misfortune) => {
      const { title, words: declared = /(?!)/, isFull } = misfortune;
      const words = typeof declared === 'function' ? declared(name) : declared;
      const note = (words: string): void => void told.set(title, (told.get(title) ?? new Map()).set(name, words));
      note('FAILS');
      const stand = stands.find((entry) => entry.name === name)!;
      const { company, id, books } = shared ?? (await connected(stand));
      shared = undefined;
      const before = await stored(company);
      expect(sorted(before)).toEqual(sorted(books.rows));
      const ending = typeof misfortune.ending === 'function' ? misfortune.ending(stand) : misfortune.ending;
      // Something has changed in any case: what is lost of it would be missed.
      books.contact(1, { name: `Contact 1 before ${title}` });
      misfortune.change?.(stand, books);
      stand.spoil = misfortune.spoiling ?? {};
      const refusal = await stand.show?.(gateway, company);
      const [{ sync, jobs, connection }] = await Promise.all([run(company, id, isFull), pullHonest()]);
      const after = await stored(company);
      const said = [refusal ?? '', ...jobs.map(({ errorMessage }) => errorMessage ?? '')].join('\n');
      const shown = JSON.stringify([sync, jobs, connection]);
      expect(shown).not.toMatch(INTERNAL);
      // Nothing is stored but what was there, or what is at the source now.
      for (const [key, row] of before) {
        const now = after.get(key);
        const wanted = books.rows.get(key);
        if (!now) expect(wanted, `${key} is gone`).toBeUndefined();
        else expect([row, wanted]).toContainEqual(now);
      }
      const isWhole = sync.status === 'SUCCESS' && refusal === undefined;
      if (isWhole) {
        expect(['whole', 'either'], `${sync.status}: ${said}`).toContain(ending);
        expect(sorted(after)).toEqual(sorted(books.rows));
        expect(connection).toMatchObject({ status: 'CONNECTED', status_reason: null });
      } else {
        expect(ending, said).not.toBe('whole');
        expect(said).toMatch(words);
        // Of rejected records the connection has the number alone, and their jobs say why.
        const isCounted = /^\d+ of the (CONTACT|ITEM) records cannot be stored|no longer shows 1 of/.test(connection.status_reason ?? '');
        if (refusal === undefined && !isCounted)
          expect(JSON.stringify([connection.status_reason, connection.data_model_states])).toMatch(words);
        if (ending === 'refused') {
          expect(sync.status).toBe('PARTIAL_SUCCESS');
          expect(after.get(`CONTACT ${stand.idOf(1)}`)).toEqual(books.rows.get(`CONTACT ${stand.idOf(1)}`));
        }
      }

      gateway.clock.advance(PAUSE_MS);
      stand.spoil = {};
      misfortune.repair?.(stand, books);
      await stand.show?.(gateway, company);
      const recovered = await run(company, id, misfortune.isRecoveredFully);
      expect(recovered.jobs.flatMap(({ errorMessage }) => errorMessage ?? [])).toEqual([]);
      expect(recovered).toMatchObject({ sync: { status: 'SUCCESS' }, connection: { status: 'CONNECTED', status_reason: null } });
      expect(sorted(await stored(company))).toEqual(sorted(books.rows));
      note(refusal === undefined ? sync.status : 'refused upload');
      shared = { company, id, books };
    },
    60_000,
  );
});

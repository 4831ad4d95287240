// A source system on the loopback interface that speaks the protocol of the demo ledger, and misbehaves as a test asks it to.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { idOf } from '../../src/integrations/connectors/demo/demo-connector.ts';

type Row = Record<string, unknown>;

/** A stored record with the number of its last change. */
interface Stored {
  record: Row;
  change: number;
  isDeleted: boolean;
}

/** What a failure does with a request; undefined lets it pass. */
export type Failure = (request: {
  method: string;
  path: string;
  count: number;
}) => 'limit' | 'fail' | 'deny' | 'html' | 'absent' | 'drop' | 'lose' | 'slow' | 'empty' | undefined;

/** The effect of an accepted write. */
export interface Effect {
  method: string;
  id: string;
  key: string | undefined;
  record: Row;
}

/** The ledger. */
export interface Ledger {
  url: string;
  /** The key it accepts; a test changes it to revoke the one of a connection. */
  apiKey: string;
  failure: Failure;
  /** Settled before a response is sent, which is made already. */
  late?: (request: { method: string; path: string }) => Promise<void> | undefined;
  /** Writes that had an effect, in order. */
  effects: Effect[];
  requests: number;
  /** Requests in each second of its clock, and the milliseconds that this clock is ahead; without a limit when absent. */
  allowance?: { perSecond: number; aheadMs: number };
  /** Requests that came while it had asked to wait; one that was on its way when it asked does not count. */
  beyond: number;
  /** How many requests it has limited. */
  limited: number;
  /** Whether the first pages go by position in a list that changes in the meantime, show records twice, and ids in either case. */
  isShifting: boolean;
  /** Why it rejects a record; undefined accepts it. */
  refuses: (record: Row) => string | undefined;
  put(dataModel: string, record: Row): void;
  remove(dataModel: string, id: string): void;
  /** Removes a record without a trace: its lists do not say that it was deleted. */
  forget(dataModel: string, id: string): void;
  rows(dataModel: string): Row[];
  stop(): Promise<void>;
}

/** How long a request may have been on its way when the ledger asked to wait. */
const ON_ITS_WAY_MS = 250;
/** How long a slow response takes. */
const SLOW_MS = 700;

/** Either case, in turn. */
const inCases = (ids: { next: number }, id: unknown): string => (ids.next++ % 3 === 0 ? String(id).toLowerCase() : String(id));

/** Starts a ledger without records. */
export async function startLedger({ pageSize: PAGE = 50 } = {}): Promise<Ledger> {
  const models = new Map<string, Map<string, Stored>>();
  const storedByKey = new Map<string, Row>();
  let changes = 0;
  const model = (name: string): Map<string, Stored> => {
    const key = name.toUpperCase();
    if (!models.has(key)) models.set(key, new Map());
    return models.get(key)!;
  };
  const store = (name: string, record: Row): Row => {
    const id = idOf(String(record.platform_id));
    model(name).set(id, { record, change: ++changes, isDeleted: false });
    return record;
  };
  const ledger: Ledger = {
    url: '',
    apiKey: 'first-key',
    failure: () => undefined,
    effects: [],
    beyond: 0,
    limited: 0,
    isShifting: false,
    requests: 0,
    refuses: () => undefined,
    put: (name, record) => void store(name, record),
    remove: (name, id) => {
      const row = model(name).get(idOf(id))!;
      model(name).set(idOf(id), { ...row, change: ++changes, isDeleted: true });
    },
    forget: (name, id) => {
      model(name).delete(idOf(id));
      changes++;
    },
    rows: (name) => [...model(name).values()].filter(({ isDeleted }) => !isDeleted).map(({ record }) => record),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  const json = (response: ServerResponse, status: number, body: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  const shown = { next: 0 };
  /** A record as the ledger shows it. */
  const show = (record: Row): Row => {
    if (!ledger.isShifting) return record;
    const { platform_id: id, contact_id: contact } = record;
    return { ...record, platform_id: inCases(shown, id), ...(contact == null ? {} : { contact_id: inCases(shown, contact) }) };
  };
  /** A page of the list as it is now, by position. The changes since its first page follow its last one. */
  const position = (name: string, cursor: string | null): Row => {
    const [, offset = '0', since = String(changes)] = cursor?.split(':') ?? [];
    const rows = [...model(name).entries()].filter(([, { isDeleted }]) => !isDeleted).sort(([a], [b]) => (a < b ? -1 : 1));
    const from = Number(offset);
    const page = rows.slice(from, from + PAGE).map(([, { record }]) => record);
    const again = page.slice(0, 2);
    const isLast = from + PAGE >= rows.length;
    return {
      records: [...page, ...again].map(show),
      deleted: [],
      cursor: isLast ? since : `at:${from + PAGE}:${since}`,
      has_more: true,
    };
  };
  const ordered = new Map<string, { at: number; rows: Stored[] }>();
  /** The records in the order of their last changes, sorted again only after a change. */
  const inOrder = (name: string): Stored[] => {
    const known = ordered.get(name);
    if (known?.at === changes) return known.rows;
    const rows = [...model(name).values()].sort((a, b) => a.change - b.change);
    ordered.set(name, { at: changes, rows });
    return rows;
  };
  /** The place of the first record that changed after a number. */
  const indexAfter = (rows: readonly Stored[], from: number): number => {
    let [low, high] = [0, rows.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (rows[middle]!.change > from) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  const list = (name: string, cursor: string | null): Row => {
    if (ledger.isShifting && (cursor === null || cursor.startsWith('at:'))) return position(name, cursor);
    const from = Number(cursor ?? 0);
    const rows = inOrder(name);
    const first = indexAfter(rows, from);
    const page = rows.slice(first, first + PAGE);
    return {
      records: page.filter(({ isDeleted }) => !isDeleted).map(({ record }) => show(record)),
      deleted: page.filter(({ isDeleted }) => isDeleted).map(({ record }) => record.platform_id),
      cursor: String(page.at(-1)?.change ?? from),
      has_more: rows.length - first > PAGE,
    };
  };
  let second = 0;
  let inSecond = 0;
  let [askedAt, waitUntil] = [0, 0];
  /** The headers of a rejection where a request is one too many; undefined where it is not. Every other one names a date of the ledger's clock. */
  const limit = (): Record<string, string> | undefined => {
    const { perSecond, aheadMs } = ledger.allowance!;
    const now = Date.now();
    if (now < waitUntil && now > askedAt + ON_ITS_WAY_MS) ledger.beyond++;
    const current = Math.floor(now / 1_000);
    inSecond = current === second ? inSecond + 1 : 1;
    second = current;
    if (inSecond <= perSecond && now >= waitUntil) return undefined;
    if (now >= waitUntil) {
      askedAt = now;
      // Dates have whole seconds.
      waitUntil = (Math.floor(now / 1_000) + 2) * 1_000;
    }
    ledger.limited++;
    const seconds = Math.ceil((waitUntil - now) / 1_000);
    const date = (at: number): string => new Date(at + aheadMs).toUTCString();
    return { date: date(now), 'retry-after': ledger.limited % 2 === 0 ? String(seconds) : date(waitUntil) };
  };
  const write = (method: string, name: string, id: string | undefined, record: Row, key: string | undefined): [number, unknown] => {
    // It honours keys of creations alone: an update that is sent twice happens twice.
    const known = key === undefined || method !== 'POST' ? undefined : storedByKey.get(key);
    if (known) return [200, known];
    const refusal = ledger.refuses(record);
    if (refusal) return [422, { message: refusal }];
    const stored = store(name, { ...record, platform_id: id ?? `${name.slice(0, 1).toUpperCase()}-${changes + 1}` });
    ledger.effects.push({ method, id: String(stored.platform_id), key, record: stored });
    if (key !== undefined) storedByKey.set(key, stored);
    return [method === 'POST' ? 201 : 200, stored];
  };
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { pathname, searchParams } = new URL(request.url!, 'http://ledger');
    const method = request.method!;
    ledger.requests++;
    const refused = ledger.allowance && limit();
    if (refused) return void response.writeHead(429, refused).end();
    const failure = ledger.failure({ method, path: pathname, count: ledger.requests });
    if (failure === 'limit') return void response.writeHead(429, { 'retry-after': '1' }).end();
    if (failure === 'fail') return json(response, 503, { message: 'down' });
    if (failure === 'deny') return json(response, 403, { message: 'the books are closed' });
    // Its reads lag behind its writes.
    if (failure === 'absent') return json(response, 404, { message: 'no such record' });
    if (failure === 'html') return void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>maintenance</html>');
    if (failure === 'slow') await setTimeout(SLOW_MS);
    if (failure === 'lose') return void request.socket.destroy();
    if (request.headers.authorization !== `Bearer ${ledger.apiKey}`) return json(response, 401, { message: 'unknown key' });
    const [, name = '', id] = pathname.split('/').map(decodeURIComponent);
    const key = request.headers['idempotency-key'] as string | undefined;
    // It shows no record, as if it had none.
    if (failure === 'empty' && id === undefined)
      return json(response, 200, { records: [], deleted: [], cursor: String(changes), has_more: false });
    if (failure === 'empty') return json(response, 404, { message: 'no such record' });
    if (method === 'GET' && id === undefined) {
      const page = list(name, searchParams.get('cursor'));
      await ledger.late?.({ method, path: pathname });
      return json(response, 200, page);
    }
    const found = id === undefined ? undefined : model(name).get(idOf(id));
    const isGone = id !== undefined && (!found || found.isDeleted);
    if (isGone) return json(response, 404, { message: 'no such record' });
    const version = String(found?.change);
    if (found) response.setHeader('etag', version);
    if (method === 'GET') return json(response, 200, show(found!.record));
    if ((request.headers['if-match'] ?? version) !== version) return json(response, 412, { message: 'it has changed' });
    if (method === 'DELETE') {
      ledger.remove(name, id!);
      ledger.effects.push({ method, id: id!, key, record: {} });
      if (failure === 'drop') return void request.socket.destroy();
      return json(response, 200, {});
    }
    const [status, body] = write(method, name, id, JSON.parse(Buffer.concat(chunks).toString()), key);
    // The effect has happened, and no response is sent.
    if (failure === 'drop') return void request.socket.destroy();
    await ledger.late?.({ method, path: pathname });
    json(response, status, body);
  };
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ledger.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return ledger;
}

// The stand-ins of the suite `sources`. For each connector they have a source with the same small books in its own form, behind a wire or an output
// that a case spoils.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readConfig } from '../../src/config.ts';
import { connectorsOf } from '../../src/integrations/connections/connectors.ts';
import type { ConnectorDefinition } from '../../src/integrations/connectors/connector.ts';
import { programDefinitions } from '../../src/integrations/connectors/programs/definitions.ts';
import { xeroAt } from '../../src/integrations/connectors/xero/xero.ts';
import type { Gateway } from '../support/gateway.ts';
import { startLedger } from '../support/ledger.ts';
import type { TestCompany } from '../support/records.ts';
import { startXero } from '../support/xero.ts';

export type Kind = 'CONTACT' | 'ITEM';
/** What a record is. Other members are added to the source's own form as they are. */
export interface Plain {
  name: unknown;
  price?: unknown;
  [member: string]: unknown;
}
export type SourceRow = Record<string, unknown>;

/** A response of a source, before it is sent. */
export interface Wire {
  status: number;
  headers: Record<string, string>;
  text: string;
  /** The data model of the list that was asked for; null for any other call. */
  kind: Kind | null;
  /** The how many-th call for a list of this data model it is, from 1. */
  count: number;
  /** How long it takes. */
  delayMs?: number;
}
/** What a response is changed to: another one, or what happens to its connection. */
export type Fate = (wire: Wire) => Partial<Wire> | 'reset' | 'cut' | 'drip' | 'silence' | 'tls' | undefined;

/** What a case does to a source; everything is honest without it. */
export interface Spoiling {
  /** Of HTTP sources. */
  wire?: Fate;
  /** The rows of the contacts that are shown; `id` is the name of their id. */
  rows?: (rows: SourceRow[], id: string, count: number) => unknown;
  /** The lines of a program, the first number of which is that of the change, and its exit code, `9` for a kill. */
  output?: (lines: string[]) => { lines: string[]; error?: string; exit?: number };
  /** The text of a file. */
  file?: (text: string) => string | Uint8Array<ArrayBuffer>;
}

/** A source under test. */
export interface Stand {
  name: string;
  source: string;
  /** Contacts that it has: more than fit on one of its pages. */
  size: number;
  form: 'http' | 'program' | 'file';
  spoil: Spoiling;
  /** Sets a record; null removes it. */
  put(kind: Kind, number: number, plain: Plain | null): void;
  idOf(number: number): string;
  /** The price as the source writes it; text of digits. */
  amount(digits: string): unknown;
  settings(): Record<string, string>;
  /** Makes the link of the connection, where settings are not enough. */
  link?(gateway: Gateway, company: TestCompany, id: string): Promise<void>;
  /** Shows what changed, where a source does so only when asked. */
  show?(gateway: Gateway, company: TestCompany): Promise<string | undefined>;
  /** Sets its clock ahead, or behind. */
  skew?(ms: number): void;
  stop(): Promise<void>;
}

/** A number of JSON with all its digits. */
const number = (digits: string): unknown => (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(digits);

/** A server before an honest source that spoils its responses. */
async function front(
  spoil: () => Spoiling,
  origin: string,
  listOf: (request: IncomingMessage, body: string) => Kind | null,
  rowsOf: (body: SourceRow, kind: Kind) => [holder: SourceRow, name: string, id: string],
) {
  const counts = new Map<Kind, number>();
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const kind = listOf(request, body);
    const count = kind ? (counts.get(kind) ?? 0) + 1 : 0;
    if (kind) counts.set(kind, count);
    const { host: _, connection: __, 'content-length': ___, 'transfer-encoding': ____, ...given } = request.headers;
    const honest = await fetch(origin + request.url, {
      method: request.method!,
      headers: given as Record<string, string>,
      ...(body ? { body } : {}),
      redirect: 'manual',
    });
    const {
      'content-length': _length,
      'transfer-encoding': _coding,
      'content-encoding': _encoding,
      connection: _c,
      ...headers
    } = Object.fromEntries(honest.headers);
    let wire: Wire = { status: honest.status, headers, text: await honest.text(), kind, count };
    const { rows, wire: fate } = spoil();
    if (rows && kind === 'CONTACT' && wire.status === 200) {
      const shown = JSON.parse(wire.text) as SourceRow;
      const [holder, name, id] = rowsOf(shown, kind);
      holder[name] = rows(holder[name] as SourceRow[], id, count);
      wire = { ...wire, text: JSON.stringify(shown) };
    }
    const end = fate?.(wire);
    if (end === 'reset') return void request.socket.resetAndDestroy();
    if (end === 'silence') return;
    if (end === 'tls') return void request.socket.end(Buffer.from([0x15, 3, 1, 0, 2, 2, 70]));
    if (typeof end === 'object') wire = { ...wire, ...end };
    if (wire.delayMs) await delay(wire.delayMs);
    const bytes = Buffer.from(wire.text);
    const isBare = wire.status === 204 || wire.status === 304;
    response.writeHead(wire.status, {
      ...wire.headers,
      ...(isBare ? {} : { 'content-length': String(bytes.length + Number(end === 'drip') * 1e6) }),
    });
    if (end === 'cut') return void response.write(bytes.subarray(0, bytes.length / 2), () => request.socket.destroy());
    if (end === 'drip') {
      const dripping = setInterval(() => response.write(' '), 50);
      return void response.once('close', () => clearInterval(dripping));
    }
    response.end(isBare ? undefined : bytes);
  };
  const server = createServer((request, response) => void serve(request, response).catch(() => request.socket.destroy()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** From here on calls are counted again. */
    restart: () => counts.clear(),
    stop: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** A stand whose calls are counted from each change of what is spoiled. */
function counting(stand: Omit<Stand, 'spoil'>, restart: () => void, given: { spoil: Spoiling }): Stand {
  return Object.defineProperty(stand as Stand, 'spoil', {
    get: () => given.spoil,
    set: (spoil: Spoiling) => {
      given.spoil = spoil;
      restart();
    },
  });
}

async function demoStand(): Promise<Stand> {
  const given: { spoil: Spoiling } = { spoil: {} };
  const ledger = await startLedger({ pageSize: 5 });
  const before = await front(
    () => given.spoil,
    ledger.url,
    ({ method, url = '' }) =>
      method === 'GET' ? ((/^\/(contact|item)(\?|$)/.exec(url)?.[1]?.toUpperCase() ?? null) as Kind | null) : null,
    (body) => [body, 'records', 'platform_id'],
  );
  const idOf = (at: number): string => `R-${at}`;
  return counting(
    {
      name: 'demo ledger',
      source: 'DEMO',
      size: 12,
      form: 'http',
      idOf,
      amount: number,
      put: (kind, at, plain) => (plain ? ledger.put(kind, { platform_id: idOf(at), ...plain }) : ledger.remove(kind, idOf(at))),
      settings: () => ({ url: before.url, apiKey: ledger.apiKey }),
      stop: async () => {
        await before.stop();
        await ledger.stop();
      },
    },
    before.restart,
    given,
  );
}

async function xeroStand(gateway: Gateway): Promise<Stand> {
  const given: { spoil: Spoiling } = { spoil: {} };
  const xero = await startXero();
  xero.perWindow = Number.POSITIVE_INFINITY;
  const before = await front(
    () => given.spoil,
    xero.hosts.api,
    ({ url = '' }) => (({ Contacts: 'CONTACT', Items: 'ITEM' })[/2\.0\/(\w+)(\?|$)/.exec(url)?.[1] ?? ''] as Kind | undefined) ?? null,
    (body, kind) => (kind === 'ITEM' ? [body, 'Items', 'ItemID'] : [body, 'Contacts', 'ContactID']),
  );
  const definition = xeroAt({ ...xero.hosts, api: before.url });
  teach(gateway, { ...definition, limits: { ...definition.limits!, perMinute: 600_000 } });
  const idOf = (at: number): string => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;
  const tables = { CONTACT: 'Contacts', ITEM: 'Items' };
  return counting(
    {
      name: 'Xero',
      source: 'XERO',
      size: 251,
      form: 'http',
      idOf,
      amount: number,
      put: (kind, at, plain) => {
        const { name, price, ...more } = plain ?? { name: null };
        if (!plain) return xero.remove(tables[kind], idOf(at));
        const own =
          kind === 'ITEM'
            ? { ItemID: idOf(at), Code: `I${at}`, SalesDetails: { UnitPrice: price } }
            : { ContactID: idOf(at), ContactStatus: 'ACTIVE' };
        xero.put(tables[kind], { ...own, Name: name, ...more });
      },
      settings: () => ({}),
      async link(at, { base, headers }, id) {
        const { url } = (await at.send('POST', `${base}/connections/${id}/link`, { headers })).body.data;
        const { pathname, search } = new URL(url);
        const form = { 'content-type': 'application/x-www-form-urlencoded' };
        const posted = await at.send('POST', pathname + search, { headers: form, raw: '' });
        const there = /<a class="button" href="([^"]+)"/.exec(posted.text)![1]!.replaceAll('&amp;', '&');
        const back = new URL((await fetch(there, { redirect: 'manual' })).headers.get('location')!);
        const cookie = posted.headers.get('set-cookie')!.split(';', 1)[0]!;
        await at.send('GET', back.pathname + back.search, { headers: { cookie } });
      },
      skew: (ms) => xero.advance(ms),
      stop: async () => {
        await before.stop();
        await xero.stop();
      },
    },
    before.restart,
    given,
  );
}

type TrytonRow = SourceRow & { id: number; stamp: number };

/** The part of Tryton's JSON-RPC that a pull uses, on rows in memory. */
async function trytonStand(): Promise<Stand> {
  const given: { spoil: Spoiling } = { spoil: {} };
  const tables = new Map<string, Map<number, TrytonRow>>([
    ['party.party', new Map()],
    ['product.template', new Map()],
  ]);
  tables.set('company.company', new Map([[1, { id: 1, stamp: 1, 'currency.code': 'EUR' }]]));
  let skew = 0;
  let last = 0;
  const decimal = (value: unknown): unknown => (typeof value === 'string' ? { __class__: 'Decimal', decimal: value } : value);
  const momentOf = ({ year, month, day, hour, minute, second, microsecond }: Record<string, number>): number =>
    Date.UTC(year!, month! - 1, day, hour, minute, second, microsecond! / 1_000);
  const matches = (row: TrytonRow, [first, operator, value]: unknown[]): boolean => {
    if (operator === undefined && Array.isArray(first)) return matches(row, first);
    if (first === 'OR') throw new Error('an OR without its list');
    const own = first === 'write_date' || first === 'create_date' ? row.stamp : row[String(first)];
    if (operator === 'in') return (value as unknown[]).includes(own);
    if (operator === '>=') return Number(own) >= momentOf(value as Record<string, number>);
    return operator === '>' ? Number(own) > Number(value) : own === value || row[String(first)] === undefined;
  };
  const isWanted = (row: TrytonRow, domain: unknown[]): boolean =>
    domain.every((entry) => {
      const [first, ...others] = entry as unknown[];
      return first === 'OR' ? others.some((other) => matches(row, other as unknown[])) : matches(row, entry as unknown[]);
    });
  const shown = (row: TrytonRow, names: string[]): SourceRow => {
    const result: SourceRow = { id: row.id };
    for (const name of names) {
      const [head, tail] = name.split('.');
      const value = name === '_timestamp' ? (row.stamp / 1_000).toFixed(6) : (row[name] ?? null);
      if (tail === undefined) result[name] = value;
      else result[`${head}.`] = value === null ? null : { ...(result[`${head}.`] as object), [tail]: value };
    }
    return result;
  };
  const resultOf = (method: string, params: unknown[]): unknown => {
    if (method === 'common.db.login') return [1, 'session'];
    if (method.endsWith('get_preferences')) return { company: 1 };
    if (method === 'system.listMethods') return ['model.party.party.search_read'];
    const [domain, , limit, [[by, way]], names] = params as [unknown[], number, number | null, [[string, string]], string[]];
    const rows = [...(tables.get(method.slice('model.'.length, -'.search_read'.length))?.values() ?? [])].filter((row) =>
      isWanted(row, domain),
    );
    rows.sort((a, b) => (by === 'id' ? a.id - b.id : a.stamp - b.stamp) * (String(way).startsWith('DESC') ? -1 : 1));
    return rows.slice(0, limit ?? rows.length).map((row) => shown(row, names));
  };
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      const { method, params } = JSON.parse(body) as { method: string; params: unknown[] };
      response.setHeader('content-type', 'application/json').setHeader('date', new Date(Date.now() + skew).toUTCString());
      response.end(JSON.stringify({ id: 1, result: resultOf(method, params) }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const before = await front(
    () => given.spoil,
    `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    (_request, body) => {
      const { method, params } = JSON.parse(body) as { method: string; params: unknown[] };
      // The page of a list, and not the rows of some ids.
      const isList = JSON.stringify(params[0] ?? '').includes('["id",">"') || (params[4] as string[] | undefined)?.includes('name');
      return isList
        ? (({ 'model.party.party.search_read': 'CONTACT', 'model.product.template.search_read': 'ITEM' }[method] ?? null) as Kind | null)
        : null;
    },
    (body) => [body, 'result', 'id'],
  );
  return counting(
    {
      name: 'Tryton',
      source: 'TRYTON',
      size: 101,
      form: 'http',
      idOf: String,
      amount: (digits) => digits,
      put: (kind, at, plain) => {
        const table = tables.get(kind === 'ITEM' ? 'product.template' : 'party.party')!;
        if (!plain) return void table.delete(at);
        const { name, price, ...more } = plain;
        last = Math.max(last + 1, Date.now() + skew);
        const { year, month, day, hour, minute, second } = { year: 2026, month: 1, day: 1, hour: 0, minute: 0, second: 0 };
        const create_date = { __class__: 'datetime', year, month, day, hour, minute, second, microsecond: 0 };
        const item = { list_price: decimal(price), type: 'goods', salable: false, purchasable: false };
        table.set(at, { id: at, stamp: last, active: true, create_date, name, ...(kind === 'ITEM' ? item : {}), ...more });
      },
      settings: () => ({ url: before.url, database: 'books', user: 'admin', password: 'right' }),
      skew: (ms) => {
        skew += ms;
        last = 0;
      },
      stop: async () => {
        await before.stop();
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      },
    },
    before.restart,
    given,
  );
}

const mapping = `
title: Books
streams:
  contacts:
    - { dataModel: CONTACT, deleted: gone = true, record: '{ "platform_id": id, "name": name, "status": status }' }
  items:
    - { dataModel: ITEM, deleted: gone = true, record: '{ "platform_id": id, "name": name, "price": price }' }
`;

/** A program that writes the lines of files whose changes come after the number in its state. */
const script = `
my ($folder, @words) = @ARGV;
my $command = "@words" =~ /--discover|^discover/ ? 'discover' : "@words" =~ /^(spec|check)/ ? $1 : 'read';
my $last = -1;
if ("@words" =~ /--state (\\S+)/) { open(my $state, '<', $1); local $/; $last = $1 if <$state> =~ /"last": *(\\d+)/; }
open(my $in, '<', "$folder/$command"); binmode STDOUT;
while (<$in>) { print $2 if /^(\\d+)\\t(.*)$/s && $1 > $last }
open(my $end, '<', "$folder/end") or exit 0;
my ($exit, @error) = <$end>;
exit 0 if $command ne 'read';
print STDERR @error; $| = 1; print '';
kill 'KILL', $$ if $exit == 9;
exit $exit;
`;

async function programStand(gateway: Gateway, protocol: 'SINGER' | 'AIRBYTE'): Promise<Stand> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-sources-'));
  const source = `${protocol}_BOOKS`;
  const streams = { CONTACT: 'contacts', ITEM: 'items' };
  const airbyte = protocol === 'AIRBYTE';
  const books = new Map<string, { kind: Kind; change: number; row: SourceRow }>();
  let change = 0;
  const state = (kind: Kind, at: number): unknown =>
    airbyte
      ? { type: 'STATE', state: { type: 'STREAM', stream: { stream_descriptor: { name: streams[kind] }, stream_state: { last: at } } } }
      : { type: 'STATE', value: { last: at } };
  const record = (kind: Kind, row: unknown): unknown =>
    airbyte
      ? { type: 'RECORD', record: { stream: streams[kind], data: row, emitted_at: 1 } }
      : { type: 'RECORD', stream: streams[kind], record: row };
  const statusOf = (kind: Kind, status: string): unknown => ({
    type: 'TRACE',
    trace: { type: 'STREAM_STATUS', emitted_at: 1, stream_status: { stream_descriptor: { name: streams[kind] }, status } },
  });
  const write = (name: string, lines: readonly string[]): void => writeFileSync(join(folder, name), lines.join(''));
  const line = (at: number, message: unknown): string => `${at}\t${JSON.stringify(message)}\n`;
  const described = Object.values(streams).map((name) => ({
    tap_stream_id: name,
    stream: name,
    name,
    json_schema: {},
    schema: {},
    supported_sync_modes: ['full_refresh'],
    metadata: [],
  }));
  write('spec', [line(0, { type: 'SPEC', spec: { connectionSpecification: {} } })]);
  write('check', [line(0, { type: 'CONNECTION_STATUS', connectionStatus: { status: 'SUCCEEDED' } })]);
  write('discover', [line(0, airbyte ? { type: 'CATALOG', catalog: { streams: described } } : { streams: described })]);
  const never = Number.MAX_SAFE_INTEGER;
  const show = (spoil: Spoiling): void => {
    const all = [...books.values()].sort((a, b) => a.change - b.change);
    const lines = (['CONTACT', 'ITEM'] as const).flatMap((kind) => {
      const own = all.filter((entry) => entry.kind === kind);
      const rows = own.map(({ row, change: at }) => [at, row] as [number, SourceRow]);
      const spoilt =
        kind === 'CONTACT' && spoil.rows
          ? (spoil.rows(
              rows.map(([, row]) => row),
              'id',
              1,
            ) as unknown[])
          : undefined;
      const shown = spoilt ? (Array.isArray(spoilt) ? spoilt : [spoilt]).map((row): [number, unknown] => [change, row]) : rows;
      return [
        ...(airbyte ? [line(never, statusOf(kind, 'STARTED'))] : []),
        ...shown.flatMap(([at, row], index) => [line(at, record(kind, row)), ...(index % 10 === 9 ? [line(at, state(kind, at))] : [])]),
        line(never, state(kind, change)),
        ...(airbyte ? [line(never, statusOf(kind, 'COMPLETE'))] : []),
      ];
    });
    const { lines: written, error = '', exit = 0 } = spoil.output?.(lines) ?? { lines };
    write('read', written);
    write('end', [`${exit}\n${error}`]);
  };
  mkdirSync(join(folder, 'made'));
  writeFileSync(join(folder, 'made', 'program.pl'), script);
  writeFileSync(join(folder, 'made', 'mapping.yaml'), mapping);
  const entry = {
    name: source,
    protocol,
    command: '/usr/bin/perl',
    arguments: [join(folder, 'made', 'program.pl'), folder],
    mapping: './mapping.yaml',
  };
  writeFileSync(join(folder, 'made', 'connectors.json'), JSON.stringify([entry]));
  teach(gateway, programDefinitions(readConfig({ CONNECTORS_FILE: join(folder, 'made', 'connectors.json'), PATH: process.env.PATH }))[0]!);
  const stand: Stand = {
    name: airbyte ? 'Airbyte program' : 'Singer program',
    source,
    size: 201,
    form: 'program',
    spoil: {},
    idOf: (at) => `P-${at}`,
    amount: number,
    put: (kind, at, plain) => {
      change++;
      const id = `P-${at}`;
      books.set(`${kind} ${id}`, { kind, change, row: plain ? { id, ...plain } : { id, gone: true } });
    },
    settings: () => ({}),
    async show() {
      show(stand.spoil);
      return undefined;
    },
    stop: async () => rmSync(folder, { recursive: true }),
  };
  return stand;
}

function fileStand(): Stand {
  const books = new Map<string, SourceRow>();
  /** The files that were uploaded last, in whose place the next ones are. */
  const stale: string[] = [];
  const idOf = (at: number): string => `F-${at}`;
  const stand: Stand = {
    name: 'files',
    source: 'FILES',
    size: 12,
    form: 'file',
    spoil: {},
    idOf,
    amount: number,
    put: (kind, at, plain) => {
      if (plain) books.set(`${kind} ${idOf(at)}`, { platform_id: idOf(at), ...plain });
      else books.delete(`${kind} ${idOf(at)}`);
    },
    settings: () => ({}),
    /** Uploads the books of each data model; returns the rejection of a file. */
    async show(gateway, { base, headers }) {
      const { rows, file } = stand.spoil;
      for (const id of stale.splice(0)) await gateway.send('DELETE', `${base}/imports/${id}`, { headers });
      for (const kind of ['ITEM', 'CONTACT'] as const) {
        const own = [...books].filter(([key]) => key.startsWith(kind)).map(([, row]) => row);
        const isSpoilt = kind === 'CONTACT' && (rows || file);
        const text = JSON.stringify(isSpoilt && rows ? rows(own, 'platform_id', 1) : own);
        const form = new FormData();
        form.set('data_model', kind);
        form.set('file', new Blob([isSpoilt && file ? file(text) : text]), 'books.json');
        const request = new Request('http://form.invalid', { method: 'POST', body: form });
        const sent = { ...headers, 'content-type': request.headers.get('content-type')! };
        const response = await gateway.send('POST', `${base}/imports`, { headers: sent, raw: new Uint8Array(await request.arrayBuffer()) });
        if (response.status !== 201) return response.text;
        stale.push(response.body.data.id);
      }
      return undefined;
    },
    stop: async () => {},
  };
  return stand;
}

const teach = (gateway: Gateway, definition: ConnectorDefinition): void =>
  void (connectorsOf(gateway.services) as Map<string, ConnectorDefinition>).set(definition.source, definition);

/** One stand for each connector. */
export const startStands = (gateway: Gateway): Promise<Stand[]> =>
  Promise.all([
    trytonStand(),
    xeroStand(gateway),
    programStand(gateway, 'SINGER'),
    programStand(gateway, 'AIRBYTE'),
    fileStand(),
    demoStand(),
  ]);

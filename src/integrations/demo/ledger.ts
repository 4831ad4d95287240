// The demo ledger: a small source system on the loopback interface of this process, whose books lie in the database of the gateway. It is there with the
// demo data only.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Services } from '../../access/context.ts';
import { lockUntilCommit } from '../../database/locks.ts';
import { StoredSetting } from '../../database/stored-secrets.ts';
import { systemTransaction } from '../../database/transaction.ts';
import { decodeUtf8, parseSourceJson } from '../../json/exact-json.ts';
import { snakeCase } from '../../records/naming.ts';
import { createServer } from '../../runtime/http-server.ts';
import type { SourceRecord } from '../connectors/connector.ts';
import { idOf } from '../connectors/demo/demo-connector.ts';
import { contacts, currencies, items } from './records.ts';

/** A record of the ledger, with the number of its last change. */
interface Entry {
  record: SourceRecord;
  change: number;
  isDeleted: boolean;
}

/** The books: records by data model and id, in the form in which ids are compared. */
interface Books {
  changes: number;
  models: Record<string, Record<string, Entry>>;
  /** Ids of the records that requests with an idempotency key made, by the key. */
  made: Record<string, string>;
}

/** The response to a request. */
interface DemoResponse {
  status: number;
  body: unknown;
}

/** The running ledger. */
export interface DemoLedger {
  url: string;
  apiKey: string;
  close(): Promise<void>;
}

const NAME = 'demo_ledger';
/** Largest body of a request. */
const MAX_BYTES = 1_048_576;
/** Stock below which the shop of the ledger is filled up, and by how much. */
const LOW = 40;
const FILL = 500;

/** Data of the demo records in the form of REST bodies. */
function restForm(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(restForm);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [snakeCase(name), restForm(inner)]));
}

function put(books: Books, model: string, record: SourceRecord): SourceRecord {
  books.models[model] ??= {};
  books.models[model][idOf(String(record.platform_id))] = { record, change: ++books.changes, isDeleted: false };
  return record;
}

/** The books of a shop that opens. */
function opened(): Books {
  const books: Books = { changes: 0, models: {}, made: {} };
  const given: Record<string, readonly object[]> = { currency: currencies, contact: contacts, item: items };
  for (const [model, records] of Object.entries(given)) for (const record of records) put(books, model, restForm(record) as SourceRecord);
  return books;
}

/** The shop sells something before its items are listed, so that each pull finds a record that changed. */
function sell(books: Books): void {
  const stocked = Object.values(books.models.item ?? {}).filter(
    ({ record, isDeleted }) => !isDeleted && Number(record.quantity_on_hand) > 0,
  );
  const sold = stocked[books.changes % Math.max(1, stocked.length)];
  if (!sold) return;
  const left = Number(sold.record.quantity_on_hand) - 1 - (books.changes % 9);
  put(books, 'item', { ...sold.record, quantity_on_hand: left < LOW ? left + FILL : left });
}

function listed(books: Books, model: string, cursor: string | null): DemoResponse {
  if (model === 'item') sell(books);
  const from = Number(cursor ?? 0) || 0;
  const changed = Object.values(books.models[model] ?? {}).filter(({ change }) => change > from);
  const records = changed.filter(({ isDeleted }) => !isDeleted).map(({ record }) => record);
  const deleted = changed.filter(({ isDeleted }) => isDeleted).map(({ record }) => record.platform_id);
  return { status: 200, body: { records, deleted, cursor: String(books.changes), has_more: false } };
}

/** Why the ledger rejects a record; undefined for one that it takes. */
const refusal = (model: string, { email }: SourceRecord): string | undefined =>
  model === 'contact' && !email ? 'a contact needs an e-mail address' : undefined;

function written(books: Books, model: string, id: string | undefined, record: SourceRecord, key: string | undefined): DemoResponse {
  const made = key === undefined ? undefined : books.made[key];
  if (made !== undefined) return { status: 200, body: books.models[model]![idOf(made)]!.record };
  const reason = refusal(model, record);
  if (reason) return { status: 422, body: { message: reason } };
  const platformId = id ?? `${model}-${books.changes + 1}`;
  const stored = put(books, model, { ...record, platform_id: platformId });
  if (key !== undefined) books.made[key] = platformId;
  return { status: id === undefined ? 201 : 200, body: stored };
}

/** A request to the ledger. */
interface Asked {
  method: string;
  model: string;
  id: string | undefined;
  cursor: string | null;
  record: SourceRecord;
  key: string | undefined;
}

function responseTo(books: Books, { method, model, id, cursor, record, key }: Asked): DemoResponse {
  if (id === undefined) return method === 'GET' ? listed(books, model, cursor) : written(books, model, undefined, record, key);
  const found = books.models[model]?.[idOf(id)];
  if (!found || found.isDeleted) return { status: 404, body: { message: 'no such record' } };
  if (method === 'GET') return { status: 200, body: found.record };
  if (method === 'PUT') return written(books, model, id, record, key);
  Object.assign(found, { isDeleted: true, change: ++books.changes });
  return { status: 200, body: {} };
}

async function bodyOf(request: IncomingMessage): Promise<SourceRecord> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error('the body is too large');
    chunks.push(chunk);
  }
  return size === 0 ? {} : (parseSourceJson(decodeUtf8(Buffer.concat(chunks))) as SourceRecord);
}

/** Runs work on the books, which are stored when it changed them. */
const withBooks = (services: Services, work: (books: Books) => DemoResponse): Promise<DemoResponse> =>
  systemTransaction(services.database, async (em) => {
    // A row that the first request has yet to make cannot be locked.
    await lockUntilCommit(em, NAME);
    const stored = await em.findOne(StoredSetting, { name: NAME });
    const books = stored ? (JSON.parse(stored.value) as Books) : opened();
    const response = work(books);
    const value = JSON.stringify(books);
    if (!stored) em.create(StoredSetting, { name: NAME, value });
    else stored.value = value;
    return response;
  });

/** Starts the ledger on a port of the loopback interface that the system chooses. */
export async function startDemoLedger(services: Services): Promise<DemoLedger> {
  const apiKey = services.signer.sign('demo', 'ledger');
  const respond = async (request: IncomingMessage): Promise<DemoResponse> => {
    if (request.headers.authorization !== `Bearer ${apiKey}`) return { status: 401, body: { message: 'unknown key' } };
    const { pathname, searchParams } = new URL(request.url!, 'http://ledger');
    const [, model = '', id] = pathname.split('/').map(decodeURIComponent);
    if (model === '') return { status: 200, body: {} };
    const record = await bodyOf(request);
    const key = request.headers['idempotency-key'] as string | undefined;
    return withBooks(services, (books) =>
      responseTo(books, { method: request.method!, model, id, cursor: searchParams.get('cursor'), record, key }),
    );
  };
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { status, body } = await respond(request).catch(
      (error: Error): DemoResponse => ({ status: 400, body: { message: error.message } }),
    );
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    apiKey,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

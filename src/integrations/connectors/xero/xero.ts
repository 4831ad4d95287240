// The connector to Xero: what it is connected with, what it pulls and sends, and how a write is sent once.
import { GatewayError } from '../../../records/errors.ts';
import {
  BOTH_WAYS,
  type Capability,
  type Connector,
  type ConnectorDefinition,
  type ConnectorSession,
  type PullRequest,
  type PushRequest,
  type PushResponse,
  READ_ONLY,
  type SourceBalances,
  type SourceRecord,
} from '../connector.ts';
import { fieldsOf, keptToDeclared } from '../declared.ts';
import { withRaw } from '../source-facts.ts';
import { accounts, currencies, items, taxRates } from './books.ts';
import { type Row, XeroClient, type XeroHosts } from './client.ts';
import { contacts } from './contacts.ts';
import { billCreditNotes, bills, estimates, invoiceCreditNotes, invoices, purchaseOrders } from './documents.ts';
import { cannotSay } from './errors.ts';
import { hook } from './hook.ts';
import { ledgerTransactions } from './journals.ts';
import { bankTransactions, expenses, journalEntries, payments } from './money.ts';
import { pagesOf } from './pages.ts';
import { trialBalance } from './reports.ts';
import type { Stream, Writes } from './stream.ts';
import { changed } from './values.ts';

/** In the order of their references. */
const streams: readonly Stream[] = [
  ...[currencies, accounts, taxRates, contacts, items],
  ...[estimates, purchaseOrders, invoices, bills, invoiceCreditNotes, billCreditNotes],
  ...[payments, bankTransactions, expenses, journalEntries],
  ledgerTransactions,
];

const capabilities: readonly Capability[] = streams.map(({ dataModel, writes, fields }) => ({
  dataModel,
  ...(writes ? { ...BOTH_WAYS, update: writes.isChangeable } : READ_ONLY),
  fields: fieldsOf(dataModel === ledgerTransactions.dataModel ? fields : { ...fields, read: [...fields.read, 'custom_fields'] }),
}));

/** Where Xero is. */
const HOSTED: XeroHosts = {
  api: 'https://api.xero.com',
  authorizationUrl: 'https://login.xero.com/identity/connect/authorize',
  tokenUrl: 'https://identity.xero.com/connect/token',
  revocationUrl: 'https://identity.xero.com/connect/revocation',
};

/** Xero's calls a minute for each organisation. */
const PER_MINUTE = 60;
/** Pause where no call of the minute, or of the day, is left. The day is the last 24 hours, so calls come back all the time. */
const MINUTE_SECONDS = 60;
const DAY_SECONDS = 3_600;

function streamOf(dataModel: string): Stream {
  const stream = streams.find((entry) => entry.dataModel === dataModel);
  if (!stream) throw new GatewayError('OPERATION_NOT_SUPPORTED', `Xero has no ${dataModel} records`);
  return stream;
}

function writesOf(dataModel: string): { stream: Stream; writes: Writes } {
  const stream = streamOf(dataModel);
  if (!stream.writes) throw new GatewayError('OPERATION_NOT_SUPPORTED', `${dataModel} records are not sent to Xero`);
  return { stream, writes: stream.writes };
}

/** The connector of one run. */
class XeroConnector implements Connector {
  readonly #client: XeroClient;
  readonly #signal: AbortSignal;

  constructor(session: ConnectorSession, hosts: XeroHosts) {
    this.#client = new XeroClient(session, hosts);
    this.#signal = session.signal;
  }

  async check(): Promise<void> {
    await this.#client.rows({ path: 'Organisation' });
  }

  disconnect(): Promise<boolean> {
    return this.#client.disconnect();
  }

  pull(request: PullRequest) {
    const stream = streamOf(request.dataModel);
    const read = typeof stream.pages === 'function' ? stream.pages : undefined;
    return read ? read(this.#client, request, this.#signal) : pagesOf(this.#client, stream, request, this.#signal);
  }

  async read(dataModel: string, platformId: string): Promise<SourceRecord | null> {
    const stream = streamOf(dataModel);
    const row = await this.#row(stream, platformId);
    return row ? withRaw(await stream.record(row, this.#client), row) : null;
  }

  async push(request: PushRequest): Promise<PushResponse> {
    const { stream, writes } = writesOf(request.dataModel);
    if (request.operation === 'CREATE') return this.#create(stream, writes, request);
    return request.operation === 'UPDATE' ? this.#update(stream, writes, request) : this.#remove(stream, writes, request);
  }

  /** Xero honours the key of a write for a while only, so what has a name of its own is looked for too. */
  async findPushed({ dataModel, operation, record, idempotencyKey }: PushRequest): Promise<PushResponse | null> {
    const { stream, writes } = writesOf(dataModel);
    const query = operation === 'CREATE' ? writes.search?.(record, idempotencyKey) : undefined;
    if (!query) return null;
    const { rows } = await this.#client.rows({ path: stream.endpoint, query: { ...stream.options, ...query } });
    const found = rows.find((row) => !stream.isGone?.(row) && writes.isSame?.(row, record));
    return found ? this.#pushResponse(stream, found) : null;
  }

  trialBalance(asOf: string): Promise<SourceBalances> {
    return trialBalance(this.#client, asOf);
  }

  /** A row of the data model by its id; null where Xero has none, or shows it as deleted. */
  async #row(stream: Stream, id: string): Promise<Row | null> {
    const row = await (stream.readOne ? stream.readOne(this.#client, id) : this.#client.one(stream.endpoint, id, stream.options));
    return row && stream.owns?.(row) !== false && !stream.isGone?.(row) ? row : null;
  }

  async #create(stream: Stream, writes: Writes, { record, idempotencyKey }: PushRequest): Promise<PushResponse> {
    const row = { ...(await writes.row(this.#client, record)), ...writes.created?.(idempotencyKey) };
    return this.#pushResponse(stream, await this.#write(stream, 'PUT', stream.endpoint, row, idempotencyKey));
  }

  async #update(stream: Stream, writes: Writes, { record, base, platformId, idempotencyKey }: PushRequest): Promise<PushResponse> {
    if (!writes.isChangeable) throw cannotSay(`Xero does not change ${stream.endpoint}: delete it and make another`);
    const next = await writes.row(this.#client, record, base);
    // What is paid or approved may be changed in some members alone, so those that stay are not sent.
    const row = base ? changed(next, await writes.row(this.#client, base, base)) : next;
    const current = { platformId: platformId! };
    if (Object.keys(row).length === 0) return base ? { ...current, record: base } : current;
    const named = { [stream.id]: platformId, ...row };
    return this.#pushResponse(stream, await this.#write(stream, 'POST', `${stream.endpoint}/${platformId}`, named, idempotencyKey));
  }

  async #remove(stream: Stream, writes: Writes, { platformId, idempotencyKey }: PushRequest): Promise<PushResponse> {
    const path = `${stream.endpoint}/${platformId}`;
    if (!writes.removed) await this.#client.delete(path);
    else {
      const current = await this.#row(stream, platformId!);
      const row = current && { ...writes.removed(current), ...(writes.isChangeable ? { [stream.id]: platformId } : {}) };
      if (row) await this.#write(stream, 'POST', path, row, idempotencyKey);
    }
    return { platformId: platformId! };
  }

  #write({ endpoint, options = {} }: Stream, method: 'PUT' | 'POST', path: string, row: Row, idempotencyKey: string): Promise<Row> {
    // The end of a payment is the one write that is not in a list.
    const body = endpoint === 'Payments' && method === 'POST' ? row : { [endpoint]: [row] };
    return this.#client.write({ method, path, query: options, body }, idempotencyKey);
  }

  async #pushResponse(stream: Stream, row: Row): Promise<PushResponse> {
    return { platformId: String(row[stream.id]), record: withRaw(await stream.record(row, this.#client), row) };
  }
}

/** The definition of the connector, with Xero at these addresses. */
export const xeroAt = (hosts: XeroHosts): ConnectorDefinition => ({
  source: 'XERO',
  title: 'Xero',
  settings: [
    {
      name: 'organisation',
      title: 'Organisation',
      description: 'Name or id of the organisation in Xero; needed where the sign-in reaches several.',
      kind: 'text',
      isRequired: false,
    },
  ],
  oauth: {
    authorizationUrl: hosts.authorizationUrl,
    tokenUrl: hosts.tokenUrl,
    issuer: 'https://identity.xero.com',
    revocation: { url: hosts.revocationUrl, shared: 'tenantId' },
    scopes: [
      ...['offline_access', 'accounting.settings', 'accounting.contacts', 'accounting.invoices', 'accounting.payments'],
      ...['accounting.banktransactions.read', 'accounting.manualjournals.read'],
    ],
  },
  limits: {
    perMinute: PER_MINUTE,
    problemHeader: 'x-rate-limit-problem',
    pauseAfter: (headers) => {
      if (headers['x-daylimit-remaining'] === '0') return DAY_SECONDS;
      return headers['x-minlimit-remaining'] === '0' ? MINUTE_SECONDS : undefined;
    },
  },
  hook,
  capabilities,
  open: (session) => keptToDeclared(new XeroConnector(session, hosts), 'Xero', capabilities),
});

/** The definition of the connector to Xero. */
export const xero: ConnectorDefinition = xeroAt(HOSTED);

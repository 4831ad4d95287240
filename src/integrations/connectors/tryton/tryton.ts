// The connector to Tryton: what it is connected with, what it pulls and sends, and how a write is sent once.
import { GatewayError } from '../../../records/errors.ts';
import type { CustomFieldRule } from '../connector.ts';
import {
  BOTH_WAYS,
  type Capability,
  type Connector,
  type ConnectorDefinition,
  type ConnectorSession,
  type PushRequest,
  type PushResponse,
  READ_ONLY,
  type SourceBalances,
  type SourceRecord,
} from '../connector.ts';
import { type DeclaredFields, fieldsOf, keptToDeclared } from '../declared.ts';
import { accounts, currencies, taxRates, trialBalance } from './books.ts';
import { pages } from './changes.ts';
import { TrytonClient } from './client.ts';
import { contacts } from './contacts.ts';
import { cannotSay } from './errors.ts';
import { billCreditNotes, bills, invoiceCreditNotes, invoices } from './invoices.ts';
import { items } from './items.ts';
import { ledgerTransactions } from './ledger.ts';
import { payments } from './payments.ts';
import { markOf, modelsOf, readRecords, type Stream, type Writes } from './stream.ts';
import { estimates, goodsReceiptNotes, purchaseOrders } from './trade.ts';

/** In the order of their references. */
const streams: readonly Stream[] = [
  ...[currencies, accounts, taxRates, contacts, items],
  ...[estimates, purchaseOrders, goodsReceiptNotes],
  ...[invoices, bills, invoiceCreditNotes, billCreditNotes, payments],
  ledgerTransactions,
];

/** The fields of a stream, with the custom fields that all but transactions have. */
function declared({ dataModel, writes, fields }: Stream): DeclaredFields {
  if (dataModel === ledgerTransactions.dataModel) return fields;
  return writes ? { ...fields, both: [...(fields.both ?? []), 'custom_fields'] } : { ...fields, read: [...fields.read, 'custom_fields'] };
}

const capabilities: readonly Capability[] = streams.map((stream) => ({
  dataModel: stream.dataModel,
  ...(stream.writes ? BOTH_WAYS : READ_ONLY),
  fields: fieldsOf(declared(stream)),
}));

function streamOf(dataModel: string): Stream {
  const stream = streams.find((entry) => entry.dataModel === dataModel);
  if (!stream) throw new GatewayError('OPERATION_NOT_SUPPORTED', `Tryton has no ${dataModel} records`);
  return stream;
}

function writesOf(dataModel: string): { stream: Stream; writes: Writes } {
  const stream = streamOf(dataModel);
  if (!stream.writes) throw new GatewayError('OPERATION_NOT_SUPPORTED', `${dataModel} records are not sent to Tryton`);
  return { stream, writes: stream.writes };
}

/** The connector of one run. */
class TrytonConnector implements Connector {
  readonly #client: TrytonClient;
  readonly #signal: AbortSignal;
  readonly #session: ConnectorSession;

  constructor(session: ConnectorSession) {
    this.#client = TrytonClient.open(session);
    this.#session = session;
    this.#signal = session.signal;
  }

  async check(): Promise<void> {
    const methods = await this.#client.methods().catch(refusedLogin);
    // One without some of the modules has the records of the others.
    if (streams.some(({ model }) => methods.has(`model.${model}.search_read`))) return;
    throw cannotSay('The database of Tryton has no records to pull: activate the module account_invoice');
  }

  async *pull(request: Parameters<Connector['pull']>[0]) {
    const stream = streamOf(request.dataModel);
    yield* pages(await this.#reading(stream), stream, request, this.#signal);
  }

  /** The client that reads the records of a data model; whole where that is wanted. */
  async #reading(stream: Stream): Promise<TrytonClient> {
    if (!this.#session.wantsRaw) return this.#client;
    const { more } = stream;
    const others = more && (await this.#client.canRead(more.model)) ? modelsOf(more) : [];
    return this.#client.readingWhole([...modelsOf(stream), ...others]);
  }

  async read(dataModel: string, platformId: string): Promise<SourceRecord | null> {
    const stream = streamOf(dataModel);
    return readOne(await this.#reading(stream), stream, platformId);
  }

  async push(request: PushRequest): Promise<PushResponse> {
    const { stream, writes } = writesOf(request.dataModel);
    // A change of the rows between this read and the write is not overwritten.
    const client = (await this.#reading(stream)).overRead();
    const own = customValues(request, this.#session.customFields ?? []);
    if (request.operation === 'CREATE') return create(client, stream, writes, request, own);
    return request.operation === 'UPDATE' ? update(client, stream, writes, request, own) : remove(client, stream, request);
  }

  async findPushed(request: PushRequest): Promise<PushResponse | null> {
    const { stream, writes } = writesOf(request.dataModel);
    const { operation, platformId } = request;
    if (operation === 'DELETE') return (await this.read(request.dataModel, platformId!)) ? null : { platformId: platformId! };
    const company = await this.#client.company();
    const domain = [...stream.domain(company), ...writes.marked(markOf(request.idempotencyKey))];
    const [row] = await this.#client.rows(stream.model, { domain, fields: [] });
    if (!row || (operation === 'UPDATE' && String(row.id) !== platformId)) return null;
    if (operation === 'CREATE') await writes.complete?.(this.#client, row.id);
    return pushResponseOf(await this.#reading(stream), stream, row.id);
  }

  trialBalance(asOf: string): Promise<SourceBalances> {
    return trialBalance(this.#client, asOf);
  }
}

/** Credentials that are rejected when they are tried are not expired ones. */
function refusedLogin(error: unknown): never {
  if (error instanceof GatewayError && error.code === 'CONNECTION_EXPIRED')
    throw new GatewayError('PLATFORM_DENIED', 'Tryton does not accept this user and password', error.info);
  throw error;
}

/** A source id is the number of a row. */
const numberOf = (platformId: string | null): number => (/^[1-9]\d{0,8}$/.test(platformId ?? '') ? Number(platformId) : 0);

async function readOne(client: TrytonClient, stream: Stream, platformId: string | null): Promise<SourceRecord | null> {
  const { more, readNamed } = stream;
  const id = platformId ?? '';
  if (more && id.startsWith(more.prefix!)) return (await client.canRead(more.model)) ? readOne(client, more, id) : null;
  const number = numberOf(id.slice(stream.prefix?.length ?? 0));
  if (readNamed && number === 0) return readNamed(client, id);
  const domain = [...stream.domain(await client.company()), ['id', '=', number]];
  const [row] = await client.rows(stream.model, { domain, fields: [] });
  return row ? ((await readRecords(client, stream, [row.id]))[0] ?? null) : null;
}

async function pushResponseOf(client: TrytonClient, stream: Stream, id: number): Promise<PushResponse> {
  const platformId = String(id);
  const record = await readOne(client, stream, platformId);
  return record ? { platformId, record } : { platformId };
}

/** The custom fields of a write that differ from those of its base, by their names in Tryton. */
function customValues({ dataModel, record, base }: PushRequest, rules: readonly CustomFieldRule[]): Record<string, unknown> {
  const valueIn = (fields: unknown, name: string): unknown =>
    ((fields ?? []) as { name: string; value?: unknown }[]).find((field) => field.name === name)?.value ?? null;
  if (record.custom_fields === undefined) return {};
  return Object.fromEntries(
    rules.flatMap((rule) => {
      const value = valueIn(record.custom_fields, rule.name);
      return rule.dataModel !== dataModel || value === valueIn(base?.custom_fields, rule.name) ? [] : [[rule.from, value]];
    }),
  );
}

async function create(
  client: TrytonClient,
  stream: Stream,
  writes: Writes,
  { record, idempotencyKey }: PushRequest,
  own: Record<string, unknown>,
): Promise<PushResponse> {
  const id = await client.create(stream.model, { ...(await writes.create(client, record, markOf(idempotencyKey))), ...own });
  await writes.complete?.(client, id);
  return pushResponseOf(client, stream, id);
}

/** The record as Tryton has it, where it is the version that the write is based on. */
async function currentOf(client: TrytonClient, stream: Stream, { platformId, base }: PushRequest): Promise<SourceRecord | null> {
  const current = await readOne(client, stream, platformId);
  if (current && base && base.updated_at !== current.updated_at)
    throw new GatewayError('STALE_RECORD', `${stream.dataModel} ${platformId} has changed in Tryton`);
  return current;
}

async function update(
  client: TrytonClient,
  stream: Stream,
  writes: Writes,
  request: PushRequest,
  own: Record<string, unknown>,
): Promise<PushResponse> {
  const { record, platformId, idempotencyKey } = request;
  const current = await currentOf(client, stream, request);
  if (!current) throw cannotSay(`Tryton has no ${stream.model} ${platformId}`);
  const id = numberOf(platformId);
  const values = await writes.update(client, id, record, current, markOf(idempotencyKey));
  if (values || Object.keys(own).length > 0) await client.write(stream.model, id, { ...values, ...own });
  return pushResponseOf(client, stream, id);
}

async function remove(client: TrytonClient, stream: Stream, request: PushRequest): Promise<PushResponse> {
  const current = await currentOf(client, stream, request);
  if (current) await client.delete(stream.model, numberOf(request.platformId));
  return { platformId: request.platformId! };
}

/** The definition of the connector to Tryton. */
export const tryton: ConnectorDefinition = {
  source: 'TRYTON',
  title: 'Tryton',
  settings: [
    {
      name: 'url',
      title: 'Address',
      description: 'Address of the Tryton server, such as https://erp.example.com.',
      kind: 'url',
      isRequired: true,
    },
    { name: 'database', title: 'Database', description: 'Name of the database on the server.', kind: 'text', isRequired: true },
    {
      name: 'user',
      title: 'User',
      description: 'Login of a user of the database, best one of its own with the rights that the connection needs.',
      kind: 'text',
      isRequired: true,
    },
    { name: 'password', title: 'Password', description: 'Password of the user.', kind: 'secret', isRequired: true },
    {
      name: 'company',
      title: 'Company',
      description: 'Name or number of the company in the database; the company of the user when empty.',
      kind: 'text',
      isRequired: false,
    },
  ],
  capabilities,
  open: (session) => keptToDeclared(new TrytonConnector(session), 'Tryton', capabilities),
};

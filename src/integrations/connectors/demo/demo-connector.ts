// The connector of the demo ledger: a small JSON protocol over HTTP, which is also the shortest example of a connector that pulls and pushes.
import { isPlainObject } from '../../../records/checked.ts';
import { GatewayError } from '../../../records/errors.ts';
import { recordFields } from '../../ledger/record-fields.ts';
import {
  BOTH_WAYS,
  type Connector,
  type ConnectorDefinition,
  type ConnectorSession,
  type Json,
  type PullRequest,
  type PushRequest,
  type PushResponse,
  READ_ONLY,
  type SourcePage,
  type SourceRecord,
  type SourceRequest,
  type SourceResponse,
} from '../connector.ts';
import { fieldsOf } from '../declared.ts';

/** Data models of the demo ledger: what it only shows, and what it also takes. */
const PULLED = ['CURRENCY', 'TAX_RATE', 'ACCOUNT', 'GOODS_RECEIPT_NOTE', 'BILL_CREDIT_NOTE', 'INVOICE_CREDIT_NOTE'];
const PUSHED = ['CONTACT', 'ITEM', 'ESTIMATE', 'PURCHASE_ORDER'];

/** A page as the ledger returns it. */
interface LedgerPage {
  records: SourceRecord[];
  deleted: string[];
  /** Where the next page begins, or the changes after the last one. */
  cursor: Json;
  has_more: boolean;
}

/**
 * The demo ledger: `GET /contact?cursor=`, `GET|PUT|DELETE /contact/{id}` with `ETag` and `If-Match`, `POST /contact` with `Idempotency-Key`, each
 * with `Authorization: Bearer`.
 */
export const demoLedger: ConnectorDefinition = {
  source: 'DEMO',
  title: 'Demo ledger',
  settings: [
    { name: 'url', title: 'Address', description: 'Address of the demo ledger.', kind: 'url', isRequired: true },
    { name: 'apiKey', title: 'API key', description: 'Key that the demo ledger accepts.', kind: 'secret', isRequired: true },
  ],
  get capabilities() {
    return [
      ...PULLED.map((dataModel) => ({ dataModel, ...READ_ONLY, fields: fieldsOf({ read: recordFields(dataModel) }) })),
      ...PUSHED.map((dataModel) => ({ dataModel, ...BOTH_WAYS, fields: fieldsOf({ read: [], both: recordFields(dataModel) }) })),
    ];
  },
  open: (session) => new DemoConnector(session),
};

const pathOf = (dataModel: string, platformId?: string): string =>
  `/${dataModel.toLowerCase()}${platformId === undefined ? '' : `/${encodeURIComponent(platformId)}`}`;

class DemoConnector implements Connector {
  readonly #session: ConnectorSession;
  /** The versions of the records that were read, by their paths. */
  readonly #versions = new Map<string, string>();

  constructor(session: ConnectorSession) {
    this.#session = session;
  }

  async check(): Promise<void> {
    await this.#call({ url: '/' });
  }

  async *pull({ dataModel, cursor }: PullRequest): AsyncGenerator<SourcePage> {
    for (let from = cursor; ; ) {
      const query = from === null ? '' : `?cursor=${encodeURIComponent(String(from))}`;
      const page = pageOf(await (await this.#call({ url: `${pathOf(dataModel)}${query}` })).json());
      if (page.has_more && page.cursor === from) throw unreadable('the cursor of a next page');
      from = page.cursor;
      yield {
        records: page.records.map((record) => (typeof record.platform_id === 'string' ? withIds(record) : record)),
        deleted: page.deleted.map(idOf),
        cursor: from,
      };
      if (!page.has_more) return;
    }
  }

  async read(dataModel: string, platformId: string): Promise<SourceRecord | null> {
    const url = pathOf(dataModel, platformId);
    const response = await this.#call({ url }, [404]);
    if (response.status === 404) return null;
    if (response.headers.etag !== undefined) this.#versions.set(url, response.headers.etag);
    return recordOf(await response.json());
  }

  async push({ dataModel, operation, platformId, record, idempotencyKey }: PushRequest): Promise<PushResponse> {
    const url = pathOf(dataModel, platformId ?? undefined);
    const version = this.#versions.get(url);
    const headers = { 'idempotency-key': idempotencyKey, ...(version === undefined ? {} : { 'if-match': version }) };
    if (operation === 'DELETE') {
      await this.#call({ method: 'DELETE', url, headers }, [404]);
      return { platformId: platformId! };
    }
    const method = operation === 'CREATE' ? 'POST' : 'PUT';
    const response = await this.#call({ method, url, headers, body: JSON.stringify(record) });
    const stored = recordOf(await response.json());
    return { platformId: String(stored.platform_id), record: stored };
  }

  /** Calls the ledger; a response of 4xx is a rejection, except those the caller expects. */
  async #call(request: SourceRequest, expected: readonly number[] = []): Promise<SourceResponse> {
    const { settings, http } = this.#session;
    const response = await http({
      ...request,
      url: settings.url!.replace(/\/$/, '') + request.url,
      headers: { authorization: `Bearer ${settings.apiKey}`, 'content-type': 'application/json', ...request.headers },
    });
    const { status } = response;
    if (status < 300 || expected.includes(status)) return response;
    if (status === 412) throw new GatewayError('STALE_RECORD', 'the record of the demo ledger has changed since it was read');
    const body = (await response.text()).slice(0, 500);
    throw new GatewayError('PLATFORM_DENIED', `the demo ledger rejected it: ${messageOf(body) ?? `status ${status}`}`, {
      platformError: { status, body },
    });
  }
}

function messageOf(body: string): string | undefined {
  try {
    const { message } = JSON.parse(body) as { message?: unknown };
    return typeof message === 'string' ? message.slice(0, 200) : undefined;
  } catch {
    return undefined;
  }
}

const unreadable = (what: string): GatewayError => new GatewayError('PLATFORM_ERROR', `the demo ledger did not return ${what}`);

function pageOf(value: unknown): LedgerPage {
  if (!isPlainObject(value) || !Array.isArray(value.records) || !value.records.every(isPlainObject)) throw unreadable('a page of records');
  const deleted = Array.isArray(value.deleted) ? value.deleted.filter((id) => typeof id === 'string') : [];
  return { records: value.records, deleted, cursor: (value.cursor ?? null) as Json, has_more: value.has_more === true };
}

function recordOf(value: unknown): SourceRecord {
  if (!isPlainObject(value) || value.platform_id === undefined) throw unreadable('a record');
  return withIds(value);
}

/** Members of a record that name another one. */
const REFERENCES = new Set(['contact_id', 'account_id', 'item_id', 'variant_id', 'tax_id', 'parent_account_id']);

/** The form in which ids of the demo ledger are compared, by it and here: they ignore case, and it shows them in either. */
export const idOf = (id: string): string => id.toUpperCase();

const withIds = (record: SourceRecord): SourceRecord => ({ ...withReferences(record), platform_id: idOf(String(record.platform_id)) });

const withReferences = (record: SourceRecord): SourceRecord =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => {
      if (typeof value === 'string' && REFERENCES.has(name)) return [name, idOf(value)];
      return [name, Array.isArray(value) ? value.map((entry) => (isPlainObject(entry) ? withReferences(entry) : entry)) : value];
    }),
  );

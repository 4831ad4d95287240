// Xero on the loopback interface, as its published OpenAPI description says: sign-in, organisations, lists by pages and changes, limits, keys, rejections.
import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { XeroHosts } from '../../src/integrations/connectors/xero/client.ts';
import { type AuthorisationServer, startAuthorisationServer } from './authorisation.ts';
import type { Exchange } from './exchanges.ts';

export type XeroRow = Record<string, unknown>;

/** What the description says of an endpoint: the id of its rows, the parameters of its list, and the methods of both. */
interface Endpoint {
  id: string;
  list: readonly string[];
  methods: string;
  one: string;
  isPaged?: boolean;
  hasDigits?: boolean;
}

const PAGED = ['page', 'pageSize', 'order'];
const endpoints: Readonly<Record<string, Endpoint>> = {
  Organisation: { id: 'OrganisationID', list: [], methods: 'GET', one: '' },
  Journals: { id: 'JournalID', list: ['offset', 'paymentsOnly'], methods: 'GET', one: 'GET' },
  Reports: { id: 'ReportID', list: ['date'], methods: '', one: 'GET' },
  Currencies: { id: 'Code', list: ['where', 'order'], methods: 'GET PUT', one: '' },
  Accounts: { id: 'AccountID', list: ['where', 'order'], methods: 'GET PUT', one: 'GET POST DELETE' },
  TaxRates: { id: 'TaxType', list: ['where', 'order'], methods: 'GET PUT POST', one: 'GET' },
  Items: { id: 'ItemID', list: ['where', 'order'], methods: 'GET PUT POST', one: 'GET POST DELETE', hasDigits: true },
  Contacts: {
    id: 'ContactID',
    list: ['where', 'IDs', 'includeArchived', 'summaryOnly', 'searchTerm', ...PAGED],
    methods: 'GET PUT POST',
    one: 'GET POST',
    isPaged: true,
  },
  Invoices: {
    id: 'InvoiceID',
    list: [
      'where',
      'IDs',
      'InvoiceNumbers',
      'ContactIDs',
      'Statuses',
      'includeArchived',
      'createdByMyApp',
      'summaryOnly',
      'searchTerm',
      ...PAGED,
    ],
    methods: 'GET PUT POST',
    one: 'GET POST',
    isPaged: true,
    hasDigits: true,
  },
  CreditNotes: { id: 'CreditNoteID', list: ['where', ...PAGED], methods: 'GET PUT POST', one: 'GET POST', isPaged: true, hasDigits: true },
  Payments: { id: 'PaymentID', list: ['where', ...PAGED], methods: 'GET PUT POST', one: 'GET POST', isPaged: true },
  Overpayments: { id: 'OverpaymentID', list: ['where', ...PAGED], methods: 'GET', one: 'GET', isPaged: true, hasDigits: true },
  Prepayments: { id: 'PrepaymentID', list: ['where', ...PAGED], methods: 'GET', one: 'GET', isPaged: true, hasDigits: true },
  TrackingCategories: { id: 'TrackingCategoryID', list: ['where', 'order', 'includeArchived'], methods: 'GET PUT', one: 'GET POST DELETE' },
  BankTransactions: {
    id: 'BankTransactionID',
    list: ['where', ...PAGED],
    methods: 'GET PUT POST',
    one: 'GET POST',
    isPaged: true,
    hasDigits: true,
  },
  ManualJournals: { id: 'ManualJournalID', list: ['where', ...PAGED], methods: 'GET PUT POST', one: 'GET POST', isPaged: true },
  PurchaseOrders: {
    id: 'PurchaseOrderID',
    list: ['Status', 'DateFrom', 'DateTo', ...PAGED],
    methods: 'GET PUT POST',
    one: 'GET POST',
    isPaged: true,
  },
  Quotes: {
    id: 'QuoteID',
    list: ['DateFrom', 'DateTo', 'ExpiryDateFrom', 'ExpiryDateTo', 'ContactID', 'Status', 'page', 'order', 'QuoteNumber'],
    methods: 'GET PUT POST',
    one: 'GET POST',
    isPaged: true,
  },
};

/** Rows of a page where the caller does not say. */
const PAGE = 100;
const MAX_KEY = 128;

/** With RECORD_XERO set to a directory, every call and its response are appended to a file there, for the check against the description. */
const recording = process.env.RECORD_XERO && join(process.env.RECORD_XERO, `${randomUUID()}.jsonl`);

function record(exchange: Exchange): void {
  if (recording) appendFileSync(recording, `${JSON.stringify(exchange)}\n`);
}

/** A call and its response, with the time it arrived. */
export type XeroExchange = Exchange & { at: number };

/** Xero. */
export interface Xero {
  hosts: XeroHosts;
  authorisation: AuthorisationServer;
  tenants: { tenantId: string; tenantName: string; tenantType: string }[];
  /** What callers did that the description does not allow. */
  problems: string[];
  calls: XeroExchange[];
  /** Calls of the accounting API that had to be rejected for their rate. */
  limited: number;
  /** Calls that an organisation has in each window of this length. */
  perWindow: number;
  windowMs: number;
  /** What a rejection for the rate asks to wait. */
  retryAfterSeconds: number;
  /**
   * What happens to a write: `lose` makes it and returns nothing; `down` fails. A call is rejected for the limit of the `day`, or for a `scope` that
   * the sign-in lacks; the organisation lets nobody in (`out`), or the person may not use the endpoint (`forbidden`).
   */
  failure: (method: string, path: string) => 'lose' | 'down' | 'day' | 'scope' | 'out' | 'forbidden' | undefined;
  /** Why a row is rejected. */
  refuses: (row: XeroRow) => string | undefined;
  /** Access tokens that are not accepted any more. */
  revoke(): void;
  /** Adds a row, or changes the one with its id. */
  put(endpoint: string, row: XeroRow): XeroRow;
  rows(endpoint: string): XeroRow[];
  remove(endpoint: string, id: string): void;
  /** The rows of its trial balance, by the day that is asked for: account, name, and balance, in which a credit is less than 0. */
  trialBalance: (date: string) => [section: string, accountId: string, name: string, balance: string][];
  /** Forgets the idempotency keys, as Xero does after some minutes. */
  forgetKeys(): void;
  advance(milliseconds: number): void;
  stop(): Promise<void>;
}

export const xeroDate = (at: Date | number | string): string => `/Date(${new Date(at).getTime()}+0000)/`;

const dateFields = ['Date', 'DueDate', 'DeliveryDate', 'ExpiryDate'];

/** Starts Xero without records. */
export async function startXero(): Promise<Xero> {
  const authorisation = await startAuthorisationServer();
  const tables = new Map<string, Map<string, XeroRow>>();
  const writtenByKey = new Map<string, { status: number; body: string }>();
  const tokens = new Set<string>();
  let offset = 0;
  const now = (): number => Date.now() + offset;
  const table = (endpoint: string): Map<string, XeroRow> => {
    if (!tables.has(endpoint)) tables.set(endpoint, new Map());
    return tables.get(endpoint)!;
  };
  authorisation.onToken = (token) => void tokens.add(token);

  /** What Xero computes of a line. */
  const computedLine = (line: XeroRow, types: unknown): XeroRow => {
    const account = [...table('Accounts').values()].find(
      ({ Code, AccountID }) => Code === line.AccountCode || AccountID === line.AccountID,
    );
    const item = [...table('Items').values()].find(({ Code }) => Code === line.ItemCode);
    const rate = Number([...table('TaxRates').values()].find(({ TaxType }) => TaxType === line.TaxType)?.EffectiveRate ?? 0);
    const whole = line.LineAmount ?? Number((Number(line.Quantity ?? 1) * Number(line.UnitAmount ?? 0)).toFixed(2));
    const isInclusive = String(types).toUpperCase() === 'INCLUSIVE';
    const tax = isInclusive ? (Number(whole) * rate) / (100 + rate) : (Number(whole) * rate) / 100;
    return {
      LineItemID: randomUUID(),
      ...line,
      ...(account ? { AccountID: account.AccountID, AccountCode: account.Code } : {}),
      ...(item ? { Item: { ItemID: item.ItemID, Code: item.Code, Name: item.Name } } : {}),
      LineAmount: whole,
      TaxAmount: Number(tax.toFixed(2)),
    };
  };
  /** What Xero computes of a document. */
  const computed = (endpoint: string, row: XeroRow): XeroRow => {
    if (!Array.isArray(row.LineItems)) return row;
    const types = row.LineAmountTypes ?? (endpoint === 'Quotes' ? 'EXCLUSIVE' : 'Exclusive');
    const lines = (row.LineItems as XeroRow[]).map((line) => computedLine(line, types));
    const total = (name: string): number => Number(lines.reduce((all, line) => all + Number(line[name] ?? 0), 0).toFixed(2));
    const net = String(types).toUpperCase() === 'INCLUSIVE' ? total('LineAmount') - total('TaxAmount') : total('LineAmount');
    const sums = { SubTotal: Number(net.toFixed(2)), TotalTax: total('TaxAmount'), Total: Number((net + total('TaxAmount')).toFixed(2)) };
    return {
      CurrencyCode: 'EUR',
      CurrencyRate: 1,
      LineAmountTypes: types,
      Status: 'DRAFT',
      ...row,
      ...sums,
      ...(endpoint === 'Invoices' ? { AmountDue: sums.Total, AmountPaid: 0, AmountCredited: 0 } : {}),
      LineItems: lines,
    };
  };
  const store = (endpoint: string, row: XeroRow): XeroRow => {
    const { id } = endpoints[endpoint]!;
    const key = String(row[id] ?? randomUUID());
    const before = table(endpoint).get(key);
    const dates = dateFields.flatMap((name) =>
      typeof row[name] === 'string' && !row[name].startsWith('/') ? [[name, xeroDate(row[name])]] : [],
    );
    const stored = computed(endpoint, {
      ...before,
      ...row,
      ...Object.fromEntries(dates),
      [id]: key,
      ...(endpoint === 'TaxRates' || endpoint === 'Currencies' ? {} : { UpdatedDateUTC: xeroDate(now()) }),
    });
    table(endpoint).set(key, stored);
    return stored;
  };

  const problem = (words: string): void => void xero.problems.push(words);
  /** The rows that a list has, by what it is asked for. */
  const listed = (endpoint: string, query: URLSearchParams, since: string | undefined): XeroRow[] => {
    const { id } = endpoints[endpoint]!;
    const condition = /^(\w+)=="(.*)"$/.exec(query.get('where') ?? '');
    if (query.get('where') && !condition) problem(`a filter that this server does not know: ${query.get('where')}`);
    const wanted = (row: XeroRow): boolean =>
      (!condition || row[condition[1]!] === condition[2]) &&
      (!query.get('InvoiceNumbers') || query.get('InvoiceNumbers')!.split(',').includes(String(row.InvoiceNumber))) &&
      (!query.get('QuoteNumber') || row.QuoteNumber === query.get('QuoteNumber')) &&
      (endpoint !== 'Contacts' || query.get('includeArchived') === 'true' || row.ContactStatus !== 'ARCHIVED') &&
      (since === undefined || momentOf(row.UpdatedDateUTC) >= Date.parse(since) - 999);
    const rows = [...table(endpoint).values()].filter(wanted);
    const [by = id, direction = 'ASC'] = (query.get('order') ?? '').split(' ').filter(Boolean);
    const sorted = rows.sort((a, b) => String(a[by]).localeCompare(String(b[by])));
    return direction === 'DESC' ? sorted.reverse() : sorted;
  };
  /** A row as it is returned: prices of two digits without `unitdp`. */
  const shown = (endpoint: string, row: XeroRow, query: URLSearchParams): XeroRow => {
    if (!endpoints[endpoint]!.hasDigits || query.get('unitdp') === '4' || !Array.isArray(row.LineItems)) return row;
    const lines = (row.LineItems as XeroRow[]).map((line) => ({ ...line, UnitAmount: Number(Number(line.UnitAmount).toFixed(2)) }));
    return { ...row, LineItems: lines };
  };
  const list = (endpoint: string, query: URLSearchParams, since: string | undefined): XeroRow => {
    const rows = listed(endpoint, query, since);
    if (endpoint === 'Journals') {
      const after = rows.filter(({ JournalNumber }) => Number(JournalNumber) > Number(query.get('offset') ?? 0));
      return { Journals: after.sort((a, b) => Number(a.JournalNumber) - Number(b.JournalNumber)).slice(0, 100) };
    }
    if (!endpoints[endpoint]!.isPaged) return { [endpoint]: rows.map((row) => shown(endpoint, row, query)) };
    // Without a page, Invoices and Contacts are returned in short form.
    if (!query.has('page')) return { [endpoint]: rows.map(({ LineItems: _, ...row }) => row) };
    const [page, pageSize] = [Number(query.get('page')), Number(query.get('pageSize') ?? PAGE)];
    const slice = rows.slice((page - 1) * pageSize, page * pageSize).map((row) => shown(endpoint, row, query));
    const pageCount = Math.max(1, Math.ceil(rows.length / pageSize));
    const pagination = { page, pageSize, pageCount, itemCount: rows.length };
    return endpoint === 'Quotes' ? { [endpoint]: slice } : { pagination, [endpoint]: slice };
  };
  const invalid = (message: string, row: XeroRow) => ({
    status: 400,
    body: {
      ErrorNumber: 10,
      Type: 'ValidationException',
      Message: 'A validation exception occurred',
      Elements: [{ ...row, ValidationErrors: [{ Message: message }] }],
    },
  });
  /** What a row is rejected for; the rules that the tests need. */
  const refusal = (endpoint: string, row: XeroRow): string | undefined => {
    const others = [...table(endpoint).values()].filter((other) => other[endpoints[endpoint]!.id] !== row[endpoints[endpoint]!.id]);
    if (endpoint === 'Contacts' && row.Name && others.some(({ Name }) => Name === row.Name))
      return `The contact name ${row.Name} is already assigned to another contact.`;
    if (endpoint === 'Items' && others.some(({ Code }) => Code === row.Code)) return `Item code ${row.Code} is already in use`;
    return xero.refuses(row);
  };
  const write = (endpoint: string, id: string | undefined, method: string, text: string): { status: number; body: unknown } => {
    const body = JSON.parse(text) as XeroRow;
    if (endpoint === 'Payments' && method === 'POST' && id)
      return { status: 200, body: { Payments: [store(endpoint, { PaymentID: id, ...body })] } };
    const rows = body[endpoint];
    if (!Array.isArray(rows) || rows.length !== 1) {
      problem(`${method} ${endpoint} with a body of another form`);
      return { status: 400, body: { Message: 'no rows' } };
    }
    const row = { ...(rows[0] as XeroRow), ...(id ? { [endpoints[endpoint]!.id]: id } : {}) };
    const words = refusal(endpoint, row);
    return words ? invalid(words, row) : { status: 200, body: { [endpoint]: [store(endpoint, row)] } };
  };
  /** The trial balance as a table; the columns before those of the year have what moved in the month. */
  const trialBalanceReport = (date: string): XeroRow => {
    const cells = (values: string[], id?: string) =>
      values.map((Value) => (id === undefined ? { Value } : { Value, Attributes: [{ Id: 'account', Value: id }] }));
    const sides = (balance: string): string[] => (balance.startsWith('-') ? ['', balance.slice(1)] : [balance, '']);
    const sections = Map.groupBy(xero.trialBalance(date), ([section]) => section);
    return {
      ReportID: 'TrialBalance',
      ReportName: 'Trial Balance',
      ReportType: 'TrialBalance',
      ReportTitles: ['Trial Balance', 'Demo Company', `As at ${date}`],
      ReportDate: date,
      UpdatedDateUTC: xeroDate(now()),
      Fields: [],
      Rows: [
        { RowType: 'Header', Cells: cells(['Account', 'Debit', 'Credit', 'YTD Debit', 'YTD Credit']) },
        ...[...sections].map(([Title, rows]) => ({
          RowType: 'Section',
          Title,
          Rows: rows.map(([, id, name, balance]) => ({ RowType: 'Row', Cells: cells([name, '1.00', '', ...sides(balance)], id) })),
        })),
        { RowType: 'Section', Title: '', Rows: [{ RowType: 'SummaryRow', Cells: cells(['Total', '1.00', '1.00', '0', '0']) }] },
      ],
    };
  };
  /** The times of the calls in the last minute, by organisation. */
  const recent = new Map<string, number[]>();
  const left = (tenant: string): number => {
    const times = (recent.get(tenant) ?? []).filter((time) => time > Date.now() - xero.windowMs);
    recent.set(tenant, times);
    if (times.length < xero.perWindow) times.push(Date.now());
    else return -1;
    return xero.perWindow - times.length;
  };

  const responseOf = (
    request: IncomingMessage,
    text: string,
  ): { status: number; body: unknown; headers?: Record<string, string>; isLost?: boolean } => {
    const { pathname, searchParams: query } = new URL(request.url!, 'http://xero');
    const method = request.method!;
    const refused = (status: number, title: string) => ({
      status,
      body: { Title: title, Status: status, Detail: 'AuthenticationUnsuccessful' },
    });
    if (request.headers.accept !== 'application/json') problem(`${method} ${pathname} without accept: application/json`);
    if (!tokens.has((request.headers.authorization ?? '').slice(7))) return refused(401, 'Unauthorized');
    // The id of a connection is that of its organisation, in another place.
    const connectionOf = (tenantId: string): string => [...tenantId].reverse().join('');
    if (pathname === '/connections' && method === 'GET')
      return { status: 200, body: xero.tenants.map((tenant) => ({ id: connectionOf(tenant.tenantId), ...tenant })) };
    const [, ended] = /^\/connections\/([\da-f-]+)$/.exec(pathname) ?? [];
    if (ended && method === 'DELETE') {
      const before = xero.tenants.length;
      xero.tenants = xero.tenants.filter(({ tenantId }) => connectionOf(tenantId) !== ended);
      return { status: xero.tenants.length < before ? 204 : 404, body: '' };
    }
    const [, endpoint = '', id] = /^\/api\.xro\/2\.0\/(\w+)(?:\/([^/]+))?$/.exec(pathname) ?? [];
    const known = endpoints[endpoint];
    const tenant = String(request.headers['xero-tenant-id']);
    if (!known || !(id ? known.one : known.methods).split(' ').includes(method)) {
      problem(`${method} ${pathname} is not described`);
      return { status: 404, body: { Message: 'not found' } };
    }
    if (!xero.tenants.some(({ tenantId }) => tenantId === tenant)) return refused(403, 'Forbidden');
    for (const name of query.keys())
      if (!(name === 'unitdp' && known.hasDigits) && !(method === 'GET' && (!id || endpoint === 'Reports') && known.list.includes(name)))
        problem(`${method} ${pathname} with ${name}`);
    if (endpoint === 'Reports' && id !== 'TrialBalance') problem(`the report ${id} is unknown to this server`);
    const failure = xero.failure(method, pathname);
    const remaining = left(tenant);
    const limits = {
      'x-minlimit-remaining': String(Math.max(0, remaining)),
      'x-daylimit-remaining': '4999',
      'x-appminlimit-remaining': '9999',
    };
    if (remaining < 0 || failure === 'day') {
      xero.limited += 1;
      const waits = { 'retry-after': String(xero.retryAfterSeconds), 'x-rate-limit-problem': failure === 'day' ? 'day' : 'minute' };
      return { status: 429, body: '', headers: { ...limits, ...waits } };
    }
    if (failure === 'scope') {
      const headers = { ...limits, 'www-authenticate': 'insufficient_scope' };
      return {
        ...refused(401, 'Unauthorized'),
        body: { Title: 'Unauthorized', Status: 401, Detail: 'AuthorizationUnsuccessful' },
        headers,
      };
    }
    if (failure === 'out') return refused(403, 'Forbidden');
    if (failure === 'forbidden')
      return { status: 403, body: { Title: 'Forbidden', Status: 403, Detail: 'Your role does not allow this.' } };
    if (failure === 'down') return { status: 503, body: { Title: 'Service Unavailable' } };
    if (endpoint === 'Reports') return { status: 200, body: { Reports: [trialBalanceReport(query.get('date')!)] }, headers: limits };
    if (method === 'GET') {
      if (!id) return { status: 200, body: list(endpoint, query, request.headers['if-modified-since']), headers: limits };
      const row = table(endpoint).get(id);
      return row
        ? { status: 200, body: { [endpoint]: [shown(endpoint, row, query)] }, headers: limits }
        : { status: 404, body: { Message: 'not found' } };
    }
    if (method === 'DELETE') return { status: table(endpoint).delete(id!) ? 204 : 404, body: '' };
    const key = request.headers['idempotency-key'];
    if (typeof key !== 'string' || key.length > MAX_KEY) problem(`${method} ${pathname} without a good Idempotency-Key`);
    const before = writtenByKey.get(`${tenant} ${key}`);
    if (before) return { status: before.status, body: JSON.parse(before.body), headers: limits };
    const made = write(endpoint, id, method, text);
    writtenByKey.set(`${tenant} ${key}`, { status: made.status, body: JSON.stringify(made.body) });
    return { ...made, headers: limits, isLost: failure === 'lose' };
  };
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const requestBody = Buffer.concat(chunks).toString();
    const { status, body, headers = {}, isLost } = responseOf(request, requestBody);
    const text = body === '' ? '' : JSON.stringify(body);
    const { method = '', url = '' } = request;
    const responseHeaders = { date: new Date(now()).toUTCString(), 'content-type': 'application/json', ...headers };
    const seen = {
      method,
      path: url,
      headers: request.headers as Record<string, string>,
      body: requestBody || null,
      status,
      responseHeaders,
    };
    xero.calls.push({ ...seen, response: text, at: Date.now() });
    record({ ...seen, response: text });
    if (isLost) response.destroy();
    else response.writeHead(status, responseHeaders).end(text);
  };
  const http = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const xero: Xero = {
    hosts: {
      api: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
      authorizationUrl: `${authorisation.url}/authorize`,
      tokenUrl: `${authorisation.url}/token`,
      revocationUrl: `${authorisation.url}/revoke`,
    },
    authorisation,
    tenants: [{ tenantId: randomUUID(), tenantName: 'Demo Company', tenantType: 'ORGANISATION' }],
    problems: [],
    calls: [],
    limited: 0,
    perWindow: 60,
    windowMs: 60_000,
    retryAfterSeconds: 30,
    failure: () => undefined,
    refuses: () => undefined,
    revoke: () => tokens.clear(),
    put: store,
    trialBalance: () => [],
    rows: (endpoint) => [...table(endpoint).values()],
    remove: (endpoint, id) => void table(endpoint).delete(id),
    forgetKeys: () => writtenByKey.clear(),
    advance: (milliseconds) => {
      offset += milliseconds;
    },
    async stop() {
      const closed = new Promise((resolve) => http.close(resolve));
      http.closeAllConnections();
      await Promise.all([closed, authorisation.stop()]);
    },
  };
  store('Organisation', { Name: 'Demo Company', BaseCurrency: 'EUR', FinancialYearEndDay: 31, FinancialYearEndMonth: 12 });
  return xero;
}

const momentOf = (date: unknown): number => Number(/-?\d+/.exec(String(date ?? ''))?.[0] ?? Number.NaN);

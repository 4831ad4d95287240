// Calls to the accounting API of Xero: the organisation of the connection, the token of the sign-in, and responses with exact numbers.
import { isPlainObject } from '../../../records/checked.ts';
import { GatewayError } from '../../../records/errors.ts';
import type { ConnectorSession, SourceResponse } from '../connector.ts';
import { isShutOut, namingScope, recordError, shutOut, statusError, unreadable } from './errors.ts';
import { readJson } from './values.ts';

/** A record as Xero returns it. Its numbers are digits in text. */
export type Row = Record<string, unknown>;

/** Where Xero is; another place in tests alone. */
export interface XeroHosts {
  /** Origin of the accounting API and of the list of organisations. */
  api: string;
  authorizationUrl: string;
  tokenUrl: string;
  revocationUrl: string;
}

/** An organisation that a sign-in reaches. */
interface Tenant {
  /** Of the connection of the sign-in to it. */
  id: string;
  tenantId: string;
  tenantName: string | null;
  tenantType: string;
}

/** A call to an endpoint of the accounting API. */
export interface XeroCall {
  method?: 'GET' | 'PUT' | 'POST' | 'DELETE';
  /** Endpoint with the id of a record where it is about one: `Invoices/4f0b…`. */
  path: string;
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  body?: unknown;
}

/** Rows of an endpoint. */
export interface Rows {
  rows: Row[];
  /** Number of the last page, where Xero reports it. */
  pageCount: number | null;
  /** When the response was made, by Xero's clock. */
  respondedAt: Date | null;
}

/** The client of one run. */
export class XeroClient {
  readonly #session: ConnectorSession;
  readonly #api: string;
  #tenant: Promise<string> | undefined;
  readonly #found = new Map<string, Promise<Row[]>>();

  constructor(session: ConnectorSession, { api }: XeroHosts) {
    this.#session = session;
    this.#api = api;
  }

  /** Rows of an endpoint. */
  async rows(call: XeroCall): Promise<Rows> {
    const response = await this.#call(call);
    const body = await this.#body(response);
    const rows = body[endpointOf(call.path)];
    if (!Array.isArray(rows) || !rows.every(isPlainObject)) throw unreadable();
    const { pageCount } = isPlainObject(body.pagination) ? body.pagination : {};
    const respondedAt = new Date(response.headers.date ?? '');
    return { rows, pageCount: pageCount ? Number(pageCount) : null, respondedAt: Number.isNaN(respondedAt.getTime()) ? null : respondedAt };
  }

  /** One record; null without one of this id. */
  async one(endpoint: string, id: string, query: Readonly<Record<string, string>> = {}): Promise<Row | null> {
    // Another form than that of its ids would be taken as the number of a record.
    if (!/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id)) return null;
    const response = await this.#call({ path: `${endpoint}/${id}`, query }, [404]);
    if (response.status === 404) return null;
    const rows = (await this.#body(response))[endpoint];
    if (!Array.isArray(rows)) throw unreadable();
    return isPlainObject(rows[0]) ? rows[0] : null;
  }

  /** Rows that are looked up once in a run, such as those that lines name. */
  remembered(call: XeroCall): Promise<Row[]> {
    const key = JSON.stringify(call);
    const known = this.#found.get(key);
    if (known) return known;
    const found = this.rows(call).then(({ rows }) => rows);
    this.#found.set(key, found);
    found.catch(() => this.#found.delete(key));
    return found;
  }

  /** Writes one record; returns it as Xero has it then. */
  async write(call: XeroCall, idempotencyKey: string): Promise<Row> {
    const { rows } = await this.rows({ ...call, headers: { ...call.headers, 'idempotency-key': idempotencyKey } });
    const [row] = rows;
    if (!row) throw unreadable();
    const error = recordError(row);
    if (error) throw error;
    return row;
  }

  async delete(path: string): Promise<void> {
    await this.#call({ method: 'DELETE', path }, [404]);
  }

  async #body(response: SourceResponse): Promise<Row> {
    try {
      const body = readJson(await response.text());
      if (isPlainObject(body)) return body;
    } catch (error) {
      if (error instanceof GatewayError) throw error;
    }
    throw unreadable();
  }

  async #call(call: XeroCall, expected: readonly number[] = []): Promise<SourceResponse> {
    const isRemembered = this.#tenant === undefined && this.#session.settings.tenantId !== undefined;
    const call403 = async (): Promise<SourceResponse> => this.#accepted(await this.#send(call, await this.tenant()), expected);
    const isOut = (error: unknown): boolean => error instanceof GatewayError && isShutOut(error);
    try {
      return await call403();
    } catch (error) {
      if (!isOut(error)) throw namingScope(error, endpointOf(call.path));
      // A later sign-in may reach another organisation than the one that is remembered. One that it does not reach any more is named by the choice.
      if (isRemembered) this.#tenant = this.#chooseTenant();
      return call403().catch((again: unknown) => {
        throw isOut(again) ? shutOut() : again;
      });
    }
  }

  async #accepted(response: SourceResponse, expected: readonly number[]): Promise<SourceResponse> {
    if (response.status < 300 || expected.includes(response.status)) return response;
    throw statusError(response.status, await this.#body(response).catch(() => null));
  }

  async #send({ method = 'GET', path, query = {}, headers, body }: XeroCall, tenant: string): Promise<SourceResponse> {
    const search = new URLSearchParams(query).toString();
    return this.#session.http({
      method,
      url: `${this.#api}/api.xro/2.0/${path}${search ? `?${search}` : ''}`,
      headers: {
        ...(await this.#authorization()),
        'xero-tenant-id': tenant,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  async #authorization(): Promise<Record<string, string>> {
    const token = await this.#session.accessToken!();
    return { authorization: `Bearer ${token}`, accept: 'application/json' };
  }

  /** The organisation of the connection: the one that it had before, or else the only one that its settings or the sign-in allow. */
  tenant(): Promise<string> {
    this.#tenant ??= this.#knownTenant() ?? this.#chooseTenant();
    this.#tenant.catch(() => {
      this.#tenant = undefined;
    });
    return this.#tenant;
  }

  get #wanted(): string {
    return this.#session.settings.organisation?.trim() ?? '';
  }

  #knownTenant(): Promise<string> | undefined {
    const { tenantId, tenantName = '' } = this.#session.settings;
    return tenantId !== undefined && isWanted({ tenantId, tenantName }, this.#wanted) ? Promise.resolve(tenantId) : undefined;
  }

  /** Ends the connection of the sign-in to the organisation. Returns whether the sign-in has no other, which its revocation would end too. */
  async disconnect(): Promise<boolean> {
    const isOwn = ({ tenantId }: Tenant): boolean => tenantId === this.#session.settings.tenantId;
    const tenants = await this.#tenants();
    for (const { id } of tenants.filter(isOwn)) {
      const request = { method: 'DELETE', url: `${this.#api}/connections/${id}`, headers: await this.#authorization() } as const;
      await this.#accepted(await this.#session.http(request), [404]);
    }
    return tenants.every(isOwn);
  }

  /** What the sign-in reaches. */
  async #tenants(): Promise<Tenant[]> {
    const response = await this.#session.http({ url: `${this.#api}/connections`, headers: await this.#authorization() });
    if (response.status >= 300) throw statusError(response.status, null);
    const all = (await response.json()) as Tenant[];
    if (!Array.isArray(all)) throw unreadable();
    return all;
  }

  async #chooseTenant(): Promise<string> {
    const tenants = (await this.#tenants()).filter(({ tenantType }) => tenantType === 'ORGANISATION');
    const [tenant, ...others] = tenants.filter((entry) => isWanted(entry, this.#wanted));
    // The link of the connection fixes this: it asks for the organisation, and signs in.
    if (!tenant || others.length > 0) throw new GatewayError('CONNECTION_EXPIRED', choiceWords(tenants, this.#wanted));
    const { tenantId, tenantName } = tenant;
    await this.#session.saveSettings({ tenantId, tenantName: tenantName ?? '' });
    return tenantId;
  }
}

const endpointOf = (path: string): string => path.split('/', 1)[0]!;

/** Whether an organisation is the one that the settings name, by name or id; any is where they name none. */
const isWanted = ({ tenantId, tenantName }: Pick<Tenant, 'tenantId' | 'tenantName'>, wanted: string): boolean =>
  wanted === '' || wanted.toLowerCase() === tenantId.toLowerCase() || wanted.toLowerCase() === tenantName?.toLowerCase();

/** Why no organisation could be chosen, and what to do. */
function choiceWords(tenants: readonly Tenant[], wanted: string): string {
  const names = tenants.map(({ tenantName, tenantId }) => tenantName ?? tenantId).join(', ');
  if (tenants.length === 0) return 'this sign-in reaches no organisation in Xero: sign in again and choose one there';
  if (wanted === '') return `this sign-in reaches several organisations in Xero (${names}): name one in the setting Organisation`;
  return `this sign-in reaches no organisation ${wanted} in Xero, or several of that name: it reaches ${names}`;
}

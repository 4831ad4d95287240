// The interface between the gateway and source systems: what a connector declares, what it is given, and what it returns.
import type { GatewayError } from '../../records/errors.ts';

/** A value that can be stored as JSON. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** The company a connector works for. */
export interface ConnectorCompany {
  organisationId: number;
  ledgerId: number;
  integrationType: string;
}

/** A record of the source, with the field names of REST bodies, `platform_id` among them. A reference is the source's id of the other record: `contact_id: 'C-7'`. */
export type SourceRecord = Record<string, unknown>;

/** A member of the settings of a connection, as `createConnection` takes it or its form asks for it. */
export interface SettingField {
  name: string;
  title: string;
  description: string;
  /** `secret`: a credential, stored encrypted and never shown again. */
  kind: 'text' | 'url' | 'date' | 'secret';
  isRequired: boolean;
  /** Most characters of its value, where it is a text of many lines. */
  maxLength?: number;
  /** What is wrong with a value besides what its kind says; `path` names it. */
  issue?(value: string, path: string): string | undefined;
}

/** What a source can do with a field of the records of a data model. */
export interface FieldCapability {
  /** Name in REST bodies; a field of a child has that of its list before it: `line_items.quantity`. */
  name: string;
  /** Whether it is read from the source. */
  pull: boolean;
  /** Whether its value is sent to the source. */
  push: boolean;
  /** Whether the source takes no new record without it. */
  required: boolean;
}

/** What a source can do with the records of a data model. */
export interface Capability {
  dataModel: string;
  /** Whether its records are pulled. */
  pull: boolean;
  /** Which writes of callers are sent to it. */
  create: boolean;
  update: boolean;
  delete: boolean;
  fields: readonly FieldCapability[];
}

/** Whether any write of callers is sent to the source. */
export const takesWrites = (capability: Capability): boolean => capability.create || capability.update || capability.delete;

/** The writes of a data model that is read only, and of one whose records callers create, change and delete. */
export const READ_ONLY = { pull: true, create: false, update: false, delete: false } as const;
export const BOTH_WAYS = { pull: true, create: true, update: true, delete: true } as const;

/** An outbound request to a source. */
export interface SourceRequest {
  url: string;
  /** GET when absent. */
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
}

/** The response of a source. Its body is read once, whole or as a stream. */
export interface SourceResponse {
  status: number;
  /** By name in lower case; repeated headers are joined by a comma. */
  headers: Readonly<Record<string, string>>;
  body: AsyncIterable<Uint8Array>;
  text(): Promise<string>;
  /** Throws PLATFORM_ERROR when the body is not JSON. */
  json(): Promise<unknown>;
}

/**
 * Calls a source. A response is returned whatever its status, except that 401 throws CONNECTION_EXPIRED, 429 PLATFORM_RATE_LIMIT_EXCEEDED with the
 * source's `Retry-After`, and 5xx and redirects PLATFORM_ERROR. A call without a complete response throws PLATFORM_TIMEOUT or PLATFORM_ERROR, and a
 * host that may not be called OPERATION_DENIED.
 */
export type SourceHttp = (request: SourceRequest) => Promise<SourceResponse>;

/** A custom field of the records of a data model: the member of what the source sends that it holds. */
export interface CustomFieldRule {
  dataModel: string;
  name: string;
  from: string;
}

/** What a connector is given for one run. */
export interface ConnectorSession {
  company: ConnectorCompany;
  /** The settings of the connection, by the names of the definition, credentials among them. */
  settings: Readonly<Record<string, string>>;
  http: SourceHttp;
  /** The access token of the sign-in, valid for a minute at least; a run can be longer than one is. Present where the definition has `oauth`. */
  accessToken?(): Promise<string>;
  /** Stores settings that the source has changed, such as a refresh token that was used up; the others stay as they are. */
  saveSettings(changed: Readonly<Record<string, string>>): Promise<void>;
  /**
   * Whether everything that the source has of each record is wanted, with `withRaw`. A connector that reads a part of it by default then reads the
   * rest too.
   */
  wantsRaw?: boolean;
  /** The custom fields of the connection, which a connector sends back where it can. */
  customFields?: readonly CustomFieldRule[];
  /** Aborted when the process ends or the run is cancelled. */
  signal: AbortSignal;
}

/** What a pull asks for. */
export interface PullRequest {
  dataModel: string;
  /**
   * The last cursor that was stored for this data model. An interrupted run continues there, and an incremental run begins after it. Null at the
   * beginning of a first or full run.
   */
  cursor: Json;
  /** Start of the last successful pull of this data model, for a source that is asked by time; null when there was none. */
  since: Date | null;
  /** Whether every record of the source is asked for; those it no longer has are then marked deleted. */
  isFull: boolean;
}

/** Records that are stored in one transaction, some hundred at most. */
export interface SourcePage {
  records: SourceRecord[];
  /** What errors call each record, such as its file and line; absent where its place in the pull is all there is to say. */
  places?: readonly (string | undefined)[];
  /** Why records are not stored, by their position in `records`: another record with their `platform_id` is, and nothing says which is right. */
  rejected?: ReadonlyMap<number, GatewayError>;
  /** Source ids of records that the source has deleted. */
  deleted?: string[];
  /** Where to continue after this page, in a form of the connector's own; stored in the transaction of the page. */
  cursor?: Json;
  /** How many records this pull has left out so far because no record here corresponds to them, by their name at the source. */
  leftOut?: Readonly<Record<string, number>>;
}

/** A write to send to the source. */
export interface PushRequest {
  dataModel: string;
  operation: 'CREATE' | 'UPDATE' | 'DELETE';
  /** The source's id of the record; null for a record that the source does not have. */
  platformId: string | null;
  /** The record as REST shows it; its references are the source's ids. */
  record: SourceRecord;
  /** The record as `read` last returned it, which the write is based on; absent where it was not read. A connector throws STALE_RECORD instead of overwriting another version. */
  base?: SourceRecord;
  /** The same for every attempt of the same write. */
  idempotencyKey: string;
}

/** What the source made of a write. */
export interface PushResponse {
  platformId: string;
  /** The record as the source has it now, where it returns it. */
  record?: SourceRecord;
}

/** What the source made of a write, and what it has left out. */
export interface SentPush extends PushResponse {
  /** Fields of the write that the source does not take and that are not in its record, by the names of REST bodies. */
  leftOut?: readonly string[];
}

/** What an account comes to in a report of the source. */
export interface SourceBalance {
  /** The source's id of the account. */
  accountId: string;
  name: string | null;
  /** Debits less credits in the base currency. */
  balance: number;
}

/** The trial balance that a source makes of its own books. */
export interface SourceBalances {
  /** Base currency of the books there; null where the source does not say. */
  currency: string | null;
  /** The day from which income and expenses are counted: the first of a fiscal year. Null for all days, where the source closes years by transactions. */
  incomeSince: string | null;
  rows: SourceBalance[];
}

/** Access to the source of one company. Errors are GatewayErrors, the source's own words in `platformError`, without secrets. */
export interface Connector {
  /** Tries the settings at the source; throws the error that the caller gets: PLATFORM_DENIED where the source rejects them. */
  check(): Promise<void>;
  /** Whether each run calls `check` before its first pull: where a pull may not distinguish a rejection from a source without records. */
  readonly isCheckedFirst?: boolean;
  /** Whether people write its records, so that their keys are rejected where they are not in their one form. */
  readonly isTyped?: boolean;
  /** The fields that the source takes of each data model, by the names of REST bodies. Absent where it takes every field. */
  readonly taken?: ReadonlyMap<string, ReadonlySet<string>>;
  /** Names of parts of the source without a data model, such as streams without a mapping. They are shown to the person who set it up. */
  unmapped?(): Promise<string[]>;
  /** Pages of records. May be repeated after a crash from the last stored cursor; records whose content is stored already are not touched. */
  pull(request: PullRequest): AsyncIterable<SourcePage>;
  /** One record as the source has it; null where it has none. Needed to detect that a record changed at both ends. */
  read?(dataModel: string, platformId: string): Promise<SourceRecord | null>;
  /** Sends a write. Throws PLATFORM_DENIED with the source's words where it rejects; PLATFORM_TIMEOUT where the outcome is not known. */
  push?(request: PushRequest): Promise<PushResponse>;
  /** What an earlier attempt of this write made, looked up before it is sent again; null where it made nothing. Absent where the source itself honours the idempotency key. */
  findPushed?(request: PushRequest): Promise<PushResponse | null>;
  /**
   * Ends what the sign-in of the connection may do at the source, by a call of the source's own. Returns whether its tokens are to be revoked too:
   * false where that would end other connections. Absent where a source has no such call.
   */
  disconnect?(): Promise<boolean>;
  /** The trial balance at the end of a day (`2026-12-31`), as the source computes it. Absent where it has none of its own. */
  trialBalance?(asOf: string): Promise<SourceBalances>;
}

/**
 * The sign-in at a source by OAuth 2 (RFC 6749, authorisation code with PKCE). The client is the operator's, from the setting
 * CONNECTOR_OAUTH_CLIENTS by the name of the source. The session then has the setting `accessToken`, valid for a minute at least.
 */
export interface SignIn {
  authorizationUrl: string;
  tokenUrl: string;
  /** Without `openid`: who signs in is not asked. The scope that yields a refresh token is among them, where the source needs one. */
  scopes: readonly string[];
  /** What the source calls itself in `iss` of its responses (RFC 9207); the origin of `authorizationUrl` when absent. */
  issuer?: string;
  /** How a sign-in ends at the source with its connection; absent where the source has no way. */
  revocation?: Revocation;
}

/** How a sign-in ends at its source. */
export interface Revocation {
  /** Where tokens are revoked (RFC 7009); absent where `Connector.disconnect` is all there is. */
  url?: string;
  /** The setting with what a sign-in reaches, such as an organisation. Nothing ends while another connection has the same value. */
  shared?: string;
}

/** The allowance of calls that a source gives a connection. All processes share it, and no call is made beyond it. */
export interface CallLimits {
  /** Most calls in any sixty seconds. */
  perMinute: number;
  /** Header that names the limit that a rejected call has reached, in lower case. */
  problemHeader?: string;
  /** Seconds without a call after a response with these headers, where they say that nothing of an allowance is left. */
  pauseAfter?(headers: SourceResponse['headers']): number | undefined;
}

/** A message that a source has sent to `/hooks/{connection}`. */
export interface SourceMessage {
  /** By name in lower case. */
  headers: Readonly<Record<string, string | undefined>>;
  /** The bytes that were sent. */
  body: Buffer;
}

/** What has changed at a source. */
export interface SourceChange {
  /** Settings of the connections that it concerns, such as the organisation there. */
  settings: Readonly<Record<string, string>>;
  dataModels: readonly string[];
}

/** The messages that a source sends of changes. */
export interface SourceHook {
  /** What a message reports; null where it does not come from the source. `key` is `webhookKey` of the operator's client there. */
  read(message: SourceMessage, key: string): SourceChange[] | null;
}

/** The definition of a connector. */
export interface ConnectorDefinition {
  /** Name of the source, in upper snake case; the integration type of its companies. */
  source: string;
  title: string;
  /** None is named `accessToken`, `accessTokenExpiresAt` or `refreshToken` where there is a sign-in. */
  settings: readonly SettingField[];
  /** Absent where the settings are all that it needs. */
  oauth?: SignIn;
  /** Absent where the source names none. */
  limits?: CallLimits;
  /** Absent where the source sends no messages. */
  hook?: SourceHook;
  capabilities: readonly Capability[];
  /** Opens the access for one run; makes no call. */
  open(session: ConnectorSession): Connector;
}

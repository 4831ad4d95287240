// The closed list of error codes, and the one error class that callers may see.
import { type InputIssue, type Issues, listed, shortened, sizeOf } from './input-issue.ts';
import { storable, storableText } from './storable.ts';

/** Where a caller can meet an error. */
export type ErrorSurface = 'graphql' | 'platform' | 'integrations' | 'address';

/** What is declared of an error code. */
export interface ErrorDeclaration {
  /** HTTP status of a REST response, where the route names no other. */
  status: number;
  /** The surfaces that return it; none when it is shown as the error of a job only. */
  surfaces: readonly ErrorSurface[];
  /**
   * HTTP statuses of /graphql; 200 when absent, because an operation that ran returns 200 whatever failed in it. A request that is rejected before
   * anything runs has another status. A 400 from Apollo becomes 200 for a client that accepts only `application/json`.
   */
  graphqlStatuses?: readonly number[];
  /** Whether it rejects what goes beyond a limit; the metrics count those rejections. */
  isLimit?: true;
  meaning: string;
  cause: string;
  fix: string;
}

const rest = ['platform', 'integrations', 'address'] as const;
const everywhere = ['graphql', ...rest] as const;
const platform = ['graphql', 'platform'] as const;
const integrations = ['graphql', 'integrations'] as const;
const address = ['graphql', 'address'] as const;
const jobs = [] as const;

/** Every code a caller can receive, with its meaning, its usual cause and its fix. The published catalogue is made from this table. */
export const errorCodes = {
  MISSING_PARAMS: {
    status: 400,
    surfaces: everywhere,
    graphqlStatuses: [200, 400],
    meaning: 'A required field or parameter is absent.',
    cause: 'A member of the body, a path segment or a query parameter was left out, or is empty where text is needed.',
    fix: 'Send the field named in `field`.',
  },
  INVALID_PARAMS: {
    status: 400,
    surfaces: everywhere,
    graphqlStatuses: [200, 400],
    meaning: 'A field or parameter has a wrong type, value or name.',
    cause:
      'A misspelt field, text where a number belongs, a value outside its range or enumeration, or a GraphQL operation that does not fit the schema.',
    fix: 'Correct the field named in `field`.',
  },
  INVALID_JSON: {
    status: 400,
    surfaces: everywhere,
    graphqlStatuses: [400],
    meaning: 'The body is not JSON, or not the JSON object this operation expects.',
    cause: 'A trailing comma, single quotes, a cut-off body, or an array where an object belongs.',
    fix: 'Send one well-formed JSON object.',
  },
  INVALID_CURSOR: {
    status: 400,
    surfaces: everywhere,
    meaning: 'The cursor is damaged, or was issued for another list, order or filter.',
    cause: 'The cursor was edited, shortened by a tool, used again after filter or order changed, or belongs to another organisation.',
    fix: 'Use a cursor exactly as a previous page of the same list returned it.',
  },
  CURSOR_EXPIRED: {
    status: 410,
    surfaces: ['graphql', 'platform', 'integrations'],
    meaning: 'The feed may lack entries after this cursor, so the feed cannot continue from it.',
    cause:
      'The feed was not read for longer than its entries are kept, or the database was restored from a backup that is older than the cursor.',
    fix: 'Read the feed from its beginning, without `after`, and replace what you have by it.',
  },
  FILTER_TOO_BROAD: {
    status: 422,
    surfaces: ['graphql', 'platform', 'integrations'],
    isLimit: true,
    meaning: 'Too many records would have to be read to find a page of the list.',
    cause:
      'No index leads to the few records that meet the filter in this order: its conditions are on properties without an index, or each is met by many records.',
    fix: 'Add a condition that few records meet, on a property that the message names, or order by a property that the filter limits.',
  },
  UNAUTHENTICATED: {
    status: 401,
    surfaces: everywhere,
    graphqlStatuses: [401],
    meaning: 'The credential is missing, unknown, expired or revoked.',
    cause: 'No key was sent, or the key was mistyped, sent in the header of another API, has expired or was revoked.',
    fix: 'Send a live key in the header documented for this API.',
  },
  FORBIDDEN: {
    status: 403,
    surfaces: everywhere,
    meaning: 'The key is valid but lacks the role or right for this operation.',
    cause: 'The key was issued for other roles, or for companies other than this one.',
    fix: 'Ask an administrator for a key with the role named in the message.',
  },
  DOCUMENT_NOT_TRUSTED: {
    status: 403,
    surfaces: ['graphql'],
    graphqlStatuses: [403],
    meaning: 'The document is not in the manifest of trusted documents, and this gateway runs no other.',
    cause: 'A document that was written or changed after the manifest was made, or a tool that sends documents of its own.',
    fix: 'Send the hash or id of a document of the manifest, or give the gateway a manifest that has it.',
  },
  PERSISTED_QUERY_NOT_FOUND: {
    status: 404,
    surfaces: ['graphql'],
    meaning: 'The gateway has no document with this hash, or no longer has it.',
    cause: 'The document was not sent before, or others have taken its place since.',
    fix: 'Send the request again with both the text of the document and its hash; clients of persisted queries do so automatically.',
  },
  OPERATION_DENIED: {
    status: 403,
    surfaces: address,
    meaning: 'The operation is not permitted for this record or content.',
    cause: 'An ingest with mode `replace` that would withdraw more than a tenth of the current codes.',
    fix: 'Check that the content is complete; send `force` to withdraw that much.',
  },
  OPERATION_NOT_SUPPORTED: {
    status: 400,
    surfaces: integrations,
    meaning: 'The source system cannot do this for this data model.',
    cause:
      'The connected system has no such data model or offers it only for reading, or nothing was imported for a company without a connected system.',
    fix: 'Use another operation or data model.',
  },
  ROUTE_NOT_FOUND: {
    status: 404,
    surfaces: rest,
    meaning: 'There is no operation at this path.',
    cause: 'A misspelt path, a missing version segment, or the path of another API or host.',
    fix: 'Compare the path with the published contract.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    surfaces: everywhere,
    graphqlStatuses: [405],
    meaning: 'The path exists but not with this method.',
    cause: 'For example PUT where the operation is served with POST.',
    fix: 'Use one of the methods in the `Allow` header.',
  },
  COMPANY_NOT_FOUND: {
    status: 404,
    surfaces: integrations,
    meaning: 'No such company is visible to this key.',
    cause: 'The id belongs to another organisation, to a company the key may not see, or to none.',
    fix: 'Use the id of a company of your organisation.',
  },
  RECORD_NOT_FOUND: {
    status: 404,
    surfaces: integrations,
    meaning: 'No such record exists in this company, or it is deleted.',
    cause: 'A mistyped id, an id of another company or model, or a record that was deleted at the source.',
    fix: 'Use the id of a live record, or ask for deleted records too.',
  },
  SYNC_NOT_FOUND: {
    status: 404,
    surfaces: integrations,
    meaning: 'No such sync is visible to this key.',
    cause: 'A mistyped id, or the sync of a company the key may not see.',
    fix: 'Use the id a write or sync listing returned.',
  },
  WEBHOOK_NOT_FOUND: {
    status: 404,
    surfaces: platform,
    meaning: 'No such webhook is visible to this key.',
    cause: 'A mistyped id, a deleted webhook, or one of another organisation.',
    fix: 'Use the id of one of your webhooks.',
  },
  PRODUCT_NOT_FOUND: {
    status: 404,
    surfaces: platform,
    meaning: 'No such product is visible to this key.',
    cause: 'A mistyped id, a deleted product, or one of another organisation.',
    fix: 'Use the id of one of your live products.',
  },
  CORPORATION_NOT_FOUND: {
    status: 404,
    surfaces: platform,
    meaning: 'No such corporation is visible to this key.',
    cause: 'A mistyped id, a deleted corporation, or one of another organisation.',
    fix: 'Use the id of one of your active corporations.',
  },
  REGISTRATION_NOT_FOUND: {
    status: 404,
    surfaces: platform,
    meaning: 'No such registration is visible to this key.',
    cause: 'A mistyped id, or a registration of another organisation.',
    fix: 'Use the id a registration listing returned.',
  },
  REGISTRATION_CONTENT_NOT_FOUND: {
    status: 400,
    surfaces: platform,
    meaning: 'No registration content has this id.',
    cause: 'A mistyped id, or content that was withdrawn since it was read.',
    fix: 'Use an id from the registration input options.',
  },
  FILE_NOT_FOUND: {
    status: 404,
    surfaces: platform,
    meaning: 'No such file is visible to this key, or it has expired.',
    cause: 'The upload was never finished, the file was removed after its storage period, or the link was altered.',
    fix: 'Upload the file again.',
  },
  JOB_NOT_FOUND: {
    status: 404,
    surfaces: platform,
    meaning: 'No such job is visible to this key.',
    cause: 'A mistyped id, or a job of another organisation.',
    fix: 'Use the id the starting operation returned.',
  },
  BUSINESS_ENTITY_NOT_FOUND: {
    status: 404,
    surfaces: platform,
    meaning: 'No such business entity is visible to this key.',
    cause: 'A mistyped number, or an entity of another organisation.',
    fix: 'Use the id of one of your business entities.',
  },
  INCORPORATION_REQUEST_NOT_FOUND: {
    status: 404,
    surfaces: platform,
    meaning: 'No such incorporation request is visible to this key.',
    cause: 'A mistyped id, a request of another organisation, or an altered form link.',
    fix: 'Use the id its creation returned.',
  },
  LINK_EXPIRED: {
    status: 410,
    surfaces: platform,
    meaning: 'The signed link is older than it may be.',
    cause: 'The link was opened after the time it was signed for.',
    fix: 'Ask the sender of the link for a new one.',
  },
  PARTNER_NOT_FOUND: {
    status: 404,
    surfaces: platform,
    meaning: 'The caller has no sales tax partner record.',
    cause: "A key that belongs to no organisation, as an administrator's, was used on an organisation's data.",
    fix: 'Use a key of an organisation; an administrator issues one.',
  },
  ACCESS_KEY_NOT_FOUND: {
    status: 404,
    surfaces: ['graphql'],
    meaning: 'No access key has this id.',
    cause: 'A mistyped id; the id starts with `key_` and is not the key itself.',
    fix: 'List the keys of the organisation first.',
  },
  RECORD_ALREADY_EXISTS: {
    status: 409,
    surfaces: everywhere,
    graphqlStatuses: [200, 400],
    meaning: 'A record with this `platform_id` or unique value already exists.',
    cause: 'A creation was sent twice, or two records share a value that must be unique.',
    fix: 'Use the upsert operation, or another id.',
  },
  DUPLICATE_SKU: {
    status: 400,
    surfaces: platform,
    meaning: 'Another live product of this corporation has the sku.',
    cause: 'The product was created before, or two rows of an import carry one sku.',
    fix: 'Choose another sku or update that product.',
  },
  CUSTOMS_CODE_INVALID: {
    status: 400,
    surfaces: platform,
    meaning: 'The customs code does not have a form the country accepts.',
    cause: 'Letters, a wrong number of digits, or a code of another country.',
    fix: 'Send digits in a length accepted for the country.',
  },
  CUSTOMS_CODE_NOT_FOUND: {
    status: 400,
    surfaces: platform,
    meaning: 'The product has no customs code for the country.',
    cause: 'The code was never set for this country, or was removed.',
    fix: 'Read the product to see its codes.',
  },
  REGISTRATION_INVALID_TAX_TYPE: {
    status: 400,
    surfaces: platform,
    meaning: 'A tax type is not allowed, or a required one is missing.',
    cause: 'A tax type of another jurisdiction, or the main type of the content entry was left out.',
    fix: 'Choose from the registration input options.',
  },
  REGISTRATION_INVALID_FREQUENCY: {
    status: 400,
    surfaces: platform,
    meaning: 'The filing frequency is not one of the content entry.',
    cause: 'A frequency that this authority does not offer.',
    fix: 'Choose from the registration input options.',
  },
  REGISTRATION_DUPLICATE: {
    status: 400,
    surfaces: platform,
    meaning: 'The corporation already has a registration for this content.',
    cause: 'The registration was created before, perhaps by a repeated request.',
    fix: 'Use the existing registration.',
  },
  REGISTRATION_PREREQUISITE_MISSING: {
    status: 400,
    surfaces: platform,
    meaning: 'Another registration is needed first.',
    cause: 'The jurisdiction registers for this tax only after another registration.',
    fix: 'Create the registration named in the message first.',
  },
  CORPORATION_TYPE_MISMATCH: {
    status: 400,
    surfaces: platform,
    meaning: '`corporationTypeInfo` does not hold exactly the entry of `country`.',
    cause: 'No entry, several entries, or an entry under another country than `country` names.',
    fix: 'Send one entry whose key is the country.',
  },
  INVALID_STATE_TRANSITION: {
    status: 409,
    surfaces: everywhere,
    meaning: 'The state of the record does not allow this transition.',
    cause: 'The state changed since the record was read, or the transition was made before.',
    fix: 'Read the record again and choose a transition its state allows.',
  },
  FILE_TOO_LARGE: {
    status: 413,
    surfaces: platform,
    isLimit: true,
    meaning: 'The uploaded file is larger than allowed.',
    cause: 'The file exceeds the size that `/limits` publishes.',
    fix: 'Split the file.',
  },
  FILE_TYPE_UNSUPPORTED: {
    status: 415,
    surfaces: platform,
    meaning: 'The content of the file is not of an accepted type.',
    cause: 'A spreadsheet or another binary file under the name of a text file.',
    fix: 'Upload a CSV text file.',
  },
  CSV_HEADER_INVALID: {
    status: 400,
    surfaces: platform,
    meaning: 'The header row has unknown, repeated or missing columns.',
    cause: 'A misspelt column, one named twice, or a file without a header row.',
    fix: 'Correct the columns named in the details.',
  },
  WEBHOOK_DISABLED: {
    status: 400,
    surfaces: platform,
    meaning: 'The webhook is disabled.',
    cause: 'It was disabled by a caller, or by the gateway after deliveries kept failing.',
    fix: 'Enable it first.',
  },
  ASYNC_REQUIRED: {
    status: 400,
    surfaces: ['integrations'],
    meaning: 'An array in `data` needs asynchronous processing.',
    cause: 'An array was sent without `run_async=true`; an array of one element needs it too.',
    fix: 'Send `run_async=true`.',
  },
  BATCH_LIMIT_EXCEEDED: {
    status: 400,
    surfaces: integrations,
    isLimit: true,
    meaning: 'The batch holds more records than allowed.',
    cause: 'One request carries more records than `/limits` allows in a batch.',
    fix: 'Split the batch.',
  },
  MIXED_CURRENCIES: {
    status: 400,
    surfaces: integrations,
    meaning: 'The records of a summary are in several currencies, and amounts of different currencies have no sum.',
    cause:
      'A sum, average, minimum or maximum of money over records of which not all have the same currency; records without one count as another.',
    fix: 'Group by the currency, or filter by one currency.',
  },
  SYNC_IN_PROGRESS: {
    status: 409,
    surfaces: integrations,
    meaning: 'A sync of this company is running.',
    cause: 'A sync was requested before the last one of this company ended.',
    fix: 'Wait for it to end.',
  },
  IDEMPOTENCY_IN_PROGRESS: {
    status: 409,
    surfaces: everywhere,
    graphqlStatuses: [200, 400],
    meaning: 'The first request with this idempotency key is still running.',
    cause: 'The request was repeated before its first response, usually after a short client time-out.',
    fix: 'Retry after a second.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    surfaces: everywhere,
    graphqlStatuses: [200, 400],
    meaning: 'The idempotency key was used with another body.',
    cause: 'Within the 24 hours for which a key is stored, another body was sent with it.',
    fix: 'Use a new key for a new request.',
  },
  STALE_RECORD: {
    status: 412,
    surfaces: integrations,
    meaning: 'The record changed since the version named in `If-Match`.',
    cause: 'Someone else changed the record between reading and writing.',
    fix: 'Read the record again.',
  },
  CONNECTION_DISCONNECTED: {
    status: 400,
    surfaces: integrations,
    meaning: 'The company has no live connection to a source system.',
    cause: 'The company was never connected, or its connection was removed.',
    fix: 'Connect the company.',
  },
  CONNECTION_EXPIRED: {
    status: 400,
    surfaces: jobs,
    meaning: 'The connection needs to be authorised again.',
    cause: 'The authorisation at the source system has expired or was withdrawn there.',
    fix: 'Reconnect the company.',
  },
  PLATFORM_DENIED: {
    status: 400,
    surfaces: integrations,
    meaning: 'The source system rejected the request.',
    cause: 'Missing rights, a closed period, or a record that the source system does not let go.',
    fix: 'See `platform_error`.',
  },
  PLATFORM_RATE_LIMIT_EXCEEDED: {
    status: 429,
    surfaces: jobs,
    meaning: 'The source system limits the rate of requests.',
    cause: 'Too many requests reached the source system, possibly from other programs too.',
    fix: 'Retry after the given time.',
  },
  PLATFORM_ERROR: {
    status: 502,
    surfaces: integrations,
    meaning: 'The source system failed or returned an unreadable response.',
    cause: 'An outage or a changed interface of the source system.',
    fix: 'Retry later.',
  },
  PLATFORM_TIMEOUT: {
    status: 504,
    surfaces: integrations,
    meaning: 'The source system did not respond in time; a write may or may not have happened.',
    cause: 'The source system is slow or unreachable.',
    fix: 'Check the source before sending again.',
  },
  JOB_TIMEOUT: {
    status: 400,
    surfaces: jobs,
    meaning: 'The job stopped reporting progress.',
    cause: 'The process that worked on it ended, or the source stopped responding.',
    fix: 'Retry the sync.',
  },
  CANCELLED: {
    status: 400,
    surfaces: jobs,
    meaning: 'The job was cancelled.',
    cause: 'Someone cancelled the sync, or the company was disconnected.',
    fix: 'Start it again if it is still wanted.',
  },
  UNKNOWN_ERROR: {
    status: 400,
    surfaces: jobs,
    meaning: 'The source system rejected the request for an unknown reason.',
    cause: 'The source system returned a response that the gateway does not recognise.',
    fix: 'See `platform_error`.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    surfaces: everywhere,
    graphqlStatuses: [413],
    isLimit: true,
    meaning: 'The body is larger than allowed.',
    cause: 'The body exceeds the size that `/limits` publishes for the operation.',
    fix: 'Send less at once.',
  },
  HEADERS_TOO_LARGE: {
    status: 431,
    surfaces: everywhere,
    graphqlStatuses: [431],
    isLimit: true,
    meaning: 'The URL and the headers of the request are larger than allowed.',
    cause: 'Many values in a query parameter, a long filter, or many cookies.',
    fix: 'Ask for fewer values at once, send a long filter to `/graphql`, or remove cookies.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    surfaces: everywhere,
    graphqlStatuses: [415],
    meaning: 'The content type is not one this operation reads.',
    cause: 'The `Content-Type` header is missing or names another format.',
    fix: 'Send `Content-Type: application/json`.',
  },
  RATE_LIMIT_EXCEEDED: {
    status: 429,
    surfaces: everywhere,
    graphqlStatuses: [429, 200],
    isLimit: true,
    meaning: 'The key, or the address without one, has used up its requests for now.',
    cause:
      'More requests in a short time than `/limits` allows for one key, more wrong credentials than it allows for one address, or large requests of one organisation that waited too long for those before them.',
    fix: 'Retry after the time in `Retry-After`, and send fewer large requests at the same time.',
  },
  QUOTA_EXCEEDED: {
    status: 409,
    surfaces: [...platform, 'integrations'],
    isLimit: true,
    meaning: 'The organisation has as much as it may have.',
    cause: 'More files, companies, connections, access keys or unwritten batches than `/limits` allows for one organisation.',
    fix: 'Remove what is not in use, or ask the operator for more. `viewer` shows what the organisation has.',
  },
  QUERY_TOO_COMPLEX: {
    status: 400,
    surfaces: [...platform, 'integrations'],
    graphqlStatuses: [200, 400],
    isLimit: true,
    meaning:
      'The GraphQL operation is over a limit of depth, cost, selections, aliases, root fields or directives, or a filter over one of its own.',
    cause:
      'Deep nesting, large pages inside large pages, many aliases, much introspection other than the standard document, a long generated document, or a filter of many conditions.',
    fix: 'Ask for less at once; see `/limits`.',
  },
  SUBSCRIBER_TOO_SLOW: {
    status: 429,
    surfaces: ['graphql'],
    isLimit: true,
    meaning: 'A subscription ended because its client reads more slowly than changes happen.',
    cause: 'The client, or the network before it, takes messages more slowly than they are made.',
    fix: 'Subscribe again after the event that the message names, with fewer fields or a filter.',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    surfaces: everywhere,
    graphqlStatuses: [200, 503],
    meaning: 'The store is not reachable or the service is stopping.',
    cause: 'The database is restarting or overloaded, or the process is being replaced.',
    fix: 'Retry after the given time.',
  },
  INTERNAL_ERROR: {
    status: 500,
    surfaces: everywhere,
    graphqlStatuses: [200, 500],
    meaning: 'Something failed on our side; the request id leads to the details in our log.',
    cause: 'A defect in the gateway.',
    fix: 'Retry, and report the request id if it happens again.',
  },
} as const satisfies Record<string, ErrorDeclaration>;

export type ErrorCode = keyof typeof errorCodes;

/** Members beyond code and message that a renderer may show. */
export interface ErrorInfo {
  /** Path of the wrong argument, `input.address.city`; each endpoint converts it to the names its callers use. */
  field?: string | undefined;
  /** Name of the wrong request header, where the error has no argument. */
  header?: string;
  /** The issues found, where there are several or the kind matters; the message counts those that are not listed. */
  issues?: readonly InputIssue[];
  /** Further errors of the same call, which only the payload of a mutation reports. */
  others?: GatewayError[];
  /** Seconds after which a retry may succeed; absent when a retry cannot help. */
  retryAfterSeconds?: number;
  /** The response of the source system, with secrets removed. */
  platformError?: Record<string, unknown>;
  /** Role that the caller lacks, for FORBIDDEN. */
  role?: string;
  /** For METHOD_NOT_ALLOWED: the methods that are served. */
  allow?: string[];
}

/**
 * The only error whose message reaches a caller. Everything else is masked as INTERNAL_ERROR. Its words may repeat what was sent, and can be stored
 * whatever that was.
 */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly code: ErrorCode;
  readonly info: ErrorInfo;

  constructor(code: ErrorCode, message: string, info: ErrorInfo = {}) {
    super(storableText(shortened(message)));
    this.code = code;
    const { others, ...own } = info;
    this.info = storable(own.issues ? { ...own, issues: listed(own.issues, sizeOf) } : own);
    if (others) this.info.others = others;
  }
}

/** INVALID_PARAMS for one field. */
export function invalid(field: string, message: string, code: InputIssue['code'] = 'INVALID_VALUE'): GatewayError {
  return new GatewayError('INVALID_PARAMS', message, { field, issues: [{ field, code, message }] });
}

/** MISSING_PARAMS for one field. */
export function missing(field: string, message = `${field} is required`): GatewayError {
  return new GatewayError('MISSING_PARAMS', message, { field, issues: [{ field, code: 'REQUIRED', message }] });
}

/** One error for the issues of an input: MISSING_PARAMS when every issue is a missing field, INVALID_PARAMS otherwise, or another code. */
export function inputError({ issues, count = issues.length }: Issues, code?: ErrorCode): GatewayError {
  const first = issues[0]!;
  const message = count === 1 ? first.message : `${first.message} (and ${count - 1} more)`;
  const usual = issues.every((issue) => issue.code === 'REQUIRED') ? 'MISSING_PARAMS' : 'INVALID_PARAMS';
  return new GatewayError(code ?? usual, message, { field: first.field, issues });
}

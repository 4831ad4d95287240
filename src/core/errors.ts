// The one closed list of error codes and the one error class that callers may see. Statuses belong to the surfaces, not here.
import type { Fault } from './fault.ts';

/** Every code a caller can receive, with what it means, what usually causes it and how to mend it. The published catalogue is made from this table. */
export const errorCodes = {
  MISSING_PARAMS: { meaning: 'A required field or parameter is absent.', fix: 'Send the field named in `field`.' },
  INVALID_PARAMS: { meaning: 'A field or parameter has a wrong type, value or name.', fix: 'Correct the field named in `field`.' },
  INVALID_JSON: {
    meaning: 'The body is not JSON, or not the JSON object this operation expects.',
    fix: 'Send one well-formed JSON object.',
  },
  INVALID_CURSOR: {
    meaning: 'The cursor is damaged, or was issued for another list, order or filter.',
    fix: 'Use a cursor exactly as a previous page of the same list returned it.',
  },
  UNAUTHENTICATED: {
    meaning: 'The credential is missing, unknown, expired or revoked.',
    fix: 'Send a live key in the header documented for this surface.',
  },
  FORBIDDEN: {
    meaning: 'The key is valid but lacks the role or right for this operation.',
    fix: 'Ask an administrator for a key with the role named in the message.',
  },
  OPERATION_DENIED: { meaning: 'The operation is not permitted for this record or account.', fix: 'Check the scopes of the connection.' },
  OPERATION_NOT_SUPPORTED: {
    meaning: 'The source system cannot do this for this data model.',
    fix: 'Use another operation or data model.',
  },
  ROUTE_NOT_FOUND: { meaning: 'No operation is served at this path.', fix: 'Compare the path with the published contract.' },
  METHOD_NOT_ALLOWED: { meaning: 'The path exists but not with this method.', fix: 'Use one of the methods in the `Allow` header.' },
  COMPANY_NOT_FOUND: { meaning: 'No such company is visible to this key.', fix: 'Use the id of a company of your organisation.' },
  RECORD_NOT_FOUND: {
    meaning: 'No such record exists in this company, or it is deleted.',
    fix: 'Use the id of a live record, or ask for deleted records too.',
  },
  SYNC_NOT_FOUND: { meaning: 'No such sync is visible to this key.', fix: 'Use the id a write or sync listing returned.' },
  WEBHOOK_NOT_FOUND: { meaning: 'No such webhook is visible to this key.', fix: 'Use the id of one of your webhooks.' },
  PRODUCT_NOT_FOUND: { meaning: 'No such product is visible to this key.', fix: 'Use the id of one of your live products.' },
  CORPORATION_NOT_FOUND: { meaning: 'No such corporation is visible to this key.', fix: 'Use the id of one of your active corporations.' },
  REGISTRATION_NOT_FOUND: { meaning: 'No such registration is visible to this key.', fix: 'Use the id a registration listing returned.' },
  REGISTRATION_CONTENT_NOT_FOUND: {
    meaning: 'No registration content has this id.',
    fix: 'Use an id from the registration input options.',
  },
  FILE_NOT_FOUND: { meaning: 'No such file is visible to this key, or it has expired.', fix: 'Upload the file again.' },
  JOB_NOT_FOUND: { meaning: 'No such job is visible to this key.', fix: 'Use the id the starting operation returned.' },
  BUSINESS_ENTITY_NOT_FOUND: {
    meaning: 'No such business entity is visible to this key.',
    fix: 'Use the id of one of your business entities.',
  },
  INCORPORATION_REQUEST_NOT_FOUND: {
    meaning: 'No such incorporation request is visible to this key.',
    fix: 'Use the id its creation returned.',
  },
  LINK_EXPIRED: { meaning: 'The signed link is older than it may be.', fix: 'Ask whoever sent the link for a new one.' },
  PARTNER_NOT_FOUND: { meaning: 'The caller has no sales tax partner record.', fix: 'Ask an administrator to set up your organisation.' },
  ACCESS_KEY_NOT_FOUND: { meaning: 'No access key has this id.', fix: 'List the keys of the organisation first.' },
  RECORD_ALREADY_EXISTS: {
    meaning: 'A record with this `platform_id` or unique value already exists.',
    fix: 'Use the upsert operation, or another id.',
  },
  DUPLICATE_SKU: { meaning: 'Another live product of this corporation has the sku.', fix: 'Choose another sku or update that product.' },
  CUSTOMS_CODE_INVALID: {
    meaning: 'The customs code does not have a form the country accepts.',
    fix: 'Send digits in a length accepted for the country.',
  },
  CUSTOMS_CODE_NOT_FOUND: { meaning: 'The product has no customs code for the country.', fix: 'Read the product to see its codes.' },
  REGISTRATION_INVALID_TAX_TYPE: {
    meaning: 'The tax types are not allowed, or a needed one is missing.',
    fix: 'Choose from the registration input options.',
  },
  REGISTRATION_INVALID_FREQUENCY: {
    meaning: 'The filing frequency is not one of the content entry.',
    fix: 'Choose from the registration input options.',
  },
  REGISTRATION_DUPLICATE: {
    meaning: 'The corporation already has a registration for this content.',
    fix: 'Use the existing registration.',
  },
  REGISTRATION_PREREQUISITE_MISSING: {
    meaning: 'Another registration is needed first.',
    fix: 'Create the registration named in the message first.',
  },
  CORPORATION_TYPE_MISMATCH: {
    meaning: '`corporationTypeInfo` does not hold exactly the entry of `country`.',
    fix: 'Send one entry whose key is the country.',
  },
  INVALID_STATE_TRANSITION: {
    meaning: 'The record is not in a state that allows this step.',
    fix: 'Read the record again and choose a step its state allows.',
  },
  FILE_TOO_LARGE: { meaning: 'The uploaded file is larger than allowed.', fix: 'Split the file.' },
  FILE_TYPE_UNSUPPORTED: { meaning: 'The content of the file is not of an accepted type.', fix: 'Upload a CSV text file.' },
  CSV_HEADER_INVALID: {
    meaning: 'The header row has unknown, repeated or missing columns.',
    fix: 'Correct the columns named in the details.',
  },
  WEBHOOK_DISABLED: { meaning: 'The webhook is disabled.', fix: 'Enable it first.' },
  ASYNC_REQUIRED: { meaning: 'An array in `data` needs asynchronous processing.', fix: 'Send `run_async=true`.' },
  BATCH_LIMIT_EXCEEDED: { meaning: 'The batch holds more records than allowed.', fix: 'Split the batch.' },
  SYNC_IN_PROGRESS: { meaning: 'A sync of this company is running.', fix: 'Wait for it to end.' },
  IDEMPOTENCY_IN_PROGRESS: { meaning: 'The first request with this idempotency key is still running.', fix: 'Retry after a second.' },
  IDEMPOTENCY_KEY_REUSED: { meaning: 'The idempotency key was used with another body.', fix: 'Use a new key for a new request.' },
  STALE_RECORD: { meaning: 'The record changed since the version named in `If-Match`.', fix: 'Read the record again.' },
  CONNECTION_DISCONNECTED: { meaning: 'The company has no live connection to a source system.', fix: 'Connect the company.' },
  CONNECTION_EXPIRED: { meaning: 'The connection needs to be authorised again.', fix: 'Reconnect the company.' },
  PLATFORM_DENIED: { meaning: 'The source system refused the request.', fix: 'See `platform_error`.' },
  PLATFORM_RATE_LIMIT_EXCEEDED: { meaning: 'The source system limits the rate of requests.', fix: 'Retry after the given time.' },
  PLATFORM_ERROR: { meaning: 'The source system failed or gave an unreadable answer.', fix: 'Retry later.' },
  PLATFORM_TIMEOUT: {
    meaning: 'The source system did not answer in time; a write may or may not have happened.',
    fix: 'Check the source before sending again.',
  },
  JOB_TIMEOUT: { meaning: 'The job stopped reporting progress.', fix: 'Retry the sync.' },
  CANCELLED: { meaning: 'The job was cancelled.', fix: 'Start it again if it is still wanted.' },
  UNKNOWN_ERROR: { meaning: 'The source system refused for a reason no rule covers.', fix: 'See `platform_error`.' },
  PAYLOAD_TOO_LARGE: { meaning: 'The body is larger than allowed.', fix: 'Send less at once.' },
  UNSUPPORTED_MEDIA_TYPE: { meaning: 'The content type is not one this operation reads.', fix: 'Send `Content-Type: application/json`.' },
  RATE_LIMIT_EXCEEDED: { meaning: 'The key has used up its requests for now.', fix: 'Retry after the time in `Retry-After`.' },
  QUERY_TOO_COMPLEX: {
    meaning: 'The GraphQL operation is over a limit of depth, cost, aliases, root fields or tokens.',
    fix: 'Ask for less at once; see `/limits`.',
  },
  SERVICE_UNAVAILABLE: { meaning: 'The store is not reachable or the service is stopping.', fix: 'Retry after the given time.' },
  INTERNAL_ERROR: {
    meaning: 'Something failed on our side; the request id leads to the details in our log.',
    fix: 'Retry, and report the request id if it happens again.',
  },
} as const satisfies Record<string, { meaning: string; fix: string }>;

export type ErrorCode = keyof typeof errorCodes;

/** Members beyond code and message that a renderer may show. */
export interface ErrorInfo {
  /** Path of the field at fault, in the caller's spelling. */
  field?: string | undefined;
  /** Every fault found, where there is more than one or its kind matters. */
  faults?: Fault[];
  /** Seconds after which a retry may succeed; absent when a retry cannot help. */
  retryAfterSeconds?: number;
  /** What the source system answered, with secrets removed. */
  platformError?: Record<string, unknown>;
  /** Role whose absence caused FORBIDDEN. */
  role?: string;
  /** For METHOD_NOT_ALLOWED: the methods that are served. */
  allow?: string[];
}

/** The only error whose message reaches a caller. Everything else is masked as INTERNAL_ERROR. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly code: ErrorCode;
  readonly info: ErrorInfo;

  constructor(code: ErrorCode, message: string, info: ErrorInfo = {}) {
    super(message);
    this.code = code;
    this.info = info;
  }
}

/** INVALID_PARAMS for one field. */
export function invalid(field: string, message: string, code: Fault['code'] = 'INVALID_VALUE'): GatewayError {
  return new GatewayError('INVALID_PARAMS', message, { field, faults: [{ field, code, message }] });
}

/** MISSING_PARAMS for one field. */
export function missing(field: string, message = `${field} is required`): GatewayError {
  return new GatewayError('MISSING_PARAMS', message, { field, faults: [{ field, code: 'REQUIRED', message }] });
}

/** One error for a list of faults: MISSING_PARAMS when every fault is a missing field, INVALID_PARAMS otherwise. */
export function faulty(faults: Fault[]): GatewayError {
  const first = faults[0]!;
  const message = faults.length === 1 ? first.message : `${first.message} (and ${faults.length - 1} more)`;
  const code = faults.every((fault) => fault.code === 'REQUIRED') ? 'MISSING_PARAMS' : 'INVALID_PARAMS';
  return new GatewayError(code, message, { field: first.field, faults });
}

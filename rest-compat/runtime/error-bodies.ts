// The error bodies of each surface, and the only table of statuses by error code.

import { unavailable } from '../../src/database/errors.ts';
import { segmentsOf } from '../../src/graphql/argument-path.ts';
import { type ErrorCode, GatewayError } from '../../src/records/errors.ts';
import type { InputIssue, InputIssueCode } from '../../src/records/input-issue.ts';
import type { Route, Surface } from '../routes/route.ts';

/** The status of every code where a route names no other. A code without a status does not compile. */
const common: Record<ErrorCode, number> = {
  MISSING_PARAMS: 400,
  INVALID_PARAMS: 400,
  INVALID_JSON: 400,
  INVALID_CURSOR: 400,
  OPERATION_NOT_SUPPORTED: 400,
  REGISTRATION_CONTENT_NOT_FOUND: 400,
  DUPLICATE_SKU: 400,
  CUSTOMS_CODE_INVALID: 400,
  CUSTOMS_CODE_NOT_FOUND: 400,
  REGISTRATION_INVALID_TAX_TYPE: 400,
  REGISTRATION_INVALID_FREQUENCY: 400,
  REGISTRATION_DUPLICATE: 400,
  REGISTRATION_PREREQUISITE_MISSING: 400,
  CORPORATION_TYPE_MISMATCH: 400,
  CSV_HEADER_INVALID: 400,
  WEBHOOK_DISABLED: 400,
  ASYNC_REQUIRED: 400,
  BATCH_LIMIT_EXCEEDED: 400,
  CONNECTION_DISCONNECTED: 400,
  CONNECTION_EXPIRED: 400,
  PLATFORM_DENIED: 400,
  JOB_TIMEOUT: 400,
  CANCELLED: 400,
  UNKNOWN_ERROR: 400,
  QUERY_TOO_COMPLEX: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  OPERATION_DENIED: 403,
  ROUTE_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  PAYLOAD_TOO_LARGE: 413,
  FILE_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  FILE_TYPE_UNSUPPORTED: 415,
  RATE_LIMIT_EXCEEDED: 429,
  PLATFORM_RATE_LIMIT_EXCEEDED: 429,
  INTERNAL_ERROR: 500,
  PLATFORM_ERROR: 502,
  SERVICE_UNAVAILABLE: 503,
  PLATFORM_TIMEOUT: 504,
  COMPANY_NOT_FOUND: 404,
  RECORD_NOT_FOUND: 404,
  SYNC_NOT_FOUND: 404,
  WEBHOOK_NOT_FOUND: 404,
  PRODUCT_NOT_FOUND: 404,
  CORPORATION_NOT_FOUND: 404,
  REGISTRATION_NOT_FOUND: 404,
  FILE_NOT_FOUND: 404,
  JOB_NOT_FOUND: 404,
  BUSINESS_ENTITY_NOT_FOUND: 404,
  INCORPORATION_REQUEST_NOT_FOUND: 404,
  PARTNER_NOT_FOUND: 404,
  ACCESS_KEY_NOT_FOUND: 404,
  RECORD_ALREADY_EXISTS: 409,
  SYNC_IN_PROGRESS: 409,
  INVALID_STATE_TRANSITION: 409,
  IDEMPOTENCY_IN_PROGRESS: 409,
  LINK_EXPIRED: 410,
  STALE_RECORD: 412,
  IDEMPOTENCY_KEY_REUSED: 422,
};

/** The status of a code on a route. */
export function statusOf(code: ErrorCode, route?: Pick<Route, 'statuses'>): number {
  return route?.statuses?.[code] ?? common[code];
}

/** Codes that only one surface can answer, by a pattern of their names; every other code may come from any surface. */
const owners: [owner: Surface | 'graphql' | 'job', codes: RegExp][] = [
  ['graphql', /^(ACCESS_KEY_NOT_FOUND|QUERY_TOO_COMPLEX)$/],
  // Shown as the error code of a job, never as an answer.
  ['job', /^(CANCELLED|JOB_TIMEOUT|UNKNOWN_ERROR|CONNECTION_EXPIRED|PLATFORM_.*)$/],
  ['integrations', /^((COMPANY|SYNC|BATCH|CONNECTION)_.*|RECORD_NOT_FOUND|ASYNC_REQUIRED|STALE_RECORD|OPERATION_NOT_SUPPORTED)$/],
  ['address', /^OPERATION_DENIED$/],
  [
    'platform',
    /^((WEBHOOK|PRODUCT|CORPORATION|REGISTRATION|FILE|BUSINESS_ENTITY|INCORPORATION|CUSTOMS|CSV|PARTNER|JOB|LINK)_.*|DUPLICATE_SKU)$/,
  ],
];

/**
 * Statuses of /graphql. An operation that ran answers 200 whatever failed in it, so codes that are not listed come with 200. A request that is
 * refused before anything runs has another status; a 400 from Apollo becomes 200 for a client that accepts `application/json` alone. An empty
 * list means that only REST answers the code.
 */
const graphqlStatuses: Partial<Record<ErrorCode, readonly number[]>> = {
  ROUTE_NOT_FOUND: [],
  ASYNC_REQUIRED: [],
  INVALID_JSON: [400],
  INVALID_PARAMS: [200, 400],
  MISSING_PARAMS: [200, 400],
  QUERY_TOO_COMPLEX: [200, 400],
  IDEMPOTENCY_IN_PROGRESS: [200, 400],
  IDEMPOTENCY_KEY_REUSED: [200, 400],
  RECORD_ALREADY_EXISTS: [200, 400],
  UNAUTHENTICATED: [401],
  METHOD_NOT_ALLOWED: [405],
  PAYLOAD_TOO_LARGE: [413],
  UNSUPPORTED_MEDIA_TYPE: [415],
  RATE_LIMIT_EXCEEDED: [429],
  INTERNAL_ERROR: [200, 500],
  SERVICE_UNAVAILABLE: [200, 503],
};

/** Statuses of a code on one surface: those its routes declare, and the table's status where a route of the same record declares none. */
function restStatuses(code: ErrorCode, routes: readonly Route[]): number[] {
  const declaring = routes.filter((route) => route.statuses?.[code] !== undefined);
  if (declaring.length === 0) return [statusOf(code)];
  const subject = code.startsWith('RECORD_') ? '' : code.split('_', 1)[0]!.toLowerCase();
  const others = routes.filter((route) => route.path.includes(subject));
  return [...new Set([...declaring, ...others].map((route) => statusOf(code, route)))].sort();
}

/** The statuses of a code on /graphql and on every REST surface that can answer it. */
export function statusesOf(code: ErrorCode, routes: readonly Route[]): Record<string, readonly number[]> {
  const owner = owners.find(([, codes]) => codes.test(code))?.[0];
  if (owner === 'job') return {};
  const surfaces = (['platform', 'integrations', 'address'] as const).filter((surface) => owner === undefined || owner === surface);
  const graphql = graphqlStatuses[code] ?? [200];
  return {
    ...(graphql.length > 0 ? { graphql } : {}),
    ...Object.fromEntries(
      surfaces.map((surface) => [
        surface,
        restStatuses(
          code,
          routes.filter((route) => route.surface === surface),
        ),
      ]),
    ),
  };
}

/** A thrown value as an error the caller may see: SERVICE_UNAVAILABLE when the database does not answer, INTERNAL_ERROR for anything else that is not ours. */
export function publicError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  const original = (error as { originalError?: unknown }).originalError;
  if (original) return publicError(original);
  return unavailable(error) ?? new GatewayError('INTERNAL_ERROR', 'something failed on our side');
}

/** The request of an error, for the renderers. */
export interface ErrorRequest {
  requestId: string;
  path: string;
  now: Date;
  credential: string;
}

type Renderer = (error: GatewayError, status: number, request: ErrorRequest) => Record<string, unknown>;

/** The issue code for an error that names a field and has no issues. */
const issueCodeOf = (code: ErrorCode): InputIssueCode =>
  code.endsWith('_NOT_FOUND') ? 'NOT_FOUND' : /_DUPLICATE$|_EXISTS$/.test(code) ? 'DUPLICATE' : 'INVALID_VALUE';

/** The issues of an error; an issue of a file names the column, which the caller knows. */
function issuesOf({ code, message, info }: GatewayError): InputIssue[] {
  const { issues } = info;
  const field = info.field ?? info.header;
  if (!issues) return field === undefined ? [] : [{ field, code: code === 'UNAUTHENTICATED' ? 'REQUIRED' : issueCodeOf(code), message }];
  return issues.map(({ column, ...issue }) => ({ ...issue, field: column ?? issue.field }));
}

const platform: Renderer = (error, status, request) => ({
  message: error.message,
  error: { code: error.code, status, details: issuesOf(error), request_id: request.requestId },
});

const integrations: Renderer = (error, status, request) => {
  const seconds = error.info.retryAfterSeconds === undefined ? null : Math.max(1, Math.ceil(error.info.retryAfterSeconds));
  return {
    error: {
      status_code: status,
      message: error.message,
      request_id: request.requestId,
      timestamp: request.now.toISOString(),
      error_code: error.code,
      retry_after_seconds: seconds,
      retry_at: seconds === null ? null : new Date(request.now.getTime() + seconds * 1_000).toISOString(),
      field: error.info.field ?? error.info.header ?? null,
      platform_error: error.info.platformError ?? null,
    },
  };
};

/** Type and title of the errors of the address service, by status. */
const addressTypes: Record<number, [type: string, title: string]> = {
  400: ['CLIENT_BAD_REQUEST', 'Bad request'],
  401: ['CLIENT_UNAUTHORIZED', 'Invalid API key'],
  403: ['CLIENT_FORBIDDEN', 'Missing role'],
  404: ['CLIENT_NOT_FOUND', 'Not found'],
  405: ['CLIENT_METHOD_NOT_ALLOWED', 'Method not allowed'],
  409: ['CLIENT_CONFLICT', 'Conflict'],
  413: ['CLIENT_PAYLOAD_TOO_LARGE', 'Payload too large'],
  415: ['CLIENT_UNSUPPORTED_MEDIA_TYPE', 'Unsupported media type'],
  429: ['CLIENT_RATE_LIMITED', 'Too many requests'],
  500: ['SERVER_ERROR', 'Internal error'],
  503: ['SERVER_UNAVAILABLE', 'Service unavailable'],
};

const address: Renderer = (error, status, request) => {
  const [type, title] = addressTypes[status] ?? ['CLIENT_BAD_REQUEST', 'Bad request'];
  const { header } = error.info;
  const missingKey = status === 401 && header !== undefined;
  const errors = header
    ? [{ pointer: `/headers/${header.toLowerCase()}`, details: error.message }]
    : (error.info.issues ?? []).map((issue) => ({ pointer: pointerOf(issue.field), details: issue.message }));
  return {
    error: {
      type,
      title: missingKey ? 'Missing API key' : title,
      status,
      instance: request.path,
      detail: { description: error.message },
      ...(errors.length > 0 ? { errors } : {}),
    },
  };
};

/** The JSON pointer of a field given as a dotted path; the whole body has the empty pointer. */
const pointerOf = (field: string): string => (field === 'body' ? '' : `/${segmentsOf(field).join('/')}`);

export const renderers: Record<Surface, Renderer> = { platform, integrations, address };

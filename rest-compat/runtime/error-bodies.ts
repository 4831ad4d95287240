// The error bodies of each surface, and the statuses of an error code on it.

import { unavailable } from '../../src/database/errors.ts';
import { segmentsOf } from '../../src/graphql/input/argument-path.ts';
import { type ErrorCode, type ErrorDeclaration, errorCodes, GatewayError } from '../../src/records/errors.ts';
import type { InputIssue, InputIssueCode } from '../../src/records/input-issue.ts';
import type { Route, Surface } from '../routes/route.ts';

/** The status of a code on a route. */
export function statusOf(code: ErrorCode, route?: Pick<Route, 'statuses'>): number {
  return route?.statuses?.[code] ?? errorCodes[code].status;
}

/** Statuses of a code on one REST surface: those that its routes declare, and the usual one where some route of the same record declares none. */
function restStatuses(code: ErrorCode, routes: readonly Route[]): number[] {
  const declaring = routes.filter((route) => route.statuses?.[code] !== undefined);
  if (declaring.length === 0) return [statusOf(code)];
  const subject = code.startsWith('RECORD_') ? '' : code.split('_', 1)[0]!.toLowerCase();
  const others = routes.filter((route) => route.path.includes(subject));
  return [...new Set([...declaring, ...others].map((route) => statusOf(code, route)))].sort();
}

/** The statuses of a code on /graphql and on every REST surface that can return it. */
export function statusesOf(code: ErrorCode, routes: readonly Route[]): Record<string, readonly number[]> {
  const { surfaces, graphqlStatuses = [200] }: ErrorDeclaration = errorCodes[code];
  return Object.fromEntries(
    surfaces.map((surface) => [
      surface,
      surface === 'graphql'
        ? graphqlStatuses
        : restStatuses(
            code,
            routes.filter((route) => route.surface === surface),
          ),
    ]),
  );
}

/** A thrown value as an error the caller may see: SERVICE_UNAVAILABLE when the database does not respond, INTERNAL_ERROR for anything else that is not ours. */
export function publicError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  const original = (error as { originalError?: unknown }).originalError;
  if (original) return publicError(original);
  return unavailable(error) ?? new GatewayError('INTERNAL_ERROR', 'something failed on our side');
}

/** The headers of a response with an error. */
export function refusalHeaders({ info: { allow, retryAfterSeconds } }: GatewayError, status: number): Record<string, string> {
  return {
    ...(allow ? { Allow: allow.join(', ') } : {}),
    ...(retryAfterSeconds === undefined ? {} : { 'Retry-After': String(Math.max(1, Math.ceil(retryAfterSeconds))) }),
    // The remaining bytes of a rejected body are not read, so the connection cannot be used again.
    ...(status === 413 ? { Connection: 'close' } : {}),
  };
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
  431: ['CLIENT_HEADERS_TOO_LARGE', 'Headers too large'],
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

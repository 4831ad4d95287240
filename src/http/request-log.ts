// One log line per request: method, path without its query (which may hold keys), status, duration, request id, trace id.
// Uses pino directly, because pino-http makes a child logger per request, which cost a tenth of the CPU of a small request.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Span } from '@opentelemetry/api';
import type { Logger } from 'pino';

/** Called for a request when its answer was sent or its connection was lost. */
export type RequestObserver = (
  request: IncomingMessage & { id: string; originalUrl: string; span?: Span },
  response: ServerResponse,
  ms: number,
) => void;

/** Paths that monitoring requests every few seconds. */
const probes = new Set(['/livez', '/readyz', '/metrics']);

/** The path of a request; undefined for a probe, which is neither logged nor counted. */
export function observedPath(request: { originalUrl: string }): string | undefined {
  const path = request.originalUrl.split('?', 1)[0]!;
  return probes.has(path) ? undefined : path;
}

/** Status of an answer; 0 when the connection ended before all of it was sent. */
export const statusSent = (response: ServerResponse): number => (response.writableFinished ? response.statusCode : 0);

/** The trace id of a request, where the operator has enabled tracing. */
const traceOf = (span: Span | undefined): { traceId?: string } => (span ? { traceId: span.spanContext().traceId } : {});

/** Logs each request. */
export function requestLog(logger: Logger): RequestObserver {
  return (request, response, ms) => {
    const path = observedPath(request);
    if (path === undefined) return;
    const status = statusSent(response);
    const entry = { requestId: request.id, method: request.method, path, status, ms: Math.round(ms * 10) / 10, ...traceOf(request.span) };
    if (status >= 500) logger.error(entry, 'request');
    else logger.info(entry, 'request');
  };
}
